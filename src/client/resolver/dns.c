/* SPDX-License-Identifier: Apache-2.0 */
/* Names. Looked up when the channel starts, and again when a connection has failed or was lost: at
 * most once in 30 s, so that a server that is down does not turn into a flood of queries. A failed
 * look-up is tried again after a pause that grows; what was found before stays in use. */
#include "client/resolver/resolver.h"

#include <oyez/limits.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/text.h"

#define MIN_INTERVAL OYEZ_LIMIT_LOOKUP_INTERVAL

typedef struct resolver_dns {
    oy_resolver base;
    oy_dns_query *query; /* NULL: none is under way */
    oy_timer timer;      /* begins the next one */
    bool waiting;        /* `timer` is set */
    bool again;          /* asked for while a query was under way */
    int64_t not_before;
    oy_backoff backoff;
} resolver_dns;

static void begin(resolver_dns *self);

/* Without memory for the timer the next wish begins the query. */
static void begin_at(resolver_dns *self, int64_t at)
{
    self->waiting = oy_timer_set(self->base.args.loop, &self->timer, at) == OYEZ_NO_ERR;
}

static void on_timer(oy_timer *timer)
{
    resolver_dns *self = oy_container_of(timer, resolver_dns, timer);
    self->waiting = false;
    begin(self);
}

/* @param words  what was looked up, and why it failed */
static void failed(resolver_dns *self, const char *words)
{
    const oy_resolver_args *args = &self->base.args;
    const oyez_duration pause =
        oy_backoff_next(&self->backoff, args->backoff, oy_random_unit(oy_loop_random(args->loop)));
    char text[OY_WORDS_MAX];

    self->again = false;
    self->not_before = oy_time_add(oy_loop_now(args->loop), pause);
    begin_at(self, self->not_before);
    if (args->target->server) {
        oy_words_set((oy_words){text, sizeof(text)}, "%s (asked %s)", words, args->target->server);
        words = text;
    }
    args->events->on_error(args->user, words);
}

static void failed_early(resolver_dns *self, const char *reason)
{
    char words[OY_WORDS_MAX];
    oy_words_set((oy_words){words, sizeof(words)}, "looking up \"%s\": %s",
                 self->base.args.target->host, reason);
    failed(self, words);
}

static void on_done(void *user, oyez_err err, const char *words, const oy_address *addresses,
                    size_t count)
{
    resolver_dns *self = user;
    const oy_resolver_args *args = &self->base.args;

    self->query = NULL;
    if (err) {
        failed(self, words);
        return;
    }
    if (count == 0) {
        failed_early(self, "the name has no address");
        return;
    }
    oy_backoff_reset(&self->backoff);
    self->not_before = oy_time_add(oy_loop_now(args->loop), args->min_interval);
    if (self->again)
        begin_at(self, self->not_before);
    self->again = false;
    if (args->events->on_addresses(args->user, addresses, count))
        failed_early(self, "out of memory");
}

static void begin(resolver_dns *self)
{
    const oy_resolver_args *args = &self->base.args;
    const oy_target *target = args->target;
    oyez_err err = oy_dns_resolve(args->loop, oy_str(target->host), target->port,
                                  oy_str(target->server), on_done, self, &self->query);
    if (err) {
        self->query = NULL;
        failed_early(self, oyez_strerror(err));
    }
}

static void start(oy_resolver *resolver)
{
    begin(oy_container_of(resolver, resolver_dns, base));
}

static void resolve_now(oy_resolver *resolver)
{
    resolver_dns *self = oy_container_of(resolver, resolver_dns, base);
    if (self->query)
        self->again = true;
    else if (!self->waiting)
        begin_at(self, self->not_before);
}

static void free_dns(oy_resolver *resolver)
{
    resolver_dns *self = oy_container_of(resolver, resolver_dns, base);
    oy_dns_cancel(self->query);
    oy_timer_unset(resolver->args.loop, &self->timer);
    oy_free(self);
}

oyez_err oy_resolver_dns_new(const oy_resolver_args *args, oy_resolver **ret_resolver)
{
    static const oy_resolver_ops ops = {start, resolve_now, free_dns};
    resolver_dns *self = oy_alloc_zero(sizeof(*self));
    if (!self)
        return OYEZ_ENOMEM;
    self->base.ops = &ops;
    self->base.args = *args;
    if (self->base.args.min_interval == 0)
        self->base.args.min_interval = MIN_INTERVAL;
    self->timer.fire = on_timer;
    *ret_resolver = &self->base;
    return OYEZ_NO_ERR;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Targets that need no look-up: the addresses are told once. */
#include "client/resolver/resolver.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"

typedef struct fixed {
    oy_resolver base;
    oy_timer retry; /* the list could not be taken: no memory */
} fixed;

static void tell(fixed *self)
{
    const oy_resolver_args *args = &self->base.args;
    if (args->events->on_addresses(args->user, args->target->addresses,
                                   args->target->address_count)) {
        args->events->on_error(args->user, "out of memory");
        (void)oy_timer_set(args->loop, &self->retry,
                           oy_time_add(oy_loop_now(args->loop), args->backoff->base));
    }
}

static void on_retry(oy_timer *timer)
{
    tell(oy_container_of(timer, fixed, retry));
}

static void start(oy_resolver *resolver)
{
    tell(oy_container_of(resolver, fixed, base));
}

static void resolve_now(oy_resolver *resolver)
{
    (void)resolver;
}

static void free_fixed(oy_resolver *resolver)
{
    fixed *self = oy_container_of(resolver, fixed, base);
    oy_timer_unset(resolver->args.loop, &self->retry);
    oy_free(self);
}

oyez_err oy_resolver_fixed_new(const oy_resolver_args *args, oy_resolver **ret_resolver)
{
    static const oy_resolver_ops ops = {start, resolve_now, free_fixed};
    fixed *self = oy_alloc_zero(sizeof(*self));
    if (!self)
        return OYEZ_ENOMEM;
    self->base.ops = &ops;
    self->base.args = *args;
    self->retry.fire = on_retry;
    *ret_resolver = &self->base;
    return OYEZ_NO_ERR;
}

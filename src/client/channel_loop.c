/* SPDX-License-Identifier: Apache-2.0 */
/* The channel on its loop: calls find a connection or wait for one, resolver and balancer are kept
 * going, and all of it comes to an end. */
#include "client/channel_impl.h"

#include <string.h>

#include "base/assert.h"
#include "base/log.h"

/* Of the addresses that are being tried words name so many. */
#define ATTEMPTS_TOLD 3u

/* --- work from elsewhere --------------------------------------------------------------------- */

void oy_channel_ask(oyez_channel *channel, unsigned work)
{
    oy_loop *loop = channel->settings.loop;
    const bool in_child = oy_runtime_check(channel->settings.runtime) != OYEZ_NO_ERR;
    const unsigned before = atomic_fetch_or_explicit(&channel->work, work, memory_order_acq_rel);
    /* What the parent had submitted does not run in its child. */
    if (before == 0 || in_child)
        oy_loop_submit(loop, &channel->task);
}

/* --- waiting calls --------------------------------------------------------------------------- */

/* Each finds what is right in the present state: a connection, its end, or its place in the list
 * again. */
static void start_waiting(oyez_channel *channel)
{
    oy_list batch, *node;
    oy_list_init(&batch);
    while ((node = oy_list_pop_front(&channel->waiting)))
        oy_list_push_back(&batch, node);
    /* a call that ends meanwhile takes itself out of the batch */
    while ((node = oy_list_pop_front(&batch)))
        oy_channel_start_call(channel, oy_call_of_waiting_node(node));
}

/* --- states ---------------------------------------------------------------------------------- */

static void log_state(oyez_channel *channel, const char *words)
{
    const bool bad = channel->picked == OYEZ_TRANSIENT_FAILURE;
    oy_log(&channel->log, bad ? OYEZ_LOG_WARNING : OYEZ_LOG_DEBUG, "channel %s: %s%s%s",
           channel->target.text, oyez_connectivity_name(channel->picked),
           words && *words ? ": " : "", words ? words : "");
}

static void set_picked(oyez_channel *channel, oyez_connectivity state, const char *words)
{
    channel->picked = state;
    log_state(channel, words);
    oy_channel_publish(channel, state);
}

/* Somebody wants a connection. */
static void leave_idle(oyez_channel *channel)
{
    if (channel->shut || channel->picked != OYEZ_IDLE)
        return;
    if (channel->resolver_started) {
        oy_pick_first_exit_idle(&channel->pick, oy_loop_now(channel->settings.loop));
        return;
    }
    channel->resolver_started = true;
    set_picked(channel, OYEZ_CONNECTING, NULL);
    channel->resolver->ops->start(channel->resolver);
}

/* --- what the balancer wants ----------------------------------------------------------------- */

static oyez_err host_subchannel_new(void *host, const oy_address *address,
                                    oy_subchannel **ret_subchannel)
{
    oyez_channel *channel = host;
    return oy_subchannel_new(&channel->subchannels, address, ret_subchannel);
}

static void host_set_timer(void *host, int64_t at)
{
    oyez_channel *channel = host;
    /* Without memory the next address has to wait until the one before has failed. */
    (void)oy_timer_set(channel->settings.loop, &channel->pick_timer, at);
}

static void host_resolve_now(void *host)
{
    oyez_channel *channel = host;
    channel->resolver->ops->resolve_now(channel->resolver);
}

static void keep_failure(oyez_channel *channel, const char *words)
{
    const oy_words room = {channel->words, sizeof(channel->words)};
    if (channel->pick.count > 1)
        oy_words_set(room, "%s (the last of %zu addresses that failed)", words,
                     channel->pick.count);
    else
        oy_words_set(room, "%s", words);
}

static void host_update(void *host, oyez_connectivity state, oy_subchannel *ready,
                        const char *words)
{
    oyez_channel *channel = host;
    channel->ready = ready ? oy_subchannel_transport(ready) : NULL;
    channel->ready_subchannel = ready;
    if (state == OYEZ_TRANSIENT_FAILURE)
        keep_failure(channel, words);
    set_picked(channel, state, state == OYEZ_TRANSIENT_FAILURE ? channel->words : NULL);
    if (state == OYEZ_READY || state == OYEZ_TRANSIENT_FAILURE)
        start_waiting(channel);
    else if (state == OYEZ_IDLE && !oy_list_empty(&channel->waiting))
        leave_idle(channel);
}

static const oy_balancer_host balancer_host = {
    .subchannel_new = host_subchannel_new,
    .subchannel_connect = oy_subchannel_connect,
    .subchannel_reset = oy_subchannel_reset,
    .subchannel_free = oy_subchannel_free,
    .set_timer = host_set_timer,
    .resolve_now = host_resolve_now,
    .update = host_update,
};

static void on_pick_timer(oy_timer *timer)
{
    oyez_channel *channel = oy_container_of(timer, oyez_channel, pick_timer);
    oy_pick_first_on_timer(&channel->pick, oy_loop_now(channel->settings.loop));
}

/* --- what subchannels and the resolver tell -------------------------------------------------- */

static void on_subchannel(void *user, oy_subchannel *subchannel, oyez_connectivity state,
                          const char *words)
{
    oyez_channel *channel = user;
    if (words && state != OYEZ_TRANSIENT_FAILURE)
        oy_log(&channel->log, OYEZ_LOG_INFO, "channel %s: connection lost: %s",
               channel->target.text, words);
    oy_pick_first_on_state(&channel->pick, subchannel, state, words,
                           oy_loop_now(channel->settings.loop));
}

static void wake(void *user)
{
    oy_channel_ask(user, OY_WORK_NEWS);
}

static oyez_err on_addresses(void *user, const oy_address *addresses, size_t count)
{
    oyez_channel *channel = user;
    oy_log(&channel->log, OYEZ_LOG_DEBUG, "channel %s: %zu addresses", channel->target.text, count);
    return oy_pick_first_set_addresses(&channel->pick, addresses, count,
                                       oy_loop_now(channel->settings.loop));
}

static void on_resolver_error(void *user, const char *words)
{
    oyez_channel *channel = user;
    if (channel->pick.count > 0)
        oy_log(&channel->log, OYEZ_LOG_WARNING,
               "channel %s: %s; the addresses found before stay in use", channel->target.text,
               words);
    oy_pick_first_resolver_failed(&channel->pick, words);
}

const oy_resolver_events oy_channel_resolver_events = {on_addresses, on_resolver_error};

/* --- calls ----------------------------------------------------------------------------------- */

/* There is no connection that takes the call now. */
static void start_slowly(oyez_channel *channel, oy_call *call)
{
    if (channel->shut) {
        oy_call_fail(call, OYEZ_CANCELLED, "the channel is closed");
        return;
    }
    if (channel->picked == OYEZ_TRANSIENT_FAILURE && !oy_call_waits_for_ready(call)) {
        oy_call_fail(call, OYEZ_UNAVAILABLE, channel->words);
        return;
    }
    oy_list_push_back(&channel->waiting, oy_call_waiting_node(call));
    if (channel->picked == OYEZ_READY)
        oy_subchannel_retire(channel->ready_subchannel); /* it has just refused the call */
    else
        leave_idle(channel);
}

void oy_channel_start_call(oyez_channel *channel, oy_call *call)
{
    if (oy_likely(channel->ready != NULL) &&
        oy_likely(oy_call_attach(call, channel->ready) == OYEZ_NO_ERR))
        return;
    start_slowly(channel, call);
}

/* The addresses that are being tried, the first few. */
static void list_attempts(const oy_pick_first *pick, oy_words words)
{
    char address[OY_ADDRESS_TEXT_MAX];
    size_t len = 0, shown = 0, all = 0;
    words.text[0] = '\0';
    for (size_t i = 0; i < pick->count; i++) {
        if (pick->entries[i].state != OYEZ_CONNECTING)
            continue;
        if (++all > ATTEMPTS_TOLD)
            continue;
        oy_address_format(&pick->entries[i].address, address);
        oy_words_set((oy_words){ words.text + len, words.bytes - len }, "%s%s", shown++ ? ", " : " to ", address);
        len += strlen(words.text + len);
    }
    if (all > shown)
        oy_words_set((oy_words){ words.text + len, words.bytes - len }, " and %zu more", all - shown);
}

void oy_channel_tell_wait(const oyez_channel *channel, oy_words words)
{
    const char *state = oyez_connectivity_name(channel->picked), *last = channel->pick.words;
    char attempts[ATTEMPTS_TOLD * OY_ADDRESS_TEXT_MAX + 64];
    list_attempts(&channel->pick, (oy_words){ attempts, sizeof(attempts) });
    oy_words_set(words, "channel %s is %s%s%s%s", channel->target.text, state,
                 channel->picked == OYEZ_CONNECTING && channel->pick.count == 0 ? ": its name is being looked up"
                                                                                : attempts,
                 *last ? "; last error: " : "", last);
}

/* --- the end --------------------------------------------------------------------------------- */

static void shut(oyez_channel *channel)
{
    if (channel->shut)
        return;
    channel->shut = true;
    channel->ready = NULL;
    channel->ready_subchannel = NULL;
    oy_resolver_free(channel->resolver);
    channel->resolver = NULL;
    /* ends before their subchannels do, so that nothing is left to end in peace */
    oy_subchannels_close(&channel->subchannels, OYEZ_CANCELLED, "the channel is closed");
    oy_pick_first_fini(&channel->pick);
    start_waiting(channel);
}

static void run(oy_task *task)
{
    oyez_channel *channel = oy_container_of(task, oyez_channel, task);
    const unsigned work = atomic_exchange_explicit(&channel->work, 0, memory_order_acq_rel);

    if (work & (OY_WORK_CLOSE | OY_WORK_FREE))
        shut(channel);
    if (work & OY_WORK_FREE) {
        oy_channel_destroy(channel);
        return;
    }
    if (work & OY_WORK_CONNECT)
        leave_idle(channel);
    if (work & OY_WORK_NEWS && !channel->shut)
        oy_subchannels_run(&channel->subchannels);
}

void oy_channel_init_loop_side(oyez_channel *channel)
{
    channel->task.run = run;
    channel->pick_timer.fire = on_pick_timer;
    channel->picked = OYEZ_IDLE;
    oy_list_init(&channel->waiting);
    oy_pick_first_init(&channel->pick, &balancer_host, channel);
    channel->subchannels.on_state = on_subchannel;
    channel->subchannels.wake = wake;
    channel->subchannels.user = channel;
    oy_subchannels_init(&channel->subchannels);
}

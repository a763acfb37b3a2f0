/* SPDX-License-Identifier: Apache-2.0 */
/* The states of keepalive, as gRPC-Go has them but for two things: a dormant connection that has read lately wakes without
 * a PING, and before the peer is given up the loop looks at the socket once more, for it may be we who were stopped. */
#include "transport/keepalive.h"

#include "base/clock.h"

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static oy_keepalive_action watch(oy_keepalive *keepalive, int64_t from)
{
    keepalive->state = OY_KEEPALIVE_WATCHING;
    keepalive->due = oy_time_add(from, keepalive->config.time);
    return OY_KEEPALIVE_WAIT;
}

/* When to look at an unanswered PING: not only at its end, for if the answer has come by then the next one is late. */
static void wait_for_answer(oy_keepalive *keepalive, int64_t now)
{
    const int64_t end = oy_time_add(keepalive->pinged_at, keepalive->config.timeout);
    keepalive->due = earlier(end, oy_time_add(now, keepalive->config.time));
}

static oy_keepalive_action ping(oy_keepalive *keepalive, int64_t now)
{
    keepalive->state = OY_KEEPALIVE_PINGED;
    keepalive->pinged_at = now;
    wait_for_answer(keepalive, now);
    return OY_KEEPALIVE_PING;
}

static oy_keepalive_action sleep_until_call(oy_keepalive *keepalive)
{
    keepalive->state = OY_KEEPALIVE_DORMANT;
    keepalive->due = OYEZ_FOREVER;
    return OY_KEEPALIVE_WAIT;
}

/* Watching, or the PING has been answered. */
static oy_keepalive_action look(oy_keepalive *keepalive, int64_t now, int64_t last_read, bool has_calls)
{
    if (oy_time_add(last_read, keepalive->config.time) > now)
        return watch(keepalive, last_read);
    if (!has_calls && !keepalive->config.without_calls)
        return sleep_until_call(keepalive);
    return ping(keepalive, now);
}

void oy_keepalive_start(oy_keepalive *keepalive, const oy_keepalive_config *config, int64_t now)
{
    keepalive->config = *config;
    keepalive->state = OY_KEEPALIVE_OFF;
    keepalive->due = OYEZ_FOREVER;
    if (oy_keepalive_is_on(config))
        (void)watch(keepalive, now);
}

oy_keepalive_action oy_keepalive_tick(oy_keepalive *keepalive, int64_t now, int64_t last_read, bool has_calls)
{
    switch (keepalive->state) {
    case OY_KEEPALIVE_WATCHING:
        return look(keepalive, now, last_read, has_calls);
    case OY_KEEPALIVE_PINGED:
        if (last_read >= keepalive->pinged_at)
            return look(keepalive, now, last_read, has_calls);
        if (now >= oy_time_add(keepalive->pinged_at, keepalive->config.timeout)) {
            keepalive->state = OY_KEEPALIVE_LAST_LOOK;
            keepalive->due = now;
            return OY_KEEPALIVE_WAIT;
        }
        if (!has_calls && !keepalive->config.without_calls)
            return sleep_until_call(keepalive);
        wait_for_answer(keepalive, now);
        return OY_KEEPALIVE_WAIT;
    case OY_KEEPALIVE_LAST_LOOK:
        if (last_read >= keepalive->pinged_at)
            return look(keepalive, now, last_read, has_calls);
        keepalive->due = OYEZ_FOREVER;
        return OY_KEEPALIVE_DEAD;
    case OY_KEEPALIVE_OFF:
    case OY_KEEPALIVE_DORMANT:
        break;
    }
    keepalive->due = OYEZ_FOREVER;
    return OY_KEEPALIVE_WAIT;
}

oy_keepalive_action oy_keepalive_wake(oy_keepalive *keepalive, int64_t now, int64_t last_read)
{
    if (keepalive->state != OY_KEEPALIVE_DORMANT)
        return OY_KEEPALIVE_WAIT;
    return look(keepalive, now, last_read, true);
}

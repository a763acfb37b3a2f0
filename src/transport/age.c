/* SPDX-License-Identifier: Apache-2.0 */
/* Idleness is looked at when it may have lasted long enough, not when a call begins or ends. */
#include "transport/age.h"

#include "base/clock.h"

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static oyez_duration limit(oyez_duration duration)
{
    return duration > 0 ? duration : OYEZ_FOREVER;
}

static oyez_duration jittered(oyez_duration age, double unit)
{
    if (age == OYEZ_FOREVER)
        return age;
    return oy_time_add(age - age / 10, (oyez_duration)((double)(age / 5) * unit));
}

void oy_age_start(oy_age *age, const oy_age_config *config, int64_t now, double unit)
{
    age->config = (oy_age_config){ limit(config->idle), limit(config->age), limit(config->grace) };
    age->idle_since = now;
    age->draining = false;
    age->close_at = OYEZ_FOREVER;
    age->old_at = oy_time_add(now, jittered(age->config.age, unit));
    age->due = earlier(age->old_at, oy_time_add(now, age->config.idle));
}

oy_age_action oy_age_tick(oy_age *age, int64_t now, bool has_calls)
{
    if (age->draining) {
        age->due = age->close_at;
        if (now < age->close_at)
            return OY_AGE_WAIT;
        age->due = OYEZ_FOREVER;
        return OY_AGE_CLOSE;
    }
    if (now >= age->old_at) {
        age->draining = true;
        age->due = age->close_at = oy_time_add(now, age->config.grace);
        return OY_AGE_DRAIN_OLD;
    }
    const int64_t idle_at = oy_time_add(has_calls ? now : age->idle_since, age->config.idle);
    if (now >= idle_at) {
        age->draining = true;
        age->due = OYEZ_FOREVER;
        return OY_AGE_DRAIN_IDLE;
    }
    age->due = earlier(age->old_at, idle_at);
    return OY_AGE_WAIT;
}

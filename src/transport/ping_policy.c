/* SPDX-License-Identifier: Apache-2.0 */
/* gRPC-Go's rules, to the letter: every PING counts as the last one, also one that was a strike; a good one forgives
 * nothing, only an answer does. */
#include "transport/ping_policy.h"

#include "base/clock.h"

bool oy_ping_policy_allows(oy_ping_policy *policy, int64_t now, bool answered, bool has_calls)
{
    const bool idle = !has_calls && !policy->permit_without_calls;
    const oyez_duration least = idle ? OY_PING_IDLE_TIME : policy->min_time;
    const bool early = policy->seen && oy_time_add(policy->last, least) > now;

    policy->seen = true;
    policy->last = now;
    if (answered)
        policy->strikes = 0;
    else if (early && policy->strikes <= OY_PING_STRIKES)
        policy->strikes++;
    return policy->strikes <= OY_PING_STRIKES;
}

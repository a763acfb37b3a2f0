/* SPDX-License-Identifier: Apache-2.0 */
/* What a server puts up with (gRFC A8): PINGs that come too often are strikes, and the third is the last. No I/O, no
 * clock. */
#ifndef OY_TRANSPORT_PING_POLICY_H
#define OY_TRANSPORT_PING_POLICY_H

#include <oyez/limits.h>

#define OY_PING_MIN_TIME OYEZ_LIMIT_PING_MIN_TIME
/* Without a call nobody needs PINGs: then they may come this often. */
#define OY_PING_IDLE_TIME OYEZ_LIMIT_PING_IDLE_TIME
#define OY_PING_STRIKES OYEZ_LIMIT_PING_STRIKES

typedef struct oy_ping_policy {
    oyez_duration min_time;
    bool permit_without_calls;
    bool seen;                   /* one has come: `last` is valid */
    uint8_t strikes;
    int64_t last;
} oy_ping_policy;

/* A PING has come. @param answered HEADERS or DATA went to the client since the one before: strikes are forgiven, and what
 * is measured by bandwidth probes is never one.
 * @return false: too many. */
bool oy_ping_policy_allows(oy_ping_policy *policy, int64_t now, bool answered, bool has_calls);

#endif

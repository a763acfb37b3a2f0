/* SPDX-License-Identifier: Apache-2.0 */
/* How long a server lets a connection live (gRFC A9): drained when no call has been under way for a while, or when it is
 * old; closed when a drained old one has not ended in time. No I/O and no clock: as in keepalive.h, the embedder asks when
 * the time has come that was named last. */
#ifndef OY_TRANSPORT_AGE_H
#define OY_TRANSPORT_AGE_H

#include <oyez/types.h>

/* 0 or OYEZ_FOREVER: no limit. */
typedef struct oy_age_config {
    oyez_duration idle, age, grace;
} oy_age_config;

typedef enum oy_age_action {
    OY_AGE_WAIT,
    OY_AGE_DRAIN_IDLE,
    OY_AGE_DRAIN_OLD,
    OY_AGE_CLOSE,
} oy_age_action;

typedef struct oy_age {
    oy_age_config config;
    int64_t idle_since;          /* set by the embedder when the last call ends; of use while there is none */
    int64_t old_at, close_at, due;
    bool draining;
} oy_age;

/* @param unit in [0, 1): jitter of the age, ten percent up or down, so that many connections that were made together do
 * not all end together. */
void oy_age_start(oy_age *age, const oy_age_config *config, int64_t now, double unit);
/* `due` has come. After a drain there is nothing but, for an old one, the close. */
oy_age_action oy_age_tick(oy_age *age, int64_t now, bool has_calls);

#endif

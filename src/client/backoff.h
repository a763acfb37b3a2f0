/* SPDX-License-Identifier: Apache-2.0 */
/* The pauses between attempts that fail: exponential, with jitter (grpc/doc/connection-backoff.md).
 * No clock and no random source of its own. */
#ifndef OY_CLIENT_BACKOFF_H
#define OY_CLIENT_BACKOFF_H

#include <oyez/types.h>

typedef struct oy_backoff_config {
    oyez_duration base, max;
    double factor; /* 1 at least */
    double jitter; /* 0 to 1 */
} oy_backoff_config;

typedef struct oy_backoff {
    uint32_t failures; /* in a row */
} oy_backoff;

/* The pause behind the attempt that begins now, should it fail; counts it as failed. The first is
 * exactly `base`, later ones grow and vary by the jitter. @param unit uniform in [0, 1). */
oyez_duration oy_backoff_next(oy_backoff *backoff, const oy_backoff_config *config, double unit);
/* An attempt has succeeded. */
void oy_backoff_reset(oy_backoff *backoff);

#endif

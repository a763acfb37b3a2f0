/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock. The protocol layers take time as an argument and never call this. */
#ifndef OY_BASE_CLOCK_H
#define OY_BASE_CLOCK_H

#include <stdint.h>

#include <oyez/types.h>

int64_t oy_now(void);

/* `at` plus `delta`, without overflow; OYEZ_FOREVER stays. */
static inline int64_t oy_time_add(int64_t at, oyez_duration delta)
{
    int64_t sum;
    if (delta == OYEZ_FOREVER || __builtin_add_overflow(at, delta, &sum))
        return OYEZ_FOREVER;
    return sum;
}

#endif

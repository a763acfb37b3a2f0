/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock in nanoseconds. */
#include "base/clock.h"

#include <time.h>

int64_t oy_now(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now))
        return 0;
    return (int64_t)now.tv_sec * OYEZ_SECOND + (int64_t)now.tv_nsec;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Exponential pauses. */
#include "client/backoff.h"

oyez_duration oy_backoff_next(oy_backoff *backoff, const oy_backoff_config *config, double unit)
{
    const double max = (double)config->max;
    double delay = (double)config->base;
    uint32_t n = backoff->failures;

    if (backoff->failures < UINT32_MAX)
        backoff->failures++;
    if (n == 0)
        return config->base;
    while (n > 0 && delay < max && config->factor > 1) {
        delay *= config->factor;
        n--;
    }
    if (delay > max)
        delay = max;
    /* over the maximum by the jitter, as gRPC-Go does: clients that have all reached it must not
     * meet */
    delay *= 1 + config->jitter * (2 * unit - 1);
    return delay < 0x1p62 ? (oyez_duration)delay : (oyez_duration)1 << 62;
}

void oy_backoff_reset(oy_backoff *backoff)
{
    backoff->failures = 0;
}

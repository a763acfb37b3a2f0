/* SPDX-License-Identifier: Apache-2.0 */
/* The grpc-timeout header: up to eight digits and a unit (PROTOCOL-HTTP2.md, "Timeout"). A value
 * that does not fit its unit is rounded up in the next one: a peer may learn of a later deadline
 * than ours, never of an earlier one. */
#include "wire/wire.h"

#include "base/text.h"

#define MAX_VALUE 99999999

static const struct {
    char letter;
    oyez_duration unit;
} units[] = {
    {'n', OYEZ_NANOSECOND}, {'u', OYEZ_MICROSECOND}, {'m', OYEZ_MILLISECOND},
    {'S', OYEZ_SECOND},     {'M', OYEZ_MINUTE},      {'H', OYEZ_HOUR},
};

#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))

size_t oy_timeout_encode(oyez_duration timeout, char dst[OY_TIMEOUT_MAX])
{
    if (timeout < 0)
        timeout = 0;
    size_t i = 0;
    oyez_duration value = timeout;
    /* INT64_MAX is 2,562,048 hours: the last unit always fits. */
    while (value > MAX_VALUE && i + 1 < UNIT_COUNT) {
        i++;
        value = timeout / units[i].unit + (timeout % units[i].unit != 0);
    }
    char digits[OY_TIMEOUT_MAX];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t k = 0; k < count; k++)
        dst[k] = digits[count - 1 - k];
    dst[count] = units[i].letter;
    return count + 1;
}

oyez_err oy_timeout_decode(oyez_str text, oyez_duration *ret_timeout)
{
    if (text.len < 2 || text.len > 9)
        return OYEZ_EINVAL;
    uint64_t value;
    if (!oy_parse_u64((oyez_str){text.data, text.len - 1}, &value))
        return OYEZ_EINVAL;
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (text.data[text.len - 1] != units[i].letter)
            continue;
        oyez_duration timeout;
        if (__builtin_mul_overflow((oyez_duration)value, units[i].unit, &timeout))
            timeout = OYEZ_FOREVER;
        *ret_timeout = timeout;
        return 0;
    }
    return OYEZ_EINVAL;
}

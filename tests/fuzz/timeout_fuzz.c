/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a grpc-timeout: what is accepted has the one form, is never negative, and survives
 * being written again. The same bytes also serve as a duration to write. */
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

int oy_fuzz_timeout(const uint8_t *data, size_t len);

static void check(bool condition)
{
    if (!condition)
        abort();
}

/* Written, it is never earlier; and what was written and read is a fixed point. */
static void check_written(oyez_duration timeout)
{
    char text[OY_TIMEOUT_MAX];
    size_t len = oy_timeout_encode(timeout, text);
    check(len >= 2 && len <= 9);
    oyez_duration back;
    check(oy_timeout_decode((oyez_str){text, len}, &back) == 0);
    check(back >= timeout && back >= 0);
    char again[OY_TIMEOUT_MAX];
    oyez_duration twice;
    check(oy_timeout_decode((oyez_str){again, oy_timeout_encode(back, again)}, &twice) == 0);
    check(twice == back);
}

int oy_fuzz_timeout(const uint8_t *data, size_t len)
{
    oyez_duration timeout = -1;
    oyez_err err = oy_timeout_decode((oyez_str){(const char *)data, len}, &timeout);
    check(err == 0 || (err == OYEZ_EINVAL && timeout == -1));
    if (!err) {
        check(len >= 2 && len <= 9);
        for (size_t i = 0; i + 1 < len; i++)
            check(data[i] >= '0' && data[i] <= '9');
        check(memchr("numSMH", data[len - 1], 6) != NULL);
        check(timeout >= 0);
        check_written(timeout);
    }
    if (len >= sizeof(timeout)) {
        memcpy(&timeout, data, sizeof(timeout));
        check_written(timeout);
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a google.rpc.Status: what is accepted is walked over to its end, lies within the bytes, and
 * survives being written again. */
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

int oy_fuzz_rpc_status(const uint8_t *data, size_t len);

static void check(bool condition)
{
    if (!condition)
        abort();
}

static void check_inside(oyez_str part, oyez_str whole)
{
    if (part.len > 0)
        check(part.data >= whole.data && part.data + part.len <= whole.data + whole.len);
}

static uint8_t *write_again(const oy_rpc_status *status, oyez_str bytes, size_t *ret_len)
{
    const oyez_str none = {"", 0};
    oyez_str rest = bytes, type_url, value;
    size_t room = oy_rpc_status_head_bytes(status->code, status->message.len), count = 0;
    while (oy_rpc_status_next_detail(&rest, &type_url, &value)) {
        check_inside(type_url, bytes);
        check_inside(value, bytes);
        room += oy_rpc_status_detail_bytes(type_url.len, value.len);
        count++;
    }
    check(count == status->details);
    uint8_t *copy = malloc(room), *at = copy;
    check(copy != NULL);
    at = oy_rpc_status_write_head(at, status->code, status->message);
    for (rest = bytes; oy_rpc_status_next_detail(&rest, &type_url, &value);)
        at = oy_rpc_status_write_detail(at, none, type_url, value);
    check(at == copy + room);
    *ret_len = room;
    return copy;
}

int oy_fuzz_rpc_status(const uint8_t *data, size_t len)
{
    const oyez_str bytes = {(const char *)data, len};
    oy_rpc_status status, again;
    size_t copy_len;
    if (!oy_rpc_status_parse(bytes, &status))
        return 0;
    check_inside(status.message, bytes);
    uint8_t *copy = write_again(&status, bytes, &copy_len);
    check(oy_rpc_status_parse((oyez_str){(const char *)copy, copy_len}, &again));
    check(again.code == status.code && again.details == status.details);
    check(again.message.len == status.message.len);
    check(status.message.len == 0 ||
          memcmp(again.message.data, status.message.data, status.message.len) == 0);
    free(copy);
    return 0;
}

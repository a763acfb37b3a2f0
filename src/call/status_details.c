/* SPDX-License-Identifier: Apache-2.0 */
/* Details of a status: a google.rpc.Status is built, and walked over, in its serialised form. Adding a detail is adding bytes at
 * the end, which is what a repeated field of protobuf is. */
#include <string.h>

#include <oyez/status.h>

#include "base/size.h"
#include "base/text.h"
#include "call/status.h"
#include "mem/mem.h"
#include "wire/wire.h"

static const oyez_str usual_prefix = { "type.googleapis.com/", 20 };

/* Bytes of what stands in front of the new detail; 0: there is no place for it. */
static size_t front_bytes(const oyez_status *status, oyez_str details)
{
    return details.len > 0 ? details.len : oy_rpc_status_head_bytes((int32_t)status->code, status->message_len);
}

static uint8_t *write_front(uint8_t *dst, const oyez_status *status, oyez_str details)
{
    if (details.len == 0)
        return oy_rpc_status_write_head(dst, (int32_t)status->code, (oyez_str){ status->message, status->message_len });
    memcpy(dst, details.data, details.len);
    return dst + details.len;
}

oyez_err oyez_status_add_detail(oyez_status *status, const char *type_url, const void *bytes, size_t len)
{
    oy_rpc_status parsed;
    oyez_block *block;
    size_t total;
    if (!status || status->code == OYEZ_OK || !type_url || type_url[0] == '\0' || (!bytes && len > 0))
        return OYEZ_EINVAL;
    oyez_str type = oy_str(type_url), prefix = strchr(type_url, '/') ? OYEZ_STR("") : usual_prefix;
    oyez_str details = oyez_status_details(status);
    if (!oy_utf8_valid(type) || !oy_rpc_status_parse(details, &parsed))
        return OYEZ_EINVAL;
    /* Its message must be UTF-8 to be a string of protobuf. */
    if (details.len == 0 && !oy_utf8_valid((oyez_str){ status->message, status->message_len }))
        return OYEZ_EINVAL;
    size_t front = front_bytes(status, details), detail = oy_rpc_status_detail_bytes(prefix.len + type.len, len);
    if (front == 0 || detail == 0 || !oy_add_size(front, detail, &total))
        return OYEZ_ELIMIT;
    oyez_err err = oyez_block_new(NULL, total, &block);
    if (err)
        return err;
    uint8_t *start = oyez_block_data(block);
    (void)oy_rpc_status_write_detail(write_front(start, status, details), prefix, type, (oyez_str){ bytes, len });
    err = oyez_status_set_details(status, start, total);
    oyez_block_unref(block);
    return err;
}

size_t oyez_status_detail_count(const oyez_status *status)
{
    oy_rpc_status parsed;
    return oy_rpc_status_parse(oyez_status_details(status), &parsed) ? parsed.details : 0;
}

bool oyez_status_detail_at(const oyez_status *status, size_t index, oyez_str *ret_type_url, oyez_str *ret_value)
{
    oyez_str rest = oyez_status_details(status), type_url, value;
    do {
        if (!oy_rpc_status_next_detail(&rest, &type_url, &value))
            return false;
    } while (index-- > 0);
    if (ret_type_url)
        *ret_type_url = type_url;
    if (ret_value)
        *ret_value = value;
    return true;
}

static oyez_str behind_last_slash(oyez_str text)
{
    size_t at = text.len;
    while (at > 0 && text.data[at - 1] != '/')
        at--;
    return (oyez_str){ text.data + at, text.len - at };
}

oyez_str oyez_status_find_detail(const oyez_status *status, const char *type)
{
    oyez_str rest = oyez_status_details(status), wanted = oy_str(type), type_url, value;
    while (oy_rpc_status_next_detail(&rest, &type_url, &value))
        if (oy_str_eq(behind_last_slash(type_url), wanted))
            return value;
    return (oyez_str){ NULL, 0 };
}

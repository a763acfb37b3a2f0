/* SPDX-License-Identifier: Apache-2.0 */
/* google.rpc.Status, read and written by hand: three fields of it, and two of the Any inside, are all that
 * gRPC itself needs to know of protobuf. What is unknown is skipped; groups are refused. */
#include <string.h>

#include "base/text.h"
#include "wire/wire.h"

/* The format's own limit, and far beyond any header. */
#define MAX_BYTES 0x7fffffffu

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
enum { STATUS_CODE = 1, STATUS_MESSAGE = 2, STATUS_DETAILS = 3, ANY_TYPE_URL = 1, ANY_VALUE = 2 };

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct field {
    uint32_t number;
    unsigned type;
    uint64_t varint;
    oyez_str bytes;
} field;

static bool take(oyez_str *rest, size_t len, oyez_str *ret_taken)
{
    if (len > rest->len)
        return false;
    *ret_taken = (oyez_str){rest->data, len};
    rest->data += len;
    rest->len -= len;
    return true;
}

static bool take_varint(oyez_str *rest, uint64_t *ret_value)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 10 && i < rest->len; i++) {
        const uint8_t byte = (uint8_t)rest->data[i];
        if (i < 9)
            value |= (uint64_t)(byte & 0x7f) << (7 * i);
        else if (byte > 1)
            return false;
        else
            value |= (uint64_t)byte << 63;
        if (byte < 0x80) {
            rest->data += i + 1;
            rest->len -= i + 1;
            *ret_value = value;
            return true;
        }
    }
    return false;
}

/* False: malformed. `rest` is not empty. */
static bool take_field(oyez_str *rest, field *ret_field)
{
    uint64_t tag, len;
    if (!take_varint(rest, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
        return false;
    ret_field->number = (uint32_t)(tag >> 3);
    ret_field->type = (unsigned)(tag & 7);
    switch (ret_field->type) {
    case VARINT:
        return take_varint(rest, &ret_field->varint);
    case FIXED64:
        return take(rest, 8, &ret_field->bytes);
    case FIXED32:
        return take(rest, 4, &ret_field->bytes);
    case BYTES:
        return take_varint(rest, &len) && len <= rest->len && take(rest, (size_t)len, &ret_field->bytes);
    default:
        return false;
    }
}

static bool is(const field *found, uint32_t number, unsigned type)
{
    return found->number == number && found->type == type;
}

static bool parse_any(oyez_str bytes, oyez_str *ret_type_url, oyez_str *ret_value)
{
    field found;
    *ret_type_url = *ret_value = (oyez_str){"", 0};
    while (bytes.len > 0) {
        if (!take_field(&bytes, &found))
            return false;
        if (is(&found, ANY_TYPE_URL, BYTES))
            *ret_type_url = found.bytes;
        else if (is(&found, ANY_VALUE, BYTES))
            *ret_value = found.bytes;
    }
    return oy_utf8_valid(*ret_type_url);
}

bool oy_rpc_status_parse(oyez_str bytes, oy_rpc_status *ret_status)
{
    field found;
    oyez_str type_url, value;
    *ret_status = (oy_rpc_status){.message = {"", 0}};
    while (bytes.len > 0) {
        if (!take_field(&bytes, &found))
            return false;
        if (is(&found, STATUS_CODE, VARINT)) {
            ret_status->code = (int32_t)(uint32_t)found.varint;
        } else if (is(&found, STATUS_MESSAGE, BYTES)) {
            ret_status->message = found.bytes;
        } else if (is(&found, STATUS_DETAILS, BYTES)) {
            if (!parse_any(found.bytes, &type_url, &value))
                return false;
            ret_status->details++;
        }
    }
    return oy_utf8_valid(ret_status->message);
}

bool oy_rpc_status_next_detail(oyez_str *rest, oyez_str *ret_type_url, oyez_str *ret_value)
{
    field found;
    while (rest->len > 0 && take_field(rest, &found))
        if (is(&found, STATUS_DETAILS, BYTES))
            return parse_any(found.bytes, ret_type_url, ret_value);
    return false;
}

/* --- writing ---------------------------------------------------------------------------------- */

static size_t varint_bytes(uint64_t value)
{
    size_t bytes = 1;
    while (value >>= 7)
        bytes++;
    return bytes;
}

static uint8_t *write_varint(uint8_t *dst, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *dst++ = (uint8_t)(value | 0x80);
    *dst++ = (uint8_t)value;
    return dst;
}

/* An empty one is left out, as proto3 does. All field numbers here have tags of one byte. */
static size_t bytes_field_bytes(size_t len)
{
    return len ? 1 + varint_bytes(len) + len : 0;
}

static uint8_t *write_tag(uint8_t *dst, uint32_t number, unsigned type)
{
    return write_varint(dst, number << 3 | type);
}

static uint8_t *write_bytes(uint8_t *dst, oyez_str bytes)
{
    if (bytes.len > 0)
        memcpy(dst, bytes.data, bytes.len);
    return dst + bytes.len;
}

/* int32 is sign-extended on the wire. */
static uint64_t extend(int32_t code)
{
    return (uint64_t)(int64_t)code;
}

size_t oy_rpc_status_head_bytes(int32_t code, size_t message_len)
{
    if (message_len > MAX_BYTES)
        return 0;
    return 1 + varint_bytes(extend(code)) + bytes_field_bytes(message_len);
}

static size_t any_bytes(size_t type_url_len, size_t value_len)
{
    return bytes_field_bytes(type_url_len) + bytes_field_bytes(value_len);
}

size_t oy_rpc_status_detail_bytes(size_t type_url_len, size_t value_len)
{
    if (type_url_len > MAX_BYTES / 4 || value_len > MAX_BYTES / 4)
        return 0;
    size_t any = any_bytes(type_url_len, value_len);
    return 1 + varint_bytes(any) + any;
}

uint8_t *oy_rpc_status_write_head(uint8_t *dst, int32_t code, oyez_str message)
{
    dst = write_varint(write_tag(dst, STATUS_CODE, VARINT), extend(code));
    if (message.len == 0)
        return dst;
    dst = write_varint(write_tag(dst, STATUS_MESSAGE, BYTES), message.len);
    return write_bytes(dst, message);
}

uint8_t *oy_rpc_status_write_detail(uint8_t *dst, oyez_str prefix, oyez_str type, oyez_str value)
{
    const size_t type_url_len = prefix.len + type.len;
    dst = write_varint(write_tag(dst, STATUS_DETAILS, BYTES), any_bytes(type_url_len, value.len));
    if (type_url_len > 0) {
        dst = write_varint(write_tag(dst, ANY_TYPE_URL, BYTES), type_url_len);
        dst = write_bytes(write_bytes(dst, prefix), type);
    }
    if (value.len > 0)
        dst = write_bytes(write_varint(write_tag(dst, ANY_VALUE, BYTES), value.len), value);
    return dst;
}

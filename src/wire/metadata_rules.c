/* SPDX-License-Identifier: Apache-2.0 */
/* What a metadata key and value may look like on the wire (PROTOCOL-HTTP2.md, "Custom-Metadata"),
 * which keys an application never sees nor sets, and the lists that -bin headers may be. */
#include "wire/wire.h"

#include <string.h>

#include "base/base64.h"
#include "base/text.h"

static bool is_key_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

bool oy_metadata_key_valid(oyez_str key)
{
    for (size_t i = 0; i < key.len; i++)
        if (!is_key_char(key.data[i]))
            return false;
    return key.len > 0;
}

bool oy_metadata_value_valid(oyez_str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (value.data[i] < 0x20 || value.data[i] > 0x7e)
            return false;
    return true;
}

bool oy_metadata_key_is_bin(oyez_str key)
{
    return oy_str_ends(key, OYEZ_STR("-bin"));
}

bool oy_metadata_key_reserved(oyez_str key)
{
    static const oyez_str reserved[] = {
        /* gRPC's own */
        {"te", 2},
        {"content-type", 12},
        {"user-agent", 10},
        {"grpc-status", 11},
        {"grpc-message", 12},
        {"grpc-timeout", 12},
        {"grpc-encoding", 13},
        {"grpc-message-type", 17},
        /* RFC 9113 §8.2.2 and §8.1.1: these would make the request malformed. */
        {"host", 4},
        {"upgrade", 7},
        {"connection", 10},
        {"keep-alive", 10},
        {"content-length", 14},
        {"proxy-connection", 16},
        {"transfer-encoding", 17},
    };
    if (key.len > 0 && key.data[0] == ':')
        return true;
    for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
        if (oy_str_eq(key, reserved[i]))
            return true;
    return false;
}

static oyez_str trim(oyez_str text)
{
    while (text.len > 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
        text.data++;
        text.len--;
    }
    while (text.len > 0 && (text.data[text.len - 1] == ' ' || text.data[text.len - 1] == '\t'))
        text.len--;
    return text;
}

bool oy_bin_next(oyez_str *rest, void *dst, size_t *ret_len, oyez_err *ret_err)
{
    /* An empty header has one empty value, so "nothing is left" needs a mark of its own. */
    static const char finished[1];
    if (rest->data == finished)
        return false;

    oyez_str value = *rest;
    const char *comma = rest->len > 0 ? memchr(rest->data, ',', rest->len) : NULL;
    if (comma) {
        value.len = (size_t)(comma - rest->data);
        rest->data += value.len + 1;
        rest->len -= value.len + 1;
    } else {
        *rest = (oyez_str){finished, 0};
    }
    value = trim(value);
    *ret_len = 0;
    *ret_err = value.len > 0 ? oy_base64_decode(value, dst, ret_len) : 0;
    return true;
}

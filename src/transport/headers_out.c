/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata between the API, where -bin values are raw bytes, and the wire, where they are base64. */
#include "transport/headers_out.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/base64.h"
#include "base/text.h"

static size_t wire_len(const oy_field *field)
{
    return field->is_bin ? oy_base64_encoded_len(field->value.len) : field->value.len;
}

void oy_metadata_measure(const oy_field *fields, size_t count, size_t *list_bytes, size_t *max_bytes)
{
    for (size_t i = 0; i < count; i++)
        oy_header_measure(fields[i].key.len, wire_len(&fields[i]), list_bytes, max_bytes);
}

static bool is_secret(oyez_str key)
{
    return oy_str_eq(key, OYEZ_STR("authorization")) || oy_str_eq(key, OYEZ_STR("cookie"));
}

void oy_metadata_add(oy_h2_conn *h2, oy_h2_block *block, const oy_field *fields, size_t count, oyez_arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        oyez_str value = fields[i].value;
        if (fields[i].is_bin) {
            char *text = oy_arena_alloc(arena, oy_base64_encoded_len(value.len) + 1);
            if (!text)
                continue;
            value.len = oy_base64_encode(value.data, value.len, text);
            value.data = text;
        }
        oy_h2_block_add(h2, block, fields[i].key, value,
                        is_secret(fields[i].key) ? OY_HPACK_NEVER : OY_HPACK_LITERAL);
    }
}

#define SMALL_BIN 512u

/* Each value of a list counts like a field of its own: a comma in the HPACK table, sent again and again by its index,
 * would otherwise become an entry of some dozen bytes each time. */
static bool count_value(oy_stream *stream, size_t key_len)
{
    stream->list_extra += (uint32_t)key_len + 32;
    return stream->list_extra <= stream->conn->header_list_bytes;
}

oy_delivery oy_metadata_deliver(oy_stream *stream, const oy_hpack_field *field, bool trailer)
{
    char small[SMALL_BIN];
    if (!oy_metadata_key_is_bin(field->name)) {
        stream->events->on_metadata(stream, field->name, field->value, trailer);
        return OY_DELIVERED;
    }
    size_t max = oy_base64_decoded_max(field->value.len);
    char *bytes = max <= sizeof(small) ? small : oy_alloc(max);
    if (!bytes)
        return OY_DELIVERED; /* out of memory: the entry is lost, the call goes on */
    oyez_str rest = field->value;
    size_t len;
    oyez_err err = OYEZ_NO_ERR;
    oy_delivery result = OY_DELIVERED;
    for (bool first = true; result == OY_DELIVERED && oy_bin_next(&rest, bytes, &len, &err); first = false) {
        if (err)
            result = OY_DELIVER_BAD_BASE64;
        else if (!first && !count_value(stream, field->name.len))
            result = OY_DELIVER_TOO_MANY;
        else
            stream->events->on_metadata(stream, field->name, (oyez_str){ bytes, len }, trailer);
    }
    if (bytes != small)
        oy_free(bytes);
    return result;
}

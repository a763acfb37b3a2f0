/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata on its way out: measuring, and base64 for -bin keys. Private to src/transport. */
#ifndef OY_TRANSPORT_HEADERS_OUT_H
#define OY_TRANSPORT_HEADERS_OUT_H

#include "transport/conn.h"

/* Adds what the fields will take to the two sums. */
void oy_metadata_measure(const oy_field *fields, size_t count, size_t *list_bytes, size_t *max_bytes);
/* Encodes them: -bin values without padding, secrets (authorization) never indexed, all others as literals. A -bin
 * value is encoded in `arena`; without memory the entry is left out. */
void oy_metadata_add(oy_h2_conn *h2, oy_h2_block *block, const oy_field *fields, size_t count, oyez_arena *arena);

/* One field more that is not in a cached set. */
static inline void oy_header_measure(size_t name_len, size_t value_len, size_t *list_bytes, size_t *max_bytes)
{
    *list_bytes += name_len + value_len + 32;
    *max_bytes += oy_hpack_field_max(name_len, value_len);
}

typedef enum oy_delivery {
    OY_DELIVERED,
    OY_DELIVER_BAD_BASE64,
    OY_DELIVER_TOO_MANY,   /* the values of -bin lists would make the header list larger than we accept */
} oy_delivery;

/* Receiving: decodes the values of a metadata field and hands them to on_metadata. */
oy_delivery oy_metadata_deliver(oy_stream *stream, const oy_hpack_field *field, bool trailer);

#endif

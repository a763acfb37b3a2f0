/* SPDX-License-Identifier: Apache-2.0 */
/* For tests and fuzz targets: a whole block through libnghttp2's inflater. */
#ifndef OY_HPACK_TEST_NGHTTP2_H
#define OY_HPACK_TEST_NGHTTP2_H

#include <nghttp2/nghttp2.h>

#include "support/hpack_fields.h"

/* Adds the fields to `fields`; false: it refuses the block. */
static inline bool test_nghttp2_inflate(nghttp2_hd_inflater *inflater, const uint8_t *block,
                                        size_t len, test_fields *fields)
{
    for (;;) {
        nghttp2_nv field;
        int flags = 0;
        ssize_t used = nghttp2_hd_inflate_hd2(inflater, &field, &flags, block, len, 1);
        if (used < 0)
            return false;
        block += used;
        len -= (size_t)used;
        if (flags & NGHTTP2_HD_INFLATE_EMIT)
            test_fields_add(fields, (oyez_str){(const char *)field.name, field.namelen},
                            (oyez_str){(const char *)field.value, field.valuelen})
                ->never_index = field.flags & NGHTTP2_NV_FLAG_NO_INDEX;
        if (flags & NGHTTP2_HD_INFLATE_FINAL)
            return nghttp2_hd_inflate_end_headers(inflater) == 0;
        if (!(flags & NGHTTP2_HD_INFLATE_EMIT) && len == 0)
            return false;
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as header blocks, several on one decoder. Where libnghttp2 is at hand, both must give the
 * same fields, or both refuse.
 *
 * Input: a byte of choices, then blocks, each behind a length of two bytes (the last one may be cut).
 * Bits 0-1: table size, bit 2: a small list limit, bit 3: the callback stops early. */
#include <stdlib.h>

#include "hpack/hpack.h"
#include "support/hpack_fields.h"
#if defined(OY_FUZZ_NGHTTP2)
#include "hpack/test_nghttp2.h"
#endif

int oy_fuzz_hpack_decode(const uint8_t *data, size_t len);

#define LIST_BYTES 500000u /* test_fields has room for it */

static test_fields ours;
#if defined(OY_FUZZ_NGHTTP2)
static test_fields theirs;
#endif

static void require(bool truth)
{
    if (!truth)
        abort();
}

static uint32_t list_size(const test_fields *fields)
{
    return (uint32_t)(fields->bytes_used + 32 * fields->count);
}

/* What must hold whatever came in. */
static void check_result(const oy_hpack_result *result, const oy_hpack_decoder_limits *limits)
{
    require(list_size(&ours) <= limits->list_bytes);
    require(result->over_limit == (result->list_bytes > limits->list_bytes));
    if (!result->over_limit && ours.stop_after == 0)
        require(result->list_bytes == list_size(&ours));
    require(ours.stop_after == 0 || ours.count <= ours.stop_after);
}

int oy_fuzz_hpack_decode(const uint8_t *data, size_t len)
{
    static const uint32_t tables[] = {4096, 0, 256, 16384};
    if (len == 0)
        return 0;
    const uint8_t choices = *data++;
    len--;
    const oy_hpack_decoder_limits limits = {
        .table_bytes = tables[choices & 3],
        .list_bytes = choices & 4 ? 200 : LIST_BYTES,
        .size_updates = UINT32_MAX,
    };
    oy_hpack_decoder *decoder = NULL;
    require(oy_hpack_decoder_new(&limits, &decoder) == 0);
    oy_hpack_decoder_settings_acked(decoder);
    ours.stop_after = choices & 8 ? 3 : 0;
#if defined(OY_FUZZ_NGHTTP2)
    nghttp2_hd_inflater *inflater = NULL;
    require(nghttp2_hd_inflate_new(&inflater) == 0);
    require(nghttp2_hd_inflate_change_table_size(inflater, limits.table_bytes) == 0);
#endif

    while (len >= 2) {
        size_t size = (size_t)data[0] << 8 | data[1];
        data += 2, len -= 2;
        if (size > len)
            size = len;
        uint8_t *block = malloc(size > 0 ? size : 1); /* exactly: a sanitizer sees one too many */
        require(block != NULL);
        if (size > 0)
            memcpy(block, data, size);
        data += size, len -= size;

        oy_hpack_result result;
        const char *words = NULL;
        test_fields_clear(&ours);
        oyez_err err =
            oy_hpack_decode(decoder, block, size, test_fields_collect, &ours, &result, &words);
        require(err == 0 || (err == OYEZ_EPROTO && words != NULL));
        if (!err)
            check_result(&result, &limits);
#if defined(OY_FUZZ_NGHTTP2)
        test_fields_clear(&theirs);
        const bool good = test_nghttp2_inflate(inflater, block, size, &theirs);
        if (good)
            require(err == 0);
        else if (!err) /* what is past our limit is not looked at so closely */
            require(result.over_limit);
        if (good && !result.over_limit) {
            if (ours.stop_after > 0 && theirs.count > ours.stop_after)
                theirs.count = ours.stop_after;
            require(test_fields_equal(&ours, &theirs));
        } else if (good) {
            require(ours.count < theirs.count || ours.stop_after > 0);
            theirs.count = ours.count;
            require(test_fields_equal(&ours, &theirs));
        }
        if (!good)
            err = OYEZ_EPROTO;
#endif
        free(block);
        if (err)
            break;
    }
#if defined(OY_FUZZ_NGHTTP2)
    nghttp2_hd_inflate_del(inflater);
#endif
    oy_hpack_decoder_free(decoder);
    return 0;
}

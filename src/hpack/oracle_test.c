/* SPDX-License-Identifier: Apache-2.0 */
/* Another implementation's opinion, libnghttp2's: what it writes we read, what we write it reads, and the
 * Huffman codes are the same. Without the library these tests are skipped, and say so. */
#include "hpack/hpack.h"

#include <string.h>

#include "support/hpack_fields.h"
#include "support/leak.h"
#include "support/test.h"

#if defined(OY_TEST_NGHTTP2)
#include "hpack/test_nghttp2.h"

#define ROUNDS 40
#define BLOCKS 60

static uint8_t block[1u << 18];
static test_fields got, wanted;

/* Fields of a small world, with some long and some binary strings. */
static void random_fields(uint64_t *seed, test_fields *fields)
{
    static const char *const names[] = {":path",  ":status",     "te",    "x-trace", "user-agent",
                                        "accept", "grpc-status", "x-bin", "cookie",  "n"};
    char text[900];

    test_fields_clear(fields);
    for (unsigned n = test_random(seed, 15); n > 0; n--) {
        size_t len = test_random(seed, test_random(seed, 20) == 0 ? 900 : 6);
        const bool binary = test_random(seed, 4) == 0;
        for (size_t i = 0; i < len; i++)
            text[i] = (char)(binary ? test_random(seed, 256) : 'a' + test_random(seed, 2));
        test_field *field =
            test_fields_add(fields, oy_str(names[test_random(seed, 10)]), (oyez_str){text, len});
        field->never_index = test_random(seed, 10) == 0;
    }
}

static void it_writes_we_read(void **state)
{
    uint64_t seed = 21;
    (void)state;

    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t table = round % 2 ? 4096 : test_random(&seed, 9000);
        const oy_hpack_decoder_limits limits = {table, UINT32_MAX, 2};
        oy_hpack_decoder *decoder = NULL;
        nghttp2_hd_deflater *deflater = NULL;
        assert_ok(oy_hpack_decoder_new(&limits, &decoder));
        assert_int_equal(nghttp2_hd_deflate_new(&deflater, table), 0);
        oy_hpack_decoder_settings_acked(decoder);

        for (unsigned n = 0; n < BLOCKS; n++) {
            while (test_random(&seed, 8) == 0)
                nghttp2_hd_deflate_change_table_size(deflater, test_random(&seed, table + 1));
            random_fields(&seed, &wanted);
            nghttp2_nv list[16];
            for (size_t i = 0; i < wanted.count; i++)
                list[i] = (nghttp2_nv){
                    .name = (uint8_t *)(uintptr_t)wanted.list[i].name.data,
                    .namelen = wanted.list[i].name.len,
                    .value = (uint8_t *)(uintptr_t)wanted.list[i].value.data,
                    .valuelen = wanted.list[i].value.len,
                    .flags = wanted.list[i].never_index ? NGHTTP2_NV_FLAG_NO_INDEX
                                                        : NGHTTP2_NV_FLAG_NONE,
                };
            ssize_t len = nghttp2_hd_deflate_hd(deflater, block, sizeof(block), list, wanted.count);
            assert_true(len >= 0);

            oy_hpack_result result;
            const char *words = "";
            test_fields_clear(&got);
            oyez_err err = oy_hpack_decode(decoder, block, (size_t)len, test_fields_collect, &got,
                                           &result, &words);
            if (err)
                fail_msg("round %u, block %u: %s", round, n, words);
            /* It indexes what it was told not to when the table has it already. */
            assert_int_equal(got.count, wanted.count);
            for (size_t i = 0; i < got.count; i++) {
                assert_true(oy_str_eq(got.list[i].name, wanted.list[i].name));
                assert_true(oy_str_eq(got.list[i].value, wanted.list[i].value));
            }
        }
        nghttp2_hd_deflate_del(deflater);
        oy_hpack_decoder_free(decoder);
    }
}

static void we_write_it_reads(void **state)
{
    uint64_t seed = 22;
    (void)state;

    for (unsigned round = 0; round < ROUNDS; round++) {
        oy_hpack_encoder *encoder = NULL;
        nghttp2_hd_inflater *inflater = NULL;
        assert_ok(oy_hpack_encoder_new(round % 2 ? 4096 : test_random(&seed, 9000), &encoder));
        assert_int_equal(nghttp2_hd_inflate_new(&inflater), 0);

        for (unsigned n = 0; n < BLOCKS; n++) {
            while (test_random(&seed, 8) == 0) {
                uint32_t limit = test_random(&seed, test_random(&seed, 4) == 0 ? 300 : 9000);
                oy_hpack_encoder_set_peer_limit(encoder, limit);
                assert_int_equal(nghttp2_hd_inflate_change_table_size(inflater, limit), 0);
            }
            random_fields(&seed, &wanted);
            size_t len = oy_hpack_encode_begin(encoder, block);
            for (size_t i = 0; i < wanted.count; i++)
                len += oy_hpack_encode(encoder, wanted.list[i].name, wanted.list[i].value,
                                       wanted.list[i].never_index   ? OY_HPACK_NEVER
                                       : test_random(&seed, 3) == 0 ? OY_HPACK_LITERAL
                                                                    : OY_HPACK_INDEX,
                                       block + len);
            test_fields_clear(&got);
            if (!test_nghttp2_inflate(inflater, block, len, &got))
                fail_msg("round %u, block %u: it refuses", round, n);
            assert_true(test_fields_equal(&got, &wanted));
        }
        nghttp2_hd_inflate_del(inflater);
        oy_hpack_encoder_free(encoder);
    }
}

/* Each code, taken out of what the other deflater makes of a value of eight times the same byte: that is
 * a whole number of bytes, without padding. */
static void huffman_codes(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint8_t value[8], ours[64], theirs[128];
        nghttp2_hd_deflater *deflater = NULL;
        memset(value, (int)byte, sizeof(value));
        const oyez_str text = {(const char *)value, sizeof(value)};
        const size_t len = oy_huffman_encode(text, ours);
        if (len >= sizeof(value)) {
            /* It would not be coded: only reading compares. `len` bytes are less than 127. */
            nghttp2_hd_inflater *inflater = NULL;
            const uint8_t head[] = {0x00, 0x01, 'n', (uint8_t)(0x80 | len)};
            memcpy(theirs, head, sizeof(head));
            memcpy(theirs + sizeof(head), ours, len);
            assert_int_equal(nghttp2_hd_inflate_new(&inflater), 0);
            test_fields_clear(&got);
            assert_true(test_nghttp2_inflate(inflater, theirs, sizeof(head) + len, &got));
            assert_int_equal(got.count, 1);
            assert_true(oy_str_eq(got.list[0].value, text));
            nghttp2_hd_inflate_del(inflater);
            continue;
        }
        nghttp2_nv field = {(uint8_t *)(uintptr_t)"n", value, 1, sizeof(value),
                            NGHTTP2_NV_FLAG_NO_INDEX};
        assert_int_equal(nghttp2_hd_deflate_new(&deflater, 4096), 0);
        ssize_t size = nghttp2_hd_deflate_hd(deflater, theirs, sizeof(theirs), &field, 1);
        assert_true(size > (ssize_t)len);
        assert_memory_equal(theirs + (size_t)size - len, ours, len);
        nghttp2_hd_deflate_del(deflater);
    }
}

#else
static void it_writes_we_read(void **state)
{
    (void)state;
    skip();
}

#define we_write_it_reads it_writes_we_read
#define huffman_codes     it_writes_we_read
#endif

OY_TEST_GROUP(hpack_oracle, oy_leak_test(it_writes_we_read), oy_leak_test(we_write_it_reads),
              oy_leak_test(huffman_codes));

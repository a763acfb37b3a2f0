/* SPDX-License-Identifier: Apache-2.0 */
/* The Huffman code by itself. Another implementation's verdict is in oracle_test.c. */
#include "hpack/huffman.h"

#include <string.h>

#include "support/hpack_fields.h"
#include "support/leak.h"
#include "support/test.h"

static void known_string(void **state)
{
    uint8_t expected[16], coded[16];
    char text[32];
    const oyez_str name = OYEZ_STR("www.example.com");
    size_t len = test_hex("f1e3 c2e5 f23a 6ba0 ab90 f4ff", expected);
    (void)state;

    assert_int_equal(oy_huffman_encoded_len(name), len);
    assert_int_equal(oy_huffman_encode(name, coded), len);
    assert_memory_equal(coded, expected, len);
    assert_int_equal(oy_huffman_decode(coded, len, text, &len), 0);
    assert_int_equal(len, name.len);
    assert_memory_equal(text, name.data, len);
}

static void every_pair_of_bytes(void **state)
{
    uint8_t coded[16];
    (void)state;

    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            const char text[3] = {(char)a, (char)b, (char)a};
            const size_t len = oy_huffman_encode((oyez_str){text, 3}, coded);
            char back[32];
            size_t back_len = 0;
            assert_int_equal(len, oy_huffman_encoded_len((oyez_str){text, 3}));
            assert_int_equal(oy_huffman_decode(coded, len, back, &back_len), 0);
            assert_int_equal(back_len, 3);
            assert_memory_equal(back, text, 3);
        }
    }
}

static void long_strings(void **state)
{
    uint64_t seed = 7;
    (void)state;

    for (unsigned round = 0; round < 2000; round++) {
        char text[300];
        uint8_t coded[300 * 4];
        const size_t len = test_random(&seed, sizeof(text));
        const bool ascii = round % 2;
        for (size_t i = 0; i < len; i++)
            text[i] = (char)(ascii ? 32 + test_random(&seed, 95) : test_random(&seed, 256));
        size_t coded_len = oy_huffman_encode((oyez_str){text, len}, coded);
        assert_int_equal(coded_len, oy_huffman_encoded_len((oyez_str){text, len}));
        assert_true(len <= oy_huffman_decoded_max(coded_len));

        char *back = malloc(len + 1); /* no spare byte: a sanitizer sees one too many */
        size_t back_len = 0;
        assert_non_null(back);
        assert_int_equal(oy_huffman_decode_upto(coded, coded_len, back, len, &back_len), 0);
        assert_int_equal(back_len, len);
        assert_memory_equal(back, text, len);
        if (len > 0)
            assert_int_equal(oy_huffman_decode_upto(coded, coded_len, back, len - 1, &back_len),
                             OYEZ_ELIMIT);
        free(back);
    }
}

static oyez_err decode_hex(const char *hex)
{
    uint8_t coded[64];
    char text[128];
    size_t len = 0;
    return oy_huffman_decode(coded, test_hex(hex, coded), text, &len);
}

static void padding(void **state)
{
    (void)state;
    assert_int_equal(decode_hex(""), 0);
    assert_int_equal(decode_hex("07"), 0);             /* "0", three ones */
    assert_int_equal(decode_hex("06"), OYEZ_EPROTO);   /* a zero in the padding */
    assert_int_equal(decode_hex("00"), OYEZ_EPROTO);   /* likewise */
    assert_int_equal(decode_hex("07ff"), OYEZ_EPROTO); /* eleven bits of padding */
    assert_int_equal(decode_hex("ff"), OYEZ_EPROTO);   /* eight, and nothing else */
    assert_int_equal(decode_hex("fe"), OYEZ_EPROTO);
    assert_int_equal(decode_hex("ff ff ff ff"), OYEZ_EPROTO);          /* EOS */
    assert_int_equal(decode_hex("07 ff ff ff ff ff"), OYEZ_EPROTO);    /* EOS behind "0" */
    assert_int_equal(decode_hex("ff ff ff fc 00 00 00"), OYEZ_EPROTO); /* EOS, then more */
    assert_int_equal(decode_hex("ff c7"), 0);                          /* 13 bits for NUL, padded */
    assert_int_equal(decode_hex("ff c0"), OYEZ_EPROTO);
}

OY_TEST_GROUP(hpack_huffman, oy_leak_test(known_string), oy_leak_test(every_pair_of_bytes),
              oy_leak_test(long_strings), oy_leak_test(padding));

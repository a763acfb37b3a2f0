/* SPDX-License-Identifier: Apache-2.0 */
/* grpc-message both ways. */
#include "support/test.h"

#include "base/random.h"
#include "base/text.h"
#include "wire/wire.h"

static void assert_encodes(oyez_str text, const char *expected)
{
    char encoded[256];
    assert_true(oy_percent_encoded_max(text.len) < sizeof(encoded));
    size_t len = oy_percent_encode(text, encoded, sizeof(encoded) - 1);
    encoded[len] = '\0';
    assert_string_equal(encoded, expected);
}

static void encodes(void **state)
{
    (void)state;
    assert_encodes(OYEZ_STR(""), "");
    assert_encodes(OYEZ_STR("a b~!\"/"), "a b~!\"/");
    assert_encodes(OYEZ_STR("100%"), "100%25");
    assert_encodes(OYEZ_STR("a\r\n\0b\x7f"), "a%0D%0A%00b%7F");
    assert_encodes(OYEZ_STR("\xe4\xbd\xa0"), "%E4%BD%A0");
    assert_encodes(OYEZ_STR("\xf0\x9f\x98\x80"), "%F0%9F%98%80");
    assert_encodes(OYEZ_STR("\xff\xfe"), "%EF%BF%BD%EF%BF%BD");
    assert_encodes(OYEZ_STR("x\xe4\xbd"), "x%EF%BF%BD%EF%BF%BD");
    assert_encodes(OYEZ_STR("\xed\xa0\x80"), "%EF%BF%BD%EF%BF%BD%EF%BF%BD"); /* a surrogate */
}

/* Never half a character, never half an escape. */
static void cuts_at_characters(void **state)
{
    (void)state;
    const oyez_str text = OYEZ_STR("ab\xe4\xbd\xa0%c");
    static const size_t expected[] = {0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 11, 11, 11, 14, 15, 15};
    for (size_t cap = 0; cap < sizeof(expected) / sizeof(expected[0]); cap++) {
        char encoded[32];
        memset(encoded, '#', sizeof(encoded));
        assert_int_equal(oy_percent_encode(text, encoded, cap), expected[cap]);
        for (size_t i = cap; i < sizeof(encoded); i++)
            assert_int_equal(encoded[i], '#');
    }
}

static void assert_decodes(const char *text, oyez_str expected)
{
    char decoded[64];
    size_t len = oy_percent_decode(oy_str(text), decoded);
    assert_int_equal(len, expected.len);
    assert_memory_equal(decoded, expected.data, len);
}

static void decodes(void **state)
{
    (void)state;
    assert_decodes("", OYEZ_STR(""));
    assert_decodes("a%20b", OYEZ_STR("a b"));
    assert_decodes("%0d%0A%00", OYEZ_STR("\r\n\0"));
    assert_decodes("%E4%BD%A0", OYEZ_STR("\xe4\xbd\xa0"));
    assert_decodes("%E4%BD", OYEZ_STR("\xe4\xbd")); /* not looked at again */
    assert_decodes("%", OYEZ_STR("%"));
    assert_decodes("%4", OYEZ_STR("%4"));
    assert_decodes("%zz", OYEZ_STR("%zz"));
    assert_decodes("%4z%%34", OYEZ_STR("%4z%4"));
    assert_decodes("%%%41", OYEZ_STR("%%A"));
}

/* Well-formed text survives the round trip; whatever else becomes well-formed; the bound holds. */
static void round_trip(void **state)
{
    (void)state;
    oy_random random = {99};
    for (int round = 0; round < 5000; round++) {
        char text[40], encoded[40 * 9], decoded[40 * 9];
        size_t len = oy_random_next(&random) % sizeof(text);
        for (size_t i = 0; i < len; i++)
            text[i] = (char)(oy_random_next(&random) >> (oy_random_next(&random) % 2 ? 8 : 57));
        size_t encoded_len = oy_percent_encode((oyez_str){text, len}, encoded, sizeof(encoded));
        assert_true(encoded_len <= oy_percent_encoded_max(len));
        assert_true(oy_metadata_value_valid((oyez_str){encoded, encoded_len}));
        size_t decoded_len = oy_percent_decode((oyez_str){encoded, encoded_len}, decoded);
        assert_true(oy_utf8_valid((oyez_str){decoded, decoded_len}));
        if (oy_utf8_valid((oyez_str){text, len})) {
            assert_int_equal(decoded_len, len);
            assert_memory_equal(decoded, text, len);
        }
        /* In place. */
        assert_int_equal(oy_percent_decode((oyez_str){encoded, encoded_len}, encoded), decoded_len);
        assert_memory_equal(encoded, decoded, decoded_len);
    }
}

OY_TEST_GROUP(wire_percent, cmocka_unit_test(encodes), cmocka_unit_test(cuts_at_characters),
              cmocka_unit_test(decodes), cmocka_unit_test(round_trip));

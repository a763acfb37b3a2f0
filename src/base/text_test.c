/* SPDX-License-Identifier: Apache-2.0 */
/* Strings, numbers and UTF-8. */
#include "base/text.h"

#include "support/test.h"

static void test_strings(void **state)
{
    oyez_str text = OYEZ_STR("dns:///host");
    (void)state;
    assert_int_equal(text.len, 11);
    assert_int_equal(oy_str(NULL).len, 0);
    assert_true(oy_str_eq(oy_str("a"), OYEZ_STR("a")));
    assert_false(oy_str_eq(oy_str("a"), OYEZ_STR("b")));
    assert_false(oy_str_eq(oy_str("a"), OYEZ_STR("ab")));
    assert_true(oy_str_eq(oy_str(NULL), OYEZ_STR("")));
    assert_true(oy_str_starts(text, OYEZ_STR("dns:")));
    assert_true(oy_str_starts(text, text));
    assert_true(oy_str_starts(text, oy_str(NULL)));
    assert_false(oy_str_starts(OYEZ_STR("dn"), OYEZ_STR("dns")));
    assert_false(oy_str_starts(text, OYEZ_STR("DNS")));
    assert_true(oy_str_ends(text, OYEZ_STR("host")));
    assert_true(oy_str_ends(text, oy_str(NULL)));
    assert_false(oy_str_ends(text, OYEZ_STR("Host")));
    assert_false(oy_str_ends(OYEZ_STR("t"), OYEZ_STR("st")));
}

static void test_numbers(void **state)
{
    static const char *const wrong[] = { "", "-1", "+1", " 1", "1 ", "0x1", "1a", "1.0",
                                         "12345678901234567890", "00000000000000000000", ":", "/" };
    uint64_t value = 7;
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(oy_parse_u64(oy_str(wrong[i]), &value));
    assert_false(oy_parse_u64((oyez_str){ "1\0", 2 }, &value));
    assert_int_equal(value, 7); /* not written */
    assert_true(oy_parse_u64(OYEZ_STR("0"), &value));
    assert_int_equal(value, 0);
    assert_true(oy_parse_u64(OYEZ_STR("0042"), &value));
    assert_int_equal(value, 42);
    assert_true(oy_parse_u64(OYEZ_STR("9999999999999999999"), &value));
    assert_true(value == 9999999999999999999u);
}

/* Writes the sequence of a code point as it is defined, surrogates included. */
static size_t write_utf8(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 63));
        out[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 63));
    out[2] = (char)(0x80 | (c >> 6 & 63));
    out[3] = (char)(0x80 | (c & 63));
    return 4;
}

static void test_each_code_point(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < 0x120000; c++) {
        char text[5];
        size_t len = write_utf8(c, text);
        bool valid = c < 0x110000 && (c < 0xd800 || c >= 0xe000);
        text[len] = 'x';
        if (oy_utf8_sequence((oyez_str){ text, len + 1 }) != (valid ? len : 0))
            fail_msg("U+%X", (unsigned)c);
        if (valid && oy_utf8_sequence((oyez_str){ text, len - 1 }) != 0)
            fail_msg("U+%X cut short", (unsigned)c);
    }
    assert_int_equal(oy_utf8_sequence((oyez_str){ NULL, 0 }), 0);
}

static void test_utf8(void **state)
{
    static const char *const wrong[] = {
        "\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80",
        "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xfe",
        "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc3(", "\xe2(\xa1", "\xe2\x82(", "\xf0(\x8c\xbc",
        "\xf0\x90(\xbc", "\xf0\x28\x8c\x28", "\xf0\x90\x8c(",
    };
    char text[40];
    (void)state;
    assert_true(oy_utf8_valid((oyez_str){ NULL, 0 }));
    assert_true(oy_utf8_valid((oyez_str){ "a\0b", 3 }));
    assert_true(oy_utf8_valid(OYEZ_STR("Gr\xc3\xbc\xc3\x9f Gott, \xe2\x82\xac 5 \xf0\x9f\x98\x80!!!!!!!!!")));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        for (size_t before = 0; before < 18; before++) { /* in each lane of the fast way */
            size_t len = strlen(wrong[i]);
            memset(text, 'a', sizeof(text));
            assert_true(oy_utf8_valid((oyez_str){ text, before }));
            memcpy(text + before, wrong[i], len);
            assert_false(oy_utf8_valid((oyez_str){ text, before + len }));
            assert_false(oy_utf8_valid((oyez_str){ text, sizeof(text) }));
        }
}

OY_TEST_GROUP(base_text, cmocka_unit_test(test_strings), cmocka_unit_test(test_numbers),
              cmocka_unit_test(test_each_code_point), cmocka_unit_test(test_utf8));

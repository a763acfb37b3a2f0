/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, values and -bin lists. */
#include "support/test.h"

#include "base/base64.h"
#include "base/text.h"
#include "wire/wire.h"

static void keys(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "0", "x-trace_id.v1", "key-bin", "-", "grpc-trace-bin"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(oy_metadata_key_valid(oy_str(good[i])));
    static const char *const bad[] = {"",    "A",     "a b",       "a:b", ":path",
                                      "k\n", "k\x7f", "k\xc3\xa9", "a/b"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(oy_metadata_key_valid(oy_str(bad[i])));
    assert_false(oy_metadata_key_valid(OYEZ_STR("a\0b")));
}

static void values(void **state)
{
    (void)state;
    assert_true(oy_metadata_value_valid(OYEZ_STR("")));
    assert_true(oy_metadata_value_valid(OYEZ_STR(" ~!%")));
    assert_false(oy_metadata_value_valid(OYEZ_STR("a\tb")));
    assert_false(oy_metadata_value_valid(OYEZ_STR("a\0")));
    assert_false(oy_metadata_value_valid(OYEZ_STR("\x7f")));
    assert_false(oy_metadata_value_valid(OYEZ_STR("\x80")));
    assert_false(oy_metadata_value_valid(OYEZ_STR("\xff")));
    assert_true(oy_metadata_key_is_bin(OYEZ_STR("k-bin")));
    assert_true(oy_metadata_key_is_bin(OYEZ_STR("-bin")));
    assert_false(oy_metadata_key_is_bin(OYEZ_STR("bin")));
    assert_false(oy_metadata_key_is_bin(OYEZ_STR("k-bin2")));
}

static void reserved(void **state)
{
    (void)state;
    static const char *const dropped[] = {":authority",
                                          ":x",
                                          "te",
                                          "content-type",
                                          "user-agent",
                                          "grpc-status",
                                          "grpc-message",
                                          "grpc-timeout",
                                          "grpc-encoding",
                                          "grpc-message-type",
                                          "connection",
                                          "host",
                                          "content-length",
                                          "transfer-encoding",
                                          "keep-alive",
                                          "proxy-connection",
                                          "upgrade"};
    for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
        assert_true(oy_metadata_key_reserved(oy_str(dropped[i])));
    static const char *const kept[] = {"",
                                       "grpc-previous-rpc-attempts",
                                       "grpc-retry-pushback-ms",
                                       "grpc-status-details-bin",
                                       "grpc-trace-bin",
                                       "grpc-tags-bin",
                                       "authorization",
                                       "grpc-statu",
                                       "te2",
                                       "t"};
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        assert_false(oy_metadata_key_reserved(oy_str(kept[i])));
}

/* Decodes a whole header; values are shown as "<hex>|<hex>", a bad one as "!". */
static void assert_list(oyez_str header, const char *expected)
{
    static const char hex[] = "0123456789abcdef";
    char shown[128] = "";
    size_t at = 0;
    oyez_str rest = header;
    for (;;) {
        uint8_t value[64];
        size_t len = 99;
        oyez_err err = 0;
        assert_true(oy_base64_decoded_max(rest.len) <= sizeof(value));
        if (!oy_bin_next(&rest, value, &len, &err))
            break;
        if (err) {
            assert_int_equal(err, OYEZ_EINVAL);
            shown[at++] = '!';
        } else {
            for (size_t i = 0; i < len; i++) {
                shown[at++] = hex[value[i] >> 4];
                shown[at++] = hex[value[i] & 15];
            }
        }
        shown[at++] = '|';
    }
    shown[at] = '\0';
    assert_string_equal(shown, expected);
}

static void bin_lists(void **state)
{
    (void)state;
    assert_list(OYEZ_STR("AAE"), "0001|");
    assert_list(OYEZ_STR("AAE="), "0001|");
    assert_list(OYEZ_STR("AAE,AAI="), "0001|0002|");
    assert_list(OYEZ_STR("AAE= \t,  AAI "), "0001|0002|");
    assert_list(OYEZ_STR(""), "|");
    assert_list((oyez_str){NULL, 0}, "|");
    assert_list(OYEZ_STR("A"), "!|");
    assert_list(OYEZ_STR("*!*"), "!|");
    assert_list(OYEZ_STR("_-_-"), "!|");
    assert_list(OYEZ_STR("AAE,*,AAI"), "0001|!|0002|");
    assert_list(OYEZ_STR("AAE,"), "0001||");
    assert_list(OYEZ_STR(",AAE"), "|0001|");
}

OY_TEST_GROUP(wire_metadata_rules, cmocka_unit_test(keys), cmocka_unit_test(values),
              cmocka_unit_test(reserved), cmocka_unit_test(bin_lists));

/* SPDX-License-Identifier: Apache-2.0 */
/* The tables from other protocols' numbers to codes. */
#include "support/test.h"

#include "base/text.h"
#include "wire/wire.h"

static void status_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t code;
    } good[] = {{"0", 0}, {"00", 0}, {"16", 16}, {"99", 99}, {"2147483647", INT32_MAX}};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        uint32_t code = 77;
        assert_true(oy_status_parse(oy_str(good[i].text), &code));
        assert_int_equal(code, good[i].code);
    }
    static const char *const bad[] = {"",
                                      "abc",
                                      "-1",
                                      "+1",
                                      " 0",
                                      "0 ",
                                      "0x0",
                                      "1.0",
                                      "2147483648",
                                      "4294967296",
                                      "18446744073709551616",
                                      "OK"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint32_t code = 77;
        assert_false(oy_status_parse(oy_str(bad[i]), &code));
        assert_int_equal(code, 77);
    }
}

static void http_statuses(void **state)
{
    (void)state;
    static const struct {
        uint32_t http;
        oyez_code code;
    } rows[] = {{400, OYEZ_INTERNAL},          {401, OYEZ_UNAUTHENTICATED},
                {403, OYEZ_PERMISSION_DENIED}, {404, OYEZ_UNIMPLEMENTED},
                {429, OYEZ_UNAVAILABLE},       {502, OYEZ_UNAVAILABLE},
                {503, OYEZ_UNAVAILABLE},       {504, OYEZ_UNAVAILABLE},
                {431, OYEZ_UNKNOWN},           {500, OYEZ_UNKNOWN},
                {418, OYEZ_UNKNOWN},           {200, OYEZ_UNKNOWN},
                {302, OYEZ_UNKNOWN},           {0, OYEZ_UNKNOWN}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(oy_code_from_http(rows[i].http), rows[i].code);
    for (uint32_t http = 0; http < 1000; http++)
        assert_int_not_equal(oy_code_from_http(http), OYEZ_OK);
    assert_string_equal(oy_http_status_text(404), "Not Found");
    assert_string_equal(oy_http_status_text(200), "OK");
    assert_string_equal(oy_http_status_text(299), "");
}

static void h2_errors(void **state)
{
    (void)state;
    static const oyez_code expected[] = {
        OYEZ_INTERNAL,          OYEZ_INTERNAL, OYEZ_INTERNAL, OYEZ_RESOURCE_EXHAUSTED,
        OYEZ_INTERNAL,          OYEZ_INTERNAL, OYEZ_INTERNAL, OYEZ_UNAVAILABLE,
        OYEZ_CANCELLED,         OYEZ_INTERNAL, OYEZ_INTERNAL, OYEZ_RESOURCE_EXHAUSTED,
        OYEZ_PERMISSION_DENIED, OYEZ_INTERNAL, OYEZ_UNKNOWN,  OYEZ_UNKNOWN,
    };
    for (uint32_t h2 = 0; h2 < sizeof(expected) / sizeof(expected[0]); h2++) {
        assert_int_equal(oy_code_from_h2(h2, false), expected[h2]);
        assert_int_equal(oy_code_from_h2(h2, true),
                         h2 == 8 ? OYEZ_DEADLINE_EXCEEDED : expected[h2]);
    }
    assert_int_equal(oy_code_from_h2(UINT32_MAX, true), OYEZ_UNKNOWN);
}

OY_TEST_GROUP(wire_mapping, cmocka_unit_test(status_numbers), cmocka_unit_test(http_statuses),
              cmocka_unit_test(h2_errors));

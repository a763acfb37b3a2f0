/* SPDX-License-Identifier: Apache-2.0 */
/* grpc-timeout: the table of hostile values, the edges of the units, and the round trip. */
#include "support/test.h"

#include "base/random.h"
#include "base/text.h"
#include "wire/wire.h"

static void assert_encodes(oyez_duration timeout, const char *expected)
{
    char text[OY_TIMEOUT_MAX + 1];
    size_t len = oy_timeout_encode(timeout, text);
    assert_true(len <= OY_TIMEOUT_MAX);
    text[len] = '\0';
    assert_string_equal(text, expected);
}

static void encodes(void **state)
{
    (void)state;
    assert_encodes(INT64_MIN, "0n");
    assert_encodes(-1, "0n");
    assert_encodes(0, "0n");
    assert_encodes(1, "1n");
    assert_encodes(99999999, "99999999n");
    assert_encodes(100000000, "100000u");
    assert_encodes(100000001, "100001u"); /* up, never down */
    assert_encodes(OYEZ_SECOND, "1000000u");
    assert_encodes(99999999 * OYEZ_MICROSECOND, "99999999u");
    assert_encodes(99999999 * OYEZ_MICROSECOND + 1, "100000m");
    assert_encodes(99999999 * OYEZ_MILLISECOND, "99999999m");
    assert_encodes(99999999 * OYEZ_MILLISECOND + 1, "100000S");
    assert_encodes(99999999 * OYEZ_SECOND, "99999999S");
    assert_encodes(100000000 * OYEZ_SECOND, "1666667M");
    assert_encodes(99999999 * OYEZ_MINUTE, "99999999M");
    assert_encodes(99999999 * OYEZ_MINUTE + 1, "1666667H");
    assert_encodes(INT64_MAX, "2562048H");
}

static void assert_decodes(const char *text, oyez_duration expected)
{
    oyez_duration timeout = -1;
    assert_ok(oy_timeout_decode(oy_str(text), &timeout));
    assert_true(timeout == expected);
}

static void decodes(void **state)
{
    (void)state;
    assert_decodes("0n", 0);
    assert_decodes("1n", 1);
    assert_decodes("00000001S", OYEZ_SECOND);
    assert_decodes("5u", 5 * OYEZ_MICROSECOND);
    assert_decodes("5m", 5 * OYEZ_MILLISECOND);
    assert_decodes("5M", 5 * OYEZ_MINUTE);
    assert_decodes("5H", 5 * OYEZ_HOUR);
    assert_decodes("99999999S", 99999999 * OYEZ_SECOND);
    assert_decodes("99999999M", 99999999 * OYEZ_MINUTE);
    assert_decodes("2562047H", 2562047 * OYEZ_HOUR);
    assert_decodes("2562048H", OYEZ_FOREVER);
    assert_decodes("99999999H", OYEZ_FOREVER);
}

static void refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    "1",   "S",    "n",   "999999999S", "-1S",
                                      "+1S", "1x",  "1s",   "1h",  "1.5S",       " 1S",
                                      "1 S", "1S ", "0x1S", "1SS", "S1",         "1N"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        oyez_duration timeout = 42;
        assert_err(oy_timeout_decode(oy_str(bad[i]), &timeout), OYEZ_EINVAL);
        assert_int_equal(timeout, 42);
    }
    oyez_duration timeout;
    assert_err(oy_timeout_decode((oyez_str){"1\0S", 3}, &timeout), OYEZ_EINVAL);
}

/* What comes back is never earlier, and later by less than one part in a hundred thousand. */
static void round_trip(void **state)
{
    (void)state;
    oy_random random = {7};
    for (int i = 0; i < 20000; i++) {
        oyez_duration timeout =
            (oyez_duration)(oy_random_next(&random) >> (1 + oy_random_next(&random) % 63));
        char text[OY_TIMEOUT_MAX];
        size_t len = oy_timeout_encode(timeout, text);
        assert_true(len <= 9);
        oyez_duration back;
        assert_ok(oy_timeout_decode((oyez_str){text, len}, &back));
        assert_true(back >= timeout);
        assert_true(back == OYEZ_FOREVER || back - timeout <= timeout / 100000);
    }
}

OY_TEST_GROUP(wire_timeout, cmocka_unit_test(encodes), cmocka_unit_test(decodes),
              cmocka_unit_test(refuses), cmocka_unit_test(round_trip));

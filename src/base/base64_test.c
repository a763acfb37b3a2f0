/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 by the vectors of RFC 4648 section 10, round trips, and all that must be refused. */
#include "base/base64.h"

#include "base/text.h"
#include "support/test.h"

static void test_vectors(void **state)
{
    static const struct {
        const char *plain, *padded, *bare;
    } vectors[] = {
        { "", "", "" },
        { "f", "Zg==", "Zg" },
        { "fo", "Zm8=", "Zm8" },
        { "foo", "Zm9v", "Zm9v" },
        { "foob", "Zm9vYg==", "Zm9vYg" },
        { "fooba", "Zm9vYmE=", "Zm9vYmE" },
        { "foobar", "Zm9vYmFy", "Zm9vYmFy" },
        { "\xfb\xff\xfe", "+//+", "+//+" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        char text[16];
        char plain[16];
        size_t len = strlen(vectors[i].plain), got = 99;
        assert_int_equal(oy_base64_encoded_len(len), strlen(vectors[i].bare));
        assert_int_equal(oy_base64_encode(vectors[i].plain, len, text), strlen(vectors[i].bare));
        assert_memory_equal(text, vectors[i].bare, strlen(vectors[i].bare));
        assert_ok(oy_base64_decode(oy_str(vectors[i].bare), plain, &got));
        assert_int_equal(got, len);
        assert_memory_equal(plain, vectors[i].plain, len);
        assert_ok(oy_base64_decode(oy_str(vectors[i].padded), plain, &got));
        assert_int_equal(got, len);
        assert_memory_equal(plain, vectors[i].plain, len);
    }
}

static void test_round_trips(void **state)
{
    uint8_t data[300], back[304];
    char text[404];
    (void)state;
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * 7 + (i >> 3));
    for (size_t len = 0; len <= sizeof(data); len++) {
        size_t chars = oy_base64_encode(data, len, text), got = 0;
        assert_int_equal(chars, oy_base64_encoded_len(len));
        assert_true(len <= oy_base64_decoded_max(chars));
        assert_ok(oy_base64_decode((oyez_str){ text, chars }, back, &got));
        assert_int_equal(got, len);
        assert_memory_equal(back, data, len);
    }
}

static void test_refused(void **state)
{
    static const char *const wrong[] = { "A",     "AAAAA", "=",     "==",    "===",   "====",  "A=",
                                         "A==",   "A===",  "AA=",   "AAA==", "AAAA=", "AA=A",  "=AAA",
                                         "Zg==Zg==", "Zm8=Zm8=", "+_/A",  "-AAA",  "A AA",  "AAA\n",
                                         "AA\r\n", "AAAA\n", "AA.A",  "\200AAA", "AAAA====" };
    char out[32];
    size_t len = 77;
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (oy_base64_decode(oy_str(wrong[i]), out, &len) != OYEZ_EINVAL)
            fail_msg("'%s' was accepted", wrong[i]);
    assert_err(oy_base64_decode((oyez_str){ "AA\0A", 4 }, out, &len), OYEZ_EINVAL);
    assert_int_equal(len, 77); /* not written */
}

static void test_each_character(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        char text[4] = { 'A', (char)c, 'A', 'A' };
        char out[3];
        size_t len;
        bool good = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                    c == '+' || c == '/';
        assert_int_equal(oy_base64_decode((oyez_str){ text, 4 }, out, &len),
                         good ? OYEZ_NO_ERR : OYEZ_EINVAL);
    }
}

static void test_bits_left_over(void **state)
{
    char out[4];
    size_t len;
    (void)state;
    assert_ok(oy_base64_decode(OYEZ_STR("Zh"), out, &len)); /* as Go's decoder takes it */
    assert_int_equal(len, 1);
    assert_int_equal(out[0], 'f');
    assert_ok(oy_base64_decode(OYEZ_STR("Zm9="), out, &len));
    assert_int_equal(len, 2);
}

OY_TEST_GROUP(base_base64, cmocka_unit_test(test_vectors), cmocka_unit_test(test_round_trips),
              cmocka_unit_test(test_refused), cmocka_unit_test(test_each_character),
              cmocka_unit_test(test_bits_left_over));

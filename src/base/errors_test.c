/* SPDX-License-Identifier: Apache-2.0 */
/* Each error and code has its own name and words; unknown ones have some, too. */
#include <oyez/types.h>

#include "support/test.h"

static void test_errors(void **state)
{
    static const oyez_err errors[] = {
#define VALUE(name, value, text) name,
        OYEZ_ERR_MAP(VALUE)
#undef VALUE
    };
    size_t count = sizeof(errors) / sizeof(errors[0]);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(errors[i], -(int)i - 1); /* without gaps, negative */
        assert_true(strlen(oyez_strerror(errors[i])) > 5);
        assert_memory_equal(oyez_err_name(errors[i]), "OYEZ_E", 6);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(oyez_strerror(errors[i]), oyez_strerror(errors[j]));
            assert_string_not_equal(oyez_err_name(errors[i]), oyez_err_name(errors[j]));
        }
    }
    assert_string_equal(oyez_err_name(OYEZ_EPROTO), "OYEZ_EPROTO");
    assert_string_equal(oyez_strerror(OYEZ_ENOMEM), "out of memory");
    assert_string_equal(oyez_strerror(OYEZ_NO_ERR), "no error");
    assert_string_equal(oyez_err_name(OYEZ_NO_ERR), "OYEZ_NO_ERR");
    assert_string_equal(oyez_err_name((oyez_err)-999), "OYEZ_UNKNOWN_ERR");
    assert_non_null(oyez_strerror((oyez_err)7));
}

static void test_codes(void **state)
{
    (void)state;
    assert_string_equal(oyez_code_name(OYEZ_OK), "OK");
    assert_string_equal(oyez_code_name(OYEZ_CANCELLED), "CANCELLED");
    assert_string_equal(oyez_code_name(OYEZ_NOT_FOUND), "NOT_FOUND");
    assert_string_equal(oyez_code_name(OYEZ_UNAUTHENTICATED), "UNAUTHENTICATED");
    assert_int_equal(OYEZ_UNAUTHENTICATED, 16);
    assert_string_equal(oyez_code_name((oyez_code)17), "UNKNOWN_CODE");
    assert_string_equal(oyez_code_name((oyez_code)-1), "UNKNOWN_CODE");
}

OY_TEST_GROUP(base_errors, cmocka_unit_test(test_errors), cmocka_unit_test(test_codes));

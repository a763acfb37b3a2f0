/* SPDX-License-Identifier: Apache-2.0 */
/* What each unit test includes first: cmocka, and the macro that makes a group of tests out of a file.
 * The build collects the groups of a directory into one program. */
#ifndef OY_TESTS_TEST_H
#define OY_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Defines `int oy_test_group_<name>(void)`, which runs the tests and returns how many failed. The name
 * is the layer and the stem of the file, such as mem_slice for src/mem/slice_test.c. */
#define OY_TEST_GROUP(name, ...)                                                                   \
    int oy_test_group_##name(void);                                                                \
    int oy_test_group_##name(void)                                                                 \
    {                                                                                              \
        static const struct CMUnitTest tests[] = { __VA_ARGS__ };                                  \
        return cmocka_run_group_tests_name(#name, tests, NULL, NULL);                              \
    }                                                                                              \
    extern int oy_test_group_##name(void)

/* Asserts that an oyez_err is 0, and says which it was otherwise. */
#define assert_ok(expression)                                                                      \
    do {                                                                                           \
        oyez_err assert_ok_err = (expression);                                                     \
        if (assert_ok_err)                                                                         \
            fail_msg("%s: %s", #expression, oyez_err_name(assert_ok_err));                         \
    } while (0)

/* Asserts that an oyez_err is the one expected. */
#define assert_err(expression, expected)                                                           \
    do {                                                                                           \
        oyez_err assert_err_got = (expression);                                                    \
        if (assert_err_got != (expected))                                                          \
            fail_msg("%s: %s, expected %s", #expression, oyez_err_name(assert_err_got),            \
                     oyez_err_name(expected));                                                     \
    } while (0)

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Option structs of older and newer callers. */
#include "base/options.h"

#include "support/test.h"

typedef struct own_options {
    size_t size;
    uint32_t first;
    uint64_t second;
} own_options;

typedef struct newer_options {
    own_options known;
    uint64_t third;
} newer_options;

static void test_none(void **state)
{
    own_options own = { 1, 2, 3 };
    (void)state;
    assert_ok(oy_options_copy(&own, sizeof(own), NULL));
    assert_int_equal(own.size, sizeof(own));
    assert_int_equal(own.first, 0);
    assert_int_equal(own.second, 0);
}

static void test_same_and_older(void **state)
{
    own_options own = { 1, 2, 3 }, user = { .size = sizeof(user), .first = 5, .second = 6 };
    (void)state;
    assert_ok(oy_options_copy(&own, sizeof(own), &user));
    assert_int_equal(own.first, 5);
    assert_int_equal(own.second, 6);
    user.size = offsetof(own_options, second); /* a caller who does not know `second` */
    assert_ok(oy_options_copy(&own, sizeof(own), &user));
    assert_int_equal(own.size, sizeof(own));
    assert_int_equal(own.first, 5);
    assert_int_equal(own.second, 0);
    user.size = sizeof(size_t);
    assert_ok(oy_options_copy(&own, sizeof(own), &user));
    assert_int_equal(own.first, 0);
}

static void test_newer(void **state)
{
    own_options own = { 1, 2, 3 };
    newer_options user = { .known = { .size = sizeof(user), .first = 5 }, .third = 0 };
    (void)state;
    assert_ok(oy_options_copy(&own, sizeof(own), &user));
    assert_int_equal(own.first, 5);
    assert_int_equal(own.size, sizeof(own));
    user.third = (uint64_t)1 << 63; /* in the very last byte */
    own.first = 9;
    assert_err(oy_options_copy(&own, sizeof(own), &user), OYEZ_E2BIG);
    assert_int_equal(own.first, 9); /* not written */
}

static void test_not_initialised(void **state)
{
    own_options own = { 1, 2, 3 }, user = { 0 };
    (void)state;
    assert_err(oy_options_copy(&own, sizeof(own), &user), OYEZ_ESIZE);
    user.size = sizeof(size_t) - 1;
    assert_err(oy_options_copy(&own, sizeof(own), &user), OYEZ_ESIZE);
    user.size = (size_t)-1;
    assert_err(oy_options_copy(&own, sizeof(own), &user), OYEZ_ESIZE);
    assert_int_equal(own.first, 2);
}

OY_TEST_GROUP(base_options, cmocka_unit_test(test_none), cmocka_unit_test(test_same_and_older),
              cmocka_unit_test(test_newer), cmocka_unit_test(test_not_initialised));

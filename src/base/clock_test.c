/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on time, and that the clock does not go backwards. */
#include "base/clock.h"

#include "support/test.h"

static void test_now(void **state)
{
    int64_t last = oy_now();
    (void)state;
    assert_true(last > 0);
    for (int i = 0; i < 1000; i++) {
        int64_t now = oy_now();
        assert_true(now >= last);
        last = now;
    }
}

static void test_add(void **state)
{
    (void)state;
    assert_int_equal(oy_time_add(5, 7), 12);
    assert_int_equal(oy_time_add(5, -7), -2);
    assert_true(oy_time_add(5, OYEZ_FOREVER) == OYEZ_FOREVER);
    assert_true(oy_time_add(-5, OYEZ_FOREVER) == OYEZ_FOREVER);
    assert_true(oy_time_add(INT64_MAX - 1, 2) == OYEZ_FOREVER);
    assert_true(oy_time_add(INT64_MAX, 0) == OYEZ_FOREVER);
}

OY_TEST_GROUP(base_clock, cmocka_unit_test(test_now), cmocka_unit_test(test_add));

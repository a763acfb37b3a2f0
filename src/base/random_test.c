/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: the known sequence of splitmix64, the range of the unit interval. */
#include "base/random.h"

#include "support/test.h"

static void test_sequence(void **state)
{
    oy_random random = { 0 };
    (void)state;
    assert_true(oy_random_next(&random) == 0xe220a8397b1dcdafu);
    assert_true(oy_random_next(&random) == 0x6e789e6aa1b965f4u);
    assert_true(oy_random_next(&random) == 0x06c45d188009454fu);
}

static void test_unit(void **state)
{
    oy_random random = { 3 };
    double sum = 0;
    (void)state;
    for (int i = 0; i < 10000; i++) {
        double x = oy_random_unit(&random);
        assert_true(x >= 0 && x < 1);
        sum += x;
    }
    assert_true(sum > 4800 && sum < 5200);
}

static void test_seed(void **state)
{
    uint64_t a = oy_random_seed(), b = oy_random_seed();
    (void)state;
    assert_true(a != b);
}

OY_TEST_GROUP(base_random, cmocka_unit_test(test_sequence), cmocka_unit_test(test_unit),
              cmocka_unit_test(test_seed));

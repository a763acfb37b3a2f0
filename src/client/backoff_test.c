/* SPDX-License-Identifier: Apache-2.0 */
/* The pauses of gRPC's connection back-off, with its constants and with others. */
#include "client/backoff.h"

#include "support/test.h"

static const oy_backoff_config standard = {1 * OYEZ_SECOND, 120 * OYEZ_SECOND, 1.6, 0.2};

static void assert_near(oyez_duration got, double seconds)
{
    const double off = (double)got / 1e9 - seconds;
    if (off > 1e-6 || off < -1e-6)
        fail_msg("%.9f s, expected %.9f s", (double)got / 1e9, seconds);
}

static void the_first_is_exact(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        oy_backoff backoff = {0};
        assert_int_equal(oy_backoff_next(&backoff, &standard, i / 10.0), OYEZ_SECOND);
    }
}

static void grows_to_the_cap(void **state)
{
    static const double expected[] = {
        1,          1.6,         2.56,         4.096,          6.5536, 10.48576, 16.777216,
        26.8435456, 42.94967296, 68.719476736, 109.9511627776, 120,    120,      120};
    oy_backoff backoff = {0};
    (void)state;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        assert_near(oy_backoff_next(&backoff, &standard, 0.5), expected[i]);
    for (unsigned i = 0; i < 100000; i++)
        assert_near(oy_backoff_next(&backoff, &standard, 0.5), 120);
    oy_backoff_reset(&backoff);
    assert_near(oy_backoff_next(&backoff, &standard, 0.5), 1);
    assert_near(oy_backoff_next(&backoff, &standard, 0.5), 1.6);
}

static void jitter_is_a_fifth(void **state)
{
    oy_backoff low = {1}, high = {1}, capped = {1000};
    (void)state;
    assert_near(oy_backoff_next(&low, &standard, 0), 1.6 * 0.8);
    assert_near(oy_backoff_next(&high, &standard, 1), 1.6 * 1.2);
    assert_near(oy_backoff_next(&capped, &standard, 1), 144);
}

static void odd_configurations(void **state)
{
    const oy_backoff_config constant = {5, 5, 1, 0};
    const oy_backoff_config flat = {5, 1000, 1, 0};
    const oy_backoff_config huge = {INT64_MAX / 2, INT64_MAX, 1e6, 1};
    oy_backoff backoff = {0};
    (void)state;
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(oy_backoff_next(&backoff, &constant, 0.9), 5);
    backoff.failures = UINT32_MAX; /* no overflow, and no loop of that length */
    assert_int_equal(oy_backoff_next(&backoff, &flat, 0.9), 5);
    assert_int_equal(backoff.failures, UINT32_MAX);
    assert_true(oy_backoff_next(&backoff, &huge, 1) > 0);
}

OY_TEST_GROUP(client_backoff, cmocka_unit_test(the_first_is_exact),
              cmocka_unit_test(grows_to_the_cap), cmocka_unit_test(jitter_is_a_fifth),
              cmocka_unit_test(odd_configurations));

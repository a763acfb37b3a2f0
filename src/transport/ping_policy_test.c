/* SPDX-License-Identifier: Apache-2.0 */
/* Strikes. */
#include "transport/ping_policy.h"

#include "support/test.h"

#define M OYEZ_MINUTE
#define START (77 * OYEZ_HOUR)

static oy_ping_policy usual(void)
{
    return (oy_ping_policy){ .min_time = OY_PING_MIN_TIME };
}

/* Every `step`; how many were allowed, at most a hundred. */
static unsigned allowed(oy_ping_policy policy, oyez_duration step, bool has_calls)
{
    unsigned n = 0;
    while (n < 100 && oy_ping_policy_allows(&policy, START + (int64_t)n * step, false, has_calls))
        n++;
    return n;
}

static void too_often(void **state)
{
    (void)state;
    assert_int_equal(allowed(usual(), OYEZ_SECOND, true), 3); /* the first is free, two strikes, out */
    assert_int_equal(allowed(usual(), 5 * M - 1, true), 3);
    assert_int_equal(allowed(usual(), 0, true), 3);
    assert_int_equal(allowed(usual(), 5 * M, true), 100);
}

static void without_calls(void **state)
{
    oy_ping_policy permits = usual();
    (void)state;
    assert_int_equal(allowed(usual(), 2 * OYEZ_HOUR - 1, false), 3);
    assert_int_equal(allowed(usual(), 2 * OYEZ_HOUR, false), 100);
    permits.permit_without_calls = true;
    assert_int_equal(allowed(permits, 5 * M, false), 100);
    assert_int_equal(allowed(permits, 5 * M - 1, false), 3);
}

static void answers_forgive(void **state)
{
    oy_ping_policy policy = usual();
    int64_t now = START;
    (void)state;
    for (int i = 0; i < 50; i++) { /* as a bandwidth probe does: a PING behind data */
        assert_true(oy_ping_policy_allows(&policy, now++, true, true));
        assert_true(oy_ping_policy_allows(&policy, now++, false, true));
        assert_true(oy_ping_policy_allows(&policy, now++, false, true));
    }
    assert_false(oy_ping_policy_allows(&policy, now++, false, true));
}

static void good_ones_do_not(void **state)
{
    oy_ping_policy policy = usual();
    int64_t now = START;
    (void)state;
    assert_true(oy_ping_policy_allows(&policy, now, false, true));
    assert_true(oy_ping_policy_allows(&policy, now += M, false, true));
    assert_true(oy_ping_policy_allows(&policy, now += 6 * M, false, true));
    assert_true(oy_ping_policy_allows(&policy, now += M, false, true));
    assert_true(oy_ping_policy_allows(&policy, now += 6 * M, false, true));
    assert_false(oy_ping_policy_allows(&policy, now += M, false, true));
    assert_false(oy_ping_policy_allows(&policy, now += 9 * OYEZ_HOUR, false, true)); /* out is out */
}

static void no_limit(void **state)
{
    const oy_ping_policy policy = { .min_time = 0, .permit_without_calls = true };
    (void)state;
    assert_int_equal(allowed(policy, 0, false), 100);
}

OY_TEST_GROUP(transport_ping_policy, cmocka_unit_test(too_often), cmocka_unit_test(without_calls),
              cmocka_unit_test(answers_forgive), cmocka_unit_test(good_ones_do_not), cmocka_unit_test(no_limit));

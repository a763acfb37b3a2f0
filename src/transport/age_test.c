/* SPDX-License-Identifier: Apache-2.0 */
/* Idle and old connections, by a clock of the test's own. */
#include "transport/age.h"

#include "support/test.h"

#define S OYEZ_SECOND
#define START (500 * S)

static oy_age make(oyez_duration idle, oyez_duration old, oyez_duration grace, double unit)
{
    const oy_age_config config = { .idle = idle, .age = old, .grace = grace };
    oy_age age;
    oy_age_start(&age, &config, START, unit);
    return age;
}

static void no_limits(void **state)
{
    oy_age age = make(OYEZ_FOREVER, OYEZ_FOREVER, OYEZ_FOREVER, 0.7);
    (void)state;
    assert_int_equal(age.due, OYEZ_FOREVER);
    assert_int_equal(oy_age_tick(&age, START + OYEZ_HOUR, false), OY_AGE_WAIT);
    assert_int_equal(age.due, OYEZ_FOREVER);
    age = make(0, 0, 0, 0.7);
    assert_int_equal(age.due, OYEZ_FOREVER);
}

static void idle_from_the_start(void **state)
{
    oy_age age = make(10 * S, OYEZ_FOREVER, OYEZ_FOREVER, 0);
    (void)state;
    assert_int_equal(age.due, START + 10 * S);
    assert_int_equal(oy_age_tick(&age, START + 10 * S - 1, false), OY_AGE_WAIT);
    assert_int_equal(age.due, START + 10 * S);
    assert_int_equal(oy_age_tick(&age, START + 10 * S, false), OY_AGE_DRAIN_IDLE);
    assert_int_equal(age.due, OYEZ_FOREVER); /* whoever drains ends it */
}

static void calls_put_it_off(void **state)
{
    oy_age age = make(10 * S, OYEZ_FOREVER, OYEZ_FOREVER, 0);
    int64_t now = START + 10 * S;
    (void)state;
    assert_int_equal(oy_age_tick(&age, now, true), OY_AGE_WAIT);
    assert_int_equal(age.due, now + 10 * S);
    age.idle_since = now + 1; /* the last call ends right behind */
    now = age.due;
    assert_int_equal(oy_age_tick(&age, now, false), OY_AGE_WAIT);
    assert_int_equal(age.due, now + 1);
    assert_int_equal(oy_age_tick(&age, now + 1, false), OY_AGE_DRAIN_IDLE);
}

static void old(void **state)
{
    oy_age age = make(OYEZ_FOREVER, 100 * S, 5 * S, 0.5);
    int64_t now = START + 100 * S;
    (void)state;
    assert_int_equal(age.due, now);
    assert_int_equal(oy_age_tick(&age, now, true), OY_AGE_DRAIN_OLD);
    assert_int_equal(age.due, now + 5 * S);
    assert_int_equal(oy_age_tick(&age, now + 1, true), OY_AGE_WAIT);
    assert_int_equal(oy_age_tick(&age, now + 5 * S, true), OY_AGE_CLOSE);
    assert_int_equal(age.due, OYEZ_FOREVER);
}

static void old_without_grace(void **state)
{
    oy_age age = make(3 * S, 10 * S, OYEZ_FOREVER, 0.5);
    (void)state;
    assert_int_equal(age.due, START + 3 * S);
    assert_int_equal(oy_age_tick(&age, START + 3 * S, true), OY_AGE_WAIT);
    assert_int_equal(oy_age_tick(&age, START + 9 * S, true), OY_AGE_WAIT);
    assert_int_equal(age.due, START + 10 * S);
    assert_int_equal(oy_age_tick(&age, START + 10 * S, true), OY_AGE_DRAIN_OLD);
    assert_int_equal(age.due, OYEZ_FOREVER);
}

static void jitter(void **state)
{
    (void)state;
    assert_int_equal(make(OYEZ_FOREVER, 100 * S, S, 0).due, START + 90 * S);
    assert_true(make(OYEZ_FOREVER, 100 * S, S, 0.999999).due > START + 109 * S);
    assert_true(make(OYEZ_FOREVER, 100 * S, S, 0.999999).due < START + 110 * S);
    assert_int_equal(make(OYEZ_FOREVER, OYEZ_FOREVER - 1, S, 0.9).due, OYEZ_FOREVER); /* no overflow */
    assert_true(make(OYEZ_FOREVER, 1, S, 0).due >= START);
}

OY_TEST_GROUP(transport_age, cmocka_unit_test(no_limits), cmocka_unit_test(idle_from_the_start),
              cmocka_unit_test(calls_put_it_off), cmocka_unit_test(old), cmocka_unit_test(old_without_grace),
              cmocka_unit_test(jitter));

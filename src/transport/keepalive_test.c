/* SPDX-License-Identifier: Apache-2.0 */
/* Keepalive by a clock of the test's own. */
#include "transport/keepalive.h"

#include "support/test.h"

#define S OYEZ_SECOND

static const oy_keepalive_config usual = { .time = 10 * S, .timeout = 20 * S };
static const oy_keepalive_config always = { .time = 10 * S, .timeout = 2 * S, .without_calls = true };

typedef struct fixture {
    oy_keepalive it;
    int64_t now, last_read;
    bool has_calls;
} fixture;

static fixture start(const oy_keepalive_config *config)
{
    fixture f = { .now = 1000 * S, .last_read = 1000 * S, .has_calls = true };
    oy_keepalive_start(&f.it, config, f.now);
    return f;
}

/* Goes on to the moment that was named. */
static oy_keepalive_action next(fixture *f)
{
    assert_true(f->it.due != OYEZ_FOREVER);
    assert_true(f->it.due >= f->now);
    f->now = f->it.due;
    return oy_keepalive_tick(&f->it, f->now, f->last_read, f->has_calls);
}

static void off(void **state)
{
    const oy_keepalive_config never = { .time = OYEZ_FOREVER, .timeout = S, .without_calls = true };
    const oy_keepalive_config zero = { .timeout = S };
    fixture f = start(&never);
    (void)state;
    assert_int_equal(f.it.due, OYEZ_FOREVER);
    assert_int_equal(oy_keepalive_tick(&f.it, f.now + 5 * OYEZ_HOUR, f.now, true), OY_KEEPALIVE_WAIT);
    assert_int_equal(f.it.due, OYEZ_FOREVER);
    f = start(&zero);
    assert_int_equal(f.it.due, OYEZ_FOREVER);
    assert_int_equal(oy_keepalive_wake(&f.it, f.now, f.now), OY_KEEPALIVE_WAIT);
}

static void silence_is_answered(void **state)
{
    fixture f = start(&usual);
    (void)state;
    assert_int_equal(f.it.due, f.now + 10 * S);
    f.last_read = f.now + 4 * S; /* reads move no timer; they are looked at when it fires */
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(f.it.due, f.last_read + 10 * S);
    assert_int_equal(next(&f), OY_KEEPALIVE_PING);
    f.last_read = f.now + 1;
    assert_int_equal(f.it.due, f.now + 10 * S); /* the next one is not late because the time limit is longer */
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(f.it.due, f.last_read + 10 * S);
    assert_int_equal(next(&f), OY_KEEPALIVE_PING);
}

static void busy_for_ever(void **state)
{
    fixture f = start(&usual);
    (void)state;
    for (int i = 0; i < 1000; i++) {
        f.last_read = f.it.due - 1;
        assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    }
}

static void dead(void **state)
{
    fixture f = start(&usual);
    int64_t pinged;
    (void)state;
    assert_int_equal(next(&f), OY_KEEPALIVE_PING);
    pinged = f.now;
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT); /* no second PING while one is under way */
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(f.now, pinged + 20 * S);
    assert_int_equal(f.it.due, f.now); /* one more look at the socket */
    assert_int_equal(next(&f), OY_KEEPALIVE_DEAD);
    assert_int_equal(f.it.due, OYEZ_FOREVER);
}

static void we_were_stopped(void **state)
{
    fixture f = start(&always);
    (void)state;
    assert_int_equal(next(&f), OY_KEEPALIVE_PING);
    f.now += 100 * S; /* a debugger, say */
    assert_int_equal(oy_keepalive_tick(&f.it, f.now, f.last_read, true), OY_KEEPALIVE_WAIT);
    f.last_read = f.now; /* the answer lay in the socket */
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(f.it.due, f.now + 10 * S);
}

static void any_byte_counts(void **state)
{
    fixture f = start(&always);
    (void)state;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(next(&f), OY_KEEPALIVE_PING);
        f.last_read = f.now; /* in the same pass: behind the PING all the same */
        assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    }
}

static void sleeps_without_calls(void **state)
{
    fixture f = start(&usual);
    (void)state;
    f.has_calls = false;
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(f.it.due, OYEZ_FOREVER);
    f.now += OYEZ_HOUR;
    assert_int_equal(oy_keepalive_wake(&f.it, f.now, f.last_read), OY_KEEPALIVE_PING);
    f.has_calls = true;
    assert_int_equal(oy_keepalive_wake(&f.it, f.now, f.last_read), OY_KEEPALIVE_WAIT); /* awake already */
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(next(&f), OY_KEEPALIVE_DEAD);
}

static void wakes_without_ping_behind_a_read(void **state)
{
    fixture f = start(&usual);
    (void)state;
    f.has_calls = false;
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    f.now += OYEZ_HOUR;
    f.last_read = f.now - 3 * S;
    assert_int_equal(oy_keepalive_wake(&f.it, f.now, f.last_read), OY_KEEPALIVE_WAIT);
    assert_int_equal(f.it.due, f.last_read + 10 * S);
}

static void falls_asleep_behind_a_ping(void **state)
{
    fixture f = start(&usual);
    (void)state;
    assert_int_equal(next(&f), OY_KEEPALIVE_PING);
    f.has_calls = false;
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(f.it.due, OYEZ_FOREVER);
    assert_int_equal(oy_keepalive_wake(&f.it, f.now, f.last_read), OY_KEEPALIVE_PING);
}

static void without_calls(void **state)
{
    fixture f = start(&always);
    (void)state;
    f.has_calls = false;
    assert_int_equal(next(&f), OY_KEEPALIVE_PING);
    assert_int_equal(next(&f), OY_KEEPALIVE_WAIT);
    assert_int_equal(next(&f), OY_KEEPALIVE_DEAD);
    assert_int_equal(f.now, 1012 * S);
}

OY_TEST_GROUP(transport_keepalive, cmocka_unit_test(off), cmocka_unit_test(silence_is_answered),
              cmocka_unit_test(busy_for_ever), cmocka_unit_test(dead), cmocka_unit_test(we_were_stopped),
              cmocka_unit_test(any_byte_counts), cmocka_unit_test(sleeps_without_calls),
              cmocka_unit_test(wakes_without_ping_behind_a_read), cmocka_unit_test(falls_asleep_behind_a_ping),
              cmocka_unit_test(without_calls));

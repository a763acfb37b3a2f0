/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of tasks whose end says whether its loop sleeps. */
#include "support/test.h"

#include "io/queue.h"

static void only_the_first_push_of_a_sleep_wakes(void **state)
{
    oy_queue queue;
    oy_link links[3];
    bool owed;
    (void)state;
    oy_queue_init(&queue);
    assert_true(oy_queue_empty(&queue));
    assert_true(oy_queue_push(&queue, &links[0]));
    assert_false(oy_queue_push(&queue, &links[1]));
    assert_false(oy_queue_empty(&queue));
    assert_false(oy_queue_sleep(&queue));
    assert_ptr_equal(oy_queue_take(&queue, &owed), &links[0]);
    assert_true(owed);
    assert_ptr_equal(links[0].next, &links[1]);
    assert_null(links[1].next);
    assert_false(oy_queue_push(&queue, &links[2]));
    assert_ptr_equal(oy_queue_take(&queue, &owed), &links[2]);
    assert_false(owed);
}

static void nothing_is_owed_when_nothing_came(void **state)
{
    oy_queue queue;
    oy_link link;
    bool owed = true;
    (void)state;
    oy_queue_init(&queue);
    assert_null(oy_queue_take(&queue, &owed));
    assert_false(owed);
    assert_true(oy_queue_sleep(&queue));
    assert_true(oy_queue_sleep(&queue));
    oy_queue_awake(&queue);
    assert_false(oy_queue_push(&queue, &link));
    oy_queue_awake(&queue); /* leaves the task alone */
    assert_ptr_equal(oy_queue_take(&queue, &owed), &link);
    assert_false(owed);
}

static void awake_after_a_push_still_owes(void **state)
{
    oy_queue queue;
    oy_link link;
    bool owed;
    (void)state;
    oy_queue_init(&queue);
    assert_true(oy_queue_push(&queue, &link));
    oy_queue_awake(&queue);
    assert_ptr_equal(oy_queue_take(&queue, &owed), &link);
    assert_true(owed);
}

OY_TEST_GROUP(io_queue, cmocka_unit_test(only_the_first_push_of_a_sleep_wakes),
              cmocka_unit_test(nothing_is_owed_when_nothing_came),
              cmocka_unit_test(awake_after_a_push_still_owes));

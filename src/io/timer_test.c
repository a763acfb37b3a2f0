/* SPDX-License-Identifier: Apache-2.0 */
/* Firing of timers on a heap, with times that the test makes up. */
#include "support/test.h"

#include "io/loop.h"
#include "support/leak.h"

typedef struct probe {
    oy_timer timer;
    oy_heap *heap;
    struct probe *other; /* to unset, or to set, when this one fires */
    int64_t again;       /* when to fire next; 0: not */
    int64_t at;
    int fired;
} probe;

static int64_t order[64];
static size_t order_count;

static void fire(oy_timer *timer)
{
    probe *p = oy_container_of(timer, probe, timer);
    p->fired++;
    if (order_count < sizeof(order) / sizeof(order[0]))
        order[order_count++] = p->at;
    if (p->other)
        oy_heap_remove(p->heap, &p->other->timer.node);
    if (p->again)
        assert_ok(oy_heap_set(p->heap, &timer->node, p->again));
}

static void set(oy_heap *heap, probe *p, int64_t at)
{
    p->timer.fire = fire;
    p->heap = heap;
    p->at = at;
    assert_ok(oy_heap_set(heap, &p->timer.node, at));
}

static void they_fire_in_order_and_never_early(void **state)
{
    static const int64_t times[] = {50, 10, 40, 20, 30, 10};
    probe probes[6] = {0};
    oy_heap heap;
    (void)state;
    oy_heap_init(&heap);
    order_count = 0;
    for (size_t i = 0; i < 6; i++)
        set(&heap, &probes[i], times[i]);
    oy_timers_fire(&heap, 9);
    assert_int_equal(order_count, 0);
    oy_timers_fire(&heap, 30);
    assert_int_equal(order_count, 4);
    oy_timers_fire(&heap, 1000);
    assert_int_equal(order_count, 6);
    for (size_t i = 1; i < 6; i++)
        assert_true(order[i - 1] <= order[i]);
    assert_null(oy_heap_first(&heap));
    oy_heap_fini(&heap);
}

static void one_may_unset_another_that_is_due(void **state)
{
    probe first = {0}, second = {0};
    oy_heap heap;
    (void)state;
    oy_heap_init(&heap);
    set(&heap, &first, 1);
    set(&heap, &second, 2);
    first.other = &second;
    oy_timers_fire(&heap, 10);
    assert_int_equal(first.fired, 1);
    assert_int_equal(second.fired, 0);
    oy_heap_fini(&heap);
}

static void one_that_sets_itself_to_the_past_does_not_hold_the_loop(void **state)
{
    probe eager = {0};
    oy_heap heap;
    (void)state;
    oy_heap_init(&heap);
    set(&heap, &eager, 1);
    eager.again = 1;
    oy_timers_fire(&heap, 10);
    assert_int_equal(eager.fired, 1);
    oy_timers_fire(&heap, 10);
    assert_int_equal(eager.fired, 2);
    oy_heap_fini(&heap);
}

OY_TEST_GROUP(io_timer, oy_leak_test(they_fire_in_order_and_never_early),
              oy_leak_test(one_may_unset_another_that_is_due),
              oy_leak_test(one_that_sets_itself_to_the_past_does_not_hold_the_loop));

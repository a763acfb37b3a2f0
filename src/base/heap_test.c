/* SPDX-License-Identifier: Apache-2.0 */
/* The timer heap against a plain array. */
#include "base/heap.h"

#include "base/random.h"
#include "support/leak.h"
#include "support/test.h"

static void test_order(void **state)
{
    oy_heap heap;
    oy_heap_node a = { 0 }, b = { 0 }, c = { 0 };
    (void)state;
    oy_heap_init(&heap);
    assert_null(oy_heap_first(&heap));
    oy_heap_remove(&heap, &a); /* in no heap */
    assert_ok(oy_heap_set(&heap, &b, 20));
    assert_ok(oy_heap_set(&heap, &a, INT64_MIN));
    assert_ok(oy_heap_set(&heap, &c, OYEZ_FOREVER));
    assert_ptr_equal(oy_heap_first(&heap), &a);
    assert_ok(oy_heap_set(&heap, &a, 30)); /* moves back */
    assert_ptr_equal(oy_heap_first(&heap), &b);
    assert_ok(oy_heap_set(&heap, &c, 10)); /* moves to the front */
    assert_ptr_equal(oy_heap_first(&heap), &c);
    assert_ok(oy_heap_set(&heap, &c, 10)); /* stays */
    assert_int_equal(c.at, 10);
    oy_heap_remove(&heap, &c);
    assert_int_equal(c.index, 0);
    oy_heap_remove(&heap, &c);
    assert_ptr_equal(oy_heap_first(&heap), &b);
    oy_heap_fini(&heap);
    assert_int_equal(a.index, 0); /* out of a heap that is gone */
    oy_heap_remove(&heap, &a);
    assert_null(oy_heap_first(&heap));
}

enum { NODES = 300 };

/* The least time of those in the heap; false when there is none. */
static bool least(const oy_heap_node *nodes, const bool *in, int64_t *ret_at)
{
    bool found = false;
    for (size_t i = 0; i < NODES; i++)
        if (in[i] && (!found || nodes[i].at < *ret_at)) {
            *ret_at = nodes[i].at;
            found = true;
        }
    return found;
}

static void test_against_array(void **state)
{
    static oy_heap_node nodes[NODES];
    static bool in[NODES];
    oy_random random = { 4 };
    oy_heap heap;
    int64_t last = INT64_MIN;
    uint32_t count = 0;
    (void)state;
    oy_heap_init(&heap);
    for (int step = 0; step < 20000; step++) {
        size_t i = (size_t)(oy_random_next(&random) % NODES);
        int64_t at = 0;
        /* mostly growing for a while, then mostly shrinking; few distinct times, so many are equal */
        if (oy_random_next(&random) % 10 < (step / 2000 % 2 ? 3u : 7u)) {
            at = (int64_t)(oy_random_next(&random) % 100) - 50;
            assert_ok(oy_heap_set(&heap, &nodes[i], at));
            assert_int_equal(nodes[i].at, at);
            count += !in[i];
            in[i] = true;
        } else {
            oy_heap_remove(&heap, &nodes[i]);
            count -= in[i];
            in[i] = false;
        }
        assert_int_equal(heap.count, count);
        assert_int_equal(nodes[i].index != 0, in[i]);
        if (least(nodes, in, &at))
            assert_int_equal(oy_heap_first(&heap)->at, at);
        else
            assert_null(oy_heap_first(&heap));
    }
    for (size_t i = 0; i < NODES; i++) /* and all of them come out in order */
        assert_ok(oy_heap_set(&heap, &nodes[i], (int64_t)oy_random_next(&random)));
    for (size_t i = 0; i < NODES; i++) {
        oy_heap_node *first = oy_heap_first(&heap);
        assert_true(first->at >= last);
        last = first->at;
        oy_heap_remove(&heap, first);
    }
    assert_null(oy_heap_first(&heap));
    oy_heap_fini(&heap);
}

static void test_reserve(void **state)
{
    static oy_heap_node nodes[100];
    oy_heap heap;
    uint64_t before;
    (void)state;
    oy_heap_init(&heap);
    assert_ok(oy_heap_reserve(&heap, 100));
    before = oy_leak_allocations();
    for (size_t i = 0; i < 100; i++)
        assert_ok(oy_heap_set(&heap, &nodes[i], (int64_t)i));
    assert_int_equal(oy_leak_allocations(), before);
    assert_ok(oy_heap_reserve(&heap, 5)); /* has them already */
    assert_int_equal(oy_leak_allocations(), before);
    oy_heap_fini(&heap);
}

static void test_faults(void **state)
{
    static oy_heap_node nodes[100];
    (void)state;
    OY_FAULT_WALK() {
        oy_heap heap;
        oyez_err err = OYEZ_NO_ERR;
        size_t i;
        oy_heap_init(&heap);
        for (i = 0; i < 100 && !err; i++)
            err = oy_heap_set(&heap, &nodes[i], 100 - (int64_t)i);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        if (err) { /* the node that failed is not in it; what was in it is */
            assert_int_equal(nodes[i - 1].index, 0);
            assert_int_equal(heap.count, i - 1);
            if (i > 1)
                assert_ptr_equal(oy_heap_first(&heap), &nodes[i - 2]);
        }
        oy_heap_fini(&heap);
    }
}

OY_TEST_GROUP(base_heap, oy_leak_test(test_order), oy_leak_test(test_against_array),
              oy_leak_test(test_reserve), cmocka_unit_test(test_faults));

/* SPDX-License-Identifier: Apache-2.0 */
/* The small things that are all header: list, sizes, count. */
#include "base/list.h"

#include "base/assert.h"
#include "base/refcount.h"
#include "base/size.h"
#include "support/test.h"

typedef struct item {
    int value;
    oy_list node;
} item;

static void test_list(void **state)
{
    oy_list head;
    item a = { 1, { 0 } }, b = { 2, { 0 } }, c = { 3, { 0 } };
    (void)state;
    oy_list_init(&head);
    assert_true(oy_list_empty(&head));
    assert_null(oy_list_pop_front(&head));
    assert_false(oy_list_linked(&a.node));
    oy_list_remove(&a.node); /* in no list */
    oy_list_push_back(&head, &b.node);
    oy_list_push_back(&head, &c.node);
    oy_list_push_front(&head, &a.node);
    assert_true(oy_list_linked(&b.node));
    oy_list_remove(&b.node);
    assert_false(oy_list_linked(&b.node));
    assert_int_equal(oy_container_of(oy_list_pop_front(&head), item, node)->value, 1);
    assert_int_equal(oy_container_of(oy_list_pop_front(&head), item, node)->value, 3);
    assert_true(oy_list_empty(&head));
}

static void test_sizes(void **state)
{
    size_t result = 1;
    (void)state;
    assert_true(oy_add_size(SIZE_MAX - 1, 1, &result));
    assert_true(result == SIZE_MAX);
    assert_false(oy_add_size(SIZE_MAX, 1, &result));
    assert_true(result == SIZE_MAX);
    assert_true(oy_mul_size(6, 7, &result));
    assert_int_equal(result, 42);
    assert_false(oy_mul_size(SIZE_MAX / 2, 3, &result));
    assert_int_equal(result, 42);
    assert_int_equal(oy_min_size(1, 2), 1);
    assert_int_equal(oy_max_size(1, 2), 2);
}

static void test_count(void **state)
{
    oy_refcount refs;
    (void)state;
    oy_refcount_init(&refs, 1);
    oy_ref(&refs);
    assert_int_equal(oy_refcount_get(&refs), 2);
    assert_false(oy_unref(&refs));
    assert_true(oy_unref(&refs));
}

OY_TEST_GROUP(base_list, cmocka_unit_test(test_list), cmocka_unit_test(test_sizes),
              cmocka_unit_test(test_count));

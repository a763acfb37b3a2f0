/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks: counts, quotas, and what a debug build says when they are misused. */
#include "mem/block.h"

#include <stdlib.h>

#include "base/poison.h"
#include "support/death.h"
#include "support/leak.h"
#include "support/test.h"

static void test_counts(void **state)
{
    oyez_block *block, *second;
    (void)state;
    assert_ok(oyez_block_new(NULL, 100, &block));
    assert_int_equal(oyez_block_capacity(block), 100);
    assert_int_equal((uintptr_t)oyez_block_data(block) % 16, 0);
    memset(oyez_block_data(block), 1, 100);
    assert_true(oy_block_is_sole(block));
    second = oyez_block_ref(block);
    assert_ptr_equal(second, block);
    assert_false(oy_block_is_sole(block));
    assert_null(oyez_block_unref(block));
    assert_int_equal(oy_leak_live_blocks(), 1);
    assert_true(oy_block_is_sole(second));
    assert_null(oyez_block_unref(second));
    assert_int_equal(oy_leak_live_blocks(), 0);
    assert_null(oyez_block_ref(NULL));
    assert_null(oyez_block_unref(NULL));
    assert_ok(oyez_block_new(NULL, 0, &block));
    assert_int_equal(oyez_block_capacity(block), 0);
    assert_null(oyez_block_unref(block));
    assert_err(oyez_block_new(NULL, SIZE_MAX, &block), OYEZ_ENOMEM);
    assert_err(oyez_block_new(NULL, SIZE_MAX - 20, &block), OYEZ_ENOMEM);
}

static void test_quota(void **state)
{
    oy_quota quota = { .limit = 1000, .refs = { 1 } }, other = quota;
    oyez_block *a, *b;
    (void)state;
    assert_ok(oyez_block_new(NULL, 600, &a));
    assert_ok(oyez_block_new(NULL, 400, &b));
    oy_block_charge(a, &quota);
    assert_int_equal(quota.used, 600);
    oy_block_charge(a, &quota); /* once is all */
    oy_block_charge(a, &other);
    assert_int_equal(quota.used, 600);
    assert_int_equal(other.used, 0);
    assert_false(oy_quota_exceeded(&quota));
    oy_block_charge(b, &quota);
    assert_true(oy_quota_exceeded(&quota));
    oyez_block_ref(a);
    oyez_block_unref(a);
    assert_int_equal(quota.used, 1000);
    oyez_block_unref(a);
    assert_int_equal(quota.used, 400);
    oyez_block_unref(b);
    assert_int_equal(quota.used, 0);
}

static void test_quota_of_pooled_block(void **state)
{
    oy_quota quota = { .limit = 1000, .refs = { 1 } };
    oyez_pool *pool;
    oyez_block *block;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    for (int i = 0; i < 3; i++) { /* each life of a block is charged anew */
        assert_ok(oyez_block_new(pool, 4096, &block));
        assert_int_equal(quota.used, 0);
        oy_block_charge(block, &quota);
        assert_int_equal(quota.used, 4096);
        oyez_block_unref(block);
    }
    assert_ok(oyez_block_new(pool, 4096, &block));
    oyez_block_unref(block);
    assert_int_equal(quota.used, 0);
    oyez_pool_unref(pool);
}

/* Frees a pooled block: its header stays where it was. */
static oyez_block *freed_block(void)
{
    oyez_pool *pool;
    oyez_block *block;
    (void)unsetenv("OYEZ_POOL");
    if (oyez_pool_new(NULL, &pool) || oyez_block_new(pool, 4096, &block))
        return NULL;
    oyez_block_unref(block);
    return block;
}

static void free_twice(void *user)
{
    (void)user;
    oyez_block_unref(freed_block());
}

static void ref_after_free(void *user)
{
    (void)user;
    oyez_block_ref(freed_block());
}

static void use_after_free(void *user)
{
    oyez_buffer *buffer = user;
    *buffer = oyez_buffer_of_block(freed_block(), 10);
}

static void copy_of_live(void *user)
{
    oyez_pool *pool = user;
    oyez_block *block;
    oyez_buffer a, b;
    if (oyez_block_new(pool, 4096, &block))
        return;
    a = b = oyez_buffer_of_block(block, 10);
    oyez_buffer_fini(&a);
    oyez_buffer_fini(&b);
}

/* Only debug builds look. */
static void test_misuse(void **state)
{
#ifdef NDEBUG
    bool looks = false;
#else
    bool looks = true;
#endif
    oyez_buffer buffer;
    oyez_pool *pool;
    (void)state;
    if (!looks)
        return;
    (void)unsetenv("OYEZ_POOL");
    assert_ok(oyez_pool_new(NULL, &pool));
    assert_true(oy_dies_with(free_twice, NULL, "block freed twice"));
    assert_true(oy_dies_with(copy_of_live, pool, "block freed twice"));
    assert_true(oy_dies_with(ref_after_free, NULL, "block referenced after it was freed"));
    assert_true(oy_dies_with(use_after_free, &buffer, "block used after it was freed"));
    oyez_pool_unref(pool);
}

/* Under ASan nobody can look at them, which is the better check. */
static void test_freed_bytes(void **state)
{
    (void)state;
#if !defined(NDEBUG) && !defined(OY_ASAN)
    oyez_pool *pool;
    oyez_block *block;
    uint8_t *data;
    (void)unsetenv("OYEZ_POOL");
    assert_ok(oyez_pool_new(NULL, &pool));
    assert_ok(oyez_block_new(pool, 4096, &block));
    data = oyez_block_data(block);
    memset(data, 1, 4096);
    oyez_block_unref(block);
    for (size_t i = 0; i < 4096; i++)
        assert_int_equal(data[i], 0xdb);
    oyez_pool_unref(pool);
#elif defined(OY_ASAN)
    oyez_pool *pool;
    oyez_block *block;
    char *data;
    (void)unsetenv("OYEZ_POOL");
    assert_ok(oyez_pool_new(NULL, &pool));
    assert_ok(oyez_block_new(pool, 4096, &block));
    data = oyez_block_data(block);
    assert_null(__asan_region_is_poisoned(data, 4096));
    oyez_block_unref(block);
    assert_ptr_equal(__asan_region_is_poisoned(data, 4096), data);
    assert_ok(oyez_block_new(pool, 4096, &block));
    assert_null(__asan_region_is_poisoned(data, 4096));
    oyez_block_unref(block);
    oyez_pool_unref(pool);
#endif
}

OY_TEST_GROUP(mem_block, oy_leak_test(test_counts), oy_leak_test(test_quota),
              oy_leak_test(test_quota_of_pooled_block), oy_leak_test(test_freed_bytes),
              cmocka_unit_test(test_misuse));

/* SPDX-License-Identifier: Apache-2.0 */
/* The owner's pool: reuse, the way home from other threads, and its end in any order. */
#include <pthread.h>
#include <stdlib.h>

#include "base/chain.h"
#include "mem/block.h"
#include "support/leak.h"
#include "support/test.h"

static int setup(void **state)
{
    (void)unsetenv("OYEZ_POOL");
    return oy_leak_setup(state);
}

static oyez_pool_stats stats_of(const oy_block_pool *pool)
{
    oyez_pool_stats stats;
    oy_block_pool_get_stats(pool, &stats);
    return stats;
}

static void *unref_one(void *user)
{
    oyez_block_unref(user);
    return NULL;
}

/* Frees a block on a thread that is not the owner. */
static void unref_elsewhere(oyez_block *block)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, unref_one, block), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void test_owner(void **state)
{
    oy_block_pool *pool;
    oyez_block *a, *b;
    uint64_t before;
    (void)state;
    assert_ok(oy_block_pool_new(OY_READ_BLOCK_BYTES, 4, &pool));
    assert_ok(oy_block_pool_get(pool, &a));
    assert_int_equal(oyez_block_capacity(a), 65536);
    memset(oyez_block_data(a), 1, 65536);
    oyez_block_unref(a);
    before = oy_leak_allocations();
    assert_ok(oy_block_pool_get(pool, &b));
    assert_ptr_equal(a, b);
    memset(oyez_block_data(b), 1, 65536);
    oyez_block_unref(b);
    assert_int_equal(oy_leak_allocations(), before);
    assert_int_equal(stats_of(pool).gets, 2);
    assert_int_equal(stats_of(pool).puts, 2);
    assert_int_equal(stats_of(pool).fresh, 1);
    assert_int_equal(stats_of(pool).idle_bytes, 65536);
    oy_block_pool_free(pool);
    oy_block_pool_free(NULL);
}

static void test_max_idle(void **state)
{
    oyez_block *blocks[5];
    oy_block_pool *pool;
    (void)state;
    assert_ok(oy_block_pool_new(100, 2, &pool));
    for (size_t i = 0; i < 5; i++)
        assert_ok(oy_block_pool_get(pool, &blocks[i]));
    for (size_t i = 0; i < 5; i++)
        oyez_block_unref(blocks[i]);
    assert_int_equal(stats_of(pool).idle_bytes, 200);
    assert_int_equal(stats_of(pool).puts, 5);
    assert_int_equal(oy_leak_live_blocks(), 3);
    for (size_t i = 0; i < 5; i++)
        assert_ok(oy_block_pool_get(pool, &blocks[i]));
    for (size_t i = 0; i < 5; i++)
        unref_elsewhere(blocks[i]); /* the way home holds as many */
    assert_int_equal(stats_of(pool).idle_bytes, 200);
    assert_int_equal(stats_of(pool).puts, 10);
    assert_ok(oy_block_pool_get(pool, &blocks[0])); /* takes both */
    assert_int_equal(stats_of(pool).idle_bytes, 100);
    assert_int_equal(stats_of(pool).fresh, 8);
    oyez_block_unref(blocks[0]);
    oy_block_pool_free(pool);
}

static void test_way_home(void **state)
{
    oy_block_pool *pool;
    oyez_block *a, *b;
    (void)state;
    assert_ok(oy_block_pool_new(100, 4, &pool));
    assert_ok(oy_block_pool_get(pool, &a));
    unref_elsewhere(a);
    assert_int_equal(stats_of(pool).puts, 1);
    assert_int_equal(stats_of(pool).idle_bytes, 100);
    assert_ok(oy_block_pool_get(pool, &b));
    assert_ptr_equal(b, a);
    assert_int_equal(stats_of(pool).idle_bytes, 0);
    unref_elsewhere(b);
    oy_block_pool_free(pool); /* with one on its way */
}

static void test_blocks_keep_the_pool(void **state)
{
    oy_block_pool *pool;
    oyez_block *a, *b, *c, *d;
    (void)state;
    assert_ok(oy_block_pool_new(100, 4, &pool));
    assert_ok(oy_block_pool_get(pool, &a));
    assert_ok(oy_block_pool_get(pool, &b));
    assert_ok(oy_block_pool_get(pool, &c));
    assert_ok(oy_block_pool_get(pool, &d));
    oyez_block_unref(a);
    unref_elsewhere(b);
    oy_block_pool_free(pool);
    assert_int_equal(oy_leak_live_blocks(), 3); /* the pool and two */
    memset(oyez_block_data(c), 1, 100);
    oyez_block_unref(c); /* on the former owner's thread */
    assert_int_equal(oy_leak_live_blocks(), 2);
    unref_elsewhere(d);
    assert_int_equal(oy_leak_live_blocks(), 0);
}

typedef struct adopted {
    oy_block_pool *pool;
    oyez_block *block;
    oyez_err err;
} adopted;

static void *adopt_and_use(void *user)
{
    adopted *a = user;
    oyez_block *block;
    oy_block_pool_adopt(a->pool);
    oyez_block_unref(a->block); /* straight to the list: it is the owner */
    a->err = oy_block_pool_get(a->pool, &block);
    if (!a->err && block != a->block)
        a->err = OYEZ_ESTATE;
    if (!a->err)
        oyez_block_unref(block);
    return NULL;
}

static void test_adopt(void **state)
{
    adopted a = { NULL, NULL, OYEZ_NO_ERR };
    pthread_t thread;
    (void)state;
    assert_ok(oy_block_pool_new(100, 4, &a.pool));
    assert_ok(oy_block_pool_get(a.pool, &a.block));
    assert_int_equal(pthread_create(&thread, NULL, adopt_and_use, &a), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_ok(a.err);
    assert_int_equal(stats_of(a.pool).puts, 2);
    oy_block_pool_free(a.pool); /* after the loop has ended */
}

static void test_pooling_off(void **state)
{
#ifndef NDEBUG
    oy_block_pool *pool;
    oyez_block *block;
    (void)state;
    assert_int_equal(setenv("OYEZ_POOL", "0", 1), 0);
    assert_ok(oy_block_pool_new(100, 4, &pool));
    assert_int_equal(unsetenv("OYEZ_POOL"), 0);
    assert_ok(oy_block_pool_get(pool, &block));
    oyez_block_unref(block);
    assert_ok(oy_block_pool_get(pool, &block));
    unref_elsewhere(block);
    assert_int_equal(stats_of(pool).fresh, 2);
    assert_int_equal(stats_of(pool).puts, 2);
    assert_int_equal(oy_leak_live_blocks(), 1);
    oy_block_pool_free(pool);
#else
    (void)state;
#endif
}

static void test_faults(void **state)
{
    (void)state;
    OY_FAULT_WALK() {
        oy_block_pool *pool = NULL;
        oyez_block *block = NULL;
        oyez_err err = oy_block_pool_new(100, 4, &pool);
        if (!err)
            err = oy_block_pool_get(pool, &block);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        if (pool)
            assert_int_equal(stats_of(pool).gets, block != NULL);
        oyez_block_unref(block);
        oy_block_pool_free(pool);
    }
}

enum { THREADS = 3, BLOCKS = 6000 };

typedef struct hand_over {
    oy_chain chain; /* of struct handed */
    _Atomic(bool) end;
    pthread_t thread;
} hand_over;

typedef struct handed {
    oy_link link;
    oyez_block *block;
} handed;

static void *unref_many(void *user)
{
    hand_over *h = user;
    for (;;) {
        bool end = atomic_load(&h->end);
        oy_link *link = oy_chain_take(&h->chain);
        if (!link && end)
            return NULL;
        if (!link)
            sched_yield();
        for (; link; link = link->next)
            oyez_block_unref(((handed *)(void *)link)->block);
    }
}

/* The owner gives each block to two threads, keeps it itself now and then, and goes away before the
 * last block is back. */
static void test_threads(void **state)
{
    static hand_over threads[THREADS];
    static handed items[BLOCKS][2];
    oy_block_pool *pool;
    (void)state;
    assert_ok(oy_block_pool_new(64, 16, &pool));
    for (size_t t = 0; t < THREADS; t++) {
        threads[t] = (hand_over){ .end = false };
        assert_int_equal(pthread_create(&threads[t].thread, NULL, unref_many, &threads[t]), 0);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        oyez_block *block;
        assert_ok(oy_block_pool_get(pool, &block));
        memset(oyez_block_data(block), (int)(i & 0xff), 64);
        items[i][0].block = oyez_block_ref(block);
        items[i][1].block = oyez_block_ref(block);
        (void)oy_chain_push(&threads[i % THREADS].chain, &items[i][0].link);
        (void)oy_chain_push(&threads[(i + 1) % THREADS].chain, &items[i][1].link);
        oyez_block_unref(block);
        if (i % 64 == 0)
            sched_yield();
    }
    oy_block_pool_free(pool);
    for (size_t t = 0; t < THREADS; t++)
        atomic_store(&threads[t].end, true);
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(threads[t].thread, NULL), 0);
    assert_int_equal(oy_leak_live_blocks(), 0);
}

#define pool_test(function) cmocka_unit_test_setup_teardown(function, setup, oy_leak_teardown)

OY_TEST_GROUP(mem_block_pool, pool_test(test_owner), pool_test(test_max_idle),
              pool_test(test_way_home), pool_test(test_blocks_keep_the_pool), pool_test(test_adopt),
              pool_test(test_pooling_off), pool_test(test_faults), pool_test(test_threads));

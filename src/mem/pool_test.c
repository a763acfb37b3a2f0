/* SPDX-License-Identifier: Apache-2.0 */
/* The tiered pool: which tier serves, what is kept, who keeps it alive, and threads. */
#include <pthread.h>
#include <stdlib.h>

#include "base/random.h"
#include "mem/mem.h"
#include "support/leak.h"
#include "support/test.h"

static int setup(void **state)
{
    (void)unsetenv("OYEZ_POOL"); /* these tests look at the pooling itself */
    return oy_leak_setup(state);
}

static oyez_pool_stats stats_of(const oyez_pool *pool)
{
    oyez_pool_stats stats;
    oyez_pool_get_stats(pool, &stats);
    return stats;
}

static void test_tiers(void **state)
{
    static const struct {
        size_t asked, capacity, idle; /* idle: what stays in the pool afterwards */
    } cases[] = {
        { 0, 0, 0 },           { 1, 1, 0 },           { 256, 256, 0 },
        { 1024, 1024, 0 }, /* up to the threshold: not pooled */
        { 1025, 4096, 4096 },  { 4096, 4096, 4096 },  { 4097, 16384, 16384 },
        { 16384, 16384, 16384 }, { 16385, 32768, 32768 }, { 32768, 32768, 32768 },
        { 32769, 1048576, 1048576 }, { 1048576, 1048576, 1048576 },
        { 1048577, 1048577, 0 }, /* larger than all tiers: not pooled */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        oyez_pool *pool;
        oyez_block *block;
        assert_ok(oyez_pool_new(NULL, &pool));
        assert_ok(oyez_block_new(pool, cases[i].asked, &block));
        assert_int_equal(oyez_block_capacity(block), cases[i].capacity);
        assert_int_equal(stats_of(pool).gets, 1);
        assert_int_equal(stats_of(pool).puts, 0);
        assert_int_equal(stats_of(pool).fresh, 1);
        memset(oyez_block_data(block), 1, cases[i].capacity);
        oyez_block_unref(block);
        assert_int_equal(stats_of(pool).puts, 1);
        assert_int_equal(stats_of(pool).idle_bytes, cases[i].idle);
        oyez_pool_unref(pool);
    }
}

static void test_reuse(void **state)
{
    oyez_pool *pool;
    oyez_block *a, *b, *c;
    uint64_t before;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    assert_ok(oyez_block_new(pool, 2000, &a));
    assert_ok(oyez_block_new(pool, 2000, &b));
    oyez_block_unref(a);
    oyez_block_unref(b);
    before = oy_leak_allocations();
    assert_ok(oyez_block_new(pool, 4000, &c));
    assert_ptr_equal(c, b); /* the one that was used last */
    assert_true(oy_block_is_sole(c));
    memset(oyez_block_data(c), 1, oyez_block_capacity(c));
    oyez_block_unref(c);
    assert_int_equal(oy_leak_allocations(), before);
    assert_int_equal(stats_of(pool).fresh, 2);
    assert_int_equal(stats_of(pool).gets, 3);
    assert_int_equal(stats_of(pool).idle_bytes, 8192);
    oyez_pool_unref(pool);
}

static void test_own_options(void **state)
{
    static const size_t tiers[] = { 64, 100 };
    oyez_pool_options options = { OYEZ_POOL_OPTIONS_INIT, .tiers = tiers, .tier_count = 2,
                                  .pooling_threshold = 1, .max_idle_bytes = 150 };
    oyez_pool *pool;
    oyez_block *a, *b, *c;
    (void)state;
    assert_ok(oyez_pool_new(&options, &pool));
    assert_ok(oyez_block_new(pool, 10, &a));
    assert_int_equal(oyez_block_capacity(a), 64);
    assert_ok(oyez_block_new(pool, 65, &b));
    assert_int_equal(oyez_block_capacity(b), 100);
    assert_ok(oyez_block_new(pool, 1, &c));
    assert_int_equal(oyez_block_capacity(c), 1);
    oyez_block_unref(c);
    assert_int_equal(stats_of(pool).idle_bytes, 0);
    oyez_block_unref(b);
    assert_int_equal(stats_of(pool).idle_bytes, 100);
    oyez_block_unref(a); /* 164 would be too much */
    assert_int_equal(stats_of(pool).idle_bytes, 100);
    assert_int_equal(stats_of(pool).puts, 3);
    oyez_pool_unref(pool);
}

static void test_messages_of_one_byte_are_pooled(void **state)
{
    oyez_pool *pool;
    oyez_block *block;
    (void)state;
    assert_ok(oy_pool_new_for_messages(&pool));
    for (unsigned i = 0; i < 3; i++) {
        assert_ok(oyez_block_new(pool, 1, &block));
        assert_int_equal(oyez_block_capacity(block), 256);
        oyez_block_unref(block);
    }
    assert_int_equal(stats_of(pool).gets, 3);
    assert_int_equal(stats_of(pool).fresh, 1);
    oyez_pool_unref(pool);
}

static void test_wrong_options(void **state)
{
    static const size_t falling[] = { 64, 64 }, zero[] = { 0, 10 };
    static const size_t many[17] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 };
    oyez_pool_options options = { OYEZ_POOL_OPTIONS_INIT, .tiers = falling, .tier_count = 2 };
    oyez_pool *pool = NULL;
    (void)state;
    assert_err(oyez_pool_new(&options, &pool), OYEZ_EINVAL);
    options.tiers = zero;
    assert_err(oyez_pool_new(&options, &pool), OYEZ_EINVAL);
    options.tier_count = 0;
    assert_err(oyez_pool_new(&options, &pool), OYEZ_EINVAL);
    options.tiers = NULL;
    options.tier_count = 1;
    assert_err(oyez_pool_new(&options, &pool), OYEZ_EINVAL);
    options.tiers = many;
    options.tier_count = 17;
    assert_err(oyez_pool_new(&options, &pool), OYEZ_EINVAL);
    options.size = 0;
    assert_err(oyez_pool_new(&options, &pool), OYEZ_ESIZE);
    assert_null(pool);
    options.size = sizeof(options);
    options.tier_count = 16;
    assert_ok(oyez_pool_new(&options, &pool));
    oyez_pool_unref(pool);
}

static void test_blocks_keep_the_pool(void **state)
{
    oyez_pool *pool, *second;
    oyez_block *small, *tiered, *large;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    second = oyez_pool_ref(pool);
    assert_ptr_equal(second, pool);
    assert_ok(oyez_block_new(pool, 10, &small));
    assert_ok(oyez_block_new(pool, 5000, &tiered));
    assert_ok(oyez_block_new(pool, 2 << 20, &large));
    assert_null(oyez_pool_unref(pool));
    assert_null(oyez_pool_unref(second));
    assert_int_equal(oy_leak_live_blocks(), 4);
    memset(oyez_block_data(tiered), 1, 5000);
    oyez_block_unref(tiered); /* to a pool that is closed: freed */
    assert_int_equal(oy_leak_live_blocks(), 3);
    oyez_block_unref(large);
    oyez_block_unref(small); /* and the pool with the last */
    assert_int_equal(oy_leak_live_blocks(), 0);
    assert_null(oyez_pool_ref(NULL));
    assert_null(oyez_pool_unref(NULL));
}

static void test_pooling_off(void **state)
{
#ifndef NDEBUG
    oyez_pool *pool;
    oyez_block *block;
    (void)state;
    assert_int_equal(setenv("OYEZ_POOL", "0", 1), 0);
    assert_ok(oyez_pool_new(NULL, &pool));
    assert_int_equal(unsetenv("OYEZ_POOL"), 0);
    assert_ok(oyez_block_new(pool, 5000, &block));
    assert_int_equal(oyez_block_capacity(block), 5000); /* to the byte, so that ASan sees its end */
    oyez_block_unref(block);
    assert_int_equal(stats_of(pool).idle_bytes, 0);
    assert_int_equal(stats_of(pool).puts, 1);
    oyez_pool_unref(pool);
#else
    (void)state;
#endif
}

static void test_faults(void **state)
{
    (void)state;
    OY_FAULT_WALK() {
        oyez_pool *pool = NULL;
        oyez_block *a = NULL, *b = NULL;
        oyez_err err = oyez_pool_new(NULL, &pool);
        if (!err)
            err = oyez_block_new(pool, 10, &a);
        if (!err)
            err = oyez_block_new(pool, 5000, &b);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        if (pool) /* a get that failed is none */
            assert_int_equal(stats_of(pool).gets, (a != NULL) + (b != NULL));
        oyez_block_unref(a);
        oyez_block_unref(b);
        if (pool)
            assert_int_equal(stats_of(pool).gets, stats_of(pool).puts);
        oyez_pool_unref(pool);
    }
}

enum { THREADS = 3, ROUNDS = 3000, HELD = 8 };

typedef struct worker {
    pthread_t thread;
    oyez_pool *pool;
    unsigned seed;
    bool mixed_up;
} worker;

/* Takes blocks, writes a mark of its own, and sees to it that nobody else has written there. */
static void *work(void *user)
{
    worker *w = user;
    oy_random random = { w->seed };
    oyez_block *held[HELD] = { NULL };
    for (int i = 0; i < ROUNDS; i++) {
        size_t at = (size_t)(oy_random_next(&random) % HELD);
        size_t bytes = (size_t)(oy_random_next(&random) % 6000) + sizeof(unsigned);
        if (held[at]) {
            unsigned mark;
            memcpy(&mark, oyez_block_data(held[at]), sizeof(mark));
            w->mixed_up |= mark != w->seed;
            held[at] = oyez_block_unref(held[at]);
        } else if (oyez_block_new(w->pool, bytes, &held[at])) {
            break;
        } else {
            memcpy(oyez_block_data(held[at]), &w->seed, sizeof(w->seed));
        }
    }
    for (size_t i = 0; i < HELD; i++)
        oyez_block_unref(held[i]);
    oyez_pool_unref(w->pool); /* its own reference; the last one ends the pool */
    return NULL;
}

static void test_threads(void **state)
{
    worker workers[THREADS];
    oyez_pool *pool;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (worker){ .pool = oyez_pool_ref(pool), .seed = i + 1 };
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    oyez_pool_unref(pool);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_false(workers[i].mixed_up);
    }
}

#define pool_test(function) cmocka_unit_test_setup_teardown(function, setup, oy_leak_teardown)

OY_TEST_GROUP(mem_pool, pool_test(test_tiers), pool_test(test_reuse), pool_test(test_own_options),
              pool_test(test_messages_of_one_byte_are_pooled), pool_test(test_wrong_options),
              pool_test(test_blocks_keep_the_pool), pool_test(test_pooling_off),
              pool_test(test_faults), pool_test(test_threads));

/* SPDX-License-Identifier: Apache-2.0 */
/* The arena as a codec sees it. */
#include "base/arena.h"

#include "mem/mem.h"
#include "support/leak.h"
#include "support/test.h"

static void test_public_face(void **state)
{
    oyez_arena arena;
    char *memory;
    (void)state;
    oy_arena_init(&arena, NULL, 0);
    memory = oyez_arena_alloc(&arena, 100);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 16, 0);
    memset(memory, 1, 100);
    assert_null(oyez_arena_alloc(&arena, SIZE_MAX));
    oy_arena_fini(&arena);
}

/* What is too large to be kept comes from the pool each time, and is used up to the block's end. */
static void test_large_chunks_come_from_the_pool(void **state)
{
    oyez_pool *pool;
    oyez_pool_stats stats;
    oyez_arena arena;
    (void)state;
    assert_int_equal(oy_pool_new_for_messages(&pool), OYEZ_NO_ERR);
    oy_arena_init(&arena, NULL, 0);
    oy_arena_use_pool(&arena, pool);
    for (unsigned i = 0; i < 3; i++) {
        char *memory = oyez_arena_alloc(&arena, 1u << 20);
        assert_non_null(memory);
        memory[0] = memory[(1u << 20) - 1] = 'a';
        assert_non_null(oyez_arena_alloc(&arena, 512));
        oy_arena_reset(&arena);
    }
    assert_non_null(oyez_arena_alloc(&arena, 100)); /* small ones are the arena's own */
    oyez_pool_get_stats(pool, &stats);
    assert_int_equal(stats.gets, 3);
    assert_int_equal(stats.puts, 3);
    assert_int_equal(stats.fresh, 1);
    arena.limit = 1u << 20;
    assert_null(oyez_arena_alloc(&arena, 1u << 20));
    assert_true(arena.limit_hit);
    oy_arena_fini(&arena);
    oyez_pool_unref(pool);
}

/* The limit counts what the arena may use of a block, however large that is. */
static void test_the_limit_holds_in_the_pools_blocks(void **state)
{
    oyez_pool *pool;
    oyez_arena arena;
    (void)state;
    assert_int_equal(oy_pool_new_for_messages(&pool), OYEZ_NO_ERR);
    oy_arena_init(&arena, NULL, 0);
    oy_arena_use_pool(&arena, pool);
    arena.limit = 70000;
    assert_non_null(oyez_arena_alloc(&arena, 69000)); /* in a block of 132,096 bytes */
    assert_null(oyez_arena_alloc(&arena, 1024));
    assert_true(arena.total <= arena.limit);
    oy_arena_fini(&arena);
    oyez_pool_unref(pool);
}

OY_TEST_GROUP(mem_arena, oy_leak_test(test_public_face), oy_leak_test(test_large_chunks_come_from_the_pool),
              oy_leak_test(test_the_limit_holds_in_the_pools_blocks));

/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept for a second attempt, and what is not. */
#include "call/replay.h"

#include "support/leak.h"
#include "support/test.h"

#define KIB 1024u
#define COST sizeof(oy_replayed)

static uint8_t bytes[300 * KIB];

/* As the stream has it: borrowed bytes. */
static oyez_slice borrowed(size_t len)
{
    return oy_slice_of((oyez_buffer){ bytes, len, NULL });
}

static oy_replay_budget usual(void)
{
    return (oy_replay_budget){ .limit = 16 * KIB * KIB, .call_limit = 256 * KIB };
}

static void keeps_in_order(void **state)
{
    oy_replay_budget budget = usual();
    oy_replay replay;
    oyez_pool *pool;
    uint8_t copy[100];
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oy_replay_init(&replay, &budget);
    for (uint8_t i = 0; i < 100; i++) {
        uint8_t one[100];
        memset(one, i, sizeof(one));
        const oyez_slice message = oy_slice_of((oyez_buffer){ one, i, NULL });
        oy_replay_keep(&replay, &message, message.len, false, pool);
    }
    assert_int_equal(replay.count, 100);
    for (uint8_t i = 0; i < 100; i++) {
        assert_int_equal(replay.messages[i].bytes.len, i); /* copied: what was borrowed is gone */
        assert_int_equal(oyez_slice_copy_to(&replay.messages[i].bytes, copy, sizeof(copy)), i);
        for (uint8_t k = 0; k < i; k++)
            assert_int_equal(copy[k], i);
    }
    assert_int_equal(budget.used, 100 * COST + 99 * 100 / 2);
    oy_replay_commit(&replay);
    assert_int_equal(budget.used, 0);
    assert_int_equal(replay.count, 0);
    assert_true(replay.committed);
    const oyez_slice late = borrowed(1);
    oy_replay_keep(&replay, &late, late.len, false, pool);
    assert_int_equal(replay.count, 0);
    oy_replay_commit(&replay);
    oyez_pool_unref(pool);
}

static void large_ones_are_not_copied(void **state)
{
    oy_replay_budget budget = usual();
    oy_replay replay;
    oyez_pool *pool;
    oyez_block *block;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    assert_ok(oyez_block_new(pool, 100 * KIB, &block));
    oyez_slice message = oy_slice_of(oyez_buffer_of_block(block, 100 * KIB));
    oy_replay_init(&replay, &budget);
    oy_replay_keep(&replay, &message, message.len, false, pool);
    assert_int_equal(replay.count, 1);
    assert_ptr_equal(oyez_slice_items(&replay.messages[0].bytes)->data, oyez_block_data(block));
    oyez_slice_fini(&message);
    oy_replay_commit(&replay);
    oyez_pool_unref(pool);
}

static void limit_of_a_call(void **state)
{
    oy_replay_budget budget = usual();
    oy_replay replay;
    oyez_pool *pool;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    const oyez_slice fits = borrowed(256 * KIB - COST), over = borrowed(256 * KIB - COST + 1), half = borrowed(128 * KIB);
    const oyez_slice nothing = OYEZ_SLICE_INIT;
    oy_replay_init(&replay, &budget);
    oy_replay_keep(&replay, &fits, fits.len, false, pool);
    assert_false(replay.committed);
    oy_replay_keep(&replay, &nothing, nothing.len, false, pool); /* one more, however small */
    assert_true(replay.committed);
    assert_int_equal(budget.used, 0);
    oy_replay_init(&replay, &budget);
    oy_replay_keep(&replay, &over, over.len, false, pool);
    assert_true(replay.committed);
    oy_replay_init(&replay, &budget);
    oy_replay_keep(&replay, &half, half.len, false, pool);
    assert_false(replay.committed);
    oy_replay_keep(&replay, &half, half.len, false, pool);
    assert_true(replay.committed);
    oyez_pool_unref(pool);
}

/* Empty messages take room, too. */
static void limit_of_empty_messages(void **state)
{
    oy_replay_budget budget = usual();
    oy_replay replay;
    const oyez_slice nothing = OYEZ_SLICE_INIT;
    unsigned n = 0;
    (void)state;
    oy_replay_init(&replay, &budget);
    for (; n < 100000 && !replay.committed; n++)
        oy_replay_keep(&replay, &nothing, nothing.len, false, NULL);
    assert_int_equal(n, 256 * KIB / COST + 1);
}

static void limit_of_a_channel(void **state)
{
    oy_replay_budget budget = { .limit = 300 * KIB, .call_limit = 256 * KIB };
    oy_replay first, second;
    oyez_pool *pool;
    const oyez_slice message = borrowed(200 * KIB);
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oy_replay_init(&first, &budget);
    oy_replay_init(&second, &budget);
    oy_replay_keep(&first, &message, message.len, false, pool);
    oy_replay_keep(&second, &message, message.len, false, pool);
    assert_false(first.committed);
    assert_true(second.committed); /* the one that comes too late is not sent again */
    oy_replay_commit(&first);
    assert_int_equal(budget.used, 0);
    assert_true(oy_replay_charge(&budget, 300 * KIB));
    assert_false(oy_replay_charge(&budget, 1));
    assert_false(oy_replay_charge(&budget, SIZE_MAX));
    oyez_pool_unref(pool);
}

static void memory_runs_out(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        oy_replay_budget budget = usual();
        oy_replay replay;
        const oyez_slice message = borrowed(5000);
        oy_replay_init(&replay, &budget);
        for (int i = 0; i < 10; i++)
            oy_replay_keep(&replay, &message, message.len, false, NULL);
        assert_int_equal(replay.committed, oy_fail_triggered());
        assert_int_equal(replay.count, replay.committed ? 0 : 10);
        oy_replay_commit(&replay);
        assert_int_equal(budget.used, 0);
    }
}

OY_TEST_GROUP(call_replay, oy_leak_test(keeps_in_order), oy_leak_test(large_ones_are_not_copied),
              oy_leak_test(limit_of_a_call), oy_leak_test(limit_of_empty_messages), oy_leak_test(limit_of_a_channel),
              cmocka_unit_test(memory_runs_out));

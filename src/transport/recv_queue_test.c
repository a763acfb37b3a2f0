/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of received messages: order, growth, and who owns what. */
#include "transport/recv_queue.h"

#include "base/random.h"
#include "support/leak.h"
#include "support/test.h"

/* A message that holds a block of the pool, and says who it is. */
static oy_recv_item item_of(oyez_pool *pool, uint32_t number)
{
    oy_recv_item item = { .credit = number };
    oyez_buffer buffer;
    assert_ok(oyez_buffer_copy(pool, &number, sizeof(number), &buffer));
    item.message.bytes = oy_slice_of(buffer);
    return item;
}

static void push(oy_recv_queue *queue, oyez_pool *pool, uint32_t number)
{
    oy_recv_item item = item_of(pool, number);
    assert_ok(oy_recv_queue_push(queue, &item));
    assert_int_equal(item.message.bytes.count, 0); /* taken */
}

static void expect(oy_recv_queue *queue, uint32_t number)
{
    oy_recv_item item;
    uint32_t got = 0;
    assert_true(oy_recv_queue_pop(queue, &item));
    assert_int_equal(item.credit, number);
    assert_int_equal(oyez_slice_copy_to(&item.message.bytes, &got, sizeof(got)), sizeof(got));
    assert_int_equal(got, number);
    oy_message_fini(&item.message);
}

static void expect_balance(oyez_pool *pool)
{
    oyez_pool_stats stats;
    oyez_pool_get_stats(pool, &stats);
    assert_int_equal(stats.gets, stats.puts);
}

static void first_in_first_out(void **state)
{
    oyez_pool *pool;
    oy_recv_queue queue;
    oy_recv_item item;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oy_recv_queue_init(&queue);
    assert_false(oy_recv_queue_pop(&queue, &item));
    for (uint32_t i = 0; i < 10; i++)
        push(&queue, pool, i);
    for (uint32_t i = 0; i < 10; i++)
        expect(&queue, i);
    assert_false(oy_recv_queue_pop(&queue, &item));
    oy_recv_queue_fini(&queue);
    expect_balance(pool);
    oyez_pool_unref(pool);
}

/* A queue that is drained as fast as it is filled never leaves the stream's own memory. */
static void a_short_queue_allocates_nothing(void **state)
{
    oyez_pool *pool;
    oy_recv_queue queue;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oy_recv_queue_init(&queue);
    for (uint32_t i = 0; i < 100; i++) {
        for (uint32_t n = 0; n < OY_RECV_QUEUE_INLINE; n++)
            push(&queue, pool, i + n);
        assert_null(queue.ring);
        for (uint32_t n = 0; n < OY_RECV_QUEUE_INLINE; n++)
            expect(&queue, i + n);
    }
    oy_recv_queue_fini(&queue);
    oyez_pool_unref(pool);
}

/* Grown while its head stands anywhere in the ring. */
static void growth_keeps_the_order(void **state)
{
    oyez_pool *pool;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    for (uint32_t skip = 0; skip < 20; skip++) {
        oy_recv_queue queue;
        uint32_t in = 0, out = 0;
        oy_recv_queue_init(&queue);
        push(&queue, pool, in++);
        for (uint32_t i = 0; i < skip; i++) {
            push(&queue, pool, in++);
            expect(&queue, out++);
        }
        while (in < 100)
            push(&queue, pool, in++);
        while (out < in)
            expect(&queue, out++);
        oy_recv_queue_fini(&queue);
    }
    expect_balance(pool);
    oyez_pool_unref(pool);
}

static void any_course_of_pushes_and_pops(void **state)
{
    oyez_pool *pool;
    oy_recv_queue queue;
    oy_random random = { 4711 };
    uint32_t in = 0, out = 0;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oy_recv_queue_init(&queue);
    for (unsigned i = 0; i < 20000; i++) {
        assert_int_equal(queue.count, in - out);
        /* it swings between empty and some hundred */
        bool fill = i / 500 % 2 == 0;
        if (out < in && oy_random_next(&random) % 4 < (fill ? 1u : 3u))
            expect(&queue, out++);
        else
            push(&queue, pool, in++);
    }
    oy_recv_queue_fini(&queue); /* drops the rest */
    expect_balance(pool);
    oyez_pool_unref(pool);
}

static void without_memory_nothing_is_lost(void **state)
{
    oyez_pool *pool;
    oy_recv_queue queue;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oy_recv_queue_init(&queue);
    for (uint32_t i = 0; i < OY_RECV_QUEUE_INLINE; i++)
        push(&queue, pool, i);
    oy_recv_item item = item_of(pool, 99);
    oy_fail_after(1);
    assert_err(oy_recv_queue_push(&queue, &item), OYEZ_ENOMEM);
    assert_int_equal(item.message.bytes.count, 1); /* still ours */
    oy_message_fini(&item.message);
    for (uint32_t i = 0; i < OY_RECV_QUEUE_INLINE; i++)
        expect(&queue, i);
    oy_recv_queue_fini(&queue);
    expect_balance(pool);
    oyez_pool_unref(pool);
}

OY_TEST_GROUP(transport_recv_queue, oy_leak_test(first_in_first_out), oy_leak_test(a_short_queue_allocates_nothing),
              oy_leak_test(growth_keeps_the_order), oy_leak_test(any_course_of_pushes_and_pops),
              oy_leak_test(without_memory_nothing_is_lost));

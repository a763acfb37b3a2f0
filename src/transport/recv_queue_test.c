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

/* --- small ones, side by side ---------------------------------------------------------------------------------- */

static void push_small(oy_recv_queue *queue, oyez_pool *pool, uint32_t number, size_t len)
{
    uint8_t bytes[OY_RECV_BUNDLE_BYTES];
    oy_message message = { .compressed = number % 3 == 0, .borrowed = len > 0 };
    memset(bytes, (int)number, len);
    if (len > 0)
        message.bytes = oy_slice_of((oyez_buffer){ bytes, len, NULL });
    assert_ok(oy_recv_queue_push_small(queue, &message, pool, NULL));
    assert_int_equal(message.bytes.count, 0); /* taken */
}

static void expect_small(oy_recv_queue *queue, uint32_t number, size_t len)
{
    uint8_t bytes[OY_RECV_BUNDLE_BYTES], wanted[OY_RECV_BUNDLE_BYTES];
    oy_recv_item item;
    assert_true(oy_recv_queue_pop(queue, &item));
    assert_int_equal(item.credit, OY_PREFIX_BYTES + len);
    assert_int_equal(item.message.compressed, number % 3 == 0);
    assert_int_equal(item.message.bytes.len, len);
    assert_int_equal(oyez_slice_copy_to(&item.message.bytes, bytes, sizeof(bytes)), len);
    memset(wanted, (int)number, sizeof(wanted));
    assert_memory_equal(bytes, wanted, len);
    oy_message_fini(&item.message);
}

/* Of any length, between messages that wait by themselves, pushed and popped in turn. */
static void small_ones_keep_order_and_bytes(void **state)
{
    static const size_t lens[] = { 1, 0, 7, OY_RECV_BUNDLE_BYTES, 200, 3, 0, 900 };
    const uint32_t kinds = sizeof(lens) / sizeof(lens[0]);
    oyez_pool *pool;
    oy_recv_queue queue;
    uint32_t in = 0, out = 0;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oy_recv_queue_init(&queue);
    while (out < 500) {
        for (uint32_t end = in + 1 + in % 7; in < end; in++) {
            if (in % 11 == 10)
                push(&queue, pool, in);
            else
                push_small(&queue, pool, in, lens[in % kinds]);
        }
        for (uint32_t end = out + 1 + in % 5; out < end && out < in; out++) {
            if (out % 11 == 10)
                expect(&queue, out);
            else
                expect_small(&queue, out, lens[out % kinds]);
        }
    }
    oy_recv_queue_fini(&queue);
    expect_balance(pool);
    oyez_pool_unref(pool);
}

/* What nobody takes costs about its bytes: here 16 a message with all that is about it. */
static void many_small_ones_take_little(void **state)
{
    enum { MESSAGES = 50000 };
    oy_quota *quota;
    oyez_pool *pool;
    oy_recv_queue queue;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    assert_ok(oy_quota_new(SIZE_MAX, &quota));
    oy_recv_queue_init(&queue);
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint8_t byte = (uint8_t)i;
        oy_message message = { .borrowed = true, .bytes = oy_slice_of((oyez_buffer){ &byte, 1, NULL }) };
        assert_ok(oy_recv_queue_push_small(&queue, &message, pool, quota));
    }
    size_t bytes = atomic_load(&quota->used) + queue.capacity * sizeof(oy_recv_item);
    assert_true(bytes < MESSAGES * (size_t)16);
    assert_true(atomic_load(&quota->used) >= MESSAGES * (size_t)(OY_PREFIX_BYTES + 1));
    oy_recv_queue_fini(&queue);
    assert_int_equal(atomic_load(&quota->used), 0);
    expect_balance(pool);
    oy_quota_unref(quota);
    oyez_pool_unref(pool);
}

/* A message that was taken outlives the queue. */
static void a_taken_one_keeps_its_bytes(void **state)
{
    oyez_pool *pool;
    oy_recv_queue queue;
    oy_recv_item item;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oy_recv_queue_init(&queue);
    push_small(&queue, pool, 'a', 3);
    push_small(&queue, pool, 'b', 3);
    assert_true(oy_recv_queue_pop(&queue, &item));
    oy_recv_queue_fini(&queue);
    assert_memory_equal(item.message.bytes.inline_items[0].data, "aaa", 3);
    oy_message_fini(&item.message);
    expect_balance(pool);
    oyez_pool_unref(pool);
}

OY_TEST_GROUP(transport_recv_queue, oy_leak_test(small_ones_keep_order_and_bytes),
              oy_leak_test(many_small_ones_take_little), oy_leak_test(a_taken_one_keeps_its_bytes), oy_leak_test(first_in_first_out), oy_leak_test(a_short_queue_allocates_nothing),
              oy_leak_test(growth_keeps_the_order), oy_leak_test(any_course_of_pushes_and_pops),
              oy_leak_test(without_memory_nothing_is_lost));

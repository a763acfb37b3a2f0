/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks from pools, buffers that are split, slices, the output queue; and the receive queue of a
 * stream, by value as it is and with a heap object for each message, as it could be. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mem/mem.h"
#include "micro.h"
#include "transport/recv_queue.h"

/* --- pools ------------------------------------------------------------------------------------ */

static void *prepare_pool(void)
{
    oyez_pool *pool = NULL;
    micro_must(!oy_pool_new_for_messages(&pool), "a pool");
    return pool;
}

static void get_put(oyez_pool *pool, size_t bytes, uint64_t rounds)
{
    oyez_block *block;
    while (rounds-- > 0) {
        micro_must(!oyez_block_new(pool, bytes, &block), "a block");
        micro_use(block);
        oyez_block_unref(block);
    }
}

static void run_pool_small(void *state, uint64_t rounds)
{
    get_put(state, 100, rounds);
}

static void run_pool_large(void *state, uint64_t rounds)
{
    get_put(state, 1000000, rounds);
}

static void end_pool(void *state)
{
    oyez_pool_unref(state);
}

static void *prepare_read_pool(void)
{
    oy_block_pool *pool = NULL;
    micro_must(!oy_block_pool_new(OY_READ_BLOCK_BYTES, 16, &pool), "a pool");
    return pool;
}

static void run_read_pool(void *state, uint64_t rounds)
{
    oyez_block *block;
    while (rounds-- > 0) {
        micro_must(!oy_block_pool_get(state, &block), "a block");
        micro_use(block);
        oyez_block_unref(block);
    }
}

static void end_read_pool(void *state)
{
    oy_block_pool_free(state);
}

/* --- slices ----------------------------------------------------------------------------------- */

/* A message of 64 KiB in four pieces, gathered and cut in two. */
static void run_slice(void *state, uint64_t rounds)
{
    oyez_block *block;
    micro_must(!oyez_block_new(state, 65536, &block), "a block");
    oyez_buffer whole = oyez_buffer_of_block(block, 65536);
    while (rounds-- > 0) {
        oyez_slice slice = OYEZ_SLICE_INIT;
        oyez_buffer rest = oyez_buffer_ref(&whole);
        for (size_t i = 0; i < 4; i++) {
            oyez_buffer next = oyez_buffer_split(&rest, i < 3 ? 16384 : rest.len);
            micro_must(!oy_slice_append(&slice, state, rest), "append");
            rest = next;
        }
        oyez_slice half;
        micro_must(!oyez_slice_sub(&slice, 1000, 30000, &half), "sub");
        oyez_slice_fini(&half);
        oyez_slice_fini(&slice);
        oyez_buffer_fini(&rest);
    }
    oyez_buffer_fini(&whole);
}

typedef struct out {
    oy_block_pool *pool;
    oy_outq queue;
} out;

static void *prepare_out(void)
{
    out *o = calloc(1, sizeof(*o));
    micro_must(o != NULL, "memory");
    o->pool = prepare_read_pool();
    oy_outq_init(&o->queue, o->pool);
    return o;
}

/* Frames of 40 bytes, a hundred a write. */
static void run_out(void *state, uint64_t rounds)
{
    static const uint8_t frame[40];
    out *o = state;
    for (uint64_t i = 0; i < rounds; i++) {
        micro_must(!oy_outq_copy(&o->queue, frame, sizeof(frame)), "copy");
        if (i % 100 == 99)
            oy_outq_consume(&o->queue, o->queue.len);
    }
    oy_outq_consume(&o->queue, o->queue.len);
}

static void end_out(void *state)
{
    out *o = state;
    oy_outq_fini(&o->queue);
    oy_block_pool_free(o->pool);
    free(o);
}

const micro_case micro_mem[] = {
    {"pool-100-bytes", prepare_pool, run_pool_small, end_pool, 0},
    {"pool-1-MB", prepare_pool, run_pool_large, end_pool, 0},
    {"pool-read-block", prepare_read_pool, run_read_pool, end_read_pool, 0},
    {"slice-append-split", prepare_pool, run_slice, end_pool, 0},
    {"outq-40-bytes", prepare_out, run_out, end_out, 0},
    {NULL, NULL, NULL, NULL, 0},
};

/* --- the receive queue ------------------------------------------------------------------------ */

static oy_recv_item item_of(void)
{
    static const uint8_t bytes[7];
    return (oy_recv_item){
        .message = {.bytes = oy_slice_of((oyez_buffer){bytes, sizeof(bytes), NULL})}, .credit = 12};
}

/* `depth` messages come before the first is taken. */
static void by_value(uint64_t rounds, uint64_t depth)
{
    oy_recv_queue queue;
    oy_recv_item item;
    oy_recv_queue_init(&queue);
    for (uint64_t done = 0; done < rounds; done += depth) {
        for (uint64_t i = 0; i < depth; i++) {
            item = item_of();
            micro_must(!oy_recv_queue_push(&queue, &item), "push");
        }
        while (oy_recv_queue_pop(&queue, &item)) {
            micro_use(&item);
            oy_message_fini(&item.message);
        }
    }
    oy_recv_queue_fini(&queue);
}

/* As gRPC-Go did before its queue held messages by value: each in an object of its own. Functions that
 * are called, as those of the queue are. */
typedef struct boxed {
    struct boxed *next;
    oy_recv_item item;
} boxed;

typedef struct box_queue {
    boxed *first, **last;
} box_queue;

__attribute__((noinline)) static oyez_err box_push(box_queue *queue, oy_recv_item *item)
{
    boxed *box = oy_alloc(sizeof(*box));
    if (!box)
        return OYEZ_ENOMEM;
    box->item = *item;
    box->next = NULL;
    *queue->last = box;
    queue->last = &box->next;
    return OYEZ_NO_ERR;
}

__attribute__((noinline)) static bool box_pop(box_queue *queue, oy_recv_item *ret_item)
{
    boxed *box = queue->first;
    if (!box)
        return false;
    *ret_item = box->item;
    queue->first = box->next;
    if (!queue->first)
        queue->last = &queue->first;
    oy_free(box);
    return true;
}

static void by_box(uint64_t rounds, uint64_t depth)
{
    box_queue queue = {NULL, NULL};
    oy_recv_item item;
    queue.last = &queue.first;
    for (uint64_t done = 0; done < rounds; done += depth) {
        for (uint64_t i = 0; i < depth; i++) {
            item = item_of();
            micro_must(!box_push(&queue, &item), "push");
        }
        while (box_pop(&queue, &item)) {
            micro_use(&item);
            oy_message_fini(&item.message);
        }
    }
}

static void run_value_1(void *state, uint64_t rounds)
{
    (void)state;
    by_value(rounds, 1);
}

static void run_value_32(void *state, uint64_t rounds)
{
    (void)state;
    by_value(rounds, 32);
}

static void run_box_1(void *state, uint64_t rounds)
{
    (void)state;
    by_box(rounds, 1);
}

static void run_box_32(void *state, uint64_t rounds)
{
    (void)state;
    by_box(rounds, 32);
}

const micro_case micro_queue[] = {
    {"recv-queue-by-value-1", NULL, run_value_1, NULL, 0},
    {"recv-queue-boxed-1", NULL, run_box_1, NULL, 0},
    {"recv-queue-by-value-32", NULL, run_value_32, NULL, 960},
    {"recv-queue-boxed-32", NULL, run_box_32, NULL, 960},
    {NULL, NULL, NULL, NULL, 0},
};

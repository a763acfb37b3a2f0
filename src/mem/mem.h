/* SPDX-License-Identifier: Apache-2.0 */
/* What the layers above use of mem beside oyez/mem.h: quotas, pools of read blocks, the output queue. */
#ifndef OY_MEM_H
#define OY_MEM_H

#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>

#include <oyez/mem.h>

#include "base/refcount.h"

#include "base/assert.h"

/* --- quota: what many connections together may pin ------------------------------------------------ */

/* Counts whole blocks, not bytes: one byte that pins 64 KiB costs 64 KiB. Each charged block holds a
 * reference, since a user may keep a block for longer than the channel or server whose quota it is.
 * Any thread. */
typedef struct oy_quota {
    _Atomic(size_t) used;
    size_t limit;
    oy_refcount refs;
} oy_quota;

oyez_err oy_quota_new(size_t limit, oy_quota **ret_quota);
/* The owner's reference goes; NULL is allowed. */
void oy_quota_unref(oy_quota *quota);

/* Charges the block's capacity to the quota until the block is freed; once a block, later calls do
 * nothing, of two at the same time the first counts. Any thread that holds the block. Never fails: the
 * limit is asked for with oy_quota_exceeded before new work is taken. */
void oy_block_charge(oyez_block *block, oy_quota *quota);

static inline bool oy_quota_exceeded(oy_quota *quota)
{
    return atomic_load_explicit(&quota->used, memory_order_relaxed) >= quota->limit;
}

/* True when nobody but the caller holds a reference. */
bool oy_block_is_sole(oyez_block *block);

/* The pool of a channel or a server whose user brought none: that of oyez_pool_new without a
 * threshold, for one small message a call must not become one malloc a call. */
oyez_err oy_pool_new_for_messages(oyez_pool **ret_pool);

/* What is too large for an arena to keep comes from the pool, and goes back there when the arena is emptied.
 * @param pool borrowed for as long as the arena allocates; NULL: none. */
void oy_arena_use_pool(oyez_arena *arena, oyez_pool *pool);

/* --- read blocks: one size, one owner thread, freed from any -------------------------------------- */

#define OY_READ_BLOCK_BYTES 65536u

/* A pool of blocks of one size whose `get` belongs to one thread (the loop) and costs no atomic; a
 * block freed by the owner goes to its free list, one freed elsewhere comes back through a chain.
 * A debug build with OYEZ_POOL=0 in the environment allocates each block afresh. */
typedef struct oy_block_pool oy_block_pool;

/* The caller's thread is the owner. @param max_idle blocks that may lie idle on each side (the
 * owner's list, the way home); more are freed. */
oyez_err oy_block_pool_new(size_t block_bytes, size_t max_idle, oy_block_pool **ret_pool);
/* Blocks that are still out keep it alive. Owner thread (or after the loop has ended). NULL is
 * allowed. */
void oy_block_pool_free(oy_block_pool *pool);
/* Says that the calling thread is the owner from now on. */
void oy_block_pool_adopt(oy_block_pool *pool);
/* Owner thread. */
oyez_err oy_block_pool_get(oy_block_pool *pool, oyez_block **ret_block);
/* Owner thread. */
void oy_block_pool_get_stats(const oy_block_pool *pool, oyez_pool_stats *ret_stats);

/* --- output queue ----------------------------------------------------------------------------------- */

/* Bytes on their way to a socket: small things are copied into blocks, large ones are referenced.
 * One thread. Three states: *open* (the last part still grows: its bytes end at `tail`), *parked* (a
 * reference was queued behind the block that was open; its free rest is kept for the next copy) and
 * neither. */
typedef struct oy_outq {
    oy_block_pool *pool;  /* borrowed: blocks to copy into */
    oyez_buffer *parts;   /* ring; the `len` of an open part is not kept up to date */
    uint32_t head, count, capacity;
    bool open;            /* the last part ends at `tail`, and its block has `spare` free bytes there */
    size_t len;           /* bytes queued; read-only */
    uint8_t *tail;        /* where the next copied byte goes; NULL when neither open nor parked */
    size_t spare;         /* 0 unless open, so that one comparison tells in oy_outq_reserve */
    oyez_block *parked;   /* NULL unless parked */
    size_t rest;          /* bytes free behind `tail` while parked */
} oy_outq;

void oy_outq_init(oy_outq *queue, oy_block_pool *pool);
void oy_outq_fini(oy_outq *queue);
/* An empty queue gives back the block that it keeps: an idle connection holds none. */
void oy_outq_trim(oy_outq *queue);

/* The way of oy_outq_reserve when the open part is full or there is none. */
uint8_t *oy_outq_reserve_slow(oy_outq *queue, size_t bytes);
/* The ways of the other two that end a part. */
oyez_err oy_outq_copy_slow(oy_outq *queue, const void *data, size_t len);
void oy_outq_consume_slow(oy_outq *queue, size_t len);

/* At least `bytes` (at most a block of the pool) contiguous writable bytes; NULL: no memory. Valid
 * until the next call on the queue; then oy_outq_commit says how many were used. Inline: each frame
 * that is written comes through here. */
static inline uint8_t *oy_outq_reserve(oy_outq *queue, size_t bytes)
{
    if (oy_likely(bytes - 1 < queue->spare)) /* 0 goes the slow way */
        return queue->tail;
    return oy_outq_reserve_slow(queue, bytes);
}

/* At most as many as `spare` says, which may be more than were reserved. */
static inline void oy_outq_commit(oy_outq *queue, size_t bytes)
{
    oy_assert(bytes <= queue->spare);
    queue->tail += bytes;
    queue->spare -= bytes;
    queue->len += bytes;
}

/* All or nothing. */
static inline oyez_err oy_outq_copy(oy_outq *queue, const void *data, size_t len)
{
    if (oy_likely(len - 1 < queue->spare)) {
        memcpy(queue->tail, data, len);
        oy_outq_commit(queue, len);
        return OYEZ_NO_ERR;
    }
    return oy_outq_copy_slow(queue, data, len);
}

/* Queues a reference; bytes without a block are copied. @param buffer takes, on success and on
 * failure. */
oyez_err oy_outq_append(oy_outq *queue, oyez_buffer buffer);
/* Fills at most `max` vectors with the first bytes; returns how many. */
size_t oy_outq_peek(const oy_outq *queue, struct iovec *vectors, size_t max);

/* Drops the first `len` bytes (they were written). What is consumed goes back to its pool at once;
 * an emptied queue keeps at most one block. */
static inline void oy_outq_consume(oy_outq *queue, size_t len)
{
    oyez_buffer *first;
    oy_assert(len <= queue->len);
    if (len == 0)
        return;
    first = &queue->parts[queue->head];
    if (queue->count > 1 && len < first->len) { /* of several, the first is not the open one */
        first->data += len;
        first->len -= len;
        queue->len -= len;
        return;
    }
    oy_outq_consume_slow(queue, len);
}

/* Takes bytes off the front, without a copy: the rest of the first part, or `max` bytes of it. The queue
 * is not empty, `max` not 0. @return with a reference of the caller's; other threads may read it while
 * the queue goes on. */
oyez_buffer oy_outq_take(oy_outq *queue, size_t max);

/* --- slices, inside -------------------------------------------------------------------------------- */

/* Makes sure that `extra` more buffers can be appended without an allocation. What it takes for that comes out
 * of the pool; NULL: of the allocator. */
oyez_err oy_slice_reserve(oyez_slice *slice, oyez_pool *pool, size_t extra);
/* As oyez_slice_append, with a pool for what more than two buffers need. */
oyez_err oy_slice_append(oyez_slice *slice, oyez_pool *pool, oyez_buffer buffer);

/* As oyez_slice_fini; most slices that a call drops are empty. */
static inline void oy_slice_fini(oyez_slice *slice)
{
    if (slice->count | slice->capacity)
        oyez_slice_fini(slice);
}

/* A slice of one borrowed or owned buffer, without any allocation. Takes. */
static inline oyez_slice oy_slice_of(oyez_buffer buffer)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    slice.len = buffer.len;
    slice.count = 1;
    slice.inline_items[0] = buffer;
    return slice;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the layers above use of mem beside oyez/mem.h: quotas, pools of read blocks, the output queue. */
#ifndef OY_MEM_H
#define OY_MEM_H

#include <stdatomic.h>
#include <sys/uio.h>

#include <oyez/mem.h>

/* --- quota: what many connections together may pin ------------------------------------------------ */

/* Counts whole blocks, not bytes: one byte that pins 64 KiB costs 64 KiB. Any thread. */
typedef struct oy_quota {
    _Atomic(size_t) used;
    size_t limit;
} oy_quota;

/* Charges the block's capacity to the quota until the block is freed; once a block, later calls do
 * nothing. Only the thread that filled the block calls it. Never fails: the limit is asked for with
 * oy_quota_exceeded before new work is taken. The quota outlives its blocks. */
void oy_block_charge(oyez_block *block, oy_quota *quota);

static inline bool oy_quota_exceeded(oy_quota *quota)
{
    return atomic_load_explicit(&quota->used, memory_order_relaxed) >= quota->limit;
}

/* True when nobody but the caller holds a reference. */
bool oy_block_is_sole(oyez_block *block);

/* --- read blocks: one size, one owner thread, freed from any -------------------------------------- */

#define OY_READ_BLOCK_BYTES 65536u

/* A pool of blocks of one size whose `get` belongs to one thread (the loop) and costs no atomic; a
 * block freed by the owner goes to its free list, one freed elsewhere comes back through a chain.
 * A debug build with OYEZ_POOL=0 in the environment allocates each block afresh. */
typedef struct oy_block_pool oy_block_pool;

oyez_err oy_block_pool_new(size_t block_bytes, size_t max_idle, oy_block_pool **ret_pool);
/* Blocks that are still out keep it alive. Owner thread (or after the loop has ended). */
void oy_block_pool_free(oy_block_pool *pool);
/* Says that the calling thread is the owner from now on. */
void oy_block_pool_adopt(oy_block_pool *pool);
/* Owner thread. */
oyez_err oy_block_pool_get(oy_block_pool *pool, oyez_block **ret_block);
void oy_block_pool_get_stats(const oy_block_pool *pool, oyez_pool_stats *ret_stats);

/* --- output queue ----------------------------------------------------------------------------------- */

/* Bytes on their way to a socket: small things are copied into blocks, large ones are referenced.
 * One thread. */
typedef struct oy_outq {
    oy_block_pool *pool;      /* borrowed: blocks to copy into */
    struct oy_outq_part *parts; /* ring */
    uint32_t head, count, capacity;
    size_t len;               /* bytes queued */
    uint8_t *tail;            /* where the next copied byte goes; NULL: no open block */
    size_t spare;             /* bytes free behind tail */
} oy_outq;

void oy_outq_init(oy_outq *queue, oy_block_pool *pool);
void oy_outq_fini(oy_outq *queue);
/* At least `bytes` (at most OY_READ_BLOCK_BYTES) contiguous writable bytes; NULL: no memory. Valid
 * until the next call on the queue; then oy_outq_commit says how many were used. */
uint8_t *oy_outq_reserve(oy_outq *queue, size_t bytes);
void oy_outq_commit(oy_outq *queue, size_t bytes);
oyez_err oy_outq_copy(oy_outq *queue, const void *data, size_t len);
/* Queues a reference. @param buffer takes, on success and on failure. */
oyez_err oy_outq_append(oy_outq *queue, oyez_buffer buffer);
/* Fills at most `max` vectors with the first bytes; returns how many. */
size_t oy_outq_peek(const oy_outq *queue, struct iovec *vectors, size_t max);
/* Drops the first `len` bytes (they were written). */
void oy_outq_consume(oy_outq *queue, size_t len);

/* --- slices, inside -------------------------------------------------------------------------------- */

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

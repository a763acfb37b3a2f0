/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of one size for one loop. The owner's gets and puts cost no atomic: its free list and its
 * counts are its own. A block that is freed on another thread comes home through a lock-free chain,
 * which the owner empties when its list has run out.
 *
 * The pool ends with its last block. Only puts of other threads are counted atomically, downwards from
 * 0, in `balance`; oy_block_pool_free adds the number of blocks that are out, so that from then on
 * `balance` says how many are missing, and who brings it to 0 frees the pool. Before that it cannot
 * become 0 by a put, since it starts at 0 and each put leaves it below. */
#include "base/alloc.h"
#include "mem/block.h"

struct oy_block_pool {
    /* owner thread */
    oy_link *idle;
    size_t idle_count;
    size_t block_bytes, max_idle;
    bool pooling;
    uint64_t gets, fresh, own_puts;

    _Atomic(uint64_t) owner;      /* thread_number of the owner; 0: closed, there is none any more */
    _Atomic(int64_t) balance;
    _Atomic(size_t) chained;      /* blocks in `home`, about */
    oy_chain home;
};

/* A number that no other thread ever had; 0 as long as this one owns no pool. WHY not pthread_self or
 * an address: they are used again after a thread's end. */
static __attribute__((tls_model("initial-exec"))) _Thread_local uint64_t thread_number;

static uint64_t number_thread(void)
{
    static _Atomic(uint64_t) last;
    if (!thread_number)
        thread_number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    return thread_number;
}

oyez_err oy_block_pool_new(size_t block_bytes, size_t max_idle, oy_block_pool **ret_pool)
{
    oy_block_pool *pool = oy_alloc_zero(sizeof(*pool));
    if (!pool)
        return OYEZ_ENOMEM;
    pool->block_bytes = block_bytes;
    pool->max_idle = max_idle;
    pool->pooling = oy_block_pooling();
    oy_block_pool_adopt(pool);
    *ret_pool = pool;
    return OYEZ_NO_ERR;
}

void oy_block_pool_adopt(oy_block_pool *pool)
{
    atomic_store_explicit(&pool->owner, number_thread(), memory_order_relaxed);
}

static void destroy_list(oy_link *link)
{
    while (link) {
        oyez_block *block = oy_block_of_link(link);
        link = link->next;
        oy_block_destroy(block);
    }
}

/* Called by the one who brought `balance` to 0. */
static void destroy(oy_block_pool *pool)
{
    destroy_list(oy_chain_take(&pool->home));
    oy_free(pool);
}

/* A put by another thread, or by any after the end of the owner. */
static void put_away(oy_block_pool *pool, oyez_block *block)
{
    bool keep = pool->pooling && atomic_load_explicit(&pool->owner, memory_order_relaxed) != 0 &&
                atomic_load_explicit(&pool->chained, memory_order_relaxed) < pool->max_idle;
    if (keep) {
        (void)atomic_fetch_add_explicit(&pool->chained, 1, memory_order_relaxed);
        (void)oy_chain_push(&pool->home, &block->link);
    } else {
        oy_block_destroy(block);
    }
    /* the pool may be gone after this, so it comes last */
    if (atomic_fetch_sub_explicit(&pool->balance, 1, memory_order_acq_rel) == 1)
        destroy(pool);
}

/* Into the owner's list, or to the allocator when that is long enough. */
static void put_home(oy_block_pool *pool, oyez_block *block)
{
    if (!pool->pooling || pool->idle_count >= pool->max_idle) {
        oy_block_destroy(block);
        return;
    }
    block->link.next = pool->idle;
    pool->idle = &block->link;
    pool->idle_count++;
}

static void put_block(oyez_block *block)
{
    oy_block_pool *pool = block->owner;
    if (thread_number && atomic_load_explicit(&pool->owner, memory_order_relaxed) == thread_number) {
        pool->own_puts++;
        put_home(pool, block);
    } else {
        put_away(pool, block);
    }
}

/* Moves what has come through the chain to the owner's list. */
static void fetch_home(oy_block_pool *pool)
{
    oy_link *link = oy_chain_take(&pool->home);
    size_t count = 0;
    while (link) {
        oyez_block *block = oy_block_of_link(link);
        link = link->next;
        put_home(pool, block);
        count++;
    }
    if (count)
        (void)atomic_fetch_sub_explicit(&pool->chained, count, memory_order_relaxed);
}

oyez_err oy_block_pool_get(oy_block_pool *pool, oyez_block **ret_block)
{
    oyez_block *block;
    if (!pool->idle)
        fetch_home(pool);
    if (pool->idle) {
        block = oy_block_of_link(pool->idle);
        pool->idle = block->link.next;
        pool->idle_count--;
        oy_block_revive(block);
    } else {
        block = oy_block_alloc(pool->block_bytes, put_block, pool);
        if (!block)
            return OYEZ_ENOMEM;
        pool->fresh++;
    }
    pool->gets++;
    *ret_block = block;
    return OYEZ_NO_ERR;
}

void oy_block_pool_free(oy_block_pool *pool)
{
    int64_t out;
    if (!pool)
        return;
    atomic_store_explicit(&pool->owner, 0, memory_order_relaxed);
    destroy_list(pool->idle);
    pool->idle = NULL;
    destroy_list(oy_chain_take(&pool->home));
    out = (int64_t)(pool->gets - pool->own_puts);
    if (atomic_fetch_add_explicit(&pool->balance, out, memory_order_acq_rel) + out == 0)
        destroy(pool);
}

void oy_block_pool_get_stats(const oy_block_pool *pool, oyez_pool_stats *ret_stats)
{
    int64_t balance = atomic_load_explicit(&pool->balance, memory_order_acquire);
    size_t chained = atomic_load_explicit(&pool->chained, memory_order_relaxed);
    *ret_stats = (oyez_pool_stats){
        .gets = pool->gets,
        .puts = pool->own_puts + (uint64_t)-balance,
        .fresh = pool->fresh,
        .idle_bytes = (pool->idle_count + chained) * pool->block_bytes,
    };
}

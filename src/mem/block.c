/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks: a header with count and way home in front of the memory. Debug builds fill freed memory with
 * 0xDB, keep ASan's hand on it while it lies idle, and say so when a block is used after its end. */
#include "mem/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/poison.h"
#include "base/size.h"

#define FREED_BYTE 0xdb

static uint8_t *memory_of(oyez_block *block)
{
    return (uint8_t *)(block + 1);
}

oyez_block *oy_block_alloc(size_t capacity, block_put_fn *put, void *owner)
{
    size_t bytes;
    oyez_block *block;
    if (!oy_add_size(sizeof(*block), capacity, &bytes) || !(block = oy_alloc(bytes)))
        return NULL;
    oy_refcount_init(&block->refs, 1);
    block->tier = 0;
    block->link.next = NULL;
    block->capacity = capacity;
    block->put = put;
    block->owner = owner;
    atomic_init(&block->quota, NULL);
    block->state = BLOCK_LIVE;
    return block;
}

void oy_block_revive(oyez_block *block)
{
    oy_assert(block->state == BLOCK_FREED);
    oy_unpoison(memory_of(block), block->capacity);
    block->state = BLOCK_LIVE;
    atomic_store_explicit(&block->refs.count, 1, memory_order_relaxed);
}

void oy_block_destroy(oyez_block *block)
{
    oy_unpoison(memory_of(block), block->capacity);
    oy_free(block);
}

/* The last reference is gone. */
static void retire(oyez_block *block)
{
    oy_quota *quota = atomic_load_explicit(&block->quota, memory_order_relaxed);
    if (quota) {
        (void)atomic_fetch_sub_explicit(&quota->used, block->capacity, memory_order_relaxed);
        oy_quota_unref(quota);
        atomic_store_explicit(&block->quota, NULL, memory_order_relaxed);
    }
    block->state = BLOCK_FREED;
#ifndef NDEBUG
    memset(memory_of(block), FREED_BYTE, block->capacity);
#endif
    oy_poison(memory_of(block), block->capacity);
    block->put(block);
}

#ifdef NDEBUG
#define check_live(block, words) ((void)0)
#else
#define check_live(block, words)                                                                   \
    ((block)->state == BLOCK_LIVE && oy_refcount_get(&(block)->refs) > 0                           \
         ? (void)0                                                                                 \
         : oy_panic(__FILE__, __LINE__, words))
#endif

oyez_block *oyez_block_ref(oyez_block *block)
{
    if (!block)
        return NULL;
    check_live(block, "block referenced after it was freed");
    oy_ref(&block->refs);
    return block;
}

oyez_block *oyez_block_unref(oyez_block *block)
{
    if (!block)
        return NULL;
    check_live(block, "block freed twice");
    /* a sole holder needs no atomic arithmetic: nobody else is there to race with */
    if (oy_refcount_get(&block->refs) == 1) {
        atomic_store_explicit(&block->refs.count, 0, memory_order_relaxed);
        retire(block);
    } else if (oy_unref(&block->refs)) {
        retire(block);
    }
    return NULL;
}

void *oyez_block_data(oyez_block *block)
{
    check_live(block, "block used after it was freed");
    return memory_of(block);
}

size_t oyez_block_capacity(const oyez_block *block)
{
    return block->capacity;
}

bool oy_block_is_sole(oyez_block *block)
{
    return oy_refcount_get(&block->refs) == 1;
}

void oy_block_charge(oyez_block *block, oy_quota *quota)
{
    oy_quota *none = NULL;
    if (atomic_load_explicit(&block->quota, memory_order_relaxed))
        return;
    oy_ref(&quota->refs);
    if (!atomic_compare_exchange_strong_explicit(&block->quota, &none, quota, memory_order_relaxed,
                                                 memory_order_relaxed)) {
        oy_quota_unref(quota); /* another thread was first; the caller holds one, too */
        return;
    }
    (void)atomic_fetch_add_explicit(&quota->used, block->capacity, memory_order_relaxed);
}

bool oy_block_pooling(void)
{
#ifndef NDEBUG
    const char *text = getenv("OYEZ_POOL");
    return !text || strcmp(text, "0") != 0;
#else
    return true;
#endif
}

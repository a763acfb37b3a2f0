/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in front of a block's memory. Only src/mem looks at it. */
#ifndef OY_MEM_BLOCK_H
#define OY_MEM_BLOCK_H

#include <oyez/mem.h>

#include "base/chain.h"
#include "base/refcount.h"
#include "mem/mem.h"

/* WHY so far from the front: a free()d block has malloc's own notes in its first words, and the state
 * should still be there to be looked at. */
enum block_state { BLOCK_LIVE = 0x6f79657a, BLOCK_FREED = 0x64656164 };

typedef void block_put_fn(oyez_block *block);

struct oyez_block {
    _Alignas(16) oy_refcount refs;
    uint32_t tier;       /* of a tiered pool */
    oy_link link;        /* in a free list or on the way home */
    size_t capacity;
    block_put_fn *put;   /* takes the block when its last reference is gone */
    void *owner;         /* the pool, of the kind that `put` knows; NULL: none */
    _Atomic(oy_quota *) quota; /* a reference */
    uint32_t state;      /* enum block_state; looked at in debug builds only */
};

/* Fresh memory of exactly `capacity` bytes, count 1; NULL: no memory. */
oyez_block *oy_block_alloc(size_t capacity, block_put_fn *put, void *owner);
/* Makes a block that came out of a free list usable again, count 1. */
void oy_block_revive(oyez_block *block);
/* Gives the memory back to the allocator. */
void oy_block_destroy(oyez_block *block);

static inline oyez_block *oy_block_of_link(oy_link *link)
{
    return oy_container_of(link, oyez_block, link);
}

/* False in debug builds with OYEZ_POOL=0 in the environment. */
bool oy_block_pooling(void);

#endif

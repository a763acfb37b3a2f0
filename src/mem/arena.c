/* SPDX-License-Identifier: Apache-2.0 */
/* The public face of the arena in base, which has no public header of its own; and the arena that takes what
 * is large from a pool. */
#include "base/arena.h"

#include <oyez/mem.h>

#include "mem/block.h"

void *oyez_arena_alloc(oyez_arena *arena, size_t bytes)
{
    return oy_arena_alloc(arena, bytes);
}

static void *take(void *user, size_t *bytes)
{
    oyez_block *block;
    if (oyez_block_new(user, *bytes, &block))
        return NULL;
    *bytes = oyez_block_capacity(block);
    return oyez_block_data(block);
}

static void give(void *memory)
{
    (void)oyez_block_unref((oyez_block *)memory - 1);
}

void oy_arena_use_pool(oyez_arena *arena, oyez_pool *pool)
{
    static const oy_arena_source source = {.take = take, .give = give};
    arena->source = pool ? &source : NULL;
    arena->source_user = pool;
}

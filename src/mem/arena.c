/* SPDX-License-Identifier: Apache-2.0 */
/* The public face of the arena in base, which has no public header of its own. */
#include "base/arena.h"

#include <oyez/mem.h>

void *oyez_arena_alloc(oyez_arena *arena, size_t bytes)
{
    return oy_arena_alloc(arena, bytes);
}

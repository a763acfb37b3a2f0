/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is given back all at once. The first chunk belongs to whoever embeds the arena, so a
 * small life allocates nothing; further chunks are kept up to a bound when the arena is reset. */
#ifndef OY_BASE_ARENA_H
#define OY_BASE_ARENA_H

#include <stdarg.h>

#include <oyez/types.h>

#include "base/poison.h"

/* Where chunks come from that are too large to be kept. */
typedef struct oy_arena_source {
    /* At least *bytes bytes; says how many there are. NULL: no memory. */
    void *(*take)(void *user, size_t *bytes);
    void (*give)(void *memory);
} oy_arena_source;

struct oyez_arena {
    char *next, *end;
    struct oy_arena_chunk *chunks; /* newest first */
    struct oy_arena_chunk *spare;  /* one kept chunk, so that a steady life allocates nothing */
    char *first, *first_end;       /* the embedder's memory */
    size_t total; /* bytes in chunks; neither `first` nor `spare` counts */
    size_t limit; /* of `total`; 0: none. Set by the embedder after oy_arena_init. */
    bool limit_hit; /* an allocation was refused because of it, since the last reset */
    const oy_arena_source *source; /* NULL: the allocator. Set by the embedder, as is the next; it may change */
    void *source_user;             /* used while something is allocated, not when it is given back */
};

/* A place to come back to. */
typedef struct oy_arena_mark {
    struct oy_arena_chunk *chunk;
    char *next;
} oy_arena_mark;

/* `first` is the embedder's memory, aligned for any type; may be NULL with 0. Under ASan what is not
 * allocated of it is poisoned until oy_arena_fini: the embedder keeps off. */
void oy_arena_init(oyez_arena *arena, void *first, size_t first_bytes);
void oy_arena_fini(oyez_arena *arena);
/* Empties it. Keeps one chunk of at most 64 KiB. */
void oy_arena_reset(oyez_arena *arena);
oy_arena_mark oy_arena_get_mark(const oyez_arena *arena);
/* Frees what was allocated since the mark. */
void oy_arena_back_to(oyez_arena *arena, oy_arena_mark mark);
/* The way of oy_arena_alloc when the current chunk is full. */
void *oy_arena_alloc_slow(oyez_arena *arena, size_t bytes);

/* Aligned to 16. NULL when there is no memory or the limit is reached. Inline, for decoding a message
 * takes one for each field. */
static inline void *oy_arena_alloc(oyez_arena *arena, size_t bytes)
{
#ifndef OY_ASAN /* there each piece must be unpoisoned, which the slow way does */
    size_t need = (bytes + 15) & ~(size_t)15;
    /* 0 bytes, and sizes that overflow, wrap around and go the slow way */
    if (need - 1 < (size_t)(arena->end - arena->next)) {
        char *memory = arena->next;
        arena->next += need;
        return memory;
    }
#endif
    return oy_arena_alloc_slow(arena, bytes);
}

void *oy_arena_dup(oyez_arena *arena, const void *data, size_t len); /* adds a NUL behind */
char *oy_arena_vprintf(oyez_arena *arena, const char *format, va_list args);
char *oy_arena_printf(oyez_arena *arena, const char *format, ...) OYEZ_PRINTF(2, 3);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that lives as long as a call. A bump pointer in the embedder's memory first, then in chunks
 * that double from 4 to 64 KiB; larger requests get a chunk to their measure, from the embedder's source if
 * there is one. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/size.h"

#define ALIGNMENT 16u
#define LEAST_CHUNK_BYTES 4096u
#define MOST_CHUNK_BYTES 65536u

/* The memory follows the header; `bytes` counts both. */
struct oy_arena_chunk {
    _Alignas(ALIGNMENT) struct oy_arena_chunk *older;
    size_t bytes;
    const oy_arena_source *source; /* NULL: the allocator */
};

static char *chunk_start(struct oy_arena_chunk *chunk)
{
    return (char *)(chunk + 1);
}

static char *chunk_end(struct oy_arena_chunk *chunk)
{
    return (char *)chunk + chunk->bytes;
}

static void chunk_free(struct oy_arena_chunk *chunk)
{
    if (!chunk)
        return;
    oy_unpoison(chunk_start(chunk), chunk->bytes - sizeof(*chunk));
    if (chunk->source)
        chunk->source->give(chunk);
    else
        oy_free(chunk);
}

/* @param room at least `bytes`: the chunk may count so much, if it turns out larger than asked for */
static struct oy_arena_chunk *chunk_new(oyez_arena *arena, size_t bytes, size_t room)
{
    const oy_arena_source *source = bytes > MOST_CHUNK_BYTES ? arena->source : NULL;
    struct oy_arena_chunk *chunk = source ? source->take(arena->source_user, &bytes) : oy_alloc(bytes);
    if (!chunk)
        return NULL;
    chunk->bytes = oy_min_size(bytes, room & ~(size_t)(ALIGNMENT - 1));
    chunk->source = source;
    return chunk;
}

/* Goes back to allocating from `next` on, in the newest chunk or in the embedder's memory. */
static void rewind_to(oyez_arena *arena, char *next)
{
    arena->next = next;
    arena->end = arena->chunks ? chunk_end(arena->chunks) : arena->first_end;
    if (next)
        oy_poison(next, (size_t)(arena->end - next));
}

void oy_arena_init(oyez_arena *arena, void *first, size_t first_bytes)
{
    size_t skip = (ALIGNMENT - (uintptr_t)first % ALIGNMENT) % ALIGNMENT;
    *arena = (oyez_arena){ 0 };
    if (first && first_bytes >= skip + ALIGNMENT) {
        arena->first = (char *)first + skip;
        arena->first_end = arena->first + ((first_bytes - skip) & ~(size_t)(ALIGNMENT - 1));
        rewind_to(arena, arena->first);
    }
}

/* Frees the newest chunk, or keeps it as the spare one if it is the better of the two. */
static void drop_chunk(oyez_arena *arena)
{
    struct oy_arena_chunk *chunk = arena->chunks, *worse = chunk;
    arena->chunks = chunk->older;
    arena->total -= chunk->bytes;
    if (chunk->bytes <= MOST_CHUNK_BYTES && !chunk->source && (!arena->spare || arena->spare->bytes < chunk->bytes)) {
        worse = arena->spare;
        arena->spare = chunk;
        oy_poison(chunk_start(chunk), chunk->bytes - sizeof(*chunk));
    }
    chunk_free(worse);
}

void oy_arena_reset(oyez_arena *arena)
{
    while (arena->chunks)
        drop_chunk(arena);
    arena->limit_hit = false;
    rewind_to(arena, arena->first);
}

void oy_arena_fini(oyez_arena *arena)
{
    oy_arena_reset(arena);
    chunk_free(arena->spare);
    if (arena->first)
        oy_unpoison(arena->first, (size_t)(arena->first_end - arena->first));
    *arena = (oyez_arena){ 0 };
}

oy_arena_mark oy_arena_get_mark(const oyez_arena *arena)
{
    return (oy_arena_mark){ arena->chunks, arena->next };
}

void oy_arena_back_to(oyez_arena *arena, oy_arena_mark mark)
{
    while (arena->chunks != mark.chunk) {
        oy_assert(arena->chunks); /* a mark of another arena, or one before a reset */
        drop_chunk(arena);
    }
    rewind_to(arena, mark.next);
}

/* Makes room for `need` more bytes in a new chunk. */
static bool grow(oyez_arena *arena, size_t need)
{
    struct oy_arena_chunk *chunk = arena->spare;
    size_t room = arena->limit ? arena->limit - oy_min_size(arena->limit, arena->total) : SIZE_MAX;
    size_t bytes;

    if (!oy_add_size(need, sizeof(*chunk), &need) || need > room) {
        arena->limit_hit = room != SIZE_MAX;
        return false;
    }
    if (chunk && chunk->bytes >= need && chunk->bytes <= room) {
        arena->spare = NULL;
    } else {
        bytes = arena->chunks ? arena->chunks->bytes * 2 : LEAST_CHUNK_BYTES;
        bytes = oy_min_size(oy_max_size(bytes, LEAST_CHUNK_BYTES), MOST_CHUNK_BYTES);
        bytes = oy_max_size(oy_min_size(bytes, room & ~(size_t)(ALIGNMENT - 1)), need);
        chunk = chunk_new(arena, bytes, room);
        if (!chunk)
            return false;
    }
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    arena->total += chunk->bytes;
    rewind_to(arena, chunk_start(chunk));
    return true;
}

void *oy_arena_alloc_slow(oyez_arena *arena, size_t bytes)
{
    size_t need;
    char *memory;
    if (bytes == 0)
        bytes = 1;
    if (!oy_add_size(bytes, ALIGNMENT - 1, &need))
        return NULL;
    need &= ~(size_t)(ALIGNMENT - 1);
    if (need > (size_t)(arena->end - arena->next) && !grow(arena, need))
        return NULL;
    memory = arena->next;
    arena->next += need;
    oy_unpoison(memory, bytes);
    return memory;
}

void *oy_arena_dup(oyez_arena *arena, const void *data, size_t len)
{
    size_t bytes;
    char *copy;
    if (!oy_add_size(len, 1, &bytes) || !(copy = oy_arena_alloc(arena, bytes)))
        return NULL;
    if (len)
        memcpy(copy, data, len);
    copy[len] = '\0';
    return copy;
}

char *oy_arena_vprintf(oyez_arena *arena, const char *format, va_list args)
{
    char small[256];
    va_list again;
    char *text = NULL;
    int len;

    va_copy(again, args);
    len = vsnprintf(small, sizeof(small), format, args);
    if (len >= 0 && (size_t)len < sizeof(small)) {
        text = oy_arena_dup(arena, small, (size_t)len);
    } else if (len >= 0) {
        text = oy_arena_alloc(arena, (size_t)len + 1);
        if (text)
            (void)vsnprintf(text, (size_t)len + 1, format, again);
    }
    va_end(again);
    return text;
}

char *oy_arena_printf(oyez_arena *arena, const char *format, ...)
{
    va_list args;
    char *text;
    va_start(args, format);
    text = oy_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

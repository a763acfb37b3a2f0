/* SPDX-License-Identifier: Apache-2.0 */
/* The output queue: a ring of parts, each a view of a block. While a part is open its length is not
 * kept: the bytes between its start and `tail` are it, so that committing is three additions.
 *
 * Whose reference: each part owns one of its block; `parked` owns one more. */
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "mem/mem.h"

#define FIRST_PARTS 16u
/* A smaller rest of a block is not worth a part of its own behind a reference. */
#define LEAST_REST 256u

void oy_outq_init(oy_outq *queue, oy_block_pool *pool)
{
    *queue = (oy_outq){ .pool = pool };
}

static oyez_buffer *part_at(const oy_outq *queue, uint32_t i)
{
    return &queue->parts[(queue->head + i) & (queue->capacity - 1)];
}

static oyez_buffer *last_part(const oy_outq *queue)
{
    return part_at(queue, queue->count - 1);
}

static void unpark(oy_outq *queue)
{
    queue->parked = oyez_block_unref(queue->parked);
    queue->rest = 0;
    if (!queue->open)
        queue->tail = NULL;
}

void oy_outq_fini(oy_outq *queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        oyez_buffer_fini(part_at(queue, i));
    oyez_block_unref(queue->parked);
    oy_free(queue->parts);
    oy_outq_init(queue, queue->pool);
}

/* Makes room for one more part. The ring only grows: what was needed once will be needed again. */
static oyez_err grow(oy_outq *queue)
{
    uint32_t capacity = queue->capacity ? queue->capacity * 2 : FIRST_PARTS;
    oyez_buffer *parts;
    if (queue->count < queue->capacity)
        return OYEZ_NO_ERR;
    if (queue->capacity > UINT32_MAX / 2 ||
        !(parts = oy_alloc_array(capacity, sizeof(*parts))))
        return OYEZ_ENOMEM;
    for (uint32_t i = 0; i < queue->count; i++)
        parts[i] = *part_at(queue, i);
    oy_free(queue->parts);
    queue->parts = parts;
    queue->head = 0;
    queue->capacity = capacity;
    return OYEZ_NO_ERR;
}

/* There is room. Takes. */
static void push(oy_outq *queue, oyez_buffer part)
{
    queue->count++;
    *last_part(queue) = part;
}

/* Ends the open part. An empty one is taken off the ring again. Returns its block with a reference of
 * the caller's if `keep_block`. */
static oyez_block *close_part(oy_outq *queue, bool keep_block)
{
    oyez_buffer *part = last_part(queue);
    oyez_block *block = part->block;
    part->len = (size_t)(queue->tail - part->data);
    queue->open = false;
    queue->spare = 0;
    queue->tail = NULL;
    if (part->len) {
        if (keep_block)
            return oyez_block_ref(block);
    } else {
        queue->count--;
        if (keep_block)
            return block;
        oyez_block_unref(block);
    }
    return NULL;
}

/* Opens a part at the start of `rest` free bytes. There is room in the ring. @param block takes. */
static void open_part(oy_outq *queue, oyez_block *block, uint8_t *start, size_t rest)
{
    push(queue, (oyez_buffer){ start, 0, block });
    queue->open = true;
    queue->tail = start;
    queue->spare = rest;
}

uint8_t *oy_outq_reserve_slow(oy_outq *queue, size_t bytes)
{
    oyez_block *block;
    if (bytes == 0)
        bytes = 1;
    if (bytes <= queue->spare)
        return queue->tail;
    if (grow(queue))
        return NULL;
    if (queue->parked && bytes <= queue->rest) {
        block = queue->parked;
        queue->parked = NULL;
        open_part(queue, block, queue->tail, queue->rest);
        queue->rest = 0;
        return queue->tail;
    }
    if (oy_block_pool_get(queue->pool, &block))
        return NULL;
    if (bytes > oyez_block_capacity(block)) {
        oy_assert(bytes <= oyez_block_capacity(block)); /* the caller's mistake */
        oyez_block_unref(block);
        return NULL;
    }
    if (queue->open)
        (void)close_part(queue, false);
    unpark(queue);
    open_part(queue, block, oyez_block_data(block), oyez_block_capacity(block));
    return queue->tail;
}

void oy_outq_trim(oy_outq *queue)
{
    if (queue->len > 0)
        return;
    if (queue->open)
        (void)close_part(queue, false);
    if (queue->parked)
        unpark(queue);
}

/* Where the queue ended at some moment. */
typedef struct end_mark {
    uint32_t count;
    bool open;
    size_t len;
    uint8_t *tail;
    size_t spare, rest;
    oyez_block *parked; /* with a reference */
} end_mark;

static end_mark get_mark(const oy_outq *queue)
{
    return (end_mark){ queue->count, queue->open, queue->len, queue->tail, queue->spare, queue->rest,
                       oyez_block_ref(queue->parked) };
}

/* Drops what was queued behind the mark. Takes the mark's reference. */
static void go_back(oy_outq *queue, const end_mark *mark)
{
    while (queue->count > mark->count) {
        oyez_buffer_fini(last_part(queue));
        queue->count--;
    }
    oyez_block_unref(queue->parked);
    queue->parked = mark->parked;
    queue->open = mark->open;
    queue->len = mark->len;
    queue->tail = mark->tail;
    queue->spare = mark->spare;
    queue->rest = mark->rest;
}

oyez_err oy_outq_copy_slow(oy_outq *queue, const void *data, size_t len)
{
    const uint8_t *from = data;
    end_mark mark;
    if (len == 0)
        return OYEZ_NO_ERR;
    mark = get_mark(queue);
    while (len) {
        uint8_t *to = oy_outq_reserve(queue, 1);
        size_t fits;
        if (!to) {
            go_back(queue, &mark);
            return OYEZ_ENOMEM;
        }
        fits = oy_min_size(len, queue->spare);
        memcpy(to, from, fits);
        oy_outq_commit(queue, fits);
        from += fits;
        len -= fits;
    }
    oyez_block_unref(mark.parked);
    return OYEZ_NO_ERR;
}

oyez_err oy_outq_append(oy_outq *queue, oyez_buffer buffer)
{
    oyez_err err = OYEZ_NO_ERR;
    if (!buffer.block)
        return oy_outq_copy(queue, buffer.data, buffer.len);
    if (buffer.len)
        err = grow(queue);
    if (err || !buffer.len) {
        oyez_buffer_fini(&buffer);
        return err;
    }
    if (queue->open) {
        uint8_t *tail = queue->tail;
        size_t rest = queue->spare;
        queue->parked = close_part(queue, rest >= LEAST_REST);
        if (queue->parked) {
            queue->tail = tail;
            queue->rest = rest;
        }
    }
    push(queue, buffer);
    queue->len += buffer.len;
    return OYEZ_NO_ERR;
}

/* Bytes of the i-th part. */
static size_t part_len(const oy_outq *queue, uint32_t i)
{
    const oyez_buffer *part = part_at(queue, i);
    return queue->open && i == queue->count - 1 ? (size_t)(queue->tail - part->data) : part->len;
}

size_t oy_outq_peek(const oy_outq *queue, struct iovec *vectors, size_t max)
{
    size_t used = 0;
    for (uint32_t i = 0; i < queue->count && used < max; i++) {
        size_t len = part_len(queue, i);
        if (len) /* an open part may still be empty */
            vectors[used++] = (struct iovec){ (void *)part_at(queue, i)->data, len };
    }
    return used;
}

/* All is written: if nobody else looks at the block that was filled last, it is filled again from its
 * start, which is still in the cache. */
static void start_afresh(oy_outq *queue)
{
    if (queue->open && oy_block_is_sole(last_part(queue)->block)) {
        oyez_buffer *part = last_part(queue);
        queue->tail = oyez_block_data(part->block);
        queue->spare = oyez_block_capacity(part->block);
        part->data = queue->tail;
    } else if (queue->parked && oy_block_is_sole(queue->parked)) {
        queue->tail = oyez_block_data(queue->parked);
        queue->rest = oyez_block_capacity(queue->parked);
    }
}

void oy_outq_consume_slow(oy_outq *queue, size_t len)
{
    oy_assert(len <= queue->len);
    queue->len -= len;
    while (len) {
        oyez_buffer *part = part_at(queue, 0);
        size_t have = part_len(queue, 0);
        bool is_open = queue->open && queue->count == 1;
        if (len < have || is_open) {
            part->data += len;
            if (!is_open)
                part->len -= len;
            break;
        }
        oyez_buffer_fini(part);
        queue->head = (queue->head + 1) & (queue->capacity - 1);
        queue->count--;
        len -= have;
    }
    if (queue->len == 0)
        start_afresh(queue);
}

oyez_buffer oy_outq_take(oy_outq *queue, size_t max)
{
    const oyez_buffer *part = part_at(queue, 0);
    const size_t len = oy_min_size(part_len(queue, 0), max);
    const oyez_buffer taken = {part->data, len, oyez_block_ref(part->block)};
    oy_assert(queue->len > 0 && len > 0);
    oy_outq_consume(queue, len);
    return taken;
}

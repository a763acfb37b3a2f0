/* SPDX-License-Identifier: Apache-2.0 */
/* Appending copied bytes to a slice. Small writes share a block: a buffer for each, as gRPC-Go's
 * writer makes them, would cost more than the bytes. */
#include <string.h>

#include "base/assert.h"
#include "base/size.h"
#include "mem/mem.h"

#define DEFAULT_BLOCK_BYTES 4096u

void oyez_writer_init(oyez_writer *writer, oyez_slice *slice, oyez_pool *pool, size_t block_bytes)
{
    writer->slice = slice;
    writer->pool = pool;
    writer->block_bytes = block_bytes ? block_bytes : DEFAULT_BLOCK_BYTES;
    writer->tail = NULL;
    writer->spare = 0;
}

/* The slice's last buffer, if it is the one that we fill; NULL when something else has been appended
 * since, for then our free bytes are not next. */
static oyez_buffer *open_buffer(oyez_writer *writer)
{
    oyez_slice *slice = writer->slice;
    oyez_buffer *last;
    if (!writer->spare || !slice->count)
        return NULL;
    last = (slice->capacity ? slice->heap : slice->inline_items) + slice->count - 1;
    return last->block && last->data + last->len == writer->tail ? last : NULL;
}

/* Appends to the buffer that is open. */
static void extend(oyez_writer *writer, oyez_buffer *open, const void *data, size_t len)
{
    memcpy(writer->tail, data, len);
    open->len += len;
    writer->slice->len += len;
    writer->tail += len;
    writer->spare -= len;
}

oyez_err oyez_writer_write(oyez_writer *writer, const void *data, size_t len)
{
    oyez_buffer *open = open_buffer(writer);
    size_t fits = open ? oy_min_size(len, writer->spare) : 0, left = len - fits, total;
    oyez_block *block = NULL;
    oyez_err err;

    if (!oy_add_size(writer->slice->len, len, &total))
        return OYEZ_EINVAL;
    if (left) { /* all that can fail comes before the first byte */
        err = oy_slice_reserve(writer->slice, writer->pool, 1);
        if (!err)
            err = oyez_block_new(writer->pool, oy_max_size(left, writer->block_bytes), &block);
        if (err)
            return err;
        open = open_buffer(writer); /* reserving may have moved it */
    }
    if (fits)
        extend(writer, open, data, fits);
    if (!left)
        return OYEZ_NO_ERR;
    writer->tail = (uint8_t *)oyez_block_data(block) + left;
    writer->spare = oyez_block_capacity(block) - left;
    memcpy(writer->tail - left, (const uint8_t *)data + fits, left);
    return oyez_slice_append(writer->slice, oyez_buffer_of_block(block, left)); /* there is room */
}

static oyez_buffer *last_buffer(oyez_slice *slice)
{
    return (slice->capacity ? slice->heap : slice->inline_items) + slice->count - 1;
}

oyez_err oyez_writer_reserve(oyez_writer *writer, size_t least, void **ret_room, size_t *ret_bytes)
{
    if (!open_buffer(writer) || writer->spare < least) {
        oyez_block *block;
        oyez_err err = oy_slice_reserve(writer->slice, writer->pool, 1);
        if (!err)
            err = oyez_block_new(writer->pool, oy_max_size(least, writer->block_bytes), &block);
        if (err)
            return err;
        writer->slice->count++; /* without a byte for now: commit sees to it */
        *last_buffer(writer->slice) = oyez_buffer_of_block(block, 0);
        writer->tail = oyez_block_data(block);
        writer->spare = oyez_block_capacity(block);
    }
    *ret_room = writer->tail;
    *ret_bytes = writer->spare;
    return OYEZ_NO_ERR;
}

void oyez_writer_commit(oyez_writer *writer, size_t len)
{
    oyez_buffer *last = last_buffer(writer->slice);
    oy_assert(len <= writer->spare);
    last->len += len;
    writer->slice->len += len;
    writer->tail += len;
    writer->spare -= len;
    if (last->len > 0)
        return;
    oyez_buffer_fini(last); /* a slice has no empty buffers */
    writer->slice->count--;
    writer->spare = 0;
}

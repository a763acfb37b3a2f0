/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a slice from front to back. Each buffer is given back as soon as its last byte is read, so
 * that decoding a large message frees it on the way. */
#include <string.h>

#include "base/size.h"
#include "mem/mem.h"

oyez_err oyez_reader_init(oyez_reader *reader, const oyez_slice *slice)
{
    oyez_slice copy;
    oyez_err err = oyez_slice_ref(slice, &copy);
    if (err)
        return err;
    reader->slice = copy;
    reader->index = 0;
    reader->offset = 0;
    reader->remaining = copy.len;
    return OYEZ_NO_ERR;
}

void oyez_reader_fini(oyez_reader *reader)
{
    if (!reader)
        return;
    oyez_slice_fini(&reader->slice); /* consumed buffers are empty in it */
    reader->index = 0;
    reader->offset = 0;
    reader->remaining = 0;
}

size_t oyez_reader_remaining(const oyez_reader *reader)
{
    return reader->remaining;
}

static oyez_buffer *items_of(oyez_reader *reader)
{
    return reader->slice.capacity ? reader->slice.heap : reader->slice.inline_items;
}

/* The buffer with the next byte; only while something remains. */
static oyez_buffer *current(oyez_reader *reader)
{
    oyez_buffer *item = items_of(reader) + reader->index;
    while (reader->offset == item->len) { /* an empty one */
        oyez_buffer_fini(item++);
        reader->index++;
        reader->offset = 0;
    }
    return item;
}

/* Goes on by `len` bytes, all of them in the current buffer. */
static void advance(oyez_reader *reader, oyez_buffer *item, size_t len)
{
    reader->offset += len;
    reader->remaining -= len;
    if (reader->offset == item->len) {
        oyez_buffer_fini(item);
        reader->index++;
        reader->offset = 0;
    }
}

/* Copies (unless `dst` is NULL) and consumes at most `cap` bytes; returns how many. */
static size_t consume(oyez_reader *reader, uint8_t *dst, size_t cap)
{
    size_t total = oy_min_size(cap, reader->remaining), left = total;
    while (left) {
        oyez_buffer *item = current(reader);
        size_t take = oy_min_size(left, item->len - reader->offset);
        if (dst) {
            memcpy(dst, item->data + reader->offset, take);
            dst += take;
        }
        advance(reader, item, take);
        left -= take;
    }
    return total;
}

oyez_err oyez_reader_read(oyez_reader *reader, void *dst, size_t cap, size_t *ret_len)
{
    if (cap && !reader->remaining)
        return OYEZ_EOF;
    *ret_len = consume(reader, dst, cap);
    return OYEZ_NO_ERR;
}

oyez_err oyez_reader_read_byte(oyez_reader *reader, uint8_t *ret_byte)
{
    oyez_buffer *item;
    if (!reader->remaining)
        return OYEZ_EOF;
    item = current(reader);
    *ret_byte = item->data[reader->offset];
    advance(reader, item, 1);
    return OYEZ_NO_ERR;
}

oyez_err oyez_reader_discard(oyez_reader *reader, size_t len, size_t *ret_skipped)
{
    size_t skipped = consume(reader, NULL, len);
    if (ret_skipped)
        *ret_skipped = skipped;
    return skipped < len ? OYEZ_EOF : OYEZ_NO_ERR;
}

/* Sees to room for the next `len` bytes in `slice`. */
static oyez_err prepare(const oyez_reader *reader, size_t len, oyez_slice *slice)
{
    const oyez_buffer *item = oyez_slice_items(&reader->slice) + reader->index;
    size_t left = len, offset = reader->offset, total;
    uint32_t count = 0;

    if (len > reader->remaining)
        return OYEZ_EOF;
    if (!oy_add_size(slice->len, len, &total))
        return OYEZ_EINVAL;
    for (; left; item++, count++, offset = 0)
        left -= oy_min_size(left, item->len - offset);
    return oy_slice_reserve(slice, NULL, count);
}

oyez_err oyez_reader_peek(const oyez_reader *reader, size_t len, oyez_slice *slice)
{
    const oyez_buffer *item = oyez_slice_items(&reader->slice) + reader->index;
    size_t offset = reader->offset;
    oyez_err err = prepare(reader, len, slice);
    for (; len && !err; item++, offset = 0) {
        size_t take = oy_min_size(len, item->len - offset);
        err = oyez_slice_append(slice, oyez_buffer_sub(item, offset, take)); /* there is room */
        len -= take;
    }
    return err;
}

oyez_err oyez_reader_take(oyez_reader *reader, size_t len, oyez_slice *slice)
{
    oyez_err err = prepare(reader, len, slice);
    while (len && !err) {
        oyez_buffer *item = current(reader);
        size_t take = oy_min_size(len, item->len - reader->offset);
        oyez_buffer part = { item->data + reader->offset, take, item->block };
        if (take == item->len - reader->offset)
            item->block = NULL; /* the reference moves */
        else
            (void)oyez_block_ref(part.block);
        advance(reader, item, take);
        len -= take;
        err = oyez_slice_append(slice, part); /* there is room */
    }
    return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of buffers. Two lie in the slice itself, which is what nearly every message needs; more go
 * into an array that doubles. The array is a block, so that messages in many pieces, too, take
 * nothing but what a pool has. */
#include <string.h>

#include "base/size.h"
#include "mem/block.h"
#include "mem/mem.h"

#define LEAST_HEAP_ITEMS 8u

static oyez_buffer *items_of(oyez_slice *slice)
{
    return slice->capacity ? slice->heap : slice->inline_items;
}

static void drop_array(oyez_slice *slice)
{
    if (slice->capacity)
        (void)oyez_block_unref((oyez_block *)(void *)slice->heap - 1);
}

void oyez_slice_fini(oyez_slice *slice)
{
    oyez_buffer *items;
    if (!slice || !(slice->count | slice->capacity)) /* most are empty: calls drop theirs by way of precaution */
        return;
    items = items_of(slice);
    for (uint32_t i = 0; i < slice->count; i++)
        oyez_buffer_fini(&items[i]);
    drop_array(slice);
    *slice = (oyez_slice)OYEZ_SLICE_INIT;
}

oyez_err oy_slice_reserve(oyez_slice *slice, oyez_pool *pool, size_t extra)
{
    size_t need, capacity, bytes;
    oyez_block *array;
    oyez_buffer *heap;
    if (!oy_add_size(slice->count, extra, &need))
        return OYEZ_ENOMEM;
    if (need <= (slice->capacity ? slice->capacity : OYEZ_SLICE_INLINE))
        return OYEZ_NO_ERR;
    capacity = oy_max_size(LEAST_HEAP_ITEMS, oy_max_size(need, (size_t)slice->capacity * 2));
    if (capacity > UINT32_MAX || !oy_mul_size(capacity, sizeof(*heap), &bytes) ||
        oyez_block_new(pool, bytes, &array))
        return OYEZ_ENOMEM;
    /* A block of a pool has more room than was asked for. */
    capacity = oy_min_size(oyez_block_capacity(array) / sizeof(*heap), UINT32_MAX);
    heap = oyez_block_data(array);
    memcpy(heap, items_of(slice), slice->count * sizeof(*heap));
    drop_array(slice);
    slice->heap = heap;
    slice->capacity = (uint32_t)capacity;
    return OYEZ_NO_ERR;
}

/* Room and sum have been seen to. Takes. */
static void push(oyez_slice *slice, oyez_buffer buffer)
{
    items_of(slice)[slice->count++] = buffer;
    slice->len += buffer.len;
}

oyez_err oy_slice_append(oyez_slice *slice, oyez_pool *pool, oyez_buffer buffer)
{
    size_t total;
    oyez_err err = OYEZ_NO_ERR;
    if (buffer.len == 0)
        goto drop;
    err = oy_add_size(slice->len, buffer.len, &total) ? oy_slice_reserve(slice, pool, 1) : OYEZ_EINVAL;
    if (err)
        goto drop;
    push(slice, buffer);
    return OYEZ_NO_ERR;
drop:
    oyez_buffer_fini(&buffer);
    return err;
}

oyez_err oyez_slice_append(oyez_slice *slice, oyez_buffer buffer)
{
    return oy_slice_append(slice, NULL, buffer);
}

oyez_err oyez_slice_append_slice(oyez_slice *slice, const oyez_slice *from)
{
    size_t total;
    uint32_t count = from->count; /* `from` may be `slice` */
    oyez_err err;
    if (!oy_add_size(slice->len, from->len, &total))
        return OYEZ_EINVAL;
    err = oy_slice_reserve(slice, NULL, count);
    if (err)
        return err;
    for (uint32_t i = 0; i < count; i++)
        push(slice, oyez_buffer_ref(&oyez_slice_items(from)[i]));
    return OYEZ_NO_ERR;
}

oyez_err oyez_slice_ref(const oyez_slice *slice, oyez_slice *ret_slice)
{
    oyez_slice copy = OYEZ_SLICE_INIT;
    oyez_err err = oyez_slice_append_slice(&copy, slice);
    if (!err)
        *ret_slice = copy;
    return err;
}

oyez_err oyez_slice_keep(const oyez_slice *slice, oyez_pool *pool, oyez_slice *ret_slice)
{
    oyez_slice copy = OYEZ_SLICE_INIT;
    oyez_err err = oy_slice_reserve(&copy, pool, slice->count);
    for (uint32_t i = 0; !err && i < slice->count; i++) {
        oyez_buffer buffer;
        err = oyez_buffer_keep(&oyez_slice_items(slice)[i], pool, &buffer);
        if (!err)
            push(&copy, buffer);
    }
    if (err)
        oyez_slice_fini(&copy);
    else
        *ret_slice = copy;
    return err;
}

oyez_err oyez_slice_sub(const oyez_slice *slice, size_t start, size_t len, oyez_slice *ret_slice)
{
    const oyez_buffer *items = oyez_slice_items(slice);
    oyez_slice part = OYEZ_SLICE_INIT;
    if (start > slice->len || len > slice->len - start)
        return OYEZ_EINVAL;
    for (uint32_t i = 0; len; i++) {
        size_t take;
        oyez_err err;
        if (start >= items[i].len) {
            start -= items[i].len;
            continue;
        }
        take = oy_min_size(len, items[i].len - start);
        err = oyez_slice_append(&part, oyez_buffer_sub(&items[i], start, take));
        if (err) {
            oyez_slice_fini(&part);
            return err;
        }
        start = 0;
        len -= take;
    }
    *ret_slice = part;
    return OYEZ_NO_ERR;
}

size_t oyez_slice_copy_to(const oyez_slice *slice, void *dst, size_t cap)
{
    const oyez_buffer *items = oyez_slice_items(slice);
    size_t done = 0;
    for (uint32_t i = 0; i < slice->count && done < cap; i++) {
        size_t take = oy_min_size(cap - done, items[i].len);
        if (take)
            memcpy((uint8_t *)dst + done, items[i].data, take);
        done += take;
    }
    return done;
}

oyez_err oyez_slice_contiguous(const oyez_slice *slice, oyez_pool *pool, oyez_buffer *ret_buffer)
{
    oyez_block *block;
    oyez_err err;
    if (slice->count == 1) {
        *ret_buffer = oyez_buffer_ref(oyez_slice_items(slice));
        return OYEZ_NO_ERR;
    }
    if (slice->len == 0)
        return oyez_buffer_copy(pool, NULL, 0, ret_buffer);
    err = oyez_block_new(pool, slice->len, &block);
    if (err)
        return err;
    (void)oyez_slice_copy_to(slice, oyez_block_data(block), slice->len);
    *ret_buffer = oyez_buffer_of_block(block, slice->len);
    return OYEZ_NO_ERR;
}

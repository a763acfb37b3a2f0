/* SPDX-License-Identifier: Apache-2.0 */
/* The ring behind a stream's receive queue. */
#include "transport/recv_queue.h"

#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

static oy_recv_item *ring_of(oy_recv_queue *queue)
{
    return queue->ring ? queue->ring : queue->places;
}

void oy_recv_queue_init(oy_recv_queue *queue)
{
    queue->ring = NULL;
    queue->head = queue->count = 0;
    queue->capacity = OY_RECV_QUEUE_INLINE;
}

void oy_recv_queue_fini(oy_recv_queue *queue)
{
    oy_recv_item item;
    while (oy_recv_queue_pop(queue, &item))
        oy_message_fini(&item.message);
    oy_free(queue->ring);
    oy_recv_queue_init(queue);
}

static oyez_err grow(oy_recv_queue *queue)
{
    const oy_recv_item *old = ring_of(queue);
    uint32_t capacity = queue->capacity * 4;
    oy_recv_item *ring = oy_alloc_array(capacity, sizeof(*ring));
    if (!ring)
        return OYEZ_ENOMEM;
    for (uint32_t i = 0; i < queue->count; i++)
        ring[i] = old[(queue->head + i) % queue->capacity];
    oy_free(queue->ring);
    queue->ring = ring;
    queue->head = 0;
    queue->capacity = capacity;
    return OYEZ_NO_ERR;
}

oyez_err oy_recv_queue_push(oy_recv_queue *queue, oy_recv_item *item)
{
    if (queue->count == queue->capacity) {
        oyez_err err = grow(queue);
        if (err)
            return err;
    }
    ring_of(queue)[(queue->head + queue->count) % queue->capacity] = *item;
    queue->count++;
    memset(item, 0, sizeof(*item));
    return OYEZ_NO_ERR;
}

/* --- bundles --------------------------------------------------------------------------------------------------- */

/* The first one is small: most streams have one message that waits, at most. */
#define FIRST_BUNDLE_BYTES 256u
#define BUNDLE_BYTES 4096u

static oy_recv_item *last_item(oy_recv_queue *queue)
{
    return &ring_of(queue)[(queue->head + queue->count - 1) % queue->capacity];
}

static oyez_err begin_bundle(oy_recv_queue *queue, size_t need, oyez_pool *pool, oy_quota *quota)
{
    oyez_block *block;
    oyez_err err = oyez_block_new(pool, oy_max_size(need, queue->count ? BUNDLE_BYTES : FIRST_BUNDLE_BYTES), &block);
    if (err)
        return err;
    if (quota)
        oy_block_charge(block, quota);
    oy_recv_item item = { .bundle = 1 + (uint32_t)oyez_block_capacity(block) };
    item.message.bytes = oy_slice_of(oyez_buffer_of_block(block, 0));
    err = oy_recv_queue_push(queue, &item);
    if (err)
        oyez_block_unref(block);
    return err;
}

oyez_err oy_recv_queue_push_small(oy_recv_queue *queue, oy_message *message, oyez_pool *pool, oy_quota *quota)
{
    const size_t len = message->bytes.len, need = OY_PREFIX_BYTES + len;
    if (queue->count == 0 || last_item(queue)->bundle <= need) {
        oyez_err err = begin_bundle(queue, need, pool, quota);
        if (err)
            return err;
    }
    oy_recv_item *item = last_item(queue);
    oyez_buffer *bytes = &item->message.bytes.inline_items[0];
    uint8_t *to = (uint8_t *)bytes->data + bytes->len;
    oy_prefix_write(to, message->compressed, (uint32_t)len);
    (void)oyez_slice_copy_to(&message->bytes, to + OY_PREFIX_BYTES, len);
    bytes->len += need;
    item->bundle -= (uint32_t)need;
    oy_message_fini(message);
    return OYEZ_NO_ERR;
}

/* Takes one out of the first item, which is a bundle. True: it was the last one there. */
static bool unbundle(oyez_buffer *bytes, oy_recv_item *ret_item)
{
    bool compressed;
    const uint32_t len = oy_prefix_read(bytes->data, &compressed), used = OY_PREFIX_BYTES + len;
    *ret_item = (oy_recv_item){ .credit = used };
    ret_item->message.compressed = compressed;
    if (len > 0)
        ret_item->message.bytes = oy_slice_of(oyez_buffer_sub(bytes, OY_PREFIX_BYTES, len));
    bytes->data += used;
    bytes->len -= used;
    return bytes->len == 0;
}

bool oy_recv_queue_pop(oy_recv_queue *queue, oy_recv_item *ret_item)
{
    if (queue->count == 0)
        return false;
    oy_recv_item *first = &ring_of(queue)[queue->head];
    if (!first->bundle) {
        *ret_item = *first;
    } else {
        oyez_buffer *bytes = &first->message.bytes.inline_items[0];
        if (!unbundle(bytes, ret_item))
            return true;
        oyez_buffer_fini(bytes);
    }
    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
    return true;
}

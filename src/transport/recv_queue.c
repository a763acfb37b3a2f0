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

bool oy_recv_queue_pop(oy_recv_queue *queue, oy_recv_item *ret_item)
{
    if (queue->count == 0)
        return false;
    *ret_item = ring_of(queue)[queue->head];
    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
    return true;
}

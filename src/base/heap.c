/* SPDX-License-Identifier: Apache-2.0 */
/* A 4-ary heap of timers. The times stand in the array beside the pointers, so that finding the
 * smallest child touches no node. */
#include "base/heap.h"

#include "base/alloc.h"
#include "base/assert.h"

struct oy_heap_slot {
    int64_t at;
    oy_heap_node *node;
};

#define FIRST_CAPACITY 16u

void oy_heap_init(oy_heap *heap)
{
    *heap = (oy_heap){ NULL, 0, 0 };
}

void oy_heap_fini(oy_heap *heap)
{
    for (uint32_t i = 0; i < heap->count; i++)
        heap->slots[i].node->index = 0;
    oy_free(heap->slots);
    oy_heap_init(heap);
}

oyez_err oy_heap_reserve(oy_heap *heap, uint32_t count)
{
    struct oy_heap_slot *slots;
    uint32_t capacity = heap->capacity ? heap->capacity : FIRST_CAPACITY;
    if (count <= heap->capacity)
        return OYEZ_NO_ERR;
    while (capacity < count)
        capacity = capacity > UINT32_MAX / 2 ? UINT32_MAX : capacity * 2;
    slots = oy_realloc_array(heap->slots, capacity, sizeof(*slots));
    if (!slots)
        return OYEZ_ENOMEM;
    heap->slots = slots;
    heap->capacity = capacity;
    return OYEZ_NO_ERR;
}

static void place(oy_heap *heap, uint32_t i, struct oy_heap_slot slot)
{
    heap->slots[i] = slot;
    slot.node->index = i + 1;
}

/* Puts `slot` at the hole `i` or above it. */
static void sift_up(oy_heap *heap, uint32_t i, struct oy_heap_slot slot)
{
    while (i) {
        uint32_t parent = (i - 1) / 4;
        if (heap->slots[parent].at <= slot.at)
            break;
        place(heap, i, heap->slots[parent]);
        i = parent;
    }
    place(heap, i, slot);
}

/* Puts `slot` at the hole `i` or below it. */
static void sift_down(oy_heap *heap, uint32_t i, struct oy_heap_slot slot)
{
    for (;;) {
        size_t child = (size_t)i * 4 + 1, end = child + 4, least = child;
        if (child >= heap->count)
            break;
        if (end > heap->count)
            end = heap->count;
        while (++child < end)
            if (heap->slots[child].at < heap->slots[least].at)
                least = child;
        if (slot.at <= heap->slots[least].at)
            break;
        place(heap, i, heap->slots[least]);
        i = (uint32_t)least;
    }
    place(heap, i, slot);
}

/* Puts `slot` at the hole `i`, or to where it belongs from there. */
static void settle(oy_heap *heap, uint32_t i, struct oy_heap_slot slot)
{
    if (i && slot.at < heap->slots[(i - 1) / 4].at)
        sift_up(heap, i, slot);
    else
        sift_down(heap, i, slot);
}

oyez_err oy_heap_set(oy_heap *heap, oy_heap_node *node, int64_t at)
{
    oyez_err err;
    if (node->index) {
        oy_assert(node->index <= heap->count && heap->slots[node->index - 1].node == node);
        if (node->at != at) {
            node->at = at;
            settle(heap, node->index - 1, (struct oy_heap_slot){ at, node });
        }
        return OYEZ_NO_ERR;
    }
    if (heap->count == heap->capacity) {
        if (heap->count == UINT32_MAX)
            return OYEZ_ENOMEM;
        err = oy_heap_reserve(heap, heap->count + 1);
        if (err)
            return err;
    }
    node->at = at;
    sift_up(heap, heap->count++, (struct oy_heap_slot){ at, node });
    return OYEZ_NO_ERR;
}

void oy_heap_remove(oy_heap *heap, oy_heap_node *node)
{
    uint32_t i = node->index;
    struct oy_heap_slot last;
    if (i == 0)
        return;
    oy_assert(i <= heap->count && heap->slots[i - 1].node == node);
    node->index = 0;
    last = heap->slots[--heap->count];
    if (last.node != node)
        settle(heap, i - 1, last);
}

oy_heap_node *oy_heap_first(const oy_heap *heap)
{
    return heap->count ? heap->slots[0].node : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A heap of timers on absolute nanoseconds. Nodes are embedded; the heap owns only its array.
 * Four children a node: half as deep as with two, and the children lie side by side. */
#ifndef OY_BASE_HEAP_H
#define OY_BASE_HEAP_H

#include <oyez/types.h>

typedef struct oy_heap_node {
    int64_t at;      /* read-only while in the heap */
    uint32_t index;  /* 1-based position; 0: not in the heap */
} oy_heap_node;

typedef struct oy_heap {
    struct oy_heap_slot *slots;
    uint32_t count, capacity;
} oy_heap;

void oy_heap_init(oy_heap *heap);
void oy_heap_fini(oy_heap *heap);
/* Makes sure that `count` nodes fit without a further allocation. */
oyez_err oy_heap_reserve(oy_heap *heap, uint32_t count);
/* Adds a node, or moves it when it is in the heap already. */
oyez_err oy_heap_set(oy_heap *heap, oy_heap_node *node, int64_t at);
/* Nothing happens when it is not in the heap. */
void oy_heap_remove(oy_heap *heap, oy_heap_node *node);
/* The earliest node; NULL when there is none. */
oy_heap_node *oy_heap_first(const oy_heap *heap);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A lock-free chain: many threads push, one takes all. For handing work to a loop or to workers. */
#ifndef OY_BASE_CHAIN_H
#define OY_BASE_CHAIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct oy_link {
    struct oy_link *next;
} oy_link;

typedef struct oy_chain {
    _Atomic(oy_link *) head; /* newest first */
} oy_chain;

/* Any thread. True when the chain was empty: the taker may have to be woken. */
static inline bool oy_chain_push(oy_chain *chain, oy_link *link)
{
    oy_link *head = atomic_load_explicit(&chain->head, memory_order_relaxed);
    do
        link->next = head;
    while (!atomic_compare_exchange_weak_explicit(&chain->head, &head, link, memory_order_release,
                                                  memory_order_relaxed));
    return head == NULL;
}

static inline bool oy_chain_empty(oy_chain *chain)
{
    return atomic_load_explicit(&chain->head, memory_order_acquire) == NULL;
}

/* Takes everything, oldest first; NULL when there is nothing. */
static inline oy_link *oy_chain_take(oy_chain *chain)
{
    oy_link *newest, *oldest = NULL;
    if (oy_chain_empty(chain))
        return NULL;
    newest = atomic_exchange_explicit(&chain->head, NULL, memory_order_acquire);
    while (newest) {
        oy_link *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

#endif

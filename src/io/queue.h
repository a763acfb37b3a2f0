/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of tasks of a loop. Its end says whether the loop sleeps, so one atomic word holds both
 * "is there work" and "must it be woken": no fence, no second flag to race with, and a thread that
 * pushed and need not wake touches nothing of the loop afterwards, which may be gone with the task
 * it pushed. */
#ifndef OY_IO_QUEUE_H
#define OY_IO_QUEUE_H

#include <stdint.h>

#include "base/chain.h"

/* The end of the chain while the loop sleeps (or is about to). NULL is the end while it is
 * awake. */
#define OY_ASLEEP ((oy_link *)(uintptr_t)1)

typedef struct oy_queue {
    _Atomic(oy_link *) head; /* newest first */
} oy_queue;

/* A new queue sleeps: the first task must wake its loop. */
static inline void oy_queue_init(oy_queue *queue)
{
    atomic_init(&queue->head, OY_ASLEEP);
}

/* Any thread. True when the loop must be woken: the caller then owes it exactly one wake-up. */
static inline bool oy_queue_push(oy_queue *queue, oy_link *link)
{
    oy_link *head = atomic_load_explicit(&queue->head, memory_order_relaxed);
    do
        link->next = head;
    while (!atomic_compare_exchange_weak_explicit(&queue->head, &head, link, memory_order_release,
                                                  memory_order_relaxed));
    return head == OY_ASLEEP;
}

/* Loop thread. */
static inline bool oy_queue_empty(oy_queue *queue)
{
    oy_link *head = atomic_load_explicit(&queue->head, memory_order_relaxed);
    return head == NULL || head == OY_ASLEEP;
}

/* Loop thread: from now on a push has to wake. False when there is something to do. */
static inline bool oy_queue_sleep(oy_queue *queue)
{
    oy_link *head = NULL;
    return atomic_compare_exchange_strong_explicit(&queue->head, &head, OY_ASLEEP,
                                                   memory_order_relaxed, memory_order_relaxed) ||
           head == OY_ASLEEP;
}

/* Loop thread: from now on a push need not wake, unless one was first. */
static inline void oy_queue_awake(oy_queue *queue)
{
    oy_link *head = OY_ASLEEP;
    (void)atomic_compare_exchange_strong_explicit(&queue->head, &head, NULL, memory_order_relaxed,
                                                  memory_order_relaxed);
}

/* Loop thread: takes everything, oldest first, and leaves the queue awake. *ret_owed: whoever
 * pushed first owes a wake-up that has come or is still to come. */
static inline oy_link *oy_queue_take(oy_queue *queue, bool *ret_owed)
{
    oy_link *newest, *oldest = NULL;
    *ret_owed = false;
    if (atomic_load_explicit(&queue->head, memory_order_relaxed) == NULL)
        return NULL;
    newest = atomic_exchange_explicit(&queue->head, NULL, memory_order_acquire);
    while (newest && newest != OY_ASLEEP) {
        oy_link *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    *ret_owed = oldest && newest == OY_ASLEEP;
    return oldest;
}

#endif

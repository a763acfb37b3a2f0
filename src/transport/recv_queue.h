/* SPDX-License-Identifier: Apache-2.0 */
/* The receive queue of a stream: a ring that holds its messages by value. No allocation per message: the first
 * places lie in the stream, and the ring grows (and is kept) only when a peer runs far ahead, which the stream's
 * window bounds. Small messages that wait are put side by side into blocks, as they were on the wire: so what nobody
 * takes costs about its bytes, and not a block for each. */
#ifndef OY_RECV_QUEUE_H
#define OY_RECV_QUEUE_H

#include "wire/wire.h"

#define OY_RECV_QUEUE_INLINE 2u
/* A larger message waits by itself. */
#define OY_RECV_BUNDLE_BYTES 1024u

typedef struct oy_recv_item {
    oy_message message;
    uint32_t credit;     /* bytes to give back to the peer's window when it is taken */
    uint32_t bundle;     /* in the ring: not 0: `message` holds several, each with its prefix; 1 + what is free behind */
} oy_recv_item;

typedef struct oy_recv_queue {
    oy_recv_item *ring;  /* NULL while the inline places are in use */
    uint32_t head, count, capacity;
    oy_recv_item places[OY_RECV_QUEUE_INLINE];
} oy_recv_queue;

void oy_recv_queue_init(oy_recv_queue *queue);
/* Drops what is in it. */
void oy_recv_queue_fini(oy_recv_queue *queue);
/* @param item taken on success. */
oyez_err oy_recv_queue_push(oy_recv_queue *queue, oy_recv_item *item);
/* A message of at most OY_RECV_BUNDLE_BYTES whose credit is its length with the prefix; its bytes are copied.
 * @param quota may be NULL. @param message taken on success. */
oyez_err oy_recv_queue_push_small(oy_recv_queue *queue, oy_message *message, oyez_pool *pool, oy_quota *quota);
/* False: empty. The message is the caller's, and not borrowed unless it was pushed so. */
bool oy_recv_queue_pop(oy_recv_queue *queue, oy_recv_item *ret_item);

#endif

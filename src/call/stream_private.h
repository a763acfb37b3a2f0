/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a stream of messages share. Private to src/call. */
#ifndef OY_CALL_STREAM_PRIVATE_H
#define OY_CALL_STREAM_PRIVATE_H

#include "call/stream.h"

void oy_stream_send_init(oyez_stream *stream);
void oy_stream_recv_init(oyez_stream *stream);
/* Loop: puts the outgoing message, and a half-close that waits, on the wire if there is one. */
void oy_stream_push(oyez_stream *stream);
/* Loop: the outgoing message has left: wakes the sender or tells on_sent. */
void oy_stream_set_free(oyez_stream *stream);
/* Asks the interceptors; false: the call ends. */
bool oy_stream_let_pass(oyez_stream *stream, const void *message, bool out);
/* The receiver: the last message is done with. */
void oy_stream_drop_received(oyez_stream *stream);

/* A thread that waits, on its own stack. There may be several: one that receives, and one that finishes. */
typedef struct oy_stream_waiter {
    oy_event event;
    struct oy_stream_waiter *next;
} oy_stream_waiter;

/* With the lock held: wakes all of them, who look again at what they wait for. */
void oy_stream_wake(oy_stream_waiter **waiters);
/* With the lock held, which is released meanwhile. */
oyez_err oy_stream_wait(oyez_stream *stream, oy_stream_waiter **waiters);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file stream.h
 * Calls with many messages, in either or both directions, for clients and for handlers.
 *
 * A stream has one of two forms. *Blocking*: `_send` and `_recv` wait; a sender and a receiver may be two
 * threads. *Events*: callbacks on the loop, pulled by `_request`; nothing waits. Generated code wraps both in
 * the types of one method; a stream there is a value `{ oyez_stream *base; }`.
 */
#ifndef OYEZ_STREAM_H
#define OYEZ_STREAM_H

#include <oyez/call.h>
#include <oyez/status.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * What an event stream tells. Callbacks run on the stream's loop, never two at once, and must not block.
 * Each gets `user` as it was registered.
 */
typedef struct oyez_stream_events {
    size_t size; /**< OYEZ_STREAM_EVENTS_INIT */
    /** Optional. Client: the server's header metadata is there (oyez_call_options.headers). */
    void (*on_headers)(oyez_stream *stream, void *user);
    /** A message that was asked for by oyez_stream_request; borrowed until the callback returns. Client: the one reply
     *  of a method that only the client streams comes unasked. */
    void (*on_message)(oyez_stream *stream, const void *message, void *user);
    /** Optional. The message given to oyez_stream_send has left: the next one may be given. */
    void (*on_sent)(oyez_stream *stream, void *user);
    /** Optional. Server: the client has half-closed and all its messages were delivered. */
    void (*on_half_close)(oyez_stream *stream, void *user);
    /** The stream is over, once and last. Client: `status` is how the call ended. Server: OYEZ_OK when the answer
     *  was written, else why nobody waits for one any more (then the handler still ends its call). */
    void (*on_done)(oyez_stream *stream, const oyez_status *status, void *user);
} oyez_stream_events;

#define OYEZ_STREAM_EVENTS_INIT .size = sizeof(oyez_stream_events)

/**
 * Starts a streaming call of a client.
 *
 * Any thread. Since 0.1.
 *
 * @param method   client_streaming, server_streaming or both.
 * @param request  the one request of a method that only the server streams (half-closed behind it); else NULL.
 * @param events   static or outliving the stream; NULL: the blocking form.
 * @param table    handed back by oyez_stream_table: generated code keeps its typed events there. May be NULL.
 * @param ret_stream a reference that you own, until oyez_stream_finish or oyez_stream_unref.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_stream_start(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                                                    const oyez_call_options *options, const void *request,
                                                    const oyez_stream_events *events, const void *table, void *user,
                                                    oyez_stream **ret_stream);

/**
 * Handler of a stream, async form: says that events are wanted. Before the handler returns, once.
 * Loop thread: inside the handler. Since 0.1.
 * @param events, table, user as in oyez_stream_start.
 */
OYEZ_API void oyez_stream_listen(oyez_stream *stream, const oyez_stream_events *events, const void *table, void *user);

/**
 * Sends a message. Blocking form: waits until the message before it has left. Event form: returns at once; one
 * message may be on its way, then on_sent. Then the scratch arena (oyez_stream_alloc) is emptied.
 *
 * Sender's thread. Since 0.1.
 * @param message borrowed: it is encoded before the function returns.
 * @return false: the stream has ended (oyez_stream_finish says why), a message is on its way already (event form), or
 *         the sending side is closed.
 */
OYEZ_API bool oyez_stream_send(oyez_stream *stream, const void *message);

/**
 * Whether the messages sent from now on are compressed, if the stream has a compressor (oyez_call_options.compressor,
 * oyez_server_call_set_compressor): they are, until this says otherwise. Sender's thread. Since 0.1.
 */
OYEZ_API void oyez_stream_set_compress(oyez_stream *stream, bool compress);
/** Whether the message received last came compressed. Receiver's thread. Since 0.1. */
OYEZ_API bool oyez_stream_received_compressed(const oyez_stream *stream);
/** By what the other end compresses: its grpc-encoding; "" if it said none. A client knows it when headers have come,
 *  which is before the first message. Lives as long as the call. Receiver's thread. Since 0.1. */
OYEZ_API oyez_str oyez_stream_encoding(const oyez_stream *stream);

/** Client: no more messages will be sent. Sender's thread. Since 0.1. */
OYEZ_API void oyez_stream_close_send(oyez_stream *stream);

/**
 * Blocking form: waits for the next message. Receiver's thread, which is not a loop thread. Since 0.1.
 * @param ret_message borrowed, until the next _recv on this stream or its end.
 * @return false: no message will come. Client: oyez_stream_finish says why. Server: the client has half-closed, or is
 *         gone (oyez_server_call_is_cancelled).
 */
OYEZ_API bool oyez_stream_recv(oyez_stream *stream, const void **ret_message);

/** Client, blocking form: waits for the server's header metadata (oyez_call_options.headers), which a server may send long
 *  before its first message. Receiver's thread, which is not a loop thread. Since 0.1.
 *  @return false: the stream has ended without any, by trailers alone for example. */
OYEZ_API bool oyez_stream_wait_headers(oyez_stream *stream);

/** Event form: asks for `count` more messages. Any thread. Since 0.1. */
OYEZ_API void oyez_stream_request(oyez_stream *stream, uint32_t count);

/** Client: asks for the end; on_done, or the end of _recv, still comes. NULL is allowed. Any thread. Since 0.1. */
OYEZ_API void oyez_stream_cancel(oyez_stream *stream);

/**
 * Client: half-closes, discards what is unread, waits for the status and drops your reference. On a loop thread it does
 * not wait: a stream that is not over is cancelled. Any thread. Since 0.1.
 * @param ret_status gets the words; may be NULL.
 */
OYEZ_API oyez_code oyez_stream_finish(oyez_stream *stream, oyez_status *ret_status);

/** NULL stays NULL. Returns `stream`. Any thread. Since 0.1. */
OYEZ_API oyez_stream *oyez_stream_ref(oyez_stream *stream);
/** Client: the last reference cancels a stream that is not over. Returns NULL. Any thread. Since 0.1. */
OYEZ_API oyez_stream *oyez_stream_unref(oyez_stream *stream);

/** The `table` that was registered with the events. For generated code. Any thread. Since 0.1. */
OYEZ_API const void *oyez_stream_table(const oyez_stream *stream);
/** The call that a handler's stream belongs to; NULL for a client's. Any thread. Since 0.1. */
OYEZ_API oyez_server_call *oyez_stream_server_call(const oyez_stream *stream);

/** The sender's scratch arena: gone at the next send on this stream. NULL: out of memory. Sender's thread.
 *  Since 0.1. */
OYEZ_API void *oyez_stream_alloc(oyez_stream *stream, size_t bytes);
OYEZ_API char *oyez_stream_printf(oyez_stream *stream, const char *format, ...) OYEZ_PRINTF(2, 3);
OYEZ_API char *oyez_stream_strdup(oyez_stream *stream, const char *text);

OYEZ_END_DECLS

#endif

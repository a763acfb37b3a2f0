/* SPDX-License-Identifier: Apache-2.0 */
/* What client and server connections have in common; private to src/transport.
 *
 * One pass of the loop: bytes come through the pipe in blocks and are handed to the h2 engine, whose callbacks may send; all that is
 * ready leaves in one vectored write at the end of the pass, or earlier when about half of the last batch
 * waits while input is still unparsed (so that both ends work at the same time). */
#ifndef OY_TRANSPORT_CONN_H
#define OY_TRANSPORT_CONN_H

#include <oyez/limits.h>

#include "transport/header_cache.h"
#include "transport/transport.h"

/* DATA is framed into the output queue only while it holds less than this. */
#define OY_OUTPUT_HIGH_BYTES (256u * 1024u)
/* So many streams take turns, frame by frame, and so much of a message goes before it is behind those that wait. */
#define OY_TURN_STREAMS 8u
#define OY_TURN_BYTES (1024u * 1024u + 64u * 1024u)
#define OY_EARLY_FLUSH_MIN_BYTES 2048u
#define OY_REPLY_FLUSH_BYTES 4096u
#define OY_WRITE_VECTORS 64u
/* What one pass writes at most, so that a peer with a wide window does not keep the others waiting. */
#define OY_WRITE_BYTES_PER_PASS (1024u * 1024u)
/* What one pass reads at most, likewise. */
#define OY_READ_BYTES_PER_PASS (4u * OY_READ_BLOCK_BYTES)
/* A server whose client does not read its answers reads no more requests while it holds this much. (A client
 * always reads: if both ends stopped, neither would go on.) */
#define OY_OUTPUT_PAUSE_BYTES OYEZ_LIMIT_UNREAD_ANSWER_BYTES

/* Tells a function that calls back whether its stream is still there afterwards. */
typedef struct oy_guard {
    oy_stream *stream;
    struct oy_guard *next;
} oy_guard;

typedef struct oy_conn_ops {
    /* The connection is up (client: connected; server: at once). */
    void (*on_connected)(oy_conn *conn);
    /* Broken or closed by the peer: end the streams, tell the owner. Outside of every callback. */
    void (*on_broken)(oy_conn *conn, const char *words);
    /* Nothing is left of it: free the transport around it. */
    void (*on_freed)(oy_conn *conn);
} oy_conn_ops;

#define OY_CONN_WORDS_MAX 320u

struct oy_conn {
    const oy_conn_ops *ops;
    oy_loop *loop;
    oy_pipe *pipe;
    oy_h2_conn *h2;
    oyez_pool *pool;             /* a reference */
    oy_quota *quota;             /* borrowed */
    const oyez_log *log;         /* borrowed */
    oy_outq out;
    oy_hook hook;                /* end of pass: flush, then deferred endings */
    size_t pass_bytes, last_batch; /* written in this pass, in the last one that wrote */
    size_t flush_mark;           /* so many bytes on, all that was queued at some moment has been written */
    uint32_t header_list_bytes;  /* what we accept, as announced */
    oy_list streams;             /* all of them */
    oy_list sending;             /* streams with payload to frame, in turn */
    oy_guard *guards;
    unsigned busy;               /* depth of callbacks: nothing may be freed meanwhile */
    bool connecting, parsing, flushing, want_write, broken, told, closing, freed;
    bool close_when_flushed;
    oy_header_cache headers;
    oy_life life;
    char peer[OY_ADDRESS_TEXT_MAX];
    char words[OY_CONN_WORDS_MAX];
};

/* oy_life_init comes behind it. @param pipe takes, on success and on failure. */
oyez_err oy_conn_init(oy_conn *conn, const oy_conn_ops *ops, oy_loop *loop, oy_pipe *pipe, bool connecting,
                      const oy_address *peer, oyez_pool *pool, oy_quota *quota, const oyez_log *log);
/* Makes the engine and writes the preface. */
oyez_err oy_conn_start(oy_conn *conn, const oy_h2_config *config, const oy_h2_events *events);
/* Closes the pipe and frees the memory as soon as no callback is under way; then ops->on_freed. */
void oy_conn_close(oy_conn *conn);
/* The connection cannot go on: ops->on_broken at the end of the pass. The first words win. */
void oy_conn_break(oy_conn *conn, const char *format, ...) OYEZ_PRINTF(2, 3);
/* After something was written to the queue: it leaves with this pass, or now (early flush). */
void oy_conn_touch(oy_conn *conn);
/* As oy_conn_touch, after an answer to a frame of the peer. The engine counts those that were not written, and closes on
 * a peer that does not read: so many of them are not kept for the end of the pass. */
void oy_conn_touch_reply(oy_conn *conn);
/* Frames what streams have to send, and writes. */
void oy_conn_flush(oy_conn *conn);

/* Between hold and release nothing is freed. After the last release the connection may be gone. */
static inline void oy_conn_hold(oy_conn *conn)
{
    conn->busy++;
}
void oy_conn_release(oy_conn *conn);

static inline void oy_guard_enter(oy_conn *conn, oy_guard *guard, oy_stream *stream)
{
    guard->stream = stream;
    guard->next = conn->guards;
    conn->guards = guard;
    oy_conn_hold(conn);
}

/* False: the stream is gone, and perhaps its connection. */
static inline bool oy_guard_leave(oy_conn *conn, oy_guard *guard)
{
    conn->guards = guard->next;
    oy_conn_release(conn);
    return guard->stream != NULL;
}

/* --- streams (stream.c, writer.c) ------------------------------------------------------------------------ */

void oy_stream_init(oy_stream *stream, oy_conn *conn);
/* Takes the stream off its connection and frees what it holds; the h2 side is closed or reset before. */
void oy_stream_detach(oy_stream *stream);
/* Payload has come. False: the stream is gone. */
typedef enum oy_receive_result {
    OY_RECEIVED,
    OY_RECEIVE_GONE,       /* a callback has ended the stream */
    OY_RECEIVE_FAILED,     /* *ret_end says how the call must end */
} oy_receive_result;
oy_receive_result oy_stream_receive(oy_stream *stream, const oyez_buffer *piece, bool end_stream, oy_end *ret_end);
/* Delivers what waits and is wanted, and then the end of data. False: the stream is gone. */
bool oy_stream_deliver(oy_stream *stream);
/* No more payload will come. False: the stream is gone. */
bool oy_stream_end_of_data(oy_stream *stream);
/* Frames payload of all streams that have some, in turn, while the queue is below its mark. */
void oy_writer_pump(oy_conn *conn);
/* Frames what flow control allows of one stream, at most `frames` frames; true when its message is all out. */
bool oy_writer_write(oy_stream *stream, unsigned frames);
/* Puts a stream among those that have payload to send. */
void oy_writer_add(oy_stream *stream);
/* The peer has changed the windows of all streams: those that may send take their turn again. */
void oy_writer_resume(oy_conn *conn);

/* Client and server side: what happens at the end of data when the queue has been delivered. False: gone. */
bool oy_client_stream_end_of_data(oy_stream *stream);
bool oy_server_stream_end_of_data(oy_stream *stream);
/* Server: the pending message is out, now the trailers. False: gone. */
bool oy_server_stream_message_out(oy_stream *stream);
bool oy_conn_is_server(const oy_conn *conn);

#endif

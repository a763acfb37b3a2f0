/* SPDX-License-Identifier: Apache-2.0 */
/* One HTTP/2 connection (RFC 9113) without I/O, clock or lock: bytes go in by oy_h2_recv, bytes
 * come out in the output queue, news come by a table of callbacks. Client and server side.
 *
 * Rules of the house for callers:
 * - Callbacks run only inside oy_h2_recv. They may call every function here but oy_h2_recv and
 *   oy_h2_free. The engine forgets a stream that is closed: a callback may close and free its own.
 * - A stream is embedded in the caller's object. The engine knows it from oy_h2_stream_open or
 *   on_stream until oy_h2_stream_close, or until on_reset has returned. It never frees it.
 * - Nothing is written to the output queue after the connection has failed but its GOAWAY. */
#ifndef OY_H2_H
#define OY_H2_H

#include <oyez/limits.h>

#include "hpack/hpack.h"
#include "mem/mem.h"

/* Error codes, RFC 9113 section 7. X(identifier, number, name) */
#define OY_H2_ERROR_MAP(X)                                                                         \
    X(NO_ERROR, 0x0)                                                                               \
    X(PROTOCOL_ERROR, 0x1)                                                                         \
    X(INTERNAL_ERROR, 0x2)                                                                         \
    X(FLOW_CONTROL_ERROR, 0x3)                                                                     \
    X(SETTINGS_TIMEOUT, 0x4)                                                                       \
    X(STREAM_CLOSED, 0x5)                                                                          \
    X(FRAME_SIZE_ERROR, 0x6)                                                                       \
    X(REFUSED_STREAM, 0x7)                                                                         \
    X(CANCEL, 0x8)                                                                                 \
    X(COMPRESSION_ERROR, 0x9)                                                                      \
    X(CONNECT_ERROR, 0xa)                                                                          \
    X(ENHANCE_YOUR_CALM, 0xb)                                                                      \
    X(INADEQUATE_SECURITY, 0xc)                                                                    \
    X(HTTP_1_1_REQUIRED, 0xd)

typedef enum oy_h2_code {
#define OY_H2_ERROR_ENUM(name, value) OY_H2_##name = value,
    OY_H2_ERROR_MAP(OY_H2_ERROR_ENUM)
#undef OY_H2_ERROR_ENUM
} oy_h2_code;

/* "PROTOCOL_ERROR"; "unknown error code" for others. Static. */
const char *oy_h2_code_name(uint32_t code);

#define OY_H2_FRAME_HEADER_BYTES 9u
#define OY_H2_MAX_WINDOW         0x7fffffff
#define OY_H2_DEFAULT_WINDOW     65535
#define OY_H2_FRAME_BYTES        OYEZ_LIMIT_FRAME_BYTES /* what we send at most, and what we accept */
#define OY_H2_MAX_STREAM_ID      0x7fffffffu

/* --- the receive side's window of a stream or of the connection ------------------------------- */

typedef struct oy_h2_inflow {
    int32_t limit;   /* the window that we want the peer to see */
    int32_t window;  /* what the peer may still send */
    int32_t pending; /* taken by the application, not yet given back */
} oy_h2_inflow;

static inline void oy_h2_inflow_init(oy_h2_inflow *flow, int32_t limit)
{
    flow->limit = limit;
    flow->window = limit;
    flow->pending = 0;
}

/* False: the peer sent more than it was allowed. */
static inline bool oy_h2_inflow_arrive(oy_h2_inflow *flow, uint32_t bytes)
{
    if ((int64_t)bytes > flow->window)
        return false;
    flow->window -= (int32_t)bytes;
    return true;
}

/* Returns the increment to announce now, 0 while less than half of the window is pending. */
static inline uint32_t oy_h2_inflow_take(oy_h2_inflow *flow, uint32_t bytes)
{
    int32_t pending = flow->pending + (int32_t)bytes;

    if (pending == 0 || pending < flow->limit / 2) {
        flow->pending = pending;
        return 0;
    }
    flow->pending = 0;
    flow->window += pending;
    return (uint32_t)pending;
}

/* --- streams ---------------------------------------------------------------------------------- */

typedef struct oy_h2_stream {
    uint32_t id;            /* 0: not open */
    bool recv_closed;       /* END_STREAM has come, or the stream was reset */
    bool send_closed;       /* END_STREAM was sent, or the stream was reset */
    bool headers_received;  /* a final (not 1xx) header block has come */
    bool block_ends_stream; /* the header block that is being delivered carries END_STREAM */
    int64_t send_window;    /* may be below zero after a SETTINGS */
    oy_h2_inflow inflow;
    int64_t content_length;              /* still to come; -1: not announced */
    struct oy_h2_stream *next_in_bucket; /* private */
} oy_h2_stream;

/* --- settings and limits ---------------------------------------------------------------------- */

typedef struct oy_h2_config {
    bool server;
    uint32_t header_table_bytes; /* announced; default 4096 */
    uint32_t header_list_bytes;  /* announced; default 16 KiB */
    uint32_t max_streams;        /* server: announced MAX_CONCURRENT_STREAMS; default 4096;
                                    UINT32_MAX: no limit, not announced */
    uint32_t stream_window;      /* default 1 MiB */
    uint32_t connection_window;  /* default 4 MiB */
    uint32_t max_unsent_control; /* default 1000: replies that the peer does not read */
    uint32_t max_stream_errors;  /* default 1000: stream errors that the peer provoked, less streams
                                       that ended well; over it: ENHANCE_YOUR_CALM */
    uint32_t max_continuations;  /* default 64 frames a header block */
    uint32_t first_stream_id;    /* client: odd; default 1. Tests begin where ids run out */
} oy_h2_config;

/* Fills zero fields with the defaults. */
void oy_h2_config_defaults(oy_h2_config *config);

typedef struct oy_h2_peer_settings {
    uint32_t header_table_bytes, max_streams, initial_window, max_frame_bytes, header_list_bytes;
    bool received; /* the first SETTINGS has come; before it max_streams is 100 for a client */
} oy_h2_peer_settings;

/* --- events ----------------------------------------------------------------------------------- */

typedef struct oy_h2_headers {
    bool end_stream;
    bool trailers;      /* behind DATA or behind a final header block */
    bool informational; /* client: a 1xx block; more will follow */
    bool over_limit;    /* list larger than we accept; fields behind the limit were not delivered */
} oy_h2_headers;

typedef struct oy_h2_events {
    /* Server: a peer begins a stream. Returns the caller's stream (zeroed; the engine fills it),
     * or NULL to refuse it with REFUSED_STREAM; that counts as one of the peer's stream errors,
     * unless *ret_blameless is set: then it is we who have no room. The stream's id is known from
     * the first on_field or on_headers on. */
    oy_h2_stream *(*on_stream)(void *user, bool *ret_blameless);
    /* A field of a header block that is well-formed up to here. Pseudo-headers come, too. */
    void (*on_field)(void *user, oy_h2_stream *stream, const oy_hpack_field *field);
    /* The header block is complete and well-formed. */
    void (*on_headers)(void *user, oy_h2_stream *stream, const oy_h2_headers *headers);
    /* Payload of DATA without padding. A frame may come in several pieces; `end_stream` is set
     * on the last piece of a frame that carries the flag (which may be empty). Borrowed:
     * references by oyez_buffer_ref. The application's part of the window is given back by
     * oy_h2_consumed. */
    void (*on_data)(void *user, oy_h2_stream *stream, const oyez_buffer *piece, bool end_stream);
    /* The stream is over at once: RST_STREAM came, or the peer broke a rule and the engine has
     * sent one (`by_peer` false, `words` says which rule). The engine has forgotten the stream
     * already: its id is 0. Not called when the connection fails: oy_h2_stream_each finds the
     * streams that are still open. */
    void (*on_reset)(void *user, oy_h2_stream *stream, uint32_t code, bool by_peer,
                     const char *words);
    /* More may be sent: on one stream, or (NULL) on all that wait for the connection's window or
     * for a raised limit of streams. */
    void (*on_writable)(void *user, oy_h2_stream *stream);
    /* GOAWAY: streams above `last_id` were not processed. May come twice. `debug` is not
     * terminated. */
    void (*on_goaway)(void *user, uint32_t last_id, uint32_t code, oyez_str debug);
    /* A SETTINGS of the peer has been applied and acknowledged. */
    void (*on_settings)(void *user, const oy_h2_peer_settings *settings);
    /* A PING (answered already), or the answer to one of ours. */
    void (*on_ping)(void *user, bool ack, const uint8_t payload[8]);
} oy_h2_events;

/* --- connection ------------------------------------------------------------------------------- */

typedef struct oy_h2_conn oy_h2_conn;

/* @param output borrowed: outlives the connection. Writes our preface into it. */
oyez_err oy_h2_new(const oy_h2_config *config, const oy_h2_events *events, void *user,
                   oy_outq *output, oy_h2_conn **ret_conn);
void oy_h2_free(oy_h2_conn *conn);

/* Takes all the bytes, however they are cut. OYEZ_EPROTO: the connection has failed; a GOAWAY is
 * in the output queue, and oy_h2_failure says what happened. OYEZ_ENOMEM likewise
 * (INTERNAL_ERROR).
 * @param bytes views into one block; pieces of DATA handed out refer to that block. */
oyez_err oy_h2_recv(oy_h2_conn *conn, const oyez_buffer *bytes);

typedef struct oy_h2_failure {
    uint32_t code;     /* of the GOAWAY that we sent */
    const char *words; /* static; NULL: not failed */
} oy_h2_failure;

oy_h2_failure oy_h2_get_failure(const oy_h2_conn *conn);

/* Everything queued has been written to the socket: the peer reads, so unsent replies count from
 * zero. */
void oy_h2_flushed(oy_h2_conn *conn);

const oy_h2_peer_settings *oy_h2_peer(const oy_h2_conn *conn);
/* Streams that the engine knows: begun, and neither closed nor reset. */
uint32_t oy_h2_stream_count(const oy_h2_conn *conn);
/* The highest stream id that the peer has begun. */
uint32_t oy_h2_last_peer_stream(const oy_h2_conn *conn);
oy_h2_stream *oy_h2_stream_find(oy_h2_conn *conn, uint32_t id);
/* Calls `visit` for each open stream; it may close that stream, and no other. */
void oy_h2_stream_each(oy_h2_conn *conn, void (*visit)(void *user, oy_h2_stream *stream),
                       void *user);

/* Client: gives the stream the next id. OYEZ_ELIMIT: the peer's MAX_CONCURRENT_STREAMS is reached.
 * OYEZ_ESTATE: ids have run out, or the connection is going away. */
oyez_err oy_h2_stream_open(oy_h2_conn *conn, oy_h2_stream *stream);
/* Forgets a stream, whatever its state; sends nothing. DATA that still comes for it is credited
 * to the connection and dropped. */
void oy_h2_stream_close(oy_h2_conn *conn, oy_h2_stream *stream);
/* Sends RST_STREAM and forgets the stream. */
void oy_h2_stream_reset(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t code);

/* --- sending ---------------------------------------------------------------------------------- */

oy_hpack_encoder *oy_h2_encoder(oy_h2_conn *conn);

/* A header block under construction; private. */
typedef struct oy_h2_block {
    uint8_t *frame; /* where the frame header will be */
    uint8_t *next;
    uint8_t *end;     /* behind the last byte that the fields may take */
    uint8_t *scratch; /* owned: a block that may need CONTINUATION */
} oy_h2_block;

/* Begins a header block, which then must be ended: the encoder's table has moved on.
 * `list_bytes` (sum of name + value + 32) is checked against the peer's limit: OYEZ_ELIMIT, and
 * nothing was encoded. `max_bytes` bounds the encoded fields (oy_hpack_field_max). Between begin
 * and end nothing else may be written to the output queue. */
oyez_err oy_h2_block_begin(oy_h2_conn *conn, oy_h2_block *block, size_t list_bytes,
                           size_t max_bytes);
void oy_h2_block_add(oy_h2_conn *conn, oy_h2_block *block, oyez_str name, oyez_str value,
                     oy_hpack_mode mode);
/* Adds fields that were encoded before under the present generation of the encoder. */
void oy_h2_block_add_encoded(oy_h2_block *block, const uint8_t *bytes, size_t len);
/* Where the next field goes: lets a caller remember what was just encoded. */
static inline uint8_t *oy_h2_block_position(const oy_h2_block *block)
{
    return block->next;
}
/* Writes HEADERS (and CONTINUATIONs). With end_stream the sending side is closed. */
oyez_err oy_h2_block_end(oy_h2_conn *conn, oy_h2_block *block, oy_h2_stream *stream,
                         bool end_stream);

/* How many payload bytes one DATA frame on this stream may carry now; 0: wait for on_writable.
 * NULL: what the connection's window alone allows. */
uint32_t oy_h2_send_quota(const oy_h2_conn *conn, const oy_h2_stream *stream);
/* Writes the header of a DATA frame and accounts for `bytes` (at most the quota; 0 is always
 * allowed). The caller then puts exactly these bytes into the output queue. */
oyez_err oy_h2_data_begin(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t bytes, bool end_stream);

/* The application has taken `bytes` of the stream (or they need not wait for it): gives them
 * back to the peer, at half of the window. */
void oy_h2_consumed(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t bytes);

/* Gives the connection's credit that waits for its half back now: nobody calls a PING behind a
 * WINDOW_UPDATE abuse. */
void oy_h2_credit_now(oy_h2_conn *conn);

/* Announces larger windows, of every stream and of the connection; smaller values than the
 * present ones change nothing. */
oyez_err oy_h2_grow_windows(oy_h2_conn *conn, uint32_t stream_window, uint32_t connection_window);

void oy_h2_ping(oy_h2_conn *conn, const uint8_t payload[8]);
/* True if HEADERS or DATA were written since it was asked last. */
bool oy_h2_take_progress(oy_h2_conn *conn);
/* Announces that streams above `last_id` will not be processed (2^31-1: "not yet"). Streams that
 * the peer begins above it afterwards are dropped silently. */
void oy_h2_goaway(oy_h2_conn *conn, uint32_t last_id, uint32_t code, oyez_str debug);

#endif

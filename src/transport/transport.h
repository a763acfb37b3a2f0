/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that carry gRPC calls: marries h2 and wire with io. A connection lives on one loop, and all
 * of this is called on that loop's thread.
 *
 * A stream is embedded in the caller's call object. Between start (client) or on_open (server) and on_end the
 * transport uses it; after on_end it never touches it again. Calls made on a stream from inside its own
 * callbacks are allowed; on_end comes once and last. */
#ifndef OY_TRANSPORT_H
#define OY_TRANSPORT_H

#include "h2/h2.h"
#include "io/io.h"
#include "transport/age.h"
#include "transport/life.h"
#include "transport/pipe.h"
#include "transport/ping_policy.h"
#include "transport/recv_queue.h"
#include "wire/wire.h"

typedef struct oy_conn oy_conn;
typedef struct oy_stream oy_stream;
typedef struct oy_client_transport oy_client_transport;
typedef struct oy_server_transport oy_server_transport;

/* A quota that is exceeded keeps new streams out; this far beyond it those that are under way may bring no more. */
static inline bool oy_quota_far_exceeded(oy_quota *quota)
{
    return atomic_load_explicit(&quota->used, memory_order_relaxed) / 5 >= quota->limit / 4;
}

/* How a stream ended. The strings are static or live in the stream's arena. */
typedef struct oy_end {
    uint32_t code;         /* an oyez_code, or a larger number of the peer's */
    oyez_str message;      /* not percent-encoded */
    oyez_str details;      /* google.rpc.Status, raw; empty if there was none */
    bool unprocessed;      /* client: the server has not seen the call; it may be sent again elsewhere */
    bool unsent;           /* client: unprocessed, and nothing of it has left */
    bool connection_lost;  /* server: not the client's wish but the connection's end */
    bool trailers;         /* client: the server has ended it by trailers, or by headers alone */
} oy_end;

typedef struct oy_stream_events {
    /* Client, optional: the request's headers are in the output. */
    void (*on_begun)(oy_stream *stream);
    /* A metadata entry of a header (or with `trailer`, trailer) block. The strings live until it returns. */
    void (*on_metadata)(oy_stream *stream, oyez_str key, oyez_str value, bool trailer);
    /* Client: the response headers are complete. Server: the request's headers are complete and good: a call
     * begins. */
    void (*on_headers)(oy_stream *stream);
    /* A message that was asked for by oy_stream_request. It may be borrowed (oy_message_keep makes it last); the
     * callee takes it by moving it out and zeroing it; what is left is dropped. `last`: END_STREAM came with it,
     * and on_half_close follows. */
    void (*on_message)(oy_stream *stream, oy_message *message, bool last);
    /* Server: the client has half-closed, and all its messages were delivered. */
    void (*on_half_close)(oy_stream *stream);
    /* The message given to oy_stream_send is in the output: the next one may be sent. Not called when that was so
     * at once (oy_stream_send says). */
    void (*on_sent)(oy_stream *stream);
    /* Over. Client: the status, after all messages were delivered. Server: the answer was written (code 0), or the
     * client cancelled, or the connection is lost. */
    void (*on_end)(oy_stream *stream, const oy_end *end);
} oy_stream_events;

/* A stream, client's or server's. Fields above the line are set by the embedder before it is started. */
struct oy_stream {
    const oy_stream_events *events;
    oyez_arena *arena;           /* borrowed: strings of the stream */
    uint32_t max_receive_bytes;
    /* ---- private to src/transport from here ---- */
    oy_h2_stream h2;
    oy_conn *conn;               /* NULL: not on a connection */
    oy_list in_conn;             /* in conn->streams: all that have begun or wait */
    oy_list node;                /* in the list of those that wait for a stream id, or in conn->sending */
    oy_deframer deframer;
    oy_recv_queue queue;         /* messages that nobody has asked for yet, by value */
    uint32_t wanted;             /* messages asked for */
    uint32_t held;               /* credit for what has come of a message behind those in the queue */
    uint32_t list_extra;         /* what the values of -bin lists add to the header list */
    bool delivering, ended, half_closed, end_of_data, headers_sent, in_sending, ended_by_headers;
    bool out_pending;            /* `out` has a message that is not all in the output queue */
    bool out_end;                /* END_STREAM goes with the last byte of it */
    bool trailers_pending;       /* server: the trailers follow it */
    uint8_t out_prefix[OY_PREFIX_BYTES];
    uint8_t out_prefix_left;
    oyez_slice out;
    uint32_t out_index;
    size_t out_offset, out_left;
    size_t out_turn;             /* bytes of it that went since it came among those whose turn it is */
};

/* --- for either side ------------------------------------------------------------------------------- */

/* Asks for `count` more messages. Messages that wait are delivered before it returns. */
void oy_stream_request(oy_stream *stream, uint32_t count);

/* Sends one message. Small ones are copied at once if flow control lets them out; otherwise they stay, by
 * reference, until on_sent. One at a time. @param message takes; may hold borrowed buffers: these must live until
 * on_sent or on_end. @param last client: half-close behind it.
 * @return true: all is in the output, on_sent will not come. */
bool oy_stream_send(oy_stream *stream, oyez_slice *message, bool compressed, bool last);

/* A message that was given to the stream has not left as a whole; also after on_end. */
static inline bool oy_stream_was_sending(const oy_stream *stream)
{
    return stream->out_prefix_left > 0 || stream->out_left > 0;
}

/* "127.0.0.1:1234" of the other side; lives as long as the connection. */
const char *oy_stream_peer(const oy_stream *stream);
bool oy_stream_is_open(const oy_stream *stream);

/* --- client ---------------------------------------------------------------------------------------------- */

typedef struct oy_client_stream {
    oy_stream base;
    /* ---- private ---- */
    uint32_t http_status, grpc_status;
    bool two_details;
    bool has_http_status, has_content_type, content_type_ok, has_grpc_status, bad_grpc_status, bad_metadata;
    bool list_too_large;
    bool collecting;             /* a non-gRPC answer: its first bytes go into the words */
    oyez_str content_type, grpc_message, details, encoding;
    char *body;
    size_t body_len;
    const struct oy_request *request;
    oy_end forced;               /* how it ends, whatever has come, once the queue is delivered */
    bool has_forced;
    bool close_asked;            /* half-close as soon as it has begun */
} oy_client_stream;

/* What a call needs to start. Borrowed until the stream has ended. */
typedef struct oy_request {
    oyez_str path;
    oyez_str authority;              /* empty: the transport's */
    oyez_str content_type;
    int64_t deadline;                /* absolute; OYEZ_FOREVER: none. grpc-timeout is computed when it is sent */
    uint32_t previous_attempts;
    const oy_field *metadata;
    size_t metadata_count;
    oyez_str encoding;               /* grpc-encoding; empty: none */
    bool message_compressed;
    oyez_slice *message;             /* the one request message, sent right behind the headers with END_STREAM; NULL:
                                        a streaming call sends its own. Emptied when sent. */
} oy_request;

typedef struct oy_client_config {
    oy_h2_config h2;
    oyez_str authority, user_agent;  /* copied, as is the next */
    oyez_str accept_encoding;        /* grpc-accept-encoding; empty: none. With it, an encoding may be set */
    oyez_pool *pool;                 /* a reference is taken */
    oy_quota *quota;                 /* borrowed */
    const oyez_log *log;             /* borrowed */
    oy_life_config life;
    uint32_t last_stream_id;         /* the stream with this id is the connection's last; 0: OYEZ_LIMIT_LAST_STREAM_ID */
} oy_client_config;

typedef struct oy_client_transport_events {
    /* The server's SETTINGS have come: calls may start. */
    void (*on_ready)(void *user);
    /* No new calls any more (GOAWAY, or ids have run out); those under way go on. At most once. */
    void (*on_draining)(void *user, const char *words);
    /* Gone; all streams have ended. Never inside a function of the transport called by the user. The transport frees
     * itself after it has returned. `words` say what happened, address included. */
    void (*on_closed)(void *user, const char *words);
    /* The server calls our PINGs too many: `time` is what the transport's keepalive was set to. Comes before on_draining. */
    void (*on_too_many_pings)(void *user, oyez_duration time);
} oy_client_transport_events;

/* Begins to connect. There is no time limit here: the user closes. */
oyez_err oy_client_transport_new(oy_loop *loop, const oy_address *address, const oy_client_config *config,
                                 const oy_client_transport_events *events, void *user,
                                 oy_client_transport **ret_transport);
/* The same on a pipe that leads to the server already, or will when it becomes writable. @param pipe takes, on success and
 * on failure. @param peer what to call the other end */
oyez_err oy_client_transport_new_on(oy_loop *loop, oy_pipe *pipe, const oy_address *peer, const oy_client_config *config,
                                    const oy_client_transport_events *events, void *user,
                                    oy_client_transport **ret_transport);
/* Ends it: GOAWAY, then the connection closes; streams end with `code` and `words` (static), as on_end, before
 * it returns. on_closed does not come. */
void oy_client_transport_close(oy_client_transport *transport, oyez_code code, const char *words);
/* Lets streams under way end, then closes; on_closed comes. */
void oy_client_transport_drain(oy_client_transport *transport);
bool oy_client_transport_can_start(const oy_client_transport *transport);
uint32_t oy_client_transport_stream_count(const oy_client_transport *transport);
const char *oy_client_transport_peer(const oy_client_transport *transport);

/* Starts a call: headers, and with a unary request the message, leave with this pass. When the server's limit of
 * streams is reached the stream waits for a place. OYEZ_ESTATE: the transport takes no more calls (pick another);
 * OYEZ_ELIMIT: the headers are larger than the server accepts. After an error the stream is not started. */
oyez_err oy_client_stream_start(oy_client_transport *transport, oy_client_stream *stream, const oy_request *request);
/* Half-closes a streaming call. */
void oy_client_stream_close_send(oy_client_stream *stream);
/* Ends the stream from our side (RST_STREAM CANCEL if it is on the wire). on_end does not come. */
void oy_client_stream_cancel(oy_client_stream *stream);
/* "grpc-encoding" of the response; "" if none. */
oyez_str oy_client_stream_encoding(const oy_client_stream *stream);

/* --- server ----------------------------------------------------------------------------------------------- */

typedef struct oy_server_stream {
    oy_stream base;
    /* Filled by the transport before on_headers: */
    oyez_str path, authority;        /* in the arena, or static */
    oyez_str subtype;                /* of the content-type */
    oyez_str encoding;               /* grpc-encoding; "" if none */
    const void *compressor;          /* what config.find_compressor said for it */
    uint32_t accepts;                /* what config.parse_accept said for grpc-accept-encoding */
    bool has_accepts;
    oyez_duration timeout;           /* OYEZ_FOREVER: none */
    void *method;                    /* what config.lookup said for the path */
    /* Set by the embedder before the answer's headers leave: */
    oyez_str answer_encoding;        /* grpc-encoding; "" if none */
    /* ---- private ---- */
    oyez_str content_type;           /* as it came, for the answer */
    uint8_t authorities, hosts;
    bool content_type_ok, is_post, bad_timeout, bad_metadata, list_too_large, opened;
    const char *abort_http;          /* not NULL: it is no gRPC request, and will be answered so */
    const char *abort_words;
    uint32_t abort_code;
    oy_timer abort_timer;
    uint32_t status_code;            /* of the trailers that wait behind a message */
    oyez_str status_message, status_details;
    const oy_field *trailers;
    size_t trailer_count;
} oy_server_stream;

typedef struct oy_server_transport_events {
    /* A stream begins: returns a zeroed stream with events, arena and max_receive_bytes set; NULL: refuse it. */
    oy_server_stream *(*on_open)(void *user);
    /* The handshake is over. */
    void (*on_ready)(void *user);
    /* Gone; all streams have ended. The transport frees itself after it has returned. */
    void (*on_closed)(void *user, const char *words);
} oy_server_transport_events;

typedef struct oy_server_config {
    oy_h2_config h2;
    oyez_pool *pool;
    oy_quota *quota;                 /* when it is exceeded new streams are refused */
    oyez_duration handshake_timeout;
    /* Finds the method of a path, NULL if there is none; the answer is remembered in the connection's table, so it
     * must not change while the server runs. */
    void *(*lookup)(void *lookup_user, oyez_str path);
    void *lookup_user;
    /* What grpc-encoding and grpc-accept-encoding name; remembered as well. */
    const void *(*find_compressor)(void *compressor_user, oyez_str name);
    uint32_t (*parse_accept)(void *compressor_user, oyez_str list);
    void *compressor_user;
    oyez_str accept_encoding;        /* what we take: grpc-accept-encoding; outlives the transport */
    const oyez_log *log;
    oy_life_config life;
    oy_age_config age;
    oyez_duration ping_min_time;     /* of a client's keepalive */
    bool ping_without_calls;
} oy_server_config;

/* @param pipe takes, on success and on failure. */
oyez_err oy_server_transport_new(oy_loop *loop, oy_pipe *pipe, const oy_address *peer, const oy_server_config *config,
                                 const oy_server_transport_events *events, void *user,
                                 oy_server_transport **ret_transport);
/* At once: streams end with connection_lost, as on_end, before it returns. on_closed does not come. */
void oy_server_transport_close(oy_server_transport *transport);
/* Graceful: GOAWAY(2^31-1), PING, on its answer (or after 5 s) GOAWAY(last); closes when the last stream is over. on_closed
 * comes. */
void oy_server_transport_drain(oy_server_transport *transport);

/* Response headers; at most once, before the first message. OYEZ_ELIMIT: larger than the client accepts. */
oyez_err oy_server_stream_send_headers(oy_server_stream *stream, const oy_field *metadata, size_t count);
/* Ends the stream with a status, behind a message that is still on its way; without headers before it becomes
 * Trailers-Only. Everything given here is borrowed until on_end, which comes after this function has returned or
 * inside it. A message that does not fit the client's header limit is cut, trailers that do not are left out; the code
 * is kept. */
void oy_server_stream_finish(oy_server_stream *stream, uint32_t code, oyez_str message, oyez_str details,
                             const oy_field *trailers, size_t count);
/* Ends the stream by RST_STREAM. on_end does not come. */
void oy_server_stream_reset(oy_server_stream *stream, oy_h2_code code);

#endif

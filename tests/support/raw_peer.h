/* SPDX-License-Identifier: Apache-2.0 */
/* The other end of a real connection, as a script: a blocking socket on loopback that says what the test says, and
 * keeps what came in answer, sorted by stream. Either side:
 *
 *     raw_peer *p = raw_client(port);                        raw_peer *p = raw_server(listen_fd);
 *     raw_request(p, 1, "/pkg.Svc/Echo");                    raw_stream *call = raw_await_request(p);
 *     raw_message(p, 1, "hello", 5, RAW_END);                raw_respond(p, call->id);
 *     raw_expect_ok(p, 1, "hello", 5);                       raw_status(p, call->id, "0", NULL);
 *     raw_close(p);                                          raw_close(p);
 *
 * Waiting has a generous limit, after which the test fails. One thread. */
#ifndef OY_TESTS_RAW_PEER_H
#define OY_TESTS_RAW_PEER_H

#include "support/h2_script.h"
#include "wire/wire.h"

/* How long anything may take: only to end a test that hangs. */
unsigned raw_patience_ms(void);
/* Memory and time are not what they are without a sanitizer. */
bool raw_sanitized(void);
void raw_sleep_ms(unsigned ms);

typedef struct raw_frame {
    uint32_t id, length;
    uint8_t type, flags;
} raw_frame;

/* All that came for a stream. */
typedef struct raw_stream {
    uint32_t id;
    char *fields;           /* "name: value\n" of all its header blocks, "--\n" between them; never NULL */
    h2_bytes body;          /* payload of DATA */
    uint32_t header_blocks, data_frames;
    bool ended;             /* END_STREAM */
    bool ending;            /* it came with HEADERS whose block goes on */
    bool reset;
    uint32_t reset_code;
    uint64_t credit;        /* sum of WINDOW_UPDATE */
    uint64_t sent;          /* by us: payload of DATA */
    bool sent_end;          /* by us: END_STREAM or RST_STREAM */
} raw_stream;

typedef struct raw_peer {
    int fd;
    bool is_server;
    /* What the test may set: */
    bool deaf;              /* never reads, not even while it sends */
    bool no_acks;           /* SETTINGS and PING are left unanswered */
    bool no_credit;         /* DATA is not given back to the windows */
    size_t read_bytes;      /* how much is read at once, at most; 0: 64 KiB */
    /* What has come: */
    h2_bytes in;
    size_t parsed;
    bool greeted;           /* server: the client's preface */
    bool closed;            /* end of file, or a reset of the connection */
    bool refused;           /* it was a reset */
    bool went_away;         /* GOAWAY */
    uint32_t goaway_code, goaway_last_id;
    char goaway_words[256];
    uint32_t max_streams, initial_window, header_list_bytes; /* of the last SETTINGS */
    uint32_t settings, settings_acks, pings, ping_acks, window_updates, resets;
    uint64_t connection_credit; /* sum of WINDOW_UPDATE on stream 0 */
    uint64_t sent;              /* by us: payload of DATA */
    raw_stream **streams;   /* by id / 2 */
    size_t stream_count;
    raw_frame *log;         /* every frame but those of stream 0, in order */
    size_t log_len, log_capacity;
    uint32_t next_request;  /* server: where raw_await_request goes on */
    oy_hpack_decoder *decoder;
    h2_bytes block;         /* a header block whose end has not come */
    uint32_t continuations;
} raw_peer;

/* --- connections ------------------------------------------------------------------------------------------------- */

/* Connects to 127.0.0.1; nothing is said yet. */
raw_peer *raw_connect(uint16_t port);
/* "unix:path", "unix-abstract:name" without the scheme. */
raw_peer *raw_connect_unix(const char *path, bool abstract);
/* Connects and exchanges greetings: preface, empty SETTINGS, acknowledgements. */
raw_peer *raw_client(uint16_t port);
/* The greetings on a connection of raw_connect. */
void raw_greet(raw_peer *peer);
/* The size of the receive buffer: a small one, so that little fits between the ends. Before anything has come. */
void raw_receive_buffer(raw_peer *peer, int bytes);
/* Listens on a free port of 127.0.0.1. */
int raw_listen(uint16_t *ret_port);
/* Accepts; nothing is said yet. */
raw_peer *raw_accept(int listen_fd);
/* Accepts and exchanges greetings, with settings: id, value, ..., 0. */
raw_peer *raw_server(int listen_fd, ...);
/* True: a connection comes within the time. */
bool raw_pending(int listen_fd, unsigned ms);
void raw_close(raw_peer *peer);
/* Closes so that the other end sees a reset. */
void raw_abort(raw_peer *peer);

/* --- sending ----------------------------------------------------------------------------------------------------- */

enum { RAW_END = H2_FLAG_END_STREAM };

/* False: the connection is over, or the other end has taken nothing for `raw_patience_ms`. Unless the peer is deaf it
 * reads meanwhile. */
bool raw_send(raw_peer *peer, const void *data, size_t len);
/* As raw_send, but returns with what could be sent within the time. */
size_t raw_send_some(raw_peer *peer, const void *data, size_t len, unsigned ms);
bool raw_send_frame(raw_peer *peer, uint32_t type, uint32_t flags, uint32_t id, const void *payload, size_t len);
#define RAW_SEND(peer, type, flags, id, payload)                                                                       \
    raw_send_frame(peer, OY_H2_FRAME_##type, H2_FLAG_##flags, id, payload, sizeof(payload) - 1)
/* HEADERS, END_HEADERS and `flags`: name, value, ..., NULL. */
bool raw_fields(raw_peer *peer, uint32_t id, uint32_t flags, ...);
/* The headers of a request for a path, without END_STREAM. */
bool raw_request(raw_peer *peer, uint32_t id, const char *path);
/* ... and further fields: name, value, ..., NULL. */
bool raw_request_with(raw_peer *peer, uint32_t id, const char *path, ...);
/* What the other end's windows let us send on the stream. */
uint64_t raw_room(raw_peer *peer, uint32_t id);
/* As raw_message, in frames of `part` bytes, waiting for room. */
bool raw_upload(raw_peer *peer, uint32_t id, const void *data, size_t len, uint32_t flags, size_t part);
/* DATA with one message, cut into frames of 16 KiB, whatever the windows say. */
bool raw_message(raw_peer *peer, uint32_t id, const void *data, size_t len, uint32_t flags);
/* request and message, END_STREAM. */
bool raw_call(raw_peer *peer, uint32_t id, const char *path, const void *data, size_t len);
bool raw_rst(raw_peer *peer, uint32_t id, uint32_t code);
bool raw_window_update(raw_peer *peer, uint32_t id, uint32_t increment);
bool raw_setting(raw_peer *peer, uint16_t id, uint32_t value);
bool raw_goaway(raw_peer *peer, uint32_t last_id, uint32_t code, const char *words);
/* Server: response headers; trailers with status and message (NULL: none). */
bool raw_respond(raw_peer *peer, uint32_t id);
bool raw_status(raw_peer *peer, uint32_t id, const char *status, const char *message);
/* Server: all of an answer. */
bool raw_answer(raw_peer *peer, uint32_t id, const void *data, size_t len);

/* --- receiving --------------------------------------------------------------------------------------------------- */

/* Reads what comes within the time; false: nothing did. */
bool raw_read(raw_peer *peer, unsigned ms);
/* Reads until the condition holds; false when the time or the connection is over before. */
#define RAW_UNTIL(peer, condition)                                                                                     \
    __extension__({                                                                                                               \
        int64_t raw_limit = raw_limit_from_now();                                                                      \
        while (!(condition) && raw_read_before(peer, raw_limit))                                                       \
            continue;                                                                                                  \
        (condition);                                                                                                   \
    })
int64_t raw_limit_from_now(void);
bool raw_read_before(raw_peer *peer, int64_t limit);
/* The stream; NULL: nothing was sent on it, and nothing has come. */
raw_stream *raw_find(raw_peer *peer, uint32_t id);
/* Waits until the stream has ended, by END_STREAM or RST_STREAM. */
raw_stream *raw_await(raw_peer *peer, uint32_t id);
/* Waits until that many bytes of payload have come. */
raw_stream *raw_await_body(raw_peer *peer, uint32_t id, size_t bytes);
/* Waits for a PING's answer: all that was sent before has been looked at by then. */
void raw_sync(raw_peer *peer);
/* Waits for the end of the connection. */
void raw_await_close(raw_peer *peer);
/* Server: the next stream whose headers have come. */
raw_stream *raw_await_request(raw_peer *peer);
/* The first value of a field; NULL: it did not come. Lives until the next call of this function. */
const char *raw_field(const raw_stream *stream, const char *name);
unsigned raw_field_count(const raw_stream *stream, const char *name);
/* The end of a call in words: "0", "12 unknown service x", "http 415 3 ...", "reset PROTOCOL_ERROR", "ended". Lives
 * until the next call of this function. */
const char *raw_outcome(const raw_stream *stream);

/* --- expecting --------------------------------------------------------------------------------------------------- */

/* HTTP 200, grpc-status 0 and this message. */
void raw_expect_ok(raw_peer *peer, uint32_t id, const void *data, size_t len);
/* HTTP 200 and this grpc-status. Returns the decoded grpc-message, "" if none; lives until the next. */
const char *raw_expect_status(raw_peer *peer, uint32_t id, int status);
/* An HTTP status of its own, and the grpc-status beside it. */
void raw_expect_http(raw_peer *peer, uint32_t id, const char *http_status, int status);
void raw_expect_reset(raw_peer *peer, uint32_t id, uint32_t code);
/* The connection ends, with this GOAWAY before. */
void raw_expect_goaway(raw_peer *peer, uint32_t code);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A scripted HTTP/2 peer. Tests read like a conversation:
 *
 *     H2_TALK(ping_is_answered, &h2_a_server)
 *     {
 *         h2_hello(s);
 *         H2_SEND(s, PING, 0, 0, "12345678");
 *         H2_EXPECT(s, PING, ACK, 0, "12345678");
 *         h2_expect_news(s, "ping 12345678");
 *     }
 *
 * h2_talk holds the conversation three times with an engine: the bytes whole, one at a time, and
 * cut at random; what comes out must be the same to the byte. The first part of this file (bytes
 * and frames) stands without an engine, for tests of the layers above. */
#ifndef OY_TESTS_H2_SCRIPT_H
#define OY_TESTS_H2_SCRIPT_H

#include "base/random.h"
#include "h2/frame.h"
#include "h2/h2.h"

/* --- bytes and frames ------------------------------------------------------------------------- */

typedef struct h2_bytes {
    uint8_t *data;
    size_t len, capacity;
} h2_bytes;

void h2_bytes_add(h2_bytes *bytes, const void *data, size_t len);
void h2_bytes_free(h2_bytes *bytes);

#define H2_FLAG_0           0u
#define H2_FLAG_NONE        0u
#define H2_FLAG_ACK         OY_H2_FLAG_ACK
#define H2_FLAG_END_STREAM  OY_H2_FLAG_END_STREAM
#define H2_FLAG_END_HEADERS OY_H2_FLAG_END_HEADERS
#define H2_FLAG_PADDED      OY_H2_FLAG_PADDED
#define H2_FLAG_PRIORITY    OY_H2_FLAG_PRIORITY

void h2_put_frame(h2_bytes *bytes, uint32_t type, uint32_t flags, uint32_t id, const void *payload,
                  size_t len);
/* The client's preface and an empty SETTINGS. */
void h2_put_hello(h2_bytes *bytes);
/* A literal that does not enter the table, without Huffman. */
void h2_put_field(h2_bytes *bytes, const char *name, const char *value);
/* The header block of a gRPC request, of literals and static entries alone. */
void h2_put_request(h2_bytes *bytes, const char *path);

typedef struct h2_frame {
    uint32_t length, type, flags, id;
    const uint8_t *payload;
} h2_frame;

/* The frame at *at, which moves behind it. False: there is no whole one. */
bool h2_next_frame(const uint8_t *data, size_t len, size_t *at, h2_frame *ret_frame);

/* --- an engine and its peer ------------------------------------------------------------------- */

typedef enum h2_cut {
    H2_CUT_WHOLE,
    H2_CUT_BYTES,
    H2_CUT_RANDOM,
} h2_cut;

#define H2_SCRIPT_STREAMS 256

typedef struct h2_script_stream {
    oy_h2_stream h2; /* first */
    uint32_t id;     /* also when the engine has forgotten it */
} h2_script_stream;

typedef struct h2_script {
    oy_h2_conn *conn;
    oy_block_pool *pool;
    oy_outq output;
    h2_cut cut;
    oy_random random;
    oyez_err err;    /* of the latest recv */
    h2_bytes out;    /* all that the engine has written */
    size_t read;     /* of it, how much the peer has looked at */
    char news[4096]; /* what the engine has told since the last look */
    size_t news_len;
    uint32_t data_id; /* bytes of DATA that are not in the news yet */
    size_t data_bytes;
    h2_bytes all_news; /* since the beginning */
    h2_bytes body;     /* payload of all DATA */
    h2_script_stream streams[H2_SCRIPT_STREAMS];
    uint32_t stream_count;

    /* what the test may set */
    bool log_fields;
    bool refuse; /* on_stream gives NULL */
    bool blameless; /* ... and says that it is not the peer's doing */
    void (*on_news)(struct h2_script *script, oy_h2_stream *stream, const char *event);
} h2_script;

typedef void h2_conversation(h2_script *script);

/* @param config NULL for the defaults of a server. */
void h2_talk(const oy_h2_config *config, h2_conversation *conversation);
/* Begins the definition of a conversation that is a test, too: H2_TALK(name, &h2_a_server) { ...
 * } with the script as `s`. */
#define H2_TALK(name, config)                                                                      \
    static void name##_talk(h2_script *s);                                                         \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        h2_talk(config, name##_talk);                                                              \
    }                                                                                              \
    static void name##_talk(h2_script *s)
/* One way only; asserts that the engine can be made. */
void h2_script_init(h2_script *script, const oy_h2_config *config, h2_cut cut, uint64_t seed);
/* The same for tests in which memory runs out. */
oyez_err h2_script_try_init(h2_script *script, const oy_h2_config *config, h2_cut cut,
                            uint64_t seed);
void h2_script_fini(h2_script *script);
extern const oy_h2_config h2_a_server, h2_a_client;

/* Gives bytes to the engine, cut as the script says. */
void h2_feed(h2_script *script, const void *data, size_t len);
/* The greetings both ways, with nothing left to look at. */
void h2_hello(h2_script *script);
void h2_send(h2_script *script, uint32_t type, uint32_t flags, uint32_t id, const void *payload,
             size_t len);
#define H2_SEND(script, type, flags, id, payload)                                                  \
    h2_send(script, OY_H2_FRAME_##type, H2_FLAG_##flags, id, payload, sizeof(payload) - 1)
/* HEADERS with literal fields: name, value, ..., NULL; END_HEADERS and the flags. */
void h2_send_fields(h2_script *script, uint32_t flags, uint32_t id, ...);
/* HEADERS of a request for /a/b. */
void h2_send_request(h2_script *script, uint32_t flags, uint32_t id);
/* HEADERS of a response: :status 200. */
void h2_send_response(h2_script *script, uint32_t flags, uint32_t id);
void h2_send_u32(h2_script *script, uint32_t type, uint32_t id, uint32_t value);
void h2_send_setting(h2_script *script, uint16_t id, uint32_t value);
/* DATA with `len` bytes. */
void h2_send_zeros(h2_script *script, uint32_t flags, uint32_t id, size_t len);

/* The engine's side: a request on a new stream (client); a response's HEADERS. */
oy_h2_stream *h2_begin_request(h2_script *script, bool end_stream);
void h2_respond(h2_script *script, uint32_t id, bool end_stream);
/* The stream as the engine knows it; asserts that it does. */
oy_h2_stream *h2_stream(h2_script *script, uint32_t id);

/* The next frame that the engine has written. */
h2_frame h2_expect_any(h2_script *script);
void h2_expect(h2_script *script, uint32_t type, uint32_t flags, uint32_t id, const void *payload,
               size_t len);
#define H2_EXPECT(script, type, flags, id, payload)                                                \
    h2_expect(script, OY_H2_FRAME_##type, H2_FLAG_##flags, id, payload, sizeof(payload) - 1)
/* HEADERS or DATA of whatever content. */
void h2_expect_type(h2_script *script, uint32_t type, uint32_t flags, uint32_t id);
void h2_expect_rst(h2_script *script, uint32_t id, uint32_t code);
void h2_expect_window_update(h2_script *script, uint32_t id, uint32_t increment);
/* Connection error: GOAWAY with these words, nothing behind it, and recv fails from now on. */
void h2_expect_failure(h2_script *script, uint32_t last_id, uint32_t code, const char *words);
void h2_expect_silence(h2_script *script);
/* What the engine has told, joined by "; ":
 *   field 1 name: value (with log_fields)   headers 1 [end] [trailers] [informational] [over]
 *   data 1 <bytes> [end]   reset 1 <code> by peer   reset 1 <code>: <words>
 *   writable 1   writable all   goaway <id> <code> <debug>   settings
 *   ping <bytes>   pong <bytes> */
void h2_expect_news(h2_script *script, const char *news);
void h2_forget_news(h2_script *script);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A client's engine and a server's in memory: whole unary calls of 37 bytes each way, and frames of a
 * stream, without anything of gRPC above nor a socket below. */
#include <stdlib.h>
#include <string.h>

#include "h2/h2.h"
#include "micro.h"

#define CALLS 100 /* in flight */
#define BODY  7   /* bytes of a message with its prefix */

typedef struct side {
    oy_h2_conn *conn;
    oy_outq output;
    struct both *both;
    oy_h2_stream streams[CALLS];
    oy_h2_stream *free_streams[CALLS];
    size_t free_count;
} side;

typedef struct both {
    oy_block_pool *pool;
    side client, server;
    uint64_t ended;
    bool calls; /* streams end with their first message */
} both;

static const uint8_t body[BODY] = {0, 0, 0, 0, 2, 8, 1};

static void add(side *s, oy_h2_block *block, oyez_str name, oyez_str value)
{
    oy_h2_block_add(s->conn, block, name, value, OY_HPACK_INDEX);
}

static void send_body(side *s, oy_h2_stream *stream, bool end)
{
    micro_must(oy_h2_send_quota(s->conn, stream) >= BODY &&
                   !oy_h2_data_begin(s->conn, stream, BODY, end) &&
                   !oy_outq_copy(&s->output, body, BODY),
               "DATA");
}

static oy_h2_stream *begin_request(side *s)
{
    oy_h2_block block;
    oy_h2_stream *stream = s->free_streams[--s->free_count];
    *stream = (oy_h2_stream){0};
    micro_must(!oy_h2_stream_open(s->conn, stream) && !oy_h2_block_begin(s->conn, &block, 400, 400),
               "a stream");
    add(s, &block, OYEZ_STR(":method"), OYEZ_STR("POST"));
    add(s, &block, OYEZ_STR(":scheme"), OYEZ_STR("http"));
    add(s, &block, OYEZ_STR(":path"), OYEZ_STR("/grpc.testing.BenchmarkService/UnaryCall"));
    add(s, &block, OYEZ_STR(":authority"), OYEZ_STR("localhost:50051"));
    add(s, &block, OYEZ_STR("content-type"), OYEZ_STR("application/grpc"));
    add(s, &block, OYEZ_STR("te"), OYEZ_STR("trailers"));
    micro_must(!oy_h2_block_end(s->conn, &block, stream, false), "HEADERS");
    return stream;
}

static void release(side *s, oy_h2_stream *stream)
{
    oy_h2_stream_close(s->conn, stream);
    s->free_streams[s->free_count++] = stream;
}

static void answer(side *s, oy_h2_stream *stream)
{
    oy_h2_block block;
    micro_must(!oy_h2_block_begin(s->conn, &block, 200, 200), "a block");
    add(s, &block, OYEZ_STR(":status"), OYEZ_STR("200"));
    add(s, &block, OYEZ_STR("content-type"), OYEZ_STR("application/grpc"));
    micro_must(!oy_h2_block_end(s->conn, &block, stream, false), "HEADERS");
    send_body(s, stream, false);
    micro_must(!oy_h2_block_begin(s->conn, &block, 100, 100), "a block");
    add(s, &block, OYEZ_STR("grpc-status"), OYEZ_STR("0"));
    micro_must(!oy_h2_block_end(s->conn, &block, stream, true), "trailers");
    release(s, stream);
}

/* --- events ----------------------------------------------------------------------------------- */

static oy_h2_stream *on_stream(void *user, bool *ret_blameless)
{
    (void)ret_blameless;
    side *s = user;
    micro_must(s->free_count > 0, "a free stream");
    oy_h2_stream *stream = s->free_streams[--s->free_count];
    *stream = (oy_h2_stream){0};
    return stream;
}

static void on_field(void *user, oy_h2_stream *stream, const oy_hpack_field *field)
{
    (void)user;
    (void)stream;
    micro_use(field);
}

static void on_headers(void *user, oy_h2_stream *stream, const oy_h2_headers *headers)
{
    side *s = user;
    if (s == &s->both->client && headers->end_stream) {
        s->both->ended++;
        release(s, stream);
    }
}

static void on_data(void *user, oy_h2_stream *stream, const oyez_buffer *piece, bool end)
{
    side *s = user;
    oy_h2_consumed(s->conn, stream, (uint32_t)piece->len);
    if (end && s == &s->both->server)
        answer(s, stream);
}

static void on_reset(void *user, oy_h2_stream *stream, uint32_t code, bool by_peer,
                     const char *words)
{
    (void)user;
    (void)stream;
    (void)code;
    (void)by_peer;
    micro_must(0, words ? words : "a stream was reset");
}

static void on_writable(void *user, oy_h2_stream *stream)
{
    (void)user;
    (void)stream;
}

static void on_goaway(void *user, uint32_t last_id, uint32_t code, oyez_str debug)
{
    (void)user;
    (void)last_id;
    (void)code;
    (void)debug;
}

static void on_settings(void *user, const oy_h2_peer_settings *settings)
{
    (void)user;
    (void)settings;
}

static void on_ping(void *user, bool ack, const uint8_t payload[8])
{
    (void)user;
    (void)ack;
    (void)payload;
}

/* --- the two ---------------------------------------------------------------------------------- */

static void carry(side *from, side *to)
{
    while (from->output.len > 0) {
        oyez_buffer bytes = oy_outq_take(&from->output, OY_READ_BLOCK_BYTES);
        micro_must(!oy_h2_recv(to->conn, &bytes), "recv");
        oyez_buffer_fini(&bytes);
    }
    oy_h2_flushed(from->conn);
}

static void carry_all(both *b)
{
    while (b->client.output.len + b->server.output.len > 0) {
        carry(&b->client, &b->server);
        carry(&b->server, &b->client);
    }
}

static void open_side(both *b, side *s, bool server)
{
    static const oy_h2_events events = {on_stream,   on_field,  on_headers,  on_data, on_reset,
                                        on_writable, on_goaway, on_settings, on_ping};
    oy_h2_config config = {.server = server};
    oy_h2_config_defaults(&config);
    s->both = b;
    oy_outq_init(&s->output, b->pool);
    for (size_t i = 0; i < CALLS; i++)
        s->free_streams[s->free_count++] = &s->streams[i];
    micro_must(!oy_h2_new(&config, &events, s, &s->output, &s->conn), "a connection");
}

static void *prepare(void)
{
    both *b = calloc(1, sizeof(*b));
    micro_must(b && !oy_block_pool_new(OY_READ_BLOCK_BYTES, 16, &b->pool), "a pool");
    open_side(b, &b->client, false);
    open_side(b, &b->server, true);
    carry_all(b);
    return b;
}

static void run_calls(void *state, uint64_t rounds)
{
    both *b = state;
    uint64_t goal = b->ended + rounds, begun = b->ended;
    while (b->ended < goal) {
        for (; b->client.free_count > 0 && begun < goal; begun++)
            send_body(&b->client, begin_request(&b->client), true);
        carry_all(b);
    }
}

static void *prepare_stream(void)
{
    both *b = prepare();
    (void)begin_request(&b->client);
    carry_all(b);
    return b;
}

/* Frames of one stream, a hundred a write. */
static void run_data(void *state, uint64_t rounds)
{
    both *b = state;
    for (uint64_t i = 0; i < rounds; i++) {
        send_body(&b->client, b->client.free_streams[b->client.free_count], false);
        if (i % 100 == 99)
            carry_all(b);
    }
    carry_all(b);
}

static void end(void *state)
{
    both *b = state;
    side *sides[] = {&b->client, &b->server};
    for (size_t i = 0; i < 2; i++) {
        oy_h2_free(sides[i]->conn);
        oy_outq_fini(&sides[i]->output);
    }
    oy_block_pool_free(b->pool);
    free(b);
}

const micro_case micro_h2[] = {
    {"h2-unary-call", prepare, run_calls, end, 0},
    {"h2-data-frame", prepare_stream, run_data, end, 0},
    {NULL, NULL, NULL, NULL, 0},
};

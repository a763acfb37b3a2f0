/* SPDX-License-Identifier: Apache-2.0 */
/* A client engine against a server engine in memory: calls of random sizes, through random
 * windows, the bytes cut at random; and the same with memory running out. */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "h2/conn.h"
#include "support/leak.h"
#include "support/test.h"

#define SLOTS 40

typedef struct end end;

/* One side of one call. */
typedef struct half {
    oy_h2_stream h2; /* first */
    end *owner;
    bool used;
    bool blocked;      /* waits for on_writable */
    bool headers_sent; /* server: response headers */
    bool ended;        /* the peer's END_STREAM has come */
    uint32_t to_send, sent;
    uint32_t expected, received;
    uint32_t unconsumed;
} half;

struct end {
    oy_h2_conn *conn;
    oy_outq output;
    half halves[SLOTS];
    uint32_t done, broken; /* calls that ended well; that were reset */
    bool writable;
    oyez_err err;
    struct pair *pair;
};

typedef struct pair {
    oy_block_pool *pool;
    oy_random random;
    end client, server;
    uint32_t started, goal;
    uint32_t max_body; /* of requests and responses */
    uint32_t max_cut;  /* bytes a recv */
    uint32_t filler;   /* bytes of an extra header: CONTINUATIONs */
    uint32_t cancels;  /* one in so many steps resets a stream; 0: never */
} pair;

static uint32_t below(pair *p, uint32_t bound)
{
    return bound ? (uint32_t)(oy_random_next(&p->random) % bound) : 0;
}

static uint8_t byte_at(uint32_t offset)
{
    return (uint8_t)(offset * 31 + (offset >> 8));
}

static half *free_half(end *e)
{
    for (int i = 0; i < SLOTS; i++)
        if (!e->halves[i].used) {
            e->halves[i] = (half){.owner = e, .used = true};
            return &e->halves[i];
        }
    return NULL;
}

static void finish(half *h, bool well)
{
    end *e = h->owner;

    assert_true(h->used);
    if (well)
        e->done++;
    else
        e->broken++;
    h->used = false;
    oy_h2_stream_close(e->conn, &h->h2);
}

/* --- sending ---------------------------------------------------------------------------------- */

static oyez_err send_block(end *e, half *h, bool end_stream, uint32_t reply_bytes)
{
    static char filler[40000]; /* of '|', which is longer by Huffman */
    char text[16];
    oy_h2_block block;
    oyez_err err;
    bool request = e == &e->pair->client;
    bool trailers = !request && h->headers_sent;
    uint32_t extra = request ? e->pair->filler : 0;

    if (!filler[0])
        memset(filler, '|', sizeof(filler));
    err = oy_h2_block_begin(e->conn, &block, 200, 200 + extra);
    if (err)
        return err;
    if (request) {
        oy_h2_block_add(e->conn, &block, OYEZ_STR(":method"), OYEZ_STR("POST"), OY_HPACK_INDEX);
        oy_h2_block_add(e->conn, &block, OYEZ_STR(":scheme"), OYEZ_STR("http"), OY_HPACK_INDEX);
        oy_h2_block_add(e->conn, &block, OYEZ_STR(":path"), OYEZ_STR("/s/m"), OY_HPACK_INDEX);
        snprintf(text, sizeof(text), "%u", reply_bytes);
        oy_h2_block_add(e->conn, &block, OYEZ_STR("x-reply"), (oyez_str){text, strlen(text)},
                        OY_HPACK_LITERAL);
        if (extra)
            oy_h2_block_add(e->conn, &block, OYEZ_STR("x-filler"), (oyez_str){filler, extra},
                            OY_HPACK_LITERAL);
    } else if (trailers) {
        oy_h2_block_add(e->conn, &block, OYEZ_STR("grpc-status"), OYEZ_STR("0"), OY_HPACK_INDEX);
    } else {
        oy_h2_block_add(e->conn, &block, OYEZ_STR(":status"), OYEZ_STR("200"), OY_HPACK_INDEX);
    }
    h->headers_sent = true;
    return oy_h2_block_end(e->conn, &block, &h->h2, end_stream);
}

static oyez_err start_call(pair *p)
{
    half *h = p->started < p->goal ? free_half(&p->client) : NULL;
    oyez_err err;

    if (!h)
        return OYEZ_NO_ERR;
    err = oy_h2_stream_open(p->client.conn, &h->h2);
    if (err) {
        h->used = false;
        return err == OYEZ_ELIMIT ? OYEZ_NO_ERR : err;
    }
    p->started++;
    h->to_send = below(p, p->max_body);
    h->expected = below(p, p->max_body);
    return send_block(&p->client, h, h->to_send == 0, h->expected);
}

static oyez_err send_data(end *e, half *h)
{
    bool client = e == &e->pair->client;

    while (h->sent < h->to_send && !h->blocked) {
        uint8_t payload[OY_H2_FRAME_BYTES];
        uint32_t bytes = oy_h2_send_quota(e->conn, &h->h2);
        oyez_err err;

        if (bytes == 0) {
            h->blocked = true;
            break;
        }
        if (bytes > h->to_send - h->sent)
            bytes = h->to_send - h->sent;
        for (uint32_t i = 0; i < bytes; i++)
            payload[i] = byte_at(h->sent + i);
        err = oy_h2_data_begin(e->conn, &h->h2, bytes, client && h->sent + bytes == h->to_send);
        if (!err)
            err = oy_outq_copy(&e->output, payload, bytes);
        if (err)
            return err;
        h->sent += bytes;
    }
    return OYEZ_NO_ERR;
}

static oyez_err work(end *e, half *h)
{
    pair *p = e->pair;
    oyez_err err;

    if (h->unconsumed) {
        uint32_t bytes = 1 + below(p, h->unconsumed);
        h->unconsumed -= bytes;
        oy_h2_consumed(e->conn, &h->h2, bytes);
    }
    err = send_data(e, h);
    if (err)
        return err;
    if (p->cancels && below(p, p->cancels) == 0) {
        oy_h2_stream_reset(e->conn, &h->h2, OY_H2_CANCEL);
        finish(h, false);
        return OYEZ_NO_ERR;
    }
    if (e == &p->server && h->ended && h->headers_sent && h->sent == h->to_send) {
        err = send_block(e, h, true, 0);
        if (!err)
            finish(h, true);
    }
    return err;
}

/* --- events ----------------------------------------------------------------------------------- */

static oy_h2_stream *on_stream(void *user, bool *ret_blameless)
{
    (void)ret_blameless;
    half *h = free_half(user);
    return h ? &h->h2 : NULL;
}

static void on_field(void *user, oy_h2_stream *stream, const oy_hpack_field *field)
{
    half *h = (half *)(void *)stream;

    (void)user;
    if (field->name.len == 7 && memcmp(field->name.data, "x-reply", 7) == 0) {
        char text[16] = {0};
        memcpy(text, field->value.data, field->value.len);
        h->to_send = (uint32_t)strtoul(text, NULL, 10);
    }
}

static void on_headers(void *user, oy_h2_stream *stream, const oy_h2_headers *headers)
{
    end *e = user;
    half *h = (half *)(void *)stream;
    bool client = e == &e->pair->client;

    assert_false(headers->over_limit);
    if (headers->end_stream)
        h->ended = true;
    if (!client && !headers->trailers && !e->err)
        e->err = send_block(e, h, false, 0);
    if (client && headers->end_stream) {
        assert_true(headers->trailers);
        assert_int_equal(h->received, h->expected);
        finish(h, true);
    }
}

static void on_data(void *user, oy_h2_stream *stream, const oyez_buffer *piece, bool end_stream)
{
    half *h = (half *)(void *)stream;

    (void)user;
    for (size_t i = 0; i < piece->len; i++)
        if (piece->data[i] != byte_at(h->received + (uint32_t)i))
            fail_msg("stream %u: byte %zu is wrong", stream->id, h->received + i);
    h->received += (uint32_t)piece->len;
    h->unconsumed += (uint32_t)piece->len;
    if (end_stream)
        h->ended = true;
}

static void on_reset(void *user, oy_h2_stream *stream, uint32_t code, bool by_peer,
                     const char *words)
{
    (void)user;
    if (!by_peer)
        fail_msg("%s: %s", oy_h2_code_name(code), words);
    finish((half *)(void *)stream, false);
}

static void on_writable(void *user, oy_h2_stream *stream)
{
    end *e = user;

    if (stream)
        ((half *)(void *)stream)->blocked = false;
    else
        for (int i = 0; i < SLOTS; i++)
            e->halves[i].blocked = false;
}

static void on_goaway(void *user, uint32_t last_id, uint32_t code, oyez_str debug)
{
    end *e = user;

    (void)last_id;
    if (code != OY_H2_INTERNAL_ERROR)
        fail_msg("%s: GOAWAY %s %.*s", e == &e->pair->client ? "client" : "server",
                 oy_h2_code_name(code), (int)debug.len, debug.data);
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

static const oy_h2_events events = {on_stream,   on_field,  on_headers,  on_data, on_reset,
                                    on_writable, on_goaway, on_settings, on_ping};

/* --- the wire --------------------------------------------------------------------------------- */

/* Moves one piece from one end to the other. True: there was something. */
static bool carry(pair *p, end *from, end *to)
{
    struct iovec vector;
    uint8_t *copy;
    size_t len;
    oyez_err err;

    if (oy_outq_peek(&from->output, &vector, 1) == 0) {
        oy_h2_flushed(from->conn);
        return false;
    }
    len = 1 + below(p, p->max_cut);
    if (len > vector.iov_len)
        len = vector.iov_len;
    copy = malloc(len);
    assert_non_null(copy);
    memcpy(copy, vector.iov_base, len);
    oy_outq_consume(&from->output, len);
    err = oy_h2_recv(to->conn, &(oyez_buffer){copy, len, NULL});
    free(copy);
    if (err && !to->err)
        to->err = err;
    return true;
}

static oyez_err step(end *e)
{
    for (int i = 0; i < SLOTS && !e->err; i++)
        if (e->halves[i].used)
            e->err = work(e, &e->halves[i]);
    return e->err;
}

static void maybe_grow(pair *p, end *e)
{
    if (below(p, 2000) == 0)
        e->err = oy_h2_grow_windows(e->conn, e->conn->config.stream_window + below(p, 1000),
                                    (uint32_t)e->conn->inflow.limit + below(p, 1000));
}

static oyez_err run(pair *p)
{
    while (p->client.done + p->client.broken < p->goal) {
        bool busy;
        oyez_err err = start_call(p);
        uint32_t waiting = 0;

        if (err)
            return err;
        if (step(&p->client) || step(&p->server))
            return p->client.err ? p->client.err : p->server.err;
        maybe_grow(p, &p->client);
        maybe_grow(p, &p->server);
        busy = carry(p, &p->client, &p->server);
        busy |= carry(p, &p->server, &p->client);
        if (p->client.err || p->server.err)
            return p->client.err ? p->client.err : p->server.err;
        for (int i = 0; i < SLOTS; i++)
            waiting += p->client.halves[i].unconsumed + p->server.halves[i].unconsumed;
        if (!busy && !waiting && p->started == p->goal && oy_h2_stream_count(p->client.conn) &&
            !p->client.output.len && !p->server.output.len &&
            p->client.done + p->client.broken < p->goal) {
            /* One more round: the last step may have written something. */
            if (step(&p->client) || step(&p->server))
                return p->client.err ? p->client.err : p->server.err;
            if (!p->client.output.len && !p->server.output.len)
                fail_msg("no progress: %u of %u calls", p->client.done + p->client.broken, p->goal);
        }
    }
    return OYEZ_NO_ERR;
}

static oyez_err end_init(pair *p, end *e, const oy_h2_config *config)
{
    e->pair = p;
    oy_outq_init(&e->output, p->pool);
    return oy_h2_new(config, &events, e, &e->output, &e->conn);
}

static oyez_err pair_init(pair *p, uint64_t seed, oy_h2_config *client, oy_h2_config *server)
{
    oyez_err err;

    memset(p, 0, sizeof(*p));
    p->random.state = seed;
    client->server = false;
    server->server = true;
    err = oy_block_pool_new(OY_READ_BLOCK_BYTES, 8, &p->pool);
    if (err)
        return err;
    err = end_init(p, &p->client, client);
    return err ? err : end_init(p, &p->server, server);
}

static void pair_fini(pair *p)
{
    oy_h2_free(p->client.conn);
    oy_h2_free(p->server.conn);
    if (!p->pool)
        return;
    oy_outq_fini(&p->client.output);
    oy_outq_fini(&p->server.output);
    oy_block_pool_free(p->pool);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void expect_balance(const end *e)
{
    const oy_h2_conn *conn = e->conn;

    assert_int_equal(conn->stream_count, 0);
    assert_int_equal(conn->inflow.window + conn->inflow.pending, conn->inflow.limit);
    assert_int_equal(conn->stream_errors, 0);
    for (uint32_t i = 0; i <= conn->bucket_mask; i++)
        assert_null(conn->buckets[i]);
}

static void drain_all(pair *p)
{
    bool busy = true;

    while (busy) {
        busy = carry(p, &p->client, &p->server);
        busy |= carry(p, &p->server, &p->client);
        assert_ok(step(&p->server));
    }
}

static void many_calls(void **state)
{
    static pair p;

    (void)state;
    /* 20 connections with 500 calls each. */
    for (uint32_t seed = 1; seed <= 20; seed++) {
        oy_random random = {seed};
        oy_h2_config client = {.stream_window = 1 + (uint32_t)(oy_random_next(&random) % 100000)};
        oy_h2_config server = {.stream_window = 1 + (uint32_t)(oy_random_next(&random) % 100000),
                               .max_streams = 1 + (uint32_t)(oy_random_next(&random) % 60),
                               .header_list_bytes = 40000,
                               .max_unsent_control = 1000000};

        client.max_unsent_control = 1000000; /* windows of a few bytes make many updates */
        client.connection_window = server.connection_window =
            65535 + (uint32_t)(oy_random_next(&random) % 100000);
        if (server.max_streams > SLOTS)
            server.max_streams = SLOTS;
        oy_leak_begin();
        assert_ok(pair_init(&p, seed, &client, &server));
        p.goal = 500;
        p.max_body = seed % 4 == 0 ? 9000 : 400;
        p.max_cut = seed % 3 == 0 ? 20 : 8000;
        p.filler = seed == 5 ? 33000 : 0;
        p.cancels = seed % 5 == 0 ? 300 : 0;
        /* The server must not refuse: its streams end a little later than the client's. */
        while (!oy_h2_peer(p.client.conn)->received) {
            carry(&p, &p.client, &p.server);
            carry(&p, &p.server, &p.client);
        }
        assert_ok(run(&p));
        drain_all(&p);
        assert_int_equal(p.client.done + p.client.broken, 500);
        if (!p.cancels)
            assert_int_equal(p.server.done, 500);
        expect_balance(&p.client);
        expect_balance(&p.server);
        pair_fini(&p);
        oy_leak_end();
    }
}

/* Forty calls with large header blocks, cut everywhere, while memory runs out. */
static void memory_runs_out(void **state)
{
    static pair p;
    unsigned failures = 0;

    (void)state;
    OY_FAULT_WALK()
    {
        oy_h2_config client = {0}, server = {.header_list_bytes = 40000};
        oyez_err err = pair_init(&p, 7, &client, &server);

        p.goal = 40;
        p.max_body = 3000;
        p.max_cut = 50;
        p.filler = 20000; /* the block does not fit into one frame */
        if (!err)
            err = run(&p);
        if (err) {
            assert_true(oy_fail_triggered());
            if (p.client.conn && p.server.conn && err != OYEZ_ENOMEM)
                fail_msg("%s: %s / %s", oyez_err_name(err), oy_h2_get_failure(p.client.conn).words,
                         oy_h2_get_failure(p.server.conn).words);
            failures++;
        }
        pair_fini(&p);
    }
    assert_true(failures > 10);
}

OY_TEST_GROUP(h2_pair, cmocka_unit_test(many_calls), cmocka_unit_test(memory_runs_out));

/* SPDX-License-Identifier: Apache-2.0 */
/* Peers that send much of something cheap: resets (B02), CONTINUATION (B03), header bombs (B05), frames that want an
 * answer which nobody reads (B06), payload that nobody reads (B13). Memory stays bounded, and others are served. */
#include "e2e_server.h"
#include "server/server_impl.h"
#include "support/leak.h"
#include "support/test.h"

#include <stdio.h>

#define MIB ((size_t)1024 * 1024)

/* Blocks that the pools keep idle do not go back to the system when a peer is gone. */
#define BOUND (32 * MIB)

/* --- B02: rapid reset -------------------------------------------------------------------------------------------- */

/* All that a flood of requests gets is said with one write each round. */
static bool flood_requests(raw_peer *p, uint32_t first, unsigned count, const char *path, bool with_message, bool reset)
{
    h2_bytes bytes = { 0 }, block = { 0 };
    static const uint8_t cancel[4] = { 0, 0, 0, 8 };
    h2_put_request(&block, path);
    for (unsigned i = 0; i < count; i++) {
        uint32_t id = first + 2 * i;
        h2_put_frame(&bytes, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS, id, block.data, block.len);
        if (with_message)
            h2_put_frame(&bytes, OY_H2_FRAME_DATA, RAW_END, id, "\0\0\0\0\1x", 6);
        if (reset)
            h2_put_frame(&bytes, OY_H2_FRAME_RST_STREAM, 0, id, cancel, 4);
    }
    bool sent = raw_send(p, bytes.data, bytes.len);
    h2_bytes_free(&bytes);
    h2_bytes_free(&block);
    return sent;
}

static void resets_do_not_multiply_handlers(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = 10 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    (void)state;
    assert_int_equal(p->max_streams, 10);
    /* Until it is enough: a connection that goes on so is closed. */
    bool sent = true;
    for (uint32_t id = 1; id < 20; id += 2) {
        raw_call(p, id, "/pkg.Svc/Hold", "x", 1);
        if (id > 10)
            e2e_await_handled(server, id / 2 + 1);
        if (id > 10 && id < 18)
            raw_rst(p, id, OY_H2_CANCEL);
    }
    for (uint32_t id = 21; id < 20000 && sent && !p->closed; id += 200) {
        sent = flood_requests(p, id, 100, "/pkg.Svc/Hold", true, true);
        (void)raw_read(p, 1);
        assert_true(atomic_load(&server->most_live) <= 10);
        e2e_expect_bounded(&before, BOUND);
    }
    raw_expect_goaway(p, OY_H2_ENHANCE_YOUR_CALM);
    assert_true(server->most_live <= 10);
    /* The cancellation has reached the handlers that ran. */
    e2e_await_live(server, 0);
    assert_true(server->handled > 0);
    assert_int_equal(server->cancelled, server->handled);
    raw_close(p);
    e2e_expect_serves(server);
    e2e_end(server);
}

/* Without a message no handler begins: such a flood may go on, and costs little. */
static void resets_of_bare_headers_start_no_handler(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = 10 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    (void)state;
    for (uint32_t id = 1; id < 20000; id += 2000) {
        assert_true(flood_requests(p, id, 1000, "/pkg.Svc/Hold", false, true));
        raw_sync(p);
        e2e_expect_bounded(&before, BOUND);
    }
    assert_int_equal(server->handled, 0);
    e2e_expect_serves_on(p, 20001);
    raw_close(p);
    e2e_end(server);
}

/* A client that keeps to the limit is not taken for one that does not. */
static void more_streams_than_allowed_are_refused(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = 3 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    (void)state;
    for (uint32_t id = 1; id <= 9; id += 2)
        raw_call(p, id, "/pkg.Svc/Hold", "h", 1);
    raw_expect_reset(p, 7, OY_H2_REFUSED_STREAM);
    raw_expect_reset(p, 9, OY_H2_REFUSED_STREAM);
    e2e_await_handled(server, 3);
    e2e_open_gate(server);
    for (uint32_t id = 1; id <= 5; id += 2)
        raw_expect_ok(p, id, "h", 1);
    assert_int_equal(server->most_live, 3);
    raw_close(p);
    e2e_end(server);
}

/* Handlers that outlive their stream count: their places are free when they have ended. */
static void a_cancelled_handler_keeps_its_place(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = 2 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    (void)state;
    for (uint32_t id = 1; id <= 3; id += 2)
        raw_call(p, id, "/pkg.Loop/Later", "h", 1);
    e2e_await_later(server, 2);
    raw_rst(p, 1, OY_H2_CANCEL);
    raw_rst(p, 3, OY_H2_CANCEL);
    raw_call(p, 5, "/pkg.Loop/Echo", "x", 1);
    raw_expect_reset(p, 5, OY_H2_REFUSED_STREAM);
    e2e_answer_later(server);
    E2E_UNTIL(atomic_load(&server->ended) == 1);
    raw_sleep_ms(20); /* the answer is on its way to the loop */
    raw_call(p, 7, "/pkg.Loop/Echo", "x", 1);
    raw_expect_ok(p, 7, "x", 1);
    e2e_answer_later(server);
    raw_close(p);
    e2e_end(server);
}

/* What waits for a worker and is cancelled meanwhile never runs. */
static void calls_cancelled_in_the_queue_are_not_run(void **state)
{
    const oyez_runtime_options runtime_options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1, .max_workers = 1 };
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT };
    (void)state;
    assert_ok(oyez_runtime_new(&runtime_options, &options.runtime));
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    raw_call(p, 1, "/pkg.Svc/Hold", "h", 1);
    e2e_await_handled(server, 1);
    for (uint32_t id = 3; id <= 201; id += 2)
        raw_call(p, id, "/pkg.Svc/Hold", "h", 1);
    for (uint32_t id = 3; id <= 201; id += 2)
        raw_rst(p, id, OY_H2_CANCEL);
    raw_sync(p);
    e2e_open_gate(server);
    raw_expect_ok(p, 1, "h", 1);
    e2e_expect_serves_on(p, 203);
    assert_int_equal(server->handled, 2);
    assert_int_equal(server->begun, 2);
    raw_close(p);
    e2e_end(server);
    oyez_runtime_unref(options.runtime);
}

/* --- B03: CONTINUATION ------------------------------------------------------------------------------------------- */

static void empty_continuations_end_the_connection(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    h2_bytes block = { 0 }, flood = { 0 };
    (void)state;
    h2_put_request(&block, "/pkg.Loop/Echo");
    h2_put_frame(&flood, OY_H2_FRAME_HEADERS, 0, 1, block.data, block.len);
    for (unsigned i = 0; i < 100000; i++)
        h2_put_frame(&flood, OY_H2_FRAME_CONTINUATION, 0, 1, "", 0);
    (void)raw_send(p, flood.data, flood.len); /* it breaks off */
    raw_expect_goaway(p, OY_H2_ENHANCE_YOUR_CALM);
    e2e_expect_bounded(&before, BOUND);
    h2_bytes_free(&block);
    h2_bytes_free(&flood);
    raw_close(p);
    e2e_expect_serves(server);
    e2e_end(server);
}

static void full_continuations_end_the_connection(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    h2_bytes block = { 0 }, literals = { 0 };
    bool sent = true;
    unsigned count = 0;
    (void)state;
    while (literals.len + 10 <= OY_H2_FRAME_BYTES)
        h2_put_field(&literals, "a", "bcd");
    h2_put_request(&block, "/pkg.Loop/Echo");
    raw_send_frame(p, OY_H2_FRAME_HEADERS, 0, 1, block.data, block.len);
    for (; sent && count < 6000; count++)
        sent = raw_send_frame(p, OY_H2_FRAME_CONTINUATION, 0, 1, literals.data, literals.len) && !p->closed;
    raw_expect_goaway(p, OY_H2_ENHANCE_YOUR_CALM);
    /* What could be sent is what fits the sockets, not what was gathered. */
    assert_true(count < 6000);
    e2e_expect_bounded(&before, 2 * MIB);
    h2_bytes_free(&block);
    h2_bytes_free(&literals);
    raw_close(p);
    e2e_expect_serves(server);
    e2e_end(server);
}

/* Legal: 12 KiB of headers in seven CONTINUATIONs, written a byte at a time, or as one. */
static void put_split_request(h2_bytes *bytes, uint32_t id)
{
    h2_bytes block = { 0 };
    char value[1001];
    memset(value, 'v', 1000);
    value[1000] = '\0';
    h2_put_request(&block, "/pkg.Loop/Echo");
    for (unsigned i = 0; i < 11; i++) {
        char name[8];
        snprintf(name, sizeof(name), "n%u", i);
        h2_put_field(&block, name, value);
    }
    size_t part = block.len / 8 + 1;
    for (size_t at = 0; at < block.len; at += part) {
        size_t len = block.len - at < part ? block.len - at : part;
        h2_put_frame(bytes, at == 0 ? OY_H2_FRAME_HEADERS : OY_H2_FRAME_CONTINUATION,
                     at + len == block.len ? H2_FLAG_END_HEADERS : 0, id, block.data + at, len);
    }
    h2_put_frame(bytes, OY_H2_FRAME_DATA, RAW_END, id, "\0\0\0\0\3cut", 8);
    h2_bytes_free(&block);
}

static void a_split_header_block_is_fine_however_it_is_cut(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    h2_bytes bytes = { 0 };
    (void)state;
    put_split_request(&bytes, 1);
    assert_true(raw_send(p, bytes.data, bytes.len));
    raw_expect_ok(p, 1, "cut", 3);
    bytes.len = 0;
    put_split_request(&bytes, 3);
    for (size_t i = 0; i < bytes.len; i++)
        assert_true(raw_send(p, bytes.data + i, 1));
    raw_expect_ok(p, 3, "cut", 3);
    h2_bytes_free(&bytes);
    raw_close(p);
    e2e_end(server);
}

/* --- B05: header bombs ------------------------------------------------------------------------------------------- */

static void put_bomb(h2_bytes *block, const char *value, size_t value_len, size_t times)
{
    uint8_t head[8] = { 0x40, 1, 'b', 0x7f };
    uint8_t *end = head + 4;
    size_t rest = value_len - 127;
    for (; rest >= 128; rest >>= 7)
        *end++ = (uint8_t)(rest | 0x80);
    *end++ = (uint8_t)rest;
    h2_put_request(block, "/pkg.Loop/Echo");
    h2_bytes_add(block, head, (size_t)(end - head));
    h2_bytes_add(block, value, value_len);
    for (size_t i = 0; i < times; i++)
        h2_bytes_add(block, "\xbe", 1);
}

static void a_bomb_of_indexed_fields_is_refused(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    char value[4000];
    h2_bytes block = { 0 };
    (void)state;
    memset(value, 'v', sizeof(value));
    put_bomb(&block, value, sizeof(value), 12000);
    raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS | RAW_END, 1, block.data, block.len);
    raw_expect_http(p, 1, "431", OYEZ_RESOURCE_EXHAUSTED);
    e2e_expect_bounded(&before, MIB);
    /* The tables are in step. */
    e2e_expect_serves_on(p, 3);
    h2_bytes_free(&block);
    raw_close(p);
    e2e_end(server);
}

static void a_thousand_small_fields_are_too_many(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    h2_bytes block = { 0 };
    (void)state;
    h2_put_request(&block, "/pkg.Loop/Echo");
    for (unsigned i = 0; i < 3500; i++)
        h2_put_field(&block, "a", "");
    raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS | RAW_END, 1, block.data, block.len);
    raw_expect_http(p, 1, "431", OYEZ_RESOURCE_EXHAUSTED);
    e2e_expect_bounded(&before, MIB);
    e2e_expect_serves_on(p, 3);
    h2_bytes_free(&block);
    raw_close(p);
    e2e_end(server);
}

/* Cookie crumbs: each is small, their sum is not. */
static void cookie_crumbs_are_counted(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    h2_bytes block = { 0 };
    (void)state;
    h2_put_request(&block, "/pkg.Loop/Echo");
    for (unsigned i = 0; i < 1000; i++)
        h2_put_field(&block, "cookie", "a=b");
    raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS | RAW_END, 1, block.data, block.len);
    raw_expect_http(p, 1, "431", OYEZ_RESOURCE_EXHAUSTED);
    e2e_expect_serves_on(p, 3);
    h2_bytes_free(&block);
    raw_close(p);
    e2e_end(server);
}

static void put_size_update(h2_bytes *block, unsigned bytes)
{
    if (bytes == 0)
        h2_bytes_add(block, "\x20", 1);
    else
        h2_bytes_add(block, "\x3f\xe1\x1f", 3); /* 4,096 */
}

static void table_size_updates(void **state)
{
    static const struct {
        const char *what;
        unsigned count;
        bool behind; /* a field stands before it */
        const char *bytes;
    } tries[] = {
        { "fifty thousand", 8000, false, NULL },
        { "above the limit", 1, false, "\x3f\xe2\x1f" },
        { "behind a field", 1, true, NULL },
    };
    e2e_server *server = e2e_serve(NULL);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        raw_peer *p = raw_client(server->port);
        e2e_memory before = e2e_memory_now();
        h2_bytes block = { 0 };
        if (tries[i].behind)
            h2_bytes_add(&block, "\x83", 1);
        for (unsigned n = 0; n < tries[i].count; n++) {
            if (tries[i].bytes)
                h2_bytes_add(&block, tries[i].bytes, strlen(tries[i].bytes));
            else
                put_size_update(&block, n % 2 ? 0 : 4096);
        }
        h2_put_request(&block, "/pkg.Loop/Echo");
        (void)raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS | RAW_END, 1, block.data,
                             block.len < OY_H2_FRAME_BYTES ? block.len : OY_H2_FRAME_BYTES);
        raw_expect_goaway(p, OY_H2_COMPRESSION_ERROR);
        e2e_expect_bounded(&before, MIB);
        h2_bytes_free(&block);
        raw_close(p);
    }
    /* Two at the start of a block are legal. */
    raw_peer *p = raw_client(server->port);
    h2_bytes block = { 0 };
    put_size_update(&block, 0);
    put_size_update(&block, 4096);
    h2_put_request(&block, "/pkg.Loop/Echo");
    raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS, 1, block.data, block.len);
    raw_message(p, 1, "u", 1, RAW_END);
    raw_expect_ok(p, 1, "u", 1);
    h2_bytes_free(&block);
    raw_close(p);
    e2e_end(server);
}

/* A list of -bin values is one field on the wire and many in memory: 4 KB of commas, indexed, would make four thousand
 * entries out of one byte. */
static void a_bomb_of_bin_lists_is_refused(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    char commas[3001];
    uint32_t id = 1;
    (void)state;
    memset(commas, ',', 3000);
    commas[3000] = '\0';
    /* Many at a time: the answer to a request that is not complete comes after a pause. */
    for (uint32_t batch = id; batch < 801; batch = id) {
        for (; id < batch + 100; id += 2)
            raw_request_with(p, id, "/pkg.Svc/Hold", "k-bin", commas, NULL);
        for (uint32_t answered = batch; answered < id; answered += 2)
            raw_expect_http(p, answered, "431", OYEZ_RESOURCE_EXHAUSTED);
    }
    e2e_expect_bounded(&before, 8 * MIB);
    /* Some values are fine. */
    commas[50] = '\0';
    raw_request_with(p, id, "/pkg.Loop/Echo", "k-bin", commas, NULL);
    raw_message(p, id, "x", 1, RAW_END);
    raw_expect_ok(p, id, "x", 1);
    raw_close(p);
    e2e_end(server);
}

/* --- B06: answers that nobody reads ------------------------------------------------------------------------------ */

/* Sends the bytes again and again until the connection is closed on us, or the server has stopped reading; never
 * reads itself. */
static void flood_deaf(e2e_server *server, const void *data, size_t len, size_t at_most)
{
    raw_peer *p = raw_client(server->port);
    raw_peer *other = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    h2_bytes batch = { 0 };
    uint32_t id = 1;
    while (batch.len < 60000)
        h2_bytes_add(&batch, data, len);
    p->deaf = true;
    for (size_t sent = 0; sent < at_most; sent += batch.len) {
        if (raw_send_some(p, batch.data, batch.len, 300) < batch.len)
            break;
        if (sent / batch.len % 64 == 0) {
            e2e_expect_bounded(&before, BOUND);
            e2e_expect_serves_on(other, id); /* others are served meanwhile */
            id += 2;
        }
    }
    e2e_expect_bounded(&before, BOUND);
    e2e_expect_serves_on(other, id);
    h2_bytes_free(&batch);
    raw_close(other);
    raw_close(p);
    e2e_expect_serves(server);
    e2e_expect_bounded(&before, 8 * MIB);
}

static void pings_are_not_answered_for_ever(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    h2_bytes ping = { 0 };
    (void)state;
    h2_put_frame(&ping, OY_H2_FRAME_PING, 0, 0, "12345678", 8);
    flood_deaf(server, ping.data, ping.len, 64 * MIB);
    h2_bytes_free(&ping);
    e2e_end(server);
}

/* By default nobody needs so many: a client is told so long before. */
static void too_many_pings_are_an_offence(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .keepalive_min_time = 300 * OYEZ_SECOND };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    (void)state;
    for (unsigned i = 0; i < 10; i++)
        (void)RAW_SEND(p, PING, 0, 0, "12345678");
    raw_expect_goaway(p, OY_H2_ENHANCE_YOUR_CALM);
    assert_string_equal(p->goaway_words, "too_many_pings");
    raw_close(p);
    e2e_expect_serves(server);
    e2e_end(server);
}

static void settings_are_not_answered_for_ever(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    h2_bytes settings = { 0 };
    (void)state;
    h2_put_frame(&settings, OY_H2_FRAME_SETTINGS, 0, 0, "", 0);
    flood_deaf(server, settings.data, settings.len, 64 * MIB);
    h2_bytes_free(&settings);
    e2e_end(server);
}

static void priorities_cost_nothing(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    h2_bytes priority = { 0 };
    (void)state;
    h2_put_frame(&priority, OY_H2_FRAME_PRIORITY, 0, 1, "\0\0\0\3\20", 5);
    flood_deaf(server, priority.data, priority.len, 8 * MIB);
    h2_bytes_free(&priority);
    e2e_end(server);
}

/* The cap is reached: the peer is told so in a GOAWAY, if it should read after all. */
static void unread_replies_end_the_connection(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_unsent_control = 100 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_connect(server->port);
    h2_bytes batch = { 0 };
    (void)state;
    raw_receive_buffer(p, 4096);
    raw_greet(p);
    for (unsigned i = 0; i < 3000; i++)
        h2_put_frame(&batch, OY_H2_FRAME_SETTINGS, 0, 0, "", 0);
    p->deaf = true;
    for (unsigned i = 0; i < 2000 && raw_send_some(p, batch.data, batch.len, 300) == batch.len; i++)
        continue;
    p->deaf = false;
    raw_await_close(p);
    h2_bytes_free(&batch);
    raw_close(p);
    e2e_expect_serves(server);
    e2e_end(server);
}

/* A peer that does read may ask as often as it likes. */
static void a_hundred_thousand_settings_are_answered(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    h2_bytes batch = { 0 };
    (void)state;
    for (unsigned i = 0; i < 500; i++)
        h2_put_frame(&batch, OY_H2_FRAME_SETTINGS, 0, 0, "", 0);
    for (unsigned i = 0; i < 200; i++)
        assert_true(raw_send(p, batch.data, batch.len));
    assert_true(RAW_UNTIL(p, p->settings_acks == 100001));
    e2e_expect_serves_on(p, 1);
    h2_bytes_free(&batch);
    raw_close(p);
    e2e_end(server);
}

static void empty_data_on_an_open_stream_is_free(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    h2_bytes batch = { 0 };
    (void)state;
    raw_request(p, 1, "/pkg.Loop/Echo");
    for (unsigned i = 0; i < 5000; i++)
        h2_put_frame(&batch, OY_H2_FRAME_DATA, 0, 1, "", 0);
    for (unsigned i = 0; i < 20; i++)
        assert_true(raw_send(p, batch.data, batch.len));
    raw_message(p, 1, "at last", 7, RAW_END);
    raw_expect_ok(p, 1, "at last", 7);
    e2e_expect_bounded(&before, MIB);
    h2_bytes_free(&batch);
    raw_close(p);
    e2e_end(server);
}

/* Each of these requests is over as soon as it is answered, so no limit of streams holds them back: unread answers must
 * not pile up all the same. */
static void answers_to_a_deaf_client_do_not_pile_up(void **state)
{
    static const char *const paths[] = { "/no.Such/Method", "crooked", "/pkg.Loop/None", "/pkg.Loop/Echo" };
    e2e_server *server = e2e_serve(NULL);
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        raw_peer *p = raw_connect(server->port);
        raw_receive_buffer(p, 4096);
        raw_greet(p);
        e2e_memory before = e2e_memory_now();
        p->deaf = true;
        bool stopped = false;
        for (uint32_t id = 1; id < 4000000 && !stopped; id += 2000) {
            h2_bytes bytes = { 0 }, block = { 0 };
            h2_put_request(&block, paths[i]);
            for (uint32_t n = 0; n < 2000; n += 2) {
                h2_put_frame(&bytes, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS, id + n, block.data, block.len);
                h2_put_frame(&bytes, OY_H2_FRAME_DATA, RAW_END, id + n, "\0\0\0\0\1x", 6);
            }
            stopped = raw_send_some(p, bytes.data, bytes.len, 300) < bytes.len;
            h2_bytes_free(&bytes);
            h2_bytes_free(&block);
            e2e_expect_bounded(&before, BOUND);
        }
        assert_true(stopped);
        e2e_expect_serves(server);
        raw_close(p);
    }
    e2e_end(server);
}

/* A server that has stopped reading goes on when its answers are read. */
static void a_client_that_reads_late_gets_all_answers(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_unsent_control = 1000000 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    (void)state;
    p->deaf = true;
    uint32_t id = 1;
    h2_bytes block = { 0 };
    h2_put_request(&block, "/no.Such/Method/which/makes/the/answer/long/enough/to/fill/what/there/is/between/us/two");
    size_t sent = 0, len = 0;
    h2_bytes batch = { 0 };
    do {
        batch.len = 0;
        for (unsigned n = 0; n < 500; n++, id += 2)
            h2_put_frame(&batch, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS | RAW_END, id, block.data, block.len);
        len = batch.len;
        sent = raw_send_some(p, batch.data, len, 300);
    } while (sent == len && id < 400000);
    p->deaf = false;
    assert_true(raw_send(p, batch.data + sent, len - sent));
    for (uint32_t i = 1; i < id; i += 2)
        (void)raw_expect_status(p, i, OYEZ_UNIMPLEMENTED);
    e2e_expect_serves_on(p, id);
    h2_bytes_free(&batch);
    h2_bytes_free(&block);
    raw_close(p);
    e2e_end(server);
}

/* --- B13: payload that nobody reads ------------------------------------------------------------------------------ */

static void unread_payload_is_given_back_to_the_connection(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .stream_window_bytes = 65535,
                                          .connection_window_bytes = 65535, .fixed_windows = true };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    static const char body[1024];
    uint32_t id = 1;
    (void)state;
    /* 20,000 calls of an unknown method with 1 KiB each: twenty megabytes through a window of 64 KiB. */
    for (; id < 40001; id += 2) {
        raw_request(p, id, "/no.Such/Method");
        raw_upload(p, id, body, sizeof(body), RAW_END, 2048);
    }
    for (uint32_t i = 1; i < id; i += 2)
        (void)raw_expect_status(p, i, OYEZ_UNIMPLEMENTED);
    e2e_expect_serves_on(p, id);
    raw_close(p);
    e2e_end(server);
}

static void payload_of_cancelled_calls_is_given_back(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .connection_window_bytes = 1 << 20,
                                          .fixed_windows = true };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    static uint8_t part[16384] = { 0, 0, 0x10, 0, 1 }; /* a message of 1 MiB and a byte */
    unsigned calls = raw_sanitized() ? 200 : 2000;
    uint32_t id = 1;
    (void)state;
    for (unsigned i = 0; i < calls; i++, id += 2) {
        raw_request(p, id, "/pkg.Loop/Echo");
        for (unsigned n = 0; n < 64; n++) {
            assert_true(RAW_UNTIL(p, raw_room(p, id) >= sizeof(part)));
            raw_send_frame(p, OY_H2_FRAME_DATA, 0, id, part, sizeof(part));
        }
        raw_rst(p, id, OY_H2_CANCEL);
    }
    e2e_expect_serves_on(p, id);
    e2e_expect_bounded(&before, BOUND);
    raw_close(p);
    e2e_end(server);
}

/* --- the memory that all share ----------------------------------------------------------------------------------- */

/* Streams that began while there was room bring more than there is. */
static void half_messages_stay_within_the_quota(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_buffered_bytes = 4 * MIB };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    static uint8_t part[16384];
    unsigned failed = 0;
    (void)state;
    memcpy(part, "\0\0\x30\0\0", 5);
    for (uint32_t id = 1; id < 401; id += 2)
        raw_request(p, id, "/pkg.Loop/Echo");
    for (unsigned n = 0; n < 8; n++, memset(part, 0, 5))
        for (uint32_t id = 1; id < 401; id += 2) {
            const raw_stream *stream = raw_find(p, id);
            if (!stream || !stream->ended)
                raw_send_frame(p, OY_H2_FRAME_DATA, 0, id, part, sizeof(part));
            (void)raw_read(p, 0);
        }
    raw_sync(p);
    e2e_expect_bounded(&before, 12 * MIB);
    for (uint32_t id = 1; id < 401; id += 2) {
        const raw_stream *stream = raw_find(p, id);
        if (!stream || !stream->ended)
            continue;
        (void)raw_expect_status(p, id, OYEZ_RESOURCE_EXHAUSTED);
        failed++;
    }
    assert_true(failed > 0);
    /* New ones are refused until there is room again. */
    raw_close(p);
    E2E_UNTIL(e2e_memory_now().live < before.live + 8 * MIB);
    E2E_UNTIL(!oy_quota_exceeded(server->server->quota));
    e2e_expect_serves(server);
    e2e_end(server);
}

static void beyond_the_quota_streams_are_refused_until_there_is_room(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_buffered_bytes = MIB };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    static uint8_t body[MIB];
    (void)state;
    raw_request(p, 1, "/pkg.Loop/Echo");
    raw_message(p, 1, body, sizeof(body), 0); /* complete, but the request is not */
    raw_sync(p);
    raw_call(p, 3, "/pkg.Loop/Echo", "x", 1);
    raw_expect_reset(p, 3, OY_H2_REFUSED_STREAM);
    raw_peer *other = raw_client(server->port);
    raw_call(other, 1, "/pkg.Svc/Echo", "x", 1);
    raw_expect_reset(other, 1, OY_H2_REFUSED_STREAM);
    /* More of them than a client may have stream errors: that there is no room is not its doing. */
    uint32_t id = 3;
    for (unsigned i = 0; i < OYEZ_LIMIT_STREAM_ERRORS + 100; i++, id += 2) {
        raw_request(other, id, "/pkg.Svc/Echo");
        raw_expect_reset(other, id, OY_H2_REFUSED_STREAM);
    }
    raw_rst(p, 1, OY_H2_CANCEL);
    raw_sync(p);
    e2e_expect_serves_on(p, 5);
    e2e_expect_serves_on(other, id);
    raw_close(other);
    raw_close(p);
    e2e_end(server);
}

OY_TEST_GROUP(e2e_hostile_flood, oy_leak_test(resets_do_not_multiply_handlers),
              oy_leak_test(resets_of_bare_headers_start_no_handler),
              oy_leak_test(more_streams_than_allowed_are_refused),
              oy_leak_test(a_cancelled_handler_keeps_its_place),
              oy_leak_test(calls_cancelled_in_the_queue_are_not_run),
              oy_leak_test(empty_continuations_end_the_connection),
              oy_leak_test(full_continuations_end_the_connection),
              oy_leak_test(a_split_header_block_is_fine_however_it_is_cut),
              oy_leak_test(a_bomb_of_indexed_fields_is_refused), oy_leak_test(a_thousand_small_fields_are_too_many),
              oy_leak_test(cookie_crumbs_are_counted), oy_leak_test(table_size_updates),
              oy_leak_test(a_bomb_of_bin_lists_is_refused), oy_leak_test(pings_are_not_answered_for_ever),
              oy_leak_test(too_many_pings_are_an_offence),
              oy_leak_test(settings_are_not_answered_for_ever), oy_leak_test(priorities_cost_nothing),
              oy_leak_test(unread_replies_end_the_connection), oy_leak_test(a_hundred_thousand_settings_are_answered),
              oy_leak_test(empty_data_on_an_open_stream_is_free),
              oy_leak_test(answers_to_a_deaf_client_do_not_pile_up),
              oy_leak_test(a_client_that_reads_late_gets_all_answers),
              oy_leak_test(unread_payload_is_given_back_to_the_connection),
              oy_leak_test(payload_of_cancelled_calls_is_given_back),
              oy_leak_test(half_messages_stay_within_the_quota),
              oy_leak_test(beyond_the_quota_streams_are_refused_until_there_is_room));

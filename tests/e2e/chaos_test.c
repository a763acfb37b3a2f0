/* SPDX-License-Identifier: Apache-2.0 */
/* Peers that do anything, legal or not, in any order: drawn by lot from a seed that a failure names. Whatever they do, each
 * call ends once, nothing leaks, and the others are served. OYEZ_CHAOS_ROUNDS=n tries more seeds than usual. */
#include "e2e_server.h"
#include "support/leak.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct lot {
    oy_random random;
} lot;

static uint32_t draw(lot *l, uint32_t below)
{
    return (uint32_t)(oy_random_next(&l->random) % below);
}

static unsigned rounds(void)
{
    const char *text = getenv("OYEZ_CHAOS_ROUNDS");
    return text ? (unsigned)strtoul(text, NULL, 10) : raw_sanitized() ? 12 : 40;
}

/* --- a client that does anything --------------------------------------------------------------------------------- */

static const char *const paths[] = {
    "/pkg.Svc/Echo", "/pkg.Loop/Echo", "/pkg.Svc/Big", "/pkg.Loop/Later", "/pkg.Svc/Fail", "/pkg.Svc/Secret",
    "/pkg.Loop/None", "/no/Such", "crooked", "/pkg.Svc/Hold",
};

static void begin_request(lot *l, raw_peer *p, uint32_t id)
{
    static const char *const timeouts[] = { "1n", "1m", "20m", "1S", "0n", "x" };
    const char *path = paths[draw(l, sizeof(paths) / sizeof(paths[0]))];
    switch (draw(l, 8)) {
    case 0:
        raw_request_with(p, id, path, "grpc-timeout", timeouts[draw(l, 6)], NULL);
        break;
    case 1:
        raw_request_with(p, id, path, "echo-bin", draw(l, 2) ? "AAE,AAI" : "*", NULL);
        break;
    case 2:
        raw_fields(p, id, draw(l, 2) ? RAW_END : 0, ":method", draw(l, 2) ? "GET" : "POST", ":scheme", "http", ":path",
                   path, "content-type", draw(l, 2) ? "text/plain" : "application/grpc", NULL);
        break;
    default:
        raw_request(p, id, path);
        break;
    }
}

static void send_part(lot *l, raw_peer *p, uint32_t id)
{
    static uint8_t bytes[16384];
    static const uint32_t lengths[] = { 0, 1, 5, 6, 100, 5000, 16384 };
    uint32_t len = lengths[draw(l, 7)];
    uint32_t promised = draw(l, 10) ? draw(l, 20000) : UINT32_MAX;
    memset(bytes, '1', sizeof(bytes));
    bytes[0] = draw(l, 20) ? 0 : 1;
    oy_h2_put_u32(bytes + 1, promised);
    const raw_stream *stream = raw_find(p, id);
    if (raw_room(p, id) < len || ((!stream || stream->sent_end) && draw(l, 100)))
        return; /* nearly always within the rules: else the connection is soon over */
    raw_send_frame(p, OY_H2_FRAME_DATA, draw(l, 3) ? 0 : RAW_END, id, bytes, len);
}

/* One step; false: this connection is to be left. */
static bool client_step(lot *l, raw_peer *p, uint32_t *next_id)
{
    uint32_t id = *next_id > 1 ? 1 + 2 * draw(l, *next_id / 2) : 1;
    switch (draw(l, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
        begin_request(l, p, *next_id);
        *next_id += 2;
        break;
    case 4:
    case 5:
        raw_call(p, *next_id, paths[draw(l, 4)], "70000", draw(l, 2) ? 5 : 1);
        *next_id += 2;
        break;
    case 6:
    case 7:
    case 8:
        send_part(l, p, id);
        break;
    case 9:
        if (*next_id > 1)
            raw_rst(p, id, draw(l, 14));
        break;
    case 10:
        raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, draw(l, 3) ? draw(l, 100000) : 0);
        break;
    case 11:
        raw_window_update(p, draw(l, 2) ? 0 : id, 1 + draw(l, 50000));
        break;
    case 12:
        if (draw(l, 20))
            raw_setting(p, draw(l, 2) ? OY_H2_SETTING_HEADER_TABLE_SIZE : OY_H2_SETTING_MAX_HEADER_LIST_SIZE,
                        draw(l, 3) * 300);
        else
            raw_setting(p, (uint16_t)draw(l, 7), 16384 + draw(l, 2) * 4096);
        break;
    case 13:
        p->no_credit = draw(l, 2);
        break;
    case 14:
        (void)raw_read(p, draw(l, 3));
        break;
    default:
        if (draw(l, 40) == 0)
            return false;
        (void)raw_read(p, 0);
        break;
    }
    return !p->closed;
}

static void answer_some(lot *l, e2e_server *server)
{
    pthread_mutex_lock(&server->lock);
    unsigned count = server->later_count;
    pthread_mutex_unlock(&server->lock);
    while (count-- > 0 && (count > 100 || draw(l, 2)))
        e2e_answer_later(server);
}

static void clients_that_do_anything(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = 100, .max_unsent_control = 200 };
    e2e_server *server = e2e_serve(&options);
    (void)state;
    e2e_set_fail(server, OYEZ_ABORTED, "as you like", 11);
    for (unsigned round = 0; round < rounds(); round++) {
        unsigned steps = 0;
        lot l = { { 1000 + round } };
        print_message("client seed %u\n", 1000 + round);
        for (unsigned n = 0; n < 4; n++) {
            raw_peer *p = raw_client(server->port);
            uint32_t next_id = 1;
            unsigned step = 0;
            for (; step < 400 && client_step(&l, p, &next_id); step++)
                if (step % 16 == 0)
                    answer_some(&l, server);
            steps += step;
            if (draw(&l, 2))
                raw_abort(p);
            else
                raw_close(p);
        }
        print_message("  %u steps\n", steps);
        e2e_expect_serves(server);
    }
    e2e_end(server);
}

/* --- a server that does anything --------------------------------------------------------------------------------- */

enum { CALLS = 40 };

static void server_step(lot *l, raw_peer *p, uint32_t highest)
{
    static const char *const statuses[] = { "0", "5", "99", "x", "", "00" };
    uint32_t id = highest ? 1 + 2 * draw(l, (highest + 1) / 2) : 1;
    raw_stream *stream = raw_find(p, id);
    if (!stream || stream->reset)
        return;
    switch (draw(l, 14)) {
    case 0:
    case 1:
    case 2:
        raw_answer(p, id, "answer", 6);
        stream->reset = true; /* no more of it */
        break;
    case 3:
        raw_respond(p, id);
        break;
    case 4:
        raw_status(p, id, statuses[draw(l, 6)], "words%20");
        stream->reset = true;
        break;
    case 5:
        raw_rst(p, id, draw(l, 14));
        stream->reset = true;
        break;
    case 6:
        if (raw_room(p, id) > 20000)
            raw_message(p, id, "half", 4, draw(l, 4) ? 0 : RAW_END);
        break;
    case 7:
        raw_setting(p, OY_H2_SETTING_MAX_CONCURRENT_STREAMS, draw(l, 12));
        break;
    case 8:
        raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, draw(l, 3) ? draw(l, 100000) : 0);
        break;
    case 9:
        raw_window_update(p, 0, 1 + draw(l, 50000));
        break;
    case 10:
        if (draw(l, 10) == 0)
            raw_goaway(p, draw(l, 2) ? OY_H2_MAX_STREAM_ID : highest | 1, OY_H2_NO_ERROR, "by lot");
        break;
    case 11:
        raw_setting(p, OY_H2_SETTING_MAX_HEADER_LIST_SIZE, 150 + draw(l, 400));
        break;
    case 12:
        p->no_credit = draw(l, 2);
        break;
    default:
        raw_fields(p, id, 0, ":status", draw(l, 2) ? "503" : "100", "content-type", "text/html", NULL);
        break;
    }
}

static uint32_t highest_stream(const raw_peer *p)
{
    for (size_t i = p->stream_count; i > 0; i--)
        if (p->streams[i - 1] && p->streams[i - 1]->header_blocks)
            return p->streams[i - 1]->id;
    return 0;
}

/* Serves whoever connects, by lot, until all calls have ended. */
static void serve_by_lot(lot *l, int fd, e2e_call *calls)
{
    raw_peer *p = NULL;
    int64_t limit = raw_limit_from_now();
    for (;;) {
        unsigned done = 0;
        for (unsigned i = 0; i < CALLS; i++)
            done += calls[i].done > 0;
        if (done == CALLS)
            break;
        if (oyez_now() > limit)
            fail_msg("only %u of %u calls have ended", done, CALLS);
        if ((!p || draw(l, 50) == 0) && raw_pending(fd, 1)) {
            raw_close(p);
            p = raw_accept(fd);
            raw_setting(p, OY_H2_SETTING_MAX_CONCURRENT_STREAMS, 1 + draw(l, 30));
        }
        if (!p)
            continue;
        (void)raw_read(p, draw(l, 2));
        if (draw(l, 10) == 0)
            oyez_call_cancel(calls[draw(l, CALLS)].call);
        server_step(l, p, highest_stream(p));
        if (p->closed || draw(l, 300) == 0) {
            if (draw(l, 2))
                raw_abort(p);
            else
                raw_close(p);
            p = NULL;
        }
    }
    raw_close(p);
}

static void servers_that_do_anything(void **state)
{
    static e2e_call calls[CALLS];
    uint8_t *bytes = test_calloc(1, 400000);
    (void)state;
    for (unsigned round = 0; round < rounds(); round++) {
        lot l = { { 2000 + round } };
        uint16_t port;
        int fd = raw_listen(&port);
        oyez_channel *channel = e2e_channel(NULL, port);
        print_message("server seed %u\n", 2000 + round);
        for (unsigned i = 0; i < CALLS; i++) {
            static const uint32_t sizes[] = { 0, 1, 100, 20000, 70000, 400000 };
            const oyez_call_options options = {
                OYEZ_CALL_OPTIONS_INIT,
                .wait_for_ready = draw(&l, 4) != 0,
                .timeout = (1 + draw(&l, 2000)) * OYEZ_MILLISECOND,
            };
            e2e_call_start(&calls[i], channel, "/pkg.Svc/Method", bytes, sizes[draw(&l, 6)], &options);
        }
        serve_by_lot(&l, fd, calls);
        raw_sleep_ms(2);
        for (unsigned i = 0; i < CALLS; i++) {
            assert_int_equal(calls[i].done, 1);
            if (calls[i].code == OYEZ_OK)
                assert_int_equal(calls[i].body_len, calls[i].body[0] == 'h' ? 4 : 6);
            e2e_call_free(&calls[i]);
        }
        oyez_channel_unref(channel);
        close(fd);
    }
    test_free(bytes);
}

/* --- both ends ours, pulled at from all sides -------------------------------------------------------------------- */

static void calls_cancelled_and_timed_out_at_random(void **state)
{
    enum { MANY = 300 };
    static e2e_call calls[MANY];
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = 20, .stream_window_bytes = 65535,
                                          .connection_window_bytes = 65535, .fixed_windows = true };
    uint8_t *bytes = test_calloc(1, 200000);
    (void)state;
    memset(bytes, '7', 200000);
    for (unsigned round = 0; round < rounds() / 4 + 1; round++) {
        lot l = { { 3000 + round } };
        e2e_server *server = e2e_serve(&options);
        oyez_channel *channels[3];
        print_message("both seed %u\n", 3000 + round);
        e2e_set_fail(server, OYEZ_ABORTED, "as you like", 11);
        for (unsigned i = 0; i < 3; i++)
            channels[i] = e2e_channel(i ? server->runtime : NULL, server->port);
        for (unsigned i = 0; i < MANY; i++) {
            static const char *const some[] = { "/pkg.Svc/Echo", "/pkg.Loop/Echo", "/pkg.Svc/Hold", "/pkg.Svc/Fail",
                                                "/pkg.Svc/Secret", "/pkg.Loop/None" };
            static const uint32_t sizes[] = { 0, 1, 100, 20000, 200000 };
            const oyez_call_options call_options = {
                OYEZ_CALL_OPTIONS_INIT,
                .timeout = draw(&l, 2) ? (1 + draw(&l, 300)) * OYEZ_MILLISECOND : 0,
            };
            e2e_call_start(&calls[i], channels[draw(&l, 3)], some[draw(&l, 6)], bytes, sizes[draw(&l, 5)],
                           &call_options);
            if (draw(&l, 3) == 0)
                oyez_call_cancel(calls[draw(&l, i + 1)].call);
        }
        raw_sleep_ms(20);
        if (draw(&l, 2))
            e2e_open_gate(server);
        else
            oyez_server_graceful_stop(server->server, 100 * OYEZ_MILLISECOND);
        for (unsigned i = 0; i < MANY; i++)
            if (draw(&l, 2))
                oyez_call_cancel(calls[i].call);
        if (draw(&l, 3) == 0)
            oyez_channel_close(channels[0]);
        e2e_open_gate(server);
        for (unsigned i = 0; i < MANY; i++)
            e2e_call_await(&calls[i]);
        for (unsigned i = 0; i < MANY; i++)
            e2e_call_free(&calls[i]);
        for (unsigned i = 0; i < 3; i++)
            oyez_channel_unref(channels[i]);
        e2e_end(server);
    }
    test_free(bytes);
}

OY_TEST_GROUP(e2e_chaos, oy_leak_test(clients_that_do_anything), oy_leak_test(servers_that_do_anything),
              oy_leak_test(calls_cancelled_and_timed_out_at_random));

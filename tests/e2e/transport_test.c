/* SPDX-License-Identifier: Apache-2.0 */
/* Connections under load and in trouble: windows of all sizes, fairness among streams, limits of streams, GOAWAY and
 * refusals, cancellation and deadlines in every state a call can be in. */
#include "e2e_server.h"
#include "support/leak.h"
#include "support/test.h"

#include <stdio.h>
#include <sys/socket.h>
#include <stdlib.h>
#include <unistd.h>

#define MIB ((size_t)1024 * 1024)
#define PATH "/pkg.Svc/Method"

/* --- windows ----------------------------------------------------------------------------------------------------- */

static uint8_t *pattern(size_t len)
{
    uint8_t *bytes = test_malloc(len + 1);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)(i * 31 + i / 251);
    return bytes;
}

static void echo_many(const oyez_server_options *server_options, const oyez_channel_options *channel_options,
                      const size_t *sizes, size_t count)
{
    e2e_server *server = e2e_serve(server_options);
    oyez_channel *channel = e2e_channel_with(channel_options, server->target);
    e2e_call *calls = test_calloc(count, sizeof(*calls));
    uint8_t *bytes = pattern(4 * MIB);
    for (size_t i = 0; i < count; i++)
        e2e_call_start(&calls[i], channel, i % 2 ? "/pkg.Svc/Echo" : "/pkg.Loop/Echo", bytes + i, sizes[i], NULL);
    for (size_t i = 0; i < count; i++) {
        e2e_call_await(&calls[i]);
        e2e_expect_code(&calls[i], OYEZ_OK);
        assert_int_equal(calls[i].body_len, sizes[i]);
        if (sizes[i])
            assert_memory_equal(calls[i].body, bytes + i, sizes[i]);
        e2e_call_free(&calls[i]);
    }
    test_free(bytes);
    test_free(calls);
    oyez_channel_unref(channel);
    e2e_end(server);
}

static const size_t mixed_sizes[] = {
    0, 1, 5, 100, 4091, 4096, 4097, 16379, 16380, 16384, 65530, 65531, 65536, 100000, 1 << 20, 3 << 20,
    1, 1, 1, 1, 1 << 20, 1, 1, 1, 300000, 1, 0, 0, 2 << 20, 17, 70000, 8,
};
#define MIXED (sizeof(mixed_sizes) / sizeof(mixed_sizes[0]))

static void messages_of_all_sizes_both_ways(void **state)
{
    const oyez_server_options server = { OYEZ_SERVER_OPTIONS_INIT };
    const oyez_channel_options channel = { OYEZ_CHANNEL_OPTIONS_INIT };
    (void)state;
    echo_many(&server, &channel, mixed_sizes, MIXED);
}

/* Many updates of small windows are written while there is always something to write: nobody is taken for deaf. */
static void messages_of_all_sizes_through_small_windows(void **state)
{
    const oyez_server_options server = { OYEZ_SERVER_OPTIONS_INIT, .stream_window_bytes = 65535,
                                         .connection_window_bytes = 65535, .fixed_windows = true,
                                         .max_unsent_control = 50 };
    const oyez_channel_options channel = { OYEZ_CHANNEL_OPTIONS_INIT, .stream_window_bytes = 65535,
                                           .connection_window_bytes = 65535, .fixed_windows = true };
    (void)state;
    echo_many(&server, &channel, mixed_sizes, MIXED);
}

static void large_messages_side_by_side(void **state)
{
    const oyez_server_options server = { OYEZ_SERVER_OPTIONS_INIT, .stream_window_bytes = 65535,
                                         .max_unsent_control = 50, .fixed_windows = true };
    const oyez_channel_options channel = { OYEZ_CHANNEL_OPTIONS_INIT, .stream_window_bytes = 65535,
                                           .fixed_windows = true };
    size_t sizes[12];
    (void)state;
    for (size_t i = 0; i < 12; i++)
        sizes[i] = 3 * MIB + i;
    echo_many(&server, &channel, sizes, 12);
}

static void a_window_of_one_byte(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    p->no_credit = true;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 1);
    raw_sync(p);
    raw_call(p, 1, "/pkg.Loop/Echo", "one by one", 10);
    for (size_t i = 1; i <= 15; i++) {
        raw_await_body(p, 1, i);
        raw_sync(p);
        assert_int_equal(raw_find(p, 1)->body.len, i);
        raw_window_update(p, 1, 1);
    }
    raw_expect_ok(p, 1, "one by one", 10);
    assert_int_equal(raw_find(p, 1)->data_frames, 15);
    raw_close(p);
    e2e_end(server);
}

/* A window that is shut by SETTINGS, below zero even, and opened again by SETTINGS. */
static void settings_open_the_windows_of_streams_that_wait(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    p->no_credit = true;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 0);
    raw_window_update(p, 0, 1 << 20);
    raw_sync(p);
    raw_call(p, 1, "/pkg.Svc/Big", "50000", 5);
    raw_call(p, 3, "/pkg.Loop/Echo", "small", 5);
    e2e_await_handled(server, 2);
    raw_sync(p);
    assert_int_equal(raw_find(p, 1)->body.len + raw_find(p, 3)->body.len, 0);
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 20000);
    raw_expect_ok(p, 3, "small", 5);
    raw_await_body(p, 1, 20000);
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 100); /* 19,900 below zero */
    raw_sync(p);
    raw_window_update(p, 1, 19900);
    raw_sync(p);
    assert_int_equal(raw_find(p, 1)->body.len, 20000);
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 65535);
    (void)raw_expect_status(p, 1, OYEZ_OK);
    assert_int_equal(raw_find(p, 1)->body.len, 50005);
    raw_close(p);
    e2e_end(server);
}

static void the_clients_windows_are_opened_by_settings_too(void **state)
{
    uint16_t port;
    int fd = raw_listen(&port);
    e2e_call call;
    uint8_t *bytes = pattern(100000);
    (void)state;
    oyez_channel *channel = e2e_channel(NULL, port);
    oyez_channel_connect(channel);
    raw_peer *p = raw_server(fd, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 0, 0);
    p->no_credit = true;
    raw_window_update(p, 0, 1 << 20);
    e2e_call_start(&call, channel, PATH, bytes, 100000, NULL);
    uint32_t id = raw_await_request(p)->id;
    raw_sync(p);
    assert_int_equal(raw_find(p, id)->body.len, 0);
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 1 << 20);
    raw_await(p, id);
    assert_int_equal(raw_find(p, id)->body.len, 100005);
    raw_answer(p, id, "a", 1);
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_OK);
    e2e_call_free(&call);
    test_free(bytes);
    oyez_channel_unref(channel);
    raw_close(p);
    close(fd);
}

/* --- fairness ---------------------------------------------------------------------------------------------------- */

/* Five answers wait behind a shut window, four of them large; when it opens each stream has its turn. */
static void streams_take_turns(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    size_t at;
    (void)state;
    p->no_credit = true;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 0);
    raw_window_update(p, 0, 1 << 24);
    raw_sync(p);
    for (uint32_t id = 1; id <= 7; id += 2)
        raw_call(p, id, "/pkg.Svc/Big", "300000", 6);
    raw_call(p, 9, "/pkg.Svc/Echo", "small", 5);
    e2e_await_handled(server, 5);
    for (uint32_t id = 1; id <= 9; id += 2) /* the headers of the answers are here */
        assert_true(RAW_UNTIL(p, raw_find(p, id)->header_blocks == 1));
    at = p->log_len;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 1 << 20);
    for (uint32_t id = 1; id <= 7; id += 2)
        (void)raw_expect_status(p, id, OYEZ_OK);
    raw_expect_ok(p, 9, "small", 5);

    uint32_t frames[16] = { 0 };
    for (size_t i = at; i < p->log_len; i++) {
        const raw_frame *frame = &p->log[i];
        if (frame->type != OY_H2_FRAME_DATA)
            continue;
        frames[frame->id]++;
        if (frame->id == 9)
            assert_true(i - at <= 5); /* it had to wait for one frame of each other */
        /* Nobody is ever more than one frame ahead. */
        for (uint32_t id = 1; id <= 7; id += 2)
            assert_true(frames[frame->id] <= frames[id] + 1 || frame->id == 9);
    }
    assert_int_equal(frames[1], frames[7]);
    raw_close(p);
    e2e_end(server);
}

/* Of twenty large answers eight are under way at a time; each that ends makes room for one that waits. */
static void few_streams_take_turns(void **state)
{
    enum { CALLS = 20, TURNS = 8 };
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    bool begun[2 * CALLS] = { false };
    unsigned under_way = 0, most = 0, seen = 0;
    size_t at;
    (void)state;
    p->no_credit = true;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 0);
    raw_window_update(p, 0, 1 << 24);
    raw_sync(p);
    for (uint32_t id = 1; id < 2 * CALLS; id += 2)
        raw_call(p, id, "/pkg.Svc/Big", "300000", 6);
    e2e_await_handled(server, CALLS);
    for (uint32_t id = 1; id < 2 * CALLS; id += 2)
        assert_true(RAW_UNTIL(p, raw_find(p, id)->header_blocks == 1));
    at = p->log_len;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 1 << 20);
    for (uint32_t id = 1; id < 2 * CALLS; id += 2)
        (void)raw_expect_status(p, id, OYEZ_OK);

    for (size_t i = at; i < p->log_len; i++) {
        const raw_frame *frame = &p->log[i];
        assert_true(frame->id < 2 * CALLS);
        if (frame->type == OY_H2_FRAME_DATA && !begun[frame->id]) {
            begun[frame->id] = true;
            seen++;
            under_way++;
            most = under_way > most ? under_way : most;
        } else if (frame->type == OY_H2_FRAME_HEADERS) {
            under_way--;
        }
    }
    assert_int_equal(seen, CALLS);
    assert_int_equal(most, TURNS);
    raw_close(p);
    e2e_end(server);
}

/* While a large answer is under way to a client that reads slowly, small ones get through. */
static void small_answers_overtake_large_ones(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 1 << 22);
    raw_window_update(p, 0, 1 << 24);
    raw_sync(p);
    p->no_credit = true;
    raw_call(p, 1, "/pkg.Svc/Big", "4000000", 7);
    raw_await_body(p, 1, 1);
    for (uint32_t id = 3; id <= 21; id += 2) {
        raw_call(p, id, "/pkg.Loop/Echo", "small", 5);
        raw_expect_ok(p, id, "small", 5);
    }
    (void)raw_expect_status(p, 1, OYEZ_OK);
    assert_int_equal(raw_find(p, 1)->body.len, 4000005);
    raw_close(p);
    e2e_end(server);
}

static void nap(void *user)
{
    (void)user;
    raw_sleep_ms(200);
}

/* Both loops of the server sleep for a while: what is sent meanwhile is read at once. */
static void send_to_sleeping_loops(e2e_server *server, raw_peer *p, const h2_bytes *bytes)
{
    raw_sync(p);
    assert_ok(oyez_runtime_post(server->runtime, nap, NULL));
    assert_ok(oyez_runtime_post(server->runtime, nap, NULL));
    raw_sleep_ms(20);
    assert_true(raw_send(p, bytes->data, bytes->len));
}

/* Thousands of answers that a window of the connection holds back leave when it opens, whatever else the same bytes
 * bring: how many there are must not decide how deep the stack goes. */
static void thousands_of_answers_leave_at_once(void **state)
{
    enum { CALLS = 12000 };
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = CALLS };
    static const uint8_t wider[6] = { 0, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 0, 0, 1, 0 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    h2_bytes bytes = { 0 }, block = { 0 };
    (void)state;
    p->no_credit = true;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 0);
    raw_window_update(p, 0, 1 << 20);
    raw_sync(p);
    h2_put_request(&block, "/pkg.Loop/Echo");
    for (uint32_t id = 1; id < 2 * CALLS; id += 2) {
        h2_put_frame(&bytes, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS, id, block.data, block.len);
        h2_put_frame(&bytes, OY_H2_FRAME_DATA, RAW_END, id, "\0\0\0\0\1x", 6);
    }
    assert_true(raw_send(p, bytes.data, bytes.len));
    for (uint32_t id = 1; id < 2 * CALLS; id += 2)
        assert_true(RAW_UNTIL(p, raw_find(p, id) && raw_find(p, id)->header_blocks == 1));
    bytes.len = 0;
    for (unsigned i = 0; i < 400; i++)
        h2_put_frame(&bytes, OY_H2_FRAME_SETTINGS, 0, 0, wider, i == 200 ? sizeof(wider) : 0);
    send_to_sleeping_loops(server, p, &bytes);
    for (uint32_t id = 1; id < 2 * CALLS; id += 2)
        raw_expect_ok(p, id, "x", 1);
    h2_bytes_free(&bytes);
    h2_bytes_free(&block);
    raw_close(p);
    e2e_end(server);
}

/* A listener whose connections take little at a time from those who write. */
static uint16_t listen_narrow(e2e_server *server, int send_buffer)
{
    uint16_t port;
    int fd = raw_listen(&port);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof(send_buffer)), 0);
    assert_ok(oyez_server_listen_fd(server->server, fd, oyez_insecure()));
    return port;
}

/* The server always has something to write, and its socket never takes all of it, so its queue is never empty: frames that
 * want an answer come in between, and the client, slow as it is, reads all the answers. */
static void a_slow_reader_is_not_deaf(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_unsent_control = 100 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_connect(listen_narrow(server, 32768));
    const raw_stream *stream;
    (void)state;
    raw_receive_buffer(p, 131072);
    raw_greet(p);
    p->no_credit = true;
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 1 << 24);
    raw_window_update(p, 0, 1 << 24);
    raw_call(p, 1, "/pkg.Svc/Big", "8000000", 7);
    p->read_bytes = 16384;
    stream = raw_await_body(p, 1, 1);
    for (size_t at = 0; !stream->ended; at = stream->body.len) {
        (void)RAW_SEND(p, SETTINGS, 0, 0, "");
        if (!RAW_UNTIL(p, stream->ended || stream->body.len >= at + 1000))
            fail_msg("it stops at %zu bytes: %s", stream->body.len, p->goaway_words);
    }
    (void)raw_expect_status(p, 1, OYEZ_OK);
    assert_int_equal(stream->body.len, 8000005);
    assert_true(p->settings_acks > 120);
    raw_close(p);
    e2e_end(server);
}

/* --- resets while we write --------------------------------------------------------------------------------------- */

static void the_client_goes_while_the_server_writes(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        raw_peer *p = raw_client(server->port);
        raw_call(p, 1, "/pkg.Svc/Big", "4000000", 7);
        raw_await_body(p, 1, 1 + i * 20000);
        raw_abort(p);
    }
    e2e_expect_serves(server);
    e2e_end(server);
}

static void the_stream_is_reset_while_the_server_writes(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    (void)state;
    for (; id < 41; id += 2) {
        raw_call(p, id, "/pkg.Svc/Big", "1000000", 7);
        raw_await_body(p, id, 1 + id * 1000);
        raw_rst(p, id, OY_H2_CANCEL);
    }
    e2e_expect_serves_on(p, id);
    raw_close(p);
    e2e_end(server);
}

static void the_server_goes_while_the_client_writes(void **state)
{
    uint16_t port;
    int fd = raw_listen(&port);
    oyez_channel *channel = e2e_channel(NULL, port);
    uint8_t *bytes = pattern(4 * MIB);
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        const oyez_call_options patient = { OYEZ_CALL_OPTIONS_INIT, .wait_for_ready = true };
        e2e_call call;
        e2e_call_start(&call, channel, PATH, bytes, 4 * MIB, &patient);
        raw_peer *p = raw_server(fd, 0);
        raw_await_body(p, raw_await_request(p)->id, 1 + i * 100000);
        raw_abort(p);
        e2e_call_await(&call);
        e2e_expect_code(&call, OYEZ_UNAVAILABLE);
        e2e_expect_words(call.words, "127.0.0.1:");
        e2e_call_free(&call);
    }
    test_free(bytes);
    oyez_channel_unref(channel);
    close(fd);
}

/* --- a client and a script --------------------------------------------------------------------------------------- */

typedef struct stage {
    int fd;
    uint16_t port;
    oyez_channel *channel;
    raw_peer *p;
} stage;

static void open_stage(stage *s, uint32_t max_streams)
{
    s->fd = raw_listen(&s->port);
    s->channel = e2e_channel(NULL, s->port);
    oyez_channel_connect(s->channel);
    s->p = raw_server(s->fd, OY_H2_SETTING_MAX_CONCURRENT_STREAMS, max_streams, 0);
}

static void close_stage(stage *s)
{
    s->channel = oyez_channel_unref(s->channel);
    raw_close(s->p);
    close(s->fd);
}

static void finish_call(e2e_call *call, oyez_code code)
{
    e2e_call_await(call);
    e2e_expect_code(call, code);
    e2e_call_free(call);
}

/* --- GOAWAY ------------------------------------------------------------------------------------------------------ */

static void calls_above_the_last_id_go_elsewhere(void **state)
{
    stage s;
    e2e_call calls[4];
    (void)state;
    open_stage(&s, 100);
    for (unsigned i = 0; i < 4; i++) {
        char text = (char)('0' + i);
        e2e_call_start(&calls[i], s.channel, PATH, &text, 1, NULL);
        raw_await(s.p, raw_await_request(s.p)->id);
    }
    raw_goaway(s.p, 3, OY_H2_NO_ERROR, "moving");
    /* 5 and 7 come again on a new connection; 1 and 3 are answered on the old one. */
    raw_peer *second = raw_server(s.fd, 0);
    for (unsigned i = 2; i < 4; i++) {
        const raw_stream *stream = raw_await(second, raw_await_request(second)->id);
        assert_int_equal(stream->body.data[5], '0' + i);
        raw_answer(second, stream->id, "b", 1);
        finish_call(&calls[i], OYEZ_OK);
    }
    raw_answer(s.p, 1, "a", 1);
    raw_answer(s.p, 3, "a", 1);
    finish_call(&calls[0], OYEZ_OK);
    finish_call(&calls[1], OYEZ_OK);
    raw_await_close(s.p); /* the client has nothing to do there any more */
    assert_true(s.p->went_away);
    raw_close(second);
    close_stage(&s);
}

/* The first half of a graceful end: no id is named yet, so all that was sent is still good. */
static void a_warning_leaves_calls_alone(void **state)
{
    stage s;
    e2e_call call, next;
    (void)state;
    open_stage(&s, 100);
    e2e_call_start(&call, s.channel, PATH, "q", 1, NULL);
    raw_await(s.p, raw_await_request(s.p)->id);
    raw_goaway(s.p, OY_H2_MAX_STREAM_ID, OY_H2_NO_ERROR, "");
    raw_sync(s.p);
    e2e_call_start(&next, s.channel, PATH, "q", 1, NULL);
    raw_peer *second = raw_server(s.fd, 0);
    raw_answer(second, raw_await_request(second)->id, "b", 1);
    finish_call(&next, OYEZ_OK);
    raw_answer(s.p, 1, "a", 1);
    finish_call(&call, OYEZ_OK);
    raw_await_close(s.p);
    raw_close(second);
    close_stage(&s);
}

/* What is too large to be kept is sent once. */
static void a_large_request_is_not_sent_again(void **state)
{
    stage s;
    e2e_call call;
    uint8_t *bytes = pattern(MIB);
    (void)state;
    open_stage(&s, 100);
    e2e_call_start(&call, s.channel, PATH, bytes, MIB, NULL);
    raw_await(s.p, raw_await_request(s.p)->id);
    raw_goaway(s.p, 0, OY_H2_NO_ERROR, "");
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_UNAVAILABLE);
    e2e_call_free(&call);
    test_free(bytes);
    close_stage(&s);
}

static void an_answered_call_is_not_sent_again(void **state)
{
    stage s;
    e2e_call call;
    (void)state;
    open_stage(&s, 100);
    e2e_call_start(&call, s.channel, PATH, "q", 1, NULL);
    raw_await(s.p, raw_await_request(s.p)->id);
    raw_respond(s.p, 1);
    raw_goaway(s.p, 0, OY_H2_NO_ERROR, "what answer?");
    finish_call(&call, OYEZ_UNAVAILABLE);
    close_stage(&s);
}

/* Calls that never left may be turned away as often as it takes. */
static void calls_in_the_queue_survive_any_number_of_goaways(void **state)
{
    stage s;
    e2e_call first, queued;
    (void)state;
    open_stage(&s, 1);
    e2e_call_start(&first, s.channel, PATH, "1", 1, NULL);
    raw_await(s.p, raw_await_request(s.p)->id);
    e2e_call_start(&queued, s.channel, PATH, "2", 1, NULL);
    raw_peer *p = s.p;
    for (unsigned i = 0; i < 4; i++) {
        raw_sync(p);
        raw_goaway(p, i == 0 ? 1 : 0, OY_H2_NO_ERROR, "");
        raw_peer *next = raw_server(s.fd, OY_H2_SETTING_MAX_CONCURRENT_STREAMS, i < 3 ? 0 : 1, 0);
        if (p != s.p)
            raw_close(p);
        p = next;
    }
    raw_answer(p, raw_await_request(p)->id, "b", 1);
    finish_call(&queued, OYEZ_OK);
    raw_answer(s.p, 1, "a", 1);
    finish_call(&first, OYEZ_OK);
    raw_close(p);
    close_stage(&s);
}

/* --- REFUSED_STREAM ---------------------------------------------------------------------------------------------- */

static void a_refused_call_is_sent_again_once(void **state)
{
    stage s;
    e2e_call call;
    (void)state;
    open_stage(&s, 100);
    e2e_call_start(&call, s.channel, PATH, "q", 1, NULL);
    uint32_t id = raw_await_request(s.p)->id;
    raw_await(s.p, id);
    raw_rst(s.p, id, OY_H2_REFUSED_STREAM);
    const raw_stream *again = raw_await(s.p, raw_await_request(s.p)->id);
    assert_int_equal(again->id, id + 2);
    assert_int_equal(again->body.data[5], 'q');
    raw_answer(s.p, again->id, "a", 1);
    finish_call(&call, OYEZ_OK);

    e2e_call_start(&call, s.channel, PATH, "", 0, NULL); /* an empty message is sent again, too */
    for (unsigned i = 0; i < 2; i++) {
        id = raw_await_request(s.p)->id;
        assert_int_equal(raw_await(s.p, id)->body.len, 5);
        raw_rst(s.p, id, OY_H2_REFUSED_STREAM);
    }
    finish_call(&call, OYEZ_UNAVAILABLE);
    close_stage(&s);
}

/* --- MAX_CONCURRENT_STREAMS -------------------------------------------------------------------------------------- */

static void a_hundred_calls_through_one_place(void **state)
{
    enum { CALLS = 100 };
    static e2e_call calls[CALLS];
    stage s;
    unsigned answered = 0, cancelled = 0, late = 0;
    (void)state;
    open_stage(&s, 1);
    for (unsigned i = 0; i < CALLS; i++) {
        char text[4];
        const oyez_call_options soon = { OYEZ_CALL_OPTIONS_INIT, .timeout = 50 * OYEZ_MILLISECOND };
        snprintf(text, sizeof(text), "%u", i);
        e2e_call_start(&calls[i], s.channel, PATH, text, strlen(text), i % 10 == 3 ? &soon : NULL);
    }
    const raw_stream *stream = raw_await(s.p, raw_await_request(s.p)->id);
    raw_sync(s.p);
    assert_null(raw_find(s.p, 3)); /* one at a time */
    for (unsigned i = 5; i < CALLS; i += 10)
        oyez_call_cancel(calls[i].call);
    for (unsigned i = 3; i < CALLS; i += 10) {
        e2e_call_await(&calls[i]);
        e2e_expect_code(&calls[i], OYEZ_DEADLINE_EXCEEDED);
        late++;
    }
    for (unsigned i = 5; i < CALLS; i += 10) {
        e2e_call_await(&calls[i]);
        e2e_expect_code(&calls[i], OYEZ_CANCELLED);
        cancelled++;
    }
    /* The others come in their order, each when the one before has ended. */
    for (unsigned i = 0; i < CALLS; i++) {
        if (i % 10 == 3 || i % 10 == 5)
            continue;
        assert_int_equal(strtoul((const char *)stream->body.data + 5, NULL, 10), i);
        assert_int_equal(stream->body.len, i < 10 ? 6 : 7);
        raw_answer(s.p, stream->id, stream->body.data + 5, stream->body.len - 5);
        e2e_call_await(&calls[i]);
        e2e_expect_code(&calls[i], OYEZ_OK);
        answered++;
        if (answered < 80)
            stream = raw_await(s.p, raw_await_request(s.p)->id);
    }
    assert_int_equal(answered + cancelled + late, CALLS);
    assert_int_equal(s.p->next_request, 2 * answered + 1);
    for (unsigned i = 0; i < CALLS; i++)
        e2e_call_free(&calls[i]);
    close_stage(&s);
}

static void the_limit_is_raised_and_lowered(void **state)
{
    stage s;
    e2e_call calls[6];
    (void)state;
    open_stage(&s, 0);
    for (unsigned i = 0; i < 6; i++)
        e2e_call_start(&calls[i], s.channel, PATH, "q", 1, NULL);
    raw_sync(s.p);
    assert_null(raw_find(s.p, 1));
    raw_setting(s.p, OY_H2_SETTING_MAX_CONCURRENT_STREAMS, 4);
    for (unsigned i = 0; i < 4; i++)
        raw_await(s.p, raw_await_request(s.p)->id);
    raw_setting(s.p, OY_H2_SETTING_MAX_CONCURRENT_STREAMS, 2);
    raw_answer(s.p, 1, "a", 1);
    raw_answer(s.p, 3, "a", 1);
    raw_sync(s.p);
    assert_null(raw_find(s.p, 9)); /* two are still open */
    raw_answer(s.p, 5, "a", 1);
    raw_await(s.p, raw_await_request(s.p)->id);
    raw_answer(s.p, 7, "a", 1);
    raw_await(s.p, raw_await_request(s.p)->id);
    raw_answer(s.p, 9, "a", 1);
    raw_answer(s.p, 11, "a", 1);
    for (unsigned i = 0; i < 6; i++)
        finish_call(&calls[i], OYEZ_OK);
    close_stage(&s);
}

/* The highest id of a request that is complete: ids may have been skipped. */
static uint32_t last_ended(raw_peer *p, uint32_t below)
{
    uint32_t last = 0;
    for (uint32_t id = 1; id < below; id += 2)
        if (raw_find(p, id) && raw_find(p, id)->ended)
            last = id;
    return last;
}

/* A queued call whose headers the server does not take fails by itself, and holds up nobody. */
static void a_call_with_large_headers_in_the_queue(void **state)
{
    enum { LARGE = 200 };
    static e2e_call large[LARGE];
    stage s;
    e2e_call first, last;
    char value[2001];
    oyez_metadata *metadata;
    (void)state;
    memset(value, 'v', 2000);
    value[2000] = '\0';
    assert_ok(oyez_metadata_new(&metadata));
    assert_ok(oyez_metadata_append(metadata, "large", value, 2000));
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .metadata = metadata };
    open_stage(&s, 1);
    raw_setting(s.p, OY_H2_SETTING_MAX_HEADER_LIST_SIZE, 1000);
    raw_sync(s.p);
    e2e_call_start(&first, s.channel, PATH, "1", 1, NULL);
    raw_await(s.p, raw_await_request(s.p)->id);
    for (unsigned i = 0; i < LARGE; i++)
        e2e_call_start(&large[i], s.channel, PATH, "2", 1, &options);
    e2e_call_start(&last, s.channel, PATH, "3", 1, NULL);
    raw_sync(s.p);
    raw_answer(s.p, 1, "a", 1);
    finish_call(&first, OYEZ_OK);
    for (unsigned i = 0; i < LARGE; i++) {
        e2e_call_await(&large[i]);
        e2e_expect_code(&large[i], OYEZ_INTERNAL);
        e2e_expect_words(large[i].words, "header list size");
        e2e_call_free(&large[i]);
    }
    uint32_t id;
    assert_true(RAW_UNTIL(s.p, (id = last_ended(s.p, 2 * LARGE + 10)) > 1));
    raw_answer(s.p, id, "a", 1);
    finish_call(&last, OYEZ_OK);
    oyez_metadata_free(metadata);
    close_stage(&s);
}

/* --- cancel and deadline in every state -------------------------------------------------------------------------- */

typedef enum call_state {
    NO_CONNECTION, /* nobody answers the greeting */
    NO_PLACE,      /* the limit of streams is reached */
    SENDING,       /* the window is shut */
    WAITING,       /* the server has it all */
    RECEIVING,     /* half an answer has come */
    STATES,
} call_state;

static const char *const state_names[STATES] = { "no connection", "no place", "sending", "waiting", "receiving" };

static void end_in_state(call_state where, bool by_deadline)
{
    uint16_t port;
    int fd = raw_listen(&port);
    oyez_channel *channel = e2e_channel(NULL, port);
    uint8_t *bytes = pattern(200000);
    e2e_call call, blocker;
    raw_peer *p = NULL;
    const oyez_call_options soon = { OYEZ_CALL_OPTIONS_INIT, .timeout = 100 * OYEZ_MILLISECOND };
    oyez_channel_connect(channel);
    if (where != NO_CONNECTION)
        p = raw_server(fd, OY_H2_SETTING_MAX_CONCURRENT_STREAMS, where == NO_PLACE ? 1 : 100, 0);
    else
        p = raw_accept(fd);
    if (where == NO_PLACE) {
        e2e_call_start(&blocker, channel, PATH, "q", 1, NULL);
        raw_await(p, raw_await_request(p)->id);
    }
    p->no_credit = true;
    e2e_call_start(&call, channel, PATH, bytes, where == SENDING ? 200000 : 10, by_deadline ? &soon : NULL);
    if (where == SENDING)
        raw_await_body(p, raw_await_request(p)->id, 65535);
    if (where == WAITING || where == RECEIVING)
        raw_await(p, raw_await_request(p)->id);
    if (where == RECEIVING) {
        raw_respond(p, 1);
        raw_send_frame(p, OY_H2_FRAME_DATA, 0, 1, "\0\0\0\0\5ab", 7);
        raw_sync(p);
    }
    if (!by_deadline)
        oyez_call_cancel(call.call);
    e2e_call_await(&call);
    if (call.code != (by_deadline ? OYEZ_DEADLINE_EXCEEDED : OYEZ_CANCELLED))
        fail_msg("%s: %s (%s)", state_names[where], oyez_code_name(call.code), call.words);
    if (where >= SENDING)
        raw_expect_reset(p, 1, OY_H2_CANCEL);
    if (where == NO_PLACE) {
        raw_sync(p);
        assert_null(raw_find(p, 3));
        raw_answer(p, 1, "a", 1);
        finish_call(&blocker, OYEZ_OK);
    }
    oyez_call_cancel(call.call); /* too late: nothing happens */
    raw_sleep_ms(5);
    assert_int_equal(call.done, 1);
    e2e_call_free(&call);
    test_free(bytes);
    oyez_channel_unref(channel);
    raw_close(p);
    close(fd);
}

static void cancelled_in_every_state(void **state)
{
    (void)state;
    for (call_state where = 0; where < STATES; where++)
        end_in_state(where, false);
}

static void the_deadline_passes_in_every_state(void **state)
{
    (void)state;
    for (call_state where = 0; where < STATES; where++)
        end_in_state(where, true);
}

/* Blocking and started calls with a millisecond to live: each ends once, with DEADLINE_EXCEEDED or in time. */
static void a_millisecond_to_live(void **state)
{
    enum { CALLS = 200 };
    static e2e_call calls[CALLS];
    const oyez_call_options brief = { OYEZ_CALL_OPTIONS_INIT, .timeout = OYEZ_MILLISECOND };
    e2e_server *server = e2e_serve(NULL);
    oyez_channel *channel = e2e_channel(server->runtime, server->port);
    (void)state;
    for (unsigned i = 0; i < CALLS; i++)
        e2e_call_start(&calls[i], channel, i % 2 ? "/pkg.Svc/Hold" : "/pkg.Loop/Echo", "q", 1, &brief);
    for (unsigned i = 0; i < CALLS; i++) {
        e2e_call_await(&calls[i]);
        if (calls[i].code != OYEZ_DEADLINE_EXCEEDED && (i % 2 || calls[i].code != OYEZ_OK))
            fail_msg("%s (%s)", oyez_code_name(calls[i].code), calls[i].words);
        e2e_call_free(&calls[i]);
    }
    for (unsigned i = 0; i < 20; i++) {
        e2e_call_now(&calls[0], channel, "/pkg.Svc/Hold", "q", 1, &brief);
        e2e_expect_code(&calls[0], OYEZ_DEADLINE_EXCEEDED);
        e2e_call_free(&calls[0]);
    }
    e2e_await_live(server, 0);
    assert_true(server->cancelled > 0);
    oyez_channel_unref(channel);
    e2e_expect_serves(server);
    e2e_end(server);
}

/* Cancelled from another thread while answers come: whoever wins, there is one end. */
static void cancel_races_with_the_answer(void **state)
{
    enum { CALLS = 300 };
    static e2e_call calls[CALLS];
    e2e_server *server = e2e_serve(NULL);
    oyez_channel *channel = e2e_channel(server->runtime, server->port);
    unsigned ok = 0;
    (void)state;
    for (unsigned i = 0; i < CALLS; i++) {
        e2e_call_start(&calls[i], channel, i % 2 ? "/pkg.Svc/Echo" : "/pkg.Loop/Echo", "q", 1, NULL);
        if (i >= 5)
            oyez_call_cancel(calls[i - 5].call);
    }
    for (unsigned i = 0; i < CALLS; i++) {
        e2e_call_await(&calls[i]);
        if (calls[i].code == OYEZ_OK)
            ok++;
        else
            e2e_expect_code(&calls[i], OYEZ_CANCELLED);
    }
    raw_sleep_ms(5);
    for (unsigned i = 0; i < CALLS; i++) {
        assert_int_equal(calls[i].done, 1);
        e2e_call_free(&calls[i]);
    }
    assert_true(ok >= 5);
    oyez_channel_unref(channel);
    e2e_expect_serves(server);
    e2e_end(server);
}

/* The callback never comes inside the function that starts the call, also when all is lost from the beginning and
 * the caller is the loop itself. */
typedef struct inside {
    oyez_channel *channel;
    _Atomic(bool) starting, came_inside;
    _Atomic(unsigned) done;
} inside;

static const oyez_method any_method = { OYEZ_METHOD_INIT, .path = PATH };

static void on_inside(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    inside *t = user;
    (void)call;
    (void)reply;
    if (t->starting || status->code == OYEZ_OK)
        t->came_inside = true;
    t->done++;
}

static void start_doomed_calls(void *user)
{
    inside *t = user;
    const oyez_slice request = OYEZ_SLICE_INIT;
    uint8_t byte = 0;
    oyez_slice large = OYEZ_SLICE_INIT;
    const oyez_call_options minus = { OYEZ_CALL_OPTIONS_INIT, .timeout = -1 };
    const oyez_call_options small = { OYEZ_CALL_OPTIONS_INIT, .max_send_bytes = 1 };
    oyez_ctx *past = oyez_ctx_with_timeout(NULL, -1);
    oyez_ctx *gone = oyez_ctx_with_cancel(NULL);
    (void)!oyez_slice_append(&large, (oyez_buffer){ &byte, 1, NULL });
    (void)!oyez_slice_append(&large, (oyez_buffer){ &byte, 1, NULL });
    (void)oyez_ctx_cancel(gone);
    t->starting = true;
    bool ok = !oyez_unary_call_async(t->channel, &any_method, past, NULL, &request, on_inside, t, NULL) &&
              !oyez_unary_call_async(t->channel, &any_method, gone, NULL, &request, on_inside, t, NULL) &&
              !oyez_unary_call_async(t->channel, &any_method, NULL, &minus, &request, on_inside, t, NULL) &&
              !oyez_unary_call_async(t->channel, &any_method, NULL, &small, &large, on_inside, t, NULL) &&
              !oyez_unary_call_async(t->channel, &any_method, NULL, NULL, &request, on_inside, t, NULL);
    t->starting = false;
    if (!ok)
        t->came_inside = true;
    oyez_slice_fini(&large);
    oyez_ctx_unref(past);
    oyez_ctx_unref(gone);
}

static void callbacks_never_come_inside_the_start(void **state)
{
    const oyez_runtime_options options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    oyez_runtime *runtime;
    uint16_t port;
    int fd = raw_listen(&port);
    inside t = { 0 };
    (void)state;
    close(fd); /* nobody listens there now */
    assert_ok(oyez_runtime_new(&options, &runtime));
    t.channel = e2e_channel(runtime, port);
    e2e_call call;
    e2e_call_now(&call, t.channel, PATH, "q", 1, NULL); /* now the channel is in transient failure */
    e2e_expect_code(&call, OYEZ_UNAVAILABLE);
    e2e_call_free(&call);
    assert_ok(oyez_runtime_post(runtime, start_doomed_calls, &t));
    E2E_UNTIL(t.done == 5);
    assert_false(t.came_inside);
    oyez_channel_unref(t.channel);
    oyez_runtime_unref(runtime);
}

OY_TEST_GROUP(e2e_transport, oy_leak_test(messages_of_all_sizes_both_ways),
              oy_leak_test(messages_of_all_sizes_through_small_windows), oy_leak_test(large_messages_side_by_side),
              oy_leak_test(a_window_of_one_byte), oy_leak_test(settings_open_the_windows_of_streams_that_wait),
              oy_leak_test(the_clients_windows_are_opened_by_settings_too), oy_leak_test(streams_take_turns),
              oy_leak_test(few_streams_take_turns),
              oy_leak_test(small_answers_overtake_large_ones), oy_leak_test(thousands_of_answers_leave_at_once),
              oy_leak_test(a_slow_reader_is_not_deaf),
              oy_leak_test(the_client_goes_while_the_server_writes),
              oy_leak_test(the_stream_is_reset_while_the_server_writes),
              oy_leak_test(the_server_goes_while_the_client_writes),
              oy_leak_test(calls_above_the_last_id_go_elsewhere), oy_leak_test(a_warning_leaves_calls_alone),
              oy_leak_test(a_large_request_is_not_sent_again), oy_leak_test(an_answered_call_is_not_sent_again),
              oy_leak_test(calls_in_the_queue_survive_any_number_of_goaways),
              oy_leak_test(a_refused_call_is_sent_again_once), oy_leak_test(a_hundred_calls_through_one_place),
              oy_leak_test(the_limit_is_raised_and_lowered), oy_leak_test(a_call_with_large_headers_in_the_queue),
              oy_leak_test(cancelled_in_every_state), oy_leak_test(the_deadline_passes_in_every_state),
              oy_leak_test(a_millisecond_to_live), oy_leak_test(cancel_races_with_the_answer),
              oy_leak_test(callbacks_never_come_inside_the_start));

/* SPDX-License-Identifier: Apache-2.0 */
/* How a stream ends and how its windows move, as a server of ours does it: the client is a script. */
#include <stdio.h>
#include <stdlib.h>

#include "e2e_server.h"
#include "ends_support.h"
#include "support/leak.h"
#include "support/test.h"

#define WINDOW OY_H2_DEFAULT_WINDOW
/* Windows that never change: what comes back is what was taken. */
#define SMALL_WINDOWS                                                                                                  \
    OYEZ_SERVER_OPTIONS_INIT, .stream_window_bytes = WINDOW, .connection_window_bytes = WINDOW, .fixed_windows = true

static void expect_serves_on(raw_peer *p, uint32_t id)
{
    raw_call(p, id, "/pkg.Str/Echo", "still", 5);
    raw_expect_ok(p, id, "still", 5);
}

/* Long enough for what should not come, had it been on its way. */
static void settle(raw_peer *p)
{
    raw_sync(p);
    raw_sleep_ms(20);
    raw_sync(p);
}

static size_t body_of(raw_peer *p, uint32_t id)
{
    const raw_stream *stream = raw_find(p, id);
    return stream ? stream->body.len : 0;
}

/* --- half-close, in every order ---------------------------------------------------------------------------------- */

static void the_client_closes_first(void **state)
{
    ends_server *server = ends_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    /* with its message */
    raw_call(p, 1, "/pkg.Str/Echo", "one", 3);
    raw_expect_ok(p, 1, "one", 3);
    /* with an empty DATA of its own, behind an answer */
    raw_request(p, 3, "/pkg.Str/Echo");
    raw_message(p, 3, "two", 3, 0);
    (void)raw_await_body(p, 3, 8);
    assert_false(raw_find(p, 3)->ended);
    RAW_SEND(p, DATA, END_STREAM, 3, "");
    raw_expect_ok(p, 3, "two", 3);
    /* with its headers: there are no messages at all */
    h2_bytes block = { 0 };
    h2_put_request(&block, "/pkg.Str/Echo");
    raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS | RAW_END, 5, block.data, block.len);
    h2_bytes_free(&block);
    (void)raw_expect_status(p, 5, OYEZ_OK);
    assert_int_equal(body_of(p, 5), 0);
    /* several messages, one answer */
    raw_request(p, 7, "/pkg.Str/Sum");
    raw_message(p, 7, "four", 4, 0);
    raw_message(p, 7, "", 0, 0);
    raw_message(p, 7, "seven!!", 7, RAW_END);
    raw_expect_ok(p, 7, "11", 2);
    /* nobody was reset: all was said */
    raw_sync(p);
    assert_int_equal(p->resets, 0);
    raw_close(p);
    ends_stop(server);
}

/* The answer is complete while the client could go on: it is told that nobody listens any more. */
static void the_server_ends_first(void **state)
{
    ends_server *server = ends_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_request(p, 1, "/pkg.Str/Once");
    raw_message(p, 1, "one", 3, 0);
    raw_expect_ok(p, 1, "one", 3);
    raw_expect_reset(p, 1, OY_H2_NO_ERROR);
    /* what was on its way then hurts nobody */
    raw_message(p, 1, "two", 3, 0);
    raw_message(p, 1, "three", 5, RAW_END);
    raw_sync(p);
    expect_serves_on(p, 3);
    raw_close(p);
    ends_stop(server);
}

/* Ends that cross: neither has seen the other's. */
static void both_end_at_once(void **state)
{
    ends_server *server = ends_serve(NULL);
    raw_peer *p = raw_client(server->port);
    unsigned calls = raw_sanitized() ? 50 : 300;
    (void)state;
    for (uint32_t id = 1; id < 2 * calls; id += 2) {
        raw_request(p, id, "/pkg.Str/Once");
        raw_message(p, id, "one", 3, 0);
        raw_message(p, id, "two", 3, RAW_END);
        raw_expect_ok(p, id, "one", 3);
    }
    expect_serves_on(p, 2 * calls + 1);
    assert_false(p->went_away);
    raw_close(p);
    ends_stop(server);
}

static void trailers_only(void **state)
{
    ends_server *server = ends_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_request(p, 1, "/pkg.Str/Refuse");
    assert_string_equal(raw_expect_status(p, 1, OYEZ_PERMISSION_DENIED), "not today");
    const raw_stream *stream = raw_find(p, 1);
    assert_int_equal(stream->header_blocks, 1);
    assert_int_equal(stream->data_frames, 0);
    assert_string_equal(raw_field(stream, "content-type"), "application/grpc");
    raw_close(p);
    ends_stop(server);
}

/* The status is there while the client is in the middle of a message, and its window is full. */
static void early_status(void **state)
{
    const oyez_server_options options = { SMALL_WINDOWS };
    ends_server *server = ends_serve(&options);
    raw_peer *p = raw_client(server->port);
    static uint8_t part[16384] = { 0, 0, 0x10, 0, 0 }; /* of a message of 1 MiB */
    (void)state;
    raw_request(p, 1, "/pkg.Str/Refuse");
    raw_send_frame(p, OY_H2_FRAME_DATA, 0, 1, part, sizeof(part));
    raw_send_frame(p, OY_H2_FRAME_DATA, 0, 1, part, sizeof(part));
    raw_send_frame(p, OY_H2_FRAME_DATA, 0, 1, part, sizeof(part));
    assert_string_equal(raw_expect_status(p, 1, OYEZ_PERMISSION_DENIED), "not today");
    raw_expect_reset(p, 1, OY_H2_NO_ERROR);
    /* The client has not seen it yet. What it sends is dropped, and its room on the connection comes back. */
    raw_send_frame(p, OY_H2_FRAME_DATA, 0, 1, part, 16000);
    raw_sync(p);
    expect_serves_on(p, 3);
    raw_request(p, 5, "/pkg.Str/Sum");
    raw_upload(p, 5, part, sizeof(part), 0, 4096);
    raw_upload(p, 5, part, sizeof(part), 0, 4096);
    raw_upload(p, 5, part, sizeof(part), 0, 4096);
    raw_upload(p, 5, part, sizeof(part), RAW_END, 4096);
    raw_expect_ok(p, 5, "65536", 5);
    raw_close(p);
    ends_stop(server);
}

/* --- ends of a stream that is blocked ---------------------------------------------------------------------------- */

typedef enum ending { BY_CANCEL, BY_DEADLINE, BY_LOSS } ending;

/* A client without room: the handler's second message waits for the first, which cannot leave. */
static raw_peer *blocked(ends_server *server, uint32_t id, bool deadline)
{
    raw_peer *p = raw_client(server->port);
    unsigned sent = atomic_load(&server->sent);
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 0);
    raw_sync(p);
    if (deadline)
        raw_request_with(p, id, "/pkg.Str/Flood", "grpc-timeout", "200m", NULL);
    else
        raw_request(p, id, "/pkg.Str/Flood");
    E2E_UNTIL(atomic_load(&server->sent) > sent);
    settle(p);
    if (!deadline)
        assert_int_equal(atomic_load(&server->live), 1);
    assert_int_equal(body_of(p, id), 0);
    return p;
}

static void ends_a_blocked_stream(ending cause)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = 1 };
    ends_server *server = ends_serve(&options);
    raw_peer *p = blocked(server, 1, cause == BY_DEADLINE);
    if (cause == BY_CANCEL)
        raw_rst(p, 1, OY_H2_CANCEL);
    if (cause == BY_LOSS) {
        raw_abort(p);
        p = raw_client(server->port);
    }
    E2E_UNTIL(atomic_load(&server->live) == 0);
    assert_int_equal(atomic_load(&server->cancelled), 1);
    if (cause == BY_DEADLINE)
        (void)raw_await(p, 1);
    /* Its place, the only one, is free. */
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, WINDOW);
    raw_sync(p);
    expect_serves_on(p, 3);
    raw_close(p);
    ends_stop(server);
}

static void cancel_on_a_zero_window(void **state)
{
    (void)state;
    ends_a_blocked_stream(BY_CANCEL);
}

static void deadline_on_a_zero_window(void **state)
{
    (void)state;
    ends_a_blocked_stream(BY_DEADLINE);
}

static void loss_on_a_zero_window(void **state)
{
    (void)state;
    ends_a_blocked_stream(BY_LOSS);
}

/* --- windows of the client --------------------------------------------------------------------------------------- */

/* Smaller by SETTINGS while bytes are under way: below zero, and up again to the byte (RFC 9113 §6.9.2). */
static void a_window_below_zero(void **state)
{
    ends_server *server = ends_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    p->no_credit = true;
    raw_request(p, 1, "/pkg.Str/Flood");
    (void)raw_await_body(p, 1, WINDOW);
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 1000); /* -64,535 */
    raw_window_update(p, 0, 1 << 20);
    settle(p);
    assert_int_equal(body_of(p, 1), WINDOW);
    raw_window_update(p, 1, WINDOW - 1000); /* 0 */
    settle(p);
    assert_int_equal(body_of(p, 1), WINDOW);
    raw_window_update(p, 1, 1);
    (void)raw_await_body(p, 1, WINDOW + 1);
    settle(p);
    assert_int_equal(body_of(p, 1), WINDOW + 1);
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, 3000); /* 2,000 */
    (void)raw_await_body(p, 1, WINDOW + 2001);
    settle(p);
    assert_int_equal(body_of(p, 1), WINDOW + 2001);
    raw_rst(p, 1, OY_H2_CANCEL);
    raw_sync(p);
    raw_setting(p, OY_H2_SETTING_INITIAL_WINDOW_SIZE, WINDOW);
    expect_serves_on(p, 3);
    raw_close(p);
    ends_stop(server);
}

/* A reader that has stopped stops its own stream; another goes on. */
static void a_slow_reader_stops_itself_alone(void **state)
{
    ends_server *server = ends_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    p->no_credit = true;
    raw_request(p, 1, "/pkg.Str/Flood");
    (void)raw_await_body(p, 1, WINDOW); /* all its window */
    raw_window_update(p, 0, 1 << 20);
    settle(p);
    assert_true(atomic_load(&server->sent) <= WINDOW / ENDS_FLOOD_BYTES + 3);
    expect_serves_on(p, 3);
    raw_rst(p, 1, OY_H2_CANCEL);
    raw_close(p);
    ends_stop(server);
}

/* --- windows of ours --------------------------------------------------------------------------------------------- */

/* Five bytes and 250 of padding in each frame: all of a frame counts, and all of it comes back. */
static void padding_counts(void **state)
{
    const oyez_server_options options = { SMALL_WINDOWS };
    ends_server *server = ends_serve(&options);
    raw_peer *p = raw_client(server->port);
    enum { LEN = 20000, PART = 5, PADDING = 250 };
    static uint8_t message[5 + LEN] = { 0, 0, 0, LEN >> 8, LEN & 0xff };
    uint8_t frame[1 + PART + PADDING] = { PADDING };
    (void)state;
    raw_request(p, 1, "/pkg.Str/Sum");
    for (size_t at = 0; at < sizeof(message); at += PART) {
        memcpy(frame + 1, message + at, PART);
        if (!RAW_UNTIL(p, raw_room(p, 1) >= sizeof(frame)))
            fail_msg("the window is not given back at byte %zu", at);
        raw_send_frame(p, OY_H2_FRAME_DATA, H2_FLAG_PADDED | (at + PART == sizeof(message) ? RAW_END : 0), 1, frame,
                       sizeof(frame));
    }
    raw_expect_ok(p, 1, "20000", 5);
    assert_true(p->sent > 15 * WINDOW);
    raw_close(p);
    ends_stop(server);
}

/* A message larger than the windows gets them back while it is gathered. What the handler does not take gives nothing
 * back, however it is cut: the window and a few messages are all that can lie there. The connection's window comes back
 * whatever the handler does. */
static void credit_follows_the_handler(void **state)
{
    const oyez_server_options options = { SMALL_WINDOWS };
    ends_server *server = ends_serve(&options);
    raw_peer *p = raw_client(server->port);
    static uint8_t body[1 << 20];
    (void)state;
    size_t messages = 0;
    raw_request(p, 1, "/pkg.Str/Deaf");
    for (; raw_room(p, 1) >= 10005 && messages < 100; messages++) {
        raw_upload(p, 1, body, 10000, 0, 4096);
        settle(p);
    }
    assert_in_range(messages, WINDOW / 10005, WINDOW / 10005 + 4);
    /* another stream has all the room that it needs, many times over */
    raw_request(p, 3, "/pkg.Str/Sum");
    raw_upload(p, 3, body, sizeof(body), RAW_END, 16384);
    raw_expect_ok(p, 3, "1048576", 7);
    /* the handler begins to take */
    atomic_store(&server->gate, true);
    for (int i = 0; i < 20; i++)
        raw_upload(p, 1, body, 10000, 0, 4096);
    RAW_SEND(p, DATA, END_STREAM, 1, "");
    (void)raw_expect_status(p, 1, OYEZ_OK);
    assert_int_equal(body_of(p, 1), (messages + 20) * 10005);
    raw_close(p);
    ends_stop(server);
}

/* B13: whatever a stream ends with, the connection gets its bytes back. */
static void dropped_bytes_come_back_to_the_connection(void **state)
{
    const oyez_server_options options = { SMALL_WINDOWS };
    ends_server *server = ends_serve(&options);
    raw_peer *p = raw_client(server->port);
    static uint8_t body[1024], part[16384] = { 0, 0, 0x10, 0, 0 };
    unsigned calls = raw_sanitized() ? 1000 : 20000;
    uint32_t id = 1;
    (void)state;
    /* handlers that read nothing; the client has or has not finished */
    for (unsigned i = 0; i < calls; i++, id += 2) {
        raw_request(p, id, "/pkg.Str/Refuse");
        raw_upload(p, id, body, sizeof(body), i % 2 ? RAW_END : 0, 2048);
    }
    for (uint32_t n = 1; n < id; n += 2)
        (void)raw_expect_status(p, n, OYEZ_PERMISSION_DENIED);
    /* methods that nobody knows, and clients that go on */
    for (unsigned i = 0; i < calls / 10; i++, id += 2) {
        raw_request(p, id, "/pkg.Str/None");
        raw_upload(p, id, body, sizeof(body), 0, 512);
        (void)raw_expect_status(p, id, OYEZ_UNIMPLEMENTED);
        raw_send_frame(p, OY_H2_FRAME_DATA, 0, id, body, sizeof(body));
    }
    /* messages that are not read, and cancelled; bytes that come behind the RST_STREAM are the client's fault, but small */
    for (unsigned i = 0; i < calls / 100; i++, id += 2) {
        raw_request(p, id, "/pkg.Str/Deaf");
        for (unsigned n = 0; n < 3; n++) {
            assert_true(RAW_UNTIL(p, raw_room(p, id) >= sizeof(part)));
            raw_send_frame(p, OY_H2_FRAME_DATA, 0, id, part, sizeof(part));
        }
        raw_rst(p, id, OY_H2_CANCEL);
    }
    E2E_UNTIL(atomic_load(&server->live) == 0);
    expect_serves_on(p, id);
    settle(p);
    /* All of the connection's window, but for what is not worth a frame: half of it at most. */
    assert_true(WINDOW + p->connection_credit - p->sent > WINDOW / 2 - 16384);
    raw_close(p);
    ends_stop(server);
}

OY_TEST_GROUP(e2e_ends_server, oy_leak_test(the_client_closes_first), oy_leak_test(the_server_ends_first),
              oy_leak_test(both_end_at_once), oy_leak_test(trailers_only), oy_leak_test(early_status),
              oy_leak_test(cancel_on_a_zero_window), oy_leak_test(deadline_on_a_zero_window),
              oy_leak_test(loss_on_a_zero_window), oy_leak_test(a_window_below_zero),
              oy_leak_test(a_slow_reader_stops_itself_alone), oy_leak_test(padding_counts),
              oy_leak_test(credit_follows_the_handler),
              oy_leak_test(dropped_bytes_come_back_to_the_connection));

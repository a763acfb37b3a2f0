/* SPDX-License-Identifier: Apache-2.0 */
/* How a stream ends and how its windows move, as a client of ours does it: the server is a script. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "client_support.h"
#include "e2e_server.h"
#include "ends_support.h"
#include "support/leak.h"
#include "support/test.h"

#define WINDOW OY_H2_DEFAULT_WINDOW
#define IDS    OY_H2_SETTING_MAX_CONCURRENT_STREAMS
#define WIDTH  OY_H2_SETTING_INITIAL_WINDOW_SIZE

static oyez_runtime *runtime;
static oyez_channel *channel;
static int listener;
static raw_peer *p;

/* --- the scene --------------------------------------------------------------------------------------------------- */

static int setup(void **state)
{
    const oyez_runtime_options options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    oy_leak_setup(state);
    return oyez_runtime_new(&options, &runtime);
}

static int teardown(void **state)
{
    raw_close(p);
    p = NULL;
    close(listener);
    channel = oyez_channel_unref(channel);
    runtime = client_end_runtime(runtime);
    return oy_leak_teardown(state);
}

#define with_runtime(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* A channel, and the server it has come to, with one setting of the server's (0: none). */
static void meet(const oyez_channel_options *user, int setting, uint32_t value)
{
    oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT };
    char target[64];
    uint16_t port;
    if (user)
        options = *user;
    options.runtime = runtime;
    options.backoff_base = options.backoff_max = 20 * OYEZ_MILLISECOND;
    listener = raw_listen(&port);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    channel = e2e_channel_with(&options, target);
    oyez_channel_connect(channel);
    p = raw_server(listener, setting, value, 0);
}

/* Starts a stream; its headers have come. */
static oyez_stream *talk(uint32_t id, oyez_duration timeout)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .wait_for_ready = true,
                                        .timeout = timeout ? timeout : raw_patience_ms() * OYEZ_MILLISECOND };
    oyez_stream *stream;
    assert_ok(oyez_stream_start(channel, &ends_talk, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    if (id)
        assert_int_equal(raw_await_request(p)->id, id);
    return stream;
}

static void expect_end(oyez_stream *stream, oyez_code code, const char *words)
{
    oyez_status status = OYEZ_STATUS_INIT;
    (void)oyez_stream_finish(stream, &status);
    if (status.code != code || !strstr(status.message, words))
        fail_msg("%s: %s, instead of %s: %s", oyez_code_name(status.code), status.message, oyez_code_name(code), words);
    oyez_status_fini(&status);
}

/* No message comes any more. */
static void expect_silence(oyez_stream *stream)
{
    const void *message;
    assert_false(oyez_stream_recv(stream, &message));
}

static void settle(void)
{
    raw_sync(p);
    raw_sleep_ms(20);
    raw_sync(p);
}

/* A thread that sends, and blocks when there is no room. */
typedef struct sender {
    oyez_stream *stream;
    pthread_t thread;
    size_t len;
    _Atomic(unsigned) sent;
    _Atomic(bool) ended;
} sender;

static void *send_until_it_fails(void *user)
{
    static uint8_t body[100000];
    sender *s = user;
    while (ends_say(s->stream, body, s->len))
        atomic_fetch_add(&s->sent, 1);
    atomic_store(&s->ended, true);
    return NULL;
}

/* Sends messages of 10,000 bytes until that fails; returns when there is no room any more. */
static void block(sender *s, oyez_stream *stream, size_t room)
{
    *s = (sender){ .stream = stream, .len = 10000 };
    assert_int_equal(pthread_create(&s->thread, NULL, send_until_it_fails, s), 0);
    if (room > 0)
        (void)raw_await_body(p, 1, room);
    E2E_UNTIL(atomic_load(&s->sent) > room / 10005);
    settle();
    assert_false(atomic_load(&s->ended));
}

static void await_sender(sender *s)
{
    E2E_UNTIL(atomic_load(&s->ended));
    pthread_join(s->thread, NULL);
}

/* --- half-close, in every order ---------------------------------------------------------------------------------- */

static void the_client_closes_first(void **state)
{
    (void)state;
    meet(NULL, 0, 0);
    oyez_stream *stream = talk(1, 0);
    assert_true(ends_say(stream, "hello", 5));
    (void)raw_await_body(p, 1, 10);
    assert_false(raw_find(p, 1)->ended);
    oyez_stream_close_send(stream);
    assert_true(raw_await(p, 1)->ended);
    assert_false(ends_say(stream, "more", 4));
    raw_respond(p, 1);
    raw_message(p, 1, "one", 3, 0);
    raw_message(p, 1, "two", 3, 0);
    ends_hear(stream, "one", 3);
    raw_status(p, 1, "0", NULL);
    ends_hear(stream, "two", 3);
    expect_silence(stream);
    expect_end(stream, OYEZ_OK, "");
    settle();
    assert_int_equal(p->resets, 0);
}

/* All is answered while the client has not finished: it gives the stream up, and its status is the server's. */
static void the_server_ends_first(void **state)
{
    (void)state;
    meet(NULL, 0, 0);
    oyez_stream *stream = talk(1, 0);
    assert_true(ends_say(stream, "hello", 5));
    (void)raw_await_body(p, 1, 10);
    raw_answer(p, 1, "bye", 3);
    ends_hear(stream, "bye", 3);
    expect_silence(stream);
    assert_false(ends_say(stream, "more", 4));
    expect_end(stream, OYEZ_OK, "");
    (void)RAW_UNTIL(p, raw_find(p, 1)->reset || raw_find(p, 1)->ended);
    assert_int_equal(raw_find(p, 1)->body.len, 10);
}

/* Ends that cross: trailers and END_STREAM pass each other. */
static void both_end_at_once(void **state)
{
    unsigned calls = raw_sanitized() ? 50 : 300;
    (void)state;
    meet(NULL, 0, 0);
    for (uint32_t id = 1; id < 2 * calls; id += 2) {
        oyez_stream *stream = talk(id, 0);
        raw_respond(p, id);
        raw_status(p, id, "0", NULL);
        oyez_stream_close_send(stream);
        expect_end(stream, OYEZ_OK, "");
        (void)raw_await(p, id);
    }
    assert_false(p->went_away);
}

static void trailers_only(void **state)
{
    (void)state;
    meet(NULL, 0, 0);
    oyez_stream *stream = talk(1, 0);
    raw_fields(p, 1, RAW_END, ":status", "200", "content-type", "application/grpc", "grpc-status", "7", "grpc-message",
               "not today", NULL);
    expect_silence(stream);
    expect_end(stream, OYEZ_PERMISSION_DENIED, "not today");
}

/* A server that has nothing more to hear says so behind its status; whatever it says then, the status stays. */
static void a_reset_behind_the_status(void **state)
{
    static const uint32_t codes[] = { OY_H2_NO_ERROR, OY_H2_CANCEL, OY_H2_INTERNAL_ERROR, OY_H2_REFUSED_STREAM };
    (void)state;
    meet(NULL, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        oyez_stream *stream = talk(2 * i + 1, 0);
        raw_respond(p, 2 * i + 1);
        raw_message(p, 2 * i + 1, "one", 3, 0);
        raw_status(p, 2 * i + 1, "9", "first things first");
        raw_rst(p, 2 * i + 1, codes[i]);
        raw_sync(p);
        ends_hear(stream, "one", 3);
        expect_silence(stream);
        expect_end(stream, OYEZ_FAILED_PRECONDITION, "first things first");
    }
    assert_false(p->went_away);
}

/* --- ends of a stream that is blocked ---------------------------------------------------------------------------- */

/* The server has decided while the client waits for room in the middle of a message. */
static void early_status(void **state)
{
    sender s;
    (void)state;
    meet(NULL, WIDTH, 12000);
    p->no_credit = true;
    oyez_stream *stream = talk(1, 0);
    block(&s, stream, 12000);
    raw_fields(p, 1, RAW_END, ":status", "200", "content-type", "application/grpc", "grpc-status", "7", "grpc-message",
               "not today", NULL);
    raw_rst(p, 1, OY_H2_NO_ERROR);
    await_sender(&s);
    expect_silence(stream);
    expect_end(stream, OYEZ_PERMISSION_DENIED, "not today");
    settle();
    assert_int_equal(raw_find(p, 1)->body.len, 12000);
}

/* A server for one stream at a time. The second call waits for the end of the first, which is blocked. */
static void its_place_is_free(sender *s, oyez_stream *stream, oyez_code code)
{
    oyez_stream *next = talk(0, 0);
    settle();
    assert_null(raw_find(p, 3));
    if (code == OYEZ_CANCELLED)
        oyez_stream_cancel(stream);
    assert_int_equal(raw_await_request(p)->id, 3);
    raw_expect_reset(p, 1, OY_H2_CANCEL);
    await_sender(s);
    expect_end(stream, code, "");
    raw_answer(p, 3, "here", 4);
    ends_hear(next, "here", 4);
    expect_end(next, OYEZ_OK, "");
}

static void cancel_on_a_zero_window(void **state)
{
    sender s;
    (void)state;
    meet(NULL, IDS, 1);
    raw_setting(p, WIDTH, 0);
    raw_sync(p);
    oyez_stream *stream = talk(1, 0);
    block(&s, stream, 0);
    its_place_is_free(&s, stream, OYEZ_CANCELLED);
    assert_int_equal(raw_find(p, 1)->body.len, 0);
}

static void deadline_on_a_zero_window(void **state)
{
    sender s;
    (void)state;
    meet(NULL, IDS, 1);
    raw_setting(p, WIDTH, 0);
    raw_sync(p);
    oyez_stream *stream = talk(1, raw_sanitized() ? 2 * OYEZ_SECOND : 500 * OYEZ_MILLISECOND);
    block(&s, stream, 0);
    its_place_is_free(&s, stream, OYEZ_DEADLINE_EXCEEDED);
}

/* The connection's window is what is full: the stream's own has room. */
static void cancel_on_a_full_connection(void **state)
{
    sender s;
    (void)state;
    meet(NULL, WIDTH, 1 << 20);
    p->no_credit = true;
    oyez_stream *stream = talk(1, 0);
    block(&s, stream, WINDOW);
    oyez_stream_cancel(stream);
    raw_expect_reset(p, 1, OY_H2_CANCEL);
    await_sender(&s);
    expect_end(stream, OYEZ_CANCELLED, "");
    /* what it had queued takes no room from the next */
    raw_window_update(p, 0, 10);
    oyez_stream *next = talk(3, 0);
    assert_true(ends_say(next, "hello", 5));
    (void)raw_await_body(p, 3, 10);
    assert_int_equal(raw_find(p, 1)->body.len, WINDOW);
    raw_answer(p, 3, "here", 4);
    ends_hear(next, "here", 4);
    expect_end(next, OYEZ_OK, "");
}

static void loss_on_a_zero_window(void **state)
{
    sender s;
    (void)state;
    meet(NULL, WIDTH, 12000);
    p->no_credit = true;
    oyez_stream *stream = talk(1, 0);
    block(&s, stream, 12000);
    raw_abort(p);
    p = NULL;
    await_sender(&s);
    expect_silence(stream);
    expect_end(stream, OYEZ_UNAVAILABLE, "");
}

/* --- windows of the server --------------------------------------------------------------------------------------- */

/* Smaller by SETTINGS while bytes are under way: below zero, and up again to the byte (RFC 9113 §6.9.2). */
static void a_window_below_zero(void **state)
{
    sender s;
    (void)state;
    meet(NULL, WIDTH, 50000);
    p->no_credit = true;
    oyez_stream *stream = talk(1, 0);
    block(&s, stream, 50000);
    raw_setting(p, WIDTH, 1000); /* -49,000 */
    raw_window_update(p, 0, 1 << 20);
    settle();
    raw_window_update(p, 1, 49000); /* 0 */
    settle();
    assert_int_equal(raw_find(p, 1)->body.len, 50000);
    raw_window_update(p, 1, 1);
    (void)raw_await_body(p, 1, 50001);
    settle();
    assert_int_equal(raw_find(p, 1)->body.len, 50001);
    raw_setting(p, WIDTH, 3000); /* 2,000 */
    (void)raw_await_body(p, 1, 52001);
    settle();
    assert_int_equal(raw_find(p, 1)->body.len, 52001);
    oyez_stream_cancel(stream);
    await_sender(&s);
    expect_end(stream, OYEZ_CANCELLED, "");
}

/* --- windows of ours --------------------------------------------------------------------------------------------- */

#define SMALL_WINDOWS                                                                                                  \
    OYEZ_CHANNEL_OPTIONS_INIT, .stream_window_bytes = WINDOW, .connection_window_bytes = WINDOW, .fixed_windows = true

/* Five bytes and 250 of padding in each frame: all of a frame counts, and all of it comes back. */
static void padding_counts(void **state)
{
    enum { LEN = 20000, PART = 5, PADDING = 250 };
    const oyez_channel_options options = { SMALL_WINDOWS };
    static uint8_t message[5 + LEN] = { 0, 0, 0, LEN >> 8, LEN & 0xff };
    uint8_t frame[1 + PART + PADDING] = { PADDING };
    (void)state;
    meet(&options, 0, 0);
    oyez_stream *stream = talk(1, 0);
    raw_respond(p, 1);
    for (size_t at = 0; at < sizeof(message); at += PART) {
        memcpy(frame + 1, message + at, PART);
        if (!RAW_UNTIL(p, raw_room(p, 1) >= sizeof(frame)))
            fail_msg("the window is not given back at byte %zu", at);
        raw_send_frame(p, OY_H2_FRAME_DATA, H2_FLAG_PADDED, 1, frame, sizeof(frame));
    }
    raw_status(p, 1, "0", NULL);
    ends_hear(stream, message + 5, LEN);
    expect_end(stream, OYEZ_OK, "");
    assert_true(p->sent > 15 * WINDOW);
}

/* A reply larger than the windows comes through; replies that nobody takes stop their stream alone, however they are
 * cut. */
static void credit_follows_the_reader(void **state)
{
    const oyez_channel_options options = { SMALL_WINDOWS };
    static uint8_t body[1 << 20];
    size_t messages = 0;
    (void)state;
    meet(&options, 0, 0);
    oyez_stream *slow = talk(1, 0);
    raw_respond(p, 1);
    for (; raw_room(p, 1) >= 10005 && messages < 100; messages++) {
        raw_upload(p, 1, body, 10000, 0, 4096);
        settle();
    }
    assert_in_range(messages, WINDOW / 10005, WINDOW / 10005 + 4);
    oyez_stream *quick = talk(3, 0);
    raw_respond(p, 3);
    raw_upload(p, 3, body, sizeof(body), 0, 16384);
    ends_hear(quick, body, sizeof(body));
    raw_status(p, 3, "0", NULL);
    expect_end(quick, OYEZ_OK, "");
    for (size_t i = 0; i < messages; i++)
        ends_hear(slow, body, 10000);
    raw_upload(p, 1, body, sizeof(body), 0, 16384);
    ends_hear(slow, body, sizeof(body));
    raw_status(p, 1, "0", NULL);
    expect_end(slow, OYEZ_OK, "");
}

OY_TEST_GROUP(e2e_ends_client, with_runtime(the_client_closes_first), with_runtime(the_server_ends_first),
              with_runtime(both_end_at_once), with_runtime(trailers_only), with_runtime(a_reset_behind_the_status),
              with_runtime(early_status), with_runtime(cancel_on_a_zero_window),
              with_runtime(deadline_on_a_zero_window), with_runtime(cancel_on_a_full_connection),
              with_runtime(loss_on_a_zero_window), with_runtime(a_window_below_zero), with_runtime(padding_counts),
              with_runtime(credit_follows_the_reader));

/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that no server has looked at begin again, with all that was sent before; those that one has looked at do not. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "call/call_pool.h"
#include "client/channel_impl.h"
#include "client_support.h"
#include "life_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

#define KIB 1024u

static oyez_runtime *runtime;
static oyez_channel *channel;
static int listener;
static char target[64];
static uint8_t bytes[300 * KIB];

static int setup(void **state)
{
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    uint16_t port;
    oy_leak_setup(state);
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    listener = raw_listen(&port);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    return oyez_runtime_new(&options, &runtime);
}

static int teardown(void **state)
{
    /* Nothing is kept for calls that are over. */
    assert_int_equal(oy_call_pool_replay(channel->settings.calls)->used, 0);
    channel = oyez_channel_unref(channel);
    close(listener);
    runtime = client_end_runtime(runtime);
    return oy_leak_teardown(state);
}

#define alone(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static raw_peer *connect_with(const oyez_channel_options *more, uint32_t initial_window)
{
    oyez_channel_options options = *more;
    options.size = sizeof(options);
    options.runtime = runtime;
    channel = client_open_with(&options, target);
    oyez_channel_connect(channel);
    raw_peer *peer = raw_server(listener, 4 /* INITIAL_WINDOW_SIZE */, initial_window, 0);
    client_await(channel, OYEZ_READY);
    return peer;
}

static raw_peer *connect_peer(void)
{
    const oyez_channel_options options = {0};
    return connect_with(&options, 1024 * KIB);
}

/* Where a message of the body begins. */
static const uint8_t *expect_message(const uint8_t *at, const void *data, size_t len)
{
    const uint8_t prefix[5] = {0, (uint8_t)(len >> 24), (uint8_t)(len >> 16), (uint8_t)(len >> 8), (uint8_t)len};
    assert_memory_equal(at, prefix, sizeof(prefix));
    assert_memory_equal(at + sizeof(prefix), data, len);
    return at + sizeof(prefix) + len;
}

/* "a", "bb" and 20,000 bytes: with their prefixes so many. */
#define THREE_BYTES (1 + 2 + 20000 + 15)

static void send_three(oyez_stream *stream)
{
    assert_true(life_send(stream, "a", 1));
    assert_true(life_send(stream, "bb", 2));
    assert_true(life_send(stream, bytes, 20000));
}

static void expect_three(raw_peer *peer, uint32_t id)
{
    const raw_stream *call = raw_await_body(peer, id, THREE_BYTES);
    assert_int_equal(call->body.len, THREE_BYTES);
    const uint8_t *at = expect_message(call->body.data, "a", 1);
    at = expect_message(at, "bb", 2);
    (void)expect_message(at, bytes, 20000);
}

static void end_well(raw_peer *peer, uint32_t id)
{
    assert_true(raw_respond(peer, id));
    assert_true(raw_status(peer, id, "0", NULL));
}

/* --- what is sent again ---------------------------------------------------------------------------- */

static void refused(void **state)
{
    raw_peer *peer = connect_peer();
    oyez_stream *stream = life_open(channel, &life_chat);
    (void)state;
    send_three(stream);
    expect_three(peer, 1);
    assert_true(raw_rst(peer, 1, OY_H2_REFUSED_STREAM));
    expect_three(peer, 3);
    assert_true(life_send(stream, "more", 4));
    (void)raw_await_body(peer, 3, THREE_BYTES + 9);
    assert_true(raw_respond(peer, 3));
    assert_true(raw_message(peer, 3, "hello", 5, 0));
    assert_true(life_expect(stream, "hello", 5));
    assert_true(life_send(stream, "last", 4)); /* answered: nothing is kept now */
    (void)raw_await_body(peer, 3, THREE_BYTES + 18);
    assert_true(raw_status(peer, 3, "0", NULL));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    raw_close(peer);
}

static void half_closed_again(void **state)
{
    raw_peer *peer = connect_peer();
    oyez_stream *stream = life_open(channel, &life_upload);
    (void)state;
    send_three(stream);
    oyez_stream_close_send(stream);
    (void)raw_await(peer, 1);
    expect_three(peer, 1);
    assert_true(raw_rst(peer, 1, OY_H2_REFUSED_STREAM));
    assert_true(raw_await(peer, 3)->ended);
    expect_three(peer, 3);
    raw_answer(peer, 3, "reply", 5);
    assert_true(life_expect(stream, "reply", 5));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    raw_close(peer);
}

/* Nothing but the half-close was sent. */
static void empty_stream_again(void **state)
{
    raw_peer *peer = connect_peer();
    oyez_stream *stream = life_open(channel, &life_chat);
    (void)state;
    oyez_stream_close_send(stream);
    (void)raw_await(peer, 1);
    assert_true(raw_rst(peer, 1, OY_H2_REFUSED_STREAM));
    assert_true(raw_await(peer, 3)->ended);
    end_well(peer, 3);
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    raw_close(peer);
}

static void above_the_goaway(void **state)
{
    raw_peer *old = connect_peer();
    oyez_stream *first = life_open(channel, &life_chat), *second;
    (void)state;
    send_three(first);
    expect_three(old, 1);
    second = life_open(channel, &life_chat);
    send_three(second);
    expect_three(old, 3);
    assert_true(raw_goaway(old, 1, OY_H2_NO_ERROR, "moving"));
    raw_peer *new = raw_server(listener, 4, 1024 * KIB, 0);
    expect_three(new, 1); /* the second one; the first goes on where it is */
    end_well(new, 1);
    assert_int_equal(oyez_stream_finish(second, NULL), OYEZ_OK);
    end_well(old, 1);
    assert_int_equal(oyez_stream_finish(first, NULL), OYEZ_OK);
    raw_close(old);
    raw_close(new);
}

/* --- in the middle of a message ------------------------------------------------------------------------ */

typedef struct sender {
    oyez_stream *stream;
    atomic_uint sent;
} sender;

static void *send_ten(void *user)
{
    sender *self = user;
    for (unsigned i = 0; i < 10; i++)
        if (life_send(self->stream, bytes + i, 10000))
            atomic_fetch_add(&self->sent, 1);
    oyez_stream_close_send(self->stream);
    return NULL;
}

/* The window is shut while the third message is on its way, and the sender waits to send the fourth. */
static void blocked_sender(void **state)
{
    const oyez_channel_options options = {0};
    raw_peer *peer = connect_with(&options, 25000);
    sender self = {.stream = life_open(channel, &life_upload)};
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, send_ten, &self), 0);
    peer->no_credit = true;
    (void)raw_await_body(peer, 1, 25000);
    assert_true(life_await(&self.sent, 3));
    raw_sleep_ms(20);
    assert_int_equal(atomic_load(&self.sent), 3);
    assert_true(raw_rst(peer, 1, OY_H2_REFUSED_STREAM));
    (void)raw_await_body(peer, 3, 25000); /* the same again, and no further */
    assert_int_equal(atomic_load(&self.sent), 3);
    assert_true(raw_window_update(peer, 0, 1000 * KIB));
    assert_true(raw_window_update(peer, 3, 1000 * KIB));
    const raw_stream *call = raw_await(peer, 3);
    assert_int_equal(call->body.len, 10 * 10005);
    const uint8_t *at = call->body.data;
    for (unsigned i = 0; i < 10; i++)
        at = expect_message(at, bytes + i, 10000);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(atomic_load(&self.sent), 10);
    raw_answer(peer, 3, "", 0);
    assert_int_equal(oyez_stream_finish(self.stream, NULL), OYEZ_OK);
    raw_close(peer);
}

/* It waited for a place behind the server's limit when the server went away: nothing of it had left. */
static void waiting_for_a_place(void **state)
{
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime};
    (void)state;
    channel = client_open_with(&options, target);
    oyez_channel_connect(channel);
    raw_peer *old = raw_server(listener, 3 /* MAX_CONCURRENT_STREAMS */, 1, 0);
    client_await(channel, OYEZ_READY);
    oyez_stream *first = life_open(channel, &life_chat), *second;
    (void)raw_await_request(old);
    second = life_open(channel, &life_chat);
    assert_true(life_send(second, "hello", 5)); /* on its way, as far as the sender knows */
    client_pause_ms(20);
    assert_true(raw_goaway(old, 1, OY_H2_NO_ERROR, ""));
    raw_peer *new = raw_server(listener, 0);
    (void)raw_await_body(new, 1, 10);
    assert_true(life_send(second, "world", 5));
    assert_int_equal(raw_await_body(new, 1, 20)->body.len, 20);
    end_well(new, 1);
    assert_int_equal(oyez_stream_finish(second, NULL), OYEZ_OK);
    end_well(old, 1);
    assert_int_equal(oyez_stream_finish(first, NULL), OYEZ_OK);
    raw_close(old);
    raw_close(new);
}

/* --- by events --------------------------------------------------------------------------------------------- */

typedef struct talk {
    unsigned to_send, sent, received;
    atomic_uint done;
    oyez_code code;
} talk;

static void talk_on(oyez_stream *stream, talk *self)
{
    if (self->to_send == 0)
        return;
    assert_true(life_send(stream, bytes + self->to_send, 10000));
    if (--self->to_send == 0)
        oyez_stream_close_send(stream);
}

static void talk_sent(oyez_stream *stream, void *user)
{
    talk *self = user;
    self->sent++;
    talk_on(stream, self);
}

static void talk_message(oyez_stream *stream, const void *message, void *user)
{
    talk *self = user;
    (void)message;
    self->received++;
    oyez_stream_request(stream, 1);
}

static void talk_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    talk *self = user;
    (void)stream;
    self->code = status->code;
    atomic_store(&self->done, 1);
}

typedef struct opening {
    talk *talk;
    oyez_stream *stream;
    atomic_uint done;
} opening;

static void open_on_loop(void *user)
{
    static const oyez_stream_events events = {OYEZ_STREAM_EVENTS_INIT, .on_sent = talk_sent,
                                              .on_message = talk_message, .on_done = talk_done};
    opening *self = user;
    assert_ok(oyez_stream_start(channel, &life_chat, NULL, NULL, NULL, &events, NULL, self->talk, &self->stream));
    oyez_stream_request(self->stream, 1);
    talk_on(self->stream, self->talk);
    atomic_store(&self->done, 1);
}

/* Each message is told to have left once, however often it has, and what was asked for is still asked for. */
static void events(void **state)
{
    const oyez_channel_options options = {0};
    raw_peer *peer = connect_with(&options, 25000);
    talk self = {.to_send = 10};
    opening open = {.talk = &self};
    (void)state;
    peer->no_credit = true;
    assert_ok(oyez_runtime_post(runtime, open_on_loop, &open));
    assert_true(life_await(&open.done, 1));
    (void)raw_await_body(peer, 1, 25000);
    assert_true(raw_rst(peer, 1, OY_H2_REFUSED_STREAM));
    (void)raw_await_body(peer, 3, 25000);
    /* The server answers before it has heard all that is sent again. */
    assert_true(raw_respond(peer, 3));
    assert_true(raw_message(peer, 3, "one", 3, 0));
    assert_true(raw_message(peer, 3, "two", 3, 0));
    assert_true(raw_window_update(peer, 0, 1000 * KIB));
    assert_true(raw_window_update(peer, 3, 1000 * KIB));
    const raw_stream *call = raw_await(peer, 3);
    assert_int_equal(call->body.len, 10 * 10005);
    const uint8_t *at = call->body.data;
    for (unsigned i = 10; i > 0; i--)
        at = expect_message(at, bytes + i, 10000);
    assert_true(raw_status(peer, 3, "0", NULL));
    assert_true(life_await(&self.done, 1));
    assert_int_equal(self.code, OYEZ_OK);
    assert_int_equal(self.sent, 10);
    assert_int_equal(self.received, 2);
    oyez_stream_unref(open.stream);
    raw_close(peer);
}

/* --- what is not sent again --------------------------------------------------------------------------------- */

static oyez_code finish(oyez_stream *stream, const char *words)
{
    oyez_status status = OYEZ_STATUS_INIT;
    const oyez_code code = oyez_stream_finish(stream, &status);
    if (words)
        assert_contains(status.message, words);
    oyez_status_fini(&status);
    return code;
}

static void only_once(void **state)
{
    raw_peer *peer = connect_peer();
    oyez_stream *stream = life_open(channel, &life_chat);
    (void)state;
    send_three(stream);
    expect_three(peer, 1);
    assert_true(raw_rst(peer, 1, OY_H2_REFUSED_STREAM));
    expect_three(peer, 3);
    assert_true(raw_rst(peer, 3, OY_H2_REFUSED_STREAM));
    assert_int_equal(finish(stream, "REFUSED_STREAM"), OYEZ_UNAVAILABLE);
    assert_null(raw_find(peer, 5));
    raw_close(peer);
}

static void other_resets_are_final(void **state)
{
    raw_peer *peer = connect_peer();
    oyez_stream *stream = life_open(channel, &life_chat);
    (void)state;
    send_three(stream);
    expect_three(peer, 1);
    assert_true(raw_rst(peer, 1, OY_H2_INTERNAL_ERROR));
    assert_int_equal(finish(stream, NULL), OYEZ_INTERNAL);
    raw_close(peer);
}

static void answered_ones_are_final(void **state)
{
    raw_peer *peer = connect_peer();
    oyez_stream *stream = life_open(channel, &life_chat);
    (void)state;
    send_three(stream);
    expect_three(peer, 1);
    assert_true(raw_respond(peer, 1));
    assert_true(raw_rst(peer, 1, OY_H2_REFUSED_STREAM));
    assert_int_equal(finish(stream, NULL), OYEZ_UNAVAILABLE);
    assert_null(raw_find(peer, 3));
    raw_close(peer);
}

static void too_much_of_it(void **state)
{
    raw_peer *peer = connect_peer();
    (void)state;
    for (uint32_t round = 1; round <= 2; round++) { /* in one message, or in two */
        oyez_stream *stream = life_open(channel, &life_chat);
        const uint32_t id = round * 2 - 1, each = 300 * KIB / round;
        for (uint32_t i = 1; i <= round; i++) {
            assert_true(life_send(stream, bytes, each));
            (void)raw_await_body(peer, id, i * (each + 5));
        }
        assert_true(raw_rst(peer, id, OY_H2_REFUSED_STREAM));
        assert_int_equal(finish(stream, "REFUSED_STREAM"), OYEZ_UNAVAILABLE);
    }
    raw_close(peer);
}

static void too_much_of_all(void **state)
{
    const oyez_channel_options options = {.retry_bytes = 50 * KIB, .retry_total_bytes = 60 * KIB};
    raw_peer *peer = connect_with(&options, 1024 * KIB);
    oyez_stream *first = life_open(channel, &life_chat), *second;
    (void)state;
    assert_true(life_send(first, bytes, 40 * KIB));
    (void)raw_await_body(peer, 1, 40 * KIB + 5);
    second = life_open(channel, &life_chat);
    assert_true(life_send(second, bytes, 40 * KIB));
    (void)raw_await_body(peer, 3, 40 * KIB + 5);
    assert_true(raw_rst(peer, 3, OY_H2_REFUSED_STREAM));
    assert_int_equal(finish(second, NULL), OYEZ_UNAVAILABLE);
    assert_true(raw_rst(peer, 1, OY_H2_REFUSED_STREAM));
    (void)raw_await_body(peer, 5, 40 * KIB + 5); /* the one that came first is sent again */
    end_well(peer, 5);
    assert_int_equal(finish(first, NULL), OYEZ_OK);
    raw_close(peer);
}

/* --- unary ---------------------------------------------------------------------------------------------------- */

static void on_reply(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    client_pending *pending = user;
    (void)call;
    (void)reply;
    pending->result.code = status->code;
    atomic_store(&pending->done, true);
}

static void unary(void **state)
{
    static const struct {
        size_t len;
        bool again;
    } cases[] = {{10, true}, {100 * KIB, true}, {256 * KIB, true}, {256 * KIB + 1, false}};
    raw_peer *peer = connect_peer();
    uint32_t id = 1;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++, id += 2) {
        client_pending pending = {0};
        const oyez_slice request = life_bytes(bytes, cases[i].len);
        assert_ok(oyez_unary_call_async(channel, &life_echo, NULL, NULL, &request, on_reply, &pending, &pending.call));
        (void)raw_await(peer, id);
        assert_true(raw_rst(peer, id, OY_H2_REFUSED_STREAM));
        if (cases[i].again) {
            id += 2;
            const raw_stream *call = raw_await(peer, id);
            assert_int_equal(call->body.len, cases[i].len + 5);
            (void)expect_message(call->body.data, bytes, cases[i].len);
            raw_answer(peer, id, "", 0);
        }
        assert_code(client_finish(&pending, NULL), cases[i].again ? OYEZ_OK : OYEZ_UNAVAILABLE);
    }
    raw_close(peer);
}

OY_TEST_GROUP(e2e_life_replay, alone(refused), alone(half_closed_again), alone(empty_stream_again),
              alone(above_the_goaway), alone(blocked_sender), alone(waiting_for_a_place), alone(events),
              alone(only_once), alone(other_resets_are_final), alone(answered_ones_are_final), alone(too_much_of_it),
              alone(too_much_of_all), alone(unary));

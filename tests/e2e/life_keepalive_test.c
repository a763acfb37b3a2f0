/* SPDX-License-Identifier: Apache-2.0 */
/* Keepalive against peers of plain sockets: those that answer, those that are silent, and those that have had enough. */
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "client/channel_impl.h"
#include "client_support.h"
#include "life_support.h"
#include "server/server_impl.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

#define MS OYEZ_MILLISECOND

static oyez_runtime *runtime;
static life_log lines;
static int listener;
static char target[64];

static int setup(void **state)
{
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    uint16_t port;
    oy_leak_setup(state);
    life_log_init(&lines);
    listener = raw_listen(&port);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    return oyez_runtime_new(&options, &runtime);
}

static int teardown(void **state)
{
    close(listener);
    runtime = client_end_runtime(runtime);
    return oy_leak_teardown(state);
}

#define alone(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* --- the client's ------------------------------------------------------------------------------- */

static oyez_channel *open_channel(oyez_duration time, oyez_duration timeout, bool without_calls)
{
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime,
                                          .log = life_log_sink(&lines), .backoff_base = 20 * MS,
                                          .backoff_max = 20 * MS};
    oyez_channel *channel = client_open_with(&options, target);
    life_config(channel)->life.keepalive = (oy_keepalive_config){time, timeout, without_calls};
    return channel;
}

/* Connects, and the peer's side of it. */
static raw_peer *connect_peer(oyez_channel *channel)
{
    oyez_channel_connect(channel);
    raw_peer *peer = raw_server(listener, 0);
    client_await(channel, OYEZ_READY);
    return peer;
}

static void dead_server(void **state)
{
    oyez_channel *channel = open_channel(60 * MS, 90 * MS, false);
    raw_peer *peer = connect_peer(channel);
    client_pending call;
    (void)state;
    client_start(&call, channel, false, 30 * OYEZ_SECOND);
    (void)raw_await_request(peer);
    const int64_t start = oy_now();
    const client_result result = client_finish(&call, NULL); /* the peer reads no more: PINGs wait in its socket */
    assert_code(result, OYEZ_UNAVAILABLE);
    assert_contains(result.words, "keepalive ping failed to receive ACK within timeout (0.09 s)");
    assert_contains(result.words, target + 5);
    assert_true(oy_now() - start >= 90 * MS);
    assert_true(oy_now() - start < 20 * OYEZ_SECOND);
    oyez_channel_unref(channel);
    raw_close(peer);
}

static void a_server_that_answers(void **state)
{
    oyez_channel *channel = open_channel(20 * MS, 2 * OYEZ_SECOND, false);
    raw_peer *peer = connect_peer(channel);
    client_pending call;
    (void)state;
    client_start(&call, channel, false, 30 * OYEZ_SECOND);
    raw_stream *stream = raw_await_request(peer);
    assert_true(RAW_UNTIL(peer, peer->pings >= 5));
    assert_false(peer->closed);
    raw_answer(peer, stream->id, "", 0);
    assert_code(client_finish(&call, NULL), OYEZ_OK);
    oyez_channel_unref(channel);
    raw_close(peer);
}

/* PINGs need no answer of their own. */
static void any_byte_is_life(void **state)
{
    oyez_channel *channel = open_channel(40 * MS, 400 * MS, false);
    raw_peer *peer = connect_peer(channel);
    client_pending call;
    (void)state;
    peer->no_acks = true;
    client_start(&call, channel, false, 30 * OYEZ_SECOND);
    raw_stream *stream = raw_await_request(peer);
    for (int i = 0; i < 40; i++) {
        (void)raw_window_update(peer, 0, 1);
        (void)raw_read(peer, 25);
    }
    assert_false(peer->closed);
    raw_answer(peer, stream->id, "", 0);
    assert_code(client_finish(&call, NULL), OYEZ_OK);
    oyez_channel_unref(channel);
    raw_close(peer);
}

static void no_pings_without_calls(void **state)
{
    oyez_channel *channel = open_channel(20 * MS, 20 * MS, false);
    raw_peer *peer = connect_peer(channel);
    client_pending call;
    (void)state;
    peer->no_acks = true;
    const int64_t limit = oy_now() + 300 * MS;
    while (oy_now() < limit)
        (void)raw_read(peer, 20);
    assert_int_equal(peer->pings, 0);
    assert_int_equal(oyez_channel_state(channel), OYEZ_READY);
    /* A call wakes it: a PING comes at once with it, and then the end. */
    client_start(&call, channel, false, 30 * OYEZ_SECOND);
    assert_true(RAW_UNTIL(peer, peer->pings >= 1));
    assert_code(client_finish(&call, NULL), OYEZ_UNAVAILABLE);
    oyez_channel_unref(channel);
    raw_close(peer);
}

static void pings_without_calls(void **state)
{
    oyez_channel *channel = open_channel(20 * MS, 60 * MS, true);
    raw_peer *peer = connect_peer(channel);
    (void)state;
    assert_true(RAW_UNTIL(peer, peer->pings >= 3));
    assert_int_equal(oyez_channel_state(channel), OYEZ_READY);
    peer->no_acks = true;
    client_await(channel, OYEZ_IDLE);
    assert_true(life_log_count(&lines, "keepalive ping failed") >= 1);
    oyez_channel_unref(channel);
    raw_close(peer);
}

/* gRFC A8: slower from then on, and said once for each step. */
static void backs_off_when_asked_to(void **state)
{
    oyez_channel *channel = open_channel(100 * MS, OYEZ_SECOND, true);
    raw_peer *first = connect_peer(channel);
    (void)state;
    (void)raw_goaway(first, 0, OY_H2_ENHANCE_YOUR_CALM, "too_many_pings");
    client_await(channel, OYEZ_IDLE);
    assert_int_equal(life_log_count(&lines, "keepalive_time is raised to 0.2 s"), 1);
    assert_int_equal(life_config(channel)->life.keepalive.time, 200 * MS);
    raw_await_close(first);
    raw_peer *second = connect_peer(channel);
    (void)raw_goaway(second, 0, OY_H2_ENHANCE_YOUR_CALM, "something else");
    client_await(channel, OYEZ_IDLE);
    assert_int_equal(life_config(channel)->life.keepalive.time, 200 * MS);
    raw_peer *third = connect_peer(channel);
    (void)raw_goaway(third, 0, OY_H2_NO_ERROR, "too_many_pings");
    client_await(channel, OYEZ_IDLE);
    assert_int_equal(life_config(channel)->life.keepalive.time, 200 * MS);
    raw_peer *fourth = connect_peer(channel);
    (void)raw_goaway(fourth, 0, OY_H2_ENHANCE_YOUR_CALM, "too_many_pings");
    client_await(channel, OYEZ_IDLE);
    assert_int_equal(life_config(channel)->life.keepalive.time, 400 * MS);
    assert_int_equal(life_log_count(&lines, "too_many_pings): keepalive_time is raised"), 2);
    oyez_channel_unref(channel);
    raw_close(first);
    raw_close(second);
    raw_close(third);
    raw_close(fourth);
}

static void sent_away_without_keepalive(void **state)
{
    oyez_channel *channel = open_channel(0, OYEZ_SECOND, false);
    raw_peer *peer = connect_peer(channel);
    (void)state;
    (void)raw_goaway(peer, 0, OY_H2_ENHANCE_YOUR_CALM, "too_many_pings");
    client_await(channel, OYEZ_IDLE);
    assert_int_equal(life_log_count(&lines, "keepalive is off"), 1);
    oyez_channel_unref(channel);
    raw_close(peer);
}

/* --- the server's --------------------------------------------------------------------------------- */

static void start_server(life_server *life, const oyez_server_options *more, oyez_duration time,
                         oyez_duration timeout)
{
    oyez_server_options options = *more;
    options.size = sizeof(options);
    options.runtime = runtime;
    options.log = life_log_sink(&lines);
    life_server_make(life, &options);
    life->server->options.keepalive_time = time;
    life->server->options.keepalive_timeout = timeout;
    life_server_start(life);
}

static void dead_client(void **state)
{
    const oyez_server_options options = {0};
    life_server life;
    (void)state;
    start_server(&life, &options, 40 * MS, 60 * MS);
    raw_peer *idle = raw_client(life.port), *busy = raw_client(life.port);
    idle->no_acks = busy->no_acks = true;
    assert_true(raw_request(busy, 1, life_hold.path));
    assert_true(life_await(&life.holds, 1));
    raw_await_close(idle);
    assert_true(life_await(&life.holds_over, 1)); /* the handler hears of it */
    raw_await_close(busy);
    raw_peer *alive = raw_client(life.port);
    assert_true(RAW_UNTIL(alive, alive->pings >= 3));
    assert_true(raw_call(alive, 1, life_echo.path, "hello", 5));
    raw_expect_ok(alive, 1, "hello", 5);
    raw_close(idle);
    raw_close(busy);
    raw_close(alive);
    life_server_end(&life);
}

static bool ping(raw_peer *peer)
{
    return RAW_SEND(peer, PING, 0, 0, "12345678");
}

/* With PINGs it asks for, and none for which it is sent away: how many were answered before. */
static unsigned answered_before_the_end(raw_peer *peer)
{
    for (unsigned i = 0; i < 20 && !peer->went_away; i++) {
        const uint32_t before = peer->ping_acks;
        if (!ping(peer))
            break;
        (void)RAW_UNTIL(peer, peer->ping_acks > before);
    }
    return peer->ping_acks;
}

static void too_many_pings(void **state)
{
    const oyez_server_options options = {0};
    life_server life;
    (void)state;
    start_server(&life, &options, OYEZ_FOREVER, OYEZ_SECOND);
    raw_peer *peer = raw_client(life.port);
    assert_int_equal(answered_before_the_end(peer), 4);
    raw_expect_goaway(peer, OY_H2_ENHANCE_YOUR_CALM);
    assert_string_equal(peer->goaway_words, "too_many_pings");
    assert_int_equal(life_log_count(&lines, "too many pings from the client"), 1);
    raw_close(peer);
    /* A call under way makes five minutes of the two hours, and no more. */
    peer = raw_client(life.port);
    assert_true(raw_request(peer, 1, life_hold.path));
    assert_true(life_await(&life.holds, 1));
    (void)RAW_UNTIL(peer, raw_find(peer, 1) && raw_find(peer, 1)->header_blocks == 1);
    assert_int_equal(answered_before_the_end(peer), 4); /* the first one, behind an answer, is free */
    raw_expect_goaway(peer, OY_H2_ENHANCE_YOUR_CALM);
    assert_true(life_await(&life.holds_over, 1));
    raw_close(peer);
    life_server_end(&life);
}

static void answers_forgive_pings(void **state)
{
    const oyez_server_options options = {0};
    life_server life;
    uint32_t id = 1;
    (void)state;
    start_server(&life, &options, OYEZ_FOREVER, OYEZ_SECOND);
    raw_peer *peer = raw_client(life.port);
    for (int i = 0; i < 10; i++, id += 2) {
        assert_true(ping(peer));
        assert_true(ping(peer));
        assert_true(raw_call(peer, id, life_echo.path, "x", 1));
        raw_expect_ok(peer, id, "x", 1);
    }
    assert_false(peer->went_away);
    raw_close(peer);
    life_server_end(&life);
}

static void a_patient_server(void **state)
{
    const oyez_server_options options = {.keepalive_min_time = 1, .keepalive_permit_without_calls = true};
    life_server life;
    (void)state;
    start_server(&life, &options, OYEZ_FOREVER, OYEZ_SECOND);
    raw_peer *peer = raw_client(life.port);
    for (int i = 0; i < 50; i++) {
        assert_true(ping(peer));
        assert_true(RAW_UNTIL(peer, peer->ping_acks == (uint32_t)i + 1));
        raw_sleep_ms(1);
    }
    assert_false(peer->went_away);
    raw_close(peer);
    life_server_end(&life);
}

/* Both ends ours: bandwidth probes and keepalive of a client are never too many for a strict server. */
static void our_own_pings_are_no_strikes(void **state)
{
    const oyez_server_options options = {0};
    const uint64_t bytes = 8u << 20;
    const oyez_slice request = life_bytes(&bytes, sizeof(bytes));
    life_server life;
    (void)state;
    start_server(&life, &options, 20 * MS, OYEZ_SECOND);
    snprintf(target, sizeof(target), "%s", life.target);
    oyez_channel *channel = open_channel(0, OYEZ_SECOND, false);
    for (int round = 0; round < 3; round++) {
        oyez_stream *stream;
        const void *message;
        uint64_t total = 0;
        assert_ok(oyez_stream_start(channel, &life_download, NULL, NULL, &request, NULL, NULL, NULL, &stream));
        while (oyez_stream_recv(stream, &message))
            total += ((const oyez_slice *)message)->len;
        assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
        assert_int_equal(total, bytes);
    }
    client_pause_ms(100); /* the server's PINGs meanwhile */
    assert_int_equal(oyez_channel_state(channel), OYEZ_READY);
    assert_int_equal(life_log_count(&lines, "too many pings"), 0);
    assert_int_equal(life_log_count(&lines, "connection lost"), 0);
    oyez_channel_unref(channel);
    life_server_end(&life);
}

/* --- a process that is stopped ------------------------------------------------------------------------- */

static void run_server(int to_parent)
{
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT};
    life_server life;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    life_server_make(&life, &options);
    life_server_start(&life);
    if (write(to_parent, &life.port, sizeof(life.port)) != sizeof(life.port))
        _exit(1);
    _exit(oyez_server_serve(life.server) ? 1 : 0);
}

/* B29: the kernel goes on to acknowledge what is sent to a stopped process; only keepalive sees it. */
static void stopped_server(void **state)
{
    int ends[2];
    uint16_t port;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork(); /* no thread yet but this one */
    assert_true(child >= 0);
    if (child == 0)
        run_server(ends[1]);
    assert_int_equal(read(ends[0], &port, sizeof(port)), sizeof(port));
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    setup(state);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);

    for (int idle = 0; idle < 2; idle++) {
        oyez_channel *channel = open_channel(300 * MS, 300 * MS, idle);
        oyez_stream *stream = life_open(channel, &life_chat);
        assert_true(life_send(stream, "hello", 5));
        assert_true(life_expect(stream, "hello", 5));
        if (idle)
            assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
        assert_int_equal(kill(child, SIGSTOP), 0);
        assert_int_equal(waitpid(child, NULL, WUNTRACED), child); /* all of its threads */
        const int64_t start = oy_now();
        if (idle)
            client_await(channel, OYEZ_IDLE);
        else
            assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_UNAVAILABLE);
        assert_true(oy_now() - start >= 300 * MS);
        assert_true(oy_now() - start < 15 * OYEZ_SECOND);
        assert_int_equal(kill(child, SIGCONT), 0);
        oyez_channel_unref(channel);
    }
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ends[0]);
    close(ends[1]);
    teardown(state);
}

OY_TEST_GROUP(e2e_life_keepalive, cmocka_unit_test(stopped_server), alone(dead_server),
              alone(a_server_that_answers), alone(any_byte_is_life), alone(no_pings_without_calls),
              alone(pings_without_calls), alone(backs_off_when_asked_to), alone(sent_away_without_keepalive),
              alone(dead_client), alone(too_many_pings), alone(answers_forgive_pings), alone(a_patient_server),
              alone(our_own_pings_are_no_strikes));

/* SPDX-License-Identifier: Apache-2.0 */
/* Windows that grow with bandwidth and delay, and those that do not. */
#include <stdio.h>
#include <unistd.h>

#include "client_support.h"
#include "life_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

#define MIB (1024u * 1024u)

static oyez_runtime *runtime;
static const uint8_t zeros[256 * 1024];

static int setup(void **state)
{
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    oy_leak_setup(state);
    return oyez_runtime_new(&options, &runtime);
}

static int teardown(void **state)
{
    runtime = client_end_runtime(runtime);
    return oy_leak_teardown(state);
}

#define alone(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static raw_peer *start(life_server *life, const oyez_server_options *more)
{
    oyez_server_options options = *more;
    options.size = sizeof(options);
    options.runtime = runtime;
    options.keepalive_min_time = 1; /* raw_sync is a PING */
    life_server_make(life, &options);
    life_server_start(life);
    raw_peer *peer = raw_client(life->port);
    assert_true(raw_request(peer, 1, life_sink.path));
    return peer;
}

/* Without a look at the windows: the server takes everything as it comes, so they never shut. */
static void upload(raw_peer *peer, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i += sizeof(zeros)) {
        if (raw_message(peer, 1, zeros, sizeof(zeros), 0))
            continue;
        (void)raw_read(peer, 100);
        fail_msg("the server takes no more: %s", peer->goaway_words);
    }
}

static void grow(void **state)
{
    const oyez_server_options options = {0};
    life_server life;
    (void)state;
    raw_peer *peer = start(&life, &options);
    assert_int_equal(peer->initial_window, MIB);
    /* A PING is answered when the peer reads: what it sends before is what it seems that the way can hold. How far they grow
     * is a matter of luck on a busy machine; bdp_test.c knows it exactly. */
    for (int i = 0; i < 200 && peer->initial_window == MIB; i++) {
        upload(peer, 4 * MIB);
        raw_sync(peer);
    }
    assert_true(peer->initial_window > MIB + MIB / 4);
    assert_true(peer->initial_window <= 16 * MIB);
    assert_true(peer->pings > 0);
    upload(peer, 4 * MIB); /* which is as good as the old ones */
    raw_sync(peer);
    raw_close(peer);
    life_server_end(&life);
}

static void fixed(void **state)
{
    const oyez_server_options options = {.fixed_windows = true};
    life_server life;
    (void)state;
    raw_peer *peer = start(&life, &options);
    upload(peer, 24 * MIB);
    raw_sync(peer);
    assert_int_equal(peer->initial_window, MIB);
    assert_int_equal(peer->pings, 0);
    assert_int_equal(peer->settings, 1);
    raw_close(peer);
    life_server_end(&life);
}

/* A client that does not answer gets one PING, and its windows stay. */
static void one_ping_at_a_time(void **state)
{
    const oyez_server_options options = {0};
    life_server life;
    (void)state;
    raw_peer *peer = start(&life, &options);
    peer->no_acks = true;
    upload(peer, 16 * MIB);
    raw_sync(peer);
    assert_int_equal(peer->pings, 1);
    assert_int_equal(peer->initial_window, MIB);
    raw_close(peer);
    life_server_end(&life);
}

/* A connection of small calls is not probed at all. */
static void small_calls_are_left_alone(void **state)
{
    const oyez_server_options options = {0};
    life_server life;
    (void)state;
    raw_peer *peer = start(&life, &options);
    for (uint32_t id = 3; id < 403; id += 2) {
        assert_true(raw_call(peer, id, life_echo.path, zeros, 100));
        raw_expect_ok(peer, id, zeros, 100);
    }
    assert_int_equal(peer->pings, 0);
    raw_close(peer);
    life_server_end(&life);
}

/* While half of the memory is in use, nobody is invited to use more. */
static void not_without_memory(void **state)
{
    const oyez_server_options options = {.max_buffered_bytes = 2 * MIB};
    life_server life;
    (void)state;
    raw_peer *peer = start(&life, &options);
    /* A message of which the end does not come holds 1.5 MiB. */
    const uint32_t length = 3 * MIB;
    const uint8_t prefix[5] = {0, (uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8),
                               (uint8_t)length};
    assert_true(raw_request(peer, 3, life_upload.path));
    assert_true(raw_send_frame(peer, OY_H2_FRAME_DATA, 0, 3, prefix, sizeof(prefix)));
    for (uint32_t i = 0; i < MIB + MIB / 2; i += 16384)
        assert_true(raw_send_frame(peer, OY_H2_FRAME_DATA, 0, 3, zeros, 16384));
    raw_sync(peer);
    const uint32_t settings = peer->settings, pings = peer->pings;
    upload(peer, 8 * MIB);
    raw_sync(peer);
    assert_true(peer->pings > pings);
    assert_int_equal(peer->settings, settings);
    raw_close(peer);
    life_server_end(&life);
}

/* The client's side of it, and its option. */
static void clients_grow_too(void **state)
{
    uint16_t port;
    char target[64];
    const int listener = raw_listen(&port);
    (void)state;
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    for (int fixed_windows = 0; fixed_windows < 2; fixed_windows++) {
        const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime,
                                              .fixed_windows = fixed_windows};
        const oyez_slice request = life_bytes("x", 1);
        oyez_channel *channel = client_open_with(&options, target);
        oyez_stream *stream;
        uint64_t sent = 0;
        oyez_channel_connect(channel);
        raw_peer *peer = raw_server(listener, 0);
        assert_ok(oyez_stream_start(channel, &life_download, NULL, NULL, &request, NULL, NULL, NULL, &stream));
        raw_stream *call = raw_await_request(peer);
        assert_true(raw_respond(peer, call->id));
        for (int i = 0; i < 100 && peer->initial_window < 4 * MIB; i++) {
            const void *message;
            sent += sizeof(zeros);
            assert_true(RAW_UNTIL(peer, 65535 + peer->connection_credit >= sent + MIB / 4));
            assert_true(raw_message(peer, call->id, zeros, sizeof(zeros), 0));
            assert_true(oyez_stream_recv(stream, &message));
        }
        if (fixed_windows) {
            assert_int_equal(peer->pings, 0);
            assert_int_equal(peer->initial_window, MIB);
        } else {
            assert_true(peer->initial_window >= 2 * MIB);
            assert_true(peer->pings > 0);
        }
        assert_true(raw_status(peer, call->id, "0", NULL));
        assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
        oyez_channel_unref(channel);
        raw_close(peer);
    }
    close(listener);
}

OY_TEST_GROUP(e2e_life_window, alone(grow), alone(fixed), alone(one_ping_at_a_time),
              alone(small_calls_are_left_alone), alone(not_without_memory), alone(clients_grow_too));

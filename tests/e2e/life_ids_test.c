/* SPDX-License-Identifier: Apache-2.0 */
/* Stream ids that run out: the connection ends in peace, and the next one takes over. */
#include <stdio.h>
#include <unistd.h>

#include "client/channel_impl.h"
#include "client_support.h"
#include "life_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"
#include "transport/transport.h"

static oyez_runtime *runtime;

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

static void a_new_connection(void **state)
{
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime};
    life_server life;
    (void)state;
    life_server_make(&life, &options);
    life_server_start(&life);
    oyez_channel *channel = client_open(runtime, life.target);
    life_config(channel)->h2.first_stream_id = OYEZ_LIMIT_LAST_STREAM_ID - 4; /* three calls for each connection */
    oyez_stream *first = life_open(channel, &life_chat);
    assert_true(life_send(first, "a", 1));
    assert_true(life_expect(first, "a", 1));
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(life_call(channel, "hello", 5, NULL), OYEZ_OK);
    assert_true(life_send(first, "b", 1)); /* goes on where it is */
    assert_true(life_expect(first, "b", 1));
    assert_int_equal(oyez_stream_finish(first, NULL), OYEZ_OK);
    assert_int_equal(atomic_load(&life.echoes), 20);
    oyez_channel_unref(channel);
    life_server_end(&life);
}

/* By the wire: the last id, then GOAWAY and the end when its call is over, and meanwhile the next connection. */
static void the_old_one_drains(void **state)
{
    uint16_t port;
    char target[64];
    client_pending calls[3];
    const int listener = raw_listen(&port);
    (void)state;
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    oyez_channel *channel = client_open(runtime, target);
    life_config(channel)->last_stream_id = 3;
    client_start(&calls[0], channel, false, 0);
    raw_peer *old = raw_server(listener, 0);
    const uint32_t first = raw_await_request(old)->id;
    assert_int_equal(first, 1);
    client_start(&calls[1], channel, false, 0);
    const uint32_t second = raw_await_request(old)->id;
    assert_int_equal(second, 3);
    client_start(&calls[2], channel, false, 0);
    raw_peer *new = raw_server(listener, 0);
    const uint32_t third = raw_await_request(new)->id;
    assert_int_equal(third, 1);
    raw_answer(old, second, "", 0);
    assert_code(client_finish(&calls[1], NULL), OYEZ_OK);
    assert_false(old->went_away);
    raw_answer(old, first, "", 0);
    assert_code(client_finish(&calls[0], NULL), OYEZ_OK);
    raw_await_close(old);
    assert_true(old->went_away);
    raw_answer(new, third, "", 0);
    assert_code(client_finish(&calls[2], NULL), OYEZ_OK);
    assert_int_equal(oyez_channel_state(channel), OYEZ_READY);
    oyez_channel_unref(channel);
    raw_close(old);
    raw_close(new);
    close(listener);
}

/* Those that wait for a place behind the server's limit move on, too. */
static void waiting_calls_move(void **state)
{
    uint16_t port;
    char target[64];
    client_pending calls[4];
    const int listener = raw_listen(&port);
    (void)state;
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    oyez_channel *channel = client_open(runtime, target);
    life_config(channel)->last_stream_id = 3;
    oyez_channel_connect(channel);
    raw_peer *old = raw_server(listener, 3 /* MAX_CONCURRENT_STREAMS */, 1, 0);
    client_await(channel, OYEZ_READY);
    for (int i = 0; i < 4; i++)
        client_start(&calls[i], channel, true, 0);
    for (int i = 0; i < 2; i++) { /* one after the other, and then the ids are gone */
        raw_stream *stream = raw_await_request(old);
        raw_answer(old, stream->id, "", 0);
        assert_code(client_finish(&calls[i], NULL), OYEZ_OK);
    }
    raw_peer *new = raw_server(listener, 0);
    for (int i = 2; i < 4; i++) {
        raw_stream *stream = raw_await_request(new);
        raw_answer(new, stream->id, "", 0);
        assert_code(client_finish(&calls[i], NULL), OYEZ_OK);
    }
    raw_await_close(old);
    oyez_channel_unref(channel);
    raw_close(old);
    raw_close(new);
    close(listener);
}

OY_TEST_GROUP(e2e_life_ids, alone(a_new_connection), alone(the_old_one_drains), alone(waiting_calls_move));

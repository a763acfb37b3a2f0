/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that a server ends because they are idle, or old. */
#include "base/clock.h"
#include "client_support.h"
#include "life_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

#define MS OYEZ_MILLISECOND

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

static void start(life_server *life, oyez_duration idle, oyez_duration age, oyez_duration grace)
{
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime, .max_connection_idle = idle,
                                         .max_connection_age = age, .max_connection_age_grace = grace};
    life_server_make(life, &options);
    life_server_start(life);
}

static void idle_ones_end(void **state)
{
    life_server life;
    (void)state;
    const int64_t begin = oy_now();
    start(&life, 150 * MS, 0, 0);
    raw_peer *peer = raw_client(life.port);
    raw_await_close(peer);
    assert_true(oy_now() - begin >= 150 * MS);
    assert_true(peer->went_away);
    assert_int_equal(peer->goaway_code, OY_H2_NO_ERROR);
    assert_string_equal(peer->goaway_words, "max_idle");
    assert_int_equal(peer->pings, 1); /* between the two GOAWAYs */
    raw_close(peer);
    life_server_end(&life);
}

static void calls_keep_it_from_idling(void **state)
{
    life_server life;
    (void)state;
    start(&life, 60 * MS, 0, 0);
    raw_peer *peer = raw_client(life.port);
    assert_true(raw_request(peer, 1, life_hold.path));
    for (int i = 0; i < 10; i++)
        (void)raw_read(peer, 30);
    assert_false(peer->went_away);
    const int64_t begin = oy_now();
    assert_true(raw_rst(peer, 1, OY_H2_CANCEL));
    raw_await_close(peer);
    assert_true(oy_now() - begin >= 60 * MS); /* counts from the end of the last call */
    assert_string_equal(peer->goaway_words, "max_idle");
    raw_close(peer);
    life_server_end(&life);
}

static void old_ones_end(void **state)
{
    life_server life;
    (void)state;
    const int64_t begin = oy_now();
    start(&life, 0, 100 * MS, 200 * MS);
    raw_peer *peer = raw_client(life.port);
    assert_true(raw_request(peer, 1, life_hold.path));
    assert_true(life_await(&life.holds, 1));
    assert_true(RAW_UNTIL(peer, peer->went_away));
    assert_true(oy_now() - begin >= 90 * MS);
    assert_string_equal(peer->goaway_words, "max_age");
    assert_int_equal(peer->goaway_code, OY_H2_NO_ERROR);
    assert_true(RAW_UNTIL(peer, peer->goaway_last_id == 1)); /* the second one */
    assert_int_equal(atomic_load(&life.holds_over), 0);      /* the call goes on ... */
    raw_await_close(peer);
    assert_true(oy_now() - begin >= 290 * MS); /* ... for the grace */
    assert_true(life_await(&life.holds_over, 1));
    raw_close(peer);
    life_server_end(&life);
}

static void without_grace_calls_go_on(void **state)
{
    life_server life;
    (void)state;
    start(&life, 0, 40 * MS, 0);
    raw_peer *peer = raw_client(life.port);
    assert_true(raw_request(peer, 1, life_chat.path));
    assert_true(RAW_UNTIL(peer, peer->goaway_last_id == 1));
    for (int i = 0; i < 5; i++)
        (void)raw_read(peer, 40);
    assert_false(peer->closed);
    assert_true(raw_message(peer, 1, "still here", 10, RAW_END));
    raw_expect_ok(peer, 1, "still here", 10);
    raw_await_close(peer);
    raw_close(peer);
    life_server_end(&life);
}

/* The client moves from one connection to the next, and no call notices. */
static void nobody_notices(void **state)
{
    life_server life;
    unsigned calls = 0;
    (void)state;
    start(&life, 0, 50 * MS, 5 * OYEZ_SECOND);
    oyez_channel *channel = client_open(runtime, life.target);
    const int64_t limit = oy_now() + 600 * MS;
    while (oy_now() < limit) {
        oyez_status status = OYEZ_STATUS_INIT;
        if (life_call(channel, "hello", 5, &status) != OYEZ_OK)
            fail_msg("call %u: %s", calls, status.message);
        oyez_status_fini(&status);
        calls++;
    }
    assert_int_equal(atomic_load(&life.echoes), calls);
    oyez_channel_unref(channel);
    life_server_end(&life);
}

OY_TEST_GROUP(e2e_life_age, alone(idle_ones_end), alone(calls_keep_it_from_idling), alone(old_ones_end),
              alone(without_grace_calls_go_on), alone(nobody_notices));

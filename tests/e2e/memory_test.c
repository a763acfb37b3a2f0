/* SPDX-License-Identifier: Apache-2.0 */
/* Whole calls while one allocation after another fails: each ends soon, in words, and the next call is served. */
#include <stdio.h>

#include <oyez/inproc.h>

#include "client_support.h"
#include "life_support.h"
#include "support/leak.h"
#include "support/test.h"

/* The address is taken, and clients get in: to start without a listener would leave them waiting for nobody. */
static void a_listener_without_memory(void **state)
{
    static life_log log;
    const oyez_runtime_options one_loop = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    oyez_runtime *runtime;
    life_server life;
    (void)state;
    life_log_init(&log);
    assert_ok(oyez_runtime_new(&one_loop, &runtime));
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime, .log = life_log_sink(&log)};
    life_server_make(&life, &options);
    assert_ok(oyez_server_listen(life.server, "127.0.0.1:0", oyez_insecure(), &life.port));
    oy_fail_after(1);
    assert_ok(oyez_server_start(life.server));
    for (unsigned i = 0; i < 5000 && !oy_fail_triggered(); i++)
        client_pause_ms(1);
    assert_true(oy_fail_triggered());
    snprintf(life.target, sizeof(life.target), "ipv4:127.0.0.1:%u", life.port);
    oyez_channel *channel = client_open(runtime, life.target);
    assert_int_equal(life_call(channel, "a", 1, NULL), OYEZ_OK);
    assert_int_equal(life_log_count(&log, "cannot accept a connection"), 1);
    oyez_channel_unref(channel);
    life_server_end(&life);
    client_end_runtime(runtime);
}

/* --- calls --------------------------------------------------------------------------------------------------------------- */

static char large[100000];

static oyez_code call_small(oyez_channel *channel, oyez_status *status)
{
    return life_call(channel, "abc", 3, status);
}

static oyez_code call_large(oyez_channel *channel, oyez_status *status)
{
    return life_call(channel, large, sizeof(large), status);
}

/* Messages one by one, each in a pass of the loop of its own. */
static oyez_code talk(oyez_channel *channel, oyez_status *status)
{
    static const oyez_call_options patience = {OYEZ_CALL_OPTIONS_INIT, .timeout = 60 * OYEZ_SECOND};
    const void *message;
    oyez_stream *stream;
    if (oyez_stream_start(channel, &life_chat, NULL, &patience, NULL, NULL, NULL, NULL, &stream))
        return oyez_status_setf(status, OYEZ_RESOURCE_EXHAUSTED, "not started");
    for (unsigned i = 0; i < 3; i++)
        if (!life_send(stream, "abc", 3) || !oyez_stream_recv(stream, &message))
            break;
    return oyez_stream_finish(stream, status);
}

/* The handler answers on the loop, with a status alone. */
static oyez_code sink(oyez_channel *channel, oyez_status *status)
{
    static const oyez_call_options patience = {OYEZ_CALL_OPTIONS_INIT, .timeout = 60 * OYEZ_SECOND};
    oyez_stream *stream;
    if (oyez_stream_start(channel, &life_sink, NULL, &patience, NULL, NULL, NULL, NULL, &stream))
        return oyez_status_setf(status, OYEZ_RESOURCE_EXHAUSTED, "not started");
    (void)life_send(stream, "abc", 3);
    return oyez_stream_finish(stream, status);
}

/* One allocation fails, from the first of the call (and of its connection) to the last. */
static void walk(oyez_code (*call)(oyez_channel *channel, oyez_status *status), bool inproc)
{
    const oyez_runtime_options one_loop = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    bool triggered = true;
    for (unsigned n = 1; triggered; n++) {
        oyez_status status = OYEZ_STATUS_INIT;
        oyez_runtime *runtime, *server_runtime;
        oyez_channel *channel;
        life_server life;
        assert_ok(oyez_runtime_new(&one_loop, &runtime));
        assert_ok(oyez_runtime_new(&one_loop, &server_runtime));
        const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = server_runtime};
        const oyez_channel_options of_channel = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime};
        life_server_make(&life, &options);
        life_server_start(&life);
        if (inproc)
            assert_ok(oyez_server_connect(life.server, &of_channel, &channel));
        else
            channel = client_open(runtime, life.target);
        const oyez_duration before = oyez_now();
        oy_fail_after(n);
        const oyez_code code = call(channel, &status);
        triggered = oy_fail_triggered();
        oy_fail_after(0);
        if (oyez_now() - before > 20 * OYEZ_SECOND)
            fail_msg("allocation %u: the call hangs", n);
        if (code == OYEZ_OK ? false : !triggered || (code != OYEZ_RESOURCE_EXHAUSTED && code != OYEZ_UNAVAILABLE &&
                                                     code != OYEZ_INTERNAL))
            fail_msg("allocation %u: %s %s", n, oyez_code_name(code), status.message);
        oyez_status_fini(&status);
        oyez_channel_unref(channel);
        life_server_end(&life);
        client_end_runtime(runtime);
        client_end_runtime(server_runtime);
    }
}

static void calls_by_tcp(void **state)
{
    (void)state;
    walk(call_small, false);
    walk(call_large, false);
    walk(talk, false);
    walk(sink, false);
}

static void calls_in_process(void **state)
{
    (void)state;
    walk(call_small, true);
    walk(call_large, true);
    walk(talk, true);
    walk(sink, true);
}

OY_TEST_GROUP(e2e_memory, oy_leak_test(a_listener_without_memory), oy_leak_test(calls_by_tcp), oy_leak_test(calls_in_process));

/* SPDX-License-Identifier: Apache-2.0 */
/* A channel's states, and its end: closed, let go, or left behind in a child. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "client_peer.h"
#include "client_support.h"
#include "io/io.h"
#include "support/leak.h"
#include "support/test.h"

#define MS OYEZ_MILLISECOND

#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#endif

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

#define with_runtime(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* --- states ---------------------------------------------------------------------------------- */

static void names(void **state)
{
    (void)state;
    assert_string_equal(oyez_connectivity_name(OYEZ_IDLE), "IDLE");
    assert_string_equal(oyez_connectivity_name(OYEZ_SHUTDOWN), "SHUTDOWN");
    assert_string_equal(oyez_connectivity_name((oyez_connectivity)77), "UNKNOWN_STATE");
}

static void there_and_back(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    const int64_t start = oy_now();
    (void)state;
    assert_int_equal(oyez_channel_state(channel), OYEZ_IDLE);
    assert_true(oyez_channel_wait_for_state_change(channel, OYEZ_READY, 0));
    assert_false(oyez_channel_wait_for_state_change(channel, OYEZ_IDLE, 0));
    assert_false(oyez_channel_wait_for_state_change(channel, OYEZ_IDLE,
                                                    30 * MS)); /* nothing connects by itself */
    assert_true(oy_now() - start >= 30 * MS);
    assert_int_equal(client_peer_connections(peer), 0);
    oyez_channel_connect(channel);
    client_await(channel, OYEZ_READY);
    client_peer_drop(peer);
    client_await(channel, OYEZ_IDLE);
    assert_false(oyez_channel_wait_for_state_change(channel, OYEZ_IDLE, 30 * MS));
    assert_code(client_call(channel, false, 0), OYEZ_OK); /* a call brings it back */
    assert_int_equal(oyez_channel_state(channel), OYEZ_READY);
    assert_int_equal(client_peer_connections(peer), 2);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

static void failing_and_back(void **state)
{
    char address[64];
    client_peer *peer;
    oyez_channel *channel;
    (void)state;
    snprintf(address, sizeof(address), "127.0.0.1:%u", client_peer_free_port());
    channel = client_open(runtime, address);
    oyez_channel_connect(channel);
    client_await(channel, OYEZ_TRANSIENT_FAILURE);
    /* it tries again, and the state stays */
    assert_false(oyez_channel_wait_for_state_change(channel, OYEZ_TRANSIENT_FAILURE, 100 * MS));
    peer = client_peer_start(address, PEER_ANSWERS);
    client_await(channel, OYEZ_READY); /* without a call */
    client_peer_stop(peer);
    client_await(channel, OYEZ_IDLE);
    assert_code(client_call(channel, false, 0), OYEZ_UNAVAILABLE);
    oyez_channel_unref(channel);
}

static void goaway(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_HOLDS);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    client_pending under_way, later;
    (void)state;
    client_start(&under_way, channel, false, 0);
    while (client_peer_calls(peer) < 1)
        client_pause_ms(1);
    client_peer_goaway(peer);
    client_await(channel, OYEZ_IDLE);
    client_start(&later, channel, false, 0);
    while (client_peer_calls(peer) < 2)
        client_pause_ms(1);
    assert_int_equal(client_peer_connections(peer), 2);
    assert_false(atomic_load(&under_way.done)); /* it lives on where it is */
    oyez_call_cancel(under_way.call);
    assert_code(client_finish(&under_way, NULL), OYEZ_CANCELLED);
    assert_int_equal(oyez_channel_state(channel), OYEZ_READY);
    oyez_channel_close(channel);
    assert_code(client_finish(&later, NULL), OYEZ_CANCELLED);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

typedef struct watching {
    oyez_channel *channel;
    oyez_connectivity from;
    bool changed;
} watching;

static void *watch(void *user)
{
    watching *self = user;
    self->changed = oyez_channel_wait_for_state_change(self->channel, self->from, 5 * OYEZ_SECOND);
    return NULL;
}

static void several_watchers(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    pthread_t threads[4];
    watching each[4];
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        each[i] = (watching){channel, OYEZ_IDLE, false};
        assert_int_equal(pthread_create(&threads[i], NULL, watch, &each[i]), 0);
    }
    client_pause_ms(10);
    oyez_channel_connect(channel);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(each[i].changed);
    }
    client_await(channel, OYEZ_READY);
    each[0] = (watching){channel, OYEZ_READY, false};
    assert_int_equal(pthread_create(&threads[0], NULL, watch, &each[0]), 0);
    client_pause_ms(5);
    oyez_channel_close(channel);
    assert_int_equal(pthread_join(threads[0], NULL), 0);
    assert_true(each[0].changed);
    assert_int_equal(oyez_channel_state(channel), OYEZ_SHUTDOWN);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

static void on_loop(void *user)
{
    watching *self = user;
    self->changed = oyez_channel_wait_for_state_change(self->channel, OYEZ_IDLE, OYEZ_FOREVER);
    oy_event_set((oy_event *)(void *)(self + 1));
}

static void not_on_a_loop_thread(void **state)
{
    struct {
        watching self;
        oy_event done;
    } test = {.self = {.channel = client_open(runtime, "127.0.0.1:1"), .changed = true}};
    (void)state;
    oy_event_init(&test.done);
    assert_ok(oyez_runtime_post(runtime, on_loop, &test));
    assert_ok(oy_runtime_wait(runtime, &test.done, OYEZ_FOREVER));
    assert_false(test.self.changed);
    oyez_channel_unref(test.self.channel);
}

/* --- the end --------------------------------------------------------------------------------- */

static void close_while_connecting(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_SILENT);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    client_pending fast, patient;
    client_result result;
    (void)state;
    client_start(&fast, channel, false, 0);
    client_start(&patient, channel, true, 0);
    while (client_peer_connections(peer) < 1)
        client_pause_ms(1);
    oyez_channel_close(channel);
    assert_int_equal(oyez_channel_state(channel), OYEZ_SHUTDOWN);
    assert_code(client_finish(&fast, NULL), OYEZ_CANCELLED);
    result = client_finish(&patient, NULL);
    assert_code(result, OYEZ_CANCELLED);
    assert_string_equal(result.words, "the channel is closed");
    result = client_call(channel, true, 0);
    assert_code(result, OYEZ_CANCELLED);
    assert_string_equal(result.words, "the channel is closed");
    oyez_channel_close(channel);
    oyez_channel_connect(channel);
    assert_int_equal(oyez_channel_state(channel), OYEZ_SHUTDOWN);
    assert_false(oyez_channel_wait_for_state_change(channel, OYEZ_SHUTDOWN, 10 * MS));
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

static void close_with_calls(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_HOLDS);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    client_pending calls[20];
    (void)state;
    for (size_t i = 0; i < 20; i++)
        client_start(&calls[i], channel, false, 0);
    while (client_peer_calls(peer) < 20)
        client_pause_ms(1);
    oyez_channel_close(channel);
    for (size_t i = 0; i < 20; i++) {
        const client_result result = client_finish(&calls[i], NULL);
        assert_code(result, OYEZ_CANCELLED);
        assert_string_equal(result.words, "the channel is closed");
    }
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

static void let_go_with_calls(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_HOLDS);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    client_pending call;
    (void)state;
    client_start(&call, channel, false, 0);
    channel = oyez_channel_unref(channel);
    assert_null(channel);
    while (client_peer_calls(peer) < 1) /* the call holds the channel */
        client_pause_ms(1);
    oyez_call_cancel(call.call);
    assert_code(client_finish(&call, NULL), OYEZ_CANCELLED);
    client_peer_stop(peer);
}

static void let_go_early(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        oyez_channel *channel =
            client_open(runtime, i % 2 ? "127.0.0.1:1" : "dns://127.0.0.1:1/name.example");
        oyez_channel *other = oyez_channel_ref(channel);
        if (i % 3)
            oyez_channel_connect(channel);
        if (i % 5 == 0)
            oyez_channel_close(channel);
        oyez_channel_unref(channel);
        oyez_channel_unref(other);
    }
    oyez_channel_unref(NULL);
    oyez_channel_close(NULL);
    oyez_channel_connect(NULL);
    assert_null(oyez_channel_ref(NULL));
}

/* Calls, states, losses and the end, all at once. */
static void *hammer(void *user)
{
    oyez_channel *channel = user;
    for (unsigned i = 0; i < 100; i++) {
        const client_result result = client_call(channel, i % 2, 2 * OYEZ_SECOND);
        if (result.code != OYEZ_OK && result.code != OYEZ_UNAVAILABLE &&
            result.code != OYEZ_CANCELLED)
            return (void *)"a wrong code";
        (void)oyez_channel_wait_for_state_change(channel, OYEZ_READY, i % 4 == 0 ? 100000 : 0);
        oyez_channel_connect(channel);
    }
    return NULL;
}

static void from_many_threads(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    pthread_t threads[4];
    void *words;
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, channel), 0);
    for (unsigned i = 0; i < 10; i++) {
        client_pause_ms(3);
        (i % 2 ? client_peer_drop : client_peer_goaway)(peer);
    }
    for (size_t i = 0; i < 4; i++) {
        if (i == 2)
            oyez_channel_close(channel);
        assert_int_equal(pthread_join(threads[i], &words), 0);
        assert_null(words);
    }
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

/* --- without threads ------------------------------------------------------------------------- */

static void manual_runtime(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    oyez_runtime *manual = NULL;
    oyez_channel *channel;
    client_pending call;
    (void)state;
    assert_ok(oyez_runtime_new_manual(NULL, &manual));
    channel = client_open(manual, client_peer_target(peer));
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    client_start(&call, channel, false, 0);
    assert_code(client_finish(&call, manual), OYEZ_OK);
    client_peer_drop(peer);
    client_await(channel, OYEZ_IDLE); /* turns it */
    oyez_channel_connect(channel);
    client_await(channel, OYEZ_READY);
    oyez_channel_close(channel);
    assert_int_equal(oyez_channel_state(channel), OYEZ_SHUTDOWN);
    assert_code(client_call(channel, false, 0), OYEZ_CANCELLED);
    oyez_channel_unref(channel); /* and never turned again */
    oyez_runtime_unref(manual);
    client_peer_stop(peer);
}

static void manual_never_turned(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    oyez_runtime *manual = NULL;
    oyez_channel *channel;
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        assert_ok(oyez_runtime_new_manual(NULL, &manual));
        channel = client_open(manual, client_peer_target(peer));
        if (i & 1)
            assert_code(client_call(channel, false, 0), OYEZ_OK);
        if (i & 2)
            oyez_channel_connect(channel);
        if (i & 4)
            manual = oyez_runtime_unref(manual); /* the channel is the last to hold it */
        oyez_channel_unref(channel);
        oyez_runtime_unref(manual);
    }
    client_peer_stop(peer);
}

/* --- in a child ------------------------------------------------------------------------------ */

/* Returns the exit status: assertions would jump into the parent's tests. */
static int child(client_peer *peer, oyez_channel *channel, oyez_channel *idle)
{
    const oyez_slice request = OYEZ_SLICE_INIT;
    const oyez_method method = {OYEZ_METHOD_INIT, .path = "/test.Service/Method"};
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime};
    oyez_channel *other = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    if (oyez_channel_new("localhost:1", oyez_insecure(), &options, &other) != OYEZ_EFORK)
        return 10;
    if (oyez_unary_call(channel, &method, NULL, NULL, &request, NULL, &status) == OYEZ_OK)
        return 11;
    oyez_status_fini(&status);
    oyez_channel_connect(idle);
    if (oyez_channel_wait_for_state_change(idle, OYEZ_READY, OYEZ_FOREVER))
        return 12;
    oyez_channel_close(channel);
    if (oyez_channel_state(channel) != OYEZ_READY)
        return 13;
    oyez_channel_unref(channel);
    oyez_channel_unref(idle);
    oyez_runtime_unref(runtime);
    client_peer_forget(peer);
    return oy_leak_live_blocks() == 0 ? 0 : 14;
}

static void fork_and_free(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    oyez_channel *idle = client_open(runtime, client_peer_target(peer));
    int status = -1;
    pid_t pid;
    (void)state;
#ifdef UNDER_TSAN
    (void)pid;
    (void)status;
    (void)child;
#else
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    client_pause_ms(20);        /* the loop sleeps: nothing is half done */
    oyez_channel_connect(idle); /* perhaps under way */
    client_await(idle, OYEZ_READY);
    client_pause_ms(20);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child(peer, channel, idle));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    /* the parent's connection is as it was: nothing was sent, nothing closed */
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    assert_int_equal(oyez_channel_state(channel), OYEZ_READY);
    assert_int_equal(client_peer_connections(peer), 2);
    assert_int_equal(client_peer_goaways(peer), 0);
#endif
    oyez_channel_unref(channel);
    oyez_channel_unref(idle);
    client_peer_stop(peer);
}

#ifndef UNDER_TSAN
/* What a child may do with calls that are under way: let go of them. Nobody is told. */
static int child_of_calls(client_pending calls[2], oyez_channel *channels[2])
{
    for (int i = 0; i < 2; i++) {
        oyez_call_cancel(calls[i].call);
        oyez_channel_close(channels[i]);
        oyez_call_unref(calls[i].call);
        oyez_channel_unref(channels[i]);
    }
    oyez_runtime_unref(runtime);
    client_pause_ms(50);
    return calls[0].done || calls[1].done;
}
#endif

/* One call waits for its answer, the other one for a connection. The child lets go of everything, in vain: calls hold
 * their channels, and their ends are the parent's. */
static void fork_with_calls(void **state)
{
    client_peer *peers[2] = {client_peer_start("127.0.0.1:0", PEER_HOLDS),
                             client_peer_start("127.0.0.1:0", PEER_SILENT)};
    oyez_channel *channels[2];
    client_pending calls[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        channels[i] = client_open(runtime, client_peer_target(peers[i]));
        client_start(&calls[i], channels[i], true, 0);
    }
    client_await(channels[0], OYEZ_READY);
    client_pause_ms(50); /* the loop sleeps: nothing is half done */
#ifndef UNDER_TSAN
    int status = -1;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child_of_calls(calls, channels));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
#endif
    assert_int_equal(oyez_channel_state(channels[0]), OYEZ_READY);
    assert_int_equal(client_peer_goaways(peers[0]), 0);
    for (int i = 0; i < 2; i++) {
        assert_false(calls[i].done);
        oyez_call_cancel(calls[i].call);
        assert_code(client_finish(&calls[i], NULL), OYEZ_CANCELLED);
        oyez_channel_unref(channels[i]);
        client_peer_stop(peers[i]);
    }
}

OY_TEST_GROUP(e2e_client_state, cmocka_unit_test(names), with_runtime(there_and_back),
              with_runtime(failing_and_back), with_runtime(goaway), with_runtime(several_watchers),
              with_runtime(not_on_a_loop_thread), with_runtime(close_while_connecting),
              with_runtime(close_with_calls), with_runtime(let_go_with_calls),
              with_runtime(let_go_early), with_runtime(from_many_threads),
              with_runtime(manual_runtime), with_runtime(manual_never_turned),
              with_runtime(fork_and_free), with_runtime(fork_with_calls));

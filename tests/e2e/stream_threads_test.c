/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and several threads: requests that add up to more than a count holds, threads that receive and finish at once, tasks
 * that are on their way when a call ends; and calls that wait for a stream id while the server changes its settings. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client_support.h"
#include "life_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

static oyez_runtime *client_runtime, *server_runtime;
static oyez_channel *channel;
static oyez_server *server;
static uint16_t port;
static const oyez_call_options patience = {OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND};

static const oyez_method events_method = {OYEZ_METHOD_INIT, .path = "/threads.Test/Events", .client_streaming = true,
                                          .server_streaming = true};
static const oyez_method deaf_method = {OYEZ_METHOD_INIT, .path = "/threads.Test/Deaf", .client_streaming = true,
                                        .server_streaming = true};

/* --- handlers --------------------------------------------------------------------------------------------------- */

/* What another thread does to the stream while on_done waits for it. */
typedef enum late {
    LATE_REQUEST,
    LATE_SEND,
    LATE_HEADERS,
    LATE_ALL,
} late;

static struct {
    oyez_server_call *call;
    oyez_stream *stream;
    atomic_uint begun, ending, touched, ended;
} handled;

static void on_message(oyez_stream *stream, const void *message, void *user)
{
    (void)stream;
    (void)message;
    (void)user;
}

static void on_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    (void)stream;
    (void)status;
    (void)user;
    atomic_fetch_add(&handled.ending, 1);
    (void)life_await(&handled.touched, 1);
    oyez_server_call_finish(handled.call, OYEZ_OK);
    atomic_fetch_add(&handled.ended, 1);
}

static const oyez_stream_events handler_events = {OYEZ_STREAM_EVENTS_INIT, .on_message = on_message, .on_done = on_done};

static void handle_events(const void *service, void *self, oyez_server_call *call, const void *request, oyez_stream *stream)
{
    (void)service;
    (void)self;
    (void)request;
    handled.call = call;
    handled.stream = stream;
    oyez_stream_listen(stream, &handler_events, NULL, NULL);
    atomic_fetch_add(&handled.begun, 1);
}

/* Takes nothing, and ends when it is told that nobody waits. */
static oyez_code handle_deaf(const void *service, void *self, oyez_server_call *call, const void *request,
                             oyez_stream *stream, void *reply)
{
    (void)service;
    (void)self;
    (void)request;
    (void)stream;
    (void)reply;
    atomic_fetch_add(&handled.begun, 1);
    for (unsigned i = 0; i < 20000 && !oyez_server_call_is_cancelled(call); i++)
        client_pause_ms(1);
    if (oyez_server_call_is_cancelled(call))
        atomic_fetch_add(&handled.ended, 1);
    return OYEZ_OK;
}

static const oyez_service_method methods[] = {
    {.method = &events_method, .stream_async = handle_events},
    {.method = &deaf_method, .stream = handle_deaf},
};

static int setup(void **state)
{
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    char target[64];
    oy_leak_setup(state);
    memset(&handled, 0, sizeof(handled));
    assert_ok(oyez_runtime_new(&options, &server_runtime));
    assert_ok(oyez_runtime_new(&options, &client_runtime));
    const oyez_server_options server_options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = server_runtime,
                                                .max_receive_bytes = 1024};
    const oyez_service_desc desc = {OYEZ_SERVICE_DESC_INIT, .name = "threads.Test", .methods = methods,
                                    .method_count = sizeof(methods) / sizeof(methods[0])};
    assert_ok(oyez_server_new(&server_options, &server));
    assert_ok(oyez_server_register(server, &desc));
    assert_ok(oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port));
    assert_ok(oyez_server_start(server));
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    channel = client_open(client_runtime, target);
    return 0;
}

static int teardown(void **state)
{
    channel = oyez_channel_unref(channel);
    server = oyez_server_unref(server);
    client_runtime = client_end_runtime(client_runtime);
    server_runtime = client_end_runtime(server_runtime);
    return oy_leak_teardown(state);
}

#define alone(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* --- the client's threads ------------------------------------------------------------------------------------------ */

static oyez_stream *open_stream(const oyez_method *method, const oyez_stream_events *events, void *user)
{
    oyez_stream *stream;
    assert_ok(oyez_stream_start(channel, method, NULL, &patience, NULL, events, NULL, user, &stream));
    return stream;
}

static void stand_still(void *user)
{
    (void)life_await(user, 1);
}

static void client_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    atomic_uint *done = user;
    (void)stream;
    (void)status;
    atomic_fetch_add(done, 1);
}

/* The loop stands still, so that all of it is still on its way: a sum that wraps would be 0, which is "none is". */
static void requests_without_end(void **state)
{
    static const oyez_stream_events events = {OYEZ_STREAM_EVENTS_INIT, .on_done = client_done};
    atomic_uint done = 0, go = 0;
    oyez_stream *stream = open_stream(&events_method, &events, &done);
    (void)state;
    assert_true(life_await(&handled.begun, 1));
    atomic_store(&handled.touched, 1);
    assert_ok(oyez_runtime_post(client_runtime, stand_still, &go));
    client_pause_ms(20);
    oyez_stream_request(stream, UINT32_MAX);
    for (unsigned i = 0; i < 3; i++)
        oyez_stream_request(stream, 1);
    oyez_stream_request(stream, 0);
    oyez_stream_request(stream, UINT32_MAX);
    atomic_store(&go, 1);
    oyez_stream_cancel(stream);
    assert_true(life_await(&done, 1));
    oyez_stream_unref(stream);
    assert_true(life_await(&handled.ended, 1));
}

typedef struct other {
    oyez_stream *stream;
    bool finishes;
    atomic_uint done;
    oyez_code code;
} other;

static void *be_other(void *user)
{
    other *self = user;
    const void *message;
    if (self->finishes) {
        self->code = oyez_stream_finish(self->stream, NULL);
    } else {
        while (oyez_stream_recv(self->stream, &message))
            continue;
        oyez_stream_unref(self->stream);
    }
    atomic_fetch_add(&self->done, 1);
    return NULL;
}

/* Each thread has a reference. None may sleep on when the call has ended. */
static void many_wait_for_the_end(void **state)
{
    enum { OTHERS = 4 };
    other others[OTHERS];
    pthread_t threads[OTHERS];
    oyez_stream *stream = open_stream(&deaf_method, NULL, NULL);
    (void)state;
    assert_true(life_send(stream, "a", 1));
    for (unsigned i = 0; i < OTHERS; i++) {
        others[i] = (other){.stream = oyez_stream_ref(stream), .finishes = i != 1};
        assert_int_equal(pthread_create(&threads[i], NULL, be_other, &others[i]), 0);
    }
    client_pause_ms(20);
    oyez_stream_cancel(stream);
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_CANCELLED);
    for (unsigned i = 0; i < OTHERS; i++) {
        assert_true(life_await(&others[i].done, 1));
        pthread_join(threads[i], NULL);
        if (others[i].finishes)
            assert_int_equal(others[i].code, OYEZ_CANCELLED);
    }
    assert_true(life_await(&handled.ended, 1));
}

/* --- the handler's threads ------------------------------------------------------------------------------------------ */

static void *be_late(void *user)
{
    const late what = *(const late *)user;
    oyez_slice message = life_bytes("late", 4);
    (void)life_await(&handled.ending, 1);
    if (what == LATE_REQUEST || what == LATE_ALL)
        oyez_stream_request(handled.stream, 1);
    if (what == LATE_SEND || what == LATE_ALL)
        (void)oyez_stream_send(handled.stream, &message);
    if (what == LATE_HEADERS || what == LATE_ALL)
        assert_ok(oyez_server_call_send_headers(handled.call));
    oyez_slice_fini(&message);
    atomic_fetch_add(&handled.touched, 1);
    return NULL;
}

/* on_done has not returned, so the stream may be touched; the handler ends its call there, and what the other thread has asked of
 * the loop comes behind. */
static void tasks_behind_the_end(void **state)
{
    (void)state;
    for (late what = LATE_REQUEST; what <= LATE_ALL; what++) {
        pthread_t thread;
        memset(&handled, 0, sizeof(handled));
        oyez_stream *stream = open_stream(&events_method, NULL, NULL);
        assert_true(life_send(stream, "a", 1));
        assert_true(life_await(&handled.begun, 1));
        assert_int_equal(pthread_create(&thread, NULL, be_late, &what), 0);
        oyez_stream_cancel(stream);
        assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_CANCELLED);
        assert_true(life_await(&handled.ended, 1));
        pthread_join(thread, NULL);
    }
}

/* The server itself answers to a message that is too large. A handler that reads nothing hears of it, or it would wait for ever. */
static void an_answer_of_the_servers_own(void **state)
{
    static const char large[1025];
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_stream *stream = open_stream(&deaf_method, NULL, NULL);
    (void)state;
    assert_true(life_send(stream, "a", 1));
    assert_true(life_await(&handled.begun, 1));
    assert_true(life_send(stream, large, sizeof(large)));
    assert_int_equal(oyez_stream_finish(stream, &status), OYEZ_RESOURCE_EXHAUSTED);
    assert_contains(status.message, "larger than max");
    oyez_status_fini(&status);
    assert_true(life_await(&handled.ended, 1));
}

/* --- calls that wait for a stream id ----------------------------------------------------------------------------------- */

/* One stream at a time. Those that wait have a message each, and the server says anew how large the windows are. */
static void settings_while_streams_wait(void **state)
{
    enum { STREAMS = 6 };
    uint16_t peer_port;
    char target[64];
    oyez_stream *streams[STREAMS];
    const int listener = raw_listen(&peer_port);
    (void)state;
    oyez_channel_unref(channel);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", peer_port);
    channel = client_open(client_runtime, target);
    oyez_channel_connect(channel);
    raw_peer *peer = raw_server(listener, 3 /* MAX_CONCURRENT_STREAMS */, 1, 0);
    client_await(channel, OYEZ_READY);
    for (unsigned i = 0; i < STREAMS; i++) {
        streams[i] = open_stream(&life_chat, NULL, NULL);
        assert_true(life_send(streams[i], "a", 1));
        oyez_stream_close_send(streams[i]);
    }
    (void)raw_await(peer, 1);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t acks = peer->settings_acks;
        assert_true(raw_setting(peer, 4 /* INITIAL_WINDOW_SIZE */, 100000 + i));
        assert_true(RAW_UNTIL(peer, peer->settings_acks > acks));
    }
    oyez_stream_cancel(streams[STREAMS - 1]); /* it has not begun */
    assert_int_equal(oyez_stream_finish(streams[STREAMS - 1], NULL), OYEZ_CANCELLED);
    for (uint32_t i = 0; i < STREAMS - 1; i++) {
        const raw_stream *call = raw_await(peer, i * 2 + 1);
        assert_int_equal(call->body.len, 6);
        assert_true(raw_setting(peer, 4, 200000 + i));
        assert_true(raw_answer(peer, call->id, "b", 1));
        assert_true(life_expect(streams[i], "b", 1));
        assert_int_equal(oyez_stream_finish(streams[i], NULL), OYEZ_OK);
    }
    raw_close(peer);
    close(listener);
}

/* --- callbacks and refusals ---------------------------------------------------------------------------------------------- */

static void drop_and_take(oyez_stream *stream, void *user)
{
    (void)user;
    oyez_stream_unref(stream); /* the only one */
    oyez_stream_unref(oyez_stream_ref(stream));
}

/* In a callback the stream is there, whoever has references; one that is taken then counts like any other. */
static void a_reference_anew(void **state)
{
    static const oyez_stream_events events = {OYEZ_STREAM_EVENTS_INIT, .on_sent = drop_and_take, .on_done = client_done};
    atomic_uint done = 0;
    (void)state;
    atomic_store(&handled.touched, 1);
    assert_true(life_send(open_stream(&events_method, &events, &done), "a", 1));
    assert_true(life_await(&done, 1));
}

static oyez_code refuse_bad(void *self, oyez_call *call, const void *message, const char **ret_words)
{
    char text[4] = "";
    (void)self;
    (void)call;
    (void)oyez_slice_copy_to(message, text, 3);
    *ret_words = "it is bad";
    return strcmp(text, "bad") == 0 ? OYEZ_DATA_LOSS : OYEZ_OK;
}

typedef struct seen {
    atomic_uint messages, done;
} seen;

static void count_message(oyez_stream *stream, const void *message, void *user)
{
    (void)stream;
    (void)message;
    atomic_fetch_add(&((seen *)user)->messages, 1);
}

static void count_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    (void)stream;
    assert_int_equal(status->code, OYEZ_DATA_LOSS);
    atomic_fetch_add(&((seen *)user)->done, 1);
}

static void answer_three(raw_peer *peer)
{
    const uint32_t id = raw_await_request(peer)->id;
    assert_true(raw_respond(peer, id));
    assert_true(raw_message(peer, id, "a", 1, 0));
    assert_true(raw_message(peer, id, "bad", 3, 0));
    assert_true(raw_message(peer, id, "c", 1, 0));
}

/* The call ends because of the second message. Who got the third one would not notice that one is missing. */
static void nothing_behind_a_refused_message(void **state)
{
    static const oyez_client_interceptor judge = {OYEZ_CLIENT_INTERCEPTOR_INIT, .on_receive = refuse_bad};
    static const oyez_client_interceptor *const list[] = {&judge};
    static const oyez_stream_events events = {OYEZ_STREAM_EVENTS_INIT, .on_message = count_message, .on_done = count_done};
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = client_runtime, .interceptors = list,
                                          .interceptor_count = 1};
    const void *message;
    seen all = {0};
    atomic_uint go = 0;
    uint16_t peer_port;
    char target[64];
    const int listener = raw_listen(&peer_port);
    (void)state;
    oyez_channel_unref(channel);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", peer_port);
    channel = client_open_with(&options, target);
    oyez_channel_connect(channel);
    raw_peer *peer = raw_server(listener, 0);

    oyez_stream *stream = open_stream(&life_chat, NULL, NULL);
    answer_three(peer);
    assert_true(life_expect(stream, "a", 1));
    client_pause_ms(50); /* the others wait to be received */
    assert_false(oyez_stream_recv(stream, &message));
    assert_false(oyez_stream_recv(stream, &message));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_DATA_LOSS);

    stream = open_stream(&life_chat, &events, &all);
    oyez_stream_request(stream, 3);
    client_pause_ms(20);
    assert_ok(oyez_runtime_post(client_runtime, stand_still, &go));
    answer_three(peer); /* all of it is read at once */
    client_pause_ms(20);
    atomic_store(&go, 1);
    assert_true(life_await(&all.done, 1));
    assert_int_equal(all.messages, 1);
    oyez_stream_unref(stream);
    raw_close(peer);
    close(listener);
}

static void a_child_sends_nothing(void **state)
{
    oyez_stream *stream = open_stream(&deaf_method, NULL, NULL);
    (void)state;
    assert_true(life_send(stream, "a", 1));
    assert_true(life_await(&handled.begun, 1));
    client_pause_ms(50); /* the loops sleep: nothing is half done */
#if !defined(__SANITIZE_THREAD__)
    int status = -1;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(life_send(stream, "b", 1));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
#endif
    oyez_stream_cancel(stream);
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_CANCELLED);
    assert_true(life_await(&handled.ended, 1));
}

OY_TEST_GROUP(e2e_stream_threads, alone(requests_without_end), alone(many_wait_for_the_end), alone(tasks_behind_the_end),
              alone(an_answer_of_the_servers_own), alone(settings_while_streams_wait), alone(a_reference_anew),
              alone(nothing_behind_a_refused_message), alone(a_child_sends_nothing));

/* SPDX-License-Identifier: Apache-2.0 */
/* Channels to a server of the same process: calls of every kind, ends, limits, and who may go first, on one loop, on
 * several, on two runtimes, and without any thread. */
#include <oyez/inproc.h>

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client_support.h"
#include "support/leak.h"
#include "support/test.h"

#define METHOD(name, path_, up, down)                                                                                    \
    static const oyez_method name = { OYEZ_METHOD_INIT, .path = path_, .client_streaming = up, .server_streaming = down }
METHOD(unary_echo, "/test.Inproc/Echo", false, false);
METHOD(unary_hold, "/test.Inproc/Hold", false, false);
METHOD(sum_up, "/test.Inproc/Sum", true, false);
METHOD(count_down, "/test.Inproc/Count", false, true);
METHOD(bidi_echo, "/test.Inproc/Chat", true, true);

static const oyez_call_options patience = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };

/* --- the server --------------------------------------------------------------------------------------------------------- */

typedef struct handlers {
    atomic_int handled, cancelled;
    char peer[64], authority[64];
} handlers;

static oyez_code on_echo(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    handlers *h = self;
    const oyez_str authority = oyez_server_call_authority(call);
    uint32_t pid, uid, gid;
    (void)service;
    if (atomic_fetch_add(&h->handled, 1) == 0) {
        snprintf(h->peer, sizeof(h->peer), "%s", oyez_server_call_peer(call));
        snprintf(h->authority, sizeof(h->authority), "%.*s", (int)authority.len, authority.data);
        if (oyez_server_call_peer_ids(call, &pid, &uid, &gid) != OYEZ_ENOENT)
            return OYEZ_INTERNAL;
    }
    if (oyez_server_call_add_header(call, "x-head", "h", 1) || oyez_server_call_add_trailer(call, "x-tail", "t", 1))
        return OYEZ_INTERNAL;
    return oyez_slice_append_slice(reply, request) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

/* Until it is cancelled. */
static oyez_code on_hold(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    handlers *h = self;
    (void)service;
    (void)request;
    (void)reply;
    atomic_fetch_add(&h->handled, 1);
    while (!oyez_server_call_is_cancelled(call))
        client_pause_ms(1);
    atomic_fetch_add(&h->cancelled, 1);
    return OYEZ_OK;
}

static oyez_code reply_number(void *reply, size_t number)
{
    char text[24];
    oyez_buffer buffer;
    snprintf(text, sizeof(text), "%zu", number);
    if (oyez_buffer_copy(NULL, text, strlen(text), &buffer) || oyez_slice_append(reply, buffer))
        return OYEZ_RESOURCE_EXHAUSTED;
    return OYEZ_OK;
}

static oyez_code on_sum(const void *service, void *self, oyez_server_call *call, const void *request, oyez_stream *stream,
                        void *reply)
{
    const void *message;
    size_t bytes = 0;
    (void)service;
    (void)self;
    (void)call;
    (void)request;
    while (oyez_stream_recv(stream, &message))
        bytes += ((const oyez_slice *)message)->len;
    return reply_number(reply, bytes);
}

static oyez_code on_count(const void *service, void *self, oyez_server_call *call, const void *request,
                          oyez_stream *stream, void *reply)
{
    char text[16] = "";
    (void)service;
    (void)self;
    (void)call;
    (void)reply;
    (void)oyez_slice_copy_to(request, text, sizeof(text) - 1);
    for (unsigned i = (unsigned)strtoul(text, NULL, 10); i > 0; i--) {
        oyez_slice message = OYEZ_SLICE_INIT;
        oyez_code code = reply_number(&message, i);
        const bool sent = code == OYEZ_OK && oyez_stream_send(stream, &message);
        oyez_slice_fini(&message);
        if (!sent)
            return OYEZ_CANCELLED;
    }
    return OYEZ_OK;
}

static oyez_code on_chat(const void *service, void *self, oyez_server_call *call, const void *request,
                         oyez_stream *stream, void *reply)
{
    const void *message;
    (void)service;
    (void)self;
    (void)call;
    (void)request;
    (void)reply;
    while (oyez_stream_recv(stream, &message))
        if (!oyez_stream_send(stream, message))
            return OYEZ_CANCELLED;
    return OYEZ_OK;
}

static const oyez_service_method all_methods[] = {
    { .method = &unary_echo, .unary = on_echo },     { .method = &unary_hold, .unary = on_hold },
    { .method = &sum_up, .stream = on_sum },         { .method = &count_down, .stream = on_count },
    { .method = &bidi_echo, .stream = on_chat },
};

/* --- what each test has -------------------------------------------------------------------------------------------------- */

static oyez_runtime *server_runtime, *client_runtime;
static oyez_server *server;
static oyez_channel *channel;
static handlers state_of;

/* @param loops of the server's runtime; 0: a manual one, echo alone */
static void start_with(unsigned loops, bool two_runtimes, const oyez_server_options *user)
{
    const oyez_runtime_options runtime_options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = loops };
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT };
    memset(&state_of, 0, sizeof(state_of));
    if (loops)
        assert_ok(oyez_runtime_new(&runtime_options, &server_runtime));
    else
        assert_ok(oyez_runtime_new_manual(NULL, &server_runtime));
    if (two_runtimes)
        assert_ok(oyez_runtime_new(&runtime_options, &client_runtime));
    else
        client_runtime = oyez_runtime_ref(server_runtime);
    if (user)
        options = *user;
    options.runtime = server_runtime;
    assert_ok(oyez_server_new(&options, &server));
    const oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "test.Inproc", .methods = all_methods,
                                     .method_count = loops ? 5 : 1, .self = &state_of, .on_loop = loops == 0 };
    assert_ok(oyez_server_register(server, &desc));
    assert_ok(oyez_server_start(server));
}

static oyez_channel *open_channel(oyez_runtime *runtime)
{
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .runtime = runtime,
        .backoff_base = 20 * OYEZ_MILLISECOND,
        .backoff_max = 20 * OYEZ_MILLISECOND,
    };
    oyez_channel *opened;
    assert_ok(oyez_server_connect(server, &options, &opened));
    return opened;
}

static void start(unsigned loops, bool two_runtimes)
{
    oy_leak_begin();
    start_with(loops, two_runtimes, NULL);
    channel = open_channel(client_runtime);
}

static oyez_runtime *end_runtime(oyez_runtime *runtime, unsigned loops)
{
    return loops == 1 ? client_end_runtime(runtime) : oyez_runtime_unref(runtime);
}

/* The runtimes end on this thread: a channel that has just been dropped is gone when its loop is. */
static void end(unsigned loops)
{
    channel = oyez_channel_unref(channel);
    server = oyez_server_unref(server);
    client_runtime = end_runtime(client_runtime, loops);
    server_runtime = end_runtime(server_runtime, loops);
    oy_leak_end();
}

static oyez_slice lend(const void *data, size_t len)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    assert_ok(oyez_slice_append(&slice, (oyez_buffer){ data, len, NULL }));
    return slice;
}

static void expect_bytes(const void *message, const void *data, size_t len)
{
    const oyez_slice *slice = message;
    uint8_t *flat = malloc(len + 1);
    assert_non_null(flat);
    assert_int_equal(slice->len, len);
    assert_int_equal(oyez_slice_copy_to(slice, flat, len), len);
    assert_memory_equal(flat, data, len);
    free(flat);
}

static void expect_echo(oyez_channel *on, const void *data, size_t len)
{
    const oyez_slice request = lend(data, len);
    oyez_status status = OYEZ_STATUS_INIT;
    void *reply = NULL;
    const oyez_code code = oyez_unary_call(on, &unary_echo, NULL, &patience, &request, &reply, &status);
    if (code != OYEZ_OK)
        fail_msg("%s: %s", oyez_code_name(code), status.message);
    expect_bytes(reply, data, len);
    oyez_bytes_free(reply);
    oyez_status_fini(&status);
}

/* An echo that fails. */
static void expect_code(oyez_channel *on, oyez_code expected, const char *part)
{
    const oyez_slice request = lend("x", 1);
    oyez_status status = OYEZ_STATUS_INIT;
    const oyez_code code = oyez_unary_call(on, &unary_echo, NULL, &patience, &request, NULL, &status);
    if (code != expected || !strstr(status.message, part))
        fail_msg("%s: %s", oyez_code_name(code), status.message);
    oyez_status_fini(&status);
}

/* For each place where the two may be: one loop; two loops, or the same of two, as it happens; two runtimes. */
static void everywhere(void (*test)(void))
{
    static const struct {
        unsigned loops;
        bool two_runtimes;
    } places[] = { { 1, false }, { 2, false }, { 1, true } };
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        start(places[i].loops, places[i].two_runtimes);
        test();
        end(places[i].loops);
    }
}

static void await(atomic_int *value, int least)
{
    for (int i = 0; i < 10000 && atomic_load(value) < least; i++)
        client_pause_ms(1);
    assert_true(atomic_load(value) >= least);
}

/* --- calls ----------------------------------------------------------------------------------------------------------------- */

static void unary(void)
{
    oyez_metadata *headers, *trailers;
    char peer[64];
    const oyez_slice request = lend("hello", 5);
    oyez_call_options options = patience;
    assert_ok(oyez_metadata_new(&headers));
    assert_ok(oyez_metadata_new(&trailers));
    options.headers = headers;
    options.trailers = trailers;
    options.peer = peer;
    options.peer_bytes = sizeof(peer);
    assert_int_equal(oyez_unary_call(channel, &unary_echo, NULL, &options, &request, NULL, NULL), OYEZ_OK);
    assert_string_equal(peer, "inproc");
    assert_string_equal(state_of.peer, "inproc");
    assert_string_equal(state_of.authority, "localhost");
    assert_int_equal(oyez_metadata_get(headers, "x-head").len, 1);
    assert_int_equal(oyez_metadata_get(trailers, "x-tail").len, 1);
    oyez_metadata_free(headers);
    oyez_metadata_free(trailers);
    for (int i = 0; i < 100; i++)
        expect_echo(channel, "again", 5);
    expect_echo(channel, "", 0);
}

static void unary_calls(void **state)
{
    (void)state;
    everywhere(unary);
}

static void large(void)
{
    const size_t len = 3900000;
    uint8_t *data = malloc(len);
    assert_non_null(data);
    for (size_t i = 0; i < len; i++)
        data[i] = (uint8_t)(i * 2654435761u >> 11);
    expect_echo(channel, data, len);
    expect_echo(channel, data, 65536);
    expect_echo(channel, data, len);
    free(data);
}

static void large_messages(void **state)
{
    (void)state;
    everywhere(large);
}

static oyez_stream *open_stream(const oyez_method *method, const void *request)
{
    oyez_stream *stream;
    assert_ok(oyez_stream_start(channel, method, NULL, &patience, request, NULL, NULL, NULL, &stream));
    return stream;
}

static void streams(void)
{
    static uint8_t big[200000];
    const oyez_slice piece = lend(big, sizeof(big)), small = lend("ping", 4), number = lend("500", 3);
    const void *message;
    char text[24];
    oyez_stream *stream = open_stream(&sum_up, NULL);
    for (int i = 0; i < 50; i++)
        assert_true(oyez_stream_send(stream, &piece));
    oyez_stream_close_send(stream);
    assert_true(oyez_stream_recv(stream, &message));
    expect_bytes(message, "10000000", 8);
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);

    stream = open_stream(&count_down, &number);
    for (int i = 500; i > 0; i--) {
        assert_true(oyez_stream_recv(stream, &message));
        snprintf(text, sizeof(text), "%d", i);
        expect_bytes(message, text, strlen(text));
    }
    assert_false(oyez_stream_recv(stream, &message));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);

    stream = open_stream(&bidi_echo, NULL);
    for (int i = 0; i < 100; i++) {
        const bool is_big = i % 10 == 9;
        assert_true(oyez_stream_send(stream, is_big ? &piece : &small));
        assert_true(oyez_stream_recv(stream, &message));
        expect_bytes(message, is_big ? (const void *)big : "ping", is_big ? sizeof(big) : 4);
    }
    oyez_stream_close_send(stream);
    assert_false(oyez_stream_recv(stream, &message));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
}

static void streams_of_all_shapes(void **state)
{
    (void)state;
    everywhere(streams);
}

static void on_done(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    (void)call;
    (void)reply;
    atomic_store((atomic_int *)user, status->code == OYEZ_OK ? -1 : (int)status->code);
}

/* Flow control: a reader that does not read stops the writer, and another call passes by. */
static void slow_reader(void)
{
    static uint8_t big[200000];
    const oyez_slice number = lend("1000000", 7), piece = lend(big, sizeof(big));
    const void *message;
    oyez_stream *slow = open_stream(&count_down, &number), *chat = open_stream(&bidi_echo, NULL);
    assert_true(oyez_stream_recv(slow, &message));
    client_pause_ms(50);
    expect_echo(channel, big, sizeof(big));
    assert_true(oyez_stream_send(chat, &piece));
    assert_true(oyez_stream_recv(chat, &message));
    oyez_stream_cancel(slow);
    assert_int_equal(oyez_stream_finish(slow, NULL), OYEZ_CANCELLED);
    oyez_stream_close_send(chat);
    assert_int_equal(oyez_stream_finish(chat, NULL), OYEZ_OK);
}

static void a_slow_reader_stops_its_writer_alone(void **state)
{
    (void)state;
    everywhere(slow_reader);
}

static void cut_short(void)
{
    const oyez_slice request = lend("", 0);
    const oyez_call_options soon = { OYEZ_CALL_OPTIONS_INIT, .timeout = 30 * OYEZ_MILLISECOND };
    atomic_int code = 0;
    oyez_call *call;
    assert_ok(oyez_unary_call_async(channel, &unary_hold, NULL, &patience, &request, on_done, &code, &call));
    await(&state_of.handled, 1);
    oyez_call_cancel(call);
    await(&code, 1);
    assert_int_equal(atomic_load(&code), OYEZ_CANCELLED);
    oyez_call_unref(call);
    await(&state_of.cancelled, 1);
    assert_int_equal(oyez_unary_call(channel, &unary_hold, NULL, &soon, &request, NULL, NULL), OYEZ_DEADLINE_EXCEEDED);
    if (atomic_load(&state_of.handled) > 1)
        await(&state_of.cancelled, 2);
    expect_echo(channel, "after", 5);
}

static void cancel_and_deadline(void **state)
{
    (void)state;
    everywhere(cut_short);
}

/* --- the connection's life --------------------------------------------------------------------------------------------- */

/* Calls under way go on, new ones are refused in words. */
static void graceful(void)
{
    const void *message;
    const oyez_slice ping = lend("ping", 4);
    oyez_stream *stream = open_stream(&bidi_echo, NULL);
    assert_true(oyez_stream_send(stream, &ping));
    assert_true(oyez_stream_recv(stream, &message));
    oyez_server_graceful_stop(server, OYEZ_FOREVER);
    for (int i = 0; i < 5000 && oyez_channel_state(channel) == OYEZ_READY; i++)
        client_pause_ms(1);
    expect_code(channel, OYEZ_UNAVAILABLE, "cannot connect to inproc: the server has been stopped");
    assert_true(oyez_stream_send(stream, &ping));
    assert_true(oyez_stream_recv(stream, &message));
    oyez_stream_close_send(stream);
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    assert_ok(oyez_server_wait(server, 20 * OYEZ_SECOND));
}

static void graceful_stop(void **state)
{
    (void)state;
    everywhere(graceful);
}

static void stopped(void)
{
    const oyez_slice request = lend("", 0);
    atomic_int code = 0;
    assert_ok(oyez_unary_call_async(channel, &unary_hold, NULL, &patience, &request, on_done, &code, NULL));
    await(&state_of.handled, 1);
    oyez_server_stop(server);
    await(&code, 1); /* its stream is reset, or its connection gone, whichever it sees first */
    assert_true(atomic_load(&code) == OYEZ_UNAVAILABLE || atomic_load(&code) == OYEZ_CANCELLED);
    assert_ok(oyez_server_wait(server, 20 * OYEZ_SECOND));
    expect_code(channel, OYEZ_UNAVAILABLE, "the server has been stopped");
    server = oyez_server_unref(server);
    for (int i = 0; i < 3; i++) { /* a channel outlives its server */
        client_pause_ms(30);
        expect_code(channel, OYEZ_UNAVAILABLE, "the server has been stopped");
    }
}

static void stop_at_once(void **state)
{
    (void)state;
    everywhere(stopped);
}

/* A connection is sent away and the next one is made, again and again. */
static void reconnects(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_connection_idle = 5 * OYEZ_MILLISECOND };
    (void)state;
    oy_leak_begin();
    start_with(2, false, &options);
    channel = open_channel(client_runtime);
    for (int i = 0; i < 10; i++) {
        expect_echo(channel, "x", 1);
        for (int n = 0; n < 5000 && oyez_channel_state(channel) == OYEZ_READY; n++)
            client_pause_ms(1);
        assert_int_not_equal(oyez_channel_state(channel), OYEZ_READY);
    }
    end(2);
}

static void not_started_yet(void **state)
{
    const oyez_runtime_options runtime_options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    const oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "test.Inproc", .methods = all_methods,
                                     .method_count = 5, .self = &state_of };
    (void)state;
    oy_leak_begin();
    assert_ok(oyez_runtime_new(&runtime_options, &server_runtime));
    client_runtime = oyez_runtime_ref(server_runtime);
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .runtime = server_runtime };
    assert_ok(oyez_server_new(&options, &server));
    assert_ok(oyez_server_register(server, &desc));
    channel = open_channel(client_runtime);
    expect_code(channel, OYEZ_UNAVAILABLE, "the server has not been started");
    assert_ok(oyez_server_start(server));
    const client_result result = client_call(channel, true, 0); /* waits until it is ready */
    assert_int_equal(result.code, OYEZ_UNIMPLEMENTED);
    expect_echo(channel, "x", 1);
    end(1);
}

static void as_many_connections_as_there_may_be(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_connections = 2 };
    (void)state;
    oy_leak_begin();
    start_with(2, false, &options);
    oyez_channel *first = open_channel(client_runtime), *second = open_channel(client_runtime);
    channel = open_channel(client_runtime);
    expect_echo(first, "1", 1);
    expect_echo(second, "2", 1);
    expect_code(channel, OYEZ_UNAVAILABLE, "max_connections");
    oyez_channel_unref(first);
    const client_result result = client_call(channel, true, 0);
    assert_int_equal(result.code, OYEZ_UNIMPLEMENTED);
    expect_echo(channel, "3", 1);
    oyez_channel_unref(second);
    end(2);
}

/* Server, channel and runtimes go in any order while calls are under way. */
static void gone_in_every_order(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 8; bits++) {
        const oyez_slice request = lend("", 0);
        atomic_int codes[8] = { 0 };
        start(2, bits & 4);
        for (size_t i = 0; i < 8; i++)
            assert_ok(oyez_unary_call_async(channel, i % 2 ? &unary_hold : &unary_echo, NULL, &patience, &request, on_done,
                                            &codes[i], NULL));
        if (bits & 2)
            await(&state_of.handled, 1);
        if (bits & 1) {
            server = oyez_server_unref(server);
        } else {
            oyez_channel_close(channel);
            channel = oyez_channel_unref(channel);
        }
        for (size_t i = 0; i < 8; i++)
            for (int n = 0; n < 10000 && atomic_load(&codes[i]) == 0; n++)
                client_pause_ms(1);
        for (size_t i = 0; i < 8; i++)
            assert_int_not_equal(atomic_load(&codes[i]), 0);
        end(2);
    }
}

/* --- no thread, no socket -------------------------------------------------------------------------------------------------- */

static void one_thread_for_all(void **state)
{
    (void)state;
    start(0, false);
    unary();
    large();
    oyez_server_graceful_stop(server, OYEZ_FOREVER);
    assert_ok(oyez_server_wait(server, 20 * OYEZ_SECOND));
    expect_code(channel, OYEZ_UNAVAILABLE, "the server has been stopped");
    end(0);
}

static unsigned open_descriptors(bool sockets_only)
{
    DIR *dir = opendir("/proc/self/fd");
    unsigned count = 0;
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char target[64];
        const ssize_t len = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);
        if (len <= 0)
            continue;
        target[len] = '\0';
        count += !sockets_only || strncmp(target, "socket:", 7) == 0;
    }
    closedir(dir);
    return count;
}

static void no_descriptor_is_opened(void **state)
{
    (void)state;
    oy_leak_begin();
    const unsigned sockets = open_descriptors(true);
    start_with(1, false, NULL);
    const unsigned before = open_descriptors(false);
    channel = open_channel(client_runtime);
    streams();
    large();
    assert_int_equal(open_descriptors(false), before);
    assert_int_equal(open_descriptors(true), sockets);
    end(1);
}

static void without_memory(void **state)
{
    (void)state;
    start_with(0, false, NULL);
    OY_FAULT_WALK() {
        const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .runtime = client_runtime };
        oyez_channel *opened;
        const oyez_err err = oyez_server_connect(server, &options, &opened);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        if (!err)
            oyez_channel_unref(opened);
        assert_ok(oyez_runtime_turn(client_runtime, 0));
    }
    server = oyez_server_unref(server);
    client_runtime = oyez_runtime_unref(client_runtime);
    server_runtime = oyez_runtime_unref(server_runtime);
}

static void arguments(void **state)
{
    const oyez_channel_options bad = { OYEZ_CHANNEL_OPTIONS_INIT, .stream_window_bytes = 1 };
    oyez_channel *opened;
    (void)state;
    start(1, false);
    assert_int_equal(oyez_server_connect(NULL, NULL, &opened), OYEZ_ENULL);
    assert_int_equal(oyez_server_connect(server, NULL, NULL), OYEZ_ENULL);
    assert_int_equal(oyez_server_connect(server, &bad, &opened), OYEZ_EINVAL);
    end(1);
}

OY_TEST_GROUP(e2e_inproc, cmocka_unit_test(unary_calls), cmocka_unit_test(large_messages),
              cmocka_unit_test(streams_of_all_shapes), cmocka_unit_test(a_slow_reader_stops_its_writer_alone),
              cmocka_unit_test(cancel_and_deadline), cmocka_unit_test(graceful_stop), cmocka_unit_test(stop_at_once),
              cmocka_unit_test(reconnects), cmocka_unit_test(not_started_yet),
              cmocka_unit_test(as_many_connections_as_there_may_be), cmocka_unit_test(gone_in_every_order),
              cmocka_unit_test(one_thread_for_all), cmocka_unit_test(no_descriptor_is_opened),
              cmocka_unit_test(without_memory), cmocka_unit_test(arguments));

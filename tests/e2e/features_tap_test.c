/* SPDX-License-Identifier: Apache-2.0 */
/* The tap of a server, and handlers on an executor of the user's. */
#include <stdio.h>
#include <stdlib.h>

#include "client_support.h"
#include "features_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

static features bench;

/* --- the tap ----------------------------------------------------------------------------------------------------------- */

static int who_key;

static oyez_code tap(void *self, oyez_server_call *call)
{
    oyez_str path = oyez_server_call_path(call), authority = oyez_server_call_authority(call);
    oyez_str want = oyez_metadata_get(oyez_server_call_metadata(call), "x-want");
    assert_ptr_equal(self, &bench);
    features_note(&bench, "tap(%.*s %s)", (int)path.len, path.data, want.data ? want.data : "");
    assert_non_null(strstr(oyez_server_call_peer(call), "127.0.0.1:"));
    assert_true(authority.len > 0);
    assert_null(oyez_metadata_get(oyez_server_call_metadata(call), "content-type").data);
    assert_ok(oyez_server_call_set_value(call, &who_key, &bench));
    if (!want.data)
        return OYEZ_OK;
    if (strcmp(want.data, "status") == 0) {
        oyez_status status = OYEZ_STATUS_INIT;
        (void)oyez_status_set(&status, OYEZ_RESOURCE_EXHAUSTED, "too many calls", 14);
        assert_ok(oyez_status_add_detail(&status, "a.Detail", "d", 1));
        oyez_code code = oyez_server_call_fail_status(call, &status);
        oyez_status_fini(&status);
        return code;
    }
    if (strcmp(want.data, "error") == 0)
        return (oyez_code)OYEZ_EACCES;
    if (strcmp(want.data, "number") == 0)
        return (oyez_code)99;
    if (strcmp(want.data, "words") == 0) /* of an other code than it returns: not used */
        (void)oyez_server_call_fail(call, OYEZ_ABORTED, "not these");
    return strcmp(want.data, "words") == 0 ? OYEZ_UNAUTHENTICATED : OYEZ_OK;
}

static oyez_code interceptor_begin(void *self, oyez_server_call *call)
{
    (void)self;
    assert_ptr_equal(oyez_server_call_value(call, &who_key), &bench);
    features_note(&bench, "interceptor");
    return OYEZ_OK;
}

static void *stats_begin(void *self, const oyez_stats_begin *begin)
{
    (void)begin;
    features_note(&bench, "stats");
    return self;
}

static void start_with_tap(void)
{
    const oyez_server_interceptor interceptor = { OYEZ_SERVER_INTERCEPTOR_INIT, .begin = interceptor_begin };
    const oyez_server_interceptor *interceptors[] = { &interceptor };
    const oyez_stats_handler handler = { OYEZ_STATS_HANDLER_INIT, .begin = stats_begin };
    const oyez_stats_handler *handlers[] = { &handler };
    const oyez_server_options options = {
        OYEZ_SERVER_OPTIONS_INIT, .tap = tap, .tap_self = &bench, .interceptors = interceptors, .interceptor_count = 1,
        .stats_handlers = handlers, .stats_handler_count = 1,
    };
    features_start(&bench, &options, NULL);
}

static features_result call_wanting(const oyez_method *method, const char *want)
{
    oyez_metadata *metadata = NULL;
    assert_ok(oyez_metadata_new(&metadata));
    if (want)
        assert_ok(oyez_metadata_append(metadata, "x-want", want, strlen(want)));
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .metadata = metadata };
    features_result result = features_call(&bench, method, "hi", &options);
    oyez_metadata_free(metadata);
    return result;
}

static void lets_pass(void **state)
{
    (void)state;
    start_with_tap();
    features_expect_end(call_wanting(&features_unary, NULL), OYEZ_OK, "");
    features_expect(&bench, "tap(/f.S/Unary ) stats interceptor ");
    features_expect_end(call_wanting(&features_unknown, "go on"), OYEZ_UNIMPLEMENTED, "unknown method");
    features_expect(&bench, "tap(/f.S/Unknown go on) stats ");
    features_end(&bench);
}

static void refuses(void **state)
{
    (void)state;
    start_with_tap();
    features_result result = call_wanting(&features_unary, "status");
    assert_memory_equal(oyez_status_find_detail(&result.status, "a.Detail").data, "d", 1);
    features_expect_end(result, OYEZ_RESOURCE_EXHAUSTED, "too many calls");
    features_expect(&bench, "tap(/f.S/Unary status) ");
    features_expect_end(call_wanting(&features_unary, "error"), OYEZ_PERMISSION_DENIED, "refused");
    features_expect_end(call_wanting(&features_unknown, "number"), OYEZ_PERMISSION_DENIED, "refused");
    features_expect_end(call_wanting(&features_later, "words"), OYEZ_UNAUTHENTICATED, "the call was refused");
    assert_int_equal(bench.handled, 0);
    features_expect(&bench, "tap(/f.S/Unary error) tap(/f.S/Unknown number) tap(/f.L/Later words) ");
    features_end(&bench);
}

/* No message has come, and none is waited for. */
static void refuses_before_a_message(void **state)
{
    (void)state;
    start_with_tap();
    raw_peer *peer = raw_client(bench.port);
    raw_request_with(peer, 1, "/f.S/Unary", "x-want", "status", NULL);
    raw_stream *stream = raw_await(peer, 1);
    assert_string_equal(raw_outcome(stream), "8 too many calls");
    assert_int_equal(stream->header_blocks, 1);
    assert_true(RAW_UNTIL(peer, stream->reset)); /* for what the client would still send */
    assert_int_equal(stream->reset_code, OY_H2_NO_ERROR);
    raw_close(peer);
    features_end(&bench);
}

/* gRPC-Go's order: a call that is too late already is shown to the tap, and to nobody else. */
static void sees_what_is_too_late(void **state)
{
    (void)state;
    start_with_tap();
    raw_peer *peer = raw_client(bench.port);
    raw_request_with(peer, 1, "/f.S/Unary", "grpc-timeout", "0n", NULL);
    assert_string_equal(raw_outcome(raw_await(peer, 1)), "4 context deadline exceeded");
    features_expect(&bench, "tap(/f.S/Unary ) ");
    raw_request_with(peer, 3, "/f.S/Unary", "grpc-timeout", "0n", "x-want", "status", NULL);
    assert_string_equal(raw_outcome(raw_await(peer, 3)), "8 too many calls");
    features_expect(&bench, "tap(/f.S/Unary status) ");
    assert_int_equal(bench.handled, 0);
    raw_close(peer);
    features_end(&bench);
}

/* --- the executor -------------------------------------------------------------------------------------------------------- */

/* A thread that does one thing after the other. */
typedef struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct {
        oyez_task_fn *fn;
        void *arg;
    } queue[64];                 /* guarded by lock, as are the next two */
    size_t first, count;
    bool over;
    _Atomic(unsigned) ran;
} worker;

static void *work(void *self)
{
    worker *one = self;
    pthread_mutex_lock(&one->lock);
    for (;;) {
        while (one->count == 0 && !one->over)
            pthread_cond_wait(&one->changed, &one->lock);
        if (one->count == 0)
            break;
        oyez_task_fn *fn = one->queue[one->first].fn;
        void *arg = one->queue[one->first].arg;
        one->first = (one->first + 1) % 64;
        one->count--;
        pthread_mutex_unlock(&one->lock);
        fn(arg);
        atomic_fetch_add(&one->ran, 1);
        pthread_mutex_lock(&one->lock);
    }
    pthread_mutex_unlock(&one->lock);
    return NULL;
}

static void give_work(void *self, oyez_task_fn *fn, void *arg)
{
    worker *one = self;
    pthread_mutex_lock(&one->lock);
    assert_true(one->count < 64);
    one->queue[(one->first + one->count) % 64].fn = fn;
    one->queue[(one->first + one->count) % 64].arg = arg;
    one->count++;
    pthread_cond_signal(&one->changed);
    pthread_mutex_unlock(&one->lock);
}

static void hire(worker *one)
{
    memset(one, 0, sizeof(*one));
    pthread_mutex_init(&one->lock, NULL);
    pthread_cond_init(&one->changed, NULL);
    assert_int_equal(pthread_create(&one->thread, NULL, work, one), 0);
}

static void dismiss(worker *one)
{
    pthread_mutex_lock(&one->lock);
    one->over = true;
    pthread_cond_signal(&one->changed);
    pthread_mutex_unlock(&one->lock);
    pthread_join(one->thread, NULL);
    pthread_cond_destroy(&one->changed);
    pthread_mutex_destroy(&one->lock);
}

static oyez_code on_the_worker(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    const worker *one = self->user;
    (void)call;
    if (!pthread_equal(pthread_self(), one->thread))
        return oyez_server_call_fail(call, OYEZ_INTERNAL, "on another thread");
    return oyez_slice_append_slice(reply, request) ? OYEZ_INTERNAL : OYEZ_OK;
}

static void runs_handlers(void **state)
{
    worker one;
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .executor = { give_work, &one } };
    oyez_stream *stream;
    char text[256];
    (void)state;
    hire(&one);
    bench.unary = on_the_worker;
    bench.user = &one;
    features_start(&bench, &options, NULL);
    for (unsigned i = 0; i < 20; i++)
        features_expect_end(features_call(&bench, &features_unary, "hi", NULL), OYEZ_OK, "");
    features_expect_end(features_call(&bench, &features_loop_unary, "hi", NULL), OYEZ_INTERNAL, "on another thread");
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, NULL, NULL, NULL, NULL, NULL, &stream));
    for (unsigned i = 0; i < 20; i++) {
        assert_true(features_send(stream, "hi"));
        assert_true(features_recv(stream, text));
    }
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    FEATURES_UNTIL(atomic_load(&one.ran) == 21);
    features_end(&bench);
    dismiss(&one);
}

static void at_once(void *self, oyez_task_fn *fn, void *arg)
{
    (void)self;
    fn(arg);
}

/* An executor that runs things at once, on the loop. */
static void runs_at_once(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .executor = { at_once, NULL } };
    (void)state;
    features_start(&bench, &options, NULL);
    for (unsigned i = 0; i < 20; i++)
        features_expect_end(features_call(&bench, &features_unary, "hi", NULL), OYEZ_OK, "");
    features_end(&bench);
}

static oyez_code never(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    (void)service, (void)self, (void)call, (void)request, (void)reply;
    return OYEZ_OK;
}

/* Handlers that block need workers; an executor is as good. */
static void instead_of_workers(void **state)
{
    const oyez_service_method method = { .method = &features_unary, .unary = never };
    const oyez_service_desc service = { OYEZ_SERVICE_DESC_INIT, .name = "f.S", .methods = &method, .method_count = 1 };
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT };
    oyez_server *server;
    (void)state;
    assert_ok(oyez_runtime_new_manual(NULL, &options.runtime));
    assert_ok(oyez_server_new(&options, &server));
    assert_err(oyez_server_register(server, &service), OYEZ_ESTATE);
    assert_contains(oyez_server_words(server), "an executor");
    oyez_server_unref(server);
    options.executor = (oyez_executor){ at_once, NULL };
    assert_ok(oyez_server_new(&options, &server));
    assert_ok(oyez_server_register(server, &service));
    oyez_server_unref(server);
    oyez_runtime_unref(options.runtime);
}

OY_TEST_GROUP(e2e_features_tap, oy_leak_test(lets_pass), oy_leak_test(refuses),
              oy_leak_test(refuses_before_a_message), oy_leak_test(sees_what_is_too_late),
              oy_leak_test(runs_handlers), oy_leak_test(runs_at_once), oy_leak_test(instead_of_workers));

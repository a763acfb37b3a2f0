/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a call: a message of few bytes that becomes large when it is decoded. */
#include <stdio.h>
#include <stdlib.h>

#include <oyez/protobuf_c.h>

#include "client_support.h"
#include "features_support.h"
#include "grpc/testing/messages.pb-c.h"
#include "support/leak.h"
#include "support/test.h"

#define TYPE &grpc__testing__streaming_output_call_request__descriptor
#define BOTH_WAYS .client_streaming = true, .server_streaming = true

static const oyez_method typed = { OYEZ_METHOD_INIT, .path = "/f.P/Unary", .codec = oyez_protobuf_c, .request = TYPE,
                                   .response = TYPE };
static const oyez_method typed_chat = { OYEZ_METHOD_INIT, .path = "/f.P/Chat", .codec = oyez_protobuf_c,
                                        .request = TYPE, .response = TYPE, BOTH_WAYS };
/* The same without types, to say what one likes. */
static const oyez_method raw = { OYEZ_METHOD_INIT, .path = "/f.P/Unary" };
static const oyez_method raw_chat = { OYEZ_METHOD_INIT, .path = "/f.P/Chat", BOTH_WAYS };

static oyez_runtime *runtime;
static oyez_server *server;
static oyez_channel *channel;
static oyez_slice absurd;    /* empty elements of a repeated field, two bytes each */
static uint8_t *absurd_bytes;

static void make_absurd(size_t bytes)
{
    absurd_bytes = malloc(bytes);
    assert_non_null(absurd_bytes);
    for (size_t i = 0; i + 1 < bytes; i += 2)
        memcpy(absurd_bytes + i, "\x12\x00", 2);
    assert_ok(oyez_slice_append(&absurd, (oyez_buffer){ absurd_bytes, bytes, NULL }));
}

/* --- handlers ------------------------------------------------------------------------------------------------------------ */

static oyez_code count(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const Grpc__Testing__StreamingOutputCallRequest *message = request;
    (void)service, (void)call, (void)reply;
    *(size_t *)self = message->n_response_parameters;
    return OYEZ_OK;
}

static oyez_code count_all(const void *service, void *self, oyez_server_call *call, const void *request,
                           oyez_stream *stream, void *reply)
{
    const void *message;
    (void)service, (void)call, (void)request, (void)reply;
    while (oyez_stream_recv(stream, &message))
        *(size_t *)self = ((const Grpc__Testing__StreamingOutputCallRequest *)message)->n_response_parameters;
    return OYEZ_OK;
}

static oyez_code be_absurd(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    (void)service, (void)self, (void)call, (void)request;
    return oyez_slice_append_slice(reply, &absurd) ? OYEZ_INTERNAL : OYEZ_OK;
}

static oyez_code chat_absurdly(const void *service, void *self, oyez_server_call *call, const void *request,
                               oyez_stream *stream, void *reply)
{
    (void)service, (void)self, (void)call, (void)request, (void)reply;
    return oyez_stream_send(stream, &absurd) ? OYEZ_OK : OYEZ_CANCELLED;
}

/* --- the two ends ---------------------------------------------------------------------------------------------------------- */

static void start(const oyez_service_method *methods, void *self, oyez_server_options options,
                  oyez_channel_options channel_options)
{
    const oyez_runtime_options one_loop = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    const oyez_service_desc service = { OYEZ_SERVICE_DESC_INIT, .name = "f.P", .methods = methods, .method_count = 2,
                                        .self = self };
    char target[64];
    uint16_t port;
    assert_ok(oyez_runtime_new(&one_loop, &runtime));
    options.size = sizeof(options);
    options.runtime = channel_options.runtime = runtime;
    channel_options.size = sizeof(channel_options);
    assert_ok(oyez_server_new(&options, &server));
    assert_ok(oyez_server_register(server, &service));
    assert_ok(oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port));
    assert_ok(oyez_server_start(server));
    (void)snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    channel = client_open_with(&channel_options, target);
}

static void end(void)
{
    channel = oyez_channel_unref(channel);
    server = oyez_server_unref(server);
    runtime = client_end_runtime(runtime);
    oyez_slice_fini(&absurd);
    free(absurd_bytes);
    absurd_bytes = NULL;
}

static void expect_status(const oyez_status *status, oyez_code code, const char *words)
{
    if (status->code != code)
        fail_msg("%s: %s", oyez_code_name(status->code), status->message);
    assert_contains(status->message, words);
}

static void expect_call(const oyez_slice *request, oyez_code code, const char *words)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 60 * OYEZ_SECOND };
    oyez_status status = OYEZ_STATUS_INIT;
    (void)oyez_unary_call(channel, &raw, NULL, &options, request, NULL, &status);
    expect_status(&status, code, words);
    oyez_status_fini(&status);
}

static void expect_chat(const oyez_method *method, const void *request, oyez_code code, const char *words)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 60 * OYEZ_SECOND };
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_stream *stream;
    const void *reply;
    assert_ok(oyez_stream_start(channel, method, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    assert_true(oyez_stream_send(stream, request));
    oyez_stream_close_send(stream);
    while (oyez_stream_recv(stream, &reply))
        continue;
    (void)oyez_stream_finish(stream, &status);
    expect_status(&status, code, words);
    oyez_status_fini(&status);
}

/* --- a server's limit -------------------------------------------------------------------------------------------------------- */

static void many_small_fields_from_a_client(void **state)
{
    const oyez_service_method methods[] = { { .method = &typed, .unary = count },
                                            { .method = &typed_chat, .stream = count_all } };
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_arena_bytes = 1 << 20 };
    size_t counted = 0;
    (void)state;
    make_absurd(128 << 10);
    start(methods, &counted, options, (oyez_channel_options){ OYEZ_CHANNEL_OPTIONS_INIT });
    for (unsigned i = 0; i < 3; i++) {
        oyez_slice modest;
        expect_call(&absurd, OYEZ_RESOURCE_EXHAUSTED, "takes more than max_arena_bytes (1048576 bytes)");
        assert_ok(oyez_slice_sub(&absurd, 0, 2000, &modest));
        expect_call(&modest, OYEZ_OK, "");
        assert_int_equal(counted, 1000);
        expect_chat(&raw_chat, &absurd, OYEZ_RESOURCE_EXHAUSTED, "takes more than max_arena_bytes (1048576 bytes)");
        counted = 0;
        expect_chat(&raw_chat, &modest, OYEZ_OK, "");
        assert_int_equal(counted, 1000);
        oyez_slice_fini(&modest);
    }
    end();
}

/* 64 MiB by default; more for who takes larger messages. */
static void follows_the_receive_limit(void **state)
{
    const oyez_service_method methods[] = { { .method = &typed, .unary = count },
                                            { .method = &typed_chat, .stream = count_all } };
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_receive_bytes = i ? 32 << 20 : 0 };
        size_t counted = 0;
        make_absurd(2 << 20);
        start(methods, &counted, options, (oyez_channel_options){ OYEZ_CHANNEL_OPTIONS_INIT });
        if (i)
            expect_call(&absurd, OYEZ_OK, "");
        else
            expect_call(&absurd, OYEZ_RESOURCE_EXHAUSTED, "takes more than max_arena_bytes (67108864 bytes)");
        assert_int_equal(counted, i ? 1 << 20 : 0);
        end();
    }
}

/* --- a client's ---------------------------------------------------------------------------------------------------------------- */

typedef struct pending {
    oyez_status status;
    _Atomic(bool) done;
} pending;

static void on_done(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    pending *waits = user;
    (void)call;
    (void)reply;
    oyez_status_copy(status, &waits->status);
    atomic_store(&waits->done, true);
}

static void many_small_fields_from_a_server(void **state)
{
    const oyez_service_method methods[] = { { .method = &raw, .unary = be_absurd },
                                            { .method = &raw_chat, .stream = chat_absurdly } };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .max_arena_bytes = 1 << 20 };
    const oyez_call_options patience = { OYEZ_CALL_OPTIONS_INIT, .timeout = 60 * OYEZ_SECOND };
    Grpc__Testing__StreamingOutputCallRequest request = GRPC__TESTING__STREAMING_OUTPUT_CALL_REQUEST__INIT;
    pending waits = { .status = OYEZ_STATUS_INIT };
    void *reply = NULL;
    (void)state;
    make_absurd(2 << 20);
    start(methods, NULL, (oyez_server_options){ OYEZ_SERVER_OPTIONS_INIT }, options);
    assert_ok(oyez_unary_call_async(channel, &typed, NULL, &patience, &request, on_done, &waits, NULL));
    FEATURES_UNTIL(atomic_load(&waits.done));
    expect_status(&waits.status, OYEZ_RESOURCE_EXHAUSTED, "takes more than max_arena_bytes (1048576 bytes)");
    expect_chat(&typed_chat, &request, OYEZ_RESOURCE_EXHAUSTED, "takes more than max_arena_bytes (1048576 bytes)");
    /* A blocking call's reply lies on the heap. */
    (void)oyez_unary_call(channel, &typed, NULL, &patience, &request, &reply, &waits.status);
    expect_status(&waits.status, OYEZ_RESOURCE_EXHAUSTED, "would take too much memory");
    assert_null(reply);
    oyez_status_fini(&waits.status);
    end();
}

OY_TEST_GROUP(e2e_features_limits, oy_leak_test(many_small_fields_from_a_client),
              oy_leak_test(follows_the_receive_limit), oy_leak_test(many_small_fields_from_a_server));

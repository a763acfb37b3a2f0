/* SPDX-License-Identifier: Apache-2.0 */
#include "features_support.h"

#include <stdio.h>

#include "client_support.h"
#include "support/leak.h"
#include "support/test.h"

const oyez_method features_unary = { OYEZ_METHOD_INIT, .path = "/f.S/Unary" };
const oyez_method features_chat = { OYEZ_METHOD_INIT, .path = "/f.S/Chat", .client_streaming = true,
                                    .server_streaming = true };
const oyez_method features_loop_unary = { OYEZ_METHOD_INIT, .path = "/f.L/Unary" };
const oyez_method features_later = { OYEZ_METHOD_INIT, .path = "/f.L/Later" };
const oyez_method features_unknown = { OYEZ_METHOD_INIT, .path = "/f.S/Unknown" };

/* --- handlers ------------------------------------------------------------------------------------------------------- */

static oyez_code echo(features *bench, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    (void)bench;
    (void)call;
    return oyez_slice_append_slice(reply, request) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

static oyez_code echo_all(features *bench, oyez_server_call *call, oyez_stream *stream)
{
    const void *message;
    (void)bench;
    (void)call;
    while (oyez_stream_recv(stream, &message))
        if (!oyez_stream_send(stream, message))
            return OYEZ_CANCELLED;
    return OYEZ_OK;
}

static oyez_code on_unary(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    features *bench = self;
    (void)service;
    atomic_fetch_add(&bench->handled, 1);
    return bench->unary(bench, call, request, reply);
}

static void on_later(const void *service, void *self, oyez_server_call *call, const void *request)
{
    features *bench = self;
    oyez_slice reply = OYEZ_SLICE_INIT;
    (void)service;
    atomic_fetch_add(&bench->handled, 1);
    oyez_code code = bench->unary(bench, call, request, &reply);
    if (code == OYEZ_OK)
        oyez_server_call_reply(call, &reply);
    else
        oyez_server_call_finish(call, code);
    oyez_slice_fini(&reply);
}

static oyez_code on_chat(const void *service, void *self, oyez_server_call *call, const void *request,
                         oyez_stream *stream, void *reply)
{
    features *bench = self;
    (void)service;
    (void)request;
    (void)reply;
    atomic_fetch_add(&bench->handled, 1);
    return bench->chat(bench, call, stream);
}

/* --- the bench -------------------------------------------------------------------------------------------------------- */

static void start_runtime(features *bench)
{
    const oyez_runtime_options options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    bench->log[0] = '\0';
    atomic_store(&bench->handled, 0);
    pthread_mutex_init(&bench->lock, NULL);
    assert_ok(oyez_runtime_new(&options, &bench->runtime));
}

static void open_channel(features *bench, const oyez_channel_options *user)
{
    oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT };
    if (user)
        options = *user;
    options.runtime = bench->runtime;
    (void)snprintf(bench->target, sizeof(bench->target), "ipv4:127.0.0.1:%u", bench->port);
    bench->channel = client_open_with(&options, bench->target);
}

void features_start_client(features *bench, const oyez_channel_options *channel, uint16_t port)
{
    start_runtime(bench);
    bench->port = port;
    open_channel(bench, channel);
}

void features_start(features *bench, const oyez_server_options *server, const oyez_channel_options *channel)
{
    const oyez_service_method blocking[] = {
        { .method = &features_unary, .unary = on_unary },
        { .method = &features_chat, .stream = on_chat },
    };
    const oyez_service_method loop[] = {
        { .method = &features_loop_unary, .unary = on_unary },
        { .method = &features_later, .unary_async = on_later },
    };
    const oyez_service_desc services[] = {
        { OYEZ_SERVICE_DESC_INIT, .name = "f.S", .methods = blocking, .method_count = 2, .self = bench },
        { OYEZ_SERVICE_DESC_INIT, .name = "f.L", .methods = loop, .method_count = 2, .self = bench, .on_loop = true },
    };
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT };
    start_runtime(bench);
    if (server)
        options = *server;
    options.runtime = bench->runtime;
    if (!bench->unary)
        bench->unary = echo;
    if (!bench->chat)
        bench->chat = echo_all;
    assert_ok(oyez_server_new(&options, &bench->server));
    for (size_t i = 0; i < 2; i++)
        if (oyez_server_register(bench->server, &services[i]))
            fail_msg("%s", oyez_server_words(bench->server));
    assert_ok(oyez_server_listen(bench->server, "127.0.0.1:0", oyez_insecure(), &bench->port));
    assert_ok(oyez_server_start(bench->server));
    open_channel(bench, channel);
}

void features_end(features *bench)
{
    bench->channel = oyez_channel_unref(bench->channel);
    bench->server = oyez_server_unref(bench->server);
    bench->runtime = client_end_runtime(bench->runtime);
    pthread_mutex_destroy(&bench->lock);
    memset(bench, 0, sizeof(*bench));
}

void features_note(features *bench, const char *format, ...)
{
    va_list args;
    pthread_mutex_lock(&bench->lock);
    size_t len = strlen(bench->log);
    va_start(args, format);
    (void)vsnprintf(bench->log + len, sizeof(bench->log) - len, format, args);
    va_end(args);
    len = strlen(bench->log);
    (void)snprintf(bench->log + len, sizeof(bench->log) - len, " ");
    pthread_mutex_unlock(&bench->lock);
}

void features_expect(features *bench, const char *log)
{
    char got[sizeof(bench->log)];
    for (unsigned i = 0; i < 5000; i++) {
        pthread_mutex_lock(&bench->lock);
        memcpy(got, bench->log, sizeof(got));
        bool same = strcmp(got, log) == 0;
        if (same)
            bench->log[0] = '\0';
        pthread_mutex_unlock(&bench->lock);
        if (same)
            return;
        client_pause_ms(1);
    }
    assert_string_equal(got, log);
}

/* --- calls ------------------------------------------------------------------------------------------------------------ */

void features_text(const oyez_slice *message, char text[256])
{
    text[oyez_slice_copy_to(message, text, 255)] = '\0';
}

static oyez_slice slice_of(const char *text)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    assert_ok(oyez_slice_append(&slice, (oyez_buffer){ (const uint8_t *)text, strlen(text), NULL }));
    return slice;
}

static oyez_call_options complete(const oyez_call_options *user)
{
    oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT };
    if (user)
        options = *user;
    if (!options.timeout)
        options.timeout = 20 * OYEZ_SECOND;
    return options;
}

features_result features_call(features *bench, const oyez_method *method, const char *request,
                              const oyez_call_options *user)
{
    const oyez_call_options options = complete(user);
    features_result result = { .status = OYEZ_STATUS_INIT };
    oyez_slice message = slice_of(request);
    void *reply = NULL;
    oyez_code code = oyez_unary_call(bench->channel, method, NULL, &options, &message, &reply, &result.status);
    assert_int_equal(code, result.status.code);
    assert_true((code == OYEZ_OK) == (reply != NULL));
    if (reply)
        features_text(reply, result.reply);
    oyez_bytes_free(reply);
    oyez_slice_fini(&message);
    return result;
}

typedef struct pending {
    features_result result;
    _Atomic(bool) done;
} pending;

static void on_done(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    pending *waits = user;
    (void)call;
    oyez_status_copy(status, &waits->result.status);
    assert_true((status->code == OYEZ_OK) == (reply != NULL));
    if (reply)
        features_text(reply, waits->result.reply);
    atomic_store(&waits->done, true);
}

features_result features_call_async(features *bench, const oyez_method *method, const char *request,
                                    const oyez_call_options *user)
{
    const oyez_call_options options = complete(user);
    pending waits = { .result = { .status = OYEZ_STATUS_INIT } };
    oyez_slice message = slice_of(request);
    assert_ok(oyez_unary_call_async(bench->channel, method, NULL, &options, &message, on_done, &waits, NULL));
    FEATURES_UNTIL(atomic_load(&waits.done));
    oyez_slice_fini(&message);
    return waits.result;
}

bool features_send(oyez_stream *stream, const char *text)
{
    oyez_slice message = slice_of(text);
    bool sent = oyez_stream_send(stream, &message);
    oyez_slice_fini(&message);
    return sent;
}

bool features_recv(oyez_stream *stream, char text[256])
{
    const void *message;
    if (!oyez_stream_recv(stream, &message))
        return false;
    features_text(message, text);
    return true;
}

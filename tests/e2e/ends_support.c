/* SPDX-License-Identifier: Apache-2.0 */
#include "ends_support.h"

#include <stdio.h>
#include <stdlib.h>

#include "e2e_server.h"
#include "support/test.h"

/* --- handlers ---------------------------------------------------------------------------------------------------- */

static void leave(ends_server *server, const oyez_server_call *call)
{
    if (oyez_server_call_is_cancelled(call))
        atomic_fetch_add(&server->cancelled, 1);
    atomic_fetch_sub(&server->live, 1);
}

static void enter(ends_server *server)
{
    atomic_fetch_add(&server->live, 1);
    atomic_fetch_add(&server->begun, 1);
}

/* @param most  so many messages at most */
static oyez_code echo(oyez_stream *stream, unsigned most)
{
    const void *message;
    while (most-- > 0 && oyez_stream_recv(stream, &message))
        if (!oyez_stream_send(stream, message))
            return OYEZ_CANCELLED;
    return OYEZ_OK;
}

#define HANDLER(name)                                                                                                  \
    static oyez_code name(const void *service, void *self, oyez_server_call *call, const void *request,                \
                          oyez_stream *stream, void *reply)

HANDLER(on_echo)
{
    (void)service, (void)request, (void)reply;
    enter(self);
    oyez_code code = echo(stream, UINT32_MAX);
    leave(self, call);
    return code;
}

HANDLER(on_once)
{
    (void)service, (void)request, (void)reply;
    enter(self);
    oyez_code code = echo(stream, 1);
    leave(self, call);
    return code;
}

HANDLER(on_refuse)
{
    (void)service, (void)request, (void)reply, (void)stream;
    enter(self);
    leave(self, call);
    return oyez_server_call_fail(call, OYEZ_PERMISSION_DENIED, "not today");
}

HANDLER(on_flood)
{
    static const uint8_t bytes[ENDS_FLOOD_BYTES];
    ends_server *server = self;
    oyez_slice message = OYEZ_SLICE_INIT;
    (void)service, (void)request, (void)reply;
    enter(server);
    oyez_err err = oyez_slice_append(&message, (oyez_buffer){ bytes, sizeof(bytes), NULL });
    while (!err && oyez_stream_send(stream, &message))
        atomic_fetch_add(&server->sent, 1);
    oyez_slice_fini(&message);
    leave(server, call);
    return OYEZ_ABORTED;
}

HANDLER(on_deaf)
{
    ends_server *server = self;
    (void)service, (void)request, (void)reply;
    enter(server);
    while (!atomic_load(&server->gate) && !oyez_server_call_is_cancelled(call))
        raw_sleep_ms(1);
    oyez_code code = echo(stream, UINT32_MAX);
    leave(server, call);
    return code;
}

HANDLER(on_sum)
{
    const void *message;
    size_t sum = 0;
    (void)service, (void)request;
    enter(self);
    while (oyez_stream_recv(stream, &message))
        sum += ((const oyez_slice *)message)->len;
    const char *text = oyez_server_call_printf(call, "%zu", sum);
    oyez_code code = OYEZ_OK;
    if (!text || oyez_slice_append(reply, (oyez_buffer){ (const uint8_t *)text, strlen(text), NULL }))
        code = OYEZ_RESOURCE_EXHAUSTED;
    leave(self, call);
    return code;
}

/* --- the server -------------------------------------------------------------------------------------------------- */

#define BOTH(name, path_)                                                                                              \
    static const oyez_method name = { OYEZ_METHOD_INIT, .path = path_, .client_streaming = true,                       \
                                      .server_streaming = true }
BOTH(str_echo, "/pkg.Str/Echo");
BOTH(str_once, "/pkg.Str/Once");
BOTH(str_refuse, "/pkg.Str/Refuse");
BOTH(str_flood, "/pkg.Str/Flood");
BOTH(str_deaf, "/pkg.Str/Deaf");
static const oyez_method str_sum = { OYEZ_METHOD_INIT, .path = "/pkg.Str/Sum", .client_streaming = true };

ends_server *ends_serve(const oyez_server_options *user)
{
    static const oyez_service_method methods[] = {
        { .method = &str_echo, .stream = on_echo },     { .method = &str_once, .stream = on_once },
        { .method = &str_refuse, .stream = on_refuse }, { .method = &str_flood, .stream = on_flood },
        { .method = &str_deaf, .stream = on_deaf },     { .method = &str_sum, .stream = on_sum },
    };
    const oyez_runtime_options runtime_options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT };
    ends_server *server = calloc(1, sizeof(*server));
    assert_non_null(server);
    const oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "pkg.Str", .methods = methods,
                                     .method_count = sizeof(methods) / sizeof(methods[0]), .self = server };
    if (user)
        options = *user;
    assert_ok(oyez_runtime_new(&runtime_options, &server->runtime));
    options.runtime = server->runtime;
    /* The raw peer asks by PING whether what it sent has been looked at. */
    options.keepalive_min_time = 1;
    options.keepalive_permit_without_calls = true;
    assert_ok(oyez_server_new(&options, &server->server));
    if (oyez_server_register(server->server, &desc) ||
        oyez_server_listen(server->server, "127.0.0.1:0", oyez_insecure(), &server->port) ||
        oyez_server_start(server->server))
        fail_msg("%s", oyez_server_words(server->server));
    return server;
}

void ends_stop(ends_server *server)
{
    atomic_store(&server->gate, true);
    oyez_server_stop(server->server);
    assert_ok(oyez_server_wait(server->server, (oyez_duration)raw_patience_ms() * OYEZ_MILLISECOND));
    oyez_server_unref(server->server);
    oyez_runtime_unref(server->runtime);
    free(server);
}

/* --- the client -------------------------------------------------------------------------------------------------- */

const oyez_method ends_talk = { OYEZ_METHOD_INIT, .path = "/pkg.Str/Talk", .client_streaming = true,
                                .server_streaming = true };

bool ends_say(oyez_stream *stream, const void *data, size_t len)
{
    oyez_slice message = OYEZ_SLICE_INIT;
    assert_ok(oyez_slice_append(&message, (oyez_buffer){ data, len, NULL }));
    bool sent = oyez_stream_send(stream, &message);
    oyez_slice_fini(&message);
    return sent;
}

void ends_hear(oyez_stream *stream, const void *data, size_t len)
{
    const void *message;
    if (!oyez_stream_recv(stream, &message))
        fail_msg("no message comes");
    const oyez_slice *slice = message;
    assert_int_equal(slice->len, len);
    uint8_t *copy = malloc(len + 1);
    assert_non_null(copy);
    (void)oyez_slice_copy_to(slice, copy, len);
    bool same = len == 0 || memcmp(copy, data, len) == 0;
    free(copy);
    assert_true(same);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The server that a driver sets up: BenchmarkService, with protobuf messages or plain bytes, handlers on
 * workers (SYNC_SERVER) or on the loops. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "qps.h"
#include "server_service.h"

struct qps_server {
    oyez_runtime *runtime;
    oyez_server *server;
    uint16_t port;
    int cores;
    oyez_slice reply; /* of plain bytes: they are zeros */
};

/* --- plain bytes ------------------------------------------------------------------------------ */

static oyez_code bytes_unary(const void *service, void *self, oyez_server_call *call,
                             const void *request, void *reply)
{
    const qps_server *s = self;
    (void)service;
    (void)request;
    if (oyez_slice_append_slice(reply, &s->reply))
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    return OYEZ_OK;
}

static oyez_code bytes_stream(const void *service, void *self, oyez_server_call *call,
                              const void *nothing, oyez_stream *stream, void *none)
{
    const qps_server *s = self;
    const void *request;
    (void)service;
    (void)call;
    (void)nothing;
    (void)none;
    while (oyez_stream_recv(stream, &request))
        if (!oyez_stream_send(stream, &s->reply))
            return OYEZ_CANCELLED;
    return OYEZ_OK;
}

/* On the loop: one message each way in turns. */
typedef struct bytes_call {
    const qps_server *server;
    oyez_server_call *call;
    bool sending, half_closed, finished;
} bytes_call;

static void bytes_finish(bytes_call *c, oyez_code code)
{
    if (c->finished)
        return;
    c->finished = true;
    oyez_server_call_finish(c->call, code);
}

static void bytes_on_message(oyez_stream *stream, const void *message, void *user)
{
    bytes_call *c = user;
    (void)message;
    c->sending = oyez_stream_send(stream, &c->server->reply);
    if (!c->sending)
        bytes_finish(c, OYEZ_CANCELLED);
}

static void bytes_on_sent(oyez_stream *stream, void *user)
{
    bytes_call *c = user;
    c->sending = false;
    if (c->half_closed)
        bytes_finish(c, OYEZ_OK);
    else if (!c->finished)
        oyez_stream_request(stream, 1);
}

static void bytes_on_half_close(oyez_stream *stream, void *user)
{
    bytes_call *c = user;
    (void)stream;
    c->half_closed = true;
    if (!c->sending)
        bytes_finish(c, OYEZ_OK);
}

static void bytes_on_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    bytes_call *c = user;
    (void)stream;
    (void)status;
    bytes_finish(c, OYEZ_CANCELLED);
    free(c);
}

static void bytes_stream_on_loop(const void *service, void *self, oyez_server_call *call,
                                 const void *nothing, oyez_stream *stream)
{
    static const oyez_stream_events events = {
        OYEZ_STREAM_EVENTS_INIT,  .on_message = bytes_on_message,
        .on_sent = bytes_on_sent, .on_half_close = bytes_on_half_close,
        .on_done = bytes_on_done,
    };
    (void)service;
    (void)nothing;
    bytes_call *c = calloc(1, sizeof(*c));
    if (!c) {
        oyez_server_call_finish(call, OYEZ_RESOURCE_EXHAUSTED);
        return;
    }
    c->server = self;
    c->call = call;
    oyez_stream_listen(stream, &events, NULL, c);
    oyez_stream_request(stream, 1);
}

static oyez_err register_bytes(qps_server *s, bool workers)
{
    const oyez_service_method methods[] = {
        {.method = &qps_bytes_unary, .unary = bytes_unary},
        {.method = &qps_bytes_streaming,
         .stream = workers ? bytes_stream : NULL,
         .stream_async = workers ? NULL : bytes_stream_on_loop},
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = GRPC_TESTING_BENCHMARK_SERVICE_SERVICE_NAME,
        .methods = methods,
        .method_count = 2,
        .self = s,
        .on_loop = !workers,
    };
    return oyez_server_register(s->server, &desc);
}

/* --- set-up ----------------------------------------------------------------------------------- */

static bool check(const Grpc__Testing__ServerConfig *config, qps_refusal *why)
{
    switch (config->server_type) {
    case GRPC__TESTING__SERVER_TYPE__SYNC_SERVER:
    case GRPC__TESTING__SERVER_TYPE__ASYNC_SERVER:
    case GRPC__TESTING__SERVER_TYPE__ASYNC_GENERIC_SERVER:
    case GRPC__TESTING__SERVER_TYPE__CALLBACK_SERVER:
        break;
    default:
        return qps_refuse(why, OYEZ_INVALID_ARGUMENT, "server_type: %d is not known",
                          (int)config->server_type);
    }
    if (config->security_params)
        return qps_refuse(why, OYEZ_UNIMPLEMENTED, "security_params: there is no TLS here yet");
    if (config->port < 0 || config->port > 65535)
        return qps_refuse(why, OYEZ_INVALID_ARGUMENT, "port: %d is none", config->port);
    return true;
}

static oyez_err open_server(qps_server *s, const Grpc__Testing__ServerConfig *config, int port,
                            const qps_payload *payload)
{
    bool workers = config->server_type == GRPC__TESTING__SERVER_TYPE__SYNC_SERVER;
    char address[32];
    oyez_buffer bytes;
    int loops = config->async_server_threads > 0 ? config->async_server_threads : s->cores;
    const oyez_runtime_options runtime_options = {OYEZ_RUNTIME_OPTIONS_INIT,
                                                  .loops = (unsigned)(loops < 64 ? loops : 64),
                                                  .max_workers = 4096};
    oyez_err err = oyez_runtime_new(&runtime_options, &s->runtime);
    if (!err) {
        const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = s->runtime,
                                             .max_receive_bytes = (size_t)QPS_MAX_PAYLOAD + 64,
                                             .max_streams = QPS_MAX_SLOTS};
        err = oyez_server_new(&options, &s->server);
    }
    if (!err && payload->resp > 0) {
        bytes = (oyez_buffer){bench_zeros, (size_t)payload->resp, NULL};
        err = oyez_buffer_copy(NULL, bytes.data, bytes.len, &bytes);
        if (!err)
            err = oyez_slice_append(&s->reply, bytes);
    }
    if (!err)
        err = payload->bytes ? register_bytes(s, workers) : service_register(s->server, workers);
    (void)snprintf(address, sizeof(address), "0.0.0.0:%d", port);
    if (!err)
        err = oyez_server_listen(s->server, address, oyez_insecure(), &s->port);
    if (!err)
        err = oyez_server_start(s->server);
    return err;
}

qps_server *qps_server_start(const Grpc__Testing__ServerConfig *config, int usual_port,
                             qps_refusal *why)
{
    qps_payload payload;
    if (!check(config, why) || !qps_payload_parse(config->payload_config, &payload, why))
        return NULL;
    qps_server *s = calloc(1, sizeof(*s));
    if (!s) {
        (void)qps_refuse(why, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    s->cores = config->core_limit > 0 ? config->core_limit : qps_cores();
    oyez_err err = open_server(s, config, config->port ? config->port : usual_port, &payload);
    if (!err)
        return s;
    const char *words = s->server ? oyez_server_words(s->server) : "";
    (void)qps_refuse(why, OYEZ_INTERNAL, "the server cannot be started: %s",
                     words[0] ? words : oyez_strerror(err));
    qps_server_stop(s);
    return NULL;
}

uint16_t qps_server_port(const qps_server *s)
{
    return s->port;
}

int qps_server_cores(const qps_server *s)
{
    return s->cores;
}

void qps_server_stop(qps_server *s)
{
    if (!s)
        return;
    oyez_server_unref(s->server);
    oyez_runtime_unref(s->runtime);
    oyez_slice_fini(&s->reply);
    free(s);
}

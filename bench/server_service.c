/* SPDX-License-Identifier: Apache-2.0 */
/* grpc.testing.BenchmarkService: unary calls and streams; a stream's metadata say whether both sides
 * send freely, and whether replies are encoded once. Handlers run on the loop or on workers. */
#include "server_service.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench_features.h"
#include "messages.h"
#include "prepared.h"

/* What a stream is to do, by its metadata, and what its replies are. */
typedef struct bench_stream {
    oyez_server_call *call;
    oyez_stream *stream;
    bool unconstrained;
    int64_t delay;   /* between the messages of an unconstrained one */
    int32_t preload; /* size of the reply that is encoded once; -1: none */
    prepared ready;
    Grpc__Testing__SimpleResponse reply;
    Grpc__Testing__Payload payload;
    bool sending, half_closed, finished;
    _Atomic(bool) no_more; /* of threads: nothing comes any more */
} bench_stream;

oyez_code service_bad_size(oyez_server_call *call, int32_t size)
{
    return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                 "a reply of %d bytes is asked for; 0 to %d can be had", size,
                                 MAX_PAYLOAD);
}

static oyez_code unary_call(const void *service, void *self, oyez_server_call *call,
                            const void *message, void *answer)
{
    const Grpc__Testing__SimpleRequest *request = message;
    Grpc__Testing__SimpleResponse *reply = answer;
    (void)service;
    (void)self;
    if (request->response_size < 0 || request->response_size > MAX_PAYLOAD)
        return service_bad_size(call, request->response_size);
    Grpc__Testing__Payload *payload = oyez_server_call_alloc(call, sizeof(*payload));
    if (!payload)
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    grpc__testing__payload__init(payload);
    payload->type = request->response_type;
    payload->body.data = bench_zeros;
    payload->body.len = (size_t)request->response_size;
    reply->payload = payload;
    return OYEZ_OK;
}

/* --- what both kinds of stream handler need ---------------------------------------------------- */

static oyez_code stream_setup(bench_stream *s, oyez_server_call *call, oyez_stream *stream)
{
    const oyez_metadata *metadata = oyez_server_call_metadata(call);
    oyez_str free_running = oyez_metadata_get(metadata, "unconstrained-streaming");
    oyez_str delay = oyez_metadata_get(metadata, "unconstrained-streaming-delay");
    oyez_str preload = oyez_metadata_get(metadata, "preload-msg-size");
    s->call = call;
    s->stream = stream;
    s->unconstrained = free_running.data && strcmp(free_running.data, "1") == 0;
    s->preload = -1;
    if (delay.data && !bench_time_parse(delay.data, &s->delay))
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                     "unconstrained-streaming-delay: \"%s\" is no time",
                                     delay.data);
    if (preload.data) {
        char *end;
        oyez_buffer bytes;
        intmax_t size = strtoimax(preload.data, &end, 10);
        if (*end != '\0' || size < 0 || size > MAX_PAYLOAD)
            return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                         "preload-msg-size: \"%s\" is no size", preload.data);
        s->preload = (int32_t)size;
        if (bench_pack_reply(s->preload, &bytes))
            return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
        prepared_init(&s->ready, bytes);
    }
    grpc__testing__simple_response__init(&s->reply);
    grpc__testing__payload__init(&s->payload);
    s->payload.body.data = bench_zeros;
    s->reply.payload = &s->payload;
    return OYEZ_OK;
}

static oyez_code take_request(bench_stream *s, const void *message)
{
    const Grpc__Testing__SimpleRequest *request = message;
    if (request->response_size < 0 || request->response_size > MAX_PAYLOAD)
        return service_bad_size(s->call, request->response_size);
    s->payload.type = request->response_type;
    s->payload.body.len = (size_t)request->response_size;
    return OYEZ_OK;
}

static bool send_reply(bench_stream *s)
{
    return oyez_stream_send(s->stream,
                            s->preload >= 0 ? (const void *)&s->ready : (const void *)&s->reply);
}

/* --- on the loop ------------------------------------------------------------------------------ */

static void finish(bench_stream *s, oyez_code code)
{
    if (s->finished)
        return;
    s->finished = true;
    oyez_server_call_finish(s->call, code);
}

static void send_next(bench_stream *s)
{
    s->sending = send_reply(s);
    if (!s->sending)
        finish(s, OYEZ_CANCELLED);
}

static void on_message(oyez_stream *stream, const void *message, void *user)
{
    bench_stream *s = user;
    oyez_code code = take_request(s, message);
    if (s->finished)
        return;
    if (code != OYEZ_OK) {
        finish(s, code);
        return;
    }
    if (s->unconstrained)
        oyez_stream_request(stream, 1);
    if (!s->sending)
        send_next(s);
}

static void on_sent(oyez_stream *stream, void *user)
{
    bench_stream *s = user;
    s->sending = false;
    if (s->finished)
        return;
    if (s->half_closed)
        finish(s, OYEZ_OK);
    else if (s->unconstrained)
        send_next(s);
    else
        oyez_stream_request(stream, 1);
}

static void on_half_close(oyez_stream *stream, void *user)
{
    (void)stream;
    bench_stream *s = user;
    s->half_closed = true;
    if (!s->sending)
        finish(s, OYEZ_OK);
}

static void on_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    (void)stream;
    (void)status;
    bench_stream *s = user;
    finish(s, OYEZ_CANCELLED);
    prepared_fini(&s->ready);
    free(s);
}

static void stream_on_loop(const void *service, void *self, oyez_server_call *call,
                           const void *request, oyez_stream *stream)
{
    static const oyez_stream_events events = {
        OYEZ_STREAM_EVENTS_INIT,        .on_message = on_message, .on_sent = on_sent,
        .on_half_close = on_half_close, .on_done = on_done,
    };
    (void)service;
    (void)self;
    (void)request;
    bench_stream *s = calloc(1, sizeof(*s));
    oyez_code code = s ? stream_setup(s, call, stream) : OYEZ_RESOURCE_EXHAUSTED;
    if (code == OYEZ_OK && s->delay > 0)
        code = oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                     "a handler on the loop cannot sleep between messages");
    if (code != OYEZ_OK) {
        if (s)
            prepared_fini(&s->ready);
        free(s);
        oyez_server_call_finish(call, code);
        return;
    }
    oyez_stream_listen(stream, &events, NULL, s);
    oyez_stream_request(stream, 1);
}

/* --- on workers ------------------------------------------------------------------------------- */

static void *read_all_requests(void *user)
{
    bench_stream *s = user;
    const void *request;
    while (oyez_stream_recv(s->stream, &request))
        continue;
    s->no_more = true;
    return NULL;
}

/* Behind its first request: sends here, and reads in a thread of its own. */
static oyez_code run_free(bench_stream *s)
{
    pthread_t reader;
    if (pthread_create(&reader, NULL, read_all_requests, s) != 0)
        return oyez_server_call_fail(s->call, OYEZ_RESOURCE_EXHAUSTED, "no thread");
    bool ok = true;
    while (ok && !s->no_more) {
        ok = send_reply(s);
        if (s->delay > 0)
            bench_sleep(s->delay);
    }
    (void)pthread_join(reader, NULL);
    return ok ? OYEZ_OK : OYEZ_CANCELLED;
}

static oyez_code stream_on_worker(const void *service, void *self, oyez_server_call *call,
                                  const void *nothing, oyez_stream *stream, void *reply)
{
    (void)service;
    (void)self;
    (void)nothing;
    (void)reply;
    bench_stream s = {.call = NULL};
    const void *request;
    oyez_code code = stream_setup(&s, call, stream);
    while (code == OYEZ_OK && oyez_stream_recv(stream, &request)) {
        code = take_request(&s, request);
        if (code == OYEZ_OK && s.unconstrained)
            code = run_free(&s);
        else if (code == OYEZ_OK && !send_reply(&s))
            code = OYEZ_CANCELLED;
    }
    prepared_fini(&s.ready);
    return code;
}

oyez_err service_register(oyez_server *server, bool workers)
{
    const oyez_service_method methods[] = {
        {.method = &grpc_testing_benchmark_service_unary_call_method, .unary = unary_call},
        {.method = &prepared_streaming_method,
         .stream = workers ? stream_on_worker : NULL,
         .stream_async = workers ? NULL : stream_on_loop},
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT, .name = GRPC_TESTING_BENCHMARK_SERVICE_SERVICE_NAME,
        .methods = methods,     .method_count = 2,
        .on_loop = !workers,
    };
    return oyez_server_register(server, &desc);
}

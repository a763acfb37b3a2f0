/* SPDX-License-Identifier: Apache-2.0 */
/* The interop server: grpc.testing.TestService as grpc/doc/interop-test-descriptions.md wants it,
 * with the flags of the servers of gRPC-Go and gRPC C++. Runs until SIGTERM or SIGINT. The
 * streaming methods are in server_streams.c and server_streams_async.c, reports of load in
 * server_orca.c. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "interop/server.h"
#include "support/flags.h"

#define ECHO_INITIAL  "x-grpc-test-echo-initial"
#define ECHO_TRAILING "x-grpc-test-echo-trailing-bin"

/* Bodies of replies are zeros: all of them are views of this, so that no request can make memory
 * grow. */
#define MAX_BODY ((int32_t)64 << 20)
static uint8_t zeros[MAX_BODY];

/* More responses than these are not kept for one call. */
#define MAX_OUTPUTS 65536u

oyez_code echo_metadata(oyez_server_call *call)
{
    const oyez_metadata *metadata = oyez_server_call_metadata(call);
    oyez_err err = OYEZ_NO_ERR;
    oyez_str initial = oyez_metadata_get(metadata, ECHO_INITIAL);
    oyez_str trailing = oyez_metadata_get(metadata, ECHO_TRAILING);
    if (initial.data)
        err = oyez_server_call_add_header(call, ECHO_INITIAL, initial.data, initial.len);
    if (!err && trailing.data)
        err = oyez_server_call_add_trailer(call, ECHO_TRAILING, trailing.data, trailing.len);
    if (err)
        return oyez_server_call_fail(call, OYEZ_INTERNAL, "the metadata cannot be echoed: %s",
                                     oyez_strerror(err));
    return OYEZ_OK;
}

oyez_code echo_status(oyez_server_call *call, const Grpc__Testing__EchoStatus *status)
{
    if (!status || status->code == 0)
        return OYEZ_OK;
    return oyez_server_call_fail(call, (oyez_code)status->code, "%s", status->message);
}

oyez_code expect_compressed(oyez_server_call *call, const Grpc__Testing__BoolValue *expected, bool compressed)
{
    if (!expected || !expected->value || compressed)
        return OYEZ_OK;
    return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                 "a compressed request is expected, and this one is not");
}

/* Who does not take gzip gets the answer as it is. */
static void compress_answer(oyez_server_call *call, bool compressed)
{
    if (oyez_server_call_set_compressor(call, compressed ? "gzip" : "identity"))
        return;
}

oyez_code fill(oyez_server_call *call, Grpc__Testing__PayloadType type, int32_t size,
               Grpc__Testing__Payload *payload)
{
    if (type != GRPC__TESTING__PAYLOAD_TYPE__COMPRESSABLE)
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                     "payload type %d is not supported", (int)type);
    if (size < 0)
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                     "the response size is negative: %d", size);
    if (size > MAX_BODY)
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED,
                                     "a response of %d bytes is asked for, %d is the most", size,
                                     MAX_BODY);
    grpc__testing__payload__init(payload);
    payload->type = type;
    payload->body.data = zeros;
    payload->body.len = (size_t)size;
    return OYEZ_OK;
}

/* --- responses that are still to be sent ------------------------------------------------------ */

oyez_code output_queue_add(output_queue *queue,
                           const Grpc__Testing__StreamingOutputCallRequest *request)
{
    if (request->n_response_parameters > MAX_OUTPUTS - queue->count)
        return oyez_server_call_fail(queue->call, OYEZ_RESOURCE_EXHAUSTED,
                                     "more than %u responses are asked for", MAX_OUTPUTS);
    for (size_t i = 0; i < request->n_response_parameters; i++) {
        const Grpc__Testing__BoolValue *compressed = request->response_parameters[i]->compressed;
        output *item = queue->spare;
        if (item)
            queue->spare = item->next;
        else
            item = oyez_server_call_alloc(queue->call, sizeof(*item));
        if (!item)
            return oyez_server_call_fail(queue->call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
        *item = (output){.type = request->response_type,
                         .size = request->response_parameters[i]->size,
                         .interval_us = request->response_parameters[i]->interval_us,
                         .as_it_is = compressed && !compressed->value};
        if (compressed && compressed->value)
            compress_answer(queue->call, true);
        if (queue->last)
            queue->last->next = item;
        else
            queue->first = item;
        queue->last = item;
        queue->count++;
    }
    return OYEZ_OK;
}

bool output_queue_next(output_queue *queue, Grpc__Testing__StreamingOutputCallResponse *response,
                       Grpc__Testing__Payload *payload, int32_t *ret_interval_us,
                       oyez_code *ret_code)
{
    output *item = queue->first;
    if (!item)
        return false;
    queue->first = item->next;
    queue->count--;
    if (!queue->first)
        queue->last = NULL;
    item->next = queue->spare;
    queue->spare = item;
    *ret_code = fill(queue->call, item->type, item->size, payload);
    if (*ret_code != OYEZ_OK)
        return false;
    grpc__testing__streaming_output_call_response__init(response);
    response->payload = payload;
    *ret_interval_us = item->interval_us;
    oyez_stream_set_compress(queue->stream, !item->as_it_is);
    return true;
}

/* --- unary methods ---------------------------------------------------------------------------- */

/* A payload in the call's arena. */
static oyez_code make_payload(oyez_server_call *call, Grpc__Testing__PayloadType type, int32_t size,
                              Grpc__Testing__Payload **ret_payload)
{
    *ret_payload = oyez_server_call_alloc(call, sizeof(**ret_payload));
    if (!*ret_payload)
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    return fill(call, type, size, *ret_payload);
}

static oyez_code empty_call(void *self, oyez_server_call *call, const Grpc__Testing__Empty *request,
                            Grpc__Testing__Empty *reply)
{
    (void)self;
    (void)call;
    (void)request;
    (void)reply;
    return OYEZ_OK;
}

static oyez_code unary_call(void *self, oyez_server_call *call,
                            const Grpc__Testing__SimpleRequest *request,
                            Grpc__Testing__SimpleResponse *reply)
{
    (void)self;
    oyez_code code = echo_metadata(call);
    if (code == OYEZ_OK)
        code = echo_status(call, request->response_status);
    if (code == OYEZ_OK)
        code = expect_compressed(call, request->expect_compressed, oyez_server_call_request_compressed(call));
    if (code == OYEZ_OK)
        code = report_in_trailers(call, request->orca_per_query_report);
    if (code != OYEZ_OK)
        return code;
    if (request->response_compressed)
        compress_answer(call, request->response_compressed->value);
    if (request->fill_server_id) {
        reply->server_id = oyez_server_call_printf(call, "oyez-%d", (int)getpid());
        if (!reply->server_id)
            return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    }
    return make_payload(call, request->response_type, request->response_size, &reply->payload);
}

/* The body is the time, so that a caching proxy can be told from none. */
static oyez_code cacheable_unary_call(void *self, oyez_server_call *call,
                                      const Grpc__Testing__SimpleRequest *request,
                                      Grpc__Testing__SimpleResponse *reply)
{
    static const char control[] = "max-age=60, public";
    (void)self;
    (void)request;
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    char *text = oyez_server_call_printf(
        call, "%lld", (long long)now.tv_sec * 1000000000 + (long long)now.tv_nsec);
    oyez_code code =
        make_payload(call, GRPC__TESTING__PAYLOAD_TYPE__COMPRESSABLE, 0, &reply->payload);
    if (code != OYEZ_OK)
        return code;
    if (!text || oyez_server_call_add_header(call, "cache-control", control, sizeof(control) - 1))
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    reply->payload->body.data = (uint8_t *)text;
    reply->payload->body.len = strlen(text);
    return OYEZ_OK;
}

/* Interfaces of both families, or of IPv4 alone where there is no IPv6; what else fails fails. */
static oyez_err listen_everywhere(oyez_server *server, int port, uint16_t *ret_port)
{
    char address[32];
    (void)snprintf(address, sizeof(address), "[::]:%d", port);
    oyez_err err = oyez_server_listen(server, address, oyez_insecure(), ret_port);
    if (err == OYEZ_NO_ERR || err == OYEZ_EADDRINUSE || err == OYEZ_EACCES)
        return err;
    (void)snprintf(address, sizeof(address), "0.0.0.0:%d", port);
    return oyez_server_listen(server, address, oyez_insecure(), ret_port);
}

static oyez_err serve(oyez_server *server, const grpc_testing_test_service_service *service,
                      int port, const sigset_t *signals)
{
    uint16_t bound = 0;
    oyez_err err = grpc_testing_test_service_service_register(server, service, NULL);
    if (!err)
        err = register_reports(server);
    if (!err)
        err = listen_everywhere(server, port, &bound);
    if (!err)
        err = oyez_server_start(server);
    if (err)
        return err;
    printf("listening on port %u\n", (unsigned)bound);
    (void)fflush(stdout);
    int number = 0;
    (void)sigwait(signals, &number);
    oyez_server_graceful_stop(server, 2 * OYEZ_SECOND);
    return oyez_server_wait(server, 5 * OYEZ_SECOND);
}

int main(int argc, char **argv)
{
    static const char no_tls[] = "this build has no TLS";
    int port = 10000;
    const char *handler = "workers";
    const oy_flag flags[] = {
        {.name = "port",
         .kind = OY_FLAG_INT,
         .value = &port,
         .help = "0: any; it is printed",
         .most = 65535},
        {.name = "handler",
         .kind = OY_FLAG_WORD,
         .value = &handler,
         .help = "where handlers run",
         .words = "workers|loop"},
        {.name = "use_tls", .kind = OY_FLAG_OFF, .help = no_tls},
        {.name = "use_alts", .kind = OY_FLAG_OFF, .help = "this build has no ALTS"},
        {.name = "custom_credentials_type",
         .kind = OY_FLAG_OFF,
         .help = "this build has no such credentials",
         .words = "insecure"},
        {.name = "alts_handshaker_service_address",
         .kind = OY_FLAG_IGNORED,
         .help = "of ALTS only"},
        {.name = "tls_cert_file", .kind = OY_FLAG_IGNORED, .help = "of TLS only"},
        {.name = "tls_key_file", .kind = OY_FLAG_IGNORED, .help = "of TLS only"},
        {.name = "max_send_message_size",
         .kind = OY_FLAG_OFF,
         .help = "sizes are not limited here",
         .words = "-1"},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "A server of grpc.testing.TestService.", argc, argv)) {
    case OY_FLAGS_GO:
        break;
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        return 2;
    }

    /* Blocked before the first thread is made: this one waits for them. */
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);

    grpc_testing_test_service_service service = {
        .empty_call = empty_call,
        .unary_call = unary_call,
        .cacheable_unary_call = cacheable_unary_call,
        .on_loop = strcmp(handler, "loop") == 0,
    };
    if (service.on_loop)
        set_async_streams(&service);
    else
        set_blocking_streams(&service);
    oyez_server *server = NULL;
    /* As the others' interop servers: no limit of streams is announced. */
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_streams = UINT32_MAX };
    oyez_err err = oyez_server_new(&options, &server);
    if (!err)
        err = serve(server, &service, port, &signals);
    if (err) {
        const char *words = server ? oyez_server_words(server) : "";
        fprintf(stderr, "oyez-interop-server: %s\n", words[0] ? words : oyez_strerror(err));
    }
    oyez_server_unref(server);
    return err != 0;
}

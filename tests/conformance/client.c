/* SPDX-License-Identifier: Apache-2.0 */
/* The client under test of the conformance suite: reads ClientCompatRequests to the end of input, makes the calls that they
 * describe, several at a time, and writes what came of each. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common.h"

#define MAX_THREADS 16

typedef Connectrpc__Conformance__V1__ClientCompatRequest Case;
typedef Connectrpc__Conformance__V1__ClientResponseResult Result;

/* One case under way. */
typedef struct run {
    Case *request;
    oyez_channel *channel;
    oyez_ctx *ctx;
    oyez_method method;
    char path[256];
    oyez_metadata *metadata, *headers, *trailers;
    oyez_call_options options;
    Payload **payloads;
    size_t payload_count;
    int32_t unsent;
    oyez_status status;
} run;

static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;

static void sleep_ms(uint32_t ms)
{
    struct timespec time = { ms / 1000, (int)(ms % 1000) * 1000000 };
    nanosleep(&time, NULL);
}

/* --- cancellation -------------------------------------------------------------------------------------------------- */

static bool cancels(const Case *request, Connectrpc__Conformance__V1__ClientCompatRequest__Cancel__CancelTimingCase when)
{
    return request->cancel && request->cancel->cancel_timing_case == when;
}

#define BEFORE_CLOSE_SEND                                                                          \
    CONNECTRPC__CONFORMANCE__V1__CLIENT_COMPAT_REQUEST__CANCEL__CANCEL_TIMING_BEFORE_CLOSE_SEND
#define AFTER_CLOSE_SEND                                                                           \
    CONNECTRPC__CONFORMANCE__V1__CLIENT_COMPAT_REQUEST__CANCEL__CANCEL_TIMING_AFTER_CLOSE_SEND_MS
#define AFTER_RESPONSES                                                                            \
    CONNECTRPC__CONFORMANCE__V1__CLIENT_COMPAT_REQUEST__CANCEL__CANCEL_TIMING_AFTER_NUM_RESPONSES
#define AT_ONCE CONNECTRPC__CONFORMANCE__V1__CLIENT_COMPAT_REQUEST__CANCEL__CANCEL_TIMING__NOT_SET

static void *cancel_later(void *user)
{
    run *it = user;
    sleep_ms(it->request->cancel->after_close_send_ms);
    (void)oyez_ctx_cancel(it->ctx);
    return NULL;
}

/* --- compression ---------------------------------------------------------------------------------------------------- */

#define COMPRESSION(name) CONNECTRPC__CONFORMANCE__V1__COMPRESSION__COMPRESSION_##name

/* NULL: none is wanted, or there is none of the kind. */
static const char *compressor_of(const Case *request)
{
    switch (request->compression) {
    case COMPRESSION(IDENTITY):
        return "identity";
    case COMPRESSION(GZIP):
        return "gzip";
    case COMPRESSION(DEFLATE):
        return "deflate";
    case COMPRESSION(ZSTD):
        return "zstd";
    default:
        return NULL;
    }
}

/* --- messages -------------------------------------------------------------------------------------------------------- */

typedef Connectrpc__Conformance__V1__UnaryResponse Response;

static const ProtobufCMessageDescriptor *const request_types[] = {
    &connectrpc__conformance__v1__unary_request__descriptor,
    &connectrpc__conformance__v1__idempotent_unary_request__descriptor,
    &connectrpc__conformance__v1__server_stream_request__descriptor,
    &connectrpc__conformance__v1__client_stream_request__descriptor,
    &connectrpc__conformance__v1__bidi_stream_request__descriptor,
    &connectrpc__conformance__v1__unimplemented_request__descriptor,
};

static const ProtobufCMessageDescriptor *type_of(const Any *message)
{
    const char *slash = strrchr(message->type_url, '/');
    const char *name = slash ? slash + 1 : message->type_url;
    for (size_t i = 0; i < sizeof(request_types) / sizeof(request_types[0]); i++)
        if (strcmp(request_types[i]->name, name) == 0)
            return request_types[i];
    fprintf(stderr, "conformance: unknown type of a request: %s\n", message->type_url);
    exit(1);
}

static ProtobufCMessage *message_of(const Any *message)
{
    return need(protobuf_c_message_unpack(type_of(message), NULL, message->value.len, message->value.data));
}

/* Every response has its payload in field 1, so all of them are read as one type. */
static void take_response(run *it, const Response *response)
{
    Payload empty = CONNECTRPC__CONFORMANCE__V1__CONFORMANCE_PAYLOAD__INIT;
    const Payload *payload = response->payload ? response->payload : &empty;
    size_t len = protobuf_c_message_get_packed_size(&payload->base);
    uint8_t *bytes = need(malloc(len + 1));
    protobuf_c_message_pack(&payload->base, bytes);
    it->payloads = need(realloc(it->payloads, (it->payload_count + 1) * sizeof(*it->payloads)));
    it->payloads[it->payload_count++] =
        need(connectrpc__conformance__v1__conformance_payload__unpack(NULL, len, bytes));
    free(bytes);
}

/* --- calls ------------------------------------------------------------------------------------------------------------ */

static void run_unary(run *it)
{
    ProtobufCMessage *request = message_of(it->request->request_messages[0]);
    void *reply = NULL;
    pthread_t canceller;
    bool cancelling = cancels(it->request, AFTER_CLOSE_SEND);
    sleep_ms(it->request->request_delay_ms);
    if (cancelling)
        pthread_create(&canceller, NULL, cancel_later, it);
    if (oyez_unary_call(it->channel, &it->method, it->ctx, &it->options, request, &reply, &it->status) == OYEZ_OK)
        take_response(it, reply);
    if (reply)
        protobuf_c_message_free_unpacked(reply, NULL);
    protobuf_c_message_free_unpacked(request, NULL);
    if (cancelling)
        pthread_join(canceller, NULL);
}

static bool receive(run *it, oyez_stream *stream)
{
    const void *message;
    if (!oyez_stream_recv(stream, &message))
        return false;
    take_response(it, message);
    if (cancels(it->request, AFTER_RESPONSES) && it->payload_count == it->request->cancel->after_num_responses)
        (void)oyez_ctx_cancel(it->ctx);
    return true;
}

/* Sends all requests; with full duplex a response follows each. */
static void send_all(run *it, oyez_stream *stream, bool full_duplex)
{
    const Case *request = it->request;
    for (size_t i = 0; i < request->n_request_messages; i++) {
        ProtobufCMessage *message = message_of(request->request_messages[i]);
        sleep_ms(request->request_delay_ms);
        bool sent = oyez_stream_send(stream, message);
        protobuf_c_message_free_unpacked(message, NULL);
        if (!sent) {
            it->unsent = (int32_t)(request->n_request_messages - i);
            return;
        }
        if (full_duplex && !receive(it, stream))
            return;
    }
}

static void run_stream(run *it)
{
    const Case *request = it->request;
    bool client = it->method.client_streaming;
    bool full = request->stream_type == CONNECTRPC__CONFORMANCE__V1__STREAM_TYPE__STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM;
    oyez_stream *stream;
    ProtobufCMessage *one = client ? NULL : message_of(request->request_messages[0]);
    oyez_err err = oyez_stream_start(it->channel, &it->method, it->ctx, &it->options, one, NULL, NULL, NULL,
                                     &stream);
    if (one)
        protobuf_c_message_free_unpacked(one, NULL);
    if (err) {
        (void)oyez_status_setf(&it->status, OYEZ_INTERNAL, "%s", oyez_strerror(err));
        return;
    }
    if (client)
        send_all(it, stream, full);
    if (cancels(request, BEFORE_CLOSE_SEND) || cancels(request, AT_ONCE))
        (void)oyez_ctx_cancel(it->ctx);
    else
        oyez_stream_close_send(stream);
    if (cancels(request, AFTER_CLOSE_SEND)) {
        sleep_ms(request->cancel->after_close_send_ms);
        (void)oyez_ctx_cancel(it->ctx);
    }
    while (receive(it, stream))
        ;
    (void)oyez_stream_finish(stream, &it->status);
}

/* --- results ---------------------------------------------------------------------------------------------------------- */

static void say_failure(const Case *request, const char *words)
{
    Connectrpc__Conformance__V1__ClientCompatResponse response = CONNECTRPC__CONFORMANCE__V1__CLIENT_COMPAT_RESPONSE__INIT;
    Connectrpc__Conformance__V1__ClientErrorResult error = CONNECTRPC__CONFORMANCE__V1__CLIENT_ERROR_RESULT__INIT;
    error.message = (char *)words;
    response.test_name = request->test_name;
    response.result_case = CONNECTRPC__CONFORMANCE__V1__CLIENT_COMPAT_RESPONSE__RESULT_ERROR;
    response.error = &error;
    pthread_mutex_lock(&output_lock);
    write_framed(&response.base);
    pthread_mutex_unlock(&output_lock);
}

static void say_result(run *it)
{
    Connectrpc__Conformance__V1__ClientCompatResponse response = CONNECTRPC__CONFORMANCE__V1__CLIENT_COMPAT_RESPONSE__INIT;
    Result result = CONNECTRPC__CONFORMANCE__V1__CLIENT_RESPONSE_RESULT__INIT;
    Error error = CONNECTRPC__CONFORMANCE__V1__ERROR__INIT;
    header_list headers = headers_of_metadata(it->headers), trailers = headers_of_metadata(it->trailers);
    RpcStatus *rpc = NULL;
    result.response_headers = headers.items;
    result.n_response_headers = headers.count;
    result.response_trailers = trailers.items;
    result.n_response_trailers = trailers.count;
    result.payloads = it->payloads;
    result.n_payloads = it->payload_count;
    result.num_unsent_requests = it->unsent;
    if (it->status.code != OYEZ_OK) {
        oyez_str details = oyez_status_details(&it->status);
        if (details.len > 0)
            rpc = connectrpc__conformance__v1__rpc_status__unpack(NULL, details.len, (const uint8_t *)details.data);
        error.code = (int32_t)it->status.code;
        error.has_message_case = CONNECTRPC__CONFORMANCE__V1__ERROR__HAS_MESSAGE_MESSAGE;
        error.message = (char *)it->status.message;
        error.details = rpc ? rpc->details : NULL;
        error.n_details = rpc ? rpc->n_details : 0;
        result.error = &error;
    }
    response.test_name = it->request->test_name;
    response.result_case = CONNECTRPC__CONFORMANCE__V1__CLIENT_COMPAT_RESPONSE__RESULT_RESPONSE;
    response.response = &result;
    pthread_mutex_lock(&output_lock);
    write_framed(&response.base);
    pthread_mutex_unlock(&output_lock);
    if (rpc)
        connectrpc__conformance__v1__rpc_status__free_unpacked(rpc, NULL);
    header_list_free(&headers);
    header_list_free(&trailers);
}

/* --- a case ------------------------------------------------------------------------------------------------------------- */

static void add_metadata(void *user, const char *key, const void *value, size_t len)
{
    if (oyez_metadata_append(user, key, value, len))
        fprintf(stderr, "conformance: header %s was refused\n", key);
}

static oyez_metadata *new_metadata(void)
{
    oyez_metadata *metadata = NULL;
    if (oyez_metadata_new(&metadata))
        exit(1);
    return metadata;
}

static oyez_err prepare(run *it)
{
    const Case *request = it->request;
    char target[300];
    int stream_type = (int)request->stream_type;
    it->status = (oyez_status)OYEZ_STATUS_INIT;
    snprintf(it->path, sizeof(it->path), "/%s/%s", request->service, request->method);
    it->method = (oyez_method){ OYEZ_METHOD_INIT, .path = it->path, .codec = oyez_protobuf_c };
    it->method.request = request->n_request_messages ? type_of(request->request_messages[0]) : request_types[0];
    it->method.response = &connectrpc__conformance__v1__unary_response__descriptor;
    it->method.client_streaming = stream_type != CONNECTRPC__CONFORMANCE__V1__STREAM_TYPE__STREAM_TYPE_UNARY &&
                                  stream_type != CONNECTRPC__CONFORMANCE__V1__STREAM_TYPE__STREAM_TYPE_SERVER_STREAM;
    it->method.server_streaming = stream_type != CONNECTRPC__CONFORMANCE__V1__STREAM_TYPE__STREAM_TYPE_UNARY &&
                                  stream_type != CONNECTRPC__CONFORMANCE__V1__STREAM_TYPE__STREAM_TYPE_CLIENT_STREAM;
    it->metadata = new_metadata();
    it->headers = new_metadata();
    it->trailers = new_metadata();
    each_header(request->request_headers, request->n_request_headers, add_metadata, it->metadata);
    it->options = (oyez_call_options){ OYEZ_CALL_OPTIONS_INIT };
    it->options.metadata = it->metadata;
    it->options.headers = it->headers;
    it->options.trailers = it->trailers;
    it->options.max_receive_bytes = request->message_receive_limit;
    it->options.compressor = compressor_of(request);
    if (request->has_timeout_ms_case)
        it->options.timeout = (oyez_duration)request->timeout_ms * OYEZ_MILLISECOND;
    it->ctx = oyez_ctx_with_cancel(NULL);
    snprintf(target, sizeof(target), "%s:%u", request->host, request->port);
    return oyez_channel_new(target, oyez_insecure(), NULL, &it->channel);
}

static void clean(run *it)
{
    oyez_channel_unref(it->channel);
    oyez_ctx_unref(it->ctx);
    oyez_metadata_free(it->metadata);
    oyez_metadata_free(it->headers);
    oyez_metadata_free(it->trailers);
    for (size_t i = 0; i < it->payload_count; i++)
        connectrpc__conformance__v1__conformance_payload__free_unpacked(it->payloads[i], NULL);
    free(it->payloads);
    oyez_status_fini(&it->status);
    connectrpc__conformance__v1__client_compat_request__free_unpacked(it->request, NULL);
}

static const char *unfit(const Case *request)
{
    if (request->protocol != CONNECTRPC__CONFORMANCE__V1__PROTOCOL__PROTOCOL_GRPC)
        return "only gRPC is spoken";
    if (request->codec != CONNECTRPC__CONFORMANCE__V1__CODEC__CODEC_PROTO)
        return "only the proto codec is spoken";
    if (request->compression != COMPRESSION(UNSPECIFIED) && !compressor_of(request))
        return "there is no such compression here";
    if (!request->service || !request->method || request->n_request_messages == 0)
        if (request->stream_type == CONNECTRPC__CONFORMANCE__V1__STREAM_TYPE__STREAM_TYPE_UNARY)
            return "service, method and one request message are expected";
    return NULL;
}

static void run_case(Case *request)
{
    run it = { .request = request };
    const char *words = unfit(request);
    if (words) {
        say_failure(request, words);
        connectrpc__conformance__v1__client_compat_request__free_unpacked(request, NULL);
        return;
    }
    oyez_err err = prepare(&it);
    if (err) {
        say_failure(request, oyez_strerror(err));
    } else {
        if (!it.method.client_streaming && !it.method.server_streaming)
            run_unary(&it);
        else
            run_stream(&it);
        say_result(&it);
    }
    clean(&it);
}

static pthread_mutex_t input_lock = PTHREAD_MUTEX_INITIALIZER;

/* Each thread takes the next case until there is none. */
static void *work(void *user)
{
    (void)user;
    for (;;) {
        size_t len;
        pthread_mutex_lock(&input_lock);
        uint8_t *bytes = read_framed(&len);
        pthread_mutex_unlock(&input_lock);
        if (!bytes)
            return NULL;
        Case *request = connectrpc__conformance__v1__client_compat_request__unpack(NULL, len, bytes);
        free(bytes);
        if (!request) {
            fprintf(stderr, "conformance: what came is no ClientCompatRequest\n");
            exit(1);
        }
        run_case(request);
    }
}

int main(void)
{
    pthread_t threads[MAX_THREADS];
    for (int i = 0; i < MAX_THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < MAX_THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

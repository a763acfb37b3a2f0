/* SPDX-License-Identifier: Apache-2.0 */
/* The server under test of the conformance suite: reads one ServerCompatRequest, listens on a free port, says which, and serves
 * until it is ended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common.h"
#include "conformance.oyez.h"

typedef Connectrpc__Conformance__V1__UnaryResponseDefinition UnaryDefinition;
typedef Connectrpc__Conformance__V1__StreamResponseDefinition StreamDefinition;

/* The requests that have come, to be echoed. They live on the heap until the call is answered. */
typedef struct echo {
    Any **requests;
    size_t count;
} echo;

static void echo_add(echo *seen, const ProtobufCMessage *request)
{
    seen->requests = need(realloc(seen->requests, (seen->count + 1) * sizeof(*seen->requests)));
    seen->requests[seen->count++] = any_of(request);
}

static void echo_clear(echo *seen)
{
    for (size_t i = 0; i < seen->count; i++)
        any_free(seen->requests[i]);
    free(seen->requests);
    *seen = (echo){ NULL, 0 };
}

static void sleep_ms(uint32_t ms)
{
    struct timespec time = { ms / 1000, (int)(ms % 1000) * 1000000 };
    nanosleep(&time, NULL);
}

/* --- metadata ----------------------------------------------------------------------------------------------------- */

static void add_header(void *user, const char *key, const void *value, size_t len)
{
    if (oyez_server_call_add_header(user, key, value, len))
        fprintf(stderr, "conformance: header %s was refused\n", key);
}

static void add_trailer(void *user, const char *key, const void *value, size_t len)
{
    if (oyez_server_call_add_trailer(user, key, value, len))
        fprintf(stderr, "conformance: trailer %s was refused\n", key);
}

/* What was seen of the request; to be ended by free_info. */
static RequestInfo make_info(oyez_server_call *call, const echo *seen, bool whole, header_list *headers)
{
    RequestInfo info = CONNECTRPC__CONFORMANCE__V1__CONFORMANCE_PAYLOAD__REQUEST_INFO__INIT;
    *headers = (header_list){ NULL, 0 };
    info.requests = seen->requests;
    info.n_requests = seen->count;
    if (!whole)
        return info;
    *headers = headers_of_metadata(oyez_server_call_metadata(call));
    info.request_headers = headers->items;
    info.n_request_headers = headers->count;
    oyez_duration deadline = oyez_ctx_deadline(oyez_server_call_ctx(call));
    if (deadline != OYEZ_FOREVER) {
        info.has_timeout_ms_case =
            CONNECTRPC__CONFORMANCE__V1__CONFORMANCE_PAYLOAD__REQUEST_INFO__HAS_TIMEOUT_MS_TIMEOUT_MS;
        info.timeout_ms = (deadline - oyez_now()) / OYEZ_MILLISECOND;
    }
    return info;
}

/* Ends the call with the error that was asked for, and the RequestInfo among its details when `seen` is given. */
static oyez_code fail(oyez_server_call *call, const Error *error, const echo *seen)
{
    RpcStatus rpc = CONNECTRPC__CONFORMANCE__V1__RPC_STATUS__INIT;
    oyez_status status = OYEZ_STATUS_INIT;
    Any **details = need(calloc(error->n_details + 1, sizeof(*details)));
    Any *info_any = NULL;
    for (size_t i = 0; i < error->n_details; i++)
        details[i] = error->details[i];
    rpc.n_details = error->n_details;
    if (seen) {
        header_list headers;
        RequestInfo info = make_info(call, seen, true, &headers);
        info_any = details[rpc.n_details++] = any_of(&info.base);
        header_list_free(&headers);
    }
    rpc.details = details;
    rpc.code = error->code;
    rpc.message = error->message ? error->message : (char *)"";
    size_t len = protobuf_c_message_get_packed_size(&rpc.base);
    uint8_t *bytes = need(malloc(len + 1));
    protobuf_c_message_pack(&rpc.base, bytes);
    oyez_status_set(&status, (oyez_code)error->code, rpc.message, strlen(rpc.message));
    if (oyez_status_set_details(&status, bytes, len))
        fprintf(stderr, "conformance: details were refused\n");
    oyez_code code = oyez_server_call_fail_status(call, &status);
    oyez_status_fini(&status);
    free(bytes);
    if (info_any)
        any_free(info_any);
    free(details);
    return code;
}

/* --- one response ----------------------------------------------------------------------------------------------------- */

/* Memory of a call, for protobuf-c: gone when the call ends. */
static void *call_alloc(void *call, size_t bytes)
{
    return oyez_server_call_alloc(call, bytes);
}

static void call_free(void *call, void *memory)
{
    (void)call;
    (void)memory;
}

/* A payload, in the call's memory or on the heap. */
static oyez_code fill_payload(oyez_server_call *call, bool on_heap, ProtobufCBinaryData data, bool with_info, bool whole,
                              const echo *seen, Payload **ret_payload)
{
    ProtobufCAllocator of_call = { call_alloc, call_free, call };
    Payload payload = CONNECTRPC__CONFORMANCE__V1__CONFORMANCE_PAYLOAD__INIT;
    header_list headers = { NULL, 0 };
    RequestInfo info;
    payload.data = data;
    if (with_info) {
        info = make_info(call, seen, whole, &headers);
        payload.request_info = &info;
    }
    /* Through its bytes: so the copy owns all that hangs on it. */
    size_t len = protobuf_c_message_get_packed_size(&payload.base);
    uint8_t *bytes = need(malloc(len + 1));
    protobuf_c_message_pack(&payload.base, bytes);
    *ret_payload = need(connectrpc__conformance__v1__conformance_payload__unpack(on_heap ? NULL : &of_call, len, bytes));
    free(bytes);
    header_list_free(&headers);
    return OYEZ_OK;
}

static const ProtobufCBinaryData no_data = { 0, NULL };

static oyez_code answer_unary(oyez_server_call *call, const UnaryDefinition *definition, const echo *seen,
                              Payload **ret_payload)
{
    if (!definition)
        return fill_payload(call, false, no_data, true, true, seen, ret_payload);
    each_header(definition->response_headers, definition->n_response_headers, add_header, call);
    each_header(definition->response_trailers, definition->n_response_trailers, add_trailer, call);
    sleep_ms(definition->response_delay_ms);
    if (definition->response_case == CONNECTRPC__CONFORMANCE__V1__UNARY_RESPONSE_DEFINITION__RESPONSE_ERROR)
        return fail(call, definition->error, seen);
    bool has_data =
        definition->response_case == CONNECTRPC__CONFORMANCE__V1__UNARY_RESPONSE_DEFINITION__RESPONSE_RESPONSE_DATA;
    return fill_payload(call, false, has_data ? definition->response_data : no_data, true, true, seen, ret_payload);
}

static oyez_code unary(void *self, oyez_server_call *call, const Connectrpc__Conformance__V1__UnaryRequest *request,
                       Connectrpc__Conformance__V1__UnaryResponse *reply)
{
    echo seen = { NULL, 0 };
    (void)self;
    echo_add(&seen, &request->base);
    oyez_code code = answer_unary(call, request->response_definition, &seen, &reply->payload);
    echo_clear(&seen);
    return code;
}

static oyez_code idempotent_unary(void *self, oyez_server_call *call,
                                  const Connectrpc__Conformance__V1__IdempotentUnaryRequest *request,
                                  Connectrpc__Conformance__V1__IdempotentUnaryResponse *reply)
{
    echo seen = { NULL, 0 };
    (void)self;
    echo_add(&seen, &request->base);
    oyez_code code = answer_unary(call, request->response_definition, &seen, &reply->payload);
    echo_clear(&seen);
    return code;
}

/* A copy of a definition that outlives the message it came in. */
static void *copy_message(const ProtobufCMessage *message)
{
    if (!message)
        return NULL;
    size_t len = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = need(malloc(len + 1));
    protobuf_c_message_pack(message, bytes);
    void *copy = need(protobuf_c_message_unpack(message->descriptor, NULL, len, bytes));
    free(bytes);
    return copy;
}

static void free_message(void *message)
{
    if (message)
        protobuf_c_message_free_unpacked(message, NULL);
}

static oyez_code client_stream(void *self, oyez_server_call *call,
                               connectrpc_conformance_v1_conformance_service_client_stream_server_stream stream,
                               Connectrpc__Conformance__V1__ClientStreamResponse *reply)
{
    const Connectrpc__Conformance__V1__ClientStreamRequest *request;
    UnaryDefinition *definition = NULL;
    echo seen = { NULL, 0 };
    (void)self;
    while (connectrpc_conformance_v1_conformance_service_client_stream_server_recv(stream, &request)) {
        if (seen.count == 0 && request->response_definition)
            definition = copy_message(&request->response_definition->base);
        echo_add(&seen, &request->base);
    }
    oyez_code code = OYEZ_CANCELLED;
    if (!oyez_server_call_is_cancelled(call))
        code = answer_unary(call, definition, &seen, &reply->payload);
    free_message(definition);
    echo_clear(&seen);
    return code;
}

/* --- many responses ----------------------------------------------------------------------------------------------------- */

static void begin_stream(oyez_server_call *call, const StreamDefinition *definition, bool headers_now)
{
    each_header(definition->response_headers, definition->n_response_headers, add_header, call);
    each_header(definition->response_trailers, definition->n_response_trailers, add_trailer, call);
    if (headers_now && oyez_server_call_send_headers(call))
        fprintf(stderr, "conformance: the headers had left already\n");
}

static oyez_code server_stream(void *self, oyez_server_call *call,
                               const Connectrpc__Conformance__V1__ServerStreamRequest *request,
                               connectrpc_conformance_v1_conformance_service_server_stream_server_stream stream)
{
    const StreamDefinition *definition = request->response_definition;
    oyez_code code = OYEZ_OK;
    echo seen = { NULL, 0 };
    (void)self;
    if (!definition)
        return OYEZ_OK;
    echo_add(&seen, &request->base);
    begin_stream(call, definition, true);
    for (size_t i = 0; i < definition->n_response_data && code == OYEZ_OK; i++) {
        Connectrpc__Conformance__V1__ServerStreamResponse response =
            CONNECTRPC__CONFORMANCE__V1__SERVER_STREAM_RESPONSE__INIT;
        sleep_ms(definition->response_delay_ms);
        (void)fill_payload(call, true, definition->response_data[i], i == 0, true, &seen, &response.payload);
        if (!connectrpc_conformance_v1_conformance_service_server_stream_server_send(stream, &response))
            code = OYEZ_CANCELLED;
        free_message(response.payload);
    }
    if (code == OYEZ_OK && definition->error)
        code = fail(call, definition->error, definition->n_response_data == 0 ? &seen : NULL);
    echo_clear(&seen);
    return code;
}

typedef connectrpc_conformance_v1_conformance_service_bidi_stream_server_stream bidi;

static bool send_bidi(oyez_server_call *call, bidi stream, const StreamDefinition *definition, size_t index, bool with_info,
                      const echo *seen)
{
    Connectrpc__Conformance__V1__BidiStreamResponse response = CONNECTRPC__CONFORMANCE__V1__BIDI_STREAM_RESPONSE__INIT;
    sleep_ms(definition->response_delay_ms);
    (void)fill_payload(call, true, definition->response_data[index], with_info, index == 0, seen, &response.payload);
    bool sent = connectrpc_conformance_v1_conformance_service_bidi_stream_server_send(stream, &response);
    free_message(response.payload);
    return sent;
}

static oyez_code bidi_stream(void *self, oyez_server_call *call, bidi stream)
{
    const Connectrpc__Conformance__V1__BidiStreamRequest *request;
    StreamDefinition *definition = NULL;
    bool first = true, full_duplex = false;
    size_t sent = 0;
    oyez_code code = OYEZ_OK;
    echo seen = { NULL, 0 };
    (void)self;
    while (code == OYEZ_OK && connectrpc_conformance_v1_conformance_service_bidi_stream_server_recv(stream, &request)) {
        echo_add(&seen, &request->base);
        if (first) {
            full_duplex = request->full_duplex;
            if (request->response_definition) {
                definition = copy_message(&request->response_definition->base);
                begin_stream(call, definition, full_duplex);
            }
        }
        first = false;
        if (!full_duplex)
            continue;
        if (!definition || sent >= definition->n_response_data)
            break;
        if (!send_bidi(call, stream, definition, sent++, true, &seen))
            code = OYEZ_CANCELLED;
        echo_clear(&seen);
    }
    if (oyez_server_call_is_cancelled(call))
        code = OYEZ_CANCELLED;
    for (; code == OYEZ_OK && definition && sent < definition->n_response_data; sent++)
        if (!send_bidi(call, stream, definition, sent, sent == 0, &seen))
            code = OYEZ_CANCELLED;
    if (code == OYEZ_OK && definition && definition->error)
        code = fail(call, definition->error, sent == 0 ? &seen : NULL);
    free_message(definition);
    echo_clear(&seen);
    return code;
}

static const connectrpc_conformance_v1_conformance_service_service service = {
    .unary = unary,
    .idempotent_unary = idempotent_unary,
    .client_stream = client_stream,
    .server_stream = server_stream,
    .bidi_stream = bidi_stream,
};

int main(void)
{
    size_t len;
    uint8_t *bytes = read_framed(&len);
    Connectrpc__Conformance__V1__ServerCompatRequest *request =
        bytes ? connectrpc__conformance__v1__server_compat_request__unpack(NULL, len, bytes) : NULL;
    if (!request) {
        fprintf(stderr, "conformance: expected a ServerCompatRequest on standard input\n");
        return 1;
    }
    if (request->use_tls || request->protocol != CONNECTRPC__CONFORMANCE__V1__PROTOCOL__PROTOCOL_GRPC) {
        fprintf(stderr, "conformance: only gRPC in cleartext is served\n");
        return 1;
    }
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_receive_bytes = request->message_receive_limit };
    oyez_server *server = NULL;
    uint16_t port = 0;
    oyez_err err = oyez_server_new(&options, &server);
    if (!err)
        err = connectrpc_conformance_v1_conformance_service_service_register(server, &service, NULL);
    if (!err)
        err = oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);
    if (!err) {
        Connectrpc__Conformance__V1__ServerCompatResponse response =
            CONNECTRPC__CONFORMANCE__V1__SERVER_COMPAT_RESPONSE__INIT;
        response.host = (char *)"127.0.0.1";
        response.port = port;
        write_framed(&response.base);
        err = oyez_server_serve(server);
    }
    if (err)
        fprintf(stderr, "conformance: %s %s\n", oyez_strerror(err), oyez_server_words(server));
    oyez_server_unref(server);
    connectrpc__conformance__v1__server_compat_request__free_unpacked(request, NULL);
    free(bytes);
    return err != 0;
}

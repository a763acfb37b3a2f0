/* SPDX-License-Identifier: Apache-2.0 */
/* The interop server's streaming methods, by handlers that block. */
#include <time.h>

#include "interop/server.h"

/* A request may ask for pauses of half an hour; a client that has gone ends them. */
bool pause_for(oyez_server_call *call, oyez_duration pause)
{
    const struct timespec slice = {0, 5000000};
    oyez_duration due = oyez_now() + pause;
    oyez_duration left;
    while ((left = due - oyez_now()) > 0 && !oyez_server_call_is_cancelled(call)) {
        const struct timespec rest = {0, (int32_t)left};
        (void)nanosleep(left < slice.tv_nsec ? &rest : &slice, NULL);
    }
    return !oyez_server_call_is_cancelled(call);
}

/* Sends all that is queued. The methods' streams have one type of response, so one function serves
 * them all. */
static oyez_code send_all(output_queue *queue, oyez_stream *stream)
{
    Grpc__Testing__StreamingOutputCallResponse response;
    Grpc__Testing__Payload payload;
    int32_t interval_us;
    oyez_code code = OYEZ_OK;
    while (output_queue_next(queue, &response, &payload, &interval_us, &code)) {
        if (interval_us > 0 && !pause_for(queue->call, interval_us * OYEZ_MICROSECOND))
            return OYEZ_CANCELLED;
        if (!oyez_stream_send(stream, &response))
            return OYEZ_CANCELLED;
    }
    return code;
}

static oyez_code
streaming_output_call(void *self, oyez_server_call *call,
                      const Grpc__Testing__StreamingOutputCallRequest *request,
                      grpc_testing_test_service_streaming_output_call_server_stream stream)
{
    output_queue queue = {.call = call, .stream = stream.base};
    (void)self;
    oyez_code code = echo_status(call, request->response_status);
    if (code == OYEZ_OK)
        code = output_queue_add(&queue, request);
    return code == OYEZ_OK ? send_all(&queue, stream.base) : code;
}

static oyez_code
streaming_input_call(void *self, oyez_server_call *call,
                     grpc_testing_test_service_streaming_input_call_server_stream stream,
                     Grpc__Testing__StreamingInputCallResponse *reply)
{
    const Grpc__Testing__StreamingInputCallRequest *request;
    oyez_code code = OYEZ_OK;
    size_t sum = 0;
    (void)self;
    while (code == OYEZ_OK &&
           grpc_testing_test_service_streaming_input_call_server_recv(stream, &request)) {
        sum += request->payload ? request->payload->body.len : 0;
        code = expect_compressed(call, request->expect_compressed, oyez_stream_received_compressed(stream.base));
    }
    reply->aggregated_payload_size = sum > INT32_MAX ? INT32_MAX : (int32_t)sum;
    return code;
}

static oyez_code full_duplex_call(void *self, oyez_server_call *call,
                                  grpc_testing_test_service_full_duplex_call_server_stream stream)
{
    const Grpc__Testing__StreamingOutputCallRequest *request;
    output_queue queue = {.call = call, .stream = stream.base};
    (void)self;
    oyez_code code = echo_metadata(call);
    while (code == OYEZ_OK &&
           grpc_testing_test_service_full_duplex_call_server_recv(stream, &request)) {
        code = echo_status(call, request->response_status);
        if (code == OYEZ_OK)
            code = report_out_of_band(call, request->orca_oob_report);
        if (code == OYEZ_OK)
            code = output_queue_add(&queue, request);
        if (code == OYEZ_OK)
            code = send_all(&queue, stream.base);
    }
    return code;
}

static oyez_code half_duplex_call(void *self, oyez_server_call *call,
                                  grpc_testing_test_service_half_duplex_call_server_stream stream)
{
    const Grpc__Testing__StreamingOutputCallRequest *request;
    output_queue queue = {.call = call, .stream = stream.base};
    oyez_code code = OYEZ_OK;
    (void)self;
    while (code == OYEZ_OK &&
           grpc_testing_test_service_half_duplex_call_server_recv(stream, &request))
        code = output_queue_add(&queue, request);
    return code == OYEZ_OK ? send_all(&queue, stream.base) : code;
}

void set_blocking_streams(grpc_testing_test_service_service *service)
{
    service->streaming_output_call = streaming_output_call;
    service->streaming_input_call = streaming_input_call;
    service->full_duplex_call = full_duplex_call;
    service->half_duplex_call = half_duplex_call;
}

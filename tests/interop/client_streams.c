/* SPDX-License-Identifier: Apache-2.0 */
/* The interop client's streaming cases. A stream is always finished, and what finish says is looked
 * at first: a send or a recv that ended early has its reason there. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "interop/client.h"

#define PAIRS 4

static const int32_t request_sizes[PAIRS] = {27182, 8, 1828, 45904};
static const int32_t response_sizes[PAIRS] = {31415, 9, 2653, 58979};

typedef grpc_testing_test_service_full_duplex_call_stream duplex;

static bool started(case_run *run, oyez_err err)
{
    return !err || fail(run, "the call cannot be started: %s", oyez_strerror(err));
}

static void finish(case_run *run, oyez_stream *stream)
{
    (void)oyez_stream_finish(stream, &run->status);
    end(run);
}

/* The call ended well, and after that many messages. */
static bool expect_count(case_run *run, size_t count, size_t expected)
{
    if (!expect_ok(run))
        return false;
    return count == expected || fail(run, "%zu messages came, expected %zu", count, expected);
}

/* A request for one response of each size, with a body of its own. */
typedef struct output_request {
    Grpc__Testing__StreamingOutputCallRequest base;
    Grpc__Testing__Payload payload;
    Grpc__Testing__ResponseParameters parameters[PAIRS], *pointers[PAIRS];
} output_request;

static Grpc__Testing__StreamingOutputCallRequest *
fill_output(output_request *request, const int32_t *sizes, size_t count, int32_t body)
{
    grpc__testing__streaming_output_call_request__init(&request->base);
    grpc__testing__payload__init(&request->payload);
    request->base.response_type = request->payload.type = GRPC__TESTING__PAYLOAD_TYPE__COMPRESSABLE;
    request->payload.body.data = zeros;
    request->payload.body.len = (size_t)body;
    if (body > 0)
        request->base.payload = &request->payload;
    for (size_t i = 0; i < count; i++) {
        grpc__testing__response_parameters__init(&request->parameters[i]);
        request->parameters[i].size = sizes[i];
        request->pointers[i] = &request->parameters[i];
    }
    request->base.response_parameters = request->pointers;
    request->base.n_response_parameters = count;
    return &request->base;
}

/* --- one direction --------------------------------------------------------------------------- */

bool client_streaming(case_run *run)
{
    grpc_testing_test_service_streaming_input_call_stream call;
    const Grpc__Testing__StreamingInputCallResponse *reply = NULL;
    int32_t sum = 0, expected = 0;
    if (!begin(run, NULL) ||
        !started(run, test_call(streaming_input_call)(stub_of(run), NULL, &call)))
        return false;
    for (size_t i = 0; i < PAIRS; i++) {
        Grpc__Testing__StreamingInputCallRequest request =
            GRPC__TESTING__STREAMING_INPUT_CALL_REQUEST__INIT;
        Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
        payload.body.data = zeros;
        payload.body.len = (size_t)request_sizes[i];
        request.payload = &payload;
        expected += request_sizes[i];
        if (!test_call(streaming_input_call_send)(call, &request))
            break;
    }
    if (test_call(streaming_input_call_close_and_recv)(call, &reply))
        sum = reply->aggregated_payload_size;
    finish(run, call.base);
    if (!expect_ok(run))
        return false;
    return sum == expected ||
           fail(run, "the server has counted %d bytes, expected %d", sum, expected);
}

bool server_streaming(case_run *run)
{
    grpc_testing_test_service_streaming_output_call_stream call;
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    output_request request;
    size_t count = 0;
    bool ok = true;
    fill_output(&request, response_sizes, PAIRS, 0);
    if (!begin(run, NULL) ||
        !started(run, test_call(streaming_output_call)(stub_of(run), NULL, &request.base, &call)))
        return false;
    while (test_call(streaming_output_call_recv)(call, &reply)) {
        if (ok && count < PAIRS)
            ok = expect_body(run, reply->payload, (size_t)response_sizes[count]);
        count++;
    }
    finish(run, call.base);
    return ok && expect_count(run, count, PAIRS);
}

/* --- both directions ------------------------------------------------------------------------- */

static bool start_duplex(case_run *run, const oyez_metadata *metadata, duplex *ret_call)
{
    return begin(run, metadata) &&
           started(run, test_call(full_duplex_call)(stub_of(run), NULL, ret_call));
}

/* One request with a body of one size, one response with a body of another. False: the stream has
 * ended, or the response is wrong (then the run says so). */
static bool exchange(case_run *run, duplex call, int32_t request_size, int32_t response_size,
                     bool *ret_right)
{
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    output_request request;
    *ret_right = true;
    if (!test_call(full_duplex_call_send)(call,
                                          fill_output(&request, &response_size, 1, request_size)) ||
        !test_call(full_duplex_call_recv)(call, &reply))
        return false;
    *ret_right = expect_body(run, reply->payload, (size_t)response_size);
    return *ret_right;
}

/* Half-closes; no further response may come. */
static bool close_duplex(case_run *run, duplex call, size_t count, size_t expected)
{
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    test_call(full_duplex_call_close_send)(call);
    while (test_call(full_duplex_call_recv)(call, &reply))
        count++;
    finish(run, call.base);
    return expect_count(run, count, expected);
}

bool ping_pong(case_run *run)
{
    duplex call;
    size_t count = 0;
    bool right = true;
    if (!start_duplex(run, NULL, &call))
        return false;
    while (count < PAIRS &&
           exchange(run, call, request_sizes[count], response_sizes[count], &right))
        count++;
    return close_duplex(run, call, count, PAIRS) && right;
}

bool empty_stream(case_run *run)
{
    duplex call;
    return start_duplex(run, NULL, &call) && close_duplex(run, call, 0, 0);
}

bool stream_custom_metadata(case_run *run, const oyez_metadata *metadata)
{
    duplex call;
    bool right;
    if (!start_duplex(run, metadata, &call))
        return false;
    size_t count = exchange(run, call, LARGE_REQUEST, LARGE_RESPONSE, &right);
    return close_duplex(run, call, count, 1) && right && expect_echo_metadata(run);
}

bool stream_status_code_and_message(case_run *run)
{
    static char message[] = "test status message";
    Grpc__Testing__StreamingOutputCallRequest request =
        GRPC__TESTING__STREAMING_OUTPUT_CALL_REQUEST__INIT;
    Grpc__Testing__EchoStatus status = GRPC__TESTING__ECHO_STATUS__INIT;
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    duplex call;
    status.code = OYEZ_UNKNOWN;
    status.message = message;
    request.response_status = &status;
    if (!start_duplex(run, NULL, &call))
        return false;
    (void)test_call(full_duplex_call_send)(call, &request);
    test_call(full_duplex_call_close_send)(call);
    bool unexpected = test_call(full_duplex_call_recv)(call, &reply);
    finish(run, call.base);
    return expect_status(run, OYEZ_UNKNOWN, message) &&
           (!unexpected || fail(run, "a message came, expected none"));
}

/* All requests, then all responses. */
bool half_duplex(case_run *run)
{
    grpc_testing_test_service_half_duplex_call_stream call;
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    size_t count = 0;
    bool ok = true;
    if (!begin(run, NULL) || !started(run, test_call(half_duplex_call)(stub_of(run), NULL, &call)))
        return false;
    for (size_t i = 0; i < PAIRS; i++) {
        output_request request;
        if (!test_call(half_duplex_call_send)(call,
                                              fill_output(&request, &response_sizes[i], 1, 0)))
            break;
    }
    test_call(half_duplex_call_close_send)(call);
    while (test_call(half_duplex_call_recv)(call, &reply)) {
        if (ok && count < PAIRS)
            ok = expect_body(run, reply->payload, (size_t)response_sizes[count]);
        count++;
    }
    finish(run, call.base);
    return ok && expect_count(run, count, PAIRS);
}

/* The server may answer faster than this reads: what does not fit waits with the server. */
bool slow_consumer(case_run *run)
{
    enum { MESSAGES = 2000, SIZE = 1030, PAUSE_EVERY = 100 };
    static Grpc__Testing__ResponseParameters parameters, *pointers[MESSAGES];
    Grpc__Testing__StreamingOutputCallRequest request =
        GRPC__TESTING__STREAMING_OUTPUT_CALL_REQUEST__INIT;
    grpc_testing_test_service_streaming_output_call_stream call;
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    const struct timespec pause = {0, 20000000};
    size_t count = 0;
    bool ok = true;
    grpc__testing__response_parameters__init(&parameters);
    parameters.size = SIZE;
    for (size_t i = 0; i < MESSAGES; i++)
        pointers[i] = &parameters;
    request.response_parameters = pointers;
    request.n_response_parameters = MESSAGES;
    if (!begin(run, NULL) ||
        !started(run, test_call(streaming_output_call)(stub_of(run), NULL, &request, &call)))
        return false;
    while (test_call(streaming_output_call_recv)(call, &reply)) {
        ok = ok && expect_body(run, reply->payload, SIZE);
        if (++count % PAUSE_EVERY == 0)
            (void)nanosleep(&pause, NULL);
    }
    finish(run, call.base);
    return ok && expect_count(run, count, MESSAGES);
}

/* --- ends ------------------------------------------------------------------------------------ */

bool cancel_after_begin(case_run *run)
{
    grpc_testing_test_service_streaming_input_call_stream call;
    if (!begin(run, NULL) ||
        !started(run, test_call(streaming_input_call)(stub_of(run), NULL, &call)))
        return false;
    oyez_stream_cancel(call.base);
    finish(run, call.base);
    return expect_status(run, OYEZ_CANCELLED, NULL);
}

bool cancel_after_first_response(case_run *run)
{
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    duplex call;
    bool right;
    if (!start_duplex(run, NULL, &call))
        return false;
    bool first = exchange(run, call, request_sizes[0], response_sizes[0], &right);
    oyez_stream_cancel(call.base);
    while (test_call(full_duplex_call_recv)(call, &reply))
        ;
    finish(run, call.base);
    if (!right || !expect_status(run, OYEZ_CANCELLED, NULL))
        return false;
    return first || fail(run, "the stream ended before the first response");
}

bool timeout_on_sleeping_server(case_run *run)
{
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    output_request request;
    duplex call;
    if (!begin(run, NULL))
        return false;
    run->options.timeout = OYEZ_MILLISECOND;
    if (!started(run, test_call(full_duplex_call)(stub_of(run), NULL, &call)))
        return false;
    (void)test_call(full_duplex_call_send)(call, fill_output(&request, NULL, 0, request_sizes[0]));
    while (test_call(full_duplex_call_recv)(call, &reply))
        ;
    finish(run, call.base);
    return expect_status(run, OYEZ_DEADLINE_EXCEEDED, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The interop client's cases of compression. Whether a message came compressed is what a stream says of its last one,
 * and what a stats handler is told of a unary call's reply. */
#include <stdio.h>
#include <string.h>

#include "interop/client.h"

#define COMPRESSOR "gzip"

static void fill_large(Grpc__Testing__SimpleRequest *request, Grpc__Testing__Payload *payload)
{
    grpc__testing__simple_request__init(request);
    grpc__testing__payload__init(payload);
    request->response_size = LARGE_RESPONSE;
    payload->body.data = zeros;
    payload->body.len = LARGE_REQUEST;
    request->payload = payload;
}

/* --- unary ------------------------------------------------------------------------------------ */

/* A large call whose request is compressed or not, to a server that is told to expect it so or not. */
static bool call_large(case_run *run, bool compressed, bool expected, Grpc__Testing__SimpleResponse **ret_reply)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    Grpc__Testing__BoolValue value = GRPC__TESTING__BOOL_VALUE__INIT;
    fill_large(&request, &payload);
    value.value = expected;
    request.expect_compressed = &value;
    if (!begin(run, NULL))
        return false;
    run->options.compressor = compressed ? COMPRESSOR : "identity";
    (void)test_call(unary_call)(stub_of(run), NULL, &request, ret_reply, &run->status);
    end(run);
    return true;
}

bool client_compressed_unary(case_run *run)
{
    /* The probe: a server that does not look is of no use here. */
    if (!call_large(run, false, true, NULL) || !expect_status(run, OYEZ_INVALID_ARGUMENT, NULL))
        return false;
    for (int compressed = 1; compressed >= 0; compressed--) {
        Grpc__Testing__SimpleResponse *reply = NULL;
        bool ok = call_large(run, compressed, compressed, &reply) && expect_ok(run) &&
                  expect_body(run, reply->payload, LARGE_RESPONSE);
        grpc__testing__simple_response__free_unpacked(reply, NULL);
        if (!ok)
            return false;
    }
    return true;
}

/* Of the last reply; written on the loop before the call ends. */
typedef struct witness {
    unsigned messages;
    bool compressed;
} witness;

static void on_in_payload(void *self, void *tag, const oyez_stats_payload *payload)
{
    witness *seen = self;
    (void)tag;
    seen->messages++;
    seen->compressed = payload->compressed && payload->compressed_length < payload->length;
}

/* One large call for a reply that is compressed, or not. */
static bool expect_reply(case_run *run, const witness *seen, bool compressed)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    Grpc__Testing__BoolValue value = GRPC__TESTING__BOOL_VALUE__INIT;
    Grpc__Testing__SimpleResponse *reply = NULL;
    const unsigned before = seen->messages;
    fill_large(&request, &payload);
    value.value = compressed;
    request.response_compressed = &value;
    if (!begin(run, NULL))
        return false;
    (void)test_call(unary_call)(stub_of(run), NULL, &request, &reply, &run->status);
    end(run);
    bool ok = expect_ok(run) && expect_body(run, reply->payload, LARGE_RESPONSE);
    grpc__testing__simple_response__free_unpacked(reply, NULL);
    if (ok && seen->messages != before + 1)
        return fail(run, "%u replies were seen, expected one", seen->messages - before);
    if (ok && seen->compressed != compressed)
        return fail(run, "the reply came %s", compressed ? "as it is, expected compressed" : "compressed");
    return ok;
}

bool server_compressed_unary(case_run *run)
{
    witness seen = {0, false};
    const oyez_stats_handler handler = {OYEZ_STATS_HANDLER_INIT, .self = &seen, .in_payload = on_in_payload};
    const oyez_stats_handler *const list[] = {&handler};
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .stats_handlers = list, .stats_handler_count = 1};
    oyez_channel *usual = run->channel;
    oyez_err err = oyez_channel_new(run->target, oyez_insecure(), &options, &run->channel);
    if (err) {
        run->channel = usual;
        return fail(run, "no channel: %s", oyez_strerror(err));
    }
    bool ok = expect_reply(run, &seen, true) && expect_reply(run, &seen, false);
    oyez_channel_unref(run->channel);
    run->channel = usual;
    return ok;
}

/* --- streams ---------------------------------------------------------------------------------- */

typedef grpc_testing_test_service_streaming_input_call_stream input;

static bool start_input(case_run *run, input *ret_call)
{
    if (!begin(run, NULL))
        return false;
    run->options.compressor = COMPRESSOR;
    oyez_err err = test_call(streaming_input_call)(stub_of(run), NULL, ret_call);
    return !err || fail(run, "the call cannot be started: %s", oyez_strerror(err));
}

static bool send_input(input call, int32_t size, bool compressed, bool expected)
{
    Grpc__Testing__StreamingInputCallRequest request = GRPC__TESTING__STREAMING_INPUT_CALL_REQUEST__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    Grpc__Testing__BoolValue value = GRPC__TESTING__BOOL_VALUE__INIT;
    payload.body.data = zeros;
    payload.body.len = (size_t)size;
    value.value = expected;
    request.payload = &payload;
    request.expect_compressed = &value;
    oyez_stream_set_compress(call.base, compressed);
    return test_call(streaming_input_call_send)(call, &request);
}

/* What the server has counted; 0: nothing. */
static int32_t finish_input(case_run *run, input call)
{
    const Grpc__Testing__StreamingInputCallResponse *reply = NULL;
    int32_t sum = 0;
    if (test_call(streaming_input_call_close_and_recv)(call, &reply))
        sum = reply->aggregated_payload_size;
    (void)oyez_stream_finish(call.base, &run->status);
    end(run);
    return sum;
}

bool client_compressed_streaming(case_run *run)
{
    input call;
    if (!start_input(run, &call))
        return false;
    (void)send_input(call, 27182, false, true);
    (void)finish_input(run, call);
    if (!expect_status(run, OYEZ_INVALID_ARGUMENT, NULL) || !start_input(run, &call))
        return false;
    if (send_input(call, 27182, true, true))
        (void)send_input(call, 45904, false, false);
    int32_t sum = finish_input(run, call);
    if (!expect_ok(run))
        return false;
    return sum == 73086 || fail(run, "the server has counted %d bytes, expected 73086", sum);
}

bool server_compressed_streaming(case_run *run)
{
    static const int32_t sizes[] = {31415, 92653};
    grpc_testing_test_service_streaming_output_call_stream call;
    Grpc__Testing__StreamingOutputCallRequest request = GRPC__TESTING__STREAMING_OUTPUT_CALL_REQUEST__INIT;
    Grpc__Testing__ResponseParameters parameters[2], *pointers[2];
    Grpc__Testing__BoolValue values[2];
    const Grpc__Testing__StreamingOutputCallResponse *reply;
    size_t count = 0;
    bool ok = true;
    for (size_t i = 0; i < 2; i++) {
        grpc__testing__bool_value__init(&values[i]);
        grpc__testing__response_parameters__init(&parameters[i]);
        values[i].value = i == 0;
        parameters[i].size = sizes[i];
        parameters[i].compressed = &values[i];
        pointers[i] = &parameters[i];
    }
    request.response_parameters = pointers;
    request.n_response_parameters = 2;
    if (!begin(run, NULL))
        return false;
    oyez_err err = test_call(streaming_output_call)(stub_of(run), NULL, &request, &call);
    if (err)
        return fail(run, "the call cannot be started: %s", oyez_strerror(err));
    while (test_call(streaming_output_call_recv)(call, &reply)) {
        if (ok && count < 2)
            ok = expect_body(run, reply->payload, (size_t)sizes[count]);
        if (ok && count < 2 && oyez_stream_received_compressed(call.base) != (count == 0))
            ok = fail(run, "response %zu came %s", count, count == 0 ? "as it is" : "compressed");
        count++;
    }
    (void)oyez_stream_finish(call.base, &run->status);
    end(run);
    if (!expect_ok(run) || !ok)
        return false;
    return count == 2 || fail(run, "%zu messages came, expected 2", count);
}

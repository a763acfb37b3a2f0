/* SPDX-License-Identifier: Apache-2.0 */
/* The interop server's streaming methods, by handlers of events: one message is asked for, what it
 * wants is sent, then the next one is asked for. A state lies in its call's arena; on_done is the
 * last to see it. */
#include "interop/server.h"

typedef struct state {
    output_queue queue;
    oyez_stream *stream;
    size_t sum;  /* StreamingInputCall */
    bool gather; /* HalfDuplexCall: nothing is sent before the client has half-closed */
    bool echo;   /* FullDuplexCall: a request may ask for a status */
    bool half_closed;
    bool sending; /* a response is on its way */
    bool finished;
} state;

static void finish(state *s, oyez_code code)
{
    if (s->finished)
        return;
    s->finished = true;
    oyez_server_call_finish(s->queue.call, code);
}

/* Sends the next response; when there is none, asks for a request or ends the call. */
static void pump(state *s)
{
    Grpc__Testing__StreamingOutputCallResponse response;
    Grpc__Testing__Payload payload;
    int32_t interval_us;
    oyez_code code = OYEZ_OK;
    if (s->finished || s->sending || (s->gather && !s->half_closed))
        return;
    if (!output_queue_next(&s->queue, &response, &payload, &interval_us, &code)) {
        if (code != OYEZ_OK || s->half_closed)
            finish(s, code);
        else
            oyez_stream_request(s->stream, 1);
        return;
    }
    if (interval_us > 0)
        finish(s, oyez_server_call_fail(s->queue.call, OYEZ_UNIMPLEMENTED,
                                        "pauses between responses need --handler=workers"));
    else
        s->sending =
            oyez_stream_send(s->stream, &response); /* goes on in on_sent, or ends in on_done */
}

static void sent(state *s)
{
    s->sending = false;
    pump(s);
}

static void take(state *s, const Grpc__Testing__StreamingOutputCallRequest *request)
{
    oyez_code code = OYEZ_OK;
    if (s->echo)
        code = echo_status(s->queue.call, request->response_status);
    if (code == OYEZ_OK)
        code = report_out_of_band(s->queue.call, request->orca_oob_report);
    if (code == OYEZ_OK)
        code = output_queue_add(&s->queue, request);
    if (code != OYEZ_OK)
        finish(s, code);
}

static state *state_new(oyez_server_call *call, oyez_stream *stream)
{
    state *s = oyez_server_call_alloc(call, sizeof(*s));
    if (s)
        *s = (state){.queue = {.call = call, .stream = stream}, .stream = stream};
    else
        oyez_server_call_finish(
            call, oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory"));
    return s;
}

/* --- StreamingOutputCall --------------------------------------------------------------------- */

static void output_on_sent(grpc_testing_test_service_streaming_output_call_server_stream stream,
                           void *user)
{
    (void)stream;
    sent(user);
}

static void output_on_done(grpc_testing_test_service_streaming_output_call_server_stream stream,
                           const oyez_status *status, void *user)
{
    (void)stream;
    (void)status;
    finish(user, OYEZ_CANCELLED);
}

static void
streaming_output_call(void *self, oyez_server_call *call,
                      const Grpc__Testing__StreamingOutputCallRequest *request,
                      grpc_testing_test_service_streaming_output_call_server_stream stream)
{
    static const grpc_testing_test_service_streaming_output_call_server_events events = {
        .on_sent = output_on_sent,
        .on_done = output_on_done,
    };
    state *s = state_new(call, stream.base);
    (void)self;
    if (!s)
        return;
    grpc_testing_test_service_streaming_output_call_server_listen(stream, &events, s);
    s->half_closed = true;
    s->echo = true;
    take(s, request);
    pump(s);
}

/* --- StreamingInputCall ---------------------------------------------------------------------- */

static void input_on_message(grpc_testing_test_service_streaming_input_call_server_stream stream,
                             const Grpc__Testing__StreamingInputCallRequest *request, void *user)
{
    state *s = user;
    s->sum += request->payload ? request->payload->body.len : 0;
    oyez_code code = expect_compressed(s->queue.call, request->expect_compressed,
                                       oyez_stream_received_compressed(stream.base));
    if (code != OYEZ_OK)
        finish(s, code);
    else
        oyez_stream_request(stream.base, 1);
}

static void input_on_half_close(grpc_testing_test_service_streaming_input_call_server_stream stream,
                                void *user)
{
    state *s = user;
    Grpc__Testing__StreamingInputCallResponse reply =
        GRPC__TESTING__STREAMING_INPUT_CALL_RESPONSE__INIT;
    (void)stream;
    if (s->finished)
        return;
    reply.aggregated_payload_size = s->sum > INT32_MAX ? INT32_MAX : (int32_t)s->sum;
    s->finished = true;
    grpc_testing_test_service_streaming_input_call_reply(s->queue.call, &reply);
}

static void input_on_done(grpc_testing_test_service_streaming_input_call_server_stream stream,
                          const oyez_status *status, void *user)
{
    (void)stream;
    (void)status;
    finish(user, OYEZ_CANCELLED);
}

static void
streaming_input_call(void *self, oyez_server_call *call,
                     grpc_testing_test_service_streaming_input_call_server_stream stream)
{
    static const grpc_testing_test_service_streaming_input_call_server_events events = {
        .on_message = input_on_message,
        .on_half_close = input_on_half_close,
        .on_done = input_on_done,
    };
    state *s = state_new(call, stream.base);
    (void)self;
    if (!s)
        return;
    grpc_testing_test_service_streaming_input_call_server_listen(stream, &events, s);
    oyez_stream_request(stream.base, 1);
}

/* --- FullDuplexCall -------------------------------------------------------------------------- */

static void full_on_message(grpc_testing_test_service_full_duplex_call_server_stream stream,
                            const Grpc__Testing__StreamingOutputCallRequest *request, void *user)
{
    (void)stream;
    take(user, request);
    pump(user);
}

static void full_on_sent(grpc_testing_test_service_full_duplex_call_server_stream stream,
                         void *user)
{
    (void)stream;
    sent(user);
}

static void full_on_half_close(grpc_testing_test_service_full_duplex_call_server_stream stream,
                               void *user)
{
    state *s = user;
    (void)stream;
    s->half_closed = true;
    pump(s);
}

static void full_on_done(grpc_testing_test_service_full_duplex_call_server_stream stream,
                         const oyez_status *status, void *user)
{
    (void)stream;
    (void)status;
    finish(user, OYEZ_CANCELLED);
}

static void full_duplex_call(void *self, oyez_server_call *call,
                             grpc_testing_test_service_full_duplex_call_server_stream stream)
{
    static const grpc_testing_test_service_full_duplex_call_server_events events = {
        .on_message = full_on_message,
        .on_sent = full_on_sent,
        .on_half_close = full_on_half_close,
        .on_done = full_on_done,
    };
    state *s = state_new(call, stream.base);
    (void)self;
    if (!s)
        return;
    grpc_testing_test_service_full_duplex_call_server_listen(stream, &events, s);
    s->echo = true;
    oyez_code code = echo_metadata(call);
    if (code != OYEZ_OK)
        finish(s, code);
    else
        oyez_stream_request(stream.base, 1);
}

/* --- HalfDuplexCall -------------------------------------------------------------------------- */

static void half_on_message(grpc_testing_test_service_half_duplex_call_server_stream stream,
                            const Grpc__Testing__StreamingOutputCallRequest *request, void *user)
{
    take(user, request);
    oyez_stream_request(stream.base, 1);
}

static void half_on_sent(grpc_testing_test_service_half_duplex_call_server_stream stream,
                         void *user)
{
    (void)stream;
    sent(user);
}

static void half_on_half_close(grpc_testing_test_service_half_duplex_call_server_stream stream,
                               void *user)
{
    state *s = user;
    (void)stream;
    s->half_closed = true;
    pump(s);
}

static void half_on_done(grpc_testing_test_service_half_duplex_call_server_stream stream,
                         const oyez_status *status, void *user)
{
    (void)stream;
    (void)status;
    finish(user, OYEZ_CANCELLED);
}

static void half_duplex_call(void *self, oyez_server_call *call,
                             grpc_testing_test_service_half_duplex_call_server_stream stream)
{
    static const grpc_testing_test_service_half_duplex_call_server_events events = {
        .on_message = half_on_message,
        .on_sent = half_on_sent,
        .on_half_close = half_on_half_close,
        .on_done = half_on_done,
    };
    state *s = state_new(call, stream.base);
    (void)self;
    if (!s)
        return;
    grpc_testing_test_service_half_duplex_call_server_listen(stream, &events, s);
    s->gather = true;
    oyez_stream_request(stream.base, 1);
}

void set_async_streams(grpc_testing_test_service_service *service)
{
    service->streaming_output_call_async = streaming_output_call;
    service->streaming_input_call_async = streaming_input_call;
    service->full_duplex_call_async = full_duplex_call;
    service->half_duplex_call_async = half_duplex_call;
}

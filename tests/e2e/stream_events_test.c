/* SPDX-License-Identifier: Apache-2.0 */
/* Generated streams against each other: a client of events, handlers that block and handlers of
 * events, and the ends that only events can see. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "client_support.h"
#include "grpc/testing/test.oyez.h"
#include "support/leak.h"
#include "support/test.h"

#define stub_type  grpc_testing_test_service_stub
#define call_of(x) grpc_testing_test_service_##x
#define MESSAGES   200

typedef grpc_testing_test_service_full_duplex_call_stream duplex;
typedef grpc_testing_test_service_full_duplex_call_server_stream server_duplex;
typedef grpc_testing_test_service_streaming_input_call_server_stream server_input;
typedef grpc_testing_test_service_streaming_output_call_server_stream server_output;
typedef Grpc__Testing__StreamingOutputCallRequest out_request;
typedef Grpc__Testing__StreamingOutputCallResponse out_response;
typedef Grpc__Testing__StreamingInputCallRequest in_request;
typedef Grpc__Testing__StreamingInputCallResponse in_response;

static oyez_runtime *runtime;
static oyez_server *server;
static oyez_channel *channel;
static stub_type stub;
static const oyez_call_options patience = {OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND};

static int setup(void **state)
{
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    oy_leak_setup(state);
    return oyez_runtime_new(&options, &runtime);
}

static void start(const grpc_testing_test_service_service *service, void *self)
{
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime};
    char target[64];
    uint16_t port;
    assert_ok(oyez_server_new(&options, &server));
    assert_ok(grpc_testing_test_service_service_register(server, service, self));
    assert_ok(oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port));
    assert_ok(oyez_server_start(server));
    (void)snprintf(target, sizeof(target), "127.0.0.1:%u", port);
    channel = client_open(runtime, target);
    stub = (stub_type){.channel = channel, .options = &patience};
}

static int teardown(void **state)
{
    channel = oyez_channel_unref(channel);
    server = oyez_server_unref(server);
    runtime = client_end_runtime(runtime);
    return oy_leak_teardown(state);
}

#define with_server(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static void await(atomic_int *value, int least)
{
    for (int i = 0; i < 10000 && atomic_load(value) < least; i++)
        client_pause_ms(1);
    assert_true(atomic_load(value) >= least);
}

/* --- handlers that block ---------------------------------------------------------------------- */

/* Answers each request with one response for each of its parameters. */
static oyez_code echo(void *self, oyez_server_call *call, server_duplex stream)
{
    const out_request *request;
    (void)self;
    (void)call;
    while (call_of(full_duplex_call_server_recv)(stream, &request)) {
        out_response response = GRPC__TESTING__STREAMING_OUTPUT_CALL_RESPONSE__INIT;
        response.payload = request->payload;
        if (!call_of(full_duplex_call_server_send)(stream, &response))
            return OYEZ_CANCELLED;
    }
    return OYEZ_OK;
}

/* Counts from 0, into a text that lives until the next send. */
static oyez_code count_up(void *self, oyez_server_call *call, const out_request *request,
                          server_output stream)
{
    (void)self;
    (void)call;
    for (size_t i = 0; i < request->n_response_parameters; i++) {
        out_response response = GRPC__TESTING__STREAMING_OUTPUT_CALL_RESPONSE__INIT;
        response.peer_socket_address = oyez_stream_printf(stream.base, "%zu", i);
        if (!call_of(streaming_output_call_server_send)(stream, &response))
            return OYEZ_CANCELLED;
    }
    return OYEZ_OK;
}

static oyez_code add_up(void *self, oyez_server_call *call, server_input stream, in_response *reply)
{
    const in_request *request;
    (void)self;
    (void)call;
    while (call_of(streaming_input_call_server_recv)(stream, &request))
        reply->aggregated_payload_size +=
            (int32_t)(request->payload ? request->payload->body.len : 0);
    return OYEZ_OK;
}

/* Answers before the client has finished, and reads nothing. */
static oyez_code refuse(void *self, oyez_server_call *call, server_input stream, in_response *reply)
{
    (void)self;
    (void)stream;
    (void)reply;
    return oyez_server_call_fail(call, OYEZ_PERMISSION_DENIED, "not today");
}

static const grpc_testing_test_service_service blocking = {
    .full_duplex_call = echo,
    .streaming_output_call = count_up,
    .streaming_input_call = add_up,
};

/* --- a client of events ------------------------------------------------------------------------ */

typedef struct seen {
    atomic_int headers, messages, sent, done;
    int to_send;
    bool wrong;
    int32_t sum;
    oyez_code code;
    char words[128];
} seen;

static void book_done(seen *s, const oyez_status *status)
{
    s->code = status->code;
    (void)snprintf(s->words, sizeof(s->words), "%s", status->message);
    atomic_fetch_add(&s->done, 1);
}

static bool send_numbered(duplex stream, int number)
{
    out_request request = GRPC__TESTING__STREAMING_OUTPUT_CALL_REQUEST__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    payload.body.data = (uint8_t *)&number;
    payload.body.len = sizeof(number);
    request.payload = &payload;
    return call_of(full_duplex_call_send)(stream, &request);
}

static void duplex_on_headers(duplex stream, void *user)
{
    seen *s = user;
    (void)stream;
    atomic_fetch_add(&s->headers, 1);
}

static void duplex_on_message(duplex stream, const out_response *reply, void *user)
{
    seen *s = user;
    int number = -1;
    if (reply->payload && reply->payload->body.len == sizeof(number))
        memcpy(&number, reply->payload->body.data, sizeof(number));
    s->wrong = s->wrong || number != atomic_load(&s->messages);
    atomic_fetch_add(&s->messages, 1);
    oyez_stream_request(stream.base, 1);
}

static void duplex_on_sent(duplex stream, void *user)
{
    seen *s = user;
    int sent = atomic_fetch_add(&s->sent, 1) + 1;
    if (sent < s->to_send)
        s->wrong = !send_numbered(stream, sent) || s->wrong;
    else
        call_of(full_duplex_call_close_send)(stream);
}

static void duplex_on_done(duplex stream, const oyez_status *status, void *user)
{
    (void)stream;
    book_done(user, status);
}

static const grpc_testing_test_service_full_duplex_call_events duplex_events = {
    .on_headers = duplex_on_headers,
    .on_message = duplex_on_message,
    .on_sent = duplex_on_sent,
    .on_done = duplex_on_done,
};

static void both_directions(void **state)
{
    seen s = {.to_send = MESSAGES};
    duplex stream;
    (void)state;
    start(&blocking, NULL);
    assert_ok(call_of(full_duplex_call_async)(stub, NULL, &duplex_events, &s, &stream));
    oyez_stream_request(stream.base, 1);
    assert_true(send_numbered(stream, 0));
    await(&s.done, 1);
    assert_int_equal(oyez_stream_finish(stream.base, NULL), OYEZ_OK);
    assert_int_equal(s.code, OYEZ_OK);
    assert_false(s.wrong);
    assert_int_equal(s.messages, MESSAGES);
    assert_int_equal(s.sent, MESSAGES);
    assert_int_equal(s.headers, 1);
    assert_int_equal(s.done, 1);
}

static void output_on_message(grpc_testing_test_service_streaming_output_call_stream stream,
                              const out_response *reply, void *user)
{
    seen *s = user;
    char expected[16];
    (void)stream;
    (void)snprintf(expected, sizeof(expected), "%d", atomic_load(&s->messages));
    s->wrong = s->wrong || strcmp(expected, reply->peer_socket_address) != 0;
    atomic_fetch_add(&s->messages, 1);
}

static void output_on_done(grpc_testing_test_service_streaming_output_call_stream stream,
                           const oyez_status *status, void *user)
{
    (void)stream;
    book_done(user, status);
}

/* As many come as were asked for, and no more. */
static void pulled(void **state)
{
    static const grpc_testing_test_service_streaming_output_call_events events = {
        .on_message = output_on_message,
        .on_done = output_on_done,
    };
    Grpc__Testing__ResponseParameters parameters = GRPC__TESTING__RESPONSE_PARAMETERS__INIT,
                                      *pointers[MESSAGES];
    out_request request = GRPC__TESTING__STREAMING_OUTPUT_CALL_REQUEST__INIT;
    grpc_testing_test_service_streaming_output_call_stream stream;
    seen s = {.to_send = 0};
    (void)state;
    start(&blocking, NULL);
    for (size_t i = 0; i < MESSAGES; i++)
        pointers[i] = &parameters;
    request.response_parameters = pointers;
    request.n_response_parameters = MESSAGES;
    assert_ok(call_of(streaming_output_call_async)(stub, NULL, &request, &events, &s, &stream));
    client_pause_ms(20);
    assert_int_equal(s.messages, 0);
    oyez_stream_request(stream.base, 3);
    await(&s.messages, 3);
    client_pause_ms(20);
    assert_int_equal(s.messages, 3);
    assert_int_equal(s.done, 0);
    oyez_stream_request(stream.base, MESSAGES);
    await(&s.done, 1);
    assert_int_equal(s.messages, MESSAGES);
    assert_false(s.wrong);
    assert_int_equal(oyez_stream_finish(stream.base, NULL), OYEZ_OK);
}

static void input_on_message(grpc_testing_test_service_streaming_input_call_stream stream,
                             const in_response *reply, void *user)
{
    seen *s = user;
    (void)stream;
    s->sum = reply->aggregated_payload_size;
    atomic_fetch_add(&s->messages, 1);
}

static void input_on_done(grpc_testing_test_service_streaming_input_call_stream stream,
                          const oyez_status *status, void *user)
{
    (void)stream;
    book_done(user, status);
}

static const grpc_testing_test_service_streaming_input_call_events input_events = {
    .on_message = input_on_message,
    .on_done = input_on_done,
};

static void one_reply_comes_unasked(void **state)
{
    static uint8_t body[100000];
    in_request request = GRPC__TESTING__STREAMING_INPUT_CALL_REQUEST__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    grpc_testing_test_service_streaming_input_call_stream stream;
    seen s = {.to_send = 0};
    (void)state;
    start(&blocking, NULL);
    payload.body.data = body;
    payload.body.len = sizeof(body);
    request.payload = &payload;
    assert_ok(call_of(streaming_input_call_async)(stub, NULL, &input_events, &s, &stream));
    assert_true(call_of(streaming_input_call_send)(stream, &request));
    call_of(streaming_input_call_close_send)(stream);
    await(&s.done, 1);
    assert_int_equal(oyez_stream_finish(stream.base, NULL), OYEZ_OK);
    assert_int_equal(s.messages, 1);
    assert_int_equal(s.sum, sizeof(body));
}

static void cancelled(void **state)
{
    seen s = {.to_send = MESSAGES};
    duplex stream;
    (void)state;
    start(&blocking, NULL);
    assert_ok(call_of(full_duplex_call_async)(stub, NULL, &duplex_events, &s, &stream));
    oyez_stream_request(stream.base, 1);
    s.to_send = 1000000000;
    assert_true(send_numbered(stream, 0));
    await(&s.messages, 10);
    oyez_stream_cancel(stream.base);
    await(&s.done, 1);
    assert_int_equal(s.code, OYEZ_CANCELLED);
    assert_false(send_numbered(stream, 0));
    assert_int_equal(oyez_stream_finish(stream.base, NULL), OYEZ_CANCELLED);
    client_pause_ms(10);
    assert_int_equal(s.done, 1);
}

/* The stream ends, and its reference goes, in the middle of a turn: what was sent last has left already. */
static void let_go_in_on_sent(duplex stream, void *user)
{
    seen *s = user;
    const int sent = atomic_fetch_add(&s->sent, 1) + 1;
    if (sent > s->to_send)
        return;
    s->wrong = !send_numbered(stream, sent) || s->wrong;
    if (sent < s->to_send)
        return;
    oyez_stream_cancel(stream.base);
    (void)oyez_stream_finish(stream.base, NULL);
}

static void finished_in_on_sent(void **state)
{
    static const grpc_testing_test_service_full_duplex_call_events events = {
        .on_sent = let_go_in_on_sent, .on_done = duplex_on_done};
    (void)state;
    start(&blocking, NULL);
    for (int to_send = 1; to_send <= 200; to_send += 21) {
        seen s = {.to_send = to_send};
        duplex stream;
        assert_ok(call_of(full_duplex_call_async)(stub, NULL, &events, &s, &stream));
        oyez_stream_request(stream.base, UINT32_MAX);
        assert_true(send_numbered(stream, 0));
        await(&s.done, 1);
        assert_int_equal(s.code, OYEZ_CANCELLED);
        assert_in_range(s.sent, to_send, to_send + 1); /* of the last one, too, if it is told before the end */
        assert_false(s.wrong);
    }
}

/* The reference is dropped inside the last callback. */
static void let_go_in_on_done(duplex stream, const oyez_status *status, void *user)
{
    seen *s = user;
    s->code = oyez_stream_finish(stream.base, NULL);
    book_done(s, status);
}

static void finished_in_on_done(void **state)
{
    static const grpc_testing_test_service_full_duplex_call_events events = {.on_done =
                                                                                 let_go_in_on_done};
    seen s = {.to_send = 0};
    duplex stream;
    (void)state;
    start(&blocking, NULL);
    assert_ok(call_of(full_duplex_call_async)(stub, NULL, &events, &s, &stream));
    call_of(full_duplex_call_close_send)(stream);
    await(&s.done, 1);
    assert_int_equal(s.code, OYEZ_OK);
}

/* --- ends ------------------------------------------------------------------------------------- */

/* The server answers first: what blocks on a full window ends, and the status is the server's. */
static void early_status(void **state)
{
    const grpc_testing_test_service_service service = {.streaming_input_call = refuse};
    static uint8_t body[100000];
    in_request request = GRPC__TESTING__STREAMING_INPUT_CALL_REQUEST__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    grpc_testing_test_service_streaming_input_call_stream stream;
    const in_response *reply;
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    start(&service, NULL);
    payload.body.data = body;
    payload.body.len = sizeof(body);
    request.payload = &payload;
    assert_ok(call_of(streaming_input_call)(stub, NULL, &stream));
    while (call_of(streaming_input_call_send)(stream, &request))
        ;
    assert_false(call_of(streaming_input_call_close_and_recv)(stream, &reply));
    assert_int_equal(oyez_stream_finish(stream.base, &status), OYEZ_PERMISSION_DENIED);
    assert_string_equal(status.message, "not today");
    oyez_status_fini(&status);
}

typedef struct ends {
    atomic_int done;
    oyez_code code;
} ends;

static void handler_on_done(server_duplex stream, const oyez_status *status, void *user)
{
    ends *e = user;
    e->code = status->code;
    atomic_fetch_add(&e->done, 1);
    oyez_server_call_finish(oyez_stream_server_call(stream.base), OYEZ_CANCELLED);
}

static void do_nothing(void *self, oyez_server_call *call, server_duplex stream)
{
    static const grpc_testing_test_service_full_duplex_call_server_events events = {
        .on_done = handler_on_done};
    (void)call;
    call_of(full_duplex_call_server_listen)(stream, &events, self);
}

/* A handler hears that its client is gone, and not that its answer was written. */
static void handler_hears(const oyez_call_options *options, bool cancel, oyez_code client_code)
{
    const grpc_testing_test_service_service service = {.full_duplex_call_async = do_nothing,
                                                       .on_loop = true};
    const out_response *reply;
    ends e = {.code = OYEZ_OK};
    duplex stream;
    start(&service, &e);
    stub.options = options;
    assert_ok(call_of(full_duplex_call)(stub, NULL, &stream));
    assert_true(send_numbered(stream, 0));
    if (cancel) {
        client_pause_ms(20);
        oyez_stream_cancel(stream.base);
    }
    assert_false(call_of(full_duplex_call_recv)(stream, &reply));
    assert_int_equal(oyez_stream_finish(stream.base, NULL), client_code);
    await(&e.done, 1);
    assert_int_not_equal(e.code, OYEZ_OK);
}

static void handler_hears_of_a_cancellation(void **state)
{
    (void)state;
    handler_hears(&patience, true, OYEZ_CANCELLED);
}

static void handler_hears_of_its_deadline(void **state)
{
    const oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .timeout = 50 * OYEZ_MILLISECOND};
    (void)state;
    handler_hears(&options, false, OYEZ_DEADLINE_EXCEEDED);
}

/* --- two threads ------------------------------------------------------------------------------ */

static void *send_many(void *user)
{
    duplex *stream = user;
    bool ok = true;
    for (int i = 0; i < 10 * MESSAGES && ok; i++)
        ok = i % 3 == 2
                 ? call_of(full_duplex_call_send)(
                       *stream, &(out_request)GRPC__TESTING__STREAMING_OUTPUT_CALL_REQUEST__INIT)
                 : send_numbered(*stream, i);
    call_of(full_duplex_call_close_send)(*stream);
    return ok ? stream : NULL;
}

/* A sender and a receiver; every third message is empty, down to the last byte. */
static void sender_and_receiver(void **state)
{
    const out_response *reply;
    pthread_t sender;
    void *ok = NULL;
    int count = 0;
    duplex stream;
    (void)state;
    start(&blocking, NULL);
    assert_ok(call_of(full_duplex_call)(stub, NULL, &stream));
    assert_int_equal(pthread_create(&sender, NULL, send_many, &stream), 0);
    while (call_of(full_duplex_call_recv)(stream, &reply)) {
        assert_int_equal(reply->payload == NULL, count % 3 == 2);
        count++;
    }
    pthread_join(sender, &ok);
    assert_non_null(ok);
    assert_int_equal(count, 10 * MESSAGES);
    assert_int_equal(oyez_stream_finish(stream.base, NULL), OYEZ_OK);
}

OY_TEST_GROUP(e2e_stream_events, with_server(both_directions), with_server(pulled),
              with_server(one_reply_comes_unasked), with_server(cancelled),
              with_server(finished_in_on_done), with_server(finished_in_on_sent), with_server(early_status),
              with_server(handler_hears_of_a_cancellation),
              with_server(handler_hears_of_its_deadline), with_server(sender_and_receiver));

/* SPDX-License-Identifier: Apache-2.0 */
/* Interceptors of servers and channels: their order, what they may see, add and refuse. */
#include <stdio.h>
#include <unistd.h>

#include "client_support.h"
#include "features_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

static features bench;

/* One that writes down what it sees, and refuses on command. */
typedef struct spy {
    const char *name;
    oyez_code refuse_begin;
    const char *refuse_receive, *refuse_send; /* messages of this text */
    void (*at_begin)(void *call);
} spy;

static void note_message(const spy *who, const char *what, const void *message, char text[256])
{
    features_text(message, text);
    features_note(&bench, "%s.%s(%s)", who->name, what, text);
}

static oyez_code judge(const char *text, const char *refused, const char **ret_words)
{
    assert_string_equal(*ret_words, "");
    if (!refused || strcmp(text, refused) != 0)
        return OYEZ_OK;
    *ret_words = "not this message";
    return OYEZ_FAILED_PRECONDITION;
}

/* --- a server's ------------------------------------------------------------------------------------------------------ */

static oyez_code server_begin(void *self, oyez_server_call *call)
{
    const spy *who = self;
    features_note(&bench, "%s.begin", who->name);
    if (who->at_begin)
        who->at_begin(call);
    if (who->refuse_begin != OYEZ_OK)
        return oyez_server_call_fail(call, who->refuse_begin, "%s says no", who->name);
    return OYEZ_OK;
}

static void server_end(void *self, oyez_server_call *call, const oyez_status *status)
{
    const spy *who = self;
    (void)call;
    features_note(&bench, "%s.end(%s)", who->name, oyez_code_name(status->code));
}

static oyez_code server_receive(void *self, oyez_server_call *call, const void *message, const char **ret_words)
{
    const spy *who = self;
    char text[256];
    (void)call;
    note_message(who, "receive", message, text);
    return judge(text, who->refuse_receive, ret_words);
}

static oyez_code server_send(void *self, oyez_server_call *call, const void *message, const char **ret_words)
{
    const spy *who = self;
    char text[256];
    (void)call;
    note_message(who, "send", message, text);
    return judge(text, who->refuse_send, ret_words);
}

static oyez_server_interceptor server_spy(spy *who)
{
    return (oyez_server_interceptor){ OYEZ_SERVER_INTERCEPTOR_INIT, .self = who,        .begin = server_begin,
                                      .end = server_end,            .on_receive = server_receive,
                                      .on_send = server_send };
}

static void start_server(spy *one, spy *two)
{
    const oyez_server_interceptor first = server_spy(one), second = server_spy(two);
    const oyez_server_interceptor *list[] = { &first, &second };
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .interceptors = list, .interceptor_count = 2 };
    features_start(&bench, &options, NULL);
}

static void server_order(void **state)
{
    const oyez_method *methods[] = { &features_unary, &features_loop_unary, &features_later };
    spy one = { .name = "1" }, two = { .name = "2" };
    (void)state;
    start_server(&one, &two);
    for (size_t i = 0; i < 3; i++) {
        features_expect_end(features_call(&bench, methods[i], "hi", NULL), OYEZ_OK, "");
        features_expect(&bench, "1.begin 2.begin 1.receive(hi) 2.receive(hi) 2.send(hi) 1.send(hi) 2.end(OK) 1.end(OK) ");
    }
    features_end(&bench);
}

static void server_refuses_at_begin(void **state)
{
    spy one = { .name = "1", .refuse_begin = OYEZ_UNAUTHENTICATED }, two = { .name = "2" };
    (void)state;
    start_server(&one, &two);
    features_expect_end(features_call(&bench, &features_unary, "hi", NULL), OYEZ_UNAUTHENTICATED, "1 says no");
    features_expect(&bench, "1.begin 1.end(UNAUTHENTICATED) ");
    one.refuse_begin = OYEZ_OK;
    two.refuse_begin = OYEZ_PERMISSION_DENIED;
    features_expect_end(features_call(&bench, &features_later, "hi", NULL), OYEZ_PERMISSION_DENIED, "2 says no");
    features_expect(&bench, "1.begin 2.begin 2.end(PERMISSION_DENIED) 1.end(PERMISSION_DENIED) ");
    assert_int_equal(bench.handled, 0);
    features_end(&bench);
}

static void server_refuses_messages(void **state)
{
    spy one = { .name = "1", .refuse_receive = "in" }, two = { .name = "2", .refuse_send = "out" };
    (void)state;
    start_server(&one, &two);
    features_expect_end(features_call(&bench, &features_unary, "in", NULL), OYEZ_FAILED_PRECONDITION, "not this");
    features_expect(&bench, "1.begin 2.begin 1.receive(in) 2.end(FAILED_PRECONDITION) 1.end(FAILED_PRECONDITION) ");
    assert_int_equal(bench.handled, 0);
    features_expect_end(features_call(&bench, &features_unary, "out", NULL), OYEZ_FAILED_PRECONDITION, "not this");
    features_expect(&bench, "1.begin 2.begin 1.receive(out) 2.receive(out) 2.send(out) 2.end(FAILED_PRECONDITION) "
                            "1.end(FAILED_PRECONDITION) ");
    assert_int_equal(bench.handled, 1);
    features_end(&bench);
}

static oyez_code chat(oyez_status *status, const char *const *texts)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };
    oyez_stream *stream;
    char reply[256];
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    for (size_t i = 0; texts[i]; i++) {
        if (!features_send(stream, texts[i]) || !features_recv(stream, reply))
            break;
        assert_string_equal(reply, texts[i]);
    }
    oyez_stream_close_send(stream);
    while (features_recv(stream, reply))
        continue;
    return oyez_stream_finish(stream, status);
}

static void server_streams(void **state)
{
    static const char *const good[] = { "a", "b", NULL }, *const bad_in[] = { "a", "in", NULL };
    static const char *const bad_out[] = { "out", NULL };
    spy one = { .name = "1", .refuse_receive = "in" }, two = { .name = "2", .refuse_send = "out" };
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    start_server(&one, &two);
    assert_int_equal(chat(&status, good), OYEZ_OK);
    features_expect(&bench, "1.begin 2.begin 1.receive(a) 2.receive(a) 2.send(a) 1.send(a) "
                            "1.receive(b) 2.receive(b) 2.send(b) 1.send(b) 2.end(OK) 1.end(OK) ");
    assert_int_equal(chat(&status, bad_in), OYEZ_FAILED_PRECONDITION);
    assert_string_equal(status.message, "not this message");
    features_expect(&bench, "1.begin 2.begin 1.receive(a) 2.receive(a) 2.send(a) 1.send(a) "
                            "1.receive(in) 2.end(OK) 1.end(OK) "); /* the handler's own end: it saw no more messages */
    assert_int_equal(chat(&status, bad_out), OYEZ_FAILED_PRECONDITION);
    features_expect(&bench, "1.begin 2.begin 1.receive(out) 2.receive(out) 2.send(out) 2.end(CANCELLED) "
                            "1.end(CANCELLED) ");
    oyez_status_fini(&status);
    features_end(&bench);
}

static int who_key;

static void remember_who(void *call)
{
    assert_null(oyez_server_call_value(call, &who_key));
    assert_ok(oyez_server_call_set_value(call, &who_key, (void *)(uintptr_t)"nobody"));
    assert_ok(oyez_server_call_set_value(call, &who_key, (void *)(uintptr_t)"Ada"));
    assert_ok(oyez_server_call_add_header(call, "x-in-header", "h", 1));
    assert_ok(oyez_server_call_add_trailer(call, "x-in-trailer", "t", 1));
}

static oyez_code greet(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    const char *name = oyez_server_call_value(call, &who_key);
    (void)self;
    (void)request;
    assert_null(oyez_server_call_value(call, &bench));
    return oyez_slice_append(reply, (oyez_buffer){ (const uint8_t *)name, strlen(name), NULL }) ? OYEZ_INTERNAL : OYEZ_OK;
}

static void server_values_and_metadata(void **state)
{
    spy one = { .name = "1", .at_begin = remember_who }, two = { .name = "2" };
    oyez_metadata *headers, *trailers;
    (void)state;
    bench.unary = greet;
    start_server(&one, &two);
    assert_ok(oyez_metadata_new(&headers));
    assert_ok(oyez_metadata_new(&trailers));
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .headers = headers, .trailers = trailers };
    features_result result = features_call(&bench, &features_unary, "", &options);
    assert_string_equal(result.reply, "Ada");
    assert_string_equal(oyez_metadata_get(headers, "x-in-header").data, "h");
    assert_string_equal(oyez_metadata_get(trailers, "x-in-trailer").data, "t");
    features_expect_end(result, OYEZ_OK, "");
    oyez_metadata_free(headers);
    oyez_metadata_free(trailers);
    features_end(&bench);
}

/* Unknown methods have no handler, and so nothing to stand around. */
static void server_unknown_methods_pass_by(void **state)
{
    spy one = { .name = "1" }, two = { .name = "2" };
    (void)state;
    start_server(&one, &two);
    features_expect_end(features_call(&bench, &features_unknown, "hi", NULL), OYEZ_UNIMPLEMENTED, "unknown method");
    features_expect(&bench, "");
    features_end(&bench);
}

static void server_lists_are_checked(void **state)
{
    struct {
        oyez_server_interceptor known;
        void *more;
    } newer = { .known = { .size = sizeof(newer) }, .more = &newer };
    const oyez_server_interceptor *list[] = { &newer.known, NULL };
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .interceptors = list, .interceptor_count = 1 };
    oyez_server *server = NULL;
    (void)state;
    assert_err(oyez_server_new(&options, &server), OYEZ_E2BIG);
    newer.more = NULL;
    options.interceptor_count = 2;
    assert_err(oyez_server_new(&options, &server), OYEZ_ENULL);
    options.interceptors = NULL;
    assert_err(oyez_server_new(&options, &server), OYEZ_ENULL);
    assert_null(server);
}

/* --- a client's -------------------------------------------------------------------------------------------------------- */

static oyez_code client_begin(void *self, oyez_call *call)
{
    const spy *who = self;
    features_note(&bench, "%s.begin", who->name);
    if (who->at_begin)
        who->at_begin(call);
    if (who->refuse_begin != OYEZ_OK)
        return oyez_call_fail(call, who->refuse_begin, "%s says no", who->name);
    return OYEZ_OK;
}

static void client_ended(void *self, oyez_call *call, const oyez_status *status)
{
    const spy *who = self;
    features_note(&bench, "%s.end(%s)", who->name, oyez_code_name(status->code));
    /* It is too late for these. */
    assert_err(oyez_call_add_metadata(call, "x", "y", 1), OYEZ_ESTATE);
    assert_err(oyez_call_limit_time(call, OYEZ_SECOND), OYEZ_ESTATE);
    assert_err(oyez_call_set_value(call, self, self), OYEZ_ESTATE);
    assert_null(oyez_call_alloc(call, 1));
    assert_int_equal(oyez_call_fail(call, OYEZ_ABORTED, "late"), OYEZ_ABORTED);
}

static oyez_code client_receives(void *self, oyez_call *call, const void *message, const char **ret_words)
{
    const spy *who = self;
    char text[256];
    (void)call;
    note_message(who, "receive", message, text);
    return judge(text, who->refuse_receive, ret_words);
}

static oyez_code client_sends(void *self, oyez_call *call, const void *message, const char **ret_words)
{
    const spy *who = self;
    char text[256];
    (void)call;
    note_message(who, "send", message, text);
    return judge(text, who->refuse_send, ret_words);
}

static oyez_client_interceptor client_spy(spy *who)
{
    return (oyez_client_interceptor){ OYEZ_CLIENT_INTERCEPTOR_INIT, .self = who,  .begin = client_begin,
                                      .end = client_ended,          .on_receive = client_receives,
                                      .on_send = client_sends };
}

static void start_client(spy *one, spy *two)
{
    const oyez_client_interceptor first = client_spy(one), second = client_spy(two);
    const oyez_client_interceptor *list[] = { &first, &second };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .interceptors = list, .interceptor_count = 2 };
    features_start(&bench, NULL, &options);
}

#define CLIENT_UNARY "1.begin 2.begin 1.send(hi) 2.send(hi) 2.receive(hi) 1.receive(hi) 2.end(OK) 1.end(OK) "

static void client_order(void **state)
{
    static const char *const texts[] = { "a", "b", NULL };
    spy one = { .name = "1" }, two = { .name = "2" };
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    start_client(&one, &two);
    features_expect_end(features_call(&bench, &features_unary, "hi", NULL), OYEZ_OK, "");
    features_expect(&bench, CLIENT_UNARY);
    features_expect_end(features_call_async(&bench, &features_unary, "hi", NULL), OYEZ_OK, "");
    features_expect(&bench, CLIENT_UNARY);
    assert_int_equal(chat(&status, texts), OYEZ_OK);
    features_expect(&bench, "1.begin 2.begin 1.send(a) 2.send(a) 2.receive(a) 1.receive(a) "
                            "1.send(b) 2.send(b) 2.receive(b) 1.receive(b) 2.end(OK) 1.end(OK) ");
    oyez_status_fini(&status);
    features_end(&bench);
}

/* Nobody wants the reply, and yet it is looked at. */
static void client_sees_unwanted_replies(void **state)
{
    spy one = { .name = "1" }, two = { .name = "2", .refuse_receive = "bad" };
    const oyez_slice empty = OYEZ_SLICE_INIT;
    oyez_slice bad = OYEZ_SLICE_INIT;
    (void)state;
    start_client(&one, &two);
    assert_int_equal(oyez_unary_call(bench.channel, &features_unary, NULL, NULL, &empty, NULL, NULL), OYEZ_OK);
    features_expect(&bench, "1.begin 2.begin 1.send() 2.send() 2.receive() 1.receive() 2.end(OK) 1.end(OK) ");
    assert_ok(oyez_slice_append(&bad, (oyez_buffer){ (const uint8_t *)"bad", 3, NULL }));
    assert_int_equal(oyez_unary_call(bench.channel, &features_unary, NULL, NULL, &bad, NULL, NULL),
                     OYEZ_FAILED_PRECONDITION);
    oyez_slice_fini(&bad);
    features_end(&bench);
}

static void client_refuses_at_begin(void **state)
{
    static const char *const texts[] = { "a", NULL };
    spy one = { .name = "1" }, two = { .name = "2", .refuse_begin = OYEZ_UNAUTHENTICATED };
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    start_client(&one, &two);
    features_expect_end(features_call(&bench, &features_unary, "hi", NULL), OYEZ_UNAUTHENTICATED, "2 says no");
    features_expect(&bench, "1.begin 2.begin 2.end(UNAUTHENTICATED) 1.end(UNAUTHENTICATED) ");
    features_expect_end(features_call_async(&bench, &features_unary, "hi", NULL), OYEZ_UNAUTHENTICATED, "2 says no");
    features_expect(&bench, "1.begin 2.begin 2.end(UNAUTHENTICATED) 1.end(UNAUTHENTICATED) ");
    assert_int_equal(chat(&status, texts), OYEZ_UNAUTHENTICATED);
    assert_string_equal(status.message, "2 says no");
    oyez_status_fini(&status);
    assert_int_equal(bench.handled, 0);
    assert_int_equal(oyez_channel_state(bench.channel), OYEZ_IDLE);
    features_end(&bench);
}

static void client_refuses_messages(void **state)
{
    static const char *const bad_in[] = { "in", NULL }, *const bad_out[] = { "a", "out", NULL };
    spy one = { .name = "1", .refuse_send = "out" }, two = { .name = "2", .refuse_receive = "in" };
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    start_client(&one, &two);
    features_expect_end(features_call(&bench, &features_unary, "out", NULL), OYEZ_FAILED_PRECONDITION, "not this");
    features_expect(&bench, "1.begin 2.begin 1.send(out) 2.end(FAILED_PRECONDITION) 1.end(FAILED_PRECONDITION) ");
    assert_int_equal(bench.handled, 0);
    features_expect_end(features_call(&bench, &features_unary, "in", NULL), OYEZ_FAILED_PRECONDITION, "not this");
    features_expect(&bench, "1.begin 2.begin 1.send(in) 2.send(in) 2.receive(in) 2.end(FAILED_PRECONDITION) "
                            "1.end(FAILED_PRECONDITION) ");
    features_expect_end(features_call_async(&bench, &features_unary, "in", NULL), OYEZ_FAILED_PRECONDITION, "not this");
    features_expect(&bench, "1.begin 2.begin 1.send(in) 2.send(in) 2.receive(in) 2.end(FAILED_PRECONDITION) "
                            "1.end(FAILED_PRECONDITION) ");
    assert_int_equal(chat(&status, bad_in), OYEZ_FAILED_PRECONDITION);
    assert_string_equal(status.message, "not this message");
    assert_int_equal(chat(&status, bad_out), OYEZ_FAILED_PRECONDITION);
    oyez_status_fini(&status);
    features_end(&bench);
}

static int seen_key;

static void add_metadata(void *opaque)
{
    oyez_call *call = opaque;
    char *memory = oyez_call_alloc(call, 4);
    assert_string_equal(oyez_call_path(call), "/f.S/Unary");
    assert_null(oyez_call_ctx(call));
    assert_string_equal(oyez_metadata_get(oyez_call_metadata(call), "x-user").data, "u");
    assert_ok(oyez_call_add_metadata(call, "X-Token", "secret", 6));
    assert_err(oyez_call_add_metadata(call, "grpc-status", "0", 1), OYEZ_EKEY);
    assert_err(oyez_call_add_metadata(call, "x", "\n", 1), OYEZ_EVALUE);
    assert_err(oyez_call_add_metadata(call, NULL, "", 0), OYEZ_ENULL);
    assert_non_null(memory);
    memcpy(memory, "abc", 4);
    assert_ok(oyez_call_set_value(call, &seen_key, memory));
    assert_string_equal(oyez_call_value(call, &seen_key), "abc");
    assert_null(oyez_call_value(call, &bench));
}

static oyez_code tell_metadata(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    oyez_str token = oyez_metadata_get(oyez_server_call_metadata(call), "x-token");
    (void)self;
    (void)request;
    assert_non_null(token.data);
    return oyez_slice_append(reply, (oyez_buffer){ (const uint8_t *)token.data, token.len, NULL }) ? OYEZ_INTERNAL
                                                                                                    : OYEZ_OK;
}

static void client_adds_metadata(void **state)
{
    spy one = { .name = "1", .at_begin = add_metadata }, two = { .name = "2" };
    oyez_metadata *metadata;
    (void)state;
    bench.unary = tell_metadata;
    start_client(&one, &two);
    assert_ok(oyez_metadata_new(&metadata));
    assert_ok(oyez_metadata_append(metadata, "x-user", "u", 1));
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .metadata = metadata };
    features_result result = features_call(&bench, &features_unary, "", &options);
    assert_string_equal(result.reply, "secret");
    features_expect_end(result, OYEZ_OK, "");
    oyez_metadata_free(metadata);
    features_end(&bench);
}

static void hurry(void *call)
{
    const int64_t before = oyez_call_deadline(call);
    assert_ok(oyez_call_limit_time(call, OYEZ_HOUR)); /* never longer */
    assert_true(oyez_call_deadline(call) == before);
    assert_ok(oyez_call_limit_time(call, 30 * OYEZ_MILLISECOND));
    assert_true(oyez_call_deadline(call) < before);
}

static oyez_code wait_for_end(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    (void)self;
    (void)request;
    (void)reply;
    FEATURES_UNTIL(oyez_server_call_is_cancelled(call));
    return OYEZ_CANCELLED;
}

static void client_limits_time(void **state)
{
    spy one = { .name = "1", .at_begin = hurry }, two = { .name = "2" };
    (void)state;
    bench.unary = wait_for_end;
    start_client(&one, &two);
    features_expect_end(features_call(&bench, &features_unary, "", NULL), OYEZ_DEADLINE_EXCEEDED, "");
    features_expect(&bench, "1.begin 2.begin 1.send() 2.send() 2.end(DEADLINE_EXCEEDED) 1.end(DEADLINE_EXCEEDED) ");
    features_end(&bench);
}

/* The first attempt is refused by a server that has not looked at it: interceptors see one call. */
static void client_once_for_all_attempts(void **state)
{
    spy one = { .name = "1" }, two = { .name = "2" };
    const oyez_client_interceptor first = client_spy(&one), second = client_spy(&two);
    const oyez_client_interceptor *list[] = { &first, &second };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .interceptors = list, .interceptor_count = 2 };
    const oyez_call_options patience = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };
    oyez_stream *stream;
    uint16_t port;
    int listener = raw_listen(&port);
    char text[256];
    (void)state;
    features_start_client(&bench, &options, port);
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &patience, NULL, NULL, NULL, NULL, &stream));
    raw_peer *server = raw_server(listener, 0);
    raw_stream *attempt = raw_await_request(server);
    raw_rst(server, attempt->id, OY_H2_REFUSED_STREAM);
    attempt = raw_await_request(server);
    raw_respond(server, attempt->id);
    raw_message(server, attempt->id, "hi", 2, 0);
    assert_true(features_recv(stream, text));
    raw_status(server, attempt->id, "0", NULL);
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    features_expect(&bench, "1.begin 2.begin 2.receive(hi) 1.receive(hi) 2.end(OK) 1.end(OK) ");
    raw_close(server);
    features_end(&bench);
    (void)close(listener);
}

static void client_lists_are_checked(void **state)
{
    struct {
        oyez_client_interceptor known;
        void *more;
    } newer = { .known = { .size = sizeof(newer) }, .more = &newer };
    const oyez_client_interceptor *list[] = { &newer.known, NULL };
    oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .interceptors = list, .interceptor_count = 1 };
    oyez_channel *channel = NULL;
    (void)state;
    assert_err(oyez_channel_new("ipv4:127.0.0.1:1", oyez_insecure(), &options, &channel), OYEZ_E2BIG);
    newer.more = NULL;
    options.interceptor_count = 2;
    assert_err(oyez_channel_new("ipv4:127.0.0.1:1", oyez_insecure(), &options, &channel), OYEZ_ENULL);
    assert_null(channel);
}

OY_TEST_GROUP(e2e_features_interceptor, oy_leak_test(server_order), oy_leak_test(server_refuses_at_begin),
              oy_leak_test(server_refuses_messages), oy_leak_test(server_streams),
              oy_leak_test(server_values_and_metadata), oy_leak_test(server_unknown_methods_pass_by),
              oy_leak_test(server_lists_are_checked), oy_leak_test(client_order),
              oy_leak_test(client_sees_unwanted_replies), oy_leak_test(client_refuses_at_begin),
              oy_leak_test(client_refuses_messages), oy_leak_test(client_adds_metadata),
              oy_leak_test(client_limits_time), oy_leak_test(client_once_for_all_attempts),
              oy_leak_test(client_lists_are_checked));

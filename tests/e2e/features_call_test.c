/* SPDX-License-Identifier: Apache-2.0 */
/* Options of calls, their defaults in a channel, metadata at legal and illegal moments, and details of a status. */
#include <stdio.h>
#include <unistd.h>

#include "client_support.h"
#include "features_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

static features bench;

/* --- the end of a call ---------------------------------------------------------------------------------------------------- */

static void note_finish(oyez_call *call, const oyez_status *status, void *user)
{
    assert_string_equal(user, "user");
    features_note(&bench, "%s(%s)", oyez_call_path(call), oyez_code_name(status->code));
}

static void on_finish_and_peer(void **state)
{
    char peer[64], cut[6], local[64];
    oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .on_finish = note_finish,
                                  .on_finish_user = (void *)(uintptr_t)"user", .peer = peer,
                                  .peer_bytes = sizeof(peer), .timeout = 20 * OYEZ_SECOND };
    oyez_stream *stream;
    (void)state;
    features_start(&bench, NULL, NULL);
    (void)snprintf(local, sizeof(local), "127.0.0.1:%u", bench.port);
    features_expect_end(features_call(&bench, &features_unary, "hi", &options), OYEZ_OK, "");
    assert_string_equal(peer, local);
    features_expect(&bench, "/f.S/Unary(OK) ");
    peer[0] = '\0';
    features_expect_end(features_call_async(&bench, &features_unknown, "hi", &options), OYEZ_UNIMPLEMENTED, "");
    assert_string_equal(peer, local); /* also of a call that has failed */
    features_expect(&bench, "/f.S/Unknown(UNIMPLEMENTED) ");
    peer[0] = '\0';
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    assert_true(features_send(stream, "hi"));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    assert_string_equal(peer, local);
    features_expect(&bench, "/f.S/Chat(OK) ");
    options.peer = cut;
    options.peer_bytes = sizeof(cut);
    features_expect_end(features_call(&bench, &features_unary, "hi", &options), OYEZ_OK, "");
    assert_string_equal(cut, "127.0");
    features_end(&bench);
}

/* Of the keys that belong to gRPC a client sees the content-type alone. */
static void content_type_is_seen(void **state)
{
    oyez_metadata *headers = NULL, *trailers = NULL;
    oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };
    (void)state;
    features_start(&bench, NULL, NULL);
    assert_ok(oyez_metadata_new(&headers));
    assert_ok(oyez_metadata_new(&trailers));
    options.headers = headers;
    options.trailers = trailers;
    features_expect_end(features_call(&bench, &features_unary, "hi", &options), OYEZ_OK, "");
    assert_string_equal(oyez_metadata_get(headers, "content-type").data, "application/grpc");
    assert_null(oyez_metadata_get(trailers, "grpc-status").data);
    assert_null(oyez_metadata_get(trailers, "content-type").data);
    features_expect_end(features_call(&bench, &features_unknown, "hi", &options), OYEZ_UNIMPLEMENTED, "");
    assert_string_equal(oyez_metadata_get(trailers, "content-type").data, "application/grpc");
    oyez_metadata_free(headers);
    oyez_metadata_free(trailers);
    features_end(&bench);
}

static void peer_of_no_connection(void **state)
{
    char peer[64] = "somebody";
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .on_finish = note_finish,
                                        .on_finish_user = (void *)(uintptr_t)"user", .peer = peer,
                                        .peer_bytes = sizeof(peer) };
    uint16_t port;
    int listener = raw_listen(&port);
    (void)state;
    (void)close(listener);
    features_start_client(&bench, NULL, port);
    features_expect_end(features_call(&bench, &features_unary, "hi", &options), OYEZ_UNAVAILABLE, "");
    assert_string_equal(peer, "");
    features_expect(&bench, "/f.S/Unary(UNAVAILABLE) ");
    features_end(&bench);
}

/* --- what goes out -------------------------------------------------------------------------------------------------------- */

/* What a call looks like to its server. */
static void expect_request(int listener, raw_peer **server, const oyez_call_options *options, const char *content_type,
                           const char *authority)
{
    oyez_stream *stream;
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, options, NULL, NULL, NULL, NULL, &stream));
    if (!*server)
        *server = raw_server(listener, 0);
    raw_stream *request = raw_await_request(*server);
    assert_string_equal(raw_field(request, "content-type"), content_type);
    if (authority)
        assert_string_equal(raw_field(request, ":authority"), authority);
    raw_answer(*server, request->id, "", 0);
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
}

static void content_subtype(void **state)
{
    oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };
    raw_peer *server = NULL;
    uint16_t port;
    int listener = raw_listen(&port);
    (void)state;
    features_start_client(&bench, NULL, port);
    expect_request(listener, &server, &options, "application/grpc", NULL);
    options.content_subtype = "json";
    expect_request(listener, &server, &options, "application/grpc+json", NULL);
    options.content_subtype = "proto";
    options.authority = "other.example:1";
    expect_request(listener, &server, &options, "application/grpc+proto", "other.example:1");
    raw_close(server);
    features_end(&bench);
    (void)close(listener);
}

static void texts_are_checked(void **state)
{
    static const char *const bad[] = { "", "a b", "a;b", "a\r\nb", "\xc3\xa4", "a/b" };
    const oyez_slice empty = OYEZ_SLICE_INIT;
    (void)state;
    features_start_client(&bench, NULL, 1);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .content_subtype = bad[i] };
        oyez_status status = OYEZ_STATUS_INIT;
        assert_int_equal(oyez_unary_call(bench.channel, &features_unary, NULL, &options, &empty, NULL, &status),
                         OYEZ_INTERNAL);
        assert_contains(status.message, "authority or content_subtype has a character that it cannot have");
        oyez_status_fini(&status);
        options.content_subtype = NULL;
        options.authority = bad[i];
        if (strcmp(bad[i], "a;b") == 0 || strcmp(bad[i], "a/b") == 0)
            continue;
        assert_int_equal(oyez_unary_call(bench.channel, &features_unary, NULL, &options, &empty, NULL, NULL),
                         OYEZ_INTERNAL);
    }
    features_end(&bench);
}

/* --- defaults of a channel -------------------------------------------------------------------------------------------------- */

static oyez_code tell_all(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    const oyez_metadata *metadata = oyez_server_call_metadata(call);
    oyez_str authority = oyez_server_call_authority(call), value;
    (void)self;
    (void)request;
    features_note(&bench, "%.*s", (int)authority.len, authority.data);
    for (size_t at = 0; oyez_metadata_next(metadata, "x-user", &at, &value);)
        features_note(&bench, "%s", value.data);
    return oyez_slice_append(reply, (oyez_buffer){ (const uint8_t *)"more than ten", 13, NULL }) ? OYEZ_INTERNAL
                                                                                                  : OYEZ_OK;
}

static void defaults(void **state)
{
    oyez_metadata *common, *own;
    char authority[] = "name.example";
    (void)state;
    assert_ok(oyez_metadata_new(&common));
    assert_ok(oyez_metadata_append(common, "x-user", "common", 6));
    assert_ok(oyez_metadata_new(&own));
    assert_ok(oyez_metadata_append(own, "x-user", "own", 3));
    const oyez_call_options for_all = { OYEZ_CALL_OPTIONS_INIT, .metadata = common, .authority = authority,
                                        .on_finish = note_finish, .on_finish_user = (void *)(uintptr_t)"user",
                                        .max_receive_bytes = 10, .wait_for_ready = true };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .call_options = &for_all };
    bench.unary = tell_all;
    features_start(&bench, NULL, &options);
    /* All of it was copied. */
    oyez_metadata_free(common);
    memset(authority, 'x', sizeof(authority));
    features_expect_end(features_call(&bench, &features_unary, "", NULL), OYEZ_RESOURCE_EXHAUSTED, "(13 vs. 10 bytes)");
    features_expect(&bench, "name.example common /f.S/Unary(RESOURCE_EXHAUSTED) ");
    /* What a call says itself goes before, and metadata is added. */
    const oyez_call_options mine = { OYEZ_CALL_OPTIONS_INIT, .metadata = own, .authority = "mine.example",
                                     .max_receive_bytes = 100 };
    features_expect_end(features_call(&bench, &features_unary, "", &mine), OYEZ_OK, "");
    features_expect(&bench, "mine.example common own /f.S/Unary(OK) ");
    oyez_metadata_free(own);
    features_end(&bench);
}

static void default_timeout(void **state)
{
    const oyez_call_options for_all = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_MILLISECOND };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .call_options = &for_all };
    const oyez_slice empty = OYEZ_SLICE_INIT;
    uint16_t port;
    int listener = raw_listen(&port); /* nobody accepts */
    (void)state;
    features_start_client(&bench, &options, port);
    assert_int_equal(oyez_unary_call(bench.channel, &features_unary, NULL, NULL, &empty, NULL, NULL),
                     OYEZ_DEADLINE_EXCEEDED);
    features_end(&bench);
    (void)close(listener);
}

static void defaults_are_checked(void **state)
{
    char peer[8], words[128] = "";
    oyez_call_options for_all = { OYEZ_CALL_OPTIONS_INIT, .peer = peer };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .call_options = &for_all, .words = words,
                                           .words_bytes = sizeof(words) };
    oyez_channel *channel = NULL;
    (void)state;
    assert_err(oyez_channel_new("ipv4:127.0.0.1:1", oyez_insecure(), &options, &channel), OYEZ_EINVAL);
    assert_contains(words, "call_options: headers, trailers and peer");
    for_all = (oyez_call_options){ OYEZ_CALL_OPTIONS_INIT, .content_subtype = "a b" };
    assert_err(oyez_channel_new("ipv4:127.0.0.1:1", oyez_insecure(), &options, &channel), OYEZ_EINVAL);
    assert_contains(words, "content_subtype");
    for_all.size = 1;
    assert_err(oyez_channel_new("ipv4:127.0.0.1:1", oyez_insecure(), &options, &channel), OYEZ_ESIZE);
}

/* --- without memory --------------------------------------------------------------------------------------------------------- */

typedef struct balance {
    int begun, ended;
} balance;

static oyez_code count_begin(void *self, oyez_call *call)
{
    ((balance *)self)->begun++;
    return oyez_call_add_metadata(call, "x-more", "m", 1) ? oyez_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "no memory")
                                                          : OYEZ_OK;
}

static void count_end(void *self, oyez_call *call, const oyez_status *status)
{
    (void)call;
    (void)status;
    ((balance *)self)->ended++;
}

static oyez_code count_server_begin(void *self, oyez_server_call *call)
{
    ((balance *)self)->begun++;
    return oyez_server_call_set_value(call, self, self) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

static void count_server_end(void *self, oyez_server_call *call, const oyez_status *status)
{
    (void)call;
    (void)status;
    ((balance *)self)->ended++;
}

static void *count_conn_begin(void *self, const oyez_stats_conn *conn)
{
    (void)conn;
    ((balance *)self)->begun++;
    return self;
}

static void count_conn_end(void *self, void *tag, const oyez_stats_conn *conn)
{
    (void)tag;
    (void)conn;
    ((balance *)self)->ended++;
}

static void *count_stats_begin(void *self, const oyez_stats_begin *begin)
{
    (void)begin;
    ((balance *)self)->begun++;
    return self;
}

static void count_stats_end(void *self, void *tag, const oyez_stats_end *end)
{
    (void)tag;
    (void)end;
    ((balance *)self)->ended++;
}

static oyez_code answer(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    (void)service, (void)self, (void)call;
    return oyez_slice_append_slice(reply, request) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

static oyez_err serve_on(oyez_runtime *manual, balance *counts, oyez_server **ret_server, uint16_t *ret_port)
{
    const oyez_server_interceptor interceptor = { OYEZ_SERVER_INTERCEPTOR_INIT, .self = counts,
                                                  .begin = count_server_begin, .end = count_server_end };
    const oyez_server_interceptor *interceptors[] = { &interceptor };
    const oyez_stats_handler handler = { OYEZ_STATS_HANDLER_INIT, .self = counts, .conn_begin = count_conn_begin,
                                         .conn_end = count_conn_end, .begin = count_stats_begin, .end = count_stats_end };
    const oyez_stats_handler *handlers[] = { &handler };
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .runtime = manual, .interceptors = interceptors,
                                          .interceptor_count = 1, .stats_handlers = handlers, .stats_handler_count = 1 };
    const oyez_service_method method = { .method = &features_unary, .unary = answer };
    const oyez_service_desc service = { OYEZ_SERVICE_DESC_INIT, .name = "f.S", .methods = &method, .method_count = 1,
                                        .on_loop = true };
    oyez_err err = oyez_server_new(&options, ret_server);
    if (!err)
        err = oyez_server_register(*ret_server, &service);
    if (!err)
        err = oyez_server_listen(*ret_server, "127.0.0.1:0", oyez_insecure(), ret_port);
    return err ? err : oyez_server_start(*ret_server);
}

static oyez_err open_on(oyez_runtime *manual, balance *counts, uint16_t port, oyez_channel **ret_channel)
{
    const oyez_client_interceptor interceptor = { OYEZ_CLIENT_INTERCEPTOR_INIT, .self = counts, .begin = count_begin,
                                                  .end = count_end };
    const oyez_client_interceptor *interceptors[] = { &interceptor };
    const oyez_stats_handler handler = { OYEZ_STATS_HANDLER_INIT, .self = counts, .conn_begin = count_conn_begin,
                                         .conn_end = count_conn_end, .begin = count_stats_begin, .end = count_stats_end };
    const oyez_stats_handler *handlers[] = { &handler };
    oyez_metadata *metadata = NULL;
    char target[64];
    oyez_err err = oyez_metadata_new(&metadata);
    if (!err)
        err = oyez_metadata_append(metadata, "x-user", "u", 1);
    const oyez_call_options for_all = { OYEZ_CALL_OPTIONS_INIT, .authority = "a", .content_subtype = "b",
                                        .metadata = metadata };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .runtime = manual, .interceptors = interceptors,
                                           .interceptor_count = 1, .stats_handlers = handlers, .stats_handler_count = 1,
                                           .call_options = &for_all, .backoff_base = OYEZ_MILLISECOND };
    (void)snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    if (!err)
        err = oyez_channel_new(target, oyez_insecure(), &options, ret_channel);
    oyez_metadata_free(metadata);
    return err;
}

static void count_finish(oyez_call *call, const oyez_status *status, void *user)
{
    (void)call;
    (void)status;
    ++*(int *)user;
}

/* Whatever allocation fails: each begin has its end, and nothing is left. */
static void no_memory(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        balance counts = { 0, 0 };
        oyez_runtime *manual = NULL;
        oyez_server *server = NULL;
        oyez_channel *channel = NULL;
        uint16_t port = 0;
        int finished = 0;
        oyez_err err = oyez_runtime_new_manual(NULL, &manual);
        if (!err)
            err = serve_on(manual, &counts, &server, &port);
        if (!err)
            err = open_on(manual, &counts, port, &channel);
        if (!err) {
            char peer[64];
            const oyez_slice empty = OYEZ_SLICE_INIT;
            const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .wait_for_ready = true, .peer = peer,
                                                .peer_bytes = sizeof(peer), .on_finish = count_finish,
                                                .on_finish_user = &finished, .timeout = 2 * OYEZ_SECOND };
            oyez_code code = oyez_unary_call(channel, &features_unary, NULL, &options, &empty, NULL, NULL);
            /* A listener that has found no memory accepts nobody, which only time tells. */
            if (code != OYEZ_OK && code != OYEZ_RESOURCE_EXHAUSTED && code != OYEZ_UNAVAILABLE &&
                code != OYEZ_DEADLINE_EXCEEDED)
                fail_msg("allocation %u: %s", oy_fault_n, oyez_code_name(code));
            if (!oy_fail_triggered())
                assert_int_equal(code, OYEZ_OK);
            assert_true(finished == 1 || (finished == 0 && code == OYEZ_RESOURCE_EXHAUSTED));
        }
        oyez_channel_unref(channel);
        oyez_server_unref(server);
        oyez_runtime_unref(manual);
        assert_int_equal(counts.begun, counts.ended);
        if (!oy_fail_triggered())
            assert_int_equal(counts.begun, 6); /* interceptors, connections and calls, of either side */
    }
}

/* --- metadata ---------------------------------------------------------------------------------------------------------------- */

static oyez_code try_moments(features *self, oyez_server_call *call, oyez_stream *stream)
{
    (void)self;
    assert_ok(oyez_server_call_add_header(call, "x-h", "1", 1));
    assert_ok(oyez_server_call_set_header(call, "x-h", "2", 1));
    assert_ok(oyez_server_call_add_header(call, "x-h-bin", "\0\xff", 2));
    assert_err(oyez_server_call_add_header(call, "grpc-status", "0", 1), OYEZ_EKEY);
    assert_err(oyez_server_call_set_header(call, ":path", "/", 1), OYEZ_EKEY);
    assert_err(oyez_server_call_add_header(call, "", "", 0), OYEZ_EKEY);
    assert_err(oyez_server_call_add_header(call, NULL, "", 0), OYEZ_ENULL);
    assert_err(oyez_server_call_set_header(call, "x", NULL, 1), OYEZ_ENULL);
    assert_err(oyez_server_call_add_trailer(call, "x", "a\nb", 3), OYEZ_EVALUE);
    assert_ok(oyez_server_call_send_headers(call));
    /* They have left. */
    assert_err(oyez_server_call_send_headers(call), OYEZ_ESTATE);
    assert_err(oyez_server_call_add_header(call, "x-h", "3", 1), OYEZ_ESTATE);
    assert_err(oyez_server_call_set_header(call, "x-h", "3", 1), OYEZ_ESTATE);
    assert_ok(oyez_server_call_add_trailer(call, "x-t", "1", 1));
    char text[256];
    assert_true(features_recv(stream, text)); /* the client says that it has them */
    assert_true(features_send(stream, "m"));
    assert_ok(oyez_server_call_set_trailer(call, "x-t", "2", 1));
    assert_ok(oyez_server_call_add_trailer(call, "x-t", "3", 1));
    return OYEZ_OK;
}

static void expect_values(const oyez_metadata *metadata, const char *key, const char *first, const char *second)
{
    oyez_str value;
    size_t at = 0;
    assert_true(oyez_metadata_next(metadata, key, &at, &value));
    assert_string_equal(value.data, first);
    assert_int_equal(oyez_metadata_next(metadata, key, &at, &value), second != NULL);
    if (second)
        assert_string_equal(value.data, second);
}

static void moments_of_metadata(void **state)
{
    oyez_metadata *headers, *trailers;
    oyez_stream *stream;
    char text[256];
    (void)state;
    bench.chat = try_moments;
    features_start(&bench, NULL, NULL);
    assert_ok(oyez_metadata_new(&headers));
    assert_ok(oyez_metadata_new(&trailers));
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .headers = headers, .trailers = trailers,
                                        .timeout = 20 * OYEZ_SECOND };
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    assert_true(oyez_stream_wait_headers(stream));
    expect_values(headers, "x-h", "2", NULL);
    assert_memory_equal(oyez_metadata_get(headers, "x-h-bin").data, "\0\xff", 2);
    assert_true(oyez_stream_wait_headers(stream)); /* still */
    assert_true(features_send(stream, "I have them"));
    assert_true(features_recv(stream, text));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    expect_values(trailers, "x-t", "2", "3");
    oyez_metadata_free(headers);
    oyez_metadata_free(trailers);
    features_end(&bench);
}

static oyez_code send_headers_early(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    (void)self;
    assert_ok(oyez_server_call_add_header(call, "x-h", "1", 1));
    assert_ok(oyez_server_call_send_headers(call));
    assert_err(oyez_server_call_add_header(call, "x-h", "2", 1), OYEZ_ESTATE);
    return oyez_slice_append_slice(reply, request) ? OYEZ_INTERNAL : OYEZ_OK;
}

static void headers_of_a_unary_call(void **state)
{
    oyez_metadata *headers;
    (void)state;
    bench.unary = send_headers_early;
    features_start(&bench, NULL, NULL);
    assert_ok(oyez_metadata_new(&headers));
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .headers = headers };
    features_result result = features_call(&bench, &features_unary, "hi", &options);
    assert_string_equal(result.reply, "hi");
    features_expect_end(result, OYEZ_OK, "");
    expect_values(headers, "x-h", "1", NULL);
    oyez_metadata_free(headers);
    features_end(&bench);
}

static oyez_code fail_at_once(features *self, oyez_server_call *call, oyez_stream *stream)
{
    (void)self;
    (void)stream;
    return oyez_server_call_fail(call, OYEZ_ABORTED, "no");
}

static void no_headers_to_wait_for(void **state)
{
    oyez_stream *stream;
    (void)state;
    bench.chat = fail_at_once;
    features_start(&bench, NULL, NULL);
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, NULL, NULL, NULL, NULL, NULL, &stream));
    assert_false(oyez_stream_wait_headers(stream));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_ABORTED);
    assert_false(oyez_stream_wait_headers(NULL));
    features_end(&bench);
}

/* --- details ------------------------------------------------------------------------------------------------------------------- */

static oyez_code fail_with_details(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    oyez_status status = OYEZ_STATUS_INIT;
    (void)self;
    (void)request;
    (void)reply;
    (void)oyez_status_set(&status, OYEZ_INVALID_ARGUMENT, "gr\xc3\xbc\xc3\x9f % dich", 13);
    assert_ok(oyez_status_add_detail(&status, "google.rpc.BadRequest", "\0\xff", 2));
    assert_ok(oyez_status_add_detail(&status, "x.y/a.Other", NULL, 0));
    /* A trailer of that name that the handler adds himself gives way. */
    assert_ok(oyez_server_call_add_trailer(call, "grpc-status-details-bin", "mine", 4));
    oyez_code code = oyez_server_call_fail_status(call, &status);
    oyez_status_fini(&status);
    return code;
}

static void details_travel(void **state)
{
    oyez_str type_url, value;
    (void)state;
    bench.unary = fail_with_details;
    features_start(&bench, NULL, NULL);
    for (unsigned i = 0; i < 2; i++) {
        features_result result = i ? features_call_async(&bench, &features_unary, "", NULL)
                                   : features_call(&bench, &features_unary, "", NULL);
        assert_int_equal(oyez_status_detail_count(&result.status), 2);
        value = oyez_status_find_detail(&result.status, "google.rpc.BadRequest");
        assert_int_equal(value.len, 2);
        assert_memory_equal(value.data, "\0\xff", 2);
        assert_true(oyez_status_detail_at(&result.status, 1, &type_url, &value));
        assert_memory_equal(type_url.data, "x.y/a.Other", 11);
        assert_int_equal(value.len, 0);
        features_expect_end(result, OYEZ_INVALID_ARGUMENT, "gr\xc3\xbc\xc3\x9f % dich");
    }
    features_end(&bench);
}

typedef struct answer_case {
    const char *status, *message, *details, *more_details; /* details in base64 */
    oyez_code code;
    const char *words;
    size_t count;
} answer_case;

/* What a server may say with its details, and what becomes of it. */
static void details_of_odd_servers(void **state)
{
    static const answer_case cases[] = {
        /* code 5, "no", one detail */
        { "5", "yes", "CAUSAm5vGgUKA2EvYg", NULL, OYEZ_NOT_FOUND, "no", 1 },
        /* code 5 beside another grpc-status */
        { "7", "yes", "CAUSAm5vGgUKA2EvYg", NULL, OYEZ_INTERNAL,
          "the server's grpc-status is 7, and grpc-status-details-bin says code 5", 0 },
        /* not a Status: a group */
        { "5", "yes", "CwwK", NULL, OYEZ_NOT_FOUND, "yes", 0 },
        /* two of them */
        { "5", "yes", "CAUSAm5vGgUKA2EvYg", "CAUSAm5vGgUKA2EvYg", OYEZ_NOT_FOUND, "yes", 0 },
        /* beside OK, which has none */
        { "0", NULL, "CAUSAm5vGgUKA2EvYg", NULL, OYEZ_OK, "", 0 },
        /* not base64 */
        { "5", "yes", "!", NULL, OYEZ_INTERNAL, "not base64", 0 },
    };
    uint16_t port;
    int listener = raw_listen(&port);
    raw_peer *server = NULL;
    (void)state;
    features_start_client(&bench, NULL, port);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const answer_case *one = &cases[i];
        const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };
        oyez_status status = OYEZ_STATUS_INIT;
        oyez_stream *stream;
        assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
        if (!server)
            server = raw_server(listener, 0);
        raw_stream *request = raw_await_request(server);
        raw_respond(server, request->id);
        raw_fields(server, request->id, RAW_END, "grpc-status", one->status, "grpc-status-details-bin", one->details,
                   one->message ? "grpc-message" : one->more_details ? "grpc-status-details-bin" : NULL,
                   one->message ? one->message : one->more_details,
                   one->more_details ? "grpc-status-details-bin" : NULL, one->more_details, NULL);
        assert_int_equal(oyez_stream_finish(stream, &status), one->code);
        assert_contains(status.message, one->words);
        assert_int_equal(oyez_status_detail_count(&status), one->count);
        oyez_status_fini(&status);
    }
    raw_close(server);
    features_end(&bench);
    (void)close(listener);
}

OY_TEST_GROUP(e2e_features_call, oy_leak_test(on_finish_and_peer), oy_leak_test(content_type_is_seen), oy_leak_test(peer_of_no_connection),
              oy_leak_test(content_subtype), oy_leak_test(texts_are_checked), oy_leak_test(defaults),
              oy_leak_test(default_timeout), oy_leak_test(defaults_are_checked), oy_leak_test(no_memory),
              oy_leak_test(moments_of_metadata), oy_leak_test(headers_of_a_unary_call),
              oy_leak_test(no_headers_to_wait_for), oy_leak_test(details_travel), oy_leak_test(details_of_odd_servers));

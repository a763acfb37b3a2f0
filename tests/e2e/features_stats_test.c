/* SPDX-License-Identifier: Apache-2.0 */
/* Stats handlers of servers and channels: what they are told, in which order, with which sizes and tags. */
#include <stdio.h>
#include <unistd.h>

#include "client_support.h"
#include "features_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

static features bench;

typedef struct teller {
    const char *name;
    int tag, conn_tag;
    bool tells_connections;
} teller;

static void note(void *self, void *tag, const char *what)
{
    teller *who = self;
    assert_ptr_equal(tag, &who->tag);
    features_note(&bench, "%s.%s", who->name, what);
}

static void *on_conn_begin(void *self, const oyez_stats_conn *conn)
{
    teller *who = self;
    assert_int_equal(conn->size, sizeof(*conn));
    assert_non_null(strstr(conn->peer, "127.0.0.1:"));
    if (who->tells_connections)
        features_note(&bench, "%s.conn(%s)", who->name, conn->client ? "client" : "server");
    return &who->conn_tag;
}

static void on_conn_end(void *self, void *tag, const oyez_stats_conn *conn)
{
    teller *who = self;
    assert_ptr_equal(tag, &who->conn_tag);
    assert_non_null(strstr(conn->peer, "127.0.0.1:"));
    if (who->tells_connections)
        features_note(&bench, "%s.conn_end", who->name);
}

static void *on_begin(void *self, const oyez_stats_begin *begin)
{
    teller *who = self;
    assert_ptr_equal(begin->conn_tag, begin->client ? NULL : &who->conn_tag);
    features_note(&bench, "%s.begin(%s%s%s%s)", who->name, begin->path, begin->client_streaming ? " chat" : "",
                  begin->wait_for_ready ? " patient" : "", begin->transparent_retry ? " again" : "");
    return &who->tag;
}

static void note_headers(void *self, void *tag, const char *what, const oyez_stats_headers *headers)
{
    char text[64];
    oyez_str value = oyez_metadata_get(headers->metadata, "x-user");
    assert_non_null(strstr(headers->peer, "127.0.0.1:"));
    (void)snprintf(text, sizeof(text), "%s(%s)", what, value.data ? value.data : "");
    note(self, tag, text);
}

static void on_in_headers(void *self, void *tag, const oyez_stats_headers *headers)
{
    note_headers(self, tag, "in_headers", headers);
}

static void on_out_headers(void *self, void *tag, const oyez_stats_headers *headers)
{
    note_headers(self, tag, "out_headers", headers);
}

static void on_in_trailers(void *self, void *tag, const oyez_stats_headers *headers)
{
    note_headers(self, tag, "in_trailers", headers);
}

static void on_out_trailers(void *self, void *tag, const oyez_stats_headers *headers)
{
    note_headers(self, tag, "out_trailers", headers);
}

static void note_payload(void *self, void *tag, const char *what, const oyez_stats_payload *payload)
{
    char text[64];
    (void)snprintf(text, sizeof(text), "%s(%zu/%zu)", what, payload->length, payload->wire_length);
    note(self, tag, text);
}

static void on_in_payload(void *self, void *tag, const oyez_stats_payload *payload)
{
    note_payload(self, tag, "in", payload);
}

static void on_out_payload(void *self, void *tag, const oyez_stats_payload *payload)
{
    note_payload(self, tag, "out", payload);
}

static void on_end(void *self, void *tag, const oyez_stats_end *end)
{
    char text[64];
    (void)snprintf(text, sizeof(text), "end(%s)", oyez_code_name(end->status->code));
    note(self, tag, text);
}

static oyez_stats_handler handler_of(teller *who)
{
    return (oyez_stats_handler){
        OYEZ_STATS_HANDLER_INIT, .self = who,
        .conn_begin = on_conn_begin, .conn_end = on_conn_end, .begin = on_begin,
        .in_headers = on_in_headers, .out_headers = on_out_headers,
        .in_payload = on_in_payload, .out_payload = on_out_payload,
        .in_trailers = on_in_trailers, .out_trailers = on_out_trailers, .end = on_end,
    };
}

static void start(teller *server, teller *client)
{
    const oyez_stats_handler server_handler = server ? handler_of(server) : (oyez_stats_handler){ 0 };
    const oyez_stats_handler client_handler = client ? handler_of(client) : (oyez_stats_handler){ 0 };
    const oyez_stats_handler *servers[] = { &server_handler }, *clients[] = { &client_handler };
    const oyez_server_options server_options = { OYEZ_SERVER_OPTIONS_INIT, .stats_handlers = servers,
                                                 .stats_handler_count = server ? 1 : 0 };
    const oyez_channel_options client_options = { OYEZ_CHANNEL_OPTIONS_INIT, .stats_handlers = clients,
                                                  .stats_handler_count = client ? 1 : 0 };
    features_start(&bench, &server_options, &client_options);
}

/* Gives each side's metadata a mark. */
static oyez_code marked_echo(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    (void)self;
    assert_ok(oyez_server_call_add_header(call, "x-user", "h", 1));
    assert_ok(oyez_server_call_add_trailer(call, "x-user", "t", 1));
    return oyez_slice_append_slice(reply, request) ? OYEZ_INTERNAL : OYEZ_OK;
}

static oyez_metadata *mark(const char *value)
{
    oyez_metadata *metadata;
    assert_ok(oyez_metadata_new(&metadata));
    assert_ok(oyez_metadata_append(metadata, "x-user", value, strlen(value)));
    return metadata;
}

static void unary_client(void **state)
{
    teller client = { .name = "c" };
    oyez_metadata *metadata = mark("u");
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .metadata = metadata, .wait_for_ready = true };
    (void)state;
    bench.unary = marked_echo;
    start(NULL, &client);
    for (unsigned i = 0; i < 2; i++) {
        features_expect_end(i ? features_call(&bench, &features_unary, "hello", &options)
                              : features_call_async(&bench, &features_unary, "hello", &options),
                            OYEZ_OK, "");
        features_expect(&bench, "c.begin(/f.S/Unary patient) c.out_headers(u) c.out(5/10) c.in_headers(h) c.in(5/10) "
                                "c.in_trailers(t) c.end(OK) ");
    }
    oyez_metadata_free(metadata);
    features_end(&bench);
}

static void unary_server(void **state)
{
    const oyez_method *methods[] = { &features_unary, &features_loop_unary, &features_later };
    teller server = { .name = "s" };
    oyez_metadata *metadata = mark("u");
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .metadata = metadata };
    char log[512];
    (void)state;
    bench.unary = marked_echo;
    start(&server, NULL);
    for (size_t i = 0; i < 3; i++) {
        features_expect_end(features_call(&bench, methods[i], "hello", &options), OYEZ_OK, "");
        (void)snprintf(log, sizeof(log), "s.begin(%s) s.in_headers(u) s.in(5/10) s.out_headers(h) s.out(5/10) "
                                         "s.out_trailers(t) s.end(OK) ", methods[i]->path);
        features_expect(&bench, log);
    }
    oyez_metadata_free(metadata);
    features_end(&bench);
}

static oyez_code chat(const char *const *texts)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };
    oyez_stream *stream;
    char reply[256];
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    for (size_t i = 0; texts[i]; i++) {
        assert_true(features_send(stream, texts[i]));
        assert_true(features_recv(stream, reply));
    }
    return oyez_stream_finish(stream, NULL);
}

static const char *const three[] = { "a", "bb", "", NULL };

static void stream_client(void **state)
{
    teller client = { .name = "c" };
    (void)state;
    start(NULL, &client);
    assert_int_equal(chat(three), OYEZ_OK);
    features_expect(&bench, "c.begin(/f.S/Chat chat) c.out_headers() c.out(1/6) c.in_headers() c.in(1/6) c.out(2/7) "
                            "c.in(2/7) c.out(0/5) c.in(0/5) c.in_trailers() c.end(OK) ");
    features_end(&bench);
}

static void stream_server(void **state)
{
    teller server = { .name = "s" };
    (void)state;
    start(&server, NULL);
    assert_int_equal(chat(three), OYEZ_OK);
    features_expect(&bench, "s.begin(/f.S/Chat chat) s.in_headers() s.in(1/6) s.out_headers() s.out(1/6) s.in(2/7) "
                            "s.out(2/7) s.in(0/5) s.out(0/5) s.out_trailers() s.end(OK) ");
    features_end(&bench);
}

static oyez_code not_found(features *self, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    (void)self;
    (void)request;
    (void)reply;
    return oyez_server_call_fail(call, OYEZ_NOT_FOUND, "no");
}

/* An answer of trailers alone has no in_headers. */
static void trailers_alone(void **state)
{
    teller client = { .name = "c" };
    (void)state;
    bench.unary = not_found;
    start(NULL, &client);
    features_expect_end(features_call(&bench, &features_unary, "", NULL), OYEZ_NOT_FOUND, "no");
    features_expect(&bench, "c.begin(/f.S/Unary) c.out_headers() c.out(0/5) c.in_trailers() c.end(NOT_FOUND) ");
    features_end(&bench);
}

static void unknown_method(void **state)
{
    teller server = { .name = "s" };
    (void)state;
    start(&server, NULL);
    features_expect_end(features_call(&bench, &features_unknown, "", NULL), OYEZ_UNIMPLEMENTED, "unknown method");
    features_expect(&bench, "s.begin(/f.S/Unknown) s.in_headers() s.out_trailers() s.end(UNIMPLEMENTED) ");
    features_end(&bench);
}

static void never_connected(void **state)
{
    teller client = { .name = "c", .tells_connections = true };
    const oyez_stats_handler handler = handler_of(&client);
    const oyez_stats_handler *list[] = { &handler };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .stats_handlers = list, .stats_handler_count = 1 };
    uint16_t port;
    int listener = raw_listen(&port);
    (void)state;
    (void)close(listener);
    features_start_client(&bench, &options, port);
    features_expect_end(features_call(&bench, &features_unary, "", NULL), OYEZ_UNAVAILABLE, "refused");
    features_expect(&bench, "c.begin(/f.S/Unary) c.end(UNAVAILABLE) ");
    features_end(&bench);
}

static void sent_again(void **state)
{
    teller client = { .name = "c" };
    const oyez_stats_handler handler = handler_of(&client);
    const oyez_stats_handler *list[] = { &handler };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .stats_handlers = list, .stats_handler_count = 1 };
    const oyez_call_options patience = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };
    oyez_stream *stream;
    uint16_t port;
    int listener = raw_listen(&port);
    (void)state;
    features_start_client(&bench, &options, port);
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &patience, NULL, NULL, NULL, NULL, &stream));
    raw_peer *server = raw_server(listener, 0);
    raw_stream *attempt = raw_await_request(server);
    raw_rst(server, attempt->id, OY_H2_REFUSED_STREAM);
    attempt = raw_await_request(server);
    raw_respond(server, attempt->id);
    raw_status(server, attempt->id, "0", NULL);
    (void)oyez_stream_finish(stream, NULL);
    features_expect(&bench, "c.begin(/f.S/Chat chat) c.out_headers() c.end(UNAVAILABLE) "
                            "c.begin(/f.S/Chat chat again) c.out_headers() c.in_headers() c.in_trailers() c.end(OK) ");
    raw_close(server);
    features_end(&bench);
    (void)close(listener);
}

static oyez_code wait_for_end(features *self, oyez_server_call *call, oyez_stream *stream)
{
    (void)self;
    (void)stream;
    FEATURES_UNTIL(oyez_server_call_is_cancelled(call));
    return oyez_server_call_fail(call, OYEZ_ABORTED, "too late to be heard");
}

/* Each side says how the call ended for it. */
static void cancelled(void **state)
{
    teller server = { .name = "s" }, client = { .name = "c" };
    oyez_stream *stream;
    (void)state;
    bench.chat = wait_for_end;
    for (unsigned i = 0; i < 2; i++) {
        bench.chat = wait_for_end;
        start(i ? &server : NULL, i ? NULL : &client);
        assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, NULL, NULL, NULL, NULL, NULL, &stream));
        FEATURES_UNTIL(atomic_load(&bench.handled) == 1);
        oyez_stream_cancel(stream);
        assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_CANCELLED);
        features_expect(&bench, i ? "s.begin(/f.S/Chat chat) s.in_headers() s.end(CANCELLED) "
                                  : "c.begin(/f.S/Chat chat) c.out_headers() c.end(CANCELLED) ");
        features_end(&bench);
    }
}

/* Several in order, each with tags of its own; one that wants nothing is no hindrance. */
static void several(void **state)
{
    teller one = { .name = "1", .tells_connections = true }, two = { .name = "2", .tells_connections = true };
    const oyez_stats_handler first = handler_of(&one), second = handler_of(&two);
    const oyez_stats_handler nothing = { OYEZ_STATS_HANDLER_INIT };
    const oyez_stats_handler *list[] = { &first, &nothing, &second };
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .stats_handlers = list, .stats_handler_count = 3 };
    (void)state;
    features_start(&bench, &options, NULL);
    features_expect_end(features_call(&bench, &features_unary, "x", NULL), OYEZ_OK, "");
    features_expect(&bench, "1.conn(server) 2.conn(server) 1.begin(/f.S/Unary) 2.begin(/f.S/Unary) 1.in_headers() "
                            "2.in_headers() 1.in(1/6) 2.in(1/6) 1.out_headers() 2.out_headers() 1.out(1/6) 2.out(1/6) "
                            "1.out_trailers() 2.out_trailers() 1.end(OK) 2.end(OK) ");
    bench.channel = oyez_channel_unref(bench.channel);
    features_expect(&bench, "1.conn_end 2.conn_end ");
    features_end(&bench);
}

static void connections_of_a_channel(void **state)
{
    teller client = { .name = "c", .tells_connections = true };
    (void)state;
    start(NULL, &client);
    features_expect_end(features_call(&bench, &features_unary, "x", NULL), OYEZ_OK, "");
    features_expect(&bench, "c.begin(/f.S/Unary) c.conn(client) c.out_headers() c.out(1/6) c.in_headers() c.in(1/6) "
                            "c.in_trailers() c.end(OK) ");
    bench.server = oyez_server_unref(bench.server);
    features_expect(&bench, "c.conn_end ");
    features_end(&bench);
}

OY_TEST_GROUP(e2e_features_stats, oy_leak_test(unary_client), oy_leak_test(unary_server), oy_leak_test(stream_client),
              oy_leak_test(stream_server), oy_leak_test(trailers_alone), oy_leak_test(unknown_method),
              oy_leak_test(never_connected), oy_leak_test(sent_again), oy_leak_test(cancelled), oy_leak_test(several),
              oy_leak_test(connections_of_a_channel));

/* SPDX-License-Identifier: Apache-2.0 */
/* What the library says to a program that uses it wrongly: each mistake has an error whose sentence tells what to do, or
 * words in the place that docs/errors.md names; and none of them crashes. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chat.oyez.h"
#include "client_support.h"
#include "e2e_server.h"
#include "helloworld.oyez.h"
#include "life_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

static oyez_runtime *runtime;
static life_log lines;

static int setup(void **state)
{
    const oyez_runtime_options options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    oy_leak_setup(state);
    life_log_init(&lines);
    return oyez_runtime_new(&options, &runtime);
}

static int teardown(void **state)
{
    runtime = client_end_runtime(runtime);
    return oy_leak_teardown(state);
}

#define with_runtime(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static void expect_line(const char *words)
{
    if (life_log_count(&lines, words) != 1)
        fail_msg("%u lines of the log have \"%s\" instead of one", life_log_count(&lines, words), words);
}

/* --- channels and calls ------------------------------------------------------------------------------------------ */

static oyez_channel *logging_channel(void)
{
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime, .log = life_log_sink(&lines) };
    oyez_channel *channel = NULL;
    assert_ok(oyez_channel_new("ipv4:127.0.0.1:1", oyez_insecure(), &options, &channel));
    return channel;
}

static void options_of_a_channel(void **state)
{
    oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime, .log = life_log_sink(&lines) };
    oyez_channel *channel = NULL;
    (void)state;
    assert_err(oyez_channel_new("x:1", NULL, NULL, &channel), OYEZ_ECREDENTIALS);
    e2e_expect_words(oyez_strerror(OYEZ_ECREDENTIALS), "oyez_insecure()");
    assert_err(oyez_channel_new("x:1", NULL, &options, &channel), OYEZ_ECREDENTIALS);
    expect_line("channel: credentials are required");
    assert_err(oyez_channel_new(NULL, oyez_insecure(), &options, &channel), OYEZ_ENULL);
    expect_line("channel: expected a target, got NULL");
    assert_err(oyez_channel_new("http://x", oyez_insecure(), &options, &channel), OYEZ_ETARGET);
    expect_line("expected one of the schemes dns");
    assert_err(oyez_channel_new("x:1", oyez_insecure(), &options, NULL), OYEZ_ENULL);
    options.size = 0;
    assert_err(oyez_channel_new("x:1", oyez_insecure(), &options, &channel), OYEZ_ESIZE);
    e2e_expect_words(oyez_strerror(OYEZ_ESIZE), "_INIT");
    assert_null(channel);
}

static void expect_status(oyez_channel *channel, const oyez_method *method, const oyez_call_options *options,
                          const void *request, const char *words)
{
    oyez_status status = OYEZ_STATUS_INIT;
    assert_int_equal(oyez_unary_call(channel, method, NULL, options, request, NULL, &status), OYEZ_INTERNAL);
    e2e_expect_words(status.message, "the call could not be started: ");
    e2e_expect_words(status.message, words);
    oyez_status_fini(&status);
}

static void never(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    (void)call;
    (void)status;
    (void)reply;
    (void)user;
    abort();
}

static const oyez_method no_slash = { OYEZ_METHOD_INIT, .path = "pkg.Svc/Echo" };

static void calls_that_cannot_be_started(void **state)
{
    const oyez_slice empty = OYEZ_SLICE_INIT;
    const oyez_call_options bare = { .timeout = OYEZ_SECOND };
    oyez_channel *channel = logging_channel();
    (void)state;
    expect_status(NULL, &life_echo, NULL, &empty, "the channel is NULL (of a stub: its .channel)");
    expect_status(channel, NULL, NULL, &empty, "the method is NULL");
    expect_status(channel, &life_echo, NULL, NULL, "the request is NULL");
    expect_status(channel, &no_slash, NULL, &empty, "/service/method");
    expect_status(channel, &life_chat, NULL, &empty, "oyez_stream_start is for those");
    expect_status(channel, &life_echo, &bare, &empty, "OYEZ_..._INIT");
    assert_int_equal(life_log_count(&lines, "could not be started"), 0); /* the statuses have said it */
    oyez_channel_unref(channel);
}

/* Where there is an error alone, the words are in the channel's log. */
static void async_calls_that_cannot_be_started(void **state)
{
    const oyez_slice empty = OYEZ_SLICE_INIT;
    oyez_channel *channel = logging_channel();
    oyez_stream *stream = NULL;
    (void)state;
    assert_err(oyez_unary_call_async(NULL, &life_echo, NULL, NULL, &empty, never, NULL, NULL), OYEZ_ENULL);
    assert_err(oyez_unary_call_async(channel, &no_slash, NULL, NULL, &empty, never, NULL, NULL), OYEZ_EPATH);
    expect_line("a call of pkg.Svc/Echo could not be started: the path of a method is not /service/method");
    assert_err(oyez_unary_call_async(channel, &life_echo, NULL, NULL, &empty, NULL, NULL, NULL), OYEZ_ENULL);
    expect_line("the callback is NULL");
    assert_err(oyez_stream_start(NULL, &life_chat, NULL, NULL, NULL, NULL, NULL, NULL, &stream), OYEZ_ENULL);
    assert_err(oyez_stream_start(channel, &life_chat, NULL, NULL, NULL, NULL, NULL, NULL, NULL), OYEZ_ENULL);
    expect_line("the place for the stream is NULL");
    assert_err(oyez_stream_start(channel, &life_chat, NULL, NULL, &empty, NULL, NULL, NULL, &stream), OYEZ_EINVAL);
    expect_line("expected no request");
    assert_err(oyez_stream_start(channel, &life_download, NULL, NULL, NULL, NULL, NULL, NULL, &stream), OYEZ_ENULL);
    expect_line("the request is NULL");
    assert_err(oyez_stream_start(channel, &life_echo, NULL, NULL, &empty, NULL, NULL, NULL, &stream), OYEZ_EINVAL);
    expect_line("oyez_unary_call is for those");
    assert_null(stream);
    oyez_channel_unref(channel);
}

static void a_stream_that_is_null(void **state)
{
    const void *message = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    assert_false(oyez_stream_send(NULL, &message));
    assert_false(oyez_stream_recv(NULL, &message));
    assert_false(oyez_stream_wait_headers(NULL));
    oyez_stream_close_send(NULL);
    oyez_stream_request(NULL, 1);
    oyez_stream_cancel(NULL);
    oyez_stream_listen(NULL, NULL, NULL, NULL);
    assert_null(oyez_stream_table(NULL));
    assert_null(oyez_stream_server_call(NULL));
    assert_null(oyez_stream_ref(NULL));
    assert_null(oyez_stream_unref(NULL));
    assert_int_equal(oyez_stream_finish(NULL, &status), OYEZ_INTERNAL);
    e2e_expect_words(status.message, "the stream is NULL");
    oyez_status_fini(&status);
}

/* --- runtimes and servers ---------------------------------------------------------------------------------------- */

static void options_of_runtimes_and_servers(void **state)
{
    oyez_runtime_options of_runtime = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = OYEZ_LIMIT_LOOPS + 1,
                                        .log = life_log_sink(&lines) };
    oyez_server_options of_server = { OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime, .stream_window_bytes = 1,
                                      .log = life_log_sink(&lines) };
    oyez_runtime *none = NULL;
    oyez_server *server = NULL;
    (void)state;
    assert_err(oyez_runtime_new(&of_runtime, &none), OYEZ_EINVAL);
    expect_line("runtime options: loops: expected 1 to 64");
    assert_err(oyez_runtime_new(NULL, NULL), OYEZ_ENULL);
    of_runtime.size = 0;
    assert_err(oyez_runtime_new(&of_runtime, &none), OYEZ_ESIZE);
    assert_err(oyez_server_new(&of_server, &server), OYEZ_EINVAL);
    expect_line("server options: stream_window_bytes: expected 65,535");
    assert_err(oyez_server_new(&of_server, NULL), OYEZ_ENULL);
    of_server.size = 0;
    assert_err(oyez_server_new(&of_server, &server), OYEZ_ESIZE);
    assert_null(none);
    assert_null(server);
}

static oyez_server *logging_server(void)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime, .log = life_log_sink(&lines) };
    oyez_server *server = NULL;
    assert_ok(oyez_server_new(&options, &server));
    return server;
}

static void expect_refused(oyez_server *server, oyez_err err, oyez_err expected, const char *words)
{
    char line[512];
    assert_err(err, expected);
    e2e_expect_words(oyez_server_words(server), words);
    snprintf(line, sizeof(line), "server: %s", oyez_server_words(server));
    expect_line(line);
}

static void a_server_without_its_arguments(void **state)
{
    oyez_server *server = logging_server();
    (void)state;
    assert_err(oyez_server_register(NULL, NULL), OYEZ_ENULL);
    expect_refused(server, oyez_server_register(server, NULL), OYEZ_ENULL, "expected a service, got NULL");
    assert_err(oyez_server_listen(NULL, ":0", oyez_insecure(), NULL), OYEZ_ENULL);
    expect_refused(server, oyez_server_listen(server, NULL, oyez_insecure(), NULL), OYEZ_ENULL, "expected an address");
    expect_refused(server, oyez_server_listen(server, ":0", NULL, NULL), OYEZ_ECREDENTIALS, "oyez_insecure()");
    expect_refused(server, oyez_server_listen_fd(server, -1, oyez_insecure()), OYEZ_EINVAL, "expected a descriptor, got -1");
    assert_err(oyez_server_start(NULL), OYEZ_ENULL);
    assert_err(oyez_server_serve(NULL), OYEZ_ENULL);
    assert_err(oyez_server_wait(NULL, 0), OYEZ_ENULL);
    oyez_server_stop(NULL);
    oyez_server_graceful_stop(NULL, 0);
    assert_string_equal(oyez_server_words(NULL), "");
    oyez_server_unref(server);
}

static oyez_code unary(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    (void)service;
    (void)self;
    (void)call;
    (void)request;
    (void)reply;
    return OYEZ_OK;
}

static void unary_async(const void *service, void *self, oyez_server_call *call, const void *request)
{
    (void)service;
    (void)self;
    (void)request;
    oyez_server_call_finish(call, OYEZ_OK);
}

static oyez_code streaming(const void *service, void *self, oyez_server_call *call, const void *request,
                           oyez_stream *stream, void *reply)
{
    (void)stream;
    return unary(service, self, call, request, reply);
}

/* The words name the method. */
static void tables_that_cannot_be(void **state)
{
    const oyez_service_method both = { &life_echo, .unary = unary, .unary_async = unary_async };
    const oyez_service_method on_loop = { &life_chat, .stream = streaming };
    const oyez_service_method shape = { &life_chat, .unary = unary };
    const oyez_service_method nobodys = { .unary = unary };
    oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "life.Test", .methods = &both, .method_count = 1 };
    oyez_server *server = logging_server();
    (void)state;
    expect_refused(server, oyez_server_register(server, &desc), OYEZ_EINVAL,
                   "service life.Test: /life.Test/Echo: it has a blocking and an async handler");
    desc.methods = &shape;
    expect_refused(server, oyez_server_register(server, &desc), OYEZ_EINVAL,
                   "/life.Test/Chat: it is a streaming method, and has a unary handler");
    desc.methods = &nobodys;
    expect_refused(server, oyez_server_register(server, &desc), OYEZ_EINVAL, "a method that is NULL: ");
    desc.methods = &on_loop;
    desc.on_loop = true;
    expect_refused(server, oyez_server_register(server, &desc), OYEZ_EINVAL,
                   "/life.Test/Chat: the service says on_loop, where a blocking handler of a stream would stop the loop");
    desc.methods = NULL;
    expect_refused(server, oyez_server_register(server, &desc), OYEZ_ENULL, "service life.Test: its methods are NULL");
    desc.name = "";
    expect_refused(server, oyez_server_register(server, &desc), OYEZ_EINVAL, "its name is NULL or empty");
    oyez_server_unref(server);
}

/* As with gRPC-Go (ErrServerStopped), whoever comes too late. */
static void started_after_its_stop(void **state)
{
    oyez_server *server = logging_server();
    (void)state;
    oyez_server_stop(server);
    assert_err(oyez_server_start(server), OYEZ_ESTOPPED);
    e2e_expect_words(oyez_server_words(server), "the server has been stopped");
    assert_err(oyez_server_serve(server), OYEZ_ESTOPPED);
    assert_err(oyez_server_listen(server, ":0", oyez_insecure(), NULL), OYEZ_ESTOPPED);
    oyez_server_unref(server);
    server = logging_server();
    assert_ok(oyez_server_start(server));
    oyez_server_graceful_stop(server, OYEZ_SECOND);
    assert_err(oyez_server_serve(server), OYEZ_ESTOPPED);
    assert_ok(oyez_server_wait(server, 0)); /* it has waited, too */
    oyez_server_unref(server);
}

static void addresses_of_unix_sockets(void **state)
{
    char path[] = "/tmp/oyez-words-XXXXXX", address[64];
    oyez_server *server = logging_server();
    uint16_t port = 7;
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    (void)close(fd);
    snprintf(address, sizeof(address), "unix:%s", path);
    expect_refused(server, oyez_server_listen(server, address, oyez_insecure(), NULL), OYEZ_EADDRINUSE,
                   "a file that is not an old socket is in the way");
    assert_null(strstr(oyez_server_words(server), "port"));
    assert_int_equal(unlink(path), 0);
    expect_refused(server, oyez_server_listen(server, "unix:/no/such/dir/x", oyez_insecure(), NULL), OYEZ_ENOENT,
                   "the directory of the socket has to be there");
    assert_ok(oyez_server_listen(server, address, oyez_insecure(), &port));
    assert_int_equal(port, 0);
    assert_ok(oyez_server_listen(server, ":0", oyez_insecure(), &port));
    assert_true(port > 0);
    oyez_server_unref(server);
}

/* --- generated code ---------------------------------------------------------------------------------------------- */

static void never_helloworld(oyez_call *call, const oyez_status *status, const Helloworld__HelloReply *reply, void *user)
{
    never(call, status, reply, user);
}

static void generated_functions(void **state)
{
    const Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    const Chat__Line line = CHAT__LINE__INIT;
    const Chat__Line *heard = NULL;
    const helloworld_greeter_stub greeter = { .channel = NULL };
    const chat_room_stub chat = { .channel = NULL };
    chat_room_join_stream room = { .base = NULL };
    oyez_server *server = logging_server();
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    expect_refused(server, helloworld_greeter_service_register(server, NULL, NULL), OYEZ_ENULL, "expected a service, got NULL");
    assert_err(chat_room_service_register(NULL, NULL, NULL), OYEZ_ENULL);
    oyez_server_unref(server);
    assert_int_equal(helloworld_greeter_say_hello(greeter, NULL, &req, NULL, &status), OYEZ_INTERNAL);
    e2e_expect_words(status.message, "the channel is NULL (of a stub: its .channel)");
    assert_int_equal(helloworld_greeter_say_hello(greeter, NULL, NULL, NULL, NULL), OYEZ_INTERNAL);
    assert_err(helloworld_greeter_say_hello_async(greeter, NULL, &req, never_helloworld, NULL, NULL), OYEZ_ENULL);
    assert_err(chat_room_join(chat, NULL, &room), OYEZ_ENULL);
    assert_err(chat_room_join(chat, NULL, NULL), OYEZ_ENULL);
    assert_err(chat_room_join_async(chat, NULL, NULL, NULL, &room), OYEZ_ENULL);
    /* Whoever goes on with a stream that was never started learns it from finish. */
    assert_null(room.base);
    assert_false(chat_room_join_send(room, &line));
    assert_false(chat_room_join_recv(room, &heard));
    chat_room_join_close_send(room);
    assert_int_equal(oyez_stream_finish(room.base, &status), OYEZ_INTERNAL);
    oyez_status_fini(&status);
}

/* --- what comes to a server ---------------------------------------------------------------------------------------- */

static void clients_of_something_else(void **state)
{
    static const struct {
        const char *greeting, *words;
        size_t len;
    } tries[] = {
        { "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "it sent an HTTP/1 request", 27 },
        { "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "the peer speaks TLS, and this side does not", 11 },
        { "SSH-2.0-OpenSSH_9.2\r\n", "did not begin with the HTTP/2 preface", 21 },
    };
    oyez_log log = life_log_sink(&lines);
    log.level = OYEZ_LOG_WARNING;
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime, .log = log };
    e2e_server *server = e2e_serve(&options);
    (void)state;
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        raw_peer *p = raw_connect(server->port);
        assert_true(raw_send(p, tries[i].greeting, tries[i].len));
        raw_expect_goaway(p, OY_H2_PROTOCOL_ERROR);
        raw_close(p);
        E2E_UNTIL(life_log_count(&lines, tries[i].words) == 1);
    }
    raw_close(raw_connect(server->port)); /* a probe that only connects is no reason to speak */
    e2e_expect_serves(server);
    assert_int_equal(life_log_count(&lines, "a client is sent away: 127.0.0.1:"), 3);
    e2e_end(server);
}

OY_TEST_GROUP(e2e_words, with_runtime(options_of_a_channel), with_runtime(calls_that_cannot_be_started),
              with_runtime(async_calls_that_cannot_be_started), with_runtime(a_stream_that_is_null),
              with_runtime(options_of_runtimes_and_servers), with_runtime(a_server_without_its_arguments),
              with_runtime(tables_that_cannot_be), with_runtime(started_after_its_stop),
              with_runtime(addresses_of_unix_sockets), with_runtime(clients_of_something_else),
              with_runtime(generated_functions));

/* SPDX-License-Identifier: Apache-2.0 */
/* Beginnings and ends: what waits in which memory, limits of connections, stops of both kinds, children of the process,
 * runtimes side by side and without threads. */
#include "e2e_server.h"
#include "support/leak.h"
#include "support/test.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1024 * 1024)

/* --- the request's bytes go back right after decoding ------------------------------------------------------------ */

static void expect_balance(oyez_pool *pool, const char *when, size_t size)
{
    oyez_pool_stats stats;
    int64_t limit = raw_limit_from_now();
    do {
        oyez_pool_get_stats(pool, &stats);
        if (stats.gets == stats.puts)
            return;
        raw_sleep_ms(1);
    } while (oyez_now() < limit);
    fail_msg("%s, %zu bytes: %d blocks are out", when, size, (int)(stats.gets - stats.puts));
}

/* The codec of this method looks at the request and keeps nothing of it, as protobuf-c's does. */

static oyez_err count_decode(const void *type, const oyez_slice *bytes, oyez_arena *arena, oyez_pool *pool,
                             void **ret_message, const char **ret_words)
{
    size_t *message = arena ? oyez_arena_alloc(arena, sizeof(*message)) : malloc(sizeof(*message));
    (void)type;
    (void)pool;
    (void)ret_words;
    if (!message)
        return OYEZ_ENOMEM;
    *message = bytes->len;
    *ret_message = message;
    return OYEZ_NO_ERR;
}

static const oyez_codec *counting(void)
{
    static oyez_codec codec;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!codec.size) {
        codec = *oyez_bytes();
        codec.decode = count_decode;
        codec.release = NULL;
    }
    pthread_mutex_unlock(&lock);
    return &codec;
}

typedef struct keeper {
    _Atomic(bool) gate;
    _Atomic(unsigned) running;
    _Atomic(size_t) got;
    pthread_mutex_t lock;
    oyez_server_call *later; /* guarded by lock */
} keeper;

static oyez_code keep_open(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    keeper *k = self;
    (void)service;
    (void)call;
    (void)reply;
    k->got = *(const size_t *)request;
    k->running++;
    while (!k->gate)
        raw_sleep_ms(1);
    k->running--;
    return OYEZ_OK;
}

static void keep_for_later(const void *service, void *self, oyez_server_call *call, const void *request)
{
    keeper *k = self;
    (void)service;
    k->got = *(const size_t *)request;
    pthread_mutex_lock(&k->lock);
    k->later = call;
    pthread_mutex_unlock(&k->lock);
    k->running++;
}

static oyez_code deny(void *self, oyez_server_call *call)
{
    keeper *k = self;
    oyez_str path = oyez_server_call_path(call);
    if (path.data[path.len - 1] != '3')
        return OYEZ_OK;
    k->running++;
    while (!k->gate)
        raw_sleep_ms(1);
    k->running--;
    return oyez_server_call_fail(call, OYEZ_PERMISSION_DENIED, "no");
}

static const oyez_method keep_methods[] = {
    { OYEZ_METHOD_INIT, .path = "/test.Keep/M1", .codec = counting },
    { OYEZ_METHOD_INIT, .path = "/test.Keep/M2", .codec = counting },
    { OYEZ_METHOD_INIT, .path = "/test.Keep/M3", .codec = counting },
};

typedef struct keep_stage {
    keeper k;
    oyez_runtime *runtime;
    oyez_pool *pool;
    oyez_server *server;
    uint16_t port;
} keep_stage;

static void open_keep(keep_stage *s, bool on_loop)
{
    const oyez_service_method methods[] = {
        { .method = &keep_methods[0], .unary = keep_open },
        { .method = &keep_methods[1], .unary_async = keep_for_later },
        { .method = &keep_methods[2], .unary = keep_open },
    };
    const oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "test.Keep", .methods = methods, .method_count = 3,
                                     .self = &s->k, .on_loop = on_loop };
    const oyez_server_interceptor interceptor = { OYEZ_SERVER_INTERCEPTOR_INIT, .self = &s->k, .begin = deny };
    const oyez_server_interceptor *interceptors[] = { &interceptor };
    const oyez_runtime_options runtime_options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    /* Also what is small comes from the pool, so that it counts. */
    const oyez_pool_options pool_options = { OYEZ_POOL_OPTIONS_INIT, .pooling_threshold = 1 };
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .interceptors = interceptors, .interceptor_count = 1,
                                    .keepalive_min_time = 1, .keepalive_permit_without_calls = true };
    memset(s, 0, sizeof(*s));
    pthread_mutex_init(&s->k.lock, NULL);
    assert_ok(oyez_runtime_new(&runtime_options, &s->runtime));
    assert_ok(oyez_pool_new(&pool_options, &s->pool));
    options.runtime = s->runtime;
    options.pool = s->pool;
    assert_ok(oyez_server_new(&options, &s->server));
    assert_ok(oyez_server_register(s->server, &desc));
    assert_ok(oyez_server_listen(s->server, "127.0.0.1:0", oyez_insecure(), &s->port));
    assert_ok(oyez_server_start(s->server));
}

static void close_keep(keep_stage *s)
{
    s->k.gate = true;
    oyez_server_unref(s->server);
    expect_balance(s->pool, "at the end", 0);
    oyez_pool_unref(s->pool);
    oyez_runtime_unref(s->runtime);
    pthread_mutex_destroy(&s->k.lock);
}

static const size_t keep_sizes[] = { 0, 1, 100, 5000, 100 * 1024, 1024 * 1024 };
#define KEEP_SIZES (sizeof(keep_sizes) / sizeof(keep_sizes[0]))

/* While a handler sleeps nothing of its request is in any block of the pool. */
static void a_handler_that_waits_holds_no_wire_bytes(void **state)
{
    keep_stage s;
    uint8_t *bytes = test_calloc(1, MIB);
    (void)state;
    open_keep(&s, false);
    raw_peer *p = raw_client(s.port);
    uint32_t id = 1;
    for (size_t i = 0; i < KEEP_SIZES; i++, id += 2) {
        s.k.gate = false;
        raw_request(p, id, "/test.Keep/M1");
        raw_upload(p, id, bytes, keep_sizes[i], RAW_END, 10000);
        E2E_UNTIL(s.k.running == 1);
        assert_int_equal(s.k.got, keep_sizes[i]);
        expect_balance(s.pool, "in a blocking handler", keep_sizes[i]);
        s.k.gate = true;
        raw_expect_ok(p, id, "", 0);
    }
    for (size_t i = 0; i < KEEP_SIZES; i++, id += 2) {
        s.k.running = 0;
        raw_request(p, id, "/test.Keep/M2");
        raw_upload(p, id, bytes, keep_sizes[i], RAW_END, 10000);
        E2E_UNTIL(s.k.running == 1);
        assert_int_equal(s.k.got, keep_sizes[i]);
        expect_balance(s.pool, "in an async handler", keep_sizes[i]);
        const oyez_slice reply = OYEZ_SLICE_INIT;
        oyez_server_call_reply(s.k.later, &reply);
        raw_expect_ok(p, id, "", 0);
    }
    raw_close(p);
    test_free(bytes);
    close_keep(&s);
}

/* Nobody decodes: an interceptor refuses, the call is cancelled in the queue or before it is complete, the path is
 * unknown. The bytes go back all the same, once. */
static void what_is_never_decoded_goes_back_too(void **state)
{
    keep_stage s;
    uint8_t *bytes = test_calloc(1, MIB);
    (void)state;
    open_keep(&s, false);
    raw_peer *p = raw_client(s.port);
    uint32_t id = 1;
    for (size_t i = 0; i < KEEP_SIZES; i++) {
        s.k.gate = true;
        s.k.running = 0;
        raw_request(p, id, "/test.Keep/M3"); /* denied */
        raw_upload(p, id, bytes, keep_sizes[i], RAW_END, 10000);
        (void)raw_expect_status(p, id, OYEZ_PERMISSION_DENIED);
        expect_balance(s.pool, "denied", keep_sizes[i]);
        id += 2;
        raw_request(p, id, "/test.Keep/None"); /* unknown */
        raw_upload(p, id, bytes, keep_sizes[i], RAW_END, 1000);
        (void)raw_expect_status(p, id, OYEZ_UNIMPLEMENTED);
        expect_balance(s.pool, "unknown", keep_sizes[i]);
        id += 2;
        raw_request(p, id, "/test.Keep/M1"); /* complete but for the end of the stream, then reset */
        raw_upload(p, id, bytes, keep_sizes[i], 0, 10000);
        raw_rst(p, id, OY_H2_CANCEL);
        raw_sync(p);
        expect_balance(s.pool, "reset", keep_sizes[i]);
        id += 2;
        raw_request(p, id, "/test.Keep/M1"); /* half of it */
        raw_send_frame(p, OY_H2_FRAME_DATA, RAW_END, id, "\0\0\x20\0\0abc", 8);
        (void)raw_expect_status(p, id, OYEZ_INTERNAL);
        expect_balance(s.pool, "cut", keep_sizes[i]);
        id += 2;
        raw_request(p, id, "/test.Keep/M1"); /* one too many */
        raw_upload(p, id, bytes, keep_sizes[i], 0, 10000);
        raw_upload(p, id, bytes, 10, RAW_END, 10000);
        (void)raw_expect_status(p, id, OYEZ_UNIMPLEMENTED);
        expect_balance(s.pool, "two messages", keep_sizes[i]);
        id += 2;
    }
    /* The connection is lost in the middle. */
    raw_request(p, id, "/test.Keep/M1");
    raw_upload(p, id, bytes, 200000, 0, 10000);
    raw_abort(p);
    expect_balance(s.pool, "lost", 200000);
    test_free(bytes);
    close_keep(&s);
}

/* --- limits of connections --------------------------------------------------------------------------------------- */

static void further_connections_are_closed(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_connections = 2 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *a = raw_client(server->port), *b = raw_client(server->port);
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        raw_peer *c = raw_connect(server->port);
        raw_await_close(c);
        raw_close(c);
    }
    e2e_expect_serves_on(a, 1);
    e2e_expect_serves_on(b, 1);
    raw_close(a);
    /* A place is free as soon as the server has seen that. */
    int64_t limit = raw_limit_from_now();
    bool served = false;
    while (!served && oyez_now() < limit) {
        raw_peer *c = raw_connect(server->port);
        h2_bytes hello = { 0 };
        h2_put_hello(&hello);
        (void)raw_send(c, hello.data, hello.len);
        served = RAW_UNTIL(c, c->settings_acks > 0);
        if (served)
            e2e_expect_serves_on(c, 1);
        h2_bytes_free(&hello);
        raw_close(c);
    }
    assert_true(served);
    raw_close(b);
    e2e_end(server);
}

static void a_handshake_that_takes_too_long_is_ended(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .handshake_timeout = 100 * OYEZ_MILLISECOND };
    e2e_server *server = e2e_serve(&options);
    raw_peer *idle = raw_client(server->port);
    raw_peer *silent = raw_connect(server->port), *slow = raw_connect(server->port), *half = raw_connect(server->port);
    (void)state;
    assert_true(raw_send(slow, OY_H2_PREFACE, 10));
    assert_true(raw_send(half, OY_H2_PREFACE, OY_H2_PREFACE_BYTES));
    raw_await_close(silent);
    raw_await_close(slow);
    raw_await_close(half);
    raw_close(silent);
    raw_close(slow);
    raw_close(half);
    /* Who has greeted may be silent for as long as he likes. */
    raw_sleep_ms(150);
    e2e_expect_serves_on(idle, 1);
    raw_close(idle);
    e2e_end(server);
}

/* --- stop -------------------------------------------------------------------------------------------------------- */

static void stop_with_calls_under_way(void **state)
{
    enum { CALLS = 20 };
    static e2e_call calls[CALLS];
    e2e_server *server = e2e_serve(NULL);
    oyez_channel *channel = e2e_channel(NULL, server->port);
    (void)state;
    for (unsigned i = 0; i < CALLS; i++)
        e2e_call_start(&calls[i], channel, i % 2 ? "/pkg.Svc/Hold" : "/pkg.Loop/Later", "q", 1, NULL);
    e2e_await_handled(server, CALLS);
    oyez_server_stop(server->server);
    for (unsigned i = 0; i < CALLS; i++) {
        e2e_call_await(&calls[i]);
        e2e_expect_code(&calls[i], OYEZ_UNAVAILABLE);
        e2e_call_free(&calls[i]);
    }
    /* The handlers that block have heard of it; those that answer later keep the stop waiting. */
    E2E_UNTIL(server->cancelled == CALLS / 2);
    assert_err(oyez_server_wait(server->server, 20 * OYEZ_MILLISECOND), OYEZ_ETIMEDOUT);
    for (unsigned i = 0; i < CALLS / 2; i++)
        e2e_answer_later(server);
    assert_ok(oyez_server_wait(server->server, 10 * OYEZ_SECOND));
    assert_ok(oyez_server_wait(server->server, 0)); /* over is over */
    oyez_channel_unref(channel);
    e2e_end(server);
}

static void stopping_twice_and_before_the_start(void **state)
{
    oyez_server *server = NULL;
    (void)state;
    assert_ok(oyez_server_new(NULL, &server));
    assert_ok(oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), NULL));
    oyez_server_stop(server);
    oyez_server_graceful_stop(server, OYEZ_FOREVER);
    oyez_server_stop(server);
    assert_ok(oyez_server_wait(server, 10 * OYEZ_SECOND));
    assert_err(oyez_server_start(server), OYEZ_ESTOPPED);
    assert_err(oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), NULL), OYEZ_ESTOPPED);
    oyez_server_unref(server);

    assert_ok(oyez_server_new(NULL, &server));
    oyez_server_unref(server);
}

/* GOAWAY with the highest id, a PING, and when it has come back GOAWAY with the last id; the calls end in peace. */
static void a_graceful_stop_as_a_client_sees_it(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_call(p, 1, "/pkg.Svc/Hold", "one", 3);
    raw_call(p, 3, "/pkg.Loop/Later", "two", 3);
    e2e_await_handled(server, 2);
    p->no_acks = true;
    oyez_server_graceful_stop(server->server, OYEZ_FOREVER);
    assert_true(RAW_UNTIL(p, p->went_away && p->pings == 1));
    assert_int_equal(p->goaway_last_id, OY_H2_MAX_STREAM_ID);
    assert_int_equal(p->goaway_code, OY_H2_NO_ERROR);
    /* A call that was on its way is still served. */
    raw_call(p, 5, "/pkg.Loop/Echo", "three", 5);
    raw_expect_ok(p, 5, "three", 5);
    RAW_SEND(p, PING, ACK, 0, "\1\6\1\x08\0\3\3\x09");
    assert_true(RAW_UNTIL(p, p->goaway_last_id == 5));
    /* One that comes after the last id is not: the client sends it elsewhere. */
    raw_call(p, 7, "/pkg.Loop/Echo", "four", 4);
    e2e_open_gate(server);
    e2e_answer_later(server);
    raw_expect_ok(p, 1, "one", 3);
    raw_expect_ok(p, 3, "/pkg.Loop/Later", 15);
    raw_await_close(p);
    assert_false(p->refused);
    const raw_stream *late = raw_find(p, 7);
    assert_true(!late || (!late->ended && !late->header_blocks));
    assert_ok(oyez_server_wait(server->server, 10 * OYEZ_SECOND));
    raw_close(p);
    e2e_end(server);
}

static void a_graceful_stop_with_idle_connections_is_short(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    oyez_channel *channel = e2e_channel(NULL, server->port);
    e2e_call call;
    (void)state;
    e2e_call_now(&call, channel, "/pkg.Loop/Echo", "q", 1, NULL);
    e2e_expect_code(&call, OYEZ_OK);
    e2e_call_free(&call);
    raw_peer *silent = raw_connect(server->port); /* has not even greeted */
    oyez_server_graceful_stop(server->server, OYEZ_FOREVER);
    assert_ok(oyez_server_wait(server->server, (oyez_duration)raw_patience_ms() * OYEZ_MILLISECOND));
    raw_await_close(silent);
    raw_close(silent);
    oyez_channel_unref(channel);
    e2e_end(server);
}

static void a_graceful_stop_has_a_limit(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    oyez_channel *channel = e2e_channel(NULL, server->port);
    e2e_call call;
    (void)state;
    e2e_call_start(&call, channel, "/pkg.Svc/Hold", "q", 1, NULL);
    e2e_await_handled(server, 1);
    oyez_server_graceful_stop(server->server, 50 * OYEZ_MILLISECOND);
    assert_ok(oyez_server_wait(server->server, (oyez_duration)raw_patience_ms() * OYEZ_MILLISECOND));
    assert_int_equal(server->cancelled, 1);
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_UNAVAILABLE);
    e2e_call_free(&call);
    oyez_channel_unref(channel);
    e2e_end(server);
}

/* Clients at full rate while the server ends gracefully, again and again: no call that it took is lost. */
typedef struct rate {
    oyez_channel *channel;
    _Atomic(bool) enough;
    _Atomic(unsigned) running, ok, unavailable, other;
    char words[256];
} rate;

static const oyez_method echo_method = { OYEZ_METHOD_INIT, .path = "/pkg.Svc/Echo" };
static void start_one(rate *r);

static void on_rate_done(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    rate *r = user;
    (void)call;
    (void)reply;
    if (status->code == OYEZ_OK)
        r->ok++;
    else if (status->code == OYEZ_UNAVAILABLE)
        r->unavailable++;
    else if (r->other++ == 0)
        snprintf(r->words, sizeof(r->words), "%s: %s", oyez_code_name(status->code), status->message);
    if (!r->enough && status->code == OYEZ_OK)
        start_one(r);
    r->running--;
}

static void start_one(rate *r)
{
    const oyez_slice request = OYEZ_SLICE_INIT;
    r->running++;
    if (oyez_unary_call_async(r->channel, &echo_method, NULL, NULL, &request, on_rate_done, r, NULL)) {
        r->running--;
        r->other++;
    }
}

static void no_call_is_lost_in_a_graceful_stop(void **state)
{
    enum { CLIENTS = 64, CALLS = 2, ROUNDS = 50, ROUNDS_SANITIZED = 20 };
    const unsigned rounds = raw_sanitized() ? ROUNDS_SANITIZED : ROUNDS;
    (void)state;
    for (unsigned round = 0; round < rounds; round++) {
        e2e_server *server = e2e_serve(NULL);
        static rate rates[CLIENTS];
        unsigned ok = 0;
        memset(rates, 0, sizeof(rates));
        for (unsigned i = 0; i < CLIENTS; i++) {
            rates[i].channel = e2e_channel(NULL, server->port);
            for (unsigned n = 0; n < CALLS; n++)
                start_one(&rates[i]);
        }
        e2e_await_handled(server, 200 + round * 20);
        oyez_server_graceful_stop(server->server, OYEZ_FOREVER);
        assert_ok(oyez_server_wait(server->server, (oyez_duration)raw_patience_ms() * OYEZ_MILLISECOND));
        for (unsigned i = 0; i < CLIENTS; i++) {
            rates[i].enough = true;
            E2E_UNTIL(rates[i].running == 0);
            assert_string_equal(rates[i].words, "");
            ok += rates[i].ok;
            oyez_channel_unref(rates[i].channel);
        }
        /* Each call whose handler ran was answered. */
        assert_int_equal(server->handled, ok);
        e2e_end(server);
    }
}

/* --- children of the process ------------------------------------------------------------------------------------- */

static int child_ends_with(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* The child has copies of everything; what it does with them must not reach the parent's connections. */
static void a_child_frees_everything_and_the_parent_goes_on(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    oyez_channel *channel = e2e_channel(server->runtime, server->port);
    raw_peer *p = raw_client(server->port);
    char path[64];
    e2e_call call, echo;
    (void)state;
    snprintf(path, sizeof(path), "unix:/tmp/oyez-fork-%d.sock", (int)getpid());
    e2e_listen(server, path);
    e2e_call_now(&echo, channel, "/pkg.Svc/Echo", "before", 6, NULL);
    e2e_expect_code(&echo, OYEZ_OK);
    e2e_call_free(&echo);
    e2e_call_start(&call, channel, "/pkg.Loop/Later", "q", 1, NULL);
    raw_call(p, 1, "/pkg.Loop/Later", "q", 1);
    e2e_await_later(server, 2);
    raw_sleep_ms(50); /* no thread holds a lock of the allocator's in the moment of the fork */

    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const oyez_slice request = OYEZ_SLICE_INIT;
        int bad = 0;
        if (oyez_unary_call(channel, &echo_method, NULL, NULL, &request, NULL, NULL) == OYEZ_OK)
            bad |= 1;
        if (oyez_unary_call_async(channel, &echo_method, NULL, NULL, &request, on_rate_done, NULL, NULL) != OYEZ_EFORK)
            bad |= 2;
        if (oyez_server_listen(server->server, "127.0.0.1:0", oyez_insecure(), NULL) != OYEZ_EFORK)
            bad |= 4;
        if (oyez_server_wait(server->server, 0) != OYEZ_EFORK)
            bad |= 8;
        oyez_server_stop(server->server);
        oyez_server_graceful_stop(server->server, 0);
        oyez_call_cancel(call.call);
        oyez_channel_close(channel);
        oyez_call_unref(call.call);
        oyez_channel_unref(channel);
        oyez_server_unref(server->server);
        oyez_runtime_unref(server->runtime);
        _exit(bad);
    }
    assert_int_equal(child_ends_with(child), 0);

    e2e_answer_later(server);
    e2e_answer_later(server);
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_OK);
    raw_expect_ok(p, 1, "/pkg.Loop/Later", 15);
    e2e_call_free(&call);
    e2e_expect_serves_on(p, 3);
    e2e_expect_serves(server);
    assert_int_equal(access(path + 5, F_OK), 0); /* the socket file is the parent's */
    raw_close(p);
    oyez_channel_unref(channel);
    e2e_end(server);
    assert_int_equal(access(path + 5, F_OK), -1);
}

/* A child that lives on, having freed its copies, holds nothing of the parent's open. */
static void a_child_keeps_no_connection_open(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    int to_child[2];
    char byte;
    (void)state;
    e2e_expect_serves_on(p, 1);
    assert_int_equal(pipe(to_child), 0);
    raw_sleep_ms(50); /* no thread holds a lock of the allocator's in the moment of the fork */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(to_child[1]);
        close(p->fd);
        oyez_server_unref(server->server);
        oyez_runtime_unref(server->runtime);
        (void)!read(to_child[0], &byte, 1); /* until the parent has looked */
        _exit(0);
    }
    close(to_child[0]);
    raw_sleep_ms(100);
    oyez_server_stop(server->server);
    raw_await_close(p); /* the child's copy of the socket would keep it open */
    close(to_child[1]);
    assert_int_equal(child_ends_with(child), 0);
    raw_close(p);
    e2e_end(server);
}

/* --- runtimes ---------------------------------------------------------------------------------------------------- */

static void two_runtimes_side_by_side(void **state)
{
    const oyez_runtime_options one = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1, .max_workers = 2 };
    oyez_runtime *a, *b;
    (void)state;
    assert_ok(oyez_runtime_new(&one, &a));
    assert_ok(oyez_runtime_new(&one, &b));
    const oyez_server_options in_a = { OYEZ_SERVER_OPTIONS_INIT, .runtime = a };
    const oyez_server_options in_b = { OYEZ_SERVER_OPTIONS_INIT, .runtime = b };
    e2e_server *server_a = e2e_serve(&in_a), *server_b = e2e_serve(&in_b);
    oyez_channel *a_to_b = e2e_channel(a, server_b->port), *b_to_a = e2e_channel(b, server_a->port);
    oyez_channel *a_to_a = e2e_channel(a, server_a->port);
    oyez_channel *channels[] = { a_to_b, b_to_a, a_to_a };
    for (unsigned round = 0; round < 20; round++)
        for (unsigned i = 0; i < 3; i++) {
            e2e_call call;
            e2e_call_now(&call, channels[i], "/pkg.Svc/Echo", "hello", 5, NULL);
            e2e_expect_code(&call, OYEZ_OK);
            e2e_call_free(&call);
        }
    /* One ends, the other does not notice. */
    oyez_channel_unref(a_to_a);
    oyez_channel_unref(a_to_b);
    e2e_end(server_a);
    oyez_runtime_unref(a);
    e2e_expect_serves(server_b);
    oyez_channel_unref(b_to_a);
    e2e_end(server_b);
    oyez_runtime_unref(b);
}

static oyez_code manual_echo(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    unsigned *count = self;
    (void)service;
    (void)call;
    ++*count;
    return oyez_slice_append_slice(reply, request) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

typedef struct manual {
    oyez_runtime *runtime;
    oyez_server *server;
    oyez_channel *channel;
    unsigned handled;
} manual;

static const oyez_method manual_method = { OYEZ_METHOD_INIT, .path = "/test.Manual/Echo" };

static void open_manual(manual *m)
{
    const oyez_service_method methods[] = { { .method = &manual_method, .unary = manual_echo } };
    oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "test.Manual", .methods = methods, .method_count = 1,
                               .self = &m->handled };
    uint16_t port;
    memset(m, 0, sizeof(*m));
    assert_ok(oyez_runtime_new_manual(NULL, &m->runtime));
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .runtime = m->runtime };
    assert_ok(oyez_server_new(&options, &m->server));
    assert_err(oyez_server_register(m->server, &desc), OYEZ_ESTATE); /* it would block, and there is no worker */
    e2e_expect_words(oyez_server_words(m->server), "on_loop");
    desc.on_loop = true;
    /* The refused registration must not be in the way. */
    assert_ok(oyez_server_register(m->server, &desc));
    assert_ok(oyez_server_listen(m->server, "127.0.0.1:0", oyez_insecure(), &port));
    assert_ok(oyez_server_start(m->server));
    m->channel = e2e_channel(m->runtime, port);
}

static void close_manual(manual *m)
{
    oyez_channel_unref(m->channel);
    oyez_server_unref(m->server);
    oyez_runtime_unref(m->runtime);
}

/* Client and server in one thread: a blocking call turns the loop for both. */
static void a_blocking_call_turns_a_manual_runtime(void **state)
{
    manual m;
    e2e_call call;
    uint8_t *bytes = test_calloc(1, MIB);
    (void)state;
    open_manual(&m);
    for (unsigned i = 0; i < 50; i++) {
        size_t len = i % 10 == 9 ? MIB : i;
        e2e_call_now(&call, m.channel, "/test.Manual/Echo", bytes, len, NULL);
        e2e_expect_code(&call, OYEZ_OK);
        assert_int_equal(call.body_len, len);
        e2e_call_free(&call);
    }
    assert_int_equal(m.handled, 50);
    test_free(bytes);
    close_manual(&m);
}

/* The same inside a loop of the host's: descriptor, time-out, dispatch. */
static void a_host_turns_a_manual_runtime(void **state)
{
    enum { CALLS = 100 };
    static e2e_call calls[CALLS];
    manual m;
    (void)state;
    open_manual(&m);
    int64_t limit = raw_limit_from_now();
    for (unsigned i = 0; i < CALLS; i++)
        e2e_call_start(&calls[i], m.channel, "/test.Manual/Echo", "hello", 5, NULL);
    assert_int_equal(m.handled, 0); /* nothing happens but inside dispatch */
    for (unsigned done = 0; done < CALLS;) {
        struct pollfd item = { .fd = oyez_runtime_fd(m.runtime), .events = POLLIN };
        int ms = oyez_runtime_timeout_ms(m.runtime);
        (void)poll(&item, 1, ms < 0 || ms > 1000 ? 1000 : ms);
        assert_ok(oyez_runtime_dispatch(m.runtime));
        done = 0;
        for (unsigned i = 0; i < CALLS; i++)
            done += calls[i].done;
        assert_true(oyez_now() < limit);
    }
    for (unsigned i = 0; i < CALLS; i++) {
        e2e_expect_code(&calls[i], OYEZ_OK);
        e2e_call_free(&calls[i]);
    }
    assert_int_equal(m.handled, CALLS);
    /* serve() turns it, too; a graceful stop lets it come back. */
    oyez_server_graceful_stop(m.server, OYEZ_SECOND);
    assert_err(oyez_server_serve(m.server), OYEZ_ESTOPPED);
    assert_ok(oyez_server_wait(m.server, 0));
    close_manual(&m);
}

/* Nothing runs unless somebody turns the loop: not the callback of a call that was cancelled, whose channel is gone. So
 * whoever starts calls keeps his reference to the runtime until they have ended. */
static void a_call_on_a_manual_runtime_waits_for_its_turn(void **state)
{
    manual m;
    e2e_call call;
    (void)state;
    open_manual(&m);
    e2e_call_start(&call, m.channel, "/test.Manual/Echo", "x", 1, NULL);
    m.channel = oyez_channel_unref(m.channel);
    oyez_call_cancel(call.call);
    assert_int_equal(call.done, 0);
    while (!call.done)
        assert_ok(oyez_runtime_turn(m.runtime, 1000));
    e2e_expect_code(&call, OYEZ_CANCELLED);
    assert_int_equal(m.handled, 0);
    e2e_call_free(&call);
    close_manual(&m);
}

/* The channel goes first, then the runtime, then nothing is left: in whatever order they are let go. */
static void whatever_is_let_go_first(void **state)
{
    (void)state;
    for (unsigned order = 0; order < 6; order++) {
        const oyez_runtime_options one = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
        oyez_runtime *runtime;
        e2e_call call;
        assert_ok(oyez_runtime_new(&one, &runtime));
        const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime };
        e2e_server *server = e2e_serve(&options);
        oyez_channel *channel = e2e_channel(runtime, server->port);
        e2e_call_start(&call, channel, "/pkg.Svc/Echo", "q", 1, NULL);
        if (order % 2)
            e2e_call_await(&call);
        if (order / 2 == 0)
            runtime = oyez_runtime_unref(runtime);
        if (order / 2 != 1)
            channel = oyez_channel_unref(channel);
        e2e_call_await(&call);
        e2e_expect_code(&call, OYEZ_OK);
        e2e_call_free(&call);
        e2e_end(server);
        oyez_channel_unref(channel);
        oyez_runtime_unref(runtime);
    }
}

OY_TEST_GROUP(e2e_lifecycle, oy_leak_test(a_handler_that_waits_holds_no_wire_bytes),
              oy_leak_test(what_is_never_decoded_goes_back_too), oy_leak_test(further_connections_are_closed),
              oy_leak_test(a_handshake_that_takes_too_long_is_ended), oy_leak_test(stop_with_calls_under_way),
              oy_leak_test(stopping_twice_and_before_the_start), oy_leak_test(a_graceful_stop_as_a_client_sees_it),
              oy_leak_test(a_graceful_stop_with_idle_connections_is_short),
              oy_leak_test(a_graceful_stop_has_a_limit), oy_leak_test(no_call_is_lost_in_a_graceful_stop),
              oy_leak_test(a_child_frees_everything_and_the_parent_goes_on),
              oy_leak_test(a_child_keeps_no_connection_open), oy_leak_test(two_runtimes_side_by_side),
              oy_leak_test(a_blocking_call_turns_a_manual_runtime), oy_leak_test(a_host_turns_a_manual_runtime),
              oy_leak_test(a_call_on_a_manual_runtime_waits_for_its_turn),
              oy_leak_test(whatever_is_let_go_first));

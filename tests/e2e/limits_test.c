/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of oyez/limits.h that no other test reaches: what may be sent, calls that are kept, and how long a connection
 * waits for its peer. The times are those that users have, so the tests of two of them take seconds. */
#include <stdlib.h>
#include <string.h>

#include "e2e_server.h"
#include "life_support.h"
#include "server/server_impl.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

/* --- what is sent ------------------------------------------------------------------------------------------------ */

static void what_is_sent(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_send_bytes = 100 };
    const oyez_call_options small = { OYEZ_CALL_OPTIONS_INIT, .max_send_bytes = 10 };
    e2e_server *server = e2e_serve(&options);
    oyez_channel *channel = e2e_channel(NULL, server->port);
    e2e_call call;
    (void)state;
    e2e_call_now(&call, channel, "/pkg.Svc/Echo", "ten bytes.", 10, &small);
    e2e_expect_code(&call, OYEZ_OK);
    e2e_call_free(&call);
    e2e_call_now(&call, channel, "/pkg.Svc/Echo", "and another", 11, &small);
    e2e_expect_code(&call, OYEZ_RESOURCE_EXHAUSTED);
    e2e_expect_words(call.words, "trying to send message larger than max (11 vs. 10 bytes)");
    e2e_call_free(&call);
    assert_int_equal(atomic_load(&server->handled), 1);
    e2e_call_now(&call, channel, "/pkg.Svc/Big", "100", 3, NULL);
    e2e_expect_code(&call, OYEZ_OK);
    e2e_call_free(&call);
    e2e_call_now(&call, channel, "/pkg.Svc/Big", "101", 3, NULL);
    e2e_expect_code(&call, OYEZ_RESOURCE_EXHAUSTED);
    e2e_expect_words(call.words, "trying to send message larger than max (101 vs. 100 bytes)");
    e2e_call_free(&call);
    oyez_channel_unref(channel);
    e2e_end(server);
}

/* --- calls that are kept ----------------------------------------------------------------------------------------- */

#define MANY (OYEZ_LIMIT_IDLE_CALLS + 100)

typedef struct crowd {
    oyez_server_call *calls[MANY]; /* the loop's until all are there */
    _Atomic(unsigned) here, done;
} crowd;

static void gather(const void *service, void *self, oyez_server_call *call, const void *request)
{
    crowd *c = self;
    (void)service;
    (void)request;
    c->calls[atomic_load(&c->here)] = call;
    atomic_fetch_add(&c->here, 1);
}

static void count(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    crowd *c = user;
    (void)call;
    (void)reply;
    assert_int_equal(status->code, OYEZ_OK);
    atomic_fetch_add(&c->done, 1);
}

/* So many at a time; of those that are over only so many are kept for the next ones. */
static void idle_calls(void **state)
{
    static crowd c;
    const oyez_runtime_options one_loop = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 };
    const oyez_service_method method = { &life_echo, .unary_async = gather };
    const oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "life.Test", .methods = &method, .method_count = 1,
                                     .self = &c };
    const oyez_slice empty = OYEZ_SLICE_INIT;
    oyez_runtime *runtime;
    oyez_server *server;
    uint16_t port;
    (void)state;
    memset(&c, 0, sizeof(c));
    assert_ok(oyez_runtime_new(&one_loop, &runtime));
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime };
    assert_ok(oyez_server_new(&options, &server));
    assert_ok(oyez_server_register(server, &desc));
    assert_ok(oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port));
    assert_ok(oyez_server_start(server));
    oyez_channel *channel = e2e_channel(runtime, port);
    for (unsigned i = 0; i < MANY; i++)
        assert_ok(oyez_unary_call_async(channel, &life_echo, NULL, NULL, &empty, count, &c, NULL));
    E2E_UNTIL(atomic_load(&c.here) == MANY);
    assert_int_equal(server->shards[0].idle_count, 0);
    for (unsigned i = 0; i < MANY; i++)
        oyez_server_call_reply(c.calls[i], &empty);
    E2E_UNTIL(atomic_load(&c.done) == MANY);
    oyez_channel_unref(channel);
    oyez_server_stop(server);
    assert_ok(oyez_server_wait(server, OYEZ_FOREVER));
    assert_int_equal(server->shards[0].idle_count, OYEZ_LIMIT_IDLE_CALLS);
    oyez_server_unref(server);
    oyez_runtime_unref(runtime);
}

/* --- how long a connection waits --------------------------------------------------------------------------------- */

static void expect_since(int64_t begin, oyez_duration least)
{
    const int64_t passed = oyez_now() - begin;
    /* Loops count from the beginning of a pass, and in milliseconds. */
    if (passed < least - 20 * OYEZ_MILLISECOND)
        fail_msg("%d ms have passed instead of %d", (int)(passed / OYEZ_MILLISECOND), (int)(least / OYEZ_MILLISECOND));
}

/* A request that is no call goes on for ever: it is answered all the same. */
static void abort_delay(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    const int64_t begin = oyez_now();
    (void)state;
    raw_fields(p, 1, 0, ":method", "POST", ":scheme", "http", ":path", "/pkg.Svc/Echo", ":authority", "x", "content-type",
               "text/plain", NULL);
    raw_expect_http(p, 1, "415", OYEZ_INVALID_ARGUMENT);
    expect_since(begin, OYEZ_LIMIT_ABORT_DELAY);
    /* One that is complete is answered at once: the order says so. */
    raw_fields(p, 3, 0, ":method", "POST", ":scheme", "http", ":path", "/pkg.Svc/Echo", ":authority", "x", "content-type",
               "text/plain", NULL);
    raw_fields(p, 5, RAW_END, ":method", "POST", ":scheme", "http", ":path", "/pkg.Svc/Echo", ":authority", "x",
               "content-type", "text/plain", NULL);
    raw_expect_http(p, 5, "415", OYEZ_INVALID_ARGUMENT);
    const raw_stream *slow = raw_find(p, 3);
    assert_true(!slow || !slow->ended);
    raw_expect_http(p, 3, "415", OYEZ_INVALID_ARGUMENT);
    raw_close(p);
    e2e_end(server);
}

/* A client that answers no PING and closes nothing holds up a graceful stop for six seconds. */
static void a_stop_does_not_wait_for_clients(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_call(p, 1, "/pkg.Svc/Echo", "x", 1);
    raw_expect_ok(p, 1, "x", 1);
    p->no_acks = true;
    const int64_t begin = oyez_now();
    oyez_server_graceful_stop(server->server, OYEZ_FOREVER);
    assert_true(RAW_UNTIL(p, p->went_away && p->pings == 1));
    assert_int_equal(p->goaway_last_id, OY_H2_MAX_STREAM_ID);
    assert_true(RAW_UNTIL(p, p->goaway_last_id == 1));
    expect_since(begin, OYEZ_LIMIT_DRAIN_PING_TIMEOUT);
    raw_await_close(p);
    expect_since(begin, OYEZ_LIMIT_DRAIN_PING_TIMEOUT + OYEZ_LIMIT_LINGER_TIMEOUT);
    assert_ok(oyez_server_wait(server->server, 10 * OYEZ_SECOND));
    raw_close(p);
    e2e_end(server);
}

OY_TEST_GROUP(e2e_limits, oy_leak_test(what_is_sent), oy_leak_test(idle_calls), oy_leak_test(abort_delay),
              oy_leak_test(a_stop_does_not_wait_for_clients));

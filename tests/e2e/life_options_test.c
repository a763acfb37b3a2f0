/* SPDX-License-Identifier: Apache-2.0 */
/* Options about the life of connections: what is refused, what is raised, and what reaches the socket. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>

#include "client/channel_impl.h"
#include "client_support.h"
#include "life_support.h"
#include "server/server_impl.h"
#include "support/leak.h"
#include "support/test.h"
#include "transport/client.h"
#include "transport/server.h"

static oyez_runtime *runtime;
static life_log lines;

/* Manual: nothing moves but when the test turns it, so that it may look inside. */
static int setup(void **state)
{
    oy_leak_setup(state);
    life_log_init(&lines);
    return oyez_runtime_new_manual(NULL, &runtime);
}

static int teardown(void **state)
{
    runtime = oyez_runtime_unref(runtime);
    return oy_leak_teardown(state);
}

#define alone(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* --- channels ---------------------------------------------------------------------------------- */

static void channel_defaults(void **state)
{
    oyez_channel *channel = client_open(runtime, "ipv4:127.0.0.1:1");
    const oy_life_config *life = &life_config(channel)->life;
    (void)state;
    assert_false(oy_keepalive_is_on(&life->keepalive));
    assert_int_equal(life->keepalive.timeout, 20 * OYEZ_SECOND);
    assert_false(life->keepalive.without_calls);
    assert_false(life->fixed_windows);
    oyez_channel_unref(channel);
}

static void channel_raises(void **state)
{
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime,
                                          .log = life_log_sink(&lines),
                                          .keepalive_time = 9 * OYEZ_SECOND, .keepalive_without_calls = true,
                                          .keepalive_timeout = 3 * OYEZ_SECOND};
    oyez_channel *channel = client_open_with(&options, "ipv4:127.0.0.1:1");
    const oy_keepalive_config *keepalive = &life_config(channel)->life.keepalive;
    (void)state;
    assert_int_equal(keepalive->time, 10 * OYEZ_SECOND);
    assert_int_equal(keepalive->timeout, 3 * OYEZ_SECOND);
    assert_true(keepalive->without_calls);
    assert_int_equal(life_log_count(&lines, "keepalive_time is raised to 10 s"), 1);
    oyez_channel_unref(channel);
}

static void channel_refuses(void **state)
{
    char words[256] = "";
    oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime, .keepalive_time = -1,
                                    .words = words, .words_bytes = sizeof(words)};
    oyez_channel *channel = NULL;
    (void)state;
    assert_err(oyez_channel_new("ipv4:127.0.0.1:1", oyez_insecure(), &options, &channel), OYEZ_EINVAL);
    assert_contains(words, "keepalive_time");
    options.keepalive_time = 0;
    options.keepalive_timeout = -1;
    assert_err(oyez_channel_new("ipv4:127.0.0.1:1", oyez_insecure(), &options, &channel), OYEZ_EINVAL);
    assert_contains(words, "no negative duration");
}

/* --- servers ----------------------------------------------------------------------------------- */

static void server_defaults(void **state)
{
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime};
    oyez_server *server;
    (void)state;
    assert_ok(oyez_server_new(&options, &server));
    assert_int_equal(server->options.keepalive_time, 2 * OYEZ_HOUR);
    assert_int_equal(server->options.keepalive_timeout, 20 * OYEZ_SECOND);
    assert_int_equal(server->options.keepalive_min_time, 5 * OYEZ_MINUTE);
    assert_false(server->options.keepalive_permit_without_calls);
    assert_int_equal(server->options.max_connection_idle, 0);
    assert_int_equal(server->options.max_connection_age, 0);
    assert_int_equal(server->options.max_connection_age_grace, 0);
    oyez_server_unref(server);
}

static void server_raises(void **state)
{
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime,
                                         .log = life_log_sink(&lines), .keepalive_time = 1};
    oyez_server *server;
    (void)state;
    assert_ok(oyez_server_new(&options, &server));
    assert_int_equal(server->options.keepalive_time, OYEZ_SECOND);
    assert_int_equal(life_log_count(&lines, "keepalive_time is raised to 1 s"), 1);
    oyez_server_unref(server);
}

static void server_refuses(void **state)
{
    static const size_t places[] = {
        offsetof(oyez_server_options, keepalive_time),      offsetof(oyez_server_options, keepalive_timeout),
        offsetof(oyez_server_options, keepalive_min_time),  offsetof(oyez_server_options, max_connection_idle),
        offsetof(oyez_server_options, max_connection_age),  offsetof(oyez_server_options, max_connection_age_grace),
    };
    oyez_server *server;
    (void)state;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime, .log = life_log_sink(&lines)};
        const oyez_duration negative = -1;
        memcpy((char *)&options + places[i], &negative, sizeof(negative));
        assert_err(oyez_server_new(&options, &server), OYEZ_EINVAL);
        assert_int_equal(life_log_count(&lines, "expected no negative duration"), i + 1);
    }
    assert_int_equal(life_log_count(&lines, "max_connection_age_grace: expected"), 1);
}

/* --- what reaches the socket ----------------------------------------------------------------------- */

static int user_timeout(int fd)
{
    int ms = -1;
    socklen_t len = sizeof(ms);
    assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, &len), 0);
    return ms;
}

static void until_ready(oyez_channel *channel)
{
    oyez_channel_connect(channel);
    for (int i = 0; i < 5000 && oyez_channel_state(channel) != OYEZ_READY; i++)
        assert_ok(oyez_runtime_turn(runtime, 10));
    assert_int_equal(oyez_channel_state(channel), OYEZ_READY);
}

static int server_fd(oyez_server *server)
{
    oy_list *conns = &server->shards[0].conns;
    assert_false(oy_list_empty(conns));
    return oy_container_of(conns->next, oy_server_conn, node)->transport->conn.pipe->fd;
}

static void keepalive_sets_the_user_timeout(void **state)
{
    oyez_server_options server_options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime,
                                          .keepalive_timeout = 7 * OYEZ_SECOND};
    oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime,
                                    .keepalive_time = OYEZ_MINUTE, .keepalive_timeout = 13 * OYEZ_SECOND};
    (void)state;
    for (int round = 0; round < 2; round++) {
        oyez_server *server;
        uint16_t port;
        char target[64];
        assert_ok(oyez_server_new(&server_options, &server));
        assert_ok(oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port));
        assert_ok(oyez_server_start(server));
        snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
        oyez_channel *channel = client_open_with(&options, target);
        until_ready(channel);
        assert_int_equal(user_timeout(channel->ready->conn.pipe->fd), round == 0 ? 13000 : 0);
        assert_int_equal(user_timeout(server_fd(server)), round == 0 ? 7000 : 0);
        oyez_channel_unref(channel);
        oyez_server_stop(server);
        assert_ok(oyez_server_wait(server, 5 * OYEZ_SECOND));
        oyez_server_unref(server);
        /* and again without keepalive */
        server_options.keepalive_time = OYEZ_FOREVER;
        options.keepalive_time = 0;
    }
}

OY_TEST_GROUP(e2e_life_options, alone(channel_defaults), alone(channel_raises), alone(channel_refuses),
              alone(server_defaults), alone(server_raises), alone(server_refuses),
              alone(keepalive_sets_the_user_timeout));

/* SPDX-License-Identifier: Apache-2.0 */
/* How a channel finds its server, or says why it did not. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "client_peer.h"
#include "client_support.h"
#include "support/leak.h"
#include "support/test.h"

static oyez_runtime *runtime;

static int setup(void **state)
{
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    oy_leak_setup(state);
    return oyez_runtime_new(&options, &runtime);
}

static int teardown(void **state)
{
    runtime = client_end_runtime(runtime);
    return oy_leak_teardown(state);
}

#define with_runtime(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* --- failures in words ----------------------------------------------------------------------- */

static void refused(void **state)
{
    char target[64], expected[128];
    client_result result;
    oyez_channel *channel;
    (void)state;
    snprintf(target, sizeof(target), "127.0.0.1:%u", client_peer_free_port());
    snprintf(expected, sizeof(expected), "cannot connect to %s", target);
    channel = client_open(runtime, target);
    assert_int_equal(oyez_channel_state(channel), OYEZ_IDLE);
    result = client_call(channel, false, 0);
    assert_code(result, OYEZ_UNAVAILABLE);
    assert_contains(result.words, expected);
    assert_contains(result.words, "Connection refused");
    assert_contains(result.words, "is the server running, and is the port right?");
    assert_int_equal(oyez_channel_state(channel), OYEZ_TRANSIENT_FAILURE);
    result = client_call(channel, false, 0); /* at once, with the same words */
    assert_code(result, OYEZ_UNAVAILABLE);
    assert_contains(result.words, expected);
    oyez_channel_unref(channel);
}

static void several_refused(void **state)
{
    char target[64];
    client_result result;
    oyez_channel *channel;
    (void)state;
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u,127.0.0.2:%u", client_peer_free_port(),
             client_peer_free_port());
    channel = client_open(runtime, target);
    result = client_call(channel, false, 0);
    assert_code(result, OYEZ_UNAVAILABLE);
    assert_contains(result.words, "cannot connect to 127.0.0.2");
    assert_contains(result.words, "(the last of 2 addresses that failed)");
    oyez_channel_unref(channel);
}

static void speaks(client_peer_manner manner, const char *words)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", manner);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    client_result result = client_call(channel, false, 0);
    char port[16];
    assert_code(result, OYEZ_UNAVAILABLE);
    snprintf(port, sizeof(port), ":%u", client_peer_port(peer));
    assert_contains(result.words, "cannot connect to 127.0.0.1:");
    assert_contains(result.words, port);
    assert_contains(result.words, words);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

static void speaks_http1(void **state)
{
    (void)state;
    speaks(PEER_HTTP1, "HTTP/1");
}

static void says_nothing(void **state)
{
    (void)state;
    speaks(PEER_SILENT, "no gRPC server has answered within 0.3 s");
}

static void closes_at_once(void **state)
{
    (void)state;
    speaks(PEER_CLOSES, ": is it a gRPC server?");
}

static void no_such_socket(void **state)
{
    oyez_channel *channel = client_open(runtime, "unix:///no/such/dir/x.sock");
    client_result result = client_call(channel, false, 0);
    (void)state;
    assert_code(result, OYEZ_UNAVAILABLE);
    assert_contains(result.words,
                    "cannot connect to unix:/no/such/dir/x.sock: No such file or directory");
    assert_contains(result.words, "is the path right?");
    oyez_channel_unref(channel);
}

/* The time is over before any attempt has failed: what is being tried is said. */
static void too_late_while_connecting(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_SILENT);
    oyez_channel *channel = client_open(runtime, client_peer_target(peer));
    client_result result = client_call(channel, false, 50 * OYEZ_MILLISECOND);
    char expected[192];
    (void)state;
    assert_code(result, OYEZ_DEADLINE_EXCEEDED);
    snprintf(expected, sizeof(expected), "become ready; channel %s is CONNECTING to 127.0.0.1:%u",
             client_peer_target(peer), client_peer_port(peer));
    assert_contains(result.words, expected);
    assert_null(strstr(result.words, "last error"));
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

/* --- success --------------------------------------------------------------------------------- */

static void waits_for_the_server(void **state)
{
    char address[64], expected[192];
    client_pending pending, hopeless;
    client_peer *peer;
    oyez_channel *channel;
    (void)state;
    snprintf(address, sizeof(address), "127.0.0.1:%u", client_peer_free_port());
    channel = client_open(runtime, address);
    client_start(&pending, channel, true, 0);
    client_start(&hopeless, channel, true, 60 * OYEZ_MILLISECOND);
    assert_code(client_finish(&hopeless, NULL), OYEZ_DEADLINE_EXCEEDED);
    snprintf(expected, sizeof(expected),
             "while waiting for connections to become ready; channel %s is TRANSIENT_FAILURE", address);
    assert_contains(hopeless.result.words, expected);
    snprintf(expected, sizeof(expected), "; last error: cannot connect to %s: Connection refused", address);
    assert_contains(hopeless.result.words, expected);
    assert_false(atomic_load(&pending.done));
    assert_int_equal(oyez_channel_state(channel), OYEZ_TRANSIENT_FAILURE);
    peer = client_peer_start(address, PEER_ANSWERS);
    assert_code(client_finish(&pending, NULL), OYEZ_OK);
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    assert_int_equal(client_peer_connections(peer), 1);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

/* Calls, and looks at what the server was told. */
static void reaches(const char *address, const char *target, const char *authority)
{
    client_peer *peer = client_peer_start(address, PEER_ANSWERS);
    char full[256], got_authority[256], got_agent[256];
    oyez_channel *channel;
    snprintf(full, sizeof(full), target, client_peer_port(peer));
    channel = client_open(runtime, full);
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    client_peer_last(peer, got_authority, got_agent);
    snprintf(full, sizeof(full), authority, client_peer_port(peer));
    assert_string_equal(got_authority, full);
    assert_string_equal(got_agent, "grpc-c-oyez/" OYEZ_VERSION_STRING);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

static void tcp(void **state)
{
    (void)state;
    reaches("127.0.0.1:0", "127.0.0.1:%u", "127.0.0.1:%u");
    reaches("127.0.0.1:0", "dns:///127.0.0.1:%u", "127.0.0.1:%u");
    reaches("127.0.0.1:0", "passthrough:///127.0.0.1:%u", "127.0.0.1:%u");
    reaches("127.0.0.1:0", "ipv4:127.0.0.1:%u", "127.0.0.1:%u");
    reaches("127.0.0.1:0", "localhost:%u", "localhost:%u");
    reaches("127.0.0.1:0", ":%u", "localhost:%u");
}

static void unix_sockets(void **state)
{
    char dir[] = "/tmp/oyez-client-XXXXXX", path[64], target[80];
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)state;
    assert_true(here >= 0);
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chdir(dir), 0);
    reaches("unix:rel.sock", "unix:rel.sock", "localhost");
    snprintf(path, sizeof(path), "unix:%s/abs.sock", dir);
    snprintf(target, sizeof(target), "unix://%s/abs.sock", dir);
    reaches(path, target, "localhost");
    reaches(path, path, "localhost");
    assert_int_equal(unlink("rel.sock"), 0);
    assert_int_equal(unlink("abs.sock"), 0);
    assert_int_equal(fchdir(here), 0);
    assert_int_equal(close(here), 0);
    assert_int_equal(rmdir(dir), 0);
    snprintf(path, sizeof(path), "unix-abstract:oyez-test-%d", (int)getpid());
    reaches(path, path, "localhost");
}

static void names_of_ones_own(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime,
                                          .authority = "front.example:1",
                                          .user_agent = "greeter/1.0 (x)"};
    oyez_channel *channel = client_open_with(&options, client_peer_target(peer));
    char authority[256], agent[256];
    (void)state;
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    client_peer_last(peer, authority, agent);
    assert_string_equal(authority, "front.example:1");
    assert_string_equal(agent, "greeter/1.0 (x) grpc-c-oyez/" OYEZ_VERSION_STRING);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
}

static void the_second_address(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    client_peer *silent = client_peer_start("127.0.0.1:0", PEER_SILENT);
    char target[128];
    oyez_channel *channel;
    int64_t start;
    (void)state;
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u,127.0.0.1:%u", client_peer_free_port(),
             client_peer_port(peer));
    channel = client_open(runtime, target);
    assert_code(client_call(channel, false, 0), OYEZ_OK); /* a call does not fail before all have */
    oyez_channel_unref(channel);
    /* one that takes its time does not hold up the next */
    const oyez_channel_options patient = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime};
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u,127.0.0.1:%u", client_peer_port(silent),
             client_peer_port(peer));
    channel = client_open_with(&patient, target);
    start = oy_now();
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    assert_true(oy_now() - start >= 250 * OYEZ_MILLISECOND);
    assert_int_equal(client_peer_connections(silent), 1);
    assert_int_equal(client_peer_connections(peer), 2);
    oyez_channel_unref(channel);
    client_peer_stop(silent);
    client_peer_stop(peer);
}

/* --- options --------------------------------------------------------------------------------- */

static void bad_options(void **state)
{
    char words[256];
    const struct {
        oyez_channel_options options;
        const char *words;
    } tests[] = {
        {{.stream_window_bytes = 65534}, "stream_window_bytes: expected 65,535"},
        {{.connection_window_bytes = 0x80000000u}, "connection_window_bytes: expected 65,535"},
        {{.connect_timeout = -1}, "connect_timeout"},
        {{.backoff_base = 3, .backoff_max = 2}, "backoff_base: expected at most backoff_max"},
        {{.backoff_factor = 0.5}, "backoff_factor"},
        {{.backoff_jitter = 1.5}, "backoff_jitter"},
        {{.authority = ""}, "authority"},
        {{.authority = "a b"}, "authority"},
        {{.authority = "a\r\nb"}, "authority"},
        {{.user_agent = "a\nb"}, "user_agent"},
    };
    oyez_channel *channel = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        oyez_channel_options options = tests[i].options;
        options.size = sizeof(options);
        options.runtime = runtime;
        options.words = words;
        options.words_bytes = sizeof(words);
        assert_err(oyez_channel_new("localhost:1", oyez_insecure(), &options, &channel),
                   OYEZ_EINVAL);
        assert_contains(words, tests[i].words);
    }
    oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime, .words = words,
                                    .words_bytes = sizeof(words)};
    assert_err(oyez_channel_new("localhost:1", NULL, &options, &channel), OYEZ_ECREDENTIALS);
    assert_contains(words, "credentials");
    assert_err(oyez_channel_new(NULL, oyez_insecure(), &options, &channel), OYEZ_ENULL);
    assert_err(oyez_channel_new("host:", oyez_insecure(), &options, &channel), OYEZ_ETARGET);
    assert_contains(words, "expected a port");
    assert_err(oyez_channel_new("host:", oyez_insecure(), NULL, &channel), OYEZ_ETARGET);
    assert_null(channel);
}

static void sized_options(void **state)
{
    struct {
        oyez_channel_options known;
        uint64_t unknown;
    } newer = {{OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime}, 0};
    oyez_channel *channel = NULL;
    char words[128];
    (void)state;
    newer.known.size = sizeof(newer);
    newer.known.words = words;
    newer.known.words_bytes = sizeof(words);
    assert_ok(oyez_channel_new("localhost:1", oyez_insecure(), &newer.known, &channel));
    channel = oyez_channel_unref(channel);
    newer.unknown = 1;
    assert_err(oyez_channel_new("localhost:1", oyez_insecure(), &newer.known, &channel),
               OYEZ_E2BIG);
    assert_contains(words, "does not know");
    oyez_channel_options older = {.size = offsetof(oyez_channel_options, pool),
                                  .runtime = runtime,
                                  .authority = "not looked at"};
    assert_ok(oyez_channel_new("localhost:1", oyez_insecure(), &older, &channel));
    channel = oyez_channel_unref(channel);
}

static void no_memory(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        oyez_runtime *manual = NULL;
        oyez_channel *channel = NULL;
        oyez_err err = oyez_runtime_new_manual(NULL, &manual);
        if (!err) {
            const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = manual,
                                                  .authority = "a", .user_agent = "b"};
            err = oyez_channel_new("localhost:1", oyez_insecure(), &options, &channel);
        }
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        oyez_channel_unref(channel);
        oyez_runtime_unref(manual);
    }
}

/* Whatever allocation fails, it is told in time, and the channel works afterwards. */
static void no_memory_on_the_way(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_BLIND);
    (void)state;
    OY_FAULT_WALK()
    {
        oyez_runtime *manual = NULL;
        oyez_channel *channel = NULL;
        oyez_err err = oyez_runtime_new_manual(NULL, &manual);
        if (!err) {
            const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = manual,
                                                  .backoff_base = OYEZ_MILLISECOND};
            err = oyez_channel_new(client_peer_target(peer), oyez_insecure(), &options, &channel);
        }
        if (err) {
            assert_err(err, OYEZ_ENOMEM);
        } else {
            const client_result result = client_call(channel, true, 0);
            if (result.code != OYEZ_OK && result.code != OYEZ_UNAVAILABLE &&
                result.code != OYEZ_RESOURCE_EXHAUSTED)
                fail_msg("%s: %s", oyez_code_name(result.code), result.words);
            assert_code(client_call(channel, true, 0), OYEZ_OK);
        }
        oyez_channel_unref(channel);
        oyez_runtime_unref(manual);
    }
    client_peer_stop(peer);
}

OY_TEST_GROUP(e2e_client_connect, with_runtime(refused), with_runtime(several_refused),
              with_runtime(speaks_http1), with_runtime(says_nothing), with_runtime(closes_at_once),
              with_runtime(no_such_socket), with_runtime(too_late_while_connecting),
              with_runtime(waits_for_the_server), with_runtime(tcp),
              with_runtime(unix_sockets), with_runtime(names_of_ones_own),
              with_runtime(the_second_address), with_runtime(bad_options),
              with_runtime(sized_options), with_runtime(no_memory),
              with_runtime(no_memory_on_the_way));

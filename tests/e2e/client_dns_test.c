/* SPDX-License-Identifier: Apache-2.0 */
/* Channels whose target is a name, against a name server that says what the test wants. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "client/resolver/resolver.h"
#include "client_peer.h"
#include "client_support.h"
#include "support/leak.h"
#include "support/raw_peer.h"
#include "support/test.h"

/* A name server with one answer for every A question: an address, or "no such name". AAAA: none. */
typedef struct name_server {
    int fd, stop[2];
    uint16_t port;
    pthread_t thread;
    _Atomic(uint32_t) address; /* network order; 0: there is no such name */
    _Atomic(bool) silent;
    _Atomic(unsigned) questions; /* of type A */
} name_server;

static size_t answer(name_server *server, uint8_t *message, size_t len)
{
    const uint32_t address = atomic_load(&server->address);
    const bool ipv4 =
        message[len - 3] == 1; /* no additional records: type and class end the question */
    message[2] = 0x81;
    message[3] = address ? 0x80 : 0x83;
    if (!ipv4)
        return len;
    (void)atomic_fetch_add(&server->questions, 1);
    if (!address)
        return len;
    static const uint8_t record[] = {0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4};
    message[7] = 1;
    memcpy(message + len, record, sizeof(record));
    memcpy(message + len + sizeof(record), &address, 4);
    return len + sizeof(record) + 4;
}

static void *serve(void *user)
{
    name_server *server = user;
    for (;;) {
        struct pollfd fds[2] = {{.fd = server->fd, .events = POLLIN},
                                {.fd = server->stop[0], .events = POLLIN}};
        struct sockaddr_in from;
        socklen_t from_len = sizeof(from);
        uint8_t message[1024];
        (void)poll(fds, 2, -1);
        if (fds[1].revents)
            return NULL;
        const ssize_t len =
            recvfrom(server->fd, message, 512, MSG_DONTWAIT, (struct sockaddr *)&from, &from_len);
        if (len < 17 || atomic_load(&server->silent))
            continue;
        const size_t full = answer(server, message, (size_t)len);
        (void)sendto(server->fd, message, full, MSG_NOSIGNAL, (struct sockaddr *)&from, from_len);
    }
}

static void start_server(name_server *server, const char *address)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(in);
    memset(server, 0, sizeof(*server));
    atomic_store(&server->address, address ? inet_addr(address) : 0);
    server->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(server->fd, (struct sockaddr *)&in, sizeof(in)), 0);
    assert_int_equal(getsockname(server->fd, (struct sockaddr *)&in, &len), 0);
    server->port = ntohs(in.sin_port);
    assert_int_equal(pipe(server->stop), 0);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void stop_server(name_server *server)
{
    assert_int_equal(write(server->stop[1], "", 1), 1);
    assert_int_equal(pthread_join(server->thread, NULL), 0);
    (void)close(server->fd);
    (void)close(server->stop[0]);
    (void)close(server->stop[1]);
}

static oyez_runtime *runtime;
static name_server server;

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

static oyez_channel *open_name_at(const name_server *at, uint16_t port)
{
    char target[128];
    snprintf(target, sizeof(target), "dns://127.0.0.1:%u/backend.test.example:%u", at->port, port);
    return client_open(runtime, target);
}

static oyez_channel *open_name(uint16_t port)
{
    return open_name_at(&server, port);
}

static void finds_it(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    char authority[256], agent[256], expected[64];
    oyez_channel *channel;
    (void)state;
    start_server(&server, "127.0.0.1");
    channel = open_name(client_peer_port(peer));
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    client_peer_last(peer, authority, agent);
    snprintf(expected, sizeof(expected), "backend.test.example:%u", client_peer_port(peer));
    assert_string_equal(authority, expected);
    assert_int_equal(atomic_load(&server.questions), 1);
    /* a loss asks again, but not before 30 s have passed; the address that is known is used */
    for (unsigned i = 0; i < 5; i++) {
        client_peer_drop(peer);
        client_await(channel, OYEZ_IDLE);
        assert_code(client_call(channel, false, 0), OYEZ_OK);
    }
    assert_int_equal(client_peer_connections(peer), 6);
    assert_int_equal(atomic_load(&server.questions), 1);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
    stop_server(&server);
}

static void no_such_name(void **state)
{
    client_peer *peer = client_peer_start("127.0.0.1:0", PEER_ANSWERS);
    client_pending patient;
    client_result result;
    oyez_channel *channel;
    (void)state;
    start_server(&server, NULL);
    channel = open_name(client_peer_port(peer));
    client_start(&patient, channel, true, 0);
    result = client_call(channel, false, 0);
    assert_code(result, OYEZ_UNAVAILABLE);
    assert_contains(result.words, "looking up \"backend.test.example\"");
    assert_contains(result.words, "(asked 127.0.0.1:");
    assert_int_equal(oyez_channel_state(channel), OYEZ_TRANSIENT_FAILURE);
    while (atomic_load(&server.questions) < 3) /* it asks again by itself */
        client_pause_ms(1);
    assert_false(atomic_load(&patient.done));
    atomic_store(&server.address, inet_addr("127.0.0.1")); /* now there is one */
    assert_code(client_finish(&patient, NULL), OYEZ_OK);
    assert_code(client_call(channel, false, 0), OYEZ_OK);
    oyez_channel_unref(channel);
    client_peer_stop(peer);
    stop_server(&server);
}

static void ends_while_asking(void **state)
{
    client_pending call;
    client_result late;
    oyez_channel *channel;
    (void)state;
    start_server(&server, "127.0.0.1");
    atomic_store(&server.silent, true);
    channel = open_name(1);
    client_start(&call, channel, false, 0);
    client_await(channel, OYEZ_CONNECTING);
    late = client_call(channel, true, 20 * OYEZ_MILLISECOND);
    assert_code(late, OYEZ_DEADLINE_EXCEEDED);
    assert_contains(late.words, "is CONNECTING: its name is being looked up");
    oyez_channel_close(channel);
    assert_code(client_finish(&call, NULL), OYEZ_CANCELLED);
    oyez_channel_unref(channel);
    channel = open_name(1);
    oyez_channel_connect(channel);
    oyez_channel_unref(channel);
    stop_server(&server);
}

/* --- B27: a name moves, and a name is gone for a while, while its servers die --------------------- */

static client_peer *peer_at(const char *ip, uint16_t port)
{
    char address[64];
    snprintf(address, sizeof(address), "%s:%u", ip, port);
    return client_peer_start(address, PEER_ANSWERS);
}

/* Both at once, for both have to wait until a name may be looked up again: 30 s. */
static void the_name_moves_and_the_name_is_gone(void **state)
{
    name_server gone;
    client_pending patient;
    client_result result;
    (void)state;
    if (raw_sanitized() && !getenv("OYEZ_SLOW_TESTS"))
        skip(); /* it waits for half a minute, which is once enough */
    client_peer *old_home = peer_at("127.0.0.2", 0), *flat = peer_at("127.0.0.4", 0);
    const uint16_t port = client_peer_port(old_home), flat_port = client_peer_port(flat);
    start_server(&server, "127.0.0.2");
    start_server(&gone, "127.0.0.4");
    oyez_channel *mover = open_name(port), *tenant = open_name_at(&gone, flat_port);
    const int64_t start = oy_now();
    assert_code(client_call(mover, false, 0), OYEZ_OK);
    assert_code(client_call(tenant, false, 0), OYEZ_OK);

    client_peer_stop(old_home);
    client_peer_stop(flat);
    atomic_store(&server.address, inet_addr("127.0.0.3"));
    atomic_store(&gone.address, 0);
    client_peer *new_home = peer_at("127.0.0.3", port);
    client_await(mover, OYEZ_IDLE);
    client_start(&patient, mover, true, 60 * OYEZ_SECOND);
    unsigned refused = 0;
    while ((result = client_call(mover, false, 0)).code == OYEZ_UNAVAILABLE) {
        assert_contains(result.words, "127.0.0.2"); /* who it was that could not be reached */
        assert_in_range(++refused, 1, 45);
        client_pause_ms(1000);
    }
    assert_code(result, OYEZ_OK);
    assert_code(client_finish(&patient, NULL), OYEZ_OK);
    assert_true(oy_now() - start >= 30 * OYEZ_SECOND);
    assert_int_equal(atomic_load(&server.questions), 2);
    assert_int_equal(client_peer_calls(new_home), 2);

    /* The other name cannot be looked up any more: where it pointed to last is still tried. */
    assert_code(client_call(tenant, false, 0), OYEZ_UNAVAILABLE);
    const int64_t limit = oy_now() + 40 * OYEZ_SECOND;
    while (atomic_load(&gone.questions) < 3 && oy_now() < limit) {
        client_pause_ms(100);
        (void)client_call(tenant, false, 0);
    }
    assert_true(atomic_load(&gone.questions) >= 3);
    flat = peer_at("127.0.0.4", flat_port);
    assert_code(client_call(tenant, true, 0), OYEZ_OK);
    assert_int_equal(client_peer_calls(flat), 1);

    oyez_channel_unref(mover);
    oyez_channel_unref(tenant);
    client_peer_stop(new_home);
    client_peer_stop(flat);
    stop_server(&server);
    stop_server(&gone);
}

/* --- the resolver by itself, with a short interval ------------------------------------------- */

typedef struct listener {
    oy_resolver *resolver;
    oyez_runtime *manual;
    unsigned lists, errors;
    char last[OY_ADDRESS_TEXT_MAX];
} listener;

static oyez_err on_addresses(void *user, const oy_address *addresses, size_t count)
{
    listener *self = user;
    assert_true(count > 0);
    self->lists++;
    oy_address_format(&addresses[0], self->last);
    return OYEZ_NO_ERR;
}

static void on_error(void *user, const char *words)
{
    listener *self = user;
    assert_contains(words, "looking up \"backend.test.example\"");
    self->errors++;
}

static void do_start(void *user)
{
    listener *self = user;
    self->resolver->ops->start(self->resolver);
}

static void do_resolve(void *user)
{
    listener *self = user;
    for (unsigned i = 0; i < 5; i++)
        self->resolver->ops->resolve_now(self->resolver);
}

static void do_free(void *user)
{
    listener *self = user;
    oy_resolver_free(self->resolver);
    self->resolver = NULL;
}

static void turn_until(listener *self, const unsigned *count, unsigned at_least)
{
    const int64_t limit = oy_now() + 5 * OYEZ_SECOND;
    while (*count < at_least) {
        assert_ok(oyez_runtime_turn(self->manual, 100));
        if (oy_now() > limit)
            fail_msg("%u lists, %u errors", self->lists, self->errors);
    }
}

static void asks_again(void **state)
{
    static const oy_resolver_events events = {on_addresses, on_error};
    const oy_backoff_config backoff = {5 * OYEZ_MILLISECOND, 5 * OYEZ_MILLISECOND, 1, 0};
    listener self = {0};
    oy_target target;
    char text[96];
    int64_t start;
    (void)state;
    start_server(&server, "127.0.0.2");
    snprintf(text, sizeof(text), "dns://127.0.0.1:%u/backend.test.example:7", server.port);
    assert_ok(oy_target_parse(text, (oy_words){NULL, 0}, &target));
    assert_ok(oyez_runtime_new_manual(NULL, &self.manual));
    const oy_resolver_args args = {
        oy_runtime_loop(self.manual, 0), &target, &backoff, &events, &self, 60 * OYEZ_MILLISECOND};
    assert_ok(oy_resolver_new(&args, &self.resolver));
    assert_ok(oyez_runtime_post(self.manual, do_start, &self));
    assert_ok(
        oyez_runtime_post(self.manual, do_resolve, &self)); /* while it asks: once more, later */
    turn_until(&self, &self.lists, 1);
    start = oy_now();
    assert_string_equal(self.last, "127.0.0.2:7");
    atomic_store(&server.address, inet_addr("127.0.0.3"));
    turn_until(&self, &self.lists, 2);
    assert_true(oy_now() - start >= 50 * OYEZ_MILLISECOND);
    assert_string_equal(self.last, "127.0.0.3:7");
    assert_ok(oyez_runtime_turn(self.manual, 100)); /* nobody wants to know */
    assert_ok(oyez_runtime_turn(self.manual, 100));
    assert_int_equal(atomic_load(&server.questions), 2);
    atomic_store(&server.address, 0);
    assert_ok(oyez_runtime_post(self.manual, do_resolve, &self)); /* the interval has passed: now */
    turn_until(&self, &self.errors, 3);                           /* it tries again by itself */
    assert_int_equal(self.lists, 2);
    atomic_store(&server.address, inet_addr("127.0.0.4"));
    turn_until(&self, &self.lists, 3);
    assert_string_equal(self.last, "127.0.0.4:7");
    assert_ok(oyez_runtime_post(self.manual, do_resolve, &self));
    assert_ok(oyez_runtime_post(self.manual, do_free, &self));
    while (self.resolver)
        assert_ok(oyez_runtime_turn(self.manual, 100));
    oy_target_fini(&target);
    oyez_runtime_unref(self.manual);
    stop_server(&server);
}

OY_TEST_GROUP(e2e_client_dns, with_runtime(finds_it), with_runtime(no_such_name),
              with_runtime(ends_while_asking),
              with_runtime(the_name_moves_and_the_name_is_gone), with_runtime(asks_again));

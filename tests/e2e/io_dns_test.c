/* SPDX-License-Identifier: Apache-2.0 */
/* Looking up names: without a server, with one that is not there, and with one that the test
 * plays. */
#include "support/test.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "io/loop.h"
#include "support/leak.h"

#if OY_WITH_CARES

typedef struct lookup {
    oy_task task;
    oy_loop *loop;
    const char *host, *server;
    uint16_t port;
    oy_dns_query *query;
    bool cancel, starting;
    oyez_err started, err;
    char words[256], texts[8][OY_ADDRESS_TEXT_MAX];
    size_t count;
    int calls;
    oy_event done;
} lookup;

static void on_done(void *user, oyez_err err, const char *words, const oy_address *addresses,
                    size_t count)
{
    lookup *l = user;
    assert_false(l->starting);
    assert_true(oy_loop_is_current(l->loop));
    assert_non_null(words);
    l->calls++;
    l->err = err;
    (void)snprintf(l->words, sizeof(l->words), "%s", words);
    for (size_t i = 0; i < count && l->count < 8; i++)
        oy_address_format(&addresses[i], l->texts[l->count++]);
    oy_dns_cancel(l->query); /* too late, and allowed */
    oy_event_set(&l->done);
}

static void start(oy_task *task)
{
    lookup *l = oy_container_of(task, lookup, task);
    l->starting = true;
    l->started =
        oy_dns_resolve(l->loop, oy_str(l->host), l->port, oy_str(l->server), on_done, l, &l->query);
    l->starting = false;
    if (l->started == 0 && l->cancel)
        oy_dns_cancel(l->query);
    if (l->started || l->cancel)
        oy_event_set(&l->done);
}

static oyez_runtime *make(void)
{
    oyez_runtime *runtime = NULL;
    oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    assert_ok(oyez_runtime_new(&options, &runtime));
    return runtime;
}

static void run(oyez_runtime *runtime, lookup *l)
{
    l->task.run = start;
    l->loop = oy_runtime_loop(runtime, 0);
    oy_event_init(&l->done);
    oy_loop_submit(l->loop, &l->task);
    assert_ok(oy_runtime_wait(runtime, &l->done, oy_now() + 60 * OYEZ_SECOND));
}

/* A UDP port of ours: closed, silent, or answering. */
static int open_port(char *ret_server)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    socklen_t len = sizeof(in);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&in, sizeof(in)), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &len), 0);
    (void)snprintf(ret_server, 32, "127.0.0.1:%u", (unsigned)ntohs(in.sin_port));
    return fd;
}

static void closed_port(char *ret_server)
{
    (void)close(open_port(ret_server));
}

static void localhost_needs_no_server(void **state)
{
    char server[32];
    oyez_runtime *runtime = make();
    lookup l = {.host = "localhost", .server = server, .port = 50051};
    bool v4 = false;
    (void)state;
    closed_port(server);
    run(runtime, &l);
    oyez_runtime_unref(runtime);
    assert_ok(l.started);
    assert_ok(l.err);
    assert_int_equal(l.calls, 1);
    for (size_t i = 0; i < l.count; i++)
        v4 = v4 || strcmp(l.texts[i], "127.0.0.1:50051") == 0;
    assert_true(v4);
}

static void literals_need_no_server(void **state)
{
    char server[32];
    oyez_runtime *runtime = make();
    lookup l = {.host = "192.0.2.7", .server = server, .port = 1};
    (void)state;
    closed_port(server);
    run(runtime, &l);
    oyez_runtime_unref(runtime);
    assert_ok(l.err);
    assert_int_equal(l.count, 1);
    assert_string_equal(l.texts[0], "192.0.2.7:1");
}

static void no_server_answers(void **state)
{
    char server[32];
    oyez_runtime *runtime = make();
    lookup l = {.host = "nobody.example", .server = server};
    int64_t begin = oy_now();
    (void)state;
    closed_port(server);
    run(runtime, &l);
    oyez_runtime_unref(runtime);
    assert_ok(l.started);
    assert_int_equal(l.calls, 1);
    assert_err(l.err, OYEZ_EIO);
    assert_non_null(strstr(l.words, "nobody.example"));
    assert_true(oy_now() - begin < 2 * OYEZ_SECOND - 100 * OYEZ_MILLISECOND); /* no try timed out */
}

/* Nobody is asked: the server would be silent. */
static void names_below_invalid_do_not_exist(void **state)
{
    static const char *const names[] = {"nobody.invalid", "INVALID", "a.b.invalid."};
    char server[32], packet[512];
    int fd = open_port(server);
    oyez_runtime *runtime = make();
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        lookup l = {.host = names[i], .server = server};
        run(runtime, &l);
        assert_ok(l.started);
        assert_err(l.err, OYEZ_ENOENT);
        assert_non_null(strstr(l.words, names[i]));
        assert_int_equal(l.calls, 1);
    }
    assert_int_equal(recv(fd, packet, sizeof(packet), MSG_DONTWAIT), -1);
    oyez_runtime_unref(runtime);
    (void)close(fd);
}

static void cancelled_at_once_and_later(void **state)
{
    char server[32];
    int fd = open_port(server); /* never answers */
    oyez_runtime *runtime = make();
    lookup l = {.host = "nobody.example", .server = server, .cancel = true};
    (void)state;
    run(runtime, &l);
    assert_ok(l.started);
    for (int i = 0; i < 20; i++)
        run(runtime, &l);
    oyez_runtime_unref(runtime);
    assert_int_equal(l.calls, 0);
    (void)close(fd);
    oy_dns_cancel(NULL);
}

typedef struct late_cancel {
    oy_task task;
    lookup *l;
    oy_event done;
} late_cancel;

static void run_late_cancel(oy_task *task)
{
    late_cancel *c = oy_container_of(task, late_cancel, task);
    oy_dns_cancel(c->l->query);
    oy_event_set(&c->done);
}

static void cancelled_while_under_way(void **state)
{
    char server[32];
    int fd = open_port(server);
    oyez_runtime *runtime = make();
    lookup l = {.host = "nobody.example", .server = server, .task = {.run = start}};
    late_cancel c = {.task = {.run = run_late_cancel}, .l = &l};
    char packet[512];
    (void)state;
    l.loop = oy_runtime_loop(runtime, 0);
    oy_event_init(&l.done);
    oy_event_init(&c.done);
    oy_loop_submit(l.loop, &l.task);
    assert_true(recv(fd, packet, sizeof(packet), 0) > 12); /* the question is out */
    oy_loop_submit(l.loop, &c.task);
    assert_ok(oy_runtime_wait(runtime, &c.done, oy_now() + 10 * OYEZ_SECOND));
    oyez_runtime_unref(runtime);
    assert_int_equal(l.calls, 0);
    (void)close(fd);
}

/* --- a server of one name --------------------------------------------------------------------- */

typedef struct dns_server {
    int fd;
    bool exists;
    pthread_t thread;
} dns_server;

/* Answers each question for A with two addresses, one of them twice; for AAAA with none. */
static size_t answer(uint8_t *packet, size_t len, bool exists)
{
    static const uint8_t addresses[][4] = {{192, 0, 2, 1}, {192, 0, 2, 2}, {192, 0, 2, 1}};
    size_t end = 12;
    bool is_a;
    while (end < len && packet[end] != 0)
        end += packet[end] + 1u;
    end += 5;
    if (end > len)
        return 0;
    is_a = packet[end - 3] == 1;
    packet[2] = 0x81;
    packet[3] = exists ? 0x80 : 0x83;
    packet[7] = 0;
    packet[9] = packet[11] = 0;
    if (!exists || !is_a)
        return end;
    packet[7] = 3;
    for (size_t i = 0; i < 3; i++) {
        static const uint8_t head[] = {0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4};
        memcpy(packet + end, head, sizeof(head));
        memcpy(packet + end + sizeof(head), addresses[i], 4);
        end += sizeof(head) + 4;
    }
    return end;
}

static void *serve(void *user)
{
    dns_server *s = user;
    for (;;) {
        uint8_t packet[1024];
        struct sockaddr_in from;
        socklen_t from_len = sizeof(from);
        ssize_t len = recvfrom(s->fd, packet, 512, 0, (struct sockaddr *)&from, &from_len);
        if (len <= 12)
            return NULL; /* told to stop */
        size_t out = answer(packet, (size_t)len, s->exists);
        (void)sendto(s->fd, packet, out, 0, (struct sockaddr *)&from, from_len);
    }
}

static void stop_server(dns_server *s, const char *server)
{
    oy_address address;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_ok(oy_address_parse(oy_str(server), &address));
    (void)sendto(fd, "", 0, 0, &address.any, address.len);
    (void)pthread_join(s->thread, NULL);
    (void)close(fd);
    (void)close(s->fd);
}

static void a_server_answers(void **state)
{
    char server[32];
    dns_server s = {.exists = true};
    oyez_runtime *runtime = make();
    lookup l = {.host = "backend.example.", .server = server, .port = 443};
    (void)state;
    s.fd = open_port(server);
    assert_int_equal(pthread_create(&s.thread, NULL, serve, &s), 0);
    run(runtime, &l);
    oyez_runtime_unref(runtime);
    stop_server(&s, server);
    assert_ok(l.err);
    assert_string_equal(l.words, "");
    assert_int_equal(l.count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_true(strcmp(l.texts[i], "192.0.2.1:443") == 0 ||
                    strcmp(l.texts[i], "192.0.2.2:443") == 0);
}

static void the_name_does_not_exist(void **state)
{
    char server[32];
    dns_server s = {.exists = false};
    oyez_runtime *runtime = make();
    lookup l = {.host = "backend.example.", .server = server, .port = 443};
    (void)state;
    s.fd = open_port(server);
    assert_int_equal(pthread_create(&s.thread, NULL, serve, &s), 0);
    run(runtime, &l);
    oyez_runtime_unref(runtime);
    stop_server(&s, server);
    assert_err(l.err, OYEZ_ENOENT);
    assert_non_null(strstr(l.words, "backend.example"));
    assert_int_equal(l.count, 0);
}

static void running_out_of_memory_ends_the_query(void **state)
{
    char server[32];
    (void)state;
    closed_port(server);
    OY_FAULT_WALK()
    {
        oyez_runtime *runtime = NULL;
        oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
        lookup l = {.host = "nobody.example", .server = server};
        if (oyez_runtime_new(&options, &runtime) == 0) {
            run(runtime, &l);
            if (oy_fail_triggered())
                assert_true(l.started == OYEZ_ENOMEM || l.err != 0);
            else
                assert_err(l.err, OYEZ_EIO);
        } else {
            assert_true(oy_fail_triggered());
        }
        oyez_runtime_unref(runtime);
    }
}

static void bad_arguments_are_refused(void **state)
{
    char long_name[400];
    oyez_runtime *runtime = make();
    lookup empty = {.host = "", .server = ""};
    lookup too_long = {.host = long_name, .server = ""};
    lookup bad_server = {.host = "localhost", .server = "not a server"};
    (void)state;
    memset(long_name, 'a', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    run(runtime, &empty);
    run(runtime, &too_long);
    run(runtime, &bad_server);
    oyez_runtime_unref(runtime);
    assert_err(empty.started, OYEZ_EADDR);
    assert_err(too_long.started, OYEZ_EADDR);
    assert_err(bad_server.started, OYEZ_EADDR);
}

OY_TEST_GROUP(e2e_io_dns, oy_leak_test(localhost_needs_no_server),
              oy_leak_test(literals_need_no_server), oy_leak_test(no_server_answers),
              oy_leak_test(names_below_invalid_do_not_exist),
              oy_leak_test(cancelled_at_once_and_later), oy_leak_test(cancelled_while_under_way),
              oy_leak_test(a_server_answers), oy_leak_test(the_name_does_not_exist),
              cmocka_unit_test(running_out_of_memory_ends_the_query),
              oy_leak_test(bad_arguments_are_refused));

#else

static void names_are_not_in_this_build(void **state)
{
    oy_dns_query *query = NULL;
    (void)state;
    assert_err(oy_dns_resolve(NULL, OYEZ_STR("localhost"), 1, OYEZ_STR(""), NULL, NULL, &query),
               OYEZ_EUNSUPPORTED);
    oy_dns_cancel(query);
}

OY_TEST_GROUP(e2e_io_dns, cmocka_unit_test(names_are_not_in_this_build));

#endif

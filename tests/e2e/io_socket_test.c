/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets and watches: connect, listen, accept, peers that reset, unix sockets and their stale
 * files. */
#define _GNU_SOURCE
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "io/loop.h"
#include "support/leak.h"

static void wait_for(int fd, short events)
{
    struct pollfd item = {.fd = fd, .events = events};
    assert_int_equal(poll(&item, 1, 10000), 1);
}

static int listen_at(const char *text, oy_address *ret_address)
{
    oy_address address;
    int fd = -1;
    assert_ok(oy_address_parse(oy_str(text), &address));
    assert_ok(oy_socket_listen(&address, 16, &fd));
    assert_ok(oy_socket_local_address(fd, ret_address));
    return fd;
}

static int connect_to(const oy_address *address)
{
    bool done = false;
    int fd = -1;
    assert_ok(oy_socket_connect(address, &fd, &done));
    if (!done) {
        wait_for(fd, POLLOUT);
        assert_int_equal(oy_socket_connect_result(fd), 0);
    }
    return fd;
}

static int accept_one(int listen_fd, oy_address *ret_peer)
{
    int fd;
    wait_for(listen_fd, POLLIN);
    fd = oy_socket_accept(listen_fd, ret_peer);
    assert_true(fd >= 0);
    return fd;
}

static void check_flags(int fd, bool tcp)
{
    int value = 0;
    socklen_t len = sizeof(value);
    assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    if (!tcp)
        return;
    assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, &len), 0);
    assert_true(value);
}

static void connect_accept_send_receive(void **state)
{
    static const char hello[] = "hello, ", world[] = "world";
    struct iovec vectors[2] = {{(void *)(uintptr_t)hello, 7}, {(void *)(uintptr_t)world, 5}};
    oy_address local, peer, own;
    char text[64];
    int listener = listen_at("127.0.0.1:0", &local), client, server;
    (void)state;
    check_flags(listener, true);
    client = connect_to(&local);
    server = accept_one(listener, &peer);
    check_flags(client, true);
    check_flags(server, true);
    assert_ok(oy_socket_local_address(client, &own));
    assert_true(oy_address_equal(&own, &peer));
    assert_int_equal(oy_socket_accept(listener, &peer), -1);
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(oy_socket_recv(server, text, sizeof(text)), -1);
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(oy_socket_send(client, vectors, 2), 12);
    wait_for(server, POLLIN);
    assert_int_equal(oy_socket_recv(server, text, sizeof(text)), 12);
    assert_memory_equal(text, "hello, world", 12);
    (void)close(client);
    wait_for(server, POLLIN);
    assert_int_equal(oy_socket_recv(server, text, sizeof(text)), 0);
    (void)close(server);
    (void)close(listener);
}

static void nobody_listens(void **state)
{
    oy_address local;
    bool done = false;
    int fd = -1, listener = listen_at("127.0.0.1:0", &local);
    (void)state;
    (void)close(listener);
    if (oy_socket_connect(&local, &fd, &done) == 0) {
        assert_false(done);
        wait_for(fd, POLLOUT);
        assert_int_equal(oy_socket_connect_result(fd), -1);
        (void)close(fd);
    }
    assert_int_equal(errno, ECONNREFUSED);
}

static void an_address_in_use(void **state)
{
    oy_address local;
    int second = -1, listener = listen_at("127.0.0.1:0", &local);
    (void)state;
    assert_err(oy_socket_listen(&local, 16, &second), OYEZ_EADDRINUSE);
    assert_int_equal(errno, EADDRINUSE);
    assert_ok(oy_address_parse(OYEZ_STR("192.0.2.1:0"), &local));
    assert_err(oy_socket_listen(&local, 16, &second), OYEZ_EADDRNOTAVAIL);
    (void)close(listener);
}

static void any_ipv6_takes_ipv4_too(void **state)
{
    oy_address local, v4, peer;
    char text[OY_ADDRESS_TEXT_MAX];
    struct sockaddr_in6 in6;
    int listener = listen_at("[::]:0", &local), client, server;
    (void)state;
    memcpy(&in6, &local.storage, sizeof(in6)); /* the port lies at the same place in both */
    assert_ok(oy_address_from_host(OYEZ_STR("127.0.0.1"), ntohs(in6.sin6_port), &v4));
    client = connect_to(&v4);
    server = accept_one(listener, &peer);
    oy_address_format(&peer, text);
    assert_int_equal(strncmp(text, "127.0.0.1:", 10), 0);
    (void)close(client);
    (void)close(server);
    (void)close(listener);
}

static void a_mapped_address_connects(void **state)
{
    oy_address local, mapped, peer;
    struct sockaddr_in in;
    int listener = listen_at("127.0.0.1:0", &local), client, server;
    (void)state;
    memcpy(&in, &local.storage, sizeof(in));
    assert_ok(oy_address_from_host(OYEZ_STR("::ffff:127.0.0.1"), ntohs(in.sin_port), &mapped));
    client = connect_to(&mapped);
    server = accept_one(listener, &peer);
    (void)close(client);
    (void)close(server);
    (void)close(listener);
}

/* --- unix ------------------------------------------------------------------------------------- */

static void unix_address(char *dir, const char *name, char *path, oy_address *ret_address)
{
    (void)snprintf(path, 100, "%s/%s", dir, name);
    assert_ok(oy_address_unix(oy_str(path), false, ret_address));
}

static void a_stale_unix_socket_is_replaced(void **state)
{
    char dir[] = "/tmp/oyez-io-XXXXXX", path[100], text[OY_ADDRESS_TEXT_MAX], expected[120];
    oy_address address, peer, local;
    struct stat info;
    int first = -1, second = -1, client, server;
    (void)state;
    assert_non_null(mkdtemp(dir));
    unix_address(dir, "sock", path, &address);
    assert_ok(oy_socket_listen(&address, 16, &first));
    check_flags(first, false);
    /* somebody listens: it is not ours to take */
    assert_err(oy_socket_listen(&address, 16, &second), OYEZ_EADDRINUSE);
    (void)close(first);
    assert_int_equal(stat(path, &info), 0);
    assert_ok(oy_socket_listen(&address, 16, &second));
    client = connect_to(&address);
    server = accept_one(second, &peer);
    oy_address_format(&peer, text);
    assert_string_equal(text, "unix:");
    assert_ok(oy_socket_local_address(server, &local));
    oy_address_format(&local, text);
    (void)snprintf(expected, sizeof(expected), "unix:%s", path);
    assert_string_equal(text, expected);
    (void)close(client);
    (void)close(server);
    (void)close(second);
    (void)unlink(path);
    (void)rmdir(dir);
}

static void a_file_that_is_no_socket_stays(void **state)
{
    char dir[] = "/tmp/oyez-io-XXXXXX", path[100];
    oy_address address;
    struct stat info;
    int fd;
    (void)state;
    assert_non_null(mkdtemp(dir));
    unix_address(dir, "file", path, &address);
    fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    (void)close(fd);
    assert_err(oy_socket_listen(&address, 16, &fd), OYEZ_EADDRINUSE);
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISREG(info.st_mode));
    (void)unlink(path);
    unix_address(dir, "no/such/dir", path, &address);
    assert_err(oy_socket_listen(&address, 16, &fd), OYEZ_ENOENT);
    (void)rmdir(dir);
}

static void abstract_sockets_have_no_file(void **state)
{
    char name[64];
    oy_address address, peer;
    int listener = -1, again = -1, client, server;
    (void)state;
    (void)snprintf(name, sizeof(name), "oyez-io-test-%d", (int)getpid());
    assert_ok(oy_address_unix(oy_str(name), true, &address));
    assert_ok(oy_socket_listen(&address, 16, &listener));
    assert_err(oy_socket_listen(&address, 16, &again), OYEZ_EADDRINUSE);
    client = connect_to(&address);
    server = accept_one(listener, &peer);
    (void)close(client);
    (void)close(server);
    (void)close(listener);
}

static void the_peer_of_a_unix_socket_is_known(void **state)
{
    int fds[2], tcp;
    oy_peer_process peer = {0};
    oy_address local;
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    assert_ok(oy_socket_peer_process(fds[0], &peer));
    assert_int_equal(peer.pid, getpid());
    assert_int_equal(peer.uid, getuid());
    assert_int_equal(peer.gid, getgid());
    tcp = listen_at("127.0.0.1:0", &local);
    assert_err(oy_socket_peer_process(tcp, &peer), OYEZ_EUNSUPPORTED);
    assert_err(oy_socket_peer_process(-1, &peer), OYEZ_ESYS);
    (void)close(tcp);
    (void)close(fds[0]);
    (void)close(fds[1]);
}

static void a_users_listener_is_made_fit(void **state)
{
    oy_address local, peer;
    int fd = listen_at("127.0.0.1:0", &local);
    (void)state;
    assert_int_equal(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK), 0);
    assert_int_equal(fcntl(fd, F_SETFD, 0), 0);
    assert_ok(oy_socket_adopt_listener(fd));
    check_flags(fd, false);
    assert_int_equal(oy_socket_accept(fd, &peer), -1);
    assert_int_equal(errno, EAGAIN);
    (void)close(fd);
    assert_err(oy_socket_adopt_listener(fd), OYEZ_EINVAL);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_err(oy_socket_adopt_listener(fd), OYEZ_EINVAL);
    (void)close(fd);
}

static void the_user_timeout_is_set_in_milliseconds(void **state)
{
    oy_address local;
    int fd = listen_at("127.0.0.1:0", &local);
    unsigned value = 0;
    socklen_t len = sizeof(value);
    (void)state;
    oy_socket_set_user_timeout(fd, 20 * OYEZ_SECOND + 1);
    assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &value, &len), 0);
    assert_int_equal(value, 20001);
    (void)close(fd);
}

/* --- watches ---------------------------------------------------------------------------------- */

/* Two ends on one loop. The near end writes without pause; the far end resets. */
typedef struct resetting {
    oy_task task;
    oy_loop *loop;
    oy_watch *watch;
    int near_fd, far_fd;
    unsigned writes;
    int error;
    oy_event done;
} resetting;

static void write_on(void *user, int events)
{
    static char data[65536];
    struct iovec vector = {data, sizeof(data)};
    resetting *r = user;
    (void)events;
    for (int i = 0; i < 4; i++) {
        if (oy_socket_send(r->near_fd, &vector, 1) >= 0) {
            if (++r->writes == 2) {
                struct linger linger = {1, 0};
                (void)setsockopt(r->far_fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
                (void)close(r->far_fd);
            }
            continue;
        }
        if (errno == EAGAIN)
            return;
        r->error = errno;
        /* once more: now the socket is dead, and this is where SIGPIPE would come */
        assert_int_equal(oy_socket_send(r->near_fd, &vector, 1), -1);
        assert_int_equal(errno, EPIPE);
        oy_watch_free(r->watch, true);
        oy_event_set(&r->done);
        return;
    }
}

static void start_writing(oy_task *task)
{
    resetting *r = oy_container_of(task, resetting, task);
    assert_ok(oy_watch_new(r->loop, r->near_fd, write_on, r, &r->watch));
    oy_watch_set(r->watch, OY_READABLE | OY_WRITABLE);
    oy_watch_set(r->watch, OY_WRITABLE);
    oy_watch_set(r->watch, OY_WRITABLE);
}

static void the_process_lives_when_the_peer_resets(void **state)
{
    oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    oyez_runtime *runtime = NULL;
    oy_address local, peer;
    int listener = listen_at("127.0.0.1:0", &local);
    void (*before)(int) = signal(SIGPIPE, SIG_DFL);
    (void)state;
    assert_ok(oyez_runtime_new(&options, &runtime));
    for (int i = 0; i < 20; i++) {
        resetting r = {.task = {.run = start_writing}};
        r.loop = oy_runtime_loop(runtime, 0);
        oy_event_init(&r.done);
        r.near_fd = connect_to(&local);
        r.far_fd = accept_one(listener, &peer);
        oy_loop_submit(r.loop, &r.task);
        assert_ok(oy_runtime_wait(runtime, &r.done, oy_now() + 10 * OYEZ_SECOND));
        assert_true(r.error == ECONNRESET || r.error == EPIPE);
    }
    oyez_runtime_unref(runtime);
    (void)signal(SIGPIPE, before);
    (void)close(listener);
}

/* An error is told to a watch that wants reading alone, again and again until it is taken. */
typedef struct failing {
    oy_task task;
    oy_loop *loop;
    oy_watch *watch;
    int fd, calls, events, error;
    oy_event done;
} failing;

static void on_failure(void *user, int events)
{
    failing *f = user;
    f->events |= events;
    if (++f->calls < 3)
        return;
    f->error = oy_socket_connect_result(f->fd) == 0 ? 0 : errno;
    oy_watch_free(f->watch, true);
    oy_event_set(&f->done);
}

static void start_failing(oy_task *task)
{
    failing *f = oy_container_of(task, failing, task);
    assert_ok(oy_watch_new(f->loop, f->fd, on_failure, f, &f->watch));
    oy_watch_set(f->watch, OY_READABLE);
}

static void an_error_counts_as_both(void **state)
{
    oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    oyez_runtime *runtime = NULL;
    oy_address local, peer;
    int listener = listen_at("127.0.0.1:0", &local), far_fd;
    struct linger linger = {1, 0};
    failing f = {.task = {.run = start_failing}};
    (void)state;
    assert_ok(oyez_runtime_new(&options, &runtime));
    f.loop = oy_runtime_loop(runtime, 0);
    oy_event_init(&f.done);
    f.fd = connect_to(&local);
    far_fd = accept_one(listener, &peer);
    (void)setsockopt(far_fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
    (void)close(far_fd);
    wait_for(f.fd, POLLIN);
    oy_loop_submit(f.loop, &f.task);
    assert_ok(oy_runtime_wait(runtime, &f.done, oy_now() + 10 * OYEZ_SECOND));
    assert_int_equal(f.events, OY_READABLE | OY_WRITABLE);
    assert_int_equal(f.error, ECONNRESET);
    oyez_runtime_unref(runtime);
    (void)close(listener);
}

OY_TEST_GROUP(e2e_io_socket, cmocka_unit_test(connect_accept_send_receive),
              cmocka_unit_test(nobody_listens), cmocka_unit_test(an_address_in_use),
              cmocka_unit_test(any_ipv6_takes_ipv4_too),
              cmocka_unit_test(a_mapped_address_connects),
              cmocka_unit_test(a_stale_unix_socket_is_replaced),
              cmocka_unit_test(a_file_that_is_no_socket_stays),
              cmocka_unit_test(abstract_sockets_have_no_file),
              cmocka_unit_test(the_peer_of_a_unix_socket_is_known),
              cmocka_unit_test(a_users_listener_is_made_fit),
              cmocka_unit_test(the_user_timeout_is_set_in_milliseconds),
              oy_leak_test(the_process_lives_when_the_peer_resets),
              oy_leak_test(an_error_counts_as_both));

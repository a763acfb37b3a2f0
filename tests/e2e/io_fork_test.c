/* SPDX-License-Identifier: Apache-2.0 */
/* A child of fork: everything but freeing is refused, and freeing leaves the parent's traffic
 * alone. */
#define _GNU_SOURCE
#include "support/test.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <oyez/uv.h>

#include "base/clock.h"
#include "io/loop.h"
#include "support/leak.h"

#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#endif
#ifndef UNDER_TSAN
#define UNDER_TSAN 0
#endif

/* A connection of the parent: echoes what it reads. */
typedef struct echo {
    oy_task start, stop;
    oyez_runtime *runtime;
    oy_loop *loop;
    oy_watch *watch;
    oy_hook hook;
    int fds[2];
    oy_event done;
} echo;

static void on_ready(void *user, int events)
{
    echo *e = user;
    char data[64];
    struct iovec vector = {data, 0};
    ssize_t len = oy_socket_recv(e->fds[0], data, sizeof(data));
    (void)events;
    if (len <= 0)
        return;
    vector.iov_len = (size_t)len;
    (void)oy_socket_send(e->fds[0], &vector, 1);
}

static void start_echo(oy_task *task)
{
    echo *e = oy_container_of(task, echo, start);
    assert_ok(oy_watch_new(e->loop, e->fds[0], on_ready, e, &e->watch));
    oy_watch_set(e->watch, OY_READABLE);
    oy_event_set(&e->done);
}

static void never(oy_hook *hook)
{
    echo *e = oy_container_of(hook, echo, hook);
    struct iovec vector = {(void *)(uintptr_t)"child", 5};
    (void)oy_socket_send(e->fds[0], &vector, 1);
}

/* What a connection does in its end; in the child its hook must not run. */
static void stop_echo(oy_task *task)
{
    echo *e = oy_container_of(task, echo, stop);
    assert_true(oy_loop_is_current(e->loop));
    oy_watch_free(e->watch, true);
    e->watch = NULL;
    if (oy_runtime_check(e->runtime) == OYEZ_EFORK) {
        e->hook.run = never;
        oy_loop_at_end_of_pass(e->loop, &e->hook);
    }
    oy_event_set(&e->done);
}

static void open_echo(echo *e, oyez_runtime *runtime)
{
    *e = (echo){.start = {.run = start_echo}, .stop = {.run = stop_echo}, .runtime = runtime};
    e->loop = oy_runtime_loop(runtime, 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, e->fds), 0);
    oy_event_init(&e->done);
    oy_loop_submit(e->loop, &e->start);
}

/* True if the parent's end still answers. `turn`: who turns a manual loop. */
static bool ping(echo *e, void (*turn)(void *), void *user)
{
    char got = 0;
    if (write(e->fds[1], "p", 1) != 1)
        return false;
    for (int i = 0; i < 1000; i++) {
        struct pollfd item = {.fd = e->fds[1], .events = POLLIN};
        if (turn)
            turn(user);
        if (poll(&item, 1, turn ? 1 : 10) == 1)
            return read(e->fds[1], &got, 1) == 1 && got == 'p';
    }
    return false;
}

static void nothing(void *user)
{
    (void)user;
}

/* In the child; returns the exit status. Assertions of cmocka would jump into the parent's
 * tests. */
static int child(oyez_runtime *runtime, echo *e)
{
    oyez_runtime *own = NULL;
    oy_event event;
    oy_event_init(&event);
    if (oy_runtime_check(runtime) != OYEZ_EFORK)
        return 10;
    if (oyez_runtime_post(runtime, nothing, NULL) != OYEZ_EFORK)
        return 11;
    if (oy_runtime_wait(runtime, &event, OYEZ_FOREVER) != OYEZ_EFORK)
        return 12;
    if (oyez_runtime_dispatch(runtime) == 0)
        return 13;
    /* a runtime of its own works (not under TSan, which wants no threads in children) */
    if (!UNDER_TSAN) {
        if (oyez_runtime_new(NULL, &own) != 0)
            return 14;
        oyez_runtime_unref(own);
    }
    /* an upper layer frees its connection: by a task, as always */
    oy_event_init(&e->done);
    oy_loop_submit(e->loop, &e->stop);
    if (e->watch)
        return 15;
    oyez_runtime_unref(runtime);
    return 0;
}

static void wait_for_child(pid_t pid)
{
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_runtime_with_threads(void **state)
{
    oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 2};
    oyez_runtime *runtime = NULL;
    echo e;
    pid_t pid;
    (void)state;
    assert_ok(oyez_runtime_new(&options, &runtime));
    open_echo(&e, runtime);
    assert_ok(oy_runtime_wait(runtime, &e.done, oy_now() + 10 * OYEZ_SECOND));
    assert_true(ping(&e, NULL, NULL));
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child(runtime, &e));
    assert_true(ping(&e, NULL, NULL));
    wait_for_child(pid);
    for (int i = 0; i < 20; i++)
        assert_true(ping(&e, NULL, NULL));
    oy_event_init(&e.done);
    oy_loop_submit(e.loop, &e.stop);
    assert_ok(oy_runtime_wait(runtime, &e.done, oy_now() + 10 * OYEZ_SECOND));
    oyez_runtime_unref(runtime);
    (void)close(e.fds[1]);
}

static void turn(void *user)
{
    assert_ok(oyez_runtime_dispatch(user));
}

static void a_manual_runtime(void **state)
{
    oyez_runtime *runtime = NULL;
    echo e;
    pid_t pid;
    (void)state;
    assert_ok(oyez_runtime_new_manual(NULL, &runtime));
    open_echo(&e, runtime);
    assert_ok(oyez_runtime_dispatch(runtime));
    assert_true(ping(&e, turn, runtime));
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child(runtime, &e));
    wait_for_child(pid);
    for (int i = 0; i < 20; i++)
        assert_true(ping(&e, turn, runtime));
    assert_int_equal(oyez_runtime_timeout_ms(runtime), -1);
    oy_loop_submit(e.loop, &e.stop);
    oyez_runtime_unref(runtime);
    (void)close(e.fds[1]);
}

static void turn_host(void *user)
{
    (void)uv_run(user, UV_RUN_NOWAIT);
}

static void a_lent_loop(void **state)
{
    static uv_loop_t uv;
    oyez_runtime *runtime = NULL;
    echo e;
    pid_t pid;
    (void)state;
    assert_int_equal(uv_loop_init(&uv), 0);
    assert_ok(oyez_runtime_new_uv(&uv, NULL, &runtime));
    open_echo(&e, runtime);
    (void)uv_run(&uv, UV_RUN_NOWAIT);
    assert_true(ping(&e, turn_host, &uv));
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int status = child(runtime, &e);
        if (status == 0 && (uv_run(&uv, UV_RUN_DEFAULT) != 0 || uv_loop_close(&uv) != 0))
            status = 20;
        _exit(status);
    }
    wait_for_child(pid);
    for (int i = 0; i < 20; i++)
        assert_true(ping(&e, turn_host, &uv));
    oy_loop_submit(e.loop, &e.stop);
    oyez_runtime_unref(runtime);
    assert_int_equal(uv_run(&uv, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&uv), 0);
    (void)close(e.fds[1]);
}

static void the_default_runtime_is_made_anew_in_a_child(void **state)
{
    oyez_runtime *runtime = NULL;
    pid_t pid;
    (void)state;
    if (UNDER_TSAN)
        skip();
    assert_ok(oy_runtime_default(&runtime));
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        oyez_runtime *own = NULL;
        if (oy_runtime_default(&own) != 0 || own == runtime || oy_runtime_check(own) != 0)
            _exit(1);
        oyez_runtime_unref(runtime);
        oyez_runtime_unref(own);
        _exit(0);
    }
    wait_for_child(pid);
    oyez_runtime_unref(runtime);
}

/* Somebody forks inside a callback, and the child comes back from it. */
static void fork_and_return(void *user)
{
    pid_t *pid = user;
    *pid = fork();
}

static void a_child_that_comes_back_into_the_loop(void **state)
{
    oyez_runtime *runtime = NULL;
    echo e;
    pid_t pid = -1, parent = getpid();
    oyez_err err;
    (void)state;
    assert_ok(oyez_runtime_new_manual(NULL, &runtime));
    open_echo(&e, runtime);
    assert_ok(oyez_runtime_post(runtime, fork_and_return, &pid));
    assert_int_equal(write(e.fds[1], "x", 1), 1);
    err = oyez_runtime_dispatch(runtime);
    if (getpid() != parent)
        _exit(err != OYEZ_EFORK);
    assert_ok(err);
    assert_true(pid > 0);
    wait_for_child(pid);
    assert_ok(oyez_runtime_turn(runtime, 0));
    {
        char got[4];
        assert_int_equal(read(e.fds[1], got, sizeof(got)), 1); /* one answer, from the parent */
    }
    assert_true(ping(&e, turn, runtime));
    oy_loop_submit(e.loop, &e.stop);
    oyez_runtime_unref(runtime);
    (void)close(e.fds[1]);
}

OY_TEST_GROUP(e2e_io_fork, oy_leak_test(a_runtime_with_threads), oy_leak_test(a_manual_runtime),
              oy_leak_test(a_lent_loop), oy_leak_test(the_default_runtime_is_made_anew_in_a_child),
              oy_leak_test(a_child_that_comes_back_into_the_loop));

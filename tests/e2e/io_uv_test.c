/* SPDX-License-Identifier: Apache-2.0 */
/* A runtime on a uv_loop_t that the host lends. */
#include "support/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <oyez/uv.h>

#include "base/clock.h"
#include "io/loop.h"
#include "support/leak.h"

typedef struct world {
    uv_loop_t uv;
    oyez_runtime *runtime;
    oy_loop *loop;
    int ran;
} world;

static void open_world(world *w)
{
    memset(w, 0, sizeof(*w));
    assert_int_equal(uv_loop_init(&w->uv), 0);
    assert_ok(oyez_runtime_new_uv(&w->uv, NULL, &w->runtime));
    w->loop = oy_runtime_loop(w->runtime, 0);
}

/* As the header says: run once more after the last unref, then close. */
static void close_world(world *w)
{
    w->runtime = oyez_runtime_unref(w->runtime);
    (void)uv_run(&w->uv, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&w->uv), 0);
    assert_int_equal(oy_leak_live_blocks(), 0);
}

static void count(void *user)
{
    world *w = user;
    w->ran++;
    assert_true(oy_loop_is_current(w->loop));
}

static void it_does_not_keep_the_loop_alive(void **state)
{
    world w;
    (void)state;
    open_world(&w);
    assert_int_equal(uv_run(&w.uv, UV_RUN_DEFAULT), 0);
    assert_false(oyez_runtime_is_loop_thread(w.runtime));
    close_world(&w);
}

static void what_is_posted_runs(void **state)
{
    world w;
    (void)state;
    open_world(&w);
    assert_ok(oyez_runtime_post(w.runtime, count, &w));
    assert_ok(oyez_runtime_post(w.runtime, count, &w));
    assert_int_equal(uv_run(&w.uv, UV_RUN_DEFAULT), 0);
    assert_int_equal(w.ran, 2);
    assert_int_equal(w.loop->counts.wakes, 1);
    close_world(&w);
}

static void the_end_runs_what_was_posted(void **state)
{
    world w;
    (void)state;
    open_world(&w);
    assert_ok(oyez_runtime_post(w.runtime, count, &w));
    close_world(&w);
    assert_int_equal(w.ran, 1);
}

static void its_own_functions_are_for_manual_runtimes(void **state)
{
    world w;
    oy_event event;
    (void)state;
    open_world(&w);
    assert_int_equal(oyez_runtime_fd(w.runtime), -1);
    assert_err(oyez_runtime_dispatch(w.runtime), OYEZ_ESTATE);
    assert_err(oyez_runtime_turn(w.runtime, 0), OYEZ_ESTATE);
    oy_event_init(&event);
    assert_err(oy_runtime_wait(w.runtime, &event, OYEZ_FOREVER), OYEZ_EDEADLK);
    assert_true(oy_runtime_is_manual(w.runtime));
    assert_false(oy_runtime_has_workers(w.runtime));
    close_world(&w);
}

typedef struct clocked {
    oy_task task;
    oy_timer timer;
    world *w;
    int64_t at, fired_at;
} clocked;

static void fire(oy_timer *timer)
{
    clocked *c = oy_container_of(timer, clocked, timer);
    c->fired_at = oy_now();
}

static void set_timer(oy_task *task)
{
    clocked *c = oy_container_of(task, clocked, task);
    c->timer.fire = fire;
    c->at = oy_loop_now(c->w->loop) + 30 * OYEZ_MILLISECOND;
    assert_ok(oy_timer_set(c->w->loop, &c->timer, c->at));
}

static void a_timer_keeps_the_loop_alive_until_it_fires(void **state)
{
    world w;
    clocked c = {.task = {.run = set_timer}, .w = &w};
    (void)state;
    open_world(&w);
    oy_loop_submit(w.loop, &c.task);
    assert_int_equal(uv_run(&w.uv, UV_RUN_DEFAULT), 0);
    assert_true(c.fired_at >= c.at);
    close_world(&w);
}

typedef struct watched {
    oy_task task;
    world *w;
    oy_watch *watch;
    int fds[2];
    char got;
} watched;

static void on_ready(void *user, int events)
{
    watched *d = user;
    assert_int_equal(events, OY_READABLE);
    assert_true(oy_loop_is_current(d->w->loop));
    assert_int_equal(oy_socket_recv(d->fds[0], &d->got, 1), 1);
    oy_watch_free(d->watch, true);
}

static void start_watch(oy_task *task)
{
    watched *d = oy_container_of(task, watched, task);
    assert_ok(oy_watch_new(d->w->loop, d->fds[0], on_ready, d, &d->watch));
    oy_watch_set(d->watch, OY_READABLE);
}

static void *write_later(void *user)
{
    watched *d = user;
    if (usleep(20000) != 0 || write(d->fds[1], "!", 1) != 1)
        abort();
    return NULL;
}

static void a_watch_keeps_the_loop_alive(void **state)
{
    world w;
    watched d = {.task = {.run = start_watch}, .w = &w};
    pthread_t thread;
    (void)state;
    open_world(&w);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, d.fds), 0);
    oy_loop_submit(w.loop, &d.task);
    assert_int_equal(pthread_create(&thread, NULL, write_later, &d), 0);
    assert_int_equal(uv_run(&w.uv, UV_RUN_DEFAULT), 0);
    assert_int_equal(d.got, '!');
    (void)pthread_join(thread, NULL);
    (void)close(d.fds[1]);
    close_world(&w);
}

/* The host has a timer of its own; another thread posts while it runs. */
static void *post_later(void *user)
{
    world *w = user;
    if (usleep(20000) != 0 || oyez_runtime_post(w->runtime, count, w) != 0)
        abort();
    return NULL;
}

static void on_host_timer(uv_timer_t *timer)
{
    world *w = timer->data;
    if (w->ran > 0)
        uv_close((uv_handle_t *)timer, NULL);
}

static void another_thread_posts_while_the_host_runs(void **state)
{
    world w;
    uv_timer_t timer;
    pthread_t thread;
    (void)state;
    open_world(&w);
    assert_int_equal(uv_timer_init(&w.uv, &timer), 0);
    timer.data = &w;
    assert_int_equal(uv_timer_start(&timer, on_host_timer, 5, 5), 0);
    assert_int_equal(pthread_create(&thread, NULL, post_later, &w), 0);
    assert_int_equal(uv_run(&w.uv, UV_RUN_DEFAULT), 0);
    (void)pthread_join(thread, NULL);
    assert_int_equal(w.ran, 1);
    close_world(&w);
}

static void drop(void *user)
{
    world *w = user;
    w->runtime = oyez_runtime_unref(w->runtime);
}

static void the_last_reference_may_go_in_a_callback(void **state)
{
    world w;
    (void)state;
    open_world(&w);
    assert_ok(oyez_runtime_post(w.runtime, drop, &w));
    assert_int_equal(uv_run(&w.uv, UV_RUN_DEFAULT), 0);
    assert_null(w.runtime);
    close_world(&w);
}

static void *drop_elsewhere(void *user)
{
    drop(user);
    return NULL;
}

static void the_last_reference_may_go_on_another_thread(void **state)
{
    world w;
    pthread_t thread;
    (void)state;
    open_world(&w);
    assert_int_equal(pthread_create(&thread, NULL, drop_elsewhere, &w), 0);
    (void)pthread_join(thread, NULL);
    /* Nothing keeps the loop alive, so a host that has nothing else to do must poll. */
    uv_async_t host;
    assert_int_equal(uv_async_init(&w.uv, &host, NULL), 0);
    (void)uv_run(&w.uv, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&host, NULL);
    close_world(&w);
}

OY_TEST_GROUP(e2e_io_uv, oy_leak_test(it_does_not_keep_the_loop_alive),
              oy_leak_test(what_is_posted_runs), oy_leak_test(the_end_runs_what_was_posted),
              oy_leak_test(its_own_functions_are_for_manual_runtimes),
              oy_leak_test(a_timer_keeps_the_loop_alive_until_it_fires),
              oy_leak_test(a_watch_keeps_the_loop_alive),
              oy_leak_test(another_thread_posts_while_the_host_runs),
              oy_leak_test(the_last_reference_may_go_in_a_callback),
              oy_leak_test(the_last_reference_may_go_on_another_thread));

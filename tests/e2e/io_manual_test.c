/* SPDX-License-Identifier: Apache-2.0 */
/* Runtimes without threads inside a plain epoll, and blocking waits that turn the loop
 * themselves. */
#define _GNU_SOURCE
#include "support/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/loop.h"
#include "support/leak.h"

/* --- the host: an epoll loop that knows the runtime by its three functions -------------------- */

typedef struct host {
    oyez_runtime *runtime;
    int epoll;
    unsigned turns; /* epoll_wait came back for the runtime */
    bool stop;
} host;

static void host_open(host *h, unsigned max_workers)
{
    struct epoll_event event = {.events = EPOLLIN};
    oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .max_workers = max_workers};
    *h = (host){0};
    assert_ok(oyez_runtime_new_manual(&options, &h->runtime));
    h->epoll = epoll_create1(EPOLL_CLOEXEC);
    assert_true(h->epoll >= 0);
    assert_int_equal(epoll_ctl(h->epoll, EPOLL_CTL_ADD, oyez_runtime_fd(h->runtime), &event), 0);
}

static void host_close(host *h)
{
    h->runtime = oyez_runtime_unref(h->runtime);
    (void)close(h->epoll);
}

/* Turns the host until it is told to stop or the time is over. */
static void host_run(host *h, int64_t limit)
{
    int64_t end = oy_now() + limit;
    while (!h->stop) {
        struct epoll_event event;
        int64_t left = end - oy_now();
        int timeout = oyez_runtime_timeout_ms(h->runtime);
        int max = left > 0 ? (int)((left + OYEZ_MILLISECOND - 1) / OYEZ_MILLISECOND) : 0;
        bool bounded = timeout < 0 || timeout > max;
        int count = epoll_wait(h->epoll, &event, 1, bounded ? max : timeout);
        if (count == 0 && bounded)
            return;
        h->turns++;
        assert_ok(oyez_runtime_dispatch(h->runtime));
    }
}

static void stop_host(void *user)
{
    host *h = user;
    h->stop = true;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void a_task_from_outside_dispatch(void **state)
{
    host h;
    (void)state;
    host_open(&h, 0);
    assert_int_equal(oyez_runtime_timeout_ms(h.runtime), -1);
    assert_ok(oyez_runtime_post(h.runtime, stop_host, &h));
    assert_int_equal(oyez_runtime_timeout_ms(h.runtime), 0);
    host_run(&h, 10 * OYEZ_SECOND);
    assert_true(h.stop);
    assert_int_equal(h.turns, 1);
    assert_int_equal(oyez_runtime_timeout_ms(h.runtime), -1);
    host_close(&h);
}

typedef struct deadline {
    oy_timer timer;
    oy_task task;
    host *h;
    int64_t delay, at, fired_at;
} deadline;

static void fire_deadline(oy_timer *timer)
{
    deadline *d = oy_container_of(timer, deadline, timer);
    d->fired_at = oy_now();
    d->h->stop = true;
}

static void start_deadline(oy_task *task)
{
    deadline *d = oy_container_of(task, deadline, task);
    oy_loop *loop = oy_runtime_loop(d->h->runtime, 0);
    assert_true(oy_loop_is_current(loop));
    d->timer.fire = fire_deadline;
    d->at = oy_loop_now(loop) + d->delay;
    assert_ok(oy_timer_set(loop, &d->timer, d->at));
}

/* libuv's clock is as old as its last turn; ours must not be. */
static void a_deadline_after_200_ms_of_idleness(void **state)
{
    host h;
    deadline d = {.task = {.run = start_deadline}, .delay = 50 * OYEZ_MILLISECOND, .h = &h};
    struct timespec idle = {0, 200000000};
    (void)state;
    host_open(&h, 0);
    (void)nanosleep(&idle, NULL);
    oy_loop_submit(oy_runtime_loop(h.runtime, 0), &d.task);
    host_run(&h, 10 * OYEZ_SECOND);
    assert_true(h.stop);
    assert_true(d.fired_at >= d.at);
    assert_true(d.fired_at - d.at < 5 * OYEZ_SECOND);
    assert_true(h.turns <= 4);
    host_close(&h);
}

static void no_wake_ups_while_idle(void **state)
{
    host h;
    deadline d = {.task = {.run = start_deadline}, .delay = 150 * OYEZ_MILLISECOND, .h = &h};
    (void)state;
    host_open(&h, 0);
    host_run(&h, 100 * OYEZ_MILLISECOND);
    assert_int_equal(h.turns, 0);
    assert_ok(oyez_runtime_dispatch(h.runtime));
    host_run(&h, 100 * OYEZ_MILLISECOND);
    assert_int_equal(h.turns, 0);
    /* With a deadline ahead it sleeps until then, and not less. */
    oy_loop_submit(oy_runtime_loop(h.runtime, 0), &d.task);
    host_run(&h, 10 * OYEZ_SECOND);
    assert_true(d.fired_at >= d.at);
    assert_true(h.turns <= 3);
    host_close(&h);
}

static void *post_later(void *user)
{
    host *h = user;
    struct timespec wait = {0, 30000000};
    (void)nanosleep(&wait, NULL);
    if (oyez_runtime_post(h->runtime, stop_host, h) != 0)
        abort();
    return NULL;
}

static void a_submission_from_another_thread(void **state)
{
    host h;
    pthread_t thread;
    (void)state;
    host_open(&h, 0);
    assert_int_equal(pthread_create(&thread, NULL, post_later, &h), 0);
    host_run(&h, 10 * OYEZ_SECOND);
    assert_true(h.stop);
    assert_int_equal(h.turns, 1);
    (void)pthread_join(thread, NULL);
    host_close(&h);
}

/* A watch made in a task: the kernel must know it before the host sleeps. */
typedef struct watcher {
    oy_task task;
    host *h;
    oy_watch *watch;
    int fds[2];
    int events;
} watcher;

static void on_ready(void *user, int events)
{
    watcher *w = user;
    w->events = events;
    oy_watch_free(w->watch, false); /* inside its own callback */
    w->watch = NULL;
    w->h->stop = true;
}

static void start_watch(oy_task *task)
{
    watcher *w = oy_container_of(task, watcher, task);
    assert_ok(oy_watch_new(oy_runtime_loop(w->h->runtime, 0), w->fds[0], on_ready, w, &w->watch));
    oy_watch_set(w->watch, OY_READABLE);
}

static void a_watch_is_known_when_dispatch_returns(void **state)
{
    host h;
    watcher w = {.task = {.run = start_watch}, .h = &h};
    struct epoll_event event;
    (void)state;
    host_open(&h, 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, w.fds), 0);
    oy_loop_submit(oy_runtime_loop(h.runtime, 0), &w.task);
    assert_ok(oyez_runtime_dispatch(h.runtime));
    assert_int_equal(oyez_runtime_timeout_ms(h.runtime), -1);
    assert_int_equal(epoll_wait(h.epoll, &event, 1, 0), 0);
    assert_int_equal(write(w.fds[1], "x", 1), 1);
    assert_int_equal(epoll_wait(h.epoll, &event, 1, 0), 1);
    host_run(&h, 10 * OYEZ_SECOND);
    assert_int_equal(w.events, OY_READABLE);
    assert_int_equal(h.turns, 1);
    (void)close(w.fds[0]);
    (void)close(w.fds[1]);
    host_close(&h);
}

static void re_enter(void *user)
{
    host *h = user;
    oy_event event;
    oy_event_init(&event);
    assert_err(oyez_runtime_dispatch(h->runtime), OYEZ_EDEADLK);
    assert_err(oyez_runtime_turn(h->runtime, 10), OYEZ_EDEADLK);
    assert_err(oy_runtime_wait(h->runtime, &event, OYEZ_FOREVER), OYEZ_EDEADLK);
    assert_true(oyez_runtime_is_loop_thread(h->runtime));
    h->stop = true;
}

static void dispatch_is_not_re_entrant(void **state)
{
    host h;
    (void)state;
    host_open(&h, 0);
    assert_ok(oyez_runtime_post(h.runtime, re_enter, &h));
    assert_false(oyez_runtime_is_loop_thread(h.runtime));
    assert_ok(oyez_runtime_turn(h.runtime, -1));
    assert_true(h.stop);
    host_close(&h);
}

static void drop_runtime(void *user)
{
    host *h = user;
    h->runtime = oyez_runtime_unref(h->runtime);
    h->stop = true;
}

static void the_last_reference_may_go_inside_dispatch(void **state)
{
    host h;
    (void)state;
    host_open(&h, 0);
    assert_ok(oyez_runtime_post(h.runtime, drop_runtime, &h));
    assert_ok(oyez_runtime_dispatch(h.runtime));
    assert_null(h.runtime);
    assert_int_equal(oy_leak_live_blocks(), 0);
    host_close(&h);
}

static void the_end_runs_what_was_posted(void **state)
{
    host h;
    (void)state;
    host_open(&h, 0);
    assert_ok(oyez_runtime_post(h.runtime, stop_host, &h));
    host_close(&h);
    assert_true(h.stop);
}

static void turn_waits_no_longer_than_told(void **state)
{
    host h;
    int64_t start;
    (void)state;
    host_open(&h, 0);
    start = oy_now();
    assert_ok(oyez_runtime_turn(h.runtime, 0));
    assert_ok(oyez_runtime_turn(h.runtime, 30));
    assert_true(oy_now() - start >= 29 * OYEZ_MILLISECOND);
    assert_int_equal(oyez_runtime_timeout_ms(h.runtime), -1);
    host_close(&h);
}

/* A task that submits itself for ever: dispatch returns all the same, and the descriptor says
 * "again". */
typedef struct eternal {
    oy_task task;
    oy_loop *loop;
    unsigned rounds;
    bool stop;
} eternal;

static void run_eternal(oy_task *task)
{
    eternal *e = oy_container_of(task, eternal, task);
    e->rounds++;
    if (!e->stop)
        oy_loop_submit(e->loop, task);
}

static void dispatch_is_bounded(void **state)
{
    host h;
    eternal e = {.task = {.run = run_eternal}};
    struct epoll_event event;
    (void)state;
    host_open(&h, 0);
    e.loop = oy_runtime_loop(h.runtime, 0);
    oy_loop_submit(e.loop, &e.task);
    assert_ok(oyez_runtime_dispatch(h.runtime));
    assert_true(e.rounds >= 1 && e.rounds < 200);
    assert_int_equal(oyez_runtime_timeout_ms(h.runtime), 0);
    assert_int_equal(epoll_wait(h.epoll, &event, 1, 0), 1);
    e.stop = true;
    assert_ok(oyez_runtime_dispatch(h.runtime));
    assert_int_equal(oyez_runtime_timeout_ms(h.runtime), -1);
    assert_int_equal(epoll_wait(h.epoll, &event, 1, 0), 0);
    host_close(&h);
}

/* --- blocking --------------------------------------------------------------------------------- */

typedef struct setter {
    oy_task task;
    oy_event event;
    oyez_runtime *runtime;
} setter;

static void run_setter(oy_task *task)
{
    setter *s = oy_container_of(task, setter, task);
    oy_event_set(&s->event);
}

static void a_blocking_wait_turns_the_loop(void **state)
{
    host h;
    (void)state;
    host_open(&h, 0);
    for (int i = 0; i < 100; i++) {
        setter s = {.task = {.run = run_setter}};
        oy_event_init(&s.event);
        oy_loop_submit(oy_runtime_loop(h.runtime, 0), &s.task);
        assert_ok(oy_runtime_wait(h.runtime, &s.event, OYEZ_FOREVER));
        memset(&s, 0xff, sizeof(s));
    }
    host_close(&h);
}

static void a_blocking_wait_times_out(void **state)
{
    host h;
    oy_event event;
    int64_t start;
    (void)state;
    host_open(&h, 0);
    oy_event_init(&event);
    start = oy_now();
    assert_err(oy_runtime_wait(h.runtime, &event, start + 20 * OYEZ_MILLISECOND), OYEZ_ETIMEDOUT);
    assert_true(oy_now() - start >= 20 * OYEZ_MILLISECOND);
    oy_event_set(&event);
    assert_ok(oy_runtime_wait(h.runtime, &event, OYEZ_FOREVER));
    host_close(&h);
}

/* The event is set by a worker: the turning loop must be woken, and the end must not lose the
 * wake-up. */
static void a_worker_ends_the_wait_of_the_turning_thread(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        host h;
        setter s = {.task = {.run = run_setter}};
        host_open(&h, 2);
        oy_event_init(&s.event);
        oy_workers_submit(h.runtime, &s.task);
        assert_ok(oy_runtime_wait(h.runtime, &s.event, OYEZ_FOREVER));
        memset(&s.event, 0xff, sizeof(s.event));
        host_close(&h);
    }
}

/* A thread that does not own the runtime waits while the owner turns. */
static void *wait_elsewhere(void *user)
{
    setter *s = user;
    if (oy_runtime_wait(s->runtime, &s->event, oy_now() + 10 * OYEZ_SECOND) != 0)
        abort();
    return NULL;
}

static void other_threads_wait_for_the_owner(void **state)
{
    host h;
    pthread_t thread;
    setter s = {.task = {.run = run_setter}};
    struct timespec wait = {0, 20000000};
    (void)state;
    host_open(&h, 0);
    s.runtime = h.runtime;
    oy_event_init(&s.event);
    assert_int_equal(pthread_create(&thread, NULL, wait_elsewhere, &s), 0);
    (void)nanosleep(&wait, NULL);
    oy_loop_submit(oy_runtime_loop(h.runtime, 0), &s.task);
    host_run(&h, 50 * OYEZ_MILLISECOND);
    (void)pthread_join(thread, NULL);
    host_close(&h);
}

OY_TEST_GROUP(e2e_io_manual, oy_leak_test(a_task_from_outside_dispatch),
              oy_leak_test(a_deadline_after_200_ms_of_idleness),
              oy_leak_test(no_wake_ups_while_idle), oy_leak_test(a_submission_from_another_thread),
              oy_leak_test(a_watch_is_known_when_dispatch_returns),
              oy_leak_test(dispatch_is_not_re_entrant),
              oy_leak_test(the_last_reference_may_go_inside_dispatch),
              oy_leak_test(the_end_runs_what_was_posted),
              oy_leak_test(turn_waits_no_longer_than_told), oy_leak_test(dispatch_is_bounded),
              oy_leak_test(a_blocking_wait_turns_the_loop), oy_leak_test(a_blocking_wait_times_out),
              oy_leak_test(a_worker_ends_the_wait_of_the_turning_thread),
              oy_leak_test(other_threads_wait_for_the_owner));

/* SPDX-License-Identifier: Apache-2.0 */
/* Runtimes with threads: tasks, timers, hooks, waiting, and the many ways in which one can end. */
#define _GNU_SOURCE
#include "support/test.h"

#include <oyez/limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "io/loop.h"
#include "support/leak.h"

static oyez_runtime *make(unsigned loops)
{
    oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = loops};
    oyez_runtime *runtime = NULL;
    assert_ok(oyez_runtime_new(&options, &runtime));
    return runtime;
}

static void pause_ms(int ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

/* Runs a function on a loop and waits for it. */
typedef struct on_loop {
    oy_task task;
    void (*fn)(oy_loop *loop, void *user);
    oy_loop *loop;
    void *user;
    oy_event done;
} on_loop;

static void run_on_loop(oy_task *task)
{
    on_loop *job = oy_container_of(task, on_loop, task);
    job->fn(job->loop, job->user);
    oy_event_set(&job->done);
}

static void do_on_loop(oy_loop *loop, void (*fn)(oy_loop *, void *), void *user)
{
    on_loop job = {.task = {.run = run_on_loop}, .fn = fn, .loop = loop, .user = user};
    oy_event_init(&job.done);
    oy_loop_submit(loop, &job.task);
    assert_ok(oy_runtime_wait(oy_loop_runtime(loop), &job.done, OYEZ_FOREVER));
}

/* --- tasks ------------------------------------------------------------------------------------ */

typedef struct numbered {
    oy_task task;
    unsigned number;
    struct numbered_log *log;
} numbered;

typedef struct numbered_log {
    unsigned next;
    bool in_order;
    unsigned expected;
    oy_event all;
} numbered_log;

static void run_numbered(oy_task *task)
{
    numbered *n = oy_container_of(task, numbered, task);
    numbered_log *log = n->log;
    if (n->number != log->next++)
        log->in_order = false;
    if (log->next == log->expected)
        oy_event_set(&log->all);
}

/* Keeps the loop busy until it may go on. */
typedef struct gate {
    oy_task task;
    oy_event entered;
    _Atomic(int) open;
} gate;

static void run_gate(oy_task *task)
{
    gate *g = oy_container_of(task, gate, task);
    oy_event_set(&g->entered);
    while (!atomic_load(&g->open))
        pause_ms(1);
}

static void read_wakes(oy_loop *loop, void *user)
{
    *(uint64_t *)user = loop->counts.wakes;
}

static void submissions_fold_into_one_wake_up(void **state)
{
    enum { COUNT = 1000 };
    static numbered tasks[COUNT];
    numbered_log log = {.in_order = true, .expected = COUNT};
    oyez_runtime *runtime = make(1);
    oy_loop *loop = oy_runtime_loop(runtime, 0);
    gate g = {.task = {.run = run_gate}};
    uint64_t wakes = 0;
    (void)state;
    oy_event_init(&log.all);
    oy_event_init(&g.entered);
    oy_loop_submit(loop, &g.task);
    assert_ok(oy_runtime_wait(runtime, &g.entered, OYEZ_FOREVER));
    /* The loop is busy: none of these wakes it. */
    for (unsigned i = 0; i < COUNT; i++) {
        tasks[i] = (numbered){.task = {.run = run_numbered}, .number = i, .log = &log};
        oy_loop_submit(loop, &tasks[i].task);
    }
    atomic_store(&g.open, 1);
    assert_ok(oy_runtime_wait(runtime, &log.all, OYEZ_FOREVER));
    assert_true(log.in_order);
    do_on_loop(loop, read_wakes, &wakes);
    /* one for the gate, and one for the question, should the loop have slept before it */
    assert_true(wakes == 1 || wakes == 2);
    oyez_runtime_unref(runtime);
}

typedef struct flood {
    oyez_runtime *runtime;
    pthread_t thread;
    unsigned count;
} flood;

static _Atomic(unsigned) flood_ran;

static void flood_task(void *user)
{
    (void)user;
    atomic_fetch_add_explicit(&flood_ran, 1, memory_order_relaxed);
}

static void *run_flood(void *user)
{
    flood *f = user;
    for (unsigned i = 0; i < f->count; i++)
        if (oyez_runtime_post(f->runtime, flood_task, NULL) != 0)
            abort();
    return NULL;
}

static void a_hundred_thousand_submissions_from_four_threads(void **state)
{
    flood floods[4];
    oyez_runtime *runtime = make(2);
    (void)state;
    atomic_store(&flood_ran, 0);
    for (unsigned i = 0; i < 4; i++) {
        floods[i] = (flood){.runtime = runtime, .count = 25000};
        assert_int_equal(pthread_create(&floods[i].thread, NULL, run_flood, &floods[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++)
        (void)pthread_join(floods[i].thread, NULL);
    oyez_runtime_unref(runtime); /* runs what is left */
    assert_int_equal(atomic_load(&flood_ran), 100000);
}

/* A task that submits itself must not starve the rest. */
typedef struct eternal {
    oy_task task;
    oy_loop *loop;
    _Atomic(int) stop;
    _Atomic(unsigned) rounds;
    oy_event stopped;
} eternal;

static void run_eternal(oy_task *task)
{
    eternal *e = oy_container_of(task, eternal, task);
    atomic_fetch_add(&e->rounds, 1);
    if (atomic_load(&e->stop))
        oy_event_set(&e->stopped);
    else
        oy_loop_submit(e->loop, task);
}

typedef struct alarm_clock {
    oy_timer timer;
    oy_loop *loop;
    int64_t at, fired_at;
    int fired;
    oy_event done;
} alarm_clock;

static void ring(oy_timer *timer)
{
    alarm_clock *a = oy_container_of(timer, alarm_clock, timer);
    a->fired++;
    a->fired_at = oy_now();
    oy_event_set(&a->done);
}

static void set_alarm(oy_loop *loop, void *user)
{
    alarm_clock *a = user;
    a->timer.fire = ring;
    a->loop = loop;
    assert_ok(oy_timer_set(loop, &a->timer, a->at));
}

static void tasks_do_not_starve_timers(void **state)
{
    oyez_runtime *runtime = make(1);
    oy_loop *loop = oy_runtime_loop(runtime, 0);
    eternal e = {.task = {.run = run_eternal}, .loop = loop};
    alarm_clock a = {.at = oy_now() + 20 * OYEZ_MILLISECOND};
    (void)state;
    oy_event_init(&e.stopped);
    oy_event_init(&a.done);
    oy_loop_submit(loop, &e.task);
    do_on_loop(loop, set_alarm, &a);
    assert_ok(oy_runtime_wait(runtime, &a.done, oy_now() + 10 * OYEZ_SECOND));
    atomic_store(&e.stop, 1);
    assert_ok(oy_runtime_wait(runtime, &e.stopped, oy_now() + 10 * OYEZ_SECOND));
    assert_true(atomic_load(&e.rounds) > 1);
    oyez_runtime_unref(runtime);
}

/* --- timers ----------------------------------------------------------------------------------- */

enum { ALARMS = 40 };

static void set_alarms(oy_loop *loop, void *user)
{
    alarm_clock *alarms = user;
    for (size_t i = 0; i < ALARMS; i++)
        set_alarm(loop, &alarms[i]);
}

static void timers_fire_in_order_and_never_early(void **state)
{
    static alarm_clock alarms[ALARMS];
    oyez_runtime *runtime = make(1);
    oy_loop *loop = oy_runtime_loop(runtime, 0);
    int64_t start = oy_now(), worst = 0;
    (void)state;
    memset(alarms, 0, sizeof(alarms));
    for (size_t i = 0; i < ALARMS; i++) {
        oy_event_init(&alarms[i].done);
        /* odd nanoseconds, not in order */
        alarms[i].at = start + (int64_t)((i * 7) % ALARMS) * 1234567;
    }
    do_on_loop(loop, set_alarms, alarms);
    for (size_t i = 0; i < ALARMS; i++)
        assert_ok(oy_runtime_wait(runtime, &alarms[i].done, start + 10 * OYEZ_SECOND));
    for (size_t i = 0; i < ALARMS; i++) {
        int64_t late = alarms[i].fired_at - alarms[i].at;
        assert_int_equal(alarms[i].fired, 1);
        assert_true(late >= 0);
        worst = late > worst ? late : worst;
        for (size_t j = 0; j < ALARMS; j++)
            if (alarms[i].at < alarms[j].at)
                assert_true(alarms[i].fired_at <= alarms[j].fired_at);
    }
    print_message("timers: latest by %.2f ms\n", (double)worst / 1e6);
    oyez_runtime_unref(runtime);
}

static void move_and_unset(oy_loop *loop, void *user)
{
    alarm_clock *alarms = user;
    set_alarm(loop, &alarms[0]);
    set_alarm(loop, &alarms[1]);
    set_alarm(loop, &alarms[2]);
    assert_ok(oy_timer_set(loop, &alarms[0].timer, oy_now() + 30 * OYEZ_MILLISECOND));
    oy_timer_unset(loop, &alarms[1].timer);
    assert_ok(oy_timer_set(loop, &alarms[2].timer, OYEZ_FOREVER));
}

static void unset_timers_do_not_fire(void **state)
{
    alarm_clock alarms[3] = {0};
    oyez_runtime *runtime = make(1);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        oy_event_init(&alarms[i].done);
        alarms[i].at = oy_now() + 10 * OYEZ_MILLISECOND;
    }
    do_on_loop(oy_runtime_loop(runtime, 0), move_and_unset, alarms);
    assert_ok(oy_runtime_wait(runtime, &alarms[0].done, oy_now() + 10 * OYEZ_SECOND));
    oyez_runtime_unref(runtime);
    assert_int_equal(alarms[0].fired, 1);
    assert_int_equal(alarms[1].fired, 0);
    assert_int_equal(alarms[2].fired, 0);
}

/* --- hooks ------------------------------------------------------------------------------------ */

typedef struct flusher {
    oy_hook hook, dropped;
    oy_loop *loop;
    int runs, dropped_runs, asked_again;
} flusher;

static void run_flush(oy_hook *hook)
{
    flusher *f = oy_container_of(hook, flusher, hook);
    f->runs++;
    if (f->asked_again++ < 1)
        oy_loop_at_end_of_pass(f->loop, hook);
}

static void run_dropped(oy_hook *hook)
{
    flusher *f = oy_container_of(hook, flusher, dropped);
    f->dropped_runs++;
}

static void ask_often(oy_loop *loop, void *user)
{
    flusher *f = user;
    f->loop = loop;
    f->hook.run = run_flush;
    f->dropped.run = run_dropped;
    for (int i = 0; i < 10; i++)
        oy_loop_at_end_of_pass(loop, &f->hook);
    oy_loop_at_end_of_pass(loop, &f->dropped);
    oy_loop_drop_hook(&f->dropped);
    assert_int_equal(f->runs, 0);
}

static void look(oy_loop *loop, void *user)
{
    (void)loop;
    (void)user;
}

static void hooks_run_once_at_the_end_of_the_pass(void **state)
{
    flusher f = {0};
    oyez_runtime *runtime = make(1);
    oy_loop *loop = oy_runtime_loop(runtime, 0);
    (void)state;
    do_on_loop(loop, ask_often, &f);
    do_on_loop(loop, look, NULL);
    do_on_loop(loop, look, NULL);
    oyez_runtime_unref(runtime);
    assert_int_equal(f.runs, 2); /* once, and once because it asked again */
    assert_int_equal(f.dropped_runs, 0);
}

/* --- threads and waiting ---------------------------------------------------------------------- */

static void check_thread(oy_loop *loop, void *user)
{
    char name[32];
    sigset_t blocked;
    oy_event never;
    oyez_runtime *runtime = oy_loop_runtime(loop);
    (void)user;
    assert_int_equal(pthread_getname_np(pthread_self(), name, sizeof(name)), 0);
    assert_string_equal(name, oy_loop_index(loop) ? "oyez-loop-1" : "oyez-loop-0");
    (void)pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    assert_true(sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGPIPE));
    assert_true(oy_loop_is_current(loop));
    assert_true(oy_runtime_on_loop(runtime));
    assert_true(oyez_runtime_is_loop_thread(runtime));
    assert_true(oy_loop_now(loop) <= oy_now());
    oy_event_init(&never);
    assert_err(oy_runtime_wait(runtime, &never, OYEZ_FOREVER), OYEZ_EDEADLK);
}

static void loop_threads_know_themselves(void **state)
{
    oyez_runtime *runtime = make(2);
    (void)state;
    assert_int_equal(oy_runtime_loop_count(runtime), 2);
    assert_true(oy_runtime_pick_loop(runtime) != oy_runtime_pick_loop(runtime));
    for (unsigned i = 0; i < 2; i++) {
        assert_false(oy_loop_is_current(oy_runtime_loop(runtime, i)));
        do_on_loop(oy_runtime_loop(runtime, i), check_thread, NULL);
    }
    assert_false(oyez_runtime_is_loop_thread(runtime));
    assert_int_equal(oyez_runtime_fd(runtime), -1);
    assert_int_equal(oyez_runtime_timeout_ms(runtime), -1);
    assert_err(oyez_runtime_dispatch(runtime), OYEZ_ESTATE);
    assert_err(oyez_runtime_turn(runtime, 0), OYEZ_ESTATE);
    oyez_runtime_unref(runtime);
}

static void a_wait_times_out_and_can_be_repeated(void **state)
{
    oyez_runtime *runtime = make(1);
    oy_event event;
    int64_t start = oy_now();
    (void)state;
    oy_event_init(&event);
    assert_err(oy_runtime_wait(runtime, &event, start + 15 * OYEZ_MILLISECOND), OYEZ_ETIMEDOUT);
    assert_true(oy_now() - start >= 15 * OYEZ_MILLISECOND);
    oy_event_set(&event);
    assert_ok(oy_runtime_wait(runtime, &event, 0));
    oyez_runtime_unref(runtime);
}

/* An event on the stack of a function that returns at once: the setter must not touch it. */
static void set_event(oy_task *task)
{
    on_loop *job = oy_container_of(task, on_loop, task);
    oy_event_set(&job->done);
}

static void __attribute__((noinline)) one_short_wait(oyez_runtime *runtime, oy_loop *loop)
{
    on_loop job = {.task = {.run = set_event}};
    oy_event_init(&job.done);
    oy_loop_submit(loop, &job.task);
    assert_ok(oy_runtime_wait(runtime, &job.done, OYEZ_FOREVER));
    memset(&job, 0xff, sizeof(job));
}

static void events_may_go_as_soon_as_they_are_set(void **state)
{
    oyez_runtime *runtime = make(1);
    (void)state;
    for (int i = 0; i < 3000; i++)
        one_short_wait(runtime, oy_runtime_loop(runtime, 0));
    oyez_runtime_unref(runtime);
}

static void one_loop_a_core(void **state)
{
    const int64_t cores = sysconf(_SC_NPROCESSORS_ONLN);
    oyez_runtime *runtime;
    (void)state;
    assert_ok(oyez_runtime_new(NULL, &runtime));
    assert_in_range(oy_runtime_loop_count(runtime), 1, OYEZ_LIMIT_LOOPS_BY_DEFAULT);
    assert_true(oy_runtime_loop_count(runtime) <= cores);
    oyez_runtime_unref(runtime);
    assert_ok(oyez_runtime_new(
        &(oyez_runtime_options){OYEZ_RUNTIME_OPTIONS_INIT, .loops = OYEZ_LIMIT_LOOPS}, &runtime));
    assert_int_equal(oy_runtime_loop_count(runtime), OYEZ_LIMIT_LOOPS);
    oyez_runtime_unref(runtime);
}

static void bad_options_are_refused(void **state)
{
    oyez_runtime *runtime = NULL;
    (void)state;
    assert_err(
        oyez_runtime_new(&(oyez_runtime_options){OYEZ_RUNTIME_OPTIONS_INIT, .loops = 65}, &runtime),
        OYEZ_EINVAL);
    assert_err(oyez_runtime_new(
                   &(oyez_runtime_options){OYEZ_RUNTIME_OPTIONS_INIT, .worker_idle = -1}, &runtime),
               OYEZ_EINVAL);
    assert_err(oyez_runtime_post(NULL, flood_task, NULL), OYEZ_ENULL);
    assert_null(runtime);
    assert_null(oyez_runtime_unref(NULL));
}

/* --- ends ------------------------------------------------------------------------------------- */

static void wait_until_nothing_lives(void)
{
    for (int i = 0; i < 5000 && oy_leak_live_blocks() > 0; i++)
        pause_ms(1);
}

static void drop_runtime(void *user)
{
    oyez_runtime_unref(user);
}

static void the_last_reference_may_go_on_a_loop_thread(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        oyez_runtime *runtime = make(2);
        assert_ok(oyez_runtime_post(runtime, drop_runtime, runtime));
        wait_until_nothing_lives();
    }
}

typedef struct last_drop {
    oy_task task;
    oyez_runtime *runtime;
} last_drop;

static void run_last_drop(oy_task *task)
{
    last_drop *drop = oy_container_of(task, last_drop, task);
    oyez_runtime_unref(drop->runtime);
}

static void the_last_reference_may_go_on_a_worker(void **state)
{
    static last_drop drop;
    (void)state;
    for (int i = 0; i < 20; i++) {
        oyez_runtime *runtime = make(2);
        drop = (last_drop){.task = {.run = run_last_drop}, .runtime = runtime};
        oy_workers_submit(runtime, &drop.task);
        wait_until_nothing_lives();
    }
}

/* Whoever submits must not touch the loop once the task can run: here each task ends the
 * runtime. */
static void the_submitter_may_lose_the_race_with_the_end(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        oyez_runtime *runtime = make(1);
        static last_drop drop;
        drop = (last_drop){.task = {.run = run_last_drop}, .runtime = runtime};
        if (i % 3 == 0)
            pause_ms(1);
        oy_loop_submit(oy_runtime_loop(runtime, 0), &drop.task);
        wait_until_nothing_lives();
    }
}

static void the_default_runtime_is_counted(void **state)
{
    oyez_runtime *a = NULL, *b = NULL, *c = NULL;
    (void)state;
    assert_ok(oy_runtime_default(&a));
    assert_ok(oy_runtime_default(&b));
    assert_ptr_equal(a, b);
    assert_true(oy_runtime_loop_count(a) >= 1 && oy_runtime_loop_count(a) <= 4);
    assert_true(oy_runtime_has_workers(a));
    assert_false(oy_runtime_is_manual(a));
    oyez_runtime_unref(a);
    oyez_runtime_unref(b);
    assert_int_equal(oy_leak_live_blocks(), 0);
    assert_ok(oy_runtime_default(&c));
    oyez_runtime_unref(c);
}

static void running_out_of_memory_is_an_error(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        oyez_runtime *runtime = NULL;
        oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 2};
        oyez_err err = oyez_runtime_new(&options, &runtime);
        if (!err)
            err = oyez_runtime_post(runtime, flood_task, NULL);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : 0);
        oyez_runtime_unref(runtime);
    }
}

OY_TEST_GROUP(
    e2e_io_loop, oy_leak_test(submissions_fold_into_one_wake_up),
    oy_leak_test(a_hundred_thousand_submissions_from_four_threads),
    oy_leak_test(tasks_do_not_starve_timers), oy_leak_test(timers_fire_in_order_and_never_early),
    oy_leak_test(unset_timers_do_not_fire), oy_leak_test(hooks_run_once_at_the_end_of_the_pass),
    oy_leak_test(loop_threads_know_themselves), oy_leak_test(a_wait_times_out_and_can_be_repeated),
    oy_leak_test(events_may_go_as_soon_as_they_are_set), oy_leak_test(one_loop_a_core),
    oy_leak_test(bad_options_are_refused),
    oy_leak_test(the_last_reference_may_go_on_a_loop_thread),
    oy_leak_test(the_last_reference_may_go_on_a_worker),
    oy_leak_test(the_submitter_may_lose_the_race_with_the_end),
    oy_leak_test(the_default_runtime_is_counted),
    cmocka_unit_test(running_out_of_memory_is_an_error));

/* SPDX-License-Identifier: Apache-2.0 */
/* Workers: as many as needed and allowed, in order, gone when idle; and what a hand-over in batches
 * costs. */
#define _GNU_SOURCE
#include "support/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "io/loop.h"
#include "support/leak.h"

static oyez_runtime *make(unsigned max_workers, oyez_duration idle)
{
    oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1,
                                    .max_workers = max_workers, .worker_idle = idle};
    oyez_runtime *runtime = NULL;
    assert_ok(oyez_runtime_new(&options, &runtime));
    return runtime;
}

static void pause_ms(int ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

/* What the tasks of one test share. */
typedef struct board {
    oyez_runtime *runtime;
    _Atomic(unsigned) inside, most_inside, begun, ended, out_of_order;
    unsigned expected;
    int sleep_ms;
    bool together; /* none ends before all have begun */
    oy_event all;
} board;

typedef struct job {
    oy_task task;
    board *b;
    unsigned number;
} job;

static void run_job(oy_task *task)
{
    job *j = oy_container_of(task, job, task);
    board *b = j->b;
    unsigned inside = atomic_fetch_add(&b->inside, 1) + 1;
    unsigned most = atomic_load(&b->most_inside);
    unsigned expected = b->expected; /* before the last one says that the board may go */
    if (atomic_fetch_add(&b->begun, 1) != j->number)
        atomic_fetch_add(&b->out_of_order, 1);
    while (inside > most && !atomic_compare_exchange_weak(&b->most_inside, &most, inside))
        continue;
    if (b->sleep_ms)
        pause_ms(b->sleep_ms);
    for (int i = 0; b->together && atomic_load(&b->begun) < expected && i < 20000; i++)
        pause_ms(1);
    (void)atomic_fetch_sub(&b->inside, 1);
    if (atomic_fetch_add(&b->ended, 1) + 1 == expected)
        oy_event_set(&b->all);
}

enum { JOBS_MAX = 1000 };

static void run_board(board *b, job *jobs, unsigned count)
{
    b->expected = count;
    oy_event_init(&b->all);
    for (unsigned i = 0; i < count; i++) {
        jobs[i] = (job){.task = {.run = run_job}, .b = b, .number = i};
        oy_workers_submit(b->runtime, &jobs[i].task);
    }
    assert_ok(oy_runtime_wait(b->runtime, &b->all, oy_now() + 60 * OYEZ_SECOND));
}

static void one_worker_keeps_the_order(void **state)
{
    static job jobs[JOBS_MAX];
    board b = {.runtime = make(1, 0)};
    (void)state;
    run_board(&b, jobs, JOBS_MAX);
    assert_int_equal(atomic_load(&b.out_of_order), 0);
    assert_int_equal(atomic_load(&b.most_inside), 1);
    oyez_runtime_unref(b.runtime);
}

static void never_more_than_allowed(void **state)
{
    static job jobs[40];
    board b = {.runtime = make(4, 0), .sleep_ms = 5};
    (void)state;
    run_board(&b, jobs, 40);
    assert_int_equal(atomic_load(&b.most_inside), 4);
    assert_int_equal(oy_workers_started(&b.runtime->workers), 4);
    oyez_runtime_unref(b.runtime);
}

static void blocking_work_gets_a_thread_each(void **state)
{
    static job jobs[50];
    board b = {.runtime = make(64, 0), .together = true};
    int64_t start = oy_now();
    (void)state;
    run_board(&b, jobs, 50);
    assert_int_equal(atomic_load(&b.most_inside), 50);
    print_message("50 handlers that block until all run: %.1f ms\n",
                  (double)(oy_now() - start) / 1e6);
    oyez_runtime_unref(b.runtime);
}

static void idle_workers_leave_and_come_back(void **state)
{
    static job jobs[8];
    board b = {.runtime = make(8, 20 * OYEZ_MILLISECOND), .sleep_ms = 20};
    (void)state;
    for (int round = 0; round < 2; round++) {
        run_board(&b, jobs, 8);
        assert_true(oy_workers_started(&b.runtime->workers) > 1);
        for (int i = 0; i < 5000 && oy_workers_started(&b.runtime->workers) > 0; i++)
            pause_ms(1);
        assert_int_equal(oy_workers_started(&b.runtime->workers), 0);
        atomic_store(&b.begun, 0);
        atomic_store(&b.ended, 0);
    }
    assert_int_equal(b.runtime->workers.count, 8); /* used again, not made anew */
    oyez_runtime_unref(b.runtime);
}

/* Work that keeps waiting while others sleep: each push must find somebody, whatever the timing. */
static void no_work_is_ever_forgotten(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) {
        static job jobs[8];
        board b = {.runtime = make(3, OYEZ_MILLISECOND)};
        for (int i = 0; i < 300; i++) {
            run_board(&b, jobs, 1 + (unsigned)i % 8);
            atomic_store(&b.begun, 0);
            atomic_store(&b.ended, 0);
            if (i % 50 == 0)
                pause_ms(2);
        }
        oyez_runtime_unref(b.runtime);
    }
}

static void the_end_runs_what_waits(void **state)
{
    static job jobs[20];
    board b = {.runtime = make(2, 0), .sleep_ms = 1, .expected = 20};
    (void)state;
    oy_event_init(&b.all);
    for (unsigned i = 0; i < 20; i++) {
        jobs[i] = (job){.task = {.run = run_job}, .b = &b, .number = i};
        oy_workers_submit(b.runtime, &jobs[i].task);
    }
    oyez_runtime_unref(b.runtime);
    assert_int_equal(atomic_load(&b.ended), 20);
}

static void run_check(oy_task *task)
{
    char name[32];
    sigset_t blocked;
    job *j = oy_container_of(task, job, task);
    assert_int_equal(pthread_getname_np(pthread_self(), name, sizeof(name)), 0);
    assert_string_equal(name, "oyez-work-0");
    (void)pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    assert_true(sigismember(&blocked, SIGTERM));
    assert_false(oy_runtime_on_loop(j->b->runtime));
    oy_event_set(&j->b->all);
}

static void workers_have_names_and_no_signals(void **state)
{
    board b = {.runtime = make(1, 0)};
    job j = {.task = {.run = run_check}, .b = &b};
    (void)state;
    oy_event_init(&b.all);
    oy_workers_submit(b.runtime, &j.task);
    assert_ok(oy_runtime_wait(b.runtime, &b.all, oy_now() + 10 * OYEZ_SECOND));
    oyez_runtime_unref(b.runtime);
}

/* --- batches: a loop hands over a hundred, each comes back to the loop ------------------------ */

typedef struct batch batch;

typedef struct item {
    oy_task there, back;
    batch *of;
} item;

struct batch {
    oy_loop *loop;
    oy_task start;
    unsigned waiting, rounds;
    uint64_t wakes;
    item items[100];
    oy_event done;
};

static void come_back(oy_task *task)
{
    item *i = oy_container_of(task, item, back);
    batch *b = i->of;
    if (--b->waiting > 0)
        return;
    if (--b->rounds > 0) {
        b->start.run(&b->start);
        return;
    }
    b->wakes = b->loop->counts.wakes;
    oy_event_set(&b->done);
}

static void go_there(oy_task *task)
{
    item *i = oy_container_of(task, item, there);
    oy_loop_submit(i->of->loop, &i->back);
}

static void start_batch(oy_task *task)
{
    batch *b = oy_container_of(task, batch, start);
    b->waiting = 100;
    for (size_t i = 0; i < 100; i++) {
        b->items[i] = (item){.there = {.run = go_there}, .back = {.run = come_back}, .of = b};
        oy_workers_submit(oy_loop_runtime(b->loop), &b->items[i].there);
    }
}

static void batches_cost_few_wake_ups(void **state)
{
    static batch b;
    oyez_runtime *runtime = make(0, 0);
    const unsigned rounds = 500;
    int64_t start;
    (void)state;
    b = (batch){
        .loop = oy_runtime_loop(runtime, 0), .start = {.run = start_batch}, .rounds = rounds};
    oy_event_init(&b.done);
    start = oy_now();
    oy_loop_submit(b.loop, &b.start);
    assert_ok(oy_runtime_wait(runtime, &b.done, oy_now() + 60 * OYEZ_SECOND));
    print_message("hand-over and return: %.0f ns an item, %u workers\n",
                  (double)(oy_now() - start) / (rounds * 100.0),
                  oy_workers_started(&runtime->workers));
    print_message("wake-ups of the loop: %.2f a batch of 100\n", (double)b.wakes / rounds);
    assert_true(b.wakes < rounds * 50);
    oyez_runtime_unref(runtime);
}

OY_TEST_GROUP(e2e_io_worker, oy_leak_test(one_worker_keeps_the_order),
              oy_leak_test(never_more_than_allowed), oy_leak_test(blocking_work_gets_a_thread_each),
              oy_leak_test(idle_workers_leave_and_come_back),
              oy_leak_test(no_work_is_ever_forgotten), oy_leak_test(the_end_runs_what_waits),
              oy_leak_test(workers_have_names_and_no_signals),
              oy_leak_test(batches_cost_few_wake_ups));

/* SPDX-License-Identifier: Apache-2.0 */
/* Workers: threads for handlers that block, made on demand and gone after a while of idleness.
 *
 * One list under one lock, taken from one at a time, so that work behind a handler that blocks is
 * free for any other thread. What must not happen is a wake-up per item: so at most one woken
 * worker is "searching", a push wakes none while there is one, and a worker that finds more work
 * than its own wakes the next before it runs its item. Short handlers are done by the first few
 * before the next is awake (two or three wake-ups for a batch of a hundred); handlers that block
 * get a thread each, one wake-up after the other. */
#define _GNU_SOURCE
#include "io/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "io/futex.h"
#include "io/loop.h"

#define RETRY_AFTER (100 * OYEZ_MILLISECOND)
/* A loop hands over at once when this much waits, so that the workers begin while it still
 * reads. */
#define EARLY_COUNT 32u

typedef enum worker_state { GONE, RUNNING, LEFT } worker_state; /* LEFT: to be joined */

struct oy_worker {
    oy_workers *workers;
    oy_list all_node, idle_node;
    pthread_t thread;
    unsigned number;
    _Atomic(int) gate; /* 1: come out */
    worker_state state;
    bool searching;
};

/* On a worker's stack: says that the runtime has gone while its task ran. */
typedef struct worker_frame {
    bool ended;
} worker_frame;

static _Thread_local worker_frame *current_frame;

static void arm_retry(oy_task *task);

oyez_err oy_workers_init(oy_workers *workers, oyez_runtime *runtime, unsigned max,
                         oyez_duration idle_life)
{
    workers->runtime = runtime;
    workers->max = max;
    workers->idle_life = idle_life;
    oy_list_init(&workers->all);
    oy_list_init(&workers->idle);
    workers->retry_task.run = arm_retry;
    if (pthread_mutex_init(&workers->lock, NULL) != 0)
        return OYEZ_ENOMEM;
    workers->has_lock = true;
    return 0;
}

unsigned oy_workers_started(oy_workers *workers)
{
    unsigned started;
    (void)pthread_mutex_lock(&workers->lock);
    started = workers->started;
    (void)pthread_mutex_unlock(&workers->lock);
    return started;
}

/* --- helpers: starting and waking ------------------------------------------------------------- */

/* A struct for a new thread: one whose thread has left, or a fresh one. Lock held. */
static oy_worker *worker_for_new_thread(oy_workers *workers)
{
    oy_worker *worker;
    for (oy_list *node = workers->all.next; node != &workers->all; node = node->next) {
        worker = oy_container_of(node, oy_worker, all_node);
        if (worker->state == LEFT) {
            (void)pthread_join(worker->thread, NULL); /* past its last use of the lock */
            worker->state = GONE;
        }
        if (worker->state == GONE)
            return worker;
    }
    worker = oy_alloc_zero(sizeof(*worker));
    if (!worker)
        return NULL;
    worker->workers = workers;
    worker->number = workers->count++;
    oy_list_push_back(&workers->all, &worker->all_node);
    return worker;
}

/* What a call of choose_helper leaves to be done without the lock. */
typedef struct helper {
    oy_worker *sleeper; /* to be woken */
    int error;          /* a thread could not be made */
    bool retry;         /* and no other runs */
} helper;

static void *run_worker(void *user);

/* Lock held, so that whoever joins a worker that is in the list finds its thread. */
static int start_thread(oy_worker *worker)
{
    sigset_t all, before;
    int code;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&worker->thread, NULL, run_worker, worker);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

/* Lock held. NULL with *help filled when no thread can be made. */
static oy_worker *new_worker(oy_workers *workers, helper *help)
{
    oy_worker *worker = worker_for_new_thread(workers);
    help->error = worker ? start_thread(worker) : ENOMEM;
    if (help->error == 0) {
        workers->started++;
        worker->state = RUNNING;
        return worker;
    }
    /* With other threads at work the list will be emptied; without any, somebody must try again. */
    help->retry = workers->started == 0 && !workers->retry_pending;
    if (help->retry)
        workers->retry_pending = true;
    return NULL;
}

/* Sees to it that somebody looks at the list beside those who are at it. Lock held; to be followed
 * by wake_helper without it. */
static helper choose_helper(oy_workers *workers)
{
    helper help = {0};
    oy_worker *worker = NULL;
    oy_list *node;
    if (!workers->first || workers->searching)
        return help;
    node = oy_list_pop_front(&workers->idle);
    if (node)
        worker = help.sleeper = oy_container_of(node, oy_worker, idle_node);
    else if (workers->started < workers->max && !workers->stopping)
        worker = new_worker(workers, &help);
    if (worker)
        workers->searching = worker->searching = true;
    return help;
}

static void wake_helper(oy_workers *workers, helper help)
{
    if (help.sleeper) {
        atomic_store_explicit(&help.sleeper->gate, 1, memory_order_release);
        oy_futex_wake(&help.sleeper->gate);
    }
    if (help.error)
        oy_log(&workers->runtime->log, OYEZ_LOG_WARNING, "workers: no new thread: %s",
               strerror(help.error));
    if (help.retry)
        oy_loop_submit(workers->runtime->loops[0], &workers->retry_task);
}

static void on_retry_timer(oy_timer *timer)
{
    oy_workers *workers = oy_container_of(timer, oy_workers, retry_timer);
    helper help;
    (void)pthread_mutex_lock(&workers->lock);
    workers->retry_pending = false;
    help = choose_helper(workers);
    (void)pthread_mutex_unlock(&workers->lock);
    wake_helper(workers, help);
}

static void arm_retry(oy_task *task)
{
    oy_workers *workers = oy_container_of(task, oy_workers, retry_task);
    oy_loop *loop = workers->runtime->loops[0];
    workers->retry_timer.fire = on_retry_timer;
    if (oy_timer_set(loop, &workers->retry_timer, oy_loop_now(loop) + RETRY_AFTER) != 0)
        on_retry_timer(&workers->retry_timer);
}

void oy_workers_push(oy_workers *workers, oy_link *first, oy_link *last)
{
    helper help;
    last->next = NULL;
    (void)pthread_mutex_lock(&workers->lock);
    if (workers->first)
        workers->last->next = first;
    else
        workers->first = first;
    workers->last = last;
    help = choose_helper(workers);
    (void)pthread_mutex_unlock(&workers->lock);
    wake_helper(workers, help);
}

void oy_workers_submit(oyez_runtime *runtime, oy_task *task)
{
    oy_loop *loop = oy_runtime_current_loop(runtime);
    oy_assert(runtime->workers.max > 0);
    if (!loop) {
        oy_workers_push(&runtime->workers, &task->link, &task->link);
        return;
    }
    /* Handed over at the end of the pass, all at once. */
    task->link.next = NULL;
    if (loop->work_first)
        loop->work_last->next = &task->link;
    else
        loop->work_first = &task->link;
    loop->work_last = &task->link;
    if (++loop->work_count >= EARLY_COUNT) {
        oy_link *first = loop->work_first;
        loop->work_first = NULL;
        loop->work_count = 0;
        oy_workers_push(&runtime->workers, first, &task->link);
    }
}

/* --- a worker's life -------------------------------------------------------------------------- */

/* Lock held on entry and on return. False when nobody woke it in time. */
static bool sleep_idle(oy_worker *worker)
{
    oy_workers *workers = worker->workers;
    int64_t until = oy_time_add(oy_now(), workers->idle_life);
    atomic_store_explicit(&worker->gate, 0, memory_order_relaxed);
    oy_list_push_front(&workers->idle, &worker->idle_node);
    (void)pthread_mutex_unlock(&workers->lock);
    while (atomic_load_explicit(&worker->gate, memory_order_acquire) == 0 && oy_now() < until)
        oy_futex_wait(&worker->gate, 0, until);
    (void)pthread_mutex_lock(&workers->lock);
    if (!oy_list_linked(&worker->idle_node))
        return true; /* chosen, if only this moment */
    oy_list_remove(&worker->idle_node);
    return false;
}

/* Lock held on entry and on return, unless the runtime ended in the task: then false. */
static bool run_first(oy_worker *worker, worker_frame *frame)
{
    oy_workers *workers = worker->workers;
    oy_link *link = workers->first;
    oy_task *task = oy_container_of(link, oy_task, link);
    helper help;
    workers->first = link->next;
    help = choose_helper(workers);
    (void)pthread_mutex_unlock(&workers->lock);
    wake_helper(workers, help);
    task->run(task);
    if (frame->ended)
        return false;
    (void)pthread_mutex_lock(&workers->lock);
    return true;
}

static void *run_worker(void *user)
{
    oy_worker *worker = user;
    oy_workers *workers = worker->workers;
    worker_frame frame = {0};
    char name[16];
    (void)snprintf(name, sizeof(name), "oyez-work-%u", worker->number % 100000u);
    (void)pthread_setname_np(pthread_self(), name);
    current_frame = &frame;
    (void)pthread_mutex_lock(&workers->lock);
    for (;;) {
        if (worker->searching)
            workers->searching = worker->searching = false;
        if (workers->first) {
            if (!run_first(worker, &frame))
                return NULL;
            continue;
        }
        if (workers->stopping || !sleep_idle(worker))
            break;
    }
    workers->started--;
    worker->state = LEFT;
    (void)pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* --- the end ---------------------------------------------------------------------------------- */

static void wake_all_idle(oy_workers *workers)
{
    oy_list *node;
    while ((node = oy_list_pop_front(&workers->idle)) != NULL) {
        oy_worker *worker = oy_container_of(node, oy_worker, idle_node);
        atomic_store_explicit(&worker->gate, 1, memory_order_release);
        oy_futex_wake(&worker->gate);
    }
}

static void join_all(oy_workers *workers)
{
    for (oy_list *node = workers->all.next; node != &workers->all; node = node->next) {
        oy_worker *worker = oy_container_of(node, oy_worker, all_node);
        worker_state state;
        (void)pthread_mutex_lock(&workers->lock);
        state = worker->state;
        (void)pthread_mutex_unlock(&workers->lock);
        if (state == GONE)
            continue;
        if (pthread_equal(worker->thread, pthread_self())) {
            /* The last reference went in a task of this worker. */
            current_frame->ended = true;
            (void)pthread_detach(worker->thread);
        } else {
            (void)pthread_join(worker->thread, NULL);
        }
    }
}

void oy_workers_fini(oy_workers *workers, bool in_child)
{
    oy_list *node;
    if (!workers->has_lock)
        return;
    if (!in_child) {
        (void)pthread_mutex_lock(&workers->lock);
        workers->stopping = true;
        wake_all_idle(workers);
        (void)pthread_mutex_unlock(&workers->lock);
        join_all(workers);
        while (workers->first) { /* no thread could ever be made */
            oy_task *task = oy_container_of(workers->first, oy_task, link);
            workers->first = workers->first->next;
            task->run(task);
        }
        (void)pthread_mutex_destroy(&workers->lock);
    }
    while ((node = oy_list_pop_front(&workers->all)) != NULL)
        oy_free(oy_container_of(node, oy_worker, all_node));
    workers->has_lock = false;
}

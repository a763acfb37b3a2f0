/* SPDX-License-Identifier: Apache-2.0 */
/* A loop: what happens between two sleeps, and its birth and end.
 *
 * libuv turns it: timers, prepare, poll, check, closing. Ours is the order within: the poll's
 * callbacks; then, in `check`, the tasks of other threads, due timers, work for the workers, and
 * the hooks that send; in `prepare` the hooks again, the clock for the sleep, and the word that
 * other threads have to wake us from now on. */
#define _GNU_SOURCE
#include "io/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <oyez/limits.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"

#define HOOK_ROUNDS 8u
#define IDLE_BLOCKS (OYEZ_LIMIT_LOOP_IDLE_BYTES / OY_READ_BLOCK_BYTES)

/* --- waking ----------------------------------------------------------------------------------- */

void oy_wake_fd(int wake_fd)
{
    static const uint64_t one = 1;
    int error = errno;
    ssize_t written;
    do
        written = write(wake_fd, &one, sizeof(one));
    while (written < 0 && errno == EINTR);
    errno = error;
}

void oy_loop_submit(oy_loop *loop, oy_task *task)
{
    /* As soon as the push is seen, the task may run and take the loop away with it. So what comes
     * after touches a copy of the descriptor, which the loop keeps open until it has read every
     * wake-up that is owed. uv_async_send would write into its handle after the wake-up. */
    int wake_fd = loop->wake_fd;
    if (oy_unlikely(oy_fork_is_child(&loop->fork_mark))) {
        oy_loop_submit_in_child(loop, task);
        return;
    }
    if (oy_unlikely(loop->lent) && loop->lender == oy_thread_id())
        uv_ref((uv_handle_t *)&loop->wake); /* uv_run must find something to do */
    if (oy_queue_push(&loop->queue, &task->link))
        oy_wake_fd(wake_fd);
}

static void read_wakes(oy_loop *loop)
{
    uint64_t count;
    if (read(loop->wake_fd, &count, sizeof(count)) == (ssize_t)sizeof(count)) {
        loop->wakes_owed -= (int64_t)count;
        loop->counts.wakes += count;
    }
}

static void on_wake(uv_poll_t *handle, int status, int events)
{
    oy_loop *loop = handle->data;
    (void)status;
    (void)events;
    if (!oy_loop_enter(loop))
        return;
    read_wakes(loop);
    oy_loop_leave(loop);
}

/* --- a pass ----------------------------------------------------------------------------------- */

bool oy_loop_enter(oy_loop *loop)
{
    if (oy_unlikely(oy_fork_is_child(&loop->fork_mark))) {
        /* Somebody forked inside a callback and came back: the loop is the parent's. */
        if (!loop->lent)
            uv_stop(loop->uv);
        return false;
    }
    if (loop->lent)
        atomic_store_explicit(&loop->owner, oy_thread_id(), memory_order_relaxed);
    if (loop->polling) {
        loop->polling = false;
        loop->now = oy_now();
        loop->counts.passes++;
        oy_queue_awake(&loop->queue);
    }
    return true;
}

void oy_loop_leave(oy_loop *loop)
{
    if (loop->lent)
        atomic_store_explicit(&loop->owner, 0, memory_order_relaxed);
}

static void run_tasks(oy_loop *loop)
{
    bool owed;
    oy_link *link = oy_queue_take(&loop->queue, &owed);
    loop->wakes_owed += owed;
    while (link) {
        oy_task *task = oy_container_of(link, oy_task, link);
        link = link->next;
        loop->counts.tasks++;
        task->run(task);
    }
}

void oy_loop_run_tasks_until_empty(oy_loop *loop)
{
    while (!oy_queue_empty(&loop->queue))
        run_tasks(loop);
}

/* A hook that asks again is run again, but not for ever: the rest comes with the next pass. */
static void run_hooks(oy_loop *loop)
{
    for (unsigned round = 0; round < HOOK_ROUNDS && !oy_list_empty(&loop->hooks); round++) {
        oy_list batch = loop->hooks;
        oy_list *node;
        batch.next->prev = &batch;
        batch.prev->next = &batch;
        oy_list_init(&loop->hooks);
        while ((node = oy_list_pop_front(&batch)) != NULL) {
            oy_hook *hook = oy_container_of(node, oy_hook, node);
            hook->run(hook);
        }
    }
}

static void hand_over_work(oy_loop *loop)
{
    oy_link *first = loop->work_first;
    if (!first)
        return;
    loop->work_first = NULL;
    loop->work_count = 0;
    oy_workers_push(&loop->runtime->workers, first, loop->work_last);
}

static void on_timer(uv_timer_t *timer)
{
    oy_loop *loop = timer->data;
    loop->armed_at = OYEZ_FOREVER;
}

/* Lets the poll sleep until `at` (of oy_now's clock) at most. Times are rounded up: uv counts in
 * milliseconds, and a sleep that ends early would only be repeated. */
static void arm(oy_loop *loop, int64_t at)
{
    uint64_t target, uv_time;
    if (at == loop->armed_at)
        return;
    loop->armed_at = at;
    if (at == OYEZ_FOREVER) {
        (void)uv_timer_stop(&loop->timer);
        return;
    }
    /* uv's clock is as old as its last turn: a timer on a stale one would fire at once. */
    uv_update_time(loop->uv);
    uv_time = uv_now(loop->uv);
    target = at > 0 ? (uint64_t)at / 1000000u + ((uint64_t)at % 1000000u != 0) : 0;
    (void)uv_timer_start(&loop->timer, on_timer, target > uv_time ? target - uv_time : 0, 0);
}

static int64_t next_time(const oy_loop *loop)
{
    const oy_heap_node *first = oy_heap_first(&loop->timers);
    return first ? first->at : OYEZ_FOREVER;
}

bool oy_loop_has_work(oy_loop *loop)
{
    return loop->dirty || loop->stopping || !oy_queue_empty(&loop->queue) ||
           !oy_list_empty(&loop->hooks);
}

/* The host's loop goes on while something of ours is under way: an open watch (whose handle counts
 * by itself), a timer, a task. */
static void keep_lent(oy_loop *loop, bool busy)
{
    uv_handle_t *wake = (uv_handle_t *)&loop->wake;
    uv_handle_t *timer = (uv_handle_t *)&loop->timer;
    (busy ? uv_ref : uv_unref)(wake);
    (loop->armed_at != OYEZ_FOREVER ? uv_ref : uv_unref)(timer);
}

static void settle_wakes(oy_loop *loop)
{
    while (loop->wakes_owed > 0) {
        struct pollfd item = {.fd = loop->wake_fd, .events = POLLIN};
        if (poll(&item, 1, -1) > 0)
            read_wakes(loop);
    }
}

static void on_handle_closed(uv_handle_t *handle)
{
    oy_loop *loop = handle->data;
    loop->open_handles--;
    oy_loop_maybe_gone(loop);
}

static void close_stray(uv_handle_t *handle, void *user)
{
    (void)user;
    if (!uv_is_closing(handle))
        oy_watch_close_stray(handle);
}

/* Runs what is left and closes the handles. */
static void finish(oy_loop *loop)
{
    if (loop->finished)
        return;
    loop->finished = true;
    if (!loop->in_child) {
        while (!oy_queue_empty(&loop->queue) || !oy_list_empty(&loop->hooks) || loop->work_first) {
            run_tasks(loop);
            hand_over_work(loop);
            run_hooks(loop);
        }
        settle_wakes(loop);
    }
    uv_close((uv_handle_t *)&loop->wake, on_handle_closed);
    uv_close((uv_handle_t *)&loop->timer, on_handle_closed);
    uv_close((uv_handle_t *)&loop->prepare, on_handle_closed);
    uv_close((uv_handle_t *)&loop->check, on_handle_closed);
    if (loop->watches > 0 && !loop->lent) {
        if (!loop->in_child)
            oy_log(&loop->runtime->log, OYEZ_LOG_ERROR,
                   "runtime: loop %u ends with %u descriptors still watched", loop->index,
                   loop->watches);
        uv_walk(loop->uv, close_stray, NULL);
    }
}

static void on_prepare(uv_prepare_t *handle)
{
    oy_loop *loop = handle->data;
    bool busy;
    if (!oy_loop_enter(loop))
        return;
    run_hooks(loop);
    hand_over_work(loop);
    if (loop->stopping) {
        finish(loop);
        oy_loop_leave(loop);
        return;
    }
    busy = !oy_list_empty(&loop->hooks);
    if (!oy_queue_sleep(&loop->queue))
        busy = true;
    if (busy) {
        arm(loop, 0);
    } else {
        int64_t at = next_time(loop);
        arm(loop, at < loop->turn_limit ? at : loop->turn_limit);
    }
    if (loop->lent)
        keep_lent(loop, busy);
    loop->dirty = false;
    loop->polling = true;
    oy_loop_leave(loop);
}

static void on_check(uv_check_t *handle)
{
    oy_loop *loop = handle->data;
    if (!oy_loop_enter(loop))
        return;
    run_tasks(loop);
    oy_timers_fire(&loop->timers, loop->now);
    run_tasks(loop);
    hand_over_work(loop);
    run_hooks(loop);
    hand_over_work(loop);
    if (loop->stopping) {
        finish(loop);
    } else if (loop->lent) {
        bool busy = oy_loop_has_work(loop);
        arm(loop, busy ? 0 : next_time(loop));
        keep_lent(loop, busy);
    }
    oy_loop_leave(loop);
}

/* --- hooks and getters ------------------------------------------------------------------------ */

void oy_loop_at_end_of_pass(oy_loop *loop, oy_hook *hook)
{
    if (!oy_list_linked(&hook->node))
        oy_list_push_back(&loop->hooks, &hook->node);
}

void oy_loop_drop_hook(oy_hook *hook)
{
    oy_list_remove(&hook->node);
}

int64_t oy_loop_now(const oy_loop *loop)
{
    return loop->now;
}

bool oy_loop_is_current(const oy_loop *loop)
{
    return atomic_load_explicit(&loop->owner, memory_order_relaxed) == oy_thread_id();
}

oy_block_pool *oy_loop_blocks(oy_loop *loop)
{
    return loop->blocks;
}

oy_random *oy_loop_random(oy_loop *loop)
{
    return &loop->random;
}

oyez_runtime *oy_loop_runtime(oy_loop *loop)
{
    return loop->runtime;
}

unsigned oy_loop_index(const oy_loop *loop)
{
    return loop->index;
}

/* --- birth ------------------------------------------------------------------------------------ */

static void stop(oy_task *task)
{
    oy_loop *loop = oy_container_of(task, oy_loop, stop_task);
    loop->stopping = true;
}

static oyez_err open_handles(oy_loop *loop)
{
    uv_poll_t *wake = &loop->wake;
    if (uv_poll_init(loop->uv, wake, loop->wake_fd) != 0)
        return OYEZ_ESYS;
    (void)uv_timer_init(loop->uv, &loop->timer);
    (void)uv_prepare_init(loop->uv, &loop->prepare);
    (void)uv_check_init(loop->uv, &loop->check);
    wake->data = loop->timer.data = loop->prepare.data = loop->check.data = loop;
    loop->open_handles = 4;
    (void)uv_poll_start(wake, UV_READABLE, on_wake);
    (void)uv_prepare_start(&loop->prepare, on_prepare);
    (void)uv_check_start(&loop->check, on_check);
    if (loop->lent) {
        uv_unref((uv_handle_t *)wake);
        uv_unref((uv_handle_t *)&loop->timer);
        uv_unref((uv_handle_t *)&loop->prepare);
        uv_unref((uv_handle_t *)&loop->check);
    }
    return 0;
}

oyez_err oy_loop_new(oyez_runtime *runtime, unsigned index, uv_loop_t *lent, oy_loop **ret_loop)
{
    oyez_err err = OYEZ_ENOMEM;
    oy_loop *loop = oy_alloc_zero(sizeof(*loop));
    if (!loop)
        return OYEZ_ENOMEM;
    oy_queue_init(&loop->queue);
    loop->runtime = runtime;
    loop->fork_mark = runtime->fork_mark;
    loop->index = index;
    loop->armed_at = loop->turn_limit = OYEZ_FOREVER;
    loop->now = oy_now();
    loop->random.state = oy_random_seed();
    loop->stop_task.run = stop;
    loop->lent = lent != NULL;
    loop->lender = lent ? oy_thread_id() : 0;
    oy_heap_init(&loop->timers);
    oy_list_init(&loop->hooks);
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake_fd < 0) {
        err = oy_err_from_errno(errno);
        goto out;
    }
    err = oy_block_pool_new(OY_READ_BLOCK_BYTES, IDLE_BLOCKS, &loop->blocks);
    if (err)
        goto out;
    if (!lent) {
        int code = uv_loop_init(&loop->own_uv);
        if (code != 0) {
            err = oy_err_from_errno(-code);
            goto out;
        }
        loop->uv = &loop->own_uv;
    } else {
        loop->uv = lent;
    }
    err = open_handles(loop);
out:
    if (err) {
        oy_loop_free(loop);
        return err;
    }
    *ret_loop = loop;
    return 0;
}

void oy_loop_free(oy_loop *loop)
{
    if (!loop)
        return;
    oy_assert(loop->open_handles == 0);
    if (loop->uv && !loop->lent)
        (void)uv_loop_close(loop->uv);
    oy_watch_free_spares(loop);
    oy_heap_fini(&loop->timers);
    if (loop->blocks)
        oy_block_pool_free(loop->blocks);
    if (loop->wake_fd >= 0)
        (void)close(loop->wake_fd);
    oy_free(loop);
}

/* --- thread and end --------------------------------------------------------------------------- */

static void *run_thread(void *user)
{
    oy_loop *loop = user;
    oyez_runtime *runtime = loop->runtime;
    char name[16];
    (void)snprintf(name, sizeof(name), "oyez-loop-%u", loop->index);
    (void)pthread_setname_np(pthread_self(), name);
    atomic_store_explicit(&loop->owner, oy_thread_id(), memory_order_relaxed);
    oy_block_pool_adopt(loop->blocks);
    (void)uv_run(loop->uv, UV_RUN_DEFAULT);
    if (oy_fork_is_child(&loop->fork_mark))
        return NULL;
    if (atomic_load_explicit(&runtime->reaper, memory_order_relaxed) == loop)
        oy_runtime_dispose(runtime); /* the last reference went here */
    return NULL;
}

oyez_err oy_loop_start_thread(oy_loop *loop)
{
    sigset_t all, before;
    int code;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&loop->thread, NULL, run_thread, loop);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0)
        return oy_err_from_errno(code);
    loop->has_thread = true;
    return 0;
}

void oy_loop_end_here(oy_loop *loop)
{
    atomic_store_explicit(&loop->owner, oy_thread_id(), memory_order_relaxed);
    oy_block_pool_adopt(loop->blocks);
    loop->polling = true;
    loop->now = oy_now();
    if (!loop->in_child)
        (void)oy_loop_enter(loop);
    finish(loop);
    while (uv_run(loop->uv, UV_RUN_NOWAIT) != 0)
        continue;
    atomic_store_explicit(&loop->owner, 0, memory_order_relaxed);
}

void oy_loop_end_lent(oy_loop *loop)
{
    if (loop->lender != oy_thread_id()) {
        oy_loop_submit(loop, &loop->stop_task);
        return;
    }
    loop->stopping = true;
    if (oy_loop_is_current(loop) && !loop->in_child)
        return; /* inside a pass of ours, which looks at it in its end */
    if (!loop->in_child)
        (void)oy_loop_enter(loop);
    finish(loop);
    oy_loop_leave(loop);
}

/* Lent: nothing of ours is left in the host's loop. */
void oy_loop_maybe_gone(oy_loop *loop)
{
    if (loop->lent && loop->finished && loop->open_handles == 0 && loop->closing_watches == 0)
        oy_runtime_dispose(loop->runtime);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Runtimes without threads: descriptor, timeout, dispatch, turn.
 *
 * The descriptor is libuv's epoll instance. It is readable whenever there is something to do,
 * timers apart: a dispatch ends only when the kernel knows every watch and the queue sleeps, so
 * that the next task, from whatever thread, writes the wake-up. */
#include "io/loop.h"

#include <limits.h>

#include "base/clock.h"

/* Passes without sleep that one dispatch makes at most; what is left then makes the descriptor
 * readable. */
#define ROUNDS_MAX 16u

/* The caller is the owner from now on. */
static oyez_err begin(oyez_runtime *runtime, oy_loop **ret_loop)
{
    oy_loop *loop;
    uintptr_t self = oy_thread_id();
    if (!runtime)
        return OYEZ_ENULL;
    if (runtime->kind != OY_RUNTIME_MANUAL)
        return OYEZ_ESTATE;
    if (oy_fork_is_child(&runtime->fork_mark))
        return OYEZ_EFORK;
    if (atomic_exchange_explicit(&runtime->turning, true, memory_order_acquire))
        return OYEZ_EDEADLK;
    loop = runtime->loops[0];
    /* A callback may drop the last reference but this one. */
    (void)oyez_runtime_ref(runtime);
    if (atomic_exchange_explicit(&runtime->turner, self, memory_order_relaxed) != self)
        oy_block_pool_adopt(loop->blocks);
    atomic_store_explicit(&loop->owner, self, memory_order_relaxed);
    *ret_loop = loop;
    return 0;
}

static bool timer_is_due(const oy_loop *loop)
{
    const oy_heap_node *first = oy_heap_first(&loop->timers);
    return first && first->at <= oy_now();
}

static oyez_err end(oyez_runtime *runtime, oy_loop *loop)
{
    if (oy_fork_is_child(&runtime->fork_mark))
        return OYEZ_EFORK; /* somebody forked inside a callback: all of this is the parent's */
    for (unsigned round = 0; round < ROUNDS_MAX && (oy_loop_has_work(loop) || timer_is_due(loop));
         round++)
        (void)uv_run(loop->uv, UV_RUN_NOWAIT);
    if (!oy_queue_sleep(&loop->queue) || oy_loop_has_work(loop)) {
        /* Enough for now: come back. */
        loop->wakes_owed++;
        oy_wake_fd(loop->wake_fd);
    }
    atomic_store_explicit(&loop->owner, 0, memory_order_relaxed);
    atomic_store_explicit(&runtime->turning, false, memory_order_release);
    (void)oyez_runtime_unref(runtime);
    return 0;
}

oyez_err oy_runtime_turn_until(oyez_runtime *runtime, int64_t limit)
{
    oy_loop *loop = NULL;
    oyez_err err = begin(runtime, &loop);
    if (err)
        return err;
    loop->turn_limit = limit;
    (void)uv_run(loop->uv, limit > 0 ? UV_RUN_ONCE : UV_RUN_NOWAIT);
    loop->turn_limit = OYEZ_FOREVER;
    return end(runtime, loop);
}

oyez_err oyez_runtime_dispatch(oyez_runtime *runtime)
{
    return oy_runtime_turn_until(runtime, 0);
}

oyez_err oyez_runtime_turn(oyez_runtime *runtime, int timeout_ms)
{
    int64_t limit = OYEZ_FOREVER;
    if (timeout_ms == 0)
        limit = 0;
    else if (timeout_ms > 0)
        limit = oy_time_add(oy_now(), timeout_ms * OYEZ_MILLISECOND);
    return oy_runtime_turn_until(runtime, limit);
}

int oyez_runtime_fd(oyez_runtime *runtime)
{
    if (!runtime || runtime->kind != OY_RUNTIME_MANUAL || oy_fork_is_child(&runtime->fork_mark))
        return -1;
    if (!oy_runtime_on_loop(runtime)) {
        uintptr_t unknown = 0;
        (void)atomic_compare_exchange_strong_explicit(&runtime->turner, &unknown, oy_thread_id(),
                                                      memory_order_relaxed, memory_order_relaxed);
    }
    return uv_backend_fd(runtime->loops[0]->uv);
}

int oyez_runtime_timeout_ms(oyez_runtime *runtime)
{
    const oy_heap_node *first;
    oy_loop *loop;
    int64_t left;
    if (!runtime || runtime->kind != OY_RUNTIME_MANUAL || oy_fork_is_child(&runtime->fork_mark))
        return -1;
    loop = runtime->loops[0];
    if (oy_loop_has_work(loop))
        return 0;
    first = oy_heap_first(&loop->timers);
    if (!first)
        return -1;
    left = first->at - oy_now();
    if (left <= 0)
        return 0;
    left = (left - 1) / OYEZ_MILLISECOND + 1;
    return left < INT_MAX ? (int)left : INT_MAX;
}

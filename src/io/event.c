/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for one thing from outside the loops.
 *
 * The setter's last look at the event is the exchange that sets it. What comes after is a system
 * call on an address (futex: nothing is read there) or on a copied descriptor that the waiter's
 * loop keeps open until it has read what is owed. So the waiter may return, and the event's memory
 * go, at any moment. */
#include "io/io.h"

#include "base/clock.h"
#include "io/futex.h"
#include "io/loop.h"

enum {
    UNSET,
    SET,
    SET_OWED, /* set, and a wake-up of the loop is owed */
    WAITING,  /* the waiter sleeps */
    TURNING,  /* the waiter turns its loop */
};

void oy_event_init(oy_event *event)
{
    atomic_init(&event->state, UNSET);
    event->wake_fd = -1;
    event->waiter = 0;
}

void oy_event_set(oy_event *event)
{
    int state = atomic_load_explicit(&event->state, memory_order_acquire);
    int next, wake_fd;
    do {
        next = SET;
        wake_fd = -1;
        if (state == TURNING && event->waiter != oy_thread_id()) {
            next = SET_OWED;
            wake_fd = event->wake_fd;
        }
    } while (!atomic_compare_exchange_weak_explicit(&event->state, &state, next,
                                                    memory_order_acq_rel, memory_order_acquire));
    if (next == SET_OWED)
        oy_wake_fd(wake_fd);
    else if (state == WAITING)
        oy_futex_wake(&event->state);
}

static bool is_set(oy_event *event)
{
    int state = atomic_load_explicit(&event->state, memory_order_acquire);
    return state == SET || state == SET_OWED;
}

/* The waiter says what it is about to do. False when the event is set already. */
static bool announce(oy_event *event, int how)
{
    int state = UNSET;
    return atomic_compare_exchange_strong_explicit(&event->state, &state, how, memory_order_acq_rel,
                                                   memory_order_acquire);
}

/* The time is over. False when the event was set meanwhile. */
static bool withdraw(oy_event *event, int how)
{
    int state = how;
    return atomic_compare_exchange_strong_explicit(&event->state, &state, UNSET,
                                                   memory_order_acq_rel, memory_order_acquire);
}

static oyez_err sleep_until_set(oy_event *event, int64_t deadline)
{
    if (!announce(event, WAITING))
        return 0;
    while (!is_set(event)) {
        if (deadline != OYEZ_FOREVER && oy_now() >= deadline && withdraw(event, WAITING))
            return OYEZ_ETIMEDOUT;
        oy_futex_wait(&event->state, WAITING, deadline);
    }
    return 0;
}

static oyez_err turn_until_set(oyez_runtime *runtime, oy_event *event, int64_t deadline)
{
    oy_loop *loop = runtime->loops[0];
    oyez_err err = 0;
    event->wake_fd = loop->wake_fd;
    event->waiter = oy_thread_id();
    if (!announce(event, TURNING))
        return 0;
    while (!err && !is_set(event)) {
        if (deadline != OYEZ_FOREVER && oy_now() >= deadline)
            err = OYEZ_ETIMEDOUT;
        else
            err = oy_runtime_turn_until(runtime, deadline);
    }
    if (err && withdraw(event, TURNING))
        return err;
    if (atomic_load_explicit(&event->state, memory_order_acquire) == SET_OWED)
        loop->wakes_owed++;
    return 0;
}

/* Only the owner turns a manual runtime: callbacks run on no other thread. */
static bool may_turn(oyez_runtime *runtime)
{
    uintptr_t turner = 0, self = oy_thread_id();
    return runtime->kind == OY_RUNTIME_MANUAL &&
           (atomic_compare_exchange_strong_explicit(&runtime->turner, &turner, self,
                                                    memory_order_relaxed, memory_order_relaxed) ||
            turner == self);
}

oyez_err oy_runtime_wait(oyez_runtime *runtime, oy_event *event, int64_t deadline)
{
    oyez_err err = oy_runtime_check(runtime);
    if (err)
        return err;
    if (oy_runtime_on_loop(runtime) ||
        (runtime->kind == OY_RUNTIME_LENT && runtime->loops[0]->lender == oy_thread_id()))
        return OYEZ_EDEADLK;
    if (is_set(event))
        return 0;
    if (may_turn(runtime))
        return turn_until_set(runtime, event, deadline);
    return sleep_until_set(event, deadline);
}

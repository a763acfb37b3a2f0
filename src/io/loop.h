/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of src/io share: the insides of loops and runtimes. */
#ifndef OY_IO_LOOP_H
#define OY_IO_LOOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

#include "base/refcount.h"
#include "io/fork.h"
#include "io/io.h"
#include "io/queue.h"
#include "io/worker.h"

#define OY_CACHE_LINE 64

/* What a loop has done so far; for tests and benchmarks. Loop thread, or after its end. */
typedef struct oy_loop_counts {
    uint64_t passes; /* times that the poll came back */
    uint64_t wakes;  /* wake-ups that other threads sent */
    uint64_t tasks;
} oy_loop_counts;

/* Fields without a word are the loop thread's alone. */
struct oy_loop {
    oy_queue queue; /* any thread */
    char pad[OY_CACHE_LINE - sizeof(oy_queue)];

    /* read by any thread, written seldom */
    _Atomic(uintptr_t) owner; /* thread that runs the loop now; 0: nobody */
    oyez_runtime *runtime;    /* borrowed: the loop is a part of it */
    oy_fork_mark fork_mark;   /* a copy of the runtime's */
    int wake_fd;              /* an eventfd of ours, and not uv_async: see oy_loop_submit */
    unsigned index;
    bool lent;        /* uv is the host's */
    uintptr_t lender; /* lent: the thread of the host's loop */

    uv_loop_t *uv;
    uv_loop_t own_uv;
    uv_poll_t wake;
    uv_timer_t timer; /* only shortens the poll; the heap is the truth */
    uv_prepare_t prepare;
    uv_check_t check;
    unsigned open_handles; /* of the four above */

    oy_heap timers;
    int64_t now;
    int64_t armed_at;   /* what `timer` is set for */
    int64_t turn_limit; /* manual: until when this turn may sleep */
    oy_list hooks;
    oy_block_pool *blocks;
    oy_random random;

    oy_link *work_first, *work_last; /* for the workers, at the end of the pass */
    unsigned work_count;

    struct oy_watch *spare_watches;
    unsigned spare_watch_count;
    unsigned watches; /* open */
    unsigned closing_watches;

    int64_t wakes_owed; /* wake-ups that others have to write less those that were read */
    bool polling;       /* nothing has run since the poll began */
    bool dirty;         /* watches that the kernel does not know yet */
    bool stopping;
    bool finished; /* handles are closed or closing */
    bool in_child, draining;

    oy_task stop_task;
    pthread_t thread;
    bool has_thread;
    oy_loop_counts counts;
};

typedef enum oy_runtime_kind {
    OY_RUNTIME_THREADS,
    OY_RUNTIME_MANUAL,
    OY_RUNTIME_LENT
} oy_runtime_kind;

struct oyez_runtime {
    oy_refcount refs;
    oy_runtime_kind kind;
    bool is_default; /* its count changes under the lock of the default runtime */
    oyez_log log;
    oy_fork_mark fork_mark;
    _Atomic(unsigned) next_loop;
    _Atomic(uintptr_t) turner; /* manual: the owner thread; 0: not known yet */
    _Atomic(bool) turning;     /* manual: inside dispatch */
    oy_loop *_Atomic reaper;   /* the loop on whose thread the last reference went */
    oy_workers workers;
    unsigned loop_count;
    oy_loop *loops[];
};

static inline uintptr_t oy_thread_id(void)
{
    return (uintptr_t)pthread_self();
}

/* loop.c */
oyez_err oy_loop_new(oyez_runtime *runtime, unsigned index, uv_loop_t *lent, oy_loop **ret_loop);
/* After its handles are closed. NULL is allowed. */
void oy_loop_free(oy_loop *loop);
oyez_err oy_loop_start_thread(oy_loop *loop);
/* Ends a loop without a thread on the calling one: runs what is left, closes the handles. */
void oy_loop_end_here(oy_loop *loop);
/* Lent: closes as soon as nothing of ours is on the stack; the handles' last callback frees all. */
void oy_loop_end_lent(oy_loop *loop);
void oy_loop_run_tasks_until_empty(oy_loop *loop);
/* Writes the wake-up that a push, or an event, owes. */
void oy_wake_fd(int wake_fd);
/* Around every callback from libuv. False in a child of the process: then nothing may be done. */
bool oy_loop_enter(oy_loop *loop);
void oy_loop_leave(oy_loop *loop);
void oy_loop_maybe_gone(oy_loop *loop);
/* Something is to be done without waiting (timers apart). */
bool oy_loop_has_work(oy_loop *loop);

/* timer.c: removes and fires what is due, each timer at most once. */
void oy_timers_fire(oy_heap *timers, int64_t now);

/* watch.c */
void oy_watch_close_stray(uv_handle_t *handle);
void oy_watch_free_spares(oy_loop *loop);

/* fork.c */
void oy_loop_adopt_in_child(oy_loop *loop);
void oy_loop_submit_in_child(oy_loop *loop, oy_task *task);

/* runtime.c */
oyez_err oy_runtime_make(oy_runtime_kind kind, const oyez_runtime_options *options, uv_loop_t *lent,
                         oyez_runtime **ret_runtime);
/* The loops are closed: ends the workers and frees all. */
void oy_runtime_dispose(oyez_runtime *runtime);
/* The loop of the calling thread; NULL on any other. */
oy_loop *oy_runtime_current_loop(const oyez_runtime *runtime);

/* manual.c: turns once, sleeping until `limit` at most. OYEZ_EDEADLK as oyez_runtime_turn. */
oyez_err oy_runtime_turn_until(oyez_runtime *runtime, int64_t limit);

#endif

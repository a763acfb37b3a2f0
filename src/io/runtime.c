/* SPDX-License-Identifier: Apache-2.0 */
/* Runtimes: options, the loops of one, references, the end. */
#define _GNU_SOURCE
#include "io/loop.h"

#include <oyez/limits.h>
#include <oyez/uv.h>
#include <sched.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"

#define LOOPS_MAX            OYEZ_LIMIT_LOOPS
#define LOOPS_BY_DEFAULT_MAX OYEZ_LIMIT_LOOPS_BY_DEFAULT
#define WORKERS_DEFAULT      OYEZ_LIMIT_WORKERS
#define WORKERS_MAX          65536u
#define WORKER_IDLE_DEFAULT  OYEZ_LIMIT_WORKER_IDLE

/* --- making ----------------------------------------------------------------------------------- */

/* The cores that this process may use. */
static unsigned core_count(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (unsigned)count : 1;
}

static oyez_err invalid(const oyez_runtime_options *own, const char *words)
{
    oy_log(&own->log, OYEZ_LOG_ERROR, "runtime options: %s", words);
    return OYEZ_EINVAL;
}

static oyez_err read_options(oy_runtime_kind kind, const oyez_runtime_options *user,
                             oyez_runtime_options *own)
{
    oyez_err err;
    *own = (oyez_runtime_options){OYEZ_RUNTIME_OPTIONS_INIT};
    err = oy_options_copy(own, sizeof(*own), user);
    if (err)
        return err;
    if (own->loops > LOOPS_MAX)
        return invalid(own, "loops: expected 1 to 64, or 0 for as many as there are cores");
    if (own->max_workers > WORKERS_MAX)
        return invalid(own, "max_workers: expected 65,536 at most");
    if (own->worker_idle < 0)
        return invalid(own, "worker_idle: expected no negative duration");
    if (own->worker_idle == 0)
        own->worker_idle = WORKER_IDLE_DEFAULT;
    if (kind != OY_RUNTIME_THREADS) {
        own->loops = 1;
        return 0;
    }
    if (own->loops == 0) {
        unsigned cores = core_count();
        own->loops = cores < LOOPS_BY_DEFAULT_MAX ? cores : LOOPS_BY_DEFAULT_MAX;
    }
    if (own->max_workers == 0)
        own->max_workers = WORKERS_DEFAULT;
    return 0;
}

/* Stops and joins the loop threads, or ends the loops of a half-made runtime. Not on a loop
 * thread. */
static void end_loops(oyez_runtime *runtime)
{
    for (unsigned i = 0; i < runtime->loop_count; i++)
        if (runtime->loops[i]->has_thread)
            oy_loop_submit(runtime->loops[i], &runtime->loops[i]->stop_task);
    for (unsigned i = 0; i < runtime->loop_count; i++) {
        oy_loop *loop = runtime->loops[i];
        if (loop->has_thread)
            (void)pthread_join(loop->thread, NULL);
        else
            oy_loop_end_here(loop);
    }
}

static void free_runtime(oyez_runtime *runtime)
{
    for (unsigned i = 0; i < runtime->loop_count; i++)
        oy_loop_free(runtime->loops[i]);
    oy_fork_mark_fini(&runtime->fork_mark);
    oy_free(runtime);
}

oyez_err oy_runtime_make(oy_runtime_kind kind, const oyez_runtime_options *options, uv_loop_t *lent,
                         oyez_runtime **ret_runtime)
{
    oyez_runtime_options own;
    oyez_runtime *runtime;
    oyez_err err = ret_runtime ? read_options(kind, options, &own) : OYEZ_ENULL;
    if (err)
        return err;
    runtime = oy_alloc_zero(sizeof(*runtime) + own.loops * sizeof(oy_loop *));
    if (!runtime)
        return OYEZ_ENOMEM;
    oy_refcount_init(&runtime->refs, 1);
    runtime->kind = kind;
    runtime->log = own.log;
    err = oy_fork_mark_init(&runtime->fork_mark);
    if (!err)
        err = oy_workers_init(&runtime->workers, runtime, own.max_workers, own.worker_idle);
    while (!err && runtime->loop_count < own.loops) {
        err = oy_loop_new(runtime, runtime->loop_count, lent, &runtime->loops[runtime->loop_count]);
        if (!err)
            runtime->loop_count++;
    }
    if (kind == OY_RUNTIME_THREADS)
        for (unsigned i = 0; !err && i < own.loops; i++)
            err = oy_loop_start_thread(runtime->loops[i]);
    if (kind == OY_RUNTIME_MANUAL && !err) {
        /* The kernel learns of the wake-up, which the first task then has to send. */
        (void)uv_run(runtime->loops[0]->uv, UV_RUN_NOWAIT);
        (void)oy_queue_sleep(&runtime->loops[0]->queue);
    }
    if (err) {
        end_loops(runtime); /* a lent loop is the only one of its runtime: it was not made */
        oy_workers_fini(&runtime->workers, false);
        free_runtime(runtime);
        return err;
    }
    *ret_runtime = runtime;
    return 0;
}

oyez_err oyez_runtime_new(const oyez_runtime_options *options, oyez_runtime **ret_runtime)
{
    return oy_runtime_make(OY_RUNTIME_THREADS, options, NULL, ret_runtime);
}

oyez_err oyez_runtime_new_manual(const oyez_runtime_options *options, oyez_runtime **ret_runtime)
{
    return oy_runtime_make(OY_RUNTIME_MANUAL, options, NULL, ret_runtime);
}

oyez_err oyez_runtime_new_uv(uv_loop_t *loop, const oyez_runtime_options *options,
                             oyez_runtime **ret_runtime)
{
    if (!loop)
        return OYEZ_ENULL;
    return oy_runtime_make(OY_RUNTIME_LENT, options, loop, ret_runtime);
}

/* --- the end ---------------------------------------------------------------------------------- */

void oy_runtime_dispose(oyez_runtime *runtime)
{
    oy_loop *reaper = atomic_load_explicit(&runtime->reaper, memory_order_relaxed);
    if (reaper)
        for (unsigned i = 0; i < runtime->loop_count; i++)
            if (runtime->loops[i] != reaper)
                (void)pthread_join(runtime->loops[i]->thread, NULL);
    oy_workers_fini(&runtime->workers, oy_fork_is_child(&runtime->fork_mark));
    free_runtime(runtime);
}

/* In a child there is nothing to join, and what is closed must not be the parent's. */
static void end_in_child(oyez_runtime *runtime)
{
    for (unsigned i = 0; i < runtime->loop_count; i++) {
        oy_loop *loop = runtime->loops[i];
        oy_loop_adopt_in_child(loop);
        if (loop->lent) {
            /* The rest of the loop is the host's, and so is the choice whether to run it. */
            oy_loop_end_lent(loop);
            return;
        }
        oy_loop_end_here(loop);
    }
    oy_workers_fini(&runtime->workers, true);
    free_runtime(runtime);
}

/* The last reference has gone. */
static void end_runtime(oyez_runtime *runtime)
{
    oy_loop *current = oy_runtime_current_loop(runtime);
    if (oy_fork_is_child(&runtime->fork_mark)) {
        end_in_child(runtime);
        return;
    }
    if (runtime->kind == OY_RUNTIME_LENT) {
        oy_loop_end_lent(runtime->loops[0]);
        return;
    }
    if (current) {
        oy_assert(runtime->kind == OY_RUNTIME_THREADS); /* a dispatch holds a reference */
        (void)pthread_detach(pthread_self());
        atomic_store_explicit(&runtime->reaper, current, memory_order_relaxed);
        for (unsigned i = 0; i < runtime->loop_count; i++)
            oy_loop_submit(runtime->loops[i], &runtime->loops[i]->stop_task);
        return;
    }
    end_loops(runtime);
    oy_runtime_dispose(runtime);
}

/* --- references and the default runtime ------------------------------------------------------- */

static pthread_mutex_t default_lock = PTHREAD_MUTEX_INITIALIZER;
static oyez_runtime *default_runtime; /* guarded by default_lock; not counted: its users are */

oyez_err oy_runtime_default(oyez_runtime **ret_runtime)
{
    oyez_err err = 0;
    (void)pthread_mutex_lock(&default_lock);
    if (default_runtime && oy_fork_is_child(&default_runtime->fork_mark)) {
        default_runtime->is_default = false; /* the parent's: its users here free it */
        default_runtime = NULL;
    }
    if (default_runtime) {
        oy_ref(&default_runtime->refs);
    } else {
        err = oyez_runtime_new(NULL, &default_runtime);
        if (!err)
            default_runtime->is_default = true;
    }
    if (!err)
        *ret_runtime = default_runtime;
    (void)pthread_mutex_unlock(&default_lock);
    return err;
}

oyez_runtime *oyez_runtime_ref(oyez_runtime *runtime)
{
    if (runtime)
        oy_ref(&runtime->refs);
    return runtime;
}

oyez_runtime *oyez_runtime_unref(oyez_runtime *runtime)
{
    bool last;
    if (!runtime)
        return NULL;
    if (runtime->is_default) {
        /* Under the lock, so that nobody can be given a runtime that is about to end. */
        (void)pthread_mutex_lock(&default_lock);
        last = oy_unref(&runtime->refs);
        if (last && default_runtime == runtime)
            default_runtime = NULL;
        (void)pthread_mutex_unlock(&default_lock);
    } else {
        last = oy_unref(&runtime->refs);
    }
    if (last)
        end_runtime(runtime);
    return NULL;
}

/* --- questions -------------------------------------------------------------------------------- */

oy_loop *oy_runtime_pick_loop(oyez_runtime *runtime)
{
    unsigned next;
    if (runtime->loop_count == 1)
        return runtime->loops[0];
    next = atomic_fetch_add_explicit(&runtime->next_loop, 1, memory_order_relaxed);
    return runtime->loops[next % runtime->loop_count];
}

unsigned oy_runtime_loop_count(const oyez_runtime *runtime)
{
    return runtime->loop_count;
}

oy_loop *oy_runtime_loop(oyez_runtime *runtime, unsigned index)
{
    return runtime->loops[index];
}

bool oy_runtime_is_manual(const oyez_runtime *runtime)
{
    return runtime->kind != OY_RUNTIME_THREADS;
}

bool oy_runtime_has_workers(const oyez_runtime *runtime)
{
    return runtime->workers.max > 0;
}

const oyez_log *oy_runtime_log(const oyez_runtime *runtime)
{
    return &runtime->log;
}

oyez_err oy_runtime_check(const oyez_runtime *runtime)
{
    return oy_fork_is_child(&runtime->fork_mark) ? OYEZ_EFORK : 0;
}

oy_loop *oy_runtime_current_loop(const oyez_runtime *runtime)
{
    for (unsigned i = 0; i < runtime->loop_count; i++)
        if (oy_loop_is_current(runtime->loops[i]))
            return runtime->loops[i];
    return NULL;
}

bool oy_runtime_on_loop(const oyez_runtime *runtime)
{
    return oy_runtime_current_loop(runtime) != NULL;
}

bool oyez_runtime_is_loop_thread(oyez_runtime *runtime)
{
    return runtime && oy_runtime_on_loop(runtime);
}

/* --- post ------------------------------------------------------------------------------------- */

typedef struct posted {
    oy_task task;
    oyez_task_fn *fn;
    void *user;
} posted;

static void run_posted(oy_task *task)
{
    posted *post = oy_container_of(task, posted, task);
    oyez_task_fn *fn = post->fn;
    void *user = post->user;
    oy_free(post);
    fn(user);
}

oyez_err oyez_runtime_post(oyez_runtime *runtime, oyez_task_fn *fn, void *user)
{
    posted *post;
    oyez_err err;
    if (!runtime || !fn)
        return OYEZ_ENULL;
    err = oy_runtime_check(runtime);
    if (err)
        return err;
    post = oy_alloc(sizeof(*post));
    if (!post)
        return OYEZ_ENOMEM;
    post->task.run = run_posted;
    post->fn = fn;
    post->user = user;
    oy_loop_submit(oy_runtime_pick_loop(runtime), &post->task);
    return 0;
}

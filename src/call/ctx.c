/* SPDX-License-Identifier: Apache-2.0 */
/* oyez_ctx: an immutable chain of references to the parent. Everything that is asked often is
 * copied down at construction: the deadline, and the nearest ctx that can be cancelled (its
 * *canceller*). So a question costs a load or two, and only a ctx that can be cancelled carries a
 * lock and a list.
 *
 * Cancellation goes down the tree by the same list as it goes to users: a cancellable child watches
 * its parent. A callback runs with no lock held; whoever takes a watch back waits for a callback
 * that is running, so that its memory may go.
 *
 * A dying child and a parent that is being cancelled meet in `on_parent_done`: the child's count
 * may be 0 there already, and then it is left alone; its destructor waits in oy_ctx_watch_stop
 * until the parent is done with it. */
#include "call/ctx.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/refcount.h"

#define NEVER INT64_MAX

struct oyez_ctx {
    oy_refcount refs;
    oyez_ctx *parent;    /* a reference; NULL: the background */
    oyez_ctx *canceller; /* borrowed: itself, or an ancestor; NULL: none */
    int64_t deadline;    /* the earliest of the chain */
    const void *key;     /* of the value; NULL: no value */
    void *value;
    oyez_ctx_free_fn *free_value;
};

/* A ctx that can be cancelled. */
typedef struct cancel_ctx {
    oyez_ctx base;
    oy_ctx_watch parent_watch;
    _Atomic(int64_t) done_at; /* written before `code`; NEVER while it lives */
    _Atomic(int) code;        /* an oyez_code, written once */
    pthread_mutex_t lock;
    pthread_cond_t idle;       /* `running` has changed */
    oy_list watches;           /* guarded by lock */
    oy_ctx_watch *running;     /* guarded by lock: whose callback runs; compared only, for it may be
                                 gone, unless it is a registration */
    bool running_registration; /* guarded by lock */
    pthread_t runner;          /* guarded by lock: on which thread */
} cancel_ctx;

/* A registration of oyez_ctx_on_done. */
typedef struct registration {
    oy_ctx_watch watch;
    oyez_ctx *ctx; /* a reference */
    oyez_ctx_done_fn *fn;
    void *user;
} registration;

/* What constructors return without memory: not counted, never freed. */
static oyez_ctx no_memory_ctx = {.deadline = NEVER};

static cancel_ctx *canceller_of(const oyez_ctx *ctx)
{
    return ctx && ctx->canceller ? oy_container_of(ctx->canceller, cancel_ctx, base) : NULL;
}

/* --- lifetime --------------------------------------------------------------------------------- */

static void init_ctx(oyez_ctx *ctx, oyez_ctx *parent, int64_t deadline)
{
    *ctx = (oyez_ctx){
        .parent = oyez_ctx_ref(parent),
        .canceller = parent ? parent->canceller : NULL,
        .deadline = parent && parent->deadline < deadline ? parent->deadline : deadline,
    };
    oy_refcount_init(&ctx->refs, 1);
}

oyez_ctx *oyez_ctx_ref(oyez_ctx *ctx)
{
    if (ctx && ctx != &no_memory_ctx)
        oy_ref(&ctx->refs);
    return ctx;
}

/* False when the last reference is gone already and the ctx is on its way out. */
static bool try_ref(oyez_ctx *ctx)
{
    uint32_t count = atomic_load_explicit(&ctx->refs.count, memory_order_relaxed);
    while (count > 0)
        if (atomic_compare_exchange_weak_explicit(&ctx->refs.count, &count, count + 1,
                                                  memory_order_relaxed, memory_order_relaxed))
            return true;
    return false;
}

static void destroy(oyez_ctx *ctx)
{
    if (ctx->free_value)
        ctx->free_value(ctx->value);
    if (ctx->canceller != ctx) {
        oy_free(ctx);
        return;
    }
    cancel_ctx *cancellable = canceller_of(ctx);
    (void)oy_ctx_watch_stop(&cancellable->parent_watch);
    oy_assert(oy_list_empty(&cancellable->watches));
    pthread_cond_destroy(&cancellable->idle);
    pthread_mutex_destroy(&cancellable->lock);
    oy_free(cancellable);
}

oyez_ctx *oyez_ctx_unref(oyez_ctx *ctx)
{
    /* A loop, for a chain may be long. */
    while (ctx && ctx != &no_memory_ctx && oy_unref(&ctx->refs)) {
        oyez_ctx *parent = ctx->parent;
        destroy(ctx);
        ctx = parent;
    }
    return NULL;
}

/* --- watching --------------------------------------------------------------------------------- */

oyez_code oy_ctx_watch_start(oyez_ctx *ctx, oy_ctx_watch *watch, oy_ctx_watch_fn *fn)
{
    *watch = (oy_ctx_watch){.fn = fn};
    if (ctx == &no_memory_ctx)
        return OYEZ_RESOURCE_EXHAUSTED;
    cancel_ctx *owner = canceller_of(ctx);
    if (!owner)
        return OYEZ_OK;
    pthread_mutex_lock(&owner->lock);
    oyez_code code = (oyez_code)atomic_load_explicit(&owner->code, memory_order_acquire);
    if (code == OYEZ_OK) {
        watch->owner = &owner->base;
        oy_list_push_back(&owner->watches, &watch->node);
    }
    pthread_mutex_unlock(&owner->lock);
    return code;
}

/* Under the owner's lock: waits until that callback does not run on another thread. */
static void await_idle(cancel_ctx *owner, const oy_ctx_watch *watch)
{
    while (owner->running == watch && !pthread_equal(owner->runner, pthread_self()))
        pthread_cond_wait(&owner->idle, &owner->lock);
}

bool oy_ctx_watch_stop(oy_ctx_watch *watch)
{
    if (!watch->owner)
        return false;
    cancel_ctx *owner = oy_container_of(watch->owner, cancel_ctx, base);
    pthread_mutex_lock(&owner->lock);
    bool removed = oy_list_linked(&watch->node);
    if (removed)
        oy_list_remove(&watch->node);
    else
        await_idle(owner, watch);
    pthread_mutex_unlock(&owner->lock);
    watch->owner = NULL;
    return removed;
}

/* --- cancelling ------------------------------------------------------------------------------- */

static void run_registration(oy_ctx_watch *watch, oyez_code code)
{
    registration *reg = oy_container_of(watch, registration, watch);
    reg->fn(reg->ctx, code, reg->user);
}

static void free_registration(registration *reg)
{
    oyez_ctx_unref(reg->ctx);
    oy_free(reg);
}

/* Calls everybody back, the oldest first. The caller holds the lock and a reference; new watches
 * are refused by now, so the list only shrinks. */
static void call_watches(cancel_ctx *ctx, oyez_code code)
{
    ctx->runner = pthread_self();
    oy_list *node;
    while ((node = oy_list_pop_front(&ctx->watches))) {
        oy_ctx_watch *watch = oy_container_of(node, oy_ctx_watch, node);
        bool ours = watch->fn == run_registration;
        ctx->running = watch;
        ctx->running_registration = ours;
        pthread_mutex_unlock(&ctx->lock);
        watch->fn(watch, code);
        /* The watch may be gone, unless it is a registration: those are freed here, where nobody
         * can be comparing them any more. */
        pthread_mutex_lock(&ctx->lock);
        ctx->running = NULL;
        pthread_cond_broadcast(&ctx->idle);
        if (!ours)
            continue;
        pthread_mutex_unlock(&ctx->lock);
        free_registration(oy_container_of(watch, registration, watch));
        pthread_mutex_lock(&ctx->lock);
    }
}

oyez_err oy_ctx_cancel(oyez_ctx *ctx, oyez_code code)
{
    if (ctx == &no_memory_ctx)
        return 0; /* has ended from the start */
    if (!ctx || ctx->canceller != ctx)
        return OYEZ_ESTATE;
    cancel_ctx *cancellable = canceller_of(ctx);
    if (atomic_load_explicit(&cancellable->code, memory_order_acquire) != OYEZ_OK)
        return 0;
    int64_t now = oy_now();
    if (now >= ctx->deadline)
        code = OYEZ_DEADLINE_EXCEEDED;
    oyez_ctx_ref(ctx); /* a callback may drop the caller's */
    pthread_mutex_lock(&cancellable->lock);
    if (atomic_load_explicit(&cancellable->code, memory_order_relaxed) == OYEZ_OK) {
        atomic_store_explicit(&cancellable->done_at, now, memory_order_relaxed);
        atomic_store_explicit(&cancellable->code, (int)code, memory_order_release);
        call_watches(cancellable, code);
    }
    pthread_mutex_unlock(&cancellable->lock);
    oyez_ctx_unref(ctx);
    return 0;
}

oyez_err oyez_ctx_cancel(oyez_ctx *ctx)
{
    return oy_ctx_cancel(ctx, OYEZ_CANCELLED);
}

static void on_parent_done(oy_ctx_watch *watch, oyez_code code)
{
    cancel_ctx *child = oy_container_of(watch, cancel_ctx, parent_watch);
    if (!try_ref(&child->base))
        return;
    (void)oy_ctx_cancel(&child->base, code);
    oyez_ctx_unref(&child->base);
}

/* --- constructors ----------------------------------------------------------------------------- */

oyez_duration oyez_now(void)
{
    return oy_now();
}

oyez_ctx *oyez_ctx_with_deadline(oyez_ctx *parent, oyez_duration at)
{
    oyez_ctx *ctx = parent == &no_memory_ctx ? NULL : oy_alloc(sizeof(*ctx));
    if (!ctx)
        return &no_memory_ctx;
    init_ctx(ctx, parent, at);
    return ctx;
}

oyez_ctx *oyez_ctx_with_timeout(oyez_ctx *parent, oyez_duration timeout)
{
    return oyez_ctx_with_deadline(parent, oy_time_add(oy_now(), timeout));
}

oyez_ctx *oyez_ctx_with_value(oyez_ctx *parent, const void *key, void *value,
                              oyez_ctx_free_fn *free_fn)
{
    oyez_ctx *ctx = parent == &no_memory_ctx ? NULL : oy_alloc(sizeof(*ctx));
    if (!ctx) {
        if (free_fn)
            free_fn(value);
        return &no_memory_ctx;
    }
    init_ctx(ctx, parent, NEVER);
    ctx->key = key;
    ctx->value = value;
    ctx->free_value = free_fn;
    return ctx;
}

oyez_ctx *oy_ctx_with_cancel_at(oyez_ctx *parent, int64_t deadline)
{
    cancel_ctx *ctx = parent == &no_memory_ctx ? NULL : oy_alloc_zero(sizeof(*ctx));
    if (!ctx)
        return &no_memory_ctx;
    init_ctx(&ctx->base, parent, deadline);
    ctx->base.canceller = &ctx->base;
    oy_list_init(&ctx->watches);
    pthread_mutex_init(&ctx->lock, NULL);
    pthread_cond_init(&ctx->idle, NULL);
    atomic_init(&ctx->done_at, NEVER);
    atomic_init(&ctx->code, OYEZ_OK);
    oyez_code code = oy_ctx_watch_start(parent, &ctx->parent_watch, on_parent_done);
    if (code != OYEZ_OK) {
        /* The parent has ended: so has the child, at the same moment, and nobody watches it yet. */
        int64_t done_at =
            atomic_load_explicit(&canceller_of(parent)->done_at, memory_order_relaxed);
        atomic_store_explicit(&ctx->done_at, done_at, memory_order_relaxed);
        atomic_store_explicit(&ctx->code, (int)code, memory_order_release);
    }
    return &ctx->base;
}

oyez_ctx *oyez_ctx_with_cancel(oyez_ctx *parent)
{
    return oy_ctx_with_cancel_at(parent, NEVER);
}

/* --- questions -------------------------------------------------------------------------------- */

oyez_code oyez_ctx_err(const oyez_ctx *ctx)
{
    if (!ctx)
        return OYEZ_OK;
    if (ctx == &no_memory_ctx)
        return OYEZ_RESOURCE_EXHAUSTED;
    int64_t moment = NEVER;
    oyez_code code = OYEZ_OK;
    cancel_ctx *canceller = canceller_of(ctx);
    if (canceller) {
        code = (oyez_code)atomic_load_explicit(&canceller->code, memory_order_acquire);
        if (code != OYEZ_OK)
            moment = atomic_load_explicit(&canceller->done_at, memory_order_relaxed);
    }
    if (ctx->deadline == NEVER)
        return code;
    if (code == OYEZ_OK)
        moment = oy_now();
    /* Whatever came first stays the answer. */
    return moment >= ctx->deadline ? OYEZ_DEADLINE_EXCEEDED : code;
}

oyez_duration oyez_ctx_deadline(const oyez_ctx *ctx)
{
    return ctx ? ctx->deadline : OYEZ_FOREVER;
}

void *oyez_ctx_value(const oyez_ctx *ctx, const void *key)
{
    for (; ctx; ctx = ctx->parent)
        if (ctx->key == key && key)
            return ctx->value;
    return NULL;
}

/* --- callbacks of users ----------------------------------------------------------------------- */

oyez_err oyez_ctx_on_done(oyez_ctx *ctx, oyez_ctx_done_fn *fn, void *user)
{
    if (!fn)
        return OYEZ_ENULL;
    if (ctx == &no_memory_ctx)
        return OYEZ_ENOMEM;
    if (!canceller_of(ctx))
        return 0; /* nobody will ever call: nothing to remember */
    registration *reg = oy_alloc(sizeof(*reg));
    if (!reg)
        return OYEZ_ENOMEM;
    reg->ctx = oyez_ctx_ref(ctx);
    reg->fn = fn;
    reg->user = user;
    if (oy_ctx_watch_start(ctx, &reg->watch, run_registration) != OYEZ_OK) {
        free_registration(reg);
        return OYEZ_ECANCELED;
    }
    return 0;
}

static bool is_registration(const oy_ctx_watch *watch, const oyez_ctx *ctx, oyez_ctx_done_fn *fn,
                            const void *user)
{
    if (watch->fn != run_registration)
        return false;
    const registration *reg = oy_container_of(watch, registration, watch);
    return reg->ctx == ctx && reg->fn == fn && reg->user == user;
}

bool oyez_ctx_off_done(oyez_ctx *ctx, oyez_ctx_done_fn *fn, void *user)
{
    cancel_ctx *owner = canceller_of(ctx);
    if (!owner)
        return false;
    registration *found = NULL;
    pthread_mutex_lock(&owner->lock);
    for (oy_list *node = owner->watches.next; node != &owner->watches && !found;
         node = node->next) {
        oy_ctx_watch *watch = oy_container_of(node, oy_ctx_watch, node);
        if (is_registration(watch, ctx, fn, user))
            found = oy_container_of(watch, registration, watch);
    }
    if (found)
        oy_list_remove(&found->watch.node);
    else if (owner->running && owner->running_registration &&
             is_registration(owner->running, ctx, fn, user))
        await_idle(owner, owner->running);
    pthread_mutex_unlock(&owner->lock);
    if (found)
        free_registration(found);
    return found != NULL;
}

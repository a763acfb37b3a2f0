/* SPDX-License-Identifier: Apache-2.0 */
/* Two lists of idle calls: one of the loop's thread, without a lock, and one for all others. A call goes back to the list it
 * came from, so neither runs dry. */
#include "call/call_pool.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/zero.h"

#define MAX_IDLE OYEZ_LIMIT_IDLE_CALLS

typedef struct idle_list {
    oy_list calls;               /* through oyez_call.waiting */
    uint32_t count;
} idle_list;

struct oy_call_pool {
    oy_refcount refs;            /* the channel's, and one of each call that is out */
    oy_loop *loop;
    oy_replay_budget replay;     /* loop thread */
    oy_compressors *compressors; /* a reference; NULL: none */
    idle_list local;             /* loop thread */
    pthread_mutex_t lock;
    idle_list shared;            /* guarded by lock */
};

oyez_err oy_call_pool_new(oy_loop *loop, oy_call_pool **ret_pool)
{
    oy_call_pool *pool = oy_alloc_zero(sizeof(*pool));
    if (!pool)
        return OYEZ_ENOMEM;
    oy_refcount_init(&pool->refs, 1);
    pool->loop = loop;
    pool->replay.call_limit = OYEZ_LIMIT_RETRY_BYTES;
    pool->replay.limit = OYEZ_LIMIT_RETRY_TOTAL_BYTES;
    oy_list_init(&pool->local.calls);
    oy_list_init(&pool->shared.calls);
    pthread_mutex_init(&pool->lock, NULL);
    *ret_pool = pool;
    return OYEZ_NO_ERR;
}

static void free_call(oy_call *call)
{
    oy_arena_fini(&call->arena);
    oy_free(call);
}

static void free_list(idle_list *list)
{
    oy_list *node;
    while ((node = oy_list_pop_front(&list->calls)) != NULL)
        free_call(oy_container_of(node, oy_call, waiting));
}

static void unref(oy_call_pool *pool)
{
    if (!oy_unref(&pool->refs))
        return;
    free_list(&pool->local);
    free_list(&pool->shared);
    pthread_mutex_destroy(&pool->lock);
    oy_compressors_unref(pool->compressors);
    oy_free(pool);
}

void oy_call_pool_free(oy_call_pool *pool)
{
    if (pool)
        unref(pool);
}

void oy_call_pool_limit_replay(oy_call_pool *pool, size_t call_bytes, size_t total_bytes)
{
    pool->replay.call_limit = call_bytes;
    pool->replay.limit = total_bytes;
}

void oy_call_pool_set_compressors(oy_call_pool *pool, oy_compressors *compressors)
{
    pool->compressors = oy_compressors_ref(compressors);
}

const oy_compressors *oy_call_pool_compressors(const oy_call_pool *pool)
{
    return pool->compressors;
}

oy_replay_budget *oy_call_pool_replay(oy_call_pool *pool)
{
    return &pool->replay;
}

static oy_call *take(idle_list *list)
{
    oy_list *node = oy_list_pop_front(&list->calls);
    if (!node)
        return NULL;
    list->count--;
    return oy_container_of(node, oy_call, waiting);
}

static oy_call *take_shared(oy_call_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    oy_call *call = take(&pool->shared);
    pthread_mutex_unlock(&pool->lock);
    return call;
}

oy_call *oy_call_new(oy_call_pool *pool)
{
    bool local = oy_loop_is_current(pool->loop);
    oy_call *call = local ? take(&pool->local) : take_shared(pool);
    if (!call) {
        call = oy_alloc_zero(sizeof(*call));
        if (!call)
            return NULL;
        call->pool = pool;
        oy_arena_init(&call->arena, call->first, sizeof(call->first));
    }
    call->from_shared = !local;
    oy_refcount_init(&call->refs, 1);
    oy_ref(&pool->refs);
    return call;
}

static bool keep(idle_list *list, oy_call *call)
{
    if (list->count == MAX_IDLE)
        return false;
    list->count++;
    oy_list_push_front(&list->calls, &call->waiting);
    return true;
}

/* All fields in front of the arena, but the ones that last. */
static void reset(oy_call *call)
{
    oy_call_pool *pool = call->pool;
    bool from_shared = call->from_shared;
    oy_arena_reset(&call->arena);
    oy_zero(call, offsetof(oy_call, arena));
    call->pool = pool;
    call->from_shared = from_shared;
}

void oy_call_pool_put(oy_call *call)
{
    oy_call_pool *pool = call->pool;
    bool kept;
    reset(call);
    if (!call->from_shared && oy_loop_is_current(pool->loop)) {
        kept = keep(&pool->local, call);
    } else {
        pthread_mutex_lock(&pool->lock);
        kept = keep(&pool->shared, call);
        pthread_mutex_unlock(&pool->lock);
    }
    if (!kept)
        free_call(call);
    unref(pool);
}

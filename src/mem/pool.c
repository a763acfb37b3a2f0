/* SPDX-License-Identifier: Apache-2.0 */
/* The tiered pool: free lists of a few sizes behind one lock, for threads that share buffers. (What
 * belongs to one loop comes from block_pool.c, without a lock.) */
#include <oyez/limits.h>
#include <pthread.h>

#include "base/alloc.h"
#include "base/options.h"
#include "mem/block.h"

#define MAX_TIERS 16u
#define DEFAULT_THRESHOLD OYEZ_LIMIT_POOL_THRESHOLD_BYTES
#define DEFAULT_MAX_IDLE OYEZ_LIMIT_POOL_IDLE_BYTES

static const size_t default_tiers[] = { 256, 4096, 16384, 32768, 1 << 20 };

/* For messages: their payloads like to be powers of two, and what encodes them adds a few bytes. So a tier
 * holds a little more, or each such message would take twice its size, or none of the tiers at all. */
#define TIER_EXTRA 1024u
#define MESSAGE_TIER(kib) (((size_t)(kib) << 10) + TIER_EXTRA)
static const size_t message_tiers[] = {
    256, 4096, 16384, 32768, MESSAGE_TIER(64), MESSAGE_TIER(128), MESSAGE_TIER(256), MESSAGE_TIER(512),
    MESSAGE_TIER(1024), MESSAGE_TIER(2048), MESSAGE_TIER(4096),
};

typedef struct pool_tier {
    size_t bytes;
    oy_link *idle; /* guarded by lock; newest first, it is warm */
} pool_tier;

struct oyez_pool {
    oy_refcount refs; /* of handles; blocks that are out count in `stats` */
    bool pooling;
    size_t threshold, max_idle;
    uint32_t tier_count;
    pthread_mutex_t lock;
    bool closed;            /* guarded by lock: no handle is left */
    oyez_pool_stats stats;  /* guarded by lock */
    pool_tier tiers[MAX_TIERS];
};

static oyez_err check_options(const oyez_pool_options *options)
{
    if (options->tier_count > MAX_TIERS || !options->tiers != !options->tier_count)
        return OYEZ_EINVAL;
    for (size_t i = 0; i < options->tier_count; i++)
        if (options->tiers[i] <= (i ? options->tiers[i - 1] : 0))
            return OYEZ_EINVAL;
    return OYEZ_NO_ERR;
}

oyez_err oyez_pool_new(const oyez_pool_options *user_options, oyez_pool **ret_pool)
{
    oyez_pool_options options;
    oyez_pool *pool;
    if (!ret_pool)
        return OYEZ_ENULL;
    oyez_err err = oy_options_copy(&options, sizeof(options), user_options);
    if (!err)
        err = check_options(&options);
    if (err)
        return err;
    if (!options.tiers) {
        options.tiers = default_tiers;
        options.tier_count = sizeof(default_tiers) / sizeof(default_tiers[0]);
    }

    pool = oy_alloc_zero(sizeof(*pool));
    if (!pool)
        return OYEZ_ENOMEM;
    if (pthread_mutex_init(&pool->lock, NULL)) {
        oy_free(pool);
        return OYEZ_ENOMEM;
    }
    oy_refcount_init(&pool->refs, 1);
    pool->pooling = oy_block_pooling();
    pool->threshold = options.pooling_threshold ? options.pooling_threshold : DEFAULT_THRESHOLD;
    pool->max_idle = options.max_idle_bytes ? options.max_idle_bytes : DEFAULT_MAX_IDLE;
    pool->tier_count = (uint32_t)options.tier_count;
    for (size_t i = 0; i < options.tier_count; i++)
        pool->tiers[i].bytes = options.tiers[i];
    *ret_pool = pool;
    return OYEZ_NO_ERR;
}

oyez_err oy_pool_new_for_messages(oyez_pool **ret_pool)
{
    const oyez_pool_options options = {
        OYEZ_POOL_OPTIONS_INIT,
        .tiers = message_tiers,
        .tier_count = sizeof(message_tiers) / sizeof(message_tiers[0]),
    };
    oyez_err err = oyez_pool_new(&options, ret_pool);
    if (!err)
        (*ret_pool)->threshold = 0;
    return err;
}

oyez_pool *oyez_pool_ref(oyez_pool *pool)
{
    if (pool)
        oy_ref(&pool->refs);
    return pool;
}

/* Guarded by lock. */
static bool is_over(const oyez_pool *pool)
{
    return pool->closed && pool->stats.gets == pool->stats.puts;
}

static void destroy(oyez_pool *pool)
{
    (void)pthread_mutex_destroy(&pool->lock);
    oy_free(pool);
}

oyez_pool *oyez_pool_unref(oyez_pool *pool)
{
    oy_link *idle[MAX_TIERS];
    bool over;
    if (!pool || !oy_unref(&pool->refs))
        return NULL;

    pthread_mutex_lock(&pool->lock);
    pool->closed = true; /* from now on what comes back is freed */
    for (uint32_t i = 0; i < MAX_TIERS; i++) {
        idle[i] = pool->tiers[i].idle;
        pool->tiers[i].idle = NULL;
    }
    over = is_over(pool);
    pthread_mutex_unlock(&pool->lock);

    for (uint32_t i = 0; i < MAX_TIERS; i++) {
        while (idle[i]) {
            oyez_block *block = oy_block_of_link(idle[i]);
            idle[i] = idle[i]->next;
            oy_block_destroy(block);
        }
    }
    if (over)
        destroy(pool);
    return NULL;
}

void oyez_pool_get_stats(const oyez_pool *pool, oyez_pool_stats *ret_stats)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&pool->lock; /* locking is no change to look at */
    pthread_mutex_lock(lock);
    *ret_stats = pool->stats;
    pthread_mutex_unlock(lock);
}

/* The last reference to a block that belongs to no pool is gone. */
static void put_plain(oyez_block *block)
{
    oy_block_destroy(block);
}

/* Counts a block that came back; if it can be used again, keeps it. */
static void come_back(oyez_block *block, pool_tier *tier)
{
    oyez_pool *pool = block->owner;
    bool keep, over;
    pthread_mutex_lock(&pool->lock);
    keep = tier && !pool->closed && pool->stats.idle_bytes <= pool->max_idle &&
           block->capacity <= pool->max_idle - pool->stats.idle_bytes;
    if (keep) {
        block->link.next = tier->idle;
        tier->idle = &block->link;
        pool->stats.idle_bytes += block->capacity;
    }
    pool->stats.puts++;
    over = is_over(pool);
    pthread_mutex_unlock(&pool->lock);
    if (!keep)
        oy_block_destroy(block);
    if (over)
        destroy(pool);
}

static void put_counted(oyez_block *block)
{
    come_back(block, NULL);
}

static void put_tiered(oyez_block *block)
{
    come_back(block, &((oyez_pool *)block->owner)->tiers[block->tier]);
}

/* The smallest tier that holds `bytes`; NULL when the request is not to be pooled. */
static pool_tier *tier_for(oyez_pool *pool, size_t bytes)
{
    if (bytes <= pool->threshold || !pool->pooling)
        return NULL;
    for (uint32_t i = 0; i < pool->tier_count; i++)
        if (bytes <= pool->tiers[i].bytes)
            return &pool->tiers[i];
    return NULL;
}

/* Counts a block that goes out, and takes one from the tier's list if there is one. */
static oyez_block *go_out(oyez_pool *pool, pool_tier *tier)
{
    oyez_block *block = NULL;
    pthread_mutex_lock(&pool->lock);
    pool->stats.gets++;
    if (tier && tier->idle) {
        block = oy_block_of_link(tier->idle);
        tier->idle = block->link.next;
        pool->stats.idle_bytes -= block->capacity;
    } else {
        pool->stats.fresh++;
    }
    pthread_mutex_unlock(&pool->lock);
    return block;
}

/* Takes the count of go_out back. */
static void stay_in(oyez_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stats.gets--;
    pool->stats.fresh--;
    pthread_mutex_unlock(&pool->lock);
}

oyez_err oyez_block_new(oyez_pool *pool, size_t bytes, oyez_block **ret_block)
{
    oyez_block *block;
    pool_tier *tier;
    if (!pool) {
        block = oy_block_alloc(bytes, put_plain, NULL);
        if (!block)
            return OYEZ_ENOMEM;
        *ret_block = block;
        return OYEZ_NO_ERR;
    }

    tier = tier_for(pool, bytes);
    block = go_out(pool, tier);
    if (block) {
        oy_block_revive(block);
    } else {
        block = oy_block_alloc(tier ? tier->bytes : bytes, tier ? put_tiered : put_counted, pool);
        if (!block) {
            stay_in(pool);
            return OYEZ_ENOMEM;
        }
        block->tier = tier ? (uint32_t)(tier - pool->tiers) : 0;
    }
    *ret_block = block;
    return OYEZ_NO_ERR;
}

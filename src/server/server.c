/* SPDX-License-Identifier: Apache-2.0 */
/* The server's life: made, filled, started, stopped at once or gracefully, waited for. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <oyez/limits.h>
#include <oyez/server.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "base/size.h"
#include "base/text.h"
#include "server/server_impl.h"

#define DEFAULT_MESSAGE_BYTES OYEZ_LIMIT_RECEIVE_BYTES
#define DEFAULT_BUFFERED_BYTES OYEZ_LIMIT_BUFFERED_BYTES
#define DEFAULT_CONNECTIONS OYEZ_LIMIT_CONNECTIONS
#define DEFAULT_HANDSHAKE OYEZ_LIMIT_HANDSHAKE_TIMEOUT
#define STOP_WARNING_AFTER (5 * OYEZ_SECOND)
#define LEAST_WINDOW 65535u
#define MOST_WINDOW 0x7fffffffu

oyez_err oy_server_fail(oyez_server *server, oyez_err err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(server->words, sizeof(server->words), format, args);
    va_end(args);
    oy_log(&server->options.log, OYEZ_LOG_ERROR, "server: %s", server->words);
    return err;
}

const char *oyez_server_words(const oyez_server *server)
{
    return server ? server->words : "";
}

/* --- making ----------------------------------------------------------------------------------------------------------- */

static bool window_valid(uint32_t bytes)
{
    return bytes == 0 || (bytes >= LEAST_WINDOW && bytes <= MOST_WINDOW);
}

static oyez_err complete_options(oyez_server_options *options)
{
    const char *wrong = !window_valid(options->stream_window_bytes) ? "stream_window_bytes: expected 65,535 to 2^31 - 1"
                        : !window_valid(options->connection_window_bytes)
                            ? "connection_window_bytes: expected 65,535 to 2^31 - 1"
                        : options->handshake_timeout < 0 ? "handshake_timeout: expected no negative duration"
                                                         : NULL;
    if (wrong) {
        oy_log(&options->log, OYEZ_LOG_ERROR, "server options: %s", wrong);
        return OYEZ_EINVAL;
    }
    if (!options->max_receive_bytes)
        options->max_receive_bytes = DEFAULT_MESSAGE_BYTES;
    if (options->max_receive_bytes > UINT32_MAX)
        options->max_receive_bytes = UINT32_MAX;
    if (!options->max_send_bytes || options->max_send_bytes > UINT32_MAX)
        options->max_send_bytes = UINT32_MAX;
    if (!options->max_buffered_bytes)
        options->max_buffered_bytes = DEFAULT_BUFFERED_BYTES;
    if (!options->max_connections)
        options->max_connections = DEFAULT_CONNECTIONS;
    if (!options->max_streams)
        options->max_streams = OYEZ_LIMIT_STREAMS;
    if (!options->max_arena_bytes)
        options->max_arena_bytes = oy_max_size(OYEZ_LIMIT_ARENA_BYTES,
                                               OYEZ_LIMIT_ARENA_FACTOR * options->max_receive_bytes);
    if (!options->handshake_timeout)
        options->handshake_timeout = DEFAULT_HANDSHAKE;
    return oy_server_complete_life_options(options);
}

static oyez_err take_compressors(oyez_server *server)
{
    oyez_server_options *options = &server->options;
    const char *words;
    oyez_err err = oy_compressors_new(options->compressors, options->compressor_count, &server->compressors, &words);
    if (err && err != OYEZ_ENOMEM)
        oy_log(&options->log, OYEZ_LOG_ERROR, "server options: compressors: %s", words);
    return err;
}

/* Interceptors, stats handlers and compressors come as lists of tables, which are copied. */
static oyez_err take_tables(oyez_server *server)
{
    oyez_server_options *options = &server->options;
    oyez_err err = oy_server_chain_new(options->interceptors, options->interceptor_count, &server->chain);
    if (!err)
        err = oy_stats_new(options->stats_handlers, options->stats_handler_count, &server->stats);
    if (!err)
        err = take_compressors(server);
    options->compressors = NULL;
    options->interceptors = NULL;
    options->stats_handlers = NULL;
    return err;
}

static void on_drain_timer(oy_timer *timer);
static void stop_shard(oy_task *task);
static void drain_shard(oy_task *task);
static void arm_drain_limit(oy_task *task);

static oyez_err make_shards(oyez_server *server)
{
    server->shard_count = oy_runtime_loop_count(server->runtime);
    server->shards = oy_alloc_zero(server->shard_count * sizeof(*server->shards));
    if (!server->shards)
        return OYEZ_ENOMEM;
    for (unsigned i = 0; i < server->shard_count; i++) {
        oy_server_shard *shard = &server->shards[i];
        shard->server = server;
        shard->loop = oy_runtime_loop(server->runtime, i);
        shard->stop_task.run = stop_shard;
        shard->drain_task.run = drain_shard;
        oy_list_init(&shard->conns);
        oy_list_init(&shard->listeners);
        oy_list_init(&shard->idle_calls);
    }
    return OYEZ_NO_ERR;
}

static void destroy(oyez_server *server)
{
    oy_list *node;
    while ((node = oy_list_pop_front(&server->pending)) != NULL)
        oy_listener_free(oy_container_of(node, oy_listener, node));
    for (unsigned i = 0; server->shards && i < server->shard_count; i++)
        oy_server_call_free_idle(&server->shards[i]);
    oy_free(server->shards);
    oy_registry_fini(&server->registry);
    oy_server_connector_end(server->connector);
    oy_free(server->chain);
    oy_stats_unref(server->stats);
    oy_compressors_unref(server->compressors);
    oyez_pool_unref(server->pool);
    oy_quota_unref(server->quota);
    oyez_runtime *runtime = server->runtime;
    pthread_mutex_destroy(&server->lock);
    oy_free(server);
    oyez_runtime_unref(runtime);
}

static void unref(oyez_server *server)
{
    if (oy_unref(&server->refs))
        destroy(server);
}

oyez_err oyez_server_new(const oyez_server_options *user_options, oyez_server **ret_server)
{
    if (!ret_server)
        return OYEZ_ENULL;
    oyez_server *server = oy_alloc_zero(sizeof(*server));
    if (!server)
        return OYEZ_ENOMEM;
    oy_refcount_init(&server->user_refs, 1);
    oy_refcount_init(&server->refs, 1);
    pthread_mutex_init(&server->lock, NULL);
    oy_list_init(&server->waiters);
    oy_list_init(&server->pending);
    oy_registry_init(&server->registry);
    server->drain_timer.fire = on_drain_timer;
    server->drain_limit_task.run = arm_drain_limit;
    oyez_err err = oy_options_copy(&server->options, sizeof(server->options), user_options);
    if (!err)
        err = complete_options(&server->options);
    if (!err)
        err = take_tables(server);
    if (!err)
        err = oy_quota_new(server->options.max_buffered_bytes, &server->quota);
    if (!err) {
        if (server->options.runtime)
            server->runtime = oyez_runtime_ref(server->options.runtime);
        else
            err = oy_runtime_default(&server->runtime);
    }
    if (!err)
        err = oy_runtime_check(server->runtime);
    if (!err) {
        if (server->options.pool)
            server->pool = oyez_pool_ref(server->options.pool);
        else
            err = oy_pool_new_for_messages(&server->pool);
    }
    if (!err)
        err = make_shards(server);
    if (!err)
        err = oy_server_connector_new(server, &server->connector);
    if (err) {
        unref(server);
        return err;
    }
    *ret_server = server;
    return OYEZ_NO_ERR;
}

/* --- filling ---------------------------------------------------------------------------------------------------------- */

static bool has_workers(const oyez_server *server)
{
    return server->options.executor.run || oy_runtime_has_workers(server->runtime);
}

oyez_err oyez_server_register(oyez_server *server, const oyez_service_desc *desc)
{
    const char *words, *method = NULL;
    if (!server)
        return OYEZ_ENULL;
    server->words[0] = '\0';
    if (!desc)
        return oy_server_fail(server, OYEZ_ENULL, "expected a service, got NULL");
    if (oy_server_get_state(server) != OY_SERVER_NEW)
        return oy_server_fail(server, OYEZ_ESTATE, "services are registered before the server is started");
    oyez_err err = oy_registry_add(&server->registry, desc, has_workers(server), &words, &method);
    if (!err)
        return OYEZ_NO_ERR;
    return oy_server_fail(server, err, "service %s: %s%s%s", err != OYEZ_ESIZE && desc->name ? desc->name : "without a name",
                          method ? method : "", method ? ": " : "", words);
}

oyez_err oyez_server_set_unknown_handler(oyez_server *server, oyez_unknown_handler_fn *handler,
                                         oyez_unknown_async_handler_fn *async_handler, void *self)
{
    if (!server)
        return OYEZ_ENULL;
    server->words[0] = '\0';
    if (handler && async_handler)
        return oy_server_fail(server, OYEZ_EINVAL, "expected one handler of unknown services, got a blocking and an async one");
    if (oy_server_get_state(server) != OY_SERVER_NEW)
        return oy_server_fail(server, OYEZ_ESTATE, "the unknown-service handler is set before the server is started");
    if (handler && !has_workers(server))
        return oy_server_fail(server, OYEZ_ESTATE, "a blocking unknown-service handler needs a runtime with workers");
    oy_registry_set_unknown(&server->registry, handler, async_handler, self);
    return OYEZ_NO_ERR;
}

oyez_err oyez_server_start(oyez_server *server)
{
    oy_list pending, *node;
    if (!server)
        return OYEZ_ENULL;
    oyez_err err = oy_runtime_check(server->runtime);
    if (err)
        return err;
    oy_list_init(&pending);
    pthread_mutex_lock(&server->lock);
    oy_server_state state = oy_server_get_state(server);
    if (state == OY_SERVER_NEW) {
        atomic_store(&server->state, OY_SERVER_RUNNING);
        while ((node = oy_list_pop_front(&server->pending)) != NULL)
            oy_list_push_back(&pending, node);
    }
    pthread_mutex_unlock(&server->lock);
    if (state == OY_SERVER_RUNNING)
        return oy_server_fail(server, OYEZ_ESTATE, "the server is running already");
    if (state != OY_SERVER_NEW)
        return oy_server_fail(server, OYEZ_ESTOPPED, "the server has been stopped");
    while ((node = oy_list_pop_front(&pending)) != NULL)
        oy_listener_launch(oy_container_of(node, oy_listener, node));
    return OYEZ_NO_ERR;
}

/* --- the end ------------------------------------------------------------------------------------------------------------ */

void oy_server_live_add(oyez_server *server)
{
    if (atomic_fetch_add(&server->live, 1) == 0)
        oy_ref(&server->refs);
}

/* Nothing may be live any more: if a stop is under way it is over. The reference goes before anybody is told, so that
 * the last one is the user's, and memory and threads are gone when his function returns. */
void oy_server_live_drop(oyez_server *server)
{
    oy_list told, *node;
    if (atomic_fetch_sub(&server->live, 1) != 1)
        return;
    oy_list_init(&told);
    pthread_mutex_lock(&server->lock);
    if (oy_server_get_state(server) >= OY_SERVER_DRAINING && atomic_load(&server->live) == 0) {
        server->done = true;
        while (!oy_runtime_check(server->runtime) && (node = oy_list_pop_front(&server->waiters)) != NULL)
            oy_list_push_back(&told, node);
    }
    bool last = oy_unref(&server->refs);
    pthread_mutex_unlock(&server->lock);
    while ((node = oy_list_pop_front(&told)) != NULL)
        oy_event_set(&oy_container_of(node, oy_server_waiter, node)->event);
    if (last)
        destroy(server);
}

static void close_listeners(oy_server_shard *shard)
{
    while (!oy_list_empty(&shard->listeners))
        oy_listener_close(oy_container_of(shard->listeners.next, oy_listener, node));
}

static void stop_shard(oy_task *task)
{
    oy_server_shard *shard = oy_container_of(task, oy_server_shard, stop_task);
    oyez_server *server = shard->server;
    close_listeners(shard);
    while (!oy_list_empty(&shard->conns))
        oy_server_conn_close(oy_container_of(shard->conns.next, oy_server_conn, node));
    if (shard == &server->shards[0])
        oy_timer_unset(shard->loop, &server->drain_timer);
    oy_server_live_drop(server);
}

static void drain_shard(oy_task *task)
{
    oy_server_shard *shard = oy_container_of(task, oy_server_shard, drain_task);
    oyez_server *server = shard->server;
    close_listeners(shard);
    for (oy_list *node = shard->conns.next; node != &shard->conns; node = node->next)
        oy_server_conn_drain(oy_container_of(node, oy_server_conn, node));
    oy_server_live_drop(server);
}

/* Moves on to `state`; false when it is there already or further. */
static bool advance(oyez_server *server, oy_server_state state)
{
    oy_list *node;
    oy_server_connector_cut(server->connector);
    pthread_mutex_lock(&server->lock);
    bool moved = oy_server_get_state(server) < state;
    if (moved) {
        atomic_store(&server->state, (int)state);
        server->done = false; /* a graceful stop may have been over */
    }
    /* Listeners that were never started. */
    while (moved && (node = oy_list_pop_front(&server->pending)) != NULL)
        oy_listener_free(oy_container_of(node, oy_listener, node));
    pthread_mutex_unlock(&server->lock);
    return moved;
}

static void submit_to_shards(oyez_server *server, size_t task_offset)
{
    /* Counted first: the first shard's task must not end the stop before the last is submitted. */
    oy_server_live_add(server);
    for (unsigned i = 0; i < server->shard_count; i++) {
        oy_server_live_add(server);
        oy_loop_submit(server->shards[i].loop, (oy_task *)(void *)((char *)&server->shards[i] + task_offset));
    }
    oy_server_live_drop(server);
}

void oyez_server_stop(oyez_server *server)
{
    if (server && !oy_runtime_check(server->runtime) && advance(server, OY_SERVER_STOPPING))
        submit_to_shards(server, offsetof(oy_server_shard, stop_task));
}

static void on_drain_timer(oy_timer *timer)
{
    oyez_server_stop(oy_container_of(timer, oyez_server, drain_timer));
}

static void arm_drain_limit(oy_task *task)
{
    oyez_server *server = oy_container_of(task, oyez_server, drain_limit_task);
    oy_loop *loop = server->shards[0].loop;
    if (oy_server_get_state(server) == OY_SERVER_DRAINING && atomic_load(&server->live) > 1 &&
        oy_timer_set(loop, &server->drain_timer, oy_time_add(oy_loop_now(loop), server->drain_limit)))
        oyez_server_stop(server);
    oy_server_live_drop(server);
}

void oyez_server_graceful_stop(oyez_server *server, oyez_duration limit)
{
    if (!server || oy_runtime_check(server->runtime) || !advance(server, OY_SERVER_DRAINING))
        return;
    server->drain_limit = limit;
    oy_server_live_add(server);
    submit_to_shards(server, offsetof(oy_server_shard, drain_task));
    if (limit != OYEZ_FOREVER)
        oy_loop_submit(server->shards[0].loop, &server->drain_limit_task);
    else
        oy_server_live_drop(server);
}

static oyez_err wait_done(oyez_server *server, int64_t deadline)
{
    oy_server_waiter waiter;
    oy_event_init(&waiter.event);
    pthread_mutex_lock(&server->lock);
    bool done = server->done;
    if (!done)
        oy_list_push_back(&server->waiters, &waiter.node);
    pthread_mutex_unlock(&server->lock);
    if (done)
        return OYEZ_NO_ERR;
    oyez_err err = oy_runtime_wait(server->runtime, &waiter.event, deadline);
    if (!err)
        return OYEZ_NO_ERR;
    pthread_mutex_lock(&server->lock);
    done = server->done;
    if (!done)
        oy_list_remove(&waiter.node);
    pthread_mutex_unlock(&server->lock);
    /* It came to its end meanwhile: whoever tells of it still has our node. */
    return done ? oy_runtime_wait(server->runtime, &waiter.event, OYEZ_FOREVER) : err;
}

oyez_err oyez_server_wait(oyez_server *server, oyez_duration timeout)
{
    if (!server)
        return OYEZ_ENULL;
    oyez_err err = oy_runtime_check(server->runtime);
    if (err)
        return err;
    if (oy_runtime_on_loop(server->runtime))
        return OYEZ_EDEADLK;
    return wait_done(server, oy_time_add(oyez_now(), timeout));
}

oyez_err oyez_server_serve(oyez_server *server)
{
    if (!server)
        return OYEZ_ENULL;
    if (oy_runtime_on_loop(server->runtime))
        return OYEZ_EDEADLK;
    oyez_err err = OYEZ_NO_ERR;
    if (oy_server_get_state(server) != OY_SERVER_RUNNING)
        err = oyez_server_start(server);
    /* Somebody else may just have started it. Of one that was stopped before the end is waited for, too. */
    if (err && err != OYEZ_ESTATE && err != OYEZ_ESTOPPED)
        return err;
    oyez_err waited = oyez_server_wait(server, OYEZ_FOREVER);
    return err == OYEZ_ESTOPPED && !waited ? err : waited;
}

oyez_server *oyez_server_ref(oyez_server *server)
{
    if (server)
        oy_ref(&server->user_refs);
    return server;
}

/* Not without a word: who waits for a handler that has forgotten to end its call should be told so. */
static void wait_for_handlers(oyez_server *server)
{
    while (wait_done(server, oy_time_add(oyez_now(), STOP_WARNING_AFTER)) == OYEZ_ETIMEDOUT)
        oy_log(&server->options.log, OYEZ_LOG_WARNING,
               "the server is stopped and waits for %zu calls whose handlers have not ended them",
               atomic_load(&server->live));
}

/* A child of the process closes its copies of the descriptors, so that it holds nothing of the parent's open, and tells
 * nobody. Calls that a handler had keep their memory: the handler may still refer to it. */
static void end_in_child(oyez_server *server)
{
    pthread_mutex_init(&server->lock, NULL); /* who may have held it is not here */
    atomic_store(&server->state, OY_SERVER_STOPPING);
    submit_to_shards(server, offsetof(oy_server_shard, stop_task)); /* there tasks run at once */
}

oyez_server *oyez_server_unref(oyez_server *server)
{
    if (!server || !oy_unref(&server->user_refs))
        return NULL;
    if (oy_runtime_check(server->runtime)) {
        end_in_child(server);
    } else {
        oyez_server_stop(server);
        if (!oy_runtime_on_loop(server->runtime))
            wait_for_handlers(server);
    }
    unref(server);
    return NULL;
}

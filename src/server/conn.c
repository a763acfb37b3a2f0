/* SPDX-License-Identifier: Apache-2.0 */
/* A server's connections: handed to a loop, counted, closed or drained. */
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/log.h"
#include "server/server_impl.h"

/* A connection on its way to another loop, before any handle exists. */
typedef struct handover {
    oy_task task;
    oy_server_shard *shard;
    oy_pipe *pipe;
    oy_address peer;
} handover;

static void *lookup(void *user, oyez_str path)
{
    return (void *)(uintptr_t)oy_registry_find(user, path);
}

static const void *find_compressor(void *user, oyez_str name)
{
    return oy_compressors_find(user, name);
}

static uint32_t parse_accept(void *user, oyez_str list)
{
    return oy_compressors_parse_accept(user, list);
}

static oy_server_stream *on_open(void *user)
{
    return oy_server_call_open(user);
}

static void on_ready(void *user)
{
    (void)user;
}

/* A connection is live as long as one of its calls is, so calls need not be counted by the server. */
static void free_when_idle(oy_server_conn *conn)
{
    oyez_server *server = conn->shard->server;
    if (conn->transport || conn->calls > 0)
        return;
    if (oy_unlikely(conn->stats_tags != NULL) && !oy_runtime_check(server->runtime))
        oy_stats_conn_end(server->stats, conn->stats_tags, false, conn->peer);
    oy_free(conn);
    oy_server_live_drop(server);
}

/* With room behind it for the tags of stats handlers. */
static oy_server_conn *make_conn(const oyez_server *server)
{
    oy_server_conn *conn = oy_alloc_zero(sizeof(*conn) + (server->stats ? oy_stats_tags_bytes(server->stats) : 0));
    if (conn && server->stats)
        conn->stats_tags = (void **)(void *)(conn + 1);
    return conn;
}

static void gone(oy_server_conn *conn)
{
    oyez_server *server = conn->shard->server;
    conn->transport = NULL;
    oy_list_remove(&conn->node);
    atomic_fetch_sub(&server->connections, 1);
    free_when_idle(conn);
}

static void on_closed(void *user, const char *words)
{
    oy_server_conn *conn = user;
    oy_log(&conn->shard->server->options.log, OYEZ_LOG_DEBUG, "connection closed: %s", words);
    gone(conn);
}

static const oy_server_transport_events conn_events = {
    .on_open = on_open,
    .on_ready = on_ready,
    .on_closed = on_closed,
};

void oy_server_conn_close(oy_server_conn *conn)
{
    oy_server_transport_close(conn->transport);
    gone(conn);
}

void oy_server_conn_drain(oy_server_conn *conn)
{
    oy_server_transport_drain(conn->transport);
}

void oy_server_conn_call_gone(oy_server_conn *conn)
{
    conn->calls--;
    free_when_idle(conn);
}

static oyez_err start_transport(oy_server_conn *conn, oy_pipe *pipe, const oy_address *peer)
{
    oyez_server *server = conn->shard->server;
    const oyez_server_options *options = &server->options;
    const oy_server_config config = {
        .h2 = {
            .header_list_bytes = options->max_header_list_bytes,
            .max_streams = options->max_streams,
            .stream_window = options->stream_window_bytes,
            .connection_window = options->connection_window_bytes,
            .max_unsent_control = options->max_unsent_control,
        },
        .pool = server->pool,
        .quota = server->quota,
        .handshake_timeout = options->handshake_timeout,
        .lookup = lookup,
        .lookup_user = &server->registry,
        .find_compressor = find_compressor,
        .parse_accept = parse_accept,
        .compressor_user = server->compressors,
        .accept_encoding = oy_compressors_names(server->compressors),
        .log = &options->log,
        .life = {
            .keepalive = {
                .time = options->keepalive_time,
                .timeout = options->keepalive_timeout,
                .without_calls = true,
            },
            .fixed_windows = options->fixed_windows,
        },
        .age = {
            .idle = options->max_connection_idle,
            .age = options->max_connection_age,
            .grace = options->max_connection_age_grace,
        },
        .ping_min_time = options->keepalive_min_time,
        .ping_without_calls = options->keepalive_permit_without_calls,
    };
    return oy_server_transport_new(conn->shard->loop, pipe, peer, &config, &conn_events, conn, &conn->transport);
}

/* Loop thread of the shard. The connection is counted already. @param pipe takes. */
static void open_connection(oy_server_shard *shard, oy_pipe *pipe, const oy_address *peer)
{
    oyez_server *server = shard->server;
    oy_server_conn *conn = NULL;
    if (oy_server_get_state(server) == OY_SERVER_RUNNING)
        conn = make_conn(server);
    if (!conn) {
        oy_pipe_close(pipe);
    } else {
        conn->shard = shard;
        oy_address_format(peer, conn->peer);
        conn->has_ids = pipe->fd >= 0 && !oy_socket_peer_ids(pipe->fd, &conn->pid, &conn->uid, &conn->gid);
        if (!start_transport(conn, pipe, peer)) {
            oy_list_push_back(&shard->conns, &conn->node);
            if (oy_unlikely(server->stats != NULL))
                oy_stats_conn_begin(server->stats, conn->stats_tags, false, conn->peer);
            return;
        }
        oy_free(conn);
    }
    atomic_fetch_sub(&server->connections, 1);
    oy_server_live_drop(server);
}

static void arrive(oy_task *task)
{
    handover *parcel = oy_container_of(task, handover, task);
    open_connection(parcel->shard, parcel->pipe, &parcel->peer);
    oy_free(parcel);
}

/* Counts one more connection, unless there are as many as there may be. */
static bool count_connection(oyez_server *server)
{
    if (atomic_fetch_add(&server->connections, 1) < server->options.max_connections)
        return true;
    atomic_fetch_sub(&server->connections, 1);
    return false;
}

static oy_server_shard *next_shard(oyez_server *server)
{
    return &server->shards[atomic_fetch_add(&server->next_shard, 1) % server->shard_count];
}

void oy_server_take_connection(oyez_server *server, oy_server_shard *here, int fd, const oy_address *peer)
{
    oy_pipe *pipe;
    if (oy_pipe_socket_new(fd, &pipe))
        return;
    if (!count_connection(server)) {
        oy_log(&server->options.log, OYEZ_LOG_WARNING, "a connection was refused: max_connections (%u) is reached",
               server->options.max_connections);
        oy_pipe_close(pipe);
        return;
    }
    oy_server_live_add(server);
    oy_server_shard *shard = next_shard(server);
    handover *parcel = shard == here ? NULL : oy_alloc_zero(sizeof(*parcel));
    if (!parcel) {
        open_connection(here, pipe, peer);
        return;
    }
    *parcel = (handover){ .task = { .run = arrive }, .shard = shard, .pipe = pipe, .peer = *peer };
    oy_loop_submit(shard->loop, &parcel->task);
}

oyez_err oy_server_connect_memory(oyez_server *server, oy_pipe **ret_pipe)
{
    oy_pipe *pipe;
    handover *parcel = oy_alloc_zero(sizeof(*parcel));
    oyez_err err = parcel ? oy_pipe_memory_new(ret_pipe, &pipe) : OYEZ_ENOMEM;
    if (err) {
        oy_free(parcel);
        return err;
    }
    if (!count_connection(server)) {
        oy_pipe_close(pipe);
        oy_pipe_close(*ret_pipe);
        oy_free(parcel);
        return OYEZ_ELIMIT;
    }
    oy_server_live_add(server);
    *parcel = (handover){ .task = { .run = arrive }, .shard = next_shard(server), .pipe = pipe };
    oy_address_inproc(&parcel->peer);
    oy_loop_submit(parcel->shard->loop, &parcel->task);
    return OYEZ_NO_ERR;
}

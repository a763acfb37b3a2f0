/* SPDX-License-Identifier: Apache-2.0 */
/* A server's connection: handshake, graceful end in two steps, and its end. */
#include "transport/server.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"

/* gRPC-Go's payload of the PING between the two GOAWAYs. */
static const uint8_t drain_ping[8] = { 1, 6, 1, 8, 0, 3, 3, 9 };

/* --- engine events about the connection ----------------------------------------------------------------------- */

static void on_writable(void *user, oy_h2_stream *h2)
{
    oy_server_transport *transport = user;
    if (h2) {
        oy_stream *stream = oy_container_of(h2, oy_stream, h2);
        if (stream->out_pending)
            oy_writer_add(stream);
    }
    oy_conn_touch(&transport->conn);
}

static void on_settings(void *user, const oy_h2_peer_settings *settings)
{
    oy_server_transport *transport = user;
    (void)settings;
    if (!transport->ready) {
        transport->ready = true;
        if (transport->drain == OY_SERVING)
            oy_timer_unset(transport->conn.loop, &transport->timer);
        oy_server_life_start(transport);
        if (transport->events)
            transport->events->on_ready(transport->user);
    }
    oy_writer_resume(&transport->conn);
    oy_conn_touch_reply(&transport->conn);
}

/* A client that goes away says so: there is nothing to answer, its calls go on. */
static void on_goaway(void *user, uint32_t last_id, uint32_t code, oyez_str debug)
{
    (void)user;
    (void)last_id;
    (void)code;
    (void)debug;
}

static void drain_last(oy_server_transport *transport);

static void on_ping(void *user, bool ack, const uint8_t payload[8])
{
    oy_server_transport *transport = user;
    if (!ack) {
        oy_conn_touch_reply(&transport->conn);
        oy_server_life_on_ping(transport);
    } else if (transport->drain == OY_DRAIN_PINGED && memcmp(payload, drain_ping, sizeof(drain_ping)) == 0) {
        drain_last(transport);
    } else {
        oy_life_on_pong(&transport->conn, payload);
    }
}

static const oy_h2_events engine_events = {
    .on_stream = oy_server_on_stream,
    .on_field = oy_server_on_field,
    .on_headers = oy_server_on_headers,
    .on_data = oy_server_on_data,
    .on_reset = oy_server_on_reset,
    .on_writable = on_writable,
    .on_goaway = on_goaway,
    .on_settings = on_settings,
    .on_ping = on_ping,
};

/* --- draining ----------------------------------------------------------------------------------------------------- */

/* The client closes, or we do after a while. */
void oy_server_linger(oy_server_transport *transport)
{
    oy_conn *conn = &transport->conn;
    transport->drain = OY_DRAIN_LINGER;
    if (transport->ready && !oy_timer_set(conn->loop, &transport->timer,
                                          oy_time_add(oy_loop_now(conn->loop), OY_LINGER_TIMEOUT)))
        return;
    conn->close_when_flushed = true;
    oy_loop_at_end_of_pass(conn->loop, &conn->hook);
}

static void drain_last(oy_server_transport *transport)
{
    oy_conn *conn = &transport->conn;
    transport->drain = OY_DRAIN_LAST;
    oy_timer_unset(conn->loop, &transport->timer);
    oy_h2_goaway(conn->h2, oy_h2_last_peer_stream(conn->h2), OY_H2_NO_ERROR, oy_str(transport->drain_words));
    oy_conn_touch(conn);
    oy_server_stream_gone(transport);
}

void oy_server_drain(oy_server_transport *transport, const char *words)
{
    oy_conn *conn = &transport->conn;
    if (transport->drain != OY_SERVING || conn->broken)
        return;
    transport->drain = OY_DRAIN_PINGED;
    transport->drain_words = words;
    if (!transport->ready) {
        oy_server_linger(transport);
        return;
    }
    oy_h2_goaway(conn->h2, OY_H2_MAX_STREAM_ID, OY_H2_NO_ERROR, oy_str(transport->drain_words));
    oy_h2_ping(conn->h2, drain_ping);
    if (oy_timer_set(conn->loop, &transport->timer,
                     oy_time_add(oy_loop_now(conn->loop), OY_DRAIN_PING_TIMEOUT)))
        drain_last(transport);
    oy_conn_touch(conn);
}

void oy_server_transport_drain(oy_server_transport *transport)
{
    oy_server_drain(transport, "graceful_stop");
}

void oy_server_stream_gone(oy_server_transport *transport)
{
    transport->age.idle_since = oy_loop_now(transport->conn.loop); /* counts when it was the last one */
    if (transport->drain == OY_DRAIN_LAST && transport->streams == 0 && !transport->conn.broken)
        oy_server_linger(transport);
}

static void on_timer(oy_timer *timer)
{
    oy_server_transport *transport = oy_container_of(timer, oy_server_transport, timer);
    oy_conn *conn = &transport->conn;
    if (transport->drain == OY_DRAIN_PINGED)
        drain_last(transport);
    else if (transport->drain == OY_DRAIN_LINGER)
        oy_conn_break(conn, "%s: the server has closed the connection", conn->peer);
    else if (!transport->ready)
        oy_conn_break(conn, "%s: the client did not finish the handshake in time", conn->peer);
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void end_all(oy_server_transport *transport)
{
    const oy_end end = { .code = OYEZ_CANCELLED, .connection_lost = true,
                         .message = OYEZ_STR("the connection to the client is gone") };
    oy_list doomed, *node;
    /* Ending a stream calls back, and the callback may end others. */
    oy_list_init(&doomed);
    while ((node = oy_list_pop_front(&transport->conn.streams)) != NULL)
        oy_list_push_back(&doomed, node);
    while ((node = oy_list_pop_front(&doomed)) != NULL)
        oy_server_stream_end(oy_container_of(node, oy_server_stream, base.in_conn), &end);
}

static void on_connected(oy_conn *conn)
{
    (void)conn;
}

static void on_broken(oy_conn *conn, const char *words)
{
    oy_server_transport *transport = oy_server_of(conn);
    const oy_server_transport_events *events = transport->events;
    /* Before its SETTINGS a client breaks no rule but by being something else: a browser, a client with TLS. */
    if (!transport->ready && oy_h2_get_failure(conn->h2).words)
        oy_log(conn->log, OYEZ_LOG_WARNING, "a client is sent away: %s", words);
    end_all(transport);
    transport->events = NULL;
    if (events)
        events->on_closed(transport->user, words);
    oy_conn_close(conn);
}

static void on_freed(oy_conn *conn)
{
    oy_server_transport *transport = oy_server_of(conn);
    oy_timer_unset(conn->loop, &transport->timer);
    oy_server_life_stop(transport);
    oy_free(transport);
}

static const oy_conn_ops conn_ops = {
    .on_connected = on_connected,
    .on_broken = on_broken,
    .on_freed = on_freed,
};

oyez_err oy_server_transport_new(oy_loop *loop, oy_pipe *pipe, const oy_address *peer, const oy_server_config *config,
                                 const oy_server_transport_events *events, void *user,
                                 oy_server_transport **ret_transport)
{
    oy_h2_config h2_config = config->h2;
    oy_server_transport *transport = oy_alloc_zero(sizeof(*transport));
    if (!transport) {
        oy_pipe_close(pipe);
        return OYEZ_ENOMEM;
    }
    oyez_err err = oy_conn_init(&transport->conn, &conn_ops, loop, pipe, false, peer, config->pool, config->quota,
                                config->log);
    if (err) {
        oy_free(transport);
        return err;
    }
    transport->events = events;
    transport->user = user;
    transport->lookup = config->lookup;
    transport->lookup_user = config->lookup_user;
    transport->find_compressor = config->find_compressor;
    transport->parse_accept = config->parse_accept;
    transport->compressor_user = config->compressor_user;
    transport->accept_encoding = config->accept_encoding;
    transport->timer.fire = on_timer;
    h2_config.server = true;
    oy_h2_config_defaults(&h2_config);
    oy_server_life_init(transport, config, &h2_config);
    err = oy_conn_start(&transport->conn, &h2_config, &engine_events);
    if (!err)
        err = oy_timer_set(loop, &transport->timer, oy_time_add(oy_loop_now(loop), config->handshake_timeout));
    if (err) {
        transport->events = NULL;
        oy_conn_close(&transport->conn);
        return err;
    }
    *ret_transport = transport;
    return OYEZ_NO_ERR;
}

void oy_server_transport_close(oy_server_transport *transport)
{
    oy_conn *conn = &transport->conn;
    transport->events = NULL;
    oy_conn_hold(conn);
    /* Nothing more is written: a client sees its connection lost (UNAVAILABLE), not its calls cancelled. */
    conn->broken = true;
    end_all(transport);
    oy_conn_close(conn);
    oy_conn_release(conn);
}

bool oy_conn_is_server(const oy_conn *conn)
{
    return conn->ops == &conn_ops;
}

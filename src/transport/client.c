/* SPDX-License-Identifier: Apache-2.0 */
/* A client's connection: connecting, readiness, GOAWAY, draining, and its end. */
#include "transport/client.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/log.h"
#include "base/text.h"

static oy_client_stream *stream_of(oy_h2_stream *h2)
{
    return oy_container_of(h2, oy_client_stream, base.h2);
}

/* --- engine events about the connection ----------------------------------------------------------------------- */

static void tell_draining(oy_client_transport *transport, const char *words)
{
    transport->draining = true;
    if (transport->told_draining || !transport->events)
        return;
    transport->told_draining = true;
    transport->events->on_draining(transport->user, words);
}

/* A stream that has waited for its turn could not begin. */
static void fail_waiting(oy_client_transport *transport, oy_client_stream *stream, oyez_err err)
{
    oy_end end = { .code = OYEZ_RESOURCE_EXHAUSTED, .message = OYEZ_STR("out of memory while starting the call") };
    if (err == OYEZ_ELIMIT)
        end = (oy_end){ .code = OYEZ_INTERNAL,
                        .message = OYEZ_STR("header list size to send violates the maximum size set by the server") };
    else if (err == OYEZ_ESTATE)
        end = (oy_end){ .code = OYEZ_UNAVAILABLE, .message = OYEZ_STR("stream ids have run out"),
                        .unprocessed = true };
    if (err == OYEZ_ESTATE)
        tell_draining(transport, "stream ids have run out");
    oy_client_stream_end(stream, &end, OY_H2_CANCEL);
}

/* Not re-entrant: a stream that cannot begin ends here, and its end would start the next one. */
static void start_waiting(oy_client_transport *transport)
{
    if (transport->starting)
        return;
    transport->starting = true;
    while (!oy_list_empty(&transport->waiting) && !transport->conn.broken &&
           (transport->draining || oy_client_has_place(transport))) {
        oy_client_stream *stream = oy_container_of(transport->waiting.next, oy_client_stream, base.node);
        oy_list_remove(&stream->base.node);
        oyez_err err = transport->draining ? OYEZ_ESTATE : oy_client_begin_stream(transport, stream);
        if (err)
            fail_waiting(transport, stream, err);
    }
    transport->starting = false;
}

static void on_writable(void *user, oy_h2_stream *h2)
{
    oy_client_transport *transport = user;
    if (h2) {
        oy_stream *stream = &stream_of(h2)->base;
        if (stream->out_pending)
            oy_writer_add(stream);
    } else {
        start_waiting(transport);
    }
    oy_conn_touch(&transport->conn);
}

static void on_settings(void *user, const oy_h2_peer_settings *settings)
{
    oy_client_transport *transport = user;
    (void)settings;
    if (!transport->ready) {
        transport->ready = true;
        oy_life_start(&transport->conn, &transport->life, transport->h2_config.stream_window,
                      transport->h2_config.connection_window);
        if (transport->events)
            transport->events->on_ready(transport->user);
    }
    oy_writer_resume(&transport->conn);
    start_waiting(transport);
    oy_conn_touch_reply(&transport->conn);
}

/* Ending a stream calls back, and the callback may end others: so those to end are put into a list of their own. */
static void end_list(oy_list *doomed, const oy_end *end, oy_h2_code reset_code)
{
    oy_list *node;
    while ((node = oy_list_pop_front(doomed)) != NULL)
        oy_client_stream_end(oy_container_of(node, oy_client_stream, base.in_conn), end, reset_code);
}

static void end_above(oy_client_transport *transport, uint32_t last_id, const oy_end *end)
{
    oy_list doomed, *node, *next;
    oy_list_init(&doomed);
    for (node = transport->conn.streams.next; node != &transport->conn.streams; node = next) {
        const oy_stream *stream = oy_container_of(node, oy_stream, in_conn);
        next = node->next;
        if (stream->h2.id != 0 && stream->h2.id <= last_id)
            continue;
        oy_list_remove(node);
        oy_list_push_back(&doomed, node);
    }
    end_list(&doomed, end, OY_H2_NO_ERROR);
}

static void on_goaway(void *user, uint32_t last_id, uint32_t code, oyez_str debug)
{
    oy_client_transport *transport = user;
    char words[OY_CONN_WORDS_MAX];
    transport->goaway_code = code;
    snprintf(transport->goaway_debug, sizeof(transport->goaway_debug), "%.*s", (int)debug.len, debug.data);
    snprintf(words, sizeof(words), "%s: the server is going away (%s%s%s)", transport->conn.peer,
             oy_h2_code_name(code), debug.len ? ": " : "", transport->goaway_debug);
    oy_end end = { .code = OYEZ_UNAVAILABLE, .unprocessed = true,
                   .message = OYEZ_STR("the stream is rejected because the server is draining the connection") };
    oy_conn_hold(&transport->conn);
    if (code == OY_H2_ENHANCE_YOUR_CALM && oy_str_eq(debug, OYEZ_STR("too_many_pings")) && transport->events &&
        transport->events->on_too_many_pings)
        transport->events->on_too_many_pings(transport->user, transport->life.keepalive.time);
    tell_draining(transport, words);
    end_above(transport, last_id, &end);
    oy_client_stream_gone(transport);
    oy_conn_release(&transport->conn);
}

static void on_ping(void *user, bool ack, const uint8_t payload[8])
{
    oy_client_transport *transport = user;
    if (ack)
        oy_life_on_pong(&transport->conn, payload);
    else
        oy_conn_touch_reply(&transport->conn);
}

static oy_h2_stream *on_stream(void *user, bool *ret_blameless)
{
    (void)user;
    (void)ret_blameless;
    return NULL; /* servers begin no streams: the engine refuses them before it asks */
}

static const oy_h2_events engine_events = {
    .on_stream = on_stream,
    .on_field = oy_client_on_field,
    .on_headers = oy_client_on_headers,
    .on_data = oy_client_on_data,
    .on_reset = oy_client_on_reset,
    .on_writable = on_writable,
    .on_goaway = on_goaway,
    .on_settings = on_settings,
    .on_ping = on_ping,
};

/* --- life -------------------------------------------------------------------------------------------------- */

static void end_all(oy_client_transport *transport, oyez_code code, const char *words)
{
    oy_end end = { .code = code, .message = { words, strlen(words) } };
    transport->draining = true;
    /* Those that wait for a stream id were not seen by the server. */
    oy_list doomed, *node;
    oy_list_init(&doomed);
    while ((node = oy_list_pop_front(&transport->conn.streams)) != NULL)
        oy_list_push_back(&doomed, node);
    while ((node = oy_list_pop_front(&doomed)) != NULL) {
        oy_client_stream *stream = oy_container_of(node, oy_client_stream, base.in_conn);
        end.unprocessed = code == OYEZ_UNAVAILABLE && stream->base.h2.id == 0;
        oy_client_stream_end(stream, &end, OY_H2_CANCEL);
    }
}

static void on_connected(oy_conn *conn)
{
    oy_client_transport *transport = oy_client_of(conn);
    if (oy_conn_start(conn, &transport->h2_config, &engine_events))
        oy_conn_break(conn, "%s: out of memory", conn->peer);
}

static void on_broken(oy_conn *conn, const char *words)
{
    oy_client_transport *transport = oy_client_of(conn);
    char full[OY_CONN_WORDS_MAX + 160];
    if (transport->told_draining)
        snprintf(full, sizeof(full), "%s, received prior goaway: %s, debug data: %s", words,
                 oy_h2_code_name(transport->goaway_code), transport->goaway_debug);
    else
        snprintf(full, sizeof(full), "%s", words);
    end_all(transport, OYEZ_UNAVAILABLE, full);
    const oy_client_transport_events *events = transport->events;
    transport->events = NULL;
    if (events)
        events->on_closed(transport->user, full);
    oy_conn_close(conn);
}

static void on_freed(oy_conn *conn)
{
    oy_free(oy_client_of(conn));
}

static const oy_conn_ops conn_ops = {
    .on_connected = on_connected,
    .on_broken = on_broken,
    .on_freed = on_freed,
};

oyez_err oy_client_transport_new(oy_loop *loop, const oy_address *address, const oy_client_config *config,
                                 const oy_client_transport_events *events, void *user,
                                 oy_client_transport **ret_transport)
{
    int fd;
    bool done;
    oy_pipe *pipe;
    oyez_err err = oy_socket_connect(address, &fd, &done);
    if (!err)
        err = oy_pipe_socket_new(fd, &pipe);
    return err ? err : oy_client_transport_new_on(loop, pipe, address, config, events, user, ret_transport);
}

oyez_err oy_client_transport_new_on(oy_loop *loop, oy_pipe *pipe, const oy_address *peer, const oy_client_config *config,
                                    const oy_client_transport_events *events, void *user,
                                    oy_client_transport **ret_transport)
{
    oy_client_transport *transport =
        oy_alloc_zero(sizeof(*transport) + config->authority.len + config->user_agent.len +
                      config->accept_encoding.len);
    if (!transport) {
        oy_pipe_close(pipe);
        return OYEZ_ENOMEM;
    }
    char *text = (char *)(transport + 1);
    memcpy(text, config->authority.data, config->authority.len);
    transport->authority = (oyez_str){ text, config->authority.len };
    text += config->authority.len;
    memcpy(text, config->user_agent.data, config->user_agent.len);
    transport->user_agent = (oyez_str){ text, config->user_agent.len };
    text += config->user_agent.len;
    memcpy(text, config->accept_encoding.data, config->accept_encoding.len);
    transport->accept_encoding = (oyez_str){ text, config->accept_encoding.len };
    transport->h2_config = config->h2;
    transport->h2_config.server = false;
    oy_h2_config_defaults(&transport->h2_config);
    transport->events = events;
    transport->user = user;
    oy_list_init(&transport->waiting);
    /* A finished connect is seen like one that takes its time: on_ready never comes inside this function. */
    oyez_err err = oy_conn_init(&transport->conn, &conn_ops, loop, pipe, true, peer, config->pool, config->quota,
                                config->log);
    if (err) {
        oy_free(transport);
        return err;
    }
    transport->life = config->life;
    transport->last_stream_id = config->last_stream_id ? config->last_stream_id : OYEZ_LIMIT_LAST_STREAM_ID;
    oy_life_init(&transport->conn, &config->life);
    *ret_transport = transport;
    return OYEZ_NO_ERR;
}

void oy_client_transport_close(oy_client_transport *transport, oyez_code code, const char *words)
{
    oy_conn *conn = &transport->conn;
    transport->events = NULL;
    oy_conn_hold(conn);
    end_all(transport, code, words);
    if (conn->h2 && !conn->broken)
        oy_h2_goaway(conn->h2, 0, OY_H2_NO_ERROR, OYEZ_STR("client transport shutdown"));
    oy_conn_close(conn);
    oy_conn_release(conn);
}

void oy_client_transport_drain(oy_client_transport *transport)
{
    transport->draining = true;
    transport->told_draining = true;
    oy_client_stream_gone(transport);
}

void oy_client_stream_gone(oy_client_transport *transport)
{
    oy_conn *conn = &transport->conn;
    if (transport->draining && transport->streams == 0 && !conn->broken) {
        if (conn->h2)
            oy_h2_goaway(conn->h2, 0, OY_H2_NO_ERROR, OYEZ_STR("client transport shutdown"));
        conn->close_when_flushed = true;
        oy_loop_at_end_of_pass(conn->loop, &conn->hook);
    } else if (!oy_list_empty(&transport->waiting)) {
        start_waiting(transport);
    }
}

bool oy_client_transport_can_start(const oy_client_transport *transport)
{
    return transport->ready && !transport->draining && !transport->conn.broken;
}

uint32_t oy_client_transport_stream_count(const oy_client_transport *transport)
{
    return transport->streams;
}

const char *oy_client_transport_peer(const oy_client_transport *transport)
{
    return transport->conn.peer;
}

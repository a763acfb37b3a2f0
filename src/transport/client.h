/* SPDX-License-Identifier: Apache-2.0 */
/* The client's transport, inside. Private to src/transport. */
#ifndef OY_TRANSPORT_CLIENT_H
#define OY_TRANSPORT_CLIENT_H

#include "transport/conn.h"

struct oy_client_transport {
    oy_conn conn;                /* first */
    const oy_client_transport_events *events;
    void *user;                  /* NULL events: the user has let go */
    oy_h2_config h2_config;
    oy_life_config life;
    oy_list waiting;             /* streams without an id: the server's limit is reached */
    uint32_t last_stream_id;
    uint32_t streams;            /* started and not ended, the waiting ones included */
    bool ready, draining, told_draining;
    bool starting;               /* streams that waited are being started */
    oyez_str authority, user_agent, accept_encoding; /* behind the struct */
    uint32_t goaway_code;
    char goaway_debug[64];
};

static inline oy_client_transport *oy_client_of(oy_conn *conn)
{
    return (oy_client_transport *)(void *)conn;
}

/* The server's limit allows one more stream. */
static inline bool oy_client_has_place(const oy_client_transport *transport)
{
    return oy_h2_stream_count(transport->conn.h2) < oy_h2_peer(transport->conn.h2)->max_streams;
}

/* client_recv.c: the callbacks of the engine about streams. */
void oy_client_on_field(void *user, oy_h2_stream *h2, const oy_hpack_field *field);
void oy_client_on_headers(void *user, oy_h2_stream *h2, const oy_h2_headers *headers);
void oy_client_on_data(void *user, oy_h2_stream *h2, const oyez_buffer *piece, bool end_stream);
void oy_client_on_reset(void *user, oy_h2_stream *h2, uint32_t code, bool by_peer, const char *words);

/* client_send.c: writes the request headers (and the message) of a stream that has an id or gets one now. */
oyez_err oy_client_begin_stream(oy_client_transport *transport, oy_client_stream *stream);

/* Ends a stream with a status; the h2 side is dealt with here, by a reset with `reset_code` if it is still open. */
void oy_client_stream_end(oy_client_stream *stream, const oy_end *end, oy_h2_code reset_code);
/* A stream is over: others may start, a draining connection may close. */
void oy_client_stream_gone(oy_client_transport *transport);

#endif

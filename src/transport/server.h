/* SPDX-License-Identifier: Apache-2.0 */
/* The server's transport, inside. Private to src/transport. */
#ifndef OY_TRANSPORT_SERVER_H
#define OY_TRANSPORT_SERVER_H

#include "transport/conn.h"

/* The time that a client has to answer the PING of a graceful end. */
#define OY_DRAIN_PING_TIMEOUT OYEZ_LIMIT_DRAIN_PING_TIMEOUT
/* A request that is no call is answered when it is complete, at the latest after this: until then HTTP/2's own rules are
 * checked on the rest of it. */
#define OY_ABORT_DELAY OYEZ_LIMIT_ABORT_DELAY
/* The time that a client has to close the connection after its last call, so that no reset overtakes the answer. */
#define OY_LINGER_TIMEOUT OYEZ_LIMIT_LINGER_TIMEOUT

struct oy_server_transport {
    oy_conn conn;                /* first */
    const oy_server_transport_events *events; /* NULL: the user has let go */
    void *user;
    void *(*lookup)(void *lookup_user, oyez_str path);
    void *lookup_user;
    const void *(*find_compressor)(void *compressor_user, oyez_str name);
    uint32_t (*parse_accept)(void *compressor_user, oyez_str list);
    void *compressor_user;
    oyez_str accept_encoding;
    oy_timer timer;              /* handshake, then the steps of draining */
    uint32_t streams;
    bool ready;
    const char *drain_words;     /* debug data of the GOAWAYs; static */
    oy_life_config life;
    uint32_t stream_window, connection_window; /* as announced first */
    oy_ping_policy pings;
    oy_age age;
    oy_timer age_timer;
    enum { OY_SERVING, OY_DRAIN_PINGED, OY_DRAIN_LAST, OY_DRAIN_LINGER } drain;
};

static inline oy_server_transport *oy_server_of(oy_conn *conn)
{
    return (oy_server_transport *)(void *)conn;
}

/* server_recv.c: the callbacks of the engine about streams. */
oy_h2_stream *oy_server_on_stream(void *user, bool *ret_blameless);
void oy_server_on_field(void *user, oy_h2_stream *h2, const oy_hpack_field *field);
void oy_server_on_headers(void *user, oy_h2_stream *h2, const oy_h2_headers *headers);
void oy_server_on_data(void *user, oy_h2_stream *h2, const oyez_buffer *piece, bool end_stream);
void oy_server_on_reset(void *user, oy_h2_stream *h2, uint32_t code, bool by_peer, const char *words);

/* server.c: the two steps of a graceful end, with the reason for the client. @param words static */
void oy_server_drain(oy_server_transport *transport, const char *words);
/* The rest of the GOAWAYs is said: waits for the client to close, for a moment. */
void oy_server_linger(oy_server_transport *transport);

/* server_life.c */
void oy_server_life_init(oy_server_transport *transport, const oy_server_config *config, const oy_h2_config *h2_config);
void oy_server_life_start(oy_server_transport *transport);
void oy_server_life_stop(oy_server_transport *transport);
/* A PING has come from the client. */
void oy_server_life_on_ping(oy_server_transport *transport);

/* server_send.c: answers a request that never becomes a call, as abort_http, abort_code and abort_words say: one HEADERS with
 * an HTTP status. */
void oy_server_abort(oy_server_stream *stream);
/* Takes a stream off the wire and tells its owner. */
void oy_server_stream_end(oy_server_stream *stream, const oy_end *end);
/* A stream is over: a draining connection may go on with its end. */
void oy_server_stream_gone(oy_server_transport *transport);

#endif

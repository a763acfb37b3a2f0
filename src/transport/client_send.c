/* SPDX-License-Identifier: Apache-2.0 */
/* A client's stream on its way out: request headers, the request, half-close, cancel, and the end of a stream. */
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/text.h"
#include "transport/client.h"
#include "transport/headers_out.h"

enum { SET_DEFAULT = 1, SET_OTHER };

/* The two last ones only when there is something to say. */
static const oyez_str request_names[] = {
    { ":method", 7 },     { ":scheme", 7 }, { ":path", 5 },                 { ":authority", 10 },    { "content-type", 12 },
    { "user-agent", 10 }, { "te", 2 },      { "grpc-accept-encoding", 20 }, { "grpc-encoding", 13 },
};
#define REQUEST_NAMES (sizeof(request_names) / sizeof(request_names[0]))

static const oyez_str timeout_name = { "grpc-timeout", 12 };
static const oyez_str attempts_name = { "grpc-previous-rpc-attempts", 26 };

/* The fields that are not in the cached set. */
typedef struct extras {
    char timeout[OY_TIMEOUT_MAX];
    size_t timeout_len;
    char attempts[10];
    size_t attempts_len;
} extras;

static void make_extras(const oy_client_transport *transport, const oy_request *request, extras *ret)
{
    ret->timeout_len = 0;
    ret->attempts_len = 0;
    if (request->deadline != OYEZ_FOREVER)
        ret->timeout_len = oy_timeout_encode(request->deadline - oy_loop_now(transport->conn.loop), ret->timeout);
    uint32_t attempts = request->previous_attempts;
    if (attempts > 0) {
        char *at = ret->attempts + sizeof(ret->attempts);
        for (; attempts > 0; attempts /= 10)
            *--at = (char)('0' + attempts % 10);
        ret->attempts_len = (size_t)(ret->attempts + sizeof(ret->attempts) - at);
        memmove(ret->attempts, at, ret->attempts_len);
    }
}

/* Where authority, content-type and encoding are not the usual ones they belong to the key. */
static oyez_str unusual_key(const oyez_str values[REQUEST_NAMES], char key[OY_HEADER_CACHE_KEY_MAX + 1])
{
    const oyez_str path = values[2], authority = values[3], content_type = values[4], encoding = values[8];
    const size_t len = path.len + 1 + authority.len + 1 + content_type.len + 1 + encoding.len;
    if (len > OY_HEADER_CACHE_KEY_MAX) /* the cache does not keep it */
        return (oyez_str){ memset(key, 0, OY_HEADER_CACHE_KEY_MAX + 1), OY_HEADER_CACHE_KEY_MAX + 1 };
    memset(key, 0, len);
    memcpy(key, path.data, path.len);
    memcpy(key + path.len + 1, authority.data, authority.len);
    memcpy(key + path.len + 1 + authority.len + 1, content_type.data, content_type.len);
    if (encoding.len > 0) /* there may be no text at all */
        memcpy(key + len - encoding.len, encoding.data, encoding.len);
    return (oyez_str){ key, len };
}

static oyez_err write_headers(oy_client_transport *transport, oy_client_stream *stream)
{
    oy_conn *conn = &transport->conn;
    const oy_request *request = stream->request;
    oyez_str authority = request->authority.len ? request->authority : transport->authority;
    bool usual = !request->authority.len && !request->encoding.len &&
                 oy_str_eq(request->content_type, OYEZ_STR("application/grpc"));
    const oyez_str values[REQUEST_NAMES] = {
        OYEZ_STR("POST"), OYEZ_STR("http"), request->path, authority, request->content_type, transport->user_agent,
        OYEZ_STR("trailers"), transport->accept_encoding, request->encoding,
    };
    const size_t count = REQUEST_NAMES - 2u + (transport->accept_encoding.len > 0) + (request->encoding.len > 0);
    char key[OY_HEADER_CACHE_KEY_MAX + 1];
    oy_header_set set = { .names = request_names, .values = values, .count = count,
                          .key = usual ? request->path : unusual_key(values, key),
                          .kind = usual ? SET_DEFAULT : SET_OTHER };
    size_t list_bytes = oy_header_cache_find(&conn->headers, conn->h2, &set), max_bytes = list_bytes;
    extras more;
    oy_h2_block block;

    make_extras(transport, request, &more);
    if (more.timeout_len)
        oy_header_measure(timeout_name.len, more.timeout_len, &list_bytes, &max_bytes);
    if (more.attempts_len)
        oy_header_measure(attempts_name.len, more.attempts_len, &list_bytes, &max_bytes);
    oy_metadata_measure(request->metadata, request->metadata_count, &list_bytes, &max_bytes);
    oyez_err err = oy_h2_block_begin(conn->h2, &block, list_bytes, max_bytes);
    if (err)
        return err;
    oy_header_cache_add(&conn->headers, conn->h2, &block, &set);
    if (more.attempts_len)
        oy_h2_block_add(conn->h2, &block, attempts_name, (oyez_str){ more.attempts, more.attempts_len },
                        OY_HPACK_LITERAL);
    if (more.timeout_len)
        oy_h2_block_add(conn->h2, &block, timeout_name, (oyez_str){ more.timeout, more.timeout_len },
                        OY_HPACK_LITERAL);
    oy_metadata_add(conn->h2, &block, request->metadata, request->metadata_count, stream->base.arena);
    return oy_h2_block_end(conn->h2, &block, &stream->base.h2, false);
}

oyez_err oy_client_begin_stream(oy_client_transport *transport, oy_client_stream *stream)
{
    oy_conn *conn = &transport->conn;
    oyez_err err = oy_h2_stream_open(conn->h2, &stream->base.h2);
    if (err)
        return err;
    err = write_headers(transport, stream);
    if (err) {
        /* Nothing was sent. The id is lost, which the protocol allows. */
        if (stream->base.h2.id != 0)
            oy_h2_stream_close(conn->h2, &stream->base.h2);
        return err;
    }
    stream->base.headers_sent = true;
    if (stream->base.events->on_begun)
        stream->base.events->on_begun(&stream->base);
    if (stream->request->message)
        (void)oy_stream_send(&stream->base, stream->request->message, stream->request->message_compressed, true);
    else if (stream->base.out_pending)
        oy_writer_add(&stream->base);
    if (stream->close_asked)
        oy_client_stream_close_send(stream);
    if (oy_unlikely(stream->base.h2.id >= transport->last_stream_id))
        transport->draining = true; /* the next call is refused, and finds another connection */
    oy_conn_touch(conn);
    return OYEZ_NO_ERR;
}

oyez_err oy_client_stream_start(oy_client_transport *transport, oy_client_stream *stream, const oy_request *request)
{
    if (!oy_client_transport_can_start(transport))
        return OYEZ_ESTATE;
    stream->request = request;
    oy_stream_init(&stream->base, &transport->conn);
    transport->streams++;
    if (oy_unlikely(oy_life_is_dormant(&transport->conn.life)))
        oy_life_wake(&transport->conn);
    /* Those that came earlier go first. */
    if (!oy_list_empty(&transport->waiting) || !oy_client_has_place(transport)) {
        oy_list_push_back(&transport->waiting, &stream->base.node);
        return OYEZ_NO_ERR;
    }
    oyez_err err = oy_client_begin_stream(transport, stream);
    if (!err)
        return OYEZ_NO_ERR;
    transport->streams--;
    oy_stream_detach(&stream->base);
    if (err == OYEZ_ESTATE)
        transport->draining = true;
    return err;
}

void oy_client_stream_close_send(oy_client_stream *stream)
{
    oy_stream *base = &stream->base;
    if (!oy_stream_is_open(base) || base->h2.send_closed)
        return;
    if (base->out_pending) {
        base->out_end = true;
        return;
    }
    if (base->h2.id == 0) {
        stream->close_asked = true;
        return;
    }
    (void)oy_h2_data_begin(base->conn->h2, &base->h2, 0, true);
    oy_conn_touch(base->conn);
}

/* Takes the stream off the wire, politely or not. */
static void leave_wire(oy_client_stream *stream, oy_h2_code reset_code)
{
    oy_stream *base = &stream->base;
    oy_conn *conn = base->conn;
    if (base->h2.id == 0)
        return;
    if (conn->broken || (base->h2.recv_closed && base->h2.send_closed)) {
        oy_h2_stream_close(conn->h2, &base->h2);
    } else {
        oy_h2_stream_reset(conn->h2, &base->h2, reset_code);
        oy_conn_touch(conn);
    }
}

void oy_client_stream_end(oy_client_stream *stream, const oy_end *end, oy_h2_code reset_code)
{
    oy_stream *base = &stream->base;
    oy_conn *conn = base->conn;
    oy_client_transport *transport = oy_client_of(conn);
    oy_end over = *end;
    oy_conn_hold(conn);
    /* Who has answered has seen the call, whatever he says afterwards. */
    over.unprocessed = end->unprocessed && !base->h2.headers_received;
    over.unsent = over.unprocessed && !base->headers_sent;
    leave_wire(stream, reset_code);
    transport->streams--;
    oy_stream_detach(base);
    base->events->on_end(base, &over);
    oy_client_stream_gone(transport);
    oy_conn_release(conn);
}

void oy_client_stream_cancel(oy_client_stream *stream)
{
    oy_conn *conn = stream->base.conn;
    if (!conn)
        return;
    oy_client_transport *transport = oy_client_of(conn);
    oy_conn_hold(conn);
    leave_wire(stream, OY_H2_CANCEL);
    transport->streams--;
    oy_stream_detach(&stream->base);
    oy_client_stream_gone(transport);
    oy_conn_release(conn);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A server's stream on its way in: the request's headers, checked in gRPC-Go's order, and its payload. */
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/text.h"
#include "transport/headers_out.h"
#include "transport/server.h"

/* note->kind of an entry of the table: what `meaning` is. */
enum {
    NOTE_PATH = 1,  /* :path: what lookup said */
    NOTE_ENCODING,  /* grpc-encoding: what find_compressor said */
    NOTE_ACCEPT,    /* grpc-accept-encoding: what parse_accept said */
};

static oy_server_stream *stream_of(oy_h2_stream *h2)
{
    return oy_container_of(h2, oy_server_stream, base.h2);
}

static oyez_str keep(oy_server_stream *stream, oyez_str text)
{
    char *copy = oy_arena_dup(stream->base.arena, text.data, text.len);
    return copy ? (oyez_str){ copy, text.len } : (oyez_str){ "", 0 };
}

/* That the memory for messages is used up is not this client's doing: he may try again. */
oy_h2_stream *oy_server_on_stream(void *user, bool *ret_blameless)
{
    oy_server_transport *transport = user;
    if (!transport->events || (transport->conn.quota && oy_quota_exceeded(transport->conn.quota))) {
        *ret_blameless = true;
        return NULL;
    }
    oy_server_stream *stream = transport->events->on_open(transport->user);
    if (!stream)
        return NULL;
    stream->timeout = OYEZ_FOREVER;
    oy_stream_init(&stream->base, &transport->conn);
    transport->streams++;
    return &stream->base.h2;
}

/* --- fields ------------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void take_path(oy_server_transport *transport, oy_server_stream *stream, const oy_hpack_field *field)
{
    oy_hpack_note *note = field->note;
    if (note && note->kind == NOTE_PATH) {
        stream->method = (void *)note->meaning;
    } else {
        stream->method = transport->lookup(transport->lookup_user, field->value);
        if (note) {
            note->kind = NOTE_PATH;
            note->meaning = (uintptr_t)stream->method;
        }
    }
    /* A known method has its path at hand; others keep theirs, byte for byte. */
    if (!stream->method)
        stream->path = keep(stream, field->value);
}

static __attribute__((noinline)) void take_encoding(oy_server_transport *transport, oy_server_stream *stream, const oy_hpack_field *field)
{
    static const oyez_str identity = { "identity", 8 };
    oy_hpack_note *note = field->note;
    if (oy_str_eq(field->value, identity)) {
        stream->encoding = identity;
        return;
    }
    if (note && note->kind == NOTE_ENCODING) {
        stream->compressor = (const void *)note->meaning;
    } else {
        stream->compressor = transport->find_compressor ?
            transport->find_compressor(transport->compressor_user, field->value) : NULL;
        if (note) {
            note->kind = NOTE_ENCODING;
            note->meaning = (uintptr_t)stream->compressor;
        }
    }
    stream->encoding = keep(stream, field->value);
}

static __attribute__((noinline)) void take_accept(oy_server_transport *transport, oy_server_stream *stream, const oy_hpack_field *field)
{
    oy_hpack_note *note = field->note;
    uint32_t accepts;
    if (note && note->kind == NOTE_ACCEPT) {
        accepts = (uint32_t)note->meaning;
    } else {
        accepts = transport->parse_accept ? transport->parse_accept(transport->compressor_user, field->value) : 0;
        if (note) {
            note->kind = NOTE_ACCEPT;
            note->meaning = accepts;
        }
    }
    stream->accepts |= accepts; /* a list may come in several fields (RFC 9110 section 5.3) */
    stream->has_accepts = true;
}

static __attribute__((noinline)) void take_authority(oy_server_stream *stream, oyez_str value, bool host)
{
    uint8_t *count = host ? &stream->hosts : &stream->authorities;
    if (*count < 2)
        (*count)++;
    if (!host || stream->authorities == 0)
        stream->authority = keep(stream, value);
}

static __attribute__((noinline)) void take_content_type(oy_server_stream *stream, oyez_str value)
{
    static const oyez_str usual = { "application/grpc", 16 };
    if (oy_str_eq(value, usual)) {
        stream->content_type = usual;
        stream->content_type_ok = true;
        return;
    }
    stream->content_type = keep(stream, value);
    stream->content_type_ok = oy_content_type_parse(stream->content_type, &stream->subtype);
}

static __attribute__((noinline)) void take_timeout(oy_server_stream *stream, oyez_str value)
{
    if (oy_timeout_decode(value, &stream->timeout))
        stream->bad_timeout = true;
}

/* Any field that has no meaning for the call itself. */
static __attribute__((noinline)) void take_metadata(oy_server_stream *stream, const oy_hpack_field *field)
{
    if (field->token != OY_TOKEN_USER_AGENT && oy_metadata_key_reserved(field->name))
        return;
    if (stream->list_too_large)
        return;
    oy_delivery result = oy_metadata_deliver(&stream->base, field, false);
    stream->bad_metadata |= result == OY_DELIVER_BAD_BASE64;
    stream->list_too_large = result == OY_DELIVER_TOO_MANY;
}

/* Eight fields a call come through here: so it only jumps, and saves no registers. */
void oy_server_on_field(void *user, oy_h2_stream *h2, const oy_hpack_field *field)
{
    oy_server_transport *transport = user;
    oy_server_stream *stream = stream_of(h2);
    if (h2->headers_received)
        return; /* trailers of a request mean nothing in gRPC */
    switch (field->token) {
    case OY_TOKEN_METHOD:
        stream->is_post = oy_str_eq(field->value, OYEZ_STR("POST"));
        return;
    case OY_TOKEN_PATH:
        take_path(transport, stream, field);
        return;
    case OY_TOKEN_AUTHORITY:
        take_authority(stream, field->value, false);
        return;
    case OY_TOKEN_HOST:
        take_authority(stream, field->value, true);
        return;
    case OY_TOKEN_CONTENT_TYPE:
        take_content_type(stream, field->value);
        return;
    case OY_TOKEN_GRPC_TIMEOUT:
        take_timeout(stream, field->value);
        return;
    case OY_TOKEN_GRPC_ENCODING:
        take_encoding(transport, stream, field);
        return;
    case OY_TOKEN_GRPC_ACCEPT_ENCODING:
        take_accept(transport, stream, field);
        return;
    case OY_TOKEN_SCHEME:
    case OY_TOKEN_TE:
        return;
    default:
        take_metadata(stream, field);
        return;
    }
}

/* --- events -------------------------------------------------------------------------------------------------------- */

static void refuse(oy_server_stream *stream, const char *http_status, oyez_code code, const char *words)
{
    stream->abort_http = http_status;
    stream->abort_code = (uint32_t)code;
    stream->abort_words = words;
}

/* gRPC-Go's order of checks. */
static void check(oy_server_stream *stream, bool over_limit)
{
    if (over_limit)
        refuse(stream, "431", OYEZ_RESOURCE_EXHAUSTED, "the request's header list is larger than this server accepts");
    else if (stream->authorities > 1 || (stream->authorities == 0 && stream->hosts > 1))
        refuse(stream, "400", OYEZ_INTERNAL, "the request has more than one authority");
    else if (!stream->content_type_ok)
        refuse(stream, "415", OYEZ_INVALID_ARGUMENT, "invalid gRPC request content-type: expected application/grpc");
    else if (stream->bad_timeout)
        refuse(stream, "400", OYEZ_INTERNAL,
               "malformed grpc-timeout: expected 1 to 8 digits and a unit of H, M, S, m, u, n");
    else if (stream->bad_metadata)
        refuse(stream, "400", OYEZ_INTERNAL, "malformed binary metadata: a -bin value is not base64");
    else if (!stream->is_post)
        refuse(stream, "405", OYEZ_INTERNAL, "the method of a gRPC request is POST");
}

static void on_abort_timer(oy_timer *timer)
{
    oy_server_abort(oy_container_of(timer, oy_server_stream, abort_timer));
}

/* The answer waits for the rest of the request, but not for long. */
static void abort_soon(oy_conn *conn, oy_server_stream *stream, bool complete)
{
    stream->abort_timer.fire = on_abort_timer;
    if (complete || oy_timer_set(conn->loop, &stream->abort_timer, oy_loop_now(conn->loop) + OY_ABORT_DELAY))
        oy_server_abort(stream);
}

void oy_server_on_headers(void *user, oy_h2_stream *h2, const oy_h2_headers *headers)
{
    oy_server_stream *stream = stream_of(h2);
    oy_conn *conn = user;
    if (headers->trailers) {
        const oyez_buffer nothing = { NULL, 0, NULL };
        oy_server_on_data(user, h2, &nothing, true);
        return;
    }
    check(stream, headers->over_limit || stream->list_too_large);
    if (stream->abort_http) {
        abort_soon(conn, stream, headers->end_stream);
        return;
    }
    oy_guard guard;
    stream->opened = true;
    oy_guard_enter(conn, &guard, &stream->base);
    stream->base.events->on_headers(&stream->base);
    if (oy_guard_leave(conn, &guard) && headers->end_stream)
        (void)oy_stream_end_of_data(&stream->base);
}

/* A request that cannot be received ends with a status, not with a bare reset. */
static void fail_request(oy_server_stream *stream, const oy_end *end)
{
    oy_stream *base = &stream->base;
    if (base->trailers_pending || base->out_pending) {
        oy_server_stream_reset(stream, OY_H2_CANCEL);
        oy_end over = *end;
        base->events->on_end(base, &over);
        return;
    }
    oy_server_stream_finish(stream, end->code, end->message, end->details, NULL, 0);
}

void oy_server_on_data(void *user, oy_h2_stream *h2, const oyez_buffer *piece, bool end_stream)
{
    oy_server_stream *stream = stream_of(h2);
    oy_server_transport *transport = user;
    oy_end end;
    transport->conn.life.data_bytes += piece->len;
    if (stream->abort_http) {
        oy_h2_consumed(transport->conn.h2, h2, (uint32_t)piece->len);
        if (end_stream)
            oy_server_abort(stream);
        return;
    }
    if (oy_stream_receive(&stream->base, piece, end_stream, &end) == OY_RECEIVE_FAILED)
        fail_request(stream, &end);
    if (transport->conn.out.len > 0)
        oy_conn_touch(&transport->conn);
}

bool oy_server_stream_end_of_data(oy_stream *stream)
{
    oy_conn *conn = stream->conn;
    oy_guard guard;
    oy_guard_enter(conn, &guard, stream);
    stream->events->on_half_close(stream);
    return oy_guard_leave(conn, &guard);
}

void oy_server_on_reset(void *user, oy_h2_stream *h2, uint32_t code, bool by_peer, const char *words)
{
    const oy_end end = { .code = OYEZ_CANCELLED,
                         .message = by_peer ? OYEZ_STR("the client has cancelled the call")
                                            : OYEZ_STR("the client broke the protocol") };
    (void)user;
    (void)code;
    (void)words;
    oy_server_stream_end(stream_of(h2), &end);
}

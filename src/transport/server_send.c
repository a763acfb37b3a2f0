/* SPDX-License-Identifier: Apache-2.0 */
/* A server's stream on its way out: response headers, trailers, and answers to requests that never become calls. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/assert.h"
#include "base/base64.h"
#include "base/size.h"
#include "base/text.h"
#include "transport/headers_out.h"
#include "transport/server.h"

/* SET_RESPONSE and so many fields more. */
enum { SET_TRAILERS_OK = 1, SET_RESPONSE };

/* The two last ones to clients that speak of compression. */
static const oyez_str response_names[] = {
    { ":status", 7 }, { "content-type", 12 }, { "grpc-accept-encoding", 20 }, { "grpc-encoding", 13 },
};
#define RESPONSE_NAMES (sizeof(response_names) / sizeof(response_names[0]))
static const oyez_str status_name = { "grpc-status", 11 };
static const oyez_str message_name = { "grpc-message", 12 };
static const oyez_str details_name = { "grpc-status-details-bin", 23 };
static const oyez_str accept_name = { "grpc-accept-encoding", 20 };
static const oyez_str default_type = { "application/grpc", 16 };

/* --- the end of a stream --------------------------------------------------------------------------------------------- */

static void leave_wire(oy_server_stream *stream, oy_h2_code reset_code)
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

static void detach(oy_server_stream *stream, oy_h2_code reset_code)
{
    oy_server_transport *transport = oy_server_of(stream->base.conn);
    oy_timer_unset(transport->conn.loop, &stream->abort_timer);
    leave_wire(stream, reset_code);
    transport->streams--;
    oy_stream_detach(&stream->base);
}

void oy_server_stream_end(oy_server_stream *stream, const oy_end *end)
{
    oy_conn *conn = stream->base.conn;
    oy_conn_hold(conn);
    detach(stream, OY_H2_CANCEL);
    stream->base.events->on_end(&stream->base, end);
    oy_server_stream_gone(oy_server_of(conn));
    oy_conn_release(conn);
}

void oy_server_stream_reset(oy_server_stream *stream, oy_h2_code code)
{
    oy_conn *conn = stream->base.conn;
    if (!conn)
        return;
    oy_conn_hold(conn);
    detach(stream, code);
    oy_server_stream_gone(oy_server_of(conn));
    oy_conn_release(conn);
}

/* The answer is written. A client that still sends is told to stop (RFC 9113 section 8.1). */
static void finished(oy_server_stream *stream)
{
    const oy_end end = { .code = OYEZ_OK };
    oy_conn *conn = stream->base.conn;
    oy_conn_hold(conn);
    oy_conn_touch(conn);
    /* When not even the bare status fitted into what the client accepts, the reset has to say it. */
    detach(stream, stream->base.h2.send_closed ? OY_H2_NO_ERROR : OY_H2_INTERNAL_ERROR);
    stream->base.events->on_end(&stream->base, &end);
    oy_server_stream_gone(oy_server_of(conn));
    oy_conn_release(conn);
}

/* --- header blocks ------------------------------------------------------------------------------------------------------ */

static oy_header_set response_set(const oy_server_stream *stream, oyez_str values[RESPONSE_NAMES])
{
    values[0] = OYEZ_STR("200");
    values[1] = stream->content_type_ok ? stream->content_type : default_type;
    return (oy_header_set){ .names = response_names, .values = values, .count = 2, .key = values[1],
                            .kind = SET_RESPONSE };
}

/* The same for an answer to a client that compresses, or for one that is compressed. @param key in which it is made if there
 * are two values to tell apart */
static oy_header_set encoded_response_set(const oy_server_stream *stream, oyez_str values[RESPONSE_NAMES],
                                          char key[OY_HEADER_CACHE_KEY_MAX + 1])
{
    oy_header_set set = response_set(stream, values);
    const oyez_str encoding = stream->answer_encoding, type = values[1];
    values[2] = oy_server_of(stream->base.conn)->accept_encoding;
    if (values[2].len == 0 || (encoding.len == 0 && stream->encoding.len == 0))
        return set;
    set.count = 3;
    set.kind = SET_RESPONSE + 1;
    if (encoding.len == 0)
        return set;
    values[3] = encoding;
    set.count = 4;
    set.kind = SET_RESPONSE + 2;
    set.key = (oyez_str){ key, oy_min_size(type.len + 1 + encoding.len, OY_HEADER_CACHE_KEY_MAX + 1) };
    memset(key, 0, set.key.len);
    if (set.key.len > OY_HEADER_CACHE_KEY_MAX)
        return set; /* the cache does not keep it */
    memcpy(key, type.data, type.len);
    memcpy(key + type.len + 1, encoding.data, encoding.len);
    return set;
}

static oyez_err write_headers(oy_server_stream *stream, const oy_field *metadata, size_t count)
{
    oy_conn *conn = stream->base.conn;
    oyez_str values[RESPONSE_NAMES];
    char key[OY_HEADER_CACHE_KEY_MAX + 1];
    oy_header_set set = encoded_response_set(stream, values, key);
    size_t list_bytes = oy_header_cache_find(&conn->headers, conn->h2, &set), max_bytes = list_bytes;
    oy_h2_block block;
    oy_metadata_measure(metadata, count, &list_bytes, &max_bytes);
    oyez_err err = oy_h2_block_begin(conn->h2, &block, list_bytes, max_bytes);
    if (err)
        return err;
    oy_header_cache_add(&conn->headers, conn->h2, &block, &set);
    oy_metadata_add(conn->h2, &block, metadata, count, stream->base.arena);
    return oy_h2_block_end(conn->h2, &block, &stream->base.h2, false);
}

oyez_err oy_server_stream_send_headers(oy_server_stream *stream, const oy_field *metadata, size_t count)
{
    oy_stream *base = &stream->base;
    if (!oy_stream_is_open(base) || base->headers_sent)
        return OYEZ_ESTATE;
    oyez_err err = write_headers(stream, metadata, count);
    if (err)
        return err;
    base->headers_sent = true;
    oy_conn_touch(base->conn);
    return OYEZ_NO_ERR;
}

/* What the last HEADERS of a stream carries. */
typedef struct last_block {
    const char *http_status;     /* NULL: headers were sent before */
    uint32_t code;
    oyez_str message;            /* percent-encoded */
    oyez_str details;            /* raw */
    bool accept;                 /* say which encodings we take */
    const oy_field *trailers;
    size_t trailer_count;
} last_block;

static oyez_str format_code(uint32_t code, char dst[12])
{
    if (code < 10) {
        dst[0] = (char)('0' + code);
        return (oyez_str){ dst, 1 };
    }
    int len = snprintf(dst, 12, "%u", code);
    return (oyez_str){ dst, (size_t)len };
}

static oyez_err write_last(oy_server_stream *stream, const last_block *last)
{
    oy_conn *conn = stream->base.conn;
    char number[12];
    oyez_str code = format_code(last->code, number);
    oyez_str values[RESPONSE_NAMES];
    oy_header_set response = response_set(stream, values);
    oy_header_set status = { .names = &status_name, .values = &code, .count = 1, .kind = SET_TRAILERS_OK };
    bool cached_response = last->http_status && strcmp(last->http_status, "200") == 0;
    const oy_field details = { details_name, last->details, true };
    oyez_str accepted = oy_server_of(conn)->accept_encoding;
    if (accepted.len == 0)
        accepted = OYEZ_STR("identity");
    oy_h2_block block;
    size_t list_bytes = 0, max_bytes = 0;

    if (cached_response)
        list_bytes = oy_header_cache_find(&conn->headers, conn->h2, &response);
    if (last->code == OYEZ_OK)
        list_bytes += oy_header_cache_find(&conn->headers, conn->h2, &status);
    max_bytes = list_bytes;
    if (last->http_status && !cached_response) {
        values[0] = oy_str(last->http_status);
        for (size_t i = 0; i < 2; i++)
            oy_header_measure(response_names[i].len, values[i].len, &list_bytes, &max_bytes);
    }
    if (last->code != OYEZ_OK)
        oy_header_measure(status_name.len, code.len, &list_bytes, &max_bytes);
    if (last->message.len)
        oy_header_measure(message_name.len, last->message.len, &list_bytes, &max_bytes);
    if (last->details.len)
        oy_metadata_measure(&details, 1, &list_bytes, &max_bytes);
    if (last->accept)
        oy_header_measure(accept_name.len, accepted.len, &list_bytes, &max_bytes);
    oy_metadata_measure(last->trailers, last->trailer_count, &list_bytes, &max_bytes);
    oyez_err err = oy_h2_block_begin(conn->h2, &block, list_bytes, max_bytes);
    if (err)
        return err;
    if (cached_response)
        oy_header_cache_add(&conn->headers, conn->h2, &block, &response);
    else if (last->http_status)
        for (size_t i = 0; i < 2; i++)
            oy_h2_block_add(conn->h2, &block, response_names[i], values[i], OY_HPACK_LITERAL);
    if (last->code == OYEZ_OK)
        oy_header_cache_add(&conn->headers, conn->h2, &block, &status);
    else
        oy_h2_block_add(conn->h2, &block, status_name, code, OY_HPACK_INDEX);
    if (last->message.len)
        oy_h2_block_add(conn->h2, &block, message_name, last->message, OY_HPACK_LITERAL);
    if (last->details.len)
        oy_metadata_add(conn->h2, &block, &details, 1, stream->base.arena);
    if (last->accept)
        oy_h2_block_add(conn->h2, &block, accept_name, accepted, OY_HPACK_INDEX);
    oy_metadata_add(conn->h2, &block, last->trailers, last->trailer_count, stream->base.arena);
    return oy_h2_block_end(conn->h2, &block, &stream->base.h2, true);
}

/* Percent-encodes; at most `cap` bytes. */
static oyez_str encode_message(oy_server_stream *stream, oyez_str message, size_t cap)
{
    size_t max = oy_min_size(oy_percent_encoded_max(message.len), cap);
    char *text = message.len ? oy_arena_alloc(stream->base.arena, max) : NULL;
    if (!text)
        return (oyez_str){ "", 0 };
    return (oyez_str){ text, oy_percent_encode(message, text, max) };
}

/* Writes the last block; what does not fit the client's limit is left out, the code is not. */
static void write_last_to_fit(oy_server_stream *stream, last_block *last, oyez_str message)
{
    oy_conn *conn = stream->base.conn;
    size_t limit = oy_h2_peer(conn->h2)->header_list_bytes;
    last->message = encode_message(stream, message, oy_min_size(limit, 64 * 1024));
    oyez_err err = write_last(stream, last);
    if (err == OYEZ_ELIMIT) {
        /* First the message is cut to a part, then all goes but the code. */
        last->message = encode_message(stream, message, limit / 4);
        err = write_last(stream, last);
    }
    if (err == OYEZ_ELIMIT) {
        last->message = last->details = (oyez_str){ "", 0 };
        last->trailer_count = 0;
        last->accept = false;
        (void)write_last(stream, last);
    }
}

/* --- answers ---------------------------------------------------------------------------------------------------------------- */

void oy_server_abort(oy_server_stream *stream)
{
    last_block last = { .http_status = stream->abort_http, .code = stream->abort_code };
    write_last_to_fit(stream, &last, oy_str(stream->abort_words));
    finished(stream);
}

/* The usual end: status 0 behind a message, and nothing to say about it. */
static oyez_err write_bare_ok(oy_server_stream *stream)
{
    oy_conn *conn = stream->base.conn;
    const oyez_str code = { "0", 1 };
    oy_header_set status = { .names = &status_name, .values = &code, .count = 1, .kind = SET_TRAILERS_OK };
    const size_t bytes = oy_header_cache_find(&conn->headers, conn->h2, &status);
    oy_h2_block block;
    oyez_err err = oy_h2_block_begin(conn->h2, &block, bytes, bytes);
    if (err)
        return err;
    oy_header_cache_add(&conn->headers, conn->h2, &block, &status);
    return oy_h2_block_end(conn->h2, &block, &stream->base.h2, true);
}

static bool is_bare_ok(const oy_server_stream *stream)
{
    return stream->status_code == OYEZ_OK && stream->base.headers_sent && stream->status_message.len == 0 &&
           stream->status_details.len == 0 && stream->trailer_count == 0;
}

static void write_status(oy_server_stream *stream)
{
    oy_stream *base = &stream->base;
    if (oy_likely(is_bare_ok(stream)) && oy_likely(write_bare_ok(stream) == OYEZ_NO_ERR)) {
        finished(stream);
        return;
    }
    last_block last = {
        .http_status = base->headers_sent ? NULL : "200",
        .code = stream->status_code,
        .details = stream->status_details,
        .accept = stream->status_code == OYEZ_UNIMPLEMENTED && stream->encoding.len > 0,
        .trailers = stream->trailers,
        .trailer_count = stream->trailer_count,
    };
    write_last_to_fit(stream, &last, stream->status_message);
    finished(stream);
}

void oy_server_stream_finish(oy_server_stream *stream, uint32_t code, oyez_str message, oyez_str details,
                             const oy_field *trailers, size_t count)
{
    oy_stream *base = &stream->base;
    if (!oy_stream_is_open(base) || base->trailers_pending)
        return;
    stream->status_code = code;
    stream->status_message = message;
    stream->status_details = details;
    stream->trailers = trailers;
    stream->trailer_count = count;
    if (base->out_pending)
        base->trailers_pending = true;
    else
        write_status(stream);
}

bool oy_server_stream_message_out(oy_stream *base)
{
    base->trailers_pending = false;
    write_status(oy_container_of(base, oy_server_stream, base));
    return false;
}

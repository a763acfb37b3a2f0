/* SPDX-License-Identifier: Apache-2.0 */
/* HEADERS and CONTINUATION: from frames to a whole block, from the block to a stream.
 *
 * A block in one frame is decoded where it lies. One that spans frames is gathered, in bounds: a
 * peer could go on forever with CONTINUATIONs (CVE-2024-27316). Whatever becomes of the stream,
 * every block goes through the decoder, or its table would be out of step. */
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "h2/conn.h"

#define PRIORITY_BYTES     5u
#define KEEP_GATHER_BYTES  16384u
#define LEAST_GATHER_LIMIT OYEZ_LIMIT_HEADER_BLOCK_BYTES

/* A block that goes to no stream: what is to be done once it has been decoded. */
typedef struct rejection {
    oy_h2_stream *stream; /* to be reset; NULL: not open */
    uint32_t code;        /* of the stream error; 0: dropped silently */
    bool blameless;       /* the peer could not know */
    const char *words;
} rejection;

/* Returns NULL always, so that judging reads as one expression. */
static oy_h2_stream *reject(rejection *ret, oy_h2_stream *stream, uint32_t code, const char *words)
{
    *ret = (rejection){.stream = stream, .code = code, .words = words};
    return NULL;
}

static oy_h2_stream *judge_open(oy_h2_conn *conn, oy_h2_stream *stream, bool end_stream,
                                rejection *ret)
{
    if (oy_unlikely(stream->recv_closed))
        return reject(ret, stream, OY_H2_STREAM_CLOSED, "HEADERS behind the end of the stream");
    if (oy_unlikely(stream->headers_received && !end_stream))
        return reject(ret, stream, OY_H2_PROTOCOL_ERROR, "HEADERS in the middle of a stream");
    if (oy_unlikely(conn->depends_on_itself))
        return reject(ret, stream, OY_H2_PROTOCOL_ERROR, "a stream that depends on itself");
    return stream;
}

/* Server: the peer uses an id for the first time. */
static oy_h2_stream *judge_new(oy_h2_conn *conn, uint32_t id, rejection *ret)
{
    oy_h2_stream *stream;
    bool blameless = false;

    conn->seen_peer = id;
    if (conn->goaway_sent && id > conn->goaway_sent_id) {
        oy_h2_remember_end(conn, id, OY_H2_END_BY_US);
        return reject(ret, NULL, 0, NULL);
    }
    conn->last_peer = id;
    if (conn->stream_count >= conn->config.max_streams)
        return reject(ret, NULL, OY_H2_REFUSED_STREAM, "more streams than SETTINGS allowed");
    if (oy_unlikely(conn->depends_on_itself))
        return reject(ret, NULL, OY_H2_PROTOCOL_ERROR, "a stream that depends on itself");
    stream = conn->events.on_stream(conn->user, &blameless);
    if (oy_unlikely(!stream)) {
        (void)reject(ret, NULL, OY_H2_REFUSED_STREAM, "the stream was refused");
        ret->blameless = blameless;
        return NULL;
    }
    oy_h2_stream_begin(conn, stream, id);
    return stream;
}

static oy_h2_stream *judge_closed(oy_h2_conn *conn, uint32_t id, rejection *ret)
{
    switch (oy_h2_recall_end(conn, id)) {
    case OY_H2_END_OF_STREAM:
        oy_h2_fail(conn, OY_H2_STREAM_CLOSED, "HEADERS on a stream that had ended");
        break;
    case OY_H2_END_BY_PEER:
        return reject(ret, NULL, OY_H2_STREAM_CLOSED,
                      "HEADERS on a stream that the peer has reset");
    case OY_H2_END_FORGOTTEN:
        if (conn->server && id > conn->ended_forgotten)
            oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "a stream id that is lower than an earlier one");
        break;
    case OY_H2_END_BY_US:
        break;
    }
    return reject(ret, NULL, 0, NULL);
}

/* The stream that gets the block; NULL: none, and *ret says what else. */
static oy_h2_stream *judge(oy_h2_conn *conn, uint32_t id, bool end_stream, rejection *ret)
{
    oy_h2_stream *stream = oy_h2_find(conn, id);

    if (stream)
        return judge_open(conn, stream, end_stream, ret);
    if (!oy_h2_is_idle(conn, id))
        return judge_closed(conn, id, ret);
    if (conn->server && id & 1)
        return judge_new(conn, id, ret);
    oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR,
               conn->server ? "a client began a stream with an even id"
                            : "HEADERS on a stream that we have not begun");
    return reject(ret, NULL, 0, NULL);
}

static void fail_decoding(oy_h2_conn *conn, oyez_err err, const char *words)
{
    if (err == OYEZ_ENOMEM)
        (void)oy_h2_fail_memory(conn);
    else
        oy_h2_fail(conn, OY_H2_COMPRESSION_ERROR, words);
}

/* The whole block is decoded: checks what only shows at its end. */
static const char *check_block(const oy_h2_conn *conn, const oy_h2_headers *headers)
{
    const oy_h2_incoming *in = &conn->in;

    if (oy_unlikely(in->malformed != NULL))
        return in->malformed;
    if (headers->informational && headers->end_stream)
        return "an informational response ends the stream";
    if (conn->server && !headers->trailers && !headers->over_limit) {
        const char *words = oy_h2_field_missing(in);
        if (words)
            return words;
    }
    if (headers->end_stream && in->stream->content_length > 0)
        return "the stream ended before the announced content-length";
    return NULL;
}

static void finish(oy_h2_conn *conn, uint32_t id, bool end_stream, bool over_limit)
{
    const oy_h2_incoming *in = &conn->in;
    oy_h2_stream *stream = in->stream;
    const oy_h2_headers headers = {
        .end_stream = end_stream,
        .trailers = in->trailers,
        .informational = in->seen & OY_H2_SEEN(OY_H2_FIELD_STATUS_1XX),
        .over_limit = over_limit,
    };

    if (!headers.trailers && !headers.informational) {
        stream->headers_received = true;
        /* Some announce the length of a body that they do not have (RFC 9110 section 8.6). */
        if (!(in->seen & OY_H2_SEEN(OY_H2_FIELD_STATUS_NO_BODY)))
            stream->content_length = in->content_length;
    }
    const char *words = check_block(conn, &headers);
    conn->in.stream = NULL;
    if (oy_unlikely(words != NULL)) {
        oy_h2_stream_error(conn, id, stream, OY_H2_PROTOCOL_ERROR, words);
        return;
    }
    stream->recv_closed = end_stream;
    conn->events.on_headers(conn->user, stream, &headers);
}

static void take_fields(oy_h2_conn *conn, oy_h2_stream *stream, oy_hpack_reader *reader)
{
    oy_h2_incoming *in = &conn->in;
    const oy_hpack_field *field;

    in->stream = stream;
    in->malformed = NULL;
    in->seen = 0;
    in->trailers = stream->headers_received;
    in->allowed = in->trailers ? OY_H2_SEEN(OY_H2_FIELD_PLAIN) : conn->first_allowed;
    in->content_length = -1;
    do
        field = oy_hpack_read(reader);
    while (field && oy_h2_field_take(conn, field));
}

/* A whole block. @param flags of the HEADERS */
static void take_block(oy_h2_conn *conn, uint32_t id, uint32_t flags, const uint8_t *block,
                       size_t len)
{
    const bool end_stream = flags & OY_H2_FLAG_END_STREAM;
    oy_hpack_reader reader;
    oy_hpack_result result;
    rejection rejected = {0}; /* set whenever there is no stream, which gcc cannot see at -O1 */
    const char *words;
    oy_h2_stream *stream = judge(conn, id, end_stream, &rejected);

    if (oy_unlikely(conn->error != OYEZ_NO_ERR))
        return;
    oy_hpack_read_begin(&reader, conn->decoder, block, len);
    if (oy_likely(stream != NULL)) {
        stream->block_ends_stream = end_stream;
        take_fields(conn, stream, &reader);
    }
    oyez_err err = oy_hpack_read_end(&reader, &result, &words);
    if (oy_unlikely(err != OYEZ_NO_ERR))
        fail_decoding(conn, err, words);
    else if (oy_unlikely(!stream)) {
        if (rejected.blameless)
            oy_h2_refuse(conn, id);
        else if (rejected.code)
            oy_h2_stream_error(conn, id, rejected.stream, rejected.code, rejected.words);
    } else if (conn->in.stream)
        finish(conn, id, end_stream, result.over_limit);
}

/* --- gathering -------------------------------------------------------------------------------- */

static void gather(oy_h2_conn *conn, const uint8_t *fragment, size_t len)
{
    oy_h2_gather *all = &conn->gather;
    size_t limit = (size_t)conn->config.header_list_bytes * 4;
    size_t capacity;
    uint8_t *bytes;

    if (len > oy_max_size(limit, LEAST_GATHER_LIMIT) - all->len) {
        oy_h2_fail(conn, OY_H2_ENHANCE_YOUR_CALM, "a header block has too many bytes");
        return;
    }
    if (all->len + len > all->capacity) {
        capacity = oy_max_size(oy_max_size(all->len + len, all->capacity * 2), 1024);
        bytes = oy_realloc(all->bytes, capacity);
        if (!bytes) {
            (void)oy_h2_fail_memory(conn);
            return;
        }
        all->bytes = bytes;
        all->capacity = capacity;
    }
    if (len)
        memcpy(all->bytes + all->len, fragment, len);
    all->len += len;
}

void oy_h2_on_headers(oy_h2_conn *conn, const uint8_t *payload)
{
    const oy_h2_frame *frame = &conn->frame;
    const uint8_t *at = payload;
    uint32_t left = frame->length, pad = 0;
    bool depends_on_itself = false;

    if (frame->stream_id == 0) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "HEADERS on stream 0");
        return;
    }
    if (oy_unlikely(frame->flags & (OY_H2_FLAG_PADDED | OY_H2_FLAG_PRIORITY))) {
        uint32_t fixed = (frame->flags & OY_H2_FLAG_PADDED ? 1u : 0u) +
                         (frame->flags & OY_H2_FLAG_PRIORITY ? PRIORITY_BYTES : 0u);
        if (left < fixed) {
            oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR, "HEADERS is too short for its flags");
            return;
        }
        if (frame->flags & OY_H2_FLAG_PADDED)
            pad = *at++;
        if (frame->flags & OY_H2_FLAG_PRIORITY) {
            depends_on_itself = (oy_h2_get_u32(at) & OY_H2_MAX_STREAM_ID) == frame->stream_id;
            at += PRIORITY_BYTES;
        }
        left -= fixed;
        if (pad > left) {
            oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR,
                       "the padding of HEADERS is longer than the frame");
            return;
        }
        left -= pad;
    }
    conn->depends_on_itself = depends_on_itself;
    if (oy_likely(frame->flags & OY_H2_FLAG_END_HEADERS)) {
        take_block(conn, frame->stream_id, frame->flags, at, left);
        return;
    }
    conn->gather.stream_id = frame->stream_id;
    conn->gather.flags = frame->flags;
    conn->gather.frames = 0;
    conn->gather.len = 0;
    gather(conn, at, left);
}

void oy_h2_on_continuation(oy_h2_conn *conn, const uint8_t *payload)
{
    oy_h2_gather *all = &conn->gather;

    if (all->stream_id == 0) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "CONTINUATION without HEADERS");
        return;
    }
    /* Frames are counted, too: empty ones have no bytes. */
    if (++all->frames > conn->config.max_continuations) {
        oy_h2_fail(conn, OY_H2_ENHANCE_YOUR_CALM,
                   "a header block has too many CONTINUATION frames");
        return;
    }
    gather(conn, payload, conn->frame.length);
    if (conn->error || !(conn->frame.flags & OY_H2_FLAG_END_HEADERS))
        return;
    const uint32_t id = all->stream_id;
    all->stream_id = 0;
    take_block(conn, id, all->flags, all->bytes, all->len);
    if (all->capacity > KEEP_GATHER_BYTES) {
        oy_free(all->bytes);
        all->bytes = NULL;
        all->capacity = 0;
    }
}

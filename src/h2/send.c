/* SPDX-License-Identifier: Apache-2.0 */
/* Frames out. Everything is written straight into the output queue's memory; only a header block
 * that may not fit into one frame goes through a scratch buffer. */
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "h2/conn.h"

#define HEAD OY_H2_FRAME_HEADER_BYTES

uint8_t *oy_h2_frame_begin(oy_h2_conn *conn, uint32_t length, uint8_t type, uint32_t flags,
                           uint32_t stream_id)
{
    uint8_t *to;

    if (conn->error)
        return NULL;
    to = oy_outq_reserve(conn->output, HEAD + length);
    if (!to) {
        (void)oy_h2_fail_memory(conn);
        return NULL;
    }
    oy_h2_frame_write(to, length, type, flags, stream_id);
    return to + HEAD;
}

void oy_h2_frame_done(oy_h2_conn *conn, uint32_t length)
{
    oy_outq_commit(conn->output, HEAD + length);
}

void oy_h2_count_reply(oy_h2_conn *conn)
{
    if (++conn->unsent_replies > conn->config.max_unsent_control)
        oy_h2_fail(conn, OY_H2_ENHANCE_YOUR_CALM,
                   "the peer provokes replies and does not read them");
}

static void write_u32(oy_h2_conn *conn, uint8_t type, uint32_t id, uint32_t value)
{
    uint8_t *to = oy_h2_frame_begin(conn, 4, type, 0, id);

    if (!to)
        return;
    oy_h2_put_u32(to, value);
    oy_h2_frame_done(conn, 4);
}

void oy_h2_write_rst(oy_h2_conn *conn, uint32_t id, uint32_t code)
{
    write_u32(conn, OY_H2_FRAME_RST_STREAM, id, code);
}

void oy_h2_write_window_update(oy_h2_conn *conn, uint32_t id, uint32_t increment)
{
    write_u32(conn, OY_H2_FRAME_WINDOW_UPDATE, id, increment);
}

static void write_ping(oy_h2_conn *conn, uint32_t flags, const uint8_t payload[8])
{
    uint8_t *to = oy_h2_frame_begin(conn, 8, OY_H2_FRAME_PING, flags, 0);

    if (!to)
        return;
    memcpy(to, payload, 8);
    oy_h2_frame_done(conn, 8);
}

void oy_h2_ping(oy_h2_conn *conn, const uint8_t payload[8])
{
    write_ping(conn, 0, payload);
}

bool oy_h2_take_progress(oy_h2_conn *conn)
{
    const bool progress = conn->progress;
    conn->progress = false;
    return progress;
}

void oy_h2_on_ping(oy_h2_conn *conn, const uint8_t *payload)
{
    bool ack = conn->frame.flags & OY_H2_FLAG_ACK;

    if (conn->frame.stream_id != 0) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "PING on a stream");
        return;
    }
    if (conn->frame.length != 8) {
        oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR, "PING is not 8 bytes long");
        return;
    }
    if (!ack) {
        oy_h2_count_reply(conn);
        write_ping(conn, OY_H2_FLAG_ACK, payload);
    }
    if (!conn->error)
        conn->events.on_ping(conn->user, ack, payload);
}

void oy_h2_write_goaway(oy_h2_conn *conn, uint32_t last_id, uint32_t code, oyez_str debug)
{
    uint32_t words = (uint32_t)oy_min_size(debug.len, OY_H2_FRAME_BYTES - 8);
    uint8_t *to;

    if (conn->goaway_sent && last_id > conn->goaway_sent_id)
        last_id = conn->goaway_sent_id; /* it never goes up (RFC 9113 section 6.8) */
    to = oy_h2_frame_begin(conn, 8 + words, OY_H2_FRAME_GOAWAY, 0, 0);
    if (!to)
        return;
    oy_h2_put_u32(to, last_id);
    oy_h2_put_u32(to + 4, code);
    if (words)
        memcpy(to + 8, debug.data, words);
    oy_h2_frame_done(conn, 8 + words);
    conn->goaway_sent = true;
    conn->goaway_sent_id = last_id;
}

void oy_h2_goaway(oy_h2_conn *conn, uint32_t last_id, uint32_t code, oyez_str debug)
{
    oy_h2_write_goaway(conn, last_id & OY_H2_MAX_STREAM_ID, code, debug);
}

/* --- DATA ------------------------------------------------------------------------------------- */

oyez_err oy_h2_data_begin(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t bytes, bool end_stream)
{
    uint8_t *to;

    if (oy_unlikely(conn->error != OYEZ_NO_ERR))
        return conn->error;
    if (oy_unlikely(stream->id == 0 || stream->send_closed))
        return OYEZ_ESTATE;
    if (bytes &&
        (bytes > conn->send_window || bytes > stream->send_window || bytes > OY_H2_FRAME_BYTES))
        return OYEZ_EINVAL;
    to = oy_outq_reserve(conn->output, HEAD);
    if (oy_unlikely(!to))
        return oy_h2_fail_memory(conn);
    oy_h2_frame_write(to, bytes, OY_H2_FRAME_DATA, end_stream ? OY_H2_FLAG_END_STREAM : 0,
                      stream->id);
    oy_outq_commit(conn->output, HEAD);
    conn->send_window -= bytes;
    conn->progress = true;
    stream->send_window -= bytes;
    stream->send_closed = end_stream;
    return OYEZ_NO_ERR;
}

/* --- header blocks ---------------------------------------------------------------------------- */

/* A block that may need more than one frame. */
static __attribute__((noinline)) oyez_err begin_in_scratch(oy_h2_conn *conn, oy_h2_block *block,
                                                           size_t max_bytes)
{
    size_t room;

    if (!oy_add_size(max_bytes, HEAD + OY_HPACK_BEGIN_MAX, &room))
        return OYEZ_ELIMIT;
    block->frame = block->scratch = oy_alloc(room);
    return block->frame ? OYEZ_NO_ERR : oy_h2_fail_memory(conn);
}

oyez_err oy_h2_block_begin(oy_h2_conn *conn, oy_h2_block *block, size_t list_bytes,
                           size_t max_bytes)
{
    if (oy_unlikely(conn->error != OYEZ_NO_ERR))
        return conn->error;
    if (oy_unlikely(list_bytes > conn->peer.header_list_bytes))
        return OYEZ_ELIMIT;
    if (oy_likely(max_bytes <= OY_H2_FRAME_BYTES - OY_HPACK_BEGIN_MAX)) {
        block->scratch = NULL;
        block->frame = oy_outq_reserve(conn->output, HEAD + OY_HPACK_BEGIN_MAX + max_bytes);
        if (oy_unlikely(!block->frame))
            return oy_h2_fail_memory(conn);
    } else {
        oyez_err err = begin_in_scratch(conn, block, max_bytes);
        if (err)
            return err;
    }
    block->next = block->frame + HEAD;
    block->next += oy_hpack_encode_begin(conn->encoder, block->next);
    block->end = block->next + max_bytes;
    return OYEZ_NO_ERR;
}

void oy_h2_block_add(oy_h2_conn *conn, oy_h2_block *block, oyez_str name, oyez_str value,
                     oy_hpack_mode mode)
{
    oy_assert((size_t)(block->end - block->next) >= oy_hpack_field_max(name.len, value.len));
    block->next += oy_hpack_encode(conn->encoder, name, value, mode, block->next);
}

void oy_h2_block_add_encoded(oy_h2_block *block, const uint8_t *bytes, size_t len)
{
    oy_assert((size_t)(block->end - block->next) >= len);
    memcpy(block->next, bytes, len);
    block->next += len;
}

/* HEADERS and CONTINUATIONs from the scratch buffer, which is freed. */
static __attribute__((noinline)) oyez_err write_fragments(oy_h2_conn *conn, oy_h2_block *block,
                                                          uint32_t id, uint32_t flags)
{
    const uint8_t *at = block->scratch + HEAD;
    size_t left = (size_t)(block->next - at);
    uint8_t type = OY_H2_FRAME_HEADERS;

    do {
        uint32_t length = (uint32_t)oy_min_size(left, OY_H2_FRAME_BYTES);
        uint8_t *to;

        left -= length;
        to = oy_h2_frame_begin(conn, length, type, left ? flags : flags | OY_H2_FLAG_END_HEADERS,
                               id);
        if (!to)
            break;
        memcpy(to, at, length);
        oy_h2_frame_done(conn, length);
        at += length;
        type = OY_H2_FRAME_CONTINUATION;
        flags = 0;
    } while (left);
    oy_free(block->scratch);
    block->scratch = NULL;
    return conn->error;
}

oyez_err oy_h2_block_end(oy_h2_conn *conn, oy_h2_block *block, oy_h2_stream *stream,
                         bool end_stream)
{
    const uint32_t flags = end_stream ? OY_H2_FLAG_END_STREAM : 0;
    const size_t length = (size_t)(block->next - block->frame) - HEAD;

    /* The encoder's table has moved on: a block that was begun must go out. */
    oy_assert(stream->id != 0 && !stream->send_closed);
    stream->send_closed = end_stream;
    conn->progress = true;
    if (oy_unlikely(block->scratch != NULL))
        return write_fragments(conn, block, stream->id, flags);
    oy_h2_frame_write(block->frame, (uint32_t)length, OY_H2_FRAME_HEADERS,
                      flags | OY_H2_FLAG_END_HEADERS, stream->id);
    oy_outq_commit(conn->output, HEAD + length);
    return OYEZ_NO_ERR;
}

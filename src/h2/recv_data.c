/* SPDX-License-Identifier: Apache-2.0 */
/* DATA: accounted when its header has come, passed on piece by piece as the payload comes.
 *
 * The connection's window is given back at once, whoever the payload is for: what nobody reads
 * must not hold up the other streams. The stream's window is given back when the application has
 * taken it. */
#include "base/size.h"
#include "h2/conn.h"

void oy_h2_skip(oy_h2_conn *conn, uint32_t bytes)
{
    conn->left = bytes;
    conn->phase = bytes ? OY_H2_PHASE_SKIP : OY_H2_PHASE_HEAD;
}

static void credit_connection(oy_h2_conn *conn, uint32_t bytes)
{
    uint32_t increment;

    if (!oy_h2_inflow_arrive(&conn->inflow, bytes)) {
        oy_h2_fail(conn, OY_H2_FLOW_CONTROL_ERROR, "DATA went over the window of the connection");
        return;
    }
    increment = oy_h2_inflow_take(&conn->inflow, bytes);
    if (increment) {
        oy_h2_count_reply(conn);
        oy_h2_write_window_update(conn, 0, increment);
    }
}

/* DATA for a stream that is not open: it is dropped, or it is an error. */
static void refuse(oy_h2_conn *conn, uint32_t id)
{
    if (oy_h2_is_idle(conn, id)) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "DATA on a stream that was never begun");
        return;
    }
    switch (oy_h2_recall_end(conn, id)) {
    case OY_H2_END_OF_STREAM:
        oy_h2_fail(conn, OY_H2_STREAM_CLOSED, "DATA on a stream that had ended");
        break;
    case OY_H2_END_BY_PEER:
        oy_h2_stream_error(conn, id, NULL, OY_H2_STREAM_CLOSED,
                           "DATA on a stream that the peer has reset");
        break;
    case OY_H2_END_BY_US:
    case OY_H2_END_FORGOTTEN:
        break;
    }
}

/* The stream that the frame is for; NULL: its payload is dropped. */
static oy_h2_stream *receiver(oy_h2_conn *conn)
{
    uint32_t id = conn->frame.stream_id;
    oy_h2_stream *stream = oy_h2_find(conn, id);

    if (!stream) {
        refuse(conn, id);
        return NULL;
    }
    if (stream->recv_closed) {
        oy_h2_stream_error(conn, id, stream, OY_H2_STREAM_CLOSED,
                           "DATA behind the end of the stream");
        return NULL;
    }
    if (!stream->headers_received) {
        oy_h2_stream_error(conn, id, stream, OY_H2_PROTOCOL_ERROR, "DATA before HEADERS");
        return NULL;
    }
    if (!oy_h2_inflow_arrive(&stream->inflow, conn->frame.length)) {
        oy_h2_stream_error(conn, id, stream, OY_H2_FLOW_CONTROL_ERROR,
                           "DATA went over the window of the stream");
        return NULL;
    }
    return stream;
}

/* False: the stream is gone. */
static bool check_content_length(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t bytes)
{
    bool end_stream = conn->frame.flags & OY_H2_FLAG_END_STREAM;

    if (stream->content_length < 0)
        return true;
    if ((int64_t)bytes > stream->content_length) {
        oy_h2_stream_error(conn, stream->id, stream, OY_H2_PROTOCOL_ERROR,
                           "more DATA than the announced content-length");
        return false;
    }
    stream->content_length -= bytes;
    if (end_stream && stream->content_length > 0) {
        oy_h2_stream_error(conn, stream->id, stream, OY_H2_PROTOCOL_ERROR,
                           "the stream ended before the announced content-length");
        return false;
    }
    return true;
}

/* Hands out one piece; the stream may be gone afterwards. */
static void deliver(oy_h2_conn *conn, const uint8_t *at, uint32_t len, bool last, oyez_block *block)
{
    oy_h2_stream *stream = conn->data_stream;
    oyez_buffer piece = {at, len, block};
    bool end_stream = last && conn->frame.flags & OY_H2_FLAG_END_STREAM;

    if (!stream || (len == 0 && !end_stream))
        return;
    if (end_stream)
        stream->recv_closed = true;
    conn->events.on_data(conn->user, stream, &piece, end_stream);
}

/* How much is payload and how much is padding is known. */
static void begin_payload(oy_h2_conn *conn, uint32_t bytes, uint32_t pad, const uint8_t *at,
                          oyez_block *block)
{
    oy_h2_stream *stream = conn->data_stream;

    if (stream && stream->content_length >= 0 && !check_content_length(conn, stream, bytes))
        conn->data_stream = NULL;
    if (bytes) {
        conn->left = bytes;
        conn->pad_left = pad;
        conn->phase = OY_H2_PHASE_DATA;
        return;
    }
    oy_h2_skip(conn, pad);
    deliver(conn, at, 0, true, block);
}

uint32_t oy_h2_on_data_head(oy_h2_conn *conn, const uint8_t *at, size_t len, oyez_block *block)
{
    const oy_h2_frame *frame = &conn->frame;
    oy_h2_stream *stream;

    if (oy_unlikely(frame->stream_id == 0)) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "DATA on stream 0");
        return 0;
    }
    if (oy_unlikely(frame->flags & OY_H2_FLAG_PADDED && frame->length == 0)) {
        oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR, "DATA is too short for its flags");
        return 0;
    }
    credit_connection(conn, frame->length);
    if (oy_unlikely(conn->error != OYEZ_NO_ERR))
        return 0;
    stream = receiver(conn);
    conn->data_stream = stream;
    if (oy_unlikely(conn->error != OYEZ_NO_ERR))
        return 0;
    if (oy_unlikely(frame->flags & OY_H2_FLAG_PADDED)) {
        conn->phase = OY_H2_PHASE_PAD_LENGTH;
        return 0;
    }
    if (oy_likely(frame->length <= len && stream && stream->content_length < 0)) {
        /* The whole frame is here, as it is nearly always. */
        deliver(conn, at, frame->length, true, block);
        return frame->length;
    }
    begin_payload(conn, frame->length, 0, at, block);
    return 0;
}

void oy_h2_on_data_pad(oy_h2_conn *conn, uint8_t pad, const uint8_t *at, oyez_block *block)
{
    uint32_t left = conn->frame.length - 1;

    if (pad > left) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "the padding of DATA is longer than the frame");
        return;
    }
    /* No application will ever take the padding. */
    if (conn->data_stream && !(conn->frame.flags & OY_H2_FLAG_END_STREAM))
        oy_h2_consumed(conn, conn->data_stream, 1u + pad);
    if (!conn->error)
        begin_payload(conn, left - pad, pad, at, block);
}

uint32_t oy_h2_on_data_bytes(oy_h2_conn *conn, const uint8_t *at, size_t len, oyez_block *block)
{
    uint32_t bytes = (uint32_t)oy_min_size(len, conn->left);

    conn->left -= bytes;
    if (conn->left == 0) /* before the callback: it may fail the connection, not move the parser */
        oy_h2_skip(conn, conn->pad_left);
    deliver(conn, at, bytes, conn->phase != OY_H2_PHASE_DATA, block);
    return bytes;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Windows (RFC 9113 sections 5.2 and 6.9): what the peer may send us, and what we may send. */
#include "h2/conn.h"

void oy_h2_consumed(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t bytes)
{
    uint32_t increment;

    /* Nothing more will come: the peer has no use for a window. */
    if (conn->error || stream->id == 0 || stream->recv_closed)
        return;
    increment = oy_h2_inflow_take(&stream->inflow, bytes);
    if (increment) {
        oy_h2_count_reply(conn);
        oy_h2_write_window_update(conn, stream->id, increment);
    }
}

void oy_h2_credit_now(oy_h2_conn *conn)
{
    const int32_t pending = conn->inflow.pending;

    if (conn->error || pending <= 0)
        return;
    conn->inflow.pending = 0;
    conn->inflow.window += pending;
    oy_h2_write_window_update(conn, 0, (uint32_t)pending);
}

uint32_t oy_h2_send_quota(const oy_h2_conn *conn, const oy_h2_stream *stream)
{
    int64_t quota = conn->send_window;

    if (stream && stream->send_window < quota)
        quota = stream->send_window;
    if (quota <= 0 || conn->error)
        return 0;
    return quota < (int64_t)OY_H2_FRAME_BYTES ? (uint32_t)quota : OY_H2_FRAME_BYTES;
}

static void connection_update(oy_h2_conn *conn, uint32_t increment)
{
    bool blocked = conn->send_window <= 0;

    if (increment == 0) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "WINDOW_UPDATE of the connection by 0");
        return;
    }
    conn->send_window += increment;
    if (conn->send_window > OY_H2_MAX_WINDOW) {
        oy_h2_fail(conn, OY_H2_FLOW_CONTROL_ERROR, "the window of the connection went over 2^31-1");
        return;
    }
    if (blocked && conn->send_window > 0)
        conn->events.on_writable(conn->user, NULL);
}

void oy_h2_on_window_update(oy_h2_conn *conn, const uint8_t *payload)
{
    uint32_t id = conn->frame.stream_id;
    uint32_t increment;
    oy_h2_stream *stream;
    bool blocked;

    if (conn->frame.length != 4) {
        oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR, "WINDOW_UPDATE is not 4 bytes long");
        return;
    }
    increment = oy_h2_get_u32(payload) & OY_H2_MAX_WINDOW;
    if (id == 0) {
        connection_update(conn, increment);
        return;
    }
    stream = oy_h2_find(conn, id);
    if (!stream) {
        if (oy_h2_is_idle(conn, id))
            oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR,
                       "WINDOW_UPDATE for a stream that was never begun");
        return; /* it may have been on its way when the stream ended (RFC 9113 section 5.1) */
    }
    if (increment == 0) {
        oy_h2_stream_error(conn, id, stream, OY_H2_PROTOCOL_ERROR,
                           "WINDOW_UPDATE of the stream by 0");
        return;
    }
    blocked = stream->send_window <= 0;
    stream->send_window += increment;
    if (stream->send_window > OY_H2_MAX_WINDOW) {
        oy_h2_stream_error(conn, id, stream, OY_H2_FLOW_CONTROL_ERROR,
                           "the window of the stream went over 2^31-1");
        return;
    }
    if (blocked && stream->send_window > 0)
        conn->events.on_writable(conn->user, stream);
}

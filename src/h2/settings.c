/* SPDX-License-Identifier: Apache-2.0 */
/* SETTINGS both ways (RFC 9113 section 6.5). */
#include "h2/conn.h"

#define SETTING_BYTES 6u

static uint8_t *put_setting(uint8_t *to, oy_h2_setting id, uint32_t value)
{
    oy_h2_put_u16(to, (uint16_t)id);
    oy_h2_put_u32(to + 2, value);
    return to + SETTING_BYTES;
}

oyez_err oy_h2_settings_begin(oy_h2_conn *conn)
{
    const oy_h2_config *config = &conn->config;
    uint8_t settings[6 * SETTING_BYTES], *end = settings, *to;
    uint32_t len;

    if (!conn->server)
        end = put_setting(end, OY_H2_SETTING_ENABLE_PUSH, 0);
    else if (config->max_streams != UINT32_MAX) /* no limit is what a peer assumes (RFC 9113 section 6.5.2) */
        end = put_setting(end, OY_H2_SETTING_MAX_CONCURRENT_STREAMS, config->max_streams);
    if (config->header_table_bytes != 4096)
        end = put_setting(end, OY_H2_SETTING_HEADER_TABLE_SIZE, config->header_table_bytes);
    if (config->stream_window != OY_H2_DEFAULT_WINDOW)
        end = put_setting(end, OY_H2_SETTING_INITIAL_WINDOW_SIZE, config->stream_window);
    end = put_setting(end, OY_H2_SETTING_MAX_HEADER_LIST_SIZE, config->header_list_bytes);

    if (!conn->server && oy_outq_copy(conn->output, OY_H2_PREFACE, OY_H2_PREFACE_BYTES))
        return oy_h2_fail_memory(conn);
    len = (uint32_t)(end - settings);
    to = oy_h2_frame_begin(conn, len, OY_H2_FRAME_SETTINGS, 0, 0);
    if (!to)
        return conn->error;
    memcpy(to, settings, len);
    oy_h2_frame_done(conn, len);
    conn->settings_unacked = 1;
    if (config->connection_window > OY_H2_DEFAULT_WINDOW)
        oy_h2_write_window_update(conn, 0, config->connection_window - OY_H2_DEFAULT_WINDOW);
    return conn->error;
}

typedef struct window_change {
    oy_h2_conn *conn;
    int64_t delta;
    bool overflow;
} window_change;

static void change_send_window(void *user, oy_h2_stream *stream)
{
    window_change *change = user;

    stream->send_window += change->delta;
    if (stream->send_window > OY_H2_MAX_WINDOW)
        change->overflow = true;
}

static void change_inflow(void *user, oy_h2_stream *stream)
{
    const window_change *change = user;
    stream->inflow.limit += (int32_t)change->delta;
    stream->inflow.window += (int32_t)change->delta;
}

/* A server's peer may send 65,535 bytes on a stream until it has seen a smaller window. */
static void shrink_early_window(void *user, oy_h2_stream *stream)
{
    const window_change *change = user;
    stream->inflow.window -= (int32_t)change->delta;
}

oyez_err oy_h2_grow_windows(oy_h2_conn *conn, uint32_t stream_window, uint32_t connection_window)
{
    if (conn->error)
        return conn->error;
    if (connection_window > OY_H2_MAX_WINDOW)
        connection_window = OY_H2_MAX_WINDOW;
    if (stream_window > OY_H2_MAX_WINDOW)
        stream_window = OY_H2_MAX_WINDOW;
    if ((int64_t)connection_window > conn->inflow.limit) {
        int32_t more = (int32_t)connection_window - conn->inflow.limit;
        conn->inflow.limit += more;
        conn->inflow.window += more;
        oy_h2_write_window_update(conn, 0, (uint32_t)more);
    }
    if (stream_window > conn->config.stream_window) {
        window_change change = {conn, (int64_t)stream_window - conn->config.stream_window, false};
        uint8_t *to = oy_h2_frame_begin(conn, SETTING_BYTES, OY_H2_FRAME_SETTINGS, 0, 0);
        if (!to)
            return conn->error;
        put_setting(to, OY_H2_SETTING_INITIAL_WINDOW_SIZE, stream_window);
        oy_h2_frame_done(conn, SETTING_BYTES);
        conn->settings_unacked++;
        conn->config.stream_window = stream_window;
        /* From now on, not from the acknowledgement: being early only lets the peer do more. */
        oy_h2_stream_each(conn, change_inflow, &change);
    }
    return conn->error;
}

static void acknowledged(oy_h2_conn *conn)
{
    if (conn->settings_unacked)
        conn->settings_unacked--;
    if (conn->first_settings_acked)
        return;
    conn->first_settings_acked = true;
    oy_hpack_decoder_settings_acked(conn->decoder);
    if (conn->early_window_excess) {
        window_change change = {conn, conn->early_window_excess, false};
        conn->early_window_excess = 0;
        oy_h2_stream_each(conn, shrink_early_window, &change);
    }
}

/* Takes one value; false: the connection has failed. */
static bool apply(oy_h2_conn *conn, uint32_t id, uint32_t value)
{
    oy_h2_peer_settings *peer = &conn->peer;

    switch (id) {
    case OY_H2_SETTING_HEADER_TABLE_SIZE:
        peer->header_table_bytes = value;
        oy_hpack_encoder_set_peer_limit(conn->encoder, value);
        break;
    case OY_H2_SETTING_ENABLE_PUSH:
        if (value > 1 || (value == 1 && !conn->server)) {
            oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR,
                       "SETTINGS_ENABLE_PUSH has a value it must not have");
            return false;
        }
        break;
    case OY_H2_SETTING_MAX_CONCURRENT_STREAMS:
        peer->max_streams = value;
        break;
    case OY_H2_SETTING_INITIAL_WINDOW_SIZE:
        if (value > OY_H2_MAX_WINDOW) {
            oy_h2_fail(conn, OY_H2_FLOW_CONTROL_ERROR,
                       "SETTINGS_INITIAL_WINDOW_SIZE is over 2^31-1");
            return false;
        }
        peer->initial_window = value;
        break;
    case OY_H2_SETTING_MAX_FRAME_SIZE:
        if (value < 16384 || value > 16777215) {
            oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR,
                       "SETTINGS_MAX_FRAME_SIZE is not in 2^14 to 2^24-1");
            return false;
        }
        peer->max_frame_bytes = value;
        break;
    case OY_H2_SETTING_MAX_HEADER_LIST_SIZE:
        peer->header_list_bytes = value;
        break;
    default:
        break; /* RFC 9113 section 6.5.2: unknown ones are ignored */
    }
    return true;
}

void oy_h2_on_settings(oy_h2_conn *conn, const uint8_t *payload)
{
    const oy_h2_frame *frame = &conn->frame;
    uint32_t window = conn->peer.initial_window, max_streams = conn->peer.max_streams;
    window_change change = {conn, 0, false};

    if (frame->stream_id != 0) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "SETTINGS on a stream");
        return;
    }
    if (frame->flags & OY_H2_FLAG_ACK) {
        if (frame->length)
            oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR,
                       "an acknowledgement of SETTINGS with a payload");
        else
            acknowledged(conn);
        return;
    }
    if (frame->length % SETTING_BYTES) {
        oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR, "the length of SETTINGS is not a multiple of 6");
        return;
    }
    if (!conn->peer.received) {
        /* Without the setting there is no limit (RFC 9113 section 6.5.2). */
        conn->peer.received = true;
        conn->peer.max_streams = UINT32_MAX;
    }
    for (uint32_t at = 0; at < frame->length; at += SETTING_BYTES)
        if (!apply(conn, oy_h2_get_u16(payload + at), oy_h2_get_u32(payload + at + 2)))
            return;

    /* Once for the frame, not for each value in it: a frame holds 2,730 of them. */
    change.delta = (int64_t)conn->peer.initial_window - window;
    if (change.delta)
        oy_h2_stream_each(conn, change_send_window, &change);
    if (change.overflow) {
        oy_h2_fail(conn, OY_H2_FLOW_CONTROL_ERROR,
                   "SETTINGS_INITIAL_WINDOW_SIZE overflows a window");
        return;
    }
    oy_h2_count_reply(conn);
    if (!oy_h2_frame_begin(conn, 0, OY_H2_FRAME_SETTINGS, OY_H2_FLAG_ACK, 0))
        return;
    oy_h2_frame_done(conn, 0);
    conn->events.on_settings(conn->user, &conn->peer);
    if (!conn->error &&
        (change.delta > 0 || (!conn->server && conn->peer.max_streams > max_streams)))
        conn->events.on_writable(conn->user, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The small frames: PRIORITY, RST_STREAM, GOAWAY. (SETTINGS, PING and WINDOW_UPDATE are in
 * settings.c, send.c and flow.c, beside what they change.) */
#include "h2/conn.h"

void oy_h2_on_priority(oy_h2_conn *conn, const uint8_t *payload)
{
    uint32_t id = conn->frame.stream_id, code;
    const char *words;

    if (id == 0) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "PRIORITY on stream 0");
        return;
    }
    /* Nobody uses priorities any more; a frame that was well-formed by RFC 7540 section 6.3 is
     * fine for any stream, also an idle one. */
    if (conn->frame.length != 5) {
        code = OY_H2_FRAME_SIZE_ERROR;
        words = "PRIORITY is not 5 bytes long";
    } else if ((oy_h2_get_u32(payload) & OY_H2_MAX_STREAM_ID) == id) {
        code = OY_H2_PROTOCOL_ERROR;
        words = "a stream that depends on itself";
    } else {
        return;
    }
    if (oy_h2_is_idle(conn, id))
        oy_h2_fail(conn, code, words); /* an idle stream cannot be reset */
    else
        oy_h2_stream_error(conn, id, oy_h2_find(conn, id), code, words);
}

void oy_h2_on_rst_stream(oy_h2_conn *conn, const uint8_t *payload)
{
    uint32_t id = conn->frame.stream_id;
    oy_h2_stream *stream;

    if (id == 0 || oy_h2_is_idle(conn, id)) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "RST_STREAM for a stream that was never begun");
        return;
    }
    if (conn->frame.length != 4) {
        oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR, "RST_STREAM is not 4 bytes long");
        return;
    }
    stream = oy_h2_find(conn, id);
    if (!stream)
        return;
    oy_h2_stream_forget(conn, stream, OY_H2_END_BY_PEER);
    conn->events.on_reset(conn->user, stream, oy_h2_get_u32(payload), true,
                          "the peer reset the stream");
}

void oy_h2_on_goaway(oy_h2_conn *conn, const uint8_t *payload)
{
    uint32_t last_id;
    oyez_str debug;

    if (conn->frame.stream_id != 0) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "GOAWAY on a stream");
        return;
    }
    if (conn->frame.length < 8) {
        oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR, "GOAWAY is shorter than 8 bytes");
        return;
    }
    last_id = oy_h2_get_u32(payload) & OY_H2_MAX_STREAM_ID;
    if (conn->goaway_received && last_id > conn->goaway_received_id) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "a second GOAWAY with a higher stream id");
        return;
    }
    if (!conn->server && last_id != 0 && (last_id & 1) == 0) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "GOAWAY with a stream id that is not ours");
        return;
    }
    conn->goaway_received = true;
    conn->goaway_received_id = last_id;
    debug = (oyez_str){(const char *)payload + 8, conn->frame.length - 8};
    conn->events.on_goaway(conn->user, last_id, oy_h2_get_u32(payload + 4), debug);
}

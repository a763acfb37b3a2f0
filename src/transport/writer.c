/* SPDX-License-Identifier: Apache-2.0 */
/* The sending half of a stream, and the fair writer of a connection: each stream in turn frames at most one DATA
 * frame, so that a large message never starves a small one. The turn is that of the first few: were it that of a hundred,
 * the peer would hold a hundred messages of which none is complete. Small payloads are copied into the output, large ones
 * are referenced. */
#include <string.h>

#include "base/assert.h"
#include "base/size.h"
#include "transport/conn.h"

bool oy_conn_is_server(const oy_conn *conn);

void oy_writer_add(oy_stream *stream)
{
    if (stream->in_sending)
        return;
    stream->in_sending = true;
    /* What has begun goes on among the first few, unless its time is over; what is new waits until it is there. */
    oy_list *before = &stream->conn->sending;
    if (stream->out_prefix_left == 0 && stream->out_turn < OY_TURN_BYTES) {
        before = before->next;
        for (unsigned i = 1; i < OY_TURN_STREAMS && before != &stream->conn->sending; i++)
            before = before->next;
    } else {
        stream->out_turn = 0;
    }
    oy_list_push_back(before, &stream->node);
}

static void leave(oy_stream *stream)
{
    if (!stream->in_sending)
        return;
    stream->in_sending = false;
    oy_list_remove(&stream->node);
}

void oy_writer_resume(oy_conn *conn)
{
    for (oy_list *node = conn->streams.next; node != &conn->streams; node = node->next) {
        oy_stream *stream = oy_container_of(node, oy_stream, in_conn);
        /* One that waits for a stream id is in another list by the same node; its message follows its headers. */
        if (stream->out_pending && stream->h2.id != 0)
            oy_writer_add(stream);
    }
}

/* Puts the next `len` payload bytes of the stream's message into the output queue. */
static oyez_err put_payload(oy_stream *stream, size_t len)
{
    oy_outq *out = &stream->conn->out;
    if (stream->out_prefix_left > 0) {
        size_t part = oy_min_size(len, stream->out_prefix_left);
        oyez_err err = oy_outq_copy(out, stream->out_prefix + OY_PREFIX_BYTES - stream->out_prefix_left, part);
        if (err)
            return err;
        stream->out_prefix_left = (uint8_t)(stream->out_prefix_left - part);
        len -= part;
    }
    stream->out_left -= len;
    while (len > 0) {
        const oyez_buffer *buffer = &oyez_slice_items(&stream->out)[stream->out_index];
        size_t part = oy_min_size(len, buffer->len - stream->out_offset);
        oyez_err err;
        if (part >= OY_KEEP_COPY_BYTES && buffer->block)
            err = oy_outq_append(out, oyez_buffer_sub(buffer, stream->out_offset, part));
        else
            err = oy_outq_copy(out, buffer->data + stream->out_offset, part);
        if (err)
            return err;
        stream->out_offset += part;
        len -= part;
        if (stream->out_offset == buffer->len) {
            stream->out_index++;
            stream->out_offset = 0;
        }
    }
    return OYEZ_NO_ERR;
}

/* The message is all in the output queue. */
static void message_out(oy_stream *stream)
{
    oy_slice_fini(&stream->out);
    stream->out_pending = false;
    leave(stream);
}

bool oy_writer_write(oy_stream *stream, unsigned frames)
{
    oy_conn *conn = stream->conn;
    while (frames-- > 0 && conn->out.len < OY_OUTPUT_HIGH_BYTES) {
        size_t left = stream->out_left + stream->out_prefix_left;
        size_t len = oy_min_size(left, oy_h2_send_quota(conn->h2, &stream->h2));
        if (len == 0)
            return false;
        bool last = len == left;
        oyez_err err = oy_h2_data_begin(conn->h2, &stream->h2, (uint32_t)len, last && stream->out_end);
        if (!err)
            err = put_payload(stream, len);
        stream->out_turn += len;
        if (err) {
            /* A frame without its payload would corrupt the stream of frames. */
            oy_conn_break(conn, "%s: out of memory while sending", conn->peer);
            return false;
        }
        if (last) {
            message_out(stream);
            return true;
        }
    }
    return false;
}

/* Tells whoever waits that the message is out. */
static void tell_sent(oy_stream *stream)
{
    oy_conn *conn = stream->conn;
    oy_guard guard;
    if (stream->trailers_pending) {
        (void)oy_server_stream_message_out(stream);
        return;
    }
    oy_guard_enter(conn, &guard, stream);
    stream->events->on_sent(stream);
    (void)oy_guard_leave(conn, &guard);
}

void oy_writer_pump(oy_conn *conn)
{
    while (!oy_list_empty(&conn->sending) && conn->out.len < OY_OUTPUT_HIGH_BYTES && !conn->broken) {
        oy_stream *stream = oy_container_of(conn->sending.next, oy_stream, node);
        if (oy_writer_write(stream, 1)) {
            tell_sent(stream);
            continue;
        }
        if (oy_h2_send_quota(conn->h2, NULL) == 0)
            return; /* all of them wait for the connection's window */
        /* Its own window is shut: on_writable brings it back. Otherwise it goes behind the others. */
        bool stuck = oy_h2_send_quota(conn->h2, &stream->h2) == 0;
        leave(stream);
        if (!stuck)
            oy_writer_add(stream);
    }
}

bool oy_stream_send(oy_stream *stream, oyez_slice *message, bool compressed, bool last)
{
    if (!oy_stream_is_open(stream) || stream->h2.send_closed || stream->out_pending) {
        oy_assert(!stream->out_pending);
        oy_slice_fini(message);
        return true;
    }
    oy_conn *conn = stream->conn;
    oy_prefix_write(stream->out_prefix, compressed, (uint32_t)message->len);
    stream->out_prefix_left = OY_PREFIX_BYTES;
    stream->out = *message;
    *message = (oyez_slice)OYEZ_SLICE_INIT;
    stream->out_index = 0;
    stream->out_offset = 0;
    stream->out_left = stream->out.len;
    stream->out_end = last;
    stream->out_turn = 0;
    stream->out_pending = true;
    if (stream->h2.id == 0)
        return false; /* it waits for a stream id; the headers go first */
    /* A message of one frame goes at once; a larger one takes its turn with the others. */
    bool out = stream->out_left + OY_PREFIX_BYTES <= OY_H2_FRAME_BYTES && oy_writer_write(stream, 1);
    if (!out)
        oy_writer_add(stream);
    oy_conn_touch(conn);
    return out;
}

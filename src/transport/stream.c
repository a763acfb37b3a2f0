/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving half of a stream: payload becomes messages, messages are delivered as they are asked for, and the peer
 * gets its credit back when they are taken. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "transport/conn.h"

void oy_stream_init(oy_stream *stream, oy_conn *conn)
{
    stream->conn = conn;
    oy_recv_queue_init(&stream->queue);
    oy_deframer_init(&stream->deframer, stream->max_receive_bytes, conn->pool, conn->quota);
    oy_list_push_back(&conn->streams, &stream->in_conn);
}

void oy_stream_detach(oy_stream *stream)
{
    oy_conn *conn = stream->conn;
    oy_list_remove(&stream->in_conn);
    oy_list_remove(&stream->node);
    stream->in_sending = false;
    stream->ended = true;
    stream->conn = NULL;
    for (oy_guard *guard = conn->guards; guard; guard = guard->next)
        if (guard->stream == stream)
            guard->stream = NULL;
    oy_recv_queue_fini(&stream->queue);
    oy_deframer_fini(&stream->deframer);
    oy_slice_fini(&stream->out);
    stream->out_pending = false;
}

const char *oy_stream_peer(const oy_stream *stream)
{
    return stream->conn ? stream->conn->peer : "";
}

bool oy_stream_is_open(const oy_stream *stream)
{
    return stream->conn != NULL && !stream->ended;
}

/* --- credit --------------------------------------------------------------------------------------------------- */

static void give_credit(oy_stream *stream, uint32_t bytes)
{
    if (bytes > 0 && stream->h2.id != 0 && !stream->h2.recv_closed)
        oy_h2_consumed(stream->conn->h2, &stream->h2, bytes);
}

/* --- delivery -------------------------------------------------------------------------------------------------- */

/* Hands one message over; false: the stream is gone. */
static bool hand_over(oy_stream *stream, oy_message *message, bool last)
{
    oy_conn *conn = stream->conn;
    oy_guard guard;
    stream->wanted--;
    stream->delivering = true;
    oy_guard_enter(conn, &guard, stream);
    stream->events->on_message(stream, message, last);
    bool alive = oy_guard_leave(conn, &guard);
    if (alive)
        stream->delivering = false;
    oy_message_fini(message);
    return alive;
}

/* All messages are delivered and the peer has half-closed. */
static bool tell_end_of_data(oy_stream *stream)
{
    if (stream->half_closed || !stream->end_of_data || stream->queue.count > 0)
        return true;
    stream->half_closed = true;
    return oy_conn_is_server(stream->conn) ? oy_server_stream_end_of_data(stream)
                                           : oy_client_stream_end_of_data(stream);
}

bool oy_stream_deliver(oy_stream *stream)
{
    oy_recv_item item;
    while (stream->wanted > 0 && oy_recv_queue_pop(&stream->queue, &item)) {
        bool last = stream->end_of_data && stream->queue.count == 0;
        give_credit(stream, item.credit);
        if (!hand_over(stream, &item.message, last))
            return false;
    }
    if (stream->queue.count == 0 && stream->held > 0) {
        give_credit(stream, stream->held);
        stream->held = 0;
    }
    return tell_end_of_data(stream);
}

bool oy_stream_end_of_data(oy_stream *stream)
{
    stream->end_of_data = true;
    return tell_end_of_data(stream);
}

void oy_stream_request(oy_stream *stream, uint32_t count)
{
    if (!oy_stream_is_open(stream))
        return;
    oy_conn *conn = stream->conn;
    stream->wanted = stream->wanted > UINT32_MAX - count ? UINT32_MAX : stream->wanted + count;
    /* A callback that asks for the next message gets it from the loop that called it, not from here: a peer that has
     * queued many must not decide how deep our stack goes. */
    if (!stream->delivering && stream->queue.count > 0 && oy_stream_deliver(stream))
        oy_conn_touch(conn);
}

/* Lets a message wait until it is asked for. */
static oyez_err let_wait(oy_stream *stream, oy_message *message, uint32_t credit)
{
    oy_conn *conn = stream->conn;
    if (message->bytes.len <= OY_RECV_BUNDLE_BYTES && credit == OY_PREFIX_BYTES + message->bytes.len)
        return oy_recv_queue_push_small(&stream->queue, message, conn->pool, conn->quota);
    oyez_err err = oy_message_keep(message, conn->pool, conn->quota);
    if (err)
        return err;
    oy_recv_item item = { .message = *message, .credit = credit };
    memset(message, 0, sizeof(*message));
    err = oy_recv_queue_push(&stream->queue, &item);
    if (err)
        oy_message_fini(&item.message);
    return err;
}

/* --- payload --------------------------------------------------------------------------------------------------- */

static oyez_str arena_words(oy_stream *stream, const char *format, unsigned long long a, unsigned long long b)
{
    char text[128];
    int len = snprintf(text, sizeof(text), format, a, b);
    char *copy = oy_arena_dup(stream->arena, text, len > 0 ? (size_t)len : 0);
    return copy ? (oyez_str){ copy, (size_t)len } : OYEZ_STR("out of memory");
}

static oy_end deframe_failure(oy_stream *stream, oy_deframe_result result)
{
    const oy_deframer *deframer = &stream->deframer;
    oy_end end = { 0 };
    if (result == OY_DEFRAME_TOO_LARGE) {
        end.code = OYEZ_RESOURCE_EXHAUSTED;
        end.message = arena_words(stream, "received message larger than max (%llu vs. %llu bytes)", deframer->length,
                                  deframer->max_bytes);
    } else if (result == OY_DEFRAME_BAD_FLAG) {
        end.code = OYEZ_INTERNAL;
        end.message = arena_words(stream, "received unexpected payload format %llu (expected %llu or 1)",
                                  deframer->prefix[0], 0);
    } else {
        end.code = OYEZ_RESOURCE_EXHAUSTED;
        end.message = OYEZ_STR("out of memory while receiving a message");
    }
    return end;
}

/* Bytes of messages that wait, or are not complete, cost memory that all connections share. */
static bool is_out_of_memory(const oy_stream *stream)
{
    oy_quota *quota = stream->conn->quota;
    if (!quota || (!stream->deframer.gathering && stream->queue.count == 0))
        return false;
    return oy_conn_is_server(stream->conn) ? oy_quota_far_exceeded(quota) : oy_quota_exceeded(quota);
}

/* The rest of a piece, which completes no message. It is credited at once if that is the next to be taken, so that a
 * message larger than the window is never stuck; behind others it waits with them: what nobody takes is bounded by the
 * window and one message, however it is cut. Returns what waits. */
static uint32_t hold_rest(oy_stream *stream, size_t bytes)
{
    if (stream->queue.count == 0)
        return 0;
    stream->held += (uint32_t)bytes;
    return (uint32_t)bytes;
}

/* What has come but is not taken is credited when it is; all else of the piece at once. */
oy_receive_result oy_stream_receive(oy_stream *stream, const oyez_buffer *piece, bool end_stream, oy_end *ret_end)
{
    oyez_buffer input = *piece;
    uint32_t waiting = 0;
    while (input.len > 0) {
        oy_message message = { 0 };
        size_t before = input.len;
        oy_deframe_result result = oy_deframe(&stream->deframer, &input, &message);
        if (result == OY_DEFRAME_MORE) {
            waiting += hold_rest(stream, before);
            break;
        }
        if (result != OY_DEFRAME_MESSAGE) {
            *ret_end = deframe_failure(stream, result);
            return OY_RECEIVE_FAILED;
        }
        if (stream->wanted > 0 && stream->queue.count == 0) {
            if (!hand_over(stream, &message, end_stream && input.len == 0))
                return OY_RECEIVE_GONE;
            continue;
        }
        uint32_t credit = (uint32_t)(before - input.len);
        if (let_wait(stream, &message, credit + stream->held)) {
            oy_message_fini(&message);
            *ret_end = deframe_failure(stream, OY_DEFRAME_NO_MEMORY);
            return OY_RECEIVE_FAILED;
        }
        stream->held = 0;
        waiting += credit;
    }
    if (is_out_of_memory(stream)) {
        *ret_end = (oy_end){ .code = OYEZ_RESOURCE_EXHAUSTED,
                             .message = OYEZ_STR("the memory for received messages is used up") };
        return OY_RECEIVE_FAILED;
    }
    give_credit(stream, (uint32_t)piece->len - waiting);
    if (!end_stream)
        return OY_RECEIVED;
    if (oy_deframer_is_inside(&stream->deframer)) {
        *ret_end = (oy_end){ .code = OYEZ_INTERNAL,
                             .message = OYEZ_STR("unexpected end of the stream inside a message") };
        return OY_RECEIVE_FAILED;
    }
    return oy_stream_end_of_data(stream) ? OY_RECEIVED : OY_RECEIVE_GONE;
}

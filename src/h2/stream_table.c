/* SPDX-License-Identifier: Apache-2.0 */
/* From stream id to stream, and what is remembered of streams that are gone.
 *
 * Ids of one side go up by two, so id / 2 modulo the size spreads the open ones evenly without a
 * hash: neighbours in time are neighbours in the array. The array grows with the number of open
 * streams; when there is no memory for that the chains grow longer, and nothing fails. */
#include "base/alloc.h"
#include "h2/conn.h"

#define FIRST_BUCKETS 16u

oyez_err oy_h2_table_init(oy_h2_conn *conn)
{
    conn->buckets = oy_alloc_zero(FIRST_BUCKETS * sizeof(*conn->buckets));
    if (!conn->buckets)
        return OYEZ_ENOMEM;
    conn->bucket_mask = FIRST_BUCKETS - 1;
    return OYEZ_NO_ERR;
}

static void insert(oy_h2_stream **buckets, uint32_t mask, oy_h2_stream *stream)
{
    oy_h2_stream **bucket = &buckets[stream->id >> 1 & mask];
    stream->next_in_bucket = *bucket;
    *bucket = stream;
}

static __attribute__((noinline)) void grow(oy_h2_conn *conn)
{
    uint32_t count = conn->bucket_mask + 1;
    oy_h2_stream **buckets = oy_alloc_zero((size_t)count * 2 * sizeof(*buckets));

    if (!buckets)
        return;
    for (uint32_t i = 0; i < count; i++) {
        oy_h2_stream *stream = conn->buckets[i];
        while (stream) {
            oy_h2_stream *next = stream->next_in_bucket;
            insert(buckets, count * 2 - 1, stream);
            stream = next;
        }
    }
    oy_free(conn->buckets);
    conn->buckets = buckets;
    conn->bucket_mask = count * 2 - 1;
}

void oy_h2_stream_begin(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t id)
{
    stream->id = id;
    stream->recv_closed = stream->send_closed = stream->headers_received = false;
    stream->block_ends_stream = false;
    stream->send_window = conn->peer.initial_window;
    oy_h2_inflow_init(&stream->inflow, (int32_t)conn->config.stream_window);
    stream->inflow.window += (int32_t)conn->early_window_excess;
    stream->content_length = -1;
    if (conn->stream_count > conn->bucket_mask && conn->bucket_mask < (1u << 24))
        grow(conn);
    insert(conn->buckets, conn->bucket_mask, stream);
    conn->stream_count++;
}

void oy_h2_stream_forget(oy_h2_conn *conn, oy_h2_stream *stream, oy_h2_end end)
{
    oy_h2_stream **at = &conn->buckets[stream->id >> 1 & conn->bucket_mask];

    while (*at != stream) {
        oy_assert(*at);
        at = &(*at)->next_in_bucket;
    }
    *at = stream->next_in_bucket;
    conn->stream_count--;
    oy_h2_remember_end(conn, stream->id, end);
    stream->next_in_bucket = NULL;
    stream->id = 0;
    stream->recv_closed = stream->send_closed = true;
    if (conn->data_stream == stream)
        conn->data_stream = NULL;
    if (conn->in.stream == stream)
        conn->in.stream = NULL;
}

void oy_h2_remember_end(oy_h2_conn *conn, uint32_t id, oy_h2_end end)
{
    uint32_t *slot = &conn->ended[conn->ended_next++ % OY_H2_ENDED_COUNT];
    uint32_t old = *slot >> 2 << 1 | 1;

    if (*slot && old > conn->ended_forgotten)
        conn->ended_forgotten = old;
    *slot = id >> 1 << 2 | (uint32_t)end;
}

oy_h2_end oy_h2_recall_end(const oy_h2_conn *conn, uint32_t id)
{
    /* The newest first: a stream may be here twice, as reset by the peer and then by us. */
    for (uint32_t i = 1; i <= OY_H2_ENDED_COUNT; i++) {
        uint32_t slot = conn->ended[(conn->ended_next - i) % OY_H2_ENDED_COUNT];
        if (slot >> 2 == id >> 1 && slot & 3u)
            return (oy_h2_end)(slot & 3u);
    }
    return OY_H2_END_FORGOTTEN;
}

bool oy_h2_is_idle(const oy_h2_conn *conn, uint32_t id)
{
    if ((id & 1) == 0)
        return true; /* streams of a server begin with PUSH_PROMISE, and we forbid that */
    return conn->server ? id > conn->seen_peer : id >= conn->next_id;
}

uint32_t oy_h2_stream_count(const oy_h2_conn *conn)
{
    return conn->stream_count;
}

oy_h2_stream *oy_h2_stream_find(oy_h2_conn *conn, uint32_t id)
{
    return oy_h2_find(conn, id);
}

void oy_h2_stream_each(oy_h2_conn *conn, void (*visit)(void *user, oy_h2_stream *stream),
                       void *user)
{
    for (uint32_t i = 0; i <= conn->bucket_mask; i++) {
        oy_h2_stream *stream = conn->buckets[i];
        while (stream) {
            oy_h2_stream *next = stream->next_in_bucket;
            visit(user, stream);
            stream = next;
        }
    }
}

oyez_err oy_h2_stream_open(oy_h2_conn *conn, oy_h2_stream *stream)
{
    if (conn->error || conn->server || conn->goaway_sent || conn->goaway_received ||
        conn->next_id > OY_H2_MAX_STREAM_ID)
        return OYEZ_ESTATE;
    if (conn->stream_count >= conn->peer.max_streams)
        return OYEZ_ELIMIT;
    oy_h2_stream_begin(conn, stream, conn->next_id);
    conn->next_id += 2;
    return OYEZ_NO_ERR;
}

void oy_h2_stream_close(oy_h2_conn *conn, oy_h2_stream *stream)
{
    if (stream->id == 0)
        return;
    if (stream->recv_closed && stream->send_closed && conn->stream_errors)
        conn->stream_errors--; /* it ended well */
    oy_h2_stream_forget(conn, stream, stream->recv_closed ? OY_H2_END_OF_STREAM : OY_H2_END_BY_US);
}

void oy_h2_stream_reset(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t code)
{
    uint32_t id = stream->id;

    if (id == 0)
        return;
    oy_h2_stream_forget(conn, stream, OY_H2_END_BY_US);
    oy_h2_write_rst(conn, id, code);
}

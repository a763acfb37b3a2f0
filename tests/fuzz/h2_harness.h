/* SPDX-License-Identifier: Apache-2.0 */
/* What the two HTTP/2 targets share: an engine whose layer above answers by rules that depend on
 * the bytes alone, not on how they were cut. Each input is given whole and cut; both must write
 * the same.
 *
 * The first byte of an input is a set of options, the second says how it is cut. */
#ifndef OY_TESTS_FUZZ_H2_HARNESS_H
#define OY_TESTS_FUZZ_H2_HARNESS_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "h2/conn.h"
#include "mem/mem.h"

#define H2_HARNESS_STREAMS 32

enum {
    H2_OPTION_GREET = 1,   /* the preface and SETTINGS come in front of the input */
    H2_OPTION_SMALL = 2,   /* small windows and limits */
    H2_OPTION_ANSWER = 4,  /* blocks and DATA are sent */
    H2_OPTION_RESET = 8,   /* every third stream is reset by its callback */
    H2_OPTION_GOAWAY = 16, /* a GOAWAY of ours at the first PING */
};

typedef struct h2_harness_stream {
    oy_h2_stream h2; /* first */
    bool used;
    uint32_t unconsumed;
} h2_harness_stream;

typedef struct h2_harness {
    oy_h2_conn *conn;
    oy_block_pool *pool;
    oy_outq output;
    uint8_t options;
    uint8_t *out; /* all that was written */
    size_t out_len, out_checked;
    uint64_t news; /* hash of all events */
    bool goaway_sent;
    h2_harness_stream streams[H2_HARNESS_STREAMS];
} h2_harness;

static inline void h2_harness_check(bool condition, const char *words)
{
    if (!condition)
        oy_panic(__FILE__, __LINE__, words);
}

static inline void h2_harness_note(h2_harness *h, uint64_t a, uint64_t b)
{
    h->news = (h->news ^ a) * UINT64_C(0x100000001b3);
    h->news = (h->news ^ b) * UINT64_C(0x100000001b3);
}

static h2_harness_stream *h2_harness_free_slot(h2_harness *h)
{
    for (size_t i = 0; i < H2_HARNESS_STREAMS; i++)
        if (!h->streams[i].used) {
            memset(&h->streams[i], 0, sizeof(h->streams[i]));
            h->streams[i].used = true;
            return &h->streams[i];
        }
    return NULL;
}

static void h2_harness_drop(oy_h2_stream *stream)
{
    ((h2_harness_stream *)(void *)stream)->used = false;
}

static void h2_harness_block(h2_harness *h, oy_h2_stream *stream, bool end_stream)
{
    oy_h2_block block;

    if (stream->send_closed || oy_h2_block_begin(h->conn, &block, 100, 200))
        return;
    if (h->conn->server)
        oy_h2_block_add(h->conn, &block, OYEZ_STR(":status"), OYEZ_STR("200"), OY_HPACK_INDEX);
    else
        oy_h2_block_add(h->conn, &block, OYEZ_STR(":path"), OYEZ_STR("/a/b"), OY_HPACK_INDEX);
    oy_h2_block_add(h->conn, &block, OYEZ_STR("content-type"), OYEZ_STR("application/grpc"),
                    OY_HPACK_INDEX);
    (void)oy_h2_block_end(h->conn, &block, stream, end_stream);
}

static void h2_harness_data(h2_harness *h, oy_h2_stream *stream)
{
    static const uint8_t zeros[OY_H2_FRAME_BYTES];
    uint32_t quota = oy_h2_send_quota(h->conn, stream);

    if (stream->send_closed || !quota)
        return;
    if (oy_h2_data_begin(h->conn, stream, quota, false) == OYEZ_NO_ERR)
        h2_harness_check(oy_outq_copy(&h->output, zeros, quota) == OYEZ_NO_ERR, "no memory");
}

static oy_h2_stream *h2_harness_on_stream(void *user, bool *ret_blameless)
{
    (void)ret_blameless;
    h2_harness_stream *slot = h2_harness_free_slot(user);
    return slot ? &slot->h2 : NULL;
}

static void h2_harness_on_field(void *user, oy_h2_stream *stream, const oy_hpack_field *field)
{
    h2_harness_note(user, stream->id, field->name.len + field->value.len);
    h2_harness_check(field->name.len > 0, "an empty name");
}

static void h2_harness_on_headers(void *user, oy_h2_stream *stream, const oy_h2_headers *headers)
{
    h2_harness *h = user;

    h2_harness_note(h, stream->id, headers->end_stream + 2u * headers->trailers);
    h2_harness_check(stream->id != 0 && oy_h2_stream_find(h->conn, stream->id) == stream,
                     "unknown");
    if (h->options & H2_OPTION_RESET && stream->id % 3 == 0) {
        oy_h2_stream_reset(h->conn, stream, OY_H2_CANCEL);
        h2_harness_drop(stream);
    } else if (h->options & H2_OPTION_ANSWER && h->conn->server && !headers->trailers) {
        h2_harness_block(h, stream, headers->end_stream);
        h2_harness_data(h, stream);
    }
    if (stream->id && stream->recv_closed && stream->send_closed) {
        oy_h2_stream_close(h->conn, stream);
        h2_harness_drop(stream);
    }
}

static void h2_harness_on_data(void *user, oy_h2_stream *stream, const oyez_buffer *piece,
                               bool end_stream)
{
    h2_harness *h = user;

    h2_harness_check(piece->len > 0 || end_stream, "an empty piece");
    for (size_t i = 0; i < piece->len; i++)
        h2_harness_note(h, stream->id, piece->data[i]);
    ((h2_harness_stream *)(void *)stream)->unconsumed += (uint32_t)piece->len;
    if (end_stream) {
        h2_harness_note(h, stream->id, 1000);
        if (h->options & H2_OPTION_ANSWER) {
            h2_harness_block(h, stream, true);
            oy_h2_stream_close(h->conn, stream);
            h2_harness_drop(stream);
        }
    }
}

static void h2_harness_on_reset(void *user, oy_h2_stream *stream, uint32_t code, bool by_peer,
                                const char *words)
{
    h2_harness_note(user, code, by_peer);
    h2_harness_check(words != NULL && stream->id == 0, "reset");
    h2_harness_drop(stream);
}

static void h2_harness_on_writable(void *user, oy_h2_stream *stream)
{
    h2_harness *h = user;

    h2_harness_note(h, 7, stream ? stream->id : 0);
    if (stream && h->options & H2_OPTION_ANSWER)
        h2_harness_data(h, stream);
}

static void h2_harness_on_goaway(void *user, uint32_t last_id, uint32_t code, oyez_str debug)
{
    h2_harness_note(user, last_id, code + debug.len);
}

static void h2_harness_on_settings(void *user, const oy_h2_peer_settings *settings)
{
    h2_harness_note(user, settings->initial_window, settings->max_streams);
}

/* The layer above consumes, and begins streams, when a PING comes: not at a piece, since those
 * depend on the cut. */
static void h2_harness_on_ping(void *user, bool ack, const uint8_t payload[8])
{
    h2_harness *h = user;

    h2_harness_note(h, payload[0], ack);
    for (size_t i = 0; i < H2_HARNESS_STREAMS; i++)
        if (h->streams[i].used && h->streams[i].h2.id) {
            oy_h2_consumed(h->conn, &h->streams[i].h2, h->streams[i].unconsumed);
            h->streams[i].unconsumed = 0;
        }
    if (!h->conn->server) {
        h2_harness_stream *slot = h2_harness_free_slot(h);
        if (slot && oy_h2_stream_open(h->conn, &slot->h2) == OYEZ_NO_ERR)
            h2_harness_block(h, &slot->h2, payload[1] & 1);
        else if (slot)
            slot->used = false;
    }
    if (h->options & H2_OPTION_GOAWAY && !h->goaway_sent) {
        h->goaway_sent = true;
        oy_h2_goaway(h->conn, oy_h2_last_peer_stream(h->conn), OY_H2_NO_ERROR, OYEZ_STR("bye"));
    }
    if (payload[2] == 1)
        oy_h2_flushed(h->conn);
    if (payload[2] == 2)
        (void)oy_h2_grow_windows(h->conn, (uint32_t)payload[3] << 16, (uint32_t)payload[4] << 17);
}

static const oy_h2_events h2_harness_events = {
    .on_stream = h2_harness_on_stream,
    .on_field = h2_harness_on_field,
    .on_headers = h2_harness_on_headers,
    .on_data = h2_harness_on_data,
    .on_reset = h2_harness_on_reset,
    .on_writable = h2_harness_on_writable,
    .on_goaway = h2_harness_on_goaway,
    .on_settings = h2_harness_on_settings,
    .on_ping = h2_harness_on_ping,
};

/* Moves the output to where it is kept, and looks at its frames. */
static void h2_harness_collect(h2_harness *h, bool between_frames)
{
    struct iovec vectors[8];
    size_t count;

    while ((count = oy_outq_peek(&h->output, vectors, 8)) > 0) {
        size_t len = 0;
        for (size_t i = 0; i < count; i++) {
            h->out = realloc(h->out, h->out_len + vectors[i].iov_len);
            h2_harness_check(h->out != NULL, "no memory");
            memcpy(h->out + h->out_len, vectors[i].iov_base, vectors[i].iov_len);
            h->out_len += vectors[i].iov_len;
            len += vectors[i].iov_len;
        }
        oy_outq_consume(&h->output, len);
    }
    if (h->out_checked == 0 && !h->conn->server)
        h->out_checked = OY_H2_PREFACE_BYTES;
    while (h->out_len - h->out_checked >= OY_H2_FRAME_HEADER_BYTES) {
        oy_h2_frame frame = oy_h2_frame_parse(h->out + h->out_checked);
        h2_harness_check(frame.type <= OY_H2_FRAME_CONTINUATION &&
                             frame.length <= OY_H2_FRAME_BYTES,
                         "a frame that is not valid was written");
        if (h->out_len - h->out_checked - OY_H2_FRAME_HEADER_BYTES < frame.length)
            break;
        h->out_checked += OY_H2_FRAME_HEADER_BYTES + frame.length;
        if (frame.type == OY_H2_FRAME_GOAWAY && h->conn->error && h->out_checked == h->out_len)
            break;
    }
    h2_harness_check(!between_frames || h->out_checked == h->out_len,
                     "a piece of a frame was written");
}

static void h2_harness_invariants(const h2_harness *h)
{
    const oy_h2_conn *conn = h->conn;
    uint32_t count = 0, used = 0;

    h2_harness_check(conn->send_window >= 0 &&
                         conn->send_window <= OY_H2_MAX_WINDOW + (int64_t)OY_H2_MAX_WINDOW,
                     "the connection's send window");
    h2_harness_check(conn->error || conn->send_window <= OY_H2_MAX_WINDOW,
                     "a send window over 2^31-1");
    h2_harness_check(conn->inflow.window >= 0 &&
                         (int64_t)conn->inflow.window + conn->inflow.pending <= conn->inflow.limit,
                     "the connection's receive window");
    for (uint32_t i = 0; i <= conn->bucket_mask; i++)
        for (const oy_h2_stream *s = conn->buckets[i]; s; s = s->next_in_bucket) {
            count++;
            h2_harness_check(s->id && (s->id >> 1 & conn->bucket_mask) == i, "a wrong bucket");
            h2_harness_check(conn->error || s->send_window <= OY_H2_MAX_WINDOW,
                             "a stream's send window");
            h2_harness_check(s->inflow.window <= s->inflow.limit + (int64_t)OY_H2_DEFAULT_WINDOW,
                             "a stream's receive window");
        }
    for (size_t i = 0; i < H2_HARNESS_STREAMS; i++)
        used += h->streams[i].used;
    h2_harness_check(count == conn->stream_count && count == used, "the number of streams");
    h2_harness_check(conn->stash_capacity <= OY_H2_FRAME_BYTES, "the stash");
    h2_harness_check(conn->gather.len <= 65536 ||
                         conn->gather.len <= 4u * conn->config.header_list_bytes,
                     "the gathered block");
    h2_harness_check(conn->error || conn->unsent_replies <= conn->config.max_unsent_control,
                     "replies");
}

static void h2_harness_feed(h2_harness *h, const uint8_t *data, size_t len, uint8_t cut)
{
    oy_random random = {cut};

    while (len) {
        size_t part = len;
        oyez_err err;
        uint8_t *copy;

        if (cut)
            part = 1 + oy_random_next(&random) % (cut & 1 ? 1 : cut);
        if (part > len)
            part = len;
        copy = malloc(part); /* its edges are seen by the sanitizer */
        h2_harness_check(copy != NULL, "no memory");
        memcpy(copy, data, part);
        err = oy_h2_recv(h->conn, &(oyez_buffer){copy, part, NULL});
        free(copy);
        h2_harness_check(err == h->conn->error && (err == OYEZ_NO_ERR || err == OYEZ_EPROTO),
                         "an error");
        h2_harness_check(!err == !oy_h2_get_failure(h->conn).words, "a failure without words");
        data += part;
        len -= part;
        h2_harness_invariants(h);
    }
}

static void h2_harness_begin(h2_harness *h, bool server, uint8_t options)
{
    oy_h2_config config = {.server = server};

    memset(h, 0, sizeof(*h));
    h->options = options;
    if (options & H2_OPTION_SMALL) {
        config.stream_window = 100;
        config.connection_window = 65535;
        config.header_list_bytes = 300;
        config.header_table_bytes = 100;
        config.max_streams = 3;
        config.max_unsent_control = 20;
        config.max_stream_errors = 10;
        config.max_continuations = 3;
    }
    h2_harness_check(oy_block_pool_new(OY_READ_BLOCK_BYTES, 4, &h->pool) == OYEZ_NO_ERR,
                     "no memory");
    oy_outq_init(&h->output, h->pool);
    h2_harness_check(oy_h2_new(&config, &h2_harness_events, h, &h->output, &h->conn) == OYEZ_NO_ERR,
                     "no memory");
    if (options & H2_OPTION_GREET) {
        if (server)
            h2_harness_feed(h, (const uint8_t *)OY_H2_PREFACE, OY_H2_PREFACE_BYTES, 0);
        h2_harness_feed(h,
                        (const uint8_t *)"\0\0\0\4\0\0\0\0\0"
                                         "\0\0\0\4\1\0\0\0\0",
                        18, 0);
    }
    for (int i = 0; i < 4 && !server; i++) {
        h2_harness_stream *slot = h2_harness_free_slot(h);
        h2_harness_check(oy_h2_stream_open(h->conn, &slot->h2) == OYEZ_NO_ERR, "no stream");
        h2_harness_block(h, &slot->h2, i & 1);
    }
}

static void h2_harness_end(h2_harness *h)
{
    h2_harness_collect(h, true);
    oy_h2_free(h->conn);
    oy_outq_fini(&h->output);
    oy_block_pool_free(h->pool);
}

static int h2_harness_run(bool server, const uint8_t *data, size_t len)
{
    static h2_harness whole, cut;

    if (len < 2)
        return 0;
    h2_harness_begin(&whole, server, data[0]);
    h2_harness_feed(&whole, data + 2, len - 2, 0);
    h2_harness_end(&whole);
    h2_harness_begin(&cut, server, data[0]);
    h2_harness_feed(&cut, data + 2, len - 2, data[1] ? data[1] : 1);
    h2_harness_end(&cut);
    h2_harness_check(whole.out_len == cut.out_len && memcmp(whole.out, cut.out, cut.out_len) == 0,
                     "what was written depends on the cut");
    h2_harness_check(whole.news == cut.news, "what was told depends on the cut");
    free(whole.out);
    free(cut.out);
    return 0;
}

#endif

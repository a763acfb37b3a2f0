/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in. A frame that lies whole in the input is taken where it lies; one that is cut is put
 * together in the stash. DATA is never put together: its pieces go on as they come. */
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "h2/conn.h"

#define LEAST_STASH_BYTES 256u

/* --- who is this? ----------------------------------------------------------------------------- */

/* The first four bytes tell a request of HTTP/1 and TLS from the preface; they are waited for,
 * so that the verdict does not depend on how the bytes were cut. */
#define TELLING_BYTES 4u
#define FIRST_BYTES   5u

static bool begins_with_method(const uint8_t *first)
{
    static const char methods[][TELLING_BYTES + 1] = {"GET ", "POST", "PUT ", "HEAD", "DELE",
                                                      "OPTI", "PATC", "CONN", "TRAC"};

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (memcmp(first, methods[i], TELLING_BYTES) == 0)
            return true;
    return false;
}

static bool begins_with_tls(const uint8_t *first)
{
    return (first[0] == 0x16 || first[0] == 0x15) && first[1] == 0x03; /* handshake or alert */
}

static void wrong_preface(oy_h2_conn *conn)
{
    if (begins_with_method(conn->head))
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR,
                   "the peer does not speak HTTP/2: it sent an HTTP/1 request");
    else if (begins_with_tls(conn->head))
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "the peer speaks TLS, and this side does not");
    else
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "the peer did not begin with the HTTP/2 preface");
}

static const uint8_t *take_preface(oy_h2_conn *conn, const uint8_t *at, const uint8_t *end)
{
    while (at < end && conn->phase == OY_H2_PHASE_PREFACE) {
        conn->head[conn->head_len++] = *at++;
        if (conn->head_len >= TELLING_BYTES &&
            memcmp(conn->head, OY_H2_PREFACE, conn->head_len) != 0) {
            wrong_preface(conn);
            break;
        }
        if (conn->head_len == OY_H2_PREFACE_BYTES) {
            conn->head_len = 0;
            conn->phase = OY_H2_PHASE_HEAD;
        }
    }
    return at;
}

/* Five bytes of the peer's first frame: a TLS alert has only seven. True: the connection has
 * failed. */
static bool check_first_bytes(oy_h2_conn *conn, const uint8_t *head)
{
    if (memcmp(head, "HTTP/", FIRST_BYTES) == 0)
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR,
                   "the peer does not speak HTTP/2: it answered with HTTP/1");
    else if (begins_with_tls(head))
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "the peer speaks TLS, and this side does not");
    return conn->error != OYEZ_NO_ERR;
}

/* The first frame must be SETTINGS (RFC 9113 section 3.4). */
static void check_first_frame(oy_h2_conn *conn, const uint8_t *head)
{
    if (check_first_bytes(conn, head))
        return;
    if (conn->frame.type == OY_H2_FRAME_SETTINGS && !(conn->frame.flags & OY_H2_FLAG_ACK))
        conn->settings_received = true;
    else
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "the first frame of the peer is not SETTINGS");
}

/* --- frames ----------------------------------------------------------------------------------- */

/* A whole frame that is neither DATA nor HEADERS. */
static __attribute__((noinline)) void dispatch_rare(oy_h2_conn *conn, const uint8_t *payload)
{
    switch (conn->frame.type) {
    case OY_H2_FRAME_PRIORITY:
        oy_h2_on_priority(conn, payload);
        break;
    case OY_H2_FRAME_RST_STREAM:
        oy_h2_on_rst_stream(conn, payload);
        break;
    case OY_H2_FRAME_SETTINGS:
        oy_h2_on_settings(conn, payload);
        break;
    case OY_H2_FRAME_PUSH_PROMISE:
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "PUSH_PROMISE, which is not allowed here");
        break;
    case OY_H2_FRAME_PING:
        oy_h2_on_ping(conn, payload);
        break;
    case OY_H2_FRAME_GOAWAY:
        oy_h2_on_goaway(conn, payload);
        break;
    case OY_H2_FRAME_WINDOW_UPDATE:
        oy_h2_on_window_update(conn, payload);
        break;
    default:
        oy_h2_on_continuation(conn, payload);
        break;
    }
}

/* A whole frame that is not DATA. */
static void dispatch(oy_h2_conn *conn, const uint8_t *payload)
{
    if (oy_likely(conn->frame.type == OY_H2_FRAME_HEADERS))
        oy_h2_on_headers(conn, payload);
    else
        dispatch_rare(conn, payload);
}

static bool grow_stash(oy_h2_conn *conn, uint32_t bytes)
{
    uint32_t capacity = LEAST_STASH_BYTES;
    uint8_t *stash;

    if (bytes <= conn->stash_capacity)
        return true;
    while (capacity < bytes)
        capacity *= 2;
    stash = oy_realloc(conn->stash, capacity);
    if (!stash) {
        (void)oy_h2_fail_memory(conn);
        return false;
    }
    conn->stash = stash;
    conn->stash_capacity = capacity;
    return true;
}

/* conn->frame is set and `at` is behind its header. Returns where to go on. */
static const uint8_t *take_frame(oy_h2_conn *conn, const uint8_t *at, const uint8_t *end,
                                 oyez_block *block)
{
    const oy_h2_frame *frame = &conn->frame;

    if (oy_unlikely(frame->length > OY_H2_FRAME_BYTES)) {
        oy_h2_fail(conn, OY_H2_FRAME_SIZE_ERROR, "a frame is longer than 16384 bytes");
        return at;
    }
    if (oy_unlikely(conn->gather.stream_id != 0) &&
        (frame->type != OY_H2_FRAME_CONTINUATION || frame->stream_id != conn->gather.stream_id)) {
        oy_h2_fail(conn, OY_H2_PROTOCOL_ERROR, "a header block was interrupted by another frame");
        return at;
    }
    if (frame->type == OY_H2_FRAME_DATA)
        return at + oy_h2_on_data_head(conn, at, (size_t)(end - at), block);
    if (oy_unlikely(frame->type > OY_H2_FRAME_CONTINUATION)) {
        oy_h2_skip(conn, frame->length); /* RFC 9113 section 5.5 */
        return at;
    }
    if (oy_likely(frame->length <= (size_t)(end - at))) {
        dispatch(conn, at);
        return at + frame->length;
    }
    if (grow_stash(conn, frame->length)) {
        conn->stash_len = 0;
        conn->phase = OY_H2_PHASE_STASH;
    }
    return at;
}

static const uint8_t *take_head(oy_h2_conn *conn, const uint8_t *at, const uint8_t *end,
                                oyez_block *block)
{
    const uint8_t *head = at;

    if (oy_likely(conn->head_len == 0 && end - at >= (ptrdiff_t)OY_H2_FRAME_HEADER_BYTES)) {
        at += OY_H2_FRAME_HEADER_BYTES;
    } else {
        size_t missing = OY_H2_FRAME_HEADER_BYTES - (size_t)conn->head_len;
        size_t len = oy_min_size(missing, (size_t)(end - at));
        memcpy(conn->head + conn->head_len, at, len);
        conn->head_len = (uint8_t)(conn->head_len + len);
        at += len;
        if (!conn->settings_received && conn->head_len >= FIRST_BYTES &&
            check_first_bytes(conn, conn->head))
            return at;
        if (len < missing)
            return at;
        conn->head_len = 0;
        head = conn->head;
    }
    conn->frame = oy_h2_frame_parse(head);
    if (oy_unlikely(!conn->settings_received)) {
        check_first_frame(conn, head);
        if (conn->error)
            return at;
    }
    return take_frame(conn, at, end, block);
}

static const uint8_t *fill_stash(oy_h2_conn *conn, const uint8_t *at, const uint8_t *end)
{
    size_t len = oy_min_size(conn->frame.length - conn->stash_len, (size_t)(end - at));

    memcpy(conn->stash + conn->stash_len, at, len);
    conn->stash_len += (uint32_t)len;
    if (conn->stash_len == conn->frame.length) {
        conn->phase = OY_H2_PHASE_HEAD;
        dispatch(conn, conn->stash);
    }
    return at + len;
}

static const uint8_t *skip(oy_h2_conn *conn, const uint8_t *at, const uint8_t *end)
{
    size_t len = oy_min_size(conn->left, (size_t)(end - at));

    oy_h2_skip(conn, conn->left - (uint32_t)len);
    return at + len;
}

/* In the middle of something. Returns where to go on. */
static __attribute__((noinline)) const uint8_t *take_rest(oy_h2_conn *conn, const uint8_t *at,
                                                          const uint8_t *end, oyez_block *block)
{
    switch (conn->phase) {
    case OY_H2_PHASE_PREFACE:
        return take_preface(conn, at, end);
    case OY_H2_PHASE_STASH:
        return fill_stash(conn, at, end);
    case OY_H2_PHASE_PAD_LENGTH:
        oy_h2_on_data_pad(conn, *at, at + 1, block);
        return at + 1;
    case OY_H2_PHASE_DATA:
        return at + oy_h2_on_data_bytes(conn, at, (size_t)(end - at), block);
    case OY_H2_PHASE_SKIP:
        return skip(conn, at, end);
    case OY_H2_PHASE_HEAD:
        break; /* is no middle */
    }
    return at;
}

oyez_err oy_h2_recv(oy_h2_conn *conn, const oyez_buffer *bytes)
{
    const uint8_t *at = bytes->data, *end;

    if (bytes->len == 0)
        return conn->error;
    end = at + bytes->len;
    while (at < end && !conn->error) {
        if (oy_likely(conn->phase == OY_H2_PHASE_HEAD))
            at = take_head(conn, at, end, bytes->block);
        else
            at = take_rest(conn, at, end, bytes->block);
    }
    return conn->error;
}

/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "support/raw_peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#else
#define SANITIZED false
#endif
#else
#define SANITIZED false
#endif

#define READ_BYTES 65536u
#define FIELD_MAX 131072u

bool raw_sanitized(void)
{
    return SANITIZED;
}

unsigned raw_patience_ms(void)
{
    return SANITIZED ? 120000 : 20000;
}

void raw_sleep_ms(unsigned ms)
{
    const struct timespec pause = { ms / 1000, (int)(ms % 1000) * 1000000 };
    nanosleep(&pause, NULL);
}

int64_t raw_limit_from_now(void)
{
    return oy_now() + (int64_t)raw_patience_ms() * OYEZ_MILLISECOND;
}

/* --- connections ------------------------------------------------------------------------------------------------- */

static raw_peer *new_peer(int fd, bool is_server)
{
    const oy_hpack_decoder_limits limits = { 4096, 1u << 30, 4 };
    raw_peer *peer = calloc(1, sizeof(*peer));
    int yes = 1;
    assert_non_null(peer);
    peer->fd = fd;
    peer->is_server = is_server;
    peer->next_request = 1;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    assert_ok(oy_hpack_decoder_new(&limits, &peer->decoder));
    return peer;
}

static struct sockaddr_in loopback(uint16_t port)
{
    return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

raw_peer *raw_connect(uint16_t port)
{
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        fail_msg("cannot connect to port %u: %s", port, strerror(errno));
    return new_peer(fd, false);
}

raw_peer *raw_connect_unix(const char *path, bool abstract)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    size_t len = strlen(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0 && len + 2 < sizeof(address.sun_path));
    memcpy(address.sun_path + (abstract ? 1 : 0), path, len);
    len += offsetof(struct sockaddr_un, sun_path) + 1;
    if (connect(fd, (struct sockaddr *)&address, (socklen_t)len) != 0)
        fail_msg("cannot connect to %s: %s", path, strerror(errno));
    return new_peer(fd, false);
}

void raw_greet(raw_peer *peer)
{
    h2_bytes hello = { 0 };
    h2_put_hello(&hello);
    assert_true(raw_send(peer, hello.data, hello.len));
    h2_bytes_free(&hello);
    assert_true(RAW_UNTIL(peer, peer->settings && peer->settings_acks));
}

raw_peer *raw_client(uint16_t port)
{
    raw_peer *peer = raw_connect(port);
    raw_greet(peer);
    return peer;
}

void raw_receive_buffer(raw_peer *peer, int bytes)
{
    assert_int_equal(setsockopt(peer->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)), 0);
}

int raw_listen(uint16_t *ret_port)
{
    struct sockaddr_in address = loopback(0);
    socklen_t len = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(fd, 64), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    *ret_port = ntohs(address.sin_port);
    return fd;
}

bool raw_pending(int listen_fd, unsigned ms)
{
    struct pollfd item = { .fd = listen_fd, .events = POLLIN };
    return poll(&item, 1, (int)ms) == 1;
}

raw_peer *raw_accept(int listen_fd)
{
    if (!raw_pending(listen_fd, raw_patience_ms()))
        fail_msg("nobody connects");
    int fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
    assert_true(fd >= 0);
    return new_peer(fd, true);
}

raw_peer *raw_server(int listen_fd, ...)
{
    raw_peer *peer = raw_accept(listen_fd);
    uint8_t settings[6 * 8];
    size_t len = 0;
    va_list args;
    va_start(args, listen_fd);
    for (int id; (id = va_arg(args, int)) != 0; len += 6) {
        assert_true(len < sizeof(settings));
        oy_h2_put_u16(settings + len, (uint16_t)id);
        oy_h2_put_u32(settings + len + 2, va_arg(args, uint32_t));
    }
    va_end(args);
    assert_true(raw_send_frame(peer, OY_H2_FRAME_SETTINGS, 0, 0, settings, len));
    assert_true(RAW_UNTIL(peer, peer->settings && peer->settings_acks));
    return peer;
}

static void free_peer(raw_peer *peer)
{
    close(peer->fd);
    for (size_t i = 0; i < peer->stream_count; i++) {
        if (!peer->streams[i])
            continue;
        free(peer->streams[i]->fields);
        h2_bytes_free(&peer->streams[i]->body);
        free(peer->streams[i]);
    }
    free(peer->streams);
    free(peer->log);
    h2_bytes_free(&peer->in);
    h2_bytes_free(&peer->block);
    oy_hpack_decoder_free(peer->decoder);
    free(peer);
}

void raw_close(raw_peer *peer)
{
    if (peer)
        free_peer(peer);
}

void raw_abort(raw_peer *peer)
{
    const struct linger at_once = { 1, 0 };
    (void)setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    free_peer(peer);
}

/* --- what comes -------------------------------------------------------------------------------------------------- */

static raw_stream *stream_of(raw_peer *peer, uint32_t id)
{
    size_t index = id / 2;
    if (index >= peer->stream_count) {
        size_t count = index * 2 + 16;
        peer->streams = realloc(peer->streams, count * sizeof(*peer->streams));
        assert_non_null(peer->streams);
        memset(peer->streams + peer->stream_count, 0, (count - peer->stream_count) * sizeof(*peer->streams));
        peer->stream_count = count;
    }
    if (!peer->streams[index]) {
        raw_stream *stream = calloc(1, sizeof(*stream));
        assert_non_null(stream);
        stream->id = id;
        stream->fields = calloc(1, 1);
        assert_non_null(stream->fields);
        peer->streams[index] = stream;
    }
    return peer->streams[index];
}

raw_stream *raw_find(raw_peer *peer, uint32_t id)
{
    return id / 2 < peer->stream_count ? peer->streams[id / 2] : NULL;
}

static void add_text(raw_stream *stream, const char *text, size_t len)
{
    size_t before = strlen(stream->fields);
    stream->fields = realloc(stream->fields, before + len + 1);
    assert_non_null(stream->fields);
    memcpy(stream->fields + before, text, len);
    stream->fields[before + len] = '\0';
}

static bool take_field(void *user, const oy_hpack_field *field)
{
    raw_stream *stream = user;
    assert_null(memchr(field->value.data, '\n', field->value.len));
    assert_null(memchr(field->value.data, '\0', field->value.len));
    add_text(stream, field->name.data, field->name.len);
    add_text(stream, ": ", 2);
    add_text(stream, field->value.data, field->value.len);
    add_text(stream, "\n", 1);
    return true;
}

static void take_headers(raw_peer *peer, raw_stream *stream, const h2_frame *frame)
{
    oy_hpack_result result;
    const char *words = NULL;
    h2_bytes_add(&peer->block, frame->payload, frame->length);
    if (!(frame->flags & H2_FLAG_END_HEADERS))
        return;
    if (stream->header_blocks++ > 0)
        add_text(stream, "--\n", 3);
    if (oy_hpack_decode(peer->decoder, peer->block.data, peer->block.len, take_field, stream, &result, &words))
        fail_msg("a header block that cannot be decoded: %s", words);
    peer->block.len = 0;
    stream->ended |= stream->ending;
}

static void take_settings(raw_peer *peer, const h2_frame *frame)
{
    if (frame->flags & H2_FLAG_ACK) {
        peer->settings_acks++;
        return;
    }
    peer->settings++;
    for (uint32_t at = 0; at + 6 <= frame->length; at += 6) {
        uint32_t value = oy_h2_get_u32(frame->payload + at + 2);
        switch (oy_h2_get_u16(frame->payload + at)) {
        case OY_H2_SETTING_MAX_CONCURRENT_STREAMS:
            peer->max_streams = value;
            break;
        case OY_H2_SETTING_INITIAL_WINDOW_SIZE:
            peer->initial_window = value;
            break;
        case OY_H2_SETTING_MAX_HEADER_LIST_SIZE:
            peer->header_list_bytes = value;
            break;
        default:
            break;
        }
    }
    if (!peer->no_acks)
        (void)RAW_SEND(peer, SETTINGS, ACK, 0, "");
}

static void take_goaway(raw_peer *peer, const h2_frame *frame)
{
    peer->went_away = true;
    peer->goaway_last_id = oy_h2_get_u32(frame->payload);
    peer->goaway_code = oy_h2_get_u32(frame->payload + 4);
    snprintf(peer->goaway_words, sizeof(peer->goaway_words), "%.*s", (int)frame->length - 8,
             (const char *)frame->payload + 8);
}

static void take_connection_frame(raw_peer *peer, const h2_frame *frame)
{
    switch (frame->type) {
    case OY_H2_FRAME_SETTINGS:
        take_settings(peer, frame);
        break;
    case OY_H2_FRAME_PING:
        if (frame->flags & H2_FLAG_ACK) {
            peer->ping_acks++;
            break;
        }
        peer->pings++;
        if (!peer->no_acks)
            (void)raw_send_frame(peer, OY_H2_FRAME_PING, H2_FLAG_ACK, 0, frame->payload, 8);
        break;
    case OY_H2_FRAME_GOAWAY:
        take_goaway(peer, frame);
        break;
    case OY_H2_FRAME_WINDOW_UPDATE:
        peer->connection_credit += oy_h2_get_u32(frame->payload);
        break;
    default:
        fail_msg("%s on stream 0", oy_h2_frame_name(frame->type));
    }
}

static void take_data(raw_peer *peer, raw_stream *stream, const h2_frame *frame)
{
    stream->data_frames++;
    h2_bytes_add(&stream->body, frame->payload, frame->length);
    if (peer->no_credit || frame->length == 0)
        return;
    (void)raw_window_update(peer, 0, frame->length);
    if (!(frame->flags & H2_FLAG_END_STREAM))
        (void)raw_window_update(peer, stream->id, frame->length);
}

static void take_frame(raw_peer *peer, const h2_frame *frame)
{
    if (frame->id == 0) {
        take_connection_frame(peer, frame);
        return;
    }
    if (peer->log_len == peer->log_capacity) {
        peer->log_capacity = peer->log_capacity * 2 + 64;
        peer->log = realloc(peer->log, peer->log_capacity * sizeof(*peer->log));
        assert_non_null(peer->log);
    }
    peer->log[peer->log_len++] =
        (raw_frame){ frame->id, frame->length, (uint8_t)frame->type, (uint8_t)frame->flags };
    raw_stream *stream = stream_of(peer, frame->id);
    switch (frame->type) {
    case OY_H2_FRAME_HEADERS:
        stream->ending = frame->flags & H2_FLAG_END_STREAM;
        take_headers(peer, stream, frame);
        return;
    case OY_H2_FRAME_CONTINUATION:
        peer->continuations++;
        take_headers(peer, stream, frame);
        return;
    case OY_H2_FRAME_DATA:
        take_data(peer, stream, frame);
        break;
    case OY_H2_FRAME_RST_STREAM:
        stream->reset = true;
        stream->reset_code = oy_h2_get_u32(frame->payload);
        peer->resets++;
        return;
    case OY_H2_FRAME_WINDOW_UPDATE:
        peer->window_updates++;
        stream->credit += oy_h2_get_u32(frame->payload);
        return;
    default:
        fail_msg("%s on stream %u", oy_h2_frame_name(frame->type), frame->id);
    }
    if (frame->flags & H2_FLAG_END_STREAM)
        stream->ended = true;
}

static void parse(raw_peer *peer)
{
    h2_frame frame;
    if (peer->is_server && !peer->greeted) {
        if (peer->in.len < OY_H2_PREFACE_BYTES)
            return;
        assert_memory_equal(peer->in.data, OY_H2_PREFACE, OY_H2_PREFACE_BYTES);
        peer->greeted = true;
        peer->parsed = OY_H2_PREFACE_BYTES;
    }
    while (h2_next_frame(peer->in.data, peer->in.len, &peer->parsed, &frame))
        take_frame(peer, &frame);
    if (peer->parsed > 0) {
        memmove(peer->in.data, peer->in.data + peer->parsed, peer->in.len - peer->parsed);
        peer->in.len -= peer->parsed;
        peer->parsed = 0;
    }
}

/* Reads once, what is there. */
static void read_now(raw_peer *peer, bool then_parse)
{
    static uint8_t bytes[READ_BYTES];
    ssize_t got = recv(peer->fd, bytes, peer->read_bytes ? peer->read_bytes : sizeof(bytes), MSG_DONTWAIT);
    if (got > 0) {
        h2_bytes_add(&peer->in, bytes, (size_t)got);
        if (then_parse)
            parse(peer);
    } else if (got == 0) {
        peer->closed = true;
    } else if (errno != EAGAIN && errno != EINTR) {
        peer->closed = peer->refused = true;
    }
}

bool raw_read(raw_peer *peer, unsigned ms)
{
    struct pollfd item = { .fd = peer->fd, .events = POLLIN };
    if (peer->in.len > 0)
        parse(peer); /* what came while something was being sent */
    if (peer->closed || poll(&item, 1, (int)ms) <= 0)
        return false;
    read_now(peer, true);
    return true;
}

bool raw_read_before(raw_peer *peer, int64_t limit)
{
    int64_t left = (limit - oy_now()) / OYEZ_MILLISECOND;
    if (peer->closed || left <= 0)
        return false;
    (void)raw_read(peer, left < 100 ? (unsigned)left : 100);
    return true;
}

/* --- sending ----------------------------------------------------------------------------------------------------- */

size_t raw_send_some(raw_peer *peer, const void *data, size_t len, unsigned ms)
{
    const uint8_t *at = data;
    size_t left = len;
    int64_t limit = oy_now() + (int64_t)ms * OYEZ_MILLISECOND;
    while (left > 0 && oy_now() < limit) {
        struct pollfd item = { .fd = peer->fd, .events = (short)(POLLOUT | (peer->deaf || peer->closed ? 0 : POLLIN)) };
        if (poll(&item, 1, 50) <= 0)
            continue;
        if (item.revents & POLLIN)
            read_now(peer, false); /* parsed later: an answer within what is being sent would tear it apart */
        if (!(item.revents & (POLLOUT | POLLERR | POLLHUP)))
            continue;
        ssize_t sent = send(peer->fd, at, left, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            break;
        if (sent > 0) {
            at += sent;
            left -= (size_t)sent;
            limit = oy_now() + (int64_t)ms * OYEZ_MILLISECOND;
        }
    }
    return len - left;
}

bool raw_send(raw_peer *peer, const void *data, size_t len)
{
    return raw_send_some(peer, data, len, raw_patience_ms()) == len;
}

static void count_data(raw_peer *peer, uint32_t id, size_t len)
{
    peer->sent += len;
    if (id > 0)
        stream_of(peer, id)->sent += len;
}

bool raw_send_frame(raw_peer *peer, uint32_t type, uint32_t flags, uint32_t id, const void *payload, size_t len)
{
    h2_bytes bytes = { 0 };
    if (type == OY_H2_FRAME_DATA)
        count_data(peer, id, len);
    if (id > 0 && (type == OY_H2_FRAME_RST_STREAM || (type <= OY_H2_FRAME_HEADERS && flags & RAW_END)))
        stream_of(peer, id)->sent_end = true;
    h2_put_frame(&bytes, type, flags, id, payload, len);
    bool sent = raw_send(peer, bytes.data, bytes.len);
    h2_bytes_free(&bytes);
    return sent;
}

static void put_fields(h2_bytes *block, va_list args)
{
    for (const char *name; (name = va_arg(args, const char *)) != NULL;)
        h2_put_field(block, name, va_arg(args, const char *));
}

static bool send_block(raw_peer *peer, uint32_t id, uint32_t flags, h2_bytes *block)
{
    bool sent = raw_send_frame(peer, OY_H2_FRAME_HEADERS, flags | H2_FLAG_END_HEADERS, id, block->data, block->len);
    h2_bytes_free(block);
    return sent;
}

bool raw_fields(raw_peer *peer, uint32_t id, uint32_t flags, ...)
{
    h2_bytes block = { 0 };
    va_list args;
    va_start(args, flags);
    put_fields(&block, args);
    va_end(args);
    return send_block(peer, id, flags, &block);
}

bool raw_request(raw_peer *peer, uint32_t id, const char *path)
{
    return raw_request_with(peer, id, path, NULL);
}

bool raw_request_with(raw_peer *peer, uint32_t id, const char *path, ...)
{
    h2_bytes block = { 0 };
    va_list args;
    h2_put_request(&block, path);
    va_start(args, path);
    put_fields(&block, args);
    va_end(args);
    return send_block(peer, id, 0, &block);
}

static void put_message(h2_bytes *message, const void *data, size_t len)
{
    uint8_t prefix[OY_PREFIX_BYTES];
    oy_prefix_write(prefix, false, (uint32_t)len);
    h2_bytes_add(message, prefix, sizeof(prefix));
    h2_bytes_add(message, data, len);
}

uint64_t raw_room(raw_peer *peer, uint32_t id)
{
    const raw_stream *stream = stream_of(peer, id);
    uint64_t initial = peer->initial_window ? peer->initial_window : OY_H2_DEFAULT_WINDOW;
    uint64_t of_stream = initial + stream->credit - stream->sent;
    uint64_t of_connection = OY_H2_DEFAULT_WINDOW + peer->connection_credit - peer->sent;
    return of_stream < of_connection ? of_stream : of_connection;
}

bool raw_upload(raw_peer *peer, uint32_t id, const void *data, size_t len, uint32_t flags, size_t part)
{
    h2_bytes message = { 0 };
    bool sent = true;
    put_message(&message, data, len);
    for (size_t at = 0; at < message.len && sent;) {
        size_t now = message.len - at < part ? message.len - at : part;
        if (!RAW_UNTIL(peer, raw_room(peer, id) >= now))
            fail_msg("stream %u: no room for %zu bytes behind %zu", id, now, at);
        sent = raw_send_frame(peer, OY_H2_FRAME_DATA, at + now == message.len ? flags : 0, id, message.data + at, now);
        at += now;
    }
    h2_bytes_free(&message);
    return sent;
}

bool raw_message(raw_peer *peer, uint32_t id, const void *data, size_t len, uint32_t flags)
{
    h2_bytes message = { 0 }, frames = { 0 };
    put_message(&message, data, len);
    count_data(peer, id, message.len);
    stream_of(peer, id)->sent_end |= (flags & RAW_END) != 0;
    for (size_t at = 0; at < message.len;) {
        size_t part = message.len - at < OY_H2_FRAME_BYTES ? message.len - at : OY_H2_FRAME_BYTES;
        bool last = at + part == message.len;
        h2_put_frame(&frames, OY_H2_FRAME_DATA, last ? flags : 0, id, message.data + at, part);
        at += part;
    }
    bool sent = raw_send(peer, frames.data, frames.len);
    h2_bytes_free(&message);
    h2_bytes_free(&frames);
    return sent;
}

bool raw_call(raw_peer *peer, uint32_t id, const char *path, const void *data, size_t len)
{
    return raw_request(peer, id, path) && raw_message(peer, id, data, len, RAW_END);
}

static bool send_u32(raw_peer *peer, uint32_t type, uint32_t id, uint32_t value)
{
    uint8_t payload[4];
    oy_h2_put_u32(payload, value);
    return raw_send_frame(peer, type, 0, id, payload, sizeof(payload));
}

bool raw_rst(raw_peer *peer, uint32_t id, uint32_t code)
{
    return send_u32(peer, OY_H2_FRAME_RST_STREAM, id, code);
}

bool raw_window_update(raw_peer *peer, uint32_t id, uint32_t increment)
{
    return send_u32(peer, OY_H2_FRAME_WINDOW_UPDATE, id, increment);
}

bool raw_setting(raw_peer *peer, uint16_t id, uint32_t value)
{
    uint8_t payload[6];
    oy_h2_put_u16(payload, id);
    oy_h2_put_u32(payload + 2, value);
    return raw_send_frame(peer, OY_H2_FRAME_SETTINGS, 0, 0, payload, sizeof(payload));
}

bool raw_goaway(raw_peer *peer, uint32_t last_id, uint32_t code, const char *words)
{
    h2_bytes payload = { 0 };
    uint8_t head[8];
    oy_h2_put_u32(head, last_id);
    oy_h2_put_u32(head + 4, code);
    h2_bytes_add(&payload, head, sizeof(head));
    h2_bytes_add(&payload, words, strlen(words));
    bool sent = raw_send_frame(peer, OY_H2_FRAME_GOAWAY, 0, 0, payload.data, payload.len);
    h2_bytes_free(&payload);
    return sent;
}

bool raw_respond(raw_peer *peer, uint32_t id)
{
    return raw_fields(peer, id, 0, ":status", "200", "content-type", "application/grpc", NULL);
}

bool raw_status(raw_peer *peer, uint32_t id, const char *status, const char *message)
{
    if (!message)
        return raw_fields(peer, id, RAW_END, "grpc-status", status, NULL);
    return raw_fields(peer, id, RAW_END, "grpc-status", status, "grpc-message", message, NULL);
}

bool raw_answer(raw_peer *peer, uint32_t id, const void *data, size_t len)
{
    return raw_respond(peer, id) && raw_message(peer, id, data, len, 0) && raw_status(peer, id, "0", NULL);
}

/* --- waiting ----------------------------------------------------------------------------------------------------- */

static const char *state_of(const raw_peer *peer)
{
    static char text[400];
    snprintf(text, sizeof(text), "%s%s%s%s%s", peer->closed ? "the connection is closed" : "the connection is open",
             peer->went_away ? ", GOAWAY " : "", peer->went_away ? oy_h2_code_name(peer->goaway_code) : "",
             peer->went_away ? " " : "", peer->goaway_words);
    return text;
}

raw_stream *raw_await(raw_peer *peer, uint32_t id)
{
    raw_stream *stream;
    if (!RAW_UNTIL(peer, (stream = raw_find(peer, id)) && (stream->ended || stream->reset)))
        fail_msg("stream %u does not end; %s", id, state_of(peer));
    return stream;
}

raw_stream *raw_await_body(raw_peer *peer, uint32_t id, size_t bytes)
{
    raw_stream *stream;
    if (!RAW_UNTIL(peer, (stream = raw_find(peer, id)) && stream->body.len >= bytes))
        fail_msg("stream %u: %zu bytes do not come, but %zu; %s", id, bytes, stream ? stream->body.len : 0,
                 state_of(peer));
    return stream;
}

void raw_sync(raw_peer *peer)
{
    uint32_t before = peer->ping_acks;
    assert_true(RAW_SEND(peer, PING, 0, 0, "are-you?"));
    if (!RAW_UNTIL(peer, peer->ping_acks > before))
        fail_msg("a PING is not answered; %s", state_of(peer));
}

void raw_await_close(raw_peer *peer)
{
    (void)raw_read(peer, 0); /* what came while something was being sent */
    if (!RAW_UNTIL(peer, peer->closed))
        fail_msg("the connection is not closed");
}

raw_stream *raw_await_request(raw_peer *peer)
{
    raw_stream *stream;
    if (!RAW_UNTIL(peer, (stream = raw_find(peer, peer->next_request)) && stream->header_blocks > 0))
        fail_msg("no request on stream %u; %s", peer->next_request, state_of(peer));
    peer->next_request += 2;
    return stream;
}

/* --- looking ----------------------------------------------------------------------------------------------------- */

static const char *next_field(const char *at, const char *name, size_t *ret_len)
{
    size_t len = strlen(name);
    while (*at) {
        const char *end = strchr(at, '\n');
        if (strncmp(at, name, len) == 0 && strncmp(at + len, ": ", 2) == 0) {
            *ret_len = (size_t)(end - at) - len - 2;
            return at + len + 2;
        }
        at = end + 1;
    }
    return NULL;
}

const char *raw_field(const raw_stream *stream, const char *name)
{
    static char value[FIELD_MAX];
    size_t len;
    const char *found = next_field(stream->fields, name, &len);
    if (!found)
        return NULL;
    assert_true(len < sizeof(value));
    memcpy(value, found, len);
    value[len] = '\0';
    return value;
}

unsigned raw_field_count(const raw_stream *stream, const char *name)
{
    unsigned count = 0;
    size_t len;
    for (const char *at = stream->fields; (at = next_field(at, name, &len)) != NULL; at += len + 1)
        count++;
    return count;
}

static const char *decoded_message(const raw_stream *stream)
{
    static char text[FIELD_MAX];
    const char *value = raw_field(stream, "grpc-message");
    if (!value)
        return "";
    size_t len = oy_percent_decode((oyez_str){ value, strlen(value) }, text);
    text[len] = '\0';
    return text;
}

const char *raw_outcome(const raw_stream *stream)
{
    static char text[1024];
    char http[16], status[16];
    const char *value = raw_field(stream, ":status");
    snprintf(http, sizeof(http), "%s", value ? value : "none");
    value = raw_field(stream, "grpc-status");
    snprintf(status, sizeof(status), "%s", value ? value : "none");
    if (stream->ended && strcmp(http, "200") == 0)
        snprintf(text, sizeof(text), "%s %.900s", status, decoded_message(stream));
    else if (stream->ended)
        snprintf(text, sizeof(text), "http %s %s %.900s", http, status, decoded_message(stream));
    else if (stream->reset)
        snprintf(text, sizeof(text), "reset %s", oy_h2_code_name(stream->reset_code));
    else
        snprintf(text, sizeof(text), "not ended");
    return text;
}

/* --- expecting --------------------------------------------------------------------------------------------------- */

const char *raw_expect_status(raw_peer *peer, uint32_t id, int status)
{
    const raw_stream *stream = raw_await(peer, id);
    const char *value = raw_field(stream, "grpc-status");
    if (!stream->ended || !value || strtol(value, NULL, 10) != status || strcmp(raw_field(stream, ":status"), "200") != 0)
        fail_msg("stream %u: \"%s\" instead of status %d", id, raw_outcome(stream), status);
    return decoded_message(stream);
}

void raw_expect_ok(raw_peer *peer, uint32_t id, const void *data, size_t len)
{
    (void)raw_expect_status(peer, id, 0);
    const raw_stream *stream = raw_find(peer, id);
    assert_int_equal(stream->body.len, len + OY_PREFIX_BYTES);
    assert_int_equal(stream->body.data[0], 0);
    assert_int_equal(oy_h2_get_u32(stream->body.data + 1), len);
    if (len)
        assert_memory_equal(stream->body.data + OY_PREFIX_BYTES, data, len);
}

void raw_expect_http(raw_peer *peer, uint32_t id, const char *http_status, int status)
{
    const raw_stream *stream = raw_await(peer, id);
    const char *value = raw_field(stream, "grpc-status");
    if (!stream->ended || !value || strtol(value, NULL, 10) != status ||
        strcmp(raw_field(stream, ":status"), http_status) != 0)
        fail_msg("stream %u: \"%s\" instead of HTTP %s and status %d", id, raw_outcome(stream), http_status, status);
}

void raw_expect_reset(raw_peer *peer, uint32_t id, uint32_t code)
{
    const raw_stream *stream = raw_await(peer, id);
    if (!RAW_UNTIL(peer, stream->reset) || stream->reset_code != code)
        fail_msg("stream %u: \"%s\" instead of reset %s", id, raw_outcome(stream), oy_h2_code_name(code));
}

void raw_expect_goaway(raw_peer *peer, uint32_t code)
{
    raw_await_close(peer);
    if (!peer->went_away || peer->goaway_code != code)
        fail_msg("%s instead of GOAWAY %s", state_of(peer), oy_h2_code_name(code));
}

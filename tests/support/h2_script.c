/* SPDX-License-Identifier: Apache-2.0 */
#include "support/h2_script.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/leak.h"
#include "support/test.h"

const oy_h2_config h2_a_server = {.server = true};
const oy_h2_config h2_a_client = {.server = false};

/* --- bytes and frames ------------------------------------------------------------------------- */

void h2_bytes_add(h2_bytes *bytes, const void *data, size_t len)
{
    if (bytes->len + len > bytes->capacity) {
        bytes->capacity = (bytes->len + len) * 2;
        bytes->data = realloc(bytes->data, bytes->capacity);
        assert_non_null(bytes->data);
    }
    if (len)
        memcpy(bytes->data + bytes->len, data, len);
    bytes->len += len;
}

void h2_bytes_free(h2_bytes *bytes)
{
    free(bytes->data);
    *bytes = (h2_bytes){NULL, 0, 0};
}

void h2_put_frame(h2_bytes *bytes, uint32_t type, uint32_t flags, uint32_t id, const void *payload,
                  size_t len)
{
    uint8_t head[OY_H2_FRAME_HEADER_BYTES];

    oy_h2_frame_write(head, (uint32_t)len, (uint8_t)type, flags, id);
    h2_bytes_add(bytes, head, sizeof(head));
    h2_bytes_add(bytes, payload, len);
}

void h2_put_hello(h2_bytes *bytes)
{
    h2_bytes_add(bytes, OY_H2_PREFACE, OY_H2_PREFACE_BYTES);
    h2_put_frame(bytes, OY_H2_FRAME_SETTINGS, 0, 0, "", 0);
}

static void put_string(h2_bytes *bytes, const char *text)
{
    size_t len = strlen(text);
    uint8_t prefix[3] = {(uint8_t)len};

    if (len < 127) {
        h2_bytes_add(bytes, prefix, 1);
    } else {
        assert_true(len - 127 < 16384);
        prefix[0] = 127;
        prefix[1] = (uint8_t)((len - 127) | 0x80);
        prefix[2] = (uint8_t)((len - 127) >> 7);
        h2_bytes_add(bytes, prefix, 3);
    }
    h2_bytes_add(bytes, text, len);
}

void h2_put_field(h2_bytes *bytes, const char *name, const char *value)
{
    h2_bytes_add(bytes, "", 1);
    put_string(bytes, name);
    put_string(bytes, value);
}

void h2_put_request(h2_bytes *bytes, const char *path)
{
    h2_bytes_add(bytes, "\x83\x86\x04", 3);
    put_string(bytes, path);
    h2_bytes_add(bytes, "\x01", 1);
    put_string(bytes, "localhost");
    h2_bytes_add(bytes, "\x0f\x10", 2);
    put_string(bytes, "application/grpc");
    h2_put_field(bytes, "te", "trailers");
}

bool h2_next_frame(const uint8_t *data, size_t len, size_t *at, h2_frame *ret_frame)
{
    oy_h2_frame frame;

    if (len - *at < OY_H2_FRAME_HEADER_BYTES)
        return false;
    frame = oy_h2_frame_parse(data + *at);
    if (len - *at - OY_H2_FRAME_HEADER_BYTES < frame.length)
        return false;
    *ret_frame = (h2_frame){frame.length, frame.type, frame.flags, frame.stream_id,
                            data + *at + OY_H2_FRAME_HEADER_BYTES};
    *at += OY_H2_FRAME_HEADER_BYTES + frame.length;
    return true;
}

/* --- news ------------------------------------------------------------------------------------- */

static void add_news(h2_script *script, const char *text)
{
    size_t len = strlen(text);

    assert_true(script->news_len + len + 3 < sizeof(script->news));
    if (script->news_len) {
        memcpy(script->news + script->news_len, "; ", 2);
        script->news_len += 2;
    }
    memcpy(script->news + script->news_len, text, len + 1);
    script->news_len += len;
    h2_bytes_add(&script->all_news, text, len);
    h2_bytes_add(&script->all_news, "\n", 1);
}

/* DATA comes in as many pieces as the bytes were cut into: told in one. */
static void flush_data(h2_script *script, bool end)
{
    char text[64];

    if (!script->data_id)
        return;
    snprintf(text, sizeof(text), "data %u %zu%s", script->data_id, script->data_bytes,
             end ? " end" : "");
    script->data_id = 0;
    script->data_bytes = 0;
    add_news(script, text);
}

__attribute__((format(printf, 3, 4))) static void tell(h2_script *script, oy_h2_stream *stream,
                                                       const char *format, ...)
{
    char text[1024];
    va_list args;

    flush_data(script, false);
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    add_news(script, text);
    if (script->on_news)
        script->on_news(script, stream, text);
}

static uint32_t id_of(oy_h2_stream *stream)
{
    h2_script_stream *ours = (h2_script_stream *)(void *)stream;

    if (stream->id)
        ours->id = stream->id;
    return ours->id;
}

static oy_h2_stream *on_stream(void *user, bool *ret_blameless)
{
    h2_script *script = user;

    *ret_blameless = script->blameless;
    if (script->refuse)
        return NULL;
    assert_true(script->stream_count < H2_SCRIPT_STREAMS);
    return &script->streams[script->stream_count++].h2;
}

static void on_field(void *user, oy_h2_stream *stream, const oy_hpack_field *field)
{
    h2_script *script = user;
    uint32_t id = id_of(stream);

    if (script->log_fields)
        tell(script, stream, "field %u %.*s: %.*s", id, (int)field->name.len, field->name.data,
             (int)field->value.len, field->value.data);
}

static void on_headers(void *user, oy_h2_stream *stream, const oy_h2_headers *headers)
{
    tell(user, stream, "headers %u%s%s%s%s", id_of(stream), headers->end_stream ? " end" : "",
         headers->trailers ? " trailers" : "", headers->informational ? " informational" : "",
         headers->over_limit ? " over" : "");
}

static void on_data(void *user, oy_h2_stream *stream, const oyez_buffer *piece, bool end_stream)
{
    h2_script *script = user;
    uint32_t id = id_of(stream);

    assert_true(piece->len || end_stream);
    if (script->data_id != id)
        flush_data(script, false);
    script->data_id = id;
    script->data_bytes += piece->len;
    h2_bytes_add(&script->body, piece->data, piece->len);
    if (end_stream)
        flush_data(script, true);
    if (script->on_news)
        script->on_news(script, stream, "data");
}

static void on_reset(void *user, oy_h2_stream *stream, uint32_t code, bool by_peer,
                     const char *words)
{
    if (by_peer)
        tell(user, stream, "reset %u %s by peer", id_of(stream), oy_h2_code_name(code));
    else
        tell(user, stream, "reset %u %s: %s", id_of(stream), oy_h2_code_name(code), words);
}

static void on_writable(void *user, oy_h2_stream *stream)
{
    if (stream)
        tell(user, stream, "writable %u", stream->id);
    else
        tell(user, NULL, "writable all");
}

static void on_goaway(void *user, uint32_t last_id, uint32_t code, oyez_str debug)
{
    tell(user, NULL, "goaway %u %s %.*s", last_id, oy_h2_code_name(code), (int)debug.len,
         debug.data);
}

static void on_settings(void *user, const oy_h2_peer_settings *settings)
{
    (void)settings;
    tell(user, NULL, "settings");
}

static void on_ping(void *user, bool ack, const uint8_t payload[8])
{
    tell(user, NULL, "%s %.8s", ack ? "pong" : "ping", (const char *)payload);
}

static const oy_h2_events events = {
    .on_stream = on_stream,
    .on_field = on_field,
    .on_headers = on_headers,
    .on_data = on_data,
    .on_reset = on_reset,
    .on_writable = on_writable,
    .on_goaway = on_goaway,
    .on_settings = on_settings,
    .on_ping = on_ping,
};

/* --- life ------------------------------------------------------------------------------------- */

oyez_err h2_script_try_init(h2_script *script, const oy_h2_config *config, h2_cut cut,
                            uint64_t seed)
{
    oyez_err err;

    memset(script, 0, sizeof(*script));
    script->cut = cut;
    script->random.state = seed;
    err = oy_block_pool_new(OY_READ_BLOCK_BYTES, 4, &script->pool);
    if (err)
        return err;
    oy_outq_init(&script->output, script->pool);
    return oy_h2_new(config ? config : &h2_a_server, &events, script, &script->output,
                     &script->conn);
}

void h2_script_init(h2_script *script, const oy_h2_config *config, h2_cut cut, uint64_t seed)
{
    assert_ok(h2_script_try_init(script, config, cut, seed));
}

void h2_script_fini(h2_script *script)
{
    oy_h2_free(script->conn);
    if (script->pool) {
        oy_outq_fini(&script->output);
        oy_block_pool_free(script->pool);
    }
    h2_bytes_free(&script->out);
    h2_bytes_free(&script->all_news);
    h2_bytes_free(&script->body);
}

void h2_talk(const oy_h2_config *config, h2_conversation *conversation)
{
    static h2_script script; /* large, and every field is set anew */
    h2_bytes out = {0}, news = {0};

    for (h2_cut cut = H2_CUT_WHOLE; cut <= H2_CUT_RANDOM; cut++) {
        oy_leak_begin();
        h2_script_init(&script, config, cut, 42);
        conversation(&script);
        h2_expect_silence(&script);
        flush_data(&script, false);
        if (cut == H2_CUT_WHOLE) {
            h2_bytes_add(&out, script.out.data, script.out.len);
            h2_bytes_add(&news, script.all_news.data, script.all_news.len);
        } else {
            assert_int_equal(script.out.len, out.len);
            assert_memory_equal(script.out.data, out.data, out.len);
            assert_int_equal(script.all_news.len, news.len);
            if (news.len)
                assert_memory_equal(script.all_news.data, news.data, news.len);
        }
        h2_script_fini(&script);
        oy_leak_end();
    }
    h2_bytes_free(&out);
    h2_bytes_free(&news);
}

/* --- talking ---------------------------------------------------------------------------------- */

/* Moves what the engine has queued to where the peer reads it. */
static void drain(h2_script *script)
{
    struct iovec vectors[16];
    size_t count, len = 0;

    while ((count = oy_outq_peek(&script->output, vectors, 16)) > 0) {
        len = 0;
        for (size_t i = 0; i < count; i++) {
            h2_bytes_add(&script->out, vectors[i].iov_base, vectors[i].iov_len);
            len += vectors[i].iov_len;
        }
        oy_outq_consume(&script->output, len);
    }
}

void h2_feed(h2_script *script, const void *data, size_t len)
{
    const uint8_t *at = data;

    while (len) {
        size_t part = len;
        uint8_t *copy;
        if (script->cut == H2_CUT_BYTES)
            part = 1;
        else if (script->cut == H2_CUT_RANDOM)
            part = 1 + oy_random_next(&script->random) % (len < 40 ? len : 40);
        /* Memory of exactly this size, so that a sanitizer sees the edges. */
        copy = malloc(part);
        assert_non_null(copy);
        memcpy(copy, at, part);
        script->err = oy_h2_recv(script->conn, &(oyez_buffer){copy, part, NULL});
        free(copy);
        at += part;
        len -= part;
    }
}

void h2_hello(h2_script *script)
{
    h2_bytes hello = {0};

    h2_put_hello(&hello);
    if (oy_h2_last_peer_stream(script->conn) == 0 && script->out.len == 0)
        drain(script);
    if (script->out.len >= 3 && memcmp(script->out.data, "PRI", 3) == 0) {
        script->read = OY_H2_PREFACE_BYTES;
        h2_feed(script, hello.data + OY_H2_PREFACE_BYTES, hello.len - OY_H2_PREFACE_BYTES);
    } else {
        h2_feed(script, hello.data, hello.len);
    }
    h2_bytes_free(&hello);
    H2_SEND(script, SETTINGS, ACK, 0, "");
    h2_expect_type(script, OY_H2_FRAME_SETTINGS, 0, 0);
    if (h2_expect_any(script).type == OY_H2_FRAME_WINDOW_UPDATE)
        H2_EXPECT(script, SETTINGS, ACK, 0, "");
    h2_expect_silence(script);
    assert_ok(script->err);
    h2_forget_news(script);
}

void h2_send(h2_script *script, uint32_t type, uint32_t flags, uint32_t id, const void *payload,
             size_t len)
{
    h2_bytes bytes = {0};

    h2_put_frame(&bytes, type, flags, id, payload, len);
    h2_feed(script, bytes.data, bytes.len);
    h2_bytes_free(&bytes);
}

void h2_send_fields(h2_script *script, uint32_t flags, uint32_t id, ...)
{
    h2_bytes block = {0};
    const char *name;
    va_list args;

    va_start(args, id);
    while ((name = va_arg(args, const char *)) != NULL)
        h2_put_field(&block, name, va_arg(args, const char *));
    va_end(args);
    h2_send(script, OY_H2_FRAME_HEADERS, flags | OY_H2_FLAG_END_HEADERS, id, block.data, block.len);
    h2_bytes_free(&block);
}

void h2_send_request(h2_script *script, uint32_t flags, uint32_t id)
{
    h2_bytes block = {0};

    h2_put_request(&block, "/a/b");
    h2_send(script, OY_H2_FRAME_HEADERS, flags | OY_H2_FLAG_END_HEADERS, id, block.data, block.len);
    h2_bytes_free(&block);
}

void h2_send_response(h2_script *script, uint32_t flags, uint32_t id)
{
    h2_send_fields(script, flags, id, ":status", "200", "content-type", "application/grpc", NULL);
}

void h2_send_u32(h2_script *script, uint32_t type, uint32_t id, uint32_t value)
{
    uint8_t payload[4];

    oy_h2_put_u32(payload, value);
    h2_send(script, type, 0, id, payload, sizeof(payload));
}

void h2_send_setting(h2_script *script, uint16_t id, uint32_t value)
{
    uint8_t payload[6];

    oy_h2_put_u16(payload, id);
    oy_h2_put_u32(payload + 2, value);
    h2_send(script, OY_H2_FRAME_SETTINGS, 0, 0, payload, sizeof(payload));
}

void h2_send_zeros(h2_script *script, uint32_t flags, uint32_t id, size_t len)
{
    uint8_t *zeros = calloc(1, len + 1);

    assert_non_null(zeros);
    h2_send(script, OY_H2_FRAME_DATA, flags, id, zeros, len);
    free(zeros);
}

oy_h2_stream *h2_begin_request(h2_script *script, bool end_stream)
{
    oy_h2_block block;
    h2_script_stream *stream = &script->streams[script->stream_count++];

    assert_true(script->stream_count <= H2_SCRIPT_STREAMS);
    assert_ok(oy_h2_stream_open(script->conn, &stream->h2));
    assert_ok(oy_h2_block_begin(script->conn, &block, 100, 100));
    oy_h2_block_add(script->conn, &block, OYEZ_STR(":method"), OYEZ_STR("POST"), OY_HPACK_INDEX);
    oy_h2_block_add(script->conn, &block, OYEZ_STR(":path"), OYEZ_STR("/a/b"), OY_HPACK_INDEX);
    assert_ok(oy_h2_block_end(script->conn, &block, &stream->h2, end_stream));
    h2_expect_type(script, OY_H2_FRAME_HEADERS,
                   OY_H2_FLAG_END_HEADERS | (end_stream ? OY_H2_FLAG_END_STREAM : 0),
                   id_of(&stream->h2));
    return &stream->h2;
}

void h2_respond(h2_script *script, uint32_t id, bool end_stream)
{
    oy_h2_block block;

    assert_ok(oy_h2_block_begin(script->conn, &block, 100, 100));
    oy_h2_block_add(script->conn, &block, OYEZ_STR(":status"), OYEZ_STR("200"), OY_HPACK_INDEX);
    assert_ok(oy_h2_block_end(script->conn, &block, h2_stream(script, id), end_stream));
}

oy_h2_stream *h2_stream(h2_script *script, uint32_t id)
{
    oy_h2_stream *stream = oy_h2_stream_find(script->conn, id);

    assert_non_null(stream);
    assert_int_equal(stream->id, id);
    return stream;
}

/* --- expecting -------------------------------------------------------------------------------- */

h2_frame h2_expect_any(h2_script *script)
{
    h2_frame frame = {0};

    drain(script);
    if (!h2_next_frame(script->out.data, script->out.len, &script->read, &frame))
        fail_msg("no frame has been written; news: %s", script->news);
    return frame;
}

void h2_expect_type(h2_script *script, uint32_t type, uint32_t flags, uint32_t id)
{
    h2_frame frame = h2_expect_any(script);

    if (frame.type != type || frame.flags != flags || frame.id != id)
        fail_msg("%s flags %x on %u was written, expected %s flags %x on %u",
                 oy_h2_frame_name(frame.type), frame.flags, frame.id, oy_h2_frame_name(type), flags,
                 id);
}

void h2_expect(h2_script *script, uint32_t type, uint32_t flags, uint32_t id, const void *payload,
               size_t len)
{
    size_t at = script->read;
    h2_frame frame;

    h2_expect_type(script, type, flags, id);
    (void)h2_next_frame(script->out.data, script->out.len, &at, &frame);
    assert_int_equal(frame.length, len);
    if (len)
        assert_memory_equal(frame.payload, payload, len);
}

static void expect_u32(h2_script *script, uint32_t type, uint32_t id, uint32_t value)
{
    size_t at = script->read;
    h2_frame frame;

    h2_expect_type(script, type, 0, id);
    (void)h2_next_frame(script->out.data, script->out.len, &at, &frame);
    assert_int_equal(frame.length, 4);
    assert_int_equal(oy_h2_get_u32(frame.payload), value);
}

void h2_expect_rst(h2_script *script, uint32_t id, uint32_t code)
{
    expect_u32(script, OY_H2_FRAME_RST_STREAM, id, code);
}

void h2_expect_window_update(h2_script *script, uint32_t id, uint32_t increment)
{
    expect_u32(script, OY_H2_FRAME_WINDOW_UPDATE, id, increment);
}

void h2_expect_failure(h2_script *script, uint32_t last_id, uint32_t code, const char *words)
{
    size_t at = script->read;
    h2_frame frame;

    h2_expect_type(script, OY_H2_FRAME_GOAWAY, 0, 0);
    (void)h2_next_frame(script->out.data, script->out.len, &at, &frame);
    assert_true(frame.length >= 8);
    if (frame.length != 8 + strlen(words) || memcmp(frame.payload + 8, words, strlen(words)) != 0)
        fail_msg("GOAWAY says \"%.*s\", expected \"%s\"", (int)frame.length - 8,
                 (const char *)frame.payload + 8, words);
    assert_int_equal(oy_h2_get_u32(frame.payload), last_id);
    assert_int_equal(oy_h2_get_u32(frame.payload + 4), code);
    assert_string_equal(oy_h2_get_failure(script->conn).words, words);
    assert_int_equal(oy_h2_get_failure(script->conn).code, code);
    assert_err(script->err, OYEZ_EPROTO);
    H2_SEND(script, PING, 0, 0, "anybody?");
    assert_err(script->err, OYEZ_EPROTO);
    h2_expect_silence(script);
}

void h2_expect_silence(h2_script *script)
{
    h2_frame frame;

    drain(script);
    if (h2_next_frame(script->out.data, script->out.len, &script->read, &frame))
        fail_msg("%s flags %x on %u was written, expected nothing", oy_h2_frame_name(frame.type),
                 frame.flags, frame.id);
    assert_int_equal(script->read, script->out.len);
}

void h2_expect_news(h2_script *script, const char *news)
{
    flush_data(script, false);
    script->news[script->news_len] = '\0';
    assert_string_equal(script->news, news);
    script->news_len = 0;
}

void h2_forget_news(h2_script *script)
{
    flush_data(script, false);
    script->news_len = 0;
    script->news[0] = '\0';
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed messages of strangers: what the flag, the header and the bytes say, and whether they agree (B20); bombs, by
 * each compressor, with the memory that they cost (B21); what is said on the wire. */
#include "e2e_server.h"
#include "call/compressors.h"
#include "support/leak.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if OY_WITH_ZLIB
#include <zlib.h>
#endif

#define KIB ((size_t)1024)
#define MIB ((size_t)1024 * 1024)
#define LIMIT (4 * MIB)
#define WORKER "/pkg.Svc/Echo"
#define LOOP "/pkg.Loop/Echo"

typedef struct bytes {
    uint8_t *data;
    size_t len;
} bytes;

/* `len` zeros, or the text, by one of the library's compressors. */
static bytes pack(const char *name, const void *data, size_t len)
{
    const char *words;
    char failure[OY_COMPRESSION_WORDS];
    oy_compressors *all;
    oyez_slice message = OYEZ_SLICE_INIT;
    void *zeros = data ? NULL : test_calloc(1, len);
    bytes packed;
    assert_ok(oy_compressors_new(NULL, 0, &all, &words));
    assert_ok(oyez_slice_append(&message, (oyez_buffer){ data ? data : zeros, len, NULL }));
    const oy_compressor *one = oy_compressors_find(all, (oyez_str){ name, strlen(name) });
    assert_non_null(one);
    assert_int_equal(oy_compress(one, NULL, &message, failure), OYEZ_OK);
    packed.len = message.len;
    packed.data = test_malloc(message.len);
    (void)oyez_slice_copy_to(&message, packed.data, message.len);
    oyez_slice_fini(&message);
    oy_compressors_unref(all);
    if (zeros)
        test_free(zeros);
    return packed;
}

static bool has(const char *name)
{
    return strcmp(name, "zstd") == 0 ? oyez_zstd(0) != NULL : oyez_gzip(0) != NULL;
}

static bytes join(bytes a, bytes b)
{
    bytes both = { test_malloc(a.len + b.len), a.len + b.len };
    memcpy(both.data, a.data, a.len);
    memcpy(both.data + a.len, b.data, b.len);
    test_free(a.data);
    test_free(b.data);
    return both;
}

/* --- bombs ------------------------------------------------------------------------------------------------------------ */

#define BOMB_MIB 1024u

#if OY_WITH_ZLIB
/* One stream of a GiB of zeros, without compressing so many: blocks that are flushed are all the same. */
static bytes zlib_bomb(int bits)
{
    uint8_t *zeros = test_calloc(1, MIB), *block = test_malloc(2 * MIB), *bomb = test_malloc(4 * MIB);
    size_t len = 0, one = 0;
    z_stream z = { 0 };
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
    for (unsigned i = 0; i < 2; i++) {
        z.next_in = zeros;
        z.avail_in = MIB;
        z.next_out = i ? block : bomb;
        z.avail_out = 2 * MIB;
        assert_int_equal(deflate(&z, Z_FULL_FLUSH), Z_OK);
        *(i ? &one : &len) = 2 * MIB - z.avail_out;
    }
    (void)deflateEnd(&z);
    for (unsigned i = 1; i < BOMB_MIB; i++, len += one)
        memcpy(bomb + len, block, one);
    assert_in_range(len, MIB / 2, 2 * MIB);
    test_free(zeros);
    test_free(block);
    return (bytes){ bomb, len };
}
#endif

static bytes make_bomb(const char *name)
{
#if OY_WITH_ZLIB
    if (strcmp(name, "zstd") != 0)
        return zlib_bomb(strcmp(name, "gzip") == 0 ? 31 : 15);
#endif
    bytes frame = pack(name, NULL, MIB), bomb = { test_malloc(frame.len * BOMB_MIB), 0 };
    for (unsigned i = 0; i < BOMB_MIB; i++, bomb.len += frame.len)
        memcpy(bomb.data + bomb.len, frame.data, frame.len);
    test_free(frame.data);
    return bomb;
}

static bytes framed(bytes packed)
{
    bytes whole = { test_malloc(packed.len + 5), packed.len + 5 };
    oy_prefix_write(whole.data, true, (uint32_t)packed.len);
    memcpy(whole.data + 5, packed.data, packed.len);
    return whole;
}

/* Sends so much DATA, in frames, as the windows let it. */
static void send_data(raw_peer *p, uint32_t id, const uint8_t *data, size_t len, uint32_t flags)
{
    while (len > 0) {
        uint64_t room = 0;
        if (!RAW_UNTIL(p, (room = raw_room(p, id)) > 0))
            return;
        size_t part = len < 16384 ? len : 16384;
        if (part > room)
            part = (size_t)room;
        if (!raw_send_frame(p, OY_H2_FRAME_DATA, part == len ? flags : 0, id, data, part))
            return;
        data += part;
        len -= part;
    }
}

static void expect_peak(size_t before, size_t allowed, const char *name, const char *where)
{
    size_t peak = oy_leak_peak_bytes(false) - before;
    if (peak > allowed)
        fail_msg("%s at %s: %zu KiB at the peak, %zu KiB are allowed", name, where, peak / KIB, allowed / KIB);
}

/* What a bomb may cost: the limit, the compressed bytes as they came, a state, blocks that are being read into. */
static size_t allowed_for(const bytes *bomb)
{
    return LIMIT + 2 * bomb->len + MIB;
}

static void try_bomb(e2e_server *server, const char *name)
{
    static const char *const paths[] = { WORKER, LOOP };
    bytes bomb = make_bomb(name), message = framed(bomb);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    for (size_t i = 0; i < 4; i++, id += 2) {
        size_t before = oy_leak_live_bytes();
        (void)oy_leak_peak_bytes(true);
        raw_request_with(p, id, paths[i % 2], "grpc-encoding", name, NULL);
        send_data(p, id, message.data, message.len, RAW_END);
        const char *words = raw_expect_status(p, id, OYEZ_RESOURCE_EXHAUSTED);
        e2e_expect_words(words, "received message after decompression larger than max 4194304 bytes");
        expect_peak(before, allowed_for(&bomb), name, paths[i % 2]);
    }
    /* Who is denied is denied before anything is decompressed. */
    size_t before = oy_leak_live_bytes();
    (void)oy_leak_peak_bytes(true);
    raw_request_with(p, id, "/pkg.Svc/Secret", "grpc-encoding", name, NULL);
    send_data(p, id, message.data, message.len, RAW_END);
    (void)raw_expect_status(p, id, OYEZ_PERMISSION_DENIED);
    expect_peak(before, 2 * bomb.len + MIB, name, "a method that is denied");
    e2e_expect_serves_on(p, id + 2);
    raw_close(p);
    test_free(bomb.data);
    test_free(message.data);
}

static void bombs(void **state)
{
    static const char *const names[] = { "gzip", "deflate", "zstd" };
    e2e_server *server = e2e_serve(NULL);
    (void)state;
    for (size_t i = 0; i < 3; i++)
        if (has(names[i]))
            try_bomb(server, names[i]);
    e2e_end(server);
}

/* Many at a time: each costs the limit at most, and for as long as it is decompressed alone. */
static void bombs_in_parallel(void **state)
{
    (void)state;
    if (!has("gzip"))
        return;
    e2e_server *server = e2e_serve(NULL);
    bytes bomb = make_bomb("gzip"), message = framed(bomb);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    for (uint32_t id = 1; id < 128; id += 2) {
        raw_request_with(p, id, id % 4 == 1 ? WORKER : LOOP, "grpc-encoding", "gzip", NULL);
        send_data(p, id, message.data, message.len, RAW_END);
    }
    for (uint32_t id = 1; id < 128; id += 2)
        (void)raw_expect_status(p, id, OYEZ_RESOURCE_EXHAUSTED);
    e2e_expect_bounded(&before, 300 * MIB);
    e2e_expect_serves_on(p, 129);
    raw_close(p);
    test_free(bomb.data);
    test_free(message.data);
    e2e_end(server);
}

/* As much as is allowed passes, however small it came; one byte more does not. */
static void the_limit_is_exact(void **state)
{
    (void)state;
    if (!has("gzip"))
        return;
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    for (uint32_t i = 0; i < 4; i++) {
        bytes packed = pack("gzip", NULL, LIMIT + i / 2), message = framed(packed);
        const uint32_t id = 2 * i + 1;
        raw_request_with(p, id, i % 2 ? WORKER : LOOP, "grpc-encoding", "gzip", NULL);
        send_data(p, id, message.data, message.len, RAW_END);
        (void)raw_expect_status(p, id, i / 2 ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK);
        test_free(packed.data);
        test_free(message.data);
    }
    raw_close(p);
    e2e_end(server);
}

/* The same from a server, to a client that waits, and to one that is called back. */
static void bombs_for_clients(void **state)
{
    static const char *const names[] = { "gzip", "deflate", "zstd" };
    uint16_t port;
    int fd = raw_listen(&port);
    oyez_channel *channel = e2e_channel(NULL, port);
    (void)state;
    oyez_channel_connect(channel);
    raw_peer *p = raw_server(fd, 0);
    for (size_t i = 0; i < 3; i++) {
        if (!has(names[i]))
            continue;
        bytes bomb = make_bomb(names[i]), message = framed(bomb);
        for (int times = 0; times < 2; times++) {
            e2e_call call;
            size_t before = oy_leak_live_bytes();
            (void)oy_leak_peak_bytes(true);
            e2e_call_start(&call, channel, "/pkg.Svc/Method", "q", 1, NULL);
            uint32_t id = raw_await(p, raw_await_request(p)->id)->id;
            raw_fields(p, id, 0, ":status", "200", "content-type", "application/grpc", "grpc-encoding", names[i], NULL);
            send_data(p, id, message.data, message.len, 0);
            e2e_call_await(&call);
            e2e_expect_code(&call, OYEZ_RESOURCE_EXHAUSTED);
            e2e_expect_words(call.words, "received message after decompression larger than max 4194304 bytes");
            expect_peak(before, allowed_for(&bomb), names[i], "a client");
            e2e_call_free(&call);
        }
        test_free(bomb.data);
        test_free(message.data);
    }
    oyez_channel_unref(channel);
    raw_close(p);
    close(fd);
}

/* --- B20 ---------------------------------------------------------------------------------------------------------------- */

typedef struct attempt {
    const char *what, *encoding;
    bool flag;
    bytes body;
    int to_server, to_client;
} attempt;

#define ATTEMPTS 8

static void make_attempts(attempt list[ATTEMPTS])
{
    bytes hi = pack("gzip", "hi", 2), ho = pack("gzip", "ho", 2);
    const bytes junk = { test_malloc(20), 20 };
    memset(junk.data, 0x55, 20);
    list[0] = (attempt){ "plain under gzip", "gzip", false, { (uint8_t *)test_malloc(2), 2 }, OYEZ_OK, OYEZ_OK };
    memcpy(list[0].body.data, "hi", 2);
    list[1] = (attempt){ "gzip", "gzip", true, pack("gzip", "hi", 2), OYEZ_OK, OYEZ_OK };
    list[2] = (attempt){ "two members", "gzip", true, join(hi, ho), OYEZ_OK, OYEZ_OK };
    list[3] = (attempt){ "junk behind", "gzip", true, join(pack("gzip", "hi", 2), junk), OYEZ_INTERNAL, OYEZ_INTERNAL };
    list[4] = (attempt){ "cut short", "gzip", true, pack("gzip", "hi", 2), OYEZ_INTERNAL, OYEZ_INTERNAL };
    list[4].body.len -= 3;
    list[5] = (attempt){ "empty", "gzip", true, { test_malloc(1), 0 }, OYEZ_INTERNAL, OYEZ_INTERNAL };
    list[6] = (attempt){ "deflate says it is gzip", "gzip", true, pack("deflate", "hi", 2), OYEZ_INTERNAL, OYEZ_INTERNAL };
    list[7] = (attempt){ "gzip says it is identity", "identity", true, pack("gzip", "hi", 2), OYEZ_INTERNAL, OYEZ_INTERNAL };
}

static bytes framed_as(const attempt *it)
{
    bytes message = framed(it->body);
    message.data[0] = it->flag;
    return message;
}

static void flags_and_bytes_to_a_server(void **state)
{
    static const char *const paths[] = { WORKER, LOOP };
    attempt list[ATTEMPTS];
    (void)state;
    if (!has("gzip"))
        return;
    e2e_server *server = e2e_serve(NULL);
    make_attempts(list);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    for (size_t i = 0; i < 2 * ATTEMPTS; i++, id += 2) {
        const attempt *it = &list[i / 2];
        bytes message = framed_as(it);
        raw_request_with(p, id, paths[i % 2], "grpc-encoding", it->encoding, NULL);
        raw_send_frame(p, OY_H2_FRAME_DATA, RAW_END, id, message.data, message.len);
        const raw_stream *stream = raw_await(p, id);
        const char *status = raw_field(stream, "grpc-status");
        if (!stream->ended || !status || (int)strtol(status, NULL, 10) != it->to_server)
            fail_msg("%s: %s", it->what, raw_outcome(stream));
        test_free(message.data);
    }
    e2e_expect_serves_on(p, id);
    raw_close(p);
    for (size_t i = 0; i < ATTEMPTS; i++)
        test_free(list[i].body.data);
    e2e_end(server);
}

static void flags_and_bytes_to_a_client(void **state)
{
    attempt list[ATTEMPTS];
    uint16_t port;
    (void)state;
    if (!has("gzip"))
        return;
    make_attempts(list);
    int fd = raw_listen(&port);
    oyez_channel *channel = e2e_channel(NULL, port);
    oyez_channel_connect(channel);
    raw_peer *p = raw_server(fd, 0);
    for (size_t i = 0; i < ATTEMPTS; i++) {
        const attempt *it = &list[i];
        bytes message = framed_as(it);
        e2e_call call;
        e2e_call_start(&call, channel, "/pkg.Svc/Method", "q", 1, NULL);
        uint32_t id = raw_await(p, raw_await_request(p)->id)->id;
        raw_fields(p, id, 0, ":status", "200", "content-type", "application/grpc", "grpc-encoding", it->encoding, NULL);
        raw_send_frame(p, OY_H2_FRAME_DATA, 0, id, message.data, message.len);
        raw_status(p, id, "0", NULL);
        e2e_call_await(&call);
        if (call.code != (oyez_code)it->to_client)
            fail_msg("%s: %s %s", it->what, oyez_code_name(call.code), call.words);
        if (call.code == OYEZ_OK)
            assert_memory_equal(call.body, i == 2 ? "hiho" : "hi", call.body_len);
        e2e_call_free(&call);
        test_free(message.data);
        test_free(list[i].body.data);
    }
    oyez_channel_unref(channel);
    raw_close(p);
    close(fd);
}

/* --- what is said ------------------------------------------------------------------------------------------------------ */

static void expect_field(const raw_stream *stream, const char *name, const char *value)
{
    const char *got = raw_field(stream, name);
    if (!got != !value || (got && strcmp(got, value) != 0))
        fail_msg("%s: %s, expected %s", name, got ? got : "(none)", value ? value : "(none)");
}

/* An answer in kind, to those who take it; the server says what it takes to those who compress. */
static void what_a_server_says(void **state)
{
    static const struct {
        const char *encoding, *accept, *answer;
    } tries[] = {
        { NULL, NULL, NULL },
        { NULL, "gzip,deflate", NULL }, /* who does not compress gets no compressed answer unasked */
        { "identity", "gzip", NULL },
        { "gzip", NULL, "gzip" },
        { "gzip", "identity, deflate, gzip", "gzip" },
        { "gzip", "deflate", NULL },
        { "deflate", "deflate", "deflate" },
    };
    (void)state;
    if (!has("gzip") || !has("zstd"))
        return;
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    for (size_t i = 0; i < 3 * sizeof(tries) / sizeof(tries[0]); i++, id += 2) {
        const char *encoding = tries[i / 3].encoding, *accept = tries[i / 3].accept;
        raw_request_with(p, id, LOOP, encoding ? "grpc-encoding" : "x-none", encoding ? encoding : "",
                         accept ? "grpc-accept-encoding" : "x-none", accept ? accept : "", NULL);
        raw_message(p, id, "hi", 2, RAW_END);
        const raw_stream *stream = raw_await(p, id);
        expect_field(stream, "grpc-status", "0");
        expect_field(stream, "grpc-encoding", tries[i / 3].answer);
        expect_field(stream, "grpc-accept-encoding", encoding ? "gzip,deflate,zstd" : NULL);
        assert_int_equal(stream->body.data[0], tries[i / 3].answer != NULL);
        if (!tries[i / 3].answer)
            assert_memory_equal(stream->body.data, "\0\0\0\0\2hi", 7);
    }
    raw_close(p);
    e2e_end(server);
}

static void what_a_client_says(void **state)
{
    uint16_t port;
    (void)state;
    if (!has("gzip") || !has("zstd"))
        return;
    int fd = raw_listen(&port);
    oyez_channel *channel = e2e_channel(NULL, port);
    oyez_channel_connect(channel);
    raw_peer *p = raw_server(fd, 0);
    static const char *const names[] = { NULL, "gzip", "identity", "zstd", "gzip", NULL };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = names[i], .timeout = 20 * OYEZ_SECOND };
        const bool packs = names[i] && strcmp(names[i], "identity") != 0;
        e2e_call call;
        e2e_call_start(&call, channel, "/pkg.Svc/Method", "question", 8, &options);
        const raw_stream *stream = raw_await(p, raw_await_request(p)->id);
        expect_field(stream, "grpc-accept-encoding", "gzip,deflate,zstd");
        expect_field(stream, "grpc-encoding", packs ? names[i] : NULL);
        assert_int_equal(stream->body.data[0], packs);
        raw_answer(p, stream->id, "answer", 6);
        e2e_call_await(&call);
        e2e_expect_code(&call, OYEZ_OK);
        e2e_call_free(&call);
    }
    oyez_channel_unref(channel);
    raw_close(p);
    close(fd);
}

/* --- sent again ------------------------------------------------------------------------------------------------------ */

/* What a server has refused unseen goes out once more, as it was: compressed, and with its flag message by message. */
static void sent_again(void **state)
{
    const oyez_method chat = { OYEZ_METHOD_INIT, .path = "/pkg.Svc/Chat", .client_streaming = true,
                               .server_streaming = true };
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = "gzip", .timeout = 20 * OYEZ_SECOND };
    static const char text[] = "to be, to be, to be, to be, to be, to be, to be, to be";
    uint16_t port;
    (void)state;
    if (!has("gzip"))
        return;
    int fd = raw_listen(&port);
    oyez_channel *channel = e2e_channel(NULL, port);
    oyez_channel_connect(channel);
    raw_peer *p = raw_server(fd, 0);
    e2e_call call;
    e2e_call_start(&call, channel, "/pkg.Svc/Method", text, sizeof(text) - 1, &options);
    const raw_stream *first = raw_await(p, raw_await_request(p)->id);
    raw_rst(p, first->id, OY_H2_REFUSED_STREAM);
    const raw_stream *second = raw_await(p, raw_await_request(p)->id);
    assert_int_equal(second->body.data[0], 1);
    assert_true(second->body.len < sizeof(text));
    assert_int_equal(second->body.len, first->body.len);
    assert_memory_equal(second->body.data, first->body.data, first->body.len);
    expect_field(second, "grpc-encoding", "gzip");
    raw_answer(p, second->id, "answer", 6);
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_OK);
    e2e_call_free(&call);

    oyez_stream *stream;
    const void *message;
    oyez_slice request = OYEZ_SLICE_INIT;
    assert_ok(oyez_slice_append(&request, (oyez_buffer){ (const uint8_t *)text, sizeof(text) - 1, NULL }));
    assert_ok(oyez_stream_start(channel, &chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    assert_true(oyez_stream_send(stream, &request));
    oyez_stream_set_compress(stream, false);
    assert_true(oyez_stream_send(stream, &request));
    oyez_stream_close_send(stream);
    first = raw_await(p, raw_await_request(p)->id);
    raw_rst(p, first->id, OY_H2_REFUSED_STREAM);
    second = raw_await(p, raw_await_request(p)->id);
    assert_int_equal(second->body.len, first->body.len);
    assert_memory_equal(second->body.data, first->body.data, first->body.len);
    assert_int_equal(second->body.data[0], 1);
    const size_t plain = second->body.len - (sizeof(text) - 1) - 5;
    assert_int_equal(second->body.data[plain], 0);
    assert_memory_equal(second->body.data + plain + 5, text, sizeof(text) - 1);
    raw_answer(p, second->id, "answer", 6);
    assert_true(oyez_stream_recv(stream, &message));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    oyez_slice_fini(&request);
    oyez_channel_unref(channel);
    raw_close(p);
    close(fd);
}

OY_TEST_GROUP(e2e_compress_hostile, oy_leak_test(bombs), oy_leak_test(bombs_in_parallel), oy_leak_test(the_limit_is_exact),
              oy_leak_test(bombs_for_clients), oy_leak_test(flags_and_bytes_to_a_server),
              oy_leak_test(flags_and_bytes_to_a_client), oy_leak_test(what_a_server_says),
              oy_leak_test(what_a_client_says), oy_leak_test(sent_again));

/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed calls, both ends ours: by each compressor, by one of our own, message by message; what was chosen, what was said,
 * what stats handlers are told. */
#include <stdio.h>
#include <stdlib.h>

#include "client_support.h"
#include "features_support.h"
#include "support/leak.h"
#include "support/test.h"

static const char *const names[] = { "gzip", "deflate", "zstd" };

static bool has(const char *name)
{
    return strcmp(name, "zstd") == 0 ? oyez_zstd(0) != NULL : oyez_gzip(0) != NULL;
}

#define FOR_EACH_NAME(name)                                                                                            \
    for (size_t name##_i = 0; name##_i < 3; name##_i++)                                                                \
        for (const char *name = has(names[name##_i]) ? names[name##_i] : NULL; name; name = NULL)

/* --- what is seen --------------------------------------------------------------------------------------------------- */

static void note_payload(void *self, const char *what, const oyez_stats_payload *payload)
{
    assert_int_equal(payload->wire_length, payload->compressed_length + 5);
    if (!payload->compressed)
        assert_int_equal(payload->compressed_length, payload->length);
    features_note(self, "%s:%zu%s", what, payload->length,
                  !payload->compressed ? "" : payload->compressed_length < payload->length ? ":smaller" : ":compressed");
}

static void on_in_payload(void *self, void *tag, const oyez_stats_payload *payload)
{
    (void)tag;
    note_payload(self, "in", payload);
}

static void on_out_payload(void *self, void *tag, const oyez_stats_payload *payload)
{
    (void)tag;
    note_payload(self, "out", payload);
}

/* Tells of the request, and sets the compressor that `user` names. */
static oyez_code look(features *bench, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply)
{
    oyez_str encoding = oyez_server_call_encoding(call);
    features_note(bench, "%.*s%s", (int)encoding.len, encoding.data,
                  oyez_server_call_request_compressed(call) ? "" : "(plain)");
    if (bench->user) {
        oyez_err err = oyez_server_call_set_compressor(call, bench->user);
        if (err)
            features_note(bench, "%s", oyez_err_name(err));
    }
    return oyez_slice_append_slice(reply, request) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

#define TEXT "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc"

/* Starts with a stats handler at the client's end, which shares the log. */
static void start_seen(features *bench, const oyez_channel_options *user)
{
    static oyez_stats_handler handler;
    static const oyez_stats_handler *list[] = { &handler };
    handler = (oyez_stats_handler){ OYEZ_STATS_HANDLER_INIT, .self = bench, .in_payload = on_in_payload,
                                    .out_payload = on_out_payload };
    oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT };
    if (user)
        options = *user;
    options.stats_handlers = list;
    options.stats_handler_count = 1;
    bench->unary = look;
    features_start(bench, NULL, &options);
}

/* --- unary calls ---------------------------------------------------------------------------------------------------- */

static void expect_echo(features *bench, const oyez_method *method, const char *text, const oyez_call_options *options)
{
    for (int way = 0; way < 2; way++) {
        features_result result = way ? features_call_async(bench, method, text, options)
                                     : features_call(bench, method, text, options);
        if (result.status.code != OYEZ_OK)
            fail_msg("%s: %s", oyez_code_name(result.status.code), result.status.message);
        assert_string_equal(result.reply, text);
        oyez_status_fini(&result.status);
    }
}

/* The answer comes in kind, whoever handles the call and whoever waits for it. */
static void answers_in_kind(void **state)
{
    const oyez_method *const methods[] = { &features_unary, &features_loop_unary, &features_later };
    (void)state;
    FOR_EACH_NAME(name) {
        const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = name };
        features bench = { 0 };
        char expected[200];
        start_seen(&bench, NULL);
        (void)snprintf(expected, sizeof(expected), "out:96:smaller %s in:96:smaller out:96:smaller %s in:96:smaller ", name,
                       name);
        for (int times = 0; times < 3; times++)
            for (size_t m = 0; m < 3; m++) {
                expect_echo(&bench, methods[m], TEXT, &options);
                features_expect(&bench, expected);
            }
        features_end(&bench);
    }
}

/* Without a stats handler who waits decompresses: the other way through the code. */
static void nobody_looks(void **state)
{
    const oyez_method *const methods[] = { &features_unary, &features_loop_unary, &features_later };
    features bench = { 0 };
    (void)state;
    features_start(&bench, NULL, NULL);
    FOR_EACH_NAME(name) {
        const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = name };
        for (size_t m = 0; m < 3; m++)
            expect_echo(&bench, methods[m], TEXT, &options);
    }
    features_end(&bench);
}

/* Nothing to compress in an empty message: it goes as it is. */
static void empty_messages(void **state)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = "gzip" };
    features bench = { 0 };
    (void)state;
    if (!has("gzip"))
        return;
    start_seen(&bench, NULL);
    expect_echo(&bench, &features_unary, "", &options);
    features_expect(&bench, "out:0 gzip(plain) in:0 out:0 gzip(plain) in:0 ");
    features_end(&bench);
}

static void plain_calls_stay_plain(void **state)
{
    features bench = { 0 };
    (void)state;
    start_seen(&bench, NULL);
    expect_echo(&bench, &features_unary, TEXT, NULL);
    features_expect(&bench, "out:96 (plain) in:96 out:96 (plain) in:96 ");
    features_end(&bench);
}

/* What a channel says for all its calls, and what a call says against it. */
static void defaults_of_a_channel(void **state)
{
    const oyez_call_options of_all = { OYEZ_CALL_OPTIONS_INIT, .compressor = "gzip" };
    const oyez_call_options plain = { OYEZ_CALL_OPTIONS_INIT, .compressor = "identity" };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .call_options = &of_all };
    features bench = { 0 };
    (void)state;
    if (!has("gzip"))
        return;
    start_seen(&bench, &options);
    expect_echo(&bench, &features_unary, TEXT, NULL);
    features_expect(&bench, "out:96:smaller gzip in:96:smaller out:96:smaller gzip in:96:smaller ");
    expect_echo(&bench, &features_unary, TEXT, &plain);
    features_expect(&bench, "out:96 (plain) in:96 out:96 (plain) in:96 ");
    features_end(&bench);
}

/* The handler chooses: another one, none, or one that is not to be had. */
static void the_handler_chooses(void **state)
{
    const oyez_call_options gzip = { OYEZ_CALL_OPTIONS_INIT, .compressor = "gzip" };
    features bench = { 0 };
    (void)state;
    if (!has("gzip"))
        return;
    bench.user = (void *)(uintptr_t)"deflate";
    start_seen(&bench, NULL);
    features_expect_end(features_call(&bench, &features_unary, TEXT, NULL), OYEZ_OK, "");
    features_expect(&bench, "out:96 (plain) in:96:smaller ");
    features_expect_end(features_call(&bench, &features_unary, TEXT, &gzip), OYEZ_OK, "");
    features_expect(&bench, "out:96:smaller gzip in:96:smaller ");
    bench.user = (void *)(uintptr_t)"identity";
    features_expect_end(features_call(&bench, &features_unary, TEXT, &gzip), OYEZ_OK, "");
    features_expect(&bench, "out:96:smaller gzip in:96 ");
    bench.user = (void *)(uintptr_t)"zzz";
    features_expect_end(features_call(&bench, &features_unary, TEXT, &gzip), OYEZ_OK, "");
    features_expect(&bench, "out:96:smaller gzip OYEZ_ENOENT in:96:smaller ");
    features_end(&bench);
}

/* A client that takes gzip alone gets nothing else. */
static void the_client_does_not_take_it(void **state)
{
    const oyez_compressor *const mine[] = { oyez_gzip(1) };
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .compressors = mine, .compressor_count = 1 };
    features bench = { 0 };
    (void)state;
    if (!has("gzip"))
        return;
    bench.user = (void *)(uintptr_t)"deflate";
    start_seen(&bench, &options);
    features_expect_end(features_call(&bench, &features_unary, TEXT, NULL), OYEZ_OK, "");
    features_expect(&bench, "out:96 (plain) OYEZ_EUNSUPPORTED in:96 ");
    bench.user = (void *)(uintptr_t)"gzip";
    features_expect_end(features_call(&bench, &features_unary, TEXT, NULL), OYEZ_OK, "");
    features_expect(&bench, "out:96 (plain) in:96:smaller ");
    features_end(&bench);
}

/* --- what cannot be ------------------------------------------------------------------------------------------------- */

static void unknown_to_the_client(void **state)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = "zzz" };
    const oyez_channel_options channel = { OYEZ_CHANNEL_OPTIONS_INIT, .call_options = &options };
    oyez_channel *none = NULL;
    features bench = { 0 };
    (void)state;
    features_start(&bench, NULL, NULL);
    features_expect_end(features_call(&bench, &features_unary, TEXT, &options), OYEZ_INTERNAL,
                        "Compressor is not installed for requested grpc-encoding \"zzz\"");
    features_expect_end(features_call_async(&bench, &features_unary, TEXT, &options), OYEZ_INTERNAL, "\"zzz\"");
    assert_int_equal(atomic_load(&bench.handled), 0);
    char words[200] = "";
    oyez_channel_options wrong = channel;
    wrong.words = words;
    wrong.words_bytes = sizeof(words);
    wrong.runtime = bench.runtime;
    assert_err(oyez_channel_new(bench.target, oyez_insecure(), &wrong, &none), OYEZ_EINVAL);
    assert_non_null(strstr(words, "compressor"));
    features_end(&bench);
}

static void unknown_to_the_server(void **state)
{
    const oyez_compressor *const nothing[] = { oyez_identity() };
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .compressors = nothing, .compressor_count = 1 };
    const oyez_call_options gzip = { OYEZ_CALL_OPTIONS_INIT, .compressor = "gzip" };
    features bench = { 0 };
    (void)state;
    if (!has("gzip"))
        return;
    features_start(&bench, &options, NULL);
    features_expect_end(features_call(&bench, &features_unary, TEXT, &gzip), OYEZ_UNIMPLEMENTED,
                        "Decompressor is not installed for grpc-encoding \"gzip\"");
    assert_int_equal(atomic_load(&bench.handled), 0);
    features_expect_end(features_call(&bench, &features_unary, TEXT, NULL), OYEZ_OK, "");
    features_end(&bench);
}

/* --- limits --------------------------------------------------------------------------------------------------------- */

/* 60,000 zero bytes are little on the wire; what counts is what becomes of them. */
static void limits_count_decompressed(void **state)
{
    static uint8_t zeros[60000];
    const oyez_server_options server = { OYEZ_SERVER_OPTIONS_INIT, .max_receive_bytes = 60000 };
    features bench = { 0 };
    (void)state;
    features_start(&bench, &server, NULL);
    FOR_EACH_NAME(name) {
        const size_t limits[] = { 60000, 59999 };
        for (size_t i = 0; i < 4; i++) {
            const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = name,
                                                .max_receive_bytes = limits[i % 2] };
            oyez_slice request = OYEZ_SLICE_INIT;
            oyez_status status = OYEZ_STATUS_INIT;
            void *reply = NULL;
            assert_ok(oyez_slice_append(&request, (oyez_buffer){ zeros, sizeof(zeros), NULL }));
            oyez_code code = oyez_unary_call(bench.channel, i < 2 ? &features_unary : &features_loop_unary, NULL, &options,
                                             &request, &reply, &status);
            assert_int_equal(code, i % 2 ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK);
            if (i % 2)
                assert_string_equal(status.message, "received message after decompression larger than max 59999 bytes");
            oyez_bytes_free(reply);
            oyez_slice_fini(&request);
            oyez_status_fini(&status);
        }
    }
    features_end(&bench);
}

/* A limit of what is sent is about what travels. */
static void send_limit_counts_compressed(void **state)
{
    static char text[256];
    oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = "gzip", .max_send_bytes = 100 };
    features bench = { 0 };
    (void)state;
    if (!has("gzip"))
        return;
    memset(text, 'x', 255);
    features_start(&bench, NULL, NULL);
    expect_echo(&bench, &features_unary, text, &options);
    options.max_send_bytes = 10;
    features_expect_end(features_call(&bench, &features_unary, text, &options), OYEZ_RESOURCE_EXHAUSTED,
                        "trying to send message larger than max (");
    features_end(&bench);
}

/* --- streams -------------------------------------------------------------------------------------------------------- */

/* Answers each message with itself and says whether it came compressed; compresses every other one. */
static oyez_code chat(features *bench, oyez_server_call *call, oyez_stream *stream)
{
    const void *message;
    bool compress = true;
    if (bench->user && oyez_server_call_set_compressor(call, bench->user))
        return OYEZ_INTERNAL;
    while (oyez_stream_recv(stream, &message)) {
        features_note(bench, "%s", oyez_stream_received_compressed(stream) ? "packed" : "plain");
        oyez_stream_set_compress(stream, compress);
        compress = !compress;
        if (!oyez_stream_send(stream, message))
            return OYEZ_CANCELLED;
    }
    return OYEZ_OK;
}

static void messages_differ(void **state)
{
    (void)state;
    FOR_EACH_NAME(name) {
        const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = name, .timeout = 60 * OYEZ_SECOND };
        features bench = { .chat = chat };
        oyez_stream *stream;
        features_start(&bench, NULL, NULL);
        assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
        for (int i = 0; i < 6; i++) {
            char text[256];
            oyez_stream_set_compress(stream, i < 3);
            assert_true(features_send(stream, i == 2 ? "" : TEXT));
            assert_true(features_recv(stream, text));
            assert_string_equal(text, i == 2 ? "" : TEXT);
            assert_int_equal(oyez_stream_received_compressed(stream), i == 0 || i == 4);
            oyez_str encoding = oyez_stream_encoding(stream);
            assert_int_equal(encoding.len, strlen(name));
            assert_memory_equal(encoding.data, name, encoding.len);
        }
        assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
        features_expect(&bench, "packed packed plain plain plain plain ");
        features_end(&bench);
    }
}

/* A stream that the handler alone compresses. */
static void the_server_alone(void **state)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 60 * OYEZ_SECOND };
    features bench = { .chat = chat, .user = (void *)(uintptr_t)"gzip" };
    oyez_stream *stream;
    char text[256];
    (void)state;
    if (!has("gzip"))
        return;
    features_start(&bench, NULL, NULL);
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    assert_true(features_send(stream, TEXT) && features_recv(stream, text));
    assert_string_equal(text, TEXT);
    assert_true(oyez_stream_received_compressed(stream));
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    features_expect(&bench, "plain ");
    features_end(&bench);
}

/* Stats handlers at both ends of a stream hear of both lengths. */
static void streams_are_seen(void **state)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = "gzip", .timeout = 60 * OYEZ_SECOND };
    features bench = { .chat = chat };
    const oyez_stats_handler handler = { OYEZ_STATS_HANDLER_INIT, .self = &bench, .in_payload = on_in_payload,
                                         .out_payload = on_out_payload };
    const oyez_stats_handler *const list[] = { &handler };
    const oyez_server_options server = { OYEZ_SERVER_OPTIONS_INIT, .stats_handlers = list, .stats_handler_count = 1 };
    oyez_stream *stream;
    char text[256];
    (void)state;
    if (!has("gzip"))
        return;
    features_start(&bench, &server, NULL);
    assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
    for (int i = 0; i < 2; i++) {
        assert_true(features_send(stream, TEXT) && features_recv(stream, text));
        assert_string_equal(text, TEXT);
    }
    assert_int_equal(oyez_stream_finish(stream, NULL), OYEZ_OK);
    features_expect(&bench, "in:96:smaller packed out:96:smaller in:96:smaller packed out:96 ");
    features_end(&bench);
}

/* A message that would grow beyond the limit ends a stream, at either end. */
static void streams_have_limits(void **state)
{
    static uint8_t zeros[100000];
    const oyez_server_options server = { OYEZ_SERVER_OPTIONS_INIT, .max_receive_bytes = 99999 };
    (void)state;
    FOR_EACH_NAME(name) {
        const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = name, .timeout = 60 * OYEZ_SECOND,
                                            .max_receive_bytes = 1000 };
        for (size_t len = 1001; len <= 100000; len += 98999) {
            oyez_slice request = OYEZ_SLICE_INIT;
            oyez_status status = OYEZ_STATUS_INIT;
            features bench = { 0 };
            const void *message;
            oyez_stream *stream;
            features_start(&bench, &server, NULL);
            assert_ok(oyez_stream_start(bench.channel, &features_chat, NULL, &options, NULL, NULL, NULL, NULL, &stream));
            assert_ok(oyez_slice_append(&request, (oyez_buffer){ zeros, len, NULL }));
            assert_true(oyez_stream_send(stream, &request));
            assert_false(oyez_stream_recv(stream, &message));
            assert_int_equal(oyez_stream_finish(stream, &status), OYEZ_RESOURCE_EXHAUSTED);
            assert_string_equal(status.message, len == 1001
                                                    ? "received message after decompression larger than max 1000 bytes"
                                                    : "received message after decompression larger than max 99999 bytes");
            oyez_status_fini(&status);
            oyez_slice_fini(&request);
            features_end(&bench);
        }
    }
}

/* --- one of our own --------------------------------------------------------------------------------------------------- */

/* Bytes with one bit turned around: no shorter, but told apart. `self` says how often it worked. */
static oyez_err turn(void *self, void *state, const oyez_slice *message, oyez_writer *writer)
{
    (void)state;
    atomic_fetch_add((_Atomic(int) *)self, 1);
    for (uint32_t i = 0; i < message->count; i++)
        for (size_t k = 0; k < oyez_slice_items(message)[i].len; k++) {
            uint8_t byte = oyez_slice_items(message)[i].data[k] ^ 0x80;
            oyez_err err = oyez_writer_write(writer, &byte, 1);
            if (err)
                return err;
        }
    return OYEZ_NO_ERR;
}

static oyez_err turn_open(void *self, bool decompresses, void **ret_state)
{
    (void)self;
    (void)decompresses;
    *ret_state = calloc(1, sizeof(oyez_reader));
    return *ret_state ? OYEZ_NO_ERR : OYEZ_ENOMEM;
}

static void turn_close(void *self, bool decompresses, void *state)
{
    (void)self;
    (void)decompresses;
    oyez_reader_fini(state);
    free(state);
}

static oyez_err turn_read(void *state, void *dst, size_t cap, size_t *ret_len)
{
    oyez_err err = oyez_reader_read(state, dst, cap, ret_len);
    for (size_t i = 0; i < *ret_len; i++)
        ((uint8_t *)dst)[i] ^= 0x80;
    return err;
}

static oyez_err turn_back(void *self, void *state, const oyez_slice *message, oyez_source *ret_source)
{
    atomic_fetch_add((_Atomic(int) *)self, 1);
    oyez_reader_fini(state);
    *ret_source = (oyez_source){ turn_read, state };
    return oyez_reader_init(state, message);
}

static void one_of_our_own(void **state)
{
    static _Atomic(int) worked;
    const oyez_compressor own = { OYEZ_COMPRESSOR_INIT, .name = "turn", .self = (void *)(uintptr_t)&worked,
                                  .open = turn_open, .close = turn_close, .compress = turn, .decompress = turn_back };
    const oyez_compressor *const list[] = { NULL, &own, oyez_identity() };
    const oyez_channel_options channel = { OYEZ_CHANNEL_OPTIONS_INIT, .compressors = list, .compressor_count = 3 };
    const oyez_server_options server = { OYEZ_SERVER_OPTIONS_INIT, .compressors = list, .compressor_count = 3 };
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .compressor = "turn" };
    features bench = { 0 };
    (void)state;
    atomic_store(&worked, 0);
    features_start(&bench, &server, &channel);
    expect_echo(&bench, &features_unary, TEXT, &options);
    assert_int_equal(atomic_load(&worked), 8); /* twice there and back */
    const oyez_call_options gzip = { OYEZ_CALL_OPTIONS_INIT, .compressor = "gzip" };
    features_expect_end(features_call(&bench, &features_unary, TEXT, &gzip), OYEZ_INTERNAL, "\"gzip\"");
    features_end(&bench);
}

OY_TEST_GROUP(e2e_compress, oy_leak_test(answers_in_kind), oy_leak_test(nobody_looks), oy_leak_test(empty_messages),
              oy_leak_test(plain_calls_stay_plain), oy_leak_test(defaults_of_a_channel), oy_leak_test(the_handler_chooses),
              oy_leak_test(the_client_does_not_take_it), oy_leak_test(unknown_to_the_client),
              oy_leak_test(unknown_to_the_server), oy_leak_test(limits_count_decompressed),
              oy_leak_test(send_limit_counts_compressed), oy_leak_test(messages_differ), oy_leak_test(the_server_alone),
              oy_leak_test(streams_are_seen), oy_leak_test(streams_have_limits), oy_leak_test(one_of_our_own));

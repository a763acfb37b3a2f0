/* SPDX-License-Identifier: Apache-2.0 */
/* Requests whose bytes lie: length prefixes (B22), compressed flags and grpc-encoding (B20, without a codec that
 * compresses). */
#include "e2e_server.h"
#include "support/leak.h"
#include "support/test.h"

#include <stdlib.h>

#define MIB ((size_t)1024 * 1024)
#define ECHO "/pkg.Loop/Echo"

static bool data(raw_peer *p, uint32_t id, const void *bytes, size_t len, uint32_t flags)
{
    return raw_send_frame(p, OY_H2_FRAME_DATA, flags, id, bytes, len);
}

/* --- B22: the prefix --------------------------------------------------------------------------------------------- */

static void a_huge_prefix_is_refused_before_its_bytes(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    uint32_t id = 1;
    (void)state;
    for (; id < 2001; id += 2) {
        raw_request(p, id, ECHO);
        data(p, id, "\x00\xff\xff\xff\xff", 5, 0);
    }
    for (uint32_t i = 1; i < id; i += 2) {
        const char *words = raw_expect_status(p, i, OYEZ_RESOURCE_EXHAUSTED);
        e2e_expect_words(words, "received message larger than max (4294967295 vs. 4194304 bytes)");
        raw_expect_reset(p, i, OY_H2_NO_ERROR); /* stop sending */
    }
    e2e_expect_bounded(&before, 16 * MIB);
    e2e_expect_serves_on(p, id);
    raw_close(p);
    e2e_end(server);
}

/* The limit itself, and one more. */
static void the_limit_is_exact(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .max_receive_bytes = 16384 };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    static const uint8_t body[16385];
    (void)state;
    raw_call(p, 1, ECHO, body, 16384);
    raw_expect_ok(p, 1, body, 16384);
    raw_call(p, 3, ECHO, body, 16385); /* 00 00 00 40 01 */
    e2e_expect_words(raw_expect_status(p, 3, OYEZ_RESOURCE_EXHAUSTED), "(16385 vs. 16384 bytes)");
    e2e_expect_serves_on(p, 5);
    raw_close(p);
    e2e_end(server);
}

static void a_message_that_is_cut_short_is_an_error(void **state)
{
    static const struct {
        const char *what, *bytes;
        size_t len;
    } tries[] = {
        { "five promised, two came", "\0\0\0\0\5ab", 7 },
        { "the end within the prefix", "\0\0\0", 3 },
        { "only the flag", "\0", 1 },
        { "the prefix alone", "\0\0\0\0\1", 5 },
        { "a second message that is cut", "\0\0\0\0\1a\0\0\0\0\1", 11 },
    };
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    (void)state;
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++, id += 2) {
        raw_request(p, id, ECHO);
        data(p, id, tries[i].bytes, tries[i].len, RAW_END);
        (void)raw_expect_status(p, id, OYEZ_INTERNAL);
    }
    assert_int_equal(server->handled, 0);
    e2e_expect_serves_on(p, id);
    raw_close(p);
    e2e_end(server);
}

/* However the bytes are cut into frames, the message is the same. */
static void cuts_do_not_matter(void **state)
{
    static const char message[] = "\0\0\0\0\12abcdefghij";
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    (void)state;
    for (size_t part = 1; part <= 15; part++, id += 2) {
        raw_request(p, id, part % 2 ? ECHO : "/pkg.Svc/Echo");
        for (size_t at = 0; at < 15; at += part)
            data(p, id, message + at, 15 - at < part ? 15 - at : part, 0);
        data(p, id, "", 0, RAW_END);
        raw_expect_ok(p, id, "abcdefghij", 10);
    }
    /* A byte a frame, padded, and each frame written byte by byte. */
    raw_request(p, id, ECHO);
    for (size_t at = 0; at < 15; at++) {
        const uint8_t frame[] = { 0, 0, 5, 0, 8, 0, 0, (uint8_t)(id >> 8), (uint8_t)id,
                                  3, (uint8_t)message[at], 0, 0, 0 };
        for (size_t i = 0; i < sizeof(frame); i++)
            raw_send(p, frame + i, 1);
    }
    data(p, id, "", 0, RAW_END);
    raw_expect_ok(p, id, "abcdefghij", 10);
    raw_close(p);
    e2e_end(server);
}

static void an_empty_message_is_a_message(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_call(p, 1, ECHO, "", 0);
    raw_expect_ok(p, 1, "", 0);
    raw_call(p, 3, "/pkg.Svc/Echo", "", 0);
    raw_expect_ok(p, 3, "", 0);
    raw_request(p, 5, ECHO);
    data(p, 5, "\0\0\0\0\0", 5, 0);
    data(p, 5, "", 0, RAW_END);
    raw_expect_ok(p, 5, "", 0);
    raw_close(p);
    e2e_end(server);
}

/* A unary method takes exactly one message. */
static void no_message_or_too_many(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    static const char *const paths[] = { ECHO, "/pkg.Svc/Echo" };
    uint32_t id = 1;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        raw_request(p, id, paths[i]);
        data(p, id, "", 0, RAW_END);
        e2e_expect_words(raw_expect_status(p, id, OYEZ_UNIMPLEMENTED), "cardinality violation");
        id += 2;
        raw_fields(p, id, RAW_END, ":method", "POST", ":scheme", "http", ":path", paths[i], "content-type",
                   "application/grpc", NULL);
        e2e_expect_words(raw_expect_status(p, id, OYEZ_UNIMPLEMENTED), "cardinality violation");
        id += 2;
        raw_request(p, id, paths[i]);
        data(p, id, "\0\0\0\0\1a\0\0\0\0\1b", 12, RAW_END); /* in one frame */
        e2e_expect_words(raw_expect_status(p, id, OYEZ_UNIMPLEMENTED), "cardinality violation");
        id += 2;
        raw_request(p, id, paths[i]);
        raw_message(p, id, "a", 1, 0);
        raw_message(p, id, "b", 1, 0);
        raw_message(p, id, "c", 1, RAW_END);
        e2e_expect_words(raw_expect_status(p, id, OYEZ_UNIMPLEMENTED), "cardinality violation");
        id += 2;
    }
    assert_int_equal(server->handled, 0);
    e2e_expect_serves_on(p, id);
    raw_close(p);
    e2e_end(server);
}

/* A hundred thousand empty messages for a method that takes one: five bytes each, refused with the second. */
static void a_flood_of_empty_messages(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    e2e_memory before = e2e_memory_now();
    static const uint8_t messages[16380];
    (void)state;
    raw_request(p, 1, ECHO);
    for (unsigned i = 0; i < 31; i++)
        data(p, 1, messages, sizeof(messages), i == 30 ? RAW_END : 0);
    (void)raw_expect_status(p, 1, OYEZ_UNIMPLEMENTED);
    e2e_expect_bounded(&before, MIB);
    e2e_expect_serves_on(p, 3);
    raw_close(p);
    e2e_end(server);
}

/* Large messages come through windows that are smaller than they are, in either kind of handler. */
static void a_message_larger_than_the_window(void **state)
{
    const oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT, .stream_window_bytes = 65535,
                                          .connection_window_bytes = 65535, .fixed_windows = true };
    e2e_server *server = e2e_serve(&options);
    raw_peer *p = raw_client(server->port);
    uint8_t *body = test_malloc(MIB);
    (void)state;
    for (size_t i = 0; i < MIB; i++)
        body[i] = (uint8_t)(i * 7);
    for (uint32_t id = 1; id <= 3; id += 2) {
        raw_request(p, id, id == 1 ? ECHO : "/pkg.Svc/Echo");
        raw_upload(p, id, body, MIB, RAW_END, 10000);
        raw_expect_ok(p, id, body, MIB);
    }
    test_free(body);
    raw_close(p);
    e2e_end(server);
}

/* --- B20: compressed flag and grpc-encoding ---------------------------------------------------------------------- */

static void try_encoding(e2e_server *server, const char *path)
{
    static const struct {
        const char *encoding; /* NULL: no field */
        const char *bytes;
        size_t len;
        int status;
    } tries[] = {
        { NULL, "\1\0\0\0\2hi", 7, OYEZ_INTERNAL },          /* compressed, and nobody says how */
        { "identity", "\1\0\0\0\2hi", 7, OYEZ_INTERNAL },
        { "", "\1\0\0\0\2hi", 7, OYEZ_INTERNAL },
        { "zzz", "\1\0\0\0\2hi", 7, OYEZ_UNIMPLEMENTED },
        { "zzz", "\0\0\0\0\2hi", 7, OYEZ_UNIMPLEMENTED },
        { "zzz", "", 0, OYEZ_UNIMPLEMENTED },
        { NULL, "\2\0\0\0\2hi", 7, OYEZ_INTERNAL },          /* a flag that is none */
        { "identity", "\xff\0\0\0\2hi", 7, OYEZ_INTERNAL },
        { "identity", "\0\0\0\0\2hi", 7, OYEZ_OK },
        { NULL, "\0\0\0\0\2hi", 7, OYEZ_OK },
        { "", "\0\0\0\0\2hi", 7, OYEZ_OK },
    };
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++, id += 2) {
        if (tries[i].encoding)
            raw_request_with(p, id, path, "grpc-encoding", tries[i].encoding, NULL);
        else
            raw_request(p, id, path);
        data(p, id, tries[i].bytes, tries[i].len, RAW_END);
        const raw_stream *stream = raw_await(p, id);
        const char *status = raw_field(stream, "grpc-status");
        if (!stream->ended || !status || (int)strtol(status, NULL, 10) != tries[i].status)
            fail_msg("%zu: %s", i, raw_outcome(stream));
        if (tries[i].status == OYEZ_UNIMPLEMENTED) {
            const char *accepted = raw_field(stream, "grpc-accept-encoding");
            assert_non_null(accepted);
            assert_non_null(strstr(accepted, oyez_features() & OYEZ_FEATURE_ZLIB ? "gzip" : "identity"));
        }
    }
    e2e_expect_serves_on(p, id);
    raw_close(p);
}

static void flags_and_encodings(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    (void)state;
    try_encoding(server, ECHO);
    try_encoding(server, "/pkg.Svc/Echo");
    e2e_end(server);
}

OY_TEST_GROUP(e2e_hostile_message, oy_leak_test(a_huge_prefix_is_refused_before_its_bytes),
              oy_leak_test(the_limit_is_exact), oy_leak_test(a_message_that_is_cut_short_is_an_error),
              oy_leak_test(cuts_do_not_matter), oy_leak_test(an_empty_message_is_a_message),
              oy_leak_test(no_message_or_too_many), oy_leak_test(a_flood_of_empty_messages),
              oy_leak_test(a_message_larger_than_the_window), oy_leak_test(flags_and_encodings));

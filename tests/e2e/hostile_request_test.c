/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that are not quite requests: paths that look like others (B01), pseudo-headers, te and content-type of all
 * sorts (B09). */
#include "e2e_server.h"
#include "support/leak.h"
#include "support/test.h"

#include <stdio.h>

/* --- B01: paths -------------------------------------------------------------------------------------------------- */

static const char *const crooked_paths[] = {
    "pkg.Svc/Secret",     "//pkg.Svc/Secret",   "/pkg.Svc/Secret/",   "/pkg.Svc//Secret", "/pkg.Svc/Secret?x",
    "/pkg.Svc%2FSecret",  "*",                  "/",                  "/pkg.Svc/",        "//",
    "/pkg.Svc",           "/pkg.Svc/Secret#a",  "/pkg.Svc/./Secret",  "/PKG.Svc/Secret",  "/pkg.Svc/secret",
    "/pkg.Svc/Secret ",   " /pkg.Svc/Secret",   "/pkg.Svc/Secret%00", "http://localhost/pkg.Svc/Secret",
};

static void crooked_paths_reach_no_handler(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    (void)state;
    for (size_t i = 0; i < sizeof(crooked_paths) / sizeof(crooked_paths[0]); i++, id += 2) {
        raw_call(p, id, crooked_paths[i], "", 0);
        const char *words = raw_expect_status(p, id, OYEZ_UNIMPLEMENTED);
        if (!strstr(words, "malformed method name") && !strstr(words, "unknown"))
            fail_msg("%s: %s", crooked_paths[i], words);
    }
    assert_int_equal(server->handled, 0);
    assert_int_equal(server->begun, 0);
    e2e_expect_serves_on(p, id);
    raw_close(p);
    e2e_end(server);
}

/* With a handler for all that is unknown, dispatch must not become more generous: what the interceptor sees is what is
 * dispatched, and a crooked path is still no path. */
static void crooked_paths_reach_no_unknown_handler(void **state)
{
    e2e_server *server = e2e_serve_unknown(NULL);
    raw_peer *p = raw_client(server->port);
    static const char *const malformed[] = { "pkg.Svc/Secret",    "//pkg.Svc/Secret", "/pkg.Svc/Secret/",
                                             "/pkg.Svc//Secret",  "/pkg.Svc%2FSecret", "*",
                                             "/",                 "/pkg.Svc/" };
    uint32_t id = 1;
    char seen[256];
    (void)state;
    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++, id += 2) {
        raw_call(p, id, malformed[i], "", 0);
        e2e_expect_words(raw_expect_status(p, id, OYEZ_UNIMPLEMENTED), "malformed method name");
    }
    assert_int_equal(server->handled, 0);
    assert_int_equal(server->begun, 0);

    raw_call(p, id, "/pkg.Svc/Secret?x", "a", 1);
    raw_expect_ok(p, id, "a", 1);
    e2e_seen_path(server, seen);
    assert_string_equal(seen, "/pkg.Svc/Secret?x");
    raw_close(p);
    e2e_end(server);
}

static void the_straight_path_is_denied(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    char seen[256];
    (void)state;
    /* as a literal, then again so that it would come from a table */
    for (uint32_t id = 1; id <= 5; id += 2) {
        raw_call(p, id, "/pkg.Svc/Secret", "x", 1);
        assert_string_equal(raw_expect_status(p, id, OYEZ_PERMISSION_DENIED), "not for you");
    }
    e2e_seen_path(server, seen);
    assert_string_equal(seen, "/pkg.Svc/Secret");
    assert_int_equal(server->denied, 3);
    assert_int_equal(server->ended, 3);
    assert_int_equal(server->handled, 0);
    raw_close(p);
    e2e_end(server);
}

/* The table of the connection remembers what a path means; it must not remember it for another one. */
static void a_remembered_path_means_itself_alone(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    static const char *const paths[] = { "/pkg.Svc/Echo", "/pkg.Svc/Secret", "/pkg.Svc/Secret/", "/pkg.Loop/None" };
    static const int expected[] = { OYEZ_OK, OYEZ_PERMISSION_DENIED, OYEZ_UNIMPLEMENTED, OYEZ_UNIMPLEMENTED };
    uint32_t id = 1;
    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 4; i++, id += 2) {
            h2_bytes block = { 0 };
            uint8_t head[2] = { 0x44, (uint8_t)strlen(paths[i]) }; /* :path, literal with indexing */
            if (round == 0) {
                h2_bytes_add(&block, "\x83\x86", 2);
                h2_bytes_add(&block, head, 2);
                h2_bytes_add(&block, paths[i], strlen(paths[i]));
            } else {
                head[0] = (uint8_t)(0x80 + 62 + (3 - i)); /* the youngest entry is 62 */
                h2_bytes_add(&block, "\x83\x86", 2);
                h2_bytes_add(&block, head, 1);
            }
            h2_bytes_add(&block, "\x0f\x10\x10" "application/grpc", 19);
            raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS, id, block.data, block.len);
            h2_bytes_free(&block);
            raw_message(p, id, "", 0, RAW_END);
            (void)raw_expect_status(p, id, expected[i]);
        }
    }
    assert_int_equal(server->handled, 3);
    assert_int_equal(server->denied, 3);
    raw_close(p);
    e2e_end(server);
}

static void no_path_at_all_is_a_malformed_request(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_fields(p, 1, RAW_END, ":method", "POST", ":scheme", "http", ":authority", "localhost", "content-type",
               "application/grpc", "te", "trailers", NULL);
    raw_expect_reset(p, 1, OY_H2_PROTOCOL_ERROR);
    raw_request(p, 3, "");
    raw_expect_reset(p, 3, OY_H2_PROTOCOL_ERROR);
    assert_int_equal(server->handled, 0);
    e2e_expect_serves_on(p, 5);
    raw_close(p);
    e2e_end(server);
}

/* --- B09: everything else in the header block -------------------------------------------------------------------- */

typedef struct odd_request {
    const char *what;
    const char *method, *scheme, *path; /* NULL: left out */
    const char *extra[6];               /* fields behind the pseudo-headers */
    const char *outcome;                /* begins so */
} odd_request;

#define PATH "/pkg.Loop/Echo"
#define GRPC "content-type", "application/grpc"

static const odd_request odd_requests[] = {
    { "the usual one", "POST", "http", PATH, { GRPC, "te", "trailers" }, "0 " },
    { "no te", "POST", "http", PATH, { GRPC }, "0 " },
    { "te: x", "POST", "http", PATH, { GRPC, "te", "x" }, "reset PROTOCOL_ERROR" },
    { ":scheme: ftp", "POST", "ftp", PATH, { GRPC, "te", "trailers" }, "0 " },
    { ":scheme: https", "POST", "https", PATH, { GRPC, "te", "trailers" }, "0 " },
    { "no scheme", "POST", NULL, PATH, { GRPC }, "reset PROTOCOL_ERROR" },
    { "two paths", "POST", "http", PATH, { ":path", PATH, GRPC }, "reset PROTOCOL_ERROR" },
    { "a path behind a field", "POST", "http", NULL, { GRPC, ":path", PATH }, "reset PROTOCOL_ERROR" },
    { "upper case", "POST", "http", PATH, { GRPC, "Te", "trailers" }, "reset PROTOCOL_ERROR" },
    { "connection", "POST", "http", PATH, { GRPC, "connection", "close" }, "reset PROTOCOL_ERROR" },
    { "a NUL in a name", "POST", "http", PATH, { GRPC, "a\x01", "b" }, "reset PROTOCOL_ERROR" },
    { "a line end in a value", "POST", "http", PATH, { GRPC, "a", "b\r\nc" }, "reset PROTOCOL_ERROR" },
    { "an unknown pseudo-header", "POST", "http", PATH, { ":color", "red", GRPC }, "reset PROTOCOL_ERROR" },
    { ":status in a request", "POST", "http", PATH, { ":status", "200", GRPC }, "reset PROTOCOL_ERROR" },
    { "GET", "GET", "http", PATH, { GRPC, "te", "trailers" }, "http 405 13" },
    { "no method", NULL, "http", PATH, { GRPC }, "reset PROTOCOL_ERROR" },
    { "CONNECT", "CONNECT", "http", PATH, { GRPC }, "reset PROTOCOL_ERROR" },
    { "text/plain", "POST", "http", PATH, { "content-type", "text/plain" }, "http 415 3" },
    { "a parameter", "POST", "http", PATH, { "content-type", "application/grpc;v=1" }, "0 " },
    { "a subtype", "POST", "http", PATH, { "content-type", "application/grpc+proto" }, "0 " },
    { "a longer word", "POST", "http", PATH, { "content-type", "application/grpcfoo" }, "http 415 3" },
    { "grpc-web", "POST", "http", PATH, { "content-type", "application/grpc-web" }, "http 415 3" },
    { "capitals", "POST", "http", PATH, { "content-type", "APPLICATION/GRPC" }, "http 415 3" },
    { "an empty content-type", "POST", "http", PATH, { "content-type", "" }, "http 415 3" },
    { "no content-type", "POST", "http", PATH, { "te", "trailers" }, "http 415 3" },
    { "two hosts", "POST", "http", PATH, { "host", "a", "host", "b", GRPC }, "0 " },
    { "content-length too small", "POST", "http", PATH, { GRPC, "content-length", "1" }, "reset PROTOCOL_ERROR" },
    { "content-length that is none", "POST", "http", PATH, { GRPC, "content-length", "x" }, "reset PROTOCOL_ERROR" },
    { "the right content-length", "POST", "http", PATH, { GRPC, "content-length", "7" }, "0 " },
};

static void send_odd(raw_peer *p, uint32_t id, const odd_request *odd, size_t filler)
{
    h2_bytes block = { 0 };
    char *text = test_malloc(filler + 1);
    memset(text, 'f', filler);
    text[filler] = '\0';
    if (odd->method)
        h2_put_field(&block, ":method", odd->method);
    if (odd->scheme)
        h2_put_field(&block, ":scheme", odd->scheme);
    if (odd->path)
        h2_put_field(&block, ":path", odd->path);
    h2_put_field(&block, ":authority", "localhost");
    for (size_t i = 0; i + 1 < 6 && odd->extra[i]; i += 2)
        h2_put_field(&block, odd->extra[i], odd->extra[i + 1]);
    if (filler)
        h2_put_field(&block, "filler", text);
    raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS, id, block.data, block.len);
    raw_message(p, id, "hi", 2, RAW_END);
    h2_bytes_free(&block);
    test_free(text);
}

static void try_odd_requests(size_t filler)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    for (size_t i = 0; i < sizeof(odd_requests) / sizeof(odd_requests[0]); i++, id += 2) {
        const odd_request *odd = &odd_requests[i];
        send_odd(p, id, odd, filler);
        const char *outcome = raw_outcome(raw_await(p, id));
        if (strncmp(outcome, odd->outcome, strlen(odd->outcome)) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", odd->what, outcome, odd->outcome);
    }
    e2e_expect_serves_on(p, id);
    raw_close(p);
    e2e_expect_serves(server);
    e2e_end(server);
}

static void odd_requests_end_cleanly(void **state)
{
    (void)state;
    try_odd_requests(0);
}

static void odd_requests_with_nine_kilobytes_more_end_cleanly(void **state)
{
    (void)state;
    try_odd_requests(9 * 1024);
}

static void two_authorities_are_refused(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_fields(p, 1, RAW_END, ":method", "POST", ":scheme", "http", ":path", PATH, ":authority", "a", ":authority", "b",
               GRPC, NULL);
    raw_expect_reset(p, 1, OY_H2_PROTOCOL_ERROR);
    raw_fields(p, 3, RAW_END, ":method", "POST", ":scheme", "http", ":path", PATH, "host", "a", "host", "b", GRPC, NULL);
    raw_expect_http(p, 3, "400", OYEZ_INTERNAL);
    raw_close(p);
    e2e_end(server);
}

/* The answer names the content-type that was asked in, subtype and all. */
static void the_subtype_is_echoed(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_fields(p, 1, 0, ":method", "POST", ":scheme", "http", ":path", PATH, "content-type", "application/grpc+proto",
               NULL);
    raw_message(p, 1, "x", 1, RAW_END);
    raw_expect_ok(p, 1, "x", 1);
    assert_string_equal(raw_field(raw_find(p, 1), "content-type"), "application/grpc+proto");
    raw_close(p);
    e2e_end(server);
}

/* Trailers of a request mean nothing, but they end it. */
static void a_request_with_trailers_is_answered(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_request(p, 1, PATH);
    raw_message(p, 1, "t", 1, 0);
    raw_fields(p, 1, RAW_END, "some", "trailer", NULL);
    raw_expect_ok(p, 1, "t", 1);

    raw_request(p, 3, PATH);
    raw_fields(p, 3, 0, "more", "headers", NULL); /* trailers that end nothing */
    raw_expect_reset(p, 3, OY_H2_PROTOCOL_ERROR);
    e2e_expect_serves_on(p, 5);
    raw_close(p);
    e2e_end(server);
}

static void not_http2_at_all(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    static const char *const greetings[] = {
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        "PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(greetings) / sizeof(greetings[0]); i++) {
        raw_peer *p = raw_connect(server->port);
        size_t len = i == 1 ? 11 : strlen(greetings[i]);
        assert_true(raw_send(p, greetings[i], len));
        raw_expect_goaway(p, OY_H2_PROTOCOL_ERROR);
        raw_close(p);
    }
    e2e_expect_serves(server);
    e2e_end(server);
}

OY_TEST_GROUP(e2e_hostile_request, oy_leak_test(crooked_paths_reach_no_handler),
              oy_leak_test(crooked_paths_reach_no_unknown_handler), oy_leak_test(the_straight_path_is_denied),
              oy_leak_test(a_remembered_path_means_itself_alone), oy_leak_test(no_path_at_all_is_a_malformed_request),
              oy_leak_test(odd_requests_end_cleanly),
              oy_leak_test(odd_requests_with_nine_kilobytes_more_end_cleanly),
              oy_leak_test(two_authorities_are_refused), oy_leak_test(the_subtype_is_echoed),
              oy_leak_test(a_request_with_trailers_is_answered), oy_leak_test(not_http2_at_all));

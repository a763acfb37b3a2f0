/* SPDX-License-Identifier: Apache-2.0 */
/* What may be in a header block (RFC 9113 sections 8.2 and 8.3). */
#include <stdio.h>

#include "support/h2_script.h"
#include "support/test.h"

#define METHOD    ":method", "POST"
#define SCHEME    ":scheme", "http"
#define PATH      ":path", "/a/b"
#define AUTHORITY ":authority", "localhost"
#define REQUEST   METHOD, SCHEME, PATH, AUTHORITY

typedef struct bad_block {
    const char *words;
    const char *fields[16];
} bad_block;

static const bad_block bad_requests[] = {
    {"a field name with a character that is not allowed", {REQUEST, "X-Upper", "y"}},
    {"a field name with a character that is not allowed", {REQUEST, "Te", "trailers"}},
    {"a field name with a character that is not allowed", {REQUEST, "with space", "y"}},
    {"a field name with a character that is not allowed", {REQUEST, "x:y", "y"}},
    {"a field name with a character that is not allowed", {REQUEST, "", "y"}},
    {"a field name with a character that is not allowed", {REQUEST, "x\x7f", "y"}},
    {"a field name with a character that is not allowed", {REQUEST, "x\x80", "y"}},
    {"a field value with a character that is not allowed", {REQUEST, "x", "a\nb"}},
    {"a field value with a character that is not allowed", {REQUEST, "x", "a\rb"}},
    {"a field value with a character that is not allowed", {REQUEST, "x", "\x7f"}},
    {"a field value with a character that is not allowed", {METHOD, SCHEME, ":path", "/\x01"}},
    {"a connection-specific field", {REQUEST, "connection", "close"}},
    {"a connection-specific field", {REQUEST, "keep-alive", "1"}},
    {"a connection-specific field", {REQUEST, "proxy-connection", "close"}},
    {"a connection-specific field", {REQUEST, "transfer-encoding", "chunked"}},
    {"a connection-specific field", {REQUEST, "upgrade", "h2c"}},
    {"te has a value other than trailers", {REQUEST, "te", "x"}},
    {"te has a value other than trailers", {REQUEST, "te", "trailers, deflate"}},
    {"a pseudo-header field behind a regular field", {METHOD, SCHEME, AUTHORITY, "x", "y", PATH}},
    {"a pseudo-header field that does not belong here", {REQUEST, ":unknown", "y"}},
    {"a pseudo-header field that does not belong here", {REQUEST, ":status", "200"}},
    {"a pseudo-header field that does not belong here", {REQUEST, ":protocol", "websocket"}},
    {"a pseudo-header field that does not belong here", {REQUEST, ":", "y"}},
    {"a pseudo-header field came twice", {REQUEST, METHOD}},
    {"a pseudo-header field came twice", {REQUEST, ":method", "CONNECT"}},
    {"a pseudo-header field came twice", {REQUEST, SCHEME}},
    {"a pseudo-header field came twice", {REQUEST, PATH}},
    {"a pseudo-header field came twice", {REQUEST, AUTHORITY}},
    {"a pseudo-header field is empty", {METHOD, SCHEME, ":path", ""}},
    {"a pseudo-header field is empty", {":method", "", SCHEME, PATH}},
    {"the request has no :method", {SCHEME, PATH, AUTHORITY}},
    {"the request has no :scheme", {METHOD, PATH, AUTHORITY}},
    {"the request has no :path", {METHOD, SCHEME, AUTHORITY}},
    {"the request has no :method", {"x", "y"}},
    {"the request has no :method", {NULL}},
    {"CONNECT with a :scheme or a :path", {":method", "CONNECT", SCHEME, AUTHORITY}},
    {"CONNECT without an :authority", {":method", "CONNECT"}},
    {"content-length is not a number", {REQUEST, "content-length", "-1"}},
    {"content-length is not a number", {REQUEST, "content-length", "9999999999999999999"}},
    {"content-length is not a number", {REQUEST, "content-length", ""}},
    {"content-length came twice with different values",
     {REQUEST, "content-length", "1", "content-length", "2"}},
};

static const bad_block bad_responses[] = {
    {"a pseudo-header field that does not belong here", {":status", "200", PATH}},
    {"a pseudo-header field that does not belong here", {METHOD}},
    {"a pseudo-header field that does not belong here", {":status", "200", ":unknown", "y"}},
    {"a pseudo-header field came twice", {":status", "200", ":status", "200"}},
    {"a pseudo-header field behind a regular field", {"x", "y", ":status", "200"}},
    {"a pseudo-header field is empty", {":status", ""}},
    {"a field name with a character that is not allowed", {":status", "200", "X", "y"}},
    {"a connection-specific field", {":status", "200", "connection", "close"}},
};

static h2_bytes block_of(const char *const *fields)
{
    h2_bytes block = {0};

    for (; *fields; fields += 2)
        h2_put_field(&block, fields[0], fields[1]);
    return block;
}

/* Stream error with these words; the connection and its table live on. */
static void expect_malformed(h2_script *s, uint32_t id, const bad_block *bad)
{
    char news[200];
    h2_bytes block = block_of(bad->fields);

    /* At the end something enters the table, although nothing is delivered any more. */
    h2_bytes_add(&block, "\x40\1i\1d", 5);
    h2_send(s, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS, id, block.data, block.len);
    h2_expect_rst(s, id, OY_H2_PROTOCOL_ERROR);
    snprintf(news, sizeof(news), "reset %u PROTOCOL_ERROR: %s", id, bad->words);
    /* on_reset does not know the id of a stream that no field was delivered for. */
    if (strstr(s->news, "reset 0"))
        snprintf(news, sizeof(news), "reset 0 PROTOCOL_ERROR: %s", bad->words);
    h2_expect_news(s, news);
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
    h2_bytes_free(&block);
}

H2_TALK(malformed_requests, &h2_a_server)
{
    uint32_t id = 1;

    h2_hello(s);
    for (size_t i = 0; i < sizeof(bad_requests) / sizeof(bad_requests[0]); i++) {
        expect_malformed(s, id, &bad_requests[i]);
        id += 2;
    }
    s->log_fields = true;
    H2_SEND(s, HEADERS, END_HEADERS, 1001, "\x83\x86\x84\xbe");
    h2_expect_news(s, "field 1001 :method: POST; field 1001 :scheme: http; field 1001 :path: /; "
                      "field 1001 i: d; headers 1001");
}

H2_TALK(malformed_responses, &h2_a_client)
{
    uint32_t id = 1;

    h2_hello(s);
    for (size_t i = 0; i < sizeof(bad_responses) / sizeof(bad_responses[0]); i++) {
        h2_begin_request(s, true);
        expect_malformed(s, id, &bad_responses[i]);
        id += 2;
    }
    assert_ok(s->err);
}

/* A NUL byte cannot be in the C strings above. */
H2_TALK(nul_in_a_value, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, END_HEADERS, 1, "\x83\x86\x84\0\1x\3a\0b");
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
}

static const bad_block good_requests[] = {
    {"", {METHOD, SCHEME, PATH}},
    {"", {REQUEST, "te", "trailers"}},
    {"", {":path", "no-slash", METHOD, ":scheme", "ftp"}},
    {"", {":method", "OPTIONS", SCHEME, ":path", "*"}},
    {"", {":method", "CONNECT", AUTHORITY}},
    {"", {METHOD, SCHEME, PATH, ":authority", ""}},
    {"", {REQUEST, "x", "\t caf\xc3\xa9 \xff "}},
    {"", {REQUEST, "!#$%&'*+-.^_`|~09az", ""}},
    {"", {REQUEST, "content-length", "0", "content-length", "0"}},
};

/* B09: odd, but for the layer above to judge. */
H2_TALK(well_formed_requests, &h2_a_server)
{
    uint32_t id = 1;

    h2_hello(s);
    for (size_t i = 0; i < sizeof(good_requests) / sizeof(good_requests[0]); i++) {
        char news[40];
        h2_bytes block = block_of(good_requests[i].fields);
        h2_send(s, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS, id, block.data, block.len);
        snprintf(news, sizeof(news), "headers %u", id);
        h2_expect_news(s, news);
        id += 2;
        h2_bytes_free(&block);
    }
}

/* B18: what came is delivered, so that the layer above finds words. */
H2_TALK(odd_responses, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, true);
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 1, "grpc-status", "0", NULL);
    h2_begin_request(s, true);
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 3, ":status", "abc", NULL);
    h2_begin_request(s, true);
    h2_send_fields(s, 0, 5, ":status", "1000", "te", "gzip", NULL);
    h2_expect_news(s, "headers 1 end; headers 3 end; headers 5");
}

H2_TALK(informational_response_that_ends_the_stream, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, true);
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 1, ":status", "103", NULL);
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "reset 1 PROTOCOL_ERROR: an informational response ends the stream");
}

H2_TALK(pseudo_header_in_trailers, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 1, ":path", "/c/d", NULL);
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "headers 1; reset 1 PROTOCOL_ERROR: a pseudo-header field in trailers");
}

H2_TALK(status_in_trailers, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, true);
    h2_send_response(s, 0, 1);
    h2_send_response(s, OY_H2_FLAG_END_STREAM, 1);
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "headers 1; reset 1 PROTOCOL_ERROR: a pseudo-header field in trailers");
}

/* The note of a table entry says what was found out; it must say the same the second time. */
H2_TALK(bad_fields_from_the_table, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, END_HEADERS, 1, "\x83\x86\x84\x40\1X\1y");
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_send(s, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS, 3, "\x83\x86\x84\xbe", 4);
    h2_expect_rst(s, 3, OY_H2_PROTOCOL_ERROR);
    h2_forget_news(s);
    /* A good value under the same bad name, and a good field. */
    H2_SEND(s, HEADERS, END_HEADERS, 5, "\x83\x86\x84\x7e\1z");
    h2_expect_rst(s, 5, OY_H2_PROTOCOL_ERROR);
    h2_forget_news(s);
    H2_SEND(s, HEADERS, END_HEADERS, 7, "\x83\x86\x84\x40\1x\1y");
    H2_SEND(s, HEADERS, END_HEADERS, 9, "\x83\x86\x84\xbe");
    h2_expect_news(s, "headers 7; headers 9");
}

OY_TEST_GROUP(h2_field, cmocka_unit_test(malformed_requests), cmocka_unit_test(malformed_responses),
              cmocka_unit_test(nul_in_a_value), cmocka_unit_test(well_formed_requests),
              cmocka_unit_test(odd_responses),
              cmocka_unit_test(informational_response_that_ends_the_stream),
              cmocka_unit_test(pseudo_header_in_trailers), cmocka_unit_test(status_in_trailers),
              cmocka_unit_test(bad_fields_from_the_table));

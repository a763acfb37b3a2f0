/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are not quite answers: HTTP instead of gRPC (B18), messages and header fields that lie, as a client
 * sees them (B08, B13, B20, B22, B23, B24). */
#include "e2e_server.h"
#include "support/leak.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MIB ((size_t)1024 * 1024)
#define PATH "/pkg.Svc/Method"

/* A client of ours and a server that is a script. */
typedef struct stage {
    int listen_fd;
    uint16_t port;
    oyez_channel *channel;
    raw_peer *peer;
} stage;

static void open_stage(stage *s, const oyez_channel_options *options)
{
    char target[64];
    s->listen_fd = raw_listen(&s->port);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", s->port);
    if (options)
        s->channel = e2e_channel_with(options, target);
    else
        s->channel = e2e_channel(NULL, s->port);
    oyez_channel_connect(s->channel);
    s->peer = raw_server(s->listen_fd, 0);
}

static void close_stage(stage *s)
{
    s->channel = oyez_channel_unref(s->channel);
    raw_close(s->peer);
    close(s->listen_fd);
}

/* A call has reached the server, request and all. */
static uint32_t begin_call(stage *s, e2e_call *call, const oyez_call_options *options)
{
    e2e_call_start(call, s->channel, PATH, "q", 1, options);
    const raw_stream *stream = raw_await(s->peer, raw_await_request(s->peer)->id);
    return stream->id;
}

/* --- B18: answers that are not gRPC ------------------------------------------------------------------------------ */

typedef struct http_answer {
    const char *what;
    const char *status, *type; /* NULL: left out */
    const char *body;          /* NULL: END_STREAM on the headers */
    const char *grpc_status;   /* in the leading headers; NULL: none */
    oyez_code code;
    const char *words[2];
} http_answer;

static const http_answer http_answers[] = {
    { "404 html", "404", "text/html", "<html>not here</html>", NULL, OYEZ_UNIMPLEMENTED, { "404", "text/html" } },
    { "502", "502", "text/plain", "bad gateway", NULL, OYEZ_UNAVAILABLE, { "502", "bad gateway" } },
    { "503", "503", "text/plain", "busy", NULL, OYEZ_UNAVAILABLE, { "503", "text/plain" } },
    { "504", "504", "text/plain", "", NULL, OYEZ_UNAVAILABLE, { "504", NULL } },
    { "429", "429", NULL, "slow down", NULL, OYEZ_UNAVAILABLE, { "429", "content-type" } },
    { "401", "401", "text/plain", "who?", NULL, OYEZ_UNAUTHENTICATED, { "401", NULL } },
    { "403", "403", "text/plain", "no", NULL, OYEZ_PERMISSION_DENIED, { "403", NULL } },
    { "400", "400", "text/plain", "what?", NULL, OYEZ_INTERNAL, { "400", NULL } },
    { "431", "431", "text/plain", "long", NULL, OYEZ_UNKNOWN, { "431", NULL } },
    { "500", "500", "text/plain", "oops", NULL, OYEZ_UNKNOWN, { "500", NULL } },
    { "302", "302", NULL, NULL, NULL, OYEZ_UNKNOWN, { "302", NULL } },
    { "200 html", "200", "text/html", "<html>welcome</html>", NULL, OYEZ_UNKNOWN, { "200", "text/html" } },
    { "200 json with a status", "200", "application/json", "{}", "0", OYEZ_UNKNOWN, { "200", "application/json" } },
    { "200 without a type", "200", NULL, "hm", NULL, OYEZ_UNKNOWN, { "200", "content-type" } },
    { "no status", NULL, "application/grpc", "x", NULL, OYEZ_INTERNAL, { NULL, NULL } },
    { "trailers-only, 0, but no message", "200", "application/grpc", NULL, "0", OYEZ_UNIMPLEMENTED,
      { "cardinality", NULL } },
    { "trailers-only, 5", "200", "application/grpc", NULL, "5", OYEZ_NOT_FOUND, { NULL, NULL } },
    { "a number that is none of gRPC's", "200", "application/grpc", NULL, "99", OYEZ_UNKNOWN, { "99", NULL } },
    { "a word", "200", "application/grpc", NULL, "abc", OYEZ_UNKNOWN, { "grpc-status", NULL } },
    { "nothing", "200", "application/grpc", NULL, "", OYEZ_UNKNOWN, { "grpc-status", NULL } },
    { "a negative one", "200", "application/grpc", NULL, "-1", OYEZ_UNKNOWN, { "grpc-status", NULL } },
    { "one with a space", "200", "application/grpc", NULL, "5 ", OYEZ_UNKNOWN, { "grpc-status", NULL } },
    { "two noughts", "200", "application/grpc", NULL, "00", OYEZ_UNIMPLEMENTED, { "cardinality", NULL } },
    { "no status at all", "200", "application/grpc", NULL, NULL, OYEZ_UNKNOWN, { "grpc-status", NULL } },
    { "503 with a gRPC status", "503", "application/grpc", NULL, "7", OYEZ_PERMISSION_DENIED, { NULL, NULL } },
    { "503 with gRPC's OK", "503", "application/grpc", NULL, "0", OYEZ_UNAVAILABLE, { "503", NULL } },
    { "grpc-web", "200", "application/grpc-web", "\0\0\0\0\0", NULL, OYEZ_UNKNOWN, { "application/grpc-web", NULL } },
};

static void send_http(raw_peer *p, uint32_t id, const http_answer *answer)
{
    h2_bytes block = { 0 };
    if (answer->status)
        h2_put_field(&block, ":status", answer->status);
    if (answer->type)
        h2_put_field(&block, "content-type", answer->type);
    if (answer->grpc_status)
        h2_put_field(&block, "grpc-status", answer->grpc_status);
    raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS | (answer->body ? 0 : RAW_END), id, block.data, block.len);
    if (answer->body)
        raw_send_frame(p, OY_H2_FRAME_DATA, RAW_END, id, answer->body, strlen(answer->body));
    h2_bytes_free(&block);
}

static void http_becomes_a_status_in_words(void **state)
{
    stage s;
    (void)state;
    open_stage(&s, NULL);
    for (size_t i = 0; i < sizeof(http_answers) / sizeof(http_answers[0]); i++) {
        const http_answer *answer = &http_answers[i];
        e2e_call call;
        uint32_t id = begin_call(&s, &call, NULL);
        send_http(s.peer, id, answer);
        e2e_call_await(&call);
        if (call.code != answer->code)
            fail_msg("%s: %s (%s)", answer->what, oyez_code_name(call.code), call.words);
        for (size_t n = 0; n < 2; n++)
            if (answer->words[n])
                e2e_expect_words(call.words, answer->words[n]);
        e2e_call_free(&call);
    }
    close_stage(&s);
}

/* The request itself is always a gRPC request. */
static void the_request_says_te_trailers(void **state)
{
    stage s;
    e2e_call call;
    (void)state;
    open_stage(&s, NULL);
    uint32_t id = begin_call(&s, &call, NULL);
    const raw_stream *stream = raw_find(s.peer, id);
    assert_string_equal(raw_field(stream, "te"), "trailers");
    assert_string_equal(raw_field(stream, ":method"), "POST");
    assert_string_equal(raw_field(stream, ":scheme"), "http");
    assert_string_equal(raw_field(stream, ":path"), PATH);
    assert_string_equal(raw_field(stream, "content-type"), "application/grpc");
    raw_answer(s.peer, id, "a", 1);
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_OK);
    e2e_call_free(&call);
    close_stage(&s);
}

typedef void answer_fn(raw_peer *p, uint32_t id);

static void one_message_and_the_end(raw_peer *p, uint32_t id)
{
    raw_respond(p, id);
    raw_message(p, id, "good", 4, RAW_END);
}

static void a_status_in_front_and_none_behind(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, 0, ":status", "200", "content-type", "application/grpc", "grpc-status", "0", NULL);
    raw_message(p, id, "good", 4, RAW_END);
}

static void a_status_in_front_and_another_behind(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, 0, ":status", "200", "content-type", "application/grpc", "grpc-status", "0", NULL);
    raw_message(p, id, "good", 4, 0);
    raw_status(p, id, "5", "behind");
}

static void trailers_without_a_status(raw_peer *p, uint32_t id)
{
    raw_respond(p, id);
    raw_message(p, id, "good", 4, 0);
    raw_fields(p, id, RAW_END, "some", "thing", NULL);
}

static void a_hundred_first(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, 0, ":status", "100", NULL);
    raw_fields(p, id, 0, ":status", "103", "content-type", "text/html", "grpc-status", "9", NULL);
    raw_answer(p, id, "good", 4);
}

static void a_hundred_that_ends(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, RAW_END, ":status", "100", NULL);
}

static void data_before_headers(raw_peer *p, uint32_t id)
{
    raw_message(p, id, "good", 4, 0);
    raw_respond(p, id);
}

static void headers_in_the_middle(raw_peer *p, uint32_t id)
{
    raw_respond(p, id);
    raw_message(p, id, "good", 4, 0);
    raw_respond(p, id);
}

static void two_messages(raw_peer *p, uint32_t id)
{
    raw_respond(p, id);
    raw_message(p, id, "one", 3, 0);
    raw_message(p, id, "two", 3, 0);
    raw_status(p, id, "0", NULL);
}

static void a_message_and_an_error(raw_peer *p, uint32_t id)
{
    raw_respond(p, id);
    raw_message(p, id, "good", 4, 0);
    raw_status(p, id, "10", "but no");
}

static void capitals(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, 0, ":status", "200", "Content-Type", "application/grpc", NULL);
}

static void two_statuses(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, 0, ":status", "200", ":status", "200", "content-type", "application/grpc", NULL);
}

static void a_request_as_answer(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, 0, ":method", "POST", ":path", "/", "content-type", "application/grpc", NULL);
}

static void a_long_page(raw_peer *p, uint32_t id)
{
    static const char page[16000] = "<html>the page goes on and on";
    raw_fields(p, id, 0, ":status", "200", "content-type", "text/html", NULL);
    raw_send_frame(p, OY_H2_FRAME_DATA, 0, id, page, sizeof(page));
}

static void a_page_without_an_end(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, 0, ":status", "502", "content-type", "text/html", NULL);
    for (unsigned i = 0; i < 200; i++)
        raw_send_frame(p, OY_H2_FRAME_DATA, 0, id, "<p>more</p>", 11);
}

static void reset_no_error(raw_peer *p, uint32_t id)
{
    raw_rst(p, id, OY_H2_NO_ERROR);
}

static void reset_calm(raw_peer *p, uint32_t id)
{
    raw_rst(p, id, OY_H2_ENHANCE_YOUR_CALM);
}

static void reset_cancel(raw_peer *p, uint32_t id)
{
    raw_rst(p, id, OY_H2_CANCEL);
}

static void reset_refused_behind_headers(raw_peer *p, uint32_t id)
{
    raw_respond(p, id);
    raw_rst(p, id, OY_H2_REFUSED_STREAM);
}

static void reset_of_a_number_unknown(raw_peer *p, uint32_t id)
{
    raw_rst(p, id, 4711);
}

static void the_answer_and_a_reset(raw_peer *p, uint32_t id)
{
    raw_answer(p, id, "good", 4);
    raw_rst(p, id, OY_H2_NO_ERROR);
}

/* --- B22, B20: messages ------------------------------------------------------------------------------------------ */

static void bytes_of(raw_peer *p, uint32_t id, const char *encoding, const char *bytes, size_t len, uint32_t flags)
{
    if (encoding)
        raw_fields(p, id, 0, ":status", "200", "content-type", "application/grpc", "grpc-encoding", encoding, NULL);
    else
        raw_respond(p, id);
    raw_send_frame(p, OY_H2_FRAME_DATA, flags, id, bytes, len);
}

#define ANSWER_OF(name, encoding, bytes, flags)                                                                        \
    static void name(raw_peer *p, uint32_t id)                                                                         \
    {                                                                                                                  \
        bytes_of(p, id, encoding, bytes, sizeof(bytes) - 1, flags);                                                    \
        if (!((flags) & RAW_END))                                                                                      \
            raw_status(p, id, "0", NULL);                                                                              \
    }
ANSWER_OF(a_huge_prefix, NULL, "\0\xff\xff\xff\xff", 0)
ANSWER_OF(one_over_the_limit, NULL, "\0\0\x40\0\1", 0)
ANSWER_OF(cut_in_the_message, NULL, "\0\0\0\0\5ab", RAW_END)
ANSWER_OF(cut_in_the_prefix, NULL, "\0\0\0", RAW_END)
ANSWER_OF(cut_before_the_trailers, NULL, "\0\0\0\0\5ab", 0)
ANSWER_OF(an_unknown_flag, NULL, "\2\0\0\0\0", 0)
ANSWER_OF(compressed_and_nobody_says_how, NULL, "\1\0\0\0\2hi", 0)
ANSWER_OF(compressed_by_identity, "identity", "\1\0\0\0\2hi", 0)
ANSWER_OF(compressed_by_zzz, "zzz", "\1\0\0\0\2hi", 0)
ANSWER_OF(identity_and_plain, "identity", "\0\0\0\0\2hi", 0)

/* --- B08: metadata ----------------------------------------------------------------------------------------------- */

static void bad_base64_in_the_headers(raw_peer *p, uint32_t id)
{
    raw_fields(p, id, 0, ":status", "200", "content-type", "application/grpc", "k-bin", "*!*", NULL);
    raw_message(p, id, "good", 4, 0);
    raw_status(p, id, "0", NULL);
}

static void bad_base64_in_the_trailers(raw_peer *p, uint32_t id)
{
    raw_respond(p, id);
    raw_message(p, id, "good", 4, 0);
    raw_fields(p, id, RAW_END, "grpc-status", "0", "k-bin", "A", NULL);
}

static void headers_over_the_limit(raw_peer *p, uint32_t id)
{
    h2_bytes block = { 0 };
    h2_put_field(&block, ":status", "200");
    h2_put_field(&block, "content-type", "application/grpc");
    for (unsigned i = 0; i < 1000; i++)
        h2_put_field(&block, "a", "b");
    raw_send_frame(p, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS, id, block.data, block.len);
    h2_bytes_free(&block);
}

static void a_bomb_of_bin_lists(raw_peer *p, uint32_t id)
{
    char commas[3001];
    memset(commas, ',', 3000);
    commas[3000] = '\0';
    raw_fields(p, id, 0, ":status", "200", "content-type", "application/grpc", "k-bin", commas, NULL);
}

static const struct {
    const char *what;
    answer_fn *answer;
    oyez_code code;
    const char *words;
    int reset; /* what the client sends back, -1: nothing */
} odd_answers[] = {
#define ODD(name, ...) { #name, name, __VA_ARGS__ }
    ODD(one_message_and_the_end, OYEZ_INTERNAL, "without sending trailers", -1),
    ODD(a_status_in_front_and_none_behind, OYEZ_INTERNAL, "without sending trailers", -1),
    ODD(a_status_in_front_and_another_behind, OYEZ_NOT_FOUND, "behind", -1),
    ODD(trailers_without_a_status, OYEZ_UNKNOWN, "grpc-status", -1),
    ODD(a_hundred_first, OYEZ_OK, "", -1),
    ODD(a_hundred_that_ends, OYEZ_INTERNAL, "", OY_H2_PROTOCOL_ERROR),
    ODD(data_before_headers, OYEZ_INTERNAL, "", OY_H2_PROTOCOL_ERROR),
    ODD(headers_in_the_middle, OYEZ_INTERNAL, "middle", OY_H2_PROTOCOL_ERROR),
    ODD(two_messages, OYEZ_UNIMPLEMENTED, "cardinality", OY_H2_CANCEL),
    ODD(a_message_and_an_error, OYEZ_ABORTED, "but no", -1),
    ODD(capitals, OYEZ_INTERNAL, "", OY_H2_PROTOCOL_ERROR),
    ODD(two_statuses, OYEZ_INTERNAL, "", OY_H2_PROTOCOL_ERROR),
    ODD(a_request_as_answer, OYEZ_INTERNAL, "", OY_H2_PROTOCOL_ERROR),
    ODD(a_long_page, OYEZ_UNKNOWN, "the page goes on", OY_H2_PROTOCOL_ERROR),
    ODD(a_page_without_an_end, OYEZ_UNAVAILABLE, "<p>more</p>", OY_H2_PROTOCOL_ERROR),
    ODD(reset_no_error, OYEZ_INTERNAL, "NO_ERROR", -1),
    ODD(reset_calm, OYEZ_RESOURCE_EXHAUSTED, "ENHANCE_YOUR_CALM", -1),
    ODD(reset_cancel, OYEZ_CANCELLED, "CANCEL", -1),
    ODD(reset_refused_behind_headers, OYEZ_UNAVAILABLE, "REFUSED_STREAM", -1),
    ODD(reset_of_a_number_unknown, OYEZ_UNKNOWN, "", -1),
    ODD(the_answer_and_a_reset, OYEZ_OK, "", -1),
    ODD(a_huge_prefix, OYEZ_RESOURCE_EXHAUSTED, "(4294967295 vs. 4194304 bytes)", OY_H2_CANCEL),
    ODD(one_over_the_limit, OYEZ_RESOURCE_EXHAUSTED, "(4194305 vs. 4194304 bytes)", OY_H2_CANCEL),
    ODD(cut_in_the_message, OYEZ_INTERNAL, "", -1),
    ODD(cut_in_the_prefix, OYEZ_INTERNAL, "", -1),
    ODD(cut_before_the_trailers, OYEZ_INTERNAL, "", -1),
    ODD(an_unknown_flag, OYEZ_INTERNAL, "payload format 2", OY_H2_CANCEL),
    ODD(compressed_and_nobody_says_how, OYEZ_INTERNAL, "compressed flag", OY_H2_CANCEL),
    ODD(compressed_by_identity, OYEZ_INTERNAL, "compressed flag", OY_H2_CANCEL),
    ODD(compressed_by_zzz, OYEZ_INTERNAL, "zzz", OY_H2_CANCEL),
    ODD(identity_and_plain, OYEZ_OK, "", -1),
    ODD(bad_base64_in_the_headers, OYEZ_INTERNAL, "-bin", OY_H2_PROTOCOL_ERROR),
    ODD(bad_base64_in_the_trailers, OYEZ_INTERNAL, "-bin", -1),
    ODD(headers_over_the_limit, OYEZ_INTERNAL, "header list size", OY_H2_FRAME_SIZE_ERROR),
    ODD(a_bomb_of_bin_lists, OYEZ_INTERNAL, "header list size", OY_H2_FRAME_SIZE_ERROR),
};

/* All on one connection: what one server does to a call hurts no other. */
static void odd_answers_end_their_call_alone(void **state)
{
    stage s;
    e2e_call steady, call;
    (void)state;
    open_stage(&s, NULL);
    uint32_t steady_id = begin_call(&s, &steady, NULL);
    for (size_t i = 0; i < sizeof(odd_answers) / sizeof(odd_answers[0]); i++) {
        uint32_t id = begin_call(&s, &call, NULL);
        odd_answers[i].answer(s.peer, id);
        e2e_call_await(&call);
        if (call.code != odd_answers[i].code)
            fail_msg("%s: %s (%s)", odd_answers[i].what, oyez_code_name(call.code), call.words);
        if (!strstr(call.words, odd_answers[i].words))
            fail_msg("%s: \"%s\" does not contain \"%s\"", odd_answers[i].what, call.words, odd_answers[i].words);
        raw_sync(s.peer);
        const raw_stream *stream = raw_find(s.peer, id);
        int reset = stream->reset ? (int)stream->reset_code : -1;
        if (reset != odd_answers[i].reset)
            fail_msg("%s: the client answers with reset %d instead of %d", odd_answers[i].what, reset, odd_answers[i].reset);
        e2e_call_free(&call);
    }
    raw_answer(s.peer, steady_id, "steady", 6);
    e2e_call_await(&steady);
    e2e_expect_code(&steady, OYEZ_OK);
    e2e_call_free(&steady);
    close_stage(&s);
}

/* --- connection errors ------------------------------------------------------------------------------------------- */

typedef bool break_fn(raw_peer *p);

static bool even_stream(raw_peer *p)
{
    return raw_respond(p, 2);
}

static bool stream_not_begun(raw_peer *p)
{
    return raw_respond(p, 99);
}

static bool bad_hpack(raw_peer *p)
{
    return RAW_SEND(p, HEADERS, END_HEADERS, 1, "\xff\xff\xff\xff\xff\xff\xff\xff");
}

static bool push(raw_peer *p)
{
    return RAW_SEND(p, PUSH_PROMISE, END_HEADERS, 1, "\0\0\0\2\x82");
}

static bool frame_too_long(raw_peer *p)
{
    static const uint8_t zeros[20000];
    return raw_send_frame(p, OY_H2_FRAME_DATA, 0, 1, zeros, sizeof(zeros));
}

static bool window_overflow(raw_peer *p)
{
    return raw_window_update(p, 0, 0x7fffffff);
}

static bool many_continuations(raw_peer *p)
{
    bool sent = RAW_SEND(p, HEADERS, 0, 1, "\x88");
    for (unsigned i = 0; i < 1000 && sent; i++)
        sent = RAW_SEND(p, CONTINUATION, 0, 1, "");
    return sent;
}

static bool http1(raw_peer *p)
{
    return raw_send(p, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
}

static void a_broken_connection_is_unavailable_in_words(void **state)
{
    static const struct {
        break_fn *break_it;
        uint32_t code;
    } breaks[] = {
        { even_stream, OY_H2_PROTOCOL_ERROR },       { stream_not_begun, OY_H2_PROTOCOL_ERROR },
        { bad_hpack, OY_H2_COMPRESSION_ERROR },      { push, OY_H2_PROTOCOL_ERROR },
        { frame_too_long, OY_H2_FRAME_SIZE_ERROR },  { window_overflow, OY_H2_FLOW_CONTROL_ERROR },
        { many_continuations, OY_H2_ENHANCE_YOUR_CALM }, { http1, OY_H2_FRAME_SIZE_ERROR },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++) {
        stage s;
        e2e_call call;
        open_stage(&s, NULL);
        (void)begin_call(&s, &call, NULL);
        (void)breaks[i].break_it(s.peer);
        e2e_call_await(&call);
        e2e_expect_code(&call, OYEZ_UNAVAILABLE);
        e2e_expect_words(call.words, "127.0.0.1:");
        raw_expect_goaway(s.peer, breaks[i].code);
        e2e_call_free(&call);
        /* The channel gets over it. */
        raw_close(s.peer);
        const oyez_call_options patient = { OYEZ_CALL_OPTIONS_INIT, .wait_for_ready = true };
        e2e_call_start(&call, s.channel, PATH, "q", 1, &patient);
        s.peer = raw_server(s.listen_fd, 0);
        raw_answer(s.peer, raw_await_request(s.peer)->id, "a", 1);
        e2e_call_await(&call);
        e2e_expect_code(&call, OYEZ_OK);
        e2e_call_free(&call);
        close_stage(&s);
    }
}

/* --- B23: grpc-message, received --------------------------------------------------------------------------------- */

static void broken_escapes_stay_as_they_are(void **state)
{
    static const struct {
        const char *wire, *text;
        size_t len;
    } tries[] = {
        { "%", "%", 1 }, { "%4", "%4", 2 }, { "%zz", "%zz", 3 }, { "a%20b", "a b", 3 }, { "%E4%BD", "\xe4\xbd", 2 },
        { "%41%62", "Ab", 2 }, { "%c3%a4", "\xc3\xa4", 2 }, { "a%00b", "a\0b", 3 }, { " x ", " x ", 3 },
        { "%%41", "%A", 2 }, { "100%25", "100%", 4 }, { "+", "+", 1 },
    };
    stage s;
    (void)state;
    open_stage(&s, NULL);
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        e2e_call call;
        uint32_t id = begin_call(&s, &call, NULL);
        raw_fields(s.peer, id, RAW_END, ":status", "200", "content-type", "application/grpc", "grpc-status", "9",
                   "grpc-message", tries[i].wire, NULL);
        e2e_call_await(&call);
        e2e_expect_code(&call, OYEZ_FAILED_PRECONDITION);
        assert_int_equal(call.words_len, tries[i].len);
        assert_memory_equal(call.words, tries[i].text, tries[i].len);
        e2e_call_free(&call);
    }
    close_stage(&s);
}

/* --- B24: grpc-timeout, sent ------------------------------------------------------------------------------------- */

static uint64_t nanoseconds_of(const char *text)
{
    char *unit;
    uint64_t value = strtoull(text, &unit, 10);
    assert_true(strlen(text) >= 2 && strlen(text) <= 9 && unit[1] == '\0');
    switch (*unit) {
    case 'H':
        return value * (uint64_t)OYEZ_HOUR;
    case 'M':
        return value * (uint64_t)OYEZ_MINUTE;
    case 'S':
        return value * (uint64_t)OYEZ_SECOND;
    case 'm':
        return value * (uint64_t)OYEZ_MILLISECOND;
    case 'u':
        return value * (uint64_t)OYEZ_MICROSECOND;
    default:
        assert_int_equal(*unit, 'n');
        return value;
    }
}

static void the_timeout_is_sent_in_eight_digits(void **state)
{
    static const oyez_duration timeouts[] = {
        20 * OYEZ_SECOND,         99999 * OYEZ_SECOND,           100000000 * OYEZ_SECOND,
        1000000 * OYEZ_HOUR,      INT64_MAX - 1,                 123456789012345,
    };
    stage s;
    (void)state;
    open_stage(&s, NULL);
    for (size_t i = 0; i < sizeof(timeouts) / sizeof(timeouts[0]); i++) {
        const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = timeouts[i] };
        e2e_call call;
        uint32_t id = begin_call(&s, &call, &options);
        const char *sent = raw_field(raw_find(s.peer, id), "grpc-timeout");
        if (sent) { /* INT64_MAX - 1 from now is beyond the end of time */
            uint64_t wire = nanoseconds_of(sent);
            uint64_t asked = (uint64_t)timeouts[i];
            /* never more than one unit too long, and never shorter than what is left */
            assert_true(wire <= asked + asked / 10000 + 1);
            assert_true(wire >= asked - 10 * (uint64_t)OYEZ_SECOND);
        } else {
            assert_true(timeouts[i] > INT64_MAX / 2);
        }
        raw_answer(s.peer, id, "a", 1);
        e2e_call_await(&call);
        e2e_expect_code(&call, OYEZ_OK);
        e2e_call_free(&call);
    }
    close_stage(&s);
}

static void infinity_sends_no_timeout(void **state)
{
    const oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = OYEZ_FOREVER };
    stage s;
    e2e_call call;
    (void)state;
    open_stage(&s, NULL);
    uint32_t id = begin_call(&s, &call, &options);
    assert_null(raw_field(raw_find(s.peer, id), "grpc-timeout"));
    raw_answer(s.peer, id, "a", 1);
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_OK);
    e2e_call_free(&call);
    close_stage(&s);
}

static const oyez_method any_method = { OYEZ_METHOD_INIT, .path = PATH };

/* A deadline that has passed fails here, and the wire hears nothing of it. */
static void a_deadline_that_has_passed_touches_no_wire(void **state)
{
    static const oyez_duration past[] = { 0, -1, -OYEZ_HOUR, INT64_MIN };
    stage s;
    e2e_call call;
    const oyez_slice request = OYEZ_SLICE_INIT;
    (void)state;
    open_stage(&s, NULL);
    for (size_t i = 0; i < sizeof(past) / sizeof(past[0]); i++) {
        oyez_ctx *ctx = oyez_ctx_with_timeout(NULL, past[i]);
        assert_int_equal(oyez_unary_call(s.channel, &any_method, ctx, NULL, &request, NULL, NULL),
                         OYEZ_DEADLINE_EXCEEDED);
        oyez_ctx_unref(ctx);
    }
    const oyez_call_options one = { OYEZ_CALL_OPTIONS_INIT, .timeout = 1 };
    const oyez_call_options minus = { OYEZ_CALL_OPTIONS_INIT, .timeout = -5 };
    e2e_call_now(&call, s.channel, PATH, "q", 1, &one);
    e2e_expect_code(&call, OYEZ_DEADLINE_EXCEEDED);
    e2e_call_free(&call);
    e2e_call_now(&call, s.channel, PATH, "q", 1, &minus);
    e2e_expect_code(&call, OYEZ_DEADLINE_EXCEEDED);
    e2e_call_free(&call);
    /* The next call is the first that is seen. */
    assert_int_equal(begin_call(&s, &call, NULL), 1);
    raw_answer(s.peer, 1, "a", 1);
    e2e_call_await(&call);
    e2e_call_free(&call);
    close_stage(&s);
}

/* --- B13: downloads that nobody takes ---------------------------------------------------------------------------- */

static void cancelled_downloads_give_the_window_back(void **state)
{
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .stream_window_bytes = 65535,
                                           .connection_window_bytes = 65535, .fixed_windows = true };
    stage s;
    static const uint8_t part[16384] = { 0, 0, 0x20, 0, 0 };
    e2e_call call;
    unsigned calls = raw_sanitized() ? 300 : 2000;
    (void)state;
    open_stage(&s, &options);
    e2e_memory before = e2e_memory_now();
    for (unsigned i = 0; i < calls; i++) {
        uint32_t id = begin_call(&s, &call, NULL);
        raw_respond(s.peer, id);
        for (unsigned n = 0; n < 3; n++) {
            assert_true(RAW_UNTIL(s.peer, raw_room(s.peer, id) >= sizeof(part)));
            raw_send_frame(s.peer, OY_H2_FRAME_DATA, 0, id, part, sizeof(part));
        }
        oyez_call_cancel(call.call);
        e2e_call_await(&call);
        e2e_expect_code(&call, OYEZ_CANCELLED);
        e2e_call_free(&call);
        raw_expect_reset(s.peer, id, OY_H2_CANCEL);
        /* What was on its way still comes. */
        raw_send_frame(s.peer, OY_H2_FRAME_DATA, RAW_END, id, part, 100);
    }
    uint32_t id = begin_call(&s, &call, NULL);
    raw_respond(s.peer, id);
    raw_upload(s.peer, id, part, sizeof(part), 0, 4096);
    raw_status(s.peer, id, "0", NULL);
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_OK);
    assert_int_equal(call.body_len, sizeof(part));
    e2e_call_free(&call);
    e2e_expect_bounded(&before, 8 * MIB);
    close_stage(&s);
}

/* A server that floods its client with frames that want an answer, and does not read. */
static void a_deaf_server_is_left(void **state)
{
    stage s;
    e2e_call call;
    h2_bytes batch = { 0 };
    (void)state;
    open_stage(&s, NULL);
    (void)begin_call(&s, &call, NULL);
    e2e_memory before = e2e_memory_now();
    for (unsigned i = 0; i < 5000; i++)
        h2_put_frame(&batch, OY_H2_FRAME_SETTINGS, 0, 0, "", 0);
    s.peer->deaf = true;
    for (unsigned i = 0; i < 2000 && raw_send_some(s.peer, batch.data, batch.len, 300) == batch.len; i++)
        e2e_expect_bounded(&before, 32 * MIB);
    e2e_call_await(&call);
    e2e_expect_code(&call, OYEZ_UNAVAILABLE);
    e2e_expect_words(call.words, "does not read");
    e2e_call_free(&call);
    h2_bytes_free(&batch);
    close_stage(&s);
}

OY_TEST_GROUP(e2e_hostile_answer, oy_leak_test(http_becomes_a_status_in_words),
              oy_leak_test(the_request_says_te_trailers), oy_leak_test(odd_answers_end_their_call_alone),
              oy_leak_test(a_broken_connection_is_unavailable_in_words),
              oy_leak_test(broken_escapes_stay_as_they_are), oy_leak_test(the_timeout_is_sent_in_eight_digits),
              oy_leak_test(infinity_sends_no_timeout), oy_leak_test(a_deadline_that_has_passed_touches_no_wire),
              oy_leak_test(cancelled_downloads_give_the_window_back), oy_leak_test(a_deaf_server_is_left));

/* SPDX-License-Identifier: Apache-2.0 */
/* Header fields whose values lie: -bin metadata (B08), grpc-message on its way out (B23), grpc-timeout (B24). */
#include "e2e_server.h"
#include "support/leak.h"
#include "support/test.h"

#include <stdlib.h>

#define ECHO "/pkg.Loop/Echo"

/* --- B08: -bin --------------------------------------------------------------------------------------------------- */

static void good_bin_values_are_accepted(void **state)
{
    static const struct {
        const char *sent;
        unsigned count;
        const char *first; /* as it comes back: unpadded */
    } tries[] = {
        { "AAE", 1, "AAE" }, { "AAE=", 1, "AAE" }, { "AAE,AAI=", 2, "AAE" }, { "", 1, "" },
        { "AAE, AAI,AAM", 3, "AAE" }, { "AAECAw==", 1, "AAECAw" }, { "+/+/", 1, "+/+/" },
    };
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    (void)state;
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++, id += 2) {
        raw_request_with(p, id, ECHO, "echo-bin", tries[i].sent, NULL);
        raw_message(p, id, "b", 1, RAW_END);
        raw_expect_ok(p, id, "b", 1);
        const raw_stream *stream = raw_find(p, id);
        /* as a header and as a trailer */
        assert_int_equal(raw_field_count(stream, "echo-bin"), 2 * tries[i].count);
        assert_string_equal(raw_field(stream, "echo-bin"), tries[i].first);
    }
    raw_close(p);
    e2e_end(server);
}

static void bad_bin_values_fail_their_call_alone(void **state)
{
    static const char *const bad[] = { "A", "*!*", "_-_-", "AAE,*", "AA=E", "====", "AAE==" };
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 3;
    (void)state;
    raw_request(p, 1, ECHO); /* another stream that is under way */
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++, id += 2) {
        raw_request_with(p, id, ECHO, "echo-bin", bad[i], NULL);
        raw_message(p, id, "b", 1, RAW_END);
        raw_expect_http(p, id, "400", OYEZ_INTERNAL);
    }
    assert_int_equal(server->handled, 0);
    raw_message(p, 1, "lives", 5, RAW_END);
    raw_expect_ok(p, 1, "lives", 5);
    raw_close(p);
    e2e_end(server);
}

/* --- B23: grpc-message, sent ------------------------------------------------------------------------------------- */

static void status_text_never_leaves_raw(void **state)
{
    static const struct {
        const char *text;
        size_t len;
        const char *wire;
    } tries[] = {
        { "plain words", 11, "plain words" },
        { "new\nline", 8, "new%0Aline" },
        { "\r\n", 2, "%0D%0A" },
        { "a\0b", 3, "a%00b" },
        { "100%", 4, "100%25" },
        { "\x7f", 1, "%7F" },
        { "\xf0\x9f\x98\x80", 4, "%F0%9F%98%80" },
        { "\xff\xfe", 2, "%EF%BF%BD%EF%BF%BD" },
        { " both ends ", 11, " both ends " },
        { "~", 1, "~" },
    };
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    (void)state;
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++, id += 2) {
        e2e_set_fail(server, OYEZ_ABORTED, tries[i].text, tries[i].len);
        raw_call(p, id, "/pkg.Svc/Fail", "", 0);
        (void)raw_expect_status(p, id, OYEZ_ABORTED);
        assert_string_equal(raw_field(raw_find(p, id), "grpc-message"), tries[i].wire);
    }
    raw_close(p);
    e2e_end(server);
}

/* 100 KiB of words: cut to what the client accepts, or to what is reasonable; the code comes in any case. */
static void long_status_text_is_cut(void **state)
{
    static const uint32_t limits[] = { 0, 16384, 8192, 600, 200, 100 };
    const size_t len = 100 * 1024;
    e2e_server *server = e2e_serve(NULL);
    char *text = test_malloc(len);
    (void)state;
    memset(text, 'x', len);
    for (size_t i = 0; i < len; i += 97)
        memcpy(text + i, "\xc3\xa4", 2); /* never cut within an escape or a character */
    e2e_set_fail(server, OYEZ_DATA_LOSS, text, len);
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        raw_peer *p = raw_client(server->port);
        if (limits[i])
            raw_setting(p, OY_H2_SETTING_MAX_HEADER_LIST_SIZE, limits[i]);
        raw_sync(p);
        raw_call(p, 1, "/pkg.Svc/Fail", "", 0);
        const raw_stream *stream = raw_await(p, 1);
        if (limits[i] != 100) {
            (void)raw_expect_status(p, 1, OYEZ_DATA_LOSS);
            const char *wire = raw_field(stream, "grpc-message");
            size_t got = wire ? strlen(wire) : 0;
            assert_true(got < 70000);
            assert_true(got == 0 || limits[i] == 0 || got < limits[i]);
            assert_true(got > 0 || limits[i] < 300);
            for (const char *at = wire; at && (at = strchr(at, '%')) != NULL; at += 6)
                assert_memory_equal(at, "%C3%A4", 6);
        } else {
            /* ":status", "content-type" and "grpc-status" take more than that. */
            raw_expect_reset(p, 1, OY_H2_INTERNAL_ERROR);
        }
        if (limits[i] == 0 || limits[i] > 200)
            e2e_expect_serves_on(p, 3);
        raw_close(p);
    }
    test_free(text);
    e2e_end(server);
}

/* --- B24: grpc-timeout, received --------------------------------------------------------------------------------- */

static void extreme_timeouts(void **state)
{
    static const struct {
        const char *text;
        const char *outcome;
    } tries[] = {
        { "99999999H", "0 " }, { "00000001S", "0 " }, { "99999999S", "0 " }, { "1H", "0 " }, { "99999999n", "0 " },
        { "0n", "4 " }, { "0H", "4 " },
        { "999999999S", "http 400 13" }, { "-1S", "http 400 13" }, { "+1S", "http 400 13" }, { "1", "http 400 13" },
        { "S", "http 400 13" }, { "1x", "http 400 13" }, { "1.5S", "http 400 13" }, { "", "http 400 13" },
        { " 1S", "http 400 13" }, { "1 S", "http 400 13" }, { "1SS", "http 400 13" }, { "0x1S", "http 400 13" },
    };
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    uint32_t id = 1;
    (void)state;
    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++, id += 2) {
        raw_request_with(p, id, ECHO, "grpc-timeout", tries[i].text, NULL);
        raw_message(p, id, "t", 1, RAW_END);
        const char *outcome = raw_outcome(raw_await(p, id));
        if (strncmp(outcome, tries[i].outcome, strlen(tries[i].outcome)) != 0)
            fail_msg("grpc-timeout \"%s\": \"%s\" instead of \"%s\"", tries[i].text, outcome, tries[i].outcome);
    }
    /* Two of them: whatever is taken, a malformed one fails the call. */
    raw_request_with(p, id, ECHO, "grpc-timeout", "1H", "grpc-timeout", "2H", NULL);
    raw_message(p, id, "t", 1, RAW_END);
    raw_expect_ok(p, id, "t", 1);
    id += 2;
    raw_request_with(p, id, ECHO, "grpc-timeout", "x", "grpc-timeout", "2H", NULL);
    raw_message(p, id, "t", 1, RAW_END);
    raw_expect_http(p, id, "400", OYEZ_INTERNAL);
    raw_close(p);
    e2e_end(server);
}

/* The shortest of times is over before, or while, the handler runs. */
static void a_nanosecond_is_short(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    raw_request_with(p, 1, "/pkg.Svc/Hold", "grpc-timeout", "1n", NULL);
    raw_message(p, 1, "t", 1, RAW_END);
    (void)raw_expect_status(p, 1, OYEZ_DEADLINE_EXCEEDED);
    raw_request_with(p, 3, "/pkg.Svc/Hold", "grpc-timeout", "50m", NULL);
    raw_message(p, 3, "t", 1, RAW_END);
    (void)raw_expect_status(p, 3, OYEZ_DEADLINE_EXCEEDED);
    e2e_await_live(server, 0);
    assert_int_equal(server->cancelled, server->handled);
    /* A request that never becomes complete ends by its deadline, too. */
    raw_request_with(p, 5, ECHO, "grpc-timeout", "50m", NULL);
    (void)raw_expect_status(p, 5, OYEZ_DEADLINE_EXCEEDED);
    e2e_expect_serves_on(p, 7);
    raw_close(p);
    e2e_end(server);
}

/* An answer that the client does not take is not kept beyond the deadline of its call. */
static void an_answer_that_is_not_taken_ends_with_the_deadline(void **state)
{
    e2e_server *server = e2e_serve(NULL);
    raw_peer *p = raw_client(server->port);
    (void)state;
    p->no_credit = true;
    raw_request_with(p, 1, "/pkg.Svc/Big", "grpc-timeout", "300m", NULL);
    raw_message(p, 1, "1000000", 7, RAW_END);
    raw_expect_reset(p, 1, OY_H2_CANCEL);
    assert_int_equal(raw_find(p, 1)->body.len, 65535);
    raw_window_update(p, 0, 100000);
    e2e_expect_serves_on(p, 3);
    raw_close(p);
    e2e_end(server);
}

OY_TEST_GROUP(e2e_hostile_metadata, oy_leak_test(good_bin_values_are_accepted),
              oy_leak_test(bad_bin_values_fail_their_call_alone), oy_leak_test(status_text_never_leaves_raw),
              oy_leak_test(long_status_text_is_cut), oy_leak_test(extreme_timeouts),
              oy_leak_test(a_nanosecond_is_short),
              oy_leak_test(an_answer_that_is_not_taken_ends_with_the_deadline));

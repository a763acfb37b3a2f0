/* SPDX-License-Identifier: Apache-2.0 */
/* The small frames: PRIORITY, RST_STREAM, PING, GOAWAY; and floods of them. */
#include "support/h2_script.h"
#include "support/test.h"

/* --- PRIORITY --------------------------------------------------------------------------------- */

H2_TALK(priority_of_any_stream, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, PRIORITY, 0, 3, "\0\0\0\0\xff"); /* idle, and then a lower one is begun */
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    H2_SEND(s, PRIORITY, 0, 1, "\0\0\0\0\xff");
    oy_h2_stream_close(s->conn, h2_stream(s, 1));
    H2_SEND(s, PRIORITY, 0, 1, "\0\0\0\0\xff");
    h2_expect_news(s, "headers 1 end");
}

H2_TALK(priority_of_stream_zero, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, PRIORITY, 0, 0, "\0\0\0\1\xff");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "PRIORITY on stream 0");
}

H2_TALK(priority_of_wrong_length, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    H2_SEND(s, PRIORITY, 0, 1, "\x80\0\0\1");
    h2_expect_rst(s, 1, OY_H2_FRAME_SIZE_ERROR);
    h2_expect_news(s, "headers 1 end; reset 1 FRAME_SIZE_ERROR: PRIORITY is not 5 bytes long");
    /* Also behind the end: the peer learns what it does wrong. */
    H2_SEND(s, PRIORITY, 0, 1, "\x80\0\0\1\xff\xff");
    h2_expect_rst(s, 1, OY_H2_FRAME_SIZE_ERROR);
    h2_expect_news(s, "");
}

H2_TALK(priority_on_itself, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    H2_SEND(s, PRIORITY, 0, 1, "\x80\0\0\1\xff");
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "headers 1; reset 1 PROTOCOL_ERROR: a stream that depends on itself");
    H2_SEND(s, PRIORITY, 0, 3, "\0\0\0\3\xff");
    h2_expect_failure(s, 1, OY_H2_PROTOCOL_ERROR, "a stream that depends on itself");
}

/* --- RST_STREAM ------------------------------------------------------------------------------- */

H2_TALK(reset_by_the_peer, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_u32(s, OY_H2_FRAME_RST_STREAM, 1, OY_H2_CANCEL);
    h2_send_u32(s, OY_H2_FRAME_RST_STREAM, 1, OY_H2_CANCEL); /* once more means nothing */
    h2_expect_news(s, "headers 1; reset 1 CANCEL by peer");
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
    assert_null(oy_h2_stream_find(s->conn, 1));
}

H2_TALK(reset_of_stream_zero, &h2_a_server)
{
    h2_hello(s);
    h2_send_u32(s, OY_H2_FRAME_RST_STREAM, 0, OY_H2_CANCEL);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "RST_STREAM for a stream that was never begun");
}

H2_TALK(reset_of_an_idle_stream, &h2_a_server)
{
    h2_hello(s);
    h2_send_u32(s, OY_H2_FRAME_RST_STREAM, 1, OY_H2_CANCEL);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "RST_STREAM for a stream that was never begun");
}

H2_TALK(reset_of_wrong_length, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    H2_SEND(s, RST_STREAM, 0, 1, "\0\0\0");
    h2_expect_failure(s, 1, OY_H2_FRAME_SIZE_ERROR, "RST_STREAM is not 4 bytes long");
}

/* B02: streams come and go; never more than one is open. */
H2_TALK(rapid_reset, &h2_a_server)
{
    h2_hello(s);
    for (uint32_t id = 1; id < 2 * H2_SCRIPT_STREAMS; id += 2) {
        h2_send_request(s, 0, id);
        h2_send_u32(s, OY_H2_FRAME_RST_STREAM, id, OY_H2_CANCEL);
        assert_int_equal(oy_h2_stream_count(s->conn), 0);
        h2_forget_news(s);
    }
    assert_ok(s->err);
}

/* --- PING ------------------------------------------------------------------------------------- */

H2_TALK(ping_is_answered, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, PING, 0, 0, "12345678");
    H2_EXPECT(s, PING, ACK, 0, "12345678");
    oy_h2_ping(s->conn, (const uint8_t *)"abcdefgh");
    H2_EXPECT(s, PING, 0, 0, "abcdefgh");
    H2_SEND(s, PING, ACK, 0, "abcdefgh");
    h2_expect_news(s, "ping 12345678; pong abcdefgh");
}

H2_TALK(ping_on_a_stream, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, PING, 0, 1, "12345678");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "PING on a stream");
}

H2_TALK(ping_of_wrong_length, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, PING, 0, 0, "123456");
    h2_expect_failure(s, 0, OY_H2_FRAME_SIZE_ERROR, "PING is not 8 bytes long");
}

/* --- GOAWAY ----------------------------------------------------------------------------------- */

H2_TALK(goaway_twice, &h2_a_client)
{
    oy_h2_stream other = {0};

    h2_hello(s);
    h2_begin_request(s, true);
    H2_SEND(s, GOAWAY, 0, 0, "\x7f\xff\xff\xff\0\0\0\0soon");
    assert_err(oy_h2_stream_open(s->conn, &other), OYEZ_ESTATE);
    H2_SEND(s, GOAWAY, 0, 0, "\0\0\0\1\0\0\0\x0b");
    h2_send_response(s, OY_H2_FLAG_END_STREAM, 1); /* what was begun goes on */
    h2_expect_news(s,
                   "goaway 2147483647 NO_ERROR soon; goaway 1 ENHANCE_YOUR_CALM ; headers 1 end");
}

H2_TALK(goaway_with_a_higher_id, &h2_a_client)
{
    h2_hello(s);
    H2_SEND(s, GOAWAY, 0, 0, "\0\0\0\1\0\0\0\0");
    H2_SEND(s, GOAWAY, 0, 0, "\0\0\0\3\0\0\0\0");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "a second GOAWAY with a higher stream id");
}

H2_TALK(goaway_with_an_even_id, &h2_a_client)
{
    h2_hello(s);
    H2_SEND(s, GOAWAY, 0, 0, "\0\0\0\2\0\0\0\0");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "GOAWAY with a stream id that is not ours");
}

H2_TALK(goaway_on_a_stream, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, GOAWAY, 0, 1, "\0\0\0\0\0\0\0\0");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "GOAWAY on a stream");
}

H2_TALK(goaway_of_wrong_length, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, GOAWAY, 0, 0, "\0\0\0\0\0\0\0");
    h2_expect_failure(s, 0, OY_H2_FRAME_SIZE_ERROR, "GOAWAY is shorter than 8 bytes");
}

/* --- floods (B06) ----------------------------------------------------------------------------- */

#define CALM "the peer provokes replies and does not read them"

H2_TALK(flood_of_pings, &h2_a_server)
{
    h2_hello(s);
    oy_h2_flushed(s->conn);
    for (int i = 0; i < 1000; i++) {
        H2_SEND(s, PING, 0, 0, "12345678");
        h2_forget_news(s);
    }
    for (int i = 0; i < 1000; i++)
        H2_EXPECT(s, PING, ACK, 0, "12345678");
    h2_expect_silence(s);
    H2_SEND(s, PING, 0, 0, "12345678");
    h2_expect_failure(s, 0, OY_H2_ENHANCE_YOUR_CALM, CALM);
}

static const oy_h2_config impatient = {.server = true, .max_unsent_control = 10};

H2_TALK(flood_of_settings, &impatient)
{
    h2_hello(s);
    oy_h2_flushed(s->conn);
    for (int i = 0; i < 11; i++)
        H2_SEND(s, SETTINGS, 0, 0, "");
    for (int i = 0; i < 10; i++)
        H2_EXPECT(s, SETTINGS, ACK, 0, "");
    h2_expect_failure(s, 0, OY_H2_ENHANCE_YOUR_CALM, CALM);
}

H2_TALK(flood_of_stream_errors, &impatient)
{
    h2_hello(s);
    oy_h2_flushed(s->conn);
    s->refuse = true;
    for (uint32_t id = 1; id < 23; id += 2)
        h2_send_request(s, 0, id);
    for (uint32_t id = 1; id < 21; id += 2)
        h2_expect_rst(s, id, OY_H2_REFUSED_STREAM);
    h2_expect_failure(s, 21, OY_H2_ENHANCE_YOUR_CALM, CALM);
}

H2_TALK(a_peer_that_reads_may_go_on, &impatient)
{
    h2_hello(s);
    for (int i = 0; i < 100; i++) {
        H2_SEND(s, PING, 0, 0, "12345678");
        H2_EXPECT(s, PING, ACK, 0, "12345678");
        oy_h2_flushed(s->conn);
        h2_forget_news(s);
    }
    assert_ok(s->err);
}

/* Nothing is written for these, and nothing grows. */
H2_TALK(flood_of_priority_and_empty_data, &impatient)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    for (int i = 0; i < 2000; i++) {
        H2_SEND(s, PRIORITY, 0, 1, "\0\0\0\3\xff");
        H2_SEND(s, DATA, 0, 1, "");
    }
    h2_expect_news(s, "headers 1");
}

/* Resets of our own do not count as provoked. */
H2_TALK(many_cancelled_downloads, &h2_a_client)
{
    h2_hello(s);
    for (int i = 0; i < H2_SCRIPT_STREAMS; i++) {
        oy_h2_stream *stream = h2_begin_request(s, true);
        uint32_t id = stream->id;
        h2_send_response(s, 0, id);
        H2_SEND(s, DATA, 0, id, "half of it");
        oy_h2_stream_reset(s->conn, stream, OY_H2_CANCEL);
        h2_expect_rst(s, id, OY_H2_CANCEL);
        H2_SEND(s, DATA, 0, id, "more of it");
        h2_forget_news(s);
    }
    assert_ok(s->err);
}

OY_TEST_GROUP(h2_recv_control, cmocka_unit_test(priority_of_any_stream),
              cmocka_unit_test(priority_of_stream_zero), cmocka_unit_test(priority_of_wrong_length),
              cmocka_unit_test(priority_on_itself), cmocka_unit_test(reset_by_the_peer),
              cmocka_unit_test(reset_of_stream_zero), cmocka_unit_test(reset_of_an_idle_stream),
              cmocka_unit_test(reset_of_wrong_length), cmocka_unit_test(rapid_reset),
              cmocka_unit_test(ping_is_answered), cmocka_unit_test(ping_on_a_stream),
              cmocka_unit_test(ping_of_wrong_length), cmocka_unit_test(goaway_twice),
              cmocka_unit_test(goaway_with_a_higher_id), cmocka_unit_test(goaway_with_an_even_id),
              cmocka_unit_test(goaway_on_a_stream), cmocka_unit_test(goaway_of_wrong_length),
              cmocka_unit_test(flood_of_pings), cmocka_unit_test(flood_of_settings),
              cmocka_unit_test(flood_of_stream_errors),
              cmocka_unit_test(a_peer_that_reads_may_go_on),
              cmocka_unit_test(flood_of_priority_and_empty_data),
              cmocka_unit_test(many_cancelled_downloads));

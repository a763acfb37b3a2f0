/* SPDX-License-Identifier: Apache-2.0 */
/* Prefaces, frame headers, sizes, types that nobody knows. */
#include "support/h2_script.h"
#include "support/test.h"

H2_TALK(server_greets, &h2_a_server)
{
    H2_EXPECT(s, SETTINGS, 0, 0,
              "\0\3\0\0\x10\0"
              "\0\4\0\x10\0\0"
              "\0\6\0\0\x40\0");
    h2_expect_window_update(s, 0, (4u << 20) - 65535);
    h2_expect_silence(s);
    H2_SEND(s, SETTINGS, 0, 0, ""); /* not a preface, yet */
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "the peer did not begin with the HTTP/2 preface");
}

H2_TALK(server_answers_the_preface, &h2_a_server)
{
    h2_hello(s);
    assert_true(oy_h2_peer(s->conn)->received);
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
}

H2_TALK(client_greets, &h2_a_client)
{
    h2_hello(s);
    assert_memory_equal(s->out.data, OY_H2_PREFACE, OY_H2_PREFACE_BYTES);
    s->read = OY_H2_PREFACE_BYTES;
    H2_EXPECT(s, SETTINGS, 0, 0,
              "\0\2\0\0\0\0"
              "\0\4\0\x10\0\0"
              "\0\6\0\0\x40\0");
    h2_expect_window_update(s, 0, (4u << 20) - 65535);
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
}

static void skip_greeting(h2_script *s)
{
    h2_expect_any(s);
    h2_expect_any(s);
}

H2_TALK(http1_request, &h2_a_server)
{
    skip_greeting(s);
    h2_feed(s, "POST / HTTP/1.1\r\n\r\n", 19);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "the peer does not speak HTTP/2: it sent an HTTP/1 request");
}

H2_TALK(tls_hello, &h2_a_server)
{
    skip_greeting(s);
    h2_feed(s, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 9);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "the peer speaks TLS, and this side does not");
}

H2_TALK(preface_wrong_at_its_end, &h2_a_server)
{
    skip_greeting(s);
    h2_feed(s, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r", 24);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "the peer did not begin with the HTTP/2 preface");
}

H2_TALK(http1_answer, &h2_a_client)
{
    oy_outq_consume(&s->output, OY_H2_PREFACE_BYTES);
    skip_greeting(s);
    h2_feed(s, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "the peer does not speak HTTP/2: it answered with HTTP/1");
}

H2_TALK(tls_alert, &h2_a_client)
{
    oy_outq_consume(&s->output, OY_H2_PREFACE_BYTES);
    skip_greeting(s);
    h2_feed(s, "\x15\x03\x03\x00\x02\x02\x46", 7);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "the peer speaks TLS, and this side does not");
}

H2_TALK(first_frame_is_not_settings, &h2_a_server)
{
    skip_greeting(s);
    h2_feed(s, OY_H2_PREFACE, OY_H2_PREFACE_BYTES);
    H2_SEND(s, PING, 0, 0, "12345678");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "the first frame of the peer is not SETTINGS");
}

H2_TALK(first_frame_is_an_ack, &h2_a_server)
{
    skip_greeting(s);
    h2_feed(s, OY_H2_PREFACE, OY_H2_PREFACE_BYTES);
    H2_SEND(s, SETTINGS, ACK, 0, "");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "the first frame of the peer is not SETTINGS");
}

H2_TALK(unknown_types_are_ignored, &h2_a_server)
{
    static const uint8_t zeros[16384];

    h2_hello(s);
    h2_send(s, 0x16, 0xff, 0, "whatever", 8);
    h2_send(s, 0xff, 0, 7, "", 0);
    h2_send(s, 10, 0, 1, zeros, sizeof(zeros));
    H2_SEND(s, PING, 0, 0, "12345678");
    H2_EXPECT(s, PING, ACK, 0, "12345678");
    h2_expect_news(s, "ping 12345678");
}

H2_TALK(unknown_flags_and_the_reserved_bit_are_ignored, &h2_a_server)
{
    h2_hello(s);
    h2_send(s, OY_H2_FRAME_PING, 0xfe, 0x80000000u, "12345678", 8);
    H2_EXPECT(s, PING, ACK, 0, "12345678");
    h2_expect_news(s, "ping 12345678");
}

H2_TALK(frame_of_the_largest_size, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_zeros(s, OY_H2_FLAG_END_STREAM, 1, 16384);
    h2_expect_news(s, "headers 1; data 1 16384 end");
}

H2_TALK(frame_that_is_too_large, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_zeros(s, 0, 1, 16385);
    h2_expect_failure(s, 1, OY_H2_FRAME_SIZE_ERROR, "a frame is longer than 16384 bytes");
}

H2_TALK(frame_that_is_too_large_fails_by_its_header, &h2_a_server)
{
    h2_hello(s);
    h2_feed(s, "\xff\xff\xff\x04\0\0\0\0\0", 9);
    h2_expect_failure(s, 0, OY_H2_FRAME_SIZE_ERROR, "a frame is longer than 16384 bytes");
}

H2_TALK(push_promise_to_a_server, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    H2_SEND(s, PUSH_PROMISE, END_HEADERS, 1, "\0\0\0\2");
    h2_expect_failure(s, 1, OY_H2_PROTOCOL_ERROR, "PUSH_PROMISE, which is not allowed here");
}

H2_TALK(push_promise_to_a_client, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, true);
    H2_SEND(s, PUSH_PROMISE, END_HEADERS, 1, "\0\0\0\2\x83\x86\x84");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "PUSH_PROMISE, which is not allowed here");
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(oy_h2_code_name(11), "ENHANCE_YOUR_CALM");
    assert_string_equal(oy_h2_code_name(14), "unknown error code");
    assert_string_equal(oy_h2_code_name(UINT32_MAX), "unknown error code");
    assert_string_equal(oy_h2_frame_name(9), "CONTINUATION");
    assert_string_equal(oy_h2_frame_name(10), "unknown frame type");
}

static void settings_follow_the_config(void **state)
{
    static h2_script s;
    oy_h2_config config = {
        .server = true,
        .header_table_bytes = 8192,
        .stream_window = 65535,
        .connection_window = 10, /* cannot be less than what the protocol begins with */
    };

    (void)state;
    h2_script_init(&s, &config, H2_CUT_WHOLE, 1);
    H2_EXPECT(&s, SETTINGS, 0, 0,
              "\0\3\0\0\x10\0"
              "\0\1\0\0\x20\0"
              "\0\6\0\0\x40\0");
    h2_expect_silence(&s);
    h2_script_fini(&s);
}

OY_TEST_GROUP(h2_recv, cmocka_unit_test(server_greets),
              cmocka_unit_test(server_answers_the_preface), cmocka_unit_test(client_greets),
              cmocka_unit_test(http1_request), cmocka_unit_test(tls_hello),
              cmocka_unit_test(preface_wrong_at_its_end), cmocka_unit_test(http1_answer),
              cmocka_unit_test(tls_alert), cmocka_unit_test(first_frame_is_not_settings),
              cmocka_unit_test(first_frame_is_an_ack), cmocka_unit_test(unknown_types_are_ignored),
              cmocka_unit_test(unknown_flags_and_the_reserved_bit_are_ignored),
              cmocka_unit_test(frame_of_the_largest_size),
              cmocka_unit_test(frame_that_is_too_large),
              cmocka_unit_test(frame_that_is_too_large_fails_by_its_header),
              cmocka_unit_test(push_promise_to_a_server),
              cmocka_unit_test(push_promise_to_a_client), cmocka_unit_test(names),
              cmocka_unit_test(settings_follow_the_config));

/* SPDX-License-Identifier: Apache-2.0 */
/* SETTINGS and WINDOW_UPDATE: what we may send, and what the peer may not. */
#include "support/h2_script.h"
#include "support/test.h"

H2_TALK(settings_are_applied_and_acknowledged, &h2_a_server)
{
    const oy_h2_peer_settings *peer;

    h2_hello(s);
    peer = oy_h2_peer(s->conn);
    assert_int_equal(peer->max_streams, UINT32_MAX);
    assert_int_equal(peer->header_list_bytes, UINT32_MAX);
    H2_SEND(s, SETTINGS, 0, 0,
            "\0\1\0\0\0\0"
            "\0\2\0\0\0\1"
            "\0\3\0\0\0\7"
            "\0\4\0\0\0\x9"
            "\0\5\0\x10\0\0"
            "\0\6\0\0\1\0"
            "\xfe\3\0\0\0\1"); /* the last is nobody's business */
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    assert_int_equal(peer->header_table_bytes, 0);
    assert_int_equal(peer->max_streams, 7);
    assert_int_equal(peer->initial_window, 9);
    assert_int_equal(peer->max_frame_bytes, 1 << 20);
    assert_int_equal(peer->header_list_bytes, 256);
    h2_expect_news(s, "settings");
}

H2_TALK(ack_with_a_payload, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, SETTINGS, ACK, 0, "\0\3\0\0\0\7");
    h2_expect_failure(s, 0, OY_H2_FRAME_SIZE_ERROR,
                      "an acknowledgement of SETTINGS with a payload");
}

H2_TALK(settings_on_a_stream, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, SETTINGS, 0, 1, "\0\3\0\0\0\7");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "SETTINGS on a stream");
}

H2_TALK(settings_of_wrong_length, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, SETTINGS, 0, 0, "\0\3\0");
    h2_expect_failure(s, 0, OY_H2_FRAME_SIZE_ERROR,
                      "the length of SETTINGS is not a multiple of 6");
}

H2_TALK(enable_push_of_two, &h2_a_server)
{
    h2_hello(s);
    h2_send_setting(s, 2, 2);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "SETTINGS_ENABLE_PUSH has a value it must not have");
}

H2_TALK(enable_push_by_a_server, &h2_a_client)
{
    h2_hello(s);
    h2_send_setting(s, 2, 1);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "SETTINGS_ENABLE_PUSH has a value it must not have");
}

H2_TALK(initial_window_too_large, &h2_a_server)
{
    h2_hello(s);
    h2_send_setting(s, 4, 0x80000000u);
    h2_expect_failure(s, 0, OY_H2_FLOW_CONTROL_ERROR,
                      "SETTINGS_INITIAL_WINDOW_SIZE is over 2^31-1");
}

H2_TALK(max_frame_size_too_small, &h2_a_server)
{
    h2_hello(s);
    h2_send_setting(s, 5, 16383);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "SETTINGS_MAX_FRAME_SIZE is not in 2^14 to 2^24-1");
}

H2_TALK(max_frame_size_too_large, &h2_a_server)
{
    h2_hello(s);
    h2_send_setting(s, 5, 16777216);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "SETTINGS_MAX_FRAME_SIZE is not in 2^14 to 2^24-1");
}

/* --- windows ---------------------------------------------------------------------------------- */

static void send_data(h2_script *s, oy_h2_stream *stream, uint32_t bytes, bool end_stream)
{
    static const uint8_t zeros[16384];

    assert_ok(oy_h2_data_begin(s->conn, stream, bytes, end_stream));
    assert_ok(oy_outq_copy(&s->output, zeros, bytes));
    h2_expect_type(s, OY_H2_FRAME_DATA, end_stream ? OY_H2_FLAG_END_STREAM : 0, stream->id);
}

H2_TALK(initial_window_changes_open_streams, &h2_a_client)
{
    oy_h2_stream *stream;

    h2_hello(s);
    stream = h2_begin_request(s, false);
    assert_int_equal(oy_h2_send_quota(s->conn, stream), 16384);
    send_data(s, stream, 1000, false);
    h2_send_setting(s, 4, 100);
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    h2_expect_news(s, "settings");
    assert_int_equal(stream->send_window, -900);
    assert_int_equal(oy_h2_send_quota(s->conn, stream), 0);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 900);
    h2_expect_news(s, ""); /* still nothing to send with */
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 1);
    h2_expect_news(s, "writable 1");
    assert_int_equal(oy_h2_send_quota(s->conn, stream), 1);
    h2_send_setting(s, 4, 200);
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    h2_expect_news(s, "settings; writable all");
    assert_int_equal(oy_h2_send_quota(s->conn, stream), 101);
    /* Only the last of many values counts, and is applied once. */
    H2_SEND(s, SETTINGS, 0, 0,
            "\0\4\0\0\0\1"
            "\0\4\0\0\0\2"
            "\0\4\0\0\0\x3");
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    assert_int_equal(stream->send_window, -96);
    h2_expect_news(s, "settings");
}

H2_TALK(initial_window_overflows_a_stream, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, false);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 1);
    h2_send_setting(s, 4, 0x7fffffff);
    h2_expect_failure(s, 0, OY_H2_FLOW_CONTROL_ERROR,
                      "SETTINGS_INITIAL_WINDOW_SIZE overflows a window");
}

H2_TALK(connection_window_holds_all_streams, &h2_a_client)
{
    oy_h2_stream *one, *two;

    h2_hello(s);
    one = h2_begin_request(s, false);
    two = h2_begin_request(s, false);
    for (int i = 0; i < 3; i++)
        send_data(s, one, 16384, false);
    assert_int_equal(oy_h2_send_quota(s->conn, two), 16383);
    assert_err(oy_h2_data_begin(s->conn, two, 16384, false), OYEZ_EINVAL);
    send_data(s, two, 16383, false);
    assert_int_equal(oy_h2_send_quota(s->conn, one), 0);
    assert_int_equal(oy_h2_send_quota(s->conn, NULL), 0); /* of the connection alone */
    send_data(s, one, 0, true);                           /* an empty frame needs no window */
    assert_err(oy_h2_data_begin(s->conn, one, 0, true), OYEZ_ESTATE);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 0, 10);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 0, 10);
    h2_expect_news(s, "writable all"); /* once: the second adds to what there is */
    assert_int_equal(oy_h2_send_quota(s->conn, two), 20);
}

H2_TALK(window_update_of_zero, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 0);
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "headers 1; reset 1 PROTOCOL_ERROR: WINDOW_UPDATE of the stream by 0");
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 0, 0x80000000u); /* the first bit is reserved */
    h2_expect_failure(s, 1, OY_H2_PROTOCOL_ERROR, "WINDOW_UPDATE of the connection by 0");
}

H2_TALK(window_update_over_the_maximum, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 0x7fffffff - 65535);
    h2_expect_silence(s);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 1);
    h2_expect_rst(s, 1, OY_H2_FLOW_CONTROL_ERROR);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 0, 0x7fffffff);
    h2_expect_failure(s, 1, OY_H2_FLOW_CONTROL_ERROR,
                      "the window of the connection went over 2^31-1");
}

H2_TALK(window_update_of_an_idle_stream, &h2_a_server)
{
    h2_hello(s);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 100);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "WINDOW_UPDATE for a stream that was never begun");
}

H2_TALK(window_update_of_a_closed_stream, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    oy_h2_stream_close(s->conn, h2_stream(s, 1));
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 100);
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 1, 0);
    h2_expect_silence(s);
}

H2_TALK(window_update_of_wrong_length, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, WINDOW_UPDATE, 0, 0, "\0\0\1");
    h2_expect_failure(s, 0, OY_H2_FRAME_SIZE_ERROR, "WINDOW_UPDATE is not 4 bytes long");
}

H2_TALK(windows_grow, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    assert_ok(oy_h2_grow_windows(s->conn, 1000, 1000)); /* never smaller */
    h2_expect_silence(s);
    assert_ok(oy_h2_grow_windows(s->conn, 2u << 20, 8u << 20));
    h2_expect_window_update(s, 0, 4u << 20);
    H2_EXPECT(s, SETTINGS, 0, 0, "\0\4\0\x20\0\0");
    assert_int_equal(h2_stream(s, 1)->inflow.window, 2 << 20);
    H2_SEND(s, SETTINGS, ACK, 0, "");
    assert_int_equal(h2_stream(s, 1)->inflow.limit, 2 << 20);
    h2_send_request(s, 0, 3);
    assert_int_equal(h2_stream(s, 3)->inflow.window, 2 << 20);
    assert_ok(oy_h2_grow_windows(s->conn, UINT32_MAX, UINT32_MAX));
    h2_expect_window_update(s, 0, 0x7fffffffu - (8u << 20));
    H2_EXPECT(s, SETTINGS, 0, 0, "\0\4\x7f\xff\xff\xff");
    h2_forget_news(s);
}

/* --- streams of a client ---------------------------------------------------------------------- */

H2_TALK(client_heeds_the_limit_of_streams, &h2_a_client)
{
    oy_h2_stream *one, two = {0};

    h2_hello(s);
    h2_send_setting(s, 3, 1);
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    one = h2_begin_request(s, true);
    assert_err(oy_h2_stream_open(s->conn, &two), OYEZ_ELIMIT);
    assert_int_equal(two.id, 0);
    h2_forget_news(s);
    h2_send_setting(s, 3, 2);
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    h2_expect_news(s, "settings; writable all");
    assert_ok(oy_h2_stream_open(s->conn, &two));
    assert_int_equal(two.id, 3);
    oy_h2_stream_close(s->conn, &two);
    oy_h2_stream_close(s->conn, &two); /* once more does nothing */
    oy_h2_stream_reset(s->conn, one, OY_H2_CANCEL);
    h2_expect_rst(s, 1, OY_H2_CANCEL);
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
}

static void hundred_streams_before_settings(void **state)
{
    static h2_script s;
    oy_h2_stream streams[101];

    (void)state;
    memset(streams, 0, sizeof(streams));
    h2_script_init(&s, &h2_a_client, H2_CUT_WHOLE, 1);
    for (int i = 0; i < 100; i++)
        assert_ok(oy_h2_stream_open(s.conn, &streams[i]));
    assert_err(oy_h2_stream_open(s.conn, &streams[100]), OYEZ_ELIMIT);
    H2_SEND(&s, SETTINGS, 0, 0, "");
    assert_ok(oy_h2_stream_open(s.conn, &streams[100]));
    for (int i = 0; i <= 100; i++)
        assert_ptr_equal(oy_h2_stream_find(s.conn, (uint32_t)i * 2 + 1), &streams[i]);
    h2_script_fini(&s);
}

OY_TEST_GROUP(h2_settings, cmocka_unit_test(settings_are_applied_and_acknowledged),
              cmocka_unit_test(ack_with_a_payload), cmocka_unit_test(settings_on_a_stream),
              cmocka_unit_test(settings_of_wrong_length), cmocka_unit_test(enable_push_of_two),
              cmocka_unit_test(enable_push_by_a_server), cmocka_unit_test(initial_window_too_large),
              cmocka_unit_test(max_frame_size_too_small),
              cmocka_unit_test(max_frame_size_too_large),
              cmocka_unit_test(initial_window_changes_open_streams),
              cmocka_unit_test(initial_window_overflows_a_stream),
              cmocka_unit_test(connection_window_holds_all_streams),
              cmocka_unit_test(window_update_of_zero),
              cmocka_unit_test(window_update_over_the_maximum),
              cmocka_unit_test(window_update_of_an_idle_stream),
              cmocka_unit_test(window_update_of_a_closed_stream),
              cmocka_unit_test(window_update_of_wrong_length), cmocka_unit_test(windows_grow),
              cmocka_unit_test(client_heeds_the_limit_of_streams),
              cmocka_unit_test(hundred_streams_before_settings));

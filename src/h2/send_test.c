/* SPDX-License-Identifier: Apache-2.0 */
/* Header blocks out: in one frame, in many, remembered; and the peer's limit of the list. */
#include "support/h2_script.h"
#include "support/test.h"

H2_TALK(block_in_one_frame, &h2_a_server)
{
    oy_h2_block block;
    uint8_t encoded[64];
    size_t len;
    uint32_t generation;
    const uint8_t *from;

    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 3);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 5);
    h2_forget_news(s);
    for (uint32_t id = 1; id <= 3; id += 2) {
        assert_ok(oy_h2_block_begin(s->conn, &block, 100, 200));
        from = oy_h2_block_position(&block);
        oy_h2_block_add(s->conn, &block, OYEZ_STR(":status"), OYEZ_STR("200"), OY_HPACK_INDEX);
        oy_h2_block_add(s->conn, &block, OYEZ_STR("content-type"), OYEZ_STR("application/grpc"),
                        OY_HPACK_INDEX);
        len = (size_t)(oy_h2_block_position(&block) - from);
        assert_true(len <= sizeof(encoded));
        memcpy(encoded, from, len);
        assert_ok(oy_h2_block_end(s->conn, &block, h2_stream(s, id), false));
        h2_expect_type(s, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS, id);
    }
    assert_int_equal(len, 2);
    assert_int_equal(encoded[0], 0x88);
    generation = oy_hpack_encoder_generation(oy_h2_encoder(s->conn));
    assert_ok(oy_h2_block_begin(s->conn, &block, 100, len));
    oy_h2_block_add_encoded(&block, encoded, len);
    assert_ok(oy_h2_block_end(s->conn, &block, h2_stream(s, 5), true));
    h2_expect(s, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS | OY_H2_FLAG_END_STREAM, 5, encoded,
              len);
    assert_int_equal(oy_hpack_encoder_generation(oy_h2_encoder(s->conn)), generation);
    assert_true(h2_stream(s, 5)->send_closed);
}

H2_TALK(block_in_many_frames, &h2_a_server)
{
    static char value[20000];
    oy_h2_block block;
    h2_frame frame;

    memset(value, '\x7f', sizeof(value)); /* no shorter by Huffman */
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    assert_ok(oy_h2_block_begin(s->conn, &block, 40100, 40200));
    oy_h2_block_add(s->conn, &block, OYEZ_STR(":status"), OYEZ_STR("200"), OY_HPACK_INDEX);
    for (int i = 0; i < 2; i++)
        oy_h2_block_add(s->conn, &block, OYEZ_STR("x"), (oyez_str){value, sizeof(value)},
                        OY_HPACK_LITERAL);
    assert_ok(oy_h2_block_end(s->conn, &block, h2_stream(s, 1), true));
    frame = h2_expect_any(s);
    assert_int_equal(frame.type, OY_H2_FRAME_HEADERS);
    assert_int_equal(frame.flags, OY_H2_FLAG_END_STREAM);
    assert_int_equal(frame.length, 16384);
    frame = h2_expect_any(s);
    assert_int_equal(frame.type, OY_H2_FRAME_CONTINUATION);
    assert_int_equal(frame.flags, 0);
    assert_int_equal(frame.length, 16384);
    h2_expect_type(s, OY_H2_FRAME_CONTINUATION, OY_H2_FLAG_END_HEADERS, 1);
}

/* May be large, but is not. */
H2_TALK(small_block_through_scratch, &h2_a_server)
{
    oy_h2_block block;

    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    assert_ok(oy_h2_block_begin(s->conn, &block, 100, 100000));
    oy_h2_block_add(s->conn, &block, OYEZ_STR(":status"), OYEZ_STR("200"), OY_HPACK_INDEX);
    assert_ok(oy_h2_block_end(s->conn, &block, h2_stream(s, 1), false));
    H2_EXPECT(s, HEADERS, END_HEADERS, 1, "\x88");
}

H2_TALK(list_over_the_limit_of_the_peer, &h2_a_server)
{
    oy_h2_block block;

    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_send_setting(s, 6, 100);
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    assert_err(oy_h2_block_begin(s->conn, &block, 101, 100), OYEZ_ELIMIT);
    h2_respond(s, 1, true);
    h2_expect_any(s);
}

H2_TALK(table_of_the_peer_shrinks, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    H2_SEND(s, SETTINGS, 0, 0,
            "\0\1\0\0\0\0"
            "\0\1\0\0\x10\0");
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    h2_respond(s, 1, true);
    h2_expect(s, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS | OY_H2_FLAG_END_STREAM, 1,
              "\x20\x3f\xe1\x1f\x88", 5);
}

H2_TALK(nothing_is_written_after_a_failure, &h2_a_server)
{
    oy_h2_stream *stream;
    oy_h2_block block;

    h2_hello(s);
    h2_send_request(s, 0, 1);
    stream = h2_stream(s, 1);
    H2_SEND(s, PING, 0, 1, "12345678");
    h2_expect_failure(s, 1, OY_H2_PROTOCOL_ERROR, "PING on a stream");
    assert_err(oy_h2_block_begin(s->conn, &block, 1, 1), OYEZ_EPROTO);
    assert_err(oy_h2_data_begin(s->conn, stream, 0, true), OYEZ_EPROTO);
    assert_err(oy_h2_grow_windows(s->conn, 2u << 20, 8u << 20), OYEZ_EPROTO);
    assert_int_equal(oy_h2_send_quota(s->conn, stream), 0);
    oy_h2_ping(s->conn, (const uint8_t *)"abcdefgh");
    oy_h2_goaway(s->conn, 0, OY_H2_NO_ERROR, OYEZ_STR("again"));
    oy_h2_consumed(s->conn, stream, 0);
    oy_h2_stream_reset(s->conn, stream, OY_H2_CANCEL); /* only forgotten */
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
    h2_expect_silence(s);
}

H2_TALK(goaway_never_goes_up, &h2_a_server)
{
    h2_hello(s);
    oy_h2_goaway(s->conn, 0, OY_H2_NO_ERROR, OYEZ_STR(""));
    H2_EXPECT(s, GOAWAY, 0, 0, "\0\0\0\0\0\0\0\0");
    h2_send_request(s, 0, 1);
    h2_expect_news(s, "");
    oy_h2_goaway(s->conn, 7, OY_H2_NO_ERROR, OYEZ_STR(""));
    H2_EXPECT(s, GOAWAY, 0, 0, "\0\0\0\0\0\0\0\0");
}

static void close_each(void *user, oy_h2_stream *stream)
{
    oy_h2_stream_close(user, stream);
}

H2_TALK(each_stream_may_be_closed_on_the_way, &h2_a_server)
{
    h2_hello(s);
    for (uint32_t id = 1; id < 400; id += 2) {
        h2_send_request(s, 0, id);
        h2_forget_news(s);
    }
    for (uint32_t id = 1; id < 400; id += 2)
        assert_ptr_equal(h2_stream(s, id), &s->streams[id / 2].h2);
    assert_int_equal(oy_h2_stream_count(s->conn), 200);
    oy_h2_stream_each(s->conn, close_each, s->conn);
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
}

OY_TEST_GROUP(h2_send, cmocka_unit_test(block_in_one_frame), cmocka_unit_test(block_in_many_frames),
              cmocka_unit_test(small_block_through_scratch),
              cmocka_unit_test(list_over_the_limit_of_the_peer),
              cmocka_unit_test(table_of_the_peer_shrinks),
              cmocka_unit_test(nothing_is_written_after_a_failure),
              cmocka_unit_test(goaway_never_goes_up),
              cmocka_unit_test(each_stream_may_be_closed_on_the_way));

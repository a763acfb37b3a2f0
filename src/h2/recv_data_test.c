/* SPDX-License-Identifier: Apache-2.0 */
/* DATA: pieces, padding, windows, content-length, and streams that are not open. */
#include "support/h2_script.h"
#include "support/test.h"

H2_TALK(payload_and_end, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    H2_SEND(s, DATA, 0, 1, "hello");
    H2_SEND(s, DATA, 0, 1, "");
    H2_SEND(s, DATA, 0, 1, " world");
    assert_false(h2_stream(s, 1)->recv_closed);
    H2_SEND(s, DATA, END_STREAM, 1, "");
    assert_true(h2_stream(s, 1)->recv_closed);
    h2_expect_news(s, "headers 1; data 1 11 end");
    assert_int_equal(s->body.len, 11);
    assert_memory_equal(s->body.data, "hello world", 11);
}

H2_TALK(padding_is_dropped_and_credited, &h2_a_server)
{
    oy_h2_stream *stream;

    h2_hello(s);
    h2_send_request(s, 0, 1);
    stream = h2_stream(s, 1);
    H2_SEND(s, DATA, PADDED, 1, "\3abc\0\0\0");
    assert_int_equal(stream->inflow.window, (1 << 20) - 7);
    assert_int_equal(stream->inflow.pending, 4);
    H2_SEND(s, DATA, PADDED, 1, "\0d");
    H2_SEND(s, DATA, PADDED, 1, "\2\0\0");
    h2_send(s, OY_H2_FRAME_DATA, OY_H2_FLAG_PADDED | OY_H2_FLAG_END_STREAM, 1, "\2\0\0", 3);
    h2_expect_news(s, "headers 1; data 1 4 end");
    assert_memory_equal(s->body.data, "abcd", 4);
}

H2_TALK(padding_as_long_as_the_frame, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    H2_SEND(s, DATA, PADDED, 1, "\4abc");
    h2_expect_failure(s, 1, OY_H2_PROTOCOL_ERROR, "the padding of DATA is longer than the frame");
}

H2_TALK(empty_and_padded, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    H2_SEND(s, DATA, PADDED, 1, "");
    h2_expect_failure(s, 1, OY_H2_FRAME_SIZE_ERROR, "DATA is too short for its flags");
}

H2_TALK(stream_zero, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, DATA, 0, 0, "x");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "DATA on stream 0");
}

H2_TALK(idle_stream, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, DATA, END_STREAM, 1, "test");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "DATA on a stream that was never begun");
}

H2_TALK(idle_stream_of_a_client, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, true);
    H2_SEND(s, DATA, 0, 3, "test");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "DATA on a stream that was never begun");
}

H2_TALK(behind_the_end, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    H2_SEND(s, DATA, 0, 1, "test");
    h2_expect_rst(s, 1, OY_H2_STREAM_CLOSED);
    H2_SEND(s, DATA, 0, 1, "again"); /* the peer cannot know yet */
    h2_expect_news(s, "headers 1 end; reset 1 STREAM_CLOSED: DATA behind the end of the stream");
}

H2_TALK(stream_that_had_ended, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_respond(s, 1, true);
    h2_expect_any(s);
    oy_h2_stream_close(s->conn, h2_stream(s, 1));
    H2_SEND(s, DATA, 0, 1, "test");
    h2_expect_failure(s, 1, OY_H2_STREAM_CLOSED, "DATA on a stream that had ended");
}

H2_TALK(stream_that_the_peer_has_reset, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_u32(s, OY_H2_FRAME_RST_STREAM, 1, OY_H2_CANCEL);
    H2_SEND(s, DATA, 0, 1, "test");
    h2_expect_rst(s, 1, OY_H2_STREAM_CLOSED);
    H2_SEND(s, DATA, 0, 1, "again");
    h2_expect_news(s, "headers 1; reset 1 CANCEL by peer");
}

H2_TALK(stream_that_we_have_reset, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    oy_h2_stream_reset(s->conn, h2_stream(s, 1), OY_H2_CANCEL);
    h2_expect_rst(s, 1, OY_H2_CANCEL);
    for (int i = 0; i < 10; i++)
        h2_send(s, OY_H2_FRAME_DATA, OY_H2_FLAG_PADDED, 1, "\3abc\0\0\0", 7);
    h2_expect_news(s, "headers 1");
}

/* What is no longer remembered is dropped, too. */
H2_TALK(stream_that_is_forgotten, &h2_a_server)
{
    h2_hello(s);
    for (uint32_t id = 1; id < 400; id += 2) {
        h2_send_request(s, OY_H2_FLAG_END_STREAM, id);
        oy_h2_stream_reset(s->conn, h2_stream(s, id), OY_H2_CANCEL);
        h2_expect_rst(s, id, OY_H2_CANCEL);
        h2_forget_news(s);
    }
    H2_SEND(s, DATA, 0, 1, "late");
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 3, "late", "trailers", NULL);
    assert_ok(s->err);
}

H2_TALK(before_the_response_headers, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, true);
    h2_send_fields(s, 0, 1, ":status", "100", NULL);
    H2_SEND(s, DATA, 0, 1, "test");
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "headers 1 informational; reset 1 PROTOCOL_ERROR: DATA before HEADERS");
}

/* --- windows ---------------------------------------------------------------------------------- */

static const oy_h2_config small_windows = {
    .server = true, .stream_window = 100000, .connection_window = 150000};

H2_TALK(stream_window_overrun, &small_windows)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    for (int i = 0; i < 6; i++)
        h2_send_zeros(s, 0, 1, 16384); /* 98304 */
    h2_expect_window_update(s, 0, 5 * 16384);
    h2_send_zeros(s, 0, 1, 1696);
    h2_expect_silence(s);
    h2_send_zeros(s, 0, 1, 1);
    h2_expect_rst(s, 1, OY_H2_FLOW_CONTROL_ERROR);
    h2_expect_news(s, "headers 1; data 1 100000; "
                      "reset 1 FLOW_CONTROL_ERROR: DATA went over the window of the stream");
}

H2_TALK(consumed_bytes_are_given_back_at_half, &small_windows)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    for (int i = 0; i < 4; i++)
        h2_send_zeros(s, 0, 1, 16384);
    oy_h2_consumed(s->conn, h2_stream(s, 1), 49999);
    h2_expect_silence(s);
    oy_h2_consumed(s->conn, h2_stream(s, 1), 1);
    h2_expect_window_update(s, 1, 50000);
    oy_h2_consumed(s->conn, h2_stream(s, 1), 15536);
    h2_send_zeros(s, OY_H2_FLAG_END_STREAM, 1, 16384);
    h2_expect_window_update(s, 0, 5 * 16384);
    /* Nothing more will come: nothing is given back. */
    oy_h2_consumed(s->conn, h2_stream(s, 1), 16384);
    assert_ok(s->err);
}

/* The peer never comes near its connection window if it heeds it, since that is given back on
 * arrival. */
static void connection_window_overrun(void **state)
{
    oy_h2_inflow flow;

    (void)state;
    oy_h2_inflow_init(&flow, 100);
    assert_true(oy_h2_inflow_arrive(&flow, 100));
    assert_false(oy_h2_inflow_arrive(&flow, 1));
    assert_int_equal(oy_h2_inflow_take(&flow, 49), 0);
    assert_int_equal(oy_h2_inflow_take(&flow, 1), 50);
    assert_int_equal(oy_h2_inflow_take(&flow, 0), 0);
    assert_true(oy_h2_inflow_arrive(&flow, 50));
    assert_false(oy_h2_inflow_arrive(&flow, 1));
    assert_int_equal(oy_h2_inflow_take(&flow, 100), 100);
    assert_int_equal(flow.window, 100);
}

/* B13: the connection's window is given back for DATA that nobody reads. */
H2_TALK(unread_data_does_not_eat_the_connection_window, &small_windows)
{
    h2_hello(s);
    for (uint32_t id = 1; id < 100; id += 2) {
        h2_send_request(s, 0, id);
        h2_send_zeros(s, 0, id, 10000);
        oy_h2_stream_close(s->conn, h2_stream(s, id));
        h2_send_zeros(s, OY_H2_FLAG_END_STREAM, id, 10000);
        if ((id / 2) % 4 == 3) /* 80000 bytes: half of the window */
            h2_expect_window_update(s, 0, 80000);
        h2_forget_news(s);
    }
    assert_ok(s->err);
}

static const oy_h2_config tiny_window = {.server = true, .stream_window = 10};

/* A peer that has not seen our SETTINGS may send 65,535 bytes; then the window shrinks below
 * zero. */
H2_TALK(small_window_counts_from_the_acknowledgement, &tiny_window)
{
    h2_expect_any(s);
    h2_expect_any(s);
    h2_feed(s, OY_H2_PREFACE, OY_H2_PREFACE_BYTES);
    H2_SEND(s, SETTINGS, 0, 0, "");
    H2_EXPECT(s, SETTINGS, ACK, 0, "");
    h2_send_request(s, 0, 1);
    h2_send_zeros(s, 0, 1, 1000);
    H2_SEND(s, SETTINGS, ACK, 0, "");
    assert_int_equal(h2_stream(s, 1)->inflow.window, -990);
    oy_h2_consumed(s->conn, h2_stream(s, 1), 1000);
    h2_expect_window_update(s, 1, 1000);
    assert_int_equal(h2_stream(s, 1)->inflow.window, 10);
    h2_send_request(s, 0, 3);
    h2_send_zeros(s, 0, 3, 11);
    h2_expect_rst(s, 3, OY_H2_FLOW_CONTROL_ERROR);
}

/* --- content-length --------------------------------------------------------------------------- */

static void request_of_length(h2_script *s, uint32_t flags, uint32_t id, const char *length)
{
    h2_send_fields(s, flags, id, ":method", "POST", ":scheme", "http", ":path", "/",
                   "content-length", length, NULL);
}

H2_TALK(content_length_is_right, &h2_a_server)
{
    h2_hello(s);
    request_of_length(s, 0, 1, "5");
    H2_SEND(s, DATA, PADDED, 1, "\2abc\0\0");
    H2_SEND(s, DATA, END_STREAM, 1, "de");
    request_of_length(s, OY_H2_FLAG_END_STREAM, 3, "0");
    h2_expect_news(s, "headers 1; data 1 5 end; headers 3 end");
}

H2_TALK(more_than_content_length, &h2_a_server)
{
    h2_hello(s);
    request_of_length(s, 0, 1, "5");
    H2_SEND(s, DATA, 0, 1, "abc");
    H2_SEND(s, DATA, 0, 1, "def");
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "headers 1; data 1 3; "
                      "reset 1 PROTOCOL_ERROR: more DATA than the announced content-length");
}

H2_TALK(less_than_content_length, &h2_a_server)
{
    h2_hello(s);
    request_of_length(s, 0, 1, "5");
    H2_SEND(s, DATA, END_STREAM, 1, "abc");
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    request_of_length(s, 0, 3, "5");
    H2_SEND(s, DATA, END_STREAM, 3, "");
    h2_expect_rst(s, 3, OY_H2_PROTOCOL_ERROR);
    request_of_length(s, 0, 5, "5");
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 5, "x", "y", NULL);
    h2_expect_rst(s, 5, OY_H2_PROTOCOL_ERROR);
    request_of_length(s, OY_H2_FLAG_END_STREAM, 7, "5");
    h2_expect_rst(s, 7, OY_H2_PROTOCOL_ERROR);
#define WORDS "PROTOCOL_ERROR: the stream ended before the announced content-length"
    h2_expect_news(s, "headers 1; reset 1 " WORDS "; headers 3; reset 3 " WORDS
                      "; headers 5; reset 5 " WORDS "; reset 7 " WORDS);
}

H2_TALK(not_modified_has_no_body, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, true);
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 1, ":status", "304", "content-length", "10", NULL);
    h2_expect_news(s, "headers 1 end");
}

/* --- what callbacks may do -------------------------------------------------------------------- */

static void reset_at_data(h2_script *s, oy_h2_stream *stream, const char *event)
{
    if (strcmp(event, "data") == 0)
        oy_h2_stream_reset(s->conn, stream, OY_H2_CANCEL);
}

H2_TALK(callback_resets_its_stream_at_data, &h2_a_server)
{
    h2_hello(s);
    s->on_news = reset_at_data;
    h2_send_request(s, 0, 1);
    H2_SEND(s, DATA, PADDED, 1, "\3a\0\0\0");
    h2_expect_rst(s, 1, OY_H2_CANCEL);
    h2_send_request(s, 0, 3);
    /* The rest of this frame is dropped, however it is cut. */
    H2_SEND(s, DATA, END_STREAM, 3, "abcdefghijklmnopqrstuvwxyz");
    h2_expect_rst(s, 3, OY_H2_CANCEL);
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
    h2_forget_news(s);
    s->on_news = NULL;
    /* How many bytes came in the first piece depends on the cut: not compared. */
    s->all_news.len = 0;
}

/* Pieces are views into the caller's block. */
static const oyez_block *seen_block;

static oy_h2_stream view_stream;

static oy_h2_stream *view_on_stream(void *user, bool *ret_blameless)
{
    (void)user;
    (void)ret_blameless;
    return &view_stream;
}

static void view_on_field(void *user, oy_h2_stream *stream, const oy_hpack_field *field)
{
    (void)user;
    (void)stream;
    (void)field;
}

static void view_on_headers(void *user, oy_h2_stream *stream, const oy_h2_headers *headers)
{
    (void)user;
    (void)stream;
    (void)headers;
}

static void view_on_data(void *user, oy_h2_stream *stream, const oyez_buffer *piece,
                         bool end_stream)
{
    oyez_block *block = piece->block;

    (void)stream;
    (void)end_stream;
    seen_block = block;
    assert_ptr_equal(piece->data, (const uint8_t *)oyez_block_data(block) + *(size_t *)user);
    assert_int_equal(piece->len, 5);
}

static void view_on_settings(void *user, const oy_h2_peer_settings *settings)
{
    (void)user;
    (void)settings;
}

static void pieces_are_views(void **state)
{
    static const oy_h2_events events = {.on_stream = view_on_stream,
                                        .on_field = view_on_field,
                                        .on_headers = view_on_headers,
                                        .on_data = view_on_data,
                                        .on_settings = view_on_settings};
    h2_bytes in = {0};
    oy_block_pool *pool;
    oy_outq output;
    oyez_block *block;
    oy_h2_conn *conn;
    size_t offset;

    (void)state;
    assert_ok(oy_block_pool_new(OY_READ_BLOCK_BYTES, 2, &pool));
    oy_outq_init(&output, pool);
    assert_ok(oy_h2_new(&h2_a_server, &events, &offset, &output, &conn));
    h2_put_hello(&in);
    h2_put_frame(&in, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS, 1, "\x83\x86\x84", 3);
    offset = in.len + OY_H2_FRAME_HEADER_BYTES;
    h2_put_frame(&in, OY_H2_FRAME_DATA, OY_H2_FLAG_END_STREAM, 1, "hello", 5);
    assert_ok(oyez_block_new(NULL, in.len, &block));
    memcpy(oyez_block_data(block), in.data, in.len);
    assert_ok(oy_h2_recv(conn, &(oyez_buffer){oyez_block_data(block), in.len, block}));
    assert_ptr_equal(seen_block, block);
    oyez_block_unref(block);
    oy_h2_free(conn);
    oy_outq_fini(&output);
    oy_block_pool_free(pool);
    h2_bytes_free(&in);
}

OY_TEST_GROUP(
    h2_recv_data, cmocka_unit_test(payload_and_end),
    cmocka_unit_test(padding_is_dropped_and_credited),
    cmocka_unit_test(padding_as_long_as_the_frame), cmocka_unit_test(empty_and_padded),
    cmocka_unit_test(stream_zero), cmocka_unit_test(idle_stream),
    cmocka_unit_test(idle_stream_of_a_client), cmocka_unit_test(behind_the_end),
    cmocka_unit_test(stream_that_had_ended), cmocka_unit_test(stream_that_the_peer_has_reset),
    cmocka_unit_test(stream_that_we_have_reset), cmocka_unit_test(stream_that_is_forgotten),
    cmocka_unit_test(before_the_response_headers), cmocka_unit_test(stream_window_overrun),
    cmocka_unit_test(consumed_bytes_are_given_back_at_half),
    cmocka_unit_test(connection_window_overrun),
    cmocka_unit_test(unread_data_does_not_eat_the_connection_window),
    cmocka_unit_test(small_window_counts_from_the_acknowledgement),
    cmocka_unit_test(content_length_is_right), cmocka_unit_test(more_than_content_length),
    cmocka_unit_test(less_than_content_length), cmocka_unit_test(not_modified_has_no_body),
    cmocka_unit_test(callback_resets_its_stream_at_data), cmocka_unit_test(pieces_are_views));

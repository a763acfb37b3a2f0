/* SPDX-License-Identifier: Apache-2.0 */
/* Header blocks: how they come, and to which streams they may go. What may be in them:
 * field_test.c. */
#include "support/h2_script.h"
#include "support/test.h"

#define TWO_FLAGS(a, b) (OY_H2_FLAG_##a | OY_H2_FLAG_##b)

/* A request as a block. */
static h2_bytes request(void)
{
    h2_bytes block = {0};
    h2_put_request(&block, "/a/b");
    return block;
}

H2_TALK(request_is_told, &h2_a_server)
{
    h2_hello(s);
    s->log_fields = true;
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_expect_news(s, "field 1 :method: POST; field 1 :scheme: http; field 1 :path: /a/b; "
                      "field 1 :authority: localhost; field 1 content-type: application/grpc; "
                      "field 1 te: trailers; headers 1 end");
    assert_int_equal(oy_h2_stream_count(s->conn), 1);
    assert_int_equal(oy_h2_last_peer_stream(s->conn), 1);
    assert_true(h2_stream(s, 1)->recv_closed);
    assert_true(h2_stream(s, 1)->headers_received);
}

static void note_the_end(h2_script *s, oy_h2_stream *stream, const char *event)
{
    if (strncmp(event, "field", 5) == 0)
        h2_bytes_add(&s->body, stream->block_ends_stream ? "E" : "-", 1);
}

/* Whether the block ends the stream is known from its first field on. */
H2_TALK(fields_know_the_end, &h2_a_server)
{
    h2_hello(s);
    s->log_fields = true;
    s->on_news = note_the_end;
    H2_SEND(s, HEADERS, END_HEADERS, 1, "\x83\x86\x84");
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 1, "x", "y", NULL);
    h2_forget_news(s);
    assert_int_equal(s->body.len, 4);
    assert_memory_equal(s->body.data, "---E", 4);
}

H2_TALK(response_and_trailers, &h2_a_client)
{
    oy_h2_stream *stream;

    h2_hello(s);
    stream = h2_begin_request(s, true);
    h2_send_fields(s, 0, 1, ":status", "100", NULL);
    assert_false(stream->headers_received);
    h2_send_response(s, 0, 1);
    H2_SEND(s, DATA, 0, 1, "hello");
    s->log_fields = true;
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 1, "grpc-status", "0", NULL);
    h2_expect_news(s, "headers 1 informational; headers 1; data 1 5; field 1 grpc-status: 0; "
                      "headers 1 end trailers");
    oy_h2_stream_close(s->conn, stream);
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
}

H2_TALK(request_trailers, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_fields(s, OY_H2_FLAG_END_STREAM, 1, "x", "y", NULL);
    h2_expect_news(s, "headers 1; headers 1 end trailers");
}

H2_TALK(padding_and_priority, &h2_a_server)
{
    h2_bytes block = {0}, fields = request();

    h2_hello(s);
    h2_bytes_add(&block, "\3\0\0\0\0\xff", 6);
    h2_bytes_add(&block, fields.data, fields.len);
    h2_bytes_add(&block, "\0\0\0", 3);
    h2_send(s, OY_H2_FRAME_HEADERS, TWO_FLAGS(END_HEADERS, PADDED) | OY_H2_FLAG_PRIORITY, 1,
            block.data, block.len);
    h2_expect_news(s, "headers 1");
    h2_bytes_free(&block);
    h2_bytes_free(&fields);
}

H2_TALK(padding_longer_than_the_frame, &h2_a_server)
{
    h2_hello(s);
    h2_send(s, OY_H2_FRAME_HEADERS, TWO_FLAGS(END_HEADERS, PADDED), 1, "\4\x83\x86\x84", 4);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "the padding of HEADERS is longer than the frame");
}

H2_TALK(too_short_for_its_flags, &h2_a_server)
{
    h2_hello(s);
    h2_send(s, OY_H2_FRAME_HEADERS, TWO_FLAGS(PRIORITY, PADDED), 1, "\0\0\0\0\1", 5);
    h2_expect_failure(s, 0, OY_H2_FRAME_SIZE_ERROR, "HEADERS is too short for its flags");
}

H2_TALK(empty_and_padded, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, PADDED, 1, "");
    h2_expect_failure(s, 0, OY_H2_FRAME_SIZE_ERROR, "HEADERS is too short for its flags");
}

H2_TALK(stream_zero, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 0);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "HEADERS on stream 0");
}

/* --- CONTINUATION ----------------------------------------------------------------------------- */

H2_TALK(block_in_many_frames, &h2_a_server)
{
    h2_bytes fields = request();

    h2_hello(s);
    H2_SEND(s, HEADERS, END_STREAM, 1, "");
    for (size_t i = 0; i < fields.len; i += 10)
        h2_send(s, OY_H2_FRAME_CONTINUATION, 0, 1, fields.data + i,
                fields.len - i < 10 ? fields.len - i : 10);
    h2_expect_news(s, "");
    H2_SEND(s, CONTINUATION, END_HEADERS, 1, "");
    h2_expect_news(s, "headers 1 end");
    h2_bytes_free(&fields);
}

/* B03 (c): 12 KiB of header list in 8 frames. */
H2_TALK(large_block_in_many_frames, &h2_a_server)
{
    h2_bytes fields = request();
    char value[1001];
    size_t part;

    memset(value, 'v', sizeof(value));
    value[1000] = '\0';
    for (int i = 0; i < 11; i++)
        h2_put_field(&fields, "filler", value);
    part = fields.len / 8 + 1;
    h2_hello(s);
    h2_send(s, OY_H2_FRAME_HEADERS, 0, 1, fields.data, part);
    for (size_t i = part; i < fields.len; i += part) {
        bool last = fields.len - i <= part;
        h2_send(s, OY_H2_FRAME_CONTINUATION, last ? OY_H2_FLAG_END_HEADERS : 0, 1, fields.data + i,
                last ? fields.len - i : part);
    }
    h2_expect_news(s, "headers 1");
    h2_bytes_free(&fields);
}

H2_TALK(continuation_without_headers, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, CONTINUATION, END_HEADERS, 1, "\x83");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "CONTINUATION without HEADERS");
}

H2_TALK(continuation_behind_a_whole_block, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    H2_SEND(s, CONTINUATION, END_HEADERS, 1, "\x83");
    h2_expect_failure(s, 1, OY_H2_PROTOCOL_ERROR, "CONTINUATION without HEADERS");
}

H2_TALK(continuation_of_another_stream, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, NONE, 1, "\x83");
    H2_SEND(s, CONTINUATION, END_HEADERS, 3, "\x83");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "a header block was interrupted by another frame");
}

H2_TALK(ping_inside_a_block, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, NONE, 1, "\x83");
    H2_SEND(s, PING, 0, 0, "12345678");
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "a header block was interrupted by another frame");
}

H2_TALK(unknown_frame_inside_a_block, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, NONE, 1, "\x83");
    h2_send(s, 0x20, 0, 1, "", 0);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR,
                      "a header block was interrupted by another frame");
}

/* B03 (a) */
H2_TALK(flood_of_empty_continuations, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, NONE, 1, "");
    for (int i = 0; i < 64; i++)
        H2_SEND(s, CONTINUATION, NONE, 1, "");
    h2_expect_silence(s);
    H2_SEND(s, CONTINUATION, NONE, 1, "");
    h2_expect_failure(s, 0, OY_H2_ENHANCE_YOUR_CALM,
                      "a header block has too many CONTINUATION frames");
}

/* B03 (b) */
H2_TALK(flood_of_full_continuations, &h2_a_server)
{
    static const uint8_t literals[16384];

    h2_hello(s);
    h2_send(s, OY_H2_FRAME_HEADERS, 0, 1, literals, sizeof(literals));
    for (int i = 0; i < 3; i++)
        h2_send(s, OY_H2_FRAME_CONTINUATION, 0, 1, literals, sizeof(literals));
    h2_expect_silence(s);
    h2_send(s, OY_H2_FRAME_CONTINUATION, 0, 1, literals, 1);
    h2_expect_failure(s, 0, OY_H2_ENHANCE_YOUR_CALM, "a header block has too many bytes");
}

/* --- the list limit --------------------------------------------------------------------------- */

/* B05 (a): 4,000 bytes enter the table, and then each byte stands for them. */
H2_TALK(bomb_of_indexed_fields, &h2_a_server)
{
    h2_bytes fields = request();

    h2_hello(s);
    h2_bytes_add(&fields, "\x40\1x\x7f\xa1\x1e", 6); /* 127 + 0x21 + 0x1e * 128 = 4000 */
    for (int i = 0; i < 4000; i++)
        h2_bytes_add(&fields, "v", 1);
    for (int i = 0; i < 12000; i++)
        h2_bytes_add(&fields, "\xbe", 1);
    h2_send(s, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS, 1, fields.data, fields.len);
    h2_expect_news(s, "headers 1 over");
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 3);
    h2_expect_news(s, "headers 3 end");
    h2_bytes_free(&fields);
}

/* B05 (b) */
H2_TALK(bomb_of_empty_fields, &h2_a_server)
{
    h2_bytes fields = request();

    h2_hello(s);
    for (int i = 0; i < 4000; i++)
        h2_put_field(&fields, "a", "");
    h2_send(s, OY_H2_FRAME_HEADERS, OY_H2_FLAG_END_HEADERS, 1, fields.data, fields.len);
    h2_expect_news(s, "headers 1 over");
    h2_bytes_free(&fields);
}

H2_TALK(over_the_limit_on_the_client, &h2_a_client)
{
    h2_bytes fields = {0};

    h2_hello(s);
    h2_begin_request(s, true);
    h2_bytes_add(&fields, "\x88", 1);
    for (int i = 0; i < 4000; i++)
        h2_put_field(&fields, "a", "");
    h2_send(s, OY_H2_FRAME_HEADERS, TWO_FLAGS(END_HEADERS, END_STREAM), 1, fields.data, fields.len);
    h2_expect_news(s, "headers 1 end over");
    h2_bytes_free(&fields);
}

/* B05 (c): size updates are the decoder's matter; here only that the failure has words. */
H2_TALK(too_many_size_updates, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, END_HEADERS, 1, "\x20\x3f\xe1\x1f\x20\x83");
    h2_expect_failure(s, 1, OY_H2_COMPRESSION_ERROR,
                      "the header block begins with too many table size updates");
}

H2_TALK(block_that_cannot_be_decoded, &h2_a_server)
{
    h2_hello(s);
    H2_SEND(s, HEADERS, END_HEADERS, 1, "\x83\xff\xff\xff\xff\xff\xff");
    h2_expect_failure(s, 1, OY_H2_COMPRESSION_ERROR, "an integer in the header block is too large");
}

/* --- ids and states --------------------------------------------------------------------------- */

H2_TALK(even_id, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 2);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "a client began a stream with an even id");
}

H2_TALK(lower_id, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 5);
    h2_expect_news(s, "headers 5 end");
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 3);
    h2_expect_failure(s, 5, OY_H2_PROTOCOL_ERROR, "a stream id that is lower than an earlier one");
}

H2_TALK(headers_behind_the_end, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_expect_rst(s, 1, OY_H2_STREAM_CLOSED);
    h2_expect_news(s, "headers 1 end; reset 1 STREAM_CLOSED: HEADERS behind the end of the stream");
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
}

H2_TALK(headers_on_a_stream_that_ended, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_respond(s, 1, true);
    h2_expect_type(s, OY_H2_FRAME_HEADERS, TWO_FLAGS(END_HEADERS, END_STREAM), 1);
    oy_h2_stream_close(s->conn, h2_stream(s, 1));
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_expect_failure(s, 1, OY_H2_STREAM_CLOSED, "HEADERS on a stream that had ended");
}

H2_TALK(headers_on_a_stream_that_the_peer_has_reset, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_u32(s, OY_H2_FRAME_RST_STREAM, 1, OY_H2_CANCEL);
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 1);
    h2_expect_rst(s, 1, OY_H2_STREAM_CLOSED);
    h2_expect_news(s, "headers 1; reset 1 CANCEL by peer");
}

H2_TALK(late_trailers_of_a_stream_that_we_have_reset, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    oy_h2_stream_reset(s->conn, h2_stream(s, 1), OY_H2_CANCEL);
    h2_expect_rst(s, 1, OY_H2_CANCEL);
    h2_forget_news(s);
    /* The block enters the table all the same: the next one refers to it. */
    H2_SEND(s, HEADERS, END_HEADERS, 1, "\x40\1x\1y");
    h2_expect_silence(s);
    h2_expect_news(s, "");
    s->log_fields = true;
    H2_SEND(s, HEADERS, END_HEADERS, 3, "\x83\x86\x84\xbe");
    h2_expect_news(s,
                   "field 3 :method: POST; field 3 :scheme: http; field 3 :path: /; field 3 x: y; "
                   "headers 3");
}

H2_TALK(second_headers_without_the_end, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_fields(s, 0, 1, "x", "y", NULL);
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "headers 1; reset 1 PROTOCOL_ERROR: HEADERS in the middle of a stream");
}

H2_TALK(headers_in_the_middle_of_a_response, &h2_a_client)
{
    h2_hello(s);
    h2_begin_request(s, true);
    h2_send_response(s, 0, 1);
    h2_send_response(s, 0, 1);
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "headers 1; reset 1 PROTOCOL_ERROR: HEADERS in the middle of a stream");
}

H2_TALK(response_that_nobody_asked_for, &h2_a_client)
{
    h2_hello(s);
    h2_send_response(s, 0, 1);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "HEADERS on a stream that we have not begun");
}

H2_TALK(stream_begun_by_a_server, &h2_a_client)
{
    h2_hello(s);
    h2_send_request(s, 0, 2);
    h2_expect_failure(s, 0, OY_H2_PROTOCOL_ERROR, "HEADERS on a stream that we have not begun");
}

H2_TALK(depends_on_itself, &h2_a_server)
{
    h2_bytes block = {0};

    h2_hello(s);
    h2_bytes_add(&block, "\x80\0\0\1\xff", 5);
    h2_put_request(&block, "/a/b");
    h2_send(s, OY_H2_FRAME_HEADERS, TWO_FLAGS(END_HEADERS, PRIORITY), 1, block.data, block.len);
    h2_expect_rst(s, 1, OY_H2_PROTOCOL_ERROR);
    h2_expect_news(s, "");
    h2_bytes_free(&block);
}

/* --- refusing --------------------------------------------------------------------------------- */

static const oy_h2_config two_streams = {.server = true, .max_streams = 2, .max_stream_errors = 3};

H2_TALK(more_streams_than_allowed, &two_streams)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_request(s, 0, 3);
    h2_send_request(s, 0, 5);
    h2_expect_rst(s, 5, OY_H2_REFUSED_STREAM);
    H2_SEND(s, DATA, END_STREAM, 5, "late"); /* the peer did not know */
    h2_send_u32(s, OY_H2_FRAME_RST_STREAM, 1, OY_H2_CANCEL);
    h2_send_request(s, 0, 7);
    h2_expect_news(s, "headers 1; headers 3; reset 1 CANCEL by peer; headers 7");
    assert_int_equal(oy_h2_stream_count(s->conn), 2);
}

H2_TALK(refused_by_the_layer_above, &h2_a_server)
{
    h2_hello(s);
    s->refuse = true;
    h2_send_request(s, 0, 1);
    h2_expect_rst(s, 1, OY_H2_REFUSED_STREAM);
    h2_expect_news(s, "");
    assert_int_equal(oy_h2_last_peer_stream(s->conn), 1);
}

/* B02: a peer that goes on with streams that are refused. */
H2_TALK(too_many_refused_streams, &two_streams)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_request(s, 0, 3);
    for (uint32_t id = 5; id < 13; id += 2) {
        h2_send_request(s, 0, id);
        h2_expect_rst(s, id, OY_H2_REFUSED_STREAM);
    }
    h2_expect_failure(s, 11, OY_H2_ENHANCE_YOUR_CALM,
                      "too many streams broke a rule or were refused");
}

/* That there is no room is not the peer's doing: it may try again for as long as it likes. */
H2_TALK(refused_for_want_of_room, &two_streams)
{
    h2_hello(s);
    s->refuse = s->blameless = true;
    for (uint32_t id = 1; id < 101; id += 2) {
        h2_send_request(s, OY_H2_FLAG_END_STREAM, id);
        h2_expect_rst(s, id, OY_H2_REFUSED_STREAM);
    }
    h2_expect_news(s, "");
    assert_int_equal(oy_h2_last_peer_stream(s->conn), 99);
    s->refuse = false;
    h2_send_request(s, OY_H2_FLAG_END_STREAM, 101);
    h2_expect_news(s, "headers 101 end");
    s->refuse = true;
    s->blameless = false;
    for (uint32_t id = 103; id < 111; id += 2) {
        h2_send_request(s, 0, id);
        h2_expect_rst(s, id, OY_H2_REFUSED_STREAM);
    }
    h2_expect_failure(s, 109, OY_H2_ENHANCE_YOUR_CALM,
                      "too many streams broke a rule or were refused");
}

H2_TALK(good_streams_make_up_for_refused_ones, &two_streams)
{
    h2_hello(s);
    for (uint32_t id = 1; id < 80; id += 8) {
        s->refuse = true;
        h2_send_request(s, OY_H2_FLAG_END_STREAM, id);
        h2_expect_rst(s, id, OY_H2_REFUSED_STREAM);
        s->refuse = false;
        h2_send_request(s, OY_H2_FLAG_END_STREAM, id + 2);
        h2_respond(s, id + 2, true);
        h2_expect_type(s, OY_H2_FRAME_HEADERS, TWO_FLAGS(END_HEADERS, END_STREAM), id + 2);
        oy_h2_stream_close(s->conn, h2_stream(s, id + 2));
    }
    assert_ok(s->err);
}

H2_TALK(streams_behind_our_goaway, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    oy_h2_goaway(s->conn, 1, OY_H2_NO_ERROR, OYEZ_STR("bye"));
    H2_EXPECT(s, GOAWAY, 0, 0, "\0\0\0\1\0\0\0\0bye");
    h2_send_request(s, 0, 3);
    H2_SEND(s, DATA, 0, 3, "dropped");
    h2_send_u32(s, OY_H2_FRAME_WINDOW_UPDATE, 3, 5);
    h2_send_u32(s, OY_H2_FRAME_RST_STREAM, 3, OY_H2_CANCEL);
    H2_SEND(s, DATA, END_STREAM, 1, "taken");
    h2_expect_news(s, "headers 1; data 1 5 end");
    assert_int_equal(oy_h2_last_peer_stream(s->conn), 1);
}

H2_TALK(streams_between_two_goaways, &h2_a_server)
{
    h2_hello(s);
    oy_h2_goaway(s->conn, OY_H2_MAX_STREAM_ID, OY_H2_NO_ERROR, OYEZ_STR(""));
    H2_EXPECT(s, GOAWAY, 0, 0, "\x7f\xff\xff\xff\0\0\0\0");
    h2_send_request(s, 0, 1);
    oy_h2_goaway(s->conn, oy_h2_last_peer_stream(s->conn), OY_H2_NO_ERROR, OYEZ_STR(""));
    H2_EXPECT(s, GOAWAY, 0, 0, "\0\0\0\1\0\0\0\0");
    h2_send_request(s, 0, 3);
    h2_expect_news(s, "headers 1");
}

/* --- what callbacks may do -------------------------------------------------------------------- */

static void close_at_path(h2_script *s, oy_h2_stream *stream, const char *event)
{
    if (strstr(event, ":path"))
        oy_h2_stream_close(s->conn, stream);
}

H2_TALK(callback_closes_its_stream_at_a_field, &h2_a_server)
{
    h2_hello(s);
    s->log_fields = true;
    s->on_news = close_at_path;
    h2_send_request(s, 0, 1);
    h2_expect_news(s, "field 1 :method: POST; field 1 :scheme: http; field 1 :path: /a/b");
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
    H2_SEND(s, DATA, 0, 1, "dropped");
    h2_expect_news(s, "");
}

static void reset_at_headers(h2_script *s, oy_h2_stream *stream, const char *event)
{
    if (strncmp(event, "headers", 7) == 0)
        oy_h2_stream_reset(s->conn, stream, OY_H2_INTERNAL_ERROR);
}

H2_TALK(callback_resets_its_stream_at_headers, &h2_a_server)
{
    h2_hello(s);
    s->on_news = reset_at_headers;
    h2_send_request(s, 0, 1);
    h2_expect_rst(s, 1, OY_H2_INTERNAL_ERROR);
    h2_expect_news(s, "headers 1");
    assert_int_equal(oy_h2_stream_count(s->conn), 0);
}

OY_TEST_GROUP(
    h2_recv_headers, cmocka_unit_test(request_is_told), cmocka_unit_test(fields_know_the_end),
    cmocka_unit_test(response_and_trailers), cmocka_unit_test(request_trailers),
    cmocka_unit_test(padding_and_priority), cmocka_unit_test(padding_longer_than_the_frame),
    cmocka_unit_test(too_short_for_its_flags), cmocka_unit_test(empty_and_padded),
    cmocka_unit_test(stream_zero), cmocka_unit_test(block_in_many_frames),
    cmocka_unit_test(large_block_in_many_frames), cmocka_unit_test(continuation_without_headers),
    cmocka_unit_test(continuation_behind_a_whole_block),
    cmocka_unit_test(continuation_of_another_stream), cmocka_unit_test(ping_inside_a_block),
    cmocka_unit_test(unknown_frame_inside_a_block), cmocka_unit_test(flood_of_empty_continuations),
    cmocka_unit_test(flood_of_full_continuations), cmocka_unit_test(bomb_of_indexed_fields),
    cmocka_unit_test(bomb_of_empty_fields), cmocka_unit_test(over_the_limit_on_the_client),
    cmocka_unit_test(too_many_size_updates), cmocka_unit_test(block_that_cannot_be_decoded),
    cmocka_unit_test(even_id), cmocka_unit_test(lower_id), cmocka_unit_test(headers_behind_the_end),
    cmocka_unit_test(headers_on_a_stream_that_ended),
    cmocka_unit_test(headers_on_a_stream_that_the_peer_has_reset),
    cmocka_unit_test(late_trailers_of_a_stream_that_we_have_reset),
    cmocka_unit_test(second_headers_without_the_end),
    cmocka_unit_test(headers_in_the_middle_of_a_response),
    cmocka_unit_test(response_that_nobody_asked_for), cmocka_unit_test(stream_begun_by_a_server),
    cmocka_unit_test(depends_on_itself), cmocka_unit_test(more_streams_than_allowed),
    cmocka_unit_test(refused_by_the_layer_above), cmocka_unit_test(too_many_refused_streams),
    cmocka_unit_test(refused_for_want_of_room),
    cmocka_unit_test(good_streams_make_up_for_refused_ones),
    cmocka_unit_test(streams_behind_our_goaway), cmocka_unit_test(streams_between_two_goaways),
    cmocka_unit_test(callback_closes_its_stream_at_a_field),
    cmocka_unit_test(callback_resets_its_stream_at_headers));

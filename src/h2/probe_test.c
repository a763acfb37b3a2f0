/* SPDX-License-Identifier: Apache-2.0 */
/* What probes and the life of a connection need of the engine. */
#include "support/h2_script.h"
#include "support/test.h"

H2_TALK(credit_can_be_given_now, &h2_a_server)
{
    h2_hello(s);
    h2_send_request(s, 0, 1);
    h2_send_zeros(s, 0, 1, 100); /* far from half of the window */
    h2_expect_silence(s);
    oy_h2_credit_now(s->conn);
    h2_expect_window_update(s, 0, 100);
    oy_h2_credit_now(s->conn); /* nothing is pending any more */
    h2_expect_silence(s);
}

H2_TALK(progress_is_headers_and_data, &h2_a_server)
{
    h2_hello(s);
    assert_false(oy_h2_take_progress(s->conn));
    h2_send_request(s, 0, 1);
    H2_SEND(s, PING, 0, 0, "12345678"); /* answers to frames are none */
    H2_EXPECT(s, PING, ACK, 0, "12345678");
    assert_false(oy_h2_take_progress(s->conn));
    h2_respond(s, 1, false);
    h2_expect_type(s, OY_H2_FRAME_HEADERS, H2_FLAG_END_HEADERS, 1);
    assert_true(oy_h2_take_progress(s->conn));
    assert_false(oy_h2_take_progress(s->conn));
    assert_ok(oy_h2_data_begin(s->conn, h2_stream(s, 1), 0, true));
    H2_EXPECT(s, DATA, END_STREAM, 1, "");
    assert_true(oy_h2_take_progress(s->conn));
}

static void ids_begin_where_the_config_says(void **state)
{
    oy_h2_config config = h2_a_client;
    h2_script script;
    (void)state;
    config.first_stream_id = OY_H2_MAX_STREAM_ID - 2;
    h2_script_init(&script, &config, H2_CUT_WHOLE, 1);
    h2_hello(&script);
    assert_int_equal(h2_begin_request(&script, true)->id, OY_H2_MAX_STREAM_ID - 2);
    assert_int_equal(h2_begin_request(&script, true)->id, OY_H2_MAX_STREAM_ID);
    oy_h2_stream stream = { 0 };
    assert_err(oy_h2_stream_open(script.conn, &stream), OYEZ_ESTATE); /* they have run out */
    h2_script_fini(&script);
}

OY_TEST_GROUP(h2_probe, cmocka_unit_test(credit_can_be_given_now), cmocka_unit_test(progress_is_headers_and_data),
              cmocka_unit_test(ids_begin_where_the_config_says));

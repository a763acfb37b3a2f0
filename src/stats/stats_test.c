/* SPDX-License-Identifier: Apache-2.0 */
/* Stats handlers: copied, called in order, each with its own tags. */
#include "stats/stats.h"

#include <stdio.h>

#include "support/leak.h"
#include "support/test.h"

typedef struct witness {
    char log[512];
    int tag;
} witness;

typedef struct first_handler {
    witness *witness;
    const char *name;
} first_handler;

static void note(void *self, const char *what)
{
    const first_handler *handler = self;
    char *log = handler->witness->log;
    size_t len = strlen(log);
    snprintf(log + len, sizeof(handler->witness->log) - len, "%s.%s ", handler->name, what);
}

static void *conn_begin(void *self, const oyez_stats_conn *conn)
{
    note(self, conn->client ? "conn(client)" : "conn(server)");
    return self;
}

static void conn_end(void *self, void *tag, const oyez_stats_conn *conn)
{
    assert_ptr_equal(tag, self);
    assert_string_equal(conn->peer, "peer");
    note(self, "conn_end");
}

static void *begin(void *self, const oyez_stats_begin *begun)
{
    assert_ptr_equal(begun->conn_tag, self);
    note(self, begun->path);
    return &((first_handler *)self)->witness->tag;
}

static void payload(void *self, void *tag, const oyez_stats_payload *message)
{
    char text[64];
    assert_ptr_equal(tag, &((first_handler *)self)->witness->tag);
    snprintf(text, sizeof(text), "%zu/%zu", message->length, message->wire_length);
    note(self, text);
}

static void headers(void *self, void *tag, const oyez_stats_headers *block)
{
    assert_ptr_equal(tag, &((first_handler *)self)->witness->tag);
    assert_null(block->metadata);
    note(self, "headers");
}

static void trailers(void *self, void *tag, const oyez_stats_headers *block)
{
    (void)tag;
    (void)block;
    note(self, "trailers");
}

static void end(void *self, void *tag, const oyez_stats_end *over)
{
    assert_ptr_equal(tag, &((first_handler *)self)->witness->tag);
    note(self, oyez_code_name(over->status->code));
}

static void in_order(void **state)
{
    witness seen = { .tag = 0 };
    first_handler one = { &seen, "1" }, two = { &seen, "2" };
    const oyez_stats_handler full = {
        OYEZ_STATS_HANDLER_INIT, .self = &one,           .conn_begin = conn_begin, .conn_end = conn_end,
        .begin = begin,          .in_headers = headers,  .out_payload = payload,   .in_payload = payload,
        .out_headers = headers,  .in_trailers = trailers, .out_trailers = trailers, .end = end,
    };
    const oyez_stats_handler partial = { OYEZ_STATS_HANDLER_INIT, .self = &two, .end = NULL };
    const oyez_stats_handler *list[] = { &full, &partial };
    const oyez_status status = { OYEZ_NOT_FOUND, "", 0, NULL };
    void *conn_tags[2], *call_tags[2];
    oy_stats *stats;
    (void)state;
    assert_ok(oy_stats_new(list, 2, &stats));
    assert_int_equal(oy_stats_tags_bytes(stats), sizeof(conn_tags));
    void **conn = conn_tags, **call = call_tags;
    oy_stats_conn_begin(stats, conn, false, "peer");
    assert_ptr_equal(conn_tags[0], &one);
    assert_null(conn_tags[1]);
    oy_stats_begin(stats, call, conn, (oyez_stats_begin){ .path = "/S/M" });
    oy_stats_headers(stats, call, OY_STATS_IN_HEADERS, NULL, "peer");
    oy_stats_payload(stats, call, false, 10, 4, true);
    oy_stats_headers(stats, call, OY_STATS_OUT_HEADERS, NULL, "peer");
    oy_stats_payload(stats, call, true, 0, 0, false);
    oy_stats_headers(stats, call, OY_STATS_OUT_TRAILERS, NULL, "peer");
    oy_stats_headers(stats, call, OY_STATS_IN_TRAILERS, NULL, "peer");
    oy_stats_end(stats, call, &status);
    oy_stats_conn_end(stats, conn, false, "peer");
    assert_string_equal(seen.log, "1.conn(server) 1./S/M 1.headers 1.10/9 1.headers 1.0/5 1.trailers 1.trailers "
                                  "1.NOT_FOUND 1.conn_end ");
    assert_ptr_equal(oy_stats_ref(stats), stats);
    assert_null(oy_stats_unref(stats));
    assert_null(oy_stats_unref(stats));
}

static void of_both_in_turn(void **state)
{
    witness seen = { .tag = 0 };
    first_handler one = { &seen, "1" }, two = { &seen, "2" };
    const oyez_stats_handler first = { OYEZ_STATS_HANDLER_INIT, .self = &one, .conn_begin = conn_begin };
    const oyez_stats_handler second = { OYEZ_STATS_HANDLER_INIT, .self = &two, .conn_begin = conn_begin };
    const oyez_stats_handler *list[] = { &first, &second };
    void *tags[2];
    oy_stats *stats;
    (void)state;
    assert_ok(oy_stats_new(list, 2, &stats));
    oy_stats_conn_begin(stats, tags, true, "peer");
    assert_string_equal(seen.log, "1.conn(client) 2.conn(client) ");
    assert_ptr_equal(tags[1], &two);
    oy_stats_unref(stats);
}

static void tables_are_sized(void **state)
{
    struct {
        oyez_stats_handler known;
        void *unknown;
    } newer = { .known = { .size = sizeof(newer) }, .unknown = NULL };
    const oyez_stats_handler old = { .size = offsetof(oyez_stats_handler, begin), .end = end };
    const oyez_stats_handler *list[] = { &newer.known, &old, NULL };
    oy_stats *stats;
    (void)state;
    assert_ok(oy_stats_new(NULL, 0, &stats));
    assert_null(stats);
    assert_ok(oy_stats_new(list, 2, &stats));
    assert_null(stats->handlers[1].end); /* beyond what its writer knew */
    oy_stats_unref(stats);
    assert_err(oy_stats_new(list, 3, &stats), OYEZ_ENULL);
    assert_err(oy_stats_new(NULL, 1, &stats), OYEZ_ENULL);
    newer.unknown = &newer;
    assert_err(oy_stats_new(list, 1, &stats), OYEZ_E2BIG);
    assert_null(stats);
}

OY_TEST_GROUP(stats_stats, oy_leak_test(in_order), oy_leak_test(of_both_in_turn),
              oy_leak_test(tables_are_sized));

/* SPDX-License-Identifier: Apache-2.0 */
/* Callers that wait for nothing: the callback of one call begins the next, on the loop thread of its
 * connection. One clock reading books the one and times the other. */
#include "client.h"

static void begin_call(bench_slot *slot, oyez_duration now);

static void end_call(bench_slot *slot)
{
    oyez_duration now = oyez_now();
    if (bench_book(slot, now))
        begin_call(slot, now);
    else
        bench_retire(slot);
}

/* --- unary ------------------------------------------------------------------------------------ */

static void end_unary(bench_slot *slot, const oyez_status *status, bool is_right)
{
    bench_state *bench = slot->lane->bench;
    if (status->code != OYEZ_OK) {
        bench_fail_status(bench, status);
        bench_retire(slot);
    } else if (!is_right) {
        bench_fail(bench, "a reply has the wrong size");
        bench_retire(slot);
    } else {
        end_call(slot);
    }
}

static void on_reply(oyez_call *call, const oyez_status *status,
                     const Grpc__Testing__SimpleResponse *reply, void *user)
{
    (void)call;
    bench_slot *slot = user;
    end_unary(slot, status, bench_reply_is_right(slot->lane->bench, reply));
}

static void on_bytes(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    (void)call;
    bench_slot *slot = user;
    end_unary(slot, status,
              reply && ((const oyez_slice *)reply)->len == slot->lane->bench->reply_bytes);
}

static void begin_unary(bench_slot *slot)
{
    bench_lane *lane = slot->lane;
    bench_state *bench = lane->bench;
    oyez_err err;
    if (bench->bytes) {
        err = oyez_unary_call_async(lane->channel, &bench_bytes_method, NULL, NULL, &lane->request,
                                    on_bytes, slot, NULL);
    } else {
        Grpc__Testing__SimpleRequest request;
        Grpc__Testing__Payload payload;
        const grpc_testing_benchmark_service_stub stub = {.channel = lane->channel};
        bench_fill_request(&request, &payload, bench->settings->req, bench->settings->resp);
        err = grpc_testing_benchmark_service_unary_call_async(stub, NULL, &request, on_reply, slot,
                                                              NULL);
    }
    if (err) {
        bench_fail_err(bench, err);
        bench_retire(slot);
    }
}

/* --- streams ---------------------------------------------------------------------------------- */

static void begin_message(bench_slot *slot)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    const bench_settings *settings = slot->lane->bench->settings;
    bench_fill_request(&request, &payload, settings->req, settings->resp);
    slot->sent = slot->answered = false;
    /* If it fails the stream is over, and on_done says why. */
    (void)oyez_stream_send(slot->stream, &request);
}

static void on_message(oyez_stream *stream, const void *message, void *user)
{
    bench_slot *slot = user;
    if (!bench_reply_is_right(slot->lane->bench, message)) {
        bench_fail(slot->lane->bench, "a reply has the wrong size");
        bench_retire(slot);
        return;
    }
    oyez_stream_request(stream, 1);
    slot->answered = true;
    if (slot->sent)
        end_call(slot);
}

static void on_sent(oyez_stream *stream, void *user)
{
    (void)stream;
    bench_slot *slot = user;
    slot->sent = true;
    if (slot->answered)
        end_call(slot);
}

static void on_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    (void)stream;
    bench_slot *slot = user;
    if (slot->over)
        return;
    bench_fail_status(slot->lane->bench, status);
    bench_retire(slot);
}

static void begin_call(bench_slot *slot, oyez_duration now)
{
    slot->started = now;
    if (slot->lane->bench->streaming)
        begin_message(slot);
    else
        begin_unary(slot);
}

/* --- for the measurement ---------------------------------------------------------------------- */

bool events_open(bench_slot *slot)
{
    static const oyez_stream_events events = {
        OYEZ_STREAM_EVENTS_INIT,
        .on_message = on_message,
        .on_sent = on_sent,
        .on_done = on_done,
    };
    if (!slot->lane->bench->streaming)
        return true;
    oyez_err err = oyez_stream_start(slot->lane->channel,
                                     &grpc_testing_benchmark_service_streaming_call_method, NULL,
                                     NULL, NULL, &events, NULL, slot, &slot->stream);
    if (err) {
        bench_fail_err(slot->lane->bench, err);
        return false;
    }
    oyez_stream_request(slot->stream, 1);
    return true;
}

bool events_start(bench_slot *slot)
{
    begin_call(slot, oyez_now());
    return true;
}

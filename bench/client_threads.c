/* SPDX-License-Identifier: Apache-2.0 */
/* Callers that are threads and wait for each call. */
#include "client.h"

static bool call_unary(bench_slot *slot)
{
    bench_state *bench = slot->lane->bench;
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    Grpc__Testing__SimpleResponse *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    const grpc_testing_benchmark_service_stub stub = {.channel = slot->lane->channel};
    bench_fill_request(&request, &payload, bench->settings->req, bench->settings->resp);
    bool ok =
        grpc_testing_benchmark_service_unary_call(stub, NULL, &request, &reply, &status) == OYEZ_OK;
    if (!ok) {
        bench_fail_status(bench, &status);
    } else if (!bench_reply_is_right(bench, reply)) {
        bench_fail(bench, "a reply has the wrong size");
        ok = false;
    }
    grpc__testing__simple_response__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
    return ok;
}

static bool call_stream(bench_slot *slot)
{
    bench_state *bench = slot->lane->bench;
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    const void *reply;
    bench_fill_request(&request, &payload, bench->settings->req, bench->settings->resp);
    if (!oyez_stream_send(slot->stream, &request) || !oyez_stream_recv(slot->stream, &reply)) {
        bench_fail(bench, "a stream has ended too early");
        return false;
    }
    if (!bench_reply_is_right(bench, reply)) {
        bench_fail(bench, "a reply has the wrong size");
        return false;
    }
    return true;
}

static void *call_in_turns(void *user)
{
    bench_slot *slot = user;
    const bool streaming = slot->lane->bench->streaming;
    do
        slot->started = oyez_now();
    while ((streaming ? call_stream(slot) : call_unary(slot)) && bench_book(slot, oyez_now()));
    bench_retire(slot);
    return NULL;
}

bool threads_open(bench_slot *slot)
{
    if (!slot->lane->bench->streaming)
        return true;
    oyez_err err = oyez_stream_start(slot->lane->channel,
                                     &grpc_testing_benchmark_service_streaming_call_method, NULL,
                                     NULL, NULL, NULL, NULL, NULL, &slot->stream);
    if (err)
        bench_fail_err(slot->lane->bench, err);
    return !err;
}

bool threads_start(bench_slot *slot)
{
    slot->has_thread = pthread_create(&slot->thread, NULL, call_in_turns, slot) == 0;
    if (!slot->has_thread) {
        bench_fail(slot->lane->bench, "there are not enough threads");
        bench_retire(slot);
    }
    return slot->has_thread;
}

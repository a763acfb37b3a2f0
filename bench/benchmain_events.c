/* SPDX-License-Identifier: Apache-2.0 */
/* Callers that wait for nothing: the callback of one call starts the next. Between phases the main
 * thread starts them; from then on all is done on the loop of their connection. */
#include "benchmain.h"
#include "messages.h"

static void begin_call(caller *c, oyez_duration now);

/* The end of a call: books it and begins the next. One clock reading serves both. */
static void end_call(caller *c)
{
    run *r = c->run;
    oyez_duration now = oyez_now();
    if (c->warm_left > 0) {
        c->warm_left--;
        if (c->warm_left == 0) {
            run_retire(r);
            return;
        }
    } else {
        histogram_add(c->latencies, now - c->started);
        c->req_bytes += (uint64_t)c->req;
        c->resp_bytes += (uint64_t)c->resp;
        if (now > r->end) {
            run_retire(r);
            return;
        }
    }
    if (!run_failed(r))
        begin_call(c, now);
}

/* --- unary ------------------------------------------------------------------------------------ */

static void on_reply(oyez_call *call, const oyez_status *status,
                     const Grpc__Testing__SimpleResponse *reply, void *user)
{
    (void)call;
    caller *c = user;
    if (status->code != OYEZ_OK)
        run_fail_status(c->run, status);
    else if (caller_check(c, reply))
        end_call(c);
}

static void begin_unary(caller *c)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    const grpc_testing_benchmark_service_stub stub = {.channel = c->channel};
    caller_draw(c);
    bench_fill_request(&request, &payload, c->req, c->resp);
    oyez_err err =
        grpc_testing_benchmark_service_unary_call_async(stub, NULL, &request, on_reply, c, NULL);
    if (err)
        run_fail(c->run, "%s", oyez_strerror(err));
}

/* --- streams ---------------------------------------------------------------------------------- */

static void send_request(caller *c)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    const void *message = &c->run->request;
    caller_draw(c);
    if (!c->run->preload) {
        bench_fill_request(&request, &payload, c->req, c->resp);
        message = &request;
    }
    /* on_done says why, if it fails. */
    (void)oyez_stream_send(c->stream, message);
}

static void on_message(oyez_stream *stream, const void *message, void *user)
{
    caller *c = user;
    run *r = c->run;
    const Grpc__Testing__SimpleResponse *reply = message;
    if (!caller_check(c, reply))
        return;
    if (r->workload != WORKLOAD_UNCONSTRAINED) {
        oyez_stream_request(stream, 1);
        c->answered = true;
        if (c->sent)
            end_call(c);
        return;
    }
    switch (run_phase(r)) {
    case PHASE_STOP:
        return;
    case PHASE_MEASURE:
        c->recvs++;
        c->resp_bytes += reply->payload->body.len;
        break;
    case PHASE_WARM:
        break;
    }
    oyez_stream_request(stream, 1);
}

static void on_sent(oyez_stream *stream, void *user)
{
    (void)stream;
    caller *c = user;
    run *r = c->run;
    if (r->workload != WORKLOAD_UNCONSTRAINED) {
        c->sent = true;
        if (c->answered)
            end_call(c);
        return;
    }
    switch (run_phase(r)) {
    case PHASE_STOP:
        return;
    case PHASE_MEASURE:
        c->sends++;
        c->req_bytes += (uint64_t)c->req;
        break;
    case PHASE_WARM:
        break;
    }
    send_request(c);
}

static void on_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    (void)stream;
    caller *c = user;
    if (run_phase(c->run) != PHASE_STOP)
        run_fail_status(c->run, status);
    else if (c->run->workload == WORKLOAD_UNCONSTRAINED)
        run_retire(c->run); /* it was cancelled: see end_free */
}

/* --- for the run ------------------------------------------------------------------------------ */

static void begin_call(caller *c, oyez_duration now)
{
    c->started = now;
    if (c->run->workload == WORKLOAD_UNARY) {
        begin_unary(c);
        return;
    }
    c->sent = c->answered = false;
    send_request(c);
}

bool events_open(caller *c)
{
    static const oyez_stream_events events = {
        OYEZ_STREAM_EVENTS_INIT,
        .on_message = on_message,
        .on_sent = on_sent,
        .on_done = on_done,
    };
    const oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .metadata = c->run->metadata};
    if (c->run->workload == WORKLOAD_UNARY)
        return true;
    oyez_err err = oyez_stream_start(c->channel, &prepared_streaming_method, NULL, &options, NULL,
                                     &events, NULL, c, &c->stream);
    if (err)
        run_fail(c->run, "%s", oyez_strerror(err));
    else
        oyez_stream_request(c->stream, 1);
    return !err;
}

void events_start(caller *c, unsigned warm_calls)
{
    c->warm_left = warm_calls;
    begin_call(c, oyez_now());
}

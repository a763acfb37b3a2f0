/* SPDX-License-Identifier: Apache-2.0 */
/* Callers that are threads and wait for each call; on unconstrained streams two, one to send and one
 * to receive. */
#include "benchmain.h"
#include "messages.h"

/* --- one call --------------------------------------------------------------------------------- */

static bool call_unary(caller *c)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    Grpc__Testing__SimpleResponse *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    const grpc_testing_benchmark_service_stub stub = {.channel = c->channel};
    caller_draw(c);
    bench_fill_request(&request, &payload, c->req, c->resp);
    bool ok =
        grpc_testing_benchmark_service_unary_call(stub, NULL, &request, &reply, &status) == OYEZ_OK;
    if (!ok)
        run_fail_status(c->run, &status);
    else
        ok = caller_check(c, reply);
    grpc__testing__simple_response__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
    return ok;
}

static bool send_request(caller *c)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    caller_draw(c);
    if (c->run->preload)
        return oyez_stream_send(c->stream, &c->run->request);
    bench_fill_request(&request, &payload, c->req, c->resp);
    return oyez_stream_send(c->stream, &request);
}

/* Returns the size of the reply's payload; negative: there is none, or it is wrong. */
static int64_t receive(caller *c)
{
    const void *message;
    if (!oyez_stream_recv(c->stream, &message))
        return -1;
    const Grpc__Testing__SimpleResponse *reply = message;
    return caller_check(c, reply) ? (int64_t)reply->payload->body.len : -1;
}

static bool call_once(caller *c)
{
    if (c->run->workload == WORKLOAD_UNARY)
        return call_unary(c);
    bool ok = send_request(c) && receive(c) >= 0;
    if (!ok)
        run_fail(c->run, "a stream has ended too early");
    return ok;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void wait_for_start(run *r)
{
    (void)pthread_mutex_lock(&r->lock);
    while (!r->open)
        (void)pthread_cond_wait(&r->changed, &r->lock);
    (void)pthread_mutex_unlock(&r->lock);
}

static void *call_in_turns(void *user)
{
    caller *c = user;
    run *r = c->run;
    wait_for_start(r);
    while (!run_failed(r)) {
        caller_sleep(c);
        oyez_duration begin = oyez_now();
        if (begin > r->end || !call_once(c))
            break;
        histogram_add(c->latencies, oyez_now() - begin);
        c->req_bytes += (uint64_t)c->req;
        c->resp_bytes += (uint64_t)c->resp;
    }
    run_retire(r);
    return NULL;
}

/* A stream that sends freely is over: cancelled when the time was, or it should not be. */
static void note_end(run *r)
{
    if (run_phase(r) != PHASE_STOP)
        run_fail(r, "a stream has ended too early");
}

static void *send_freely(void *user)
{
    caller *c = user;
    run *r = c->run;
    wait_for_start(r);
    for (phase now; (now = run_phase(r)) != PHASE_STOP && !run_failed(r);) {
        caller_sleep(c);
        if (!send_request(c)) {
            note_end(r);
            break;
        }
        if (now == PHASE_MEASURE) {
            c->sends++;
            c->req_bytes += (uint64_t)c->req;
        }
    }
    run_retire(r);
    return NULL;
}

static void *receive_freely(void *user)
{
    caller *c = user;
    run *r = c->run;
    wait_for_start(r);
    for (phase now; (now = run_phase(r)) != PHASE_STOP && !run_failed(r);) {
        int64_t bytes = receive(c);
        if (bytes < 0) {
            note_end(r);
            break;
        }
        if (now == PHASE_MEASURE) {
            c->recvs++;
            c->resp_bytes += (uint64_t)bytes;
        }
    }
    run_retire(r);
    return NULL;
}

/* --- for the run ------------------------------------------------------------------------------ */

bool threads_open(caller *c)
{
    const oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .metadata = c->run->metadata};
    if (c->run->workload == WORKLOAD_UNARY)
        return true;
    oyez_err err = oyez_stream_start(c->channel, &prepared_streaming_method, NULL, &options, NULL,
                                     NULL, NULL, NULL, &c->stream);
    if (err)
        run_fail(c->run, "%s", oyez_strerror(err));
    return !err;
}

bool threads_warm(caller *c, unsigned warm_calls)
{
    bool ok = true;
    for (unsigned i = 0; i < warm_calls && ok; i++)
        ok = call_once(c);
    return ok;
}

bool threads_start(caller *c)
{
    const bool is_free = c->run->workload == WORKLOAD_UNCONSTRAINED;
    void *(*const bodies[])(void *) = {is_free ? send_freely : call_in_turns, receive_freely};
    for (size_t i = 0; i < (is_free ? 2 : 1); i++) {
        if (pthread_create(&c->threads[i], NULL, bodies[i], c) != 0) {
            run_fail(c->run, "there are not enough threads");
            return false;
        }
        c->thread_count++;
    }
    return true;
}

void threads_join(caller *c)
{
    for (size_t i = 0; i < c->thread_count; i++)
        (void)pthread_join(c->threads[i], NULL);
    c->thread_count = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The interop client's negative HTTP/2 cases: large_unary's call to a server that misbehaves in a chosen way
 * (http2_server.py). The server looks at the rest: connections, streams at a time, answers to PING. */
#include <semaphore.h>
#include <time.h>

#include "interop/client.h"

#define MANY_CALLS 15

bool http2_goaway(case_run *run)
{
    const struct timespec pause = {1, 0};
    if (!large_unary(run))
        return false;
    (void)nanosleep(&pause, NULL);
    return large_unary(run);
}

/* The stream is reset with NO_ERROR; the call has failed all the same. */
bool http2_reset(case_run *run)
{
    if (large_unary(run))
        return fail(run, "the call succeeded");
    return expect_status(run, OYEZ_INTERNAL, NULL);
}

/* --- max_streams ------------------------------------------------------------------------------ */

typedef struct calls {
    case_run *run;
    sem_t done;
    _Atomic(unsigned) good;
} calls;

static void on_done(oyez_call *call, const oyez_status *status,
                    const Grpc__Testing__SimpleResponse *reply, void *user)
{
    calls *all = user;
    (void)call;
    if (status->code != OYEZ_OK)
        (void)fail(all->run, "%s: %s", oyez_code_name(status->code), status->message);
    else if (expect_body(all->run, reply->payload, LARGE_RESPONSE))
        all->good++;
    (void)sem_post(&all->done);
}

/* The server takes one at a time: the others wait for their turn. */
bool http2_max_streams(case_run *run)
{
    Grpc__Testing__SimpleRequest request = GRPC__TESTING__SIMPLE_REQUEST__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    calls all = {.run = run};
    unsigned started = 0;
    if (!large_unary(run) || !begin(run, NULL))
        return false;
    request.response_size = LARGE_RESPONSE;
    payload.body.data = zeros;
    payload.body.len = LARGE_REQUEST;
    request.payload = &payload;
    run->options.headers = run->options.trailers = NULL; /* the calls are many */
    if (sem_init(&all.done, 0, 0))
        return fail(run, "no semaphore");
    while (started < MANY_CALLS && !test_call(unary_call_async)(stub_of(run), NULL, &request,
                                                                on_done, &all, NULL))
        started++;
    for (unsigned i = 0; i < started; i++)
        while (sem_wait(&all.done))
            continue;
    (void)sem_destroy(&all.done);
    if (started < MANY_CALLS)
        return fail(run, "only %u calls could be started", started);
    return all.good == MANY_CALLS;
}

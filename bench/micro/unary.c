/* SPDX-License-Identifier: Apache-2.0 */
/* bench-count: whole unary calls of one byte each way, client and server on one thread of this process,
 * in memory and over TCP on loopback, one at a time and a hundred. What a call takes in instructions
 * depends on nothing but the library then: it is recorded, and compared with what was recorded last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <oyez/oyez.h>

#include "grpc/testing/benchmark_service.oyez.h"
#include "micro.h"

typedef struct calls {
    oyez_runtime *runtime;
    oyez_server *server;
    oyez_channel *channel;
    uint64_t inflight, started, ended;
} calls;

static uint8_t one_byte[1];

static oyez_code unary_call(void *self, oyez_server_call *call,
                            const Grpc__Testing__SimpleRequest *request,
                            Grpc__Testing__SimpleResponse *reply)
{
    (void)self;
    Grpc__Testing__Payload *payload = oyez_server_call_alloc(call, sizeof(*payload));
    if (!payload)
        return OYEZ_RESOURCE_EXHAUSTED;
    grpc__testing__payload__init(payload);
    payload->type = request->response_type;
    payload->body.data = one_byte;
    payload->body.len = (size_t)request->response_size;
    reply->payload = payload;
    return OYEZ_OK;
}

static void on_reply(oyez_call *call, const oyez_status *status,
                     const Grpc__Testing__SimpleResponse *reply, void *user)
{
    calls *c = user;
    (void)call;
    micro_must(status->code == OYEZ_OK && reply->payload && reply->payload->body.len == 1,
               status->message);
    c->ended++;
}

static void begin(calls *c)
{
    Grpc__Testing__SimpleRequest request = GRPC__TESTING__SIMPLE_REQUEST__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    const grpc_testing_benchmark_service_stub stub = {.channel = c->channel};
    payload.body.data = one_byte;
    payload.body.len = 1;
    request.response_size = 1;
    request.payload = &payload;
    micro_must(
        !grpc_testing_benchmark_service_unary_call_async(stub, NULL, &request, on_reply, c, NULL),
        "a call");
    c->started++;
}

/* In batches: a hundred begin together, and all end before the next hundred. */
static void run(void *state, uint64_t rounds)
{
    calls *c = state;
    while (rounds > 0) {
        uint64_t batch = rounds < c->inflight ? rounds : c->inflight;
        rounds -= batch;
        for (uint64_t i = 0; i < batch; i++)
            begin(c);
        while (c->ended < c->started)
            micro_must(!oyez_runtime_turn(c->runtime, -1), "a turn");
    }
}

static void *prepare(bool tcp, uint64_t inflight)
{
    static const grpc_testing_benchmark_service_service service = {.unary_call = unary_call,
                                                                   .on_loop = true};
    calls *c = calloc(1, sizeof(*c));
    uint16_t port = 0;
    char target[32];
    micro_must(c && !oyez_runtime_new_manual(NULL, &c->runtime), "a runtime");
    c->inflight = inflight;
    const oyez_server_options server_options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = c->runtime};
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = c->runtime};
    micro_must(!oyez_server_new(&server_options, &c->server) &&
                   !grpc_testing_benchmark_service_service_register(c->server, &service, NULL) &&
                   !oyez_server_listen(c->server, "127.0.0.1:0", oyez_insecure(), &port) &&
                   !oyez_server_start(c->server),
               "a server");
    (void)snprintf(target, sizeof(target), "127.0.0.1:%u", (unsigned)port);
    micro_must(tcp ? !oyez_channel_new(target, oyez_insecure(), &options, &c->channel)
                   : !oyez_server_connect(c->server, &options, &c->channel),
               "a channel");
    run(c, 10 * inflight);
    return c;
}

static void *prepare_inproc_1(void)
{
    return prepare(false, 1);
}

static void *prepare_inproc_100(void)
{
    return prepare(false, 100);
}

static void *prepare_tcp_1(void)
{
    return prepare(true, 1);
}

static void *prepare_tcp_100(void)
{
    return prepare(true, 100);
}

static void end(void *state)
{
    calls *c = state;
    oyez_channel_unref(c->channel);
    oyez_server_unref(c->server);
    oyez_runtime_unref(c->runtime);
    free(c);
}

int main(int argc, char **argv)
{
    static const micro_case cases[] = {
        {"unary-in-memory-1", prepare_inproc_1, run, end, 2000},
        {"unary-in-memory-100", prepare_inproc_100, run, end, 2000},
        {"unary-tcp-1", prepare_tcp_1, run, end, 2000},
        {"unary-tcp-100", prepare_tcp_100, run, end, 2000},
        {NULL, NULL, NULL, NULL, 0},
    };
    static const micro_case *const lists[] = {cases};
    return micro_main(lists, 1, argc, argv);
}

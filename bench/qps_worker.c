/* SPDX-License-Identifier: Apache-2.0 */
/* qps-worker: grpc.testing.WorkerService, for the driver of gRPC's QPS benchmark: it is told to serve or
 * to call, and says what it measured. Flags as gRPC-Go's worker has them. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qps.h"
#include "support/flags.h"
#include "usage.h"

#define LAST_REPLY OYEZ_SECOND /* time for the reply of QuitWorker */

typedef struct worker {
    int driver_port, server_port;
    pthread_t main_thread;
} worker;

/* What is measured between two marks. */
typedef struct span {
    oyez_duration since;
    usage before;
} span;

static void span_reset(span *s)
{
    s->since = oyez_now();
    s->before = usage_now();
}

static double span_read(const span *s, usage *ret_spent)
{
    *ret_spent = usage_between(s->before, usage_now());
    return (double)(oyez_now() - s->since) / (double)OYEZ_SECOND;
}

/* --- RunServer -------------------------------------------------------------------------------- */

static bool send_server_status(grpc_testing_worker_service_run_server_server_stream stream,
                               const qps_server *server, const span *s)
{
    Grpc__Testing__ServerStatus status = GRPC__TESTING__SERVER_STATUS__INIT;
    Grpc__Testing__ServerStats stats = GRPC__TESTING__SERVER_STATS__INIT;
    usage spent;
    stats.time_elapsed = span_read(s, &spent);
    stats.time_user = spent.user;
    stats.time_system = spent.system;
    status.stats = &stats;
    status.port = qps_server_port(server);
    status.cores = qps_server_cores(server);
    return grpc_testing_worker_service_run_server_server_send(stream, &status);
}

static oyez_code run_server(void *self, oyez_server_call *call,
                            grpc_testing_worker_service_run_server_server_stream stream)
{
    const worker *w = self;
    const Grpc__Testing__ServerArgs *args;
    qps_server *server = NULL;
    qps_refusal why = {OYEZ_OK, ""};
    span s = {0, {0, 0}};
    while (why.code == OYEZ_OK &&
           grpc_testing_worker_service_run_server_server_recv(stream, &args)) {
        bool reset = false;
        if (args->argtype_case == GRPC__TESTING__SERVER_ARGS__ARGTYPE_SETUP) {
            qps_server_stop(server);
            server = qps_server_start(args->setup, w->server_port, &why);
            span_reset(&s);
        } else if (args->argtype_case == GRPC__TESTING__SERVER_ARGS__ARGTYPE_MARK && server) {
            reset = args->mark->reset;
        } else {
            (void)qps_refuse(&why, OYEZ_INVALID_ARGUMENT, "a setup is wanted first, then marks");
        }
        if (why.code == OYEZ_OK && !send_server_status(stream, server, &s))
            why.code = OYEZ_CANCELLED;
        if (reset)
            span_reset(&s);
    }
    qps_server_stop(server);
    return why.code == OYEZ_OK ? OYEZ_OK : oyez_server_call_fail(call, why.code, "%s", why.words);
}

/* --- RunClient -------------------------------------------------------------------------------- */

static bool send_client_status(grpc_testing_worker_service_run_client_server_stream stream,
                               qps_load *load, span *s, bool reset)
{
    Grpc__Testing__ClientStatus status = GRPC__TESTING__CLIENT_STATUS__INIT;
    Grpc__Testing__ClientStats stats = GRPC__TESTING__CLIENT_STATS__INIT;
    Grpc__Testing__HistogramData data;
    Grpc__Testing__RequestResultCount counts[17];
    Grpc__Testing__RequestResultCount *list[17];
    int64_t results[17] = {0};
    qps_histogram latencies;
    usage spent;
    if (!qps_load_histogram(load, &latencies))
        return false;
    stats.time_elapsed = span_read(s, &spent);
    qps_load_read(load, reset, &latencies, results);
    if (reset)
        span_reset(s);
    stats.time_user = spent.user;
    stats.time_system = spent.system;
    qps_histogram_show(&latencies, &data);
    stats.latencies = &data;
    for (int code = 0; code < 17; code++) {
        if (results[code] == 0)
            continue;
        Grpc__Testing__RequestResultCount *one = &counts[stats.n_request_results];
        grpc__testing__request_result_count__init(one);
        one->status_code = code;
        one->count = results[code];
        list[stats.n_request_results++] = one;
    }
    stats.request_results = list;
    status.stats = &stats;
    bool ok = grpc_testing_worker_service_run_client_server_send(stream, &status);
    qps_histogram_fini(&latencies);
    return ok;
}

static oyez_code run_client(void *self, oyez_server_call *call,
                            grpc_testing_worker_service_run_client_server_stream stream)
{
    const Grpc__Testing__ClientArgs *args;
    qps_load *load = NULL;
    qps_refusal why = {OYEZ_OK, ""};
    span s = {0, {0, 0}};
    (void)self;
    while (why.code == OYEZ_OK &&
           grpc_testing_worker_service_run_client_server_recv(stream, &args)) {
        bool reset = false;
        if (args->argtype_case == GRPC__TESTING__CLIENT_ARGS__ARGTYPE_SETUP) {
            qps_load_stop(load);
            load = qps_load_start(args->setup, &why);
            span_reset(&s);
        } else if (args->argtype_case == GRPC__TESTING__CLIENT_ARGS__ARGTYPE_MARK && load) {
            reset = args->mark->reset;
        } else {
            (void)qps_refuse(&why, OYEZ_INVALID_ARGUMENT, "a setup is wanted first, then marks");
        }
        if (why.code == OYEZ_OK && !send_client_status(stream, load, &s, reset))
            why.code = OYEZ_CANCELLED;
    }
    qps_load_stop(load);
    return why.code == OYEZ_OK ? OYEZ_OK : oyez_server_call_fail(call, why.code, "%s", why.words);
}

/* --- the rest --------------------------------------------------------------------------------- */

static oyez_code core_count(void *self, oyez_server_call *call,
                            const Grpc__Testing__CoreRequest *request,
                            Grpc__Testing__CoreResponse *reply)
{
    (void)self;
    (void)call;
    (void)request;
    reply->cores = qps_cores();
    return OYEZ_OK;
}

static oyez_code quit_worker(void *self, oyez_server_call *call, const Grpc__Testing__Void *request,
                             Grpc__Testing__Void *reply)
{
    const worker *w = self;
    (void)call;
    (void)request;
    (void)reply;
    (void)pthread_kill(w->main_thread, SIGTERM);
    return OYEZ_OK;
}

static int serve(worker *w, const sigset_t *signals)
{
    static const grpc_testing_worker_service_service service = {
        .run_server = run_server,
        .run_client = run_client,
        .core_count = core_count,
        .quit_worker = quit_worker,
    };
    char address[32];
    uint16_t port = 0;
    int number = 0;
    oyez_server *server = NULL;
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = grpc_testing_worker_service_service_register(server, &service, w);
    (void)snprintf(address, sizeof(address), "0.0.0.0:%d", w->driver_port);
    if (!err)
        err = oyez_server_listen(server, address, oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);
    if (!err) {
        printf("listening for a driver on port %u\n", (unsigned)port);
        (void)fflush(stdout);
        (void)sigwait(signals, &number);
        oyez_server_graceful_stop(server, LAST_REPLY);
        err = oyez_server_wait(server, 10 * OYEZ_SECOND);
    }
    if (err) {
        const char *words = server ? oyez_server_words(server) : "";
        fprintf(stderr, "qps-worker: %s\n", words[0] ? words : oyez_strerror(err));
    }
    oyez_server_unref(server);
    return err != 0;
}

int main(int argc, char **argv)
{
    worker w = {.driver_port = 10000};
    const char *no_go = "there is nothing of the kind in C; only off can be had";
    const char *no_tls = "there is no TLS here yet";
    const oy_flag flags[] = {
        {.name = "driver_port",
         .kind = OY_FLAG_INT,
         .value = &w.driver_port,
         .help = "where the driver calls; 0: any, it is printed",
         .most = 65535},
        {.name = "server_port",
         .kind = OY_FLAG_INT,
         .value = &w.server_port,
         .help = "of servers for which the driver names none; 0: any",
         .most = 65535},
        {.name = "pprof_port", .kind = OY_FLAG_OFF, .words = "-1", .help = no_go},
        {.name = "block_prof_rate", .kind = OY_FLAG_OFF, .words = "0", .help = no_go},
        {.name = "ca_file", .kind = OY_FLAG_OFF, .help = no_tls},
        {.name = "tls_cert_file", .kind = OY_FLAG_OFF, .help = no_tls},
        {.name = "tls_key_file", .kind = OY_FLAG_OFF, .help = no_tls},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "grpc.testing.WorkerService, for the driver of the QPS benchmark.", argc,
                           argv)) {
    case OY_FLAGS_GO:
        break;
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        return 2;
    }
    /* Blocked before the first thread is made: this one waits for them. */
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    w.main_thread = pthread_self();
    return serve(&w, &signals);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* qps-driver: a small driver of the QPS benchmark. Has one worker serve and another call, for any
 * implementation of grpc.testing.WorkerService, and prints a line of JSON: calls a second, latencies,
 * processor time in percent of the time that passed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "qps.h"
#include "support/flags.h"

#define RESOLUTION   0.01
#define MAX_POSSIBLE 60e9

typedef struct driver {
    const char *server_worker, *client_worker, *host, *rpc, *payload, *kind;
    int req, resp, outstanding, channels, load;
    double warm, seconds;
    bool quit;
    grpc_testing_worker_service_stub stubs[2];
    grpc_testing_worker_service_run_server_stream server;
    grpc_testing_worker_service_run_client_stream client;
    oyez_ctx *ctx;
} driver;

/* Those of the two enumerations that mean the same; "other" is what a worker refuses. */
typedef struct word {
    const char *name;
    int value;
} word;
static const word kinds[] = {
    {"sync", GRPC__TESTING__CLIENT_TYPE__SYNC_CLIENT},
    {"async", GRPC__TESTING__CLIENT_TYPE__ASYNC_CLIENT},
    {"other", 99},
    {NULL, 0},
};
static const word rpcs[] = {
    {"unary", GRPC__TESTING__RPC_TYPE__UNARY},
    {"streaming", GRPC__TESTING__RPC_TYPE__STREAMING},
    {"from_client", GRPC__TESTING__RPC_TYPE__STREAMING_FROM_CLIENT},
    {"from_server", GRPC__TESTING__RPC_TYPE__STREAMING_FROM_SERVER},
    {"both_ways", GRPC__TESTING__RPC_TYPE__STREAMING_BOTH_WAYS},
    {NULL, 0},
};

static int value_of(const char *name, const word *words)
{
    while (words->name && strcmp(words->name, name) != 0)
        words++;
    return words->value;
}

static bool open_worker(const char *target, oyez_channel **ret_channel)
{
    oyez_err err = oyez_channel_new(target, oyez_insecure(), NULL, ret_channel);
    if (err)
        fprintf(stderr, "qps-driver: %s: %s\n", target, oyez_strerror(err));
    return !err;
}

static bool finish(const char *what, oyez_stream *stream)
{
    oyez_status status = OYEZ_STATUS_INIT;
    bool ok = oyez_stream_finish(stream, &status) == OYEZ_OK;
    if (!ok)
        fprintf(stderr, "qps-driver: %s: %s: %s\n", what, oyez_code_name(status.code),
                status.message);
    oyez_status_fini(&status);
    return ok;
}

static Grpc__Testing__ComplexProtoParams complex_payload =
    GRPC__TESTING__COMPLEX_PROTO_PARAMS__INIT;

static void fill_payload(const driver *d, Grpc__Testing__PayloadConfig *config,
                         Grpc__Testing__SimpleProtoParams *simple,
                         Grpc__Testing__ByteBufferParams *bytes)
{
    grpc__testing__payload_config__init(config);
    grpc__testing__simple_proto_params__init(simple);
    grpc__testing__byte_buffer_params__init(bytes);
    simple->req_size = bytes->req_size = d->req;
    simple->resp_size = bytes->resp_size = d->resp;
    if (strcmp(d->payload, "bytebuf") == 0) {
        config->payload_case = GRPC__TESTING__PAYLOAD_CONFIG__PAYLOAD_BYTEBUF_PARAMS;
        config->bytebuf_params = bytes;
    } else if (strcmp(d->payload, "complex") == 0) {
        config->payload_case = GRPC__TESTING__PAYLOAD_CONFIG__PAYLOAD_COMPLEX_PARAMS;
        config->complex_params = &complex_payload;
    } else {
        config->payload_case = GRPC__TESTING__PAYLOAD_CONFIG__PAYLOAD_SIMPLE_PARAMS;
        config->simple_params = simple;
    }
}

static bool set_up_server(driver *d, int *ret_port, int *ret_cores)
{
    Grpc__Testing__ServerArgs args = GRPC__TESTING__SERVER_ARGS__INIT;
    Grpc__Testing__ServerConfig config = GRPC__TESTING__SERVER_CONFIG__INIT;
    Grpc__Testing__PayloadConfig payload;
    Grpc__Testing__SimpleProtoParams simple;
    Grpc__Testing__ByteBufferParams bytes;
    const Grpc__Testing__ServerStatus *status;
    fill_payload(d, &payload, &simple, &bytes);
    config.server_type = (Grpc__Testing__ServerType)value_of(d->kind, kinds);
    config.payload_config = &payload;
    args.argtype_case = GRPC__TESTING__SERVER_ARGS__ARGTYPE_SETUP;
    args.setup = &config;
    if (!grpc_testing_worker_service_run_server_send(d->server, &args) ||
        !grpc_testing_worker_service_run_server_recv(d->server, &status))
        return false;
    *ret_port = status->port;
    *ret_cores = status->cores;
    return true;
}

static bool set_up_client(driver *d, int port)
{
    Grpc__Testing__ClientArgs args = GRPC__TESTING__CLIENT_ARGS__INIT;
    Grpc__Testing__ClientConfig config = GRPC__TESTING__CLIENT_CONFIG__INIT;
    Grpc__Testing__LoadParams load = GRPC__TESTING__LOAD_PARAMS__INIT;
    Grpc__Testing__ClosedLoopParams closed = GRPC__TESTING__CLOSED_LOOP_PARAMS__INIT;
    Grpc__Testing__PoissonParams poisson = GRPC__TESTING__POISSON_PARAMS__INIT;
    Grpc__Testing__HistogramParams histogram = GRPC__TESTING__HISTOGRAM_PARAMS__INIT;
    Grpc__Testing__PayloadConfig payload;
    Grpc__Testing__SimpleProtoParams simple;
    Grpc__Testing__ByteBufferParams bytes;
    const Grpc__Testing__ClientStatus *status;
    char target[300], *targets[] = {target};
    (void)snprintf(target, sizeof(target), "%s:%d", d->host, port);
    fill_payload(d, &payload, &simple, &bytes);
    config.n_server_targets = 1;
    config.server_targets = targets;
    config.client_type = (Grpc__Testing__ClientType)value_of(d->kind, kinds);
    config.client_channels = d->channels;
    config.outstanding_rpcs_per_channel = d->outstanding;
    config.rpc_type = (Grpc__Testing__RpcType)value_of(d->rpc, rpcs);
    poisson.offered_load = d->load;
    load.load_case = d->load > 0 ? GRPC__TESTING__LOAD_PARAMS__LOAD_POISSON
                                 : GRPC__TESTING__LOAD_PARAMS__LOAD_CLOSED_LOOP;
    if (d->load > 0)
        load.poisson = &poisson;
    else
        load.closed_loop = &closed;
    config.load_params = &load;
    histogram.resolution = RESOLUTION;
    histogram.max_possible = MAX_POSSIBLE;
    config.histogram_params = &histogram;
    config.payload_config = &payload;
    args.argtype_case = GRPC__TESTING__CLIENT_ARGS__ARGTYPE_SETUP;
    args.setup = &config;
    return grpc_testing_worker_service_run_client_send(d->client, &args) &&
           grpc_testing_worker_service_run_client_recv(d->client, &status);
}

/* Resets both. What is given lives until the next mark. */
static bool mark(driver *d, const Grpc__Testing__ServerStats **ret_server,
                 const Grpc__Testing__ClientStats **ret_client)
{
    Grpc__Testing__Mark reset = GRPC__TESTING__MARK__INIT;
    Grpc__Testing__ServerArgs server = GRPC__TESTING__SERVER_ARGS__INIT;
    Grpc__Testing__ClientArgs client = GRPC__TESTING__CLIENT_ARGS__INIT;
    const Grpc__Testing__ServerStatus *server_status;
    const Grpc__Testing__ClientStatus *client_status;
    reset.reset = true;
    server.argtype_case = GRPC__TESTING__SERVER_ARGS__ARGTYPE_MARK;
    server.mark = &reset;
    client.argtype_case = GRPC__TESTING__CLIENT_ARGS__ARGTYPE_MARK;
    client.mark = &reset;
    if (!grpc_testing_worker_service_run_server_send(d->server, &server) ||
        !grpc_testing_worker_service_run_client_send(d->client, &client) ||
        !grpc_testing_worker_service_run_server_recv(d->server, &server_status) ||
        !grpc_testing_worker_service_run_client_recv(d->client, &client_status))
        return false;
    *ret_server = server_status->stats;
    *ret_client = client_status->stats;
    return server_status->stats && client_status->stats && client_status->stats->latencies;
}

/* The middle of the bucket that holds it, in microseconds. */
static double percentile(const Grpc__Testing__HistogramData *h, double share)
{
    double seen = 0;
    for (size_t i = 0; i < h->n_bucket; i++) {
        seen += h->bucket[i];
        if (h->bucket[i] > 0 && seen >= share * h->count)
            return pow(1 + RESOLUTION, (double)i + 0.5) / 1e3;
    }
    return h->max_seen / 1e3;
}

static void report(const driver *d, const Grpc__Testing__ServerStats *s,
                   const Grpc__Testing__ClientStats *c, int cores)
{
    const Grpc__Testing__HistogramData *h = c->latencies;
    int64_t failed = 0;
    for (size_t i = 0; i < c->n_request_results; i++)
        if (c->request_results[i]->status_code != OYEZ_OK)
            failed += c->request_results[i]->count;
    printf("{\"rpc\": \"%s\", \"payload\": \"%s\", \"req\": %d, \"resp\": %d, \"outstanding\": %d, "
           "\"channels\": %d, \"offered\": %d, \"qps\": %.1f, \"calls\": %.0f, \"failed\": %lld, "
           "\"p50_us\": %.2f, \"p90_us\": %.2f, \"p95_us\": %.2f, \"p99_us\": %.2f, "
           "\"p999_us\": %.2f, \"min_us\": %.2f, \"max_us\": %.2f, \"mean_us\": %.2f, ",
           d->rpc, d->payload, d->req, d->resp, d->outstanding, d->channels, d->load,
           h->count / c->time_elapsed, h->count, (long long)failed, percentile(h, 0.5),
           percentile(h, 0.9), percentile(h, 0.95), percentile(h, 0.99), percentile(h, 0.999),
           h->min_seen / 1e3, h->max_seen / 1e3, h->count > 0 ? h->sum / h->count / 1e3 : 0);
    printf("\"server_user\": %.1f, \"server_system\": %.1f, \"client_user\": %.1f, "
           "\"client_system\": %.1f, \"server_cores\": %d}\n",
           100 * s->time_user / s->time_elapsed, 100 * s->time_system / s->time_elapsed,
           100 * c->time_user / c->time_elapsed, 100 * c->time_system / c->time_elapsed, cores);
}

static void pause_for(double seconds)
{
    struct timespec left = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (int64_t)(fmod(seconds, 1) * 1e9)};
    while (nanosleep(&left, &left) != 0)
        continue;
}

static bool drive(driver *d)
{
    const Grpc__Testing__ServerStats *s;
    const Grpc__Testing__ClientStats *c;
    int port = 0, cores = 0;
    if (!set_up_server(d, &port, &cores) || !set_up_client(d, port))
        return false;
    pause_for(d->warm);
    if (!mark(d, &s, &c))
        return false;
    pause_for(d->seconds);
    if (!mark(d, &s, &c))
        return false;
    report(d, s, c, cores);
    return true;
}

static bool quit(const driver *d)
{
    bool ok = true;
    Grpc__Testing__Void nothing = GRPC__TESTING__VOID__INIT;
    for (size_t i = 0; i < 2 && d->quit; i++)
        ok = grpc_testing_worker_service_quit_worker(d->stubs[i], d->ctx, &nothing, NULL, NULL) ==
                 OYEZ_OK &&
             ok;
    return ok;
}

static int run(driver *d)
{
    oyez_channel *channels[2] = {NULL, NULL};
    bool ok =
        open_worker(d->server_worker, &channels[0]) && open_worker(d->client_worker, &channels[1]);
    d->ctx = oyez_ctx_with_timeout(NULL, (oyez_duration)((d->warm + d->seconds + 60) * 1e9));
    d->stubs[0].channel = channels[0];
    d->stubs[1].channel = channels[1];
    ok = ok && !grpc_testing_worker_service_run_server(d->stubs[0], d->ctx, &d->server) &&
         !grpc_testing_worker_service_run_client(d->stubs[1], d->ctx, &d->client);
    if (ok) {
        ok = drive(d);
        /* The client first: its server is still there then. */
        bool client_ok = finish("the client", d->client.base);
        bool server_ok = finish("the server", d->server.base);
        ok = ok && client_ok && server_ok && quit(d);
    }
    oyez_channel_unref(channels[0]);
    oyez_channel_unref(channels[1]);
    oyez_ctx_unref(d->ctx);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    driver d = {.server_worker = "127.0.0.1:10000",
                .client_worker = "127.0.0.1:10010",
                .host = "127.0.0.1",
                .rpc = "unary",
                .payload = "simple",
                .kind = "async",
                .outstanding = 100,
                .channels = 1,
                .warm = 2,
                .seconds = 8};
    const oy_flag flags[] = {
        {.name = "server",
         .kind = OY_FLAG_TEXT,
         .value = &d.server_worker,
         .help = "worker that serves"},
        {.name = "client",
         .kind = OY_FLAG_TEXT,
         .value = &d.client_worker,
         .help = "worker that calls"},
        {.name = "host",
         .kind = OY_FLAG_TEXT,
         .value = &d.host,
         .help = "where its server is for it"},
        {.name = "rpc",
         .kind = OY_FLAG_WORD,
         .value = &d.rpc,
         .help = "what is called",
         .words = "unary|streaming|from_client|from_server|both_ways"},
        {.name = "payload",
         .kind = OY_FLAG_WORD,
         .value = &d.payload,
         .help = "protobuf or plain bytes",
         .words = "simple|bytebuf|complex"},
        {.name = "kind",
         .kind = OY_FLAG_WORD,
         .value = &d.kind,
         .help = "of client and server",
         .words = "sync|async|other"},
        {.name = "req",
         .kind = OY_FLAG_INT,
         .value = &d.req,
         .help = "payload bytes",
         .most = QPS_MAX_PAYLOAD},
        {.name = "resp",
         .kind = OY_FLAG_INT,
         .value = &d.resp,
         .help = "payload bytes",
         .most = QPS_MAX_PAYLOAD},
        {.name = "outstanding",
         .kind = OY_FLAG_INT,
         .value = &d.outstanding,
         .help = "calls of a channel",
         .least = 1,
         .most = QPS_MAX_SLOTS},
        {.name = "channels",
         .kind = OY_FLAG_INT,
         .value = &d.channels,
         .help = "of the client",
         .least = 1,
         .most = 10000},
        {.name = "load",
         .kind = OY_FLAG_INT,
         .value = &d.load,
         .help = "calls a second, by Poisson; 0: a closed loop",
         .most = 10000000},
        {.name = "warm", .kind = OY_FLAG_SECONDS, .value = &d.warm, .help = "seconds"},
        {.name = "seconds", .kind = OY_FLAG_SECONDS, .value = &d.seconds, .help = "that count"},
        {.name = "quit", .kind = OY_FLAG_BOOL, .value = &d.quit, .help = "ends both workers"},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "A driver for two workers of the QPS benchmark.", argc, argv)) {
    case OY_FLAGS_GO:
        return run(&d);
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        break;
    }
    return 2;
}

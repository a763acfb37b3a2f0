/* SPDX-License-Identifier: Apache-2.0 */
/* bench-client: as many unary calls as go, a fixed number of them in flight on each connection, and
 * how long they took. Takes the flags of gRPC-Go's benchmark client and counts as it does: a call
 * counts if it was started after the warm-up and before the end. Each call is encoded, sent,
 * decoded and checked for its size; limits and checks of the library are on. A call that fails ends
 * the run. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "histogram.h"
#include "messages.h"
#include "support/flags.h"
#include "usage.h"

typedef struct bench_settings {
    const char *host;
    int port;
    int inflight; /* of each connection */
    int connections;
    double warm, seconds;
    int req, resp;
    const char *rpc_type;
    const char *codec;
    int loops;
    const char *cpus;
} bench_settings;

typedef struct bench_state {
    const bench_settings *settings;
    bool bytes;                  /* the codec */
    size_t reply_bytes;          /* length of a whole reply, for the bytes codec */
    oyez_duration warm_end, end; /* set before the first call */
    _Atomic(bool) failed;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t outstanding; /* guarded by lock: slots that still call */
    char words[512];    /* guarded by lock: of the first failure */
} bench_state;

/* A connection. All its calls end on one loop thread, so nothing here is shared. */
typedef struct bench_lane {
    bench_state *bench;
    oyez_channel *channel;
    oyez_slice request; /* for the bytes codec */
    histogram latencies;
} bench_lane;

/* One of the calls in flight: when one ends the next begins. */
typedef struct bench_slot {
    bench_lane *lane;
    oyez_duration started;
} bench_slot;

/* --- calls ------------------------------------------------------------------------------------ */

static void note_failure(bench_state *bench, const char *words)
{
    (void)pthread_mutex_lock(&bench->lock);
    if (!bench->failed)
        (void)snprintf(bench->words, sizeof(bench->words), "%s", words);
    bench->failed = true;
    (void)pthread_cond_signal(&bench->changed);
    (void)pthread_mutex_unlock(&bench->lock);
}

static void retire(bench_state *bench)
{
    (void)pthread_mutex_lock(&bench->lock);
    bench->outstanding--;
    (void)pthread_cond_signal(&bench->changed);
    (void)pthread_mutex_unlock(&bench->lock);
}

static void start_call(bench_slot *slot, oyez_duration now);

/* The end of a call: books it and starts the next. One clock reading serves both. */
static void end_call(bench_slot *slot, const oyez_status *status, bool right_size)
{
    bench_lane *lane = slot->lane;
    bench_state *bench = lane->bench;
    oyez_duration now = oyez_now();
    if (status->code != OYEZ_OK || !right_size) {
        char words[512];
        (void)snprintf(words, sizeof(words), "%s: %s", oyez_code_name(status->code),
                       status->code != OYEZ_OK ? status->message : "the reply has the wrong size");
        note_failure(bench, words);
    } else if (slot->started >= bench->warm_end) {
        histogram_add(&lane->latencies, now - slot->started);
    }
    if (now < bench->end && !atomic_load_explicit(&bench->failed, memory_order_relaxed))
        start_call(slot, now);
    else
        retire(bench);
}

static void on_message(oyez_call *call, const oyez_status *status,
                       const Grpc__Testing__SimpleResponse *reply, void *user)
{
    (void)call;
    bench_slot *slot = user;
    end_call(slot, status,
             reply && reply->payload &&
                 reply->payload->body.len == (size_t)slot->lane->bench->settings->resp);
}

static void on_bytes(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    (void)call;
    bench_slot *slot = user;
    end_call(slot, status,
             reply && ((const oyez_slice *)reply)->len == slot->lane->bench->reply_bytes);
}

static void start_call(bench_slot *slot, oyez_duration now)
{
    bench_lane *lane = slot->lane;
    bench_state *bench = lane->bench;
    oyez_err err;
    slot->started = now;
    if (bench->bytes) {
        err = oyez_unary_call_async(lane->channel, &bench_bytes_method, NULL, NULL, &lane->request,
                                    on_bytes, slot, NULL);
    } else {
        Grpc__Testing__SimpleRequest request;
        Grpc__Testing__Payload payload;
        const grpc_testing_benchmark_service_stub stub = {.channel = lane->channel};
        bench_fill_request(&request, &payload, bench->settings->req, bench->settings->resp);
        err = grpc_testing_benchmark_service_unary_call_async(stub, NULL, &request, on_message,
                                                              slot, NULL);
    }
    if (err) {
        note_failure(bench, oyez_strerror(err));
        retire(bench);
    }
}

/* --- lanes ------------------------------------------------------------------------------------ */

static bool connect_lane(bench_lane *lane, oyez_runtime *runtime, const char *target)
{
    const bench_settings *settings = lane->bench->settings;
    char words[512] = "";
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .runtime = runtime,
        .words = words,
        .words_bytes = sizeof(words),
    };
    oyez_err err = oyez_channel_new(target, oyez_insecure(), &options, &lane->channel);
    if (err) {
        fprintf(stderr, "bench-client: %s: %s\n", target, words[0] ? words : oyez_strerror(err));
        return false;
    }
    oyez_buffer bytes = {NULL, 0, NULL};
    if (lane->bench->bytes && (bench_pack_request(settings->req, settings->resp, &bytes) ||
                               oyez_slice_append(&lane->request, bytes))) {
        fprintf(stderr, "bench-client: out of memory\n");
        return false;
    }
    oyez_channel_connect(lane->channel);
    oyez_duration limit = oyez_now() + 10 * OYEZ_SECOND;
    for (;;) {
        oyez_connectivity state = oyez_channel_state(lane->channel);
        if (state == OYEZ_READY)
            return true;
        oyez_duration left = limit - oyez_now();
        if (left <= 0 || state == OYEZ_TRANSIENT_FAILURE) {
            fprintf(stderr, "bench-client: cannot connect to %s\n", target);
            return false;
        }
        (void)oyez_channel_wait_for_state_change(lane->channel, state, left);
    }
}

/* --- the measurement -------------------------------------------------------------------------- */

/* Sleeps until `at`, or until nothing is left to wait for: a failure, or (when `at` is behind the
 * end) the last call. */
static void wait_until(bench_state *bench, oyez_duration at, bool for_last)
{
    (void)pthread_mutex_lock(&bench->lock);
    while (for_last ? bench->outstanding > 0 : !bench->failed) {
        oyez_duration left = at - oyez_now();
        struct timespec limit;
        if (left <= 0)
            break;
        (void)clock_gettime(CLOCK_MONOTONIC, &limit);
        int64_t nanoseconds = limit.tv_nsec + left % OYEZ_SECOND;
        limit.tv_sec += (time_t)(left / OYEZ_SECOND + nanoseconds / OYEZ_SECOND);
        limit.tv_nsec = nanoseconds % OYEZ_SECOND;
        (void)pthread_cond_timedwait(&bench->changed, &bench->lock, &limit);
    }
    (void)pthread_mutex_unlock(&bench->lock);
}

static const char *duration_text(double nanoseconds, char *dst, size_t cap)
{
    if (nanoseconds < 1e3)
        (void)snprintf(dst, cap, "%.0fns", nanoseconds);
    else if (nanoseconds < 1e6)
        (void)snprintf(dst, cap, "%.3f\xc2\xb5s", nanoseconds / 1e3);
    else if (nanoseconds < 1e9)
        (void)snprintf(dst, cap, "%.3fms", nanoseconds / 1e6);
    else
        (void)snprintf(dst, cap, "%.3fs", nanoseconds / 1e9);
    return dst;
}

static void report(const bench_settings *s, const histogram *h, usage spent)
{
    double p50 = histogram_percentile(h, 0.5), p90 = histogram_percentile(h, 0.9),
           p99 = histogram_percentile(h, 0.99);
    double qps = (double)h->count / s->seconds, cpu = spent.user + spent.system;
    char a[32], b[32], c[32];
    printf("qps: %.1f\n", qps);
    printf("Latency: (50/90/99 %%ile): %s/%s/%s\n", duration_text(p50, a, sizeof(a)),
           duration_text(p90, b, sizeof(b)), duration_text(p99, c, sizeof(c)));
    printf("Client CPU utilization: %.3fs\n", cpu);
    printf("{\"qps\": %.1f, \"calls\": %llu, \"seconds\": %.3f, \"p50_us\": %.2f, \"p90_us\": "
           "%.2f, \"p99_us\": %.2f, "
           "\"mean_us\": %.2f, \"max_us\": %.2f, \"cpu_user_s\": %.3f, \"cpu_system_s\": %.3f, "
           "\"cpu_us_per_call\": %.3f, \"inflight\": %d, \"connections\": %d, \"req\": %d, "
           "\"resp\": %d, "
           "\"codec\": \"%s\", \"loops\": %d}\n",
           qps, (unsigned long long)h->count, s->seconds, p50 / 1e3, p90 / 1e3, p99 / 1e3,
           histogram_mean(h) / 1e3, (double)h->most / 1e3, spent.user, spent.system,
           h->count ? cpu * 1e6 / (double)h->count : 0, s->inflight, s->connections, s->req,
           s->resp, s->codec, s->loops);
}

/* Plays the whole run on lanes that are connected; true if all calls were answered. */
static bool measure(bench_state *bench, bench_lane *lanes, bench_slot *slots)
{
    const bench_settings *s = bench->settings;
    size_t count = (size_t)s->inflight * (size_t)s->connections;
    oyez_duration now = oyez_now();
    bench->warm_end = now + (oyez_duration)(s->warm * (double)OYEZ_SECOND);
    bench->end = bench->warm_end + (oyez_duration)(s->seconds * (double)OYEZ_SECOND);
    bench->outstanding = count;
    for (size_t i = 0; i < count; i++) {
        slots[i].lane = &lanes[i % (size_t)s->connections];
        start_call(&slots[i], oyez_now());
    }
    wait_until(bench, bench->warm_end, false);
    usage before = usage_now();
    wait_until(bench, bench->end, false);
    usage spent = usage_between(before, usage_now());
    wait_until(bench, oyez_now() + 10 * OYEZ_SECOND, true);

    (void)pthread_mutex_lock(&bench->lock);
    if (bench->outstanding > 0 && !bench->failed) {
        bench->failed = true;
        (void)snprintf(bench->words, sizeof(bench->words),
                       "%zu calls were not answered within 10 s", bench->outstanding);
    }
    bool good = !bench->failed;
    (void)pthread_mutex_unlock(&bench->lock);
    if (!good) {
        fprintf(stderr, "bench-client: %s\n", bench->words);
        return false;
    }
    for (int i = 1; i < s->connections; i++)
        histogram_merge(&lanes[0].latencies, &lanes[i].latencies);
    report(s, &lanes[0].latencies, spent);
    return true;
}

static int run(const bench_settings *s)
{
    char target[300];
    bench_state bench = {
        .settings = s, .bytes = strcmp(s->codec, "bytes") == 0, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t connections = (size_t)s->connections;
    bench_lane *lanes = calloc(connections, sizeof(*lanes));
    bench_slot *slots = calloc(connections * (size_t)s->inflight, sizeof(*slots));
    oyez_runtime *runtime = NULL;
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = (unsigned)s->loops};
    oyez_buffer reply = {NULL, 0, NULL};
    pthread_condattr_t monotonic;
    bool ok = lanes && slots && !oyez_runtime_new(&options, &runtime) &&
              !bench_pack_reply(s->resp, &reply) && pthread_condattr_init(&monotonic) == 0;
    if (!ok) {
        fprintf(stderr, "bench-client: it cannot be set up\n");
        goto out;
    }
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&bench.changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    bench.reply_bytes = reply.len;
    (void)snprintf(target, sizeof(target), "%s:%d", s->host, s->port);
    for (size_t i = 0; i < connections && ok; i++) {
        lanes[i].bench = &bench;
        ok = connect_lane(&lanes[i], runtime, target);
    }
    ok = ok && measure(&bench, lanes, slots);

out:
    /* The end of the runtime joins its threads: no callback is under way after that. */
    for (size_t i = 0; lanes && i < connections; i++) {
        if (lanes[i].channel)
            oyez_channel_close(lanes[i].channel);
        oyez_channel_unref(lanes[i].channel);
    }
    oyez_runtime_unref(runtime);
    for (size_t i = 0; lanes && i < connections; i++)
        oyez_slice_fini(&lanes[i].request);
    oyez_buffer_fini(&reply);
    free(slots);
    free(lanes);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    bench_settings s = {.host = "127.0.0.1",
                        .port = 50051,
                        .inflight = 1,
                        .connections = 1,
                        .warm = 10,
                        .seconds = 60,
                        .req = 1,
                        .resp = 1,
                        .rpc_type = "unary",
                        .codec = "proto",
                        .loops = 1,
                        .cpus = ""};
    const oy_flag flags[] = {
        {.name = "port",
         .kind = OY_FLAG_INT,
         .value = &s.port,
         .help = "of the server",
         .least = 1,
         .most = 65535},
        {.name = "host",
         .kind = OY_FLAG_TEXT,
         .value = &s.host,
         .help = "of the server; default: loopback"},
        {.name = "r",
         .kind = OY_FLAG_INT,
         .value = &s.inflight,
         .help = "calls in flight on each connection",
         .least = 1,
         .most = 100000},
        {.name = "c",
         .kind = OY_FLAG_INT,
         .value = &s.connections,
         .help = "connections",
         .least = 1,
         .most = 10000},
        {.name = "w", .kind = OY_FLAG_SECONDS, .value = &s.warm, .help = "seconds of warm-up"},
        {.name = "d", .kind = OY_FLAG_SECONDS, .value = &s.seconds, .help = "seconds that count"},
        {.name = "req",
         .kind = OY_FLAG_INT,
         .value = &s.req,
         .help = "payload bytes of a request",
         .most = MAX_PAYLOAD},
        {.name = "resp",
         .kind = OY_FLAG_INT,
         .value = &s.resp,
         .help = "payload bytes of a reply",
         .most = MAX_PAYLOAD},
        {.name = "rpc_type",
         .kind = OY_FLAG_WORD,
         .value = &s.rpc_type,
         .help = "streams are not there yet",
         .words = "unary"},
        {.name = "codec",
         .kind = OY_FLAG_WORD,
         .value = &s.codec,
         .help = "of the messages",
         .words = "proto|bytes"},
        {.name = "loops",
         .kind = OY_FLAG_INT,
         .value = &s.loops,
         .help = "loop threads",
         .least = 1,
         .most = 64},
        {.name = "cpus",
         .kind = OY_FLAG_TEXT,
         .value = &s.cpus,
         .help = "processors to stay on, such as 0,1"},
        {.name = "test_name", .kind = OY_FLAG_IGNORED, .help = "gRPC-Go's program insists on it"},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "A client of grpc.testing.BenchmarkService.", argc, argv)) {
    case OY_FLAGS_GO:
        break;
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        return 2;
    }
    if (!usage_pin(s.cpus)) {
        fprintf(stderr, "--cpus=%s: not a list of processors of this machine\n", s.cpus);
        return 2;
    }
    if (s.seconds <= 0) {
        fprintf(stderr, "--d: more than 0 seconds are wanted\n");
        return 2;
    }
    return run(&s);
}

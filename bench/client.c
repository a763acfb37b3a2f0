/* SPDX-License-Identifier: Apache-2.0 */
/* bench-client: as many calls as go, a fixed number of them in flight on each connection, and how
 * long they took: unary calls, or messages that go forth and back on streams. Takes the flags of gRPC-Go's benchmark client and counts as it does: a call
 * counts if it was started after the warm-up and before the end. Each call is encoded, sent,
 * decoded and checked for its size; limits and checks of the library are on. A call that fails ends
 * the run. */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client_wire.h"
#include "meter.h"
#include "support/flags.h"
#include "usage.h"

/* --- what the callers share ------------------------------------------------------------------- */

void bench_fail(bench_state *bench, const char *words)
{
    (void)pthread_mutex_lock(&bench->lock);
    if (!bench->failed)
        (void)snprintf(bench->words, sizeof(bench->words), "%s", words);
    bench->failed = true;
    (void)pthread_cond_signal(&bench->changed);
    (void)pthread_mutex_unlock(&bench->lock);
}

void bench_fail_status(bench_state *bench, const oyez_status *status)
{
    char words[512];
    (void)snprintf(words, sizeof(words), "%s: %s", oyez_code_name(status->code), status->message);
    bench_fail(bench, words);
}

void bench_fail_err(bench_state *bench, oyez_err err)
{
    bench_fail(bench, oyez_strerror(err));
}

void bench_retire(bench_slot *slot)
{
    bench_state *bench = slot->lane->bench;
    slot->over = true;
    (void)pthread_mutex_lock(&bench->lock);
    bench->outstanding--;
    (void)pthread_cond_signal(&bench->changed);
    (void)pthread_mutex_unlock(&bench->lock);
}

bool bench_book(bench_slot *slot, oyez_duration now)
{
    bench_state *bench = slot->lane->bench;
    if (slot->started >= bench->warm_end)
        histogram_add(slot->latencies, now - slot->started);
    return now < bench->end && !atomic_load_explicit(&bench->failed, memory_order_relaxed);
}

bool bench_reply_is_right(const bench_state *bench, const Grpc__Testing__SimpleResponse *reply)
{
    return reply && reply->payload && reply->payload->body.len == (size_t)bench->settings->resp;
}

/* --- lanes ------------------------------------------------------------------------------------ */

static bool connect_lane(bench_lane *lane, oyez_runtime *runtime, const char *target)
{
    const bench_settings *settings = lane->bench->settings;
    char words[512] = "";
    const bool compressed = strcmp(settings->compression, "off") != 0;
    const oyez_call_options call_options = {
        OYEZ_CALL_OPTIONS_INIT, .compressor = compressed ? settings->compression : NULL};
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .call_options = &call_options,
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

/* What was spent so far, or while it was measured. */
typedef struct bench_spent {
    usage time;
    meter asked;
    wire_bytes wire;
} bench_spent;

static void report(const bench_settings *s, const histogram *h, const bench_spent *spent)
{
    double p50 = histogram_percentile(h, 0.5), p90 = histogram_percentile(h, 0.9),
           p99 = histogram_percentile(h, 0.99);
    double qps = (double)h->count / s->seconds, cpu = spent->time.user + spent->time.system;
    double calls = h->count ? (double)h->count : 1;
    char a[32], b[32], c[32];
    printf("qps: %.1f\n", qps);
    printf("Latency: (50/90/99 %%ile): %s/%s/%s\n", duration_text(p50, a, sizeof(a)),
           duration_text(p90, b, sizeof(b)), duration_text(p99, c, sizeof(c)));
    printf("Client CPU utilization: %.3fs\n", cpu);
    printf("{\"qps\": %.1f, \"calls\": %llu, \"seconds\": %.3f, \"p50_us\": %.2f, \"p90_us\": "
           "%.2f, \"p99_us\": %.2f, \"mean_us\": %.2f, \"max_us\": %.2f, ",
           qps, (unsigned long long)h->count, s->seconds, p50 / 1e3, p90 / 1e3, p99 / 1e3,
           histogram_mean(h) / 1e3, (double)h->most / 1e3);
    printf("\"cpu_user_s\": %.3f, \"cpu_system_s\": %.3f, \"cpu_us_per_call\": %.3f, ",
           spent->time.user, spent->time.system, cpu * 1e6 / calls);
    printf("\"out_bytes_per_call\": %.2f, \"in_bytes_per_call\": %.2f, ",
           (double)spent->wire.out / calls, (double)spent->wire.in / calls);
    if (meter_works())
        printf("\"allocs_per_call\": %.5f, \"alloc_bytes_per_call\": %.3f, ",
               (double)spent->asked.allocs / calls, (double)spent->asked.bytes / calls);
    printf("\"rpc_type\": \"%s\", \"client\": \"%s\", \"inflight\": %d, \"connections\": %d, "
           "\"req\": %d, \"resp\": %d, \"codec\": \"%s\", \"compression\": \"%s\", \"loops\": %d}\n",
           s->rpc_type, s->client, s->inflight, s->connections, s->req, s->resp, s->codec,
           s->compression, s->loops);
}

static bench_spent spent_now(const bench_settings *s)
{
    return (bench_spent){usage_now(), meter_now(), wire_bytes_to((uint16_t)s->port)};
}

static bench_spent spent_between(const bench_spent *before, const bench_spent *after)
{
    return (bench_spent){usage_between(before->time, after->time),
                         {after->asked.allocs - before->asked.allocs,
                          after->asked.bytes - before->asked.bytes},
                         {after->wire.out - before->wire.out, after->wire.in - before->wire.in}};
}

/* Plays the whole run on lanes that are connected; true if all calls were answered. */
static bool measure(bench_state *bench, bench_slot *slots, size_t count, bench_spent *ret_spent)
{
    const bench_settings *s = bench->settings;
    for (size_t i = 0; i < count; i++)
        if (!(bench->blocking ? threads_open(&slots[i]) : events_open(&slots[i])))
            break;
    bench->outstanding = count;
    bench->warm_end = oyez_now() + (oyez_duration)(s->warm * (double)OYEZ_SECOND);
    bench->end = bench->warm_end + (oyez_duration)(s->seconds * (double)OYEZ_SECOND);
    for (size_t i = 0; i < count; i++) {
        if (bench->failed)
            bench_retire(&slots[i]);
        else if (bench->blocking)
            (void)threads_start(&slots[i]);
        else
            events_start(&slots[i]);
    }
    wait_until(bench, bench->warm_end, false);
    bench_spent before = spent_now(s);
    wait_until(bench, bench->end, false);
    bench_spent after = spent_now(s);
    *ret_spent = spent_between(&before, &after);
    wait_until(bench, oyez_now() + 10 * OYEZ_SECOND, true);

    (void)pthread_mutex_lock(&bench->lock);
    if (bench->outstanding > 0 && !bench->failed) {
        bench->failed = true;
        (void)snprintf(bench->words, sizeof(bench->words),
                       "%zu calls were not answered within 10 s", bench->outstanding);
    }
    bool good = !bench->failed;
    (void)pthread_mutex_unlock(&bench->lock);
    return good;
}

/* After a failure nobody waits for answers. */
static void end_slots(bench_state *bench, bench_lane *lanes, bench_slot *slots, size_t count)
{
    if (bench->failed)
        for (int i = 0; i < bench->settings->connections; i++)
            if (lanes[i].channel)
                oyez_channel_close(lanes[i].channel);
    for (size_t i = 0; i < count; i++) {
        if (slots[i].has_thread)
            (void)pthread_join(slots[i].thread, NULL);
        if (slots[i].stream)
            (void)oyez_stream_finish(slots[i].stream, NULL);
    }
}

static bool init_state(bench_state *bench, const bench_settings *s)
{
    oyez_buffer reply;
    pthread_condattr_t monotonic;
    bench->settings = s;
    bench->streaming = strcmp(s->rpc_type, "streaming") == 0;
    bench->blocking = strcmp(s->client, "blocking") == 0;
    bench->bytes = strcmp(s->codec, "bytes") == 0;
    if (pthread_condattr_init(&monotonic) != 0 || bench_pack_reply(s->resp, &reply))
        return false;
    bench->reply_bytes = reply.len;
    oyez_buffer_fini(&reply);
    (void)pthread_mutex_init(&bench->lock, NULL);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&bench->changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    return true;
}

static int run(const bench_settings *s)
{
    char target[300];
    bench_state bench = {.failed = false};
    bench_spent spent;
    size_t connections = (size_t)s->connections, count = connections * (size_t)s->inflight;
    bench_lane *lanes = calloc(connections, sizeof(*lanes));
    bench_slot *slots = calloc(count, sizeof(*slots));
    bool blocking = strcmp(s->client, "blocking") == 0;
    size_t histograms = blocking ? count : connections;
    histogram *latencies = calloc(histograms, sizeof(*latencies));
    oyez_runtime *runtime = NULL;
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = (unsigned)s->loops};
    bool ok = lanes && slots && latencies && init_state(&bench, s) &&
              !oyez_runtime_new(&options, &runtime);
    if (!ok) {
        fprintf(stderr, "bench-client: it cannot be set up\n");
        goto out;
    }
    (void)snprintf(target, sizeof(target), "%s:%d", s->host, s->port);
    for (size_t i = 0; i < connections && ok; i++) {
        lanes[i].bench = &bench;
        ok = connect_lane(&lanes[i], runtime, target);
    }
    if (!ok)
        goto out;
    for (size_t i = 0; i < count; i++) {
        slots[i].lane = &lanes[i % connections];
        slots[i].latencies = &latencies[blocking ? i : i % connections];
    }
    ok = measure(&bench, slots, count, &spent);
    if (!ok)
        fprintf(stderr, "bench-client: %s\n", bench.words);
    end_slots(&bench, lanes, slots, count);
    for (size_t i = 1; i < histograms && ok; i++)
        histogram_merge(&latencies[0], &latencies[i]);
    if (ok)
        report(s, &latencies[0], &spent);

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
    free(latencies);
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
                        .client = "async",
                        .codec = "proto",
                        .compression = "off",
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
         .help = "calls, or messages forth and back on streams",
         .words = "unary|streaming"},
        {.name = "client",
         .kind = OY_FLAG_WORD,
         .value = &s.client,
         .help = "callbacks, or a thread for each call in flight",
         .words = "async|blocking"},
        {.name = "codec",
         .kind = OY_FLAG_WORD,
         .value = &s.codec,
         .help = "of the messages; bytes: unary async calls alone",
         .words = "proto|bytes"},
        {.name = "compression",
         .kind = OY_FLAG_WORD,
         .value = &s.compression,
         .help = "of messages; the server answers in kind",
         .words = "off|gzip|deflate|zstd"},
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
    if (strcmp(s.codec, "bytes") == 0 &&
        (strcmp(s.rpc_type, "unary") != 0 || strcmp(s.client, "async") != 0)) {
        fprintf(stderr, "--codec=bytes: needs --rpc_type=unary and --client=async\n");
        return 2;
    }
    if (s.seconds <= 0) {
        fprintf(stderr, "--d: more than 0 seconds are wanted\n");
        return 2;
    }
    return run(&s);
}

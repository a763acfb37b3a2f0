/* SPDX-License-Identifier: Apache-2.0 */
/* A run: a server and a client in this process, one connection or several over TCP on loopback, over a
 * slower link, or in memory; a warm-up; then as many calls as go until the time is over. What was asked of the allocator is read
 * before and after. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "benchmain.h"
#include "messages.h"
#include "meter.h"
#include "noop.h"
#include "server_service.h"

#define LAST_CALLS  (30 * OYEZ_SECOND) /* may take so long */
#define PROGRESS    (200 * OYEZ_MILLISECOND)
#define FREE_WARMUP OYEZ_SECOND /* of unconstrained, as in gRPC-Go */

/* --- what the parts share --------------------------------------------------------------------- */

void run_fail(run *r, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)pthread_mutex_lock(&r->lock);
    if (!r->failed)
        (void)vsnprintf(r->words, sizeof(r->words), format, list);
    r->failed = true;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
    va_end(list);
}

void run_fail_status(run *r, const oyez_status *status)
{
    run_fail(r, "%s: %s", oyez_code_name(status->code), status->message);
}

void run_retire(run *r)
{
    (void)pthread_mutex_lock(&r->lock);
    if (--r->outstanding == 0)
        (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
}

void caller_sleep(caller *c)
{
    int64_t most = c->run->features->numbers[FEATURE_SLEEP];
    if (most <= 0)
        return;
    bench_sleep((int64_t)(bench_random(&c->random) % (uint64_t)most));
}

void caller_draw(caller *c)
{
    const run *r = c->run;
    c->req = r->req_curve ? curve_draw(r->req_curve, &c->random) : r->req;
    c->resp = r->resp_curve ? curve_draw(r->resp_curve, &c->random) : r->resp;
}

bool caller_check(caller *c, const Grpc__Testing__SimpleResponse *reply)
{
    run *r = c->run;
    bool any = r->resp_curve && r->workload == WORKLOAD_UNCONSTRAINED;
    /* The sender of a free stream draws in another thread. */
    int32_t one = r->resp_curve && !any ? c->resp : r->resp;
    size_t least = (size_t)(any ? curve_least(r->resp_curve) : one);
    size_t most = (size_t)(any ? curve_most(r->resp_curve) : one);
    size_t len = reply->payload ? reply->payload->body.len : 0;
    if (reply->payload && len >= least && len <= most)
        return true;
    run_fail(r, "a reply has %zu bytes; asked for were %zu to %zu", len, least, most);
    return false;
}

/* --- waiting ---------------------------------------------------------------------------------- */

static void show_progress(const run *r, oyez_duration since, oyez_duration span)
{
    if (!r->progress)
        return;
    double seconds = (double)(oyez_now() - since) / (double)OYEZ_SECOND;
    fprintf(stderr, "\r\033[K%s %.0f s of %.0f s", r->progress, seconds,
            (double)span / (double)OYEZ_SECOND);
    (void)fflush(stderr);
}

static void hide_progress(const run *r)
{
    if (r->progress)
        fprintf(stderr, "\r\033[K");
}

/* Until `at`, or until all have retired (when that is waited for), or until something fails; false
 * then. */
static bool wait_until(run *r, oyez_duration at, bool for_all)
{
    oyez_duration since = oyez_now();
    (void)pthread_mutex_lock(&r->lock);
    while (!r->failed && !(for_all && r->outstanding == 0)) {
        oyez_duration left = at - oyez_now();
        struct timespec limit;
        if (left <= 0)
            break;
        if (r->progress && left > PROGRESS)
            left = PROGRESS;
        (void)clock_gettime(CLOCK_MONOTONIC, &limit);
        int64_t nanoseconds = limit.tv_nsec + left % OYEZ_SECOND;
        limit.tv_sec += (time_t)(left / OYEZ_SECOND + nanoseconds / OYEZ_SECOND);
        limit.tv_nsec = nanoseconds % OYEZ_SECOND;
        (void)pthread_cond_timedwait(&r->changed, &r->lock, &limit);
        (void)pthread_mutex_unlock(&r->lock);
        if (!for_all)
            show_progress(r, since, at - since);
        (void)pthread_mutex_lock(&r->lock);
    }
    bool ok = !r->failed;
    (void)pthread_mutex_unlock(&r->lock);
    return ok;
}

/* How long all that is under way may take: on a slow link it is as much as all callers can send. */
static oyez_duration longest(const run *r)
{
    double limit = (double)LAST_CALLS, bits = (double)r->features->numbers[FEATURE_KBPS] * 1024;
    if (bits > 0)
        limit += 16.0 * (double)r->calls * ((double)r->req + (double)r->resp) / bits *
                 (double)OYEZ_SECOND;
    return (oyez_duration)limit;
}

static bool wait_for_all(run *r)
{
    if (!wait_until(r, oyez_now() + longest(r), true))
        return false;
    (void)pthread_mutex_lock(&r->lock);
    size_t left = r->outstanding;
    (void)pthread_mutex_unlock(&r->lock);
    if (left > 0)
        run_fail(r, "%zu calls have not ended", left);
    return left == 0;
}

static void expect(run *r, size_t outstanding)
{
    (void)pthread_mutex_lock(&r->lock);
    r->outstanding = outstanding;
    (void)pthread_mutex_unlock(&r->lock);
}

/* --- setting up ------------------------------------------------------------------------------- */

/* A message with a payload of that size must fit. */
static size_t limit_for(int32_t payload)
{
    size_t needed = (size_t)payload + 64, usual = (size_t)4 << 20;
    return needed > usual ? needed : usual;
}

static oyez_err open_server(run *r, uint16_t *ret_port)
{
    /* A stream keeps its worker, and a unary call may come before the one before has left. */
    size_t workers = 2 * r->caller_count + 8;
    const oyez_runtime_options runtime_options = {
        OYEZ_RUNTIME_OPTIONS_INIT, .loops = (unsigned)r->loops, .max_workers = (unsigned)workers};
    oyez_err err = oyez_runtime_new(&runtime_options, &r->server_runtime);
    if (err)
        return err;
    oyez_server_options options = {
        OYEZ_SERVER_OPTIONS_INIT,
        .runtime = r->server_runtime,
        .pool = r->pool,
        .max_receive_bytes = limit_for(r->req),
        .max_streams = (uint32_t)r->features->numbers[FEATURE_CALLS] + 1,
    };
    if (r->compressor) {
        options.compressors = &r->compressor;
        options.compressor_count = 1;
    }
    if (r->features->keepalive) {
        options.keepalive_time = 10 * OYEZ_SECOND;
        options.keepalive_timeout = 1 * OYEZ_SECOND;
        options.keepalive_min_time = 8 * OYEZ_SECOND;
        options.keepalive_permit_without_calls = true;
    }
    err = oyez_server_new(&options, &r->server);
    if (!err)
        err = service_register(r->server, r->workers);
    if (!err && !r->features->bufconn)
        err = oyez_server_listen(r->server, "127.0.0.1:0", oyez_insecure(), ret_port);
    if (!err)
        err = oyez_server_start(r->server);
    return err;
}

/* Puts the slow link between, if one is wanted. */
static bool open_link(run *r, uint16_t *port)
{
    char words[256];
    const link_shape shape = {.latency = r->features->numbers[FEATURE_LATENCY],
                              .kbps = r->features->numbers[FEATURE_KBPS],
                              .mtu = r->features->numbers[FEATURE_MTU]};
    if (!link_is_slow(&shape))
        return true;
    bool ok = slow_link_start(&shape, *port, &r->link, port, words, sizeof(words));
    if (!ok)
        run_fail(r, "%s", words);
    return ok;
}

static bool open_channel(run *r, size_t index, uint16_t port)
{
    char target[64];
    /* A server answers in kind. */
    oyez_call_options call_options = {OYEZ_CALL_OPTIONS_INIT};
    oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .runtime = r->client_runtime,
        .call_options = &call_options,
        .pool = r->pool,
        .max_receive_bytes = limit_for(r->resp),
    };
    if (r->compressor) {
        call_options.compressor = r->compressor->name;
        options.compressors = &r->compressor;
        options.compressor_count = 1;
    }
    if (r->features->keepalive) {
        options.keepalive_time = 10 * OYEZ_SECOND;
        options.keepalive_timeout = 1 * OYEZ_SECOND;
        options.keepalive_without_calls = true;
    }
    (void)snprintf(target, sizeof(target), r->features->bufconn ? "in memory" : "127.0.0.1:%u",
                   (unsigned)port);
    oyez_err err = r->features->bufconn
                       ? oyez_server_connect(r->server, &options, &r->channels[index])
                       : oyez_channel_new(target, oyez_insecure(), &options, &r->channels[index]);
    if (err) {
        run_fail(r, "%s: %s", target, oyez_strerror(err));
        return false;
    }
    oyez_channel *channel = r->channels[index];
    oyez_channel_connect(channel);
    oyez_duration limit = oyez_now() + 10 * OYEZ_SECOND;
    for (;;) {
        oyez_connectivity state = oyez_channel_state(channel);
        oyez_duration left = limit - oyez_now();
        if (state == OYEZ_READY)
            return true;
        if (left <= 0 || state == OYEZ_TRANSIENT_FAILURE) {
            run_fail(r, "%s: cannot connect", target);
            return false;
        }
        (void)oyez_channel_wait_for_state_change(channel, state, left);
    }
}

/* The metadata of streams. Unlike gRPC-Go's, a preloaded unconstrained stream says both. */
static oyez_err make_metadata(run *r)
{
    char text[64];
    oyez_err err = oyez_metadata_new(&r->metadata);
    if (!err && r->workload == WORKLOAD_UNCONSTRAINED) {
        err = oyez_metadata_append(r->metadata, "unconstrained-streaming", "1", 1);
        (void)bench_time_text(r->features->numbers[FEATURE_SLEEP], text, sizeof(text));
        if (!err)
            err = oyez_metadata_append(r->metadata, "unconstrained-streaming-delay", text,
                                       strlen(text));
    }
    if (!err && r->preload) {
        (void)snprintf(text, sizeof(text), "%d", (int)r->resp);
        err = oyez_metadata_append(r->metadata, "preload-msg-size", text, strlen(text));
    }
    return err;
}

static oyez_err make_messages(run *r)
{
    const oyez_runtime_options runtime_options = {OYEZ_RUNTIME_OPTIONS_INIT,
                                                  .loops = (unsigned)r->loops};
    /* No block is pooled that is smaller than this. */
    const oyez_pool_options unpooled = {OYEZ_POOL_OPTIONS_INIT, .pooling_threshold = SIZE_MAX};
    oyez_buffer bytes;
    oyez_err err = oyez_runtime_new(&runtime_options, &r->client_runtime);
    if (!err && strcmp(r->features->words[FEATURE_RECV_POOL], "nil") == 0)
        err = oyez_pool_new(&unpooled, &r->pool);
    if (!err)
        err = make_metadata(r);
    if (!err && r->preload) {
        err = bench_pack_request(r->req, r->resp, &bytes);
        if (!err)
            prepared_init(&r->request, bytes);
    }
    return err;
}

static bool set_up(run *r)
{
    uint16_t port = 0;
    pthread_condattr_t monotonic;
    (void)pthread_mutex_init(&r->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&r->changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    size_t connections = (size_t)r->features->connections;
    r->calls = (size_t)r->features->numbers[FEATURE_CALLS];
    r->caller_count = connections * r->calls;
    r->latency_count = r->blocking ? r->caller_count : connections;
    r->channels = calloc(connections, sizeof(oyez_channel *));
    r->callers = calloc(r->caller_count, sizeof(*r->callers));
    r->latencies = calloc(r->latency_count, sizeof(*r->latencies));
    if (!r->channels || !r->callers || !r->latencies) {
        run_fail(r, "out of memory");
        return false;
    }
    const char *compression = r->features->words[FEATURE_COMPRESSION];
    r->nop = bench_noop("nop");
    if (strcmp(compression, "nop") == 0)
        r->compressor = &r->nop;
    else if (strcmp(compression, "gzip") == 0)
        r->compressor = oyez_gzip(0);
    oyez_err err = make_messages(r);
    if (!err)
        err = open_server(r, &port);
    if (err) {
        const char *words = r->server ? oyez_server_words(r->server) : "";
        run_fail(r, "%s", words[0] ? words : oyez_strerror(err));
        return false;
    }
    if (!open_link(r, &port))
        return false;
    for (size_t i = 0; i < connections; i++)
        if (!open_channel(r, i, port))
            return false;
    for (size_t i = 0; i < r->caller_count; i++) {
        caller *c = &r->callers[i];
        c->run = r;
        c->channel = r->channels[i / r->calls];
        c->latencies = &r->latencies[r->blocking ? i : i / r->calls];
        c->random = i * 0x9e3779b97f4a7c15u + 1;
        if (!(r->blocking ? threads_open(c) : events_open(c)))
            return false;
    }
    return true;
}

/* Nothing of the run goes on behind this. */
static void tear_down(run *r)
{
    size_t connections = (size_t)r->features->connections;
    atomic_store(&r->phase, PHASE_STOP);
    (void)pthread_mutex_lock(&r->lock);
    r->open = true;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
    /* Waits for the server's status, unless something is wrong anyway. */
    if (r->failed)
        for (size_t i = 0; r->channels && i < connections; i++)
            if (r->channels[i])
                oyez_channel_close(r->channels[i]);
    for (size_t i = 0; r->callers && i < r->caller_count; i++)
        threads_join(&r->callers[i]);
    for (size_t i = 0; r->callers && i < r->caller_count; i++)
        if (r->callers[i].stream)
            (void)oyez_stream_finish(r->callers[i].stream, NULL);
    for (size_t i = 0; r->channels && i < connections; i++) {
        if (r->channels[i])
            oyez_channel_close(r->channels[i]);
        oyez_channel_unref(r->channels[i]);
    }
    oyez_runtime_unref(r->client_runtime); /* joins its threads */
    oyez_server_unref(r->server);
    oyez_runtime_unref(r->server_runtime);
    slow_link_stop(r->link);
    oyez_pool_unref(r->pool);
    oyez_metadata_free(r->metadata);
    prepared_fini(&r->request);
    free(r->latencies);
    free(r->callers);
    free(r->channels);
    (void)pthread_cond_destroy(&r->changed);
    (void)pthread_mutex_destroy(&r->lock);
}

/* --- measuring -------------------------------------------------------------------------------- */

static void start_all(run *r)
{
    (void)pthread_mutex_lock(&r->lock);
    r->open = true;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; !r->blocking && i < r->caller_count; i++)
        events_start(&r->callers[i], 0);
}

/* Every `step`-th caller, so many calls each. */
static bool warm_some(run *r, size_t step, unsigned calls)
{
    expect(r, (r->caller_count + step - 1) / step);
    for (size_t i = 0; i < r->caller_count; i += step) {
        caller *c = &r->callers[i];
        if (!r->blocking)
            events_start(c, calls);
        else if (!threads_warm(c, calls))
            return false;
    }
    return r->blocking || wait_for_all(r);
}

/* Ten calls of the first caller of each connection, as in gRPC-Go. Then all at once, so that the pools
 * have grown to what they will hold before it is measured what is asked of the allocator; not on a slow
 * link, where that could take minutes, nor with threads, which begin when it is measured. */
static bool warm_up(run *r)
{
    if (r->features->numbers[FEATURE_SLEEP] > 0)
        return true;
    if (!warm_some(r, r->calls, WARM_CALLS))
        return false;
    return r->blocking || r->link || warm_some(r, 1, WARM_CALLS_ALL);
}

static bool start_threads(run *r)
{
    for (size_t i = 0; r->blocking && i < r->caller_count; i++)
        if (!threads_start(&r->callers[i]))
            return false;
    return true;
}

static bool measure_calls(run *r, meter *ret_spent)
{
    if (!warm_up(r))
        return false;
    expect(r, r->caller_count);
    if (!start_threads(r))
        return false;
    meter before = meter_now();
    atomic_store(&r->phase, PHASE_MEASURE);
    r->end = oyez_now() + r->features->bench_time;
    start_all(r);
    if (!wait_until(r, r->end, false) || !wait_for_all(r))
        return false;
    meter after = meter_now();
    *ret_spent = (meter){after.allocs - before.allocs, after.bytes - before.bytes};
    return true;
}

/* Free streams are cancelled, as in gRPC-Go. If they only stopped to read, what has come for them
 * would keep the window of the connection from the others, whose last message then never comes. */
static bool end_free(run *r)
{
    atomic_store(&r->phase, PHASE_STOP);
    for (size_t i = 0; i < r->caller_count; i++)
        oyez_stream_cancel(r->callers[i].stream);
    return wait_for_all(r);
}

static bool measure_free(run *r, meter *ret_spent)
{
    expect(r, r->blocking ? 2 * r->caller_count : r->caller_count);
    if (!start_threads(r))
        return false;
    start_all(r);
    if (!wait_until(r, oyez_now() + FREE_WARMUP, false))
        return false;
    meter before = meter_now();
    atomic_store(&r->phase, PHASE_MEASURE);
    if (!wait_until(r, oyez_now() + r->features->bench_time, false))
        return false;
    meter after = meter_now();
    *ret_spent = (meter){after.allocs - before.allocs, after.bytes - before.bytes};
    return end_free(r);
}

static void compute(run *r, meter spent, histogram *latencies, run_data *d)
{
    double seconds = (double)r->features->bench_time / (double)OYEZ_SECOND;
    double requests_bytes = 0, replies_bytes = 0;
    for (size_t i = 0; i < r->latency_count; i++)
        histogram_merge(latencies, &r->latencies[i]);
    for (size_t i = 0; i < r->caller_count; i++) {
        d->send_ops += r->callers[i].sends;
        d->recv_ops += r->callers[i].recvs;
        requests_bytes += (double)r->callers[i].req_bytes;
        replies_bytes += (double)r->callers[i].resp_bytes;
    }
    d->total_ops = latencies->count;
    double calls = (double)latencies->count;
    if (r->workload == WORKLOAD_UNCONSTRAINED)
        calls = (double)(d->send_ops + d->recv_ops) / 2;
    d->bytes = calls > 0 ? (double)spent.bytes / calls : 0;
    d->allocs = calls > 0 ? (double)spent.allocs / calls : 0;
    d->req_rate = requests_bytes * 8 / seconds;
    d->resp_rate = replies_bytes * 8 / seconds;
    d->p50 = (int64_t)histogram_percentile(latencies, 0.5);
    d->p90 = (int64_t)histogram_percentile(latencies, 0.9);
    d->p99 = (int64_t)histogram_percentile(latencies, 0.99);
    d->mean = (int64_t)histogram_mean(latencies);
    for (size_t i = 0; i < LATENCY_LEVELS; i++)
        d->levels[i] = (int64_t)histogram_percentile(latencies, latency_levels[i] / 100);
}

bool run_play(run *r, histogram *ret_latencies, run_data *ret_data)
{
    meter spent = {0, 0};
    *ret_data = (run_data){0};
    bool ok = set_up(r) && (r->workload == WORKLOAD_UNCONSTRAINED ? measure_free(r, &spent)
                                                                  : measure_calls(r, &spent));
    hide_progress(r);
    if (ok)
        compute(r, spent, ret_latencies, ret_data);
    else
        fprintf(stderr, "benchmain: %s\n", r->words);
    tear_down(r);
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A run: a server and a client in this process, one connection or several over TCP on loopback; a
 * warm-up; then as many calls as go until the time is over. What was asked of the allocator is read
 * before and after. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "benchmain.h"
#include "messages.h"
#include "meter.h"

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

void bench_sleep(int64_t nanoseconds)
{
    struct timespec left = {.tv_sec = (time_t)(nanoseconds / OYEZ_SECOND),
                            .tv_nsec = nanoseconds % OYEZ_SECOND};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

void caller_sleep(caller *c)
{
    int64_t most = c->run->features->numbers[FEATURE_SLEEP];
    if (most <= 0)
        return;
    /* xorshift64 */
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    bench_sleep((int64_t)(c->random % (uint64_t)most));
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

static bool wait_for_all(run *r)
{
    if (!wait_until(r, oyez_now() + LAST_CALLS, true))
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

static oyez_err open_server(run *r, char *target, size_t cap)
{
    /* A stream keeps its worker, and a unary call may come before the one before has left. */
    size_t workers = 2 * r->caller_count + 8;
    const oyez_runtime_options runtime_options = {
        OYEZ_RUNTIME_OPTIONS_INIT, .loops = (unsigned)r->loops, .max_workers = (unsigned)workers};
    uint16_t port = 0;
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
    if (r->features->keepalive) {
        options.keepalive_time = 10 * OYEZ_SECOND;
        options.keepalive_timeout = 1 * OYEZ_SECOND;
        options.keepalive_min_time = 8 * OYEZ_SECOND;
        options.keepalive_permit_without_calls = true;
    }
    err = oyez_server_new(&options, &r->server);
    if (!err)
        err = service_register(r->server, r->workers);
    if (!err)
        err = oyez_server_listen(r->server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(r->server);
    (void)snprintf(target, cap, "127.0.0.1:%u", (unsigned)port);
    return err;
}

static bool open_channel(run *r, size_t index, const char *target)
{
    oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .runtime = r->client_runtime,
        .pool = r->pool,
        .max_receive_bytes = limit_for(r->resp),
    };
    if (r->features->keepalive) {
        options.keepalive_time = 10 * OYEZ_SECOND;
        options.keepalive_timeout = 1 * OYEZ_SECOND;
        options.keepalive_without_calls = true;
    }
    oyez_err err = oyez_channel_new(target, oyez_insecure(), &options, &r->channels[index]);
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
    char target[64];
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
    oyez_err err = make_messages(r);
    if (!err)
        err = open_server(r, target, sizeof(target));
    if (err) {
        const char *words = r->server ? oyez_server_words(r->server) : "";
        run_fail(r, "%s", words[0] ? words : oyez_strerror(err));
        return false;
    }
    for (size_t i = 0; i < connections; i++)
        if (!open_channel(r, i, target))
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

/* Ten calls of the first caller of each connection. */
static bool warm_up(run *r)
{
    size_t connections = (size_t)r->features->connections;
    if (r->features->numbers[FEATURE_SLEEP] > 0)
        return true;
    expect(r, connections);
    for (size_t i = 0; i < connections; i++) {
        caller *c = &r->callers[i * r->calls];
        if (!r->blocking)
            events_start(c, WARM_CALLS);
        else if (!threads_warm(c, WARM_CALLS))
            return false;
    }
    return r->blocking || wait_for_all(r);
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
    for (size_t i = 0; i < r->latency_count; i++)
        histogram_merge(latencies, &r->latencies[i]);
    for (size_t i = 0; i < r->caller_count; i++) {
        d->send_ops += r->callers[i].sends;
        d->recv_ops += r->callers[i].recvs;
    }
    d->total_ops = latencies->count;
    double calls = (double)latencies->count, requests = calls, replies = calls;
    if (r->workload == WORKLOAD_UNCONSTRAINED) {
        requests = (double)d->send_ops;
        replies = (double)d->recv_ops;
        calls = (requests + replies) / 2;
    }
    d->bytes = calls > 0 ? (double)spent.bytes / calls : 0;
    d->allocs = calls > 0 ? (double)spent.allocs / calls : 0;
    d->req_rate = requests * (double)r->req * 8 / seconds;
    d->resp_rate = replies * (double)r->resp * 8 / seconds;
    d->p50 = (int64_t)histogram_percentile(latencies, 0.5);
    d->p90 = (int64_t)histogram_percentile(latencies, 0.9);
    d->p99 = (int64_t)histogram_percentile(latencies, 0.99);
    d->mean = (int64_t)histogram_mean(latencies);
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

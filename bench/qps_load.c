/* SPDX-License-Identifier: Apache-2.0 */
/* The load that a driver sets up. A slot is a call that may be in flight, or a stream that stays open and
 * carries one message each way. In a closed loop a slot calls again as soon as it was answered: by
 * callbacks, or (SYNC_CLIENT) in a thread of its own. With Poisson's load one thread draws the moments
 * at which calls begin, and gives them to free slots; when none is free the call waits for one, and its
 * latency counts from the moment that was drawn. The offered load is that of the whole client. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "curve.h"
#include "messages.h"
#include "qps.h"

/* The slots of a connection. */
typedef struct lane {
    oyez_channel *channel;
    pthread_mutex_t lock;
    qps_histogram latencies; /* guarded by lock */
    int64_t results[17];     /* guarded by lock */
} lane;

typedef struct slot {
    qps_load *load;
    lane *lane;
    oyez_stream *stream;
    oyez_duration started;
    bool sent, answered; /* of a stream: it takes both */
    struct slot *next_free;
    pthread_t thread;
    bool has_thread;
} slot;

struct qps_load {
    qps_payload payload;
    bool streams, threads;
    double rate; /* calls a second; 0: a closed loop */
    const oyez_method *method;
    oyez_runtime *runtime;
    lane *lanes;
    slot *slots;
    size_t lane_count, slot_count;
    oyez_slice bytes; /* the request, of plain bytes */
    pthread_t pacer;
    bool has_pacer;
    _Atomic(bool) stopping;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    slot *free;    /* guarded by lock: Poisson's */
    size_t active; /* guarded by lock: slots with a call or a stream */
};

static const oyez_call_options patient = {OYEZ_CALL_OPTIONS_INIT, .wait_for_ready = true};

/* --- booking ---------------------------------------------------------------------------------- */

static void book(slot *s, oyez_code code, oyez_duration now)
{
    lane *l = s->lane;
    (void)pthread_mutex_lock(&l->lock);
    l->results[(unsigned)code < 17 ? (unsigned)code : OYEZ_UNKNOWN]++;
    if (code == OYEZ_OK)
        qps_histogram_add(&l->latencies, (double)(now - s->started));
    (void)pthread_mutex_unlock(&l->lock);
}

static void count_active(qps_load *q, bool more)
{
    (void)pthread_mutex_lock(&q->lock);
    q->active = more ? q->active + 1 : q->active - 1;
    (void)pthread_cond_broadcast(&q->changed);
    (void)pthread_mutex_unlock(&q->lock);
}

static void set_free(slot *s)
{
    qps_load *q = s->load;
    (void)pthread_mutex_lock(&q->lock);
    s->next_free = q->free;
    q->free = s;
    (void)pthread_cond_broadcast(&q->changed);
    (void)pthread_mutex_unlock(&q->lock);
}

/* --- by callbacks ----------------------------------------------------------------------------- */

static void begin(slot *s, oyez_duration at);

/* The slot's call is over: the next, or not. */
static void go_on(slot *s, oyez_duration now)
{
    qps_load *q = s->load;
    if (q->rate > 0)
        set_free(s);
    else if (!q->stopping)
        begin(s, now);
}

static void on_reply(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    slot *s = user;
    oyez_duration now = oyez_now();
    (void)call;
    (void)reply;
    book(s, status->code, now);
    go_on(s, now);
    count_active(s->load, false);
}

static void end_message(slot *s)
{
    oyez_duration now = oyez_now();
    book(s, OYEZ_OK, now);
    go_on(s, now);
}

static void on_message(oyez_stream *stream, const void *message, void *user)
{
    slot *s = user;
    (void)message;
    oyez_stream_request(stream, 1);
    s->answered = true;
    if (s->sent)
        end_message(s);
}

static void on_sent(oyez_stream *stream, void *user)
{
    slot *s = user;
    (void)stream;
    s->sent = true;
    if (s->answered)
        end_message(s);
}

/* An error ends the stream's share of the load, as in gRPC-Go. */
static void on_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    slot *s = user;
    (void)stream;
    if (!s->load->stopping)
        book(s, status->code == OYEZ_OK ? OYEZ_UNKNOWN : status->code, oyez_now());
    count_active(s->load, false);
}

static const void *fill(const qps_load *q, Grpc__Testing__SimpleRequest *request,
                        Grpc__Testing__Payload *payload)
{
    if (q->payload.bytes)
        return &q->bytes;
    bench_fill_request(request, payload, q->payload.req, q->payload.resp);
    return request;
}

static void begin(slot *s, oyez_duration at)
{
    qps_load *q = s->load;
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    const void *message = fill(q, &request, &payload);
    s->started = at;
    s->sent = s->answered = false;
    if (q->streams) {
        (void)oyez_stream_send(s->stream, message); /* on_done says why, if it fails */
        return;
    }
    count_active(q, true);
    if (oyez_unary_call_async(s->lane->channel, q->method, NULL, &patient, message, on_reply, s,
                              NULL)) {
        book(s, OYEZ_RESOURCE_EXHAUSTED, at);
        count_active(q, false);
    }
}

static bool open_stream(slot *s, qps_refusal *why)
{
    static const oyez_stream_events events = {
        OYEZ_STREAM_EVENTS_INIT,
        .on_message = on_message,
        .on_sent = on_sent,
        .on_done = on_done,
    };
    const qps_load *q = s->load;
    bool waits = q->threads && q->rate <= 0;
    oyez_err err = oyez_stream_start(s->lane->channel, q->method, NULL, &patient, NULL,
                                     waits ? NULL : &events, NULL, s, &s->stream);
    if (err)
        return qps_refuse(why, OYEZ_INTERNAL, "a stream: %s", oyez_strerror(err));
    if (!waits) {
        count_active(s->load, true);
        oyez_stream_request(s->stream, 1);
    }
    return true;
}

/* --- by threads ------------------------------------------------------------------------------- */

static oyez_code call_once(slot *s)
{
    const qps_load *q = s->load;
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    const void *message = fill(q, &request, &payload), *answer;
    void *reply = NULL;
    if (q->streams)
        return oyez_stream_send(s->stream, message) && oyez_stream_recv(s->stream, &answer)
                   ? OYEZ_OK
                   : OYEZ_UNAVAILABLE;
    oyez_code code =
        oyez_unary_call(s->lane->channel, q->method, NULL, &patient, message, &reply, NULL);
    if (q->payload.bytes)
        oyez_bytes_free(reply);
    else
        grpc__testing__simple_response__free_unpacked(reply, NULL);
    return code;
}

static void *call_in_turns(void *user)
{
    slot *s = user;
    oyez_code code = OYEZ_OK;
    while (!s->load->stopping && (code == OYEZ_OK || !s->load->streams)) {
        s->started = oyez_now();
        code = call_once(s);
        if (!s->load->stopping || code == OYEZ_OK)
            book(s, code, oyez_now());
    }
    return NULL;
}

/* --- Poisson ---------------------------------------------------------------------------------- */

/* A slot for a call that begins at that time; NULL: the load is being stopped. */
static slot *wait_for_slot(qps_load *q, oyez_duration at)
{
    struct timespec when = {.tv_sec = (time_t)(at / OYEZ_SECOND), .tv_nsec = at % OYEZ_SECOND};
    slot *found = NULL;
    (void)pthread_mutex_lock(&q->lock);
    while (!q->stopping && oyez_now() < at)
        (void)pthread_cond_timedwait(&q->changed, &q->lock, &when);
    while (!q->stopping && !q->free)
        (void)pthread_cond_wait(&q->changed, &q->lock);
    if (!q->stopping) {
        found = q->free;
        q->free = found->next_free;
    }
    (void)pthread_mutex_unlock(&q->lock);
    return found;
}

static void *pace(void *user)
{
    qps_load *q = user;
    uint64_t random = (uint64_t)oyez_now() | 1;
    double at = (double)oyez_now();
    slot *s;
    while (true) {
        /* The time to the next is exponentially distributed. */
        double uniform = ((double)(bench_random(&random) >> 11) + 1) / 9007199254740992.0;
        at += -log(uniform) / q->rate * (double)OYEZ_SECOND;
        s = wait_for_slot(q, (oyez_duration)at);
        if (!s)
            return NULL;
        begin(s, (oyez_duration)at);
    }
}

/* --- set-up ----------------------------------------------------------------------------------- */

static bool parse_load(qps_load *q, const Grpc__Testing__LoadParams *params, qps_refusal *why)
{
    if (!params || params->load_case != GRPC__TESTING__LOAD_PARAMS__LOAD_POISSON)
        return true;
    q->rate = params->poisson->offered_load;
    return (q->rate > 0 && isfinite(q->rate)) ||
           qps_refuse(why, OYEZ_INVALID_ARGUMENT,
                      "load_params: offered_load: calls a second above 0 are wanted, not %g",
                      q->rate);
}

static bool parse(qps_load *q, const Grpc__Testing__ClientConfig *c, qps_refusal *why)
{
    switch (c->client_type) {
    case GRPC__TESTING__CLIENT_TYPE__SYNC_CLIENT:
        q->threads = true;
        break;
    case GRPC__TESTING__CLIENT_TYPE__ASYNC_CLIENT:
    case GRPC__TESTING__CLIENT_TYPE__CALLBACK_CLIENT:
        break;
    default:
        return qps_refuse(why, OYEZ_INVALID_ARGUMENT, "client_type: %d is not known",
                          (int)c->client_type);
    }
    if (c->rpc_type != GRPC__TESTING__RPC_TYPE__UNARY &&
        c->rpc_type != GRPC__TESTING__RPC_TYPE__STREAMING)
        return qps_refuse(why, OYEZ_INVALID_ARGUMENT, "rpc_type: there are UNARY and STREAMING");
    q->streams = c->rpc_type == GRPC__TESTING__RPC_TYPE__STREAMING;
    if (c->security_params)
        return qps_refuse(why, OYEZ_UNIMPLEMENTED, "security_params: there is no TLS here yet");
    if (c->messages_per_stream != 0)
        return qps_refuse(why, OYEZ_UNIMPLEMENTED,
                          "messages_per_stream: streams stay open; only 0 can be had");
    if (c->n_server_targets == 0 || c->client_channels < 1 || c->outstanding_rpcs_per_channel < 1 ||
        (int64_t)c->client_channels * c->outstanding_rpcs_per_channel > QPS_MAX_SLOTS)
        return qps_refuse(why, OYEZ_INVALID_ARGUMENT,
                          "server_targets, client_channels and outstanding_rpcs_per_channel are "
                          "wanted, the last two not more than %d multiplied",
                          QPS_MAX_SLOTS);
    q->lane_count = (size_t)c->client_channels;
    q->slot_count = q->lane_count * (size_t)c->outstanding_rpcs_per_channel;
    return parse_load(q, c->load_params, why) &&
           qps_payload_parse(c->payload_config, &q->payload, why);
}

static bool open_lane(qps_load *q, size_t index, const Grpc__Testing__ClientConfig *c,
                      qps_refusal *why)
{
    lane *l = &q->lanes[index];
    const char *target = c->server_targets[index % c->n_server_targets];
    char words[QPS_WORDS] = "";
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .runtime = q->runtime,
        .max_receive_bytes = (size_t)QPS_MAX_PAYLOAD + 64,
        .words = words,
        .words_bytes = sizeof(words),
    };
    (void)pthread_mutex_init(&l->lock, NULL);
    if (!qps_histogram_init(&l->latencies, c->histogram_params, why))
        return false;
    oyez_err err = oyez_channel_new(target, oyez_insecure(), &options, &l->channel);
    if (err)
        return qps_refuse(why, OYEZ_INVALID_ARGUMENT, "server_targets: %.100s: %.100s", target,
                          words[0] ? words : oyez_strerror(err));
    oyez_channel_connect(l->channel);
    oyez_duration limit = oyez_now() + 10 * OYEZ_SECOND;
    while (oyez_channel_state(l->channel) != OYEZ_READY) {
        oyez_connectivity state = oyez_channel_state(l->channel);
        oyez_duration left = limit - oyez_now();
        if (left <= 0 || state == OYEZ_TRANSIENT_FAILURE)
            return qps_refuse(why, OYEZ_UNAVAILABLE, "server_targets: cannot connect to %.100s",
                              target);
        if (state != OYEZ_READY)
            (void)oyez_channel_wait_for_state_change(l->channel, state, left);
    }
    return true;
}

static bool open_all(qps_load *q, const Grpc__Testing__ClientConfig *c, qps_refusal *why)
{
    int loops = c->async_client_threads > 0 ? c->async_client_threads : qps_cores();
    const oyez_runtime_options options = {OYEZ_RUNTIME_OPTIONS_INIT,
                                          .loops = (unsigned)(loops < 64 ? loops : 64)};
    oyez_buffer bytes;
    q->lanes = calloc(q->lane_count, sizeof(*q->lanes));
    q->slots = calloc(q->slot_count, sizeof(*q->slots));
    oyez_err err = q->lanes && q->slots ? oyez_runtime_new(&options, &q->runtime) : OYEZ_ENOMEM;
    if (!err && q->payload.bytes && q->payload.req > 0) {
        err = oyez_buffer_copy(NULL, bench_zeros, (size_t)q->payload.req, &bytes);
        if (!err)
            err = oyez_slice_append(&q->bytes, bytes);
    }
    if (err)
        return qps_refuse(why, OYEZ_RESOURCE_EXHAUSTED, "%s", oyez_strerror(err));
    for (size_t i = 0; i < q->lane_count; i++)
        if (!open_lane(q, i, c, why))
            return false;
    for (size_t i = 0; i < q->slot_count; i++) {
        slot *s = &q->slots[i];
        s->load = q;
        s->lane = &q->lanes[i % q->lane_count];
        if (q->streams && !open_stream(s, why))
            return false;
    }
    return true;
}

static bool begin_all(qps_load *q, qps_refusal *why)
{
    for (size_t i = q->slot_count; i-- > 0;) {
        slot *s = &q->slots[i];
        if (q->rate > 0)
            set_free(s);
        else if (!q->threads)
            begin(s, oyez_now());
        else if (pthread_create(&s->thread, NULL, call_in_turns, s) == 0)
            s->has_thread = true;
        else
            return qps_refuse(why, OYEZ_RESOURCE_EXHAUSTED, "there are not enough threads");
    }
    q->has_pacer = q->rate > 0 && pthread_create(&q->pacer, NULL, pace, q) == 0;
    return q->has_pacer || !(q->rate > 0) ||
           qps_refuse(why, OYEZ_RESOURCE_EXHAUSTED, "there are not enough threads");
}

qps_load *qps_load_start(const Grpc__Testing__ClientConfig *config, qps_refusal *why)
{
    pthread_condattr_t monotonic;
    qps_load *q = calloc(1, sizeof(*q));
    if (!q) {
        (void)qps_refuse(why, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    (void)pthread_mutex_init(&q->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&q->changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    if (parse(q, config, why)) {
        const oyez_method *typed = q->streams
                                       ? &grpc_testing_benchmark_service_streaming_call_method
                                       : &grpc_testing_benchmark_service_unary_call_method;
        q->method = !q->payload.bytes ? typed
                    : q->streams      ? &qps_bytes_streaming
                                      : &qps_bytes_unary;
        if (open_all(q, config, why) && begin_all(q, why))
            return q;
    }
    qps_load_stop(q);
    return NULL;
}

bool qps_load_histogram(const qps_load *q, qps_histogram *ret_histogram)
{
    const qps_histogram *shape = &q->lanes[0].latencies;
    *ret_histogram = (qps_histogram){.step = shape->step, .bucket_count = shape->bucket_count};
    ret_histogram->buckets = calloc(shape->bucket_count, sizeof(uint32_t));
    return ret_histogram->buckets != NULL;
}

void qps_load_read(qps_load *q, bool reset, qps_histogram *ret_latencies, int64_t ret_results[17])
{
    for (size_t i = 0; i < q->lane_count; i++) {
        lane *l = &q->lanes[i];
        (void)pthread_mutex_lock(&l->lock);
        qps_histogram_merge(ret_latencies, &l->latencies);
        for (size_t code = 0; code < 17; code++)
            ret_results[code] += l->results[code];
        if (reset) {
            qps_histogram_clear(&l->latencies);
            memset(l->results, 0, sizeof(l->results));
        }
        (void)pthread_mutex_unlock(&l->lock);
    }
}

void qps_load_stop(qps_load *q)
{
    if (!q)
        return;
    (void)pthread_mutex_lock(&q->lock);
    q->stopping = true;
    (void)pthread_cond_broadcast(&q->changed);
    (void)pthread_mutex_unlock(&q->lock);
    if (q->has_pacer)
        (void)pthread_join(q->pacer, NULL);
    for (size_t i = 0; q->lanes && i < q->lane_count; i++)
        if (q->lanes[i].channel)
            oyez_channel_close(q->lanes[i].channel); /* ends what is under way */
    for (size_t i = 0; q->slots && i < q->slot_count; i++)
        if (q->slots[i].has_thread)
            (void)pthread_join(q->slots[i].thread, NULL);
    (void)pthread_mutex_lock(&q->lock);
    while (q->active > 0)
        (void)pthread_cond_wait(&q->changed, &q->lock);
    (void)pthread_mutex_unlock(&q->lock);
    for (size_t i = 0; q->slots && i < q->slot_count; i++)
        oyez_stream_unref(q->slots[i].stream);
    for (size_t i = 0; q->lanes && i < q->lane_count; i++) {
        oyez_channel_unref(q->lanes[i].channel);
        qps_histogram_fini(&q->lanes[i].latencies);
    }
    oyez_runtime_unref(q->runtime); /* joins its threads: no callback goes on */
    oyez_slice_fini(&q->bytes);
    free(q->lanes);
    free(q->slots);
    (void)pthread_cond_destroy(&q->changed);
    (void)pthread_mutex_destroy(&q->lock);
    free(q);
}

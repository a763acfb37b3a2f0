/* SPDX-License-Identifier: Apache-2.0 */
/* The interop client's soak cases: calls one after another on some threads, on one channel or on a
 * new one for each call. Says for each call how it went, and in the end how slow they were. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "interop/client.h"

/* Calls that took less than 1, 2, 4, ... milliseconds. */
#define BUCKETS 20

typedef struct soak {
    const case_run *run;
    const soak_settings *settings;
    bool new_channel; /* for each call */
    oyez_duration deadline;
    pthread_mutex_t lock;
    int done, failures;     /* guarded by lock */
    int histogram[BUCKETS]; /* guarded by lock */
    int64_t slowest_ms;     /* guarded by lock */
} soak;

typedef struct worker {
    soak *soak;
    int number;
    pthread_t thread;
    bool running;
    /* One call, between its thread and the callback: */
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool over;       /* guarded by lock */
    oyez_code code;  /* guarded by lock */
    size_t body;     /* guarded by lock */
    char peer[64];   /* guarded by lock */
    char words[200]; /* guarded by lock */
} worker;

static void on_reply(oyez_call *call, const oyez_status *status,
                     const Grpc__Testing__SimpleResponse *reply, void *user)
{
    worker *w = user;
    pthread_mutex_lock(&w->lock);
    w->code = status->code;
    w->body = reply && reply->payload ? reply->payload->body.len : 0;
    (void)snprintf(w->peer, sizeof(w->peer), "%s", oyez_call_peer(call));
    (void)snprintf(w->words, sizeof(w->words), "%s", status->message);
    w->over = true;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
}

/* Calls, and leaves in the worker how it ended. */
static void call_once(worker *w, oyez_channel *channel)
{
    const soak *s = w->soak;
    Grpc__Testing__SimpleRequest request = GRPC__TESTING__SIMPLE_REQUEST__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    const oyez_call_options options = {
        OYEZ_CALL_OPTIONS_INIT,
        .timeout = CASE_TIMEOUT,
        .metadata = s->run->extra,
        .authority = s->run->authority,
    };
    test_stub stub = {.channel = channel, .options = &options};
    request.response_size = s->settings->response_size;
    payload.body.data = zeros;
    payload.body.len = (size_t)s->settings->request_size;
    request.payload = &payload;
    w->over = false;
    oyez_err err = test_call(unary_call_async)(stub, NULL, &request, on_reply, w, NULL);
    if (err) {
        w->code = OYEZ_INTERNAL;
        (void)snprintf(w->words, sizeof(w->words), "%s", oyez_strerror(err));
        return;
    }
    pthread_mutex_lock(&w->lock);
    while (!w->over)
        pthread_cond_wait(&w->ended, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

static void book(worker *w, int iteration, int64_t elapsed_ms)
{
    soak *s = w->soak;
    char why[260] = "";
    size_t bucket = 0;
    if (w->code != OYEZ_OK)
        (void)snprintf(why, sizeof(why), "%s: %s", oyez_code_name(w->code), w->words);
    else if (w->body != (size_t)s->settings->response_size)
        (void)snprintf(why, sizeof(why), "the body has %zu bytes, expected %d", w->body,
                       s->settings->response_size);
    else if (s->settings->max_latency_ms > 0 && elapsed_ms > s->settings->max_latency_ms)
        (void)snprintf(why, sizeof(why), "it may take %d ms", s->settings->max_latency_ms);
    fprintf(stderr,
            "Worker %d: soak iteration: %d elapsed_ms: %" PRId64 " peer: %s server_uri: %s %s%s\n",
            w->number, iteration, elapsed_ms, w->peer, s->run->target,
            why[0] ? "failed: " : "succeeded", why);
    while (bucket + 1 < BUCKETS && elapsed_ms >= (int64_t)1 << bucket)
        bucket++;
    pthread_mutex_lock(&s->lock);
    s->done++;
    s->failures += why[0] != '\0';
    s->histogram[bucket]++;
    if (elapsed_ms > s->slowest_ms)
        s->slowest_ms = elapsed_ms;
    pthread_mutex_unlock(&s->lock);
}

static void sleep_until(oyez_duration at)
{
    oyez_duration left = at - oyez_now();
    if (left <= 0)
        return;
    const struct timespec pause = {(time_t)(left / OYEZ_SECOND), (int32_t)(left % OYEZ_SECOND)};
    (void)nanosleep(&pause, NULL);
}

static void *work(void *user)
{
    worker *w = user;
    soak *s = w->soak;
    for (int i = 0; i < s->settings->iterations && oyez_now() < s->deadline; i++) {
        char words[256] = "";
        oyez_channel *channel = oyez_channel_ref(s->run->channel);
        oyez_duration begun = oyez_now();
        if (s->new_channel) {
            channel = oyez_channel_unref(channel);
            (void)open_channel(s->run->target, words, sizeof(words), &channel);
            begun = oyez_now();
        }
        call_once(w, channel);
        book(w, i, (oyez_now() - begun) / OYEZ_MILLISECOND);
        oyez_channel_unref(channel);
        if (i + 1 < s->settings->iterations)
            sleep_until(begun + s->settings->min_time_ms * OYEZ_MILLISECOND);
    }
    return NULL;
}

static void print_latencies(const soak *s)
{
    fprintf(stderr, "(server_uri: %s) histogram of %d calls, the slowest took %" PRId64 " ms:",
            s->run->target, s->done, s->slowest_ms);
    for (size_t i = 0; i < BUCKETS; i++)
        if (s->histogram[i] > 0)
            fprintf(stderr, " <%" PRId64 " ms: %d", (int64_t)1 << i, s->histogram[i]);
    fprintf(stderr, "\n");
}

static bool play_soak(case_run *run, bool new_channel)
{
    static worker workers[MAX_SOAK_THREADS];
    const soak_settings *settings = run->soak;
    soak s = {
        .run = run, .settings = settings, .new_channel = new_channel, .deadline = OYEZ_FOREVER};
    if (settings->overall_s > 0)
        s.deadline = oyez_now() + settings->overall_s * OYEZ_SECOND;
    pthread_mutex_init(&s.lock, NULL);
    for (int i = 0; i < settings->threads; i++) {
        worker *w = &workers[i];
        *w = (worker){.soak = &s, .number = i};
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->ended, NULL);
        w->running = pthread_create(&w->thread, NULL, work, w) == 0;
    }
    for (int i = 0; i < settings->threads; i++) {
        if (workers[i].running)
            pthread_join(workers[i].thread, NULL);
        pthread_cond_destroy(&workers[i].ended);
        pthread_mutex_destroy(&workers[i].lock);
    }
    pthread_mutex_destroy(&s.lock);
    print_latencies(&s);
    int wanted = settings->iterations * settings->threads;
    if (s.done < wanted)
        return fail(run, "%d of %d calls were made in %d s", s.done, wanted, settings->overall_s);
    if (s.failures > settings->max_failures)
        return fail(run, "%d of %d calls have failed, %d may", s.failures, wanted,
                    settings->max_failures);
    return true;
}

bool rpc_soak(case_run *run)
{
    return play_soak(run, false);
}

bool channel_soak(case_run *run)
{
    return play_soak(run, true);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed calls for a long time: all shapes, both forms, sizes from 0 to 4 MiB, cancellations, deadlines, connections that break in
 * the middle, and a server that is gracefully restarted. Whatever happens, every call ends in time and in a way that is explained,
 * what arrives is what was sent, and at the end nothing is left: run it under sanitizers.
 *
 * usage: soak SECONDS [SEED] */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <oyez/oyez.h>

#include "relay.h"

#define THREADS 6
#define MAX_BYTES (4u * 1024 * 1024 - 1024)
/* Beyond a call's deadline this much more, and it is stuck. */
#define GRACE (60 * OYEZ_SECOND)

static atomic_bool stopping;
static _Atomic(uint64_t) calls, ended_ok, cancelled, late, unavailable, messages, restarts, kills;
static _Atomic(int64_t) busy_since[THREADS]; /* 0: between calls */
static oyez_channel *channel;

static void fail(const char *what, const char *words)
{
    fprintf(stderr, "soak: %s: %s\n", what, words);
    abort();
}

/* --- random numbers, one generator a thread ------------------------------------------------------------------------- */

typedef struct dice {
    uint64_t state;
} dice;

static uint32_t roll(dice *from, uint32_t below)
{
    from->state = from->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((from->state >> 33) % below);
}

/* Most messages are small, some are large. */
static size_t roll_size(dice *from)
{
    switch (roll(from, 20)) {
    case 0:
        return 0;
    case 1:
        return roll(from, MAX_BYTES);
    case 2:
    case 3:
        return roll(from, 200000);
    default:
        return roll(from, 3000);
    }
}

/* --- messages: a byte pattern that says where it is ------------------------------------------------------------------- */

static oyez_slice make_message(dice *from, size_t len)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_block *block;
    if (len == 0)
        return slice;
    if (oyez_block_new(NULL, len, &block))
        fail("message", "out of memory");
    uint8_t *bytes = oyez_block_data(block), start = (uint8_t)roll(from, 256);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)(start + i * 7);
    if (oyez_slice_append(&slice, oyez_buffer_of_block(block, len)))
        fail("message", "out of memory");
    return slice;
}

/* All bytes follow the pattern, or somebody's bytes got mixed up. */
static void check_message(const oyez_slice *slice)
{
    const oyez_buffer *items = oyez_slice_items(slice);
    uint8_t expected = 0;
    bool first = true;
    for (uint32_t i = 0; i < slice->count; i++) {
        for (size_t j = 0; j < items[i].len; j++) {
            if (!first && items[i].data[j] != expected)
                fail("message", "the bytes are not those that were sent");
            expected = (uint8_t)(items[i].data[j] + 7);
            first = false;
        }
    }
    atomic_fetch_add(&messages, 1);
}

/* --- the server --------------------------------------------------------------------------------------------------------- */

static oyez_code echo(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    (void)service;
    (void)self;
    check_message(request);
    if (((const oyez_slice *)request)->len % 50 == 7)
        return oyez_server_call_fail(call, OYEZ_FAILED_PRECONDITION, "this length is not served");
    return oyez_slice_append_slice(reply, request) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

static oyez_code chat(const void *service, void *self, oyez_server_call *call, const void *request, oyez_stream *stream, void *reply)
{
    const void *message;
    (void)service;
    (void)self;
    (void)request;
    (void)reply;
    while (oyez_stream_recv(stream, &message)) {
        check_message(message);
        if (!oyez_stream_send(stream, message))
            return OYEZ_CANCELLED;
    }
    return oyez_server_call_is_cancelled(call) ? OYEZ_CANCELLED : OYEZ_OK;
}

static oyez_code collect(const void *service, void *self, oyez_server_call *call, const void *request, oyez_stream *stream,
                         void *reply)
{
    const void *message;
    (void)service;
    (void)self;
    (void)request;
    (void)call;
    size_t total = 0;
    while (oyez_stream_recv(stream, &message)) {
        check_message(message);
        total += ((const oyez_slice *)message)->len;
    }
    char *text = oyez_server_call_printf(call, "%c", (int)(total % 256));
    oyez_buffer one = { (const uint8_t *)text, 1, NULL };
    return text && !oyez_slice_append(reply, one) ? OYEZ_OK : OYEZ_RESOURCE_EXHAUSTED;
}

static oyez_code list(const void *service, void *self, oyez_server_call *call, const void *request, oyez_stream *stream, void *reply)
{
    (void)service;
    (void)self;
    (void)call;
    (void)reply;
    size_t count = 1 + ((const oyez_slice *)request)->len % 9;
    for (size_t i = 0; i < count; i++)
        if (!oyez_stream_send(stream, request))
            return OYEZ_CANCELLED;
    return OYEZ_OK;
}

static void on_chat_message(oyez_stream *stream, const void *message, void *user)
{
    (void)user;
    check_message(message);
    (void)oyez_stream_send(stream, message);
}

static void on_chat_sent(oyez_stream *stream, void *user)
{
    (void)user;
    oyez_stream_request(stream, 1);
}

static void on_chat_half_close(oyez_stream *stream, void *user)
{
    (void)user;
    oyez_server_call_finish(oyez_stream_server_call(stream), OYEZ_OK);
}

static void on_chat_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    (void)user;
    if (status->code != OYEZ_OK)
        oyez_server_call_finish(oyez_stream_server_call(stream), OYEZ_CANCELLED);
}

static const oyez_stream_events chat_events = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = on_chat_message,
    .on_sent = on_chat_sent,
    .on_half_close = on_chat_half_close,
    .on_done = on_chat_done,
};

static void chat_async(const void *service, void *self, oyez_server_call *call, const void *request, oyez_stream *stream)
{
    (void)service;
    (void)self;
    (void)call;
    (void)request;
    oyez_stream_listen(stream, &chat_events, NULL, NULL);
    oyez_stream_request(stream, 1);
}

static const oyez_method echo_method = { OYEZ_METHOD_INIT, .path = "/soak.Soak/Echo" };
static const oyez_method chat_method = { OYEZ_METHOD_INIT, .path = "/soak.Soak/Chat", .client_streaming = true,
                                         .server_streaming = true };
static const oyez_method chat_async_method = { OYEZ_METHOD_INIT, .path = "/soak.Soak/ChatAsync", .client_streaming = true,
                                               .server_streaming = true };
static const oyez_method collect_method = { OYEZ_METHOD_INIT, .path = "/soak.Soak/Collect", .client_streaming = true };
static const oyez_method list_method = { OYEZ_METHOD_INIT, .path = "/soak.Soak/List", .server_streaming = true };

static const oyez_service_method methods[] = {
    { .method = &echo_method, .unary = echo },          { .method = &chat_method, .stream = chat },
    { .method = &chat_async_method, .stream_async = chat_async }, { .method = &collect_method, .stream = collect },
    { .method = &list_method, .stream = list },
};

static oyez_server *start_server(uint16_t *port)
{
    const oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "soak.Soak", .methods = methods,
                                     .method_count = sizeof(methods) / sizeof(methods[0]) };
    oyez_server *server = NULL;
    char address[64];
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = oyez_server_register(server, &desc);
    snprintf(address, sizeof(address), "127.0.0.1:%u", *port);
    if (!err)
        err = oyez_server_listen(server, address, oyez_insecure(), port);
    if (!err)
        err = oyez_server_start(server);
    if (err)
        fail("server", server ? oyez_server_words(server) : oyez_strerror(err));
    return server;
}

/* --- calls --------------------------------------------------------------------------------------------------------------- */

/* What a call may end with, given all that is done to it here. */
static void book(oyez_code code, const oyez_status *status)
{
    atomic_fetch_add(&calls, 1);
    switch (code) {
    case OYEZ_OK:
    case OYEZ_FAILED_PRECONDITION:
        atomic_fetch_add(&ended_ok, 1);
        return;
    case OYEZ_CANCELLED:
        atomic_fetch_add(&cancelled, 1);
        return;
    case OYEZ_DEADLINE_EXCEEDED:
        atomic_fetch_add(&late, 1);
        return;
    case OYEZ_UNAVAILABLE:
        atomic_fetch_add(&unavailable, 1);
        return;
    default:
        fprintf(stderr, "soak: a call ended with %s: %s\n", oyez_code_name(code), status->message);
        abort();
    }
}

static oyez_call_options roll_options(dice *from)
{
    oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND };
    options.wait_for_ready = roll(from, 4) != 0;
    if (roll(from, 10) == 0)
        options.timeout = (oyez_duration)roll(from, 30000) * OYEZ_MICROSECOND;
    return options;
}

static void unary(dice *from)
{
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_call_options options = roll_options(from);
    oyez_slice request = make_message(from, roll_size(from));
    void *reply = NULL;
    oyez_code code = oyez_unary_call(channel, &echo_method, NULL, &options, &request, &reply, &status);
    if (code == OYEZ_OK && ((oyez_slice *)reply)->len != request.len)
        fail("unary", "the reply has another length than the request");
    if (code == OYEZ_OK)
        check_message(reply);
    oyez_bytes_free(reply);
    book(code, &status);
    oyez_slice_fini(&request);
    oyez_status_fini(&status);
}

typedef struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t signal;
    bool done;
    oyez_code code;
} waiter;

static void tell(waiter *who, oyez_code code)
{
    pthread_mutex_lock(&who->lock);
    who->done = true;
    who->code = code;
    pthread_cond_signal(&who->signal);
    pthread_mutex_unlock(&who->lock);
}

static void wait_for(waiter *who)
{
    pthread_mutex_lock(&who->lock);
    while (!who->done)
        pthread_cond_wait(&who->signal, &who->lock);
    pthread_mutex_unlock(&who->lock);
}

static void on_reply(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    (void)call;
    if (reply)
        check_message(reply);
    tell(user, status->code);
}

static void unary_async(dice *from)
{
    waiter who = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, OYEZ_OK };
    oyez_status none = OYEZ_STATUS_INIT;
    oyez_call_options options = roll_options(from);
    oyez_slice request = make_message(from, roll_size(from));
    oyez_ctx *ctx = roll(from, 2) ? oyez_ctx_with_cancel(NULL) : NULL;
    oyez_call *call = NULL;
    oyez_err err = oyez_unary_call_async(channel, &echo_method, ctx, &options, &request, on_reply, &who, &call);
    if (err)
        fail("async", oyez_strerror(err));
    if (roll(from, 3) == 0) {
        usleep(roll(from, 3000));
        if (ctx && roll(from, 2))
            (void)oyez_ctx_cancel(ctx);
        else
            oyez_call_cancel(call);
    }
    oyez_slice_fini(&request);
    oyez_call_unref(call);
    wait_for(&who);
    oyez_ctx_unref(ctx);
    book(who.code, &none);
}

/* Sends and receives in turn, or one after the other. */
static void stream(dice *from)
{
    const oyez_method *choice[] = { &chat_method, &chat_async_method, &collect_method, &list_method };
    const oyez_method *method = choice[roll(from, 4)];
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_call_options options = roll_options(from);
    oyez_slice request = make_message(from, method == &list_method ? roll_size(from) : 0);
    oyez_stream *it;
    oyez_err err = oyez_stream_start(channel, method, NULL, &options, method->client_streaming ? NULL : &request, NULL, NULL,
                                     NULL, &it);
    oyez_slice_fini(&request);
    if (err)
        fail("stream", oyez_strerror(err));
    const void *message;
    bool turns = method->client_streaming && method->server_streaming, alive = true;
    uint32_t count = method->client_streaming ? roll(from, 12) : 0, cancel_at = roll(from, 5) ? UINT32_MAX : roll(from, 12);
    for (uint32_t i = 0; i < count && alive; i++) {
        oyez_slice next = make_message(from, roll_size(from));
        if (i == cancel_at)
            oyez_stream_cancel(it);
        alive = oyez_stream_send(it, &next);
        oyez_slice_fini(&next);
        if (alive && turns) {
            alive = oyez_stream_recv(it, &message);
            if (alive)
                check_message(message);
        }
    }
    if (roll(from, 6)) {
        oyez_stream_close_send(it);
        while (oyez_stream_recv(it, &message))
            check_message(message);
    }
    oyez_code code = oyez_stream_finish(it, &status);
    book(code, &status);
    oyez_status_fini(&status);
}

static void *work(void *user)
{
    dice *from = user;
    unsigned me = (unsigned)roll(from, 1000000);
    (void)me;
    static _Atomic(unsigned) next_index;
    unsigned index = atomic_fetch_add(&next_index, 1);
    while (!atomic_load(&stopping)) {
        atomic_store(&busy_since[index], oyez_now());
        switch (roll(from, 3)) {
        case 0:
            unary(from);
            break;
        case 1:
            unary_async(from);
            break;
        default:
            stream(from);
        }
        atomic_store(&busy_since[index], 0);
    }
    return NULL;
}

/* --- the whole ------------------------------------------------------------------------------------------------------------ */

static void look_for_stuck(void)
{
    for (unsigned i = 0; i < THREADS; i++) {
        int64_t since = atomic_load(&busy_since[i]);
        if (since && oyez_now() - since > 20 * OYEZ_SECOND + GRACE)
            fail("stuck", "a call has not ended long after its deadline");
    }
}

static size_t resident_kib(void)
{
    size_t pages = 0, unused;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%zu %zu", &unused, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * 4;
}

static void report(int64_t started)
{
    printf("%5" PRId64 " s: %" PRIu64 " calls: %" PRIu64 " ok, %" PRIu64 " cancelled, %" PRIu64 " late, %" PRIu64
           " unavailable; %" PRIu64 " messages, %" PRIu64 " restarts, %" PRIu64 " kills, %zu MiB resident\n",
           (oyez_now() - started) / OYEZ_SECOND, atomic_load(&calls), atomic_load(&ended_ok), atomic_load(&cancelled),
           atomic_load(&late), atomic_load(&unavailable), atomic_load(&messages), atomic_load(&restarts),
           atomic_load(&kills), resident_kib() / 1024);
    fflush(stdout);
}

static void restart(oyez_server **server, uint16_t *port, dice *from)
{
    oyez_server_graceful_stop(*server, (oyez_duration)roll(from, 2000) * OYEZ_MILLISECOND);
    if (oyez_server_wait(*server, 60 * OYEZ_SECOND))
        fail("restart", "the server did not stop");
    *server = oyez_server_unref(*server);
    *server = start_server(port);
    atomic_fetch_add(&restarts, 1);
}

int main(int argc, char **argv)
{
    int64_t seconds = argc > 1 ? strtoll(argv[1], NULL, 10) : 60;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)oyez_now() ^ (uint64_t)getpid() << 32;
    pthread_t threads[THREADS];
    dice dices[THREADS], own = { seed };
    uint16_t port = 0, relay_port;
    char target[64];
    printf("soak of %" PRId64 " s, seed 0x%" PRIx64 "\n", seconds, seed);
    oyez_server *server = start_server(&port);
    relay *between = relay_start(port, &relay_port);
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .backoff_base = 50 * OYEZ_MILLISECOND,
                                           .backoff_max = 500 * OYEZ_MILLISECOND };
    snprintf(target, sizeof(target), "127.0.0.1:%u", relay_port);
    if (oyez_channel_new(target, oyez_insecure(), &options, &channel))
        fail("channel", target);
    for (int i = 0; i < THREADS; i++) {
        dices[i] = (dice){ seed + 1000003u * (uint64_t)(i + 1) };
        pthread_create(&threads[i], NULL, work, &dices[i]);
    }
    int64_t started = oyez_now(), next_report = started + 10 * OYEZ_SECOND;
    while (oyez_now() - started < seconds * OYEZ_SECOND) {
        usleep(100000 + roll(&own, 200000));
        look_for_stuck();
        if (roll(&own, 8) == 0) {
            relay_kill_one(between, 64 + roll(&own, 4));
            atomic_fetch_add(&kills, 1);
        }
        if (roll(&own, 40) == 0)
            restart(&server, &port, &own);
        if (oyez_now() > next_report) {
            report(started);
            next_report += 10 * OYEZ_SECOND;
        }
    }
    atomic_store(&stopping, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    report(started);
    oyez_channel_unref(channel);
    oyez_server_unref(server);
    relay_stop(between);
    if (atomic_load(&ended_ok) == 0)
        fail("soak", "no call ended well");
    printf("1 passed, 0 failed\n");
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* bench-held, an experiment: what it costs a server to keep the bytes of a request until its handler has
 * ended, instead of giving them back as soon as they are decoded. The library does the latter; the other
 * way is a codec here, which takes a reference and drops it with the message (--hold).
 *
 * The client is a process of its own. First so many handlers sleep on large requests, and the
 * memory of the server is read; then small calls go as fast as they can, and its processor time is. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <oyez/protobuf_c.h>

#include "messages.h"
#include "support/flags.h"
#include "usage.h"

#define INFLIGHT   100 /* small calls */
#define COPY_BELOW 4096

typedef struct settings {
    bool hold;
    int requests, bytes;
    double seconds;
} settings;

/* --- the codec -------------------------------------------------------------------------------- */

/* What handlers get: the message, and the bytes that it was made of. */
typedef struct held {
    const Grpc__Testing__SimpleRequest *request;
    oyez_slice bytes;
} held;

static bool holds; /* set before there are threads */

static oyez_err keep(const oyez_slice *bytes, oyez_pool *pool, oyez_slice *ret_kept)
{
    oyez_block *block;
    if (bytes->len >= COPY_BELOW)
        return oyez_slice_ref(bytes, ret_kept);
    oyez_err err = oyez_block_new(pool, bytes->len ? bytes->len : 1, &block);
    if (err)
        return err;
    (void)oyez_slice_copy_to(bytes, oyez_block_data(block), bytes->len);
    *ret_kept = (oyez_slice)OYEZ_SLICE_INIT;
    return oyez_slice_append(ret_kept, oyez_buffer_of_block(block, bytes->len));
}

static oyez_err decode(const void *type, const oyez_slice *bytes, oyez_arena *arena,
                       oyez_pool *pool, void **ret_message, const char **ret_words)
{
    void *message;
    held *h = oyez_arena_alloc(arena, sizeof(*h));
    if (!h)
        return OYEZ_ENOMEM;
    *h = (held){.bytes = OYEZ_SLICE_INIT};
    oyez_err err = oyez_protobuf_c()->decode(type, bytes, arena, pool, &message, ret_words);
    if (!err && holds)
        err = keep(bytes, pool, &h->bytes);
    if (err)
        return err;
    h->request = message;
    *ret_message = h;
    return OYEZ_NO_ERR;
}

static void release(const void *type, void *message)
{
    held *h = message;
    if (type == &grpc__testing__simple_request__descriptor)
        oyez_slice_fini(&h->bytes);
}

static oyez_err measure(const void *type, const void *message, size_t *ret_bytes,
                        const char **ret_words)
{
    return oyez_protobuf_c()->measure(type, message, ret_bytes, ret_words);
}

static oyez_err encode(const void *type, const void *message, void *dst, size_t bytes,
                       const char **ret_words)
{
    return oyez_protobuf_c()->encode(type, message, dst, bytes, ret_words);
}

static void *create(const void *type, oyez_arena *arena)
{
    return oyez_protobuf_c()->create(type, arena);
}

static const oyez_codec *codec(void)
{
    static const oyez_codec table = {
        .size = sizeof(table),
        .name = "proto",
        .measure = measure,
        .encode = encode,
        .decode = decode,
        .create = create,
        .release = release,
    };
    return &table;
}

static const oyez_method held_method = {
    OYEZ_METHOD_INIT,
    .path = GRPC_TESTING_BENCHMARK_SERVICE_UNARY_CALL_PATH,
    .codec = codec,
    .request = &grpc__testing__simple_request__descriptor,
    .response = &grpc__testing__simple_response__descriptor,
};

/* --- the server ------------------------------------------------------------------------------- */

typedef struct sleepers {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    oyez_server_call **calls;
    size_t count, wanted; /* guarded by lock */
    _Atomic(bool) awake;  /* handlers answer at once */
} sleepers;

static void handle(const void *service, void *self, oyez_server_call *call, const void *request)
{
    static const Grpc__Testing__SimpleResponse reply = GRPC__TESTING__SIMPLE_RESPONSE__INIT;
    sleepers *s = self;
    (void)service;
    (void)request;
    if (s->awake) {
        oyez_server_call_reply(call, &reply);
        return;
    }
    (void)pthread_mutex_lock(&s->lock);
    s->calls[s->count++] = call;
    (void)pthread_cond_signal(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
}

static double resident_mib(void)
{
    unsigned long long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    bool ok = file && fscanf(file, "%llu %llu", &total, &resident) == 2;
    if (file)
        (void)fclose(file);
    return ok ? (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576 : 0;
}

static bool open_server(sleepers *s, oyez_runtime **ret_runtime, oyez_server **ret_server,
                        uint16_t *ret_port)
{
    const oyez_service_method methods[] = {{.method = &held_method, .unary_async = handle}};
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = GRPC_TESTING_BENCHMARK_SERVICE_SERVICE_NAME,
        .methods = methods,
        .method_count = 1,
        .self = s,
    };
    const oyez_runtime_options runtime_options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    if (oyez_runtime_new(&runtime_options, ret_runtime))
        return false;
    const oyez_server_options options = {
        OYEZ_SERVER_OPTIONS_INIT, .runtime = *ret_runtime,
        .max_receive_bytes = (size_t)MAX_PAYLOAD + 64, .max_streams = 100000,
        .max_buffered_bytes = (size_t)64 << 30 /* what is held counts */
    };
    return !oyez_server_new(&options, ret_server) && !oyez_server_register(*ret_server, &desc) &&
           !oyez_server_listen(*ret_server, "127.0.0.1:0", oyez_insecure(), ret_port) &&
           !oyez_server_start(*ret_server);
}

static bool transfer(int fd, void *data, size_t len, bool out)
{
    return (out ? write(fd, data, len) : read(fd, data, len)) == (ssize_t)len;
}

static int serve(const settings *set, int to_client, int from_client)
{
    static const Grpc__Testing__SimpleResponse reply = GRPC__TESTING__SIMPLE_RESPONSE__INIT;
    sleepers s = {.lock = PTHREAD_MUTEX_INITIALIZER,
                  .changed = PTHREAD_COND_INITIALIZER,
                  .wanted = (size_t)set->requests};
    oyez_runtime *runtime = NULL;
    oyez_server *server = NULL;
    uint16_t port = 0;
    uint64_t count = 0;
    char byte;
    s.calls = calloc(s.wanted, sizeof(*s.calls));
    bool ok = s.calls && open_server(&s, &runtime, &server, &port);
    double before = resident_mib(), memory = 0;
    usage spent = {0, 0};
    ok = ok && transfer(to_client, &port, sizeof(port), true);
    if (ok) {
        (void)pthread_mutex_lock(&s.lock);
        while (s.count < s.wanted)
            (void)pthread_cond_wait(&s.changed, &s.lock);
        (void)pthread_mutex_unlock(&s.lock);
        memory = resident_mib() - before;
        s.awake = true;
        for (size_t i = 0; i < s.count; i++)
            oyez_server_call_reply(s.calls[i], &reply);
        ok = transfer(from_client, &byte, 1, false);
        usage start = usage_now();
        ok = ok && transfer(from_client, &count, sizeof(count), false);
        spent = usage_between(start, usage_now());
    }
    if (ok)
        printf(
            "{\"hold\": %s, \"requests\": %d, \"bytes\": %d, \"memory_mib\": %.1f, \"qps\": %.0f, "
            "\"server_cpu_us_per_call\": %.3f}\n",
            set->hold ? "true" : "false", set->requests, set->bytes, memory,
            (double)count / set->seconds,
            count ? (spent.user + spent.system) * 1e6 / (double)count : 0);
    else
        fprintf(stderr, "bench-held: the server or its client has failed\n");
    oyez_server_unref(server);
    oyez_runtime_unref(runtime);
    free(s.calls);
    return ok ? 0 : 1;
}

/* --- the client ------------------------------------------------------------------------------- */

typedef struct client {
    oyez_channel *channel;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t outstanding; /* guarded by lock */
    _Atomic(bool) going, failed;
    _Atomic(uint64_t) count;
    int bytes;
} client;

static bool begin(client *c);

static void on_reply(oyez_call *call, const oyez_status *status,
                     const Grpc__Testing__SimpleResponse *reply, void *user)
{
    client *c = user;
    (void)call;
    (void)reply;
    if (status->code != OYEZ_OK && !c->failed) {
        c->failed = true;
        fprintf(stderr, "bench-held: %s: %s\n", oyez_code_name(status->code), status->message);
    }
    atomic_fetch_add_explicit(&c->count, 1, memory_order_relaxed);
    if (c->going && !c->failed && begin(c))
        return;
    (void)pthread_mutex_lock(&c->lock);
    c->outstanding--;
    (void)pthread_cond_signal(&c->changed);
    (void)pthread_mutex_unlock(&c->lock);
}

static bool begin(client *c)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    const grpc_testing_benchmark_service_stub stub = {.channel = c->channel};
    bench_fill_request(&request, &payload, c->bytes, 0);
    return !grpc_testing_benchmark_service_unary_call_async(stub, NULL, &request, on_reply, c,
                                                            NULL);
}

static void begin_many(client *c, size_t count)
{
    c->outstanding = count;
    for (size_t i = 0; i < count; i++)
        if (!begin(c))
            c->failed = true;
}

static void wait_for_all(client *c)
{
    (void)pthread_mutex_lock(&c->lock);
    while (c->outstanding > 0)
        (void)pthread_cond_wait(&c->changed, &c->lock);
    (void)pthread_mutex_unlock(&c->lock);
}

static void sleep_for(double seconds)
{
    (void)usleep((useconds_t)(seconds * 1e6));
}

static int call(const settings *set, int to_server, int from_server)
{
    client c = {.lock = PTHREAD_MUTEX_INITIALIZER,
                .changed = PTHREAD_COND_INITIALIZER,
                .bytes = set->bytes};
    uint16_t port = 0;
    char target[32], byte = 0;
    if (!transfer(from_server, &port, sizeof(port), false))
        return 1;
    (void)snprintf(target, sizeof(target), "127.0.0.1:%u", (unsigned)port);
    if (oyez_channel_new(target, oyez_insecure(), NULL, &c.channel))
        return 1;
    begin_many(&c, (size_t)set->requests);
    wait_for_all(&c);
    c.bytes = 1;
    c.going = true;
    begin_many(&c, INFLIGHT);
    sleep_for(set->seconds / 4); /* warm */
    uint64_t before = c.count;
    bool ok = transfer(to_server, &byte, 1, true);
    sleep_for(set->seconds);
    uint64_t count = c.count - before;
    c.going = false;
    wait_for_all(&c); /* the server stops with the count */
    ok = ok && !c.failed && transfer(to_server, &count, sizeof(count), true);
    oyez_channel_unref(c.channel);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    settings set = {.requests = 1000, .bytes = 1 << 20, .seconds = 3};
    const oy_flag flags[] = {
        {.name = "hold",
         .kind = OY_FLAG_BOOL,
         .value = &set.hold,
         .help = "requests keep their bytes until the handler has ended"},
        {.name = "requests",
         .kind = OY_FLAG_INT,
         .value = &set.requests,
         .help = "on which handlers sleep",
         .least = 1,
         .most = 100000},
        {.name = "bytes",
         .kind = OY_FLAG_INT,
         .value = &set.bytes,
         .help = "of each of them",
         .most = MAX_PAYLOAD},
        {.name = "seconds",
         .kind = OY_FLAG_SECONDS,
         .value = &set.seconds,
         .help = "of small calls"},
    };
    int to_client[2], to_server[2], status = 1;
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "What it costs to keep the bytes of a request while its handler sleeps.",
                           argc, argv)) {
    case OY_FLAGS_GO:
        break;
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        return 2;
    }
    if (pipe(to_client) != 0 || pipe(to_server) != 0)
        return 1;
    holds = set.hold;
    pid_t child = fork(); /* before there is a runtime */
    if (child == 0) {
        (void)close(to_client[1]);
        (void)close(to_server[0]);
        return call(&set, to_server[1], to_client[0]);
    }
    (void)close(to_client[0]);
    (void)close(to_server[1]);
    int result = child < 0 ? 1 : serve(&set, to_client[1], to_server[0]);
    if (child > 0)
        (void)waitpid(child, &status, 0);
    return result != 0 || status != 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* bench-server: grpc.testing.BenchmarkService, to be measured with bench-client or with gRPC-Go's
 * benchmark client (of whose server it takes the flags). Limits and checks of the library are on,
 * as everywhere. Runs until SIGTERM or SIGINT, then says how much processor time it took. SIGUSR1
 * makes it say so far, with what was asked of the allocator: a line of JSON each time. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "messages.h"
#include "meter.h"
#include "server_service.h"
#include "support/flags.h"
#include "usage.h"

/* --- with plain bytes ------------------------------------------------------------------------- */

/* Replies of the first sizes that were asked for; those beyond are made for each call. */
typedef struct reply_cache {
    pthread_mutex_t lock; /* of writers */
    _Atomic(size_t) count;
    struct {
        int32_t size;
        oyez_buffer bytes;
    } items[8];
} reply_cache;

static const oyez_buffer *find(reply_cache *cache, int32_t size)
{
    size_t count = atomic_load_explicit(&cache->count, memory_order_acquire);
    for (size_t i = 0; i < count; i++)
        if (cache->items[i].size == size)
            return &cache->items[i].bytes;
    return NULL;
}

/* A reply of that size, with a reference of its own. */
static oyez_err reply_of(reply_cache *cache, int32_t size, oyez_buffer *ret_buffer)
{
    const oyez_buffer *found = find(cache, size);
    if (found) {
        *ret_buffer = oyez_buffer_ref(found);
        return OYEZ_NO_ERR;
    }
    oyez_err err = bench_pack_reply(size, ret_buffer);
    if (err)
        return err;
    (void)pthread_mutex_lock(&cache->lock);
    size_t count = atomic_load_explicit(&cache->count, memory_order_relaxed);
    if (count < sizeof(cache->items) / sizeof(cache->items[0]) && !find(cache, size)) {
        cache->items[count].size = size;
        cache->items[count].bytes = oyez_buffer_ref(ret_buffer);
        atomic_store_explicit(&cache->count, count + 1, memory_order_release);
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return OYEZ_NO_ERR;
}

static oyez_code unary_bytes(const void *service, void *self, oyez_server_call *call,
                             const void *request, void *reply)
{
    (void)service;
    const oyez_slice *in = request;
    oyez_buffer bytes = {NULL, 0, NULL};
    int32_t size = 0;
    bool good;
    if (in->count <= 1) {
        good = in->count == 0 || bench_reply_size_of(oyez_slice_items(in)->data, in->len, &size);
    } else {
        if (oyez_slice_contiguous(in, NULL, &bytes))
            return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
        good = bench_reply_size_of(bytes.data, bytes.len, &size);
        oyez_buffer_fini(&bytes);
    }
    if (!good)
        return oyez_server_call_fail(call, OYEZ_INTERNAL, "the request is not a SimpleRequest");
    if (size < 0 || size > MAX_PAYLOAD)
        return service_bad_size(call, size);
    if (reply_of(self, size, &bytes) || oyez_slice_append(reply, bytes))
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    return OYEZ_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

typedef struct server_settings {
    const char *host;
    int port;
    int loops;
    int workers; /* 0: the library's default */
    const char *codec;
    const char *handler;
    const char *cpus;
} server_settings;

static oyez_err register_service(oyez_server *server, const server_settings *settings,
                                 reply_cache *cache)
{
    const bool workers = strcmp(settings->handler, "workers") == 0;
    if (strcmp(settings->codec, "proto") == 0)
        return service_register(server, workers);
    const oyez_service_method methods[] = {{.method = &bench_bytes_method, .unary = unary_bytes}};
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT, .name = GRPC_TESTING_BENCHMARK_SERVICE_SERVICE_NAME,
        .methods = methods,     .method_count = 1,
        .self = cache,          .on_loop = !workers,
    };
    return oyez_server_register(server, &desc);
}

/* Runs the server until a signal comes. */
static oyez_err serve(oyez_server *server, const server_settings *settings, const sigset_t *signals)
{
    char address[300];
    uint16_t port = 0;
    int number = 0;
    (void)snprintf(address, sizeof(address), "%s:%d", settings->host, settings->port);
    oyez_err err = oyez_server_listen(server, address, oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);
    if (err)
        return err;
    printf("listening on %s, port %u\n", settings->host, (unsigned)port);
    (void)fflush(stdout);
    usage before = usage_now();
    do {
        (void)sigwait(signals, &number);
        usage spent = usage_between(before, usage_now());
        meter asked = meter_now();
        if (number != SIGUSR1)
            printf("Server CPU utilization: %.3fs\n", spent.user + spent.system);
        printf("{\"cpu_user_s\": %.3f, \"cpu_system_s\": %.3f, \"allocs\": %llu, "
               "\"alloc_bytes\": %llu}\n",
               spent.user, spent.system, (unsigned long long)asked.allocs,
               (unsigned long long)asked.bytes);
        (void)fflush(stdout);
    } while (number == SIGUSR1);
    oyez_server_stop(server);
    return oyez_server_wait(server, 5 * OYEZ_SECOND);
}

static int run(const server_settings *settings, const sigset_t *signals)
{
    static reply_cache cache = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const oyez_runtime_options runtime_options = {OYEZ_RUNTIME_OPTIONS_INIT,
                                                  .loops = (unsigned)settings->loops,
                                                  .max_workers = (unsigned)settings->workers};
    oyez_runtime *runtime = NULL;
    oyez_server *server = NULL;
    oyez_err err = oyez_runtime_new(&runtime_options, &runtime);
    if (!err) {
        const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime};
        err = oyez_server_new(&options, &server);
    }
    if (!err)
        err = register_service(server, settings, &cache);
    if (!err)
        err = serve(server, settings, signals);
    if (err) {
        const char *words = server ? oyez_server_words(server) : "";
        fprintf(stderr, "bench-server: %s\n", words[0] ? words : oyez_strerror(err));
    }
    oyez_server_unref(server);
    oyez_runtime_unref(runtime);
    for (size_t i = 0; i < cache.count; i++)
        oyez_buffer_fini(&cache.items[i].bytes);
    return err != 0;
}

int main(int argc, char **argv)
{
    server_settings s = {.host = "127.0.0.1",
                         .port = 50051,
                         .loops = 1,
                         .codec = "proto",
                         .handler = "loop",
                         .cpus = ""};
    const oy_flag flags[] = {
        {.name = "port",
         .kind = OY_FLAG_INT,
         .value = &s.port,
         .help = "0: any; it is printed",
         .most = 65535},
        {.name = "host",
         .kind = OY_FLAG_TEXT,
         .value = &s.host,
         .help = "where to listen; default: loopback"},
        {.name = "loops",
         .kind = OY_FLAG_INT,
         .value = &s.loops,
         .help = "loop threads",
         .least = 1,
         .most = 64},
        {.name = "workers",
         .kind = OY_FLAG_INT,
         .value = &s.workers,
         .help = "most worker threads; 0: the library's default",
         .most = 100000},
        {.name = "codec",
         .kind = OY_FLAG_WORD,
         .value = &s.codec,
         .help = "of the messages; bytes: unary calls alone",
         .words = "proto|bytes"},
        {.name = "handler",
         .kind = OY_FLAG_WORD,
         .value = &s.handler,
         .help = "where it runs",
         .words = "loop|workers"},
        {.name = "cpus",
         .kind = OY_FLAG_TEXT,
         .value = &s.cpus,
         .help = "processors to stay on, such as 0,1"},
        {.name = "test_name", .kind = OY_FLAG_IGNORED, .help = "gRPC-Go's program insists on it"},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "A server of grpc.testing.BenchmarkService.", argc, argv)) {
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
    /* Blocked before the first thread is made: this one waits for them. */
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGUSR1);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    return run(&s, &signals);
}

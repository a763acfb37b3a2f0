/* SPDX-License-Identifier: Apache-2.0 */
/* bench-compress: whole unary calls whose messages are compressed, one at a time over loopback, with
 * zeros both ways; under the names of gRPC-Go's RPCCompressor benchmark, and in the form that Go's
 * benchmarks print, so that benchstat reads it.
 *
 * It is an experiment, too: the library decompresses straight into blocks of its pool, and a compressor
 * writes into them. With --copy each compressor stands behind one that does it the other way: into a
 * temporary buffer that grows, and from there by a copy. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "meter.h"
#include "noop.h"
#include "support/flags.h"
#include "usage.h"

#define FIRST_BYTES 512 /* of a temporary buffer, as Go's ReadAll begins */

/* --- the other way ---------------------------------------------------------------------------- */

typedef struct copy_state {
    void *inner;
    uint8_t *data; /* the temporary buffer */
    size_t len, cap, at;
} copy_state;

static void copy_drop(copy_state *s)
{
    free(s->data);
    s->data = NULL;
    s->len = s->cap = s->at = 0;
}

static bool copy_room(copy_state *s)
{
    if (s->len < s->cap)
        return true;
    size_t cap = s->cap ? s->cap + s->cap / 4 + FIRST_BYTES : FIRST_BYTES;
    uint8_t *data = realloc(s->data, cap);
    if (!data)
        return false;
    s->data = data;
    s->cap = cap;
    return true;
}

static oyez_err copy_open(void *self, bool decompresses, void **ret_state)
{
    const oyez_compressor *inner = self;
    copy_state *s = calloc(1, sizeof(*s));
    if (!s)
        return OYEZ_ENOMEM;
    oyez_err err = inner->open ? inner->open(inner->self, decompresses, &s->inner) : OYEZ_NO_ERR;
    if (err)
        free(s);
    else
        *ret_state = s;
    return err;
}

static void copy_close(void *self, bool decompresses, void *state)
{
    const oyez_compressor *inner = self;
    copy_state *s = state;
    if (inner->close)
        inner->close(inner->self, decompresses, s->inner);
    copy_drop(s);
    free(s);
}

/* All of it into the temporary buffer, by way of a slice of memory that is not pooled; then copied. */
static oyez_err copy_compress(void *self, void *state, const oyez_slice *message,
                              oyez_writer *writer)
{
    const oyez_compressor *inner = self;
    copy_state *s = state;
    oyez_slice all = OYEZ_SLICE_INIT;
    oyez_writer mine;
    oyez_writer_init(&mine, &all, NULL, 0);
    oyez_err err = inner->compress(inner->self, s->inner, message, &mine);
    copy_drop(s);
    while (!err && s->cap < all.len) {
        s->len = s->cap;
        err = copy_room(s) ? OYEZ_NO_ERR : OYEZ_ENOMEM;
    }
    if (!err) {
        s->len = oyez_slice_copy_to(&all, s->data, s->cap);
        err = oyez_writer_write(writer, s->data, s->len);
    }
    copy_drop(s);
    oyez_slice_fini(&all);
    return err;
}

static oyez_err copy_read(void *self, void *dst, size_t cap, size_t *ret_len)
{
    copy_state *s = self;
    size_t left = s->len - s->at;
    *ret_len = left < cap ? left : cap;
    if (left == 0) {
        copy_drop(s);
        return OYEZ_EOF;
    }
    memcpy(dst, s->data + s->at, *ret_len);
    s->at += *ret_len;
    return OYEZ_NO_ERR;
}

static oyez_err copy_decompress(void *self, void *state, const oyez_slice *message,
                                oyez_source *ret_source)
{
    const oyez_compressor *inner = self;
    copy_state *s = state;
    oyez_source source;
    copy_drop(s);
    oyez_err err = inner->decompress(inner->self, s->inner, message, &source);
    while (!err) {
        size_t got = 0;
        if (!copy_room(s))
            return OYEZ_ENOMEM;
        err = source.read(source.self, s->data + s->len, s->cap - s->len, &got);
        s->len += got;
    }
    *ret_source = (oyez_source){copy_read, s};
    return err == OYEZ_EOF ? OYEZ_NO_ERR : err;
}

static oyez_compressor copying(const oyez_compressor *inner)
{
    /* Its own functions get `inner` as self, which they do not change. */
    return (oyez_compressor){
        OYEZ_COMPRESSOR_INIT,
        .name = inner->name,
        .self = (void *)(uintptr_t)inner,
        .open = copy_open,
        .close = copy_close,
        .compress = copy_compress,
        .decompress = copy_decompress,
    };
}

/* --- calls ------------------------------------------------------------------------------------ */

static oyez_code unary_call(void *self, oyez_server_call *call,
                            const Grpc__Testing__SimpleRequest *request,
                            Grpc__Testing__SimpleResponse *reply)
{
    (void)self;
    Grpc__Testing__Payload *payload = oyez_server_call_alloc(call, sizeof(*payload));
    if (!payload || request->response_size < 0 || request->response_size > MAX_PAYLOAD)
        return OYEZ_RESOURCE_EXHAUSTED;
    grpc__testing__payload__init(payload);
    payload->body.data = bench_zeros;
    payload->body.len = (size_t)request->response_size;
    reply->payload = payload;
    return OYEZ_OK;
}

typedef struct ends {
    oyez_runtime *client_runtime, *server_runtime;
    oyez_server *server;
    oyez_channel *channel;
} ends;

static void ends_close(ends *e)
{
    oyez_channel_unref(e->channel);
    oyez_runtime_unref(e->client_runtime);
    oyez_server_unref(e->server);
    oyez_runtime_unref(e->server_runtime);
}

static bool ends_open(ends *e, const oyez_compressor *compressor)
{
    static const grpc_testing_benchmark_service_service service = {.unary_call = unary_call,
                                                                   .on_loop = true};
    const oyez_runtime_options one = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    const oyez_call_options call_options = {OYEZ_CALL_OPTIONS_INIT, .compressor = compressor->name};
    uint16_t port = 0;
    char target[32];
    *e = (ends){NULL, NULL, NULL, NULL};
    if (oyez_runtime_new(&one, &e->client_runtime) || oyez_runtime_new(&one, &e->server_runtime))
        return false;
    const oyez_server_options server_options = {OYEZ_SERVER_OPTIONS_INIT,
                                                .runtime = e->server_runtime,
                                                .compressors = &compressor, .compressor_count = 1};
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = e->client_runtime,
                                          .call_options = &call_options, .compressors = &compressor,
                                          .compressor_count = 1};
    if (oyez_server_new(&server_options, &e->server) ||
        grpc_testing_benchmark_service_service_register(e->server, &service, NULL) ||
        oyez_server_listen(e->server, "127.0.0.1:0", oyez_insecure(), &port) ||
        oyez_server_start(e->server))
        return false;
    (void)snprintf(target, sizeof(target), "127.0.0.1:%u", (unsigned)port);
    return !oyez_channel_new(target, oyez_insecure(), &options, &e->channel);
}

static bool call_once(const ends *e, int32_t size)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    Grpc__Testing__SimpleResponse *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    const grpc_testing_benchmark_service_stub stub = {.channel = e->channel};
    bench_fill_request(&request, &payload, size, size);
    bool ok = grpc_testing_benchmark_service_unary_call(stub, NULL, &request, &reply, &status) ==
                  OYEZ_OK &&
              reply->payload && reply->payload->body.len == (size_t)size;
    if (!ok)
        fprintf(stderr, "bench-compress: %s: %s\n", oyez_code_name(status.code), status.message);
    grpc__testing__simple_response__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
    return ok;
}

static bool measure(const oyez_compressor *compressor, int32_t size, double seconds)
{
    ends e;
    bool ok = ends_open(&e, compressor);
    for (int i = 0; i < 20 && ok; i++)
        ok = call_once(&e, size);
    usage start = usage_now();
    meter before = meter_now();
    oyez_duration begin = oyez_now(), end = begin + (oyez_duration)(seconds * 1e9), now = begin;
    uint64_t calls = 0;
    while (ok && now < end) {
        ok = call_once(&e, size);
        calls++;
        now = oyez_now();
    }
    meter after = meter_now();
    usage spent = usage_between(start, usage_now());
    if (ok)
        printf(
            "BenchmarkRPCCompressor/comp=%s,payloadSize=%d\t%8llu\t%12.0f ns/op\t%12.0f cpu-ns/op\t"
            "%10.0f B/op\t%6.1f allocs/op\n",
            compressor->name, (int)size, (unsigned long long)calls,
            (double)(now - begin) / (double)calls,
            (spent.user + spent.system) * 1e9 / (double)calls,
            (double)(after.bytes - before.bytes) / (double)calls,
            (double)(after.allocs - before.allocs) / (double)calls);
    (void)fflush(stdout);
    ends_close(&e);
    return ok;
}

int main(int argc, char **argv)
{
    static const int32_t sizes[] = {1024, 10240, 512000};
    double seconds = 1;
    int runs = 1, only = 0;
    const char *comp = "all";
    bool copy = false;
    const oy_flag flags[] = {
        {.name = "copy",
         .kind = OY_FLAG_BOOL,
         .value = &copy,
         .help = "by way of a temporary buffer and a copy"},
        {.name = "seconds", .kind = OY_FLAG_SECONDS, .value = &seconds, .help = "of each case"},
        {.name = "comp",
         .kind = OY_FLAG_WORD,
         .value = &comp,
         .help = "which compressor",
         .words = "all|gzip|noop"},
        {.name = "size",
         .kind = OY_FLAG_INT,
         .value = &only,
         .help = "of the payload; 0: the three of the benchmark",
         .most = MAX_PAYLOAD},
        {.name = "runs",
         .kind = OY_FLAG_INT,
         .value = &runs,
         .help = "of all cases",
         .least = 1,
         .most = 100},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "Unary calls whose messages are compressed.", argc, argv)) {
    case OY_FLAGS_GO:
        break;
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        return 2;
    }
    const oyez_compressor noop = bench_noop("noop"), *comps[] = {oyez_gzip(0), &noop};
    bool ok = true;
    for (int run = 0; run < runs && ok; run++) {
        for (size_t i = 0; i < 2 && ok; i++) {
            if (!comps[i]) {
                fprintf(stderr, "bench-compress: this build has no gzip\n");
                continue;
            }
            const oyez_compressor other = copying(comps[i]);
            if (strcmp(comp, "all") != 0 && strcmp(comp, comps[i]->name) != 0)
                continue;
            for (size_t j = 0; j < (only ? 1 : 3) && ok; j++)
                ok = measure(copy ? &other : comps[i], only ? only : sizes[j], seconds);
        }
    }
    return ok ? 0 : 1;
}

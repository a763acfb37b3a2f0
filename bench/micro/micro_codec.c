/* SPDX-License-Identifier: Apache-2.0 */
/* The protobuf-c codec, both ways, with a request of the benchmark; and timers. */
#include <stdlib.h>
#include <string.h>

#include <oyez/protobuf_c.h>

#include "base/arena.h"
#include "base/heap.h"
#include "grpc/testing/benchmark_service.oyez.h"
#include "mem/mem.h"
#include "micro.h"

#define TIMERS 1000

typedef struct coding {
    size_t body;
    uint8_t *bytes;
    uint8_t *zeros;
    size_t len;
    oyez_pool *pool;
    oyez_arena arena;
    _Alignas(16) char first[4096];
} coding;

static void encode_once(coding *c)
{
    Grpc__Testing__SimpleRequest request = GRPC__TESTING__SIMPLE_REQUEST__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    const char *words = NULL;
    payload.body.data = c->zeros;
    payload.body.len = c->body;
    request.response_size = 1;
    request.payload = &payload;
    const void *type = &grpc__testing__simple_request__descriptor;
    micro_must(!oyez_protobuf_c()->measure(type, &request, &c->len, &words) &&
                   !oyez_protobuf_c()->encode(type, &request, c->bytes, c->len, &words),
               "encode");
}

static void decode_once(coding *c)
{
    oyez_slice slice = oy_slice_of((oyez_buffer){c->bytes, c->len, NULL});
    const char *words = NULL;
    void *message;
    micro_must(!oyez_protobuf_c()->decode(&grpc__testing__simple_request__descriptor, &slice,
                                          &c->arena, c->pool, &message, &words),
               "decode");
    micro_use(message);
    oy_arena_reset(&c->arena);
}

static void *prepare(size_t body)
{
    coding *c = aligned_alloc(16, (sizeof(*c) + 15) / 16 * 16);
    micro_must(c != NULL, "memory");
    memset(c, 0, sizeof(*c));
    c->body = body;
    c->bytes = malloc(body + 64);
    c->zeros = calloc(1, body);
    micro_must(c->bytes && c->zeros && !oy_pool_new_for_messages(&c->pool), "memory");
    oy_arena_init(&c->arena, c->first, sizeof(c->first));
    encode_once(c);
    return c;
}

static void *prepare_small(void)
{
    return prepare(1);
}

static void *prepare_large(void)
{
    return prepare(65536);
}

static void encode(void *state, uint64_t rounds)
{
    while (rounds-- > 0)
        encode_once(state);
}

static void decode(void *state, uint64_t rounds)
{
    while (rounds-- > 0)
        decode_once(state);
}

static void end(void *state)
{
    coding *c = state;
    oy_arena_fini(&c->arena);
    oyez_pool_unref(c->pool);
    free(c->bytes);
    free(c->zeros);
    free(c);
}

const micro_case micro_codec[] = {
    {"protobuf-c-encode-1-byte", prepare_small, encode, end, 0},
    {"protobuf-c-decode-1-byte", prepare_small, decode, end, 0},
    {"protobuf-c-encode-64-KiB", prepare_large, encode, end, 100},
    {"protobuf-c-decode-64-KiB", prepare_large, decode, end, 100},
    {NULL, NULL, NULL, NULL, 0},
};

/* --- timers ----------------------------------------------------------------------------------- */

typedef struct timers {
    oy_heap heap;
    oy_heap_node nodes[TIMERS + 1];
    int64_t now;
} timers;

static void *prepare_timers(void)
{
    timers *t = calloc(1, sizeof(*t));
    micro_must(t != NULL, "memory");
    oy_heap_init(&t->heap);
    micro_must(!oy_heap_reserve(&t->heap, TIMERS + 1), "a heap");
    for (size_t i = 0; i < TIMERS; i++)
        micro_must(!oy_heap_set(&t->heap, &t->nodes[i], (int64_t)(i * 7919 % TIMERS) * 1000),
                   "a timer");
    return t;
}

/* A deadline behind a thousand others, set and cancelled: what a call with a deadline takes. */
static void run_timers(void *state, uint64_t rounds)
{
    timers *t = state;
    while (rounds-- > 0) {
        t->now += 10;
        micro_must(!oy_heap_set(&t->heap, &t->nodes[TIMERS], t->now + 1000000), "a timer");
        oy_heap_remove(&t->heap, &t->nodes[TIMERS]);
    }
}

/* The earliest of a thousand is moved behind the others. */
static void run_first(void *state, uint64_t rounds)
{
    timers *t = state;
    while (rounds-- > 0) {
        oy_heap_node *first = oy_heap_first(&t->heap);
        micro_must(!oy_heap_set(&t->heap, first, first->at + 1000 * TIMERS), "a timer");
    }
}

static void end_timers(void *state)
{
    timers *t = state;
    for (size_t i = 0; i < TIMERS; i++)
        oy_heap_remove(&t->heap, &t->nodes[i]);
    oy_heap_fini(&t->heap);
    free(t);
}

const micro_case micro_timers[] = {
    {"timer-set-cancel-of-1000", prepare_timers, run_timers, end_timers, 0},
    {"timer-move-first-of-1000", prepare_timers, run_first, end_timers, 0},
    {NULL, NULL, NULL, NULL, 0},
};

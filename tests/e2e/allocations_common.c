/* SPDX-License-Identifier: Apache-2.0 */
/* Defines malloc and its sisters, so every library in the process is counted: ours, libuv,
 * protobuf-c. What is counted is charged to the role of the thread that asked. */
#include "allocations_common.h"

#ifndef SANITIZED

#include <errno.h>
#include <execinfo.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "grpc/testing/benchmark_service.oyez.h"

/* --- the allocator ---------------------------------------------------------------------------- */

static const char *const role_names[ROLES] = {"elsewhere", "client", "server"};
static _Thread_local role my_role = OTHER;
static atomic_bool counting;
static _Atomic(uint64_t) allocations[ROLES];

#define MAX_TRACES 2
#define MAX_FRAMES 24
static struct {
    void *frames[MAX_FRAMES];
    int count;
} traces[MAX_TRACES];
static atomic_uint trace_count;

static void note(void)
{
    if (!atomic_load_explicit(&counting, memory_order_relaxed))
        return;
    atomic_fetch_add_explicit(&allocations[my_role], 1, memory_order_relaxed);
    if (atomic_load_explicit(&trace_count, memory_order_relaxed) >= MAX_TRACES)
        return;
    unsigned n = atomic_fetch_add_explicit(&trace_count, 1, memory_order_relaxed);
    if (n < MAX_TRACES)
        traces[n].count = backtrace(traces[n].frames, MAX_FRAMES);
}

/* Seen by the libraries, too. */
#pragma GCC visibility push(default)

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

void *malloc(size_t bytes)
{
    note();
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    note();
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    note();
    return __libc_realloc(memory, bytes);
}

void *reallocarray(void *memory, size_t count, size_t bytes)
{
    size_t all;
    note();
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(memory, all);
}

void *memalign(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes)
{
    note();
    return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    note();
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **ret_memory, size_t alignment, size_t bytes)
{
    note();
    void *memory = __libc_memalign(alignment, bytes);
    if (!memory)
        return ENOMEM;
    *ret_memory = memory;
    return 0;
}

void free(void *memory)
{
    __libc_free(memory);
}

#pragma GCC visibility pop

void count_from_here(void)
{
    for (int i = 0; i < ROLES; i++)
        atomic_store(&allocations[i], 0);
    atomic_store(&trace_count, 0);
    atomic_store(&counting, true);
}

void count_no_more(void)
{
    atomic_store(&counting, false);
}

void print_traces(void)
{
    unsigned count = atomic_load(&trace_count);
    for (unsigned i = 0; i < count && i < MAX_TRACES; i++) {
        printf("  allocation %u came from:\n", i + 1);
        (void)fflush(stdout);
        backtrace_symbols_fd(traces[i].frames, traces[i].count, STDOUT_FILENO);
    }
}

uint64_t count_of(role who)
{
    return atomic_load(&allocations[who]);
}

bool is_over_budget(uint64_t client_budget)
{
    return count_of(CLIENT) > client_budget || count_of(SERVER) > 0 || count_of(OTHER) > 0;
}

void print_counts(void)
{
    for (int i = CLIENT; i <= ROLES; i++)
        printf(" %s %llu,", role_names[i % ROLES], (unsigned long long)count_of((role)(i % ROLES)));
}

/* --- roles ------------------------------------------------------------------------------------ */

typedef struct assignment {
    role who;
    sem_t done;
} assignment;

void set_role(role who)
{
    my_role = who;
}

static void assign(void *user)
{
    assignment *a = user;
    my_role = a->who;
    (void)sem_post(&a->done);
}

bool set_role_of_loop(oyez_runtime *runtime, role who)
{
    assignment a = {.who = who};
    (void)sem_init(&a.done, 0, 0);
    bool ok = !oyez_runtime_post(runtime, assign, &a);
    while (ok && sem_wait(&a.done) != 0)
        continue;
    (void)sem_destroy(&a.done);
    return ok;
}

/* --- the libraries ---------------------------------------------------------------------------- */

uint64_t unpack_allocations(void)
{
    uint8_t packed[64];
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    Grpc__Testing__SimpleResponse reply = GRPC__TESTING__SIMPLE_RESPONSE__INIT;
    uint8_t zero = 0;
    payload.body.data = &zero;
    payload.body.len = 1;
    reply.payload = &payload;
    size_t len = grpc__testing__simple_response__pack(&reply, packed);
    count_from_here();
    Grpc__Testing__SimpleResponse *copy = grpc__testing__simple_response__unpack(NULL, len, packed);
    count_no_more();
    grpc__testing__simple_response__free_unpacked(copy, NULL);
    return atomic_load(&allocations[my_role]);
}

static uint64_t loop_allocations(void)
{
    uv_loop_t loop;
    count_from_here();
    int result = uv_loop_init(&loop);
    count_no_more();
    if (result == 0)
        (void)uv_loop_close(&loop);
    return atomic_load(&allocations[my_role]);
}

bool sees_the_libraries(void)
{
    void *frames[2];
    (void)backtrace(frames, 2); /* the first one loads a library */
    uint64_t unpack = unpack_allocations(), loop = loop_allocations();
    printf("a loop of libuv takes %llu, a reply of protobuf-c %llu\n", (unsigned long long)loop,
           (unsigned long long)unpack);
    return unpack > 0 && loop > 0;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The allocator of the tests. Each block carries a header in a list, so that a leak can be named. */
#include "support/leak.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <oyez/alloc.h>

#include "support/test.h"

#define MAX_DEPTH 8u
#define MAX_NAMED 10
#define LIVE 0x6c697665u
#define GONE 0x676f6e65u
/* No scenario of a unit test allocates so often: a walk that gets here does not end. */
#define MAX_FAULTS 100000u

typedef struct header {
    _Alignas(16) struct header *next;
    struct header *prev;
    uint64_t number; /* of the allocation, counted from the outermost begin */
    size_t bytes;
    uint32_t state;
} header;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* all guarded by lock */
static header *newest;
static size_t live_blocks, live_bytes, peak_bytes;
static uint64_t allocations;
static unsigned fail_countdown;
static bool fail_triggered;
static unsigned depth;
static uint64_t begun_at[MAX_DEPTH];

static bool must_fail(void)
{
    if (fail_countdown && --fail_countdown == 0) {
        fail_triggered = true;
        return true;
    }
    return false;
}

static void link_in(header *h, size_t bytes)
{
    h->number = allocations;
    h->bytes = bytes;
    h->state = LIVE;
    h->prev = NULL;
    h->next = newest;
    if (newest)
        newest->prev = h;
    newest = h;
    live_blocks++;
    live_bytes += bytes;
    if (live_bytes > peak_bytes)
        peak_bytes = live_bytes;
}

static void link_out(header *h)
{
    if (h->state != LIVE) {
        fprintf(stderr, "leak check: %s\n",
                h->state == GONE ? "memory freed twice" : "memory of another allocator freed");
        abort();
    }
    h->state = GONE;
    if (h->prev)
        h->prev->next = h->next;
    else
        newest = h->next;
    if (h->next)
        h->next->prev = h->prev;
    live_blocks--;
    live_bytes -= h->bytes;
}

static void *counted_alloc(void *self, size_t bytes)
{
    header *h = NULL;
    (void)self;
    pthread_mutex_lock(&lock);
    allocations++;
    if (!must_fail() && bytes <= SIZE_MAX - sizeof(*h) && (h = malloc(sizeof(*h) + bytes))) {
        link_in(h, bytes);
        memset(h + 1, 0xa5, bytes); /* who reads what he did not write shall notice */
    }
    pthread_mutex_unlock(&lock);
    return h ? h + 1 : NULL;
}

static void counted_free(void *self, void *memory)
{
    header *h;
    (void)self;
    if (!memory)
        return;
    h = (header *)memory - 1;
    pthread_mutex_lock(&lock);
    link_out(h);
    pthread_mutex_unlock(&lock);
    free(h);
}

/* Always moves: who keeps the old pointer shall notice. */
static void *counted_realloc(void *self, void *memory, size_t bytes)
{
    void *moved = counted_alloc(self, bytes);
    if (moved && memory) {
        size_t old = ((header *)memory - 1)->bytes;
        memcpy(moved, memory, old < bytes ? old : bytes);
        counted_free(self, memory);
    }
    return moved;
}

size_t oy_leak_peak_bytes(bool anew)
{
    pthread_mutex_lock(&lock);
    size_t peak = peak_bytes;
    if (anew)
        peak_bytes = live_bytes;
    pthread_mutex_unlock(&lock);
    return peak;
}

void oy_leak_begin(void)
{
    static const oyez_allocator counted = { OYEZ_ALLOCATOR_INIT, .alloc = counted_alloc,
                                            .realloc = counted_realloc, .free = counted_free };
    pthread_mutex_lock(&lock);
    if (depth == MAX_DEPTH)
        abort();
    if (depth == 0) {
        /* what a failed test has left behind is not this one's */
        newest = NULL;
        live_blocks = live_bytes = peak_bytes = 0;
        allocations = 0;
        fail_countdown = 0;
        fail_triggered = false;
        if (oyez_set_allocator(&counted))
            abort();
    }
    begun_at[depth++] = allocations;
    pthread_mutex_unlock(&lock);
}

void oy_leak_end(void)
{
    size_t leaked = 0;
    pthread_mutex_lock(&lock);
    if (depth == 0)
        abort();
    fail_countdown = 0;
    depth--;
    for (header *h = newest; h && h->number > begun_at[depth]; h = h->next)
        if (++leaked <= MAX_NAMED)
            fprintf(stderr, "leak check: allocation %llu, %zu bytes, is alive\n",
                    (unsigned long long)(h->number - begun_at[depth]), h->bytes);
    if (depth == 0 && oyez_set_allocator(NULL))
        abort();
    pthread_mutex_unlock(&lock);
    if (leaked)
        fail_msg("%zu blocks leaked", leaked);
}

size_t oy_leak_live_blocks(void)
{
    size_t blocks;
    pthread_mutex_lock(&lock);
    blocks = live_blocks;
    pthread_mutex_unlock(&lock);
    return blocks;
}

size_t oy_leak_live_bytes(void)
{
    size_t bytes;
    pthread_mutex_lock(&lock);
    bytes = live_bytes;
    pthread_mutex_unlock(&lock);
    return bytes;
}

uint64_t oy_leak_allocations(void)
{
    uint64_t count;
    pthread_mutex_lock(&lock);
    count = allocations;
    pthread_mutex_unlock(&lock);
    return count;
}

void oy_fail_after(unsigned n)
{
    pthread_mutex_lock(&lock);
    fail_countdown = n;
    fail_triggered = false;
    pthread_mutex_unlock(&lock);
}

bool oy_fail_triggered(void)
{
    bool triggered;
    pthread_mutex_lock(&lock);
    triggered = fail_triggered;
    pthread_mutex_unlock(&lock);
    return triggered;
}

int oy_leak_setup(void **state)
{
    (void)state;
    oy_leak_begin();
    return 0;
}

int oy_leak_teardown(void **state)
{
    (void)state;
    /* a test that failed in the middle of a walk has not ended its rounds */
    pthread_mutex_lock(&lock);
    depth = 1;
    pthread_mutex_unlock(&lock);
    oy_leak_end();
    return 0;
}

bool oy_fault_walk_step(unsigned *n)
{
    if (*n) {
        bool triggered = oy_fail_triggered();
        oy_leak_end();
        if (!triggered)
            return false;
    }
    if (++*n > MAX_FAULTS)
        fail_msg("a fault walk that does not end");
    oy_leak_begin();
    oy_fail_after(*n);
    return true;
}

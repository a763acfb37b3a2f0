/* SPDX-License-Identifier: Apache-2.0 */
/* malloc and its sisters, on glibc's, with counters. Threads count in places of their own, lest
 * counting be what is measured. */
#include "meter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED

bool meter_works(void)
{
    return false;
}

meter meter_now(void)
{
    return (meter){0, 0};
}

void meter_ignore_thread(void)
{
}

#else

/* More threads than places share some. */
#define PLACES 64
static struct {
    _Alignas(64) _Atomic(uint64_t) allocs;
    _Atomic(uint64_t) bytes;
} places[PLACES];
static atomic_uint threads;
static _Thread_local unsigned my_place; /* 0: none yet */
static _Thread_local bool ignored;

static void note(size_t bytes)
{
    if (ignored)
        return;
    if (my_place == 0)
        my_place = 1 + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % PLACES;
    atomic_fetch_add_explicit(&places[my_place - 1].allocs, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&places[my_place - 1].bytes, bytes, memory_order_relaxed);
}

bool meter_works(void)
{
    return true;
}

meter meter_now(void)
{
    meter sum = {0, 0};
    for (size_t i = 0; i < PLACES; i++) {
        sum.allocs += atomic_load_explicit(&places[i].allocs, memory_order_relaxed);
        sum.bytes += atomic_load_explicit(&places[i].bytes, memory_order_relaxed);
    }
    return sum;
}

void meter_ignore_thread(void)
{
    ignored = true;
}

/* Seen by the libraries, too. */
#pragma GCC visibility push(default)

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);
void *memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes)
{
    note(bytes);
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    note(count * bytes);
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    note(bytes);
    return __libc_realloc(memory, bytes);
}

void *reallocarray(void *memory, size_t count, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    note(all);
    return __libc_realloc(memory, all);
}

void *memalign(size_t alignment, size_t bytes)
{
    note(bytes);
    return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    note(bytes);
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **ret_memory, size_t alignment, size_t bytes)
{
    note(bytes);
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

#endif

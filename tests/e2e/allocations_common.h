/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs that count allocations share: an allocator that counts, and to whom it charges. */
#ifndef OY_E2E_ALLOCATIONS_COMMON_H
#define OY_E2E_ALLOCATIONS_COMMON_H

#include <stdbool.h>
#include <stdint.h>

#include <oyez/oyez.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Calls, or messages, that each window counts. */
#define WINDOW_CALLS 10000
/* How deep queues become is up to the scheduler, so a pool may still grow by a block much later, and
 * on a busy machine more than once. What calls allocate shows in each window, be it one in ten
 * thousand; one without is the proof. */
#define WINDOWS      20

typedef enum role { OTHER, CLIENT, SERVER, ROLES } role;

/* Whom the calling thread works for. */
void set_role(role who);
/* The one loop of a runtime gets its role. */
bool set_role_of_loop(oyez_runtime *runtime, role who);

void count_from_here(void);
void count_no_more(void);
uint64_t count_of(role who);
/* The client may take so much, the others nothing. */
bool is_over_budget(uint64_t client_budget);
/* "client 0, server 0, elsewhere 0," */
void print_counts(void);
/* Where the first of them came from: addresses for addr2line. */
void print_traces(void);

/* What a message on the heap takes by itself, when protobuf-c unpacks it. */
uint64_t unpack_allocations(void);
/* To be called first. A count of 0 means nothing if the libraries' calls do not come by here. */
bool sees_the_libraries(void);

#endif

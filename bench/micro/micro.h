/* SPDX-License-Identifier: Apache-2.0 */
/* Small measurements: how many nanoseconds and instructions one piece of work takes. A program gives a
 * table of cases to micro_main, which times them, or, beneath callgrind, has it count. */
#ifndef OY_BENCH_MICRO_H
#define OY_BENCH_MICRO_H

#include <stddef.h>
#include <stdint.h>

typedef struct micro_case {
    const char *name;
    void *(*prepare)(void); /* NULL: no state */
    /* Does the work so often. */
    void (*run)(void *state, uint64_t rounds);
    void (*end)(void *state); /* NULL: nothing to end */
    uint64_t counted;         /* rounds beneath callgrind; 0: 1,000 */
} micro_case;

/* Lists of cases, each ends with one without a name. */
int micro_main(const micro_case *const *lists, size_t count, int argc, char **argv);

/* Ends the program in words if it is not so: a measurement of something that fails is none. */
void micro_must(int good, const char *what);
/* Keeps the compiler from leaving out what nobody reads. */
static inline void micro_use(const void *pointer)
{
    __asm__ volatile("" : : "r"(pointer) : "memory");
}

extern const micro_case micro_hpack[], micro_h2[], micro_wire[], micro_mem[], micro_queue[],
    micro_codec[], micro_timers[];

#endif

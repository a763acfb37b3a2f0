/* SPDX-License-Identifier: Apache-2.0 */
/* How often, and for how many bytes, this process asks its allocator: malloc and its sisters are
 * defined by the program itself, so every library in it is counted. Not under a sanitizer, which has
 * an allocator of its own. */
#ifndef OY_BENCH_METER_H
#define OY_BENCH_METER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct meter {
    uint64_t allocs;
    uint64_t bytes; /* as asked for; a realloc counts as its new size */
} meter;

bool meter_works(void);
/* Since the start of the process, all threads. */
meter meter_now(void);
/* What this thread asks for from now on is not counted: it only helps to measure. */
void meter_ignore_thread(void);

#endif

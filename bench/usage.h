/* SPDX-License-Identifier: Apache-2.0 */
/* Processor time of this process, and on which processors it runs. */
#ifndef OY_BENCH_USAGE_H
#define OY_BENCH_USAGE_H

#include <stdbool.h>

typedef struct usage {
    double user, system; /* seconds */
} usage;

usage usage_now(void);
/* What was spent between two readings. */
usage usage_between(usage before, usage after);

/* Keeps the process, and the threads that it starts from now on, on these processors: "0", "0,2".
 * "" changes nothing. False: not a list of processors that this machine lets us have. */
bool usage_pin(const char *cpus);

#endif

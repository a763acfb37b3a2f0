/* SPDX-License-Identifier: Apache-2.0 */
/* Latencies, counted in buckets: 128 of the same width for each power of two, so a bucket is less
 * than 0.8 % of what it holds (gRPC-Go's are 1 %), and finding it takes a shift. One thread at a
 * time. */
#ifndef OY_BENCH_HISTOGRAM_H
#define OY_BENCH_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_STEP_BITS 7
#define HISTOGRAM_STEPS     (1u << HISTOGRAM_STEP_BITS)
/* Values below 2^40 ns, which is 18 minutes; what is larger counts as that. */
#define HISTOGRAM_MAX_BITS 40
#define HISTOGRAM_BUCKETS  ((HISTOGRAM_MAX_BITS - HISTOGRAM_STEP_BITS + 1) * HISTOGRAM_STEPS)

typedef struct histogram {
    uint64_t count;
    double sum;
    int64_t least, most; /* 0 when there is none */
    uint64_t buckets[HISTOGRAM_BUCKETS];
} histogram;

/* All zero is the empty histogram. @param value negative: counts as 0. */
void histogram_add(histogram *h, int64_t value);
void histogram_merge(histogram *h, const histogram *from);
double histogram_mean(const histogram *h);
/* The value that `share` (0 to 1) of all values do not exceed, linear inside its bucket; 0 if there
 * is none. */
double histogram_percentile(const histogram *h, double share);
/* How many values are less than `value`, linear inside its bucket. */
double histogram_below(const histogram *h, double value);

#endif

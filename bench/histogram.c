/* SPDX-License-Identifier: Apache-2.0 */
/* Buckets that are linear within each power of two. */
#include "histogram.h"

#include <stddef.h>

/* Values under HISTOGRAM_STEPS have a bucket each. Above, the highest bit chooses a row and the
 * next HISTOGRAM_STEP_BITS bits choose a place in it. */
static size_t bucket_of(uint64_t value)
{
    if (value < HISTOGRAM_STEPS)
        return (size_t)value;
    unsigned top = 63u - (unsigned)__builtin_clzll(value);
    if (top >= HISTOGRAM_MAX_BITS)
        return HISTOGRAM_BUCKETS - 1;
    unsigned row = top - HISTOGRAM_STEP_BITS;
    return (size_t)(row * HISTOGRAM_STEPS + (value >> row));
}

static double lower_bound(size_t bucket)
{
    if (bucket < 2 * HISTOGRAM_STEPS)
        return (double)bucket;
    size_t row = bucket / HISTOGRAM_STEPS - 1;
    return (double)((uint64_t)(bucket - row * HISTOGRAM_STEPS) << row);
}

void histogram_add(histogram *h, int64_t value)
{
    if (value < 0)
        value = 0;
    if (h->count == 0 || value < h->least)
        h->least = value;
    if (value > h->most)
        h->most = value;
    h->count++;
    h->sum += (double)value;
    h->buckets[bucket_of((uint64_t)value)]++;
}

void histogram_merge(histogram *h, const histogram *from)
{
    if (from->count == 0)
        return;
    if (h->count == 0 || from->least < h->least)
        h->least = from->least;
    if (from->most > h->most)
        h->most = from->most;
    h->count += from->count;
    h->sum += from->sum;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        h->buckets[i] += from->buckets[i];
}

double histogram_mean(const histogram *h)
{
    return h->count ? h->sum / (double)h->count : 0;
}

double histogram_percentile(const histogram *h, double share)
{
    double rank = share * (double)h->count, seen = 0;
    if (h->count == 0)
        return 0;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        double here = (double)h->buckets[i];
        if (here > 0 && seen + here >= rank) {
            double low = lower_bound(i), high = lower_bound(i + 1);
            double value = low + (high - low) * (rank - seen) / here;
            return value < (double)h->most ? value : (double)h->most;
        }
        seen += here;
    }
    return (double)h->most;
}

double histogram_below(const histogram *h, double value)
{
    double seen = 0;
    if (h->count == 0 || value <= (double)h->least)
        return 0;
    if (value > (double)h->most)
        return (double)h->count;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        double low = lower_bound(i), high = lower_bound(i + 1), here = (double)h->buckets[i];
        if (value < high) {
            low = low < (double)h->least ? (double)h->least : low;
            high = high > (double)h->most ? (double)h->most : high;
            return value > low ? seen + here * (value - low) / (high - low) : seen;
        }
        seen += here;
    }
    return seen;
}

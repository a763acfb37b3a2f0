/* SPDX-License-Identifier: Apache-2.0 */
/* Medians, spreads, and the U test. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchresult.h"

/* --- what there is to compare ----------------------------------------------------------------- */

#define GETTER(name, field)                                                                        \
    static double name(const run_data *d)                                                          \
    {                                                                                              \
        return (double)d->field;                                                                   \
    }
GETTER(get_total, total_ops)
GETTER(get_sends, send_ops)
GETTER(get_recvs, recv_ops)
GETTER(get_bytes, bytes)
GETTER(get_allocs, allocs)
GETTER(get_req_rate, req_rate)
GETTER(get_resp_rate, resp_rate)
GETTER(get_p50, p50)
GETTER(get_p90, p90)
GETTER(get_p99, p99)
GETTER(get_mean, mean)

const metric metrics[METRICS] = {
    {"TotalOps", METRIC_COUNT, get_total},     {"SendOps", METRIC_COUNT, get_sends},
    {"RecvOps", METRIC_COUNT, get_recvs},      {"Bytes/op", METRIC_FLOAT, get_bytes},
    {"Allocs/op", METRIC_FLOAT, get_allocs},   {"ReqT/op", METRIC_FLOAT, get_req_rate},
    {"RespT/op", METRIC_FLOAT, get_resp_rate}, {"50th-Lat", METRIC_TIME, get_p50},
    {"90th-Lat", METRIC_TIME, get_p90},        {"99th-Lat", METRIC_TIME, get_p99},
    {"Avg-Lat", METRIC_TIME, get_mean},
};

const char *metric_text(const metric *m, double value, char *dst, size_t cap)
{
    switch (m->kind) {
    case METRIC_COUNT:
        (void)snprintf(dst, cap, "%" PRIu64, (uint64_t)llround(value));
        break;
    case METRIC_FLOAT:
        (void)snprintf(dst, cap, "%.2f", value);
        break;
    case METRIC_TIME:
        return bench_time_text((int64_t)llround(value), dst, cap);
    }
    return dst;
}

int padded(const char *text, int width)
{
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) == 0x80;
    return width;
}

/* --- samples ---------------------------------------------------------------------------------- */

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

sample sample_of(const run_set *set, double (*get)(const run_data *data))
{
    sample s = {.count = set->count};
    for (size_t i = 0; i < s.count; i++)
        s.values[i] = get(&set->runs[i]->data);
    qsort(s.values, s.count, sizeof(s.values[0]), compare_values);
    return s;
}

double sample_median(const sample *s)
{
    if (s->count == 0)
        return 0;
    return (s->values[(s->count - 1) / 2] + s->values[s->count / 2]) / 2;
}

double sample_spread(const sample *s)
{
    double median = sample_median(s);
    if (s->count == 0 || median == 0)
        return 0;
    return fmax(median - s->values[0], s->values[s->count - 1] - median) / fabs(median);
}

/* --- the U test ------------------------------------------------------------------------------- */

/* Twice the rank of each value among all, so that the mean rank of equal values is whole. */
static void rank(const sample *a, const sample *b, size_t *ranks, size_t *ret_sum)
{
    size_t i = 0, j = 0, place = 0;
    *ret_sum = 0;
    while (i < a->count || j < b->count) {
        double value = j == b->count || (i < a->count && a->values[i] <= b->values[j])
                           ? a->values[i]
                           : b->values[j];
        size_t of_a = 0, of_b = 0;
        while (i < a->count && a->values[i] == value)
            i++, of_a++;
        while (j < b->count && b->values[j] == value)
            j++, of_b++;
        size_t twice = 2 * place + of_a + of_b + 1;
        for (size_t k = 0; k < of_a + of_b; k++)
            ranks[place++] = twice;
        *ret_sum += of_a * twice;
    }
}

/* The exact distribution of the sum of ranks of as many values as `a` has, drawn from all: counts[n][s] is
 * in how many ways n of them have the sum s. */
double sample_p(const sample *a, const sample *b)
{
    static size_t ranks[2 * MAX_RUNS];
    size_t all = a->count + b->count, most = all * (all + 1) + 1, sum, top = 0;
    if (a->count == 0 || b->count == 0)
        return 1;
    rank(a, b, ranks, &sum);
    double *counts = calloc((a->count + 1) * most, sizeof(*counts));
    if (!counts)
        return 1;
    counts[0] = 1;
    for (size_t i = 0; i < all; i++) {
        top += ranks[i];
        size_t n = i + 1 < a->count ? i + 1 : a->count;
        for (; n > 0; n--)
            for (size_t s = top < most ? top : most - 1; s >= ranks[i]; s--)
                counts[n * most + s] += counts[(n - 1) * most + s - ranks[i]];
    }
    double ways = 0, below = 0, above = 0;
    for (size_t s = 0; s < most; s++) {
        double count = counts[a->count * most + s];
        ways += count;
        below += s <= sum ? count : 0;
        above += s >= sum ? count : 0;
    }
    free(counts);
    return fmin(1, 2 * fmin(below, above) / ways);
}

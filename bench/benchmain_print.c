/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a run as gRPC-Go's benchmain prints it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "benchmain.h"

#define MOST_BUCKETS 11

typedef struct unit {
    double nanoseconds;
    const char *name;
} unit;

/* The largest that is smaller than the shortest call. */
static unit unit_for(const histogram *latencies)
{
    static const unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "\xc2\xb5s"}, {1, "ns"}};
    size_t i = 0;
    while (i < 3 && (double)latencies->least <= units[i].nanoseconds)
        i++;
    return units[i];
}

static void print_latency(const char *name, int64_t value, unit in)
{
    if (value != 0)
        printf("%s_Latency: %.4f%s\t", name, (double)value / in.nanoseconds, in.name);
}

/* gRPC-Go's buckets: from the least latency up, one of a nanosecond, then ever wider ones, so that
 * the last holds the greatest. Their counts come from the finer ones in which latencies are kept. */
static void print_histogram(const histogram *h, unit in)
{
    double span = (double)(h->most - h->least), least = (double)h->least, before = 0;
    int buckets = span + 1 < MOST_BUCKETS ? (int)span + 1 : MOST_BUCKETS;
    double growth = buckets > 2 ? pow(span, 1.0 / (buckets - 2)) : 1;
    char text[64];
    int width =
        snprintf(text, sizeof(text), "%f", (least + pow(growth, buckets - 2)) / in.nanoseconds);
    printf("Histogram (unit: %s)\n", in.name);
    printf("Count: %" PRIu64 "  Min: %5.1f  Max: %5.1f  Avg: %.2f\n", h->count,
           least / in.nanoseconds, (double)h->most / in.nanoseconds,
           histogram_mean(h) / in.nanoseconds);
    printf("------------------------------------------------------------\n");
    int digits = snprintf(text, sizeof(text), "%" PRIu64, h->count);
    for (int i = 0; i < buckets; i++) {
        double low = i == 0 ? least : least + pow(growth, i - 1);
        double high = least + pow(growth, i), below = (double)h->count;
        if (i + 1 < buckets) {
            below = round(histogram_below(h, high));
            /* The least is in the first bucket and the greatest in the last, whatever was rounded. */
            below = below<1 ? 1 : below>(double) h->count - 1 ? (double)h->count - 1 : below;
        }
        double share = 100 * (below - before) / (double)h->count;
        if (i + 1 < buckets)
            printf("[%*f, %*f)", width, low / in.nanoseconds, width, high / in.nanoseconds);
        else
            printf("[%*f, %*s)", width, low / in.nanoseconds, width, "inf");
        printf("  %*.0f  %5.1f%%  %5.1f%%", digits, below - before, share,
               100 * below / (double)h->count);
        int bar = (int)(share / 10 + 0.5);
        printf("%s%.*s\n", bar ? "  " : "", bar, "##########");
        before = below;
    }
}

void print_result(const bench_result *result, const histogram *latencies)
{
    const run_data *d = &result->data;
    char name[1024], text[4][64];
    unit in = unit_for(latencies);
    printf("%s/grpc%s\n", result->compiler, result->version);
    printf("%s-%s:\n", result->mode, features_name(&result->features, true, name, sizeof(name)));
    print_latency("50", d->p50, in);
    print_latency("90", d->p90, in);
    print_latency("99", d->p99, in);
    print_latency("Avg", d->mean, in);
    printf("Bytes/op: %s\tAllocs/op: %s\t\n", bench_number_text(d->bytes, text[0], sizeof(text[0])),
           bench_number_text(d->allocs, text[1], sizeof(text[1])));
    if (latencies->count > 0)
        print_histogram(latencies, in);
    else
        printf("Histogram (empty)\n");
    printf("Number of requests:  %" PRIu64 "\tRequest throughput:  %s bit/s\n",
           d->send_ops ? d->send_ops : d->total_ops,
           bench_number_text(d->req_rate, text[2], sizeof(text[2])));
    printf("Number of responses: %" PRIu64 "\tResponse throughput: %s bit/s\n\n",
           d->recv_ops ? d->recv_ops : d->total_ops,
           bench_number_text(d->resp_rate, text[3], sizeof(text[3])));
    (void)fflush(stdout);
}

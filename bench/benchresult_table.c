/* SPDX-License-Identifier: Apache-2.0 */
/* One side: what all runs have in common, and a row for each combination. */
#include <inttypes.h>
#include <stdio.h>

#include "benchresult.h"

static void print_shared(const bench_result *r)
{
    const features *f = &r->features;
    char text[FEATURE_WORD_BYTES];
    printf("Shared features:\n");
    printf("  Network: %s\n  UseBufConn: %s\n  EnableKeepalive: %s\n", f->network,
           f->bufconn ? "true" : "false", f->keepalive ? "true" : "false");
    printf("  BenchTime: %s\n", bench_time_text(f->bench_time, text, sizeof(text)));
    printf("  Connections: %" PRId64 "\n", f->connections);
    for (feature which = 0; which < FEATURES; which++)
        if (r->shared[which] && feature_has(f, which))
            printf("  %s: %s\n", feature_infos[which].name,
                   feature_text(f, which, text, sizeof(text)));
    if (f->handler[0])
        printf("  Handler: %s\n  Client: %s\n", f->handler, f->client);
    printf("\n");
}

/* Of several runs the medians; how many there were stands behind the name. */
static void print_row(const run_set *set)
{
    char name[512], text[64];
    (void)short_name(set->runs[0], name, sizeof(name));
    if (set->count > 1) {
        char with_count[560];
        (void)snprintf(with_count, sizeof(with_count), "%s (n=%zu)", name, set->count);
        bench_copy(name, sizeof(name), with_count);
    }
    printf("%-80s", name);
    for (size_t i = 0; i < METRICS; i++) {
        static const int widths[] = {[METRIC_COUNT] = 12, [METRIC_FLOAT] = 18, [METRIC_TIME] = 16};
        sample s = sample_of(set, metrics[i].get);
        (void)metric_text(&metrics[i], sample_median(&s), text, sizeof(text));
        printf("%-*s", padded(text, widths[metrics[i].kind]), text);
    }
    printf("\n");
}

void print_table(const side *s)
{
    print_shared(s->sets[0].runs[0]);
    printf("%-80s%-12s%-12s%-12s%-18s%-18s%-18s%-18s%-16s%-16s%-16s%-16s\n", "Name", "TotalOps",
           "SendOps", "RecvOps", "Bytes/op", "Allocs/op", "RequestT", "ResponseT", "L-50", "L-90",
           "L-99", "L-Avg");
    for (size_t i = 0; i < s->set_count; i++)
        print_row(&s->sets[i]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* benchresult: shows the result files of benchmain. One file: a table of its runs. Two: for each run
 * that both have, before and after. As gRPC-Go's program of that name, but percentages are of the
 * figures themselves, not of what is left when the point and what follows are cut off, and runs come in
 * the order of the second file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

/* --- one file --------------------------------------------------------------------------------- */

/* The width that `width` columns take when some characters take two bytes: µ does. */
static int padded(const char *text, int width)
{
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) == 0x80;
    return width;
}

static void print_time(int64_t nanoseconds, int width)
{
    char text[48];
    (void)bench_time_text(nanoseconds, text, sizeof(text));
    printf("%-*s", padded(text, width), text);
}

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

static void print_row(const bench_result *r)
{
    char name[512];
    size_t len = (size_t)snprintf(name, sizeof(name), "%s", r->mode);
    for (feature which = 0; which < FEATURES && len < sizeof(name); which++) {
        char text[FEATURE_WORD_BYTES];
        if (r->shared[which] || !feature_has(&r->features, which))
            continue;
        len += (size_t)snprintf(name + len, sizeof(name) - len, "-%s_%s", feature_infos[which].name,
                                feature_text(&r->features, which, text, sizeof(text)));
    }
    const run_data *d = &r->data;
    printf("%-80s%-12" PRIu64 "%-12" PRIu64 "%-12" PRIu64 "%-18.2f%-18.2f%-18.2f%-18.2f", name,
           d->total_ops, d->send_ops, d->recv_ops, d->bytes, d->allocs, d->req_rate, d->resp_rate);
    print_time(d->p50, 16);
    print_time(d->p90, 16);
    print_time(d->p99, 16);
    print_time(d->mean, 16);
    printf("\n");
}

static void print_table(const bench_result *results, size_t count)
{
    print_shared(&results[0]);
    printf("%-80s%-12s%-12s%-12s%-18s%-18s%-18s%-18s%-16s%-16s%-16s%-16s\n", "Name", "TotalOps",
           "SendOps", "RecvOps", "Bytes/op", "Allocs/op", "RequestT", "ResponseT", "L-50", "L-90",
           "L-99", "L-Avg");
    for (size_t i = 0; i < count; i++)
        print_row(&results[i]);
}

/* --- two files -------------------------------------------------------------------------------- */

static void print_line(const char *title, const char *before, const char *after,
                       const char *percentage)
{
    printf("%20s %*s %*s %8s\n", title, padded(before, 12), before, padded(after, 12), after,
           percentage);
}

/* Of nothing there is no percentage. */
static const char *percentage(double before, double after, char *dst, size_t cap)
{
    if (before == after)
        bench_copy(dst, cap, "0.00%");
    else if (before == 0)
        bench_copy(dst, cap, "-");
    else
        (void)snprintf(dst, cap, "%.2f%%", (after - before) * 100 / before);
    return dst;
}

static void compare_counts(const char *title, uint64_t before, uint64_t after)
{
    char a[32], b[32], c[64];
    (void)snprintf(a, sizeof(a), "%" PRIu64, before);
    (void)snprintf(b, sizeof(b), "%" PRIu64, after);
    print_line(title, a, b, percentage((double)before, (double)after, c, sizeof(c)));
}

static void compare_floats(const char *title, double before, double after)
{
    char a[64], b[64], c[64];
    (void)snprintf(a, sizeof(a), "%.2f", before);
    (void)snprintf(b, sizeof(b), "%.2f", after);
    print_line(title, a, b, percentage(before, after, c, sizeof(c)));
}

static void compare_times(const char *title, int64_t before, int64_t after)
{
    char a[48], b[48], c[64];
    print_line(title, bench_time_text(before, a, sizeof(a)), bench_time_text(after, b, sizeof(b)),
               percentage((double)before, (double)after, c, sizeof(c)));
}

static void compare(const bench_result *before, const bench_result *after, const char *name)
{
    const run_data *a = &before->data, *b = &after->data;
    printf("%s-%s\n", after->mode, name);
    print_line("Title", "Before", "After", "Percentage");
    compare_counts("TotalOps", a->total_ops, b->total_ops);
    compare_counts("SendOps", a->send_ops, b->send_ops);
    compare_counts("RecvOps", a->recv_ops, b->recv_ops);
    compare_floats("Bytes/op", a->bytes, b->bytes);
    compare_floats("Allocs/op", a->allocs, b->allocs);
    compare_floats("ReqT/op", a->req_rate, b->req_rate);
    compare_floats("RespT/op", a->resp_rate, b->resp_rate);
    compare_times("50th-Lat", a->p50, b->p50);
    compare_times("90th-Lat", a->p90, b->p90);
    compare_times("99th-Lat", a->p99, b->p99);
    compare_times("Avg-Lat", a->mean, b->mean);
    print_line("GoVersion", before->compiler, after->compiler, "");
    print_line("GrpcVersion", before->version, after->version, "");
    printf("\n");
}

/* Where handlers run, and how the client waits, counts if both files say it. */
static bool is_same(const bench_result *before, const bench_result *after)
{
    char a[1024], b[1024];
    bool own = before->features.handler[0] && after->features.handler[0];
    return strcmp(before->mode, after->mode) == 0 &&
           strcmp(features_name(&before->features, own, a, sizeof(a)),
                  features_name(&after->features, own, b, sizeof(b))) == 0;
}

static size_t print_comparison(const bench_result *before, size_t before_count,
                               const bench_result *after, size_t after_count)
{
    size_t found = 0;
    for (size_t i = 0; i < after_count; i++) {
        for (size_t j = 0; j < before_count; j++) {
            char name[1024];
            if (!is_same(&before[j], &after[i]))
                continue;
            compare(&before[j], &after[i],
                    features_name(&after[i].features, true, name, sizeof(name)));
            found++;
            break;
        }
    }
    return found;
}

/* --- the program ------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    bench_result *results[2] = {NULL, NULL};
    size_t counts[2] = {0, 0};
    int files = argc - 1;
    bool help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-help") == 0);
    if (files < 1 || files > 2 || help) {
        fprintf(
            help ? stdout : stderr,
            "usage: benchresult FILE [FILE]\nShows result files of benchmain (-resultFile): one as "
            "a table, two as before and after.\n");
        return help ? 0 : 2;
    }
    bool ok = true;
    for (int i = 0; i < files && ok; i++)
        ok = results_load(argv[i + 1], &results[i], &counts[i]);
    if (ok && files == 1) {
        print_table(results[0], counts[0]);
    } else if (ok && print_comparison(results[0], counts[0], results[1], counts[1]) == 0) {
        fprintf(stderr, "%s and %s have no run in common\n", argv[1], argv[2]);
        ok = false;
    }
    free(results[0]);
    free(results[1]);
    return ok ? 0 : 1;
}

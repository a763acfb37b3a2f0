/* SPDX-License-Identifier: Apache-2.0 */
/* Two sides: of one run each, the figures and by how much they differ; of several, medians, how far the
 * runs lie from them, and whether the difference may be chance, in benchstat's form: "~" if it may. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchresult.h"

#define SIGNIFICANT 0.05

typedef struct form {
    int width;
    bool several;
} form;

static void print_line(form f, const char *title, const char *before, const char *after,
                       const char *difference)
{
    printf("%20s %*s %*s %8s\n", title, padded(before, f.width), before, padded(after, f.width),
           after, difference);
}

static const char *value_text(form f, const metric *m, const sample *s, char *dst, size_t cap)
{
    char text[64];
    (void)metric_text(m, sample_median(s), text, sizeof(text));
    if (f.several)
        (void)snprintf(dst, cap, "%s \xc2\xb1%3.0f%%", text, 100 * sample_spread(s));
    else
        bench_copy(dst, cap, text);
    return dst;
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

static void compare_metric(form f, const metric *m, const run_set *before, const run_set *after)
{
    sample a = sample_of(before, m->get), b = sample_of(after, m->get);
    char texts[2][80], share[32], line[96];
    (void)percentage(sample_median(&a), sample_median(&b), share, sizeof(share));
    bench_copy(line, sizeof(line), share);
    if (f.several) {
        double p = sample_p(&a, &b);
        (void)snprintf(line, sizeof(line), "%8s (p=%.3f n=%zu+%zu)", p < SIGNIFICANT ? share : "~",
                       p, a.count, b.count);
    }
    print_line(f, m->title, value_text(f, m, &a, texts[0], sizeof(texts[0])),
               value_text(f, m, &b, texts[1], sizeof(texts[1])), line);
}

/* Could no samples of these sizes be told apart, however far they are? */
static bool too_few(size_t a, size_t b)
{
    sample low = {.count = a}, high = {.count = b};
    for (size_t i = 0; i < a; i++)
        low.values[i] = (double)i;
    for (size_t i = 0; i < b; i++)
        high.values[i] = (double)(a + i);
    return sample_p(&low, &high) >= SIGNIFICANT;
}

static void compare(const run_set *before, const run_set *after)
{
    char name[1024];
    const bench_result *a = before->runs[0], *b = after->runs[0];
    form f = {12, before->count > 1 || after->count > 1};
    if (f.several)
        f.width = 22;
    printf("%s-%s\n", b->mode, features_name(&b->features, true, name, sizeof(name)));
    print_line(f, "Title", "Before", "After", "Percentage");
    for (size_t i = 0; i < METRICS; i++)
        compare_metric(f, &metrics[i], before, after);
    print_line(f, "GoVersion", a->compiler, b->compiler, "");
    print_line(f, "GrpcVersion", a->version, b->version, "");
    if (f.several && too_few(before->count, after->count))
        printf("%20s %zu+%zu runs are too few for any difference to be significant: 4+4 would do\n",
               "", before->count, after->count);
    printf("\n");
}

size_t print_comparison(const side *before, const side *after)
{
    size_t found = 0;
    for (size_t i = 0; i < after->set_count; i++) {
        for (size_t j = 0; j < before->set_count; j++) {
            if (!is_same_run(before->sets[j].runs[0], after->sets[i].runs[0]))
                continue;
            compare(&before->sets[j], &after->sets[i]);
            found++;
            break;
        }
    }
    return found;
}

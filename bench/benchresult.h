/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of benchresult: what the files hold, put together by features (benchresult.c), samples and
 * whether two of them differ (benchresult_samples.c), the table of one side
 * (benchresult_table.c), before and after (benchresult_compare.c), the picture
 * (benchresult_svg.c). */
#ifndef OY_BENCH_BENCHRESULT_H
#define OY_BENCH_BENCHRESULT_H

#include "results.h"

#define MAX_RUNS 100 /* of one combination of features on one side */

/* The runs of one combination. */
typedef struct run_set {
    const bench_result *runs[MAX_RUNS];
    size_t count;
} run_set;

typedef struct side {
    bench_result *results; /* of all its files */
    size_t result_count;
    run_set *sets; /* in the order in which they were first seen */
    size_t set_count;
    const char *name; /* its first file */
} side;

/* Are these the same combination? Where handlers run, and how the client waits, counts if both say it. */
bool is_same_run(const bench_result *a, const bench_result *b);
/* What is not shared by all runs of the file, behind the workload: "unary-Kbps_0". */
const char *short_name(const bench_result *r, char *dst, size_t cap);

/* --- samples ---------------------------------------------------------------------------------- */

typedef enum metric_kind { METRIC_COUNT, METRIC_FLOAT, METRIC_TIME } metric_kind;

typedef struct metric {
    const char *title;
    metric_kind kind;
    double (*get)(const run_data *data);
} metric;

#define METRICS 11
extern const metric metrics[METRICS];

typedef struct sample {
    double values[MAX_RUNS]; /* ascending */
    size_t count;
} sample;

sample sample_of(const run_set *set, double (*get)(const run_data *data));
double sample_median(const sample *s);
/* The greatest distance of a value from the median, in parts of the median; 0 if that is 0. */
double sample_spread(const sample *s);
/* How likely is it that two samples of the same thing are at least that different? By the U test of Mann
 * and Whitney, two-sided, exact, ties included. */
double sample_p(const sample *a, const sample *b);

const char *metric_text(const metric *m, double value, char *dst, size_t cap);
/* The width that `width` columns take when some characters take two bytes: µ does. */
int padded(const char *text, int width);

/* --- what is shown ---------------------------------------------------------------------------- */

void print_table(const side *s);
/* Returns how many combinations both sides have. */
size_t print_comparison(const side *before, const side *after);
/* Latency curves of up to two sides. False: it has been said on standard error why not. */
bool draw_svg(const char *path, const side *const *sides, size_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* benchmain: client and server in one process, every combination of what the flags list, one run
 * after the other, as gRPC-Go's program of that name. docs/benchmarks.md says how to run it and what
 * its figures mean. */
#include "benchmain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "meter.h"

#define TEXT_OF(macro)  TEXT_OF_(macro)
#define TEXT_OF_(words) #words
#if defined(__clang__)
#define COMPILER                                                                                   \
    "clang" TEXT_OF(__clang_major__) "." TEXT_OF(__clang_minor__) "." TEXT_OF(__clang_patchlevel__)
#else
#define COMPILER                                                                                   \
    "gcc" TEXT_OF(__GNUC__) "." TEXT_OF(__GNUC_MINOR__) "." TEXT_OF(__GNUC_PATCHLEVEL__)
#endif

static void describe(bench_result *result, const matrix *m, const features *f, workload what)
{
    bench_copy(result->compiler, sizeof(result->compiler), COMPILER);
    (void)snprintf(result->version, sizeof(result->version), "%s-oyez", oyez_version());
    bench_copy(result->mode, sizeof(result->mode), workload_names[what]);
    result->features = *f;
    /* A dimension without values is not shared: there is nothing to share. */
    for (feature which = 0; which < FEATURES; which++)
        result->shared[which] = m->counts[which] == 1;
}

static bool play(const matrix *m, const features *f, workload what, const char *progress,
                 bench_result *result)
{
    run *r = calloc(1, sizeof(*r));
    histogram *latencies = calloc(1, sizeof(*latencies));
    bool ok = r && latencies;
    describe(result, m, f, what);
    if (ok) {
        r->features = f;
        r->workload = what;
        r->blocking = strcmp(f->client, "blocking") == 0;
        r->workers = strcmp(f->handler, "workers") == 0;
        r->preload = f->numbers[FEATURE_PRELOADER] != 0 && what != WORKLOAD_UNARY;
        r->req_curve = matrix_curve(m, FEATURE_REQ_CURVE);
        r->resp_curve = matrix_curve(m, FEATURE_RESP_CURVE);
        r->req = r->req_curve ? curve_most(r->req_curve) : (int32_t)f->numbers[FEATURE_REQ];
        r->resp = r->resp_curve ? curve_most(r->resp_curve) : (int32_t)f->numbers[FEATURE_RESP];
        r->loops = m->loops;
        r->progress = isatty(STDERR_FILENO) ? progress : NULL;
        ok = run_play(r, latencies, &result->data);
    }
    if (ok)
        print_result(result, latencies);
    free(latencies);
    free(r);
    return ok;
}

static bool play_all(matrix *m)
{
    size_t workloads = 0, done = 0;
    for (size_t i = 0; i < WORKLOADS; i++)
        workloads += m->workloads[i];
    size_t count = matrix_count(m) * workloads * (size_t)m->runs;
    int runs_left = m->runs;
    bench_result *results = calloc(count, sizeof(*results));
    bool ok = results != NULL;
    do {
        features f;
        matrix_get(m, &f);
        for (workload what = 0; what < WORKLOADS && ok; what++) {
            char progress[64];
            if (!m->workloads[what])
                continue;
            (void)snprintf(progress, sizeof(progress), "[%zu/%zu] %s", done + 1, count,
                           workload_names[what]);
            ok = play(m, &f, what, progress, &results[done]);
            /* Each time: what has been measured is not lost if a later run fails. */
            if (ok && m->result_file[0])
                ok = results_save(m->result_file, results, done + 1);
            done++;
        }
        /* Behind the last combination comes the first. */
    } while (ok && (matrix_next(m) || --runs_left > 0));
    free(results);
    return ok;
}

int main(int argc, char **argv)
{
    matrix *m = calloc(1, sizeof(*m));
    if (!m)
        return 1;
    int result = matrix_parse(m, argc, argv);
    if (result == 0) {
        if (!meter_works())
            fprintf(stderr,
                    "benchmain: a sanitizer owns the allocator: bytes and allocations are not "
                    "counted\n");
        result = play_all(m) ? 0 : 1;
    } else if (result == 1) {
        result = 0; /* help */
    }
    matrix_fini(m);
    free(m);
    return result;
}

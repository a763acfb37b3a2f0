/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a run, and files of them: JSON with the field names of gRPC-Go's result files (which
 * are gobs, that only Go can read). */
#ifndef OY_BENCH_RESULTS_H
#define OY_BENCH_RESULTS_H

#include "bench_features.h"

/* How many calls of a hundred, for a curve of latencies. */
#define LATENCY_LEVELS 11
extern const double latency_levels[LATENCY_LEVELS];

typedef struct run_data {
    uint64_t total_ops;          /* unary, streaming */
    uint64_t send_ops, recv_ops; /* unconstrained: messages of the client */
    double bytes, allocs;        /* asked of the process's allocator by client and server, a call */
    double req_rate, resp_rate;  /* bits of payload a second */
    int64_t p50, p90, p99, mean; /* nanoseconds; 0: not measured */
    int64_t levels[LATENCY_LEVELS]; /* likewise, at the latency_levels */
} run_data;

typedef struct bench_result {
    char compiler[FEATURE_WORD_BYTES]; /* "GoVersion" in the file */
    char version[FEATURE_WORD_BYTES];  /* "GrpcVersion" */
    char mode[FEATURE_WORD_BYTES];     /* the workload */
    features features;
    bool shared[FEATURES]; /* had one value in all runs of the file */
    run_data data;
} bench_result;

/* Writes all of them, by way of a file beside it, so that there is always a whole one. False: it has
 * been said on standard error why not. */
bool results_save(const char *path, const bench_result *results, size_t count);
/* @param ret_results to be freed by free(). */
bool results_load(const char *path, bench_result **ret_results, size_t *ret_count);

#endif

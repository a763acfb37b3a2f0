/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of benchmain: the matrix and its flags (benchmain.c, benchmain_flags.c), a run
 * (benchmain_run.c), its service (server_service.c), its callers (benchmain_events.c with
 * callbacks, benchmain_threads.c with threads that wait), and what is printed
 * (benchmain_print.c). */
#ifndef OY_BENCH_BENCHMAIN_H
#define OY_BENCH_BENCHMAIN_H

#include <pthread.h>
#include <stdatomic.h>

#include <oyez/oyez.h>

#include "grpc/testing/benchmark_service.oyez.h"

#include "curve.h"
#include "histogram.h"
#include "prepared.h"
#include "results.h"
#include "slow_link.h"

#define MAX_VALUES 64 /* of one dimension */
/* Calls that warm a connection up, as in gRPC-Go; then all of its callers, so many calls each. */
#define WARM_CALLS     10
#define WARM_CALLS_ALL 3

typedef enum workload {
    WORKLOAD_UNARY,
    WORKLOAD_STREAMING,     /* a message each way, in turns */
    WORKLOAD_UNCONSTRAINED, /* both sides send as fast as they can */
    WORKLOADS
} workload;

extern const char *const workload_names[WORKLOADS];

/* --- flags ------------------------------------------------------------------------------------ */

typedef struct matrix {
    bool workloads[WORKLOADS];
    size_t counts[FEATURES]; /* 0: a dimension without values */
    int64_t numbers[FEATURES][MAX_VALUES];
    char words[FEATURES][MAX_VALUES][FEATURE_WORD_BYTES];
    curve *curves[2][MAX_VALUES]; /* of requests and of replies */
    features base;                /* what is the same for all */
    const char *result_file;
    int loops, runs;
    size_t indexes[FEATURES]; /* the odometer */
} matrix;

/* 0: go; 1: help was printed; 2: it has been said what is wrong. */
int matrix_parse(matrix *m, int argc, char **argv);
/* The present combination. */
void matrix_get(const matrix *m, features *ret_features);
/* Its curve; NULL if its payloads have one size. */
const curve *matrix_curve(const matrix *m, feature which);
/* To the next one; false behind the last. */
bool matrix_next(matrix *m);
/* How many combinations there are. */
size_t matrix_count(const matrix *m);
void matrix_fini(matrix *m);

/* --- a run ------------------------------------------------------------------------------------ */

typedef enum phase { PHASE_WARM, PHASE_MEASURE, PHASE_STOP } phase;

typedef struct run run;

/* One of those that call: when a call has ended it begins the next. With callbacks all of a
 * connection's live on one loop thread and share its histogram; with threads each has its own. */
typedef struct caller {
    run *run;
    oyez_channel *channel;
    oyez_stream *stream;
    histogram *latencies;
    oyez_duration started;
    unsigned warm_left;
    bool sent, answered;            /* of a call on a stream: it takes both */
    uint64_t sends, recvs;          /* unconstrained, while it was measured */
    int32_t req, resp;              /* payload of the present request, and what it asks for */
    uint64_t req_bytes, resp_bytes; /* of payload, while it was measured */
    uint64_t random;
    pthread_t threads[2];
    size_t thread_count;
} caller;

struct run {
    const features *features;
    workload workload;
    bool blocking; /* the client */
    bool workers;  /* where handlers run */
    bool preload;
    int32_t req, resp; /* the largest, with curves */
    const curve *req_curve, *resp_curve;
    int loops;
    const char *progress; /* in front of the progress line; NULL: none is wanted */

    oyez_runtime *client_runtime, *server_runtime;
    oyez_server *server;
    slow_link *link; /* NULL: straight */
    oyez_compressor nop;
    const oyez_compressor *compressor; /* of all messages; NULL: none */
    oyez_pool *pool;                   /* NULL: the library's own */
    oyez_channel **channels;
    caller *callers; /* those of connection 0, then those of 1, ... */
    size_t caller_count, calls;
    histogram *latencies;
    size_t latency_count;
    oyez_metadata *metadata; /* of streams */
    prepared request;        /* if preloaded */

    _Atomic(int) phase;
    _Atomic(bool) failed;
    oyez_duration end; /* set before the measured calls begin */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t outstanding; /* guarded by lock: what has yet to retire */
    bool open;          /* guarded by lock: threads may begin */
    char words[512];    /* guarded by lock: of the first failure */
};

/* Plays it. False: it has been said on standard error why not. @param ret_latencies empty for
 * unconstrained. */
bool run_play(run *r, histogram *ret_latencies, run_data *ret_data);

/* --- parts of a run, for each other ----------------------------------------------------------- */

void run_fail(run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void run_fail_status(run *r, const oyez_status *status);
/* One that was outstanding has finished. */
void run_retire(run *r);
static inline phase run_phase(run *r)
{
    return (phase)atomic_load_explicit(&r->phase, memory_order_relaxed);
}
static inline bool run_failed(run *r)
{
    return atomic_load_explicit(&r->failed, memory_order_relaxed);
}
/* Sleeps as long as the feature and chance have it. */
void caller_sleep(caller *c);
/* The sizes of the next call. */
void caller_draw(caller *c);
/* Is that the reply that was asked for? It has been said if not. Of unconstrained replies with a curve
 * only the range is known. */
bool caller_check(caller *c, const Grpc__Testing__SimpleResponse *reply);

/* Each of the two kinds of client: streams are opened, then some callers are started on `calls`
 * warm-up calls each (0: the measured ones), then the streams are ended. */
bool events_open(caller *c);
void events_start(caller *c, unsigned warm_calls);
bool threads_open(caller *c);
bool threads_warm(caller *c, unsigned warm_calls);
/* The threads exist and wait for run.open. */
bool threads_start(caller *c);
void threads_join(caller *c);

/* --- printing --------------------------------------------------------------------------------- */

void print_result(const bench_result *result, const histogram *latencies);

#endif

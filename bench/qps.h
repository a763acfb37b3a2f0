/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of qps-worker: the process and its WorkerService (qps_worker.c), what it serves
 * (qps_serve.c), the load that it makes (qps_load.c), and histograms as the driver wants them
 * (qps_histogram.c). */
#ifndef OY_BENCH_QPS_H
#define OY_BENCH_QPS_H

#include <oyez/oyez.h>

#include "grpc/testing/worker_service.oyez.h"

#define QPS_MAX_PAYLOAD ((int32_t)64 << 20)
#define QPS_MAX_SLOTS   100000 /* calls in flight of one client */
#define QPS_MAX_BUCKETS 100000
#define QPS_WORDS       256

/* Why a set-up cannot be had. */
typedef struct qps_refusal {
    oyez_code code;
    char words[QPS_WORDS];
} qps_refusal;

bool qps_refuse(qps_refusal *why, oyez_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* false */

int qps_cores(void);

/* --- payloads --------------------------------------------------------------------------------- */

typedef struct qps_payload {
    bool bytes; /* sent as they are, without protobuf */
    int32_t req, resp;
} qps_payload;

/* NULL: simple ones of no bytes. */
bool qps_payload_parse(const Grpc__Testing__PayloadConfig *config, qps_payload *ret_payload,
                       qps_refusal *why);
/* BenchmarkService with the bytes codec. */
extern const oyez_method qps_bytes_unary, qps_bytes_streaming;

/* --- histograms ------------------------------------------------------------------------------- */

/* Bucket i holds the values from (1 + resolution)^i to (1 + resolution)^(i + 1). */
typedef struct qps_histogram {
    double step; /* ln(1 + resolution) */
    double sum, squares, least, most;
    uint64_t count;
    size_t bucket_count;
    uint32_t *buckets;
} qps_histogram;

/* @param params NULL: 1 %, a minute */
bool qps_histogram_init(qps_histogram *h, const Grpc__Testing__HistogramParams *params,
                        qps_refusal *why);
void qps_histogram_fini(qps_histogram *h);
void qps_histogram_add(qps_histogram *h, double value);
/* Adds `from` of the same shape. */
void qps_histogram_merge(qps_histogram *h, const qps_histogram *from);
void qps_histogram_clear(qps_histogram *h);
/* A view: lives as long as `h`. */
void qps_histogram_show(const qps_histogram *h, Grpc__Testing__HistogramData *ret_data);

/* --- what a set-up makes ---------------------------------------------------------------------- */

typedef struct qps_server qps_server;
/* @param usual_port if the configuration names none; 0: any */
qps_server *qps_server_start(const Grpc__Testing__ServerConfig *config, int usual_port,
                             qps_refusal *why);
uint16_t qps_server_port(const qps_server *server);
int qps_server_cores(const qps_server *server);
/* NULL is allowed. */
void qps_server_stop(qps_server *server);

typedef struct qps_load qps_load;
qps_load *qps_load_start(const Grpc__Testing__ClientConfig *config, qps_refusal *why);
/* What was measured since the last reset; `ret_results` gets a count for each code of gRPC. */
void qps_load_read(qps_load *load, bool reset, qps_histogram *ret_latencies,
                   int64_t ret_results[17]);
/* The shape of its histograms. */
bool qps_load_histogram(const qps_load *load, qps_histogram *ret_histogram);
/* Ends the calls under way. NULL is allowed. */
void qps_load_stop(qps_load *load);

#endif

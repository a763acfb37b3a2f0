/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of the shape that the driver asks for, and payloads of the kind. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qps.h"

bool qps_refuse(qps_refusal *why, oyez_code code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    why->code = code;
    (void)vsnprintf(why->words, sizeof(why->words), format, list);
    va_end(list);
    return false;
}

int qps_cores(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* --- histograms ------------------------------------------------------------------------------- */

bool qps_histogram_init(qps_histogram *h, const Grpc__Testing__HistogramParams *params,
                        qps_refusal *why)
{
    double resolution = params ? params->resolution : 0.01;
    double most = params ? params->max_possible : 60e9;
    *h = (qps_histogram){.step = log1p(resolution)};
    if (!(resolution > 0) || !(most > 1) || !(log(most) / h->step < QPS_MAX_BUCKETS - 1))
        return qps_refuse(why, OYEZ_INVALID_ARGUMENT,
                          "histogram_params: resolution %g up to %g: a resolution above 0, a "
                          "maximum above 1 and at most %d buckets are wanted",
                          resolution, most, QPS_MAX_BUCKETS);
    h->bucket_count = (size_t)(log(most) / h->step) + 1;
    h->buckets = calloc(h->bucket_count, sizeof(*h->buckets));
    return h->buckets || qps_refuse(why, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
}

void qps_histogram_fini(qps_histogram *h)
{
    free(h->buckets);
    h->buckets = NULL;
}

void qps_histogram_add(qps_histogram *h, double value)
{
    double at = value > 1 ? log(value) / h->step : 0;
    size_t index = at < (double)h->bucket_count ? (size_t)at : h->bucket_count - 1;
    h->buckets[index]++;
    h->sum += value;
    h->squares += value * value;
    h->least = h->count == 0 || value < h->least ? value : h->least;
    h->most = value > h->most ? value : h->most;
    h->count++;
}

void qps_histogram_merge(qps_histogram *h, const qps_histogram *from)
{
    if (from->count == 0)
        return;
    for (size_t i = 0; i < h->bucket_count; i++)
        h->buckets[i] += from->buckets[i];
    h->sum += from->sum;
    h->squares += from->squares;
    h->least = h->count == 0 || from->least < h->least ? from->least : h->least;
    h->most = from->most > h->most ? from->most : h->most;
    h->count += from->count;
}

void qps_histogram_clear(qps_histogram *h)
{
    memset(h->buckets, 0, h->bucket_count * sizeof(*h->buckets));
    h->sum = h->squares = h->least = h->most = 0;
    h->count = 0;
}

void qps_histogram_show(const qps_histogram *h, Grpc__Testing__HistogramData *ret_data)
{
    grpc__testing__histogram_data__init(ret_data);
    ret_data->n_bucket = h->bucket_count;
    ret_data->bucket = h->buckets;
    ret_data->min_seen = h->least;
    ret_data->max_seen = h->most;
    ret_data->sum = h->sum;
    ret_data->sum_of_squares = h->squares;
    ret_data->count = (double)h->count;
}

/* --- payloads --------------------------------------------------------------------------------- */

const oyez_method qps_bytes_unary = {
    OYEZ_METHOD_INIT,
    .path = "/grpc.testing.BenchmarkService/UnaryCall",
};
const oyez_method qps_bytes_streaming = {
    OYEZ_METHOD_INIT,
    .path = "/grpc.testing.BenchmarkService/StreamingCall",
    .client_streaming = true,
    .server_streaming = true,
};

static bool sizes(qps_payload *p, int32_t req, int32_t resp, qps_refusal *why)
{
    p->req = req;
    p->resp = resp;
    if (req >= 0 && resp >= 0 && req <= QPS_MAX_PAYLOAD && resp <= QPS_MAX_PAYLOAD)
        return true;
    return qps_refuse(why, OYEZ_INVALID_ARGUMENT,
                      "payload_config: sizes from 0 to %d are wanted, not %d and %d",
                      QPS_MAX_PAYLOAD, req, resp);
}

bool qps_payload_parse(const Grpc__Testing__PayloadConfig *config, qps_payload *ret_payload,
                       qps_refusal *why)
{
    *ret_payload = (qps_payload){.bytes = false};
    if (!config)
        return true;
    switch (config->payload_case) {
    case GRPC__TESTING__PAYLOAD_CONFIG__PAYLOAD_BYTEBUF_PARAMS:
        ret_payload->bytes = true;
        return sizes(ret_payload, config->bytebuf_params->req_size,
                     config->bytebuf_params->resp_size, why);
    case GRPC__TESTING__PAYLOAD_CONFIG__PAYLOAD_SIMPLE_PARAMS:
        return sizes(ret_payload, config->simple_params->req_size, config->simple_params->resp_size,
                     why);
    case GRPC__TESTING__PAYLOAD_CONFIG__PAYLOAD_COMPLEX_PARAMS:
        return qps_refuse(why, OYEZ_UNIMPLEMENTED,
                          "payload_config: there are simple_params and bytebuf_params");
    default:
        return true;
    }
}

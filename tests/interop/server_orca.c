/* SPDX-License-Identifier: Apache-2.0 */
/* The interop server's reports of load (gRFC A51): what a request says goes back in the trailers of
 * its call, or out of band to all who listen, once a second at most. What was said last counts; it
 * is left to the callers not to talk at the same time. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "interop/server.h"
#include "xds/service/orca/v3/orca.oyez.h"

#define REPORT_KEY   "endpoint-load-metrics-bin"
#define MIN_INTERVAL OYEZ_SECOND
#define MAX_NAMES    16u
#define NAME_BYTES   64u

typedef Xds__Data__Orca__V3__OrcaLoadReport report;
typedef Xds__Data__Orca__V3__OrcaLoadReport__RequestCostEntry cost_entry;
typedef Xds__Data__Orca__V3__OrcaLoadReport__UtilizationEntry utilization_entry;

/* --- with a call ------------------------------------------------------------------------------ */

/* The report's maps get entries in the call's arena. */
static bool copy_maps(oyez_server_call *call, const Grpc__Testing__TestOrcaReport *from, report *to)
{
    const size_t costs = from->n_request_cost, uses = from->n_utilization;
    cost_entry *cost = oyez_server_call_alloc(call, (costs + 1) * sizeof(*cost));
    utilization_entry *use = oyez_server_call_alloc(call, (uses + 1) * sizeof(*use));
    to->request_cost = oyez_server_call_alloc(call, (costs + 1) * sizeof(cost));
    to->utilization = oyez_server_call_alloc(call, (uses + 1) * sizeof(use));
    if (!cost || !use || !to->request_cost || !to->utilization)
        return false;
    for (; to->n_request_cost < costs; to->n_request_cost++) {
        const size_t i = to->n_request_cost;
        xds__data__orca__v3__orca_load_report__request_cost_entry__init(&cost[i]);
        cost[i].key = from->request_cost[i]->key;
        cost[i].value = from->request_cost[i]->value;
        to->request_cost[i] = &cost[i];
    }
    for (; to->n_utilization < uses; to->n_utilization++) {
        const size_t i = to->n_utilization;
        xds__data__orca__v3__orca_load_report__utilization_entry__init(&use[i]);
        use[i].key = from->utilization[i]->key;
        use[i].value = from->utilization[i]->value;
        to->utilization[i] = &use[i];
    }
    return true;
}

oyez_code report_in_trailers(oyez_server_call *call, const Grpc__Testing__TestOrcaReport *from)
{
    report to = XDS__DATA__ORCA__V3__ORCA_LOAD_REPORT__INIT;
    if (!from)
        return OYEZ_OK;
    to.cpu_utilization = from->cpu_utilization;
    to.mem_utilization = from->memory_utilization;
    if (!copy_maps(call, from, &to))
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    size_t len = xds__data__orca__v3__orca_load_report__get_packed_size(&to);
    uint8_t *packed = oyez_server_call_alloc(call, len + 1);
    if (!packed)
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    (void)xds__data__orca__v3__orca_load_report__pack(&to, packed);
    oyez_err err = oyez_server_call_add_trailer(call, REPORT_KEY, packed, len);
    return err ? oyez_server_call_fail(call, OYEZ_INTERNAL, "the report cannot be sent: %s",
                                       oyez_strerror(err))
               : OYEZ_OK;
}

/* --- out of band ------------------------------------------------------------------------------ */

typedef struct named {
    char name[NAME_BYTES];
    double value;
} named;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* guarded by lock */
static struct {
    double cpu, memory;
    named uses[MAX_NAMES];
    size_t count;
} last;

oyez_code report_out_of_band(oyez_server_call *call, const Grpc__Testing__TestOrcaReport *from)
{
    if (!from)
        return OYEZ_OK;
    if (from->n_utilization > MAX_NAMES)
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                     "a report of %zu names came, %u is the most",
                                     from->n_utilization, MAX_NAMES);
    (void)pthread_mutex_lock(&lock);
    last.cpu = from->cpu_utilization;
    last.memory = from->memory_utilization;
    last.count = from->n_utilization;
    for (size_t i = 0; i < last.count; i++) {
        (void)snprintf(last.uses[i].name, NAME_BYTES, "%s", from->utilization[i]->key);
        last.uses[i].value = from->utilization[i]->value;
    }
    (void)pthread_mutex_unlock(&lock);
    return OYEZ_OK;
}

typedef xds_service_orca_v3_open_rca_service_stream_core_metrics_server_stream report_stream;

static bool send_last(report_stream stream)
{
    report now = XDS__DATA__ORCA__V3__ORCA_LOAD_REPORT__INIT;
    named uses[MAX_NAMES];
    utilization_entry entries[MAX_NAMES], *pointers[MAX_NAMES];
    (void)pthread_mutex_lock(&lock);
    now.cpu_utilization = last.cpu;
    now.mem_utilization = last.memory;
    now.n_utilization = last.count;
    memcpy(uses, last.uses, sizeof(uses));
    (void)pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < now.n_utilization; i++) {
        xds__data__orca__v3__orca_load_report__utilization_entry__init(&entries[i]);
        entries[i].key = uses[i].name;
        entries[i].value = uses[i].value;
        pointers[i] = &entries[i];
    }
    now.utilization = pointers;
    return xds_service_orca_v3_open_rca_service_stream_core_metrics_server_send(stream, &now);
}

static oyez_duration interval_of(const Xds__Service__Orca__V3__OrcaLoadReportRequest *request)
{
    const Google__Protobuf__Duration *asked = request->report_interval;
    if (!asked || asked->seconds < 1 || asked->nanos < 0)
        return MIN_INTERVAL;
    return asked->seconds > 3600 ? OYEZ_HOUR : asked->seconds * OYEZ_SECOND + asked->nanos;
}

static oyez_code stream_core_metrics(void *self, oyez_server_call *call,
                                     const Xds__Service__Orca__V3__OrcaLoadReportRequest *request,
                                     report_stream stream)
{
    const oyez_duration interval = interval_of(request);
    (void)self;
    while (send_last(stream) && pause_for(call, interval))
        continue;
    return OYEZ_CANCELLED;
}

oyez_err register_reports(oyez_server *server)
{
    /* Its handler waits, however the others are served. */
    static const xds_service_orca_v3_open_rca_service_service service = {
        .stream_core_metrics = stream_core_metrics,
    };
    return xds_service_orca_v3_open_rca_service_service_register(server, &service, NULL);
}

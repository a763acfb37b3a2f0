/* SPDX-License-Identifier: Apache-2.0 */
/* The interop client's cases of load reports (gRFC A51). Others collect the reports in a balancer of
 * their own, which hands them to the case; there are no such balancers here: the report of a call is
 * read from its trailers, and those out of band from the stream that such a balancer would open. */
#include <string.h>

#include "interop/client.h"
#include "xds/service/orca/v3/orca.oyez.h"

#define REPORT_KEY      "endpoint-load-metrics-bin"
#define REPORT_INTERVAL 1 /* s */
#define OOB_TIMEOUT     (28 * OYEZ_SECOND)

typedef Xds__Data__Orca__V3__OrcaLoadReport report;

/* What the server is told, and is expected to say. */
typedef struct load {
    double cpu, memory, util;
    double cost; /* 0: none */
} load;

/* A TestOrcaReport and what hangs on it. */
typedef struct request_report {
    Grpc__Testing__TestOrcaReport base;
    Grpc__Testing__TestOrcaReport__RequestCostEntry cost, *costs;
    Grpc__Testing__TestOrcaReport__UtilizationEntry use, *uses;
} request_report;

static Grpc__Testing__TestOrcaReport *fill_report(request_report *dst, const load *from)
{
    static char cost[] = "cost", util[] = "util";
    grpc__testing__test_orca_report__init(&dst->base);
    grpc__testing__test_orca_report__request_cost_entry__init(&dst->cost);
    grpc__testing__test_orca_report__utilization_entry__init(&dst->use);
    dst->base.cpu_utilization = from->cpu;
    dst->base.memory_utilization = from->memory;
    dst->cost.key = cost;
    dst->cost.value = from->cost;
    dst->costs = &dst->cost;
    dst->base.request_cost = &dst->costs;
    dst->base.n_request_cost = from->cost > 0;
    dst->use.key = util;
    dst->use.value = from->util;
    dst->uses = &dst->use;
    dst->base.utilization = &dst->uses;
    dst->base.n_utilization = 1;
    return &dst->base;
}

/* Numbers travel as they are: equal means to the bit. */
static bool same(double is, double wanted)
{
    return memcmp(&is, &wanted, sizeof(is)) == 0;
}

/* The report says that, and nothing else. */
static bool is_exactly(const report *r, const load *wanted)
{
    const size_t costs = wanted->cost > 0;
    if (r->n_utilization != 1 || r->n_request_cost != costs || r->n_named_metrics != 0)
        return false;
    if (costs && (strcmp(r->request_cost[0]->key, "cost") != 0 ||
                  !same(r->request_cost[0]->value, wanted->cost)))
        return false;
    return same(r->cpu_utilization, wanted->cpu) && same(r->mem_utilization, wanted->memory) &&
           strcmp(r->utilization[0]->key, "util") == 0 &&
           same(r->utilization[0]->value, wanted->util) && r->rps == 0 &&
           same(r->rps_fractional, 0) && same(r->eps, 0) && same(r->application_utilization, 0);
}

static bool expect_report(case_run *run, const report *r, const load *wanted)
{
    if (!r)
        return fail(run, "%s is no OrcaLoadReport", REPORT_KEY);
    return is_exactly(r, wanted) ||
           fail(run, "the report has cpu %g, memory %g, %zu costs, %zu utilizations; expected cpu %g, memory %g",
                r->cpu_utilization, r->mem_utilization, r->n_request_cost, r->n_utilization,
                wanted->cpu, wanted->memory);
}

bool orca_per_rpc(case_run *run)
{
    static const load told = {.cpu = 0.8210, .memory = 0.5847, .util = 0.30499, .cost = 3456.32};
    Grpc__Testing__SimpleRequest request = GRPC__TESTING__SIMPLE_REQUEST__INIT;
    request_report asked;
    oyez_str found = {NULL, 0};
    size_t count = 0;
    if (!begin(run, NULL))
        return false;
    request.orca_per_query_report = fill_report(&asked, &told);
    (void)test_call(unary_call)(stub_of(run), NULL, &request, NULL, &run->status);
    end(run);
    if (!expect_ok(run))
        return false;
    for (size_t at = 0; oyez_metadata_next(run->trailers, REPORT_KEY, &at, &found);)
        count++;
    if (count != 1)
        return fail(run, "%s is %zu times in the trailers, expected once", REPORT_KEY, count);
    report *r = xds__data__orca__v3__orca_load_report__unpack(NULL, found.len,
                                                              (const uint8_t *)found.data);
    bool ok = expect_report(run, r, &told);
    xds__data__orca__v3__orca_load_report__free_unpacked(r, NULL);
    return ok;
}

/* --- out of band ------------------------------------------------------------------------------ */

typedef xds_service_orca_v3_open_rca_service_stream_core_metrics_stream reports;
typedef grpc_testing_test_service_full_duplex_call_stream duplex;

/* Tells the server, and waits for its word that it has heard. */
static bool tell(duplex call, const load *what)
{
    Grpc__Testing__StreamingOutputCallRequest request =
        GRPC__TESTING__STREAMING_OUTPUT_CALL_REQUEST__INIT;
    Grpc__Testing__ResponseParameters parameters = GRPC__TESTING__RESPONSE_PARAMETERS__INIT;
    Grpc__Testing__ResponseParameters *pointer = &parameters;
    const Grpc__Testing__StreamingOutputCallResponse *response;
    request_report asked;
    parameters.size = 1;
    request.response_parameters = &pointer;
    request.n_response_parameters = 1;
    request.orca_oob_report = fill_report(&asked, what);
    return test_call(full_duplex_call_send)(call, &request) &&
           test_call(full_duplex_call_recv)(call, &response);
}

/* Reports come once a second; the deadline ends the wait. */
static bool hears(reports stream, const load *what)
{
    const report *r;
    while (xds_service_orca_v3_open_rca_service_stream_core_metrics_recv(stream, &r))
        if (is_exactly(r, what))
            return true;
    return false;
}

static bool tell_and_hear(case_run *run, duplex call, reports stream, const load *what)
{
    return (tell(call, what) || fail(run, "the server has not taken the report")) &&
           (hears(stream, what) ||
            fail(run, "no report out of band had cpu %g, memory %g", what->cpu, what->memory));
}

bool orca_oob(case_run *run)
{
    static const load loads[] = {{.cpu = 0.8210, .memory = 0.5847, .util = 0.30499},
                                 {.cpu = 0.29309, .memory = 0.2, .util = 0.2039}};
    Google__Protobuf__Duration interval = GOOGLE__PROTOBUF__DURATION__INIT;
    Xds__Service__Orca__V3__OrcaLoadReportRequest request =
        XDS__SERVICE__ORCA__V3__ORCA_LOAD_REPORT_REQUEST__INIT;
    reports stream;
    duplex call;
    if (!begin(run, NULL))
        return false;
    run->options.timeout = OOB_TIMEOUT;
    run->options.headers = run->options.trailers = NULL; /* two calls at once */
    interval.seconds = REPORT_INTERVAL;
    request.report_interval = &interval;
    const xds_service_orca_v3_open_rca_service_stub orca = {.channel = run->channel,
                                                            .options = &run->options};
    if (xds_service_orca_v3_open_rca_service_stream_core_metrics(orca, NULL, &request, &stream))
        return fail(run, "the stream of reports cannot be started");
    if (test_call(full_duplex_call)(stub_of(run), NULL, &call)) {
        (void)oyez_stream_unref(stream.base);
        return fail(run, "the call cannot be started");
    }
    bool ok = tell_and_hear(run, call, stream, &loads[0]) &&
              tell_and_hear(run, call, stream, &loads[1]);
    oyez_stream_cancel(stream.base);
    oyez_code code = oyez_stream_finish(stream.base, NULL);
    (void)oyez_stream_finish(call.base, &run->status);
    end(run);
    if (!ok)
        return false;
    if (code != OYEZ_CANCELLED)
        return fail(run, "the stream of reports ended with %s, expected CANCELLED",
                    oyez_code_name(code));
    return expect_ok(run);
}

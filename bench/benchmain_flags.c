/* SPDX-License-Identifier: Apache-2.0 */
/* Flags of benchmain: gRPC-Go's, with what they may be here; and the matrix that they make. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmain.h"
#include "messages.h"
#include "support/flags.h"

const char *const workload_names[WORKLOADS] = {"unary", "streaming", "unconstrained"};

/* The text of the flags, before it is looked into. */
typedef struct raw_flags {
    const char *workloads, *preloader, *recv_pool, *network, *latency, *kbps, *mtu, *calls, *req,
        *resp, *sleep, *bench_time, *client_read, *client_write, *server_read, *server_write,
        *handler, *client;
    int connections;
} raw_flags;

/* --- lists ------------------------------------------------------------------------------------ */

static bool parse_item(const char *flag, const char *text, bool is_time, int64_t least,
                       int64_t most, int64_t *ret_value)
{
    char *end;
    errno = 0;
    if (is_time ? bench_time_parse(text, ret_value)
                : ((*ret_value = strtoimax(text, &end, 10)), end != text && *end == '\0' && !errno))
        if (*ret_value >= least && *ret_value <= most)
            return true;
    if (is_time)
        fprintf(stderr, "-%s=%s: a time such as 40ms is wanted\n", flag, text);
    else
        fprintf(stderr, "-%s=%s: a number from %" PRId64 " to %" PRId64 " is wanted\n", flag, text,
                least, most);
    return false;
}

/* "1,8,64" into a dimension. */
static bool parse_list(matrix *m, feature which, const char *flag, const char *text, int64_t least,
                       int64_t most)
{
    char item[64];
    m->counts[which] = 0;
    while (true) {
        const char *comma = strchr(text, ',');
        size_t len = comma ? (size_t)(comma - text) : strlen(text);
        if (len >= sizeof(item) || m->counts[which] == MAX_VALUES) {
            fprintf(stderr, "-%s: too long, or too many values\n", flag);
            return false;
        }
        memcpy(item, text, len);
        item[len] = '\0';
        if (!parse_item(flag, item, feature_infos[which].kind == KIND_TIME, least, most,
                        &m->numbers[which][m->counts[which]]))
            return false;
        m->counts[which]++;
        if (!comma)
            return true;
        text = comma + 1;
    }
}

static void set_one(matrix *m, feature which, int64_t value)
{
    m->counts[which] = 1;
    m->numbers[which][0] = value;
}

static void set_word(matrix *m, feature which, const char *word)
{
    bench_copy(m->words[which][m->counts[which]++], FEATURE_WORD_BYTES, word);
}

/* off, on, both; both is off and then on. */
static void set_switch(matrix *m, feature which, const char *word)
{
    m->counts[which] = 0;
    if (strcmp(word, "on") != 0)
        m->numbers[which][m->counts[which]++] = 0;
    if (strcmp(word, "off") != 0)
        m->numbers[which][m->counts[which]++] = 1;
}

/* --- what cannot be had ----------------------------------------------------------------------- */

static bool parse_network(matrix *m, const raw_flags *raw)
{
    static const char *const simulated[] = {"LAN", "WAN", "Longhaul"};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(raw->network, simulated[i]) == 0) {
            fprintf(
                stderr,
                "-networkMode=%s: there is no latency simulator here yet; Local and none can be "
                "had\n",
                raw->network);
            return false;
        }
    if (strcmp(raw->network, "Local") != 0 && strcmp(raw->network, "none") != 0) {
        fprintf(stderr, "-networkMode=%s: want one of: none, Local, LAN, WAN, Longhaul\n",
                raw->network);
        return false;
    }
    bench_copy(m->base.network, sizeof(m->base.network), raw->network);
    const struct {
        feature which;
        const char *flag, *text;
    } delays[] = {{FEATURE_LATENCY, "latency", raw->latency},
                  {FEATURE_KBPS, "kbps", raw->kbps},
                  {FEATURE_MTU, "mtu", raw->mtu}};
    for (size_t i = 0; i < 3; i++) {
        feature which = delays[i].which;
        if (strcmp(raw->network, "Local") == 0) {
            set_one(m, which, 0); /* one value each, as in gRPC-Go */
            continue;
        }
        if (!parse_list(m, which, delays[i].flag, delays[i].text, INT32_MIN, INT64_MAX))
            return false;
        for (size_t j = 0; j < m->counts[which]; j++) {
            if (m->numbers[which][j] > 0) {
                fprintf(stderr,
                        "-%s=%s: there is no latency simulator here yet, so only 0 can be had\n",
                        delays[i].flag, delays[i].text);
                return false;
            }
        }
    }
    return true;
}

static bool parse_buffers(matrix *m, const raw_flags *raw)
{
    const struct {
        feature which;
        const char *flag, *text;
    } buffers[] = {{FEATURE_CLIENT_READ, "clientReadBufferSize", raw->client_read},
                   {FEATURE_CLIENT_WRITE, "clientWriteBufferSize", raw->client_write},
                   {FEATURE_SERVER_READ, "serverReadBufferSize", raw->server_read},
                   {FEATURE_SERVER_WRITE, "serverWriteBufferSize", raw->server_write}};
    for (size_t i = 0; i < 4; i++) {
        if (!parse_list(m, buffers[i].which, buffers[i].flag, buffers[i].text, INT32_MIN, -1)) {
            fprintf(stderr,
                    "-%s: a connection has no read or write buffer of its own here, so only -1 "
                    "can be had\n",
                    buffers[i].flag);
            return false;
        }
    }
    return true;
}

static bool parse_sleep(matrix *m, const raw_flags *raw)
{
    if (!parse_list(m, FEATURE_SLEEP, "sleepBetweenRPCs", raw->sleep, 0, INT64_MAX))
        return false;
    bool sleeps = false;
    for (size_t i = 0; i < m->counts[FEATURE_SLEEP]; i++)
        sleeps = sleeps || m->numbers[FEATURE_SLEEP][i] > 0;
    if (sleeps && strcmp(raw->client, "blocking") != 0) {
        fprintf(stderr, "-sleepBetweenRPCs=%s: only threads can sleep: -client=blocking\n",
                raw->sleep);
        return false;
    }
    if (sleeps && m->workloads[WORKLOAD_UNCONSTRAINED] && strcmp(raw->handler, "workers") != 0) {
        fprintf(stderr,
                "-sleepBetweenRPCs=%s: handlers of unconstrained streams sleep, too: "
                "-handler=workers\n",
                raw->sleep);
        return false;
    }
    return true;
}

static bool parse_workloads(matrix *m, const char *text)
{
    bool known = strcmp(text, "all") == 0;
    for (size_t i = 0; i < WORKLOADS; i++) {
        m->workloads[i] = strcmp(text, "all") == 0 || strcmp(text, workload_names[i]) == 0;
        known = known || m->workloads[i];
    }
    if (!known)
        fprintf(stderr, "-workloads=%s: want one of: unary, streaming, unconstrained, all\n", text);
    return known;
}

static bool fill(matrix *m, const raw_flags *raw)
{
    if (!parse_workloads(m, raw->workloads) || !parse_network(m, raw) || !parse_buffers(m, raw) ||
        !parse_sleep(m, raw) ||
        !parse_list(m, FEATURE_CALLS, "maxConcurrentCalls", raw->calls, 1, 100000) ||
        !parse_list(m, FEATURE_REQ, "reqSizeBytes", raw->req[0] ? raw->req : "1,1024,1048576", 0,
                    MAX_PAYLOAD) ||
        !parse_list(m, FEATURE_RESP, "respSizeBytes", raw->resp[0] ? raw->resp : "1,1024,1048576",
                    0, MAX_PAYLOAD) ||
        !parse_item("benchtime", raw->bench_time, true, 1, INT64_MAX, &m->base.bench_time))
        return false;
    set_one(m, FEATURE_TRACE, 0);
    set_one(m, FEATURE_CHANNELZ, 0);
    set_one(m, FEATURE_SHARED_WRITE, 1);
    set_word(m, FEATURE_COMPRESSION, "off");
    set_switch(m, FEATURE_PRELOADER, raw->preloader);
    if (strcmp(raw->recv_pool, "simple") != 0)
        set_word(m, FEATURE_RECV_POOL, "nil");
    if (strcmp(raw->recv_pool, "nil") != 0)
        set_word(m, FEATURE_RECV_POOL, "simple");
    m->base.connections = raw->connections;
    bench_copy(m->base.handler, sizeof(m->base.handler), raw->handler);
    bench_copy(m->base.client, sizeof(m->base.client), raw->client);
    return true;
}

int matrix_parse(matrix *m, int argc, char **argv)
{
    raw_flags raw = {.workloads = "all",
                     .preloader = "off",
                     .recv_pool = "simple",
                     .network = "none",
                     .latency = "0",
                     .kbps = "0",
                     .mtu = "0",
                     .calls = "1,8,64,512",
                     .req = "",
                     .resp = "",
                     .sleep = "0",
                     .bench_time = "1s",
                     .client_read = "-1",
                     .client_write = "-1",
                     .server_read = "-1",
                     .server_write = "-1",
                     .handler = "loop",
                     .client = "async",
                     .connections = 1};
    const char *no_go = "there is nothing of the kind in C; only off can be had";
    const char *no_curve = "payload curves are not there yet; give sizes";
    m->result_file = "";
    m->loops = 1;
    const oy_flag flags[] = {
        {.name = "workloads",
         .kind = OY_FLAG_TEXT,
         .value = &raw.workloads,
         .help = "unary, streaming, unconstrained or all"},
        {.name = "benchtime",
         .kind = OY_FLAG_TEXT,
         .value = &raw.bench_time,
         .help = "of each run, such as 10s"},
        {.name = "maxConcurrentCalls",
         .kind = OY_FLAG_TEXT,
         .value = &raw.calls,
         .help = "of a connection; a list, as most"},
        {.name = "reqSizeBytes",
         .kind = OY_FLAG_TEXT,
         .value = &raw.req,
         .help = "of the payload; a list"},
        {.name = "respSizeBytes",
         .kind = OY_FLAG_TEXT,
         .value = &raw.resp,
         .help = "of the payload; a list"},
        {.name = "connections",
         .kind = OY_FLAG_INT,
         .value = &raw.connections,
         .help = "each with so many calls",
         .least = 1,
         .most = 10000},
        {.name = "resultFile",
         .kind = OY_FLAG_TEXT,
         .value = &m->result_file,
         .help = "where results go, for benchresult"},
        {.name = "networkMode",
         .kind = OY_FLAG_TEXT,
         .value = &raw.network,
         .help = "none or Local"},
        {.name = "latency", .kind = OY_FLAG_TEXT, .value = &raw.latency, .help = "only 0"},
        {.name = "kbps", .kind = OY_FLAG_TEXT, .value = &raw.kbps, .help = "only 0"},
        {.name = "mtu", .kind = OY_FLAG_TEXT, .value = &raw.mtu, .help = "only 0"},
        {.name = "preloader",
         .kind = OY_FLAG_WORD,
         .value = &raw.preloader,
         .help = "messages of streams are encoded once",
         .words = "off|on|both"},
        {.name = "recvBufferPool",
         .kind = OY_FLAG_WORD,
         .value = &raw.recv_pool,
         .help = "nil: memory of messages is not pooled",
         .words = "nil|simple|all"},
        {.name = "sleepBetweenRPCs",
         .kind = OY_FLAG_TEXT,
         .value = &raw.sleep,
         .help = "at most so long, by chance; a list"},
        {.name = "enable_keepalive",
         .kind = OY_FLAG_BOOL,
         .value = &m->base.keepalive,
         .help = "both sides send PINGs after 10 s"},
        {.name = "handler",
         .kind = OY_FLAG_WORD,
         .value = &raw.handler,
         .help = "where handlers run",
         .words = "loop|workers"},
        {.name = "client",
         .kind = OY_FLAG_WORD,
         .value = &raw.client,
         .help = "how callers wait",
         .words = "async|blocking"},
        {.name = "loops",
         .kind = OY_FLAG_INT,
         .value = &m->loops,
         .help = "loop threads of either side",
         .least = 1,
         .most = 64},
        {.name = "bufconn",
         .kind = OY_FLAG_OFF,
         .help = "there is no transport within a process yet; only false can be had"},
        {.name = "compression",
         .kind = OY_FLAG_OFF,
         .words = "off",
         .help = "there are no compressors yet; only off can be had"},
        {.name = "channelz",
         .kind = OY_FLAG_OFF,
         .words = "off",
         .help = "there is no channelz yet; only off can be had"},
        {.name = "sharedWriteBuffer",
         .kind = OY_FLAG_OFF,
         .words = "on|true",
         .help = "connections of a loop share what they write from; only on can be had"},
        {.name = "clientReadBufferSize",
         .kind = OY_FLAG_TEXT,
         .value = &raw.client_read,
         .help = "only -1"},
        {.name = "clientWriteBufferSize",
         .kind = OY_FLAG_TEXT,
         .value = &raw.client_write,
         .help = "only -1"},
        {.name = "serverReadBufferSize",
         .kind = OY_FLAG_TEXT,
         .value = &raw.server_read,
         .help = "only -1"},
        {.name = "serverWriteBufferSize",
         .kind = OY_FLAG_TEXT,
         .value = &raw.server_write,
         .help = "only -1"},
        {.name = "reqPayloadCurveFiles", .kind = OY_FLAG_OFF, .help = no_curve},
        {.name = "respPayloadCurveFiles", .kind = OY_FLAG_OFF, .help = no_curve},
        {.name = "trace", .kind = OY_FLAG_OFF, .words = "off", .help = no_go},
        {.name = "memProfile", .kind = OY_FLAG_OFF, .help = no_go},
        {.name = "cpuProfile", .kind = OY_FLAG_OFF, .help = no_go},
        {.name = "memProfileRate", .kind = OY_FLAG_OFF, .words = "0|524288", .help = no_go},
    };
    switch (oy_flags_parse(
        flags, sizeof(flags) / sizeof(flags[0]),
        "Calls of grpc.testing.BenchmarkService in one process: every combination of "
        "the lists.",
        argc, argv)) {
    case OY_FLAGS_HELP:
        return 1;
    case OY_FLAGS_WRONG:
        return 2;
    case OY_FLAGS_GO:
        break;
    }
    return fill(m, &raw) ? 0 : 2;
}

/* --- the odometer ----------------------------------------------------------------------------- */

void matrix_get(const matrix *m, features *ret_features)
{
    *ret_features = m->base;
    for (feature which = 0; which < FEATURES; which++) {
        if (m->counts[which] == 0)
            continue;
        size_t index = m->indexes[which];
        ret_features->numbers[which] = m->numbers[which][index];
        bench_copy(ret_features->words[which], FEATURE_WORD_BYTES, m->words[which][index]);
    }
}

bool matrix_next(matrix *m)
{
    for (feature which = FEATURES; which-- > 0;) {
        if (m->counts[which] == 0)
            continue;
        if (++m->indexes[which] < m->counts[which])
            return true;
        m->indexes[which] = 0;
    }
    return false;
}

size_t matrix_count(const matrix *m)
{
    size_t count = 1;
    for (feature which = 0; which < FEATURES; which++)
        if (m->counts[which] > 0)
            count *= m->counts[which];
    return count;
}

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
    const char *workloads, *preloader, *recv_pool, *compression, *network, *latency, *kbps, *mtu,
        *calls, *req, *resp, *req_curves, *resp_curves, *sleep, *bench_time, *client_read,
        *client_write, *server_read, *server_write, *handler, *client;
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

/* --- the network ------------------------------------------------------------------------------ */

/* gRPC-Go's modes: one value each of latency, kbps and mtu. */
static const struct {
    const char *name;
    int64_t latency, kbps, mtu;
} modes[] = {
    {"Local", 0, 0, 0},
    {"LAN", 2 * OYEZ_MILLISECOND, (int64_t)100 * 1024, 1500},
    {"WAN", 30 * OYEZ_MILLISECOND, (int64_t)20 * 1024, 1500},
    {"Longhaul", 200 * OYEZ_MILLISECOND, (int64_t)1000 * 1024, 9000},
};

/* What is sent in memory passes no link. */
static bool check_bufconn(const matrix *m, const raw_flags *raw)
{
    bool slow = false;
    const feature shape[] = {FEATURE_LATENCY, FEATURE_KBPS, FEATURE_MTU};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < m->counts[shape[i]]; j++)
            slow = slow || m->numbers[shape[i]][j] > 0;
    if (m->base.bufconn && slow)
        fprintf(stderr,
                "-bufconn: the simulated network lies between sockets, so -networkMode=%s and "
                "-latency, -kbps, -mtu other than 0 cannot be had with it\n",
                raw->network);
    return !(m->base.bufconn && slow);
}

static bool parse_network(matrix *m, const raw_flags *raw)
{
    const struct {
        feature which;
        const char *flag, *text, *usual;
    } shape[] = {{FEATURE_LATENCY, "latency", raw->latency, "0,40ms"},
                 {FEATURE_KBPS, "kbps", raw->kbps, "0,10240"},
                 {FEATURE_MTU, "mtu", raw->mtu, "0"}};
    bench_copy(m->base.network, sizeof(m->base.network), raw->network);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (strcmp(raw->network, modes[i].name) == 0) {
            set_one(m, FEATURE_LATENCY, modes[i].latency);
            set_one(m, FEATURE_KBPS, modes[i].kbps);
            set_one(m, FEATURE_MTU, modes[i].mtu);
            return check_bufconn(m, raw);
        }
    }
    if (strcmp(raw->network, "none") != 0) {
        fprintf(stderr, "-networkMode=%s: want one of: none, Local, LAN, WAN, Longhaul\n",
                raw->network);
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        const char *usual = m->base.bufconn ? "0" : shape[i].usual;
        const char *text = shape[i].text[0] ? shape[i].text : usual;
        if (!parse_list(m, shape[i].which, shape[i].flag, text, INT32_MIN, INT64_MAX))
            return false;
    }
    return check_bufconn(m, raw);
}

/* --- payloads --------------------------------------------------------------------------------- */

/* The next of a list of names, as encoding/csv writes them: "a,b" holds a comma, "" a quote. */
static bool next_name(const char **at, char *dst, size_t cap)
{
    size_t len = 0;
    const char *p = *at;
    bool quoted = *p == '"';
    p += quoted;
    while (*p && len + 1 < cap && (quoted || *p != ',')) {
        if (quoted && *p == '"') {
            p++;
            if (*p != '"')
                break;
        }
        dst[len++] = *p++;
    }
    dst[len] = '\0';
    *at = p + (*p == ',');
    return len > 0 && (*p == ',' || *p == '\0');
}

static bool parse_curves(matrix *m, feature which, const char *flag, const char *text)
{
    char path[1024];
    while (*text) {
        size_t index = m->counts[which];
        if (index == MAX_VALUES || !next_name(&text, path, sizeof(path))) {
            fprintf(stderr, "-%s: a list of at most %d files is wanted\n", flag, MAX_VALUES);
            return false;
        }
        curve *c = curve_load(path, MAX_PAYLOAD);
        if (!c)
            return false;
        m->curves[which - FEATURE_REQ_CURVE][index] = c;
        set_word(m, which, c->name);
    }
    return true;
}

/* Of either side sizes or curves. */
static bool parse_payloads(matrix *m, const raw_flags *raw)
{
    const struct {
        feature sizes, curves;
        const char *size_flag, *curve_flag, *size_text, *curve_text;
    } sides[] = {{FEATURE_REQ, FEATURE_REQ_CURVE, "reqSizeBytes", "reqPayloadCurveFiles", raw->req,
                  raw->req_curves},
                 {FEATURE_RESP, FEATURE_RESP_CURVE, "respSizeBytes", "respPayloadCurveFiles",
                  raw->resp, raw->resp_curves}};
    for (size_t i = 0; i < 2; i++) {
        bool curves = sides[i].curve_text[0] != '\0';
        if (curves && sides[i].size_text[0]) {
            fprintf(stderr, "-%s and -%s: only one of them can be had\n", sides[i].size_flag,
                    sides[i].curve_flag);
            return false;
        }
        if (curves && strcmp(raw->preloader, "off") != 0) {
            fprintf(stderr, "-%s: payloads that are encoded once have one size: -preloader=off\n",
                    sides[i].curve_flag);
            return false;
        }
        const char *sizes = sides[i].size_text[0] ? sides[i].size_text : "1,1024,1048576";
        if (curves ? !parse_curves(m, sides[i].curves, sides[i].curve_flag, sides[i].curve_text)
                   : !parse_list(m, sides[i].sizes, sides[i].size_flag, sizes, 0, MAX_PAYLOAD))
            return false;
    }
    return true;
}

/* --- what cannot be had ----------------------------------------------------------------------- */

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
        !parse_payloads(m, raw) ||
        !parse_item("benchtime", raw->bench_time, true, 1, INT64_MAX, &m->base.bench_time))
        return false;
    set_one(m, FEATURE_TRACE, 0);
    set_one(m, FEATURE_CHANNELZ, 0);
    set_one(m, FEATURE_SHARED_WRITE, 1);
    const char *const compressions[] = {"nop", "gzip", "off"}; /* the order of "all" */
    for (size_t i = 0; i < 3; i++)
        if (strcmp(raw->compression, "all") == 0 || strcmp(raw->compression, compressions[i]) == 0)
            set_word(m, FEATURE_COMPRESSION, compressions[i]);
    if (!oyez_gzip(0) && strcmp(raw->compression, "off") != 0 &&
        strcmp(raw->compression, "nop") != 0) {
        fprintf(stderr, "-compression=%s: this build has no gzip\n", raw->compression);
        return false;
    }
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
                     .compression = "off",
                     .network = "none",
                     .latency = "",
                     .kbps = "",
                     .mtu = "",
                     .calls = "1,8,64,512",
                     .req = "",
                     .resp = "",
                     .req_curves = "",
                     .resp_curves = "",
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
    m->result_file = "";
    m->loops = m->runs = 1;
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
         .help = "Local, LAN, WAN, Longhaul, or none: latency, kbps and mtu"},
        {.name = "latency",
         .kind = OY_FLAG_TEXT,
         .value = &raw.latency,
         .help = "of the network, one way; a list"},
        {.name = "kbps",
         .kind = OY_FLAG_TEXT,
         .value = &raw.kbps,
         .help = "of the network; a list"},
        {.name = "mtu",
         .kind = OY_FLAG_TEXT,
         .value = &raw.mtu,
         .help = "bytes of a packet of the network; a list"},
        {.name = "runs",
         .kind = OY_FLAG_INT,
         .value = &m->runs,
         .help = "of the whole matrix, for benchresult to compare",
         .least = 1,
         .most = 100},
        {.name = "bufconn",
         .kind = OY_FLAG_BOOL,
         .value = &m->base.bufconn,
         .help = "in memory, without sockets"},
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
        {.name = "compression",
         .kind = OY_FLAG_WORD,
         .value = &raw.compression,
         .help = "of all messages; nop copies bytes",
         .words = "off|gzip|nop|all"},
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
        {.name = "reqPayloadCurveFiles",
         .kind = OY_FLAG_TEXT,
         .value = &raw.req_curves,
         .help = "lines of from,to,weight, instead of sizes; a list"},
        {.name = "respPayloadCurveFiles",
         .kind = OY_FLAG_TEXT,
         .value = &raw.resp_curves,
         .help = "likewise"},
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

const curve *matrix_curve(const matrix *m, feature which)
{
    return m->counts[which] ? m->curves[which - FEATURE_REQ_CURVE][m->indexes[which]] : NULL;
}

void matrix_fini(matrix *m)
{
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < MAX_VALUES; j++)
            free(m->curves[i][j]);
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

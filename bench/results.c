/* SPDX-License-Identifier: Apache-2.0 */
/* Result files, by jansson. */
#include "results.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing ---------------------------------------------------------------------------------- */

static json_t *features_to_json(const features *f)
{
    json_t *object =
        json_pack("{s:s, s:b, s:b, s:I}", "NetworkMode", f->network, "UseBufConn", f->bufconn,
                  "EnableKeepalive", f->keepalive, "BenchTime", (json_int_t)f->bench_time);
    for (feature which = 0; which < FEATURES && object; which++) {
        const feature_info *info = &feature_infos[which];
        json_t *value;
        if (!feature_has(f, which))
            value = json_null();
        else if (info->kind == KIND_WORD)
            value = json_string(f->words[which]);
        else if (info->kind == KIND_BOOL)
            value = json_boolean(f->numbers[which] != 0);
        else
            value = json_integer((json_int_t)f->numbers[which]);
        if (which == FEATURE_RECV_POOL)
            (void)json_object_set_new(object, "Connections",
                                      json_integer((json_int_t)f->connections));
        (void)json_object_set_new(object, info->name, value);
    }
    (void)json_object_set_new(object, "Handler", json_string(f->handler));
    (void)json_object_set_new(object, "Client", json_string(f->client));
    return object;
}

const double latency_levels[LATENCY_LEVELS] = {0, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100};

/* "99.9": 132000, ... What gRPC-Go's files do not have. */
static json_t *levels_to_json(const run_data *d)
{
    json_t *object = json_object();
    for (size_t i = 0; i < LATENCY_LEVELS; i++) {
        char name[64];
        (void)json_object_set_new(object, bench_number_text(latency_levels[i], name, sizeof(name)),
                                  json_integer((json_int_t)d->levels[i]));
    }
    return object;
}

static void levels_from_json(const json_t *object, run_data *d)
{
    for (size_t i = 0; i < LATENCY_LEVELS; i++) {
        char name[64];
        const json_t *value =
            json_object_get(object, bench_number_text(latency_levels[i], name, sizeof(name)));
        double level = latency_levels[i];
        d->levels[i] = level == 50 ? d->p50 : level == 90 ? d->p90 : level == 99 ? d->p99 : 0;
        if (value)
            d->levels[i] = (int64_t)json_number_value(value);
    }
}

static json_t *result_to_json(const bench_result *r)
{
    const run_data *d = &r->data;
    json_t *shared = json_array();
    for (feature which = 0; which < FEATURES; which++)
        (void)json_array_append_new(shared, json_boolean(r->shared[which]));
    json_t *data = json_pack("{s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I}", "TotalOps",
                             (json_int_t)d->total_ops, "SendOps", (json_int_t)d->send_ops,
                             "RecvOps", (json_int_t)d->recv_ops, "AllocedBytes", d->bytes, "Allocs",
                             d->allocs, "ReqT", d->req_rate, "RespT", d->resp_rate, "Fiftieth",
                             (json_int_t)d->p50, "Ninetieth", (json_int_t)d->p90, "NinetyNinth",
                             (json_int_t)d->p99, "Average", (json_int_t)d->mean);
    (void)json_object_set_new(data, "Latencies", levels_to_json(d));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "GoVersion", r->compiler, "GrpcVersion",
                     r->version, "RunMode", r->mode, "Features", features_to_json(&r->features),
                     "SharedFeatures", shared, "Data", data);
}

bool results_save(const char *path, const bench_result *results, size_t count)
{
    char beside[4096];
    json_t *array = json_array();
    bool ok = array != NULL;
    for (size_t i = 0; i < count && ok; i++)
        ok = json_array_append_new(array, result_to_json(&results[i])) == 0;
    int len = snprintf(beside, sizeof(beside), "%s.new", path);
    ok = ok && len > 0 && (size_t)len < sizeof(beside) &&
         json_dump_file(array, beside, JSON_INDENT(1)) == 0;
    if (!ok || rename(beside, path) != 0) {
        fprintf(stderr, "%s: the results cannot be written there\n", path);
        ok = false;
    }
    json_decref(array);
    return ok;
}

/* --- reading ---------------------------------------------------------------------------------- */

static void get_text(const json_t *object, const char *name, char *dst, size_t cap)
{
    const char *text = json_string_value(json_object_get(object, name));
    bench_copy(dst, cap, text ? text : "");
}

static int64_t get_int(const json_t *object, const char *name)
{
    return (int64_t)json_number_value(json_object_get(object, name));
}

static void features_from_json(const json_t *object, features *f)
{
    get_text(object, "NetworkMode", f->network, sizeof(f->network));
    f->bufconn = json_is_true(json_object_get(object, "UseBufConn"));
    f->keepalive = json_is_true(json_object_get(object, "EnableKeepalive"));
    f->bench_time = get_int(object, "BenchTime");
    f->connections = get_int(object, "Connections");
    for (feature which = 0; which < FEATURES; which++) {
        const feature_info *info = &feature_infos[which];
        if (info->kind == KIND_WORD)
            get_text(object, info->name, f->words[which], sizeof(f->words[which]));
        else if (info->kind == KIND_BOOL)
            f->numbers[which] = json_is_true(json_object_get(object, info->name));
        else
            f->numbers[which] = get_int(object, info->name);
    }
    get_text(object, "Handler", f->handler, sizeof(f->handler));
    get_text(object, "Client", f->client, sizeof(f->client));
}

static bool result_from_json(const json_t *object, bench_result *r)
{
    const json_t *data = json_object_get(object, "Data");
    const json_t *list = json_object_get(object, "Features");
    const json_t *shared = json_object_get(object, "SharedFeatures");
    if (!json_is_object(data) || !json_is_object(list))
        return false;
    get_text(object, "GoVersion", r->compiler, sizeof(r->compiler));
    get_text(object, "GrpcVersion", r->version, sizeof(r->version));
    get_text(object, "RunMode", r->mode, sizeof(r->mode));
    features_from_json(list, &r->features);
    for (feature which = 0; which < FEATURES; which++)
        r->shared[which] = json_is_true(json_array_get(shared, which));
    r->data = (run_data){
        .total_ops = (uint64_t)get_int(data, "TotalOps"),
        .send_ops = (uint64_t)get_int(data, "SendOps"),
        .recv_ops = (uint64_t)get_int(data, "RecvOps"),
        .bytes = json_number_value(json_object_get(data, "AllocedBytes")),
        .allocs = json_number_value(json_object_get(data, "Allocs")),
        .req_rate = json_number_value(json_object_get(data, "ReqT")),
        .resp_rate = json_number_value(json_object_get(data, "RespT")),
        .p50 = get_int(data, "Fiftieth"),
        .p90 = get_int(data, "Ninetieth"),
        .p99 = get_int(data, "NinetyNinth"),
        .mean = get_int(data, "Average"),
    };
    levels_from_json(json_object_get(data, "Latencies"), &r->data);
    return true;
}

bool results_load(const char *path, bench_result **ret_results, size_t *ret_count)
{
    json_error_t error;
    json_t *array = json_load_file(path, 0, &error);
    if (!array) {
        fprintf(stderr, "%s: %s", path, error.text);
        fprintf(stderr, error.line > 0 ? " (line %d)\n" : "\n", error.line);
        return false;
    }
    size_t count = json_array_size(array);
    bench_result *results = calloc(count ? count : 1, sizeof(*results));
    bool ok = results && json_is_array(array) && count > 0;
    for (size_t i = 0; i < count && ok; i++)
        ok = result_from_json(json_array_get(array, i), &results[i]);
    json_decref(array);
    if (!ok) {
        fprintf(stderr, "%s: not a list of results of benchmain\n", path);
        free(results);
        return false;
    }
    *ret_results = results;
    *ret_count = count;
    return true;
}

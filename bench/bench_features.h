/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of benchmain is made of: gRPC-Go's features, in its order and under its names, and two
 * of our own (where handlers run, and how the client waits). Shared by benchmain, which multiplies
 * them, and benchresult, which reads them from files. */
#ifndef OY_BENCH_BENCH_FEATURES_H
#define OY_BENCH_BENCH_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The dimensions of the matrix; the last varies fastest. */
typedef enum feature {
    FEATURE_TRACE,
    FEATURE_LATENCY, /* nanoseconds, as all times */
    FEATURE_KBPS,
    FEATURE_MTU,
    FEATURE_CALLS, /* of a connection at a time */
    FEATURE_REQ,   /* bytes */
    FEATURE_RESP,
    FEATURE_REQ_CURVE, /* a dimension without values: see `has` */
    FEATURE_RESP_CURVE,
    FEATURE_COMPRESSION, /* a word, see feature_word */
    FEATURE_CHANNELZ,
    FEATURE_PRELOADER,
    FEATURE_CLIENT_READ,
    FEATURE_CLIENT_WRITE,
    FEATURE_SERVER_READ,
    FEATURE_SERVER_WRITE,
    FEATURE_SLEEP,
    FEATURE_RECV_POOL, /* a word */
    FEATURE_SHARED_WRITE,
    FEATURES
} feature;

typedef enum feature_kind { KIND_BOOL, KIND_INT, KIND_BYTES, KIND_TIME, KIND_WORD } feature_kind;

typedef struct feature_info {
    const char *name; /* in result files and tables: "MaxConcurrentCalls" */
    const char *key;  /* in the name of a run: "maxConcurrentCalls" */
    feature_kind kind;
    bool empty_by_default; /* curves */
} feature_info;

extern const feature_info feature_infos[FEATURES];

#define FEATURE_WORD_BYTES 80

typedef struct features {
    char network[FEATURE_WORD_BYTES];
    bool bufconn;
    bool keepalive;
    int64_t bench_time;
    int64_t connections;
    int64_t numbers[FEATURES];
    char words[FEATURES][FEATURE_WORD_BYTES]; /* of KIND_WORD; "" for a curve that there is not */
    char handler[FEATURE_WORD_BYTES];         /* "loop" or "workers"; "" in the files of others */
    char client[FEATURE_WORD_BYTES];          /* "async" or "blocking"; "" likewise */
} features;

/* False for a curve that there is not, and for a size in whose place there is a curve. */
bool feature_has(const features *f, feature which);
/* The value as it is written: "0s", "true", "100", "1". */
const char *feature_text(const features *f, feature which, char *dst, size_t cap);
/* All of them joined by '-', without the workload in front. */
const char *features_name(const features *f, bool with_own, char *dst, size_t cap);

/* A time as Go writes it: "40ms", "1m30s", "124.371µs". */
const char *bench_time_text(int64_t nanoseconds, char *dst, size_t cap);
/* ... and reads it. False if it is none. */
bool bench_time_parse(const char *text, int64_t *ret_nanoseconds);
/* Sleeps that long, whatever signals come. */
void bench_sleep(int64_t nanoseconds);
/* At most four digits behind the point, and no more than are needed. */
const char *bench_number_text(double value, char *dst, size_t cap);
/* snprintf to a fixed buffer; what does not fit is cut off. */
void bench_copy(char *dst, size_t cap, const char *text);

#endif

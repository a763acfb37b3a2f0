/* SPDX-License-Identifier: Apache-2.0 */
/* The table of features, and how names and values are written. */
#include "bench_features.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const feature_info feature_infos[FEATURES] = {
    [FEATURE_TRACE] = {"EnableTrace", "trace", KIND_BOOL, false},
    [FEATURE_LATENCY] = {"Latency", "latency", KIND_TIME, false},
    [FEATURE_KBPS] = {"Kbps", "kbps", KIND_INT, false},
    [FEATURE_MTU] = {"MTU", "MTU", KIND_INT, false},
    [FEATURE_CALLS] = {"MaxConcurrentCalls", "maxConcurrentCalls", KIND_INT, false},
    [FEATURE_REQ] = {"ReqSizeBytes", "reqSize", KIND_BYTES, false},
    [FEATURE_RESP] = {"RespSizeBytes", "respSize", KIND_BYTES, false},
    [FEATURE_REQ_CURVE] = {"ReqPayloadCurve", "reqPayloadCurve", KIND_WORD, true},
    [FEATURE_RESP_CURVE] = {"RespPayloadCurve", "respPayloadCurve", KIND_WORD, true},
    [FEATURE_COMPRESSION] = {"ModeCompressor", "compressor", KIND_WORD, false},
    [FEATURE_CHANNELZ] = {"EnableChannelz", "channelz", KIND_BOOL, false},
    [FEATURE_PRELOADER] = {"EnablePreloader", "preloader", KIND_BOOL, false},
    [FEATURE_CLIENT_READ] = {"ClientReadBufferSize", "clientReadBufferSize", KIND_INT, false},
    [FEATURE_CLIENT_WRITE] = {"ClientWriteBufferSize", "clientWriteBufferSize", KIND_INT, false},
    [FEATURE_SERVER_READ] = {"ServerReadBufferSize", "serverReadBufferSize", KIND_INT, false},
    [FEATURE_SERVER_WRITE] = {"ServerWriteBufferSize", "serverWriteBufferSize", KIND_INT, false},
    [FEATURE_SLEEP] = {"SleepBetweenRPCs", "sleepBetweenRPCs", KIND_TIME, false},
    [FEATURE_RECV_POOL] = {"RecvBufferPool", "recvBufferPool", KIND_WORD, false},
    [FEATURE_SHARED_WRITE] = {"SharedWriteBuffer", "sharedWriteBuffer", KIND_BOOL, false},
};

void bench_copy(char *dst, size_t cap, const char *text)
{
    (void)snprintf(dst, cap, "%s", text);
}

bool feature_has(const features *f, feature which)
{
    if (feature_infos[which].empty_by_default)
        return f->words[which][0] != '\0';
    if (which == FEATURE_REQ)
        return f->words[FEATURE_REQ_CURVE][0] == '\0';
    if (which == FEATURE_RESP)
        return f->words[FEATURE_RESP_CURVE][0] == '\0';
    return true;
}

const char *feature_text(const features *f, feature which, char *dst, size_t cap)
{
    switch (feature_infos[which].kind) {
    case KIND_BOOL:
        bench_copy(dst, cap, f->numbers[which] ? "true" : "false");
        break;
    case KIND_INT:
    case KIND_BYTES:
        (void)snprintf(dst, cap, "%" PRId64, f->numbers[which]);
        break;
    case KIND_TIME:
        return bench_time_text(f->numbers[which], dst, cap);
    case KIND_WORD:
        bench_copy(dst, cap, f->words[which]);
        break;
    }
    return dst;
}

const char *features_name(const features *f, bool with_own, char *dst, size_t cap)
{
    char time[40];
    int written =
        snprintf(dst, cap, "networkMode_%s-bufConn_%s-keepalive_%s-benchTime_%s", f->network,
                 f->bufconn ? "true" : "false", f->keepalive ? "true" : "false",
                 bench_time_text(f->bench_time, time, sizeof(time)));
    size_t len = written < 0 ? 0 : (size_t)written;
    for (feature which = 0; which < FEATURES && len < cap; which++) {
        char value[FEATURE_WORD_BYTES];
        /* A curve stands in the place of the size. */
        feature shown = which;
        if ((which == FEATURE_REQ || which == FEATURE_RESP) && !feature_has(f, which))
            shown = which == FEATURE_REQ ? FEATURE_REQ_CURVE : FEATURE_RESP_CURVE;
        const feature_info *info = &feature_infos[shown];
        if (feature_infos[which].empty_by_default)
            continue;
        if (which == FEATURE_RECV_POOL) { /* connections stand here */
            written = snprintf(dst + len, cap - len, "-connections_%" PRId64, f->connections);
            len += written < 0 ? 0 : (size_t)written;
            if (len >= cap)
                break;
        }
        written = snprintf(dst + len, cap - len, "-%s_%.*s%s", info->key,
                           info->empty_by_default ? 8 : FEATURE_WORD_BYTES,
                           feature_text(f, shown, value, sizeof(value)),
                           info->kind == KIND_BYTES ? "B" : "");
        len += written < 0 ? 0 : (size_t)written;
    }
    if (with_own && f->handler[0] && len < cap)
        (void)snprintf(dst + len, cap - len, "-handler_%s-client_%s", f->handler, f->client);
    return dst;
}

/* --- times and numbers ------------------------------------------------------------------------ */

/* `value` with nine digits behind the point at most, without zeros at the end. */
static size_t print_fraction(char *dst, size_t cap, uint64_t value, uint64_t unit)
{
    char digits[24];
    uint64_t rest = value % unit;
    size_t len = 0;
    while (rest > 0 && len + 1 < sizeof(digits)) {
        unit /= 10;
        digits[len++] = (char)('0' + rest / unit);
        rest %= unit;
    }
    digits[len] = '\0';
    return (size_t)snprintf(dst, cap, "%s%s", len ? "." : "", digits);
}

const char *bench_time_text(int64_t nanoseconds, char *dst, size_t cap)
{
    static const struct {
        uint64_t unit;
        const char *name;
    } small[] = {{1, "ns"}, {1000, "\xc2\xb5s"}, {1000000, "ms"}};
    const uint64_t second = 1000000000;
    uint64_t value = nanoseconds < 0 ? 0 - (uint64_t)nanoseconds : (uint64_t)nanoseconds;
    char whole[48], fraction[24];
    if (value == 0) {
        bench_copy(dst, cap, "0s");
        return dst;
    }
    const char *sign = nanoseconds < 0 ? "-" : "";
    if (value < second) {
        size_t i = value < 1000 ? 0 : value < 1000000 ? 1 : 2;
        (void)print_fraction(fraction, sizeof(fraction), value, small[i].unit);
        (void)snprintf(dst, cap, "%s%" PRIu64 "%s%s", sign, value / small[i].unit, fraction,
                       small[i].name);
        return dst;
    }
    uint64_t seconds = value / second;
    (void)print_fraction(fraction, sizeof(fraction), value, second);
    whole[0] = '\0';
    if (seconds >= 3600)
        (void)snprintf(whole, sizeof(whole), "%" PRIu64 "h%" PRIu64 "m", seconds / 3600,
                       seconds / 60 % 60);
    else if (seconds >= 60)
        (void)snprintf(whole, sizeof(whole), "%" PRIu64 "m", seconds / 60);
    (void)snprintf(dst, cap, "%s%s%" PRIu64 "%ss", sign, whole, seconds % 60, fraction);
    return dst;
}

bool bench_time_parse(const char *text, int64_t *ret_nanoseconds)
{
    static const struct {
        const char *name;
        double unit;
    } units[] = {{"ns", 1},   {"us", 1e3}, {"\xc2\xb5s", 1e3}, {"\xce\xbcs", 1e3},
                 {"ms", 1e6}, {"s", 1e9},  {"m", 60e9},        {"h", 3600e9}};
    double total = 0, sign = *text == '-' ? -1 : 1;
    const char *at = text + (*text == '-' || *text == '+');
    if (strcmp(at, "0") == 0) {
        *ret_nanoseconds = 0;
        return true;
    }
    if (*at == '\0')
        return false;
    while (*at) {
        char *end;
        if (!isdigit((unsigned char)*at) && *at != '.')
            return false;
        double value = strtod(at, &end);
        size_t i = 0, count = sizeof(units) / sizeof(units[0]), len = 0;
        for (; i < count; i++) {
            len = strlen(units[i].name);
            bool longer = units[i].unit > 59e9 && end[1] == 's'; /* "ms" is no minute */
            if (strncmp(end, units[i].name, len) == 0 && !longer)
                break;
        }
        if (i == count)
            return false;
        total += value * units[i].unit;
        at = end + len;
    }
    if (!(total < 9e18))
        return false;
    *ret_nanoseconds = (int64_t)(sign * total);
    return true;
}

const char *bench_number_text(double value, char *dst, size_t cap)
{
    (void)snprintf(dst, cap, "%.4f", value);
    if (strchr(dst, '.')) {
        size_t len = strlen(dst);
        while (len > 0 && dst[len - 1] == '0')
            len--;
        if (len > 0 && dst[len - 1] == '.')
            len--;
        dst[len] = '\0';
    }
    return dst;
}

void bench_sleep(int64_t nanoseconds)
{
    struct timespec left = {.tv_sec = (time_t)(nanoseconds / 1000000000),
                            .tv_nsec = nanoseconds % 1000000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What gRPC adds to HTTP/2: message prefixes, time-outs, percent-encoding, paths. */
#include <stdlib.h>
#include <string.h>

#include "micro.h"
#include "wire/wire.h"

typedef struct framing {
    oy_deframer deframer;
    oyez_pool *pool;
    uint8_t bytes[100 * 12]; /* a hundred messages of seven bytes, as they come together */
} framing;

static void *prepare_framing(void)
{
    framing *f = calloc(1, sizeof(*f));
    micro_must(f && !oyez_pool_new(NULL, &f->pool), "a pool");
    oy_deframer_init(&f->deframer, 4u << 20, f->pool, NULL);
    for (size_t i = 0; i < 100; i++)
        oy_prefix_write(f->bytes + 12 * i, false, 7);
    return f;
}

static void run_framing(void *state, uint64_t rounds)
{
    framing *f = state;
    oy_message message;
    while (rounds > 0) {
        oyez_buffer input = {f->bytes, sizeof(f->bytes), NULL};
        while (rounds > 0 && oy_deframe(&f->deframer, &input, &message) == OY_DEFRAME_MESSAGE) {
            micro_use(&message);
            oy_message_fini(&message);
            rounds--;
        }
    }
}

static void end_framing(void *state)
{
    framing *f = state;
    oy_deframer_fini(&f->deframer);
    oyez_pool_unref(f->pool);
    free(f);
}

static void run_timeout(void *state, uint64_t rounds)
{
    char text[OY_TIMEOUT_MAX];
    oyez_duration value = 9998765 * OYEZ_MICROSECOND;
    (void)state;
    while (rounds-- > 0) {
        size_t len = oy_timeout_encode(value, text);
        micro_must(!oy_timeout_decode((oyez_str){text, len}, &value), "a time-out");
    }
    micro_use(&value);
}

static void run_percent(void *state, uint64_t rounds)
{
    static const char words[] = "the file \"r\xc3\xa9sum\xc3\xa9.txt\" was not found: 100 % sure\n";
    char coded[9 * sizeof(words)], plain[9 * sizeof(words)];
    (void)state;
    while (rounds-- > 0) {
        size_t len = oy_percent_encode((oyez_str){words, sizeof(words) - 1}, coded, sizeof(coded));
        len = oy_percent_decode((oyez_str){coded, len}, plain);
        micro_must(len == sizeof(words) - 1, "percent");
    }
}

static void run_path(void *state, uint64_t rounds)
{
    oyez_str service, method;
    (void)state;
    while (rounds-- > 0) {
        micro_must(
            oy_path_split(OYEZ_STR("/grpc.testing.BenchmarkService/UnaryCall"), &service, &method),
            "a path");
        micro_use(&service);
    }
}

const micro_case micro_wire[] = {
    {"deframe-7-bytes", prepare_framing, run_framing, end_framing, 0},
    {"timeout-both-ways", NULL, run_timeout, NULL, 0},
    {"percent-both-ways", NULL, run_percent, NULL, 0},
    {"path-split", NULL, run_path, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};

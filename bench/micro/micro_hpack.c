/* SPDX-License-Identifier: Apache-2.0 */
/* Header blocks of a call that is one of many: what repeats is in the table. */
#include <stdlib.h>
#include <string.h>

#include "hpack/hpack.h"
#include "micro.h"

typedef struct pair {
    oy_hpack_encoder *encoder;
    oy_hpack_decoder *decoder;
    bool response;
    uint8_t block[512];
    size_t len;
} pair;

static size_t put(pair *p, size_t at, const char *name, const char *value, oy_hpack_mode mode)
{
    return at + oy_hpack_encode(p->encoder, (oyez_str){name, strlen(name)},
                                (oyez_str){value, strlen(value)}, mode, p->block + at);
}

/* Headers of a request with a deadline; headers and trailers of a reply. */
static void encode_once(pair *p)
{
    size_t at = oy_hpack_encode_begin(p->encoder, p->block);
    if (p->response) {
        at = put(p, at, ":status", "200", OY_HPACK_INDEX);
        at = put(p, at, "content-type", "application/grpc", OY_HPACK_INDEX);
        p->len = put(p, at, "grpc-status", "0", OY_HPACK_INDEX);
        return;
    }
    at = put(p, at, ":method", "POST", OY_HPACK_INDEX);
    at = put(p, at, ":scheme", "http", OY_HPACK_INDEX);
    at = put(p, at, ":path", "/grpc.testing.BenchmarkService/UnaryCall", OY_HPACK_INDEX);
    at = put(p, at, ":authority", "localhost:50051", OY_HPACK_INDEX);
    at = put(p, at, "content-type", "application/grpc", OY_HPACK_INDEX);
    at = put(p, at, "user-agent", "grpc-c-oyez/0.1.0", OY_HPACK_INDEX);
    at = put(p, at, "te", "trailers", OY_HPACK_INDEX);
    p->len = put(p, at, "grpc-timeout", "9998765u", OY_HPACK_LITERAL);
}

static void decode_once(pair *p)
{
    oy_hpack_reader reader;
    oy_hpack_result result;
    const oy_hpack_field *field;
    const char *words;
    oy_hpack_read_begin(&reader, p->decoder, p->block, p->len);
    while ((field = oy_hpack_read(&reader)))
        micro_use(field);
    micro_must(!oy_hpack_read_end(&reader, &result, &words), "a header block");
}

static void *prepare(bool response)
{
    const oy_hpack_decoder_limits limits = {4096, 16384, 2};
    pair *p = calloc(1, sizeof(*p));
    micro_must(p && !oy_hpack_encoder_new(4096, &p->encoder) &&
                   !oy_hpack_decoder_new(&limits, &p->decoder),
               "hpack");
    p->response = response;
    for (int i = 0; i < 3; i++) {
        encode_once(p);
        decode_once(p);
    }
    return p;
}

static void *prepare_request(void)
{
    return prepare(false);
}

static void *prepare_response(void)
{
    return prepare(true);
}

static void encode(void *state, uint64_t rounds)
{
    while (rounds-- > 0)
        encode_once(state);
}

static void decode(void *state, uint64_t rounds)
{
    while (rounds-- > 0)
        decode_once(state);
}

static void end(void *state)
{
    pair *p = state;
    oy_hpack_encoder_free(p->encoder);
    oy_hpack_decoder_free(p->decoder);
    free(p);
}

static void huffman(void *state, uint64_t rounds)
{
    uint8_t coded[128];
    char text[128];
    size_t len;
    (void)state;
    while (rounds-- > 0) {
        size_t bytes =
            oy_huffman_encode(OYEZ_STR("/grpc.testing.BenchmarkService/UnaryCall"), coded);
        micro_must(!oy_huffman_decode(coded, bytes, text, &len), "Huffman");
        micro_use(text);
    }
}

const micro_case micro_hpack[] = {
    {"hpack-encode-request", prepare_request, encode, end, 0},
    {"hpack-encode-response", prepare_response, encode, end, 0},
    {"hpack-decode-request", prepare_request, decode, end, 0},
    {"hpack-decode-response", prepare_response, decode, end, 0},
    {"huffman-both-ways", NULL, huffman, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};

/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of BenchmarkService/UnaryCall as gRPC-Go's programs fill them: a payload of type
 * COMPRESSABLE whose bytes are zeros, and in the request the size of the reply's. Also as plain
 * bytes, for the bytes codec: the same bytes on the wire, without a protobuf library in between. */
#ifndef OY_BENCH_MESSAGES_H
#define OY_BENCH_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <oyez/oyez.h>

#include "grpc/testing/benchmark_service.oyez.h"

#define MAX_PAYLOAD ((int32_t)64 << 20)
/* All payloads are views of this. */
extern uint8_t bench_zeros[MAX_PAYLOAD];

/* The method with the bytes codec. */
extern const oyez_method bench_bytes_method;

/* A request on the caller's stack; `payload` belongs to it. */
void bench_fill_request(Grpc__Testing__SimpleRequest *request, Grpc__Testing__Payload *payload,
                        int32_t size, int32_t reply_size);

/* A serialised message in a block, to be shared from then on. */
oyez_err bench_pack_request(int32_t size, int32_t reply_size, oyez_buffer *ret_buffer);
oyez_err bench_pack_reply(int32_t size, oyez_buffer *ret_buffer);

/* The field response_size of a serialised SimpleRequest; 0 when it is not there, false if the bytes
 * are not a message. */
bool bench_reply_size_of(const uint8_t *data, size_t len, int32_t *ret_size);

#endif

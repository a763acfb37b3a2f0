/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that were encoded once, to be sent many times: what gRPC-Go calls a PreparedMsg. The codec
 * takes them where a message of protobuf-c goes, and those as well. */
#ifndef OY_BENCH_PREPARED_H
#define OY_BENCH_PREPARED_H

#include <protobuf-c/protobuf-c.h>

#include <oyez/oyez.h>

/* Stands where a message stands; made by prepared_init. */
typedef struct prepared {
    ProtobufCMessage base;
    oyez_buffer bytes;
} prepared;

/* @param bytes *takes* its reference. */
void prepared_init(prepared *message, oyez_buffer bytes);
/* All zero is allowed. */
void prepared_fini(prepared *message);

/* BenchmarkService/StreamingCall with the codec that takes both. */
extern const oyez_method prepared_streaming_method;

#endif

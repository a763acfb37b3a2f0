/* SPDX-License-Identifier: Apache-2.0 */
/* grpc.testing.BenchmarkService with protobuf-c, for bench-server and benchmain. */
#ifndef OY_BENCH_SERVER_SERVICE_H
#define OY_BENCH_SERVER_SERVICE_H

#include <stdbool.h>

#include <oyez/oyez.h>

/* @param workers where handlers run: threads that may block, else the loop. */
oyez_err service_register(oyez_server *server, bool workers);

/* Fails a call that asks for a reply which cannot be had. */
oyez_code service_bad_size(oyez_server_call *call, int32_t size);

#endif

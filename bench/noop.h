/* SPDX-License-Identifier: Apache-2.0 */
/* A compressor that leaves bytes as they are: what is left is the way that compressed messages take. */
#ifndef OY_BENCH_NOOP_H
#define OY_BENCH_NOOP_H

#include <oyez/compressor.h>

/* @param name what gRPC-Go's benchmarks call it: "nop" in one, "noop" in another */
oyez_compressor bench_noop(const char *name);

#endif

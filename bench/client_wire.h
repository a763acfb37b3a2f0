/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes went over this process's connections, as the kernel counts them. */
#ifndef OY_BENCH_CLIENT_WIRE_H
#define OY_BENCH_CLIENT_WIRE_H

#include <stdint.h>

typedef struct wire_bytes {
    uint64_t out, in; /* acknowledged by the peer; received */
} wire_bytes;

/* Of all its connections to that port, so far; 0 where the kernel does not say. */
wire_bytes wire_bytes_to(uint16_t port);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A slower way to a server: what loopback carries in no time comes late, in packets, and no faster than
 * a line of so many bits. A thread between two sockets, for the connections of one run. */
#ifndef OY_BENCH_SLOW_LINK_H
#define OY_BENCH_SLOW_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slow_link slow_link;

typedef struct link_shape {
    int64_t latency; /* nanoseconds, one way; 0 and less: none */
    int64_t kbps;    /* 1,024 bits a second, each way; 0 and less: no limit */
    int64_t mtu;     /* bytes of a packet; 0 and less: no limit */
} link_shape;

static inline bool link_is_slow(const link_shape *shape)
{
    return shape->latency > 0 || shape->kbps > 0 || shape->mtu > 0;
}

/* Listens on a free port of loopback and passes on to `target_port` what connects there. What the link
 * takes by itself is measured first, and is part of the latency. False: `words` say why. */
bool slow_link_start(const link_shape *shape, uint16_t target_port, slow_link **ret_link,
                     uint16_t *ret_port, char *words, size_t cap);
/* Closes its connections. NULL is allowed. */
void slow_link_stop(slow_link *link);

#endif

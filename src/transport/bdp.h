/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the bandwidth-delay product of a connection, so that windows fit the way and not a guess (gRPC-Go's method and
 * constants): what comes between a PING and its answer is at most one and a half times that product. No I/O, no clock.
 *
 * Windows only ever grow. And unlike gRPC-Go's, a sample begins only after a sixteenth of the window has come since the
 * last one: a connection of small calls pays for no PINGs. */
#ifndef OY_TRANSPORT_BDP_H
#define OY_TRANSPORT_BDP_H

#include <oyez/limits.h>

#define OY_BDP_LIMIT OYEZ_LIMIT_PROBED_WINDOW_BYTES

typedef struct oy_bdp {
    uint32_t window;             /* the present estimate */
    bool sampling;               /* a PING is under way: never more than one */
    uint32_t samples;
    uint64_t next;               /* a sample begins when so many bytes have come; UINT64_MAX: never, or not now */
    uint64_t from;               /* sampling: what had come when it began */
    int64_t pinged_at;
    double rtt, max_bandwidth;   /* nanoseconds; bytes a nanosecond */
} oy_bdp;

extern const uint8_t oy_bdp_payload[8];

void oy_bdp_init(oy_bdp *bdp, uint32_t stream_window, uint32_t connection_window);
/* As one that never samples. */
void oy_bdp_init_off(oy_bdp *bdp);
/* True: send a PING now, and say so. @param bytes of DATA that have come, all of the connection's life. */
static inline bool oy_bdp_wants_ping(const oy_bdp *bdp, uint64_t bytes)
{
    return bytes >= bdp->next;
}
void oy_bdp_pinged(oy_bdp *bdp, uint64_t bytes, int64_t now);
/* The answer has come. @param may_grow false: there is no memory for larger windows now.
 * @return what both windows should be at least; 0: nothing changes. */
uint32_t oy_bdp_answered(oy_bdp *bdp, uint64_t bytes, int64_t now, bool may_grow);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of bandwidth probing. */
#include "transport/bdp.h"

#define ALPHA 0.9            /* weight of a new round trip against those before */
#define BETA 0.66            /* a sample that fills so much of the estimate may be the peer's limit */
#define GAMMA 2              /* by which the estimate then grows beyond the sample */
#define FIRST_SAMPLES 10u    /* until here the mean of the round trips */
#define LEAST_RTT 1000       /* the pass of a loop is the grain of its clock */

/* gRPC-Go's: a peer's tools may know it. */
const uint8_t oy_bdp_payload[8] = { 2, 4, 16, 16, 9, 14, 7, 7 };

void oy_bdp_init_off(oy_bdp *bdp)
{
    *bdp = (oy_bdp){ .window = OY_BDP_LIMIT, .next = UINT64_MAX };
}

static void schedule(oy_bdp *bdp, uint64_t bytes)
{
    bdp->next = bdp->window < OY_BDP_LIMIT ? bytes + bdp->window / 16 : UINT64_MAX;
}

void oy_bdp_init(oy_bdp *bdp, uint32_t stream_window, uint32_t connection_window)
{
    /* More than the smaller one cannot be under way, so a larger estimate would never be reached. */
    *bdp = (oy_bdp){ .window = stream_window < connection_window ? stream_window : connection_window };
    schedule(bdp, 0);
}

void oy_bdp_pinged(oy_bdp *bdp, uint64_t bytes, int64_t now)
{
    bdp->sampling = true;
    bdp->samples++;
    bdp->next = UINT64_MAX;
    bdp->from = bytes;
    bdp->pinged_at = now;
}

uint32_t oy_bdp_answered(oy_bdp *bdp, uint64_t bytes, int64_t now, bool may_grow)
{
    if (!bdp->sampling)
        return 0; /* an answer to nothing */
    bdp->sampling = false;
    schedule(bdp, bytes);
    const int64_t took = now - bdp->pinged_at;
    const double rtt = (double)(took > LEAST_RTT ? took : LEAST_RTT);
    if (bdp->samples < FIRST_SAMPLES)
        bdp->rtt += (rtt - bdp->rtt) / (double)bdp->samples;
    else
        bdp->rtt += (rtt - bdp->rtt) * ALPHA;
    const double sample = (double)(bytes - bdp->from);
    const double bandwidth = sample / (bdp->rtt * 1.5);
    if (!may_grow || bandwidth < bdp->max_bandwidth)
        return 0;
    bdp->max_bandwidth = bandwidth;
    if (sample < BETA * (double)bdp->window || bdp->window >= OY_BDP_LIMIT)
        return 0;
    const double larger = GAMMA * sample;
    bdp->window = larger < (double)OY_BDP_LIMIT ? (uint32_t)larger : OY_BDP_LIMIT;
    schedule(bdp, bytes);
    return bdp->window;
}

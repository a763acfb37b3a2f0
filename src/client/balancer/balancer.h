/* SPDX-License-Identifier: Apache-2.0 */
/* Between a channel and its balancer: the balancer chooses among the addresses that the resolver
 * found, connects them by subchannels, and tells the channel its state. A balancer does no I/O:
 * what it wants done it asks its host for, and time is an argument; so it can be tested without
 * either. Loop thread. */
#ifndef OY_CLIENT_BALANCER_H
#define OY_CLIENT_BALANCER_H

#include <oyez/channel.h>

#include "io/io.h"

/* One address and its connection (client/subchannel.h). */
typedef struct oy_subchannel oy_subchannel;

/* What the host does for a balancer. Nothing here calls back into the balancer before it returns,
 * but `update`. */
typedef struct oy_balancer_host {
    oyez_err (*subchannel_new)(void *host, const oy_address *address,
                               oy_subchannel **ret_subchannel);
    /* IDLE becomes CONNECTING; news come later. */
    void (*subchannel_connect)(oy_subchannel *subchannel);
    /* Gives an attempt or a pause up: IDLE again, as fresh. Not for one that is READY. */
    void (*subchannel_reset)(oy_subchannel *subchannel);
    /* Calls on its connection may end in peace. */
    void (*subchannel_free)(oy_subchannel *subchannel);
    /* The balancer's timer; OYEZ_FOREVER unsets. */
    void (*set_timer)(void *host, int64_t at);
    /* The addresses may be out of date. */
    void (*resolve_now)(void *host);
    /* The state of the channel, and the subchannel for its calls when READY. `words` say why, for
     * failures. Unless the state is CONNECTING it is the last thing that a balancer does in any of
     * its functions: the host may call it again from here. */
    void (*update)(void *host, oyez_connectivity state, oy_subchannel *ready, const char *words);
} oy_balancer_host;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A subchannel: one address, and the connection to it if there is one. Loop thread. */
#ifndef OY_CLIENT_SUBCHANNEL_H
#define OY_CLIENT_SUBCHANNEL_H

#include "client/backoff.h"
#include "client/balancer/balancer.h"
#include "stats/stats.h"
#include "transport/transport.h"

/* What the subchannels of a channel share. */
typedef struct oy_subchannels {
    oy_loop *loop;
    oy_client_config config;
    oy_backoff_config backoff;
    oyez_duration connect_timeout;
    oy_connector *connector; /* a reference, the channel's; NULL: addresses are those of sockets */
    const oy_stats *stats; /* borrowed; NULL: no stats handlers */
    oy_list connections; /* all that live; those that end in peace have no subchannel any more */
    oy_list news;        /* subchannels whose failure is told by oy_subchannels_run */
    /* oy_subchannels_run is to be called soon, not from here. */
    void (*wake)(void *user);
    /* READY, TRANSIENT_FAILURE (its pause begins) or IDLE. Never inside a function called by the
     * user. */
    void (*on_state)(void *user, oy_subchannel *subchannel, oyez_connectivity state,
                     const char *words);
    void *user;
} oy_subchannels;

/* The fields above the lists are set by the caller. */
void oy_subchannels_init(oy_subchannels *all);
void oy_subchannels_run(oy_subchannels *all);
/* Ends every connection at once. @param words static. */
void oy_subchannels_close(oy_subchannels *all, oyez_code code, const char *words);

oyez_err oy_subchannel_new(oy_subchannels *all, const oy_address *address,
                           oy_subchannel **ret_subchannel);
void oy_subchannel_connect(oy_subchannel *subchannel);
void oy_subchannel_reset(oy_subchannel *subchannel);
/* Streams on its connection may end in peace. */
void oy_subchannel_free(oy_subchannel *subchannel);
/* READY: its connection takes no more calls. The news, IDLE, come before it returns. */
void oy_subchannel_retire(oy_subchannel *subchannel);
/* NULL unless READY. */
oy_client_transport *oy_subchannel_transport(const oy_subchannel *subchannel);

#endif

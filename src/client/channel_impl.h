/* SPDX-License-Identifier: Apache-2.0 */
/* The channel from within; private to src/client. */
#ifndef OY_CLIENT_CHANNEL_IMPL_H
#define OY_CLIENT_CHANNEL_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/refcount.h"
#include "client/balancer/pick_first.h"
#include "client/channel.h"
#include "client/resolver/resolver.h"
#include "client/subchannel.h"
#include "client/target.h"

/* What other threads, and callbacks that must not do it themselves, want done on the loop. */
enum {
    OY_WORK_CONNECT = 1, /* leave IDLE */
    OY_WORK_NEWS = 2,    /* oy_subchannels_run */
    OY_WORK_CLOSE = 4,
    OY_WORK_FREE = 8, /* the last reference is gone */
};

/* Fields without a word belong to the loop's thread. */
struct oyez_channel {
    /* the way of a call */
    oy_client_transport *ready;   /* where calls go; NULL unless READY */
    oy_channel_settings settings; /* immutable */

    oy_refcount refs;       /* any thread */
    _Atomic(unsigned) work; /* any thread: OY_WORK_ flags */
    oy_task task;           /* submitted by who set the first flag */

    /* the state as others see it */
    _Atomic(int) state; /* an oyez_connectivity; written under `lock`, read by any thread */
    pthread_mutex_t lock;
    oy_list watchers; /* guarded by lock: those that wait for another state (watch.c) */

    oy_target target; /* immutable, as are the next four */
    oyez_log log;
    oy_backoff_config backoff;
    char *authority, *user_agent; /* `authority` NULL: the target's */
    oy_quota *quota;

    oy_list waiting;       /* calls, by oy_call_waiting_node */
    oy_resolver *resolver; /* NULL: the channel has ended */
    bool resolver_started;
    oy_pick_first pick;
    oy_timer pick_timer;
    oy_subchannels subchannels;
    oy_subchannel *ready_subchannel; /* borrowed from `pick`; NULL unless READY */
    oyez_connectivity picked;        /* the state, but for SHUTDOWN that was not yet seen here */
    bool shut;                       /* no calls any more */
    char words[OY_WORDS_MAX];        /* TRANSIENT_FAILURE: why */
};

/* channel_options.c: fills what target and options decide; words say what was wrong. */
oyez_err oy_channel_set_options(oyez_channel *channel, const char *target,
                                oyez_credentials *credentials, const oyez_channel_options *user);

/* watch.c: publishes a state; SHUTDOWN is never left. Any thread. */
void oy_channel_publish(oyez_channel *channel, oyez_connectivity state);

/* channel_loop.c */
extern const oy_resolver_events oy_channel_resolver_events;
void oy_channel_init_loop_side(oyez_channel *channel);
/* Any thread. */
void oy_channel_ask(oyez_channel *channel, unsigned work);
/* channel.c: frees what the loop side has left. */
void oy_channel_destroy(oyez_channel *channel);

#endif

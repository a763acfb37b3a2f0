/* SPDX-License-Identifier: Apache-2.0 */
/* A client's call as the layers above see it: made on any thread, run on the channel's loop. */
#ifndef OY_CALL_H
#define OY_CALL_H

#include <oyez/call.h>

#include "base/list.h"
#include "io/io.h"
#include "transport/transport.h"

typedef struct oyez_call oy_call;

/* Calls of a channel, kept for the next ones: a steady channel allocates nothing. */
typedef struct oy_call_pool oy_call_pool;

/* @param blocks ... @param pool for messages; a reference is taken. @param loop where the calls run. */
oyez_err oy_call_pool_new(oy_loop *loop, oyez_pool *pool, oy_call_pool **ret_pool);
/* Calls that are still out keep it alive. */
void oy_call_pool_free(oy_call_pool *pool);

/* What the channel does for a call. */
typedef struct oy_call_owner {
    /* Loop thread: the call wants a connection (first time, or again when the first one did not take it). */
    void (*start)(void *owner, oy_call *call);
    /* Any thread: references that a call holds on its channel. */
    void (*ref)(void *owner);
    void (*unref)(void *owner);
} oy_call_owner;

/* Starts the call on a connection. OYEZ_ESTATE: this one takes no calls, try another; otherwise 0: the call is
 * running, or has failed and been told so. Loop thread. */
oyez_err oy_call_attach(oy_call *call, oy_client_transport *transport);
/* Ends a call that is on no connection. It leaves the list it waits in. @param words copied. Loop thread. */
void oy_call_fail(oy_call *call, oyez_code code, const char *words);
bool oy_call_waits_for_ready(const oy_call *call);
/* The node by which it waits in the channel. The call takes itself out when it is cancelled or its time is over. */
oy_list *oy_call_waiting_node(oy_call *call);
oy_call *oy_call_of_waiting_node(oy_list *node);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a call has sent and may have to send again, because no server has looked at it (gRFC A6): kept by reference until
 * the call is committed, that is until the server has answered or there is too much of it. Loop thread. */
#ifndef OY_CALL_REPLAY_H
#define OY_CALL_REPLAY_H

#include "mem/mem.h"

/* What all calls of a channel may keep together. */
typedef struct oy_replay_budget {
    size_t used, limit;
    size_t call_limit;           /* of one call */
} oy_replay_budget;

/* False: there is no room. */
bool oy_replay_charge(oy_replay_budget *budget, size_t bytes);
void oy_replay_release(oy_replay_budget *budget, size_t bytes);

typedef struct oy_replayed {
    oyez_slice bytes;
    size_t length;               /* before it was compressed */
    bool compressed;
} oy_replayed;

typedef struct oy_replay {
    oy_replay_budget *budget;    /* borrowed */
    oy_replayed *messages;       /* `first`, or an array on the heap */
    uint32_t count, capacity;
    size_t bytes;                /* charged */
    bool committed;              /* nothing is kept any more */
    oy_replayed first;           /* most calls that are sent again have sent one message */
} oy_replay;

void oy_replay_init(oy_replay *replay, oy_replay_budget *budget);
/* Remembers a message that is about to leave. What is only borrowed is copied into a block of the pool. Without room or memory
 * the call is committed. */
void oy_replay_keep(oy_replay *replay, const oyez_slice *message, size_t length, bool compressed, oyez_pool *pool);
/* Drops it all; from now on nothing is kept. */
void oy_replay_commit(oy_replay *replay);

#endif

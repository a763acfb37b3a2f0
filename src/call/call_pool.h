/* SPDX-License-Identifier: Apache-2.0 */
/* Where calls come from and go back to. Private to src/call. */
#ifndef OY_CALL_POOL_H
#define OY_CALL_POOL_H

#include "call/call.h"
#include "call/replay.h"

/* The last reference is gone: resets the call and keeps it for the next. Any thread. */
void oy_call_pool_put(oy_call *call);
/* Lives as long as a call that is out. Loop thread. */
const oy_compressors *oy_call_pool_compressors(const oy_call_pool *pool);
oy_replay_budget *oy_call_pool_replay(oy_call_pool *pool);

#endif

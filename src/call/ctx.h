/* SPDX-License-Identifier: Apache-2.0 */
/* A ctx inside the library: watching one without an allocation, and the ctx of a server call. */
#ifndef OY_CALL_CTX_H
#define OY_CALL_CTX_H

#include <oyez/ctx.h>

#include "base/list.h"

/* A place in the list of those who want to know of a cancellation. Embedded in a call, say. Fields
 * are private; zero is "watches nothing". */
typedef struct oy_ctx_watch oy_ctx_watch;

/* Runs on the thread that cancels, at most once, with no lock held. May free the memory of the
 * watch. */
typedef void oy_ctx_watch_fn(oy_ctx_watch *watch, oyez_code code);

struct oy_ctx_watch {
    oy_list node;    /* guarded by the owner's lock */
    oyez_ctx *owner; /* borrowed: the nearest ctx that can be cancelled; NULL: none */
    oy_ctx_watch_fn *fn;
};

/* Starts to watch. The caller holds a reference to `ctx` (may be NULL) until oy_ctx_watch_stop has
 * returned; if it is not called any more, until the callback has begun. Anything but OYEZ_OK: it
 * was cancelled already, with that code; the callback never runs then and nothing has to be
 * stopped. Deadlines are not watched: whoever makes calls has a timer of his own, set to
 * oyez_ctx_deadline. */
oyez_code oy_ctx_watch_start(oyez_ctx *ctx, oy_ctx_watch *watch, oy_ctx_watch_fn *fn);
/* When it returns the callback does not run and will not: it waits for one that runs on another
 * thread (hold no lock that the callback takes); inside the callback it returns at once. True: the
 * callback has not run. May be called on a watch that was never started, and again. */
bool oy_ctx_watch_stop(oy_ctx_watch *watch);

/* A child with a deadline (OYEZ_FOREVER: only its parent's) that can be cancelled: the ctx of a
 * call. */
oyez_ctx *oy_ctx_with_cancel_at(oyez_ctx *parent, int64_t deadline);
/* As oyez_ctx_cancel, with the reason: OYEZ_CANCELLED or OYEZ_DEADLINE_EXCEEDED. */
oyez_err oy_ctx_cancel(oyez_ctx *ctx, oyez_code code);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file ctx.h
 * Deadline, cancellation and values that flow down through calls: what Go calls context.Context.
 */
#ifndef OYEZ_CTX_H
#define OYEZ_CTX_H

#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/*
 * A ctx is immutable and shared by reference: a further deadline, a value or a way to cancel is a
 * *child*, and what a parent has its children have. NULL is the background: no deadline, never
 * cancelled.
 *
 * Constructors never fail and never return NULL, for NULL would mean "no deadline": without memory
 * they return a static ctx whose oyez_ctx_err is OYEZ_RESOURCE_EXHAUSTED, and calls made with it
 * fail so.
 */

/** Now, on the clock of the deadlines: nanoseconds that never go back; the zero is anywhere.
 *  Any thread. Since 0.1. */
OYEZ_API oyez_duration oyez_now(void);

/** A child that ends `timeout` from now, or when its parent does if that is earlier. OYEZ_FOREVER
 *  adds nothing; 0 and less have passed already. Any thread. Since 0.1.
 *  @param parent borrowed; may be NULL. */
OYEZ_API oyez_ctx *oyez_ctx_with_timeout(oyez_ctx *parent, oyez_duration timeout);

/** As oyez_ctx_with_timeout, with a moment on the clock of oyez_now. Any thread. Since 0.1. */
OYEZ_API oyez_ctx *oyez_ctx_with_deadline(oyez_ctx *parent, oyez_duration at);

/** A child that oyez_ctx_cancel can cancel, and that is cancelled with its parent. Any thread.
 *  Since 0.1. */
OYEZ_API oyez_ctx *oyez_ctx_with_cancel(oyez_ctx *parent);

/** Drops a value when the last reference to its ctx goes, on whatever thread that is. */
typedef void oyez_ctx_free_fn(void *value);

/** A child that carries a value. Any thread. Since 0.1.
 *  @param key      compared by address: take that of a static variable of yours.
 *  @param value    *takes*: given to `free_fn` in the end, also when there is no memory.
 *  @param free_fn  may be NULL. */
OYEZ_API oyez_ctx *oyez_ctx_with_value(oyez_ctx *parent, const void *key, void *value,
                                       oyez_ctx_free_fn *free_fn);

/** NULL stays NULL. Returns `ctx`. Any thread. Since 0.1. */
OYEZ_API oyez_ctx *oyez_ctx_ref(oyez_ctx *ctx);
/** Drops a reference; NULL is allowed. Does not cancel anything. Returns NULL. Any thread. Since
 *  0.1. */
OYEZ_API oyez_ctx *oyez_ctx_unref(oyez_ctx *ctx);

/**
 * Cancels a ctx of oyez_ctx_with_cancel and all its descendants. Only the first time counts.
 *
 * The callbacks of oyez_ctx_on_done run on this thread before the function returns, in the order in
 * which they were registered and children were made. When another thread is cancelling just now it
 * returns at once.
 *
 * Any thread. Since 0.1.
 *
 * @return OYEZ_ESTATE: the ctx was not made by oyez_ctx_with_cancel; its parent is not cancelled in
 *         its stead.
 */
OYEZ_API oyez_err oyez_ctx_cancel(oyez_ctx *ctx);

/** OYEZ_OK while it lives; else OYEZ_CANCELLED or OYEZ_DEADLINE_EXCEEDED, whichever came first, and
 *  stays so. OYEZ_RESOURCE_EXHAUSTED: there was no memory to make it. Reads the clock if there is a
 *  deadline. Any thread. Since 0.1. */
OYEZ_API oyez_code oyez_ctx_err(const oyez_ctx *ctx);

/** The moment at which it ends, on the clock of oyez_now; OYEZ_FOREVER if there is none. Any
 *  thread. Since 0.1. */
OYEZ_API oyez_duration oyez_ctx_deadline(const oyez_ctx *ctx);

/** The value of the nearest ancestor, or of itself, with that key; NULL if there is none. Borrowed:
 *  lives as long as the ctx. Any thread. Since 0.1. */
OYEZ_API void *oyez_ctx_value(const oyez_ctx *ctx, const void *key);

/** Tells that a ctx was cancelled. Runs on the thread that cancels, without a lock of the library;
 *  must not block. May drop references to the ctx and take its own registration back. */
typedef void oyez_ctx_done_fn(oyez_ctx *ctx, oyez_code code, void *user);

/**
 * Registers a callback for the end of a ctx; it runs exactly once, unless it is taken back before.
 *
 * A ctx has no timer: a deadline that passes by itself calls nobody. The ctx of a call in a handler
 * is cancelled by the library when the deadline of the call passes, with OYEZ_DEADLINE_EXCEEDED.
 *
 * The registration holds a reference to the ctx until the callback has run or was taken back.
 *
 * Any thread. Since 0.1.
 *
 * @return OYEZ_ECANCELED: it has been cancelled already. OYEZ_ENOMEM. OYEZ_ENULL: no function. The
 *         callback never runs then.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_ctx_on_done(oyez_ctx *ctx, oyez_ctx_done_fn *fn, void *user);

/**
 * Takes a registration back: the one with the same three arguments.
 *
 * When it returns the callback neither runs nor will: if another thread is in it just now, the
 * function waits for that. (So hold no lock that the callback takes.) Inside the callback itself it
 * does not wait.
 *
 * Any thread. Since 0.1.
 *
 * @return true: it was taken back and has not run. False: it has run, or there is none.
 */
OYEZ_API bool oyez_ctx_off_done(oyez_ctx *ctx, oyez_ctx_done_fn *fn, void *user);

OYEZ_END_DECLS

#endif

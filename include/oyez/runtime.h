/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file runtime.h
 * Where things run: loop threads with their connections, and workers for handlers that block; or no
 * thread at all, inside a loop of your own.
 *
 * After a fork(2) the objects are the parent's. The child may let go of them (the functions that unref, in any order),
 * or leave them as they are; every other function fails with OYEZ_EFORK or does nothing, and nothing that the child does
 * reaches a peer. What has no call under way is freed and closed. Of calls that are under way no callback runs in the child
 * (each runs once, in the parent), and what they hold, their channel and its runtime, stays until the child ends or calls
 * execve(2): memory, and the copies of descriptors, which are all close-on-exec. Until then a connection that the parent
 * closes says GOAWAY to its peer, but does not end. Freeing in the child wants that no thread was inside the library when it
 * was forked: with calls that make progress at that moment, a child should do nothing but execve or _exit.
 */
#ifndef OYEZ_RUNTIME_H
#define OYEZ_RUNTIME_H

#include <oyez/log.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

typedef struct oyez_runtime_options {
    size_t size;                  /**< OYEZ_RUNTIME_OPTIONS_INIT */
    unsigned loops;               /**< loop threads; 0: one per core, at most four. 1..64 */
    unsigned max_workers;         /**< threads for blocking handlers; 0: 256 (a manual runtime: none) */
    oyez_duration worker_idle;    /**< an idle worker leaves after this; 0: 30 s */
    oyez_log log;                 /**< default: silence */
} oyez_runtime_options;

#define OYEZ_RUNTIME_OPTIONS_INIT .size = sizeof(oyez_runtime_options)

/**
 * Makes a runtime with threads of its own, named oyez-loop-0, ... Workers (oyez-work-0, ...) start on
 * demand. All signals are blocked in them. Any thread. Since 0.1.
 * @param options borrowed; NULL for the defaults.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_runtime_new(const oyez_runtime_options *options,
                                                   oyez_runtime **ret_runtime);

/**
 * Makes a runtime without any thread: the owner thread turns it, from a loop of his own (descriptor,
 * timeout, dispatch), or a blocking call does. `loops` is ignored; workers only if `max_workers` says
 * so. Nothing happens but inside a turn: callbacks of calls that are under way, cancelled or not, run there or never. Calls
 * hold their channel, and channels the runtime: cancel them, turn until the last callback has run, then drop your reference;
 * with nobody left to turn it, what they hold stays until the process ends. A blocking call on any other thread waits until the owner has turned it. The owner is who
 * dispatched or turned it last; before that, who asks for the descriptor or makes a blocking call
 * first. Any thread. Since 0.1.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_runtime_new_manual(const oyez_runtime_options *options,
                                                          oyez_runtime **ret_runtime);

/** NULL stays NULL. Returns `runtime`. Any thread. Since 0.1. */
OYEZ_API oyez_runtime *oyez_runtime_ref(oyez_runtime *runtime);
/** The last one ends and joins the threads (on a loop thread they end by themselves). Channels and
 *  servers hold a reference, and calls hold their channel: on a manual runtime none of them may be under way when yours is
 *  the last that turns it. Returns NULL. Any thread. Since 0.1. */
OYEZ_API oyez_runtime *oyez_runtime_unref(oyez_runtime *runtime);

/** Manual: a descriptor to poll for reading; the same for the runtime's life. -1 for one with threads.
 *  Owner thread. Since 0.1. */
OYEZ_API int oyez_runtime_fd(oyez_runtime *runtime);
/** Manual: how long the poll may sleep; -1: no limit, 0: dispatch at once. To be asked right before
 *  each wait and after any oyez call. Owner thread. Since 0.1. */
OYEZ_API int oyez_runtime_timeout_ms(oyez_runtime *runtime);
/** Manual: does what is ready, without waiting, and runs callbacks. Not re-entrant: OYEZ_EDEADLK inside
 *  a callback. OYEZ_ESTATE for a runtime with threads. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_runtime_dispatch(oyez_runtime *runtime);
/** Manual: waits at most `timeout_ms` (-1: as long as it takes) for something to do, and does it.
 *  Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_runtime_turn(oyez_runtime *runtime, int timeout_ms);

/** A function to be run on a loop. */
typedef void oyez_task_fn(void *user);
/** Runs `fn` once on one of the loops, soon. Any thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_runtime_post(oyez_runtime *runtime, oyez_task_fn *fn, void *user);

/** True on a loop thread, or inside dispatch. Any thread. Since 0.1. */
OYEZ_API bool oyez_runtime_is_loop_thread(oyez_runtime *runtime);

OYEZ_END_DECLS

#endif

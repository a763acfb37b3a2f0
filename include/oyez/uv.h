/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file uv.h
 * Runs oyez inside a libuv loop that you have. The only header that knows libuv.
 */
#ifndef OYEZ_UV_H
#define OYEZ_UV_H

#include <uv.h>

#include <oyez/runtime.h>

OYEZ_BEGIN_DECLS

/**
 * Makes a manual runtime on your loop: whenever you run it, oyez runs, too; its handles do not keep
 * your loop alive unless something is under way. oyez_runtime_dispatch and the like are then
 * OYEZ_ESTATE, and a blocking call on the loop's thread is OYEZ_EDEADLK.
 *
 * Loop thread: the one that runs your loop. Since 0.1.
 * @param loop borrowed: run it once more after the last unref, so that our handles are closed, and
 *             only then close it. When that unref comes from another thread, something of yours must
 *             keep the loop running until then.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_runtime_new_uv(uv_loop_t *loop,
                                                      const oyez_runtime_options *options,
                                                      oyez_runtime **ret_runtime);

OYEZ_END_DECLS

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file status.h
 * How a call ended: a code, words for people, details for programs.
 */
#ifndef OYEZ_STATUS_H
#define OYEZ_STATUS_H

#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * A status is a plain value: it lies on your stack, starts as OYEZ_STATUS_INIT and is given back
 * with oyez_status_fini. Read the fields, write them with the functions below.
 *
 * One thread at a time while it is being written; immutable and free to share afterwards. Where a
 * function takes an `oyez_status *ret_status` you may pass NULL; what the status held before is
 * dropped.
 */
struct oyez_status {
    oyez_code code;      /**< a number above 16 is kept as the peer sent it */
    const char *message; /**< never NULL; a NUL stands behind it, and one may be inside */
    size_t message_len;
    void *impl;          /**< private */
};

#ifdef __cplusplus
#define OYEZ_STATUS_INIT { OYEZ_OK, "", 0, nullptr }
#else
#define OYEZ_STATUS_INIT { OYEZ_OK, "", 0, NULL }
#endif

/** Drops the message and the details; the status is as fresh as from OYEZ_STATUS_INIT. NULL is
 *  allowed. Owner thread. Since 0.1. */
OYEZ_API void oyez_status_fini(oyez_status *status);

/**
 * Sets code and message and drops the details. OYEZ_OK takes no message: the status is then empty.
 *
 * Never fails: without memory the code is kept and the message becomes a static text that says so.
 *
 * Owner thread. Since 0.1.
 *
 * @param status   may be NULL: nothing is written.
 * @param message  copied; may lie in the status itself; may be NULL with 0.
 * @return `code`, so that a handler may return it at once.
 */
OYEZ_API oyez_code oyez_status_set(oyez_status *status, oyez_code code, const char *message,
                                   size_t message_len);

/** As oyez_status_set, with a message formatted as printf does. Owner thread. Since 0.1. */
OYEZ_API oyez_code oyez_status_setf(oyez_status *status, oyez_code code, const char *format, ...)
    OYEZ_PRINTF(3, 4);

/**
 * Makes `ret_status` the same as `from`, details included.
 *
 * Cheap for a status that owns its words: they are shared. Without memory the code is kept, the
 * message becomes a static text and the details are lost.
 *
 * Owner thread of `ret_status`; `from` may be shared. Since 0.1.
 */
OYEZ_API void oyez_status_copy(const oyez_status *from, oyez_status *ret_status);

/** The serialised google.rpc.Status that came with the call (grpc-status-details-bin), or that was
 *  set; empty if there is none. Borrowed: lives until the status is changed.
 *  Any thread. Since 0.1. */
OYEZ_API oyez_str oyez_status_details(const oyez_status *status);

/**
 * Attaches details: the bytes of a serialised google.rpc.Status, whose code and message should be
 * those of the status. They are not looked into.
 *
 * Owner thread. Since 0.1.
 *
 * @param bytes  copied; may lie in the status itself; NULL with 0 takes the details away.
 * @return OYEZ_EINVAL: the code is OYEZ_OK, which has no details. OYEZ_ENOMEM. The status is
 *         unchanged then.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_status_set_details(oyez_status *status, const void *bytes,
                                                          size_t len);

OYEZ_END_DECLS

#endif

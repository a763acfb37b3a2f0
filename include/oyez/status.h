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
    oyez_code code;      /**< a peer's number above 16 becomes UNKNOWN */
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

/**
 * Adds one detail: a serialised message and what it is, such as "google.rpc.BadRequest". The details of a
 * status travel in a header, so they share its limit (16 KiB or less at most servers and clients): what
 * does not fit is left out by the sender.
 *
 *     oyez_status_set(&status, OYEZ_INVALID_ARGUMENT, "2 fields are wrong", 18);
 *     err = oyez_status_add_detail(&status, "google.rpc.BadRequest", bytes, len);
 *
 * Owner thread. Since 0.1.
 *
 * @param type_url  the name of the message; without a '/' it gets "type.googleapis.com/" in front.
 * @param bytes     copied; may be NULL with 0.
 * @return OYEZ_EINVAL: the code is OYEZ_OK, the type_url is empty or not UTF-8, or the details that are there are
 *         not a google.rpc.Status. OYEZ_ENOMEM. OYEZ_ELIMIT. The status is unchanged then.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_status_add_detail(oyez_status *status, const char *type_url,
                                                         const void *bytes, size_t len);

/** The number of details; 0 if they are not a google.rpc.Status. Any thread. Since 0.1. */
OYEZ_API size_t oyez_status_detail_count(const oyez_status *status);

/**
 * The detail at `index`, in the order in which they were added; false out of range. The details are walked over each
 * time: to look for one there is oyez_status_find_detail.
 *
 * Any thread. Since 0.1.
 *
 * @param ret_type_url  "type.googleapis.com/google.rpc.BadRequest"; may be NULL, as may the next. Not terminated;
 *                      borrowed: both live until the status is changed.
 */
OYEZ_API bool oyez_status_detail_at(const oyez_status *status, size_t index, oyez_str *ret_type_url,
                                    oyez_str *ret_value);

/** The first detail of that type, such as "google.rpc.BadRequest": what stands behind the last '/' of its
 *  type_url. `data` is NULL when there is none. Borrowed: lives until the status is changed. Any thread.
 *  Since 0.1. */
OYEZ_API oyez_str oyez_status_find_detail(const oyez_status *status, const char *type);

OYEZ_END_DECLS

#endif

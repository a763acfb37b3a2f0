/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses inside the library: two ways to make one that allocate nothing. */
#ifndef OY_CALL_STATUS_H
#define OY_CALL_STATUS_H

#include <oyez/status.h>

#include "base/refcount.h"

typedef enum oy_status_kind {
    OY_STATUS_HEAP,   /* message and details lie behind the struct; shared by copies */
    OY_STATUS_LOAN,   /* they belong to somebody else: copies copy */
    OY_STATUS_STATIC, /* a literal: copies share, nothing is ever freed */
} oy_status_kind;

/* What `impl` points to. NULL there: the message is unknown to us, so copies copy. */
typedef struct oy_status_impl {
    oy_status_kind kind;
    oy_refcount refs; /* OY_STATUS_HEAP only */
    oyez_str details;
} oy_status_impl;

/* Sets a message that lives for ever. `status` may be NULL. Returns `code`. */
oyez_code oy_status_static(oyez_status *status, oyez_code code, const char *message);
/* Sets a message and details that outlive the status and its loan: those of a call's arena, say. A
 * NUL stands behind the message. `loan` is memory of the caller's that lives as long. Returns
 * `code`. */
oyez_code oy_status_borrow(oyez_status *status, oy_status_impl *loan, oyez_code code,
                           oyez_str message, oyez_str details);

#endif

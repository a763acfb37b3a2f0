/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a client's call share. Private to src/call. */
#ifndef OY_CALL_PRIVATE_H
#define OY_CALL_PRIVATE_H

#include "call/call.h"

/* The status is set: tells the user and lets the call go. Once; loop thread. */
void oy_call_finish(oy_call *call);
/* One of the two: whichever does not call back inside the function that starts the call. */
void oy_call_end(oy_call *call);
/* As oy_call_finish, by a task: not inside the function that starts the call. */
void oy_call_finish_later(oy_call *call);
void oy_call_fail_cancelled(oy_call *call, oyez_code code);

void oy_call_on_start(oy_task *task);
void oy_call_on_cancel(oy_task *task);
void oy_call_on_deadline(oy_timer *timer);

#endif

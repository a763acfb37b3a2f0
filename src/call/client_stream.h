/* SPDX-License-Identifier: Apache-2.0 */
/* A client's stream: a stream of messages on top of a call. */
#ifndef OY_CLIENT_STREAM_H
#define OY_CLIENT_STREAM_H

#include "call/call.h"
#include "call/stream.h"

/* Makes the stream of a prepared call; the call's reference (the user's) goes into the stream. Both references of the stream,
 * the user's and the run's, are held afterwards: oy_call_launch comes next. NULL: no memory, the call is untouched. */
oyez_stream *oy_client_stream_new(oy_call *call, oyez_runtime *runtime, size_t max_send_bytes,
                                  const oyez_stream_events *events, const void *table, void *user);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Making a call of a channel: what unary calls and streams share. Private to src/client. */
#ifndef OY_CLIENT_START_H
#define OY_CLIENT_START_H

#include "client/channel.h"

/* A prepared call that is not launched. `request` NULL: a stream sends its messages. `ret_max_send_bytes` may be NULL. */
oyez_err oy_channel_make_call(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                              const oyez_call_options *options, const void *request, size_t *ret_max_send_bytes,
                              oy_call **ret_call);

#endif

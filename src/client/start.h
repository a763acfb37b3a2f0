/* SPDX-License-Identifier: Apache-2.0 */
/* Making a call of a channel: what unary calls and streams share. Private to src/client. */
#ifndef OY_CLIENT_START_H
#define OY_CLIENT_START_H

#include "client/channel.h"

/* A prepared call that is not launched. `request` NULL: a stream sends its messages. `ret_max_send_bytes` may be NULL.
 * @param ret_words  on failure gets static words where the error alone says too little; else untouched. */
oyez_err oy_channel_make_call(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                              const oyez_call_options *options, const void *request, size_t *ret_max_send_bytes,
                              oy_call **ret_call, const char **ret_words);

/* Whoever gets an error alone finds the words in the channel's log. Returns `err`. Channel and method may be NULL, as may
 * `words`: the error says it. */
oyez_err oy_channel_refuse(const oyez_channel *channel, const oyez_method *method, oyez_err err, const char *words);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming calls: the public function that brings a channel and a stream together. */
#include <oyez/stream.h>

#include "base/options.h"
#include "call/client_stream.h"
#include "client/start.h"

static oyez_err check_arguments(const oyez_method *method, const void *request, oyez_stream **ret_stream,
                                const char **ret_words)
{
    if (method && !method->client_streaming && !method->server_streaming) {
        *ret_words = "the method is a unary one: oyez_unary_call is for those";
        return OYEZ_EINVAL;
    }
    if (method && method->client_streaming && request) {
        *ret_words = "expected no request, for the client streams: oyez_stream_send";
        return OYEZ_EINVAL;
    }
    if (!ret_stream)
        *ret_words = "the place for the stream is NULL";
    else if (method && !method->client_streaming && !request)
        *ret_words = "the request is NULL";
    else
        return OYEZ_NO_ERR;
    return OYEZ_ENULL;
}

oyez_err oyez_stream_start(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                           const oyez_call_options *options, const void *request, const oyez_stream_events *events,
                           const void *table, void *user, oyez_stream **ret_stream)
{
    oy_call *call;
    size_t max_send_bytes;
    const char *words = NULL;
    oyez_err err = check_arguments(method, request, ret_stream, &words);
    if (!err)
        err = oy_channel_make_call(channel, method, ctx, options, request, &max_send_bytes, &call, &words);
    if (err)
        return oy_channel_refuse(channel, method, err, words);
    oyez_stream *stream = oy_client_stream_new(call, oy_channel_get_settings(channel)->runtime, max_send_bytes, events,
                                               table, user);
    if (!stream) {
        oy_call_drop(call);
        return OYEZ_ENOMEM;
    }
    *ret_stream = stream;
    oy_call_launch(call);
    return OYEZ_NO_ERR;
}

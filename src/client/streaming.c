/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming calls: the public function that brings a channel and a stream together. */
#include <oyez/stream.h>

#include "base/options.h"
#include "call/client_stream.h"
#include "client/start.h"

static bool arguments_valid(const oyez_method *method, const void *request)
{
    if (!method || (!method->client_streaming && !method->server_streaming))
        return false;
    return method->client_streaming == (request == NULL);
}

oyez_err oyez_stream_start(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                           const oyez_call_options *options, const void *request, const oyez_stream_events *events,
                           const void *table, void *user, oyez_stream **ret_stream)
{
    oy_call *call;
    size_t max_send_bytes;
    if (!channel || !ret_stream || !arguments_valid(method, request))
        return OYEZ_EINVAL;
    oyez_err err = oy_channel_make_call(channel, method, ctx, options, request, &max_send_bytes, &call);
    if (err)
        return err;
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Unary calls: the public functions that bring a channel and a call together. */
#include <oyez/call.h>

#include "client/start.h"

static oyez_err check_unary(const oyez_method *method, const void *request, const char **ret_words)
{
    if (!request) {
        *ret_words = "the request is NULL";
        return OYEZ_ENULL;
    }
    if (method && (method->client_streaming || method->server_streaming)) {
        *ret_words = "the method is a streaming one: oyez_stream_start is for those";
        return OYEZ_EINVAL;
    }
    return OYEZ_NO_ERR;
}

static oyez_err make_async(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                           const oyez_call_options *options, const void *request, bool has_callback,
                           oy_call **ret_call)
{
    const char *words = NULL;
    oyez_err err = check_unary(method, request, &words);
    if (!err && !has_callback) {
        words = "the callback is NULL";
        err = OYEZ_ENULL;
    }
    if (!err)
        err = oy_channel_make_call(channel, method, ctx, options, request, NULL, ret_call, &words);
    return err ? oy_channel_refuse(channel, method, err, words) : OYEZ_NO_ERR;
}

oyez_err oyez_unary_call_start(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                               const oyez_call_options *options, const void *request, oyez_unary_adapter_fn *adapter,
                               oyez_any_fn *done, void *user, oyez_call **ret_call)
{
    oy_call *call;
    oyez_err err = make_async(channel, method, ctx, options, request, adapter && done, &call);
    if (err)
        return err;
    call->adapter = adapter;
    call->done = done;
    call->user = user;
    if (ret_call)
        *ret_call = oyez_call_ref(call);
    oy_call_launch(call);
    return OYEZ_NO_ERR;
}

static void untyped(oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((oyez_unary_done_fn *)done)(call, status, reply, user);
}

oyez_err oyez_unary_call_async(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                               const oyez_call_options *options, const void *request, oyez_unary_done_fn *done,
                               void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(channel, method, ctx, options, request, untyped, (oyez_any_fn *)done, user, ret_call);
}

static oyez_code local_failure(oyez_err err, const char *words, oyez_status *ret_status)
{
    oyez_code code = err == OYEZ_ENOMEM ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_INTERNAL;
    if (ret_status)
        (void)oyez_status_setf(ret_status, code, "the call could not be started: %s",
                               words ? words : oyez_strerror(err));
    return code;
}

oyez_code oyez_unary_call(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                          const oyez_call_options *options, const void *request, void **ret_reply,
                          oyez_status *ret_status)
{
    oy_call *call;
    oy_event event;
    const char *words = NULL;
    oyez_runtime *runtime = channel ? oy_channel_get_settings(channel)->runtime : NULL;
    oyez_err err = check_unary(method, request, &words);
    if (!err && runtime && oy_runtime_on_loop(runtime))
        err = OYEZ_EDEADLK;
    if (!err)
        err = oy_channel_make_call(channel, method, ctx, options, request, NULL, &call, &words);
    if (err)
        return local_failure(err, words, ret_status);
    oy_event_init(&event);
    call->event = &event;
    call->keep_reply = true;
    (void)oyez_call_ref(call);
    oy_call_launch(call);
    err = oy_runtime_wait(runtime, &event, OYEZ_FOREVER);
    if (err) {
        /* Only a loop's own thread is refused, and that was asked before. */
        return local_failure(err, NULL, ret_status);
    }
    oyez_code code = oy_call_collect(call, ret_reply, ret_status);
    (void)oyez_call_unref(call);
    return code;
}

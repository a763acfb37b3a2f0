/* SPDX-License-Identifier: Apache-2.0 */
/* Brings a channel and a call together. */
#include "client/start.h"

#include "base/assert.h"
#include "base/log.h"
#include "base/options.h"
#include "client/call_defaults.h"
#include "client/channel_impl.h"

static void owner_start(void *owner, oy_call *call)
{
    oy_channel_start_call(owner, call);
}

static void owner_ref(void *owner)
{
    (void)oyez_channel_ref(owner);
}

static void owner_unref(void *owner)
{
    (void)oyez_channel_unref(owner);
}

static void owner_tell_wait(void *owner, char *text, size_t bytes)
{
    oy_channel_tell_wait(owner, (oy_words){ text, bytes });
}

static const oy_call_owner channel_owner = {
    .start = owner_start,
    .ref = owner_ref,
    .unref = owner_unref,
    .tell_wait = owner_tell_wait,
};

static oyez_err check_arguments(const oyez_channel *channel, const oyez_method *method, const char **ret_words)
{
    if (!channel)
        *ret_words = "the channel is NULL (of a stub: its .channel)";
    else if (!method || !method->path)
        *ret_words = "the method is NULL, or its path is";
    else if (method->path[0] != '/')
        return OYEZ_EPATH;
    else
        return OYEZ_NO_ERR;
    return OYEZ_ENULL;
}

oyez_err oy_channel_refuse(const oyez_channel *channel, const oyez_method *method, oyez_err err, const char *words)
{
    if (channel)
        oy_log(&channel->log, OYEZ_LOG_ERROR, "channel %s: a call of %s could not be started: %s",
               channel->target.text, method && method->path ? method->path : "no method",
               words ? words : oyez_strerror(err));
    return err;
}

oyez_err oy_channel_make_call(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                              const oyez_call_options *user_options, const void *request, size_t *ret_max_send_bytes,
                              oy_call **ret_call, const char **ret_words)
{
    static const oyez_call_options none = { OYEZ_CALL_OPTIONS_INIT };
    const oyez_call_options *options = &none;
    oyez_call_options own;
    oyez_err err = check_arguments(channel, method, ret_words);
    if (err)
        return err;
    const oy_channel_settings *settings = oy_channel_get_settings(channel);
    err = oy_runtime_check(settings->runtime);
    if (!err && (user_options || settings->has_defaults)) {
        err = oy_options_copy(&own, sizeof(own), user_options);
        options = &own;
    }
    if (!err && !oy_call_texts_valid(options)) {
        *ret_words = "call options: authority or content_subtype has a character that it cannot have";
        err = OYEZ_EINVAL;
    }
    if (err)
        return err;
    if (oy_unlikely(settings->has_defaults))
        oy_call_defaults_apply(&settings->defaults, &own);
    oy_call *call = oy_call_new(settings->calls);
    if (!call)
        return OYEZ_ENOMEM;
    call->loop = settings->loop;
    const oy_call_params params = {
        .method = method,
        .ctx = ctx,
        .options = options,
        .default_metadata = settings->defaults.metadata,
        .request = request,
        .owner_ops = &channel_owner,
        .owner = channel,
        .messages = settings->pool,
        .max_receive_bytes = settings->max_receive_bytes,
        .max_send_bytes = settings->max_send_bytes,
        .max_arena_bytes = settings->max_arena_bytes,
        .chain = settings->chain,
        .stats = settings->stats,
    };
    err = oy_call_prepare(call, &params);
    if (err)
        return err;
    if (ret_max_send_bytes)
        *ret_max_send_bytes = options->max_send_bytes ? options->max_send_bytes : settings->max_send_bytes;
    *ret_call = call;
    return OYEZ_NO_ERR;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Brings a channel and a call together. */
#include "client/start.h"

#include "base/assert.h"
#include "base/options.h"
#include "client/call_defaults.h"

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

oyez_err oy_channel_make_call(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                              const oyez_call_options *user_options, const void *request, size_t *ret_max_send_bytes,
                              oy_call **ret_call)
{
    if (!channel || !method || !method->path || method->path[0] != '/')
        return OYEZ_EINVAL;
    const oy_channel_settings *settings = oy_channel_get_settings(channel);
    oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT };
    oyez_err err = oy_runtime_check(settings->runtime);
    if (!err && user_options)
        err = oy_options_copy(&options, sizeof(options), user_options);
    if (!err && !oy_call_texts_valid(&options))
        err = OYEZ_EINVAL;
    if (err)
        return err;
    if (oy_unlikely(settings->has_defaults))
        oy_call_defaults_apply(&settings->defaults, &options);
    oy_call *call = oy_call_new(settings->calls);
    if (!call)
        return OYEZ_ENOMEM;
    call->loop = settings->loop;
    const oy_call_params params = {
        .method = method,
        .ctx = ctx,
        .options = &options,
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
        *ret_max_send_bytes = options.max_send_bytes ? options.max_send_bytes : settings->max_send_bytes;
    *ret_call = call;
    return OYEZ_NO_ERR;
}

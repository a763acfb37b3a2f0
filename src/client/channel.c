/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of a channel. It lives on one loop; here its references are counted, and
 * what other threads ask for is handed over.
 *
 * The end: the last reference hands the rest to the loop (OY_WORK_FREE) and drops the channel's
 * hold on the runtime, so that a runtime which ends first takes the channel with it: a loop runs
 * its tasks before it goes. In a child of the process the hand-over runs at once. */
#include "client/channel_impl.h"

#include "base/alloc.h"
#include "call/chain.h"
#include "client/call_defaults.h"

/* @param connector takes; NULL: the target says where to */
static oyez_err make(const char *target, oy_connector *connector, oyez_credentials *credentials,
                     const oyez_channel_options *options, oyez_channel **ret_channel)
{
    oyez_channel *channel;
    oyez_err err;

    channel = oy_alloc_zero(sizeof(*channel));
    if (!channel) {
        oy_connector_unref(connector);
        return OYEZ_ENOMEM;
    }
    channel->subchannels.connector = connector;
    oy_refcount_init(&channel->refs, 1);
    atomic_init(&channel->work, 0);
    atomic_init(&channel->state, OYEZ_IDLE);
    pthread_mutex_init(&channel->lock, NULL);
    oy_list_init(&channel->watchers);
    oy_channel_init_loop_side(channel);
    err = oy_channel_set_options(channel, target, credentials, options);
    if (err) {
        oyez_runtime *runtime = channel->settings.runtime;
        oy_channel_destroy(channel);
        oyez_runtime_unref(runtime);
        return err;
    }
    *ret_channel = channel;
    return OYEZ_NO_ERR;
}

oyez_err oyez_channel_new(const char *target, oyez_credentials *credentials,
                          const oyez_channel_options *options, oyez_channel **ret_channel)
{
    return ret_channel ? make(target, NULL, credentials, options, ret_channel) : OYEZ_ENULL;
}

oyez_err oy_channel_new_inproc(oy_connector *connector, const oyez_channel_options *options,
                               oyez_channel **ret_channel)
{
    return make("inproc", connector, oyez_insecure(), options, ret_channel);
}

void oy_channel_destroy(oyez_channel *channel)
{
    oy_call_pool_free(channel->settings.calls);
    oy_call_defaults_fini(&channel->settings);
    oy_connector_unref(channel->subchannels.connector);
    oy_call_chain_unref(channel->settings.chain);
    oy_stats_unref(channel->settings.stats);
    oy_compressors_unref(channel->settings.compressors);
    oyez_pool_unref(channel->settings.pool);
    oy_quota_unref(channel->quota);
    oy_target_fini(&channel->target);
    oy_free(channel->authority);
    oy_free(channel->user_agent);
    pthread_mutex_destroy(&channel->lock);
    oy_free(channel);
}

oyez_channel *oyez_channel_ref(oyez_channel *channel)
{
    if (channel)
        oy_ref(&channel->refs);
    return channel;
}

oyez_channel *oyez_channel_unref(oyez_channel *channel)
{
    if (channel && oy_unref(&channel->refs)) {
        oyez_runtime *runtime = channel->settings.runtime;
        oy_channel_ask(channel, OY_WORK_FREE);
        oyez_runtime_unref(runtime);
    }
    return NULL;
}

void oyez_channel_close(oyez_channel *channel)
{
    if (!channel || oy_runtime_check(channel->settings.runtime))
        return;
    oy_channel_publish(channel, OYEZ_SHUTDOWN);
    oy_channel_ask(channel, OY_WORK_CLOSE);
}

void oyez_channel_connect(oyez_channel *channel)
{
    if (!channel || oy_runtime_check(channel->settings.runtime))
        return;
    if (oyez_channel_state(channel) == OYEZ_IDLE)
        oy_channel_ask(channel, OY_WORK_CONNECT);
}

const oy_channel_settings *oy_channel_get_settings(const oyez_channel *channel)
{
    return &channel->settings;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of src/client share: the channel as its calls see it. */
#ifndef OY_CLIENT_CHANNEL_H
#define OY_CLIENT_CHANNEL_H

#include <oyez/channel.h>

#include "call/call.h"
#include "client/words.h"
#include "io/io.h"
#include "transport/transport.h"

/* Immutable after oyez_channel_new: read from any thread. */
typedef struct oy_channel_settings {
    oy_loop *loop;               /* the channel, its connections and its calls live on this one */
    oyez_runtime *runtime;
    oyez_pool *pool;
    oy_call_pool *calls;
    oy_compressors *compressors; /* NULL: none */
    uint32_t max_receive_bytes, max_send_bytes;
    size_t max_arena_bytes;
    oy_call_chain *chain;        /* NULL: no interceptors */
    oy_stats *stats;             /* NULL: no stats handlers */
    bool has_defaults;
    oyez_call_options defaults;  /* of every call; `metadata` and texts are the channel's own */
} oy_channel_settings;

const oy_channel_settings *oy_channel_get_settings(const oyez_channel *channel);

/* A channel whose connections the connector makes; its target is "inproc", its authority "localhost" unless the options
 * say another. @param connector takes, on success and on failure. */
oyez_err oy_channel_new_inproc(oy_connector *connector, const oyez_channel_options *options,
                               oyez_channel **ret_channel);

/* Finds a connection for the call and starts it there (oy_call_attach), or lets it wait in the channel's list
 * (call->waiting), or fails it (oy_call_fail): fail-fast calls in TRANSIENT_FAILURE with the last error's words.
 * Leaves IDLE. Loop thread. */
void oy_channel_start_call(oyez_channel *channel, oy_call *call);

/* What a call waits for: the state, the addresses that are being tried, the last failure. Loop thread. */
void oy_channel_tell_wait(const oyez_channel *channel, oy_words words);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a user may say about a channel: checked, with words for what is wrong, and defaults for the
 * rest. */
#include "client/channel_impl.h"

#include <stdio.h>

#include <oyez/limits.h>
#include <oyez/version.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/options.h"
#include "base/size.h"
#include "base/text.h"
#include "call/chain.h"
#include "client/call_defaults.h"

#define USER_AGENT              "grpc-c-oyez/" OYEZ_VERSION_STRING
#define MAX_TEXT_BYTES          4096u
#define DEFAULT_MAX_RECEIVE     OYEZ_LIMIT_RECEIVE_BYTES
#define DEFAULT_MAX_BUFFERED    OYEZ_LIMIT_BUFFERED_BYTES
#define DEFAULT_CONNECT_TIMEOUT OYEZ_LIMIT_CONNECT_TIMEOUT
#define DEFAULT_BACKOFF_BASE    OYEZ_LIMIT_BACKOFF_BASE
#define DEFAULT_BACKOFF_MAX     OYEZ_LIMIT_BACKOFF_MAX
#define DEFAULT_BACKOFF_FACTOR  OYEZ_LIMIT_BACKOFF_FACTOR
#define DEFAULT_BACKOFF_JITTER  OYEZ_LIMIT_BACKOFF_JITTER

typedef oyez_channel_options options;

static oy_words words_of(const options *own)
{
    return (oy_words){own->words, own->words_bytes};
}

static oyez_err invalid(oy_words words, const char *what)
{
    oy_words_set(words, "channel options: %s", what);
    return OYEZ_EINVAL;
}

static bool is_window(uint32_t bytes)
{
    return bytes == 0 || (bytes >= OY_H2_DEFAULT_WINDOW && bytes <= OY_H2_MAX_WINDOW);
}

/* What may stand in a header field: printable ASCII. */
static bool is_field(const char *text, bool spaces)
{
    size_t len = strlen(text);
    if (len == 0 || len > MAX_TEXT_BYTES || text[0] == ' ' || text[len - 1] == ' ')
        return false;
    for (size_t i = 0; i < len; i++)
        if (text[i] < (spaces ? 0x20 : 0x21) || text[i] > 0x7e)
            return false;
    return true;
}

static oyez_err check(const options *own, oy_words words)
{
    if (!is_window(own->stream_window_bytes))
        return invalid(words, "stream_window_bytes: expected 65,535 to 2^31 - 1");
    if (!is_window(own->connection_window_bytes))
        return invalid(words, "connection_window_bytes: expected 65,535 to 2^31 - 1");
    if (own->connect_timeout < 0 || own->backoff_base < 0 || own->backoff_max < 0)
        return invalid(words,
                       "connect_timeout, backoff_base, backoff_max: expected no negative duration");
    if (own->backoff_base && own->backoff_max && own->backoff_base > own->backoff_max)
        return invalid(words, "backoff_base: expected at most backoff_max");
    if (own->backoff_factor != 0 && !(own->backoff_factor >= 1 && own->backoff_factor <= 1e6))
        return invalid(words, "backoff_factor: expected 1 to 1,000,000");
    if (!(own->backoff_jitter <= 1))
        return invalid(words, "backoff_jitter: expected at most 1 (below 0: none)");
    if (own->keepalive_time < 0 || own->keepalive_timeout < 0)
        return invalid(words, "keepalive_time, keepalive_timeout: expected no negative duration");
    if (own->authority && !is_field(own->authority, false))
        return invalid(words, "authority: expected printable ASCII without spaces");
    if (own->user_agent && !is_field(own->user_agent, true))
        return invalid(words, "user_agent: expected printable ASCII");
    return OYEZ_NO_ERR;
}

static void set_backoff(oyez_channel *channel, const options *own)
{
    oy_backoff_config *backoff = &channel->backoff;
    backoff->base = own->backoff_base ? own->backoff_base : DEFAULT_BACKOFF_BASE;
    backoff->max = own->backoff_max ? own->backoff_max : DEFAULT_BACKOFF_MAX;
    if (backoff->max < backoff->base) { /* one of the two is a default */
        if (own->backoff_base)
            backoff->max = backoff->base;
        else
            backoff->base = backoff->max;
    }
    backoff->factor = own->backoff_factor != 0 ? own->backoff_factor : DEFAULT_BACKOFF_FACTOR;
    if (own->backoff_jitter < 0)
        backoff->jitter = 0;
    else
        backoff->jitter = own->backoff_jitter > 0 ? own->backoff_jitter : DEFAULT_BACKOFF_JITTER;
}

/* A size option as the 32 bits that a message's length has. */
static uint32_t message_limit(size_t bytes, uint32_t otherwise)
{
    return bytes == 0 ? otherwise : bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

static oyez_err set_texts(oyez_channel *channel, const options *own)
{
    const size_t front = own->user_agent ? strlen(own->user_agent) + 1 : 0;
    channel->user_agent = oy_alloc(front + sizeof(USER_AGENT));
    if (!channel->user_agent)
        return OYEZ_ENOMEM;
    snprintf(channel->user_agent, front + sizeof(USER_AGENT), "%s%s%s",
             front ? own->user_agent : "", front ? " " : "", USER_AGENT);
    if (own->authority) {
        channel->authority = oy_strndup(own->authority, strlen(own->authority));
        if (!channel->authority)
            return OYEZ_ENOMEM;
    }
    return OYEZ_NO_ERR;
}

static oyez_err set_objects(oyez_channel *channel, const options *own)
{
    oy_channel_settings *settings = &channel->settings;
    oyez_err err = OYEZ_NO_ERR;

    if (own->runtime)
        settings->runtime = oyez_runtime_ref(own->runtime);
    else
        err = oy_runtime_default(&settings->runtime);
    if (!err)
        err = oy_runtime_check(settings->runtime);
    if (err)
        return err;
    settings->loop = oy_runtime_pick_loop(settings->runtime);
    if (own->pool)
        settings->pool = oyez_pool_ref(own->pool);
    else
        err = oy_pool_new_for_messages(&settings->pool);
    if (!err)
        err = oy_call_pool_new(settings->loop, &settings->calls);
    if (!err)
        oy_call_pool_limit_replay(
            settings->calls, own->retry_bytes ? own->retry_bytes : OYEZ_LIMIT_RETRY_BYTES,
            own->retry_total_bytes ? own->retry_total_bytes : OYEZ_LIMIT_RETRY_TOTAL_BYTES);
    if (!err)
        oy_call_pool_set_compressors(settings->calls, settings->compressors);
    if (!err)
        err = oy_quota_new(own->max_buffered_bytes ? own->max_buffered_bytes
                                                           : DEFAULT_MAX_BUFFERED,
                                   &channel->quota);
    return err;
}

static void set_life(oyez_channel *channel, const options *own)
{
    oy_life_config *life = &channel->subchannels.config.life;
    life->keepalive.time = own->keepalive_time;
    if (own->keepalive_time && own->keepalive_time < OY_KEEPALIVE_CLIENT_LEAST) {
        life->keepalive.time = OY_KEEPALIVE_CLIENT_LEAST;
        oy_log(&channel->log, OYEZ_LOG_WARNING, "channel %s: keepalive_time is raised to 10 s",
               channel->target.text);
    }
    life->keepalive.timeout = own->keepalive_timeout ? own->keepalive_timeout : OY_KEEPALIVE_TIMEOUT;
    life->keepalive.without_calls = own->keepalive_without_calls;
    life->fixed_windows = own->fixed_windows;
}

static void set_transport_config(oyez_channel *channel, const options *own)
{
    oy_client_config *config = &channel->subchannels.config;
    config->h2.header_list_bytes = own->max_header_list_bytes;
    config->h2.stream_window = own->stream_window_bytes;
    config->h2.connection_window = own->connection_window_bytes;
    oy_h2_config_defaults(&config->h2);
    config->authority = oy_str(channel->authority ? channel->authority : channel->target.authority);
    config->user_agent = oy_str(channel->user_agent);
    config->accept_encoding = oy_compressors_names(channel->settings.compressors);
    config->pool = channel->settings.pool;
    config->quota = channel->quota;
    config->log = &channel->log;
    channel->subchannels.stats = channel->settings.stats;
    set_life(channel, own);
    channel->subchannels.loop = channel->settings.loop;
    channel->subchannels.backoff = channel->backoff;
    channel->subchannels.connect_timeout =
        own->connect_timeout ? own->connect_timeout : DEFAULT_CONNECT_TIMEOUT;
}

/* Memory of a call for its decoded messages. */
static size_t arena_limit(const options *own, size_t max_receive_bytes)
{
    return own->max_arena_bytes ? own->max_arena_bytes
                                : oy_max_size(OYEZ_LIMIT_ARENA_BYTES,
                                              OYEZ_LIMIT_ARENA_FACTOR * max_receive_bytes);
}

/* What stands around each call. */
static oyez_err set_call_extras(oyez_channel *channel, const options *own)
{
    oy_channel_settings *settings = &channel->settings;
    oyez_err err = oy_call_chain_new(own->interceptors, own->interceptor_count, &settings->chain);

    if (!err)
        err = oy_stats_new(own->stats_handlers, own->stats_handler_count, &settings->stats);
    return err;
}

static oyez_err set_compressors(oyez_channel *channel, const options *own, oy_words words)
{
    const char *what;
    oyez_err err = oy_compressors_new(own->compressors, own->compressor_count, &channel->settings.compressors, &what);
    if (err && err != OYEZ_ENOMEM)
        oy_words_set(words, "channel options: compressors: %s", what);
    return err;
}

static oyez_err make_resolver(oyez_channel *channel)
{
    const oy_resolver_args args = {
        .loop = channel->settings.loop,
        .target = &channel->target,
        .backoff = &channel->backoff,
        .events = &oy_channel_resolver_events,
        .user = channel,
    };
    return oy_resolver_new(&args, &channel->resolver);
}

/* @param words  room for what is wrong; empty if the error says it */
static oyez_err set_options(oyez_channel *channel, const char *target, oyez_credentials *credentials,
                            const options *own, oy_words words)
{
    oyez_err err;
    if (!target) {
        oy_words_set(words, "expected a target, got NULL");
        return OYEZ_ENULL;
    }
    if (!credentials)
        return OYEZ_ECREDENTIALS;
    err = check(own, words);
    if (!err)
        err = channel->subchannels.connector ? oy_target_inproc(target, &channel->target)
                                             : oy_target_parse(target, words, &channel->target);
    if (err)
        return err;
    channel->log = own->log;
    channel->settings.max_receive_bytes = message_limit(own->max_receive_bytes, DEFAULT_MAX_RECEIVE);
    channel->settings.max_send_bytes = message_limit(own->max_send_bytes, UINT32_MAX);
    channel->settings.max_arena_bytes = arena_limit(own, channel->settings.max_receive_bytes);
    set_backoff(channel, own);
    err = set_compressors(channel, own, words);
    if (!err)
        err = oy_call_defaults_set(&channel->settings, own->call_options, words);
    if (!err)
        err = set_texts(channel, own);
    if (!err)
        err = set_call_extras(channel, own);
    if (!err)
        err = set_objects(channel, own);
    if (!err)
        err = make_resolver(channel);
    return err;
}

/* Into the room that the options name, and into their log. */
static void tell(const options *own, oyez_err err, const char *text)
{
    oy_words_set(words_of(own), *text ? "%s" : "channel: %s", *text ? text : oyez_strerror(err));
    oy_log(&own->log, OYEZ_LOG_ERROR, "channel: %s", *text ? text : oyez_strerror(err));
}

oyez_err oy_channel_set_options(oyez_channel *channel, const char *target,
                                oyez_credentials *credentials, const options *user)
{
    options own = {OYEZ_CHANNEL_OPTIONS_INIT};
    char text[OY_WORDS_MAX] = "";
    oyez_err err = oy_options_copy(&own, sizeof(own), user);

    if (err == OYEZ_E2BIG)
        tell(user, err, "");
    if (err)
        return err;
    err = set_options(channel, target, credentials, &own, (oy_words){text, sizeof(text)});
    if (err)
        tell(&own, err, text);
    else
        set_transport_config(channel, &own);
    return err;
}

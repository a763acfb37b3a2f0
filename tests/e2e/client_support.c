/* SPDX-License-Identifier: Apache-2.0 */
/* Channels and calls for the tests of channels. */
#include "client_support.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "io/io.h"
#include "support/test.h"

static const oyez_method method = {OYEZ_METHOD_INIT, .path = "/test.Service/Method"};

oyez_channel *client_open_with(const oyez_channel_options *options, const char *target)
{
    oyez_channel_options own = *options;
    oyez_channel *channel = NULL;
    char words[512] = "";
    own.words = words;
    own.words_bytes = sizeof(words);
    oyez_err err = oyez_channel_new(target, oyez_insecure(), &own, &channel);
    if (err)
        fail_msg("%s: %s: %s", target, oyez_err_name(err), words);
    return channel;
}

oyez_channel *client_open(oyez_runtime *runtime, const char *target)
{
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .runtime = runtime,
        .backoff_base = 20 * OYEZ_MILLISECOND,
        .backoff_max = 20 * OYEZ_MILLISECOND,
        .connect_timeout = 300 * OYEZ_MILLISECOND,
    };
    return client_open_with(&options, target);
}

static oyez_call_options call_options(bool wait_for_ready, oyez_duration timeout)
{
    return (oyez_call_options){OYEZ_CALL_OPTIONS_INIT, .wait_for_ready = wait_for_ready,
                               .timeout = timeout ? timeout : 5 * OYEZ_SECOND};
}

static client_result result_of(const oyez_status *status)
{
    client_result result = {.code = status->code};
    snprintf(result.words, sizeof(result.words), "%s", status->message);
    return result;
}

client_result client_call(oyez_channel *channel, bool wait_for_ready, oyez_duration timeout)
{
    const oyez_call_options options = call_options(wait_for_ready, timeout);
    const oyez_slice request = OYEZ_SLICE_INIT;
    oyez_status status = OYEZ_STATUS_INIT;
    client_result result;
    (void)oyez_unary_call(channel, &method, NULL, &options, &request, NULL, &status);
    result = result_of(&status);
    oyez_status_fini(&status);
    return result;
}

static void on_done(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    client_pending *pending = user;
    (void)call;
    (void)reply;
    pending->result = result_of(status);
    atomic_store(&pending->done, true);
}

void client_start(client_pending *pending, oyez_channel *channel, bool wait_for_ready,
                  oyez_duration timeout)
{
    const oyez_call_options options = call_options(wait_for_ready, timeout);
    const oyez_slice request = OYEZ_SLICE_INIT;
    memset(pending, 0, sizeof(*pending));
    assert_ok(oyez_unary_call_async(channel, &method, NULL, &options, &request, on_done, pending,
                                    &pending->call));
}

client_result client_finish(client_pending *pending, oyez_runtime *manual)
{
    const int64_t limit = oy_now() + 20 * OYEZ_SECOND;
    while (!atomic_load(&pending->done)) {
        if (manual)
            assert_ok(oyez_runtime_turn(manual, 100));
        else
            client_pause_ms(1);
        if (oy_now() > limit)
            fail_msg("a call does not end");
    }
    pending->call = oyez_call_unref(pending->call);
    return pending->result;
}

void client_await(oyez_channel *channel, oyez_connectivity state)
{
    const int64_t limit = oy_now() + 5 * OYEZ_SECOND;
    oyez_connectivity now;
    while ((now = oyez_channel_state(channel)) != state)
        if (!oyez_channel_wait_for_state_change(channel, now, limit - oy_now()))
            fail_msg("%s instead of %s", oyez_connectivity_name(now),
                     oyez_connectivity_name(state));
}

void client_pause_ms(unsigned ms)
{
    const struct timespec pause = {ms / 1000, (int)(ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

static void set_event(void *user)
{
    oy_event_set(user);
}

oyez_runtime *client_end_runtime(oyez_runtime *runtime)
{
    oy_event passed;
    oy_event_init(&passed);
    assert_ok(oyez_runtime_post(runtime, set_event, &passed));
    assert_ok(oy_runtime_wait(runtime, &passed, OYEZ_FOREVER));
    return oyez_runtime_unref(runtime);
}

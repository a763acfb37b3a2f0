/* SPDX-License-Identifier: Apache-2.0 */
/* What the stats handlers of a channel are told of its calls: attempt by attempt, all on the loop. */
#include <string.h>

#include "base/text.h"
#include "call/chain.h"

struct oy_call_stats {
    bool open;                   /* an attempt has begun and not ended */
    bool headers_left;
    bool has_waiting;            /* a message was given to an attempt that waits for its turn */
    bool waiting_compressed;
    size_t waiting, waiting_sent;
    oyez_str peer;
    oyez_metadata headers, trailers; /* in the call's arena */
    void *tags[];
};

/* One memory for all attempts of a call. */
static oy_call_stats *state_of(oy_call *call)
{
    if (!call->attempt)
        call->attempt = oy_arena_alloc(&call->arena, sizeof(*call->attempt) + oy_stats_tags_bytes(call->stats));
    return call->attempt;
}

void oy_call_stats_begin(oy_call *call, bool again)
{
    oy_call_stats *state = state_of(call);
    if (!state)
        return; /* without memory nobody is told */
    memset(state, 0, sizeof(*state));
    oy_metadata_init_arena(&state->headers, &call->arena);
    oy_metadata_init_arena(&state->trailers, &call->arena);
    state->open = true;
    const oyez_stats_begin begin = {
        .client = true,
        .path = call->method->path,
        .client_streaming = call->method->client_streaming,
        .server_streaming = call->method->server_streaming,
        .wait_for_ready = call->wait_for_ready,
        .transparent_retry = again,
        .deadline = call->deadline,
    };
    oy_stats_begin(call->stats, state->tags, NULL, begin);
}

void oy_call_stats_end(oy_call *call, const oyez_status *status)
{
    oy_call_stats *state = call->attempt;
    if (!state || !state->open)
        return;
    state->open = false;
    oy_stats_end(call->stats, state->tags, status);
}

static bool is_open(const oy_call *call)
{
    return call->attempt && call->attempt->open;
}

void oy_call_stats_out_headers(oy_call *call, oyez_str peer)
{
    oy_call_stats *state = call->attempt;
    if (!is_open(call))
        return;
    state->headers_left = true;
    state->peer = peer;
    oy_stats_headers(call->stats, state->tags, OY_STATS_OUT_HEADERS, &call->metadata, peer.data);
    if (state->has_waiting)
        oy_stats_payload(call->stats, state->tags, true, state->waiting, state->waiting_sent,
                         state->waiting_compressed);
    state->has_waiting = false;
}

void oy_call_stats_payload(oy_call *call, bool out, size_t length, size_t sent, bool compressed)
{
    oy_call_stats *state = call->attempt;
    if (!is_open(call))
        return;
    if (out && !state->headers_left) {
        state->has_waiting = true;
        state->waiting = length;
        state->waiting_sent = sent;
        state->waiting_compressed = compressed;
        return;
    }
    oy_stats_payload(call->stats, state->tags, out, length, sent, compressed);
}

void oy_call_stats_metadata(oy_call *call, oyez_str key, oyez_str value, bool trailer)
{
    if (is_open(call))
        (void)oy_metadata_append(trailer ? &call->attempt->trailers : &call->attempt->headers, key, value, true);
}

void oy_call_stats_in_headers(oy_call *call)
{
    if (is_open(call))
        oy_stats_headers(call->stats, call->attempt->tags, OY_STATS_IN_HEADERS, &call->attempt->headers,
                         call->attempt->peer.data);
}

void oy_call_stats_in_trailers(oy_call *call)
{
    if (is_open(call))
        oy_stats_headers(call->stats, call->attempt->tags, OY_STATS_IN_TRAILERS, &call->attempt->trailers,
                         call->attempt->peer.data);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the stats handlers of a server are told of its calls. All on the loop; a call without handlers never comes here. */
#include <string.h>

#include "server/server_impl.h"

/* The path with a NUL behind it, which one that came over the wire has anyway. */
static const char *path_of(const oyez_server_call *call)
{
    return call->stream.path.len > 0 ? call->stream.path.data : "";
}

void oy_server_stats_begin(oyez_server_call *call)
{
    const oy_stats *stats = call->shard->server->stats;
    const oy_method_entry *entry = call->stream.method;
    call->stats = oy_arena_alloc(&call->wire, sizeof(*call->stats) + oy_stats_tags_bytes(stats));
    if (!call->stats)
        return; /* without memory nobody is told */
    memset(call->stats, 0, sizeof(*call->stats));
    call->stats->status = (oyez_status)OYEZ_STATUS_INIT;
    const oyez_stats_begin begin = {
        .path = path_of(call),
        .client_streaming = entry && entry->method->client_streaming,
        .server_streaming = entry && entry->method->server_streaming,
        .deadline = call->deadline,
    };
    oy_stats_begin(stats, call->stats->tags, call->conn->stats_tags, begin);
    oy_stats_headers(stats, call->stats->tags, OY_STATS_IN_HEADERS, &call->metadata, call->conn->peer);
}

void oy_server_stats_out_headers(oyez_server_call *call)
{
    oy_stats_headers(call->shard->server->stats, call->stats->tags, OY_STATS_OUT_HEADERS, &call->headers,
                     call->conn->peer);
}

void oy_server_stats_out_trailers(oyez_server_call *call, bool trailers, oyez_code code, oyez_str words, oyez_str details)
{
    oy_server_call_stats *state = call->stats;
    if (state->has_status)
        return;
    state->has_status = true;
    (void)oy_status_borrow(&state->status, &state->loan, code, words, details);
    if (trailers)
        oy_stats_headers(call->shard->server->stats, state->tags, OY_STATS_OUT_TRAILERS, &call->trailers,
                         call->conn->peer);
}

void oy_server_stats_end(oyez_server_call *call)
{
    const oy_server_call_stats *state = call->stats;
    oy_stats_end(call->shard->server->stats, state->tags, &state->status);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A server's call on its loop: from the first header to the last byte of the answer, and back into the pool. Two parties hold
 * it: the transport while the stream lives, and the handler until its answer is sent. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/zero.h"
#include "server/server_impl.h"

static oyez_server_call *call_of(oy_stream *stream)
{
    return oy_container_of(stream, oyez_server_call, stream.base);
}

/* --- from the pool and back ---------------------------------------------------------------------------------------------- */

static oyez_server_call *take(oy_server_shard *shard)
{
    oy_list *node = oy_list_pop_front(&shard->idle_calls);
    if (node) {
        shard->idle_count--;
        return oy_container_of(node, oyez_server_call, idle);
    }
    oyez_server_call *call = oy_alloc_zero(sizeof(*call));
    if (!call)
        return NULL;
    oy_arena_init(&call->arena, call->first, sizeof(call->first));
    oy_arena_init(&call->wire, call->wire_first, sizeof(call->wire_first));
    return call;
}

static void free_call(oyez_server_call *call)
{
    oy_arena_fini(&call->arena);
    oy_arena_fini(&call->wire);
    oy_free(call);
}

void oy_server_call_free_idle(oy_server_shard *shard)
{
    oy_list *node;
    while (shard->idle_calls.next && (node = oy_list_pop_front(&shard->idle_calls)) != NULL)
        free_call(oy_container_of(node, oyez_server_call, idle));
}

/* Nobody holds it any more. */
static void put(oyez_server_call *call)
{
    oy_server_shard *shard = call->shard;
    oy_server_conn *conn = call->conn;
    oy_timer_unset(shard->loop, &call->timer);
    if (oy_unlikely(call->stats != NULL))
        oy_server_stats_end(call);
    if (call->decoded && call->entry->codec->release)
        call->entry->codec->release(call->entry->method->request, call->decoded);
    oy_message_fini(&call->request);
    oy_slice_fini(&call->response);
    oyez_status_fini(&call->status);
    oyez_ctx_unref(atomic_load_explicit(&call->ctx, memory_order_acquire));
    if (call->messages_stream)
        oy_message_stream_fini(call->messages_stream);
    oy_arena_reset(&call->arena);
    oy_arena_reset(&call->wire);
    oy_zero(call, offsetof(oyez_server_call, arena));
    if (shard->idle_count < OY_SERVER_MAX_IDLE_CALLS) {
        shard->idle_count++;
        oy_list_push_front(&shard->idle_calls, &call->idle);
    } else {
        free_call(call);
    }
    oy_server_conn_call_gone(conn);
}

void oy_server_call_release(oyez_server_call *call)
{
    if (!call->on_wire && !call->handling && call->holds == 0 && atomic_load(&call->tasks) == 0)
        put(call);
}

/* --- cancellation ---------------------------------------------------------------------------------------------------------- */

/* Tells a handler that nobody waits for its answer. */
static void cancel(oyez_server_call *call, oyez_code code)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&call->cancelled, &none, (int)code))
        return;
    oyez_ctx *ctx = atomic_load(&call->ctx);
    if (ctx)
        (void)oy_ctx_cancel(ctx, code);
}

/* The stream is gone from the wire: whoever handles it hears of it. The call may be gone afterwards. */
static void off_wire(oyez_server_call *call, oyez_code code)
{
    call->on_wire = false;
    if (code != OYEZ_OK && oy_runtime_check(call->shard->server->runtime)) {
        oy_server_call_release(call); /* a child of the process tells nobody: the handler is the parent's */
        return;
    }
    call->holds++;
    if (oy_unlikely(call->stats != NULL))
        oy_server_stats_out_trailers(call, false, code, OYEZ_STR("the call was cancelled"), OYEZ_STR(""));
    /* While it is handled an end is never its handler's, not even one with an answer, such as to a message that is too large. */
    if (call->handling)
        cancel(call, code == OYEZ_OK ? OYEZ_CANCELLED : code);
    /* A status that was not the handler's is no answer of its own. */
    if (code == OYEZ_OK)
        code = (oyez_code)atomic_load(&call->cancelled);
    if (call->messages_stream) {
        oyez_status status = OYEZ_STATUS_INIT;
        (void)oy_status_static(&status, code, code == OYEZ_OK ? "" : "the call was cancelled");
        oy_message_stream_over(call->messages_stream, &status);
    }
    call->holds--;
    oy_server_call_release(call);
}

void oy_server_call_cut_short(oyez_server_call *call, oyez_code code, const char *words)
{
    /* An answer that the client does not take must not wait longer than the call's deadline either. */
    if (!call->on_wire || (call->stream.base.trailers_pending && code != OYEZ_DEADLINE_EXCEEDED))
        return;
    call->holds++;
    if (call->handling)
        cancel(call, code == OYEZ_DEADLINE_EXCEEDED ? code : OYEZ_CANCELLED);
    if (call->stream.base.out_pending) {
        if (oy_unlikely(call->stats != NULL))
            oy_server_stats_out_trailers(call, false, code, oy_str(words), OYEZ_STR(""));
        oy_server_stream_reset(&call->stream, OY_H2_CANCEL);
        off_wire(call, code);
    } else {
        oy_server_call_refuse(call, code, words);
    }
    call->holds--;
    oy_server_call_release(call);
}

static void on_deadline(oy_timer *timer)
{
    oy_server_call_cut_short(oy_container_of(timer, oyez_server_call, timer), OYEZ_DEADLINE_EXCEEDED,
                             "context deadline exceeded");
}

/* --- events ------------------------------------------------------------------------------------------------------------------ */

static void on_metadata(oy_stream *stream, oyez_str key, oyez_str value, bool trailer)
{
    oyez_server_call *call = call_of(stream);
    char *key_copy = oy_arena_dup(&call->arena, key.data, key.len);
    char *value_copy = oy_arena_dup(&call->arena, value.data, value.len);
    (void)trailer;
    /* Its characters were checked by the engine. Without memory the entry is lost, and the call goes on. */
    if (key_copy && value_copy)
        (void)oy_metadata_add_arena(&call->metadata, (oyez_str){ key_copy, key.len }, (oyez_str){ value_copy, value.len });
}

static oyez_str keep(oyez_server_call *call, oyez_str text)
{
    char *copy = text.len ? oy_arena_dup(&call->wire, text.data, text.len) : NULL;
    return copy ? (oyez_str){ copy, text.len } : OYEZ_STR("");
}

/* Ends a call that has no handler; the call may be gone afterwards. */
void oy_server_call_refuse_with(oyez_server_call *call, oyez_code code, oyez_str words, oyez_str details)
{
    if (!call->on_wire)
        return;
    words = keep(call, words);
    details = keep(call, details);
    if (oy_unlikely(call->stats != NULL))
        oy_server_stats_out_trailers(call, true, code, words, details);
    oy_server_stream_finish(&call->stream, code, words, details, NULL, 0);
}

void oy_server_call_refuse(oyez_server_call *call, oyez_code code, const char *words)
{
    oy_server_call_refuse_with(call, code, oy_str(words), OYEZ_STR(""));
}

static void refuse_unknown(oyez_server_call *call)
{
    const oyez_server *server = call->shard->server;
    oyez_str service, method, path = call->stream.path;
    char words[256];
    if (!oy_path_split(path, &service, &method))
        snprintf(words, sizeof(words), "malformed method name: \"%.*s\"", (int)(path.len < 160 ? path.len : 160), path.data);
    else if (oy_registry_has_service(&server->registry, service))
        snprintf(words, sizeof(words), "unknown method %.*s for service %.*s", (int)(method.len < 90 ? method.len : 90),
                 method.data, (int)(service.len < 90 ? service.len : 90), service.data);
    else
        snprintf(words, sizeof(words), "unknown service %.*s", (int)(service.len < 160 ? service.len : 160), service.data);
    oy_server_call_refuse(call, OYEZ_UNIMPLEMENTED, words);
}

static const oy_method_entry *choose_entry(oyez_server_call *call)
{
    const oyez_server *server = call->shard->server;
    const oy_method_entry *entry = call->stream.method;
    oyez_str service, method;
    if (entry && oy_method_entry_is_handled(entry))
        return entry;
    if (!entry && oy_method_entry_is_handled(&server->registry.unknown) && oy_path_split(call->stream.path, &service, &method))
        return &server->registry.unknown;
    return NULL;
}

/* False: refused, and the call may be gone. */
static bool tap_lets_pass(oyez_server_call *call)
{
    const oyez_server_options *options = &call->shard->server->options;
    oyez_code code = options->tap(options->tap_self, call);
    if (code == OYEZ_OK)
        return true;
    oyez_str words = OYEZ_STR("the call was refused"), details = OYEZ_STR("");
    if (call->status.code == code) {
        words = (oyez_str){ call->status.message, call->status.message_len };
        details = oyez_status_details(&call->status);
    }
    /* gRPC-Go has PERMISSION_DENIED for an error that is no status. */
    if ((int)code < 0 || code > OYEZ_UNAUTHENTICATED)
        code = OYEZ_PERMISSION_DENIED;
    oy_server_call_refuse_with(call, code, words, details);
    return false;
}

/* What the client compresses by; it gets its answer in kind. False: refused, and the call may be gone. */
static bool take_encoding(oyez_server_call *call)
{
    const oy_compressor *compressor = call->stream.compressor;
    char words[OY_COMPRESSION_WORDS];
    if (oy_encoding_is_none(call->stream.encoding))
        return true;
    if (!compressor) {
        oy_encoding_unknown_words(call->stream.encoding, words);
        oy_server_call_refuse(call, OYEZ_UNIMPLEMENTED, words);
        return false;
    }
    /* Who says what he takes, and leaves this out, does not get it. */
    if (!call->stream.has_accepts || (call->stream.accepts & oy_compressor_bit(compressor)))
        call->compressor = compressor;
    return true;
}

static void on_headers(oy_stream *stream)
{
    oyez_server_call *call = call_of(stream);
    const oy_method_entry *known = call->stream.method;
    if (known)
        call->stream.path = known->path;
    if (oy_unlikely(call->shard->server->options.tap != NULL) && !tap_lets_pass(call))
        return;
    if (call->stream.timeout == 0) { /* behind the tap, as with gRPC-Go */
        oy_server_call_refuse(call, OYEZ_DEADLINE_EXCEEDED, "context deadline exceeded");
        return;
    }
    if (call->stream.timeout != OYEZ_FOREVER)
        call->deadline = oy_time_add(oy_loop_now(call->shard->loop), call->stream.timeout);
    if (oy_unlikely(call->shard->server->stats != NULL))
        oy_server_stats_begin(call);
    const oy_method_entry *entry = choose_entry(call);
    if (!entry) {
        refuse_unknown(call);
        return;
    }
    if (oy_unlikely(call->stream.encoding.len > 0) && !take_encoding(call))
        return;
    call->entry = entry;
    if (call->deadline != OYEZ_FOREVER)
        (void)oy_timer_set(call->shard->loop, &call->timer, call->deadline);
    if (entry->method->client_streaming)
        oy_server_call_dispatch(call, NULL);
    else
        oy_stream_request(stream, 2); /* a second message is one too many, and must be seen */
}

/* Stats handlers want to know how long a message is: one that came compressed is decompressed here and now, and counts as
 * memory that waits. False: refused, and the call may be gone. */
static bool tell_payload(oyez_server_call *call, oy_message *message)
{
    const oyez_server *server = call->shard->server;
    const size_t came = message->bytes.len;
    char words[OY_COMPRESSION_WORDS];
    if (oy_message_is_packed(message)) {
        oyez_code code = oy_message_unpack(server->compressors, call->stream.encoding, server->pool,
                                           server->options.max_receive_bytes, message, words);
        if (code != OYEZ_OK) {
            oy_server_call_cut_short(call, code, words);
            return false;
        }
        for (uint32_t i = 0; i < message->bytes.count; i++)
            oy_block_charge(oyez_slice_items(&message->bytes)[i].block, server->quota);
    }
    oy_stats_payload(server->stats, call->stats->tags, false, message->bytes.len, came, message->compressed);
    return true;
}

static void on_message(oy_stream *stream, oy_message *message, bool last)
{
    oyez_server_call *call = call_of(stream);
    if (oy_unlikely(call->stats != NULL) && !tell_payload(call, message))
        return;
    if (call->entry && call->entry->method->client_streaming) {
        call->holds++;
        oy_message_stream_message(call->messages_stream, message);
        call->holds--;
        oy_server_call_release(call);
        return;
    }
    if (!call->entry || call->dispatched)
        return;
    if (++call->messages > 1) {
        oy_server_call_refuse(call, OYEZ_UNIMPLEMENTED, "cardinality violation: received more than one request message");
        return;
    }
    call->request_compressed = message->compressed;
    if (last && call->entry->on_loop) {
        oy_server_call_dispatch(call, message);
        return;
    }
    /* It waits: for the end of the stream, or for a worker. */
    if (oy_message_keep(message, call->shard->server->pool, call->shard->server->quota)) {
        oy_server_call_refuse(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory while receiving the request");
        return;
    }
    call->request = *message;
    memset(message, 0, sizeof(*message));
}

static void on_half_close(oy_stream *stream)
{
    oyez_server_call *call = call_of(stream);
    if (call->entry && call->entry->method->client_streaming) {
        call->holds++;
        oy_message_stream_half_closed(call->messages_stream);
        call->holds--;
        oy_server_call_release(call);
        return;
    }
    if (!call->entry || call->dispatched)
        return;
    if (call->messages == 0)
        oy_server_call_refuse(call, OYEZ_UNIMPLEMENTED, "cardinality violation: received no request message");
    else
        oy_server_call_dispatch(call, &call->request);
}

static void on_sent(oy_stream *stream)
{
    oyez_server_call *call = call_of(stream);
    if (!call->messages_stream)
        return;
    call->holds++;
    oy_message_stream_sent(call->messages_stream);
    call->holds--;
    oy_server_call_release(call);
}

static void on_end(oy_stream *stream, const oy_end *end)
{
    off_wire(call_of(stream), end->code == OYEZ_OK ? OYEZ_OK : OYEZ_CANCELLED);
}

static const oy_stream_events stream_events = {
    .on_metadata = on_metadata,
    .on_headers = on_headers,
    .on_message = on_message,
    .on_half_close = on_half_close,
    .on_sent = on_sent,
    .on_end = on_end,
};

oy_server_stream *oy_server_call_open(oy_server_conn *conn)
{
    oy_server_shard *shard = conn->shard;
    /* Handlers count, not streams: resetting a stream makes no room for another handler (CVE-2023-44487). */
    if (conn->calls >= shard->server->options.max_streams)
        return NULL;
    oyez_server_call *call = take(shard);
    if (!call)
        return NULL;
    call->shard = shard;
    call->conn = conn;
    conn->calls++;
    call->on_wire = true;
    call->deadline = OYEZ_FOREVER;
    call->status = (oyez_status)OYEZ_STATUS_INIT;
    call->timer.fire = on_deadline;
    oy_metadata_init_arena(&call->metadata, &call->arena);
    oy_metadata_init_arena(&call->headers, &call->arena);
    oy_metadata_init_arena(&call->trailers, &call->arena);
    call->stream.base.events = &stream_events;
    call->stream.base.arena = &call->wire;
    call->stream.base.max_receive_bytes = (uint32_t)shard->server->options.max_receive_bytes;
    call->arena.limit = shard->server->options.max_arena_bytes;
    oy_arena_use_pool(&call->arena, shard->server->pool);
    return &call->stream;
}

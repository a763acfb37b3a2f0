/* SPDX-License-Identifier: Apache-2.0 */
/* A client's call on its loop: attempts on connections, the reply, cancellation, and the one end. */
#include "call/call.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"
#include "call/call_pool.h"
#include "call/call_private.h"
#include "call/chain.h"

/* Longer words of a channel are cut. */
#define WAIT_WORDS_MAX 1024u

static oy_call *call_of(oy_stream *stream)
{
    return oy_container_of(stream, oy_call, stream.base);
}

/* --- references ------------------------------------------------------------------------------------------------- */

oyez_call *oyez_call_ref(oyez_call *call)
{
    if (call)
        oy_ref(&call->refs);
    return call;
}

oyez_call *oyez_call_unref(oyez_call *call)
{
    if (!call || !oy_unref_owned(&call->refs))
        return NULL;
    if (call->reply && call->codec->release)
        call->codec->release(call->method->response, call->reply);
    oy_message_fini(&call->raw_reply);
    oy_slice_fini(&call->message);
    oy_slice_fini(&call->attempt_message);
    oyez_status_fini(&call->status);
    oyez_ctx_unref(call->ctx);
    if (oy_unlikely(call->watched)) {
        oy_call_chain_unref(call->chain);
        oy_stats_unref(call->stats);
    }
    void *owner = call->owner;
    const oy_call_owner *ops = call->owner_ops;
    oy_call_pool_put(call);
    if (owner)
        ops->unref(owner);
    return NULL;
}

const char *oyez_call_peer(const oyez_call *call)
{
    return call->peer ? call->peer : "";
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

void oy_call_set_status(oy_call *call, oyez_code code, const char *words)
{
    size_t len = strlen(words);
    char *copy = oy_arena_dup(&call->arena, words, len);
    (void)oy_status_borrow(&call->status, &call->loan, code, copy ? (oyez_str){ copy, len } : OYEZ_STR("out of memory"),
                           OYEZ_STR(""));
}

void oy_call_finish(oy_call *call)
{
    oy_assert(!call->ended);
    call->ended = true;
    oy_list_remove(&call->waiting);
    oy_timer_unset(call->loop, &call->timer);
    if (call->ctx)
        (void)oy_ctx_watch_stop(&call->watch);
    /* The request's bytes are of no use any more, whatever the user does with his reference. */
    oy_slice_fini(&call->message);
    oy_slice_fini(&call->attempt_message);
    if (call->kept_bytes > 0)
        oy_replay_release(oy_call_pool_replay(call->pool), call->kept_bytes);
    /* Whoever is told may drop his last references at once, and then nothing of ours may hang on the channel: the loop's
     * own reference to it goes first. */
    void *owner = call->owner;
    call->owner = NULL;
    if (owner)
        call->owner_ops->unref(owner);
    oy_event *event = call->event;
    if (call->hooks)
        call->hooks->on_settle(call);
    if (oy_unlikely(call->watched)) {
        if (call->stats)
            oy_call_stats_end(call, &call->status);
        if (!event) /* else by the thread that waits, which has yet to decode */
            oy_call_tell_end(call);
    }
    if (call->hooks)
        call->hooks->on_finish(call);
    else if (!event)
        call->adapter(call, &call->status, call->status.code == OYEZ_OK ? call->reply : NULL, call->done, call->user);
    (void)oyez_call_unref(call);
    if (event)
        oy_event_set(event);
}

void oy_call_end(oy_call *call)
{
    if (call->starting)
        oy_call_finish_later(call);
    else
        oy_call_finish(call);
}

void oy_call_fail(oy_call *call, oyez_code code, const char *words)
{
    oy_list_remove(&call->waiting);
    oy_call_set_status(call, code, words);
    oy_call_end(call);
}

void oy_call_fail_cancelled(oy_call *call, oyez_code code)
{
    oy_call_fail(call, code, code == OYEZ_DEADLINE_EXCEEDED ? "context deadline exceeded" : "context canceled");
}

/* Ends the call from our side, wherever it is. */
static void abandon(oy_call *call, oyez_code code, const char *words)
{
    if (call->attached) {
        call->attached = false;
        oy_client_stream_cancel(&call->stream);
    }
    oy_call_fail(call, code, words);
}

/* --- cancellation ------------------------------------------------------------------------------------------------- */

void oy_call_ask_cancel(oy_call *call, oyez_code code)
{
    int none = 0;
    /* In a child of the process a call is the parent's. */
    if (oy_runtime_check(oy_loop_runtime(call->loop)) ||
        !atomic_compare_exchange_strong(&call->cancel_code, &none, (int)code))
        return;
    oy_ref(&call->refs);
    oy_loop_submit(call->loop, &call->cancel_task);
}

void oyez_call_cancel(oyez_call *call)
{
    if (call)
        oy_call_ask_cancel(call, OYEZ_CANCELLED);
}

/* The status is set: a task that was submitted inside the start will tell it. */
static bool is_ending(const oy_call *call)
{
    return call->ended || call->status.code != OYEZ_OK;
}

/* The time is over. A call without a connection says what it has waited for. */
static void deadline_passed(oy_call *call)
{
    static const char waiting[] = "context deadline exceeded while waiting for connections to become ready; ";
    char text[WAIT_WORDS_MAX];
    if (call->attached) {
        abandon(call, OYEZ_DEADLINE_EXCEEDED, "context deadline exceeded");
        return;
    }
    memcpy(text, waiting, sizeof(waiting));
    call->owner_ops->tell_wait(call->owner, text + sizeof(waiting) - 1, sizeof(text) - sizeof(waiting) + 1);
    abandon(call, OYEZ_DEADLINE_EXCEEDED, text);
}

void oy_call_on_cancel(oy_task *task)
{
    oy_call *call = oy_container_of(task, oy_call, cancel_task);
    oyez_code code = (oyez_code)atomic_load_explicit(&call->cancel_code, memory_order_acquire);
    /* Before the start nothing can end: the start sees the code. */
    if (call->started && !is_ending(call)) {
        if (code == OYEZ_DEADLINE_EXCEEDED)
            deadline_passed(call);
        else
            abandon(call, code, "context canceled");
    }
    (void)oyez_call_unref(call);
}

void oy_call_on_deadline(oy_timer *timer)
{
    oy_call *call = oy_container_of(timer, oy_call, timer);
    if (!is_ending(call))
        deadline_passed(call);
}

/* --- the reply ---------------------------------------------------------------------------------------------------- */

/* What a reply that cannot be decoded means. */
static oyez_code decode_words(const oy_call *call, oyez_err err, const char *words, char text[192])
{
    if (err != OYEZ_ENOMEM) {
        snprintf(text, 192, "failed to unmarshal the received message: %s", words);
        return OYEZ_INTERNAL;
    }
    if (call->arena.limit_hit)
        snprintf(text, 192, "the decoded reply takes more than max_arena_bytes (%zu bytes)", call->arena.limit);
    else
        snprintf(text, 192, "out of memory while decoding the reply%s%s", *words ? ": " : "", words);
    return OYEZ_RESOURCE_EXHAUSTED;
}

static void decode_failed(oy_call *call, oyez_err err, const char *words)
{
    char text[192];
    oyez_code code = decode_words(call, err, words, text);
    abandon(call, code, text);
}

static void ask_interceptors(oy_call *call)
{
    const char *words = "";
    oyez_code code = oy_call_let_pass(call, call->reply, false, &words);
    if (code != OYEZ_OK)
        abandon(call, code, words);
}

/* A blocking call's thread will decode: small replies are copied to the arena, larger ones are kept. */
static oyez_err keep_raw(oy_call *call, oy_message *message)
{
    if (message->bytes.len <= OY_KEEP_COPY_BYTES) {
        uint8_t *copy = oy_arena_alloc(&call->arena, message->bytes.len + 1);
        if (!copy)
            return OYEZ_ENOMEM;
        size_t len = oyez_slice_copy_to(&message->bytes, copy, message->bytes.len);
        call->raw_reply = (oy_message){ .bytes = oy_slice_of((oyez_buffer){ copy, len, NULL }),
                                        .compressed = message->compressed, .unpacked = message->unpacked };
        return OYEZ_NO_ERR;
    }
    oyez_err err = oy_message_keep(message, call->messages, NULL);
    if (err)
        return err;
    call->raw_reply = *message;
    memset(message, 0, sizeof(*message));
    return OYEZ_NO_ERR;
}

/* What has come compressed; false: the call ends because of it. */
static bool unpack(oy_call *call, oy_message *message)
{
    char words[OY_COMPRESSION_WORDS];
    oyez_code code = oy_message_unpack(oy_call_pool_compressors(call->pool), oy_client_stream_encoding(&call->stream),
                                       call->messages, call->max_receive_bytes, message, words);
    if (code != OYEZ_OK)
        abandon(call, code, words);
    return code == OYEZ_OK;
}

/* Who waits for the message decompresses it himself, unless stats handlers want to know at once how long it is. */
static bool is_unpacked_here(const oy_call *call)
{
    return call->stats || (!call->hooks && !call->keep_reply);
}

static void on_message(oy_stream *stream, oy_message *message, bool last)
{
    oy_call *call = call_of(stream);
    const char *words = "";
    const size_t came = message->bytes.len;
    oyez_err err;
    (void)last;
    if (++call->messages_received > 1 && !call->method->server_streaming) {
        abandon(call, OYEZ_UNIMPLEMENTED, "cardinality violation: received more than one response message");
        return;
    }
    if (oy_unlikely(message->compressed) && is_unpacked_here(call) && !unpack(call, message))
        return;
    if (oy_unlikely(call->stats != NULL))
        oy_call_stats_payload(call, false, message->bytes.len, came, message->compressed);
    if (call->hooks) {
        call->hooks->on_message(call, message);
        return;
    }
    if (call->keep_reply)
        err = keep_raw(call, message);
    else
        err = call->codec->decode(call->method->response, &message->bytes, &call->arena, call->messages, &call->reply,
                                  &words);
    if (err)
        decode_failed(call, err, words);
    else if (oy_unlikely(call->chain != NULL) && !call->keep_reply)
        ask_interceptors(call);
}

static void on_metadata(oy_stream *stream, oyez_str key, oyez_str value, bool trailer)
{
    oy_call *call = call_of(stream);
    oyez_metadata *to = trailer ? call->trailers : call->headers;
    if (to)
        (void)oy_metadata_append(to, key, value, true);
    if (oy_unlikely(call->stats != NULL))
        oy_call_stats_metadata(call, key, value, trailer);
}

static void on_begun(oy_stream *stream)
{
    oy_call *call = call_of(stream);
    if (oy_likely(call->stats == NULL))
        return;
    const char *peer = oy_stream_peer(stream);
    oy_call_stats_out_headers(call, (oyez_str){ peer, strlen(peer) });
    if (call->has_request)
        oy_call_stats_payload(call, true, call->message_len, call->attempt_message.len, call->request.message_compressed);
}

static void on_headers(oy_stream *stream)
{
    oy_call *call = call_of(stream);
    if (oy_unlikely(call->stats != NULL))
        oy_call_stats_in_headers(call);
    if (call->hooks)
        call->hooks->on_headers(call);
}

static void on_half_close(oy_stream *stream)
{
    (void)stream;
}

static void on_sent(oy_stream *stream)
{
    oy_call *call = call_of(stream);
    if (call->hooks && !call->has_request)
        call->hooks->on_sent(call);
}

/* The request is still there to be sent again. */
static bool may_retry(oy_call *call)
{
    if (call->hooks && !call->hooks->may_retry(call))
        return false;
    return !call->has_request || call->message.count > 0 || call->attempt_message.count > 0;
}

/* For stats handlers one attempt ends and another begins. */
static void try_again(oy_call *call, const oy_end *over)
{
    oyez_status status = OYEZ_STATUS_INIT;
    oy_status_impl loan;
    oyez_str message = over->message.len ? over->message : OYEZ_STR("");
    (void)oy_status_borrow(&status, &loan, (oyez_code)over->code, message, OYEZ_STR(""));
    oy_call_stats_end(call, &status);
    oy_call_stats_begin(call, true);
}

static void on_end(oy_stream *stream, const oy_end *over)
{
    oy_call *call = call_of(stream);
    call->attached = false;
    /* What no server has seen is sent again (gRFC A6): once, or as often as need be if nothing of it had left. */
    if (oy_unlikely(call->stats != NULL) && over->trailers)
        oy_call_stats_in_trailers(call);
    if (over->unprocessed && (over->unsent || !call->retried) && may_retry(call)) {
        call->retried = call->retried || !over->unsent;
        if (oy_unlikely(call->stats != NULL))
            try_again(call, over);
        call->owner_ops->start(call->owner, call);
        return;
    }
    if (over->code == OYEZ_OK && call->messages_received == 0 && !call->method->server_streaming) {
        oy_call_set_status(call, OYEZ_UNIMPLEMENTED, "cardinality violation: received no response message");
    } else {
        oyez_str message = over->message;
        char *copy = message.len ? oy_arena_dup(&call->arena, message.data, message.len) : NULL;
        (void)oy_status_borrow(&call->status, &call->loan, (oyez_code)over->code,
                               copy ? (oyez_str){ copy, message.len } : (oyez_str){ "", 0 }, over->details);
    }
    oy_call_end(call);
}

static const oy_stream_events stream_events = {
    .on_metadata = on_metadata,
    .on_begun = on_begun,
    .on_headers = on_headers,
    .on_message = on_message,
    .on_half_close = on_half_close,
    .on_sent = on_sent,
    .on_end = on_end,
};

/* --- attempts -------------------------------------------------------------------------------------------------------- */

/* A small request lies in the call and costs nothing more. */
static bool may_keep(oy_call *call)
{
    oy_replay_budget *budget = oy_call_pool_replay(call->pool);
    const size_t len = call->message.len;
    if (len <= OY_CALL_INLINE_BYTES || call->kept_bytes > 0)
        return true;
    if (len > budget->call_limit || !oy_replay_charge(budget, len))
        return false;
    call->kept_bytes = len;
    return true;
}

/* The message of this attempt; kept for another one unless it is large. */
static oyez_err make_attempt_message(oy_call *call)
{
    if (call->attempt_message.count > 0 || !call->has_request)
        return OYEZ_NO_ERR;
    if (!may_keep(call)) {
        call->attempt_message = call->message;
        call->message = (oyez_slice)OYEZ_SLICE_INIT;
        return OYEZ_NO_ERR;
    }
    return oyez_slice_ref(&call->message, &call->attempt_message);
}

oyez_err oy_call_attach(oy_call *call, oy_client_transport *transport)
{
    if (!oy_client_transport_can_start(transport))
        return OYEZ_ESTATE;
    oyez_err err = make_attempt_message(call);
    if (!err) {
        if (oy_unlikely(call->tried)) /* a fresh call is clean */
            memset(&call->stream, 0, sizeof(call->stream));
        call->tried = true;
        call->stream.base.events = &stream_events;
        call->stream.base.arena = &call->arena;
        call->stream.base.max_receive_bytes = call->max_receive_bytes;
        call->request.message = call->has_request ? &call->attempt_message : NULL;
        err = oy_client_stream_start(transport, &call->stream, &call->request);
    }
    if (err == OYEZ_ESTATE)
        return err;
    if (err == OYEZ_ELIMIT) {
        oy_call_fail(call, OYEZ_INTERNAL, "header list size to send violates the maximum size set by the server");
    } else if (err) {
        oy_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory while starting the call");
    } else {
        const char *peer = oy_client_transport_peer(transport);
        call->attached = true;
        call->peer = oy_arena_dup(&call->arena, peer, strlen(peer));
        /* A second message is one too many, and must be seen. */
        if (call->hooks)
            call->hooks->on_attached(call);
        else
            oy_stream_request(&call->stream.base, 2);
    }
    return OYEZ_NO_ERR;
}

bool oy_call_waits_for_ready(const oy_call *call)
{
    return call->wait_for_ready;
}

oy_list *oy_call_waiting_node(oy_call *call)
{
    return &call->waiting;
}

oy_call *oy_call_of_waiting_node(oy_list *node)
{
    return oy_container_of(node, oy_call, waiting);
}

/* --- blocking calls ---------------------------------------------------------------------------------------------------- */

/* The status says it when the reply cannot be decompressed. */
static void unpack_reply(oy_call *call)
{
    char words[OY_COMPRESSION_WORDS];
    oyez_code code = oy_message_unpack(oy_call_pool_compressors(call->pool), oy_client_stream_encoding(&call->stream),
                                       call->messages, call->max_receive_bytes, &call->raw_reply, words);
    if (code != OYEZ_OK)
        oy_call_set_status(call, code, words);
}

/* Decodes the reply into the arena, or with NULL on the heap. NULL: the status says why. */
static void *decode_reply(oy_call *call, oyez_arena *arena)
{
    const char *words = "";
    char text[192];
    void *reply = NULL;
    oyez_err err = call->codec->decode(call->method->response, &call->raw_reply.bytes, arena, call->messages, &reply,
                                       &words);
    if (!err)
        return reply;
    oyez_code code = decode_words(call, err, words, text);
    oy_call_set_status(call, code, text);
    return NULL;
}

/* The interceptors see a reply of their own: what lies on the heap only its caller can free. */
static void show_reply(oy_call *call)
{
    const char *words = "";
    call->reply = decode_reply(call, &call->arena);
    oyez_code code = call->reply ? oy_call_let_pass(call, call->reply, false, &words) : OYEZ_OK;
    if (code != OYEZ_OK)
        oy_call_set_status(call, code, words);
}

oyez_code oy_call_collect(oy_call *call, void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    if (oy_unlikely(oy_message_is_packed(&call->raw_reply)) && call->status.code == OYEZ_OK)
        unpack_reply(call);
    if (oy_unlikely(call->chain != NULL) && call->chain->sees_messages && call->status.code == OYEZ_OK)
        show_reply(call);
    if (call->status.code == OYEZ_OK && ret_reply)
        reply = decode_reply(call, NULL);
    if (oy_unlikely(call->watched))
        oy_call_tell_end(call);
    oyez_code code = call->status.code;
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = reply;
    if (ret_status)
        oyez_status_copy(&call->status, ret_status);
    return code;
}

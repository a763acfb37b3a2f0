/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of a client's call: everything that is borrowed is taken over on the caller's thread, then the call goes to its
 * loop. */
#include <stdio.h>
#include <string.h>

#include <oyez/codec.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/text.h"
#include "call/call.h"
#include "call/call_pool.h"
#include "call/call_private.h"
#include "call/chain.h"

#define NEAR_DEADLINE (100 * OYEZ_MILLISECOND)

/* What is wrong with the call before it starts; told when it has been handed to the loop. */
static void fail_early(oy_call *call, oyez_code code, const char *words)
{
    if (call->status.code == OYEZ_OK)
        oy_call_set_status(call, code, words);
}

static oyez_err encode_contiguous(oy_call *call, const void *request, size_t bytes, const char **ret_words)
{
    if (bytes <= OY_CALL_INLINE_BYTES) {
        uint8_t *memory = oy_arena_alloc(&call->arena, bytes ? bytes : 1);
        if (!memory)
            return OYEZ_ENOMEM;
        call->message = oy_slice_of((oyez_buffer){ memory, bytes, NULL });
        return call->codec->encode(call->method->request, request, memory, bytes, ret_words);
    }
    oyez_block *block;
    oyez_err err = oyez_block_new(call->messages, bytes, &block);
    if (err)
        return err;
    call->message = oy_slice_of(oyez_buffer_of_block(block, bytes));
    return call->codec->encode(call->method->request, request, oyez_block_data(block), bytes, ret_words);
}

/* Messages that are bytes already are passed on by reference; what the caller only lent is copied. */
static oyez_err encode_shared(oy_call *call, const void *request, const char **ret_words)
{
    oyez_slice lent = OYEZ_SLICE_INIT;
    oyez_err err = call->codec->share(call->method->request, request, &lent, ret_words);
    if (!err)
        err = oyez_slice_keep(&lent, call->messages, &call->message);
    oyez_slice_fini(&lent);
    return err;
}

static void fail_too_large(oy_call *call, size_t bytes, size_t max_bytes)
{
    char text[128];
    snprintf(text, sizeof(text), "trying to send message larger than max (%zu vs. %zu bytes)", bytes, max_bytes);
    fail_early(call, OYEZ_RESOURCE_EXHAUSTED, text);
}

/* An empty message is sent as it is. The limit is about what is sent. */
static void compress(oy_call *call, size_t max_bytes)
{
    char words[OY_COMPRESSION_WORDS];
    if (call->message.len == 0)
        return;
    oyez_code code = oy_compress(call->compressor, call->messages, &call->message, words);
    call->request.message_compressed = code == OYEZ_OK;
    if (code != OYEZ_OK)
        fail_early(call, code, words);
    else if (call->message.len > max_bytes || call->message.len > UINT32_MAX)
        fail_too_large(call, call->message.len, max_bytes);
}

static oyez_err encode(oy_call *call, const void *request, size_t max_bytes)
{
    const char *words = "";
    size_t bytes = 0;
    char text[128];
    oyez_code code = oy_call_let_pass(call, request, true, &words);
    if (code != OYEZ_OK) {
        fail_early(call, code, words);
        return OYEZ_NO_ERR;
    }
    oyez_err err = call->codec->measure(call->method->request, request, &bytes, &words);
    if (!err && ((bytes > max_bytes && !call->compressor) || bytes > UINT32_MAX)) {
        fail_too_large(call, bytes, max_bytes);
        return OYEZ_NO_ERR;
    }
    if (!err && call->codec->share && bytes >= OY_KEEP_COPY_BYTES)
        err = encode_shared(call, request, &words);
    else if (!err)
        err = encode_contiguous(call, request, bytes, &words);
    call->message_len = bytes;
    if (!err && oy_unlikely(call->compressor != NULL))
        compress(call, max_bytes);
    if (!err || err == OYEZ_ENOMEM)
        return err;
    snprintf(text, sizeof(text), "error while marshaling: %s", words);
    fail_early(call, OYEZ_INTERNAL, text);
    return OYEZ_NO_ERR;
}

static oyez_err copy_metadata(oy_call *call, const oyez_metadata *from)
{
    for (const oy_metadata_entry *entry = oy_metadata_first(from); entry; entry = oy_metadata_after(from, entry)) {
        if (oy_metadata_key_reserved(entry->key))
            continue; /* metadata that was received has some, such as user-agent: they are this call's own business */
        oyez_err err = oy_metadata_append(&call->metadata, entry->key, entry->value, true);
        if (err)
            return err;
    }
    return OYEZ_NO_ERR;
}

static oyez_str content_type_of(oy_call *call, const char *subtype)
{
    const char *name = subtype ? subtype : call->codec->name;
    if (!name || (!subtype && strcmp(name, "proto") == 0))
        return OYEZ_STR("application/grpc");
    char *text = oy_arena_printf(&call->arena, "application/grpc+%s", name);
    return text ? oy_str(text) : OYEZ_STR("application/grpc");
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void on_ctx_done(oy_ctx_watch *watch, oyez_code code)
{
    oy_call_ask_cancel(oy_container_of(watch, oy_call, watch), code);
}

/* The ctx's part: its end, and the wish to hear of it. */
static void join_ctx(oy_call *call)
{
    oyez_code code = oy_ctx_watch_start(call->ctx, &call->watch, on_ctx_done);
    if (code == OYEZ_CANCELLED)
        fail_early(call, code, "context canceled");
    else if (code == OYEZ_DEADLINE_EXCEEDED)
        fail_early(call, code, "context deadline exceeded");
    else if (code != OYEZ_OK)
        fail_early(call, code, "out of memory when the ctx was made");
}

static void take_options(oy_call *call, const oy_call_params *params)
{
    const oyez_call_options *options = params->options;
    call->wait_for_ready = options->wait_for_ready;
    call->headers = options->headers;
    call->trailers = options->trailers;
    call->max_receive_bytes = params->max_receive_bytes;
    if (options->max_receive_bytes)
        call->max_receive_bytes = options->max_receive_bytes < UINT32_MAX ? (uint32_t)options->max_receive_bytes : UINT32_MAX;
    call->deadline = OYEZ_FOREVER;
    if (options->timeout != 0)
        call->deadline = oy_time_add(oyez_now(), options->timeout);
    if (params->ctx) {
        call->ctx = oyez_ctx_ref(params->ctx);
        call->deadline = earlier(call->deadline, oyez_ctx_deadline(params->ctx));
    }
    call->on_finish = options->on_finish;
    call->on_finish_user = options->on_finish_user;
    call->peer_text = options->peer;
    call->peer_bytes = options->peer_bytes;
    call->watched = params->chain || params->stats || call->on_finish || call->peer_text;
    if (oy_unlikely(call->watched)) {
        call->chain = oy_call_chain_ref(params->chain);
        call->stats = oy_stats_ref(params->stats);
    }
}

/* Which compressor the call goes by. */
static void choose_compressor(oy_call *call, const char *name)
{
    char words[160];
    const oyez_str text = oy_str(name);
    if (oy_encoding_is_none(text))
        return;
    call->compressor = oy_compressors_find(oy_call_pool_compressors(call->pool), text);
    if (call->compressor) {
        call->request.encoding = oy_compressor_name(call->compressor);
        return;
    }
    snprintf(words, sizeof(words), "Compressor is not installed for requested grpc-encoding \"%.80s\"", name);
    fail_early(call, OYEZ_INTERNAL, words);
}

/* What lies in the arena: metadata, with what the interceptors add, and the request. */
static oyez_err take_content(oy_call *call, const oy_call_params *params)
{
    const oyez_call_options *options = params->options;
    size_t max_send_bytes = options->max_send_bytes ? options->max_send_bytes : params->max_send_bytes;
    oyez_err err = OYEZ_NO_ERR;
    oy_metadata_init_arena(&call->metadata, &call->arena);
    if (params->default_metadata)
        err = copy_metadata(call, params->default_metadata);
    if (!err && options->metadata)
        err = copy_metadata(call, options->metadata);
    if (!err && options->authority) {
        char *authority = oy_arena_dup(&call->arena, options->authority, strlen(options->authority));
        if (authority)
            call->request.authority = oy_str(authority);
        else
            err = OYEZ_ENOMEM;
    }
    if (!err && oy_unlikely(call->chain != NULL))
        oy_call_chain_begin(call);
    if (!err && oy_unlikely(options->compressor != NULL))
        choose_compressor(call, options->compressor);
    if (!err && call->has_request && call->status.code == OYEZ_OK)
        err = encode(call, params->request, max_send_bytes);
    return err;
}

/* The interceptors that began hear of the end of a call that nobody else hears of. */
static void end_unstarted(oy_call *call)
{
    oyez_status status = OYEZ_STATUS_INIT;
    (void)oy_status_static(&status, OYEZ_RESOURCE_EXHAUSTED, "out of memory while starting the call");
    oy_call_chain_end(call, &status);
}

oyez_err oy_call_prepare(oy_call *call, const oy_call_params *params)
{
    call->method = params->method;
    call->codec = params->method->codec ? params->method->codec() : oyez_bytes();
    call->messages = params->messages;
    call->arena.limit = params->max_arena_bytes;
    oy_arena_use_pool(&call->arena, params->messages);
    call->status = (oyez_status)OYEZ_STATUS_INIT;
    call->timer.fire = oy_call_on_deadline;
    call->start_task.run = oy_call_on_start;
    call->cancel_task.run = oy_call_on_cancel;
    call->has_request = params->request != NULL;
    take_options(call, params);
    oyez_err err = take_content(call, params);
    if (err) {
        end_unstarted(call);
        (void)oyez_call_unref(call);
        return err;
    }
    call->request.path = oy_str(call->method->path);
    call->request.content_type = content_type_of(call, params->options->content_subtype);
    call->request.metadata = call->metadata.entries;
    call->request.metadata_count = call->metadata.count;
    call->request.deadline = call->deadline;
    call->owner_ops = params->owner_ops;
    call->owner = params->owner;
    call->owner_ops->ref(call->owner);
    if (call->ctx)
        join_ctx(call);
    return OYEZ_NO_ERR;
}

void oy_call_drop(oy_call *call)
{
    if (call->ctx)
        (void)oy_ctx_watch_stop(&call->watch);
    end_unstarted(call);
    (void)oyez_call_unref(call);
}

/* --- on the loop -------------------------------------------------------------------------------------------------- */

/* The loop's time is that of its pass; a deadline that is near is compared with the clock, so that a call that is late already
 * never touches the wire. */
static bool has_passed(const oy_call *call)
{
    int64_t now = oy_loop_now(call->loop);
    if (call->deadline <= now)
        return true;
    return call->deadline - now < NEAR_DEADLINE && call->deadline <= oyez_now();
}

static void start(oy_call *call)
{
    call->started = true;
    if (oy_unlikely(call->stats != NULL) && !call->refused)
        oy_call_stats_begin(call, false);
    if (call->status.code != OYEZ_OK) {
        oy_call_end(call);
        return;
    }
    int cancelled = atomic_load_explicit(&call->cancel_code, memory_order_acquire);
    if (cancelled) {
        oy_call_fail_cancelled(call, (oyez_code)cancelled);
        return;
    }
    if (call->deadline != OYEZ_FOREVER) {
        if (has_passed(call)) {
            oy_call_fail(call, OYEZ_DEADLINE_EXCEEDED, "context deadline exceeded");
            return;
        }
        if (oy_timer_set(call->loop, &call->timer, call->deadline)) {
            oy_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
            return;
        }
    }
    call->owner_ops->start(call->owner, call);
}

void oy_call_on_start(oy_task *task)
{
    oy_call *call = oy_container_of(task, oy_call, start_task);
    start(call);
}

static void finish_later(oy_task *task)
{
    oy_call_finish(oy_container_of(task, oy_call, start_task));
}

void oy_call_launch(oy_call *call)
{
    if (!oy_loop_is_current(call->loop)) {
        oy_loop_submit(call->loop, &call->start_task);
        return;
    }
    /* The callback must not come inside the function that starts: what fails now is told by a task. */
    call->starting = true;
    start(call);
    call->starting = false;
}

void oy_call_finish_later(oy_call *call)
{
    call->start_task.run = finish_later;
    oy_loop_submit(call->loop, &call->start_task);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of messages of a handler: connects it with the server call in whose arena it lies. It lives as long as the call, so
 * users' references count nothing; tasks on their way hold the call. */
#include <string.h>

#include "base/assert.h"
#include "server/server_impl.h"

static oyez_server_call *call_of(oyez_stream *stream)
{
    return stream->owner;
}

static void count_nothing(oyez_stream *stream)
{
    (void)stream;
}

/* A task was submitted by another thread. Until it has run the call must not go, though on_done may come before, and the handler
 * end its call there. */
static void ref(oyez_stream *stream)
{
    (void)atomic_fetch_add(&call_of(stream)->tasks, 1);
}

static void task_over(oyez_server_call *call)
{
    (void)atomic_fetch_sub(&call->tasks, 1);
    oy_server_call_release(call);
}

/* Loop. */
static void unref(oyez_stream *stream)
{
    task_over(call_of(stream));
}

/* From the first message on the header metadata stands. */
static void will_send(oyez_stream *stream)
{
    atomic_store_explicit(&call_of(stream)->headers_frozen, 1, memory_order_release);
}

bool oy_server_call_flush_headers(oyez_server_call *call)
{
    if (call->stream.base.headers_sent)
        return true;
    atomic_store_explicit(&call->headers_frozen, 1, memory_order_release);
    if (oy_unlikely(call->compressor != NULL))
        call->stream.answer_encoding = oy_compressor_name(call->compressor);
    oyez_err err = oy_server_stream_send_headers(&call->stream, call->headers.entries, call->headers.count);
    if (err == OYEZ_ELIMIT)
        oy_server_call_cut_short(call, OYEZ_INTERNAL, "the response's headers are larger than the client accepts");
    else if (err)
        oy_server_call_cut_short(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    else if (oy_unlikely(call->stats != NULL))
        oy_server_stats_out_headers(call);
    return !err;
}

static bool before_send(oyez_stream *stream)
{
    oyez_server_call *call = call_of(stream);
    if (!oy_server_call_flush_headers(call))
        return false;
    if (oy_unlikely(call->stats != NULL))
        oy_stats_payload(call->shard->server->stats, call->stats->tags, true, stream->out_length, stream->out.len,
                         stream->out_compressed);
    return true;
}

static oyez_code let_pass(oyez_stream *stream, const void *message, bool out, const char **ret_words)
{
    oyez_server_call *call = call_of(stream);
    const oy_server_chain *chain = call->shard->server->chain;
    return out ? oy_server_chain_sends(chain, call, message, ret_words)
               : oy_server_chain_received(chain, call, message, ret_words);
}

static void abort_on_loop(oy_task *task)
{
    oyez_server_call *call = oy_container_of(task, oyez_server_call, abort_task);
    oy_server_call_cut_short(call, (oyez_code)atomic_load(&call->abort_code), call->abort_words);
    task_over(call);
}

static void abort_call(oyez_stream *stream, oyez_code code, const char *words)
{
    oyez_server_call *call = call_of(stream);
    int none = 0;
    if (!atomic_compare_exchange_strong(&call->abort_code, &none, (int)code))
        return;
    strncpy(call->abort_words, words, sizeof(call->abort_words) - 1);
    if (oy_loop_is_current(call->shard->loop)) {
        oy_server_call_cut_short(call, code, words);
        return;
    }
    call->abort_task.run = abort_on_loop;
    ref(stream);
    oy_loop_submit(call->shard->loop, &call->abort_task);
}

static const oy_stream_side server_side = {
    .will_send = will_send,
    .before_send = before_send,
    .let_pass = let_pass,
    .close_send = count_nothing,
    .abort = abort_call,
    .ref = ref,
    .unref = unref,
    .user_ref = count_nothing,
    .user_unref = count_nothing,
};

oyez_stream *oy_server_stream_make(oyez_server_call *call)
{
    oyez_server *server = call->shard->server;
    oyez_stream *stream = oy_arena_alloc(&call->arena, sizeof(*stream));
    if (!stream)
        return NULL;
    memset(stream, 0, sizeof(*stream));
    const oy_stream_params params = {
        .side = &server_side,
        .owner = call,
        .loop = call->shard->loop,
        .runtime = server->runtime,
        .pool = server->pool,
        .codec = call->entry->codec,
        .send_type = call->entry->method->response,
        .recv_type = call->entry->method->request,
        .max_send_bytes = server->options.max_send_bytes,
        .max_receive_bytes = server->options.max_receive_bytes,
        .compressors = server->compressors,
        .compressor = call->compressor,
        .encoding = call->stream.encoding,
        .max_arena_bytes = server->options.max_arena_bytes,
        .intercepted = server->chain && server->chain->sees_messages,
    };
    oy_message_stream_init(stream, &params);
    stream->send_closed = !call->entry->method->server_streaming;
    stream->end_of_data = !call->entry->method->client_streaming;
    return stream;
}

/* --- public ------------------------------------------------------------------------------------------------------------ */

static void headers_on_loop(oy_task *task)
{
    oyez_server_call *call = oy_container_of(task, oyez_server_call, headers_task);
    if (call->on_wire)
        (void)oy_server_call_flush_headers(call);
    task_over(call);
}

oyez_err oyez_server_call_send_headers(oyez_server_call *call)
{
    int none = 0;
    if (!call)
        return OYEZ_ENULL;
    if (!atomic_compare_exchange_strong(&call->headers_frozen, &none, 1))
        return OYEZ_ESTATE;
    call->headers_task.run = headers_on_loop;
    (void)atomic_fetch_add(&call->tasks, 1);
    if (oy_loop_is_current(call->shard->loop))
        headers_on_loop(&call->headers_task);
    else
        oy_loop_submit(call->shard->loop, &call->headers_task);
    return OYEZ_NO_ERR;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* From a complete request to its handler, and from the handler's answer to the wire. The request's bytes go back to their pool as
 * soon as the codec has returned, before the handler runs; a call that is never decoded drops them when it is answered. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "base/text.h"
#include "server/server_impl.h"

/* --- the handler's side (loop or worker) ------------------------------------------------------------------------------------ */

static oyez_code set_words(oyez_server_call *call, oyez_code code, const char *words)
{
    return oyez_server_call_fail(call, code, "%s", words);
}

/* What the interceptors have to say to a message of a call that is not a stream. */
static oyez_code let_pass(oyez_server_call *call, const void *message, bool out)
{
    const oy_server_chain *chain = call->shard->server->chain;
    const char *words = "";
    if (oy_likely(!chain) || !chain->sees_messages)
        return OYEZ_OK;
    oyez_code code = out ? oy_server_chain_sends(chain, call, message, &words)
                         : oy_server_chain_received(chain, call, message, &words);
    return code == OYEZ_OK ? OYEZ_OK : set_words(call, code, words);
}

/* Decodes the request and drops its bytes. */
static oyez_code decode(oyez_server_call *call, oy_message *request)
{
    const oy_method_entry *entry = call->entry;
    const char *words = "";
    if (oy_unlikely(oy_message_is_packed(request))) {
        char text[OY_COMPRESSION_WORDS];
        const oyez_server *server = call->shard->server;
        oyez_code code = oy_message_unpack(server->compressors, call->stream.encoding, server->pool,
                                           server->options.max_receive_bytes, request, text);
        if (code != OYEZ_OK)
            return set_words(call, code, text);
    }
    oyez_err err = entry->codec->decode(entry->method->request, &request->bytes, &call->arena, call->shard->server->pool,
                                        &call->decoded, &words);
    oy_message_fini(request);
    if (err == OYEZ_ENOMEM && call->arena.limit_hit)
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED,
                                     "the decoded request takes more than max_arena_bytes (%zu bytes)",
                                     call->arena.limit);
    if (err == OYEZ_ENOMEM)
        return set_words(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory while decoding the request");
    if (err)
        return oyez_server_call_fail(call, OYEZ_INTERNAL, "failed to unmarshal the received message: %s", words);
    return let_pass(call, call->decoded, false);
}

static oyez_code run_blocking(oyez_server_call *call, void **ret_reply)
{
    const oy_method_entry *entry = call->entry;
    void *reply = NULL;
    if (!entry->method->server_streaming) {
        reply = entry->codec->create(entry->method->response, &call->arena);
        if (!reply)
            return set_words(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
        *ret_reply = reply;
    }
    if (entry->stream)
        return entry->stream(entry->service, entry->self, call, call->decoded, call->messages_stream, reply);
    return entry->unary(entry->service, entry->self, call, call->decoded, reply);
}

static void prepare_answer(oyez_server_call *call, oyez_code code, const void *reply);
static void hand_over_answer(oyez_server_call *call);

/* The interceptors' word, then the request of a method that has just one. */
static oyez_code begin(oyez_server_call *call, oy_message *request)
{
    const oy_server_chain *chain = call->shard->server->chain;
    /* While it waited for a worker the client may have lost interest: then nothing is done for it. */
    oyez_code code = (oyez_code)atomic_load(&call->cancelled);
    if (code == OYEZ_OK && oy_unlikely(chain != NULL))
        code = oy_server_chain_begin(chain, call);
    if (request && code == OYEZ_OK)
        code = decode(call, request);
    else if (request)
        oy_message_fini(request);
    return code;
}

/* True: an async handler has the call now, which may be gone. */
static bool run_async(oyez_server_call *call)
{
    const oy_method_entry *entry = call->entry;
    if (entry->unary_async)
        entry->unary_async(entry->service, entry->self, call, call->decoded);
    else if (entry->stream_async)
        entry->stream_async(entry->service, entry->self, call, call->decoded, call->messages_stream);
    else
        return false;
    return true;
}

static void run(oyez_server_call *call, oy_message *request)
{
    const oy_method_entry *entry = call->entry;
    void *reply = NULL;
    oyez_code code = begin(call, request);
    if (code == OYEZ_OK && run_async(call))
        return;
    if (code == OYEZ_OK)
        code = run_blocking(call, &reply);
    prepare_answer(call, code, code == OYEZ_OK ? reply : NULL);
    if (reply && entry->codec->release)
        entry->codec->release(entry->method->response, reply);
    hand_over_answer(call);
}

static void work_on(void *arg)
{
    oyez_server_call *call = arg;
    run(call, call->entry->method->client_streaming ? NULL : &call->request);
}

static void work(oy_task *task)
{
    work_on(oy_container_of(task, oyez_server_call, work_task));
}

/* Messages are asked for after the handler has said how it wants them. */
static void run_on_loop(oyez_server_call *call, oy_message *request)
{
    call->holds++;
    run(call, request);
    if (call->messages_stream && call->on_wire)
        oy_message_stream_attached(call->messages_stream, &call->stream.base);
    call->holds--;
    oy_server_call_release(call);
}

void oy_server_call_dispatch(oyez_server_call *call, oy_message *request)
{
    call->dispatched = true;
    if (oy_method_entry_is_streaming(call->entry)) {
        call->messages_stream = oy_server_stream_make(call);
        if (!call->messages_stream) {
            oy_server_call_refuse(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
            return;
        }
    }
    call->handling = true;
    if (call->entry->on_loop) {
        run_on_loop(call, request);
        return;
    }
    oy_assert(!request || request == &call->request);
    if (call->messages_stream)
        oy_message_stream_attached(call->messages_stream, &call->stream.base);
    const oyez_executor *executor = &call->shard->server->options.executor;
    if (oy_unlikely(executor->run != NULL)) {
        executor->run(executor->self, work_on, call);
        return;
    }
    call->work_task.run = work;
    oy_workers_submit(call->shard->server->runtime, &call->work_task);
}

/* --- the answer ------------------------------------------------------------------------------------------------------------- */

static oyez_err encode_contiguous(oyez_server_call *call, const void *reply, size_t bytes, const char **ret_words)
{
    const oy_method_entry *entry = call->entry;
    if (bytes <= OY_SERVER_REPLY_INLINE_BYTES) {
        uint8_t *memory = oy_arena_alloc(&call->arena, bytes ? bytes : 1);
        if (!memory)
            return OYEZ_ENOMEM;
        call->response = oy_slice_of((oyez_buffer){ memory, bytes, NULL });
        return entry->codec->encode(entry->method->response, reply, memory, bytes, ret_words);
    }
    oyez_block *block;
    oyez_err err = oyez_block_new(call->shard->server->pool, bytes, &block);
    if (err)
        return err;
    call->response = oy_slice_of(oyez_buffer_of_block(block, bytes));
    return entry->codec->encode(entry->method->response, reply, oyez_block_data(block), bytes, ret_words);
}

static oyez_err encode_shared(oyez_server_call *call, const void *reply, const char **ret_words)
{
    oyez_slice lent = OYEZ_SLICE_INIT;
    oyez_err err = call->entry->codec->share(call->entry->method->response, reply, &lent, ret_words);
    if (!err)
        err = oyez_slice_keep(&lent, call->shard->server->pool, &call->response);
    oyez_slice_fini(&lent);
    return err;
}

static oyez_code too_large(oyez_server_call *call, size_t bytes)
{
    return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED,
                                 "trying to send message larger than max (%zu vs. %zu bytes)", bytes,
                                 call->shard->server->options.max_send_bytes);
}

/* An empty message is sent as it is. The limit is about what is sent. */
static oyez_code compress(oyez_server_call *call)
{
    char words[OY_COMPRESSION_WORDS];
    if (call->response.len == 0)
        return OYEZ_OK;
    oyez_code code = oy_compress(call->compressor, call->shard->server->pool, &call->response, words);
    call->response_compressed = code == OYEZ_OK;
    if (code != OYEZ_OK)
        return set_words(call, code, words);
    if (call->response.len > call->shard->server->options.max_send_bytes)
        return too_large(call, call->response.len);
    return OYEZ_OK;
}

static oyez_code encode(oyez_server_call *call, const void *reply)
{
    const oy_method_entry *entry = call->entry;
    size_t bytes = 0, max = call->shard->server->options.max_send_bytes;
    const char *words = "";
    oyez_code code = let_pass(call, reply, true);
    if (code != OYEZ_OK)
        return code;
    oyez_err err = entry->codec->measure(entry->method->response, reply, &bytes, &words);
    if (!err && bytes > (call->compressor ? UINT32_MAX : max))
        return too_large(call, bytes);
    if (!err && entry->codec->share && bytes >= OY_KEEP_COPY_BYTES)
        err = encode_shared(call, reply, &words);
    else if (!err)
        err = encode_contiguous(call, reply, bytes, &words);
    if (err == OYEZ_ENOMEM)
        return set_words(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory while encoding the reply");
    if (err)
        return oyez_server_call_fail(call, OYEZ_INTERNAL, "error while marshaling: %s", words);
    call->response_len = bytes;
    return oy_likely(!call->compressor) ? OYEZ_OK : compress(call);
}

/* A status of the handler's code, with the words of oyez_server_call_fail if they belong to it. */
static void settle_status(oyez_server_call *call, oyez_code code)
{
    if (call->status.code == code)
        return;
    (void)oy_status_static(&call->status, code, "");
}

static void answer_on_loop(oy_task *task)
{
    oy_server_call_send_answer(oy_container_of(task, oyez_server_call, answer_task));
}

/* An oyez_err that a handler returned, most likely. */
static oyez_code not_a_code(oyez_server_call *call, oyez_code code)
{
    const char *name = (int)code < 0 ? oyez_err_name((oyez_err)code) : "";
    oy_log(&call->shard->server->options.log, OYEZ_LOG_ERROR,
           "%.*s: the handler ended the call with %d %s, which is no code of gRPC", (int)call->stream.path.len,
           call->stream.path.data, (int)code, name);
    return oyez_server_call_fail(call, OYEZ_UNKNOWN, "the handler ended the call with %d %s, which is no code of gRPC",
                                 (int)code, name);
}

/* Encodes the reply and settles the status: after this nothing of the handler's is needed. */
static void prepare_answer(oyez_server_call *call, oyez_code code, const void *reply)
{
    oy_assert(!call->answered);
    call->answered = true;
    bool wants_reply = !call->entry->method->server_streaming;
    if ((unsigned)code > OYEZ_UNAUTHENTICATED)
        code = not_a_code(call, code);
    if (code == OYEZ_OK && wants_reply && !reply)
        code = set_words(call, OYEZ_INTERNAL, "the handler has finished the call without a reply");
    if (code == OYEZ_OK && wants_reply)
        code = encode(call, reply);
    settle_status(call, code);
    if (oy_unlikely(call->begun > 0))
        oy_server_chain_end(call->shard->server->chain, call);
}

/* To the loop; the call may be gone afterwards. */
static void hand_over_answer(oyez_server_call *call)
{
    if (oy_loop_is_current(call->shard->loop)) {
        oy_server_call_send_answer(call);
        return;
    }
    call->answer_task.run = answer_on_loop;
    oy_loop_submit(call->shard->loop, &call->answer_task);
}

void oy_server_call_answer(oyez_server_call *call, oyez_code code, const void *reply)
{
    prepare_answer(call, code, reply);
    hand_over_answer(call);
}

static void send_status(oyez_server_call *call)
{
    const oyez_status *status = &call->status;
    /* There is one such trailer, and the status goes before what the handler added (gRPC-Go's rule). */
    if (oy_unlikely(oyez_status_details(status).len > 0))
        (void)oyez_metadata_remove(&call->trailers, "grpc-status-details-bin");
    if (oy_unlikely(call->stats != NULL))
        oy_server_stats_out_trailers(call, true, status->code, (oyez_str){ status->message, status->message_len },
                                     oyez_status_details(status));
    oy_server_stream_finish(&call->stream, (uint32_t)status->code, (oyez_str){ status->message, status->message_len },
                            oyez_status_details(status), call->trailers.entries, call->trailers.count);
}

void oy_server_call_send_answer(oyez_server_call *call)
{
    bool has_reply = call->status.code == OYEZ_OK && !call->entry->method->server_streaming;
    call->handling = false;
    if (!call->on_wire) {
        oy_server_call_release(call);
        return;
    }
    /* Without a message and without header metadata the answer is Trailers-Only. */
    if (has_reply || call->headers.count > 0) {
        call->holds++;
        bool flushed = oy_server_call_flush_headers(call);
        call->holds--;
        if (!flushed) {
            oy_server_call_release(call);
            return;
        }
    }
    if (has_reply && oy_unlikely(call->stats != NULL))
        oy_stats_payload(call->shard->server->stats, call->stats->tags, true, call->response_len, call->response.len,
                         call->response_compressed);
    if (has_reply)
        (void)oy_stream_send(&call->stream.base, &call->response, call->response_compressed, false);
    send_status(call);
}

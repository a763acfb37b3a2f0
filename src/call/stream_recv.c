/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving half of a stream of messages: by events on the loop, or through an inbox to a thread that waits. A message is
 * decoded into the receiver's arena, which is emptied with each: a stream that runs for a day does not grow. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "call/stream_private.h"

void oy_stream_drop_received(oyez_stream *stream)
{
    if (stream->received && stream->codec->release)
        stream->codec->release(stream->recv_type, stream->received);
    stream->received = NULL;
    oy_arena_reset(&stream->arena);
}

/* Decodes and drops the wire bytes. False: the call ends because of it. */
static bool decode_one(oyez_stream *stream, oy_message *message)
{
    const char *words = "";
    char text[OY_COMPRESSION_WORDS];
    oyez_err err;
    stream->received_compressed = message->compressed;
    if (oy_unlikely(oy_message_is_packed(message))) {
        oyez_code code = oy_message_unpack(stream->compressors, stream->encoding, stream->pool, stream->max_receive_bytes,
                                           message, text);
        if (code != OYEZ_OK) {
            stream->side->abort(stream, code, text);
            return false;
        }
    }
    err = stream->codec->decode(stream->recv_type, &message->bytes, &stream->arena, stream->pool, &stream->received, &words);
    oy_message_fini(message);
    if (!err)
        return oy_likely(!stream->intercepted) || oy_stream_let_pass(stream, stream->received, false);
    if (stream->arena.limit_hit) {
        snprintf(text, sizeof(text), "the decoded message takes more than max_arena_bytes (%zu bytes)", stream->arena.limit);
        stream->side->abort(stream, OYEZ_RESOURCE_EXHAUSTED, text);
        return false;
    }
    snprintf(text, sizeof(text), "failed to unmarshal the received message: %s", words);
    if (err == OYEZ_ENOMEM)
        stream->side->abort(stream, OYEZ_RESOURCE_EXHAUSTED, "out of memory while decoding a message");
    else
        stream->side->abort(stream, OYEZ_INTERNAL, text);
    return false;
}

/* The end is asked for when a message cannot be used, and others may come before it: nobody gets to see those, or he would not
 * notice that one is missing. */
static bool decode(oyez_stream *stream, oy_message *message)
{
    stream->spoilt = !decode_one(stream, message);
    if (oy_unlikely(stream->spoilt))
        oy_stream_drop_received(stream);
    return !stream->spoilt;
}

/* --- on the loop ------------------------------------------------------------------------------------------------------- */

static void put_into_inbox(oyez_stream *stream, oy_message *message)
{
    oyez_err err = oy_message_keep(message, stream->pool, NULL);
    oy_recv_item item = { .message = *message };
    memset(message, 0, sizeof(*message));
    pthread_mutex_lock(&stream->lock);
    if (!err)
        err = oy_recv_queue_push(&stream->inbox, &item);
    if (!err)
        oy_stream_wake(&stream->receivers);
    pthread_mutex_unlock(&stream->lock);
    if (err) {
        oy_message_fini(&item.message);
        stream->side->abort(stream, OYEZ_RESOURCE_EXHAUSTED, "out of memory while receiving a message");
    }
}

void oy_message_stream_message(oyez_stream *stream, oy_message *message)
{
    if (stream->discarding)
        return;
    if (!stream->events) {
        put_into_inbox(stream, message);
        return;
    }
    if (stream->spoilt || !decode(stream, message))
        return;
    /* The callback may end the call; the side holds the stream while it calls. */
    if (stream->events->on_message)
        stream->events->on_message(stream, stream->received, stream->user);
    oy_stream_drop_received(stream);
}

static uint32_t add_up(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static void request(oyez_stream *stream, uint32_t count)
{
    if (stream->wire)
        oy_stream_request(stream->wire, count);
    else
        stream->wanted = add_up(stream->wanted, count);
}

static void request_on_loop(oy_task *task)
{
    oyez_stream *stream = oy_container_of(task, oyez_stream, request_task);
    uint32_t count = atomic_exchange(&stream->asked, 0);
    if (!oy_message_stream_is_over(stream))
        request(stream, count);
    stream->side->unref(stream);
}

void oy_stream_recv_init(oyez_stream *stream)
{
    stream->request_task.run = request_on_loop;
}

void oy_message_stream_discard(oyez_stream *stream)
{
    stream->discarding = true;
    pthread_mutex_lock(&stream->lock);
    oy_recv_queue_fini(&stream->inbox);
    pthread_mutex_unlock(&stream->lock);
    if (stream->wire)
        oy_stream_request(stream->wire, UINT32_MAX);
}

/* --- public ------------------------------------------------------------------------------------------------------------- */

void oyez_stream_request(oyez_stream *stream, uint32_t count)
{
    if (!stream || count == 0)
        return;
    if (oy_loop_is_current(stream->loop)) {
        if (!oy_message_stream_is_over(stream))
            request(stream, count);
        return;
    }
    /* Requests of several threads, or of a thread that is faster than the loop, make one task. The sum must not wrap: 0 means
     * that no task is on its way. */
    uint32_t before = atomic_load(&stream->asked);
    while (!atomic_compare_exchange_weak(&stream->asked, &before, add_up(before, count)))
        ;
    if (before == 0) {
        stream->side->ref(stream);
        oy_loop_submit(stream->loop, &stream->request_task);
    }
}

bool oyez_stream_wait_headers(oyez_stream *stream)
{
    oyez_err err = OYEZ_NO_ERR;
    if (!stream || stream->events || oyez_stream_server_call(stream) || oy_runtime_on_loop(stream->runtime))
        return false;
    pthread_mutex_lock(&stream->lock);
    while (!err && !stream->has_headers && !stream->end_of_data)
        err = oy_stream_wait(stream, &stream->receivers);
    bool has_headers = stream->has_headers;
    pthread_mutex_unlock(&stream->lock);
    return has_headers;
}

bool oyez_stream_recv(oyez_stream *stream, const void **ret_message)
{
    oy_recv_item item;
    oyez_err err = OYEZ_NO_ERR;
    if (!stream || !ret_message || stream->events || stream->spoilt || oy_runtime_on_loop(stream->runtime))
        return false;
    oy_stream_drop_received(stream);
    pthread_mutex_lock(&stream->lock);
    bool got = oy_recv_queue_pop(&stream->inbox, &item);
    while (!err && !got && !stream->end_of_data) {
        err = oy_stream_wait(stream, &stream->receivers);
        got = oy_recv_queue_pop(&stream->inbox, &item);
    }
    pthread_mutex_unlock(&stream->lock);
    if (!got)
        return false;
    oyez_stream_request(stream, 1);
    if (!decode(stream, &item.message))
        return false;
    *ret_message = stream->received;
    return true;
}

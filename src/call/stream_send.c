/* SPDX-License-Identifier: Apache-2.0 */
/* The sending half of a stream of messages: encoded on the sender's thread, framed on the loop, one at a time. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "call/stream_private.h"

/* --- encoding ------------------------------------------------------------------------------------------------------- */

static oyez_err encode_contiguous(oyez_stream *stream, const void *message, size_t bytes, const char **ret_words)
{
    uint8_t *memory = stream->out_small;
    oyez_buffer buffer = { memory, bytes, NULL };
    if (bytes > OY_STREAM_INLINE_BYTES) {
        oyez_block *block;
        oyez_err err = oyez_block_new(stream->pool, bytes, &block);
        if (err)
            return err;
        buffer = oyez_buffer_of_block(block, bytes);
        memory = oyez_block_data(block);
    }
    stream->out = oy_slice_of(buffer);
    return stream->codec->encode(stream->send_type, message, memory, bytes, ret_words);
}

static oyez_err encode_shared(oyez_stream *stream, const void *message, const char **ret_words)
{
    oyez_slice lent = OYEZ_SLICE_INIT;
    oyez_err err = stream->codec->share(stream->send_type, message, &lent, ret_words);
    if (!err)
        err = oyez_slice_keep(&lent, stream->pool, &stream->out);
    oyez_slice_fini(&lent);
    return err;
}

static bool too_large(oyez_stream *stream, size_t bytes)
{
    char text[160];
    snprintf(text, sizeof(text), "trying to send message larger than max (%zu vs. %zu bytes)", bytes,
             stream->max_send_bytes);
    stream->side->abort(stream, OYEZ_RESOURCE_EXHAUSTED, text);
    return false;
}

/* An empty message is sent as it is. The limit is about what is sent. */
static bool compress(oyez_stream *stream)
{
    char words[OY_COMPRESSION_WORDS];
    if (stream->out.len == 0)
        return true;
    oyez_code code = oy_compress(stream->compressor, stream->pool, &stream->out, words);
    if (code != OYEZ_OK) {
        oyez_slice_fini(&stream->out);
        stream->side->abort(stream, code, words);
        return false;
    }
    stream->out_compressed = true;
    if (stream->out.len <= stream->max_send_bytes && stream->out.len <= UINT32_MAX)
        return true;
    const size_t bytes = stream->out.len;
    oyez_slice_fini(&stream->out);
    return too_large(stream, bytes);
}

/* False: the call ends because of it. */
static bool encode(oyez_stream *stream, const void *message)
{
    const char *words = "";
    size_t bytes = 0;
    char text[160];
    const bool compressed = stream->compressor && !stream->as_it_is;
    if (oy_unlikely(stream->intercepted) && !oy_stream_let_pass(stream, message, true))
        return false;
    oyez_err err = stream->codec->measure(stream->send_type, message, &bytes, &words);
    if (!err && ((bytes > stream->max_send_bytes && !compressed) || bytes > UINT32_MAX))
        return too_large(stream, bytes);
    if (!err && stream->codec->share && bytes >= OY_KEEP_COPY_BYTES)
        err = encode_shared(stream, message, &words);
    else if (!err)
        err = encode_contiguous(stream, message, bytes, &words);
    stream->out_length = bytes;
    stream->out_compressed = false;
    if (!err)
        return oy_likely(!compressed) || compress(stream);
    oyez_slice_fini(&stream->out);
    if (err == OYEZ_ENOMEM)
        words = "out of memory";
    snprintf(text, sizeof(text), "error while marshaling: %s", words);
    stream->side->abort(stream, err == OYEZ_ENOMEM ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_INTERNAL, text);
    return false;
}

/* --- on the loop ------------------------------------------------------------------------------------------------------ */

void oy_stream_set_free(oyez_stream *stream)
{
    atomic_store_explicit(&stream->sending, 0, memory_order_release);
    if (stream->events) {
        if (stream->events->on_sent && !oy_message_stream_is_over(stream))
            stream->events->on_sent(stream, stream->user);
        return;
    }
    pthread_mutex_lock(&stream->lock);
    oy_stream_wake(&stream->senders);
    pthread_mutex_unlock(&stream->lock);
}

/* The message has left while the sender's function, or the loop's, is still running. */
static void left_at_once(oyez_stream *stream)
{
    if (!stream->events || !stream->events->on_sent)
        oy_stream_set_free(stream);
    else if (stream->telling)
        stream->left = true;
    else
        oy_loop_at_end_of_pass(stream->loop, &stream->sent_hook);
}

void oy_stream_push(oyez_stream *stream)
{
    if (!stream->wire)
        return;
    if (stream->has_out && stream->side->before_send(stream)) {
        stream->has_out = false;
        if (oy_stream_send(stream->wire, &stream->out, stream->out_compressed, false))
            left_at_once(stream);
    }
    if (stream->close_asked && stream->wire) {
        stream->close_asked = false;
        stream->side->close_send(stream);
    }
}

void oy_message_stream_sent(oyez_stream *stream)
{
    oy_stream_set_free(stream);
}

static void send_on_loop(oy_task *task)
{
    oyez_stream *stream = oy_container_of(task, oyez_stream, send_task);
    if (oy_message_stream_is_over(stream)) {
        oyez_slice_fini(&stream->out);
    } else {
        stream->has_out = true;
        oy_stream_push(stream);
    }
    stream->side->unref(stream);
}

static void close_on_loop(oy_task *task)
{
    oyez_stream *stream = oy_container_of(task, oyez_stream, close_task);
    stream->close_asked = true;
    if (!oy_message_stream_is_over(stream))
        oy_stream_push(stream);
    stream->side->unref(stream);
}

void oy_stream_send_init(oyez_stream *stream)
{
    stream->send_task.run = send_on_loop;
    stream->close_task.run = close_on_loop;
}

/* --- public ------------------------------------------------------------------------------------------------------------- */

/* Waits until the message before has left. */
static bool wait_free(oyez_stream *stream)
{
    oyez_err err = OYEZ_NO_ERR;
    if (oy_runtime_on_loop(stream->runtime))
        return false;
    pthread_mutex_lock(&stream->lock);
    while (!err && atomic_load_explicit(&stream->sending, memory_order_acquire) && !oy_message_stream_is_over(stream))
        err = oy_stream_wait(stream, &stream->senders);
    pthread_mutex_unlock(&stream->lock);
    return !err;
}

bool oyez_stream_send(oyez_stream *stream, const void *message)
{
    /* In a child of the process a stream is the parent's. */
    if (!stream || !message || stream->send_closed || oy_runtime_check(stream->runtime))
        return false;
    if (atomic_load_explicit(&stream->sending, memory_order_acquire)) {
        if (stream->events || !wait_free(stream))
            return false;
    }
    if (oy_message_stream_is_over(stream))
        return false;
    bool encoded = encode(stream, message);
    oy_arena_reset(&stream->scratch);
    if (!encoded)
        return false;
    if (stream->side->will_send)
        stream->side->will_send(stream);
    atomic_store_explicit(&stream->sending, 1, memory_order_release);
    if (oy_loop_is_current(stream->loop)) {
        stream->has_out = true;
        oy_stream_push(stream);
    } else {
        stream->side->ref(stream);
        oy_loop_submit(stream->loop, &stream->send_task);
    }
    return true;
}

void oyez_stream_close_send(oyez_stream *stream)
{
    if (!stream || atomic_exchange(&stream->send_closed, true))
        return;
    if (oy_loop_is_current(stream->loop)) {
        stream->close_asked = true;
        if (!oy_message_stream_is_over(stream))
            oy_stream_push(stream);
    } else {
        stream->side->ref(stream);
        oy_loop_submit(stream->loop, &stream->close_task);
    }
}

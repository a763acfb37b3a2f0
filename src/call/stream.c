/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a stream of messages, and its news from the wire. */
#include "call/stream.h"

#include <string.h>

#include "base/assert.h"
#include "call/stream_private.h"

/* What on_sent sends has often left before it returns: then it is told of that, too, so that a stream that sends freely fills
 * a write, not one with each message. The turn has an end, for the sake of the others. */
static void on_sent_hook(oy_hook *hook)
{
    oyez_stream *stream = oy_container_of(hook, oyez_stream, sent_hook);
    unsigned left = OY_STREAM_TURN_MESSAGES;
    stream->side->ref(stream);
    stream->telling = true;
    do {
        stream->left = false;
        oy_stream_set_free(stream);
    } while (stream->left && --left > 0);
    stream->telling = false;
    if (stream->left && !oy_message_stream_is_over(stream))
        oy_loop_at_end_of_pass(stream->loop, hook);
    stream->side->unref(stream);
}

void oy_message_stream_init(oyez_stream *stream, const oy_stream_params *params)
{
    stream->side = params->side;
    stream->owner = params->owner;
    stream->loop = params->loop;
    stream->runtime = params->runtime;
    stream->pool = params->pool;
    stream->codec = params->codec;
    stream->send_type = params->send_type;
    stream->recv_type = params->recv_type;
    stream->max_send_bytes = params->max_send_bytes;
    stream->max_receive_bytes = params->max_receive_bytes;
    stream->compressors = params->compressors;
    stream->compressor = params->compressor;
    stream->encoding = params->encoding;
    stream->sent_hook.run = on_sent_hook;
    oy_stream_send_init(stream);
    oy_stream_recv_init(stream);
    oy_arena_init(&stream->scratch, stream->scratch_first, sizeof(stream->scratch_first));
    oy_arena_init(&stream->arena, stream->arena_first, sizeof(stream->arena_first));
    oy_arena_use_pool(&stream->scratch, params->pool);
    oy_arena_use_pool(&stream->arena, params->pool);
    stream->scratch.limit = params->max_arena_bytes;
    stream->arena.limit = params->max_arena_bytes;
    stream->intercepted = params->intercepted;
    oy_recv_queue_init(&stream->inbox);
    pthread_mutex_init(&stream->lock, NULL);
}

void oy_message_stream_fini(oyez_stream *stream)
{
    oy_stream_drop_received(stream);
    oy_loop_drop_hook(&stream->sent_hook);
    oyez_slice_fini(&stream->out);
    oy_recv_queue_fini(&stream->inbox);
    oy_arena_fini(&stream->scratch);
    oy_arena_fini(&stream->arena);
    pthread_mutex_destroy(&stream->lock);
}

bool oy_stream_let_pass(oyez_stream *stream, const void *message, bool out)
{
    const char *words = "";
    oyez_code code = stream->side->let_pass(stream, message, out, &words);
    if (code != OYEZ_OK)
        stream->side->abort(stream, code, words);
    return code == OYEZ_OK;
}

/* --- news --------------------------------------------------------------------------------------------------------- */

void oy_message_stream_attached(oyez_stream *stream, oy_stream *wire)
{
    stream->wire = wire;
    uint32_t wanted = stream->discarding ? UINT32_MAX : stream->wanted;
    stream->wanted = 0;
    if (!stream->events && !stream->discarding)
        wanted = OY_STREAM_AHEAD;
    oy_stream_push(stream);
    if (wanted > 0 && stream->wire)
        oy_stream_request(stream->wire, wanted);
}

/* What was asked for of this attempt will be asked for of the next one: no message came. */
void oy_message_stream_detached(oyez_stream *stream)
{
    if (stream->wire)
        stream->wanted = stream->wire->wanted;
    stream->wire = NULL;
}

void oy_message_stream_headers(oyez_stream *stream)
{
    if (stream->events) {
        if (stream->events->on_headers)
            stream->events->on_headers(stream, stream->user);
        return;
    }
    pthread_mutex_lock(&stream->lock);
    stream->has_headers = true;
    oy_stream_wake(&stream->receivers);
    pthread_mutex_unlock(&stream->lock);
}

void oy_message_stream_half_closed(oyez_stream *stream)
{
    if (stream->events) {
        if (stream->events->on_half_close)
            stream->events->on_half_close(stream, stream->user);
        return;
    }
    pthread_mutex_lock(&stream->lock);
    stream->end_of_data = true;
    oy_stream_wake(&stream->receivers);
    pthread_mutex_unlock(&stream->lock);
}

void oy_message_stream_over(oyez_stream *stream, const oyez_status *status)
{
    stream->wire = NULL;
    oy_loop_drop_hook(&stream->sent_hook);
    pthread_mutex_lock(&stream->lock);
    atomic_store_explicit(&stream->over, 1, memory_order_release);
    stream->end_of_data = true;
    oy_stream_wake(&stream->receivers);
    oy_stream_wake(&stream->senders);
    pthread_mutex_unlock(&stream->lock);
    if (stream->events && stream->events->on_done)
        stream->events->on_done(stream, status, stream->user);
}

/* --- waiting ------------------------------------------------------------------------------------------------------- */

void oy_stream_wake(oy_stream_waiter **waiters)
{
    /* They leave with the lock, which we have: none is gone before the walk is over. */
    for (oy_stream_waiter *waiter = *waiters; waiter; waiter = waiter->next)
        oy_event_set(&waiter->event);
    *waiters = NULL;
}

oyez_err oy_stream_wait(oyez_stream *stream, oy_stream_waiter **waiters)
{
    oy_stream_waiter self = { .next = *waiters };
    oy_event_init(&self.event);
    *waiters = &self;
    pthread_mutex_unlock(&stream->lock);
    oyez_err err = oy_runtime_wait(stream->runtime, &self.event, OYEZ_FOREVER);
    pthread_mutex_lock(&stream->lock);
    oy_stream_waiter **at = waiters;
    while (*at && *at != &self)
        at = &(*at)->next;
    if (*at)
        *at = self.next;
    return err;
}

oyez_err oy_message_stream_wait_over(oyez_stream *stream)
{
    oyez_err err = OYEZ_NO_ERR;
    pthread_mutex_lock(&stream->lock);
    while (!err && !oy_message_stream_is_over(stream))
        err = oy_stream_wait(stream, &stream->receivers);
    pthread_mutex_unlock(&stream->lock);
    return err;
}

/* --- small public ones ------------------------------------------------------------------------------------------------- */

oyez_stream *oyez_stream_ref(oyez_stream *stream)
{
    if (stream)
        stream->side->user_ref(stream);
    return stream;
}

oyez_stream *oyez_stream_unref(oyez_stream *stream)
{
    if (stream)
        stream->side->user_unref(stream);
    return NULL;
}

void oyez_stream_cancel(oyez_stream *stream)
{
    if (stream)
        stream->side->abort(stream, OYEZ_CANCELLED, "context canceled");
}

void oyez_stream_set_compress(oyez_stream *stream, bool compress)
{
    if (stream)
        stream->as_it_is = !compress;
}

bool oyez_stream_received_compressed(const oyez_stream *stream)
{
    return stream->received_compressed;
}

oyez_str oyez_stream_encoding(const oyez_stream *stream)
{
    return stream->encoding;
}

const void *oyez_stream_table(const oyez_stream *stream)
{
    return stream ? stream->table : NULL;
}

void oyez_stream_listen(oyez_stream *stream, const oyez_stream_events *events, const void *table, void *user)
{
    if (!stream)
        return;
    stream->events = events;
    stream->table = table;
    stream->user = user;
}

void *oyez_stream_alloc(oyez_stream *stream, size_t bytes)
{
    return oy_arena_alloc(&stream->scratch, bytes);
}

char *oyez_stream_printf(oyez_stream *stream, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = oy_arena_vprintf(&stream->scratch, format, args);
    va_end(args);
    return text;
}

char *oyez_stream_strdup(oyez_stream *stream, const char *text)
{
    return text ? oy_arena_dup(&stream->scratch, text, strlen(text)) : NULL;
}

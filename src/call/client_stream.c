/* SPDX-License-Identifier: Apache-2.0 */
/* A client's stream: connects a stream of messages with the call that carries it. The run holds one reference until the call has
 * ended, tasks on their way hold one each, and the users' references together hold one. */
#include "call/client_stream.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "call/call_pool.h"
#include "call/stream_private.h"
#include "call/chain.h"

#define WORDS_MAX 192u

typedef struct client_stream {
    oyez_stream base;             /* first */
    oy_call *call;                /* a reference */
    oy_refcount refs;
    oy_refcount user_refs;
    oy_task discard_task;
    _Atomic(bool) discard_asked;  /* the task is on its way, or has run: several may finish, each his reference */
    oyez_code abort_code;         /* guarded by base.lock */
    char abort_words[WORDS_MAX];  /* written once, with the code: fixed from then on */
    oy_message held;              /* loop: the one response of a method that streams none, until the status is OK */
    bool has_held;
    /* The loop's, for a second attempt: */
    oy_replay replay;             /* what was sent */
    uint32_t next;                /* ... and goes out again next */
    bool replaying;               /* until it is all out again new messages wait */
    bool tell_sent;               /* then the sender hears that the message that he waits for has left */
    bool closed;                  /* half-closed, on whatever attempt */
    bool answered;                /* while replaying: nothing need be kept any more */
} client_stream;

static client_stream *client_of(oyez_stream *stream)
{
    return (client_stream *)(void *)stream;
}

/* --- references ----------------------------------------------------------------------------------------------------- */

static void ref(oyez_stream *stream)
{
    oy_ref(&client_of(stream)->refs);
}

static void unref(oyez_stream *stream)
{
    client_stream *client = client_of(stream);
    if (!oy_unref(&client->refs))
        return;
    oy_call *call = client->call;
    oy_message_stream_fini(stream);
    oy_free(client);
    (void)oyez_call_unref(call);
}

/* In a callback the stream is still there when its users have dropped what they had: then it counts anew. */
static void user_ref(oyez_stream *stream)
{
    if (atomic_fetch_add_explicit(&client_of(stream)->user_refs.count, 1, memory_order_relaxed) == 0)
        ref(stream);
}

static void user_unref(oyez_stream *stream)
{
    client_stream *client = client_of(stream);
    if (!oy_unref(&client->user_refs))
        return;
    if (!oy_message_stream_is_over(stream))
        oy_call_ask_cancel(client->call, OYEZ_CANCELLED);
    unref(stream);
}

/* --- what the stream asks of the call ---------------------------------------------------------------------------------- */

static bool before_send(oyez_stream *stream)
{
    client_stream *client = client_of(stream);
    oy_call *call = client->call;
    if (oy_unlikely(client->replaying))
        return false;
    if (oy_unlikely(!client->replay.committed))
        oy_replay_keep(&client->replay, &stream->out, stream->out_length, stream->out_compressed, stream->pool);
    if (oy_unlikely(call->stats != NULL))
        oy_call_stats_payload(call, true, stream->out_length, stream->out.len, stream->out_compressed);
    return true;
}

static oyez_code let_pass(oyez_stream *stream, const void *message, bool out, const char **ret_words)
{
    return oy_call_let_pass(client_of(stream)->call, message, out, ret_words);
}

static void close_send(oyez_stream *stream)
{
    client_stream *client = client_of(stream);
    oy_call *call = client->call;
    if (client->replaying) {
        stream->close_asked = true; /* behind it */
    } else if (call->attached && !call->has_request) {
        client->closed = true;
        oy_client_stream_close_send(&call->stream);
    }
}

static void abort_call(oyez_stream *stream, oyez_code code, const char *words)
{
    client_stream *client = client_of(stream);
    pthread_mutex_lock(&stream->lock);
    if (client->abort_code == OYEZ_OK) {
        client->abort_code = code;
        strncpy(client->abort_words, words, WORDS_MAX - 1);
    }
    pthread_mutex_unlock(&stream->lock);
    oy_call_ask_cancel(client->call, code);
}

static const oy_stream_side client_side = {
    .before_send = before_send,
    .let_pass = let_pass,
    .close_send = close_send,
    .abort = abort_call,
    .ref = ref,
    .unref = unref,
    .user_ref = user_ref,
    .user_unref = user_unref,
};

/* --- what the call tells ------------------------------------------------------------------------------------------------- */

static oyez_stream *stream_of(oy_call *call)
{
    return call->hooks_user;
}

/* All is as it was when the attempt before was lost. */
static void replayed(client_stream *client)
{
    oyez_stream *stream = &client->base;
    oy_call *call = client->call;
    client->replaying = false;
    if (client->answered)
        oy_replay_commit(&client->replay);
    if (client->closed)
        oy_client_stream_close_send(&call->stream);
    if (client->tell_sent) {
        client->tell_sent = false;
        oy_message_stream_sent(stream);
    }
    if (call->attached)
        oy_stream_push(stream);
}

/* Sends again what the attempt before has sent, as flow control lets it. */
static void go_on_replaying(client_stream *client)
{
    oyez_stream *stream = &client->base;
    oy_call *call = client->call;
    while (client->next < client->replay.count) {
        const oy_replayed *kept = &client->replay.messages[client->next];
        const size_t length = kept->length;
        const bool compressed = kept->compressed;
        oyez_slice again;
        if (oyez_slice_ref(&kept->bytes, &again)) {
            abort_call(stream, OYEZ_RESOURCE_EXHAUSTED, "out of memory while sending a message again");
            return;
        }
        client->next++;
        if (oy_unlikely(call->stats != NULL))
            oy_call_stats_payload(call, true, length, again.len, compressed);
        if (!oy_stream_send(&call->stream.base, &again, compressed, false))
            return; /* on_sent goes on */
    }
    ref(stream); /* callbacks */
    replayed(client);
    unref(stream);
}

static void on_attached(oy_call *call)
{
    oyez_stream *stream = stream_of(call);
    client_stream *client = client_of(stream);
    client->next = 0;
    client->replaying = client->replay.count > 0 || client->closed;
    oy_message_stream_attached(stream, &call->stream.base);
    if (oy_unlikely(client->replaying))
        go_on_replaying(client);
}

static bool may_retry(oy_call *call)
{
    client_stream *client = client_of(stream_of(call));
    if (!client->replaying)
        client->tell_sent = oy_stream_was_sending(&call->stream.base);
    client->replaying = false;
    oy_message_stream_detached(&client->base);
    return !client->replay.committed;
}

static void commit(client_stream *client)
{
    if (client->replaying)
        client->answered = true;
    else if (!client->replay.committed)
        oy_replay_commit(&client->replay);
}

static void on_headers(oy_call *call)
{
    commit(client_of(stream_of(call)));
    stream_of(call)->encoding = oy_client_stream_encoding(&call->stream);
    oy_message_stream_headers(stream_of(call));
}

static void on_message(oy_call *call, oy_message *message)
{
    oyez_stream *stream = stream_of(call);
    client_stream *client = client_of(stream);
    if (!call->method->server_streaming) {
        /* It counts only when the call ends well. */
        if (oy_message_keep(message, stream->pool, NULL)) {
            abort_call(stream, OYEZ_RESOURCE_EXHAUSTED, "out of memory while receiving the reply");
            return;
        }
        client->held = *message;
        client->has_held = true;
        memset(message, 0, sizeof(*message));
        return;
    }
    ref(stream);
    oy_message_stream_message(stream, message);
    unref(stream);
}

static void on_sent(oy_call *call)
{
    oyez_stream *stream = stream_of(call);
    if (oy_unlikely(client_of(stream)->replaying))
        go_on_replaying(client_of(stream));
    else
        oy_message_stream_sent(stream);
}

/* The words stand once there is a code; an abort may come at any time, also behind the end. */
static oyez_code get_abort_code(client_stream *client)
{
    pthread_mutex_lock(&client->base.lock);
    oyez_code code = client->abort_code;
    pthread_mutex_unlock(&client->base.lock);
    return code;
}

/* A message that cannot be used makes a call that the server has ended well fail after all; a cancellation that comes too late does
 * not. */
static bool spoils(oyez_code abort_code, const oyez_status *status)
{
    return status->code == OYEZ_OK && abort_code != OYEZ_OK && abort_code != OYEZ_CANCELLED;
}

static void on_settle(oy_call *call)
{
    oyez_stream *stream = stream_of(call);
    client_stream *client = client_of(stream);
    if (call->status.code == OYEZ_OK && client->has_held)
        oy_message_stream_message(stream, &client->held);
    oy_message_fini(&client->held);
    /* The words of our own abort, if that is what ended the call. */
    const oyez_code code = get_abort_code(client);
    if (code != OYEZ_OK && (call->status.code == code || spoils(code, &call->status)))
        oy_call_set_status(call, code, client->abort_words);
}

static void on_finish(oy_call *call)
{
    oyez_stream *stream = stream_of(call);
    client_of(stream)->replaying = false;
    commit(client_of(stream));
    oy_message_stream_over(stream, &call->status);
    unref(stream);
}

static const oy_call_hooks stream_hooks = {
    .on_attached = on_attached,
    .may_retry = may_retry,
    .on_headers = on_headers,
    .on_message = on_message,
    .on_sent = on_sent,
    .on_settle = on_settle,
    .on_finish = on_finish,
};

/* --- making, finishing -------------------------------------------------------------------------------------------------- */

static void discard_on_loop(oy_task *task)
{
    client_stream *client = oy_container_of(task, client_stream, discard_task);
    if (!oy_message_stream_is_over(&client->base))
        oy_message_stream_discard(&client->base);
    unref(&client->base);
}

oyez_stream *oy_client_stream_new(oy_call *call, oyez_runtime *runtime, size_t max_send_bytes,
                                  const oyez_stream_events *events, const void *table, void *user)
{
    client_stream *client = oy_alloc_zero(sizeof(*client));
    if (!client)
        return NULL;
    const oy_stream_params params = {
        .side = &client_side,
        .owner = call,
        .loop = call->loop,
        .runtime = runtime,
        .pool = call->messages,
        .codec = call->codec,
        .send_type = call->method->request,
        .recv_type = call->method->response,
        .max_send_bytes = max_send_bytes,
        .max_receive_bytes = call->max_receive_bytes,
        .compressors = oy_call_pool_compressors(call->pool),
        .compressor = call->compressor,
        .max_arena_bytes = call->arena.limit,
        .intercepted = call->chain && call->chain->sees_messages,
    };
    oy_message_stream_init(&client->base, &params);
    oyez_stream_listen(&client->base, events, table, user);
    client->base.send_closed = call->has_request;
    /* The one reply comes unasked; a second one is one too many, and must be seen. */
    if (!call->method->server_streaming)
        client->base.wanted = 2;
    client->call = oyez_call_ref(call);
    client->discard_task.run = discard_on_loop;
    oy_replay_init(&client->replay, oy_call_pool_replay(call->pool));
    oy_refcount_init(&client->refs, 2);
    oy_refcount_init(&client->user_refs, 1);
    call->hooks = &stream_hooks;
    call->hooks_user = &client->base;
    return &client->base;
}

oyez_code oyez_stream_finish(oyez_stream *stream, oyez_status *ret_status)
{
    client_stream *client;
    if (!stream || stream->side != &client_side) {
        return oyez_status_setf(ret_status, OYEZ_INTERNAL, "the stream is NULL, or a handler's");
    }
    client = client_of(stream);
    bool over = oy_message_stream_is_over(stream);
    if (!over && !oy_runtime_on_loop(stream->runtime)) {
        oyez_stream_close_send(stream);
        if (!atomic_exchange(&client->discard_asked, true)) {
            ref(stream);
            oy_loop_submit(stream->loop, &client->discard_task);
        }
        over = oy_message_stream_wait_over(stream) == OYEZ_NO_ERR;
    }
    oyez_code code = OYEZ_CANCELLED;
    const oyez_code abort_code = get_abort_code(client);
    if (over && spoils(abort_code, &client->call->status)) {
        code = oyez_status_setf(ret_status, abort_code, "%s", client->abort_words);
    } else if (over) {
        code = client->call->status.code;
        if (ret_status)
            oyez_status_copy(&client->call->status, ret_status);
    } else if (ret_status) {
        (void)oyez_status_setf(ret_status, code, "the stream was not over when it was finished on a loop thread");
    }
    user_unref(stream);
    return code;
}

oyez_server_call *oyez_stream_server_call(const oyez_stream *stream)
{
    return !stream || stream->side == &client_side ? NULL : stream->owner;
}

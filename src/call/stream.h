/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of messages, inside: the same object for clients and for handlers. Between a thread that blocks and the loop it
 * passes encoded messages: one outgoing at a time, and a few incoming.
 *
 * Who touches what: `wire` and what is said to be the loop's on the loop only; the outgoing message by the sender while
 * `sending` is 0 and by the loop while it is 1; the inbox under `lock`. */
#ifndef OY_CALL_STREAM_H
#define OY_CALL_STREAM_H

#include <pthread.h>

#include <oyez/codec.h>
#include <oyez/stream.h>

#include "base/arena.h"
#include "base/refcount.h"
#include "call/compressors.h"
#include "io/io.h"
#include "transport/transport.h"

/* An outgoing message up to this size is encoded into the stream, a larger one into a block of the pool. */
#define OY_STREAM_INLINE_BYTES 1024u
#define OY_STREAM_SCRATCH_BYTES 512u
#define OY_STREAM_ARENA_BYTES 1024u
/* Messages that the loop may put into the inbox before they are received: one to work on, one ahead. */
#define OY_STREAM_AHEAD 2u
/* Messages that a stream sends in its turn, when each leaves at once. */
#define OY_STREAM_TURN_MESSAGES 64u

/* What a stream wants of its side, client's or server's. */
typedef struct oy_stream_side {
    /* The sender's thread, before a message goes to the loop; may be NULL. */
    void (*will_send)(oyez_stream *stream);
    /* Loop: something is to be sent now: headers go first. False: it cannot be. */
    bool (*before_send)(oyez_stream *stream);
    /* The interceptors' word on a message, if there are some: sender's or receiver's thread. Not OYEZ_OK: the call ends. */
    oyez_code (*let_pass)(oyez_stream *stream, const void *message, bool out, const char **ret_words);
    /* Loop: half-close. */
    void (*close_send)(oyez_stream *stream);
    /* Any thread: the messages that come cannot be decoded, or the user wants an end. */
    void (*abort)(oyez_stream *stream, oyez_code code, const char *words);
    /* Any thread: references of tasks on their way, and the users'. */
    void (*ref)(oyez_stream *stream);
    void (*unref)(oyez_stream *stream);
    void (*user_ref)(oyez_stream *stream);
    void (*user_unref)(oyez_stream *stream);
} oy_stream_side;

struct oyez_stream {
    const oy_stream_side *side;
    void *owner;                  /* the side's: an oyez_call (client) or an oyez_server_call */
    oy_loop *loop;
    oyez_runtime *runtime;
    oyez_pool *pool;
    const oyez_codec *codec;
    const void *send_type, *recv_type;
    const oyez_stream_events *events; /* NULL: blocking form */
    const void *table;
    void *user;
    size_t max_send_bytes, max_receive_bytes;
    const oy_compressors *compressors; /* borrowed */
    oyez_str encoding;            /* of what comes; set before the first message */
    bool intercepted;             /* side->let_pass is to be asked */
    /* The loop's: */
    oy_stream *wire;              /* NULL: not on a connection, or over */
    uint32_t wanted;              /* asked for, while there is no wire */
    bool has_out;                 /* `out` was handed over and is not on the wire yet */
    bool close_asked;             /* half-close as soon as there is a wire */
    bool discarding;              /* messages that come are dropped */
    oy_hook sent_hook;            /* on_sent, not inside the function that sends */
    bool telling;                 /* sent_hook is under way */
    bool left;                    /* what on_sent sent has left, too: on_sent again */
    /* The sender's, then the loop's: */
    _Atomic(int) sending;         /* 1: the loop has the message */
    _Atomic(bool) send_closed;    /* by the sender, or by whoever finishes */
    bool as_it_is;                /* the sender's, as is the next: messages are not compressed */
    const oy_compressor *compressor; /* NULL: none */
    oyez_slice out;
    size_t out_length;            /* of it before it was compressed */
    bool out_compressed;
    oy_task send_task, close_task;
    oyez_arena scratch;
    /* The receiver's: */
    void *received;               /* decoded, until the next one */
    bool received_compressed;
    bool spoilt;                  /* a message could not be used: none is given out any more */
    oyez_arena arena;
    _Atomic(uint32_t) asked;      /* requests on their way to the loop */
    oy_task request_task;
    /* Both sides of the inbox: */
    pthread_mutex_t lock;
    oy_recv_queue inbox;          /* guarded by lock */
    bool end_of_data;             /* guarded by lock: nothing will come any more */
    bool has_headers;             /* guarded by lock: the server's, blocking form */
    struct oy_stream_waiter *receivers, *senders; /* guarded by lock: who waits */
    _Atomic(int) over;            /* the call has ended */
    _Alignas(16) uint8_t out_small[OY_STREAM_INLINE_BYTES];
    _Alignas(16) char scratch_first[OY_STREAM_SCRATCH_BYTES];
    _Alignas(16) char arena_first[OY_STREAM_ARENA_BYTES];
};

typedef struct oy_stream_params {
    const oy_stream_side *side;
    void *owner;
    oy_loop *loop;
    oyez_runtime *runtime;
    oyez_pool *pool;
    const oyez_codec *codec;
    const void *send_type, *recv_type;
    size_t max_send_bytes, max_receive_bytes;
    const oy_compressors *compressors; /* NULL: none */
    const oy_compressor *compressor;   /* of what is sent; NULL: none */
    oyez_str encoding;                 /* of what comes, as far as that is known */
    size_t max_arena_bytes;       /* of either arena; 0: no limit */
    bool intercepted;
} oy_stream_params;

void oy_message_stream_init(oyez_stream *stream, const oy_stream_params *params);
/* The call has ended and nobody uses it. */
void oy_message_stream_fini(oyez_stream *stream);

/* --- news from the wire; loop thread --------------------------------------------------------------------------- */

/* There is a connection: what waits goes out. */
void oy_message_stream_attached(oyez_stream *stream, oy_stream *wire);
/* The attempt is gone; another may come. */
void oy_message_stream_detached(oyez_stream *stream);
void oy_message_stream_message(oyez_stream *stream, oy_message *message);
void oy_message_stream_sent(oyez_stream *stream);
void oy_message_stream_headers(oyez_stream *stream);
void oy_message_stream_half_closed(oyez_stream *stream);
/* Over: wakes who waits, or tells on_done. */
void oy_message_stream_over(oyez_stream *stream, const oyez_status *status);

/* --- for the sides ------------------------------------------------------------------------------------------------ */

/* From now on what comes is dropped, and credited. Loop thread. */
void oy_message_stream_discard(oyez_stream *stream);
/* Waits until the call has ended. OYEZ_EDEADLK on a loop thread. */
oyez_err oy_message_stream_wait_over(oyez_stream *stream);
static inline bool oy_message_stream_is_over(const oyez_stream *stream)
{
    return atomic_load_explicit(&stream->over, memory_order_acquire) != 0;
}

#endif

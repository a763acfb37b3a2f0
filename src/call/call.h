/* SPDX-License-Identifier: Apache-2.0 */
/* A client's call, inside: made on any thread, run on the channel's loop, ended once.
 *
 * Life: oy_call_new (any thread) → oy_call_prepare encodes the request → oy_call_launch hands it to the loop → the owner (the
 * channel) finds a connection: oy_call_attach, or oy_call_fail → the end: the callback, or the waiting thread. Two
 * references at the start: the run's own and the user's. */
#ifndef OY_CALL_H
#define OY_CALL_H

#include <oyez/call.h>
#include <oyez/limits.h>

#include "base/arena.h"
#include "base/list.h"
#include "base/refcount.h"
#include "call/compressors.h"
#include "call/ctx.h"
#include "call/metadata.h"
#include "call/status.h"
#include "io/io.h"
#include "stats/stats.h"
#include "transport/transport.h"

typedef struct oyez_call oy_call;
typedef struct oy_call_chain oy_call_chain;
typedef struct oy_call_stats oy_call_stats;

/* Calls of a channel, kept for the next ones: a steady channel allocates nothing. */
typedef struct oy_call_pool oy_call_pool;

/* @param loop where the calls run. */
oyez_err oy_call_pool_new(oy_loop *loop, oy_call_pool **ret_pool);
/* Calls that are still out keep it alive. */
void oy_call_pool_free(oy_call_pool *pool);

/* How much of what was sent may be kept for a second attempt, by a call and by all of them. Before the first call. */
void oy_call_pool_limit_replay(oy_call_pool *pool, size_t call_bytes, size_t total_bytes);

/* The compressors of the pool's calls; a reference is taken, which outlives the channel with the calls. NULL: none. Before the
 * first call. */
void oy_call_pool_set_compressors(oy_call_pool *pool, oy_compressors *compressors);

/* What the channel does for its calls. */
typedef struct oy_call_owner {
    /* Loop thread: the call wants a connection: the first time, or again when one did not take it. */
    void (*start)(void *owner, oy_call *call);
    /* Any thread: the reference that a call holds on its channel. */
    void (*ref)(void *owner);
    void (*unref)(void *owner);
    /* Loop thread: what a call waits for that has no connection yet, in words that follow "...to become ready; ". */
    void (*tell_wait)(void *owner, char *text, size_t bytes);
} oy_call_owner;

/* What a streaming call does instead of a unary one; all on the loop. */
typedef struct oy_call_hooks {
    void (*on_attached)(oy_call *call);          /* an attempt has begun */
    bool (*may_retry)(oy_call *call);            /* that attempt was not seen by any server: may another follow? */
    void (*on_headers)(oy_call *call);
    void (*on_message)(oy_call *call, oy_message *message);
    void (*on_sent)(oy_call *call);
    void (*on_settle)(oy_call *call);            /* the status is set; the last chance to change its words */
    void (*on_finish)(oy_call *call);
} oy_call_hooks;

/* The first bytes of a call's arena; with the struct about 3 KiB a call. */
#define OY_CALL_FIRST_BYTES 1536u
/* A request up to this size is encoded into the arena, a larger one into a block of the pool. */
#define OY_CALL_INLINE_BYTES 1024u
/* What an interceptor wants to find again. */
typedef struct oy_call_value {
    const void *key;
    void *value;
    struct oy_call_value *next;
} oy_call_value;

struct oyez_call {
    oy_client_stream stream;         /* anew for each attempt */
    oy_call_pool *pool;
    bool from_shared;                /* goes back to the pool's shared list */
    oy_refcount refs;
    oy_task start_task;              /* to the loop: start, or end what failed inside the start */
    oy_task cancel_task;             /* to the loop: cancel; holds a reference while it is under way */
    _Atomic(int) cancel_code;        /* not 0: somebody has asked; the first one wins */
    oy_list waiting;                 /* in the channel's list */
    oy_timer timer;                  /* the deadline */
    oy_ctx_watch watch;
    oyez_ctx *ctx;                   /* a reference; NULL: background */
    const oy_call_owner *owner_ops;
    void *owner;                     /* a reference */
    oy_loop *loop;
    const oyez_method *method;
    const oyez_codec *codec;
    oyez_pool *messages;             /* borrowed from the channel */
    bool wait_for_ready, started, starting, attached, ended, retried;
    bool tried;                      /* `stream` was used by an attempt */
    bool has_request;                /* one request, sent with the headers */
    bool keep_reply;                 /* a blocking call: its thread decodes */
    uint32_t max_receive_bytes;
    int64_t deadline;
    oy_request request;
    oyez_slice message;              /* the encoded request */
    oyez_slice attempt_message;      /* what the present attempt sends */
    size_t message_len;              /* of the request before it was compressed */
    const oy_compressor *compressor; /* of what is sent; NULL: none */
    size_t kept_bytes;               /* of `message`, charged to the budget of what may be sent again */
    oyez_metadata metadata;          /* sent; in the arena */
    oyez_metadata *headers, *trailers; /* the user's; NULL: not wanted */
    uint32_t messages_received;
    void *reply;                     /* decoded, in the arena */
    oy_message raw_reply;            /* keep_reply: not decoded */
    oyez_status status;
    oy_status_impl loan;
    const oy_call_hooks *hooks;      /* NULL: a unary call */
    void *hooks_user;
    oyez_unary_adapter_fn *adapter;
    oyez_any_fn *done;
    void *user;
    oy_event *event;                 /* keep_reply: the waiting thread */
    const char *peer;
    bool watched;                    /* somebody below wants to know */
    bool beginning;                  /* interceptors are at it: they may change the call */
    bool refused;                    /* by one of them */
    uint32_t begun;                  /* interceptors whose begin ran and whose end has not */
    oy_call_chain *chain;            /* a reference; NULL: no interceptors */
    oy_call_value *values;           /* in the arena */
    oyez_call_finish_fn *on_finish;
    void *on_finish_user;
    char *peer_text;                 /* the user's; NULL: not wanted */
    size_t peer_bytes;
    oy_stats *stats;                 /* a reference; NULL: no stats handlers */
    oy_call_stats *attempt;          /* in the arena */
    oyez_arena arena;
    _Alignas(16) char first[OY_CALL_FIRST_BYTES];
};

/* NULL: no memory. Any thread. */
oy_call *oy_call_new(oy_call_pool *pool);

typedef struct oy_call_params {
    const oyez_method *method;
    oyez_ctx *ctx;
    const oyez_call_options *options; /* copied and complete */
    const oyez_metadata *default_metadata; /* sent before that of the options; NULL: none */
    const void *request;             /* NULL: a stream sends its messages */
    const oy_call_owner *owner_ops;
    void *owner;
    oyez_pool *messages;
    uint32_t max_receive_bytes, max_send_bytes; /* the channel's */
    size_t max_arena_bytes;
    oy_call_chain *chain;            /* borrowed; may be NULL, as may the next */
    oy_stats *stats;
} oy_call_params;

/* Takes over all that is borrowed: encodes the request, copies metadata. What is wrong with the call itself (cannot be encoded,
 * too large, ctx over) becomes its status, told by the callback. OYEZ_ENOMEM: the call is gone. Any thread. */
oyez_err oy_call_prepare(oy_call *call, const oy_call_params *params);
/* Gives up a prepared call that will not be launched. */
void oy_call_drop(oy_call *call);
/* Hands the call to its loop; directly when the calling thread is the loop's. The callback never comes inside. */
void oy_call_launch(oy_call *call);

/* Asks for the end, from any thread. The first one wins. */
void oy_call_ask_cancel(oy_call *call, oyez_code code);
/* Sets the status; the words are copied into the arena. Loop thread, or before the launch. */
void oy_call_set_status(oy_call *call, oyez_code code, const char *words);

/* Starts the call on a connection. OYEZ_ESTATE: this one takes no calls, try another; otherwise 0: the call is running, or has
 * failed and been told so. Loop thread. */
oyez_err oy_call_attach(oy_call *call, oy_client_transport *transport);
/* Ends a call that is on no connection. It leaves the list it waits in. @param words copied. Loop thread. */
void oy_call_fail(oy_call *call, oyez_code code, const char *words);
bool oy_call_waits_for_ready(const oy_call *call);
/* The node by which it waits in the channel. The call takes itself out when it is cancelled or its time is over. */
oy_list *oy_call_waiting_node(oy_call *call);
oy_call *oy_call_of_waiting_node(oy_list *node);

/* A blocking call has ended: decodes the reply on the heap. Its thread. */
oyez_code oy_call_collect(oy_call *call, void **ret_reply, oyez_status *ret_status);

#endif

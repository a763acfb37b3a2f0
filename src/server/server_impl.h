/* SPDX-License-Identifier: Apache-2.0 */
/* The server, inside. Private to src/server.
 *
 * Threads: each loop has a shard; connections and calls belong to one shard and are touched on its loop only, but for what a
 * handler does with its own call. `live` counts everything that must be gone before a stop is over. */
#ifndef OY_SERVER_IMPL_H
#define OY_SERVER_IMPL_H

#include <pthread.h>

#include <oyez/limits.h>
#include <oyez/server.h>

#include "base/arena.h"
#include "base/refcount.h"
#include "call/compressors.h"
#include "call/ctx.h"
#include "call/metadata.h"
#include "call/status.h"
#include "call/stream.h"
#include "io/io.h"
#include "server/chain.h"
#include "server/connector.h"
#include "server/registry.h"
#include "stats/stats.h"
#include "transport/transport.h"

typedef struct oy_server_shard oy_server_shard;
typedef struct oy_server_conn oy_server_conn;
typedef struct oy_listener oy_listener;

#define OY_SERVER_WORDS_MAX 320u

typedef enum oy_server_state {
    OY_SERVER_NEW,
    OY_SERVER_RUNNING,
    OY_SERVER_DRAINING, /* graceful stop */
    OY_SERVER_STOPPING,
} oy_server_state;

/* A thread that waits for the end of a stop. */
typedef struct oy_server_waiter {
    oy_list node;                /* guarded by lock */
    oy_event event;
} oy_server_waiter;

struct oyez_server {
    oy_refcount user_refs;
    oy_refcount refs;            /* the users' together, and one while anything is live */
    oyez_runtime *runtime;       /* a reference */
    oyez_pool *pool;             /* a reference */
    oyez_server_options options; /* complete; `runtime`, `pool` and lists not to be used */
    oy_server_chain *chain;      /* NULL: no interceptor */
    oy_stats *stats;             /* NULL: no stats handler */
    oy_quota *quota;
    oy_compressors *compressors; /* NULL: none */
    oy_registry registry;        /* frozen by start */
    oy_server_connector *connector; /* a reference */
    _Atomic(int) state;          /* oy_server_state; changed under lock */
    _Atomic(size_t) live;        /* listeners, connections, calls, tasks under way */
    _Atomic(uint32_t) connections;
    _Atomic(unsigned) next_shard;
    pthread_mutex_t lock;
    oy_list waiters;             /* guarded by lock */
    oy_list pending;             /* guarded by lock: listeners made before start */
    bool done;                   /* guarded by lock: the stop is over */
    unsigned shard_count;
    oy_server_shard *shards;
    oy_timer drain_timer;        /* shard 0's loop */
    oy_task drain_limit_task;
    oyez_duration drain_limit;
    char words[OY_SERVER_WORDS_MAX];
};

/* What a server has on one loop. */
struct oy_server_shard {
    oyez_server *server;
    oy_loop *loop;
    oy_list conns;               /* oy_server_conn.node */
    oy_list listeners;           /* oy_listener.node */
    oy_list idle_calls;          /* oyez_server_call.idle, for the next ones */
    uint32_t idle_count;
    oy_task stop_task, drain_task;
};

/* --- server.c ------------------------------------------------------------------------------------------------------ */

void oy_server_live_add(oyez_server *server);
/* May end a stop, and with it the server. */
void oy_server_live_drop(oyez_server *server);
static inline oy_server_state oy_server_get_state(oyez_server *server)
{
    return (oy_server_state)atomic_load_explicit(&server->state, memory_order_acquire);
}
/* life_options.c: checks what is about the life of connections, and fills in the defaults. */
oyez_err oy_server_complete_life_options(oyez_server_options *options);
oyez_err oy_server_fail(oyez_server *server, oyez_err err, const char *format, ...) OYEZ_PRINTF(3, 4);

/* --- listener.c ---------------------------------------------------------------------------------------------------- */

struct oy_listener {
    oy_list node;                /* in server->pending, then in shard->listeners */
    oyez_server *server;
    oy_server_shard *shard;
    int fd;
    oy_watch *watch;
    oy_timer retry;              /* out of descriptors: accept again later */
    oyez_duration retry_delay;
    oy_task open_task;
    char *unlink_path;           /* of a unix socket that we made */
};

/* Starts to accept: from any thread, the listener goes to a loop. */
void oy_listener_launch(oy_listener *listener);
/* Loop thread. */
void oy_listener_close(oy_listener *listener);
/* One that was never launched. */
void oy_listener_free(oy_listener *listener);

/* --- conn.c --------------------------------------------------------------------------------------------------------- */

struct oy_server_conn {
    oy_server_shard *shard;
    oy_server_transport *transport; /* NULL: gone */
    oy_list node;
    uint32_t calls;              /* alive, those included whose stream is gone but whose handler is not */
    bool has_ids;
    uint32_t pid, uid, gid;      /* of a client on a unix socket */
    void **stats_tags;           /* NULL: no stats handler */
    char peer[OY_ADDRESS_TEXT_MAX];
};

/* A connection was accepted: it goes to the next loop. @param fd takes. */
void oy_server_take_connection(oyez_server *server, oy_server_shard *here, int fd, const oy_address *peer);
/* Opens one in memory. The server is running and does not stop meanwhile. Any thread; calls nothing of the user's.
 * OYEZ_ELIMIT: there are as many as there may be. @param ret_pipe gets the client's end */
oyez_err oy_server_connect_memory(oyez_server *server, oy_pipe **ret_pipe);
void oy_server_conn_close(oy_server_conn *conn);
void oy_server_conn_drain(oy_server_conn *conn);
/* A call is gone. */
void oy_server_conn_call_gone(oy_server_conn *conn);

/* --- call.c ---------------------------------------------------------------------------------------------------------- */

#define OY_SERVER_CALL_FIRST_BYTES 1024u
#define OY_SERVER_CALL_WIRE_BYTES 384u
/* A reply up to this size is encoded into the arena, a larger one into a block of the pool. */
#define OY_SERVER_REPLY_INLINE_BYTES 1024u
#define OY_SERVER_MAX_IDLE_CALLS OYEZ_LIMIT_IDLE_CALLS

/* What somebody wants to find again. */
typedef struct oy_server_value {
    const void *key;
    void *value;
    struct oy_server_value *next;
} oy_server_value;

/* What stats handlers are told of a call; in `wire`. */
typedef struct oy_server_call_stats {
    bool has_status;             /* how the call ended on the wire; else as its handler says */
    oyez_status status;
    oy_status_impl loan;
    void *tags[];
} oy_server_call_stats;

struct oyez_server_call {
    oy_server_stream stream;
    oy_server_shard *shard;
    oy_server_conn *conn;
    oy_list idle;
    const oy_method_entry *entry;
    bool on_wire;                /* the transport has not ended the stream */
    bool handling;               /* a handler, or its answer on the way, holds the call */
    bool dispatched, answered;
    uint32_t begun;              /* interceptors whose begin ran and whose end has not */
    uint32_t messages;
    oy_server_call_stats *stats; /* NULL: nobody is told */
    oy_server_value *values;     /* in `arena` */
    oy_message request;          /* wire bytes that wait for their decoding */
    void *decoded;
    oyez_slice response;         /* the encoded reply */
    size_t response_len;         /* of it before it was compressed */
    bool response_compressed;
    bool request_compressed;     /* as it came */
    const oy_compressor *compressor; /* of the answer; NULL: none */
    oyez_status status;
    oy_status_impl loan;
    oyez_metadata metadata, headers, trailers; /* in `arena` */
    _Atomic(int) cancelled;      /* an oyez_code */
    _Atomic(oyez_ctx *) ctx;
    oyez_stream *messages_stream; /* of a streaming method; in `arena` */
    uint32_t holds;              /* callbacks under way: the call stays */
    _Atomic(uint32_t) tasks;     /* of the stream, on their way to the loop: the call stays */
    _Atomic(int) headers_frozen; /* header metadata is on its way: no more can be added */
    _Atomic(int) abort_code;     /* not 0: the call is to be ended because of its messages; the first one wins */
    oyez_duration deadline;
    oy_timer timer;
    oy_task work_task;           /* to a worker */
    oy_task answer_task;         /* back to the loop */
    oy_task headers_task, abort_task; /* to the loop */
    oyez_arena arena;            /* the handler's: its thread alone uses it once it runs */
    oyez_arena wire;             /* the loop's */
    char abort_words[160];       /* written by the one that wins, before abort_task is submitted; not cleared */
    _Alignas(16) char wire_first[OY_SERVER_CALL_WIRE_BYTES];
    _Alignas(16) char first[OY_SERVER_CALL_FIRST_BYTES];
};

/* on_open of a connection. */
oy_server_stream *oy_server_call_open(oy_server_conn *conn);
void oy_server_call_free_idle(oy_server_shard *shard);

/* dispatch.c: the request is complete, or its message has come. */
void oy_server_call_dispatch(oyez_server_call *call, oy_message *request);
/* The handler's answer: encodes the reply (NULL unless OYEZ_OK) and sends it from the loop. Any thread. */
void oy_server_call_answer(oyez_server_call *call, oyez_code code, const void *reply);
/* Sends it. Loop thread; the call may be gone afterwards. */
void oy_server_call_send_answer(oyez_server_call *call);
/* Loop thread: ends the call without a handler. */
void oy_server_call_refuse(oyez_server_call *call, oyez_code code, const char *words);
void oy_server_call_refuse_with(oyez_server_call *call, oyez_code code, oyez_str words, oyez_str details);
/* Loop thread: ends the call while its handler may still run; the handler's own answer is then dropped. The call may be gone
 * afterwards. */
void oy_server_call_cut_short(oyez_server_call *call, oyez_code code, const char *words);
/* Frees the call when nobody holds it any more. */
void oy_server_call_release(oyez_server_call *call);

/* call_stats.c: what stats handlers are told; each only when call->stats. Loop thread. */
void oy_server_stats_begin(oyez_server_call *call);
void oy_server_stats_out_headers(oyez_server_call *call);
/* The call is over on the wire: its trailers leave, if it has some, or it was reset. */
void oy_server_stats_out_trailers(oyez_server_call *call, bool trailers, oyez_code code, oyez_str words, oyez_str details);
/* The call is gone. */
void oy_server_stats_end(oyez_server_call *call);

/* stream.c: the stream of messages of a streaming method. NULL: no memory. */
oyez_stream *oy_server_stream_make(oyez_server_call *call);
/* Sends the header metadata unless it has left. Loop thread. False: it does not fit, and the call is over. */
bool oy_server_call_flush_headers(oyez_server_call *call);

#endif

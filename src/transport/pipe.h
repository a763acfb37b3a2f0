/* SPDX-License-Identifier: Apache-2.0 */
/* What carries a connection's bytes: a socket (pipe_socket.c), or memory between two connections of one process
 * (pipe_memory.c). Made on any thread; from attach on it belongs to one loop. */
#ifndef OY_TRANSPORT_PIPE_H
#define OY_TRANSPORT_PIPE_H

#include "base/refcount.h"
#include "io/io.h"
#include "mem/mem.h"

typedef struct oy_pipe oy_pipe;

typedef struct oy_pipe_ops {
    /* From now on `on_ready` says on this loop when what is wanted is possible, never inside a function of the pipe.
     * At first nothing is wanted. After an error the pipe can only be closed. */
    oyez_err (*attach)(oy_pipe *pipe, oy_loop *loop, oy_watch_fn *on_ready, void *user);
    /* OY_READABLE, OY_WRITABLE, or 0. Cheap when nothing changes. */
    void (*want)(oy_pipe *pipe, int events);
    /* Of a pipe that was still connecting and has become writable: 0, or -1 with errno. */
    int (*connect_result)(oy_pipe *pipe);
    /* Moves bytes off the front of the queue, which is not empty; how many, or -1 with errno (EAGAIN: none now). */
    ssize_t (*send)(oy_pipe *pipe, oy_outq *out);
    /* The next bytes; how many, 0 at their end, or -1 with errno (EAGAIN: none now). They live until `received`, which
     * follows. *ret_more: there may be more at once. */
    ssize_t (*receive)(oy_pipe *pipe, oyez_buffer *ret_bytes, bool *ret_more);
    /* @param quota may be NULL; is charged for what others still refer to. */
    void (*received)(oy_pipe *pipe, oy_quota *quota);
    /* The last function of all; also without attach. */
    void (*close)(oy_pipe *pipe);
} oy_pipe_ops;

struct oy_pipe {
    const oy_pipe_ops *ops;
    int fd;                      /* of the socket; -1: there is none */
};

static inline void oy_pipe_close(oy_pipe *pipe)
{
    pipe->ops->close(pipe);
}

/* @param fd takes, on success and on failure. */
oyez_err oy_pipe_socket_new(int fd, oy_pipe **ret_pipe);

/* What one end of a pair in memory holds for the other at most, before the other has taken it. */
#define OY_PIPE_MEMORY_BYTES (256u * 1024u)
#define OY_PIPE_MEMORY_PIECES 64u

/* Two ends: what one sends the other receives, by reference. Each may be on any loop, and be gone first: the other then
 * receives what is left, and the end. What it sends is dropped. */
oyez_err oy_pipe_memory_new(oy_pipe **ret_one, oy_pipe **ret_other);

/* --- connectors: where the connections of a channel come from that no socket carries ----------------------------------- */

typedef struct oy_connector oy_connector;

typedef struct oy_connector_ops {
    /* A fresh connection: its end for the client. Any thread. @param ret_words gets what was wrong, static. */
    oyez_err (*connect)(oy_connector *connector, oy_pipe **ret_pipe, const char **ret_words);
    void (*free)(oy_connector *connector);
} oy_connector_ops;

struct oy_connector {
    const oy_connector_ops *ops;
    oy_refcount refs;
};

static inline oy_connector *oy_connector_ref(oy_connector *connector)
{
    oy_ref(&connector->refs);
    return connector;
}

/* NULL is allowed. */
static inline void oy_connector_unref(oy_connector *connector)
{
    if (connector && oy_unref(&connector->refs))
        connector->ops->free(connector);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A pipe that is a socket: read into blocks of the loop's pool, written by vectored writes. */
#include "transport/pipe.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "transport/conn.h"

/* A block with less room than this is not read into again. */
#define READ_ROOM_MIN 8192u

typedef struct socket_pipe {
    oy_pipe base;
    oy_loop *loop;
    oy_watch *watch;             /* NULL: not attached */
    oyez_block *block;           /* kept between reads only while payloads pin its first part */
    size_t used;
} socket_pipe;

static socket_pipe *self_of(oy_pipe *pipe)
{
    return oy_container_of(pipe, socket_pipe, base);
}

static oyez_err attach(oy_pipe *pipe, oy_loop *loop, oy_watch_fn *on_ready, void *user)
{
    socket_pipe *self = self_of(pipe);
    self->loop = loop;
    return oy_watch_new(loop, pipe->fd, on_ready, user, &self->watch);
}

static void want(oy_pipe *pipe, int events)
{
    oy_watch_set(self_of(pipe)->watch, events);
}

static int connect_result(oy_pipe *pipe)
{
    return oy_socket_connect_result(pipe->fd);
}

static ssize_t send_out(oy_pipe *pipe, oy_outq *out)
{
    struct iovec vectors[OY_WRITE_VECTORS];
    const size_t count = oy_outq_peek(out, vectors, OY_WRITE_VECTORS);
    ssize_t sent;
    do
        sent = oy_socket_send(pipe->fd, vectors, count);
    while (sent < 0 && errno == EINTR);
    if (sent > 0)
        oy_outq_consume(out, (size_t)sent);
    return sent;
}

static bool ensure_room(socket_pipe *self)
{
    if (self->block && oyez_block_capacity(self->block) - self->used >= READ_ROOM_MIN)
        return true;
    self->block = oyez_block_unref(self->block);
    self->used = 0;
    if (!oy_block_pool_get(oy_loop_blocks(self->loop), &self->block))
        return true;
    self->block = NULL;
    return false;
}

static ssize_t receive(oy_pipe *pipe, oyez_buffer *ret_bytes, bool *ret_more)
{
    socket_pipe *self = self_of(pipe);
    if (!ensure_room(self)) {
        errno = ENOMEM;
        return -1;
    }
    uint8_t *start = (uint8_t *)oyez_block_data(self->block) + self->used;
    const size_t room = oyez_block_capacity(self->block) - self->used;
    const ssize_t got = oy_socket_recv(pipe->fd, start, room);
    if (got > 0) {
        *ret_bytes = (oyez_buffer){ start, (size_t)got, self->block };
        *ret_more = (size_t)got == room;
        self->used += (size_t)got;
    }
    return got;
}

/* A block that nobody refers to goes home, a pinned one is read on behind. */
static void received(oy_pipe *pipe, oy_quota *quota)
{
    socket_pipe *self = self_of(pipe);
    if (!self->block)
        return;
    if (oy_block_is_sole(self->block))
        self->block = oyez_block_unref(self->block);
    else if (quota)
        oy_block_charge(self->block, quota);
}

static void close_socket(oy_pipe *pipe)
{
    socket_pipe *self = self_of(pipe);
    if (self->watch)
        oy_watch_free(self->watch, true);
    else
        oy_socket_close(pipe->fd);
    oyez_block_unref(self->block);
    oy_free(self);
}

oyez_err oy_pipe_socket_new(int fd, oy_pipe **ret_pipe)
{
    static const oy_pipe_ops ops = {
        .attach = attach,
        .want = want,
        .connect_result = connect_result,
        .send = send_out,
        .receive = receive,
        .received = received,
        .close = close_socket,
    };
    socket_pipe *self = oy_alloc_zero(sizeof(*self));
    if (!self) {
        oy_socket_close(fd);
        return OYEZ_ENOMEM;
    }
    self->base = (oy_pipe){ .ops = &ops, .fd = fd };
    *ret_pipe = &self->base;
    return OYEZ_NO_ERR;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A pipe that is memory: two connections of one process, on one loop or on two, without a socket.
 *
 * Sending moves references to the blocks of the output queue into the other end's inbox, under the pair's lock, and
 * wakes its loop by one task; receiving hands them to the engine as they are. The inbox has a bound, so that a slow
 * reader stops its writer as a full socket would. An end never runs inside a function of the other.
 *
 * Readiness has levels, as with a socket: `on_ready` comes again, with the next pass, until what was announced has been
 * used up. Whoever makes something ready that is wanted, submits the end's task; `scheduled` says that it is on its way.
 * WHY under the lock: an end closes under it, on its own loop, and a loop that has a task does not end. So none is ever
 * submitted to a loop that is gone.
 *
 * The pair lives until both ends are closed and their tasks have run. In a child of the process nothing moves any more,
 * and the lock may be held by a thread that is not there: closing is all that remains. */
#include "transport/pipe.h"

#include <errno.h>
#include <pthread.h>

#include "base/alloc.h"
#include "base/assert.h"

typedef struct memory_pair memory_pair;

typedef struct memory_end {
    oy_pipe base;
    memory_pair *pair;
    struct memory_end *other;
    /* the end's own loop */
    oy_loop *loop;               /* NULL: not attached; changed under the lock */
    oy_watch_fn *on_ready;
    void *user;
    oyez_buffer taken[OY_PIPE_MEMORY_PIECES]; /* out of the inbox: to be received; the first may have been */
    unsigned taken_at, taken_count;
    oy_task task;
    /* under the lock */
    oyez_buffer inbox[OY_PIPE_MEMORY_PIECES];
    unsigned inbox_count;
    size_t inbox_bytes;
    int wanted;                  /* written by the end's own loop only */
    bool scheduled, closed;
} memory_end;

struct memory_pair {
    pthread_mutex_t lock;
    unsigned refs;               /* under the lock: ends that are open, and tasks on their way */
    memory_end ends[2];
};

static memory_end *self_of(oy_pipe *pipe)
{
    return oy_container_of(pipe, memory_end, base);
}

/* --- readiness; all of it under the lock ------------------------------------------------------------------------------ */

static bool is_full(const memory_end *end)
{
    return end->inbox_count == OY_PIPE_MEMORY_PIECES || end->inbox_bytes >= OY_PIPE_MEMORY_BYTES;
}

/* What is possible of what is wanted. `taken` matters to the end's own loop alone: others never make an end ready that has
 * some, for its own loop has seen to it. */
static int ready_of_others(const memory_end *end)
{
    const memory_end *other = end->other;
    int ready = 0;
    if (end->inbox_count > 0 || other->closed)
        ready |= OY_READABLE;
    if (other->closed || !is_full(other))
        ready |= OY_WRITABLE;
    return ready & end->wanted;
}

static int ready_of(const memory_end *end)
{
    const bool has_taken = end->taken_at < end->taken_count;
    return ready_of_others(end) | (has_taken ? OY_READABLE & end->wanted : 0);
}

static void schedule(memory_end *end)
{
    end->scheduled = true;
    end->pair->refs++;
    oy_loop_submit(end->loop, &end->task);
}

/* From the other end. */
static void wake(memory_end *end)
{
    if (end->loop && !end->closed && !end->scheduled && ready_of_others(end))
        schedule(end);
}

/* From its own loop. */
static void look_again(memory_end *end)
{
    if (!end->closed && !end->scheduled && ready_of(end))
        schedule(end);
}

/* --- life --------------------------------------------------------------------------------------------------------------- */

static bool in_child(const memory_end *end)
{
    return end->loop && oy_runtime_check(oy_loop_runtime(end->loop)) != OYEZ_NO_ERR;
}

/* A reference goes, and the lock is left. */
static void unlock_and_drop(memory_pair *pair)
{
    const bool last = --pair->refs == 0;
    pthread_mutex_unlock(&pair->lock);
    if (!last)
        return;
    pthread_mutex_destroy(&pair->lock);
    oy_free(pair);
}

static void run(oy_task *task)
{
    memory_end *end = oy_container_of(task, memory_end, task);
    memory_pair *pair = end->pair;
    pthread_mutex_lock(&pair->lock);
    end->scheduled = false;
    const int ready = end->closed ? 0 : ready_of(end);
    if (ready) {
        pthread_mutex_unlock(&pair->lock);
        end->on_ready(end->user, ready); /* may close the end */
        pthread_mutex_lock(&pair->lock);
        look_again(end);
    }
    unlock_and_drop(pair);
}

static oyez_err attach(oy_pipe *pipe, oy_loop *loop, oy_watch_fn *on_ready, void *user)
{
    memory_end *end = self_of(pipe);
    end->on_ready = on_ready;
    end->user = user;
    pthread_mutex_lock(&end->pair->lock);
    end->loop = loop;
    pthread_mutex_unlock(&end->pair->lock);
    return OYEZ_NO_ERR;
}

static void want(oy_pipe *pipe, int events)
{
    memory_end *end = self_of(pipe);
    if (events == end->wanted)
        return;
    pthread_mutex_lock(&end->pair->lock);
    end->wanted = events;
    look_again(end);
    pthread_mutex_unlock(&end->pair->lock);
}

static int connect_result(oy_pipe *pipe)
{
    (void)pipe;
    return 0;
}

static void drop_all(oyez_buffer *pieces, unsigned from, unsigned to)
{
    for (; from < to; from++)
        oyez_buffer_fini(&pieces[from]);
}

static void close_end(oy_pipe *pipe)
{
    memory_end *end = self_of(pipe);
    memory_pair *pair = end->pair;
    const bool child = in_child(end);
    if (!child)
        pthread_mutex_lock(&pair->lock);
    end->closed = true;
    if (!child) {
        wake(end->other);
        pthread_mutex_unlock(&pair->lock);
    }
    /* Nobody adds to them any more. */
    drop_all(end->taken, end->taken_at, end->taken_count);
    drop_all(end->inbox, 0, end->inbox_count);
    if (!child) {
        pthread_mutex_lock(&pair->lock);
        unlock_and_drop(pair);
    } else if (pair->ends[0].closed && pair->ends[1].closed) {
        oy_free(pair); /* tasks that were on their way do not run in a child */
    }
}

/* --- bytes --------------------------------------------------------------------------------------------------------------- */

/* A piece that follows the last one in memory makes it longer. */
static void put(memory_end *end, oyez_buffer piece)
{
    oyez_buffer *last = end->inbox_count > 0 ? &end->inbox[end->inbox_count - 1] : NULL;
    end->inbox_bytes += piece.len;
    if (last && last->block == piece.block && last->data + last->len == piece.data) {
        last->len += piece.len;
        oyez_buffer_fini(&piece);
    } else {
        end->inbox[end->inbox_count++] = piece;
    }
}

static ssize_t send_out(oy_pipe *pipe, oy_outq *out)
{
    memory_end *end = self_of(pipe), *other = end->other;
    const size_t before = out->len;
    pthread_mutex_lock(&end->pair->lock);
    const bool closed = other->closed;
    if (!closed) {
        while (out->len > 0 && !is_full(other))
            put(other, oy_outq_take(out, OY_PIPE_MEMORY_BYTES - other->inbox_bytes));
        wake(other);
    }
    pthread_mutex_unlock(&end->pair->lock);
    if (closed)
        oy_outq_consume(out, out->len);
    if (out->len < before)
        return (ssize_t)(before - out->len);
    errno = EAGAIN;
    return -1;
}

/* Takes over all that is in the inbox. False: nothing was. */
static bool refill(memory_end *end, bool *ret_ended)
{
    pthread_mutex_lock(&end->pair->lock);
    const unsigned count = end->inbox_count;
    *ret_ended = end->other->closed;
    for (unsigned i = 0; i < count; i++)
        end->taken[i] = end->inbox[i];
    end->taken_at = 0;
    end->taken_count = count;
    end->inbox_count = 0;
    end->inbox_bytes = 0;
    if (count > 0)
        wake(end->other); /* it may have waited for room */
    pthread_mutex_unlock(&end->pair->lock);
    return count > 0;
}

static ssize_t receive(oy_pipe *pipe, oyez_buffer *ret_bytes, bool *ret_more)
{
    memory_end *end = self_of(pipe);
    bool ended;
    if (end->taken_at == end->taken_count && !refill(end, &ended)) {
        errno = EAGAIN;
        return ended ? 0 : -1;
    }
    *ret_bytes = end->taken[end->taken_at];
    *ret_more = true;
    return (ssize_t)ret_bytes->len;
}

static void received(oy_pipe *pipe, oy_quota *quota)
{
    memory_end *end = self_of(pipe);
    (void)quota; /* what is kept of the bytes is charged where it is kept */
    if (end->taken_at < end->taken_count)
        oyez_buffer_fini(&end->taken[end->taken_at++]);
}

/* --- making ------------------------------------------------------------------------------------------------------------- */

oyez_err oy_pipe_memory_new(oy_pipe **ret_one, oy_pipe **ret_other)
{
    static const oy_pipe_ops ops = {
        .attach = attach,
        .want = want,
        .connect_result = connect_result,
        .send = send_out,
        .receive = receive,
        .received = received,
        .close = close_end,
    };
    memory_pair *pair = oy_alloc_zero(sizeof(*pair));
    if (!pair)
        return OYEZ_ENOMEM;
    pthread_mutex_init(&pair->lock, NULL);
    pair->refs = 2;
    for (unsigned i = 0; i < 2; i++) {
        memory_end *end = &pair->ends[i];
        end->base = (oy_pipe){ .ops = &ops, .fd = -1 };
        end->pair = pair;
        end->other = &pair->ends[1 - i];
        end->task.run = run;
    }
    *ret_one = &pair->ends[0].base;
    *ret_other = &pair->ends[1].base;
    return OYEZ_NO_ERR;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A connection and its pipe: what it reads goes to the engine, what is queued leaves once a pass; and its end. */
#include "transport/conn.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/log.h"

static void end_of_pass(oy_hook *hook);
static void on_ready(void *user, int events);

oyez_err oy_conn_init(oy_conn *conn, const oy_conn_ops *ops, oy_loop *loop, oy_pipe *pipe, bool connecting,
                      const oy_address *peer, oyez_pool *pool, oy_quota *quota, const oyez_log *log)
{
    conn->ops = ops;
    conn->loop = loop;
    conn->pipe = pipe;
    conn->connecting = connecting;
    conn->quota = quota;
    conn->log = log;
    conn->hook.run = end_of_pass;
    oy_list_init(&conn->streams);
    oy_list_init(&conn->sending);
    oy_address_format(peer, conn->peer);
    oy_outq_init(&conn->out, oy_loop_blocks(loop));
    oyez_err err = pipe->ops->attach(pipe, loop, on_ready, conn);
    if (err) {
        oy_pipe_close(pipe);
        return err;
    }
    conn->pool = oyez_pool_ref(pool);
    pipe->ops->want(pipe, connecting ? OY_WRITABLE : OY_READABLE);
    return OYEZ_NO_ERR;
}

oyez_err oy_conn_start(oy_conn *conn, const oy_h2_config *config, const oy_h2_events *events)
{
    oyez_err err = oy_h2_new(config, events, conn, &conn->out, &conn->h2);
    conn->header_list_bytes = config->header_list_bytes;
    if (!err)
        oy_conn_touch(conn);
    return err;
}

/* --- the end ------------------------------------------------------------------------------------------------ */

static void free_when_idle(oy_conn *conn)
{
    if (!conn->closing || conn->busy > 0 || conn->freed)
        return;
    conn->freed = true;
    oy_loop_drop_hook(&conn->hook);
    oy_life_stop(conn);
    oy_pipe_close(conn->pipe);
    oy_h2_free(conn->h2);
    oy_outq_fini(&conn->out);
    oy_header_cache_fini(&conn->headers);
    oyez_pool_unref(conn->pool);
    conn->ops->on_freed(conn);
}

void oy_conn_release(oy_conn *conn)
{
    conn->busy--;
    free_when_idle(conn);
}

void oy_conn_close(oy_conn *conn)
{
    conn->broken = true;
    conn->told = true;
    conn->closing = true;
    /* What is queued (a GOAWAY, the last trailers) gets one try; but a child of the process sends nothing. */
    if (conn->out.len > 0 && !conn->connecting && !conn->want_write &&
        !oy_runtime_check(oy_loop_runtime(conn->loop)))
        (void)conn->pipe->ops->send(conn->pipe, &conn->out);
    free_when_idle(conn);
}

void oy_conn_break(oy_conn *conn, const char *format, ...)
{
    if (conn->broken)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(conn->words, sizeof(conn->words), format, args);
    va_end(args);
    conn->broken = true;
    oy_loop_at_end_of_pass(conn->loop, &conn->hook);
}

/* --- writing ------------------------------------------------------------------------------------------------- */

/* A busy queue may never be empty, and yet the peer reads: what counts is that all of it has been replaced. */
static void wrote(oy_conn *conn, size_t bytes)
{
    conn->pass_bytes += bytes;
    if (bytes < conn->flush_mark) {
        conn->flush_mark -= bytes;
    } else {
        oy_h2_flushed(conn->h2);
        conn->flush_mark = conn->out.len;
    }
}

static bool is_paused(const oy_conn *conn)
{
    return conn->want_write && conn->out.len >= OY_OUTPUT_PAUSE_BYTES && oy_conn_is_server(conn);
}

static void set_watch(oy_conn *conn)
{
    conn->pipe->ops->want(conn->pipe, (is_paused(conn) ? 0 : OY_READABLE) | (conn->want_write ? OY_WRITABLE : 0));
}

/* Writes what is queued. False: the pipe takes no more now, or is broken. */
static bool write_out(oy_conn *conn)
{
    while (conn->out.len > 0) {
        const ssize_t sent = conn->pipe->ops->send(conn->pipe, &conn->out);
        if (sent >= 0) {
            wrote(conn, (size_t)sent);
            continue;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            conn->want_write = true;
            set_watch(conn);
            return false;
        }
        oy_conn_break(conn, "%s: the connection broke while writing: %s", conn->peer, strerror(errno));
        return false;
    }
    return true;
}

/* The pump calls back, and what is called may touch the connection again: one flush at a time. */
void oy_conn_flush(oy_conn *conn)
{
    if (conn->broken || conn->connecting || conn->want_write || conn->flushing)
        return;
    conn->flushing = true;
    do {
        oy_writer_pump(conn);
        if (conn->pass_bytes >= OY_WRITE_BYTES_PER_PASS && conn->out.len > 0) {
            conn->want_write = true; /* it goes on when the others have had their turn */
            set_watch(conn);
            break;
        }
    } while (conn->out.len > 0 && write_out(conn) && !oy_list_empty(&conn->sending) && !conn->broken &&
             oy_h2_send_quota(conn->h2, NULL) > 0);
    conn->flushing = false;
}

void oy_conn_touch(oy_conn *conn)
{
    if (conn->broken)
        return;
    if (conn->parsing && conn->out.len >= OY_EARLY_FLUSH_MIN_BYTES && conn->out.len >= conn->last_batch / 2)
        oy_conn_flush(conn);
    oy_loop_at_end_of_pass(conn->loop, &conn->hook);
}

void oy_conn_touch_reply(oy_conn *conn)
{
    if (conn->out.len >= OY_REPLY_FLUSH_BYTES)
        oy_conn_flush(conn);
    oy_conn_touch(conn);
}

/* The engine has failed: its GOAWAY leaves, then the connection ends. */
static void engine_failed(oy_conn *conn)
{
    oy_h2_failure failure = oy_h2_get_failure(conn->h2);
    if (!conn->broken)
        (void)write_out(conn);
    oy_conn_break(conn, "%s: %s (%s)", conn->peer, failure.words ? failure.words : "out of memory",
                  oy_h2_code_name(failure.code));
}

/* Out of memory while a frame was written: nothing leaves any more, and the peer may be waiting for us. */
static bool has_failed_unnoticed(const oy_conn *conn)
{
    return !conn->broken && !conn->connecting && conn->h2 && oy_h2_get_failure(conn->h2).words;
}

static void end_of_pass(oy_hook *hook)
{
    oy_conn *conn = oy_container_of(hook, oy_conn, hook);
    oy_conn_hold(conn);
    oy_conn_flush(conn);
    if (oy_unlikely(has_failed_unnoticed(conn)))
        engine_failed(conn);
    if (!conn->connecting && !conn->closing)
        set_watch(conn);
    if (conn->pass_bytes) {
        conn->last_batch = conn->pass_bytes;
        conn->pass_bytes = 0;
    }
    oy_outq_trim(&conn->out);
    if (conn->close_when_flushed && conn->out.len == 0)
        oy_conn_break(conn, "%s: the connection was closed", conn->peer);
    if (conn->broken && !conn->told) {
        conn->told = true;
        conn->ops->on_broken(conn, conn->words);
    }
    oy_conn_release(conn);
}

/* --- reading -------------------------------------------------------------------------------------------------- */

/* Reads once. False: nothing more to read now. */
static bool read_once(oy_conn *conn, size_t *bytes_left)
{
    oy_pipe *pipe = conn->pipe;
    oyez_buffer bytes;
    bool more;
    const ssize_t got = pipe->ops->receive(pipe, &bytes, &more);
    if (got <= 0) {
        const int error = errno;
        pipe->ops->received(pipe, conn->quota);
        if (got == 0)
            oy_conn_break(conn, "%s: the peer closed the connection", conn->peer);
        else if (error == ENOMEM)
            oy_conn_break(conn, "%s: out of memory while reading", conn->peer);
        else if (error != EAGAIN && error != EWOULDBLOCK && error != EINTR)
            oy_conn_break(conn, "%s: the connection broke: %s", conn->peer, strerror(error));
        return false;
    }
    conn->life.last_read = oy_loop_now(conn->loop);
    conn->parsing = true;
    oyez_err err = oy_h2_recv(conn->h2, &bytes);
    conn->parsing = false;
    pipe->ops->received(pipe, conn->quota);
    if (err)
        engine_failed(conn);
    else if (oy_unlikely(oy_bdp_wants_ping(&conn->life.bdp, conn->life.data_bytes)) && !conn->broken)
        oy_life_probe(conn);
    *bytes_left = (size_t)got < *bytes_left ? *bytes_left - (size_t)got : 0;
    return more;
}

static void read_some(oy_conn *conn)
{
    size_t left = OY_READ_BYTES_PER_PASS;
    while (left > 0 && !conn->broken && !is_paused(conn) && read_once(conn, &left))
        continue;
}

static void connected(oy_conn *conn)
{
    if (conn->pipe->ops->connect_result(conn->pipe) != 0) {
        oy_conn_break(conn, "cannot connect to %s: %s", conn->peer, strerror(errno));
        return;
    }
    conn->connecting = false;
    conn->pipe->ops->want(conn->pipe, OY_READABLE);
    conn->ops->on_connected(conn);
}

static void on_ready(void *user, int events)
{
    oy_conn *conn = user;
    oy_conn_hold(conn);
    if (conn->connecting) {
        connected(conn);
    } else {
        if (events & OY_WRITABLE && conn->want_write && !conn->broken) {
            conn->want_write = false;
            set_watch(conn);
            oy_conn_flush(conn);
        }
        if (events & OY_READABLE)
            read_some(conn);
        /* What callbacks have not announced (acks, credit) leaves, too. */
        if (!conn->closing && (conn->out.len > 0 || !oy_list_empty(&conn->sending)))
            oy_loop_at_end_of_pass(conn->loop, &conn->hook);
    }
    oy_conn_release(conn);
}

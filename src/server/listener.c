/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets: made on any thread, watched on one loop; what they accept goes to the loops in turn. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/server_impl.h"

#define BACKLOG 1024
#define ACCEPTS_PER_PASS 64u
#define RETRY_FIRST (5 * OYEZ_MILLISECOND)
#define RETRY_MAX (1 * OYEZ_SECOND)

/* --- on the loop ----------------------------------------------------------------------------------------------------- */

/* Out of descriptors, say: not to spin, the listener rests (gRPC-Go: 5 ms, doubled up to 1 s). */
static void rest(oy_listener *listener)
{
    oy_loop *loop = listener->shard->loop;
    oyez_duration delay = listener->retry_delay ? listener->retry_delay * 2 : RETRY_FIRST;
    listener->retry_delay = delay < RETRY_MAX ? delay : RETRY_MAX;
    oy_log(&listener->server->options.log, OYEZ_LOG_WARNING, "cannot accept a connection: %s; trying again in %d ms",
           strerror(errno), (int)(listener->retry_delay / OYEZ_MILLISECOND));
    oyez_err err = oy_timer_set(loop, &listener->retry, oy_time_add(oy_loop_now(loop), listener->retry_delay));
    if (!err && listener->watch)
        oy_watch_set(listener->watch, 0);
    if (!err || listener->watch)
        return;
    oy_log(&listener->server->options.log, OYEZ_LOG_ERROR, "out of memory: the server no longer listens on descriptor %d",
           listener->fd);
    oy_listener_close(listener);
}

static void on_ready(void *user, int events);

/* The address is taken already, and the kernel lets clients in: without memory for the watch it is tried again, too. */
static void watch_or_rest(oy_listener *listener)
{
    if (!listener->watch) {
        oyez_err err = oy_watch_new(listener->shard->loop, listener->fd, on_ready, listener, &listener->watch);
        if (err) {
            errno = err == OYEZ_ENOMEM ? ENOMEM : EIO;
            rest(listener);
            return;
        }
    }
    oy_watch_set(listener->watch, OY_READABLE);
}

static void on_retry(oy_timer *timer)
{
    watch_or_rest(oy_container_of(timer, oy_listener, retry));
}

static bool is_of_the_client(int error)
{
    return error == ECONNABORTED || error == EINTR || error == EPROTO;
}

static void on_ready(void *user, int events)
{
    oy_listener *listener = user;
    oyez_server *server = listener->server;
    (void)events;
    for (unsigned i = 0; i < ACCEPTS_PER_PASS; i++) {
        oy_address peer;
        int fd = oy_socket_accept(listener->fd, &peer);
        if (fd >= 0) {
            listener->retry_delay = 0;
            oy_server_take_connection(server, listener->shard, fd, &peer);
            continue;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        if (is_of_the_client(errno))
            continue;
        rest(listener);
        return;
    }
}

static void open_on_loop(oy_task *task)
{
    oy_listener *listener = oy_container_of(task, oy_listener, open_task);
    oyez_server *server = listener->server;
    if (oy_server_get_state(server) != OY_SERVER_RUNNING) {
        oy_listener_free(listener);
        oy_server_live_drop(server);
        return;
    }
    oy_list_push_back(&listener->shard->listeners, &listener->node);
    watch_or_rest(listener);
}

void oy_listener_launch(oy_listener *listener)
{
    oyez_server *server = listener->server;
    unsigned index = atomic_fetch_add(&server->next_shard, 1) % server->shard_count;
    listener->shard = &server->shards[index];
    listener->open_task.run = open_on_loop;
    oy_server_live_add(server);
    oy_loop_submit(listener->shard->loop, &listener->open_task);
}

void oy_listener_close(oy_listener *listener)
{
    oyez_server *server = listener->server;
    oy_list_remove(&listener->node);
    oy_timer_unset(listener->shard->loop, &listener->retry);
    if (listener->watch) {
        oy_watch_free(listener->watch, true);
        listener->fd = -1;
    }
    oy_listener_free(listener);
    oy_server_live_drop(server);
}

void oy_listener_free(oy_listener *listener)
{
    if (listener->fd >= 0)
        oy_socket_close(listener->fd);
    /* The file of a socket that a child of the process lets go is still the parent's. */
    if (listener->unlink_path && !oy_runtime_check(listener->server->runtime))
        (void)unlink(listener->unlink_path);
    oy_free(listener->unlink_path);
    oy_free(listener);
}

/* --- public --------------------------------------------------------------------------------------------------------- */

/* "unix:/x", "unix:///x" and "unix:x" name a path. */
static oyez_str unix_path(oyez_str text)
{
    oyez_str rest = { text.data + 5, text.len - 5 };
    if (oy_str_starts(rest, OYEZ_STR("//")))
        rest = (oyez_str){ rest.data + 2, rest.len - 2 };
    return rest;
}

static oyez_err parse_listen_address(oyez_server *server, const char *text, oy_address *ret_address)
{
    oyez_str address = oy_str(text);
    char with_host[64];
    oyez_err err;
    if (oy_str_starts(address, OYEZ_STR("unix-abstract:"))) {
        err = oy_address_unix((oyez_str){ text + 14, address.len - 14 }, true, ret_address);
    } else if (oy_str_starts(address, OYEZ_STR("unix:"))) {
        err = oy_address_unix(unix_path(address), false, ret_address);
    } else {
        const char *host = NULL;
        size_t cut = 0;
        if (text[0] == ':' && strchr(text + 1, ':') == NULL)
            host = "[::]";
        else if (oy_str_starts(address, OYEZ_STR("localhost:"))) {
            host = "127.0.0.1";
            cut = 9;
        }
        if (host) {
            snprintf(with_host, sizeof(with_host), "%s%s", host, text + cut);
            address = oy_str(with_host);
        }
        err = oy_address_parse(address, ret_address);
    }
    if (err == OYEZ_ENAMETOOLONG)
        return oy_server_fail(server, err, "%s: the path of a unix socket may have 107 bytes at most", text);
    if (err)
        return oy_server_fail(server, err,
                              "%s: not an address to listen on; expected \"1.2.3.4:port\", \"[::1]:port\", "
                              "\":port\", \"localhost:port\", \"unix:path\" or \"unix-abstract:name\"",
                              text);
    return OYEZ_NO_ERR;
}

static oyez_err add(oyez_server *server, int fd, char *unlink_path)
{
    oy_listener *listener = oy_alloc_zero(sizeof(*listener));
    if (!listener) {
        oy_socket_close(fd);
        oy_free(unlink_path);
        return OYEZ_ENOMEM;
    }
    listener->server = server;
    listener->fd = fd;
    listener->unlink_path = unlink_path;
    listener->retry.fire = on_retry;
    pthread_mutex_lock(&server->lock);
    oy_server_state state = oy_server_get_state(server);
    if (state == OY_SERVER_NEW)
        oy_list_push_back(&server->pending, &listener->node);
    pthread_mutex_unlock(&server->lock);
    if (state == OY_SERVER_RUNNING)
        oy_listener_launch(listener);
    if (state > OY_SERVER_RUNNING) {
        oy_listener_free(listener);
        return oy_server_fail(server, OYEZ_ESTOPPED, "the server has been stopped");
    }
    return OYEZ_NO_ERR;
}

static uint16_t port_of(const oy_address *address)
{
    char text[OY_ADDRESS_TEXT_MAX];
    uint64_t port = 0;
    if (address->any.sa_family == AF_UNIX)
        return 0;
    oy_address_format(address, text);
    const char *colon = strrchr(text, ':');
    if (!colon || !oy_parse_u64(oy_str(colon + 1), &port))
        return 0;
    return (uint16_t)port;
}

/* What to try when the system refuses an address. */
static const char *listen_hint(const oy_address *address, oyez_err err, int error)
{
    const bool is_unix = address->any.sa_family == AF_UNIX;
    if (err == OYEZ_EADDRINUSE)
        return is_unix ? ": another process listens there, or a file that is not an old socket is in the way"
                       : ": another process listens there; stop it, or choose another port (0: any free one)";
    if (err == OYEZ_EADDRNOTAVAIL)
        return ": use an address of this machine, or 0.0.0.0 for all of them";
    if (is_unix && error == ENOENT)
        return ": the directory of the socket has to be there";
    if (is_unix && err == OYEZ_EACCES)
        return ": this process must be allowed to write in the directory of the socket";
    if (err == OYEZ_EACCES)
        return ": ports below 1024 are for privileged processes";
    return "";
}

oyez_err oyez_server_listen(oyez_server *server, const char *text, oyez_credentials *credentials, uint16_t *ret_port)
{
    oy_address address;
    int fd;
    if (!server)
        return OYEZ_ENULL;
    server->words[0] = '\0';
    if (!text)
        return oy_server_fail(server, OYEZ_ENULL, "expected an address to listen on, got NULL");
    if (!credentials)
        return oy_server_fail(server, OYEZ_ECREDENTIALS, "cannot listen on %s: %s", text, oyez_strerror(OYEZ_ECREDENTIALS));
    oyez_err err = oy_runtime_check(server->runtime);
    if (err)
        return err;
    err = parse_listen_address(server, text, &address);
    if (err)
        return err;
    err = oy_socket_listen(&address, BACKLOG, &fd);
    if (err) {
        const int error = errno;
        return oy_server_fail(server, err, "cannot listen on %s: %s%s", text, strerror(error),
                              listen_hint(&address, err, error));
    }
    char *unlink_path = NULL;
    if (oy_str_starts(oy_str(text), OYEZ_STR("unix:"))) {
        oyez_str path = unix_path(oy_str(text));
        unlink_path = oy_strndup(path.data, path.len);
    }
    oy_address local;
    uint16_t port = 0;
    if (!oy_socket_local_address(fd, &local))
        port = port_of(&local);
    err = add(server, fd, unlink_path);
    if (!err && ret_port)
        *ret_port = port;
    return err;
}

oyez_err oyez_server_listen_fd(oyez_server *server, int fd, oyez_credentials *credentials)
{
    if (server)
        server->words[0] = '\0';
    if (fd < 0)
        return server ? oy_server_fail(server, OYEZ_EINVAL, "expected a descriptor, got %d", fd) : OYEZ_ENULL;
    oyez_err err = server ? oy_runtime_check(server->runtime) : OYEZ_ENULL;
    if (!err && !credentials)
        err = oy_server_fail(server, OYEZ_ECREDENTIALS, "descriptor %d: %s", fd, oyez_strerror(OYEZ_ECREDENTIALS));
    int flags = fcntl(fd, F_GETFL);
    if (!err && (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0))
        err = oy_server_fail(server, OYEZ_ESYS, "descriptor %d: %s", fd, strerror(errno));
    if (err) {
        oy_socket_close(fd);
        return err;
    }
    return add(server, fd, NULL);
}

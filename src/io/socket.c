/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets of our own: non-blocking, closed on exec, without Nagle, and never a signal when the peer
 * is gone. */
#define _GNU_SOURCE
#include "io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Closes and keeps errno. */
static void close_quietly(int fd)
{
    int error = errno;
    (void)close(fd);
    errno = error;
}

static oyez_err last_error(void)
{
    return oy_err_from_errno(errno);
}

static void set_flag(int fd, int level, int name, int value)
{
    /* None of the options that we set can be refused in a way that matters. */
    int error = errno;
    (void)setsockopt(fd, level, name, &value, sizeof(value));
    errno = error;
}

static bool is_tcp(const oy_address *address)
{
    return address->any.sa_family == AF_INET || address->any.sa_family == AF_INET6;
}

static int open_socket(const oy_address *address)
{
    int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && is_tcp(address))
        set_flag(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    return fd;
}

oyez_err oy_socket_connect(const oy_address *address, int *ret_fd, bool *ret_done)
{
    int fd = open_socket(address);
    int code;
    if (fd < 0)
        return last_error();
    do
        code = connect(fd, &address->any, address->len);
    while (code != 0 && errno == EINTR);
    /* A unix socket never says EINPROGRESS; its EAGAIN means that the listener's queue is full. */
    if (code != 0 && errno != EINPROGRESS && errno != EISCONN && errno != EALREADY) {
        close_quietly(fd);
        return last_error();
    }
    *ret_fd = fd;
    *ret_done = code == 0 || errno == EISCONN;
    return 0;
}

int oy_socket_connect_result(int fd)
{
    int error = 0;
    socklen_t len = sizeof(error);
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0)
        return -1;
    if (error != 0) {
        errno = error;
        return -1;
    }
    return 0;
}

/* True when the path is a socket on which nobody listens; the file is removed. Whoever is too busy
 * to take the connection still listens. */
static bool remove_stale(const oy_address *address)
{
    struct sockaddr_un un = {0};
    struct stat info;
    bool stale;
    int probe;
    memcpy(&un, &address->storage, address->len < sizeof(un) ? address->len : sizeof(un));
    if (un.sun_path[0] == '\0' || lstat(un.sun_path, &info) != 0 || !S_ISSOCK(info.st_mode))
        return false;
    probe = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (probe < 0)
        return false;
    stale = connect(probe, &address->any, address->len) != 0 && errno == ECONNREFUSED;
    (void)close(probe);
    return stale && unlink(un.sun_path) == 0;
}

static int bind_address(int fd, const oy_address *address)
{
    if (bind(fd, &address->any, address->len) == 0)
        return 0;
    if (errno != EADDRINUSE || address->any.sa_family != AF_UNIX)
        return -1;
    if (!remove_stale(address)) {
        errno = EADDRINUSE;
        return -1;
    }
    return bind(fd, &address->any, address->len);
}

/* "[::]" on a machine without IPv6 is "0.0.0.0". */
static bool any_v4(const oy_address *address, oy_address *ret_v4)
{
    struct sockaddr_in6 in6;
    struct sockaddr_in in = {.sin_family = AF_INET};
    if (address->any.sa_family != AF_INET6)
        return false;
    memcpy(&in6, &address->storage, sizeof(in6));
    if (!IN6_IS_ADDR_UNSPECIFIED(&in6.sin6_addr))
        return false;
    in.sin_port = in6.sin6_port;
    memset(ret_v4, 0, sizeof(*ret_v4));
    memcpy(&ret_v4->storage, &in, sizeof(in));
    ret_v4->len = sizeof(in);
    return true;
}

oyez_err oy_socket_listen(const oy_address *address, int backlog, int *ret_fd)
{
    oy_address v4;
    int fd = open_socket(address);
    if (fd < 0 && errno == EAFNOSUPPORT && any_v4(address, &v4)) {
        address = &v4;
        fd = open_socket(address);
    }
    if (fd < 0)
        return last_error();
    if (is_tcp(address))
        set_flag(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (address->any.sa_family == AF_INET6)
        set_flag(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0); /* "[::]" takes IPv4, too */
    if (bind_address(fd, address) != 0 || listen(fd, backlog) != 0) {
        close_quietly(fd);
        return last_error();
    }
    *ret_fd = fd;
    return 0;
}

oyez_err oy_socket_adopt_listener(int fd)
{
    int listening = 0, type = 0, flags;
    socklen_t listening_len = sizeof(listening), type_len = sizeof(type);
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &listening_len) != 0 ||
        getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_len) != 0 || !listening ||
        type != SOCK_STREAM)
        return OYEZ_EINVAL;
    flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
        return last_error();
    return 0;
}

/* An IPv4 peer of an IPv6 socket is shown, and compared, as what it is. */
static void unmap(oy_address *address)
{
    struct sockaddr_in6 in6;
    struct sockaddr_in in = {.sin_family = AF_INET};
    if (address->any.sa_family != AF_INET6)
        return;
    memcpy(&in6, &address->storage, sizeof(in6));
    if (!IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr))
        return;
    in.sin_port = in6.sin6_port;
    memcpy(&in.sin_addr, &in6.sin6_addr.s6_addr[12], sizeof(in.sin_addr));
    memset(address, 0, sizeof(*address));
    memcpy(&address->storage, &in, sizeof(in));
    address->len = sizeof(in);
}

int oy_socket_accept(int listen_fd, oy_address *ret_peer)
{
    oy_address peer;
    int fd;
    do {
        memset(&peer, 0, sizeof(peer));
        peer.len = sizeof(peer.storage);
        fd = accept4(listen_fd, &peer.any, &peer.len, SOCK_NONBLOCK | SOCK_CLOEXEC);
    } while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (fd < 0)
        return -1;
    if (is_tcp(&peer))
        set_flag(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    unmap(&peer);
    *ret_peer = peer;
    return fd;
}

oyez_err oy_socket_local_address(int fd, oy_address *ret_address)
{
    oy_address address;
    memset(&address, 0, sizeof(address));
    address.len = sizeof(address.storage);
    if (getsockname(fd, &address.any, &address.len) != 0)
        return last_error();
    *ret_address = address;
    return 0;
}

void oy_socket_set_user_timeout(int fd, oyez_duration timeout)
{
    int64_t ms = timeout / OYEZ_MILLISECOND + (timeout % OYEZ_MILLISECOND != 0);
    set_flag(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, ms < INT_MAX ? (int)ms : INT_MAX);
}

oyez_err oy_socket_peer_process(int fd, oy_peer_process *ret_peer)
{
    struct ucred peer = {0};
    socklen_t len = sizeof(peer);
    int family = 0;
    socklen_t family_len = sizeof(family);
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &family_len) != 0)
        return last_error();
    if (family != AF_UNIX)
        return OYEZ_EUNSUPPORTED;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
        return last_error();
    *ret_peer = (oy_peer_process){peer.pid, peer.uid, peer.gid};
    return 0;
}

ssize_t oy_socket_recv(int fd, void *dst, size_t cap)
{
    ssize_t len;
    do
        len = recv(fd, dst, cap, 0);
    while (len < 0 && errno == EINTR);
    return len;
}

ssize_t oy_socket_send(int fd, const struct iovec *vectors, size_t count)
{
    struct msghdr message = {0};
    ssize_t len;
    message.msg_iov = (struct iovec *)(uintptr_t)vectors; /* the kernel only reads it */
    message.msg_iovlen = count;
    do
        len = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (len < 0 && errno == EINTR);
    return len;
}

void oy_socket_close(int fd)
{
    (void)close(fd);
}

oyez_err oy_socket_peer_ids(int fd, uint32_t *ret_pid, uint32_t *ret_uid, uint32_t *ret_gid)
{
    struct ucred ids;
    socklen_t len = sizeof(ids);
    struct sockaddr_storage local;
    socklen_t local_len = sizeof(local);

    if (getsockname(fd, (struct sockaddr *)&local, &local_len) != 0 || local.ss_family != AF_UNIX)
        return OYEZ_ENOENT;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &ids, &len) != 0)
        return OYEZ_ENOENT;
    *ret_pid = (uint32_t)ids.pid;
    *ret_uid = ids.uid;
    *ret_gid = ids.gid;
    return OYEZ_NO_ERR;
}

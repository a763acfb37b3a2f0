/* SPDX-License-Identifier: Apache-2.0 */
/* One thread with poll over all pairs of sockets. */
#define _GNU_SOURCE
#include "relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_PAIRS 64
#define BUFFER_BYTES 65536

typedef struct side {
    int fd;
    char buffer[BUFFER_BYTES]; /* read from this side, not yet written to the other */
    size_t start, end;
    bool eof;
} side;

typedef struct pair {
    side a, b;
} pair;

struct relay {
    int listener, wake[2];
    uint16_t target_port;
    pthread_t thread;
    pair *pairs[MAX_PAIRS];
    _Atomic(int) stopping;
    _Atomic(uint64_t) bytes;
    _Atomic(uint32_t) kill_number; /* 0: none asked for */
};

static void check(int result, const char *what)
{
    if (result >= 0)
        return;
    perror(what);
    exit(1);
}

static int loopback(uint16_t port, bool listening)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(fd, "socket");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    if (listening) {
        check(bind(fd, (struct sockaddr *)&address, sizeof(address)), "bind");
        check(listen(fd, 64), "listen");
    } else if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        close(fd);
        return -1;
    }
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static void reset(int fd)
{
    struct linger now = { 1, 0 };
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    close(fd);
}

static void end_pair(relay *it, int index, bool by_reset)
{
    pair *both = it->pairs[index];
    if (by_reset) {
        reset(both->a.fd);
        reset(both->b.fd);
    } else {
        close(both->a.fd);
        close(both->b.fd);
    }
    free(both);
    it->pairs[index] = NULL;
}

static void take_one(relay *it)
{
    int one = 1, fd = accept4(it->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    for (int i = 0; i < MAX_PAIRS; i++) {
        if (it->pairs[i])
            continue;
        int to = loopback(it->target_port, false);
        if (to < 0)
            break;
        it->pairs[i] = calloc(1, sizeof(pair));
        it->pairs[i]->a.fd = fd;
        it->pairs[i]->b.fd = to;
        return;
    }
    reset(fd);
}

/* Moves what can be moved. False: this direction is at its end. */
static bool move(relay *it, side *from, side *to)
{
    if (from->start == from->end && !from->eof) {
        ssize_t got = recv(from->fd, from->buffer, BUFFER_BYTES, 0);
        if (got == 0)
            from->eof = true;
        else if (got < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        from->start = 0;
        from->end = got > 0 ? (size_t)got : 0;
    }
    if (from->start < from->end) {
        ssize_t sent = send(to->fd, from->buffer + from->start, from->end - from->start, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        if (sent > 0) {
            from->start += (size_t)sent;
            atomic_fetch_add(&it->bytes, (uint64_t)sent);
        }
    }
    return !(from->eof && from->start == from->end);
}

static short wants(const side *mine, const side *other)
{
    return (short)((mine->start == mine->end && !mine->eof ? POLLIN : 0) | (other->start < other->end ? POLLOUT : 0));
}

static void *run(void *user)
{
    relay *it = user;
    while (!atomic_load(&it->stopping)) {
        struct pollfd fds[2 + 2 * MAX_PAIRS] = { { it->listener, POLLIN, 0 }, { it->wake[0], POLLIN, 0 } };
        int owner[2 + 2 * MAX_PAIRS];
        nfds_t count = 2;
        for (int i = 0; i < MAX_PAIRS; i++) {
            if (!it->pairs[i])
                continue;
            owner[count] = i;
            fds[count++] = (struct pollfd){ it->pairs[i]->a.fd, wants(&it->pairs[i]->a, &it->pairs[i]->b), 0 };
            owner[count] = i;
            fds[count++] = (struct pollfd){ it->pairs[i]->b.fd, wants(&it->pairs[i]->b, &it->pairs[i]->a), 0 };
        }
        poll(fds, count, 1000);
        if (fds[1].revents) {
            char drop[16];
            if (read(it->wake[0], drop, sizeof(drop)) < 0)
                continue;
        }
        uint32_t number = atomic_exchange(&it->kill_number, 0);
        if (number && it->pairs[number % MAX_PAIRS])
            end_pair(it, (int)(number % MAX_PAIRS), true);
        for (nfds_t i = 2; i < count; i += 2) {
            pair *both = it->pairs[owner[i]];
            if (!both || !(fds[i].revents | fds[i + 1].revents))
                continue;
            if (!move(it, &both->a, &both->b) || !move(it, &both->b, &both->a))
                end_pair(it, owner[i], false);
        }
        if (fds[0].revents)
            take_one(it);
    }
    for (int i = 0; i < MAX_PAIRS; i++)
        if (it->pairs[i])
            end_pair(it, i, false);
    return NULL;
}

relay *relay_start(uint16_t target_port, uint16_t *ret_port)
{
    relay *it = calloc(1, sizeof(*it));
    struct sockaddr_in address;
    socklen_t len = sizeof(address);
    it->target_port = target_port;
    it->listener = loopback(0, true);
    check(getsockname(it->listener, (struct sockaddr *)&address, &len), "getsockname");
    *ret_port = ntohs(address.sin_port);
    check(pipe2(it->wake, O_CLOEXEC | O_NONBLOCK), "pipe");
    check(-pthread_create(&it->thread, NULL, run, it), "thread");
    return it;
}

static void wake(relay *it)
{
    if (write(it->wake[1], "", 1) < 0 && errno != EAGAIN)
        perror("relay");
}

void relay_kill_one(relay *it, uint32_t number)
{
    atomic_store(&it->kill_number, number ? number : 1);
    wake(it);
}

void relay_stop(relay *it)
{
    atomic_store(&it->stopping, 1);
    wake(it);
    pthread_join(it->thread, NULL);
    close(it->listener);
    close(it->wake[0]);
    close(it->wake[1]);
    free(it);
}

uint64_t relay_bytes(const relay *it)
{
    return atomic_load(&it->bytes);
}

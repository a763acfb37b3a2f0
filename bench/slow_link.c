/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of gRPC-Go's latency simulator, between sockets instead of around them: what is read is cut
 * into packets; each takes its time on the line after the one before it, and leaves the other end by
 * the latency later. While more waits for the line than the latency covers, nothing is read: so the
 * sender feels it. */
#define _GNU_SOURCE
#include "slow_link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "meter.h"

#define SECOND       INT64_C(1000000000)
#define READ_BYTES   65536
#define PINGS        31
#define PACKETS_STEP 256

typedef struct packet {
    int64_t at; /* when it leaves */
    size_t len;
} packet;

/* One way of a connection: a ring of bytes and a ring of packets, whose heads go together. */
typedef struct lane {
    uint8_t *bytes;
    packet *packets;
    size_t byte_cap, byte_head, byte_len;
    size_t packet_cap, packet_head, packet_len;
    size_t due;       /* bytes that may leave */
    int64_t line_end; /* when the line is free again */
    bool eof, closed; /* nothing more comes; and that has been passed on */
} lane;

typedef struct pair {
    int fds[2];
    lane lanes[2]; /* from fds[0] to fds[1], and back */
} pair;

struct slow_link {
    link_shape shape;
    int64_t delay; /* the latency less what the link takes by itself */
    uint16_t target_port;
    int listener, wake[2];
    pthread_t thread;
    _Atomic(bool) stopping;
    pair **pairs;
    struct pollfd *fds;
    size_t count, cap;
    uint8_t scratch[READ_BYTES];
};

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

/* --- rings ------------------------------------------------------------------------------------ */

/* A ring of `cap` items, unrolled into a new one of twice as many; NULL if there is no memory. */
static void *grown(void *ring, size_t item, size_t *cap, size_t *head, size_t len, size_t least)
{
    size_t more = *cap ? *cap : PACKETS_STEP;
    while (more < least)
        more *= 2;
    uint8_t *fresh = malloc(more * item), *old = ring;
    if (!fresh)
        return NULL;
    size_t first = *cap - *head < len ? *cap - *head : len;
    if (len > 0) {
        memcpy(fresh, old + *head * item, first * item);
        memcpy(fresh + first * item, old, (len - first) * item);
    }
    free(ring);
    *cap = more;
    *head = 0;
    return fresh;
}

static bool lane_put_bytes(lane *l, const uint8_t *data, size_t len)
{
    if (l->byte_cap - l->byte_len < len) {
        void *fresh =
            grown(l->bytes, 1, &l->byte_cap, &l->byte_head, l->byte_len, l->byte_len + len);
        if (!fresh)
            return false;
        l->bytes = fresh;
    }
    size_t end = (l->byte_head + l->byte_len) % l->byte_cap;
    size_t first = l->byte_cap - end < len ? l->byte_cap - end : len;
    memcpy(l->bytes + end, data, first);
    memcpy(l->bytes, data + first, len - first);
    l->byte_len += len;
    return true;
}

static bool lane_put_packet(lane *l, packet one)
{
    if (l->packet_len == l->packet_cap) {
        void *fresh = grown(l->packets, sizeof(packet), &l->packet_cap, &l->packet_head,
                            l->packet_len, l->packet_len + 1);
        if (!fresh)
            return false;
        l->packets = fresh;
    }
    l->packets[(l->packet_head + l->packet_len++) % l->packet_cap] = one;
    return true;
}

/* --- the rule --------------------------------------------------------------------------------- */

/* How long it is until the line has room again; 0: it has. */
static int64_t line_wait(const slow_link *it, const lane *l, int64_t now)
{
    int64_t ahead = l->line_end - now - it->delay;
    return it->shape.kbps > 0 && ahead > 0 ? ahead : 0;
}

static bool lane_take(slow_link *it, lane *l, const uint8_t *data, size_t len, int64_t now)
{
    size_t most = it->shape.mtu > 0 ? (size_t)it->shape.mtu : len;
    if (!lane_put_bytes(l, data, len))
        return false;
    while (len > 0) {
        size_t bytes = len < most ? len : most;
        int64_t begin = l->line_end > now ? l->line_end : now;
        if (it->shape.kbps > 0)
            begin += (int64_t)((double)bytes * (double)SECOND / ((double)it->shape.kbps * 128));
        l->line_end = begin;
        if (!lane_put_packet(l, (packet){begin + it->delay, bytes}))
            return false;
        len -= bytes;
    }
    return true;
}

/* Lets go what is due; returns when the next packet is (INT64_MAX: there is none). */
static int64_t lane_release(lane *l, int64_t now)
{
    while (l->packet_len > 0) {
        const packet *head = &l->packets[l->packet_head];
        if (head->at > now)
            return head->at;
        l->due += head->len;
        l->packet_head = (l->packet_head + 1) % l->packet_cap;
        l->packet_len--;
    }
    return INT64_MAX;
}

/* --- sockets ---------------------------------------------------------------------------------- */

static int loopback(uint16_t port, bool listening)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct sockaddr *any = (const struct sockaddr *)&address;
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    if (listening ? bind(fd, any, sizeof(address)) != 0 || listen(fd, 1024) != 0
                  : connect(fd, any, sizeof(address)) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static uint16_t port_of(int fd)
{
    struct sockaddr_in address = {.sin_port = 0};
    socklen_t len = sizeof(address);
    (void)getsockname(fd, (struct sockaddr *)&address, &len);
    return ntohs(address.sin_port);
}

static void pair_free(pair *p)
{
    for (size_t i = 0; i < 2; i++) {
        (void)close(p->fds[i]);
        free(p->lanes[i].bytes);
        free(p->lanes[i].packets);
    }
    free(p);
}

static bool make_room(slow_link *it)
{
    size_t cap = it->cap ? 2 * it->cap : 16;
    if (it->count < it->cap)
        return true;
    pair **pairs = realloc(it->pairs, cap * sizeof(pair *));
    if (pairs)
        it->pairs = pairs;
    struct pollfd *fds = realloc(it->fds, (2 + 2 * cap) * sizeof(*fds));
    if (fds)
        it->fds = fds;
    if (!pairs || !fds)
        return false;
    it->cap = cap;
    return true;
}

static void accept_one(slow_link *it)
{
    int one = 1, fd = accept4(it->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    int to = loopback(it->target_port, false);
    pair *p = to >= 0 && make_room(it) ? calloc(1, sizeof(*p)) : NULL;
    if (!p) {
        (void)close(fd);
        if (to >= 0)
            (void)close(to);
        return;
    }
    (void)fcntl(to, F_SETFL, O_NONBLOCK);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    p->fds[0] = fd;
    p->fds[1] = to;
    it->pairs[it->count++] = p;
}

static bool would_wait(void)
{
    return errno == EAGAIN || errno == EINTR;
}

/* Reads what there is, if the line has room. False: the connection is broken. */
static bool lane_fill(slow_link *it, lane *l, int from, int64_t now)
{
    if (l->eof || line_wait(it, l, now) > 0)
        return true;
    ssize_t got = recv(from, it->scratch, sizeof(it->scratch), 0);
    if (got < 0)
        return would_wait();
    if (got == 0) {
        l->eof = true;
        return true;
    }
    return lane_take(it, l, it->scratch, (size_t)got, now);
}

static bool lane_drain(lane *l, int to)
{
    while (l->due > 0) {
        size_t first = l->byte_cap - l->byte_head < l->due ? l->byte_cap - l->byte_head : l->due;
        struct iovec parts[2] = {{l->bytes + l->byte_head, first}, {l->bytes, l->due - first}};
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = l->due > first ? 2 : 1};
        ssize_t sent = sendmsg(to, &message, MSG_NOSIGNAL);
        if (sent < 0)
            return would_wait();
        l->byte_head = (l->byte_head + (size_t)sent) % l->byte_cap;
        l->byte_len -= (size_t)sent;
        l->due -= (size_t)sent;
    }
    if (l->eof && l->byte_len == 0 && !l->closed) {
        l->closed = true;
        (void)shutdown(to, SHUT_WR);
    }
    return true;
}

/* --- the thread ------------------------------------------------------------------------------- */

/* Moves what can be moved; false: the connection is over. */
static bool pair_move(slow_link *it, pair *p, int64_t now, int64_t *next)
{
    for (size_t i = 0; i < 2; i++) {
        lane *l = &p->lanes[i];
        if (!lane_fill(it, l, p->fds[i], now))
            return false;
        int64_t at = lane_release(l, now), room = line_wait(it, l, now);
        if (!lane_drain(l, p->fds[1 - i]))
            return false;
        *next = at < *next ? at : *next;
        *next = room > 0 && now + room < *next ? now + room : *next;
    }
    return !(p->lanes[0].closed && p->lanes[1].closed);
}

static int64_t move_all(slow_link *it, int64_t now)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < it->count; i++) {
        if (pair_move(it, it->pairs[i], now, &next))
            continue;
        pair_free(it->pairs[i]);
        it->pairs[i--] = it->pairs[--it->count];
    }
    return next;
}

static nfds_t list_fds(slow_link *it, int64_t now)
{
    it->fds[0] = (struct pollfd){it->listener, POLLIN, 0};
    it->fds[1] = (struct pollfd){it->wake[0], POLLIN, 0};
    for (size_t i = 0; i < it->count; i++) {
        pair *p = it->pairs[i];
        for (size_t j = 0; j < 2; j++) {
            const lane *in = &p->lanes[j], *out = &p->lanes[1 - j];
            short wants = in->eof || line_wait(it, in, now) > 0 ? 0 : POLLIN;
            wants = (short)(wants | (out->due > 0 ? POLLOUT : 0));
            /* Who is not asked anything is not watched: poll would tell of a hang-up for ever. */
            it->fds[2 + 2 * i + j] = (struct pollfd){wants ? p->fds[j] : -1, wants, 0};
        }
    }
    return (nfds_t)(2 + 2 * it->count);
}

static void *carry(void *user)
{
    slow_link *it = user;
    meter_ignore_thread();
    (void)prctl(PR_SET_TIMERSLACK, 1);
    while (!atomic_load(&it->stopping)) {
        int64_t now = now_ns(), next = move_all(it, now);
        nfds_t count = list_fds(it, now);
        int64_t left = next - now_ns();
        struct timespec limit = {.tv_sec = 0};
        if (left > 0)
            limit = (struct timespec){.tv_sec = (time_t)(left / SECOND), .tv_nsec = left % SECOND};
        (void)ppoll(it->fds, count, next == INT64_MAX ? NULL : &limit, NULL);
        if (it->fds[0].revents)
            accept_one(it);
    }
    return NULL;
}

/* --- how long it takes by itself -------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The median of some single bytes, sent and received by this thread, with no latency yet. */
static bool measure(slow_link *it, int64_t *ret_ns)
{
    int64_t times[PINGS];
    int target = loopback(0, true), near = -1, far = -1;
    bool ok = target >= 0;
    if (ok) {
        it->target_port = port_of(target);
        near = loopback(port_of(it->listener), false);
        far = near >= 0 ? accept4(target, NULL, NULL, SOCK_CLOEXEC) : -1;
    }
    ok = far >= 0;
    for (size_t i = 0; i < PINGS && ok; i++) {
        char byte = 0;
        int64_t begin = now_ns();
        ok = send(near, &byte, 1, MSG_NOSIGNAL) == 1 && recv(far, &byte, 1, 0) == 1;
        times[i] = now_ns() - begin;
    }
    if (ok) {
        qsort(times, PINGS, sizeof(times[0]), compare_times);
        *ret_ns = times[PINGS / 2];
    }
    if (far >= 0)
        (void)close(far);
    if (near >= 0)
        (void)close(near);
    if (target >= 0)
        (void)close(target);
    return ok;
}

static bool run_thread(slow_link *it)
{
    atomic_store(&it->stopping, false);
    return pthread_create(&it->thread, NULL, carry, it) == 0;
}

static void end_thread(slow_link *it)
{
    char drop;
    atomic_store(&it->stopping, true);
    if (write(it->wake[1], "", 1) == 1)
        (void)pthread_join(it->thread, NULL);
    while (read(it->wake[0], &drop, 1) == 1)
        continue;
    for (size_t i = 0; i < it->count; i++)
        pair_free(it->pairs[i]);
    it->count = 0;
}

static void link_free(slow_link *it)
{
    if (it->listener >= 0)
        (void)close(it->listener);
    for (size_t i = 0; i < 2; i++)
        if (it->wake[i] >= 0)
            (void)close(it->wake[i]);
    free(it->pairs);
    free(it->fds);
    free(it);
}

static bool calibrate(slow_link *it, char *words, size_t cap)
{
    int64_t own = 0;
    const link_shape shape = it->shape;
    if (shape.latency <= 0)
        return true;
    it->shape = (link_shape){0, 0, 0};
    bool ok = run_thread(it);
    if (ok) {
        ok = measure(it, &own);
        end_thread(it);
    }
    it->shape = shape;
    it->delay = shape.latency - own;
    if (!ok)
        (void)snprintf(words, cap, "the simulated link cannot be measured: %s", strerror(errno));
    else if (it->delay < 0)
        (void)snprintf(words, cap,
                       "a latency of %lld us is asked for, but the simulated link takes %lld us by "
                       "itself",
                       (long long)(shape.latency / 1000), (long long)(own / 1000));
    return ok && it->delay >= 0;
}

bool slow_link_start(const link_shape *shape, uint16_t target_port, slow_link **ret_link,
                     uint16_t *ret_port, char *words, size_t cap)
{
    slow_link *it = calloc(1, sizeof(*it));
    if (!it) {
        (void)snprintf(words, cap, "out of memory");
        return false;
    }
    it->shape = *shape;
    it->wake[0] = it->wake[1] = -1;
    it->listener = loopback(0, true);
    bool ok = it->listener >= 0 && pipe2(it->wake, O_CLOEXEC | O_NONBLOCK) == 0 && make_room(it);
    if (ok)
        (void)fcntl(it->listener, F_SETFL, O_NONBLOCK);
    else
        (void)snprintf(words, cap, "the simulated link: %s", strerror(errno));
    ok = ok && calibrate(it, words, cap);
    if (ok) {
        it->target_port = target_port;
        ok = run_thread(it);
        if (!ok)
            (void)snprintf(words, cap, "the simulated link: there is no thread for it");
    }
    if (!ok) {
        link_free(it);
        return false;
    }
    *ret_port = port_of(it->listener);
    *ret_link = it;
    return true;
}

void slow_link_stop(slow_link *it)
{
    if (!it)
        return;
    end_thread(it);
    link_free(it);
}

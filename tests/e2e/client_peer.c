/* SPDX-License-Identifier: Apache-2.0 */
/* The other side of the channel's tests. One thread, one poll; orders come through a pipe. */
#define _GNU_SOURCE
#include "client_peer.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "hpack/hpack.h"
#include "io/io.h"

#define MAX_CONNS     64
#define MAX_FRAME     (16384 + 9)
#define PREFACE_BYTES 24u

typedef struct peer_conn {
    int fd;
    bool prefaced;
    uint32_t last_stream;
    uint8_t in[MAX_FRAME * 2];
    size_t len;
    oy_hpack_decoder *decoder;
} peer_conn;

struct client_peer {
    client_peer_manner manner;
    oy_address address;
    char target[OY_ADDRESS_TEXT_MAX + 8];
    uint16_t port;
    int listener, orders[2];
    pthread_t thread;
    pthread_mutex_t lock;
    /* guarded by lock */
    unsigned connections, calls, goaways;
    char authority[256], user_agent[256];
    /* the thread's */
    peer_conn *conns[MAX_CONNS];
    unsigned count;
};

static void must(bool condition, const char *words)
{
    if (!condition) {
        fprintf(stderr, "client_peer: %s: %s\n", words, strerror(errno));
        abort();
    }
}

static void say(const peer_conn *conn, const void *data, size_t len)
{
    struct iovec vector = {(void *)(uintptr_t)data, len};
    (void)oy_socket_send(conn->fd, &vector, 1);
}

static void close_conn(client_peer *peer, unsigned i)
{
    peer_conn *conn = peer->conns[i];
    (void)close(conn->fd);
    oy_hpack_decoder_free(conn->decoder);
    free(conn);
    peer->conns[i] = peer->conns[--peer->count];
}

/* --- HTTP/2, a little ------------------------------------------------------------------------ */

static void put_header(uint8_t *dst, size_t len, uint8_t type, uint8_t flags, uint32_t stream)
{
    const uint8_t header[9] = {(uint8_t)(len >> 16),
                               (uint8_t)(len >> 8),
                               (uint8_t)len,
                               type,
                               flags,
                               (uint8_t)(stream >> 24),
                               (uint8_t)(stream >> 16),
                               (uint8_t)(stream >> 8),
                               (uint8_t)stream};
    memcpy(dst, header, sizeof(header));
}

static void answer(peer_conn *conn, uint32_t stream)
{
    /* :status 200, content-type: application/grpc; an empty message; grpc-status: 0 */
    static const uint8_t headers[] = "\x88\x0f\x10\x10"
                                     "application/grpc";
    static const uint8_t trailers[] = "\x00\x0b"
                                      "grpc-status\x01"
                                      "0";
    uint8_t out[128];
    size_t at = 0;
    put_header(out, sizeof(headers) - 1, 1, 4, stream);
    memcpy(out + 9, headers, sizeof(headers) - 1);
    at = 9 + sizeof(headers) - 1;
    put_header(out + at, 5, 0, 0, stream);
    memset(out + at + 9, 0, 5);
    at += 14;
    put_header(out + at, sizeof(trailers) - 1, 1, 5, stream);
    memcpy(out + at + 9, trailers, sizeof(trailers) - 1);
    at += 9 + sizeof(trailers) - 1;
    say(conn, out, at);
}

static bool on_field(void *user, const oy_hpack_field *field)
{
    client_peer *peer = user;
    if (oy_str_eq(field->name, OYEZ_STR(":authority")))
        snprintf(peer->authority, sizeof(peer->authority), "%.*s", (int)field->value.len,
                 field->value.data);
    if (oy_str_eq(field->name, OYEZ_STR("user-agent")))
        snprintf(peer->user_agent, sizeof(peer->user_agent), "%.*s", (int)field->value.len,
                 field->value.data);
    return true;
}

static void on_frame(client_peer *peer, peer_conn *conn, const uint8_t *frame, size_t len)
{
    const uint8_t type = frame[3], flags = frame[4];
    const uint32_t stream =
        ((uint32_t)frame[5] << 24 | (uint32_t)frame[6] << 16 | (uint32_t)frame[7] << 8 | frame[8]) &
        0x7fffffff;
    uint8_t out[9 + 8];

    if (type == 4 && !(flags & 1)) {
        put_header(out, 0, 4, 1, 0);
        say(conn, out, 9);
    } else if (type == 6 && !(flags & 1)) {
        put_header(out, 8, 6, 1, 0);
        memcpy(out + 9, frame + 9, 8);
        say(conn, out, sizeof(out));
    } else if (type == 1 && conn->decoder) {
        oy_hpack_result result;
        const char *words;
        conn->last_stream = stream;
        pthread_mutex_lock(&peer->lock);
        must(oy_hpack_decode(conn->decoder, frame + 9, len - 9, on_field, peer, &result, &words) ==
                 OYEZ_NO_ERR,
             "a header block");
        pthread_mutex_unlock(&peer->lock);
    }
    if (type == 7) {
        pthread_mutex_lock(&peer->lock);
        peer->goaways++;
        pthread_mutex_unlock(&peer->lock);
    }
    if ((type == 0 || type == 1) && flags & 1) {
        pthread_mutex_lock(&peer->lock);
        peer->calls++;
        pthread_mutex_unlock(&peer->lock);
        if (peer->manner == PEER_ANSWERS || peer->manner == PEER_BLIND)
            answer(conn, stream);
    }
}

static void parse(client_peer *peer, peer_conn *conn)
{
    size_t at = 0;
    if (!conn->prefaced) {
        if (conn->len < PREFACE_BYTES)
            return;
        at = PREFACE_BYTES;
        conn->prefaced = true;
    }
    while (conn->len - at >= 9) {
        const uint8_t *frame = conn->in + at;
        const size_t len = 9 + ((size_t)frame[0] << 16 | (size_t)frame[1] << 8 | frame[2]);
        must(len <= MAX_FRAME, "a frame that is too large");
        if (conn->len - at < len)
            break;
        on_frame(peer, conn, frame, len);
        at += len;
    }
    memmove(conn->in, conn->in + at, conn->len - at);
    conn->len -= at;
}

/* False: the connection has ended. */
static bool on_readable(client_peer *peer, peer_conn *conn)
{
    static const char page[] =
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    const ssize_t got =
        oy_socket_recv(conn->fd, conn->in + conn->len, sizeof(conn->in) - conn->len);
    if (got <= 0)
        return got < 0 && errno == EAGAIN;
    if (peer->manner == PEER_HTTP1) {
        say(conn, page, sizeof(page) - 1);
        return false;
    }
    if (peer->manner == PEER_SILENT)
        return true;
    conn->len += (size_t)got;
    parse(peer, conn);
    return true;
}

static void on_accept(client_peer *peer)
{
    static const uint8_t settings[9] = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    const oy_hpack_decoder_limits limits = {4096, 65536, 2};
    oy_address from;
    peer_conn *conn = calloc(1, sizeof(*conn));
    must(conn && peer->count < MAX_CONNS, "another connection");
    conn->fd = oy_socket_accept(peer->listener, &from);
    if (conn->fd < 0) {
        free(conn);
        return;
    }
    must(peer->manner == PEER_BLIND || oy_hpack_decoder_new(&limits, &conn->decoder) == OYEZ_NO_ERR,
         "a decoder");
    pthread_mutex_lock(&peer->lock);
    peer->connections++;
    pthread_mutex_unlock(&peer->lock);
    peer->conns[peer->count++] = conn;
    if (peer->manner == PEER_CLOSES)
        close_conn(peer, peer->count - 1);
    else if (peer->manner != PEER_SILENT && peer->manner != PEER_HTTP1)
        say(conn, settings, sizeof(settings));
}

/* --- the thread ------------------------------------------------------------------------------ */

/* False: it is over. */
static bool obey(client_peer *peer)
{
    uint8_t goaway[17] = {0};
    char order;
    must(read(peer->orders[0], &order, 1) == 1, "an order");
    put_header(goaway, 8, 7, 0, 0);
    for (unsigned i = 0; order == 'g' && i < peer->count; i++) {
        const uint32_t last = peer->conns[i]->last_stream;
        goaway[11] = (uint8_t)(last >> 8);
        goaway[12] = (uint8_t)last;
        say(peer->conns[i], goaway, sizeof(goaway));
    }
    while (order != 'g' && peer->count > 0)
        close_conn(peer, 0);
    return order != 's';
}

static void *run(void *user)
{
    client_peer *peer = user;
    for (;;) {
        struct pollfd fds[MAX_CONNS + 2];
        const unsigned count = peer->count;
        fds[0] = (struct pollfd){.fd = peer->orders[0], .events = POLLIN};
        fds[1] = (struct pollfd){.fd = peer->listener, .events = POLLIN};
        for (unsigned i = 0; i < count; i++)
            fds[i + 2] = (struct pollfd){.fd = peer->conns[i]->fd, .events = POLLIN};
        must(poll(fds, count + 2, -1) >= 0 || errno == EINTR, "poll");
        for (unsigned i = count; i-- > 0;)
            if (fds[i + 2].revents && !on_readable(peer, peer->conns[i]))
                close_conn(peer, i);
        if (fds[1].revents)
            on_accept(peer);
        if (fds[0].revents && !obey(peer))
            return NULL;
    }
}

static void order(client_peer *peer, char what)
{
    must(write(peer->orders[1], &what, 1) == 1, "an order");
}

static void parse_address(const char *text, oy_address *ret_address)
{
    oyez_str str = oy_str(text);
    oyez_err err;
    if (oy_str_starts(str, OYEZ_STR("unix:")))
        err = oy_address_unix((oyez_str){text + 5, str.len - 5}, false, ret_address);
    else if (oy_str_starts(str, OYEZ_STR("unix-abstract:")))
        err = oy_address_unix((oyez_str){text + 14, str.len - 14}, true, ret_address);
    else
        err = oy_address_parse(str, ret_address);
    must(!err, text);
}

client_peer *client_peer_start(const char *address, client_peer_manner manner)
{
    client_peer *peer = calloc(1, sizeof(*peer));
    char text[OY_ADDRESS_TEXT_MAX];
    must(peer, "memory");
    peer->manner = manner;
    pthread_mutex_init(&peer->lock, NULL);
    parse_address(address, &peer->address);
    must(oy_socket_listen(&peer->address, 64, &peer->listener) == OYEZ_NO_ERR, address);
    must(oy_socket_local_address(peer->listener, &peer->address) == OYEZ_NO_ERR, address);
    oy_address_format(&peer->address, text);
    snprintf(peer->target, sizeof(peer->target), "%s%s",
             strncmp(text, "unix", 4) == 0 ? "" : "ipv4:", text);
    if (peer->address.any.sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, &peer->address.storage, sizeof(in));
        peer->port = ntohs(in.sin_port);
    }
    must(pipe2(peer->orders, O_CLOEXEC) == 0, "pipe");
    must(pthread_create(&peer->thread, NULL, run, peer) == 0, "thread");
    return peer;
}

void client_peer_stop(client_peer *peer)
{
    order(peer, 's');
    pthread_join(peer->thread, NULL);
    (void)close(peer->listener);
    (void)close(peer->orders[0]);
    (void)close(peer->orders[1]);
    pthread_mutex_destroy(&peer->lock);
    free(peer);
}

void client_peer_forget(client_peer *peer)
{
    for (unsigned i = 0; i < peer->count; i++)
        oy_hpack_decoder_free(peer->conns[i]->decoder);
}

uint16_t client_peer_port(const client_peer *peer)
{
    return peer->port;
}

const char *client_peer_target(const client_peer *peer)
{
    return peer->target;
}

void client_peer_goaway(client_peer *peer)
{
    order(peer, 'g');
}

void client_peer_drop(client_peer *peer)
{
    order(peer, 'd');
}

static unsigned read_count(client_peer *peer, const unsigned *from)
{
    unsigned count;
    pthread_mutex_lock(&peer->lock);
    count = *from;
    pthread_mutex_unlock(&peer->lock);
    return count;
}

unsigned client_peer_connections(client_peer *peer)
{
    return read_count(peer, &peer->connections);
}

unsigned client_peer_calls(client_peer *peer)
{
    return read_count(peer, &peer->calls);
}

unsigned client_peer_goaways(client_peer *peer)
{
    return read_count(peer, &peer->goaways);
}

void client_peer_last(client_peer *peer, char authority[256], char user_agent[256])
{
    pthread_mutex_lock(&peer->lock);
    snprintf(authority, 256, "%s", peer->authority);
    snprintf(user_agent, 256, "%s", peer->user_agent);
    pthread_mutex_unlock(&peer->lock);
}

uint16_t client_peer_free_port(void)
{
    oy_address address;
    struct sockaddr_in in;
    int fd = -1;
    parse_address("127.0.0.1:0", &address);
    must(oy_socket_listen(&address, 1, &fd) == OYEZ_NO_ERR, "a free port");
    must(oy_socket_local_address(fd, &address) == OYEZ_NO_ERR, "a free port");
    (void)close(fd);
    memcpy(&in, &address.storage, sizeof(in));
    return ntohs(in.sin_port);
}

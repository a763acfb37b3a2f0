/* SPDX-License-Identifier: Apache-2.0 */
/* Names: c-ares with our descriptors and our timers, so that a look-up costs no thread.
 *
 * A channel of c-ares for each query. WHY: look-ups are rare, a cancelled one is simply destroyed,
 * and each reads the system's configuration as it is now, not as it was when the process started.
 *
 * c-ares may not be destroyed inside its own callback, and calls back inside ares_getaddrinfo when
 * it knows the answer (a literal, /etc/hosts). So its callback only keeps the result; our own comes
 * from the timer or the watch that turned c-ares, after that has returned. */
#define _GNU_SOURCE
#include "io/io.h"

#include <ares.h>
#include <errno.h>
#include <netinet/in.h>
#include <oyez/limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/text.h"
#include "io/loop.h"

/* Longest name of RFC 1035 as text, with a final dot, and room for what is refused in words. */
#define HOST_MAX   256u
#define SERVER_MAX 128u
#define WORDS_MAX  512u
/* What a server may make us keep. */
#define ADDRESSES_MAX OYEZ_LIMIT_ADDRESSES
/* A server has three tries, with a doubled time each: 2 + 4 + 8 s. */
#define TRY_MS 2000
#define TRIES  3

typedef struct dns_socket {
    oy_list node;
    oy_watch *watch;
    struct oy_dns_query *query;
    int fd;
} dns_socket;

struct oy_dns_query {
    oy_loop *loop;
    ares_channel channel;
    oy_dns_fn *on_done;
    void *user;
    oy_timer timer; /* always set: c-ares's next time, or now when there is a result */
    oy_list sockets;
    uint16_t port;
    bool has_channel, done, delivering;
    oyez_err err;
    oy_address *addresses;
    size_t count;
    char host[HOST_MAX];
    char words[WORDS_MAX];
};

/* --- result ----------------------------------------------------------------------------------- */

static void fail(oy_dns_query *query, oyez_err err, const char *why)
{
    query->err = err;
    (void)snprintf(query->words, sizeof(query->words), "looking up \"%s\": %s", query->host, why);
}

static oyez_err err_of_status(int status)
{
    switch (status) {
    case ARES_ENOTFOUND:
    case ARES_ENODATA:
        return OYEZ_ENOENT;
    case ARES_ENOMEM:
        return OYEZ_ENOMEM;
    case ARES_EBADNAME:
        return OYEZ_EADDR;
    case ARES_ETIMEOUT:
        return OYEZ_ETIMEDOUT;
    default:
        return OYEZ_EIO;
    }
}

static bool copy_address(const struct ares_addrinfo_node *node, uint16_t port, oy_address *dst)
{
    if (node->ai_family == AF_INET && node->ai_addrlen >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in in;
        memcpy(&in, node->ai_addr, sizeof(in));
        in.sin_port = htons(port);
        memcpy(&dst->storage, &in, sizeof(in));
        dst->len = sizeof(in);
        return true;
    }
    if (node->ai_family == AF_INET6 && node->ai_addrlen >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 in6;
        memcpy(&in6, node->ai_addr, sizeof(in6));
        in6.sin6_port = htons(port);
        memcpy(&dst->storage, &in6, sizeof(in6));
        dst->len = sizeof(in6);
        return true;
    }
    return false;
}

static bool is_known(const oy_dns_query *query, const oy_address *address)
{
    for (size_t i = 0; i < query->count; i++)
        if (oy_address_equal(&query->addresses[i], address))
            return true;
    return false;
}

static void keep_addresses(oy_dns_query *query, const struct ares_addrinfo *info)
{
    size_t count = 0;
    for (const struct ares_addrinfo_node *node = info->nodes; node && count < ADDRESSES_MAX;
         node = node->ai_next)
        count++;
    query->addresses = oy_alloc_array(count ? count : 1, sizeof(oy_address));
    if (!query->addresses) {
        fail(query, OYEZ_ENOMEM, "out of memory");
        return;
    }
    memset(query->addresses, 0, (count ? count : 1) * sizeof(oy_address));
    for (const struct ares_addrinfo_node *node = info->nodes; node && query->count < count;
         node = node->ai_next) {
        oy_address address;
        memset(&address, 0, sizeof(address));
        if (copy_address(node, query->port, &address) && !is_known(query, &address))
            query->addresses[query->count++] = address;
    }
    if (query->count == 0)
        fail(query, OYEZ_ENOENT, "the name has no address");
}

/* c-ares's callback: inside it nothing may be freed. */
static void on_result(void *user, int status, int timeouts, struct ares_addrinfo *info)
{
    oy_dns_query *query = user;
    (void)timeouts;
    if (!query->done) { /* else the channel is being destroyed */
        query->done = true;
        if (status != ARES_SUCCESS)
            fail(query, err_of_status(status), ares_strerror(status));
        else
            keep_addresses(query, info);
    }
    ares_freeaddrinfo(info);
}

static void free_query(oy_dns_query *query)
{
    query->done = true;
    if (query->has_channel)
        ares_destroy(query->channel); /* closes its descriptors, and says so before */
    oy_assert(oy_list_empty(&query->sockets));
    oy_timer_unset(query->loop, &query->timer);
    oy_free(query->addresses);
    oy_free(query);
}

static void set_timer(oy_dns_query *query)
{
    struct timeval wait, *next;
    int64_t at = oy_loop_now(query->loop);
    oyez_err err;
    if (!query->done) {
        next = ares_timeout(query->channel, NULL, &wait);
        if (next)
            at += next->tv_sec * OYEZ_SECOND + next->tv_usec * OYEZ_MICROSECOND;
        else
            at += TRY_MS * OYEZ_MILLISECOND;
    }
    err = oy_timer_set(query->loop, &query->timer, at);
    oy_assert(!err); /* its place in the heap was made when the query was */
    (void)err;
}

/* After c-ares was turned: delivers the result, or waits on. The query may be gone afterwards. */
static void go_on(oy_dns_query *query)
{
    if (!query->done) {
        set_timer(query);
        return;
    }
    query->delivering = true;
    query->on_done(query->user, query->err, query->words, query->addresses, query->count);
    free_query(query);
}

static void on_timer(oy_timer *timer)
{
    oy_dns_query *query = oy_container_of(timer, oy_dns_query, timer);
    if (!query->done)
        ares_process_fd(query->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    go_on(query);
}

/* --- sockets of c-ares: ours, too ------------------------------------------------------------- */

static ares_socket_t open_socket(int domain, int type, int protocol, void *user)
{
    (void)user;
    return socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
}

static int close_socket(ares_socket_t fd, void *user)
{
    (void)user;
    return close(fd);
}

static int connect_socket(ares_socket_t fd, const struct sockaddr *to, ares_socklen_t len,
                          void *user)
{
    (void)user;
    return connect(fd, to, len);
}

static ares_ssize_t receive(ares_socket_t fd, void *dst, size_t cap, int flags,
                            struct sockaddr *from, ares_socklen_t *len, void *user)
{
    (void)user;
    return recvfrom(fd, dst, cap, flags, from, len);
}

/* Both questions of a name share a socket. That the first was refused may be told to who sends the
 * second, and is then forgotten: the first would wait for its time-out. So that send is made again,
 * and the refusal of this one comes as an error of the descriptor, which c-ares takes as meant for
 * both. */
static ares_ssize_t send_vectors(ares_socket_t fd, const struct iovec *vectors, int count,
                                 void *user)
{
    ssize_t len = oy_socket_send(fd, vectors, (size_t)count);
    (void)user;
    if (len < 0 && errno == ECONNREFUSED)
        len = oy_socket_send(fd, vectors, (size_t)count);
    return len;
}

static const struct ares_socket_functions socket_functions = {
    .asocket = open_socket,
    .aclose = close_socket,
    .aconnect = connect_socket,
    .arecvfrom = receive,
    .asendv = send_vectors,
};

/* --- descriptors ------------------------------------------------------------------------------ */

static void on_ready(void *user, int events)
{
    dns_socket *socket = user;
    oy_dns_query *query = socket->query;
    int fd = socket->fd;
    ares_process_fd(query->channel, events & OY_READABLE ? fd : ARES_SOCKET_BAD,
                    events & OY_WRITABLE ? fd : ARES_SOCKET_BAD);
    go_on(query);
}

static dns_socket *find_socket(oy_dns_query *query, int fd)
{
    for (oy_list *node = query->sockets.next; node != &query->sockets; node = node->next) {
        dns_socket *socket = oy_container_of(node, dns_socket, node);
        if (socket->fd == fd)
            return socket;
    }
    return NULL;
}

static dns_socket *new_socket(oy_dns_query *query, int fd)
{
    dns_socket *socket = oy_alloc_zero(sizeof(*socket));
    if (!socket)
        return NULL;
    socket->query = query;
    socket->fd = fd;
    if (oy_watch_new(query->loop, fd, on_ready, socket, &socket->watch) != 0) {
        oy_free(socket);
        return NULL;
    }
    oy_list_push_back(&query->sockets, &socket->node);
    return socket;
}

static void on_socket_state(void *user, ares_socket_t fd, int readable, int writable)
{
    oy_dns_query *query = user;
    dns_socket *socket = find_socket(query, fd);
    if (!readable && !writable) {
        if (socket) {
            oy_watch_free(socket->watch, false); /* c-ares closes it */
            oy_list_remove(&socket->node);
            oy_free(socket);
        }
        return;
    }
    if (!socket)
        socket = new_socket(query, fd);
    if (!socket) {
        /* Nobody would hear the answer: better an end at once than by time-out. */
        if (!query->done)
            fail(query, OYEZ_ENOMEM, "out of memory");
        query->done = true;
        return;
    }
    oy_watch_set(socket->watch, (readable ? OY_READABLE : 0) | (writable ? OY_WRITABLE : 0));
}

/* --- starting and cancelling ------------------------------------------------------------------ */

static oyez_err open_channel(oy_dns_query *query, oyez_str server)
{
    char text[SERVER_MAX];
    int status;
    struct ares_options options = {
        .timeout = TRY_MS,
        .tries = TRIES,
        .sock_state_cb = on_socket_state,
        .sock_state_cb_data = query,
    };
    if (server.len >= sizeof(text) || (server.len > 0 && memchr(server.data, '\0', server.len)))
        return OYEZ_EADDR;
    status = ares_init_options(&query->channel, &options,
                               ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB);
    if (status != ARES_SUCCESS)
        return status == ARES_ENOMEM ? OYEZ_ENOMEM : OYEZ_ESYS;
    query->has_channel = true;
    ares_set_socket_functions(query->channel, &socket_functions, NULL);
    if (server.len > 0) {
        memcpy(text, server.data, server.len);
        text[server.len] = '\0';
        status = ares_set_servers_ports_csv(query->channel, text);
        if (status != ARES_SUCCESS)
            return status == ARES_ENOMEM ? OYEZ_ENOMEM : OYEZ_EADDR;
    }
    return 0;
}

/* RFC 6761 section 6.4: names below "invalid" have no address, and nobody need be asked. */
static bool is_invalid(oyez_str host)
{
    if (host.len > 0 && host.data[host.len - 1] == '.')
        host.len--;
    return host.len >= 7 && strncasecmp(host.data + host.len - 7, "invalid", 7) == 0 &&
           (host.len == 7 || host.data[host.len - 8] == '.');
}

oyez_err oy_dns_resolve(oy_loop *loop, oyez_str host, uint16_t port, oyez_str server,
                        oy_dns_fn *on_done, void *user, oy_dns_query **ret_query)
{
    struct ares_addrinfo_hints hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    oy_dns_query *query;
    oyez_err err;
    if (host.len == 0 || host.len >= HOST_MAX || memchr(host.data, '\0', host.len))
        return OYEZ_EADDR;
    query = oy_alloc_zero(sizeof(*query));
    if (!query)
        return OYEZ_ENOMEM;
    query->loop = loop;
    query->on_done = on_done;
    query->user = user;
    query->port = port;
    query->timer.fire = on_timer;
    oy_list_init(&query->sockets);
    memcpy(query->host, host.data, host.len);
    err = oy_timer_set(loop, &query->timer, oy_loop_now(loop)); /* later ones cannot fail */
    if (!err)
        err = open_channel(query, server);
    if (err) {
        free_query(query);
        return err;
    }
    *ret_query = query;
    if (is_invalid(host)) {
        query->done = true;
        fail(query, OYEZ_ENOENT, "names that end in \"invalid\" do not exist");
    } else {
        ares_getaddrinfo(query->channel, query->host, NULL, &hints, on_result, query);
    }
    set_timer(query);
    return 0;
}

void oy_dns_cancel(oy_dns_query *query)
{
    if (query && !query->delivering)
        free_query(query);
}

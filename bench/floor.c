/* SPDX-License-Identifier: Apache-2.0 */
/* bench-floor: what bare sockets do with the bytes of our calls, as a measure of what a call costs on
 * top of them. Two processes, a thread each, epoll, one TCP connection on loopback; requests and
 * replies are so many bytes, a fixed number of them in flight, written in batches. No byte is looked
 * at and none is copied in user space: all is sent from one buffer and received into one. Several
 * batch sizes are tried one after the other, as which is best depends on the machine. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "histogram.h"
#include "support/flags.h"
#include "usage.h"

#define SECOND       ((int64_t)1000000000)
#define READ_BYTES   ((size_t)64 << 10)
#define WRITE_BYTES  ((size_t)1 << 20)
#define MAX_BATCHES  8
#define MAX_INFLIGHT 100000

typedef struct floor_settings {
    int req, resp; /* bytes of one call */
    int inflight;
    const char *batches;
    double warm, seconds; /* of each batch size */
    const char *server_cpus, *client_cpus;
} floor_settings;

/* One end: takes messages of in_bytes and answers each whole batch with one of out_bytes. */
typedef struct end {
    int fd, epoll;
    size_t in_bytes, out_bytes, batch;
    size_t got;       /* bytes of the batch that is coming */
    uint64_t arrived; /* whole batches */
    size_t to_send;   /* bytes, when the socket was full */
    bool waits_to_send;
} end;

typedef struct result {
    size_t batch;
    uint64_t calls; /* of the measured time */
    double client_us, server_us;
    histogram latencies;
} result;

static char read_buffer[READ_BYTES];
static const char write_buffer[WRITE_BYTES];

static int64_t now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static void die(const char *what)
{
    fprintf(stderr, "bench-floor: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* --- an end ----------------------------------------------------------------------------------- */

static void end_init(end *e, int fd, size_t in_bytes, size_t out_bytes, size_t batch)
{
    int on = 1;
    *e = (end){.fd = fd, .in_bytes = in_bytes, .out_bytes = out_bytes, .batch = batch};
    struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = e}};
    e->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (e->epoll < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0 ||
        epoll_ctl(e->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        die("a socket");
}

static void want(end *e, bool to_send)
{
    struct epoll_event event = {.events = EPOLLIN | (to_send ? EPOLLOUT : 0u), .data = {.ptr = e}};
    if (e->waits_to_send == to_send)
        return;
    e->waits_to_send = to_send;
    if (epoll_ctl(e->epoll, EPOLL_CTL_MOD, e->fd, &event) != 0)
        die("epoll_ctl");
}

static void flush(end *e)
{
    while (e->to_send > 0) {
        size_t part = e->to_send < WRITE_BYTES ? e->to_send : WRITE_BYTES;
        ssize_t sent = send(e->fd, write_buffer, part, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && (errno == EPIPE || errno == ECONNRESET))
            e->to_send = 0; /* it has closed: receive says so */
        else if (sent < 0 && errno != EAGAIN)
            die("send");
        if (sent < 0)
            break;
        e->to_send -= (size_t)sent;
    }
    want(e, e->to_send > 0);
}

static void send_batch(end *e)
{
    e->to_send += e->batch * e->out_bytes;
    flush(e);
}

/* Takes what has come; false when the other end has closed. */
static bool receive(end *e)
{
    const size_t whole = e->batch * e->in_bytes;
    for (;;) {
        ssize_t got = recv(e->fd, read_buffer, READ_BYTES, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return true;
        if (got < 0 && errno != ECONNRESET)
            die("recv");
        if (got <= 0)
            return false;
        e->got += (size_t)got;
        e->arrived += e->got / whole;
        e->got %= whole;
        if ((size_t)got < READ_BYTES)
            return true;
    }
}

static void wait_for_more(end *e)
{
    struct epoll_event event;
    int count = epoll_wait(e->epoll, &event, 1, -1);
    if (count < 0 && errno != EINTR)
        die("epoll_wait");
    if (count > 0 && (event.events & EPOLLOUT))
        flush(e);
}

/* --- the two processes ------------------------------------------------------------------------ */

static _Noreturn void serve(end *e)
{
    uint64_t answered = 0;
    do {
        for (; answered < e->arrived; answered++)
            send_batch(e);
        wait_for_more(e);
    } while (receive(e));
    _exit(0);
}

static void call(const floor_settings *s, end *e, result *r)
{
    /* When each batch in flight was begun: they come back in turn. */
    static int64_t begun[MAX_INFLIGHT];
    size_t rounds = (size_t)s->inflight / e->batch;
    uint64_t answered = 0, sent = 0;
    int64_t start = now(), warm_end = start + (int64_t)(s->warm * (double)SECOND);
    int64_t last = warm_end + (int64_t)(s->seconds * (double)SECOND), time = start;
    usage before = usage_now();
    bool warm = true;
    for (size_t i = 0; i < rounds; i++) {
        begun[sent++ % rounds] = start;
        send_batch(e);
    }
    while (time < last) {
        wait_for_more(e);
        if (!receive(e)) {
            fprintf(stderr, "bench-floor: the server has gone\n");
            exit(1);
        }
        time = now();
        if (warm && time >= warm_end) {
            warm = false;
            before = usage_now();
        }
        for (; answered < e->arrived; answered++) {
            if (!warm) {
                histogram_add(&r->latencies, time - begun[answered % rounds]);
                r->calls += e->batch;
            }
            begun[sent++ % rounds] = time;
            send_batch(e);
        }
    }
    usage spent = usage_between(before, usage_now());
    if (r->calls > 0)
        r->client_us = (spent.user + spent.system) * 1e6 / (double)r->calls;
    /* The server's time is known as a whole, with the warm-up: of all calls, then. */
    r->server_us = (double)(answered * e->batch);
}

static int open_pair(int *ret_server)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || client < 0 || bind(listener, (struct sockaddr *)&address, len) != 0 ||
        listen(listener, 1) != 0 || getsockname(listener, (struct sockaddr *)&address, &len) != 0 ||
        connect(client, (struct sockaddr *)&address, len) != 0)
        die("a connection");
    *ret_server = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (*ret_server < 0)
        die("accept");
    (void)close(listener);
    return client;
}

static void pin(const char *cpus)
{
    if (!usage_pin(cpus)) {
        fprintf(stderr, "bench-floor: \"%s\": not a list of processors of this machine\n", cpus);
        exit(2);
    }
}

static void play(const floor_settings *s, result *r)
{
    end e;
    int server, client = open_pair(&server), status = 0;
    struct rusage child;
    pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        (void)close(client);
        pin(s->server_cpus);
        end_init(&e, server, (size_t)s->req, (size_t)s->resp, r->batch);
        serve(&e);
    }
    (void)close(server);
    pin(s->client_cpus);
    end_init(&e, client, (size_t)s->resp, (size_t)s->req, r->batch);
    call(s, &e, r);
    (void)close(e.epoll);
    (void)close(client);
    if (wait4(pid, &status, 0, &child) != pid)
        die("wait4");
    double calls = r->server_us;
    double used = (double)(child.ru_utime.tv_sec + child.ru_stime.tv_sec) * 1e6 +
                  (double)(child.ru_utime.tv_usec + child.ru_stime.tv_usec);
    r->server_us = calls > 0 ? used / calls : 0;
}

/* --- the program ------------------------------------------------------------------------------ */

static void print(const floor_settings *s, const result *r)
{
    printf("{\"qps\": %.1f, \"calls\": %llu, \"batch\": %zu, \"p50_us\": %.2f, \"p90_us\": %.2f, "
           "\"p99_us\": %.2f, \"client_us\": %.4f, \"server_us\": %.4f, \"inflight\": %d, "
           "\"req_bytes\": %d, \"resp_bytes\": %d}\n",
           (double)r->calls / s->seconds, (unsigned long long)r->calls, r->batch,
           histogram_percentile(&r->latencies, 0.5) / 1e3,
           histogram_percentile(&r->latencies, 0.9) / 1e3,
           histogram_percentile(&r->latencies, 0.99) / 1e3, r->client_us, r->server_us, s->inflight,
           s->req, s->resp);
}

static size_t read_batches(const floor_settings *s, size_t *batches)
{
    size_t count = 0;
    for (const char *at = s->batches;; at++) {
        char *last;
        unsigned long long value = strtoull(at, &last, 10);
        if (last == at || value == 0 || value > (unsigned)s->inflight ||
            (unsigned)s->inflight % value != 0 || (*last != ',' && *last != '\0') ||
            count == MAX_BATCHES) {
            fprintf(stderr,
                    "--batches=%s: want up to %d numbers, such as 25,50,100, each a divisor of the "
                    "%d in flight\n",
                    s->batches, MAX_BATCHES, s->inflight);
            return 0;
        }
        batches[count++] = (size_t)value;
        at = last;
        if (*at == '\0')
            return count;
    }
}

int main(int argc, char **argv)
{
    floor_settings s = {.req = 37,
                        .resp = 40,
                        .inflight = 100,
                        .batches = "25,50,100",
                        .warm = 0.5,
                        .seconds = 2,
                        .server_cpus = "",
                        .client_cpus = ""};
    const oy_flag flags[] = {
        {.name = "req",
         .kind = OY_FLAG_INT,
         .value = &s.req,
         .help = "bytes of a request on the connection",
         .least = 1,
         .most = 1 << 30},
        {.name = "resp",
         .kind = OY_FLAG_INT,
         .value = &s.resp,
         .help = "bytes of a reply on the connection",
         .least = 1,
         .most = 1 << 30},
        {.name = "r",
         .kind = OY_FLAG_INT,
         .value = &s.inflight,
         .help = "calls in flight",
         .least = 1,
         .most = MAX_INFLIGHT},
        {.name = "batches",
         .kind = OY_FLAG_TEXT,
         .value = &s.batches,
         .help = "calls that are written at a time; one run for each, the best is the last line"},
        {.name = "w", .kind = OY_FLAG_SECONDS, .value = &s.warm, .help = "seconds of warm-up"},
        {.name = "d", .kind = OY_FLAG_SECONDS, .value = &s.seconds, .help = "seconds that count"},
        {.name = "server_cpus",
         .kind = OY_FLAG_TEXT,
         .value = &s.server_cpus,
         .help = "processors for the server, such as 0"},
        {.name = "client_cpus",
         .kind = OY_FLAG_TEXT,
         .value = &s.client_cpus,
         .help = "processors for the client, such as 1"},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "Bare sockets that move the bytes of calls.", argc, argv)) {
    case OY_FLAGS_GO:
        break;
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        return 2;
    }
    static result results[MAX_BATCHES];
    size_t batches[MAX_BATCHES], count = read_batches(&s, batches), best = 0;
    if (count == 0)
        return 2;
    if (s.seconds <= 0) {
        fprintf(stderr, "--d: more than 0 seconds are wanted\n");
        return 2;
    }
    for (size_t i = 0; i < count; i++) {
        results[i].batch = batches[i];
        play(&s, &results[i]);
        print(&s, &results[i]);
        (void)fflush(stdout);
        if (results[i].calls > results[best].calls)
            best = i;
    }
    print(&s, &results[best]);
    return 0;
}

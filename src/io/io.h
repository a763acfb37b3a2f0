/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime: loops on libuv, timers, work from other threads, sockets of our own, names, workers.
 * No type of libuv leaves src/io. */
#ifndef OY_IO_H
#define OY_IO_H

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <oyez/runtime.h>

#include "base/chain.h"
#include "base/heap.h"
#include "base/list.h"
#include "base/random.h"
#include "mem/mem.h"

typedef struct oy_loop oy_loop;

/* --- tasks: work handed to a loop from any thread --------------------------------------------- */

/* Embedded in the object that the work is about; in one chain at a time. */
typedef struct oy_task {
    oy_link link;
    void (*run)(struct oy_task *task);
} oy_task;

/* Runs on the loop's thread with its next pass; many submissions cost one wake-up. Never fails. The
 * caller's object (and the runtime) must live until it has run; as soon as the task can run, this
 * function touches neither of them. Any thread. In a child after fork no loop runs: there the task
 * runs before this returns, on the calling thread, which from then on counts as the loop's (so that
 * objects can be freed). */
void oy_loop_submit(oy_loop *loop, oy_task *task);

/* --- hooks: once a pass ----------------------------------------------------------------------- */

/* Run at the end of the current pass, once, however often it was asked for: a connection flushes
 * its output here, so that everything that a pass made ready leaves in one write. Loop thread. A
 * hook that asks again while it runs is run again in the same pass. */
typedef struct oy_hook {
    oy_list node;
    void (*run)(struct oy_hook *hook);
} oy_hook;

void oy_loop_at_end_of_pass(oy_loop *loop, oy_hook *hook);
void oy_loop_drop_hook(oy_hook *hook);

/* --- timers ----------------------------------------------------------------------------------- */

typedef struct oy_timer {
    oy_heap_node node;
    void (*fire)(struct oy_timer *timer);
} oy_timer;

/* Absolute nanoseconds of oy_loop_now's clock; moves the timer if it is set. OYEZ_FOREVER unsets.
 * Loop thread. It fires once, never early, on the loop thread. OYEZ_ENOMEM only when the heap
 * cannot grow. */
oyez_err oy_timer_set(oy_loop *loop, oy_timer *timer, int64_t at);
void oy_timer_unset(oy_loop *loop, oy_timer *timer);

/* --- loop ------------------------------------------------------------------------------------- */

/* Time of the current pass: one reading of the clock a pass. Loop thread. */
int64_t oy_loop_now(const oy_loop *loop);
/* True on the loop's thread (a manual one: inside dispatch or a blocking call that turns it). */
bool oy_loop_is_current(const oy_loop *loop);
/* Read blocks of this loop. */
oy_block_pool *oy_loop_blocks(oy_loop *loop);
/* Random numbers for jitter. Loop thread. */
oy_random *oy_loop_random(oy_loop *loop);
oyez_runtime *oy_loop_runtime(oy_loop *loop);
unsigned oy_loop_index(const oy_loop *loop);

/* --- runtime ---------------------------------------------------------------------------------- */

/* The default runtime, made on first use and counted: each call gives a reference. */
oyez_err oy_runtime_default(oyez_runtime **ret_runtime);
/* The next loop, round robin. Any thread. */
oy_loop *oy_runtime_pick_loop(oyez_runtime *runtime);
unsigned oy_runtime_loop_count(const oyez_runtime *runtime);
oy_loop *oy_runtime_loop(oyez_runtime *runtime, unsigned index);
bool oy_runtime_is_manual(const oyez_runtime *runtime);
bool oy_runtime_has_workers(const oyez_runtime *runtime);
const oyez_log *oy_runtime_log(const oyez_runtime *runtime);
/* OYEZ_EFORK in a child of the process that made it, else 0. Cheap. Any thread. */
oyez_err oy_runtime_check(const oyez_runtime *runtime);
/* True on any of its loop threads, or inside dispatch of a manual one. */
bool oy_runtime_on_loop(const oyez_runtime *runtime);

/* A blocking wait that works everywhere: a thread waits, or turns the loop of a manual runtime.
 * Only the owner thread of a manual runtime turns it (who dispatched or turned it last; before that,
 * who asked for the descriptor or waits first); other threads wait until the owner has. */
typedef struct oy_event {
    _Atomic(int) state; /* private, all of it */
    int wake_fd;        /* what wakes the loop that the waiter turns */
    uintptr_t waiter;   /* thread that turns the loop */
} oy_event;

void oy_event_init(oy_event *event);
/* Any thread; wakes the one waiter. The event may be gone as soon as this has been seen: it touches
 * nothing after. */
void oy_event_set(oy_event *event);
/* Waits until it is set or the time has come. OYEZ_EDEADLK on a loop thread of the runtime;
 * OYEZ_ETIMEDOUT (it may be waited for again, or initialised afresh once nobody can set it). Each
 * event has one waiter. @param deadline absolute; OYEZ_FOREVER: none. */
oyez_err oy_runtime_wait(oyez_runtime *runtime, oy_event *event, int64_t deadline);

/* --- workers ---------------------------------------------------------------------------------- */

/* Runs task->run on a worker thread: a free one, a new one (up to max_workers), or as soon as one
 * is free. In the order of submission. Work submitted in one pass of a loop is handed over with few
 * wake-ups. Any thread. The runtime must have workers. */
void oy_workers_submit(oyez_runtime *runtime, oy_task *task);

/* --- errors ----------------------------------------------------------------------------------- */

/* The OYEZ_ value closest to an errno: OYEZ_ESYS when there is none. Never 0. */
oyez_err oy_err_from_errno(int error);

/* --- addresses -------------------------------------------------------------------------------- */

typedef struct oy_address {
    socklen_t len;
    union {
        struct sockaddr any;
        struct sockaddr_storage storage;
    };
} oy_address;

#define OY_ADDRESS_TEXT_MAX 160u

/* "127.0.0.1:80", "[::1]:80", "[fe80::1%2]:80", "unix:/path", "unix-abstract:name", "inproc". */
void oy_address_format(const oy_address *address, char dst[OY_ADDRESS_TEXT_MAX]);
/* An address literal with a port: "1.2.3.4:80", "[::1]:80", "[fe80::1%lo]:80" ("%25" too).
 * OYEZ_EADDR. */
oyez_err oy_address_parse(oyez_str text, oy_address *ret_address);
/* The same from host and port. */
oyez_err oy_address_from_host(oyez_str host, uint16_t port, oy_address *ret_address);
/* A path, or with `abstract` a name (Linux). OYEZ_ENAMETOOLONG: 107 bytes at most. OYEZ_EADDR:
 * empty. */
oyez_err oy_address_unix(oyez_str path, bool abstract, oy_address *ret_address);
/* Where no socket leads to: another part of this process. */
void oy_address_inproc(oy_address *ret_address);
bool oy_address_is_inproc(const oy_address *address);
bool oy_address_equal(const oy_address *a, const oy_address *b);

/* --- sockets: descriptors of ours, watched by the loop ---------------------------------------- */

typedef struct oy_watch oy_watch;

enum { OY_READABLE = 1, OY_WRITABLE = 2 };

/* Watches a non-blocking descriptor. `on_ready` gets what is ready (an error counts as both); it
 * may free the watch. Loop thread. */
typedef void oy_watch_fn(void *user, int events);
oyez_err oy_watch_new(oy_loop *loop, int fd, oy_watch_fn *on_ready, void *user,
                      oy_watch **ret_watch);
/* Which events are wanted; 0 for none. Cheap when nothing changes. */
void oy_watch_set(oy_watch *watch, int events);
/* Stops watching and, with `close_fd`, closes the descriptor. NULL is allowed. No callback comes
 * after. */
void oy_watch_free(oy_watch *watch, bool close_fd);

/* All sockets are non-blocking, CLOEXEC, and TCP ones NODELAY. On failure errno says why. */
/* Starts to connect. *ret_done: connected already (unix sockets). */
oyez_err oy_socket_connect(const oy_address *address, int *ret_fd, bool *ret_done);
/* After writability: 0, or -1 with errno. */
int oy_socket_connect_result(int fd);
/* Binds and listens; removes a stale unix socket file (one that nobody listens on). */
oyez_err oy_socket_listen(const oy_address *address, int backlog, int *ret_fd);
/* Makes a listening descriptor of the user fit for oy_socket_accept. OYEZ_EINVAL: it is no stream
 * socket that listens. */
oyez_err oy_socket_adopt_listener(int fd);
/* -1 with errno (EAGAIN: none waits; EMFILE and the like: nothing was taken). */
int oy_socket_accept(int listen_fd, oy_address *ret_peer);
oyez_err oy_socket_local_address(int fd, oy_address *ret_address);
/* How long sent bytes may stay unacknowledged before the connection is given up (TCP; nothing
 * happens on others). 0: the system's default. */
void oy_socket_set_user_timeout(int fd, oyez_duration timeout);

typedef struct oy_peer_process {
    pid_t pid;
    uid_t uid;
    gid_t gid;
} oy_peer_process;

/* Who is at the other end of a unix socket. OYEZ_EUNSUPPORTED on others. */
oyez_err oy_socket_peer_process(int fd, oy_peer_process *ret_peer);
/* As recv and sendmsg; no signal. -1 with errno. */
ssize_t oy_socket_recv(int fd, void *dst, size_t cap);
ssize_t oy_socket_send(int fd, const struct iovec *vectors, size_t count);

void oy_socket_close(int fd);
/* The ids of the process at the other end of a unix socket; OYEZ_ENOENT for other sockets. */
oyez_err oy_socket_peer_ids(int fd, uint32_t *ret_pid, uint32_t *ret_uid, uint32_t *ret_gid);

/* --- names ------------------------------------------------------------------------------------ */

typedef struct oy_dns_query oy_dns_query;

/* `err` 0: addresses (IPv4 and IPv6 in the order to try, ports set); they live until the callback
 * returns. A name that does not exist gives OYEZ_ENOENT with words. `words` are never NULL and live
 * as long. */
typedef void oy_dns_fn(void *user, oyez_err err, const char *words, const oy_address *addresses,
                       size_t count);

/* Looks a name up without any thread (c-ares; /etc/hosts counts). The callback runs once, never
 * inside this function, on the loop. OYEZ_EUNSUPPORTED when built without c-ares. Loop thread.
 * @param server "host:port" of a DNS server, or empty for the system's. */
oyez_err oy_dns_resolve(oy_loop *loop, oyez_str host, uint16_t port, oyez_str server,
                        oy_dns_fn *on_done, void *user, oy_dns_query **ret_query);
/* No callback comes after. NULL is allowed. */
void oy_dns_cancel(oy_dns_query *query);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The server that whole-call tests talk to, and calls of raw bytes to it.
 *
 *   /pkg.Svc/Echo    (worker) answers with the request; metadata "echo-..." comes back as header and as trailer
 *   /pkg.Svc/Secret  (worker) as Echo, but the interceptor denies it
 *   /pkg.Svc/Hold    (worker) waits until the gate is opened or the call is cancelled, then as Echo
 *   /pkg.Svc/Fail    (worker) fails with the server's `fail`
 *   /pkg.Svc/Big     (worker) answers with as many bytes as the decimal number in the request says
 *   /pkg.Loop/Echo   (loop)
 *   /pkg.Loop/Later  (loop, async) is answered by e2e_answer_later
 *   /pkg.Loop/None   has no handler */
#ifndef OY_TESTS_E2E_SERVER_H
#define OY_TESTS_E2E_SERVER_H

#include <pthread.h>
#include <stdatomic.h>

#include <oyez/oyez.h>

#include "support/raw_peer.h"

#define E2E_LATER_MAX 256

typedef struct e2e_server {
    oyez_runtime *runtime;
    oyez_server *server;
    uint16_t port;
    char target[64];
    _Atomic(unsigned) handled;      /* handlers that began */
    _Atomic(unsigned) live, most_live;
    _Atomic(unsigned) cancelled;    /* Hold: saw that it was cancelled */
    _Atomic(unsigned) begun, denied, ended; /* the interceptor's functions */
    _Atomic(bool) gate;
    pthread_mutex_t lock;
    oyez_status fail;               /* guarded by lock */
    char path[256];                 /* guarded by lock: what the interceptor saw last */
    oyez_server_call *later[E2E_LATER_MAX]; /* guarded by lock */
    unsigned later_count;           /* guarded by lock */
} e2e_server;

/* Listens on 127.0.0.1, with an interceptor that denies Secret. Two loops, unless the options bring a runtime; any number
 * of PINGs, unless they say how many. */
e2e_server *e2e_serve(const oyez_server_options *options);
/* As above, and handles what is unknown as Echo does. */
e2e_server *e2e_serve_unknown(const oyez_server_options *options);
/* As e2e_serve, on another address as well. */
void e2e_listen(e2e_server *server, const char *address);
/* Stops at once, waits for it and frees. NULL is allowed. */
void e2e_end(e2e_server *server);
void e2e_set_fail(e2e_server *server, oyez_code code, const char *text, size_t len);
/* The path that the interceptor saw last. */
void e2e_seen_path(e2e_server *server, char path[256]);
void e2e_open_gate(e2e_server *server);
/* Waits until so many handlers have begun, or are running. */
void e2e_await_handled(e2e_server *server, unsigned count);
void e2e_await_live(e2e_server *server, unsigned count);
/* Waits until so many calls to Later are here. */
void e2e_await_later(e2e_server *server, unsigned count);
/* Answers the oldest with its path, from the calling thread. */
void e2e_answer_later(e2e_server *server);
/* A call on a new connection succeeds, on the loop and on a worker. */
void e2e_expect_serves(e2e_server *server);
/* The same on this connection: the stream id is used. */
void e2e_expect_serves_on(raw_peer *peer, uint32_t id);

/* --- memory ------------------------------------------------------------------------------------------------------ */

typedef struct e2e_memory {
    size_t live, resident;
} e2e_memory;

/* What the library holds (of the counting allocator), and what the process has in memory. */
e2e_memory e2e_memory_now(void);
/* It has grown by less than that since. Memory of the process counts without sanitizers only. */
void e2e_expect_bounded(const e2e_memory *before, size_t bytes);

/* --- clients ----------------------------------------------------------------------------------------------------- */

oyez_channel *e2e_channel(oyez_runtime *runtime, uint16_t port);
oyez_channel *e2e_channel_with(const oyez_channel_options *options, const char *target);

typedef struct e2e_call {
    oyez_code code;
    char words[2048];
    size_t words_len;
    uint8_t *body;              /* OYEZ_OK: the reply */
    size_t body_len;
    _Atomic(unsigned) done;     /* how often the callback has come */
    char peer[96];
    oyez_call *call;
    int64_t started, ended;
} e2e_call;

/* Blocking. Options may be NULL; without a timeout it is the patience of the tests. */
void e2e_call_now(e2e_call *call, oyez_channel *channel, const char *path, const void *data, size_t len,
                  const oyez_call_options *options);
void e2e_call_start(e2e_call *call, oyez_channel *channel, const char *path, const void *data, size_t len,
                    const oyez_call_options *options);
/* Waits for the callback. */
void e2e_call_await(e2e_call *call);
void e2e_call_free(e2e_call *call);

#define e2e_expect_code(call_, expected)                                                                               \
    do {                                                                                                               \
        if ((call_)->code != (expected))                                                                               \
            fail_msg("%s (%s) instead of %s", oyez_code_name((call_)->code), (call_)->words,                           \
                     oyez_code_name(expected));                                                                        \
    } while (0)
#define e2e_expect_words(text, part)                                                                                   \
    do {                                                                                                               \
        if (!strstr((text), (part)))                                                                                   \
            fail_msg("\"%s\" does not contain \"%s\"", (text), (part));                                                \
    } while (0)
/* Waits until the condition holds. */
#define E2E_UNTIL(condition)                                                                                           \
    do {                                                                                                               \
        int64_t e2e_limit = raw_limit_from_now();                                                                      \
        while (!(condition)) {                                                                                         \
            if (oyez_now() > e2e_limit)                                                                                \
                fail_msg("it does not become true: %s", #condition);                                                   \
            raw_sleep_ms(1);                                                                                           \
        }                                                                                                              \
    } while (0)

#endif

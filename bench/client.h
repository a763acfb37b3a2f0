/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of bench-client: flags, connections and the measurement (client.c); calls and streams
 * with callbacks (client_events.c) and with threads that wait (client_threads.c); bytes on the
 * connection (client_wire.c). */
#ifndef OY_BENCH_CLIENT_H
#define OY_BENCH_CLIENT_H

#include <pthread.h>
#include <stdatomic.h>

#include <oyez/oyez.h>

#include "histogram.h"
#include "messages.h"

typedef struct bench_settings {
    const char *host;
    int port;
    int inflight; /* of each connection */
    int connections;
    double warm, seconds;
    int req, resp;
    const char *rpc_type;
    const char *client;
    const char *codec;
    const char *compression;
    int loops;
    const char *cpus;
} bench_settings;

typedef struct bench_state {
    const bench_settings *settings;
    bool streaming;              /* the calls are messages on a stream */
    bool blocking;               /* threads that wait */
    bool bytes;                  /* the codec */
    size_t reply_bytes;          /* length of a whole reply, for the bytes codec */
    oyez_duration warm_end, end; /* set before the first call */
    _Atomic(bool) failed;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t outstanding; /* guarded by lock: slots that still call */
    char words[512];    /* guarded by lock: of the first failure */
} bench_state;

/* A connection. All its calls end on one loop thread, so with callbacks nothing here is shared. */
typedef struct bench_lane {
    bench_state *bench;
    oyez_channel *channel;
    oyez_slice request; /* for the bytes codec */
} bench_lane;

/* One of the calls in flight: when one ends the next begins. */
typedef struct bench_slot {
    bench_lane *lane;
    histogram *latencies; /* with callbacks its lane's, with threads its own */
    oyez_stream *stream;
    oyez_duration started;
    bool sent, answered; /* of a call on a stream: it takes both */
    bool over;           /* calls no more */
    bool has_thread;
    pthread_t thread;
} bench_slot;

/* For any thread. The first failure ends the run. */
void bench_fail(bench_state *bench, const char *words);
void bench_fail_status(bench_state *bench, const oyez_status *status);
/* A slot calls no more. */
void bench_retire(bench_slot *slot);
/* Books the call that ended `now`; false when no other is to begin. */
bool bench_book(bench_slot *slot, oyez_duration now);
/* Whether it is what was asked for. */
bool bench_reply_is_right(const bench_state *bench, const Grpc__Testing__SimpleResponse *reply);
/* An err that a call did not even begin for. */
void bench_fail_err(bench_state *bench, oyez_err err);

/* Opens the stream of a slot, if the calls are on streams. False: it has been noted why not. */
bool events_open(bench_slot *slot);
bool threads_open(bench_slot *slot);
/* The first call. */
bool events_start(bench_slot *slot);
bool threads_start(bench_slot *slot);

#endif

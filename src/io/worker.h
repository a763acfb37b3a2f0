/* SPDX-License-Identifier: Apache-2.0 */
/* Threads for work that blocks. */
#ifndef OY_IO_WORKER_H
#define OY_IO_WORKER_H

#include <pthread.h>

#include "base/list.h"
#include "io/io.h"

typedef struct oy_worker oy_worker;

typedef struct oy_workers {
    oyez_runtime *runtime; /* borrowed: these are a part of it */
    unsigned max;          /* threads at most; 0: none at all */
    oyez_duration idle_life;
    pthread_mutex_t lock;
    bool has_lock;
    /* all below guarded by lock */
    oy_link *first, *last; /* what waits, in the order of submission */
    oy_list all;           /* every worker that ever was; its memory is used again */
    oy_list idle;          /* those that sleep, the one that fell asleep last first */
    unsigned started;      /* threads that run */
    unsigned count;        /* in `all` */
    bool searching;        /* one has been woken and has not looked yet */
    bool stopping;
    bool retry_pending; /* a thread could not be made and no other runs */
    oy_task retry_task;
    oy_timer retry_timer;
} oy_workers;

oyez_err oy_workers_init(oy_workers *workers, oyez_runtime *runtime, unsigned max,
                         oyez_duration idle_life);
/* Lets them finish what waits and joins them. In a child only the memory is freed. */
void oy_workers_fini(oy_workers *workers, bool in_child);
/* Hands over a list that ends with `last`. Any thread. */
void oy_workers_push(oy_workers *workers, oy_link *first, oy_link *last);
/* Threads that run now; for tests. */
unsigned oy_workers_started(oy_workers *workers);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Timers: a heap of absolute times. Setting one touches no handle of libuv; the loop looks at the
 * heap right before it sleeps and right after it woke. */
#include "io/loop.h"

oyez_err oy_timer_set(oy_loop *loop, oy_timer *timer, int64_t at)
{
    if (at == OYEZ_FOREVER) {
        oy_heap_remove(&loop->timers, &timer->node);
        return 0;
    }
    return oy_heap_set(&loop->timers, &timer->node, at);
}

void oy_timer_unset(oy_loop *loop, oy_timer *timer)
{
    oy_heap_remove(&loop->timers, &timer->node);
}

void oy_timers_fire(oy_heap *timers, int64_t now)
{
    /* As many as there were: a timer that sets itself to a time in the past must not keep the loop
     * here. */
    uint32_t left = timers->count;
    oy_heap_node *first;
    while (left-- > 0 && (first = oy_heap_first(timers)) != NULL && first->at <= now) {
        oy_timer *timer = oy_container_of(first, oy_timer, node);
        oy_heap_remove(timers, first);
        timer->fire(timer);
    }
}

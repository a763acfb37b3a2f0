/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a channel as other threads see it: read it, or wait until it is another. */
#include "client/channel_impl.h"

#include "base/clock.h"

/* Lies on the stack of who waits. */
typedef struct watcher {
    oy_list node; /* not linked: the state has changed */
    oyez_connectivity from;
    oy_event changed;
} watcher;

const char *oyez_connectivity_name(oyez_connectivity state)
{
    switch (state) {
    case OYEZ_IDLE:
        return "IDLE";
    case OYEZ_CONNECTING:
        return "CONNECTING";
    case OYEZ_READY:
        return "READY";
    case OYEZ_TRANSIENT_FAILURE:
        return "TRANSIENT_FAILURE";
    case OYEZ_SHUTDOWN:
        return "SHUTDOWN";
    }
    return "UNKNOWN_STATE";
}

oyez_connectivity oyez_channel_state(const oyez_channel *channel)
{
    return channel ? (oyez_connectivity)atomic_load_explicit(&channel->state, memory_order_acquire)
                   : OYEZ_SHUTDOWN;
}

void oy_channel_publish(oyez_channel *channel, oyez_connectivity state)
{
    oy_list *node, *next;
    pthread_mutex_lock(&channel->lock);
    if (oyez_channel_state(channel) == OYEZ_SHUTDOWN) {
        pthread_mutex_unlock(&channel->lock);
        return;
    }
    atomic_store_explicit(&channel->state, (int)state, memory_order_release);
    for (node = channel->watchers.next; node != &channel->watchers; node = next) {
        watcher *one = oy_container_of(node, watcher, node);
        next = node->next;
        if (one->from == state)
            continue;
        oy_list_remove(node);
        oy_event_set(&one->changed);
    }
    pthread_mutex_unlock(&channel->lock);
}

bool oyez_channel_wait_for_state_change(oyez_channel *channel, oyez_connectivity from,
                                        oyez_duration timeout)
{
    const int64_t deadline = oy_time_add(oy_now(), timeout > 0 ? timeout : 0);
    watcher self = {.from = from};
    bool changed;

    if (oyez_channel_state(channel) != from)
        return true;
    if (!channel || oy_runtime_check(channel->settings.runtime))
        return false;
    oy_event_init(&self.changed);
    pthread_mutex_lock(&channel->lock);
    changed = oyez_channel_state(channel) != from;
    if (!changed)
        oy_list_push_back(&channel->watchers, &self.node);
    pthread_mutex_unlock(&channel->lock);
    if (changed)
        return true;
    /* whatever it returns, the list knows */
    (void)oy_runtime_wait(channel->settings.runtime, &self.changed, deadline);
    pthread_mutex_lock(&channel->lock);
    changed = !oy_list_linked(&self.node);
    oy_list_remove(&self.node);
    pthread_mutex_unlock(&channel->lock);
    return changed;
}

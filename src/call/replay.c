/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer behind a second attempt. */
#include "call/replay.h"

#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

/* A message costs more than its bytes: thousands of empty ones fill a buffer, too. */
#define MESSAGE_COST sizeof(oy_replayed)
#define FIRST_CAPACITY 8u

bool oy_replay_charge(oy_replay_budget *budget, size_t bytes)
{
    size_t used;
    if (!oy_add_size(budget->used, bytes, &used) || used > budget->limit)
        return false;
    budget->used = used;
    return true;
}

void oy_replay_release(oy_replay_budget *budget, size_t bytes)
{
    budget->used -= bytes;
}

void oy_replay_init(oy_replay *replay, oy_replay_budget *budget)
{
    memset(replay, 0, sizeof(*replay));
    replay->budget = budget;
    replay->messages = &replay->first;
    replay->capacity = 1;
}

void oy_replay_commit(oy_replay *replay)
{
    for (uint32_t i = 0; i < replay->count; i++)
        oyez_slice_fini(&replay->messages[i].bytes);
    if (replay->messages != &replay->first)
        oy_free(replay->messages);
    oy_replay_release(replay->budget, replay->bytes);
    oy_replay_init(replay, replay->budget);
    replay->committed = true;
}

static bool make_room(oy_replay *replay)
{
    if (replay->count < replay->capacity)
        return true;
    const uint32_t capacity = replay->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : replay->capacity * 2;
    oy_replayed *messages = oy_alloc_array(capacity, sizeof(*messages));
    if (!messages)
        return false;
    memcpy(messages, replay->messages, replay->count * sizeof(*messages));
    if (replay->messages != &replay->first)
        oy_free(replay->messages);
    replay->messages = messages;
    replay->capacity = capacity;
    return true;
}

/* The pieces of a large message may lie in many buffers. */
static size_t cost_of(const oyez_slice *message)
{
    return MESSAGE_COST + message->len + message->capacity * sizeof(oyez_buffer);
}

void oy_replay_keep(oy_replay *replay, const oyez_slice *message, size_t length, bool compressed, oyez_pool *pool)
{
    const size_t cost = cost_of(message);
    if (replay->committed)
        return;
    if (cost > replay->budget->call_limit || replay->bytes > replay->budget->call_limit - cost ||
        !make_room(replay) || !oy_replay_charge(replay->budget, cost)) {
        oy_replay_commit(replay);
        return;
    }
    replay->bytes += cost;
    oy_replayed *kept = &replay->messages[replay->count];
    if (oyez_slice_keep(message, pool, &kept->bytes)) {
        oy_replay_commit(replay);
        return;
    }
    kept->length = length;
    kept->compressed = compressed;
    replay->count++;
}

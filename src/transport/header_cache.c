/* SPDX-License-Identifier: Apache-2.0 */
/* Looks a set of fields up by its key; encodes and remembers it when it is not there. */
#include "transport/header_cache.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/text.h"

/* Slots have a multiple of so many bytes, so that one is good for other sets, too. */
#define SLOT_STEP 16u

void oy_header_cache_fini(oy_header_cache *cache)
{
    for (size_t i = 0; i < OY_HEADER_CACHE_SLOTS; i++) {
        oy_free(cache->slots[i]);
        cache->slots[i] = NULL;
    }
}

/* Any function of the key will do: a collision costs an encoding, never a wrong block. */
static uint8_t slot_of(const oy_header_set *set)
{
    const oyez_str key = set->key;
    size_t mix = set->kind;
    if (key.len > 0)
        mix += key.len * 7 + (uint8_t)key.data[key.len - 1] * 3u + (uint8_t)key.data[key.len / 2];
    return mix % OY_HEADER_CACHE_SLOTS;
}

static size_t list_bytes(const oy_header_set *set)
{
    size_t bytes = 0;
    for (size_t i = 0; i < set->count; i++)
        bytes += set->names[i].len + set->values[i].len + 32;
    return bytes;
}

size_t oy_header_cache_find(const oy_header_cache *cache, oy_h2_conn *h2, oy_header_set *set)
{
    set->slot = slot_of(set);
    const oy_header_cache_slot *slot = cache->slots[set->slot];
    set->found = slot && slot->generation == oy_hpack_encoder_generation(oy_h2_encoder(h2)) &&
                 slot->kind == set->kind && oy_str_eq((oyez_str){slot->bytes, slot->key_len}, set->key);
    return oy_likely(set->found) ? slot->list_bytes : list_bytes(set);
}

/* Without memory the set is merely encoded again the next time. */
static void remember(oy_header_cache *cache, const oy_header_set *set, const uint8_t *block, size_t len,
                     uint32_t generation)
{
    oy_header_cache_slot *slot = cache->slots[set->slot];
    const size_t needed = set->key.len + len;
    if (set->key.len > OY_HEADER_CACHE_KEY_MAX || len > OY_HEADER_CACHE_BLOCK_MAX)
        return;
    if (!slot || slot->capacity < needed) {
        const size_t capacity = (needed / SLOT_STEP + 1) * SLOT_STEP;
        oy_free(slot);
        slot = cache->slots[set->slot] = oy_alloc(sizeof(*slot) + capacity);
        if (!slot)
            return;
        slot->capacity = (uint16_t)capacity;
    }
    slot->generation = generation;
    slot->list_bytes = (uint32_t)list_bytes(set);
    slot->kind = set->kind;
    slot->key_len = (uint8_t)set->key.len;
    slot->block_len = (uint8_t)len;
    if (set->key.len > 0)
        memcpy(slot->bytes, set->key.data, set->key.len);
    memcpy(slot->bytes + slot->key_len, block, len);
}

static __attribute__((noinline)) void encode(oy_header_cache *cache, oy_h2_conn *h2, oy_h2_block *block,
                                             const oy_header_set *set)
{
    oy_hpack_encoder *encoder = oy_h2_encoder(h2);
    const uint32_t before = oy_hpack_encoder_generation(encoder);
    const uint8_t *start = oy_h2_block_position(block);
    for (size_t i = 0; i < set->count; i++)
        oy_h2_block_add(h2, block, set->names[i], set->values[i], OY_HPACK_INDEX);
    /* Only a block that inserted nothing means the same the next time. */
    if (oy_hpack_encoder_generation(encoder) == before)
        remember(cache, set, start, (size_t)(oy_h2_block_position(block) - start), before);
}

void oy_header_cache_add(oy_header_cache *cache, oy_h2_conn *h2, oy_h2_block *block, const oy_header_set *set)
{
    const oy_header_cache_slot *slot = cache->slots[set->slot];
    /* Another set of the same block may have changed the table since, or have taken the slot. */
    if (oy_likely(set->found && slot && slot->kind == set->kind &&
                  slot->generation == oy_hpack_encoder_generation(oy_h2_encoder(h2))))
        oy_h2_block_add_encoded(block, (const uint8_t *)slot->bytes + slot->key_len, slot->block_len);
    else
        encode(cache, h2, block, set);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Looks a set of fields up by its key; encodes and remembers it when it is not there. */
#include "transport/header_cache.h"

#include <string.h>

#include "base/alloc.h"

void oy_header_cache_fini(oy_header_cache *cache)
{
    oy_free(cache->slots);
    cache->slots = NULL;
}

void oy_header_set_measure(const oy_header_set *set, size_t *list_bytes, size_t *max_bytes)
{
    for (size_t i = 0; i < set->count; i++) {
        *list_bytes += set->names[i].len + set->values[i].len + 32;
        *max_bytes += oy_hpack_field_max(set->names[i].len, set->values[i].len);
    }
}

/* Any function of the key will do: a collision costs an encoding, never a wrong block. */
static size_t slot_of(const oy_header_set *set)
{
    size_t mix = set->kind;
    for (size_t i = 0; i < set->key_count; i++) {
        oyez_str part = set->key[i];
        if (part.len)
            mix = mix * 31 + part.len * 7 + (uint8_t)part.data[part.len - 1] + (uint8_t)part.data[part.len / 2];
    }
    return mix % OY_HEADER_CACHE_SLOTS;
}

static bool matches(const oy_header_cache_slot *slot, const oy_header_set *set)
{
    const char *at = slot->key;
    size_t left = slot->key_len;
    if (slot->kind != set->kind)
        return false;
    for (size_t i = 0; i < set->key_count; i++) {
        oyez_str part = set->key[i];
        if (left < part.len + 1 || memcmp(at, part.data, part.len) != 0 || at[part.len] != '\0')
            return false;
        at += part.len + 1;
        left -= part.len + 1;
    }
    return left == 0;
}

static bool set_key(oy_header_cache_slot *slot, const oy_header_set *set)
{
    size_t len = 0;
    for (size_t i = 0; i < set->key_count; i++) {
        oyez_str part = set->key[i];
        if (part.len + 1 > OY_HEADER_CACHE_KEY_MAX - len)
            return false;
        memcpy(slot->key + len, part.data, part.len);
        slot->key[len + part.len] = '\0';
        len += part.len + 1;
    }
    slot->key_len = (uint16_t)len;
    slot->kind = set->kind;
    return true;
}

void oy_header_cache_add(oy_header_cache *cache, oy_h2_conn *h2, oy_h2_block *block, const oy_header_set *set)
{
    oy_hpack_encoder *encoder = oy_h2_encoder(h2);
    uint32_t before = oy_hpack_encoder_generation(encoder);
    if (!cache->slots)
        cache->slots = oy_alloc_zero(OY_HEADER_CACHE_SLOTS * sizeof(*cache->slots));
    oy_header_cache_slot *slot = cache->slots ? &cache->slots[slot_of(set)] : NULL;
    if (slot && slot->generation == before && matches(slot, set)) {
        oy_h2_block_add_encoded(block, slot->block, slot->block_len);
        return;
    }
    const uint8_t *start = oy_h2_block_position(block);
    for (size_t i = 0; i < set->count; i++)
        oy_h2_block_add(h2, block, set->names[i], set->values[i], OY_HPACK_INDEX);
    size_t len = (size_t)(oy_h2_block_position(block) - start);
    /* Only a block that inserted nothing means the same the next time. */
    if (!slot || oy_hpack_encoder_generation(encoder) != before || len > OY_HEADER_CACHE_BLOCK_MAX)
        return;
    slot->generation = 0;
    if (!set_key(slot, set))
        return;
    memcpy(slot->block, start, len);
    slot->block_len = (uint16_t)len;
    slot->generation = before;
}

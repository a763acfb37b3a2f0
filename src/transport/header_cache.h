/* SPDX-License-Identifier: Apache-2.0 */
/* Encoded header blocks that repeat from call to call: a few bytes each, valid while the encoder's generation stays. */
#ifndef OY_HEADER_CACHE_H
#define OY_HEADER_CACHE_H

#include "h2/h2.h"

#define OY_HEADER_CACHE_SLOTS 16u
#define OY_HEADER_CACHE_KEY_MAX 176u
#define OY_HEADER_CACHE_BLOCK_MAX 40u

typedef struct oy_header_cache_slot {
    uint32_t generation; /* 0: empty */
    uint16_t key_len;
    uint16_t block_len;
    uint8_t kind;
    uint8_t block[OY_HEADER_CACHE_BLOCK_MAX];
    char key[OY_HEADER_CACHE_KEY_MAX];
} oy_header_cache_slot;

typedef struct oy_header_cache {
    oy_header_cache_slot *slots; /* OY_HEADER_CACHE_SLOTS, made on first use */
} oy_header_cache;

/* A set of fields that is always sent together. `kind` and the key tell it from the other sets of the connection:
 * values that are the same in all sets of a kind need not be in the key. */
typedef struct oy_header_set {
    const oyez_str *names;
    const oyez_str *values;
    size_t count;
    const oyez_str *key;
    size_t key_count;
    uint8_t kind;
} oy_header_set;

void oy_header_cache_fini(oy_header_cache *cache);

/* Bytes of the header list, and a bound of the encoded bytes. */
void oy_header_set_measure(const oy_header_set *set, size_t *list_bytes, size_t *max_bytes);

/* Adds the set's fields to a block, all of them indexed; from the cache when it can. */
void oy_header_cache_add(oy_header_cache *cache, oy_h2_conn *h2, oy_h2_block *block, const oy_header_set *set);

#endif

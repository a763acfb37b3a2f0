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
    uint32_t list_bytes;
    uint16_t capacity;   /* of `bytes` */
    uint8_t kind, key_len, block_len;
    char bytes[];        /* the key, then the block */
} oy_header_cache_slot;

typedef struct oy_header_cache {
    oy_header_cache_slot *slots[OY_HEADER_CACHE_SLOTS]; /* made when there is something to remember */
} oy_header_cache;

/* A set of fields that is always sent together. `kind` and the key tell it from the other sets of the connection:
 * values that are the same in all sets of a kind need not be in the key. A block holds at most one set of a kind.
 * A key of more than OY_HEADER_CACHE_KEY_MAX bytes is allowed, and its set encoded each time. */
typedef struct oy_header_set {
    const oyez_str *names;
    const oyez_str *values;
    size_t count;
    oyez_str key;
    uint8_t kind;
    uint8_t slot; /* private: oy_header_cache_find says where it is, or would be */
    bool found;
} oy_header_set;

void oy_header_cache_fini(oy_header_cache *cache);

/* Looks the set up. Returns the bytes of the header list that it takes; encoded it is never longer. */
size_t oy_header_cache_find(const oy_header_cache *cache, oy_h2_conn *h2, oy_header_set *set);

/* Adds the set's fields to a block, all of them indexed; from the cache if the set was found there. */
void oy_header_cache_add(oy_header_cache *cache, oy_h2_conn *h2, oy_h2_block *block, const oy_header_set *set);

#endif

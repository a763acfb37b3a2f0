/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata inside the library: embedded in calls, and in the call's arena when it came from a peer.
 * */
#ifndef OY_CALL_METADATA_H
#define OY_CALL_METADATA_H

#include <oyez/metadata.h>

#include "base/arena.h"
#include "wire/wire.h"

/* A NUL stands behind key and value. */
typedef oy_field oy_metadata_entry;

struct oyez_metadata {
    oy_metadata_entry *entries;
    uint32_t count, capacity;
    oyez_arena
        *arena; /* borrowed: where entries and texts lie; NULL: the heap, one block an entry */
    size_t list_bytes; /* what it adds to the header list: key + value on the wire + 32 each */
};

/* On the heap. */
void oy_metadata_init(oyez_metadata *metadata);
/* In an arena: adding costs no malloc, and there is nothing to free. */
void oy_metadata_init_arena(oyez_metadata *metadata, oyez_arena *arena);
void oy_metadata_fini(oyez_metadata *metadata);

/* Adds a pair that was checked already and lies in the metadata's arena, each text with a NUL
 * behind it: nothing is copied. Only for oy_metadata_init_arena. */
oyez_err oy_metadata_add_arena(oyez_metadata *metadata, oyez_str key, oyez_str value);

/* As oyez_metadata_append, for keys with a length. A key that the library owns is not refused as
 * reserved when `trusted`; its characters are still checked. */
oyez_err oy_metadata_append(oyez_metadata *metadata, oyez_str key, oyez_str value, bool trusted);
/* The first value; data == NULL: none. */
oyez_str oy_metadata_find(const oyez_metadata *metadata, oyez_str key);

/* For the encoder, in order: `for (e = oy_metadata_first(md); e; e = oy_metadata_after(md, e))`. */
static inline const oy_metadata_entry *oy_metadata_first(const oyez_metadata *metadata)
{
    return metadata && metadata->count > 0 ? metadata->entries : NULL;
}

static inline const oy_metadata_entry *oy_metadata_after(const oyez_metadata *metadata,
                                                         const oy_metadata_entry *entry)
{
    return ++entry == metadata->entries + metadata->count ? NULL : entry;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Where the strings of a dynamic table live: first in, first out, each in one piece, in one buffer.
 *
 * A string that does not fit behind the newest one goes to the front. Twice the room of the table is
 * always enough, where the room bounds what the entries are charged together; it grows with them. With the live bytes L and a new string s, L + s < room (each entry is charged 32 bytes
 * more than its strings). In one run, neither the room behind nor the room in front fits only if
 * both are at most s: size <= L + 2s < 2 * room. In two runs, the gap at the end is less than the
 * string that did not fit there, hence less than the room; the rest is more than s. */
#ifndef OY_HPACK_RING_H
#define OY_HPACK_RING_H

#include <oyez/types.h>

#include "base/assert.h"

typedef struct oy_hpack_ring {
    char *bytes;
    size_t size; /* twice the table's room */
    size_t next; /* behind the newest string */
} oy_hpack_ring;

/* A place for `len` bytes. `oldest` is the oldest live string; NULL when there is none. */
static inline char *oy_hpack_ring_place(oy_hpack_ring *ring, const char *oldest, size_t len)
{
    size_t start = oldest ? (size_t)(oldest - ring->bytes) : 0;
    size_t at = oldest ? ring->next : 0;

    if (at >= start && ring->size - at < len) {
        oy_assert(len < start);
        at = 0;
    }
    oy_assert(at >= start || start - at > len);
    ring->next = at + len;
    return ring->bytes + at;
}

#endif

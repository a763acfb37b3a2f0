/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic reference count. */
#ifndef OY_BASE_REFCOUNT_H
#define OY_BASE_REFCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct oy_refcount {
    _Atomic(uint32_t) count;
} oy_refcount;

static inline void oy_refcount_init(oy_refcount *refs, uint32_t count)
{
    atomic_init(&refs->count, count);
}

static inline void oy_ref(oy_refcount *refs)
{
    (void)atomic_fetch_add_explicit(&refs->count, 1, memory_order_relaxed);
}

/* True when this was the last one: the caller frees the object. */
static inline bool oy_unref(oy_refcount *refs)
{
    return atomic_fetch_sub_explicit(&refs->count, 1, memory_order_acq_rel) == 1;
}

/* The same for an object that nobody finds without a reference: its only holder needs no atomic arithmetic. */
static inline bool oy_unref_owned(oy_refcount *refs)
{
    if (atomic_load_explicit(&refs->count, memory_order_acquire) == 1) {
        atomic_store_explicit(&refs->count, 0, memory_order_relaxed);
        return true;
    }
    return oy_unref(refs);
}

static inline uint32_t oy_refcount_get(oy_refcount *refs)
{
    return atomic_load_explicit(&refs->count, memory_order_acquire);
}

#endif

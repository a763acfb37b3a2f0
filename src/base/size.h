/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on sizes that a peer gave: false when it overflows, and then *result is untouched. */
#ifndef OY_BASE_SIZE_H
#define OY_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>

static inline bool oy_add_size(size_t a, size_t b, size_t *result)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *result = sum;
    return true;
}

static inline bool oy_mul_size(size_t a, size_t b, size_t *result)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *result = product;
    return true;
}

static inline size_t oy_min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t oy_max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Clearing of large structs that are used again: by the C library, rather than by the
 * string instruction that the compiler writes for a size it knows. */
#ifndef OY_BASE_ZERO_H
#define OY_BASE_ZERO_H

#include <string.h>

static inline void oy_zero(void *memory, size_t bytes)
{
    __asm__("" : "+r"(bytes));
    memset(memory, 0, bytes);
}

#endif

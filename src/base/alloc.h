/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to the process's allocator (oyez/alloc.h). */
#ifndef OY_BASE_ALLOC_H
#define OY_BASE_ALLOC_H

#include <stddef.h>

/* NULL when there is no memory; bytes == 0 gives a pointer that may be freed. */
void *oy_alloc(size_t bytes);
void *oy_alloc_zero(size_t bytes);
/* NULL when count * bytes overflows, too. */
void *oy_alloc_array(size_t count, size_t bytes);
void *oy_realloc(void *memory, size_t bytes);
void *oy_realloc_array(void *memory, size_t count, size_t bytes);
void oy_free(void *memory);
/* A terminated copy. */
char *oy_strndup(const char *text, size_t len);

#endif

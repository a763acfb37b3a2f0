/* SPDX-License-Identifier: Apache-2.0 */
/* The only place that calls malloc, and only while the user has not given an allocator of his own. */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include <oyez/alloc.h>

#include "base/options.h"
#include "base/size.h"

/* All zero: malloc's. Written by oyez_set_allocator only, while nothing else runs. */
static oyez_allocator current;

oyez_err oyez_set_allocator(const oyez_allocator *allocator)
{
    oyez_allocator copy;
    oyez_err err = oy_options_copy(&copy, sizeof(copy), allocator);
    if (err)
        return err;
    if (allocator && (!copy.alloc || !copy.realloc || !copy.free))
        return OYEZ_ENULL;
    current = copy;
    return OYEZ_NO_ERR;
}

/* malloc(0) may be NULL, which our callers would take for a failure. */
void *oy_alloc(size_t bytes)
{
    if (bytes == 0)
        bytes = 1;
    return current.alloc ? current.alloc(current.self, bytes) : malloc(bytes);
}

void *oy_alloc_zero(size_t bytes)
{
    void *memory;
    if (bytes == 0)
        bytes = 1;
    if (!current.alloc)
        return calloc(1, bytes);
    memory = current.alloc(current.self, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void *oy_alloc_array(size_t count, size_t bytes)
{
    size_t total;
    return oy_mul_size(count, bytes, &total) ? oy_alloc(total) : NULL;
}

void *oy_realloc(void *memory, size_t bytes)
{
    if (!memory)
        return oy_alloc(bytes);
    if (bytes == 0)
        bytes = 1;
    return current.realloc ? current.realloc(current.self, memory, bytes) : realloc(memory, bytes);
}

void *oy_realloc_array(void *memory, size_t count, size_t bytes)
{
    size_t total;
    return oy_mul_size(count, bytes, &total) ? oy_realloc(memory, total) : NULL;
}

void oy_free(void *memory)
{
    if (!memory)
        return;
    if (current.free)
        current.free(current.self, memory);
    else
        free(memory);
}

char *oy_strndup(const char *text, size_t len)
{
    size_t bytes;
    char *copy;
    if (!oy_add_size(len, 1, &bytes) || !(copy = oy_alloc(bytes)))
        return NULL;
    if (len)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

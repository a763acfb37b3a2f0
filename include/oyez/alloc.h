/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file alloc.h
 * Where the library takes its memory from.
 */
#ifndef OYEZ_ALLOC_H
#define OYEZ_ALLOC_H

#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/** An allocator: the three functions behave as malloc, realloc and free do, from any thread. */
typedef struct oyez_allocator {
    size_t size; /**< OYEZ_ALLOCATOR_INIT */
    void *(*alloc)(void *self, size_t bytes);
    void *(*realloc)(void *self, void *memory, size_t bytes);
    void (*free)(void *self, void *memory);
    void *self;
} oyez_allocator;

#define OYEZ_ALLOCATOR_INIT .size = sizeof(oyez_allocator)

/**
 * Sets the allocator of this copy of the library; NULL goes back to malloc's.
 *
 * To be called before any other object is made, and after the last is gone: memory must go back to
 * where it came from. The struct is copied. Owner thread, with no other oyez call under way.
 * Since 0.1.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_set_allocator(const oyez_allocator *allocator);

OYEZ_END_DECLS

#endif

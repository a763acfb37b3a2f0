/* SPDX-License-Identifier: Apache-2.0 */
/* Internal impossibilities. What a peer or a user sends is never an assertion. */
#ifndef OY_BASE_ASSERT_H
#define OY_BASE_ASSERT_H

/* Writes "oyez: <file>:<line>: <words>" to standard error and aborts. */
_Noreturn void oy_panic(const char *file, int line, const char *words);

#ifdef NDEBUG
#define oy_assert(condition) ((void)sizeof(!(condition)))
#else
#define oy_assert(condition) ((condition) ? (void)0 : oy_panic(__FILE__, __LINE__, #condition))
#endif

#define oy_container_of(pointer, type, member) ((type *)(void *)((char *)(pointer)-offsetof(type, member)))
#define oy_likely(x) __builtin_expect(!!(x), 1)
#define oy_unlikely(x) __builtin_expect(!!(x), 0)

#endif

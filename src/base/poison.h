/* SPDX-License-Identifier: Apache-2.0 */
/* Tells AddressSanitizer which of our memory is not to be touched at the moment. Nothing without it. */
#ifndef OY_BASE_POISON_H
#define OY_BASE_POISON_H

#if defined(__SANITIZE_ADDRESS__)
#define OY_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OY_ASAN 1
#endif
#endif

#ifdef OY_ASAN
#include <sanitizer/asan_interface.h>
#define oy_poison(memory, bytes) ASAN_POISON_MEMORY_REGION((memory), (bytes))
#define oy_unpoison(memory, bytes) ASAN_UNPOISON_MEMORY_REGION((memory), (bytes))
#else
#define oy_poison(memory, bytes) ((void)(memory), (void)(bytes))
#define oy_unpoison(memory, bytes) ((void)(memory), (void)(bytes))
#endif

#endif

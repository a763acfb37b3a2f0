/* SPDX-License-Identifier: Apache-2.0 */
/* Sized option structs (house page, section 7): old callers get defaults, newer ones are refused only
 * when they use what this library does not know. */
#ifndef OY_BASE_OPTIONS_H
#define OY_BASE_OPTIONS_H

#include <oyez/types.h>

/* Copies a user's struct into ours. `user` may be NULL. `own_size` is sizeof(*own); the first member
 * of both is `size_t size`. Returns OYEZ_ESIZE for a size that cannot be one, OYEZ_E2BIG when an
 * unknown field is not zero. */
oyez_err oy_options_copy(void *own, size_t own_size, const void *user);

#endif

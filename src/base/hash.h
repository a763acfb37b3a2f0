/* SPDX-License-Identifier: Apache-2.0 */
/* Hash of bytes, seeded: a peer must not be able to choose collisions. */
#ifndef OY_BASE_HASH_H
#define OY_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t oy_hash(const void *data, size_t len, uint64_t seed);

#endif

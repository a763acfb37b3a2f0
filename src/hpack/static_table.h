/* SPDX-License-Identifier: Apache-2.0 */
/* The static table (RFC 7541 appendix A). */
#ifndef OY_HPACK_STATIC_TABLE_H
#define OY_HPACK_STATIC_TABLE_H

#include "hpack/hpack.h"

#define OY_HPACK_STATIC_COUNT 61u

/* What an entry is charged on top of its strings (RFC 7541 section 4.1). */
#define OY_HPACK_ENTRY_OVERHEAD 32u
/* The size of a table that nobody has spoken of (RFC 9113 section 6.5.2). */
#define OY_HPACK_DEFAULT_TABLE_BYTES 4096u
/* A larger table would only be a way to waste memory. */
#define OY_HPACK_MAX_TABLE_BYTES (1u << 24)

typedef struct oy_hpack_static {
    oyez_str name, value;
    oy_hpack_token token;
} oy_hpack_static;

/* Index 1 stands at 0. */
extern const oy_hpack_static oy_hpack_static_table[OY_HPACK_STATIC_COUNT];

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Integers with a prefix (RFC 7541 section 5.1). */
#ifndef OY_HPACK_INTEGER_H
#define OY_HPACK_INTEGER_H

#include <oyez/types.h>

/* Larger than any index, length or table size that a peer has a use for; so the arithmetic on them
 * never comes near an overflow. */
#define OY_HPACK_INTEGER_MAX (1u << 28)

typedef enum oy_hpack_integer_result {
    OY_HPACK_INTEGER_OK,
    OY_HPACK_INTEGER_CUT,   /* the block ends inside */
    OY_HPACK_INTEGER_LARGE, /* above OY_HPACK_INTEGER_MAX, or more than five bytes behind the first */
} oy_hpack_integer_result;

/* Reads the integer at *pos (there is at least one byte); *pos moves behind it on success only. */
static inline oy_hpack_integer_result oy_hpack_integer_get(const uint8_t **pos, const uint8_t *end,
                                                           unsigned prefix_bits,
                                                           uint32_t *ret_value)
{
    const uint8_t *at = *pos;
    const uint8_t mask = (uint8_t)((1u << prefix_bits) - 1);
    uint64_t value = *at++ & mask;

    if (value == mask) {
        for (unsigned shift = 0;; shift += 7) {
            if (shift > 28)
                return OY_HPACK_INTEGER_LARGE;
            if (at == end)
                return OY_HPACK_INTEGER_CUT;
            uint8_t byte = *at++;
            value += (uint64_t)(byte & 0x7f) << shift;
            if (!(byte & 0x80))
                break;
        }
        if (value > OY_HPACK_INTEGER_MAX)
            return OY_HPACK_INTEGER_LARGE;
    }
    *pos = at;
    *ret_value = (uint32_t)value;
    return OY_HPACK_INTEGER_OK;
}

/* Writes at most six bytes; `first` holds the bits above the prefix. Returns the end. */
static inline uint8_t *oy_hpack_integer_put(uint8_t *dst, uint8_t first, unsigned prefix_bits,
                                            uint32_t value)
{
    const uint32_t mask = (1u << prefix_bits) - 1;

    if (value < mask) {
        *dst++ = (uint8_t)(first | value);
        return dst;
    }
    *dst++ = (uint8_t)(first | mask);
    for (value -= mask; value > 0x7f; value >>= 7)
        *dst++ = (uint8_t)(value | 0x80);
    *dst++ = (uint8_t)value;
    return dst;
}

#endif

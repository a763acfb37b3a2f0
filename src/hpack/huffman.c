/* SPDX-License-Identifier: Apache-2.0 */
/* The Huffman code of RFC 7541 section 5.2.
 *
 * Codes of up to ten bits, which is every character that a header usually has, are decoded by one
 * look-up in a table of 2 KiB, so it stays in the first-level cache. The longer ones are found by their
 * length, as a canonical code allows: rare, so a short search is good enough. */
#include "hpack/huffman.h"

#include "base/assert.h"
#include "hpack/huffman_tables.h"

size_t oy_huffman_encoded_len(oyez_str text)
{
    size_t bits = 0;
    for (size_t i = 0; i < text.len; i++)
        bits += huffman_bits[(uint8_t)text.data[i]];
    return (bits + 7) / 8;
}

size_t oy_huffman_encode(oyez_str text, uint8_t *dst)
{
    uint8_t *start = dst;
    uint64_t bits = 0; /* the lower `have` bits wait to be written */
    unsigned have = 0;

    for (size_t i = 0; i < text.len; i++) {
        uint8_t symbol = (uint8_t)text.data[i];
        bits = bits << huffman_bits[symbol] | huffman_codes[symbol];
        have += huffman_bits[symbol];
        if (have >= 32) {
            have -= 32;
            *dst++ = (uint8_t)(bits >> (have + 24));
            *dst++ = (uint8_t)(bits >> (have + 16));
            *dst++ = (uint8_t)(bits >> (have + 8));
            *dst++ = (uint8_t)(bits >> have);
        }
    }
    for (; have >= 8; have -= 8)
        *dst++ = (uint8_t)(bits >> (have - 8));
    if (have > 0) /* padded with the start of EOS: ones */
        *dst++ = (uint8_t)(bits << (8 - have) | 0xffu >> have);
    return (size_t)(dst - start);
}

static uint64_t load_be64(const uint8_t *data)
{
    return (uint64_t)data[0] << 56 | (uint64_t)data[1] << 48 | (uint64_t)data[2] << 40 |
           (uint64_t)data[3] << 32 | (uint64_t)data[4] << 24 | (uint64_t)data[5] << 16 |
           (uint64_t)data[6] << 8 | (uint64_t)data[7];
}

/* The symbol whose code, longer than HUFFMAN_FAST_BITS, the window starts with. */
static unsigned decode_slow(uint32_t window, unsigned *ret_bits)
{
    unsigned row = 0;
    while (window >= huffman_rows[row].end)
        row++;
    unsigned bits = huffman_rows[row].bits;
    *ret_bits = bits;
    return huffman_slow[(int32_t)(window >> (32 - bits)) + huffman_rows[row].base];
}

oyez_err oy_huffman_decode_upto(const uint8_t *data, size_t len, char *dst, size_t cap,
                                size_t *ret_len)
{
    size_t at = 0, out = 0;
    uint64_t bits = 0; /* the upper `have` bits are still to be decoded */
    unsigned have = 0;
    uint64_t window;

    for (;;) {
        if (oy_likely(len - at >= 8)) {
            bits |= load_be64(data + at) >> have;
            at += (63 - have) >> 3;
            have |= 56;
        } else {
            for (; have <= 55 && at < len; have += 8)
                bits |= (uint64_t)data[at++] << (56 - have);
        }
        do {
            window = bits | UINT64_MAX >> have; /* behind the end stand ones, as in the padding */
            unsigned used = huffman_fast[window >> (64 - HUFFMAN_FAST_BITS)].bits;
            unsigned symbol = huffman_fast[window >> (64 - HUFFMAN_FAST_BITS)].symbol;
            if (oy_unlikely(used == 0))
                symbol = decode_slow((uint32_t)(window >> 32), &used);
            if (oy_unlikely(used > have))
                goto end; /* after a refill only at the end: there are 56 bits, and no code has more */
            if (oy_unlikely(symbol == HUFFMAN_EOS))
                return OYEZ_EPROTO;
            if (oy_unlikely(out == cap))
                return OYEZ_ELIMIT;
            dst[out++] = (char)symbol;
            bits <<= used;
            have -= used;
        } while (have >= HUFFMAN_MAX_BITS);
    }
end:
    /* RFC 7541 section 5.2: less than a byte, and the start of EOS. */
    if (have > 7 || window != UINT64_MAX)
        return OYEZ_EPROTO;
    *ret_len = out;
    return OYEZ_NO_ERR;
}

oyez_err oy_huffman_decode(const uint8_t *data, size_t len, char *dst, size_t *ret_len)
{
    return oy_huffman_decode_upto(data, len, dst, SIZE_MAX, ret_len);
}

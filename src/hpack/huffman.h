/* SPDX-License-Identifier: Apache-2.0 */
/* The Huffman decoder with a bound, for the decoder of blocks. */
#ifndef OY_HPACK_HUFFMAN_H
#define OY_HPACK_HUFFMAN_H

#include "hpack/hpack.h"

/* As oy_huffman_decode, but stops with OYEZ_ELIMIT when more than `cap` bytes come out; what follows is
 * then neither decoded nor checked. */
oyez_err oy_huffman_decode_upto(const uint8_t *data, size_t len, char *dst, size_t cap,
                                size_t *ret_len);

#endif

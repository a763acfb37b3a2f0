/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 with the standard alphabet (RFC 4648 section 4). */
#ifndef OY_BASE_BASE64_H
#define OY_BASE_BASE64_H

#include <oyez/types.h>

/* Bytes that encoding `len` bytes takes, without padding and without a NUL. */
size_t oy_base64_encoded_len(size_t len);
/* Encodes without padding; returns the number of characters written. */
size_t oy_base64_encode(const void *data, size_t len, char *dst);
/* At most this many bytes come out of `len` characters. */
size_t oy_base64_decoded_max(size_t len);
/* Accepts padded and unpadded text; OYEZ_EINVAL otherwise (URL-safe alphabet, impossible length,
 * padding in the middle). */
oyez_err oy_base64_decode(oyez_str text, void *dst, size_t *ret_len);

#endif

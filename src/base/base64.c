/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 as gRPC's binary metadata uses it: written without padding, read with or without. */
#include "base/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Value of a character, or 0xff. */
static uint8_t value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (uint8_t)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (uint8_t)(c - 'a' + 26);
    if (c >= '0' && c <= '9')
        return (uint8_t)(c - '0' + 52);
    return c == '+' ? 62 : c == '/' ? 63 : 0xff;
}

size_t oy_base64_encoded_len(size_t len)
{
    size_t rest = len % 3;
    return len / 3 * 4 + (rest ? rest + 1 : 0);
}

size_t oy_base64_encode(const void *data, size_t len, char *dst)
{
    const uint8_t *in = data;
    char *out = dst;
    for (; len >= 3; len -= 3, in += 3) {
        uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
        *out++ = alphabet[bits >> 18];
        *out++ = alphabet[bits >> 12 & 63];
        *out++ = alphabet[bits >> 6 & 63];
        *out++ = alphabet[bits & 63];
    }
    if (len) {
        uint32_t bits = (uint32_t)in[0] << 16 | (len == 2 ? (uint32_t)in[1] << 8 : 0);
        *out++ = alphabet[bits >> 18];
        *out++ = alphabet[bits >> 12 & 63];
        if (len == 2)
            *out++ = alphabet[bits >> 6 & 63];
    }
    return (size_t)(out - dst);
}

size_t oy_base64_decoded_max(size_t len)
{
    return len / 4 * 3 + len % 4;
}

/* Collects up to four characters; false when one is not of the alphabet. */
static bool gather(const char *in, size_t count, uint32_t *ret_bits)
{
    uint32_t bits = 0;
    uint8_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t value = value_of(in[i]);
        bad |= value;
        bits = bits << 6 | (value & 63u);
    }
    *ret_bits = bits;
    return bad < 64;
}

/* Bits left over behind the last byte may be anything: Go's decoder, which gRPC-Go uses, does not look
 * at them either. */
oyez_err oy_base64_decode(oyez_str text, void *dst, size_t *ret_len)
{
    const char *in = text.data;
    size_t len = text.len;
    uint8_t *out = dst;
    uint32_t bits;

    /* padding is only allowed where it completes a group of four */
    if (len && len % 4 == 0 && in[len - 1] == '=')
        len -= in[len - 2] == '=' ? 2 : 1;
    if (len % 4 == 1)
        return OYEZ_EINVAL;

    for (; len >= 4; len -= 4, in += 4) {
        if (!gather(in, 4, &bits))
            return OYEZ_EINVAL;
        *out++ = (uint8_t)(bits >> 16);
        *out++ = (uint8_t)(bits >> 8);
        *out++ = (uint8_t)bits;
    }
    if (len) {
        if (!gather(in, len, &bits))
            return OYEZ_EINVAL;
        bits <<= 6 * (4 - len);
        *out++ = (uint8_t)(bits >> 16);
        if (len == 3)
            *out++ = (uint8_t)(bits >> 8);
    }
    *ret_len = (size_t)(out - (uint8_t *)dst);
    return OYEZ_NO_ERR;
}

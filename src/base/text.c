/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text, and UTF-8. */
#include "base/text.h"

bool oy_parse_u64(oyez_str text, uint64_t *ret_value)
{
    uint64_t value = 0;
    if (text.len < 1 || text.len > 19) /* 19 digits always fit */
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c < '0' || c > '9')
            return false;
        value = value * 10 + (uint64_t)(c - '0');
    }
    *ret_value = value;
    return true;
}

static bool continues(uint8_t c)
{
    return (c & 0xc0) == 0x80;
}

size_t oy_utf8_sequence(oyez_str text)
{
    const uint8_t *c = (const uint8_t *)text.data;
    if (text.len == 0)
        return 0;
    if (c[0] < 0x80)
        return 1;
    if (c[0] < 0xc2) /* a continuation, or an overlong form of ASCII */
        return 0;
    if (c[0] < 0xe0)
        return text.len >= 2 && continues(c[1]) ? 2 : 0;
    if (c[0] < 0xf0) {
        if (text.len < 3 || !continues(c[1]) || !continues(c[2]))
            return 0;
        if (c[0] == 0xe0 && c[1] < 0xa0) /* overlong */
            return 0;
        if (c[0] == 0xed && c[1] >= 0xa0) /* surrogates, U+D800 to U+DFFF */
            return 0;
        return 3;
    }
    if (c[0] > 0xf4 || text.len < 4 || !continues(c[1]) || !continues(c[2]) || !continues(c[3]))
        return 0;
    if (c[0] == 0xf0 && c[1] < 0x90) /* overlong */
        return 0;
    if (c[0] == 0xf4 && c[1] >= 0x90) /* above U+10FFFF */
        return 0;
    return 4;
}

bool oy_utf8_valid(oyez_str text)
{
    while (text.len) {
        size_t len;
        uint64_t word;
        /* eight ASCII bytes at once: what nearly all text is */
        while (text.len >= sizeof(word)) {
            memcpy(&word, text.data, sizeof(word));
            if (word & 0x8080808080808080u)
                break;
            text.data += sizeof(word);
            text.len -= sizeof(word);
        }
        if (text.len == 0)
            break;
        len = oy_utf8_sequence(text);
        if (len == 0)
            return false;
        text.data += len;
        text.len -= len;
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Strings with a length. */
#ifndef OY_BASE_TEXT_H
#define OY_BASE_TEXT_H

#include <string.h>

#include <oyez/types.h>

static inline oyez_str oy_str(const char *text)
{
    return (oyez_str){ text, text ? strlen(text) : 0 };
}

static inline bool oy_str_eq(oyez_str a, oyez_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool oy_str_starts(oyez_str text, oyez_str prefix)
{
    return text.len >= prefix.len && (prefix.len == 0 || memcmp(text.data, prefix.data, prefix.len) == 0);
}

static inline bool oy_str_ends(oyez_str text, oyez_str suffix)
{
    return text.len >= suffix.len &&
           (suffix.len == 0 || memcmp(text.data + text.len - suffix.len, suffix.data, suffix.len) == 0);
}

/* An unsigned decimal of 1 to 19 digits and nothing else. */
bool oy_parse_u64(oyez_str text, uint64_t *ret_value);

/* True if `text` is well-formed UTF-8 (no surrogates, no overlong forms). */
bool oy_utf8_valid(oyez_str text);
/* Length of the well-formed sequence at the start of text, 1 to 4; 0 if there is none. */
size_t oy_utf8_sequence(oyez_str text);

#endif

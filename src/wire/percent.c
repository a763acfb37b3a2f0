/* SPDX-License-Identifier: Apache-2.0 */
/* Percent-encoding of grpc-message (PROTOCOL-HTTP2.md, "Percent-Encoded"). What goes out is
 * printable ASCII of well-formed UTF-8, whatever the handler said; what comes in is never an error,
 * since a status must reach the caller even when its words are broken. */
#include "wire/wire.h"

#include <string.h>

#include "base/text.h"

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c <= 0x7e && c != '%';
}

static size_t put_escaped(char *dst, const unsigned char *bytes, size_t len)
{
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < len; i++) {
        dst[3 * i] = '%';
        dst[3 * i + 1] = hex[bytes[i] >> 4];
        dst[3 * i + 2] = hex[bytes[i] & 15];
    }
    return 3 * len;
}

size_t oy_percent_encode(oyez_str text, char *dst, size_t cap)
{
    static const unsigned char replacement[] = {0xef, 0xbf, 0xbd}; /* U+FFFD */
    size_t used = 0;
    for (size_t i = 0; i < text.len;) {
        const unsigned char *at = (const unsigned char *)text.data + i;
        if (is_plain(*at)) {
            if (used == cap)
                break;
            dst[used++] = (char)*at;
            i++;
            continue;
        }
        size_t taken = oy_utf8_sequence((oyez_str){text.data + i, text.len - i});
        size_t len = taken;
        if (taken == 0) {
            at = replacement;
            len = sizeof(replacement);
            taken = 1;
        }
        if (3 * len > cap - used)
            break;
        used += put_escaped(dst + used, at, len);
        i += taken;
    }
    return used;
}

/* -1: not a hexadecimal digit. */
static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

size_t oy_percent_decode(oyez_str text, char *dst)
{
    size_t used = 0;
    for (size_t i = 0; i < text.len;) {
        if (text.data[i] == '%' && text.len - i > 2) {
            int high = hex_value(text.data[i + 1]);
            int low = hex_value(text.data[i + 2]);
            if (high >= 0 && low >= 0) {
                dst[used++] = (char)(unsigned char)(high << 4 | low);
                i += 3;
                continue;
            }
        }
        dst[used++] = text.data[i++];
    }
    return used;
}

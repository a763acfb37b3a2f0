/* SPDX-License-Identifier: Apache-2.0 */
/* Formats words into a user's or the channel's own room. */
#include "client/words.h"

#include <stdarg.h>
#include <stdio.h>

void oy_words_set(oy_words words, const char *format, ...)
{
    va_list args;
    if (!words.text || words.bytes == 0)
        return;
    va_start(args, format);
    if (vsnprintf(words.text, words.bytes, format, args) < 0)
        words.text[0] = '\0';
    va_end(args);
    for (char *c = words.text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences for people: what was expected, what came, and where. */
#ifndef OY_CLIENT_WORDS_H
#define OY_CLIENT_WORDS_H

#include <oyez/types.h>

/* Room for the words that a connection's failure gets; longer ones are cut. */
#define OY_WORDS_MAX 512u

/* Where words go; without room they are dropped. */
typedef struct oy_words {
    char *text;
    size_t bytes;
} oy_words;

/* Unprintable bytes become '?': parts of the words are a peer's or a user's. */
void oy_words_set(oy_words words, const char *format, ...) OYEZ_PRINTF(2, 3);

#endif

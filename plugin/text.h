/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and text of the generator. All of it is given back at the end of the run, so nobody frees
 * anything; without memory the program ends. */
#ifndef PLUGIN_TEXT_H
#define PLUGIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__)
#define TEXT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args), nonnull(fmt)))
#else
#define TEXT_PRINTF(fmt, args)
#endif

/* Never NULL; zeroed. */
void *mem_get(size_t bytes);
/* Gives everything back. */
void mem_end(void);

/* A growing text, always terminated; {0} is the empty one. */
typedef struct text {
    char *data;
    size_t len, room;
} text;

void text_add(text *t, const char *data, size_t len);
void text_puts(text *t, const char *words);
/* "" rather than NULL. */
const char *text_of(const text *t);

/* A copy, a formatted string. */
char *str_dup(const char *words);
char *str_ndup(const char *words, size_t len);
char *str_printf(const char *format, ...) TEXT_PRINTF(1, 2);
bool str_ends(const char *words, const char *end);

/* A set of strings. */
typedef struct names {
    const char **items;
    size_t count, room;
} names;

bool names_has(const names *set, const char *name);
void names_add(names *set, const char *name);

/* Adds `form` with each $key$ replaced. `keys` is a list of key, value, key, value, ..., NULL. */
void text_fill(text *t, const char *const *keys, const char *form);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in one list, and text that grows in it. */
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct piece {
    struct piece *next;
    _Alignas(16) char bytes[];
} piece;

static piece *pieces;

static _Noreturn void out_of_memory(void)
{
    fputs("protoc-gen-oyez: out of memory\n", stderr);
    exit(1);
}

void *mem_get(size_t bytes)
{
    piece *p;

    if (bytes > SIZE_MAX - sizeof(*p))
        out_of_memory();
    p = calloc(1, sizeof(*p) + bytes);
    if (p == NULL)
        out_of_memory();
    p->next = pieces;
    pieces = p;
    return p->bytes;
}

void mem_end(void)
{
    while (pieces) {
        piece *next = pieces->next;
        free(pieces);
        pieces = next;
    }
}

/* Doubles the room until `need` fits; what was outgrown stays until the end. */
static void *grow(void *old, size_t used, size_t *room, size_t need, size_t item)
{
    void *memory;

    if (need <= *room)
        return old;
    while (*room < need)
        *room = *room ? *room * 2 : 64;
    memory = mem_get(*room * item);
    if (used)
        memcpy(memory, old, used * item);
    return memory;
}

void text_add(text *t, const char *data, size_t len)
{
    t->data = grow(t->data, t->len, &t->room, t->len + len + 1, 1);
    if (len)
        memcpy(t->data + t->len, data, len);
    t->len += len;
    t->data[t->len] = '\0';
}

void text_puts(text *t, const char *words)
{
    text_add(t, words, strlen(words));
}

const char *text_of(const text *t)
{
    return t->data ? t->data : "";
}

char *str_ndup(const char *words, size_t len)
{
    char *copy = mem_get(len + 1);
    memcpy(copy, words, len);
    return copy;
}

char *str_dup(const char *words)
{
    return str_ndup(words, strlen(words));
}

char *str_printf(const char *format, ...)
{
    char first[256];
    va_list args, again;
    char *out;
    int len;

    va_start(args, format);
    va_copy(again, args);
    len = vsnprintf(first, sizeof(first), format, args);
    if (len < 0)
        out_of_memory();
    out = mem_get((size_t)len + 1);
    vsnprintf(out, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    return out;
}

bool str_ends(const char *words, const char *end)
{
    size_t len = strlen(words), end_len = strlen(end);
    return len >= end_len && strcmp(words + len - end_len, end) == 0;
}

bool names_has(const names *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->items[i], name) == 0)
            return true;
    return false;
}

void names_add(names *set, const char *name)
{
    set->items = grow(set->items, set->count, &set->room, set->count + 1, sizeof(set->items[0]));
    set->items[set->count++] = name;
}

static const char *value_of(const char *const *keys, const char *key, size_t len)
{
    for (; keys[0]; keys += 2)
        if (strlen(keys[0]) == len && memcmp(keys[0], key, len) == 0)
            return keys[1];
    fprintf(stderr, "protoc-gen-oyez: a form names $%.*s$, which nobody gives\n", (int)len, key);
    exit(1);
}

void text_fill(text *t, const char *const *keys, const char *form)
{
    while (*form) {
        const char *open = strchr(form, '$');
        const char *close = open ? strchr(open + 1, '$') : NULL;
        if (close == NULL) {
            text_puts(t, form);
            return;
        }
        text_add(t, form, (size_t)(open - form));
        text_puts(t, value_of(keys, open + 1, (size_t)(close - open - 1)));
        form = close + 1;
    }
}

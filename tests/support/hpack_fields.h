/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of this layer: lists of fields that own their strings, hexadecimal blocks, and a decoder
 * run that collects what is delivered. */
#ifndef OY_SUPPORT_HPACK_FIELDS_H
#define OY_SUPPORT_HPACK_FIELDS_H

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "hpack/hpack.h"

#define TEST_FIELDS_MAX 16384u
#define TEST_BYTES_MAX  (1u << 20)

typedef struct test_field {
    oyez_str name, value;
    oy_hpack_token token;
    bool never_index, noted;
    uintptr_t meaning; /* of the note, as the callback found it */
} test_field;

typedef struct test_fields {
    size_t count, bytes_used;
    size_t stop_after; /* the callback says no at this field; 0: never */
    test_field list[TEST_FIELDS_MAX];
    char bytes[TEST_BYTES_MAX];
} test_fields;

static inline oyez_str test_fields_copy(test_fields *fields, oyez_str text)
{
    char *copy = fields->bytes + fields->bytes_used;
    if (text.len > TEST_BYTES_MAX - fields->bytes_used)
        abort();
    if (text.len > 0)
        memcpy(copy, text.data, text.len);
    fields->bytes_used += text.len;
    return (oyez_str){copy, text.len};
}

static inline test_field *test_fields_add(test_fields *fields, oyez_str name, oyez_str value)
{
    if (fields->count == TEST_FIELDS_MAX)
        abort();
    test_field *field = &fields->list[fields->count++];
    *field = (test_field){
        .name = test_fields_copy(fields, name),
        .value = test_fields_copy(fields, value),
    };
    return field;
}

static inline void test_fields_clear(test_fields *fields)
{
    fields->count = fields->bytes_used = 0;
}

static inline bool test_fields_equal(const test_fields *a, const test_fields *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!oy_str_eq(a->list[i].name, b->list[i].name) ||
            !oy_str_eq(a->list[i].value, b->list[i].value) ||
            a->list[i].never_index != b->list[i].never_index)
            return false;
    return true;
}

/* An oy_hpack_field_fn. Leaves a checksum of the field in the note, and aborts when it finds another one
 * there: a note must never outlive its entry. */
static inline bool test_fields_collect(void *user, const oy_hpack_field *from)
{
    test_fields *fields = user;
    test_field *field = test_fields_add(fields, from->name, from->value);
    uintptr_t sum = 1 + from->name.len;

    field->token = from->token;
    field->never_index = from->never_index;
    for (size_t i = 0; i < from->name.len; i++)
        sum = sum * 31 + (unsigned char)from->name.data[i];
    for (size_t i = 0; i < from->value.len; i++)
        sum = sum * 31 + (unsigned char)from->value.data[i];
    sum |= 1;
    if (from->note) {
        field->noted = true;
        field->meaning = from->note->meaning;
        if (field->meaning != 0 && field->meaning != sum)
            abort();
        from->note->meaning = sum;
    }
    if (from->token != oy_hpack_token_of(from->name))
        abort();
    return fields->count != fields->stop_after;
}

/* A small generator of random numbers, the same everywhere. */
static inline uint32_t test_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

/* Hexadecimal digits, spaces between; returns the number of bytes. */
static inline size_t test_hex(const char *text, uint8_t *dst)
{
    size_t digits = 0;
    for (; *text; text++) {
        if (*text == ' ')
            continue;
        unsigned digit = (unsigned)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
        if (digits % 2 == 0)
            dst[digits / 2] = (uint8_t)(digit << 4);
        else
            dst[digits / 2] = (uint8_t)(dst[digits / 2] | digit);
        digits++;
    }
    return digits / 2;
}

#endif

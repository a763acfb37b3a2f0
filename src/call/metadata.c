/* SPDX-License-Identifier: Apache-2.0 */
/* oyez_metadata: an ordered list of pairs. What users make lies on the heap, one block an entry, so
 * that replacing and removing give memory back; what a peer sent lies in its call's arena and costs
 * nothing to free. Searching is a walk: calls carry a handful of pairs. */
#include "call/metadata.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/base64.h"
#include "base/size.h"
#include "base/text.h"
#include "wire/wire.h"

#define FIRST_CAPACITY 4u
#define ENTRY_OVERHEAD 32u /* RFC 9113 §6.5.2 */

void oy_metadata_init(oyez_metadata *metadata)
{
    *metadata = (oyez_metadata){0};
}

void oy_metadata_init_arena(oyez_metadata *metadata, oyez_arena *arena)
{
    *metadata = (oyez_metadata){.arena = arena};
}

/* The block of a heap entry begins with its key. */
static void free_entry(oyez_metadata *metadata, oy_metadata_entry *entry)
{
    if (!metadata->arena)
        oy_free((void *)(uintptr_t)entry->key.data);
}

void oy_metadata_fini(oyez_metadata *metadata)
{
    if (!metadata->arena) {
        for (uint32_t i = 0; i < metadata->count; i++)
            free_entry(metadata, &metadata->entries[i]);
        oy_free(metadata->entries);
    }
    *metadata = (oyez_metadata){.arena = metadata->arena};
}

oyez_err oyez_metadata_new(oyez_metadata **ret_metadata)
{
    if (!ret_metadata)
        return OYEZ_ENULL;
    oyez_metadata *metadata = oy_alloc(sizeof(*metadata));
    if (!metadata)
        return OYEZ_ENOMEM;
    oy_metadata_init(metadata);
    *ret_metadata = metadata;
    return 0;
}

oyez_err oyez_metadata_copy(const oyez_metadata *from, oyez_metadata **ret_metadata)
{
    oyez_metadata *metadata;
    oyez_err err = ret_metadata ? oyez_metadata_new(&metadata) : OYEZ_ENULL;
    if (err)
        return err;
    err = oyez_metadata_join(metadata, from);
    if (err)
        oyez_metadata_free(metadata);
    else
        *ret_metadata = metadata;
    return err;
}

void oyez_metadata_free(oyez_metadata *metadata)
{
    if (!metadata)
        return;
    oy_metadata_fini(metadata);
    oy_free(metadata);
}

static oyez_err reserve(oyez_metadata *metadata, size_t count)
{
    if (count <= metadata->capacity)
        return 0;
    if (count > UINT32_MAX / 2)
        return OYEZ_ENOMEM;
    size_t capacity =
        oy_max_size(count, oy_max_size(FIRST_CAPACITY, (size_t)metadata->capacity * 2));
    oy_metadata_entry *entries;
    if (metadata->arena) {
        size_t bytes;
        if (!oy_mul_size(capacity, sizeof(*entries), &bytes))
            return OYEZ_ENOMEM;
        entries = oy_arena_alloc(metadata->arena, bytes);
        if (entries && metadata->count > 0)
            memcpy(entries, metadata->entries, metadata->count * sizeof(*entries));
    } else {
        entries = oy_realloc_array(metadata->entries, capacity, sizeof(*entries));
    }
    if (!entries)
        return OYEZ_ENOMEM;
    metadata->entries = entries;
    metadata->capacity = (uint32_t)capacity;
    return 0;
}

static size_t entry_list_bytes(const oy_metadata_entry *entry)
{
    size_t value = entry->is_bin ? oy_base64_encoded_len(entry->value.len) : entry->value.len;
    return entry->key.len + value + ENTRY_OVERHEAD;
}

static void push(oyez_metadata *metadata, oy_metadata_entry entry)
{
    metadata->list_bytes += entry_list_bytes(&entry);
    metadata->entries[metadata->count++] = entry;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Copies key and value side by side, each with its NUL; the key in lower case. */
static oyez_err make_entry(oyez_metadata *metadata, oyez_str key, oyez_str value,
                           oy_metadata_entry *ret_entry)
{
    size_t bytes;
    if (!oy_add_size(key.len, 2, &bytes) || !oy_add_size(bytes, value.len, &bytes))
        return OYEZ_ENOMEM;
    char *text = metadata->arena ? oy_arena_alloc(metadata->arena, bytes) : oy_alloc(bytes);
    if (!text)
        return OYEZ_ENOMEM;
    for (size_t i = 0; i < key.len; i++)
        text[i] = lower(key.data[i]);
    text[key.len] = '\0';
    char *copy = text + key.len + 1;
    if (value.len > 0)
        memcpy(copy, value.data, value.len);
    copy[value.len] = '\0';
    *ret_entry = (oy_metadata_entry){
        .key = {text, key.len},
        .value = {copy, value.len},
    };
    ret_entry->is_bin = oy_metadata_key_is_bin(ret_entry->key);
    return 0;
}

static oyez_str without_spaces(oyez_str text)
{
    while (text.len > 0 && text.data[0] == ' ') {
        text.data++;
        text.len--;
    }
    while (text.len > 0 && text.data[text.len - 1] == ' ')
        text.len--;
    return text;
}

static bool is_bin_any_case(oyez_str key)
{
    static const char suffix[] = "-bin";
    const size_t len = sizeof(suffix) - 1;
    if (key.len < len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (lower(key.data[key.len - len + i]) != suffix[i])
            return false;
    return true;
}

/* Makes an entry of what a user gave, if it may travel. */
static oyez_err make_checked_entry(oyez_metadata *metadata, oyez_str key, oyez_str value,
                                   bool trusted, oy_metadata_entry *ret_entry)
{
    if (!is_bin_any_case(key)) {
        value = without_spaces(value);
        if (!oy_metadata_value_valid(value))
            return OYEZ_EVALUE;
    }
    oy_arena_mark mark = {0};
    if (metadata->arena)
        mark = oy_arena_get_mark(metadata->arena);
    oy_metadata_entry entry;
    oyez_err err = make_entry(metadata, key, value, &entry);
    if (err)
        return err;
    if (!oy_metadata_key_valid(entry.key) || (!trusted && oy_metadata_key_reserved(entry.key))) {
        free_entry(metadata, &entry);
        if (metadata->arena)
            oy_arena_back_to(metadata->arena, mark);
        return OYEZ_EKEY;
    }
    *ret_entry = entry;
    return 0;
}

oyez_err oy_metadata_append(oyez_metadata *metadata, oyez_str key, oyez_str value, bool trusted)
{
    oy_metadata_entry entry;
    oyez_err err = reserve(metadata, (size_t)metadata->count + 1);
    if (!err)
        err = make_checked_entry(metadata, key, value, trusted, &entry);
    if (!err)
        push(metadata, entry);
    return err;
}

oyez_err oy_metadata_add_arena(oyez_metadata *metadata, oyez_str key, oyez_str value)
{
    oy_assert(metadata->arena);
    oyez_err err = reserve(metadata, (size_t)metadata->count + 1);
    if (err)
        return err;
    push(metadata, (oy_metadata_entry){key, value, oy_metadata_key_is_bin(key)});
    return 0;
}

oyez_err oyez_metadata_append(oyez_metadata *metadata, const char *key, const void *value,
                              size_t len)
{
    if (!metadata || !key || (!value && len > 0))
        return OYEZ_ENULL;
    return oy_metadata_append(metadata, oy_str(key), (oyez_str){value, len}, false);
}

static bool has_key(const oy_metadata_entry *entry, oyez_str key)
{
    if (entry->key.len != key.len)
        return false;
    for (size_t i = 0; i < key.len; i++)
        if (entry->key.data[i] != lower(key.data[i]))
            return false;
    return true;
}

/* Drops the entries of a key from index `from` on; returns how many. */
static uint32_t remove_from(oyez_metadata *metadata, oyez_str key, uint32_t from)
{
    uint32_t kept = from;
    uint32_t before = metadata->count;
    for (uint32_t i = from; i < before; i++) {
        oy_metadata_entry *entry = &metadata->entries[i];
        if (has_key(entry, key)) {
            metadata->list_bytes -= entry_list_bytes(entry);
            free_entry(metadata, entry);
        } else {
            metadata->entries[kept++] = *entry;
        }
    }
    metadata->count = kept;
    return before - kept;
}

oyez_err oyez_metadata_set(oyez_metadata *metadata, const char *key, const void *value, size_t len)
{
    oy_metadata_entry entry;
    if (!metadata || !key || (!value && len > 0))
        return OYEZ_ENULL;
    oyez_err err = reserve(metadata, (size_t)metadata->count + 1);
    if (!err)
        err = make_checked_entry(metadata, oy_str(key), (oyez_str){value, len}, false, &entry);
    if (err)
        return err;
    for (uint32_t i = 0; i < metadata->count; i++) {
        oy_metadata_entry *old = &metadata->entries[i];
        if (!has_key(old, entry.key))
            continue;
        (void)remove_from(metadata, entry.key, i + 1);
        metadata->list_bytes += entry_list_bytes(&entry) - entry_list_bytes(old);
        free_entry(metadata, old);
        *old = entry;
        return 0;
    }
    push(metadata, entry);
    return 0;
}

oyez_err oyez_metadata_join(oyez_metadata *metadata, const oyez_metadata *from)
{
    if (!metadata)
        return OYEZ_ENULL;
    uint32_t before = metadata->count;
    uint32_t count = from ? from->count : 0;
    oyez_err err = reserve(metadata, (size_t)before + count);
    for (uint32_t i = 0; i < count && !err; i++) {
        oy_metadata_entry entry;
        err = make_entry(metadata, from->entries[i].key, from->entries[i].value, &entry);
        if (!err)
            push(metadata, entry);
    }
    while (err && metadata->count > before) {
        oy_metadata_entry *last = &metadata->entries[--metadata->count];
        metadata->list_bytes -= entry_list_bytes(last);
        free_entry(metadata, last);
    }
    return err;
}

size_t oyez_metadata_remove(oyez_metadata *metadata, const char *key)
{
    return metadata ? remove_from(metadata, oy_str(key), 0) : 0;
}

static bool next_value(const oyez_metadata *metadata, oyez_str key, size_t *at, oyez_str *ret_value)
{
    for (size_t i = *at; metadata && i < metadata->count; i++) {
        if (!has_key(&metadata->entries[i], key))
            continue;
        *ret_value = metadata->entries[i].value;
        *at = i + 1;
        return true;
    }
    return false;
}

oyez_str oy_metadata_find(const oyez_metadata *metadata, oyez_str key)
{
    size_t at = 0;
    oyez_str value = {NULL, 0};
    (void)next_value(metadata, key, &at, &value);
    return value;
}

oyez_str oyez_metadata_get(const oyez_metadata *metadata, const char *key)
{
    return oy_metadata_find(metadata, oy_str(key));
}

bool oyez_metadata_next(const oyez_metadata *metadata, const char *key, size_t *at,
                        oyez_str *ret_value)
{
    return next_value(metadata, oy_str(key), at, ret_value);
}

size_t oyez_metadata_count(const oyez_metadata *metadata)
{
    return metadata ? metadata->count : 0;
}

bool oyez_metadata_at(const oyez_metadata *metadata, size_t index, oyez_str *ret_key,
                      oyez_str *ret_value)
{
    if (!metadata || index >= metadata->count)
        return false;
    if (ret_key)
        *ret_key = metadata->entries[index].key;
    if (ret_value)
        *ret_value = metadata->entries[index].value;
    return true;
}

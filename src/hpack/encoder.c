/* SPDX-License-Identifier: Apache-2.0 */
/* Fields into header blocks.
 *
 * The dynamic table is a ring of entries found by two hashes, of name and value and of the name alone.
 * An entry is known by a running number, and the chains lead from a younger entry to an older one: where
 * a number is no longer alive the chain ends, so evicting costs nothing. All of it starts with nothing and
 * doubles when what is in the table needs it. */
#include "hpack/hpack.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/random.h"
#include "hpack/integer.h"
#include "hpack/ring.h"
#include "hpack/static_table.h"

#define STATIC_BUCKETS 128u
#define CHAIN_MAX      32u
#define FIRST_ROOM     128u /* four entries */

typedef struct table_entry {
    const char *text; /* name, then value */
    uint32_t name_len, value_len;
    uint32_t field_hash, name_hash;
    uint32_t older_field, older_name; /* number of the next entry in the chain */
} table_entry;

struct oy_hpack_encoder {
    uint32_t own_bytes;  /* what _new was given */
    uint32_t peer_bytes; /* what the peer allows */
    uint32_t max_bytes;  /* the smaller of both */
    uint32_t smallest;   /* of the sizes since the last block; valid while update_due */
    bool update_due;
    bool block_changed; /* the latest block has changed the table: it must not be sent twice */
    uint32_t generation;
    uint32_t used_bytes;
    uint32_t room;   /* entries and strings of so many bytes have a place; a power of two, or 0 */
    uint32_t count;  /* live entries */
    uint32_t newest; /* number of the newest entry; number & mask is its position */
    uint32_t mask;   /* number of positions, and of buckets, - 1 */
    uint64_t seed;
    table_entry *entries;         /* one block with the two below and the ring's bytes */
    uint32_t *by_field, *by_name; /* buckets: the number of the youngest entry */
    oy_hpack_ring ring;
    /* The static table, hashed with the same seed: buckets and chains of indices, 0 ends. */
    uint8_t static_by_field[STATIC_BUCKETS], static_by_name[STATIC_BUCKETS];
    uint8_t static_next_field[OY_HPACK_STATIC_COUNT + 1],
        static_next_name[OY_HPACK_STATIC_COUNT + 1];
};

static bool same(const char *text, oyez_str other)
{
    return other.len == 0 || memcmp(text, other.data, other.len) == 0;
}

/* A quick hash is good enough: who finds collisions gains nothing, as a chain is only followed for
 * CHAIN_MAX steps, and a field that is not found is merely coded longer. */
static uint32_t hash_text(oyez_str text, uint64_t hash)
{
    const char *at = text.data;
    size_t left = text.len;
    uint64_t word;

    hash ^= text.len;
    for (; left > sizeof(word); left -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    if (text.len >= sizeof(word)) {
        memcpy(&word, at + left - sizeof(word), sizeof(word)); /* some of it for the second time */
    } else {
        for (word = 0; left > 0; left--)
            word = word << 8 | (uint8_t)*at++;
    }
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 32);
}

static uint32_t hash_name(const oy_hpack_encoder *encoder, oyez_str name)
{
    return hash_text(name, encoder->seed);
}

static uint32_t hash_field(const oy_hpack_encoder *encoder, uint32_t name_hash, oyez_str value)
{
    return hash_text(value, encoder->seed ^ name_hash);
}

static void hash_static_table(oy_hpack_encoder *encoder)
{
    /* Backwards, so that the lowest index comes first in its chain. */
    for (uint8_t index = OY_HPACK_STATIC_COUNT; index > 0; index--) {
        const oy_hpack_static *field = &oy_hpack_static_table[index - 1];
        uint32_t hash = hash_name(encoder, field->name);
        uint8_t *bucket = &encoder->static_by_name[hash % STATIC_BUCKETS];
        encoder->static_next_name[index] = *bucket;
        *bucket = index;

        hash = hash_field(encoder, hash, field->value);
        bucket = &encoder->static_by_field[hash % STATIC_BUCKETS];
        encoder->static_next_field[index] = *bucket;
        *bucket = index;
    }
}

oyez_err oy_hpack_encoder_new(uint32_t table_bytes, oy_hpack_encoder **ret_encoder)
{
    if (table_bytes > OY_HPACK_MAX_TABLE_BYTES)
        return OYEZ_EINVAL;
    oy_hpack_encoder *encoder = oy_alloc_zero(sizeof(*encoder));
    if (!encoder)
        return OYEZ_ENOMEM;
    encoder->generation = 1;
    encoder->seed = oy_random_seed();
    encoder->own_bytes = table_bytes;
    encoder->peer_bytes = OY_HPACK_DEFAULT_TABLE_BYTES;
    encoder->max_bytes = OY_HPACK_DEFAULT_TABLE_BYTES;
    if (table_bytes < OY_HPACK_DEFAULT_TABLE_BYTES) {
        encoder->max_bytes = encoder->smallest = table_bytes;
        encoder->update_due = true;
    }
    hash_static_table(encoder);
    *ret_encoder = encoder;
    return OYEZ_NO_ERR;
}

void oy_hpack_encoder_free(oy_hpack_encoder *encoder)
{
    if (!encoder)
        return;
    oy_free(encoder->entries);
    oy_free(encoder);
}

/* --- table ------------------------------------------------------------------------------------------ */

static void next_generation(oy_hpack_encoder *encoder)
{
    if (++encoder->generation == 0)
        encoder->generation = 1; /* 0 stays free for "none" */
}

static uint32_t entry_bytes(const table_entry *entry)
{
    return entry->name_len + entry->value_len + OY_HPACK_ENTRY_OVERHEAD;
}

static const table_entry *oldest_entry(const oy_hpack_encoder *encoder)
{
    return &encoder->entries[(encoder->newest - (encoder->count - 1)) & encoder->mask];
}

static void evict_to(oy_hpack_encoder *encoder, uint32_t bytes)
{
    while (encoder->used_bytes > bytes) {
        encoder->used_bytes -= entry_bytes(oldest_entry(encoder));
        encoder->count--;
    }
}

static void chain_entry(oy_hpack_encoder *encoder, uint32_t number)
{
    table_entry *entry = &encoder->entries[number & encoder->mask];
    uint32_t *by_field = &encoder->by_field[entry->field_hash & encoder->mask];
    uint32_t *by_name = &encoder->by_name[entry->name_hash & encoder->mask];
    entry->older_field = *by_field;
    entry->older_name = *by_name;
    *by_field = *by_name = number;
}

/* Moves the table to where `bytes` have room. False: no memory, and nothing has changed. */
static bool grow_table(oy_hpack_encoder *encoder, uint32_t bytes)
{
    uint32_t room = encoder->room ? encoder->room : FIRST_ROOM;
    while (room < bytes)
        room *= 2;
    const uint32_t positions = room / OY_HPACK_ENTRY_OVERHEAD;
    const size_t buckets_bytes = positions * 2 * sizeof(uint32_t);
    table_entry *entries =
        oy_alloc(positions * sizeof(*entries) + buckets_bytes + (size_t)room * 2);
    if (!entries)
        return false;

    const oy_hpack_encoder old = *encoder;
    encoder->room = room;
    encoder->mask = positions - 1;
    encoder->entries = entries;
    encoder->by_field = (uint32_t *)(entries + positions);
    encoder->by_name = encoder->by_field + positions;
    encoder->ring = (oy_hpack_ring){(char *)(encoder->by_name + positions), (size_t)room * 2, 0};
    memset(encoder->by_field, 0, buckets_bytes);
    for (uint32_t age = old.count; age-- > 0;) {
        const uint32_t number = old.newest - age;
        table_entry *entry = &encoder->entries[number & encoder->mask];
        *entry = old.entries[number & old.mask];
        const size_t len = entry->name_len + entry->value_len;
        entry->text = memcpy(encoder->ring.bytes + encoder->ring.next, entry->text, len);
        encoder->ring.next += len;
        chain_entry(encoder, number);
    }
    oy_free(old.entries);
    return true;
}

/* False: there is no memory for it, and nothing has changed. */
static bool insert_entry(oy_hpack_encoder *encoder, oyez_str name, oyez_str value,
                         uint32_t name_hash, uint32_t field_hash)
{
    const uint32_t bytes = (uint32_t)(name.len + value.len) + OY_HPACK_ENTRY_OVERHEAD;
    const uint32_t left = encoder->max_bytes - bytes; /* for the others */
    const uint32_t needed = bytes + (encoder->used_bytes < left ? encoder->used_bytes : left);
    if (needed > encoder->room && !grow_table(encoder, needed))
        return false;
    evict_to(encoder, left);

    const char *oldest = encoder->count > 0 ? oldest_entry(encoder)->text : NULL;
    char *text = oy_hpack_ring_place(&encoder->ring, oldest, name.len + value.len);
    if (name.len > 0)
        memcpy(text, name.data, name.len);
    if (value.len > 0)
        memcpy(text + name.len, value.data, value.len);

    const uint32_t number = ++encoder->newest;
    encoder->entries[number & encoder->mask] = (table_entry){
        .text = text,
        .name_len = (uint32_t)name.len,
        .value_len = (uint32_t)value.len,
        .field_hash = field_hash,
        .name_hash = name_hash,
    };
    chain_entry(encoder, number);
    encoder->count++;
    encoder->used_bytes += bytes;
    encoder->block_changed = true;
    next_generation(encoder);
    return true;
}

/* A walk along a chain of the dynamic table. Ages must rise on the way: a dead number is older than all
 * that live, so it ends the chain, also when the numbers have wrapped around and it looks alive. */
typedef struct chain_walk {
    uint32_t least_age, steps;
} chain_walk;

/* The entry with that number and its age; NULL: the chain has ended. */
static const table_entry *chain_step(const oy_hpack_encoder *encoder, chain_walk *walk,
                                     uint32_t number, uint32_t *ret_age)
{
    const uint32_t age = encoder->newest - number;
    if (age >= encoder->count || age < walk->least_age || walk->steps++ == CHAIN_MAX)
        return NULL;
    walk->least_age = age + 1;
    *ret_age = age;
    return &encoder->entries[number & encoder->mask];
}

/* The index of the field in one of the tables; 0: in none. */
static uint32_t find_field(const oy_hpack_encoder *encoder, oyez_str name, oyez_str value,
                           uint32_t hash)
{
    for (uint8_t index = encoder->static_by_field[hash % STATIC_BUCKETS]; index > 0;
         index = encoder->static_next_field[index]) {
        const oy_hpack_static *field = &oy_hpack_static_table[index - 1];
        if (field->name.len == name.len && field->value.len == value.len &&
            same(field->name.data, name) && same(field->value.data, value))
            return index;
    }
    if (encoder->count == 0)
        return 0;
    chain_walk walk = {0};
    const table_entry *entry;
    uint32_t age;
    for (uint32_t number = encoder->by_field[hash & encoder->mask];
         (entry = chain_step(encoder, &walk, number, &age)); number = entry->older_field)
        if (entry->field_hash == hash && entry->name_len == name.len &&
            entry->value_len == value.len && same(entry->text, name) &&
            same(entry->text + name.len, value))
            return OY_HPACK_STATIC_COUNT + 1 + age;
    return 0;
}

/* The index of any entry with that name; 0: there is none. */
static uint32_t find_name(const oy_hpack_encoder *encoder, oyez_str name, uint32_t hash)
{
    for (uint8_t index = encoder->static_by_name[hash % STATIC_BUCKETS]; index > 0;
         index = encoder->static_next_name[index]) {
        const oy_hpack_static *field = &oy_hpack_static_table[index - 1];
        if (field->name.len == name.len && same(field->name.data, name))
            return index;
    }
    if (encoder->count == 0)
        return 0;
    chain_walk walk = {0};
    const table_entry *entry;
    uint32_t age;
    for (uint32_t number = encoder->by_name[hash & encoder->mask];
         (entry = chain_step(encoder, &walk, number, &age)); number = entry->older_name)
        if (entry->name_hash == hash && entry->name_len == name.len && same(entry->text, name))
            return OY_HPACK_STATIC_COUNT + 1 + age;
    return 0;
}

/* --- blocks ----------------------------------------------------------------------------------------- */

void oy_hpack_encoder_set_peer_limit(oy_hpack_encoder *encoder, uint32_t table_bytes)
{
    const bool lowered = table_bytes < encoder->peer_bytes;
    const uint32_t bytes = table_bytes < encoder->own_bytes ? table_bytes : encoder->own_bytes;

    encoder->peer_bytes = table_bytes;
    /* A peer that lowers its limit may insist on an update even if we are below it already. */
    if (bytes == encoder->max_bytes && !lowered)
        return;
    if (!encoder->update_due || bytes < encoder->smallest)
        encoder->smallest = bytes;
    encoder->update_due = true;
    encoder->max_bytes = bytes;
    evict_to(encoder, bytes);
    next_generation(encoder);
}

uint32_t oy_hpack_encoder_generation(oy_hpack_encoder *encoder)
{
    /* Whoever remembers this number for the block that changed the table must not find it again. */
    if (encoder->block_changed)
        next_generation(encoder);
    return encoder->generation;
}

static __attribute__((noinline)) size_t put_size_updates(oy_hpack_encoder *encoder, uint8_t *dst)
{
    uint8_t *end = dst;

    if (encoder->smallest < encoder->max_bytes)
        end = oy_hpack_integer_put(end, 0x20, 5, encoder->smallest);
    end = oy_hpack_integer_put(end, 0x20, 5, encoder->max_bytes);
    encoder->update_due = false;
    encoder->block_changed = true;
    return (size_t)(end - dst);
}

size_t oy_hpack_encode_begin(oy_hpack_encoder *encoder, uint8_t *dst)
{
    if (oy_unlikely(encoder->block_changed)) {
        next_generation(encoder);
        encoder->block_changed = false;
    }
    return oy_unlikely(encoder->update_due) ? put_size_updates(encoder, dst) : 0;
}

static uint8_t *put_string(uint8_t *dst, oyez_str text)
{
    const size_t coded = oy_huffman_encoded_len(text);

    if (coded < text.len) {
        dst = oy_hpack_integer_put(dst, 0x80, 7, (uint32_t)coded);
        return dst + oy_huffman_encode(text, dst);
    }
    dst = oy_hpack_integer_put(dst, 0, 7, (uint32_t)text.len);
    if (text.len > 0)
        memcpy(dst, text.data, text.len);
    return dst + text.len;
}

/* An entry that drives most of the others out is not worth its place. */
static bool worth_a_place(const oy_hpack_encoder *encoder, oyez_str name, oyez_str value)
{
    const uint32_t most = encoder->max_bytes / 4 * 3;
    return most >= OY_HPACK_ENTRY_OVERHEAD && name.len <= most - OY_HPACK_ENTRY_OVERHEAD &&
           value.len <= most - OY_HPACK_ENTRY_OVERHEAD - name.len;
}

size_t oy_hpack_encode(oy_hpack_encoder *encoder, oyez_str name, oyez_str value, oy_hpack_mode mode,
                       uint8_t *dst)
{
    uint8_t *end = dst;
    uint32_t field_hash = 0;
    const uint32_t name_hash = hash_name(encoder, name);

    if (mode != OY_HPACK_NEVER) {
        field_hash = hash_field(encoder, name_hash, value);
        const uint32_t index = find_field(encoder, name, value, field_hash);
        if (index > 0)
            return (size_t)(oy_hpack_integer_put(end, 0x80, 7, index) - dst);
    }

    const uint32_t name_index = find_name(encoder, name, name_hash);
    if (mode == OY_HPACK_INDEX && worth_a_place(encoder, name, value) &&
        insert_entry(encoder, name, value, name_hash, field_hash))
        end = oy_hpack_integer_put(end, 0x40, 6, name_index);
    else
        end = oy_hpack_integer_put(end, mode == OY_HPACK_NEVER ? 0x10 : 0, 4, name_index);
    if (name_index == 0)
        end = put_string(end, name);
    return (size_t)(put_string(end, value) - dst);
}

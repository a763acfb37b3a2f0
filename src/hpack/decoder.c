/* SPDX-License-Identifier: Apache-2.0 */
/* Header blocks into fields.
 *
 * An entry of the tables holds the field as the caller gets it, so an indexed field is a look-up,
 * nothing more. The strings of the dynamic table live in a ring (ring.h), the
 * entries in another; both start small and double when what is in the table needs it. Of the static
 * table only those fields that a peer has used have an entry. Literals are used where they lie in the
 * block; only Huffman-coded ones go through the scratch buffer, which never grows beyond what the
 * limits let in, and does not stay when it was large.
 *
 * The size of the list is counted while decoding (hpack bombs: CVE-2023-33953). Past the limit a string
 * is decoded only when it has to enter the table. */
#include "hpack/hpack.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "hpack/huffman.h"
#include "hpack/integer.h"
#include "hpack/ring.h"
#include "hpack/static_table.h"

#define FIRST_ROOM          256u /* eight entries */
#define FIRST_STATICS       4u
#define FIRST_SCRATCH_BYTES 256u
#define KEEP_SCRATCH_BYTES  4096u
/* The largest index that is coded in one byte. */
#define LAST_SHORT_INDEX 0x7eu

typedef struct table_entry {
    oy_hpack_field field; /* its note is the one behind */
    oy_hpack_note note;
} table_entry;

struct oy_hpack_decoder {
    oy_hpack_decoder_limits limits;
    bool update_due;     /* the peer has acknowledged a smaller table: a size update has to come */
    uint32_t max_bytes;  /* as the last size update said */
    uint32_t used_bytes; /* of the entries: name + value + 32 each */
    uint32_t room;   /* `entries` and `ring` hold so many of these bytes; a power of two, or 0 */
    uint32_t count;  /* live entries */
    uint32_t newest; /* position of the newest one in `entries` */
    uint32_t mask;   /* number of positions - 1 */
    table_entry *entries; /* the ring's bytes are behind them in the same block */
    oy_hpack_ring ring;
    char *scratch;
    size_t scratch_bytes;
    table_entry *statics; /* of the static table, those that were used */
    uint8_t static_count, static_places;
    uint8_t
        static_at[OY_HPACK_STATIC_COUNT + 1]; /* by index: 1 + the place in `statics`; 0: none */
};

/* A string literal on its way. */
typedef struct literal {
    oyez_str text;
    bool in_scratch;
    /* Too long for anything, or of no use: `text` must not be used, its length is the coded one. */
    bool skipped;
} literal;

oyez_err oy_hpack_decoder_new(const oy_hpack_decoder_limits *limits, oy_hpack_decoder **ret_decoder)
{
    if (limits->table_bytes > OY_HPACK_MAX_TABLE_BYTES)
        return OYEZ_EINVAL;
    oy_hpack_decoder *decoder = oy_alloc_zero(sizeof(*decoder));
    if (!decoder)
        return OYEZ_ENOMEM;
    decoder->limits = *limits;
    /* Until the peer has seen our settings it may use what the protocol starts with. */
    decoder->max_bytes = OY_HPACK_DEFAULT_TABLE_BYTES;
    *ret_decoder = decoder;
    return OYEZ_NO_ERR;
}

void oy_hpack_decoder_free(oy_hpack_decoder *decoder)
{
    if (!decoder)
        return;
    oy_free(decoder->entries);
    oy_free(decoder->statics);
    oy_free(decoder->scratch);
    oy_free(decoder);
}

void oy_hpack_decoder_settings_acked(oy_hpack_decoder *decoder)
{
    if (decoder->max_bytes > decoder->limits.table_bytes)
        decoder->update_due = true;
}

static oyez_err fail(oy_hpack_reader *reader, const char *words)
{
    reader->words = words;
    return OYEZ_EPROTO;
}

/* --- table ------------------------------------------------------------------------------------------ */

static uint32_t field_bytes(const oy_hpack_field *field)
{
    return (uint32_t)(field->name.len + field->value.len) + OY_HPACK_ENTRY_OVERHEAD;
}

static table_entry *oldest_entry(oy_hpack_decoder *decoder)
{
    return &decoder->entries[(decoder->newest - (decoder->count - 1)) & decoder->mask];
}

static void evict_to(oy_hpack_decoder *decoder, uint32_t bytes)
{
    while (decoder->used_bytes > bytes) {
        decoder->used_bytes -= field_bytes(&oldest_entry(decoder)->field);
        decoder->count--;
    }
}

/* The entry of a field of the static table, made when it is used first; NULL: no memory. */
static const table_entry *static_entry(oy_hpack_decoder *decoder, uint32_t index)
{
    if (decoder->static_at[index] > 0) /* its index was coded longer than need be */
        return &decoder->statics[decoder->static_at[index] - 1];
    if (decoder->static_count == decoder->static_places) {
        const uint32_t places =
            decoder->static_places ? decoder->static_places * 2u : FIRST_STATICS;
        table_entry *statics = oy_realloc(decoder->statics, places * sizeof(*statics));
        if (!statics)
            return NULL;
        for (uint32_t i = 0; i < decoder->static_count; i++)
            statics[i].field.note = &statics[i].note;
        decoder->statics = statics;
        decoder->static_places = (uint8_t)places;
    }
    const oy_hpack_static *from = &oy_hpack_static_table[index - 1];
    table_entry *entry = &decoder->statics[decoder->static_count++];
    *entry = (table_entry){.field = {from->name, from->value, from->token, false, &entry->note}};
    decoder->static_at[index] = decoder->static_count;
    return entry;
}

/* `index` is one of the dynamic table's. */
static const table_entry *dynamic_entry(const oy_hpack_decoder *decoder, uint32_t index)
{
    return &decoder
                ->entries[(decoder->newest - (index - OY_HPACK_STATIC_COUNT - 1)) & decoder->mask];
}

/* Puts the strings to a new place. */
static void set_strings(table_entry *entry, char *text, oyez_str name, oyez_str value)
{
    if (name.len > 0)
        memmove(text, name.data, name.len);
    if (value.len > 0)
        memcpy(text + name.len, value.data, value.len);
    entry->field.name = (oyez_str){text, name.len};
    entry->field.value = (oyez_str){text + name.len, value.len};
    entry->field.note = &entry->note;
}

/* Makes room for `bytes` of table. The old block is still there afterwards, for strings in it that are no
 * longer in the table: the caller frees it. */
static oyez_err grow_table(oy_hpack_decoder *decoder, uint32_t bytes, void **ret_old)
{
    uint32_t room = decoder->room ? decoder->room : FIRST_ROOM;
    while (room < bytes)
        room *= 2;
    const uint32_t positions = room / OY_HPACK_ENTRY_OVERHEAD;
    table_entry *entries = oy_alloc(positions * sizeof(*entries) + (size_t)room * 2);
    if (!entries)
        return OYEZ_ENOMEM;

    oy_hpack_ring ring = {(char *)(entries + positions), (size_t)room * 2, 0};
    for (uint32_t i = 0; i < decoder->count; i++) {
        const uint32_t age = decoder->count - 1 - i;
        const oy_hpack_field *from =
            &decoder->entries[(decoder->newest - age) & decoder->mask].field;
        entries[i].field = *from;
        entries[i].note = *from->note;
        set_strings(&entries[i], ring.bytes + ring.next, from->name, from->value);
        ring.next += from->name.len + from->value.len;
    }
    *ret_old = decoder->entries;
    decoder->entries = entries;
    decoder->ring = ring;
    decoder->room = room;
    decoder->mask = positions - 1;
    decoder->newest = decoder->count - 1; /* also where there is none */
    return OYEZ_NO_ERR;
}

/* RFC 7541 section 4.4. *ret_entry is NULL when the field is larger than the table, which is empty then.
 * The name may be that of an entry that is evicted here, and its bytes may be where the new ones go. */
static oyez_err insert_entry(oy_hpack_decoder *decoder, const oy_hpack_field *field,
                             const table_entry **ret_entry)
{
    const uint32_t bytes = field_bytes(field);
    void *old = NULL;

    *ret_entry = NULL;
    if (bytes > decoder->max_bytes) {
        evict_to(decoder, 0);
        return OYEZ_NO_ERR;
    }
    evict_to(decoder, decoder->max_bytes - bytes);
    if (decoder->used_bytes + bytes > decoder->room) {
        oyez_err err = grow_table(decoder, decoder->used_bytes + bytes, &old);
        if (err)
            return err;
    }

    const char *oldest = decoder->count > 0 ? oldest_entry(decoder)->field.name.data : NULL;
    char *text = oy_hpack_ring_place(&decoder->ring, oldest, field->name.len + field->value.len);
    decoder->newest = (decoder->newest + 1) & decoder->mask;
    decoder->count++;
    decoder->used_bytes += bytes;
    table_entry *entry = &decoder->entries[decoder->newest];
    *entry = (table_entry){.field = {.token = field->token}};
    set_strings(entry, text, field->name, field->value);
    oy_free(old);
    *ret_entry = entry;
    return OYEZ_NO_ERR;
}

/* --- parts of a block --------------------------------------------------------------------------------- */

static oyez_err read_integer(oy_hpack_reader *reader, unsigned prefix_bits, uint32_t *ret_value)
{
    switch (oy_hpack_integer_get(&reader->at, reader->end, prefix_bits, ret_value)) {
    case OY_HPACK_INTEGER_OK:
        return OYEZ_NO_ERR;
    case OY_HPACK_INTEGER_CUT:
        return fail(reader, "the header block ends inside an integer");
    case OY_HPACK_INTEGER_LARGE:
        break;
    }
    return fail(reader, "an integer in the header block is too large");
}

static oyez_err grow_scratch(oy_hpack_decoder *decoder, size_t bytes)
{
    if (bytes <= decoder->scratch_bytes)
        return OYEZ_NO_ERR;
    size_t rounded = decoder->scratch_bytes ? decoder->scratch_bytes : FIRST_SCRATCH_BYTES;
    while (rounded < bytes)
        rounded *= 2;
    char *scratch = oy_realloc(decoder->scratch, rounded);
    if (!scratch)
        return OYEZ_ENOMEM;
    decoder->scratch = scratch;
    decoder->scratch_bytes = rounded;
    return OYEZ_NO_ERR;
}

/* Reads a string literal (RFC 7541 section 5.2) of at most `cap` bytes; a longer one is skipped. Decoded
 * text goes behind the first `scratch_used` bytes of the scratch buffer, which may move. */
static oyez_err read_string(oy_hpack_reader *reader, size_t cap, size_t scratch_used,
                            literal *ret_literal)
{
    if (reader->at == reader->end)
        return fail(reader, "the header block ends before a string");
    const bool huffman = *reader->at & 0x80;
    uint32_t len;
    oyez_err err = read_integer(reader, 7, &len);
    if (err)
        return err;
    if (len > (size_t)(reader->end - reader->at))
        return fail(reader, "a string is longer than the rest of the header block");
    const uint8_t *data = reader->at;
    reader->at += len;

    *ret_literal = (literal){.text = {(const char *)data, len}};
    if (!huffman || len == 0) {
        ret_literal->skipped = len > cap;
        return OYEZ_NO_ERR;
    }
    if (cap == 0) {
        ret_literal->skipped = true;
        return OYEZ_NO_ERR;
    }
    size_t most = oy_huffman_decoded_max(len);
    if (most > cap)
        most = cap;
    oy_hpack_decoder *decoder = reader->decoder;
    err = grow_scratch(decoder, scratch_used + most);
    if (err)
        return err;
    char *text = decoder->scratch + scratch_used;
    err = oy_huffman_decode_upto(data, len, text, most, &ret_literal->text.len);
    if (err == OYEZ_ELIMIT) {
        ret_literal->skipped = true;
        return OYEZ_NO_ERR;
    }
    if (err)
        return fail(reader, "a Huffman-coded string has a wrong padding or an EOS inside");
    ret_literal->text.data = text;
    ret_literal->in_scratch = true;
    return OYEZ_NO_ERR;
}

/* How long the strings of a literal may be so that somebody wants them: the caller, as far as the list
 * has room, or the table. */
static size_t useful_bytes(const oy_hpack_reader *reader, bool indexing)
{
    const uint32_t list_limit = reader->decoder->limits.list_bytes;
    size_t room = reader->list_bytes < list_limit ? list_limit - (size_t)reader->list_bytes : 0;
    if (indexing && room < reader->decoder->max_bytes)
        room = reader->decoder->max_bytes;
    return room > OY_HPACK_ENTRY_OVERHEAD ? room - OY_HPACK_ENTRY_OVERHEAD : 0;
}

/* A literal field that neither the table nor the caller can take. */
static void skip_field(oy_hpack_reader *reader, bool indexing, size_t bytes)
{
    const uint64_t over = (uint64_t)reader->decoder->limits.list_bytes + 1;

    reader->list_bytes += bytes + OY_HPACK_ENTRY_OVERHEAD;
    if (reader->list_bytes < over)
        reader->list_bytes = over; /* it was counted by its coded length, and is longer than that */
    if (indexing)
        evict_to(reader->decoder, 0);
}

/* RFC 7541 section 6.2; the three forms differ in the width of the index and in what follows from
 * them. *ret_field is NULL when nobody needs it. */
static oyez_err read_literal(oy_hpack_reader *reader, const oy_hpack_field **ret_field)
{
    oy_hpack_decoder *decoder = reader->decoder;
    oy_hpack_field *field = &reader->literal;
    const uint8_t first = *reader->at;
    const bool indexing = first & 0x40;
    literal name = {0}, value;
    uint32_t index;

    if (!indexing && first & 0x20)
        return fail(reader, "a table size update stands behind a field");
    *field = (oy_hpack_field){.never_index = !indexing && first & 0x10};
    oyez_err err = read_integer(reader, indexing ? 6 : 4, &index);
    if (err)
        return err;
    const size_t cap = useful_bytes(reader, indexing);
    if (index > 0) {
        if (index > OY_HPACK_STATIC_COUNT + decoder->count)
            return fail(reader, "the index of a name is past the end of the table");
        if (index <= OY_HPACK_STATIC_COUNT) {
            name.text = oy_hpack_static_table[index - 1].name;
            field->token = oy_hpack_static_table[index - 1].token;
        } else {
            const oy_hpack_field *from = &dynamic_entry(decoder, index)->field;
            name.text = from->name;
            field->token = from->token;
        }
        name.skipped = name.text.len > cap;
    } else {
        err = read_string(reader, cap, 0, &name);
        if (err)
            return err;
    }
    err = read_string(reader, name.skipped ? 0 : cap - name.text.len,
                      name.in_scratch ? name.text.len : 0, &value);
    if (err)
        return err;
    if (name.skipped || value.skipped) {
        skip_field(reader, indexing, name.text.len + value.text.len);
        return OYEZ_NO_ERR;
    }
    field->name = name.text;
    if (name.in_scratch)
        field->name.data = decoder->scratch; /* it may have moved */
    field->value = value.text;
    if (index == 0)
        field->token = oy_hpack_token_of(field->name);

    *ret_field = field;
    if (indexing) {
        const table_entry *entry;
        err = insert_entry(decoder, field, &entry);
        if (err)
            return err;
        if (entry)
            *ret_field = &entry->field;
    }
    return OYEZ_NO_ERR;
}

/* RFC 7541 section 6.1. */
static oyez_err read_indexed(oy_hpack_reader *reader, const oy_hpack_field **ret_field)
{
    oy_hpack_decoder *decoder = reader->decoder;
    const table_entry *entry;
    uint32_t index;

    oyez_err err = read_integer(reader, 7, &index);
    if (err)
        return err;
    if (index == 0)
        return fail(reader, "the index of a field is 0");
    if (index > OY_HPACK_STATIC_COUNT + decoder->count)
        return fail(reader, "the index of a field is past the end of the table");
    if (index <= OY_HPACK_STATIC_COUNT)
        entry = static_entry(decoder, index);
    else
        entry = dynamic_entry(decoder, index);
    if (!entry)
        return OYEZ_ENOMEM;
    *ret_field = &entry->field;
    return OYEZ_NO_ERR;
}

/* --- blocks ------------------------------------------------------------------------------------------- */

/* RFC 7541 sections 4.2 and 6.3. Before the first field only, so it is read here and nowhere else. */
static __attribute__((noinline)) oyez_err read_size_updates(oy_hpack_reader *reader)
{
    oy_hpack_decoder *decoder = reader->decoder;
    uint32_t updates = 0;

    for (; reader->at < reader->end && (*reader->at & 0xe0) == 0x20; updates++) {
        if (updates == decoder->limits.size_updates)
            return fail(reader, "the header block begins with too many table size updates");
        uint32_t bytes;
        oyez_err err = read_integer(reader, 5, &bytes);
        if (err)
            return err;
        if (bytes > decoder->limits.table_bytes)
            return fail(reader, "a table size update is above SETTINGS_HEADER_TABLE_SIZE");
        decoder->max_bytes = bytes;
        evict_to(decoder, bytes);
    }
    if (decoder->update_due) {
        /* RFC 9113 section 4.3.1. */
        if (updates == 0)
            return fail(reader, "the table size update that SETTINGS asked for is missing");
        decoder->update_due = false;
    }
    return OYEZ_NO_ERR;
}

void oy_hpack_read_begin(oy_hpack_reader *reader, oy_hpack_decoder *decoder, const uint8_t *block,
                         size_t len)
{
    reader->decoder = decoder;
    reader->at = block;
    reader->end = len > 0 ? block + len : block;
    reader->list_bytes = 0;
    reader->deliver_bytes = decoder->limits.list_bytes;
    reader->err = OYEZ_NO_ERR;
    if (oy_unlikely(decoder->update_due || (len > 0 && (*block & 0xe0) == 0x20)))
        reader->err = read_size_updates(reader);
    if (oy_unlikely(reader->err != OYEZ_NO_ERR))
        reader->at = reader->end;
}

/* In the steady state nearly all fields are indexed, in one byte, and have an entry. False: this one is not,
 * or has none. */
static inline bool is_usual(const oy_hpack_decoder *decoder, uint8_t byte,
                            const table_entry **ret_entry)
{
    const uint32_t index = byte ^ 0x80u; /* large when the field is not indexed */
    if (index - OY_HPACK_STATIC_COUNT - 1 < decoder->count && index <= LAST_SHORT_INDEX) {
        *ret_entry = dynamic_entry(decoder, index);
        return true;
    }
    if (index <= OY_HPACK_STATIC_COUNT && decoder->static_at[index] > 0) {
        *ret_entry = &decoder->statics[decoder->static_at[index] - 1];
        return true;
    }
    return false;
}

/* One field. *ret_field is NULL when nobody needs it. */
static oyez_err read_field(oy_hpack_reader *reader, const oy_hpack_field **ret_field)
{
    const table_entry *entry;
    if (is_usual(reader->decoder, *reader->at, &entry)) {
        reader->at++;
        *ret_field = &entry->field;
        return OYEZ_NO_ERR;
    }
    return *reader->at & 0x80 ? read_indexed(reader, ret_field) : read_literal(reader, ret_field);
}

/* The next field that is to be delivered, in whatever form it comes. */
static __attribute__((noinline)) const oy_hpack_field *read_any(oy_hpack_reader *reader)
{
    while (reader->at < reader->end) {
        const oy_hpack_field *field = NULL;
        reader->err = read_field(reader, &field);
        if (reader->err) {
            reader->at = reader->end;
            break;
        }
        if (field)
            reader->list_bytes += field_bytes(field);
        if (field && reader->list_bytes <= reader->deliver_bytes)
            return field;
    }
    return NULL;
}

const oy_hpack_field *oy_hpack_read(oy_hpack_reader *reader)
{
    const table_entry *entry;

    if (reader->at == reader->end)
        return NULL;
    if (oy_unlikely(!is_usual(reader->decoder, *reader->at, &entry)))
        return read_any(reader);
    const uint64_t list_bytes = reader->list_bytes + field_bytes(&entry->field);
    if (oy_unlikely(list_bytes > reader->deliver_bytes))
        return read_any(reader);
    reader->list_bytes = list_bytes;
    reader->at++;
    return &entry->field;
}

oyez_err oy_hpack_read_end(oy_hpack_reader *reader, oy_hpack_result *ret_result,
                           const char **ret_words)
{
    oy_hpack_decoder *decoder = reader->decoder;

    if (oy_unlikely(reader->at < reader->end)) {
        reader->deliver_bytes = 0; /* each field counts at least 32, so nothing is delivered */
        (void)read_any(reader);
    }
    if (oy_unlikely(decoder->scratch_bytes > KEEP_SCRATCH_BYTES)) {
        oy_free(decoder->scratch);
        decoder->scratch = NULL;
        decoder->scratch_bytes = 0;
    }
    if (oy_unlikely(reader->err != OYEZ_NO_ERR)) {
        if (reader->err == OYEZ_EPROTO)
            *ret_words = reader->words;
        return reader->err;
    }
    ret_result->list_bytes =
        reader->list_bytes < UINT32_MAX ? (uint32_t)reader->list_bytes : UINT32_MAX;
    ret_result->over_limit = reader->list_bytes > decoder->limits.list_bytes;
    return OYEZ_NO_ERR;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of compressors, their idle states, and the two ways of a message through one. The states are kept here, by channel
 * and by server, and not by the compressors: so there is nothing global, and all of it goes with its owner. */
#include "call/compressors.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <oyez/limits.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/options.h"
#include "base/refcount.h"
#include "base/size.h"
#include "base/text.h"

#define MAX_NAME_BYTES 32u
/* A compressed message begins in a block of this size, and goes on in larger ones. */
#define SMALL_BLOCK_BYTES 4096u
#define BLOCK_BYTES 32768u

typedef struct idle_states {
    pthread_mutex_t lock;
    uint32_t count;              /* guarded by lock */
    void *states[OYEZ_LIMIT_IDLE_COMPRESSORS]; /* guarded by lock */
} idle_states;

struct oy_compressor {
    oyez_compressor table;
    oyez_str name;
    uint32_t bit;
    idle_states *idle[2];        /* by direction; of the list, behind it */
};

struct oy_compressors {
    oy_refcount refs;
    uint32_t count;
    oyez_str names;              /* for grpc-accept-encoding */
    idle_states *idle;           /* two for each */
    oy_compressor items[];
};

/* --- the library's own ---------------------------------------------------------------------------------------------- */

static const oyez_compressor identity = { OYEZ_COMPRESSOR_INIT, .name = "identity" };

const oyez_compressor *oyez_identity(void)
{
    return &identity;
}

const oyez_compressor *oyez_gzip(int level)
{
#if OY_WITH_ZLIB
    return oy_gzip_compressor(level);
#else
    (void)level;
    return NULL;
#endif
}

const oyez_compressor *oyez_deflate(int level)
{
#if OY_WITH_ZLIB
    return oy_deflate_compressor(level);
#else
    (void)level;
    return NULL;
#endif
}

const oyez_compressor *oyez_zstd(int level)
{
#if OY_WITH_ZSTD
    return oy_zstd_compressor(level);
#else
    (void)level;
    return NULL;
#endif
}

/* --- the list ------------------------------------------------------------------------------------------------------- */

bool oy_encoding_is_none(oyez_str encoding)
{
    return encoding.len == 0 || oy_str_eq(encoding, OYEZ_STR("identity"));
}

static bool name_valid(const char *name)
{
    size_t len = 0;
    while (name[len] != '\0' && len <= MAX_NAME_BYTES &&
           ((name[len] >= 'a' && name[len] <= 'z') || (name[len] >= '0' && name[len] <= '9') ||
            strchr("-._+!#$%&'*^`|~", name[len])))
        len++;
    return len > 0 && len <= MAX_NAME_BYTES && name[len] == '\0';
}

/* One of the list; identity adds nothing. */
static oyez_err add(oy_compressors *all, const oyez_compressor *from, const char **ret_words)
{
    oy_compressor *item = &all->items[all->count];
    oyez_err err = oy_options_copy(&item->table, sizeof(item->table), from);
    if (err) {
        *ret_words = oyez_strerror(err);
        return err;
    }
    const char *name = item->table.name;
    if (name && strcmp(name, "identity") == 0)
        return OYEZ_NO_ERR;
    if (!name || !name_valid(name)) {
        *ret_words = "expected a name of 1 to 32 lower-case letters, digits or -._ and the like";
    } else if (!item->table.compress || !item->table.decompress || !item->table.open != !item->table.close) {
        *ret_words = "expected compress and decompress, and open and close both or neither";
    } else if (oy_compressors_find(all, oy_str(name))) {
        *ret_words = "a name is there twice";
    } else {
        item->name = oy_str(name);
        item->bit = 1u << all->count;
        for (int way = 0; way < 2; way++) {
            item->idle[way] = &all->idle[2 * all->count + (uint32_t)way];
            pthread_mutex_init(&item->idle[way]->lock, NULL);
        }
        all->count++;
        return OYEZ_NO_ERR;
    }
    return OYEZ_EINVAL;
}

static void make_names(oy_compressors *all, char *text)
{
    size_t len = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (i > 0)
            text[len++] = ',';
        memcpy(text + len, all->items[i].name.data, all->items[i].name.len);
        len += all->items[i].name.len;
    }
    all->names = (oyez_str){ text, len };
}

static void destroy(oy_compressors *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        const oyez_compressor *table = &all->items[i].table;
        for (int way = 0; way < 2; way++) {
            idle_states *idle = all->items[i].idle[way];
            while (idle->count > 0)
                table->close(table->self, way == 1, idle->states[--idle->count]);
            pthread_mutex_destroy(&idle->lock);
        }
    }
    oy_free(all);
}

oyez_err oy_compressors_new(const oyez_compressor *const *list, size_t count, oy_compressors **ret_all,
                            const char **ret_words)
{
    const oyez_compressor *const built_in[] = { oyez_gzip(0), oyez_deflate(0), oyez_zstd(0) };
    oyez_err err = OYEZ_NO_ERR;
    if (!list) {
        list = built_in;
        count = sizeof(built_in) / sizeof(built_in[0]);
    }
    if (count > OYEZ_LIMIT_COMPRESSORS) {
        *ret_words = "expected at most 16 compressors";
        return OYEZ_EINVAL;
    }
    const size_t items_bytes = count * sizeof(oy_compressor), names_bytes = count * (MAX_NAME_BYTES + 1);
    oy_compressors *all = oy_alloc_zero(sizeof(*all) + items_bytes + 2 * count * sizeof(idle_states) + names_bytes);
    if (!all) {
        *ret_words = "out of memory";
        return OYEZ_ENOMEM;
    }
    oy_refcount_init(&all->refs, 1);
    all->idle = (idle_states *)(void *)((char *)all->items + items_bytes);
    for (size_t i = 0; i < count && !err; i++)
        if (list[i])
            err = add(all, list[i], ret_words);
    make_names(all, (char *)(all->idle + 2 * count));
    *ret_all = all->count > 0 && !err ? all : NULL;
    if (!*ret_all)
        destroy(all);
    return err;
}

oy_compressors *oy_compressors_ref(oy_compressors *all)
{
    if (all)
        oy_ref(&all->refs);
    return all;
}

oy_compressors *oy_compressors_unref(oy_compressors *all)
{
    if (all && oy_unref(&all->refs))
        destroy(all);
    return NULL;
}

oyez_str oy_compressors_names(const oy_compressors *all)
{
    return all ? all->names : OYEZ_STR("");
}

const oy_compressor *oy_compressors_find(const oy_compressors *all, oyez_str name)
{
    for (uint32_t i = 0; all && i < all->count; i++)
        if (oy_str_eq(all->items[i].name, name))
            return &all->items[i];
    return NULL;
}

static oyez_str trim(oyez_str text)
{
    while (text.len > 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
        text.data++;
        text.len--;
    }
    while (text.len > 0 && (text.data[text.len - 1] == ' ' || text.data[text.len - 1] == '\t'))
        text.len--;
    return text;
}

uint32_t oy_compressors_parse_accept(const oy_compressors *all, oyez_str list)
{
    uint32_t bits = 0;
    while (list.len > 0) {
        const char *comma = memchr(list.data, ',', list.len);
        const size_t len = comma ? (size_t)(comma - list.data) : list.len, step = comma ? len + 1 : len;
        const oy_compressor *found = oy_compressors_find(all, trim((oyez_str){ list.data, len }));
        bits |= found ? found->bit : 0;
        list.data += step;
        list.len -= step;
    }
    return bits;
}

uint32_t oy_compressor_bit(const oy_compressor *compressor)
{
    return compressor->bit;
}

oyez_str oy_compressor_name(const oy_compressor *compressor)
{
    return compressor->name;
}

/* --- states --------------------------------------------------------------------------------------------------------- */

static oyez_err take_state(const oy_compressor *compressor, bool decompresses, void **ret_state)
{
    const oyez_compressor *table = &compressor->table;
    idle_states *idle = compressor->idle[decompresses];
    *ret_state = NULL;
    if (!table->open)
        return OYEZ_NO_ERR;
    pthread_mutex_lock(&idle->lock);
    if (idle->count > 0)
        *ret_state = idle->states[--idle->count];
    pthread_mutex_unlock(&idle->lock);
    return *ret_state ? OYEZ_NO_ERR : table->open(table->self, decompresses, ret_state);
}

static void give_back(const oy_compressor *compressor, bool decompresses, void *state)
{
    const oyez_compressor *table = &compressor->table;
    idle_states *idle = compressor->idle[decompresses];
    bool kept = false;
    if (!table->open)
        return;
    if (!table->may_keep || table->may_keep(table->self, decompresses, state)) {
        pthread_mutex_lock(&idle->lock);
        kept = idle->count < OYEZ_LIMIT_IDLE_COMPRESSORS;
        if (kept)
            idle->states[idle->count++] = state;
        pthread_mutex_unlock(&idle->lock);
    }
    if (!kept)
        table->close(table->self, decompresses, state);
}

static const char *words_of(const oy_compressor *compressor, bool decompresses, void *state, oyez_err err)
{
    const oyez_compressor *table = &compressor->table;
    const char *words = table->words ? table->words(table->self, decompresses, state) : NULL;
    return words ? words : oyez_strerror(err);
}

/* --- out ------------------------------------------------------------------------------------------------------------ */

oyez_code oy_compress(const oy_compressor *compressor, oyez_pool *pool, oyez_slice *message,
                      char words[OY_COMPRESSION_WORDS])
{
    const oyez_compressor *table = &compressor->table;
    oyez_slice compressed = OYEZ_SLICE_INIT;
    oyez_writer writer;
    void *state;
    oyez_err err = take_state(compressor, false, &state);
    if (!err) {
        oyez_writer_init(&writer, &compressed, pool, message->len <= SMALL_BLOCK_BYTES / 2 ? SMALL_BLOCK_BYTES : BLOCK_BYTES);
        err = table->compress(table->self, state, message, &writer);
        if (err && err != OYEZ_ENOMEM)
            snprintf(words, OY_COMPRESSION_WORDS, "error while compressing: %s: %s", table->name,
                     words_of(compressor, false, state, err));
        give_back(compressor, false, state);
    } else if (err != OYEZ_ENOMEM) {
        snprintf(words, OY_COMPRESSION_WORDS, "error while compressing: %s: %s", table->name, oyez_strerror(err));
    }
    if (err) {
        oyez_slice_fini(&compressed);
        if (err != OYEZ_ENOMEM)
            return OYEZ_INTERNAL;
        snprintf(words, OY_COMPRESSION_WORDS, "out of memory while compressing");
        return OYEZ_RESOURCE_EXHAUSTED;
    }
    oyez_slice_fini(message);
    *message = compressed;
    return OYEZ_OK;
}

/* --- in ------------------------------------------------------------------------------------------------------------- */

void oy_encoding_unknown_words(oyez_str encoding, char words[OY_COMPRESSION_WORDS])
{
    snprintf(words, OY_COMPRESSION_WORDS, "Decompressor is not installed for grpc-encoding \"%.*s\"",
             (int)oy_min_size(encoding.len, 80), encoding.data);
}

static oyez_err unpack(const oy_compressor *compressor, oyez_pool *pool, size_t limit, const oyez_slice *from,
                       oyez_slice *to, char words[OY_COMPRESSION_WORDS])
{
    const oyez_compressor *table = &compressor->table;
    const char *what = NULL;
    oyez_source source;
    void *state;
    oyez_err err = take_state(compressor, true, &state);
    if (err) {
        snprintf(words, OY_COMPRESSION_WORDS, "failed to decompress the message: %s: %s", table->name, oyez_strerror(err));
        return err;
    }
    err = table->decompress(table->self, state, from, &source);
    if (!err)
        err = oyez_read_all(&source, pool, limit, to);
    if (err == OYEZ_ELIMIT) /* its own limit, or that of the message */
        what = table->words ? table->words(table->self, true, state) : NULL;
    else if (err)
        what = words_of(compressor, true, state, err);
    if (err && what)
        snprintf(words, OY_COMPRESSION_WORDS, "failed to decompress the message: %s: %s", table->name, what);
    else if (err)
        snprintf(words, OY_COMPRESSION_WORDS, "received message after decompression larger than max %zu bytes", limit);
    give_back(compressor, true, state);
    return err;
}

oyez_code oy_message_unpack(const oy_compressors *all, oyez_str encoding, oyez_pool *pool, size_t limit,
                            oy_message *message, char words[OY_COMPRESSION_WORDS])
{
    oyez_slice unpacked = OYEZ_SLICE_INIT;
    oyez_err err = OYEZ_ECODEC;
    const oy_compressor *compressor = oy_compressors_find(all, encoding);
    if (oy_encoding_is_none(encoding))
        snprintf(words, OY_COMPRESSION_WORDS, "compressed flag set with identity or empty encoding");
    else if (!compressor)
        oy_encoding_unknown_words(encoding, words);
    else
        err = unpack(compressor, pool, limit, &message->bytes, &unpacked, words);
    oy_message_fini(message);
    if (!err) {
        *message = (oy_message){ .bytes = unpacked, .compressed = true, .unpacked = true };
        return OYEZ_OK;
    }
    oyez_slice_fini(&unpacked);
    if (err == OYEZ_ENOMEM)
        snprintf(words, OY_COMPRESSION_WORDS, "out of memory while decompressing a message");
    return err == OYEZ_ENOMEM || err == OYEZ_ELIMIT ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_INTERNAL;
}

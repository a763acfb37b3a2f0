/* SPDX-License-Identifier: Apache-2.0 */
/* gzip and deflate by zlib. Both are the same stream in another coat (RFC 1952, RFC 1950). A message that is read may be
 * several gzip members one behind the other, as gRPC-Go and the gzip program read them; behind a zlib stream comes nothing. */
#include "call/compressors.h"

#include <zlib.h>

#include "base/alloc.h"

#define LEVELS 10
#define ZLIB_BITS 15
#define GZIP_BITS (15 + 16)
#define MEMORY_LEVEL 8

typedef struct kind {
    int bits, level;
} kind;

typedef struct gzip_state {
    z_stream z;
    const kind *kind;
    const oyez_slice *input;
    uint32_t next;               /* buffer of the input */
    bool in_member;              /* begun, and not at its end */
    bool ended;                  /* one member at least was read to its end */
    const char *words;
} gzip_state;

static voidpf allocate(voidpf opaque, uInt items, uInt size)
{
    (void)opaque;
    return oy_alloc_array(items, size);
}

static void release(voidpf opaque, voidpf memory)
{
    (void)opaque;
    oy_free(memory);
}

static oyez_err open_state(void *self, bool decompresses, void **ret_state)
{
    const kind *which = self;
    gzip_state *state = oy_alloc_zero(sizeof(*state));
    if (!state)
        return OYEZ_ENOMEM;
    state->kind = which;
    state->z.zalloc = allocate;
    state->z.zfree = release;
    int result = decompresses ? inflateInit2(&state->z, which->bits)
                              : deflateInit2(&state->z, which->level ? which->level : Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                             which->bits, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    if (result != Z_OK) {
        oy_free(state);
        return result == Z_MEM_ERROR ? OYEZ_ENOMEM : OYEZ_EUNSUPPORTED;
    }
    *ret_state = state;
    return OYEZ_NO_ERR;
}

static void close_state(void *self, bool decompresses, void *memory)
{
    gzip_state *state = memory;
    (void)self;
    if (decompresses)
        (void)inflateEnd(&state->z);
    else
        (void)deflateEnd(&state->z);
    oy_free(state);
}

static void begin_input(gzip_state *state, const oyez_slice *message)
{
    state->input = message;
    state->next = 0;
    state->z.avail_in = 0;
    state->words = NULL;
}

/* False: the input has come to its end. A buffer is part of a message, so its length fits. */
static bool more_input(gzip_state *state)
{
    if (state->next == state->input->count)
        return false;
    const oyez_buffer *buffer = &oyez_slice_items(state->input)[state->next++];
    state->z.next_in = (Bytef *)(uintptr_t)buffer->data; /* zlib does not write there */
    state->z.avail_in = (uInt)buffer->len;
    return true;
}

/* --- out ------------------------------------------------------------------------------------------------------------ */

/* Runs deflate until the input that is at hand is used up, or with Z_FINISH until the end. */
static oyez_err deflate_some(gzip_state *state, int flush, oyez_writer *writer)
{
    int result = Z_OK;
    do {
        void *room;
        size_t bytes;
        oyez_err err = oyez_writer_reserve(writer, 1, &room, &bytes);
        if (err)
            return err;
        state->z.next_out = room;
        state->z.avail_out = bytes < UINT32_MAX ? (uInt)bytes : UINT32_MAX;
        const uInt before = state->z.avail_out;
        result = deflate(&state->z, flush);
        oyez_writer_commit(writer, before - state->z.avail_out);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            state->words = state->z.msg;
            return OYEZ_ECODEC;
        }
    } while (result != Z_STREAM_END && (flush == Z_FINISH || state->z.avail_in > 0));
    return OYEZ_NO_ERR;
}

static oyez_err compress_message(void *self, void *memory, const oyez_slice *message, oyez_writer *writer)
{
    gzip_state *state = memory;
    oyez_err err = OYEZ_NO_ERR;
    (void)self;
    begin_input(state, message);
    (void)deflateReset(&state->z);
    while (!err && more_input(state))
        err = deflate_some(state, state->next == message->count ? Z_FINISH : Z_NO_FLUSH, writer);
    return err;
}

/* --- in ------------------------------------------------------------------------------------------------------------- */

static oyez_err fail(gzip_state *state, const char *words)
{
    state->words = words;
    return OYEZ_ECODEC;
}

/* The input is at its end. */
static oyez_err input_ended(gzip_state *state)
{
    return state->ended && !state->in_member ? OYEZ_EOF : fail(state, "unexpected end of the compressed bytes");
}

static oyez_err read_some(void *self, void *dst, size_t cap, size_t *ret_len)
{
    gzip_state *state = self;
    oyez_err err = OYEZ_NO_ERR;
    const uInt room = cap < UINT32_MAX ? (uInt)cap : UINT32_MAX;
    state->z.next_out = dst;
    state->z.avail_out = room;
    while (!err && state->z.avail_out > 0) {
        /* Inside a member zlib may hold back bytes that it has decoded already. */
        if (state->z.avail_in == 0 && !more_input(state) && !state->in_member) {
            err = input_ended(state);
            break;
        }
        if (!state->in_member) {
            if (state->ended && state->kind->bits == ZLIB_BITS) {
                err = fail(state, "bytes behind the end of the compressed message");
                break;
            }
            (void)inflateReset(&state->z);
            state->in_member = true;
        }
        int result = inflate(&state->z, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            state->in_member = false;
            state->ended = true;
        } else if (result == Z_BUF_ERROR && state->z.avail_in == 0 && state->next == state->input->count) {
            err = input_ended(state);
        } else if (result == Z_MEM_ERROR) {
            err = OYEZ_ENOMEM;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            err = fail(state, state->z.msg ? state->z.msg : "a preset dictionary is needed");
        }
    }
    *ret_len = room - state->z.avail_out;
    return err;
}

static oyez_err decompress_message(void *self, void *memory, const oyez_slice *message, oyez_source *ret_source)
{
    gzip_state *state = memory;
    (void)self;
    begin_input(state, message);
    state->in_member = state->ended = false;
    *ret_source = (oyez_source){ read_some, state };
    return OYEZ_NO_ERR;
}

static const char *words(void *self, bool decompresses, void *memory)
{
    const gzip_state *state = memory;
    (void)self;
    (void)decompresses;
    return state->words;
}

/* --- the tables ----------------------------------------------------------------------------------------------------- */

#define KIND(bits, level) { bits, level }
#define KINDS(bits)                                                                                                    \
    KIND(bits, 0), KIND(bits, 1), KIND(bits, 2), KIND(bits, 3), KIND(bits, 4), KIND(bits, 5), KIND(bits, 6),           \
        KIND(bits, 7), KIND(bits, 8), KIND(bits, 9)

static const kind gzip_kinds[LEVELS] = { KINDS(GZIP_BITS) };
static const kind zlib_kinds[LEVELS] = { KINDS(ZLIB_BITS) };

#define TABLE(text, kinds, level)                                                                                      \
    {                                                                                                                  \
        OYEZ_COMPRESSOR_INIT, .name = text, .self = (void *)&kinds[level], .open = open_state,              \
        .close = close_state, .compress = compress_message, .decompress = decompress_message, .words = words,          \
    }
#define TABLES(text, kinds)                                                                                            \
    TABLE(text, kinds, 0), TABLE(text, kinds, 1), TABLE(text, kinds, 2), TABLE(text, kinds, 3), TABLE(text, kinds, 4), \
        TABLE(text, kinds, 5), TABLE(text, kinds, 6), TABLE(text, kinds, 7), TABLE(text, kinds, 8), TABLE(text, kinds, 9)

const oyez_compressor *oy_gzip_compressor(int level)
{
    static const oyez_compressor tables[LEVELS] = { TABLES("gzip", gzip_kinds) };
    return level >= 0 && level < LEVELS ? &tables[level] : NULL;
}

const oyez_compressor *oy_deflate_compressor(int level)
{
    static const oyez_compressor tables[LEVELS] = { TABLES("deflate", zlib_kinds) };
    return level >= 0 && level < LEVELS ? &tables[level] : NULL;
}

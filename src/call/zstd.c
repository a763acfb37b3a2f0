/* SPDX-License-Identifier: Apache-2.0 */
/* zstd (RFC 8878). Its allocator can be chosen by a part of the library's interface that is not declared stable, but is in
 * every shared libzstd since 1.4: that and nothing else of it is used here. */
#define ZSTD_STATIC_LINKING_ONLY
#include "call/compressors.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <oyez/limits.h>

#include "base/alloc.h"

#define LEVELS 20
/* The log of OYEZ_LIMIT_ZSTD_WINDOW_BYTES. */
#define WINDOW_LOG 23

_Static_assert(OYEZ_LIMIT_ZSTD_WINDOW_BYTES == 1u << WINDOW_LOG, "the limit and its logarithm");

typedef struct zstd_state {
    ZSTD_CCtx *out;              /* one of the two */
    ZSTD_DCtx *in;
    const oyez_slice *input;
    uint32_t next;               /* buffer of the input */
    ZSTD_inBuffer piece;
    bool ended;                  /* at the end of a frame */
    const char *words;
} zstd_state;

static void *allocate(void *opaque, size_t bytes)
{
    (void)opaque;
    return oy_alloc(bytes);
}

static void release(void *opaque, void *memory)
{
    (void)opaque;
    oy_free(memory);
}

static void close_state(void *self, bool decompresses, void *memory)
{
    zstd_state *state = memory;
    (void)self;
    (void)decompresses;
    (void)ZSTD_freeCCtx(state->out);
    (void)ZSTD_freeDCtx(state->in);
    oy_free(state);
}

static oyez_err open_state(void *self, bool decompresses, void **ret_state)
{
    static const ZSTD_customMem memory = { allocate, release, NULL };
    const int *level = self;
    size_t result = 0;
    zstd_state *state = oy_alloc_zero(sizeof(*state));
    if (!state)
        return OYEZ_ENOMEM;
    if (decompresses)
        state->in = ZSTD_createDCtx_advanced(memory);
    else
        state->out = ZSTD_createCCtx_advanced(memory);
    if (state->in)
        result = ZSTD_DCtx_setParameter(state->in, ZSTD_d_windowLogMax, WINDOW_LOG);
    else if (state->out && *level)
        result = ZSTD_CCtx_setParameter(state->out, ZSTD_c_compressionLevel, *level);
    if ((!state->in && !state->out) || ZSTD_isError(result)) {
        close_state(self, decompresses, state);
        return OYEZ_ENOMEM;
    }
    *ret_state = state;
    return OYEZ_NO_ERR;
}

static bool may_keep(void *self, bool decompresses, void *memory)
{
    const zstd_state *state = memory;
    (void)self;
    return (decompresses ? ZSTD_sizeof_DCtx(state->in) : ZSTD_sizeof_CCtx(state->out)) <=
           OYEZ_LIMIT_IDLE_COMPRESSOR_BYTES;
}

static void begin_input(zstd_state *state, const oyez_slice *message)
{
    state->input = message;
    state->next = 0;
    state->piece = (ZSTD_inBuffer){ NULL, 0, 0 };
    state->words = NULL;
}

/* False: the input has come to its end. */
static bool more_input(zstd_state *state)
{
    if (state->next == state->input->count)
        return false;
    const oyez_buffer *buffer = &oyez_slice_items(state->input)[state->next++];
    state->piece = (ZSTD_inBuffer){ buffer->data, buffer->len, 0 };
    return true;
}

static oyez_err fail(zstd_state *state, size_t result)
{
    state->words = ZSTD_getErrorName(result);
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_memory_allocation:
        return OYEZ_ENOMEM;
    case ZSTD_error_frameParameter_windowTooLarge:
        return OYEZ_ELIMIT;
    default:
        return OYEZ_ECODEC;
    }
}

/* --- out ------------------------------------------------------------------------------------------------------------ */

static oyez_err compress_some(zstd_state *state, ZSTD_EndDirective end, oyez_writer *writer)
{
    size_t left;
    do {
        void *room;
        size_t bytes;
        oyez_err err = oyez_writer_reserve(writer, 1, &room, &bytes);
        if (err)
            return err;
        ZSTD_outBuffer out = { room, bytes, 0 };
        left = ZSTD_compressStream2(state->out, &out, &state->piece, end);
        oyez_writer_commit(writer, out.pos);
        if (ZSTD_isError(left))
            return fail(state, left);
    } while (state->piece.pos < state->piece.size || (end == ZSTD_e_end && left > 0));
    return OYEZ_NO_ERR;
}

static oyez_err compress_message(void *self, void *memory, const oyez_slice *message, oyez_writer *writer)
{
    zstd_state *state = memory;
    oyez_err err = OYEZ_NO_ERR;
    (void)self;
    begin_input(state, message);
    (void)ZSTD_CCtx_reset(state->out, ZSTD_reset_session_only);
    (void)ZSTD_CCtx_setPledgedSrcSize(state->out, message->len); /* tables as large as the message needs */
    while (!err && more_input(state))
        err = compress_some(state, state->next == message->count ? ZSTD_e_end : ZSTD_e_continue, writer);
    return err;
}

/* --- in ------------------------------------------------------------------------------------------------------------- */

static oyez_err read_some(void *self, void *dst, size_t cap, size_t *ret_len)
{
    zstd_state *state = self;
    ZSTD_outBuffer out = { dst, cap, 0 };
    oyez_err err = OYEZ_NO_ERR;
    while (!err && out.pos < out.size) {
        const bool dry = state->piece.pos == state->piece.size && !more_input(state);
        const size_t before = out.pos;
        if (dry && state->ended) {
            err = OYEZ_EOF;
            break;
        }
        const size_t result = ZSTD_decompressStream(state->in, &out, &state->piece);
        state->ended = result == 0;
        if (ZSTD_isError(result)) {
            err = fail(state, result);
        } else if (dry && !state->ended && out.pos == before) {
            state->words = "unexpected end of the compressed bytes";
            err = OYEZ_ECODEC;
        }
    }
    *ret_len = out.pos;
    return err;
}

static oyez_err decompress_message(void *self, void *memory, const oyez_slice *message, oyez_source *ret_source)
{
    zstd_state *state = memory;
    (void)self;
    begin_input(state, message);
    state->ended = false;
    (void)ZSTD_DCtx_reset(state->in, ZSTD_reset_session_only);
    *ret_source = (oyez_source){ read_some, state };
    return OYEZ_NO_ERR;
}

static const char *words(void *self, bool decompresses, void *memory)
{
    const zstd_state *state = memory;
    (void)self;
    (void)decompresses;
    return state->words;
}

/* --- the tables ----------------------------------------------------------------------------------------------------- */

static const int levels[LEVELS] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };

#define TABLE(level)                                                                                                   \
    {                                                                                                                  \
        OYEZ_COMPRESSOR_INIT, .name = "zstd", .self = (void *)&levels[level], .open = open_state,                      \
        .close = close_state, .compress = compress_message, .decompress = decompress_message, .words = words,          \
        .may_keep = may_keep,                                                                                          \
    }

const oyez_compressor *oy_zstd_compressor(int level)
{
    static const oyez_compressor tables[LEVELS] = {
        TABLE(0),  TABLE(1),  TABLE(2),  TABLE(3),  TABLE(4),  TABLE(5),  TABLE(6),  TABLE(7),  TABLE(8),  TABLE(9),
        TABLE(10), TABLE(11), TABLE(12), TABLE(13), TABLE(14), TABLE(15), TABLE(16), TABLE(17), TABLE(18), TABLE(19),
    };
    return level >= 0 && level < LEVELS ? &tables[level] : NULL;
}

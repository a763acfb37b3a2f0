/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a source to its end, straight into pooled blocks. Meant for decompressors, whose output a
 * peer controls: so it reads one byte more than the limit, which goes nowhere, and never further. */
#include <oyez/limits.h>

#include "base/size.h"
#include "mem/mem.h"

#define BLOCK_BYTES 32768u
#define MAX_EMPTY_READS OYEZ_LIMIT_EMPTY_READS

typedef struct read_state {
    const oyez_source *source;
    size_t allowance; /* bytes that may still be kept */
    unsigned empty_reads;
} read_state;

/* Reads once. `*got` is always written. */
static oyez_err read_some(read_state *state, uint8_t *dst, size_t room, size_t *got)
{
    *got = 0;
    oyez_err err = state->source->read(state->source->self, dst, room, got);
    if (*got > room) { /* it has written past the end, or says so */
        *got = 0;
        return OYEZ_EIO;
    }
    if (err)
        return err;
    state->empty_reads = *got ? 0 : state->empty_reads + 1;
    return state->empty_reads == MAX_EMPTY_READS ? OYEZ_EIO : OYEZ_NO_ERR;
}

/* Fills a block as far as it goes. `*used` is always written. */
static oyez_err fill(read_state *state, uint8_t *dst, size_t cap, size_t *used)
{
    oyez_err err = OYEZ_NO_ERR;
    *used = 0;
    while (!err && *used < cap && state->allowance) {
        size_t got;
        err = read_some(state, dst + *used, oy_min_size(cap - *used, state->allowance), &got);
        *used += got;
        state->allowance -= got;
    }
    return err;
}

/* The limit is reached: whether that is the end needs a byte of room, but no block. */
static oyez_err expect_end(read_state *state)
{
    oyez_err err = OYEZ_NO_ERR;
    while (!err) {
        uint8_t byte;
        size_t got;
        err = read_some(state, &byte, 1, &got);
        if (got)
            return OYEZ_ELIMIT;
    }
    return err;
}

oyez_err oyez_read_all(const oyez_source *source, oyez_pool *pool, size_t limit, oyez_slice *slice)
{
    read_state state = { source, limit, 0 };
    oyez_err err = OYEZ_NO_ERR;

    while (!err) {
        oyez_block *block;
        size_t used;
        if (state.allowance == 0) {
            err = expect_end(&state);
            break;
        }
        oyez_err append_err = oyez_block_new(pool, oy_min_size(BLOCK_BYTES, state.allowance), &block);
        if (append_err)
            return append_err;
        err = fill(&state, oyez_block_data(block), oyez_block_capacity(block), &used);
        /* a block without bytes goes back at once */
        append_err = oy_slice_append(slice, pool, oyez_buffer_of_block(block, used));
        if (append_err)
            return append_err;
    }
    return err == OYEZ_EOF ? OYEZ_NO_ERR : err;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a source to its end, straight into pooled blocks. Meant for decompressors, whose output a
 * peer controls: so it reads one byte more than the limit and never further. */
#include <oyez/limits.h>

#include "base/size.h"
#include "mem/mem.h"

#define BLOCK_BYTES 32768u
#define MAX_EMPTY_READS OYEZ_LIMIT_EMPTY_READS

typedef struct read_state {
    const oyez_source *source;
    size_t allowance; /* bytes that may still be read */
    unsigned empty_reads;
} read_state;

/* Fills a block as far as it goes. `*used` is always written. */
static oyez_err fill(read_state *state, uint8_t *dst, size_t cap, size_t *used)
{
    *used = 0;
    while (*used < cap && state->allowance) {
        size_t room = oy_min_size(cap - *used, state->allowance), got = 0;
        oyez_err err = state->source->read(state->source->self, dst + *used, room, &got);
        if (got > room) /* it has written past the end, or says so */
            return OYEZ_EIO;
        *used += got;
        state->allowance -= got;
        if (err)
            return err;
        state->empty_reads = got ? 0 : state->empty_reads + 1;
        if (state->empty_reads == MAX_EMPTY_READS)
            return OYEZ_EIO;
    }
    return OYEZ_NO_ERR;
}

oyez_err oyez_read_all(const oyez_source *source, oyez_pool *pool, size_t limit, oyez_slice *slice)
{
    read_state state = { source, limit == SIZE_MAX ? SIZE_MAX : limit + 1, 0 };
    oyez_err err = OYEZ_NO_ERR;

    while (!err) {
        oyez_block *block;
        size_t used;
        oyez_err append_err = oyez_block_new(pool, BLOCK_BYTES, &block);
        if (append_err)
            return append_err;
        err = fill(&state, oyez_block_data(block), oyez_block_capacity(block), &used);
        if (state.allowance == 0) { /* the byte too many */
            used--;
            err = OYEZ_ELIMIT;
        }
        /* a block without bytes goes back at once */
        append_err = oyez_slice_append(slice, oyez_buffer_of_block(block, used));
        if (append_err)
            return append_err;
    }
    return err == OYEZ_EOF ? OYEZ_NO_ERR : err;
}

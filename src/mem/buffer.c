/* SPDX-License-Identifier: Apache-2.0 */
/* Views of bytes. Empty views hold no block, so that nothing pins memory for nothing. */
#include <string.h>

#include "mem/block.h"

/* A pointer that memcpy and its sisters accept. */
static const uint8_t nothing[1];

static oyez_buffer empty(void)
{
    return (oyez_buffer){ nothing, 0, NULL };
}

oyez_err oyez_buffer_copy(oyez_pool *pool, const void *data, size_t len, oyez_buffer *ret_buffer)
{
    oyez_block *block;
    oyez_err err;
    if (len == 0) {
        *ret_buffer = empty();
        return OYEZ_NO_ERR;
    }
    err = oyez_block_new(pool, len, &block);
    if (err)
        return err;
    memcpy(oyez_block_data(block), data, len);
    *ret_buffer = oyez_buffer_of_block(block, len);
    return OYEZ_NO_ERR;
}

oyez_buffer oyez_buffer_of_block(oyez_block *block, size_t len)
{
    oy_assert(len <= block->capacity);
    return (oyez_buffer){ oyez_block_data(block), len, block };
}

oyez_buffer oyez_buffer_ref(const oyez_buffer *buffer)
{
    return (oyez_buffer){ buffer->data, buffer->len, oyez_block_ref(buffer->block) };
}

oyez_err oyez_buffer_keep(const oyez_buffer *buffer, oyez_pool *pool, oyez_buffer *ret_buffer)
{
    if (!buffer->block)
        return oyez_buffer_copy(pool, buffer->data, buffer->len, ret_buffer);
    *ret_buffer = oyez_buffer_ref(buffer);
    return OYEZ_NO_ERR;
}

oyez_buffer oyez_buffer_sub(const oyez_buffer *buffer, size_t start, size_t len)
{
    oy_assert(start <= buffer->len && len <= buffer->len - start);
    if (len == 0)
        return empty();
    return (oyez_buffer){ buffer->data + start, len, oyez_block_ref(buffer->block) };
}

oyez_buffer oyez_buffer_split(oyez_buffer *buffer, size_t at)
{
    oyez_buffer rest;
    oy_assert(at <= buffer->len);
    if (at == 0) { /* all of it moves */
        rest = *buffer;
        *buffer = empty();
        return rest;
    }
    rest = oyez_buffer_sub(buffer, at, buffer->len - at);
    buffer->len = at;
    return rest;
}

void oyez_buffer_fini(oyez_buffer *buffer)
{
    if (!buffer)
        return;
    oyez_block_unref(buffer->block);
    *buffer = (oyez_buffer){ NULL, 0, NULL };
}

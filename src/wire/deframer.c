/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts messages out of the DATA of a stream: a byte that says whether the message is compressed,
 * four bytes of length, the bytes (PROTOCOL-HTTP2.md, "Length-Prefixed-Message"). Frames and
 * messages share no boundaries.
 *
 * The common case is a message that lies whole in the input: it is handed on as a view and costs a
 * few instructions. Everything else is gathered, and there the rule is that memory follows the
 * bytes that have come, never the length that the peer has claimed: small messages get one block
 * when their first byte is here, of large ones big pieces are referenced and small pieces are
 * copied side by side. */
#include "wire/wire.h"

#include <string.h>

#include "base/assert.h"
#include "base/size.h"

void oy_message_fini(oy_message *message)
{
    if (!message->borrowed)
        oy_slice_fini(&message->bytes);
    *message = (oy_message){.bytes = OYEZ_SLICE_INIT};
}

oyez_err oy_message_keep(oy_message *message, oyez_pool *pool, oy_quota *quota)
{
    if (!message->borrowed)
        return 0;
    oy_assert(message->bytes.count == 1 && message->bytes.capacity == 0);
    oyez_buffer *view = &message->bytes.inline_items[0];
    oyez_buffer kept;
    if (view->block && view->len >= OY_KEEP_COPY_BYTES) {
        kept = oyez_buffer_ref(view);
    } else {
        oyez_err err = oyez_buffer_copy(pool, view->data, view->len, &kept);
        if (err)
            return err;
    }
    if (quota)
        oy_block_charge(kept.block, quota);
    *view = kept;
    message->borrowed = false;
    return 0;
}

void oy_deframer_init(oy_deframer *deframer, uint32_t max_bytes, oyez_pool *pool, oy_quota *quota)
{
    *deframer = (oy_deframer){
        .max_bytes = max_bytes,
        .pool = pool,
        .quota = quota,
        .message = {.bytes = OYEZ_SLICE_INIT},
    };
}

void oy_deframer_fini(oy_deframer *deframer)
{
    oy_message_fini(&deframer->message);
    deframer->prefix_len = 0;
    deframer->gathering = false;
    deframer->missing = 0;
    deframer->spare = 0;
}

static uint32_t read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void advance(oyez_buffer *input, size_t len)
{
    input->data += len;
    input->len -= len;
}

/* A message of one view into the input, or of nothing. */
static void give_view(oy_message *ret_message, bool compressed, const oyez_buffer *input,
                      uint32_t len)
{
    *ret_message = (oy_message){
        .bytes = OYEZ_SLICE_INIT,
        .compressed = compressed,
        .borrowed = len > 0,
    };
    if (len > 0) {
        ret_message->bytes.len = len;
        ret_message->bytes.count = 1;
        /* The block is named so that oy_message_keep can reference it; the reference is not ours.
         * */
        ret_message->bytes.inline_items[0] = (oyez_buffer){input->data, len, input->block};
    }
}

/* The last buffer of a slice that is being gathered: ours alone, so it may grow. */
static oyez_buffer *last_buffer(oyez_slice *slice)
{
    return (slice->capacity ? slice->heap : slice->inline_items) + (slice->count - 1);
}

/* Copies into a fresh block. A small message gets all it needs at once; a large one only
 * as much as is here, or the least block that is worth having. */
static oyez_err copy_to_new_block(oy_deframer *deframer, const uint8_t *data, size_t len)
{
    size_t bytes = oy_max_size(len, oy_min_size(deframer->missing, OY_KEEP_COPY_BYTES));
    oyez_block *block;
    oyez_err err = oyez_block_new(deframer->pool, bytes, &block);
    if (err)
        return err;
    if (deframer->quota)
        oy_block_charge(block, deframer->quota);
    size_t capacity = oyez_block_capacity(block);
    memcpy(oyez_block_data(block), data, len);
    err = oy_slice_append(&deframer->message.bytes, deframer->pool, oyez_buffer_of_block(block, len));
    if (err)
        return err;
    deframer->spare = capacity - len;
    return 0;
}

/* Copies behind what the last block holds already. */
static size_t copy_to_last_block(oy_deframer *deframer, const uint8_t *data, size_t len)
{
    oyez_buffer *last = last_buffer(&deframer->message.bytes);
    len = oy_min_size(len, deframer->spare);
    memcpy((uint8_t *)oyez_block_data(last->block) + last->len, data, len);
    last->len += len;
    deframer->message.bytes.len += len;
    deframer->spare -= len;
    return len;
}

static oyez_err copy_piece(oy_deframer *deframer, oyez_buffer *input, size_t len)
{
    while (len > 0) {
        size_t copied = len;
        if (deframer->spare > 0) {
            copied = copy_to_last_block(deframer, input->data, len);
        } else {
            oyez_err err = copy_to_new_block(deframer, input->data, len);
            if (err)
                return err;
        }
        deframer->missing -= (uint32_t)copied;
        advance(input, copied);
        len -= copied;
    }
    return 0;
}

static oyez_err refer_to_piece(oy_deframer *deframer, oyez_buffer *input, size_t len)
{
    oyez_buffer piece = oyez_buffer_sub(input, 0, len);
    if (deframer->quota)
        oy_block_charge(piece.block, deframer->quota);
    oyez_err err = oy_slice_append(&deframer->message.bytes, deframer->pool, piece);
    if (err)
        return err;
    deframer->spare = 0;
    deframer->missing -= (uint32_t)len;
    advance(input, len);
    return 0;
}

/* Takes what the input has of the message being gathered. After an error nothing is lost: what was
 * taken is in the message, the rest still in the input. */
static oy_deframe_result gather(oy_deframer *deframer, oyez_buffer *input, oy_message *ret_message)
{
    size_t len = oy_min_size(input->len, deframer->missing);
    bool refer = len >= OY_KEEP_COPY_BYTES && input->block;
    oyez_err err = refer ? refer_to_piece(deframer, input, len) : copy_piece(deframer, input, len);
    if (err)
        return OY_DEFRAME_NO_MEMORY;
    if (deframer->missing > 0)
        return OY_DEFRAME_MORE;
    *ret_message = deframer->message;
    deframer->message = (oy_message){.bytes = OYEZ_SLICE_INIT};
    deframer->spare = 0;
    deframer->gathering = false;
    deframer->prefix_len = 0;
    return OY_DEFRAME_MESSAGE;
}

/* Anything but "the message lies whole in the input". */
static __attribute__((noinline)) oy_deframe_result deframe_slow(oy_deframer *deframer,
                                                                oyez_buffer *input,
                                                                oy_message *ret_message)
{
    if (deframer->gathering)
        return gather(deframer, input, ret_message);

    size_t n = oy_min_size(input->len, OY_PREFIX_BYTES - (size_t)deframer->prefix_len);
    if (n > 0) {
        memcpy(deframer->prefix + deframer->prefix_len, input->data, n);
        deframer->prefix_len = (uint8_t)(deframer->prefix_len + n);
        advance(input, n);
    }
    /* The flag is judged as soon as it is here: a peer that speaks something else is told at once.
     * */
    if (deframer->prefix_len > 0 && deframer->prefix[0] > 1)
        return OY_DEFRAME_BAD_FLAG;
    if (deframer->prefix_len < OY_PREFIX_BYTES)
        return OY_DEFRAME_MORE;

    bool compressed = deframer->prefix[0] != 0;
    deframer->length = read_u32(deframer->prefix + 1);
    if (deframer->length > deframer->max_bytes)
        return OY_DEFRAME_TOO_LARGE;
    if (input->len >= deframer->length) {
        give_view(ret_message, compressed, input, deframer->length);
        advance(input, deframer->length);
        deframer->prefix_len = 0;
        return OY_DEFRAME_MESSAGE;
    }
    deframer->gathering = true;
    deframer->missing = deframer->length;
    deframer->message.compressed = compressed;
    return gather(deframer, input, ret_message);
}

oy_deframe_result oy_deframe(oy_deframer *deframer, oyez_buffer *input, oy_message *ret_message)
{
    if (oy_likely(deframer->prefix_len == 0 && input->len >= OY_PREFIX_BYTES)) {
        const uint8_t *prefix = input->data;
        uint32_t len = read_u32(prefix + 1);
        if (oy_likely(prefix[0] <= 1 && len <= deframer->max_bytes &&
                      len <= input->len - OY_PREFIX_BYTES)) {
            advance(input, OY_PREFIX_BYTES);
            give_view(ret_message, prefix[0] != 0, input, len);
            advance(input, len);
            return OY_DEFRAME_MESSAGE;
        }
    }
    return deframe_slow(deframer, input, ret_message);
}

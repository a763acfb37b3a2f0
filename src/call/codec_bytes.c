/* SPDX-License-Identifier: Apache-2.0 */
/* The codec whose messages are bytes already: a message is an oyez_slice. For proxies, raw handlers
 * and programs that bring a message library of their own.
 *
 * A message in an arena holds small payloads as a copy in the arena, and large ones by reference, so
 * that a byte never pins a read block and a megabyte is never copied. A message on the heap owns its
 * bytes: its user has no arena that would outlive them. */
#include <oyez/codec.h>

#include "base/alloc.h"

/* From here on a reference costs less than the copy. */
#define SHARE_BYTES 4096u

static oyez_err measure(const void *type, const void *message, size_t *ret_bytes,
                        const char **ret_words)
{
    (void)type;
    (void)ret_words;
    *ret_bytes = ((const oyez_slice *)message)->len;
    return OYEZ_NO_ERR;
}

static oyez_err encode(const void *type, const void *message, void *dst, size_t bytes,
                       const char **ret_words)
{
    (void)type;
    if (oyez_slice_copy_to(message, dst, bytes) == bytes)
        return OYEZ_NO_ERR;
    *ret_words = "the message became shorter while it was encoded";
    return OYEZ_ECODEC;
}

/* Bytes without a block are lent as they are: whoever asked keeps them, in blocks of its pool. */
static oyez_err share(const void *type, const void *message, oyez_slice *slice,
                      const char **ret_words)
{
    oyez_err err = oyez_slice_append_slice(slice, message);

    (void)type;
    if (err)
        *ret_words = "out of memory";
    return err;
}

static void *create(const void *type, oyez_arena *arena)
{
    oyez_slice *message = oyez_arena_alloc(arena, sizeof(*message));
    (void)type;
    if (message)
        *message = (oyez_slice)OYEZ_SLICE_INIT;
    return message;
}

static oyez_err copy_into_arena(const oyez_slice *bytes, oyez_arena *arena, oyez_slice *message)
{
    uint8_t *copy;

    if (bytes->len == 0)
        return OYEZ_NO_ERR;
    copy = oyez_arena_alloc(arena, bytes->len);
    if (copy == NULL)
        return OYEZ_ENOMEM;
    oyez_slice_copy_to(bytes, copy, bytes->len);
    return oyez_slice_append(message, (oyez_buffer){.data = copy, .len = bytes->len});
}

static oyez_err decode_in_arena(const oyez_slice *bytes, oyez_arena *arena, oyez_pool *pool,
                                oyez_slice **ret_message)
{
    oyez_slice *message = create(NULL, arena);
    oyez_err err;

    if (message == NULL)
        return OYEZ_ENOMEM;
    if (bytes->len < SHARE_BYTES)
        err = copy_into_arena(bytes, arena, message);
    else
        err = oyez_slice_keep(bytes, pool, message);
    if (!err)
        *ret_message = message;
    return err;
}

static oyez_err decode_on_heap(const oyez_slice *bytes, oyez_pool *pool, oyez_slice **ret_message)
{
    oyez_slice *message = oy_alloc(sizeof(*message));
    oyez_err err = OYEZ_NO_ERR;

    if (message == NULL)
        return OYEZ_ENOMEM;
    *message = (oyez_slice)OYEZ_SLICE_INIT;
    if (bytes->len >= SHARE_BYTES) {
        err = oyez_slice_keep(bytes, pool, message);
    } else if (bytes->len) {
        oyez_block *block = NULL;
        err = oyez_block_new(pool, bytes->len, &block);
        if (!err) {
            oyez_slice_copy_to(bytes, oyez_block_data(block), bytes->len);
            err = oyez_slice_append(message, oyez_buffer_of_block(block, bytes->len));
        }
    }
    if (err) {
        oyez_bytes_free(message);
        return err;
    }
    *ret_message = message;
    return OYEZ_NO_ERR;
}

static oyez_err decode(const void *type, const oyez_slice *bytes, oyez_arena *arena,
                       oyez_pool *pool, void **ret_message, const char **ret_words)
{
    oyez_slice *message = NULL;
    oyez_err err;

    (void)type;
    err = arena ? decode_in_arena(bytes, arena, pool, &message)
                : decode_on_heap(bytes, pool, &message);
    if (err)
        *ret_words = "out of memory";
    else
        *ret_message = message;
    return err;
}

static void release(const void *type, void *message)
{
    (void)type;
    oyez_slice_fini(message);
}

const oyez_codec *oyez_bytes(void)
{
    static const oyez_codec codec = {
        .size = sizeof(oyez_codec),
        .name = "proto",
        .measure = measure,
        .encode = encode,
        .share = share,
        .decode = decode,
        .create = create,
        .release = release,
    };
    return &codec;
}

void oyez_bytes_free(oyez_slice *message)
{
    if (message == NULL)
        return;
    oyez_slice_fini(message);
    oy_free(message);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The codec of protobuf-c messages. A message in an arena lies there whole, so nothing of it is ever
 * freed by itself; a message on the heap comes from protobuf-c's own allocator, for its user frees it
 * with x__free_unpacked(message, NULL). */
#include "call/codec_protobuf_c.h"

#include <string.h>

#include <oyez/protobuf_c.h>

#include "base/assert.h"
#include "base/size.h"

static const ProtobufCMessageDescriptor *descriptor(const void *type)
{
    const ProtobufCMessageDescriptor *desc = type;
    oy_assert(desc && desc->magic == PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC);
    return desc;
}

static oyez_err measure(const void *type, const void *message, size_t *ret_bytes,
                        const char **ret_words)
{
    const ProtobufCMessage *base = message;

    /* packing asserts, or follows the pointer, where the check says no */
    if (base->descriptor != descriptor(type)) {
        *ret_words = "the message is not of the method's type, or was not initialised";
        return OYEZ_ECODEC;
    }
    if (!protobuf_c_message_check(base)) {
        *ret_words = "a required field, or an element of a repeated field, is NULL";
        return OYEZ_ECODEC;
    }
    *ret_bytes = protobuf_c_message_get_packed_size(base);
    return OYEZ_NO_ERR;
}

static oyez_err encode(const void *type, const void *message, void *dst, size_t bytes,
                       const char **ret_words)
{
    size_t written;

    (void)type;
    (void)ret_words;
    if (bytes == 0)
        return OYEZ_NO_ERR;
    written = protobuf_c_message_pack(message, dst);
    oy_assert(written == bytes);
    (void)written;
    return OYEZ_NO_ERR;
}

/* Where unpacking gets its memory. */
typedef struct arena_memory {
    oyez_arena *arena;
    bool failed;
} arena_memory;

static void *arena_get(void *self, size_t bytes)
{
    arena_memory *memory = self;
    void *piece = oyez_arena_alloc(memory->arena, bytes);
    if (piece == NULL)
        memory->failed = true;
    return piece;
}

static void arena_put(void *self, void *piece)
{
    (void)self;
    (void)piece;
}

static oyez_err unpack(const ProtobufCMessageDescriptor *desc, const oyez_buffer *bytes,
                       oyez_arena *arena, void **ret_message, const char **ret_words)
{
    arena_memory memory = {.arena = arena};
    ProtobufCAllocator allocator = {
        .alloc = arena_get,
        .free = arena_put,
        .allocator_data = &memory,
    };
    /* protobuf-c copies from the pointer even when there is nothing to copy */
    const uint8_t *data = bytes->len ? bytes->data : (const uint8_t *)"";
    void *message = protobuf_c_message_unpack(desc, arena ? &allocator : NULL, bytes->len, data);

    if (message) {
        *ret_message = message;
        return OYEZ_NO_ERR;
    }
    if (memory.failed) {
        *ret_words = "out of memory, or the message needs more than a call may have";
        return OYEZ_ENOMEM;
    }
    *ret_words = "a required field is missing, or a field is not of its type";
    return OYEZ_ECODEC;
}

/* What a message on the heap may take. */
static size_t heap_limit(size_t bytes)
{
    return oy_max_size(OYEZ_LIMIT_ARENA_BYTES, OYEZ_LIMIT_ARENA_FACTOR * bytes);
}

static oyez_err decode(const void *type, const oyez_slice *bytes, oyez_arena *arena,
                       oyez_pool *pool, void **ret_message, const char **ret_words)
{
    const ProtobufCMessageDescriptor *desc = descriptor(type);
    oyez_buffer whole = {NULL, 0, NULL};
    size_t memory = 0;
    oyez_err err = oyez_slice_contiguous(bytes, pool, &whole);

    if (err) {
        *ret_words = "out of memory";
        return err;
    }
    if (whole.len)
        err = oy_protobuf_scan(desc, whole.data, whole.len, arena ? NULL : &memory, ret_words);
    /* An arena has a limit of its own; the heap has none. */
    if (!err && !arena && memory > heap_limit(whole.len)) {
        *ret_words = "the decoded message would take too much memory (16 times its bytes, and 64 MiB)";
        err = OYEZ_ENOMEM;
    }
    if (!err)
        err = unpack(desc, &whole, arena, ret_message, ret_words);
    oyez_buffer_fini(&whole);
    return err;
}

static void *create(const void *type, oyez_arena *arena)
{
    const ProtobufCMessageDescriptor *desc = descriptor(type);
    ProtobufCMessage *message = oyez_arena_alloc(arena, desc->sizeof_message);

    if (message == NULL)
        return NULL;
    if (desc->message_init) {
        protobuf_c_message_init(desc, message);
    } else { /* generated with gen_init_helpers off: no defaults but zero */
        memset(message, 0, desc->sizeof_message);
        message->descriptor = desc;
    }
    return message;
}

const oyez_codec *oyez_protobuf_c(void)
{
    static const oyez_codec codec = {
        .size = sizeof(oyez_codec),
        .name = "proto",
        .measure = measure,
        .encode = encode,
        .decode = decode,
        .create = create,
    };
    return &codec;
}

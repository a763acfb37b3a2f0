/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file codec.h
 * How messages become bytes. Two codecs come with the library: plain bytes (here) and protobuf-c
 * (oyez/protobuf_c.h); others plug in by the same table.
 */
#ifndef OYEZ_CODEC_H
#define OYEZ_CODEC_H

#include <oyez/mem.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * A codec. `type` is what the method's descriptor names for the message (for protobuf-c its
 * ProtobufCMessageDescriptor). Functions are called from any thread, several at once; they do not
 * block. On an error `*ret_words` (never NULL) gets a static text that says what was wrong.
 */
struct oyez_codec {
    size_t size;      /**< sizeof(oyez_codec) */
    const char *name; /**< content-subtype, lower case: "proto" */

    /** The exact number of bytes that encode will write. OYEZ_ECODEC: cannot be encoded. */
    oyez_err (*measure)(const void *type, const void *message, size_t *ret_bytes,
                        const char **ret_words);

    /** Writes exactly `bytes` bytes, as measured. */
    oyez_err (*encode)(const void *type, const void *message, void *dst, size_t bytes,
                       const char **ret_words);

    /** Optional, for messages that are bytes already: appends them to `slice` by reference instead of
     *  encode. Called for large messages only. Buffers without a block may be among them: the library
     *  copies those while the message is still alive. */
    oyez_err (*share)(const void *type, const void *message, oyez_slice *slice,
                      const char **ret_words);

    /**
     * Makes a message of the bytes. They are borrowed: the library gives them back to their pool when
     * decode has returned, so a codec that keeps some takes references (oyez_slice_sub, and below 4 KiB
     * better a copy).
     * @param arena where the message lives; NULL: on the heap, the user frees it as is usual for the
     *              message library (protobuf-c: free_unpacked; bytes: oyez_bytes_free).
     * @param pool  for scratch.
     */
    oyez_err (*decode)(const void *type, const oyez_slice *bytes, oyez_arena *arena, oyez_pool *pool,
                       void **ret_message, const char **ret_words);

    /** An empty message in the arena, for a handler to fill; NULL: no memory. */
    void *(*create)(const void *type, oyez_arena *arena);

    /** Optional: drops what a message in an arena holds outside of it. The arena's memory itself goes by
     *  itself. */
    void (*release)(const void *type, void *message);
};

/**
 * The codec whose messages are bytes: a message is an oyez_slice. Its name is "proto", for peers expect
 * nothing else; a server with raw handlers or a proxy uses it. Any thread. Since 0.1.
 */
OYEZ_API const oyez_codec *oyez_bytes(void);

/** Frees a reply of a blocking call made with the bytes codec; NULL is allowed. Any thread. Since 0.1. */
OYEZ_API void oyez_bytes_free(oyez_slice *message);

OYEZ_END_DECLS

#endif

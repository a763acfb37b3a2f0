/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file compressor.h
 * Compression of messages (grpc/doc/compression.md): what comes with the library, and how to plug in another.
 *
 * Each message is compressed by itself and says in its prefix whether it is; which compressor, is said once, by
 * `grpc-encoding`. What a channel or a server can take is a list of compressors (oyez_channel_options,
 * oyez_server_options), which `grpc-accept-encoding` tells the other end; the default is all that this build has.
 *
 * A client compresses when it is told to: `compressor` of oyez_call_options, for one call, or for all of a channel
 * by its `call_options`. A server answers in kind, or as oyez_server_call_set_compressor says. In a stream
 * oyez_stream_set_compress leaves single messages as they are. Empty messages never are compressed.
 *
 * What comes is decompressed under the limit of a received message (`max_receive_bytes`), straight into blocks of
 * the pool: a message that would grow beyond it ends its call with OYEZ_RESOURCE_EXHAUSTED as soon as that is seen.
 */
#ifndef OYEZ_COMPRESSOR_H
#define OYEZ_COMPRESSOR_H

#include <oyez/mem.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * A compressor. Functions are called from any thread, several at once, but one state by one thread at a time; they
 * do not block. `self` is handed to each of them; it outlives the channel or server and its calls.
 *
 * States: what a direction needs to work, such as tables and a window. The library makes them, keeps some for the
 * next messages (OYEZ_LIMIT_IDLE_COMPRESSORS of either direction), and starts each message by compress or decompress,
 * whatever became of the one before.
 */
struct oyez_compressor {
    size_t size;      /**< OYEZ_COMPRESSOR_INIT */
    const char *name; /**< what `grpc-encoding` says: a token in lower case, at most 32 characters */
    void *self;

    /** Optional: makes a state; without it the state is NULL. OYEZ_ENOMEM. */
    oyez_err (*open)(void *self, bool decompresses, void **ret_state);
    /** Frees a state. */
    void (*close)(void *self, bool decompresses, void *state);

    /** Writes the whole message, compressed; best by oyez_writer_reserve. @param message not empty. */
    oyez_err (*compress)(void *self, void *state, const oyez_slice *message, oyez_writer *writer);

    /** Begins to decompress. What `ret_source` gives is the message; the library reads it to its end, or drops it.
     *  It gives OYEZ_ECODEC for bytes that are no such message, and OYEZ_ELIMIT for one that takes more memory than
     *  it should. @param message borrowed, until the source is dropped. */
    oyez_err (*decompress)(void *self, void *state, const oyez_slice *message, oyez_source *ret_source);

    /** Optional: what was wrong with the last message, behind an error: static, or lives in the state; or NULL. */
    const char *(*words)(void *self, bool decompresses, void *state);
    /** Optional: false when this state has become too large to be kept. */
    bool (*may_keep)(void *self, bool decompresses, void *state);
};

#define OYEZ_COMPRESSOR_INIT .size = sizeof(oyez_compressor)

/** For a list: stands for messages as they are, which everybody takes; a list of nothing else switches compression off.
 *  Any thread. Since 0.1. */
OYEZ_API const oyez_compressor *oyez_identity(void);

/**
 * The compressors of the library. In a list a NULL is skipped, so one that this build does not have does no harm.
 * Any thread. Since 0.1.
 *
 * @param level 0: what is usual for it; else 1 (fast) to 9 (small), for zstd to 19.
 * @return static; NULL: this build does not have it, or there is no such level.
 */
OYEZ_API const oyez_compressor *oyez_gzip(int level);
/** "deflate": the zlib format (RFC 9110 section 8.4.1.2). As oyez_gzip. Any thread. Since 0.1. */
OYEZ_API const oyez_compressor *oyez_deflate(int level);
/** "zstd" (RFC 8878). Windows of up to 8 MiB are decompressed. As oyez_gzip. Any thread. Since 0.1. */
OYEZ_API const oyez_compressor *oyez_zstd(int level);

OYEZ_END_DECLS

#endif

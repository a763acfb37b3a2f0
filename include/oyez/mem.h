/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file mem.h
 * Pooled, reference-counted memory: what gRPC-Go calls `mem`.
 *
 * A *block* is memory with a count and a pool to go back to. A *buffer* is a view of immutable bytes
 * in a block. A *slice* is a list of buffers: one message may lie in many blocks. Buffers and slices
 * are plain values: they lie on your stack or in your struct, and sharing bytes copies nothing.
 */
#ifndef OYEZ_MEM_H
#define OYEZ_MEM_H

#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/* --- pool -------------------------------------------------------------------------------------- */

/** Options of a tiered pool. Zero means the default. */
typedef struct oyez_pool_options {
    size_t size;                /**< OYEZ_POOL_OPTIONS_INIT */
    const size_t *tiers;        /**< ascending sizes in bytes; default 256, 4 KiB, 16 KiB, 32 KiB, 1 MiB */
    size_t tier_count;          /**< at most 16 */
    size_t pooling_threshold;   /**< up to this many bytes a request is not pooled; default 1 KiB,
                                     1 pools nearly all */
    size_t max_idle_bytes;      /**< what the free lists may hold in total; default 64 MiB */
} oyez_pool_options;

#define OYEZ_POOL_OPTIONS_INIT .size = sizeof(oyez_pool_options)

/** What a pool has done so far. Balanced when `gets == puts`. */
typedef struct oyez_pool_stats {
    uint64_t gets;       /**< blocks handed out, pooled or not */
    uint64_t puts;       /**< blocks that came back */
    uint64_t fresh;      /**< gets that had to allocate */
    uint64_t idle_bytes; /**< bytes that wait in the free lists */
} oyez_pool_stats;

/** Makes a pool. Any thread. Since 0.1. @param options borrowed; NULL for the defaults. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_pool_new(const oyez_pool_options *options,
                                                oyez_pool **ret_pool);
/** NULL stays NULL. Returns `pool`. Any thread. Since 0.1. */
OYEZ_API oyez_pool *oyez_pool_ref(oyez_pool *pool);
/** Drops a reference; blocks that are still out keep the pool alive. Returns NULL. Any thread.
 *  Since 0.1. */
OYEZ_API oyez_pool *oyez_pool_unref(oyez_pool *pool);
/** The counts of this moment. Any thread. Since 0.1. */
OYEZ_API void oyez_pool_get_stats(const oyez_pool *pool, oyez_pool_stats *ret_stats);

/* --- block ------------------------------------------------------------------------------------- */

/**
 * Takes a block of at least `bytes` from the pool; the count is 1 and the memory is yours to write
 * until the first buffer of it is shared. The bytes are not zeroed. NULL pool: not pooled.
 * Any thread. Since 0.1.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_block_new(oyez_pool *pool, size_t bytes,
                                                 oyez_block **ret_block);
/** NULL stays NULL. Returns `block`. Any thread. Since 0.1. */
OYEZ_API oyez_block *oyez_block_ref(oyez_block *block);
/** Drops a reference; the last one gives the memory back to its pool. NULL is allowed. Returns
 *  NULL. In debug builds a block that is freed once too often aborts the process in words. Any
 *  thread. Since 0.1. */
OYEZ_API oyez_block *oyez_block_unref(oyez_block *block);
/** The memory; aligned for any type. Any thread. Since 0.1. */
OYEZ_API void *oyez_block_data(oyez_block *block);
/** May be more than was asked for. Any thread. Since 0.1. */
OYEZ_API size_t oyez_block_capacity(const oyez_block *block);

/* --- buffer ------------------------------------------------------------------------------------ */

/**
 * A view of bytes. With a block it holds one of the block's references; without one the bytes are
 * borrowed: who keeps them longer than the call copies them (oyez_buffer_keep).
 */
struct oyez_buffer {
    const uint8_t *data;
    size_t len;
    oyez_block *block;
};

/** A new block with a copy of `data`; 0 bytes need no block. Any thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_buffer_copy(oyez_pool *pool, const void *data, size_t len,
                                                   oyez_buffer *ret_buffer);
/** A buffer of the first `len` bytes of a block. Any thread. Since 0.1. @param block *takes* one
 *  reference. */
OYEZ_API oyez_buffer oyez_buffer_of_block(oyez_block *block, size_t len);
/** Another view of the same bytes, with a reference of its own. Any thread. Since 0.1. */
OYEZ_API oyez_buffer oyez_buffer_ref(const oyez_buffer *buffer);
/** As oyez_buffer_ref, but borrowed bytes are copied, so that the result can be kept. Any thread.
 *  Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_buffer_keep(const oyez_buffer *buffer, oyez_pool *pool,
                                                   oyez_buffer *ret_buffer);
/** A view of `len` bytes from `start`, with a reference of its own; the range must lie within. Any
 *  thread. Since 0.1. */
OYEZ_API oyez_buffer oyez_buffer_sub(const oyez_buffer *buffer, size_t start, size_t len);
/** Cuts: `buffer` keeps the first `at` bytes, the rest is returned with a reference of its own.
 *  Owner thread. Since 0.1. */
OYEZ_API oyez_buffer oyez_buffer_split(oyez_buffer *buffer, size_t at);
/** Drops the reference and empties the view. Owner thread. Since 0.1. */
OYEZ_API void oyez_buffer_fini(oyez_buffer *buffer);

/* --- slice ------------------------------------------------------------------------------------- */

#define OYEZ_SLICE_INLINE 2

/** A list of buffers; all zero is the empty slice. May be moved by assignment; not copied: two
 *  copies would own the same references (oyez_slice_ref makes a second one). One thread at a time. */
struct oyez_slice {
    size_t len;          /**< bytes in all buffers together; read-only */
    uint32_t count;      /**< number of buffers; read-only */
    uint32_t capacity;   /**< of `heap`; 0 while the inline items are in use */
    oyez_buffer *heap;
    oyez_buffer inline_items[OYEZ_SLICE_INLINE];
};

#define OYEZ_SLICE_INIT { 0, 0, 0, NULL, { { NULL, 0, NULL }, { NULL, 0, NULL } } }

static inline const oyez_buffer *oyez_slice_items(const oyez_slice *slice)
{
    return slice->capacity ? slice->heap : slice->inline_items;
}

/** Drops all references and empties the slice. Owner thread. Since 0.1. */
OYEZ_API void oyez_slice_fini(oyez_slice *slice);
/** Adds a buffer at the end; an empty one adds nothing. Owner thread. Since 0.1. @param buffer
 *  *takes* its reference, on success and on failure. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_slice_append(oyez_slice *slice, oyez_buffer buffer);
/** Adds what `from` holds, by reference; all of it or nothing. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_slice_append_slice(oyez_slice *slice, const oyez_slice *from);
/** A second slice of the same bytes. `ret_slice` is written on success only. Owner thread.
 *  Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_slice_ref(const oyez_slice *slice, oyez_slice *ret_slice);
/** As oyez_slice_ref, but borrowed buffers are copied. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_slice_keep(const oyez_slice *slice, oyez_pool *pool,
                                                  oyez_slice *ret_slice);
/** `len` bytes from `start` as a slice of its own, by reference; OYEZ_EINVAL out of range. Owner
 *  thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_slice_sub(const oyez_slice *slice, size_t start, size_t len,
                                                 oyez_slice *ret_slice);
/** Copies the first bytes, at most `cap`; returns how many. Owner thread. Since 0.1. */
OYEZ_API size_t oyez_slice_copy_to(const oyez_slice *slice, void *dst, size_t cap);
/** All bytes in one buffer: shared if the slice has one buffer, else copied into a block. Owner
 *  thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_slice_contiguous(const oyez_slice *slice, oyez_pool *pool,
                                                        oyez_buffer *ret_buffer);

/* --- reader ------------------------------------------------------------------------------------ */

/** Reads a slice from front to back and drops each buffer as soon as it is consumed. Fields are
 *  private. */
struct oyez_reader {
    oyez_slice slice;
    uint32_t index;
    size_t offset;
    size_t remaining;
};

/** Starts reading. Owner thread. Since 0.1. @param slice borrowed: the reader takes references of
 *  its own. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_reader_init(oyez_reader *reader, const oyez_slice *slice);
/** Drops what was not read; later reads give OYEZ_EOF. Owner thread. Since 0.1. */
OYEZ_API void oyez_reader_fini(oyez_reader *reader);
/** Bytes that are left. Owner thread. Since 0.1. */
OYEZ_API size_t oyez_reader_remaining(const oyez_reader *reader);
/** Reads up to `cap` bytes; OYEZ_EOF when nothing is left (and `cap` is not 0). Owner thread.
 *  Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_reader_read(oyez_reader *reader, void *dst, size_t cap,
                                                   size_t *ret_len);
/** Reads one byte; OYEZ_EOF when nothing is left. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_reader_read_byte(oyez_reader *reader, uint8_t *ret_byte);
/** Skips `len` bytes; when fewer are left skips those and returns OYEZ_EOF. `ret_skipped`, which
 *  may be NULL, is written either way. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_reader_discard(oyez_reader *reader, size_t len,
                                                      size_t *ret_skipped);
/** Appends the next `len` bytes to `slice` by reference, without advancing; OYEZ_EOF, and nothing
 *  appended, when fewer are left. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_reader_peek(const oyez_reader *reader, size_t len,
                                                   oyez_slice *slice);
/** As _peek, and advances. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_reader_take(oyez_reader *reader, size_t len,
                                                   oyez_slice *slice);

/* --- writer ------------------------------------------------------------------------------------ */

/** Appends copied bytes to a slice, in blocks of a pool; small writes share a block. Fields are
 *  private. */
struct oyez_writer {
    oyez_slice *slice;
    oyez_pool *pool;
    size_t block_bytes;
    uint8_t *tail;
    size_t spare;
};

/** Starts writing. Owner thread. Since 0.1. @param slice, pool borrowed for the life of the writer.
 *  @param block_bytes the size of a fresh block; 0 for 4 KiB. */
OYEZ_API void oyez_writer_init(oyez_writer *writer, oyez_slice *slice, oyez_pool *pool,
                               size_t block_bytes);
/** Appends a copy of `data`; all of it or nothing. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_writer_write(oyez_writer *writer, const void *data,
                                                    size_t len);
/** Room to write into, for what makes its bytes itself, such as a compressor: at least `least` bytes (and at
 *  least 1). oyez_writer_commit is the next thing done with the writer and its slice. Owner thread. Since 0.1.
 *  @param ret_bytes how much room there is: the rest of the block. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_writer_reserve(oyez_writer *writer, size_t least, void **ret_room,
                                                      size_t *ret_bytes);
/** Says how many bytes were written into the room that was reserved, from its start; 0 are allowed. Owner
 *  thread. Since 0.1. */
OYEZ_API void oyez_writer_commit(oyez_writer *writer, size_t len);

/* --- read_all ---------------------------------------------------------------------------------- */

/** Something to read from, such as a decompressor. */
typedef struct oyez_source {
    /**
     * Reads up to `cap` bytes. `*ret_len` is set on every return. Returns 0 (0 bytes are allowed: the
     * caller asks again), OYEZ_EOF at the end, or an error; bytes that come together with either are
     * kept.
     */
    oyez_err (*read)(void *self, void *dst, size_t cap, size_t *ret_len);
    void *self;
} oyez_source;

/**
 * Reads a source to its end, straight into blocks of the pool (32 KiB asked for, or what is left of the limit;
 * all of what comes is used). **On an error it still gives what it has read**: append-only, in `slice`, which the
 * caller then frees. A source that keeps on giving 0 bytes without an end is stopped with OYEZ_EIO
 * after 100 in a row.
 *
 * Owner thread of the slice. Since 0.1.
 *
 * @param limit   at most this many bytes are kept; one more makes it OYEZ_ELIMIT, and costs no memory.
 *                SIZE_MAX: no limit.
 * @param slice   initialised; what was read is appended.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_read_all(const oyez_source *source, oyez_pool *pool,
                                                size_t limit, oyez_slice *slice);

/* --- arena ------------------------------------------------------------------------------------- */

/** Memory of the arena, aligned for any type, gone with the arena; NULL when there is none. The
 *  arenas of calls and streams are made by the library; codecs are handed one. Owner thread: whoever
 *  was handed the arena, one thread at a time. Since 0.1. */
OYEZ_API void *oyez_arena_alloc(oyez_arena *arena, size_t bytes);

OYEZ_END_DECLS

#endif

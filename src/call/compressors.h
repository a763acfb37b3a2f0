/* SPDX-License-Identifier: Apache-2.0 */
/* The compressors of a channel or a server, and messages on their way through them. Immutable but for the idle states; any
 * thread. */
#ifndef OY_CALL_COMPRESSORS_H
#define OY_CALL_COMPRESSORS_H

#include <oyez/compressor.h>

#include "wire/wire.h"

/* Room for the words of a failure. */
#define OY_COMPRESSION_WORDS 192u

/* One of a list. */
typedef struct oy_compressor oy_compressor;
typedef struct oy_compressors oy_compressors;

/* Copies the tables. NULL for an empty list or one of identity alone; @param list NULL: all that this build has.
 * OYEZ_EINVAL, OYEZ_E2BIG, with static words. */
oyez_err oy_compressors_new(const oyez_compressor *const *list, size_t count, oy_compressors **ret_all,
                            const char **ret_words);
/* NULL stays NULL. */
oy_compressors *oy_compressors_ref(oy_compressors *all);
oy_compressors *oy_compressors_unref(oy_compressors *all);

/* For grpc-accept-encoding: "gzip,deflate"; "" for NULL. */
oyez_str oy_compressors_names(const oy_compressors *all);
/* NULL: not in the list. `all` may be NULL. */
const oy_compressor *oy_compressors_find(const oy_compressors *all, oyez_str name);
/* Those that a grpc-accept-encoding lists, as a set. */
uint32_t oy_compressors_parse_accept(const oy_compressors *all, oyez_str list);

/* For this one in such a set. */
uint32_t oy_compressor_bit(const oy_compressor *compressor);
/* Lives as long as the list. */
oyez_str oy_compressor_name(const oy_compressor *compressor);

/* "identity", or nothing said. */
bool oy_encoding_is_none(oyez_str encoding);

/* Replaces the bytes of a message, which is not empty, by compressed ones. OYEZ_OK, or a code with words; then the message is
 * as it was. */
oyez_code oy_compress(const oy_compressor *compressor, oyez_pool *pool, oyez_slice *message,
                      char words[OY_COMPRESSION_WORDS]);

/* A message still has to be decompressed. */
static inline bool oy_message_is_packed(const oy_message *message)
{
    return message->compressed && !message->unpacked;
}

/* Replaces the bytes of a packed message, as the other end's grpc-encoding says. OYEZ_OK, or a code with words; then the
 * message is empty. @param limit bytes of the message afterwards. `all` may be NULL. */
oyez_code oy_message_unpack(const oy_compressors *all, oyez_str encoding, oyez_pool *pool, size_t limit,
                            oy_message *message, char words[OY_COMPRESSION_WORDS]);

/* What the words of a refused encoding are. */
void oy_encoding_unknown_words(oyez_str encoding, char words[OY_COMPRESSION_WORDS]);

/* The tables of the library's own: gzip.c and zstd.c. NULL: there is no such level. */
const oyez_compressor *oy_gzip_compressor(int level);
const oyez_compressor *oy_deflate_compressor(int level);
const oyez_compressor *oy_zstd_compressor(int level);

#endif

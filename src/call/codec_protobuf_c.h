/* SPDX-License-Identifier: Apache-2.0 */
/* What protobuf-c does not check before it unpacks. */
#ifndef OY_CALL_CODEC_PROTOBUF_C_H
#define OY_CALL_CODEC_PROTOBUF_C_H

#include <protobuf-c/protobuf-c.h>

#include <oyez/limits.h>
#include <oyez/types.h>

/* How deep messages may nest, the outermost being 1. */
#define OY_MESSAGE_DEPTH OYEZ_LIMIT_MESSAGE_DEPTH
/* How often an instance may give its singular message fields, beyond once for each field of the type. */
#define OY_MESSAGE_REPEATS OYEZ_LIMIT_MESSAGE_REPEATS

/* Walks over the bytes of a message of type `desc` as far as its known fields go. OYEZ_ECODEC, and
 * words, for: malformed wire format, groups, messages nested too deep, a singular message field given
 * too often, a proto3 string that is not UTF-8. Time linear in `len`; no allocation, no recursion.
 * @param ret_memory  about what the unpacked message will take; NULL: not asked. */
oyez_err oy_protobuf_scan(const ProtobufCMessageDescriptor *desc, const uint8_t *data, size_t len,
                          size_t *ret_memory, const char **ret_words);

#endif

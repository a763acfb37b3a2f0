/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file protobuf_c.h
 * The codec for messages of protobuf-c. The only header that knows that library.
 */
#ifndef OYEZ_PROTOBUF_C_H
#define OYEZ_PROTOBUF_C_H

#include <protobuf-c/protobuf-c.h>

#include <oyez/codec.h>

OYEZ_BEGIN_DECLS

/**
 * The codec of protobuf-c messages; `type` is a `const ProtobufCMessageDescriptor *`. Messages nested
 * deeper than 100 are refused before protobuf-c sees them (its unpacking recurses without a limit).
 * Any thread. Since 0.1.
 */
OYEZ_API const oyez_codec *oyez_protobuf_c(void);

OYEZ_END_DECLS

#endif

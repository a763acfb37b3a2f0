/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file protobuf_c.h
 * The codec for messages of protobuf-c. The only header that knows that library.
 */
#ifndef OYEZ_PROTOBUF_C_H
#define OYEZ_PROTOBUF_C_H

#include <protobuf-c/protobuf-c.h>

#include <oyez/codec.h>
#include <oyez/status.h>

OYEZ_BEGIN_DECLS

/**
 * The codec of protobuf-c messages; `type` is a `const ProtobufCMessageDescriptor *`. Messages nested
 * deeper than 100 are refused before protobuf-c sees them (its unpacking recurses without a limit).
 * Any thread. Since 0.1.
 */
OYEZ_API const oyez_codec *oyez_protobuf_c(void);

/** oyez_status_add_detail of a message: its type is that of its descriptor. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_protobuf_c_add_detail(oyez_status *status, const ProtobufCMessage *message);
/** The first detail of that type, unpacked on the heap: free it by x__free_unpacked(message, NULL). OYEZ_ENOENT: there is none.
 *  OYEZ_ECODEC: it is malformed. OYEZ_ENOMEM. Any thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_protobuf_c_find_detail(const oyez_status *status,
                                                              const ProtobufCMessageDescriptor *type,
                                                              ProtobufCMessage **ret_message);

OYEZ_END_DECLS

#endif

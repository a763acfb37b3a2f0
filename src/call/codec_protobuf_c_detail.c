/* SPDX-License-Identifier: Apache-2.0 */
/* Details of a status as messages of protobuf-c. */
#include <oyez/protobuf_c.h>

#include "mem/mem.h"

oyez_err oyez_protobuf_c_add_detail(oyez_status *status, const ProtobufCMessage *message)
{
    const oyez_codec *codec = oyez_protobuf_c();
    const char *words = "";
    oyez_block *block;
    size_t bytes;
    if (!status || !message || !message->descriptor)
        return OYEZ_EINVAL;
    oyez_err err = codec->measure(message->descriptor, message, &bytes, &words);
    if (!err)
        err = oyez_block_new(NULL, bytes, &block);
    if (err)
        return err;
    err = codec->encode(message->descriptor, message, oyez_block_data(block), bytes, &words);
    if (!err)
        err = oyez_status_add_detail(status, message->descriptor->name, oyez_block_data(block), bytes);
    oyez_block_unref(block);
    return err;
}

oyez_err oyez_protobuf_c_find_detail(const oyez_status *status, const ProtobufCMessageDescriptor *type,
                                     ProtobufCMessage **ret_message)
{
    const char *words = "";
    oyez_slice bytes = OYEZ_SLICE_INIT;
    void *message;
    if (!status || !type || !ret_message)
        return OYEZ_EINVAL;
    oyez_str value = oyez_status_find_detail(status, type->name);
    if (!value.data)
        return OYEZ_ENOENT;
    oyez_err err = oyez_slice_append(&bytes, (oyez_buffer){ (const uint8_t *)value.data, value.len, NULL });
    if (!err)
        err = oyez_protobuf_c()->decode(type, &bytes, NULL, NULL, &message, &words);
    if (!err)
        *ret_message = message;
    oyez_slice_fini(&bytes);
    return err;
}

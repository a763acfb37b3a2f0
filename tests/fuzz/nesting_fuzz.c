/* SPDX-License-Identifier: Apache-2.0 */
/* The look at a protobuf message before it is unpacked. Whatever it lets pass, protobuf-c must take
 * without harm, and what protobuf-c then writes must pass again. */
#include <stdint.h>
#include <stdlib.h>

#include "call/codec_protobuf_c.h"
#include "call/test_tree.h"

int oy_fuzz_nesting(const uint8_t *data, size_t len);

static unsigned depth_of(const test_tree *tree)
{
    unsigned depth = 1;
    for (size_t i = 0; i < tree->n_kids; i++) {
        unsigned below = depth_of(tree->kids[i]) + 1;
        depth = below > depth ? below : depth;
    }
    if (tree->child) {
        unsigned below = depth_of(tree->child) + 1;
        depth = below > depth ? below : depth;
    }
    return depth;
}

int oy_fuzz_nesting(const uint8_t *data, size_t len)
{
    const char *words = NULL;
    ProtobufCMessage *message;
    uint8_t *out;
    size_t bytes;

    if (oy_protobuf_scan(&test_tree_descriptor, data, len, NULL, &words) != OYEZ_NO_ERR) {
        if (words == NULL)
            abort();
        return 0;
    }
    message = protobuf_c_message_unpack(&test_tree_descriptor, NULL, len, data);
    if (message == NULL)
        return 0;
    if (depth_of((const test_tree *)(const void *)message) > OY_MESSAGE_DEPTH)
        abort();
    bytes = protobuf_c_message_get_packed_size(message);
    out = malloc(bytes + 1);
    if (out) {
        if (protobuf_c_message_pack(message, out) != bytes)
            abort();
        if (oy_protobuf_scan(&test_tree_descriptor, out, bytes, NULL, &words) != OYEZ_NO_ERR)
            abort();
    }
    free(out);
    protobuf_c_message_free_unpacked(message, NULL);
    return 0;
}

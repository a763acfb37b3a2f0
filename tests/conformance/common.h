/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of the conformance suite share: framed messages on standard input and output, and the suite's headers as
 * metadata. Public API only. */
#ifndef CONFORMANCE_COMMON_H
#define CONFORMANCE_COMMON_H

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "conformance.pb-c.h"

typedef Connectrpc__Conformance__V1__Header Header;
typedef Connectrpc__Conformance__V1__Error Error;
typedef Connectrpc__Conformance__V1__ConformancePayload Payload;
typedef Connectrpc__Conformance__V1__ConformancePayload__RequestInfo RequestInfo;
typedef Connectrpc__Conformance__V1__RpcStatus RpcStatus;
typedef Google__Protobuf__Any Any;

/* Reads a message behind a 4-byte big-endian length; NULL at the end of input. The caller frees it. */
uint8_t *read_framed(size_t *ret_len);
/* Writes a message in the same form and flushes. Not to be called by two threads at once. */
void write_framed(const ProtobufCMessage *message);

/* Memory that is there, or the program ends. */
void *need(void *memory);

/* The suite's values of -bin headers are base64; in metadata they are raw bytes. `add` gets each pair. */
typedef void add_fn(void *user, const char *key, const void *value, size_t len);
void each_header(Header *const *headers, size_t count, add_fn *add, void *user);

/* Metadata in the suite's form: a key with all its values, in order. */
typedef struct header_list {
    Header **items;
    size_t count;
} header_list;
header_list headers_of_metadata(const oyez_metadata *metadata);
void header_list_free(header_list *list);

/* A message as an Any, on the heap, and its end. */
Any *any_of(const ProtobufCMessage *message);
void any_free(Any *any);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* protoc-gen-c as a child: a request to its standard input, a response from its standard output. */
#ifndef PLUGIN_CHILD_H
#define PLUGIN_CHILD_H

#include "model.h"

/* protobuf-c messages in the memory of text.h. */
ProtobufCAllocator *child_allocator(void);

/* Reads a descriptor to its end. False: errno. */
bool child_read(int fd, text *ret_bytes);
/* Writes all. False: errno. */
bool child_write(int fd, const void *data, size_t len);

/* Appends the files of its response to ours; its error becomes ours. */
bool child_run(run *r, const Plugin__Request *request, Plugin__Response *response);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the code of the services of a file. */
#ifndef PLUGIN_EMIT_H
#define PLUGIN_EMIT_H

#include "model.h"

/* The oldest library that the generated code can do with, as OYEZ_VERSION_NUMBER and in words. To be
 * raised when the code written here begins to use something newer. */
#define NEEDS_VERSION_NUMBER "0x000100"
#define NEEDS_VERSION        "0.1.0"

/* x/y.oyez.h, x/y.oyez.c */
void emit_header(const file *f, text *out);
void emit_source(const file *f, text *out);

/* The parts of a streaming method in the header: calls of the client; types, members of the table and
 * functions of the server. And all of it in the source. */
void emit_stream_client(const char *const *keys, const method *m, text *out);
void emit_stream_server_types(const char *const *keys, const method *m, text *out);
void emit_stream_members(const char *const *keys, const method *m, text *out);
void emit_stream_server(const char *const *keys, const method *m, text *out);
void emit_stream_source(const char *const *keys, const method *m, text *out);
extern const char emit_stream_row[];

/* The comment of the .proto, and an empty line behind it. */
void emit_method_comment(text *out, const method *m);

/* Adds the lines of a comment of the .proto, each behind `margin` and " * ". */
void emit_comment_lines(text *out, const char *margin, const char *comment);

/* What the forms of a method may name: text_fill's list, for `s` and `m`. NULL `m`: of the service. */
const char *const *emit_keys(const file *f, const service *s, const method *m);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The messages: protobuf-c's generator writes them, after its request has been made one that it can
 * take. */
#ifndef PLUGIN_MESSAGES_H
#define PLUGIN_MESSAGES_H

#include "model.h"

/* The name that protobuf-c spells, for the message `local` ("Outer.Inner") of a file: with its package,
 * or with what (pb_c_file).c_package puts in the place of it. */
const char *messages_full_name(const FileProto *f, const char *local);

/* Refuses, in words, what protobuf-c would turn into code that does not compile. */
bool messages_check(run *r, const FileProto *f);

/* Runs protoc-gen-c over the files of the request, and appends what it writes. Changes the request:
 * services go, proto3 optional fields become oneofs named has_<field>. */
bool messages_generate(run *r, Plugin__Response *response);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be written, resolved: services and methods with their names in C and their types. */
#ifndef PLUGIN_MODEL_H
#define PLUGIN_MODEL_H

#include "plugin.pb-c.h"
#include "text.h"

typedef Google__Protobuf__FileDescriptorProto FileProto;
typedef Google__Protobuf__DescriptorProto MessageProto;
typedef Google__Protobuf__FieldDescriptorProto FieldProto;
typedef Google__Protobuf__ServiceDescriptorProto ServiceProto;
typedef Google__Protobuf__MethodDescriptorProto MethodProto;

/* --oyez_opt= */
typedef struct run_options {
    const char *prefix; /* instead of the package; NULL: none */
    bool skip_streaming;
} run_options;

/* The run: a failure is said once, in words that protoc prints. */
typedef struct run {
    Plugin__Request *request;
    run_options options;
    const char *error; /* NULL: none */
} run;

/* Records the words, unless others came first. Always false, for `return`. */
bool run_fail(run *r, const char *format, ...) TEXT_PRINTF(2, 3);
bool options_parse(run *r);

/* A message type as protobuf-c names it. */
typedef struct type {
    const char *c_name; /* Helloworld__HelloRequest */
    const char *lower;  /* helloworld__hello_request */
} type;

/* The four shapes of a call. */
typedef enum shape {
    SHAPE_UNARY,
    SHAPE_CLIENT_STREAM,
    SHAPE_SERVER_STREAM,
    SHAPE_BIDI,
} shape;

static inline bool shape_client_sends(shape s)
{
    return s == SHAPE_CLIENT_STREAM || s == SHAPE_BIDI;
}

static inline bool shape_server_sends(shape s)
{
    return s == SHAPE_SERVER_STREAM || s == SHAPE_BIDI;
}

typedef struct method {
    const char *proto_name; /* SayHello */
    const char *name;       /* say_hello */
    const char *fn;         /* helloworld_greeter_say_hello */
    const char *comment;    /* of the .proto; NULL: none */
    shape shape;
    type in, out;
} method;

typedef struct service {
    const char *full_name; /* helloworld.Greeter */
    const char *prefix;    /* helloworld_greeter */
    const char *comment;
    method *methods;
    size_t method_count;
    names skipped; /* streaming methods that an option leaves out */
} service;

typedef struct file {
    const char *proto; /* x/y.proto */
    const char *stem;  /* x/y */
    service *services;
    size_t service_count;
} file;

/* The file of the request with this name; NULL: none. */
FileProto *run_find_file(const run *r, const char *name);
/* Resolves the services of a file. */
bool model_build(run *r, const FileProto *proto, file *ret_file);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* protoc-gen-oyez: protoc runs it for --oyez_out=, with a CodeGeneratorRequest on standard input, and
 * reads a CodeGeneratorResponse from its standard output. For x/y.proto it writes x/y.pb-c.{h,c}, the
 * messages, by way of protobuf-c's generator, and x/y.oyez.{h,c}, stubs and services. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <oyez/version.h>

#include "child.h"
#include "emit.h"
#include "messages.h"

#define FEATURE_PROTO3_OPTIONAL 1

static void add_file(Plugin__Response *response, size_t at, const char *name, const text *content)
{
    Plugin__Response__File *added = mem_get(sizeof(*added));

    plugin__response__file__init(added);
    added->name = str_dup(name);
    added->content = content->data;
    response->file[at] = added;
    response->n_file = at + 1;
}

static bool write_file(run *r, const char *name, Plugin__Response *response)
{
    const FileProto *proto = run_find_file(r, name);
    text header = {0}, source = {0};
    file f = {0};

    if (proto == NULL)
        return run_fail(r, "%s: protoc asks for it, but does not say what is in it", name);
    if (!messages_check(r, proto) || !model_build(r, proto, &f))
        return false;
    emit_header(&f, &header);
    emit_source(&f, &source);
    add_file(response, response->n_file, str_printf("%s.oyez.h", f.stem), &header);
    add_file(response, response->n_file, str_printf("%s.oyez.c", f.stem), &source);
    return true;
}

static void generate(run *r, Plugin__Response *response)
{
    const Plugin__Request *request = r->request;
    bool ok = options_parse(r);

    response->file = mem_get((2 * request->n_file_to_generate + 1) * sizeof(response->file[0]));
    for (size_t i = 0; ok && i < request->n_file_to_generate; i++)
        ok = write_file(r, request->file_to_generate[i], response);
    if (ok)
        messages_generate(r, response);
    if (r->error) {
        response->n_file = 0;
        response->error = str_dup(r->error);
    }
}

static int answer(const Plugin__Response *response)
{
    size_t len = plugin__response__get_packed_size(response);
    uint8_t *bytes = mem_get(len + 1);

    plugin__response__pack(response, bytes);
    if (child_write(STDOUT_FILENO, bytes, len))
        return 0;
    fprintf(stderr, "protoc-gen-oyez: the answer cannot be written: %s\n", strerror(errno));
    return 1;
}

static int work(void)
{
    Plugin__Response response = PLUGIN__RESPONSE__INIT;
    text in = {0};
    run r = {0};

    if (!child_read(STDIN_FILENO, &in)) {
        fprintf(stderr, "protoc-gen-oyez: the request cannot be read: %s\n", strerror(errno));
        return 1;
    }
    r.request = plugin__request__unpack(child_allocator(), in.len, (const uint8_t *)text_of(&in));
    if (r.request == NULL) {
        fputs("protoc-gen-oyez: the request is not one of protoc\n", stderr);
        return 1;
    }
    response.has_supported_features = 1;
    response.supported_features = FEATURE_PROTO3_OPTIONAL;
    generate(&r, &response);
    return answer(&response);
}

int main(int argc, char **argv)
{
    int code;

    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts("protoc-gen-oyez " OYEZ_VERSION_STRING);
        return 0;
    }
    if (argc > 1 || isatty(STDIN_FILENO)) {
        fputs("protoc-gen-oyez is run by protoc:\n"
              "  protoc --oyez_out=DIRECTORY [--oyez_opt=prefix=NAME] [--oyez_opt=skip_streaming] "
              "FILE.proto\n",
              stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN); /* a child that ends early is an error of writing */
    code = work();
    mem_end();
    return code;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* From descriptors to services, methods, types and comments, with a name in C for each that no other
 * of the file has. */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "messages.h"
#include "spelling.h"

/* Numbers of fields, as paths of source locations use them: descriptor.proto. */
enum {
    FILE_SERVICE = 6,
    SERVICE_METHOD = 2,
};

bool run_fail(run *r, const char *format, ...)
{
    char words[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof(words), format, args);
    va_end(args);
    if (r->error == NULL)
        r->error = str_dup(words);
    return false;
}

static bool option_parse(run *r, const char *option)
{
    if (strcmp(option, "skip_streaming") == 0) {
        r->options.skip_streaming = true;
        return true;
    }
    if (strncmp(option, "prefix=", 7) == 0) {
        r->options.prefix = option + 7;
        if (spell_is_prefix(r->options.prefix))
            return true;
        return run_fail(r,
                        "--oyez_opt=%s: a prefix is made of lower-case letters, digits and single "
                        "underscores, such as prefix=hw",
                        option);
    }
    return run_fail(
        r, "--oyez_opt=%s: there is no such option; there are prefix=NAME and skip_streaming",
        option);
}

bool options_parse(run *r)
{
    const char *rest = r->request->parameter ? r->request->parameter : "";
    while (*rest) {
        size_t len = strcspn(rest, ",");
        if (len && !option_parse(r, str_ndup(rest, len)))
            return false;
        rest += len;
        rest += *rest == ',';
    }
    return true;
}

FileProto *run_find_file(const run *r, const char *name)
{
    for (size_t i = 0; i < r->request->n_proto_file; i++)
        if (strcmp(r->request->proto_file[i]->name, name) == 0)
            return r->request->proto_file[i];
    return NULL;
}

/* --- types --------------------------------------------------------------------------------------- */

static bool defines(MessageProto *const *messages, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = messages[i]->name;
        size_t len = strlen(name);
        if (strncmp(path, name, len) != 0)
            continue;
        if (path[len] == '\0')
            return true;
        if (path[len] == '.' &&
            defines(messages[i]->nested_type, messages[i]->n_nested_type, path + len + 1))
            return true;
    }
    return false;
}

/* `name` begins with a dot: ".helloworld.HelloRequest". */
static bool type_find(run *r, const char *name, type *ret_type)
{
    for (size_t i = 0; i < r->request->n_proto_file; i++) {
        const FileProto *f = r->request->proto_file[i];
        const char *package = f->package ? f->package : "";
        const char *local = name + 1;
        size_t len = strlen(package);

        if (len) {
            if (strncmp(local, package, len) != 0 || local[len] != '.')
                continue;
            local += len + 1;
        }
        if (!defines(f->message_type, f->n_message_type, local))
            continue;
        name = messages_full_name(f, local);
        ret_type->c_name = spell_pbc_type(name);
        ret_type->lower = spell_pbc_lower(name);
        return true;
    }
    return run_fail(r, "%s: protoc did not say where this message is defined", name + 1);
}

/* --- comments ------------------------------------------------------------------------------------ */

static const char *comment_at(const FileProto *f, const int32_t *path, size_t len)
{
    for (size_t i = 0; f->source_code_info && i < f->source_code_info->n_location; i++) {
        const Google__Protobuf__SourceCodeInfo__Location *at = f->source_code_info->location[i];
        if (at->n_path != len || memcmp(at->path, path, len * sizeof(path[0])) != 0)
            continue;
        if (at->leading_comments && *at->leading_comments)
            return at->leading_comments;
        return at->trailing_comments && *at->trailing_comments ? at->trailing_comments : NULL;
    }
    return NULL;
}

/* --- names --------------------------------------------------------------------------------------- */

/* Of a stream of any shape; of one that the client sends on; of one that the server sends on. */
#define STREAM_WORDS                                                                               \
    "", "_stream", "_events", "_recv", "_async", "_server_stream", "_server_events",               \
        "_server_listen", "_method", "_handle", "_handle_async", "_adapters", "_adapt_headers",    \
        "_adapt_message", "_adapt_sent", "_adapt_done", "_server_adapters", "_server_adapt_done"
#define SENDING_CLIENT_WORDS                                                                       \
    "_send", "_close_send", "_server_recv", "_server_adapt_message", "_server_adapt_half_close"
#define SENDING_SERVER_WORDS "_server_send", "_server_adapt_sent"

/* What is written at the top level for a service and for a method of each shape, behind prefix or
 * function. */
static const char *const service_words[] = {"_stub", "_service", "_service_register", NULL};
static const char *const unary_words[] = {
    "", "_async", "_done_fn", "_reply", "_method", "_handle", "_handle_async", "_adapt_done", NULL};
static const char *const client_stream_words[] = {
    STREAM_WORDS, SENDING_CLIENT_WORDS, "_close_and_recv", "_reply", NULL};
static const char *const server_stream_words[] = {STREAM_WORDS, SENDING_SERVER_WORDS, NULL};
static const char *const bidi_words[] = {
    STREAM_WORDS, SENDING_CLIENT_WORDS, SENDING_SERVER_WORDS, NULL};
static const char *const *const method_words[] = {
    [SHAPE_UNARY] = unary_words,
    [SHAPE_CLIENT_STREAM] = client_stream_words,
    [SHAPE_SERVER_STREAM] = server_stream_words,
    [SHAPE_BIDI] = bidi_words,
};

static bool any_taken(const names *taken, const char *stem, const char *const *words)
{
    for (; *words; words++)
        if (names_has(taken, str_printf("%s%s", stem, *words)))
            return true;
    return false;
}

static void take(names *taken, const char *stem, const char *const *words)
{
    for (; *words; words++)
        names_add(taken, str_printf("%s%s", stem, *words));
}

static const char *service_prefix(const run *r, const FileProto *f, const char *name, names *taken)
{
    const char *package = f->package ? spell_snake(f->package) : "";
    const char *prefix = spell_snake(name);

    if (r->options.prefix)
        package = r->options.prefix;
    if (*package)
        prefix = str_printf("%s_%s", package, prefix);
    /* the library's own names */
    if (strncmp(prefix, "oyez_", 5) == 0 || strcmp(prefix, "oyez") == 0)
        prefix = str_printf("%s_", prefix);
    while (any_taken(taken, prefix, service_words))
        prefix = str_printf("%s_", prefix);
    take(taken, prefix, service_words);
    return prefix;
}

/* `members` are the names in the struct of the service. */
static void method_name(const service *s, method *m, names *taken, names *members)
{
    static const char *const member_words[] = {"", "_async", NULL};
    const char *name = spell_snake(m->proto_name);

    while (spell_is_taken(name) || any_taken(members, name, member_words) ||
           any_taken(taken, str_printf("%s_%s", s->prefix, name), method_words[m->shape]))
        name = str_printf("%s_", name);
    m->name = name;
    m->fn = str_printf("%s_%s", s->prefix, name);
    take(members, name, member_words);
    take(taken, m->fn, method_words[m->shape]);
}

/* --- services ------------------------------------------------------------------------------------ */

static shape shape_of(const MethodProto *m)
{
    bool client = m->has_client_streaming && m->client_streaming;
    bool server = m->has_server_streaming && m->server_streaming;
    if (client)
        return server ? SHAPE_BIDI : SHAPE_CLIENT_STREAM;
    return server ? SHAPE_SERVER_STREAM : SHAPE_UNARY;
}

static bool build_methods(run *r, const FileProto *f, int32_t index, service *s, names *taken)
{
    const ServiceProto *proto = f->service[index];
    names members = {0};

    names_add(&members, "on_loop");
    s->methods = mem_get((proto->n_method + 1) * sizeof(*s->methods));
    for (size_t i = 0; i < proto->n_method; i++) {
        const MethodProto *p = proto->method[i];
        method *m = &s->methods[s->method_count];

        m->proto_name = p->name;
        m->shape = shape_of(p);
        if (m->shape != SHAPE_UNARY && r->options.skip_streaming) {
            names_add(&s->skipped, p->name);
            continue;
        }
        m->comment = comment_at(f, (int32_t[]){FILE_SERVICE, index, SERVICE_METHOD, (int32_t)i}, 4);
        if (!type_find(r, p->input_type, &m->in) || !type_find(r, p->output_type, &m->out))
            return false;
        method_name(s, m, taken, &members);
        s->method_count++;
    }
    return true;
}

bool model_build(run *r, const FileProto *proto, file *ret_file)
{
    names taken = {0};
    size_t stem = strlen(proto->name);

    if (str_ends(proto->name, ".proto"))
        stem -= strlen(".proto");
    ret_file->proto = proto->name;
    ret_file->stem = str_ndup(proto->name, stem);
    ret_file->services = mem_get((proto->n_service + 1) * sizeof(service));
    ret_file->service_count = proto->n_service;
    for (size_t i = 0; i < proto->n_service; i++) {
        service *s = &ret_file->services[i];
        const char *name = proto->service[i]->name;

        s->full_name =
            proto->package && *proto->package ? str_printf("%s.%s", proto->package, name) : name;
        s->prefix = service_prefix(r, proto, name, &taken);
        s->comment = comment_at(proto, (int32_t[]){FILE_SERVICE, (int32_t)i}, 2);
    }
    for (size_t i = 0; i < proto->n_service; i++)
        if (!build_methods(r, proto, (int32_t)i, &ret_file->services[i], &taken))
            return false;
    return true;
}

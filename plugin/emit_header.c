/* SPDX-License-Identifier: Apache-2.0 */
/* The header: for each service the stub with its calls, and the table of handlers. A function for each
 * shape of a method. */
#include "emit.h"

static const char top[] = "/* Written by protoc-gen-oyez from $proto$: change that instead. */\n"
                          "#ifndef OYEZ_$guard$_INCLUDED\n"
                          "#define OYEZ_$guard$_INCLUDED\n"
                          "\n"
                          "#include <oyez/oyez.h>\n"
                          "#include <oyez/protobuf_c.h>\n"
                          "\n"
                          "#include \"$stem$.pb-c.h\"\n"
                          "\n"
                          "#if OYEZ_VERSION_NUMBER < $number$\n"
                          "#error \"$stem$.oyez.h needs oyez $version$ or newer\"\n"
                          "#endif\n"
                          "\n"
                          "OYEZ_BEGIN_DECLS\n";

static const char bottom[] = "\n"
                             "OYEZ_END_DECLS\n"
                             "\n"
                             "#endif\n";

static const char service_names[] = "\n"
                                    "/* --- $service$ --- */\n"
                                    "\n"
                                    "#define $PREFIX$_SERVICE_NAME \"$service$\"\n";

static const char stub[] =
    " * The client's end of $service$: a value, to be filled in and copied at will.\n"
    " */\n"
    "typedef struct $prefix$_stub {\n"
    "    oyez_channel *channel;            /**< borrowed */\n"
    "    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */\n"
    "} $prefix$_stub;\n";

static const char service_open[] =
    "\n"
    "/**\n"
    " * The server's end of $service$: who answers which method. Of a method's two functions at "
    "most one is\n"
    " * set; with none it answers UNIMPLEMENTED. `self` is what was registered.\n"
    " *\n"
    " * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns "
    "OYEZ_OK, or\n"
    " * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and "
    "must not\n"
    " * block; it ends the call once, then or later, from any thread.\n"
    " */\n"
    "typedef struct $prefix$_service {\n";

static const char service_close[] =
    "    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */\n"
    "} $prefix$_service;\n"
    "\n"
    "/**\n"
    " * Adds the service to a server that has not been started. @param service borrowed for the "
    "life of the\n"
    " * server, as is `self`.\n"
    " */\n"
    "OYEZ_MUST_CHECK oyez_err $prefix$_service_register(\n"
    "    oyez_server *server, const $prefix$_service *service, void *self);\n";

static const char method_names[] = "#define $FN$_PATH \"/$service$/$Method$\"\n";
static const char method_object[] = "extern const oyez_method $fn$_method;\n";

/* --- a unary method ------------------------------------------------------------------------------ */

static const char unary_call[] =
    " * Calls $Method$ and waits for the reply.\n"
    " *\n"
    " * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed "
    "with\n"
    " * $out$__free_unpacked(reply, NULL); may be NULL.\n"
    " */\n"
    "oyez_code $fn$(\n"
    "    $prefix$_stub stub, oyez_ctx *ctx,\n"
    "    const $In$ *request,\n"
    "    $Out$ **ret_reply, oyez_status *ret_status);\n"
    "\n"
    "/** Gets the end of an async $Method$; `reply` is NULL unless the status is OYEZ_OK. Both are "
    "borrowed. */\n"
    "typedef void $fn$_done_fn(\n"
    "    oyez_call *call, const oyez_status *status,\n"
    "    const $Out$ *reply, void *user);\n"
    "\n"
    "/**\n"
    " * Calls $Method$ and returns at once; `done` runs once, on a loop thread, unless an error is "
    "returned.\n"
    " *\n"
    " * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.\n"
    " */\n"
    "OYEZ_MUST_CHECK oyez_err $fn$_async(\n"
    "    $prefix$_stub stub, oyez_ctx *ctx,\n"
    "    const $In$ *request,\n"
    "    $fn$_done_fn *done, void *user, oyez_call **ret_call);\n";

static const char unary_reply[] = "\n"
                                  "/** Ends an async $Method$ with a reply, which is borrowed. "
                                  "oyez_server_call_finish ends it without. */\n"
                                  "void $fn$_reply(\n"
                                  "    oyez_server_call *call, const $Out$ *reply);\n";

static const char unary_members[] =
    "    oyez_code (*$method$)(void *self, oyez_server_call *call,\n"
    "        const $In$ *request,\n"
    "        $Out$ *reply);\n"
    "    void (*$method$_async)(void *self, oyez_server_call *call,\n"
    "        const $In$ *request);\n";

static void emit_unary_client(const char *const *keys, const method *m, text *out)
{
    text_puts(out, "\n/**\n");
    emit_method_comment(out, m);
    text_fill(out, keys, unary_call);
}

/* --- any method ---------------------------------------------------------------------------------- */

static void emit_client(const file *f, const service *s, const method *m, text *out)
{
    const char *const *keys = emit_keys(f, s, m);
    switch (m->shape) {
    case SHAPE_UNARY:
        emit_unary_client(keys, m, out);
        break;
    case SHAPE_CLIENT_STREAM:
    case SHAPE_SERVER_STREAM:
    case SHAPE_BIDI:
        emit_stream_client(keys, m, out);
        break;
    }
}

static void emit_members(const file *f, const service *s, const method *m, text *out)
{
    const char *const *keys = emit_keys(f, s, m);
    if (m->comment) {
        text_puts(out, "    /**\n");
        emit_comment_lines(out, "    ", m->comment);
        text_puts(out, "     */\n");
    }
    switch (m->shape) {
    case SHAPE_UNARY:
        text_fill(out, keys, unary_members);
        break;
    case SHAPE_CLIENT_STREAM:
    case SHAPE_SERVER_STREAM:
    case SHAPE_BIDI:
        emit_stream_members(keys, m, out);
        break;
    }
}

static void emit_server(const file *f, const service *s, const method *m, text *out)
{
    const char *const *keys = emit_keys(f, s, m);
    switch (m->shape) {
    case SHAPE_UNARY:
        text_fill(out, keys, unary_reply);
        break;
    case SHAPE_CLIENT_STREAM:
    case SHAPE_SERVER_STREAM:
    case SHAPE_BIDI:
        emit_stream_server(keys, m, out);
        break;
    }
}

static void emit_service(const file *f, const service *s, text *out)
{
    const char *const *keys = emit_keys(f, s, NULL);

    text_fill(out, keys, service_names);
    for (size_t i = 0; i < s->method_count; i++)
        text_fill(out, emit_keys(f, s, &s->methods[i]), method_names);
    if (s->method_count)
        text_puts(out, "\n");
    for (size_t i = 0; i < s->method_count; i++)
        text_fill(out, emit_keys(f, s, &s->methods[i]), method_object);
    if (s->skipped.count) {
        text_puts(out, "\n/* Streams, left out as --oyez_opt=skip_streaming says:");
        for (size_t i = 0; i < s->skipped.count; i++)
            text_puts(out, str_printf("%s %s", i ? "," : "", s->skipped.items[i]));
        text_puts(out, ". */\n");
    }

    text_puts(out, "\n/**\n");
    if (s->comment) {
        emit_comment_lines(out, "", s->comment);
        text_puts(out, " *\n");
    }
    text_fill(out, keys, stub);
    for (size_t i = 0; i < s->method_count; i++)
        emit_client(f, s, &s->methods[i], out);

    for (size_t i = 0; i < s->method_count; i++)
        if (s->methods[i].shape != SHAPE_UNARY)
            emit_stream_server_types(emit_keys(f, s, &s->methods[i]), &s->methods[i], out);
    text_fill(out, keys, service_open);
    for (size_t i = 0; i < s->method_count; i++)
        emit_members(f, s, &s->methods[i], out);
    text_fill(out, keys, service_close);
    for (size_t i = 0; i < s->method_count; i++)
        emit_server(f, s, &s->methods[i], out);
}

void emit_header(const file *f, text *out)
{
    const char *const *keys = emit_keys(f, NULL, NULL);

    text_fill(out, keys, top);
    for (size_t i = 0; i < f->service_count; i++)
        emit_service(f, &f->services[i], out);
    text_fill(out, keys, bottom);
}

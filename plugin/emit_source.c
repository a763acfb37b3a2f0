/* SPDX-License-Identifier: Apache-2.0 */
/* The source: descriptions of the methods, and thin functions between the typed world and the
 * library's. No function is ever called through a pointer of another type. */
#include "emit.h"

static const char top[] = "/* Written by protoc-gen-oyez from $proto$: change that instead. */\n"
                          "#include \"$stem$.oyez.h\"\n";

static const char method_object[] = "\n"
                                    "const oyez_method $fn$_method = {\n"
                                    "    OYEZ_METHOD_INIT,\n"
                                    "    .path = $FN$_PATH,\n"
                                    "    .codec = oyez_protobuf_c,\n"
                                    "    .request = &$in$__descriptor,\n"
                                    "    .response = &$out$__descriptor,\n"
                                    "    .client_streaming = $client$,\n"
                                    "    .server_streaming = $server$,\n"
                                    "};\n";

/* --- a unary method ------------------------------------------------------------------------------ */

static const char unary_client[] =
    "\n"
    "oyez_code $fn$(\n"
    "    $prefix$_stub stub, oyez_ctx *ctx,\n"
    "    const $In$ *request,\n"
    "    $Out$ **ret_reply, oyez_status *ret_status)\n"
    "{\n"
    "    void *reply = NULL;\n"
    "    oyez_code code = oyez_unary_call(stub.channel, &$fn$_method, ctx,\n"
    "                                     stub.options, request, ret_reply ? &reply : NULL, "
    "ret_status);\n"
    "    if (code == OYEZ_OK && ret_reply)\n"
    "        *ret_reply = ($Out$ *)reply;\n"
    "    return code;\n"
    "}\n"
    "\n"
    "static void $fn$_adapt_done(\n"
    "    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void "
    "*user)\n"
    "{\n"
    "    (($fn$_done_fn *)done)(\n"
    "        call, status, (const $Out$ *)reply, user);\n"
    "}\n"
    "\n"
    "oyez_err $fn$_async(\n"
    "    $prefix$_stub stub, oyez_ctx *ctx,\n"
    "    const $In$ *request,\n"
    "    $fn$_done_fn *done, void *user, oyez_call **ret_call)\n"
    "{\n"
    "    return oyez_unary_call_start(stub.channel, &$fn$_method, ctx,\n"
    "                                 stub.options, request, $fn$_adapt_done,\n"
    "                                 (oyez_any_fn *)done, user, ret_call);\n"
    "}\n";

static const char unary_server[] =
    "\n"
    "static oyez_code $fn$_handle(\n"
    "    const void *service, void *self, oyez_server_call *call, const void *request, void "
    "*reply)\n"
    "{\n"
    "    const $prefix$_service *table = (const $prefix$_service *)service;\n"
    "    return (table->$method$)(self, call, (const $In$ *)request,\n"
    "        ($Out$ *)reply);\n"
    "}\n"
    "\n"
    "static void $fn$_handle_async(\n"
    "    const void *service, void *self, oyez_server_call *call, const void *request)\n"
    "{\n"
    "    const $prefix$_service *table = (const $prefix$_service *)service;\n"
    "    (table->$method$_async)(self, call, (const $In$ *)request);\n"
    "}\n"
    "\n"
    "void $fn$_reply(\n"
    "    oyez_server_call *call, const $Out$ *reply)\n"
    "{\n"
    "    oyez_server_call_reply(call, reply);\n"
    "}\n";

static const char unary_row[] =
    "        { .method = &$fn$_method,\n"
    "          .unary = service->$method$ ? $fn$_handle : NULL,\n"
    "          .unary_async = service->$method$_async ? $fn$_handle_async : NULL },\n";

/* --- any method ---------------------------------------------------------------------------------- */

static void emit_method(const file *f, const service *s, const method *m, text *out)
{
    const char *const *keys = emit_keys(f, s, m);
    text_fill(out, keys, method_object);
    switch (m->shape) {
    case SHAPE_UNARY:
        text_fill(out, keys, unary_client);
        text_fill(out, keys, unary_server);
        break;
    case SHAPE_CLIENT_STREAM:
    case SHAPE_SERVER_STREAM:
    case SHAPE_BIDI:
        emit_stream_source(keys, m, out);
        break;
    }
}

static void emit_row(const file *f, const service *s, const method *m, text *out)
{
    const char *const *keys = emit_keys(f, s, m);
    switch (m->shape) {
    case SHAPE_UNARY:
        text_fill(out, keys, unary_row);
        break;
    case SHAPE_CLIENT_STREAM:
    case SHAPE_SERVER_STREAM:
    case SHAPE_BIDI:
        text_fill(out, keys, emit_stream_row);
        break;
    }
}

static const char register_open[] =
    "\n"
    "oyez_err $prefix$_service_register(\n"
    "    oyez_server *server, const $prefix$_service *service, void *self)\n"
    "{\n"
    "    if (!service)\n"
    "        return oyez_server_register(server, NULL); /* the server gets the words */\n";

static const char register_rows_open[] = "    const oyez_service_method methods[] = {\n";
static const char register_rows_close[] = "    };\n";

static const char register_close[] = "    const oyez_service_desc desc = {\n"
                                     "        OYEZ_SERVICE_DESC_INIT,\n"
                                     "        .name = $PREFIX$_SERVICE_NAME,\n"
                                     "        .methods = $methods$,\n"
                                     "        .method_count = $count$,\n"
                                     "        .service = service,\n"
                                     "        .self = self,\n"
                                     "        .on_loop = service->on_loop,\n"
                                     "    };\n"
                                     "    return oyez_server_register(server, &desc);\n"
                                     "}\n";

static void emit_register(const file *f, const service *s, text *out)
{
    const char *const *keys = emit_keys(f, s, NULL);

    text_fill(out, keys, register_open);
    if (s->method_count) {
        text_puts(out, register_rows_open);
        for (size_t i = 0; i < s->method_count; i++)
            emit_row(f, s, &s->methods[i], out);
        text_puts(out, register_rows_close);
    }
    text_fill(out, keys, register_close);
}

void emit_source(const file *f, text *out)
{
    text_fill(out, emit_keys(f, NULL, NULL), top);
    for (size_t i = 0; i < f->service_count; i++) {
        const service *s = &f->services[i];
        for (size_t k = 0; k < s->method_count; k++)
            emit_method(f, s, &s->methods[k], out);
        emit_register(f, s, out);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The source's part of streaming methods: the library's stream in the types of the method. The typed
 * events travel as the stream's table, and adapters of the library's types find them there. */
#include "emit.h"

/* --- the client ---------------------------------------------------------------------------------- */

static const char client_start[] =
    "\n"
    "oyez_err $fn$(\n"
    "    $prefix$_stub stub, oyez_ctx *ctx,\n"
    "$start_in$"
    "    $fn$_stream *ret_stream)\n"
    "{\n"
    "    return oyez_stream_start(stub.channel, &$fn$_method, ctx,\n"
    "                             stub.options, $give_in$, NULL, NULL, NULL,\n"
    "                             ret_stream ? &ret_stream->base : NULL);\n"
    "}\n";

static const char client_send[] = "\n"
                                  "bool $fn$_send(\n"
                                  "    $fn$_stream stream, const $In$ *request)\n"
                                  "{\n"
                                  "    return oyez_stream_send(stream.base, request);\n"
                                  "}\n"
                                  "\n"
                                  "void $fn$_close_send($fn$_stream stream)\n"
                                  "{\n"
                                  "    oyez_stream_close_send(stream.base);\n"
                                  "}\n";

static const char client_recv[] = "\n"
                                  "bool $fn$_recv(\n"
                                  "    $fn$_stream stream, const $Out$ **ret_reply)\n"
                                  "{\n"
                                  "    const void *message;\n"
                                  "    if (!oyez_stream_recv(stream.base, &message))\n"
                                  "        return false;\n"
                                  "    if (ret_reply)\n"
                                  "        *ret_reply = (const $Out$ *)message;\n"
                                  "    return true;\n"
                                  "}\n";

static const char client_close_and_recv[] = "\n"
                                            "bool $fn$_close_and_recv(\n"
                                            "    $fn$_stream stream, const $Out$ **ret_reply)\n"
                                            "{\n"
                                            "    oyez_stream_close_send(stream.base);\n"
                                            "    return $fn$_recv(stream, ret_reply);\n"
                                            "}\n";

static const char client_adapters[] =
    "\n"
    "static void $fn$_adapt_headers(oyez_stream *stream, void *user)\n"
    "{\n"
    "    const $fn$_events *events =\n"
    "        (const $fn$_events *)oyez_stream_table(stream);\n"
    "    $fn$_stream typed = { stream };\n"
    "    if (events->on_headers)\n"
    "        events->on_headers(typed, user);\n"
    "}\n"
    "\n"
    "static void $fn$_adapt_message(\n"
    "    oyez_stream *stream, const void *message, void *user)\n"
    "{\n"
    "    const $fn$_events *events =\n"
    "        (const $fn$_events *)oyez_stream_table(stream);\n"
    "    $fn$_stream typed = { stream };\n"
    "    if (events->on_message)\n"
    "        events->on_message(typed, (const $Out$ *)message, user);\n"
    "}\n";

static const char client_adapt_sent[] =
    "\n"
    "static void $fn$_adapt_sent(oyez_stream *stream, void *user)\n"
    "{\n"
    "    const $fn$_events *events =\n"
    "        (const $fn$_events *)oyez_stream_table(stream);\n"
    "    $fn$_stream typed = { stream };\n"
    "    if (events->on_sent)\n"
    "        events->on_sent(typed, user);\n"
    "}\n";

static const char client_adapt_done[] =
    "\n"
    "static void $fn$_adapt_done(\n"
    "    oyez_stream *stream, const oyez_status *status, void *user)\n"
    "{\n"
    "    const $fn$_events *events =\n"
    "        (const $fn$_events *)oyez_stream_table(stream);\n"
    "    $fn$_stream typed = { stream };\n"
    "    if (events->on_done)\n"
    "        events->on_done(typed, status, user);\n"
    "}\n"
    "\n"
    "static const oyez_stream_events $fn$_adapters = {\n"
    "    OYEZ_STREAM_EVENTS_INIT,\n"
    "    .on_headers = $fn$_adapt_headers,\n"
    "    .on_message = $fn$_adapt_message,\n";
static const char client_row_sent[] = "    .on_sent = $fn$_adapt_sent,\n";
static const char client_async[] =
    "    .on_done = $fn$_adapt_done,\n"
    "};\n"
    "\n"
    "oyez_err $fn$_async(\n"
    "    $prefix$_stub stub, oyez_ctx *ctx,\n"
    "$start_in$"
    "    const $fn$_events *events, void *user,\n"
    "    $fn$_stream *ret_stream)\n"
    "{\n"
    "    if (events == NULL)\n"
    "        return OYEZ_ENULL;\n"
    "    return oyez_stream_start(stub.channel, &$fn$_method, ctx,\n"
    "                             stub.options, $give_in$, &$fn$_adapters,\n"
    "                             events, user, ret_stream ? &ret_stream->base : NULL);\n"
    "}\n";

static void emit_client(const char *const *keys, const method *m, text *out)
{
    bool sends = shape_client_sends(m->shape);

    text_fill(out, keys, client_start);
    if (sends)
        text_fill(out, keys, client_send);
    text_fill(out, keys, client_recv);
    if (m->shape == SHAPE_CLIENT_STREAM)
        text_fill(out, keys, client_close_and_recv);
    text_fill(out, keys, client_adapters);
    if (sends)
        text_fill(out, keys, client_adapt_sent);
    text_fill(out, keys, client_adapt_done);
    if (sends)
        text_fill(out, keys, client_row_sent);
    text_fill(out, keys, client_async);
}

/* --- the server ---------------------------------------------------------------------------------- */

static const char server_recv[] =
    "\n"
    "bool $fn$_server_recv(\n"
    "    $fn$_server_stream stream, const $In$ **ret_request)\n"
    "{\n"
    "    const void *message;\n"
    "    if (!oyez_stream_recv(stream.base, &message))\n"
    "        return false;\n"
    "    if (ret_request)\n"
    "        *ret_request = (const $In$ *)message;\n"
    "    return true;\n"
    "}\n"
    "\n"
    "static void $fn$_server_adapt_message(\n"
    "    oyez_stream *stream, const void *message, void *user)\n"
    "{\n"
    "    const $fn$_server_events *events =\n"
    "        (const $fn$_server_events *)oyez_stream_table(stream);\n"
    "    $fn$_server_stream typed = { stream };\n"
    "    if (events->on_message)\n"
    "        events->on_message(typed, (const $In$ *)message, user);\n"
    "}\n"
    "\n"
    "static void $fn$_server_adapt_half_close(oyez_stream *stream, void *user)\n"
    "{\n"
    "    const $fn$_server_events *events =\n"
    "        (const $fn$_server_events *)oyez_stream_table(stream);\n"
    "    $fn$_server_stream typed = { stream };\n"
    "    if (events->on_half_close)\n"
    "        events->on_half_close(typed, user);\n"
    "}\n";

static const char server_send[] =
    "\n"
    "bool $fn$_server_send(\n"
    "    $fn$_server_stream stream, const $Out$ *reply)\n"
    "{\n"
    "    return oyez_stream_send(stream.base, reply);\n"
    "}\n"
    "\n"
    "static void $fn$_server_adapt_sent(oyez_stream *stream, void *user)\n"
    "{\n"
    "    const $fn$_server_events *events =\n"
    "        (const $fn$_server_events *)oyez_stream_table(stream);\n"
    "    $fn$_server_stream typed = { stream };\n"
    "    if (events->on_sent)\n"
    "        events->on_sent(typed, user);\n"
    "}\n";

static const char server_adapt_done[] =
    "\n"
    "static void $fn$_server_adapt_done(\n"
    "    oyez_stream *stream, const oyez_status *status, void *user)\n"
    "{\n"
    "    const $fn$_server_events *events =\n"
    "        (const $fn$_server_events *)oyez_stream_table(stream);\n"
    "    $fn$_server_stream typed = { stream };\n"
    "    if (events->on_done)\n"
    "        events->on_done(typed, status, user);\n"
    "}\n"
    "\n"
    "static const oyez_stream_events $fn$_server_adapters = {\n"
    "    OYEZ_STREAM_EVENTS_INIT,\n";
static const char server_row_message[] = "    .on_message = $fn$_server_adapt_message,\n";
static const char server_row_sent[] = "    .on_sent = $fn$_server_adapt_sent,\n";
static const char server_row_half_close[] = "    .on_half_close = $fn$_server_adapt_half_close,\n";
static const char server_listen[] =
    "    .on_done = $fn$_server_adapt_done,\n"
    "};\n"
    "\n"
    "void $fn$_server_listen(\n"
    "    $fn$_server_stream stream,\n"
    "    const $fn$_server_events *events, void *user)\n"
    "{\n"
    "    oyez_stream_listen(stream.base, events ? &$fn$_server_adapters : NULL, events, user);\n"
    "}\n";

static const char server_reply[] = "\n"
                                   "void $fn$_reply(\n"
                                   "    oyez_server_call *call, const $Out$ *reply)\n"
                                   "{\n"
                                   "    oyez_server_call_reply(call, reply);\n"
                                   "}\n";

static const char server_handle[] =
    "\n"
    "static oyez_code $fn$_handle(\n"
    "    const void *service, void *self, oyez_server_call *call, const void *request,\n"
    "    oyez_stream *stream, void *reply)\n"
    "{\n"
    "    const $prefix$_service *table = (const $prefix$_service *)service;\n"
    "    $fn$_server_stream typed = { stream };\n"
    "$no_in$"
    "$no_out$"
    "    return (table->$method$)(self, call$pass_in$, typed$pass_out$);\n"
    "}\n"
    "\n"
    "static void $fn$_handle_async(\n"
    "    const void *service, void *self, oyez_server_call *call, const void *request,\n"
    "    oyez_stream *stream)\n"
    "{\n"
    "    const $prefix$_service *table = (const $prefix$_service *)service;\n"
    "    $fn$_server_stream typed = { stream };\n"
    "$no_in$"
    "    (table->$method$_async)(self, call$pass_in$, typed);\n"
    "}\n";

const char emit_stream_row[] =
    "        { .method = &$fn$_method,\n"
    "          .stream = service->$method$ ? $fn$_handle : NULL,\n"
    "          .stream_async = service->$method$_async ? $fn$_handle_async : NULL },\n";

static void emit_server(const char *const *keys, const method *m, text *out)
{
    bool receives = shape_client_sends(m->shape), sends = shape_server_sends(m->shape);

    if (receives)
        text_fill(out, keys, server_recv);
    if (sends)
        text_fill(out, keys, server_send);
    text_fill(out, keys, server_adapt_done);
    if (receives)
        text_fill(out, keys, server_row_message);
    if (sends)
        text_fill(out, keys, server_row_sent);
    if (receives)
        text_fill(out, keys, server_row_half_close);
    text_fill(out, keys, server_listen);
    if (m->shape == SHAPE_CLIENT_STREAM)
        text_fill(out, keys, server_reply);
    text_fill(out, keys, server_handle);
}

void emit_stream_source(const char *const *keys, const method *m, text *out)
{
    emit_client(keys, m, out);
    emit_server(keys, m, out);
}

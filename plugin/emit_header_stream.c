/* SPDX-License-Identifier: Apache-2.0 */
/* The header's part of streaming methods. Only what fits the shape is written: a client that cannot
 * send has no _send. */
#include "emit.h"

/* --- the client ---------------------------------------------------------------------------------- */

static const char client_type[] =
    " * A call of $Method$: a value, to be copied at will. It holds one reference, which\n"
    " * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.\n"
    " */\n"
    "typedef struct $fn$_stream {\n"
    "    oyez_stream *base;\n"
    "} $fn$_stream;\n"
    "\n"
    "/**\n"
    " * Starts $Method$, to be used by functions that wait. Any thread.\n"
    " *\n"
    " * @param ret_stream written on success; to be ended by oyez_stream_finish.\n"
    " */\n"
    "OYEZ_MUST_CHECK oyez_err $fn$(\n"
    "    $prefix$_stub stub, oyez_ctx *ctx,\n"
    "$start_in$"
    "    $fn$_stream *ret_stream);\n";

static const char client_send[] =
    "\n"
    "/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */\n"
    "bool $fn$_send(\n"
    "    $fn$_stream stream, const $In$ *request);\n"
    "/** No more requests will be sent. */\n"
    "void $fn$_close_send($fn$_stream stream);\n";

static const char client_recv[] =
    "\n"
    "/** Waits for a reply, which is borrowed until the next one. False: no more will come. */\n"
    "bool $fn$_recv(\n"
    "    $fn$_stream stream, const $Out$ **ret_reply);\n";

static const char client_close_and_recv[] = "/** No more requests: waits for the reply, which is "
                                            "borrowed until the stream is finished. False: "
                                            "there\n"
                                            " *  is none, and oyez_stream_finish says why. */\n"
                                            "bool $fn$_close_and_recv(\n"
                                            "    $fn$_stream stream, const $Out$ **ret_reply);\n";

static const char client_events_open[] = "\n"
                                         "/** What an async $Method$ tells: on its loop, never two "
                                         "at once, not to block. Each may be NULL.\n"
                                         " *  oyez_stream_events says when they come. */\n"
                                         "typedef struct $fn$_events {\n"
                                         "    void (*on_headers)($fn$_stream stream, void *user);\n"
                                         "    void (*on_message)($fn$_stream stream,\n"
                                         "        const $Out$ *reply, void *user);\n";
static const char client_events_sent[] = "    void (*on_sent)($fn$_stream stream, void *user);\n";
static const char client_events_close[] =
    "    void (*on_done)($fn$_stream stream,\n"
    "        const oyez_status *status, void *user);\n"
    "} $fn$_events;\n"
    "\n"
    "/**\n"
    " * Starts $Method$ and returns at once; on_done comes once, unless an error is returned.\n";
static const char client_pull[] =
    " * Replies come as they are asked for: oyez_stream_request(stream.base, count).\n";
static const char client_async[] =
    " *\n"
    " * Any thread. @param events static, or living as long as the stream.\n"
    " */\n"
    "OYEZ_MUST_CHECK oyez_err $fn$_async(\n"
    "    $prefix$_stub stub, oyez_ctx *ctx,\n"
    "$start_in$"
    "    const $fn$_events *events, void *user,\n"
    "    $fn$_stream *ret_stream);\n";

void emit_stream_client(const char *const *keys, const method *m, text *out)
{
    bool sends = shape_client_sends(m->shape);

    text_puts(out, "\n/**\n");
    emit_method_comment(out, m);
    text_fill(out, keys, client_type);
    if (sends)
        text_fill(out, keys, client_send);
    text_fill(out, keys, client_recv);
    if (m->shape == SHAPE_CLIENT_STREAM)
        text_fill(out, keys, client_close_and_recv);
    text_fill(out, keys, client_events_open);
    if (sends)
        text_fill(out, keys, client_events_sent);
    text_fill(out, keys, client_events_close);
    if (shape_server_sends(m->shape))
        text_fill(out, keys, client_pull);
    text_fill(out, keys, client_async);
}

/* --- the server ---------------------------------------------------------------------------------- */

static const char server_type[] =
    "\n"
    "/** $Method$, as its handler sees it: a value that lives as long as the call. */\n"
    "typedef struct $fn$_server_stream {\n"
    "    oyez_stream *base;\n"
    "} $fn$_server_stream;\n"
    "\n"
    "/** What an async handler of $Method$ is told: as $fn$_events. */\n"
    "typedef struct $fn$_server_events {\n";
static const char server_events_message[] = "    void (*on_message)($fn$_server_stream stream,\n"
                                            "        const $In$ *request, void *user);\n";
static const char server_events_sent[] =
    "    void (*on_sent)($fn$_server_stream stream, void *user);\n";
static const char server_events_half_close[] =
    "    void (*on_half_close)($fn$_server_stream stream, void *user);\n";
static const char server_events_close[] = "    void (*on_done)($fn$_server_stream stream,\n"
                                          "        const oyez_status *status, void *user);\n"
                                          "} $fn$_server_events;\n";

void emit_stream_server_types(const char *const *keys, const method *m, text *out)
{
    text_fill(out, keys, server_type);
    if (shape_client_sends(m->shape))
        text_fill(out, keys, server_events_message);
    if (shape_server_sends(m->shape))
        text_fill(out, keys, server_events_sent);
    if (shape_client_sends(m->shape))
        text_fill(out, keys, server_events_half_close);
    text_fill(out, keys, server_events_close);
}

static const char members[] =
    "    oyez_code (*$method$)(void *self, oyez_server_call *call$member_in$,\n"
    "        $fn$_server_stream stream$member_out$);\n"
    "    void (*$method$_async)(void *self, oyez_server_call *call$member_in$,\n"
    "        $fn$_server_stream stream);\n";

void emit_stream_members(const char *const *keys, const method *m, text *out)
{
    (void)m;
    text_fill(out, keys, members);
}

static const char server_recv[] = "\n"
                                  "/** Waits for a request, which is borrowed until the next one. "
                                  "False: no more will come, for the "
                                  "client\n"
                                  " *  has half-closed or is gone. */\n"
                                  "bool $fn$_server_recv(\n"
                                  "    $fn$_server_stream stream, const $In$ **ret_request);\n";

static const char server_send[] =
    "\n"
    "/** As oyez_stream_send. False: nobody waits for the answer any more. */\n"
    "bool $fn$_server_send(\n"
    "    $fn$_server_stream stream, const $Out$ *reply);\n";

static const char server_listen[] =
    "\n"
    "/** An async $Method$ says what it wants to hear, before it returns. @param events static, or "
    "living as\n"
    " *  long as the call. */\n"
    "void $fn$_server_listen(\n"
    "    $fn$_server_stream stream,\n"
    "    const $fn$_server_events *events, void *user);\n";

static const char server_reply[] =
    "\n"
    "/** Ends an async $Method$ with a reply, which is borrowed. oyez_server_call_finish ends it "
    "without. */\n"
    "void $fn$_reply(\n"
    "    oyez_server_call *call, const $Out$ *reply);\n";

void emit_stream_server(const char *const *keys, const method *m, text *out)
{
    if (shape_client_sends(m->shape))
        text_fill(out, keys, server_recv);
    if (shape_server_sends(m->shape))
        text_fill(out, keys, server_send);
    text_fill(out, keys, server_listen);
    if (m->shape == SHAPE_CLIENT_STREAM)
        text_fill(out, keys, server_reply);
}

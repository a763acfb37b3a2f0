/* SPDX-License-Identifier: Apache-2.0 */
/* What a handler can ask of its call and do to it. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/server_impl.h"

oyez_code oyez_server_call_fail(oyez_server_call *call, oyez_code code, const char *format, ...)
{
    va_list args;
    if (code == OYEZ_OK)
        code = OYEZ_UNKNOWN;
    va_start(args, format);
    char *text = oy_arena_vprintf(&call->arena, format, args);
    va_end(args);
    (void)oy_status_borrow(&call->status, &call->loan, code, text ? oy_str(text) : OYEZ_STR("out of memory"), OYEZ_STR(""));
    return code;
}

static oyez_str keep(oyez_server_call *call, oyez_str text)
{
    char *copy = text.len ? oy_arena_dup(&call->arena, text.data, text.len) : NULL;
    return copy ? (oyez_str){ copy, text.len } : (oyez_str){ "", 0 };
}

oyez_code oyez_server_call_fail_status(oyez_server_call *call, const oyez_status *status)
{
    oyez_code code = status->code == OYEZ_OK ? OYEZ_UNKNOWN : status->code;
    oyez_str message = keep(call, (oyez_str){ status->message, status->message_len });
    oyez_str details = keep(call, oyez_status_details(status));
    (void)oy_status_borrow(&call->status, &call->loan, code, message, details);
    return code;
}

void *oyez_server_call_alloc(oyez_server_call *call, size_t bytes)
{
    return oy_arena_alloc(&call->arena, bytes);
}

char *oyez_server_call_printf(oyez_server_call *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = oy_arena_vprintf(&call->arena, format, args);
    va_end(args);
    return text;
}

char *oyez_server_call_strdup(oyez_server_call *call, const char *text)
{
    return text ? oy_arena_dup(&call->arena, text, strlen(text)) : NULL;
}

/* A blocking handler ends its call by returning; to answer besides would end it twice. */
static bool may_answer(oyez_server_call *call)
{
    const oy_method_entry *entry = call->entry;
    if (!entry->unary && !entry->stream)
        return true;
    oy_log(&call->shard->server->options.log, OYEZ_LOG_ERROR,
           "%.*s: a blocking handler ends its call by returning: oyez_server_call_reply and _finish are for async ones",
           (int)call->stream.path.len, call->stream.path.data);
    return false;
}

void oyez_server_call_reply(oyez_server_call *call, const void *reply)
{
    if (may_answer(call))
        oy_server_call_answer(call, OYEZ_OK, reply);
}

void oyez_server_call_finish(oyez_server_call *call, oyez_code code)
{
    if (may_answer(call))
        oy_server_call_answer(call, code, NULL);
}

/* Made when first asked for. A cancellation that comes meanwhile sees the pointer, or is seen here. */
oyez_ctx *oyez_server_call_ctx(oyez_server_call *call)
{
    oyez_ctx *ctx = atomic_load(&call->ctx);
    if (ctx)
        return ctx;
    ctx = oy_ctx_with_cancel_at(NULL, call->deadline);
    atomic_store(&call->ctx, ctx);
    int code = atomic_load(&call->cancelled);
    if (code)
        (void)oy_ctx_cancel(ctx, (oyez_code)code);
    return ctx;
}

bool oyez_server_call_is_cancelled(const oyez_server_call *call)
{
    return atomic_load(&call->cancelled) != 0;
}

oyez_str oyez_server_call_path(const oyez_server_call *call)
{
    return call->stream.path;
}

oyez_str oyez_server_call_authority(const oyez_server_call *call)
{
    return call->stream.authority;
}

const oyez_metadata *oyez_server_call_metadata(const oyez_server_call *call)
{
    return &call->metadata;
}

const char *oyez_server_call_peer(const oyez_server_call *call)
{
    return call->conn->peer;
}

oyez_err oyez_server_call_peer_ids(const oyez_server_call *call, uint32_t *ret_pid, uint32_t *ret_uid, uint32_t *ret_gid)
{
    if (!call->conn->has_ids)
        return OYEZ_ENOENT;
    *ret_pid = call->conn->pid;
    *ret_uid = call->conn->uid;
    *ret_gid = call->conn->gid;
    return OYEZ_NO_ERR;
}

oyez_err oyez_server_call_set_value(oyez_server_call *call, const void *key, void *value)
{
    oy_server_value *entry = oy_arena_alloc(&call->arena, sizeof(*entry));
    if (!entry)
        return OYEZ_ENOMEM;
    *entry = (oy_server_value){ key, value, call->values };
    call->values = entry;
    return OYEZ_NO_ERR;
}

void *oyez_server_call_value(const oyez_server_call *call, const void *key)
{
    for (const oy_server_value *entry = call->values; entry; entry = entry->next)
        if (entry->key == key)
            return entry->value;
    return NULL;
}

static oyez_err add(oyez_metadata *metadata, const char *key, const void *value, size_t len)
{
    if (!key || (!value && len))
        return OYEZ_ENULL;
    return oy_metadata_append(metadata, oy_str(key), (oyez_str){ value, len }, false);
}

/* Header metadata that comes too late. */
static bool headers_have_left(oyez_server_call *call, const char *key)
{
    if (oy_likely(!atomic_load(&call->headers_frozen)))
        return false;
    oy_log(&call->shard->server->options.log, OYEZ_LOG_ERROR,
           "%.*s: the header \"%s\" comes too late: headers leave with the first message of a stream, or by "
           "oyez_server_call_send_headers",
           (int)call->stream.path.len, call->stream.path.data, key ? key : "");
    return true;
}

oyez_err oyez_server_call_add_header(oyez_server_call *call, const char *key, const void *value, size_t len)
{
    if (headers_have_left(call, key))
        return OYEZ_ESTATE;
    return add(&call->headers, key, value, len);
}

oyez_err oyez_server_call_add_trailer(oyez_server_call *call, const char *key, const void *value, size_t len)
{
    return add(&call->trailers, key, value, len);
}

static oyez_err set(oyez_metadata *metadata, const char *key, const void *value, size_t len)
{
    if (!key || (!value && len))
        return OYEZ_ENULL;
    return oyez_metadata_set(metadata, key, value, len);
}

oyez_err oyez_server_call_set_header(oyez_server_call *call, const char *key, const void *value, size_t len)
{
    if (headers_have_left(call, key))
        return OYEZ_ESTATE;
    return set(&call->headers, key, value, len);
}

oyez_err oyez_server_call_set_trailer(oyez_server_call *call, const char *key, const void *value, size_t len)
{
    return set(&call->trailers, key, value, len);
}

oyez_str oyez_server_call_encoding(const oyez_server_call *call)
{
    return call->stream.encoding;
}

bool oyez_server_call_request_compressed(const oyez_server_call *call)
{
    return call->request_compressed;
}

oyez_err oyez_server_call_set_compressor(oyez_server_call *call, const char *name)
{
    const oy_compressor *compressor = NULL;
    if (!call || !name)
        return OYEZ_EINVAL;
    if (atomic_load(&call->headers_frozen))
        return OYEZ_ESTATE;
    if (!oy_encoding_is_none(oy_str(name))) {
        compressor = oy_compressors_find(call->shard->server->compressors, oy_str(name));
        if (!compressor)
            return OYEZ_ENOENT;
        if (!(call->stream.accepts & oy_compressor_bit(compressor)))
            return OYEZ_EUNSUPPORTED;
    }
    call->compressor = compressor;
    if (call->messages_stream)
        call->messages_stream->compressor = compressor;
    return OYEZ_NO_ERR;
}

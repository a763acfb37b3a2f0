/* SPDX-License-Identifier: Apache-2.0 */
/* The interceptors of a channel: once a call, however many attempts it makes. In order on the way out, in reverse on the way back. */
#include "call/chain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/text.h"
#include "call/call_private.h"

oyez_err oy_call_chain_new(const oyez_client_interceptor *const *interceptors, size_t count, oy_call_chain **ret_chain)
{
    oyez_err err = OYEZ_NO_ERR;
    *ret_chain = NULL;
    if (count == 0)
        return OYEZ_NO_ERR;
    if (!interceptors || count > UINT32_MAX / sizeof(oyez_client_interceptor))
        return OYEZ_ENULL;
    oy_call_chain *chain = oy_alloc_zero(sizeof(*chain) + count * sizeof(chain->items[0]));
    if (!chain)
        return OYEZ_ENOMEM;
    oy_refcount_init(&chain->refs, 1);
    chain->count = (uint32_t)count;
    for (size_t i = 0; i < count && !err; i++) {
        err = interceptors[i] ? oy_options_copy(&chain->items[i], sizeof(chain->items[i]), interceptors[i])
                              : OYEZ_ENULL;
        chain->sees_messages = chain->sees_messages || chain->items[i].on_receive || chain->items[i].on_send;
    }
    if (err)
        oy_free(chain);
    else
        *ret_chain = chain;
    return err;
}

oy_call_chain *oy_call_chain_ref(oy_call_chain *chain)
{
    if (chain)
        oy_ref(&chain->refs);
    return chain;
}

oy_call_chain *oy_call_chain_unref(oy_call_chain *chain)
{
    if (chain && oy_unref(&chain->refs))
        oy_free(chain);
    return NULL;
}

/* --- around a call -------------------------------------------------------------------------------------------------- */

void oy_call_chain_begin(oy_call *call)
{
    const oy_call_chain *chain = call->chain;
    oyez_code code = OYEZ_OK;
    call->beginning = true;
    while (code == OYEZ_OK && call->begun < chain->count) {
        const oyez_client_interceptor *item = &chain->items[call->begun++];
        if (item->begin)
            code = item->begin(item->self, call);
    }
    call->beginning = false;
    call->refused = code != OYEZ_OK;
    if (code == call->status.code)
        return;
    if (code == OYEZ_OK)
        (void)oy_status_static(&call->status, OYEZ_OK, "");
    else
        oy_call_set_status(call, code, "an interceptor has refused the call");
}

void oy_call_chain_end(oy_call *call, const oyez_status *status)
{
    while (call->begun > 0) {
        const oyez_client_interceptor *item = &call->chain->items[--call->begun];
        if (item->end)
            item->end(item->self, call, status);
    }
}

oyez_code oy_call_chain_let_pass(oy_call *call, const void *message, bool out, const char **ret_words)
{
    const oy_call_chain *chain = call->chain;
    oyez_code code = OYEZ_OK;
    for (uint32_t i = 0; code == OYEZ_OK && i < chain->count; i++) {
        const oyez_client_interceptor *item = &chain->items[out ? i : chain->count - 1 - i];
        if (out && item->on_send)
            code = item->on_send(item->self, call, message, ret_words);
        else if (!out && item->on_receive)
            code = item->on_receive(item->self, call, message, ret_words);
    }
    return code;
}

static void tell_peer(const oy_call *call)
{
    if (call->peer_text && call->peer_bytes > 0)
        snprintf(call->peer_text, call->peer_bytes, "%s", oyez_call_peer(call));
}

void oy_call_tell_end(oy_call *call)
{
    tell_peer(call);
    if (call->begun > 0)
        oy_call_chain_end(call, &call->status);
    if (call->on_finish)
        call->on_finish(call, &call->status, call->on_finish_user);
}

/* --- public ----------------------------------------------------------------------------------------------------------- */

const char *oyez_call_path(const oyez_call *call)
{
    return call->method->path;
}

oyez_ctx *oyez_call_ctx(const oyez_call *call)
{
    return call->ctx;
}

oyez_duration oyez_call_deadline(const oyez_call *call)
{
    return call->deadline;
}

const oyez_metadata *oyez_call_metadata(const oyez_call *call)
{
    return &call->metadata;
}

oyez_err oyez_call_add_metadata(oyez_call *call, const char *key, const void *value, size_t len)
{
    if (!key || (!value && len > 0))
        return OYEZ_ENULL;
    if (!call->beginning)
        return OYEZ_ESTATE;
    return oy_metadata_append(&call->metadata, oy_str(key), (oyez_str){ value, len }, false);
}

oyez_err oyez_call_limit_time(oyez_call *call, oyez_duration timeout)
{
    if (!call->beginning)
        return OYEZ_ESTATE;
    int64_t end = oy_time_add(oyez_now(), timeout);
    if (end < call->deadline)
        call->deadline = end;
    return OYEZ_NO_ERR;
}

oyez_code oyez_call_fail(oyez_call *call, oyez_code code, const char *format, ...)
{
    va_list args;
    if (code == OYEZ_OK)
        code = OYEZ_UNKNOWN;
    if (!call->beginning)
        return code;
    va_start(args, format);
    char *text = oy_arena_vprintf(&call->arena, format, args);
    va_end(args);
    (void)oy_status_borrow(&call->status, &call->loan, code, text ? oy_str(text) : OYEZ_STR("out of memory"), OYEZ_STR(""));
    return code;
}

void *oyez_call_alloc(oyez_call *call, size_t bytes)
{
    return call->beginning ? oy_arena_alloc(&call->arena, bytes) : NULL;
}

oyez_err oyez_call_set_value(oyez_call *call, const void *key, void *value)
{
    if (!call->beginning)
        return OYEZ_ESTATE;
    oy_call_value *entry = oy_arena_alloc(&call->arena, sizeof(*entry));
    if (!entry)
        return OYEZ_ENOMEM;
    *entry = (oy_call_value){ key, value, call->values };
    call->values = entry;
    return OYEZ_NO_ERR;
}

void *oyez_call_value(const oyez_call *call, const void *key)
{
    for (const oy_call_value *entry = call->values; entry; entry = entry->next)
        if (entry->key == key)
            return entry->value;
    return NULL;
}

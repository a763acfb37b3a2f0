/* SPDX-License-Identifier: Apache-2.0 */
/* The interceptors of a server, around each call: in order on the way in, in reverse on the way out. */
#include "server/chain.h"

#include <string.h>

#include "base/alloc.h"
#include "base/options.h"
#include "server/server_impl.h"

oyez_err oy_server_chain_new(const oyez_server_interceptor *const *interceptors, size_t count,
                             oy_server_chain **ret_chain)
{
    oyez_err err = OYEZ_NO_ERR;
    *ret_chain = NULL;
    if (count == 0)
        return OYEZ_NO_ERR;
    if (!interceptors || count > UINT32_MAX / sizeof(oyez_server_interceptor))
        return OYEZ_ENULL;
    oy_server_chain *chain = oy_alloc_zero(sizeof(*chain) + count * sizeof(chain->items[0]));
    if (!chain)
        return OYEZ_ENOMEM;
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

oyez_code oy_server_chain_begin(const oy_server_chain *chain, oyez_server_call *call)
{
    oyez_code code = OYEZ_OK;
    while (code == OYEZ_OK && call->begun < chain->count) {
        const oyez_server_interceptor *item = &chain->items[call->begun++];
        if (item->begin)
            code = item->begin(item->self, call);
    }
    return code;
}

void oy_server_chain_end(const oy_server_chain *chain, oyez_server_call *call)
{
    while (call->begun > 0) {
        const oyez_server_interceptor *item = &chain->items[--call->begun];
        if (item->end)
            item->end(item->self, call, &call->status);
    }
}

oyez_code oy_server_chain_received(const oy_server_chain *chain, oyez_server_call *call, const void *message,
                                   const char **ret_words)
{
    oyez_code code = OYEZ_OK;
    for (uint32_t i = 0; code == OYEZ_OK && i < chain->count; i++)
        if (chain->items[i].on_receive)
            code = chain->items[i].on_receive(chain->items[i].self, call, message, ret_words);
    return code;
}

oyez_code oy_server_chain_sends(const oy_server_chain *chain, oyez_server_call *call, const void *message,
                                const char **ret_words)
{
    oyez_code code = OYEZ_OK;
    for (uint32_t i = chain->count; code == OYEZ_OK && i > 0; i--)
        if (chain->items[i - 1].on_send)
            code = chain->items[i - 1].on_send(chain->items[i - 1].self, call, message, ret_words);
    return code;
}

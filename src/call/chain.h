/* SPDX-License-Identifier: Apache-2.0 */
/* The interceptors of a channel, around each of its calls, and whoever else wants to see a call's beginning and end: on_finish, the peer's
 * text, stats handlers. A call that nobody watches has `watched` false, and looks at that alone. */
#ifndef OY_CALL_CHAIN_H
#define OY_CALL_CHAIN_H

#include <oyez/interceptor.h>

#include "base/refcount.h"
#include "call/call.h"

struct oy_call_chain {
    oy_refcount refs;
    uint32_t count;
    bool sees_messages;          /* at least one looks at messages */
    oyez_client_interceptor items[];
};

/* Copies the tables. Gives NULL for an empty list. OYEZ_ENULL: a NULL in it; OYEZ_E2BIG. */
oyez_err oy_call_chain_new(const oyez_client_interceptor *const *interceptors, size_t count, oy_call_chain **ret_chain);
oy_call_chain *oy_call_chain_ref(oy_call_chain *chain);
oy_call_chain *oy_call_chain_unref(oy_call_chain *chain);

/* The caller's thread: lets them begin; the status is set when one refuses. */
void oy_call_chain_begin(oy_call *call);
/* Those whose begin ran. */
void oy_call_chain_end(oy_call *call, const oyez_status *status);
/* The thread that sends, or receives. */
oyez_code oy_call_chain_let_pass(oy_call *call, const void *message, bool out, const char **ret_words);
/* As above, asked only if somebody looks at messages. */
static inline oyez_code oy_call_let_pass(oy_call *call, const void *message, bool out, const char **ret_words)
{
    if (!call->chain || !call->chain->sees_messages)
        return OYEZ_OK;
    return oy_call_chain_let_pass(call, message, out, ret_words);
}

/* The status is final: tells interceptors, stats handlers and on_finish, in this order. Once; where the end of the call is told. */
void oy_call_tell_end(oy_call *call);

/* --- stats: each only when call->stats; loop thread --------------------------------------------------------------- */

/* An attempt begins. */
void oy_call_stats_begin(oy_call *call, bool again);
/* It is over. */
void oy_call_stats_end(oy_call *call, const oyez_status *status);
/* Its headers have left. */
void oy_call_stats_out_headers(oy_call *call, oyez_str peer);
/* A message goes out, or has come. */
/* @param sent as it travels */
void oy_call_stats_payload(oy_call *call, bool out, size_t length, size_t sent, bool compressed);
void oy_call_stats_metadata(oy_call *call, oyez_str key, oyez_str value, bool trailer);
void oy_call_stats_in_headers(oy_call *call);
void oy_call_stats_in_trailers(oy_call *call);

#endif

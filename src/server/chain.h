/* SPDX-License-Identifier: Apache-2.0 */
/* The interceptors of a server. A server without any has no chain: its calls look at one pointer. Private to src/server. */
#ifndef OY_SERVER_CHAIN_H
#define OY_SERVER_CHAIN_H

#include <oyez/interceptor.h>

typedef struct oy_server_chain {
    uint32_t count;
    bool sees_messages;          /* at least one looks at messages */
    oyez_server_interceptor items[];
} oy_server_chain;

/* Copies the tables; freed by oy_free. Gives NULL for an empty list. OYEZ_ENULL: a NULL in it; OYEZ_E2BIG. */
oyez_err oy_server_chain_new(const oyez_server_interceptor *const *interceptors, size_t count,
                             oy_server_chain **ret_chain);

/* Where the handler runs. The first word that is not OYEZ_OK ends it. */
oyez_code oy_server_chain_begin(const oy_server_chain *chain, oyez_server_call *call);
/* The status is settled: tells those whose begin ran. */
void oy_server_chain_end(const oy_server_chain *chain, oyez_server_call *call);
/* The thread that receives, or sends. `*ret_words` is "" before. */
oyez_code oy_server_chain_received(const oy_server_chain *chain, oyez_server_call *call, const void *message,
                                   const char **ret_words);
oyez_code oy_server_chain_sends(const oy_server_chain *chain, oyez_server_call *call, const void *message,
                                const char **ret_words);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file interceptor.h
 * What stands between the wire and a handler, for unary calls and streams alike.
 */
#ifndef OYEZ_INTERCEPTOR_H
#define OYEZ_INTERCEPTOR_H

#include <oyez/status.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * A server's interceptor. It is copied when the server is made; `self` lives as long as the server.
 * Its functions run where the handler runs: on a worker for blocking handlers (they may block), on the
 * loop otherwise (they must not).
 */
struct oyez_server_interceptor {
    size_t size; /**< OYEZ_SERVER_INTERCEPTOR_INIT */
    void *self;
    /**
     * Before anything of the request is decoded. OYEZ_OK lets the call go on; any other code, as
     * oyez_server_call_fail returns it, ends the call, and the request's bytes are dropped unread.
     * oyez_server_call_path is byte for byte what dispatch goes by.
     */
    oyez_code (*begin)(void *self, oyez_server_call *call);
    /** Optional: the call has been answered with `status` (borrowed), or `begin` has refused it. */
    void (*end)(void *self, oyez_server_call *call, const oyez_status *status);
};

#define OYEZ_SERVER_INTERCEPTOR_INIT .size = sizeof(oyez_server_interceptor)

OYEZ_END_DECLS

#endif

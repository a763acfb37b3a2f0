/* Written by protoc-gen-oyez from no_package.proto: change that instead. */
#ifndef OYEZ_no_package_2eproto_INCLUDED
#define OYEZ_no_package_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "no_package.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "no_package.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- Pinger --- */

#define PINGER_SERVICE_NAME "Pinger"
#define PINGER_PING_PATH "/Pinger/Ping"

extern const oyez_method pinger_ping_method;

/**
 * The client's end of Pinger: a value, to be filled in and copied at will.
 */
typedef struct pinger_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} pinger_stub;

/**
 * Calls Ping and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * number__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code pinger_ping(
    pinger_stub stub, oyez_ctx *ctx,
    const Number *request,
    Number **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Ping; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void pinger_ping_done_fn(
    oyez_call *call, const oyez_status *status,
    const Number *reply, void *user);

/**
 * Calls Ping and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err pinger_ping_async(
    pinger_stub stub, oyez_ctx *ctx,
    const Number *request,
    pinger_ping_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of Pinger: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct pinger_service {
    oyez_code (*ping)(void *self, oyez_server_call *call,
        const Number *request,
        Number *reply);
    void (*ping_async)(void *self, oyez_server_call *call,
        const Number *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} pinger_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err pinger_service_register(
    oyez_server *server, const pinger_service *service, void *self);

/** Ends an async Ping with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void pinger_ping_reply(
    oyez_server_call *call, const Number *reply);

OYEZ_END_DECLS

#endif

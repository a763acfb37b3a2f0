/* Written by protoc-gen-oyez from library_names.proto: change that instead. */
#ifndef OYEZ_library_names_2eproto_INCLUDED
#define OYEZ_library_names_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "library_names.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "library_names.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- oyez.Server --- */

#define OYEZ_SERVER__SERVICE_NAME "oyez.Server"
#define OYEZ_SERVER__START_PATH "/oyez.Server/Start"

extern const oyez_method oyez_server__start_method;

/**
 * The client's end of oyez.Server: a value, to be filled in and copied at will.
 */
typedef struct oyez_server__stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} oyez_server__stub;

/**
 * Calls Start and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * oyez__call__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code oyez_server__start(
    oyez_server__stub stub, oyez_ctx *ctx,
    const Oyez__Call *request,
    Oyez__Call **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Start; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void oyez_server__start_done_fn(
    oyez_call *call, const oyez_status *status,
    const Oyez__Call *reply, void *user);

/**
 * Calls Start and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err oyez_server__start_async(
    oyez_server__stub stub, oyez_ctx *ctx,
    const Oyez__Call *request,
    oyez_server__start_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of oyez.Server: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct oyez_server__service {
    oyez_code (*start)(void *self, oyez_server_call *call,
        const Oyez__Call *request,
        Oyez__Call *reply);
    void (*start_async)(void *self, oyez_server_call *call,
        const Oyez__Call *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} oyez_server__service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err oyez_server__service_register(
    oyez_server *server, const oyez_server__service *service, void *self);

/** Ends an async Start with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void oyez_server__start_reply(
    oyez_server_call *call, const Oyez__Call *reply);

OYEZ_END_DECLS

#endif

/* Written by protoc-gen-oyez from optional.proto: change that instead. */
#ifndef OYEZ_optional_2eproto_INCLUDED
#define OYEZ_optional_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "optional.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "optional.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- maybe.Asker --- */

#define MAYBE_ASKER_SERVICE_NAME "maybe.Asker"
#define MAYBE_ASKER_ASK_PATH "/maybe.Asker/Ask"

extern const oyez_method maybe_asker_ask_method;

/**
 * The client's end of maybe.Asker: a value, to be filled in and copied at will.
 */
typedef struct maybe_asker_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} maybe_asker_stub;

/**
 * Calls Ask and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * maybe__maybe__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code maybe_asker_ask(
    maybe_asker_stub stub, oyez_ctx *ctx,
    const Maybe__Maybe *request,
    Maybe__Maybe **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Ask; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void maybe_asker_ask_done_fn(
    oyez_call *call, const oyez_status *status,
    const Maybe__Maybe *reply, void *user);

/**
 * Calls Ask and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err maybe_asker_ask_async(
    maybe_asker_stub stub, oyez_ctx *ctx,
    const Maybe__Maybe *request,
    maybe_asker_ask_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of maybe.Asker: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct maybe_asker_service {
    oyez_code (*ask)(void *self, oyez_server_call *call,
        const Maybe__Maybe *request,
        Maybe__Maybe *reply);
    void (*ask_async)(void *self, oyez_server_call *call,
        const Maybe__Maybe *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} maybe_asker_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err maybe_asker_service_register(
    oyez_server *server, const maybe_asker_service *service, void *self);

/** Ends an async Ask with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void maybe_asker_ask_reply(
    oyez_server_call *call, const Maybe__Maybe *reply);

OYEZ_END_DECLS

#endif

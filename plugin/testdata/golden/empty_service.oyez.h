/* Written by protoc-gen-oyez from empty_service.proto: change that instead. */
#ifndef OYEZ_empty_service_2eproto_INCLUDED
#define OYEZ_empty_service_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "empty_service.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "empty_service.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- hollow.Nothing --- */

#define HOLLOW_NOTHING_SERVICE_NAME "hollow.Nothing"

/**
 * Has nothing to offer.
 *
 * The client's end of hollow.Nothing: a value, to be filled in and copied at will.
 */
typedef struct hollow_nothing_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} hollow_nothing_stub;

/**
 * The server's end of hollow.Nothing: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct hollow_nothing_service {
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} hollow_nothing_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err hollow_nothing_service_register(
    oyez_server *server, const hollow_nothing_service *service, void *self);

OYEZ_END_DECLS

#endif

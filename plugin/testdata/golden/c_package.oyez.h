/* Written by protoc-gen-oyez from c_package.proto: change that instead. */
#ifndef OYEZ_c_package_2eproto_INCLUDED
#define OYEZ_c_package_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "c_package.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "c_package.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- verbose.package.name.Bases --- */

#define VERBOSE_PACKAGE_NAME_BASES_SERVICE_NAME "verbose.package.name.Bases"
#define VERBOSE_PACKAGE_NAME_BASES_GET_PATH "/verbose.package.name.Bases/Get"

extern const oyez_method verbose_package_name_bases_get_method;

/**
 * The client's end of verbose.package.name.Bases: a value, to be filled in and copied at will.
 */
typedef struct verbose_package_name_bases_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} verbose_package_name_bases_stub;

/**
 * Calls Get and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * vpn__base__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code verbose_package_name_bases_get(
    verbose_package_name_bases_stub stub, oyez_ctx *ctx,
    const Vpn__Base *request,
    Vpn__Base **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Get; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void verbose_package_name_bases_get_done_fn(
    oyez_call *call, const oyez_status *status,
    const Vpn__Base *reply, void *user);

/**
 * Calls Get and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err verbose_package_name_bases_get_async(
    verbose_package_name_bases_stub stub, oyez_ctx *ctx,
    const Vpn__Base *request,
    verbose_package_name_bases_get_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of verbose.package.name.Bases: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct verbose_package_name_bases_service {
    oyez_code (*get)(void *self, oyez_server_call *call,
        const Vpn__Base *request,
        Vpn__Base *reply);
    void (*get_async)(void *self, oyez_server_call *call,
        const Vpn__Base *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} verbose_package_name_bases_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err verbose_package_name_bases_service_register(
    oyez_server *server, const verbose_package_name_bases_service *service, void *self);

/** Ends an async Get with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void verbose_package_name_bases_get_reply(
    oyez_server_call *call, const Vpn__Base *reply);

OYEZ_END_DECLS

#endif

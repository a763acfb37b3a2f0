/* Written by protoc-gen-oyez from prefix.proto: change that instead. */
#ifndef OYEZ_prefix_2eproto_INCLUDED
#define OYEZ_prefix_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "prefix.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "prefix.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- hello.world.v1.Greeter --- */

#define HW_GREETER_SERVICE_NAME "hello.world.v1.Greeter"
#define HW_GREETER_SAY_HELLO_PATH "/hello.world.v1.Greeter/SayHello"

extern const oyez_method hw_greeter_say_hello_method;

/**
 * The client's end of hello.world.v1.Greeter: a value, to be filled in and copied at will.
 */
typedef struct hw_greeter_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} hw_greeter_stub;

/**
 * Calls SayHello and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * hello__world__v1__hello__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code hw_greeter_say_hello(
    hw_greeter_stub stub, oyez_ctx *ctx,
    const Hello__World__V1__Hello *request,
    Hello__World__V1__Hello **ret_reply, oyez_status *ret_status);

/** Gets the end of an async SayHello; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void hw_greeter_say_hello_done_fn(
    oyez_call *call, const oyez_status *status,
    const Hello__World__V1__Hello *reply, void *user);

/**
 * Calls SayHello and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err hw_greeter_say_hello_async(
    hw_greeter_stub stub, oyez_ctx *ctx,
    const Hello__World__V1__Hello *request,
    hw_greeter_say_hello_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of hello.world.v1.Greeter: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct hw_greeter_service {
    oyez_code (*say_hello)(void *self, oyez_server_call *call,
        const Hello__World__V1__Hello *request,
        Hello__World__V1__Hello *reply);
    void (*say_hello_async)(void *self, oyez_server_call *call,
        const Hello__World__V1__Hello *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} hw_greeter_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err hw_greeter_service_register(
    oyez_server *server, const hw_greeter_service *service, void *self);

/** Ends an async SayHello with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void hw_greeter_say_hello_reply(
    oyez_server_call *call, const Hello__World__V1__Hello *reply);

OYEZ_END_DECLS

#endif

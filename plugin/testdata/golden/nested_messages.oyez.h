/* Written by protoc-gen-oyez from nested_messages.proto: change that instead. */
#ifndef OYEZ_nested_messages_2eproto_INCLUDED
#define OYEZ_nested_messages_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "nested_messages.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "nested_messages.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- nest.Nested --- */

#define NEST_NESTED_SERVICE_NAME "nest.Nested"
#define NEST_NESTED_UP_PATH "/nest.Nested/Up"
#define NEST_NESTED_DOWN_PATH "/nest.Nested/Down"

extern const oyez_method nest_nested_up_method;
extern const oyez_method nest_nested_down_method;

/**
 * The client's end of nest.Nested: a value, to be filled in and copied at will.
 */
typedef struct nest_nested_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} nest_nested_stub;

/**
 * Calls Up and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * nest__outer__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code nest_nested_up(
    nest_nested_stub stub, oyez_ctx *ctx,
    const Nest__Outer__InnerPart *request,
    Nest__Outer **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Up; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void nest_nested_up_done_fn(
    oyez_call *call, const oyez_status *status,
    const Nest__Outer *reply, void *user);

/**
 * Calls Up and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err nest_nested_up_async(
    nest_nested_stub stub, oyez_ctx *ctx,
    const Nest__Outer__InnerPart *request,
    nest_nested_up_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Down and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * nest__outer__inner__part__httpdeep__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code nest_nested_down(
    nest_nested_stub stub, oyez_ctx *ctx,
    const Nest__Outer *request,
    Nest__Outer__InnerPart__HTTPDeep **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Down; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void nest_nested_down_done_fn(
    oyez_call *call, const oyez_status *status,
    const Nest__Outer__InnerPart__HTTPDeep *reply, void *user);

/**
 * Calls Down and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err nest_nested_down_async(
    nest_nested_stub stub, oyez_ctx *ctx,
    const Nest__Outer *request,
    nest_nested_down_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of nest.Nested: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct nest_nested_service {
    oyez_code (*up)(void *self, oyez_server_call *call,
        const Nest__Outer__InnerPart *request,
        Nest__Outer *reply);
    void (*up_async)(void *self, oyez_server_call *call,
        const Nest__Outer__InnerPart *request);
    oyez_code (*down)(void *self, oyez_server_call *call,
        const Nest__Outer *request,
        Nest__Outer__InnerPart__HTTPDeep *reply);
    void (*down_async)(void *self, oyez_server_call *call,
        const Nest__Outer *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} nest_nested_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err nest_nested_service_register(
    oyez_server *server, const nest_nested_service *service, void *self);

/** Ends an async Up with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void nest_nested_up_reply(
    oyez_server_call *call, const Nest__Outer *reply);

/** Ends an async Down with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void nest_nested_down_reply(
    oyez_server_call *call, const Nest__Outer__InnerPart__HTTPDeep *reply);

OYEZ_END_DECLS

#endif

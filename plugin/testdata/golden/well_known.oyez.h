/* Written by protoc-gen-oyez from well_known.proto: change that instead. */
#ifndef OYEZ_well_known_2eproto_INCLUDED
#define OYEZ_well_known_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "well_known.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "well_known.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- known.Clock --- */

#define KNOWN_CLOCK_SERVICE_NAME "known.Clock"
#define KNOWN_CLOCK_NOW_PATH "/known.Clock/Now"
#define KNOWN_CLOCK_WRAP_PATH "/known.Clock/Wrap"
#define KNOWN_CLOCK_TELL_PATH "/known.Clock/Tell"
#define KNOWN_CLOCK_LIST_PATH "/known.Clock/List"

extern const oyez_method known_clock_now_method;
extern const oyez_method known_clock_wrap_method;
extern const oyez_method known_clock_tell_method;
extern const oyez_method known_clock_list_method;

/**
 * The client's end of known.Clock: a value, to be filled in and copied at will.
 */
typedef struct known_clock_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} known_clock_stub;

/**
 * Calls Now and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * google__protobuf__timestamp__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code known_clock_now(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__Empty *request,
    Google__Protobuf__Timestamp **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Now; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void known_clock_now_done_fn(
    oyez_call *call, const oyez_status *status,
    const Google__Protobuf__Timestamp *reply, void *user);

/**
 * Calls Now and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err known_clock_now_async(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__Empty *request,
    known_clock_now_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Wrap and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * google__protobuf__any__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code known_clock_wrap(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__StringValue *request,
    Google__Protobuf__Any **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Wrap; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void known_clock_wrap_done_fn(
    oyez_call *call, const oyez_status *status,
    const Google__Protobuf__Any *reply, void *user);

/**
 * Calls Wrap and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err known_clock_wrap_async(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__StringValue *request,
    known_clock_wrap_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Tell and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * google__protobuf__empty__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code known_clock_tell(
    known_clock_stub stub, oyez_ctx *ctx,
    const Known__Event *request,
    Google__Protobuf__Empty **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Tell; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void known_clock_tell_done_fn(
    oyez_call *call, const oyez_status *status,
    const Google__Protobuf__Empty *reply, void *user);

/**
 * Calls Tell and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err known_clock_tell_async(
    known_clock_stub stub, oyez_ctx *ctx,
    const Known__Event *request,
    known_clock_tell_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls List and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * google__protobuf__list_value__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code known_clock_list(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__Struct *request,
    Google__Protobuf__ListValue **ret_reply, oyez_status *ret_status);

/** Gets the end of an async List; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void known_clock_list_done_fn(
    oyez_call *call, const oyez_status *status,
    const Google__Protobuf__ListValue *reply, void *user);

/**
 * Calls List and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err known_clock_list_async(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__Struct *request,
    known_clock_list_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of known.Clock: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct known_clock_service {
    oyez_code (*now)(void *self, oyez_server_call *call,
        const Google__Protobuf__Empty *request,
        Google__Protobuf__Timestamp *reply);
    void (*now_async)(void *self, oyez_server_call *call,
        const Google__Protobuf__Empty *request);
    oyez_code (*wrap)(void *self, oyez_server_call *call,
        const Google__Protobuf__StringValue *request,
        Google__Protobuf__Any *reply);
    void (*wrap_async)(void *self, oyez_server_call *call,
        const Google__Protobuf__StringValue *request);
    oyez_code (*tell)(void *self, oyez_server_call *call,
        const Known__Event *request,
        Google__Protobuf__Empty *reply);
    void (*tell_async)(void *self, oyez_server_call *call,
        const Known__Event *request);
    oyez_code (*list)(void *self, oyez_server_call *call,
        const Google__Protobuf__Struct *request,
        Google__Protobuf__ListValue *reply);
    void (*list_async)(void *self, oyez_server_call *call,
        const Google__Protobuf__Struct *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} known_clock_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err known_clock_service_register(
    oyez_server *server, const known_clock_service *service, void *self);

/** Ends an async Now with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void known_clock_now_reply(
    oyez_server_call *call, const Google__Protobuf__Timestamp *reply);

/** Ends an async Wrap with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void known_clock_wrap_reply(
    oyez_server_call *call, const Google__Protobuf__Any *reply);

/** Ends an async Tell with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void known_clock_tell_reply(
    oyez_server_call *call, const Google__Protobuf__Empty *reply);

/** Ends an async List with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void known_clock_list_reply(
    oyez_server_call *call, const Google__Protobuf__ListValue *reply);

OYEZ_END_DECLS

#endif

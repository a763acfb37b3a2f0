/* Written by protoc-gen-oyez from two_services.proto: change that instead. */
#ifndef OYEZ_two_services_2eproto_INCLUDED
#define OYEZ_two_services_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "two_services.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "two_services.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- pair.First --- */

#define PAIR_FIRST_SERVICE_NAME "pair.First"
#define PAIR_FIRST_GET_PATH "/pair.First/Get"
#define PAIR_FIRST_SET_PATH "/pair.First/Set"

extern const oyez_method pair_first_get_method;
extern const oyez_method pair_first_set_method;

/**
 * The client's end of pair.First: a value, to be filled in and copied at will.
 */
typedef struct pair_first_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} pair_first_stub;

/**
 * Calls Get and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * pair__b__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code pair_first_get(
    pair_first_stub stub, oyez_ctx *ctx,
    const Pair__A *request,
    Pair__B **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Get; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void pair_first_get_done_fn(
    oyez_call *call, const oyez_status *status,
    const Pair__B *reply, void *user);

/**
 * Calls Get and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err pair_first_get_async(
    pair_first_stub stub, oyez_ctx *ctx,
    const Pair__A *request,
    pair_first_get_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Set and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * pair__a__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code pair_first_set(
    pair_first_stub stub, oyez_ctx *ctx,
    const Pair__B *request,
    Pair__A **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Set; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void pair_first_set_done_fn(
    oyez_call *call, const oyez_status *status,
    const Pair__A *reply, void *user);

/**
 * Calls Set and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err pair_first_set_async(
    pair_first_stub stub, oyez_ctx *ctx,
    const Pair__B *request,
    pair_first_set_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of pair.First: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct pair_first_service {
    oyez_code (*get)(void *self, oyez_server_call *call,
        const Pair__A *request,
        Pair__B *reply);
    void (*get_async)(void *self, oyez_server_call *call,
        const Pair__A *request);
    oyez_code (*set)(void *self, oyez_server_call *call,
        const Pair__B *request,
        Pair__A *reply);
    void (*set_async)(void *self, oyez_server_call *call,
        const Pair__B *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} pair_first_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err pair_first_service_register(
    oyez_server *server, const pair_first_service *service, void *self);

/** Ends an async Get with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void pair_first_get_reply(
    oyez_server_call *call, const Pair__B *reply);

/** Ends an async Set with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void pair_first_set_reply(
    oyez_server_call *call, const Pair__A *reply);

/* --- pair.Second --- */

#define PAIR_SECOND_SERVICE_NAME "pair.Second"
#define PAIR_SECOND_GET_PATH "/pair.Second/Get"

extern const oyez_method pair_second_get_method;

/**
 * The client's end of pair.Second: a value, to be filled in and copied at will.
 */
typedef struct pair_second_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} pair_second_stub;

/**
 * Calls Get and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * pair__a__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code pair_second_get(
    pair_second_stub stub, oyez_ctx *ctx,
    const Pair__B *request,
    Pair__A **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Get; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void pair_second_get_done_fn(
    oyez_call *call, const oyez_status *status,
    const Pair__A *reply, void *user);

/**
 * Calls Get and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err pair_second_get_async(
    pair_second_stub stub, oyez_ctx *ctx,
    const Pair__B *request,
    pair_second_get_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of pair.Second: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct pair_second_service {
    oyez_code (*get)(void *self, oyez_server_call *call,
        const Pair__B *request,
        Pair__A *reply);
    void (*get_async)(void *self, oyez_server_call *call,
        const Pair__B *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} pair_second_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err pair_second_service_register(
    oyez_server *server, const pair_second_service *service, void *self);

/** Ends an async Get with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void pair_second_get_reply(
    oyez_server_call *call, const Pair__A *reply);

OYEZ_END_DECLS

#endif

/* Written by protoc-gen-oyez from registration.proto: change that instead. */
#ifndef OYEZ_registration_2eproto_INCLUDED
#define OYEZ_registration_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "registration.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "registration.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- club.Registration --- */

#define CLUB_REGISTRATION_SERVICE_NAME "club.Registration"
#define CLUB_REGISTRATION_REGISTER__PATH "/club.Registration/Register"
#define CLUB_REGISTRATION_SERVICE__PATH "/club.Registration/Service"
#define CLUB_REGISTRATION_SERVICE_REGISTER__PATH "/club.Registration/ServiceRegister"
#define CLUB_REGISTRATION_STUB__PATH "/club.Registration/Stub"

extern const oyez_method club_registration_register__method;
extern const oyez_method club_registration_service__method;
extern const oyez_method club_registration_service_register__method;
extern const oyez_method club_registration_stub__method;

/**
 * The client's end of club.Registration: a value, to be filled in and copied at will.
 */
typedef struct club_registration_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} club_registration_stub;

/**
 * Calls Register and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * club__member__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code club_registration_register_(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    Club__Member **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Register; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void club_registration_register__done_fn(
    oyez_call *call, const oyez_status *status,
    const Club__Member *reply, void *user);

/**
 * Calls Register and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err club_registration_register__async(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    club_registration_register__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Service and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * club__member__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code club_registration_service_(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    Club__Member **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Service; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void club_registration_service__done_fn(
    oyez_call *call, const oyez_status *status,
    const Club__Member *reply, void *user);

/**
 * Calls Service and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err club_registration_service__async(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    club_registration_service__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls ServiceRegister and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * club__member__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code club_registration_service_register_(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    Club__Member **ret_reply, oyez_status *ret_status);

/** Gets the end of an async ServiceRegister; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void club_registration_service_register__done_fn(
    oyez_call *call, const oyez_status *status,
    const Club__Member *reply, void *user);

/**
 * Calls ServiceRegister and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err club_registration_service_register__async(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    club_registration_service_register__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Stub and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * club__member__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code club_registration_stub_(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    Club__Member **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Stub; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void club_registration_stub__done_fn(
    oyez_call *call, const oyez_status *status,
    const Club__Member *reply, void *user);

/**
 * Calls Stub and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err club_registration_stub__async(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    club_registration_stub__done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of club.Registration: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct club_registration_service {
    oyez_code (*register_)(void *self, oyez_server_call *call,
        const Club__Member *request,
        Club__Member *reply);
    void (*register__async)(void *self, oyez_server_call *call,
        const Club__Member *request);
    oyez_code (*service_)(void *self, oyez_server_call *call,
        const Club__Member *request,
        Club__Member *reply);
    void (*service__async)(void *self, oyez_server_call *call,
        const Club__Member *request);
    oyez_code (*service_register_)(void *self, oyez_server_call *call,
        const Club__Member *request,
        Club__Member *reply);
    void (*service_register__async)(void *self, oyez_server_call *call,
        const Club__Member *request);
    oyez_code (*stub_)(void *self, oyez_server_call *call,
        const Club__Member *request,
        Club__Member *reply);
    void (*stub__async)(void *self, oyez_server_call *call,
        const Club__Member *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} club_registration_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err club_registration_service_register(
    oyez_server *server, const club_registration_service *service, void *self);

/** Ends an async Register with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void club_registration_register__reply(
    oyez_server_call *call, const Club__Member *reply);

/** Ends an async Service with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void club_registration_service__reply(
    oyez_server_call *call, const Club__Member *reply);

/** Ends an async ServiceRegister with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void club_registration_service_register__reply(
    oyez_server_call *call, const Club__Member *reply);

/** Ends an async Stub with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void club_registration_stub__reply(
    oyez_server_call *call, const Club__Member *reply);

OYEZ_END_DECLS

#endif

/* Written by protoc-gen-oyez from keywords.proto: change that instead. */
#ifndef OYEZ_keywords_2eproto_INCLUDED
#define OYEZ_keywords_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "keywords.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "keywords.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- keywords.Switch --- */

#define KEYWORDS_SWITCH_SERVICE_NAME "keywords.Switch"
#define KEYWORDS_SWITCH_DO__PATH "/keywords.Switch/Do"
#define KEYWORDS_SWITCH_REGISTER__PATH "/keywords.Switch/Register"
#define KEYWORDS_SWITCH_INT__PATH "/keywords.Switch/Int"
#define KEYWORDS_SWITCH_CLASS__PATH "/keywords.Switch/Class"
#define KEYWORDS_SWITCH_NEW__PATH "/keywords.Switch/New"
#define KEYWORDS_SWITCH_ERRNO__PATH "/keywords.Switch/Errno"
#define KEYWORDS_SWITCH_ASSERT_PATH "/keywords.Switch/Assert"
#define KEYWORDS_SWITCH_ON_LOOP__PATH "/keywords.Switch/OnLoop"

extern const oyez_method keywords_switch_do__method;
extern const oyez_method keywords_switch_register__method;
extern const oyez_method keywords_switch_int__method;
extern const oyez_method keywords_switch_class__method;
extern const oyez_method keywords_switch_new__method;
extern const oyez_method keywords_switch_errno__method;
extern const oyez_method keywords_switch_assert_method;
extern const oyez_method keywords_switch_on_loop__method;

/**
 * The client's end of keywords.Switch: a value, to be filled in and copied at will.
 */
typedef struct keywords_switch_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} keywords_switch_stub;

/**
 * Calls Do and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * keywords__void__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code keywords_switch_do_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Do; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void keywords_switch_do__done_fn(
    oyez_call *call, const oyez_status *status,
    const Keywords__Void *reply, void *user);

/**
 * Calls Do and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_do__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_do__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Register and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * keywords__void__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code keywords_switch_register_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Register; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void keywords_switch_register__done_fn(
    oyez_call *call, const oyez_status *status,
    const Keywords__Void *reply, void *user);

/**
 * Calls Register and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_register__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_register__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Int and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * keywords__void__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code keywords_switch_int_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Int; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void keywords_switch_int__done_fn(
    oyez_call *call, const oyez_status *status,
    const Keywords__Void *reply, void *user);

/**
 * Calls Int and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_int__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_int__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Class and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * keywords__void__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code keywords_switch_class_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Class; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void keywords_switch_class__done_fn(
    oyez_call *call, const oyez_status *status,
    const Keywords__Void *reply, void *user);

/**
 * Calls Class and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_class__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_class__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls New and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * keywords__void__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code keywords_switch_new_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status);

/** Gets the end of an async New; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void keywords_switch_new__done_fn(
    oyez_call *call, const oyez_status *status,
    const Keywords__Void *reply, void *user);

/**
 * Calls New and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_new__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_new__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Errno and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * keywords__void__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code keywords_switch_errno_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Errno; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void keywords_switch_errno__done_fn(
    oyez_call *call, const oyez_status *status,
    const Keywords__Void *reply, void *user);

/**
 * Calls Errno and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_errno__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_errno__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Assert and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * keywords__void__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code keywords_switch_assert(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Assert; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void keywords_switch_assert_done_fn(
    oyez_call *call, const oyez_status *status,
    const Keywords__Void *reply, void *user);

/**
 * Calls Assert and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_assert_async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_assert_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls OnLoop and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * keywords__void__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code keywords_switch_on_loop_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status);

/** Gets the end of an async OnLoop; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void keywords_switch_on_loop__done_fn(
    oyez_call *call, const oyez_status *status,
    const Keywords__Void *reply, void *user);

/**
 * Calls OnLoop and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_on_loop__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_on_loop__done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of keywords.Switch: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct keywords_switch_service {
    oyez_code (*do_)(void *self, oyez_server_call *call,
        const Keywords__Void *request,
        Keywords__Void *reply);
    void (*do__async)(void *self, oyez_server_call *call,
        const Keywords__Void *request);
    oyez_code (*register_)(void *self, oyez_server_call *call,
        const Keywords__Void *request,
        Keywords__Void *reply);
    void (*register__async)(void *self, oyez_server_call *call,
        const Keywords__Void *request);
    oyez_code (*int_)(void *self, oyez_server_call *call,
        const Keywords__Void *request,
        Keywords__Void *reply);
    void (*int__async)(void *self, oyez_server_call *call,
        const Keywords__Void *request);
    oyez_code (*class_)(void *self, oyez_server_call *call,
        const Keywords__Void *request,
        Keywords__Void *reply);
    void (*class__async)(void *self, oyez_server_call *call,
        const Keywords__Void *request);
    oyez_code (*new_)(void *self, oyez_server_call *call,
        const Keywords__Void *request,
        Keywords__Void *reply);
    void (*new__async)(void *self, oyez_server_call *call,
        const Keywords__Void *request);
    oyez_code (*errno_)(void *self, oyez_server_call *call,
        const Keywords__Void *request,
        Keywords__Void *reply);
    void (*errno__async)(void *self, oyez_server_call *call,
        const Keywords__Void *request);
    oyez_code (*assert)(void *self, oyez_server_call *call,
        const Keywords__Void *request,
        Keywords__Void *reply);
    void (*assert_async)(void *self, oyez_server_call *call,
        const Keywords__Void *request);
    oyez_code (*on_loop_)(void *self, oyez_server_call *call,
        const Keywords__Void *request,
        Keywords__Void *reply);
    void (*on_loop__async)(void *self, oyez_server_call *call,
        const Keywords__Void *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} keywords_switch_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err keywords_switch_service_register(
    oyez_server *server, const keywords_switch_service *service, void *self);

/** Ends an async Do with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void keywords_switch_do__reply(
    oyez_server_call *call, const Keywords__Void *reply);

/** Ends an async Register with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void keywords_switch_register__reply(
    oyez_server_call *call, const Keywords__Void *reply);

/** Ends an async Int with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void keywords_switch_int__reply(
    oyez_server_call *call, const Keywords__Void *reply);

/** Ends an async Class with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void keywords_switch_class__reply(
    oyez_server_call *call, const Keywords__Void *reply);

/** Ends an async New with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void keywords_switch_new__reply(
    oyez_server_call *call, const Keywords__Void *reply);

/** Ends an async Errno with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void keywords_switch_errno__reply(
    oyez_server_call *call, const Keywords__Void *reply);

/** Ends an async Assert with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void keywords_switch_assert_reply(
    oyez_server_call *call, const Keywords__Void *reply);

/** Ends an async OnLoop with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void keywords_switch_on_loop__reply(
    oyez_server_call *call, const Keywords__Void *reply);

OYEZ_END_DECLS

#endif

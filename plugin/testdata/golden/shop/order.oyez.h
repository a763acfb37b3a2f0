/* Written by protoc-gen-oyez from shop/order.proto: change that instead. */
#ifndef OYEZ_shop_2forder_2eproto_INCLUDED
#define OYEZ_shop_2forder_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "shop/order.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "shop/order.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- shop.Till --- */

#define SHOP_TILL_SERVICE_NAME "shop.Till"
#define SHOP_TILL_CHARGE_PATH "/shop.Till/Charge"
#define SHOP_TILL_WHO_PATH "/shop.Till/Who"
#define SHOP_TILL_WHERE_PATH "/shop.Till/Where"

extern const oyez_method shop_till_charge_method;
extern const oyez_method shop_till_who_method;
extern const oyez_method shop_till_where_method;

/**
 * The client's end of shop.Till: a value, to be filled in and copied at will.
 */
typedef struct shop_till_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} shop_till_stub;

/**
 * Calls Charge and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * shop__common__money__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code shop_till_charge(
    shop_till_stub stub, oyez_ctx *ctx,
    const Shop__Order *request,
    Shop__Common__Money **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Charge; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void shop_till_charge_done_fn(
    oyez_call *call, const oyez_status *status,
    const Shop__Common__Money *reply, void *user);

/**
 * Calls Charge and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err shop_till_charge_async(
    shop_till_stub stub, oyez_ctx *ctx,
    const Shop__Order *request,
    shop_till_charge_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Who and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * people__customer__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code shop_till_who(
    shop_till_stub stub, oyez_ctx *ctx,
    const Number *request,
    People__Customer **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Who; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void shop_till_who_done_fn(
    oyez_call *call, const oyez_status *status,
    const People__Customer *reply, void *user);

/**
 * Calls Who and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err shop_till_who_async(
    shop_till_stub stub, oyez_ctx *ctx,
    const Number *request,
    shop_till_who_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Where and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * people__customer__address__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code shop_till_where(
    shop_till_stub stub, oyez_ctx *ctx,
    const People__Customer__Address *request,
    People__Customer__Address **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Where; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void shop_till_where_done_fn(
    oyez_call *call, const oyez_status *status,
    const People__Customer__Address *reply, void *user);

/**
 * Calls Where and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err shop_till_where_async(
    shop_till_stub stub, oyez_ctx *ctx,
    const People__Customer__Address *request,
    shop_till_where_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of shop.Till: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct shop_till_service {
    oyez_code (*charge)(void *self, oyez_server_call *call,
        const Shop__Order *request,
        Shop__Common__Money *reply);
    void (*charge_async)(void *self, oyez_server_call *call,
        const Shop__Order *request);
    oyez_code (*who)(void *self, oyez_server_call *call,
        const Number *request,
        People__Customer *reply);
    void (*who_async)(void *self, oyez_server_call *call,
        const Number *request);
    oyez_code (*where)(void *self, oyez_server_call *call,
        const People__Customer__Address *request,
        People__Customer__Address *reply);
    void (*where_async)(void *self, oyez_server_call *call,
        const People__Customer__Address *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} shop_till_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err shop_till_service_register(
    oyez_server *server, const shop_till_service *service, void *self);

/** Ends an async Charge with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void shop_till_charge_reply(
    oyez_server_call *call, const Shop__Common__Money *reply);

/** Ends an async Who with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void shop_till_who_reply(
    oyez_server_call *call, const People__Customer *reply);

/** Ends an async Where with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void shop_till_where_reply(
    oyez_server_call *call, const People__Customer__Address *reply);

OYEZ_END_DECLS

#endif

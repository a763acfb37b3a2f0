/* Written by protoc-gen-oyez from proto2.proto: change that instead. */
#ifndef OYEZ_proto2_2eproto_INCLUDED
#define OYEZ_proto2_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "proto2.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "proto2.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- old.times.Post --- */

#define OLD_TIMES_POST_SERVICE_NAME "old.times.Post"
#define OLD_TIMES_POST_SEND_PATH "/old.times.Post/Send"

extern const oyez_method old_times_post_send_method;

/**
 * The client's end of old.times.Post: a value, to be filled in and copied at will.
 */
typedef struct old_times_post_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} old_times_post_stub;

/**
 * Calls Send and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * old__times__letter__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code old_times_post_send(
    old_times_post_stub stub, oyez_ctx *ctx,
    const Old__Times__Letter *request,
    Old__Times__Letter **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Send; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void old_times_post_send_done_fn(
    oyez_call *call, const oyez_status *status,
    const Old__Times__Letter *reply, void *user);

/**
 * Calls Send and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err old_times_post_send_async(
    old_times_post_stub stub, oyez_ctx *ctx,
    const Old__Times__Letter *request,
    old_times_post_send_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of old.times.Post: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct old_times_post_service {
    oyez_code (*send)(void *self, oyez_server_call *call,
        const Old__Times__Letter *request,
        Old__Times__Letter *reply);
    void (*send_async)(void *self, oyez_server_call *call,
        const Old__Times__Letter *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} old_times_post_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err old_times_post_service_register(
    oyez_server *server, const old_times_post_service *service, void *self);

/** Ends an async Send with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void old_times_post_send_reply(
    oyez_server_call *call, const Old__Times__Letter *reply);

OYEZ_END_DECLS

#endif

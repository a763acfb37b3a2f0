/* Written by protoc-gen-oyez from streams_skipped.proto: change that instead. */
#ifndef OYEZ_streams_skipped_2eproto_INCLUDED
#define OYEZ_streams_skipped_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "streams_skipped.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "streams_skipped.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- flow.River --- */

#define FLOW_RIVER_SERVICE_NAME "flow.River"
#define FLOW_RIVER_DIP_PATH "/flow.River/Dip"
#define FLOW_RIVER_SIP_PATH "/flow.River/Sip"

extern const oyez_method flow_river_dip_method;
extern const oyez_method flow_river_sip_method;

/* Streams, left out as --oyez_opt=skip_streaming says: Source, Mouth, Both. */

/**
 * The client's end of flow.River: a value, to be filled in and copied at will.
 */
typedef struct flow_river_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} flow_river_stub;

/**
 * Calls Dip and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * flow__drop__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code flow_river_dip(
    flow_river_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    Flow__Drop **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Dip; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void flow_river_dip_done_fn(
    oyez_call *call, const oyez_status *status,
    const Flow__Drop *reply, void *user);

/**
 * Calls Dip and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err flow_river_dip_async(
    flow_river_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    flow_river_dip_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Sip and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * flow__drop__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code flow_river_sip(
    flow_river_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    Flow__Drop **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Sip; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void flow_river_sip_done_fn(
    oyez_call *call, const oyez_status *status,
    const Flow__Drop *reply, void *user);

/**
 * Calls Sip and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err flow_river_sip_async(
    flow_river_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    flow_river_sip_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of flow.River: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct flow_river_service {
    oyez_code (*dip)(void *self, oyez_server_call *call,
        const Flow__Drop *request,
        Flow__Drop *reply);
    void (*dip_async)(void *self, oyez_server_call *call,
        const Flow__Drop *request);
    oyez_code (*sip)(void *self, oyez_server_call *call,
        const Flow__Drop *request,
        Flow__Drop *reply);
    void (*sip_async)(void *self, oyez_server_call *call,
        const Flow__Drop *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} flow_river_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err flow_river_service_register(
    oyez_server *server, const flow_river_service *service, void *self);

/** Ends an async Dip with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void flow_river_dip_reply(
    oyez_server_call *call, const Flow__Drop *reply);

/** Ends an async Sip with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void flow_river_sip_reply(
    oyez_server_call *call, const Flow__Drop *reply);

OYEZ_END_DECLS

#endif

/* Written by protoc-gen-oyez from nested_package.proto: change that instead. */
#ifndef OYEZ_nested_package_2eproto_INCLUDED
#define OYEZ_nested_package_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "nested_package.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "nested_package.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- acme.parcelTracking.v1beta1.ParcelTracker --- */

#define ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_SERVICE_NAME "acme.parcelTracking.v1beta1.ParcelTracker"
#define ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_TRACK_PATH "/acme.parcelTracking.v1beta1.ParcelTracker/Track"
#define ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_TRACK_BY_HTTPURL_PATH "/acme.parcelTracking.v1beta1.ParcelTracker/TrackByHTTPURL"
#define ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_GET_V2_STATE_PATH "/acme.parcelTracking.v1beta1.ParcelTracker/GetV2State"
#define ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_SNAKE_CASE_ALREADY_PATH "/acme.parcelTracking.v1beta1.ParcelTracker/snake_case_already"

extern const oyez_method acme_parcel_tracking_v1beta1_parcel_tracker_track_method;
extern const oyez_method acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_method;
extern const oyez_method acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_method;
extern const oyez_method acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_method;

/**
 * The client's end of acme.parcelTracking.v1beta1.ParcelTracker: a value, to be filled in and copied at will.
 */
typedef struct acme_parcel_tracking_v1beta1_parcel_tracker_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} acme_parcel_tracking_v1beta1_parcel_tracker_stub;

/**
 * Calls Track and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * acme__parcel_tracking__v1beta1__track_reply__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_track(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    Acme__ParcelTracking__V1beta1__TrackReply **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Track; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void acme_parcel_tracking_v1beta1_parcel_tracker_track_done_fn(
    oyez_call *call, const oyez_status *status,
    const Acme__ParcelTracking__V1beta1__TrackReply *reply, void *user);

/**
 * Calls Track and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_track_async(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    acme_parcel_tracking_v1beta1_parcel_tracker_track_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls TrackByHTTPURL and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * acme__parcel_tracking__v1beta1__track_reply__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    Acme__ParcelTracking__V1beta1__TrackReply **ret_reply, oyez_status *ret_status);

/** Gets the end of an async TrackByHTTPURL; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_done_fn(
    oyez_call *call, const oyez_status *status,
    const Acme__ParcelTracking__V1beta1__TrackReply *reply, void *user);

/**
 * Calls TrackByHTTPURL and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_async(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls GetV2State and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * acme__parcel_tracking__v1beta1__track_reply__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    Acme__ParcelTracking__V1beta1__TrackReply **ret_reply, oyez_status *ret_status);

/** Gets the end of an async GetV2State; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_done_fn(
    oyez_call *call, const oyez_status *status,
    const Acme__ParcelTracking__V1beta1__TrackReply *reply, void *user);

/**
 * Calls GetV2State and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_async(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls snake_case_already and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * acme__parcel_tracking__v1beta1__track_reply__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    Acme__ParcelTracking__V1beta1__TrackReply **ret_reply, oyez_status *ret_status);

/** Gets the end of an async snake_case_already; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_done_fn(
    oyez_call *call, const oyez_status *status,
    const Acme__ParcelTracking__V1beta1__TrackReply *reply, void *user);

/**
 * Calls snake_case_already and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_async(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of acme.parcelTracking.v1beta1.ParcelTracker: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct acme_parcel_tracking_v1beta1_parcel_tracker_service {
    oyez_code (*track)(void *self, oyez_server_call *call,
        const Acme__ParcelTracking__V1beta1__TrackRequest *request,
        Acme__ParcelTracking__V1beta1__TrackReply *reply);
    void (*track_async)(void *self, oyez_server_call *call,
        const Acme__ParcelTracking__V1beta1__TrackRequest *request);
    oyez_code (*track_by_httpurl)(void *self, oyez_server_call *call,
        const Acme__ParcelTracking__V1beta1__TrackRequest *request,
        Acme__ParcelTracking__V1beta1__TrackReply *reply);
    void (*track_by_httpurl_async)(void *self, oyez_server_call *call,
        const Acme__ParcelTracking__V1beta1__TrackRequest *request);
    oyez_code (*get_v2_state)(void *self, oyez_server_call *call,
        const Acme__ParcelTracking__V1beta1__TrackRequest *request,
        Acme__ParcelTracking__V1beta1__TrackReply *reply);
    void (*get_v2_state_async)(void *self, oyez_server_call *call,
        const Acme__ParcelTracking__V1beta1__TrackRequest *request);
    oyez_code (*snake_case_already)(void *self, oyez_server_call *call,
        const Acme__ParcelTracking__V1beta1__TrackRequest *request,
        Acme__ParcelTracking__V1beta1__TrackReply *reply);
    void (*snake_case_already_async)(void *self, oyez_server_call *call,
        const Acme__ParcelTracking__V1beta1__TrackRequest *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} acme_parcel_tracking_v1beta1_parcel_tracker_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_service_register(
    oyez_server *server, const acme_parcel_tracking_v1beta1_parcel_tracker_service *service, void *self);

/** Ends an async Track with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void acme_parcel_tracking_v1beta1_parcel_tracker_track_reply(
    oyez_server_call *call, const Acme__ParcelTracking__V1beta1__TrackReply *reply);

/** Ends an async TrackByHTTPURL with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_reply(
    oyez_server_call *call, const Acme__ParcelTracking__V1beta1__TrackReply *reply);

/** Ends an async GetV2State with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_reply(
    oyez_server_call *call, const Acme__ParcelTracking__V1beta1__TrackReply *reply);

/** Ends an async snake_case_already with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_reply(
    oyez_server_call *call, const Acme__ParcelTracking__V1beta1__TrackReply *reply);

OYEZ_END_DECLS

#endif

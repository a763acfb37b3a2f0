/* Written by protoc-gen-oyez from nested_package.proto: change that instead. */
#include "nested_package.oyez.h"

const oyez_method acme_parcel_tracking_v1beta1_parcel_tracker_track_method = {
    OYEZ_METHOD_INIT,
    .path = ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_TRACK_PATH,
    .codec = oyez_protobuf_c,
    .request = &acme__parcel_tracking__v1beta1__track_request__descriptor,
    .response = &acme__parcel_tracking__v1beta1__track_reply__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_track(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    Acme__ParcelTracking__V1beta1__TrackReply **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &acme_parcel_tracking_v1beta1_parcel_tracker_track_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Acme__ParcelTracking__V1beta1__TrackReply *)reply;
    return code;
}

static void acme_parcel_tracking_v1beta1_parcel_tracker_track_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((acme_parcel_tracking_v1beta1_parcel_tracker_track_done_fn *)done)(
        call, status, (const Acme__ParcelTracking__V1beta1__TrackReply *)reply, user);
}

oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_track_async(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    acme_parcel_tracking_v1beta1_parcel_tracker_track_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &acme_parcel_tracking_v1beta1_parcel_tracker_track_method, ctx,
                                 stub.options, request, acme_parcel_tracking_v1beta1_parcel_tracker_track_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_track_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const acme_parcel_tracking_v1beta1_parcel_tracker_service *table = (const acme_parcel_tracking_v1beta1_parcel_tracker_service *)service;
    return (table->track)(self, call, (const Acme__ParcelTracking__V1beta1__TrackRequest *)request,
        (Acme__ParcelTracking__V1beta1__TrackReply *)reply);
}

static void acme_parcel_tracking_v1beta1_parcel_tracker_track_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const acme_parcel_tracking_v1beta1_parcel_tracker_service *table = (const acme_parcel_tracking_v1beta1_parcel_tracker_service *)service;
    (table->track_async)(self, call, (const Acme__ParcelTracking__V1beta1__TrackRequest *)request);
}

void acme_parcel_tracking_v1beta1_parcel_tracker_track_reply(
    oyez_server_call *call, const Acme__ParcelTracking__V1beta1__TrackReply *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_method = {
    OYEZ_METHOD_INIT,
    .path = ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_TRACK_BY_HTTPURL_PATH,
    .codec = oyez_protobuf_c,
    .request = &acme__parcel_tracking__v1beta1__track_request__descriptor,
    .response = &acme__parcel_tracking__v1beta1__track_reply__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    Acme__ParcelTracking__V1beta1__TrackReply **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Acme__ParcelTracking__V1beta1__TrackReply *)reply;
    return code;
}

static void acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_done_fn *)done)(
        call, status, (const Acme__ParcelTracking__V1beta1__TrackReply *)reply, user);
}

oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_async(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_method, ctx,
                                 stub.options, request, acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const acme_parcel_tracking_v1beta1_parcel_tracker_service *table = (const acme_parcel_tracking_v1beta1_parcel_tracker_service *)service;
    return (table->track_by_httpurl)(self, call, (const Acme__ParcelTracking__V1beta1__TrackRequest *)request,
        (Acme__ParcelTracking__V1beta1__TrackReply *)reply);
}

static void acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const acme_parcel_tracking_v1beta1_parcel_tracker_service *table = (const acme_parcel_tracking_v1beta1_parcel_tracker_service *)service;
    (table->track_by_httpurl_async)(self, call, (const Acme__ParcelTracking__V1beta1__TrackRequest *)request);
}

void acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_reply(
    oyez_server_call *call, const Acme__ParcelTracking__V1beta1__TrackReply *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_method = {
    OYEZ_METHOD_INIT,
    .path = ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_GET_V2_STATE_PATH,
    .codec = oyez_protobuf_c,
    .request = &acme__parcel_tracking__v1beta1__track_request__descriptor,
    .response = &acme__parcel_tracking__v1beta1__track_reply__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    Acme__ParcelTracking__V1beta1__TrackReply **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Acme__ParcelTracking__V1beta1__TrackReply *)reply;
    return code;
}

static void acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_done_fn *)done)(
        call, status, (const Acme__ParcelTracking__V1beta1__TrackReply *)reply, user);
}

oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_async(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_method, ctx,
                                 stub.options, request, acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const acme_parcel_tracking_v1beta1_parcel_tracker_service *table = (const acme_parcel_tracking_v1beta1_parcel_tracker_service *)service;
    return (table->get_v2_state)(self, call, (const Acme__ParcelTracking__V1beta1__TrackRequest *)request,
        (Acme__ParcelTracking__V1beta1__TrackReply *)reply);
}

static void acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const acme_parcel_tracking_v1beta1_parcel_tracker_service *table = (const acme_parcel_tracking_v1beta1_parcel_tracker_service *)service;
    (table->get_v2_state_async)(self, call, (const Acme__ParcelTracking__V1beta1__TrackRequest *)request);
}

void acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_reply(
    oyez_server_call *call, const Acme__ParcelTracking__V1beta1__TrackReply *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_method = {
    OYEZ_METHOD_INIT,
    .path = ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_SNAKE_CASE_ALREADY_PATH,
    .codec = oyez_protobuf_c,
    .request = &acme__parcel_tracking__v1beta1__track_request__descriptor,
    .response = &acme__parcel_tracking__v1beta1__track_reply__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    Acme__ParcelTracking__V1beta1__TrackReply **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Acme__ParcelTracking__V1beta1__TrackReply *)reply;
    return code;
}

static void acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_done_fn *)done)(
        call, status, (const Acme__ParcelTracking__V1beta1__TrackReply *)reply, user);
}

oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_async(
    acme_parcel_tracking_v1beta1_parcel_tracker_stub stub, oyez_ctx *ctx,
    const Acme__ParcelTracking__V1beta1__TrackRequest *request,
    acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_method, ctx,
                                 stub.options, request, acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const acme_parcel_tracking_v1beta1_parcel_tracker_service *table = (const acme_parcel_tracking_v1beta1_parcel_tracker_service *)service;
    return (table->snake_case_already)(self, call, (const Acme__ParcelTracking__V1beta1__TrackRequest *)request,
        (Acme__ParcelTracking__V1beta1__TrackReply *)reply);
}

static void acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const acme_parcel_tracking_v1beta1_parcel_tracker_service *table = (const acme_parcel_tracking_v1beta1_parcel_tracker_service *)service;
    (table->snake_case_already_async)(self, call, (const Acme__ParcelTracking__V1beta1__TrackRequest *)request);
}

void acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_reply(
    oyez_server_call *call, const Acme__ParcelTracking__V1beta1__TrackReply *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err acme_parcel_tracking_v1beta1_parcel_tracker_service_register(
    oyez_server *server, const acme_parcel_tracking_v1beta1_parcel_tracker_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &acme_parcel_tracking_v1beta1_parcel_tracker_track_method,
          .unary = service->track ? acme_parcel_tracking_v1beta1_parcel_tracker_track_handle : NULL,
          .unary_async = service->track_async ? acme_parcel_tracking_v1beta1_parcel_tracker_track_handle_async : NULL },
        { .method = &acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_method,
          .unary = service->track_by_httpurl ? acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_handle : NULL,
          .unary_async = service->track_by_httpurl_async ? acme_parcel_tracking_v1beta1_parcel_tracker_track_by_httpurl_handle_async : NULL },
        { .method = &acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_method,
          .unary = service->get_v2_state ? acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_handle : NULL,
          .unary_async = service->get_v2_state_async ? acme_parcel_tracking_v1beta1_parcel_tracker_get_v2_state_handle_async : NULL },
        { .method = &acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_method,
          .unary = service->snake_case_already ? acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_handle : NULL,
          .unary_async = service->snake_case_already_async ? acme_parcel_tracking_v1beta1_parcel_tracker_snake_case_already_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = ACME_PARCEL_TRACKING_V1BETA1_PARCEL_TRACKER_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

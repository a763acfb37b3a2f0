/* Written by protoc-gen-oyez from streams_skipped.proto: change that instead. */
#include "streams_skipped.oyez.h"

const oyez_method flow_river_dip_method = {
    OYEZ_METHOD_INIT,
    .path = FLOW_RIVER_DIP_PATH,
    .codec = oyez_protobuf_c,
    .request = &flow__drop__descriptor,
    .response = &flow__drop__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code flow_river_dip(
    flow_river_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    Flow__Drop **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &flow_river_dip_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Flow__Drop *)reply;
    return code;
}

static void flow_river_dip_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((flow_river_dip_done_fn *)done)(
        call, status, (const Flow__Drop *)reply, user);
}

oyez_err flow_river_dip_async(
    flow_river_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    flow_river_dip_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &flow_river_dip_method, ctx,
                                 stub.options, request, flow_river_dip_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code flow_river_dip_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const flow_river_service *table = (const flow_river_service *)service;
    return (table->dip)(self, call, (const Flow__Drop *)request,
        (Flow__Drop *)reply);
}

static void flow_river_dip_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const flow_river_service *table = (const flow_river_service *)service;
    (table->dip_async)(self, call, (const Flow__Drop *)request);
}

void flow_river_dip_reply(
    oyez_server_call *call, const Flow__Drop *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method flow_river_sip_method = {
    OYEZ_METHOD_INIT,
    .path = FLOW_RIVER_SIP_PATH,
    .codec = oyez_protobuf_c,
    .request = &flow__drop__descriptor,
    .response = &flow__drop__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code flow_river_sip(
    flow_river_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    Flow__Drop **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &flow_river_sip_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Flow__Drop *)reply;
    return code;
}

static void flow_river_sip_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((flow_river_sip_done_fn *)done)(
        call, status, (const Flow__Drop *)reply, user);
}

oyez_err flow_river_sip_async(
    flow_river_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    flow_river_sip_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &flow_river_sip_method, ctx,
                                 stub.options, request, flow_river_sip_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code flow_river_sip_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const flow_river_service *table = (const flow_river_service *)service;
    return (table->sip)(self, call, (const Flow__Drop *)request,
        (Flow__Drop *)reply);
}

static void flow_river_sip_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const flow_river_service *table = (const flow_river_service *)service;
    (table->sip_async)(self, call, (const Flow__Drop *)request);
}

void flow_river_sip_reply(
    oyez_server_call *call, const Flow__Drop *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err flow_river_service_register(
    oyez_server *server, const flow_river_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &flow_river_dip_method,
          .unary = service->dip ? flow_river_dip_handle : NULL,
          .unary_async = service->dip_async ? flow_river_dip_handle_async : NULL },
        { .method = &flow_river_sip_method,
          .unary = service->sip ? flow_river_sip_handle : NULL,
          .unary_async = service->sip_async ? flow_river_sip_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = FLOW_RIVER_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

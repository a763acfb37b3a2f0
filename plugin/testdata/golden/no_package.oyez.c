/* Written by protoc-gen-oyez from no_package.proto: change that instead. */
#include "no_package.oyez.h"

const oyez_method pinger_ping_method = {
    OYEZ_METHOD_INIT,
    .path = PINGER_PING_PATH,
    .codec = oyez_protobuf_c,
    .request = &number__descriptor,
    .response = &number__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code pinger_ping(
    pinger_stub stub, oyez_ctx *ctx,
    const Number *request,
    Number **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &pinger_ping_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Number *)reply;
    return code;
}

static void pinger_ping_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((pinger_ping_done_fn *)done)(
        call, status, (const Number *)reply, user);
}

oyez_err pinger_ping_async(
    pinger_stub stub, oyez_ctx *ctx,
    const Number *request,
    pinger_ping_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &pinger_ping_method, ctx,
                                 stub.options, request, pinger_ping_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code pinger_ping_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const pinger_service *table = (const pinger_service *)service;
    return (table->ping)(self, call, (const Number *)request,
        (Number *)reply);
}

static void pinger_ping_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const pinger_service *table = (const pinger_service *)service;
    (table->ping_async)(self, call, (const Number *)request);
}

void pinger_ping_reply(
    oyez_server_call *call, const Number *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err pinger_service_register(
    oyez_server *server, const pinger_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &pinger_ping_method,
          .unary = service->ping ? pinger_ping_handle : NULL,
          .unary_async = service->ping_async ? pinger_ping_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = PINGER_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

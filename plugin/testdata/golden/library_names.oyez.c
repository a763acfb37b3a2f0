/* Written by protoc-gen-oyez from library_names.proto: change that instead. */
#include "library_names.oyez.h"

const oyez_method oyez_server__start_method = {
    OYEZ_METHOD_INIT,
    .path = OYEZ_SERVER__START_PATH,
    .codec = oyez_protobuf_c,
    .request = &oyez__call__descriptor,
    .response = &oyez__call__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code oyez_server__start(
    oyez_server__stub stub, oyez_ctx *ctx,
    const Oyez__Call *request,
    Oyez__Call **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &oyez_server__start_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Oyez__Call *)reply;
    return code;
}

static void oyez_server__start_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((oyez_server__start_done_fn *)done)(
        call, status, (const Oyez__Call *)reply, user);
}

oyez_err oyez_server__start_async(
    oyez_server__stub stub, oyez_ctx *ctx,
    const Oyez__Call *request,
    oyez_server__start_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &oyez_server__start_method, ctx,
                                 stub.options, request, oyez_server__start_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code oyez_server__start_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const oyez_server__service *table = (const oyez_server__service *)service;
    return (table->start)(self, call, (const Oyez__Call *)request,
        (Oyez__Call *)reply);
}

static void oyez_server__start_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const oyez_server__service *table = (const oyez_server__service *)service;
    (table->start_async)(self, call, (const Oyez__Call *)request);
}

void oyez_server__start_reply(
    oyez_server_call *call, const Oyez__Call *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err oyez_server__service_register(
    oyez_server *server, const oyez_server__service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &oyez_server__start_method,
          .unary = service->start ? oyez_server__start_handle : NULL,
          .unary_async = service->start_async ? oyez_server__start_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = OYEZ_SERVER__SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

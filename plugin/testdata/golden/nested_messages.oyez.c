/* Written by protoc-gen-oyez from nested_messages.proto: change that instead. */
#include "nested_messages.oyez.h"

const oyez_method nest_nested_up_method = {
    OYEZ_METHOD_INIT,
    .path = NEST_NESTED_UP_PATH,
    .codec = oyez_protobuf_c,
    .request = &nest__outer__inner__part__descriptor,
    .response = &nest__outer__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code nest_nested_up(
    nest_nested_stub stub, oyez_ctx *ctx,
    const Nest__Outer__InnerPart *request,
    Nest__Outer **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &nest_nested_up_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Nest__Outer *)reply;
    return code;
}

static void nest_nested_up_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((nest_nested_up_done_fn *)done)(
        call, status, (const Nest__Outer *)reply, user);
}

oyez_err nest_nested_up_async(
    nest_nested_stub stub, oyez_ctx *ctx,
    const Nest__Outer__InnerPart *request,
    nest_nested_up_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &nest_nested_up_method, ctx,
                                 stub.options, request, nest_nested_up_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code nest_nested_up_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const nest_nested_service *table = (const nest_nested_service *)service;
    return (table->up)(self, call, (const Nest__Outer__InnerPart *)request,
        (Nest__Outer *)reply);
}

static void nest_nested_up_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const nest_nested_service *table = (const nest_nested_service *)service;
    (table->up_async)(self, call, (const Nest__Outer__InnerPart *)request);
}

void nest_nested_up_reply(
    oyez_server_call *call, const Nest__Outer *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method nest_nested_down_method = {
    OYEZ_METHOD_INIT,
    .path = NEST_NESTED_DOWN_PATH,
    .codec = oyez_protobuf_c,
    .request = &nest__outer__descriptor,
    .response = &nest__outer__inner__part__httpdeep__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code nest_nested_down(
    nest_nested_stub stub, oyez_ctx *ctx,
    const Nest__Outer *request,
    Nest__Outer__InnerPart__HTTPDeep **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &nest_nested_down_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Nest__Outer__InnerPart__HTTPDeep *)reply;
    return code;
}

static void nest_nested_down_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((nest_nested_down_done_fn *)done)(
        call, status, (const Nest__Outer__InnerPart__HTTPDeep *)reply, user);
}

oyez_err nest_nested_down_async(
    nest_nested_stub stub, oyez_ctx *ctx,
    const Nest__Outer *request,
    nest_nested_down_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &nest_nested_down_method, ctx,
                                 stub.options, request, nest_nested_down_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code nest_nested_down_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const nest_nested_service *table = (const nest_nested_service *)service;
    return (table->down)(self, call, (const Nest__Outer *)request,
        (Nest__Outer__InnerPart__HTTPDeep *)reply);
}

static void nest_nested_down_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const nest_nested_service *table = (const nest_nested_service *)service;
    (table->down_async)(self, call, (const Nest__Outer *)request);
}

void nest_nested_down_reply(
    oyez_server_call *call, const Nest__Outer__InnerPart__HTTPDeep *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err nest_nested_service_register(
    oyez_server *server, const nest_nested_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &nest_nested_up_method,
          .unary = service->up ? nest_nested_up_handle : NULL,
          .unary_async = service->up_async ? nest_nested_up_handle_async : NULL },
        { .method = &nest_nested_down_method,
          .unary = service->down ? nest_nested_down_handle : NULL,
          .unary_async = service->down_async ? nest_nested_down_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = NEST_NESTED_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

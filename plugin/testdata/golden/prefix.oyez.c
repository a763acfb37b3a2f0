/* Written by protoc-gen-oyez from prefix.proto: change that instead. */
#include "prefix.oyez.h"

const oyez_method hw_greeter_say_hello_method = {
    OYEZ_METHOD_INIT,
    .path = HW_GREETER_SAY_HELLO_PATH,
    .codec = oyez_protobuf_c,
    .request = &hello__world__v1__hello__descriptor,
    .response = &hello__world__v1__hello__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code hw_greeter_say_hello(
    hw_greeter_stub stub, oyez_ctx *ctx,
    const Hello__World__V1__Hello *request,
    Hello__World__V1__Hello **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &hw_greeter_say_hello_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Hello__World__V1__Hello *)reply;
    return code;
}

static void hw_greeter_say_hello_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((hw_greeter_say_hello_done_fn *)done)(
        call, status, (const Hello__World__V1__Hello *)reply, user);
}

oyez_err hw_greeter_say_hello_async(
    hw_greeter_stub stub, oyez_ctx *ctx,
    const Hello__World__V1__Hello *request,
    hw_greeter_say_hello_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &hw_greeter_say_hello_method, ctx,
                                 stub.options, request, hw_greeter_say_hello_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code hw_greeter_say_hello_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const hw_greeter_service *table = (const hw_greeter_service *)service;
    return (table->say_hello)(self, call, (const Hello__World__V1__Hello *)request,
        (Hello__World__V1__Hello *)reply);
}

static void hw_greeter_say_hello_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const hw_greeter_service *table = (const hw_greeter_service *)service;
    (table->say_hello_async)(self, call, (const Hello__World__V1__Hello *)request);
}

void hw_greeter_say_hello_reply(
    oyez_server_call *call, const Hello__World__V1__Hello *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err hw_greeter_service_register(
    oyez_server *server, const hw_greeter_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &hw_greeter_say_hello_method,
          .unary = service->say_hello ? hw_greeter_say_hello_handle : NULL,
          .unary_async = service->say_hello_async ? hw_greeter_say_hello_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = HW_GREETER_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

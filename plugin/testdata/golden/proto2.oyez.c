/* Written by protoc-gen-oyez from proto2.proto: change that instead. */
#include "proto2.oyez.h"

const oyez_method old_times_post_send_method = {
    OYEZ_METHOD_INIT,
    .path = OLD_TIMES_POST_SEND_PATH,
    .codec = oyez_protobuf_c,
    .request = &old__times__letter__descriptor,
    .response = &old__times__letter__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code old_times_post_send(
    old_times_post_stub stub, oyez_ctx *ctx,
    const Old__Times__Letter *request,
    Old__Times__Letter **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &old_times_post_send_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Old__Times__Letter *)reply;
    return code;
}

static void old_times_post_send_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((old_times_post_send_done_fn *)done)(
        call, status, (const Old__Times__Letter *)reply, user);
}

oyez_err old_times_post_send_async(
    old_times_post_stub stub, oyez_ctx *ctx,
    const Old__Times__Letter *request,
    old_times_post_send_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &old_times_post_send_method, ctx,
                                 stub.options, request, old_times_post_send_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code old_times_post_send_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const old_times_post_service *table = (const old_times_post_service *)service;
    return (table->send)(self, call, (const Old__Times__Letter *)request,
        (Old__Times__Letter *)reply);
}

static void old_times_post_send_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const old_times_post_service *table = (const old_times_post_service *)service;
    (table->send_async)(self, call, (const Old__Times__Letter *)request);
}

void old_times_post_send_reply(
    oyez_server_call *call, const Old__Times__Letter *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err old_times_post_service_register(
    oyez_server *server, const old_times_post_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &old_times_post_send_method,
          .unary = service->send ? old_times_post_send_handle : NULL,
          .unary_async = service->send_async ? old_times_post_send_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = OLD_TIMES_POST_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

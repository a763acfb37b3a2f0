/* Written by protoc-gen-oyez from optional.proto: change that instead. */
#include "optional.oyez.h"

const oyez_method maybe_asker_ask_method = {
    OYEZ_METHOD_INIT,
    .path = MAYBE_ASKER_ASK_PATH,
    .codec = oyez_protobuf_c,
    .request = &maybe__maybe__descriptor,
    .response = &maybe__maybe__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code maybe_asker_ask(
    maybe_asker_stub stub, oyez_ctx *ctx,
    const Maybe__Maybe *request,
    Maybe__Maybe **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &maybe_asker_ask_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Maybe__Maybe *)reply;
    return code;
}

static void maybe_asker_ask_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((maybe_asker_ask_done_fn *)done)(
        call, status, (const Maybe__Maybe *)reply, user);
}

oyez_err maybe_asker_ask_async(
    maybe_asker_stub stub, oyez_ctx *ctx,
    const Maybe__Maybe *request,
    maybe_asker_ask_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &maybe_asker_ask_method, ctx,
                                 stub.options, request, maybe_asker_ask_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code maybe_asker_ask_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const maybe_asker_service *table = (const maybe_asker_service *)service;
    return (table->ask)(self, call, (const Maybe__Maybe *)request,
        (Maybe__Maybe *)reply);
}

static void maybe_asker_ask_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const maybe_asker_service *table = (const maybe_asker_service *)service;
    (table->ask_async)(self, call, (const Maybe__Maybe *)request);
}

void maybe_asker_ask_reply(
    oyez_server_call *call, const Maybe__Maybe *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err maybe_asker_service_register(
    oyez_server *server, const maybe_asker_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &maybe_asker_ask_method,
          .unary = service->ask ? maybe_asker_ask_handle : NULL,
          .unary_async = service->ask_async ? maybe_asker_ask_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = MAYBE_ASKER_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

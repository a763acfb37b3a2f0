/* Written by protoc-gen-oyez from c_package.proto: change that instead. */
#include "c_package.oyez.h"

const oyez_method verbose_package_name_bases_get_method = {
    OYEZ_METHOD_INIT,
    .path = VERBOSE_PACKAGE_NAME_BASES_GET_PATH,
    .codec = oyez_protobuf_c,
    .request = &vpn__base__descriptor,
    .response = &vpn__base__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code verbose_package_name_bases_get(
    verbose_package_name_bases_stub stub, oyez_ctx *ctx,
    const Vpn__Base *request,
    Vpn__Base **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &verbose_package_name_bases_get_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Vpn__Base *)reply;
    return code;
}

static void verbose_package_name_bases_get_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((verbose_package_name_bases_get_done_fn *)done)(
        call, status, (const Vpn__Base *)reply, user);
}

oyez_err verbose_package_name_bases_get_async(
    verbose_package_name_bases_stub stub, oyez_ctx *ctx,
    const Vpn__Base *request,
    verbose_package_name_bases_get_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &verbose_package_name_bases_get_method, ctx,
                                 stub.options, request, verbose_package_name_bases_get_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code verbose_package_name_bases_get_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const verbose_package_name_bases_service *table = (const verbose_package_name_bases_service *)service;
    return (table->get)(self, call, (const Vpn__Base *)request,
        (Vpn__Base *)reply);
}

static void verbose_package_name_bases_get_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const verbose_package_name_bases_service *table = (const verbose_package_name_bases_service *)service;
    (table->get_async)(self, call, (const Vpn__Base *)request);
}

void verbose_package_name_bases_get_reply(
    oyez_server_call *call, const Vpn__Base *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err verbose_package_name_bases_service_register(
    oyez_server *server, const verbose_package_name_bases_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &verbose_package_name_bases_get_method,
          .unary = service->get ? verbose_package_name_bases_get_handle : NULL,
          .unary_async = service->get_async ? verbose_package_name_bases_get_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = VERBOSE_PACKAGE_NAME_BASES_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

/* Written by protoc-gen-oyez from shop/order.proto: change that instead. */
#include "shop/order.oyez.h"

const oyez_method shop_till_charge_method = {
    OYEZ_METHOD_INIT,
    .path = SHOP_TILL_CHARGE_PATH,
    .codec = oyez_protobuf_c,
    .request = &shop__order__descriptor,
    .response = &shop__common__money__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code shop_till_charge(
    shop_till_stub stub, oyez_ctx *ctx,
    const Shop__Order *request,
    Shop__Common__Money **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &shop_till_charge_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Shop__Common__Money *)reply;
    return code;
}

static void shop_till_charge_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((shop_till_charge_done_fn *)done)(
        call, status, (const Shop__Common__Money *)reply, user);
}

oyez_err shop_till_charge_async(
    shop_till_stub stub, oyez_ctx *ctx,
    const Shop__Order *request,
    shop_till_charge_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &shop_till_charge_method, ctx,
                                 stub.options, request, shop_till_charge_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code shop_till_charge_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const shop_till_service *table = (const shop_till_service *)service;
    return (table->charge)(self, call, (const Shop__Order *)request,
        (Shop__Common__Money *)reply);
}

static void shop_till_charge_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const shop_till_service *table = (const shop_till_service *)service;
    (table->charge_async)(self, call, (const Shop__Order *)request);
}

void shop_till_charge_reply(
    oyez_server_call *call, const Shop__Common__Money *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method shop_till_who_method = {
    OYEZ_METHOD_INIT,
    .path = SHOP_TILL_WHO_PATH,
    .codec = oyez_protobuf_c,
    .request = &number__descriptor,
    .response = &people__customer__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code shop_till_who(
    shop_till_stub stub, oyez_ctx *ctx,
    const Number *request,
    People__Customer **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &shop_till_who_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (People__Customer *)reply;
    return code;
}

static void shop_till_who_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((shop_till_who_done_fn *)done)(
        call, status, (const People__Customer *)reply, user);
}

oyez_err shop_till_who_async(
    shop_till_stub stub, oyez_ctx *ctx,
    const Number *request,
    shop_till_who_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &shop_till_who_method, ctx,
                                 stub.options, request, shop_till_who_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code shop_till_who_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const shop_till_service *table = (const shop_till_service *)service;
    return (table->who)(self, call, (const Number *)request,
        (People__Customer *)reply);
}

static void shop_till_who_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const shop_till_service *table = (const shop_till_service *)service;
    (table->who_async)(self, call, (const Number *)request);
}

void shop_till_who_reply(
    oyez_server_call *call, const People__Customer *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method shop_till_where_method = {
    OYEZ_METHOD_INIT,
    .path = SHOP_TILL_WHERE_PATH,
    .codec = oyez_protobuf_c,
    .request = &people__customer__address__descriptor,
    .response = &people__customer__address__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code shop_till_where(
    shop_till_stub stub, oyez_ctx *ctx,
    const People__Customer__Address *request,
    People__Customer__Address **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &shop_till_where_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (People__Customer__Address *)reply;
    return code;
}

static void shop_till_where_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((shop_till_where_done_fn *)done)(
        call, status, (const People__Customer__Address *)reply, user);
}

oyez_err shop_till_where_async(
    shop_till_stub stub, oyez_ctx *ctx,
    const People__Customer__Address *request,
    shop_till_where_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &shop_till_where_method, ctx,
                                 stub.options, request, shop_till_where_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code shop_till_where_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const shop_till_service *table = (const shop_till_service *)service;
    return (table->where)(self, call, (const People__Customer__Address *)request,
        (People__Customer__Address *)reply);
}

static void shop_till_where_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const shop_till_service *table = (const shop_till_service *)service;
    (table->where_async)(self, call, (const People__Customer__Address *)request);
}

void shop_till_where_reply(
    oyez_server_call *call, const People__Customer__Address *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err shop_till_service_register(
    oyez_server *server, const shop_till_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &shop_till_charge_method,
          .unary = service->charge ? shop_till_charge_handle : NULL,
          .unary_async = service->charge_async ? shop_till_charge_handle_async : NULL },
        { .method = &shop_till_who_method,
          .unary = service->who ? shop_till_who_handle : NULL,
          .unary_async = service->who_async ? shop_till_who_handle_async : NULL },
        { .method = &shop_till_where_method,
          .unary = service->where ? shop_till_where_handle : NULL,
          .unary_async = service->where_async ? shop_till_where_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = SHOP_TILL_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

/* Written by protoc-gen-oyez from two_services.proto: change that instead. */
#include "two_services.oyez.h"

const oyez_method pair_first_get_method = {
    OYEZ_METHOD_INIT,
    .path = PAIR_FIRST_GET_PATH,
    .codec = oyez_protobuf_c,
    .request = &pair__a__descriptor,
    .response = &pair__b__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code pair_first_get(
    pair_first_stub stub, oyez_ctx *ctx,
    const Pair__A *request,
    Pair__B **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &pair_first_get_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Pair__B *)reply;
    return code;
}

static void pair_first_get_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((pair_first_get_done_fn *)done)(
        call, status, (const Pair__B *)reply, user);
}

oyez_err pair_first_get_async(
    pair_first_stub stub, oyez_ctx *ctx,
    const Pair__A *request,
    pair_first_get_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &pair_first_get_method, ctx,
                                 stub.options, request, pair_first_get_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code pair_first_get_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const pair_first_service *table = (const pair_first_service *)service;
    return (table->get)(self, call, (const Pair__A *)request,
        (Pair__B *)reply);
}

static void pair_first_get_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const pair_first_service *table = (const pair_first_service *)service;
    (table->get_async)(self, call, (const Pair__A *)request);
}

void pair_first_get_reply(
    oyez_server_call *call, const Pair__B *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method pair_first_set_method = {
    OYEZ_METHOD_INIT,
    .path = PAIR_FIRST_SET_PATH,
    .codec = oyez_protobuf_c,
    .request = &pair__b__descriptor,
    .response = &pair__a__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code pair_first_set(
    pair_first_stub stub, oyez_ctx *ctx,
    const Pair__B *request,
    Pair__A **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &pair_first_set_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Pair__A *)reply;
    return code;
}

static void pair_first_set_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((pair_first_set_done_fn *)done)(
        call, status, (const Pair__A *)reply, user);
}

oyez_err pair_first_set_async(
    pair_first_stub stub, oyez_ctx *ctx,
    const Pair__B *request,
    pair_first_set_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &pair_first_set_method, ctx,
                                 stub.options, request, pair_first_set_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code pair_first_set_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const pair_first_service *table = (const pair_first_service *)service;
    return (table->set)(self, call, (const Pair__B *)request,
        (Pair__A *)reply);
}

static void pair_first_set_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const pair_first_service *table = (const pair_first_service *)service;
    (table->set_async)(self, call, (const Pair__B *)request);
}

void pair_first_set_reply(
    oyez_server_call *call, const Pair__A *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err pair_first_service_register(
    oyez_server *server, const pair_first_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &pair_first_get_method,
          .unary = service->get ? pair_first_get_handle : NULL,
          .unary_async = service->get_async ? pair_first_get_handle_async : NULL },
        { .method = &pair_first_set_method,
          .unary = service->set ? pair_first_set_handle : NULL,
          .unary_async = service->set_async ? pair_first_set_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = PAIR_FIRST_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

const oyez_method pair_second_get_method = {
    OYEZ_METHOD_INIT,
    .path = PAIR_SECOND_GET_PATH,
    .codec = oyez_protobuf_c,
    .request = &pair__b__descriptor,
    .response = &pair__a__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code pair_second_get(
    pair_second_stub stub, oyez_ctx *ctx,
    const Pair__B *request,
    Pair__A **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &pair_second_get_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Pair__A *)reply;
    return code;
}

static void pair_second_get_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((pair_second_get_done_fn *)done)(
        call, status, (const Pair__A *)reply, user);
}

oyez_err pair_second_get_async(
    pair_second_stub stub, oyez_ctx *ctx,
    const Pair__B *request,
    pair_second_get_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &pair_second_get_method, ctx,
                                 stub.options, request, pair_second_get_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code pair_second_get_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const pair_second_service *table = (const pair_second_service *)service;
    return (table->get)(self, call, (const Pair__B *)request,
        (Pair__A *)reply);
}

static void pair_second_get_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const pair_second_service *table = (const pair_second_service *)service;
    (table->get_async)(self, call, (const Pair__B *)request);
}

void pair_second_get_reply(
    oyez_server_call *call, const Pair__A *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err pair_second_service_register(
    oyez_server *server, const pair_second_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &pair_second_get_method,
          .unary = service->get ? pair_second_get_handle : NULL,
          .unary_async = service->get_async ? pair_second_get_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = PAIR_SECOND_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

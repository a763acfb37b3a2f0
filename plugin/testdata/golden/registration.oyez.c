/* Written by protoc-gen-oyez from registration.proto: change that instead. */
#include "registration.oyez.h"

const oyez_method club_registration_register__method = {
    OYEZ_METHOD_INIT,
    .path = CLUB_REGISTRATION_REGISTER__PATH,
    .codec = oyez_protobuf_c,
    .request = &club__member__descriptor,
    .response = &club__member__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code club_registration_register_(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    Club__Member **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &club_registration_register__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Club__Member *)reply;
    return code;
}

static void club_registration_register__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((club_registration_register__done_fn *)done)(
        call, status, (const Club__Member *)reply, user);
}

oyez_err club_registration_register__async(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    club_registration_register__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &club_registration_register__method, ctx,
                                 stub.options, request, club_registration_register__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code club_registration_register__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const club_registration_service *table = (const club_registration_service *)service;
    return (table->register_)(self, call, (const Club__Member *)request,
        (Club__Member *)reply);
}

static void club_registration_register__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const club_registration_service *table = (const club_registration_service *)service;
    (table->register__async)(self, call, (const Club__Member *)request);
}

void club_registration_register__reply(
    oyez_server_call *call, const Club__Member *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method club_registration_service__method = {
    OYEZ_METHOD_INIT,
    .path = CLUB_REGISTRATION_SERVICE__PATH,
    .codec = oyez_protobuf_c,
    .request = &club__member__descriptor,
    .response = &club__member__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code club_registration_service_(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    Club__Member **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &club_registration_service__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Club__Member *)reply;
    return code;
}

static void club_registration_service__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((club_registration_service__done_fn *)done)(
        call, status, (const Club__Member *)reply, user);
}

oyez_err club_registration_service__async(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    club_registration_service__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &club_registration_service__method, ctx,
                                 stub.options, request, club_registration_service__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code club_registration_service__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const club_registration_service *table = (const club_registration_service *)service;
    return (table->service_)(self, call, (const Club__Member *)request,
        (Club__Member *)reply);
}

static void club_registration_service__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const club_registration_service *table = (const club_registration_service *)service;
    (table->service__async)(self, call, (const Club__Member *)request);
}

void club_registration_service__reply(
    oyez_server_call *call, const Club__Member *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method club_registration_service_register__method = {
    OYEZ_METHOD_INIT,
    .path = CLUB_REGISTRATION_SERVICE_REGISTER__PATH,
    .codec = oyez_protobuf_c,
    .request = &club__member__descriptor,
    .response = &club__member__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code club_registration_service_register_(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    Club__Member **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &club_registration_service_register__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Club__Member *)reply;
    return code;
}

static void club_registration_service_register__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((club_registration_service_register__done_fn *)done)(
        call, status, (const Club__Member *)reply, user);
}

oyez_err club_registration_service_register__async(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    club_registration_service_register__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &club_registration_service_register__method, ctx,
                                 stub.options, request, club_registration_service_register__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code club_registration_service_register__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const club_registration_service *table = (const club_registration_service *)service;
    return (table->service_register_)(self, call, (const Club__Member *)request,
        (Club__Member *)reply);
}

static void club_registration_service_register__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const club_registration_service *table = (const club_registration_service *)service;
    (table->service_register__async)(self, call, (const Club__Member *)request);
}

void club_registration_service_register__reply(
    oyez_server_call *call, const Club__Member *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method club_registration_stub__method = {
    OYEZ_METHOD_INIT,
    .path = CLUB_REGISTRATION_STUB__PATH,
    .codec = oyez_protobuf_c,
    .request = &club__member__descriptor,
    .response = &club__member__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code club_registration_stub_(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    Club__Member **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &club_registration_stub__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Club__Member *)reply;
    return code;
}

static void club_registration_stub__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((club_registration_stub__done_fn *)done)(
        call, status, (const Club__Member *)reply, user);
}

oyez_err club_registration_stub__async(
    club_registration_stub stub, oyez_ctx *ctx,
    const Club__Member *request,
    club_registration_stub__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &club_registration_stub__method, ctx,
                                 stub.options, request, club_registration_stub__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code club_registration_stub__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const club_registration_service *table = (const club_registration_service *)service;
    return (table->stub_)(self, call, (const Club__Member *)request,
        (Club__Member *)reply);
}

static void club_registration_stub__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const club_registration_service *table = (const club_registration_service *)service;
    (table->stub__async)(self, call, (const Club__Member *)request);
}

void club_registration_stub__reply(
    oyez_server_call *call, const Club__Member *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err club_registration_service_register(
    oyez_server *server, const club_registration_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &club_registration_register__method,
          .unary = service->register_ ? club_registration_register__handle : NULL,
          .unary_async = service->register__async ? club_registration_register__handle_async : NULL },
        { .method = &club_registration_service__method,
          .unary = service->service_ ? club_registration_service__handle : NULL,
          .unary_async = service->service__async ? club_registration_service__handle_async : NULL },
        { .method = &club_registration_service_register__method,
          .unary = service->service_register_ ? club_registration_service_register__handle : NULL,
          .unary_async = service->service_register__async ? club_registration_service_register__handle_async : NULL },
        { .method = &club_registration_stub__method,
          .unary = service->stub_ ? club_registration_stub__handle : NULL,
          .unary_async = service->stub__async ? club_registration_stub__handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = CLUB_REGISTRATION_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

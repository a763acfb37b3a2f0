/* Written by protoc-gen-oyez from well_known.proto: change that instead. */
#include "well_known.oyez.h"

const oyez_method known_clock_now_method = {
    OYEZ_METHOD_INIT,
    .path = KNOWN_CLOCK_NOW_PATH,
    .codec = oyez_protobuf_c,
    .request = &google__protobuf__empty__descriptor,
    .response = &google__protobuf__timestamp__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code known_clock_now(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__Empty *request,
    Google__Protobuf__Timestamp **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &known_clock_now_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Google__Protobuf__Timestamp *)reply;
    return code;
}

static void known_clock_now_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((known_clock_now_done_fn *)done)(
        call, status, (const Google__Protobuf__Timestamp *)reply, user);
}

oyez_err known_clock_now_async(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__Empty *request,
    known_clock_now_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &known_clock_now_method, ctx,
                                 stub.options, request, known_clock_now_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code known_clock_now_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const known_clock_service *table = (const known_clock_service *)service;
    return (table->now)(self, call, (const Google__Protobuf__Empty *)request,
        (Google__Protobuf__Timestamp *)reply);
}

static void known_clock_now_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const known_clock_service *table = (const known_clock_service *)service;
    (table->now_async)(self, call, (const Google__Protobuf__Empty *)request);
}

void known_clock_now_reply(
    oyez_server_call *call, const Google__Protobuf__Timestamp *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method known_clock_wrap_method = {
    OYEZ_METHOD_INIT,
    .path = KNOWN_CLOCK_WRAP_PATH,
    .codec = oyez_protobuf_c,
    .request = &google__protobuf__string_value__descriptor,
    .response = &google__protobuf__any__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code known_clock_wrap(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__StringValue *request,
    Google__Protobuf__Any **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &known_clock_wrap_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Google__Protobuf__Any *)reply;
    return code;
}

static void known_clock_wrap_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((known_clock_wrap_done_fn *)done)(
        call, status, (const Google__Protobuf__Any *)reply, user);
}

oyez_err known_clock_wrap_async(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__StringValue *request,
    known_clock_wrap_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &known_clock_wrap_method, ctx,
                                 stub.options, request, known_clock_wrap_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code known_clock_wrap_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const known_clock_service *table = (const known_clock_service *)service;
    return (table->wrap)(self, call, (const Google__Protobuf__StringValue *)request,
        (Google__Protobuf__Any *)reply);
}

static void known_clock_wrap_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const known_clock_service *table = (const known_clock_service *)service;
    (table->wrap_async)(self, call, (const Google__Protobuf__StringValue *)request);
}

void known_clock_wrap_reply(
    oyez_server_call *call, const Google__Protobuf__Any *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method known_clock_tell_method = {
    OYEZ_METHOD_INIT,
    .path = KNOWN_CLOCK_TELL_PATH,
    .codec = oyez_protobuf_c,
    .request = &known__event__descriptor,
    .response = &google__protobuf__empty__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code known_clock_tell(
    known_clock_stub stub, oyez_ctx *ctx,
    const Known__Event *request,
    Google__Protobuf__Empty **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &known_clock_tell_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Google__Protobuf__Empty *)reply;
    return code;
}

static void known_clock_tell_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((known_clock_tell_done_fn *)done)(
        call, status, (const Google__Protobuf__Empty *)reply, user);
}

oyez_err known_clock_tell_async(
    known_clock_stub stub, oyez_ctx *ctx,
    const Known__Event *request,
    known_clock_tell_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &known_clock_tell_method, ctx,
                                 stub.options, request, known_clock_tell_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code known_clock_tell_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const known_clock_service *table = (const known_clock_service *)service;
    return (table->tell)(self, call, (const Known__Event *)request,
        (Google__Protobuf__Empty *)reply);
}

static void known_clock_tell_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const known_clock_service *table = (const known_clock_service *)service;
    (table->tell_async)(self, call, (const Known__Event *)request);
}

void known_clock_tell_reply(
    oyez_server_call *call, const Google__Protobuf__Empty *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method known_clock_list_method = {
    OYEZ_METHOD_INIT,
    .path = KNOWN_CLOCK_LIST_PATH,
    .codec = oyez_protobuf_c,
    .request = &google__protobuf__struct__descriptor,
    .response = &google__protobuf__list_value__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code known_clock_list(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__Struct *request,
    Google__Protobuf__ListValue **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &known_clock_list_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Google__Protobuf__ListValue *)reply;
    return code;
}

static void known_clock_list_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((known_clock_list_done_fn *)done)(
        call, status, (const Google__Protobuf__ListValue *)reply, user);
}

oyez_err known_clock_list_async(
    known_clock_stub stub, oyez_ctx *ctx,
    const Google__Protobuf__Struct *request,
    known_clock_list_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &known_clock_list_method, ctx,
                                 stub.options, request, known_clock_list_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code known_clock_list_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const known_clock_service *table = (const known_clock_service *)service;
    return (table->list)(self, call, (const Google__Protobuf__Struct *)request,
        (Google__Protobuf__ListValue *)reply);
}

static void known_clock_list_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const known_clock_service *table = (const known_clock_service *)service;
    (table->list_async)(self, call, (const Google__Protobuf__Struct *)request);
}

void known_clock_list_reply(
    oyez_server_call *call, const Google__Protobuf__ListValue *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err known_clock_service_register(
    oyez_server *server, const known_clock_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &known_clock_now_method,
          .unary = service->now ? known_clock_now_handle : NULL,
          .unary_async = service->now_async ? known_clock_now_handle_async : NULL },
        { .method = &known_clock_wrap_method,
          .unary = service->wrap ? known_clock_wrap_handle : NULL,
          .unary_async = service->wrap_async ? known_clock_wrap_handle_async : NULL },
        { .method = &known_clock_tell_method,
          .unary = service->tell ? known_clock_tell_handle : NULL,
          .unary_async = service->tell_async ? known_clock_tell_handle_async : NULL },
        { .method = &known_clock_list_method,
          .unary = service->list ? known_clock_list_handle : NULL,
          .unary_async = service->list_async ? known_clock_list_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = KNOWN_CLOCK_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

/* Written by protoc-gen-oyez from clashes.proto: change that instead. */
#include "clashes.oyez.h"

const oyez_method clash_foo_say_hello_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_FOO_SAY_HELLO_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_foo_say_hello(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_foo_say_hello_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_foo_say_hello_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_foo_say_hello_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_foo_say_hello_async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_say_hello_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_foo_say_hello_method, ctx,
                                 stub.options, request, clash_foo_say_hello_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_foo_say_hello_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    return (table->say_hello)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_foo_say_hello_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    (table->say_hello_async)(self, call, (const Clash__M *)request);
}

void clash_foo_say_hello_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_foo_say_hello_async__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_FOO_SAY_HELLO_ASYNC__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_foo_say_hello_async_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_foo_say_hello_async__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_foo_say_hello_async__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_foo_say_hello_async__done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_foo_say_hello_async__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_say_hello_async__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_foo_say_hello_async__method, ctx,
                                 stub.options, request, clash_foo_say_hello_async__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_foo_say_hello_async__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    return (table->say_hello_async_)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_foo_say_hello_async__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    (table->say_hello_async__async)(self, call, (const Clash__M *)request);
}

void clash_foo_say_hello_async__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_foo_say_hello_reply__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_FOO_SAY_HELLO_REPLY__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_foo_say_hello_reply_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_foo_say_hello_reply__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_foo_say_hello_reply__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_foo_say_hello_reply__done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_foo_say_hello_reply__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_say_hello_reply__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_foo_say_hello_reply__method, ctx,
                                 stub.options, request, clash_foo_say_hello_reply__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_foo_say_hello_reply__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    return (table->say_hello_reply_)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_foo_say_hello_reply__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    (table->say_hello_reply__async)(self, call, (const Clash__M *)request);
}

void clash_foo_say_hello_reply__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_foo_say_hello__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_FOO_SAY_HELLO__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_foo_say_hello_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_foo_say_hello__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_foo_say_hello__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_foo_say_hello__done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_foo_say_hello__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_say_hello__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_foo_say_hello__method, ctx,
                                 stub.options, request, clash_foo_say_hello__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_foo_say_hello__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    return (table->say_hello_)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_foo_say_hello__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    (table->say_hello__async)(self, call, (const Clash__M *)request);
}

void clash_foo_say_hello__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_foo_bar_stub__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_FOO_BAR_STUB__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_foo_bar_stub_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_foo_bar_stub__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_foo_bar_stub__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_foo_bar_stub__done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_foo_bar_stub__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_bar_stub__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_foo_bar_stub__method, ctx,
                                 stub.options, request, clash_foo_bar_stub__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_foo_bar_stub__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    return (table->bar_stub_)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_foo_bar_stub__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    (table->bar_stub__async)(self, call, (const Clash__M *)request);
}

void clash_foo_bar_stub__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_foo_bar_service__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_FOO_BAR_SERVICE__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_foo_bar_service_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_foo_bar_service__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_foo_bar_service__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_foo_bar_service__done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_foo_bar_service__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_bar_service__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_foo_bar_service__method, ctx,
                                 stub.options, request, clash_foo_bar_service__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_foo_bar_service__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    return (table->bar_service_)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_foo_bar_service__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_foo_service *table = (const clash_foo_service *)service;
    (table->bar_service__async)(self, call, (const Clash__M *)request);
}

void clash_foo_bar_service__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err clash_foo_service_register(
    oyez_server *server, const clash_foo_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &clash_foo_say_hello_method,
          .unary = service->say_hello ? clash_foo_say_hello_handle : NULL,
          .unary_async = service->say_hello_async ? clash_foo_say_hello_handle_async : NULL },
        { .method = &clash_foo_say_hello_async__method,
          .unary = service->say_hello_async_ ? clash_foo_say_hello_async__handle : NULL,
          .unary_async = service->say_hello_async__async ? clash_foo_say_hello_async__handle_async : NULL },
        { .method = &clash_foo_say_hello_reply__method,
          .unary = service->say_hello_reply_ ? clash_foo_say_hello_reply__handle : NULL,
          .unary_async = service->say_hello_reply__async ? clash_foo_say_hello_reply__handle_async : NULL },
        { .method = &clash_foo_say_hello__method,
          .unary = service->say_hello_ ? clash_foo_say_hello__handle : NULL,
          .unary_async = service->say_hello__async ? clash_foo_say_hello__handle_async : NULL },
        { .method = &clash_foo_bar_stub__method,
          .unary = service->bar_stub_ ? clash_foo_bar_stub__handle : NULL,
          .unary_async = service->bar_stub__async ? clash_foo_bar_stub__handle_async : NULL },
        { .method = &clash_foo_bar_service__method,
          .unary = service->bar_service_ ? clash_foo_bar_service__handle : NULL,
          .unary_async = service->bar_service__async ? clash_foo_bar_service__handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = CLASH_FOO_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

const oyez_method clash_foo_bar_say_hello_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_FOO_BAR_SAY_HELLO_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_foo_bar_say_hello(
    clash_foo_bar_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_foo_bar_say_hello_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_foo_bar_say_hello_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_foo_bar_say_hello_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_foo_bar_say_hello_async(
    clash_foo_bar_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_bar_say_hello_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_foo_bar_say_hello_method, ctx,
                                 stub.options, request, clash_foo_bar_say_hello_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_foo_bar_say_hello_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_foo_bar_service *table = (const clash_foo_bar_service *)service;
    return (table->say_hello)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_foo_bar_say_hello_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_foo_bar_service *table = (const clash_foo_bar_service *)service;
    (table->say_hello_async)(self, call, (const Clash__M *)request);
}

void clash_foo_bar_say_hello_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err clash_foo_bar_service_register(
    oyez_server *server, const clash_foo_bar_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &clash_foo_bar_say_hello_method,
          .unary = service->say_hello ? clash_foo_bar_say_hello_handle : NULL,
          .unary_async = service->say_hello_async ? clash_foo_bar_say_hello_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = CLASH_FOO_BAR_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

const oyez_method clash_foo_bar__say_hello_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_FOO_BAR__SAY_HELLO_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_foo_bar__say_hello(
    clash_foo_bar__stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_foo_bar__say_hello_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_foo_bar__say_hello_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_foo_bar__say_hello_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_foo_bar__say_hello_async(
    clash_foo_bar__stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_bar__say_hello_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_foo_bar__say_hello_method, ctx,
                                 stub.options, request, clash_foo_bar__say_hello_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_foo_bar__say_hello_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_foo_bar__service *table = (const clash_foo_bar__service *)service;
    return (table->say_hello)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_foo_bar__say_hello_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_foo_bar__service *table = (const clash_foo_bar__service *)service;
    (table->say_hello_async)(self, call, (const Clash__M *)request);
}

void clash_foo_bar__say_hello_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err clash_foo_bar__service_register(
    oyez_server *server, const clash_foo_bar__service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &clash_foo_bar__say_hello_method,
          .unary = service->say_hello ? clash_foo_bar__say_hello_handle : NULL,
          .unary_async = service->say_hello_async ? clash_foo_bar__say_hello_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = CLASH_FOO_BAR__SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

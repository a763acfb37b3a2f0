/* Written by protoc-gen-oyez from keywords.proto: change that instead. */
#include "keywords.oyez.h"

const oyez_method keywords_switch_do__method = {
    OYEZ_METHOD_INIT,
    .path = KEYWORDS_SWITCH_DO__PATH,
    .codec = oyez_protobuf_c,
    .request = &keywords__void__descriptor,
    .response = &keywords__void__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code keywords_switch_do_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &keywords_switch_do__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Keywords__Void *)reply;
    return code;
}

static void keywords_switch_do__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((keywords_switch_do__done_fn *)done)(
        call, status, (const Keywords__Void *)reply, user);
}

oyez_err keywords_switch_do__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_do__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &keywords_switch_do__method, ctx,
                                 stub.options, request, keywords_switch_do__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code keywords_switch_do__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    return (table->do_)(self, call, (const Keywords__Void *)request,
        (Keywords__Void *)reply);
}

static void keywords_switch_do__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    (table->do__async)(self, call, (const Keywords__Void *)request);
}

void keywords_switch_do__reply(
    oyez_server_call *call, const Keywords__Void *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method keywords_switch_register__method = {
    OYEZ_METHOD_INIT,
    .path = KEYWORDS_SWITCH_REGISTER__PATH,
    .codec = oyez_protobuf_c,
    .request = &keywords__void__descriptor,
    .response = &keywords__void__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code keywords_switch_register_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &keywords_switch_register__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Keywords__Void *)reply;
    return code;
}

static void keywords_switch_register__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((keywords_switch_register__done_fn *)done)(
        call, status, (const Keywords__Void *)reply, user);
}

oyez_err keywords_switch_register__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_register__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &keywords_switch_register__method, ctx,
                                 stub.options, request, keywords_switch_register__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code keywords_switch_register__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    return (table->register_)(self, call, (const Keywords__Void *)request,
        (Keywords__Void *)reply);
}

static void keywords_switch_register__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    (table->register__async)(self, call, (const Keywords__Void *)request);
}

void keywords_switch_register__reply(
    oyez_server_call *call, const Keywords__Void *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method keywords_switch_int__method = {
    OYEZ_METHOD_INIT,
    .path = KEYWORDS_SWITCH_INT__PATH,
    .codec = oyez_protobuf_c,
    .request = &keywords__void__descriptor,
    .response = &keywords__void__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code keywords_switch_int_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &keywords_switch_int__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Keywords__Void *)reply;
    return code;
}

static void keywords_switch_int__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((keywords_switch_int__done_fn *)done)(
        call, status, (const Keywords__Void *)reply, user);
}

oyez_err keywords_switch_int__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_int__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &keywords_switch_int__method, ctx,
                                 stub.options, request, keywords_switch_int__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code keywords_switch_int__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    return (table->int_)(self, call, (const Keywords__Void *)request,
        (Keywords__Void *)reply);
}

static void keywords_switch_int__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    (table->int__async)(self, call, (const Keywords__Void *)request);
}

void keywords_switch_int__reply(
    oyez_server_call *call, const Keywords__Void *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method keywords_switch_class__method = {
    OYEZ_METHOD_INIT,
    .path = KEYWORDS_SWITCH_CLASS__PATH,
    .codec = oyez_protobuf_c,
    .request = &keywords__void__descriptor,
    .response = &keywords__void__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code keywords_switch_class_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &keywords_switch_class__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Keywords__Void *)reply;
    return code;
}

static void keywords_switch_class__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((keywords_switch_class__done_fn *)done)(
        call, status, (const Keywords__Void *)reply, user);
}

oyez_err keywords_switch_class__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_class__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &keywords_switch_class__method, ctx,
                                 stub.options, request, keywords_switch_class__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code keywords_switch_class__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    return (table->class_)(self, call, (const Keywords__Void *)request,
        (Keywords__Void *)reply);
}

static void keywords_switch_class__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    (table->class__async)(self, call, (const Keywords__Void *)request);
}

void keywords_switch_class__reply(
    oyez_server_call *call, const Keywords__Void *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method keywords_switch_new__method = {
    OYEZ_METHOD_INIT,
    .path = KEYWORDS_SWITCH_NEW__PATH,
    .codec = oyez_protobuf_c,
    .request = &keywords__void__descriptor,
    .response = &keywords__void__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code keywords_switch_new_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &keywords_switch_new__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Keywords__Void *)reply;
    return code;
}

static void keywords_switch_new__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((keywords_switch_new__done_fn *)done)(
        call, status, (const Keywords__Void *)reply, user);
}

oyez_err keywords_switch_new__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_new__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &keywords_switch_new__method, ctx,
                                 stub.options, request, keywords_switch_new__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code keywords_switch_new__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    return (table->new_)(self, call, (const Keywords__Void *)request,
        (Keywords__Void *)reply);
}

static void keywords_switch_new__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    (table->new__async)(self, call, (const Keywords__Void *)request);
}

void keywords_switch_new__reply(
    oyez_server_call *call, const Keywords__Void *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method keywords_switch_errno__method = {
    OYEZ_METHOD_INIT,
    .path = KEYWORDS_SWITCH_ERRNO__PATH,
    .codec = oyez_protobuf_c,
    .request = &keywords__void__descriptor,
    .response = &keywords__void__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code keywords_switch_errno_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &keywords_switch_errno__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Keywords__Void *)reply;
    return code;
}

static void keywords_switch_errno__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((keywords_switch_errno__done_fn *)done)(
        call, status, (const Keywords__Void *)reply, user);
}

oyez_err keywords_switch_errno__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_errno__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &keywords_switch_errno__method, ctx,
                                 stub.options, request, keywords_switch_errno__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code keywords_switch_errno__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    return (table->errno_)(self, call, (const Keywords__Void *)request,
        (Keywords__Void *)reply);
}

static void keywords_switch_errno__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    (table->errno__async)(self, call, (const Keywords__Void *)request);
}

void keywords_switch_errno__reply(
    oyez_server_call *call, const Keywords__Void *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method keywords_switch_assert_method = {
    OYEZ_METHOD_INIT,
    .path = KEYWORDS_SWITCH_ASSERT_PATH,
    .codec = oyez_protobuf_c,
    .request = &keywords__void__descriptor,
    .response = &keywords__void__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code keywords_switch_assert(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &keywords_switch_assert_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Keywords__Void *)reply;
    return code;
}

static void keywords_switch_assert_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((keywords_switch_assert_done_fn *)done)(
        call, status, (const Keywords__Void *)reply, user);
}

oyez_err keywords_switch_assert_async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_assert_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &keywords_switch_assert_method, ctx,
                                 stub.options, request, keywords_switch_assert_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code keywords_switch_assert_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    return (table->assert)(self, call, (const Keywords__Void *)request,
        (Keywords__Void *)reply);
}

static void keywords_switch_assert_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    (table->assert_async)(self, call, (const Keywords__Void *)request);
}

void keywords_switch_assert_reply(
    oyez_server_call *call, const Keywords__Void *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method keywords_switch_on_loop__method = {
    OYEZ_METHOD_INIT,
    .path = KEYWORDS_SWITCH_ON_LOOP__PATH,
    .codec = oyez_protobuf_c,
    .request = &keywords__void__descriptor,
    .response = &keywords__void__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code keywords_switch_on_loop_(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    Keywords__Void **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &keywords_switch_on_loop__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Keywords__Void *)reply;
    return code;
}

static void keywords_switch_on_loop__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((keywords_switch_on_loop__done_fn *)done)(
        call, status, (const Keywords__Void *)reply, user);
}

oyez_err keywords_switch_on_loop__async(
    keywords_switch_stub stub, oyez_ctx *ctx,
    const Keywords__Void *request,
    keywords_switch_on_loop__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &keywords_switch_on_loop__method, ctx,
                                 stub.options, request, keywords_switch_on_loop__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code keywords_switch_on_loop__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    return (table->on_loop_)(self, call, (const Keywords__Void *)request,
        (Keywords__Void *)reply);
}

static void keywords_switch_on_loop__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const keywords_switch_service *table = (const keywords_switch_service *)service;
    (table->on_loop__async)(self, call, (const Keywords__Void *)request);
}

void keywords_switch_on_loop__reply(
    oyez_server_call *call, const Keywords__Void *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err keywords_switch_service_register(
    oyez_server *server, const keywords_switch_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &keywords_switch_do__method,
          .unary = service->do_ ? keywords_switch_do__handle : NULL,
          .unary_async = service->do__async ? keywords_switch_do__handle_async : NULL },
        { .method = &keywords_switch_register__method,
          .unary = service->register_ ? keywords_switch_register__handle : NULL,
          .unary_async = service->register__async ? keywords_switch_register__handle_async : NULL },
        { .method = &keywords_switch_int__method,
          .unary = service->int_ ? keywords_switch_int__handle : NULL,
          .unary_async = service->int__async ? keywords_switch_int__handle_async : NULL },
        { .method = &keywords_switch_class__method,
          .unary = service->class_ ? keywords_switch_class__handle : NULL,
          .unary_async = service->class__async ? keywords_switch_class__handle_async : NULL },
        { .method = &keywords_switch_new__method,
          .unary = service->new_ ? keywords_switch_new__handle : NULL,
          .unary_async = service->new__async ? keywords_switch_new__handle_async : NULL },
        { .method = &keywords_switch_errno__method,
          .unary = service->errno_ ? keywords_switch_errno__handle : NULL,
          .unary_async = service->errno__async ? keywords_switch_errno__handle_async : NULL },
        { .method = &keywords_switch_assert_method,
          .unary = service->assert ? keywords_switch_assert_handle : NULL,
          .unary_async = service->assert_async ? keywords_switch_assert_handle_async : NULL },
        { .method = &keywords_switch_on_loop__method,
          .unary = service->on_loop_ ? keywords_switch_on_loop__handle : NULL,
          .unary_async = service->on_loop__async ? keywords_switch_on_loop__handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = KEYWORDS_SWITCH_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

/* Written by protoc-gen-oyez from comments.proto: change that instead. */
#include "comments.oyez.h"

const oyez_method talk_speaker_say_method = {
    OYEZ_METHOD_INIT,
    .path = TALK_SPEAKER_SAY_PATH,
    .codec = oyez_protobuf_c,
    .request = &talk__word__descriptor,
    .response = &talk__word__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code talk_speaker_say(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    Talk__Word **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &talk_speaker_say_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Talk__Word *)reply;
    return code;
}

static void talk_speaker_say_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((talk_speaker_say_done_fn *)done)(
        call, status, (const Talk__Word *)reply, user);
}

oyez_err talk_speaker_say_async(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    talk_speaker_say_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &talk_speaker_say_method, ctx,
                                 stub.options, request, talk_speaker_say_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code talk_speaker_say_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const talk_speaker_service *table = (const talk_speaker_service *)service;
    return (table->say)(self, call, (const Talk__Word *)request,
        (Talk__Word *)reply);
}

static void talk_speaker_say_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const talk_speaker_service *table = (const talk_speaker_service *)service;
    (table->say_async)(self, call, (const Talk__Word *)request);
}

void talk_speaker_say_reply(
    oyez_server_call *call, const Talk__Word *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method talk_speaker_shout_method = {
    OYEZ_METHOD_INIT,
    .path = TALK_SPEAKER_SHOUT_PATH,
    .codec = oyez_protobuf_c,
    .request = &talk__word__descriptor,
    .response = &talk__word__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code talk_speaker_shout(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    Talk__Word **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &talk_speaker_shout_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Talk__Word *)reply;
    return code;
}

static void talk_speaker_shout_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((talk_speaker_shout_done_fn *)done)(
        call, status, (const Talk__Word *)reply, user);
}

oyez_err talk_speaker_shout_async(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    talk_speaker_shout_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &talk_speaker_shout_method, ctx,
                                 stub.options, request, talk_speaker_shout_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code talk_speaker_shout_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const talk_speaker_service *table = (const talk_speaker_service *)service;
    return (table->shout)(self, call, (const Talk__Word *)request,
        (Talk__Word *)reply);
}

static void talk_speaker_shout_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const talk_speaker_service *table = (const talk_speaker_service *)service;
    (table->shout_async)(self, call, (const Talk__Word *)request);
}

void talk_speaker_shout_reply(
    oyez_server_call *call, const Talk__Word *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method talk_speaker_whisper_method = {
    OYEZ_METHOD_INIT,
    .path = TALK_SPEAKER_WHISPER_PATH,
    .codec = oyez_protobuf_c,
    .request = &talk__word__descriptor,
    .response = &talk__word__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code talk_speaker_whisper(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    Talk__Word **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &talk_speaker_whisper_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Talk__Word *)reply;
    return code;
}

static void talk_speaker_whisper_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((talk_speaker_whisper_done_fn *)done)(
        call, status, (const Talk__Word *)reply, user);
}

oyez_err talk_speaker_whisper_async(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    talk_speaker_whisper_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &talk_speaker_whisper_method, ctx,
                                 stub.options, request, talk_speaker_whisper_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code talk_speaker_whisper_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const talk_speaker_service *table = (const talk_speaker_service *)service;
    return (table->whisper)(self, call, (const Talk__Word *)request,
        (Talk__Word *)reply);
}

static void talk_speaker_whisper_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const talk_speaker_service *table = (const talk_speaker_service *)service;
    (table->whisper_async)(self, call, (const Talk__Word *)request);
}

void talk_speaker_whisper_reply(
    oyez_server_call *call, const Talk__Word *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method talk_speaker_hum_method = {
    OYEZ_METHOD_INIT,
    .path = TALK_SPEAKER_HUM_PATH,
    .codec = oyez_protobuf_c,
    .request = &talk__word__descriptor,
    .response = &talk__word__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code talk_speaker_hum(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    Talk__Word **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &talk_speaker_hum_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Talk__Word *)reply;
    return code;
}

static void talk_speaker_hum_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((talk_speaker_hum_done_fn *)done)(
        call, status, (const Talk__Word *)reply, user);
}

oyez_err talk_speaker_hum_async(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    talk_speaker_hum_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &talk_speaker_hum_method, ctx,
                                 stub.options, request, talk_speaker_hum_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code talk_speaker_hum_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const talk_speaker_service *table = (const talk_speaker_service *)service;
    return (table->hum)(self, call, (const Talk__Word *)request,
        (Talk__Word *)reply);
}

static void talk_speaker_hum_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const talk_speaker_service *table = (const talk_speaker_service *)service;
    (table->hum_async)(self, call, (const Talk__Word *)request);
}

void talk_speaker_hum_reply(
    oyez_server_call *call, const Talk__Word *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err talk_speaker_service_register(
    oyez_server *server, const talk_speaker_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &talk_speaker_say_method,
          .unary = service->say ? talk_speaker_say_handle : NULL,
          .unary_async = service->say_async ? talk_speaker_say_handle_async : NULL },
        { .method = &talk_speaker_shout_method,
          .unary = service->shout ? talk_speaker_shout_handle : NULL,
          .unary_async = service->shout_async ? talk_speaker_shout_handle_async : NULL },
        { .method = &talk_speaker_whisper_method,
          .unary = service->whisper ? talk_speaker_whisper_handle : NULL,
          .unary_async = service->whisper_async ? talk_speaker_whisper_handle_async : NULL },
        { .method = &talk_speaker_hum_method,
          .unary = service->hum ? talk_speaker_hum_handle : NULL,
          .unary_async = service->hum_async ? talk_speaker_hum_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = TALK_SPEAKER_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

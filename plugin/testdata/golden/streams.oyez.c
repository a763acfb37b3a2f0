/* Written by protoc-gen-oyez from streams.proto: change that instead. */
#include "streams.oyez.h"

const oyez_method flow_stream_dip_method = {
    OYEZ_METHOD_INIT,
    .path = FLOW_STREAM_DIP_PATH,
    .codec = oyez_protobuf_c,
    .request = &flow__drop__descriptor,
    .response = &flow__level__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code flow_stream_dip(
    flow_stream_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    Flow__Level **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &flow_stream_dip_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Flow__Level *)reply;
    return code;
}

static void flow_stream_dip_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((flow_stream_dip_done_fn *)done)(
        call, status, (const Flow__Level *)reply, user);
}

oyez_err flow_stream_dip_async(
    flow_stream_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    flow_stream_dip_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &flow_stream_dip_method, ctx,
                                 stub.options, request, flow_stream_dip_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code flow_stream_dip_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const flow_stream_service *table = (const flow_stream_service *)service;
    return (table->dip)(self, call, (const Flow__Drop *)request,
        (Flow__Level *)reply);
}

static void flow_stream_dip_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const flow_stream_service *table = (const flow_stream_service *)service;
    (table->dip_async)(self, call, (const Flow__Drop *)request);
}

void flow_stream_dip_reply(
    oyez_server_call *call, const Flow__Level *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method flow_stream_source_method = {
    OYEZ_METHOD_INIT,
    .path = FLOW_STREAM_SOURCE_PATH,
    .codec = oyez_protobuf_c,
    .request = &flow__drop__descriptor,
    .response = &flow__level__descriptor,
    .client_streaming = false,
    .server_streaming = true,
};

oyez_err flow_stream_source(
    flow_stream_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    flow_stream_source_stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &flow_stream_source_method, ctx,
                             stub.options, request, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool flow_stream_source_recv(
    flow_stream_source_stream stream, const Flow__Level **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Flow__Level *)message;
    return true;
}

static void flow_stream_source_adapt_headers(oyez_stream *stream, void *user)
{
    const flow_stream_source_events *events =
        (const flow_stream_source_events *)oyez_stream_table(stream);
    flow_stream_source_stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void flow_stream_source_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const flow_stream_source_events *events =
        (const flow_stream_source_events *)oyez_stream_table(stream);
    flow_stream_source_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Flow__Level *)message, user);
}

static void flow_stream_source_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const flow_stream_source_events *events =
        (const flow_stream_source_events *)oyez_stream_table(stream);
    flow_stream_source_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events flow_stream_source_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = flow_stream_source_adapt_headers,
    .on_message = flow_stream_source_adapt_message,
    .on_done = flow_stream_source_adapt_done,
};

oyez_err flow_stream_source_async(
    flow_stream_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    const flow_stream_source_events *events, void *user,
    flow_stream_source_stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &flow_stream_source_method, ctx,
                             stub.options, request, &flow_stream_source_adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool flow_stream_source_server_send(
    flow_stream_source_server_stream stream, const Flow__Level *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void flow_stream_source_server_adapt_sent(oyez_stream *stream, void *user)
{
    const flow_stream_source_server_events *events =
        (const flow_stream_source_server_events *)oyez_stream_table(stream);
    flow_stream_source_server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void flow_stream_source_server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const flow_stream_source_server_events *events =
        (const flow_stream_source_server_events *)oyez_stream_table(stream);
    flow_stream_source_server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events flow_stream_source_server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_sent = flow_stream_source_server_adapt_sent,
    .on_done = flow_stream_source_server_adapt_done,
};

void flow_stream_source_server_listen(
    flow_stream_source_server_stream stream,
    const flow_stream_source_server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &flow_stream_source_server_adapters : NULL, events, user);
}

static oyez_code flow_stream_source_handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const flow_stream_service *table = (const flow_stream_service *)service;
    flow_stream_source_server_stream typed = { stream };
    (void)reply;
    return (table->source)(self, call, (const Flow__Drop *)request, typed);
}

static void flow_stream_source_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const flow_stream_service *table = (const flow_stream_service *)service;
    flow_stream_source_server_stream typed = { stream };
    (table->source_async)(self, call, (const Flow__Drop *)request, typed);
}

const oyez_method flow_stream_mouth_method = {
    OYEZ_METHOD_INIT,
    .path = FLOW_STREAM_MOUTH_PATH,
    .codec = oyez_protobuf_c,
    .request = &flow__drop__descriptor,
    .response = &flow__level__descriptor,
    .client_streaming = true,
    .server_streaming = false,
};

oyez_err flow_stream_mouth(
    flow_stream_stub stub, oyez_ctx *ctx,
    flow_stream_mouth_stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &flow_stream_mouth_method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool flow_stream_mouth_send(
    flow_stream_mouth_stream stream, const Flow__Drop *request)
{
    return oyez_stream_send(stream.base, request);
}

void flow_stream_mouth_close_send(flow_stream_mouth_stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool flow_stream_mouth_recv(
    flow_stream_mouth_stream stream, const Flow__Level **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Flow__Level *)message;
    return true;
}

bool flow_stream_mouth_close_and_recv(
    flow_stream_mouth_stream stream, const Flow__Level **ret_reply)
{
    oyez_stream_close_send(stream.base);
    return flow_stream_mouth_recv(stream, ret_reply);
}

static void flow_stream_mouth_adapt_headers(oyez_stream *stream, void *user)
{
    const flow_stream_mouth_events *events =
        (const flow_stream_mouth_events *)oyez_stream_table(stream);
    flow_stream_mouth_stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void flow_stream_mouth_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const flow_stream_mouth_events *events =
        (const flow_stream_mouth_events *)oyez_stream_table(stream);
    flow_stream_mouth_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Flow__Level *)message, user);
}

static void flow_stream_mouth_adapt_sent(oyez_stream *stream, void *user)
{
    const flow_stream_mouth_events *events =
        (const flow_stream_mouth_events *)oyez_stream_table(stream);
    flow_stream_mouth_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void flow_stream_mouth_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const flow_stream_mouth_events *events =
        (const flow_stream_mouth_events *)oyez_stream_table(stream);
    flow_stream_mouth_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events flow_stream_mouth_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = flow_stream_mouth_adapt_headers,
    .on_message = flow_stream_mouth_adapt_message,
    .on_sent = flow_stream_mouth_adapt_sent,
    .on_done = flow_stream_mouth_adapt_done,
};

oyez_err flow_stream_mouth_async(
    flow_stream_stub stub, oyez_ctx *ctx,
    const flow_stream_mouth_events *events, void *user,
    flow_stream_mouth_stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &flow_stream_mouth_method, ctx,
                             stub.options, NULL, &flow_stream_mouth_adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool flow_stream_mouth_server_recv(
    flow_stream_mouth_server_stream stream, const Flow__Drop **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Flow__Drop *)message;
    return true;
}

static void flow_stream_mouth_server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const flow_stream_mouth_server_events *events =
        (const flow_stream_mouth_server_events *)oyez_stream_table(stream);
    flow_stream_mouth_server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Flow__Drop *)message, user);
}

static void flow_stream_mouth_server_adapt_half_close(oyez_stream *stream, void *user)
{
    const flow_stream_mouth_server_events *events =
        (const flow_stream_mouth_server_events *)oyez_stream_table(stream);
    flow_stream_mouth_server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

static void flow_stream_mouth_server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const flow_stream_mouth_server_events *events =
        (const flow_stream_mouth_server_events *)oyez_stream_table(stream);
    flow_stream_mouth_server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events flow_stream_mouth_server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = flow_stream_mouth_server_adapt_message,
    .on_half_close = flow_stream_mouth_server_adapt_half_close,
    .on_done = flow_stream_mouth_server_adapt_done,
};

void flow_stream_mouth_server_listen(
    flow_stream_mouth_server_stream stream,
    const flow_stream_mouth_server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &flow_stream_mouth_server_adapters : NULL, events, user);
}

void flow_stream_mouth_reply(
    oyez_server_call *call, const Flow__Level *reply)
{
    oyez_server_call_reply(call, reply);
}

static oyez_code flow_stream_mouth_handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const flow_stream_service *table = (const flow_stream_service *)service;
    flow_stream_mouth_server_stream typed = { stream };
    (void)request;
    return (table->mouth)(self, call, typed, (Flow__Level *)reply);
}

static void flow_stream_mouth_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const flow_stream_service *table = (const flow_stream_service *)service;
    flow_stream_mouth_server_stream typed = { stream };
    (void)request;
    (table->mouth_async)(self, call, typed);
}

const oyez_method flow_stream_both_method = {
    OYEZ_METHOD_INIT,
    .path = FLOW_STREAM_BOTH_PATH,
    .codec = oyez_protobuf_c,
    .request = &flow__drop__descriptor,
    .response = &flow__level__descriptor,
    .client_streaming = true,
    .server_streaming = true,
};

oyez_err flow_stream_both(
    flow_stream_stub stub, oyez_ctx *ctx,
    flow_stream_both_stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &flow_stream_both_method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool flow_stream_both_send(
    flow_stream_both_stream stream, const Flow__Drop *request)
{
    return oyez_stream_send(stream.base, request);
}

void flow_stream_both_close_send(flow_stream_both_stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool flow_stream_both_recv(
    flow_stream_both_stream stream, const Flow__Level **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Flow__Level *)message;
    return true;
}

static void flow_stream_both_adapt_headers(oyez_stream *stream, void *user)
{
    const flow_stream_both_events *events =
        (const flow_stream_both_events *)oyez_stream_table(stream);
    flow_stream_both_stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void flow_stream_both_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const flow_stream_both_events *events =
        (const flow_stream_both_events *)oyez_stream_table(stream);
    flow_stream_both_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Flow__Level *)message, user);
}

static void flow_stream_both_adapt_sent(oyez_stream *stream, void *user)
{
    const flow_stream_both_events *events =
        (const flow_stream_both_events *)oyez_stream_table(stream);
    flow_stream_both_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void flow_stream_both_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const flow_stream_both_events *events =
        (const flow_stream_both_events *)oyez_stream_table(stream);
    flow_stream_both_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events flow_stream_both_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = flow_stream_both_adapt_headers,
    .on_message = flow_stream_both_adapt_message,
    .on_sent = flow_stream_both_adapt_sent,
    .on_done = flow_stream_both_adapt_done,
};

oyez_err flow_stream_both_async(
    flow_stream_stub stub, oyez_ctx *ctx,
    const flow_stream_both_events *events, void *user,
    flow_stream_both_stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &flow_stream_both_method, ctx,
                             stub.options, NULL, &flow_stream_both_adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool flow_stream_both_server_recv(
    flow_stream_both_server_stream stream, const Flow__Drop **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Flow__Drop *)message;
    return true;
}

static void flow_stream_both_server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const flow_stream_both_server_events *events =
        (const flow_stream_both_server_events *)oyez_stream_table(stream);
    flow_stream_both_server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Flow__Drop *)message, user);
}

static void flow_stream_both_server_adapt_half_close(oyez_stream *stream, void *user)
{
    const flow_stream_both_server_events *events =
        (const flow_stream_both_server_events *)oyez_stream_table(stream);
    flow_stream_both_server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

bool flow_stream_both_server_send(
    flow_stream_both_server_stream stream, const Flow__Level *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void flow_stream_both_server_adapt_sent(oyez_stream *stream, void *user)
{
    const flow_stream_both_server_events *events =
        (const flow_stream_both_server_events *)oyez_stream_table(stream);
    flow_stream_both_server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void flow_stream_both_server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const flow_stream_both_server_events *events =
        (const flow_stream_both_server_events *)oyez_stream_table(stream);
    flow_stream_both_server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events flow_stream_both_server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = flow_stream_both_server_adapt_message,
    .on_sent = flow_stream_both_server_adapt_sent,
    .on_half_close = flow_stream_both_server_adapt_half_close,
    .on_done = flow_stream_both_server_adapt_done,
};

void flow_stream_both_server_listen(
    flow_stream_both_server_stream stream,
    const flow_stream_both_server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &flow_stream_both_server_adapters : NULL, events, user);
}

static oyez_code flow_stream_both_handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const flow_stream_service *table = (const flow_stream_service *)service;
    flow_stream_both_server_stream typed = { stream };
    (void)request;
    (void)reply;
    return (table->both)(self, call, typed);
}

static void flow_stream_both_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const flow_stream_service *table = (const flow_stream_service *)service;
    flow_stream_both_server_stream typed = { stream };
    (void)request;
    (table->both_async)(self, call, typed);
}

oyez_err flow_stream_service_register(
    oyez_server *server, const flow_stream_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &flow_stream_dip_method,
          .unary = service->dip ? flow_stream_dip_handle : NULL,
          .unary_async = service->dip_async ? flow_stream_dip_handle_async : NULL },
        { .method = &flow_stream_source_method,
          .stream = service->source ? flow_stream_source_handle : NULL,
          .stream_async = service->source_async ? flow_stream_source_handle_async : NULL },
        { .method = &flow_stream_mouth_method,
          .stream = service->mouth ? flow_stream_mouth_handle : NULL,
          .stream_async = service->mouth_async ? flow_stream_mouth_handle_async : NULL },
        { .method = &flow_stream_both_method,
          .stream = service->both ? flow_stream_both_handle : NULL,
          .stream_async = service->both_async ? flow_stream_both_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = FLOW_STREAM_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

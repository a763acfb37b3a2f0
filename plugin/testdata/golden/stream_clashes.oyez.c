/* Written by protoc-gen-oyez from stream_clashes.proto: change that instead. */
#include "stream_clashes.oyez.h"

const oyez_method clash_room_chat_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_ROOM_CHAT_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = true,
    .server_streaming = true,
};

oyez_err clash_room_chat(
    clash_room_stub stub, oyez_ctx *ctx,
    clash_room_chat_stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_room_chat_method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_room_chat_send(
    clash_room_chat_stream stream, const Clash__M *request)
{
    return oyez_stream_send(stream.base, request);
}

void clash_room_chat_close_send(clash_room_chat_stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool clash_room_chat_recv(
    clash_room_chat_stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

static void clash_room_chat_adapt_headers(oyez_stream *stream, void *user)
{
    const clash_room_chat_events *events =
        (const clash_room_chat_events *)oyez_stream_table(stream);
    clash_room_chat_stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_room_chat_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_room_chat_events *events =
        (const clash_room_chat_events *)oyez_stream_table(stream);
    clash_room_chat_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_room_chat_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_room_chat_events *events =
        (const clash_room_chat_events *)oyez_stream_table(stream);
    clash_room_chat_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_room_chat_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_room_chat_events *events =
        (const clash_room_chat_events *)oyez_stream_table(stream);
    clash_room_chat_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_room_chat_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_room_chat_adapt_headers,
    .on_message = clash_room_chat_adapt_message,
    .on_sent = clash_room_chat_adapt_sent,
    .on_done = clash_room_chat_adapt_done,
};

oyez_err clash_room_chat_async(
    clash_room_stub stub, oyez_ctx *ctx,
    const clash_room_chat_events *events, void *user,
    clash_room_chat_stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_room_chat_method, ctx,
                             stub.options, NULL, &clash_room_chat_adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_room_chat_server_recv(
    clash_room_chat_server_stream stream, const Clash__M **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Clash__M *)message;
    return true;
}

static void clash_room_chat_server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_room_chat_server_events *events =
        (const clash_room_chat_server_events *)oyez_stream_table(stream);
    clash_room_chat_server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_room_chat_server_adapt_half_close(oyez_stream *stream, void *user)
{
    const clash_room_chat_server_events *events =
        (const clash_room_chat_server_events *)oyez_stream_table(stream);
    clash_room_chat_server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

bool clash_room_chat_server_send(
    clash_room_chat_server_stream stream, const Clash__M *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void clash_room_chat_server_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_room_chat_server_events *events =
        (const clash_room_chat_server_events *)oyez_stream_table(stream);
    clash_room_chat_server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_room_chat_server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_room_chat_server_events *events =
        (const clash_room_chat_server_events *)oyez_stream_table(stream);
    clash_room_chat_server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_room_chat_server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = clash_room_chat_server_adapt_message,
    .on_sent = clash_room_chat_server_adapt_sent,
    .on_half_close = clash_room_chat_server_adapt_half_close,
    .on_done = clash_room_chat_server_adapt_done,
};

void clash_room_chat_server_listen(
    clash_room_chat_server_stream stream,
    const clash_room_chat_server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_room_chat_server_adapters : NULL, events, user);
}

static oyez_code clash_room_chat_handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_room_service *table = (const clash_room_service *)service;
    clash_room_chat_server_stream typed = { stream };
    (void)request;
    (void)reply;
    return (table->chat)(self, call, typed);
}

static void clash_room_chat_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_room_service *table = (const clash_room_service *)service;
    clash_room_chat_server_stream typed = { stream };
    (void)request;
    (table->chat_async)(self, call, typed);
}

const oyez_method clash_room_chat_send__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_ROOM_CHAT_SEND__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_room_chat_send_(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_room_chat_send__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_room_chat_send__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_room_chat_send__done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_room_chat_send__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_send__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_room_chat_send__method, ctx,
                                 stub.options, request, clash_room_chat_send__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_room_chat_send__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_room_service *table = (const clash_room_service *)service;
    return (table->chat_send_)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_room_chat_send__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_room_service *table = (const clash_room_service *)service;
    (table->chat_send__async)(self, call, (const Clash__M *)request);
}

void clash_room_chat_send__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_room_chat_stream__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_ROOM_CHAT_STREAM__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_room_chat_stream_(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_room_chat_stream__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_room_chat_stream__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_room_chat_stream__done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_room_chat_stream__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_stream__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_room_chat_stream__method, ctx,
                                 stub.options, request, clash_room_chat_stream__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_room_chat_stream__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_room_service *table = (const clash_room_service *)service;
    return (table->chat_stream_)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_room_chat_stream__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_room_service *table = (const clash_room_service *)service;
    (table->chat_stream__async)(self, call, (const Clash__M *)request);
}

void clash_room_chat_stream__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_room_chat_server_stream__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_ROOM_CHAT_SERVER_STREAM__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = true,
    .server_streaming = false,
};

oyez_err clash_room_chat_server_stream_(
    clash_room_stub stub, oyez_ctx *ctx,
    clash_room_chat_server_stream__stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_room_chat_server_stream__method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_room_chat_server_stream__send(
    clash_room_chat_server_stream__stream stream, const Clash__M *request)
{
    return oyez_stream_send(stream.base, request);
}

void clash_room_chat_server_stream__close_send(clash_room_chat_server_stream__stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool clash_room_chat_server_stream__recv(
    clash_room_chat_server_stream__stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

bool clash_room_chat_server_stream__close_and_recv(
    clash_room_chat_server_stream__stream stream, const Clash__M **ret_reply)
{
    oyez_stream_close_send(stream.base);
    return clash_room_chat_server_stream__recv(stream, ret_reply);
}

static void clash_room_chat_server_stream__adapt_headers(oyez_stream *stream, void *user)
{
    const clash_room_chat_server_stream__events *events =
        (const clash_room_chat_server_stream__events *)oyez_stream_table(stream);
    clash_room_chat_server_stream__stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_room_chat_server_stream__adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_room_chat_server_stream__events *events =
        (const clash_room_chat_server_stream__events *)oyez_stream_table(stream);
    clash_room_chat_server_stream__stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_room_chat_server_stream__adapt_sent(oyez_stream *stream, void *user)
{
    const clash_room_chat_server_stream__events *events =
        (const clash_room_chat_server_stream__events *)oyez_stream_table(stream);
    clash_room_chat_server_stream__stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_room_chat_server_stream__adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_room_chat_server_stream__events *events =
        (const clash_room_chat_server_stream__events *)oyez_stream_table(stream);
    clash_room_chat_server_stream__stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_room_chat_server_stream__adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_room_chat_server_stream__adapt_headers,
    .on_message = clash_room_chat_server_stream__adapt_message,
    .on_sent = clash_room_chat_server_stream__adapt_sent,
    .on_done = clash_room_chat_server_stream__adapt_done,
};

oyez_err clash_room_chat_server_stream__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const clash_room_chat_server_stream__events *events, void *user,
    clash_room_chat_server_stream__stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_room_chat_server_stream__method, ctx,
                             stub.options, NULL, &clash_room_chat_server_stream__adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_room_chat_server_stream__server_recv(
    clash_room_chat_server_stream__server_stream stream, const Clash__M **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Clash__M *)message;
    return true;
}

static void clash_room_chat_server_stream__server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_room_chat_server_stream__server_events *events =
        (const clash_room_chat_server_stream__server_events *)oyez_stream_table(stream);
    clash_room_chat_server_stream__server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_room_chat_server_stream__server_adapt_half_close(oyez_stream *stream, void *user)
{
    const clash_room_chat_server_stream__server_events *events =
        (const clash_room_chat_server_stream__server_events *)oyez_stream_table(stream);
    clash_room_chat_server_stream__server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

static void clash_room_chat_server_stream__server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_room_chat_server_stream__server_events *events =
        (const clash_room_chat_server_stream__server_events *)oyez_stream_table(stream);
    clash_room_chat_server_stream__server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_room_chat_server_stream__server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = clash_room_chat_server_stream__server_adapt_message,
    .on_half_close = clash_room_chat_server_stream__server_adapt_half_close,
    .on_done = clash_room_chat_server_stream__server_adapt_done,
};

void clash_room_chat_server_stream__server_listen(
    clash_room_chat_server_stream__server_stream stream,
    const clash_room_chat_server_stream__server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_room_chat_server_stream__server_adapters : NULL, events, user);
}

void clash_room_chat_server_stream__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

static oyez_code clash_room_chat_server_stream__handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_room_service *table = (const clash_room_service *)service;
    clash_room_chat_server_stream__server_stream typed = { stream };
    (void)request;
    return (table->chat_server_stream_)(self, call, typed, (Clash__M *)reply);
}

static void clash_room_chat_server_stream__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_room_service *table = (const clash_room_service *)service;
    clash_room_chat_server_stream__server_stream typed = { stream };
    (void)request;
    (table->chat_server_stream__async)(self, call, typed);
}

const oyez_method clash_room_chat_events__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_ROOM_CHAT_EVENTS__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = true,
};

oyez_err clash_room_chat_events_(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_events__stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_room_chat_events__method, ctx,
                             stub.options, request, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_room_chat_events__recv(
    clash_room_chat_events__stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

static void clash_room_chat_events__adapt_headers(oyez_stream *stream, void *user)
{
    const clash_room_chat_events__events *events =
        (const clash_room_chat_events__events *)oyez_stream_table(stream);
    clash_room_chat_events__stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_room_chat_events__adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_room_chat_events__events *events =
        (const clash_room_chat_events__events *)oyez_stream_table(stream);
    clash_room_chat_events__stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_room_chat_events__adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_room_chat_events__events *events =
        (const clash_room_chat_events__events *)oyez_stream_table(stream);
    clash_room_chat_events__stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_room_chat_events__adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_room_chat_events__adapt_headers,
    .on_message = clash_room_chat_events__adapt_message,
    .on_done = clash_room_chat_events__adapt_done,
};

oyez_err clash_room_chat_events__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    const clash_room_chat_events__events *events, void *user,
    clash_room_chat_events__stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_room_chat_events__method, ctx,
                             stub.options, request, &clash_room_chat_events__adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_room_chat_events__server_send(
    clash_room_chat_events__server_stream stream, const Clash__M *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void clash_room_chat_events__server_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_room_chat_events__server_events *events =
        (const clash_room_chat_events__server_events *)oyez_stream_table(stream);
    clash_room_chat_events__server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_room_chat_events__server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_room_chat_events__server_events *events =
        (const clash_room_chat_events__server_events *)oyez_stream_table(stream);
    clash_room_chat_events__server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_room_chat_events__server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_sent = clash_room_chat_events__server_adapt_sent,
    .on_done = clash_room_chat_events__server_adapt_done,
};

void clash_room_chat_events__server_listen(
    clash_room_chat_events__server_stream stream,
    const clash_room_chat_events__server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_room_chat_events__server_adapters : NULL, events, user);
}

static oyez_code clash_room_chat_events__handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_room_service *table = (const clash_room_service *)service;
    clash_room_chat_events__server_stream typed = { stream };
    (void)reply;
    return (table->chat_events_)(self, call, (const Clash__M *)request, typed);
}

static void clash_room_chat_events__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_room_service *table = (const clash_room_service *)service;
    clash_room_chat_events__server_stream typed = { stream };
    (table->chat_events__async)(self, call, (const Clash__M *)request, typed);
}

const oyez_method clash_room_chat_async__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_ROOM_CHAT_ASYNC__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = true,
    .server_streaming = true,
};

oyez_err clash_room_chat_async_(
    clash_room_stub stub, oyez_ctx *ctx,
    clash_room_chat_async__stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_room_chat_async__method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_room_chat_async__send(
    clash_room_chat_async__stream stream, const Clash__M *request)
{
    return oyez_stream_send(stream.base, request);
}

void clash_room_chat_async__close_send(clash_room_chat_async__stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool clash_room_chat_async__recv(
    clash_room_chat_async__stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

static void clash_room_chat_async__adapt_headers(oyez_stream *stream, void *user)
{
    const clash_room_chat_async__events *events =
        (const clash_room_chat_async__events *)oyez_stream_table(stream);
    clash_room_chat_async__stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_room_chat_async__adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_room_chat_async__events *events =
        (const clash_room_chat_async__events *)oyez_stream_table(stream);
    clash_room_chat_async__stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_room_chat_async__adapt_sent(oyez_stream *stream, void *user)
{
    const clash_room_chat_async__events *events =
        (const clash_room_chat_async__events *)oyez_stream_table(stream);
    clash_room_chat_async__stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_room_chat_async__adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_room_chat_async__events *events =
        (const clash_room_chat_async__events *)oyez_stream_table(stream);
    clash_room_chat_async__stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_room_chat_async__adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_room_chat_async__adapt_headers,
    .on_message = clash_room_chat_async__adapt_message,
    .on_sent = clash_room_chat_async__adapt_sent,
    .on_done = clash_room_chat_async__adapt_done,
};

oyez_err clash_room_chat_async__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const clash_room_chat_async__events *events, void *user,
    clash_room_chat_async__stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_room_chat_async__method, ctx,
                             stub.options, NULL, &clash_room_chat_async__adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_room_chat_async__server_recv(
    clash_room_chat_async__server_stream stream, const Clash__M **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Clash__M *)message;
    return true;
}

static void clash_room_chat_async__server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_room_chat_async__server_events *events =
        (const clash_room_chat_async__server_events *)oyez_stream_table(stream);
    clash_room_chat_async__server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_room_chat_async__server_adapt_half_close(oyez_stream *stream, void *user)
{
    const clash_room_chat_async__server_events *events =
        (const clash_room_chat_async__server_events *)oyez_stream_table(stream);
    clash_room_chat_async__server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

bool clash_room_chat_async__server_send(
    clash_room_chat_async__server_stream stream, const Clash__M *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void clash_room_chat_async__server_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_room_chat_async__server_events *events =
        (const clash_room_chat_async__server_events *)oyez_stream_table(stream);
    clash_room_chat_async__server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_room_chat_async__server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_room_chat_async__server_events *events =
        (const clash_room_chat_async__server_events *)oyez_stream_table(stream);
    clash_room_chat_async__server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_room_chat_async__server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = clash_room_chat_async__server_adapt_message,
    .on_sent = clash_room_chat_async__server_adapt_sent,
    .on_half_close = clash_room_chat_async__server_adapt_half_close,
    .on_done = clash_room_chat_async__server_adapt_done,
};

void clash_room_chat_async__server_listen(
    clash_room_chat_async__server_stream stream,
    const clash_room_chat_async__server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_room_chat_async__server_adapters : NULL, events, user);
}

static oyez_code clash_room_chat_async__handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_room_service *table = (const clash_room_service *)service;
    clash_room_chat_async__server_stream typed = { stream };
    (void)request;
    (void)reply;
    return (table->chat_async_)(self, call, typed);
}

static void clash_room_chat_async__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_room_service *table = (const clash_room_service *)service;
    clash_room_chat_async__server_stream typed = { stream };
    (void)request;
    (table->chat_async__async)(self, call, typed);
}

const oyez_method clash_room_chat_reply_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_ROOM_CHAT_REPLY_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_room_chat_reply(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_room_chat_reply_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_room_chat_reply_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_room_chat_reply_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_room_chat_reply_async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_reply_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_room_chat_reply_method, ctx,
                                 stub.options, request, clash_room_chat_reply_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_room_chat_reply_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_room_service *table = (const clash_room_service *)service;
    return (table->chat_reply)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_room_chat_reply_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_room_service *table = (const clash_room_service *)service;
    (table->chat_reply_async)(self, call, (const Clash__M *)request);
}

void clash_room_chat_reply_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_room_chat_close_and_recv_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_ROOM_CHAT_CLOSE_AND_RECV_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_room_chat_close_and_recv(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_room_chat_close_and_recv_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_room_chat_close_and_recv_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_room_chat_close_and_recv_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_room_chat_close_and_recv_async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_close_and_recv_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_room_chat_close_and_recv_method, ctx,
                                 stub.options, request, clash_room_chat_close_and_recv_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_room_chat_close_and_recv_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_room_service *table = (const clash_room_service *)service;
    return (table->chat_close_and_recv)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_room_chat_close_and_recv_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_room_service *table = (const clash_room_service *)service;
    (table->chat_close_and_recv_async)(self, call, (const Clash__M *)request);
}

void clash_room_chat_close_and_recv_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err clash_room_service_register(
    oyez_server *server, const clash_room_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &clash_room_chat_method,
          .stream = service->chat ? clash_room_chat_handle : NULL,
          .stream_async = service->chat_async ? clash_room_chat_handle_async : NULL },
        { .method = &clash_room_chat_send__method,
          .unary = service->chat_send_ ? clash_room_chat_send__handle : NULL,
          .unary_async = service->chat_send__async ? clash_room_chat_send__handle_async : NULL },
        { .method = &clash_room_chat_stream__method,
          .unary = service->chat_stream_ ? clash_room_chat_stream__handle : NULL,
          .unary_async = service->chat_stream__async ? clash_room_chat_stream__handle_async : NULL },
        { .method = &clash_room_chat_server_stream__method,
          .stream = service->chat_server_stream_ ? clash_room_chat_server_stream__handle : NULL,
          .stream_async = service->chat_server_stream__async ? clash_room_chat_server_stream__handle_async : NULL },
        { .method = &clash_room_chat_events__method,
          .stream = service->chat_events_ ? clash_room_chat_events__handle : NULL,
          .stream_async = service->chat_events__async ? clash_room_chat_events__handle_async : NULL },
        { .method = &clash_room_chat_async__method,
          .stream = service->chat_async_ ? clash_room_chat_async__handle : NULL,
          .stream_async = service->chat_async__async ? clash_room_chat_async__handle_async : NULL },
        { .method = &clash_room_chat_reply_method,
          .unary = service->chat_reply ? clash_room_chat_reply_handle : NULL,
          .unary_async = service->chat_reply_async ? clash_room_chat_reply_handle_async : NULL },
        { .method = &clash_room_chat_close_and_recv_method,
          .unary = service->chat_close_and_recv ? clash_room_chat_close_and_recv_handle : NULL,
          .unary_async = service->chat_close_and_recv_async ? clash_room_chat_close_and_recv_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = CLASH_ROOM_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

const oyez_method clash_hall_talk_recv_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_HALL_TALK_RECV_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_hall_talk_recv(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_hall_talk_recv_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_hall_talk_recv_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_hall_talk_recv_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_hall_talk_recv_async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_hall_talk_recv_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_hall_talk_recv_method, ctx,
                                 stub.options, request, clash_hall_talk_recv_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_hall_talk_recv_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    return (table->talk_recv)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_hall_talk_recv_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    (table->talk_recv_async)(self, call, (const Clash__M *)request);
}

void clash_hall_talk_recv_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_hall_talk__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_HALL_TALK__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = true,
    .server_streaming = true,
};

oyez_err clash_hall_talk_(
    clash_hall_stub stub, oyez_ctx *ctx,
    clash_hall_talk__stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_hall_talk__method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_hall_talk__send(
    clash_hall_talk__stream stream, const Clash__M *request)
{
    return oyez_stream_send(stream.base, request);
}

void clash_hall_talk__close_send(clash_hall_talk__stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool clash_hall_talk__recv(
    clash_hall_talk__stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

static void clash_hall_talk__adapt_headers(oyez_stream *stream, void *user)
{
    const clash_hall_talk__events *events =
        (const clash_hall_talk__events *)oyez_stream_table(stream);
    clash_hall_talk__stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_hall_talk__adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_hall_talk__events *events =
        (const clash_hall_talk__events *)oyez_stream_table(stream);
    clash_hall_talk__stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_hall_talk__adapt_sent(oyez_stream *stream, void *user)
{
    const clash_hall_talk__events *events =
        (const clash_hall_talk__events *)oyez_stream_table(stream);
    clash_hall_talk__stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_hall_talk__adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_hall_talk__events *events =
        (const clash_hall_talk__events *)oyez_stream_table(stream);
    clash_hall_talk__stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_hall_talk__adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_hall_talk__adapt_headers,
    .on_message = clash_hall_talk__adapt_message,
    .on_sent = clash_hall_talk__adapt_sent,
    .on_done = clash_hall_talk__adapt_done,
};

oyez_err clash_hall_talk__async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const clash_hall_talk__events *events, void *user,
    clash_hall_talk__stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_hall_talk__method, ctx,
                             stub.options, NULL, &clash_hall_talk__adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_hall_talk__server_recv(
    clash_hall_talk__server_stream stream, const Clash__M **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Clash__M *)message;
    return true;
}

static void clash_hall_talk__server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_hall_talk__server_events *events =
        (const clash_hall_talk__server_events *)oyez_stream_table(stream);
    clash_hall_talk__server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_hall_talk__server_adapt_half_close(oyez_stream *stream, void *user)
{
    const clash_hall_talk__server_events *events =
        (const clash_hall_talk__server_events *)oyez_stream_table(stream);
    clash_hall_talk__server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

bool clash_hall_talk__server_send(
    clash_hall_talk__server_stream stream, const Clash__M *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void clash_hall_talk__server_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_hall_talk__server_events *events =
        (const clash_hall_talk__server_events *)oyez_stream_table(stream);
    clash_hall_talk__server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_hall_talk__server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_hall_talk__server_events *events =
        (const clash_hall_talk__server_events *)oyez_stream_table(stream);
    clash_hall_talk__server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_hall_talk__server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = clash_hall_talk__server_adapt_message,
    .on_sent = clash_hall_talk__server_adapt_sent,
    .on_half_close = clash_hall_talk__server_adapt_half_close,
    .on_done = clash_hall_talk__server_adapt_done,
};

void clash_hall_talk__server_listen(
    clash_hall_talk__server_stream stream,
    const clash_hall_talk__server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_hall_talk__server_adapters : NULL, events, user);
}

static oyez_code clash_hall_talk__handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    clash_hall_talk__server_stream typed = { stream };
    (void)request;
    (void)reply;
    return (table->talk_)(self, call, typed);
}

static void clash_hall_talk__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    clash_hall_talk__server_stream typed = { stream };
    (void)request;
    (table->talk__async)(self, call, typed);
}

const oyez_method clash_hall_watch_send_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_HALL_WATCH_SEND_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_hall_watch_send(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_hall_watch_send_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_hall_watch_send_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_hall_watch_send_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_hall_watch_send_async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_hall_watch_send_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_hall_watch_send_method, ctx,
                                 stub.options, request, clash_hall_watch_send_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_hall_watch_send_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    return (table->watch_send)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_hall_watch_send_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    (table->watch_send_async)(self, call, (const Clash__M *)request);
}

void clash_hall_watch_send_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_hall_watch_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_HALL_WATCH_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = true,
};

oyez_err clash_hall_watch(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_hall_watch_stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_hall_watch_method, ctx,
                             stub.options, request, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_hall_watch_recv(
    clash_hall_watch_stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

static void clash_hall_watch_adapt_headers(oyez_stream *stream, void *user)
{
    const clash_hall_watch_events *events =
        (const clash_hall_watch_events *)oyez_stream_table(stream);
    clash_hall_watch_stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_hall_watch_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_hall_watch_events *events =
        (const clash_hall_watch_events *)oyez_stream_table(stream);
    clash_hall_watch_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_hall_watch_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_hall_watch_events *events =
        (const clash_hall_watch_events *)oyez_stream_table(stream);
    clash_hall_watch_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_hall_watch_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_hall_watch_adapt_headers,
    .on_message = clash_hall_watch_adapt_message,
    .on_done = clash_hall_watch_adapt_done,
};

oyez_err clash_hall_watch_async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    const clash_hall_watch_events *events, void *user,
    clash_hall_watch_stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_hall_watch_method, ctx,
                             stub.options, request, &clash_hall_watch_adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_hall_watch_server_send(
    clash_hall_watch_server_stream stream, const Clash__M *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void clash_hall_watch_server_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_hall_watch_server_events *events =
        (const clash_hall_watch_server_events *)oyez_stream_table(stream);
    clash_hall_watch_server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_hall_watch_server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_hall_watch_server_events *events =
        (const clash_hall_watch_server_events *)oyez_stream_table(stream);
    clash_hall_watch_server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_hall_watch_server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_sent = clash_hall_watch_server_adapt_sent,
    .on_done = clash_hall_watch_server_adapt_done,
};

void clash_hall_watch_server_listen(
    clash_hall_watch_server_stream stream,
    const clash_hall_watch_server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_hall_watch_server_adapters : NULL, events, user);
}

static oyez_code clash_hall_watch_handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    clash_hall_watch_server_stream typed = { stream };
    (void)reply;
    return (table->watch)(self, call, (const Clash__M *)request, typed);
}

static void clash_hall_watch_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    clash_hall_watch_server_stream typed = { stream };
    (table->watch_async)(self, call, (const Clash__M *)request, typed);
}

const oyez_method clash_hall_upload_close_and_recv_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_HALL_UPLOAD_CLOSE_AND_RECV_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_hall_upload_close_and_recv(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_hall_upload_close_and_recv_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_hall_upload_close_and_recv_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_hall_upload_close_and_recv_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_hall_upload_close_and_recv_async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_hall_upload_close_and_recv_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_hall_upload_close_and_recv_method, ctx,
                                 stub.options, request, clash_hall_upload_close_and_recv_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_hall_upload_close_and_recv_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    return (table->upload_close_and_recv)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_hall_upload_close_and_recv_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    (table->upload_close_and_recv_async)(self, call, (const Clash__M *)request);
}

void clash_hall_upload_close_and_recv_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

const oyez_method clash_hall_upload__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_HALL_UPLOAD__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = true,
    .server_streaming = false,
};

oyez_err clash_hall_upload_(
    clash_hall_stub stub, oyez_ctx *ctx,
    clash_hall_upload__stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_hall_upload__method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_hall_upload__send(
    clash_hall_upload__stream stream, const Clash__M *request)
{
    return oyez_stream_send(stream.base, request);
}

void clash_hall_upload__close_send(clash_hall_upload__stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool clash_hall_upload__recv(
    clash_hall_upload__stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

bool clash_hall_upload__close_and_recv(
    clash_hall_upload__stream stream, const Clash__M **ret_reply)
{
    oyez_stream_close_send(stream.base);
    return clash_hall_upload__recv(stream, ret_reply);
}

static void clash_hall_upload__adapt_headers(oyez_stream *stream, void *user)
{
    const clash_hall_upload__events *events =
        (const clash_hall_upload__events *)oyez_stream_table(stream);
    clash_hall_upload__stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_hall_upload__adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_hall_upload__events *events =
        (const clash_hall_upload__events *)oyez_stream_table(stream);
    clash_hall_upload__stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_hall_upload__adapt_sent(oyez_stream *stream, void *user)
{
    const clash_hall_upload__events *events =
        (const clash_hall_upload__events *)oyez_stream_table(stream);
    clash_hall_upload__stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_hall_upload__adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_hall_upload__events *events =
        (const clash_hall_upload__events *)oyez_stream_table(stream);
    clash_hall_upload__stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_hall_upload__adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_hall_upload__adapt_headers,
    .on_message = clash_hall_upload__adapt_message,
    .on_sent = clash_hall_upload__adapt_sent,
    .on_done = clash_hall_upload__adapt_done,
};

oyez_err clash_hall_upload__async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const clash_hall_upload__events *events, void *user,
    clash_hall_upload__stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_hall_upload__method, ctx,
                             stub.options, NULL, &clash_hall_upload__adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_hall_upload__server_recv(
    clash_hall_upload__server_stream stream, const Clash__M **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Clash__M *)message;
    return true;
}

static void clash_hall_upload__server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_hall_upload__server_events *events =
        (const clash_hall_upload__server_events *)oyez_stream_table(stream);
    clash_hall_upload__server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_hall_upload__server_adapt_half_close(oyez_stream *stream, void *user)
{
    const clash_hall_upload__server_events *events =
        (const clash_hall_upload__server_events *)oyez_stream_table(stream);
    clash_hall_upload__server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

static void clash_hall_upload__server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_hall_upload__server_events *events =
        (const clash_hall_upload__server_events *)oyez_stream_table(stream);
    clash_hall_upload__server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_hall_upload__server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = clash_hall_upload__server_adapt_message,
    .on_half_close = clash_hall_upload__server_adapt_half_close,
    .on_done = clash_hall_upload__server_adapt_done,
};

void clash_hall_upload__server_listen(
    clash_hall_upload__server_stream stream,
    const clash_hall_upload__server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_hall_upload__server_adapters : NULL, events, user);
}

void clash_hall_upload__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

static oyez_code clash_hall_upload__handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    clash_hall_upload__server_stream typed = { stream };
    (void)request;
    return (table->upload_)(self, call, typed, (Clash__M *)reply);
}

static void clash_hall_upload__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    clash_hall_upload__server_stream typed = { stream };
    (void)request;
    (table->upload__async)(self, call, typed);
}

const oyez_method clash_hall_default__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_HALL_DEFAULT__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = true,
    .server_streaming = true,
};

oyez_err clash_hall_default_(
    clash_hall_stub stub, oyez_ctx *ctx,
    clash_hall_default__stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_hall_default__method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_hall_default__send(
    clash_hall_default__stream stream, const Clash__M *request)
{
    return oyez_stream_send(stream.base, request);
}

void clash_hall_default__close_send(clash_hall_default__stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool clash_hall_default__recv(
    clash_hall_default__stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

static void clash_hall_default__adapt_headers(oyez_stream *stream, void *user)
{
    const clash_hall_default__events *events =
        (const clash_hall_default__events *)oyez_stream_table(stream);
    clash_hall_default__stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_hall_default__adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_hall_default__events *events =
        (const clash_hall_default__events *)oyez_stream_table(stream);
    clash_hall_default__stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_hall_default__adapt_sent(oyez_stream *stream, void *user)
{
    const clash_hall_default__events *events =
        (const clash_hall_default__events *)oyez_stream_table(stream);
    clash_hall_default__stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_hall_default__adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_hall_default__events *events =
        (const clash_hall_default__events *)oyez_stream_table(stream);
    clash_hall_default__stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_hall_default__adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_hall_default__adapt_headers,
    .on_message = clash_hall_default__adapt_message,
    .on_sent = clash_hall_default__adapt_sent,
    .on_done = clash_hall_default__adapt_done,
};

oyez_err clash_hall_default__async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const clash_hall_default__events *events, void *user,
    clash_hall_default__stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_hall_default__method, ctx,
                             stub.options, NULL, &clash_hall_default__adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_hall_default__server_recv(
    clash_hall_default__server_stream stream, const Clash__M **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Clash__M *)message;
    return true;
}

static void clash_hall_default__server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_hall_default__server_events *events =
        (const clash_hall_default__server_events *)oyez_stream_table(stream);
    clash_hall_default__server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_hall_default__server_adapt_half_close(oyez_stream *stream, void *user)
{
    const clash_hall_default__server_events *events =
        (const clash_hall_default__server_events *)oyez_stream_table(stream);
    clash_hall_default__server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

bool clash_hall_default__server_send(
    clash_hall_default__server_stream stream, const Clash__M *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void clash_hall_default__server_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_hall_default__server_events *events =
        (const clash_hall_default__server_events *)oyez_stream_table(stream);
    clash_hall_default__server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_hall_default__server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_hall_default__server_events *events =
        (const clash_hall_default__server_events *)oyez_stream_table(stream);
    clash_hall_default__server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_hall_default__server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = clash_hall_default__server_adapt_message,
    .on_sent = clash_hall_default__server_adapt_sent,
    .on_half_close = clash_hall_default__server_adapt_half_close,
    .on_done = clash_hall_default__server_adapt_done,
};

void clash_hall_default__server_listen(
    clash_hall_default__server_stream stream,
    const clash_hall_default__server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_hall_default__server_adapters : NULL, events, user);
}

static oyez_code clash_hall_default__handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    clash_hall_default__server_stream typed = { stream };
    (void)request;
    (void)reply;
    return (table->default_)(self, call, typed);
}

static void clash_hall_default__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_hall_service *table = (const clash_hall_service *)service;
    clash_hall_default__server_stream typed = { stream };
    (void)request;
    (table->default__async)(self, call, typed);
}

oyez_err clash_hall_service_register(
    oyez_server *server, const clash_hall_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &clash_hall_talk_recv_method,
          .unary = service->talk_recv ? clash_hall_talk_recv_handle : NULL,
          .unary_async = service->talk_recv_async ? clash_hall_talk_recv_handle_async : NULL },
        { .method = &clash_hall_talk__method,
          .stream = service->talk_ ? clash_hall_talk__handle : NULL,
          .stream_async = service->talk__async ? clash_hall_talk__handle_async : NULL },
        { .method = &clash_hall_watch_send_method,
          .unary = service->watch_send ? clash_hall_watch_send_handle : NULL,
          .unary_async = service->watch_send_async ? clash_hall_watch_send_handle_async : NULL },
        { .method = &clash_hall_watch_method,
          .stream = service->watch ? clash_hall_watch_handle : NULL,
          .stream_async = service->watch_async ? clash_hall_watch_handle_async : NULL },
        { .method = &clash_hall_upload_close_and_recv_method,
          .unary = service->upload_close_and_recv ? clash_hall_upload_close_and_recv_handle : NULL,
          .unary_async = service->upload_close_and_recv_async ? clash_hall_upload_close_and_recv_handle_async : NULL },
        { .method = &clash_hall_upload__method,
          .stream = service->upload_ ? clash_hall_upload__handle : NULL,
          .stream_async = service->upload__async ? clash_hall_upload__handle_async : NULL },
        { .method = &clash_hall_default__method,
          .stream = service->default_ ? clash_hall_default__handle : NULL,
          .stream_async = service->default__async ? clash_hall_default__handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = CLASH_HALL_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

const oyez_method clash_lane_walk_server_method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_LANE_WALK_SERVER_PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_lane_walk_server(
    clash_lane_walk_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_lane_walk_server_method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_lane_walk_server_adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_lane_walk_server_done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_lane_walk_server_async(
    clash_lane_walk_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_lane_walk_server_done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_lane_walk_server_method, ctx,
                                 stub.options, request, clash_lane_walk_server_adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_lane_walk_server_handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_lane_walk_service *table = (const clash_lane_walk_service *)service;
    return (table->server)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_lane_walk_server_handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_lane_walk_service *table = (const clash_lane_walk_service *)service;
    (table->server_async)(self, call, (const Clash__M *)request);
}

void clash_lane_walk_server_reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err clash_lane_walk_service_register(
    oyez_server *server, const clash_lane_walk_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &clash_lane_walk_server_method,
          .unary = service->server ? clash_lane_walk_server_handle : NULL,
          .unary_async = service->server_async ? clash_lane_walk_server_handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = CLASH_LANE_WALK_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

const oyez_method clash_lane_walk__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_LANE_WALK__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = true,
    .server_streaming = true,
};

oyez_err clash_lane_walk_(
    clash_lane_stub stub, oyez_ctx *ctx,
    clash_lane_walk__stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_lane_walk__method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_lane_walk__send(
    clash_lane_walk__stream stream, const Clash__M *request)
{
    return oyez_stream_send(stream.base, request);
}

void clash_lane_walk__close_send(clash_lane_walk__stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool clash_lane_walk__recv(
    clash_lane_walk__stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

static void clash_lane_walk__adapt_headers(oyez_stream *stream, void *user)
{
    const clash_lane_walk__events *events =
        (const clash_lane_walk__events *)oyez_stream_table(stream);
    clash_lane_walk__stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_lane_walk__adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_lane_walk__events *events =
        (const clash_lane_walk__events *)oyez_stream_table(stream);
    clash_lane_walk__stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_lane_walk__adapt_sent(oyez_stream *stream, void *user)
{
    const clash_lane_walk__events *events =
        (const clash_lane_walk__events *)oyez_stream_table(stream);
    clash_lane_walk__stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_lane_walk__adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_lane_walk__events *events =
        (const clash_lane_walk__events *)oyez_stream_table(stream);
    clash_lane_walk__stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_lane_walk__adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_lane_walk__adapt_headers,
    .on_message = clash_lane_walk__adapt_message,
    .on_sent = clash_lane_walk__adapt_sent,
    .on_done = clash_lane_walk__adapt_done,
};

oyez_err clash_lane_walk__async(
    clash_lane_stub stub, oyez_ctx *ctx,
    const clash_lane_walk__events *events, void *user,
    clash_lane_walk__stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_lane_walk__method, ctx,
                             stub.options, NULL, &clash_lane_walk__adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_lane_walk__server_recv(
    clash_lane_walk__server_stream stream, const Clash__M **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Clash__M *)message;
    return true;
}

static void clash_lane_walk__server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_lane_walk__server_events *events =
        (const clash_lane_walk__server_events *)oyez_stream_table(stream);
    clash_lane_walk__server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_lane_walk__server_adapt_half_close(oyez_stream *stream, void *user)
{
    const clash_lane_walk__server_events *events =
        (const clash_lane_walk__server_events *)oyez_stream_table(stream);
    clash_lane_walk__server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

bool clash_lane_walk__server_send(
    clash_lane_walk__server_stream stream, const Clash__M *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void clash_lane_walk__server_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_lane_walk__server_events *events =
        (const clash_lane_walk__server_events *)oyez_stream_table(stream);
    clash_lane_walk__server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_lane_walk__server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_lane_walk__server_events *events =
        (const clash_lane_walk__server_events *)oyez_stream_table(stream);
    clash_lane_walk__server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_lane_walk__server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = clash_lane_walk__server_adapt_message,
    .on_sent = clash_lane_walk__server_adapt_sent,
    .on_half_close = clash_lane_walk__server_adapt_half_close,
    .on_done = clash_lane_walk__server_adapt_done,
};

void clash_lane_walk__server_listen(
    clash_lane_walk__server_stream stream,
    const clash_lane_walk__server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_lane_walk__server_adapters : NULL, events, user);
}

static oyez_code clash_lane_walk__handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_lane_service *table = (const clash_lane_service *)service;
    clash_lane_walk__server_stream typed = { stream };
    (void)request;
    (void)reply;
    return (table->walk_)(self, call, typed);
}

static void clash_lane_walk__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_lane_service *table = (const clash_lane_service *)service;
    clash_lane_walk__server_stream typed = { stream };
    (void)request;
    (table->walk__async)(self, call, typed);
}

const oyez_method clash_lane_walk_server__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_LANE_WALK_SERVER__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = true,
    .server_streaming = true,
};

oyez_err clash_lane_walk_server_(
    clash_lane_stub stub, oyez_ctx *ctx,
    clash_lane_walk_server__stream *ret_stream)
{
    return oyez_stream_start(stub.channel, &clash_lane_walk_server__method, ctx,
                             stub.options, NULL, NULL, NULL, NULL,
                             ret_stream ? &ret_stream->base : NULL);
}

bool clash_lane_walk_server__send(
    clash_lane_walk_server__stream stream, const Clash__M *request)
{
    return oyez_stream_send(stream.base, request);
}

void clash_lane_walk_server__close_send(clash_lane_walk_server__stream stream)
{
    oyez_stream_close_send(stream.base);
}

bool clash_lane_walk_server__recv(
    clash_lane_walk_server__stream stream, const Clash__M **ret_reply)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_reply)
        *ret_reply = (const Clash__M *)message;
    return true;
}

static void clash_lane_walk_server__adapt_headers(oyez_stream *stream, void *user)
{
    const clash_lane_walk_server__events *events =
        (const clash_lane_walk_server__events *)oyez_stream_table(stream);
    clash_lane_walk_server__stream typed = { stream };
    if (events->on_headers)
        events->on_headers(typed, user);
}

static void clash_lane_walk_server__adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_lane_walk_server__events *events =
        (const clash_lane_walk_server__events *)oyez_stream_table(stream);
    clash_lane_walk_server__stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_lane_walk_server__adapt_sent(oyez_stream *stream, void *user)
{
    const clash_lane_walk_server__events *events =
        (const clash_lane_walk_server__events *)oyez_stream_table(stream);
    clash_lane_walk_server__stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_lane_walk_server__adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_lane_walk_server__events *events =
        (const clash_lane_walk_server__events *)oyez_stream_table(stream);
    clash_lane_walk_server__stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_lane_walk_server__adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = clash_lane_walk_server__adapt_headers,
    .on_message = clash_lane_walk_server__adapt_message,
    .on_sent = clash_lane_walk_server__adapt_sent,
    .on_done = clash_lane_walk_server__adapt_done,
};

oyez_err clash_lane_walk_server__async(
    clash_lane_stub stub, oyez_ctx *ctx,
    const clash_lane_walk_server__events *events, void *user,
    clash_lane_walk_server__stream *ret_stream)
{
    if (events == NULL)
        return OYEZ_ENULL;
    return oyez_stream_start(stub.channel, &clash_lane_walk_server__method, ctx,
                             stub.options, NULL, &clash_lane_walk_server__adapters,
                             events, user, ret_stream ? &ret_stream->base : NULL);
}

bool clash_lane_walk_server__server_recv(
    clash_lane_walk_server__server_stream stream, const Clash__M **ret_request)
{
    const void *message;
    if (!oyez_stream_recv(stream.base, &message))
        return false;
    if (ret_request)
        *ret_request = (const Clash__M *)message;
    return true;
}

static void clash_lane_walk_server__server_adapt_message(
    oyez_stream *stream, const void *message, void *user)
{
    const clash_lane_walk_server__server_events *events =
        (const clash_lane_walk_server__server_events *)oyez_stream_table(stream);
    clash_lane_walk_server__server_stream typed = { stream };
    if (events->on_message)
        events->on_message(typed, (const Clash__M *)message, user);
}

static void clash_lane_walk_server__server_adapt_half_close(oyez_stream *stream, void *user)
{
    const clash_lane_walk_server__server_events *events =
        (const clash_lane_walk_server__server_events *)oyez_stream_table(stream);
    clash_lane_walk_server__server_stream typed = { stream };
    if (events->on_half_close)
        events->on_half_close(typed, user);
}

bool clash_lane_walk_server__server_send(
    clash_lane_walk_server__server_stream stream, const Clash__M *reply)
{
    return oyez_stream_send(stream.base, reply);
}

static void clash_lane_walk_server__server_adapt_sent(oyez_stream *stream, void *user)
{
    const clash_lane_walk_server__server_events *events =
        (const clash_lane_walk_server__server_events *)oyez_stream_table(stream);
    clash_lane_walk_server__server_stream typed = { stream };
    if (events->on_sent)
        events->on_sent(typed, user);
}

static void clash_lane_walk_server__server_adapt_done(
    oyez_stream *stream, const oyez_status *status, void *user)
{
    const clash_lane_walk_server__server_events *events =
        (const clash_lane_walk_server__server_events *)oyez_stream_table(stream);
    clash_lane_walk_server__server_stream typed = { stream };
    if (events->on_done)
        events->on_done(typed, status, user);
}

static const oyez_stream_events clash_lane_walk_server__server_adapters = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = clash_lane_walk_server__server_adapt_message,
    .on_sent = clash_lane_walk_server__server_adapt_sent,
    .on_half_close = clash_lane_walk_server__server_adapt_half_close,
    .on_done = clash_lane_walk_server__server_adapt_done,
};

void clash_lane_walk_server__server_listen(
    clash_lane_walk_server__server_stream stream,
    const clash_lane_walk_server__server_events *events, void *user)
{
    oyez_stream_listen(stream.base, events ? &clash_lane_walk_server__server_adapters : NULL, events, user);
}

static oyez_code clash_lane_walk_server__handle(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream, void *reply)
{
    const clash_lane_service *table = (const clash_lane_service *)service;
    clash_lane_walk_server__server_stream typed = { stream };
    (void)request;
    (void)reply;
    return (table->walk_server_)(self, call, typed);
}

static void clash_lane_walk_server__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request,
    oyez_stream *stream)
{
    const clash_lane_service *table = (const clash_lane_service *)service;
    clash_lane_walk_server__server_stream typed = { stream };
    (void)request;
    (table->walk_server__async)(self, call, typed);
}

const oyez_method clash_lane_walk_stub__method = {
    OYEZ_METHOD_INIT,
    .path = CLASH_LANE_WALK_STUB__PATH,
    .codec = oyez_protobuf_c,
    .request = &clash__m__descriptor,
    .response = &clash__m__descriptor,
    .client_streaming = false,
    .server_streaming = false,
};

oyez_code clash_lane_walk_stub_(
    clash_lane_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status)
{
    void *reply = NULL;
    oyez_code code = oyez_unary_call(stub.channel, &clash_lane_walk_stub__method, ctx,
                                     stub.options, request, ret_reply ? &reply : NULL, ret_status);
    if (code == OYEZ_OK && ret_reply)
        *ret_reply = (Clash__M *)reply;
    return code;
}

static void clash_lane_walk_stub__adapt_done(
    oyez_call *call, const oyez_status *status, const void *reply, oyez_any_fn *done, void *user)
{
    ((clash_lane_walk_stub__done_fn *)done)(
        call, status, (const Clash__M *)reply, user);
}

oyez_err clash_lane_walk_stub__async(
    clash_lane_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_lane_walk_stub__done_fn *done, void *user, oyez_call **ret_call)
{
    return oyez_unary_call_start(stub.channel, &clash_lane_walk_stub__method, ctx,
                                 stub.options, request, clash_lane_walk_stub__adapt_done,
                                 (oyez_any_fn *)done, user, ret_call);
}

static oyez_code clash_lane_walk_stub__handle(
    const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    const clash_lane_service *table = (const clash_lane_service *)service;
    return (table->walk_stub_)(self, call, (const Clash__M *)request,
        (Clash__M *)reply);
}

static void clash_lane_walk_stub__handle_async(
    const void *service, void *self, oyez_server_call *call, const void *request)
{
    const clash_lane_service *table = (const clash_lane_service *)service;
    (table->walk_stub__async)(self, call, (const Clash__M *)request);
}

void clash_lane_walk_stub__reply(
    oyez_server_call *call, const Clash__M *reply)
{
    oyez_server_call_reply(call, reply);
}

oyez_err clash_lane_service_register(
    oyez_server *server, const clash_lane_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_method methods[] = {
        { .method = &clash_lane_walk__method,
          .stream = service->walk_ ? clash_lane_walk__handle : NULL,
          .stream_async = service->walk__async ? clash_lane_walk__handle_async : NULL },
        { .method = &clash_lane_walk_server__method,
          .stream = service->walk_server_ ? clash_lane_walk_server__handle : NULL,
          .stream_async = service->walk_server__async ? clash_lane_walk_server__handle_async : NULL },
        { .method = &clash_lane_walk_stub__method,
          .unary = service->walk_stub_ ? clash_lane_walk_stub__handle : NULL,
          .unary_async = service->walk_stub__async ? clash_lane_walk_stub__handle_async : NULL },
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = CLASH_LANE_SERVICE_NAME,
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}

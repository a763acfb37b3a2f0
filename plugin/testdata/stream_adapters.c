/* SPDX-License-Identifier: Apache-2.0 */
/* Generated functions of streams, with a library of a few lines in place of the real one that notes what it
 * is handed. Built with a sanitizer that finds a function called through a pointer of another type. */
#undef NDEBUG
#include <assert.h>
#include <string.h>

#include "streams.oyez.h"

/* --- the library ----------------------------------------------------------------------------------- */

static char a_channel, a_server, a_call, a_ctx, a_stream;
static oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT };
static const oyez_method *called;
static const void *started_with, *sent, *to_receive, *replied;
static const oyez_stream_events *listening;
static const void *table;
static void *listener;
static int closed, served;
static oyez_service_desc desc;
static oyez_service_method methods[4];

#define STREAM ((oyez_stream *)&a_stream)
#define CALL   ((oyez_server_call *)&a_call)

const oyez_codec *oyez_protobuf_c(void)
{
    return NULL;
}

oyez_code oyez_unary_call(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                          const oyez_call_options *opts, const void *request, void **ret_reply,
                          oyez_status *ret_status)
{
    (void)channel, (void)method, (void)ctx, (void)opts, (void)request, (void)ret_reply, (void)ret_status;
    return OYEZ_UNIMPLEMENTED;
}

oyez_err oyez_unary_call_start(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                               const oyez_call_options *opts, const void *request,
                               oyez_unary_adapter_fn *adapter, oyez_any_fn *done, void *user,
                               oyez_call **ret_call)
{
    (void)channel, (void)method, (void)ctx, (void)opts, (void)request, (void)adapter, (void)done;
    (void)user, (void)ret_call;
    return OYEZ_EINVAL;
}

oyez_err oyez_stream_start(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                           const oyez_call_options *opts, const void *request,
                           const oyez_stream_events *events, const void *events_table, void *user,
                           oyez_stream **ret_stream)
{
    assert((void *)channel == &a_channel && (void *)ctx == &a_ctx && opts == &options);
    called = method;
    started_with = request;
    listening = events;
    table = events_table;
    listener = user;
    *ret_stream = STREAM;
    return OYEZ_NO_ERR;
}

void oyez_stream_listen(oyez_stream *stream, const oyez_stream_events *events, const void *events_table,
                        void *user)
{
    assert(stream == STREAM);
    listening = events;
    table = events_table;
    listener = user;
}

const void *oyez_stream_table(const oyez_stream *stream)
{
    assert(stream == STREAM);
    return table;
}

bool oyez_stream_send(oyez_stream *stream, const void *message)
{
    assert(stream == STREAM);
    sent = message;
    return closed == 0;
}

void oyez_stream_close_send(oyez_stream *stream)
{
    assert(stream == STREAM);
    closed++;
}

bool oyez_stream_recv(oyez_stream *stream, const void **ret_message)
{
    assert(stream == STREAM);
    if (to_receive)
        *ret_message = to_receive;
    return to_receive != NULL;
}

oyez_err oyez_server_register(oyez_server *server, const oyez_service_desc *d)
{
    assert((void *)server == &a_server && d->method_count == 4);
    desc = *d;
    memcpy(methods, d->methods, sizeof(methods));
    return OYEZ_NO_ERR;
}

void oyez_server_call_reply(oyez_server_call *call, const void *reply)
{
    assert(call == CALL);
    replied = reply;
}

/* --- the client's end ------------------------------------------------------------------------------ */

static flow_stream_stub stub = { (oyez_channel *)&a_channel, &options };
static const Flow__Drop drop = FLOW__DROP__INIT;
static const Flow__Level level = FLOW__LEVEL__INIT;

static void blocking_client(void)
{
    flow_stream_both_stream both;
    flow_stream_source_stream source;
    flow_stream_mouth_stream mouth;
    const Flow__Level *reply = NULL;

    assert(flow_stream_both(stub, (oyez_ctx *)&a_ctx, &both) == OYEZ_NO_ERR);
    assert(both.base == STREAM && called == &flow_stream_both_method && !started_with && !listening);
    assert(called->client_streaming && called->server_streaming);
    assert(flow_stream_both_send(both, &drop) && sent == &drop);
    assert(!flow_stream_both_recv(both, &reply) && reply == NULL);
    to_receive = &level;
    assert(flow_stream_both_recv(both, &reply) && reply == &level);
    flow_stream_both_close_send(both);
    assert(closed == 1 && !flow_stream_both_send(both, &drop));

    assert(flow_stream_source(stub, (oyez_ctx *)&a_ctx, &drop, &source) == OYEZ_NO_ERR);
    assert(source.base == STREAM && called == &flow_stream_source_method && started_with == &drop);
    assert(!called->client_streaming && called->server_streaming);
    reply = NULL;
    assert(flow_stream_source_recv(source, &reply) && reply == &level);

    closed = 0;
    assert(flow_stream_mouth(stub, (oyez_ctx *)&a_ctx, &mouth) == OYEZ_NO_ERR);
    assert(called == &flow_stream_mouth_method && !started_with);
    assert(called->client_streaming && !called->server_streaming);
    assert(flow_stream_mouth_send(mouth, &drop));
    reply = NULL;
    assert(flow_stream_mouth_close_and_recv(mouth, &reply) && reply == &level && closed == 1);
    to_receive = NULL;
    assert(!flow_stream_mouth_close_and_recv(mouth, &reply));
    closed = 0;
}

static int heard_headers, heard_sent, heard_done, heard_half_close;
static const void *heard;

static void on_headers(flow_stream_both_stream s, void *user)
{
    assert(s.base == STREAM && user == &heard);
    heard_headers++;
}

static void on_message(flow_stream_both_stream s, const Flow__Level *reply, void *user)
{
    assert(s.base == STREAM && user == &heard);
    heard = reply;
}

static void on_sent(flow_stream_both_stream s, void *user)
{
    assert(s.base == STREAM && user == &heard);
    heard_sent++;
}

static void on_done(flow_stream_both_stream s, const oyez_status *status, void *user)
{
    assert(s.base == STREAM && user == &heard && status->code == OYEZ_ABORTED);
    heard_done++;
}

static void event_client(void)
{
    static const flow_stream_both_events all = { on_headers, on_message, on_sent, on_done };
    static const flow_stream_both_events none = { .on_message = NULL };
    static const flow_stream_source_events none_of_source = { .on_message = NULL };
    oyez_status status = OYEZ_STATUS_INIT;
    flow_stream_both_stream both;
    flow_stream_source_stream source;

    status.code = OYEZ_ABORTED;
    assert(flow_stream_both_async(stub, (oyez_ctx *)&a_ctx, NULL, &heard, &both) == OYEZ_ENULL);
    assert(flow_stream_both_async(stub, (oyez_ctx *)&a_ctx, &all, &heard, &both) == OYEZ_NO_ERR);
    assert(both.base == STREAM && called == &flow_stream_both_method && !started_with);
    for (int i = 0; i < 2; i++) { /* the second time nobody listens */
        listening->on_headers(STREAM, listener);
        listening->on_message(STREAM, &level, listener);
        listening->on_sent(STREAM, listener);
        listening->on_done(STREAM, &status, listener);
        assert(!listening->on_half_close);
        assert(heard == &level && heard_headers == 1 && heard_sent == 1 && heard_done == 1);
        assert(flow_stream_both_async(stub, (oyez_ctx *)&a_ctx, &none, &heard, &both) == OYEZ_NO_ERR);
    }
    assert(flow_stream_source_async(stub, (oyez_ctx *)&a_ctx, &drop, &none_of_source, NULL, &source) ==
           OYEZ_NO_ERR);
    assert(started_with == &drop && !listening->on_sent && listening->on_message);
}

/* --- the server's end ------------------------------------------------------------------------------ */

static int a_self;

static oyez_code source_handler(void *self, oyez_server_call *call, const Flow__Drop *request,
                                flow_stream_source_server_stream s)
{
    assert(self == &a_self && call == CALL && request == &drop && s.base == STREAM);
    assert(flow_stream_source_server_send(s, &level) && sent == &level);
    served++;
    return OYEZ_ABORTED;
}

static oyez_code mouth_handler(void *self, oyez_server_call *call, flow_stream_mouth_server_stream s,
                               Flow__Level *reply)
{
    const Flow__Drop *request = NULL;
    assert(self == &a_self && call == CALL && s.base == STREAM);
    assert(flow_stream_mouth_server_recv(s, &request) && request == &drop);
    reply->millimetres = 3;
    served++;
    return OYEZ_OK;
}

static void both_on_message(flow_stream_both_server_stream s, const Flow__Drop *request, void *user)
{
    assert(s.base == STREAM && user == &a_self);
    heard = request;
}

static void both_on_sent(flow_stream_both_server_stream s, void *user)
{
    assert(s.base == STREAM && user == &a_self);
    heard_sent++;
}

static void both_on_half_close(flow_stream_both_server_stream s, void *user)
{
    assert(s.base == STREAM && user == &a_self);
    heard_half_close++;
}

static void both_on_done(flow_stream_both_server_stream s, const oyez_status *status, void *user)
{
    assert(s.base == STREAM && user == &a_self && status == NULL);
    heard_done++;
}

static void both_handler(void *self, oyez_server_call *call, flow_stream_both_server_stream s)
{
    static const flow_stream_both_server_events events = {
        .on_message = both_on_message,
        .on_sent = both_on_sent,
        .on_half_close = both_on_half_close,
        .on_done = both_on_done,
    };
    assert(self == &a_self && call == CALL && s.base == STREAM);
    flow_stream_both_server_listen(s, &events, self);
    served++;
}

static void mouth_later(void *self, oyez_server_call *call, flow_stream_mouth_server_stream s)
{
    static const flow_stream_mouth_server_events none = { .on_done = NULL };
    assert(self == &a_self && call == CALL && s.base == STREAM);
    flow_stream_mouth_server_listen(s, &none, NULL);
    flow_stream_mouth_reply(call, &level);
    assert(replied == &level);
    served++;
}

static void server(void)
{
    static const flow_stream_service impl = {
        .source = source_handler,
        .mouth = mouth_handler,
        .both_async = both_handler,
    };
    static const flow_stream_service later = { .mouth_async = mouth_later };
    Flow__Level reply = FLOW__LEVEL__INIT;

    assert(flow_stream_service_register((oyez_server *)&a_server, &impl, &a_self) == OYEZ_NO_ERR);
    assert(!methods[0].unary && !methods[0].unary_async && !methods[0].stream && !methods[0].stream_async);
    for (int i = 1; i < 4; i++)
        assert(!methods[i].unary && !methods[i].unary_async);
    assert(methods[1].stream && !methods[1].stream_async);
    assert(methods[1].stream(desc.service, desc.self, CALL, &drop, STREAM, NULL) == OYEZ_ABORTED);
    to_receive = &drop;
    assert(methods[2].stream(desc.service, desc.self, CALL, NULL, STREAM, &reply) == OYEZ_OK);
    assert(reply.millimetres == 3 && served == 2);

    assert(!methods[3].stream && methods[3].stream_async);
    methods[3].stream_async(desc.service, desc.self, CALL, NULL, STREAM);
    heard_sent = heard_done = 0;
    listening->on_message(STREAM, &drop, listener);
    listening->on_sent(STREAM, listener);
    listening->on_half_close(STREAM, listener);
    listening->on_done(STREAM, NULL, listener);
    assert(heard == &drop && heard_sent == 1 && heard_half_close == 1 && heard_done == 1);
    assert(!listening->on_headers);

    assert(flow_stream_service_register((oyez_server *)&a_server, &later, &a_self) == OYEZ_NO_ERR);
    methods[2].stream_async(desc.service, desc.self, CALL, NULL, STREAM);
    listening->on_message(STREAM, &drop, listener);
    listening->on_half_close(STREAM, listener);
    listening->on_done(STREAM, NULL, listener);
    assert(served == 4 && !listening->on_sent);
}

int main(void)
{
    blocking_client();
    event_client();
    server();
    return 0;
}

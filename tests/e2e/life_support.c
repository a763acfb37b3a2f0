/* SPDX-License-Identifier: Apache-2.0 */
/* A server of bytes, and what else the tests of the life of connections share. */
#include "life_support.h"

#include <stdio.h>

#include "client/channel_impl.h"
#include "client_support.h"
#include "support/raw_peer.h"
#include "support/test.h"

/* --- a log ------------------------------------------------------------------------------------ */

static void write_line(oyez_log_level level, const char *line, void *user)
{
    life_log *log = user;
    (void)level;
    pthread_mutex_lock(&log->lock);
    const int len = snprintf(log->text + log->len, sizeof(log->text) - log->len, "%s\n", line);
    if (len > 0 && (size_t)len < sizeof(log->text) - log->len)
        log->len += (size_t)len;
    pthread_mutex_unlock(&log->lock);
}

void life_log_init(life_log *log)
{
    memset(log, 0, sizeof(*log));
    pthread_mutex_init(&log->lock, NULL);
}

oyez_log life_log_sink(life_log *log)
{
    return (oyez_log){write_line, log, OYEZ_LOG_DEBUG};
}

unsigned life_log_count(life_log *log, const char *words)
{
    unsigned count = 0;
    pthread_mutex_lock(&log->lock);
    for (const char *at = log->text; (at = strstr(at, words)) != NULL; at++)
        count++;
    pthread_mutex_unlock(&log->lock);
    return count;
}

/* --- a server --------------------------------------------------------------------------------- */

const oyez_method life_echo = {OYEZ_METHOD_INIT, .path = "/life.Test/Echo"};
const oyez_method life_chat = {OYEZ_METHOD_INIT, .path = "/life.Test/Chat", .client_streaming = true,
                               .server_streaming = true};
const oyez_method life_hold = {OYEZ_METHOD_INIT, .path = "/life.Test/Hold", .client_streaming = true,
                               .server_streaming = true};
const oyez_method life_upload = {OYEZ_METHOD_INIT, .path = "/life.Test/Upload", .client_streaming = true};
const oyez_method life_sink = {OYEZ_METHOD_INIT, .path = "/life.Test/Sink", .client_streaming = true,
                               .server_streaming = true};
const oyez_method life_drop = {OYEZ_METHOD_INIT, .path = "/life.Test/Drop", .client_streaming = true,
                               .server_streaming = true};
const oyez_method life_download = {OYEZ_METHOD_INIT, .path = "/life.Test/Download", .server_streaming = true};

static oyez_code echo(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    life_server *life = self;
    (void)service;
    (void)call;
    atomic_fetch_add(&life->echoes, 1);
    return oyez_slice_ref(request, reply) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

static oyez_code chat(const void *service, void *self, oyez_server_call *call, const void *request,
                      oyez_stream *stream, void *reply)
{
    life_server *life = self;
    const void *message;
    (void)service;
    (void)call;
    (void)request;
    (void)reply;
    atomic_fetch_add(&life->chats, 1);
    while (oyez_stream_recv(stream, &message))
        if (!oyez_stream_send(stream, message))
            return OYEZ_CANCELLED;
    return OYEZ_OK;
}

static oyez_code upload(const void *service, void *self, oyez_server_call *call, const void *request,
                        oyez_stream *stream, void *reply)
{
    uint64_t total = 0;
    const void *message;
    (void)service;
    (void)self;
    (void)request;
    while (oyez_stream_recv(stream, &message))
        total += ((const oyez_slice *)message)->len;
    uint64_t *text = oyez_server_call_alloc(call, sizeof(total));
    if (!text)
        return OYEZ_RESOURCE_EXHAUSTED;
    *text = total;
    return oyez_slice_append(reply, (oyez_buffer){(const uint8_t *)text, sizeof(total), NULL})
               ? OYEZ_RESOURCE_EXHAUSTED
               : OYEZ_OK;
}

static oyez_code drop(const void *service, void *self, oyez_server_call *call, const void *request,
                      oyez_stream *stream, void *reply)
{
    life_server *life = self;
    (void)service;
    (void)call;
    (void)request;
    (void)stream;
    (void)reply;
    atomic_fetch_add(&life->drops, 1);
    return OYEZ_OK;
}

static oyez_code download(const void *service, void *self, oyez_server_call *call, const void *request,
                          oyez_stream *stream, void *reply)
{
    static const uint8_t zeros[65536];
    uint64_t left = 0;
    (void)service;
    (void)self;
    (void)call;
    (void)reply;
    (void)oyez_slice_copy_to(request, &left, sizeof(left));
    while (left > 0) {
        const size_t len = left < sizeof(zeros) ? (size_t)left : sizeof(zeros);
        const oyez_slice piece = life_bytes(zeros, len);
        if (!oyez_stream_send(stream, &piece))
            return OYEZ_CANCELLED;
        left -= len;
    }
    return OYEZ_OK;
}

static void hold_over(oyez_stream *stream, const oyez_status *status, void *user)
{
    life_server *life = user;
    (void)status;
    atomic_fetch_add(&life->holds_over, 1);
    oyez_server_call_finish(oyez_stream_server_call(stream), OYEZ_CANCELLED);
}

static void hold(const void *service, void *self, oyez_server_call *call, const void *request, oyez_stream *stream)
{
    static const oyez_stream_events events = {OYEZ_STREAM_EVENTS_INIT, .on_done = hold_over};
    life_server *life = self;
    (void)service;
    (void)request;
    oyez_stream_listen(stream, &events, NULL, life);
    assert_ok(oyez_server_call_send_headers(call));
    atomic_fetch_add(&life->holds, 1);
}

static void sink_message(oyez_stream *stream, const void *message, void *user)
{
    (void)stream;
    (void)message;
    (void)user;
}

static void sink_half_close(oyez_stream *stream, void *user)
{
    (void)user;
    oyez_server_call_finish(oyez_stream_server_call(stream), OYEZ_OK);
}

static void sink_over(oyez_stream *stream, const oyez_status *status, void *user)
{
    (void)user;
    if (status->code != OYEZ_OK)
        oyez_server_call_finish(oyez_stream_server_call(stream), OYEZ_CANCELLED);
}

static void sink(const void *service, void *self, oyez_server_call *call, const void *request, oyez_stream *stream)
{
    static const oyez_stream_events events = {OYEZ_STREAM_EVENTS_INIT, .on_message = sink_message,
                                              .on_half_close = sink_half_close, .on_done = sink_over};
    (void)service;
    (void)call;
    (void)request;
    oyez_stream_listen(stream, &events, NULL, self);
    oyez_stream_request(stream, UINT32_MAX);
}

void life_server_make(life_server *life, const oyez_server_options *options)
{
    static const oyez_service_method methods[] = {
        {.method = &life_echo, .unary = echo},         {.method = &life_chat, .stream = chat},
        {.method = &life_hold, .stream_async = hold},  {.method = &life_upload, .stream = upload},
        {.method = &life_sink, .stream_async = sink},  {.method = &life_drop, .stream = drop},        {.method = &life_download, .stream = download},
    };
    const oyez_service_desc service = {
        OYEZ_SERVICE_DESC_INIT,
        .name = "life.Test",
        .methods = methods,
        .method_count = sizeof(methods) / sizeof(methods[0]),
        .self = life,
    };
    memset(life, 0, sizeof(*life));
    assert_ok(oyez_server_new(options, &life->server));
    assert_ok(oyez_server_register(life->server, &service));
}

void life_server_start(life_server *life)
{
    assert_ok(oyez_server_listen(life->server, "127.0.0.1:0", oyez_insecure(), &life->port));
    assert_ok(oyez_server_start(life->server));
    snprintf(life->target, sizeof(life->target), "ipv4:127.0.0.1:%u", life->port);
}

void life_server_end(life_server *life)
{
    oyez_server_stop(life->server);
    assert_ok(oyez_server_wait(life->server, 20 * OYEZ_SECOND));
    life->server = oyez_server_unref(life->server);
}

/* --- calls ------------------------------------------------------------------------------------- */

static const oyez_call_options patience = {OYEZ_CALL_OPTIONS_INIT, .timeout = 60 * OYEZ_SECOND};

oyez_slice life_bytes(const void *data, size_t len)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    slice.len = len;
    slice.count = len > 0;
    slice.inline_items[0] = (oyez_buffer){data, len, NULL};
    return slice;
}

oyez_code life_call(oyez_channel *channel, const void *data, size_t len, oyez_status *ret_status)
{
    const oyez_slice request = life_bytes(data, len);
    void *reply = NULL;
    const oyez_code code = oyez_unary_call(channel, &life_echo, NULL, &patience, &request, &reply, ret_status);
    if (code == OYEZ_OK)
        assert_int_equal(((const oyez_slice *)reply)->len, len);
    oyez_bytes_free(reply);
    return code;
}

oyez_stream *life_open(oyez_channel *channel, const oyez_method *method)
{
    oyez_stream *stream = NULL;
    assert_ok(oyez_stream_start(channel, method, NULL, &patience, NULL, NULL, NULL, NULL, &stream));
    return stream;
}

bool life_send(oyez_stream *stream, const void *data, size_t len)
{
    const oyez_slice message = life_bytes(data, len);
    return oyez_stream_send(stream, &message);
}

bool life_expect(oyez_stream *stream, const void *data, size_t len)
{
    const void *message;
    if (!oyez_stream_recv(stream, &message))
        return false;
    const oyez_slice *got = message;
    assert_int_equal(got->len, len);
    uint8_t *copy = test_malloc(len + 1);
    assert_int_equal(oyez_slice_copy_to(got, copy, len), len);
    assert_memory_equal(copy, data, len);
    test_free(copy);
    return true;
}

bool life_await(atomic_uint *value, unsigned least)
{
    for (unsigned i = 0; i < raw_patience_ms() && atomic_load(value) < least; i++)
        raw_sleep_ms(1);
    return atomic_load(value) >= least;
}

/* --- channels ---------------------------------------------------------------------------------- */

struct oy_client_config *life_config(oyez_channel *channel)
{
    return (void *)&channel->subchannels.config;
}

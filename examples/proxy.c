/* SPDX-License-Identifier: Apache-2.0 */
/* A proxy: passes every call on to another server, of any service and kind, without knowing a single message. It needs no generated
 * code and no thread of its own: messages are raw bytes, and large ones are handed on by reference. What comes compressed is
 * handed on compressed, by the same compressor.
 *
 * usage: proxy LISTEN TARGET      such as: proxy 127.0.0.1:50052 127.0.0.1:50051 */
#include <stdio.h>
#include <stdlib.h>

#include <oyez/oyez.h>

/* One call on its way through. Each direction asks for a message when the one before has left on the other side. */
typedef struct passage {
    oyez_server_call *call;
    oyez_stream *in, *out;      /* the client's stream, and ours to the backend */
    oyez_method method;         /* of the path that was called; the passage outlives the stream */
    oyez_metadata *headers, *trailers;
    bool in_over, out_over;
} passage;

static void free_when_over(passage *it)
{
    if (!it->in_over || !it->out_over)
        return;
    oyez_stream_unref(it->out);
    oyez_metadata_free(it->headers);
    oyez_metadata_free(it->trailers);
    free(it);
}

/* --- the client's side ---------------------------------------------------------------------------------------- */

static void on_request(oyez_stream *stream, const void *message, void *user)
{
    passage *it = user;
    oyez_stream_set_compress(it->out, oyez_stream_received_compressed(stream));
    (void)oyez_stream_send(it->out, message);
}

static void on_request_end(oyez_stream *stream, void *user)
{
    passage *it = user;
    (void)stream;
    oyez_stream_close_send(it->out);
}

static void on_response_sent(oyez_stream *stream, void *user)
{
    passage *it = user;
    (void)stream;
    oyez_stream_request(it->out, 1);
}

static void on_client_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    passage *it = user;
    (void)stream;
    (void)status;
    it->in_over = true;
    if (!it->out_over)
        oyez_stream_cancel(it->out);
    free_when_over(it);
}

static const oyez_stream_events in_events = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_message = on_request,
    .on_half_close = on_request_end,
    .on_sent = on_response_sent,
    .on_done = on_client_done,
};

/* --- the backend's side ------------------------------------------------------------------------------------------ */

static void copy(passage *it, const oyez_metadata *from, bool trailer)
{
    oyez_str key, value;
    for (size_t i = 0; oyez_metadata_at(from, i, &key, &value); i++)
        if (trailer ? oyez_server_call_add_trailer(it->call, key.data, value.data, value.len)
                    : oyez_server_call_add_header(it->call, key.data, value.data, value.len))
            continue; /* content-type and the like are the library's business */
}

/* The backend's compressor; messages go as they are to a client that does not take it. */
static void set_encoding(passage *it)
{
    oyez_str encoding = oyez_stream_encoding(it->out);
    char name[33];
    snprintf(name, sizeof(name), "%.*s", (int)encoding.len, encoding.data);
    oyez_err err = oyez_server_call_set_compressor(it->call, encoding.len > 0 ? name : "identity");
    if (err)
        err = oyez_server_call_set_compressor(it->call, "identity");
    if (err)
        fprintf(stderr, "proxy: compression: %s\n", oyez_strerror(err));
}

static void on_headers(oyez_stream *stream, void *user)
{
    passage *it = user;
    (void)stream;
    if (it->in_over)
        return;
    copy(it, it->headers, false);
    set_encoding(it);
    if (oyez_server_call_send_headers(it->call))
        fprintf(stderr, "proxy: headers came twice\n");
}

static void on_response(oyez_stream *stream, const void *message, void *user)
{
    passage *it = user;
    if (it->in_over)
        return;
    oyez_stream_set_compress(it->in, oyez_stream_received_compressed(stream));
    (void)oyez_stream_send(it->in, message);
}

static void on_request_sent(oyez_stream *stream, void *user)
{
    passage *it = user;
    (void)stream;
    if (!it->in_over)
        oyez_stream_request(it->in, 1);
}

static void on_backend_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    passage *it = user;
    (void)stream;
    it->out_over = true;
    copy(it, it->trailers, true);
    if (status->code != OYEZ_OK)
        (void)oyez_server_call_fail_status(it->call, status);
    oyez_server_call *call = it->call;
    bool gone = it->in_over;
    oyez_server_call_finish(call, status->code);
    if (gone)
        free_when_over(it);
}

static const oyez_stream_events out_events = {
    OYEZ_STREAM_EVENTS_INIT,
    .on_headers = on_headers,
    .on_message = on_response,
    .on_sent = on_request_sent,
    .on_done = on_backend_done,
};

/* --- a call ---------------------------------------------------------------------------------------------------------- */

static void pass_on(void *self, oyez_server_call *call, oyez_stream *stream)
{
    oyez_str path = oyez_server_call_path(call);
    char *copy_of_path = oyez_server_call_alloc(call, path.len + 1);
    passage *it = calloc(1, sizeof(*it));
    if (!it || !copy_of_path || oyez_metadata_new(&it->headers) || oyez_metadata_new(&it->trailers)) {
        oyez_server_call_finish(call, oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory"));
        return;
    }
    snprintf(copy_of_path, path.len + 1, "%.*s", (int)path.len, path.data);
    it->call = call;
    it->in = stream;
    it->method = (oyez_method){ OYEZ_METHOD_INIT, .path = copy_of_path, .client_streaming = true, .server_streaming = true };
    oyez_str encoding = oyez_server_call_encoding(call);
    char *compressor = oyez_server_call_printf(call, "%.*s", (int)encoding.len, encoding.data);
    oyez_call_options options = {
        OYEZ_CALL_OPTIONS_INIT,
        .metadata = oyez_server_call_metadata(call),
        .headers = it->headers,
        .trailers = it->trailers,
        .compressor = encoding.len > 0 ? compressor : NULL,
    };
    oyez_err err = oyez_stream_start(self, &it->method, oyez_server_call_ctx(call), &options, NULL, &out_events, NULL, it,
                                     &it->out);
    if (err) {
        oyez_server_call_finish(call, oyez_server_call_fail(call, OYEZ_UNAVAILABLE, "%s", oyez_strerror(err)));
        oyez_metadata_free(it->headers);
        oyez_metadata_free(it->trailers);
        free(it);
        return;
    }
    oyez_stream_listen(stream, &in_events, NULL, it);
    oyez_stream_request(stream, 1);
    oyez_stream_request(it->out, 1);
}

int main(int argc, char **argv)
{
    oyez_runtime *runtime = NULL;
    oyez_channel *backend = NULL;
    oyez_server *server = NULL;
    if (argc != 3) {
        fprintf(stderr, "usage: proxy LISTEN TARGET\n");
        return 2;
    }
    /* One loop: both sides of a passage are then on the same thread, and need no locks. */
    oyez_err err = oyez_runtime_new(&(oyez_runtime_options){ OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1 }, &runtime);
    if (!err)
        err = oyez_channel_new(argv[2], oyez_insecure(),
                               &(oyez_channel_options){ OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime }, &backend);
    if (!err)
        err = oyez_server_new(&(oyez_server_options){ OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime }, &server);
    if (!err)
        err = oyez_server_set_unknown_handler(server, NULL, pass_on, backend);
    if (!err)
        err = oyez_server_listen(server, argv[1], oyez_insecure(), NULL);
    if (!err)
        err = oyez_server_serve(server);
    if (err)
        fprintf(stderr, "proxy: %s %s\n", oyez_strerror(err), oyez_server_words(server));
    oyez_server_unref(server);
    oyez_channel_unref(backend);
    oyez_runtime_unref(runtime);
    return err != 0;
}

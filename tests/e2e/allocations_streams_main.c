/* SPDX-License-Identifier: Apache-2.0 */
/* How often a stream that has been running for a while asks for memory: never, in either direction,
 * client and server apart, with callbacks and with functions that wait. Each scenario is one call:
 * a ping-pong, a flow of messages from the client, or one from the server. Generated code would only
 * add types, so methods are used without it. Exits with 77 where a sanitizer owns the allocator. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <oyez/oyez.h>

#include "allocations_common.h"
#include "grpc/testing/benchmark_service.oyez.h"

#ifdef SANITIZED

int main(void)
{
    return 77;
}

#else

/* --- what is played --------------------------------------------------------------------------- */

typedef enum kind { PING_PONG, FROM_CLIENT, FROM_SERVER, KINDS } kind;

typedef struct scenario {
    kind what;
    bool bytes;    /* the codec */
    bool blocking; /* the client */
    bool workers;  /* the server: blocking handlers */
    size_t body;   /* bytes of a message's payload */
} scenario;

/* More than a call keeps of what it has sent, for a second attempt. */
#define WARM_MESSAGES 10000
/* Of a flow: a small one, that stays as it is. Its receiver does not begin before it is full, for how
 * many messages wait is up to the scheduler: later there are never more. */
#define WINDOW_BYTES  65535
/* Asked for ahead of what has come. */
#define AHEAD         8
#define MAX_BODY      65536

static const char *const kind_names[KINDS] = {"ping-pong", "from client", "from server"};
static const oyez_method bytes_methods[KINDS] = {
    {OYEZ_METHOD_INIT, .path = "/test.Bytes/PingPong", .client_streaming = true,
     .server_streaming = true},
    {OYEZ_METHOD_INIT, .path = "/test.Bytes/FromClient", .client_streaming = true},
    {OYEZ_METHOD_INIT, .path = "/test.Bytes/FromServer", .server_streaming = true},
};

/* One at a time: the running scenario. */
static const scenario *now_playing;
static const oyez_method *method;
static oyez_runtime *client_runtime, *server_runtime;
static oyez_server *server;
static oyez_channel *channel;
static uint8_t zeros[MAX_BODY];
static oyez_slice bytes_message;
static Grpc__Testing__Payload payload;
static Grpc__Testing__SimpleRequest request_message;
static Grpc__Testing__SimpleResponse response_message;
static atomic_uint failures;
static atomic_bool enough; /* the server need send no more */
static atomic_uint server_sent, server_received, client_sent, client_received;
static unsigned ticks, window_end, windows; /* the client's one thread */
static oyez_code end_code;
static sem_t done;

static const void *request(void)
{
    return now_playing->bytes ? (const void *)&bytes_message : &request_message;
}

static const void *response(void)
{
    return now_playing->bytes ? (const void *)&bytes_message : &response_message;
}

static void expect(bool right, const char *what)
{
    if (!right && atomic_fetch_add(&failures, 1) == 0)
        printf("  %s\n", what);
}

static void check_body(size_t bytes)
{
    expect(bytes == now_playing->body, "a message of the wrong length came");
}

static void check_request(const void *message)
{
    if (now_playing->bytes)
        check_body(((const oyez_slice *)message)->len);
    else
        check_body(((const Grpc__Testing__SimpleRequest *)message)->payload->body.len);
}

static void check_response(const void *message)
{
    if (now_playing->bytes)
        check_body(((const oyez_slice *)message)->len);
    else
        check_body(((const Grpc__Testing__SimpleResponse *)message)->payload->body.len);
}

/* Waits until the sender of a flow does not get any further. */
static void wait_until_full(void)
{
    const struct timespec pause = {0, 30000000};
    atomic_uint *sent = now_playing->what == FROM_CLIENT ? &client_sent : &server_sent;
    unsigned before = 0, now = 0;
    for (int i = 0; i < 100 && (now == 0 || now != before); i++) {
        before = now;
        (void)nanosleep(&pause, NULL);
        now = atomic_load(sent);
    }
}

static void *begin_to_receive(void *user)
{
    wait_until_full();
    oyez_stream_request(user, AHEAD);
    return NULL;
}

/* The receiver of a flow that must not wait: somebody else does. */
static void receive_when_full(oyez_stream *stream)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, begin_to_receive, stream) == 0)
        (void)pthread_detach(thread);
    else
        oyez_stream_request(stream, AHEAD);
}

/* --- server: a handler that waits ------------------------------------------------------------- */

static oyez_code serve_waiting(const void *service, void *self, oyez_server_call *call,
                               const void *first, oyez_stream *stream, void *reply)
{
    const void *message;
    (void)service;
    (void)self;
    (void)call;
    (void)first;
    (void)reply;
    set_role(SERVER);
    if (now_playing->what == FROM_SERVER) {
        while (!atomic_load(&enough) && oyez_stream_send(stream, response()))
            server_sent++;
        return OYEZ_OK;
    }
    if (now_playing->what == FROM_CLIENT)
        wait_until_full();
    while (oyez_stream_recv(stream, &message)) {
        check_request(message);
        server_received++;
        if (now_playing->what == FROM_CLIENT)
            continue;
        if (!oyez_stream_send(stream, response()))
            return OYEZ_CANCELLED;
        server_sent++;
    }
    return OYEZ_OK;
}

/* --- server: events --------------------------------------------------------------------------- */

static void serve_send(oyez_stream *stream)
{
    expect(oyez_stream_send(stream, response()), "the server could not send");
    server_sent++;
}

static void serve_message(oyez_stream *stream, const void *message, void *user)
{
    (void)user;
    check_request(message);
    server_received++;
    if (now_playing->what == PING_PONG)
        serve_send(stream);
    oyez_stream_request(stream, 1);
}

static void serve_sent(oyez_stream *stream, void *user)
{
    (void)user;
    if (now_playing->what != FROM_SERVER)
        return;
    if (atomic_load(&enough))
        oyez_server_call_finish(oyez_stream_server_call(stream), OYEZ_OK);
    else
        serve_send(stream);
}

static void serve_half_close(oyez_stream *stream, void *user)
{
    oyez_server_call *call = oyez_stream_server_call(stream);
    (void)user;
    if (now_playing->what == PING_PONG)
        oyez_server_call_finish(call, OYEZ_OK);
    else if (now_playing->what == FROM_CLIENT)
        oyez_server_call_reply(call, response());
}

static void serve_events(const void *service, void *self, oyez_server_call *call,
                         const void *first, oyez_stream *stream)
{
    static const oyez_stream_events events = {
        OYEZ_STREAM_EVENTS_INIT,
        .on_message = serve_message,
        .on_sent = serve_sent,
        .on_half_close = serve_half_close,
    };
    (void)service;
    (void)self;
    (void)call;
    (void)first;
    oyez_stream_listen(stream, &events, NULL, NULL);
    if (now_playing->what == FROM_SERVER)
        serve_send(stream);
    else if (now_playing->what == FROM_CLIENT)
        receive_when_full(stream);
    else
        oyez_stream_request(stream, AHEAD);
}

/* --- both ends -------------------------------------------------------------------------------- */

static oyez_err register_service(void)
{
    const char *name = now_playing->bytes ? "test.Bytes"
                                          : GRPC_TESTING_BENCHMARK_SERVICE_SERVICE_NAME;
    const oyez_service_method row = {
        .method = method,
        .stream = now_playing->workers ? serve_waiting : NULL,
        .stream_async = now_playing->workers ? NULL : serve_events,
    };
    const oyez_service_desc desc = {OYEZ_SERVICE_DESC_INIT, .name = name, .methods = &row,
                                    .method_count = 1};
    return oyez_server_register(server, &desc);
}

static bool open_server(char *target, size_t cap)
{
    const oyez_runtime_options one_of_each = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1,
                                              .max_workers = 1};
    uint16_t port = 0;
    if (oyez_runtime_new(&one_of_each, &server_runtime))
        return false;
    const bool flow = now_playing->what != PING_PONG;
    const oyez_server_options options = {
        OYEZ_SERVER_OPTIONS_INIT,
        .runtime = server_runtime,
        .stream_window_bytes = flow ? WINDOW_BYTES : 0,
        .fixed_windows = flow,
    };
    if (oyez_server_new(&options, &server) || register_service() ||
        oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port) ||
        oyez_server_start(server))
        return false;
    (void)snprintf(target, cap, "127.0.0.1:%u", (unsigned)port);
    return set_role_of_loop(server_runtime, SERVER);
}

static bool open_client(const char *target)
{
    const oyez_runtime_options one_loop = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    if (oyez_runtime_new(&one_loop, &client_runtime))
        return false;
    const bool flow = now_playing->what != PING_PONG;
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .runtime = client_runtime,
        .stream_window_bytes = flow ? WINDOW_BYTES : 0,
        .fixed_windows = flow,
    };
    return !oyez_channel_new(target, oyez_insecure(), &options, &channel) &&
           set_role_of_loop(client_runtime, CLIENT);
}

static bool make_messages(void)
{
    oyez_buffer body = {zeros, now_playing->body, NULL};
    grpc__testing__payload__init(&payload);
    payload.body.data = zeros;
    payload.body.len = now_playing->body;
    grpc__testing__simple_request__init(&request_message);
    request_message.payload = &payload;
    grpc__testing__simple_response__init(&response_message);
    response_message.payload = &payload;
    bytes_message = (oyez_slice)OYEZ_SLICE_INIT;
    return !oyez_slice_append(&bytes_message, body);
}

static void close_both(void)
{
    channel = oyez_channel_unref(channel);
    server = oyez_server_unref(server);
    client_runtime = oyez_runtime_unref(client_runtime);
    server_runtime = oyez_runtime_unref(server_runtime);
    oyez_slice_fini(&bytes_message);
}

/* --- client ----------------------------------------------------------------------------------- */

/* Books a message of the client's. False: that is enough. The window that counts lies in the middle
 * of a flow that never pauses. */
static bool tick(void)
{
    ticks++;
    if (ticks == WARM_MESSAGES) {
        count_from_here();
    } else if (ticks == window_end) {
        count_no_more();
        if (++windows < WINDOWS && is_over_budget(0)) {
            window_end += WINDOW_CALLS;
            count_from_here();
        }
    }
    return ticks < window_end + AHEAD;
}

/* Waiting. */

static void ask_waiting(oyez_stream *stream)
{
    const void *message;
    const bool sends = now_playing->what != FROM_SERVER, hears = now_playing->what != FROM_CLIENT;
    if (!sends)
        wait_until_full();
    do {
        if (sends && !oyez_stream_send(stream, request()))
            break;
        client_sent += sends;
        if (hears && !oyez_stream_recv(stream, &message))
            break;
        client_received += hears;
        if (hears)
            check_response(message);
    } while (tick());
    atomic_store(&enough, true);
    if (sends)
        oyez_stream_close_send(stream);
    while (oyez_stream_recv(stream, &message)) /* the reply, or what was under way */
        client_received++;
}

static bool play_waiting(void)
{
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_stream *stream;
    if (oyez_stream_start(channel, method, NULL, NULL,
                          now_playing->what == FROM_SERVER ? request() : NULL, NULL, NULL, NULL,
                          &stream))
        return false;
    ask_waiting(stream);
    end_code = oyez_stream_finish(stream, &status);
    expect(end_code == OYEZ_OK, status.message);
    oyez_status_fini(&status);
    return true;
}

/* Events. */

static void ask_send(oyez_stream *stream)
{
    expect(oyez_stream_send(stream, request()), "the client could not send");
    client_sent++;
}

static void ask_message(oyez_stream *stream, const void *message, void *user)
{
    (void)user;
    client_received++;
    oyez_stream_request(stream, 1);
    if (now_playing->what == FROM_CLIENT)
        return;
    check_response(message);
    const bool more = tick();
    if (now_playing->what == FROM_SERVER)
        atomic_store(&enough, !more);
    else if (more)
        ask_send(stream);
    else
        oyez_stream_close_send(stream);
}

static void ask_sent(oyez_stream *stream, void *user)
{
    (void)user;
    if (now_playing->what != FROM_CLIENT)
        return;
    if (tick())
        ask_send(stream);
    else
        oyez_stream_close_send(stream);
}

static void ask_done(oyez_stream *stream, const oyez_status *status, void *user)
{
    (void)stream;
    (void)user;
    end_code = status->code;
    expect(status->code == OYEZ_OK, status->message);
    (void)sem_post(&done);
}

/* On the client's loop, so that nothing comes between. */
static void start_events(void *user)
{
    static const oyez_stream_events events = {
        OYEZ_STREAM_EVENTS_INIT,
        .on_message = ask_message,
        .on_sent = ask_sent,
        .on_done = ask_done,
    };
    oyez_stream **ret_stream = user;
    const bool sends = now_playing->what != FROM_SERVER;
    if (oyez_stream_start(channel, method, NULL, NULL, sends ? NULL : request(), &events, NULL,
                          NULL, ret_stream)) {
        expect(false, "the stream could not be started");
        (void)sem_post(&done);
        return;
    }
    if (sends) {
        oyez_stream_request(*ret_stream, AHEAD);
        ask_send(*ret_stream);
    } else {
        receive_when_full(*ret_stream);
    }
}

static bool play_events(void)
{
    oyez_stream *stream = NULL;
    if (oyez_runtime_post(client_runtime, start_events, &stream))
        return false;
    while (sem_wait(&done) != 0)
        continue;
    (void)oyez_stream_unref(stream);
    return end_code == OYEZ_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

static void rewind_all(void)
{
    atomic_store(&failures, 0);
    atomic_store(&enough, false);
    server_sent = server_received = 0;
    client_sent = client_received = ticks = windows = 0;
    window_end = WARM_MESSAGES + WINDOW_CALLS;
    end_code = OYEZ_UNKNOWN;
}

/* Nothing was lost on its way. */
static bool is_complete(void)
{
    unsigned to_server = now_playing->what == FROM_SERVER ? 0 : client_sent;
    unsigned to_client = now_playing->what == FROM_CLIENT ? 1 : server_sent;
    return windows > 0 && server_received == to_server && client_received == to_client;
}

static bool play(const scenario *what)
{
    static const oyez_method *const typed_methods[KINDS] = {
        &grpc_testing_benchmark_service_streaming_call_method,
        &grpc_testing_benchmark_service_streaming_from_client_method,
        &grpc_testing_benchmark_service_streaming_from_server_method,
    };
    char target[64], name[80];
    now_playing = what;
    method = what->bytes ? &bytes_methods[what->what] : typed_methods[what->what];
    rewind_all();
    bool ok = make_messages() && open_server(target, sizeof(target)) && open_client(target) &&
              (what->blocking ? play_waiting() : play_events()) && atomic_load(&failures) == 0 &&
              is_complete();
    count_no_more();
    if (!ok)
        printf("  it could not be played: %u and %u sent, %u and %u received\n", client_sent,
               server_sent, server_received, client_received);
    (void)snprintf(name, sizeof(name), "%s, %s of %zu, client %s, handler %s", kind_names[what->what],
                   what->bytes ? "bytes" : "protobuf-c", what->body,
                   what->blocking ? "waits" : "by events", what->workers ? "waits" : "by events");
    printf("%-72s", name);
    print_counts();
    printf(" in %d messages (window %u)\n", WINDOW_CALLS, windows);
    if (ok && is_over_budget(0)) {
        ok = false;
        print_traces();
    }
    close_both();
    return ok;
}

int main(void)
{
    enum { FORMS = 6 };
    static const struct {
        bool blocking, workers;
        size_t body;
    } forms[FORMS] = {{false, false, 1}, {false, true, 1},      {true, false, 1},
                      {true, true, 1},   {false, false, 10000}, {true, true, 10000}};
    unsigned counts[2] = {0, 0}; /* failed, passed */
    set_role(CLIENT); /* the calls that wait are made here */
    (void)sem_init(&done, 0, 0);
    counts[sees_the_libraries()]++;
    for (unsigned i = 0; i < KINDS * 2 * FORMS; i++) {
        const unsigned form = i / (KINDS * 2);
        const scenario what = {
            .what = (kind)(i % KINDS),
            .bytes = i / KINDS % 2 == 0,
            .blocking = forms[form].blocking,
            .workers = forms[form].workers,
            .body = forms[form].body,
        };
        counts[play(&what)]++;
    }
    printf("%u passed, %u failed\n", counts[1], counts[0]);
    return counts[0] != 0;
}

#endif

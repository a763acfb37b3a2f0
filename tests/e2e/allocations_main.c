/* SPDX-License-Identifier: Apache-2.0 */
/* How often unary calls ask for memory once everything is warm: never on the path of callbacks,
 * client and server apart; at most twice a call, besides the reply, on the path that blocks. Streams
 * are counted by allocations_streams_main.c. Exits with 77 where a sanitizer owns the allocator. */
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <oyez/oyez.h>

#include "allocations_common.h"
#include "grpc/testing/benchmark_service.oyez.h"

#ifdef SANITIZED

int main(void)
{
    return 77;
}

#else

/* --- server ----------------------------------------------------------------------------------- */

#define MAX_BODY 65536
static uint8_t zeros[MAX_BODY];

/* Who handles the calls, and how. */
typedef enum handling { ON_LOOP, ON_WORKER, BY_EVENT } handling;

static oyez_code echo_bytes(const void *service, void *self, oyez_server_call *call,
                            const void *request, void *reply)
{
    (void)service;
    (void)self;
    (void)call;
    set_role(SERVER);
    return oyez_slice_append_slice(reply, request) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

static void echo_bytes_async(const void *service, void *self, oyez_server_call *call,
                             const void *request)
{
    (void)service;
    (void)self;
    oyez_server_call_reply(call, request);
}

static oyez_code echo_message(void *self, oyez_server_call *call,
                              const Grpc__Testing__SimpleRequest *request,
                              Grpc__Testing__SimpleResponse *reply)
{
    (void)self;
    (void)call;
    set_role(SERVER);
    reply->payload = request->payload;
    return OYEZ_OK;
}

static void echo_message_async(void *self, oyez_server_call *call,
                               const Grpc__Testing__SimpleRequest *request)
{
    (void)self;
    Grpc__Testing__SimpleResponse reply = GRPC__TESTING__SIMPLE_RESPONSE__INIT;
    reply.payload = request->payload;
    grpc_testing_benchmark_service_unary_call_reply(call, &reply);
}

static const oyez_method bytes_method = {OYEZ_METHOD_INIT, .path = "/test.Bytes/Echo"};

static oyez_err register_bytes(oyez_server *server, handling how)
{
    const oyez_service_method method = {
        .method = &bytes_method,
        .unary = how == BY_EVENT ? NULL : echo_bytes,
        .unary_async = how == BY_EVENT ? echo_bytes_async : NULL,
    };
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT, .name = "test.Bytes",      .methods = &method,
        .method_count = 1,      .on_loop = how == ON_LOOP,
    };
    return oyez_server_register(server, &desc);
}

/* --- the ends of a scenario ------------------------------------------------------------------- */

typedef struct scenario {
    const char *name;
    bool blocking;
    bool bytes;  /* the codec */
    size_t body; /* bytes of a message's payload */
    handling how;
    uint64_t limit; /* what the client may allocate in all its calls, besides the replies */
    const char *compressor; /* of requests, and so of replies; NULL: none */
} scenario;

#define WARM_CALLS 5000
#define CALLS      WINDOW_CALLS
#define IN_FLIGHT  100

/* One at a time: the running scenario. */
static const scenario *now_playing;
static oyez_runtime *client_runtime, *server_runtime;
static oyez_server *server;
static oyez_channel *channel;
static grpc_testing_benchmark_service_service typed_service;
static oyez_slice request_bytes;
static Grpc__Testing__SimpleRequest request_message;
static Grpc__Testing__Payload request_payload;
static uint64_t client_budget; /* of a window */
static atomic_uint failures;
static sem_t done;
/* Client's loop alone. */
static unsigned started, ended, window_end, windows;

static bool open_server(char *target, size_t cap)
{
    /* A worker that is made is no steady state; this one is there after the first call. */
    const oyez_runtime_options with_workers = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1,
                                               .max_workers = 1};
    uint16_t port = 0;
    if (oyez_runtime_new(&with_workers, &server_runtime))
        return false;
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = server_runtime};
    handling how = now_playing->how;
    typed_service = (grpc_testing_benchmark_service_service){
        .unary_call = how == BY_EVENT ? NULL : echo_message,
        .unary_call_async = how == BY_EVENT ? echo_message_async : NULL,
        .on_loop = how == ON_LOOP,
    };
    if (oyez_server_new(&options, &server) || register_bytes(server, how) ||
        grpc_testing_benchmark_service_service_register(server, &typed_service, NULL) ||
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
    const oyez_call_options of_all = {OYEZ_CALL_OPTIONS_INIT, .compressor = now_playing->compressor};
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = client_runtime,
                                          .call_options = &of_all};
    oyez_buffer body = {zeros, now_playing->body, NULL};
    grpc__testing__simple_request__init(&request_message);
    grpc__testing__payload__init(&request_payload);
    request_payload.body.data = zeros;
    request_payload.body.len = now_playing->body;
    request_message.payload = &request_payload;
    request_message.response_size = (int32_t)now_playing->body;
    return !oyez_channel_new(target, oyez_insecure(), &options, &channel) &&
           !oyez_slice_append(&request_bytes, body) && set_role_of_loop(client_runtime, CLIENT);
}

static void close_both(void)
{
    channel = oyez_channel_unref(channel);
    server = oyez_server_unref(server);
    client_runtime = oyez_runtime_unref(client_runtime);
    server_runtime = oyez_runtime_unref(server_runtime);
    oyez_slice_fini(&request_bytes);
}

/* --- calls with callbacks --------------------------------------------------------------------- */

static void start_call(void);

/* Books a reply and goes on. The window that counts lies in the middle of calls that never pause.
 * */
static void end_call(const oyez_status *status, bool right)
{
    ended++;
    if (status->code != OYEZ_OK || !right) {
        if (atomic_fetch_add(&failures, 1) == 0)
            printf("  a call failed: %s: %s\n", oyez_code_name(status->code), status->message);
    }
    if (ended == WARM_CALLS) {
        count_from_here();
    } else if (ended == window_end) {
        count_no_more();
        if (++windows < WINDOWS && is_over_budget(client_budget)) {
            window_end += CALLS;
            count_from_here();
        }
    }
    if (started < window_end + IN_FLIGHT)
        start_call();
    else if (ended == started)
        (void)sem_post(&done);
}

static void on_bytes(oyez_call *call, const oyez_status *status, const void *reply, void *user)
{
    (void)call;
    (void)user;
    end_call(status, reply && ((const oyez_slice *)reply)->len == now_playing->body);
}

static void on_message(oyez_call *call, const oyez_status *status,
                       const Grpc__Testing__SimpleResponse *reply, void *user)
{
    (void)call;
    (void)user;
    end_call(status, reply && reply->payload && reply->payload->body.len == now_playing->body);
}

static void start_call(void)
{
    const grpc_testing_benchmark_service_stub stub = {.channel = channel};
    started++;
    oyez_err err = now_playing->bytes ? oyez_unary_call_async(channel, &bytes_method, NULL, NULL,
                                                              &request_bytes, on_bytes, NULL, NULL)
                                      : grpc_testing_benchmark_service_unary_call_async(
                                            stub, NULL, &request_message, on_message, NULL, NULL);
    if (err) {
        const oyez_status status = {OYEZ_INTERNAL, oyez_strerror(err), strlen(oyez_strerror(err)),
                                    NULL};
        end_call(&status, false);
    }
}

static void start_calls(void *user)
{
    (void)user;
    for (unsigned i = 0; i < IN_FLIGHT; i++)
        start_call();
}

static bool play_async(void)
{
    started = ended = windows = 0;
    window_end = WARM_CALLS + CALLS;
    if (oyez_runtime_post(client_runtime, start_calls, NULL))
        return false;
    while (sem_wait(&done) != 0)
        continue;
    return true;
}

/* --- calls that block ------------------------------------------------------------------------- */

static bool call_bytes(void)
{
    void *reply = NULL;
    bool ok = oyez_unary_call(channel, &bytes_method, NULL, NULL, &request_bytes, &reply, NULL) ==
                  OYEZ_OK &&
              ((oyez_slice *)reply)->len == now_playing->body;
    oyez_bytes_free(reply);
    return ok;
}

static bool call_message(void)
{
    const grpc_testing_benchmark_service_stub stub = {.channel = channel};
    Grpc__Testing__SimpleResponse *reply = NULL;
    bool ok = grpc_testing_benchmark_service_unary_call(stub, NULL, &request_message, &reply,
                                                        NULL) == OYEZ_OK &&
              reply->payload && reply->payload->body.len == now_playing->body;
    grpc__testing__simple_response__free_unpacked(reply, NULL);
    return ok;
}

static bool play_blocking(void)
{
    bool (*call)(void) = now_playing->bytes ? call_bytes : call_message;
    bool ok = true;
    for (int i = 0; i < WARM_CALLS && ok; i++)
        ok = call();
    windows = 0;
    do {
        count_from_here();
        for (int i = 0; i < CALLS && ok; i++)
            ok = call();
        count_no_more();
    } while (++windows < WINDOWS && ok && is_over_budget(client_budget));
    return ok;
}

/* --- the program ------------------------------------------------------------------------------ */

static bool play(const scenario *what)
{
    char target[64];
    now_playing = what;
    atomic_store(&failures, 0);
    bool ok = open_server(target, sizeof(target)) && open_client(target);
    client_budget = what->limit;
    if (what->blocking)
        client_budget += CALLS * (what->bytes ? 1 : unpack_allocations());
    ok = ok && (what->blocking ? play_blocking() : play_async()) && atomic_load(&failures) == 0;
    if (!ok)
        printf("  it could not be played\n");
    printf("%-44s", what->name);
    print_counts();
    printf(" in %d calls; allowed %llu (window %u)\n", CALLS, (unsigned long long)client_budget,
           windows);
    if (ok && is_over_budget(client_budget)) {
        ok = false;
        print_traces();
    }
    close_both();
    return ok;
}

int main(void)
{
    static const scenario scenarios[] = {
        {"callbacks, bytes, handler on the loop", false, true, 1, ON_LOOP, 0, NULL},
        {"callbacks, protobuf-c, handler on the loop", false, false, 1, ON_LOOP, 0, NULL},
        {"callbacks, bytes, handler on workers", false, true, 1, ON_WORKER, 0, NULL},
        {"callbacks, protobuf-c, handler on workers", false, false, 1, ON_WORKER, 0, NULL},
        {"callbacks, bytes, async handler", false, true, 1, BY_EVENT, 0, NULL},
        {"callbacks, protobuf-c, async handler", false, false, 1, BY_EVENT, 0, NULL},
        {"callbacks, bytes of 10000", false, true, 10000, ON_LOOP, 0, NULL},
        {"callbacks, protobuf-c of 10000", false, false, 10000, ON_LOOP, 0, NULL},
        {"blocking, bytes", true, true, 1, ON_LOOP, 2 * CALLS, NULL},
        {"blocking, protobuf-c", true, false, 1, ON_LOOP, 2 * CALLS, NULL},
        {"blocking, bytes, handler on workers", true, true, 1, ON_WORKER, 2 * CALLS, NULL},
        {"callbacks, bytes by gzip, handler on the loop", false, true, 100, ON_LOOP, 0, "gzip"},
        {"callbacks, protobuf-c by gzip, on the loop", false, false, 100, ON_LOOP, 0, "gzip"},
        {"callbacks, protobuf-c by gzip, on workers", false, false, 100, ON_WORKER, 0, "gzip"},
        {"callbacks, protobuf-c of 60000 by gzip", false, false, 60000, ON_LOOP, 0, "gzip"},
        {"callbacks, protobuf-c by deflate", false, false, 100, ON_LOOP, 0, "deflate"},
        {"blocking, protobuf-c by gzip", true, false, 100, ON_LOOP, 2 * CALLS, "gzip"},
    };
    unsigned passed = 0, failed = 0;
    set_role(CLIENT);
    (void)sem_init(&done, 0, 0);
    if (sees_the_libraries())
        passed++;
    else
        failed++;
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        if (play(&scenarios[i]))
            passed++;
        else
            failed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}

#endif

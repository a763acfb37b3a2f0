/* SPDX-License-Identifier: Apache-2.0 */
#include "e2e_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/leak.h"
#include "support/test.h"

/* --- handlers ---------------------------------------------------------------------------------------------------- */

static void enter(e2e_server *server)
{
    unsigned live = atomic_fetch_add(&server->live, 1) + 1;
    unsigned most = atomic_load(&server->most_live);
    while (live > most && !atomic_compare_exchange_weak(&server->most_live, &most, live))
        continue;
    atomic_fetch_add(&server->handled, 1);
}

static void leave(e2e_server *server)
{
    atomic_fetch_sub(&server->live, 1);
}

static oyez_code echo_metadata(oyez_server_call *call)
{
    const oyez_metadata *metadata = oyez_server_call_metadata(call);
    oyez_str key, value;
    for (size_t i = 0; oyez_metadata_at(metadata, i, &key, &value); i++) {
        if (strncmp(key.data, "echo-", 5) != 0)
            continue;
        if (oyez_server_call_add_header(call, key.data, value.data, value.len) ||
            oyez_server_call_add_trailer(call, key.data, value.data, value.len))
            return oyez_server_call_fail(call, OYEZ_INTERNAL, "metadata %s cannot be echoed", key.data);
    }
    return OYEZ_OK;
}

static oyez_code echo(oyez_server_call *call, const void *request, void *reply)
{
    oyez_code code = echo_metadata(call);
    if (code == OYEZ_OK && oyez_slice_append_slice(reply, request))
        code = OYEZ_RESOURCE_EXHAUSTED;
    return code;
}

static oyez_code on_echo(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    e2e_server *server = self;
    (void)service;
    enter(server);
    oyez_code code = echo(call, request, reply);
    leave(server);
    return code;
}

static oyez_code on_hold(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    e2e_server *server = self;
    (void)service;
    enter(server);
    while (!atomic_load(&server->gate) && !oyez_server_call_is_cancelled(call))
        raw_sleep_ms(1);
    if (oyez_server_call_is_cancelled(call))
        atomic_fetch_add(&server->cancelled, 1);
    oyez_code code = echo(call, request, reply);
    leave(server);
    return code;
}

static oyez_code on_fail(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    e2e_server *server = self;
    (void)service;
    (void)request;
    (void)reply;
    enter(server);
    pthread_mutex_lock(&server->lock);
    oyez_code code = oyez_server_call_fail_status(call, &server->fail);
    pthread_mutex_unlock(&server->lock);
    leave(server);
    return code;
}

static oyez_code on_big(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    e2e_server *server = self;
    char text[16] = "";
    oyez_block *block;
    (void)service;
    (void)call;
    enter(server);
    (void)oyez_slice_copy_to(request, text, sizeof(text) - 1);
    size_t len = (size_t)strtoul(text, NULL, 10);
    oyez_code code = OYEZ_OK;
    if (oyez_block_new(NULL, len, &block)) {
        code = OYEZ_RESOURCE_EXHAUSTED;
    } else {
        memset(oyez_block_data(block), 'b', len);
        if (oyez_slice_append(reply, oyez_buffer_of_block(block, len)))
            code = OYEZ_RESOURCE_EXHAUSTED;
    }
    leave(server);
    return code;
}

static void on_later(const void *service, void *self, oyez_server_call *call, const void *request)
{
    e2e_server *server = self;
    (void)service;
    (void)request;
    enter(server);
    pthread_mutex_lock(&server->lock);
    if (server->later_count == E2E_LATER_MAX)
        abort();
    server->later[server->later_count++] = call;
    pthread_mutex_unlock(&server->lock);
}

static oyez_code on_unknown(void *self, oyez_server_call *call, oyez_stream *stream)
{
    const void *request;
    while (oyez_stream_recv(stream, &request)) {
        oyez_slice reply = OYEZ_SLICE_INIT;
        oyez_code code = on_echo(NULL, self, call, request, &reply);
        bool sent = code == OYEZ_OK && oyez_stream_send(stream, &reply);
        oyez_slice_fini(&reply);
        if (!sent)
            return code == OYEZ_OK ? OYEZ_CANCELLED : code;
    }
    return OYEZ_OK;
}

static oyez_code begin(void *self, oyez_server_call *call)
{
    e2e_server *server = self;
    oyez_str path = oyez_server_call_path(call);
    atomic_fetch_add(&server->begun, 1);
    pthread_mutex_lock(&server->lock);
    snprintf(server->path, sizeof(server->path), "%.*s", (int)path.len, path.data);
    pthread_mutex_unlock(&server->lock);
    if (path.len != strlen("/pkg.Svc/Secret") || memcmp(path.data, "/pkg.Svc/Secret", path.len) != 0)
        return OYEZ_OK;
    atomic_fetch_add(&server->denied, 1);
    return oyez_server_call_fail(call, OYEZ_PERMISSION_DENIED, "not for you");
}

static void end(void *self, oyez_server_call *call, const oyez_status *status)
{
    e2e_server *server = self;
    (void)call;
    (void)status;
    atomic_fetch_add(&server->ended, 1);
}

/* --- the server -------------------------------------------------------------------------------------------------- */

#define METHOD(name, path_) static const oyez_method name = { OYEZ_METHOD_INIT, .path = path_ }
METHOD(svc_echo, "/pkg.Svc/Echo");
METHOD(svc_secret, "/pkg.Svc/Secret");
METHOD(svc_hold, "/pkg.Svc/Hold");
METHOD(svc_fail, "/pkg.Svc/Fail");
METHOD(svc_big, "/pkg.Svc/Big");
METHOD(loop_echo, "/pkg.Loop/Echo");
METHOD(loop_later, "/pkg.Loop/Later");
METHOD(loop_none, "/pkg.Loop/None");

static void add_services(e2e_server *server)
{
    const oyez_service_method svc[] = {
        { .method = &svc_echo, .unary = on_echo }, { .method = &svc_secret, .unary = on_echo },
        { .method = &svc_hold, .unary = on_hold }, { .method = &svc_fail, .unary = on_fail },
        { .method = &svc_big, .unary = on_big },
    };
    const oyez_service_method loop[] = {
        { .method = &loop_echo, .unary = on_echo },
        { .method = &loop_later, .unary_async = on_later },
        { .method = &loop_none },
    };
    const oyez_service_desc descs[] = {
        { OYEZ_SERVICE_DESC_INIT, .name = "pkg.Svc", .methods = svc, .method_count = 5, .self = server },
        { OYEZ_SERVICE_DESC_INIT, .name = "pkg.Loop", .methods = loop, .method_count = 3, .self = server,
          .on_loop = true },
    };
    for (size_t i = 0; i < 2; i++)
        if (oyez_server_register(server->server, &descs[i]))
            fail_msg("%s", oyez_server_words(server->server));
}

static e2e_server *serve(const oyez_server_options *user, bool unknown)
{
    oyez_server_options options = { OYEZ_SERVER_OPTIONS_INIT };
    const oyez_runtime_options runtime_options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 2 };
    e2e_server *server = calloc(1, sizeof(*server));
    assert_non_null(server);
    if (user)
        options = *user;
    if (options.runtime)
        server->runtime = oyez_runtime_ref(options.runtime);
    else
        assert_ok(oyez_runtime_new(&runtime_options, &server->runtime));
    options.runtime = server->runtime;
    /* The raw peer asks by PING whether what it sent has been looked at. */
    if (!options.keepalive_min_time) {
        options.keepalive_min_time = 1;
        options.keepalive_permit_without_calls = true;
    }
    pthread_mutex_init(&server->lock, NULL);
    server->fail = (oyez_status)OYEZ_STATUS_INIT;
    const oyez_server_interceptor interceptor = { OYEZ_SERVER_INTERCEPTOR_INIT, .self = server, .begin = begin,
                                                  .end = end };
    const oyez_server_interceptor *interceptors[] = { &interceptor };
    options.interceptors = interceptors;
    options.interceptor_count = 1;
    assert_ok(oyez_server_new(&options, &server->server));
    add_services(server);
    if (unknown)
        assert_ok(oyez_server_set_unknown_handler(server->server, on_unknown, NULL, server));
    if (oyez_server_listen(server->server, "127.0.0.1:0", oyez_insecure(), &server->port) ||
        oyez_server_start(server->server))
        fail_msg("%s", oyez_server_words(server->server));
    snprintf(server->target, sizeof(server->target), "ipv4:127.0.0.1:%u", server->port);
    return server;
}

e2e_server *e2e_serve(const oyez_server_options *options)
{
    return serve(options, false);
}

e2e_server *e2e_serve_unknown(const oyez_server_options *options)
{
    return serve(options, true);
}

void e2e_listen(e2e_server *server, const char *address)
{
    if (oyez_server_listen(server->server, address, oyez_insecure(), NULL))
        fail_msg("%s", oyez_server_words(server->server));
}

void e2e_set_fail(e2e_server *server, oyez_code code, const char *text, size_t len)
{
    pthread_mutex_lock(&server->lock);
    (void)oyez_status_set(&server->fail, code, text, len);
    pthread_mutex_unlock(&server->lock);
}

void e2e_seen_path(e2e_server *server, char path[256])
{
    pthread_mutex_lock(&server->lock);
    memcpy(path, server->path, sizeof(server->path));
    pthread_mutex_unlock(&server->lock);
}

void e2e_open_gate(e2e_server *server)
{
    atomic_store(&server->gate, true);
}

static oyez_server_call *take_later(e2e_server *server)
{
    oyez_server_call *call = NULL;
    pthread_mutex_lock(&server->lock);
    if (server->later_count > 0) {
        call = server->later[0];
        memmove(server->later, server->later + 1, --server->later_count * sizeof(call));
    }
    pthread_mutex_unlock(&server->lock);
    return call;
}

void e2e_answer_later(e2e_server *server)
{
    oyez_slice reply = OYEZ_SLICE_INIT;
    oyez_server_call *call = take_later(server);
    assert_non_null(call);
    oyez_str path = oyez_server_call_path(call);
    assert_ok(oyez_slice_append(&reply, (oyez_buffer){ (const uint8_t *)path.data, path.len, NULL }));
    leave(server);
    oyez_server_call_reply(call, &reply);
    oyez_slice_fini(&reply);
}

void e2e_end(e2e_server *server)
{
    if (!server)
        return;
    e2e_open_gate(server);
    oyez_server_stop(server->server);
    for (oyez_server_call *call; (call = take_later(server)) != NULL;)
        oyez_server_call_finish(call, OYEZ_UNAVAILABLE);
    assert_ok(oyez_server_wait(server->server, (oyez_duration)raw_patience_ms() * OYEZ_MILLISECOND));
    server->server = oyez_server_unref(server->server);
    oyez_runtime_unref(server->runtime);
    oyez_status_fini(&server->fail);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

void e2e_await_handled(e2e_server *server, unsigned count)
{
    E2E_UNTIL(atomic_load(&server->handled) >= count);
}

void e2e_await_live(e2e_server *server, unsigned count)
{
    E2E_UNTIL(atomic_load(&server->live) == count);
}

static unsigned later_count(e2e_server *server)
{
    pthread_mutex_lock(&server->lock);
    unsigned count = server->later_count;
    pthread_mutex_unlock(&server->lock);
    return count;
}

void e2e_await_later(e2e_server *server, unsigned count)
{
    E2E_UNTIL(later_count(server) >= count);
}

void e2e_expect_serves_on(raw_peer *peer, uint32_t id)
{
    assert_true(raw_call(peer, id, "/pkg.Svc/Echo", "still", 5));
    raw_expect_ok(peer, id, "still", 5);
}

void e2e_expect_serves(e2e_server *server)
{
    raw_peer *peer = raw_client(server->port);
    e2e_expect_serves_on(peer, 1);
    assert_true(raw_call(peer, 3, "/pkg.Loop/Echo", "here", 4));
    raw_expect_ok(peer, 3, "here", 4);
    raw_close(peer);
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static size_t resident_bytes(void)
{
    size_t total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu %zu", &total, &resident), 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

e2e_memory e2e_memory_now(void)
{
    return (e2e_memory){ oy_leak_live_bytes(), resident_bytes() };
}

void e2e_expect_bounded(const e2e_memory *before, size_t bytes)
{
    e2e_memory now = e2e_memory_now();
    if (now.live > before->live + bytes)
        fail_msg("the library holds %zu bytes more than before", now.live - before->live);
    if (!raw_sanitized() && now.resident > before->resident + bytes)
        fail_msg("the process has grown by %zu bytes", now.resident - before->resident);
}

/* --- clients ----------------------------------------------------------------------------------------------------- */

oyez_channel *e2e_channel_with(const oyez_channel_options *user, const char *target)
{
    oyez_channel_options options = *user;
    oyez_channel *channel = NULL;
    char words[512] = "";
    options.words = words;
    options.words_bytes = sizeof(words);
    if (oyez_channel_new(target, oyez_insecure(), &options, &channel))
        fail_msg("%s: %s", target, words);
    return channel;
}

oyez_channel *e2e_channel(oyez_runtime *runtime, uint16_t port)
{
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .runtime = runtime,
        .backoff_base = 20 * OYEZ_MILLISECOND,
        .backoff_max = 100 * OYEZ_MILLISECOND,
    };
    char target[64];
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    return e2e_channel_with(&options, target);
}

static void take_status(e2e_call *call, const oyez_status *status)
{
    call->code = status->code;
    call->words_len = status->message_len;
    size_t len = status->message_len < sizeof(call->words) - 1 ? status->message_len : sizeof(call->words) - 1;
    memcpy(call->words, status->message, len);
    call->words[len] = '\0';
}

static void take_reply(e2e_call *call, const oyez_slice *reply)
{
    call->body = malloc(reply->len + 1);
    assert_non_null(call->body);
    call->body_len = oyez_slice_copy_to(reply, call->body, reply->len);
}

/* Methods are borrowed for as long as the program lives; tests have but a few paths. */
static const oyez_method *method_of(const char *path)
{
    static struct {
        oyez_method method;
        char path[256];
    } methods[32];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const oyez_method *found = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < 32 && !found; i++) {
        if (!methods[i].method.path) {
            snprintf(methods[i].path, sizeof(methods[i].path), "%s", path);
            methods[i].method = (oyez_method){ OYEZ_METHOD_INIT, .path = methods[i].path };
        }
        if (strcmp(methods[i].path, path) == 0)
            found = &methods[i].method;
    }
    pthread_mutex_unlock(&lock);
    assert_non_null(found);
    return found;
}

static oyez_call_options complete(const oyez_call_options *user)
{
    oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT };
    if (user)
        options = *user;
    if (!options.timeout)
        options.timeout = (oyez_duration)raw_patience_ms() * OYEZ_MILLISECOND;
    return options;
}

void e2e_call_now(e2e_call *call, oyez_channel *channel, const char *path, const void *data, size_t len,
                  const oyez_call_options *user)
{
    const oyez_call_options options = complete(user);
    oyez_slice request = OYEZ_SLICE_INIT;
    oyez_status status = OYEZ_STATUS_INIT;
    void *reply = NULL;
    memset(call, 0, sizeof(*call));
    call->started = oyez_now();
    assert_ok(oyez_slice_append(&request, (oyez_buffer){ data, len, NULL }));
    oyez_code code = oyez_unary_call(channel, method_of(path), NULL, &options, &request, &reply, &status);
    call->ended = oyez_now();
    take_status(call, &status);
    assert_int_equal(code, call->code);
    assert_true((code == OYEZ_OK) == (reply != NULL));
    if (reply)
        take_reply(call, reply);
    oyez_bytes_free(reply);
    oyez_status_fini(&status);
    oyez_slice_fini(&request);
    call->done = 1;
}

static void on_done(oyez_call *handle, const oyez_status *status, const void *reply, void *user)
{
    e2e_call *call = user;
    take_status(call, status);
    if (reply)
        take_reply(call, reply);
    snprintf(call->peer, sizeof(call->peer), "%s", oyez_call_peer(handle));
    call->ended = oyez_now();
    atomic_fetch_add(&call->done, 1);
}

void e2e_call_start(e2e_call *call, oyez_channel *channel, const char *path, const void *data, size_t len,
                    const oyez_call_options *user)
{
    const oyez_call_options options = complete(user);
    oyez_slice request = OYEZ_SLICE_INIT;
    memset(call, 0, sizeof(*call));
    call->started = oyez_now();
    assert_ok(oyez_slice_append(&request, (oyez_buffer){ data, len, NULL }));
    assert_ok(oyez_unary_call_async(channel, method_of(path), NULL, &options, &request, on_done, call, &call->call));
    oyez_slice_fini(&request);
}

void e2e_call_await(e2e_call *call)
{
    E2E_UNTIL(atomic_load(&call->done) > 0);
    assert_int_equal(atomic_load(&call->done), 1);
}

void e2e_call_free(e2e_call *call)
{
    call->call = oyez_call_unref(call->call);
    free(call->body);
    call->body = NULL;
}

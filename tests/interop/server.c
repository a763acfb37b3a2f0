/* SPDX-License-Identifier: Apache-2.0 */
/* The interop server: grpc.testing.TestService as grpc/doc/interop-test-descriptions.md wants it,
 * with the flags of the servers of gRPC-Go and gRPC C++. Runs until SIGTERM or SIGINT. Streaming
 * methods are not there yet and answer UNIMPLEMENTED. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grpc/testing/test.oyez.h"
#include "support/flags.h"

#define ECHO_INITIAL  "x-grpc-test-echo-initial"
#define ECHO_TRAILING "x-grpc-test-echo-trailing-bin"

/* Bodies of replies are zeros: all of them are views of this, so that no request can make memory
 * grow. */
#define MAX_BODY ((int32_t)64 << 20)
static uint8_t zeros[MAX_BODY];

/* The two echo headers: the first value of each goes back. */
static oyez_err echo_metadata(oyez_server_call *call)
{
    const oyez_metadata *metadata = oyez_server_call_metadata(call);
    oyez_err err = OYEZ_NO_ERR;
    oyez_str initial = oyez_metadata_get(metadata, ECHO_INITIAL);
    oyez_str trailing = oyez_metadata_get(metadata, ECHO_TRAILING);
    if (initial.data)
        err = oyez_server_call_add_header(call, ECHO_INITIAL, initial.data, initial.len);
    if (!err && trailing.data)
        err = oyez_server_call_add_trailer(call, ECHO_TRAILING, trailing.data, trailing.len);
    return err;
}

/* Makes the payload that a request asks for, in the call's arena. */
static oyez_code fill(oyez_server_call *call, Grpc__Testing__PayloadType type, int32_t size,
                      Grpc__Testing__Payload **ret_payload)
{
    if (type != GRPC__TESTING__PAYLOAD_TYPE__COMPRESSABLE)
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                     "payload type %d is not supported", (int)type);
    if (size < 0)
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                     "the response size is negative: %d", size);
    if (size > MAX_BODY)
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED,
                                     "a response of %d bytes is asked for, %d is the most", size,
                                     MAX_BODY);
    Grpc__Testing__Payload *payload = oyez_server_call_alloc(call, sizeof(*payload));
    if (!payload)
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    grpc__testing__payload__init(payload);
    payload->type = type;
    payload->body.data = zeros;
    payload->body.len = (size_t)size;
    *ret_payload = payload;
    return OYEZ_OK;
}

static oyez_code empty_call(void *self, oyez_server_call *call, const Grpc__Testing__Empty *request,
                            Grpc__Testing__Empty *reply)
{
    (void)self;
    (void)call;
    (void)request;
    (void)reply;
    return OYEZ_OK;
}

static oyez_code unary_call(void *self, oyez_server_call *call,
                            const Grpc__Testing__SimpleRequest *request,
                            Grpc__Testing__SimpleResponse *reply)
{
    (void)self;
    oyez_err err = echo_metadata(call);
    if (err)
        return oyez_server_call_fail(call, OYEZ_INTERNAL, "the metadata cannot be echoed: %s",
                                     oyez_strerror(err));
    const Grpc__Testing__EchoStatus *status = request->response_status;
    if (status && status->code != 0)
        return oyez_server_call_fail(call, (oyez_code)status->code, "%s", status->message);
    if (request->expect_compressed && request->expect_compressed->value)
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT,
                                     "a compressed request is expected, and this one is not");
    if (request->fill_server_id) {
        reply->server_id = oyez_server_call_printf(call, "oyez-%d", (int)getpid());
        if (!reply->server_id)
            return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    }
    return fill(call, request->response_type, request->response_size, &reply->payload);
}

/* The body is the time, so that a caching proxy can be told from none. */
static oyez_code cacheable_unary_call(void *self, oyez_server_call *call,
                                      const Grpc__Testing__SimpleRequest *request,
                                      Grpc__Testing__SimpleResponse *reply)
{
    static const char control[] = "max-age=60, public";
    (void)self;
    (void)request;
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    char *text = oyez_server_call_printf(
        call, "%lld", (long long)now.tv_sec * 1000000000 + (long long)now.tv_nsec);
    oyez_code code = fill(call, GRPC__TESTING__PAYLOAD_TYPE__COMPRESSABLE, 0, &reply->payload);
    if (code != OYEZ_OK)
        return code;
    if (!text || oyez_server_call_add_header(call, "cache-control", control, sizeof(control) - 1))
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    reply->payload->body.data = (uint8_t *)text;
    reply->payload->body.len = strlen(text);
    return OYEZ_OK;
}

/* Interfaces of both families, or of IPv4 alone where there is no IPv6; what else fails fails. */
static oyez_err listen_everywhere(oyez_server *server, int port, uint16_t *ret_port)
{
    char address[32];
    (void)snprintf(address, sizeof(address), "[::]:%d", port);
    oyez_err err = oyez_server_listen(server, address, oyez_insecure(), ret_port);
    if (err == OYEZ_NO_ERR || err == OYEZ_EADDRINUSE || err == OYEZ_EACCES)
        return err;
    (void)snprintf(address, sizeof(address), "0.0.0.0:%d", port);
    return oyez_server_listen(server, address, oyez_insecure(), ret_port);
}

static oyez_err serve(oyez_server *server, const grpc_testing_test_service_service *service,
                      int port, const sigset_t *signals)
{
    uint16_t bound = 0;
    oyez_err err = grpc_testing_test_service_service_register(server, service, NULL);
    if (!err)
        err = listen_everywhere(server, port, &bound);
    if (!err)
        err = oyez_server_start(server);
    if (err)
        return err;
    printf("listening on port %u\n", (unsigned)bound);
    (void)fflush(stdout);
    int number = 0;
    (void)sigwait(signals, &number);
    oyez_server_graceful_stop(server, 2 * OYEZ_SECOND);
    return oyez_server_wait(server, 5 * OYEZ_SECOND);
}

int main(int argc, char **argv)
{
    static const char no_tls[] = "this build has no TLS";
    int port = 10000;
    const char *handler = "workers";
    const oy_flag flags[] = {
        {.name = "port",
         .kind = OY_FLAG_INT,
         .value = &port,
         .help = "0: any; it is printed",
         .most = 65535},
        {.name = "handler",
         .kind = OY_FLAG_WORD,
         .value = &handler,
         .help = "where handlers run",
         .words = "workers|loop"},
        {.name = "use_tls", .kind = OY_FLAG_OFF, .help = no_tls},
        {.name = "use_alts", .kind = OY_FLAG_OFF, .help = "this build has no ALTS"},
        {.name = "custom_credentials_type",
         .kind = OY_FLAG_OFF,
         .help = "this build has no such credentials",
         .words = "insecure"},
        {.name = "alts_handshaker_service_address",
         .kind = OY_FLAG_IGNORED,
         .help = "of ALTS only"},
        {.name = "tls_cert_file", .kind = OY_FLAG_IGNORED, .help = "of TLS only"},
        {.name = "tls_key_file", .kind = OY_FLAG_IGNORED, .help = "of TLS only"},
        {.name = "max_send_message_size",
         .kind = OY_FLAG_OFF,
         .help = "sizes are not limited here",
         .words = "-1"},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "A server of grpc.testing.TestService.", argc, argv)) {
    case OY_FLAGS_GO:
        break;
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        return 2;
    }

    /* Blocked before the first thread is made: this one waits for them. */
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);

    const grpc_testing_test_service_service service = {
        .empty_call = empty_call,
        .unary_call = unary_call,
        .cacheable_unary_call = cacheable_unary_call,
        .on_loop = strcmp(handler, "loop") == 0,
    };
    oyez_server *server = NULL;
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = serve(server, &service, port, &signals);
    if (err) {
        const char *words = server ? oyez_server_words(server) : "";
        fprintf(stderr, "oyez-interop-server: %s\n", words[0] ? words : oyez_strerror(err));
    }
    oyez_server_unref(server);
    return err != 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Interceptors: what stands around every call. The server's outer one writes a line for each call, its inner one lets in who
 * has a token and tells the handler who that is; the client's gives each call the token. A server and a client in one
 * program. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "helloworld.oyez.h"

/* --- the server's ----------------------------------------------------------------------------- */

static int began_key, who_key; /* values of a call are found by an address */

static oyez_code note_begin(void *self, oyez_server_call *call)
{
    oyez_duration *began = oyez_server_call_alloc(call, sizeof(*began));
    (void)self;
    if (!began || oyez_server_call_set_value(call, &began_key, began))
        return oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "out of memory");
    *began = oyez_now();
    return OYEZ_OK;
}

static void note_end(void *self, oyez_server_call *call, const oyez_status *status)
{
    const oyez_duration *began = oyez_server_call_value(call, &began_key);
    oyez_str path = oyez_server_call_path(call);
    (void)self;
    printf("server: %.*s from %s: %s after %" PRId64 " us\n", (int)path.len, path.data, oyez_server_call_peer(call),
           oyez_code_name(status->code), began ? (oyez_now() - *began) / OYEZ_MICROSECOND : 0);
}

static oyez_code let_in(void *self, oyez_server_call *call)
{
    static char ada[] = "Ada";
    oyez_str token = oyez_metadata_get(oyez_server_call_metadata(call), "authorization");
    (void)self;
    if (!token.data || strcmp(token.data, "Bearer of-ada") != 0)
        return oyez_server_call_fail(call, OYEZ_UNAUTHENTICATED, "a token is missing, or not known here");
    return oyez_server_call_set_value(call, &who_key, ada) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    const char *who = oyez_server_call_value(call, &who_key);
    (void)self;
    reply->message = oyez_server_call_printf(call, "Hello %s, says %s", req->name, who);
    return OYEZ_OK;
}

static oyez_err serve(oyez_server **ret_server, uint16_t *ret_port)
{
    static const oyez_server_interceptor log = {OYEZ_SERVER_INTERCEPTOR_INIT, .begin = note_begin, .end = note_end};
    static const oyez_server_interceptor door = {OYEZ_SERVER_INTERCEPTOR_INIT, .begin = let_in};
    static const oyez_server_interceptor *const chain[] = {&log, &door}; /* the outermost first */
    static const helloworld_greeter_service service = {.say_hello = say_hello};
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .interceptors = chain, .interceptor_count = 2};
    oyez_err err = oyez_server_new(&options, ret_server);
    if (!err)
        err = helloworld_greeter_service_register(*ret_server, &service, NULL);
    if (!err)
        err = oyez_server_listen(*ret_server, "127.0.0.1:0", oyez_insecure(), ret_port);
    return err ? err : oyez_server_start(*ret_server);
}

/* --- the client's ----------------------------------------------------------------------------- */

static oyez_code add_token(void *self, oyez_call *call)
{
    const char *token = self;
    if (oyez_call_add_metadata(call, "authorization", token, strlen(token)))
        return oyez_call_fail(call, OYEZ_UNAUTHENTICATED, "the token cannot be sent");
    return OYEZ_OK;
}

static oyez_code greet(uint16_t port, char *token)
{
    const oyez_client_interceptor bearer = {OYEZ_CLIENT_INTERCEPTOR_INIT, .self = token, .begin = add_token};
    const oyez_client_interceptor *const chain[] = {&bearer};
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .interceptors = chain, .interceptor_count = 1};
    oyez_channel *channel = NULL;
    char target[32];
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    if (oyez_channel_new(target, oyez_insecure(), &options, &channel))
        return OYEZ_INTERNAL;
    helloworld_greeter_stub greeter = {.channel = channel};
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    Helloworld__HelloReply *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    req.name = "Grace";
    oyez_code code = helloworld_greeter_say_hello(greeter, NULL, &req, &reply, &status);
    if (code == OYEZ_OK)
        printf("client: %s\n", reply->message);
    else
        printf("client: %s: %s\n", oyez_code_name(code), status.message);
    helloworld__hello_reply__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
    oyez_channel_unref(channel);
    return code;
}

int main(void)
{
    static char right[] = "Bearer of-ada", wrong[] = "Bearer of-nobody";
    oyez_server *server = NULL;
    uint16_t port = 0;
    bool ok = false;
    oyez_err err = serve(&server, &port);
    if (err)
        fprintf(stderr, "interceptor: %s\n", oyez_strerror(err));
    else
        ok = greet(port, right) == OYEZ_OK && greet(port, wrong) == OYEZ_UNAUTHENTICATED;
    oyez_server_unref(server);
    return !ok;
}

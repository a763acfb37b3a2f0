/* SPDX-License-Identifier: Apache-2.0 */
/* A deadline goes along with the call: a client has half a second, a server that calls another one
 * hands the rest of it on, and the one that is too slow hears in time that nobody waits for it any
 * more. Two servers and a client in one program. */
#include <stdio.h>
#include <time.h>

#include "helloworld.oyez.h"

/* The second server: takes ten seconds, if it is let. */
static oyez_code take_long(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    const struct timespec pause = {0, 10000000};
    oyez_duration left = oyez_ctx_deadline(oyez_server_call_ctx(call)) - oyez_now();
    (void)self;
    (void)req;
    (void)reply;
    printf("The second server has %s half a second\n",
           left <= OYEZ_SECOND / 2 ? "less than" : "more than");
    for (int i = 0; i < 1000 && !oyez_server_call_is_cancelled(call); i++)
        nanosleep(&pause, NULL);
    printf("The second server stops working\n");
    return OYEZ_DEADLINE_EXCEEDED;
}

/* The first server: asks the second one. The ctx of its own call is the parent of the other. */
static oyez_code ask_another(void *self, oyez_server_call *call,
                             const Helloworld__HelloRequest *req, Helloworld__HelloReply *reply)
{
    helloworld_greeter_stub *second = self;
    oyez_status status = OYEZ_STATUS_INIT;
    (void)reply;
    oyez_code code =
        helloworld_greeter_say_hello(*second, oyez_server_call_ctx(call), req, NULL, &status);
    /* Its own deadline, or that its client, whose deadline is the same, has cancelled: what is first. */
    printf("The first server waits no longer: %s\n", oyez_code_name(code));
    if (code != OYEZ_OK)
        oyez_server_call_fail_status(call, &status);
    oyez_status_fini(&status);
    return code;
}

/* A server on some port, and a channel to it. */
static oyez_err open_both(const helloworld_greeter_service *service, void *self,
                          oyez_server **ret_server, oyez_channel **ret_channel)
{
    char target[32];
    uint16_t port = 0;
    oyez_err err = oyez_server_new(NULL, ret_server);
    if (!err)
        err = helloworld_greeter_service_register(*ret_server, service, self);
    if (!err)
        err = oyez_server_listen(*ret_server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(*ret_server);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    if (!err)
        err = oyez_channel_new(target, oyez_insecure(), NULL, ret_channel);
    return err;
}

int main(void)
{
    static const helloworld_greeter_service slow = {.say_hello = take_long};
    static const helloworld_greeter_service asking = {.say_hello = ask_another};
    oyez_server *servers[2] = {NULL, NULL};
    oyez_channel *channels[2] = {NULL, NULL};
    helloworld_greeter_stub second = {.channel = NULL};
    oyez_status status = OYEZ_STATUS_INIT;

    oyez_err err = open_both(&slow, NULL, &servers[1], &channels[1]);
    second.channel = channels[1];
    if (!err)
        err = open_both(&asking, &second, &servers[0], &channels[0]);
    if (err) {
        fprintf(stderr, "deadline: %s\n", oyez_strerror(err));
    } else {
        const oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .timeout = OYEZ_SECOND / 2};
        helloworld_greeter_stub greeter = {.channel = channels[0], .options = &options};
        Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
        helloworld_greeter_say_hello(greeter, NULL, &req, NULL, &status);
        printf("The client got %s: %s\n", oyez_code_name(status.code), status.message);
    }
    bool as_told = status.code == OYEZ_DEADLINE_EXCEEDED;
    for (int i = 0; i < 2; i++) {
        oyez_channel_unref(channels[i]);
        oyez_server_unref(servers[i]); /* waits for its handlers */
    }
    oyez_status_fini(&status);
    return !as_told;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A server stops without breaking off what it has begun: the calls under way end well, new ones
 * find nobody, and a call that takes too long does not hold up the end for ever. A server and a
 * client in one program. */
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#include "helloworld.oyez.h"

typedef struct app {
    sem_t begun, ended;
    oyez_code code;
} app;

/* Takes a quarter of a second. */
static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    const struct timespec pause = {0, 250000000};
    app *a = self;
    sem_post(&a->begun);
    nanosleep(&pause, NULL);
    reply->message = oyez_server_call_printf(call, "Hello %s", req->name);
    return OYEZ_OK;
}

static void on_reply(oyez_call *call, const oyez_status *status,
                     const Helloworld__HelloReply *reply, void *user)
{
    app *a = user;
    (void)call;
    printf("The call under way: %s\n", status->code == OYEZ_OK ? reply->message : status->message);
    a->code = status->code;
    sem_post(&a->ended);
}

/* Stops the server while a call is under way. */
static bool stop_during_a_call(oyez_server *server, helloworld_greeter_stub greeter, app *a)
{
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    req.name = "at last";
    if (helloworld_greeter_say_hello_async(greeter, NULL, &req, on_reply, a, NULL))
        return false;
    sem_wait(&a->begun);
    oyez_server_graceful_stop(
        server, 5 * OYEZ_SECOND); /* returns at once; after five seconds calls are cut off */
    oyez_err err = oyez_server_wait(server, OYEZ_FOREVER);
    printf("The server has ended: %s\n", err ? oyez_strerror(err) : "all calls were answered");
    sem_wait(&a->ended);
    oyez_code code = helloworld_greeter_say_hello(greeter, NULL, &req, NULL, NULL);
    printf("A new call: %s\n", oyez_code_name(code));
    return !err && a->code == OYEZ_OK && code == OYEZ_UNAVAILABLE;
}

int main(void)
{
    static const helloworld_greeter_service service = {.say_hello = say_hello};
    oyez_server *server = NULL;
    oyez_channel *channel = NULL;
    uint16_t port = 0;
    char target[32];
    bool ok = false;
    app a = {.code = OYEZ_UNKNOWN};
    sem_init(&a.begun, 0, 0);
    sem_init(&a.ended, 0, 0);
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = helloworld_greeter_service_register(server, &service, &a);
    if (!err)
        err = oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    if (!err)
        err = oyez_channel_new(target, oyez_insecure(), NULL, &channel);
    if (err)
        fprintf(stderr, "graceful_stop: %s\n", oyez_strerror(err));
    else
        ok = stop_during_a_call(server, (helloworld_greeter_stub){.channel = channel}, &a);
    oyez_channel_unref(channel);
    oyez_server_unref(server);
    sem_destroy(&a.begun);
    sem_destroy(&a.ended);
    return !ok;
}

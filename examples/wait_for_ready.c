/* SPDX-License-Identifier: Apache-2.0 */
/* Calls while no server is there: one fails at once, one fails when its time is over, and one that
 * has time waits until the server has come. The server comes on the same port half a second later,
 * in the same program. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "helloworld.oyez.h"

static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    (void)self;
    reply->message = oyez_server_call_printf(call, "Hello %s", req->name);
    return OYEZ_OK;
}

static oyez_err open_server(const char *address, oyez_server **ret_server, uint16_t *ret_port)
{
    static const helloworld_greeter_service service = {.say_hello = say_hello};
    oyez_err err = oyez_server_new(NULL, ret_server);
    if (!err)
        err = helloworld_greeter_service_register(*ret_server, &service, NULL);
    if (!err)
        err = oyez_server_listen(*ret_server, address, oyez_insecure(), ret_port);
    return err;
}

typedef struct late {
    char address[32];
    oyez_server *server;
    oyez_err err;
} late;

static void *come_late(void *user)
{
    const struct timespec pause = {0, 500000000};
    late *l = user;
    nanosleep(&pause, NULL);
    l->err = open_server(l->address, &l->server, NULL);
    if (!l->err)
        l->err = oyez_server_start(l->server);
    return NULL;
}

static oyez_code greet(oyez_channel *channel, const char *what, bool wait_for_ready,
                       oyez_duration timeout)
{
    const oyez_call_options options = {
        OYEZ_CALL_OPTIONS_INIT,
        .wait_for_ready = wait_for_ready,
        .timeout = timeout,
    };
    helloworld_greeter_stub greeter = {.channel = channel, .options = &options};
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    oyez_code code = helloworld_greeter_say_hello(greeter, NULL, &req, NULL, NULL);
    printf("%s: %s\n", what, oyez_code_name(code));
    return code;
}

int main(void)
{
    oyez_server *first = NULL;
    oyez_channel *channel = NULL;
    late l = {.server = NULL};
    pthread_t thread;
    uint16_t port = 0;
    char target[32];
    bool as_told = false;

    /* a port on which nobody listens: one that a server had a moment ago */
    oyez_err err = open_server("127.0.0.1:0", &first, &port);
    oyez_server_unref(first);
    snprintf(l.address, sizeof(l.address), "127.0.0.1:%u", port);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    /* it tries again soon, for the sake of this program: the default begins with a second */
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT,
                                          .backoff_base = OYEZ_SECOND / 10};
    if (!err)
        err = oyez_channel_new(target, oyez_insecure(), &options, &channel);
    if (!err && pthread_create(&thread, NULL, come_late, &l) == 0) {
        oyez_duration time = 10 * OYEZ_SECOND;
        as_told = greet(channel, "Without waiting", false, time) == OYEZ_UNAVAILABLE;
        as_told =
            greet(channel, "Waiting too short", true, OYEZ_SECOND / 10) == OYEZ_DEADLINE_EXCEEDED &&
            as_told;
        as_told = greet(channel, "Waiting for ready", true, time) == OYEZ_OK && as_told;
        pthread_join(thread, NULL);
        err = l.err;
    }
    if (err)
        fprintf(stderr, "wait_for_ready: %s\n", oyez_strerror(err));
    oyez_channel_unref(channel);
    oyez_server_unref(l.server);
    return !as_told;
}

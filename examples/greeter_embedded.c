/* SPDX-License-Identifier: Apache-2.0 */
/* oyez inside a main loop that is yours, without any thread: a server, and a client that calls it, both
 * turned by one epoll. The library gives three things: a descriptor to wait for, how long the wait may
 * last, and a function that does what is due. */
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "helloworld.oyez.h"

typedef struct app {
    bool ended;
    bool ok;
} app;

static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    (void)self;
    reply->message = oyez_server_call_printf(call, "Hello %s", req->name);
    return OYEZ_OK;
}

/* Without threads there is nobody else to run a handler: it says that it does not block. */
static const helloworld_greeter_service greeter_impl = {.say_hello = say_hello, .on_loop = true};

static void on_reply(oyez_call *call, const oyez_status *status,
                     const Helloworld__HelloReply *reply, void *user)
{
    app *a = user;
    (void)call;
    a->ok = status->code == OYEZ_OK;
    a->ended = true;
    if (a->ok)
        printf("Greeting: %s\n", reply->message);
    else
        fprintf(stderr, "%s: %s\n", oyez_code_name(status->code), status->message);
}

/* The main loop. A real one has more in its epoll than one descriptor. */
static oyez_err turn_until_ended(oyez_runtime *runtime, const app *a)
{
    struct epoll_event event = {.events = EPOLLIN};
    oyez_err err = OYEZ_NO_ERR;
    int epoll = epoll_create1(EPOLL_CLOEXEC);

    if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, oyez_runtime_fd(runtime), &event) != 0)
        err = OYEZ_ESYS;
    while (!err && !a->ended) {
        /* asked anew before each wait: deadlines may have come and gone */
        epoll_wait(epoll, &event, 1, oyez_runtime_timeout_ms(runtime));
        err = oyez_runtime_dispatch(runtime);
    }
    if (epoll >= 0)
        close(epoll);
    return err;
}

int main(int argc, char **argv)
{
    oyez_runtime *runtime = NULL;
    oyez_server *server = NULL;
    oyez_channel *channel = NULL;
    uint16_t port = 0;
    char target[32];
    app a = {.ended = false};
    oyez_err err = oyez_runtime_new_manual(NULL, &runtime);

    oyez_server_options server_options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime};
    if (!err)
        err = oyez_server_new(&server_options, &server);
    if (!err)
        err = helloworld_greeter_service_register(server, &greeter_impl, NULL);
    if (!err)
        err = oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);

    oyez_channel_options channel_options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime};
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    if (!err)
        err = oyez_channel_new(target, oyez_insecure(), &channel_options, &channel);

    helloworld_greeter_stub greeter = {.channel = channel};
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    req.name = argc > 1 ? argv[1] : "world";
    if (!err)
        err = helloworld_greeter_say_hello_async(greeter, NULL, &req, on_reply, &a, NULL);
    if (!err)
        err = turn_until_ended(runtime, &a);
    if (err)
        fprintf(stderr, "greeter: %s\n", oyez_strerror(err));
    oyez_channel_unref(channel);
    oyez_server_unref(server);
    oyez_runtime_unref(runtime);
    return err != 0 || !a.ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* One server has several services, one channel several stubs, and one connection carries the calls
 * of all of them at a time: a stream that is open holds nobody up. A server and a client in one
 * program. */
#include <stdio.h>

#include "helloworld.oyez.h"
#include "route_guide.oyez.h"

static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    (void)self;
    reply->message = oyez_server_call_printf(call, "Hello %s", req->name);
    return OYEZ_OK;
}

static oyez_code route_chat(void *self, oyez_server_call *call,
                            routeguide_route_guide_route_chat_server_stream stream)
{
    const Routeguide__RouteNote *note;
    (void)self;
    (void)call;
    while (routeguide_route_guide_route_chat_server_recv(stream, &note))
        if (!routeguide_route_guide_route_chat_server_send(stream, note))
            return OYEZ_CANCELLED;
    return OYEZ_OK;
}

/* Greets between the two halves of a talk. */
static oyez_code talk_and_greet(helloworld_greeter_stub greeter, routeguide_route_guide_stub guide)
{
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    Routeguide__RouteNote note = ROUTEGUIDE__ROUTE_NOTE__INIT;
    routeguide_route_guide_route_chat_stream chat;
    const Routeguide__RouteNote *echo;
    Helloworld__HelloReply *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    if (routeguide_route_guide_route_chat(guide, NULL, &chat))
        return OYEZ_UNKNOWN;
    for (int i = 0; i < 2; i++) {
        note.message = (char *)(i == 0 ? "before the greeting" : "after the greeting");
        if (!routeguide_route_guide_route_chat_send(chat, &note) ||
            !routeguide_route_guide_route_chat_recv(chat, &echo))
            break;
        printf("Note: %s\n", echo->message);
        req.name = "in between";
        if (i == 0 && helloworld_greeter_say_hello(greeter, NULL, &req, &reply, NULL) == OYEZ_OK)
            printf("Greeting: %s\n", reply->message);
    }
    oyez_code code = oyez_stream_finish(chat.base, &status);
    if (code != OYEZ_OK)
        fprintf(stderr, "%s: %s\n", oyez_code_name(code), status.message);
    helloworld__hello_reply__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
    return code;
}

int main(void)
{
    static const helloworld_greeter_service greeter = {.say_hello = say_hello};
    static const routeguide_route_guide_service guide = {.route_chat = route_chat};
    oyez_server *server = NULL;
    oyez_channel *channel = NULL;
    uint16_t port = 0;
    char target[32];
    bool ok = false;
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = helloworld_greeter_service_register(server, &greeter, NULL);
    if (!err)
        err = routeguide_route_guide_service_register(server, &guide, NULL);
    if (!err)
        err = oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    if (!err)
        err = oyez_channel_new(target, oyez_insecure(), NULL, &channel);
    if (err)
        fprintf(stderr, "multiplex: %s\n", oyez_strerror(err));
    else
        ok = talk_and_greet((helloworld_greeter_stub){.channel = channel},
                            (routeguide_route_guide_stub){.channel = channel}) == OYEZ_OK;
    oyez_channel_unref(channel);
    oyez_server_unref(server);
    return !ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A gRPC server, whole: answers helloworld.Greeter/SayHello on port 50051 until it is ended. */
#include <stdio.h>
#include "helloworld.oyez.h"

static oyez_code say_hello(void *self, oyez_server_call *call,
                           const Helloworld__HelloRequest *req, Helloworld__HelloReply *reply)
{
    (void)self;
    if (req->name[0] == '\0')
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT, "name is empty");
    reply->message = oyez_server_call_printf(call, "Hello %s", req->name);
    return OYEZ_OK;
}

static const helloworld_greeter_service greeter = { .say_hello = say_hello };

int main(void)
{
    oyez_server *server = NULL;
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = helloworld_greeter_service_register(server, &greeter, NULL);
    if (!err)
        err = oyez_server_listen(server, "0.0.0.0:50051", oyez_insecure(), NULL);
    if (!err)
        err = oyez_server_serve(server); /* until oyez_server_stop() */
    if (err)
        fprintf(stderr, "greeter: %s\n", oyez_strerror(err));
    oyez_server_unref(server);
    return err != 0;
}

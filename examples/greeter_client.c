/* SPDX-License-Identifier: Apache-2.0 */
/* A gRPC client, whole: calls helloworld.Greeter/SayHello on this machine. usage: greeter_client [NAME] */
#include <stdio.h>
#include "helloworld.oyez.h"

int main(int argc, char **argv)
{
    oyez_channel *channel = NULL;
    oyez_err err = oyez_channel_new("dns:///localhost:50051", oyez_insecure(), NULL, &channel);
    if (err) {
        fprintf(stderr, "channel: %s\n", oyez_strerror(err));
        return 1;
    }

    helloworld_greeter_stub greeter = { .channel = channel };
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    req.name = argc > 1 ? argv[1] : "world";

    oyez_ctx *ctx = oyez_ctx_with_timeout(NULL, 1 * OYEZ_SECOND);
    oyez_status status = OYEZ_STATUS_INIT;
    Helloworld__HelloReply *reply = NULL;
    if (helloworld_greeter_say_hello(greeter, ctx, &req, &reply, &status) == OYEZ_OK)
        printf("Greeting: %s\n", reply->message);
    else
        fprintf(stderr, "%s: %s\n", oyez_code_name(status.code), status.message);

    bool ok = status.code == OYEZ_OK;
    helloworld__hello_reply__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
    oyez_ctx_unref(ctx);
    oyez_channel_unref(channel);
    return !ok;
}

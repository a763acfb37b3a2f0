/* SPDX-License-Identifier: Apache-2.0 */
/* Uses what oyez_generate() wrote: a message with a well-known type in it, a stub and a service table. */
#include <stdio.h>

#include "sub/ping.oyez.h"

static oyez_code answer(void *self, oyez_server_call *call, const Consumer__Ping *req,
                        Consumer__Ping *reply)
{
    (void)self;
    reply->words = oyez_server_call_printf(call, "%s", req->words);
    return OYEZ_OK;
}

static const consumer_pinger_service pinger = {.send = answer};

int main(void)
{
    Google__Protobuf__Timestamp now = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    Consumer__Ping ping = CONSUMER__PING__INIT;
    now.seconds = 1;
    ping.sent = &now;
    consumer_pinger_stub stub = {.channel = NULL};
    printf("%zu\n", consumer__ping__get_packed_size(&ping));
    return stub.channel != NULL || pinger.send == NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What travels beside the messages: metadata of the client, and of the server in front of its
 * answer and behind it. Values of keys that end in -bin are bytes. A server and a client in one
 * program. */
#include <stdio.h>

#include "helloworld.oyez.h"

static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    static const unsigned char checksum[] = {0x00, 0xc0, 0xff, 0xee};
    oyez_str language = oyez_metadata_get(oyez_server_call_metadata(call), "accept-language");
    bool german =
        language.data && language.len == 2 && language.data[0] == 'd' && language.data[1] == 'e';
    (void)self;
    if (oyez_server_call_add_header(call, "content-language", german ? "de" : "en", 2) ||
        oyez_server_call_add_trailer(call, "checksum-bin", checksum, sizeof(checksum)))
        return oyez_server_call_fail(call, OYEZ_INTERNAL, "no metadata can be added");
    reply->message = oyez_server_call_printf(call, german ? "Hallo %s" : "Hello %s", req->name);
    return OYEZ_OK;
}

static oyez_code greet(oyez_channel *channel, const char *language)
{
    oyez_metadata *sent = NULL, *headers = NULL, *trailers = NULL;
    oyez_code code = OYEZ_RESOURCE_EXHAUSTED;
    oyez_status status = OYEZ_STATUS_INIT;
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    Helloworld__HelloReply *reply = NULL;
    oyez_str value;
    req.name = "Ada";
    if (oyez_metadata_new(&sent) || oyez_metadata_new(&headers) || oyez_metadata_new(&trailers) ||
        oyez_metadata_append(sent, "accept-language", language, 2))
        goto out;
    const oyez_call_options options = {
        OYEZ_CALL_OPTIONS_INIT,
        .metadata = sent,
        .headers = headers,
        .trailers = trailers,
    };
    helloworld_greeter_stub greeter = {.channel = channel, .options = &options};
    code = helloworld_greeter_say_hello(greeter, NULL, &req, &reply, &status);
    if (code != OYEZ_OK) {
        fprintf(stderr, "%s: %s\n", oyez_code_name(code), status.message);
        goto out;
    }
    printf("%s\n", reply->message);
    value = oyez_metadata_get(headers, "content-language"); /* a NUL stands behind each value */
    printf("In front of it: content-language %s\n", value.data ? value.data : "is missing");
    value = oyez_metadata_get(trailers, "checksum-bin");
    printf("Behind it: checksum-bin of %zu bytes:", value.len);
    for (size_t i = 0; i < value.len; i++)
        printf(" %02x", (unsigned char)value.data[i]);
    printf("\n");

out:
    helloworld__hello_reply__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
    oyez_metadata_free(sent);
    oyez_metadata_free(headers);
    oyez_metadata_free(trailers);
    return code;
}

int main(void)
{
    static const helloworld_greeter_service service = {.say_hello = say_hello};
    oyez_server *server = NULL;
    oyez_channel *channel = NULL;
    uint16_t port = 0;
    char target[32];
    bool ok = false;
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = helloworld_greeter_service_register(server, &service, NULL);
    if (!err)
        err = oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    if (!err)
        err = oyez_channel_new(target, oyez_insecure(), NULL, &channel);
    if (err)
        fprintf(stderr, "metadata: %s\n", oyez_strerror(err));
    else
        ok = greet(channel, "de") == OYEZ_OK && greet(channel, "fr") == OYEZ_OK;
    oyez_channel_unref(channel);
    oyez_server_unref(server);
    return !ok;
}

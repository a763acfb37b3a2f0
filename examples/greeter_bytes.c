/* SPDX-License-Identifier: Apache-2.0 */
/* A call without generated code: the messages are bytes, of whatever makes them. Here the few bytes of
 * HelloRequest and HelloReply are written and read by hand. usage: greeter_bytes [NAME] */
#include <stdio.h>
#include <string.h>

#include <oyez/oyez.h>

static const oyez_method say_hello = {OYEZ_METHOD_INIT, .path = "/helloworld.Greeter/SayHello",
                                      .codec = oyez_bytes};

/* Both messages have one field: number 1, a string; here of less than 128 bytes. */
#define FIELD_1_STRING 0x0a

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "world";
    size_t name_len = strlen(name);
    uint8_t bytes[2 + 127] = {FIELD_1_STRING}, answer[2 + 127];
    oyez_slice request = OYEZ_SLICE_INIT;
    oyez_slice *reply = NULL;
    void *message = NULL;
    oyez_channel *channel = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .timeout = 1 * OYEZ_SECOND};

    if (name_len > 127) {
        fprintf(stderr, "the name is too long for this example\n");
        return 1;
    }
    bytes[1] = (uint8_t)name_len;
    memcpy(bytes + 2, name, name_len);
    /* a buffer without a block only borrows its bytes */
    oyez_err err = oyez_slice_append(&request, (oyez_buffer){.data = bytes, .len = 2 + name_len});
    if (!err)
        err = oyez_channel_new("dns:///localhost:50051", oyez_insecure(), NULL, &channel);
    if (err) {
        fprintf(stderr, "channel: %s\n", oyez_strerror(err));
        oyez_slice_fini(&request);
        return 1;
    }

    oyez_code code =
        oyez_unary_call(channel, &say_hello, NULL, &options, &request, &message, &status);
    reply = message;
    if (code != OYEZ_OK) {
        fprintf(stderr, "%s: %s\n", oyez_code_name(code), status.message);
    } else {
        size_t len = oyez_slice_copy_to(reply, answer, sizeof(answer));
        if (len >= 2 && answer[0] == FIELD_1_STRING && answer[1] == len - 2)
            printf("Greeting: %.*s\n", (int)len - 2, (const char *)answer + 2);
        else
            printf("Greeting: %zu bytes\n", reply->len);
    }
    oyez_bytes_free(reply);
    oyez_slice_fini(&request);
    oyez_status_fini(&status);
    oyez_channel_unref(channel);
    return code != OYEZ_OK;
}

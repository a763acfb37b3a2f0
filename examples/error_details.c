/* SPDX-License-Identifier: Apache-2.0 */
/* Errors with details: beside code and words a status carries messages for programs, by convention those of
 * google/rpc/error_details.proto. A server and a client in one program. */
#include <stdio.h>

#include <oyez/protobuf_c.h>

#include "error_details.pb-c.h"
#include "helloworld.oyez.h"

typedef Google__Rpc__BadRequest bad_request;
typedef Google__Rpc__BadRequest__FieldViolation violation;

static oyez_code refuse(oyez_server_call *call, violation **violations, size_t count)
{
    oyez_status status = OYEZ_STATUS_INIT;
    bad_request bad = GOOGLE__RPC__BAD_REQUEST__INIT;
    Google__Rpc__ErrorInfo info = GOOGLE__RPC__ERROR_INFO__INIT;
    bad.field_violations = violations;
    bad.n_field_violations = count;
    info.reason = "BAD_NAME";
    info.domain = "greeter.example.com";
    oyez_status_setf(&status, OYEZ_INVALID_ARGUMENT, "%zu things are wrong with the name", count);
    /* What finds no memory is left out: code and words are told all the same. */
    if (oyez_protobuf_c_add_detail(&status, &bad.base) || oyez_protobuf_c_add_detail(&status, &info.base))
        fprintf(stderr, "not all details could be added\n");
    oyez_code code = oyez_server_call_fail_status(call, &status);
    oyez_status_fini(&status);
    return code;
}

static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    violation small = GOOGLE__RPC__BAD_REQUEST__FIELD_VIOLATION__INIT;
    violation lower = GOOGLE__RPC__BAD_REQUEST__FIELD_VIOLATION__INIT;
    violation *found[2];
    size_t count = 0;
    (void)self;
    small.field = lower.field = "name";
    small.description = "it has fewer than three letters";
    lower.description = "it begins with a small letter";
    if (!req->name[0] || !req->name[1] || !req->name[2])
        found[count++] = &small;
    if (req->name[0] >= 'a' && req->name[0] <= 'z')
        found[count++] = &lower;
    if (count > 0)
        return refuse(call, found, count);
    reply->message = oyez_server_call_printf(call, "Hello %s", req->name);
    return OYEZ_OK;
}

static void print_details(const oyez_status *status)
{
    ProtobufCMessage *message;
    oyez_str type;
    printf("%s: %s\n", oyez_code_name(status->code), status->message);
    for (size_t i = 0; oyez_status_detail_at(status, i, &type, NULL); i++)
        printf("  detail: %.*s\n", (int)type.len, type.data);
    if (!oyez_protobuf_c_find_detail(status, &google__rpc__bad_request__descriptor, &message)) {
        const bad_request *bad = (const bad_request *)message;
        for (size_t i = 0; i < bad->n_field_violations; i++)
            printf("  %s: %s\n", bad->field_violations[i]->field, bad->field_violations[i]->description);
        protobuf_c_message_free_unpacked(message, NULL);
    }
    if (!oyez_protobuf_c_find_detail(status, &google__rpc__error_info__descriptor, &message)) {
        const Google__Rpc__ErrorInfo *info = (const Google__Rpc__ErrorInfo *)message;
        printf("  reason %s, as %s means it\n", info->reason, info->domain);
        protobuf_c_message_free_unpacked(message, NULL);
    }
}

static oyez_code greet(oyez_channel *channel, char *name)
{
    helloworld_greeter_stub greeter = {.channel = channel};
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    Helloworld__HelloReply *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    req.name = name;
    oyez_code code = helloworld_greeter_say_hello(greeter, NULL, &req, &reply, &status);
    if (code == OYEZ_OK)
        printf("%s\n", reply->message);
    else
        print_details(&status);
    helloworld__hello_reply__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
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
        fprintf(stderr, "error_details: %s\n", oyez_strerror(err));
    else
        ok = greet(channel, "Ada") == OYEZ_OK && greet(channel, "al") == OYEZ_INVALID_ARGUMENT;
    oyez_channel_unref(channel);
    oyez_server_unref(server);
    return !ok;
}

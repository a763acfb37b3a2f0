/* SPDX-License-Identifier: Apache-2.0 */
/* The interop client's unary cases. */
#include <stdio.h>
#include <string.h>

#include "interop/client.h"

static oyez_code unary_call(case_run *run, const Grpc__Testing__SimpleRequest *request,
                            Grpc__Testing__SimpleResponse **ret_reply)
{
    oyez_code code =
        grpc_testing_test_service_unary_call(stub_of(run), NULL, request, ret_reply, &run->status);
    end(run);
    return code;
}

/* --- large_unary's request and reply, which others use too ------------------------------------ */

static void fill_large(Grpc__Testing__SimpleRequest *request, Grpc__Testing__Payload *payload)
{
    grpc__testing__simple_request__init(request);
    grpc__testing__payload__init(payload);
    request->response_type = payload->type = GRPC__TESTING__PAYLOAD_TYPE__COMPRESSABLE;
    request->response_size = LARGE_RESPONSE;
    payload->body.data = zeros;
    payload->body.len = LARGE_REQUEST;
    request->payload = payload;
}

static bool expect_large(case_run *run, const Grpc__Testing__SimpleResponse *reply)
{
    return expect_body(run, reply->payload, LARGE_RESPONSE);
}

static bool large_call(case_run *run, const oyez_metadata *metadata)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    Grpc__Testing__SimpleResponse *reply = NULL;
    fill_large(&request, &payload);
    if (!begin(run, metadata))
        return false;
    (void)unary_call(run, &request, &reply);
    bool ok = expect_ok(run) && expect_large(run, reply);
    grpc__testing__simple_response__free_unpacked(reply, NULL);
    return ok;
}

/* --- cases ------------------------------------------------------------------------------------ */

bool empty_unary(case_run *run)
{
    Grpc__Testing__Empty request = GRPC__TESTING__EMPTY__INIT;
    Grpc__Testing__Empty *reply = NULL;
    if (!begin(run, NULL))
        return false;
    (void)test_call(empty_call)(stub_of(run), NULL, &request, &reply, &run->status);
    end(run);
    bool ok = expect_ok(run);
    if (ok && (!reply || reply->base.n_unknown_fields != 0))
        ok = fail(run, "the reply is not an Empty");
    grpc__testing__empty__free_unpacked(reply, NULL);
    return ok;
}

bool large_unary(case_run *run)
{
    return large_call(run, NULL);
}

/* Asks for a status and expects it. */
static bool echo_status(case_run *run, oyez_code code, const char *message)
{
    Grpc__Testing__SimpleRequest request = GRPC__TESTING__SIMPLE_REQUEST__INIT;
    Grpc__Testing__EchoStatus status = GRPC__TESTING__ECHO_STATUS__INIT;
    char text[128];
    (void)snprintf(text, sizeof(text), "%s", message);
    status.code = (int32_t)code;
    status.message = text;
    request.response_status = &status;
    if (!begin(run, NULL))
        return false;
    (void)unary_call(run, &request, NULL);
    return expect_status(run, code, message);
}

bool special_status_message(case_run *run)
{
    return echo_status(run, OYEZ_UNKNOWN,
                       "\t\ntest with whitespace\r\nand Unicode BMP \xe2\x98\xba and non-BMP "
                       "\xf0\x9f\x98\x88\t\n");
}

bool unary_status_code_and_message(case_run *run)
{
    return echo_status(run, OYEZ_UNKNOWN, "test status message");
}

bool unary_custom_metadata(case_run *run, const oyez_metadata *metadata)
{
    return large_call(run, metadata) && expect_echo_metadata(run);
}

bool unimplemented_method(case_run *run)
{
    Grpc__Testing__Empty request = GRPC__TESTING__EMPTY__INIT;
    if (!begin(run, NULL))
        return false;
    (void)test_call(unimplemented_call)(stub_of(run), NULL, &request, NULL, &run->status);
    end(run);
    return expect_status(run, OYEZ_UNIMPLEMENTED, NULL);
}

bool unimplemented_service(case_run *run)
{
    Grpc__Testing__Empty request = GRPC__TESTING__EMPTY__INIT;
    if (!begin(run, NULL))
        return false;
    grpc_testing_unimplemented_service_stub stub = {.channel = run->channel,
                                                    .options = &run->options};
    (void)grpc_testing_unimplemented_service_unimplemented_call(stub, NULL, &request, NULL,
                                                                &run->status);
    end(run);
    return expect_status(run, OYEZ_UNIMPLEMENTED, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the cases of the interop client do again and again: begin a call, look at how it ended. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "interop/client.h"

#define ECHO_INITIAL  "x-grpc-test-echo-initial"
#define ECHO_TRAILING "x-grpc-test-echo-trailing-bin"

uint8_t zeros[LARGE_RESPONSE];
static const uint8_t trailing_value[] = {0xab, 0xab, 0xab};
static const char initial_value[] = "test_initial_metadata_value";

bool fail(case_run *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(run->words, sizeof(run->words), format, args);
    va_end(args);
    return false;
}

oyez_err open_channel(const char *target, char *words, size_t words_bytes,
                      oyez_channel **ret_channel)
{
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .user_agent = "oyez-interop-client",
        .words = words,
        .words_bytes = words_bytes,
    };
    return oyez_channel_new(target, oyez_insecure(), &options, ret_channel);
}

/* --- a call ----------------------------------------------------------------------------------- */

/* Text as C would write it, so that white space and bytes can be seen. */
static const char *quoted(const char *text, size_t len, char *dst, size_t cap)
{
    size_t at = 0;
    for (size_t i = 0; i < len && at + 5 < cap; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c < 0x7f && c != '\\')
            dst[at++] = (char)c;
        else
            at += (size_t)snprintf(dst + at, cap - at, "\\x%02x", c);
    }
    dst[at] = '\0';
    return dst;
}

static void print_metadata(const char *what, const oyez_metadata *metadata)
{
    oyez_str key, value;
    char text[256];
    for (size_t i = 0; oyez_metadata_at(metadata, i, &key, &value); i++)
        printf("%s %.*s: %s\n", what, (int)key.len, key.data,
               quoted(value.data, value.len, text, sizeof(text)));
}

bool begin(case_run *run, const oyez_metadata *metadata)
{
    oyez_metadata_free(run->headers);
    oyez_metadata_free(run->trailers);
    run->headers = run->trailers = NULL;
    oyez_status_fini(&run->status);
    if (oyez_metadata_new(&run->headers) || oyez_metadata_new(&run->trailers))
        return fail(run, "out of memory");
    run->options = (oyez_call_options){
        OYEZ_CALL_OPTIONS_INIT,      .timeout = CASE_TIMEOUT,
        .wait_for_ready = false,     .metadata = metadata ? metadata : run->extra,
        .headers = run->headers,     .trailers = run->trailers,
        .authority = run->authority,
    };
    return true;
}

void end(case_run *run)
{
    if (!run->log_end)
        return;
    print_metadata("GRPC_INITIAL_METADATA", run->headers);
    print_metadata("GRPC_TRAILING_METADATA", run->trailers);
    printf("GRPC_STATUS %d\n", (int)run->status.code);
    if (run->status.code != OYEZ_OK)
        printf("GRPC_ERROR_MESSAGE %s\n", run->status.message);
}

test_stub stub_of(case_run *run)
{
    return (test_stub){.channel = run->channel, .options = &run->options};
}

bool expect_ok(case_run *run)
{
    if (run->status.code == OYEZ_OK)
        return true;
    return fail(run, "status is %s (%d), expected OK; message: %s",
                oyez_code_name(run->status.code), (int)run->status.code, run->status.message);
}

bool expect_status(case_run *run, oyez_code code, const char *message)
{
    char is[400], wanted[400];
    const oyez_status *status = &run->status;
    if (status->code != code)
        return fail(run, "status is %s (%d), expected %s; message: %s",
                    oyez_code_name(status->code), (int)status->code, oyez_code_name(code),
                    status->message);
    if (message && (status->message_len != strlen(message) ||
                    memcmp(status->message, message, status->message_len)))
        return fail(run, "message is \"%s\", expected \"%s\"",
                    quoted(status->message, status->message_len, is, sizeof(is)),
                    quoted(message, strlen(message), wanted, sizeof(wanted)));
    return true;
}

/* The key is there exactly once, with that value. */
static bool expect_once(case_run *run, const oyez_metadata *metadata, const char *where,
                        const char *key, const void *value, size_t len)
{
    char is[200], wanted[200];
    oyez_str found = {NULL, 0};
    size_t count = 0;
    for (size_t at = 0; oyez_metadata_next(metadata, key, &at, &found);)
        count++;
    if (count != 1)
        return fail(run, "%s is %zu times in the %s, expected once", key, count, where);
    if (found.len != len || memcmp(found.data, value, len) != 0)
        return fail(run, "%s in the %s is \"%s\", expected \"%s\"", key, where,
                    quoted(found.data, found.len, is, sizeof(is)),
                    quoted(value, len, wanted, sizeof(wanted)));
    return true;
}

bool expect_body(case_run *run, const Grpc__Testing__Payload *payload, size_t size)
{
    if (!payload)
        return fail(run, "the reply has no payload");
    if (payload->type != GRPC__TESTING__PAYLOAD_TYPE__COMPRESSABLE)
        return fail(run, "the payload's type is %d, expected COMPRESSABLE", (int)payload->type);
    if (payload->body.len != size)
        return fail(run, "the body has %zu bytes, expected %zu", payload->body.len, size);
    if (memcmp(payload->body.data, zeros, size) != 0)
        return fail(run, "the body is not all zeros");
    return true;
}

/* --- custom_metadata -------------------------------------------------------------------------- */

bool make_echo_metadata(case_run *run, oyez_metadata **ret_metadata)
{
    oyez_err err = oyez_metadata_copy(run->extra, ret_metadata);
    if (!err)
        err = oyez_metadata_append(*ret_metadata, ECHO_INITIAL, initial_value,
                                   sizeof(initial_value) - 1);
    if (!err)
        err = oyez_metadata_append(*ret_metadata, ECHO_TRAILING, trailing_value,
                                   sizeof(trailing_value));
    return !err || fail(run, "the metadata cannot be made: %s", oyez_strerror(err));
}

bool expect_echo_metadata(case_run *run)
{
    return expect_once(run, run->headers, "headers", ECHO_INITIAL, initial_value,
                       sizeof(initial_value) - 1) &&
           expect_once(run, run->trailers, "trailers", ECHO_TRAILING, trailing_value,
                       sizeof(trailing_value));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The interop client: test cases of grpc/doc/interop-test-descriptions.md, one function each, with the flags of the
 * clients of gRPC-Go and gRPC C++. Exits with 0 if the case passed, with 1 if it failed (and says why), with 2 if
 * the command line is wrong. Cases and halves of cases that need a stream follow with the streams. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grpc/testing/test.oyez.h"
#include "support/flags.h"

#define LARGE_REQUEST 271828
#define LARGE_RESPONSE 314159
#define CASE_TIMEOUT (20 * OYEZ_SECOND)
#define ECHO_INITIAL "x-grpc-test-echo-initial"
#define ECHO_TRAILING "x-grpc-test-echo-trailing-bin"

static uint8_t zeros[LARGE_RESPONSE];
static const uint8_t trailing_value[] = { 0xab, 0xab, 0xab };
static const char initial_value[] = "test_initial_metadata_value";

/* What the flags say. */
typedef struct settings {
    const char *host;
    int port;
    const char *authority;
    const char *test_case;
    const char *metadata;
    int times;
    bool log_end;
} settings;

/* One run of a case: the channel, and what came of its last call. */
typedef struct run {
    oyez_channel *channel;
    oyez_metadata *extra;    /* --additional_metadata */
    const char *authority;
    bool log_end;
    oyez_metadata *headers, *trailers;
    oyez_status status;
    oyez_call_options options;
    char words[1024];        /* why the case has failed */
} run;

static bool fail(run *run, const char *format, ...) OYEZ_PRINTF(2, 3);
static bool fail(run *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(run->words, sizeof(run->words), format, args);
    va_end(args);
    return false;
}

/* --- a call ------------------------------------------------------------------------------------ */

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
        printf("%s %.*s: %s\n", what, (int)key.len, key.data, quoted(value.data, value.len, text, sizeof(text)));
}

/* Fresh places for headers, trailers and status, and the options of the next call. */
static bool begin(run *run, const oyez_metadata *metadata)
{
    oyez_metadata_free(run->headers);
    oyez_metadata_free(run->trailers);
    run->headers = run->trailers = NULL;
    oyez_status_fini(&run->status);
    if (oyez_metadata_new(&run->headers) || oyez_metadata_new(&run->trailers))
        return fail(run, "out of memory");
    run->options = (oyez_call_options){
        OYEZ_CALL_OPTIONS_INIT,
        .timeout = CASE_TIMEOUT,
        .wait_for_ready = false,
        .metadata = metadata ? metadata : run->extra,
        .headers = run->headers,
        .trailers = run->trailers,
        .authority = run->authority,
    };
    return true;
}

static void end(run *run)
{
    if (!run->log_end)
        return;
    print_metadata("GRPC_INITIAL_METADATA", run->headers);
    print_metadata("GRPC_TRAILING_METADATA", run->trailers);
    printf("GRPC_STATUS %d\n", (int)run->status.code);
    if (run->status.code != OYEZ_OK)
        printf("GRPC_ERROR_MESSAGE %s\n", run->status.message);
}

static grpc_testing_test_service_stub stub_of(run *run)
{
    return (grpc_testing_test_service_stub){ .channel = run->channel, .options = &run->options };
}

static oyez_code unary_call(run *run, const Grpc__Testing__SimpleRequest *request,
                            Grpc__Testing__SimpleResponse **ret_reply)
{
    oyez_code code = grpc_testing_test_service_unary_call(stub_of(run), NULL, request, ret_reply, &run->status);
    end(run);
    return code;
}

static bool expect_ok(run *run)
{
    if (run->status.code == OYEZ_OK)
        return true;
    return fail(run, "status is %s (%d), expected OK; message: %s", oyez_code_name(run->status.code),
                (int)run->status.code, run->status.message);
}

/* @param message  NULL: any. */
static bool expect_status(run *run, oyez_code code, const char *message)
{
    char is[400], wanted[400];
    const oyez_status *status = &run->status;
    if (status->code != code)
        return fail(run, "status is %s (%d), expected %s; message: %s", oyez_code_name(status->code),
                    (int)status->code, oyez_code_name(code), status->message);
    if (message && (status->message_len != strlen(message) || memcmp(status->message, message, status->message_len)))
        return fail(run, "message is \"%s\", expected \"%s\"",
                    quoted(status->message, status->message_len, is, sizeof(is)),
                    quoted(message, strlen(message), wanted, sizeof(wanted)));
    return true;
}

/* The key is there exactly once, with that value. */
static bool expect_once(run *run, const oyez_metadata *metadata, const char *where, const char *key, const void *value,
                        size_t len)
{
    char is[200], wanted[200];
    oyez_str found = { NULL, 0 };
    size_t count = 0;
    for (size_t at = 0; oyez_metadata_next(metadata, key, &at, &found);)
        count++;
    if (count != 1)
        return fail(run, "%s is %zu times in the %s, expected once", key, count, where);
    if (found.len != len || memcmp(found.data, value, len) != 0)
        return fail(run, "%s in the %s is \"%s\", expected \"%s\"", key, where,
                    quoted(found.data, found.len, is, sizeof(is)), quoted(value, len, wanted, sizeof(wanted)));
    return true;
}

/* --- large_unary's request and reply, which others use too --------------------------------------- */

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

static bool expect_large(run *run, const Grpc__Testing__SimpleResponse *reply)
{
    const Grpc__Testing__Payload *payload = reply->payload;
    if (!payload)
        return fail(run, "the reply has no payload");
    if (payload->type != GRPC__TESTING__PAYLOAD_TYPE__COMPRESSABLE)
        return fail(run, "the payload's type is %d, expected COMPRESSABLE", (int)payload->type);
    if (payload->body.len != LARGE_RESPONSE)
        return fail(run, "the body has %zu bytes, expected %d", payload->body.len, LARGE_RESPONSE);
    if (memcmp(payload->body.data, zeros, LARGE_RESPONSE) != 0)
        return fail(run, "the body is not all zeros");
    return true;
}

static bool large_call(run *run, const oyez_metadata *metadata)
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

/* --- cases ------------------------------------------------------------------------------------- */

static bool empty_unary(run *run)
{
    Grpc__Testing__Empty request = GRPC__TESTING__EMPTY__INIT;
    Grpc__Testing__Empty *reply = NULL;
    if (!begin(run, NULL))
        return false;
    (void)grpc_testing_test_service_empty_call(stub_of(run), NULL, &request, &reply, &run->status);
    end(run);
    bool ok = expect_ok(run);
    if (ok && (!reply || reply->base.n_unknown_fields != 0))
        ok = fail(run, "the reply is not an Empty");
    grpc__testing__empty__free_unpacked(reply, NULL);
    return ok;
}

static bool large_unary(run *run)
{
    return large_call(run, NULL);
}

/* Asks for a status and expects it. */
static bool echo_status(run *run, oyez_code code, const char *message)
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

static bool special_status_message(run *run)
{
    return echo_status(run, OYEZ_UNKNOWN,
                       "\t\ntest with whitespace\r\nand Unicode BMP \xe2\x98\xba and non-BMP \xf0\x9f\x98\x88\t\n");
}

static bool status_code_and_message(run *run)
{
    return echo_status(run, OYEZ_UNKNOWN, "test status message");
}

static bool custom_metadata(run *run)
{
    oyez_metadata *metadata = NULL;
    bool ok = !oyez_metadata_copy(run->extra, &metadata) &&
              !oyez_metadata_append(metadata, ECHO_INITIAL, initial_value, sizeof(initial_value) - 1) &&
              !oyez_metadata_append(metadata, ECHO_TRAILING, trailing_value, sizeof(trailing_value));
    if (!ok)
        ok = fail(run, "the metadata cannot be made");
    else
        ok = large_call(run, metadata) &&
             expect_once(run, run->headers, "headers", ECHO_INITIAL, initial_value, sizeof(initial_value) - 1) &&
             expect_once(run, run->trailers, "trailers", ECHO_TRAILING, trailing_value, sizeof(trailing_value));
    oyez_metadata_free(metadata);
    return ok;
}

static bool unimplemented_method(run *run)
{
    Grpc__Testing__Empty request = GRPC__TESTING__EMPTY__INIT;
    if (!begin(run, NULL))
        return false;
    (void)grpc_testing_test_service_unimplemented_call(stub_of(run), NULL, &request, NULL, &run->status);
    end(run);
    return expect_status(run, OYEZ_UNIMPLEMENTED, NULL);
}

static bool unimplemented_service(run *run)
{
    Grpc__Testing__Empty request = GRPC__TESTING__EMPTY__INIT;
    if (!begin(run, NULL))
        return false;
    grpc_testing_unimplemented_service_stub stub = { .channel = run->channel, .options = &run->options };
    (void)grpc_testing_unimplemented_service_unimplemented_call(stub, NULL, &request, NULL, &run->status);
    end(run);
    return expect_status(run, OYEZ_UNIMPLEMENTED, NULL);
}

static const struct test_case {
    const char *name;
    bool (*play)(run *run);
    bool half; /* the half that needs a stream is missing */
} cases[] = {
    { "empty_unary", empty_unary, false },
    { "large_unary", large_unary, false },
    { "special_status_message", special_status_message, false },
    { "status_code_and_message", status_code_and_message, true },
    { "custom_metadata", custom_metadata, true },
    { "unimplemented_method", unimplemented_method, false },
    { "unimplemented_service", unimplemented_service, false },
};

#define CASE_COUNT (sizeof(cases) / sizeof(cases[0]))

/* --- the program ------------------------------------------------------------------------------- */

static bool play(const struct test_case *test, run *run)
{
    if (!test->play(run)) {
        fprintf(stderr, "%s: FAILED: %s\n", test->name, run->words);
        return false;
    }
    printf("%s: ok%s\n", test->name, test->half ? " (the unary half; the streaming half follows with the streams)" : "");
    return true;
}

static bool play_named(const settings *settings, run *run)
{
    bool all = strcmp(settings->test_case, "all") == 0, ok = true;
    for (size_t i = 0; i < CASE_COUNT; i++)
        for (int n = 0; n < settings->times && ok && (all || strcmp(settings->test_case, cases[i].name) == 0); n++)
            ok = play(&cases[i], run);
    return ok;
}

static bool is_case(const char *name)
{
    for (size_t i = 0; i < CASE_COUNT; i++)
        if (strcmp(name, cases[i].name) == 0)
            return true;
    if (strcmp(name, "all") == 0)
        return true;
    fprintf(stderr, "--test_case=%s: there is no such case here; there are: all", name);
    for (size_t i = 0; i < CASE_COUNT; i++)
        fprintf(stderr, " %s", cases[i].name);
    fprintf(stderr, "\n");
    return false;
}

/* "key:value;key2:value2". */
static bool parse_metadata(const char *text, oyez_metadata **ret_metadata)
{
    oyez_metadata *metadata = NULL;
    if (oyez_metadata_new(&metadata))
        return false;
    while (*text) {
        char key[128];
        size_t len = strcspn(text, ";");
        const char *colon = memchr(text, ':', len);
        size_t key_len = colon ? (size_t)(colon - text) : 0;
        if (key_len == 0 || key_len >= sizeof(key))
            goto wrong;
        memcpy(key, text, key_len);
        key[key_len] = '\0';
        if (oyez_metadata_append(metadata, key, colon + 1, len - key_len - 1))
            goto wrong;
        text += len + (text[len] == ';');
    }
    *ret_metadata = metadata;
    return true;

wrong:
    fprintf(stderr, "--additional_metadata: wanted is key:value;key2:value2, at \"%s\" it is not\n", text);
    oyez_metadata_free(metadata);
    return false;
}

/* Port 0: the host is the whole target. */
static bool make_target(const settings *settings, char *dst, size_t cap)
{
    bool v6 = strchr(settings->host, ':') && settings->host[0] != '[';
    int len = settings->port == 0 ? snprintf(dst, cap, "%s", settings->host)
                                  : snprintf(dst, cap, v6 ? "[%s]:%d" : "%s:%d", settings->host, settings->port);
    return len > 0 && (size_t)len < cap;
}

static int run_client(const settings *settings)
{
    char target[512], words[512] = "";
    run run = { .status = OYEZ_STATUS_INIT, .log_end = settings->log_end };
    run.authority = settings->authority[0] ? settings->authority : NULL;
    if (!make_target(settings, target, sizeof(target))) {
        fprintf(stderr, "--server_host: it is too long\n");
        return 2;
    }
    if (!parse_metadata(settings->metadata, &run.extra))
        return 2;
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .user_agent = "oyez-interop-client",
        .words = words,
        .words_bytes = sizeof(words),
    };
    oyez_err err = oyez_channel_new(target, oyez_insecure(), &options, &run.channel);
    bool ok = !err && play_named(settings, &run);
    if (err)
        fprintf(stderr, "oyez-interop-client: %s: %s\n", target, words[0] ? words : oyez_strerror(err));
    oyez_metadata_free(run.headers);
    oyez_metadata_free(run.trailers);
    oyez_metadata_free(run.extra);
    oyez_status_fini(&run.status);
    oyez_channel_unref(run.channel);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const char no_tls[] = "this build has no TLS", of_tls[] = "of TLS only", of_clouds[] = "of cloud cases only";
    settings s = { .host = "localhost", .port = 10000, .authority = "", .test_case = "large_unary", .metadata = "", .times = 1 };
    const oy_flag flags[] = {
        { .name = "server_host", .kind = OY_FLAG_TEXT, .value = &s.host },
        { .name = "server_port", .kind = OY_FLAG_INT, .value = &s.port, .most = 65535,
          .help = "0: the host is the whole target" },
        { .name = "server_host_override", .kind = OY_FLAG_TEXT, .value = &s.authority, .help = "the authority of calls" },
        { .name = "test_case", .kind = OY_FLAG_TEXT, .value = &s.test_case, .help = "or all" },
        { .name = "additional_metadata", .kind = OY_FLAG_TEXT, .value = &s.metadata, .help = "key:value;key2:value2" },
        { .name = "num_times", .kind = OY_FLAG_INT, .value = &s.times, .least = 1, .most = 1000000,
          .help = "how often the case is played" },
        { .name = "log_metadata_and_status", .kind = OY_FLAG_BOOL, .value = &s.log_end,
          .help = "prints how each call ended" },
        { .name = "use_tls", .kind = OY_FLAG_OFF, .help = no_tls },
        { .name = "use_alts", .kind = OY_FLAG_OFF, .help = "this build has no ALTS" },
        { .name = "custom_credentials_type", .kind = OY_FLAG_OFF, .help = "this build has no such credentials",
          .words = "insecure" },
        { .name = "service_config_json", .kind = OY_FLAG_OFF, .help = "this build has no service configs", .words = "{}" },
        { .name = "use_test_ca", .kind = OY_FLAG_IGNORED, .help = of_tls },
        { .name = "ca_file", .kind = OY_FLAG_IGNORED, .help = of_tls },
        { .name = "alts_handshaker_service_address", .kind = OY_FLAG_IGNORED, .help = "of ALTS only" },
        { .name = "default_service_account", .kind = OY_FLAG_IGNORED, .help = of_clouds },
        { .name = "oauth_scope", .kind = OY_FLAG_IGNORED, .help = of_clouds },
        { .name = "service_account_key_file", .kind = OY_FLAG_IGNORED, .help = of_clouds },
        { .name = "google_c2p_universe_domain", .kind = OY_FLAG_IGNORED, .help = of_clouds },
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]), "A client of grpc.testing.TestService.", argc, argv)) {
    case OY_FLAGS_GO:
        break;
    case OY_FLAGS_HELP:
        return 0;
    case OY_FLAGS_WRONG:
        return 2;
    }
    if (!is_case(s.test_case))
        return 2;
    return run_client(&s);
}

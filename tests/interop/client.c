/* SPDX-License-Identifier: Apache-2.0 */
/* The interop client: test cases of grpc/doc/interop-test-descriptions.md, one function each, with
 * the flags of the clients of gRPC-Go and gRPC C++. Exits with 0 if the case passed, with 1 if it
 * failed (and says why), with 2 if the command line is wrong. The cases are in
 * client_unary.c, client_streams.c, client_compressed.c, client_orca.c, client_soak.c and
 * client_negative.c. */
#include <stdio.h>
#include <string.h>

#include "interop/client.h"
#include "support/flags.h"

/* What the flags say. */
typedef struct client_settings {
    const char *host;
    int port;
    const char *authority;
    const char *test_case;
    const char *metadata;
    int times;
    bool log_end;
    soak_settings soak;
} client_settings;

static bool status_code_and_message(case_run *run)
{
    return unary_status_code_and_message(run) && stream_status_code_and_message(run);
}

static bool custom_metadata(case_run *run)
{
    oyez_metadata *metadata = NULL;
    bool ok = make_echo_metadata(run, &metadata) && unary_custom_metadata(run, metadata) &&
              stream_custom_metadata(run, metadata);
    oyez_metadata_free(metadata);
    return ok;
}

static const struct test_case {
    const char *name;
    play_fn *play;
    bool extra; /* not among "all" */
} cases[] = {
    {"empty_unary", empty_unary, false},
    {"large_unary", large_unary, false},
    {"client_streaming", client_streaming, false},
    {"server_streaming", server_streaming, false},
    {"ping_pong", ping_pong, false},
    {"empty_stream", empty_stream, false},
    {"half_duplex", half_duplex, false},
    {"slow_consumer", slow_consumer, false},
    {"status_code_and_message", status_code_and_message, false},
    {"special_status_message", special_status_message, false},
    {"custom_metadata", custom_metadata, false},
    {"unimplemented_method", unimplemented_method, false},
    {"unimplemented_service", unimplemented_service, false},
    {"cancel_after_begin", cancel_after_begin, false},
    {"cancel_after_first_response", cancel_after_first_response, false},
    {"timeout_on_sleeping_server", timeout_on_sleeping_server, false},
    /* of servers that compress and look whether others do */
    {"client_compressed_unary", client_compressed_unary, true},
    {"server_compressed_unary", server_compressed_unary, true},
    {"client_compressed_streaming", client_compressed_streaming, true},
    {"server_compressed_streaming", server_compressed_streaming, true},
    /* of servers that report their load */
    {"orca_per_rpc", orca_per_rpc, true},
    {"orca_oob", orca_oob, true},
    {"rpc_soak", rpc_soak, true},
    {"channel_soak", channel_soak, true},
    /* of the server that misbehaves */
    {"goaway", http2_goaway, true},
    {"rst_after_header", http2_reset, true},
    {"rst_during_data", http2_reset, true},
    {"rst_after_data", http2_reset, true},
    {"ping", large_unary, true},
    {"max_streams", http2_max_streams, true},
    {"data_frame_padding", large_unary, true},
    {"no_df_padding_sanity_test", large_unary, true},
};

#define CASE_COUNT (sizeof(cases) / sizeof(cases[0]))

/* --- the program ------------------------------------------------------------------------------ */

static bool play(const struct test_case *test, case_run *run)
{
    if (!test->play(run)) {
        fprintf(stderr, "%s: FAILED: %s\n", test->name, run->words);
        return false;
    }
    printf("%s: ok\n", test->name);
    return true;
}

static bool play_named(const client_settings *settings, case_run *run)
{
    bool all = strcmp(settings->test_case, "all") == 0, ok = true;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        if (all ? cases[i].extra : strcmp(settings->test_case, cases[i].name) != 0)
            continue;
        for (int n = 0; n < settings->times && ok; n++)
            ok = play(&cases[i], run);
    }
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
    fprintf(stderr, "--additional_metadata: wanted is key:value;key2:value2, at \"%s\" it is not\n",
            text);
    oyez_metadata_free(metadata);
    return false;
}

/* Port 0: the host is the whole target. */
static bool make_target(const client_settings *settings, char *dst, size_t cap)
{
    bool v6 = strchr(settings->host, ':') && settings->host[0] != '[';
    int len = settings->port == 0
                  ? snprintf(dst, cap, "%s", settings->host)
                  : snprintf(dst, cap, v6 ? "[%s]:%d" : "%s:%d", settings->host, settings->port);
    return len > 0 && (size_t)len < cap;
}

static int run_client(const client_settings *settings)
{
    char target[512], words[512] = "";
    case_run run = {.target = target,
                    .status = OYEZ_STATUS_INIT,
                    .log_end = settings->log_end,
                    .soak = &settings->soak};
    run.authority = settings->authority[0] ? settings->authority : NULL;
    if (!make_target(settings, target, sizeof(target))) {
        fprintf(stderr, "--server_host: it is empty or too long\n");
        return 2;
    }
    if (!parse_metadata(settings->metadata, &run.extra))
        return 2;
    oyez_err err = open_channel(target, words, sizeof(words), &run.channel);
    bool ok = !err && play_named(settings, &run);
    if (err)
        fprintf(stderr, "oyez-interop-client: %s: %s\n", target,
                words[0] ? words : oyez_strerror(err));
    oyez_metadata_free(run.headers);
    oyez_metadata_free(run.trailers);
    oyez_metadata_free(run.extra);
    oyez_status_fini(&run.status);
    oyez_channel_unref(run.channel);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const char no_tls[] = "this build has no TLS", of_tls[] = "of TLS only",
                      of_clouds[] = "of cloud cases only";
    client_settings s = {.host = "localhost",
                         .port = 10000,
                         .authority = "",
                         .test_case = "large_unary",
                         .metadata = "",
                         .times = 1,
                         .soak = {.iterations = 10,
                                  .max_latency_ms = 1000,
                                  .overall_s = 10,
                                  .request_size = LARGE_REQUEST,
                                  .response_size = LARGE_RESPONSE,
                                  .threads = 1}};
    const oy_flag flags[] = {
        {.name = "server_host", .kind = OY_FLAG_TEXT, .value = &s.host},
        {.name = "server_port",
         .kind = OY_FLAG_INT,
         .value = &s.port,
         .most = 65535,
         .help = "0: the host is the whole target"},
        {.name = "server_host_override",
         .kind = OY_FLAG_TEXT,
         .value = &s.authority,
         .help = "the authority of calls"},
        {.name = "test_case", .kind = OY_FLAG_TEXT, .value = &s.test_case, .help = "or all"},
        {.name = "additional_metadata",
         .kind = OY_FLAG_TEXT,
         .value = &s.metadata,
         .help = "key:value;key2:value2"},
        {.name = "num_times",
         .kind = OY_FLAG_INT,
         .value = &s.times,
         .least = 1,
         .most = 1000000,
         .help = "how often the case is played"},
        {.name = "log_metadata_and_status",
         .kind = OY_FLAG_BOOL,
         .value = &s.log_end,
         .help = "prints how each call ended"},
        {.name = "soak_iterations",
         .kind = OY_FLAG_INT,
         .value = &s.soak.iterations,
         .least = 1,
         .most = 1000000000,
         .help = "calls of each thread"},
        {.name = "soak_max_failures",
         .kind = OY_FLAG_INT,
         .value = &s.soak.max_failures,
         .least = 0,
         .most = 1000000000,
         .help = "more than these fail the case"},
        {.name = "soak_per_iteration_max_acceptable_latency_ms",
         .kind = OY_FLAG_INT,
         .value = &s.soak.max_latency_ms,
         .least = 0,
         .most = 1000000000,
         .help = "a slower call has failed; 0: none is too slow"},
        {.name = "soak_overall_timeout_seconds",
         .kind = OY_FLAG_INT,
         .value = &s.soak.overall_s,
         .least = 0,
         .most = 1000000,
         .help = "0: no limit"},
        {.name = "soak_min_time_ms_between_rpcs",
         .kind = OY_FLAG_INT,
         .value = &s.soak.min_time_ms,
         .least = 0,
         .most = 1000000,
         .help = "from the start of a call to that of the next"},
        {.name = "soak_request_size",
         .kind = OY_FLAG_INT,
         .value = &s.soak.request_size,
         .least = 0,
         .most = LARGE_RESPONSE,
         .help = "bytes"},
        {.name = "soak_response_size",
         .kind = OY_FLAG_INT,
         .value = &s.soak.response_size,
         .least = 0,
         .most = LARGE_RESPONSE,
         .help = "bytes"},
        {.name = "soak_num_threads",
         .kind = OY_FLAG_INT,
         .value = &s.soak.threads,
         .least = 1,
         .most = MAX_SOAK_THREADS},
        {.name = "use_tls", .kind = OY_FLAG_OFF, .help = no_tls},
        {.name = "use_alts", .kind = OY_FLAG_OFF, .help = "this build has no ALTS"},
        {.name = "custom_credentials_type",
         .kind = OY_FLAG_OFF,
         .help = "this build has no such credentials",
         .words = "insecure"},
        {.name = "service_config_json",
         .kind = OY_FLAG_OFF,
         .help = "this build has no service configs",
         .words = "{}"},
        {.name = "use_test_ca", .kind = OY_FLAG_IGNORED, .help = of_tls},
        {.name = "ca_file", .kind = OY_FLAG_IGNORED, .help = of_tls},
        {.name = "alts_handshaker_service_address",
         .kind = OY_FLAG_IGNORED,
         .help = "of ALTS only"},
        {.name = "default_service_account", .kind = OY_FLAG_IGNORED, .help = of_clouds},
        {.name = "oauth_scope", .kind = OY_FLAG_IGNORED, .help = of_clouds},
        {.name = "service_account_key_file", .kind = OY_FLAG_IGNORED, .help = of_clouds},
        {.name = "google_c2p_universe_domain", .kind = OY_FLAG_IGNORED, .help = of_clouds},
    };
    switch (oy_flags_parse(flags, sizeof(flags) / sizeof(flags[0]),
                           "A client of grpc.testing.TestService.", argc, argv)) {
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

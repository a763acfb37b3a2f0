/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the interop client share: one run of a case, and the words in which it
 * fails. */
#ifndef OY_INTEROP_CLIENT_H
#define OY_INTEROP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grpc/testing/test.oyez.h"

#define LARGE_REQUEST  271828
#define LARGE_RESPONSE 314159
#define CASE_TIMEOUT   (20 * OYEZ_SECOND)

/* Names that generated code gives, shortened for the cases. */
#define test_stub    grpc_testing_test_service_stub
#define test_call(x) grpc_testing_test_service_##x

#define MAX_SOAK_THREADS 64

/* --soak_... */
typedef struct soak_settings {
    int iterations, max_failures, max_latency_ms, overall_s, min_time_ms;
    int request_size, response_size, threads;
} soak_settings;

/* One run of a case: the channel, and what came of its last call. */
typedef struct case_run {
    const char *target;
    oyez_channel *channel;
    oyez_metadata *extra; /* --additional_metadata */
    const char *authority;
    bool log_end;
    const soak_settings *soak;
    oyez_metadata *headers, *trailers;
    oyez_status status;
    oyez_call_options options;
    char words[1024]; /* why the case has failed */
} case_run;

/* Bodies are zeros. */
extern uint8_t zeros[LARGE_RESPONSE];

/* Notes why the case has failed. Always false. */
bool fail(case_run *run, const char *format, ...) OYEZ_PRINTF(2, 3);

oyez_err open_channel(const char *target, char *words, size_t words_bytes,
                      oyez_channel **ret_channel);
/* Fresh places for headers, trailers and status, and the options of the next call. */
bool begin(case_run *run, const oyez_metadata *metadata);
/* Prints how a call ended, if that is wanted. */
void end(case_run *run);
test_stub stub_of(case_run *run);

bool expect_ok(case_run *run);
/* @param message  NULL: any. */
bool expect_status(case_run *run, oyez_code code, const char *message);
/* A payload of the size, all zeros. */
bool expect_body(case_run *run, const Grpc__Testing__Payload *payload, size_t size);

/* The metadata of custom_metadata, beside that of the flags; and that the server has echoed it. */
bool make_echo_metadata(case_run *run, oyez_metadata **ret_metadata);
bool expect_echo_metadata(case_run *run);

/* A case. */
typedef bool play_fn(case_run *run);
play_fn empty_unary, large_unary, special_status_message, unimplemented_method,
    unimplemented_service;
play_fn client_streaming, server_streaming, ping_pong, empty_stream, half_duplex, slow_consumer,
    cancel_after_begin, cancel_after_first_response, timeout_on_sleeping_server;
play_fn client_compressed_unary, server_compressed_unary, client_compressed_streaming,
    server_compressed_streaming;
play_fn orca_per_rpc, orca_oob;
play_fn rpc_soak, channel_soak;
play_fn http2_goaway, http2_reset, http2_max_streams;

/* The halves of two cases. */
play_fn unary_status_code_and_message, stream_status_code_and_message;
bool unary_custom_metadata(case_run *run, const oyez_metadata *metadata);
bool stream_custom_metadata(case_run *run, const oyez_metadata *metadata);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the interop server share. */
#ifndef OY_INTEROP_SERVER_H
#define OY_INTEROP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grpc/testing/test.oyez.h"

/* The two echo headers: the first value of each goes back. */
oyez_code echo_metadata(oyez_server_call *call);
/* OYEZ_OK, or the status that a request asks for. */
oyez_code echo_status(oyez_server_call *call, const Grpc__Testing__EchoStatus *status);
/* INVALID_ARGUMENT if the message should have come compressed and has not. */
oyez_code expect_compressed(oyez_server_call *call, const Grpc__Testing__BoolValue *expected, bool compressed);
/* The payload that a request asks for; its body is shared and static. */
oyez_code fill(oyez_server_call *call, Grpc__Testing__PayloadType type, int32_t size,
               Grpc__Testing__Payload *payload);

/* A report of load that a request carries, or NULL: for the trailers of its call, and for all who listen. */
oyez_code report_in_trailers(oyez_server_call *call, const Grpc__Testing__TestOrcaReport *from);
oyez_code report_out_of_band(oyez_server_call *call, const Grpc__Testing__TestOrcaReport *from);
/* The service for those who listen. */
oyez_err register_reports(oyez_server *server);

/* Sleeps, in a handler that blocks. False: the client has gone meanwhile. */
bool pause_for(oyez_server_call *call, oyez_duration pause);

/* Responses that are still to be sent, in the call's arena. Those that were sent are used again, so
 * that a stream does not grow however long it is. */
typedef struct output {
    struct output *next;
    Grpc__Testing__PayloadType type;
    int32_t size, interval_us;
    bool as_it_is; /* not compressed, though others of the stream may be */
} output;

typedef struct output_queue {
    oyez_server_call *call;
    oyez_stream *stream; /* of the responses */
    output *first, *last, *spare;
    size_t count;
} output_queue;

/* Adds what a request asks for. */
oyez_code output_queue_add(output_queue *queue,
                           const Grpc__Testing__StreamingOutputCallRequest *request);
/* Makes the next response; it lives until the next call of this function.
 * @param ret_interval_us  the pause before it.
 * @return false: there is none, or *ret_code says what is wrong with it. */
bool output_queue_next(output_queue *queue, Grpc__Testing__StreamingOutputCallResponse *response,
                       Grpc__Testing__Payload *payload, int32_t *ret_interval_us,
                       oyez_code *ret_code);

/* Sets the streaming methods: handlers that block, or handlers of events. */
void set_blocking_streams(grpc_testing_test_service_service *service);
void set_async_streams(grpc_testing_test_service_service *service);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file oyez.h
 * gRPC for C. The whole library in twenty lines:
 *
 *     oyez_channel *channel = NULL;                                 // the client's end
 *     oyez_err err = oyez_channel_new("dns:///localhost:50051", oyez_insecure(), NULL, &channel);
 *
 *     helloworld_greeter_stub greeter = { .channel = channel };     // generated: a typed value
 *     oyez_status status = OYEZ_STATUS_INIT;                        // how a call ended, in words
 *     if (helloworld_greeter_say_hello(greeter, NULL, &req, &reply, &status) == OYEZ_OK)
 *         puts(reply->message);
 *
 *     static const helloworld_greeter_service impl = { .say_hello = say_hello };
 *     err = oyez_server_new(NULL, &server);                         // the server's end
 *     err = helloworld_greeter_service_register(server, &impl, NULL);
 *     err = oyez_server_listen(server, "0.0.0.0:50051", oyez_insecure(), NULL);
 *     err = oyez_server_serve(server);                              // until oyez_server_stop()
 *
 * Local failures are an oyez_err (0 or negative), the end of a call is an oyez_code with an oyez_status.
 * `_new` goes with `_free`, `_ref` with `_unref`, `_init` with `_fini`; all of them take NULL.
 */
#ifndef OYEZ_H
#define OYEZ_H

#include <oyez/alloc.h>
#include <oyez/call.h>
#include <oyez/channel.h>
#include <oyez/codec.h>
#include <oyez/compressor.h>
#include <oyez/credentials.h>
#include <oyez/ctx.h>
#include <oyez/inproc.h>
#include <oyez/interceptor.h>
#include <oyez/limits.h>
#include <oyez/log.h>
#include <oyez/mem.h>
#include <oyez/metadata.h>
#include <oyez/runtime.h>
#include <oyez/server.h>
#include <oyez/service.h>
#include <oyez/stats.h>
#include <oyez/status.h>
#include <oyez/stream.h>
#include <oyez/types.h>
#include <oyez/version.h>

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file service.h
 * What a service's methods are and who handles them. Generated code fills these in; a server of raw
 * bytes does it by hand.
 */
#ifndef OYEZ_SERVICE_H
#define OYEZ_SERVICE_H

#include <oyez/call.h>
#include <oyez/stream.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * A blocking handler: fills `reply` and returns OYEZ_OK, or returns oyez_server_call_fail(...).
 * Runs on a worker, or on the loop if the service says `on_loop`.
 * @param service  the table of the service (generated code: functions of its methods).
 * @param self     yours, as registered.
 * @param request  lives until the handler returns.
 * @param reply    empty message; what you hang into it lives in the call's arena, or is static.
 */
typedef oyez_code oyez_unary_handler_fn(const void *service, void *self, oyez_server_call *call,
                                        const void *request, void *reply);

/**
 * An async handler, on the loop: must not block. Ends the call exactly once, then or later, from any
 * thread: oyez_server_call_reply or oyez_server_call_finish. `request` lives until then.
 */
typedef void oyez_unary_async_handler_fn(const void *service, void *self, oyez_server_call *call,
                                         const void *request);

/**
 * A blocking handler of a streaming method, on a worker: reads and writes `stream` until it returns the code of the
 * call.
 * @param request  the one request of a method that only the server streams; else NULL: read the stream.
 * @param reply    the one reply of a method that only the client streams, to be filled; else NULL: write to the
 *                 stream.
 */
typedef oyez_code oyez_stream_handler_fn(const void *service, void *self, oyez_server_call *call, const void *request,
                                         oyez_stream *stream, void *reply);

/**
 * An async handler of a streaming method, on the loop: says which events it wants (oyez_stream_listen) and returns.
 * Ends the call exactly once, then or later, from any thread: oyez_server_call_finish, or oyez_server_call_reply where
 * only the client streams.
 */
typedef void oyez_stream_async_handler_fn(const void *service, void *self, oyez_server_call *call, const void *request,
                                          oyez_stream *stream);

/** A method and its handler: of its kind (unary or streaming) at most one of the two; with neither the method answers
 *  UNIMPLEMENTED. */
typedef struct oyez_service_method {
    const oyez_method *method; /**< borrowed for the life of the server */
    oyez_unary_handler_fn *unary;
    oyez_unary_async_handler_fn *unary_async;
    oyez_stream_handler_fn *stream;
    oyez_stream_async_handler_fn *stream_async;
} oyez_service_method;

/** A service. Copied by oyez_server_register, but for what the pointers point to. */
struct oyez_service_desc {
    size_t size;                        /**< OYEZ_SERVICE_DESC_INIT */
    size_t method_size;                 /**< OYEZ_SERVICE_DESC_INIT */
    const char *name;                   /**< "package.Service" */
    const oyez_service_method *methods; /**< borrowed while it is registered */
    size_t method_count;
    const void *service;                /**< handed to the handlers */
    void *self;                         /**< handed to the handlers */
    bool on_loop;                       /**< blocking handlers do not block: they run on the loop */
};

#define OYEZ_SERVICE_DESC_INIT .size = sizeof(oyez_service_desc), .method_size = sizeof(oyez_service_method)

OYEZ_END_DECLS

#endif

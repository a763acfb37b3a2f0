/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file call.h
 * Unary calls of a client. Generated stubs wrap these functions with the types of one method; programs
 * that have only bytes use them as they are.
 */
#ifndef OYEZ_CALL_H
#define OYEZ_CALL_H

#include <oyez/codec.h>
#include <oyez/ctx.h>
#include <oyez/metadata.h>
#include <oyez/status.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/** A method, as generated code describes it: constant, and lives as long as the program. */
struct oyez_method {
    size_t size;                        /**< OYEZ_METHOD_INIT */
    const char *path;                   /**< "/package.Service/Method" */
    const oyez_codec *(*codec)(void);   /**< such as oyez_protobuf_c; NULL: oyez_bytes */
    const void *request;                /**< type of the request, for the codec */
    const void *response;               /**< type of the response, for the codec */
    bool client_streaming;
    bool server_streaming;
};

#define OYEZ_METHOD_INIT .size = sizeof(oyez_method)

/** Runs once when a call has ended, before its caller hears of it: on the thread that waits for a unary call, else on the
 *  loop. `status` is borrowed. */
typedef void oyez_call_finish_fn(oyez_call *call, const oyez_status *status, void *user);

/** Options of one call, of all calls of a stub, or of a channel. Zero means the default. */
struct oyez_call_options {
    size_t size;                     /**< OYEZ_CALL_OPTIONS_INIT */
    oyez_duration timeout;           /**< from the start; the earlier of it and the ctx's deadline; 0: none */
    bool wait_for_ready;             /**< wait for a connection instead of failing with UNAVAILABLE */
    const oyez_metadata *metadata;   /**< sent with the call; borrowed while the call is started */
    oyez_metadata *headers;          /**< gets the server's header metadata; lives until the call has ended */
    oyez_metadata *trailers;         /**< gets the server's trailer metadata; lives until the call has ended */
    size_t max_receive_bytes;        /**< limit of the reply; 0: the channel's */
    size_t max_send_bytes;           /**< limit of the request; 0: the channel's */
    const char *authority;           /**< `:authority` instead of the channel's; borrowed while the call is
                                          started */
    oyez_call_finish_fn *on_finish;  /**< told of the end of each call that was started without an error */
    void *on_finish_user;
    char *peer;                      /**< gets the server's address, such as "127.0.0.1:50051", when the call has ended;
                                          "" if it never was on a connection; lives until then */
    size_t peer_bytes;               /**< room in `peer`; what does not fit is cut off */
    const char *content_subtype;     /**< "json": the content-type is application/grpc+json, instead of what the codec
                                          is called; borrowed while the call is started. Letters, digits and
                                          -.!#$%&'*+^_`|~ alone, or OYEZ_EINVAL */
    const char *compressor;          /**< "gzip": what is sent is compressed (oyez/compressor.h); "identity": it is not,
                                          whatever the channel says; NULL: as the channel says. One that the channel
                                          does not have: OYEZ_INTERNAL. Borrowed while the call is started */
};

#define OYEZ_CALL_OPTIONS_INIT .size = sizeof(oyez_call_options)

/**
 * Calls and waits for the reply.
 *
 * Any thread but a loop thread (OYEZ_INTERNAL with words: it would wait for itself). On a manual runtime
 * the calling thread turns the loop meanwhile. Since 0.1.
 *
 * @param ctx        borrowed; NULL for the background.
 * @param options    borrowed; NULL for the defaults.
 * @param request    borrowed; of the method's request type.
 * @param ret_reply  gets the reply on success, on the heap: free it as its library does. May be NULL.
 * @param ret_status gets the words; initialised (OYEZ_STATUS_INIT), finished by you. May be NULL.
 * @return the code of the call's status.
 */
OYEZ_API oyez_code oyez_unary_call(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                                   const oyez_call_options *options, const void *request,
                                   void **ret_reply, oyez_status *ret_status);

/** Runs once when a call has ended, on its loop; `reply` (NULL unless OYEZ_OK) and `status` are borrowed
 *  until it returns. */
typedef void oyez_unary_done_fn(oyez_call *call, const oyez_status *status, const void *reply, void *user);

/**
 * Starts a call and returns at once. The callback runs exactly once, never inside this function, on a loop
 * thread; if an error is returned it never runs.
 *
 * The call fails with OYEZ_UNAVAILABLE at once if the channel is in transient failure, unless
 * `wait_for_ready` is set. Any thread. Since 0.1.
 *
 * @param request   borrowed: it is encoded before the function returns.
 * @param ret_call  a reference you own, written before the callback can run; may be NULL if you will not
 *                  cancel.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_unary_call_async(oyez_channel *channel, const oyez_method *method,
                                                        oyez_ctx *ctx, const oyez_call_options *options,
                                                        const void *request, oyez_unary_done_fn *done,
                                                        void *user, oyez_call **ret_call);

/** A function of any type, stored between registration and call; converted back before it is called. */
typedef void oyez_any_fn(void);

/** Generated code: converts `done` to its method's type and calls it. */
typedef void oyez_unary_adapter_fn(oyez_call *call, const oyez_status *status, const void *reply,
                                   oyez_any_fn *done, void *user);

/** For generated code: oyez_unary_call_async with a typed callback behind an adapter. Any thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_unary_call_start(oyez_channel *channel, const oyez_method *method,
                                                        oyez_ctx *ctx, const oyez_call_options *options,
                                                        const void *request,
                                                        oyez_unary_adapter_fn *adapter, oyez_any_fn *done,
                                                        void *user, oyez_call **ret_call);

/** Asks for the end of a call; returns at once, the callback still runs: with OYEZ_CANCELLED unless it
 *  lost the race. NULL is allowed. Any thread. Since 0.1. */
OYEZ_API void oyez_call_cancel(oyez_call *call);

/** NULL stays NULL. Returns `call`. Any thread. Since 0.1. */
OYEZ_API oyez_call *oyez_call_ref(oyez_call *call);
/** Drops a reference; does not cancel. Returns NULL. Any thread. Since 0.1. */
OYEZ_API oyez_call *oyez_call_unref(oyez_call *call);

/** The address of the server that the call went to, such as "127.0.0.1:50051"; "" before that is known.
 *  To be read in the callback; lives as long as the call. Loop thread. Since 0.1. */
OYEZ_API const char *oyez_call_peer(const oyez_call *call);

OYEZ_END_DECLS

#endif

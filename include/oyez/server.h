/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file server.h
 * A server: listeners, services, and the calls that come in.
 */
#ifndef OYEZ_SERVER_H
#define OYEZ_SERVER_H

#include <oyez/compressor.h>
#include <oyez/credentials.h>
#include <oyez/ctx.h>
#include <oyez/interceptor.h>
#include <oyez/log.h>
#include <oyez/mem.h>
#include <oyez/metadata.h>
#include <oyez/runtime.h>
#include <oyez/service.h>
#include <oyez/stats.h>
#include <oyez/status.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * Where handlers that block run, instead of the runtime's workers. `run` is called on a loop and must not block; it
 * sees to it that `fn(arg)` runs exactly once, on whatever thread, also when the server is being stopped. On the
 * loop's own thread a handler must not block, and cannot receive from a stream. `self` outlives the server.
 */
typedef struct oyez_executor {
    void (*run)(void *self, oyez_task_fn *fn, void *arg);
    void *self;
} oyez_executor;

/**
 * A look at a call as soon as its headers have come, on the loop: before its method is looked for, before anything of
 * its message is read, before interceptors and stats handlers. Must not block.
 *
 * Of a server call's functions it may use path, authority, metadata, peer, peer_ids, set_value, fail and fail_status.
 * Not OYEZ_OK: the call is refused with that code, and with the words of fail if there are any. What is not a code of
 * gRPC, an oyez_err for example, counts as OYEZ_PERMISSION_DENIED.
 */
typedef oyez_code oyez_tap_fn(void *self, oyez_server_call *call);

/** Options of a server. Zero means the default. Borrowed while the server is made, unless said. */
struct oyez_server_options {
    size_t size;                       /**< OYEZ_SERVER_OPTIONS_INIT */
    oyez_runtime *runtime;             /**< takes a reference of its own; NULL: the default runtime */
    oyez_pool *pool;                   /**< for messages; takes a reference; NULL: a pool of its own */
    size_t max_receive_bytes;          /**< a request; 0: 4 MiB */
    size_t max_send_bytes;             /**< a reply; 0: no limit but the format's 2^32 - 1 */
    uint32_t max_streams;              /**< calls of one connection at a time, announced, handlers that outlive
                                            their stream included; 0: 4,096; UINT32_MAX: no limit */
    uint32_t max_header_list_bytes;    /**< headers of a request, announced; 0: 16 KiB */
    uint32_t stream_window_bytes;      /**< 0: 1 MiB; 65,535 at least */
    uint32_t connection_window_bytes;  /**< 0: 4 MiB; 65,535 at least */
    size_t max_buffered_bytes;         /**< of all connections; beyond it streams are refused; 0: 256 MiB */
    uint32_t max_connections;          /**< further ones are closed at once; 0: 65,536 */
    uint32_t max_unsent_control;       /**< replies to frames of a peer that does not read; 0: 1,000 */
    oyez_duration handshake_timeout;   /**< from accept to the client's SETTINGS; 0: 20 s */
    const oyez_server_interceptor *const *interceptors; /**< a chain, the outermost first; copied */
    size_t interceptor_count;
    oyez_log log;                      /**< default: silence */
    const oyez_stats_handler *const *stats_handlers; /**< copied */
    size_t stats_handler_count;
    oyez_tap_fn *tap;                  /**< NULL: none */
    void *tap_self;                    /**< lives as long as the server */
    oyez_executor executor;            /**< zero: the runtime's workers */
    size_t max_arena_bytes;            /**< memory of one call, for its decoded messages and what the handler takes;
                                            0: 64 MiB, or 16 times max_receive_bytes if that is more */
    oyez_duration keepalive_time;      /**< silence of a client before a PING; 0: 2 h; 1 s at least; OYEZ_FOREVER: none */
    oyez_duration keepalive_timeout;   /**< for the answer; then the connection is closed; 0: 20 s */
    oyez_duration keepalive_min_time;  /**< least time between the PINGs of a client: three that come earlier, and it is
                                            sent away (too_many_pings); 0: 5 min */
    oyez_duration max_connection_idle; /**< a connection without calls is then ended, gracefully; 0: never */
    oyez_duration max_connection_age;  /**< any connection is then ended, gracefully, ten percent earlier or later; 0: never */
    oyez_duration max_connection_age_grace; /**< ... and its calls may go on for so long; 0: for ever */
    bool keepalive_permit_without_calls; /**< PINGs of clients without calls are no more of a nuisance than others */
    bool fixed_windows;                /**< windows stay as they are; default: they grow with bandwidth and delay, up to
                                            16 MiB */
    const oyez_compressor *const *compressors; /**< what may be received and sent compressed, the best first; copied;
                                            NULL: all that this build has */
    size_t compressor_count;
};

#define OYEZ_SERVER_OPTIONS_INIT .size = sizeof(oyez_server_options)

/** Makes a server without services or listeners. What is wrong with the options is said in their log. Any thread. Since 0.1.
 *  @param options borrowed; NULL for the defaults. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_new(const oyez_server_options *options,
                                                  oyez_server **ret_server);
/** NULL stays NULL. Returns `server`. Any thread. Since 0.1. */
OYEZ_API oyez_server *oyez_server_ref(oyez_server *server);
/** The last reference stops the server and waits for its handlers to end, unless on a loop thread.
 *  Returns NULL. Any thread; not in a handler, which would wait for itself. Since 0.1. */
OYEZ_API oyez_server *oyez_server_unref(oyez_server *server);

/**
 * Adds a service. Before the server is started (OYEZ_ESTATE). OYEZ_EEXIST: the name is taken. A blocking
 * handler on a runtime without workers is OYEZ_ESTATE unless the service says on_loop; a table that no server could
 * use, such as two handlers of one method, or a blocking handler of a stream with on_loop, is OYEZ_EINVAL.
 * oyez_server_words names the method. Owner thread. Since 0.1.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_register(oyez_server *server, const oyez_service_desc *desc);

/** Handles a call of a service or method that nobody registered: a stream of raw bytes both ways, whatever the kind of the
 *  method is (a unary call is one message each way). Messages are oyez_slice (oyez_bytes), handed on by reference when they
 *  are large; oyez_server_call_path says what was called. On a worker. */
typedef oyez_code oyez_unknown_handler_fn(void *self, oyez_server_call *call, oyez_stream *stream);
/** The same on the loop: says which events it wants (oyez_stream_listen), and ends the call by oyez_server_call_finish. */
typedef void oyez_unknown_async_handler_fn(void *self, oyez_server_call *call, oyez_stream *stream);
/** Sets one of the two handlers, before the server is started; with neither, as is the default, such calls end with
 *  UNIMPLEMENTED. Paths that are not of the form /service/method never reach it. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_set_unknown_handler(oyez_server *server, oyez_unknown_handler_fn *handler,
                                                                  oyez_unknown_async_handler_fn *async_handler,
                                                                  void *self);

/**
 * Listens. May be called several times, also while the server runs. Owner thread. Since 0.1.
 *
 * @param address   borrowed. "1.2.3.4:port"; "[::1]:port"; "localhost:port", which is 127.0.0.1 alone; ":port" or
 *                  "[::]:port", which is every address of this machine, IPv6 and IPv4; "unix:path" (the file of a server
 *                  that is gone is replaced; it is removed at the end); "unix-abstract:name". Port 0 (":0") takes any that
 *                  is free. Names are not looked up.
 * @param ret_port  gets the port, of use when 0 was asked; 0 for a unix socket; may be NULL.
 * @return OYEZ_EADDRINUSE, OYEZ_EADDR, ...; oyez_server_words says more.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_listen(oyez_server *server, const char *address,
                                                     oyez_credentials *credentials, uint16_t *ret_port);
/** Takes a descriptor that listens already (socket activation). Owner thread. Since 0.1. @param fd
 *  *takes*, on success and on failure. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_listen_fd(oyez_server *server, int fd,
                                                        oyez_credentials *credentials);

/** Begins to accept; does not block. OYEZ_ESTATE: it is running already; OYEZ_ESTOPPED: a server that was stopped is not
 *  started again. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_start(oyez_server *server);
/** Starts, if need be, and waits until the server has been stopped. A manual runtime is turned meanwhile. OYEZ_ESTOPPED, once
 *  the stop is over: it had been stopped before. Any thread but a loop thread (OYEZ_EDEADLK). Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_serve(oyez_server *server);

/** Closes listeners and connections at once: calls under way are cancelled. Returns at once. Any thread;
 *  async-signal-safe it is not. Since 0.1. */
OYEZ_API void oyez_server_stop(oyez_server *server);
/** Closes the listeners, tells the clients (GOAWAY), and lets the calls under way finish; after `limit`
 *  (OYEZ_FOREVER: never) it stops. Returns at once: oyez_server_serve returns when it is over. Not to be called in a
 *  signal handler: examples/greeter_signals.c waits for SIGTERM. Any thread. Since 0.1. */
OYEZ_API void oyez_server_graceful_stop(oyez_server *server, oyez_duration limit);
/** Waits until a stop is over: no connection, no handler. OYEZ_ETIMEDOUT. Any thread but a loop thread
 *  (OYEZ_EDEADLK). Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_wait(oyez_server *server, oyez_duration timeout);

/** What was wrong with the last register, set_unknown_handler, listen or start, in words; "" if nothing. Lives until the
 *  next of them. They are in the log, too (OYEZ_LOG_ERROR). Owner thread. Since 0.1. */
OYEZ_API const char *oyez_server_words(const oyez_server *server);

/* --- a call, as its handler sees it ------------------------------------------------------------- */

/** Records a status with words and returns its code, for the handler's `return`. `code` OYEZ_OK becomes
 *  OYEZ_UNKNOWN. Handler's thread. Since 0.1. */
OYEZ_API oyez_code oyez_server_call_fail(oyez_server_call *call, oyez_code code, const char *format, ...)
    OYEZ_PRINTF(3, 4);
/** As oyez_server_call_fail, from a status (details and all). Handler's thread. Since 0.1. */
OYEZ_API oyez_code oyez_server_call_fail_status(oyez_server_call *call, const oyez_status *status);

/** Memory of the call's arena: lives as long as the call. NULL: out of memory, or max_arena_bytes is reached. Handler's thread.
 *  Since 0.1. */
OYEZ_API void *oyez_server_call_alloc(oyez_server_call *call, size_t bytes);
OYEZ_API char *oyez_server_call_printf(oyez_server_call *call, const char *format, ...) OYEZ_PRINTF(2, 3);
OYEZ_API char *oyez_server_call_strdup(oyez_server_call *call, const char *text);

/** Async handlers: answers with a message, or with a code (and the words of oyez_server_call_fail).
 *  Exactly one of them, exactly once; the call is gone afterwards, but with oyez_stream_listen it and its memory live until
 *  on_done has returned. Any thread. Since 0.1. @param reply
 *  borrowed. */
OYEZ_API void oyez_server_call_reply(oyez_server_call *call, const void *reply);
OYEZ_API void oyez_server_call_finish(oyez_server_call *call, oyez_code code);

/** The ctx of the call: its deadline, and done when the client cancels or is lost. Made when first asked for;
 *  borrowed, lives as long as the call (take a reference to keep it). Handler's thread. Since 0.1. */
OYEZ_API oyez_ctx *oyez_server_call_ctx(oyez_server_call *call);
/** True once the client has cancelled, its deadline has passed or the connection is lost. Any thread.
 *  Since 0.1. */
OYEZ_API bool oyez_server_call_is_cancelled(const oyez_server_call *call);
/** ":path", byte for byte as it came and as dispatch uses it. Any thread. Since 0.1. */
OYEZ_API oyez_str oyez_server_call_path(const oyez_server_call *call);
/** ":authority" (or "host"); empty if none came. Any thread. Since 0.1. */
OYEZ_API oyez_str oyez_server_call_authority(const oyez_server_call *call);
/** The metadata of the request; borrowed, lives as long as the call. Any thread. Since 0.1. */
OYEZ_API const oyez_metadata *oyez_server_call_metadata(const oyez_server_call *call);
/** The client's address, such as "127.0.0.1:34512". Any thread. Since 0.1. */
OYEZ_API const char *oyez_server_call_peer(const oyez_server_call *call);
/** The ids of a client on a unix socket, as the system gave them at accept; OYEZ_ENOENT for other sockets.
 *  Any thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_call_peer_ids(const oyez_server_call *call, uint32_t *ret_pid,
                                                            uint32_t *ret_uid, uint32_t *ret_gid);

/** Remembers a value for those who see the call later: interceptors, the handler. OYEZ_ENOMEM. Handler's thread.
 *  Since 0.1. @param key compared by address, such as that of a static variable of yours. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_call_set_value(oyez_server_call *call, const void *key, void *value);
/** The value that was set last; NULL if there is none. Handler's thread. Since 0.1. */
OYEZ_API void *oyez_server_call_value(const oyez_server_call *call, const void *key);

/** Adds to the header or trailer metadata of the answer; -bin values are raw bytes. OYEZ_EKEY: not a legal
 *  or a reserved key; OYEZ_EVALUE: a value with unprintable characters. OYEZ_ESTATE: headers have left already (with the first
 *  message of a stream, or by oyez_server_call_send_headers). Handler's thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_call_add_header(oyez_server_call *call, const char *key,
                                                              const void *value, size_t len);
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_call_add_trailer(oyez_server_call *call, const char *key,
                                                               const void *value, size_t len);
/** As the two above, but what was added under the key before is replaced. Handler's thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_call_set_header(oyez_server_call *call, const char *key,
                                                              const void *value, size_t len);
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_call_set_trailer(oyez_server_call *call, const char *key,
                                                               const void *value, size_t len);

/**
 * Chooses the compressor of the answer: by name, one of the server's; "identity": none. Without it the answer is
 * compressed as the request was. Before headers leave, as oyez_server_call_add_header.
 *
 * OYEZ_ENOENT: the server has none of this name. OYEZ_EUNSUPPORTED: the client has not said that it takes it
 * (grpc-accept-encoding). OYEZ_ESTATE: headers have left. Handler's thread. Since 0.1.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_call_set_compressor(oyez_server_call *call, const char *name);
/** By what the client compresses: its grpc-encoding; "" if it said none. Any thread. Since 0.1. */
OYEZ_API oyez_str oyez_server_call_encoding(const oyez_server_call *call);
/** Whether the one request of a method without a stream of requests came compressed. Handler's thread. Since 0.1. */
OYEZ_API bool oyez_server_call_request_compressed(const oyez_server_call *call);

/** Sends the header metadata now, without waiting for the first message or the reply. OYEZ_ESTATE: it has left
 *  already. Handler's thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_call_send_headers(oyez_server_call *call);

OYEZ_END_DECLS

#endif

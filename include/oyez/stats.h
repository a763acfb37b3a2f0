/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file stats.h
 * Stats handlers: what happens to connections and calls, told as it happens, for metrics and traces.
 */
#ifndef OYEZ_STATS_H
#define OYEZ_STATS_H

#include <oyez/metadata.h>
#include <oyez/status.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/* What is told comes in structs that may grow; all that they point to is borrowed until the function returns. */

/** A connection. */
typedef struct oyez_stats_conn {
    size_t size;
    bool client;      /**< of a channel, not of a server */
    const char *peer; /**< "127.0.0.1:50051": the other end */
} oyez_stats_conn;

/** A call begins (server), or an attempt of one (client). */
typedef struct oyez_stats_begin {
    size_t size;
    bool client;
    const char *path;        /**< "/package.Service/Method", byte for byte */
    bool client_streaming;   /**< false for a method that a server does not know, as is the next */
    bool server_streaming;
    bool wait_for_ready;     /**< client */
    bool transparent_retry;  /**< client: an attempt before this one was not seen by any server */
    oyez_duration deadline;  /**< on the clock of oyez_now; OYEZ_FOREVER: none */
    void *conn_tag;          /**< server: what this handler's conn_begin returned; client: NULL */
} oyez_stats_begin;

/** Headers or trailers. */
typedef struct oyez_stats_headers {
    size_t size;
    const oyez_metadata *metadata; /**< without what belongs to gRPC and HTTP; NULL: empty */
    const char *peer;
} oyez_stats_headers;

/** A message. */
typedef struct oyez_stats_payload {
    size_t size;
    size_t length;      /**< of the message, encoded and not compressed */
    size_t wire_length; /**< as it travels, with the 5 bytes in front */
    size_t compressed_length; /**< as it travels, without them: `length` if it is not compressed */
    bool compressed;    /**< its flag says that it is */
} oyez_stats_payload;

/** The end of a call, or of an attempt. */
typedef struct oyez_stats_end {
    size_t size;
    const oyez_status *status;
} oyez_stats_end;

/**
 * A stats handler; each function is optional. Several are called in the order of the list. Tables are copied;
 * `self` lives as long as the server or channel and its calls.
 *
 * All functions run on the loop of the connection and must not block. `tag` is what the begin function of the same
 * handler returned for that connection or call; NULL without one.
 *
 * A client's attempt: begin, out_headers when it is on a connection, out_payload and in_payload as messages go and
 * come, in_headers, in_trailers, end. A response of trailers alone has no in_headers; a call that never
 * finds a connection has begin and end; one that an interceptor refuses has none of them.
 *
 * To tell the length of a message that has come compressed it is decompressed at once, on the loop; without stats
 * handlers that is done where it is decoded.
 *
 * A server's call: begin, in_headers, in_payload, out_headers, out_payload, out_trailers, end when the handler
 * is done with it, too. A call that the tap refuses has none of them.
 */
typedef struct oyez_stats_handler {
    size_t size; /**< OYEZ_STATS_HANDLER_INIT */
    void *self;
    void *(*conn_begin)(void *self, const oyez_stats_conn *conn);
    void (*conn_end)(void *self, void *tag, const oyez_stats_conn *conn);
    void *(*begin)(void *self, const oyez_stats_begin *begin);
    void (*in_headers)(void *self, void *tag, const oyez_stats_headers *headers);
    void (*out_headers)(void *self, void *tag, const oyez_stats_headers *headers);
    void (*in_payload)(void *self, void *tag, const oyez_stats_payload *payload);
    void (*out_payload)(void *self, void *tag, const oyez_stats_payload *payload);
    /** Client. */
    void (*in_trailers)(void *self, void *tag, const oyez_stats_headers *trailers);
    /** Server. */
    void (*out_trailers)(void *self, void *tag, const oyez_stats_headers *trailers);
    void (*end)(void *self, void *tag, const oyez_stats_end *end);
} oyez_stats_handler;

#define OYEZ_STATS_HANDLER_INIT .size = sizeof(oyez_stats_handler)

OYEZ_END_DECLS

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file channel.h
 * A channel: the client's end. It finds the servers behind a name, keeps a connection, and carries calls.
 */
#ifndef OYEZ_CHANNEL_H
#define OYEZ_CHANNEL_H

#include <oyez/call.h>
#include <oyez/compressor.h>
#include <oyez/credentials.h>
#include <oyez/interceptor.h>
#include <oyez/log.h>
#include <oyez/mem.h>
#include <oyez/runtime.h>
#include <oyez/stats.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/** The state of a channel (grpc/doc/connectivity-semantics-and-api.md). */
typedef enum oyez_connectivity {
    OYEZ_IDLE = 0,
    OYEZ_CONNECTING = 1,
    OYEZ_READY = 2,
    OYEZ_TRANSIENT_FAILURE = 3,
    OYEZ_SHUTDOWN = 4,
} oyez_connectivity;

/** "IDLE" and so on; static. Any thread. Since 0.1. */
OYEZ_API const char *oyez_connectivity_name(oyez_connectivity state);

/** Options of a channel. Zero means the default. Borrowed while the channel is made, unless said. */
struct oyez_channel_options {
    size_t size;                       /**< OYEZ_CHANNEL_OPTIONS_INIT */
    oyez_runtime *runtime;             /**< takes a reference of its own; NULL: the default runtime */
    oyez_pool *pool;                   /**< for messages; takes a reference; NULL: a pool of its own */
    const char *user_agent;            /**< put in front of "grpc-c-oyez/<version>" */
    const char *authority;             /**< `:authority`; NULL: from the target */
    size_t max_receive_bytes;          /**< a reply; 0: 4 MiB */
    size_t max_send_bytes;             /**< a request; 0: no limit but the format's 2^32 - 1 */
    uint32_t max_header_list_bytes;    /**< headers from the server, announced; 0: 16 KiB */
    uint32_t stream_window_bytes;      /**< 0: 1 MiB; 65,535 at least */
    uint32_t connection_window_bytes;  /**< 0: 4 MiB; 65,535 at least */
    oyez_duration connect_timeout;     /**< least deadline of one attempt; 0: 20 s */
    oyez_duration backoff_base;        /**< first pause between attempts; 0: 1 s */
    oyez_duration backoff_max;         /**< 0: 120 s */
    double backoff_factor;             /**< 0: 1.6 */
    double backoff_jitter;             /**< 0: 0.2; negative: none */
    size_t max_buffered_bytes;         /**< replies that wait for their call; 0: 256 MiB */
    oyez_log log;                      /**< default: silence */
    char *words;                       /**< where oyez_channel_new puts what was wrong, in words */
    size_t words_bytes;                /**< room in `words` */
    oyez_duration keepalive_time;      /**< silence of a server before a PING; 0: none are sent; 10 s at least. Servers
                                            may call less than five minutes too many (keepalive_min_time) */
    oyez_duration keepalive_timeout;   /**< for the answer; then the connection is given up; 0: 20 s */
    bool keepalive_without_calls;      /**< also while no call is under way; servers must permit it */
    bool fixed_windows;                /**< windows stay as they are; default: they grow with bandwidth and delay, up to
                                            16 MiB */
    const oyez_client_interceptor *const *interceptors; /**< a chain, the outermost first; copied */
    size_t interceptor_count;
    const oyez_stats_handler *const *stats_handlers;    /**< copied */
    size_t stats_handler_count;
    const oyez_call_options *call_options; /**< of every call; copied. What a call sets itself comes instead, but its
                                                metadata is added and wait_for_ready is set by either. No place for
                                                headers, trailers, peer (OYEZ_EINVAL) */
    size_t max_arena_bytes;            /**< memory of one call, and of one stream, for decoded messages; 0: 64 MiB,
                                            or 16 times max_receive_bytes if that is more */
    size_t retry_bytes;                /**< of what a call has sent it keeps so much until the server answers, to send it
                                            again should no server have seen it; 0: 256 KiB */
    size_t retry_total_bytes;          /**< ... and all calls together; 0: 16 MiB */
    const oyez_compressor *const *compressors; /**< what may be sent and received compressed, the best first; copied;
                                            NULL: all that this build has */
    size_t compressor_count;
};

#define OYEZ_CHANNEL_OPTIONS_INIT .size = sizeof(oyez_channel_options)

/**
 * Makes a channel; it connects when the first call comes, or by oyez_channel_connect.
 *
 * Targets (grpc/doc/naming.md): dns:[//server/]host[:port] (also a bare host:port), ipv4:a.b.c.d[:port][,...],
 * ipv6:[address][:port][,...], unix:path, unix:///absolute/path, unix-abstract:name, passthrough:///address. The
 * default port is 443.
 *
 * Any thread. Since 0.1.
 * @param target       borrowed. OYEZ_ETARGET when it is malformed.
 * @param credentials  borrowed; required (oyez_insecure(); else OYEZ_ECREDENTIALS).
 * @param options      what is wrong stands where their `words` point to, and in their log.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_channel_new(const char *target, oyez_credentials *credentials,
                                                   const oyez_channel_options *options,
                                                   oyez_channel **ret_channel);
/** NULL stays NULL. Returns `channel`. Any thread. Since 0.1. */
OYEZ_API oyez_channel *oyez_channel_ref(oyez_channel *channel);
/** Drops a reference; calls hold one each, so the last of them closes the channel. In a child of the process (fork)
 *  nothing is sent; a channel that has calls under way is not freed there, for their ends are the parent's: see runtime.h.
 *  Returns NULL. Any thread. Since 0.1. */
OYEZ_API oyez_channel *oyez_channel_unref(oyez_channel *channel);
/** Ends it now: calls under way end with CANCELLED, new ones too. Any thread. Since 0.1. */
OYEZ_API void oyez_channel_close(oyez_channel *channel);

/** The present state. Any thread. Since 0.1. */
OYEZ_API oyez_connectivity oyez_channel_state(const oyez_channel *channel);
/** Leaves IDLE without a call. Any thread. Since 0.1. */
OYEZ_API void oyez_channel_connect(oyez_channel *channel);
/** Waits until the state is no longer `from`. False when the time is over, or at once on a loop thread.
 *  Any thread but a loop thread. Since 0.1. @param timeout OYEZ_FOREVER: no limit. */
OYEZ_API bool oyez_channel_wait_for_state_change(oyez_channel *channel, oyez_connectivity from,
                                                 oyez_duration timeout);

OYEZ_END_DECLS

#endif

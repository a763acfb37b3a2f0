/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file limits.h
 * Every limit of the library, with its default: what the code uses, and what docs/limits.md is made
 * of.
 *
 * A limit that has an option is its default; one without is fixed in this version.
 */
#ifndef OYEZ_LIMITS_H
#define OYEZ_LIMITS_H

#include <oyez/types.h>

/* headers and frames */
#define OYEZ_LIMIT_HEADER_LIST_BYTES       16384u
#define OYEZ_LIMIT_HEADER_BLOCK_BYTES      65536u
#define OYEZ_LIMIT_CONTINUATIONS           64u
#define OYEZ_LIMIT_HPACK_TABLE_BYTES       4096u
#define OYEZ_LIMIT_FRAME_BYTES             16384u
/* flow control and streams */
#define OYEZ_LIMIT_STREAM_WINDOW_BYTES     (1u << 20)
#define OYEZ_LIMIT_CONNECTION_WINDOW_BYTES (4u << 20)
#define OYEZ_LIMIT_STREAMS                 4096u
#define OYEZ_LIMIT_STREAM_ERRORS           1000u
#define OYEZ_LIMIT_UNSENT_CONTROL          1000u
/* messages and memory */
#define OYEZ_LIMIT_RECEIVE_BYTES           (4u << 20)
#define OYEZ_LIMIT_SEND_BYTES              UINT32_MAX
#define OYEZ_LIMIT_BUFFERED_BYTES          ((size_t)256 << 20)
#define OYEZ_LIMIT_UNREAD_ANSWER_BYTES     (1u << 20)
#define OYEZ_LIMIT_ARENA_BYTES             ((size_t)64 << 20)
#define OYEZ_LIMIT_ARENA_FACTOR            16u
#define OYEZ_LIMIT_MESSAGE_DEPTH           100u
#define OYEZ_LIMIT_MESSAGE_REPEATS         8u
#define OYEZ_LIMIT_EMPTY_READS             100u
#define OYEZ_LIMIT_POOL_THRESHOLD_BYTES    1024u
#define OYEZ_LIMIT_POOL_IDLE_BYTES         ((size_t)64 << 20)
#define OYEZ_LIMIT_LOOP_IDLE_BYTES         ((size_t)16 << 20)
#define OYEZ_LIMIT_IDLE_CALLS              1024u
/* compression */
#define OYEZ_LIMIT_COMPRESSORS             16u
#define OYEZ_LIMIT_IDLE_COMPRESSORS        32u
#define OYEZ_LIMIT_IDLE_COMPRESSOR_BYTES   (4u << 20)
#define OYEZ_LIMIT_ZSTD_WINDOW_BYTES       (8u << 20)
/* connections of a server */
#define OYEZ_LIMIT_CONNECTIONS             65536u
#define OYEZ_LIMIT_HANDSHAKE_TIMEOUT       (20 * OYEZ_SECOND)
#define OYEZ_LIMIT_ABORT_DELAY             (200 * OYEZ_MILLISECOND)
#define OYEZ_LIMIT_DRAIN_PING_TIMEOUT      (5 * OYEZ_SECOND)
#define OYEZ_LIMIT_LINGER_TIMEOUT          (1 * OYEZ_SECOND)
/* channels */
#define OYEZ_LIMIT_CONNECT_TIMEOUT         (20 * OYEZ_SECOND)
#define OYEZ_LIMIT_BACKOFF_BASE            (1 * OYEZ_SECOND)
#define OYEZ_LIMIT_BACKOFF_FACTOR          1.6
#define OYEZ_LIMIT_BACKOFF_JITTER          0.2
#define OYEZ_LIMIT_BACKOFF_MAX             (120 * OYEZ_SECOND)
#define OYEZ_LIMIT_RETRY_BYTES             (256u << 10)
#define OYEZ_LIMIT_RETRY_TOTAL_BYTES       (16u << 20)
#define OYEZ_LIMIT_ADDRESSES               1024u
#define OYEZ_LIMIT_LOOKUP_INTERVAL         (30 * OYEZ_SECOND)
/* the life of a connection */
#define OYEZ_LIMIT_KEEPALIVE_TIMEOUT       (20 * OYEZ_SECOND)
#define OYEZ_LIMIT_KEEPALIVE_CLIENT_LEAST  (10 * OYEZ_SECOND)
#define OYEZ_LIMIT_KEEPALIVE_SERVER_TIME   (2 * OYEZ_HOUR)
#define OYEZ_LIMIT_KEEPALIVE_SERVER_LEAST  (1 * OYEZ_SECOND)
#define OYEZ_LIMIT_PING_MIN_TIME           (5 * OYEZ_MINUTE)
#define OYEZ_LIMIT_PING_IDLE_TIME          (2 * OYEZ_HOUR)
#define OYEZ_LIMIT_PING_STRIKES            2u
#define OYEZ_LIMIT_PROBED_WINDOW_BYTES     (16u << 20)
#define OYEZ_LIMIT_LAST_STREAM_ID          1610612735u
/* threads */
#define OYEZ_LIMIT_LOOPS                   64u
#define OYEZ_LIMIT_LOOPS_BY_DEFAULT        4u
#define OYEZ_LIMIT_WORKERS                 256u
#define OYEZ_LIMIT_WORKER_IDLE             (30 * OYEZ_SECOND)

/**
 * The table: X(name, unit, option, effect, test). OYEZ_LIMIT_<name> is the value, in bytes, pieces,
 * nanoseconds or as a factor; `option` says where it is set, `effect` what happens when it is
 * reached, `test` which tests reach it.
 */
#define OYEZ_LIMIT_MAP(X)                                                                          \
    X(HEADER_LIST_BYTES, BYTES, "max_header_list_bytes of server and channel; announced",          \
      "server: HTTP 431, RESOURCE_EXHAUSTED; client: the call ends with INTERNAL",                 \
      "src/h2/recv_headers_test.c:over_the_limit_on_the_client "                                   \
      "tests/e2e/hostile_flood_test.c:a_bomb_of_indexed_fields_is_refused")                        \
    X(HEADER_BLOCK_BYTES, BYTES, "none; four times the header list if that is more",               \
      "bytes of a block in several frames: GOAWAY ENHANCE_YOUR_CALM",                              \
      "src/h2/recv_headers_test.c:flood_of_full_continuations")                                    \
    X(CONTINUATIONS, COUNT, "none", "frames of a header block: GOAWAY ENHANCE_YOUR_CALM",          \
      "src/h2/recv_headers_test.c:flood_of_empty_continuations")                                   \
    X(HPACK_TABLE_BYTES, BYTES, "none; announced, and the most that we use of the peer's",         \
      "COMPRESSION_ERROR", "src/hpack/decoder_test.c:size_updates")                                \
    X(FRAME_BYTES, BYTES, "none", "GOAWAY FRAME_SIZE_ERROR",                                       \
      "src/h2/recv_test.c:frame_that_is_too_large")                                                \
    X(STREAM_WINDOW_BYTES, BYTES, "stream_window_bytes of server and channel",                     \
      "RST_STREAM FLOW_CONTROL_ERROR", "src/h2/recv_data_test.c:stream_window_overrun")            \
    X(CONNECTION_WINDOW_BYTES, BYTES, "connection_window_bytes of server and channel",             \
      "GOAWAY FLOW_CONTROL_ERROR", "src/h2/recv_data_test.c:connection_window_overrun")            \
    X(STREAMS, COUNT,                                                                              \
      "max_streams of a server; announced, and handlers that outlive their stream count",          \
      "RST_STREAM REFUSED_STREAM",                                                                 \
      "src/h2/recv_headers_test.c:more_streams_than_allowed "                                      \
      "tests/e2e/hostile_flood_test.c:a_cancelled_handler_keeps_its_place")                        \
    X(STREAM_ERRORS, COUNT, "none; streams that end well make up for it",                          \
      "GOAWAY ENHANCE_YOUR_CALM", "src/h2/recv_control_test.c:flood_of_stream_errors")             \
    X(UNSENT_CONTROL, COUNT, "max_unsent_control of a server", "GOAWAY ENHANCE_YOUR_CALM",         \
      "src/h2/recv_control_test.c:flood_of_pings "                                                 \
      "tests/e2e/hostile_flood_test.c:unread_replies_end_the_connection")                          \
    X(RECEIVE_BYTES, BYTES, "max_receive_bytes of server, channel and call",                       \
      "the call ends with RESOURCE_EXHAUSTED",                                                     \
      "src/wire/deframer_test.c:limit_is_decided_from_the_prefix")                                 \
    X(SEND_BYTES, BYTES, "max_send_bytes of server, channel and call",                             \
      "the call ends with RESOURCE_EXHAUSTED",                                                     \
      "tests/e2e/limits_test.c:what_is_sent")                                                      \
    X(BUFFERED_BYTES, BYTES, "max_buffered_bytes of server and channel",                           \
      "server: RST_STREAM REFUSED_STREAM; then RESOURCE_EXHAUSTED for calls under way",            \
      "tests/e2e/hostile_flood_test.c:beyond_the_quota_streams_are_refused_until_there_is_room "   \
      "tests/e2e/hostile_flood_test.c:half_messages_stay_within_the_quota")                        \
    X(UNREAD_ANSWER_BYTES, BYTES, "none",                                                          \
      "a server reads no more from a client that reads nothing",                                   \
      "tests/e2e/hostile_flood_test.c:answers_to_a_deaf_client_do_not_pile_up")                    \
    X(ARENA_BYTES, BYTES, "max_arena_bytes of server and channel",                                 \
      "decoded messages of a call and what its handler takes: RESOURCE_EXHAUSTED",                 \
      "tests/e2e/features_limits_test.c:many_small_fields_from_a_client "                          \
      "tests/e2e/features_limits_test.c:many_small_fields_from_a_server")                          \
    X(ARENA_FACTOR, FACTOR, "max_arena_bytes; times max_receive_bytes, if that is more",           \
      "as the one above", "tests/e2e/features_limits_test.c:follows_the_receive_limit")            \
    X(MESSAGE_DEPTH, COUNT, "none", "nesting of a protobuf-c message: INTERNAL",                   \
      "src/call/codec_protobuf_c_test.c:test_nesting")                                             \
    X(MESSAGE_REPEATS, COUNT, "none", "a singular message field given again: INTERNAL",            \
      "src/call/codec_protobuf_c_test.c:test_merges_are_limited")                                  \
    X(EMPTY_READS, COUNT, "none", "oyez_read_all gives OYEZ_EIO",                                  \
      "src/mem/read_all_test.c:test_empty_reads")                                                  \
    X(POOL_THRESHOLD_BYTES, BYTES, "pooling_threshold of a pool", "not pooled",                    \
      "src/mem/pool_test.c:test_own_options")                                                      \
    X(POOL_IDLE_BYTES, BYTES, "max_idle_bytes of a pool", "freed instead of kept",                 \
      "src/mem/pool_test.c:test_own_options")                                                      \
    X(LOOP_IDLE_BYTES, BYTES, "none; of a loop, blocks that sockets are read into",                \
      "freed instead of kept", "src/mem/block_pool_test.c:test_max_idle")                          \
    X(IDLE_CALLS, COUNT, "none; of a channel twice, of each loop of a server",                     \
      "freed instead of kept",                                                                     \
      "tests/e2e/limits_test.c:idle_calls")                                                        \
    X(COMPRESSORS, COUNT, "none; of a channel or server", "a longer list: OYEZ_EINVAL",            \
      "src/call/compressors_test.c:test_lists")                                                    \
    X(IDLE_COMPRESSORS, COUNT, "none; states of one compressor, of either direction",              \
      "freed instead of kept", "src/call/compressors_test.c:test_idle_states")                     \
    X(IDLE_COMPRESSOR_BYTES, BYTES, "none; memory of one state of zstd",                           \
      "freed instead of kept", "src/call/compressors_test.c:test_large_states_go")                 \
    X(ZSTD_WINDOW_BYTES, BYTES, "none; a frame that wants a larger window",                        \
      "the call ends with RESOURCE_EXHAUSTED", "src/call/compressors_test.c:test_zstd_window")     \
    X(CONNECTIONS, COUNT, "max_connections of a server",                                           \
      "closed at once, a warning in the log",                                                      \
      "tests/e2e/lifecycle_test.c:further_connections_are_closed")                                 \
    X(HANDSHAKE_TIMEOUT, TIME, "handshake_timeout of a server; accept to SETTINGS",                \
      "the connection is closed",                                                                  \
      "tests/e2e/lifecycle_test.c:a_handshake_that_takes_too_long_is_ended")                       \
    X(ABORT_DELAY, TIME, "none; of a request that is no call and goes on",                         \
      "its answer waits no longer for the rest",                                                   \
      "tests/e2e/limits_test.c:abort_delay")                                                       \
    X(DRAIN_PING_TIMEOUT, TIME, "none; of a graceful stop",                                        \
      "the last GOAWAY is sent without the answer to the PING",                                    \
      "tests/e2e/limits_test.c:a_stop_does_not_wait_for_clients")                                  \
    X(LINGER_TIMEOUT, TIME, "none; behind the last call of a graceful stop",                       \
      "the connection is closed",                                                                  \
      "tests/e2e/limits_test.c:a_stop_does_not_wait_for_clients")                                  \
    X(CONNECT_TIMEOUT, TIME, "connect_timeout of a channel; TCP and SETTINGS",                     \
      "the next address, then TRANSIENT_FAILURE",                                                  \
      "tests/e2e/client_connect_test.c:says_nothing")                                              \
    X(BACKOFF_BASE, TIME, "backoff_base of a channel", "the first pause behind a failure",         \
      "src/client/backoff_test.c:the_first_is_exact")                                              \
    X(BACKOFF_FACTOR, FACTOR, "backoff_factor of a channel",                                       \
      "each further pause is so much longer", "src/client/backoff_test.c:grows_to_the_cap")        \
    X(BACKOFF_JITTER, FACTOR, "backoff_jitter of a channel", "pauses differ by so much",           \
      "src/client/backoff_test.c:jitter_is_a_fifth")                                               \
    X(BACKOFF_MAX, TIME, "backoff_max of a channel", "pauses grow no more",                        \
      "src/client/backoff_test.c:grows_to_the_cap")                                                \
    X(RETRY_BYTES, BYTES, "retry_bytes of a channel; what a call has sent, until it is answered",  \
      "a call that has sent more is not sent a second time",                                       \
      "src/call/replay_test.c:limit_of_a_call")                                                    \
    X(RETRY_TOTAL_BYTES, BYTES, "retry_total_bytes of a channel; of all calls",                    \
      "calls beyond it are not sent a second time", "src/call/replay_test.c:limit_of_a_channel")   \
    X(ADDRESSES, COUNT, "none", "target: OYEZ_ETARGET; look-up: the rest is left out",             \
      "src/client/target_test.c:long_ones")                                                        \
    X(LOOKUP_INTERVAL, TIME, "none", "a name is not looked up more often",                         \
      "tests/e2e/client_dns_test.c:asks_again")                                                    \
    X(KEEPALIVE_TIMEOUT, TIME, "keepalive_timeout of server and channel; silence behind a PING",   \
      "the connection is closed, its calls end with UNAVAILABLE",                                  \
      "src/transport/keepalive_test.c:dead")                                                      \
    X(KEEPALIVE_CLIENT_LEAST, TIME, "keepalive_time of a channel, off by default",                 \
      "a smaller value is raised, a warning in the log",                                           \
      "tests/e2e/life_options_test.c:channel_raises")                                              \
    X(KEEPALIVE_SERVER_TIME, TIME, "keepalive_time of a server; silence", "a PING is sent",        \
      "tests/e2e/life_keepalive_test.c:dead_client")                                               \
    X(KEEPALIVE_SERVER_LEAST, TIME, "none", "a smaller value is raised, a warning in the log",     \
      "tests/e2e/life_options_test.c:server_raises")                                               \
    X(PING_MIN_TIME, TIME, "keepalive_min_time of a server; between PINGs of a client",            \
      "an earlier one is a strike", "src/transport/ping_policy_test.c:too_often")                  \
    X(PING_IDLE_TIME, TIME, "keepalive_permit_without_calls of a server; PINGs without a call",    \
      "an earlier one is a strike", "src/transport/ping_policy_test.c:without_calls")              \
    X(PING_STRIKES, COUNT, "none; forgiven when something is answered",                            \
      "one more: GOAWAY ENHANCE_YOUR_CALM too_many_pings",                                         \
      "tests/e2e/life_keepalive_test.c:too_many_pings")                                            \
    X(PROBED_WINDOW_BYTES, BYTES, "fixed_windows of server and channel: no probing at all",        \
      "windows grow no further", "src/transport/bdp_test.c:grows_to_the_limit")                    \
    X(LAST_STREAM_ID, COUNT, "none; three quarters of what a connection can have",                 \
      "later calls go to a new connection", "tests/e2e/life_ids_test.c:a_new_connection")          \
    X(LOOPS, COUNT, "loops of a runtime", "oyez_runtime_new gives OYEZ_EINVAL",                    \
      "tests/e2e/io_loop_test.c:bad_options_are_refused")                                          \
    X(LOOPS_BY_DEFAULT, COUNT, "loops of a runtime", "not more, however many cores there are",     \
      "tests/e2e/io_loop_test.c:one_loop_a_core")                                                  \
    X(WORKERS, COUNT, "max_workers of a runtime", "handlers queue; their deadlines go on",         \
      "tests/e2e/io_worker_test.c:never_more_than_allowed")                                        \
    X(WORKER_IDLE, TIME, "worker_idle of a runtime", "the thread leaves",                          \
      "tests/e2e/io_worker_test.c:idle_workers_leave_and_come_back")

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file types.h
 * Words that every other header uses: errors, gRPC codes, strings, durations, forward declarations.
 */
#ifndef OYEZ_TYPES_H
#define OYEZ_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define OYEZ_API __attribute__((visibility("default")))
#define OYEZ_MUST_CHECK __attribute__((warn_unused_result))
#define OYEZ_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define OYEZ_API
#define OYEZ_MUST_CHECK
#define OYEZ_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
#define OYEZ_BEGIN_DECLS extern "C" {
#define OYEZ_END_DECLS }
#else
#define OYEZ_BEGIN_DECLS
#define OYEZ_END_DECLS
#endif

OYEZ_BEGIN_DECLS

/** Local failures of the API: X(identifier, value, sentence). */
#define OYEZ_ERR_MAP(X)                                                                            \
    X(OYEZ_ENOMEM, -1, "out of memory")                                                            \
    X(OYEZ_EINVAL, -2, "an argument is not valid")                                                 \
    X(OYEZ_E2BIG, -3, "an option struct sets a field that this library does not know")             \
    X(OYEZ_EFORK, -4, "the object belongs to the process that made it, this is its child")         \
    X(OYEZ_EDEADLK, -5, "a blocking call on a loop thread would wait for itself")                  \
    X(OYEZ_ESTATE, -6, "the object is not in a state that allows this")                            \
    X(OYEZ_EEXIST, -7, "it exists already")                                                        \
    X(OYEZ_ENOENT, -8, "there is no such thing")                                                   \
    X(OYEZ_EADDRINUSE, -9, "the address is in use")                                                \
    X(OYEZ_EADDRNOTAVAIL, -10, "the address is not one of this machine")                           \
    X(OYEZ_EACCES, -11, "permission denied")                                                       \
    X(OYEZ_ETARGET, -12, "the target is malformed or of an unknown scheme")                        \
    X(OYEZ_EADDR, -13, "the address is malformed")                                                 \
    X(OYEZ_ENAMETOOLONG, -14, "the path of the unix socket is too long")                           \
    X(OYEZ_ESTOPPED, -15, "it has been stopped")                                                   \
    X(OYEZ_EPROTO, -16, "the peer broke the protocol")                                             \
    X(OYEZ_EIO, -17, "input or output failed")                                                     \
    X(OYEZ_EOF, -18, "end of data")                                                                \
    X(OYEZ_ELIMIT, -19, "a limit was reached")                                                     \
    X(OYEZ_ECODEC, -20, "the bytes are not a message of the expected type")                        \
    X(OYEZ_EUNSUPPORTED, -21, "this build of the library does not have it")                        \
    X(OYEZ_ESYS, -22, "the operating system refused, see errno")                                   \
    X(OYEZ_ETIMEDOUT, -23, "the time is over")                                                     \
    X(OYEZ_ECANCELED, -24, "it was cancelled")                                                     \
    X(OYEZ_ENULL, -25, "an argument that is required is NULL")                                     \
    X(OYEZ_ESIZE, -26, "a struct does not begin with its size: initialise it with its OYEZ_..._INIT") \
    X(OYEZ_ECREDENTIALS, -27, "credentials are required and are NULL: oyez_insecure() is for cleartext") \
    X(OYEZ_EPATH, -28, "the path of a method is not /service/method")                              \
    X(OYEZ_EKEY, -29,                                                                              \
      "a metadata key is empty, belongs to gRPC or HTTP, or has a character other than 0-9 a-z _ - .") \
    X(OYEZ_EVALUE, -30,                                                                            \
      "a metadata value has a character that is not printable ASCII: a key for bytes ends in -bin")

/** A local failure: 0, or one of the negative values of OYEZ_ERR_MAP. */
typedef enum oyez_err {
    OYEZ_NO_ERR = 0,
#define OYEZ_ERR_ENUM(name, value, text) name = value,
    OYEZ_ERR_MAP(OYEZ_ERR_ENUM)
#undef OYEZ_ERR_ENUM
} oyez_err;

/** A sentence for `err`, never NULL; static. Any thread. Since 0.1. */
OYEZ_API const char *oyez_strerror(oyez_err err);

/** The identifier of `err`, such as "OYEZ_EPROTO"; static. Any thread. Since 0.1. */
OYEZ_API const char *oyez_err_name(oyez_err err);

/** How a call ended, in gRPC's numbers (grpc/doc/statuscodes.md): X(identifier, number, name). */
#define OYEZ_CODE_MAP(X)                                                                           \
    X(OYEZ_OK, 0, "OK")                                                                            \
    X(OYEZ_CANCELLED, 1, "CANCELLED")                                                              \
    X(OYEZ_UNKNOWN, 2, "UNKNOWN")                                                                  \
    X(OYEZ_INVALID_ARGUMENT, 3, "INVALID_ARGUMENT")                                                \
    X(OYEZ_DEADLINE_EXCEEDED, 4, "DEADLINE_EXCEEDED")                                              \
    X(OYEZ_NOT_FOUND, 5, "NOT_FOUND")                                                              \
    X(OYEZ_ALREADY_EXISTS, 6, "ALREADY_EXISTS")                                                    \
    X(OYEZ_PERMISSION_DENIED, 7, "PERMISSION_DENIED")                                              \
    X(OYEZ_RESOURCE_EXHAUSTED, 8, "RESOURCE_EXHAUSTED")                                            \
    X(OYEZ_FAILED_PRECONDITION, 9, "FAILED_PRECONDITION")                                          \
    X(OYEZ_ABORTED, 10, "ABORTED")                                                                 \
    X(OYEZ_OUT_OF_RANGE, 11, "OUT_OF_RANGE")                                                       \
    X(OYEZ_UNIMPLEMENTED, 12, "UNIMPLEMENTED")                                                     \
    X(OYEZ_INTERNAL, 13, "INTERNAL")                                                               \
    X(OYEZ_UNAVAILABLE, 14, "UNAVAILABLE")                                                         \
    X(OYEZ_DATA_LOSS, 15, "DATA_LOSS")                                                             \
    X(OYEZ_UNAUTHENTICATED, 16, "UNAUTHENTICATED")

typedef enum oyez_code {
#define OYEZ_CODE_ENUM(name, value, text) name = value,
    OYEZ_CODE_MAP(OYEZ_CODE_ENUM)
#undef OYEZ_CODE_ENUM
} oyez_code;

/** The name of `code`, such as "NOT_FOUND"; "CODE_<n>" is never made: unknown numbers give
 *  "UNKNOWN_CODE". Static. Any thread. Since 0.1. */
OYEZ_API const char *oyez_code_name(oyez_code code);

/** Bytes with a length; not terminated, not owned. */
typedef struct oyez_str {
    const char *data;
    size_t len;
} oyez_str;

/** An oyez_str of a string literal. */
#define OYEZ_STR(literal) ((oyez_str){ ("" literal), sizeof(literal) - 1 })

/** Nanoseconds. */
typedef int64_t oyez_duration;

#define OYEZ_NANOSECOND ((oyez_duration)1)
#define OYEZ_MICROSECOND ((oyez_duration)1000)
#define OYEZ_MILLISECOND ((oyez_duration)1000000)
#define OYEZ_SECOND ((oyez_duration)1000000000)
#define OYEZ_MINUTE (60 * OYEZ_SECOND)
#define OYEZ_HOUR (60 * OYEZ_MINUTE)
/** No limit in time. */
#define OYEZ_FOREVER INT64_MAX

/* mem.h */
typedef struct oyez_block oyez_block;
typedef struct oyez_buffer oyez_buffer;
typedef struct oyez_slice oyez_slice;
typedef struct oyez_pool oyez_pool;
typedef struct oyez_reader oyez_reader;
typedef struct oyez_writer oyez_writer;
typedef struct oyez_arena oyez_arena;
/* the rest of the API, a header each */
typedef struct oyez_status oyez_status;
typedef struct oyez_metadata oyez_metadata;
typedef struct oyez_ctx oyez_ctx;
typedef struct oyez_runtime oyez_runtime;
typedef struct oyez_credentials oyez_credentials;
typedef struct oyez_codec oyez_codec;
typedef struct oyez_compressor oyez_compressor;
typedef struct oyez_method oyez_method;
typedef struct oyez_channel oyez_channel;
typedef struct oyez_channel_options oyez_channel_options;
typedef struct oyez_call oyez_call;
typedef struct oyez_call_options oyez_call_options;
typedef struct oyez_stream oyez_stream;
typedef struct oyez_server oyez_server;
typedef struct oyez_server_options oyez_server_options;
typedef struct oyez_server_call oyez_server_call;
typedef struct oyez_server_interceptor oyez_server_interceptor;
typedef struct oyez_client_interceptor oyez_client_interceptor;
typedef struct oyez_service_desc oyez_service_desc;

OYEZ_END_DECLS

#endif

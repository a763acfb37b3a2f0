/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file version.h
 * Which library this is, and what this build of it has.
 */
#ifndef OYEZ_VERSION_H
#define OYEZ_VERSION_H

#include <oyez/types.h>

OYEZ_BEGIN_DECLS

#define OYEZ_VERSION_MAJOR 0
#define OYEZ_VERSION_MINOR 1
#define OYEZ_VERSION_PATCH 0
#define OYEZ_VERSION_STRING "0.1.0"
/** For comparisons: 0x00MMmmpp. */
#define OYEZ_VERSION_NUMBER                                                                        \
    ((OYEZ_VERSION_MAJOR << 16) | (OYEZ_VERSION_MINOR << 8) | OYEZ_VERSION_PATCH)

/** The version of the library that is loaded, as OYEZ_VERSION_NUMBER and as text. Any thread. Since 0.1. */
OYEZ_API uint32_t oyez_version_number(void);
OYEZ_API const char *oyez_version(void);

/** Optional parts of a build. */
#define OYEZ_FEATURE_PROTOBUF_C 1u /**< the codec for protobuf-c messages */
#define OYEZ_FEATURE_DNS 2u        /**< names are looked up (c-ares); else only address literals and unix */
#define OYEZ_FEATURE_ZLIB 4u       /**< gzip and deflate */
#define OYEZ_FEATURE_ZSTD 8u       /**< zstd */

/** The features of the library that is loaded, as a sum of OYEZ_FEATURE_. Any thread. Since 0.1. */
OYEZ_API uint32_t oyez_features(void);

OYEZ_END_DECLS

#endif

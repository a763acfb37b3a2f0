/* SPDX-License-Identifier: Apache-2.0 */
/* The version and the features of this build. */
#include <oyez/version.h>

uint32_t oyez_version_number(void)
{
    return OYEZ_VERSION_NUMBER;
}

const char *oyez_version(void)
{
    return OYEZ_VERSION_STRING;
}

uint32_t oyez_features(void)
{
    uint32_t features = 0;
#if OY_WITH_PROTOBUF_C
    features |= OYEZ_FEATURE_PROTOBUF_C;
#endif
#if OY_WITH_CARES
    features |= OYEZ_FEATURE_DNS;
#endif
#if OY_WITH_ZLIB
    features |= OYEZ_FEATURE_ZLIB;
#endif
#if OY_WITH_ZSTD
    features |= OYEZ_FEATURE_ZSTD;
#endif
    return features;
}

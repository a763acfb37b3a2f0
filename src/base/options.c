/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that only ever grow, as the kernel's openat2 has them. */
#include "base/options.h"

#include <string.h>

/* No option struct comes near this: a larger size is a struct that nobody has initialised. */
#define MAX_OPTIONS_BYTES 65536u

oyez_err oy_options_copy(void *own, size_t own_size, const void *user)
{
    size_t size = 0, common;
    if (user) {
        memcpy(&size, user, sizeof(size));
        if (size < sizeof(size) || size > MAX_OPTIONS_BYTES)
            return OYEZ_ESIZE;
        for (size_t i = own_size; i < size; i++)
            if (((const unsigned char *)user)[i])
                return OYEZ_E2BIG;
    }
    common = size < own_size ? size : own_size;
    if (common)
        memcpy(own, user, common);
    memset((unsigned char *)own + common, 0, own_size - common);
    memcpy(own, &own_size, sizeof(own_size));
    return OYEZ_NO_ERR;
}

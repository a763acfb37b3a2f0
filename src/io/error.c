/* SPDX-License-Identifier: Apache-2.0 */
/* From the system's numbers to ours. */
#include "io/io.h"

#include <errno.h>

oyez_err oy_err_from_errno(int error)
{
    switch (error) {
    case ENOMEM:
    case ENOBUFS:
        return OYEZ_ENOMEM;
    case EINVAL:
        return OYEZ_EINVAL;
    case EADDRINUSE:
        return OYEZ_EADDRINUSE;
    case EADDRNOTAVAIL:
        return OYEZ_EADDRNOTAVAIL;
    case EACCES:
    case EPERM:
        return OYEZ_EACCES;
    case ENOENT:
        return OYEZ_ENOENT;
    case EEXIST:
        return OYEZ_EEXIST;
    case ENAMETOOLONG:
        return OYEZ_ENAMETOOLONG;
    case ETIMEDOUT:
        return OYEZ_ETIMEDOUT;
    case EIO:
        return OYEZ_EIO;
    default:
        return OYEZ_ESYS;
    }
}

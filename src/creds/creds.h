/* SPDX-License-Identifier: Apache-2.0 */
/* What credentials are to the layers above. */
#ifndef OY_CREDS_H
#define OY_CREDS_H

#include <oyez/credentials.h>

struct oyez_credentials {
    const char *name; /* "insecure" */
};

#endif

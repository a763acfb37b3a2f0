/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file credentials.h
 * How a connection proves who is at its ends.
 */
#ifndef OYEZ_CREDENTIALS_H
#define OYEZ_CREDENTIALS_H

#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/** No security: cleartext HTTP/2 with prior knowledge. Static and borrowed: never freed. Any thread.
 *  Since 0.1. */
OYEZ_API oyez_credentials *oyez_insecure(void);

OYEZ_END_DECLS

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials that prove nothing: cleartext. */
#include "creds/creds.h"

oyez_credentials *oyez_insecure(void)
{
    static oyez_credentials insecure = { .name = "insecure" };
    return &insecure;
}

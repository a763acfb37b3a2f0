/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes from a peer of an HTTP/2 client: limits hold, windows balance, what is written is
 * frames, and nothing depends on how the bytes were cut. */
#include "h2_harness.h"

int oy_fuzz_h2_client(const uint8_t *data, size_t len);

int oy_fuzz_h2_client(const uint8_t *data, size_t len)
{
    return h2_harness_run(false, data, len);
}

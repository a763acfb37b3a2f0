/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer's entry point for one fuzz target. */
#include <stddef.h>
#include <stdint.h>

int OY_FUZZ_TARGET(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    OY_FUZZ_TARGET(data, len);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: for seeds from the system, for jitter from a small generator. */
#ifndef OY_BASE_RANDOM_H
#define OY_BASE_RANDOM_H

#include <stdint.h>

/* From the system; never fails (falls back to clock and address when getrandom does). */
uint64_t oy_random_seed(void);

typedef struct oy_random {
    uint64_t state;
} oy_random;

uint64_t oy_random_next(oy_random *random);
/* Uniform in [0, 1). */
double oy_random_unit(oy_random *random);

#endif

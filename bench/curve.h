/* SPDX-License-Identifier: Apache-2.0 */
/* Payload curves: files that say how often payloads of which sizes come, as gRPC-Go's benchmain reads
 * them: lines of from,to,weight. A curve's name is the SHA-256 of its file. */
#ifndef OY_BENCH_CURVE_H
#define OY_BENCH_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CURVE_NAME_BYTES 65
#define CURVE_RANGES     1000

typedef struct curve {
    char name[CURVE_NAME_BYTES];
    size_t count;
    struct {
        int32_t from, to;
        double share; /* of this range and those before it */
    } ranges[CURVE_RANGES];
} curve;

/* NULL: it has been said on standard error why. To be freed by free().
 * @param most the largest size that may be in it */
curve *curve_load(const char *path, int32_t most);
int32_t curve_least(const curve *c);
int32_t curve_most(const curve *c);
/* A size by chance. @param random the state, not 0 */
int32_t curve_draw(const curve *c, uint64_t *random);
/* xorshift64, for others who need chance as well. */
uint64_t bench_random(uint64_t *state);

#endif

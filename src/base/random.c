/* SPDX-License-Identifier: Apache-2.0 */
/* Seeds from the system; jitter from splitmix64, which needs no more state than one word. */
#include "base/random.h"

#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"

/* The output function of splitmix64: each bit of the input reaches each bit of the output. */
static uint64_t scramble(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t oy_random_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == (ssize_t)sizeof(seed))
        return seed;
    /* early at boot, or a sandbox without the call: better than a constant */
    seed = scramble((uint64_t)oy_now());
    return scramble(seed ^ (uint64_t)(uintptr_t)&seed ^ ((uint64_t)getpid() << 32));
}

uint64_t oy_random_next(oy_random *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    return scramble(random->state);
}

double oy_random_unit(oy_random *random)
{
    /* 53 bits: all that a double can tell apart */
    return (double)(oy_random_next(random) >> 11) * 0x1.0p-53;
}

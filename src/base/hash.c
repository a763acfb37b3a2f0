/* SPDX-License-Identifier: Apache-2.0 */
/* SipHash-1-3 over a key that is spread from one seed. WHY not something faster: multiply-and-fold
 * hashes with public constants let a peer cancel the seed out of a long key, and then pick collisions. */
#include "base/hash.h"

#include <string.h>

typedef struct sip {
    uint64_t a, b, c, d;
} sip;

static inline uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static inline void sip_round(sip *s)
{
    s->a += s->b;
    s->c += s->d;
    s->b = rotate(s->b, 13) ^ s->a;
    s->d = rotate(s->d, 16) ^ s->c;
    s->a = rotate(s->a, 32) + s->d;
    s->c += s->b;
    s->d = rotate(s->d, 21) ^ s->a;
    s->b = rotate(s->b, 17) ^ s->c;
    s->c = rotate(s->c, 32);
}

/* In the machine's order: the hash never leaves the process. */
static inline uint64_t load(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

uint64_t oy_hash(const void *data, size_t len, uint64_t seed)
{
    const uint8_t *at = data;
    const uint64_t k0 = seed, k1 = rotate(seed, 29) * 0x9e3779b97f4a7c15u;
    sip s = { k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
              k1 ^ 0x7465646279746573u };
    uint64_t last = (uint64_t)len << 56;
    size_t left;

    for (left = len; left >= 8; left -= 8, at += 8) {
        uint64_t word = load(at);
        s.d ^= word;
        sip_round(&s);
        s.a ^= word;
    }
    for (size_t i = 0; i < left; i++)
        last |= (uint64_t)at[i] << (8 * i);
    s.d ^= last;
    sip_round(&s);
    s.a ^= last;

    s.c ^= 0xff;
    sip_round(&s);
    sip_round(&s);
    sip_round(&s);
    return s.a ^ s.b ^ s.c ^ s.d;
}

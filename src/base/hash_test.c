/* SPDX-License-Identifier: Apache-2.0 */
/* The hash: each bit of the key, the length and the seed matters. */
#include "base/hash.h"

#include "support/test.h"

static unsigned bits_of(uint64_t x)
{
    return (unsigned)__builtin_popcountll(x);
}

static void test_same_wherever_it_lies(void **state)
{
    char memory[64];
    uint64_t first = 0;
    (void)state;
    for (size_t at = 0; at < 16; at++) {
        uint64_t hash;
        memset(memory, (int)at, sizeof(memory));
        memcpy(memory + at, "/helloworld.Greeter/SayHello", 28);
        hash = oy_hash(memory + at, 28, 5);
        if (at)
            assert_true(hash == first);
        first = hash;
    }
    assert_true(oy_hash(NULL, 0, 1) == oy_hash("", 0, 1));
    assert_true(oy_hash("", 0, 1) != oy_hash("", 0, 2));
}

static void test_each_bit_matters(void **state)
{
    uint8_t key[40] = { 0 };
    (void)state;
    for (size_t len = 1; len <= sizeof(key); len++) {
        uint64_t plain = oy_hash(key, len, 9);
        assert_true(plain != oy_hash(key, len - 1, 9)); /* zeros, but one fewer */
        for (size_t bit = 0; bit < len * 8; bit++) {
            unsigned flipped;
            key[bit / 8] ^= (uint8_t)(1u << bit % 8);
            flipped = bits_of(plain ^ oy_hash(key, len, 9));
            assert_true(flipped > 8 && flipped < 56);
            key[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        unsigned flipped = bits_of(oy_hash(key, 20, 0) ^ oy_hash(key, 20, (uint64_t)1 << bit));
        assert_true(flipped > 8 && flipped < 56);
    }
}

static void test_spread(void **state)
{
    static unsigned buckets[256];
    (void)state;
    memset(buckets, 0, sizeof(buckets));
    for (uint32_t i = 0; i < 256 * 64; i++)
        buckets[oy_hash(&i, sizeof(i), 1) & 255]++;
    for (size_t i = 0; i < 256; i++) /* 64 each, standard deviation 8 */
        assert_in_range(buckets[i], 16, 112);
}

OY_TEST_GROUP(base_hash, cmocka_unit_test(test_same_wherever_it_lies),
              cmocka_unit_test(test_each_bit_matters), cmocka_unit_test(test_spread));

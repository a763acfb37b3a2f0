/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth probing, on a way whose speed and length the test knows. */
#include "transport/bdp.h"

#include "support/test.h"

#define MIB (1024u * 1024u)
#define MS OYEZ_MILLISECOND

/* A sample: from now on `bytes` come within `rtt`. */
static uint32_t sample(oy_bdp *bdp, uint64_t *total, int64_t *now, uint64_t bytes, int64_t rtt, bool may_grow)
{
    *total = *total > bdp->next ? *total : bdp->next;
    assert_true(oy_bdp_wants_ping(bdp, *total));
    oy_bdp_pinged(bdp, *total, *now);
    assert_false(oy_bdp_wants_ping(bdp, UINT64_MAX - 1)); /* never two at once */
    *total += bytes;
    *now += rtt;
    return oy_bdp_answered(bdp, *total, *now, may_grow);
}

static void small_calls_pay_nothing(void **state)
{
    oy_bdp bdp;
    (void)state;
    oy_bdp_init(&bdp, MIB, 4 * MIB);
    assert_false(oy_bdp_wants_ping(&bdp, 0));
    assert_false(oy_bdp_wants_ping(&bdp, 65535));
    assert_true(oy_bdp_wants_ping(&bdp, 65536));
}

static void grows_to_the_limit(void **state)
{
    oy_bdp bdp;
    uint64_t total = 0;
    int64_t now = 5000 * MS;
    uint32_t window = MIB;
    unsigned steps = 0;
    (void)state;
    oy_bdp_init(&bdp, MIB, 4 * MIB);
    while (window < OY_BDP_LIMIT && steps++ < 100) { /* as long and wide as one likes: the window is what limits */
        const uint32_t grown = sample(&bdp, &total, &now, window, 100 * MS, true);
        assert_true(grown > window);
        window = grown;
    }
    assert_int_equal(steps, 4); /* 2, 4, 8, 16 MiB */
    assert_int_equal(window, OY_BDP_LIMIT);
    assert_false(oy_bdp_wants_ping(&bdp, UINT64_MAX - 1)); /* and no more PINGs */
}

/* A way of 40 MB/s and 50 ms: the product is 2 MB. */
static void finds_the_product(void **state)
{
    oy_bdp bdp;
    uint64_t total = 0;
    int64_t now = 0;
    uint32_t window = MIB;
    const uint64_t product = 2000000;
    (void)state;
    oy_bdp_init(&bdp, MIB, MIB);
    for (int i = 0; i < 200; i++) {
        const uint64_t comes = window < product ? window : product;
        const uint32_t grown = sample(&bdp, &total, &now, comes, 50 * MS, true);
        if (grown)
            window = grown;
    }
    assert_true(window >= product);
    assert_true(window <= 2 * product);
}

static void slow_ways_stay(void **state)
{
    oy_bdp bdp;
    uint64_t total = 0;
    int64_t now = 0;
    (void)state;
    oy_bdp_init(&bdp, MIB, 4 * MIB);
    for (int i = 0; i < 100; i++)
        assert_int_equal(sample(&bdp, &total, &now, 600000, 20 * MS, true), 0); /* below two thirds */
    assert_int_equal(bdp.window, MIB);
}

/* Much came because the round trip was slow for once: that is no more bandwidth. */
static void slower_is_not_more(void **state)
{
    oy_bdp bdp;
    uint64_t total = 0;
    int64_t now = 0;
    (void)state;
    oy_bdp_init(&bdp, MIB, 4 * MIB);
    for (int i = 0; i < 20; i++)
        assert_int_equal(sample(&bdp, &total, &now, 500000, 10 * MS, true), 0);
    assert_int_equal(sample(&bdp, &total, &now, MIB, 1000 * MS, true), 0);
}

static void no_memory_no_growth(void **state)
{
    oy_bdp bdp;
    uint64_t total = 0;
    int64_t now = 0;
    (void)state;
    oy_bdp_init(&bdp, MIB, 4 * MIB);
    assert_int_equal(sample(&bdp, &total, &now, MIB, 10 * MS, false), 0);
    assert_int_equal(sample(&bdp, &total, &now, MIB, 10 * MS, true), 2 * MIB); /* it can wait */
}

static void lies(void **state)
{
    oy_bdp bdp;
    uint64_t total = 0;
    int64_t now = 0;
    (void)state;
    oy_bdp_init(&bdp, 65535, 65535);
    assert_int_equal(oy_bdp_answered(&bdp, 1000000, now, true), 0); /* nothing was asked */
    assert_int_equal(sample(&bdp, &total, &now, 0, 0, true), 0);
    assert_int_equal(sample(&bdp, &total, &now, (uint64_t)1 << 40, 0, true), OY_BDP_LIMIT); /* no overflow */
    oy_bdp_init(&bdp, 100 * MIB, 100 * MIB); /* larger than the limit by option: stays */
    assert_false(oy_bdp_wants_ping(&bdp, UINT64_MAX - 1));
    oy_bdp_init_off(&bdp);
    assert_false(oy_bdp_wants_ping(&bdp, UINT64_MAX - 1));
}

OY_TEST_GROUP(transport_bdp, cmocka_unit_test(small_calls_pay_nothing), cmocka_unit_test(grows_to_the_limit),
              cmocka_unit_test(finds_the_product), cmocka_unit_test(slow_ways_stay),
              cmocka_unit_test(slower_is_not_more), cmocka_unit_test(no_memory_no_growth), cmocka_unit_test(lies));

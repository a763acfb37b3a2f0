/* SPDX-License-Identifier: Apache-2.0 */
/* A quota that a block outlives. */
#include "mem/mem.h"

#include "support/leak.h"
#include "support/test.h"

static void test_outlived(void **state)
{
    oy_quota *quota;
    oyez_block *block;
    (void)state;
    assert_ok(oy_quota_new(10, &quota));
    assert_ok(oyez_block_new(NULL, 100, &block));
    assert_false(oy_quota_exceeded(quota));
    oy_block_charge(block, quota);
    oy_block_charge(block, quota); /* once a block */
    assert_true(oy_quota_exceeded(quota));
    assert_int_equal(quota->used, oyez_block_capacity(block));
    oy_quota_unref(quota); /* the block still has it */
    assert_true(oy_quota_exceeded(quota));
    oyez_block_unref(block);
    oy_quota_unref(NULL);
}

static void test_no_memory(void **state)
{
    oy_quota *quota;
    (void)state;
    oy_fail_after(1);
    assert_err(oy_quota_new(10, &quota), OYEZ_ENOMEM);
}

OY_TEST_GROUP(mem_quota, oy_leak_test(test_outlived), oy_leak_test(test_no_memory));

/* SPDX-License-Identifier: Apache-2.0 */
/* A quota that blocks outlive. */
#include "client/channel_impl.h"

#include "support/leak.h"
#include "support/test.h"

static void outlived(void **state)
{
    oy_quota *first, *second;
    oyez_block *block;
    (void)state;
    assert_ok(oy_channel_quota_new(10, &first));
    assert_ok(oyez_block_new(NULL, 100, &block));
    oy_block_charge(block, first);
    assert_true(oy_quota_exceeded(first));
    oy_channel_quota_free(first); /* the block still has it */
    assert_ok(oy_channel_quota_new(10, &second));
    assert_false(oy_quota_exceeded(second));
    oyez_block_unref(block);
    oy_channel_quota_free(second); /* and takes the first with it */
    oy_channel_quota_free(NULL);
}

static void no_memory(void **state)
{
    oy_quota *quota;
    (void)state;
    oy_fail_after(1);
    assert_err(oy_channel_quota_new(10, &quota), OYEZ_ENOMEM);
}

OY_TEST_GROUP(client_quota, oy_leak_test(outlived), oy_leak_test(no_memory));

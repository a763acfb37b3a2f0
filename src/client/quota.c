/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas of channels. A user may keep blocks of a reply for longer than the channel, and a quota
 * has to outlive the blocks that are charged to it, though nobody tells when the last of them is
 * gone. So a quota that is still in use when its channel ends is put aside, and looked at again
 * whenever a channel is made or ends. */
#include "client/channel_impl.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/chain.h"

typedef struct channel_quota {
    oy_quota quota;
    oy_link link;
} channel_quota;

static oy_chain left_behind;

static void settle(channel_quota *item)
{
    if (atomic_load_explicit(&item->quota.used, memory_order_acquire) == 0)
        oy_free(item);
    else
        (void)oy_chain_push(&left_behind, &item->link);
}

static void settle_all(void)
{
    oy_link *link = oy_chain_take(&left_behind);
    while (link) {
        channel_quota *item = oy_container_of(link, channel_quota, link);
        link = link->next;
        settle(item);
    }
}

oyez_err oy_channel_quota_new(size_t limit, oy_quota **ret_quota)
{
    channel_quota *item = oy_alloc_zero(sizeof(*item));
    settle_all();
    if (!item)
        return OYEZ_ENOMEM;
    item->quota.limit = limit;
    *ret_quota = &item->quota;
    return OYEZ_NO_ERR;
}

void oy_channel_quota_free(oy_quota *quota)
{
    settle_all();
    if (quota)
        settle(oy_container_of(quota, channel_quota, quota));
}

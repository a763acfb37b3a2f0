/* SPDX-License-Identifier: Apache-2.0 */
/* A limit on what many connections together may pin, counted in whole blocks. */
#include "base/alloc.h"
#include "mem/mem.h"

oyez_err oy_quota_new(size_t limit, oy_quota **ret_quota)
{
    oy_quota *quota = oy_alloc_zero(sizeof(*quota));
    if (!quota)
        return OYEZ_ENOMEM;
    quota->limit = limit;
    oy_refcount_init(&quota->refs, 1);
    *ret_quota = quota;
    return OYEZ_NO_ERR;
}

void oy_quota_unref(oy_quota *quota)
{
    if (quota && oy_unref(&quota->refs))
        oy_free(quota);
}

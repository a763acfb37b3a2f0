/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for dns.c in a build without c-ares. */
#include "io/io.h"

#if !OY_WITH_CARES

oyez_err oy_dns_resolve(oy_loop *loop, oyez_str host, uint16_t port, oyez_str server,
                        oy_dns_fn *on_done, void *user, oy_dns_query **ret_query)
{
    (void)loop;
    (void)host;
    (void)port;
    (void)server;
    (void)on_done;
    (void)user;
    (void)ret_query;
    return OYEZ_EUNSUPPORTED;
}

void oy_dns_cancel(oy_dns_query *query)
{
    (void)query;
}

#endif

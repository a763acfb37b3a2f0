/* SPDX-License-Identifier: Apache-2.0 */
/* Resolvers: from a target to addresses. Loop thread. */
#ifndef OY_CLIENT_RESOLVER_H
#define OY_CLIENT_RESOLVER_H

#include "client/backoff.h"
#include "client/target.h"

typedef struct oy_resolver oy_resolver;

/* Never inside resolve_now. */
typedef struct oy_resolver_events {
    /* A full list, one address at least. The resolver tries again later when it could not be
     * taken. */
    oyez_err (*on_addresses)(void *user, const oy_address *addresses, size_t count);
    /* It tries again by itself. */
    void (*on_error)(void *user, const char *words);
} oy_resolver_events;

typedef struct oy_resolver_ops {
    /* Begins; events may come before it returns. Once. */
    void (*start)(oy_resolver *resolver);
    /* The addresses may be out of date. Frequent calls cost nothing. */
    void (*resolve_now)(oy_resolver *resolver);
    void (*free)(oy_resolver *resolver);
} oy_resolver_ops;

typedef struct oy_resolver_args {
    oy_loop *loop;
    const oy_target *target;          /* borrowed */
    const oy_backoff_config *backoff; /* borrowed; between failures */
    const oy_resolver_events *events;
    void *user;
    oyez_duration min_interval; /* between look-ups that succeed; 0: 30 s */
} oy_resolver_args;

struct oy_resolver {
    const oy_resolver_ops *ops;
    oy_resolver_args args;
};

/* Names, looked up by DNS. */
oyez_err oy_resolver_dns_new(const oy_resolver_args *args, oy_resolver **ret_resolver);
/* Targets that are addresses: literals, unix sockets. */
oyez_err oy_resolver_fixed_new(const oy_resolver_args *args, oy_resolver **ret_resolver);

/* The one that the target needs. */
static inline oyez_err oy_resolver_new(const oy_resolver_args *args, oy_resolver **ret_resolver)
{
    return args->target->host ? oy_resolver_dns_new(args, ret_resolver)
                              : oy_resolver_fixed_new(args, ret_resolver);
}

static inline void oy_resolver_free(oy_resolver *resolver)
{
    if (resolver)
        resolver->ops->free(resolver);
}

#endif

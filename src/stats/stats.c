/* SPDX-License-Identifier: Apache-2.0 */
/* Tells each stats handler in turn. */
#include "stats/stats.h"

#include <string.h>

#include "base/alloc.h"
#include "base/options.h"

/* In front of each message on the wire: a flag and its length. */
#define PREFIX_BYTES 5u

oyez_err oy_stats_new(const oyez_stats_handler *const *handlers, size_t count, oy_stats **ret_stats)
{
    oyez_err err = OYEZ_NO_ERR;
    *ret_stats = NULL;
    if (count == 0)
        return OYEZ_NO_ERR;
    if (!handlers || count > SIZE_MAX / 2 / sizeof(oyez_stats_handler))
        return OYEZ_ENULL;
    oy_stats *stats = oy_alloc_zero(sizeof(*stats) + count * sizeof(oyez_stats_handler));
    if (!stats)
        return OYEZ_ENOMEM;
    oy_refcount_init(&stats->refs, 1);
    stats->count = count;
    for (size_t i = 0; i < count && !err; i++)
        err = handlers[i] ? oy_options_copy(&stats->handlers[i], sizeof(oyez_stats_handler), handlers[i])
                          : OYEZ_ENULL;
    if (err)
        oy_free(stats);
    else
        *ret_stats = stats;
    return err;
}

oy_stats *oy_stats_ref(oy_stats *stats)
{
    if (stats)
        oy_ref(&stats->refs);
    return stats;
}

oy_stats *oy_stats_unref(oy_stats *stats)
{
    if (stats && oy_unref(&stats->refs))
        oy_free(stats);
    return NULL;
}

size_t oy_stats_tags_bytes(const oy_stats *stats)
{
    return stats->count * sizeof(void *);
}

/* --- connections -------------------------------------------------------------------------------------------- */

void oy_stats_conn_begin(const oy_stats *stats, void **tags, bool client, const char *peer)
{
    const oyez_stats_conn conn = { sizeof(conn), client, peer };
    for (size_t i = 0; i < stats->count; i++) {
        const oyez_stats_handler *handler = &stats->handlers[i];
        tags[i] = handler->conn_begin ? handler->conn_begin(handler->self, &conn) : NULL;
    }
}

void oy_stats_conn_end(const oy_stats *stats, void *const *tags, bool client, const char *peer)
{
    const oyez_stats_conn conn = { sizeof(conn), client, peer };
    for (size_t i = 0; i < stats->count; i++) {
        const oyez_stats_handler *handler = &stats->handlers[i];
        if (handler->conn_end)
            handler->conn_end(handler->self, tags[i], &conn);
    }
}

/* --- calls ---------------------------------------------------------------------------------------------------- */

void oy_stats_begin(const oy_stats *stats, void **tags, void *const *conn_tags, oyez_stats_begin begin)
{
    begin.size = sizeof(begin);
    for (size_t i = 0; i < stats->count; i++) {
        const oyez_stats_handler *handler = &stats->handlers[i];
        begin.conn_tag = conn_tags ? conn_tags[i] : NULL;
        tags[i] = handler->begin ? handler->begin(handler->self, &begin) : NULL;
    }
}

typedef void headers_fn(void *self, void *tag, const oyez_stats_headers *headers);

static headers_fn *headers_fn_of(const oyez_stats_handler *handler, oy_stats_headers_kind kind)
{
    switch (kind) {
    case OY_STATS_IN_HEADERS:
        return handler->in_headers;
    case OY_STATS_OUT_HEADERS:
        return handler->out_headers;
    case OY_STATS_IN_TRAILERS:
        return handler->in_trailers;
    case OY_STATS_OUT_TRAILERS:
        break;
    }
    return handler->out_trailers;
}

void oy_stats_headers(const oy_stats *stats, void *const *tags, oy_stats_headers_kind kind,
                      const oyez_metadata *metadata, const char *peer)
{
    const oyez_stats_headers headers = { sizeof(headers), metadata, peer };
    for (size_t i = 0; i < stats->count; i++) {
        headers_fn *fn = headers_fn_of(&stats->handlers[i], kind);
        if (fn)
            fn(stats->handlers[i].self, tags[i], &headers);
    }
}

void oy_stats_payload(const oy_stats *stats, void *const *tags, bool out, size_t length, size_t compressed_length,
                      bool compressed)
{
    const oyez_stats_payload payload = { sizeof(payload), length, compressed_length + PREFIX_BYTES, compressed_length,
                                         compressed };
    for (size_t i = 0; i < stats->count; i++) {
        const oyez_stats_handler *handler = &stats->handlers[i];
        if (out && handler->out_payload)
            handler->out_payload(handler->self, tags[i], &payload);
        else if (!out && handler->in_payload)
            handler->in_payload(handler->self, tags[i], &payload);
    }
}

void oy_stats_end(const oy_stats *stats, void *const *tags, const oyez_status *status)
{
    const oyez_stats_end end = { sizeof(end), status };
    for (size_t i = 0; i < stats->count; i++) {
        const oyez_stats_handler *handler = &stats->handlers[i];
        if (handler->end)
            handler->end(handler->self, tags[i], &end);
    }
}

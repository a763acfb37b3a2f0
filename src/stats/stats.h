/* SPDX-License-Identifier: Apache-2.0 */
/* The stats handlers of a channel or server, and what is told them. Who has none has no oy_stats, and pays one
 * look at a pointer. Each handler has its own tag for a connection and for a call: they stand side by side. */
#ifndef OY_STATS_STATS_H
#define OY_STATS_STATS_H

#include <oyez/stats.h>

#include "base/refcount.h"

typedef struct oy_stats {
    oy_refcount refs;
    size_t count;
    oyez_stats_handler handlers[];
} oy_stats;

/* Copies the tables. Gives NULL when there are none. OYEZ_ENULL: a NULL in the list; OYEZ_E2BIG. */
oyez_err oy_stats_new(const oyez_stats_handler *const *handlers, size_t count, oy_stats **ret_stats);
oy_stats *oy_stats_ref(oy_stats *stats);
oy_stats *oy_stats_unref(oy_stats *stats);

/* Bytes of the tags of one connection or call: what the handlers returned from their begin, a pointer each; in memory of
 * the embedder's. */
size_t oy_stats_tags_bytes(const oy_stats *stats);

void oy_stats_conn_begin(const oy_stats *stats, void **tags, bool client, const char *peer);
void oy_stats_conn_end(const oy_stats *stats, void *const *tags, bool client, const char *peer);

/* @param conn_tags NULL: none. `begin->size` and `begin->conn_tag` are filled here. */
void oy_stats_begin(const oy_stats *stats, void **tags, void *const *conn_tags, oyez_stats_begin begin);

typedef enum oy_stats_headers_kind {
    OY_STATS_IN_HEADERS,
    OY_STATS_OUT_HEADERS,
    OY_STATS_IN_TRAILERS,
    OY_STATS_OUT_TRAILERS,
} oy_stats_headers_kind;

void oy_stats_headers(const oy_stats *stats, void *const *tags, oy_stats_headers_kind kind,
                      const oyez_metadata *metadata, const char *peer);
/* @param compressed_length as it travels: `length` if it is not compressed */
void oy_stats_payload(const oy_stats *stats, void *const *tags, bool out, size_t length, size_t compressed_length,
                      bool compressed);
void oy_stats_end(const oy_stats *stats, void *const *tags, const oyez_status *status);

#endif

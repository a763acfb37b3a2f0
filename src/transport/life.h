/* SPDX-License-Identifier: Apache-2.0 */
/* What keeps an eye on a connection while it stands: keepalive and bandwidth probing, of either side. A read costs a store
 * and a comparison, a call nothing. */
#ifndef OY_TRANSPORT_LIFE_H
#define OY_TRANSPORT_LIFE_H

#include "io/io.h"
#include "transport/bdp.h"
#include "transport/keepalive.h"

struct oy_conn;

typedef struct oy_life_config {
    oy_keepalive_config keepalive;
    bool fixed_windows;          /* no bandwidth probing */
} oy_life_config;

typedef struct oy_life {
    oy_keepalive keepalive;
    oy_bdp bdp;
    oy_timer timer;              /* keepalive's */
    int64_t last_read;           /* the pass in which bytes last came */
    uint64_t data_bytes;         /* payload of DATA that has come for streams */
} oy_life;

/* The socket is there. */
void oy_life_init(struct oy_conn *conn, const oy_life_config *config);
/* The handshake is over. @param stream_window, connection_window as announced */
void oy_life_start(struct oy_conn *conn, const oy_life_config *config, uint32_t stream_window,
                   uint32_t connection_window);
void oy_life_stop(struct oy_conn *conn);
/* An answer to a PING has come. */
void oy_life_on_pong(struct oy_conn *conn, const uint8_t payload[8]);
/* A call has begun while keepalive was dormant. */
void oy_life_wake(struct oy_conn *conn);
/* Enough data has come for a sample. */
void oy_life_probe(struct oy_conn *conn);

static inline bool oy_life_is_dormant(const oy_life *life)
{
    return life->keepalive.state == OY_KEEPALIVE_DORMANT;
}

#endif

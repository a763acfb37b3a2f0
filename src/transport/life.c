/* SPDX-License-Identifier: Apache-2.0 */
/* Keepalive and bandwidth probing of a connection: brings their arithmetic together with the timer and the wire. */
#include "transport/life.h"

#include <string.h>

#include "base/assert.h"
#include "transport/conn.h"

static void on_timer(oy_timer *timer);

void oy_life_init(oy_conn *conn, const oy_life_config *config)
{
    oy_life *life = &conn->life;
    life->timer.fire = on_timer;
    oy_bdp_init_off(&life->bdp);
    /* What was sent and is not acknowledged for so long is a dead connection, also before a PING is due (gRFC A18). */
    if (oy_keepalive_is_on(&config->keepalive) && conn->pipe->fd >= 0)
        oy_socket_set_user_timeout(conn->pipe->fd, config->keepalive.timeout);
}

/* --- keepalive ------------------------------------------------------------------------------------------------------- */

static void act(oy_conn *conn, oy_keepalive_action action)
{
    static const uint8_t zeros[8];
    oy_life *life = &conn->life;
    if (action == OY_KEEPALIVE_PING) {
        oy_h2_ping(conn->h2, zeros);
        oy_conn_touch(conn);
    } else if (action == OY_KEEPALIVE_DEAD) {
        oy_conn_break(conn, "%s: keepalive ping failed to receive ACK within timeout (%.3g s)", conn->peer,
                      (double)life->keepalive.config.timeout / (double)OYEZ_SECOND);
        return;
    }
    /* Without memory for the timer the connection goes on, unwatched. */
    (void)oy_timer_set(conn->loop, &life->timer, life->keepalive.due);
}

static void on_timer(oy_timer *timer)
{
    oy_conn *conn = oy_container_of(timer, oy_conn, life.timer);
    oy_life *life = &conn->life;
    if (!conn->broken)
        act(conn, oy_keepalive_tick(&life->keepalive, oy_loop_now(conn->loop), life->last_read,
                                    !oy_list_empty(&conn->streams)));
}

void oy_life_wake(oy_conn *conn)
{
    oy_life *life = &conn->life;
    if (!conn->broken)
        act(conn, oy_keepalive_wake(&life->keepalive, oy_loop_now(conn->loop), life->last_read));
}

/* --- bandwidth ------------------------------------------------------------------------------------------------------- */

void oy_life_probe(oy_conn *conn)
{
    oy_life *life = &conn->life;
    /* Peers and proxies that count PINGs forgive them behind a WINDOW_UPDATE. */
    oy_h2_credit_now(conn->h2);
    oy_h2_ping(conn->h2, oy_bdp_payload);
    oy_bdp_pinged(&life->bdp, life->data_bytes, oy_loop_now(conn->loop));
    oy_conn_touch(conn);
}

/* Larger windows let the peer fill more memory: not while half of it is in use. */
static bool may_grow(oy_quota *quota)
{
    return !quota || atomic_load_explicit(&quota->used, memory_order_relaxed) < quota->limit / 2;
}

void oy_life_on_pong(oy_conn *conn, const uint8_t payload[8])
{
    oy_life *life = &conn->life;
    if (!life->bdp.sampling || memcmp(payload, oy_bdp_payload, sizeof(oy_bdp_payload)) != 0)
        return;
    const uint32_t window =
        oy_bdp_answered(&life->bdp, life->data_bytes, oy_loop_now(conn->loop), may_grow(conn->quota));
    if (window == 0)
        return;
    if (!oy_h2_grow_windows(conn->h2, window, window))
        oy_conn_touch(conn);
}

/* --- both --------------------------------------------------------------------------------------------------------------- */

void oy_life_start(oy_conn *conn, const oy_life_config *config, uint32_t stream_window, uint32_t connection_window)
{
    oy_life *life = &conn->life;
    oy_keepalive_start(&life->keepalive, &config->keepalive, oy_loop_now(conn->loop));
    (void)oy_timer_set(conn->loop, &life->timer, life->keepalive.due);
    if (!config->fixed_windows)
        oy_bdp_init(&life->bdp, stream_window, connection_window);
}

void oy_life_stop(oy_conn *conn)
{
    oy_timer_unset(conn->loop, &conn->life.timer);
}

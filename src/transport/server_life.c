/* SPDX-License-Identifier: Apache-2.0 */
/* How long a server's connection lives: keepalive, idleness and age, and clients that send more PINGs than they should. */
#include "base/assert.h"
#include "base/log.h"
#include "transport/server.h"

static void set_age_timer(oy_server_transport *transport)
{
    /* Without memory for the timer the connection lives on. */
    (void)oy_timer_set(transport->conn.loop, &transport->age_timer, transport->age.due);
}

static void on_age_timer(oy_timer *timer)
{
    oy_server_transport *transport = oy_container_of(timer, oy_server_transport, age_timer);
    oy_conn *conn = &transport->conn;
    if (conn->broken)
        return;
    switch (oy_age_tick(&transport->age, oy_loop_now(conn->loop), transport->streams > 0)) {
    case OY_AGE_DRAIN_IDLE:
        oy_server_drain(transport, "max_idle");
        break;
    case OY_AGE_DRAIN_OLD:
        oy_server_drain(transport, "max_age");
        break;
    case OY_AGE_CLOSE:
        oy_conn_break(conn, "%s: the calls of a connection that has reached its age took too long", conn->peer);
        return;
    case OY_AGE_WAIT:
        break;
    }
    set_age_timer(transport);
}

void oy_server_life_init(oy_server_transport *transport, const oy_server_config *config, const oy_h2_config *h2_config)
{
    transport->life = config->life;
    transport->stream_window = h2_config->stream_window;
    transport->connection_window = h2_config->connection_window;
    transport->pings.min_time = config->ping_min_time;
    transport->pings.permit_without_calls = config->ping_without_calls;
    transport->age.config = config->age;
    transport->age_timer.fire = on_age_timer;
    oy_life_init(&transport->conn, &config->life);
}

void oy_server_life_start(oy_server_transport *transport)
{
    oy_conn *conn = &transport->conn;
    const oy_age_config ages = transport->age.config;
    oy_life_start(conn, &transport->life, transport->stream_window, transport->connection_window);
    oy_age_start(&transport->age, &ages, oy_loop_now(conn->loop), oy_random_unit(oy_loop_random(conn->loop)));
    set_age_timer(transport);
}

void oy_server_life_stop(oy_server_transport *transport)
{
    oy_timer_unset(transport->conn.loop, &transport->age_timer);
}

void oy_server_life_on_ping(oy_server_transport *transport)
{
    oy_conn *conn = &transport->conn;
    const bool answered = oy_h2_take_progress(conn->h2);
    if (transport->drain == OY_DRAIN_LINGER ||
        oy_ping_policy_allows(&transport->pings, oy_loop_now(conn->loop), answered, transport->streams > 0))
        return;
    oy_log(conn->log, OYEZ_LOG_WARNING, "%s: too many pings from the client, closing the connection", conn->peer);
    oy_h2_goaway(conn->h2, oy_h2_last_peer_stream(conn->h2), OY_H2_ENHANCE_YOUR_CALM, OYEZ_STR("too_many_pings"));
    /* Not at once: bytes that lie unread in the socket would make a reset of the close, and that would overtake the GOAWAY. */
    oy_server_linger(transport);
    oy_conn_touch(conn);
}

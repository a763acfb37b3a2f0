/* SPDX-License-Identifier: Apache-2.0 */
/* Keepalive (gRFC A8, A18): when a connection has been silent for a while a PING is sent; if nothing at all comes back in
 * time the other end is dead. No I/O and no clock: the embedder remembers when it last read, and asks when the time has
 * come that was named last. So a call or a read costs nothing here. */
#ifndef OY_TRANSPORT_KEEPALIVE_H
#define OY_TRANSPORT_KEEPALIVE_H

#include <oyez/limits.h>

#define OY_KEEPALIVE_TIMEOUT OYEZ_LIMIT_KEEPALIVE_TIMEOUT
#define OY_KEEPALIVE_SERVER_TIME OYEZ_LIMIT_KEEPALIVE_SERVER_TIME
/* What users may ask for at least. */
#define OY_KEEPALIVE_CLIENT_LEAST OYEZ_LIMIT_KEEPALIVE_CLIENT_LEAST
#define OY_KEEPALIVE_SERVER_LEAST OYEZ_LIMIT_KEEPALIVE_SERVER_LEAST

typedef struct oy_keepalive_config {
    oyez_duration time;          /* of silence before a PING; 0 or OYEZ_FOREVER: off */
    oyez_duration timeout;       /* for anything to come back */
    bool without_calls;          /* also while no call is under way */
} oy_keepalive_config;

typedef enum oy_keepalive_action {
    OY_KEEPALIVE_WAIT,
    OY_KEEPALIVE_PING,           /* send one */
    OY_KEEPALIVE_DEAD,
} oy_keepalive_action;

typedef struct oy_keepalive {
    oy_keepalive_config config;
    enum {
        OY_KEEPALIVE_OFF,
        OY_KEEPALIVE_WATCHING,
        OY_KEEPALIVE_PINGED,
        OY_KEEPALIVE_LAST_LOOK,  /* the time is over, but has everything been read that has come? */
        OY_KEEPALIVE_DORMANT,    /* no call, and so no PING, until one begins */
    } state;
    int64_t pinged_at;
    int64_t due;                 /* when to ask next; OYEZ_FOREVER: not before something begins */
} oy_keepalive;

static inline bool oy_keepalive_is_on(const oy_keepalive_config *config)
{
    return config->time > 0 && config->time != OYEZ_FOREVER;
}

/* The connection stands. */
void oy_keepalive_start(oy_keepalive *keepalive, const oy_keepalive_config *config, int64_t now);
/* `due` has come. @param last_read when bytes last came, of the same clock. */
oy_keepalive_action oy_keepalive_tick(oy_keepalive *keepalive, int64_t now, int64_t last_read, bool has_calls);
/* A call has begun on a dormant connection. */
oy_keepalive_action oy_keepalive_wake(oy_keepalive *keepalive, int64_t now, int64_t last_read);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A relay between client and server of the soak: passes bytes on, and now and then resets a connection in the middle. */
#ifndef SOAK_RELAY_H
#define SOAK_RELAY_H

#include <stdint.h>

typedef struct relay relay;

/* Listens on a free port of loopback, connects to `target_port` for each connection that comes. */
relay *relay_start(uint16_t target_port, uint16_t *ret_port);
/* Resets one connection, picked by `number`. */
void relay_kill_one(relay *relay, uint32_t number);
void relay_stop(relay *relay);
uint64_t relay_bytes(const relay *relay);

#endif

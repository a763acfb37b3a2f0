/* SPDX-License-Identifier: Apache-2.0 */
/* A peer for tests of channels: a thread with a socket, which speaks just enough HTTP/2 to answer
 * unary calls, or misbehaves in a chosen way. */
#ifndef OY_TESTS_CLIENT_PEER_H
#define OY_TESTS_CLIENT_PEER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum client_peer_manner {
    PEER_ANSWERS, /* each call with an empty message and OK */
    PEER_BLIND,   /* likewise, without reading headers: it takes no memory of the library */
    PEER_HOLDS,   /* SETTINGS, and never an answer to a call */
    PEER_SILENT,  /* accepts, and says nothing */
    PEER_CLOSES,  /* accepts, and closes */
    PEER_HTTP1,   /* answers whatever comes like a web server */
} client_peer_manner;

typedef struct client_peer client_peer;

/* @param address "127.0.0.1:0", "unix:path", "unix-abstract:name". */
client_peer *client_peer_start(const char *address, client_peer_manner manner);
/* Closes everything at once and frees it; the address is free then. */
void client_peer_stop(client_peer *peer);
/* In a child of the process: frees the library's memory that it holds, and touches nothing else. */
void client_peer_forget(client_peer *peer);
uint16_t client_peer_port(const client_peer *peer);
/* "ipv4:127.0.0.1:port" */
const char *client_peer_target(const client_peer *peer);
/* GOAWAY on all connections; they stay open. */
void client_peer_goaway(client_peer *peer);
/* Closes all connections. */
void client_peer_drop(client_peer *peer);

/* So far. */
unsigned client_peer_connections(client_peer *peer);
unsigned client_peer_calls(client_peer *peer);
/* GOAWAYs received. */
unsigned client_peer_goaways(client_peer *peer);
/* Of the last call; copied. */
void client_peer_last(client_peer *peer, char authority[256], char user_agent[256]);

/* A port of 127.0.0.1 on which nobody listens. */
uint16_t client_peer_free_port(void);

#endif

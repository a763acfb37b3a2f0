/* SPDX-License-Identifier: Apache-2.0 */
/* A server of streams that the tests of ends talk to. Messages are bytes.
 *
 *   /pkg.Str/Echo    (both) answers each message with itself, until the client has half-closed
 *   /pkg.Str/Once    (both) answers the first message with itself, and ends with OK
 *   /pkg.Str/Refuse  (both) PERMISSION_DENIED at once, nothing is read
 *   /pkg.Str/Flood   (both) sends 16 KiB again and again until that fails; nothing is read
 *   /pkg.Str/Deaf    (both) reads nothing until the gate is opened or the call is cancelled; then as Echo
 *   /pkg.Str/Sum     (the client) answers with the number of bytes, in decimal */
#ifndef OY_TESTS_ENDS_SUPPORT_H
#define OY_TESTS_ENDS_SUPPORT_H

#include <stdatomic.h>

#include <oyez/oyez.h>

#include "support/raw_peer.h"

#define ENDS_FLOOD_BYTES 16384

typedef struct ends_server {
    oyez_runtime *runtime;
    oyez_server *server;
    uint16_t port;
    _Atomic(unsigned) begun, live; /* handlers */
    _Atomic(unsigned) sent;        /* Flood: messages that were taken */
    _Atomic(unsigned) cancelled;   /* handlers that have seen so when they ended */
    _Atomic(bool) gate;
} ends_server;

/* Options without runtime; PINGs are no offence. Asserts success. */
ends_server *ends_serve(const oyez_server_options *options);
void ends_stop(ends_server *server);

/* The client's description of those methods, and of any other path: a stream of bytes both ways. */
extern const oyez_method ends_talk; /* /pkg.Str/Talk, for servers that are scripts */
/* Sends text as a message. */
bool ends_say(oyez_stream *stream, const void *data, size_t len);
/* Waits for a message and asserts that it is this. */
void ends_hear(oyez_stream *stream, const void *data, size_t len);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file inproc.h
 * A channel to a server of the same process, without a socket: for tests and for embedding.
 */
#ifndef OYEZ_INPROC_H
#define OYEZ_INPROC_H

#include <oyez/channel.h>
#include <oyez/server.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * Makes a channel to `server`. Calls go the whole way, HTTP/2 included: messages, metadata, deadlines, cancellation, flow
 * control, limits, interceptors and stats handlers are as on any connection. The bytes are handed over by reference: what a
 * message keeps in blocks is not copied on the way.
 *
 * It needs no listener. The server must have been started before the channel connects, with the first call or by
 * oyez_channel_connect; otherwise, and when it has been stopped, calls end with UNAVAILABLE. The channel does not keep the
 * server alive. Both may have the same runtime, a manual one too, or each its own.
 *
 * The peer is "inproc" on both sides, the default of `:authority` "localhost". Connections count for max_connections.
 *
 * Any thread. Since 0.1.
 * @param options  borrowed; NULL for the defaults (the default runtime, not the server's).
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_server_connect(oyez_server *server, const oyez_channel_options *options,
                                                      oyez_channel **ret_channel);

OYEZ_END_DECLS

#endif

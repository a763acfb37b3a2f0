/* SPDX-License-Identifier: Apache-2.0 */
/* Where channels of the same process get their connections to a server from. It outlives the server, so that channels need
 * not keep it. */
#ifndef OY_SERVER_CONNECTOR_H
#define OY_SERVER_CONNECTOR_H

#include <oyez/types.h>

#include "transport/transport.h"

typedef struct oy_server_connector oy_server_connector;

oyez_err oy_server_connector_new(oyez_server *server, oy_server_connector **ret_connector);
/* A stop begins: from now on it refuses, and nobody is in the midst of connecting. Any thread. */
void oy_server_connector_cut(oy_server_connector *connector);
/* The server's reference goes, behind a stop. NULL is allowed. */
void oy_server_connector_end(oy_server_connector *connector);

/* The server's; gives a reference. Any thread. */
oy_connector *oy_server_get_connector(oyez_server *server);

#endif

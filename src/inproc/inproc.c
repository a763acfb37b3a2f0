/* SPDX-License-Identifier: Apache-2.0 */
/* Brings a server and a channel of one process together. The two layers do not know each other; what they have in common
 * is the connector. */
#include <oyez/inproc.h>

#include "client/channel.h"
#include "server/connector.h"

oyez_err oyez_server_connect(oyez_server *server, const oyez_channel_options *options, oyez_channel **ret_channel)
{
    if (!server || !ret_channel)
        return OYEZ_ENULL;
    return oy_channel_new_inproc(oy_server_get_connector(server), options, ret_channel);
}

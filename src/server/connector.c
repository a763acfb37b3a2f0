/* SPDX-License-Identifier: Apache-2.0 */
/* Connects channels of the same process. `server` is valid under the lock until a stop has begun, and each server is
 * stopped before its end; a connection that was made before counts as live, so that the stop waits for it. */
#include "server/connector.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "server/server_impl.h"

struct oy_server_connector {
    oy_connector base;
    pthread_mutex_t lock;
    oyez_server *server;         /* guarded by lock; NULL: it has been stopped */
};

static oyez_err refuse(oyez_err err, const char **ret_words)
{
    *ret_words = err == OYEZ_ESTOPPED ? "the server has been stopped"
                 : err == OYEZ_ESTATE ? "the server has not been started"
                 : err == OYEZ_ELIMIT ? "the server has as many connections as it may have (max_connections)"
                                      : oyez_strerror(err);
    return err;
}

static oyez_err connect_locked(const oy_server_connector *self, oy_pipe **ret_pipe)
{
    if (!self->server)
        return OYEZ_ESTOPPED;
    if (oy_server_get_state(self->server) == OY_SERVER_NEW)
        return OYEZ_ESTATE;
    return oy_server_connect_memory(self->server, ret_pipe);
}

static oyez_err connect_one(oy_connector *connector, oy_pipe **ret_pipe, const char **ret_words)
{
    oy_server_connector *self = oy_container_of(connector, oy_server_connector, base);
    pthread_mutex_lock(&self->lock);
    const oyez_err err = connect_locked(self, ret_pipe);
    pthread_mutex_unlock(&self->lock);
    return err ? refuse(err, ret_words) : OYEZ_NO_ERR;
}

static void free_connector(oy_connector *connector)
{
    oy_server_connector *self = oy_container_of(connector, oy_server_connector, base);
    pthread_mutex_destroy(&self->lock);
    oy_free(self);
}

oyez_err oy_server_connector_new(oyez_server *server, oy_server_connector **ret_connector)
{
    static const oy_connector_ops ops = { connect_one, free_connector };
    oy_server_connector *self = oy_alloc_zero(sizeof(*self));
    if (!self)
        return OYEZ_ENOMEM;
    self->base.ops = &ops;
    oy_refcount_init(&self->base.refs, 1);
    pthread_mutex_init(&self->lock, NULL);
    self->server = server;
    *ret_connector = self;
    return OYEZ_NO_ERR;
}

void oy_server_connector_cut(oy_server_connector *connector)
{
    pthread_mutex_lock(&connector->lock);
    connector->server = NULL;
    pthread_mutex_unlock(&connector->lock);
}

void oy_server_connector_end(oy_server_connector *connector)
{
    if (connector)
        oy_connector_unref(&connector->base);
}

oy_connector *oy_server_get_connector(oyez_server *server)
{
    return oy_connector_ref(&server->connector->base);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Connects one address: attempts with a deadline, pauses between them, and the connection when it
 * stands. A connection that the server is about to close (GOAWAY) leaves its subchannel at once and
 * lives on by itself until its streams are over. */
#include "client/subchannel.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "client/words.h"

/* Between a transport and a subchannel, either of which may be gone before the other. */
typedef struct connection {
    oy_list node;
    oy_subchannels *all;
    oy_subchannel *subchannel; /* NULL: it is only to end in peace */
    oy_client_transport *transport;
    bool told; /* stats handlers know of it */
    char peer[OY_ADDRESS_TEXT_MAX];
    void *stats_tags[]; /* as many as there are stats handlers */
} connection;

struct oy_subchannel {
    oy_subchannels *all;
    oy_address address;
    oyez_connectivity state;
    connection *connection; /* CONNECTING and READY */
    oy_timer timer;         /* CONNECTING: the deadline; TRANSIENT_FAILURE: the end of the pause */
    oy_list news;
    oyez_err start_err; /* CONNECTING without a connection: why */
    int start_errno;    /* likewise; 0: the system has nothing to do with it */
    const char *start_words; /* likewise, static; NULL: there are none */
    oy_backoff backoff;
    oyez_duration pause; /* behind the present attempt, should it fail */
};

static void set_state(oy_subchannel *subchannel, oyez_connectivity state, const char *words)
{
    subchannel->state = state;
    subchannel->all->on_state(subchannel->all->user, subchannel, state, words);
}

/* To be told with the next pass. */
static void add_news(oy_subchannel *subchannel)
{
    oy_subchannels *all = subchannel->all;
    const bool first = oy_list_empty(&all->news);
    oy_list_push_back(&all->news, &subchannel->news);
    if (first)
        all->wake(all->user);
}

/* The two no longer know each other. */
static void part(connection *conn)
{
    if (conn->subchannel)
        conn->subchannel->connection = NULL;
    conn->subchannel = NULL;
}

/* It is gone. */
static void free_connection(connection *conn)
{
    if (conn->told)
        oy_stats_conn_end(conn->all->stats, conn->stats_tags, true, conn->peer);
    oy_free(conn);
}

static void close_connection(connection *conn, oyez_code code, const char *words)
{
    part(conn);
    oy_list_remove(&conn->node);
    oy_client_transport_close(conn->transport, code, words);
    free_connection(conn);
}

/* How long the present attempt may take. */
static oyez_duration time_limit(const oy_subchannel *subchannel)
{
    const oyez_duration least = subchannel->all->connect_timeout;
    return subchannel->pause > least ? subchannel->pause : least;
}

/* --- the end of an attempt ------------------------------------------------------------------- */

/* What a user can do about the commonest failures. @param stood  there was a connection, but no
 * HTTP/2 on it. */
static const char *advice(const oy_subchannel *subchannel, const char *words, bool stood)
{
    const bool path = subchannel->address.any.sa_family == AF_UNIX;
    if (oy_address_is_inproc(&subchannel->address))
        return "";
    if (stood)
        return strstr(words, "TLS") ? "" : ": is it a gRPC server?";
    if (strstr(words, strerror(ECONNREFUSED)))
        return path ? ": is the server running?"
                    : ": is the server running, and is the port right?";
    if (path && strstr(words, strerror(ENOENT)))
        return ": is the server running, and is the path right?";
    if (path && strstr(words, strerror(EAGAIN)))
        return ": the server does not accept as fast as its clients connect";
    return "";
}

static void attempt_failed(oy_subchannel *subchannel, const char *words)
{
    static const char prefix[] = "cannot connect to ";
    oy_subchannels *all = subchannel->all;
    const bool stood = strncmp(words, prefix, strlen(prefix)) != 0;
    char text[OY_WORDS_MAX];

    oy_words_set((oy_words){text, sizeof(text)}, "%s%s%s", stood ? prefix : "", words,
                 advice(subchannel, words, stood));
    /* Without memory for the timer there is no pause: the next pass of the loop tells its end. */
    if (oy_timer_set(all->loop, &subchannel->timer,
                     oy_time_add(oy_loop_now(all->loop), subchannel->pause)))
        add_news(subchannel);
    set_state(subchannel, OYEZ_TRANSIENT_FAILURE, text);
}

static void on_timer(oy_timer *timer)
{
    oy_subchannel *subchannel = oy_container_of(timer, oy_subchannel, timer);
    char peer[OY_ADDRESS_TEXT_MAX], words[OY_WORDS_MAX];

    if (subchannel->state == OYEZ_TRANSIENT_FAILURE) {
        set_state(subchannel, OYEZ_IDLE, NULL);
        return;
    }
    close_connection(subchannel->connection, OYEZ_UNAVAILABLE,
                     "the connection attempt took too long");
    oy_address_format(&subchannel->address, peer);
    oy_words_set((oy_words){words, sizeof(words)},
                 "cannot connect to %s: no gRPC server has answered within %.3g s: is it one, and "
                 "is the way to it "
                 "open?",
                 peer, (double)time_limit(subchannel) / (double)OYEZ_SECOND);
    attempt_failed(subchannel, words);
}

static const char *start_words(const oy_subchannel *subchannel)
{
    if (subchannel->start_words)
        return subchannel->start_words;
    return subchannel->start_errno ? strerror(subchannel->start_errno)
                                   : oyez_strerror(subchannel->start_err);
}

void oy_subchannels_run(oy_subchannels *all)
{
    oy_list batch, *node;
    oy_list_init(&batch);
    while ((node = oy_list_pop_front(&all->news)))
        oy_list_push_back(&batch, node);
    /* what is freed meanwhile takes itself out of the batch */
    while ((node = oy_list_pop_front(&batch))) {
        oy_subchannel *subchannel = oy_container_of(node, oy_subchannel, news);
        char peer[OY_ADDRESS_TEXT_MAX], words[OY_WORDS_MAX];
        if (subchannel->state == OYEZ_TRANSIENT_FAILURE) {
            set_state(subchannel, OYEZ_IDLE, NULL);
            continue;
        }
        oy_address_format(&subchannel->address, peer);
        oy_words_set((oy_words){words, sizeof(words)}, "cannot connect to %s: %s", peer,
                     start_words(subchannel));
        attempt_failed(subchannel, words);
    }
}

/* --- what a transport tells ------------------------------------------------------------------ */

static void on_ready(void *user)
{
    connection *conn = user;
    oy_subchannel *subchannel = conn->subchannel;
    if (!subchannel || subchannel->state != OYEZ_CONNECTING)
        return;
    oy_timer_unset(conn->all->loop, &subchannel->timer);
    oy_backoff_reset(&subchannel->backoff);
    if (oy_unlikely(conn->all->stats != NULL)) {
        conn->told = true;
        oy_address_format(&subchannel->address, conn->peer);
        oy_stats_conn_begin(conn->all->stats, conn->stats_tags, true, conn->peer);
    }
    set_state(subchannel, OYEZ_READY, NULL);
}

/* The subchannel has no connection any more. */
static void lost(oy_subchannel *subchannel, const char *words)
{
    oy_timer_unset(subchannel->all->loop, &subchannel->timer);
    if (subchannel->state == OYEZ_READY)
        set_state(subchannel, OYEZ_IDLE, words);
    else
        attempt_failed(subchannel, words);
}

static void on_draining(void *user, const char *words)
{
    connection *conn = user;
    oy_subchannel *subchannel = conn->subchannel;
    if (!subchannel)
        return;
    part(conn);
    lost(subchannel, words);
}

static void on_closed(void *user, const char *words)
{
    connection *conn = user;
    oy_subchannel *subchannel = conn->subchannel;
    part(conn);
    oy_list_remove(&conn->node);
    free_connection(conn);
    if (subchannel)
        lost(subchannel, words);
}

/* The next connections keep quieter (gRFC A8). Several that were made with the same time and are all sent away double it
 * once. */
static void on_too_many_pings(void *user, oyez_duration time)
{
    const connection *conn = user;
    oy_subchannels *all = conn->all;
    oy_keepalive_config *keepalive = &all->config.life.keepalive;
    const oyez_duration slower = oy_time_add(time, time);
    char peer[OY_ADDRESS_TEXT_MAX] = "a server";

    if (conn->subchannel)
        oy_address_format(&conn->subchannel->address, peer);
    if (!oy_keepalive_is_on(keepalive)) {
        oy_log(all->config.log, OYEZ_LOG_ERROR, "%s calls our pings too many, and keepalive is off",
               peer);
    } else if (slower > keepalive->time) {
        keepalive->time = slower;
        oy_log(all->config.log, OYEZ_LOG_ERROR,
               "%s calls our pings too many (too_many_pings): keepalive_time is raised to %.3g s",
               peer, (double)slower / (double)OYEZ_SECOND);
    }
}

/* --- what a balancer asks for ---------------------------------------------------------------- */

static oyez_err begin(oy_subchannel *subchannel)
{
    static const oy_client_transport_events events = {on_ready, on_draining, on_closed,
                                                      on_too_many_pings};
    oy_subchannels *all = subchannel->all;
    connection *conn = oy_alloc_zero(sizeof(*conn) + (all->stats ? oy_stats_tags_bytes(all->stats) : 0));
    oy_pipe *pipe = NULL;
    oyez_err err;

    if (!conn)
        return OYEZ_ENOMEM;
    conn->all = all;
    err = oy_timer_set(all->loop, &subchannel->timer,
                       oy_time_add(oy_loop_now(all->loop), time_limit(subchannel)));
    if (!err && all->connector)
        err = all->connector->ops->connect(all->connector, &pipe, &subchannel->start_words);
    if (!err && all->connector)
        err = oy_client_transport_new_on(all->loop, pipe, &subchannel->address, &all->config,
                                         &events, conn, &conn->transport);
    else if (!err)
        err = oy_client_transport_new(all->loop, &subchannel->address, &all->config, &events, conn,
                                      &conn->transport);
    if (err) {
        oy_timer_unset(all->loop, &subchannel->timer);
        oy_free(conn);
        return err;
    }
    conn->subchannel = subchannel;
    subchannel->connection = conn;
    oy_list_push_back(&all->connections, &conn->node);
    return OYEZ_NO_ERR;
}

void oy_subchannel_connect(oy_subchannel *subchannel)
{
    oy_subchannels *all = subchannel->all;
    oy_assert(subchannel->state == OYEZ_IDLE);
    subchannel->state = OYEZ_CONNECTING;
    subchannel->pause = oy_backoff_next(&subchannel->backoff, &all->backoff,
                                        oy_random_unit(oy_loop_random(all->loop)));
    errno = 0;
    subchannel->start_words = NULL;
    subchannel->start_err = begin(subchannel);
    if (subchannel->start_err) {
        subchannel->start_errno = subchannel->start_err == OYEZ_ENOMEM ? 0 : errno;
        add_news(subchannel);
    }
}

/* Ends what is going on, without any news. */
static void quieten(oy_subchannel *subchannel)
{
    oy_timer_unset(subchannel->all->loop, &subchannel->timer);
    oy_list_remove(&subchannel->news);
    if (!subchannel->connection)
        return;
    if (subchannel->state == OYEZ_READY) {
        oy_client_transport *transport = subchannel->connection->transport;
        part(subchannel->connection);
        oy_client_transport_drain(transport);
    } else {
        close_connection(subchannel->connection, OYEZ_UNAVAILABLE,
                         "the connection is not needed any more");
    }
}

void oy_subchannel_reset(oy_subchannel *subchannel)
{
    quieten(subchannel);
    oy_backoff_reset(&subchannel->backoff);
    subchannel->state = OYEZ_IDLE;
}

void oy_subchannel_retire(oy_subchannel *subchannel)
{
    if (subchannel->state != OYEZ_READY)
        return;
    part(subchannel->connection);
    lost(subchannel, "the connection takes no more calls");
}

oy_client_transport *oy_subchannel_transport(const oy_subchannel *subchannel)
{
    return subchannel->state == OYEZ_READY ? subchannel->connection->transport : NULL;
}

oyez_err oy_subchannel_new(oy_subchannels *all, const oy_address *address,
                           oy_subchannel **ret_subchannel)
{
    oy_subchannel *subchannel = oy_alloc_zero(sizeof(*subchannel));
    if (!subchannel)
        return OYEZ_ENOMEM;
    subchannel->all = all;
    subchannel->address = *address;
    subchannel->state = OYEZ_IDLE;
    subchannel->timer.fire = on_timer;
    *ret_subchannel = subchannel;
    return OYEZ_NO_ERR;
}

void oy_subchannel_free(oy_subchannel *subchannel)
{
    if (!subchannel)
        return;
    quieten(subchannel);
    oy_free(subchannel);
}

/* --- all of a channel ------------------------------------------------------------------------ */

void oy_subchannels_init(oy_subchannels *all)
{
    oy_list_init(&all->connections);
    oy_list_init(&all->news);
}

void oy_subchannels_close(oy_subchannels *all, oyez_code code, const char *words)
{
    oy_list *node;
    while ((node = oy_list_pop_front(&all->connections)))
        close_connection(oy_container_of(node, connection, node), code, words);
}

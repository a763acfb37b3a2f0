/* SPDX-License-Identifier: Apache-2.0 */
/* Birth, failure and death of a connection. */
#include "h2/conn.h"

#include "base/alloc.h"
#include "base/text.h"

void oy_h2_config_defaults(oy_h2_config *config)
{
    static const struct {
        size_t offset;
        uint32_t value;
    } defaults[] = {
        {offsetof(oy_h2_config, header_table_bytes), OYEZ_LIMIT_HPACK_TABLE_BYTES},
        {offsetof(oy_h2_config, header_list_bytes), OYEZ_LIMIT_HEADER_LIST_BYTES},
        {offsetof(oy_h2_config, max_streams), OYEZ_LIMIT_STREAMS},
        {offsetof(oy_h2_config, stream_window), OYEZ_LIMIT_STREAM_WINDOW_BYTES},
        {offsetof(oy_h2_config, connection_window), OYEZ_LIMIT_CONNECTION_WINDOW_BYTES},
        {offsetof(oy_h2_config, max_unsent_control), OYEZ_LIMIT_UNSENT_CONTROL},
        {offsetof(oy_h2_config, max_stream_errors), OYEZ_LIMIT_STREAM_ERRORS},
        {offsetof(oy_h2_config, max_continuations), OYEZ_LIMIT_CONTINUATIONS},
    };

    for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
        uint32_t *field = (uint32_t *)(void *)((char *)config + defaults[i].offset);
        if (*field == 0)
            *field = defaults[i].value;
    }
    if (config->stream_window > OY_H2_MAX_WINDOW)
        config->stream_window = OY_H2_MAX_WINDOW;
    /* A connection's window cannot be announced smaller than this (RFC 9113 section 6.9.2). */
    if (config->connection_window < OY_H2_DEFAULT_WINDOW)
        config->connection_window = OY_H2_DEFAULT_WINDOW;
    if (config->connection_window > OY_H2_MAX_WINDOW)
        config->connection_window = OY_H2_MAX_WINDOW;
}

oyez_err oy_h2_new(const oy_h2_config *config, const oy_h2_events *events, void *user,
                   oy_outq *output, oy_h2_conn **ret_conn)
{
    oy_hpack_decoder_limits limits = {0};
    oyez_err err = OYEZ_ENOMEM;
    oy_h2_conn *conn = oy_alloc_zero(sizeof(*conn));

    if (!conn)
        return OYEZ_ENOMEM;
    conn->config = *config;
    oy_h2_config_defaults(&conn->config);
    conn->server = config->server;
    conn->events = *events;
    conn->user = user;
    conn->output = output;
    conn->phase = conn->server ? OY_H2_PHASE_PREFACE : OY_H2_PHASE_HEAD;
    conn->next_id = conn->config.first_stream_id ? conn->config.first_stream_id | 1 : 1;
    conn->first_allowed = oy_h2_field_first_allowed(conn->server);
    conn->send_window = OY_H2_DEFAULT_WINDOW;
    oy_h2_inflow_init(&conn->inflow, (int32_t)conn->config.connection_window);
    if (conn->server && conn->config.stream_window < OY_H2_DEFAULT_WINDOW)
        conn->early_window_excess = OY_H2_DEFAULT_WINDOW - conn->config.stream_window;
    conn->peer = (oy_h2_peer_settings){
        .header_table_bytes = 4096,
        .max_streams = 100,
        .initial_window = OY_H2_DEFAULT_WINDOW,
        .max_frame_bytes = OY_H2_FRAME_BYTES,
        .header_list_bytes = UINT32_MAX,
    };
    err = oy_h2_table_init(conn);
    if (err)
        goto out;
    limits.table_bytes = conn->config.header_table_bytes;
    limits.list_bytes = conn->config.header_list_bytes;
    limits.size_updates = 2;
    err = oy_hpack_decoder_new(&limits, &conn->decoder);
    if (err)
        goto out;
    err = oy_hpack_encoder_new(OYEZ_LIMIT_HPACK_TABLE_BYTES, &conn->encoder);
    if (err)
        goto out;
    err = oy_h2_settings_begin(conn);
    if (err)
        goto out;
    *ret_conn = conn;
    return OYEZ_NO_ERR;
out:
    oy_h2_free(conn);
    return err;
}

void oy_h2_free(oy_h2_conn *conn)
{
    if (!conn)
        return;
    oy_hpack_decoder_free(conn->decoder);
    oy_hpack_encoder_free(conn->encoder);
    oy_free(conn->stash);
    oy_free(conn->gather.bytes);
    oy_free(conn->buckets);
    oy_free(conn);
}

static void fail(oy_h2_conn *conn, oyez_err err, uint32_t code, const char *words)
{
    if (conn->error)
        return;
    conn->error = err;
    conn->failure = (oy_h2_failure){code, words};
    conn->data_stream = NULL;
    conn->in.stream = NULL;
}

void oy_h2_fail(oy_h2_conn *conn, uint32_t code, const char *words)
{
    if (conn->error)
        return;
    /* First the frame: nothing is written any more once the error is set. */
    oy_h2_write_goaway(conn, conn->last_peer, code, oy_str(words));
    fail(conn, OYEZ_EPROTO, code, words);
}

oyez_err oy_h2_fail_memory(oy_h2_conn *conn)
{
    static const char words[] = "out of memory";
    uint8_t *to;

    if (conn->error)
        return conn->error;
    fail(conn, OYEZ_ENOMEM, OY_H2_INTERNAL_ERROR, words);
    /* A last try, without the words: 17 bytes may lie free behind the tail. */
    to = oy_outq_reserve(conn->output, OY_H2_FRAME_HEADER_BYTES + 8);
    if (to) {
        oy_h2_frame_write(to, 8, OY_H2_FRAME_GOAWAY, 0, 0);
        oy_h2_put_u32(to + OY_H2_FRAME_HEADER_BYTES, conn->last_peer);
        oy_h2_put_u32(to + OY_H2_FRAME_HEADER_BYTES + 4, OY_H2_INTERNAL_ERROR);
        oy_outq_commit(conn->output, OY_H2_FRAME_HEADER_BYTES + 8);
    }
    return OYEZ_ENOMEM;
}

void oy_h2_refuse(oy_h2_conn *conn, uint32_t id)
{
    oy_h2_count_reply(conn);
    oy_h2_write_rst(conn, id, OY_H2_REFUSED_STREAM);
    oy_h2_remember_end(conn, id, OY_H2_END_BY_US);
}

void oy_h2_stream_error(oy_h2_conn *conn, uint32_t id, oy_h2_stream *stream, uint32_t code,
                        const char *words)
{
    if (conn->error)
        return;
    oy_h2_count_reply(conn);
    oy_h2_write_rst(conn, id, code);
    if (stream)
        oy_h2_stream_forget(conn, stream, OY_H2_END_BY_US);
    else
        oy_h2_remember_end(conn, id, OY_H2_END_BY_US);
    if (stream)
        conn->events.on_reset(conn->user, stream, code, false, words);
    if (++conn->stream_errors > conn->config.max_stream_errors)
        oy_h2_fail(conn, OY_H2_ENHANCE_YOUR_CALM, "too many streams broke a rule or were refused");
}

oy_h2_failure oy_h2_get_failure(const oy_h2_conn *conn)
{
    return conn->failure;
}

void oy_h2_flushed(oy_h2_conn *conn)
{
    conn->unsent_replies = 0;
}

const oy_h2_peer_settings *oy_h2_peer(const oy_h2_conn *conn)
{
    return &conn->peer;
}

uint32_t oy_h2_last_peer_stream(const oy_h2_conn *conn)
{
    return conn->last_peer;
}

oy_hpack_encoder *oy_h2_encoder(oy_h2_conn *conn)
{
    return conn->encoder;
}

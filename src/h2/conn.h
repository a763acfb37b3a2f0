/* SPDX-License-Identifier: Apache-2.0 */
/* The connection as the files of this directory see it. */
#ifndef OY_H2_CONN_H
#define OY_H2_CONN_H

#include "base/assert.h"
#include "h2/frame.h"
#include "h2/h2.h"

/* What the next byte of the input is. */
typedef enum oy_h2_phase {
    OY_H2_PHASE_PREFACE,    /* server: of the client's preface */
    OY_H2_PHASE_HEAD,       /* of a frame header */
    OY_H2_PHASE_STASH,      /* of the payload of a frame that was cut */
    OY_H2_PHASE_PAD_LENGTH, /* the pad length of a DATA frame */
    OY_H2_PHASE_DATA,       /* of the payload of a DATA frame */
    OY_H2_PHASE_SKIP,       /* padding, or a frame that means nothing to us */
} oy_h2_phase;

/* How a stream that is gone has ended, as far as we remember. */
typedef enum oy_h2_end {
    OY_H2_END_FORGOTTEN = 0,
    OY_H2_END_OF_STREAM = 1, /* the peer had sent END_STREAM: nothing may follow */
    OY_H2_END_BY_US = 2,     /* the peer may not know yet: what still comes is dropped */
    OY_H2_END_BY_PEER = 3,   /* the peer reset it: nothing may follow */
} oy_h2_end;

/* The last so many streams that are gone are remembered, 4 bytes each. What comes for a stream
 * that has been forgotten is dropped: being strict is a courtesy to the authors of peers, not a
 * defence. */
#define OY_H2_ENDED_COUNT 128u

/* The header block that is being decoded. */
typedef struct oy_h2_incoming {
    oy_h2_stream *stream;  /* NULL: gone (a callback may close it) */
    const char *malformed; /* the first rule that was broken */
    uint32_t seen;         /* set of OY_H2_SEEN(oy_h2_field_class) */
    uint32_t allowed;      /* the same: which fields may come now and need no further look */
    bool trailers;
    int64_t content_length; /* -1: none */
} oy_h2_incoming;

/* A header block that spans frames. */
typedef struct oy_h2_gather {
    uint32_t stream_id; /* 0: none is open */
    uint32_t frames;    /* CONTINUATIONs so far */
    uint8_t flags;      /* of the HEADERS */
    uint8_t *bytes;
    size_t len, capacity;
} oy_h2_gather;

struct oy_h2_conn {
    oy_h2_events events;
    void *user;
    oy_outq *output; /* borrowed */
    oy_hpack_decoder *decoder;
    oy_hpack_encoder *encoder;
    bool server;
    oyez_err error; /* of the connection; sticky */
    oy_h2_failure failure;

    /* input */
    oy_h2_phase phase;
    bool settings_received; /* the peer's first frame has come */
    uint8_t head_len;       /* bytes of the preface or of a cut frame header */
    uint8_t head[OY_H2_PREFACE_BYTES];
    oy_h2_frame frame;         /* the current one */
    uint32_t left;             /* payload bytes of STASH, DATA and SKIP still to come */
    uint32_t pad_left;         /* DATA: padding behind */
    oy_h2_stream *data_stream; /* DATA: NULL drops the payload */
    uint8_t *stash;
    uint32_t stash_len, stash_capacity;
    oy_h2_incoming in;
    uint32_t first_allowed; /* what a block may begin with that is no trailers */
    oy_h2_gather gather;
    bool depends_on_itself; /* the stream of the latest HEADERS, by their priority */

    /* streams */
    oy_h2_stream **buckets;
    uint32_t bucket_mask, stream_count;
    uint32_t next_id;                  /* client: of the next stream that we begin */
    uint32_t seen_peer;                /* server: highest id that the peer has used */
    uint32_t last_peer;                /* ... and that was not dropped behind a GOAWAY */
    uint32_t ended[OY_H2_ENDED_COUNT]; /* ring of id >> 1 << 2 | oy_h2_end */
    uint32_t ended_next;
    uint32_t ended_forgotten; /* highest id that fell out of the ring */

    /* flow control and settings */
    int64_t send_window;
    oy_h2_inflow inflow;
    oy_h2_peer_settings peer;
    oy_h2_config config;
    uint32_t settings_unacked; /* SETTINGS of ours that the peer has not acknowledged */
    bool first_settings_acked;
    uint32_t early_window_excess; /* server: what a peer may send on a stream over a small window
                                     that it has not seen yet */
    bool progress;                /* HEADERS or DATA were written */
    bool goaway_sent, goaway_received;
    uint32_t goaway_sent_id, goaway_received_id;

    /* what a peer can provoke */
    uint32_t unsent_replies;
    uint32_t stream_errors;
};

/* --- conn.c: failure -------------------------------------------------------------------------- */

/* Ends the connection with a GOAWAY; later calls do nothing. */
void oy_h2_fail(oy_h2_conn *conn, uint32_t code, const char *words);
/* There was no memory: INTERNAL_ERROR. Returns OYEZ_ENOMEM. */
oyez_err oy_h2_fail_memory(oy_h2_conn *conn);
/* Refuses a stream that the peer begins and we have no room for: it has broken no rule. */
void oy_h2_refuse(oy_h2_conn *conn, uint32_t id);
/* Ends one stream with RST_STREAM and tells on_reset. @param stream NULL when it is not open. */
void oy_h2_stream_error(oy_h2_conn *conn, uint32_t id, oy_h2_stream *stream, uint32_t code,
                        const char *words);

/* --- recv_*.c: a whole frame has come (conn->frame is its header) ----------------------------- */

void oy_h2_on_headers(oy_h2_conn *conn, const uint8_t *payload);
void oy_h2_on_continuation(oy_h2_conn *conn, const uint8_t *payload);
void oy_h2_on_priority(oy_h2_conn *conn, const uint8_t *payload);
void oy_h2_on_rst_stream(oy_h2_conn *conn, const uint8_t *payload);
void oy_h2_on_settings(oy_h2_conn *conn, const uint8_t *payload);
void oy_h2_on_ping(oy_h2_conn *conn, const uint8_t *payload);
void oy_h2_on_goaway(oy_h2_conn *conn, const uint8_t *payload);
void oy_h2_on_window_update(oy_h2_conn *conn, const uint8_t *payload);

/* DATA comes in parts: its header, its pad length, its payload. Each sets the next phase. The
 * header takes payload, too, if there is any; it and _bytes return how many bytes they have
 * taken. */
uint32_t oy_h2_on_data_head(oy_h2_conn *conn, const uint8_t *at, size_t len, oyez_block *block);
void oy_h2_on_data_pad(oy_h2_conn *conn, uint8_t pad, const uint8_t *at, oyez_block *block);
uint32_t oy_h2_on_data_bytes(oy_h2_conn *conn, const uint8_t *at, size_t len, oyez_block *block);

/* Frame header behind which `bytes` follow that mean nothing. */
void oy_h2_skip(oy_h2_conn *conn, uint32_t bytes);

/* --- field.c ---------------------------------------------------------------------------------- */

/* What a field is, found out once for an entry of the table. */
typedef enum oy_h2_field_class {
    OY_H2_FIELD_UNKNOWN = 0,
    OY_H2_FIELD_PLAIN,
    OY_H2_FIELD_BAD_NAME,
    OY_H2_FIELD_BAD_VALUE,
    OY_H2_FIELD_CONNECTION, /* has no place in HTTP/2 */
    OY_H2_FIELD_TE_OTHER,   /* te, but not "trailers" */
    OY_H2_FIELD_CONTENT_LENGTH,
    OY_H2_FIELD_METHOD,
    OY_H2_FIELD_METHOD_CONNECT,
    OY_H2_FIELD_SCHEME,
    OY_H2_FIELD_AUTHORITY,
    OY_H2_FIELD_PATH,
    OY_H2_FIELD_STATUS, /* of an ordinary response, or one that is for the layer above to judge */
    OY_H2_FIELD_STATUS_1XX,
    OY_H2_FIELD_STATUS_NO_BODY, /* 204, 304 */
    OY_H2_FIELD_EMPTY_PSEUDO,
    OY_H2_FIELD_OTHER_PSEUDO,
    OY_H2_FIELD_CLASS_COUNT
} oy_h2_field_class;

#define OY_H2_SEEN(class) (1u << (class))

/* What a block that is no trailers may begin with. */
uint32_t oy_h2_field_first_allowed(bool request);

oy_h2_field_class oy_h2_field_classify(const oy_hpack_field *field);
/* False: the rest of the block is of no use, as the field is malformed or the stream is gone. */
bool oy_h2_field_take(oy_h2_conn *conn, const oy_hpack_field *field);
/* What a complete request lacks; NULL: nothing. */
const char *oy_h2_field_missing(const oy_h2_incoming *in);

/* --- stream_table.c --------------------------------------------------------------------------- */

oyez_err oy_h2_table_init(oy_h2_conn *conn);
/* Fills a stream and makes it known. */
void oy_h2_stream_begin(oy_h2_conn *conn, oy_h2_stream *stream, uint32_t id);
/* Makes a stream unknown, and remembers how it ended. */
void oy_h2_stream_forget(oy_h2_conn *conn, oy_h2_stream *stream, oy_h2_end end);
void oy_h2_remember_end(oy_h2_conn *conn, uint32_t id, oy_h2_end end);
oy_h2_end oy_h2_recall_end(const oy_h2_conn *conn, uint32_t id);
/* Neither side has begun it. */
bool oy_h2_is_idle(const oy_h2_conn *conn, uint32_t id);

static inline oy_h2_stream *oy_h2_find(const oy_h2_conn *conn, uint32_t id)
{
    oy_h2_stream *stream = conn->buckets[id >> 1 & conn->bucket_mask];
    while (stream && stream->id != id)
        stream = stream->next_in_bucket;
    return stream;
}

/* --- settings.c, flow.c ----------------------------------------------------------------------- */

/* Our preface: what we announce. */
oyez_err oy_h2_settings_begin(oy_h2_conn *conn);

/* --- send.c ----------------------------------------------------------------------------------- */

/* Begins a frame whose payload of `length` bytes the caller fills in at the returned place; then
 * oy_h2_frame_done. NULL: no memory, and the connection has failed; or it had failed before. */
uint8_t *oy_h2_frame_begin(oy_h2_conn *conn, uint32_t length, uint8_t type, uint32_t flags,
                           uint32_t stream_id);
void oy_h2_frame_done(oy_h2_conn *conn, uint32_t length);
/* Counts a frame that the peer has provoked. */
void oy_h2_count_reply(oy_h2_conn *conn);
void oy_h2_write_rst(oy_h2_conn *conn, uint32_t id, uint32_t code);
void oy_h2_write_window_update(oy_h2_conn *conn, uint32_t id, uint32_t increment);
void oy_h2_write_goaway(oy_h2_conn *conn, uint32_t last_id, uint32_t code, oyez_str debug);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A client's stream on its way in: response headers, payload, trailers, and what all of that means for the status of
 * the call (reference: PROTOCOL-HTTP2.md, http-grpc-status-mapping.md). Never OK without a valid grpc-status 0. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/base64.h"
#include "base/size.h"
#include "transport/client.h"
#include "transport/headers_out.h"

/* How much of an answer that is not gRPC goes into the words. */
#define BODY_WORDS_BYTES 1024u

static oy_client_stream *stream_of(oy_h2_stream *h2)
{
    return oy_container_of(h2, oy_client_stream, base.h2);
}

static oyez_str keep(oy_client_stream *stream, oyez_str text)
{
    char *copy = oy_arena_dup(stream->base.arena, text.data, text.len);
    return copy ? (oyez_str){ copy, text.len } : (oyez_str){ "", 0 };
}

/* --- fields -------------------------------------------------------------------------------------------------- */

static void take_http_status(oy_client_stream *stream, oyez_str value)
{
    uint32_t status = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.len != 3 || value.data[i] < '0' || value.data[i] > '9')
            return;
        status = status * 10 + (uint32_t)(value.data[i] - '0');
    }
    stream->http_status = status;
    stream->has_http_status = value.len == 3;
}

static __attribute__((noinline)) void take_grpc_message(oy_client_stream *stream, oyez_str value)
{
    char *text = oy_arena_alloc(stream->base.arena, value.len + 1);
    if (!text)
        return;
    size_t len = oy_percent_decode(value, text);
    text[len] = '\0';
    stream->grpc_message = (oyez_str){ text, len };
}

static void take_details(oy_client_stream *stream, oyez_str value)
{
    char *bytes = oy_arena_alloc(stream->base.arena, oy_base64_decoded_max(value.len) + 1);
    size_t len;
    stream->two_details = stream->details.data != NULL;
    if (!bytes)
        return;
    if (oy_base64_decode(value, bytes, &len))
        stream->bad_metadata = true;
    else
        stream->details = (oyez_str){ bytes, len };
}

static __attribute__((noinline)) void take_content_type(oy_client_stream *stream, const oy_hpack_field *field, bool trailer)
{
    if (trailer && stream->has_content_type)
        return;
    stream->has_content_type = true;
    stream->content_type_ok = oy_content_type_parse(field->value, NULL);
    if (!stream->content_type_ok)
        stream->content_type = keep(stream, field->value);
    stream->base.events->on_metadata(&stream->base, field->name, field->value, trailer);
}

static __attribute__((noinline)) void take_encoding(oy_client_stream *stream, oyez_str value)
{
    stream->encoding = keep(stream, value);
}

static __attribute__((noinline)) void take_grpc_status(oy_client_stream *stream, oyez_str value)
{
    stream->has_grpc_status = true;
    stream->bad_grpc_status = !oy_status_parse(value, &stream->grpc_status);
}

static __attribute__((noinline)) void take_metadata(oy_client_stream *stream, const oy_hpack_field *field, bool trailer)
{
    if (field->token == OY_TOKEN_GRPC_STATUS_DETAILS_BIN)
        take_details(stream, field->value);
    else if (oy_metadata_key_reserved(field->name))
        return;
    if (stream->http_status / 100 == 1 || stream->list_too_large)
        return;
    oy_delivery result = oy_metadata_deliver(&stream->base, field, trailer);
    stream->bad_metadata |= result == OY_DELIVER_BAD_BASE64;
    stream->list_too_large = result == OY_DELIVER_TOO_MANY;
}

/* All fields come through here: so it only jumps, and saves no registers. */
void oy_client_on_field(void *user, oy_h2_stream *h2, const oy_hpack_field *field)
{
    oy_client_stream *stream = stream_of(h2);
    bool trailer = h2->headers_received || h2->block_ends_stream;
    (void)user;
    switch (field->token) {
    case OY_TOKEN_STATUS:
        take_http_status(stream, field->value);
        return;
    case OY_TOKEN_CONTENT_TYPE:
        take_content_type(stream, field, trailer);
        return;
    case OY_TOKEN_GRPC_STATUS:
        take_grpc_status(stream, field->value);
        return;
    case OY_TOKEN_GRPC_MESSAGE:
        take_grpc_message(stream, field->value);
        return;
    case OY_TOKEN_GRPC_ENCODING:
        take_encoding(stream, field->value);
        return;
    case OY_TOKEN_GRPC_ACCEPT_ENCODING:
        return; /* what we send is decided by the caller, who hears of a refusal */
    default:
        take_metadata(stream, field, trailer);
        return;
    }
}

/* --- the status -------------------------------------------------------------------------------------------------- */

static void set_words(oy_client_stream *stream, oy_end *end, uint32_t code, const char *words)
{
    end->code = code;
    end->message = keep(stream, (oyez_str){ words, strlen(words) });
    end->details = (oyez_str){ "", 0 };
}

/* An answer that is not gRPC: the code by the HTTP status, and what came in words. */
static void not_grpc_end(oy_client_stream *stream, oy_end *end)
{
    char words[BODY_WORDS_BYTES + 512];
    int len;
    if (!stream->has_http_status) {
        set_words(stream, end, OYEZ_INTERNAL, "malformed response: the HTTP status is missing");
        return;
    }
    len = snprintf(words, sizeof(words), "unexpected HTTP status code received from server: %u (%s)",
                   stream->http_status, oy_http_status_text(stream->http_status));
    if (stream->has_content_type)
        len += snprintf(words + len, sizeof(words) - (size_t)len, "; received unexpected content-type \"%.*s\"",
                        (int)oy_min_size(stream->content_type.len, 200), stream->content_type.data);
    else
        len += snprintf(words + len, sizeof(words) - (size_t)len, "; the content-type is missing");
    if (stream->body_len > 0)
        snprintf(words + len, sizeof(words) - (size_t)len, "\ndata: \"%.*s\"", (int)stream->body_len, stream->body);
    set_words(stream, end, oy_code_from_http(stream->http_status), words);
}

/* A number that gRPC does not know is UNKNOWN (statuscodes.md); words of the server, if there are any, say more. */
static void unknown_code_end(oy_client_stream *stream, oy_end *end)
{
    char words[64];
    snprintf(words, sizeof(words), "the server's grpc-status %u is not a code of gRPC", end->code);
    if (end->message.len == 0)
        set_words(stream, end, OYEZ_UNKNOWN, words);
    end->code = OYEZ_UNKNOWN;
}

/* Details are the status, if there is one of them and it is well-formed (gRPC-Go's rule); otherwise there are none. They must
 * not say another code. */
static void use_details(oy_client_stream *stream, oy_end *end)
{
    char words[160];
    oy_rpc_status status;
    oyez_str details = end->details;
    end->details = OYEZ_STR("");
    if (end->code == OYEZ_OK || stream->two_details || !oy_rpc_status_parse(details, &status))
        return;
    if ((uint32_t)status.code != end->code) {
        snprintf(words, sizeof(words), "the server's grpc-status is %u, and grpc-status-details-bin says code %d",
                 end->code, (int)status.code);
        set_words(stream, end, OYEZ_INTERNAL, words);
        return;
    }
    end->message = keep(stream, status.message);
    end->details = details;
}

static void compute_end(oy_client_stream *stream, oy_end *end)
{
    *end = (oy_end){ .code = stream->grpc_status, .message = stream->grpc_message, .details = stream->details,
                     .trailers = stream->base.ended_by_headers };
    if (!stream->content_type_ok)
        not_grpc_end(stream, end);
    else if (stream->bad_grpc_status)
        set_words(stream, end, OYEZ_UNKNOWN, "malformed grpc-status: expected a decimal number");
    else if (stream->bad_metadata)
        set_words(stream, end, OYEZ_INTERNAL, "malformed metadata: a -bin value is not base64");
    else if (!stream->has_grpc_status && stream->base.ended_by_headers)
        set_words(stream, end, OYEZ_UNKNOWN, "the server's response has no grpc-status");
    else if (!stream->has_grpc_status)
        set_words(stream, end, OYEZ_INTERNAL, "the server closed the stream without sending trailers");
    else if (end->code == OYEZ_OK && stream->has_http_status && stream->http_status != 200)
        not_grpc_end(stream, end);
    else if (end->details.len > 0)
        use_details(stream, end);
    if (end->code > OYEZ_UNAUTHENTICATED)
        unknown_code_end(stream, end);
    else if (end->code == OYEZ_OK && oy_deframer_is_inside(&stream->base.deframer))
        set_words(stream, end, OYEZ_INTERNAL, "unexpected end of the stream inside a message");
}

bool oy_client_stream_end_of_data(oy_stream *base)
{
    oy_client_stream *stream = oy_container_of(base, oy_client_stream, base);
    oy_end end;
    if (stream->has_forced)
        end = stream->forced;
    else
        compute_end(stream, &end);
    oy_client_stream_end(stream, &end, OY_H2_NO_ERROR);
    return false;
}

/* Ends the call at once because of what the server sent. */
static void protocol_end(oy_client_stream *stream, uint32_t code, const char *words, oy_h2_code reset_code)
{
    oy_end end = { 0 };
    set_words(stream, &end, code, words);
    oy_client_stream_end(stream, &end, reset_code);
}

/* --- events -------------------------------------------------------------------------------------------------------- */

static void reset_response(oy_client_stream *stream)
{
    stream->http_status = 0;
    stream->has_http_status = stream->has_content_type = stream->content_type_ok = false;
    stream->has_grpc_status = stream->bad_grpc_status = stream->bad_metadata = false;
}

void oy_client_on_headers(void *user, oy_h2_stream *h2, const oy_h2_headers *headers)
{
    oy_client_stream *stream = stream_of(h2);
    (void)user;
    if (headers->informational) {
        reset_response(stream);
        return;
    }
    if (headers->over_limit || stream->list_too_large) {
        protocol_end(stream, OYEZ_INTERNAL, "peer header list size exceeded limit", OY_H2_FRAME_SIZE_ERROR);
        return;
    }
    if (headers->end_stream) {
        /* Without a status in the trailers behind a good response it is UNKNOWN, too. */
        stream->base.ended_by_headers = true;
        (void)oy_stream_end_of_data(&stream->base);
        return;
    }
    if (stream->bad_metadata) {
        protocol_end(stream, OYEZ_INTERNAL, "malformed metadata: a -bin value is not base64", OY_H2_PROTOCOL_ERROR);
        return;
    }
    if (!stream->content_type_ok) {
        stream->collecting = true;
        stream->body = oy_arena_alloc(stream->base.arena, BODY_WORDS_BYTES);
        return;
    }
    /* A status in the leading headers of a response that goes on is not one. */
    stream->has_grpc_status = stream->bad_grpc_status = false;
    stream->base.events->on_headers(&stream->base);
}

static void collect(oy_client_stream *stream, const oyez_buffer *piece, bool end_stream)
{
    size_t room = stream->body ? BODY_WORDS_BYTES - stream->body_len : 0;
    size_t len = oy_min_size(room, piece->len);
    if (len > 0)
        memcpy(stream->body + stream->body_len, piece->data, len);
    stream->body_len += len;
    if (!end_stream && stream->body_len < BODY_WORDS_BYTES && stream->body)
        return;
    oy_end end = { 0 };
    not_grpc_end(stream, &end);
    oy_client_stream_end(stream, &end, OY_H2_PROTOCOL_ERROR);
}

void oy_client_on_data(void *user, oy_h2_stream *h2, const oyez_buffer *piece, bool end_stream)
{
    oy_client_stream *stream = stream_of(h2);
    oy_client_transport *transport = user;
    oy_end end;
    transport->conn.life.data_bytes += piece->len;
    if (stream->collecting) {
        collect(stream, piece, end_stream);
        return;
    }
    if (!h2->headers_received) {
        protocol_end(stream, OYEZ_INTERNAL, "the server sent data before headers", OY_H2_PROTOCOL_ERROR);
        return;
    }
    if (oy_stream_receive(&stream->base, piece, end_stream, &end) == OY_RECEIVE_FAILED)
        oy_client_stream_end(stream, &end, OY_H2_CANCEL);
    else if (transport->conn.out.len > 0)
        oy_conn_touch(&transport->conn);
}

void oy_client_on_reset(void *user, oy_h2_stream *h2, uint32_t code, bool by_peer, const char *words)
{
    oy_client_stream *stream = stream_of(h2);
    oy_client_transport *transport = user;
    char text[256];
    oy_end end = { 0 };
    if (by_peer) {
        bool late = stream->request->deadline <= oy_loop_now(transport->conn.loop);
        snprintf(text, sizeof(text), "stream terminated by RST_STREAM with error code: %s", oy_h2_code_name(code));
        set_words(stream, &end, oy_code_from_h2(code, late), text);
        end.unprocessed = code == OY_H2_REFUSED_STREAM;
    } else {
        snprintf(text, sizeof(text), "the server broke the protocol: %s", words ? words : oy_h2_code_name(code));
        set_words(stream, &end, OYEZ_INTERNAL, text);
    }
    stream->forced = end;
    stream->has_forced = true;
    (void)oy_stream_end_of_data(&stream->base);
}

oyez_str oy_client_stream_encoding(const oy_client_stream *stream)
{
    return stream->encoding;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Header compression (RFC 7541). No I/O, no clock, no lock: blocks in, fields out, and back.
 *
 * What repeats from call to call costs a table look-up: an entry keeps the token of its name and a
 * note in which the layers above remember what they found out about it. */
#ifndef OY_HPACK_H
#define OY_HPACK_H

#include <oyez/types.h>

/* Names that a gRPC peer knows. X(token, "name") */
#define OY_HPACK_TOKEN_MAP(X)                                                                      \
    X(AUTHORITY, ":authority")                                                                     \
    X(METHOD, ":method")                                                                           \
    X(PATH, ":path")                                                                               \
    X(SCHEME, ":scheme")                                                                           \
    X(STATUS, ":status")                                                                           \
    X(PROTOCOL, ":protocol")                                                                       \
    X(TE, "te")                                                                                    \
    X(CONTENT_TYPE, "content-type")                                                                \
    X(USER_AGENT, "user-agent")                                                                    \
    X(HOST, "host")                                                                                \
    X(CONTENT_LENGTH, "content-length")                                                            \
    X(CONNECTION, "connection")                                                                    \
    X(KEEP_ALIVE, "keep-alive")                                                                    \
    X(PROXY_CONNECTION, "proxy-connection")                                                        \
    X(TRANSFER_ENCODING, "transfer-encoding")                                                      \
    X(UPGRADE, "upgrade")                                                                          \
    X(GRPC_STATUS, "grpc-status")                                                                  \
    X(GRPC_MESSAGE, "grpc-message")                                                                \
    X(GRPC_TIMEOUT, "grpc-timeout")                                                                \
    X(GRPC_ENCODING, "grpc-encoding")                                                              \
    X(GRPC_ACCEPT_ENCODING, "grpc-accept-encoding")                                                \
    X(GRPC_MESSAGE_TYPE, "grpc-message-type")                                                      \
    X(GRPC_STATUS_DETAILS_BIN, "grpc-status-details-bin")                                          \
    X(GRPC_PREVIOUS_RPC_ATTEMPTS, "grpc-previous-rpc-attempts")                                    \
    X(GRPC_RETRY_PUSHBACK_MS, "grpc-retry-pushback-ms")

typedef enum oy_hpack_token {
    OY_TOKEN_OTHER = 0,
#define OY_HPACK_TOKEN_ENUM(token, name) OY_TOKEN_##token,
    OY_HPACK_TOKEN_MAP(OY_HPACK_TOKEN_ENUM)
#undef OY_HPACK_TOKEN_ENUM
        OY_TOKEN_COUNT
} oy_hpack_token;

oy_hpack_token oy_hpack_token_of(oyez_str name);

/* What the layers above remember about a table entry; zero when the entry is new. */
typedef struct oy_hpack_note {
    uint32_t h2;       /* for src/h2: "these characters have been checked" and the like */
    uint32_t kind;     /* for the layer above: what `meaning` is */
    uintptr_t meaning; /* for the layer above: a parsed value, a method, ... */
} oy_hpack_note;

/* A decoded field. It, its strings and its note live until the next one is read. */
typedef struct oy_hpack_field {
    oyez_str name, value;
    oy_hpack_token token;
    bool never_index;    /* RFC 7541 section 6.2.3: a proxy must keep it so */
    oy_hpack_note *note; /* of the table entry; NULL for a literal that did not enter the table */
} oy_hpack_field;

/* --- decoder ------------------------------------------------------------------------------------- */

typedef struct oy_hpack_decoder oy_hpack_decoder;

typedef struct oy_hpack_decoder_limits {
    uint32_t table_bytes;  /* what we announce as SETTINGS_HEADER_TABLE_SIZE; 4096 by default */
    uint32_t list_bytes;   /* sum of name + value + 32 over a block */
    uint32_t size_updates; /* table size updates that a block may begin with; RFC: 2 suffice */
} oy_hpack_decoder_limits;

/* OYEZ_EINVAL: table_bytes is above 16 MiB. */
oyez_err oy_hpack_decoder_new(const oy_hpack_decoder_limits *limits,
                              oy_hpack_decoder **ret_decoder);
void oy_hpack_decoder_free(oy_hpack_decoder *decoder);

/* The peer has acknowledged our table_bytes. Until then it may use the 4096 bytes that the protocol
 * starts with; if ours is less, its next block has to begin with a table size update (RFC 9113
 * section 4.3.1). Calling it is only needed where table_bytes is below 4096, and harmless elsewhere. */
void oy_hpack_decoder_settings_acked(oy_hpack_decoder *decoder);

/* A header block that is being read; private, but for its use here:
 *
 *     oy_hpack_read_begin(&reader, decoder, block, len);
 *     while ((field = oy_hpack_read(&reader)))
 *         ...;
 *     err = oy_hpack_read_end(&reader, &result, &words);
 *
 * A block that was begun must be ended, whatever it meant: the rest of it still updates the tables. */
typedef struct oy_hpack_reader {
    oy_hpack_decoder *decoder;
    const uint8_t *at, *end;
    uint64_t list_bytes;    /* so far; cannot overflow, a field has less than 2^30 bytes */
    uint64_t deliver_bytes; /* fields are delivered while list_bytes is at most this */
    oy_hpack_field literal; /* the latest field, if it stands in no table */
    oyez_err err;
    const char *words;
} oy_hpack_reader;

typedef struct oy_hpack_result {
    /* name + value + 32 over all fields, saturating; counted also past the limit, where a string that
     * nobody needs counts by its length in the block. */
    uint32_t list_bytes;
    bool over_limit; /* the list went over the limit: the fields behind were not delivered */
} oy_hpack_result;

void oy_hpack_read_begin(oy_hpack_reader *reader, oy_hpack_decoder *decoder, const uint8_t *block,
                         size_t len);

/* The next field, which stays until the next call. NULL: there is none, or the block is wrong. Past the
 * limit no field is delivered, and no string decoded that need not enter the table, so a bomb of indexed
 * fields costs some 35 instructions a byte. */
const oy_hpack_field *oy_hpack_read(oy_hpack_reader *reader);

/* Decodes what was not read. OYEZ_EPROTO: COMPRESSION_ERROR of the connection (RFC 7541 section 2.2 ff.,
 * RFC 9113 section 4.3); `*ret_words` then says what was wrong, static. OYEZ_ENOMEM is fatal, too: the
 * tables may be out of step. */
oyez_err oy_hpack_read_end(oy_hpack_reader *reader, oy_hpack_result *ret_result,
                           const char **ret_words);

/* Gets each field in order. Returning false stops the delivery. */
typedef bool oy_hpack_field_fn(void *user, const oy_hpack_field *field);

/* A whole block at once, with a callback, which must not call the decoder. */
static inline oyez_err oy_hpack_decode(oy_hpack_decoder *decoder, const uint8_t *block, size_t len,
                                       oy_hpack_field_fn *on_field, void *user,
                                       oy_hpack_result *ret_result, const char **ret_words)
{
    oy_hpack_reader reader;
    const oy_hpack_field *field;

    oy_hpack_read_begin(&reader, decoder, block, len);
    do
        field = oy_hpack_read(&reader);
    while (field && on_field(user, field));
    return oy_hpack_read_end(&reader, ret_result, ret_words);
}

/* --- encoder ------------------------------------------------------------------------------------- */

typedef struct oy_hpack_encoder oy_hpack_encoder;

typedef enum oy_hpack_mode {
    OY_HPACK_INDEX,   /* enters the table: names and values that repeat */
    OY_HPACK_LITERAL, /* stays out of it: values of one call */
    OY_HPACK_NEVER,   /* must not be indexed by anybody on the way: secrets */
} oy_hpack_mode;

/* OYEZ_EINVAL: table_bytes is above 16 MiB. */
oyez_err oy_hpack_encoder_new(uint32_t table_bytes, oy_hpack_encoder **ret_encoder);
void oy_hpack_encoder_free(oy_hpack_encoder *encoder);

/* The peer's SETTINGS_HEADER_TABLE_SIZE: we use at most the smaller of it and what _new was given. The
 * size update is written at the start of the next block (the smallest and the last value when there
 * were several, RFC 7541 section 4.2). */
void oy_hpack_encoder_set_peer_limit(oy_hpack_encoder *encoder, uint32_t table_bytes);

/* Changes whenever an encoded block would not mean the same any more: fields that were encoded may be
 * sent again as they are while the generation is the one that was read *after* they were encoded, before
 * anything else was. What must not be sent twice, since it entered the table or changed its size, never
 * finds its generation again: after such a block each reading gives a new one until the next begin.
 * Starts at 1, is never 0. */
uint32_t oy_hpack_encoder_generation(oy_hpack_encoder *encoder);

/* At most this many bytes come out of one field, whatever the table holds. */
static inline size_t oy_hpack_field_max(size_t name_len, size_t value_len)
{
    return 12 + name_len + value_len;
}

/* At most this many bytes come in front of the first field of a block. */
#define OY_HPACK_BEGIN_MAX 12u

/* Writes the pending table size updates; called once before the first field of a block. Returns the
 * bytes written, at most OY_HPACK_BEGIN_MAX. */
size_t oy_hpack_encode_begin(oy_hpack_encoder *encoder, uint8_t *dst);

/* Encodes one field; dst has room for oy_hpack_field_max. Returns the bytes written. Huffman where it is
 * shorter. Never fails: what is too large for the table (more than three quarters of it) stays a
 * literal. Names and values have less than 2^28 bytes each. */
size_t oy_hpack_encode(oy_hpack_encoder *encoder, oyez_str name, oyez_str value, oy_hpack_mode mode,
                       uint8_t *dst);

/* --- Huffman, for tests and fuzzers ----------------------------------------------------------------- */

size_t oy_huffman_encoded_len(oyez_str text);
/* Returns the number of bytes written: oy_huffman_encoded_len. */
size_t oy_huffman_encode(oyez_str text, uint8_t *dst);
/* At most this many bytes come out of `len` (the shortest code has 5 bits). */
static inline size_t oy_huffman_decoded_max(size_t len)
{
    return len * 8 / 5;
}
/* OYEZ_EPROTO: a wrong padding, or an EOS inside (RFC 7541 section 5.2). */
oyez_err oy_huffman_decode(const uint8_t *data, size_t len, char *dst, size_t *ret_len);

#endif

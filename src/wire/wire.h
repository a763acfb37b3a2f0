/* SPDX-License-Identifier: Apache-2.0 */
/* What gRPC adds on top of HTTP/2 (PROTOCOL-HTTP2.md): the 5-byte prefix, grpc-timeout,
 * grpc-message, -bin values, content-type, mappings to status codes. No I/O, no clock. */
#ifndef OY_WIRE_H
#define OY_WIRE_H

#include "mem/mem.h"

/* --- message framing -------------------------------------------------------------------------- */

#define OY_PREFIX_BYTES 5u
/* Pieces below this size are copied when they must be kept, so that one byte never pins a read
 * block. */
#define OY_KEEP_COPY_BYTES 4096u

static inline void oy_prefix_write(uint8_t dst[OY_PREFIX_BYTES], bool compressed, uint32_t len)
{
    dst[0] = compressed ? 1 : 0;
    dst[1] = (uint8_t)(len >> 24);
    dst[2] = (uint8_t)(len >> 16);
    dst[3] = (uint8_t)(len >> 8);
    dst[4] = (uint8_t)len;
}

/* Of a prefix that is known to be good. */
static inline uint32_t oy_prefix_read(const uint8_t src[OY_PREFIX_BYTES], bool *ret_compressed)
{
    *ret_compressed = src[0] != 0;
    return (uint32_t)src[1] << 24 | (uint32_t)src[2] << 16 | (uint32_t)src[3] << 8 | src[4];
}

/* One message as it came. */
typedef struct oy_message {
    oyez_slice bytes; /* owned, unless `borrowed` */
    bool compressed; /* as the flag said */
    bool unpacked;   /* ... and the bytes are not compressed any more */
    bool borrowed; /* a view into the input without a reference: lives as long as the input */
} oy_message;

/* Drops what it owns. */
void oy_message_fini(oy_message *message);
/* Makes a borrowed message last: copies below OY_KEEP_COPY_BYTES, references above, and charges the
 * block to the quota (may be NULL). Nothing happens to a message that is owned. On failure it stays
 * borrowed. */
oyez_err oy_message_keep(oy_message *message, oyez_pool *pool, oy_quota *quota);

typedef struct oy_deframer {
    uint8_t prefix[OY_PREFIX_BYTES];
    uint8_t prefix_len;
    bool gathering;     /* the prefix is complete and `message` is being gathered */
    uint32_t missing;   /* bytes of the message that have not come */
    uint32_t max_bytes; /* limit of a message */
    uint32_t length;    /* of the message being gathered, as the prefix says */
    size_t spare;       /* free bytes in the last, unshared block of `message` */
    oyez_pool *pool;    /* borrowed: blocks for what must be copied */
    oy_quota *quota;    /* borrowed; may be NULL */
    oy_message message;
} oy_deframer;

typedef enum oy_deframe_result {
    OY_DEFRAME_MORE,      /* the input is used up, no message is complete */
    OY_DEFRAME_MESSAGE,   /* *ret_message was filled; call again with what is left of the input */
    OY_DEFRAME_BAD_FLAG,  /* first byte neither 0 nor 1 (it is in prefix[0]): INTERNAL */
    OY_DEFRAME_TOO_LARGE, /* `length` is over max_bytes, by the prefix alone: RESOURCE_EXHAUSTED */
    OY_DEFRAME_NO_MEMORY,
} oy_deframe_result;

void oy_deframer_init(oy_deframer *deframer, uint32_t max_bytes, oyez_pool *pool, oy_quota *quota);
void oy_deframer_fini(oy_deframer *deframer);
/* Reads on. @param input advanced past what was used (view only: `input->block` may be NULL; then
 * pieces that must be kept are copied). A message that lies whole in the input comes borrowed, at
 * no cost. Never allocates ahead of bytes that have come: memory follows the input, not the prefix.
 * BAD_FLAG and TOO_LARGE are final: every further call says the same. After NO_MEMORY nothing is
 * lost: the same call with the same input goes on. `*ret_message` is written with
 * OY_DEFRAME_MESSAGE only. */
oy_deframe_result oy_deframe(oy_deframer *deframer, oyez_buffer *input, oy_message *ret_message);
/* Bytes of a message that is not complete are here: the end of the stream now is an error. */
static inline bool oy_deframer_is_inside(const oy_deframer *deframer)
{
    return deframer->prefix_len > 0;
}

/* --- grpc-timeout ----------------------------------------------------------------------------- */

#define OY_TIMEOUT_MAX 10u /* characters that oy_timeout_encode writes at most */

/* At most 8 digits and a unit, rounded up; 0 and less give "0n". Returns the length; no NUL behind.
 * The caller leaves the header out for OYEZ_FOREVER. */
size_t oy_timeout_encode(oyez_duration timeout, char dst[OY_TIMEOUT_MAX]);
/* OYEZ_EINVAL: not 1 to 8 digits and a unit of H M S m u n. Values over OYEZ_FOREVER are clamped to
 * it. */
oyez_err oy_timeout_decode(oyez_str text, oyez_duration *ret_timeout);

/* --- grpc-message ----------------------------------------------------------------------------- */

/* At most this many bytes come out of `len`: an invalid byte becomes U+FFFD. */
static inline size_t oy_percent_encoded_max(size_t len)
{
    return len * 9;
}
/* Encodes as much of the text as gives at most `cap` bytes, never half a character; returns the
 * length. */
size_t oy_percent_encode(oyez_str text, char *dst, size_t cap);
/* Broken escapes stay as they are; never fails. `dst` has room for text.len bytes and may be
 * text.data. */
size_t oy_percent_decode(oyez_str text, char *dst);

/* --- metadata --------------------------------------------------------------------------------- */

/* One entry; the value of a -bin key is raw bytes. */
typedef struct oy_field {
    oyez_str key, value;
    bool is_bin;
} oy_field;

bool oy_metadata_key_valid(oyez_str key);     /* 0-9 a-z _ - . and not empty */
bool oy_metadata_value_valid(oyez_str value); /* 0x20..0x7e; not for -bin keys */
bool oy_metadata_key_is_bin(oyez_str key);    /* ends in -bin */
/* Keys that belong to gRPC or to HTTP/2 and are dropped both ways: pseudo-headers, te,
 * content-type, user-agent, grpc-status, -message, -timeout, -encoding, -message-type; host,
 * content-length and the connection-specific ones of RFC 9113 section 8.2.2. */
bool oy_metadata_key_reserved(oyez_str key);
/* Walks the values of a -bin header, which may be a list: cuts the next one off `rest` (spaces
 * around it are dropped) and decodes it into `dst` (room for oy_base64_decoded_max(rest->len)).
 * False: no value is left. *ret_err is OYEZ_EINVAL for a value that is not base64. An empty header
 * is one empty value, and so is what stands before, behind or between commas. */
bool oy_bin_next(oyez_str *rest, void *dst, size_t *ret_len, oyez_err *ret_err);

/* --- content-type ----------------------------------------------------------------------------- */

/* True for application/grpc, alone or followed by "+subtype" or ";parameters". *ret_subtype is what
 * follows the "+" (up to a ";"), empty otherwise; may be NULL. Case-sensitive. */
bool oy_content_type_parse(oyez_str text, oyez_str *ret_subtype);

/* --- :path ------------------------------------------------------------------------------------ */

/* Splits "/service/method". False unless the form is exactly that: one leading slash, both parts
 * not empty, and no further slash at all; nothing is decoded or normalised. Written on success
 * only. */
bool oy_path_split(oyez_str path, oyez_str *ret_service, oyez_str *ret_method);

/* --- mappings --------------------------------------------------------------------------------- */

/* grpc-status as it came: digits only, at most INT32_MAX. False: malformed. Numbers above 16 are
 * kept. */
bool oy_status_parse(oyez_str text, uint32_t *ret_code);
oyez_code oy_code_from_http(uint32_t http_status);
/* The code of a call that ended by RST_STREAM. `deadline_passed`: our own deadline is over. */
oyez_code oy_code_from_h2(uint32_t h2_code, bool deadline_passed);
/* "Not Found" and the like; "" for numbers without a name. Static. */
const char *oy_http_status_text(uint32_t http_status);

/* --- google.rpc.Status ------------------------------------------------------------------------ */

/* The bytes of grpc-status-details-bin: { 1: int32 code, 2: string message, 3: repeated Any details },
 * an Any being { 1: string type_url, 2: bytes value }. */
typedef struct oy_rpc_status {
    int32_t code;
    oyez_str message; /* in the bytes */
    size_t details;   /* how many there are */
} oy_rpc_status;

/* False: not well-formed, details included. */
bool oy_rpc_status_parse(oyez_str bytes, oy_rpc_status *ret_status);
/* The next detail of bytes that were parsed; `rest` is what is behind it. Views into the bytes. False:
 * there is none. */
bool oy_rpc_status_next_detail(oyez_str *rest, oyez_str *ret_type_url, oyez_str *ret_value);

/* Bytes of code and message, and of one detail; 0: too large. */
size_t oy_rpc_status_head_bytes(int32_t code, size_t message_len);
size_t oy_rpc_status_detail_bytes(size_t type_url_len, size_t value_len);
/* Write so many bytes; return what is behind. The type_url is `prefix` and `type`. */
uint8_t *oy_rpc_status_write_head(uint8_t *dst, int32_t code, oyez_str message);
uint8_t *oy_rpc_status_write_detail(uint8_t *dst, oyez_str prefix, oyez_str type, oyez_str value);

#endif

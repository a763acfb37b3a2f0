/* SPDX-License-Identifier: Apache-2.0 */
/* The static table, and the names that have a token. */
#include "hpack/static_table.h"

#include <string.h>

#define S(token, name, value)                                                                      \
    {{name, sizeof(name) - 1}, {value, sizeof(value) - 1}, OY_TOKEN_##token}

const oy_hpack_static oy_hpack_static_table[OY_HPACK_STATIC_COUNT] = {
    S(AUTHORITY, ":authority", ""),
    S(METHOD, ":method", "GET"),
    S(METHOD, ":method", "POST"),
    S(PATH, ":path", "/"),
    S(PATH, ":path", "/index.html"),
    S(SCHEME, ":scheme", "http"),
    S(SCHEME, ":scheme", "https"),
    S(STATUS, ":status", "200"),
    S(STATUS, ":status", "204"),
    S(STATUS, ":status", "206"),
    S(STATUS, ":status", "304"),
    S(STATUS, ":status", "400"),
    S(STATUS, ":status", "404"),
    S(STATUS, ":status", "500"),
    S(OTHER, "accept-charset", ""),
    S(OTHER, "accept-encoding", "gzip, deflate"),
    S(OTHER, "accept-language", ""),
    S(OTHER, "accept-ranges", ""),
    S(OTHER, "accept", ""),
    S(OTHER, "access-control-allow-origin", ""),
    S(OTHER, "age", ""),
    S(OTHER, "allow", ""),
    S(OTHER, "authorization", ""),
    S(OTHER, "cache-control", ""),
    S(OTHER, "content-disposition", ""),
    S(OTHER, "content-encoding", ""),
    S(OTHER, "content-language", ""),
    S(CONTENT_LENGTH, "content-length", ""),
    S(OTHER, "content-location", ""),
    S(OTHER, "content-range", ""),
    S(CONTENT_TYPE, "content-type", ""),
    S(OTHER, "cookie", ""),
    S(OTHER, "date", ""),
    S(OTHER, "etag", ""),
    S(OTHER, "expect", ""),
    S(OTHER, "expires", ""),
    S(OTHER, "from", ""),
    S(HOST, "host", ""),
    S(OTHER, "if-match", ""),
    S(OTHER, "if-modified-since", ""),
    S(OTHER, "if-none-match", ""),
    S(OTHER, "if-range", ""),
    S(OTHER, "if-unmodified-since", ""),
    S(OTHER, "last-modified", ""),
    S(OTHER, "link", ""),
    S(OTHER, "location", ""),
    S(OTHER, "max-forwards", ""),
    S(OTHER, "proxy-authenticate", ""),
    S(OTHER, "proxy-authorization", ""),
    S(OTHER, "range", ""),
    S(OTHER, "referer", ""),
    S(OTHER, "refresh", ""),
    S(OTHER, "retry-after", ""),
    S(OTHER, "server", ""),
    S(OTHER, "set-cookie", ""),
    S(OTHER, "strict-transport-security", ""),
    S(TRANSFER_ENCODING, "transfer-encoding", ""),
    S(USER_AGENT, "user-agent", ""),
    S(OTHER, "vary", ""),
    S(OTHER, "via", ""),
    S(OTHER, "www-authenticate", ""),
};

static const oyez_str token_names[OY_TOKEN_COUNT] = {[OY_TOKEN_OTHER] = {"", 0},
#define TOKEN_NAME(token, name) [OY_TOKEN_##token] = {name, sizeof(name) - 1},
                                                     OY_HPACK_TOKEN_MAP(TOKEN_NAME)
#undef TOKEN_NAME
};

/* The tokens by the length of their names; a test proves that none of the map is missing. */
oy_hpack_token oy_hpack_token_of(oyez_str name)
{
#define TRY(token)                                                                                 \
    if (memcmp(name.data, token_names[OY_TOKEN_##token].data, name.len) == 0)                      \
    return OY_TOKEN_##token
    switch (name.len) {
    case 2:
        TRY(TE);
        break;
    case 4:
        TRY(HOST);
        break;
    case 5:
        TRY(PATH);
        break;
    case 7:
        TRY(STATUS);
        TRY(METHOD);
        TRY(SCHEME);
        TRY(UPGRADE);
        break;
    case 9:
        TRY(PROTOCOL);
        break;
    case 10:
        TRY(AUTHORITY);
        TRY(USER_AGENT);
        TRY(CONNECTION);
        TRY(KEEP_ALIVE);
        break;
    case 11:
        TRY(GRPC_STATUS);
        break;
    case 12:
        TRY(CONTENT_TYPE);
        TRY(GRPC_TIMEOUT);
        TRY(GRPC_MESSAGE);
        break;
    case 13:
        TRY(GRPC_ENCODING);
        break;
    case 14:
        TRY(CONTENT_LENGTH);
        break;
    case 16:
        TRY(PROXY_CONNECTION);
        break;
    case 17:
        TRY(TRANSFER_ENCODING);
        TRY(GRPC_MESSAGE_TYPE);
        break;
    case 20:
        TRY(GRPC_ACCEPT_ENCODING);
        break;
    case 22:
        TRY(GRPC_RETRY_PUSHBACK_MS);
        break;
    case 23:
        TRY(GRPC_STATUS_DETAILS_BIN);
        break;
    case 26:
        TRY(GRPC_PREVIOUS_RPC_ATTEMPTS);
        break;
    default:
        break;
    }
#undef TRY
    return OY_TOKEN_OTHER;
}

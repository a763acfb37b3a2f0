/* SPDX-License-Identifier: Apache-2.0 */
/* From the numbers of other protocols to gRPC's codes: grpc-status as text, HTTP statuses of
 * answers that are not gRPC (http-grpc-status-mapping.md), HTTP/2 error codes of reset streams. */
#include "wire/wire.h"

#include "base/text.h"

bool oy_status_parse(oyez_str text, uint32_t *ret_code)
{
    uint64_t code;
    if (!oy_parse_u64(text, &code) || code > INT32_MAX)
        return false;
    *ret_code = (uint32_t)code;
    return true;
}

oyez_code oy_code_from_http(uint32_t http_status)
{
    switch (http_status) {
    case 400:
        return OYEZ_INTERNAL;
    case 401:
        return OYEZ_UNAUTHENTICATED;
    case 403:
        return OYEZ_PERMISSION_DENIED;
    case 404:
        return OYEZ_UNIMPLEMENTED;
    case 429:
    case 502:
    case 503:
    case 504:
        return OYEZ_UNAVAILABLE;
    default: /* also 200: an answer without grpc-status is never a success */
        return OYEZ_UNKNOWN;
    }
}

oyez_code oy_code_from_h2(uint32_t h2_code, bool deadline_passed)
{
    switch (h2_code) { /* RFC 9113 §7 */
    case 0:            /* NO_ERROR */
    case 1:            /* PROTOCOL_ERROR */
    case 2:            /* INTERNAL_ERROR */
    case 4:            /* SETTINGS_TIMEOUT */
    case 5:            /* STREAM_CLOSED */
    case 6:            /* FRAME_SIZE_ERROR */
    case 9:            /* COMPRESSION_ERROR */
    case 10:           /* CONNECT_ERROR */
    case 13:           /* HTTP_1_1_REQUIRED */
        return OYEZ_INTERNAL;
    case 3:  /* FLOW_CONTROL_ERROR: gRPC-Go's choice, the specification says INTERNAL */
    case 11: /* ENHANCE_YOUR_CALM */
        return OYEZ_RESOURCE_EXHAUSTED;
    case 7: /* REFUSED_STREAM */
        return OYEZ_UNAVAILABLE;
    case 8: /* CANCEL: the server's copy of our deadline may fire before ours does */
        return deadline_passed ? OYEZ_DEADLINE_EXCEEDED : OYEZ_CANCELLED;
    case 12: /* INADEQUATE_SECURITY */
        return OYEZ_PERMISSION_DENIED;
    default:
        return OYEZ_UNKNOWN;
    }
}

#define HTTP_STATUS_MAP(X)                                                                         \
    X(100, "Continue")                                                                             \
    X(101, "Switching Protocols")                                                                  \
    X(103, "Early Hints")                                                                          \
    X(200, "OK")                                                                                   \
    X(201, "Created")                                                                              \
    X(202, "Accepted")                                                                             \
    X(204, "No Content")                                                                           \
    X(206, "Partial Content")                                                                      \
    X(301, "Moved Permanently")                                                                    \
    X(302, "Found")                                                                                \
    X(303, "See Other")                                                                            \
    X(304, "Not Modified")                                                                         \
    X(307, "Temporary Redirect")                                                                   \
    X(308, "Permanent Redirect")                                                                   \
    X(400, "Bad Request")                                                                          \
    X(401, "Unauthorized")                                                                         \
    X(402, "Payment Required")                                                                     \
    X(403, "Forbidden")                                                                            \
    X(404, "Not Found")                                                                            \
    X(405, "Method Not Allowed")                                                                   \
    X(406, "Not Acceptable")                                                                       \
    X(407, "Proxy Authentication Required")                                                        \
    X(408, "Request Timeout")                                                                      \
    X(409, "Conflict")                                                                             \
    X(410, "Gone")                                                                                 \
    X(411, "Length Required")                                                                      \
    X(412, "Precondition Failed")                                                                  \
    X(413, "Content Too Large")                                                                    \
    X(414, "URI Too Long")                                                                         \
    X(415, "Unsupported Media Type")                                                               \
    X(416, "Range Not Satisfiable")                                                                \
    X(417, "Expectation Failed")                                                                   \
    X(421, "Misdirected Request")                                                                  \
    X(422, "Unprocessable Content")                                                                \
    X(425, "Too Early")                                                                            \
    X(426, "Upgrade Required")                                                                     \
    X(428, "Precondition Required")                                                                \
    X(429, "Too Many Requests")                                                                    \
    X(431, "Request Header Fields Too Large")                                                      \
    X(451, "Unavailable For Legal Reasons")                                                        \
    X(500, "Internal Server Error")                                                                \
    X(501, "Not Implemented")                                                                      \
    X(502, "Bad Gateway")                                                                          \
    X(503, "Service Unavailable")                                                                  \
    X(504, "Gateway Timeout")                                                                      \
    X(505, "HTTP Version Not Supported")                                                           \
    X(511, "Network Authentication Required")

const char *oy_http_status_text(uint32_t http_status)
{
    switch (http_status) {
#define HTTP_STATUS_CASE(number, text)                                                             \
    case number:                                                                                   \
        return text;
        HTTP_STATUS_MAP(HTTP_STATUS_CASE)
#undef HTTP_STATUS_CASE
    default:
        return "";
    }
}

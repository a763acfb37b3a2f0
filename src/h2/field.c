/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a header block: which characters they may have, and which may stand where (RFC 9113
 * sections 8.2 and 8.3). What a field is gets found out once for each entry of the HPACK table;
 * then a field costs a comparison. */
#include "base/text.h"
#include "h2/conn.h"

#define SEEN         OY_H2_SEEN
#define SEEN_REGULAR SEEN(OY_H2_FIELD_PLAIN)
#define SEEN_ANY_REGULAR                                                                           \
    (SEEN_REGULAR | SEEN(OY_H2_FIELD_TE_OTHER) | SEEN(OY_H2_FIELD_CONTENT_LENGTH))
#define SEEN_METHOD (SEEN(OY_H2_FIELD_METHOD) | SEEN(OY_H2_FIELD_METHOD_CONNECT))
#define REQUEST_PSEUDO                                                                             \
    (SEEN_METHOD | SEEN(OY_H2_FIELD_SCHEME) | SEEN(OY_H2_FIELD_AUTHORITY) | SEEN(OY_H2_FIELD_PATH))
#define RESPONSE_PSEUDO                                                                            \
    (SEEN(OY_H2_FIELD_STATUS) | SEEN(OY_H2_FIELD_STATUS_1XX) | SEEN(OY_H2_FIELD_STATUS_NO_BODY))

/* Pseudo-header fields that exclude each other. */
static uint32_t family(uint32_t class)
{
    if (SEEN(class) & SEEN_METHOD)
        return SEEN_METHOD;
    if (SEEN(class) & RESPONSE_PSEUDO)
        return RESPONSE_PSEUDO;
    return SEEN(class);
}

/* What may still come the short way behind a field: not the same pseudo-header field again, and
 * none at all behind a regular field. */
static const uint32_t still_allowed[OY_H2_FIELD_CLASS_COUNT] = {
    [OY_H2_FIELD_PLAIN] = SEEN_REGULAR,
    [OY_H2_FIELD_TE_OTHER] = SEEN_REGULAR,
    [OY_H2_FIELD_CONTENT_LENGTH] = SEEN_REGULAR,
    [OY_H2_FIELD_METHOD] = ~SEEN_METHOD,
    [OY_H2_FIELD_METHOD_CONNECT] = ~SEEN_METHOD,
    [OY_H2_FIELD_SCHEME] = ~SEEN(OY_H2_FIELD_SCHEME),
    [OY_H2_FIELD_AUTHORITY] = ~SEEN(OY_H2_FIELD_AUTHORITY),
    [OY_H2_FIELD_PATH] = ~SEEN(OY_H2_FIELD_PATH),
    [OY_H2_FIELD_STATUS] = ~RESPONSE_PSEUDO,
    [OY_H2_FIELD_STATUS_1XX] = ~RESPONSE_PSEUDO,
    [OY_H2_FIELD_STATUS_NO_BODY] = ~RESPONSE_PSEUDO,
};

/* tchar of RFC 9110 section 5.6.2 without the capitals. */
static bool name_character(unsigned char c)
{
    static const uint8_t allowed[256] = {
        ['!'] = 1, ['#'] = 1, ['$'] = 1, ['%'] = 1, ['&'] = 1, ['\''] = 1, ['*'] = 1, ['+'] = 1,
        ['-'] = 1, ['.'] = 1, ['^'] = 1, ['_'] = 1, ['`'] = 1, ['|'] = 1,  ['~'] = 1, ['0'] = 1,
        ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1,  ['7'] = 1, ['8'] = 1,
        ['9'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1,  ['f'] = 1, ['g'] = 1,
        ['h'] = 1, ['i'] = 1, ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1,  ['n'] = 1, ['o'] = 1,
        ['p'] = 1, ['q'] = 1, ['r'] = 1, ['s'] = 1, ['t'] = 1, ['u'] = 1,  ['v'] = 1, ['w'] = 1,
        ['x'] = 1, ['y'] = 1, ['z'] = 1,
    };
    return allowed[c];
}

static bool name_valid(oyez_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!name_character((unsigned char)name.data[i]))
            return false;
    return name.len > 0;
}

/* Control characters but the tab are out (RFC 9110 section 5.5). A space at either end is let
 * in, against RFC 9113 section 8.2.1: grpc-message is percent-encoded, and that leaves spaces as
 * they are. */
static bool value_valid(oyez_str value)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.data[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}

static oy_h2_field_class status_class(oyez_str value)
{
    if (value.len != 3)
        return OY_H2_FIELD_STATUS;
    if (value.data[0] == '1')
        return OY_H2_FIELD_STATUS_1XX;
    if (oy_str_eq(value, OYEZ_STR("204")) || oy_str_eq(value, OYEZ_STR("304")))
        return OY_H2_FIELD_STATUS_NO_BODY;
    return OY_H2_FIELD_STATUS;
}

static oy_h2_field_class pseudo_class(const oy_hpack_field *field)
{
    if (field->token == OY_TOKEN_AUTHORITY)
        return OY_H2_FIELD_AUTHORITY;
    if (field->value.len == 0)
        return OY_H2_FIELD_EMPTY_PSEUDO;
    switch (field->token) {
    case OY_TOKEN_METHOD:
        if (oy_str_eq(field->value, OYEZ_STR("CONNECT")))
            return OY_H2_FIELD_METHOD_CONNECT;
        return OY_H2_FIELD_METHOD;
    case OY_TOKEN_SCHEME:
        return OY_H2_FIELD_SCHEME;
    case OY_TOKEN_PATH:
        return OY_H2_FIELD_PATH;
    case OY_TOKEN_STATUS:
        return status_class(field->value);
    default:
        return OY_H2_FIELD_OTHER_PSEUDO;
    }
}

oy_h2_field_class oy_h2_field_classify(const oy_hpack_field *field)
{
    if (field->name.len && field->name.data[0] == ':')
        return value_valid(field->value) ? pseudo_class(field) : OY_H2_FIELD_BAD_VALUE;
    if (field->token == OY_TOKEN_OTHER && !name_valid(field->name))
        return OY_H2_FIELD_BAD_NAME;
    if (!value_valid(field->value))
        return OY_H2_FIELD_BAD_VALUE;
    switch (field->token) {
    case OY_TOKEN_CONNECTION:
    case OY_TOKEN_KEEP_ALIVE:
    case OY_TOKEN_PROXY_CONNECTION:
    case OY_TOKEN_TRANSFER_ENCODING:
    case OY_TOKEN_UPGRADE:
        return OY_H2_FIELD_CONNECTION;
    case OY_TOKEN_TE:
        if (oy_str_eq(field->value, OYEZ_STR("trailers")))
            return OY_H2_FIELD_PLAIN;
        return OY_H2_FIELD_TE_OTHER;
    case OY_TOKEN_CONTENT_LENGTH:
        return OY_H2_FIELD_CONTENT_LENGTH;
    default:
        return OY_H2_FIELD_PLAIN;
    }
}

static const char *check_content_length(oy_h2_incoming *in, oyez_str value)
{
    uint64_t length;

    if (in->trailers)
        return NULL; /* it announces nothing there */
    if (!oy_parse_u64(value, &length) || length > INT64_MAX)
        return "content-length is not a number";
    if (in->content_length >= 0 && in->content_length != (int64_t)length)
        return "content-length came twice with different values";
    in->content_length = (int64_t)length;
    return NULL;
}

static const char *check_pseudo(const oy_h2_conn *conn, const oy_h2_incoming *in,
                                oy_h2_field_class class)
{
    if (in->trailers)
        return "a pseudo-header field in trailers";
    if (in->seen & SEEN_ANY_REGULAR)
        return "a pseudo-header field behind a regular field";
    if (class == OY_H2_FIELD_EMPTY_PSEUDO)
        return "a pseudo-header field is empty";
    if (!(SEEN(class) & (conn->server ? REQUEST_PSEUDO : RESPONSE_PSEUDO)))
        return "a pseudo-header field that does not belong here";
    if (in->seen & family(class))
        return "a pseudo-header field came twice";
    return NULL;
}

/* What the short way does not let through. Returns the rule that the field breaks; NULL: none. */
static const char *check(const oy_h2_conn *conn, oy_h2_incoming *in, const oy_hpack_field *field,
                         oy_h2_field_class class)
{
    switch (class) {
    case OY_H2_FIELD_BAD_NAME:
        return "a field name with a character that is not allowed";
    case OY_H2_FIELD_BAD_VALUE:
        return "a field value with a character that is not allowed";
    case OY_H2_FIELD_CONNECTION:
        return "a connection-specific field";
    case OY_H2_FIELD_TE_OTHER:
        return conn->server ? "te has a value other than trailers" : NULL;
    case OY_H2_FIELD_CONTENT_LENGTH:
        return check_content_length(in, field->value);
    default:
        return check_pseudo(conn, in, class);
    }
}

uint32_t oy_h2_field_first_allowed(bool request)
{
    return SEEN_REGULAR | (request ? REQUEST_PSEUDO : SEEN(OY_H2_FIELD_STATUS));
}

static bool deliver(oy_h2_conn *conn, const oy_hpack_field *field, uint32_t class)
{
    oy_h2_incoming *in = &conn->in;

    in->seen |= SEEN(class);
    in->allowed &= still_allowed[class];
    conn->events.on_field(conn->user, in->stream, field);
    return in->stream != NULL; /* the callback may have closed it */
}

/* A field that is seen for the first time, or that needs a further look. */
static __attribute__((noinline)) bool take_slowly(oy_h2_conn *conn, const oy_hpack_field *field,
                                                  uint32_t class)
{
    oy_h2_incoming *in = &conn->in;

    if (class == OY_H2_FIELD_UNKNOWN) {
        class = oy_h2_field_classify(field);
        if (field->note)
            field->note->h2 = class;
    }
    if (!(in->allowed & SEEN(class))) {
        in->malformed = check(conn, in, field, (oy_h2_field_class) class);
        if (in->malformed)
            return false;
    }
    return deliver(conn, field, class);
}

bool oy_h2_field_take(oy_h2_conn *conn, const oy_hpack_field *field)
{
    uint32_t class = field->note ? field->note->h2 : OY_H2_FIELD_UNKNOWN;

    if (oy_unlikely(!(conn->in.allowed & SEEN(class)))) /* UNKNOWN is never allowed */
        return take_slowly(conn, field, class);
    return deliver(conn, field, class);
}

const char *oy_h2_field_missing(const oy_h2_incoming *in)
{
    if (in->seen & SEEN(OY_H2_FIELD_METHOD_CONNECT)) {
        if (in->seen & (SEEN(OY_H2_FIELD_SCHEME) | SEEN(OY_H2_FIELD_PATH)))
            return "CONNECT with a :scheme or a :path";
        return in->seen & SEEN(OY_H2_FIELD_AUTHORITY) ? NULL : "CONNECT without an :authority";
    }
    if (!(in->seen & SEEN(OY_H2_FIELD_METHOD)))
        return "the request has no :method";
    if (!(in->seen & SEEN(OY_H2_FIELD_SCHEME)))
        return "the request has no :scheme";
    if (!(in->seen & SEEN(OY_H2_FIELD_PATH)))
        return "the request has no :path";
    return NULL;
}

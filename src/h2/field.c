/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a header block: which characters they may have, and which may stand where (RFC 9113 sections
 * 8.2 and 8.3). What a field is gets found out once for each entry of the HPACK table; then a field
 * costs a comparison. */
#include "base/text.h"
#include "h2/conn.h"

#define SEEN(class)  (1u << (class))
#define SEEN_REGULAR SEEN(OY_H2_FIELD_PLAIN)

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

/* Control characters but the tab are out (RFC 9110 section 5.5). A space at either end is let in, against
 * RFC 9113 section 8.2.1: grpc-message is percent-encoded, and that leaves spaces as they are. */
static bool value_valid(oyez_str value)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.data[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
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
        return OY_H2_FIELD_STATUS;
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

static void take_status(oy_h2_incoming *in, oyez_str value)
{
    uint64_t status;

    /* Anything else is for the layer above to put into words. */
    if (value.len == 3 && oy_parse_u64(value, &status))
        in->status = (uint16_t)status;
}

static const char *check_pseudo(const oy_h2_conn *conn, oy_h2_incoming *in, oy_h2_field_class class)
{
    if (in->trailers)
        return "a pseudo-header field in trailers";
    if (in->seen & SEEN_REGULAR)
        return "a pseudo-header field behind a regular field";
    if (class == OY_H2_FIELD_EMPTY_PSEUDO)
        return "a pseudo-header field is empty";
    if (class == OY_H2_FIELD_OTHER_PSEUDO || (class == OY_H2_FIELD_STATUS) == conn->server)
        return "a pseudo-header field that does not belong here";
    if (in->seen & SEEN(class))
        return "a pseudo-header field came twice";
    if ((class == OY_H2_FIELD_METHOD || class == OY_H2_FIELD_METHOD_CONNECT) &&
        in->seen & (SEEN(OY_H2_FIELD_METHOD) | SEEN(OY_H2_FIELD_METHOD_CONNECT)))
        return "a pseudo-header field came twice";
    return NULL;
}

/* Returns the rule that the field breaks; NULL: none. */
static const char *check(const oy_h2_conn *conn, oy_h2_incoming *in, const oy_hpack_field *field,
                         oy_h2_field_class class)
{
    const char *words = NULL;

    switch (class) {
    case OY_H2_FIELD_BAD_NAME:
        return "a field name with a character that is not allowed";
    case OY_H2_FIELD_BAD_VALUE:
        return "a field value with a character that is not allowed";
    case OY_H2_FIELD_CONNECTION:
        return "a connection-specific field";
    case OY_H2_FIELD_TE_OTHER:
        if (conn->server)
            return "te has a value other than trailers";
        class = OY_H2_FIELD_PLAIN;
        break;
    case OY_H2_FIELD_CONTENT_LENGTH:
        words = check_content_length(in, field->value);
        class = OY_H2_FIELD_PLAIN;
        break;
    default:
        words = check_pseudo(conn, in, class);
        if (class == OY_H2_FIELD_STATUS && !words)
            take_status(in, field->value);
        break;
    }
    in->seen |= SEEN(class);
    return words;
}

bool oy_h2_field_take(void *user, const oy_hpack_field *field)
{
    oy_h2_conn *conn = user;
    oy_h2_incoming *in = &conn->in;
    oy_h2_field_class class = OY_H2_FIELD_UNKNOWN;

    if (field->note)
        class = (oy_h2_field_class)field->note->h2;
    if (class == OY_H2_FIELD_UNKNOWN) {
        class = oy_h2_field_classify(field);
        if (field->note)
            field->note->h2 = class;
    }
    if (oy_likely(class == OY_H2_FIELD_PLAIN)) {
        in->seen |= SEEN_REGULAR;
    } else {
        in->malformed = check(conn, in, field, class);
        if (in->malformed)
            return false;
    }
    conn->events.on_field(conn->user, in->stream, field);
    return in->stream != NULL; /* the callback may have closed it */
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

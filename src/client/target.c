/* SPDX-License-Identifier: Apache-2.0 */
/* Targets (grpc/doc/naming.md). A target is scheme:[//authority/]endpoint; what has no scheme that
 * we know is the endpoint of dns. Paths and names are taken byte for byte: nothing is
 * percent-decoded but the "%25" of a zone. */
#include "client/target.h"

#include <oyez/limits.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/text.h"

#define DNS_PORT        53u
#define MAX_HOST_BYTES  253u
#define MAX_LABEL_BYTES 63u
#define MAX_ADDRESSES   OYEZ_LIMIT_ADDRESSES

typedef struct parser {
    oyez_str all; /* the target, for words */
    oy_words words;
    oy_target *target;
} parser;

/* A host and its port, still as text. */
typedef struct host_port {
    oyez_str host; /* without brackets */
    uint16_t port;
    bool has_port;
    bool is_address; /* `address` holds it */
    oy_address address;
} host_port;

/* As arguments of "%.*s", cut: words have little room. */
#define SHOW(str) (int)((str).len < 120 ? (str).len : 120), (str).data

#define fail(p, format, ...)                                                                       \
    (oy_words_set((p)->words, "target \"%.*s\": " format, SHOW((p)->all), __VA_ARGS__),            \
     OYEZ_ETARGET)

static oyez_str skip(oyez_str text, size_t count)
{
    return (oyez_str){text.data + count, text.len - count};
}

static oyez_str first(oyez_str text, size_t count)
{
    return (oyez_str){text.data, count};
}

/* The offset of `c`, or the length. */
static size_t find(oyez_str text, char c)
{
    const char *at = text.len ? memchr(text.data, c, text.len) : NULL;
    return at ? (size_t)(at - text.data) : text.len;
}

/* --- hosts and ports ------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_host_byte(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

/* Letters, digits, '-' and '_' in labels of 1 to 63; a dot may end it. */
static oyez_err check_name(const parser *p, oyez_str host)
{
    oyez_str rest = host;
    bool numeric = true;
    size_t labels = 0;

    if (rest.len > 1 && rest.data[rest.len - 1] == '.')
        rest.len--;
    if (rest.len > MAX_HOST_BYTES)
        return fail(p, "expected a host name of at most %u bytes, got %zu", MAX_HOST_BYTES,
                    rest.len);
    for (;;) {
        const size_t len = find(rest, '.');
        if (len == 0 || len > MAX_LABEL_BYTES)
            return fail(
                p, "expected a host name, got \"%.*s\": its part %zu has %zu bytes, not 1 to %u",
                SHOW(host), labels + 1, len, MAX_LABEL_BYTES);
        numeric = true;
        for (size_t i = 0; i < len; i++) {
            if (!is_host_byte(rest.data[i]))
                return fail(p,
                            "expected a host name (letters, digits, '-', '_', '.'), got \"%.*s\"",
                            SHOW(host));
            numeric = numeric && is_digit(rest.data[i]);
        }
        labels++;
        if (len == rest.len)
            break;
        rest = skip(rest, len + 1);
    }
    if (numeric && labels > 1)
        return fail(p, "\"%.*s\" is neither an IPv4 address nor a host name", SHOW(host));
    return OYEZ_NO_ERR;
}

static oyez_err parse_port(const parser *p, oyez_str text, uint16_t *ret_port)
{
    uint64_t port;
    if (text.len == 0)
        return fail(p, "%s", "expected a port behind the last colon, got nothing");
    if (!oy_parse_u64(text, &port) || port < 1 || port > 65535)
        return fail(p, "expected a port from 1 to 65535, got \"%.*s\"", SHOW(text));
    *ret_port = (uint16_t)port;
    return OYEZ_NO_ERR;
}

/* "[address]", "[address]:port" */
static oyez_err split_brackets(const parser *p, oyez_str text, host_port *ret, oyez_str *ret_port)
{
    const size_t end = find(text, ']');
    if (end == text.len)
        return fail(p, "%s", "expected a ']' behind the address, got none");
    ret->host = first(skip(text, 1), end - 1);
    text = skip(text, end + 1);
    if (text.len && text.data[0] != ':')
        return fail(p, "expected \":port\" behind the ']', got \"%.*s\"", SHOW(text));
    ret->has_port = text.len > 0;
    *ret_port = ret->has_port ? skip(text, 1) : text;
    return OYEZ_NO_ERR;
}

static oyez_err parse_host_port(const parser *p, oyez_str text, uint16_t default_port,
                                host_port *ret)
{
    oyez_str port = OYEZ_STR("");
    oyez_err err;
    const size_t colon = find(text, ':');
    bool ipv6 = false;

    *ret = (host_port){.host = text, .port = default_port};
    if (text.len == 0)
        return fail(p, "%s", "expected host:port, got nothing");
    if (text.data[0] == '[') {
        err = split_brackets(p, text, ret, &port);
        if (err)
            return err;
        ipv6 = true;
    } else if (colon < text.len && find(skip(text, colon + 1), ':') < text.len - colon - 1) {
        ipv6 = true; /* two colons: an address without brackets, and so without a port */
    } else if (colon < text.len) {
        ret->has_port = true;
        ret->host = first(text, colon);
        port = skip(text, colon + 1);
        if (colon == 0)
            ret->host = OYEZ_STR("localhost");
    }
    if (ret->has_port) {
        err = parse_port(p, port, &ret->port);
        if (err)
            return err;
    }
    ret->is_address = oy_address_from_host(ret->host, ret->port, &ret->address) == OYEZ_NO_ERR;
    if (ipv6 && (!ret->is_address || ret->address.any.sa_family != AF_INET6))
        return fail(
            p,
            "expected an IPv6 address (a port needs it in brackets: [::1]:443; a zone must be an "
            "interface of this machine), got \"%.*s\"",
            SHOW(ret->host));
    return ret->is_address ? OYEZ_NO_ERR : check_name(p, ret->host);
}

/* --- what is kept ---------------------------------------------------------------------------- */

/* `:authority` for a host and port as they were written; a zone means nothing to the server. */
static oyez_err keep_authority(oy_target *target, const host_port *from)
{
    const bool ipv6 = from->is_address && from->address.any.sa_family == AF_INET6;
    const oyez_str host = ipv6 ? first(from->host, find(from->host, '%')) : from->host;
    const size_t room = host.len + sizeof("[]:65535");
    char port[sizeof(":65535")] = "";

    target->authority = oy_alloc(room);
    if (!target->authority)
        return OYEZ_ENOMEM;
    if (from->has_port)
        snprintf(port, sizeof(port), ":%u", (unsigned)from->port);
    snprintf(target->authority, room, ipv6 ? "[%.*s]%s" : "%.*s%s", (int)host.len, host.data, port);
    return OYEZ_NO_ERR;
}

static oyez_err keep_addresses(oy_target *target, const oy_address *addresses, size_t count)
{
    target->addresses = oy_alloc_array(count, sizeof(*addresses));
    if (!target->addresses)
        return OYEZ_ENOMEM;
    memcpy(target->addresses, addresses, count * sizeof(*addresses));
    target->address_count = count;
    return OYEZ_NO_ERR;
}

/* --- schemes --------------------------------------------------------------------------------- */

/* "//authority/path", "/path" or "path": the path with its slash. */
static void split_authority(oyez_str rest, oyez_str *ret_authority, oyez_str *ret_path)
{
    *ret_authority = OYEZ_STR("");
    *ret_path = rest;
    if (oy_str_starts(rest, OYEZ_STR("//"))) {
        rest = skip(rest, 2);
        const size_t slash = find(rest, '/');
        *ret_authority = first(rest, slash);
        *ret_path = skip(rest, slash);
    }
}

static oyez_err without_authority(const parser *p, oyez_str rest, oyez_str *ret_path)
{
    oyez_str authority;
    split_authority(rest, &authority, ret_path);
    if (authority.len)
        return fail(
            p, "expected nothing between \"//\" and the next '/', got \"%.*s\": three slashes?",
            SHOW(authority));
    return OYEZ_NO_ERR;
}

static oyez_str without_slash(oyez_str path)
{
    return path.len && path.data[0] == '/' ? skip(path, 1) : path;
}

/* An endpoint of dns or passthrough. */
static oyez_err parse_endpoint(const parser *p, oyez_str endpoint)
{
    host_port found;
    oyez_err err = parse_host_port(p, endpoint, OY_TARGET_DEFAULT_PORT, &found);
    if (!err)
        err = keep_authority(p->target, &found);
    if (err)
        return err;
    if (found.is_address)
        return keep_addresses(p->target, &found.address, 1);
    p->target->port = found.port;
    p->target->host = oy_strndup(found.host.data, found.host.len);
    return p->target->host ? OYEZ_NO_ERR : OYEZ_ENOMEM;
}

static oyez_err parse_dns(const parser *p, oyez_str rest)
{
    oyez_str authority, path;
    char server[OY_ADDRESS_TEXT_MAX];
    host_port found;

    split_authority(rest, &authority, &path);
    if (authority.len && path.len <= 1)
        return fail(
            p,
            "expected dns:///host:port, or dns://server/host:port with a DNS server to ask; got "
            "\"%.*s\" as server and no host",
            SHOW(authority));
    if (authority.len) {
        oyez_err err = parse_host_port(p, authority, DNS_PORT, &found);
        if (err)
            return err;
        if (!found.is_address)
            return fail(p, "expected the address of a DNS server, got the name \"%.*s\"",
                        SHOW(authority));
        oy_address_format(&found.address, server);
        p->target->server = oy_strndup(server, strlen(server));
        if (!p->target->server)
            return OYEZ_ENOMEM;
    }
    return parse_endpoint(p, without_slash(path));
}

/* "a,b,c": addresses of one family. */
static oyez_err parse_list(const parser *p, oyez_str rest, sa_family_t family, const char *name)
{
    oyez_str list;
    host_port found;
    oy_target *target = p->target;
    oyez_err err = without_authority(p, rest, &list);
    size_t capacity = 1;

    if (err)
        return err;
    list = without_slash(list);
    for (size_t i = 0; i < list.len; i++)
        capacity += list.data[i] == ',';
    if (capacity > MAX_ADDRESSES)
        return fail(p, "expected at most %u addresses, got %zu", MAX_ADDRESSES, capacity);
    target->addresses = oy_alloc_array(capacity, sizeof(*target->addresses));
    if (!target->addresses)
        return OYEZ_ENOMEM;
    for (;;) {
        const size_t len = find(list, ',');
        err = parse_host_port(p, first(list, len), OY_TARGET_DEFAULT_PORT, &found);
        if (err)
            return err;
        if (!found.is_address || found.address.any.sa_family != family)
            return fail(p, "expected an %s address, got \"%.*s\"", name, SHOW(first(list, len)));
        if (target->address_count == 0 && (err = keep_authority(target, &found)))
            return err;
        target->addresses[target->address_count++] = found.address;
        if (len == list.len)
            return OYEZ_NO_ERR;
        list = skip(list, len + 1);
    }
}

static oyez_err parse_ipv4(const parser *p, oyez_str rest)
{
    return parse_list(p, rest, AF_INET, "IPv4");
}

static oyez_err parse_ipv6(const parser *p, oyez_str rest)
{
    return parse_list(p, rest, AF_INET6, "IPv6");
}

static oyez_err parse_socket(const parser *p, oyez_str rest, bool abstract)
{
    oyez_str path;
    oy_address address;
    oyez_err err = without_authority(p, rest, &path);
    if (err)
        return err;
    if (path.len == 0)
        return fail(p, "expected the %s of a unix socket, got nothing", abstract ? "name" : "path");
    err = oy_address_unix(path, abstract, &address);
    if (err == OYEZ_ENAMETOOLONG) {
        (void)fail(p, "expected a unix socket of at most 107 bytes, got %zu", path.len);
        return err;
    }
    if (err)
        return fail(p, "\"%.*s\" cannot be a unix socket", SHOW(path));
    p->target->authority = oy_strndup("localhost", strlen("localhost"));
    return p->target->authority ? keep_addresses(p->target, &address, 1) : OYEZ_ENOMEM;
}

static oyez_err parse_unix(const parser *p, oyez_str rest)
{
    return parse_socket(p, rest, false);
}

static oyez_err parse_unix_abstract(const parser *p, oyez_str rest)
{
    return parse_socket(p, rest, true);
}

/* What a dialler would take: a unix socket, or host and port. */
static oyez_err parse_passthrough(const parser *p, oyez_str rest)
{
    oyez_str path;
    oyez_err err = without_authority(p, rest, &path);
    if (err)
        return err;
    path = without_slash(path);
    if (oy_str_starts(path, OYEZ_STR("unix:")))
        return parse_unix(p, skip(path, strlen("unix:")));
    return parse_endpoint(p, path);
}

/* No scheme of ours in front. */
static oyez_err parse_bare(const parser *p, oyez_str text)
{
    static const char sign[] = "://";
    for (size_t i = 0; i + strlen(sign) <= text.len; i++)
        if (memcmp(text.data + i, sign, strlen(sign)) == 0)
            return fail(
                p,
                "expected one of the schemes dns, ipv4, ipv6, unix, unix-abstract, passthrough, or "
                "host:port; got \"%.*s\"",
                SHOW(first(text, i)));
    if (text.len && (text.data[0] == '/' || text.data[0] == '.'))
        return fail(p, "expected host:port; the path of a unix socket is written unix:%.*s",
                    SHOW(text));
    return parse_endpoint(p, text);
}

oyez_err oy_target_parse(const char *text, oy_words words, oy_target *ret_target)
{
    static const struct {
        oyez_str prefix;
        oyez_err (*parse)(const parser *p, oyez_str rest);
    } schemes[] = {
        {{"dns:", 4}, parse_dns},
        {{"ipv4:", 5}, parse_ipv4},
        {{"ipv6:", 5}, parse_ipv6},
        {{"unix:", 5}, parse_unix},
        {{"unix-abstract:", 14}, parse_unix_abstract},
        {{"passthrough:", 12}, parse_passthrough},
    };
    oy_target target = {0};
    const parser p = {oy_str(text), words, &target};
    oyez_err err = OYEZ_ENOMEM;
    size_t i;

    target.text = oy_strndup(text, p.all.len);
    if (target.text) {
        for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
            if (oy_str_starts(p.all, schemes[i].prefix))
                break;
        if (i < sizeof(schemes) / sizeof(schemes[0]))
            err = schemes[i].parse(&p, skip(p.all, schemes[i].prefix.len));
        else
            err = parse_bare(&p, p.all);
    }
    if (err) {
        oy_target_fini(&target);
        return err;
    }
    *ret_target = target;
    return OYEZ_NO_ERR;
}

oyez_err oy_target_inproc(const char *text, oy_target *ret_target)
{
    oy_target target = {0};
    oy_address address;
    oyez_err err = OYEZ_ENOMEM;

    oy_address_inproc(&address);
    target.text = oy_strndup(text, strlen(text));
    target.authority = oy_strndup("localhost", strlen("localhost"));
    if (target.text && target.authority)
        err = keep_addresses(&target, &address, 1);
    if (err) {
        oy_target_fini(&target);
        return err;
    }
    *ret_target = target;
    return OYEZ_NO_ERR;
}

void oy_target_fini(oy_target *target)
{
    if (!target)
        return;
    oy_free(target->text);
    oy_free(target->authority);
    oy_free(target->addresses);
    oy_free(target->host);
    oy_free(target->server);
    *target = (oy_target){0};
}

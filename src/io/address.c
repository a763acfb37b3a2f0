/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses as text and as the kernel's structs; literals only, names are looked up in dns.c. */
#define _GNU_SOURCE
#include "io/io.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include "base/text.h"

/* Longest literal: a mapped IPv6 address, '%' and the zone. */
#define HOST_MAX      (INET6_ADDRSTRLEN + IF_NAMESIZE)
#define UNIX_PATH_MAX (sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1)

/* The address behind `any`, by copy: the storage is typed as something else. */
static struct sockaddr_in as_in(const oy_address *address)
{
    struct sockaddr_in in;
    memcpy(&in, &address->storage, sizeof(in));
    return in;
}

static struct sockaddr_in6 as_in6(const oy_address *address)
{
    struct sockaddr_in6 in6;
    memcpy(&in6, &address->storage, sizeof(in6));
    return in6;
}

static void set(oy_address *address, const void *sockaddr, size_t len)
{
    memset(address, 0, sizeof(*address));
    memcpy(&address->storage, sockaddr, len);
    address->len = (socklen_t)len;
}

/* --- to text ---------------------------------------------------------------------------------- */

static void format_unix(const oy_address *address, char *dst)
{
    struct sockaddr_un un = {0};
    size_t start = offsetof(struct sockaddr_un, sun_path);
    size_t len = address->len > start ? address->len - start : 0;
    int at;
    if (len > sizeof(un.sun_path))
        len = sizeof(un.sun_path);
    memcpy(&un, &address->storage, start + len);
    if (len > 0 && un.sun_path[0] == '\0') {
        at = snprintf(dst, OY_ADDRESS_TEXT_MAX, "unix-abstract:");
        for (size_t i = 1; i < len; i++) {
            /* Any byte may be part of an abstract name. */
            unsigned char c = (unsigned char)un.sun_path[i];
            dst[at++] = c >= 0x20 && c != 0x7f ? (char)c : '?';
        }
        dst[at] = '\0';
        return;
    }
    (void)snprintf(dst, OY_ADDRESS_TEXT_MAX, "unix:%.*s", (int)strnlen(un.sun_path, len),
                   un.sun_path);
}

void oy_address_format(const oy_address *address, char dst[OY_ADDRESS_TEXT_MAX])
{
    char host[INET6_ADDRSTRLEN] = "?";
    if (address->any.sa_family == AF_INET) {
        struct sockaddr_in in = as_in(address);
        (void)inet_ntop(AF_INET, &in.sin_addr, host, sizeof(host));
        (void)snprintf(dst, OY_ADDRESS_TEXT_MAX, "%s:%u", host, (unsigned)ntohs(in.sin_port));
    } else if (address->any.sa_family == AF_INET6) {
        struct sockaddr_in6 in6 = as_in6(address);
        unsigned port = ntohs(in6.sin6_port);
        (void)inet_ntop(AF_INET6, &in6.sin6_addr, host, sizeof(host));
        if (in6.sin6_scope_id != 0)
            (void)snprintf(dst, OY_ADDRESS_TEXT_MAX, "[%s%%%u]:%u", host,
                           (unsigned)in6.sin6_scope_id, port);
        else
            (void)snprintf(dst, OY_ADDRESS_TEXT_MAX, "[%s]:%u", host, port);
    } else if (address->any.sa_family == AF_UNIX) {
        format_unix(address, dst);
    } else if (oy_address_is_inproc(address)) {
        (void)snprintf(dst, OY_ADDRESS_TEXT_MAX, "inproc");
    } else {
        (void)snprintf(dst, OY_ADDRESS_TEXT_MAX, "unknown address");
    }
}

void oy_address_inproc(oy_address *ret_address)
{
    memset(ret_address, 0, sizeof(*ret_address));
    ret_address->any.sa_family = AF_UNSPEC;
    ret_address->len = sizeof(ret_address->any.sa_family);
}

bool oy_address_is_inproc(const oy_address *address)
{
    return address->any.sa_family == AF_UNSPEC && address->len == sizeof(address->any.sa_family);
}

/* --- from text -------------------------------------------------------------------------------- */

static bool parse_port(oyez_str text, uint16_t *ret_port)
{
    uint64_t value;
    if (text.len > 5 || !oy_parse_u64(text, &value) || value > UINT16_MAX)
        return false;
    *ret_port = (uint16_t)value;
    return true;
}

/* A zone is the number or the name of an interface of this machine. */
static bool parse_zone(const char *zone, uint32_t *ret_scope)
{
    uint64_t number;
    if (oy_parse_u64(oy_str(zone), &number)) {
        *ret_scope = (uint32_t)number;
        return number > 0 && number <= UINT32_MAX;
    }
    *ret_scope = if_nametoindex(zone);
    return *ret_scope != 0;
}

static oyez_err from_v6(char *host, uint16_t port, oy_address *ret_address)
{
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    char *zone = strchr(host, '%');
    if (zone) {
        *zone++ = '\0';
        /* RFC 6874: in a URI the sign itself is written "%25". */
        if (zone[0] == '2' && zone[1] == '5' && zone[2] != '\0')
            zone += 2;
        if (!parse_zone(zone, &in6.sin6_scope_id))
            return OYEZ_EADDR;
    }
    if (inet_pton(AF_INET6, host, &in6.sin6_addr) != 1)
        return OYEZ_EADDR;
    set(ret_address, &in6, sizeof(in6));
    return 0;
}

oyez_err oy_address_from_host(oyez_str host, uint16_t port, oy_address *ret_address)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
    char text[HOST_MAX + 4];
    if (host.len >= 2 && host.data[0] == '[' && host.data[host.len - 1] == ']') {
        host.data++;
        host.len -= 2;
        if (!memchr(host.data, ':', host.len))
            return OYEZ_EADDR;
    }
    if (host.len == 0 || host.len >= sizeof(text) || memchr(host.data, '\0', host.len))
        return OYEZ_EADDR;
    memcpy(text, host.data, host.len);
    text[host.len] = '\0';
    if (memchr(text, ':', host.len))
        return from_v6(text, port, ret_address);
    if (inet_pton(AF_INET, text, &in.sin_addr) != 1)
        return OYEZ_EADDR;
    set(ret_address, &in, sizeof(in));
    return 0;
}

oyez_err oy_address_parse(oyez_str text, oy_address *ret_address)
{
    const char *colon = text.len > 0 ? memrchr(text.data, ':', text.len) : NULL;
    oyez_str host, port_text;
    uint16_t port;
    if (!colon)
        return OYEZ_EADDR;
    host = (oyez_str){text.data, (size_t)(colon - text.data)};
    port_text = (oyez_str){colon + 1, text.len - host.len - 1};
    /* "::1:80" could mean two things: IPv6 needs its brackets here. */
    if (host.len == 0 || !parse_port(port_text, &port))
        return OYEZ_EADDR;
    if (memchr(host.data, ':', host.len) && (host.data[0] != '[' || host.data[host.len - 1] != ']'))
        return OYEZ_EADDR;
    return oy_address_from_host(host, port, ret_address);
}

oyez_err oy_address_unix(oyez_str path, bool abstract, oy_address *ret_address)
{
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    size_t start = offsetof(struct sockaddr_un, sun_path);
    if (path.len == 0 || (!abstract && memchr(path.data, '\0', path.len)))
        return OYEZ_EADDR;
    if (path.len > UNIX_PATH_MAX)
        return OYEZ_ENAMETOOLONG;
    /* An abstract name begins with a NUL and ends with the length; a path ends with a NUL. */
    memcpy(un.sun_path + (abstract ? 1 : 0), path.data, path.len);
    set(ret_address, &un, start + path.len + 1);
    return 0;
}

/* --- comparing -------------------------------------------------------------------------------- */

bool oy_address_equal(const oy_address *a, const oy_address *b)
{
    if (a->any.sa_family != b->any.sa_family)
        return false;
    if (a->any.sa_family == AF_INET) {
        struct sockaddr_in x = as_in(a), y = as_in(b);
        return x.sin_port == y.sin_port && x.sin_addr.s_addr == y.sin_addr.s_addr;
    }
    if (a->any.sa_family == AF_INET6) {
        struct sockaddr_in6 x = as_in6(a), y = as_in6(b);
        return x.sin6_port == y.sin6_port && x.sin6_scope_id == y.sin6_scope_id &&
               memcmp(&x.sin6_addr, &y.sin6_addr, sizeof(x.sin6_addr)) == 0;
    }
    return a->len == b->len && memcmp(&a->storage, &b->storage, a->len) == 0;
}

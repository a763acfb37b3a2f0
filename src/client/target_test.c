/* SPDX-License-Identifier: Apache-2.0 */
/* Targets: what each form means, and what bad ones are told. */
#include "client/target.h"

#include <net/if.h>
#include <stdio.h>

#include "support/leak.h"
#include "support/test.h"

typedef struct good {
    const char *target;
    const char *authority;
    const char *addresses; /* with a space behind each; NULL: a name */
    const char *host;
    unsigned port;
    const char *server;
} good;

#define NAME(text, authority, host, port)   {text, authority, NULL, host, port, NULL}
#define ADDRESS(text, authority, addresses) {text, authority, addresses, NULL, 0, NULL}

static const good good_targets[] = {
    /* names */
    NAME("dns:///example.com:50051", "example.com:50051", "example.com", 50051),
    NAME("dns:example.com:50051", "example.com:50051", "example.com", 50051),
    NAME("dns:/example.com:50051", "example.com:50051", "example.com", 50051),
    NAME("dns:///example.com", "example.com", "example.com", 443),
    NAME("example.com:50051", "example.com:50051", "example.com", 50051),
    NAME("example.com", "example.com", "example.com", 443),
    NAME("example.com.:50051", "example.com.:50051", "example.com.", 50051),
    NAME("localhost:1", "localhost:1", "localhost", 1),
    NAME(":50051", "localhost:50051", "localhost", 50051),
    NAME("dns:///:50051", "localhost:50051", "localhost", 50051),
    NAME("my_service:65535", "my_service:65535", "my_service", 65535),
    NAME("a-b.c_d.e0:080", "a-b.c_d.e0:80", "a-b.c_d.e0", 80),
    NAME("dns", "dns", "dns", 443),
    NAME("unix", "unix", "unix", 443),
    NAME("passthrough:///example.com:50051", "example.com:50051", "example.com", 50051),
    NAME("passthrough:example.com:50051", "example.com:50051", "example.com", 50051),
    {"dns://8.8.8.8/example.com:5", "example.com:5", NULL, "example.com", 5, "8.8.8.8:53"},
    {"dns://8.8.8.8:54/example.com", "example.com", NULL, "example.com", 443, "8.8.8.8:54"},
    {"dns://[::1]/example.com", "example.com", NULL, "example.com", 443, "[::1]:53"},
    {"dns://[::1]:5353/example.com", "example.com", NULL, "example.com", 443, "[::1]:5353"},
    /* addresses behind dns */
    ADDRESS("127.0.0.1:50051", "127.0.0.1:50051", "127.0.0.1:50051 "),
    ADDRESS("dns:///127.0.0.1", "127.0.0.1", "127.0.0.1:443 "),
    ADDRESS("[::1]:50051", "[::1]:50051", "[::1]:50051 "),
    ADDRESS("[::1]", "[::1]", "[::1]:443 "),
    ADDRESS("::1", "[::1]", "[::1]:443 "),
    ADDRESS("dns:///[::1]:50051", "[::1]:50051", "[::1]:50051 "),
    ADDRESS("[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:1 "),
    ADDRESS("passthrough:///[::1]:7", "[::1]:7", "[::1]:7 "),
    ADDRESS("passthrough:///127.0.0.1:7", "127.0.0.1:7", "127.0.0.1:7 "),
    /* lists */
    ADDRESS("ipv4:1.2.3.4:5", "1.2.3.4:5", "1.2.3.4:5 "),
    ADDRESS("ipv4:1.2.3.4", "1.2.3.4", "1.2.3.4:443 "),
    ADDRESS("ipv4:///1.2.3.4:5", "1.2.3.4:5", "1.2.3.4:5 "),
    ADDRESS("ipv4:1.2.3.4:5,6.7.8.9,1.2.3.4:6", "1.2.3.4:5", "1.2.3.4:5 6.7.8.9:443 1.2.3.4:6 "),
    ADDRESS("ipv6:[::1]:50051", "[::1]:50051", "[::1]:50051 "),
    ADDRESS("ipv6:::1", "[::1]", "[::1]:443 "),
    ADDRESS("ipv6:[2001:db8::1]:5,[2001:db8::2],2001:db8::3", "[2001:db8::1]:5",
            "[2001:db8::1]:5 [2001:db8::2]:443 [2001:db8::3]:443 "),
    /* unix sockets */
    ADDRESS("unix:rel.sock", "localhost", "unix:rel.sock "),
    ADDRESS("unix:dir/rel.sock", "localhost", "unix:dir/rel.sock "),
    ADDRESS("unix:/run/abs.sock", "localhost", "unix:/run/abs.sock "),
    ADDRESS("unix:///run/abs.sock", "localhost", "unix:/run/abs.sock "),
    ADDRESS("unix:a%20b", "localhost", "unix:a%20b "),
    ADDRESS("unix-abstract:name", "localhost", "unix-abstract:name "),
    ADDRESS("unix-abstract:///name", "localhost", "unix-abstract:/name "),
    ADDRESS("passthrough:///unix:///run/abs.sock", "localhost", "unix:/run/abs.sock "),
};

static void check_good(const good *test)
{
    char words[OY_WORDS_MAX] = "", addresses[512] = "";
    oy_target target;
    oyez_err err = oy_target_parse(test->target, (oy_words){words, sizeof(words)}, &target);

    if (err)
        fail_msg("%s: %s: %s", test->target, oyez_err_name(err), words);
    for (size_t i = 0; i < target.address_count; i++) {
        char text[OY_ADDRESS_TEXT_MAX];
        size_t at = strlen(addresses);
        oy_address_format(&target.addresses[i], text);
        snprintf(addresses + at, sizeof(addresses) - at, "%s ", text);
    }
    if (strcmp(target.authority, test->authority) != 0 ||
        strcmp(addresses, test->addresses ? test->addresses : "") != 0)
        fail_msg("%s: authority %s, addresses %s", test->target, target.authority, addresses);
    assert_string_equal(target.text, test->target);
    if (test->host) {
        assert_string_equal(target.host, test->host);
        assert_int_equal(target.port, test->port);
        assert_int_equal(target.address_count, 0);
    } else {
        assert_null(target.host);
    }
    if (test->server)
        assert_string_equal(target.server, test->server);
    else
        assert_null(target.server);
    oy_target_fini(&target);
}

static void good_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(good_targets) / sizeof(good_targets[0]); i++)
        check_good(&good_targets[i]);
}

/* A zone is kept for connect(), and does not go to the server. */
static void zones(void **state)
{
    static const char *const targets[] = {"[fe80::1%@]:50051", "[fe80::1%25@]:50051",
                                          "ipv6:[fe80::1%@]:50051", "dns:///[fe80::1%25@]:50051"};
    char name[IF_NAMESIZE], text[64];
    (void)state;
    if (!if_indextoname(1, name))
        skip();
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        const char *at = strchr(targets[i], '@');
        snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - targets[i]), targets[i], name, at + 1);
        check_good(&(good)ADDRESS(text, "[fe80::1]:50051", "[fe80::1%1]:50051 "));
    }
}

static const struct {
    const char *target, *words; /* the words, or a part of them */
} bad_targets[] = {
    {"", "target \"\": expected host:port, got nothing"},
    {"dns:", "expected host:port, got nothing"},
    {"dns:///", "expected host:port, got nothing"},
    {"dns://localhost:50051", "expected dns:///host:port"},
    {"dns://localhost:50051/", "expected dns:///host:port"},
    {"dns://nameserver/host", "expected the address of a DNS server, got the name \"nameserver\""},
    {"dns://1.2.3.4:x/host", "expected a port from 1 to 65535, got \"x\""},
    {"host:", "expected a port behind the last colon, got nothing"},
    {":", "expected a port behind the last colon"},
    {"host:0", "expected a port from 1 to 65535, got \"0\""},
    {"host:65536", "got \"65536\""},
    {"host:http", "got \"http\""},
    {"host:-1", "got \"-1\""},
    {"host:99999999999999999999999", "expected a port from 1 to 65535"},
    {"[::1", "expected a ']'"},
    {"[::1]x", "expected \":port\" behind the ']', got \"x\""},
    {"[::1]:", "expected a port behind the last colon"},
    {"[]:1", "expected an IPv6 address"},
    {"[host]:1", "expected an IPv6 address"},
    {"[1.2.3.4]:1", "expected an IPv6 address"},
    {"::1:50051", "expected an IPv6 address (a port needs it in brackets"},
    {"1:2:3", "expected an IPv6 address"},
    {"[fe80::1%no-such-if]:1", "a zone must be an interface of this machine"},
    {"[fe80::1%]:1", "expected an IPv6 address"},
    {"256.1.1.1:80", "neither an IPv4 address nor a host name"},
    {"1.2.3:80", "neither an IPv4 address nor a host name"},
    {"host name:80", "expected a host name (letters, digits, '-', '_', '.'), got \"host name\""},
    {"h\xc3\xb6st:80", "expected a host name (letters"},
    {"a..b:80", "its part 2 has 0 bytes"},
    {".:80", "expected host:port; the path of a unix socket is written unix:"},
    {"dns:///.:80", "its part 1 has 0 bytes"},
    {"a\r\nb:80", "got \"a??b\""},
    {"/run/x.sock", "the path of a unix socket is written unix:/run/x.sock"},
    {"./x.sock", "the path of a unix socket is written unix:./x.sock"},
    {"http://localhost:80", "got \"http\""},
    {"xds:///service", "expected one of the schemes"},
    {"DNS:///host:80", "expected one of the schemes"},
    {"ipv4:", "expected host:port, got nothing"},
    {"ipv4:localhost:80", "expected an IPv4 address, got \"localhost:80\""},
    {"ipv4:1.2.3.4:80,", "expected host:port, got nothing"},
    {"ipv4:[::1]:80", "expected an IPv4 address, got \"[::1]:80\""},
    {"ipv4://1.2.3.4:80", "expected nothing between \"//\""},
    {"ipv6:1.2.3.4:80", "expected an IPv6 address, got \"1.2.3.4:80\""},
    {"unix:", "expected the path of a unix socket, got nothing"},
    {"unix://", "expected the path of a unix socket, got nothing"},
    {"unix://rel.sock", "three slashes?"},
    {"unix-abstract:", "expected the name of a unix socket, got nothing"},
    {"passthrough:///", "expected host:port, got nothing"},
    {"passthrough://host:80", "three slashes?"},
};

static void bad_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bad_targets) / sizeof(bad_targets[0]); i++) {
        char words[OY_WORDS_MAX] = "";
        oy_target target;
        oyez_err err =
            oy_target_parse(bad_targets[i].target, (oy_words){words, sizeof(words)}, &target);
        if (err != OYEZ_ETARGET || !strstr(words, bad_targets[i].words))
            fail_msg("%s: %s: %s", bad_targets[i].target, oyez_err_name(err), words);
        /* words are not needed */
        assert_err(oy_target_parse(bad_targets[i].target, (oy_words){NULL, 0}, &target),
                   OYEZ_ETARGET);
    }
}

static void long_ones(void **state)
{
    char text[2000], words[OY_WORDS_MAX] = "", tiny[8];
    oy_target target;
    (void)state;

    memset(text, 'x', sizeof(text));
    memcpy(text, "unix:/", 6);
    text[5 + 107] = '\0';
    assert_ok(oy_target_parse(text, (oy_words){words, sizeof(words)}, &target));
    oy_target_fini(&target);
    memcpy(text, "unix:/", 6);
    text[5 + 107] = 'x';
    text[5 + 108] = '\0';
    assert_err(oy_target_parse(text, (oy_words){words, sizeof(words)}, &target), OYEZ_ENAMETOOLONG);
    assert_non_null(strstr(words, "at most 107 bytes, got 108"));
    text[5 + 108] = 'x';
    text[sizeof(text) - 1] = '\0';
    assert_err(oy_target_parse(text + 100, (oy_words){words, sizeof(words)}, &target),
               OYEZ_ETARGET);
    assert_non_null(strstr(words, "at most 253 bytes, got 1899"));
    text[100 + 64] = '\0';
    assert_err(oy_target_parse(text + 100, (oy_words){words, sizeof(words)}, &target),
               OYEZ_ETARGET);
    assert_err(oy_target_parse(text + 100, (oy_words){tiny, sizeof(tiny)}, &target), OYEZ_ETARGET);
    assert_string_equal(tiny, "target ");
    text[100 + 63] = '\0';
    assert_ok(oy_target_parse(text + 100, (oy_words){words, sizeof(words)}, &target));
    oy_target_fini(&target);
}

static void fault_walk(void **state)
{
    static const char *const targets[] = {"dns://1.2.3.4/host:1", "ipv4:1.2.3.4,5.6.7.8", "unix:x",
                                          "[::1]:1"};
    (void)state;
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
        OY_FAULT_WALK()
        {
            oy_target target;
            oyez_err err = oy_target_parse(targets[i], (oy_words){NULL, 0}, &target);
            assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
            if (!err)
                oy_target_fini(&target);
        }
}

OY_TEST_GROUP(client_target, oy_leak_test(good_ones), oy_leak_test(zones), oy_leak_test(bad_ones),
              oy_leak_test(long_ones), oy_leak_test(fault_walk));

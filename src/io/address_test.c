/* SPDX-License-Identifier: Apache-2.0 */
/* Address literals: what is taken, what is refused, and how they look when printed. */
#include "support/test.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/un.h>

#include "base/text.h"
#include "io/io.h"

typedef struct parse_case {
    const char *text;
    const char *printed; /* NULL: OYEZ_EADDR */
} parse_case;

static const parse_case parse_cases[] = {
    {"127.0.0.1:80", "127.0.0.1:80"},
    {"0.0.0.0:0", "0.0.0.0:0"},
    {"255.255.255.255:65535", "255.255.255.255:65535"},
    {"[::1]:50051", "[::1]:50051"},
    {"[::]:1", "[::]:1"},
    {"[2001:db8:0:0:0:0:0:1]:443", "[2001:db8::1]:443"},
    {"[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:1"},
    {"[fe80::1%lo]:50051", "[fe80::1%1]:50051"},
    {"[fe80::1%25lo]:50051", "[fe80::1%1]:50051"},
    {"[fe80::1%7]:80", "[fe80::1%7]:80"},
    {"[fe80::1%257]:80", "[fe80::1%7]:80"},
    {"[fe80::1%25]:80", "[fe80::1%25]:80"},
    /* refused */
    {"", NULL},
    {":50051", NULL},
    {"[]:50051", NULL},
    {"[", NULL},
    {"]:1", NULL},
    {"[::1", NULL},
    {"[::1]", NULL},
    {"[::1]50051", NULL},
    {"::1:50051", NULL}, /* brackets are missing: it could be a longer address */
    {"::1", NULL},
    {"[::1:50051", NULL},
    {"127.0.0.1", NULL},
    {"127.0.0.1:", NULL},
    {"127.0.0.1:65536", NULL},
    {"127.0.0.1:-1", NULL},
    {"127.0.0.1:+1", NULL},
    {"127.0.0.1: 1", NULL},
    {"127.0.0.1:1 ", NULL},
    {"127.0.0.1:000080", NULL},
    {"127.0.0.1:http", NULL},
    {"127.1:80", NULL},
    {"127.0.0.1.:80", NULL},
    {"256.0.0.1:80", NULL},
    {"[127.0.0.1]:80", NULL},
    {"localhost:80", NULL},
    {"localhost.:80", NULL},
    {"[fe80::1%]:80", NULL},
    {"[fe80::1%0]:80", NULL},
    {"[fe80::1%4294967296]:80", NULL},
    {"[fe80::1%nosuchif0]:80", NULL},
    {"[::1]:80:80", NULL},
    {"[1:2:3:4:5:6:7:8:9]:80", NULL},
    {"[0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0001]:80", NULL},
};

static void parses_or_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(parse_cases) / sizeof(parse_cases[0]); i++) {
        const parse_case *c = &parse_cases[i];
        oy_address address;
        char printed[OY_ADDRESS_TEXT_MAX];
        oyez_err err = oy_address_parse(oy_str(c->text), &address);
        if (!c->printed) {
            if (err != OYEZ_EADDR)
                fail_msg("\"%s\" was not refused", c->text);
            continue;
        }
        if (err)
            fail_msg("\"%s\": %s", c->text, oyez_err_name(err));
        oy_address_format(&address, printed);
        assert_string_equal(printed, c->printed);
    }
}

static void a_nul_byte_is_refused(void **state)
{
    oy_address address;
    (void)state;
    assert_err(oy_address_parse(OYEZ_STR("127.0.0.1\0:80"), &address), OYEZ_EADDR);
    assert_err(oy_address_parse(OYEZ_STR("[::1\0]:80"), &address), OYEZ_EADDR);
}

static void what_is_printed_parses_to_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(parse_cases) / sizeof(parse_cases[0]); i++) {
        oy_address address, again;
        char printed[OY_ADDRESS_TEXT_MAX];
        if (!parse_cases[i].printed || strstr(parse_cases[i].text, "%25]"))
            continue;
        assert_ok(oy_address_parse(oy_str(parse_cases[i].text), &address));
        oy_address_format(&address, printed);
        assert_ok(oy_address_parse(oy_str(printed), &again));
        assert_true(oy_address_equal(&address, &again));
    }
}

static void hosts_without_a_port(void **state)
{
    oy_address address;
    char printed[OY_ADDRESS_TEXT_MAX];
    (void)state;
    assert_ok(oy_address_from_host(OYEZ_STR("::1"), 50051, &address));
    oy_address_format(&address, printed);
    assert_string_equal(printed, "[::1]:50051");
    assert_ok(oy_address_from_host(OYEZ_STR("[::1]"), 1, &address));
    assert_ok(oy_address_from_host(OYEZ_STR("10.0.0.1"), 443, &address));
    oy_address_format(&address, printed);
    assert_string_equal(printed, "10.0.0.1:443");
    assert_err(oy_address_from_host(OYEZ_STR("example.org"), 1, &address), OYEZ_EADDR);
    assert_err(oy_address_from_host(OYEZ_STR(""), 1, &address), OYEZ_EADDR);
    assert_err(oy_address_from_host(OYEZ_STR("[]"), 1, &address), OYEZ_EADDR);
    assert_err(oy_address_from_host(OYEZ_STR("[::1"), 1, &address), OYEZ_EADDR);
}

static void equal_means_the_same_place(void **state)
{
    static const char *const texts[] = {
        "127.0.0.1:1", "127.0.0.1:2",   "127.0.0.2:1",   "[::1]:1",
        "[::1]:2",     "[fe80::1%1]:1", "[fe80::1%2]:1",
    };
    enum { COUNT = sizeof(texts) / sizeof(texts[0]) };
    oy_address addresses[COUNT + 2];
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        assert_ok(oy_address_parse(oy_str(texts[i]), &addresses[i]));
    assert_ok(oy_address_unix(OYEZ_STR("/a"), false, &addresses[COUNT]));
    assert_ok(oy_address_unix(OYEZ_STR("/a"), true, &addresses[COUNT + 1]));
    for (size_t i = 0; i < COUNT + 2; i++)
        for (size_t j = 0; j < COUNT + 2; j++)
            assert_int_equal(oy_address_equal(&addresses[i], &addresses[j]), i == j);
}

static void unix_paths_are_never_cut(void **state)
{
    char path[109], expected[OY_ADDRESS_TEXT_MAX], printed[OY_ADDRESS_TEXT_MAX];
    oy_address address;
    struct sockaddr_un un;
    (void)state;
    memset(path, 'x', sizeof(path));
    path[0] = '/';
    assert_ok(oy_address_unix((oyez_str){path, 107}, false, &address));
    assert_int_equal(address.len, offsetof(struct sockaddr_un, sun_path) + 108);
    memcpy(&un, &address.storage, sizeof(un));
    assert_int_equal(strlen(un.sun_path), 107);
    oy_address_format(&address, printed);
    (void)snprintf(expected, sizeof(expected), "unix:%.107s", path);
    assert_string_equal(printed, expected);
    assert_err(oy_address_unix((oyez_str){path, 108}, false, &address), OYEZ_ENAMETOOLONG);
    assert_ok(oy_address_unix((oyez_str){path, 107}, true, &address));
    assert_int_equal(address.len, offsetof(struct sockaddr_un, sun_path) + 108);
    assert_err(oy_address_unix((oyez_str){path, 108}, true, &address), OYEZ_ENAMETOOLONG);
    assert_err(oy_address_unix(OYEZ_STR(""), false, &address), OYEZ_EADDR);
    assert_err(oy_address_unix(OYEZ_STR(""), true, &address), OYEZ_EADDR);
    assert_err(oy_address_unix(OYEZ_STR("/a\0b"), false, &address), OYEZ_EADDR);
}

static void abstract_names_hold_any_byte(void **state)
{
    oy_address address;
    char printed[OY_ADDRESS_TEXT_MAX];
    (void)state;
    assert_ok(oy_address_unix(OYEZ_STR("oyez\0\n!"), true, &address));
    oy_address_format(&address, printed);
    assert_string_equal(printed, "unix-abstract:oyez??"
                                 "!");
    /* a client's own end has no name */
    memset(&address, 0, sizeof(address));
    address.any.sa_family = AF_UNIX;
    address.len = sizeof(sa_family_t);
    oy_address_format(&address, printed);
    assert_string_equal(printed, "unix:");
    address.any.sa_family = AF_APPLETALK;
    oy_address_format(&address, printed);
    assert_string_equal(printed, "unknown address");
}

static void inproc(void **state)
{
    oy_address address, other;
    char printed[OY_ADDRESS_TEXT_MAX];
    (void)state;
    oy_address_inproc(&address);
    oy_address_inproc(&other);
    oy_address_format(&address, printed);
    assert_string_equal(printed, "inproc");
    assert_true(oy_address_is_inproc(&address));
    assert_true(oy_address_equal(&address, &other));
    assert_ok(oy_address_parse(OYEZ_STR("127.0.0.1:80"), &other));
    assert_false(oy_address_is_inproc(&other));
    assert_false(oy_address_equal(&address, &other));
}

OY_TEST_GROUP(io_address, cmocka_unit_test(parses_or_refuses),
              cmocka_unit_test(a_nul_byte_is_refused), cmocka_unit_test(inproc),
              cmocka_unit_test(what_is_printed_parses_to_the_same),
              cmocka_unit_test(hosts_without_a_port), cmocka_unit_test(equal_means_the_same_place),
              cmocka_unit_test(unix_paths_are_never_cut),
              cmocka_unit_test(abstract_names_hold_any_byte));

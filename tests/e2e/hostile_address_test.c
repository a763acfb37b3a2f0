/* SPDX-License-Identifier: Apache-2.0 */
/* Where a server is and what it is called: :authority on unix sockets (B25), IPv6 literals and zones (B26). */
#include "e2e_server.h"
#include "support/leak.h"
#include "support/test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define ECHO "/pkg.Loop/Echo"

/* --- B25 --------------------------------------------------------------------------------------------------------- */

/* A directory of our own, the working directory for relative paths. */
static char *enter_directory(char dir[64], char before[512])
{
    snprintf(dir, 64, "/tmp/oyez-address-XXXXXX");
    assert_non_null(getcwd(before, 512));
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chdir(dir), 0);
    return dir;
}

static void leave_directory(const char *dir, const char *before)
{
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(dir), 0); /* the servers have taken their files away */
}

static void a_server_takes_any_authority(void **state)
{
    static const char *const authorities[] = { "/run/x.sock", "%2Frun%2Fx.sock", "", NULL, "localhost",
                                               "a.very.long.name.that.means.nothing.here:65535" };
    char dir[64], before[512];
    e2e_server *server = e2e_serve(NULL);
    (void)state;
    enter_directory(dir, before);
    e2e_listen(server, "unix:x.sock");
    raw_peer *p = raw_connect_unix("x.sock", false);
    raw_greet(p);
    uint32_t id = 1;
    for (size_t i = 0; i < sizeof(authorities) / sizeof(authorities[0]); i++, id += 2) {
        if (authorities[i])
            raw_fields(p, id, 0, ":method", "POST", ":scheme", "http", ":path", ECHO, ":authority", authorities[i],
                       "content-type", "application/grpc", NULL);
        else
            raw_fields(p, id, 0, ":method", "POST", ":scheme", "http", ":path", ECHO, "content-type",
                       "application/grpc", NULL);
        raw_message(p, id, "a", 1, RAW_END);
        raw_expect_ok(p, id, "a", 1);
    }
    raw_close(p);
    e2e_end(server);
    leave_directory(dir, before);
}

typedef struct seen {
    char authority[256], peer[256];
    oyez_err ids_err;
    uint32_t pid, uid, gid;
} seen;

static seen last; /* written by the handler before it answers, read after the answer */
static pthread_mutex_t last_lock = PTHREAD_MUTEX_INITIALIZER;

static oyez_code look(const void *service, void *self, oyez_server_call *call, const void *request, void *reply)
{
    (void)service;
    (void)self;
    (void)request;
    (void)reply;
    oyez_str authority = oyez_server_call_authority(call);
    pthread_mutex_lock(&last_lock);
    memset(&last, 0, sizeof(last));
    snprintf(last.authority, sizeof(last.authority), "%.*s", (int)authority.len, authority.data);
    snprintf(last.peer, sizeof(last.peer), "%s", oyez_server_call_peer(call));
    last.ids_err = oyez_server_call_peer_ids(call, &last.pid, &last.uid, &last.gid);
    pthread_mutex_unlock(&last_lock);
    return OYEZ_OK;
}

static const oyez_method look_method = { OYEZ_METHOD_INIT, .path = "/test.Look/Look" };

static oyez_server *serve_looks(const char *address, uint16_t *port)
{
    const oyez_service_method methods[] = { { .method = &look_method, .unary = look } };
    const oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT, .name = "test.Look", .methods = methods, .method_count = 1,
                                     .on_loop = true };
    oyez_server *server = NULL;
    assert_ok(oyez_server_new(NULL, &server));
    assert_ok(oyez_server_register(server, &desc));
    if (oyez_server_listen(server, address, oyez_insecure(), port) || oyez_server_start(server))
        fail_msg("%s", oyez_server_words(server));
    return server;
}

static seen call_once(const char *target, const char *authority)
{
    const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT };
    const oyez_call_options call_options = { OYEZ_CALL_OPTIONS_INIT, .authority = authority };
    oyez_channel *channel = e2e_channel_with(&options, target);
    e2e_call call;
    e2e_call_now(&call, channel, "/test.Look/Look", "", 0, &call_options);
    if (call.code != OYEZ_OK)
        fail_msg("%s: %s", target, call.words);
    e2e_call_free(&call);
    oyez_channel_unref(channel);
    pthread_mutex_lock(&last_lock);
    seen result = last;
    pthread_mutex_unlock(&last_lock);
    return result;
}

static void a_client_on_a_unix_socket_says_localhost(void **state)
{
    char dir[64], before[512], target[128];
    (void)state;
    enter_directory(dir, before);
    oyez_server *server = serve_looks("unix:rel.sock", NULL);
    assert_string_equal(call_once("unix:rel.sock", NULL).authority, "localhost");
    snprintf(target, sizeof(target), "unix://%s/rel.sock", dir);
    assert_string_equal(call_once(target, NULL).authority, "localhost");
    snprintf(target, sizeof(target), "unix:%s/rel.sock", dir);
    assert_string_equal(call_once(target, NULL).authority, "localhost");
    assert_string_equal(call_once("unix:rel.sock", "other:1").authority, "other:1");
    server = oyez_server_unref(server);

    char address[64];
    snprintf(address, sizeof(address), "unix-abstract:oyez-address-%d", (int)getpid());
    server = serve_looks(address, NULL);
    assert_string_equal(call_once(address, NULL).authority, "localhost");
    oyez_server_unref(server);
    leave_directory(dir, before);
}

static void the_ids_of_a_peer_on_a_unix_socket(void **state)
{
    char dir[64], before[512], target[64];
    uint16_t port;
    (void)state;
    enter_directory(dir, before);
    oyez_server *server = serve_looks("unix:ids.sock", NULL);
    seen result = call_once("unix:ids.sock", NULL);
    assert_ok(result.ids_err);
    assert_int_equal(result.pid, getpid());
    assert_int_equal(result.uid, getuid());
    assert_int_equal(result.gid, getgid());
    oyez_server_unref(server);
    leave_directory(dir, before);

    server = serve_looks("127.0.0.1:0", &port);
    snprintf(target, sizeof(target), "127.0.0.1:%u", port);
    result = call_once(target, NULL);
    assert_err(result.ids_err, OYEZ_ENOENT);
    e2e_expect_words(result.peer, "127.0.0.1:");
    oyez_server_unref(server);
}

static void a_stale_socket_file_is_taken_over(void **state)
{
    char dir[64], before[512];
    struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "stale.sock" };
    (void)state;
    enter_directory(dir, before);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(fd, 1), 0);

    /* Somebody listens: it is not ours to take. */
    oyez_server *server = NULL;
    assert_ok(oyez_server_new(NULL, &server));
    assert_err(oyez_server_listen(server, "unix:stale.sock", oyez_insecure(), NULL), OYEZ_EADDRINUSE);
    e2e_expect_words(oyez_server_words(server), "stale.sock");
    server = oyez_server_unref(server);

    /* Nobody does any more. */
    close(fd);
    server = serve_looks("unix:stale.sock", NULL);
    (void)call_once("unix:stale.sock", NULL);
    oyez_server_unref(server);

    /* What is not a socket is left alone. */
    FILE *file = fopen("stale.sock", "w");
    assert_non_null(file);
    fclose(file);
    assert_ok(oyez_server_new(NULL, &server));
    assert_err(oyez_server_listen(server, "unix:stale.sock", oyez_insecure(), NULL), OYEZ_EADDRINUSE);
    oyez_server_unref(server);
    struct stat info;
    assert_int_equal(stat("stale.sock", &info), 0);
    assert_int_equal(unlink("stale.sock"), 0);
    leave_directory(dir, before);
}

static void a_path_of_108_bytes_is_too_long_in_words(void **state)
{
    char address[5 + 108 + 1] = "unix:", words[256] = "";
    oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .words = words, .words_bytes = sizeof(words) };
    oyez_channel *channel = NULL;
    oyez_server *server = NULL;
    (void)state;
    memset(address + 5, 'p', 108);
    address[5 + 108] = '\0';
    assert_ok(oyez_server_new(NULL, &server));
    assert_err(oyez_server_listen(server, address, oyez_insecure(), NULL), OYEZ_ENAMETOOLONG);
    e2e_expect_words(oyez_server_words(server), "107");
    oyez_server_unref(server);
    assert_err(oyez_channel_new(address, oyez_insecure(), &options, &channel), OYEZ_ENAMETOOLONG);
    e2e_expect_words(words, "107");
}

/* --- B26 --------------------------------------------------------------------------------------------------------- */

static bool has_ipv6(void)
{
    struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

static void literals_reach_their_server(void **state)
{
    uint16_t port;
    char target[96], authority[64];
    (void)state;
    if (!has_ipv6())
        skip();
    oyez_server *server = serve_looks("[::]:0", &port); /* IPv4, too */
    static const char *const forms[][2] = {
        { "[::1]:%u", "[::1]:%u" },
        { "dns:///[::1]:%u", "[::1]:%u" },
        { "ipv6:[::1]:%u", "[::1]:%u" },
        { "passthrough:///[::1]:%u", "[::1]:%u" },
        { "[::ffff:127.0.0.1]:%u", "[::ffff:127.0.0.1]:%u" },
        { "127.0.0.1:%u", "127.0.0.1:%u" },
        { ":%u", "localhost:%u" },
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(target, sizeof(target), forms[i][0], port);
        snprintf(authority, sizeof(authority), forms[i][1], port);
#pragma GCC diagnostic pop
        assert_string_equal(call_once(target, NULL).authority, authority);
    }
    oyez_server_unref(server);
}

/* The zone is for connect(), and for nobody else. */
static void a_zone_is_not_part_of_the_authority(void **state)
{
    uint16_t port;
    char target[96], authority[64];
    static const char *const zones[] = { "[::1%%lo]:%u", "[::1%%25lo]:%u", "dns:///[::1%%25lo]:%u", "ipv6:[::1%%lo]:%u" };
    (void)state;
    if (!has_ipv6())
        skip();
    oyez_server *server = serve_looks("[::1]:0", &port);
    snprintf(authority, sizeof(authority), "[::1]:%u", port);
    for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(target, sizeof(target), zones[i], port);
#pragma GCC diagnostic pop
        assert_string_equal(call_once(target, NULL).authority, authority);
    }
    oyez_server_unref(server);
}

static void bad_targets_fail_at_creation_in_words(void **state)
{
    static const char *const bad[] = { "[::1", "::1:50051:", "", "[::1]50051", "[::1]:", "[::1]:x", "[::1]:65536",
                                       "[fe80::1%]:1", "[1.2.3.4]:1", "a b:1", "ipv6:127.0.0.1:1", "ipv4:[::1]:1",
                                       "unix:", "nosuch://x", "[::1%no-such-zone-here]:1" };
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char words[256] = "";
        const oyez_channel_options options = { OYEZ_CHANNEL_OPTIONS_INIT, .words = words, .words_bytes = sizeof(words) };
        oyez_channel *channel = NULL;
        oyez_err err = oyez_channel_new(bad[i], oyez_insecure(), &options, &channel);
        if (err != OYEZ_ETARGET || channel || strlen(words) < 10)
            fail_msg("\"%s\": %s, \"%s\"", bad[i], err ? oyez_err_name(err) : "accepted", words);
    }
}

static void bad_addresses_to_listen_on_fail_in_words(void **state)
{
    static const char *const bad[] = { "", "nonsense", "1.2.3.4", "[::1", "[::1]", "::1", "1.2.3.4:99999", "host:1",
                                       "unix:", "unix-abstract:", "127.0.0.1:", "127.0.0.1:x" };
    oyez_server *server = NULL;
    (void)state;
    assert_ok(oyez_server_new(NULL, &server));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        oyez_err err = oyez_server_listen(server, bad[i], oyez_insecure(), NULL);
        if (!err || strlen(oyez_server_words(server)) < 10)
            fail_msg("\"%s\": %s, \"%s\"", bad[i], err ? oyez_err_name(err) : "accepted", oyez_server_words(server));
    }
    /* An address of another machine. */
    assert_err(oyez_server_listen(server, "192.0.2.1:1", oyez_insecure(), NULL), OYEZ_EADDRNOTAVAIL);
    oyez_server_unref(server);
}

OY_TEST_GROUP(e2e_hostile_address, oy_leak_test(a_server_takes_any_authority),
              oy_leak_test(a_client_on_a_unix_socket_says_localhost),
              oy_leak_test(the_ids_of_a_peer_on_a_unix_socket), oy_leak_test(a_stale_socket_file_is_taken_over),
              oy_leak_test(a_path_of_108_bytes_is_too_long_in_words), oy_leak_test(literals_reach_their_server),
              oy_leak_test(a_zone_is_not_part_of_the_authority), oy_leak_test(bad_targets_fail_at_creation_in_words),
              oy_leak_test(bad_addresses_to_listen_on_fail_in_words));

/* SPDX-License-Identifier: Apache-2.0 */
/* Ten thousand idle connections on one server, from another process: what one costs in resident memory, fresh and after
 * a call, and that each still answers. Most are bare sockets; some are channels of ours, which are measured, too.
 * usage: e2e_idle_connections [CONNECTIONS]. Exits with 77 where so many descriptors cannot be had. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <oyez/oyez.h>

#define LIMIT_BYTES 16384 /* resident, a connection */
#define CHANNELS    200
#define SPARE_FDS   200

static unsigned passed, failed;

static void check(bool good, const char *words)
{
    passed += good;
    failed += !good;
    if (!good)
        printf("FAILED: %s\n", words);
}

_Noreturn static void give_up(const char *words)
{
    perror(words);
    exit(1);
}

static const oyez_method echo = {OYEZ_METHOD_INIT, .path = "/pkg.Svc/Echo"};

/* --- the server, a process of its own --------------------------------------------------------- */

static oyez_code on_echo(const void *service, void *self, oyez_server_call *call,
                         const void *request, void *reply)
{
    (void)service, (void)self, (void)call;
    return oyez_slice_append_slice(reply, request) ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK;
}

/* Says its port on `out`, and serves until `in` is closed. */
static int serve(int in, int out)
{
    static const oyez_service_method methods[] = {{.method = &echo, .unary = on_echo}};
    const oyez_service_desc desc = {OYEZ_SERVICE_DESC_INIT, .name = "pkg.Svc", .methods = methods,
                                    .method_count = 1, .on_loop = true};
    const oyez_runtime_options runtime_options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 2};
    oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT};
    oyez_server *server = NULL;
    uint16_t port = 0;
    char end;
    oyez_err err = oyez_runtime_new(&runtime_options, &options.runtime);
    if (!err)
        err = oyez_server_new(&options, &server);
    if (!err)
        err = oyez_server_register(server, &desc);
    if (!err)
        err = oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);
    if (err)
        fprintf(stderr, "server: %s\n", oyez_strerror(err));
    else if (write(out, &port, sizeof(port)) == sizeof(port))
        while (read(in, &end, 1) > 0)
            continue;
    oyez_server_unref(server);
    oyez_runtime_unref(options.runtime);
    return err != 0;
}

typedef struct server {
    pid_t pid;
    uint16_t port;
    int in; /* until it is closed */
} server;

static server start_server(void)
{
    int in[2], out[2];
    server s = {0};
    if (pipe(in) || pipe(out))
        give_up("pipe");
    fflush(stdout);
    s.pid = fork();
    if (s.pid < 0)
        give_up("fork");
    if (s.pid == 0) {
        close(in[1]);
        close(out[0]);
        _exit(serve(in[0], out[1]));
    }
    close(in[0]);
    close(out[1]);
    s.in = in[1];
    if (read(out[0], &s.port, sizeof(s.port)) != sizeof(s.port))
        give_up("the server does not start");
    close(out[0]);
    return s;
}

static void stop_server(const server *s)
{
    int status = 0;
    close(s->in);
    if (waitpid(s->pid, &status, 0) != s->pid)
        give_up("waitpid");
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the server ends well");
}

static size_t resident(pid_t pid)
{
    char path[64];
    size_t total = 0, pages = 0;
    snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%zu %zu", &total, &pages) != 2)
        give_up(path);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Prints what each of them costs. */
static void measure(const char *what, size_t before, size_t after, size_t count, size_t limit)
{
    size_t each = after > before ? (after - before) / count : 0;
    printf("%s: %zu bytes each (%zu of them, %zu KiB in all)\n", what, each, count,
           (after > before ? after - before : 0) / 1024);
    check(limit == 0 || each <= limit, what);
}

/* --- bare connections --------------------------------------------------------------------------- */

static void send_all(int fd, const void *data, size_t len)
{
    if (send(fd, data, len, MSG_NOSIGNAL) != (ssize_t)len)
        give_up("send");
}

/* Reads frames until one of the type has come, with all the flags. */
static void await_frame(int fd, uint8_t type, uint8_t flags)
{
    uint8_t head[9], payload[16384];
    do {
        if (recv(fd, head, sizeof(head), MSG_WAITALL) != sizeof(head))
            give_up("recv");
        size_t len = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
        if (len > sizeof(payload) ||
            (len > 0 && recv(fd, payload, len, MSG_WAITALL) != (ssize_t)len))
            give_up("recv");
    } while (head[3] != type || (head[4] & flags) != flags);
}

static int connect_bare(uint16_t port)
{
    static const char hello[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                                "\0\0\0\4\0\0\0\0\0"  /* SETTINGS */
                                "\0\0\0\4\1\0\0\0\0"; /* its acknowledgement of theirs */
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)))
        give_up("connect");
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    send_all(fd, hello, sizeof(hello) - 1);
    await_frame(fd, 4, 1); /* SETTINGS, ACK */
    return fd;
}

static size_t put_field(uint8_t *dst, const char *name, const char *value)
{
    size_t name_len = strlen(name), value_len = strlen(value);
    dst[0] = 0; /* a literal that does not enter the table; lengths are below 127 */
    dst[1] = (uint8_t)name_len;
    memcpy(dst + 2, name, name_len);
    dst[2 + name_len] = (uint8_t)value_len;
    memcpy(dst + 3 + name_len, value, value_len);
    return 3 + name_len + value_len;
}

/* A call of Echo with an empty message, answered with OK and a message. */
static void call_bare(int fd, uint8_t id)
{
    uint8_t bytes[256] = {0, 0, 0, 1, 4, 0, 0, 0, id}; /* HEADERS, END_HEADERS */
    const uint8_t data[] = {0, 0, 5, 0, 1, 0, 0, 0, id, 0, 0, 0, 0, 0};
    size_t len = 9;
    len += put_field(bytes + len, ":method", "POST");
    len += put_field(bytes + len, ":scheme", "http");
    len += put_field(bytes + len, ":path", "/pkg.Svc/Echo");
    len += put_field(bytes + len, ":authority", "test");
    len += put_field(bytes + len, "content-type", "application/grpc");
    len += put_field(bytes + len, "te", "trailers");
    bytes[2] = (uint8_t)(len - 9);
    memcpy(bytes + len, data, sizeof(data));
    send_all(fd, bytes, len + sizeof(data));
    await_frame(fd, 0, 0); /* DATA: only an answer that went well has it */
    await_frame(fd, 1, 5); /* HEADERS, END_HEADERS and END_STREAM */
}

/* --- channels ----------------------------------------------------------------------------------- */

static bool call_channel(oyez_channel *channel)
{
    const oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .timeout = 20 * OYEZ_SECOND,
                                       .wait_for_ready = true};
    oyez_slice request = OYEZ_SLICE_INIT;
    void *reply = NULL;
    oyez_code code = oyez_unary_call(channel, &echo, NULL, &options, &request, &reply, NULL);
    oyez_bytes_free(reply);
    return code == OYEZ_OK;
}

static void open_channels(oyez_channel **channels, oyez_runtime *runtime, uint16_t port)
{
    const oyez_channel_options options = {OYEZ_CHANNEL_OPTIONS_INIT, .runtime = runtime};
    char target[64];
    unsigned good = 0;
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    for (size_t i = 0; i < CHANNELS; i++) {
        if (oyez_channel_new(target, oyez_insecure(), &options, &channels[i]))
            give_up("a channel");
        good += call_channel(channels[i]);
    }
    check(good == CHANNELS, "a call on each channel, new");
}

/* --- the scene ----------------------------------------------------------------------------------- */

static void raise_descriptors(size_t count)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        give_up("getrlimit");
    if (limit.rlim_cur >= count)
        return;
    limit.rlim_cur = count;
    if (limit.rlim_max < count)
        limit.rlim_max = count;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
        return;
    printf("%zu descriptors cannot be had\n", count);
    exit(77);
}

int main(int argc, char **argv)
{
    const oyez_runtime_options runtime_options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    oyez_channel *channels[CHANNELS] = {NULL};
    oyez_runtime *runtime = NULL;
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    if (count <= CHANNELS)
        count = CHANNELS + 1;
    size_t bare = count - CHANNELS;
    int *fds = calloc(bare, sizeof(*fds));
    raise_descriptors(count + SPARE_FDS);
    if (!fds)
        give_up("calloc");
    server s = start_server(); /* before there are threads here */

    /* What the first connections of each loop cost once is no part of the figures. */
    int first[8];
    for (size_t i = 0; i < 8; i++) {
        first[i] = connect_bare(s.port);
        call_bare(first[i], 1);
    }
    size_t empty = resident(s.pid);
    for (size_t i = 0; i < bare; i++)
        fds[i] = connect_bare(s.port);
    measure("server, a fresh connection", empty, resident(s.pid), bare, LIMIT_BYTES);

    if (oyez_runtime_new(&runtime_options, &runtime))
        give_up("a runtime");
    size_t mine = resident(getpid());
    open_channels(channels, runtime, s.port);
    measure("client, a channel with its connection", mine, resident(getpid()), CHANNELS, 0);

    /* They have all been idle for a while now, and all can still be used; then they are idle again. */
    for (size_t i = 0; i < bare; i++)
        call_bare(fds[i], 1);
    unsigned good = 0;
    for (size_t i = 0; i < CHANNELS; i++)
        good += oyez_channel_state(channels[i]) == OYEZ_READY && call_channel(channels[i]);
    check(good == CHANNELS, "a call on each channel, idle before");
    measure("server, a connection after its call", empty, resident(s.pid), count, LIMIT_BYTES);
    for (size_t i = 0; i < bare; i += 97)
        call_bare(fds[i], 3);
    check(true, "calls on some, once more");

    for (size_t i = 0; i < CHANNELS; i++)
        oyez_channel_unref(channels[i]);
    oyez_runtime_unref(runtime);
    for (size_t i = 0; i < 8; i++)
        close(first[i]);
    for (size_t i = 0; i < bare; i++)
        close(fds[i]);
    free(fds);
    stop_server(&s);
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Keepalive: a connection without calls is probed and stays, and one whose other end has fallen
 * silent is given up, though TCP knows nothing of it. The server is a child of this program, and is
 * stopped in the middle (SIGSTOP), as a machine that hangs would be. Takes a quarter of a minute. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "helloworld.oyez.h"

/* Says who calls: the port of the client is another one with each connection. */
static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    (void)self;
    reply->message =
        oyez_server_call_printf(call, "Hello %s at %s", req->name, oyez_server_call_peer(call));
    return OYEZ_OK;
}

/* The child. Tells its port through the pipe. */
static int serve(int to_parent)
{
    static const helloworld_greeter_service service = {.say_hello = say_hello};
    const oyez_server_options options = {
        OYEZ_SERVER_OPTIONS_INIT,
        /* What the server asks: a client that is silent for a second and gives no answer within
         * another one is gone. Real servers are more patient. */
        .keepalive_time = OYEZ_SECOND,
        .keepalive_timeout = OYEZ_SECOND,
        /* What it lets clients ask: as often as they can, and without calls, too. Without these
         * two lines it would send our client away, with too_many_pings. */
        .keepalive_min_time = 10 * OYEZ_SECOND,
        .keepalive_permit_without_calls = true,
    };
    oyez_server *server = NULL;
    uint16_t port = 0;
    oyez_err err = oyez_server_new(&options, &server);
    if (!err)
        err = helloworld_greeter_service_register(server, &service, NULL);
    if (!err)
        err = oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port);
    if (err || write(to_parent, &port, sizeof(port)) != sizeof(port))
        return 1;
    return oyez_server_serve(server) != 0;
}

/* Its answer, or how it failed. */
static oyez_code greet(oyez_channel *channel, char *words, size_t cap)
{
    const helloworld_greeter_stub greeter = {.channel = channel};
    Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
    Helloworld__HelloReply *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    req.name = "Ada";
    oyez_code code = helloworld_greeter_say_hello(greeter, NULL, &req, &reply, &status);
    snprintf(words, cap, "%s", reply ? reply->message : status.message);
    helloworld__hello_reply__free_unpacked(reply, NULL);
    oyez_status_fini(&status);
    return code;
}

static bool try_all(oyez_channel *channel, pid_t server)
{
    const struct timespec three_seconds = {3, 0};
    char before[128], after[128], words[256];

    if (greet(channel, before, sizeof(before)) != OYEZ_OK)
        return false;
    nanosleep(&three_seconds, NULL);
    if (greet(channel, after, sizeof(after)) != OYEZ_OK)
        return false;
    bool kept = strcmp(before, after) == 0;
    printf("After three idle seconds: %s connection\n", kept ? "the same" : "another");

    kill(server, SIGSTOP);
    oyez_duration start = oyez_now();
    oyez_code code = greet(channel, words, sizeof(words));
    printf("The server has hung for %d seconds: %s: %s\n",
           (int)((oyez_now() - start) / OYEZ_SECOND), oyez_code_name(code), words);
    return kept && code == OYEZ_UNAVAILABLE;
}

int main(void)
{
    const oyez_channel_options options = {
        OYEZ_CHANNEL_OPTIONS_INIT,
        .keepalive_time = 10 * OYEZ_SECOND, /* the least that a client may ask for */
        .keepalive_timeout = OYEZ_SECOND,
        .keepalive_without_calls = true,
    };
    int from_child[2];
    uint16_t port = 0;
    char target[32];
    bool ok = false;

    if (pipe(from_child) != 0)
        return 1;
    pid_t server = fork(); /* before there is any thread */
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(serve(from_child[1]));
    }
    if (server < 0 || read(from_child[0], &port, sizeof(port)) != sizeof(port))
        return 1;
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    oyez_channel *channel = NULL;
    oyez_err err = oyez_channel_new(target, oyez_insecure(), &options, &channel);
    if (err)
        fprintf(stderr, "keepalive: %s\n", oyez_strerror(err));
    else
        ok = try_all(channel, server);
    oyez_channel_unref(channel);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    return !ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A server that ends as a service should: with SIGTERM (or Ctrl-C) it takes no new calls, lets those that are under way
 * end, for ten seconds at most, and leaves; a second signal ends it at once.
 *
 * No function of the library may be called in a signal handler. So the signals are blocked, and a thread waits for them
 * with sigwait. They must be blocked before there is any other thread; those of the library block all signals by
 * themselves. A program with a loop of its own watches a signalfd there instead. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "helloworld.oyez.h"

#define LIMIT (10 * OYEZ_SECOND)

/* Takes a while, so that there is something to be let end. */
static oyez_code say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req,
                           Helloworld__HelloReply *reply)
{
    const struct timespec pause = {0, 300000000};
    (void)self;
    nanosleep(&pause, NULL);
    reply->message = oyez_server_call_printf(call, "Hello %s", req->name);
    return OYEZ_OK;
}

static void ending_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
}

static void *wait_for_signals(void *server)
{
    sigset_t set;
    int number;
    ending_signals(&set);
    sigwait(&set, &number);
    printf("Stopping: calls under way may end\n");
    fflush(stdout);
    oyez_server_graceful_stop(server, LIMIT);
    sigwait(&set, &number);
    oyez_server_stop(server);
    return NULL;
}

/* Until the server has come to its end. */
static oyez_err run(oyez_server *server)
{
    pthread_t thread;
    oyez_err err = oyez_server_start(server);
    if (err)
        return err;
    if (pthread_create(&thread, NULL, wait_for_signals, server))
        return OYEZ_ESYS;
    err = oyez_server_wait(server, OYEZ_FOREVER);
    pthread_cancel(thread); /* it waits for a second signal, and may not outlive the server */
    pthread_join(thread, NULL);
    return err;
}

int main(void)
{
    static const helloworld_greeter_service greeter = {.say_hello = say_hello};
    oyez_server *server = NULL;
    sigset_t set;
    ending_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = helloworld_greeter_service_register(server, &greeter, NULL);
    if (!err)
        err = oyez_server_listen(server, ":50051", oyez_insecure(), NULL);
    if (!err)
        err = run(server);
    if (err)
        fprintf(stderr, "greeter: %s: %s\n", oyez_strerror(err), oyez_server_words(server));
    else
        printf("The end\n");
    oyez_server_unref(server);
    return err != 0;
}

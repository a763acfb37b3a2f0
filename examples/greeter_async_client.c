/* SPDX-License-Identifier: Apache-2.0 */
/* Many calls in flight from one thread, each answer in a callback. usage: greeter_async_client [NAME...] */
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

#include "helloworld.oyez.h"

typedef struct app {
    sem_t ended; /* once for each call */
    atomic_int failed;
} app;

static helloworld_greeter_say_hello_done_fn on_reply; /* checked by the compiler */

/* Runs on a thread of the library: it must not block, and is done with `reply` when it returns. */
static void on_reply(oyez_call *call, const oyez_status *status,
                     const Helloworld__HelloReply *reply, void *user)
{
    app *a = user;
    if (status->code == OYEZ_OK)
        printf("%s says: %s\n", oyez_call_peer(call), reply->message);
    else
        fprintf(stderr, "%s: %s\n", oyez_code_name(status->code), status->message);
    if (status->code != OYEZ_OK)
        a->failed++;
    sem_post(&a->ended);
}

int main(int argc, char **argv)
{
    static char *everybody[] = {"Ada", "Grace", "Edsger", "Barbara"};
    char **names = argc > 1 ? argv + 1 : everybody;
    int count = argc > 1 ? argc - 1 : 4, started = 0;
    oyez_channel *channel = NULL;
    app a = {.failed = 0};

    sem_init(&a.ended, 0, 0);
    oyez_err err = oyez_channel_new("dns:///localhost:50051", oyez_insecure(), NULL, &channel);
    /* one set of options for all calls of the stub: a second each, and patience with a slow start */
    oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .timeout = 1 * OYEZ_SECOND,
                                 .wait_for_ready = true};
    helloworld_greeter_stub greeter = {.channel = channel, .options = &options};
    for (int i = 0; i < count && !err; i++) {
        Helloworld__HelloRequest req = HELLOWORLD__HELLO_REQUEST__INIT;
        req.name = names[i]; /* it is on its way in bytes when the function returns */
        err = helloworld_greeter_say_hello_async(greeter, NULL, &req, on_reply, &a, NULL);
        started += !err;
    }
    if (err)
        fprintf(stderr, "greeter: %s\n", oyez_strerror(err));
    for (int i = 0; i < started; i++)
        while (sem_wait(&a.ended) != 0)
            continue;
    oyez_channel_unref(channel);
    sem_destroy(&a.ended);
    return err != 0 || a.failed != 0;
}

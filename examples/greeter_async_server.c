/* SPDX-License-Identifier: Apache-2.0 */
/* A server whose handler returns at once and answers later, from another thread: for work that waits
 * for something else. Here it waits for a tenth of a second. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "helloworld.oyez.h"

/* What is needed to answer; call and request live until then. */
typedef struct job {
    oyez_server_call *call;
    const Helloworld__HelloRequest *req;
} job;

static void *answer(void *user)
{
    job *j = user;
    Helloworld__HelloReply reply = HELLOWORLD__HELLO_REPLY__INIT;

    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    reply.message = oyez_server_call_printf(j->call, "Hello %s, at last", j->req->name);
    if (oyez_server_call_is_cancelled(j->call)) /* nobody waits any more: it must still be ended */
        oyez_server_call_finish(j->call, OYEZ_CANCELLED);
    else
        helloworld_greeter_say_hello_reply(j->call, &reply);
    return NULL; /* the call is gone, and the job with it */
}

/* Runs on the loop, so it must not wait itself. */
static void say_hello(void *self, oyez_server_call *call, const Helloworld__HelloRequest *req)
{
    job *j = oyez_server_call_alloc(call, sizeof(*j)); /* gone when the call has been answered */
    pthread_t thread;

    (void)self;
    if (j)
        *j = (job){.call = call, .req = req};
    if (j == NULL || pthread_create(&thread, NULL, answer, j) != 0) {
        oyez_server_call_finish(
            call, oyez_server_call_fail(call, OYEZ_RESOURCE_EXHAUSTED, "no thread for the answer"));
        return;
    }
    pthread_detach(thread);
}

static const helloworld_greeter_service greeter = {.say_hello_async = say_hello};

int main(void)
{
    oyez_server *server = NULL;
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = helloworld_greeter_service_register(server, &greeter, NULL);
    if (!err)
        err = oyez_server_listen(server, "0.0.0.0:50051", oyez_insecure(), NULL);
    if (!err)
        err = oyez_server_serve(server);
    if (err)
        fprintf(stderr, "greeter: %s\n", server ? oyez_server_words(server) : oyez_strerror(err));
    oyez_server_unref(server);
    return err != 0;
}

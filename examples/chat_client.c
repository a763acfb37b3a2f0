/* SPDX-License-Identifier: Apache-2.0 */
/* Talks in a room: one thread sends what is typed, another prints what is heard, on one stream.
 * usage: chat_client NAME; ends at the end of the input, or with the next line when the server is
 * gone. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "chat.oyez.h"

typedef struct typist {
    const char *name;
    chat_room_join_stream room;
} typist;

static void *type(void *user)
{
    typist *t = user;
    char text[200];
    while (fgets(text, sizeof(text), stdin)) {
        Chat__Line line = CHAT__LINE__INIT;
        text[strcspn(text, "\n")] = '\0';
        line.name = (char *)t->name;
        line.text = text;
        if (!chat_room_join_send(t->room, &line))
            break; /* the stream has ended: finish says why */
    }
    chat_room_join_close_send(t->room);
    return NULL;
}

int main(int argc, char **argv)
{
    oyez_channel *channel = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    typist t = {.name = argc > 1 ? argv[1] : "somebody"};
    const Chat__Line *line; /* ours until the next recv */
    pthread_t thread;

    /* It waits for a server that is not there yet; the log says so meanwhile. */
    const oyez_channel_options of_channel = {OYEZ_CHANNEL_OPTIONS_INIT,
                                             .log = {oyez_log_stderr, NULL, OYEZ_LOG_WARNING}};
    oyez_err err = oyez_channel_new("dns:///localhost:50051", oyez_insecure(), &of_channel, &channel);
    const oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .wait_for_ready = true};
    chat_room_stub stub = {.channel = channel, .options = &options};
    if (!err)
        err = chat_room_join(stub, NULL, &t.room);
    if (err) {
        fprintf(stderr, "chat: %s\n", oyez_strerror(err));
        oyez_channel_unref(channel);
        return 1;
    }
    bool typing = pthread_create(&thread, NULL, type, &t) == 0;
    if (!typing)
        oyez_stream_cancel(t.room.base);
    while (chat_room_join_recv(t.room, &line)) {
        printf("%s: %s\n", line->name, line->text);
        fflush(stdout);
    }
    if (typing)
        pthread_join(thread, NULL); /* no thread may be in a stream that is finished */
    if (oyez_stream_finish(t.room.base, &status) != OYEZ_OK)
        fprintf(stderr, "%s: %s\n", oyez_code_name(status.code), status.message);
    bool ok = status.code == OYEZ_OK;
    oyez_status_fini(&status);
    oyez_channel_unref(channel);
    return !ok;
}

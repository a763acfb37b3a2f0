/* SPDX-License-Identifier: Apache-2.0 */
/* A room of any number of people on one thread: a handler of events never waits for one of them.
 * What is said goes to everybody else. Each has room for some lines; who does not read misses what
 * does not fit, and holds nobody up. Answers chat.Room on port 50051 until it is ended. */
#include <stdio.h>
#include <string.h>

#include "chat.oyez.h"

#define WAITING 16

typedef struct said {
    char name[32], text[200];
} said;

/* Lies in the arena of its call. */
typedef struct member {
    struct member *next;
    struct room *room;
    oyez_server_call *call;
    chat_room_join_server_stream stream;
    said waiting[WAITING]; /* a ring */
    size_t first, count;
    bool sending; /* waiting[first] is on its way */
    bool leaves;  /* has half-closed: gets what waits, and goes */
    bool ended;
} member;

typedef struct room {
    member *members;
} room;

static void end(member *m, oyez_code code)
{
    if (m->ended)
        return;
    m->ended = true;
    oyez_server_call_finish(m->call, code);
}

/* Sends the line that has waited longest; on_sent goes on. */
static void pump(member *m)
{
    if (m->sending || m->ended)
        return;
    if (m->count == 0) {
        if (m->leaves)
            end(m, OYEZ_OK);
        return;
    }
    Chat__Line line = CHAT__LINE__INIT;
    line.name = m->waiting[m->first].name;
    line.text = m->waiting[m->first].text;
    m->sending = chat_room_join_server_send(m->stream, &line);
}

static void hear(member *m, const Chat__Line *line)
{
    if (m->count == WAITING)
        return;
    said *s = &m->waiting[(m->first + m->count++) % WAITING];
    snprintf(s->name, sizeof(s->name), "%s", line->name);
    snprintf(s->text, sizeof(s->text), "%s", line->text);
    pump(m);
}

static void on_message(chat_room_join_server_stream stream, const Chat__Line *line, void *user)
{
    member *speaker = user;
    for (member *m = speaker->room->members; m; m = m->next)
        if (m != speaker)
            hear(m, line);
    oyez_stream_request(stream.base, 1); /* one more line, please */
}

static void on_sent(chat_room_join_server_stream stream, void *user)
{
    member *m = user;
    (void)stream;
    m->sending = false;
    m->first = (m->first + 1) % WAITING;
    m->count--;
    pump(m);
}

static void on_half_close(chat_room_join_server_stream stream, void *user)
{
    member *m = user;
    (void)stream;
    m->leaves = true;
    pump(m);
}

/* The last that is heard of a member, however it left. */
static void on_done(chat_room_join_server_stream stream, const oyez_status *status, void *user)
{
    member *m = user;
    (void)stream;
    (void)status;
    for (member **at = &m->room->members; *at; at = &(*at)->next)
        if (*at == m) {
            *at = m->next;
            break;
        }
    end(m, OYEZ_CANCELLED);
}

static const chat_room_join_server_events events = {
    .on_message = on_message,
    .on_sent = on_sent,
    .on_half_close = on_half_close,
    .on_done = on_done,
};

static void join(void *self, oyez_server_call *call, chat_room_join_server_stream stream)
{
    room *r = self;
    member *m = oyez_server_call_alloc(call, sizeof(*m));
    if (!m) {
        oyez_server_call_finish(call, OYEZ_RESOURCE_EXHAUSTED);
        return;
    }
    memset(m, 0, sizeof(*m));
    m->room = r;
    m->call = call;
    m->stream = stream;
    m->next = r->members;
    r->members = m;
    chat_room_join_server_listen(stream, &events, m);
    oyez_stream_request(stream.base, 1);
    if (oyez_server_call_send_headers(call)) /* tells the client that it is in */
        end(m, OYEZ_INTERNAL);
}

static const chat_room_service service = {.join_async = join};

int main(void)
{
    /* One loop: all callbacks are on one thread, and the room needs no lock. */
    const oyez_runtime_options one_loop = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    oyez_runtime *runtime = NULL;
    oyez_server *server = NULL;
    room r = {.members = NULL};
    oyez_err err = oyez_runtime_new(&one_loop, &runtime);
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime};
    if (!err)
        err = oyez_server_new(&options, &server);
    if (!err)
        err = chat_room_service_register(server, &service, &r);
    if (!err)
        err = oyez_server_listen(server, "0.0.0.0:50051", oyez_insecure(), NULL);
    if (!err)
        err = oyez_server_serve(server);
    if (err)
        fprintf(stderr, "chat: %s\n", oyez_strerror(err));
    oyez_server_unref(server);
    oyez_runtime_unref(runtime);
    return err != 0;
}

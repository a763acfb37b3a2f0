/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the life of connections share: a server of bytes, a log to look at, streams in short. */
#ifndef OY_TESTS_LIFE_SUPPORT_H
#define OY_TESTS_LIFE_SUPPORT_H

#include <pthread.h>
#include <stdatomic.h>

#include <oyez/oyez.h>

/* --- a log ------------------------------------------------------------------------------------ */

typedef struct life_log {
    pthread_mutex_t lock;
    char text[16384];
    size_t len;
} life_log;

void life_log_init(life_log *log);
/* What an option takes; everything is kept. */
oyez_log life_log_sink(life_log *log);
/* How often the words were said so far. */
unsigned life_log_count(life_log *log, const char *words);

/* --- a server --------------------------------------------------------------------------------- */

/* /life.Test/Echo        unary: the request comes back
 * /life.Test/Chat        bidirectional: each message comes back; blocking handler
 * /life.Test/Hold        bidirectional: a header, and nothing more until the client or the connection ends
 * /life.Test/Upload      client-streaming: reads everything, answers with the number of bytes, 8 of them
 * /life.Test/Sink        bidirectional: takes everything as it comes, on the loop, until the client half-closes
 * /life.Test/Drop        bidirectional: OK at once, nothing is read
 * /life.Test/Download    server-streaming: as many bytes as the request says, in messages of 64 KiB */
extern const oyez_method life_echo, life_chat, life_hold, life_upload, life_sink, life_drop, life_download;

typedef struct life_server {
    oyez_server *server;
    uint16_t port;
    char target[64];
    atomic_uint echoes, chats, holds, holds_over, drops;
} life_server;

/* Makes it; what must be shorter than users may have it is then set in server->options (server_impl.h). */
void life_server_make(life_server *life, const oyez_server_options *options);
/* Listens and starts. */
void life_server_start(life_server *life);
/* Stops at once, waits, drops it. */
void life_server_end(life_server *life);

/* --- calls ------------------------------------------------------------------------------------- */

/* A slice of borrowed bytes. */
oyez_slice life_bytes(const void *data, size_t len);
/* Blocking; the echo is compared. */
oyez_code life_call(oyez_channel *channel, const void *data, size_t len, oyez_status *ret_status);
oyez_stream *life_open(oyez_channel *channel, const oyez_method *method);
bool life_send(oyez_stream *stream, const void *data, size_t len);
/* Receives one message and compares it. */
bool life_expect(oyez_stream *stream, const void *data, size_t len);
/* Waits until *value is `least` or more; false when that takes too long. */
bool life_await(atomic_uint *value, unsigned least);

/* --- channels ---------------------------------------------------------------------------------- */

struct oy_client_config;
/* The configuration of connections to come; before the channel is used. */
struct oy_client_config *life_config(oyez_channel *channel);

#endif

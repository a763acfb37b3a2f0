/* SPDX-License-Identifier: Apache-2.0 */
/* A server and a channel to it for the tests of what stands around calls, and a log of what was seen. Messages are plain bytes.
 *
 *   /f.S/Unary (worker), /f.L/Unary (loop), /f.L/Later (loop, async): the `unary` of the bench, by default an echo
 *   /f.S/Chat  (worker, both ways): its `chat`, by default an echo of each message */
#ifndef OY_TESTS_FEATURES_SUPPORT_H
#define OY_TESTS_FEATURES_SUPPORT_H

#include <pthread.h>
#include <stdatomic.h>

#include <oyez/oyez.h>

typedef struct features {
    oyez_runtime *runtime;
    oyez_server *server;
    oyez_channel *channel;
    uint16_t port;
    char target[64];
    pthread_mutex_t lock;
    char log[8192];              /* guarded by lock */
    oyez_code (*unary)(struct features *bench, oyez_server_call *call, const oyez_slice *request, oyez_slice *reply);
    oyez_code (*chat)(struct features *bench, oyez_server_call *call, oyez_stream *stream);
    _Atomic(unsigned) handled;
    void *user;
} features;

extern const oyez_method features_unary, features_loop_unary, features_later, features_chat, features_unknown;

/* Options may be NULL; they bring no runtime: one loop is made. */
void features_start(features *bench, const oyez_server_options *server, const oyez_channel_options *channel);
/* A runtime and a channel to somebody else's port. */
void features_start_client(features *bench, const oyez_channel_options *channel, uint16_t port);
void features_end(features *bench);

/* Adds "<words> " to the log. Any thread. */
void features_note(features *bench, const char *format, ...) OYEZ_PRINTF(2, 3);
/* The log is this, now or soon; it is empty afterwards. */
void features_expect(features *bench, const char *log);

typedef struct features_result {
    oyez_status status;
    char reply[256];             /* "" unless OYEZ_OK */
} features_result;

/* Blocking, with a request of text. A timeout is added when there is none. */
features_result features_call(features *bench, const oyez_method *method, const char *request,
                              const oyez_call_options *options);
/* The same by the async function, and waits. */
features_result features_call_async(features *bench, const oyez_method *method, const char *request,
                                    const oyez_call_options *options);
#define features_expect_end(result_, code_, words_)                                                                    \
    do {                                                                                                               \
        features_result features_got = (result_);                                                                      \
        if (features_got.status.code != (code_) || !strstr(features_got.status.message, (words_)))                     \
            fail_msg("%s: %s", oyez_code_name(features_got.status.code), features_got.status.message);                 \
        oyez_status_fini(&features_got.status);                                                                        \
    } while (0)

/* Messages of text on streams. */
bool features_send(oyez_stream *stream, const char *text);
/* Puts the next message into `text`. */
bool features_recv(oyez_stream *stream, char text[256]);
void features_text(const oyez_slice *message, char text[256]);

#define FEATURES_UNTIL(condition)                                                                                      \
    do {                                                                                                               \
        for (unsigned features_i = 0; features_i < 20000 && !(condition); features_i++)                                \
            client_pause_ms(1);                                                                                        \
        assert_true(condition);                                                                                        \
    } while (0)

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of channels share: a channel with short pauses, and calls of empty messages. */
#ifndef OY_TESTS_CLIENT_SUPPORT_H
#define OY_TESTS_CLIENT_SUPPORT_H

#include <oyez/oyez.h>

/* Fails the test, in words, if there is no channel. Pauses of 20 ms, attempts of 300 ms at
 * least. */
oyez_channel *client_open(oyez_runtime *runtime, const char *target);
/* As above, with options of one's own. */
oyez_channel *client_open_with(const oyez_channel_options *options, const char *target);

typedef struct client_result {
    oyez_code code;
    char words[512];
} client_result;

/* An empty request, blocking. @param timeout 0: 5 s, so that no test hangs. */
client_result client_call(oyez_channel *channel, bool wait_for_ready, oyez_duration timeout);

/* The same, under way. */
typedef struct client_pending {
    client_result result;
    _Atomic(bool) done;
    oyez_call *call;
} client_pending;

void client_start(client_pending *pending, oyez_channel *channel, bool wait_for_ready,
                  oyez_duration timeout);
/* Drops the call's reference. On a manual runtime it turns the loop. */
client_result client_finish(client_pending *pending, oyez_runtime *manual);

/* Fails the test unless the channel gets there within five seconds. */
void client_await(oyez_channel *channel, oyez_connectivity state);

void client_pause_ms(unsigned ms);

/* Drops the last reference to a runtime with one loop, and waits for its end. A call that has just
 * ended may still hold its channel, on the loop's thread; if that were to drop the last reference
 * nobody would wait. Returns NULL. */
oyez_runtime *client_end_runtime(oyez_runtime *runtime);

#define assert_code(result, expected)                                                              \
    do {                                                                                           \
        const client_result assert_code_got = (result);                                            \
        if (assert_code_got.code != (expected))                                                    \
            fail_msg("%s: %s", oyez_code_name(assert_code_got.code), assert_code_got.words);       \
    } while (0)

#define assert_contains(text, part)                                                                \
    do {                                                                                           \
        if (!strstr((text), (part)))                                                               \
            fail_msg("\"%s\" does not contain \"%s\"", (text), (part));                            \
    } while (0)

#endif

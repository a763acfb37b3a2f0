/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file interceptor.h
 * What stands around calls, on either side, for unary calls and streams alike: who may call, what every call
 * carries, what is to be counted or written down.
 *
 * A chain is given by the options of a server or a channel. The first interceptor is the outermost: `begin` runs
 * in the order of the list, `end` in the reverse order for those whose `begin` ran; a message that comes in passes
 * the first one first, one that goes out the last one first. Tables are copied; `self` lives as long as the
 * server, or as the channel and the calls and streams made with it.
 */
#ifndef OYEZ_INTERCEPTOR_H
#define OYEZ_INTERCEPTOR_H

#include <oyez/metadata.h>
#include <oyez/status.h>
#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/**
 * A server's interceptor; each function is optional. They run where the handler runs: on a worker or on the user's
 * executor for blocking handlers (they may block), on the loop otherwise (they must not).
 */
struct oyez_server_interceptor {
    size_t size; /**< OYEZ_SERVER_INTERCEPTOR_INIT */
    void *self;
    /**
     * Before anything of the request is decoded. OYEZ_OK lets the call go on; any other code, as
     * oyez_server_call_fail returns it, ends the call, and the request's bytes are dropped unread.
     * oyez_server_call_path is byte for byte what dispatch goes by.
     */
    oyez_code (*begin)(void *self, oyez_server_call *call);
    /** The call has been answered with `status` (borrowed), or `begin` of this or of an inner one has refused it. */
    void (*end)(void *self, oyez_server_call *call, const oyez_status *status);
    /**
     * A message was decoded; the handler gets it next. Not OYEZ_OK: the call ends with that code and `*ret_words`,
     * a static text (it is "" before). In a stream this runs on the receiver's thread, which need not be the
     * sender's.
     */
    oyez_code (*on_receive)(void *self, oyez_server_call *call, const void *message, const char **ret_words);
    /** A message is about to be encoded; as on_receive. In a stream on the sender's thread. */
    oyez_code (*on_send)(void *self, oyez_server_call *call, const void *message, const char **ret_words);
};

#define OYEZ_SERVER_INTERCEPTOR_INIT .size = sizeof(oyez_server_interceptor)

/**
 * A client's interceptor; each function is optional. It sees a call once, however many attempts are made.
 */
struct oyez_client_interceptor {
    size_t size; /**< OYEZ_CLIENT_INTERCEPTOR_INIT */
    void *self;
    /**
     * The call begins, on the thread that starts it. May add metadata (oyez_call_add_metadata) and shorten the time
     * (oyez_call_limit_time). Not OYEZ_OK, as oyez_call_fail returns it: the call ends with that code, and nothing
     * is sent.
     */
    oyez_code (*begin)(void *self, oyez_call *call);
    /**
     * The call has ended with `status` (borrowed), before its caller hears of it: on the thread that waits for a
     * unary call, else on the loop (do not block). Who receives from a blocking stream may find messages that came
     * before the end after it.
     */
    void (*end)(void *self, oyez_call *call, const oyez_status *status);
    /**
     * A message is about to be encoded, on the sender's thread. Not OYEZ_OK: the call ends with that code and
     * `*ret_words`, a static text (it is "" before).
     */
    oyez_code (*on_send)(void *self, oyez_call *call, const void *message, const char **ret_words);
    /** A message was decoded and is given to the caller next; as on_send. On the thread that waits for it, else on
     *  the loop. */
    oyez_code (*on_receive)(void *self, oyez_call *call, const void *message, const char **ret_words);
};

#define OYEZ_CLIENT_INTERCEPTOR_INIT .size = sizeof(oyez_client_interceptor)

/* --- what a client's interceptor may ask and do -------------------------------------------------- */

/** "/package.Service/Method"; lives as long as the program. Any thread. Since 0.1. */
OYEZ_API const char *oyez_call_path(const oyez_call *call);
/** The ctx that the call was started with, NULL for the background; borrowed. Any thread. Since 0.1. */
OYEZ_API oyez_ctx *oyez_call_ctx(const oyez_call *call);
/** The moment at which the call ends at the latest, on the clock of oyez_now; OYEZ_FOREVER: there is none. Any
 *  thread. Since 0.1. */
OYEZ_API oyez_duration oyez_call_deadline(const oyez_call *call);
/** The metadata that the call sends; borrowed, lives as long as the call. Any thread. Since 0.1. */
OYEZ_API const oyez_metadata *oyez_call_metadata(const oyez_call *call);

/** Adds to the metadata that the call sends, as oyez_metadata_append does. OYEZ_ESTATE: the call has begun, `begin`
 *  is over. Owner thread: inside `begin`. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_call_add_metadata(oyez_call *call, const char *key, const void *value,
                                                         size_t len);
/** Lets the call end `timeout` from now at the latest; never makes it longer. OYEZ_ESTATE as above. Owner thread:
 *  inside `begin`. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_call_limit_time(oyez_call *call, oyez_duration timeout);
/** For the `return` of `begin`: words for a code; OYEZ_OK becomes OYEZ_UNKNOWN. Outside of `begin` it does nothing
 *  but return the code. Owner thread: inside `begin`. Since 0.1. */
OYEZ_API oyez_code oyez_call_fail(oyez_call *call, oyez_code code, const char *format, ...) OYEZ_PRINTF(3, 4);

/** Memory that lives as long as the call; NULL: none. Owner thread: inside `begin`. Since 0.1. */
OYEZ_API void *oyez_call_alloc(oyez_call *call, size_t bytes);
/** Remembers a value for `end` and the rest. OYEZ_ESTATE as above; OYEZ_ENOMEM. Owner thread: inside `begin`.
 *  Since 0.1. @param key compared by address, such as that of a static variable, or `self`. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_call_set_value(oyez_call *call, const void *key, void *value);
/** The value that was set last; NULL if there is none. Any thread. Since 0.1. */
OYEZ_API void *oyez_call_value(const oyez_call *call, const void *key);

OYEZ_END_DECLS

#endif

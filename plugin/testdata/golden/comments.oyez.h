/* Written by protoc-gen-oyez from comments.proto: change that instead. */
#ifndef OYEZ_comments_2eproto_INCLUDED
#define OYEZ_comments_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "comments.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "comments.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- talk.Speaker --- */

#define TALK_SPEAKER_SERVICE_NAME "talk.Speaker"
#define TALK_SPEAKER_SAY_PATH "/talk.Speaker/Say"
#define TALK_SPEAKER_SHOUT_PATH "/talk.Speaker/Shout"
#define TALK_SPEAKER_WHISPER_PATH "/talk.Speaker/Whisper"
#define TALK_SPEAKER_HUM_PATH "/talk.Speaker/Hum"

extern const oyez_method talk_speaker_say_method;
extern const oyez_method talk_speaker_shout_method;
extern const oyez_method talk_speaker_whisper_method;
extern const oyez_method talk_speaker_hum_method;

/**
 * A service that is described
 * on two lines.
 *
 *   indented
 *
 * And a second paragraph.
 *
 * The client's end of talk.Speaker: a value, to be filled in and copied at will.
 */
typedef struct talk_speaker_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} talk_speaker_stub;

/**
 * Says a word. Ends * / early, begins / * twice, has a \ at the end \
 *
 * Calls Say and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * talk__word__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code talk_speaker_say(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    Talk__Word **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Say; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void talk_speaker_say_done_fn(
    oyez_call *call, const oyez_status *status,
    const Talk__Word *reply, void *user);

/**
 * Calls Say and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err talk_speaker_say_async(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    talk_speaker_say_done_fn *done, void *user, oyez_call **ret_call);

/**
 * In the other style,
 * with stars.
 *
 * Calls Shout and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * talk__word__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code talk_speaker_shout(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    Talk__Word **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Shout; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void talk_speaker_shout_done_fn(
    oyez_call *call, const oyez_status *status,
    const Talk__Word *reply, void *user);

/**
 * Calls Shout and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err talk_speaker_shout_async(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    talk_speaker_shout_done_fn *done, void *user, oyez_call **ret_call);

/**
 * behind it
 *
 * Calls Whisper and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * talk__word__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code talk_speaker_whisper(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    Talk__Word **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Whisper; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void talk_speaker_whisper_done_fn(
    oyez_call *call, const oyez_status *status,
    const Talk__Word *reply, void *user);

/**
 * Calls Whisper and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err talk_speaker_whisper_async(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    talk_speaker_whisper_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls Hum and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * talk__word__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code talk_speaker_hum(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    Talk__Word **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Hum; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void talk_speaker_hum_done_fn(
    oyez_call *call, const oyez_status *status,
    const Talk__Word *reply, void *user);

/**
 * Calls Hum and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err talk_speaker_hum_async(
    talk_speaker_stub stub, oyez_ctx *ctx,
    const Talk__Word *request,
    talk_speaker_hum_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of talk.Speaker: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct talk_speaker_service {
    /**
     * Says a word. Ends * / early, begins / * twice, has a \ at the end \
     */
    oyez_code (*say)(void *self, oyez_server_call *call,
        const Talk__Word *request,
        Talk__Word *reply);
    void (*say_async)(void *self, oyez_server_call *call,
        const Talk__Word *request);
    /**
     * In the other style,
     * with stars.
     */
    oyez_code (*shout)(void *self, oyez_server_call *call,
        const Talk__Word *request,
        Talk__Word *reply);
    void (*shout_async)(void *self, oyez_server_call *call,
        const Talk__Word *request);
    /**
     * behind it
     */
    oyez_code (*whisper)(void *self, oyez_server_call *call,
        const Talk__Word *request,
        Talk__Word *reply);
    void (*whisper_async)(void *self, oyez_server_call *call,
        const Talk__Word *request);
    oyez_code (*hum)(void *self, oyez_server_call *call,
        const Talk__Word *request,
        Talk__Word *reply);
    void (*hum_async)(void *self, oyez_server_call *call,
        const Talk__Word *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} talk_speaker_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err talk_speaker_service_register(
    oyez_server *server, const talk_speaker_service *service, void *self);

/** Ends an async Say with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void talk_speaker_say_reply(
    oyez_server_call *call, const Talk__Word *reply);

/** Ends an async Shout with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void talk_speaker_shout_reply(
    oyez_server_call *call, const Talk__Word *reply);

/** Ends an async Whisper with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void talk_speaker_whisper_reply(
    oyez_server_call *call, const Talk__Word *reply);

/** Ends an async Hum with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void talk_speaker_hum_reply(
    oyez_server_call *call, const Talk__Word *reply);

OYEZ_END_DECLS

#endif

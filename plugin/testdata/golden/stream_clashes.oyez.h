/* Written by protoc-gen-oyez from stream_clashes.proto: change that instead. */
#ifndef OYEZ_stream_clashes_2eproto_INCLUDED
#define OYEZ_stream_clashes_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "stream_clashes.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "stream_clashes.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- clash.Room --- */

#define CLASH_ROOM_SERVICE_NAME "clash.Room"
#define CLASH_ROOM_CHAT_PATH "/clash.Room/Chat"
#define CLASH_ROOM_CHAT_SEND__PATH "/clash.Room/ChatSend"
#define CLASH_ROOM_CHAT_STREAM__PATH "/clash.Room/ChatStream"
#define CLASH_ROOM_CHAT_SERVER_STREAM__PATH "/clash.Room/ChatServerStream"
#define CLASH_ROOM_CHAT_EVENTS__PATH "/clash.Room/ChatEvents"
#define CLASH_ROOM_CHAT_ASYNC__PATH "/clash.Room/ChatAsync"
#define CLASH_ROOM_CHAT_REPLY_PATH "/clash.Room/ChatReply"
#define CLASH_ROOM_CHAT_CLOSE_AND_RECV_PATH "/clash.Room/ChatCloseAndRecv"

extern const oyez_method clash_room_chat_method;
extern const oyez_method clash_room_chat_send__method;
extern const oyez_method clash_room_chat_stream__method;
extern const oyez_method clash_room_chat_server_stream__method;
extern const oyez_method clash_room_chat_events__method;
extern const oyez_method clash_room_chat_async__method;
extern const oyez_method clash_room_chat_reply_method;
extern const oyez_method clash_room_chat_close_and_recv_method;

/**
 * The stream is first.
 *
 * The client's end of clash.Room: a value, to be filled in and copied at will.
 */
typedef struct clash_room_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} clash_room_stub;

/**
 * A call of Chat: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_room_chat_stream {
    oyez_stream *base;
} clash_room_chat_stream;

/**
 * Starts Chat, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat(
    clash_room_stub stub, oyez_ctx *ctx,
    clash_room_chat_stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool clash_room_chat_send(
    clash_room_chat_stream stream, const Clash__M *request);
/** No more requests will be sent. */
void clash_room_chat_close_send(clash_room_chat_stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_room_chat_recv(
    clash_room_chat_stream stream, const Clash__M **ret_reply);

/** What an async Chat tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_room_chat_events {
    void (*on_headers)(clash_room_chat_stream stream, void *user);
    void (*on_message)(clash_room_chat_stream stream,
        const Clash__M *reply, void *user);
    void (*on_sent)(clash_room_chat_stream stream, void *user);
    void (*on_done)(clash_room_chat_stream stream,
        const oyez_status *status, void *user);
} clash_room_chat_events;

/**
 * Starts Chat and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_async(
    clash_room_stub stub, oyez_ctx *ctx,
    const clash_room_chat_events *events, void *user,
    clash_room_chat_stream *ret_stream);

/**
 * Calls ChatSend and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_room_chat_send_(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async ChatSend; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_room_chat_send__done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls ChatSend and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_send__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_send__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls ChatStream and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_room_chat_stream_(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async ChatStream; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_room_chat_stream__done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls ChatStream and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_stream__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_stream__done_fn *done, void *user, oyez_call **ret_call);

/**
 * A call of ChatServerStream: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_room_chat_server_stream__stream {
    oyez_stream *base;
} clash_room_chat_server_stream__stream;

/**
 * Starts ChatServerStream, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_server_stream_(
    clash_room_stub stub, oyez_ctx *ctx,
    clash_room_chat_server_stream__stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool clash_room_chat_server_stream__send(
    clash_room_chat_server_stream__stream stream, const Clash__M *request);
/** No more requests will be sent. */
void clash_room_chat_server_stream__close_send(clash_room_chat_server_stream__stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_room_chat_server_stream__recv(
    clash_room_chat_server_stream__stream stream, const Clash__M **ret_reply);
/** No more requests: waits for the reply, which is borrowed until the stream is finished. False: there
 *  is none, and oyez_stream_finish says why. */
bool clash_room_chat_server_stream__close_and_recv(
    clash_room_chat_server_stream__stream stream, const Clash__M **ret_reply);

/** What an async ChatServerStream tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_room_chat_server_stream__events {
    void (*on_headers)(clash_room_chat_server_stream__stream stream, void *user);
    void (*on_message)(clash_room_chat_server_stream__stream stream,
        const Clash__M *reply, void *user);
    void (*on_sent)(clash_room_chat_server_stream__stream stream, void *user);
    void (*on_done)(clash_room_chat_server_stream__stream stream,
        const oyez_status *status, void *user);
} clash_room_chat_server_stream__events;

/**
 * Starts ChatServerStream and returns at once; on_done comes once, unless an error is returned.
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_server_stream__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const clash_room_chat_server_stream__events *events, void *user,
    clash_room_chat_server_stream__stream *ret_stream);

/**
 * A call of ChatEvents: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_room_chat_events__stream {
    oyez_stream *base;
} clash_room_chat_events__stream;

/**
 * Starts ChatEvents, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_events_(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_events__stream *ret_stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_room_chat_events__recv(
    clash_room_chat_events__stream stream, const Clash__M **ret_reply);

/** What an async ChatEvents tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_room_chat_events__events {
    void (*on_headers)(clash_room_chat_events__stream stream, void *user);
    void (*on_message)(clash_room_chat_events__stream stream,
        const Clash__M *reply, void *user);
    void (*on_done)(clash_room_chat_events__stream stream,
        const oyez_status *status, void *user);
} clash_room_chat_events__events;

/**
 * Starts ChatEvents and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_events__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    const clash_room_chat_events__events *events, void *user,
    clash_room_chat_events__stream *ret_stream);

/**
 * A call of ChatAsync: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_room_chat_async__stream {
    oyez_stream *base;
} clash_room_chat_async__stream;

/**
 * Starts ChatAsync, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_async_(
    clash_room_stub stub, oyez_ctx *ctx,
    clash_room_chat_async__stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool clash_room_chat_async__send(
    clash_room_chat_async__stream stream, const Clash__M *request);
/** No more requests will be sent. */
void clash_room_chat_async__close_send(clash_room_chat_async__stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_room_chat_async__recv(
    clash_room_chat_async__stream stream, const Clash__M **ret_reply);

/** What an async ChatAsync tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_room_chat_async__events {
    void (*on_headers)(clash_room_chat_async__stream stream, void *user);
    void (*on_message)(clash_room_chat_async__stream stream,
        const Clash__M *reply, void *user);
    void (*on_sent)(clash_room_chat_async__stream stream, void *user);
    void (*on_done)(clash_room_chat_async__stream stream,
        const oyez_status *status, void *user);
} clash_room_chat_async__events;

/**
 * Starts ChatAsync and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_async__async(
    clash_room_stub stub, oyez_ctx *ctx,
    const clash_room_chat_async__events *events, void *user,
    clash_room_chat_async__stream *ret_stream);

/**
 * These are nobody else's: a bidirectional stream has no reply of its own.
 *
 * Calls ChatReply and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_room_chat_reply(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async ChatReply; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_room_chat_reply_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls ChatReply and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_reply_async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_reply_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls ChatCloseAndRecv and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_room_chat_close_and_recv(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async ChatCloseAndRecv; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_room_chat_close_and_recv_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls ChatCloseAndRecv and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_room_chat_close_and_recv_async(
    clash_room_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_room_chat_close_and_recv_done_fn *done, void *user, oyez_call **ret_call);

/** Chat, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_room_chat_server_stream {
    oyez_stream *base;
} clash_room_chat_server_stream;

/** What an async handler of Chat is told: as clash_room_chat_events. */
typedef struct clash_room_chat_server_events {
    void (*on_message)(clash_room_chat_server_stream stream,
        const Clash__M *request, void *user);
    void (*on_sent)(clash_room_chat_server_stream stream, void *user);
    void (*on_half_close)(clash_room_chat_server_stream stream, void *user);
    void (*on_done)(clash_room_chat_server_stream stream,
        const oyez_status *status, void *user);
} clash_room_chat_server_events;

/** ChatServerStream, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_room_chat_server_stream__server_stream {
    oyez_stream *base;
} clash_room_chat_server_stream__server_stream;

/** What an async handler of ChatServerStream is told: as clash_room_chat_server_stream__events. */
typedef struct clash_room_chat_server_stream__server_events {
    void (*on_message)(clash_room_chat_server_stream__server_stream stream,
        const Clash__M *request, void *user);
    void (*on_half_close)(clash_room_chat_server_stream__server_stream stream, void *user);
    void (*on_done)(clash_room_chat_server_stream__server_stream stream,
        const oyez_status *status, void *user);
} clash_room_chat_server_stream__server_events;

/** ChatEvents, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_room_chat_events__server_stream {
    oyez_stream *base;
} clash_room_chat_events__server_stream;

/** What an async handler of ChatEvents is told: as clash_room_chat_events__events. */
typedef struct clash_room_chat_events__server_events {
    void (*on_sent)(clash_room_chat_events__server_stream stream, void *user);
    void (*on_done)(clash_room_chat_events__server_stream stream,
        const oyez_status *status, void *user);
} clash_room_chat_events__server_events;

/** ChatAsync, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_room_chat_async__server_stream {
    oyez_stream *base;
} clash_room_chat_async__server_stream;

/** What an async handler of ChatAsync is told: as clash_room_chat_async__events. */
typedef struct clash_room_chat_async__server_events {
    void (*on_message)(clash_room_chat_async__server_stream stream,
        const Clash__M *request, void *user);
    void (*on_sent)(clash_room_chat_async__server_stream stream, void *user);
    void (*on_half_close)(clash_room_chat_async__server_stream stream, void *user);
    void (*on_done)(clash_room_chat_async__server_stream stream,
        const oyez_status *status, void *user);
} clash_room_chat_async__server_events;

/**
 * The server's end of clash.Room: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct clash_room_service {
    oyez_code (*chat)(void *self, oyez_server_call *call,
        clash_room_chat_server_stream stream);
    void (*chat_async)(void *self, oyez_server_call *call,
        clash_room_chat_server_stream stream);
    oyez_code (*chat_send_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*chat_send__async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*chat_stream_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*chat_stream__async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*chat_server_stream_)(void *self, oyez_server_call *call,
        clash_room_chat_server_stream__server_stream stream,
        Clash__M *reply);
    void (*chat_server_stream__async)(void *self, oyez_server_call *call,
        clash_room_chat_server_stream__server_stream stream);
    oyez_code (*chat_events_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        clash_room_chat_events__server_stream stream);
    void (*chat_events__async)(void *self, oyez_server_call *call,
        const Clash__M *request,
        clash_room_chat_events__server_stream stream);
    oyez_code (*chat_async_)(void *self, oyez_server_call *call,
        clash_room_chat_async__server_stream stream);
    void (*chat_async__async)(void *self, oyez_server_call *call,
        clash_room_chat_async__server_stream stream);
    /**
     * These are nobody else's: a bidirectional stream has no reply of its own.
     */
    oyez_code (*chat_reply)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*chat_reply_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*chat_close_and_recv)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*chat_close_and_recv_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} clash_room_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err clash_room_service_register(
    oyez_server *server, const clash_room_service *service, void *self);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool clash_room_chat_server_recv(
    clash_room_chat_server_stream stream, const Clash__M **ret_request);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool clash_room_chat_server_send(
    clash_room_chat_server_stream stream, const Clash__M *reply);

/** An async Chat says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_room_chat_server_listen(
    clash_room_chat_server_stream stream,
    const clash_room_chat_server_events *events, void *user);

/** Ends an async ChatSend with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_room_chat_send__reply(
    oyez_server_call *call, const Clash__M *reply);

/** Ends an async ChatStream with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_room_chat_stream__reply(
    oyez_server_call *call, const Clash__M *reply);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool clash_room_chat_server_stream__server_recv(
    clash_room_chat_server_stream__server_stream stream, const Clash__M **ret_request);

/** An async ChatServerStream says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_room_chat_server_stream__server_listen(
    clash_room_chat_server_stream__server_stream stream,
    const clash_room_chat_server_stream__server_events *events, void *user);

/** Ends an async ChatServerStream with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_room_chat_server_stream__reply(
    oyez_server_call *call, const Clash__M *reply);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool clash_room_chat_events__server_send(
    clash_room_chat_events__server_stream stream, const Clash__M *reply);

/** An async ChatEvents says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_room_chat_events__server_listen(
    clash_room_chat_events__server_stream stream,
    const clash_room_chat_events__server_events *events, void *user);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool clash_room_chat_async__server_recv(
    clash_room_chat_async__server_stream stream, const Clash__M **ret_request);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool clash_room_chat_async__server_send(
    clash_room_chat_async__server_stream stream, const Clash__M *reply);

/** An async ChatAsync says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_room_chat_async__server_listen(
    clash_room_chat_async__server_stream stream,
    const clash_room_chat_async__server_events *events, void *user);

/** Ends an async ChatReply with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_room_chat_reply_reply(
    oyez_server_call *call, const Clash__M *reply);

/** Ends an async ChatCloseAndRecv with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_room_chat_close_and_recv_reply(
    oyez_server_call *call, const Clash__M *reply);

/* --- clash.Hall --- */

#define CLASH_HALL_SERVICE_NAME "clash.Hall"
#define CLASH_HALL_TALK_RECV_PATH "/clash.Hall/TalkRecv"
#define CLASH_HALL_TALK__PATH "/clash.Hall/Talk"
#define CLASH_HALL_WATCH_SEND_PATH "/clash.Hall/WatchSend"
#define CLASH_HALL_WATCH_PATH "/clash.Hall/Watch"
#define CLASH_HALL_UPLOAD_CLOSE_AND_RECV_PATH "/clash.Hall/UploadCloseAndRecv"
#define CLASH_HALL_UPLOAD__PATH "/clash.Hall/Upload"
#define CLASH_HALL_DEFAULT__PATH "/clash.Hall/Default"

extern const oyez_method clash_hall_talk_recv_method;
extern const oyez_method clash_hall_talk__method;
extern const oyez_method clash_hall_watch_send_method;
extern const oyez_method clash_hall_watch_method;
extern const oyez_method clash_hall_upload_close_and_recv_method;
extern const oyez_method clash_hall_upload__method;
extern const oyez_method clash_hall_default__method;

/**
 * The stream is last.
 *
 * The client's end of clash.Hall: a value, to be filled in and copied at will.
 */
typedef struct clash_hall_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} clash_hall_stub;

/**
 * Calls TalkRecv and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_hall_talk_recv(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async TalkRecv; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_hall_talk_recv_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls TalkRecv and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_talk_recv_async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_hall_talk_recv_done_fn *done, void *user, oyez_call **ret_call);

/**
 * A call of Talk: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_hall_talk__stream {
    oyez_stream *base;
} clash_hall_talk__stream;

/**
 * Starts Talk, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_talk_(
    clash_hall_stub stub, oyez_ctx *ctx,
    clash_hall_talk__stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool clash_hall_talk__send(
    clash_hall_talk__stream stream, const Clash__M *request);
/** No more requests will be sent. */
void clash_hall_talk__close_send(clash_hall_talk__stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_hall_talk__recv(
    clash_hall_talk__stream stream, const Clash__M **ret_reply);

/** What an async Talk tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_hall_talk__events {
    void (*on_headers)(clash_hall_talk__stream stream, void *user);
    void (*on_message)(clash_hall_talk__stream stream,
        const Clash__M *reply, void *user);
    void (*on_sent)(clash_hall_talk__stream stream, void *user);
    void (*on_done)(clash_hall_talk__stream stream,
        const oyez_status *status, void *user);
} clash_hall_talk__events;

/**
 * Starts Talk and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_talk__async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const clash_hall_talk__events *events, void *user,
    clash_hall_talk__stream *ret_stream);

/**
 * Calls WatchSend and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_hall_watch_send(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async WatchSend; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_hall_watch_send_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls WatchSend and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_watch_send_async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_hall_watch_send_done_fn *done, void *user, oyez_call **ret_call);

/**
 * A call of Watch: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_hall_watch_stream {
    oyez_stream *base;
} clash_hall_watch_stream;

/**
 * Starts Watch, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_watch(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_hall_watch_stream *ret_stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_hall_watch_recv(
    clash_hall_watch_stream stream, const Clash__M **ret_reply);

/** What an async Watch tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_hall_watch_events {
    void (*on_headers)(clash_hall_watch_stream stream, void *user);
    void (*on_message)(clash_hall_watch_stream stream,
        const Clash__M *reply, void *user);
    void (*on_done)(clash_hall_watch_stream stream,
        const oyez_status *status, void *user);
} clash_hall_watch_events;

/**
 * Starts Watch and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_watch_async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    const clash_hall_watch_events *events, void *user,
    clash_hall_watch_stream *ret_stream);

/**
 * Calls UploadCloseAndRecv and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_hall_upload_close_and_recv(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async UploadCloseAndRecv; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_hall_upload_close_and_recv_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls UploadCloseAndRecv and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_upload_close_and_recv_async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_hall_upload_close_and_recv_done_fn *done, void *user, oyez_call **ret_call);

/**
 * A call of Upload: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_hall_upload__stream {
    oyez_stream *base;
} clash_hall_upload__stream;

/**
 * Starts Upload, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_upload_(
    clash_hall_stub stub, oyez_ctx *ctx,
    clash_hall_upload__stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool clash_hall_upload__send(
    clash_hall_upload__stream stream, const Clash__M *request);
/** No more requests will be sent. */
void clash_hall_upload__close_send(clash_hall_upload__stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_hall_upload__recv(
    clash_hall_upload__stream stream, const Clash__M **ret_reply);
/** No more requests: waits for the reply, which is borrowed until the stream is finished. False: there
 *  is none, and oyez_stream_finish says why. */
bool clash_hall_upload__close_and_recv(
    clash_hall_upload__stream stream, const Clash__M **ret_reply);

/** What an async Upload tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_hall_upload__events {
    void (*on_headers)(clash_hall_upload__stream stream, void *user);
    void (*on_message)(clash_hall_upload__stream stream,
        const Clash__M *reply, void *user);
    void (*on_sent)(clash_hall_upload__stream stream, void *user);
    void (*on_done)(clash_hall_upload__stream stream,
        const oyez_status *status, void *user);
} clash_hall_upload__events;

/**
 * Starts Upload and returns at once; on_done comes once, unless an error is returned.
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_upload__async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const clash_hall_upload__events *events, void *user,
    clash_hall_upload__stream *ret_stream);

/**
 * A call of Default: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_hall_default__stream {
    oyez_stream *base;
} clash_hall_default__stream;

/**
 * Starts Default, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_default_(
    clash_hall_stub stub, oyez_ctx *ctx,
    clash_hall_default__stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool clash_hall_default__send(
    clash_hall_default__stream stream, const Clash__M *request);
/** No more requests will be sent. */
void clash_hall_default__close_send(clash_hall_default__stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_hall_default__recv(
    clash_hall_default__stream stream, const Clash__M **ret_reply);

/** What an async Default tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_hall_default__events {
    void (*on_headers)(clash_hall_default__stream stream, void *user);
    void (*on_message)(clash_hall_default__stream stream,
        const Clash__M *reply, void *user);
    void (*on_sent)(clash_hall_default__stream stream, void *user);
    void (*on_done)(clash_hall_default__stream stream,
        const oyez_status *status, void *user);
} clash_hall_default__events;

/**
 * Starts Default and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_default__async(
    clash_hall_stub stub, oyez_ctx *ctx,
    const clash_hall_default__events *events, void *user,
    clash_hall_default__stream *ret_stream);

/** Talk, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_hall_talk__server_stream {
    oyez_stream *base;
} clash_hall_talk__server_stream;

/** What an async handler of Talk is told: as clash_hall_talk__events. */
typedef struct clash_hall_talk__server_events {
    void (*on_message)(clash_hall_talk__server_stream stream,
        const Clash__M *request, void *user);
    void (*on_sent)(clash_hall_talk__server_stream stream, void *user);
    void (*on_half_close)(clash_hall_talk__server_stream stream, void *user);
    void (*on_done)(clash_hall_talk__server_stream stream,
        const oyez_status *status, void *user);
} clash_hall_talk__server_events;

/** Watch, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_hall_watch_server_stream {
    oyez_stream *base;
} clash_hall_watch_server_stream;

/** What an async handler of Watch is told: as clash_hall_watch_events. */
typedef struct clash_hall_watch_server_events {
    void (*on_sent)(clash_hall_watch_server_stream stream, void *user);
    void (*on_done)(clash_hall_watch_server_stream stream,
        const oyez_status *status, void *user);
} clash_hall_watch_server_events;

/** Upload, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_hall_upload__server_stream {
    oyez_stream *base;
} clash_hall_upload__server_stream;

/** What an async handler of Upload is told: as clash_hall_upload__events. */
typedef struct clash_hall_upload__server_events {
    void (*on_message)(clash_hall_upload__server_stream stream,
        const Clash__M *request, void *user);
    void (*on_half_close)(clash_hall_upload__server_stream stream, void *user);
    void (*on_done)(clash_hall_upload__server_stream stream,
        const oyez_status *status, void *user);
} clash_hall_upload__server_events;

/** Default, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_hall_default__server_stream {
    oyez_stream *base;
} clash_hall_default__server_stream;

/** What an async handler of Default is told: as clash_hall_default__events. */
typedef struct clash_hall_default__server_events {
    void (*on_message)(clash_hall_default__server_stream stream,
        const Clash__M *request, void *user);
    void (*on_sent)(clash_hall_default__server_stream stream, void *user);
    void (*on_half_close)(clash_hall_default__server_stream stream, void *user);
    void (*on_done)(clash_hall_default__server_stream stream,
        const oyez_status *status, void *user);
} clash_hall_default__server_events;

/**
 * The server's end of clash.Hall: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct clash_hall_service {
    oyez_code (*talk_recv)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*talk_recv_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*talk_)(void *self, oyez_server_call *call,
        clash_hall_talk__server_stream stream);
    void (*talk__async)(void *self, oyez_server_call *call,
        clash_hall_talk__server_stream stream);
    oyez_code (*watch_send)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*watch_send_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*watch)(void *self, oyez_server_call *call,
        const Clash__M *request,
        clash_hall_watch_server_stream stream);
    void (*watch_async)(void *self, oyez_server_call *call,
        const Clash__M *request,
        clash_hall_watch_server_stream stream);
    oyez_code (*upload_close_and_recv)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*upload_close_and_recv_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*upload_)(void *self, oyez_server_call *call,
        clash_hall_upload__server_stream stream,
        Clash__M *reply);
    void (*upload__async)(void *self, oyez_server_call *call,
        clash_hall_upload__server_stream stream);
    oyez_code (*default_)(void *self, oyez_server_call *call,
        clash_hall_default__server_stream stream);
    void (*default__async)(void *self, oyez_server_call *call,
        clash_hall_default__server_stream stream);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} clash_hall_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err clash_hall_service_register(
    oyez_server *server, const clash_hall_service *service, void *self);

/** Ends an async TalkRecv with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_hall_talk_recv_reply(
    oyez_server_call *call, const Clash__M *reply);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool clash_hall_talk__server_recv(
    clash_hall_talk__server_stream stream, const Clash__M **ret_request);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool clash_hall_talk__server_send(
    clash_hall_talk__server_stream stream, const Clash__M *reply);

/** An async Talk says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_hall_talk__server_listen(
    clash_hall_talk__server_stream stream,
    const clash_hall_talk__server_events *events, void *user);

/** Ends an async WatchSend with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_hall_watch_send_reply(
    oyez_server_call *call, const Clash__M *reply);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool clash_hall_watch_server_send(
    clash_hall_watch_server_stream stream, const Clash__M *reply);

/** An async Watch says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_hall_watch_server_listen(
    clash_hall_watch_server_stream stream,
    const clash_hall_watch_server_events *events, void *user);

/** Ends an async UploadCloseAndRecv with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_hall_upload_close_and_recv_reply(
    oyez_server_call *call, const Clash__M *reply);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool clash_hall_upload__server_recv(
    clash_hall_upload__server_stream stream, const Clash__M **ret_request);

/** An async Upload says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_hall_upload__server_listen(
    clash_hall_upload__server_stream stream,
    const clash_hall_upload__server_events *events, void *user);

/** Ends an async Upload with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_hall_upload__reply(
    oyez_server_call *call, const Clash__M *reply);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool clash_hall_default__server_recv(
    clash_hall_default__server_stream stream, const Clash__M **ret_request);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool clash_hall_default__server_send(
    clash_hall_default__server_stream stream, const Clash__M *reply);

/** An async Default says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_hall_default__server_listen(
    clash_hall_default__server_stream stream,
    const clash_hall_default__server_events *events, void *user);

/* --- clash.LaneWalk --- */

#define CLASH_LANE_WALK_SERVICE_NAME "clash.LaneWalk"
#define CLASH_LANE_WALK_SERVER_PATH "/clash.LaneWalk/Server"

extern const oyez_method clash_lane_walk_server_method;

/**
 * What is written for streams of the service Clash.Lane, and for the service Clash.LaneWalk.
 *
 * The client's end of clash.LaneWalk: a value, to be filled in and copied at will.
 */
typedef struct clash_lane_walk_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} clash_lane_walk_stub;

/**
 * Calls Server and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_lane_walk_server(
    clash_lane_walk_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Server; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_lane_walk_server_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls Server and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_lane_walk_server_async(
    clash_lane_walk_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_lane_walk_server_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of clash.LaneWalk: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct clash_lane_walk_service {
    oyez_code (*server)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*server_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} clash_lane_walk_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err clash_lane_walk_service_register(
    oyez_server *server, const clash_lane_walk_service *service, void *self);

/** Ends an async Server with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_lane_walk_server_reply(
    oyez_server_call *call, const Clash__M *reply);

/* --- clash.Lane --- */

#define CLASH_LANE_SERVICE_NAME "clash.Lane"
#define CLASH_LANE_WALK__PATH "/clash.Lane/Walk"
#define CLASH_LANE_WALK_SERVER__PATH "/clash.Lane/WalkServer"
#define CLASH_LANE_WALK_STUB__PATH "/clash.Lane/WalkStub"

extern const oyez_method clash_lane_walk__method;
extern const oyez_method clash_lane_walk_server__method;
extern const oyez_method clash_lane_walk_stub__method;

/**
 * The client's end of clash.Lane: a value, to be filled in and copied at will.
 */
typedef struct clash_lane_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} clash_lane_stub;

/**
 * A call of Walk: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_lane_walk__stream {
    oyez_stream *base;
} clash_lane_walk__stream;

/**
 * Starts Walk, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_lane_walk_(
    clash_lane_stub stub, oyez_ctx *ctx,
    clash_lane_walk__stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool clash_lane_walk__send(
    clash_lane_walk__stream stream, const Clash__M *request);
/** No more requests will be sent. */
void clash_lane_walk__close_send(clash_lane_walk__stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_lane_walk__recv(
    clash_lane_walk__stream stream, const Clash__M **ret_reply);

/** What an async Walk tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_lane_walk__events {
    void (*on_headers)(clash_lane_walk__stream stream, void *user);
    void (*on_message)(clash_lane_walk__stream stream,
        const Clash__M *reply, void *user);
    void (*on_sent)(clash_lane_walk__stream stream, void *user);
    void (*on_done)(clash_lane_walk__stream stream,
        const oyez_status *status, void *user);
} clash_lane_walk__events;

/**
 * Starts Walk and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_lane_walk__async(
    clash_lane_stub stub, oyez_ctx *ctx,
    const clash_lane_walk__events *events, void *user,
    clash_lane_walk__stream *ret_stream);

/**
 * A call of WalkServer: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct clash_lane_walk_server__stream {
    oyez_stream *base;
} clash_lane_walk_server__stream;

/**
 * Starts WalkServer, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err clash_lane_walk_server_(
    clash_lane_stub stub, oyez_ctx *ctx,
    clash_lane_walk_server__stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool clash_lane_walk_server__send(
    clash_lane_walk_server__stream stream, const Clash__M *request);
/** No more requests will be sent. */
void clash_lane_walk_server__close_send(clash_lane_walk_server__stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool clash_lane_walk_server__recv(
    clash_lane_walk_server__stream stream, const Clash__M **ret_reply);

/** What an async WalkServer tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct clash_lane_walk_server__events {
    void (*on_headers)(clash_lane_walk_server__stream stream, void *user);
    void (*on_message)(clash_lane_walk_server__stream stream,
        const Clash__M *reply, void *user);
    void (*on_sent)(clash_lane_walk_server__stream stream, void *user);
    void (*on_done)(clash_lane_walk_server__stream stream,
        const oyez_status *status, void *user);
} clash_lane_walk_server__events;

/**
 * Starts WalkServer and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err clash_lane_walk_server__async(
    clash_lane_stub stub, oyez_ctx *ctx,
    const clash_lane_walk_server__events *events, void *user,
    clash_lane_walk_server__stream *ret_stream);

/**
 * Calls WalkStub and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_lane_walk_stub_(
    clash_lane_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async WalkStub; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_lane_walk_stub__done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls WalkStub and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_lane_walk_stub__async(
    clash_lane_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_lane_walk_stub__done_fn *done, void *user, oyez_call **ret_call);

/** Walk, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_lane_walk__server_stream {
    oyez_stream *base;
} clash_lane_walk__server_stream;

/** What an async handler of Walk is told: as clash_lane_walk__events. */
typedef struct clash_lane_walk__server_events {
    void (*on_message)(clash_lane_walk__server_stream stream,
        const Clash__M *request, void *user);
    void (*on_sent)(clash_lane_walk__server_stream stream, void *user);
    void (*on_half_close)(clash_lane_walk__server_stream stream, void *user);
    void (*on_done)(clash_lane_walk__server_stream stream,
        const oyez_status *status, void *user);
} clash_lane_walk__server_events;

/** WalkServer, as its handler sees it: a value that lives as long as the call. */
typedef struct clash_lane_walk_server__server_stream {
    oyez_stream *base;
} clash_lane_walk_server__server_stream;

/** What an async handler of WalkServer is told: as clash_lane_walk_server__events. */
typedef struct clash_lane_walk_server__server_events {
    void (*on_message)(clash_lane_walk_server__server_stream stream,
        const Clash__M *request, void *user);
    void (*on_sent)(clash_lane_walk_server__server_stream stream, void *user);
    void (*on_half_close)(clash_lane_walk_server__server_stream stream, void *user);
    void (*on_done)(clash_lane_walk_server__server_stream stream,
        const oyez_status *status, void *user);
} clash_lane_walk_server__server_events;

/**
 * The server's end of clash.Lane: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct clash_lane_service {
    oyez_code (*walk_)(void *self, oyez_server_call *call,
        clash_lane_walk__server_stream stream);
    void (*walk__async)(void *self, oyez_server_call *call,
        clash_lane_walk__server_stream stream);
    oyez_code (*walk_server_)(void *self, oyez_server_call *call,
        clash_lane_walk_server__server_stream stream);
    void (*walk_server__async)(void *self, oyez_server_call *call,
        clash_lane_walk_server__server_stream stream);
    oyez_code (*walk_stub_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*walk_stub__async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} clash_lane_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err clash_lane_service_register(
    oyez_server *server, const clash_lane_service *service, void *self);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool clash_lane_walk__server_recv(
    clash_lane_walk__server_stream stream, const Clash__M **ret_request);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool clash_lane_walk__server_send(
    clash_lane_walk__server_stream stream, const Clash__M *reply);

/** An async Walk says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_lane_walk__server_listen(
    clash_lane_walk__server_stream stream,
    const clash_lane_walk__server_events *events, void *user);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool clash_lane_walk_server__server_recv(
    clash_lane_walk_server__server_stream stream, const Clash__M **ret_request);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool clash_lane_walk_server__server_send(
    clash_lane_walk_server__server_stream stream, const Clash__M *reply);

/** An async WalkServer says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void clash_lane_walk_server__server_listen(
    clash_lane_walk_server__server_stream stream,
    const clash_lane_walk_server__server_events *events, void *user);

/** Ends an async WalkStub with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_lane_walk_stub__reply(
    oyez_server_call *call, const Clash__M *reply);

OYEZ_END_DECLS

#endif

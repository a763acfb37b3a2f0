/* Written by protoc-gen-oyez from streams.proto: change that instead. */
#ifndef OYEZ_streams_2eproto_INCLUDED
#define OYEZ_streams_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "streams.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "streams.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- flow.Stream --- */

#define FLOW_STREAM_SERVICE_NAME "flow.Stream"
#define FLOW_STREAM_DIP_PATH "/flow.Stream/Dip"
#define FLOW_STREAM_SOURCE_PATH "/flow.Stream/Source"
#define FLOW_STREAM_MOUTH_PATH "/flow.Stream/Mouth"
#define FLOW_STREAM_BOTH_PATH "/flow.Stream/Both"

extern const oyez_method flow_stream_dip_method;
extern const oyez_method flow_stream_source_method;
extern const oyez_method flow_stream_mouth_method;
extern const oyez_method flow_stream_both_method;

/**
 * The client's end of flow.Stream: a value, to be filled in and copied at will.
 */
typedef struct flow_stream_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} flow_stream_stub;

/**
 * One, then one.
 *
 * Calls Dip and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * flow__level__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code flow_stream_dip(
    flow_stream_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    Flow__Level **ret_reply, oyez_status *ret_status);

/** Gets the end of an async Dip; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void flow_stream_dip_done_fn(
    oyez_call *call, const oyez_status *status,
    const Flow__Level *reply, void *user);

/**
 * Calls Dip and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err flow_stream_dip_async(
    flow_stream_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    flow_stream_dip_done_fn *done, void *user, oyez_call **ret_call);

/**
 * One, then many.
 *
 * A call of Source: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct flow_stream_source_stream {
    oyez_stream *base;
} flow_stream_source_stream;

/**
 * Starts Source, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err flow_stream_source(
    flow_stream_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    flow_stream_source_stream *ret_stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool flow_stream_source_recv(
    flow_stream_source_stream stream, const Flow__Level **ret_reply);

/** What an async Source tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct flow_stream_source_events {
    void (*on_headers)(flow_stream_source_stream stream, void *user);
    void (*on_message)(flow_stream_source_stream stream,
        const Flow__Level *reply, void *user);
    void (*on_done)(flow_stream_source_stream stream,
        const oyez_status *status, void *user);
} flow_stream_source_events;

/**
 * Starts Source and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err flow_stream_source_async(
    flow_stream_stub stub, oyez_ctx *ctx,
    const Flow__Drop *request,
    const flow_stream_source_events *events, void *user,
    flow_stream_source_stream *ret_stream);

/**
 * Many, then one.
 *
 * A call of Mouth: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct flow_stream_mouth_stream {
    oyez_stream *base;
} flow_stream_mouth_stream;

/**
 * Starts Mouth, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err flow_stream_mouth(
    flow_stream_stub stub, oyez_ctx *ctx,
    flow_stream_mouth_stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool flow_stream_mouth_send(
    flow_stream_mouth_stream stream, const Flow__Drop *request);
/** No more requests will be sent. */
void flow_stream_mouth_close_send(flow_stream_mouth_stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool flow_stream_mouth_recv(
    flow_stream_mouth_stream stream, const Flow__Level **ret_reply);
/** No more requests: waits for the reply, which is borrowed until the stream is finished. False: there
 *  is none, and oyez_stream_finish says why. */
bool flow_stream_mouth_close_and_recv(
    flow_stream_mouth_stream stream, const Flow__Level **ret_reply);

/** What an async Mouth tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct flow_stream_mouth_events {
    void (*on_headers)(flow_stream_mouth_stream stream, void *user);
    void (*on_message)(flow_stream_mouth_stream stream,
        const Flow__Level *reply, void *user);
    void (*on_sent)(flow_stream_mouth_stream stream, void *user);
    void (*on_done)(flow_stream_mouth_stream stream,
        const oyez_status *status, void *user);
} flow_stream_mouth_events;

/**
 * Starts Mouth and returns at once; on_done comes once, unless an error is returned.
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err flow_stream_mouth_async(
    flow_stream_stub stub, oyez_ctx *ctx,
    const flow_stream_mouth_events *events, void *user,
    flow_stream_mouth_stream *ret_stream);

/**
 * Many and many.
 *
 * A call of Both: a value, to be copied at will. It holds one reference, which
 * oyez_stream_finish(stream.base, ...) drops, or oyez_stream_unref.
 */
typedef struct flow_stream_both_stream {
    oyez_stream *base;
} flow_stream_both_stream;

/**
 * Starts Both, to be used by functions that wait. Any thread.
 *
 * @param ret_stream written on success; to be ended by oyez_stream_finish.
 */
OYEZ_MUST_CHECK oyez_err flow_stream_both(
    flow_stream_stub stub, oyez_ctx *ctx,
    flow_stream_both_stream *ret_stream);

/** As oyez_stream_send. False: the stream has ended, and oyez_stream_finish says why. */
bool flow_stream_both_send(
    flow_stream_both_stream stream, const Flow__Drop *request);
/** No more requests will be sent. */
void flow_stream_both_close_send(flow_stream_both_stream stream);

/** Waits for a reply, which is borrowed until the next one. False: no more will come. */
bool flow_stream_both_recv(
    flow_stream_both_stream stream, const Flow__Level **ret_reply);

/** What an async Both tells: on its loop, never two at once, not to block. Each may be NULL.
 *  oyez_stream_events says when they come. */
typedef struct flow_stream_both_events {
    void (*on_headers)(flow_stream_both_stream stream, void *user);
    void (*on_message)(flow_stream_both_stream stream,
        const Flow__Level *reply, void *user);
    void (*on_sent)(flow_stream_both_stream stream, void *user);
    void (*on_done)(flow_stream_both_stream stream,
        const oyez_status *status, void *user);
} flow_stream_both_events;

/**
 * Starts Both and returns at once; on_done comes once, unless an error is returned.
 * Replies come as they are asked for: oyez_stream_request(stream.base, count).
 *
 * Any thread. @param events static, or living as long as the stream.
 */
OYEZ_MUST_CHECK oyez_err flow_stream_both_async(
    flow_stream_stub stub, oyez_ctx *ctx,
    const flow_stream_both_events *events, void *user,
    flow_stream_both_stream *ret_stream);

/** Source, as its handler sees it: a value that lives as long as the call. */
typedef struct flow_stream_source_server_stream {
    oyez_stream *base;
} flow_stream_source_server_stream;

/** What an async handler of Source is told: as flow_stream_source_events. */
typedef struct flow_stream_source_server_events {
    void (*on_sent)(flow_stream_source_server_stream stream, void *user);
    void (*on_done)(flow_stream_source_server_stream stream,
        const oyez_status *status, void *user);
} flow_stream_source_server_events;

/** Mouth, as its handler sees it: a value that lives as long as the call. */
typedef struct flow_stream_mouth_server_stream {
    oyez_stream *base;
} flow_stream_mouth_server_stream;

/** What an async handler of Mouth is told: as flow_stream_mouth_events. */
typedef struct flow_stream_mouth_server_events {
    void (*on_message)(flow_stream_mouth_server_stream stream,
        const Flow__Drop *request, void *user);
    void (*on_half_close)(flow_stream_mouth_server_stream stream, void *user);
    void (*on_done)(flow_stream_mouth_server_stream stream,
        const oyez_status *status, void *user);
} flow_stream_mouth_server_events;

/** Both, as its handler sees it: a value that lives as long as the call. */
typedef struct flow_stream_both_server_stream {
    oyez_stream *base;
} flow_stream_both_server_stream;

/** What an async handler of Both is told: as flow_stream_both_events. */
typedef struct flow_stream_both_server_events {
    void (*on_message)(flow_stream_both_server_stream stream,
        const Flow__Drop *request, void *user);
    void (*on_sent)(flow_stream_both_server_stream stream, void *user);
    void (*on_half_close)(flow_stream_both_server_stream stream, void *user);
    void (*on_done)(flow_stream_both_server_stream stream,
        const oyez_status *status, void *user);
} flow_stream_both_server_events;

/**
 * The server's end of flow.Stream: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct flow_stream_service {
    /**
     * One, then one.
     */
    oyez_code (*dip)(void *self, oyez_server_call *call,
        const Flow__Drop *request,
        Flow__Level *reply);
    void (*dip_async)(void *self, oyez_server_call *call,
        const Flow__Drop *request);
    /**
     * One, then many.
     */
    oyez_code (*source)(void *self, oyez_server_call *call,
        const Flow__Drop *request,
        flow_stream_source_server_stream stream);
    void (*source_async)(void *self, oyez_server_call *call,
        const Flow__Drop *request,
        flow_stream_source_server_stream stream);
    /**
     * Many, then one.
     */
    oyez_code (*mouth)(void *self, oyez_server_call *call,
        flow_stream_mouth_server_stream stream,
        Flow__Level *reply);
    void (*mouth_async)(void *self, oyez_server_call *call,
        flow_stream_mouth_server_stream stream);
    /**
     * Many and many.
     */
    oyez_code (*both)(void *self, oyez_server_call *call,
        flow_stream_both_server_stream stream);
    void (*both_async)(void *self, oyez_server_call *call,
        flow_stream_both_server_stream stream);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} flow_stream_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err flow_stream_service_register(
    oyez_server *server, const flow_stream_service *service, void *self);

/** Ends an async Dip with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void flow_stream_dip_reply(
    oyez_server_call *call, const Flow__Level *reply);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool flow_stream_source_server_send(
    flow_stream_source_server_stream stream, const Flow__Level *reply);

/** An async Source says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void flow_stream_source_server_listen(
    flow_stream_source_server_stream stream,
    const flow_stream_source_server_events *events, void *user);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool flow_stream_mouth_server_recv(
    flow_stream_mouth_server_stream stream, const Flow__Drop **ret_request);

/** An async Mouth says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void flow_stream_mouth_server_listen(
    flow_stream_mouth_server_stream stream,
    const flow_stream_mouth_server_events *events, void *user);

/** Ends an async Mouth with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void flow_stream_mouth_reply(
    oyez_server_call *call, const Flow__Level *reply);

/** Waits for a request, which is borrowed until the next one. False: no more will come, for the client
 *  has half-closed or is gone. */
bool flow_stream_both_server_recv(
    flow_stream_both_server_stream stream, const Flow__Drop **ret_request);

/** As oyez_stream_send. False: nobody waits for the answer any more. */
bool flow_stream_both_server_send(
    flow_stream_both_server_stream stream, const Flow__Level *reply);

/** An async Both says what it wants to hear, before it returns. @param events static, or living as
 *  long as the call. */
void flow_stream_both_server_listen(
    flow_stream_both_server_stream stream,
    const flow_stream_both_server_events *events, void *user);

OYEZ_END_DECLS

#endif

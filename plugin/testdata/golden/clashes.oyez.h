/* Written by protoc-gen-oyez from clashes.proto: change that instead. */
#ifndef OYEZ_clashes_2eproto_INCLUDED
#define OYEZ_clashes_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "clashes.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "clashes.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

/* --- clash.Foo --- */

#define CLASH_FOO_SERVICE_NAME "clash.Foo"
#define CLASH_FOO_SAY_HELLO_PATH "/clash.Foo/SayHello"
#define CLASH_FOO_SAY_HELLO_ASYNC__PATH "/clash.Foo/SayHelloAsync"
#define CLASH_FOO_SAY_HELLO_REPLY__PATH "/clash.Foo/SayHelloReply"
#define CLASH_FOO_SAY_HELLO__PATH "/clash.Foo/say_hello"
#define CLASH_FOO_BAR_STUB__PATH "/clash.Foo/BarStub"
#define CLASH_FOO_BAR_SERVICE__PATH "/clash.Foo/BarService"

extern const oyez_method clash_foo_say_hello_method;
extern const oyez_method clash_foo_say_hello_async__method;
extern const oyez_method clash_foo_say_hello_reply__method;
extern const oyez_method clash_foo_say_hello__method;
extern const oyez_method clash_foo_bar_stub__method;
extern const oyez_method clash_foo_bar_service__method;

/**
 * The client's end of clash.Foo: a value, to be filled in and copied at will.
 */
typedef struct clash_foo_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} clash_foo_stub;

/**
 * Calls SayHello and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_foo_say_hello(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async SayHello; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_foo_say_hello_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls SayHello and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_say_hello_async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_say_hello_done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls SayHelloAsync and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_foo_say_hello_async_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async SayHelloAsync; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_foo_say_hello_async__done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls SayHelloAsync and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_say_hello_async__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_say_hello_async__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls SayHelloReply and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_foo_say_hello_reply_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async SayHelloReply; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_foo_say_hello_reply__done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls SayHelloReply and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_say_hello_reply__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_say_hello_reply__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls say_hello and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_foo_say_hello_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async say_hello; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_foo_say_hello__done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls say_hello and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_say_hello__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_say_hello__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls BarStub and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_foo_bar_stub_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async BarStub; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_foo_bar_stub__done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls BarStub and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_bar_stub__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_bar_stub__done_fn *done, void *user, oyez_call **ret_call);

/**
 * Calls BarService and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_foo_bar_service_(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async BarService; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_foo_bar_service__done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls BarService and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_bar_service__async(
    clash_foo_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_bar_service__done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of clash.Foo: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct clash_foo_service {
    oyez_code (*say_hello)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*say_hello_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*say_hello_async_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*say_hello_async__async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*say_hello_reply_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*say_hello_reply__async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*say_hello_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*say_hello__async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*bar_stub_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*bar_stub__async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    oyez_code (*bar_service_)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*bar_service__async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} clash_foo_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_service_register(
    oyez_server *server, const clash_foo_service *service, void *self);

/** Ends an async SayHello with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_foo_say_hello_reply(
    oyez_server_call *call, const Clash__M *reply);

/** Ends an async SayHelloAsync with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_foo_say_hello_async__reply(
    oyez_server_call *call, const Clash__M *reply);

/** Ends an async SayHelloReply with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_foo_say_hello_reply__reply(
    oyez_server_call *call, const Clash__M *reply);

/** Ends an async say_hello with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_foo_say_hello__reply(
    oyez_server_call *call, const Clash__M *reply);

/** Ends an async BarStub with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_foo_bar_stub__reply(
    oyez_server_call *call, const Clash__M *reply);

/** Ends an async BarService with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_foo_bar_service__reply(
    oyez_server_call *call, const Clash__M *reply);

/* --- clash.FooBar --- */

#define CLASH_FOO_BAR_SERVICE_NAME "clash.FooBar"
#define CLASH_FOO_BAR_SAY_HELLO_PATH "/clash.FooBar/SayHello"

extern const oyez_method clash_foo_bar_say_hello_method;

/**
 * The client's end of clash.FooBar: a value, to be filled in and copied at will.
 */
typedef struct clash_foo_bar_stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} clash_foo_bar_stub;

/**
 * Calls SayHello and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_foo_bar_say_hello(
    clash_foo_bar_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async SayHello; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_foo_bar_say_hello_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls SayHello and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_bar_say_hello_async(
    clash_foo_bar_stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_bar_say_hello_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of clash.FooBar: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct clash_foo_bar_service {
    oyez_code (*say_hello)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*say_hello_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} clash_foo_bar_service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_bar_service_register(
    oyez_server *server, const clash_foo_bar_service *service, void *self);

/** Ends an async SayHello with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_foo_bar_say_hello_reply(
    oyez_server_call *call, const Clash__M *reply);

/* --- clash.foo_bar --- */

#define CLASH_FOO_BAR__SERVICE_NAME "clash.foo_bar"
#define CLASH_FOO_BAR__SAY_HELLO_PATH "/clash.foo_bar/SayHello"

extern const oyez_method clash_foo_bar__say_hello_method;

/**
 * The client's end of clash.foo_bar: a value, to be filled in and copied at will.
 */
typedef struct clash_foo_bar__stub {
    oyez_channel *channel;            /**< borrowed */
    const oyez_call_options *options; /**< of all its calls, borrowed; NULL: the defaults */
} clash_foo_bar__stub;

/**
 * Calls SayHello and waits for the reply.
 *
 * Any thread but a loop thread. @param ret_reply gets the reply on OYEZ_OK, to be freed with
 * clash__m__free_unpacked(reply, NULL); may be NULL.
 */
oyez_code clash_foo_bar__say_hello(
    clash_foo_bar__stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    Clash__M **ret_reply, oyez_status *ret_status);

/** Gets the end of an async SayHello; `reply` is NULL unless the status is OYEZ_OK. Both are borrowed. */
typedef void clash_foo_bar__say_hello_done_fn(
    oyez_call *call, const oyez_status *status,
    const Clash__M *reply, void *user);

/**
 * Calls SayHello and returns at once; `done` runs once, on a loop thread, unless an error is returned.
 *
 * Any thread. @param ret_call a reference that is yours, to cancel by; may be NULL.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_bar__say_hello_async(
    clash_foo_bar__stub stub, oyez_ctx *ctx,
    const Clash__M *request,
    clash_foo_bar__say_hello_done_fn *done, void *user, oyez_call **ret_call);

/**
 * The server's end of clash.foo_bar: who answers which method. Of a method's two functions at most one is
 * set; with none it answers UNIMPLEMENTED. `self` is what was registered.
 *
 * A plain function may block: it fills `reply`, or reads and writes `stream`, and returns OYEZ_OK, or
 * returns oyez_server_call_fail(call, code, words). An _async function runs on the loop and must not
 * block; it ends the call once, then or later, from any thread.
 */
typedef struct clash_foo_bar__service {
    oyez_code (*say_hello)(void *self, oyez_server_call *call,
        const Clash__M *request,
        Clash__M *reply);
    void (*say_hello_async)(void *self, oyez_server_call *call,
        const Clash__M *request);
    bool on_loop; /**< no function blocks: the plain ones run on the loop, too */
} clash_foo_bar__service;

/**
 * Adds the service to a server that has not been started. @param service borrowed for the life of the
 * server, as is `self`.
 */
OYEZ_MUST_CHECK oyez_err clash_foo_bar__service_register(
    oyez_server *server, const clash_foo_bar__service *service, void *self);

/** Ends an async SayHello with a reply, which is borrowed. oyez_server_call_finish ends it without. */
void clash_foo_bar__say_hello_reply(
    oyez_server_call *call, const Clash__M *reply);

OYEZ_END_DECLS

#endif

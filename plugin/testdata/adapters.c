/* SPDX-License-Identifier: Apache-2.0 */
/* Generated functions, with a library of a few lines in place of the real one that notes what it is
 * handed. Built with a sanitizer that finds a function called through a pointer of another type. */
#undef NDEBUG
#include <assert.h>
#include <string.h>

#include "empty_service.oyez.h"
#include "keywords.oyez.h"
#include "prefix.oyez.h"

/* --- the library ----------------------------------------------------------------------------------- */

static char a_channel, a_server, a_call, a_ctx;
static oyez_call_options options = { OYEZ_CALL_OPTIONS_INIT };
static const oyez_method *called;
static const void *sent;
static void *to_reply;
static oyez_unary_adapter_fn *adapter;
static oyez_any_fn *done;
static void *done_user;
static const void *replied;
static oyez_service_desc desc;
static oyez_service_method methods[16];

const oyez_codec *oyez_protobuf_c(void)
{
    return NULL;
}

oyez_code oyez_unary_call(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                          const oyez_call_options *opts, const void *request, void **ret_reply,
                          oyez_status *ret_status)
{
    (void)ret_status;
    assert((void *)channel == &a_channel && (void *)ctx == &a_ctx && opts == &options);
    called = method;
    sent = request;
    if (to_reply == NULL)
        return OYEZ_NOT_FOUND;
    if (ret_reply)
        *ret_reply = to_reply;
    return OYEZ_OK;
}

oyez_err oyez_unary_call_start(oyez_channel *channel, const oyez_method *method, oyez_ctx *ctx,
                               const oyez_call_options *opts, const void *request,
                               oyez_unary_adapter_fn *adapt, oyez_any_fn *fn, void *user,
                               oyez_call **ret_call)
{
    assert((void *)channel == &a_channel && (void *)ctx == &a_ctx && opts == &options);
    called = method;
    sent = request;
    adapter = adapt;
    done = fn;
    done_user = user;
    if (ret_call)
        *ret_call = (oyez_call *)&a_call;
    return OYEZ_NO_ERR;
}

oyez_err oyez_server_register(oyez_server *server, const oyez_service_desc *d)
{
    assert((void *)server == &a_server);
    assert(d->method_count <= 16);
    desc = *d;
    for (size_t i = 0; i < d->method_count; i++)
        methods[i] = d->methods[i];
    return OYEZ_NO_ERR;
}

void oyez_server_call_reply(oyez_server_call *call, const void *reply)
{
    assert((void *)call == &a_call);
    replied = reply;
}

/* --- the client's end ------------------------------------------------------------------------------ */

static const Hello__World__V1__Hello *got_reply;
static int got_user;

static hw_greeter_say_hello_done_fn on_reply;

static void on_reply(oyez_call *call, const oyez_status *status, const Hello__World__V1__Hello *reply,
                     void *user)
{
    assert((void *)call == &a_call && status == NULL);
    got_reply = reply;
    ++*(int *)user;
}

static void client(void)
{
    hw_greeter_stub stub = { .channel = (oyez_channel *)&a_channel, .options = &options };
    Hello__World__V1__Hello request = HELLO__WORLD__V1__HELLO__INIT, answer = request, *reply = NULL;
    oyez_call *call = NULL;

    assert(hw_greeter_say_hello(stub, (oyez_ctx *)&a_ctx, &request, &reply, NULL) == OYEZ_NOT_FOUND);
    assert(reply == NULL);
    to_reply = &answer;
    assert(hw_greeter_say_hello(stub, (oyez_ctx *)&a_ctx, &request, NULL, NULL) == OYEZ_OK);
    assert(hw_greeter_say_hello(stub, (oyez_ctx *)&a_ctx, &request, &reply, NULL) == OYEZ_OK);
    assert(reply == &answer && sent == &request && called == &hw_greeter_say_hello_method);
    assert(strcmp(called->path, "/hello.world.v1.Greeter/SayHello") == 0);
    assert(strcmp(called->path, HW_GREETER_SAY_HELLO_PATH) == 0);
    assert(called->codec == oyez_protobuf_c && !called->client_streaming && !called->server_streaming);
    assert(called->request == &hello__world__v1__hello__descriptor);

    called = NULL;
    assert(hw_greeter_say_hello_async(stub, (oyez_ctx *)&a_ctx, &request, on_reply, &got_user, &call) ==
           OYEZ_NO_ERR);
    assert((void *)call == &a_call && called == &hw_greeter_say_hello_method);
    adapter(call, NULL, &answer, done, done_user);
    assert(got_user == 1 && got_reply == &answer);
}

/* --- the server's end ------------------------------------------------------------------------------ */

static int a_self;
static const Keywords__Void *got_request;

static oyez_code do_it(void *self, oyez_server_call *call, const Keywords__Void *request,
                       Keywords__Void *reply)
{
    assert(self == &a_self && (void *)call == &a_call);
    got_request = request;
    reply->int_ = 42;
    return OYEZ_ABORTED;
}

static void register_later(void *self, oyez_server_call *call, const Keywords__Void *request)
{
    static Keywords__Void reply;
    assert(self == &a_self);
    got_request = request;
    keywords_switch_register__reply(call, &reply);
    assert(replied == &reply);
}

static void server(void)
{
    static const keywords_switch_service impl = {
        .do_ = do_it,
        .register__async = register_later,
        .assert = do_it,
        .on_loop = true,
    };
    Keywords__Void request = KEYWORDS__VOID__INIT, reply = request;

    assert(keywords_switch_service_register((oyez_server *)&a_server, &impl, &a_self) == OYEZ_NO_ERR);
    assert(strcmp(desc.name, "keywords.Switch") == 0 && desc.service == &impl && desc.self == &a_self);
    assert(desc.method_count == 8 && desc.on_loop);
    assert(methods[0].unary && !methods[0].unary_async);
    assert(!methods[1].unary && methods[1].unary_async);
    assert(!methods[2].unary && !methods[2].unary_async); /* UNIMPLEMENTED */
    assert(strcmp(methods[1].method->path, "/keywords.Switch/Register") == 0);
    assert(methods[0].unary(desc.service, desc.self, (oyez_server_call *)&a_call, &request, &reply) ==
           OYEZ_ABORTED);
    assert(got_request == &request && reply.int_ == 42);
    got_request = NULL;
    assert(methods[6].unary(desc.service, desc.self, (oyez_server_call *)&a_call, &request, &reply) ==
           OYEZ_ABORTED);
    assert(got_request == &request);
    got_request = NULL;
    methods[1].unary_async(desc.service, desc.self, (oyez_server_call *)&a_call, &request);
    assert(got_request == &request);
}

static void service_without_methods(void)
{
    static const hollow_nothing_service impl = { .on_loop = false };

    assert(hollow_nothing_service_register((oyez_server *)&a_server, &impl, NULL) == OYEZ_NO_ERR);
    assert(desc.method_count == 0 && strcmp(desc.name, HOLLOW_NOTHING_SERVICE_NAME) == 0);
}

int main(void)
{
    client();
    server();
    service_without_methods();
    return 0;
}

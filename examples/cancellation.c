/* SPDX-License-Identifier: Apache-2.0 */
/* A client that has heard enough cancels its call: by its ctx, which may stand for many calls, or
 * by the stream itself. The handler hears of it the next time that it sends. A server and a client
 * in one program. */
#include <stdio.h>

#include "route_guide.oyez.h"

/* Lists features without an end. */
static oyez_code list_features(void *self, oyez_server_call *call,
                               const Routeguide__Rectangle *area,
                               routeguide_route_guide_list_features_server_stream stream)
{
    Routeguide__Feature feature = ROUTEGUIDE__FEATURE__INIT;
    bool heard = true;
    (void)self;
    (void)area;
    for (int i = 1; heard; i++) {
        feature.name = oyez_stream_printf(stream.base, "milestone %d", i);
        heard = routeguide_route_guide_list_features_server_send(stream, &feature);
    }
    printf("The handler stops: its client is %s\n",
           oyez_server_call_is_cancelled(call) ? "gone" : "there");
    return OYEZ_CANCELLED;
}

/* Takes three features, then has enough. */
static oyez_code take_three(routeguide_route_guide_stub guide, oyez_ctx *ctx)
{
    Routeguide__Rectangle everywhere = ROUTEGUIDE__RECTANGLE__INIT;
    routeguide_route_guide_list_features_stream list;
    const Routeguide__Feature *feature;
    oyez_status status = OYEZ_STATUS_INIT;
    int count = 0;
    if (routeguide_route_guide_list_features(guide, ctx, &everywhere, &list))
        return OYEZ_UNKNOWN;
    while (routeguide_route_guide_list_features_recv(list, &feature)) {
        if (count++ >= 3)
            continue; /* what was on its way may still come */
        printf("Feature: %s\n", feature->name);
        if (count == 3 && ctx)
            oyez_ctx_cancel(ctx);
        else if (count == 3)
            oyez_stream_cancel(list.base);
    }
    oyez_code code = oyez_stream_finish(list.base, &status);
    printf("The client got %s: %s\n", oyez_code_name(code), status.message);
    oyez_status_fini(&status);
    return code;
}

int main(void)
{
    static const routeguide_route_guide_service service = {.list_features = list_features};
    oyez_server *server = NULL;
    oyez_channel *channel = NULL;
    uint16_t port = 0;
    char target[32];
    bool as_told = false;
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = routeguide_route_guide_service_register(server, &service, NULL);
    if (!err)
        err = oyez_server_listen(server, "127.0.0.1:0", oyez_insecure(), &port);
    if (!err)
        err = oyez_server_start(server);
    snprintf(target, sizeof(target), "ipv4:127.0.0.1:%u", port);
    if (!err)
        err = oyez_channel_new(target, oyez_insecure(), NULL, &channel);
    if (err) {
        fprintf(stderr, "cancellation: %s\n", oyez_strerror(err));
    } else {
        routeguide_route_guide_stub guide = {.channel = channel};
        oyez_ctx *ctx = oyez_ctx_with_cancel(NULL);
        as_told =
            take_three(guide, ctx) == OYEZ_CANCELLED && take_three(guide, NULL) == OYEZ_CANCELLED;
        oyez_ctx_unref(ctx);
    }
    oyez_channel_unref(channel);
    oyez_server_unref(server); /* waits for its handlers */
    return !as_told;
}

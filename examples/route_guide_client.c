/* SPDX-License-Identifier: Apache-2.0 */
/* A client of all four shapes of methods, by functions that wait. */
#include <stdio.h>

#include "route_guide.oyez.h"

static Routeguide__Point point_at(int32_t latitude, int32_t longitude)
{
    Routeguide__Point point = ROUTEGUIDE__POINT__INIT;
    point.latitude = latitude;
    point.longitude = longitude;
    return point;
}

/* Says how a call ended, if it did not end well. */
static bool ended_well(const char *what, oyez_status *status)
{
    bool ok = status->code == OYEZ_OK;
    if (!ok)
        fprintf(stderr, "%s: %s: %s\n", what, oyez_code_name(status->code), status->message);
    oyez_status_fini(status);
    return ok;
}

/* The call did not even start: what is wrong is the program's or the machine's. */
static bool not_started(oyez_err err)
{
    fprintf(stderr, "route_guide: %s\n", oyez_strerror(err));
    return false;
}

static bool get_feature(routeguide_route_guide_stub guide, int32_t latitude, int32_t longitude)
{
    Routeguide__Point point = point_at(latitude, longitude);
    Routeguide__Feature *feature = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    if (routeguide_route_guide_get_feature(guide, NULL, &point, &feature, &status) == OYEZ_OK)
        printf("At %d, %d: %s\n", latitude, longitude,
               feature->name[0] ? feature->name : "nothing");
    routeguide__feature__free_unpacked(feature, NULL);
    return ended_well("GetFeature", &status);
}

static bool list_features(routeguide_route_guide_stub guide)
{
    Routeguide__Point lo = point_at(400000000, -750000000), hi = point_at(420000000, -730000000);
    Routeguide__Rectangle area = ROUTEGUIDE__RECTANGLE__INIT;
    routeguide_route_guide_list_features_stream list;
    const Routeguide__Feature *feature; /* ours until the next recv */
    oyez_status status = OYEZ_STATUS_INIT;
    area.lo = &lo;
    area.hi = &hi;
    oyez_err err = routeguide_route_guide_list_features(guide, NULL, &area, &list);
    if (err)
        return not_started(err);
    while (routeguide_route_guide_list_features_recv(list, &feature))
        printf("Feature: %s\n", feature->name);
    oyez_stream_finish(list.base, &status); /* waits for the status; the stream is gone then */
    return ended_well("ListFeatures", &status);
}

static bool record_route(routeguide_route_guide_stub guide)
{
    Routeguide__Point route[] = {
        point_at(407838351, -746143763),
        point_at(408122808, -743999179),
        point_at(410000000, -744000000),
        point_at(414008389, -743951297),
    };
    routeguide_route_guide_record_route_stream walk;
    const Routeguide__RouteSummary *summary; /* ours until the stream is finished */
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_err err = routeguide_route_guide_record_route(guide, NULL, &walk);
    if (err)
        return not_started(err);
    for (size_t i = 0; i < sizeof(route) / sizeof(route[0]); i++)
        if (!routeguide_route_guide_record_route_send(walk, &route[i]))
            break; /* the stream has ended: finish says why */
    if (routeguide_route_guide_record_route_close_and_recv(walk, &summary))
        printf("A walk of %d points, past %d features, %d m long\n", summary->point_count,
               summary->feature_count, summary->distance);
    oyez_stream_finish(walk.base, &status);
    return ended_well("RecordRoute", &status);
}

static bool route_chat(routeguide_route_guide_stub guide)
{
    static const char *const messages[] = {"first", "second", "third"};
    Routeguide__Point here = point_at(0, 1);
    routeguide_route_guide_route_chat_stream chat;
    const Routeguide__RouteNote *note;
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_err err = routeguide_route_guide_route_chat(guide, NULL, &chat);
    if (err)
        return not_started(err);
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        Routeguide__RouteNote mine = ROUTEGUIDE__ROUTE_NOTE__INIT;
        mine.location = &here;
        mine.message = (char *)messages[i];
        if (!routeguide_route_guide_route_chat_send(chat, &mine))
            break;
    }
    routeguide_route_guide_route_chat_close_send(chat);
    while (routeguide_route_guide_route_chat_recv(chat, &note))
        printf("A note at %d, %d: %s\n", note->location->latitude, note->location->longitude,
               note->message);
    oyez_stream_finish(chat.base, &status);
    return ended_well("RouteChat", &status);
}

int main(void)
{
    oyez_channel *channel = NULL;
    oyez_err err = oyez_channel_new("dns:///localhost:50051", oyez_insecure(), NULL, &channel);
    if (err) {
        fprintf(stderr, "channel: %s\n", oyez_strerror(err));
        return 1;
    }
    const oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .timeout = 5 * OYEZ_SECOND};
    routeguide_route_guide_stub guide = {.channel = channel, .options = &options};
    bool ok = get_feature(guide, 407838351, -746143763) && get_feature(guide, 0, 0) &&
              list_features(guide) && record_route(guide) && route_chat(guide);
    oyez_channel_unref(channel);
    return !ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A server with all four shapes of methods, by handlers that block: each is a loop that reads as
 * it runs. Answers routeguide.RouteGuide on port 50051 until it is ended. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route_guide.oyez.h"

#define NOTES 100

static const struct place {
    const char *name;
    int32_t latitude, longitude;
} places[] = {
    {"Lighthouse", 407838351, -746143763},    {"Old mill", 408122808, -743999179},
    {"Ferry landing", 413628156, -749015468}, {"Observatory", 419999544, -740371136},
    {"Three oaks", 414008389, -743951297},
};

#define PLACES (sizeof(places) / sizeof(places[0]))

static const struct place *place_at(const Routeguide__Point *point)
{
    for (size_t i = 0; i < PLACES; i++)
        if (places[i].latitude == point->latitude && places[i].longitude == point->longitude)
            return &places[i];
    return NULL;
}

/* --- one and one ------------------------------------------------------------------------------ */

static oyez_code get_feature(void *self, oyez_server_call *call, const Routeguide__Point *point,
                             Routeguide__Feature *feature)
{
    const struct place *place = place_at(point);
    (void)self;
    if (place)
        feature->name = oyez_server_call_strdup(call, place->name);
    feature->location = (Routeguide__Point *)point; /* the request lives as long as the reply */
    return OYEZ_OK;
}

/* --- one and many ----------------------------------------------------------------------------- */

static bool is_between(int32_t value, int32_t a, int32_t b)
{
    return (a <= value && value <= b) || (b <= value && value <= a);
}

static oyez_code list_features(void *self, oyez_server_call *call,
                               const Routeguide__Rectangle *area,
                               routeguide_route_guide_list_features_server_stream stream)
{
    (void)self;
    if (!area->lo || !area->hi)
        return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT, "an area has two corners");
    for (size_t i = 0; i < PLACES; i++) {
        Routeguide__Feature feature = ROUTEGUIDE__FEATURE__INIT;
        Routeguide__Point location = ROUTEGUIDE__POINT__INIT;
        if (!is_between(places[i].latitude, area->lo->latitude, area->hi->latitude) ||
            !is_between(places[i].longitude, area->lo->longitude, area->hi->longitude))
            continue;
        location.latitude = places[i].latitude;
        location.longitude = places[i].longitude;
        feature.name = oyez_stream_strdup(stream.base, places[i].name); /* until the next send */
        feature.location = &location;
        if (!routeguide_route_guide_list_features_server_send(stream, &feature))
            return OYEZ_CANCELLED; /* nobody listens any more */
    }
    return OYEZ_OK;
}

/* --- many and one ----------------------------------------------------------------------------- */

/* As one walks in a town: north or south, then east or west. A degree is 111 km. */
static int64_t metres(const Routeguide__Point *a, const Routeguide__Point *b)
{
    int64_t north = llabs((int64_t)a->latitude - b->latitude);
    int64_t east = llabs((int64_t)a->longitude - b->longitude);
    return (north + east) * 111 / 10000;
}

static oyez_code record_route(void *self, oyez_server_call *call,
                              routeguide_route_guide_record_route_server_stream stream,
                              Routeguide__RouteSummary *summary)
{
    const Routeguide__Point *point;
    Routeguide__Point last = ROUTEGUIDE__POINT__INIT;
    oyez_duration begun = oyez_now();
    int64_t distance = 0;
    (void)self;
    (void)call;
    while (routeguide_route_guide_record_route_server_recv(stream, &point)) {
        if (summary->point_count > 0)
            distance += metres(&last, point);
        summary->point_count++;
        summary->feature_count += place_at(point) != NULL;
        last.latitude = point->latitude; /* `point` is ours until the next recv only */
        last.longitude = point->longitude;
    }
    summary->distance = distance < INT32_MAX ? (int32_t)distance : INT32_MAX;
    summary->elapsed_time = (int32_t)((oyez_now() - begun) / OYEZ_SECOND);
    return OYEZ_OK;
}

/* --- many and many ---------------------------------------------------------------------------- */

/* The last notes of everybody. */
typedef struct board {
    pthread_mutex_t lock;
    size_t count; /* of all that were ever left; the oldest give way */
    struct {
        int32_t latitude, longitude;
        char message[120];
    } notes[NOTES];
} board;

static void leave_note(board *b, const Routeguide__RouteNote *note)
{
    pthread_mutex_lock(&b->lock);
    size_t at = b->count++ % NOTES;
    b->notes[at].latitude = note->location->latitude;
    b->notes[at].longitude = note->location->longitude;
    snprintf(b->notes[at].message, sizeof(b->notes[at].message), "%s", note->message);
    pthread_mutex_unlock(&b->lock);
}

/* The note at `*at`, or the next one that was left at the same point. */
static bool find_note(board *b, const Routeguide__Point *point, size_t *at, char *text, size_t room)
{
    bool found = false;
    pthread_mutex_lock(&b->lock);
    for (; !found && *at < b->count && *at < NOTES; ++*at) {
        found = b->notes[*at].latitude == point->latitude &&
                b->notes[*at].longitude == point->longitude;
        if (found)
            snprintf(text, room, "%s", b->notes[*at].message);
    }
    pthread_mutex_unlock(&b->lock);
    return found;
}

static oyez_code route_chat(void *self, oyez_server_call *call,
                            routeguide_route_guide_route_chat_server_stream stream)
{
    const Routeguide__RouteNote *note;
    board *b = self;
    while (routeguide_route_guide_route_chat_server_recv(stream, &note)) {
        char text[120];
        if (!note->location)
            return oyez_server_call_fail(call, OYEZ_INVALID_ARGUMENT, "a note lies somewhere");
        for (size_t at = 0; find_note(b, note->location, &at, text, sizeof(text));) {
            Routeguide__RouteNote earlier = ROUTEGUIDE__ROUTE_NOTE__INIT;
            earlier.location = note->location;
            earlier.message = text;
            if (!routeguide_route_guide_route_chat_server_send(stream, &earlier))
                return OYEZ_CANCELLED;
        }
        leave_note(b, note);
    }
    return OYEZ_OK;
}

static const routeguide_route_guide_service route_guide = {
    .get_feature = get_feature,
    .list_features = list_features,
    .record_route = record_route,
    .route_chat = route_chat,
};

int main(void)
{
    static board notes = {.lock = PTHREAD_MUTEX_INITIALIZER};
    oyez_server *server = NULL;
    oyez_err err = oyez_server_new(NULL, &server);
    if (!err)
        err = routeguide_route_guide_service_register(server, &route_guide, &notes);
    if (!err)
        err = oyez_server_listen(server, "0.0.0.0:50051", oyez_insecure(), NULL);
    if (!err)
        err = oyez_server_serve(server);
    if (err)
        fprintf(stderr, "route_guide: %s\n", oyez_strerror(err));
    oyez_server_unref(server);
    return err != 0;
}

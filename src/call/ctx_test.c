/* SPDX-License-Identifier: Apache-2.0 */
/* oyez_ctx: what flows down, who is called, and the races of cancel, unwatch and the last unref.
 * Deadlines lie an hour in the future or in the past, so nothing here waits for time. */
#include "call/ctx.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "support/test.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/random.h"
#include "support/leak.h"

/* --- what flows down -------------------------------------------------------------------------- */

static void background(void **state)
{
    assert_int_equal(oyez_ctx_err(NULL), OYEZ_OK);
    assert_true(oyez_ctx_deadline(NULL) == OYEZ_FOREVER);
    assert_null(oyez_ctx_value(NULL, state));
    assert_null(oyez_ctx_ref(NULL));
    assert_null(oyez_ctx_unref(NULL));
    assert_err(oyez_ctx_cancel(NULL), OYEZ_ESTATE);
}

static void deadlines_only_shrink(void **state)
{
    (void)state;
    int64_t now = oyez_now();
    oyez_ctx *hour = oyez_ctx_with_timeout(NULL, OYEZ_HOUR);
    assert_true(oyez_ctx_deadline(hour) >= now + OYEZ_HOUR);
    assert_true(oyez_ctx_deadline(hour) <= oyez_now() + OYEZ_HOUR);
    oyez_ctx *longer = oyez_ctx_with_timeout(hour, 2 * OYEZ_HOUR);
    assert_true(oyez_ctx_deadline(longer) == oyez_ctx_deadline(hour));
    oyez_ctx *never = oyez_ctx_with_timeout(longer, OYEZ_FOREVER);
    assert_true(oyez_ctx_deadline(never) == oyez_ctx_deadline(hour));
    oyez_ctx *shorter = oyez_ctx_with_deadline(never, now + OYEZ_MINUTE);
    assert_true(oyez_ctx_deadline(shorter) == now + OYEZ_MINUTE);
    assert_int_equal(oyez_ctx_err(shorter), OYEZ_OK);
    oyez_ctx *past = oyez_ctx_with_timeout(shorter, 0);
    assert_int_equal(oyez_ctx_err(past), OYEZ_DEADLINE_EXCEEDED);
    oyez_ctx *child = oyez_ctx_with_cancel(past);
    assert_int_equal(oyez_ctx_err(child), OYEZ_DEADLINE_EXCEEDED);
    oyez_ctx *free_of_it = oyez_ctx_with_timeout(NULL, OYEZ_FOREVER);
    assert_true(oyez_ctx_deadline(free_of_it) == OYEZ_FOREVER);
    /* Not made to be cancelled. */
    assert_err(oyez_ctx_cancel(hour), OYEZ_ESTATE);
    assert_err(oyez_ctx_cancel(free_of_it), OYEZ_ESTATE);
    oyez_ctx_unref(free_of_it);
    oyez_ctx_unref(hour);
    oyez_ctx_unref(longer);
    oyez_ctx_unref(never);
    oyez_ctx_unref(shorter);
    oyez_ctx_unref(past);
    oyez_ctx_unref(child);
}

static void count_free(void *value)
{
    ++*(int *)value;
}

static void values_flow_down(void **state)
{
    (void)state;
    static const char first_key, second_key;
    int first = 0, second = 0, hidden = 0;
    oyez_ctx *a = oyez_ctx_with_value(NULL, &first_key, &first, count_free);
    oyez_ctx *b = oyez_ctx_with_value(a, &second_key, &second, NULL);
    oyez_ctx *c = oyez_ctx_with_cancel(b);
    oyez_ctx *d = oyez_ctx_with_value(c, &first_key, &hidden, count_free);
    assert_ptr_equal(oyez_ctx_value(a, &first_key), &first);
    assert_null(oyez_ctx_value(a, &second_key));
    assert_ptr_equal(oyez_ctx_value(c, &first_key), &first);
    assert_ptr_equal(oyez_ctx_value(d, &first_key), &hidden);
    assert_ptr_equal(oyez_ctx_value(d, &second_key), &second);
    assert_null(oyez_ctx_value(d, NULL));
    oyez_ctx_unref(a);
    oyez_ctx_unref(b);
    oyez_ctx_unref(c);
    assert_int_equal(first, 0);
    assert_ptr_equal(oyez_ctx_ref(d), d);
    oyez_ctx_unref(d);
    assert_int_equal(hidden, 0);
    assert_null(oyez_ctx_unref(d));
    assert_int_equal(first, 1);
    assert_int_equal(hidden, 1);
}

static void long_chains_are_freed_without_recursion(void **state)
{
    (void)state;
    oyez_ctx *ctx = NULL;
    for (int i = 0; i < 100000; i++) {
        oyez_ctx *child = oyez_ctx_with_deadline(ctx, OYEZ_FOREVER);
        oyez_ctx_unref(ctx);
        ctx = child;
    }
    oyez_ctx_unref(ctx);
}

/* --- cancelling ------------------------------------------------------------------------------- */

struct seen {
    int times;
    oyez_ctx *ctx;
    oyez_code code;
};

static void note(oyez_ctx *ctx, oyez_code code, void *user)
{
    struct seen *seen = user;
    seen->times++;
    seen->ctx = ctx;
    seen->code = code;
}

static void cancel_goes_down_not_up(void **state)
{
    (void)state;
    oyez_ctx *root = oyez_ctx_with_cancel(NULL);
    oyez_ctx *timed = oyez_ctx_with_timeout(root, OYEZ_HOUR);
    oyez_ctx *child = oyez_ctx_with_cancel(timed);
    oyez_ctx *sibling = oyez_ctx_with_cancel(root);
    oyez_ctx *leaf = oyez_ctx_with_value(child, &root, NULL, NULL);
    struct seen by_leaf = {0}, by_root = {0};
    assert_ok(oyez_ctx_on_done(leaf, note, &by_leaf));
    assert_ok(oyez_ctx_on_done(root, note, &by_root));

    assert_ok(oyez_ctx_cancel(child));
    assert_int_equal(oyez_ctx_err(leaf), OYEZ_CANCELLED);
    assert_int_equal(oyez_ctx_err(child), OYEZ_CANCELLED);
    assert_int_equal(oyez_ctx_err(timed), OYEZ_OK);
    assert_int_equal(oyez_ctx_err(sibling), OYEZ_OK);
    assert_int_equal(by_leaf.times, 1);
    assert_ptr_equal(by_leaf.ctx, leaf);
    assert_int_equal(by_leaf.code, OYEZ_CANCELLED);
    assert_err(oyez_ctx_on_done(leaf, note, &by_leaf), OYEZ_ECANCELED);

    assert_ok(oyez_ctx_cancel(root));
    assert_ok(oyez_ctx_cancel(root));
    assert_int_equal(oyez_ctx_err(sibling), OYEZ_CANCELLED);
    assert_int_equal(oyez_ctx_err(timed), OYEZ_CANCELLED);
    assert_int_equal(by_root.times, 1);
    assert_int_equal(by_leaf.times, 1);

    oyez_ctx *late = oyez_ctx_with_cancel(timed);
    assert_int_equal(oyez_ctx_err(late), OYEZ_CANCELLED);
    assert_ok(oyez_ctx_cancel(late));
    oyez_ctx_unref(late);
    oyez_ctx_unref(leaf);
    oyez_ctx_unref(root);
    oyez_ctx_unref(timed);
    oyez_ctx_unref(child);
    oyez_ctx_unref(sibling);
}

static void what_came_first_stays(void **state)
{
    (void)state;
    /* Cancelled long after the deadline. */
    oyez_ctx *late = oy_ctx_with_cancel_at(NULL, oyez_now() - 1);
    struct seen seen = {0};
    assert_ok(oyez_ctx_on_done(late, note, &seen));
    assert_int_equal(oyez_ctx_err(late), OYEZ_DEADLINE_EXCEEDED);
    assert_ok(oyez_ctx_cancel(late));
    assert_int_equal(oyez_ctx_err(late), OYEZ_DEADLINE_EXCEEDED);
    assert_int_equal(seen.code, OYEZ_DEADLINE_EXCEEDED);
    oyez_ctx_unref(late);

    /* The child's deadline had passed, the parent has none. */
    oyez_ctx *parent = oyez_ctx_with_cancel(NULL);
    oyez_ctx *child = oyez_ctx_with_deadline(parent, oyez_now());
    assert_ok(oyez_ctx_cancel(parent));
    assert_int_equal(oyez_ctx_err(parent), OYEZ_CANCELLED);
    assert_int_equal(oyez_ctx_err(child), OYEZ_DEADLINE_EXCEEDED);
    oyez_ctx_unref(child);
    oyez_ctx_unref(parent);

    /* The timer of a call says so itself, a little early. */
    oyez_ctx *call = oy_ctx_with_cancel_at(NULL, oyez_now() + OYEZ_HOUR);
    assert_ok(oy_ctx_cancel(call, OYEZ_DEADLINE_EXCEEDED));
    assert_ok(oyez_ctx_cancel(call));
    assert_int_equal(oyez_ctx_err(call), OYEZ_DEADLINE_EXCEEDED);
    oyez_ctx_unref(call);
}

static void taken_back_is_not_called(void **state)
{
    (void)state;
    oyez_ctx *root = oyez_ctx_with_cancel(NULL);
    oyez_ctx *child = oyez_ctx_with_timeout(root, OYEZ_HOUR);
    struct seen a = {0}, b = {0};
    assert_ok(oyez_ctx_on_done(child, note, &a));
    assert_ok(oyez_ctx_on_done(child, note, &b));
    assert_ok(oyez_ctx_on_done(child, note, &b));
    assert_false(oyez_ctx_off_done(root, note, &a)); /* another ctx */
    assert_true(oyez_ctx_off_done(child, note, &a));
    assert_false(oyez_ctx_off_done(child, note, &a));
    assert_true(oyez_ctx_off_done(child, note, &b));
    oyez_ctx *held = child;
    oyez_ctx_unref(child); /* the registration holds it */
    assert_ok(oyez_ctx_cancel(root));
    assert_int_equal(a.times, 0);
    assert_int_equal(b.times, 1);
    assert_ptr_equal(b.ctx, held);
    assert_false(oyez_ctx_off_done(root, note, &b));
    oyez_ctx_unref(root);

    /* Nobody can cancel these. */
    child = oyez_ctx_with_timeout(NULL, OYEZ_HOUR);
    assert_ok(oyez_ctx_on_done(child, note, &a));
    assert_false(oyez_ctx_off_done(child, note, &a));
    assert_ok(oyez_ctx_on_done(NULL, note, &a));
    assert_false(oyez_ctx_off_done(NULL, note, &a));
    assert_err(oyez_ctx_on_done(child, NULL, &a), OYEZ_ENULL);
    oyez_ctx_unref(child);
}

struct guest {
    oy_ctx_watch watch;
    oyez_ctx *ctx;
    int times;
    struct guest *victim; /* stopped by the callback */
    oyez_ctx *drop;       /* unreferenced by the callback */
    bool frees_itself, stops_itself;
};

static void on_guest_done(oy_ctx_watch *watch, oyez_code code)
{
    struct guest *me = oy_container_of(watch, struct guest, watch);
    assert_int_equal(code, OYEZ_CANCELLED);
    me->times++;
    if (me->victim)
        assert_true(oy_ctx_watch_stop(&me->victim->watch));
    if (me->stops_itself)
        assert_false(oy_ctx_watch_stop(&me->watch));
    oyez_ctx_unref(me->drop);
    if (me->frees_itself)
        oy_free(me);
}

static void callbacks_may_do_as_they_like(void **state)
{
    (void)state;
    oyez_ctx *root = oyez_ctx_with_cancel(NULL);
    oyez_ctx *child = oyez_ctx_with_cancel(root);
    struct guest *first = oy_alloc_zero(sizeof(*first));
    struct guest second = {0}, third = {0}, fourth = {0};
    uint64_t before = oy_leak_allocations();
    first->frees_itself = true;
    first->victim = &second;
    third.stops_itself = true;
    third.drop = child; /* the last reference, in the middle of its own cancellation */
    fourth.drop = root; /* and that of the one who is cancelling */
    assert_int_equal(oy_ctx_watch_start(root, &first->watch, on_guest_done), OYEZ_OK);
    assert_int_equal(oy_ctx_watch_start(root, &second.watch, on_guest_done), OYEZ_OK);
    assert_int_equal(oy_ctx_watch_start(child, &third.watch, on_guest_done), OYEZ_OK);
    assert_int_equal(oy_ctx_watch_start(root, &fourth.watch, on_guest_done), OYEZ_OK);
    assert_int_equal(oy_leak_allocations(), before);
    assert_ok(oyez_ctx_cancel(root));
    assert_int_equal(second.times, 0);
    assert_int_equal(third.times, 1);
    assert_int_equal(fourth.times, 1);
    assert_false(oy_ctx_watch_stop(&second.watch));
}

static void watching_nothing(void **state)
{
    (void)state;
    struct guest guest = {0};
    assert_false(oy_ctx_watch_stop(&guest.watch));
    assert_int_equal(oy_ctx_watch_start(NULL, &guest.watch, on_guest_done), OYEZ_OK);
    assert_false(oy_ctx_watch_stop(&guest.watch));
    oyez_ctx *ctx = oyez_ctx_with_cancel(NULL);
    assert_int_equal(oy_ctx_watch_start(ctx, &guest.watch, on_guest_done), OYEZ_OK);
    assert_true(oy_ctx_watch_stop(&guest.watch));
    assert_false(oy_ctx_watch_stop(&guest.watch));
    assert_ok(oyez_ctx_cancel(ctx));
    assert_int_equal(oy_ctx_watch_start(ctx, &guest.watch, on_guest_done), OYEZ_CANCELLED);
    assert_false(oy_ctx_watch_stop(&guest.watch));
    assert_int_equal(guest.times, 0);
    oyez_ctx_unref(ctx);
}

static void without_memory_calls_fail(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        int freed = 0;
        struct seen seen = {0};
        oyez_ctx *a = oyez_ctx_with_timeout(NULL, OYEZ_HOUR);
        oyez_ctx *b = oyez_ctx_with_cancel(a);
        oyez_ctx *c = oyez_ctx_with_value(b, &freed, &freed, count_free);
        oyez_err err = oyez_ctx_on_done(c, note, &seen);
        assert_true(a && b && c);
        assert_int_equal(err != 0, oy_fail_triggered());
        if (oyez_ctx_err(c) != OYEZ_OK) {
            assert_true(oy_fail_triggered());
            assert_int_equal(oyez_ctx_err(c), OYEZ_RESOURCE_EXHAUSTED);
            assert_int_equal(freed, 1);
            assert_null(oyez_ctx_value(c, &freed));
            assert_ptr_equal(oyez_ctx_ref(c), c);
            oyez_ctx_unref(c);
            struct guest guest = {0};
            assert_int_equal(oy_ctx_watch_start(c, &guest.watch, on_guest_done),
                             OYEZ_RESOURCE_EXHAUSTED);
            assert_false(oy_ctx_watch_stop(&guest.watch));
        } else {
            assert_int_equal(freed, 0);
        }
        assert_ok(oyez_ctx_cancel(b));
        assert_int_equal(seen.times, !err);
        oyez_ctx_unref(a);
        oyez_ctx_unref(b);
        oyez_ctx_unref(c);
        assert_int_equal(freed, 1);
    }
}

/* --- races ------------------------------------------------------------------------------------ */

/* One thread cancels the root while others, each with children of its own, watch, register, take
 * back, cancel and drop. What a stopped watch may not do is run afterwards. */

enum { ROUNDS = 400, WORKERS = 3, STEPS = 6 };

struct race {
    oyez_ctx *root;
    pthread_barrier_t start;
    atomic_int called, taken_back, registered;
};

typedef struct racer_watch {
    oy_ctx_watch watch;
    struct race *race;
    bool alive; /* not atomic on purpose: the thread sanitizer judges the order */
    int times;
} racer_watch;

static void on_racer_done(oy_ctx_watch *watch, oyez_code code)
{
    racer_watch *me = oy_container_of(watch, racer_watch, watch);
    (void)code;
    if (!me->alive)
        abort();
    me->times++;
}

static void count_call(oyez_ctx *ctx, oyez_code code, void *user)
{
    struct race *race = user;
    if (oyez_ctx_err(ctx) == OYEZ_OK || code == OYEZ_OK)
        abort();
    (void)atomic_fetch_add(&race->called, 1);
}

static void watch_and_stop(struct race *race, oyez_ctx *ctx)
{
    racer_watch *mine = oy_alloc_zero(sizeof(*mine));
    if (!mine)
        abort();
    mine->race = race;
    mine->alive = true;
    oyez_code code = oy_ctx_watch_start(ctx, &mine->watch, on_racer_done);
    bool stopped = oy_ctx_watch_stop(&mine->watch);
    if (code != OYEZ_OK && (stopped || mine->times != 0))
        abort();
    if (code == OYEZ_OK && mine->times != !stopped)
        abort();
    mine->alive = false;
    oy_free(mine);
}

static void register_and_take_back(struct race *race, oyez_ctx *ctx, bool take_back)
{
    if (oyez_ctx_on_done(ctx, count_call, race) != 0)
        return;
    (void)atomic_fetch_add(&race->registered, 1);
    if (take_back && oyez_ctx_off_done(ctx, count_call, race))
        (void)atomic_fetch_add(&race->taken_back, 1);
}

static void *run_worker(void *user)
{
    struct race *race = user;
    oyez_ctx *root = oyez_ctx_ref(race->root);
    (void)pthread_barrier_wait(&race->start);
    for (int step = 0; step < STEPS; step++) {
        oyez_ctx *child = oyez_ctx_with_cancel(root);
        oyez_ctx *leaf = oyez_ctx_with_value(child, &race, NULL, NULL);
        oyez_ctx *grandchild = oyez_ctx_with_cancel(leaf);
        watch_and_stop(race, leaf);
        watch_and_stop(race, root);
        register_and_take_back(race, leaf, true);
        if (step % 3 == 0) {
            register_and_take_back(race, grandchild, false);
            (void)oyez_ctx_cancel(child);
        }
        oyez_ctx_unref(child);
        watch_and_stop(race, grandchild);
        oyez_ctx_unref(leaf);
        oyez_ctx_unref(grandchild);
    }
    oyez_ctx_unref(root);
    return NULL;
}

static void *run_canceller(void *user)
{
    struct race *race = user;
    (void)pthread_barrier_wait(&race->start);
    (void)oyez_ctx_cancel(race->root);
    return NULL;
}

static void cancel_and_stop_race(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct race race = {.root = oyez_ctx_with_cancel(NULL)};
        pthread_t threads[WORKERS + 2];
        assert_int_equal(pthread_barrier_init(&race.start, NULL, WORKERS + 2), 0);
        for (int i = 0; i < WORKERS + 2; i++)
            assert_int_equal(
                pthread_create(&threads[i], NULL, i < WORKERS ? run_worker : run_canceller, &race),
                0);
        for (int i = 0; i < WORKERS + 2; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        pthread_barrier_destroy(&race.start);
        assert_int_equal(oyez_ctx_err(race.root), OYEZ_CANCELLED);
        /* Each registration was called or taken back: one of the two, once. */
        assert_int_equal(atomic_load(&race.called) + atomic_load(&race.taken_back),
                         atomic_load(&race.registered));
        oyez_ctx_unref(race.root);
    }
}

/* Children that lose their last reference while their parent is on its way to them. */
enum { CHILDREN = 64 };

struct orphanage {
    oyez_ctx *root;
    oyez_ctx *children[CHILDREN];
    pthread_barrier_t start;
};

static void *drop_children(void *user)
{
    struct orphanage *orphanage = user;
    (void)pthread_barrier_wait(&orphanage->start);
    for (int i = 0; i < CHILDREN; i++)
        oyez_ctx_unref(orphanage->children[i]);
    return NULL;
}

static void last_unref_meets_the_parent(void **state)
{
    (void)state;
    struct orphanage orphanage;
    assert_int_equal(pthread_barrier_init(&orphanage.start, NULL, 2), 0);
    for (int round = 0; round < ROUNDS; round++) {
        orphanage.root = oyez_ctx_with_cancel(NULL);
        for (int i = 0; i < CHILDREN; i++)
            orphanage.children[i] = oyez_ctx_with_cancel(orphanage.root);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, drop_children, &orphanage), 0);
        (void)pthread_barrier_wait(&orphanage.start);
        assert_ok(oyez_ctx_cancel(orphanage.root));
        assert_int_equal(pthread_join(thread, NULL), 0);
        oyez_ctx_unref(orphanage.root);
    }
    pthread_barrier_destroy(&orphanage.start);
}

/* A callback that is under way is waited for. */
struct slow {
    pthread_barrier_t inside;
    atomic_bool stop_called;
    bool finished; /* not atomic on purpose */
};

static void linger(oyez_ctx *ctx, oyez_code code, void *user)
{
    struct slow *slow = user;
    (void)ctx;
    (void)code;
    (void)pthread_barrier_wait(&slow->inside);
    while (!atomic_load(&slow->stop_called))
        (void)sched_yield();
    for (int i = 0; i < 100; i++)
        (void)sched_yield();
    slow->finished = true;
}

static void *cancel_thread(void *user)
{
    (void)oyez_ctx_cancel(user);
    return NULL;
}

static void stop_waits_for_a_running_callback(void **state)
{
    (void)state;
    oyez_ctx *ctx = oyez_ctx_with_cancel(NULL);
    struct slow slow = {.finished = false};
    pthread_t thread;
    assert_int_equal(pthread_barrier_init(&slow.inside, NULL, 2), 0);
    assert_ok(oyez_ctx_on_done(ctx, linger, &slow));
    assert_int_equal(pthread_create(&thread, NULL, cancel_thread, ctx), 0);
    (void)pthread_barrier_wait(&slow.inside);
    atomic_store(&slow.stop_called, true);
    assert_false(oyez_ctx_off_done(ctx, linger, &slow));
    assert_true(slow.finished);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_barrier_destroy(&slow.inside);
    oyez_ctx_unref(ctx);
}

OY_TEST_GROUP(call_ctx, oy_leak_test(background), oy_leak_test(deadlines_only_shrink),
              oy_leak_test(values_flow_down), oy_leak_test(long_chains_are_freed_without_recursion),
              oy_leak_test(cancel_goes_down_not_up), oy_leak_test(what_came_first_stays),
              oy_leak_test(taken_back_is_not_called), oy_leak_test(callbacks_may_do_as_they_like),
              oy_leak_test(watching_nothing), oy_leak_test(without_memory_calls_fail),
              oy_leak_test(cancel_and_stop_race), oy_leak_test(last_unref_meets_the_parent),
              oy_leak_test(stop_waits_for_a_running_callback));

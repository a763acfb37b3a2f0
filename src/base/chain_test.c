/* SPDX-License-Identifier: Apache-2.0 */
/* The chain: order, the wake-up, and that nothing is lost between threads. */
#include "base/chain.h"

#include <pthread.h>

#include "support/test.h"

static void test_order(void **state)
{
    oy_chain chain = { NULL };
    oy_link links[3];
    oy_link *taken;
    (void)state;
    assert_true(oy_chain_empty(&chain));
    assert_null(oy_chain_take(&chain));
    assert_true(oy_chain_push(&chain, &links[0])); /* was empty: wake */
    assert_false(oy_chain_push(&chain, &links[1]));
    assert_false(oy_chain_push(&chain, &links[2]));
    assert_false(oy_chain_empty(&chain));
    taken = oy_chain_take(&chain);
    assert_ptr_equal(taken, &links[0]);
    assert_ptr_equal(taken->next, &links[1]);
    assert_ptr_equal(taken->next->next, &links[2]);
    assert_null(taken->next->next->next);
    assert_true(oy_chain_empty(&chain));
    assert_true(oy_chain_push(&chain, &links[0]));
}

enum { THREADS = 3, EACH = 5000 };

typedef struct pusher {
    pthread_t thread;
    oy_chain *chain;
    struct {
        oy_link link;
        uint32_t pusher, number;
    } items[EACH];
    uint32_t seen; /* by the taker */
} pusher;

static void *push_all(void *user)
{
    pusher *p = user;
    for (uint32_t i = 0; i < EACH; i++)
        (void)oy_chain_push(p->chain, &p->items[i].link);
    return NULL;
}

static void test_threads(void **state)
{
    static pusher pushers[THREADS];
    oy_chain chain = { NULL };
    size_t left = (size_t)THREADS * EACH;
    (void)state;
    for (uint32_t t = 0; t < THREADS; t++) {
        pushers[t].chain = &chain;
        pushers[t].seen = 0;
        for (uint32_t i = 0; i < EACH; i++) {
            pushers[t].items[i].pusher = t;
            pushers[t].items[i].number = i;
        }
        assert_int_equal(pthread_create(&pushers[t].thread, NULL, push_all, &pushers[t]), 0);
    }
    while (left) {
        oy_link *link = oy_chain_take(&chain);
        if (!link)
            sched_yield();
        for (; link; link = link->next, left--) {
            uint32_t t = ((const uint32_t *)(const void *)(link + 1))[0];
            uint32_t number = ((const uint32_t *)(const void *)(link + 1))[1];
            assert_int_equal(number, pushers[t].seen++); /* each pusher's in its order */
        }
    }
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(pushers[t].thread, NULL), 0);
}

OY_TEST_GROUP(base_chain, cmocka_unit_test(test_order), cmocka_unit_test(test_threads));

/* SPDX-License-Identifier: Apache-2.0 */
/* The last words. In a child, for they are the last. */
#include "base/assert.h"

#include "support/death.h"
#include "support/test.h"

static void panic(void *user)
{
    (void)user;
    oy_panic("file.c", 42, "the impossible happened");
}

static void fail_assertion(void *user)
{
    (void)user;
    oy_assert(user != NULL);
}

static void live(void *user)
{
    (void)user;
    oy_assert(user == NULL);
}

static void test_words(void **state)
{
    (void)state;
    assert_true(oy_dies_with(panic, NULL, "oyez: file.c:42: the impossible happened\n"));
    assert_false(oy_dies_with(panic, NULL, "other words"));
    assert_false(oy_dies_with(live, NULL, ""));
#ifdef NDEBUG
    assert_false(oy_dies_with(fail_assertion, NULL, ""));
#else
    assert_true(oy_dies_with(fail_assertion, NULL, "panic_test.c:"));
    assert_true(oy_dies_with(fail_assertion, NULL, ": user != ((void *)0)\n") ||
                oy_dies_with(fail_assertion, NULL, ": user != NULL\n"));
#endif
}

OY_TEST_GROUP(base_panic, cmocka_unit_test(test_words));

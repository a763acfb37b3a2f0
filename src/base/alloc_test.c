/* SPDX-License-Identifier: Apache-2.0 */
/* The door to the allocator: sizes of zero and of overflow, the user's allocator, failures. */
#include "base/alloc.h"

#include <stdlib.h>

#include <oyez/alloc.h>

#include "support/leak.h"
#include "support/test.h"

/* with malloc, and with an allocator of the user's */
static void use_all(void)
{
    static const unsigned char zeros[64];
    unsigned char *memory = oy_alloc(64);
    char *text;
    assert_non_null(memory);
    memset(memory, 7, 64);
    memory = oy_realloc(memory, 4096);
    assert_non_null(memory);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(memory[i], 7);
    memory = oy_realloc(memory, 0); /* smaller, but still memory */
    assert_non_null(memory);
    oy_free(memory);

    memory = oy_alloc_zero(64);
    assert_non_null(memory);
    assert_memory_equal(memory, zeros, 64);
    oy_free(memory);

    memory = oy_alloc(0);
    assert_non_null(memory);
    oy_free(memory);
    memory = oy_alloc_zero(0);
    assert_non_null(memory);
    oy_free(memory);
    memory = oy_realloc(NULL, 0);
    assert_non_null(memory);
    oy_free(memory);
    memory = oy_alloc_array(0, 8);
    assert_non_null(memory);
    memory = oy_realloc_array(memory, 3, 8);
    assert_non_null(memory);
    memset(memory, 1, 24);
    assert_null(oy_realloc_array(memory, SIZE_MAX / 2, 3)); /* which leaves it alone */
    assert_int_equal(memory[23], 1);
    oy_free(memory);
    assert_null(oy_alloc_array(SIZE_MAX / 2, 3));
    oy_free(NULL);

    text = oy_strndup("oyez, oyez", 4);
    assert_string_equal(text, "oyez");
    oy_free(text);
    text = oy_strndup(NULL, 0);
    assert_string_equal(text, "");
    oy_free(text);
    assert_null(oy_strndup("x", SIZE_MAX));
}

static void test_with_malloc(void **state)
{
    (void)state;
    use_all();
}

static void test_with_counting(void **state)
{
    (void)state;
    use_all();
    assert_true(oy_leak_allocations() > 5);
    assert_int_equal(oy_leak_live_blocks(), 0);
    assert_int_equal(oy_leak_live_bytes(), 0);
}

static void *some_alloc(void *self, size_t bytes)
{
    ++*(int *)self;
    return malloc(bytes);
}

static void *some_realloc(void *self, void *memory, size_t bytes)
{
    ++*(int *)self;
    return realloc(memory, bytes);
}

static void some_free(void *self, void *memory)
{
    --*(int *)self;
    free(memory);
}

static void test_set_allocator(void **state)
{
    int live = 0;
    oyez_allocator own = { OYEZ_ALLOCATOR_INIT, .alloc = some_alloc, .realloc = some_realloc,
                           .free = some_free, .self = &live };
    struct {
        oyez_allocator known;
        void *unknown;
    } newer;
    oyez_allocator bad;
    void *memory;
    (void)state;

    assert_ok(oyez_set_allocator(&own));
    memset(&own, 0, sizeof(own)); /* it was copied */
    memory = oy_alloc(10);
    assert_non_null(memory);
    assert_int_equal(live, 1);
    oy_free(memory);
    assert_int_equal(live, 0);
    assert_ok(oyez_set_allocator(NULL));
    memory = oy_alloc(10);
    assert_int_equal(live, 0);
    oy_free(memory);

    own = (oyez_allocator){ OYEZ_ALLOCATOR_INIT, .alloc = some_alloc, .realloc = some_realloc,
                            .free = some_free, .self = &live };
    bad = own;
    bad.alloc = NULL;
    assert_err(oyez_set_allocator(&bad), OYEZ_ENULL);
    bad = own;
    bad.realloc = NULL;
    assert_err(oyez_set_allocator(&bad), OYEZ_ENULL);
    bad = own;
    bad.free = NULL;
    assert_err(oyez_set_allocator(&bad), OYEZ_ENULL);
    bad = own;
    bad.size = 0;
    assert_err(oyez_set_allocator(&bad), OYEZ_ESIZE);
    memset(&newer, 0, sizeof(newer));
    newer.known = own;
    newer.known.size = sizeof(newer);
    newer.unknown = &live;
    assert_err(oyez_set_allocator(&newer.known), OYEZ_E2BIG);

    memory = oy_alloc(10); /* none of them was taken */
    assert_int_equal(live, 0);
    oy_free(memory);
}

static void test_failing(void **state)
{
    unsigned rounds = 0;
    (void)state;
    OY_FAULT_WALK() {
        void *a = oy_alloc(1), *b = oy_alloc_zero(1), *c = oy_strndup("x", 1);
        void *d = oy_realloc_array(NULL, 2, 2), *e = a ? oy_realloc(a, 100) : NULL;
        rounds++;
        assert_int_equal(oy_fail_triggered(), !a || !b || !c || !d || !e);
        oy_free(e ? e : a);
        oy_free(b);
        oy_free(c);
        oy_free(d);
    }
    assert_int_equal(rounds, 6);
}

OY_TEST_GROUP(base_alloc, cmocka_unit_test(test_with_malloc), oy_leak_test(test_with_counting),
              cmocka_unit_test(test_set_allocator), cmocka_unit_test(test_failing));

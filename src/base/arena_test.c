/* SPDX-License-Identifier: Apache-2.0 */
/* The arena: alignment, growth, marks, limits, and that a steady life allocates nothing. */
#include "base/arena.h"

#include "base/random.h"
#include "support/leak.h"
#include "support/test.h"

static bool aligned(const void *memory)
{
    return (uintptr_t)memory % 16 == 0;
}

static void test_first_memory(void **state)
{
    _Alignas(16) char first[256];
    oyez_arena arena;
    char *a, *b;
    (void)state;
    oy_arena_init(&arena, first, sizeof(first));
    a = oy_arena_alloc(&arena, 1);
    b = oy_arena_alloc(&arena, 17);
    assert_ptr_equal(a, first);
    assert_ptr_equal(b, first + 16);
    assert_ptr_equal(oy_arena_alloc(&arena, 208), first + 48); /* to the last byte */
    assert_int_equal(oy_leak_live_blocks(), 0);
    assert_non_null(oy_arena_alloc(&arena, 1));
    assert_int_equal(oy_leak_live_blocks(), 1);
    oy_arena_reset(&arena);
    assert_ptr_equal(oy_arena_alloc(&arena, 0), first);
    assert_ptr_equal(oy_arena_alloc(&arena, 0), first + 16); /* each its own */
    oy_arena_fini(&arena);
    memset(first, 1, sizeof(first)); /* it is the embedder's again */
}

static void test_crooked_first_memory(void **state)
{
    _Alignas(16) char first[100];
    oyez_arena arena;
    (void)state;
    oy_arena_init(&arena, first + 3, 50);
    assert_ptr_equal(oy_arena_alloc(&arena, 16), first + 16);
    assert_ptr_equal(oy_arena_alloc(&arena, 16), first + 32);
    assert_int_equal(oy_leak_live_blocks(), 0);
    assert_non_null(oy_arena_alloc(&arena, 16)); /* 53 - 48 bytes are too few */
    assert_int_equal(oy_leak_live_blocks(), 1);
    oy_arena_fini(&arena);

    oy_arena_init(&arena, first + 3, 20); /* nothing is left of it */
    assert_non_null(oy_arena_alloc(&arena, 1));
    assert_int_equal(oy_leak_live_blocks(), 1);
    oy_arena_fini(&arena);
    oy_arena_init(&arena, NULL, 0);
    oy_arena_reset(&arena);
    oy_arena_fini(&arena);
    oy_arena_fini(&arena); /* twice is harmless */
}

static void test_pieces_do_not_overlap(void **state)
{
    enum { PIECES = 500 };
    static unsigned char *pieces[PIECES];
    static size_t sizes[PIECES];
    oy_random random = { 1 };
    oyez_arena arena;
    (void)state;
    oy_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < PIECES; i++) {
        sizes[i] = (size_t)(oy_random_next(&random) % (i % 50 == 0 ? 100000 : 300));
        pieces[i] = oy_arena_alloc(&arena, sizes[i]);
        assert_non_null(pieces[i]);
        assert_true(aligned(pieces[i]));
        memset(pieces[i], (int)(i & 0xff), sizes[i]);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(pieces[i][j], i & 0xff);
    oy_arena_fini(&arena);
}

static void test_steady_life_allocates_nothing(void **state)
{
    _Alignas(16) char first[64];
    oyez_arena arena;
    uint64_t before = 0;
    (void)state;
    oy_arena_init(&arena, first, sizeof(first));
    for (int life = 0; life < 20; life++) {
        if (life == 5) /* by then one chunk is large enough for all */
            before = oy_leak_allocations();
        for (int i = 0; i < 100; i++)
            assert_non_null(oy_arena_alloc(&arena, 200));
        oy_arena_reset(&arena);
        assert_int_equal(arena.total, 0);
        assert_true(oy_leak_live_blocks() <= 1);
        assert_true(oy_leak_live_bytes() <= 65536);
    }
    assert_int_equal(oy_leak_allocations(), before);
    assert_non_null(oy_arena_alloc(&arena, 1 << 20));
    oy_arena_reset(&arena);
    assert_true(oy_leak_live_bytes() <= 65536); /* the large one was not kept */
    oy_arena_fini(&arena);
}

static void test_marks(void **state)
{
    _Alignas(16) char first[128];
    oyez_arena arena;
    oy_arena_mark start, inside;
    char *kept, *after;
    (void)state;
    oy_arena_init(&arena, first, sizeof(first));
    start = oy_arena_get_mark(&arena);
    kept = oy_arena_dup(&arena, "kept", 4);
    inside = oy_arena_get_mark(&arena);
    after = oy_arena_alloc(&arena, 16);
    oy_arena_back_to(&arena, inside);
    assert_ptr_equal(oy_arena_alloc(&arena, 16), after); /* in the same chunk */
    for (int i = 0; i < 100; i++)
        assert_non_null(oy_arena_alloc(&arena, 1000));
    oy_arena_back_to(&arena, inside); /* over several chunks */
    assert_ptr_equal(oy_arena_alloc(&arena, 16), after);
    assert_string_equal(kept, "kept");
    assert_int_equal(arena.total, 0);
    oy_arena_back_to(&arena, start);
    assert_ptr_equal(oy_arena_alloc(&arena, 1), first);
    oy_arena_fini(&arena);

    oy_arena_init(&arena, NULL, 0); /* a mark of nothing */
    start = oy_arena_get_mark(&arena);
    assert_non_null(oy_arena_alloc(&arena, 10));
    inside = oy_arena_get_mark(&arena); /* in the middle of a chunk */
    after = oy_arena_alloc(&arena, 10);
    assert_non_null(oy_arena_alloc(&arena, 50000));
    oy_arena_back_to(&arena, inside);
    assert_ptr_equal(oy_arena_alloc(&arena, 10), after);
    oy_arena_back_to(&arena, start);
    assert_int_equal(arena.total, 0);
    oy_arena_fini(&arena);
}

static void test_limit(void **state)
{
    oyez_arena arena;
    size_t got = 0;
    (void)state;
    oy_arena_init(&arena, NULL, 0);
    arena.limit = 10000;
    while (oy_arena_alloc(&arena, 100))
        got += 100;
    assert_true(arena.total <= 10000);
    assert_true(got > 8500 && got <= 10000);
    assert_null(oy_arena_alloc(&arena, 1 << 20));
    oy_arena_reset(&arena);
    assert_non_null(oy_arena_alloc(&arena, 9000)); /* none of it counts any more */
    oy_arena_reset(&arena);
    arena.limit = 1000; /* less than the spare chunk */
    assert_non_null(oy_arena_alloc(&arena, 900));
    assert_true(arena.total <= 1000);
    assert_null(oy_arena_alloc(&arena, 900));
    oy_arena_fini(&arena);
}

static void test_no_such_size(void **state)
{
    oyez_arena arena;
    (void)state;
    oy_arena_init(&arena, NULL, 0);
    assert_null(oy_arena_alloc(&arena, SIZE_MAX));
    assert_null(oy_arena_alloc(&arena, SIZE_MAX - 15));
    assert_null(oy_arena_alloc(&arena, SIZE_MAX - 40));
    assert_null(oy_arena_dup(&arena, "x", SIZE_MAX));
    oy_arena_fini(&arena);
}

static void test_text(void **state)
{
    _Alignas(16) char first[64];
    static char word[1000];
    oyez_arena arena;
    char *text;
    (void)state;
    oy_arena_init(&arena, first, sizeof(first));
    assert_string_equal(oy_arena_printf(&arena, "%s %d", "call", 7), "call 7");
    memset(word, 'w', sizeof(word) - 1);
    for (size_t len = 250; len < 260; len++) { /* about the size of the stack buffer */
        text = oy_arena_printf(&arena, "%.*s", (int)len, word);
        assert_int_equal(strlen(text), len);
    }
    text = oy_arena_printf(&arena, "<%s>", word);
    assert_int_equal(strlen(text), 1001);
    assert_int_equal(text[1000], '>');
    text = oy_arena_dup(&arena, "a\0b", 3);
    assert_memory_equal(text, "a\0b", 4);
    assert_string_equal(oy_arena_dup(&arena, NULL, 0), "");
    oy_arena_fini(&arena);
}

static void test_faults(void **state)
{
    static char word[1000];
    (void)state;
    memset(word, 'w', sizeof(word) - 1);
    OY_FAULT_WALK() {
        oyez_arena arena;
        bool all;
        oy_arena_init(&arena, NULL, 0);
        all = oy_arena_alloc(&arena, 3000) && oy_arena_printf(&arena, "%s", word) &&
              oy_arena_printf(&arena, "%s", word) && oy_arena_alloc(&arena, 100000) &&
              oy_arena_dup(&arena, word, sizeof(word));
        assert_int_equal(all, !oy_fail_triggered());
        oy_arena_fini(&arena);
    }
}

OY_TEST_GROUP(base_arena, oy_leak_test(test_first_memory), oy_leak_test(test_crooked_first_memory),
              oy_leak_test(test_pieces_do_not_overlap),
              oy_leak_test(test_steady_life_allocates_nothing), oy_leak_test(test_marks),
              oy_leak_test(test_limit), oy_leak_test(test_no_such_size), oy_leak_test(test_text),
              cmocka_unit_test(test_faults));

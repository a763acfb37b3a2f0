/* SPDX-License-Identifier: Apache-2.0 */
/* Slices: when they allocate, what they share, and what is left after a failure. */
#include "mem/block.h"
#include "mem/mem.h"

#include "support/leak.h"
#include "support/test.h"

static oyez_buffer make(const char *text)
{
    oyez_buffer buffer;
    assert_ok(oyez_buffer_copy(NULL, text, strlen(text), &buffer));
    return buffer;
}

/* A slice of one buffer for each word. */
static oyez_slice slice_of(const char *const *words)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    for (; *words; words++)
        assert_ok(oyez_slice_append(&slice, make(*words)));
    return slice;
}

static void assert_text(const oyez_slice *slice, const char *text)
{
    char bytes[200];
    size_t sum = 0;
    assert_int_equal(slice->len, strlen(text));
    assert_int_equal(oyez_slice_copy_to(slice, bytes, sizeof(bytes)), slice->len);
    assert_memory_equal(bytes, text, slice->len);
    for (uint32_t i = 0; i < slice->count; i++)
        sum += oyez_slice_items(slice)[i].len;
    assert_int_equal(sum, slice->len);
}

static const char *const many_words[] = { "one ",  "two ",   "three ", "four ",   "five ",
                                          "six ",  "seven ", "eight ", "nine ",   "ten ",
                                          "eleven ", "twelve ", NULL };
#define MANY_TEXT "one two three four five six seven eight nine ten eleven twelve "

static void test_two_allocate_nothing(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT, moved, copy;
    oyez_buffer a = make("ab"), b = make("cd");
    uint64_t before = oy_leak_allocations();
    (void)state;
    assert_ok(oyez_slice_append(&slice, a));
    assert_ok(oyez_slice_append(&slice, b));
    assert_text(&slice, "abcd");
    moved = slice; /* by assignment */
    assert_text(&moved, "abcd");
    assert_ok(oyez_slice_ref(&moved, &copy));
    assert_text(&copy, "abcd");
    oyez_slice_fini(&moved);
    assert_int_equal(moved.count, 0);
    assert_text(&copy, "abcd");
    oyez_slice_fini(&copy);
    oyez_slice_fini(&copy); /* empty */
    oyez_slice_fini(NULL);
    assert_int_equal(oy_leak_allocations(), before);
}

static void test_many(void **state)
{
    oyez_slice slice = slice_of(many_words), moved, copy;
    uint64_t before;
    (void)state;
    assert_int_equal(slice.count, 12);
    assert_true(slice.capacity >= 12);
    assert_text(&slice, MANY_TEXT);
    moved = slice;
    before = oy_leak_allocations();
    assert_ok(oyez_slice_ref(&moved, &copy));
    assert_int_equal(oy_leak_allocations(), before + 1); /* one array */
    oyez_slice_fini(&moved);
    assert_text(&copy, MANY_TEXT);
    oyez_slice_fini(&copy);
}

static void test_growth(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_buffer buffer = make("x");
    uint64_t before = oy_leak_allocations();
    (void)state;
    for (int i = 0; i < 10000; i++)
        assert_ok(oyez_slice_append(&slice, oyez_buffer_ref(&buffer)));
    assert_int_equal(slice.len, 10000);
    assert_true(oy_leak_allocations() - before <= 12); /* it doubles */
    oyez_slice_fini(&slice);
    assert_true(oy_block_is_sole(buffer.block));
    oyez_buffer_fini(&buffer);
}

static void test_empty_buffers(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_block *block;
    oyez_buffer buffer;
    (void)state;
    assert_ok(oyez_block_new(NULL, 10, &block));
    assert_ok(oyez_slice_append(&slice, oyez_buffer_of_block(block, 0)));
    assert_int_equal(slice.count, 0);
    assert_int_equal(oy_leak_live_blocks(), 0); /* its reference was taken all the same */
    assert_ok(oyez_slice_contiguous(&slice, NULL, &buffer));
    assert_int_equal(buffer.len, 0);
    assert_non_null(buffer.data);
    assert_int_equal(oyez_slice_copy_to(&slice, NULL, 0), 0);
    oyez_buffer_fini(&buffer);
    oyez_slice_fini(&slice);
}

static void test_sum_overflows(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_buffer endless = { (const uint8_t *)"", SIZE_MAX, NULL };
    (void)state;
    assert_ok(oyez_slice_append(&slice, endless));
    assert_err(oyez_slice_append(&slice, make("x")), OYEZ_EINVAL);
    assert_err(oyez_slice_append_slice(&slice, &slice), OYEZ_EINVAL);
    assert_int_equal(slice.count, 1);
    oyez_slice_fini(&slice);
}

static void test_append_slice(void **state)
{
    static const char *const some[] = { "ab", "cd", "ef", NULL };
    oyez_slice slice = slice_of(some), more = slice_of(many_words);
    (void)state;
    assert_ok(oyez_slice_append_slice(&slice, &more));
    oyez_slice_fini(&more);
    assert_text(&slice, "abcdef" MANY_TEXT);
    oyez_slice_fini(&slice);

    slice = slice_of(some);
    for (int i = 0; i < 3; i++) /* itself */
        assert_ok(oyez_slice_append_slice(&slice, &slice));
    assert_int_equal(slice.count, 24);
    assert_text(&slice, "abcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdef");
    oyez_slice_fini(&slice);
}

static void test_keep(void **state)
{
    char text[] = "borrowed ";
    oyez_slice slice = oy_slice_of((oyez_buffer){ (const uint8_t *)text, 9, NULL }), kept;
    (void)state;
    assert_ok(oyez_slice_append(&slice, make("owned ")));
    assert_ok(oyez_slice_append(&slice, make("too")));
    assert_ok(oyez_slice_keep(&slice, NULL, &kept));
    assert_ptr_equal(oyez_slice_items(&kept)[1].block, oyez_slice_items(&slice)[1].block);
    oyez_slice_fini(&slice);
    memset(text, '!', sizeof(text));
    assert_text(&kept, "borrowed owned too");
    oyez_slice_fini(&kept);
}

static void test_sub(void **state)
{
    oyez_slice slice = slice_of(many_words), part;
    size_t total = slice.len;
    (void)state;
    for (size_t start = 0; start <= total; start++)
        for (size_t len = 0; len <= total - start; len++) {
            char expected[200];
            memcpy(expected, &MANY_TEXT[start], len);
            expected[len] = '\0';
            assert_ok(oyez_slice_sub(&slice, start, len, &part));
            assert_text(&part, expected);
            oyez_slice_fini(&part);
        }
    assert_err(oyez_slice_sub(&slice, 0, total + 1, &part), OYEZ_EINVAL);
    assert_err(oyez_slice_sub(&slice, total + 1, 0, &part), OYEZ_EINVAL);
    assert_err(oyez_slice_sub(&slice, 5, SIZE_MAX - 2, &part), OYEZ_EINVAL);
    oyez_slice_fini(&slice);
}

static void test_copy_to(void **state)
{
    static const char *const words[] = { "abc", "def", NULL };
    oyez_slice slice = slice_of(words);
    char bytes[8];
    (void)state;
    for (size_t cap = 0; cap <= sizeof(bytes); cap++) {
        memset(bytes, '.', sizeof(bytes));
        assert_int_equal(oyez_slice_copy_to(&slice, bytes, cap), cap < 6 ? cap : 6);
        assert_memory_equal(bytes, "abcdef", cap < 6 ? cap : 6);
        for (size_t i = cap; i < sizeof(bytes); i++)
            assert_int_equal(bytes[i], '.');
    }
    oyez_slice_fini(&slice);
}

static void test_contiguous(void **state)
{
    static const char *const one[] = { "abc", NULL };
    oyez_slice single = slice_of(one), many = slice_of(many_words);
    oyez_buffer buffer;
    oyez_pool *pool;
    (void)state;
    assert_ok(oyez_slice_contiguous(&single, NULL, &buffer));
    assert_ptr_equal(buffer.block, single.inline_items[0].block); /* shared */
    oyez_slice_fini(&single);
    assert_memory_equal(buffer.data, "abc", 3);
    oyez_buffer_fini(&buffer);

    assert_ok(oyez_pool_new(NULL, &pool));
    assert_ok(oyez_slice_contiguous(&many, pool, &buffer));
    oyez_slice_fini(&many);
    assert_int_equal(buffer.len, strlen(MANY_TEXT));
    assert_memory_equal(buffer.data, MANY_TEXT, buffer.len);
    oyez_buffer_fini(&buffer);
    oyez_pool_unref(pool);
}

static void test_reserve(void **state)
{
    static const char *const some[] = { "ab", "cd", NULL };
    oyez_slice slice = slice_of(some);
    oyez_buffer buffer = make("x");
    uint64_t before;
    (void)state;
    assert_ok(oy_slice_reserve(&slice, NULL, 20));
    before = oy_leak_allocations();
    for (int i = 0; i < 20; i++)
        assert_ok(oyez_slice_append(&slice, oyez_buffer_ref(&buffer)));
    assert_int_equal(oy_leak_allocations(), before);
    assert_text(&slice, "abcdxxxxxxxxxxxxxxxxxxxx");
    assert_err(oy_slice_reserve(&slice, NULL, SIZE_MAX), OYEZ_ENOMEM);
    assert_err(oy_slice_reserve(&slice, NULL, UINT32_MAX), OYEZ_ENOMEM);
    oyez_slice_fini(&slice);
    oyez_buffer_fini(&buffer);
}

/* Once it is warm, a slice of many pieces takes nothing but what the pool has. */
static void test_array_from_pool(void **state)
{
    const oyez_pool_options options = {OYEZ_POOL_OPTIONS_INIT, .pooling_threshold = 1};
    oyez_pool *pool;
    uint64_t before = 0;
    (void)state;
    assert_ok(oyez_pool_new(&options, &pool));
    for (int round = 0; round < 2; round++) {
        oyez_slice slice = OYEZ_SLICE_INIT, copy = OYEZ_SLICE_INIT;
        if (round == 1)
            before = oy_leak_allocations();
        for (int i = 0; i < 1000; i++)
            assert_ok(oy_slice_append(&slice, pool, (oyez_buffer){(const uint8_t *)"xyz", 3, NULL}));
        assert_int_equal(slice.len, 3000);
        assert_int_equal(slice.count, 1000);
        assert_ok(oyez_slice_keep(&slice, pool, &copy));
        assert_int_equal(copy.count, 1000);
        oyez_slice_fini(&slice);
        oyez_slice_fini(&copy);
    }
    if (oy_block_pooling())
        assert_int_equal(oy_leak_allocations(), before);
    oyez_pool_unref(pool);
}

static void test_faults(void **state)
{
    (void)state;
    OY_FAULT_WALK() {
        oyez_slice slice = OYEZ_SLICE_INIT, copy = OYEZ_SLICE_INIT;
        oyez_buffer buffer = { NULL, 0, NULL };
        oyez_err err = OYEZ_NO_ERR;
        for (int i = 0; i < 10 && !err; i++) {
            err = oyez_buffer_copy(NULL, "abc", 3, &buffer);
            if (!err)
                err = oyez_slice_append(&slice, i % 3 ? oyez_buffer_ref(&buffer)
                                                      : (oyez_buffer){ (const uint8_t *)"xyz", 3, NULL });
            oyez_buffer_fini(&buffer);
        }
        if (!err)
            err = oyez_slice_append_slice(&slice, &slice);
        if (!err)
            err = oyez_slice_ref(&slice, &copy);
        if (!err) {
            oyez_slice_fini(&copy);
            err = oyez_slice_keep(&slice, NULL, &copy);
        }
        if (!err) {
            oyez_slice_fini(&copy);
            err = oyez_slice_sub(&slice, 1, 50, &copy);
        }
        if (!err)
            err = oyez_slice_contiguous(&slice, NULL, &buffer);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        oyez_buffer_fini(&buffer);
        oyez_slice_fini(&copy);
        oyez_slice_fini(&slice);
    }
}

OY_TEST_GROUP(mem_slice, oy_leak_test(test_two_allocate_nothing), oy_leak_test(test_many),
              oy_leak_test(test_growth), oy_leak_test(test_empty_buffers),
              oy_leak_test(test_sum_overflows), oy_leak_test(test_append_slice),
              oy_leak_test(test_keep), oy_leak_test(test_sub), oy_leak_test(test_copy_to),
              oy_leak_test(test_contiguous), oy_leak_test(test_reserve),
              oy_leak_test(test_array_from_pool),
              cmocka_unit_test(test_faults));

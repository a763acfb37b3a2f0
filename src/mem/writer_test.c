/* SPDX-License-Identifier: Apache-2.0 */
/* The writer against a flat array, and that small writes share a block. */
#include "mem/mem.h"

#include "base/random.h"
#include "support/leak.h"
#include "support/test.h"

static void test_small_writes_share(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_writer writer;
    char bytes[64];
    (void)state;
    oyez_writer_init(&writer, &slice, NULL, 32);
    for (int i = 0; i < 10; i++)
        assert_ok(oyez_writer_write(&writer, "abcde", 5));
    assert_ok(oyez_writer_write(&writer, NULL, 0));
    assert_int_equal(slice.len, 50);
    assert_int_equal(slice.count, 2); /* 32 and 18, one write in both */
    assert_int_equal(oyez_slice_items(&slice)[0].len, 32);
    assert_int_equal(oyez_slice_copy_to(&slice, bytes, 64), 50);
    for (int i = 0; i < 10; i++)
        assert_memory_equal(bytes + 5 * i, "abcde", 5);
    oyez_slice_fini(&slice);
}

static void test_large_write(void **state)
{
    static char large[10000];
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_writer writer;
    (void)state;
    oyez_writer_init(&writer, &slice, NULL, 0);
    assert_ok(oyez_writer_write(&writer, large, 1));
    assert_int_equal(oyez_block_capacity(slice.inline_items[0].block), 4096);
    assert_ok(oyez_writer_write(&writer, large, sizeof(large)));
    assert_int_equal(slice.count, 2); /* the rest in one block, to its measure */
    assert_int_equal(oyez_block_capacity(slice.inline_items[1].block), 10001 - 4096);
    assert_int_equal(slice.len, 10001);
    oyez_slice_fini(&slice);
}

static void test_whole_capacity(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_writer writer;
    oyez_pool *pool;
    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    oyez_writer_init(&writer, &slice, pool, 2000);
    for (int i = 0; i < 2000; i++)
        assert_ok(oyez_writer_write(&writer, "xy", 2));
    /* what the pool gives is used to the end */
    assert_int_equal(slice.count, (4000 + oyez_block_capacity(slice.inline_items[0].block) - 1) /
                                      oyez_block_capacity(slice.inline_items[0].block));
    oyez_slice_fini(&slice);
    oyez_pool_unref(pool);
}

static void test_others_append(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT, copy;
    oyez_writer writer;
    oyez_buffer other;
    char bytes[64];
    (void)state;
    oyez_writer_init(&writer, &slice, NULL, 0);
    assert_ok(oyez_writer_write(&writer, "ab", 2));
    assert_ok(oyez_slice_ref(&slice, &copy)); /* sees what was there, and no more */
    assert_ok(oyez_buffer_copy(NULL, "--", 2, &other));
    assert_ok(oyez_slice_append(&slice, other));
    assert_ok(oyez_writer_write(&writer, "cd", 2)); /* behind it, not into its block */
    assert_ok(oyez_writer_write(&writer, "ef", 2));
    assert_int_equal(slice.count, 3);
    assert_int_equal(oyez_slice_copy_to(&slice, bytes, 64), 8);
    assert_memory_equal(bytes, "ab--cdef", 8);
    assert_int_equal(copy.len, 2);
    oyez_slice_fini(&slice);
    assert_ok(oyez_writer_write(&writer, "gh", 2)); /* a slice that was emptied */
    assert_int_equal(slice.len, 2);
    assert_int_equal(oyez_slice_copy_to(&slice, bytes, 64), 2);
    assert_memory_equal(bytes, "gh", 2);
    oyez_slice_fini(&slice);
    oyez_slice_fini(&copy);
}

static void test_sum_overflows(void **state)
{
    oyez_slice slice = oy_slice_of((oyez_buffer){ (const uint8_t *)"", SIZE_MAX, NULL });
    oyez_writer writer;
    (void)state;
    oyez_writer_init(&writer, &slice, NULL, 0);
    assert_err(oyez_writer_write(&writer, "x", 1), OYEZ_EINVAL);
    oyez_slice_fini(&slice);
}

static void test_against_flat(void **state)
{
    enum { FLAT = 20000 };
    static uint8_t flat[FLAT], back[FLAT];
    oy_random random = { 12 };
    (void)state;
    for (size_t i = 0; i < FLAT; i++)
        flat[i] = (uint8_t)oy_random_next(&random);
    for (int round = 0; round < 40; round++) {
        oyez_slice slice = OYEZ_SLICE_INIT;
        oyez_writer writer;
        size_t at = 0;
        oyez_writer_init(&writer, &slice, NULL, (size_t)(oy_random_next(&random) % 500));
        while (at < FLAT) {
            size_t len = (size_t)(oy_random_next(&random) % (round % 2 ? 40 : 1500));
            len = len < FLAT - at ? len : FLAT - at;
            if (oy_random_next(&random) % 8 == 0) { /* somebody else's turn */
                oyez_buffer buffer;
                assert_ok(oyez_buffer_copy(NULL, flat + at, len, &buffer));
                assert_ok(oyez_slice_append(&slice, buffer));
            } else {
                assert_ok(oyez_writer_write(&writer, flat + at, len));
            }
            at += len;
            assert_int_equal(slice.len, at);
        }
        assert_int_equal(oyez_slice_copy_to(&slice, back, FLAT), FLAT);
        assert_memory_equal(back, flat, FLAT);
        oyez_slice_fini(&slice);
    }
}

static void test_faults(void **state)
{
    (void)state;
    OY_FAULT_WALK() {
        oyez_slice slice = OYEZ_SLICE_INIT;
        oyez_writer writer;
        oyez_err err = OYEZ_NO_ERR;
        size_t done = 0;
        oyez_writer_init(&writer, &slice, NULL, 16);
        while (done < 70 && !err) {
            err = oyez_writer_write(&writer, "abcdefg", 7);
            done += err ? 0 : 7;
        }
        assert_int_equal(slice.len, done); /* a write is done wholly or not at all */
        if (err)
            assert_ok(oyez_writer_write(&writer, "abcdefg", 7)); /* and can be tried again */
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        oyez_slice_fini(&slice);
    }
}

static void test_reserve(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_writer writer;
    void *room;
    size_t bytes;
    char text[128];
    (void)state;
    oyez_writer_init(&writer, &slice, NULL, 32);
    assert_ok(oyez_writer_reserve(&writer, 0, &room, &bytes));
    assert_int_equal(bytes, 32);
    oyez_writer_commit(&writer, 0);
    assert_int_equal(slice.count, 0); /* nothing written, nothing there */
    assert_ok(oyez_writer_write(&writer, "ab", 2));
    assert_ok(oyez_writer_reserve(&writer, 10, &room, &bytes));
    assert_int_equal(bytes, 30); /* behind what was written */
    memcpy(room, "cdef", 4);
    oyez_writer_commit(&writer, 4);
    assert_ok(oyez_writer_write(&writer, "g", 1));
    assert_int_equal(slice.count, 1);
    assert_ok(oyez_writer_reserve(&writer, 40, &room, &bytes)); /* more than the rest: a block of its own */
    assert_int_equal(bytes, 40);
    memset(room, 'x', 40);
    oyez_writer_commit(&writer, 40);
    assert_ok(oyez_writer_reserve(&writer, 0, &room, &bytes));
    oyez_writer_commit(&writer, 0);
    assert_ok(oyez_writer_write(&writer, "y", 1));
    assert_int_equal(slice.len, 48);
    assert_int_equal(slice.count, 3);
    assert_int_equal(oyez_slice_copy_to(&slice, text, sizeof(text)), 48);
    assert_memory_equal(text, "abcdefgxxx", 10);
    assert_int_equal(text[47], 'y');
    oyez_slice_fini(&slice);
}

static void test_reserve_faults(void **state)
{
    (void)state;
    OY_FAULT_WALK() {
        oyez_slice slice = OYEZ_SLICE_INIT;
        oyez_writer writer;
        oyez_err err = OYEZ_NO_ERR;
        oyez_writer_init(&writer, &slice, NULL, 16);
        for (int i = 0; i < 12 && !err; i++) {
            void *room;
            size_t bytes;
            err = oyez_writer_reserve(&writer, 0, &room, &bytes);
            if (!err) {
                memset(room, 'z', bytes);
                oyez_writer_commit(&writer, bytes);
            }
        }
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        assert_int_equal(slice.len % 16, 0);
        oyez_slice_fini(&slice);
    }
}

OY_TEST_GROUP(mem_writer, oy_leak_test(test_small_writes_share), oy_leak_test(test_large_write),
              oy_leak_test(test_whole_capacity), oy_leak_test(test_others_append),
              oy_leak_test(test_sum_overflows), oy_leak_test(test_against_flat),
              cmocka_unit_test(test_faults),
              oy_leak_test(test_reserve), cmocka_unit_test(test_reserve_faults));

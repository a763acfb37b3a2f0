/* SPDX-License-Identifier: Apache-2.0 */
/* The reader against a flat array. */
#include "mem/mem.h"

#include "base/random.h"
#include "support/leak.h"
#include "support/test.h"

/* Appends `text` as a buffer of its own. */
static void append(oyez_slice *slice, const char *text)
{
    oyez_buffer buffer;
    assert_ok(oyez_buffer_copy(NULL, text, strlen(text), &buffer));
    assert_ok(oyez_slice_append(slice, buffer));
}

static void test_read(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_reader reader;
    char bytes[16];
    uint8_t byte = 0;
    size_t len = 99;
    (void)state;
    append(&slice, "abc");
    append(&slice, "de");
    append(&slice, "fgh");
    assert_ok(oyez_reader_init(&reader, &slice));
    oyez_slice_fini(&slice); /* the reader has its own references */
    assert_int_equal(oyez_reader_remaining(&reader), 8);
    assert_ok(oyez_reader_read(&reader, bytes, 2, &len));
    assert_int_equal(len, 2);
    assert_memory_equal(bytes, "ab", 2);
    assert_ok(oyez_reader_read_byte(&reader, &byte));
    assert_int_equal(byte, 'c');
    assert_ok(oyez_reader_read(&reader, bytes, 0, &len));
    assert_int_equal(len, 0);
    assert_ok(oyez_reader_read(&reader, bytes, 16, &len));
    assert_int_equal(len, 5);
    assert_memory_equal(bytes, "defgh", 5);
    assert_int_equal(oyez_reader_remaining(&reader), 0);
    assert_err(oyez_reader_read(&reader, bytes, 1, &len), OYEZ_EOF);
    assert_int_equal(len, 5); /* not written */
    assert_ok(oyez_reader_read(&reader, bytes, 0, &len));
    assert_err(oyez_reader_read_byte(&reader, &byte), OYEZ_EOF);
    oyez_reader_fini(&reader);
    assert_err(oyez_reader_read(&reader, bytes, 1, &len), OYEZ_EOF);
    oyez_reader_fini(&reader);
    oyez_reader_fini(NULL);
}

static void test_gives_back_at_once(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_reader reader;
    size_t skipped, live;
    (void)state;
    for (int i = 0; i < 5; i++)
        append(&slice, "abc");
    assert_ok(oyez_reader_init(&reader, &slice));
    oyez_slice_fini(&slice);
    live = oy_leak_live_blocks();
    assert_ok(oyez_reader_discard(&reader, 2, NULL));
    assert_int_equal(oy_leak_live_blocks(), live);
    assert_ok(oyez_reader_discard(&reader, 1, &skipped));
    assert_int_equal(skipped, 1);
    assert_int_equal(oy_leak_live_blocks(), live - 1);
    assert_ok(oyez_reader_discard(&reader, 7, &skipped));
    assert_int_equal(oy_leak_live_blocks(), live - 3);
    assert_ok(oyez_reader_discard(&reader, 0, &skipped));
    assert_int_equal(skipped, 0);
    assert_err(oyez_reader_discard(&reader, 100, &skipped), OYEZ_EOF);
    assert_int_equal(skipped, 5);
    assert_err(oyez_reader_discard(&reader, 1, NULL), OYEZ_EOF);
    oyez_reader_fini(&reader);
}

static void test_fini_in_the_middle(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_reader reader;
    (void)state;
    for (int i = 0; i < 5; i++)
        append(&slice, "abc");
    assert_ok(oyez_reader_init(&reader, &slice));
    assert_ok(oyez_reader_discard(&reader, 4, NULL));
    oyez_reader_fini(&reader);
    assert_int_equal(oyez_reader_remaining(&reader), 0);
    oyez_slice_fini(&slice);
}

static void test_peek_and_take(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT, out = OYEZ_SLICE_INIT;
    oyez_reader reader;
    char bytes[16];
    (void)state;
    append(&slice, "abc");
    append(&slice, "def");
    assert_ok(oyez_reader_init(&reader, &slice));
    assert_ok(oyez_reader_discard(&reader, 1, NULL));
    assert_ok(oyez_reader_peek(&reader, 3, &out));
    assert_int_equal(oyez_slice_copy_to(&out, bytes, 16), 3);
    assert_memory_equal(bytes, "bcd", 3);
    assert_int_equal(oyez_reader_remaining(&reader), 5);
    assert_err(oyez_reader_peek(&reader, 6, &out), OYEZ_EOF);
    assert_err(oyez_reader_take(&reader, 6, &out), OYEZ_EOF);
    assert_int_equal(out.len, 3);
    assert_int_equal(oyez_reader_remaining(&reader), 5);
    assert_ok(oyez_reader_take(&reader, 3, &out)); /* appends */
    assert_int_equal(oyez_slice_copy_to(&out, bytes, 16), 6);
    assert_memory_equal(bytes, "bcdbcd", 6);
    assert_ok(oyez_reader_take(&reader, 0, &out));
    assert_ok(oyez_reader_take(&reader, 2, &out));
    assert_ok(oyez_reader_peek(&reader, 0, &out));
    assert_err(oyez_reader_peek(&reader, 1, &out), OYEZ_EOF);
    oyez_reader_fini(&reader);
    oyez_slice_fini(&slice);
    assert_int_equal(oyez_slice_copy_to(&out, bytes, 16), 8);
    assert_memory_equal(bytes, "bcdbcdef", 8);
    oyez_slice_fini(&out);
}

static void test_take_moves(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT, out = OYEZ_SLICE_INIT;
    oyez_reader reader;
    (void)state;
    append(&slice, "abc");
    assert_ok(oyez_reader_init(&reader, &slice));
    oyez_slice_fini(&slice);
    assert_ok(oyez_reader_take(&reader, 3, &out));
    assert_true(oy_block_is_sole(out.inline_items[0].block));
    oyez_reader_fini(&reader);
    oyez_slice_fini(&out);
}

static void test_empty_items(void **state)
{
    /* only oy_slice_of makes such a slice; the reader must still get over it */
    oyez_slice slice = oy_slice_of((oyez_buffer){ (const uint8_t *)"", 0, NULL }), out = OYEZ_SLICE_INIT;
    oyez_reader reader;
    uint8_t byte;
    size_t len;
    (void)state;
    append(&slice, "ab");
    assert_ok(oyez_reader_init(&reader, &slice));
    assert_ok(oyez_reader_peek(&reader, 1, &out));
    assert_ok(oyez_reader_take(&reader, 1, &out));
    assert_ok(oyez_reader_read_byte(&reader, &byte));
    assert_int_equal(byte, 'b');
    assert_err(oyez_reader_read(&reader, &byte, 1, &len), OYEZ_EOF);
    assert_int_equal(out.len, 2);
    oyez_reader_fini(&reader);
    oyez_slice_fini(&slice);
    oyez_slice_fini(&out);
    slice = oy_slice_of((oyez_buffer){ (const uint8_t *)"", 0, NULL });
    assert_ok(oyez_reader_init(&reader, &slice));
    assert_err(oyez_reader_read_byte(&reader, &byte), OYEZ_EOF);
    oyez_reader_fini(&reader);
}

enum { FLAT = 4096 };

/* A slice of the flat bytes, cut at random. */
static oyez_slice cut(const uint8_t *flat, oy_random *random)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    for (size_t at = 0; at < FLAT;) {
        size_t len = (size_t)(oy_random_next(random) % (at % 3 ? 20 : 600));
        oyez_buffer buffer;
        len = len < FLAT - at ? len : FLAT - at;
        assert_ok(oyez_buffer_copy(NULL, flat + at, len, &buffer));
        assert_ok(oyez_slice_append(&slice, buffer));
        at += len;
    }
    return slice;
}

/* One random operation; `*at` is where the model is. */
static void step(oyez_reader *reader, const uint8_t *flat, size_t *at, oy_random *random)
{
    uint8_t bytes[300], byte;
    size_t want = (size_t)(oy_random_next(random) % sizeof(bytes)), left = FLAT - *at, got;
    size_t expected = want < left ? want : left;
    oyez_slice out = OYEZ_SLICE_INIT;
    oyez_err err;
    switch (oy_random_next(random) % 5) {
    case 0:
        err = oyez_reader_read(reader, bytes, want, &got);
        if (want && !left) {
            assert_int_equal(err, OYEZ_EOF);
            break;
        }
        assert_ok(err);
        assert_int_equal(got, expected);
        assert_memory_equal(bytes, flat + *at, got);
        *at += got;
        break;
    case 1:
        err = oyez_reader_read_byte(reader, &byte);
        assert_int_equal(err, left ? OYEZ_NO_ERR : OYEZ_EOF);
        if (left)
            assert_int_equal(byte, flat[(*at)++]);
        break;
    case 2:
        err = oyez_reader_discard(reader, want, &got);
        assert_int_equal(err, want > left ? OYEZ_EOF : OYEZ_NO_ERR);
        assert_int_equal(got, expected);
        *at += got;
        break;
    case 3:
        err = oyez_reader_peek(reader, want, &out);
        assert_int_equal(err, want > left ? OYEZ_EOF : OYEZ_NO_ERR);
        break;
    default:
        err = oyez_reader_take(reader, want, &out);
        assert_int_equal(err, want > left ? OYEZ_EOF : OYEZ_NO_ERR);
        *at += out.len;
        assert_int_equal(oyez_slice_copy_to(&out, bytes, sizeof(bytes)), err ? 0 : want);
        assert_memory_equal(bytes, flat + *at - out.len, out.len);
        oyez_slice_fini(&out);
    }
    if (out.len) {
        assert_int_equal(oyez_slice_copy_to(&out, bytes, sizeof(bytes)), want);
        assert_memory_equal(bytes, flat + *at, want);
        oyez_slice_fini(&out);
    }
    assert_int_equal(oyez_reader_remaining(reader), FLAT - *at);
}

static void test_against_flat(void **state)
{
    static uint8_t flat[FLAT];
    oy_random random = { 11 };
    (void)state;
    for (size_t i = 0; i < FLAT; i++)
        flat[i] = (uint8_t)oy_random_next(&random);
    for (int round = 0; round < 60; round++) {
        oyez_slice slice = cut(flat, &random);
        oyez_reader reader;
        size_t at = 0;
        assert_ok(oyez_reader_init(&reader, &slice));
        oyez_slice_fini(&slice);
        for (int i = 0; i < 80; i++)
            step(&reader, flat, &at, &random);
        oyez_reader_fini(&reader);
    }
}

static void test_faults(void **state)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    (void)state;
    for (int i = 0; i < 6; i++) /* with no block: made before the walk, freed after it */
        assert_ok(oyez_slice_append(&slice, (oyez_buffer){ (const uint8_t *)"abc", 3, NULL }));
    OY_FAULT_WALK() {
        oyez_slice out = OYEZ_SLICE_INIT;
        oyez_reader reader;
        oyez_err err = oyez_reader_init(&reader, &slice);
        if (!err) {
            err = oyez_reader_peek(&reader, 10, &out);
            assert_int_equal(out.len, err ? 0 : 10); /* all or nothing */
            if (!err)
                err = oyez_reader_take(&reader, 18, &out);
            assert_int_equal(oyez_reader_remaining(&reader), err ? 18 : 0);
            oyez_reader_fini(&reader);
        }
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        oyez_slice_fini(&out);
    }
    oyez_slice_fini(&slice);
}

OY_TEST_GROUP(mem_reader, oy_leak_test(test_read), oy_leak_test(test_gives_back_at_once),
              oy_leak_test(test_fini_in_the_middle), oy_leak_test(test_peek_and_take),
              oy_leak_test(test_take_moves), oy_leak_test(test_empty_items),
              oy_leak_test(test_against_flat), cmocka_unit_test(test_faults));

/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: who holds a reference after which operation. */
#include "mem/mem.h"

#include "support/leak.h"
#include "support/test.h"

static oyez_buffer make(const char *text)
{
    oyez_buffer buffer;
    assert_ok(oyez_buffer_copy(NULL, text, strlen(text), &buffer));
    return buffer;
}

static void assert_text(const oyez_buffer *buffer, const char *text)
{
    assert_int_equal(buffer->len, strlen(text));
    assert_memory_equal(buffer->data, text, buffer->len);
}

static void test_copy(void **state)
{
    char text[] = "hear ye";
    oyez_buffer buffer = make(text);
    (void)state;
    text[0] = 'x';
    assert_text(&buffer, "hear ye");
    assert_non_null(buffer.block);
    oyez_buffer_fini(&buffer);
    assert_null(buffer.data);
    assert_null(buffer.block);
    assert_int_equal(buffer.len, 0);
    oyez_buffer_fini(&buffer);
    oyez_buffer_fini(NULL);
    assert_int_equal(oy_leak_live_blocks(), 0);

    assert_ok(oyez_buffer_copy(NULL, NULL, 0, &buffer));
    assert_null(buffer.block);
    assert_non_null(buffer.data);
    assert_int_equal(oy_leak_live_blocks(), 0);
}

static void test_of_block(void **state)
{
    oyez_block *block;
    oyez_buffer buffer;
    (void)state;
    assert_ok(oyez_block_new(NULL, 10, &block));
    memcpy(oyez_block_data(block), "0123456789", 10);
    buffer = oyez_buffer_of_block(block, 4);
    assert_text(&buffer, "0123");
    assert_true(oy_block_is_sole(block)); /* the reference has moved */
    oyez_buffer_fini(&buffer);
}

static void test_ref(void **state)
{
    oyez_buffer a = make("abc"), b = oyez_buffer_ref(&a);
    oyez_buffer borrowed = { (const uint8_t *)"xyz", 3, NULL }, c = oyez_buffer_ref(&borrowed);
    (void)state;
    assert_ptr_equal(a.data, b.data);
    oyez_buffer_fini(&a);
    assert_text(&b, "abc");
    oyez_buffer_fini(&b);
    assert_ptr_equal(c.data, borrowed.data);
    assert_null(c.block);
    oyez_buffer_fini(&c);
}

static void test_keep(void **state)
{
    char text[] = "xyz";
    oyez_buffer borrowed = { (const uint8_t *)text, 3, NULL }, owned = make("abc"), kept;
    (void)state;
    assert_ok(oyez_buffer_keep(&owned, NULL, &kept));
    assert_ptr_equal(kept.block, owned.block);
    oyez_buffer_fini(&owned);
    assert_text(&kept, "abc");
    oyez_buffer_fini(&kept);
    assert_ok(oyez_buffer_keep(&borrowed, NULL, &kept));
    text[0] = '!';
    assert_text(&kept, "xyz");
    oyez_buffer_fini(&kept);
}

static void test_sub(void **state)
{
    oyez_buffer a = make("0123456789"), middle = oyez_buffer_sub(&a, 3, 4);
    oyez_buffer all = oyez_buffer_sub(&a, 0, 10), none = oyez_buffer_sub(&a, 10, 0);
    (void)state;
    assert_null(none.block); /* nothing pins nothing */
    oyez_buffer_fini(&a);
    assert_text(&middle, "3456");
    assert_text(&all, "0123456789");
    oyez_buffer_fini(&all);
    assert_true(oy_block_is_sole(middle.block));
    oyez_buffer_fini(&middle);
    oyez_buffer_fini(&none);
}

static void test_split(void **state)
{
    oyez_buffer a = make("0123456789"), rest = oyez_buffer_split(&a, 4), none, all;
    (void)state;
    assert_text(&a, "0123");
    assert_text(&rest, "456789");
    none = oyez_buffer_split(&rest, 6);
    assert_int_equal(none.len, 0);
    assert_null(none.block);
    oyez_buffer_fini(&a);
    all = oyez_buffer_split(&rest, 0);
    assert_int_equal(rest.len, 0);
    assert_null(rest.block);
    assert_text(&all, "456789");
    assert_true(oy_block_is_sole(all.block));
    oyez_buffer_fini(&all);
    oyez_buffer_fini(&rest);
}

static void test_faults(void **state)
{
    (void)state;
    OY_FAULT_WALK() {
        oyez_buffer a = { NULL, 7, NULL }, borrowed = { (const uint8_t *)"xyz", 3, NULL };
        oyez_err err = oyez_buffer_copy(NULL, "abc", 3, &a);
        if (err)
            assert_int_equal(a.len, 7); /* not written */
        else
            oyez_buffer_fini(&a);
        if (!err)
            err = oyez_buffer_keep(&borrowed, NULL, &a);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        if (!err)
            oyez_buffer_fini(&a);
    }
}

OY_TEST_GROUP(mem_buffer, oy_leak_test(test_copy), oy_leak_test(test_of_block),
              oy_leak_test(test_ref), oy_leak_test(test_keep), oy_leak_test(test_sub),
              oy_leak_test(test_split), cmocka_unit_test(test_faults));

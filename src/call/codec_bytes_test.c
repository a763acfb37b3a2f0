/* SPDX-License-Identifier: Apache-2.0 */
#include "support/test.h"

#include <oyez/codec.h>

#include "base/arena.h"
#include "support/leak.h"

static char source[10000];

static oyez_slice borrowed(size_t len)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    for (size_t i = 0; i < sizeof(source); i++)
        source[i] = (char)(i * 7);
    assert_ok(oyez_slice_append(&slice, (oyez_buffer){.data = (uint8_t *)source, .len = len}));
    return slice;
}

static oyez_slice pooled(oyez_pool *pool, size_t len)
{
    oyez_slice slice = borrowed(len), kept = OYEZ_SLICE_INIT;
    assert_ok(oyez_slice_keep(&slice, pool, &kept));
    return kept;
}

static void assert_bytes(const oyez_slice *slice, size_t len)
{
    static char copy[sizeof(source)];
    assert_int_equal(slice->len, len);
    assert_int_equal(oyez_slice_copy_to(slice, copy, sizeof(copy)), len);
    assert_memory_equal(copy, source, len);
}

static void test_encode(void **state)
{
    oyez_slice message = borrowed(100);
    char out[100];
    size_t bytes = 0;
    const char *words = NULL;

    (void)state;
    assert_ok(oyez_bytes()->measure(NULL, &message, &bytes, &words));
    assert_int_equal(bytes, 100);
    assert_ok(oyez_bytes()->encode(NULL, &message, out, bytes, &words));
    assert_memory_equal(out, source, 100);
    assert_null(words);
    assert_err(oyez_bytes()->encode(NULL, &message, source, 101, &words), OYEZ_ECODEC);
    assert_non_null(words);
}

static void test_share_refers_and_lends(void **state)
{
    oyez_pool *pool = NULL;
    oyez_slice owned, own = borrowed(5000), out = OYEZ_SLICE_INIT;
    const char *words = NULL;

    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    owned = pooled(pool, 5000);
    assert_ok(oyez_bytes()->share(NULL, &owned, &out, &words));
    assert_ptr_equal(oyez_slice_items(&out)->data, oyez_slice_items(&owned)->data);
    assert_bytes(&out, 5000);
    oyez_slice_fini(&out);

    assert_ok(oyez_bytes()->share(NULL, &own, &out, &words));
    assert_ptr_equal(oyez_slice_items(&out)->data, source); /* copied by who keeps it, into a pool */
    assert_null(oyez_slice_items(&out)->block);
    assert_bytes(&out, 5000);
    oyez_slice_fini(&out);
    oyez_slice_fini(&owned);
    oyez_pool_unref(pool);
}

static void decode_in_arena(size_t len, bool shared)
{
    static _Alignas(16) char first[8192];
    oyez_arena arena;
    oyez_pool *pool = NULL;
    oyez_slice wire;
    void *message = NULL;
    const char *words = NULL;
    oyez_pool_stats stats;

    assert_ok(oyez_pool_new(NULL, &pool));
    oy_arena_init(&arena, first, sizeof(first));
    wire = pooled(pool, len);
    const uint8_t *data = oyez_slice_items(&wire)->data;
    assert_ok(oyez_bytes()->decode(NULL, &wire, &arena, pool, &message, &words));
    assert_int_equal(len && oyez_slice_items(message)->data == data, shared);
    oyez_slice_fini(&wire);
    oyez_pool_get_stats(pool, &stats);
    assert_int_equal(stats.gets - stats.puts, shared ? 1 : 0); /* small ones pin nothing */
    assert_bytes(message, len);
    oyez_bytes()->release(NULL, message);
    oyez_pool_get_stats(pool, &stats);
    assert_int_equal(stats.gets, stats.puts);
    oy_arena_fini(&arena);
    oyez_pool_unref(pool);
}

static void test_decode_in_arena(void **state)
{
    (void)state;
    decode_in_arena(0, false);
    decode_in_arena(1, false);
    decode_in_arena(4095, false);
    decode_in_arena(4096, true);
    decode_in_arena(9000, true);
}

static void test_decode_on_heap(void **state)
{
    static const size_t sizes[] = {0, 1, 4095, 4096, 9000};
    oyez_pool *pool = NULL;

    (void)state;
    assert_ok(oyez_pool_new(NULL, &pool));
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        oyez_slice wire = pooled(pool, sizes[i]);
        void *message = NULL;
        const char *words = NULL;
        assert_ok(oyez_bytes()->decode(NULL, &wire, NULL, pool, &message, &words));
        oyez_slice_fini(&wire);
        assert_bytes(message, sizes[i]);
        oyez_bytes_free(message);
    }
    oyez_pool_unref(pool);
    oyez_bytes_free(NULL);
}

/* Large bytes that are borrowed must not be kept: the library's buffers come and go. */
static void test_decode_keeps_no_borrowed_bytes(void **state)
{
    oyez_slice wire = borrowed(5000);
    void *message = NULL;
    const char *words = NULL;

    (void)state;
    assert_ok(oyez_bytes()->decode(NULL, &wire, NULL, NULL, &message, &words));
    assert_ptr_not_equal(oyez_slice_items(message)->data, source);
    assert_bytes(message, 5000);
    oyez_bytes_free(message);
}

static void test_faults(void **state)
{
    static const size_t sizes[] = {10, 5000};
    static _Alignas(16) char first[32];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        OY_FAULT_WALK()
        {
            oyez_arena arena;
            oyez_slice wire = borrowed(sizes[i]), out = OYEZ_SLICE_INIT;
            void *on_heap = NULL, *in_arena = NULL;
            const char *words = NULL;
            oyez_err err = oyez_bytes()->decode(NULL, &wire, NULL, NULL, &on_heap, &words);

            oy_arena_init(&arena, first, sizeof(first));
            if (!err)
                err = oyez_bytes()->decode(NULL, &wire, &arena, NULL, &in_arena, &words);
            if (!err)
                err = oyez_bytes()->share(NULL, &wire, &out, &words);
            assert_int_equal(err != 0, oy_fail_triggered());
            assert_int_equal(err != 0, words != NULL);
            if (in_arena)
                oyez_bytes()->release(NULL, in_arena);
            oyez_bytes_free(on_heap);
            oyez_slice_fini(&out);
            oy_arena_fini(&arena);
        }
    }
}

OY_TEST_GROUP(call_codec_bytes, oy_leak_test(test_encode),
              oy_leak_test(test_share_refers_and_lends),
              oy_leak_test(test_decode_in_arena), oy_leak_test(test_decode_on_heap),
              oy_leak_test(test_decode_keeps_no_borrowed_bytes), cmocka_unit_test(test_faults));

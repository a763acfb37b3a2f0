/* SPDX-License-Identifier: Apache-2.0 */
/* read_all by gRPC-Go's table of reads, each with the pool's balance; the limit to the byte; sources
 * that misbehave. */
#include "mem/mem.h"

#include "support/leak.h"
#include "support/test.h"

#define BLOCK 32768u /* what one block of the default pool holds */
#define WANTED_ERR OYEZ_ECODEC

/* One answer of the source: so many bytes, and an error with them. */
typedef struct answer {
    size_t len;
    oyez_err err;
} answer;

typedef struct script {
    const answer *answers;
    size_t count, at;
    size_t sent;      /* bytes so far; each byte is its position modulo 251 */
    size_t into;      /* bytes of the current answer that were handed out */
    size_t max_read;  /* the largest cap seen */
} script;

/* An answer that is longer than there is room comes in pieces, its error with the last. */
static oyez_err read_script(void *self, void *dst, size_t cap, size_t *ret_len)
{
    script *s = self;
    const answer *a = &s->answers[s->at];
    size_t len;
    if (s->at == s->count)
        fail_msg("read after the end");
    assert_true(cap > 0);
    len = a->len - s->into < cap ? a->len - s->into : cap;
    for (size_t i = 0; i < len; i++)
        ((uint8_t *)dst)[i] = (uint8_t)((s->sent + i) % 251);
    s->sent += len;
    s->into += len;
    s->max_read = cap > s->max_read ? cap : s->max_read;
    *ret_len = len;
    if (s->into < a->len)
        return OYEZ_NO_ERR;
    s->at++;
    s->into = 0;
    return a->err;
}

static void assert_pattern(const oyez_slice *slice, size_t len)
{
    size_t at = 0;
    assert_int_equal(slice->len, len);
    for (uint32_t i = 0; i < slice->count; i++) {
        const oyez_buffer *buffer = &oyez_slice_items(slice)[i];
        assert_true(buffer->len > 0);
        for (size_t j = 0; j < buffer->len; j++, at++)
            if (buffer->data[j] != at % 251)
                fail_msg("byte %zu", at);
    }
    assert_int_equal(at, len);
}

typedef struct table_row {
    const char *name;
    answer answers[5];
    size_t count;
    oyez_err err;
    size_t len, buffers, gets;
} table_row;

static const table_row table[] = {
    { "EOF", { { 0, OYEZ_EOF } }, 1, OYEZ_NO_ERR, 0, 0, 1 },
    { "data, EOF", { { 10, 0 }, { 0, OYEZ_EOF } }, 2, OYEZ_NO_ERR, 10, 1, 1 },
    { "data + EOF", { { 10, OYEZ_EOF } }, 1, OYEZ_NO_ERR, 10, 1, 1 },
    { "0, data + EOF", { { 0, 0 }, { 10, OYEZ_EOF } }, 2, OYEZ_NO_ERR, 10, 1, 1 },
    { "0, data, EOF", { { 0, 0 }, { 10, 0 }, { 0, OYEZ_EOF } }, 3, OYEZ_NO_ERR, 10, 1, 1 },
    { "data, data + EOF", { { 10, 0 }, { 7, OYEZ_EOF } }, 2, OYEZ_NO_ERR, 17, 1, 1 },
    { "error", { { 0, WANTED_ERR } }, 1, WANTED_ERR, 0, 0, 1 },
    { "data + error", { { 10, WANTED_ERR } }, 1, WANTED_ERR, 10, 1, 1 },
    { "data, error", { { 10, 0 }, { 0, WANTED_ERR } }, 2, WANTED_ERR, 10, 1, 1 },
    { "data, data + error", { { 10, 0 }, { 7, WANTED_ERR } }, 2, WANTED_ERR, 17, 1, 1 },
    { "block, EOF", { { BLOCK, 0 }, { 0, OYEZ_EOF } }, 2, OYEZ_NO_ERR, BLOCK, 1, 2 },
    { "block + EOF", { { BLOCK, OYEZ_EOF } }, 1, OYEZ_NO_ERR, BLOCK, 1, 1 },
    { "data, rest of block + EOF", { { 10, 0 }, { BLOCK - 10, OYEZ_EOF } }, 2, OYEZ_NO_ERR, BLOCK, 1, 1 },
    { "block + error", { { BLOCK, WANTED_ERR } }, 1, WANTED_ERR, BLOCK, 1, 1 },
    { "block, error", { { BLOCK, 0 }, { 0, WANTED_ERR } }, 2, WANTED_ERR, BLOCK, 1, 2 },
    { "block, 0, EOF", { { BLOCK, 0 }, { 0, 0 }, { 0, OYEZ_EOF } }, 3, OYEZ_NO_ERR, BLOCK, 1, 2 },
    { "block, data + EOF", { { BLOCK, 0 }, { 10, OYEZ_EOF } }, 2, OYEZ_NO_ERR, BLOCK + 10, 2, 2 },
    { "two blocks + EOF", { { 2 * BLOCK, OYEZ_EOF } }, 1, OYEZ_NO_ERR, 2 * BLOCK, 2, 2 },
    { "two blocks, EOF", { { 2 * BLOCK, 0 }, { 0, OYEZ_EOF } }, 2, OYEZ_NO_ERR, 2 * BLOCK, 2, 3 },
    { "across blocks", { { 20000, 0 }, { 20000, 0 }, { 30000, 0 }, { 0, OYEZ_EOF } }, 4, OYEZ_NO_ERR,
      70000, 3, 3 },
};

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const table_row *row = &table[i];
        script s = { row->answers, row->count, 0, 0, 0, 0 };
        oyez_source source = { read_script, &s };
        oyez_slice slice = OYEZ_SLICE_INIT;
        oyez_pool_stats stats;
        oyez_pool *pool;
        assert_ok(oyez_pool_new(NULL, &pool));
        if (oyez_read_all(&source, pool, SIZE_MAX, &slice) != row->err)
            fail_msg("%s: another error", row->name);
        if (slice.count != row->buffers)
            fail_msg("%s: %u buffers", row->name, (unsigned)slice.count);
        assert_pattern(&slice, row->len);
        assert_int_equal(s.at, s.count);
        oyez_pool_get_stats(pool, &stats);
        const unsigned array = slice.capacity > 0; /* of the slice, from the pool as well */
        assert_int_equal(stats.gets, row->gets + array);
        assert_int_equal(stats.gets - stats.puts, row->buffers + array);
        oyez_slice_fini(&slice); /* the caller's, also after an error */
        oyez_pool_get_stats(pool, &stats);
        assert_int_equal(stats.gets, stats.puts);
        oyez_pool_unref(pool);
    }
}

static void test_appends(void **state)
{
    static const answer answers[] = { { 10, OYEZ_EOF } };
    script s = { answers, 1, 0, 0, 0, 0 };
    oyez_source source = { read_script, &s };
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_buffer before;
    (void)state;
    assert_ok(oyez_buffer_copy(NULL, "before", 6, &before));
    assert_ok(oyez_slice_append(&slice, before));
    assert_ok(oyez_read_all(&source, NULL, SIZE_MAX, &slice));
    assert_int_equal(slice.len, 16);
    assert_int_equal(slice.count, 2);
    assert_memory_equal(slice.inline_items[0].data, "before", 6);
    oyez_slice_fini(&slice);
}

static void test_full_capacity(void **state)
{
    static const size_t tiers[] = { 50000 };
    static const answer answers[] = { { 60000, OYEZ_EOF } };
    oyez_pool_options options = { OYEZ_POOL_OPTIONS_INIT, .tiers = tiers, .tier_count = 1 };
    script s = { answers, 1, 0, 0, 0, 0 };
    oyez_source source = { read_script, &s };
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_pool *pool;
    oyez_block *probe;
    size_t capacity;
    (void)state;
    assert_ok(oyez_pool_new(&options, &pool));
    assert_ok(oyez_block_new(pool, BLOCK, &probe)); /* 50000, unless pooling is switched off */
    capacity = oyez_block_capacity(probe);
    oyez_block_unref(probe);
    assert_ok(oyez_read_all(&source, pool, SIZE_MAX, &slice));
    assert_pattern(&slice, 60000);
    assert_int_equal(oyez_slice_items(&slice)[0].len, capacity);
    oyez_slice_fini(&slice);
    oyez_pool_unref(pool);
}

/* Reads `total` bytes under `limit`. */
static void check_limit(size_t total, size_t limit)
{
    const answer answers[] = { { total, 0 }, { 0, OYEZ_EOF } };
    script s = { answers, 2, 0, 0, 0, 0 };
    oyez_source source = { read_script, &s };
    oyez_slice slice = OYEZ_SLICE_INIT;
    oyez_err err = oyez_read_all(&source, NULL, limit, &slice);
    assert_int_equal(err, total > limit ? OYEZ_ELIMIT : OYEZ_NO_ERR);
    assert_pattern(&slice, total > limit ? limit : total);
    assert_true(s.sent <= limit || s.sent == limit + 1); /* never further */
    if (limit < BLOCK)
        assert_true(s.max_read <= limit + 1);
    oyez_slice_fini(&slice);
}

static void test_limit(void **state)
{
    static const size_t limits[] = { 0, 1, 10, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 100000 };
    (void)state;
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        check_limit(limits[i], limits[i]);
        check_limit(limits[i] + 1, limits[i]);
        check_limit(limits[i] + 2, limits[i]);
        check_limit(limits[i] + 200000, limits[i]);
        check_limit(0, limits[i]);
        if (limits[i])
            check_limit(limits[i] - 1, limits[i]);
    }
    check_limit(100, SIZE_MAX - 1);
}

/* What a limit allows, and not a block more. */
static void test_memory_stays_at_the_limit(void **state)
{
    static const answer answers[] = { { 10 * BLOCK, 0 }, { 0, OYEZ_EOF } };
    static const size_t limits[] = { 100, BLOCK, 3 * BLOCK, 3 * BLOCK + 1000 };
    (void)state;
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        script s = { answers, 2, 0, 0, 0, 0 };
        oyez_source source = { read_script, &s };
        oyez_slice slice = OYEZ_SLICE_INIT;
        size_t bytes = 0;
        assert_err(oyez_read_all(&source, NULL, limits[i], &slice), OYEZ_ELIMIT);
        for (uint32_t b = 0; b < slice.count; b++)
            bytes += oyez_block_capacity(oyez_slice_items(&slice)[b].block);
        assert_int_equal(bytes, limits[i]);
        oyez_slice_fini(&slice);
    }
}

static void test_limit_before_error(void **state)
{
    static const answer answers[] = { { 11, WANTED_ERR } };
    script s = { answers, 1, 0, 0, 0, 0 };
    oyez_source source = { read_script, &s };
    oyez_slice slice = OYEZ_SLICE_INIT;
    (void)state;
    assert_err(oyez_read_all(&source, NULL, 10, &slice), OYEZ_ELIMIT); /* the byte too many tells */
    assert_int_equal(slice.len, 10);
    oyez_slice_fini(&slice);
    s = (script){ answers, 1, 0, 0, 0, 0 };
    assert_err(oyez_read_all(&source, NULL, 11, &slice), WANTED_ERR);
    assert_int_equal(slice.len, 11);
    oyez_slice_fini(&slice);
}

typedef struct sleeper {
    unsigned naps, reads;
    bool data_between;
} sleeper;

static oyez_err read_sleepily(void *self, void *dst, size_t cap, size_t *ret_len)
{
    sleeper *s = self;
    (void)cap;
    *ret_len = 0;
    if (++s->reads > s->naps) {
        if (!s->data_between)
            return OYEZ_EOF;
        s->data_between = false;
        s->reads = 0;
        *(uint8_t *)dst = 0;
        *ret_len = 1;
    }
    return OYEZ_NO_ERR;
}

static void test_empty_reads(void **state)
{
    sleeper s = { 99, 0, true };
    oyez_source source = { read_sleepily, &s };
    oyez_slice slice = OYEZ_SLICE_INIT;
    (void)state;
    assert_ok(oyez_read_all(&source, NULL, SIZE_MAX, &slice)); /* 99, a byte, 99 */
    assert_int_equal(slice.len, 1);
    oyez_slice_fini(&slice);
    s = (sleeper){ 1000000, 0, false };
    assert_err(oyez_read_all(&source, NULL, SIZE_MAX, &slice), OYEZ_EIO);
    assert_int_equal(s.reads, 100);
    assert_int_equal(slice.count, 0);
    oyez_slice_fini(&slice);
}

static oyez_err read_too_much(void *self, void *dst, size_t cap, size_t *ret_len)
{
    (void)self;
    (void)dst;
    *ret_len = cap + 1;
    return OYEZ_NO_ERR;
}

static void test_liar(void **state)
{
    oyez_source source = { read_too_much, NULL };
    oyez_slice slice = OYEZ_SLICE_INIT;
    (void)state;
    assert_err(oyez_read_all(&source, NULL, SIZE_MAX, &slice), OYEZ_EIO);
    assert_int_equal(slice.count, 0);
    oyez_slice_fini(&slice);
}

static void test_faults(void **state)
{
    static const answer answers[] = { { 20 * BLOCK, OYEZ_EOF } };
    (void)state;
    OY_FAULT_WALK() {
        script s = { answers, 1, 0, 0, 0, 0 };
        oyez_source source = { read_script, &s };
        oyez_slice slice = OYEZ_SLICE_INIT;
        oyez_err err = oyez_read_all(&source, NULL, SIZE_MAX, &slice);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        assert_int_equal(slice.len % BLOCK, 0); /* whole blocks from the start */
        assert_pattern(&slice, slice.len);
        oyez_slice_fini(&slice);
    }
}

OY_TEST_GROUP(mem_read_all, oy_leak_test(test_table), oy_leak_test(test_appends),
              oy_leak_test(test_full_capacity), oy_leak_test(test_limit),
              oy_leak_test(test_limit_before_error), oy_leak_test(test_empty_reads),
              oy_leak_test(test_liar), oy_leak_test(test_memory_stays_at_the_limit),
              cmocka_unit_test(test_faults));

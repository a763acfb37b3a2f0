/* SPDX-License-Identifier: Apache-2.0 */
/* The output queue: what is contiguous, what is shared, when blocks go home; and against a flat array. */
#include "mem/mem.h"

#include <stdlib.h>

#include "base/random.h"
#include "support/leak.h"
#include "support/test.h"

#define BLOCK 1024u

static oy_block_pool *pool;

static int setup(void **state)
{
    (void)unsetenv("OYEZ_POOL");
    (void)oy_leak_setup(state);
    return oy_block_pool_new(BLOCK, 8, &pool);
}

static int teardown(void **state)
{
    oy_block_pool_free(pool);
    return oy_leak_teardown(state);
}

static uint64_t out_of_pool(void)
{
    oyez_pool_stats stats;
    oy_block_pool_get_stats(pool, &stats);
    return stats.gets - stats.puts;
}

static oyez_buffer make(const char *text)
{
    oyez_buffer buffer;
    assert_ok(oyez_buffer_copy(NULL, text, strlen(text), &buffer));
    return buffer;
}

static void put(oy_outq *queue, const char *text)
{
    size_t len = strlen(text);
    uint8_t *at = oy_outq_reserve(queue, len);
    assert_non_null(at);
    memcpy(at, text, len);
    oy_outq_commit(queue, len);
}

/* The parts are these texts, in this order. */
static void assert_parts(const oy_outq *queue, const char *const *texts)
{
    struct iovec vectors[16];
    size_t count = oy_outq_peek(queue, vectors, 16), sum = 0;
    for (size_t i = 0; i < count; i++) {
        assert_non_null(texts[i]);
        assert_int_equal(vectors[i].iov_len, strlen(texts[i]));
        assert_memory_equal(vectors[i].iov_base, texts[i], vectors[i].iov_len);
        sum += vectors[i].iov_len;
    }
    assert_null(texts[count]);
    assert_int_equal(queue->len, sum);
}

#define PARTS(...) ((const char *const[]){ __VA_ARGS__ })

static void test_copies_are_contiguous(void **state)
{
    oy_outq queue;
    (void)state;
    oy_outq_init(&queue, pool);
    assert_parts(&queue, PARTS(NULL));
    put(&queue, "abc");
    put(&queue, "def");
    assert_ok(oy_outq_copy(&queue, "ghi", 3));
    assert_ok(oy_outq_copy(&queue, NULL, 0));
    assert_parts(&queue, PARTS("abcdefghi", NULL));
    assert_int_equal(out_of_pool(), 1);
    oy_outq_consume(&queue, 0);
    oy_outq_consume(&queue, 2);
    assert_parts(&queue, PARTS("cdefghi", NULL));
    put(&queue, "jkl");
    assert_parts(&queue, PARTS("cdefghijkl", NULL));
    oy_outq_consume(&queue, 10);
    assert_parts(&queue, PARTS(NULL));
    assert_int_equal(queue.spare, BLOCK); /* from the start again */
    assert_int_equal(out_of_pool(), 1);
    put(&queue, "mno");
    assert_parts(&queue, PARTS("mno", NULL));
    assert_int_equal(out_of_pool(), 1);
    oy_outq_fini(&queue);
    assert_int_equal(out_of_pool(), 0);
    oy_outq_fini(&queue); /* empty */
}

static void test_reserve_more_than_used(void **state)
{
    oy_outq queue;
    uint8_t *at;
    (void)state;
    oy_outq_init(&queue, pool);
    at = oy_outq_reserve(&queue, BLOCK);
    assert_non_null(at);
    oy_outq_commit(&queue, 0);
    assert_int_equal(queue.len, 0);
    assert_parts(&queue, PARTS(NULL)); /* an open part without bytes is none */
    assert_ptr_equal(oy_outq_reserve(&queue, 1), at);
    memcpy(at, "xyz", 3);
    oy_outq_commit(&queue, 3); /* more than reserved, but there was room */
    assert_ptr_equal(oy_outq_reserve(&queue, 0), at + 3);
    assert_parts(&queue, PARTS("xyz", NULL));
    assert_non_null(oy_outq_reserve(&queue, BLOCK)); /* another block */
    oy_outq_commit(&queue, 0);
    assert_int_equal(out_of_pool(), 2);
    assert_non_null(oy_outq_reserve(&queue, BLOCK)); /* the same */
    assert_int_equal(out_of_pool(), 2);
    oy_outq_consume(&queue, 3);
    assert_int_equal(out_of_pool(), 1);
    oy_outq_fini(&queue);
}

static void test_reference_between_copies(void **state)
{
    oy_outq queue;
    oyez_buffer buffer = make("REFERENCE");
    oyez_block *block = buffer.block;
    (void)state;
    oyez_block_ref(block);
    oy_outq_init(&queue, pool);
    put(&queue, "head");
    assert_ok(oy_outq_append(&queue, buffer));
    put(&queue, "next");
    put(&queue, "more");
    assert_parts(&queue, PARTS("head", "REFERENCE", "nextmore", NULL));
    assert_int_equal(out_of_pool(), 1); /* both parts in one block */
    oy_outq_consume(&queue, 4 + 4);
    assert_parts(&queue, PARTS("RENCE", "nextmore", NULL));
    assert_false(oy_block_is_sole(block));
    oy_outq_consume(&queue, 5);
    assert_true(oy_block_is_sole(block)); /* given back at once */
    assert_parts(&queue, PARTS("nextmore", NULL));
    oy_outq_consume(&queue, 8);
    assert_int_equal(queue.spare, BLOCK);
    oy_outq_fini(&queue);
    oyez_block_unref(block);
}

static void test_reference_last(void **state)
{
    oy_outq queue;
    (void)state;
    oy_outq_init(&queue, pool);
    assert_ok(oy_outq_append(&queue, make("first"))); /* with nothing open */
    put(&queue, "head");
    assert_ok(oy_outq_append(&queue, make("one")));
    assert_ok(oy_outq_append(&queue, make("two")));
    assert_parts(&queue, PARTS("first", "head", "one", "two", NULL));
    assert_non_null(queue.parked);
    oy_outq_consume(&queue, queue.len);
    assert_int_equal(queue.count, 0);
    assert_int_equal(queue.rest, BLOCK); /* parked, from its start again */
    assert_int_equal(out_of_pool(), 1);
    assert_int_equal(oy_leak_live_blocks(), 3); /* pool, block, ring */
    put(&queue, "again");
    assert_null(queue.parked);
    assert_parts(&queue, PARTS("again", NULL));
    oy_outq_fini(&queue);
    oy_outq_init(&queue, pool);
    put(&queue, "head");
    assert_ok(oy_outq_append(&queue, make("one")));
    oy_outq_fini(&queue); /* with a parked block */
    assert_int_equal(out_of_pool(), 0);
}

static void test_small_rest_is_left(void **state)
{
    oy_outq queue;
    (void)state;
    oy_outq_init(&queue, pool);
    assert_non_null(oy_outq_reserve(&queue, BLOCK));
    memset(queue.tail, 'x', BLOCK - 100);
    oy_outq_commit(&queue, BLOCK - 100);
    assert_ok(oy_outq_append(&queue, make("one")));
    assert_null(queue.parked);
    put(&queue, "next"); /* in a block of its own */
    assert_int_equal(out_of_pool(), 2);
    oy_outq_fini(&queue);
}

static void test_parked_rest_too_small(void **state)
{
    oy_outq queue;
    (void)state;
    oy_outq_init(&queue, pool);
    put(&queue, "head");
    assert_ok(oy_outq_append(&queue, make("one")));
    assert_non_null(oy_outq_reserve(&queue, BLOCK));
    memset(queue.tail, 'x', BLOCK);
    oy_outq_commit(&queue, BLOCK);
    assert_null(queue.parked);
    assert_int_equal(queue.count, 3);
    assert_int_equal(out_of_pool(), 2);
    oy_outq_fini(&queue);
}

static void test_empty_open_part_and_reference(void **state)
{
    oy_outq queue;
    (void)state;
    oy_outq_init(&queue, pool);
    assert_non_null(oy_outq_reserve(&queue, 10));
    oy_outq_commit(&queue, 0);
    assert_ok(oy_outq_append(&queue, make("one")));
    assert_int_equal(queue.count, 1); /* the empty part is no part */
    put(&queue, "two");
    assert_parts(&queue, PARTS("one", "two", NULL));
    assert_int_equal(out_of_pool(), 1);
    oy_outq_fini(&queue);
}

static void test_borrowed_and_empty(void **state)
{
    char text[] = "borrowed";
    oy_outq queue;
    oyez_block *block;
    (void)state;
    oy_outq_init(&queue, pool);
    assert_ok(oy_outq_append(&queue, (oyez_buffer){ (const uint8_t *)text, 8, NULL }));
    memset(text, '!', 8);
    assert_parts(&queue, PARTS("borrowed", NULL));
    assert_ok(oyez_block_new(NULL, 10, &block));
    assert_ok(oy_outq_append(&queue, oyez_buffer_of_block(block, 0))); /* freed */
    assert_ok(oy_outq_append(&queue, (oyez_buffer){ NULL, 0, NULL }));
    put(&queue, "more");
    assert_parts(&queue, PARTS("borrowedmore", NULL));
    oy_outq_fini(&queue);
}

static void test_long_copy(void **state)
{
    static uint8_t bytes[5 * BLOCK], back[5 * BLOCK];
    struct iovec vectors[16];
    oy_outq queue;
    size_t count, at = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 31 >> 2);
    oy_outq_init(&queue, pool);
    assert_ok(oy_outq_copy(&queue, bytes, 100));
    assert_ok(oy_outq_copy(&queue, bytes + 100, sizeof(bytes) - 100));
    count = oy_outq_peek(&queue, vectors, 16);
    assert_int_equal(count, 5); /* each block to its end */
    for (size_t i = 0; i < count; i++) {
        memcpy(back + at, vectors[i].iov_base, vectors[i].iov_len);
        at += vectors[i].iov_len;
    }
    assert_memory_equal(back, bytes, sizeof(bytes));
    assert_int_equal(oy_outq_peek(&queue, vectors, 2), 2);
    assert_int_equal(oy_outq_peek(&queue, vectors, 0), 0);
    oy_outq_consume(&queue, sizeof(bytes));
    assert_int_equal(out_of_pool(), 1); /* an emptied queue keeps one */
    oy_outq_fini(&queue);
}

static void test_held_block_is_not_written_again(void **state)
{
    struct iovec vector;
    oy_outq queue;
    oyez_block *held;
    (void)state;
    oy_outq_init(&queue, pool);
    put(&queue, "held");
    assert_int_equal(oy_outq_peek(&queue, &vector, 1), 1);
    held = oyez_block_ref(queue.parts[queue.head].block); /* somebody looks at it still */
    oy_outq_consume(&queue, 4);
    put(&queue, "next");
    assert_memory_equal(vector.iov_base, "heldnext", 8);
    oy_outq_consume(&queue, 4);
    assert_non_null(oy_outq_reserve(&queue, BLOCK)); /* its rest is too small, its part is empty */
    assert_true(oy_block_is_sole(held));
    assert_int_equal(queue.count, 1);
    oyez_block_unref(held);
    oy_outq_fini(&queue);
}

/* Parts are taken whole or cut, the open one too, and what is written behind it does not touch what was taken. */
static void test_take(void **state)
{
    oy_outq queue;
    oyez_buffer taken[4];
    (void)state;
    oy_outq_init(&queue, pool);
    put(&queue, "head");
    assert_ok(oy_outq_append(&queue, make("reference")));
    put(&queue, "tail");
    taken[0] = oy_outq_take(&queue, 100);
    taken[1] = oy_outq_take(&queue, 5);
    taken[2] = oy_outq_take(&queue, 100);
    taken[3] = oy_outq_take(&queue, 3);
    put(&queue, "more");
    assert_int_equal(queue.len, 5);
    assert_parts(&queue, PARTS("lmore", NULL));
    oy_outq_fini(&queue);
    assert_memory_equal(taken[0].data, "head", taken[0].len);
    assert_int_equal(taken[1].len, 5);
    assert_memory_equal(taken[1].data, "refer", 5);
    assert_memory_equal(taken[2].data, "ence", taken[2].len);
    assert_memory_equal(taken[3].data, "tai", taken[3].len);
    for (size_t i = 0; i < 4; i++)
        oyez_buffer_fini(&taken[i]);
    assert_int_equal(out_of_pool(), 0);
}

static void test_steady_state_allocates_nothing(void **state)
{
    oyez_buffer buffer = make("a reference");
    uint64_t before = 0;
    oy_outq queue;
    (void)state;
    oy_outq_init(&queue, pool);
    for (int round = 0; round < 50; round++) {
        if (round == 3)
            before = oy_leak_allocations();
        for (int i = 0; i < 40; i++) {
            put(&queue, "a frame of some forty bytes, more or less");
            if (i % 4 == 0)
                assert_ok(oy_outq_append(&queue, oyez_buffer_ref(&buffer)));
        }
        while (queue.len) /* short writes */
            oy_outq_consume(&queue, queue.len < 777 ? queue.len : 777);
    }
    assert_int_equal(oy_leak_allocations(), before);
    oy_outq_fini(&queue);
    oyez_buffer_fini(&buffer);
}

typedef struct model {
    uint8_t bytes[60000];
    size_t start, end;
    uint8_t next; /* bytes are a running number */
} model;

static void model_add(model *m, uint8_t *dst, size_t len)
{
    for (size_t i = 0; i < len; i++)
        dst[i] = m->bytes[m->end++] = m->next++;
}

static void model_compare(const model *m, const oy_outq *queue)
{
    struct iovec vectors[512];
    size_t count = oy_outq_peek(queue, vectors, 512), at = m->start;
    assert_int_equal(queue->len, m->end - m->start);
    for (size_t i = 0; i < count; i++) {
        assert_true(vectors[i].iov_len > 0 && vectors[i].iov_len <= m->end - at);
        assert_memory_equal(vectors[i].iov_base, m->bytes + at, vectors[i].iov_len);
        at += vectors[i].iov_len;
    }
    assert_int_equal(at, m->end);
}

static void model_step(model *m, oy_outq *queue, oy_random *random)
{
    static uint8_t bytes[3 * BLOCK];
    size_t len = (size_t)(oy_random_next(random) % (oy_random_next(random) % 4 ? 60 : BLOCK));
    uint8_t *at;
    switch (oy_random_next(random) % 6) {
    case 0:
    case 1:
        at = oy_outq_reserve(queue, len);
        assert_non_null(at);
        len = len ? len - (size_t)(oy_random_next(random) % len) : 0;
        model_add(m, at, len);
        oy_outq_commit(queue, len);
        break;
    case 2:
        len *= oy_random_next(random) % 8 ? 1 : 3;
        model_add(m, bytes, len);
        assert_ok(oy_outq_copy(queue, bytes, len));
        break;
    case 3: {
        oyez_buffer buffer = { bytes, len, NULL };
        model_add(m, bytes, len);
        if (oy_random_next(random) % 4)
            assert_ok(oyez_buffer_copy(NULL, bytes, len, &buffer));
        assert_ok(oy_outq_append(queue, buffer));
        break;
    }
    default:
        len = (size_t)(oy_random_next(random) % (oy_random_next(random) % 4 ? 2000 : 60000));
        len = len < queue->len ? len : queue->len;
        oy_outq_consume(queue, len);
        m->start += len;
    }
}

static void test_against_flat(void **state)
{
    static model m;
    oy_random random = { 21 };
    (void)state;
    for (int round = 0; round < 30; round++) {
        oy_outq queue;
        oy_outq_init(&queue, pool);
        m.start = m.end = 0;
        while (m.end < sizeof(m.bytes) - 4 * BLOCK) {
            model_step(&m, &queue, &random);
            model_compare(&m, &queue);
            if (!queue.len)
                assert_true(out_of_pool() <= 1);
        }
        oy_outq_fini(&queue);
        assert_int_equal(out_of_pool(), 0);
    }
}

static void test_faults(void **state)
{
    static uint8_t long_text[4 * BLOCK];
    (void)state;
    memset(long_text, 'x', sizeof(long_text));
    OY_FAULT_WALK() {
        oy_block_pool *own = NULL;
        oyez_err err = oy_block_pool_new(BLOCK, 8, &own);
        oy_outq queue;
        oy_outq_init(&queue, own);
        for (int i = 0; i < 40 && !err; i++) {
            oyez_buffer buffer;
            size_t before = queue.len, spare = queue.spare, rest = queue.rest;
            if (i % 10 == 7)
                err = oy_outq_copy(&queue, long_text, sizeof(long_text));
            else if (i % 2 == 0)
                err = oy_outq_copy(&queue, "small", 5);
            else if (!(err = oyez_buffer_copy(NULL, "reference", 9, &buffer)))
                err = oy_outq_append(&queue, buffer);
            if (err) { /* as if nothing had been */
                struct iovec vectors[128];
                size_t count = oy_outq_peek(&queue, vectors, 128), sum = 0;
                for (size_t j = 0; j < count; j++)
                    sum += vectors[j].iov_len;
                assert_int_equal(queue.len, before);
                assert_int_equal(sum, before);
                assert_int_equal(queue.spare, spare);
                assert_int_equal(queue.rest, rest);
                assert_ok(oy_outq_copy(&queue, long_text, sizeof(long_text))); /* and goes on */
            }
        }
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        oy_outq_fini(&queue);
        oy_block_pool_free(own);
    }
}

#define outq_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

OY_TEST_GROUP(mem_outq, outq_test(test_copies_are_contiguous), outq_test(test_reserve_more_than_used),
              outq_test(test_reference_between_copies), outq_test(test_reference_last),
              outq_test(test_small_rest_is_left), outq_test(test_parked_rest_too_small),
              outq_test(test_empty_open_part_and_reference), outq_test(test_borrowed_and_empty),
              outq_test(test_long_copy), outq_test(test_held_block_is_not_written_again),
              outq_test(test_take), outq_test(test_steady_state_allocates_nothing),
              outq_test(test_against_flat),
              cmocka_unit_test(test_faults));

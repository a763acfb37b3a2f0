/* SPDX-License-Identifier: Apache-2.0 */
/* The deframer against a flat model: whatever the cuts, the same messages come out, the memory
 * taken follows the bytes that came, and everything goes back to the pools. */
#include "support/test.h"

#include "base/random.h"
#include "support/leak.h"
#include "wire/wire.h"

#include "base/alloc.h"

#define LIMIT 100000u

typedef struct fixture {
    oyez_pool *pool;
    oy_quota quota;
    oy_deframer deframer;
} fixture;

static void set_up(fixture *f, uint32_t max_bytes)
{
    assert_ok(oyez_pool_new(NULL, &f->pool));
    atomic_init(&f->quota.used, 0);
    f->quota.limit = 1 << 20;
    oy_refcount_init(&f->quota.refs, 1);
    oy_deframer_init(&f->deframer, max_bytes, f->pool, &f->quota);
}

static void tear_down(fixture *f)
{
    oy_deframer_fini(&f->deframer);
    oyez_pool_stats stats;
    oyez_pool_get_stats(f->pool, &stats);
    assert_int_equal(stats.gets, stats.puts);
    assert_int_equal(atomic_load(&f->quota.used), 0);
    f->pool = oyez_pool_unref(f->pool);
}

/* A read block that holds these bytes. */
static oyez_buffer input_of(const void *data, size_t len)
{
    oyez_buffer input;
    assert_ok(oyez_buffer_copy(NULL, data, len, &input));
    return input;
}

static size_t put_message(uint8_t *dst, bool compressed, const void *data, uint32_t len)
{
    oy_prefix_write(dst, compressed, len);
    if (len)
        memcpy(dst + OY_PREFIX_BYTES, data, len);
    return OY_PREFIX_BYTES + len;
}

static uint8_t pattern_byte(size_t i)
{
    return (uint8_t)(i * 31 + i / 251);
}

static void fill_pattern(uint8_t *dst, size_t len)
{
    for (size_t i = 0; i < len; i++)
        dst[i] = pattern_byte(i);
}

static void assert_bytes(const oy_message *message, const uint8_t *expected, size_t len)
{
    assert_int_equal(message->bytes.len, len);
    const oyez_buffer *items = oyez_slice_items(&message->bytes);
    size_t at = 0;
    for (uint32_t i = 0; i < message->bytes.count; i++) {
        assert_true(at + items[i].len <= len);
        assert_memory_equal(items[i].data, expected + at, items[i].len);
        at += items[i].len;
    }
    assert_int_equal(at, len);
}

/* --- whole messages --------------------------------------------------------------------------- */

static void whole_message_is_a_view(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    uint8_t bytes[64];
    size_t len = put_message(bytes, true, "hello", 5);
    len += put_message(bytes + len, false, "", 0);
    len += put_message(bytes + len, false, "x", 1);
    oyez_buffer input = input_of(bytes, len);
    oyez_buffer view = input;

    oy_message message;
    uint64_t before = oy_leak_allocations();
    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_MESSAGE);
    assert_true(message.borrowed);
    assert_true(message.compressed);
    assert_ptr_equal(oyez_slice_items(&message.bytes)[0].data, input.data + 5);
    assert_true(oy_block_is_sole(input.block));
    assert_bytes(&message, (const uint8_t *)"hello", 5);
    oy_message_fini(&message);

    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_MESSAGE);
    assert_false(message.compressed);
    assert_bytes(&message, NULL, 0);
    assert_ok(oy_message_keep(&message, f.pool, &f.quota));
    oy_message_fini(&message);

    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_MESSAGE);
    assert_bytes(&message, (const uint8_t *)"x", 1);
    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_MORE);
    assert_int_equal(view.len, 0);
    assert_false(oy_deframer_is_inside(&f.deframer));
    assert_int_equal(oy_leak_allocations(), before);

    oyez_buffer_fini(&input);
    tear_down(&f);
}

static void keep_copies_small_and_references_large(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    uint8_t *bytes = oy_alloc(3 * OY_KEEP_COPY_BYTES);
    uint8_t payload[OY_KEEP_COPY_BYTES];
    fill_pattern(payload, sizeof(payload));
    size_t len = put_message(bytes, false, payload, OY_KEEP_COPY_BYTES - 1);
    len += put_message(bytes + len, true, payload, OY_KEEP_COPY_BYTES);
    oyez_buffer input = input_of(bytes, len);
    oyez_buffer view = input;
    oy_message small, large;
    assert_int_equal(oy_deframe(&f.deframer, &view, &small), OY_DEFRAME_MESSAGE);
    assert_int_equal(oy_deframe(&f.deframer, &view, &large), OY_DEFRAME_MESSAGE);
    assert_ok(oy_message_keep(&small, f.pool, &f.quota));
    assert_ok(oy_message_keep(&large, f.pool, &f.quota));
    assert_ok(oy_message_keep(&large, f.pool, &f.quota));
    assert_ptr_not_equal(oyez_slice_items(&small.bytes)[0].block, input.block);
    assert_ptr_equal(oyez_slice_items(&large.bytes)[0].block, input.block);
    assert_true(atomic_load(&f.quota.used) >= oyez_block_capacity(input.block));
    oyez_buffer_fini(&input);
    assert_bytes(&small, payload, OY_KEEP_COPY_BYTES - 1);
    assert_bytes(&large, payload, OY_KEEP_COPY_BYTES);
    assert_true(large.compressed);
    oy_message_fini(&small);
    oy_message_fini(&large);
    oy_free(bytes);
    tear_down(&f);
}

static void keep_copies_what_has_no_block(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    uint8_t bytes[5 + 5000];
    uint8_t payload[5000];
    fill_pattern(payload, sizeof(payload));
    oyez_buffer view = {bytes, put_message(bytes, false, payload, 5000), NULL};
    oy_message message;
    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_MESSAGE);
    assert_ok(oy_message_keep(&message, f.pool, NULL));
    memset(bytes, 0, sizeof(bytes));
    assert_bytes(&message, payload, 5000);
    oy_message_fini(&message);
    tear_down(&f);
}

/* --- cuts ------------------------------------------------------------------------------------- */

/* Three messages cut in two at every place. */
static void every_split_gives_the_same(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    uint8_t bytes[64];
    size_t len = put_message(bytes, false, "first", 5);
    len += put_message(bytes + len, true, "", 0);
    len += put_message(bytes + len, false, "second message", 14);
    for (size_t cut = 0; cut <= len; cut++) {
        oyez_buffer parts[2] = {input_of(bytes, cut), input_of(bytes + cut, len - cut)};
        static const char *const expected[] = {"first", "", "second message"};
        size_t count = 0;
        for (size_t p = 0; p < 2; p++) {
            oyez_buffer view = parts[p];
            oy_message message;
            oy_deframe_result result;
            while ((result = oy_deframe(&f.deframer, &view, &message)) == OY_DEFRAME_MESSAGE) {
                assert_true(count < 3);
                assert_bytes(&message, (const uint8_t *)expected[count], strlen(expected[count]));
                assert_int_equal(message.compressed, count == 1);
                oy_message_fini(&message);
                count++;
            }
            assert_int_equal(result, OY_DEFRAME_MORE);
            assert_int_equal(view.len, 0);
        }
        assert_int_equal(count, 3);
        assert_false(oy_deframer_is_inside(&f.deframer));
        oyez_buffer_fini(&parts[0]);
        oyez_buffer_fini(&parts[1]);
    }
    tear_down(&f);
}

static void prefix_byte_by_byte(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    uint8_t bytes[16];
    size_t len = put_message(bytes, true, "abc", 3);
    oy_message message;
    for (size_t i = 0; i < len; i++) {
        oyez_buffer view = {bytes + i, 1, NULL};
        oy_deframe_result result = oy_deframe(&f.deframer, &view, &message);
        assert_int_equal(view.len, 0);
        assert_int_equal(result, i + 1 == len ? OY_DEFRAME_MESSAGE : OY_DEFRAME_MORE);
        assert_int_equal(oy_deframer_is_inside(&f.deframer), i + 1 < len);
    }
    assert_false(message.borrowed);
    assert_bytes(&message, (const uint8_t *)"abc", 3);
    oy_message_fini(&message);
    tear_down(&f);
}

static void empty_messages_are_counted(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    enum { COUNT = 20000 };
    uint8_t *bytes = oy_alloc_zero(COUNT * OY_PREFIX_BYTES);
    /* Odd pieces, so that the prefixes are cut everywhere. */
    size_t got = 0;
    for (size_t at = 0; at < COUNT * OY_PREFIX_BYTES;) {
        size_t n = 4093;
        if (n > COUNT * OY_PREFIX_BYTES - at)
            n = COUNT * OY_PREFIX_BYTES - at;
        oyez_buffer view = {bytes + at, n, NULL};
        oy_message message;
        while (oy_deframe(&f.deframer, &view, &message) == OY_DEFRAME_MESSAGE) {
            assert_int_equal(message.bytes.len, 0);
            got++;
        }
        at += n;
    }
    assert_int_equal(got, COUNT);
    oy_free(bytes);
    tear_down(&f);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void memory_follows_the_input(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, UINT32_MAX);
    uint64_t before = oy_leak_allocations();
    static const uint8_t claim[] = {0, 0xff, 0xff, 0xff, 0xff};
    oyez_buffer view = {claim, sizeof(claim), NULL};
    oy_message message;
    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_MORE);
    assert_true(oy_deframer_is_inside(&f.deframer));
    assert_int_equal(oy_leak_allocations(), before);

    /* One byte of 4 GiB takes one small block. */
    view = (oyez_buffer){(const uint8_t *)"a", 1, NULL};
    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_MORE);
    assert_true(atomic_load(&f.quota.used) <= 2 * OY_KEEP_COPY_BYTES);
    tear_down(&f);
}

static void one_byte_pieces_cost_about_a_byte(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    enum { LEN = 50000 };
    uint8_t prefix[OY_PREFIX_BYTES];
    oy_prefix_write(prefix, false, LEN);
    uint8_t *expected = oy_alloc(LEN);
    fill_pattern(expected, LEN);
    oyez_buffer view = {prefix, sizeof(prefix), NULL};
    oy_message message;
    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_MORE);
    oyez_buffer input = input_of(expected, LEN);
    oy_deframe_result result = OY_DEFRAME_MORE;
    for (size_t i = 0; i < LEN; i++) {
        view = (oyez_buffer){input.data + i, 1, input.block};
        assert_int_equal(result, OY_DEFRAME_MORE);
        result = oy_deframe(&f.deframer, &view, &message);
    }
    assert_int_equal(result, OY_DEFRAME_MESSAGE);
    assert_true(atomic_load(&f.quota.used) <= LEN + 2 * OY_KEEP_COPY_BYTES);
    assert_true(message.bytes.count <= LEN / OY_KEEP_COPY_BYTES + 1);
    assert_true(oy_block_is_sole(input.block));
    oyez_buffer_fini(&input);
    assert_bytes(&message, expected, LEN);
    oy_message_fini(&message);
    oy_free(expected);
    tear_down(&f);
}

static void small_message_takes_one_block(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    uint8_t bytes[5 + OY_KEEP_COPY_BYTES];
    uint8_t payload[OY_KEEP_COPY_BYTES - 1];
    fill_pattern(payload, sizeof(payload));
    size_t len = put_message(bytes, false, payload, sizeof(payload));
    oy_message message;
    for (size_t i = 0; i < len; i++) {
        oyez_buffer view = {bytes + i, 1, NULL};
        (void)oy_deframe(&f.deframer, &view, &message);
    }
    assert_int_equal(message.bytes.count, 1);
    assert_bytes(&message, payload, sizeof(payload));
    oy_message_fini(&message);
    tear_down(&f);
}

static void big_pieces_are_referenced(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, LIMIT);
    enum { PIECE = 16384 };
    uint8_t *bytes = oy_alloc(5 + 3 * PIECE);
    uint8_t *payload = oy_alloc(3 * PIECE);
    fill_pattern(payload, 3 * PIECE);
    put_message(bytes, false, payload, 3 * PIECE);
    /* The prefix with a little, two big pieces, and again a little. */
    static const size_t cuts[] = {
        0, 5 + 100, 5 + PIECE, 5 + 2 * PIECE, 5 + 3 * PIECE - 7, 5 + 3 * PIECE};
    oy_message message;
    oy_deframe_result result = OY_DEFRAME_MORE;
    for (size_t i = 0; i + 1 < sizeof(cuts) / sizeof(cuts[0]); i++) {
        oyez_buffer input = input_of(bytes + cuts[i], cuts[i + 1] - cuts[i]);
        oyez_buffer view = input;
        result = oy_deframe(&f.deframer, &view, &message);
        assert_int_equal(view.len, 0);
        bool big = i >= 1 && i <= 3;
        assert_int_equal(oy_block_is_sole(input.block), !big);
        oyez_buffer_fini(&input);
    }
    assert_int_equal(result, OY_DEFRAME_MESSAGE);
    assert_int_equal(message.bytes.count, 5);
    assert_bytes(&message, payload, 3 * PIECE);
    oy_message_fini(&message);
    oy_free(payload);
    oy_free(bytes);
    tear_down(&f);
}

/* --- errors ----------------------------------------------------------------------------------- */

static void bad_flag_is_final(void **state)
{
    (void)state;
    fixture f;
    for (int whole = 0; whole < 2; whole++) {
        set_up(&f, LIMIT);
        uint8_t bytes[] = {2, 0, 0, 0, 1, 'a'};
        oy_message message;
        oyez_buffer view = {bytes, whole ? sizeof(bytes) : 1, NULL};
        assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_BAD_FLAG);
        assert_int_equal(f.deframer.prefix[0], 2);
        assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_BAD_FLAG);
        tear_down(&f);
    }
}

static void limit_is_decided_from_the_prefix(void **state)
{
    (void)state;
    fixture f;
    uint8_t bytes[5 + 101] = {0};
    for (uint32_t over = 0; over < 2; over++) {
        for (size_t first = 1; first <= 5; first++) {
            set_up(&f, 100);
            oy_prefix_write(bytes, false, 100 + over);
            oy_message message;
            oyez_buffer view = {bytes, first, NULL};
            oy_deframe_result result = oy_deframe(&f.deframer, &view, &message);
            if (first < 5) {
                assert_int_equal(result, OY_DEFRAME_MORE);
                view = (oyez_buffer){bytes + first, 5 - first, NULL};
                result = oy_deframe(&f.deframer, &view, &message);
            }
            assert_int_equal(result, over ? OY_DEFRAME_TOO_LARGE : OY_DEFRAME_MORE);
            assert_int_equal(f.deframer.length, 100 + over);
            if (over)
                assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_TOO_LARGE);
            tear_down(&f);
        }
    }
    /* Also when all of it is there. */
    set_up(&f, 100);
    oy_message message;
    oyez_buffer view = {bytes, put_message(bytes, false, bytes + 5, 101), NULL};
    assert_int_equal(oy_deframe(&f.deframer, &view, &message), OY_DEFRAME_TOO_LARGE);
    tear_down(&f);
}

static void fault_walk(void **state)
{
    (void)state;
    enum { LEN = 30000 };
    uint8_t *payload = oy_alloc(LEN);
    uint8_t *bytes = oy_alloc(LEN + 5);
    fill_pattern(payload, LEN);
    put_message(bytes, false, payload, LEN);
    static const size_t cuts[] = {0, 5, 6, 1000, 6000, 6001, 14000, 14001, 22000, 29000, LEN + 5};
    OY_FAULT_WALK()
    {
        oy_deframer deframer;
        oyez_buffer inputs[10] = {0};
        bool failed = false;
        oy_deframer_init(&deframer, LIMIT, NULL, NULL);
        for (size_t i = 0; i < 10 && !failed; i++)
            failed =
                oyez_buffer_copy(NULL, bytes + cuts[i], cuts[i + 1] - cuts[i], &inputs[i]) != 0;
        oy_deframe_result result = OY_DEFRAME_MORE;
        oy_message message;
        for (size_t i = 0; i < 10 && !failed; i++) {
            oyez_buffer view = inputs[i];
            result = oy_deframe(&deframer, &view, &message);
            if (result == OY_DEFRAME_NO_MEMORY) {
                /* Nothing is lost: the same call goes on. */
                assert_true(oy_fail_triggered());
                result = oy_deframe(&deframer, &view, &message);
            }
            assert_int_equal(view.len, 0);
        }
        for (size_t i = 0; i < 10; i++)
            oyez_buffer_fini(&inputs[i]);
        if (!failed) {
            assert_int_equal(result, OY_DEFRAME_MESSAGE);
            assert_bytes(&message, payload, LEN);
            oy_message_fini(&message);
        } else {
            assert_true(oy_fail_triggered());
        }
        oy_deframer_fini(&deframer);
    }
    OY_FAULT_WALK()
    {
        oyez_buffer view = {bytes, 5 + LEN, NULL};
        oy_deframer deframer;
        oy_deframer_init(&deframer, LIMIT, NULL, NULL);
        oy_message message;
        assert_int_equal(oy_deframe(&deframer, &view, &message), OY_DEFRAME_MESSAGE);
        oyez_err err = oy_message_keep(&message, NULL, NULL);
        assert_int_equal(err != 0, oy_fail_triggered());
        assert_int_equal(message.borrowed, err != 0);
        oy_message_fini(&message);
        oy_deframer_fini(&deframer);
    }
    oy_free(bytes);
    oy_free(payload);
}

/* --- property: any stream, any cuts, with and without blocks ---------------------------------- */

static size_t random_len(oy_random *random)
{
    switch (oy_random_next(random) % 4) {
    case 0:
        return oy_random_next(random) % 4;
    case 1:
        return oy_random_next(random) % 300;
    case 2:
        return OY_KEEP_COPY_BYTES - 3 + oy_random_next(random) % 7;
    default:
        return oy_random_next(random) % 20000;
    }
}

static void random_streams(void **state)
{
    (void)state;
    oy_random random = {20240117};
    enum { MAX_MESSAGES = 12 };
    for (int round = 0; round < 300; round++) {
        fixture f;
        set_up(&f, LIMIT);
        size_t lens[MAX_MESSAGES], offsets[MAX_MESSAGES];
        bool flags[MAX_MESSAGES];
        size_t count = 1 + oy_random_next(&random) % MAX_MESSAGES;
        size_t total = 0;
        for (size_t i = 0; i < count; i++) {
            lens[i] = random_len(&random);
            flags[i] = oy_random_next(&random) % 2;
            offsets[i] = total + OY_PREFIX_BYTES;
            total += OY_PREFIX_BYTES + lens[i];
        }
        uint8_t *bytes = oy_alloc(total);
        fill_pattern(bytes, total);
        for (size_t i = 0; i < count; i++)
            oy_prefix_write(bytes + offsets[i] - OY_PREFIX_BYTES, flags[i], (uint32_t)lens[i]);

        oy_message kept[MAX_MESSAGES];
        size_t got = 0;
        for (size_t at = 0; at < total;) {
            size_t n = 1 + random_len(&random);
            if (n > total - at)
                n = total - at;
            oyez_buffer input = input_of(bytes + at, n);
            oyez_buffer view = input;
            if (oy_random_next(&random) % 3 == 0)
                view.block = NULL;
            oy_deframe_result result;
            while ((result = oy_deframe(&f.deframer, &view, &kept[got])) == OY_DEFRAME_MESSAGE) {
                assert_int_equal(kept[got].compressed, flags[got]);
                assert_bytes(&kept[got], bytes + offsets[got], lens[got]);
                assert_ok(oy_message_keep(&kept[got], f.pool, &f.quota));
                got++;
                assert_true(got <= count);
                if (got == count)
                    break;
            }
            assert_int_equal(view.len, 0);
            oyez_buffer_fini(&input);
            at += n;
        }
        assert_int_equal(got, count);
        assert_false(oy_deframer_is_inside(&f.deframer));
        for (size_t i = 0; i < got; i++) {
            assert_false(kept[i].borrowed);
            assert_bytes(&kept[i], bytes + offsets[i], lens[i]);
            oy_message_fini(&kept[i]);
        }
        oy_free(bytes);
        tear_down(&f);
    }
}

OY_TEST_GROUP(wire_deframer, oy_leak_test(whole_message_is_a_view),
              oy_leak_test(keep_copies_small_and_references_large),
              oy_leak_test(keep_copies_what_has_no_block), oy_leak_test(every_split_gives_the_same),
              oy_leak_test(prefix_byte_by_byte), oy_leak_test(empty_messages_are_counted),
              oy_leak_test(memory_follows_the_input),
              oy_leak_test(one_byte_pieces_cost_about_a_byte),
              oy_leak_test(small_message_takes_one_block), oy_leak_test(big_pieces_are_referenced),
              oy_leak_test(bad_flag_is_final), oy_leak_test(limit_is_decided_from_the_prefix),
              oy_leak_test(fault_walk), oy_leak_test(random_streams));

/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of fields from the cache mean what they meant when they were encoded, whatever happens between. */
#include "transport/header_cache.h"

#include <stdio.h>
#include <string.h>

#include "support/hpack_fields.h"
#include "support/leak.h"
#include "support/test.h"

typedef struct fixture {
    oy_block_pool *pool;
    oy_outq out;
    oy_h2_conn *h2;
    oy_hpack_decoder *decoder; /* of the peer */
    oy_header_cache cache;
} fixture;

static test_fields got, wanted;
static size_t block_len; /* of the latest block */

static void on_settings(void *user, const oy_h2_peer_settings *settings)
{
    (void)user;
    (void)settings;
}

static void drain(fixture *f, uint8_t *bytes, size_t cap, size_t *ret_len)
{
    struct iovec vectors[8];
    size_t count = oy_outq_peek(&f->out, vectors, 8), len = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(vectors[i].iov_len <= cap - len);
        memcpy(bytes + len, vectors[i].iov_base, vectors[i].iov_len);
        len += vectors[i].iov_len;
    }
    oy_outq_consume(&f->out, len);
    *ret_len = len;
}

static void open_fixture(fixture *f)
{
    static const oy_h2_events events = { .on_settings = on_settings };
    const oy_hpack_decoder_limits limits = { 4096, UINT32_MAX, 2 };
    const oy_h2_config config = { .server = false };
    static uint8_t preface[1024];
    size_t len;
    *f = (fixture){ 0 };
    assert_ok(oy_block_pool_new(OY_READ_BLOCK_BYTES, 4, &f->pool));
    oy_outq_init(&f->out, f->pool);
    assert_ok(oy_h2_new(&config, &events, NULL, &f->out, &f->h2));
    assert_ok(oy_hpack_decoder_new(&limits, &f->decoder));
    drain(f, preface, sizeof(preface), &len);
}

static void close_fixture(fixture *f)
{
    oy_header_cache_fini(&f->cache);
    oy_hpack_decoder_free(f->decoder);
    oy_h2_free(f->h2);
    oy_outq_fini(&f->out);
    oy_block_pool_free(f->pool);
}

/* Writes a block of the sets, and checks what the peer reads. True: all of them were in the cache. */
static bool send_sets(fixture *f, oy_header_set *sets, size_t count)
{
    static uint8_t frame[20000];
    oy_h2_stream stream = { 0 };
    oy_h2_block block;
    oy_hpack_result result;
    const char *words;
    size_t bytes = 0, len;
    bool found = true;

    test_fields_clear(&wanted);
    test_fields_clear(&got);
    assert_ok(oy_h2_stream_open(f->h2, &stream));
    for (size_t i = 0; i < count; i++) {
        bytes += oy_header_cache_find(&f->cache, f->h2, &sets[i]);
        found = found && sets[i].found;
    }
    assert_ok(oy_h2_block_begin(f->h2, &block, bytes, bytes));
    for (size_t i = 0; i < count; i++) {
        oy_header_cache_add(&f->cache, f->h2, &block, &sets[i]);
        for (size_t k = 0; k < sets[i].count; k++)
            test_fields_add(&wanted, sets[i].names[k], sets[i].values[k]);
    }
    assert_ok(oy_h2_block_end(f->h2, &block, &stream, true));
    oy_h2_stream_close(f->h2, &stream);
    drain(f, frame, sizeof(frame), &len);
    assert_int_equal(frame[3], 1); /* HEADERS, in one frame */
    block_len = len - OY_H2_FRAME_HEADER_BYTES;
    assert_ok(oy_hpack_decode(f->decoder, frame + OY_H2_FRAME_HEADER_BYTES, block_len, test_fields_collect, &got,
                              &result, &words));
    assert_true(test_fields_equal(&got, &wanted));
    assert_int_equal(result.list_bytes, bytes);
    return found;
}

static const oyez_str names[] = { { ":path", 5 }, { "te", 2 }, { "x", 1 } };

typedef struct path_set {
    char path[600];
    oyez_str values[3];
    oy_header_set set;
} path_set;

static oy_header_set *make_set(path_set *made, unsigned number, uint8_t kind)
{
    int len = snprintf(made->path, sizeof(made->path), "/pkg.Service%u/Method", number);
    made->values[0] = (oyez_str){ made->path, (size_t)len };
    made->values[1] = OYEZ_STR("trailers");
    made->values[2] = OYEZ_STR("");
    made->set = (oy_header_set){ .names = names, .values = made->values, .count = 3, .key = made->values[0], .kind = kind };
    return &made->set;
}

static void hits(void **state)
{
    path_set made;
    fixture f;
    (void)state;

    open_fixture(&f);
    make_set(&made, 1, 1);
    assert_false(send_sets(&f, &made.set, 1)); /* inserts */
    assert_false(send_sets(&f, &made.set, 1)); /* all indexed: remembered */
    size_t live = oy_leak_live_bytes();
    uint64_t allocations = oy_leak_allocations();
    for (unsigned i = 0; i < 10; i++) {
        assert_true(send_sets(&f, &made.set, 1));
        assert_int_equal(block_len, 3);
    }
    assert_int_equal(oy_leak_allocations(), allocations);
    assert_int_equal(oy_leak_live_bytes(), live);

    /* The same path of another kind is another set. */
    make_set(&made, 1, 2);
    assert_false(send_sets(&f, &made.set, 1));
    /* The peer's limit changes the table: nothing that was remembered is good any more. */
    make_set(&made, 1, 1);
    oy_hpack_encoder_set_peer_limit(oy_h2_encoder(f.h2), 0);
    assert_false(send_sets(&f, &made.set, 1));
    assert_false(send_sets(&f, &made.set, 1));
    assert_true(block_len > 3);
    close_fixture(&f);
}

static void long_keys(void **state)
{
    path_set made;
    fixture f;
    (void)state;

    open_fixture(&f);
    for (size_t len = OY_HEADER_CACHE_KEY_MAX - 1; len <= OY_HEADER_CACHE_KEY_MAX + 2; len++) {
        make_set(&made, 1, 1);
        memset(made.path, 'p', len);
        made.values[0].len = made.set.key.len = len;
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(send_sets(&f, &made.set, 1), i == 2 && len <= OY_HEADER_CACHE_KEY_MAX);
    }
    close_fixture(&f);
}

/* A set that was found may be lost before it is added: by an insertion, or by a set that takes its slot. */
static void several_in_a_block(void **state)
{
    static path_set made[40];
    oy_header_set both[2];
    fixture f;
    unsigned found = 0;
    (void)state;

    open_fixture(&f);
    for (unsigned i = 0; i < 40; i++)
        make_set(&made[i], i, (uint8_t)(1 + i % 2));
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 40; i++)
            (void)send_sets(&f, &made[i].set, 1);
        for (unsigned a = 0; a < 40; a += 2) {
            for (unsigned b = 1; b < 40; b += 2) {
                both[0] = made[a].set;
                both[1] = made[b].set;
                for (unsigned times = 0; times < 3; times++)
                    found += send_sets(&f, both, 2);
            }
        }
    }
    assert_true(found > 0);
    close_fixture(&f);
}

/* Without memory blocks are as good, only not remembered. */
static void no_memory(void **state)
{
    path_set made;
    fixture f;
    (void)state;

    open_fixture(&f);
    make_set(&made, 1, 1);
    assert_false(send_sets(&f, &made.set, 1));
    assert_false(send_sets(&f, &made.set, 1));
    memset(made.path, 'q', 150); /* needs a larger slot */
    made.values[0].len = made.set.key.len = 150;
    assert_false(send_sets(&f, &made.set, 1));
    oy_fail_after(1);
    assert_false(send_sets(&f, &made.set, 1));
    assert_true(oy_fail_triggered());
    assert_false(send_sets(&f, &made.set, 1));
    assert_true(send_sets(&f, &made.set, 1));
    close_fixture(&f);
}

OY_TEST_GROUP(transport_header_cache, oy_leak_test(hits), oy_leak_test(long_keys), oy_leak_test(several_in_a_block),
              oy_leak_test(no_memory));

/* SPDX-License-Identifier: Apache-2.0 */
/* Fields into blocks: the examples of the RFC byte for byte, modes, sizes, generations. */
#include "hpack/hpack.h"

#include <stdio.h>
#include <string.h>

#include "hpack/test_examples.h"
#include "support/hpack_fields.h"
#include "support/leak.h"
#include "support/test.h"

/* An encoder, and a decoder that must follow it. */
typedef struct coder_pair {
    oy_hpack_encoder *encoder;
    oy_hpack_decoder *decoder;
} coder_pair;

static uint8_t block[1u << 20];
static size_t block_len;
static test_fields got, wanted;

static coder_pair new_pair(uint32_t table_bytes)
{
    const oy_hpack_decoder_limits limits = {1u << 20, UINT32_MAX, 2};
    coder_pair made = {NULL, NULL};
    assert_ok(oy_hpack_encoder_new(table_bytes, &made.encoder));
    assert_ok(oy_hpack_decoder_new(&limits, &made.decoder));
    return made;
}

static void free_pair(coder_pair *pair)
{
    oy_hpack_encoder_free(pair->encoder);
    oy_hpack_decoder_free(pair->decoder);
}

static void begin(const coder_pair *pair)
{
    test_fields_clear(&wanted);
    block_len = oy_hpack_encode_begin(pair->encoder, block);
    assert_true(block_len <= OY_HPACK_BEGIN_MAX);
}

static void add(const coder_pair *pair, oyez_str name, oyez_str value, oy_hpack_mode mode)
{
    size_t len = oy_hpack_encode(pair->encoder, name, value, mode, block + block_len);
    assert_true(len <= oy_hpack_field_max(name.len, value.len));
    block_len += len;
    test_fields_add(&wanted, name, value)->never_index = mode == OY_HPACK_NEVER;
}

static void check(const coder_pair *pair)
{
    oy_hpack_result result;
    const char *words = NULL;
    test_fields_clear(&got);
    assert_ok(oy_hpack_decode(pair->decoder, block, block_len, test_fields_collect, &got, &result,
                              &words));
    assert_true(test_fields_equal(&got, &wanted));
}

static void expect_block(const char *hex)
{
    static uint8_t expected[1024];
    assert_int_equal(block_len, test_hex(hex, expected));
    assert_memory_equal(block, expected, block_len);
}

static void run_examples(const test_example *examples, bool small_table)
{
    coder_pair pair = new_pair(4096);
    if (small_table) {
        oy_hpack_encoder_set_peer_limit(pair.encoder, 256);
        begin(&pair);
        expect_block("3fe1 01");
        check(&pair);
    }
    for (size_t i = 0; i < 3; i++) {
        begin(&pair);
        for (size_t k = 0; examples[i].fields[k][0]; k++)
            add(&pair, oy_str(examples[i].fields[k][0]), oy_str(examples[i].fields[k][1]),
                OY_HPACK_INDEX);
        /* "307" has three bytes either way; the RFC's encoder then takes Huffman, ours does not. */
        expect_block(small_table && i == 1 ? plain_responses[1].block : examples[i].block);
        check(&pair);
    }
    free_pair(&pair);
}

static void rfc_examples(void **state)
{
    (void)state;
    run_examples(huffman_requests, false);
    run_examples(huffman_responses, true);
}

static void modes(void **state)
{
    const oyez_str name = OYEZ_STR("x"), value = OYEZ_STR("\x01");
    coder_pair pair = new_pair(4096);
    (void)state;

    begin(&pair);
    add(&pair, name, value, OY_HPACK_LITERAL);
    add(&pair, name, value, OY_HPACK_NEVER);
    add(&pair, name, value, OY_HPACK_INDEX);
    add(&pair, name, value, OY_HPACK_INDEX);
    add(&pair, name, value, OY_HPACK_LITERAL); /* it is there, so it may as well be used */
    add(&pair, name, value, OY_HPACK_NEVER);   /* but a secret never is */
    expect_block("0001 7801 01 1001 7801 01 4001 7801 01 be be 1f2f 0101");
    check(&pair);

    begin(&pair);
    add(&pair, OYEZ_STR(":status"), OYEZ_STR("200"), OY_HPACK_LITERAL);
    add(&pair, OYEZ_STR(":status"), OYEZ_STR("200"), OY_HPACK_NEVER);
    add(&pair, OYEZ_STR(""), OYEZ_STR(""), OY_HPACK_INDEX);
    add(&pair, (oyez_str){NULL, 0}, (oyez_str){NULL, 0}, OY_HPACK_INDEX);
    expect_block("88 1882 1001 4000 00 be");
    check(&pair);
    free_pair(&pair);
}

/* Only entries of at most three quarters of the table get a place. */
static void large_entries(void **state)
{
    static char text[8192];
    const oyez_str name = OYEZ_STR("n");
    coder_pair pair = new_pair(4096);
    (void)state;

    memset(text, '!', sizeof(text));
    begin(&pair);
    add(&pair, name, (oyez_str){text, 3072 - 33}, OY_HPACK_INDEX);
    assert_int_equal(block[0], 0x40);
    check(&pair);
    begin(&pair);
    add(&pair, name, (oyez_str){text, 3072 - 32}, OY_HPACK_INDEX);
    assert_int_equal(block[0], 0x0f);
    check(&pair);
    begin(&pair);
    add(&pair, name, (oyez_str){text, sizeof(text)}, OY_HPACK_INDEX);
    assert_int_equal(block[0], 0x0f);
    check(&pair);
    free_pair(&pair);
}

static void size_updates(void **state)
{
    coder_pair pair = new_pair(4096);
    const oyez_str name = OYEZ_STR("name"), value = OYEZ_STR("value");
    (void)state;

    begin(&pair);
    assert_int_equal(block_len, 0);
    add(&pair, name, value, OY_HPACK_INDEX);
    check(&pair);

    oy_hpack_encoder_set_peer_limit(pair.encoder, 4096); /* no news */
    oy_hpack_encoder_set_peer_limit(pair.encoder, 65536);
    begin(&pair);
    assert_int_equal(block_len, 0); /* we use 4096 anyway */
    add(&pair, name, value, OY_HPACK_INDEX);
    expect_block("be");
    check(&pair);

    oy_hpack_encoder_set_peer_limit(pair.encoder, 100);
    oy_hpack_encoder_set_peer_limit(pair.encoder, 0);
    oy_hpack_encoder_set_peer_limit(pair.encoder, 200);
    begin(&pair);
    expect_block("20 3fa9 01");
    add(&pair, name, value, OY_HPACK_INDEX);
    assert_int_equal(block[4], 0x40);
    check(&pair);
    begin(&pair);
    assert_int_equal(block_len, 0);

    /* Below our own use, a lowered limit is still answered: the peer may insist. */
    oy_hpack_encoder_set_peer_limit(pair.encoder, 4096);
    oy_hpack_encoder_set_peer_limit(pair.encoder, 65536);
    begin(&pair);
    expect_block("3fe1 1f");
    check(&pair);
    oy_hpack_encoder_set_peer_limit(pair.encoder, 8192);
    begin(&pair);
    expect_block("3fe1 1f");
    check(&pair);
    free_pair(&pair);

    /* A smaller table of our own is announced at once, a larger one when the peer allows it. */
    pair = new_pair(0);
    begin(&pair);
    expect_block("20");
    add(&pair, name, value, OY_HPACK_INDEX);
    assert_int_equal(block[1], 0x00);
    check(&pair);
    free_pair(&pair);
    pair = new_pair(8192);
    begin(&pair);
    assert_int_equal(block_len, 0);
    oy_hpack_encoder_set_peer_limit(pair.encoder, UINT32_MAX);
    begin(&pair);
    expect_block("3fe1 3f");
    check(&pair);
    free_pair(&pair);

    oy_hpack_encoder *encoder = NULL;
    assert_err(oy_hpack_encoder_new((1u << 24) + 1, &encoder), OYEZ_EINVAL);
    oy_hpack_encoder_free(NULL);
}

/* What may be sent twice keeps its generation; what must not never finds it again. */
static void generations(void **state)
{
    coder_pair pair = new_pair(4096);
    oy_hpack_encoder *encoder = pair.encoder;
    const oyez_str path = OYEZ_STR(":path"), method = OYEZ_STR("/a.B/C"), te = OYEZ_STR("te");
    (void)state;

    assert_int_equal(oy_hpack_encoder_generation(encoder), 1);
    assert_int_equal(oy_hpack_encoder_generation(encoder), 1);

    /* It enters the table: not to be sent again, whether one asks before or after the next begin. */
    begin(&pair);
    add(&pair, path, method, OY_HPACK_INDEX);
    uint32_t after = oy_hpack_encoder_generation(encoder);
    assert_int_not_equal(oy_hpack_encoder_generation(encoder), after);
    check(&pair);
    begin(&pair);
    add(&pair, path, OYEZ_STR("/a.B/D"), OY_HPACK_INDEX);
    after = oy_hpack_encoder_generation(encoder);
    check(&pair);
    begin(&pair);
    assert_int_not_equal(oy_hpack_encoder_generation(encoder), after);

    /* Now it is an index. It may be sent again, with literals between. */
    add(&pair, path, method, OY_HPACK_INDEX);
    after = oy_hpack_encoder_generation(encoder);
    expect_block("bf");
    for (unsigned i = 0; i < 3; i++) {
        check(&pair);
        begin(&pair);
        add(&pair, OYEZ_STR("grpc-timeout"), OYEZ_STR("1S"), OY_HPACK_LITERAL);
        add(&pair, OYEZ_STR("authorization"), OYEZ_STR("secret"), OY_HPACK_NEVER);
        assert_int_equal(oy_hpack_encoder_generation(encoder), after);
        check(&pair);
        test_fields_clear(&wanted);
        test_fields_add(&wanted, path, method);
        block[0] = 0xbf;
        block_len = 1;
    }

    /* One more entry, and the index means another field. */
    begin(&pair);
    add(&pair, te, OYEZ_STR("trailers"), OY_HPACK_INDEX);
    assert_int_not_equal(oy_hpack_encoder_generation(encoder), after);
    check(&pair);

    /* Sizes: asked for, and then written. */
    begin(&pair);
    add(&pair, path, method, OY_HPACK_INDEX);
    after = oy_hpack_encoder_generation(encoder);
    check(&pair);
    oy_hpack_encoder_set_peer_limit(encoder, 4096);
    assert_int_equal(oy_hpack_encoder_generation(encoder), after);
    oy_hpack_encoder_set_peer_limit(encoder, 2048);
    assert_int_not_equal(oy_hpack_encoder_generation(encoder), after);
    begin(&pair);
    add(&pair, path, method, OY_HPACK_INDEX);
    after = oy_hpack_encoder_generation(encoder);
    expect_block("3fe1 0f c0");
    check(&pair);
    begin(&pair);
    assert_int_not_equal(oy_hpack_encoder_generation(encoder), after);
    free_pair(&pair);
}

/* Random fields of a small world, so that much repeats, through tables that change size. */
static void round_trips(void **state)
{
    static const char *const names[] = {":path", "te", "x-a", "x-b", "accept", "grpc-status", ""};
    static char text[600];
    uint64_t seed = 3;
    (void)state;

    memset(text, 'x', sizeof(text));
    for (unsigned round = 0; round < 60; round++) {
        coder_pair pair = new_pair(round % 3 == 0 ? 4096 : test_random(&seed, 6000));
        for (unsigned n = 0; n < 80; n++) {
            if (test_random(&seed, 10) == 0)
                oy_hpack_encoder_set_peer_limit(pair.encoder, test_random(&seed, 8000));
            if (test_random(&seed, 30) == 0)
                oy_hpack_encoder_set_peer_limit(pair.encoder, test_random(&seed, 200));
            begin(&pair);
            for (unsigned fields = test_random(&seed, 12); fields > 0; fields--) {
                oyez_str name = oy_str(names[test_random(&seed, 7)]);
                oyez_str value = {text, test_random(&seed, 8)};
                if (test_random(&seed, 8) == 0)
                    value.len = test_random(&seed, sizeof(text));
                uint32_t mode = test_random(&seed, 5);
                add(&pair, name, value, mode > 2 ? OY_HPACK_INDEX : (oy_hpack_mode)mode);
            }
            check(&pair);
        }
        free_pair(&pair);
    }
}

/* A block of each method again and again: each entry is made once, and then nothing is allocated. */
static void steady_state(void **state)
{
    coder_pair pair = new_pair(4096);
    uint64_t allocations = 0;
    (void)state;

    for (unsigned call = 0; call < 10; call++) {
        if (call == 1)
            allocations = oy_leak_allocations();
        begin(&pair);
        add(&pair, OYEZ_STR(":method"), OYEZ_STR("POST"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR(":scheme"), OYEZ_STR("http"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR(":path"), OYEZ_STR("/pkg.Service/Method"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR(":authority"), OYEZ_STR("localhost:50051"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR("te"), OYEZ_STR("trailers"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR("content-type"), OYEZ_STR("application/grpc"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR("user-agent"), OYEZ_STR("grpc-c-oyez/0.1"), OY_HPACK_INDEX);
        check(&pair);
        if (call > 0)
            expect_block("8386 c2c1 c0bf be");
    }
    assert_int_equal(oy_leak_allocations(), allocations);
    free_pair(&pair);
}

/* What the tables of a new connection cost, and what a call adds. */
static void memory(void **state)
{
    coder_pair pair = new_pair(4096);
    (void)state;

    assert_in_range(oy_leak_live_bytes(), 1, 1024);
    for (unsigned call = 0; call < 2; call++) {
        begin(&pair);
        add(&pair, OYEZ_STR(":path"), OYEZ_STR("/pkg.Service/Method"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR(":authority"), OYEZ_STR("localhost:50051"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR("te"), OYEZ_STR("trailers"), OY_HPACK_INDEX);
        add(&pair, OYEZ_STR("content-type"), OYEZ_STR("application/grpc"), OY_HPACK_INDEX);
        check(&pair);
    }
    assert_in_range(oy_leak_live_bytes(), 1, 4096);
    free_pair(&pair);
}

static oyez_str number_text(char text[16], unsigned number)
{
    return (oyez_str){text, (size_t)snprintf(text, 16, "%u", number)};
}

/* Entries go in one by one while the table grows under them: each is still found, and means the same. */
static void growth(void **state)
{
    coder_pair pair = new_pair(1u << 16);
    char text[16];
    (void)state;

    oy_hpack_encoder_set_peer_limit(pair.encoder, 1u << 16);
    for (unsigned last = 0; last < 600; last++) {
        begin(&pair);
        for (unsigned i = last > 3 ? last - 3 : 0; i <= last; i++)
            add(&pair, OYEZ_STR("x-number"), number_text(text, i), OY_HPACK_INDEX);
        if (last > 200)
            add(&pair, OYEZ_STR("x-number"), OYEZ_STR("77"), OY_HPACK_INDEX);
        check(&pair);
        assert_true(block_len < 40);
    }
    free_pair(&pair);
}

/* No memory for a larger table: the field is coded as a literal, and the tables stay in step. */
static void no_memory_to_grow(void **state)
{
    coder_pair pair = new_pair(4096);
    char text[16];
    unsigned literals = 0;
    (void)state;

    for (unsigned i = 0; i < 100; i++) {
        begin(&pair);
        oy_fail_after(1);
        add(&pair, OYEZ_STR("x-number"), number_text(text, i), OY_HPACK_INDEX);
        oy_fail_after(0);
        if ((block[0] & 0xc0) == 0)
            literals++;
        check(&pair);
        begin(&pair);
        add(&pair, OYEZ_STR("x-number"), number_text(text, i), OY_HPACK_INDEX);
        check(&pair);
    }
    assert_int_equal(literals, 6); /* 128, 256, ... 4096 bytes */
    free_pair(&pair);
}

static void fault_walk(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        const oy_hpack_decoder_limits limits = {4096, 65536, 2};
        oy_hpack_encoder *encoder = NULL;
        oy_hpack_decoder *decoder = NULL;
        oyez_err err = oy_hpack_encoder_new(4096, &encoder);
        if (!err)
            err = oy_hpack_decoder_new(&limits, &decoder);
        if (!err) {
            /* Two long Huffman-coded strings: the scratch buffer grows, twice. Then the first field of
             * the static table, and the first of the other. */
            static char text[5000];
            const char *words = NULL;
            oy_hpack_result result;
            memset(text, 'a', sizeof(text));
            size_t len = oy_hpack_encode_begin(encoder, block);
            len += oy_hpack_encode(encoder, (oyez_str){text, 3000}, (oyez_str){text, sizeof(text)},
                                   OY_HPACK_LITERAL, block + len);
            static const uint8_t more[] = {0x82, 0x40, 1, 'a', 1, 'b', 0xbe};
            memcpy(block + len, more, sizeof(more));
            len += sizeof(more);
            test_fields_clear(&got);
            err = oy_hpack_decode(decoder, block, len, test_fields_collect, &got, &result, &words);
            if (!err) {
                assert_int_equal(got.count, 4);
                assert_int_equal(got.list[0].name.len, 3000);
                assert_memory_equal(got.list[0].name.data, text, 3000);
                assert_int_equal(got.list[0].value.len, sizeof(text));
            }
        }
        if (oy_fail_triggered())
            assert_err(err, OYEZ_ENOMEM);
        else
            assert_ok(err);
        oy_hpack_encoder_free(encoder);
        oy_hpack_decoder_free(decoder);
    }
}

OY_TEST_GROUP(hpack_encoder, oy_leak_test(rfc_examples), oy_leak_test(modes),
              oy_leak_test(large_entries), oy_leak_test(size_updates), oy_leak_test(generations),
              oy_leak_test(round_trips), oy_leak_test(steady_state), oy_leak_test(memory),
              oy_leak_test(growth), oy_leak_test(no_memory_to_grow), oy_leak_test(fault_walk));

/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks into fields: the examples of the RFC, what is refused, limits, notes, bombs. */
#include "hpack/hpack.h"

#include <stdio.h>
#include <string.h>

#include "hpack/integer.h"
#include "hpack/test_examples.h"
#include "support/hpack_fields.h"
#include "support/leak.h"
#include "support/test.h"

static const oy_hpack_decoder_limits usual = {4096, 16384, 2};
static test_fields got;
static oy_hpack_result result;
static const char *words;

static oy_hpack_decoder *new_decoder(oy_hpack_decoder_limits limits)
{
    oy_hpack_decoder *decoder = NULL;
    assert_int_equal(oy_hpack_decoder_new(&limits, &decoder), 0);
    return decoder;
}

/* From memory of exactly that size, so that a sanitizer sees a read past the end. */
static oyez_err decode_bytes(oy_hpack_decoder *decoder, const uint8_t *block, size_t len)
{
    uint8_t *copy = malloc(len > 0 ? len : 1);
    assert_non_null(copy);
    memcpy(copy, block, len);
    test_fields_clear(&got);
    words = NULL;
    oyez_err err = oy_hpack_decode(decoder, copy, len, test_fields_collect, &got, &result, &words);
    free(copy);
    assert_true((err == OYEZ_EPROTO) == (words != NULL));
    return err;
}

static oyez_err decode_hex(oy_hpack_decoder *decoder, const char *hex)
{
    static uint8_t block[65536];
    return decode_bytes(decoder, block, test_hex(hex, block));
}

static void expect_field(size_t at, const char *name, const char *value)
{
    assert_true(at < got.count);
    assert_true(oy_str_eq(got.list[at].name, oy_str(name)));
    assert_true(oy_str_eq(got.list[at].value, oy_str(value)));
}

static void expect_refused(oy_hpack_decoder_limits limits, const char *hex, const char *part)
{
    oy_hpack_decoder *decoder = new_decoder(limits);
    assert_int_equal(decode_hex(decoder, hex), OYEZ_EPROTO);
    if (!strstr(words, part))
        fail_msg("\"%s\" does not say \"%s\"", words, part);
    oy_hpack_decoder_free(decoder);
}

static void run_examples(const test_example *examples, bool small_table)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    if (small_table)
        assert_int_equal(decode_hex(decoder, "3fe1 01"), 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(decode_hex(decoder, examples[i].block), 0);
        size_t count = 0;
        for (; examples[i].fields[count][0]; count++)
            expect_field(count, examples[i].fields[count][0], examples[i].fields[count][1]);
        assert_int_equal(got.count, count);
        assert_false(result.over_limit);
    }
    oy_hpack_decoder_free(decoder);
}

static void rfc_examples(void **state)
{
    (void)state;
    run_examples(plain_requests, false);
    run_examples(huffman_requests, false);
    run_examples(plain_responses, true);
    run_examples(huffman_responses, true);
}

static void rfc_single_fields(void **state)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    (void)state;

    assert_int_equal(
        decode_hex(decoder, "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572"), 0);
    expect_field(0, "custom-key", "custom-header");
    assert_true(got.list[0].noted);
    assert_int_equal(result.list_bytes, 55);

    assert_int_equal(decode_hex(decoder, "040c 2f73 616d 706c 652f 7061 7468"), 0);
    expect_field(0, ":path", "/sample/path");
    assert_int_equal(got.list[0].token, OY_TOKEN_PATH);
    assert_false(got.list[0].noted);
    assert_false(got.list[0].never_index);

    assert_int_equal(decode_hex(decoder, "1008 7061 7373 776f 7264 0673 6563 7265 74"), 0);
    expect_field(0, "password", "secret");
    assert_true(got.list[0].never_index);
    assert_false(got.list[0].noted);

    assert_int_equal(decode_hex(decoder, "82"), 0);
    expect_field(0, ":method", "GET");
    assert_int_equal(result.list_bytes, 42);

    assert_int_equal(decode_hex(decoder, ""), 0);
    assert_int_equal(got.count, 0);
    assert_int_equal(result.list_bytes, 0);
    assert_int_equal(decode_hex(decoder, "be"), 0);
    expect_field(0, "custom-key", "custom-header");
    oy_hpack_decoder_free(decoder);
}

static void refusals(void **state)
{
    (void)state;
    expect_refused(usual, "80", "index of a field is 0");
    expect_refused(usual, "be", "past the end");
    expect_refused(usual, "ff00", "past the end");
    expect_refused(usual, "7f00 00", "index of a name");
    expect_refused(usual, "0f2f 00", "index of a name");
    expect_refused(usual, "ff", "ends inside an integer");
    expect_refused(usual, "ff80", "ends inside an integer");
    expect_refused(usual, "ffff ffff ff0f", "too large");
    expect_refused(usual, "ff80 8080 8080 00", "too large");
    expect_refused(usual, "4001 61", "ends before a string");
    expect_refused(usual, "40", "ends before a string");
    expect_refused(usual, "4002 61", "longer than the rest");
    expect_refused(usual, "0081 ff00", "Huffman");
    expect_refused(usual, "0084 ffff ffff 00", "Huffman");
    expect_refused(usual, "8220", "behind a field");
    expect_refused(usual, "823f e11f", "behind a field");
    expect_refused(usual, "3fe2 1f", "above SETTINGS_HEADER_TABLE_SIZE");
    expect_refused(usual, "2020 20", "too many table size updates");
}

static void limits_of_the_constructor(void **state)
{
    oy_hpack_decoder *decoder = NULL;
    const oy_hpack_decoder_limits large = {(1u << 24) + 1, 16384, 2};
    (void)state;
    assert_int_equal(oy_hpack_decoder_new(&large, &decoder), OYEZ_EINVAL);
    assert_null(decoder);
    oy_hpack_decoder_free(NULL);
}

/* An integer may be longer than it needs to be; the largest string of all is one too many. */
static void integers(void **state)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    (void)state;
    assert_int_equal(decode_hex(decoder, "0001 617f 8180 8000"), OYEZ_EPROTO);
    assert_int_equal(decode_hex(decoder, "000f"), OYEZ_EPROTO);
    assert_int_equal(decode_hex(decoder, "0f80 0061 62"), OYEZ_EPROTO);
    assert_int_equal(decode_hex(decoder, "0f80 8080 8000 0162"), 0); /* 15 + 0 */
    expect_field(0, "accept-charset", "b");
    oy_hpack_decoder_free(decoder);
}

static void size_updates(void **state)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    (void)state;

    assert_int_equal(decode_hex(decoder, "4001 6101 62"), 0);
    assert_int_equal(decode_hex(decoder, "be"), 0);
    assert_int_equal(decode_hex(decoder, "3fe1 1f be"), 0); /* 4096: nothing lost */
    assert_int_equal(decode_hex(decoder, "20 3fe1 1f"), 0); /* 0, then 4096 */
    assert_int_equal(decode_hex(decoder, "be"), OYEZ_EPROTO);
    oy_hpack_decoder_free(decoder);

    /* An entry that is larger than the table empties it, and is delivered all the same. */
    decoder = new_decoder(usual);
    assert_int_equal(decode_hex(decoder, "3f03 4001 6101 62 be"), 0); /* 34 bytes are just enough */
    assert_int_equal(got.count, 2);
    assert_int_equal(decode_hex(decoder, "be 7e02 6364"), 0); /* "a: cd" has 35 */
    assert_int_equal(got.count, 2);
    expect_field(1, "a", "cd");
    assert_false(got.list[1].noted);
    assert_int_equal(decode_hex(decoder, "be"), OYEZ_EPROTO);
    oy_hpack_decoder_free(decoder);
}

/* Before the peer has acknowledged a smaller table it uses 4096 bytes; then it must say so. */
static void smaller_table(void **state)
{
    const oy_hpack_decoder_limits small = {64, 16384, 2};
    oy_hpack_decoder *decoder = new_decoder(small);
    (void)state;

    assert_int_equal(decode_hex(decoder, "4001 6101 62 4001 6101 63 4001 6101 64"), 0);
    assert_int_equal(decode_hex(decoder, "be bf c0"), 0);
    oy_hpack_decoder_settings_acked(decoder);
    assert_int_equal(decode_hex(decoder, "3f21 be"), 0); /* 64 */
    expect_field(0, "a", "d");
    assert_int_equal(decode_hex(decoder, "be"), 0);
    oy_hpack_decoder_settings_acked(decoder); /* once is enough */
    assert_int_equal(decode_hex(decoder, "be"), 0);
    assert_int_equal(decode_hex(decoder, "bf"), OYEZ_EPROTO);
    oy_hpack_decoder_free(decoder);

    decoder = new_decoder(small);
    oy_hpack_decoder_settings_acked(decoder);
    assert_int_equal(decode_hex(decoder, "82"), OYEZ_EPROTO);
    assert_non_null(strstr(words, "missing"));
    oy_hpack_decoder_free(decoder);

    decoder = new_decoder(usual);
    oy_hpack_decoder_settings_acked(decoder);
    assert_int_equal(decode_hex(decoder, "82"), 0);
    oy_hpack_decoder_free(decoder);
}

/* RFC 7541 section 4.4: the name belongs to an entry that this very insertion drives out. */
static void name_of_an_evicted_entry(void **state)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    char block[256];
    (void)state;

    assert_int_equal(decode_hex(decoder, "3f21"), 0); /* 64 */
    assert_int_equal(decode_hex(decoder, "400a 6375 7374 6f6d 2d6b 6579 0141"), 0);
    for (unsigned round = 0; round < 200; round++) {
        unsigned len = round % 16; /* 10 + 15 + 32 < 64 < twice the smallest */
        int at = snprintf(block, sizeof(block), "7e%02x", len);
        for (unsigned i = 0; i < len; i++)
            at += snprintf(block + at, sizeof(block) - (size_t)at, "%02x", 'a' + i);
        assert_int_equal(decode_hex(decoder, block), 0);
        assert_int_equal(got.count, 1);
        assert_true(oy_str_eq(got.list[0].name, OYEZ_STR("custom-key")));
        assert_memory_equal(got.list[0].value.data, "abcdefghijklmnop", len);
        assert_int_equal(got.list[0].meaning, 0);
        assert_int_equal(decode_hex(decoder, "bf"), OYEZ_EPROTO);
        assert_int_equal(decode_hex(decoder, "be"), 0);
        assert_true(oy_str_eq(got.list[0].name, OYEZ_STR("custom-key")));
        assert_int_equal(got.list[0].value.len, len);
        assert_int_not_equal(got.list[0].meaning, 0);
    }
    oy_hpack_decoder_free(decoder);
}

/* The same when the entry makes the table grow. */
static void name_of_an_evicted_entry_that_grows(void **state)
{
    static uint8_t block[5000];
    (void)state;

    for (uint32_t len = 3990; len <= 4054; len++) { /* 10 + 4054 + 32 is the table's size */
        oy_hpack_decoder *decoder = new_decoder(usual);
        assert_int_equal(decode_hex(decoder, "400a 6375 7374 6f6d 2d6b 6579 0141"), 0);
        memset(block, 'v', sizeof(block));
        block[0] = 0x7e;
        uint8_t *end = oy_hpack_integer_put(block + 1, 0, 7, len);
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(decode_bytes(decoder, block, (size_t)(end - block) + len), 0);
            assert_true(oy_str_eq(got.list[0].name, OYEZ_STR("custom-key")));
            assert_int_equal(got.list[0].value.len, len);
        }
        assert_int_equal(decode_hex(decoder, "be"), 0);
        assert_true(oy_str_eq(got.list[0].name, OYEZ_STR("custom-key")));
        assert_int_equal(decode_hex(decoder, "bf"), OYEZ_EPROTO);
        oy_hpack_decoder_free(decoder);
    }
}

/* Notes and fields move with their entries, of both tables, and are still theirs. */
static void growth(void **state)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    char block[64], wanted[8];
    (void)state;

    for (unsigned i = 0; i < 61; i++) {
        snprintf(block, sizeof(block), "%02x 4001 6e01 %02x", 0x81 + i, 0x21 + i);
        assert_int_equal(decode_hex(decoder, block), 0);
        assert_int_equal(got.list[0].meaning, 0);
        assert_int_equal(got.list[1].meaning, 0);
        for (unsigned age = 0; age <= i; age++) {
            snprintf(block, sizeof(block), "%02x %02x", 0x81 + i - age, 0xbe + age);
            assert_int_equal(decode_hex(decoder, block), 0);
            assert_int_not_equal(got.list[0].meaning, 0);
            assert_int_not_equal(got.list[1].meaning, 0);
            snprintf(wanted, sizeof(wanted), "%c", (int)(0x21 + i - age));
            expect_field(1, "n", wanted);
        }
    }
    oy_hpack_decoder_free(decoder);
}

/* The buffer of long literals does not stay. */
static void large_scratch(void **state)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    static uint8_t block[8000];
    static char text[7000];
    (void)state;

    memset(text, 'a', sizeof(text));
    size_t idle = oy_leak_live_bytes(),
           coded = oy_huffman_encoded_len((oyez_str){text, sizeof(text)});
    block[0] = 0;
    block[1] = 0;
    uint8_t *end = oy_hpack_integer_put(block + 2, 0x80, 7, (uint32_t)coded);
    end += oy_huffman_encode((oyez_str){text, sizeof(text)}, end);
    assert_int_equal(decode_bytes(decoder, block, (size_t)(end - block)), 0);
    assert_int_equal(got.list[0].value.len, sizeof(text));
    assert_int_equal(oy_leak_live_bytes(), idle);
    oy_hpack_decoder_free(decoder);
}

/* The note stays as long as the entry; static entries have one each. */
static void notes(void **state)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    oy_hpack_decoder *other = new_decoder(usual);
    (void)state;

    assert_int_equal(decode_hex(decoder, "82 4001 6101 62 82 be"), 0);
    assert_int_equal(got.count, 4);
    assert_int_equal(got.list[0].meaning, 0);
    assert_int_equal(got.list[1].meaning, 0);
    assert_int_not_equal(got.list[2].meaning, 0);
    assert_int_not_equal(got.list[3].meaning, 0);
    assert_int_equal(decode_hex(other, "82"), 0);
    assert_true(got.list[0].noted);
    assert_int_equal(got.list[0].meaning, 0);

    assert_int_equal(decode_hex(decoder, "4001 6101 63 bf 83"), 0);
    assert_int_equal(got.list[0].meaning, 0);
    assert_int_not_equal(got.list[1].meaning, 0);
    assert_int_equal(got.list[2].meaning, 0);

    /* The same field again, in a new entry: the note starts from nothing. */
    assert_int_equal(decode_hex(decoder, "20 3fe1 1f 4001 6101 62"), 0);
    assert_int_equal(got.list[0].meaning, 0);
    oy_hpack_decoder_free(decoder);
    oy_hpack_decoder_free(other);
}

static void list_limit(void **state)
{
    const oy_hpack_decoder_limits tight = {4096, 84, 2};
    oy_hpack_decoder *decoder = new_decoder(tight);
    (void)state;

    assert_int_equal(decode_hex(decoder, "82 82"), 0); /* 84: exactly the limit */
    assert_int_equal(got.count, 2);
    assert_int_equal(result.list_bytes, 84);
    assert_false(result.over_limit);

    /* Past it the table goes on: an entry is made, and with a name of the one before. */
    assert_int_equal(decode_hex(decoder, "82 82 4001 6101 62 7e01 63 82"), 0);
    assert_int_equal(got.count, 2);
    assert_true(result.over_limit);
    assert_int_equal(result.list_bytes, 84 + 34 + 34 + 42);
    assert_int_equal(decode_hex(decoder, "be bf"), 0);
    expect_field(0, "a", "c");
    expect_field(1, "a", "b");
    assert_false(result.over_limit);

    /* A string that is too long for the list and the table is skipped and still counts. */
    const oy_hpack_decoder_limits nothing = {4096, 0, 2};
    oy_hpack_decoder_free(decoder);
    decoder = new_decoder(nothing);
    assert_int_equal(decode_hex(decoder, "0001 6101 62"), 0);
    assert_int_equal(got.count, 0);
    assert_true(result.over_limit);
    assert_int_equal(result.list_bytes, 34);
    assert_int_equal(decode_hex(decoder, ""), 0);
    assert_false(result.over_limit);
    oy_hpack_decoder_free(decoder);
}

/* Literals with long strings, raw and Huffman-coded, around both limits. Returns the block's length. */
static size_t long_literal(uint8_t *block, uint8_t first, size_t len, bool huffman)
{
    static char text[40000];
    static uint8_t coded[40000];
    memset(text, 'a', sizeof(text)); /* 5 bits */
    size_t size = huffman ? oy_huffman_encode((oyez_str){text, len}, coded) : len;
    size_t at = 0, rest = size - 127;
    assert_true(size >= 127);
    block[at++] = first;
    block[at++] = 1;
    block[at++] = 'n';
    block[at++] = huffman ? 0xff : 0x7f;
    for (; rest > 127; rest >>= 7)
        block[at++] = (uint8_t)(rest | 0x80);
    block[at++] = (uint8_t)rest;
    memcpy(block + at, huffman ? (const void *)coded : text, size);
    return at + size;
}

static void long_literals(void **state)
{
    static uint8_t block[50000];
    const oy_hpack_decoder_limits limits[2] = {{4096, 8192, 2}, {4096, 2048, 2}};
    (void)state;

    for (unsigned variant = 0; variant < 8; variant++) {
        const oy_hpack_decoder_limits *limit = &limits[variant & 1];
        const bool huffman = variant & 2, indexing = variant & 4;
        for (int delta = -1; delta <= 1; delta++) {
            for (unsigned edge = 0; edge < 2; edge++) {
                const uint32_t at = edge ? limit->list_bytes : limit->table_bytes;
                const size_t len = (size_t)((int)at - 33 + delta); /* name 1, overhead 32 */
                oy_hpack_decoder *decoder = new_decoder(*limit);
                assert_int_equal(decode_hex(decoder, "4001 6101 62"), 0);
                size_t size = long_literal(block, indexing ? 0x40 : 0, len, huffman);
                assert_int_equal(decode_bytes(decoder, block, size), 0);

                const bool fits_list = len + 33 <= limit->list_bytes;
                const bool fits_table = indexing && len + 33 <= limit->table_bytes;
                assert_int_equal(got.count, fits_list);
                assert_int_equal(result.over_limit, !fits_list);
                if (fits_list) {
                    assert_int_equal(got.list[0].value.len, len);
                    assert_int_equal(got.list[0].noted, fits_table);
                    assert_int_equal(result.list_bytes, len + 33);
                }
                /* What the table holds now: the long one, nothing, or what was there before. */
                oyez_err err = decode_hex(decoder, "be");
                assert_int_equal(err, indexing && !fits_table ? OYEZ_EPROTO : 0);
                if (!err)
                    assert_int_equal(result.list_bytes, indexing ? len + 33 : 34);
                oy_hpack_decoder_free(decoder);
            }
        }
    }
}

static void callback_says_stop(void **state)
{
    oy_hpack_decoder *decoder = new_decoder(usual);
    (void)state;

    got.stop_after = 2;
    assert_int_equal(decode_hex(decoder, "82 83 84 4001 6101 62 86"), 0);
    got.stop_after = 0;
    assert_int_equal(got.count, 2);
    assert_false(result.over_limit);
    assert_int_equal(result.list_bytes, 42 + 43 + 38 + 34 + 43);
    assert_int_equal(decode_hex(decoder, "be"), 0);
    expect_field(0, "a", "b");
    oy_hpack_decoder_free(decoder);
}

/* hostile peers, B05: what 16 KiB of input can cost. */
static void bombs(void **state)
{
    static uint8_t block[65536];
    oy_hpack_decoder *decoder = new_decoder(usual);
    size_t len = 0;
    (void)state;

    /* a: one large entry, then thousands of references. */
    len = long_literal(block, 0x40, 4000, false);
    memset(block + len, 0xbe, 12000);
    assert_int_equal(decode_bytes(decoder, block, len + 12000), 0);
    assert_int_equal(got.count, 4);
    assert_true(result.over_limit);
    assert_int_equal(result.list_bytes, 12001u * 4033u);

    /* b: empty fields. */
    for (len = 0; len < 20000; len += 4)
        memcpy(block + len, "\0\1a", 4);
    assert_int_equal(decode_bytes(decoder, block, 20000), 0);
    assert_int_equal(got.count, 16384 / 33);
    assert_true(result.over_limit);
    assert_int_equal(result.list_bytes, 5000 * 33);

    /* c: the table grows and shrinks. */
    for (len = 0; len < 60000; len += 4)
        memcpy(block + len, "\x3f\xe1\x1f\x20", 4);
    assert_int_equal(decode_bytes(decoder, block, 60000), OYEZ_EPROTO);
    oy_hpack_decoder_free(decoder);

    /* The sum of a list stays within its type. */
    const oy_hpack_decoder_limits endless = {4096, UINT32_MAX, 2};
    decoder = new_decoder(endless);
    got.stop_after = 1;
    len = long_literal(block, 0x40, 4063, false);
    assert_int_equal(decode_bytes(decoder, block, len), 0);
    memset(block, 0xbe, sizeof(block));
    size_t many = (size_t)UINT32_MAX / 4096 + 1;
    uint8_t *references = malloc(many);
    assert_non_null(references);
    memset(references, 0xbe, many);
    assert_int_equal(decode_bytes(decoder, references, many), 0);
    assert_int_equal(result.list_bytes, UINT32_MAX);
    assert_true(result.over_limit);
    got.stop_after = 0;
    free(references);
    oy_hpack_decoder_free(decoder);
}

/* The ring wraps many times, with strings of all lengths; a model beside it knows what must be there. */
static void table_in_step_with_a_model(void **state)
{
    enum { KEPT = 256 };
    static struct {
        char text[2];
        size_t len;
    } model[KEPT];
    static uint8_t block[8192];
    static char value[5000];
    uint64_t seed = 11;
    (void)state;

    for (unsigned size = 0; size < 3; size++) {
        const uint32_t table = size == 0 ? 100 : size == 1 ? 1000 : 4096;
        const oy_hpack_decoder_limits limits = {4096, UINT32_MAX, 2};
        oy_hpack_decoder *decoder = new_decoder(limits);
        size_t added = 0, live = 0, used = 0;
        uint32_t rest = table - 31;
        size_t at = 0;
        block[at++] = 0x3f;
        for (; rest > 127; rest >>= 7)
            block[at++] = (uint8_t)(rest | 0x80);
        block[at++] = (uint8_t)rest;
        assert_int_equal(decode_bytes(decoder, block, at), 0);

        for (unsigned round = 0; round < 3000; round++) {
            size_t len = test_random(&seed, 4) == 0 ? test_random(&seed, table) : 0;
            len += test_random(&seed, 20);
            char letter = (char)('a' + test_random(&seed, 26));
            memset(value, letter, len);
            at = 0;
            block[at++] = 0x40;
            block[at++] = 1;
            block[at++] = 'n';
            block[at++] = (uint8_t)(len < 127 ? len : 127);
            if (len >= 127) {
                rest = (uint32_t)len - 127;
                for (; rest > 127; rest >>= 7)
                    block[at++] = (uint8_t)(rest | 0x80);
                block[at++] = (uint8_t)rest;
            }
            memcpy(block + at, value, len);
            assert_int_equal(decode_bytes(decoder, block, at + len), 0);

            model[added % KEPT].text[0] = letter;
            model[added % KEPT].len = len;
            added++, live++;
            used += len + 33;
            while (used > table)
                used -= model[(added - live--) % KEPT].len + 33;
            if (round % 7 != 0)
                continue;
            for (size_t i = 0; i < live; i++) {
                at = 0;
                block[at++] = (uint8_t)(i + 62 < 127 ? 0x80 | (i + 62) : 0xff);
                if (i + 62 >= 127)
                    block[at++] = (uint8_t)(i + 62 - 127);
                assert_int_equal(decode_bytes(decoder, block, at), 0);
                size_t which = (added - 1 - i) % KEPT;
                assert_int_equal(got.list[0].value.len, model[which].len);
                for (size_t k = 0; k < model[which].len; k++)
                    assert_int_equal(got.list[0].value.data[k], model[which].text[0]);
            }
            block[0] = (uint8_t)(live + 62 < 127 ? 0x80 | (live + 62) : 0xff);
            block[1] = (uint8_t)(live + 62 - 127);
            assert_int_equal(decode_bytes(decoder, block, live + 62 < 127 ? 1 : 2), OYEZ_EPROTO);
        }
        oy_hpack_decoder_free(decoder);
    }
}

/* Each prefix of a good block is refused, or gives the first fields of it. */
static void truncation(void **state)
{
    const test_example *sets[4] = {plain_requests, huffman_requests, plain_responses,
                                   huffman_responses};
    uint8_t block[512];
    (void)state;

    for (size_t set = 0; set < 4; set++) {
        size_t len = test_hex(sets[set][0].block, block);
        for (size_t cut = 0; cut < len; cut++) {
            oy_hpack_decoder *decoder = new_decoder(usual);
            if (decode_bytes(decoder, block, cut) == 0) {
                assert_true(got.count < 4);
                for (size_t i = 0; i < got.count; i++)
                    expect_field(i, sets[set][0].fields[i][0], sets[set][0].fields[i][1]);
            }
            oy_hpack_decoder_free(decoder);
        }
    }
}

static void tokens(void **state)
{
    (void)state;
#define CHECK(token, name)                                                                         \
    assert_int_equal(oy_hpack_token_of(OYEZ_STR(name)), OY_TOKEN_##token);                         \
    assert_int_equal(oy_hpack_token_of((oyez_str){name, sizeof(name) - 2}), OY_TOKEN_OTHER);
    OY_HPACK_TOKEN_MAP(CHECK)
#undef CHECK
    assert_int_equal(oy_hpack_token_of((oyez_str){NULL, 0}), OY_TOKEN_OTHER);
    assert_int_equal(oy_hpack_token_of(OYEZ_STR("tE")), OY_TOKEN_OTHER);
    assert_int_equal(oy_hpack_token_of(OYEZ_STR("x-custom")), OY_TOKEN_OTHER);

    /* Static entries carry theirs, and a literal with their name inherits it. */
    oy_hpack_decoder *decoder = new_decoder(usual);
    for (unsigned index = 1; index <= 61; index++) {
        const uint8_t block[1] = {(uint8_t)(0x80 | index)};
        assert_int_equal(decode_bytes(decoder, block, 1), 0); /* the collector compares */
    }
    oy_hpack_decoder_free(decoder);
}

OY_TEST_GROUP(hpack_decoder, oy_leak_test(rfc_examples), oy_leak_test(rfc_single_fields),
              oy_leak_test(refusals), oy_leak_test(limits_of_the_constructor),
              oy_leak_test(integers), oy_leak_test(size_updates), oy_leak_test(smaller_table),
              oy_leak_test(name_of_an_evicted_entry),
              oy_leak_test(name_of_an_evicted_entry_that_grows), oy_leak_test(growth),
              oy_leak_test(large_scratch), oy_leak_test(notes), oy_leak_test(list_limit),
              oy_leak_test(long_literals), oy_leak_test(callback_says_stop), oy_leak_test(bombs),
              oy_leak_test(table_in_step_with_a_model), oy_leak_test(truncation),
              oy_leak_test(tokens));

/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of compressors; messages of all sizes there and back; bytes that are no message; bombs; memory. What depends on a
 * compressor is tried with each that this build has, and with one of our own. */
#include "call/compressors.h"

#include <stdio.h>
#include <stdlib.h>

#if OY_WITH_ZSTD
#include <zstd.h>
#endif

#include <oyez/limits.h>

#include "base/alloc.h"
#include "base/random.h"
#include "support/leak.h"
#include "support/test.h"

#define MIB ((size_t)1 << 20)

/* --- a compressor of our own: run lengths of up to 255 ---------------------------------------------------------------- */

typedef struct runs_state {
    const oyez_slice *input;
    size_t at;
    uint8_t byte, left;
} runs_state;

static _Atomic(int) opened, closed;

static oyez_err runs_open(void *self, bool decompresses, void **ret_state)
{
    (void)self;
    (void)decompresses;
    *ret_state = oy_alloc_zero(sizeof(runs_state));
    if (!*ret_state)
        return OYEZ_ENOMEM;
    opened++;
    return OYEZ_NO_ERR;
}

static void runs_close(void *self, bool decompresses, void *state)
{
    (void)self;
    (void)decompresses;
    closed++;
    oy_free(state);
}

static oyez_err runs_compress(void *self, void *state, const oyez_slice *message, oyez_writer *writer)
{
    uint8_t pair[2] = { 0, 0 };
    oyez_err err = OYEZ_NO_ERR;
    (void)self;
    (void)state;
    for (uint32_t i = 0; i < message->count; i++)
        for (size_t k = 0; k < oyez_slice_items(message)[i].len && !err; k++) {
            uint8_t byte = oyez_slice_items(message)[i].data[k];
            if (pair[0] && (byte != pair[1] || pair[0] == 255)) {
                err = oyez_writer_write(writer, pair, 2);
                pair[0] = 0;
            }
            pair[0]++;
            pair[1] = byte;
        }
    return err ? err : oyez_writer_write(writer, pair, 2);
}

static oyez_err runs_read(void *self, void *dst, size_t cap, size_t *ret_len)
{
    runs_state *state = self;
    uint8_t pair[2];
    oyez_slice rest;
    if (state->left == 0) {
        if (state->at == state->input->len)
            return OYEZ_EOF;
        if (state->at + 2 > state->input->len)
            return OYEZ_ECODEC;
        assert_ok(oyez_slice_sub(state->input, state->at, 2, &rest));
        (void)oyez_slice_copy_to(&rest, pair, 2);
        oyez_slice_fini(&rest);
        state->at += 2;
        state->left = pair[0];
        state->byte = pair[1];
    }
    *ret_len = cap < state->left ? cap : state->left;
    memset(dst, state->byte, *ret_len);
    state->left = (uint8_t)(state->left - *ret_len);
    return OYEZ_NO_ERR;
}

static oyez_err runs_decompress(void *self, void *state, const oyez_slice *message, oyez_source *ret_source)
{
    (void)self;
    *(runs_state *)state = (runs_state){ .input = message };
    *ret_source = (oyez_source){ runs_read, state };
    return OYEZ_NO_ERR;
}

static const oyez_compressor runs = { OYEZ_COMPRESSOR_INIT, .name = "runs", .open = runs_open, .close = runs_close,
                                      .compress = runs_compress, .decompress = runs_decompress };

/* --- help ----------------------------------------------------------------------------------------------------------- */

static const oyez_compressor *nth(size_t i)
{
    switch (i) {
    case 0: return &runs;
    case 1: return oyez_gzip(0);
    case 2: return oyez_deflate(0);
    case 3: return oyez_zstd(0);
    default: return NULL;
    }
}

/* The one that is tried, in a list of its own. */
typedef struct trial {
    oy_compressors *all;
    const oy_compressor *one;
    const char *name;
    oyez_pool *pool;
} trial;

static bool begin(trial *t, const oyez_compressor *compressor)
{
    const char *words;
    if (!compressor)
        return false; /* this build does not have it */
    t->name = compressor->name;
    assert_ok(oy_compressors_new(&compressor, 1, &t->all, &words));
    t->one = oy_compressors_find(t->all, (oyez_str){ t->name, strlen(t->name) });
    assert_non_null(t->one);
    assert_ok(oyez_pool_new(NULL, &t->pool));
    return true;
}

static void end(trial *t)
{
    oyez_pool_stats stats;
    oyez_pool_get_stats(t->pool, &stats);
    assert_int_equal(stats.gets, stats.puts);
    assert_null(oyez_pool_unref(t->pool));
    assert_null(oy_compressors_unref(t->all));
}

#define FOR_EACH(t) for (size_t t##_i = 0; t##_i < 4; t##_i++) if (begin(&(t), nth(t##_i)))

/* A message in buffers of `part` bytes. */
static oyez_slice slice_of(const uint8_t *data, size_t len, size_t part)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    for (size_t at = 0; at < len; at += part) {
        oyez_buffer buffer = { data + at, len - at < part ? len - at : part, NULL };
        assert_ok(oyez_slice_append(&slice, buffer));
    }
    return slice;
}

static oyez_code unpack(const trial *t, const uint8_t *data, size_t len, size_t part, size_t limit, oy_message *ret_message,
                        char words[OY_COMPRESSION_WORDS])
{
    *ret_message = (oy_message){ .bytes = slice_of(data, len, part), .compressed = true };
    return oy_message_unpack(t->all, (oyez_str){ t->name, strlen(t->name) }, t->pool, limit, ret_message, words);
}

/* Compressed; freed by the caller. */
static uint8_t *pack(const trial *t, const uint8_t *data, size_t len, size_t part, size_t *ret_len)
{
    char words[OY_COMPRESSION_WORDS];
    oyez_slice message = slice_of(data, len, part);
    assert_int_equal(oy_compress(t->one, t->pool, &message, words), OYEZ_OK);
    uint8_t *packed = test_malloc(message.len);
    *ret_len = oyez_slice_copy_to(&message, packed, message.len);
    oyez_slice_fini(&message);
    return packed;
}

static void expect_same(const oy_message *message, const uint8_t *data, size_t len)
{
    uint8_t *flat = test_malloc(len + 1);
    assert_int_equal(message->bytes.len, len);
    assert_int_equal(oyez_slice_copy_to(&message->bytes, flat, len + 1), len);
    assert_memory_equal(flat, data, len);
    test_free(flat);
}

static void fill(uint8_t *data, size_t len, int kind, oy_random *random)
{
    for (size_t i = 0; i < len; i++)
        data[i] = kind == 0 ? 0 : kind == 1 ? (uint8_t)oy_random_next(random) : (uint8_t)((size_t)"compress "[i % 9] + i / 999);
}

/* --- lists ---------------------------------------------------------------------------------------------------------- */

static oyez_err try_list(const oyez_compressor *const *list, size_t count, const char *expected_words)
{
    oy_compressors *all = NULL;
    const char *words = NULL;
    oyez_err err = oy_compressors_new(list, count, &all, &words);
    if (err && !strstr(words, expected_words))
        fail_msg("%s", words);
    assert_true(err == OYEZ_NO_ERR || all == NULL);
    oy_compressors_unref(all);
    return err;
}

static void test_lists(void **state)
{
    oyez_compressor many[17], odd = runs;
    const oyez_compressor *list[17];
    char names[17][8];
    const char *words;
    oy_compressors *all;
    (void)state;
    for (size_t i = 0; i < 17; i++) {
        names[i][0] = (char)('a' + i);
        names[i][1] = '\0';
        many[i] = runs;
        many[i].name = names[i];
        list[i] = &many[i];
    }
    assert_err(try_list(list, 17, "at most 16"), OYEZ_EINVAL);
    assert_ok(oy_compressors_new(list, 16, &all, &words));
    oyez_str text = oy_compressors_names(all);
    assert_int_equal(text.len, 31);
    assert_memory_equal(text.data, "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p", 31);
    assert_int_equal(oy_compressors_parse_accept(all, OYEZ_STR("p, \t a,q,,A,identity")), 0x8001);
    assert_int_equal(oy_compressors_parse_accept(all, OYEZ_STR("")), 0);
    assert_int_equal(oy_compressors_parse_accept(all, OYEZ_STR(",")), 0);
    assert_int_equal(oy_compressors_parse_accept(NULL, OYEZ_STR("a")), 0);
    assert_null(oy_compressors_find(all, OYEZ_STR("q")));
    assert_ptr_equal(oy_compressors_ref(all), all);
    oy_compressors_unref(all);
    oy_compressors_unref(all);

    list[1] = list[0];
    assert_err(try_list(list, 2, "twice"), OYEZ_EINVAL);
    list[0] = &odd;
    odd.name = NULL;
    assert_err(try_list(list, 1, "a name"), OYEZ_EINVAL);
    static const char *const wrong[] = { "", "Gzip", "g zip", "a,b", "\xc3\xa4", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        odd.name = wrong[i];
        assert_err(try_list(list, 1, "a name"), OYEZ_EINVAL);
    }
    odd = runs;
    odd.compress = NULL;
    assert_err(try_list(list, 1, "compress and decompress"), OYEZ_EINVAL);
    odd = runs;
    odd.decompress = NULL;
    assert_err(try_list(list, 1, "compress and decompress"), OYEZ_EINVAL);
    odd = runs;
    odd.close = NULL;
    assert_err(try_list(list, 1, "open and close"), OYEZ_EINVAL);
    odd = runs;
    odd.size = 1;
    assert_err(try_list(list, 1, ""), OYEZ_ESIZE);
    struct {
        oyez_compressor known;
        int more;
    } newer = { runs, 1 };
    newer.known.size = sizeof(newer);
    list[0] = &newer.known;
    assert_err(try_list(list, 1, "does not know"), OYEZ_E2BIG);
}

/* What is not there or means nothing leaves no list at all. */
static void test_empty_lists(void **state)
{
    const oyez_compressor *const nothing[] = { oyez_identity(), NULL, oyez_gzip(10), oyez_deflate(-1), oyez_zstd(20) };
    oy_compressors *all = (oy_compressors *)(uintptr_t)1;
    const char *words;
    (void)state;
    assert_ok(oy_compressors_new(nothing, 5, &all, &words));
    assert_null(all);
    assert_ok(oy_compressors_new(nothing, 0, &all, &words));
    assert_null(all);
    assert_int_equal(oy_compressors_names(NULL).len, 0);
    assert_null(oy_compressors_find(NULL, OYEZ_STR("gzip")));
    assert_null(oy_compressors_ref(NULL));
    assert_null(oy_compressors_unref(NULL));
}

static void test_what_the_build_has(void **state)
{
    oy_compressors *all;
    const char *words;
    (void)state;
    assert_ok(oy_compressors_new(NULL, 0, &all, &words));
    assert_int_equal(oy_compressors_find(all, OYEZ_STR("gzip")) != NULL, OY_WITH_ZLIB);
    assert_int_equal(oy_compressors_find(all, OYEZ_STR("deflate")) != NULL, OY_WITH_ZLIB);
    assert_int_equal(oy_compressors_find(all, OYEZ_STR("zstd")) != NULL, OY_WITH_ZSTD);
    assert_int_equal(oyez_gzip(9) != NULL, OY_WITH_ZLIB);
    assert_int_equal(oyez_zstd(19) != NULL, OY_WITH_ZSTD);
    if (OY_WITH_ZLIB && OY_WITH_ZSTD)
        assert_memory_equal(oy_compressors_names(all).data, "gzip,deflate,zstd", 17);
    oy_compressors_unref(all);
}

/* --- there and back ------------------------------------------------------------------------------------------------- */

static void test_round_trips(void **state)
{
    static const size_t sizes[] = { 1, 2, 100, 1024, 2048, 2049, 4095, 4096, 5000, 32767, 32768, 32769, 65536, 100000, MIB };
    oy_random random = { 1 };
    uint8_t *data = test_malloc(MIB);
    trial t;
    (void)state;
    FOR_EACH(t) {
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
            for (int kind = 0; kind < 3; kind++) {
                const size_t len = sizes[s], part = kind == 0 ? len : 1 + oy_random_next(&random) % 5000;
                char words[OY_COMPRESSION_WORDS];
                oy_message message;
                size_t packed_len;
                fill(data, len, kind, &random);
                uint8_t *packed = pack(&t, data, len, part, &packed_len);
                oyez_code code = unpack(&t, packed, packed_len, 1 + oy_random_next(&random) % 9000, len, &message, words);
                if (code != OYEZ_OK)
                    fail_msg("%s of %zu: %s", t.name, len, words);
                assert_true(message.compressed && message.unpacked && !oy_message_is_packed(&message));
                expect_same(&message, data, len);
                oy_message_fini(&message);
                test_free(packed);
            }
        end(&t);
    }
    test_free(data);
}

/* A message of one byte a buffer, and in one piece, is the same. */
static void test_levels(void **state)
{
    static uint8_t data[20000];
    oy_random random = { 2 };
    size_t first = 0, last = 0;
    (void)state;
    fill(data, sizeof(data), 2, &random);
    for (int kind = 0; kind < 3; kind++)
        for (int level = 0; level <= 19; level++) {
            trial t;
            oy_message message;
            char words[OY_COMPRESSION_WORDS];
            const oyez_compressor *one = kind == 0 ? oyez_gzip(level) : kind == 1 ? oyez_deflate(level) : oyez_zstd(level);
            if (!begin(&t, one))
                continue;
            uint8_t *packed = pack(&t, data, sizeof(data), 7, &last);
            if (level == 1)
                first = last;
            assert_int_equal(unpack(&t, packed, last, 1, sizeof(data), &message, words), OYEZ_OK);
            expect_same(&message, data, sizeof(data));
            oy_message_fini(&message);
            test_free(packed);
            if (level == 9)
                assert_true(last <= first);
            end(&t);
        }
}

/* The forms are those of RFC 1952, RFC 1950 and RFC 8878. */
static void test_formats(void **state)
{
    static const uint8_t gzip[] = { 0x1f, 0x8b, 8 }, zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
    trial t;
    (void)state;
    FOR_EACH(t) {
        size_t len;
        uint8_t *packed = pack(&t, (const uint8_t *)"hello", 5, 5, &len);
        if (strcmp(t.name, "gzip") == 0)
            assert_memory_equal(packed, gzip, sizeof(gzip));
        else if (strcmp(t.name, "deflate") == 0)
            assert_true((packed[0] & 15) == 8 && (packed[0] * 256 + packed[1]) % 31 == 0);
        else if (strcmp(t.name, "zstd") == 0)
            assert_memory_equal(packed, zstd, sizeof(zstd));
        else
            assert_memory_equal(packed, "\1h\1e\2l\1o", 8);
        test_free(packed);
        end(&t);
    }
}

/* A member of gzip behind the other, a frame of zstd behind the other; deflate has no such thing. */
static void test_concatenated(void **state)
{
    trial t;
    (void)state;
    FOR_EACH(t) {
        uint8_t both[400];
        char words[OY_COMPRESSION_WORDS];
        oy_message message;
        size_t one, two;
        uint8_t *first = pack(&t, (const uint8_t *)"hello ", 6, 6, &one);
        uint8_t *second = pack(&t, (const uint8_t *)"world", 5, 5, &two);
        assert_true(one + two < sizeof(both));
        memcpy(both, first, one);
        memcpy(both + one, second, two);
        for (size_t part = 1; part <= one + two; part++) {
            oyez_code code = unpack(&t, both, one + two, part, 100, &message, words);
            if (strcmp(t.name, "deflate") == 0) {
                assert_int_equal(code, OYEZ_INTERNAL);
                assert_non_null(strstr(words, "behind the end"));
            } else {
                assert_int_equal(code, OYEZ_OK);
                expect_same(&message, (const uint8_t *)"hello world", 11);
            }
            oy_message_fini(&message);
        }
        test_free(first);
        test_free(second);
        end(&t);
    }
}

/* --- what is no message --------------------------------------------------------------------------------------------- */

static void test_cut_short(void **state)
{
    static uint8_t data[3000];
    oy_random random = { 3 };
    trial t;
    (void)state;
    fill(data, sizeof(data), 2, &random);
    FOR_EACH(t) {
        size_t len;
        uint8_t *packed = pack(&t, data, sizeof(data), sizeof(data), &len);
        for (size_t cut = t_i == 0 ? 1 : 0; cut < len; cut += t_i == 0 ? 2 : 1) {
            char words[OY_COMPRESSION_WORDS] = "";
            oy_message message;
            assert_int_equal(unpack(&t, packed, cut, 100, sizeof(data), &message, words), OYEZ_INTERNAL);
            assert_non_null(strstr(words, "failed to decompress the message: "));
            assert_non_null(strstr(words, t.name));
            assert_int_equal(message.bytes.count, 0);
        }
        test_free(packed);
        end(&t);
    }
}

/* A bit that is wrong: an error, or in what carries no meaning the same message. The two with a checksum notice all. */
static void test_wrong_bits(void **state)
{
    static uint8_t data[500];
    oy_random random = { 4 };
    trial t;
    (void)state;
    fill(data, sizeof(data), 2, &random);
    FOR_EACH(t) {
        size_t len;
        uint8_t *packed = pack(&t, data, sizeof(data), sizeof(data), &len);
        for (size_t bit = 0; bit < 8 * len && t_i > 0; bit++) {
            char words[OY_COMPRESSION_WORDS];
            oy_message message;
            packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
            oyez_code code = unpack(&t, packed, len, len, 2 * sizeof(data), &message, words);
            assert_true(code == OYEZ_OK || code == OYEZ_INTERNAL || code == OYEZ_RESOURCE_EXHAUSTED);
            if (code == OYEZ_OK && strcmp(t.name, "zstd") != 0)
                expect_same(&message, data, sizeof(data));
            oy_message_fini(&message);
            packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        test_free(packed);
        end(&t);
    }
}

static void test_garbage(void **state)
{
    oy_random random = { 5 };
    trial t;
    (void)state;
    FOR_EACH(t) {
        size_t len;
        uint8_t *packed = pack(&t, (const uint8_t *)"hello", 5, 5, &len), behind[200];
        assert_true(len + 4 < sizeof(behind));
        memcpy(behind, packed, len);
        memcpy(behind + len, "junk", 4);
        for (int i = 0; i < 200 && t_i > 0; i++) {
            char words[OY_COMPRESSION_WORDS];
            oy_message message;
            if (i > 0)
                fill(behind, len + 4, 1, &random);
            assert_int_equal(unpack(&t, behind, len + 4, len, 100000, &message, words), OYEZ_INTERNAL);
            oy_message_fini(&message);
        }
        test_free(packed);
        end(&t);
    }
}

static void test_encodings_that_are_none(void **state)
{
    static const char *const names[] = { "", "identity", "zzz", "GZIP" };
    trial t;
    (void)state;
    assert_true(begin(&t, &runs));
    for (size_t i = 0; i < 4; i++) {
        char words[OY_COMPRESSION_WORDS];
        oy_message message = { .bytes = slice_of((const uint8_t *)"hi", 2, 2), .compressed = true };
        assert_true(oy_message_is_packed(&message));
        assert_int_equal(oy_message_unpack(i == 3 ? NULL : t.all, (oyez_str){ names[i], strlen(names[i]) }, t.pool, 100,
                                           &message, words), OYEZ_INTERNAL);
        assert_non_null(strstr(words, i < 2 ? "compressed flag set with identity or empty encoding"
                                            : "Decompressor is not installed for grpc-encoding \""));
        assert_int_equal(message.bytes.len, 0);
    }
    end(&t);
}

/* --- limits ----------------------------------------------------------------------------------------------------------- */

/* What a decompressor has beside the message: for zlib 40 KiB, for zstd a window. */
static size_t beside(const char *name)
{
    return strcmp(name, "zstd") == 0 ? OYEZ_LIMIT_ZSTD_WINDOW_BYTES + MIB : 64u << 10;
}

/* 64 MiB in little: stopped at the limit, and not a block of memory more. */
static void test_bombs(void **state)
{
    static const size_t limits[] = { 0, 1, 1000, 32768, 100000, 4 * MIB };
    trial t;
    (void)state;
    FOR_EACH(t) {
        uint8_t *zeros = test_calloc(1, 64 * MIB);
        size_t len;
        uint8_t *packed = pack(&t, zeros, 64 * MIB, MIB, &len);
        test_free(zeros);
        t.pool = oyez_pool_unref(t.pool); /* blocks of exactly what is asked for */
        for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
            char words[OY_COMPRESSION_WORDS], expected[100];
            oy_message message;
            oyez_slice empty = OYEZ_SLICE_INIT;
            size_t before = oy_leak_live_bytes();
            (void)empty;
            (void)oy_leak_peak_bytes(true);
            assert_int_equal(unpack(&t, packed, len, len, limits[i], &message, words), OYEZ_RESOURCE_EXHAUSTED);
            size_t peak = oy_leak_peak_bytes(false) - before;
            if (peak > limits[i] + limits[i] / 64 + beside(t.name))
                fail_msg("%s: %zu bytes for a limit of %zu", t.name, peak, limits[i]);
            (void)snprintf(expected, sizeof(expected), "received message after decompression larger than max %zu bytes",
                           limits[i]);
            assert_string_equal(words, expected);
            assert_int_equal(message.bytes.count, 0);
        }
        test_free(packed);
        assert_ok(oyez_pool_new(NULL, &t.pool));
        end(&t);
    }
}

/* As much as is allowed, and one more. */
static void test_limit_is_exact(void **state)
{
    static const size_t limits[] = { 1, 100, 32768, 100000 };
    static uint8_t data[100001];
    trial t;
    (void)state;
    FOR_EACH(t) {
        for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
            for (size_t more = 0; more < 2; more++) {
                char words[OY_COMPRESSION_WORDS];
                oy_message message;
                size_t len;
                uint8_t *packed = pack(&t, data, limits[i] + more, 1000, &len);
                assert_int_equal(unpack(&t, packed, len, 50, limits[i], &message, words),
                                 more ? OYEZ_RESOURCE_EXHAUSTED : OYEZ_OK);
                oy_message_fini(&message);
                test_free(packed);
            }
        end(&t);
    }
}

static void test_out_of_memory(void **state)
{
    static uint8_t data[100000];
    oy_random random = { 6 };
    (void)state;
    fill(data, sizeof(data), 2, &random);
    for (size_t i = 0; i < 4; i++) {
        const oyez_compressor *table = nth(i);
        if (!table)
            continue;
        OY_FAULT_WALK() {
            oy_compressors *all = NULL;
            const char *what;
            char words[OY_COMPRESSION_WORDS] = "";
            oy_message message = { .bytes = OYEZ_SLICE_INIT };
            oyez_code code = OYEZ_OK;
            oyez_err err = oy_compressors_new(&table, 1, &all, &what);
            const oyez_str name = { table->name, strlen(table->name) };
            if (!err)
                err = oyez_slice_append(&message.bytes, (oyez_buffer){ data, sizeof(data), NULL });
            if (!err)
                code = oy_compress(oy_compressors_find(all, name), NULL, &message.bytes, words);
            message.compressed = true;
            if (!err && code == OYEZ_OK)
                code = oy_message_unpack(all, name, NULL, sizeof(data), &message, words);
            if (err || code != OYEZ_OK) {
                assert_true(oy_fail_triggered());
                assert_true(err == OYEZ_ENOMEM || code == OYEZ_RESOURCE_EXHAUSTED);
                assert_true(err || strstr(words, "out of memory"));
            } else {
                assert_int_equal(message.bytes.len, sizeof(data));
            }
            oy_message_fini(&message);
            oy_compressors_unref(all);
        }
    }
}

/* --- states ----------------------------------------------------------------------------------------------------------- */

static const oy_compressor *nested;
static unsigned nesting;

/* So many states at a time as it is deep. */
static oyez_err nest(void *self, void *state, const oyez_slice *message, oyez_writer *writer)
{
    oyez_slice copy = OYEZ_SLICE_INIT;
    char words[OY_COMPRESSION_WORDS];
    if (nesting > 0) {
        nesting--;
        assert_ok(oyez_slice_ref(message, &copy));
        assert_int_equal(oy_compress(nested, NULL, &copy, words), OYEZ_OK);
        oyez_slice_fini(&copy);
    }
    return runs_compress(self, state, message, writer);
}

static void test_idle_states(void **state)
{
    oyez_compressor deep = runs;
    trial t;
    (void)state;
    deep.compress = nest;
    assert_true(begin(&t, &deep));
    nested = t.one;
    opened = closed = 0;
    for (unsigned times = 1; times <= 3; times++) {
        size_t len;
        nesting = OYEZ_LIMIT_IDLE_COMPRESSORS + 7;
        test_free(pack(&t, (const uint8_t *)"hello", 5, 5, &len));
        assert_int_equal(closed, 8 * times); /* what is too many goes */
        assert_int_equal(opened, OYEZ_LIMIT_IDLE_COMPRESSORS + 8 * times);
    }
    for (unsigned times = 0; times < 1000; times++) {
        size_t len;
        test_free(pack(&t, (const uint8_t *)"hello", 5, 5, &len));
    }
    assert_int_equal(opened, OYEZ_LIMIT_IDLE_COMPRESSORS + 24); /* all others are there already */
    end(&t);
    assert_int_equal(opened, closed);
}

/* In the steady state nothing is allocated. */
static void test_no_allocations(void **state)
{
    static uint8_t data[30000];
    const oyez_pool_options options = { OYEZ_POOL_OPTIONS_INIT, .pooling_threshold = 1 };
    oy_random random = { 7 };
    trial t;
    (void)state;
    fill(data, sizeof(data), 2, &random);
    FOR_EACH(t) {
        static const size_t sizes[] = { 1, 100, 2000, 5000, 30000 };
        uint64_t before = 0;
        oyez_pool_unref(t.pool);
        assert_ok(oyez_pool_new(&options, &t.pool));
        for (int times = 0; times < 20; times++) {
            if (times == 10)
                before = oy_leak_allocations();
            for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
                char words[OY_COMPRESSION_WORDS];
                oy_message message = { .compressed = true };
                message.bytes = oy_slice_of((oyez_buffer){ data, sizes[i], NULL });
                if (t_i == 0 && sizes[i] > 1000)
                    message.bytes = oy_slice_of((oyez_buffer){ data, 1000, NULL });
                assert_int_equal(oy_compress(t.one, t.pool, &message.bytes, words), OYEZ_OK);
                assert_int_equal(oy_message_unpack(t.all, (oyez_str){ t.name, strlen(t.name) }, t.pool, MIB, &message,
                                                   words), OYEZ_OK);
                oy_message_fini(&message);
            }
        }
        if (!getenv("OYEZ_POOL"))
            assert_int_equal(oy_leak_allocations() - before, 0);
        end(&t);
    }
}

static void test_large_states_go(void **state)
{
    trial t;
    (void)state;
    if (!begin(&t, oyez_zstd(19)))
        return;
    uint8_t *data = test_calloc(1, 16 * MIB);
    size_t len, before = oy_leak_live_bytes();
    test_free(pack(&t, data, 1000, 1000, &len));
    size_t small = oy_leak_live_bytes() - before;
    assert_true(small > 1000); /* kept */
    test_free(pack(&t, data, 16 * MIB, MIB, &len));
    assert_true(oy_leak_peak_bytes(false) > before + OYEZ_LIMIT_IDLE_COMPRESSOR_BYTES);
    assert_true(oy_leak_live_bytes() < before + small); /* not kept */
    test_free(data);
    end(&t);
}

/* A frame may ask for as much window as the limit says, and no more. */
static void test_zstd_window(void **state)
{
    (void)state;
#if OY_WITH_ZSTD
    for (int log = 23; log <= 24; log++) {
        char words[OY_COMPRESSION_WORDS] = "";
        uint8_t frame[200];
        oy_message message;
        trial t;
        ZSTD_CCtx *out = ZSTD_createCCtx();
        ZSTD_inBuffer from = { "hello", 5, 0 };
        ZSTD_outBuffer to = { frame, sizeof(frame), 0 };
        assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(out, ZSTD_c_windowLog, log)));
        /* without an end in sight the frame says how large its window is */
        assert_false(ZSTD_isError(ZSTD_compressStream2(out, &to, &from, ZSTD_e_flush)));
        assert_int_equal(ZSTD_compressStream2(out, &to, &from, ZSTD_e_end), 0);
        (void)ZSTD_freeCCtx(out);
        assert_true(begin(&t, oyez_zstd(0)));
        oyez_code code = unpack(&t, frame, to.pos, to.pos, 100, &message, words);
        assert_int_equal(code, log == 23 ? OYEZ_OK : OYEZ_RESOURCE_EXHAUSTED);
        if (code != OYEZ_OK)
            assert_non_null(strstr(words, "zstd: Frame requires too much memory"));
        oy_message_fini(&message);
        end(&t);
    }
#endif
}

OY_TEST_GROUP(call_compressors, oy_leak_test(test_lists), oy_leak_test(test_empty_lists),
              oy_leak_test(test_what_the_build_has), oy_leak_test(test_round_trips), oy_leak_test(test_levels),
              oy_leak_test(test_formats), oy_leak_test(test_concatenated), oy_leak_test(test_cut_short),
              oy_leak_test(test_wrong_bits), oy_leak_test(test_garbage), oy_leak_test(test_encodings_that_are_none),
              oy_leak_test(test_bombs), oy_leak_test(test_limit_is_exact), cmocka_unit_test(test_out_of_memory),
              oy_leak_test(test_idle_states), oy_leak_test(test_no_allocations), oy_leak_test(test_large_states_go),
              oy_leak_test(test_zstd_window));

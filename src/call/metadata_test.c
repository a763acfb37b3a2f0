/* SPDX-License-Identifier: Apache-2.0 */
/* oyez_metadata on the heap and in an arena, checked as a list "key=value|" of what is in it. */
#include "call/metadata.h"

#include <stdio.h>

#include "support/test.h"

#include "base/base64.h"
#include "base/random.h"
#include "base/text.h"
#include "support/leak.h"

static size_t expected_list_bytes(const oyez_metadata *metadata)
{
    size_t sum = 0;
    for (const oy_metadata_entry *entry = oy_metadata_first(metadata); entry;
         entry = oy_metadata_after(metadata, entry))
        sum += 32 + entry->key.len +
               (entry->is_bin ? oy_base64_encoded_len(entry->value.len) : entry->value.len);
    return sum;
}

static void assert_holds(const oyez_metadata *metadata, const char *expected)
{
    char shown[512] = "";
    size_t at = 0;
    oyez_str key, value;
    size_t i = 0;
    for (; oyez_metadata_at(metadata, i, &key, &value); i++) {
        assert_int_equal(key.data[key.len], '\0');
        assert_int_equal(value.data[value.len], '\0');
        int n = snprintf(shown + at, sizeof(shown) - at, "%s=%s|", key.data, value.data);
        at += (size_t)n;
        assert_true(at < sizeof(shown));
    }
    assert_string_equal(shown, expected);
    assert_int_equal(oyez_metadata_count(metadata), i);
    if (metadata)
        assert_int_equal(metadata->list_bytes, expected_list_bytes(metadata));
}

static oyez_err append(oyez_metadata *metadata, const char *key, const char *value)
{
    return oyez_metadata_append(metadata, key, value, strlen(value));
}

static oyez_err set(oyez_metadata *metadata, const char *key, const char *value)
{
    return oyez_metadata_set(metadata, key, value, strlen(value));
}

/* What both kinds do alike. */
static void walk_through(oyez_metadata *metadata)
{
    assert_holds(metadata, "");
    assert_ok(append(metadata, "Alpha", "1"));
    assert_ok(append(metadata, "beta", " two words "));
    assert_ok(append(metadata, "ALPHA", "3"));
    assert_ok(oyez_metadata_append(metadata, "empty", NULL, 0));
    assert_ok(append(metadata, "gamma", "5"));
    assert_holds(metadata, "alpha=1|beta=two words|alpha=3|empty=|gamma=5|");

    oyez_str value = oyez_metadata_get(metadata, "aLpha");
    assert_true(oy_str_eq(value, OYEZ_STR("1")));
    assert_null(oyez_metadata_get(metadata, "delta").data);
    assert_non_null(oyez_metadata_get(metadata, "empty").data);
    size_t at = 0;
    assert_true(oyez_metadata_next(metadata, "alpha", &at, &value));
    assert_true(oy_str_eq(value, OYEZ_STR("1")));
    assert_true(oyez_metadata_next(metadata, "Alpha", &at, &value));
    assert_true(oy_str_eq(value, OYEZ_STR("3")));
    assert_false(oyez_metadata_next(metadata, "alpha", &at, &value));
    assert_true(oy_str_eq(value, OYEZ_STR("3")));
    assert_true(oyez_metadata_at(metadata, 4, NULL, NULL));
    assert_false(oyez_metadata_at(metadata, 5, NULL, NULL));

    assert_ok(set(metadata, "Alpha", "6"));
    assert_holds(metadata, "alpha=6|beta=two words|empty=|gamma=5|");
    assert_ok(set(metadata, "new", "7"));
    /* Out of itself. */
    value = oyez_metadata_get(metadata, "beta");
    assert_ok(oyez_metadata_set(metadata, "beta", value.data + 4, 5));
    assert_holds(metadata, "alpha=6|beta=words|empty=|gamma=5|new=7|");
    assert_int_equal(oyez_metadata_remove(metadata, "EMPTY"), 1);
    assert_int_equal(oyez_metadata_remove(metadata, "empty"), 0);
    assert_int_equal(oyez_metadata_remove(metadata, "new"), 1);
    assert_ok(oyez_metadata_join(metadata, metadata));
    assert_holds(metadata, "alpha=6|beta=words|gamma=5|alpha=6|beta=words|gamma=5|");
    assert_int_equal(oyez_metadata_remove(metadata, "beta"), 2);
    assert_ok(oyez_metadata_join(metadata, NULL));
    assert_holds(metadata, "alpha=6|gamma=5|alpha=6|gamma=5|");
}

static void on_the_heap(void **state)
{
    (void)state;
    oyez_metadata *metadata, *copy;
    assert_ok(oyez_metadata_new(&metadata));
    walk_through(metadata);
    assert_ok(oyez_metadata_copy(metadata, &copy));
    oyez_metadata_free(metadata);
    assert_holds(copy, "alpha=6|gamma=5|alpha=6|gamma=5|");
    oyez_metadata_free(copy);
    assert_ok(oyez_metadata_copy(NULL, &copy));
    assert_holds(copy, "");
    oyez_metadata_free(copy);
    oyez_metadata_free(NULL);
}

static void in_an_arena(void **state)
{
    (void)state;
    _Alignas(max_align_t) char room[4096];
    oyez_arena arena;
    oy_arena_init(&arena, room, sizeof(room));
    oyez_metadata metadata;
    oy_metadata_init_arena(&metadata, &arena);
    uint64_t before = oy_leak_allocations();
    walk_through(&metadata);
    oy_metadata_fini(&metadata);
    assert_holds(&metadata, "");

    /* Nothing is copied, and a refused pair gives its room back. */
    static const char key[] = "k-bin", value[] = "v";
    assert_ok(oy_metadata_add_arena(&metadata, (oyez_str){key, 5}, (oyez_str){value, 1}));
    assert_ptr_equal(oyez_metadata_get(&metadata, "k-bin").data, value);
    assert_true(oy_metadata_first(&metadata)->is_bin);
    assert_err(append(&metadata, "te", "x"), OYEZ_EKEY);
    char *next = arena.next;
    assert_err(append(&metadata, "te", "a value that is longer than that"), OYEZ_EKEY);
    assert_ptr_equal(arena.next, next);
    assert_int_equal(oy_leak_allocations(), before);
    oy_metadata_fini(&metadata);
    oy_arena_fini(&arena);
}

static void refuses_what_may_not_travel(void **state)
{
    (void)state;
    oyez_metadata *metadata;
    assert_ok(oyez_metadata_new(&metadata));
    static const char *const bad_keys[] = {
        "",   ":path",        "a b",         "k\xc3\xa9",  "k\n",         "User-Agent",
        "TE", "content-type", "GRPC-Status", "connection", "grpc-timeout"};
    for (size_t i = 0; i < sizeof(bad_keys) / sizeof(bad_keys[0]); i++) {
        assert_err(append(metadata, bad_keys[i], "v"), OYEZ_EKEY);
        assert_err(set(metadata, bad_keys[i], "v"), OYEZ_EKEY);
    }
    assert_err(append(metadata, "k", "a\nb"), OYEZ_EVALUE);
    assert_err(append(metadata, "k", "\t"), OYEZ_EVALUE);
    assert_err(append(metadata, "k", "\x80"), OYEZ_EVALUE);
    assert_err(oyez_metadata_append(metadata, "k", "a\0b", 3), OYEZ_EVALUE);
    assert_err(append(metadata, "k-binary", "\x01"), OYEZ_EVALUE);
    assert_holds(metadata, "");

    /* The library's own way in. */
    assert_ok(oy_metadata_append(metadata, OYEZ_STR("user-agent"), OYEZ_STR("x"), true));
    assert_err(oy_metadata_append(metadata, OYEZ_STR("user agent"), OYEZ_STR("x"), true),
               OYEZ_EKEY);
    assert_err(oyez_metadata_append(metadata, NULL, "x", 1), OYEZ_ENULL);
    assert_err(oyez_metadata_set(metadata, "k", NULL, 1), OYEZ_ENULL);
    assert_err(oyez_metadata_append(NULL, "k", "x", 1), OYEZ_ENULL);
    assert_err(oyez_metadata_join(NULL, metadata), OYEZ_ENULL);
    assert_err(oyez_metadata_new(NULL), OYEZ_ENULL);
    assert_err(oyez_metadata_copy(metadata, NULL), OYEZ_ENULL);
    assert_int_equal(oyez_metadata_remove(NULL, "k"), 0);
    assert_true(oy_str_eq(oy_metadata_find(metadata, OYEZ_STR("user-agent")), OYEZ_STR("x")));
    oyez_metadata_free(metadata);
}

static void bin_values_are_bytes(void **state)
{
    (void)state;
    oyez_metadata *metadata;
    assert_ok(oyez_metadata_new(&metadata));
    static const char bytes[] = {' ', 0, '\n', (char)0xff, ' '};
    assert_ok(oyez_metadata_append(metadata, "Trace-BIN", bytes, sizeof(bytes)));
    oyez_str value = oyez_metadata_get(metadata, "trace-bin");
    assert_int_equal(value.len, sizeof(bytes));
    assert_memory_equal(value.data, bytes, sizeof(bytes));
    assert_true(oy_metadata_first(metadata)->is_bin);
    assert_int_equal(metadata->list_bytes, 32 + 9 + 7);
    oyez_metadata_free(metadata);
}

static void null_is_empty(void **state)
{
    (void)state;
    oyez_str value;
    size_t at = 0;
    assert_int_equal(oyez_metadata_count(NULL), 0);
    assert_false(oyez_metadata_at(NULL, 0, NULL, NULL));
    assert_false(oyez_metadata_next(NULL, "k", &at, &value));
    assert_null(oyez_metadata_get(NULL, "k").data);
    assert_null(oy_metadata_first(NULL));
}

/* Against the simplest model: an array of (key, number). */
static void random_operations(void **state)
{
    (void)state;
    enum { MAX = 64 };
    static const char *const keys[] = {"a", "b", "c", "d-bin"};
    oy_random random = {4711};
    for (int round = 0; round < 50; round++) {
        struct {
            size_t key;
            int number;
        } model[MAX];
        size_t count = 0;
        oyez_metadata *metadata;
        assert_ok(oyez_metadata_new(&metadata));
        for (int step = 0; step < 60; step++) {
            size_t key = oy_random_next(&random) % 4;
            int number = (int)(oy_random_next(&random) % 1000);
            char text[16];
            int len = snprintf(text, sizeof(text), "%d", number);
            size_t kept = 0, first = MAX;
            switch (oy_random_next(&random) % 4) {
            case 0:
                assert_ok(oyez_metadata_set(metadata, keys[key], text, (size_t)len));
                for (size_t i = 0; i < count; i++) {
                    if (model[i].key == key && first != MAX)
                        continue;
                    if (model[i].key == key) {
                        first = kept;
                        model[i].number = number;
                    }
                    model[kept++] = model[i];
                }
                count = kept;
                if (first == MAX) {
                    model[count].key = key;
                    model[count++].number = number;
                }
                break;
            case 1:
                for (size_t i = 0; i < count; i++)
                    if (model[i].key != key)
                        model[kept++] = model[i];
                assert_int_equal(oyez_metadata_remove(metadata, keys[key]), count - kept);
                count = kept;
                break;
            default:
                assert_ok(oyez_metadata_append(metadata, keys[key], text, (size_t)len));
                model[count].key = key;
                model[count++].number = number;
            }
            assert_int_equal(oyez_metadata_count(metadata), count);
            assert_int_equal(metadata->list_bytes, expected_list_bytes(metadata));
        }
        for (size_t i = 0; i < count; i++) {
            oyez_str got_key, got_value;
            char text[16];
            (void)snprintf(text, sizeof(text), "%d", model[i].number);
            assert_true(oyez_metadata_at(metadata, i, &got_key, &got_value));
            assert_string_equal(got_key.data, keys[model[i].key]);
            assert_string_equal(got_value.data, text);
        }
        oyez_metadata_free(metadata);
    }
}

static void fault_walk(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        oyez_metadata *metadata = NULL, *copy = NULL;
        oyez_err err = oyez_metadata_new(&metadata);
        for (int i = 0; i < 6 && !err; i++) {
            err = append(metadata, "key", "value");
            assert_int_equal(oyez_metadata_count(metadata), i + !err);
        }
        if (!err) {
            err = set(metadata, "key", "other");
            assert_int_equal(oyez_metadata_count(metadata), err ? 6 : 1);
        }
        if (!err)
            err = set(metadata, "second", "other");
        if (!err) {
            err = oyez_metadata_join(metadata, metadata);
            assert_int_equal(oyez_metadata_count(metadata), err ? 2 : 4);
        }
        if (!err)
            err = oyez_metadata_copy(metadata, &copy);
        assert_int_equal(err != 0, oy_fail_triggered());
        assert_int_equal(copy == NULL, err != 0);
        if (metadata)
            assert_int_equal(metadata->list_bytes, expected_list_bytes(metadata));
        oyez_metadata_free(metadata);
        oyez_metadata_free(copy);
    }
    OY_FAULT_WALK()
    {
        oyez_arena arena;
        oy_arena_init(&arena, NULL, 0);
        oyez_metadata metadata;
        oy_metadata_init_arena(&metadata, &arena);
        oyez_err err = 0;
        for (int i = 0; i < 200 && !err; i++)
            err = append(&metadata, "key", "value");
        assert_int_equal(err != 0, oy_fail_triggered());
        oy_metadata_fini(&metadata);
        oy_arena_fini(&arena);
    }
}

OY_TEST_GROUP(call_metadata, oy_leak_test(on_the_heap), oy_leak_test(in_an_arena),
              oy_leak_test(refuses_what_may_not_travel), oy_leak_test(bin_values_are_bytes),
              oy_leak_test(null_is_empty), oy_leak_test(random_operations),
              oy_leak_test(fault_walk));

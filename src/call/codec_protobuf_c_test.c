/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "support/test.h"

#include <oyez/protobuf_c.h>

#include "base/arena.h"
#include "call/codec_protobuf_c.h"
#include "call/test_tree.h"
#include "support/leak.h"

/* Bytes of a message, written from the end to the front, so that a message can be wrapped. */
typedef struct wire {
    uint8_t room[8192];
    size_t start;
} wire;

static void wire_init(wire *w)
{
    w->start = sizeof(w->room);
}

static void put(wire *w, const void *data, size_t len)
{
    assert_true(len <= w->start);
    w->start -= len;
    memcpy(w->room + w->start, data, len);
}

static void put_byte(wire *w, unsigned byte)
{
    uint8_t b = (uint8_t)byte;
    put(w, &b, 1);
}

static size_t wire_len(const wire *w)
{
    return sizeof(w->room) - w->start;
}

/* Makes all bytes so far the contents of a length-delimited field. */
static void wrap(wire *w, unsigned field, size_t len)
{
    if (len > 127) {
        put_byte(w, (unsigned)(len >> 7));
        put_byte(w, (unsigned)(len & 127) | 128);
    } else {
        put_byte(w, (unsigned)len);
    }
    put_byte(w, field << 3 | 2);
}

static oyez_slice wire_slice(const wire *w)
{
    oyez_slice slice = OYEZ_SLICE_INIT;
    assert_ok(
        oyez_slice_append(&slice, (oyez_buffer){.data = w->room + w->start, .len = wire_len(w)}));
    return slice;
}

static oyez_err decode_as(const ProtobufCMessageDescriptor *desc, const wire *w,
                          const char **ret_words)
{
    oyez_slice bytes = wire_slice(w);
    void *message = NULL;
    oyez_err err;

    *ret_words = NULL;
    err = oyez_protobuf_c()->decode(desc, &bytes, NULL, NULL, &message, ret_words);
    assert_int_equal(err != 0, *ret_words != NULL);
    assert_int_equal(err == 0, message != NULL);
    protobuf_c_message_free_unpacked(message, NULL);
    return err;
}

static void assert_refused(const ProtobufCMessageDescriptor *desc, const wire *w, const char *part)
{
    const char *words;
    assert_err(decode_as(desc, w, &words), OYEZ_ECODEC);
    if (strstr(words, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", words, part);
}

static void assert_accepted(const ProtobufCMessageDescriptor *desc, const wire *w)
{
    const char *words;
    oyez_err err = decode_as(desc, w, &words);
    if (err)
        fail_msg("refused: %s", words);
}

static void test_round_trip(void **state)
{
    static _Alignas(16) char first[512];
    const oyez_codec *codec = oyez_protobuf_c();
    char text[] = "a name", *list[] = {text, text};
    int32_t numbers[] = {1, -1, 1000000};
    test_tree child = TEST_TREE_INIT, tree = TEST_TREE_INIT, *kids[] = {&child, &child};
    oyez_arena arena;
    oyez_slice bytes = OYEZ_SLICE_INIT;
    const char *words = NULL;
    uint8_t out[256];
    size_t len = 0;
    void *message = NULL;

    (void)state;
    tree.name = text;
    tree.child = &child;
    tree.kids = kids;
    tree.n_kids = 2;
    tree.numbers = numbers;
    tree.n_numbers = 3;
    tree.words = list;
    tree.n_words = 2;
    child.data = (ProtobufCBinaryData){.len = 4, .data = (uint8_t *)text};
    assert_ok(codec->measure(&test_tree_descriptor, &tree, &len, &words));
    assert_ok(codec->encode(&test_tree_descriptor, &tree, out, len, &words));
    /* in two buffers, so that they must be joined */
    assert_ok(oyez_slice_append(&bytes, (oyez_buffer){.data = out, .len = 5}));
    assert_ok(oyez_slice_append(&bytes, (oyez_buffer){.data = out + 5, .len = len - 5}));
    for (int on_heap = 0; on_heap < 2; on_heap++) {
        oy_arena_init(&arena, first, sizeof(first));
        assert_ok(codec->decode(&test_tree_descriptor, &bytes, on_heap ? NULL : &arena, NULL,
                                &message, &words));
        memset(out, 0, on_heap ? len : 0); /* nothing of the wire is needed any more */
        const test_tree *got = message;
        assert_string_equal(got->name, text);
        assert_int_equal(got->n_kids, 2);
        assert_memory_equal(got->kids[1]->data.data, text, 4);
        assert_memory_equal(got->numbers, numbers, sizeof(numbers));
        assert_string_equal(got->words[1], text);
        if (on_heap)
            protobuf_c_message_free_unpacked(message, NULL);
        oy_arena_fini(&arena);
    }
    oyez_slice_fini(&bytes);
}

static void test_empty_message(void **state)
{
    const oyez_codec *codec = oyez_protobuf_c();
    test_tree tree = TEST_TREE_INIT;
    const char *words = NULL;
    size_t len = 1;
    wire w;

    (void)state;
    wire_init(&w);
    assert_accepted(&test_tree_descriptor, &w);
    assert_ok(codec->measure(&test_tree_descriptor, &tree, &len, &words));
    assert_int_equal(len, 0);
    assert_ok(codec->encode(&test_tree_descriptor, &tree, NULL, 0, &words));
}

static void test_create(void **state)
{
    static _Alignas(16) char first[512];
    oyez_arena arena;

    (void)state;
    oy_arena_init(&arena, first, sizeof(first));
    const test_tree *tree = oyez_protobuf_c()->create(&test_tree_descriptor, &arena);
    assert_string_equal(tree->name, "");
    assert_ptr_equal(tree->base.descriptor, &test_tree_descriptor);
    /* without an init function, as gen_init_helpers = false leaves it */
    const test_old *old = oyez_protobuf_c()->create(&test_old_descriptor, &arena);
    assert_ptr_equal(old->base.descriptor, &test_old_descriptor);
    assert_int_equal(old->n_words, 0);
    oy_arena_fini(&arena);
}

/* What a program may have left NULL is an error or empty, never a crash. */
static void test_null_in_messages(void **state)
{
    const oyez_codec *codec = oyez_protobuf_c();
    char *nothing[] = {NULL};
    test_tree *no_kids[] = {NULL};
    test_tree tree = TEST_TREE_INIT, zero;
    test_old old = TEST_OLD_INIT;
    const char *words = NULL;
    size_t len = 1;

    (void)state;
    tree.name = NULL;
    assert_ok(codec->measure(&test_tree_descriptor, &tree, &len, &words));
    assert_int_equal(len, 0);
    tree.n_words = 1;
    assert_err(codec->measure(&test_tree_descriptor, &tree, &len, &words), OYEZ_ECODEC);
    tree.words = nothing;
    assert_err(codec->measure(&test_tree_descriptor, &tree, &len, &words), OYEZ_ECODEC);
    tree.n_words = 0;
    tree.kids = no_kids;
    tree.n_kids = 1;
    assert_err(codec->measure(&test_tree_descriptor, &tree, &len, &words), OYEZ_ECODEC);
    assert_non_null(strstr(words, "NULL"));
    tree.n_kids = 0;
    memset(&zero, 0, sizeof(zero));
    tree.child = &zero;
    assert_err(codec->measure(&test_tree_descriptor, &tree, &len, &words), OYEZ_ECODEC);
    assert_err(codec->measure(&test_tree_descriptor, &zero, &len, &words), OYEZ_ECODEC);
    assert_non_null(strstr(words, "initialised"));
    assert_err(codec->measure(&test_old_descriptor, &old, &len, &words), OYEZ_ECODEC);
    assert_err(codec->measure(&test_tree_descriptor, &old, &len, &words), OYEZ_ECODEC);
}

static void test_nesting(void **state)
{
    wire w;

    (void)state;
    for (unsigned field = 2; field <= 3; field++) { /* singular, repeated */
        wire_init(&w);
        for (unsigned depth = 1; depth < OY_MESSAGE_DEPTH; depth++)
            wrap(&w, field, wire_len(&w));
        assert_accepted(&test_tree_descriptor, &w);
        wrap(&w, field, wire_len(&w));
        assert_refused(&test_tree_descriptor, &w, "deeper than 100");
        while (wire_len(&w) < 8000)
            wrap(&w, field, wire_len(&w));
        assert_refused(&test_tree_descriptor, &w, "deeper than 100");
    }
}

/* Many side by side are no nesting, and what nests in bytes or in unknown fields does not count. */
static void test_nesting_goes_by_the_descriptor(void **state)
{
    static const unsigned fields[] = {5, 6, 15};
    wire w;

    (void)state;
    wire_init(&w);
    for (unsigned i = 0; i < 2000; i++)
        wrap(&w, 3, 0);
    assert_accepted(&test_tree_descriptor, &w);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        wire_init(&w);
        while (wire_len(&w) < 100)
            wrap(&w, 3, wire_len(&w));
        wrap(&w, fields[i], wire_len(&w)); /* all of it is text */
        for (unsigned depth = 1; depth < 70; depth++)
            wrap(&w, 2, wire_len(&w));
        assert_accepted(&test_tree_descriptor, &w);
    }
}

static void test_merges_are_limited(void **state)
{
    const unsigned allowed = test_tree_descriptor.n_fields + OY_MESSAGE_REPEATS;
    wire w;

    (void)state;
    wire_init(&w);
    for (unsigned i = 0; i < allowed; i++) {
        put(&w, "\x0a\x01x", 3);
        wrap(&w, 2, 3);
    }
    assert_accepted(&test_tree_descriptor, &w);
    wrap(&w, 2, 0);
    assert_refused(&test_tree_descriptor, &w, "too often");
}

/* Two bytes on the wire make a message of a hundred, and more. */
static void test_memory_is_limited(void **state)
{
    enum { BYTES = 2 << 20 };
    uint8_t *data = malloc(BYTES);
    oyez_slice bytes = OYEZ_SLICE_INIT;
    const char *words = "";
    void *message = NULL;
    oyez_arena arena;

    (void)state;
    assert_non_null(data);
    for (size_t i = 0; i < BYTES; i += 2)
        memcpy(data + i, "\x1a\x00", 2); /* kids {} */
    assert_ok(oyez_slice_append(&bytes, (oyez_buffer){.data = data, .len = BYTES}));
    assert_err(oyez_protobuf_c()->decode(&test_tree_descriptor, &bytes, NULL, NULL, &message, &words),
               OYEZ_ENOMEM);
    assert_non_null(strstr(words, "too much memory"));
    oy_arena_init(&arena, NULL, 0);
    arena.limit = OYEZ_LIMIT_ARENA_BYTES;
    assert_err(oyez_protobuf_c()->decode(&test_tree_descriptor, &bytes, &arena, NULL, &message, &words),
               OYEZ_ENOMEM);
    assert_true(arena.limit_hit);
    assert_true(arena.total <= OYEZ_LIMIT_ARENA_BYTES);
    oy_arena_fini(&arena);
    oyez_slice_fini(&bytes);
    free(data);
}

/* What is dense, but not absurd, is not refused for its size. */
static void test_memory_is_counted_fairly(void **state)
{
    enum { BYTES = 2 << 20 };
    static const char dense[] = "\x22\x04\x01\x02\x03\x04" /* numbers, packed */
                                "\x20\x01"                 /* and not */
                                "\x1a\x0c\x0a\x04name\x32\x04word" /* a kid */;
    const size_t len = sizeof(dense) - 1;
    uint8_t *data = malloc(BYTES);
    const char *words = "";
    size_t memory = 0, used = 0;

    (void)state;
    assert_non_null(data);
    for (; used + len <= BYTES; used += len)
        memcpy(data + used, dense, len);
    assert_ok(oy_protobuf_scan(&test_tree_descriptor, data, used, &memory, &words));
    assert_true(memory > used);
    assert_true(memory < OYEZ_LIMIT_ARENA_FACTOR * used);
    free(data);
}

static void test_malformed(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *part;
    } cases[] = {
        {"\x0a", 1, "ends inside"},
        {"\x0a\x05x", 3, "ends inside"},
        {"\x12\x03\x0a\x05x", 5, "ends inside"}, /* longer than the message around it */
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x", 12, "ends inside"},
        {"\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, "ten bytes"},
        {"\x3d\x01\x02\x03", 4, "ends inside"},
        {"\x39\x01\x02\x03", 4, "ends inside"},
        {"\x80", 1, "ends inside"},
        {"\x02\x00", 2, "out of range"},
        {"\xff\xff\xff\xff\xff\x01", 6, "out of range"},
        {"\x13", 1, "group"},
        {"\x14", 1, "group"},
        {"\x16\x00", 2, "group"},
        {"\x0a\x02\xc3\x28", 4, "UTF-8"},
        {"\x32\x01\xff", 3, "UTF-8"},
        {"\x12\x03\x0a\x01\xff", 5, "UTF-8"},
        {"\x08\x01", 2, "not of its type"}, /* name as a number */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        wire w;
        wire_init(&w);
        put(&w, cases[i].bytes, cases[i].len);
        assert_refused(&test_tree_descriptor, &w, cases[i].part);
    }
}

static void test_proto2(void **state)
{
    wire w;

    (void)state;
    wire_init(&w);
    assert_refused(&test_old_descriptor, &w, "required");
    put(&w, "\x0a\x01\xff\x12\x01\xfe", 6); /* proto2 does not ask for UTF-8 */
    assert_accepted(&test_old_descriptor, &w);
}

static void test_faults(void **state)
{
    static _Alignas(16) char first[64];
    wire w;

    (void)state;
    wire_init(&w);
    for (unsigned i = 0; i < 200; i++) {
        put(&w, "\x0a\x0bhello world", 13);
        wrap(&w, 3, 13);
    }
    OY_FAULT_WALK()
    {
        oyez_slice bytes = OYEZ_SLICE_INIT;
        oyez_arena arena;
        const char *words = NULL;
        void *message = NULL;
        oyez_err err;

        oy_arena_init(&arena, first, sizeof(first));
        err = oyez_slice_append(&bytes, (oyez_buffer){.data = w.room + w.start, .len = 100});
        if (!err)
            err = oyez_slice_append(
                &bytes, (oyez_buffer){.data = w.room + w.start + 100, .len = wire_len(&w) - 100});
        if (!err)
            err = oyez_protobuf_c()->decode(&test_tree_descriptor, &bytes, &arena, NULL, &message,
                                            &words);
        if (!err && oyez_protobuf_c()->create(&test_tree_descriptor, &arena) == NULL)
            err = OYEZ_ENOMEM;
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        if (!err)
            assert_int_equal(((const test_tree *)message)->n_kids, 200);
        oyez_slice_fini(&bytes);
        oy_arena_fini(&arena);
    }
}

OY_TEST_GROUP(call_codec_protobuf_c, oy_leak_test(test_round_trip),
              oy_leak_test(test_empty_message), oy_leak_test(test_create),
              oy_leak_test(test_null_in_messages), oy_leak_test(test_nesting),
              oy_leak_test(test_nesting_goes_by_the_descriptor),
              oy_leak_test(test_merges_are_limited), oy_leak_test(test_memory_is_limited),
              oy_leak_test(test_memory_is_counted_fairly), oy_leak_test(test_malformed),
              oy_leak_test(test_proto2), cmocka_unit_test(test_faults));

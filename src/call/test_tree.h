/* SPDX-License-Identifier: Apache-2.0 */
/* Messages for the tests of the protobuf-c codec, described by hand, so that they need no generator:
 *
 *     syntax = "proto3";
 *     message Tree {
 *         string name = 1;
 *         Tree child = 2;
 *         repeated Tree kids = 3;
 *         repeated int32 numbers = 4;
 *         bytes data = 5;
 *         repeated string words = 6;
 *     }
 *
 *     syntax = "proto2";
 *     message Old { required string name = 1; repeated string words = 2; } */
#ifndef OY_CALL_TEST_TREE_H
#define OY_CALL_TEST_TREE_H

#include <stddef.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

typedef struct test_tree test_tree;
struct test_tree {
    ProtobufCMessage base;
    char *name;
    test_tree *child;
    size_t n_kids;
    test_tree **kids;
    size_t n_numbers;
    int32_t *numbers;
    ProtobufCBinaryData data;
    size_t n_words;
    char **words;
};

typedef struct test_old {
    ProtobufCMessage base;
    char *name;
    size_t n_words;
    char **words;
} test_old;

extern const ProtobufCMessageDescriptor test_tree_descriptor;
extern const ProtobufCMessageDescriptor test_old_descriptor;

#define TEST_TREE_INIT                                                                             \
    {.base = PROTOBUF_C_MESSAGE_INIT(&test_tree_descriptor),                                       \
     .name = (char *)(uintptr_t)protobuf_c_empty_string}
#define TEST_OLD_INIT {.base = PROTOBUF_C_MESSAGE_INIT(&test_old_descriptor)}

#define TEST_FIELD(struct_, field_, id_, label_, type_, quantifier_, descriptor_, default_)        \
    {.name = #field_,                                                                              \
     .id = (id_),                                                                                  \
     .label = PROTOBUF_C_LABEL_##label_,                                                           \
     .type = PROTOBUF_C_TYPE_##type_,                                                              \
     .quantifier_offset = (quantifier_),                                                           \
     .offset = offsetof(struct_, field_),                                                          \
     .descriptor = (descriptor_),                                                                  \
     .default_value = (default_)}

static void test_tree_init(ProtobufCMessage *message)
{
    static const test_tree init = TEST_TREE_INIT;
    memcpy(message, &init, sizeof(init));
}

static const ProtobufCFieldDescriptor test_tree_fields[] = {
    TEST_FIELD(test_tree, name, 1, NONE, STRING, 0, NULL, protobuf_c_empty_string),
    TEST_FIELD(test_tree, child, 2, NONE, MESSAGE, 0, &test_tree_descriptor, NULL),
    TEST_FIELD(test_tree, kids, 3, REPEATED, MESSAGE, offsetof(test_tree, n_kids),
               &test_tree_descriptor, NULL),
    TEST_FIELD(test_tree, numbers, 4, REPEATED, INT32, offsetof(test_tree, n_numbers), NULL, NULL),
    TEST_FIELD(test_tree, data, 5, NONE, BYTES, 0, NULL, NULL),
    TEST_FIELD(test_tree, words, 6, REPEATED, STRING, offsetof(test_tree, n_words), NULL, NULL),
};
static const unsigned test_tree_by_name[] = {1, 4, 2, 0, 3, 5};
static const ProtobufCIntRange test_tree_ranges[] = {{1, 0}, {0, 6}};

const ProtobufCMessageDescriptor test_tree_descriptor = {
    .magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC,
    .name = "Tree",
    .short_name = "Tree",
    .c_name = "Tree",
    .package_name = "",
    .sizeof_message = sizeof(test_tree),
    .n_fields = 6,
    .fields = test_tree_fields,
    .fields_sorted_by_name = test_tree_by_name,
    .n_field_ranges = 1,
    .field_ranges = test_tree_ranges,
    .message_init = test_tree_init,
};

static const ProtobufCFieldDescriptor test_old_fields[] = {
    TEST_FIELD(test_old, name, 1, REQUIRED, STRING, 0, NULL, NULL),
    TEST_FIELD(test_old, words, 2, REPEATED, STRING, offsetof(test_old, n_words), NULL, NULL),
};
static const unsigned test_old_by_name[] = {0, 1};
static const ProtobufCIntRange test_old_ranges[] = {{1, 0}, {0, 2}};

const ProtobufCMessageDescriptor test_old_descriptor = {
    .magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC,
    .name = "Old",
    .short_name = "Old",
    .c_name = "Old",
    .package_name = "",
    .sizeof_message = sizeof(test_old),
    .n_fields = 2,
    .fields = test_old_fields,
    .fields_sorted_by_name = test_old_by_name,
    .n_field_ranges = 1,
    .field_ranges = test_old_ranges,
};

#endif

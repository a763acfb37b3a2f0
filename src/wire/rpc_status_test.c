/* SPDX-License-Identifier: Apache-2.0 */
/* google.rpc.Status: bytes as protoc's encoder writes them, and what is not well-formed. */
#include "support/test.h"
#include "wire/wire.h"

#define BYTES_OF(literal) ((oyez_str){literal, sizeof(literal) - 1})

/* code: 5 message: "no" details: [{ type_url: "a/b" value: "xyz" }, {}] */
#define WHOLE "\x08\x05\x12\x02no\x1a\x0a\x0a\x03" "a/b" "\x12\x03xyz\x1a\x00"

static void reads(void **state)
{
    oyez_str rest = BYTES_OF(WHOLE), type_url, value;
    oy_rpc_status status;
    (void)state;
    assert_true(oy_rpc_status_parse(rest, &status));
    assert_int_equal(status.code, 5);
    assert_int_equal(status.message.len, 2);
    assert_memory_equal(status.message.data, "no", 2);
    assert_int_equal(status.details, 2);
    assert_true(oy_rpc_status_next_detail(&rest, &type_url, &value));
    assert_int_equal(type_url.len, 3);
    assert_memory_equal(type_url.data, "a/b", 3);
    assert_int_equal(value.len, 3);
    assert_memory_equal(value.data, "xyz", 3);
    assert_true(oy_rpc_status_next_detail(&rest, &type_url, &value));
    assert_int_equal(type_url.len + value.len, 0);
    assert_false(oy_rpc_status_next_detail(&rest, &type_url, &value));
}

static void reads_odd_ones(void **state)
{
    oy_rpc_status status;
    (void)state;
    assert_true(oy_rpc_status_parse(BYTES_OF(""), &status));
    assert_int_equal(status.code + (int)status.message.len + (int)status.details, 0);
    /* the last one counts; unknown fields of every kind are skipped, and known ones of another type */
    assert_true(oy_rpc_status_parse(BYTES_OF("\x08\x01\x12\x01" "a" "\x20\x07\x29" "12345678" "\x35" "1234"
                                             "\x3a\x02hi\x0a\x01z\x10\x03\x12\x00\x08\x02"), &status));
    assert_int_equal(status.code, 2);
    assert_int_equal(status.message.len, 0);
    /* int32 -1, as ten bytes and as five */
    assert_true(oy_rpc_status_parse(BYTES_OF("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), &status));
    assert_int_equal(status.code, -1);
    assert_true(oy_rpc_status_parse(BYTES_OF("\x08\xff\xff\xff\xff\x0f"), &status));
    assert_int_equal(status.code, -1);
}

static void refuses(void **state)
{
    const oyez_str bad[] = {
        BYTES_OF("\x08"),             /* ends inside a number */
        BYTES_OF("\x08\x80"),
        BYTES_OF("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), /* more than 64 bits */
        BYTES_OF("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        BYTES_OF("\x12\x05" "abc"),  /* ends inside a string */
        BYTES_OF("\x12\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01" "a"),
        BYTES_OF("\x12\x01\xff"),   /* not UTF-8 */
        BYTES_OF("\x1a\x02\x0a\x05"), /* a detail that is none */
        BYTES_OF("\x1a\x03\x0a\x01\xff"),
        BYTES_OF("\x0b\x0c"),        /* a group */
        BYTES_OF("\x06"), BYTES_OF("\x07"), BYTES_OF("\x00\x01"),
        BYTES_OF("\x29" "1234567"), BYTES_OF("\x35" "123"),
        BYTES_OF("\xff\xff\xff\xff\x7f\x01"), /* a field number beyond 29 bits */
    };
    oy_rpc_status status;
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (oy_rpc_status_parse(bad[i], &status))
            fail_msg("accepted: number %zu", i);
}

static void every_prefix_is_safe(void **state)
{
    const oyez_str whole = BYTES_OF(WHOLE);
    (void)state;
    for (size_t len = 0; len <= whole.len; len++) {
        oyez_str rest = {whole.data, len}, type_url, value;
        oy_rpc_status status;
        (void)oy_rpc_status_parse(rest, &status);
        while (oy_rpc_status_next_detail(&rest, &type_url, &value))
            assert_true(value.len <= len);
    }
}

static void writes(void **state)
{
    uint8_t bytes[64];
    (void)state;
    size_t head = oy_rpc_status_head_bytes(5, 2);
    size_t detail = oy_rpc_status_detail_bytes(3, 3);
    size_t empty = oy_rpc_status_detail_bytes(0, 0);
    assert_int_equal(head + detail + empty, sizeof(WHOLE) - 1);
    uint8_t *at = oy_rpc_status_write_head(bytes, 5, BYTES_OF("no"));
    assert_ptr_equal(at, bytes + head);
    at = oy_rpc_status_write_detail(at, BYTES_OF("a/"), BYTES_OF("b"), BYTES_OF("xyz"));
    assert_ptr_equal(at, bytes + head + detail);
    at = oy_rpc_status_write_detail(at, BYTES_OF(""), BYTES_OF(""), BYTES_OF(""));
    assert_ptr_equal(at, bytes + head + detail + empty);
    assert_memory_equal(bytes, WHOLE, sizeof(WHOLE) - 1);
    assert_int_equal(oy_rpc_status_head_bytes(-1, 0), 11);
    at = oy_rpc_status_write_head(bytes, -1, BYTES_OF(""));
    assert_ptr_equal(at, bytes + 11);
    assert_memory_equal(bytes, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
    assert_int_equal(oy_rpc_status_head_bytes(1, SIZE_MAX), 0);
    assert_int_equal(oy_rpc_status_detail_bytes(SIZE_MAX, 1), 0);
    assert_int_equal(oy_rpc_status_detail_bytes(1, SIZE_MAX), 0);
}

OY_TEST_GROUP(wire_rpc_status, cmocka_unit_test(reads), cmocka_unit_test(reads_odd_ones),
              cmocka_unit_test(refuses), cmocka_unit_test(every_prefix_is_safe), cmocka_unit_test(writes));

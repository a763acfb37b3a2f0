/* SPDX-License-Identifier: Apache-2.0 */
/* Details of a status: added, counted, found, and refused. */
#include <stdio.h>

#include <oyez/status.h>

#include "support/leak.h"
#include "support/test.h"

static void expect(oyez_str got, const char *want)
{
    assert_non_null(got.data);
    assert_int_equal(got.len, strlen(want));
    assert_memory_equal(got.data, want, got.len);
}

static void added_and_found(void **state)
{
    oyez_status status = OYEZ_STATUS_INIT, copy = OYEZ_STATUS_INIT;
    oyez_str type_url, value;
    (void)state;
    (void)oyez_status_setf(&status, OYEZ_INVALID_ARGUMENT, "%d fields are wrong", 2);
    assert_int_equal(oyez_status_detail_count(&status), 0);
    assert_false(oyez_status_detail_at(&status, 0, &type_url, &value));
    assert_null(oyez_status_find_detail(&status, "google.rpc.BadRequest").data);
    assert_ok(oyez_status_add_detail(&status, "google.rpc.BadRequest", "one", 3));
    assert_ok(oyez_status_add_detail(&status, "example.com/my.Detail", NULL, 0));
    assert_ok(oyez_status_add_detail(&status, "google.rpc.BadRequest", "two", 3));
    assert_int_equal(status.code, OYEZ_INVALID_ARGUMENT);
    assert_string_equal(status.message, "2 fields are wrong");
    oyez_status_copy(&status, &copy);
    oyez_status_fini(&status);
    assert_int_equal(oyez_status_detail_count(&copy), 3);
    assert_true(oyez_status_detail_at(&copy, 0, &type_url, &value));
    expect(type_url, "type.googleapis.com/google.rpc.BadRequest");
    expect(value, "one");
    assert_true(oyez_status_detail_at(&copy, 1, &type_url, NULL));
    expect(type_url, "example.com/my.Detail");
    assert_true(oyez_status_detail_at(&copy, 2, NULL, &value));
    expect(value, "two");
    assert_false(oyez_status_detail_at(&copy, 3, &type_url, &value));
    assert_false(oyez_status_detail_at(&copy, SIZE_MAX, &type_url, &value));
    expect(oyez_status_find_detail(&copy, "google.rpc.BadRequest"), "one");
    expect(oyez_status_find_detail(&copy, "my.Detail"), "");
    assert_null(oyez_status_find_detail(&copy, "BadRequest").data);
    /* code and message stand in front */
    oyez_str details = oyez_status_details(&copy);
    assert_memory_equal(details.data, "\x08\x03\x12\x12" "2 fields are wrong\x1a", 23);
    oyez_status_fini(&copy);
}

static void words_of_their_own_drop_them(void **state)
{
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    (void)oyez_status_set(&status, OYEZ_ABORTED, "a", 1);
    assert_ok(oyez_status_add_detail(&status, "a.B", "x", 1));
    (void)oyez_status_set(&status, OYEZ_ABORTED, "b", 1);
    assert_int_equal(oyez_status_detail_count(&status), 0);
    assert_ok(oyez_status_add_detail(&status, "a.B", "y", 1));
    assert_int_equal(oyez_status_detail_count(&status), 1);
    oyez_status_fini(&status);
}

static void refused(void **state)
{
    oyez_status status = OYEZ_STATUS_INIT;
    (void)state;
    assert_err(oyez_status_add_detail(&status, "a.B", "x", 1), OYEZ_EINVAL); /* OK has none */
    assert_err(oyez_status_add_detail(NULL, "a.B", "x", 1), OYEZ_EINVAL);
    (void)oyez_status_set(&status, OYEZ_ABORTED, "a", 1);
    assert_err(oyez_status_add_detail(&status, NULL, "x", 1), OYEZ_EINVAL);
    assert_err(oyez_status_add_detail(&status, "", "x", 1), OYEZ_EINVAL);
    assert_err(oyez_status_add_detail(&status, "a\xff", "x", 1), OYEZ_EINVAL);
    assert_err(oyez_status_add_detail(&status, "a.B", NULL, 1), OYEZ_EINVAL);
    assert_err(oyez_status_add_detail(&status, "a.B", "x", SIZE_MAX), OYEZ_ELIMIT);
    assert_int_equal(oyez_status_details(&status).len, 0);
    assert_ok(oyez_status_set_details(&status, "\x0b", 1)); /* somebody's, not looked into */
    assert_err(oyez_status_add_detail(&status, "a.B", "x", 1), OYEZ_EINVAL);
    assert_int_equal(oyez_status_detail_count(&status), 0);
    assert_int_equal(oyez_status_details(&status).len, 1);
    (void)oyez_status_set(&status, OYEZ_ABORTED, "\xff", 1);
    assert_err(oyez_status_add_detail(&status, "a.B", "x", 1), OYEZ_EINVAL);
    oyez_status_fini(&status);
}

static void without_memory(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        oyez_status status = OYEZ_STATUS_INIT;
        (void)oyez_status_set(&status, OYEZ_ABORTED, "a", 1);
        oyez_err err = oyez_status_add_detail(&status, "a.B", "x", 1);
        assert_int_equal(oyez_status_detail_count(&status), err ? 0 : 1);
        if (err)
            assert_err(err, OYEZ_ENOMEM);
        oyez_status_fini(&status);
    }
}

OY_TEST_GROUP(call_status_details, oy_leak_test(added_and_found), oy_leak_test(words_of_their_own_drop_them),
              oy_leak_test(refused), oy_leak_test(without_memory));

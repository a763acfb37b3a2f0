/* SPDX-License-Identifier: Apache-2.0 */
/* oyez_status: set, copied, borrowed, and what is left of it without memory. */
#include "call/status.h"

#include "support/test.h"

#include "base/text.h"
#include "support/leak.h"

static void assert_status(const oyez_status *status, oyez_code code, const char *message)
{
    assert_int_equal(status->code, code);
    assert_non_null(status->message);
    assert_int_equal(status->message_len, strlen(message));
    assert_string_equal(status->message, message);
}

static void assert_details(const oyez_status *status, const char *expected)
{
    oyez_str details = oyez_status_details(status);
    assert_int_equal(details.len, strlen(expected));
    assert_memory_equal(details.data, expected, details.len);
}

static void starts_empty(void **state)
{
    (void)state;
    oyez_status status = OYEZ_STATUS_INIT;
    assert_status(&status, OYEZ_OK, "");
    assert_details(&status, "");
    oyez_status_fini(&status);
    oyez_status_fini(&status);
    oyez_status_fini(NULL);
}

static void sets(void **state)
{
    (void)state;
    oyez_status status = OYEZ_STATUS_INIT;
    assert_int_equal(oyez_status_set(&status, OYEZ_NOT_FOUND, "no such thing", 13), OYEZ_NOT_FOUND);
    assert_status(&status, OYEZ_NOT_FOUND, "no such thing");
    /* Out of its own message. */
    (void)oyez_status_set(&status, OYEZ_ABORTED, status.message + 3, 4);
    assert_status(&status, OYEZ_ABORTED, "such");
    (void)oyez_status_setf(&status, OYEZ_INTERNAL, "%s %d%%", status.message, 7);
    assert_status(&status, OYEZ_INTERNAL, "such 7%");
    (void)oyez_status_set(&status, OYEZ_INTERNAL, NULL, 0);
    assert_status(&status, OYEZ_INTERNAL, "");
    (void)oyez_status_setf(&status, OYEZ_UNKNOWN, "x");
    (void)oyez_status_setf(&status, OYEZ_OK, "%s", "words");
    assert_status(&status, OYEZ_OK, "");
    (void)oyez_status_set(&status, OYEZ_OK, "words", 5);
    assert_status(&status, OYEZ_OK, "");
    oyez_status_fini(&status);
    assert_int_equal(oyez_status_set(NULL, OYEZ_ABORTED, "x", 1), OYEZ_ABORTED);
    assert_int_equal(oyez_status_setf(NULL, OYEZ_ABORTED, "x"), OYEZ_ABORTED);
}

static void keeps_nul_and_unknown_numbers(void **state)
{
    (void)state;
    oyez_status status = OYEZ_STATUS_INIT;
    (void)oyez_status_set(&status, (oyez_code)99, "a\0b", 3);
    assert_int_equal(status.code, 99);
    assert_int_equal(status.message_len, 3);
    assert_memory_equal(status.message, "a\0b", 4);
    oyez_status_fini(&status);
}

static void details_travel_with_copies(void **state)
{
    (void)state;
    oyez_status status = OYEZ_STATUS_INIT, copy = OYEZ_STATUS_INIT;
    assert_err(oyez_status_set_details(&status, "abc", 3), OYEZ_EINVAL);
    (void)oyez_status_setf(&status, OYEZ_DATA_LOSS, "words");
    assert_ok(oyez_status_set_details(&status, "abc", 3));
    assert_status(&status, OYEZ_DATA_LOSS, "words");
    assert_details(&status, "abc");

    uint64_t before = oy_leak_allocations();
    oyez_status_copy(&status, &copy);
    oyez_status_copy(&copy, &copy);
    assert_int_equal(oy_leak_allocations(), before);
    assert_status(&copy, OYEZ_DATA_LOSS, "words");
    assert_ptr_equal(copy.message, status.message);

    /* Out of its own details; the copy does not change. */
    oyez_str details = oyez_status_details(&status);
    assert_ok(oyez_status_set_details(&status, details.data + 1, 2));
    assert_details(&status, "bc");
    assert_details(&copy, "abc");
    assert_ok(oyez_status_set_details(&status, NULL, 0));
    assert_details(&status, "");
    assert_status(&status, OYEZ_DATA_LOSS, "words");
    (void)oyez_status_set(&copy, OYEZ_ABORTED, "new", 3);
    assert_details(&copy, "");
    oyez_status_copy(&status, &copy);
    oyez_status_fini(&status);
    assert_status(&copy, OYEZ_DATA_LOSS, "words");
    oyez_status_copy(&copy, NULL);
    oyez_status_fini(&copy);
}

static void static_and_borrowed_allocate_nothing(void **state)
{
    (void)state;
    uint64_t before = oy_leak_allocations();
    oyez_status status = OYEZ_STATUS_INIT, copy = OYEZ_STATUS_INIT;
    assert_int_equal(oy_status_static(&status, OYEZ_UNAVAILABLE, "gone"), OYEZ_UNAVAILABLE);
    oyez_status_copy(&status, &copy);
    assert_status(&copy, OYEZ_UNAVAILABLE, "gone");
    oy_status_impl loan;
    char arena[] = "from the arena\0details";
    (void)oy_status_borrow(&status, &loan, OYEZ_INTERNAL, (oyez_str){arena, 14},
                           (oyez_str){arena + 15, 7});
    assert_status(&status, OYEZ_INTERNAL, "from the arena");
    assert_details(&status, "details");
    assert_int_equal(oy_leak_allocations(), before);

    /* A copy outlives the loan. */
    oyez_status_copy(&status, &copy);
    memset(arena, '#', sizeof(arena) - 1);
    memset(&loan, 0xff, sizeof(loan));
    assert_status(&copy, OYEZ_INTERNAL, "from the arena");
    assert_details(&copy, "details");
    oyez_status_fini(&copy);

    (void)oy_status_borrow(&status, &loan, OYEZ_OK, (oyez_str){NULL, 0}, (oyez_str){NULL, 0});
    assert_status(&status, OYEZ_OK, "");
    oyez_status_copy(&status, &copy);
    assert_status(&copy, OYEZ_OK, "");
    oyez_status_fini(&status);
    oyez_status_fini(&copy);
}

static void hand_made_is_copied(void **state)
{
    (void)state;
    char words[] = "mine";
    oyez_status made = {OYEZ_ABORTED, words, 4, NULL}, copy = OYEZ_STATUS_INIT;
    oyez_status_copy(&made, &copy);
    words[0] = '#';
    assert_status(&copy, OYEZ_ABORTED, "mine");
    oyez_status_fini(&copy);
    oyez_status_fini(&made);
}

static void without_memory_the_code_stays(void **state)
{
    (void)state;
    OY_FAULT_WALK()
    {
        oyez_status status = OYEZ_STATUS_INIT, copy = OYEZ_STATUS_INIT;
        (void)oyez_status_set(&status, OYEZ_ABORTED, "one", 3);
        assert_int_equal(status.code, OYEZ_ABORTED);
        assert_true(status.message_len > 0);
        (void)oyez_status_setf(&status, OYEZ_DATA_LOSS, "two %d", 2);
        assert_int_equal(status.code, OYEZ_DATA_LOSS);
        assert_true(status.message_len > 0 && status.message[status.message_len] == '\0');
        bool failed_before = oy_fail_triggered();
        oyez_err err = oyez_status_set_details(&status, "abc", 3);
        assert_int_equal(err != 0, !failed_before && oy_fail_triggered());
        assert_int_equal(oyez_status_details(&status).len, err ? 0 : 3);
        oyez_status_copy(&status, &copy);
        assert_int_equal(copy.code, OYEZ_DATA_LOSS);
        oyez_status made = {OYEZ_ABORTED, "mine", 4, NULL};
        oyez_status_copy(&made, &copy);
        assert_int_equal(copy.code, OYEZ_ABORTED);
        assert_true(copy.message_len > 0);
        oyez_status_fini(&status);
        oyez_status_fini(&copy);
    }
}

OY_TEST_GROUP(call_status, oy_leak_test(starts_empty), oy_leak_test(sets),
              oy_leak_test(keeps_nul_and_unknown_numbers), oy_leak_test(details_travel_with_copies),
              oy_leak_test(static_and_borrowed_allocate_nothing), oy_leak_test(hand_made_is_copied),
              oy_leak_test(without_memory_the_code_stays));

/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator for tests: counts what lives, and can fail at the n-th allocation. From any thread,
 * except that begin and end belong to the test. */
#ifndef OY_TESTS_LEAK_H
#define OY_TESTS_LEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From here on the library's memory is counted. May be nested. Whatever was allocated before the
 * outermost begin must not be freed before its end. */
void oy_leak_begin(void);
/* Fails the test, and names the sizes, if something allocated since the begin is still alive. */
void oy_leak_end(void);

size_t oy_leak_live_blocks(void);
size_t oy_leak_live_bytes(void);
/* The most that was alive at a time, since the begin or since this was called with true, which starts anew. */
size_t oy_leak_peak_bytes(bool anew);
/* Allocations so far, reallocations included: for budgets, as a difference of two. */
uint64_t oy_leak_allocations(void);

/* The n-th allocation from now fails, the first being 1; only that one. 0: none. Only between begin
 * and end. */
void oy_fail_after(unsigned n);
/* True when that failure has happened. */
bool oy_fail_triggered(void);

/* As setup and teardown of a cmocka test: a leak check around it. */
int oy_leak_setup(void **state);
int oy_leak_teardown(void **state);
#define oy_leak_test(function)                                                                     \
    cmocka_unit_test_setup_teardown(function, oy_leak_setup, oy_leak_teardown)

/* Runs the statement that follows with the first allocation failing, then with the second, and so on,
 * until one run sees no failure; each run must leave nothing alive. In the statement an error is right
 * if, and only if, oy_fail_triggered(): OY_FAULT_WALK() { ... }. It must not be left by break, return
 * or goto. */
#define OY_FAULT_WALK()                                                                            \
    for (unsigned oy_fault_n = 0; oy_fault_walk_step(&oy_fault_n);)
/* Ends the round of `*n`, if there was one, and starts the next. False when the walk is done. */
bool oy_fault_walk_step(unsigned *n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting on one word. The waker gives the kernel an address and reads nothing there: the word may
 * be gone by then, at worst somebody else who waits at the same address looks once more. */
#ifndef OY_IO_FUTEX_H
#define OY_IO_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/* Sleeps while *word == value, until the time (absolute, oy_now's clock; OYEZ_FOREVER: none). May
 * return early for no reason. */
void oy_futex_wait(_Atomic(int) *word, int value, int64_t deadline);
/* Wakes one. */
void oy_futex_wake(_Atomic(int) *word);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The two futex calls that the C library does not wrap. */
#define _GNU_SOURCE
#include "io/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <oyez/types.h>

void oy_futex_wait(_Atomic(int) *word, int value, int64_t deadline)
{
    /* The bitset form takes an absolute time of the monotonic clock. */
    struct timespec until = {0};
    int error = errno;
    if (deadline != OYEZ_FOREVER) {
        if (deadline < 0)
            deadline = 0;
        until.tv_sec = deadline / OYEZ_SECOND;
        until.tv_nsec = deadline % OYEZ_SECOND;
    }
    (void)syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value,
                  deadline == OYEZ_FOREVER ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
    errno = error;
}

void oy_futex_wake(_Atomic(int) *word)
{
    int error = errno;
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = error;
}
